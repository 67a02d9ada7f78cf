/* `sinew bench ik --soak`: random solves on bodies with every kind of limit, near and out of reach.
 * Nothing may break a limit, none may be NaN, none may allocate. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "clock.h"

#define SOAK_JOINTS 6
/* Bones of 0.1 m. */
#define SOAK_BONE 0.1

typedef struct soak_kind {
    const char *name;
    void (*fill)(snw_joint *joint, int index);
} soak_kind;

/* ---- kinds of limits ------------------------------------------------------------------------ */

static void fill_hinge(snw_joint *joint, int index)
{
    joint->type = SNW_JOINT_HINGE;
    joint->axis = index % 2 ? snw_vec3_make(0, 1, 0) : snw_vec3_make(0, 0, 1);
    joint->limit.has_range[0] = true;
    joint->limit.range[0][0] = -0.3;
    joint->limit.range[0][1] = 1.2;
}

/* A range of nearly a full turn that goes through half a turn. */
static void fill_wide_hinge(snw_joint *joint, int index)
{
    fill_hinge(joint, index);
    joint->limit.range[0][0] = 0;
    joint->limit.range[0][1] = snw_radians(350);
}

static void fill_universal(snw_joint *joint, int index)
{
    joint->type = SNW_JOINT_UNIVERSAL;
    joint->axis = snw_vec3_make(0, 0, 1);
    joint->axis2 = snw_vec3_make(0, 1, 0);
    for (int k = 0; k < 2; k++) {
        joint->limit.has_range[k] = true;
        joint->limit.range[k][0] = -0.4 - 0.05 * index;
        joint->limit.range[k][1] = 0.7;
    }
}

/* Pivots between hinges: a chain of pivots alone would not move its tip. */
static void fill_pivot(snw_joint *joint, int index)
{
    fill_hinge(joint, 0);
    if (index % 2 == 0) return;
    joint->type = SNW_JOINT_PIVOT;
    joint->axis = snw_vec3_make(1, 0, 0);
}

static void fill_ball(snw_joint *joint)
{
    joint->type = SNW_JOINT_BALL;
    joint->axis = snw_vec3_make(1, 0, 0);
    joint->axis2 = snw_vec3_make(0, 1, 0);
}

static void fill_cone(snw_joint *joint, int index)
{
    fill_ball(joint);
    joint->limit = bench_cone_limit();
    joint->limit.cone[index % 4] = snw_radians(60);
}

/* A flat cone turns like a hinge. */
static void fill_flat_cone(snw_joint *joint, int index)
{
    fill_cone(joint, index);
    joint->limit.cone[1] = joint->limit.cone[3] = 0;
}

/* L-shaped: concave. */
static void fill_window(snw_joint *joint, int index)
{
    static const double corner[6][2] = {{-0.5, -0.5}, {0.6, -0.5}, {0.6, 0.2},
                                        {0.2, 0.2},   {0.2, 0.7},  {-0.5, 0.7}};
    (void)index;
    fill_ball(joint);
    joint->limit.swing = SNW_SWING_POLYGON;
    joint->limit.window_count = 6;
    memcpy(joint->limit.window, corner, sizeof corner);
    joint->limit.has_twist = true;
    joint->limit.twist[0] = -0.3;
    joint->limit.twist[1] = 0.6;
}

static void fill_twist(snw_joint *joint, int index)
{
    (void)index;
    fill_ball(joint);
    joint->limit.has_twist = true;
    joint->limit.twist[0] = -0.5;
    joint->limit.twist[1] = 0.1;
}

/* Slides between hinges. */
static void fill_prismatic(snw_joint *joint, int index)
{
    fill_hinge(joint, index / 2);
    if (index % 2 == 0) return;
    joint->type = SNW_JOINT_PRISMATIC;
    joint->axis = snw_vec3_make(1, 0, 0);
    joint->limit.range[0][0] = -0.02;
    joint->limit.range[0][1] = 0.05;
}

static const soak_kind soak_kinds[] = {
    {"hinge", fill_hinge},         {"wide-hinge", fill_wide_hinge},
    {"universal", fill_universal}, {"pivot", fill_pivot},
    {"cone", fill_cone},           {"flat-cone", fill_flat_cone},
    {"window", fill_window},       {"twist", fill_twist},
    {"prismatic", fill_prismatic},
};

static snw_status make_body(const soak_kind *kind, snw_skeleton **out, snw_error *error)
{
    snw_joint_def defs[SOAK_JOINTS];
    char names[SOAK_JOINTS][16];
    for (int j = 0; j < SOAK_JOINTS; j++) {
        defs[j] = snw_joint_def_default();
        snw_format(names[j], sizeof names[j], "joint%d", j + 1);
        defs[j].name = names[j];
        defs[j].parent = j - 1;
        kind->fill(&defs[j].joint, j);
        if (j > 0) defs[j].rest.translation = snw_vec3_make(SOAK_BONE, 0, 0);
    }
    defs[SOAK_JOINTS - 1].has_tip = true;
    defs[SOAK_JOINTS - 1].tip = snw_vec3_make(SOAK_BONE, 0, 0);
    return snw_skeleton_create(defs, SOAK_JOINTS, NULL, out, error);
}

/* What is wished beyond the goal; only auto and lm serve more than nothing. */
typedef struct soak_wish {
    const char *name; /* after the method's */
    snw_ik_prefer prefer;
    bool has_second; /* a goal of lower priority on a joint in the middle */
} soak_wish;

static const soak_wish soak_wishes[] = {{"", SNW_IK_PREFER_NOTHING, false},
                                        {", start", SNW_IK_PREFER_START, false},
                                        {", rest", SNW_IK_PREFER_REST, false},
                                        {", priority", SNW_IK_PREFER_NOTHING, true}};
#define SOAK_WISHES ((int)(sizeof soak_wishes / sizeof *soak_wishes))

/* ---- soaking -------------------------------------------------------------------------------- */

typedef struct soak {
    snw_ik *ik;
    snw_goal goals[2];
    snw_pose *pose;
    int64_t solve_count;
    double iterations;
    int64_t reached;
} soak;

/* Every other solve starts where the last one ended, the others at random; one target in four is a
 * place an allowed pose has, the rest are anywhere up to 1.2 of reach. */
static void soak_once(soak *s, snw_random *random, int64_t n, bench_row *row)
{
    const snw_skeleton *body = s->pose->skeleton;
    double distance = 1.2 * body->size * cbrt(snw_random_unit(random));
    snw_vec3 target = snw_vec3_scale(snw_random_direction(random), distance);
    if (n % 4 == 0) {
        bench_scatter(s->pose, random, 1);
        target = snw_pose_tip(s->pose, body->joint_count - 1);
    }
    if (n % 2 == 0) bench_scatter(s->pose, random, 3);
    s->goals[0].position = target;
    s->goals[1].position = snw_vec3_scale(snw_random_direction(random), 0.5 * body->size);
    snw_ik_result result = snw_ik_solve(s->ik, s->goals, s->pose);
    row->not_finite += !bench_pose_is_finite(s->pose) || !isfinite(result.worst_residual);
    double violation = snw_pose_violation(s->pose);
    row->violations += !(violation <= 0);
    row->worst_error = fmax(row->worst_error, violation);
    s->iterations += result.iterations;
    s->reached += result.outcome == SNW_IK_REACHED;
}

static void soak_all(soak *s, bench_row *row)
{
    snw_random random = snw_random_seed(20260101, 7);
    double start = cli_microseconds();
    for (int64_t n = 0; n < s->solve_count; n++)
        soak_once(s, &random, n, row);
    row->target_count = (int)s->solve_count;
    row->mean_us = row->median_us = row->p99_us =
        (cli_microseconds() - start) / (double)s->solve_count;
    row->iterations = s->iterations / (double)s->solve_count;
    row->success = (double)s->reached / (double)s->solve_count;
}

/* Which solves are made. */
typedef struct soak_case {
    const soak_kind *kind;
    const snw_skeleton *body;
    snw_ik_solver solver;
    const soak_wish *wish;
    int64_t solve_count;
} soak_case;

static snw_status soak_solver(const soak_case *c, bench_rows *rows, snw_error *error)
{
    cli_counter counter;
    snw_allocator allocator = cli_counting_allocator(&counter);
    soak s = {.solve_count = c->solve_count};
    snw_ik_options options = snw_ik_options_default();
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    s.goals[0] = bench_tip_goal(c->body, zero);
    s.goals[1] = snw_goal_position(SOAK_JOINTS / 2, zero, zero);
    s.goals[1].priority = 1;
    char name[40], method[40];
    options.solver = c->solver;
    options.prefer = c->wish->prefer;
    /* Limits hold or not whatever the number of iterations: few let more solves be made. */
    options.iteration_max = 40;
    options.restart_max = 1;
    snw_format(name, sizeof name, "soak-%s", c->kind->name);
    snw_format(method, sizeof method, "%s%s", snw_ik_solver_name(c->solver), c->wish->name);
    bench_row *row = bench_rows_add(rows, name, method);
    snw_status status =
        snw_ik_create(&(snw_ik_problem){c->body, s.goals, c->wish->has_second ? 2 : 1}, &options,
                      &allocator, &s.ik, error);
    if (status == SNW_UNSUPPORTED)
        snw_format(row->note, sizeof row->note, "not for this problem: %.160s", error->message);
    if (status == SNW_OK) status = snw_pose_create(c->body, NULL, &s.pose, error);
    if (status == SNW_OK) {
        counter.allocations = 0;
        soak_all(&s, row);
        row->allocations = counter.allocations;
    }
    snw_pose_destroy(s.pose);
    snw_ik_destroy(s.ik);
    return status == SNW_UNSUPPORTED ? SNW_OK : status;
}

static snw_status soak_kind_of_limit(const cli_arguments *arguments, const soak_kind *kind,
                                     int64_t solve_count, bench_rows *rows, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_status status = make_body(kind, &body, error);
    for (int s = 0; s < SNW_IK_SOLVER_COUNT && status == SNW_OK; s++) {
        snw_ik_solver solver = (snw_ik_solver)s;
        int wishes = solver == SNW_IK_AUTO || solver == SNW_IK_LM ? SOAK_WISHES : 1;
        if (!bench_is_asked(arguments, "--solver", snw_ik_solver_name(solver))) continue;
        if (cli_is_interactive())
            fprintf(stderr, "%s %s\n", kind->name, snw_ik_solver_name(solver));
        for (int w = 0; w < wishes && status == SNW_OK; w++) {
            soak_case c = {kind, body, solver, &soak_wishes[w], solve_count};
            status = soak_solver(&c, rows, error);
        }
    }
    snw_skeleton_destroy(body);
    return status;
}

static int tell(const cli_arguments *arguments, const bench_rows *rows)
{
    int64_t solves = 0, violations = 0, not_finite = 0, allocations = 0;
    for (int n = 0; n < rows->count; n++) {
        solves += rows->row[n].target_count;
        violations += rows->row[n].violations;
        not_finite += rows->row[n].not_finite;
        allocations += rows->row[n].allocations;
    }
    if (cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        bench_rows_json(&json, NULL, rows);
    } else {
        bench_rows_print(rows);
        printf("\n%lld solves: %lld outside limits, %lld not finite, %lld allocations\n",
               (long long)solves, (long long)violations, (long long)not_finite,
               (long long)allocations);
    }
    if (violations + not_finite + allocations == 0) return CLI_DONE;
    return cli_fail(arguments, "%lld answers outside limits, %lld not finite, %lld allocations",
                    (long long)violations, (long long)not_finite, (long long)allocations);
}

int bench_ik_soak(const cli_arguments *arguments, int64_t solve_count)
{
    snw_error error = snw_error_none();
    snw_status status = SNW_OK;
    bench_rows *rows = calloc(1, sizeof *rows);
    if (!rows) return cli_fail(arguments, "no memory for the rows");
    for (size_t n = 0; n < sizeof soak_kinds / sizeof *soak_kinds && status == SNW_OK; n++)
        status = soak_kind_of_limit(arguments, soak_kinds + n, solve_count, rows, &error);
    int code = status == SNW_OK ? tell(arguments, rows) : cli_fail(arguments, "%s", error.message);
    free(rows);
    return code;
}
