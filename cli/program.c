/* How one command runs, the same in `sinew` and in the programs that it starts; and how it starts
 * them: as git does with its own, one that lies beside it before one of PATH. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "progress.h"

/* ---- programs of their own ----------------------------------------------------------------- */

#define PROGRAM_PATH_MAX 4096 /* Linux' PATH_MAX */

/* NULL-terminated words of the program, as main gets them. */
static void start(const char *path, char *name, const cli_arguments *arguments)
{
    char **words = malloc(((size_t)arguments->word_count + 2) * sizeof *words);
    if (!words) return;
    words[0] = name;
    for (int n = 0; n < arguments->word_count; n++)
        words[n + 1] = arguments->words[n];
    words[arguments->word_count + 1] = NULL;
    execvp(path, words);
    int saved = errno;
    free(words);
    errno = saved;
}

/* Returns only when there is no such program. */
static int start_program(const cli_arguments *arguments)
{
    char path[PROGRAM_PATH_MAX], name[64];
    snw_format(name, sizeof name, "sinew-%s", arguments->command->name);
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) {
        snw_format(slash + 1, sizeof path - (size_t)(slash + 1 - path), "%s", name);
        start(path, name, arguments);
    }
    start(name, name, arguments);
    return cli_fail(arguments,
                    "%s is a program of its own and cannot be started (%s): it belongs "
                    "beside sinew or into a folder of PATH",
                    name, strerror(errno));
}

/* ---- one command --------------------------------------------------------------------------- */

/* What was printed without a command; a full disk shows only now. */
int cli_end_print(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return CLI_DONE;
    fputs("sinew: the output could not be written\n", stderr);
    return CLI_FAILED;
}

int cli_run(const cli_command *command, int word_count, char **words, struct cli_row *row)
{
    cli_arguments arguments;
    int status = cli_parse(command, word_count, words, &arguments);
    if (status != CLI_DONE) return status < 0 ? cli_end_print() : status;
    bool is_misused = false;
    arguments.is_misused = &is_misused;
    arguments.row = row;
    arguments.words = words;
    arguments.word_count = word_count;
    int64_t jobs = 1; /* looked at also where a single file makes it idle */
    if (!cli_integer(&arguments, "--jobs", 1, CLI_JOBS_MAX, &jobs)) return CLI_USAGE;
    if (!command->run) return start_program(&arguments);
    cli_progress_begin(command->name);
    status = command->run(&arguments);
    cli_progress_end();
    if (status != CLI_DONE && is_misused) status = CLI_USAGE;
    /* A full disk or a closed pipe shows only when the last bytes leave. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_DONE)
        return cli_fail(&arguments, "the output could not be written");
    return status;
}

/* A file that is opened while standard output is closed would get its number, and with it all that
 * is printed. Opened the wrong way round, so that printing fails as before. A file that may not
 * grow (RLIMIT_FSIZE) fails like one on a full disk, with a sentence, instead of ending the
 * command. */
void cli_keep_standard_streams(void)
{
#ifdef SIGXFSZ
    (void)signal(SIGXFSZ, SIG_IGN);
#endif
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            _exit(CLI_FAILED);
}
