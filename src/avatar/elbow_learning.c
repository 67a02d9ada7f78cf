/* What a capture with known elbows adds to a profile.
 *
 * In the chest's frame the elbow moves on a sphere about the shoulder, in the hand's frame on one
 * about the wrist: centre and radius by Gauss-Newton on |e - c| - r with the calibrated values as
 * priors, since an arm that hangs all the time shows little of its sphere. Then, with the geometry
 * settled, the line of hand-elevation and the ridge regression of what the built-in prior misses:
 * Delta = argmin sum |y - Phi (B + Delta)|^2 + ridge N |Delta|^2. */
#include <string.h>

#include <sinew/dense.h>

#include "avatar/avatar_constants.h"
#include "avatar/swivel.h"
#include "avatar/tpose.h"
#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "person/movement.h"

typedef struct learn_job {
    const snw_avatar_capture *capture;
    snw_avatar_profile *profile;
    int side;
} learn_job;

/* A frame's elbow in the frame of `role`'s bone; false where something is missing. */
static bool elbow_in(const learn_job *job, int f, int role, snw_vec3 *elbow)
{
    const snw_avatar_frame *frame = job->capture->frame + f;
    snw_vec3 world = job->capture->elbow[2 * f + job->side];
    if (!frame->is_present[role] || !snw_vec3_is_finite(world)) return false;
    snw_xform bone =
        snw_xform_mul(frame->world_from_tracker[role], job->profile->tracker_from_bone[role]);
    *elbow = snw_xform_unpoint(bone, world);
    return true;
}

/* Sphere about `center` through the elbows seen from `role`; returns how many frames it used. */
static int fit_sphere(const learn_job *job, int role, snw_vec3 *center, double *radius)
{
    snw_vec3 start = *center;
    double first_radius = *radius;
    int used = 0;
    /* seconds between looks that count as independent */
    double looks = fmin(1, 1 / ((2 * SNW__BRIEF) * job->capture->rate));
    /* metres: one independent look at an elbow on skin */
    double weight = looks / ((SNW__SKIN / 2) * (SNW__SKIN / 2));
    for (int round = 0; round < 12; round++) {
        double a[16] = {0}, g[4] = {0};
        /* [measured] Metres: how far a calibrated centre and a calibrated bone are off, on 02_01
         * against 02_05 of the CMU database, both ways. */
        static const double spread[4] = {0.03, 0.03, 0.03, 0.04};
        const double off[4] = {start.x - center->x, start.y - center->y, start.z - center->z,
                               first_radius - *radius};
        for (int i = 0; i < 4; i++) {
            a[5 * i] = 1 / (spread[i] * spread[i]);
            g[i] = off[i] / (spread[i] * spread[i]);
        }
        used = 0;
        for (int f = 0; f < job->capture->frame_count; f++) {
            snw_vec3 elbow;
            if (!elbow_in(job, f, role, &elbow)) continue;
            snw_vec3 way = snw_vec3_sub(elbow, *center);
            double distance = snw_vec3_length(way);
            if (!(distance > 1e-6)) continue;
            const double row[4] = {way.x / distance, way.y / distance, way.z / distance, 1};
            double rest = distance - *radius;
            for (int i = 0; i < 4; i++) {
                g[i] += weight * row[i] * rest;
                for (int j = 0; j < 4; j++)
                    a[4 * i + j] += weight * row[i] * row[j];
            }
            used++;
        }
        if (snw_cholesky_factor(a, 4) != SNW_OK || snw_cholesky_solve(a, 4, g) != SNW_OK) break;
        *center = snw_vec3_add(*center, snw_vec3_make(g[0], g[1], g[2]));
        *radius += g[3];
        if (fabs(g[0]) + fabs(g[1]) + fabs(g[2]) + fabs(g[3]) < 1e-7) break;
    }
    return used;
}

/* ---- the regressions ---------------------------------------------------------------------- */

typedef struct learn_system {
    double normal[SNW__SWIVEL_ROWS * SNW__SWIVEL_ROWS];
    double right[3][SNW__SWIVEL_ROWS];
    double line[5]; /* n, sum h, sum e, sum hh, sum he */
} learn_system;

/* One arm in one frame as the regression sees it, with the elbow it should find. */
static bool arm_in_chest(const learn_job *job, int f, snw__swivel_input *input, snw_vec3 *wanted)
{
    const snw_avatar_profile *p = job->profile;
    const snw_avatar_frame *frame = job->capture->frame + f;
    int role = SNW_AVATAR_LEFT_HAND + job->side;
    snw_vec3 elbow;
    if (!frame->is_present[role] || !elbow_in(job, f, SNW_AVATAR_CHEST, &elbow)) return false;
    double upper = p->upper_arm[job->side], fore = p->forearm[job->side];
    snw_vec3 shoulder = p->shoulder[job->side];
    snw_vec3 wrist = snw__avatar_wrist_in_chest(p, frame, job->side);
    snw_circle circle;
    snw_sphere spheres[2] = {{shoulder, upper}, {wrist, fore}};
    if (snw_sphere_sphere(spheres[0], spheres[1], &circle) != SNW_MEET_CROSS) return false;
    *input = snw__avatar_swivel_input(p, frame, job->side, 1 / (upper + fore));
    *wanted = snw_vec3_scale(snw_vec3_sub(elbow, circle.center), 1 / upper);
    *wanted = snw_vec3_add_scaled(*wanted, -snw_vec3_dot(*wanted, circle.normal), circle.normal);
    if (job->side == 1) *wanted = snw__mirror_point(*wanted);
    return true;
}

static void add_elevations(const learn_job *job, int f, learn_system *system)
{
    const snw_avatar_profile *p = job->profile;
    const snw_avatar_frame *frame = job->capture->frame + f;
    int role = SNW_AVATAR_LEFT_HAND + job->side;
    snw_xform chest = snw_xform_mul(frame->world_from_tracker[SNW_AVATAR_CHEST],
                                    p->tracker_from_bone[SNW_AVATAR_CHEST]);
    snw_xform hand = snw_xform_mul(frame->world_from_tracker[role], p->tracker_from_bone[role]);
    snw_vec3 out = snw_vec3_make(job->side ? -1 : 1, 0, 0);
    snw_sphere upper = {snw_xform_point(chest, p->shoulder[job->side]), p->upper_arm[job->side]};
    snw_sphere lower = {hand.translation, p->forearm[job->side]};
    snw_elbow_circle circle =
        snw_elbow_circle_make(upper, lower, job->capture->up, snw_quat_rotate(chest.rotation, out));
    double e = snw_degrees(snw_elbow_elevation(&circle, job->capture->elbow[2 * f + job->side]));
    double h = snw_degrees(snw__asin(
        snw_clamp(snw_vec3_dot(snw_quat_rotate(hand.rotation, out), job->capture->up), -1, 1)));
    const double terms[5] = {1, h, e, h * h, h * e};
    for (int i = 0; i < 5; i++)
        system->line[i] += terms[i];
}

static void learn_swivel(const snw_avatar_capture *capture, snw_avatar_profile *profile,
                         learn_system *system)
{
    for (int side = 0; side < 2; side++) {
        learn_job job = {capture, profile, side};
        if (profile->has_tracker[SNW_AVATAR_LEFT_HAND + side]) {
            for (int f = 0; f < job.capture->frame_count; f++) {
                snw__swivel_input input;
                snw_vec3 wanted;
                float rows[SNW__SWIVEL_ROWS];
                if (!arm_in_chest(&job, f, &input, &wanted)) continue;
                snw__swivel_rows(&input, rows);
                snw_vec3 rest = snw_vec3_sub(wanted, snw__swivel_predict(&input, NULL));
                const double right[3] = {rest.x, rest.y, rest.z};
                for (int i = 0; i < SNW__SWIVEL_ROWS; i++) {
                    for (int k = 0; k < 3; k++)
                        system->right[k][i] += rows[i] * right[k];
                    for (int j = 0; j <= i; j++)
                        system->normal[i * SNW__SWIVEL_ROWS + j] += (double)rows[i] * rows[j];
                }
                add_elevations(&job, f, system);
            }
        }
    }
    double count = system->line[0];
    if (count < LEARN_FRAMES_LEAST) return;
    for (int i = 0; i < SNW__SWIVEL_ROWS; i++) {
        /* Features are counted at their size sqrt(2/N), as in scripts/fit_swivel_prior. */
        double size = i < SNW__SWIVEL_FEATURES ? 0.5 * SNW__SWIVEL_FEATURES : 1;
        system->normal[i * (SNW__SWIVEL_ROWS + 1)] += LEARN_RIDGE * size * count;
    }
    if (snw_cholesky_factor(system->normal, SNW__SWIVEL_ROWS) == SNW_OK)
        for (int k = 0; k < 3; k++) {
            snw_cholesky_solve(system->normal, SNW__SWIVEL_ROWS, system->right[k]);
            for (int i = 0; i < SNW__SWIVEL_ROWS; i++)
                profile->swivel[i][k] = (float)system->right[k][i];
        }
    const double *s = system->line;
    double spread = s[0] * s[3] - s[1] * s[1];
    if (spread > 25 * s[0] * s[0]) { /* the hand's elevation varied by more than 5 degrees */
        profile->elevation[0] = (s[0] * s[4] - s[1] * s[2]) / spread;
        profile->elevation[1] = (s[2] - profile->elevation[0] * s[1]) / s[0];
    }
}

snw_status snw_avatar_learn(snw_avatar_profile *profile, const snw_avatar_capture *capture,
                            snw_notes *notes, snw_error *error)
{
    if (!profile || !capture)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "profile or capture is NULL");
    if (!capture->elbow)
        return snw__fail(error, SNW_NOT_FOUND,
                         "the calibration capture has no elbows (left_elbow, right_elbow)");
    if (!profile->has_tracker[SNW_AVATAR_CHEST])
        return snw__fail(error, SNW_UNSUPPORTED, "learning from elbows needs a chest tracker");
    learn_system *system = (learn_system *)snw__allocate(&capture->allocator, sizeof *system);
    if (!system) return snw__fail_memory(error, sizeof *system, "learning from elbows");
    for (int side = 0; side < 2; side++) {
        learn_job job = {capture, profile, side};
        if (profile->has_tracker[SNW_AVATAR_LEFT_HAND + side]) {
            snw_avatar_profile *p = job.profile;
            int role = SNW_AVATAR_LEFT_HAND + job.side;
            snw_vec3 shoulder = p->shoulder[job.side], wrist = snw_vec3_make(0, 0, 0);
            double upper = p->upper_arm[job.side], fore = p->forearm[job.side];
            bool is_good =
                fit_sphere(&job, SNW_AVATAR_CHEST, &shoulder, &upper) >= LEARN_FRAMES_LEAST &&
                fit_sphere(&job, role, &wrist, &fore) >= LEARN_FRAMES_LEAST;
            if (is_good && upper > 0.05 && upper < 0.8 && fore > 0.05 && fore < 0.8) {
                p->shoulder[job.side] = shoulder;
                p->upper_arm[job.side] = upper;
                p->forearm[job.side] = fore;
                snw_xform *bone = &p->tracker_from_bone[role];
                bone->translation = snw_xform_point(*bone, wrist);
            }
        }
    }
    learn_swivel(capture, profile, system);
    if (system->line[0] < LEARN_FRAMES_LEAST)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the calibration capture shows chest, hand and elbow together in %d frames: "
                  "too few to learn from",
                  (int)system->line[0]);
    snw__release(&capture->allocator, system, sizeof *system);
    return snw__succeed(error);
}
