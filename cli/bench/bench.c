/* `sinew-bench`, which `sinew bench` runs: measures, and says what was measured. */
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_act.h"

extern const cli_command cli_bench_command;

/* ---- rows --------------------------------------------------------------------------------- */

bench_row *bench_rows_add(bench_rows *rows, const char *case_name, const char *solver)
{
    if (rows->count < BENCH_ROWS_MAX) rows->count++;
    bench_row *row = rows->row + rows->count - 1;
    memset(row, 0, sizeof *row);
    snw_format(row->case_name, sizeof row->case_name, "%s", case_name);
    snw_format(row->solver, sizeof row->solver, "%s", solver);
    return row;
}

const bench_row *bench_rows_find(const bench_rows *rows, const char *case_name, const char *solver)
{
    for (int n = 0; n < rows->count; n++)
        if (strcmp(rows->row[n].case_name, case_name) == 0 &&
            strcmp(rows->row[n].solver, solver) == 0)
            return rows->row + n;
    return NULL;
}

void bench_rows_print(const bench_rows *rows)
{
    printf("%-18s %-19s %10s %10s %10s %9s %11s %6s %6s\n", "case", "solver", "median us", "p99 us",
           "iterations", "success", "worst error", "viol.", "alloc.");
    for (int n = 0; n < rows->count; n++) {
        const bench_row *row = rows->row + n;
        if (row->target_count == 0)
            printf("%-18s %-19s %s\n", row->case_name, row->solver, row->note);
        else
            printf("%-18s %-19s %10.3f %10.3f %10.1f %8.2f%% %11.2e %6lld %6lld%s%s\n",
                   row->case_name, row->solver, row->median_us, row->p99_us, row->iterations,
                   100 * row->success, row->worst_error, (long long)row->violations,
                   (long long)row->allocations, row->note[0] ? "  " : "", row->note);
    }
}

static void put_row(cli_json *json, const bench_row *row)
{
    cli_json_object(json, NULL);
    cli_json_string(json, "case", row->case_name);
    cli_json_string(json, "solver", row->solver);
    cli_json_integer(json, "targets", row->target_count);
    if (row->target_count > 0) {
        cli_json_number(json, "median_us", row->median_us);
        cli_json_number(json, "mean_us", row->mean_us);
        cli_json_number(json, "p99_us", row->p99_us);
        cli_json_number(json, "iterations", row->iterations);
        cli_json_number(json, "success", row->success);
        cli_json_number(json, "worst_error", row->worst_error);
        cli_json_integer(json, "violations", row->violations);
        cli_json_integer(json, "allocations", row->allocations);
        cli_json_integer(json, "not_finite", row->not_finite);
    }
    if (row->note[0]) cli_json_string(json, "note", row->note);
    cli_json_end_object(json);
}

void bench_rows_json(cli_json *json, const char *key, const bench_rows *rows)
{
    cli_json_array(json, key);
    for (int n = 0; n < rows->count; n++)
        put_row(json, rows->row + n);
    cli_json_end_array(json);
}

/* ---- what was asked ------------------------------------------------------------------------ */

bool bench_is_asked(const cli_arguments *arguments, const char *option, const char *value)
{
    const char *given;
    for (int n = 0; (given = cli_value_at(arguments, option, n)) != NULL; n++)
        if (strcmp(given, value) == 0) return true;
    return !cli_flag(arguments, option);
}

static bool is_case(const char *name)
{
    for (int n = 0; bench_case_name(n); n++)
        if (strcmp(bench_case_name(n), name) == 0) return true;
    return strcmp(name, BENCH_TRACKING_CASE) == 0 || strcmp(name, "batch") == 0;
}

static int miss_case(const cli_arguments *arguments, const char *word)
{
    char known[400] = "";
    size_t length = 0;
    for (int n = 0; bench_case_name(n); n++)
        length +=
            (size_t)snw_format(known + length, sizeof known - length, "%s, ", bench_case_name(n));
    return cli_misuse(arguments, "there is no case \"%s\"; there are %s%s and batch", word, known,
                      BENCH_TRACKING_CASE);
}

static int check_words(const cli_arguments *arguments)
{
    const char *word;
    for (int n = 0; (word = cli_value_at(arguments, "--case", n)) != NULL; n++)
        if (!is_case(word)) return miss_case(arguments, word);
    for (int n = 0; (word = cli_value_at(arguments, "--solver", n)) != NULL; n++)
        if (snw_ik_solver_find(word) < 0)
            return cli_misuse(arguments, "there is no solver \"%s\"", word);
    for (int n = 0; (word = cli_value_at(arguments, "--peer", n)) != NULL; n++)
        if (!strchr(word, '=') || word[0] == '=')
            return cli_misuse(arguments, "--peer takes NAME=PROGRAM, not \"%s\"", word);
    return CLI_DONE;
}

/* ---- the command -------------------------------------------------------------------------- */

/* What prints tables for people alone. */
static int check_json(const cli_arguments *arguments)
{
    static const char *const tables[] = {"--limits",  "--robots", "--steady",  "--servo",
                                         "--batch",   "--gaps",   "--capture", "--apart",
                                         "--figures", "--figure"};
    if (!cli_flag(arguments, "--json")) return CLI_DONE;
    for (size_t n = 0; n < sizeof tables / sizeof *tables; n++)
        if (cli_flag(arguments, tables[n]))
            return cli_misuse(arguments, "%s prints tables, there is no --json of them", tables[n]);
    const char *word = arguments->operand[0];
    if (strcmp(word, "style") == 0 || strcmp(word, "bodies") == 0 || strcmp(word, "views") == 0)
        return cli_misuse(arguments, "%s prints a table, there is no --json of it", word);
    return CLI_DONE;
}

static int run_bench(const cli_arguments *arguments)
{
    int64_t solve_count = 0;
    const char *growth = cli_value(arguments, "--growth", NULL);
    if (check_json(arguments) != CLI_DONE) return CLI_USAGE;
    if (strcmp(arguments->operand[0], "avatar") == 0) return bench_avatar(arguments);
    if (strcmp(arguments->operand[0], "style") == 0) return bench_style(arguments);
    if (strcmp(arguments->operand[0], "segments") == 0) return bench_segments(arguments);
    if (strcmp(arguments->operand[0], "reach-table") == 0) return bench_reach_table(arguments);
    if (arguments->operand_count > 1)
        return cli_misuse(
            arguments,
            "of benchmarks only avatar, style, segments and reach-table take more words, "
            "not %s",
            arguments->operand[0]);
    if (strcmp(arguments->operand[0], "hand") == 0) return bench_hand(arguments);
    if (strcmp(arguments->operand[0], "bodies") == 0) return bench_bodies(arguments);
    if (strcmp(arguments->operand[0], "views") == 0) return bench_views(arguments);
    if (strcmp(arguments->operand[0], "occlusion") == 0) return bench_occlusion(arguments);
    if (strcmp(arguments->operand[0], "see") == 0) return bench_see(arguments);
    if (strcmp(arguments->operand[0], "ik") != 0)
        return cli_misuse(
            arguments,
            "there is no benchmark \"%s\", only ik, see, occlusion, hand, avatar, bodies, "
            "style, segments, views, reach-table",
            arguments->operand[0]);
    if (!cli_integer(arguments, "--soak", 1, 100000000, &solve_count)) return CLI_USAGE;
    int status = check_words(arguments);
    if (status != CLI_DONE) return status;
    if (cli_flag(arguments, "--tables")) return bench_ik_tables(arguments);
    if (cli_flag(arguments, "--limits")) return bench_ik_limits(arguments);
    if (cli_flag(arguments, "--robots")) return bench_ik_robots(arguments);
    if (cli_flag(arguments, "--steady")) return bench_ik_steady(arguments);
    if (cli_flag(arguments, "--servo")) return bench_ik_servo(arguments);
    if (cli_flag(arguments, "--batch")) return bench_ik_batch(arguments);
    if (cli_flag(arguments, "--apart")) return bench_ik_apart(arguments);
    if (cli_flag(arguments, "--figures"))
        return bench_ik_figures(arguments, cli_value(arguments, "--figures", "."));
    if (growth) return bench_ik_growth(arguments, growth);
    if (solve_count > 0) return bench_ik_soak(arguments, solve_count);
    return bench_ik(arguments);
}

int main(int word_count, char **words)
{
    cli_keep_standard_streams();
    if (word_count > 1 && strcmp(words[1], "--version") == 0) {
        printf("sinew-bench %s\n", snw_version());
        return cli_end_print();
    }
    cli_command bench = cli_bench_command;
    bench.run = run_bench;
    return cli_run(&bench, word_count - 1, words + 1, NULL);
}
