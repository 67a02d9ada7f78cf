/* `sinew merge`: the table of a folder into which several runs wrote, shards of one job among
 * them, from their journals. */
#include <sys/stat.h>

#include "many/summary.h"
#include "text.h"

static int run_merge(const cli_arguments *arguments)
{
    int code = CLI_DONE, failed = 0;
    for (int n = 0; n < arguments->operand_count && code == CLI_DONE; n++) {
        struct stat about;
        many_journal journal;
        const char *home = arguments->operand[n];
        if (stat(home, &about) != 0 || !S_ISDIR(about.st_mode))
            return cli_fail(arguments, "%s is no folder", home);
        code = many_journal_open(&journal, arguments, home);
        if (code == CLI_DONE && journal.record_count == 0)
            code = cli_fail(arguments, "%s: no run over many files has left a journal there", home);
        if (code == CLI_DONE) code = many_check_summary(arguments, &journal);
        many_summary summary = {.arguments = arguments, .report = ""};
        if (code == CLI_DONE) code = many_write_summary(&journal, &summary);
        if (code == CLI_DONE && many_summary_fill(&summary, &journal)) {
            int own_failed = 0;
            for (int k = 0; k < summary.count; k++)
                own_failed += summary.entry[k].row->code != CLI_DONE;
            cli_print_path(home);
            printf("%d file%s, %d failed; sinew-summary.html and .csv: all files, worst first\n",
                   summary.count, cli_s(summary.count), own_failed);
            failed += own_failed;
            many_summary_release(&summary);
        }
        many_journal_close(&journal);
    }
    return code == CLI_DONE && failed ? CLI_FAILED : code;
}

static const cli_option merge_options[] = {
    {"--force", "-f", NULL, "replace tables that no run left there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_merge_command = {
    "merge",
    "join the tables of shards and of runs that were stopped",
    "FOLDER...",
    "Every run over many files keeps a journal in FOLDER/sinew-journal: a line of JSON for each\n"
    "input as it ends. merge makes sinew-summary.csv and .html of all of them: the last word on\n"
    "every input that still exists. Exit 1 when one of them failed.\n\n"
    "examples:\n"
    "  sinew solve study/ -o solved/ --shard 1/4     on four machines, 1/4 to 4/4\n"
    "  sinew merge solved/                           then, anywhere",
    merge_options,
    1,
    CLI_OPERANDS_MAX,
    run_merge,
};
