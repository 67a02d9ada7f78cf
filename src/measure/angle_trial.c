/* Angles as points of a capture, as Plug-in-Gait writes them: three to a point, degrees, flexion,
 * adduction (varus, inversion) and internal rotation positive on both sides. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "measure/angle_rows.h"

/* A point: its name without the side, the columns of its three numbers without the side, and what
 * our sign is to Plug-in-Gait's, left and right. Rows of the whole body have no side in our
 * columns, but are written for both. */
typedef struct angle_point {
    const char *name;
    bool is_paired;
    const char *column[3];
    double sign[3][2];
} angle_point;

#define ANGLE_SAME \
    {              \
        1, 1       \
    }
#define ANGLE_OPPOSITE \
    {                  \
        -1, -1         \
    }
#define ANGLE_LEFT \
    {              \
        1, -1      \
    }
#define ANGLE_RIGHT \
    {               \
        -1, 1       \
    }

static const angle_point angle_points[] = {
    {"HipAngles",
     true,
     {"hip_flexion", "hip_abduction", "hip_rotation"},
     {ANGLE_SAME, ANGLE_OPPOSITE, ANGLE_SAME}},
    {"KneeAngles",
     true,
     {"knee_flexion", "knee_abduction", "knee_rotation"},
     {ANGLE_SAME, ANGLE_OPPOSITE, ANGLE_SAME}},
    {"AnkleAngles",
     true,
     {"ankle_flexion", "ankle_inversion", "ankle_rotation"},
     {ANGLE_SAME, ANGLE_SAME, ANGLE_SAME}},
    {"ShoulderAngles",
     true,
     {"shoulder_flexion", "shoulder_abduction", "shoulder_rotation"},
     {ANGLE_SAME, ANGLE_SAME, ANGLE_SAME}},
    {"ElbowAngles",
     true,
     {"elbow_flexion", "elbow_abduction", "elbow_pronation"},
     {ANGLE_SAME, ANGLE_OPPOSITE, ANGLE_SAME}},
    {"WristAngles",
     true,
     {"wrist_flexion", "wrist_abduction", "wrist_rotation"},
     {ANGLE_SAME, ANGLE_OPPOSITE, ANGLE_SAME}},
    {"PelvisAngles",
     false,
     {"pelvis_tilt", "pelvis_obliquity", "pelvis_rotation"},
     {ANGLE_SAME, ANGLE_LEFT, ANGLE_RIGHT}},
    {"ThoraxAngles",
     false,
     {"thorax_flexion", "thorax_bending", "thorax_rotation"},
     {ANGLE_SAME, ANGLE_LEFT, ANGLE_RIGHT}},
    {"SpineAngles",
     false,
     {"trunk_flexion", "trunk_bending", "trunk_rotation"},
     {ANGLE_SAME, ANGLE_RIGHT, ANGLE_LEFT}},
    {"NeckAngles",
     false,
     {"neck_flexion", "neck_bending", "neck_rotation"},
     {ANGLE_SAME, ANGLE_RIGHT, ANGLE_LEFT}},
};

#define ANGLE_POINTS     (sizeof angle_points / sizeof *angle_points)
#define ANGLE_POINTS_MAX (2 * ANGLE_POINTS)

/* One point of the answer. */
typedef struct angle_written {
    const angle_point *point;
    int side;
    int column[3];
} angle_written;

static int plan_points(const snw_angles *angles, angle_written *out)
{
    int count = 0;
    for (size_t p = 0; p < ANGLE_POINTS; p++)
        for (int side = 0; side < SNW_SIDES; side++) {
            angle_written written = {angle_points + p, side, {-1, -1, -1}};
            bool is_whole = true;
            for (int n = 0; n < 3; n++) {
                const angle_point *point = angle_points + p;
                static const char *const before[2] = {"left_", "right_"};
                char name[SNW_ANGLE_NAME_SIZE];
                snw_format(name, sizeof name, "%s%s", point->is_paired ? before[side] : "",
                           point->column[n]);
                written.column[n] = snw_angles_find(angles, name);
                is_whole &= written.column[n] >= 0;
            }
            if (is_whole) out[count++] = written;
        }
    return count;
}

static snw_status name_point(snw_trial *trial, int marker, const angle_written *written,
                             snw_error *error)
{
    char name[SNW_ANGLE_NAME_SIZE];
    const char *side = written->side == SNW_SIDE_LEFT ? "L" : "R";
    snw_format(name, sizeof name, "%s%s", side, written->point->name);
    if (snw_trial_find_marker(trial, name) >= 0)
        snw_format(name, sizeof name, "%s%s_sinew", side, written->point->name);
    return snw_trial_set_marker_name(trial, marker, name, error);
}

static void write_frame(const snw_angles *angles, const angle_written *written, int frame,
                        snw_trial *trial, int marker)
{
    double value[3];
    for (int n = 0; n < 3; n++)
        value[n] = written->point->sign[n][written->side] *
                   snw_degrees(snw_angles_at(angles, frame, written->column[n]));
    /* A point's numbers are in the trial's unit; degrees are written as they are. */
    snw_vec3 place =
        snw_vec3_scale(snw_vec3_make(value[0], value[1], value[2]), trial->metres_per_unit);
    snw_trial_set(trial, frame, marker, place, SNW_SAMPLE_FILLED);
}

static snw_status add_points(const snw_angles *angles, const angle_written *written, int count,
                             int first, snw_trial *trial, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int n = 0; n < count && status == SNW_OK; n++) {
        status = name_point(trial, first + n, written + n, error);
        for (int f = 0; f < trial->frame_count && f < angles->frame_count; f++)
            write_frame(angles, written + n, f, trial, first + n);
    }
    snw_computed_points made = {SNW_POINT_ANGLE, "deg", first, count};
    return status == SNW_OK ? snw_trial_mark_computed(trial, &made, error) : status;
}

snw_status snw_angles_to_trial(const snw_angles *angles, const snw_trial *trial,
                               const snw_allocator *allocator, snw_trial **out, snw_error *error)
{
    angle_written written[ANGLE_POINTS_MAX];
    *out = NULL;
    int count = plan_points(angles, written), first = trial->marker_count;
    if (count == 0)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "points hold whole joints by the conventions pig or isb; there is none");
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t size = snw__size_mul((size_t)first + (size_t)count, sizeof(int));
    int *pick = snw__allocate(&memory, size);
    if (!pick) return snw__fail_memory(error, size, "points of angles");
    for (int m = 0; m < first + count; m++)
        pick[m] = m < first ? m : SNW_NEW_MARKER;
    snw_status status = snw_trial_pick(trial, pick, first + count, allocator, out, error);
    snw__release(&memory, pick, size);
    if (status == SNW_OK) status = add_points(angles, written, count, first, *out, error);
    if (status == SNW_OK) return snw__succeed(error);
    snw_trial_destroy(*out);
    *out = NULL;
    return status;
}
