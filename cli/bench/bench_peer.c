/* Other programs that solve the same targets: run in the folder of the target files, their report
 * lines read back as rows. A line is
 *     NAME med_us X mean_us X p99_us X iters X ok X% err_med X err_mean X err_max X
 * and NAME holds "chain" or "humanoid". */
#include <string.h>

#include "bench/bench.h"

static bool take_after(const char *line, const char *word, double *number)
{
    const char *at = strstr(line, word);
    if (!at) return false;
    at += strlen(word);
    at += strspn(at, " ");
    return snw_parse_double(at, at + strlen(at), number) != NULL;
}

/* "kdl", and "kdl-2" for its second way to solve the same case. */
static void name_solver(const bench_rows *rows, const char *case_name, const char *name, char *text,
                        size_t size)
{
    snw_format(text, size, "%s", name);
    for (int n = 2; bench_rows_find(rows, case_name, text) && n < 10; n++)
        snw_format(text, size, "%s-%d", name, n);
}

static bool take_line(const char *line, const char *name, bench_rows *rows)
{
    bench_row found;
    char solver[40];
    double success;
    const char *numbers = strstr(line, "med_us");
    memset(&found, 0, sizeof found);
    if (!numbers || !take_after(line, "med_us", &found.median_us) ||
        !take_after(line, "mean_us", &found.mean_us) ||
        !take_after(line, "p99_us", &found.p99_us) ||
        !take_after(line, "iters", &found.iterations) || !take_after(line, " ok", &success) ||
        !take_after(line, "err_max", &found.worst_error))
        return false;
    bool is_chain = strstr(line, "chain") && strstr(line, "chain") < numbers;
    const char *case_name = is_chain ? "chain" : "human";
    name_solver(rows, case_name, name, solver, sizeof solver);
    bench_row *row = bench_rows_add(rows, case_name, solver);
    memcpy(found.case_name, row->case_name, sizeof found.case_name);
    memcpy(found.solver, row->solver, sizeof found.solver);
    found.success = success / 100;
    found.target_count = 1000;
    while (numbers > line && numbers[-1] == ' ')
        numbers--;
    snw_format(found.note, sizeof found.note, "%.*s", (int)(numbers - line), line);
    *row = found;
    return true;
}

bool bench_run_peer(const char *name, const char *program, const char *folder, bench_rows *rows)
{
    char command[2200], line[1000];
    bool has_rows = false;
    /* Names with a quote would end the quoted words below. */
    if (strchr(program, '\'') || strchr(folder, '\'')) return false;
    snw_format(command, sizeof command, "cd '%s' && '%s'", folder, program);
    /* NOLINTNEXTLINE(cert-env33-c): a shell to change folders; the program is named by the user. */
    FILE *output = popen(command, "r");
    if (!output) return false;
    while (fgets(line, sizeof line, output))
        has_rows |= take_line(line, name, rows);
    return pclose(output) == 0 && has_rows;
}
