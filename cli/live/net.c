/* Sockets of `sinew live`: UDP over IPv4, bound to loopback unless --listen says otherwise. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

void live_watch_signals(void)
{
    struct sigaction action = {.sa_handler = stop};
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

int live_socket(const cli_arguments *arguments, const struct sockaddr_in *address)
{
    int made = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made >= 0 && bind(made, (const struct sockaddr *)address, sizeof *address) == 0)
        return made;
    char host[64] = "";
    (void)inet_ntop(AF_INET, &address->sin_addr, host, sizeof host);
    (void)cli_fail(arguments, "port %d of %s cannot be listened on: %s", ntohs(address->sin_port),
                   host, strerror(errno));
    if (made >= 0) (void)close(made);
    return -1;
}

int live_wait(int socket, int milliseconds)
{
    struct pollfd watched = {.fd = socket, .events = POLLIN};
    if (is_stopped) return -1;
    int ready = poll(&watched, 1, milliseconds);
    if (is_stopped) return -1;
    return ready > 0;
}
