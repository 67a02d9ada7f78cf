/* `sinew bench ik --figures FOLDER`: figures 3.17, 3.18, 3.20 and 3.22 of A. Aristidou, "Tracking
 * and modelling motion for biomechanical analysis" (PhD thesis, Cambridge, 2010), drawn anew:
 *
 *   3.17  iterations against the distance between target and end effector
 *   3.18  time to a solution against the accuracy asked for
 *   3.20  a target on a sinusoidal path, tracked: how far the tip is from it, out of reach too
 *   3.22  two targets on sinusoidal paths, a body of two arms: the largest step of a joint against
 *         the target's
 *
 * The chain is that of tables 3.1 and 3.3 (bench_tables.c): nine links of a metre, bent by five
 * degrees at every joint. The thesis prints no numbers in these figures; what it prints in table
 * 3.1 for the same chain stands beside ours. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench.h"
#include "draw/chart.h"
#include "output.h"

#define FIGURE_LINKS   9
#define FIGURE_TARGETS 20
#define FIGURE_SEED    317
#define FIGURE_BUDGET  1.0

static const snw_ik_solver figure_methods[] = {
    SNW_IK_FABRIK, SNW_IK_CCD, SNW_IK_DLS, SNW_IK_SVD_DLS, SNW_IK_AUTO, SNW_IK_JACOBIAN_TRANSPOSE};
#define FIGURE_METHODS ((int)(sizeof figure_methods / sizeof *figure_methods))

static snw_status make_chain(bench_case *c, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_status status = bench_make_straight_chain(FIGURE_LINKS, 1, NULL, &body, error);
    if (status == SNW_OK) status = bench_case_prepare(c, "figure", body, 1, FIGURE_TARGETS, error);
    if (status != SNW_OK) return status;
    for (int j = 1; j < FIGURE_LINKS; j++)
        c->start->rotation[j] = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), snw_radians(5));
    snw_pose_forward(c->start);
    c->options.iteration_max = 20000;
    return SNW_OK;
}

/* Targets so far from the tip, within 0.97 of reach. */
static void place_at(bench_case *c, double distance)
{
    snw_random random = snw_random_seed(FIGURE_SEED, 1);
    snw_vec3 tip = snw_pose_tip(c->start, FIGURE_LINKS - 1);
    for (int n = 0; n < FIGURE_TARGETS;) {
        snw_vec3 at = snw_vec3_add_scaled(tip, distance, snw_random_direction(&random));
        if (snw_vec3_length(at) > 0.97 * FIGURE_LINKS) continue;
        c->goals[n++] = bench_tip_goal(c->body, at);
    }
}

static void add_point(cli_chart *chart, int series, double x, double y)
{
    int n = chart->point_count[series]++;
    chart->x[series][n] = x;
    chart->y[series][n] = fmax(y, 1e-6);
}

static snw_status figure_distance(cli_chart *chart, snw_error *error)
{
    static const double distance[] = {0.1, 0.3, 1, 2, 4, 6, 9, 12};
    snw_status status = SNW_OK;
    for (int d = 0; d < 8 && status == SNW_OK; d++) {
        bench_case c;
        status = make_chain(&c, error);
        if (status != SNW_OK) break;
        place_at(&c, distance[d]);
        c.limit = 1e-6;
        c.options.tolerance = 1e-6 / c.body->size;
        for (int m = 0; m < FIGURE_METHODS && status == SNW_OK; m++) {
            bench_row row = {.target_count = 0};
            status = bench_measure(&c, figure_methods[m], FIGURE_BUDGET, &row, error);
            if (row.target_count > 0) add_point(chart, m, distance[d], row.iterations);
        }
        bench_case_release(&c);
    }
    return status;
}

static snw_status figure_accuracy(cli_chart *chart, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int a = 0; a < 7 && status == SNW_OK; a++) {
        double accuracy = pow(10, -a); /* metres */
        bench_case c;
        status = make_chain(&c, error);
        if (status != SNW_OK) break;
        place_at(&c, 6);
        c.limit = accuracy;
        c.options.tolerance = accuracy / c.body->size;
        for (int m = 0; m < FIGURE_METHODS && status == SNW_OK; m++) {
            bench_row row = {.target_count = 0};
            status = bench_measure(&c, figure_methods[m], FIGURE_BUDGET, &row, error);
            if (row.target_count > 0) add_point(chart, m, accuracy, row.median_us);
        }
        bench_case_release(&c);
    }
    return status;
}

/* ---- tracking ------------------------------------------------------------------------------- */

enum {
    FIGURE_STEPS = 1000,
    FIGURE_PART = 200 /* steps in one point of the chart */
};

typedef void figure_path(int step, double size, snw_vec3 *target);

static void one_path(int step, double size, snw_vec3 *target)
{
    double a = 2 * SNW_PI * step / 250;
    target[0] = snw_vec3_make(size * 0.8, size * 0.7 * sin(a), size * 0.2 * cos(a));
}

static void two_paths(int step, double size, snw_vec3 *target)
{
    double a = 2 * SNW_PI * step / 500;
    target[0] = snw_vec3_make(size * (-0.35 + 0.35 * sin(a)), size * (0.75 + 0.35 * sin(2 * a)),
                              size * 0.2 * sin(a));
    target[1] = snw_vec3_make(size * (0.35 + 0.3 * sin(a + 1)), size * (0.75 + 0.35 * cos(2 * a)),
                              size * 0.2 * cos(a));
}

typedef struct figure_track {
    const snw_skeleton *body;
    int goal_count;
    snw_goal goal[2];
    figure_path *path;
    bool shows_steps; /* the largest joint step over the target's, not the distance to it */
} figure_track;

/* One method along the path; a point of the chart for every two hundred steps. */
static snw_status follow(const figure_track *t, int m, cli_chart *chart, snw_error *error)
{
    snw_ik *ik = NULL;
    snw_pose *pose = NULL, *last = NULL;
    snw_goal goal[2] = {t->goal[0], t->goal[1]};
    snw_ik_options options = snw_ik_options_default();
    options.solver = figure_methods[m];
    snw_status status = snw_pose_create(t->body, NULL, &pose, error);
    if (status == SNW_OK) status = snw_pose_create(t->body, NULL, &last, error);
    if (status == SNW_OK)
        status = snw_ik_create(&(snw_ik_problem){t->body, goal, t->goal_count}, &options, NULL, &ik,
                               error);
    double worst = 0;
    for (int n = 0; n < FIGURE_STEPS && status == SNW_OK; n++) {
        snw_vec3 target[2];
        double move = 0, joint_move = 0;
        t->path(n, t->body->size, target);
        snw_pose_copy(last, pose);
        for (int k = 0; k < t->goal_count; k++) {
            move = fmax(move, snw_vec3_distance(goal[k].position, target[k]));
            goal[k].position = target[k];
        }
        snw_ik_result result = snw_ik_solve(ik, goal, pose);
        for (int j = 0; j < t->body->joint_count; j++)
            joint_move = fmax(joint_move, snw_vec3_distance(pose->world[j].translation,
                                                            last->world[j].translation));
        if (n > 0) worst = fmax(worst, t->shows_steps ? joint_move / move : result.worst_residual);
        if (n % FIGURE_PART == FIGURE_PART - 1) {
            add_point(chart, m, n + 1, worst);
            worst = 0;
        }
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_pose_destroy(last);
    return status;
}

static snw_status figure_one_target(cli_chart *chart, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_status status = bench_make_straight_chain(FIGURE_LINKS, 1, NULL, &body, error);
    if (status != SNW_OK) return status;
    figure_track t = {body, 1, {bench_tip_goal(body, snw_vec3_make(0, 0, 0))}, one_path, false};
    for (int m = 0; m < FIGURE_METHODS && status == SNW_OK; m++)
        status = follow(&t, m, chart, error);
    snw_skeleton_destroy(body);
    return status;
}

static snw_status figure_two_targets(cli_chart *chart, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_vec3 zero = {0, 0, 0};
    snw_status status = snw_preset_create("y", NULL, &body, error);
    if (status != SNW_OK) return status;
    int last = body->joint_count - 1, other = last;
    while (other > 0 && body->parent[other] == other - 1)
        other--; /* the first joint of the second arm; the first arm ends before it */
    figure_track t = {
        body,
        2,
        {snw_goal_position(other - 1, zero, zero), snw_goal_position(last, zero, zero)},
        two_paths,
        true};
    for (int m = 0; m < FIGURE_METHODS && status == SNW_OK; m++)
        status = follow(&t, m, chart, error);
    snw_skeleton_destroy(body);
    return status;
}

/* ---- the four ------------------------------------------------------------------------------- */

typedef struct figure {
    const char *file, *title, *x_label, *y_label;
    bool is_reversed;
    snw_status (*measure)(cli_chart *chart, snw_error *error);
} figure;

static const figure figures[] = {
    {"fig-3.17.svg", "3.17: iterations against distance", "metres from tip to target",
     "mean iterations to 1e-3 mm", false, figure_distance},
    {"fig-3.18.svg", "3.18: time against accuracy", "metres asked for",
     "median microseconds per solve", true, figure_accuracy},
    {"fig-3.20.svg", "3.20: a target on a sinusoid, in and out of reach", "steps",
     "largest distance of the tip from the target, metres", false, figure_one_target},
    {"fig-3.22.svg", "3.22: two targets, two arms", "steps",
     "largest step of a joint over the target's", false, figure_two_targets}};

typedef struct figure_page {
    const figure *figure;
    cli_chart chart;
} figure_page;

static bool draw_page(FILE *out, const void *context)
{
    const figure_page *page = context;
    const char *names[FIGURE_METHODS];
    for (int m = 0; m < FIGURE_METHODS; m++)
        names[m] = snw_ik_solver_name(figure_methods[m]);
    cli_chart_draw(
        &(cli_chart_page){page->figure->title, page->figure->y_label, 1, &page->chart, names}, out);
    return true;
}

static void print_page(const figure_page *page)
{
    const cli_chart *chart = &page->chart;
    printf("%s: %s; %s\n", page->figure->file, page->figure->title, page->figure->y_label);
    for (int m = 0; m < FIGURE_METHODS; m++) {
        printf("  %-20s", snw_ik_solver_name(figure_methods[m]));
        for (int n = 0; n < chart->point_count[m]; n++)
            printf(" %9.3g", chart->y[m][n]);
        double iterations, milliseconds;
        bool is_printed = bench_printed(figure_methods[m], &iterations, &milliseconds);
        if (is_printed && page->figure->measure == figure_distance)
            printf("   printed at 6 m: %.4g", iterations);
        if (is_printed && page->figure->measure == figure_accuracy)
            printf("   printed at 1e-6 m: %.4g ms", milliseconds);
        printf("\n");
    }
}

int bench_ik_figures(const cli_arguments *arguments, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(arguments, "the folder %s cannot be made: %s", folder, strerror(errno));
    int status = CLI_DONE;
    for (size_t n = 0; n < sizeof figures / sizeof *figures && status == CLI_DONE; n++) {
        char path[4096];
        snw_error error = snw_error_none();
        figure_page *page = calloc(1, sizeof *page);
        if (!page) return cli_fail(arguments, "no memory for the chart");
        page->figure = &figures[n];
        page->chart.title = "";
        page->chart.x_label = figures[n].x_label;
        page->chart.x_is_reversed = figures[n].is_reversed;
        page->chart.series_count = FIGURE_METHODS;
        snw_format(path, sizeof path, "%s/%s", folder, figures[n].file);
        if (figures[n].measure(&page->chart, &error) != SNW_OK)
            status = cli_fail(arguments, "%s", error.message);
        if (status == CLI_DONE) status = cli_write_whole(arguments, path, draw_page, page);
        if (status == CLI_DONE) print_page(page);
        free(page);
    }
    return status;
}
