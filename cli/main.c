/* `sinew`: looks up the subcommand and runs it. */
#include <string.h>

#include "command.h"
#include "nearest.h"
#include "text.h"

extern const cli_command cli_angles_command;
extern const cli_command cli_avatar_command;
extern const cli_command cli_bench_command;
extern const cli_command cli_body_command;
extern const cli_command cli_cameras_command;
extern const cli_command cli_centers_command;
extern const cli_command cli_completion_command;
extern const cli_command cli_convert_command;
extern const cli_command cli_demo_command;
extern const cli_command cli_fill_command;
extern const cli_command cli_film_command;
extern const cli_command cli_gait_command;
extern const cli_command cli_kinetics_command;
extern const cli_command cli_hand_command;
extern const cli_command cli_ik_command;
extern const cli_command cli_info_command;
extern const cli_command cli_learn_command;
extern const cli_command cli_live_command;
extern const cli_command cli_manual_command;
extern const cli_command cli_mass_command;
extern const cli_command cli_merge_command;
extern const cli_command cli_mesh_command;
extern const cli_command cli_opensim_command;
extern const cli_command cli_retarget_command;
extern const cli_command cli_segments_command;
extern const cli_command cli_sensors_command;
extern const cli_command cli_skin_command;
extern const cli_command cli_solve_command;
extern const cli_command cli_study_command;
extern const cli_command cli_synth_command;
extern const cli_command cli_taylor_command;
extern const cli_command cli_triangulate_command;
extern const cli_command cli_view_command;

/* One to a line, so that a new command changes one line. */
/* clang-format off */
static const cli_command *const commands[] = {
    &cli_angles_command,
    &cli_avatar_command,
    &cli_bench_command,
    &cli_body_command,
    &cli_cameras_command,
    &cli_centers_command,
    &cli_completion_command,
    &cli_convert_command,
    &cli_demo_command,
    &cli_fill_command,
    &cli_film_command,
    &cli_gait_command,
    &cli_kinetics_command,
    &cli_hand_command,
    &cli_ik_command,
    &cli_info_command,
    &cli_learn_command,
    &cli_live_command,
    &cli_manual_command,
    &cli_mass_command,
    &cli_merge_command,
    &cli_mesh_command,
    &cli_opensim_command,
    &cli_retarget_command,
    &cli_segments_command,
    &cli_sensors_command,
    &cli_skin_command,
    &cli_solve_command,
    &cli_study_command,
    &cli_synth_command,
    &cli_taylor_command,
    &cli_triangulate_command,
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
        "version,\n`sinew --licences` what it and the code in it are licensed under.\n",
        out);
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
    if (command) return cli_run(command, word_count - 1, words + 1, row);
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

int main(int word_count, char **words)
{
#ifdef _WIN32
    windows_begin(&word_count, &words);
#endif
    const char *name = word_count > 1 ? words[1] : "";
    cli_keep_standard_streams();
    if (strcmp(name, "--version") == 0) {
        printf("sinew %s\n", snw_version());
        return cli_end_print();
    }
    if (strcmp(name, "--licences") == 0 || strcmp(name, "--licenses") == 0) {
        fputs(cli_notices(), stdout);
        return cli_end_print();
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        const cli_command *command = word_count > 2 ? find_command(words[2]) : NULL;
        if (command)
            cli_print_help(command, stdout);
        else
            print_overview(stdout);
        return cli_end_print();
    }
    return cli_dispatch(word_count - 1, words + 1);
}
