/* The goals of the solvers, held against what was measured. Times are compared as ratios within a
 * round, and the median over rounds counts. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "clock.h"

/* ---- figures ------------------------------------------------------------------------------- */

typedef struct goal_figures {
    const bench_rows *rounds;
    int round_count;
} goal_figures;

typedef double row_number(const bench_row *row);

static double median_us(const bench_row *row)
{
    return row->median_us;
}

static double mean_us(const bench_row *row)
{
    return row->mean_us;
}

/* Median over rounds of a / b; NaN when one was not measured. */
static double ratio(const goal_figures *figures, const char *case_a, const char *solver_a,
                    const char *case_b, const char *solver_b, row_number *number)
{
    double ratios[100];
    int count = 0;
    for (int r = 0; r < figures->round_count && count < 100; r++) {
        const bench_row *a = bench_rows_find(figures->rounds + r, case_a, solver_a);
        const bench_row *b = bench_rows_find(figures->rounds + r, case_b, solver_b);
        if (a && b && a->target_count && b->target_count) ratios[count++] = number(a) / number(b);
    }
    return count ? cli_median(ratios, count) : NAN;
}

static const bench_row *auto_row(const goal_figures *figures, const char *case_name)
{
    const bench_row *row = bench_rows_find(figures->rounds, case_name, "auto");
    return row && row->target_count ? row : NULL;
}

static double auto_success(const goal_figures *figures, const char *case_name)
{
    const bench_row *row = auto_row(figures, case_name);
    return row ? row->success : NAN;
}

/* ---- goals --------------------------------------------------------------------------------- */

typedef struct goal_line {
    const char *text;
    double bound;
    bool is_least; /* the figure must be at least the bound, not at most */
    double figure; /* NaN: not measured in this run */
} goal_line;

static double edge_worst_iterations(const goal_figures *figures)
{
    double worst = NAN;
    for (int n = 0; bench_case_name(n); n++) {
        const char *name = bench_case_name(n);
        const bench_row *row = strncmp(name, "edge-", 5) == 0 ? auto_row(figures, name) : NULL;
        if (row) worst = fmax(isnan(worst) ? 0 : worst, row->iterations);
    }
    return worst;
}

static double least_success(const goal_figures *figures, const char *prefix)
{
    double least = NAN;
    for (int n = 0; bench_case_name(n); n++) {
        const char *name = bench_case_name(n);
        bool is_meant = strncmp(name, prefix, strlen(prefix)) == 0;
        const bench_row *row = is_meant ? auto_row(figures, name) : NULL;
        if (row) least = fmin(isnan(least) ? 1 : least, row->success);
    }
    return least;
}

static double tracking_ratio(const goal_figures *figures)
{
    const bench_row *row = auto_row(figures, BENCH_TRACKING_CASE);
    return row ? row->joint_step_ratio : NAN;
}

static double tracking_reversals(const goal_figures *figures)
{
    const bench_row *row = auto_row(figures, BENCH_TRACKING_CASE);
    return row ? (double)row->reversals : NAN;
}

static void put_goal(cli_json *json, const goal_line *goal, bool is_met)
{
    cli_json_object(json, NULL);
    cli_json_string(json, "goal", goal->text);
    cli_json_number(json, goal->is_least ? "at_least" : "at_most", goal->bound);
    cli_json_number(json, "figure", goal->figure);
    cli_json_string(json, "verdict",
                    isnan(goal->figure) ? "not measured"
                    : is_met            ? "PASS"
                                        : "miss");
    cli_json_end_object(json);
}

static void print_goal(const goal_line *goal, bool is_met)
{
    printf("  %-58s %s %-7.4g ", goal->text, goal->is_least ? ">=" : "<=", goal->bound);
    if (isnan(goal->figure))
        printf("not measured in this run\n");
    else
        printf("%-9.4g %s\n", goal->figure, is_met ? "PASS" : "miss");
}

int bench_print_goals(cli_json *json, const bench_rows *rounds, int round_count)
{
    goal_figures figures = {rounds, round_count};
    const goal_line goals[] = {
        {"chain: auto / yardstick, median", 1.0, false,
         ratio(&figures, "chain", "auto", "chain", "yardstick", median_us)},
        {"chain: share reached", 1.0, true, auto_success(&figures, "chain")},
        {"human: auto / yardstick, median", 0.12, false,
         ratio(&figures, "human", "auto", "human", "yardstick", median_us)},
        {"human: share reached", 1.0, true, auto_success(&figures, "human")},
        {"cone: auto / unconstrained chain, median", 12, false,
         ratio(&figures, "cone", "auto", "chain", "auto", median_us)},
        {"cone: share reached and allowed", 1.0, true, auto_success(&figures, "cone")},
        {"edge cases: most iterations", 20, false, edge_worst_iterations(&figures)},
        {"edge cases: share reached or named rightly", 1.0, true, least_success(&figures, "edge-")},
        {"closed loops: share closed to 1e-6 of body size", 1.0, true,
         least_success(&figures, "loop-")},
        {"arm7: share of poses reached to 1e-5", 0.999, true, auto_success(&figures, "arm7")},
        {"tracking: largest joint step / target's angular step", 3, false,
         tracking_ratio(&figures)},
        {"tracking: reversals while out of reach", 0, false, tracking_reversals(&figures)},
        {"batch: mean per solve and core / yardstick's mean", 0.2, false,
         ratio(&figures, "chain", "batch", "chain", "yardstick", mean_us)},
    };
    int missed = 0;
    if (json)
        cli_json_array(json, "goals");
    else
        printf("\ngoals (bound, figure):\n");
    for (size_t n = 0; n < sizeof goals / sizeof *goals; n++) {
        const goal_line *goal = goals + n;
        bool is_met = goal->is_least ? goal->figure >= goal->bound : goal->figure <= goal->bound;
        missed += !is_met && !isnan(goal->figure);
        if (json)
            put_goal(json, goal, is_met);
        else
            print_goal(goal, is_met);
    }
    if (json) cli_json_end_array(json);
    return missed;
}
