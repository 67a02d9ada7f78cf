/* Limits of joints in degrees: what each angle, the swing and the twist may do. */
#include "solve/limits.h"

#include <math.h>
#include <string.h>

/* As it is printed: nobody bends from "-0" degrees. */
static double whole_degrees(double radians)
{
    return rint(snw_degrees(radians)) + 0.0;
}

static void add_range(char *text, size_t size, const char *what, const double range[2])
{
    size_t used = strlen(text);
    snw_format(text + used, size - used, "%s%s%.0f to %.0f", used ? ", " : "", what,
               whole_degrees(range[0]), whole_degrees(range[1]));
}

/* ", twists from -10 to 12 deg". */
static void add_words(char *text, size_t size, const char *what, const double range[2])
{
    size_t used = strlen(text);
    snw_format(text + used, size - used, "%s%s from %.0f to %.0f deg", used ? ", " : "", what,
               whole_degrees(range[0]), whole_degrees(range[1]));
}

const char *cli_limits_text(const snw_joint *joint, char *text, size_t size)
{
    const snw_joint_limit *limit = &joint->limit;
    text[0] = 0;
    if (joint->type == SNW_JOINT_BALL && limit->swing == SNW_SWING_CONE)
        snw_format(text, size, "swing %.0f %.0f %.0f %.0f", snw_degrees(limit->cone[0]),
                   snw_degrees(limit->cone[1]), snw_degrees(limit->cone[2]),
                   snw_degrees(limit->cone[3]));
    if (joint->type == SNW_JOINT_BALL && limit->has_twist)
        add_range(text, size, "twist ", limit->twist);
    for (int k = 0; k < 2 && joint->type != SNW_JOINT_BALL; k++)
        if (limit->has_range[k]) add_range(text, size, k ? "" : "bends ", limit->range[k]);
    if (!text[0]) snw_format(text, size, "%s", joint->type == SNW_JOINT_FIXED ? "-" : "free");
    return text;
}

static double largest_of(const double cone[4])
{
    return fmax(fmax(cone[0], cone[1]), fmax(cone[2], cone[3]));
}

const char *cli_limits_words(const snw_joint *joint, char *text, size_t size)
{
    const snw_joint_limit *limit = &joint->limit;
    bool is_ball = joint->type == SNW_JOINT_BALL;
    text[0] = 0;
    if (is_ball && limit->swing == SNW_SWING_CONE)
        snw_format(text, size, "swings up to %.0f deg (to its four sides %.0f, %.0f, %.0f, %.0f)",
                   snw_degrees(largest_of(limit->cone)), snw_degrees(limit->cone[0]),
                   snw_degrees(limit->cone[1]), snw_degrees(limit->cone[2]),
                   snw_degrees(limit->cone[3]));
    if (is_ball && limit->has_twist) add_words(text, size, "twists", limit->twist);
    for (int k = 0; k < 2 && !is_ball; k++)
        if (limit->has_range[k])
            add_words(text, size, k ? "across that" : "bends", limit->range[k]);
    if (!text[0])
        snw_format(text, size, "%s",
                   joint->type == SNW_JOINT_FIXED ? "does not move" : "moves freely");
    return text;
}

static void put_degrees(cli_json *json, const char *key, const double *angles, int count)
{
    double degrees[4];
    for (int k = 0; k < count; k++)
        degrees[k] = snw_degrees(angles[k]);
    cli_json_numbers(json, key, degrees, count);
}

void cli_limits_json(cli_json *json, const snw_joint *joint)
{
    const snw_joint_limit *limit = &joint->limit;
    const double axis[3] = {joint->axis.x, joint->axis.y, joint->axis.z};
    if (joint->type != SNW_JOINT_FIXED) cli_json_numbers(json, "axis", axis, 3);
    cli_json_object(json, "limits_deg");
    if (limit->has_range[0]) put_degrees(json, "range", limit->range[0], 2);
    if (limit->has_range[1]) put_degrees(json, "range2", limit->range[1], 2);
    if (limit->swing == SNW_SWING_CONE) put_degrees(json, "cone", limit->cone, 4);
    if (limit->has_twist) put_degrees(json, "twist", limit->twist, 2);
    cli_json_end_object(json);
}
