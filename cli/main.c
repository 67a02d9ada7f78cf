/* `sinew`: looks up the subcommand and runs it. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "nearest.h"
#include "progress.h"
#include "text.h"

extern const cli_command cli_angles_command;
extern const cli_command cli_avatar_command;
extern const cli_command cli_bench_command;
extern const cli_command cli_body_command;
extern const cli_command cli_centers_command;
extern const cli_command cli_completion_command;
extern const cli_command cli_convert_command;
extern const cli_command cli_demo_command;
extern const cli_command cli_fill_command;
extern const cli_command cli_gait_command;
extern const cli_command cli_hand_command;
extern const cli_command cli_ik_command;
extern const cli_command cli_info_command;
extern const cli_command cli_learn_command;
extern const cli_command cli_manual_command;
extern const cli_command cli_reach_table_command;
extern const cli_command cli_segments_command;
extern const cli_command cli_solve_command;
extern const cli_command cli_synth_command;
extern const cli_command cli_view_command;

/* One to a line, so that a new command changes one line. */
/* clang-format off */
static const cli_command *const commands[] = {
    &cli_angles_command,
    &cli_avatar_command,
    &cli_bench_command,
    &cli_body_command,
    &cli_centers_command,
    &cli_completion_command,
    &cli_convert_command,
    &cli_demo_command,
    &cli_fill_command,
    &cli_gait_command,
    &cli_hand_command,
    &cli_ik_command,
    &cli_info_command,
    &cli_learn_command,
    &cli_manual_command,
    &cli_reach_table_command,
    &cli_segments_command,
    &cli_solve_command,
    &cli_synth_command,
    &cli_view_command,
};
/* clang-format on */

const cli_command *cli_command_at(int index)
{
    bool is_there = index >= 0 && (size_t)index < sizeof commands / sizeof *commands;
    return is_there ? commands[index] : NULL;
}

static void print_overview(FILE *out)
{
    fputs(
        "usage: sinew COMMAND [OPTIONS] ...\n\n"
        "Sinew turns captured motion into moving skeletons, and reaches with them.\n\ncommands:\n",
        out);
    for (size_t n = 0; n < sizeof commands / sizeof *commands; n++)
        fprintf(out, "  %-11s %s\n", commands[n]->name, commands[n]->summary);
    fputs(
        "\n`sinew COMMAND --help` explains a command with an example; `sinew --version` prints the "
        "version.\n",
        out);
}

/* What was printed without a command; a full disk shows only now. */
static int end_print(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return CLI_DONE;
    fputs("sinew: the output could not be written\n", stderr);
    return CLI_FAILED;
}

static int run_command(const cli_command *command, int word_count, char **words,
                       struct cli_row *row)
{
    cli_arguments arguments;
    int status = cli_parse(command, word_count, words, &arguments);
    if (status != CLI_DONE) return status < 0 ? end_print() : status;
    bool is_misused = false;
    arguments.is_misused = &is_misused;
    arguments.row = row;
    int64_t jobs = 1; /* looked at also where a single file makes it idle */
    if (!cli_integer(&arguments, "--jobs", 1, CLI_JOBS_MAX, &jobs)) return CLI_USAGE;
    cli_progress_begin(command->name);
    status = command->run(&arguments);
    cli_progress_end();
    if (status != CLI_DONE && is_misused) status = CLI_USAGE;
    /* A full disk or a closed pipe shows only when the last bytes leave. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_DONE)
        return cli_fail(&arguments, "the output could not be written");
    return status;
}

static const cli_command *find_command(const char *name)
{
    for (size_t n = 0; n < sizeof commands / sizeof *commands; n++)
        if (strcmp(name, commands[n]->name) == 0) return commands[n];
    return NULL;
}

int cli_dispatch(int word_count, char **words)
{
    return cli_dispatch_row(word_count, words, NULL);
}

int cli_dispatch_row(int word_count, char **words, struct cli_row *row)
{
    const char *name = word_count > 0 ? words[0] : "";
    const cli_command *command = find_command(name);
    if (command) return run_command(command, word_count - 1, words + 1, row);
    if (!*name) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    cli_nearest nearest = {name, NULL, 0};
    for (size_t n = 0; n < sizeof commands / sizeof *commands; n++)
        cli_nearest_offer(&nearest, commands[n]->name);
    char hint[80];
    fputs("sinew: there is no command \"", stderr);
    cli_print_text(stderr, name, 0);
    fprintf(stderr, "\"%s (see sinew --help)\n", cli_nearest_hint(&nearest, hint, sizeof hint));
    return CLI_USAGE;
}

/* A file that is opened while standard output is closed would get its number, and with it all that
 * is printed. Opened the wrong way round, so that printing fails as before. */
static void keep_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            _exit(CLI_FAILED);
}

int main(int word_count, char **words)
{
    const char *name = word_count > 1 ? words[1] : "";
    keep_standard_streams();
    if (strcmp(name, "--version") == 0) {
        printf("sinew %s\n", snw_version());
        return end_print();
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        const cli_command *command = word_count > 2 ? find_command(words[2]) : NULL;
        if (command)
            cli_print_help(command, stdout);
        else
            print_overview(stdout);
        return end_print();
    }
    return cli_dispatch(word_count - 1, words + 1);
}
