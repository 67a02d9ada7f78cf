/* A moving target that goes in and out of reach of a chain of ten links for 1000 steps, each step
 * starting from the answer before.
 *
 * tracking         the target goes round the base five times at a constant angular step while its
 *                  distance swings once between 0.8 and 1.2 of reach: half the way is out of reach
 * tracking-across  it goes straight to and fro, ten times, across the boundary of reach
 *
 * The angular step is the angle the move would fill if it went sideways, |move| / distance. A chain
 * at 1 - e of its reach has bones that lean from the ray to the target by sqrt(2 e) on average, so
 * a target that comes in through the boundary by e in one step makes some joint turn by about that
 * much, whatever the method: the ratio of the joint's step to the target's is bounded below by
 * sqrt(2 e) / step. For tracking-across, where e is 0.03 and the step 0.04, that is already 6;
 * tracking keeps e small against the square of the step, so that smoothness can be asked for. */
#include "bench/bench.h"
#include "clock.h"

#define TRACKING_STEPS 1000
#define TRACKING_LINKS 10

/* Both paths in lengths of the chain. */
static snw_vec3 round_and_round(int step)
{
    double turn = 2 * SNW_PI * step / TRACKING_STEPS;
    double distance = 1 + 0.2 * sin(turn);
    return snw_vec3_make(distance * cos(5 * turn), distance * sin(5 * turn), 0);
}

static snw_vec3 to_and_fro(int step)
{
    double a = 20 * SNW_PI * step / TRACKING_STEPS;
    return snw_vec3_make(0.75, 0.9 * sin(a), 0.3 * cos(a / 2));
}

typedef struct tracking_path {
    const char *name;
    snw_vec3 (*target)(int step);
} tracking_path;

static const tracking_path tracking_paths[] = {
    {BENCH_TRACKING_CASE, round_and_round},
    {BENCH_TRACKING_CASE "-across", to_and_fro},
};

typedef struct tracking {
    const tracking_path *path;
    snw_skeleton *body;
    snw_pose *pose, *before, *again;
    snw_ik *ik;
    double largest_ratio; /* of a joint's step to the target's angular step */
    double largest_shake; /* radians a joint moves when the same target is solved again */
    int reversals;        /* joints that turn back although the target goes on, out of reach */
    int right_count;
    double iterations, worst_error;
    snw_vec3 turn[TRACKING_LINKS]; /* last step of each joint, rotation vectors */
    int out_run;                   /* steps in a row out of reach */
} tracking;

static snw_vec3 joint_turn(const snw_pose *from, const snw_pose *to, int joint)
{
    return snw_quat_log(
        snw_quat_mul(snw_quat_conjugate(from->rotation[joint]), to->rotation[joint]));
}

/* Out of reach: solving the same target again must leave the pose where it is. */
static void watch_shaking(tracking *t, const snw_goal *goal)
{
    snw_pose_copy(t->again, t->pose);
    (void)snw_ik_solve(t->ik, goal, t->again);
    for (int j = 0; j < t->body->joint_count; j++) {
        double moved = snw_vec3_length(joint_turn(t->pose, t->again, j));
        t->largest_shake = fmax(t->largest_shake, moved);
    }
}

static snw_vec3 path_at(const tracking *t, int step)
{
    return snw_vec3_scale(t->path->target(step), t->body->size);
}

/* Does the target itself turn back about here? */
static bool target_turns_back(const tracking *t, int step)
{
    snw_vec3 here = path_at(t, step), last = path_at(t, step - 1), first = path_at(t, step - 2);
    return snw_vec3_dot(snw_vec3_sub(here, last), snw_vec3_sub(last, first)) <= 0;
}

/* A reversal is a turn against the one before, both from and to answers out of reach, both above a
 * tenth of the target's step, while the target goes on. */
static void watch_steps(tracking *t, int step, double target_step)
{
    bool may_turn = t->out_run < 3 || target_turns_back(t, step);
    for (int j = 0; j < t->body->joint_count; j++) {
        snw_vec3 turn = joint_turn(t->before, t->pose, j);
        double size = snw_vec3_length(turn), last = snw_vec3_length(t->turn[j]);
        t->largest_ratio = fmax(t->largest_ratio, size / target_step);
        bool is_back = snw_vec3_dot(turn, t->turn[j]) < -0.5 * size * last;
        bool is_large = fmin(size, last) > 0.1 * target_step;
        t->reversals += !may_turn && is_back && is_large;
        t->turn[j] = turn;
    }
}

static double track(tracking *t, int step, bench_row *row)
{
    double length = t->body->size;
    snw_vec3 target = path_at(t, step), last = path_at(t, step - 1);
    snw_goal goal = bench_tip_goal(t->body, target);
    double distance = snw_vec3_length(target);
    bool is_out = distance > length;
    snw_pose_copy(t->before, t->pose);
    double start = cli_microseconds();
    snw_ik_result result = snw_ik_solve(t->ik, &goal, t->pose);
    double microseconds = cli_microseconds() - start;
    row->not_finite += !bench_pose_is_finite(t->pose);
    double error = result.worst_residual - fmax(0, distance - length);
    t->worst_error = fmax(t->worst_error, error);
    t->iterations += result.iterations;
    /* Straight to round-off is as near as out of reach allows; 1e-4 is the default tolerance. */
    t->right_count += error <= 1e-4 * length * (1 + 1e-9) &&
                      result.outcome == (is_out ? SNW_IK_UNREACHABLE : SNW_IK_REACHED);
    t->out_run = is_out ? t->out_run + 1 : 0;
    if (step > 0) {
        double move = snw_vec3_length(snw_vec3_sub(target, last));
        watch_steps(t, step, move / snw_vec3_length(last));
        if (is_out) watch_shaking(t, &goal);
    }
    return microseconds;
}

static void track_all(tracking *t, double budget_s, bench_row *row)
{
    double times[TRACKING_STEPS], sum = 0;
    int count = 0;
    while (count < TRACKING_STEPS && sum < 1e6 * budget_s) {
        times[count] = track(t, count, row);
        sum += times[count++];
    }
    row->target_count = count;
    row->mean_us = sum / count;
    row->p99_us = cli_quantile(times, count, 0.99);
    row->median_us = cli_median(times, count);
    row->iterations = t->iterations / count;
    row->success = (double)t->right_count / count;
    row->worst_error = t->worst_error;
    row->joint_step_ratio = t->largest_ratio;
    row->reversals = t->reversals;
    snw_format(
        row->note, sizeof row->note,
        "%d steps: joint step / target step %.2f; out of reach: %d reversals, shakes by %.9f "
        "rad",
        count, t->largest_ratio, t->reversals, t->largest_shake);
}

static snw_status track_path(const tracking_path *path, snw_ik_solver solver, double budget_s,
                             bench_rows *rows, snw_error *error)
{
    tracking t = {.path = path};
    cli_counter counter;
    snw_allocator allocator = cli_counting_allocator(&counter);
    snw_ik_options options = snw_ik_options_default();
    bench_row *row = bench_rows_add(rows, path->name, snw_ik_solver_name(solver));
    snw_goal goal;
    options.solver = solver;
    snw_status status = bench_make_straight_chain(TRACKING_LINKS, 0.1, NULL, &t.body, error);
    if (status == SNW_OK) status = snw_pose_create(t.body, NULL, &t.pose, error);
    if (status == SNW_OK) status = snw_pose_create(t.body, NULL, &t.before, error);
    if (status == SNW_OK) status = snw_pose_create(t.body, NULL, &t.again, error);
    if (status == SNW_OK) {
        goal = bench_tip_goal(t.body, snw_vec3_make(0, 0, 0));
        status =
            snw_ik_create(&(snw_ik_problem){t.body, &goal, 1}, &options, &allocator, &t.ik, error);
        counter.allocations = 0;
    }
    if (status == SNW_UNSUPPORTED)
        snw_format(row->note, sizeof row->note, "not for this problem: %.160s", error->message);
    if (status == SNW_OK) track_all(&t, budget_s, row);
    row->allocations = counter.allocations;
    snw_ik_destroy(t.ik);
    snw_pose_destroy(t.again);
    snw_pose_destroy(t.before);
    snw_pose_destroy(t.pose);
    snw_skeleton_destroy(t.body);
    return status == SNW_UNSUPPORTED ? SNW_OK : status;
}

snw_status bench_tracking(snw_ik_solver solver, double budget_s, bench_rows *rows, snw_error *error)
{
    snw_status status = SNW_OK;
    for (size_t n = 0; n < sizeof tracking_paths / sizeof *tracking_paths && status == SNW_OK; n++)
        status = track_path(tracking_paths + n, solver, budget_s, rows, error);
    return status;
}
