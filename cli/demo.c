/* `sinew demo`: the main job on data made on the spot. It shows and runs the very commands a user
 * would type. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "text.h"

#define DEMO_WORDS_MAX 32

/* A word that starts with '@' is a file in the demo's folder. */
typedef struct demo_step {
    const char *text;
    const char *command;
} demo_step;

static const demo_step demo_steps[] = {
    {"A body dances before six cameras; for half a second its whole left arm is hidden.",
     "synth @dance.c3d --motion dance --seconds 8 --cameras 6 --gaps "
     "left_arm/all@300+60 --truth "
     "@truth"},
    {"What is in that capture, and where are its gaps?", "info @dance.c3d"},
    {"Which markers move together?", "segments @dance.c3d --svg @segments.svg"},
    {"From the markers alone: a skeleton, its motion, and how far its joints are from the truth.",
     "solve @dance.c3d -o @solved.bvh --report @report.html --truth @truth-joints.c3d"},
    {"The same dance with four markers on each of the body's 23 segments.",
     "synth @dense.c3d --motion dance --seconds 8 --cameras 6 --markers 4 --truth @dense"},
    {"Every segment now has a frame of its own. How far are its joints from the truth?",
     "solve @dense.c3d -o @dense-solved.bvh --report @dense.html --truth @dense-joints.c3d"},
    {"The true motion, for Blender, three.js or any glTF viewer.",
     "convert @truth-motion.bvh @dance.glb"},
    {"A humanoid reaches with both hands, every joint within its limits.",
     "ik --body humanoid --goal left_wrist:350,250,350 --goal right_wrist:-250,500,300 --svg "
     "@reach.svg"},
    {"The same problem by every method.", "ik --body humanoid --goal left_wrist:350,250,350 --goal "
                                          "right_wrist:-250,500,300 --solver all"},
};

typedef struct demo_line {
    int count;
    char *word[DEMO_WORDS_MAX];
    char text[2048];
    size_t length;
} demo_line;

static void add_word(demo_line *line, const char *folder, const char *word, size_t length)
{
    if (line->count >= DEMO_WORDS_MAX) return;
    char *start = line->text + line->length;
    size_t room = sizeof line->text - line->length;
    int written = word[0] == '@'
                      ? snw_format(start, room, "%s/%.*s", folder, (int)length - 1, word + 1)
                      : snw_format(start, room, "%.*s", (int)length, word);
    if ((size_t)written >= room) return;
    line->word[line->count++] = start;
    line->length += (size_t)written + 1;
}

/* In place: the words point into the line's own text. */
static void split_line(demo_line *line, const char *command, const char *folder,
                       const cli_arguments *arguments)
{
    bool overwrite = cli_flag(arguments, "--force"), is_json = cli_flag(arguments, "--json");
    memset(line, 0, sizeof *line);
    /* info only reads; every other command that names a file of the folder writes it. */
    bool writes_files = strchr(command, '@') && strncmp(command, "info", 4) != 0;
    while (*command) {
        size_t length = strcspn(command, " ");
        add_word(line, folder, command, length);
        command += length + (command[length] == ' ');
    }
    if (overwrite && writes_files) add_word(line, folder, "--force", strlen("--force"));
    if (is_json) add_word(line, folder, "--json", strlen("--json"));
}

static void tell_step(const demo_step *step, const demo_line *line)
{
    printf("\n%s\n$ sinew", step->text);
    for (int n = 0; n < line->count; n++) {
        fputc(' ', stdout);
        cli_print_text(stdout, line->word[n], 0);
    }
    printf("\n");
}

/* The names are ours, so a link or a pipe of one of them is somebody else's. */
static int check_files(const cli_arguments *arguments, const demo_line *line, const char *folder)
{
    size_t length = strlen(folder);
    struct stat about;
    for (int n = 0; n < line->count; n++)
        if (strncmp(line->word[n], folder, length) == 0 && line->word[n][length] == '/' &&
            lstat(line->word[n], &about) == 0 && !S_ISREG(about.st_mode))
            return cli_fail(arguments, "%s could not be written: it is no file", line->word[n]);
    return CLI_DONE;
}

/* With --json: an array of what the commands print with it. */
static int run_steps(const cli_arguments *arguments, const char *folder)
{
    bool is_json = cli_flag(arguments, "--json");
    for (size_t n = 0; n < sizeof demo_steps / sizeof *demo_steps; n++) {
        demo_line line;
        split_line(&line, demo_steps[n].command, folder, arguments);
        if (is_json)
            fputs(n ? ",\n" : "[\n", stdout);
        else
            tell_step(demo_steps + n, &line);
        fflush(stdout);
        int status = check_files(arguments, &line, folder);
        if (status == CLI_DONE) status = cli_dispatch(line.count, line.word);
        if (status != CLI_DONE) return status;
    }
    if (is_json) fputs("]\n", stdout);
    return CLI_DONE;
}

static void tell_files(const char *folder)
{
    fputs("\nLook at ", stdout);
    cli_print_text(stdout, folder, 0);
    fputs(":\n"
          "  report.html     open this first: the solved dance with the truth beside it, joints,\n"
          "                  gaps, residuals, what to believe\n"
          "  dense.html      the same with four markers on every segment\n"
          "  solved.bvh      the solved motion; truth-motion.bvh the true one, to lay beside it\n"
          "  segments.svg    how much the distance of every two markers varies\n"
          "  reach.svg       the reach, in any browser\n"
          "  dance.glb       the dance, in Blender or any glTF viewer\n"
          "  dance.c3d       the capture with its gaps; truth-*.c3d and truth-motion.bvh what "
          "really happened\n"
          "Try next:\n"
          "  sinew convert ",
          stdout);
    cli_print_text(stdout, folder, 0);
    fputs("/dance.c3d dance.trc --units m\n"
          "  sinew ik --help, sinew synth --help\n",
          stdout);
}

static int run_demo(const cli_arguments *arguments)
{
    const char *folder = cli_value(arguments, "--output", "sinew-demo");
    if (strlen(folder) > 200 || strchr(folder, ' '))
        return cli_misuse(arguments, "--output takes a short name without blanks");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(arguments, "the folder %s cannot be made: %s", folder, strerror(errno));
    int status = run_steps(arguments, folder);
    if (status == CLI_DONE && !cli_flag(arguments, "--json")) tell_files(folder);
    return status;
}

static const cli_option demo_options[] = {
    {"--output", "-o", "FOLDER", "where the files go (default: sinew-demo)"},
    {"--force", "-f", NULL, "overwrite files that are there"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_demo_command = {
    "demo",
    "run the main job on data made on the spot, and say where to look",
    "",
    "example:\n  sinew demo --output /tmp/demo",
    demo_options,
    0,
    0,
    run_demo,
};
