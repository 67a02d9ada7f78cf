/* The whole body onto the pictures: poses of all frames, bones and the places of keypoints on their
 * segments, all at once.
 *
 *     min  sum over sightings rho(|projection(body) - seen| / (u sigma))
 *        + sum over markers and frames |second difference|^2 / s^2  +  how far the body may differ
 *
 * with rho of Geman & McClure, u the noise that the pictures have, s what people accelerate by (as
 * view/path.c has it). A pose knows its own frame and the body: its coordinates are eliminated
 * frame by frame (the Schur complement), and what is left are bones and places. The body is made
 * from as many frames as a shape needs; then poses follow, frame by frame, forwards and backwards
 * (Gauss and Seidel), each Gauss-Newton step only where it makes the sum smaller. Joints keep their
 * types and limits. */
#include "solve/pixels.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "person/regressions.h"
#include "view/sighting.h"

enum {
    PIXEL_ROUNDS = 8, /* of body and poses: each halves what is left and more */
    PIXEL_ROOT = 6    /* coordinates of where the body stands */
};

/* A body, its motion, and room for a pose of it. */
typedef struct pixel_body {
    snw_actor *actor;
    snw_motion *motion;
    snw_pose *pose;
} pixel_body;

typedef struct pixel_fit {
    const snw__solving *solving;
    const snw_view_sights *sights;
    pixel_body now;
    snw_vec3 *start;   /* (constants / 3) of the body as the trial has it */
    int n;             /* coordinates of a pose */
    int constants;     /* of the body: three for each marker and each joint */
    double unit;       /* the pictures' noise, in what the sights state */
    double *precision; /* (marker_count) of second differences, 1 / m2 */
    const char **name; /* (marker_count of the sights) */
    int *sight_of;     /* (marker_count) of the sights, or -1 */
    snw_vec3 *place;   /* (frame_count x marker_count) of the body's markers */
    int width;         /* coordinates that are looked for: n, or n + constants */
    double *jacobian;  /* (3 x dof_count) */
    snw_vec3 *by;      /* (n + constants) how a marker moves with each, */
    int *column;       /* and those with which it does */
    double *h, *g;     /* (width x width), (width) of a frame: first the pose, then the body */
    double *bh, *bg;   /* (constants x constants), (constants) of all frames together */
    double *sorted;    /* (as many as sightings) */
} pixel_fit;

static void lay_out(void *object, snw__block *block)
{
    pixel_fit *fit = object;
    size_t markers = (size_t)fit->now.actor->marker_count, n = (size_t)fit->n;
    size_t frames = (size_t)fit->sights->frame_count, constants = (size_t)fit->constants;
    size_t cells = snw__size_mul(frames, markers);
    fit->name = snw__block_take(block, (size_t)fit->sights->marker_count, sizeof *fit->name);
    fit->sight_of = snw__block_take(block, markers, sizeof *fit->sight_of);
    fit->start = snw__block_take(block, constants / 3, sizeof *fit->start);
    fit->precision = snw__block_take(block, markers, sizeof *fit->precision);
    fit->place = snw__block_take(block, cells, sizeof *fit->place);
    fit->jacobian = snw__block_take(block, 3 * n, sizeof *fit->jacobian);
    fit->by = snw__block_take(block, n + constants, sizeof *fit->by);
    fit->column = snw__block_take(block, n + constants, sizeof *fit->column);
    fit->h = snw__block_take(block, snw__size_mul(n + constants, n + constants), sizeof *fit->h);
    fit->g = snw__block_take(block, n + constants, sizeof *fit->g);
    fit->bh = snw__block_take(block, snw__size_mul(constants, constants), sizeof *fit->bh);
    fit->bg = snw__block_take(block, constants, sizeof *fit->bg);
    fit->sorted = snw__block_take(block, snw__size_mul(cells, (size_t)fit->sights->camera_count),
                                  sizeof *fit->sorted);
}

/* ---- one frame ------------------------------------------------------------------------------ */

/* A camera's sighting of a marker; false: it has none. */
static bool sighting_of(const pixel_fit *fit, int frame, int marker, int camera, snw_sighting *out)
{
    const snw_view_sights *sights = fit->sights;
    if (fit->sight_of[marker] < 0) return false;
    int64_t cell = (int64_t)frame * sights->marker_count + fit->sight_of[marker];
    const snw_view_sight *seen = sights->sight + cell * sights->camera_count + camera;
    if (!(seen->sigma > 0) || !isfinite(seen->x) || !isfinite(seen->y)) return false;
    *out = (snw_sighting){camera, {seen->x, seen->y}, fit->unit * (double)seen->sigma};
    return true;
}

/* The second difference about a frame of a marker's path, zero at the ends. */
static snw_vec3 bend_at(const pixel_fit *fit, int frame, int marker)
{
    if (frame < 1 || frame >= fit->sights->frame_count - 1) return (snw_vec3){0, 0, 0};
    int64_t count = fit->now.actor->marker_count;
    const snw_vec3 *at = fit->place + frame * count + marker;
    return snw_vec3_add(snw_vec3_add_scaled(at[-count], -2, at[0]), at[count]);
}

/* Pictures and path of one marker in a frame, as they pull at it where it is. */
static snw__normal pull_of(const pixel_fit *fit, int frame, int marker)
{
    snw_vec3 here = fit->place[(int64_t)frame * fit->now.actor->marker_count + marker];
    snw__normal normal = {{0}, {0, 0, 0}};
    for (int c = 0; c < fit->sights->camera_count; c++) {
        snw_sighting seen;
        if (sighting_of(fit, frame, marker, c, &seen))
            snw__normal_add(&normal, fit->sights->cameras, &seen, here, SNW__SIGHTING_SCALE2);
    }
    static const double part[3] = {1, -2, 1};
    for (int k = -1; k <= 1; k++) {
        int about = frame + k;
        if (about < 1 || about >= fit->sights->frame_count - 1) continue;
        double weight = fit->precision[marker] * part[1 - k] * part[1 - k];
        normal.information[0] += weight;
        normal.information[3] += weight;
        normal.information[5] += weight;
        normal.pull = snw_vec3_add_scaled(normal.pull, -fit->precision[marker] * part[1 - k],
                                          bend_at(fit, about, marker));
    }
    return normal;
}

/* What pull_of is the derivative of, of all markers. */
static double cost_of(const pixel_fit *fit, int frame)
{
    double sum = 0;
    for (int m = 0; m < fit->now.actor->marker_count; m++) {
        snw_vec3 here = fit->place[(int64_t)frame * fit->now.actor->marker_count + m];
        for (int c = 0; c < fit->sights->camera_count; c++) {
            snw_sighting seen;
            if (!sighting_of(fit, frame, m, c, &seen)) continue;
            double off2 = snw__sighting_off2(fit->sights->cameras, &seen, here);
            double cost = isfinite(off2) ? snw__geman_mcclure_cost(off2 / SNW__SIGHTING_SCALE2) : 1;
            sum += SNW__SIGHTING_SCALE2 * cost;
        }
        for (int k = -1; k <= 1; k++)
            sum += fit->precision[m] * snw_vec3_length2(bend_at(fit, frame + k, m));
    }
    return sum;
}

static void place_markers(pixel_fit *fit, int frame)
{
    snw_pose_forward(fit->now.pose);
    for (int m = 0; m < fit->now.actor->marker_count; m++) {
        const snw_actor_marker *marker = fit->now.actor->marker + m;
        fit->place[(int64_t)frame * fit->now.actor->marker_count + m] =
            snw_pose_point(fit->now.pose, marker->joint, marker->offset);
    }
}

/* How a marker moves with each coordinate: of the pose, then with the body's constants, which are
 * places of markers on their segments, then of joints at rest. Returns how many it moves with. */
static int derive(pixel_fit *fit, int marker, snw_vec3 here)
{
    const snw_actor_marker *on = fit->now.actor->marker + marker;
    const snw_pose *pose = fit->now.pose;
    int dof = fit->n - PIXEL_ROOT, count = 0;
    snw_vec3 arm = snw_vec3_sub(here, pose->root.translation);
    const snw_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        fit->by[k] = snw_vec3_cross(axis[k], arm);
        fit->by[3 + k] = axis[k];
    }
    snw_pose_jacobian_point(pose, on->joint, on->offset, fit->jacobian);
    for (int k = 0; k < dof; k++)
        fit->by[PIXEL_ROOT + k] =
            snw_vec3_make(fit->jacobian[k], fit->jacobian[dof + k], fit->jacobian[2 * dof + k]);
    for (int k = 0; k < fit->n; k++)
        if (snw_vec3_length2(fit->by[k]) > 0) fit->column[count++] = k;
    if (fit->width == fit->n) return count;
    int joint = on->joint, at = fit->n + 3 * marker;
    for (;;) { /* in whose frame the marker lies, then each joint above */
        snw_quat turn = joint < 0 ? pose->root.rotation : pose->world[joint].rotation;
        for (int k = 0; k < 3; k++) {
            fit->by[at + k] = snw_quat_rotate(turn, axis[k]);
            fit->column[count++] = at + k;
        }
        if (joint <= 0) return count;
        at = fit->n + 3 * (fit->now.actor->marker_count + joint - 1);
        joint = pose->skeleton->parent[joint];
    }
}

/* The frame's equations, lower triangle. */
static void gather(pixel_fit *fit, int frame)
{
    int width = fit->width;
    memset(fit->h, 0, (size_t)width * (size_t)width * sizeof *fit->h);
    memset(fit->g, 0, (size_t)width * sizeof *fit->g);
    for (int m = 0; m < fit->now.actor->marker_count; m++) {
        snw__normal normal = pull_of(fit, frame, m);
        int count = derive(fit, m, fit->place[(int64_t)frame * fit->now.actor->marker_count + m]);
        for (int i = 0; i < count; i++) {
            int r = fit->column[i];
            snw_vec3 weighed = snw__symmetric3_apply(normal.information, fit->by[r]);
            fit->g[r] += snw_vec3_dot(fit->by[r], normal.pull);
            for (int k = 0; k <= i; k++)
                fit->h[(int64_t)r * width + fit->column[k]] +=
                    snw_vec3_dot(weighed, fit->by[fit->column[k]]);
        }
    }
    /* What nothing shows stays: a step of a metre or a radian is as unlikely as a sigma. */
    for (int k = 0; k < fit->n; k++)
        fit->h[(int64_t)k * width + k] += 1;
}

/* ---- poses ---------------------------------------------------------------------------------- */

static void take_step(pixel_fit *fit, const double *step)
{
    snw_pose *pose = fit->now.pose;
    snw_quat turn = snw_quat_exp(snw_vec3_make(step[0], step[1], step[2]));
    pose->root.rotation = snw_quat_normalize(snw_quat_mul(turn, pose->root.rotation));
    pose->root.translation =
        snw_vec3_add(pose->root.translation, snw_vec3_make(step[3], step[4], step[5]));
    snw_pose_step(pose, step + PIXEL_ROOT);
    snw_pose_apply_limits(pose);
}

/* One step of a frame where that makes its sum smaller, else a shorter one. */
static void improve(pixel_fit *fit, int frame)
{
    snw_motion_get(fit->now.motion, frame, fit->now.pose);
    place_markers(fit, frame);
    double before = cost_of(fit, frame);
    gather(fit, frame);
    if (snw_cholesky_factor(fit->h, fit->n) != SNW_OK ||
        snw_cholesky_solve(fit->h, fit->n, fit->g) != SNW_OK)
        return;
    for (int half = 0; half < 3; half++) {
        take_step(fit, fit->g);
        place_markers(fit, frame);
        if (cost_of(fit, frame) < before) {
            snw_motion_set(fit->now.motion, frame, fit->now.pose);
            return;
        }
        for (int k = 0; k < fit->n; k++)
            fit->g[k] *= SNW__HALF;
        snw_motion_get(fit->now.motion, frame, fit->now.pose);
    }
    place_markers(fit, frame);
}

/* All frames once in each direction. */
static void sweep(pixel_fit *fit)
{
    int frames = fit->sights->frame_count;
    fit->width = fit->n;
    for (int f = 0; f < frames; f++)
        improve(fit, f);
    for (int f = frames - 1; f >= 0; f--)
        improve(fit, f);
}

/* ---- the body ------------------------------------------------------------------------------- */

/* Takes the frame's coordinates out of its equations, and adds what is left to the body's. */
static void eliminate(pixel_fit *fit)
{
    int width = fit->width;
    for (int k = 0; k < fit->n; k++) {
        double *pivot = fit->h + (int64_t)k * width;
        for (int r = k + 1; r < width; r++) {
            double *row = fit->h + (int64_t)r * width, factor = row[k] / pivot[k];
            if (factor == 0) continue;
            /* Column k of the lower triangle is row k of the upper one. */
            for (int c = k + 1; c <= r; c++)
                row[c] -= factor * fit->h[(int64_t)c * width + k];
            fit->g[r] -= factor * fit->g[k];
        }
    }
    for (int r = 0; r < fit->constants; r++) {
        fit->bg[r] += fit->g[fit->n + r];
        for (int c = 0; c <= r; c++)
            fit->bh[(int64_t)r * fit->constants + c] +=
                fit->h[(int64_t)(fit->n + r) * width + fit->n + c];
    }
}

/* Where a marker lies on its segment, or behind these a joint rests. */
static snw_vec3 constant_of(const snw_actor *actor, int k)
{
    return k < actor->marker_count ? actor->marker[k].offset
                                   : actor->skeleton->rest[k - actor->marker_count + 1].translation;
}

static void release_body(pixel_body *body)
{
    snw_pose_destroy(body->pose);
    snw_motion_destroy(body->motion);
    snw_actor_destroy(body->actor);
    *body = (pixel_body){NULL, NULL, NULL};
}

/* A skeleton whose joints rest where the step says. */
static snw_status change_skeleton(const pixel_fit *fit, const double *step, snw_skeleton **out,
                                  snw_error *error)
{
    const snw_actor *old = fit->now.actor;
    int joints = old->skeleton->joint_count;
    snw_allocator memory = snw__allocator_or_default(fit->solving->memory);
    size_t size = (size_t)joints * sizeof(snw_joint_def);
    snw_joint_def *def = snw__allocate(&memory, size);
    if (!def) return snw__fail_memory(error, size, "a body");
    for (int j = 0; j < joints; j++) {
        const double *by = step + 3 * (old->marker_count + j - 1);
        def[j] = snw_skeleton_joint_def(old->skeleton, j);
        if (j > 0)
            def[j].rest.translation =
                snw_vec3_add(def[j].rest.translation, snw_vec3_make(by[0], by[1], by[2]));
    }
    snw_status status = snw_skeleton_create(def, joints, fit->solving->memory, out, error);
    snw__release(&memory, def, size);
    return status;
}

/* A body with these changes, and its motion. */
static snw_status change_body(const pixel_fit *fit, const double *step, pixel_body *out)
{
    const snw_actor *old = fit->now.actor;
    const snw_allocator *memory = fit->solving->memory;
    snw_error *error = fit->solving->error;
    const snw_motion *before = fit->now.motion;
    snw_skeleton *skeleton = NULL;
    snw_status status = change_skeleton(fit, step, &skeleton, error);
    const snw__actor_parts parts = {old->marker, old->marker_count, old->value, old->value_count};
    if (status == SNW_OK)
        status = snw__actor_assemble(skeleton, &parts, memory, &out->actor, error);
    snw_skeleton_destroy(skeleton);
    if (status == SNW_OK)
        status = snw_motion_create(out->actor->skeleton, before->frame_count, before->rate, memory,
                                   &out->motion, error);
    if (status == SNW_OK) status = snw_pose_create(out->actor->skeleton, memory, &out->pose, error);
    if (status != SNW_OK) return status;
    memcpy(out->actor->estimate, old->estimate,
           (size_t)old->skeleton->joint_count * sizeof *old->estimate);
    for (int m = 0; m < old->marker_count; m++)
        out->actor->marker[m].offset = snw_vec3_add(
            old->marker[m].offset, snw_vec3_make(step[3 * m], step[3 * m + 1], step[3 * m + 2]));
    for (int f = 0; f < before->frame_count; f++) {
        snw_motion_get(before, f, fit->now.pose);
        snw_motion_set(out->motion, f, fit->now.pose);
    }
    return SNW_OK;
}

/* The body's equations, from as many frames as a shape needs, and how far it may differ from what
 * the trial says. False: they have no answer. */
static bool solve_body(pixel_fit *fit)
{
    int count = fit->constants, markers = fit->now.actor->marker_count;
    int stride = 1 + fit->sights->frame_count / SNW__SAMPLES_SHAPE;
    memset(fit->bh, 0, (size_t)count * (size_t)count * sizeof *fit->bh);
    memset(fit->bg, 0, (size_t)count * sizeof *fit->bg);
    fit->width = fit->n + count;
    for (int f = 0; f < fit->sights->frame_count; f += stride) {
        snw_motion_get(fit->now.motion, f, fit->now.pose);
        place_markers(fit, f);
        gather(fit, f);
        eliminate(fit);
    }
    for (int k = 0; k < count / 3; k++) {
        double sigma = k < markers ? SNW__SKIN : SNW__SKIN_MAX, weight = 1 / (sigma * sigma);
        snw_vec3 off = snw_vec3_sub(constant_of(fit->now.actor, k), fit->start[k]);
        const double away[3] = {off.x, off.y, off.z};
        for (int i = 0; i < 3; i++) {
            fit->bh[(int64_t)(3 * k + i) * (count + 1)] += weight;
            fit->bg[3 * k + i] -= weight * away[i];
        }
    }
    return snw_cholesky_factor(fit->bh, count) == SNW_OK &&
           snw_cholesky_solve(fit->bh, count, fit->bg) == SNW_OK;
}

static double whole_cost(pixel_fit *fit)
{
    double sum = 0;
    for (int f = 0; f < fit->sights->frame_count; f++)
        sum += cost_of(fit, f);
    return sum;
}

static void place_all(pixel_fit *fit)
{
    for (int f = 0; f < fit->sights->frame_count; f++) {
        snw_motion_get(fit->now.motion, f, fit->now.pose);
        place_markers(fit, f);
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* How far the sightings are from the body, in what they state (of a coordinate) or pixels. */
static double usual_off(pixel_fit *fit, bool in_pixels, int *count)
{
    double unit = fit->unit;
    *count = 0;
    fit->unit = 1;
    for (int f = 0; f < fit->sights->frame_count; f++)
        for (int m = 0; m < fit->now.actor->marker_count; m++)
            for (int c = 0; c < fit->sights->camera_count; c++) {
                snw_sighting seen;
                snw_vec3 here = fit->place[(int64_t)f * fit->now.actor->marker_count + m];
                if (!sighting_of(fit, f, m, c, &seen)) continue;
                double off = sqrt(snw__sighting_off2(fit->sights->cameras, &seen, here));
                if (isfinite(off)) fit->sorted[(*count)++] = in_pixels ? off * seen.sigma : off;
            }
    fit->unit = unit;
    return snw__median(fit->sorted, *count);
}

/* A round: the noise of the pictures, then body and poses. False: it got no better, or the memory
 * is gone, which *status says. */
static bool improve_all(pixel_fit *fit, snw_status *status)
{
    int count;
    pixel_body next = {NULL, NULL, NULL}, kept = fit->now;
    /* Half of distances with two normal coordinates are within sqrt(2 ln 2) of their sigma. */
    fit->unit = fmax(SNW__SINGLE, usual_off(fit, false, &count) / sqrt(SNW__CHI2_MEDIAN_TWO));
    double before = whole_cost(fit);
    if (!fit->solving->options->actor && solve_body(fit)) {
        *status = change_body(fit, fit->bg, &next);
        if (*status == SNW_OK) fit->now = next;
    }
    if (*status == SNW_OK) sweep(fit);
    bool is_better = *status == SNW_OK && whole_cost(fit) < before;
    if (!next.actor) return is_better;
    release_body(is_better ? &kept : &next);
    if (!is_better) {
        fit->now = kept;
        place_all(fit);
    }
    return is_better;
}

/* Which of the sights each marker is; false: none. */
static bool match_names(pixel_fit *fit, const char **name)
{
    bool is_any = false;
    for (int n = 0; n < fit->sights->marker_count; n++)
        name[n] = fit->sights->name[n];
    const snw_name_list names = {name, fit->sights->marker_count};
    for (int m = 0; m < fit->now.actor->marker_count; m++) {
        fit->sight_of[m] = snw_actor_find_marker(fit->now.actor, &names, m);
        is_any |= fit->sight_of[m] >= 0;
    }
    return is_any;
}

static snw_status fit_all(pixel_fit *fit, snw_solved_body *body)
{
    snw_status status = SNW_OK;
    double rate = fit->now.motion->rate, s = SNW__ACCELERATION / (rate * rate);
    fit->unit = 1;
    for (int k = 0; k < fit->constants / 3; k++)
        fit->start[k] = constant_of(fit->now.actor, k);
    place_all(fit);
    for (int m = 0; m < fit->now.actor->marker_count; m++) {
        double sum = 0;
        for (int f = 1; f < fit->sights->frame_count - 1; f++)
            sum += snw_vec3_length2(bend_at(fit, f, m));
        double mean = sum / (3.0 * fmax(1, fit->sights->frame_count - 2));
        fit->precision[m] = 1 / fmin(s * s, fmax(mean, SNW__NOISE * SNW__NOISE));
    }
    for (int n = 0; n < PIXEL_ROUNDS && status == SNW_OK; n++)
        if (!improve_all(fit, &status)) break;
    body->pixels = usual_off(fit, true, &body->sight_count);
    body->kept = fit->now.actor;
    body->motion = fit->now.motion;
    return status;
}

snw_status snw__solve_pixels(const snw__solving *solving, snw_solved_body *body)
{
    const snw_view_sights *sights = solving->options->sights;
    const snw_allocator *memory = solving->memory;
    snw_allocator own = snw__allocator_or_default(memory);
    const snw_skeleton *skeleton = body->kept->skeleton;
    snw__block block;
    pixel_fit fit = {.solving = solving,
                     .sights = sights,
                     .now = {body->kept, body->motion, NULL},
                     .n = PIXEL_ROOT + skeleton->dof_count,
                     .constants = 3 * (body->kept->marker_count + skeleton->joint_count - 1)};
    if (sights->frame_count != body->motion->frame_count)
        return snw__fail(solving->error, SNW_INVALID_ARGUMENT,
                         "sights have %d frames, the capture has %d", sights->frame_count,
                         body->motion->frame_count);
    snw_status status = snw_pose_create(skeleton, memory, &fit.now.pose, solving->error);
    if (status != SNW_OK) return status;
    status = snw__block_create(&block, lay_out, &fit, &own, "a body onto pictures", solving->error);
    if (status == SNW_OK) {
        if (match_names(&fit, fit.name)) status = fit_all(&fit, body);
        snw__block_release(&own, &block);
    }
    snw_pose_destroy(fit.now.pose);
    return status;
}
