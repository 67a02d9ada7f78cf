/* Moments, powers and forces as points of a capture, as Plug-in-Gait writes them: LHipMoment
 * (extension, abduction, external rotation; N mm/kg), LHipPower (the third number; W/kg), LHipForce
 * (N/kg; at the ankle down, left and forward, as its foot's axes have it). */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

#include <sinew/dynamics.h>

enum {
    KINETICS_ANKLE = 2,
    KINETICS_JOINTS = 3,
    KINETICS_FORCES = 2,                  /* the third kind */
    KINETICS_GROUP = 2 * KINETICS_JOINTS, /* points of one kind */
    KINETICS_POINTS = 3 * KINETICS_GROUP
};

/* Kinds of points in their order. */
static const struct {
    snw_point_kind kind;
    const char *name, *unit;
    const char *column[3]; /* NULL: 0 */
    double scale[3];
} kinetics_kind[3] = {
    {SNW_POINT_MOMENT,
     "Moment",
     "Nmm/kg",
     {"moment_extension", "moment_abduction", "moment_rotation"},
     {1000, 1000, -1000}},
    {SNW_POINT_POWER, "Power", "W/kg", {NULL, NULL, "power"}, {0, 0, 1}},
    {SNW_POINT_FORCE, "Force", "N/kg", {"force_x", "force_y", "force_z"}, {1, 1, 1}},
};

static const char *const kinetics_joint[KINETICS_JOINTS][2] = {
    {"hip", "Hip"}, {"knee", "Knee"}, {"ankle", "Ankle"}};

static int column_of(const snw_kinetics *kinetics, int kind, int joint, int side, int n)
{
    const char *word = kinetics_kind[kind].column[n];
    char name[SNW_ANGLE_NAME_SIZE];
    if (!word) return -1;
    if (kind == 0 && n == 0 && joint == KINETICS_ANKLE) word = "moment_plantarflexion";
    snw_format(name, sizeof name, "%s_%s_%s", side ? "right" : "left", kinetics_joint[joint][0],
               word);
    return snw_kinetics_find(kinetics, name);
}

static snw_status add_point(const snw_kinetics *kinetics, int point, snw_trial *trial, int marker,
                            snw_error *error)
{
    int kind = point / KINETICS_GROUP, side = point % KINETICS_GROUP / KINETICS_JOINTS;
    int joint = point % KINETICS_JOINTS, column[3];
    char name[SNW_ANGLE_NAME_SIZE];
    snw_format(name, sizeof name, "%s%s%s", side ? "R" : "L", kinetics_joint[joint][1],
               kinetics_kind[kind].name);
    if (snw_trial_find_marker(trial, name) >= 0)
        snw_format(name, sizeof name, "%s%s%s_sinew", side ? "R" : "L", kinetics_joint[joint][1],
                   kinetics_kind[kind].name);
    for (int n = 0; n < 3; n++)
        column[n] = column_of(kinetics, kind, joint, side, n);
    for (int f = 0; f < trial->frame_count && f < kinetics->frame_count; f++) {
        double value[3] = {0, 0, 0};
        for (int n = 0; n < 3; n++)
            if (column[n] >= 0)
                value[n] =
                    kinetics_kind[kind].scale[n] * snw_angles_at(&kinetics->columns, f, column[n]);
        if (kind == KINETICS_FORCES && joint == KINETICS_ANKLE) {
            double up = value[2];
            value[2] = value[0];
            value[0] = -up;
        }
        /* A point's numbers are in the trial's unit; these are written as they are. */
        snw_vec3 place = snw_vec3_make(value[0], value[1], value[2]);
        if (snw_vec3_is_finite(place))
            snw_trial_set(trial, f, marker, snw_vec3_scale(place, trial->metres_per_unit),
                          SNW_SAMPLE_FILLED);
    }
    return snw_trial_set_marker_name(trial, marker, name, error);
}

snw_status snw_kinetics_to_trial(const snw_kinetics *kinetics, const snw_trial *trial,
                                 const snw_allocator *allocator, snw_trial **out, snw_error *error)
{
    int first = trial->marker_count;
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t size = snw__size_mul((size_t)first + KINETICS_POINTS, sizeof(int));
    int *pick = snw__allocate(&memory, size);
    *out = NULL;
    if (!pick) return snw__fail_memory(error, size, "points of moments");
    for (int m = 0; m < first + KINETICS_POINTS; m++)
        pick[m] = m < first ? m : SNW_NEW_MARKER;
    snw_status status = snw_trial_pick(trial, pick, first + KINETICS_POINTS, allocator, out, error);
    snw__release(&memory, pick, size);
    for (int n = 0; n < KINETICS_POINTS && status == SNW_OK; n++)
        status = add_point(kinetics, n, *out, first + n, error);
    for (int k = 0; k < 3 && status == SNW_OK; k++) {
        snw_computed_points made = {kinetics_kind[k].kind, kinetics_kind[k].unit,
                                    first + k * KINETICS_GROUP, KINETICS_GROUP};
        status = snw_trial_mark_computed(*out, &made, error);
    }
    if (status == SNW_OK) return snw__succeed(error);
    snw_trial_destroy(*out);
    *out = NULL;
    return status;
}
