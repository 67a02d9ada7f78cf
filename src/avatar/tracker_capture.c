/* From a trial to trackers over time: which label is which tracker, frames from three points, and
 * the repair of what can be repaired: units, hands that change places, values that are not finite.
 */
#include <string.h>

#include "avatar/avatar_constants.h"
#include "avatar/tracker_label.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "math/robust.h"
#include "person/movement.h"

/* ---- poses -------------------------------------------------------------------------------- */

static double axis_length(const snw_trial *trial, const int marker[3])
{
    /* Distances of the two axis points from the origin, where most frames have them. */
    double length[SNW__SAMPLES_SPREAD];
    int count = 0, step = 1 + trial->frame_count / (SNW__SAMPLES_SPREAD / 2);
    for (int f = 0; f < trial->frame_count && count < SNW__SAMPLES_SPREAD - 1; f += step)
        for (int n = 1; n < 3; n++) {
            if (!snw_trial_is_present(trial, f, marker[0]) ||
                !snw_trial_is_present(trial, f, marker[n]))
                continue;
            double d = snw_vec3_distance(snw_trial_position(trial, f, marker[0]),
                                         snw_trial_position(trial, f, marker[n]));
            int at = count++;
            for (; at > 0 && length[at - 1] > d; at--)
                length[at] = length[at - 1];
            length[at] = d;
        }
    return count ? length[count / 2] : 0;
}

/* An axis point as far from the origin as it should be; false when it is not. Integers of 16 bits
 * run over where a body is taller than their range: such a coordinate is off by the whole range. */
static bool settle_axis(const snw_trial *trial, double length, snw_vec3 origin, snw_vec3 *point)
{
    double range = trial->storage.is_integer
                       ? 65536 * fabs(trial->residual_scale) * trial->metres_per_unit
                       : 0;
    for (int n = -1; n < 6; n++) {
        double off = n < 0 ? 0 : n % 2 ? -range : range;
        snw_vec3 moved =
            snw_vec3_add(*point, snw_vec3_make(n / 2 == 0 && n >= 0 ? off : 0, n / 2 == 1 ? off : 0,
                                               n / 2 == 2 ? off : 0));
        if (fabs(snw_vec3_distance(moved, origin) - length) > 0.2 * length) continue;
        *point = moved;
        return true;
    }
    return false;
}

static bool read_pose(const snw_trial *trial, const snw__tracker_source *source, int frame,
                      int role, snw_xform *pose)
{
    const int *marker = source->marker[role];
    if (source->rotation[role] >= 0) {
        size_t at =
            ((size_t)frame * (size_t)trial->rotations_per_frame * (size_t)trial->rotation_count +
             (size_t)source->rotation[role]) *
            17;
        const float *m = trial->rotation + at; /* column-major */
        if (!(m[16] >= 0)) return false;
        snw_mat3 matrix = {{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}};
        double unit = trial->metres_per_unit;
        pose->rotation = snw_quat_normalize(snw_quat_from_mat3(matrix));
        pose->translation = snw_vec3_make(m[12] * unit, m[13] * unit, m[14] * unit);
        return snw_vec3_is_finite(pose->translation) && snw_quat_is_finite(pose->rotation) &&
               fabs(snw_mat3_determinant(matrix) - 1) < 0.5;
    }
    if (marker[0] < 0) return false;
    if (role == SNW_AVATAR_CHEST && source->is_chest_bone) {
        /* The chest's bone from its ends: x from the right upper end to the left one, y up to the
         * middle of them; these are the body's axes in the T-pose. */
        snw_vec3 p[3];
        for (int n = 0; n < 3; n++) {
            if (!snw_trial_is_present(trial, frame, marker[n])) return false;
            p[n] = snw_trial_position(trial, frame, marker[n]);
        }
        snw_vec3 x = snw_vec3_sub(p[1], p[2]),
                 up = snw_vec3_sub(snw_vec3_lerp(p[1], p[2], 0.5), p[0]);
        snw_vec3 z = snw_vec3_cross(x, up);
        if (!(snw_vec3_length2(z) > 1e-6 * snw_vec3_length2(x) * snw_vec3_length2(up)))
            return false;
        x = snw_vec3_unit(x, snw_vec3_make(1, 0, 0));
        z = snw_vec3_unit(z, snw_vec3_make(0, 0, 1));
        pose->rotation = snw_quat_from_mat3(snw_mat3_from_columns(x, snw_vec3_cross(z, x), z));
        pose->translation = p[0];
        return true;
    }
    snw_vec3 p[3];
    for (int n = 0; n < 3; n++) {
        if (!snw_trial_is_present(trial, frame, marker[n])) return false;
        p[n] = snw_trial_position(trial, frame, marker[n]);
        if (n && source->length[role] > 0 && !settle_axis(trial, source->length[role], p[0], &p[n]))
            return false;
    }
    snw_vec3 y = snw_vec3_sub(p[1], p[0]), z = snw_vec3_sub(p[2], p[0]);
    snw_vec3 x = snw_vec3_cross(y, z);
    double sine2 = snw_vec3_length2(y) * snw_vec3_length2(z);
    if (!(snw_vec3_length2(x) > 1e-6 * sine2)) return false;
    x = snw_vec3_unit(x, snw_vec3_make(1, 0, 0));
    y = snw_vec3_unit(y, snw_vec3_make(0, 1, 0));
    pose->rotation = snw_quat_from_mat3(snw_mat3_from_columns(x, y, snw_vec3_cross(x, y)));
    pose->translation = p[0];
    return true;
}

static void read_frame(const snw_trial *trial, const snw__tracker_source *source, int frame,
                       snw_avatar_frame *out)
{
    out->time = trial->rate > 0 ? frame / trial->rate : 0;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        snw_xform *pose = &out->world_from_tracker[role];
        *pose = snw_xform_identity();
        out->is_present[role] = read_pose(trial, source, frame, role, pose);
    }
    for (int side = 0; side < 2; side++) {
        int marker = source->shoulder[side];
        out->has_shoulder[side] = marker >= 0 && snw_trial_is_present(trial, frame, marker);
        if (out->has_shoulder[side]) out->shoulder[side] = snw_trial_position(trial, frame, marker);
    }
}

/* ---- what is wrong with it ---------------------------------------------------------------- */

/* Hands are 0.2 to 1.2 m from the head on average, whoever moves: a factor of ten or a thousand
 * stands out. */
static void repair_unit(snw_avatar_capture *capture, snw_notes *notes)
{
    static const double factors[] = {0.001, 0.01, 0.1, 10, 100, 1000};
    /* Mean distance from the head (or chest) to the hands where all are seen; 0 if never. */
    double sum = 0;
    int count = 0;
    for (int f = 0; f < capture->frame_count; f++) {
        const snw_avatar_frame *frame = capture->frame + f;
        int top = frame->is_present[SNW_AVATAR_HEAD] ? SNW_AVATAR_HEAD : SNW_AVATAR_CHEST;
        for (int hand = SNW_AVATAR_LEFT_HAND; hand <= SNW_AVATAR_RIGHT_HAND; hand++) {
            if (!frame->is_present[top] || !frame->is_present[hand]) continue;
            sum += snw_vec3_distance(frame->world_from_tracker[top].translation,
                                     frame->world_from_tracker[hand].translation);
            count++;
        }
    }
    double span = (count ? sum / count : 0), factor = 1;
    if (!(span > 0) || (span > 0.15 && span < 1.5)) return;
    for (size_t n = 0; n < sizeof factors / sizeof factors[0] && factor == 1; n++)
        if (span * factors[n] > 0.15 && span * factors[n] < 1.5) factor = factors[n];
    if (factor == 1) {
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the hands are %.3f m from the head on average; is the unit right?", span);
        return;
    }
    snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
              "the hands are %.3f m from the head on average: all lengths are taken times %g", span,
              factor);
    for (int f = 0; f < capture->frame_count; f++) {
        for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
            snw_vec3 *place = &capture->frame[f].world_from_tracker[role].translation;
            *place = snw_vec3_scale(*place, factor);
        }
        for (int side = 0; side < 2; side++) {
            snw_vec3 *shoulder = &capture->frame[f].shoulder[side];
            *shoulder = snw_vec3_scale(*shoulder, factor);
            if (!capture->elbow) continue;
            capture->elbow[2 * f + side] = snw_vec3_scale(capture->elbow[2 * f + side], factor);
        }
    }
}

static void swap_poses(snw_avatar_frame *frame, int a, int b)
{
    snw_xform pose = frame->world_from_tracker[a];
    bool is_present = frame->is_present[a];
    frame->world_from_tracker[a] = frame->world_from_tracker[b];
    frame->is_present[a] = frame->is_present[b];
    frame->world_from_tracker[b] = pose;
    frame->is_present[b] = is_present;
}

/* Two trackers of a pair that change places between two frames: both land within a fifth of the way
 * of where the other one was, and that way is more than any segment moves in a frame. */
static void repair_swaps(snw_avatar_capture *capture, int a, int b, snw_notes *notes)
{
    bool is_swapped = false;
    int count = 0, first = -1;
    for (int f = 1; f < capture->frame_count; f++) {
        snw_avatar_frame *frame = capture->frame + f;
        const snw_avatar_frame *before = frame - 1;
        if (is_swapped) swap_poses(frame, a, b);
        if (!frame->is_present[a] || !frame->is_present[b] || !before->is_present[a] ||
            !before->is_present[b])
            continue;
        snw_vec3 pa = frame->world_from_tracker[a].translation;
        snw_vec3 pb = frame->world_from_tracker[b].translation;
        snw_vec3 qa = before->world_from_tracker[a].translation;
        snw_vec3 qb = before->world_from_tracker[b].translation;
        double stay = snw_vec3_distance(pa, qa) + snw_vec3_distance(pb, qb);
        double swap = snw_vec3_distance(pa, qb) + snw_vec3_distance(pb, qa);
        if (!(stay > 0.2) || !(swap < 0.2 * stay)) continue;
        swap_poses(frame, a, b);
        is_swapped = !is_swapped;
        if (count++ == 0) first = f;
    }
    if (count)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "%s and %s change places %d %s, first in frame %d: exchanged back",
                  snw_avatar_role_name((snw_avatar_role)a),
                  snw_avatar_role_name((snw_avatar_role)b), count,
                  snw__plural(count, "time", "times"), first + 1);
}

static bool is_same_pose(const snw_xform *a, const snw_xform *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool others_move(const snw_avatar_capture *capture, int first, int last, int role)
{
    for (int r = 0; r < SNW_AVATAR_ROLE_COUNT; r++) {
        const snw_avatar_frame *a = capture->frame + first, *b = capture->frame + last;
        if (r == role || !a->is_present[r] || !b->is_present[r]) continue;
        if (!is_same_pose(&a->world_from_tracker[r], &b->world_from_tracker[r])) return true;
    }
    return false;
}

static void drop_frozen(snw_avatar_capture *capture, int role, snw_notes *notes)
{
    /* A tracker that reports the same numbers for half a second while others move has stopped. */
    int least = (int)ceil(SNW__SKIN_SECONDS * capture->rate), dropped = 0, where = -1;
    for (int first = 0; first < capture->frame_count;) {
        int end = first + 1;
        while (end < capture->frame_count && capture->frame[end].is_present[role] &&
               capture->frame[first].is_present[role] &&
               is_same_pose(&capture->frame[end].world_from_tracker[role],
                            &capture->frame[first].world_from_tracker[role]))
            end++;
        if (end - first > least && others_move(capture, first, end - 1, role)) {
            if (!dropped) where = first;
            for (int f = first + 1; f < end; f++)
                capture->frame[f].is_present[role] = false;
            dropped += end - first - 1;
        }
        first = end;
    }
    if (dropped)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "%s does not move for %d frames from frame %d on while others do: "
                  "not counted",
                  snw_avatar_role_name((snw_avatar_role)role), dropped, where + 1);
}

/* ---- trackers that drift ------------------------------------------------------------------ */

static double tracker_distance(const snw_avatar_frame *frame, int a, int b)
{
    return frame->is_present[a] && frame->is_present[b]
               ? snw_vec3_distance(frame->world_from_tracker[a].translation,
                                   frame->world_from_tracker[b].translation)
               : NAN;
}

static double nearest_hand(const snw_avatar_frame *frame, int role)
{
    return fmin(tracker_distance(frame, role, SNW_AVATAR_LEFT_HAND),
                tracker_distance(frame, role, SNW_AVATAR_RIGHT_HAND));
}

/* The tracker that is where it cannot be in a frame, or -1: of head and chest, too far from each
 * other, the one that is farther from the hands; then a hand out of every reach. */
static int find_stray(const snw_avatar_frame *frame, double neck)
{
    double now = tracker_distance(frame, SNW_AVATAR_HEAD, SNW_AVATAR_CHEST);
    if (fabs(now - neck) > SNW__ELSEWHERE)
        return nearest_hand(frame, SNW_AVATAR_HEAD) > nearest_hand(frame, SNW_AVATAR_CHEST)
                   ? SNW_AVATAR_HEAD
                   : SNW_AVATAR_CHEST;
    int top = frame->is_present[SNW_AVATAR_CHEST] ? SNW_AVATAR_CHEST : SNW_AVATAR_HEAD;
    for (int hand = SNW_AVATAR_LEFT_HAND; hand <= SNW_AVATAR_RIGHT_HAND; hand++)
        if (tracker_distance(frame, top, hand) > CAPTURE_REACH_MOST) return hand;
    return -1;
}

static void drop_strays(snw_avatar_capture *capture, snw_notes *notes)
{
    int dropped[SNW_AVATAR_ROLE_COUNT] = {0}, first[SNW_AVATAR_ROLE_COUNT] = {0}, count = 0;
    double neck = 0;
    for (int f = 0; f < capture->frame_count && f <= capture->rate; f++) {
        double now = tracker_distance(capture->frame + f, SNW_AVATAR_HEAD, SNW_AVATAR_CHEST);
        if (!isfinite(now)) continue;
        neck += now;
        count++;
    }
    neck = count ? neck / count : NAN;
    for (int f = 0; f < capture->frame_count; f++)
        for (int round = 0; round < 3; round++) {
            int stray = find_stray(capture->frame + f, neck);
            if (stray < 0) break;
            capture->frame[f].is_present[stray] = false;
            if (dropped[stray]++ == 0) first[stray] = f;
        }
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        if (dropped[role])
            snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                      "%s drifts away from the body in %d frames from frame %d on: not counted",
                      snw_avatar_role_name((snw_avatar_role)role), dropped[role], first[role] + 1);
}

/* ---- up ----------------------------------------------------------------------------------- */

/* The lab axis along which the head stands highest above the hands' middle, over the first second.
 */
static snw_vec3 guess_up(const snw_avatar_capture *capture)
{
    snw_vec3 sum = snw_vec3_make(0, 0, 0);
    for (int f = 0; f < capture->frame_count && f <= capture->rate; f++) {
        const snw_avatar_frame *frame = capture->frame + f;
        if (!frame->is_present[SNW_AVATAR_HEAD]) continue;
        snw_vec3 head = frame->world_from_tracker[SNW_AVATAR_HEAD].translation;
        for (int r = SNW_AVATAR_CHEST; r < SNW_AVATAR_ROLE_COUNT; r++)
            if (frame->is_present[r])
                sum =
                    snw_vec3_add(sum, snw_vec3_sub(head, frame->world_from_tracker[r].translation));
    }
    snw_up_axis up = snw_up_nearest(sum);
    return snw_up_direction(up == SNW_UP_UNKNOWN ? SNW_UP_Y : up);
}

/* ---- the capture -------------------------------------------------------------------------- */

typedef struct capture_sketch {
    snw_avatar_capture capture;
    bool has_elbows;
} capture_sketch;

static void lay_out_capture(void *object, snw__block *block)
{
    capture_sketch *sketch = object;
    snw_avatar_capture *capture = &sketch->capture;
    size_t frames = (size_t)capture->frame_count;
    snw__block_take(block, 1, sizeof *capture);
    capture->frame = snw__block_take(block, frames, sizeof *capture->frame);
    if (sketch->has_elbows)
        capture->elbow = snw__block_take(block, 2 * frames, sizeof *capture->elbow);
}

static snw_status create_capture(int frame_count, bool has_elbows, const snw_allocator *allocator,
                                 snw_avatar_capture **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    capture_sketch sketch = {.capture.frame_count = frame_count, .has_elbows = has_elbows};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_capture, &sketch, &memory,
                                          "a capture of trackers", error);
    if (status != SNW_OK) return status;
    sketch.capture.allocator = memory;
    sketch.capture.block_size = block.size;
    *out = (void *)block.base;
    **out = sketch.capture;
    return SNW_OK;
}

void snw_avatar_capture_destroy(snw_avatar_capture *capture)
{
    if (!capture) return;
    snw_allocator memory = capture->allocator;
    snw__release(&memory, capture, capture->block_size);
}

static void read_elbows(const snw_trial *trial, const snw__tracker_source *source,
                        snw_avatar_capture *capture)
{
    for (int f = 0; f < capture->frame_count; f++)
        for (int side = 0; side < 2; side++) {
            int marker = source->elbow[side];
            bool is_known = marker >= 0 && snw_trial_is_present(trial, f, marker);
            capture->elbow[2 * f + side] =
                is_known ? snw_trial_position(trial, f, marker) : snw_vec3_make(NAN, NAN, NAN);
        }
}

snw_status snw_avatar_capture_from_trial(const snw_trial *trial, const snw_allocator *allocator,
                                         snw_avatar_capture **out, snw_notes *notes,
                                         snw_error *error)
{
    if (!trial || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "trial or out is NULL");
    *out = NULL;
    snw__tracker_source source = snw__tracker_source_find(trial);
    int hands = 0;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        bool is_there = source.rotation[role] >= 0 || source.marker[role][0] >= 0;
        hands += is_there && (role == SNW_AVATAR_LEFT_HAND || role == SNW_AVATAR_RIGHT_HAND);
    }
    bool has_head = source.rotation[SNW_AVATAR_HEAD] >= 0 || source.marker[SNW_AVATAR_HEAD][0] >= 0;
    if (!has_head || hands == 0)
        return snw__fail(error, SNW_NOT_FOUND,
                         "no trackers for %s: needed are head and at least one hand, each with a "
                         "rotation or as three points NAME, NAMEY, NAMEZ",
                         has_head ? "the hands" : "the head");
    if (trial->frame_count < 1)
        return snw__fail(error, SNW_DEGENERATE, "the capture has no frames");
    snw_avatar_capture *capture = NULL;
    snw_status status =
        create_capture(trial->frame_count, source.elbow[0] >= 0 || source.elbow[1] >= 0, allocator,
                       &capture, error);
    if (status != SNW_OK) return status;
    capture->rate = trial->rate > 0 ? trial->rate : 100;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        bool is_frame = role != SNW_AVATAR_CHEST || !source.is_chest_of_points;
        capture->is_at_joint[role] =
            source.marker[role][0] >= 0 && (is_frame || source.is_chest_bone);
        source.length[role] = 0;
        if (source.marker[role][0] >= 0 && is_frame)
            source.length[role] = axis_length(trial, source.marker[role]);
    }
    for (int f = 0; f < trial->frame_count; f++)
        read_frame(trial, &source, f, capture->frame + f);
    if (capture->elbow) read_elbows(trial, &source, capture);
    capture->is_chest_upright = source.is_chest_bone;
    if (source.is_chest_of_points)
        snw__note(notes, -1, -1, "the chest has no tracker: it is taken from %s, %s and %s",
                  trial->marker[source.marker[SNW_AVATAR_CHEST][0]].name,
                  trial->marker[source.marker[SNW_AVATAR_CHEST][1]].name,
                  trial->marker[source.marker[SNW_AVATAR_CHEST][2]].name);
    repair_unit(capture, notes);
    repair_swaps(capture, SNW_AVATAR_LEFT_HAND, SNW_AVATAR_RIGHT_HAND, notes);
    repair_swaps(capture, SNW_AVATAR_LEFT_FOOT, SNW_AVATAR_RIGHT_FOOT, notes);
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        drop_frozen(capture, role, notes);
    drop_strays(capture, notes);
    capture->up = trial->up != SNW_UP_UNKNOWN ? snw_up_direction(trial->up) : guess_up(capture);
    *out = capture;
    return snw__succeed(error);
}
