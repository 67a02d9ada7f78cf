/* The hand of Aristidou (thesis 2010, chapter 5): 25 joints, 25 degrees of freedom, Table 5.1. The
 * ball joints of the printed table are universal ones that spread first and then bend, since a
 * finger's plane stands on the palm's (5.8). 95 degrees need no cone here: hinges have ranges. */
#include "hand/hand_body.h"

#include <string.h>

#include "base/elementary.h"
#include "hand/palm.h"
#include "person/anthropometry.h"

/* Table 5.1 in degrees: {low, high} of spread, then flexion at base, middle and outer joint. */
static const double hand_limits_deg[2][4][2] = {
    {{-15, 15}, {-10, 85}, {-10, 95}, {-10, 90}},
    {{-30, 40}, {-20, 20}, {-5, 30}, {-10, 95}},
};

/* Average hand, fractions of its length from wrist to the tip of the middle finger: bones of
 * person/anthropometry.h; knuckles and fan as in the preset "hand25"; the thumb's saddle joint
 * between that preset's and two captured hands (ART). */
typedef struct hand_body_ray {
    double base[3];
    double fan_deg, roll_deg;
    double bone[4]; /* the first lies before the base */
} hand_body_ray;

static const hand_body_ray hand_average[SNW_HAND_FINGERS] = {
    {{0.124, -0.040, 0.055}, 50, -60, SNW__HAND_THUMB},
    {{0.1276, 0, 0.4847}, 8, 0, SNW__HAND_INDEX},
    {{0.0366, 0, 0.4774}, 2, 0, SNW__HAND_MIDDLE},
    {{-0.0650, 0, 0.4450}, -6, 0, SNW__HAND_RING},
    {{-0.1633, 0, 0.4175}, -14, 0, SNW__HAND_LITTLE},
};

snw_hand_profile snw_hand_profile_default(snw_side side, double length)
{
    snw_hand_profile profile;
    memset(&profile, 0, sizeof profile);
    if (!(length > 0.02 && length < 2)) length = SNW__HAND_LENGTH;
    profile.side = side;
    profile.back_share = 0.8;
    profile.back_height = 0.008;
    for (int f = 0; f < SNW_HAND_FINGERS; f++) {
        const hand_body_ray *ray = &hand_average[f];
        profile.base[f] =
            snw_vec3_make(length * ray->base[0], length * ray->base[1], length * ray->base[2]);
        profile.rest[f] = snw_quat_mul(
            snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), snw_radians(ray->fan_deg)),
            snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), snw_radians(ray->roll_deg)));
        for (int n = 0; n < 3; n++)
            profile.bone[f][n] = length * ray->bone[n + 1];
    }
    return profile;
}

snw__finger snw__hand_finger(const snw_hand_profile *profile, int finger, bool has_limits)
{
    snw__finger made;
    bool is_thumb = finger == SNW_HAND_THUMB;
    for (int n = 0; n < 3; n++)
        made.bone[n] = profile->bone[finger][n];
    /* Rijpkema & Girard (1991): 2/3. The thumb's end joint bends twice as far as the one before it:
     * 1.9 in two captured hands (ART), 2.3 between the ends of their ranges. */
    made.follow = is_thumb ? 2.0 : 2.0 / 3.0;
    made.lead = is_thumb ? 0 : 0.8;
    for (int k = 0; k < 4; k++) {
        made.low[k] = has_limits ? snw_radians(hand_limits_deg[is_thumb][k][0]) : -SNW_PI;
        made.high[k] = has_limits ? snw_radians(hand_limits_deg[is_thumb][k][1]) : SNW_PI;
    }
    return made;
}

/* ---- the skeleton ------------------------------------------------------------------------- */

static const int hand_order[SNW_HAND_FINGERS] = {SNW_HAND_INDEX, SNW_HAND_MIDDLE, SNW_HAND_RING,
                                                 SNW_HAND_LITTLE, SNW_HAND_THUMB};

int snw__hand_joint(int finger, int which)
{
    return finger == SNW_HAND_THUMB ? 21 + which : 1 + 5 * (finger - SNW_HAND_INDEX) + 1 + which;
}

static snw_vec3 sided(snw_vec3 v, snw_side side)
{
    return side == SNW_SIDE_LEFT ? snw__hand_mirror(v) : v;
}

static snw_quat sided_turn(snw_quat q, snw_side side)
{
    return side == SNW_SIDE_LEFT ? snw_quat_make(q.w, q.x, -q.y, -q.z) : q;
}

static void set_range(snw_joint *joint, int which, const double degrees[2])
{
    joint->limit.has_range[which] = true;
    joint->limit.range[which][0] = snw_radians(degrees[0]);
    joint->limit.range[which][1] = snw_radians(degrees[1]);
}

/* Spreads about y (of a left hand: -y, so that angles mean the same), then bends about x. */
static void set_bending(snw_joint *joint, snw_side side, bool spreads, const double (*limits)[2],
                        int angle)
{
    static const double little[2] = {-10, 10}; /* spread at the thumb's second joint */
    joint->type = spreads ? SNW_JOINT_UNIVERSAL : SNW_JOINT_HINGE;
    joint->axis =
        spreads ? snw_vec3_make(0, side == SNW_SIDE_LEFT ? -1 : 1, 0) : snw_vec3_make(1, 0, 0);
    joint->axis2 = spreads ? snw_vec3_make(1, 0, 0) : snw_vec3_make(0, 1, 0);
    if (spreads) set_range(joint, 0, angle == 1 ? limits[0] : little);
    set_range(joint, spreads, limits[angle]);
}

typedef struct hand_names {
    char text[SNW__HAND_JOINT_COUNT][16];
} hand_names;

static int add_finger(const snw_hand_profile *p, int finger, int at, snw_joint_def *defs,
                      hand_names *names)
{
    static const char *const words[] = {"thumb", "index", "middle", "ring", "little"};
    const char *side = p->side == SNW_SIDE_LEFT ? "left" : "right";
    bool is_thumb = finger == SNW_HAND_THUMB;
    const double(*limits)[2] = hand_limits_deg[is_thumb];
    int parent = 0, count = is_thumb ? 4 : 5;
    snw_vec3 root = snw_vec3_scale(p->base[finger], is_thumb ? 1 : 0.1);
    for (int n = 0; n < count; n++, at++) {
        int which = is_thumb ? n : n - 1; /* 0 base, 1 middle, 2 outer, 3 tip; -1 the metacarpal */
        snw_joint_def *def = &defs[at];
        *def = snw_joint_def_default();
        snw_format(names->text[at], sizeof names->text[at], "%s_%s%d", side, words[finger], n + 1);
        def->name = names->text[at];
        def->parent = parent;
        if (which < 0) {
            def->rest.translation = sided(root, p->side);
            def->joint.type = SNW_JOINT_HINGE;
            def->joint.axis = snw_vec3_make(1, 0, 0);
            def->joint.axis2 = snw_vec3_make(0, 1, 0);
        } else if (which == 0) {
            snw_vec3 way = is_thumb ? p->base[finger] : snw_vec3_sub(p->base[finger], root);
            def->rest = snw_xform_make(sided_turn(p->rest[finger], p->side), sided(way, p->side));
            set_bending(&def->joint, p->side, true, limits, 1);
        } else {
            def->rest.translation = snw_vec3_make(0, 0, p->bone[finger][which - 1]);
            if (which < 3)
                set_bending(&def->joint, p->side, is_thumb && which == 1, limits, which + 1);
        }
        parent = at;
    }
    return at;
}

snw_status snw__hand_body_create(const snw_hand_profile *profile, const snw_allocator *allocator,
                                 snw_skeleton **out, snw_error *error)
{
    snw_joint_def defs[SNW__HAND_JOINT_COUNT];
    hand_names names;
    defs[0] = snw_joint_def_default();
    snw_format(names.text[0], sizeof names.text[0], "%s_wrist0",
               profile->side == SNW_SIDE_LEFT ? "left" : "right");
    defs[0].name = names.text[0];
    int at = 1;
    for (int n = 0; n < SNW_HAND_FINGERS; n++)
        at = add_finger(profile, hand_order[n], at, defs, &names);
    return snw_skeleton_create(defs, at, allocator, out, error);
}

void snw__hand_set_angles(snw_side side, int finger, const double angle[4], snw_pose *pose)
{
    double spread = side == SNW_SIDE_LEFT ? -angle[0] : angle[0];
    const snw_vec3 x = snw_vec3_make(1, 0, 0), y = snw_vec3_make(0, 1, 0);
    pose->rotation[snw__hand_joint(finger, 0)] =
        snw_quat_mul(snw_quat_from_axis_angle(y, spread), snw_quat_from_axis_angle(x, angle[1]));
    pose->rotation[snw__hand_joint(finger, 1)] = snw_quat_from_axis_angle(x, angle[2]);
    pose->rotation[snw__hand_joint(finger, 2)] = snw_quat_from_axis_angle(x, angle[3]);
}

double snw__hand_metacarpal(const snw_hand_profile *profile, int finger, snw_vec3 knuckle)
{
    snw_vec3 root = snw_vec3_scale(profile->base[finger], 0.1);
    snw_vec3 flat = snw_vec3_sub(profile->base[finger], root), now = snw_vec3_sub(knuckle, root);
    return snw__atan2(flat.y, flat.z) - snw__atan2(now.y, now.z);
}

void snw__hand_set_metacarpal(int finger, double flexion, snw_pose *pose)
{
    pose->rotation[snw__hand_joint(finger, 0) - 1] =
        snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), flexion);
}

void snw__hand_get_angles(snw_side side, int finger, const snw_pose *pose, double angle[4])
{
    double values[6];
    (void)side;
    for (int which = 0; which < 3; which++) {
        int joint = snw__hand_joint(finger, which);
        snw_joint_values(&pose->skeleton->joint[joint], pose->rotation[joint], pose->slide[joint],
                         values);
        if (which == 0) angle[0] = values[0];
        bool is_two = pose->skeleton->joint[joint].type == SNW_JOINT_UNIVERSAL;
        angle[1 + which] = values[is_two];
    }
}
