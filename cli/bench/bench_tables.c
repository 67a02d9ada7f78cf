/* `sinew bench ik --tables`: Tables 3.1, 3.2 and 3.3 of A. Aristidou, "Tracking and modelling
 * motion for biomechanical analysis" (PhD thesis, Cambridge, 2010), beside our figures.
 *
 * The printed setting is 10 joints, 9000 mm long, target 6000 mm from the end effector, tolerance
 * 1e-3 mm, 20 runs. A start bent by 5 degrees per joint and targets at 0.6 to 0.8 of reach give the
 * printed 15.46 iterations of FABRIK. Two printed orders are not general: CCD with exact steps
 * needs fewer iterations than FABRIK in this setting (it needs far more near full reach and from
 * curled starts), and the hundreds of iterations of the Jacobian methods are those of a small step:
 * with the pull clamped to D per iteration they need 6000 mm / D and a few more. The rows "pull
 * clamped" show that at D = 100 mm. Times in the thesis are of MATLAB on a 2.2 GHz processor of its
 * day. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "clock.h"

#define TABLE_LINKS 9
#define TABLE_RUNS  20
#define TABLE_SEED  31
/* 1e-3 mm, in metres. */
#define TABLE_LIMIT 1e-6
/* Enough that nothing here ends for want of iterations. */
#define TABLE_ITERATIONS 20000
/* A row ends after this many seconds, whatever is left. */
#define TABLE_BUDGET 5.0

typedef struct table_line {
    const char *table;
    char method[60];
    double printed_iterations; /* 0: not printed */
    double printed_ms;         /* 0: not printed */
    double printed_error_mm;   /* 0: not printed */
    double iterations, iterations_median, microseconds, success;
    double error_mm; /* table 3.2: median distance of joints from the truth */
} table_line;

#define TABLE_LINES_MAX 64
typedef struct table_lines {
    int count;
    table_line line[TABLE_LINES_MAX];
} table_lines;

/* What the thesis prints for a method in one place. */
typedef struct printed {
    const char *method;
    snw_ik_solver solver;
    double iterations, milliseconds, error_mm;
} printed;

static table_line *add_line(table_lines *lines, const char *table, const printed *p,
                            const char *remark)
{
    if (lines->count < TABLE_LINES_MAX) lines->count++;
    table_line *line = lines->line + lines->count - 1;
    memset(line, 0, sizeof *line);
    line->table = table;
    snw_format(line->method, sizeof line->method, "%s%s", p->method, remark);
    line->printed_iterations = p->iterations;
    line->printed_ms = p->milliseconds;
    line->printed_error_mm = p->error_mm;
    return line;
}

/* ---- the chain of tables 3.1 and 3.3 --------------------------------------------------------- */

/* How far the targets are: shares of reach. tip_distance 0: anywhere at that distance. */
typedef struct table_setting {
    double least, most;
    double tip_distance; /* metres from the tip at the start */
    double bend_deg;     /* of every joint at the start */
    bool has_limits;
} table_setting;

static const table_setting printed_setting = {0.6, 0.8, 6, 5, false};
static const table_setting limited_setting = {0.6, 0.8, 6, 5, true};
static const table_setting beyond_setting = {1.05, 1.4, 6, 5, false};
static const table_setting near_setting = {0.95, 0.99, 0, 5, false};
static const table_setting curled_setting = {0.6, 0.8, 0, 80, false};

/* A point at `distance` from the base and `apart` from the tip: on the circle where the two spheres
 * meet. False when they do not. */
static bool point_between(snw_vec3 tip, double distance, double apart, snw_random *random,
                          snw_vec3 *point)
{
    double base_tip = snw_vec3_length(tip);
    double along = (distance * distance - apart * apart + base_tip * base_tip) / (2 * base_tip);
    double across2 = distance * distance - along * along;
    if (across2 <= 0) return false;
    snw_vec3 axis = snw_vec3_scale(tip, 1 / base_tip);
    snw_quat turn = snw_quat_from_axis_angle(axis, snw_random_range(random, 0, 2 * SNW_PI));
    snw_vec3 side = snw_quat_rotate(turn, snw_vec3_perpendicular(axis));
    *point = snw_vec3_add(snw_vec3_scale(axis, along), snw_vec3_scale(side, sqrt(across2)));
    return true;
}

static void place_targets(const table_setting *setting, bench_case *c)
{
    snw_random random = snw_random_seed(TABLE_SEED, 1);
    snw_vec3 tip = snw_pose_tip(c->start, TABLE_LINKS - 1);
    for (int n = 0; n < c->target_count;) {
        double distance = TABLE_LINKS * snw_random_range(&random, setting->least, setting->most);
        snw_vec3 target = snw_vec3_scale(snw_random_direction(&random), distance);
        if (setting->tip_distance > 0 &&
            !point_between(tip, distance, setting->tip_distance, &random, &target))
            continue;
        c->unavoidable[n] = fmax(0, distance - TABLE_LINKS);
        c->goals[n++] = bench_tip_goal(c->body, target);
    }
}

/* Bends of up to 45 degrees every way and 45 degrees of twist. */
static snw_joint_limit table_limit(void)
{
    snw_joint_limit limit = snw_joint_limit_none();
    limit.swing = SNW_SWING_CONE;
    for (int k = 0; k < 4; k++)
        limit.cone[k] = snw_radians(45);
    limit.has_twist = true;
    limit.twist[0] = -snw_radians(45);
    limit.twist[1] = snw_radians(45);
    return limit;
}

static snw_status make_case(const table_setting *setting, bench_case *c, snw_error *error)
{
    snw_joint_limit limit = table_limit();
    snw_skeleton *body = NULL;
    snw_status status = bench_make_straight_chain(TABLE_LINKS, 1, NULL, &body, error);
    if (status == SNW_OK && setting->has_limits) {
        snw_joint_def defs[TABLE_LINKS];
        for (int j = 0; j < TABLE_LINKS; j++) {
            defs[j] = snw_skeleton_joint_def(body, j);
            if (j > 0) defs[j].joint.limit = limit; /* the whole chain may point anywhere */
        }
        snw_skeleton *limited = NULL;
        status = snw_skeleton_create(defs, TABLE_LINKS, NULL, &limited, error);
        snw_skeleton_destroy(body);
        body = limited;
    }
    if (status == SNW_OK) status = bench_case_prepare(c, "table", body, 1, TABLE_RUNS, error);
    if (status != SNW_OK) return status;
    snw_vec3 axis = snw_vec3_make(0, 0, 1);
    for (int j = 1; j < TABLE_LINKS; j++)
        c->start->rotation[j] = snw_quat_from_axis_angle(axis, snw_radians(setting->bend_deg));
    snw_pose_forward(c->start);
    c->limit = TABLE_LIMIT;
    c->options.tolerance = TABLE_LIMIT / body->size;
    c->options.iteration_max = TABLE_ITERATIONS;
    place_targets(setting, c);
    return SNW_OK;
}

static void take_row(table_line *line, const bench_row *row)
{
    line->iterations = row->iterations;
    line->iterations_median = row->iterations_median;
    line->microseconds = row->median_us;
    line->success = row->success;
}

/* step_max_mm 0: the library's own. */
static snw_status add_chain_line(table_lines *lines, const char *table, const printed *p,
                                 const table_setting *setting, double step_max_mm, snw_error *error)
{
    bench_case c;
    bench_row row = {.target_count = 0};
    snw_status status = make_case(setting, &c, error);
    if (status != SNW_OK) return status;
    if (step_max_mm > 0) c.options.step_max = step_max_mm / 1000 / c.body->size;
    status = bench_measure(&c, p->solver, TABLE_BUDGET, &row, error);
    if (status == SNW_OK)
        take_row(add_line(lines, table, p, step_max_mm > 0 ? ", pull clamped to 100 mm" : ""),
                 &row);
    bench_case_release(&c);
    return status;
}

/* ---- the dance of table 3.2 -------------------------------------------------------------------
 */

#define DANCE_FRAMES 60
/* Frames per second, as printed. */
#define DANCE_RATE      3.0
#define DANCE_EFFECTORS 4

typedef struct dance {
    snw_skeleton *body;
    snw_pose *truth, *pose;
    snw_ik *ik;
    snw_goal goals[DANCE_EFFECTORS];
} dance;

/* Every joint swings about an axis of its own, by up to half a radian, at its own pace around half
 * a turn per second: one motion, made of fixed seeds. */
static void dance_at(double seconds, snw_pose *pose)
{
    snw_random random = snw_random_seed(TABLE_SEED, 2);
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        snw_vec3 axis = snw_random_direction(&random);
        double pace = snw_random_range(&random, 0.3, 0.7), phase = snw_random_range(&random, 0, 6);
        double angle = 0.5 * sin(2 * SNW_PI * pace * seconds + phase);
        pose->rotation[j] = snw_quat_from_axis_angle(axis, angle);
    }
    snw_pose_forward(pose);
}

static double mean_distance_mm(const snw_pose *a, const snw_pose *b)
{
    double sum = 0;
    for (int j = 0; j < a->skeleton->joint_count; j++)
        sum += snw_vec3_length(snw_vec3_sub(a->world[j].translation, b->world[j].translation));
    return 1000 * sum / a->skeleton->joint_count;
}

static void run_dance(dance *d, table_line *line)
{
    double errors[DANCE_FRAMES], times[DANCE_FRAMES], counts[DANCE_FRAMES];
    double iterations = 0;
    int reached = 0;
    dance_at(0, d->pose);
    for (int frame = 0; frame < DANCE_FRAMES; frame++) {
        dance_at((frame + 1) / DANCE_RATE, d->truth);
        for (int g = 0; g < DANCE_EFFECTORS; g++)
            d->goals[g].position = snw_pose_point(d->truth, d->goals[g].joint, d->goals[g].point);
        double before = cli_microseconds();
        snw_ik_result result = snw_ik_solve(d->ik, d->goals, d->pose);
        times[frame] = cli_microseconds() - before;
        errors[frame] = mean_distance_mm(d->truth, d->pose);
        counts[frame] = result.iterations;
        iterations += result.iterations;
        reached += result.outcome == SNW_IK_REACHED;
    }
    line->iterations = iterations / DANCE_FRAMES;
    line->iterations_median = cli_median(counts, DANCE_FRAMES);
    line->microseconds = cli_median(times, DANCE_FRAMES);
    line->success = (double)reached / DANCE_FRAMES;
    line->error_mm = cli_median(errors, DANCE_FRAMES);
}

static snw_status add_dance_line(table_lines *lines, const printed *p, snw_error *error)
{
    static const char *const names[DANCE_EFFECTORS] = {"left_wrist", "right_wrist", "left_ankle",
                                                       "right_ankle"};
    dance d = {.body = NULL};
    snw_ik_options options = snw_ik_options_default();
    options.solver = p->solver;
    snw_status status = snw_preset_create("humanoid13", NULL, &d.body, error);
    if (status == SNW_OK) status = snw_pose_create(d.body, NULL, &d.truth, error);
    if (status == SNW_OK) status = snw_pose_create(d.body, NULL, &d.pose, error);
    for (int g = 0; g < DANCE_EFFECTORS && status == SNW_OK; g++)
        d.goals[g] = snw_goal_position(snw_skeleton_find_joint(d.body, names[g]),
                                       snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    if (status == SNW_OK) {
        options.iteration_max = TABLE_ITERATIONS;
        status = snw_ik_create(&(snw_ik_problem){d.body, d.goals, DANCE_EFFECTORS}, &options, NULL,
                               &d.ik, error);
    }
    if (status == SNW_OK) run_dance(&d, add_line(lines, "3.2", p, ""));
    snw_ik_destroy(d.ik);
    snw_pose_destroy(d.pose);
    snw_pose_destroy(d.truth);
    snw_skeleton_destroy(d.body);
    return status;
}

/* ---- the tables -------------------------------------------------------------------------------
 */

static const printed reachable[] = {
    {"FABRIK", SNW_IK_FABRIK, 15.461, 13.28, 0},
    {"CCD", SNW_IK_CCD, 26.308, 123.56, 0},
    {"Jacobian transpose", SNW_IK_JACOBIAN_TRANSPOSE, 1311.190, 12989.47, 0},
    {"Jacobian DLS", SNW_IK_DLS, 998.648, 10480.51, 0},
    {"Jacobian SVD-DLS", SNW_IK_SVD_DLS, 808.797, 9296.52, 0},
    {"(auto)", SNW_IK_AUTO, 0, 0, 0},
};

bool bench_printed(snw_ik_solver solver, double *iterations, double *milliseconds)
{
    for (size_t n = 0; n < sizeof reachable / sizeof *reachable; n++) {
        if (reachable[n].solver != solver || reachable[n].iterations == 0) continue;
        *iterations = reachable[n].iterations;
        *milliseconds = reachable[n].milliseconds;
        return true;
    }
    return false;
}

static const printed unreachable[] = {
    {"FABRIK", SNW_IK_FABRIK, 67.564, 62.07, 0},
    {"CCD", SNW_IK_CCD, 390.135, 3928.69, 0},
    {"Jacobian transpose", SNW_IK_JACOBIAN_TRANSPOSE, 6549.0, 33904.73, 0},
    {"Jacobian DLS", SNW_IK_DLS, 2881.667, 14879.18, 0},
    {"Jacobian SVD-DLS", SNW_IK_SVD_DLS, 2808.452, 15975.91, 0},
    {"(auto)", SNW_IK_AUTO, 0, 0, 0},
};

static const printed dancing[] = {
    {"FABRIK", SNW_IK_FABRIK, 65, 1.6, 58.68},
    {"CCD", SNW_IK_CCD, 67, 20.5, 69.99},
    {"Jacobian transpose", SNW_IK_JACOBIAN_TRANSPOSE, 1352, 1928, 137.42},
    {"Jacobian DLS", SNW_IK_DLS, 804, 1533, 84.84},
    {"Jacobian SVD-DLS", SNW_IK_SVD_DLS, 723, 1494, 83.73},
    {"(auto)", SNW_IK_AUTO, 0, 0, 0},
};

static const printed limited[] = {
    {"FABRIK constrained", SNW_IK_FABRIK, 17.142, 31.10, 0},
    {"CCD constrained", SNW_IK_CCD, 26.857, 292.81, 0},
    {"(auto) constrained", SNW_IK_AUTO, 0, 0, 0},
};

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static snw_status add_chain_lines(table_lines *lines, const char *table, const printed *rows,
                                  int count, const table_setting *setting, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int n = 0; n < count && status == SNW_OK; n++)
        status = add_chain_line(lines, table, rows + n, setting, 0, error);
    return status;
}

/* The orders that hold: see the head of the file. */
static snw_status add_orders(table_lines *lines, snw_error *error)
{
    static const printed fabrik = {"FABRIK", SNW_IK_FABRIK, 0, 0, 0};
    static const printed ccd = {"CCD", SNW_IK_CCD, 0, 0, 0};
    snw_status status = SNW_OK;
    for (int n = 2; n < 5 && status == SNW_OK; n++)
        status =
            add_chain_line(lines, "3.1 reachable", reachable + n, &printed_setting, 100, error);
    if (status == SNW_OK)
        status = add_chain_line(lines, "0.95-0.99 of reach", &fabrik, &near_setting, 0, error);
    if (status == SNW_OK)
        status = add_chain_line(lines, "0.95-0.99 of reach", &ccd, &near_setting, 0, error);
    if (status == SNW_OK)
        status = add_chain_line(lines, "curled start", &fabrik, &curled_setting, 0, error);
    if (status == SNW_OK)
        status = add_chain_line(lines, "curled start", &ccd, &curled_setting, 0, error);
    return status;
}

static snw_status fill_tables(table_lines *lines, snw_error *error)
{
    snw_status status = add_chain_lines(lines, "3.1 reachable", reachable, COUNT_OF(reachable),
                                        &printed_setting, error);
    if (status == SNW_OK)
        status = add_chain_lines(lines, "3.1 unreachable", unreachable, COUNT_OF(unreachable),
                                 &beyond_setting, error);
    for (int n = 0; n < COUNT_OF(dancing) && status == SNW_OK; n++)
        status = add_dance_line(lines, dancing + n, error);
    if (status == SNW_OK)
        status = add_chain_lines(lines, "3.3", limited, COUNT_OF(limited), &limited_setting, error);
    return status == SNW_OK ? add_orders(lines, error) : status;
}

/* ---- printing ---------------------------------------------------------------------------------
 */

static void print_printed(double number, const char *form)
{
    char text[40] = "-";
    if (number > 0) snprintf(text, sizeof text, form, number);
    printf(" %10s", text);
}

static void print_lines(const table_lines *lines)
{
    printf("printed: Aristidou 2010 (times of MATLAB); ours beside it in the same setting:\n"
           "3.1, 3.3: 9 links of 1 m, start bent 5 degrees per joint, target 6 m from the tip at\n"
           "0.6-0.8 of reach (unreachable: 1.05-1.4), to 0.001 mm, %d runs; 3.3 with cones of 45\n"
           "degrees and twists of 45 degrees. 3.2: a humanoid of 13 joints in a made dance at 3\n"
           "frames per second, wrists and ankles given; error: joints against the truth. Solved: "
           "within\n"
           "0.001 mm of the target, or of the nearest place when that is rightly called "
           "unreachable.\n\n"
           "%-20s %-44s %10s %10s %10s %10s %10s %10s %8s\n",
           TABLE_RUNS, "table", "method", "printed it", "ours", "printed ms", "ours ms",
           "printed mm", "ours mm", "solved");
    for (int n = 0; n < lines->count; n++) {
        const table_line *line = lines->line + n;
        printf("%-20s %-44s", line->table, line->method);
        print_printed(line->printed_iterations, "%.1f");
        printf(" %10.1f", line->iterations);
        print_printed(line->printed_ms, "%.1f");
        printf(" %10.4f", line->microseconds / 1000);
        print_printed(line->printed_error_mm, "%.1f");
        print_printed(line->error_mm, "%.1f");
        printf(" %7.0f%%\n", 100 * line->success);
    }
}

static void put_printed(cli_json *json, const char *key, double number)
{
    if (number > 0) cli_json_number(json, key, number);
}

static void put_lines(const table_lines *lines)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_array(&json, NULL);
    for (int n = 0; n < lines->count; n++) {
        const table_line *line = lines->line + n;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "table", line->table);
        cli_json_string(&json, "method", line->method);
        put_printed(&json, "printed_iterations", line->printed_iterations);
        put_printed(&json, "printed_ms", line->printed_ms);
        put_printed(&json, "printed_error_mm", line->printed_error_mm);
        cli_json_number(&json, "iterations", line->iterations);
        cli_json_number(&json, "iterations_median", line->iterations_median);
        cli_json_number(&json, "median_us", line->microseconds);
        cli_json_number(&json, "success", line->success);
        put_printed(&json, "error_mm", line->error_mm);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
}

int bench_ik_tables(const cli_arguments *arguments)
{
    snw_error error = snw_error_none();
    table_lines *lines = calloc(1, sizeof *lines);
    if (!lines) return cli_fail(arguments, "no memory for the tables");
    int code = CLI_DONE;
    if (fill_tables(lines, &error) != SNW_OK)
        code = cli_fail(arguments, "%s", error.message);
    else if (cli_flag(arguments, "--json"))
        put_lines(lines);
    else
        print_lines(lines);
    free(lines);
    return code;
}
