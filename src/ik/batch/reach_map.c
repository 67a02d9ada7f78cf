/* Maps of what an effector reaches (sinew/ik_map.h).
 *
 * Two passes through batches: places alone, then all orientations of cells whose place was reached.
 * Most of what cannot be reached costs one problem instead of dozens: a problem without an answer
 * takes all its starts, a hundred times as long as one with. */
#include <sinew/ik_map.h>

#include <float.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"

enum {
    MAP_CELLS_MAX = 1 << 24,
    MAP_SIDE_MAX = 4096,
    MAP_DIRECTIONS_MAX = 4096,
    MAP_ROLLS_MAX = 360,
    /* Problems in a batch: enough for a graphics processor, some megabytes of arrays. */
    MAP_PROBLEMS = 16384
};

snw_reach_map_options snw_reach_map_options_default(void)
{
    snw_reach_map_options options = {
        .batch = snw_ik_batch_options_default(), .direction_count = 32, .roll_count = 1};
    return options;
}

/* What the passes work with. */
typedef struct map_work {
    const snw_skeleton *skeleton;
    const snw_reach_map_options *options;
    int joint;
    snw_reach_map *map;
    snw_ik_batch *batch;
    size_t problem_max;
    float *target;   /* (problem_max x 3) */
    float *frame;    /* (problem_max x 4) */
    float *value;    /* (problem_max x dof_count) */
    float *rest;     /* (dof_count) every solve starts here */
    uint8_t *result; /* (problem_max) snw_ik_outcome */
    int32_t *cell;   /* (problem_max) that a problem is of */
    size_t count;    /* problems that wait */
} map_work;

/* ---- the grid ------------------------------------------------------------------------------- */

/* The joint nearest to the root that moves the effector turns about this place, or slides from it;
 * beyond the sum of all lengths from there on nothing is reached. False: nothing moves it. */
static bool measure_reach(const map_work *work, const snw_pose *pose, snw_vec3 *base, double *reach)
{
    const snw_skeleton *body = work->skeleton;
    double way = snw_vec3_length(work->options->point), slides = 0;
    bool is_moved = false;
    for (int j = work->joint; j >= 0; j = body->parent[j]) {
        const snw_joint *joint = &body->joint[j];
        double longest = 0;
        if (joint->type == SNW_JOINT_FREE) return false;
        if (joint->type == SNW_JOINT_PRISMATIC)
            longest = joint->limit.has_range[0]
                          ? fmax(fabs(joint->limit.range[0][0]), fabs(joint->limit.range[0][1]))
                          : body->size;
        slides += longest;
        if (snw_joint_type_dof(joint->type) > 0) {
            *base = pose->world[j].translation;
            *reach = way + slides;
            is_moved = true;
        }
        way += snw_vec3_length(body->rest[j].translation);
    }
    return is_moved && *reach > 0;
}

static snw_vec3 center_of(const snw_reach_map *map, int32_t cell)
{
    int x = cell % map->count[0], y = cell / map->count[0] % map->count[1];
    int z = cell / map->count[0] / map->count[1];
    return snw_vec3_add(map->first, snw_vec3_make(x * map->cell, y * map->cell, z * map->cell));
}

/* ---- orientations --------------------------------------------------------------------------- */

/* Direction n of a Fibonacci lattice (Swinbank & Purser 2006): heights in even steps, each turned
 * on by the golden angle. */
static snw_vec3 direction_of(int n, int count)
{
    const double golden = SNW_PI * (3 - sqrt(5.0));
    double z = 1 - (2 * n + 1.0) / count, radius = sqrt(fmax(0, 1 - z * z));
    return snw_vec3_make(radius * snw__cos(golden * n), radius * snw__sin(golden * n), z);
}

/* Orientation n: the shortest turn that takes z to its direction, after a turn about z. */
static snw_quat orientation_of(const snw_reach_map_options *options, int n)
{
    const snw_vec3 z = snw_vec3_make(0, 0, 1);
    snw_vec3 to = direction_of(n / options->roll_count, options->direction_count);
    double roll = 2 * SNW_PI * (n % options->roll_count) / options->roll_count;
    return snw_quat_mul(snw_quat_between(z, to), snw_quat_from_axis_angle(z, roll));
}

/* ---- solving -------------------------------------------------------------------------------- */

static snw_status solve_waiting(map_work *work, snw_error *error)
{
    size_t dof = (size_t)work->skeleton->dof_count;
    for (size_t n = 0; n < work->count; n++)
        for (size_t k = 0; k < dof; k++)
            work->value[n * dof + k] = work->rest[k];
    snw_ik_batch_job job = {.problem_count = (int)work->count,
                            .target = work->target,
                            .orientation = work->frame,
                            .value = work->value,
                            .outcome = work->result};
    snw_status status = snw_ik_batch_solve(work->batch, snw_xform_identity(), &job, NULL, error);
    for (size_t n = 0; n < work->count && status == SNW_OK; n++) {
        if (work->result[n] != SNW_IK_REACHED) continue;
        work->map->share[work->cell[n]]++;
        work->map->reached_count++;
    }
    work->map->problem_count += (int64_t)work->count;
    work->count = 0;
    return status;
}

static snw_status add_problem(map_work *work, int32_t cell, snw_quat frame, snw_error *error)
{
    snw_vec3 at = center_of(work->map, cell);
    const float place[3] = {(float)at.x, (float)at.y, (float)at.z};
    const float turn[4] = {(float)frame.w, (float)frame.x, (float)frame.y, (float)frame.z};
    for (int k = 0; k < 3; k++)
        work->target[3 * work->count + (size_t)k] = place[k];
    for (int k = 0; k < 4; k++)
        work->frame[4 * work->count + (size_t)k] = turn[k];
    work->cell[work->count++] = cell;
    return work->count < work->problem_max ? SNW_OK : solve_waiting(work, error);
}

/* Solves for all cells with a mark in share, which then counts what was reached. */
static snw_status run_pass(map_work *work, bool has_frames, snw_error *error)
{
    const snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_reach_map *map = work->map;
    snw_goal goal =
        has_frames ? snw_goal_pose(work->joint, work->options->point, zero, snw_quat_identity())
                   : snw_goal_position(work->joint, work->options->point, zero);
    snw_ik_problem problem = {work->skeleton, &goal, 1};
    int32_t cells = map->count[0] * map->count[1] * map->count[2];
    int tries = has_frames ? map->orientation_count : 1;
    snw_status status =
        snw_ik_batch_create(&problem, &work->options->batch, &map->allocator, &work->batch, error);
    for (int32_t cell = 0; cell < cells && status == SNW_OK; cell++) {
        if (!(map->share[cell] > 0)) continue;
        map->share[cell] = 0;
        for (int n = 0; n < tries && status == SNW_OK; n++)
            status = add_problem(
                work, cell, has_frames ? orientation_of(work->options, n) : snw_quat_identity(),
                error);
    }
    if (status == SNW_OK && work->count > 0) status = solve_waiting(work, error);
    if (status == SNW_OK && !map->trouble[0])
        snw_format(map->trouble, sizeof map->trouble, "%s", snw_ik_batch_trouble(work->batch));
    snw_ik_batch_destroy(work->batch);
    work->batch = NULL;
    return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void lay_out_map(void *object, snw__block *block)
{
    snw_reach_map *fields = object, *map = snw__block_take(block, 1, sizeof *map);
    size_t cells = (size_t)fields->count[0] * (size_t)fields->count[1] * (size_t)fields->count[2];
    fields->share = snw__block_take(block, cells, sizeof *fields->share);
    if (map) *map = *fields;
}

static void lay_out_work(void *object, snw__block *block)
{
    map_work *work = object;
    size_t dof = (size_t)work->skeleton->dof_count, problems = work->problem_max;
    work->target = snw__block_take(block, 3 * problems, sizeof *work->target);
    work->frame = snw__block_take(block, 4 * problems, sizeof *work->frame);
    work->value = snw__block_take(block, snw__size_mul(dof, problems), sizeof *work->value);
    work->rest = snw__block_take(block, dof, sizeof *work->rest);
    work->result = snw__block_take(block, problems, sizeof *work->result);
    work->cell = snw__block_take(block, problems, sizeof *work->cell);
}

static snw_status create_grid(map_work *work, snw_pose *pose, const snw_allocator *allocator,
                              snw_error *error)
{
    const snw_reach_map_options *options = work->options;
    snw_reach_map fields = {.cell = options->cell,
                            .orientation_count = options->direction_count * options->roll_count,
                            .allocator = snw__allocator_or_default(allocator)};
    snw_vec3 base = snw_vec3_make(0, 0, 0);
    double reach = 0;
    snw_pose_reset(pose);
    snw_pose_forward(pose);
    if (!measure_reach(work, pose, &base, &reach))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "no joint from the root to %s moves it within a bound",
                         work->skeleton->name[work->joint]);
    if (fields.cell == 0) fields.cell = reach / 8;
    double half = floor(reach / fields.cell), side = 2 * half + 1;
    if (!(side <= MAP_SIDE_MAX) || side * side * side > MAP_CELLS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "cells of %g m are too small for a reach of %g m: there would be more "
                         "than %d",
                         fields.cell, reach, MAP_CELLS_MAX);
    for (int k = 0; k < 3; k++)
        fields.count[k] = (int)side;
    double back = -half * fields.cell;
    fields.first = snw_vec3_add(base, snw_vec3_make(back, back, back));
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_map, &fields, &fields.allocator,
                                          "a map of what is reached", error);
    if (status != SNW_OK) return status;
    work->map = (void *)block.base;
    work->map->block_size = block.size;
    int32_t cells = fields.count[0] * fields.count[1] * fields.count[2];
    for (int32_t cell = 0; cell < cells; cell++)
        work->map->share[cell] =
            snw_vec3_distance(center_of(work->map, cell), base) <= reach ? 1.0f : 0.0f;
    return SNW_OK;
}

static void sum_up(snw_reach_map *map)
{
    int32_t cells = map->count[0] * map->count[1] * map->count[2], reached = 0;
    double sum = 0;
    for (int32_t cell = 0; cell < cells; cell++) {
        if (map->orientation_count) map->share[cell] /= (float)map->orientation_count;
        reached += map->share[cell] > 0;
        sum += map->share[cell];
    }
    map->volume = reached * map->cell * map->cell * map->cell;
    map->mean_share = reached ? sum / reached : 0;
}

static snw_status fill_map(map_work *work, const snw_pose *pose, snw_error *error)
{
    double values[6];
    snw__block block;
    work->problem_max = MAP_PROBLEMS;
    snw_status status = snw__block_create(&block, lay_out_work, work, &work->map->allocator,
                                          "problems of a map", error);
    if (status != SNW_OK) return status;
    for (int j = 0; j < work->skeleton->joint_count; j++) {
        const snw_joint *joint = &work->skeleton->joint[j];
        (void)snw_joint_values(joint, pose->rotation[j], pose->slide[j], values);
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++)
            work->rest[work->skeleton->dof_first[j] + k] = (float)values[k];
    }
    status = run_pass(work, false, error);
    if (status == SNW_OK && work->map->orientation_count) status = run_pass(work, true, error);
    if (status == SNW_OK) sum_up(work->map);
    snw__block_release(&work->map->allocator, &block);
    return status;
}

static snw_status check_options(const snw_reach_map_options *options, snw_error *error)
{
    if (!(options->cell >= 0 && options->cell <= DBL_MAX))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "cell is %g m, it must be 0 or more",
                         options->cell);
    if (options->direction_count < 0 || options->direction_count > MAP_DIRECTIONS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "direction_count is %d, it must be 0 to %d",
                         options->direction_count, MAP_DIRECTIONS_MAX);
    if (options->roll_count < 1 || options->roll_count > MAP_ROLLS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "roll_count is %d, it must be 1 to %d",
                         options->roll_count, MAP_ROLLS_MAX);
    if (!snw_vec3_is_finite(options->point))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the point of the effector is not finite");
    return SNW_OK;
}

snw_status snw_reach_map_create(const snw_skeleton *skeleton, int joint,
                                const snw_reach_map_options *options,
                                const snw_allocator *allocator, snw_reach_map **out,
                                snw_error *error)
{
    snw_reach_map_options defaults = snw_reach_map_options_default();
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a map needs a place to be put");
    *out = NULL;
    if (!skeleton || joint < 0 || joint >= skeleton->joint_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a map needs a joint of a skeleton");
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    snw_status status = check_options(options, error);
    if (status != SNW_OK) return status;
    map_work work = {.skeleton = skeleton, .options = options, .joint = joint};
    snw_pose *pose = NULL;
    status = snw_pose_create(skeleton, allocator, &pose, error);
    if (status == SNW_OK) status = create_grid(&work, pose, allocator, error);
    if (status == SNW_OK) status = fill_map(&work, pose, error);
    snw_pose_destroy(pose);
    if (status == SNW_OK)
        *out = work.map;
    else
        snw_reach_map_destroy(work.map);
    return status == SNW_OK ? snw__succeed(error) : status;
}

void snw_reach_map_destroy(snw_reach_map *map)
{
    if (!map) return;
    snw_allocator memory = map->allocator; /* the block holds it */
    snw__release(&memory, map, map->block_size);
}
