/* Are these the angles of a person? Wrong wands, exchanged labels and a zero in the wrong place
 * give curves that look like walking and are none. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "judge/judge_constants.h"
#include "judge/judging.h"
#include "person/regressions.h"

static const struct {
    const char *english, *opensim; /* without side; NULL: not there */
    double low, high;
} angle_range[] = {
    {"hip_flexion", NULL, -SNW__HIP_EXTENSION, SNW__HIP_FLEXION},
    {"hip_abduction", NULL, -SNW__HIP_ADDUCTION, SNW__HIP_ABDUCTION},
    {"hip_adduction", NULL, -SNW__HIP_ABDUCTION, SNW__HIP_ADDUCTION},
    {"hip_rotation", NULL, -SNW__HIP_ROTATION, SNW__HIP_ROTATION},
    {"knee_flexion", NULL, -SNW__KNEE_EXTENSION, SNW__KNEE_FLEXION},
    {"knee_abduction", NULL, -10, 10},
    {"knee_rotation", NULL, -SNW__KNEE_ROTATION, SNW__KNEE_ROTATION},
    {"ankle_flexion", "ankle_angle", -SNW__ANKLE_PLANTAR, SNW__ANKLE_DORSAL},
    {"ankle_inversion", NULL, -SNW__ANKLE_INVERSION, SNW__ANKLE_INVERSION},
    {"pelvis_tilt", NULL, -60, 90},
    {"pelvis_obliquity", NULL, -60, 60},
    {"pelvis_list", NULL, -60, 60},
};

static const char *bare_name(const char *name, int *side)
{
    size_t length = strlen(name);
    *side = strncmp(name, "left_", 5) == 0 ? 0 : strncmp(name, "right_", 6) == 0 ? 1 : -1;
    if (*side < 0 && length > 2 && name[length - 2] == '_')
        *side = name[length - 1] == 'l' ? 0 : name[length - 1] == 'r' ? 1 : -1;
    return strncmp(name, "left_", 5) == 0    ? name + 5
           : strncmp(name, "right_", 6) == 0 ? name + 6
                                             : name;
}

static bool is_named(const char *bare, const char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (!name || strncmp(bare, name, length) != 0) return false;
    return !bare[length] || strcmp(bare + length, "_l") == 0 || strcmp(bare + length, "_r") == 0;
}

static double degrees_at(const snw_angles *angles, int frame, int column)
{
    return snw_degrees(snw_angles_at(angles, frame, column));
}

static void say(snw_judgements *out, snw_judgement_code code, snw_verdict verdict, double number,
                const char *sentence)
{
    snw_judgement item = snw__judgement_make(code, verdict, number);
    snw_format(item.sentence, sizeof item.sentence, "%s", sentence);
    snw_judgements_add(out, &item);
}

static void judge_range(const snw_angles *angles, int column, snw_judgements *out)
{
    int side, known = 0, odd = 0, impossible = 0;
    const char *bare = bare_name(angles->column[column].name, &side);
    double least = INFINITY, greatest = -INFINITY;
    size_t row = 0, rows = sizeof angle_range / sizeof *angle_range;
    while (row < rows && !is_named(bare, angle_range[row].english) &&
           !is_named(bare, angle_range[row].opensim))
        row++;
    if (row == rows) return;
    for (int f = 0; f < angles->frame_count; f++) {
        double value = degrees_at(angles, f, column);
        if (!isfinite(value)) continue;
        double beyond = fmax(angle_range[row].low - value, value - angle_range[row].high);
        known++;
        odd += beyond > SNW__ANGLE_SKIN;
        impossible += beyond > ANGLE_IMPOSSIBLE;
        least = fmin(least, value);
        greatest = fmax(greatest, value);
    }
    bool is_red = impossible > ANGLE_SPIKES * known;
    if (!known || (!is_red && odd <= ANGLE_SPIKES * known)) return;
    char text[200];
    snw_format(text, sizeof text, "%s goes from %.0f to %.0f degrees; people have %.0f to %.0f",
               angles->column[column].name, least, greatest, angle_range[row].low,
               angle_range[row].high);
    say(out, SNW_JUDGEMENT_IMPLAUSIBLE_ANGLE, is_red ? SNW_VERDICT_RED : SNW_VERDICT_AMBER,
        fmax(angle_range[row].low - least, greatest - angle_range[row].high), text);
}

/* Knees: one against the other at their straightest, and of somebody who stands still. */
static void judge_knees(const snw_angles *angles, snw_judgements *out)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    char text[200];
    for (int side = 0; side < SNW_SIDES; side++) {
        int column = snw_angles_find(angles, side ? "right_knee_flexion" : "left_knee_flexion");
        for (int f = 0; f < angles->frame_count && column >= 0; f++) {
            double value = degrees_at(angles, f, column);
            if (!isfinite(value)) continue;
            low[side] = fmin(low[side], value);
            high[side] = fmax(high[side], value);
        }
        if (!isfinite(low[side]) || !(high[side] - low[side] < ANGLE_STILL) ||
            fabs(low[side]) < ANGLE_STANDING)
            continue;
        snw_format(
            text, sizeof text,
            "the %s knee stays at %.0f degrees: who stands straight has 0; is the zero right?",
            side ? "right" : "left", low[side]);
        say(out, SNW_JUDGEMENT_BENT_STANDING, SNW_VERDICT_AMBER, fabs(low[side]), text);
    }
    if (!isfinite(low[0]) || !isfinite(low[1]) || fabs(low[0] - low[1]) < ANGLE_SIDES) return;
    snw_format(text, sizeof text,
               "the left knee is never straighter than %.0f degrees, the right %.0f: has one a "
               "wrong zero?",
               low[0], low[1]);
    say(out, SNW_JUDGEMENT_UNEQUAL_ANGLES, SNW_VERDICT_AMBER, fabs(low[0] - low[1]), text);
}

void snw_angles_judge(const snw_angles *angles, snw_judgements *out)
{
    for (int c = 0; c < angles->column_count; c++)
        if (!angles->column[c].is_length && !angles->column[c].is_rate) judge_range(angles, c, out);
    for (int side = 0; side < SNW_SIDES; side++) {
        const char *word = side ? "right" : "left";
        char name[SNW_ANGLE_NAME_SIZE], text[200];
        snw_format(name, sizeof name, "%s_knee_flexion", word);
        int flexion = snw_angles_find(angles, name);
        snw_format(name, sizeof name, "%s_knee_abduction", word);
        int abduction = snw_angles_find(angles, name), count = 0;
        double x = 0, y = 0, xx = 0, xy = 0, yy = 0, low = INFINITY, high = -INFINITY;
        for (int f = 0; f < angles->frame_count && flexion >= 0 && abduction >= 0; f++) {
            double a = degrees_at(angles, f, flexion), b = degrees_at(angles, f, abduction);
            if (!isfinite(a) || !isfinite(b)) continue;
            count++;
            x += a;
            y += b;
            xx += a * a;
            xy += a * b;
            yy += b * b;
            low = fmin(low, a);
            high = fmax(high, a);
        }
        if (count < 3 || high - low < CROSSTALK_BEND) continue;
        double sxx = xx - x * x / count, sxy = xy - x * y / count, syy = yy - y * y / count;
        if (!(sxx > 0) || !(syy > 0)) continue;
        double slope = sxy / sxx, r = sxy / sqrt(sxx * syy);
        if (fabs(slope) < CROSSTALK_TURN || fabs(r) < CROSSTALK_R) continue;
        snw_format(text, sizeof text,
                   "the %s knee's abduction follows its flexion (%.2f of it, r %.2f): its axis is "
                   "turned by about %.0f degrees",
                   word, slope, r, fabs(snw_degrees(snw__atan2(slope, 1))));
        say(out, SNW_JUDGEMENT_CROSSTALK, SNW_VERDICT_AMBER, fabs(slope), text);
    }
    judge_knees(angles, out);
}
