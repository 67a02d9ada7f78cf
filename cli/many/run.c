#include "many/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

/* ---- words ----------------------------------------------------------------------------------- */

void many_words_add(many_words *words, const char *format, ...)
{
    char text[8192];
    va_list list;
    va_start(list, format);
    int length = snw_format_list(text, sizeof text, format, list);
    va_end(list);
    char *copy =
        length < (int)sizeof text && words->count + 1 < MANY_WORDS_MAX ? strdup(text) : NULL;
    if (!copy) words->is_full = true;
    if (copy) words->word[words->count++] = copy;
}

void many_words_release(many_words *words)
{
    for (int n = 0; n < words->count; n++)
        free(words->word[n]);
    memset(words, 0, sizeof *words);
}

/* ---- one process ----------------------------------------------------------------------------- */

typedef struct many_slot {
    pid_t pid; /* 0: free */
    int file;
    int pipe; /* the row comes out here */
    FILE *errors;
    double start;
} many_slot;

/* The child: the same command on one file, with its messages kept for the parent. */
static void run_child(many_words *words, int pipe, FILE *errors, pid_t parent)
{
    cli_row row = cli_row_none();
    int nothing = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(CLI_FAILED); /* it was killed before we asked to be told */
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
    }
    dup2(fileno(errors), STDERR_FILENO);
    int code = cli_dispatch_row(words->count, words->word, &row);
    row.code = code;
    fflush(stderr);
    const char *bytes = (const char *)&row;
    for (size_t done = 0; done < sizeof row;) {
        ssize_t wrote = write(pipe, bytes + done, sizeof row - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) break;
        done += (size_t)wrote;
    }
    _exit(code);
}

static bool start_file(many_slot *slot, int file, many_words *words)
{
    int ends[2];
    slot->errors = tmpfile();
    if (!slot->errors) return false;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fclose(slot->errors);
        return false;
    }
    fflush(NULL); /* or the child would say again what waits to be written */
    slot->start = cli_microseconds();
    slot->file = file;
    pid_t parent = getpid();
    slot->pid = fork();
    if (slot->pid == 0) run_child(words, ends[1], slot->errors, parent);
    close(ends[1]);
    slot->pipe = ends[0];
    if (slot->pid > 0) return true;
    slot->pid = 0;
    close(ends[0]);
    fclose(slot->errors);
    return false;
}

/* The last line of what was said, without the name of the command before it. */
static void take_message(FILE *errors, const char *path, char *message, size_t size)
{
    char line[1024];
    rewind(errors);
    while (fgets(line, sizeof line, errors)) {
        line[strcspn(line, "\n")] = 0;
        const char *colon = strncmp(line, "sinew ", 6) == 0 ? strstr(line, ": ") : NULL;
        const char *text = colon ? colon + 2 : line;
        if (strncmp(text, path, strlen(path)) == 0 && strncmp(text + strlen(path), ": ", 2) == 0)
            text += strlen(path) + 2; /* the line is about this file anyway */
        if (strncmp(text, "note: ", 6) != 0 && *text) snw_format(message, size, "%s", text);
    }
}

static void finish_file(const many_stage *stage, many_slot *slot, int status,
                        const struct rusage *usage)
{
    many_file *file = stage->list->file + slot->file;
    cli_row row;
    size_t done = 0;
    ssize_t got;
    while (done < sizeof row &&
           (got = read(slot->pipe, (char *)&row + done, sizeof row - done)) > 0)
        done += (size_t)got;
    bool is_whole = done == sizeof row;
    file->row = is_whole ? row : cli_row_none();
    file->row.seconds = 1e-6 * (cli_microseconds() - slot->start);
    file->row.memory = 1024.0 * (double)usage->ru_maxrss;
    file->is_done = true;
    if (!is_whole && WIFSIGNALED(status))
        snw_format(file->row.message, sizeof file->row.message, "it was ended by signal %d",
                   WTERMSIG(status));
    else if (file->row.code != CLI_DONE)
        take_message(slot->errors, file->path, file->row.message, sizeof file->row.message);
    close(slot->pipe);
    fclose(slot->errors);
    slot->pid = 0;
    stage->finish(stage->context, file);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static many_slot *find_slot(many_slot *slots, int jobs, pid_t pid)
{
    for (int n = 0; n < jobs; n++)
        if (slots[n].pid == pid) return slots + n;
    return NULL;
}

/* Waits for any of our processes. */
static bool wait_for_one(const many_stage *stage, many_slot *slots, int jobs)
{
    int status;
    struct rusage usage;
    pid_t pid = wait4(-1, &status, 0, &usage);
    if (pid < 0) return errno == EINTR;
    many_slot *slot = find_slot(slots, jobs, pid);
    if (slot) finish_file(stage, slot, status, &usage);
    return true;
}

/* Files are told in the order of the list, whichever is ready first. */
static void tell_ready(const many_stage *stage, const bool *runs, int started, int *told)
{
    for (; *told < started; ++*told) {
        const many_file *file = stage->list->file + *told;
        if (runs[*told] && !file->is_done) return;
        if (runs[*told]) stage->tell(stage->context, file);
    }
}

bool many_run_stage(const many_stage *stage)
{
    many_slot slots[CLI_JOBS_MAX];
    int jobs = stage->jobs < CLI_JOBS_MAX ? stage->jobs : CLI_JOBS_MAX, running = 0, told = 0;
    bool is_good = true, *runs = calloc((size_t)stage->list->count + 1, sizeof *runs);
    memset(slots, 0, sizeof slots);
    if (!runs) return false;
    int started = 0;
    for (; started < stage->list->count && is_good; started++) {
        many_words words = {0};
        if (stage->plan(stage->context, stage->list->file + started, &words)) {
            while (is_good && running == jobs) {
                is_good = wait_for_one(stage, slots, jobs);
                running = 0;
                for (int n = 0; n < jobs; n++)
                    running += slots[n].pid != 0;
            }
            stage->list->file[started].is_done = false;
            is_good =
                is_good && !words.is_full && start_file(find_slot(slots, jobs, 0), started, &words);
            runs[started] = is_good;
            running += is_good;
        }
        many_words_release(&words);
        tell_ready(stage, runs, started, &told);
    }
    while (running > 0 && wait_for_one(stage, slots, jobs)) {
        running = 0;
        for (int n = 0; n < jobs; n++)
            running += slots[n].pid != 0;
        tell_ready(stage, runs, started, &told);
    }
    tell_ready(stage, runs, started, &told);
    free(runs);
    return is_good;
}
