/* `sinew bench`: measures, and says what was measured. */
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_act.h"

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
    static const char *const tables[] = {"--limits", "--robots", "--steady",
                                         "--batch",  "--gaps",   "--capture"};
    if (!cli_flag(arguments, "--json")) return CLI_DONE;
    for (size_t n = 0; n < sizeof tables / sizeof *tables; n++)
        if (cli_flag(arguments, tables[n]))
            return cli_misuse(arguments, "%s prints tables, there is no --json of them", tables[n]);
    if (strcmp(arguments->operand[0], "style") == 0)
        return cli_misuse(arguments, "style prints a table, there is no --json of it");
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
    if (arguments->operand_count > 1)
        return cli_misuse(arguments,
                          "of benchmarks only avatar, style and segments take files, not %s",
                          arguments->operand[0]);
    if (strcmp(arguments->operand[0], "hand") == 0) return bench_hand(arguments);
    if (strcmp(arguments->operand[0], "occlusion") == 0) return bench_occlusion(arguments);
    if (strcmp(arguments->operand[0], "see") == 0) return bench_see(arguments);
    if (strcmp(arguments->operand[0], "ik") != 0)
        return cli_misuse(arguments,
                          "there is no benchmark \"%s\", only ik, see, occlusion, hand, avatar, "
                          "style, segments",
                          arguments->operand[0]);
    if (!cli_integer(arguments, "--soak", 1, 100000000, &solve_count)) return CLI_USAGE;
    int status = check_words(arguments);
    if (status != CLI_DONE) return status;
    if (cli_flag(arguments, "--tables")) return bench_ik_tables(arguments);
    if (cli_flag(arguments, "--limits")) return bench_ik_limits(arguments);
    if (cli_flag(arguments, "--robots")) return bench_ik_robots(arguments);
    if (cli_flag(arguments, "--steady")) return bench_ik_steady(arguments);
    if (cli_flag(arguments, "--batch")) return bench_ik_batch(arguments);
    if (growth) return bench_ik_growth(arguments, growth);
    if (solve_count > 0) return bench_ik_soak(arguments, solve_count);
    return bench_ik(arguments);
}

static const cli_option bench_options[] = {
    {"--case", "-c", "NAME", "only this case; may be repeated (default: all)"},
    {"--solver", "-s", "NAME", "only this method; may be repeated (default: all)"},
    {"--count", "-n", "N", "targets per case (default: 1000)"},
    {"--budget", NULL, "SECONDS", "per case and method other than auto (default: 0.5)"},
    {"--rounds", NULL, "N", "repeat auto, batch and the peers, tell medians (default: 1)"},
    {"--targets", "-t", "FOLDER", "with targets.txt, humanoid.txt, cone.txt (or SINEW_IK_TARGETS)"},
    {"--peer", NULL, "NAME=PROGRAM", "also run PROGRAM in that folder; its rows are called NAME"},
    {"--goals", NULL, NULL, "say which goals are met"},
    {"--tables", NULL, NULL, "the tables of the FABRIK thesis beside ours"},
    {"--limits", NULL, NULL, "how often methods reach, by kind of limit (--count N targets)"},
    {"--robots", NULL, NULL, "published robot arms at 1e-5 m and rad (--count N poses)"},
    {"--steady", NULL, NULL, "out of reach, solved again, rest, starts near an answer (--count N)"},
    {"--batch", NULL, NULL, "bodies with limits, many problems at once against one by one"},
    {"--growth", NULL, "FILE", "draw how cost grows with joints, effectors and reach (SVG)"},
    {"--soak", NULL, "N", "N random solves per method and kind of limit; all limits must hold"},
    {"--runs", NULL, "N", "occlusion: captures (default: 20)"},
    {"--gaps", NULL, "FILE", "occlusion: draw the error against the length of gaps (SVG)"},
    {"--capture", NULL, "IN", "occlusion: of this capture, not of synthetic ones"},
    {"--force", "-f", NULL, "overwrite FILE"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_bench_command = {
    "bench",
    "measure solvers and predictions on fixed workloads",
    "ik | see | occlusion | hand | avatar [MOTION ...] | style MOTION ... | segments [CAPTURE ...]",
    "ik: one row per case and method: microseconds per solve (best of 5 per target; median and p99 "
    "over\n"
    "targets), mean iterations, share of targets answered rightly, worst error in metres or "
    "radians,\n"
    "answers outside joint limits, allocations during solves. Errors are measured anew from the\n"
    "pose. Targets are made from fixed seeds unless a folder is given. Times mean something only\n"
    "beside each other in one run on a quiet machine.\n\n"
    "see: captures in trouble, each figure beside its goal: noise, gaps, exchanged labels, few\n"
    "markers, sliding skin, several bodies, many markers, actors of another trial, the smoother;\n"
    "with SINEW_CORPUS real motions and captures too. --case WORD takes the rows that hold the\n"
    "word.\n\n"
    "occlusion: markers of segments vanish from synthetic captures; errors of every way to "
    "predict\n"
    "them live and to fill them offline, in centimetres, beside tables 4.1 to 4.3 of the thesis\n"
    "of FABRIK; segment pairs a second. Then the same on captures of people in the folder that\n"
    "SINEW_CORPUS names, with cameras around them and segments vanishing as seen from there.\n\n"
    "hand: Table 5.2 of that thesis (100, 10, 3 Hz) beside ours, and how far joints are from the\n"
    "truth. avatar: the elbow methods on motions with trackers put on them, each taught by the\n"
    "other motions: centimetres, degrees of swivel, largest elbow step over hand step.\n\n"
    "style: 3 to 6 joints of captured poses are given, the others found: by no prior, the rest "
    "pose,\n"
    "one Gaussian, the nearest learned pose and a style, learned from the motions of the other "
    "people\n"
    "(02_01.bvh is of person 02); centimetres, microseconds, log-likelihood.\n\n"
    "segments: arms and legs hidden for 0.2 to 5 s, solved and tracked live without a style, with "
    "one "
    "of\n"
    "other people and with one of the capture's other half; millimetres at the hidden markers and\n"
    "joints, and goals (SINEW_CORPUS or CAPTUREs).\n\n"
    "examples:\n"
    "  sinew bench ik --case chain --case cone\n"
    "  sinew bench ik --solver auto --goals\n"
    "  sinew bench ik --tables\n"
    "  sinew bench ik --soak 1000 --solver fabrik\n"
    "  sinew bench see --case noise\n"
    "  sinew bench occlusion --runs 20\n"
    "  sinew bench occlusion --gaps gaps.svg --capture walk.c3d\n"
    "  sinew bench hand\n"
    "  sinew bench avatar dance.bvh punch.bvh",
    bench_options,
    1,
    65,
    run_bench,
};
