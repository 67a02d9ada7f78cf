/* Where a walking person goes, and the feet along that way. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "measure/gait_line.h"
#include "measure/measure_constants.h"
#include "person/movement.h"

static bool marker_at(const snw__gait_line *line, int frame, snw_gait_marker marker, int side,
                      snw_vec3 *out)
{
    int at = line->markers.at[marker][side];
    if (at < 0 || !snw_trial_is_present(line->trial, frame, at)) return false;
    *out = snw_trial_position(line->trial, frame, at);
    return true;
}

/* The sacrum, or the middle of what the pelvis shows. */
static bool sacrum_at(const snw__gait_line *line, int frame, snw_vec3 *out)
{
    snw_vec3 pair[2];
    if (marker_at(line, frame, SNW_GAIT_MARKER_PSI, 0, &pair[0]) &&
        marker_at(line, frame, SNW_GAIT_MARKER_PSI, 1, &pair[1])) {
        *out = snw_vec3_lerp(pair[0], pair[1], 0.5);
        return true;
    }
    if (marker_at(line, frame, SNW_GAIT_MARKER_SACR, 0, out)) return true;
    if (marker_at(line, frame, SNW_GAIT_MARKER_ASI, 0, &pair[0]) &&
        marker_at(line, frame, SNW_GAIT_MARKER_ASI, 1, &pair[1])) {
        *out = snw_vec3_lerp(pair[0], pair[1], 0.5);
        return true;
    }
    return false;
}

static snw_vec3 level(const snw__gait_line *line, snw_vec3 v)
{
    v = snw_vec3_add_scaled(v, -snw_vec3_dot(v, line->up), line->up);
    return snw_vec3_unit(v, snw_vec3_make(0, 0, 0));
}

/* Where the pelvis points, by its front markers; zero where they are missing. */
static snw_vec3 facing_at(const snw__gait_line *line, int frame)
{
    snw_vec3 left, right;
    if (!marker_at(line, frame, SNW_GAIT_MARKER_ASI, 0, &left) ||
        !marker_at(line, frame, SNW_GAIT_MARKER_ASI, 1, &right))
        return snw_vec3_make(0, 0, 0);
    return level(line, snw_vec3_cross(snw_vec3_sub(left, right), line->up));
}

bool snw__gait_foot(const snw__gait_line *line, int frame, int side, bool is_heel, snw_vec3 *out)
{
    snw_vec3 first, fifth;
    if (marker_at(line, frame, is_heel ? SNW_GAIT_MARKER_HEE : SNW_GAIT_MARKER_TOE, side, out))
        return true;
    bool has_own = line->markers.at[is_heel ? SNW_GAIT_MARKER_HEE : SNW_GAIT_MARKER_TOE][side] >= 0;
    if (has_own) return false;
    if (!is_heel && marker_at(line, frame, SNW_GAIT_MARKER_FMH, side, &first) &&
        marker_at(line, frame, SNW_GAIT_MARKER_VMH, side, &fifth)) {
        *out = snw_vec3_lerp(first, fifth, 0.5);
        return true;
    }
    return marker_at(line, frame, SNW_GAIT_MARKER_ANK, side, out);
}

snw_vec3 snw__gait_way(const snw__gait_line *line, int frame)
{
    if (line->is_straight) return line->forward;
    snw_vec3 facing = facing_at(line, frame);
    return snw_vec3_length2(facing) > 0.5 ? facing : line->forward;
}

double snw__gait_ahead(const snw__gait_line *line, int frame, int side, bool is_heel)
{
    snw_vec3 foot, sacrum;
    if (!snw__gait_foot(line, frame, side, is_heel, &foot) || !sacrum_at(line, frame, &sacrum))
        return NAN;
    return snw_vec3_dot(snw_vec3_sub(foot, sacrum), snw__gait_way(line, frame));
}

/* The axis nearest to ankles - pelvis, where the file does not say. */
static snw_vec3 guess_up(const snw__gait_line *line)
{
    snw_vec3 sum = {0, 0, 0};
    for (int f = 0; f < line->trial->frame_count; f++)
        for (int side = 0; side < SNW_SIDES; side++) {
            snw_vec3 high, low;
            if (sacrum_at(line, f, &high) && snw__gait_foot(line, f, side, true, &low))
                sum = snw_vec3_add(sum, snw_vec3_sub(high, low));
        }
    snw_up_axis up = snw_up_nearest(sum);
    return snw_up_direction(up == SNW_UP_UNKNOWN ? SNW_UP_Z : up);
}

snw_status snw__gait_line_make(const snw_trial *trial, snw__gait_line *out, snw_error *error)
{
    memset(out, 0, sizeof *out);
    out->trial = trial;
    snw_gait_markers_find(trial, &out->markers);
    const snw_gait_markers *markers = &out->markers;
    bool has_pelvis =
        markers->at[SNW_GAIT_MARKER_SACR][0] >= 0 ||
        (markers->at[SNW_GAIT_MARKER_PSI][0] >= 0 && markers->at[SNW_GAIT_MARKER_PSI][1] >= 0) ||
        (markers->at[SNW_GAIT_MARKER_ASI][0] >= 0 && markers->at[SNW_GAIT_MARKER_ASI][1] >= 0);
    bool has_foot = false;
    for (int side = 0; side < SNW_SIDES; side++)
        has_foot |= markers->at[SNW_GAIT_MARKER_HEE][side] >= 0 ||
                    markers->at[SNW_GAIT_MARKER_ANK][side] >= 0;
    if (!has_pelvis || !has_foot)
        return snw__fail(error, SNW_NOT_FOUND,
                         "gait needs markers of the pelvis (SACR, PSI or ASI) and of the feet "
                         "(HEE or ANK, TOE)");
    if (!(trial->rate > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the trial has no frame rate");
    out->up = trial->up != SNW_UP_UNKNOWN ? snw_up_direction(trial->up) : guess_up(out);
    /* Forward is the way from end to end; on the spot, where the pelvis points on average. */
    snw_vec3 first = {0, 0, 0}, last = first, mark = first, here, facing = first;
    bool has_any = false;
    double walked = 0;
    int stride = (int)fmax(1, out->trial->rate / 2); /* half a second: no wobble in the sum */
    for (int f = 0; f < out->trial->frame_count; f++) {
        if (!sacrum_at(out, f, &here)) continue;
        here = snw_vec3_add_scaled(here, -snw_vec3_dot(here, out->up), out->up);
        if (!has_any) first = mark = here;
        has_any = true;
        last = here;
        facing = snw_vec3_add(facing, facing_at(out, f));
        if (f % stride) continue;
        walked += snw_vec3_distance(mark, here);
        mark = here;
    }
    walked += snw_vec3_distance(mark, last);
    double way = snw_vec3_distance(first, last);
    bool is_facing = snw_vec3_length2(facing) > 0;
    /* Who gets less far than this between the ends of the trial walks on a treadmill or stands,
     * metres. */
    out->forward =
        level(out, way >= SNW__TRAVEL_MIN || !is_facing ? snw_vec3_sub(last, first) : facing);
    out->is_straight =
        way < SNW__TRAVEL_MIN ? walked < 2 * SNW__TRAVEL_MIN + way : way >= LINE_STRAIGHT * walked;
    out->is_on_spot = way < SNW__TRAVEL_MIN && out->is_straight;
    return SNW_OK;
}
