/* Sockets of `sinew live`: UDP and TCP over IPv4, bound to loopback unless --listen says otherwise.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "live/live.h"

static volatile sig_atomic_t is_stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    is_stopped = 1;
}

bool live_is_stopped(void)
{
    return is_stopped != 0;
}

void live_stop(void)
{
    is_stopped = 1;
}

void live_watch_signals(void)
{
    struct sigaction action = {.sa_handler = stop}, ignored = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGPIPE, &ignored, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool live_address(const cli_arguments *arguments, const char *text, int port,
                  struct sockaddr_in *address)
{
    char host[64] = "127.0.0.1";
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    char *end = NULL;
    if (length > 0 && length < sizeof host) {
        memcpy(host, text, length);
        host[length] = 0;
    }
    long number = colon ? strtol(colon + 1, &end, 10) : port;
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)number)};
    bool is_number = !colon || (end != colon + 1 && *end == 0);
    if (length < sizeof host && is_number && number > 0 && number < 65536 &&
        inet_pton(AF_INET, host, &address->sin_addr) == 1)
        return true;
    (void)cli_misuse(arguments, "%s is no address: 127.0.0.1:%d, in numbers", text, port);
    return false;
}

bool live_is_loopback(const struct sockaddr_in *address)
{
    return ntohl(address->sin_addr.s_addr) >> 24 == 127;
}

static int fail_to_bind(const cli_arguments *arguments, const struct sockaddr_in *address, int made)
{
    char host[64] = "";
    (void)inet_ntop(AF_INET, &address->sin_addr, host, sizeof host);
    (void)cli_fail(arguments, "port %d of %s cannot be listened on: %s", ntohs(address->sin_port),
                   host, strerror(errno));
    if (made >= 0) (void)close(made);
    return -1;
}

int live_socket(const cli_arguments *arguments, const struct sockaddr_in *address)
{
    int made = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int room = 1 << 22, on = 1;
    if (made >= 0) {
        (void)setsockopt(made, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
        if (IN_MULTICAST(ntohl(address->sin_addr.s_addr)))
            (void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    if (made >= 0 && bind(made, (const struct sockaddr *)address, sizeof *address) == 0)
        return made;
    return fail_to_bind(arguments, address, made);
}

int live_listen(const cli_arguments *arguments, struct sockaddr_in *address)
{
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    socklen_t size = sizeof *address;
    if (made >= 0) (void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (made >= 0 && bind(made, (const struct sockaddr *)address, sizeof *address) == 0 &&
        listen(made, 16) == 0 && getsockname(made, (struct sockaddr *)address, &size) == 0)
        return made;
    return fail_to_bind(arguments, address, made);
}

int live_connect(const struct sockaddr_in *address, int milliseconds)
{
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, wrong = 0;
    socklen_t size = sizeof wrong;
    if (made < 0) return -1;
    (void)setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(made, (const struct sockaddr *)address, sizeof *address) == 0) return made;
    struct pollfd watched = {.fd = made, .events = POLLOUT};
    if (errno == EINPROGRESS && poll(&watched, 1, milliseconds) == 1 &&
        getsockopt(made, SOL_SOCKET, SO_ERROR, &wrong, &size) == 0 && wrong == 0)
        return made;
    (void)close(made);
    return -1;
}

bool live_send_all(int socket, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0 && !live_is_stopped()) {
        ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent > 0) {
            at += sent;
            size -= (size_t)sent;
        } else if (errno == EAGAIN) {
            struct pollfd watched = {.fd = socket, .events = POLLOUT};
            (void)poll(&watched, 1, LIVE_WAIT_MS);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return size == 0;
}

void live_sleep_until(double microseconds)
{
    double left = microseconds - cli_microseconds();
    while (left > 0 && !live_is_stopped()) {
        double part = left < 1e5 ? left : 1e5; /* signals are looked for now and then */
        const struct timespec time = {0, (long)(part * 1e3)};
        (void)nanosleep(&time, NULL);
        left = microseconds - cli_microseconds();
    }
}

int live_wait(int socket, int milliseconds)
{
    struct pollfd watched = {.fd = socket, .events = POLLIN};
    if (is_stopped) return -1;
    int ready = poll(&watched, 1, milliseconds);
    if (is_stopped) return -1;
    return ready > 0;
}
