/* `sinew bench ik --growth`: how the cost of a solve grows with the number of joints, the number of
 * effectors and the closeness to full reach; as a picture, or as rows with --json. */
#include <stdlib.h>

#include "bench/bench.h"
#include "draw/chart.h"
#include "output.h"

#define GROWTH_TARGETS 100
/* Seconds per point and method; slow points are medians of fewer targets. */
#define GROWTH_BUDGET 0.15
#define GROWTH_SEED   77

static const snw_ik_solver growth_solvers[] = {SNW_IK_AUTO, SNW_IK_FABRIK, SNW_IK_CCD, SNW_IK_DLS,
                                               SNW_IK_LM};
#define GROWTH_SOLVERS ((int)(sizeof growth_solvers / sizeof *growth_solvers))

typedef snw_status growth_case(double x, bench_case *c, snw_error *error);

/* ---- cases ---------------------------------------------------------------------------------- */

/* A chain of one metre, bent by 40 degrees in all, targets at `least` to `most` of reach. */
static snw_status make_chain(int count, double least, double most, bench_case *c, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(GROWTH_SEED, (uint64_t)count);
    snw_status status = bench_make_straight_chain(count, 1.0 / count, NULL, &body, error);
    if (status == SNW_OK) status = bench_case_prepare(c, "growth", body, 1, GROWTH_TARGETS, error);
    if (status != SNW_OK) return status;
    c->options.iteration_max = 20000;
    snw_vec3 axis = snw_vec3_make(0, 0, 1);
    for (int j = 1; j < count; j++)
        c->start->rotation[j] = snw_quat_from_axis_angle(axis, snw_radians(40.0 / count));
    snw_pose_forward(c->start);
    for (int n = 0; n < GROWTH_TARGETS; n++) {
        double distance = snw_random_range(&random, least, most);
        c->goals[n] = bench_tip_goal(body, snw_vec3_scale(snw_random_direction(&random), distance));
    }
    return SNW_OK;
}

static snw_status joints_case(double joint_count, bench_case *c, snw_error *error)
{
    return make_chain((int)joint_count, 0.4, 0.9, c, error);
}

static snw_status reach_case(double room, bench_case *c, snw_error *error)
{
    return make_chain(10, 1 - room, 1 - room, c, error);
}

#define TREE_STEM    4
#define TREE_SEGMENT 4
#define TREE_MAX     (TREE_STEM + 32 * TREE_SEGMENT)

/* A stem of four links and segments of four links each, fanned out from its end; unit links. */
static snw_status make_tree(int segment_count, snw_skeleton **out, snw_error *error)
{
    static snw_joint_def defs[TREE_MAX];
    static char names[TREE_MAX][16];
    int count = TREE_STEM + segment_count * TREE_SEGMENT;
    for (int j = 0; j < count; j++) {
        int segment = (j - TREE_STEM) / TREE_SEGMENT, place = (j - TREE_STEM) % TREE_SEGMENT;
        bool is_first = j >= TREE_STEM && place == 0;
        double angle = 2 * SNW_PI * segment / segment_count;
        snw_vec3 along = {0, 1, 0}, out_of_stem = {cos(angle), 0.3, sin(angle)};
        defs[j] = snw_joint_def_default();
        snw_format(names[j], sizeof names[j], "link%d", j);
        defs[j].name = names[j];
        defs[j].parent = is_first ? TREE_STEM - 1 : j - 1;
        defs[j].joint.type = SNW_JOINT_BALL;
        defs[j].joint.axis = j < TREE_STEM ? along : snw_vec3_unit(out_of_stem, along);
        defs[j].joint.axis2 = snw_vec3_perpendicular(defs[j].joint.axis);
        if (j > 0) defs[j].rest.translation = defs[defs[j].parent].joint.axis;
        defs[j].has_tip = j >= TREE_STEM && place == TREE_SEGMENT - 1;
        defs[j].tip = defs[j].joint.axis;
    }
    return snw_skeleton_create(defs, count, NULL, out, error);
}

static snw_status effectors_case(double effector_count, bench_case *c, snw_error *error)
{
    int segments = (int)effector_count;
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(GROWTH_SEED, 1000 + (uint64_t)segments);
    snw_status status = make_tree(segments, &body, error);
    if (status == SNW_OK)
        status = bench_case_prepare(c, "growth", body, segments, GROWTH_TARGETS, error);
    if (status != SNW_OK) return status;
    c->options.iteration_max = 20000;
    for (int n = 0; n < GROWTH_TARGETS; n++) {
        bench_scatter(c->start, &random, 0.4);
        for (int e = 0; e < segments; e++) {
            int joint = TREE_STEM + (e + 1) * TREE_SEGMENT - 1;
            c->goals[n * segments + e] =
                snw_goal_position(joint, body->tip[joint], snw_pose_tip(c->start, joint));
        }
    }
    snw_pose_reset(c->start);
    return SNW_OK;
}

/* ---- measuring ------------------------------------------------------------------------------ */

typedef struct growth_axis {
    const char *name;
    const char *title, *label;
    bool is_reversed;
    growth_case *make;
    int count;
    double x[CLI_CHART_POINTS];
} growth_axis;

static const growth_axis growth_axes[] = {
    {"joints",
     "a chain of more joints",
     "joints",
     false,
     joints_case,
     7,
     {3, 5, 10, 20, 40, 80, 160}},
    {"effectors",
     "a tree with more effectors",
     "effectors",
     false,
     effectors_case,
     5,
     {1, 2, 4, 8, 16}},
    {"reach",
     "ten joints, nearer to full reach",
     "1 - distance / reach",
     true,
     reach_case,
     8,
     {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.003, 0.001}},
};
#define GROWTH_AXES ((int)(sizeof growth_axes / sizeof *growth_axes))

typedef struct growth {
    cli_chart chart[GROWTH_AXES];
    bench_rows rows;
} growth;

static snw_status measure_point(const growth_axis *axis, double x, cli_chart *chart,
                                bench_rows *rows, snw_error *error)
{
    bench_case c;
    char name[40];
    snw_status status = axis->make(x, &c, error);
    if (status != SNW_OK) return status;
    snw_format(name, sizeof name, "%s-%g", axis->name, x);
    for (int s = 0; s < GROWTH_SOLVERS && status == SNW_OK; s++) {
        bench_row *row = bench_rows_add(rows, name, snw_ik_solver_name(growth_solvers[s]));
        status = bench_measure(&c, growth_solvers[s], GROWTH_BUDGET, row, error);
        if (status == SNW_UNSUPPORTED) status = SNW_OK;
        if (row->target_count == 0) continue;
        int n = chart->point_count[s]++;
        chart->x[s][n] = x;
        chart->y[s][n] = fmax(row->median_us, 1e-3);
    }
    bench_case_release(&c);
    return status;
}

static snw_status measure_growth(growth *g, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int a = 0; a < GROWTH_AXES; a++) {
        const growth_axis *axis = growth_axes + a;
        g->chart[a].title = axis->title;
        g->chart[a].x_label = axis->label;
        g->chart[a].x_is_reversed = axis->is_reversed;
        g->chart[a].series_count = GROWTH_SOLVERS;
        for (int n = 0; n < axis->count && status == SNW_OK; n++)
            status = measure_point(axis, axis->x[n], g->chart + a, &g->rows, error);
    }
    return status;
}

static bool draw_growth(FILE *out, const void *context)
{
    const growth *g = context;
    const char *names[GROWTH_SOLVERS];
    for (int s = 0; s < GROWTH_SOLVERS; s++)
        names[s] = snw_ik_solver_name(growth_solvers[s]);
    cli_chart_page page = {"How the cost of a solve grows",
                           "median microseconds per solve, to 1e-4 of the body's size", GROWTH_AXES,
                           g->chart, names};
    cli_chart_draw(&page, out);
    return true;
}

int bench_ik_growth(const cli_arguments *arguments, const char *path)
{
    snw_error error = snw_error_none();
    growth *g = calloc(1, sizeof *g);
    if (!g) return cli_fail(arguments, "no memory for the chart");
    int code = CLI_DONE;
    if (measure_growth(g, &error) != SNW_OK)
        code = cli_fail(arguments, "%s", error.message);
    else
        code = cli_write_whole(arguments, path, draw_growth, g);
    if (code == CLI_DONE && cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        bench_rows_json(&json, NULL, &g->rows);
    } else if (code == CLI_DONE) {
        bench_rows_print(&g->rows);
    }
    free(g);
    return code;
}
