/* `sinew bench ik`: which cases, which methods, how many rounds; prints the rows. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "clock.h"

#define ROUNDS_MAX 99

typedef struct bench_plan {
    const cli_arguments *arguments;
    const char *folder; /* of target files, or NULL */
    int target_count;
    int round_count;
    double budget_s;
} bench_plan;

/* ---- what was asked ------------------------------------------------------------------------- */

static int read_plan(const cli_arguments *arguments, bench_plan *plan)
{
    int64_t target_count = 1000, round_count = 1;
    const char *from_environment = getenv("SINEW_IK_TARGETS");
    plan->arguments = arguments;
    plan->budget_s = 0.5;
    plan->folder = cli_value(arguments, "--targets",
                             from_environment && *from_environment ? from_environment : NULL);
    if (!cli_integer(arguments, "--count", 1, 100000, &target_count) ||
        !cli_integer(arguments, "--rounds", 1, ROUNDS_MAX, &round_count) ||
        !cli_number(arguments, "--budget", 1e-3, 1e6, &plan->budget_s))
        return CLI_USAGE;
    plan->target_count = (int)target_count;
    plan->round_count = (int)round_count;
    if (cli_flag(arguments, "--peer") && !plan->folder)
        return cli_misuse(arguments, "--peer needs the --targets FOLDER it runs in");
    return CLI_DONE;
}

/* ---- measuring ------------------------------------------------------------------------------ */

static snw_status measure_case(const bench_plan *plan, int index, bool only_auto, bench_rows *rows,
                               snw_error *error)
{
    bench_case c;
    snw_status status = bench_case_create(index, plan->folder, plan->target_count, &c, error);
    if (status != SNW_OK) return status;
    for (int s = 0; s < SNW_IK_SOLVER_COUNT && status == SNW_OK; s++) {
        const char *name = snw_ik_solver_name((snw_ik_solver)s);
        if (only_auto != (s == SNW_IK_AUTO) || !bench_is_asked(plan->arguments, "--solver", name))
            continue;
        bench_row *row = bench_rows_add(rows, c.name, name);
        double budget_s = only_auto ? 1e9 : plan->budget_s;
        status = bench_measure(&c, (snw_ik_solver)s, budget_s, row, error);
        if (status == SNW_UNSUPPORTED) status = SNW_OK;
    }
    bench_case_release(&c);
    return status;
}

static snw_status measure_tracking(const bench_plan *plan, bool only_auto, bench_rows *rows,
                                   snw_error *error)
{
    snw_status status = SNW_OK;
    for (int s = 0; s < SNW_IK_SOLVER_COUNT && status == SNW_OK; s++)
        if (only_auto == (s == SNW_IK_AUTO) &&
            bench_is_asked(plan->arguments, "--solver", snw_ik_solver_name((snw_ik_solver)s)))
            status =
                bench_tracking((snw_ik_solver)s, only_auto ? 1e9 : plan->budget_s, rows, error);
    return status;
}

/* auto in a round, with the peers beside it; or all other methods, once. */
static snw_status measure_all(const bench_plan *plan, bool only_auto, bench_rows *rows,
                              snw_error *error)
{
    snw_status status = SNW_OK;
    for (int n = 0; bench_case_name(n) && status == SNW_OK; n++)
        if (bench_is_asked(plan->arguments, "--case", bench_case_name(n)))
            status = measure_case(plan, n, only_auto, rows, error);
    if (status == SNW_OK && bench_is_asked(plan->arguments, "--case", BENCH_TRACKING_CASE))
        status = measure_tracking(plan, only_auto, rows, error);
    bool has_batch = only_auto && bench_is_asked(plan->arguments, "--case", "batch") &&
                     bench_is_asked(plan->arguments, "--solver", "auto");
    if (status == SNW_OK && has_batch)
        status = bench_batch(plan->folder, plan->target_count, rows, error);
    return status;
}

static bool run_peers(const bench_plan *plan, bench_rows *rows)
{
    const char *peer;
    for (int n = 0; (peer = cli_value_at(plan->arguments, "--peer", n)) != NULL; n++) {
        char name[32];
        const char *equals = strchr(peer, '=');
        snw_format(name, sizeof name, "%.*s", (int)(equals - peer), peer);
        if (!bench_run_peer(name, equals + 1, plan->folder, rows)) {
            cli_fail(plan->arguments, "%s: it does not run, or prints no figures", equals + 1);
            return false;
        }
    }
    return true;
}

/* ---- rounds --------------------------------------------------------------------------------- */

/* Times of a row become the medians over rounds. */
static void take_medians(const bench_rows *rounds, int round_count, bench_row *row)
{
    double median[ROUNDS_MAX], mean[ROUNDS_MAX], p99[ROUNDS_MAX];
    int count = 0;
    for (int r = 0; r < round_count; r++) {
        const bench_row *other = bench_rows_find(rounds + r, row->case_name, row->solver);
        if (!other) continue;
        median[count] = other->median_us;
        mean[count] = other->mean_us;
        p99[count++] = other->p99_us;
    }
    row->median_us = cli_median(median, count);
    row->mean_us = cli_median(mean, count);
    row->p99_us = cli_median(p99, count);
}

/* Moves every row behind the last earlier one of the same case. */
static void group_by_case(bench_rows *rows)
{
    for (int n = 1; n < rows->count; n++) {
        bench_row row = rows->row[n];
        int to = n;
        while (to > 0 && strcmp(rows->row[to - 1].case_name, row.case_name) != 0)
            to--;
        if (to == 0) continue;
        memmove(rows->row + to + 1, rows->row + to, (size_t)(n - to) * sizeof row);
        rows->row[to] = row;
    }
}

static int print_all(const bench_plan *plan, const bench_rows *all, const bench_rows *rounds)
{
    bool wants_goals = cli_flag(plan->arguments, "--goals");
    if (!cli_flag(plan->arguments, "--json")) {
        bench_rows_print(all);
        if (wants_goals) bench_print_goals(NULL, rounds, plan->round_count);
        return CLI_DONE;
    }
    cli_json json = cli_json_begin(stdout);
    if (wants_goals) cli_json_object(&json, NULL);
    bench_rows_json(&json, wants_goals ? "rows" : NULL, all);
    if (wants_goals) {
        bench_print_goals(&json, rounds, plan->round_count);
        cli_json_end_object(&json);
    }
    return CLI_DONE;
}

static int run_rounds(const bench_plan *plan, bench_rows *rounds, bench_rows *all)
{
    snw_error error = snw_error_none();
    for (int r = 0; r < plan->round_count; r++) {
        if (cli_is_interactive()) fprintf(stderr, "round %d of %d\n", r + 1, plan->round_count);
        if (!run_peers(plan, rounds + r)) return CLI_FAILED;
        if (measure_all(plan, true, rounds + r, &error) != SNW_OK)
            return cli_fail(plan->arguments, "%s", error.message);
    }
    *all = rounds[0];
    for (int n = 0; n < all->count; n++)
        take_medians(rounds, plan->round_count, all->row + n);
    if (measure_all(plan, false, all, &error) != SNW_OK)
        return cli_fail(plan->arguments, "%s", error.message);
    group_by_case(all);
    return print_all(plan, all, rounds);
}

int bench_ik(const cli_arguments *arguments)
{
    bench_plan plan;
    int status = read_plan(arguments, &plan);
    if (status != CLI_DONE) return status;
    bench_rows *rounds = calloc((size_t)plan.round_count, sizeof *rounds);
    bench_rows *all = calloc(1, sizeof *all);
    if (rounds && all)
        status = run_rounds(&plan, rounds, all);
    else
        status = cli_fail(arguments, "no memory for the rows");
    free(all);
    free(rounds);
    return status;
}
