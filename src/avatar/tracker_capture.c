/* From a trial to trackers over time: which label is which tracker, frames from three points, and
 * the repair of what can be repaired: units, hands that change places, values that are not finite.
 */
#include <ctype.h>
#include <string.h>

#include <sinew/avatar.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"

/* ---- labels ------------------------------------------------------------------------------- */

#define CAPTURE_WORD_SIZE 48

const char *snw_avatar_role_name(snw_avatar_role role)
{
    static const char *const names[] = {"head",  "chest",     "left_hand", "right_hand",
                                        "waist", "left_foot", "right_foot"};
    return (unsigned)role < SNW_AVATAR_ROLE_COUNT ? names[role] : "?";
}

/* "Human3:L_Hand" -> "lhand" */
static void plain_word(const char *label, char word[CAPTURE_WORD_SIZE])
{
    const char *colon = strrchr(label, ':');
    int n = 0;
    for (const char *at = colon ? colon + 1 : label; *at && n < CAPTURE_WORD_SIZE - 1; at++)
        if (isalnum((unsigned char)*at)) word[n++] = (char)tolower((unsigned char)*at);
    word[n] = 0;
}

static bool is_listed(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

/* Takes the side off a plain word: 0 left, 1 right, -1 none. */
static int take_side(char *word)
{
    static const char *const sides[2] = {"left", "right"};
    for (int side = 0; side < 2; side++) {
        size_t length = strlen(word), size = strlen(sides[side]);
        if (length > size && memcmp(word, sides[side], size) == 0) {
            memmove(word, word + size, length - size + 1);
            return side;
        }
        if (length > size && strcmp(word + length - size, sides[side]) == 0) {
            word[length - size] = 0;
            return side;
        }
    }
    size_t length = strlen(word);
    if (length > 2 && (word[0] == 'l' || word[0] == 'r')) {
        int side = word[0] == 'r';
        memmove(word, word + 1, length);
        return side;
    }
    return -1;
}

snw_avatar_role snw_avatar_role_from_label(const char *label)
{
    static const char *const heads[] = {"head", "hmd", "headset", "headtracker", NULL};
    static const char *const chests[] = {"chest",   "thorax",       "torso",
                                         "sternum", "chesttracker", NULL};
    static const char *const waists[] = {"waist", "pelvis", "hips", "hip", "waisttracker", NULL};
    static const char *const hands[] = {"hand", "han", "wrist", "controller", "palm", NULL};
    static const char *const feet[] = {"foot", "foo", "feet", "ankle", "shoe", NULL};
    char word[CAPTURE_WORD_SIZE];
    if (!label) return SNW_AVATAR_ROLE_COUNT;
    plain_word(label, word);
    if (is_listed(word, heads)) return SNW_AVATAR_HEAD;
    if (is_listed(word, chests)) return SNW_AVATAR_CHEST;
    if (is_listed(word, waists)) return SNW_AVATAR_WAIST;
    int side = take_side(word);
    if (side < 0) return SNW_AVATAR_ROLE_COUNT;
    if (is_listed(word, hands)) return side ? SNW_AVATAR_RIGHT_HAND : SNW_AVATAR_LEFT_HAND;
    if (is_listed(word, feet)) return side ? SNW_AVATAR_RIGHT_FOOT : SNW_AVATAR_LEFT_FOOT;
    return SNW_AVATAR_ROLE_COUNT;
}

/* 0 left, 1 right, -1: no elbow. */
static int elbow_side(const char *label)
{
    char word[CAPTURE_WORD_SIZE];
    plain_word(label, word);
    int side = take_side(word);
    return strcmp(word, "elbow") == 0 ? side : -1;
}

/* Marker called NAME with one more letter at its end, or -1. */
static int axis_marker(const snw_trial *trial, int marker, char letter)
{
    const char *name = trial->marker[marker].name;
    size_t length = strlen(name);
    for (int m = 0; m < trial->marker_count; m++) {
        const char *other = trial->marker[m].name;
        if (strlen(other) == length + 1 && memcmp(other, name, length) == 0 &&
            toupper((unsigned char)other[length]) == letter)
            return m;
    }
    return -1;
}

/* Where the pose of each tracker comes from; -1 = nowhere. */
typedef struct capture_source {
    int rotation[SNW_AVATAR_ROLE_COUNT];
    int marker[SNW_AVATAR_ROLE_COUNT][3]; /* origin, on y, on z */
    int elbow[2];
    double length[SNW_AVATAR_ROLE_COUNT]; /* of the axes of three points; 0: of any length */
    bool is_chest_of_points;
} capture_source;

/* Marker of that name, whatever stands before its colon; -1 if none. */
static int find_label(const snw_trial *trial, const char *name)
{
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name, *colon = strrchr(label, ':');
        if (strcmp(colon ? colon + 1 : label, name) == 0) return m;
    }
    return -1;
}

/* Points that ride on the chest together, for captures whose chest has no tracker: left, right or
 * upper and lower, and the one that is the chest's place. */
static bool find_chest_points(const snw_trial *trial, int marker[3])
{
    static const char *const sets[][3] = {
        {"UTSP", "LSHO", "RSHO"}, {"STRN", "CLAV", "T10"}, {"STRN", "CLAV", "C7"}};
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        bool is_whole = true;
        for (int k = 0; k < 3; k++) {
            marker[k] = find_label(trial, sets[n][k]);
            is_whole = is_whole && marker[k] >= 0;
        }
        if (is_whole) return true;
    }
    return false;
}

static capture_source find_sources(const snw_trial *trial)
{
    capture_source source;
    memset(&source, -1, sizeof source);
    for (int r = 0; r < trial->rotation_count; r++) {
        snw_avatar_role role = snw_avatar_role_from_label(trial->rotation_label[r].name);
        if (role < SNW_AVATAR_ROLE_COUNT && source.rotation[role] < 0) source.rotation[role] = r;
    }
    for (int m = 0; m < trial->marker_count; m++) {
        const char *name = trial->marker[m].name;
        snw_avatar_role role = snw_avatar_role_from_label(name);
        int y = axis_marker(trial, m, 'Y'), z = axis_marker(trial, m, 'Z');
        if (role < SNW_AVATAR_ROLE_COUNT && y >= 0 && z >= 0 && source.marker[role][0] < 0) {
            source.marker[role][0] = m;
            source.marker[role][1] = y;
            source.marker[role][2] = z;
        }
        int side = elbow_side(name);
        if (side >= 0 && source.elbow[side] < 0) source.elbow[side] = m;
    }
    bool has_chest =
        source.rotation[SNW_AVATAR_CHEST] >= 0 || source.marker[SNW_AVATAR_CHEST][0] >= 0;
    int points[3];
    source.is_chest_of_points = !has_chest && find_chest_points(trial, points);
    for (int k = 0; k < 3 && source.is_chest_of_points; k++)
        source.marker[SNW_AVATAR_CHEST][k] = points[k];
    return source;
}

/* ---- poses -------------------------------------------------------------------------------- */

static bool pose_from_rotation(const snw_trial *trial, int frame, int rotation, snw_xform *pose)
{
    size_t at =
        ((size_t)frame * (size_t)trial->rotations_per_frame * (size_t)trial->rotation_count +
         (size_t)rotation) *
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

/* Distances of the two axis points from the origin, where most frames have them. */
#define CAPTURE_LENGTHS 400

static double axis_length(const snw_trial *trial, const int marker[3])
{
    double length[CAPTURE_LENGTHS];
    int count = 0, step = 1 + trial->frame_count / (CAPTURE_LENGTHS / 2);
    for (int f = 0; f < trial->frame_count && count < CAPTURE_LENGTHS - 1; f += step)
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

static bool pose_from_points(const snw_trial *trial, int frame, const int marker[3], double length,
                             snw_xform *pose)
{
    snw_vec3 p[3];
    for (int n = 0; n < 3; n++) {
        if (!snw_trial_is_present(trial, frame, marker[n])) return false;
        p[n] = snw_trial_position(trial, frame, marker[n]);
        if (n && length > 0 && !settle_axis(trial, length, p[0], &p[n])) return false;
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

static void read_frame(const snw_trial *trial, const capture_source *source, int frame,
                       snw_avatar_frame *out)
{
    out->time = trial->rate > 0 ? frame / trial->rate : 0;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        snw_xform *pose = &out->world_from_tracker[role];
        *pose = snw_xform_identity();
        out->is_present[role] = source->rotation[role] >= 0
                                    ? pose_from_rotation(trial, frame, source->rotation[role], pose)
                                    : source->marker[role][0] >= 0 &&
                                          pose_from_points(trial, frame, source->marker[role],
                                                           source->length[role], pose);
    }
}

/* ---- what is wrong with it ---------------------------------------------------------------- */

/* Mean distance from the head (or chest) to the hands where all are seen; 0 if never. */
static double mean_span(const snw_avatar_capture *capture)
{
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
    return count ? sum / count : 0;
}

/* Hands are 0.2 to 1.2 m from the head on average, whoever moves: a factor of ten or a thousand
 * stands out. */
static void repair_unit(snw_avatar_capture *capture, snw_notes *notes)
{
    static const double factors[] = {0.001, 0.01, 0.1, 10, 100, 1000};
    double span = mean_span(capture), factor = 1;
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
        for (int side = 0; capture->elbow && side < 2; side++)
            capture->elbow[2 * f + side] = snw_vec3_scale(capture->elbow[2 * f + side], factor);
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
 * of where the other one was, and that way is more than any limb moves in a frame. */
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

/* A tracker that reports the same numbers for half a second while others move has stopped. */
#define CAPTURE_FREEZE_SECONDS 0.5

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
    int least = (int)ceil(CAPTURE_FREEZE_SECONDS * capture->rate), dropped = 0, where = -1;
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
    double part[3] = {sum.x, sum.y, sum.z};
    int best = 1;
    for (int k = 0; k < 3; k++)
        if (fabs(part[k]) > fabs(part[best])) best = k;
    double sign = part[best] < 0 ? -1 : 1;
    return snw_vec3_make(best == 0 ? sign : 0, best == 1 ? sign : 0, best == 2 ? sign : 0);
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

static void read_elbows(const snw_trial *trial, const capture_source *source,
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
    capture_source source = find_sources(trial);
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
        capture->is_at_joint[role] = source.rotation[role] < 0;
        bool is_frame = role != SNW_AVATAR_CHEST || !source.is_chest_of_points;
        source.length[role] = 0;
        if (source.marker[role][0] >= 0 && is_frame)
            source.length[role] = axis_length(trial, source.marker[role]);
    }
    for (int f = 0; f < trial->frame_count; f++)
        read_frame(trial, &source, f, capture->frame + f);
    if (capture->elbow) read_elbows(trial, &source, capture);
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
    capture->up = trial->up != SNW_UP_UNKNOWN ? snw_up_direction(trial->up) : guess_up(capture);
    *out = capture;
    return snw__succeed(error);
}
