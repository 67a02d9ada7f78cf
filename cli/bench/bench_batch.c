/* Many chains at once: the float kernel on one thread, so that its figure is per core. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "clock.h"

/* The targets are solved together this often; the best counts, as for single solves. */
#define BATCH_RUNS 5

typedef struct batch_arrays {
    float *target, *rotation, *residual;
    uint8_t *outcome;
} batch_arrays;

static bool take_arrays(const bench_case *c, batch_arrays *arrays)
{
    size_t count = (size_t)c->target_count, joints = (size_t)c->body->joint_count;
    arrays->target = calloc(count * 3, sizeof(float));
    arrays->rotation = calloc(count * joints * 4, sizeof(float));
    arrays->residual = calloc(count, sizeof(float));
    arrays->outcome = calloc(count, 1);
    for (size_t n = 0; arrays->target && n < count; n++) {
        arrays->target[3 * n] = (float)c->goals[n].position.x;
        arrays->target[3 * n + 1] = (float)c->goals[n].position.y;
        arrays->target[3 * n + 2] = (float)c->goals[n].position.z;
    }
    return arrays->target && arrays->rotation && arrays->residual && arrays->outcome;
}

static void start_at_rest(const bench_case *c, float *rotation)
{
    size_t count = (size_t)c->target_count * (size_t)c->body->joint_count;
    memset(rotation, 0, count * 4 * sizeof *rotation);
    for (size_t n = 0; n < count; n++)
        rotation[4 * n] = 1;
}

static double answer_error(const bench_case *c, const float *rotation, int n, snw_pose *pose)
{
    int joint_count = c->body->joint_count;
    for (int j = 0; j < joint_count; j++) {
        const float *q = rotation + 4 * ((ptrdiff_t)n * joint_count + j);
        snw_quat wide = {q[0], q[1], q[2], q[3]};
        pose->rotation[j] = snw_quat_normalize(wide);
    }
    return bench_error(c, c->goals + n, pose);
}

static void fill_row(const bench_case *c, const batch_arrays *arrays, double best_us,
                     snw_pose *pose, bench_row *row)
{
    int reached = 0;
    for (int n = 0; n < c->target_count; n++) {
        double error = answer_error(c, arrays->rotation, n, pose);
        row->not_finite += !bench_pose_is_finite(pose);
        row->worst_error = fmax(row->worst_error, error);
        /* 1e-5 of a metre: floats of a ten-metre chain carry no more. */
        reached += error <= c->limit + 1e-5 && arrays->outcome[n] == SNW_IK_REACHED;
    }
    row->target_count = c->target_count;
    row->mean_us = row->median_us = row->p99_us = best_us / c->target_count;
    row->success = (double)reached / c->target_count;
}

static void run(const bench_case *c, snw_ik_batch *batch, const batch_arrays *arrays,
                snw_pose *pose, bench_row *row)
{
    double best_us = INFINITY;
    snw_ik_batch_job job = {.problem_count = c->target_count,
                            .target = arrays->target,
                            .rotation = arrays->rotation,
                            .residual = arrays->residual,
                            .outcome = arrays->outcome};
    for (int k = 0; k < BATCH_RUNS; k++) {
        start_at_rest(c, arrays->rotation);
        double before = cli_microseconds();
        (void)snw_ik_batch_solve(batch, snw_xform_identity(), &job, NULL, NULL);
        best_us = fmin(best_us, cli_microseconds() - before);
    }
    fill_row(c, arrays, best_us, pose, row);
    snw_format(row->note, sizeof row->note, "mean of all targets at once, one thread, %s",
               snw_ik_batch_path(batch));
}

static snw_status add_row(const bench_case *c, bool use_simd, bench_rows *rows, snw_error *error)
{
    cli_counter counter;
    snw_allocator allocator = cli_counting_allocator(&counter);
    snw_ik_batch_options options = snw_ik_batch_options_default();
    snw_ik_batch *batch = NULL;
    snw_pose *pose = NULL;
    batch_arrays arrays = {NULL, NULL, NULL, NULL};
    options.ik = c->options;
    options.use_simd = use_simd;
    bench_row *row = bench_rows_add(rows, "chain", use_simd ? "batch" : "batch-portable");
    snw_status status = snw_ik_batch_create(&(snw_ik_problem){c->body, c->goals, 1}, &options,
                                            &allocator, &batch, error);
    if (status == SNW_OK) status = snw_pose_create(c->body, NULL, &pose, error);
    if (status == SNW_OK && take_arrays(c, &arrays)) {
        counter.allocations = 0;
        run(c, batch, &arrays, pose, row);
        row->allocations = counter.allocations;
    }
    free(arrays.target);
    free(arrays.rotation);
    free(arrays.residual);
    free(arrays.outcome);
    snw_pose_destroy(pose);
    snw_ik_batch_destroy(batch);
    return status;
}

snw_status bench_batch(const char *folder, int target_count, bench_rows *rows, snw_error *error)
{
    bench_case c;
    snw_status status = bench_case_create(0, folder, target_count, &c, error);
    if (status != SNW_OK) return status;
    status = add_row(&c, true, rows, error);
    if (status == SNW_OK) status = add_row(&c, false, rows, error);
    bench_case_release(&c);
    return status;
}
