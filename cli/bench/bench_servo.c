/* `sinew bench ik --servo`: what a step in time costs, how far it stays behind a moving target, and
 * whether any limit is ever crossed. */
#include <stdio.h>
#include <stdlib.h>

#include <sinew/ik_servo.h>

#include "bench/bench.h"
#include "bench/bench_poses.h"
#include "clock.h"

#define SERVO_DOF  64
#define SERVO_STEP 0.001

typedef struct servo_bench {
    snw_skeleton *body;
    snw_pose *pose, *truth;
    snw_ik_servo *servo;
    int goal_count;
    snw_goal goal[5];
    double velocity[SERVO_DOF], acceleration[SERVO_DOF], jerk[SERVO_DOF];
    double *times;
    int crossed; /* steps that broke a limit */
    double behind;
} servo_bench;

static bool open_servo(servo_bench *bench, const char *name, int rates, bool is_free,
                       snw_error *error)
{
    snw_ik_servo_options options = snw_ik_servo_options_default();
    for (int k = 0; k < SERVO_DOF; k++) {
        bench->velocity[k] = 2;
        bench->acceleration[k] = 20;
        bench->jerk[k] = 1000;
    }
    options.limit.velocity = bench->velocity;
    if (rates > 1) options.limit.acceleration = bench->acceleration;
    if (rates > 2) options.limit.jerk = bench->jerk;
    options.gain = rates > 1 ? 20 : INFINITY;
    if (is_free) options.root = SNW_IK_ROOT_FREE;
    static const char *const limbs[] = {"left_ankle", "right_ankle", "left_wrist", "right_wrist",
                                        "head"};
    if (snw_preset_create(name, NULL, &bench->body, error) != SNW_OK ||
        snw_pose_create(bench->body, NULL, &bench->pose, error) != SNW_OK ||
        snw_pose_create(bench->body, NULL, &bench->truth, error) != SNW_OK)
        return false;
    for (int g = 0; g < bench->goal_count; g++)
        bench->goal[g] =
            snw_goal_pose(bench->goal_count == 1 ? bench->body->joint_count - 1
                                                 : snw_skeleton_find_joint(bench->body, limbs[g]),
                          snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0), snw_quat_identity());
    snw_ik_problem problem = {bench->body, bench->goal, bench->goal_count};
    return snw_ik_servo_create(&problem, &options, NULL, &bench->servo, error) == SNW_OK;
}

/* A pose that moves: every coordinate swings about the middle of what it may. */
static void move_truth(servo_bench *bench, double seconds)
{
    double values[SERVO_DOF];
    for (int j = 0, at = 0; j < bench->body->joint_count; j++) {
        const snw_joint *joint = &bench->body->joint[j];
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++, at++) {
            bool has_range = k < 2 && joint->limit.has_range[k];
            double low = has_range ? joint->limit.range[k][0] : -0.5;
            double high = has_range ? joint->limit.range[k][1] : 0.5;
            double swing = fmin(0.25, 0.4 * (high - low));
            values[at] = 0.5 * (low + high) + swing * sin(seconds * (1 + 0.13 * (at % 7)));
        }
    }
    snw_pose_set_values(bench->truth, values);
    (void)snw_pose_apply_limits(bench->truth);
    snw_pose_forward(bench->truth);
    for (int g = 0; g < bench->goal_count; g++) {
        bench->goal[g].position = bench->truth->world[bench->goal[g].joint].translation;
        bench->goal[g].orientation = bench->truth->world[bench->goal[g].joint].rotation;
    }
}

static void run_steps(servo_bench *bench, int count, int rates, bool is_random)
{
    snw_random random = snw_random_seed(8, 8);
    double before[SERVO_DOF] = {0}, change[SERVO_DOF] = {0};
    move_truth(bench, 0);
    snw_pose_copy(bench->pose, bench->truth);
    for (int n = 0; n < count; n++) {
        if (!is_random) {
            move_truth(bench, n * SERVO_STEP);
        } else if (n % 1500 == 0) {
            bench_take_pose(bench->truth, &random, false);
            bench->goal[0].position = bench->truth->world[bench->goal[0].joint].translation;
            bench->goal[0].orientation = bench->truth->world[bench->goal[0].joint].rotation;
        }
        double start = cli_microseconds();
        snw_ik_servo_result result =
            snw_ik_servo_step(bench->servo, bench->goal, SERVO_STEP, bench->pose);
        bench->times[n] = cli_microseconds() - start;
        if (!is_random && n > count / 4) bench->behind = fmax(bench->behind, result.worst_residual);
        const double *v = snw_ik_servo_velocity(bench->servo);
        bool is_crossed = snw_pose_violation(bench->pose) > SNW_LIMIT_TOLERANCE;
        for (int k = 0; k < bench->body->dof_count; k++) {
            double a = (v[k] - before[k]) / SERVO_STEP, j = (a - change[k]) / SERVO_STEP;
            is_crossed |= fabs(v[k]) > 2 * (1 + 1e-9);
            is_crossed |= rates > 1 && fabs(a) > 20 * (1 + 1e-6);
            is_crossed |= rates > 2 && fabs(j) > 1000 * (1 + 1e-6);
            before[k] = v[k];
            change[k] = a;
        }
        bench->crossed += is_crossed;
    }
}

static bool run_row(const char *name, int goal_count, int rates, bool is_random, int count,
                    snw_error *error)
{
    static const char *const words[] = {"", "speed", "+ acceleration", "+ jerk"};
    servo_bench bench = {.goal_count = goal_count};
    bench.times = malloc((size_t)count * sizeof *bench.times);
    bool is_good = bench.times && open_servo(&bench, name, rates, goal_count > 1, error);
    if (is_good) {
        char behind[32] = "-";
        run_steps(&bench, count, rates, is_random);
        if (!is_random) snw_format(behind, sizeof behind, "%.3f", 1000 * bench.behind);
        printf("%-10s %6d %-16s %-8s %10.1f %10.1f %10s %8d\n", name, goal_count, words[rates],
               is_random ? "jumps" : "path", cli_median(bench.times, count),
               cli_quantile(bench.times, count, 0.99), behind, bench.crossed);
    }
    snw_ik_servo_destroy(bench.servo);
    snw_pose_destroy(bench.pose);
    snw_pose_destroy(bench.truth);
    snw_skeleton_destroy(bench.body);
    free(bench.times);
    return is_good;
}

int bench_ik_servo(const cli_arguments *arguments)
{
    static const struct {
        const char *name;
        int goals;
    } bodies[] = {{"panda", 1}, {"ur5", 1}, {"arm7", 1}, {"humanoid", 5}};
    int64_t count = 20000;
    snw_error error = snw_error_none();
    if (!cli_integer(arguments, "--count", 1, 10000000, &count)) return CLI_USAGE;
    printf("%-10s %6s %-16s %-8s %10s %10s %10s %8s\n", "body", "goals", "limits", "target",
           "median us", "p99 us", "mm or rad/1000 behind", "crossed");
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++)
        for (int row = 0; row < (bodies[b].goals == 1 ? 6 : 2); row++)
            if (!run_row(bodies[b].name, bodies[b].goals, row % 3 + 1, row >= 3, (int)count,
                         &error))
                return cli_fail(arguments, "%s", error.message);
    return CLI_DONE;
}
