/* Trackers that ride on a body: 6-DoF poses of head, chest and hands as a trial with rotations,
 * after a second of the body's rest pose (a T-pose for every body whose arms are made so). */
#include <ctype.h>
#include <string.h>

#include <sinew/synth.h>

#include "base/fail.h"
#include "base/memory.h"

enum {
    TRACKERS_MOST = 7
};

typedef struct trackers_row {
    const char *name;
    double
        place[3]; /* metres from the joint, in the axes of the rest pose (x left, y up, z ahead) */
    const char *joint[6]; /* names in use, the best first */
} trackers_row;

static const trackers_row trackers_rows[TRACKERS_MOST] = {
    {"head", {0, 0.10, 0.08}, {"head", "skull", NULL}},
    {"left_hand", {0.03, 0.02, 0}, {"leftfingerbase", "lefthand", "leftwrist", "lhand", NULL}},
    {"right_hand", {-0.03, 0.02, 0}, {"rightfingerbase", "righthand", "rightwrist", "rhand", NULL}},
    {"chest", {0, 0.05, 0.12}, {"chest", "spine1", "thorax", "spine2", "spine", NULL}},
    {"left_foot", {0, 0.02, 0.08}, {"leftfoot", "leftankle", "lfoot", NULL}},
    {"right_foot", {0, 0.02, 0.08}, {"rightfoot", "rightankle", "rfoot", NULL}},
    {"waist", {0, 0.05, -0.12}, {"hips", "pelvis", "hip", NULL}},
};

static const trackers_row trackers_elbows[2] = {
    {"left_elbow", {0, 0, 0}, {"leftforearm", "leftelbow", "lforearm", NULL}},
    {"right_elbow", {0, 0, 0}, {"rightforearm", "rightelbow", "rforearm", NULL}},
};

/* Upper case, blanks and underscores do not count. */
static bool is_same_name(const char *name, const char *plain)
{
    for (; *name; name++) {
        if (!isalnum((unsigned char)*name)) continue;
        if (tolower((unsigned char)*name) != *plain) return false;
        plain++;
    }
    return *plain == 0;
}

/* "left_forearm" is the elbow of a BVH but lies half-way down the forearm of the preset, which has
 * a joint left_elbow too: that one is meant then. */
static int find_joint(const snw_skeleton *body, const trackers_row *row)
{
    bool is_elbow = row >= trackers_elbows && row < trackers_elbows + 2;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; row->joint[n]; n++)
            for (int j = 0; j < body->joint_count; j++) {
                bool is_first = !is_elbow || strstr(row->joint[n], "elbow");
                if ((pass || is_first) && is_same_name(body->name[j], row->joint[n])) return j;
            }
    return -1;
}

snw_synth_tracker_options snw_synth_tracker_options_default(void)
{
    snw_synth_tracker_options options;
    options.tracker_count = 4;
    options.has_elbows = false;
    options.rest_seconds = 1;
    options.noise = 0.0005;
    options.seed = 1;
    return options;
}

typedef struct trackers_job {
    const snw_motion *motion;
    snw_synth_tracker_options options;
    int joint[TRACKERS_MOST + 2];
    snw_pose *pose;
    snw_random random;
    snw_trial *trial;
} trackers_job;

static void store_frames(trackers_job *job, int rest)
{
    int count = job->options.tracker_count;
    for (int f = 0; f < job->trial->frame_count; f++) {
        if (f < rest) {
            snw_pose_reset(job->pose);
            job->pose->root.translation = job->motion->root[0].translation;
        } else {
            snw_motion_get(job->motion, f - rest, job->pose);
        }
        snw_pose_forward(job->pose);
        for (int n = 0; n < count; n++) {
            const double *p = trackers_rows[n].place;
            snw_xform joint = job->pose->world[job->joint[n]];
            double size = job->options.noise;
            double x = snw_random_normal(&job->random), y = snw_random_normal(&job->random);
            double z = snw_random_normal(&job->random);
            snw_vec3 place = snw_vec3_add(snw_xform_point(joint, snw_vec3_make(p[0], p[1], p[2])),
                                          snw_vec3_make(size * x, size * y, size * z));
            snw_mat3 turn = snw_mat3_from_quat(joint.rotation);
            float *m = job->trial->rotation +
                       17 * ((size_t)f * (size_t)job->trial->rotation_count + (size_t)n);
            memset(m, 0, 17 * sizeof *m);
            for (int column = 0; column < 3; column++)
                for (int row = 0; row < 3; row++)
                    m[4 * column + row] = (float)turn.m[row][column];
            m[12] = (float)place.x;
            m[13] = (float)place.y;
            m[14] = (float)place.z;
            m[15] = 1;
            snw_trial_set(job->trial, f, n, place, SNW_SAMPLE_MEASURED);
        }
        for (int side = 0; side < 2 && job->options.has_elbows; side++)
            snw_trial_set(job->trial, f, count + side,
                          job->pose->world[job->joint[TRACKERS_MOST + side]].translation,
                          SNW_SAMPLE_MEASURED);
    }
}

snw_status snw_synth_trackers(const snw_motion *motion, const snw_synth_tracker_options *options,
                              const snw_allocator *allocator, snw_trial **out, snw_error *error)
{
    if (!motion || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "motion or out is NULL");
    *out = NULL;
    trackers_job job;
    memset(&job, 0, sizeof job);
    job.motion = motion;
    job.options = SNW__WANTS_DEFAULTS(options) ? snw_synth_tracker_options_default() : *options;
    job.random = snw_random_seed(job.options.seed, 6);
    if (job.options.tracker_count < 3 || job.options.tracker_count > TRACKERS_MOST)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d trackers: there may be 3 to 7",
                         job.options.tracker_count);
    for (int n = 0; n < TRACKERS_MOST + 2; n++) {
        bool is_elbow = n >= TRACKERS_MOST;
        const trackers_row *row =
            is_elbow ? &trackers_elbows[n - TRACKERS_MOST] : &trackers_rows[n];
        bool is_wanted = is_elbow ? job.options.has_elbows : n < job.options.tracker_count;
        job.joint[n] = is_wanted ? find_joint(job.motion->skeleton, row) : -1;
        if (is_wanted && job.joint[n] < 0)
            return snw__fail(error, SNW_NOT_FOUND, "the body has no joint for the tracker %s",
                             row->name);
    }
    int rest = (int)fmin(1e6, ceil(fmax(0, job.options.rest_seconds) * motion->rate - 1e-6));
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = job.options.tracker_count + (job.options.has_elbows ? 2 : 0);
    sizes.rotation_count = job.options.tracker_count;
    sizes.rotations_per_frame = 1;
    sizes.frame_count = motion->frame_count + (motion->frame_count ? rest : 0);
    sizes.rate = motion->rate;
    sizes.metres_per_unit = 1;
    sizes.unit = "m";
    snw_status status = snw_pose_create(motion->skeleton, allocator, &job.pose, error);
    if (status == SNW_OK) status = snw_trial_create(&sizes, allocator, &job.trial, error);
    if (status == SNW_OK) {
        int count = job.options.tracker_count;
        for (int n = 0; n < count && status == SNW_OK; n++) {
            status = snw_trial_set_marker_name(job.trial, n, trackers_rows[n].name, error);
            if (status == SNW_OK)
                status = snw_trial_set_rotation_name(job.trial, n, trackers_rows[n].name, error);
        }
        for (int side = 0; side < 2 && job.options.has_elbows && status == SNW_OK; side++)
            status = snw_trial_set_marker_name(job.trial, count + side, trackers_elbows[side].name,
                                               error);
    }
    if (status == SNW_OK) store_frames(&job, rest);
    snw_pose_destroy(job.pose);
    if (status != SNW_OK) {
        snw_trial_destroy(job.trial);
        return status;
    }
    job.trial->up = SNW_UP_Y;
    *out = job.trial;
    return snw__succeed(error);
}
