/* The other end: a capture sent as a NatNet server sends what its cameras see. Clients are who
 * asked on its port, eight at most; the oldest makes room. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"

enum {
    SIMULATE_CLIENTS_MAX = 8
};

typedef struct simulator {
    snw_trial *trial;
    int socket;
    snw_natnet state;
    snw_natnet_marker *marker;
    char (*name)[SNW_PACKET_NAME];
    char set[SNW_PACKET_NAME]; /* what all names begin with, or "Sinew" */
    struct sockaddr_in client[SIMULATE_CLIENTS_MAX];
    int client_count, next_client;
    double up_turn[4]; /* rotation into the axes with +Y up: w, x, y, z */
    uint8_t packet[LIVE_DATAGRAM];
    int64_t sent;
} simulator;

static void greet(simulator *s, const struct sockaddr_in *from)
{
    for (int k = 0; k < s->client_count; k++)
        if (memcmp(&s->client[k].sin_addr, &from->sin_addr, sizeof from->sin_addr) == 0 &&
            s->client[k].sin_port == from->sin_port)
            return;
    s->client[s->next_client] = *from;
    s->next_client = (s->next_client + 1) % SIMULATE_CLIENTS_MAX;
    if (s->client_count < SIMULATE_CLIENTS_MAX) s->client_count++;
}

static void answer(simulator *s)
{
    uint8_t asked[256];
    struct sockaddr_in from = {0};
    socklen_t length = sizeof from;
    ssize_t size;
    while ((size = recvfrom(s->socket, asked, sizeof asked, 0, (struct sockaddr *)&from,
                            &length)) >= 0) {
        snw_natnet_kind kind = snw_natnet_kind_of(asked, (size_t)size);
        if (kind != SNW_NATNET_CONNECT && kind != SNW_NATNET_ASK_MODEL) continue;
        greet(s, &from);
        size_t told = snw_natnet_write(
            &s->state, kind == SNW_NATNET_CONNECT ? SNW_NATNET_SERVER : SNW_NATNET_MODEL, s->set,
            s->packet, sizeof s->packet);
        (void)sendto(s->socket, s->packet, told, 0, (const struct sockaddr *)&from, sizeof from);
    }
}

static void send_frame(simulator *s, int frame, int64_t number)
{
    snw_quat turn = snw_quat_make(s->up_turn[0], s->up_turn[1], s->up_turn[2], s->up_turn[3]);
    s->state.frame_number = (int32_t)number;
    s->state.time = (double)number / s->trial->rate;
    for (int m = 0; m < s->trial->marker_count; m++) {
        s->marker[m].is_seen = snw_trial_is_present(s->trial, frame, m);
        s->marker[m].place = snw_quat_rotate(turn, snw_trial_position(s->trial, frame, m));
    }
    size_t size =
        snw_natnet_write(&s->state, SNW_NATNET_FRAME, s->set, s->packet, sizeof s->packet);
    for (int k = 0; k < s->client_count; k++)
        s->sent += sendto(s->socket, s->packet, size, 0, (const struct sockaddr *)&s->client[k],
                          sizeof s->client[k]) == (ssize_t)size;
}

/* "Joe" where all names are "Joe:..."; returns the bytes to leave out of the names. */
static size_t find_set(simulator *s)
{
    const char *first = s->trial->marker[0].name, *colon = strchr(first, ':');
    size_t length = colon ? (size_t)(colon - first) : 0;
    bool is_common = length > 0 && length < SNW_PACKET_NAME;
    for (int m = 0; m < s->trial->marker_count && is_common; m++)
        is_common = strncmp(s->trial->marker[m].name, first, length + 1) == 0;
    (void)snw_format(s->set, sizeof s->set, "%.*s", is_common ? (int)length : 5,
                     is_common ? first : "Sinew");
    return is_common ? length + 1 : 0;
}

static bool prepare(const cli_arguments *arguments, simulator *s, const char *path)
{
    s->trial = cli_read_capture(arguments, path, NULL);
    if (!s->trial) return false;
    int count = s->trial->marker_count;
    if (count == 0 || s->trial->frame_count == 0 || count > SNW_NATNET_MARKERS_MAX) {
        (void)cli_fail(arguments, "%s has %d markers in %d frames: 1 to %d can be sent", path,
                       count, s->trial->frame_count, SNW_NATNET_MARKERS_MAX);
        return false;
    }
    s->marker = calloc((size_t)count, sizeof *s->marker);
    s->name = calloc((size_t)count, sizeof *s->name);
    if (!s->marker || !s->name) {
        (void)cli_fail(arguments, "no memory for %d markers", count);
        return false;
    }
    s->state = (snw_natnet){.major = 4,
                            .minor = 1,
                            .marker_count = count,
                            .name_count = count,
                            .marker = s->marker,
                            .name = s->name};
    size_t cut = find_set(s);
    for (int m = 0; m < count; m++) {
        (void)snw_format(s->name[m], SNW_PACKET_NAME, "%s", s->trial->marker[m].name + cut);
        memcpy(s->marker[m].name, s->name[m], SNW_PACKET_NAME);
    }
    snw_quat turn = snw_quat_identity();
    if (s->trial->up != SNW_UP_UNKNOWN)
        turn = snw_quat_between(snw_up_direction(s->trial->up), snw_vec3_make(0, 1, 0));
    const double numbers[4] = {turn.w, turn.x, turn.y, turn.z};
    memcpy(s->up_turn, numbers, sizeof numbers);
    return true;
}

static int serve(const cli_arguments *arguments, simulator *s, double speed)
{
    bool is_once = cli_flag(arguments, "--once");
    double begun = 0;
    int64_t number = 0;
    while (!live_is_stopped()) {
        answer(s);
        if (s->client_count == 0) {
            (void)live_wait(s->socket, LIVE_WAIT_MS);
            continue;
        }
        if (number == 0) begun = cli_microseconds();
        double due = begun + 1e6 * (double)number / (s->trial->rate * speed);
        double left = due - cli_microseconds();
        if (left > 1000 && live_wait(s->socket, (int)(left / 1000)) != 0) continue;
        if (left > 0) continue; /* the last millisecond is waited for awake */
        send_frame(s, (int)(number % s->trial->frame_count), number);
        number++;
        if (is_once && number == s->trial->frame_count) break;
    }
    printf("%lld packets sent\n", (long long)s->sent);
    return CLI_DONE;
}

int live_simulate(const cli_arguments *arguments, const char *protocol, const char *path)
{
    struct sockaddr_in address;
    double speed = 1;
    if (strcmp(protocol, "natnet") != 0)
        return cli_misuse(arguments, "%s cannot be simulated: natnet", protocol);
    if (!cli_number(arguments, "--speed", 0.01, 1000, &speed) ||
        !live_address(arguments, cli_value(arguments, "--listen", "127.0.0.1"),
                      SNW_NATNET_PORT_COMMAND, &address))
        return CLI_USAGE;
    simulator *s = calloc(1, sizeof *s);
    if (!s) return cli_fail(arguments, "no memory for a simulator");
    s->socket = -1;
    int status = CLI_FAILED;
    if (prepare(arguments, s, path) && (s->socket = live_socket(arguments, &address)) >= 0) {
        fprintf(stderr,
                "sinew live: a NatNet server on port %d; try: sinew live --natnet "
                "127.0.0.1:%d\n",
                ntohs(address.sin_port), ntohs(address.sin_port));
        status = serve(arguments, s, speed);
    }
    if (s->socket >= 0) (void)close(s->socket);
    snw_trial_destroy(s->trial);
    free(s->marker);
    free(s->name);
    free(s);
    return status;
}
