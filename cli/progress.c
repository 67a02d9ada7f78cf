/* The line is written from a timer signal, so that no loop of any command has to know about it. The
 * handler only formats digits and calls write, which a signal handler may. */
#include "progress.h"

#ifdef _WIN32 /* no timer signals */

void cli_progress_begin(const char *command)
{
    (void)command;
}

void cli_progress_end(void)
{
}

#else

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "command.h"

static char progress_head[64];
static const char *progress_tail;
static volatile sig_atomic_t progress_seconds;

static void on_tick(int signal_number)
{
    (void)signal_number;
    int saved = errno, seconds = (int)++progress_seconds, at = 12;
    char digits[12];
    do {
        digits[--at] = (char)('0' + seconds % 10);
        seconds /= 10;
    } while (seconds && at > 0);
    ssize_t ignored = write(STDERR_FILENO, progress_head, strlen(progress_head));
    ignored += write(STDERR_FILENO, digits + at, (size_t)(12 - at));
    ignored += write(STDERR_FILENO, progress_tail, strlen(progress_tail));
    (void)ignored;
    errno = saved;
}

static void set_timer(int seconds)
{
    struct itimerval timer = {{seconds, 0}, {seconds, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void cli_progress_begin(const char *command)
{
    if (!cli_is_interactive()) return;
    snw_format(progress_head, sizeof progress_head, "\rsinew %s: working, ", command);
    /* Back to the start of the line, so that results printed meanwhile overwrite it; and short
     * where the line would wrap, because then there is no way back. */
    struct winsize window;
    bool is_narrow =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_col < 80;
    progress_tail = is_narrow ? " s\r" : " s (Ctrl-C stops, nothing is left behind)\r";
    progress_seconds = 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_tick;
    action.sa_flags = SA_RESTART; /* reads and writes of the work go on as if nothing happened */
    sigaction(SIGALRM, &action, NULL);
    set_timer(1);
}

void cli_progress_end(void)
{
    if (!progress_head[0]) return;
    set_timer(0);
    if (progress_seconds) fputs("\r\033[K", stderr);
    progress_head[0] = 0;
}

#endif
