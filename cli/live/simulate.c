/* The other end: a capture sent as a server sends what its cameras see, again and again. UDP
 * clients are who asked; TCP clients who connected; eight at most. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"

enum {
    SIMULATE_CLIENTS_MAX = 8,
    SIMULATE_ROOM = 1 << 20
};

typedef struct simulate_client {
    int socket; /* -1: free; UDP: 0 */
    struct sockaddr_in address;
    bool is_ready; /* it asked for frames */
    bool is_lost;  /* it does not take them */
    char asked[4096];
    size_t size;
} simulate_client;

typedef struct simulator {
    const cli_arguments *arguments;
    const struct simulate_protocol *protocol;
    snw_trial *trial;
    snw_avatar_capture *trackers; /* NULL: markers */
    int socket, frame_count;
    double rate;
    bool is_loose, is_binary;
    simulate_client client[SIMULATE_CLIENTS_MAX];
    int next_client;
    snw_packet_frame packet;
    struct sockaddr_in group, to; /* port 0: none */
    /* NatNet */
    snw_natnet natnet;
    snw_natnet_marker *marker;
    char (*name)[SNW_PACKET_NAME];
    char set[SNW_PACKET_NAME]; /* what all names begin with, or "Sinew" */
    uint8_t *bytes;            /* (SIMULATE_ROOM) */
    int64_t sent, dropped;
} simulator;

typedef struct simulate_protocol {
    const char *name, *try;
    int port;
    bool is_tcp, has_trackers;
    bool (*hear)(simulator *s, simulate_client *client); /* TCP: what it says; false: it goes */
    size_t (*write)(simulator *s);                       /* the packet as bytes */
} simulate_protocol;

/* ---- NatNet
 * -------------------------------------------------------------------------------------- */

static void greet(simulator *s, const struct sockaddr_in *from)
{
    for (int k = 0; k < SIMULATE_CLIENTS_MAX; k++)
        if (s->client[k].is_ready && s->client[k].address.sin_port == from->sin_port &&
            s->client[k].address.sin_addr.s_addr == from->sin_addr.s_addr)
            return;
    s->client[s->next_client] = (simulate_client){.address = *from, .is_ready = true};
    s->next_client = (s->next_client + 1) % SIMULATE_CLIENTS_MAX; /* the oldest makes room */
}

static void answer_natnet(simulator *s)
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
            &s->natnet, kind == SNW_NATNET_CONNECT ? SNW_NATNET_SERVER : SNW_NATNET_MODEL, s->set,
            s->bytes, LIVE_DATAGRAM);
        (void)sendto(s->socket, s->bytes, told, 0, (const struct sockaddr *)&from, sizeof from);
    }
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

static bool prepare_natnet(simulator *s)
{
    int count = s->trial->marker_count;
    s->marker = calloc((size_t)count + 1, sizeof *s->marker);
    s->name = calloc((size_t)count + 1, sizeof *s->name);
    if (!s->marker || !s->name) return cli_fail(s->arguments, "no memory for names") == CLI_DONE;
    s->natnet = (snw_natnet){.major = 4, .minor = 1, .marker = s->marker, .name = s->name};
    size_t cut = find_set(s);
    for (int m = 0; m < count && !s->is_loose; m++)
        (void)snw_format(s->name[m], SNW_PACKET_NAME, "%s", s->trial->marker[m].name + cut);
    s->natnet.name_count = s->is_loose ? 0 : count;
    return true;
}

static size_t write_natnet(simulator *s)
{
    s->natnet.frame_number = (int32_t)s->packet.number;
    s->natnet.time = s->packet.time;
    s->natnet.marker_count = s->packet.count;
    for (int m = 0; m < s->packet.count; m++) {
        s->marker[m].is_seen = s->packet.point[m].is_seen;
        s->marker[m].place = s->packet.point[m].place;
        if (!s->is_loose) memcpy(s->marker[m].name, s->name[m], SNW_PACKET_NAME);
    }
    return snw_natnet_write(&s->natnet, SNW_NATNET_FRAME, s->set, s->bytes, LIVE_DATAGRAM);
}

/* ---- Qualisys RT
 * --------------------------------------------------------------------------------- */

static bool say_qtm(simulator *s, const simulate_client *client, snw_qtm_kind kind,
                    const char *text)
{
    size_t size = snw_qtm_write(kind, text, &s->packet, s->bytes, SIMULATE_ROOM);
    return size > 0 && live_send_all(client->socket, s->bytes, size);
}

static bool answer_qtm(simulator *s, simulate_client *client, const char *words)
{
    if (strncmp(words, "Version", 7) == 0)
        return say_qtm(s, client, SNW_QTM_COMMAND, "Version set to 1.21");
    if (strncmp(words, "GetParameters", 13) == 0) {
        live_packet_of(s->trial, 0, s->is_loose, &s->packet);
        return say_qtm(s, client, SNW_QTM_XML, NULL);
    }
    if (strncmp(words, "StreamFrames Stop", 17) == 0) {
        client->is_ready = false;
        return true;
    }
    if (strncmp(words, "StreamFrames", 12) == 0) return client->is_ready = true;
    return say_qtm(s, client, SNW_QTM_ERROR, "Parse error");
}

static bool hear_qtm(simulator *s, simulate_client *client)
{
    uint8_t *bytes = (uint8_t *)client->asked;
    for (;;) {
        size_t whole = snw_qtm_size(bytes, client->size);
        if (whole > sizeof client->asked) return false;
        if (whole == 0 || whole > client->size) return true;
        if (!answer_qtm(s, client, snw_qtm_text(bytes, whole))) return false;
        client->size -= whole;
        memmove(bytes, bytes + whole, client->size);
    }
}

static size_t write_qtm(simulator *s)
{
    return snw_qtm_write(SNW_QTM_DATA, NULL, &s->packet, s->bytes, SIMULATE_ROOM);
}

/* ---- VRPN
 * ---------------------------------------------------------------------------------------- */

static bool hear_vrpn(simulator *s, simulate_client *client)
{
    if (client->is_ready || client->size < SNW_VRPN_COOKIE) return true;
    if (!snw_vrpn_is_cookie((const uint8_t *)client->asked)) return false;
    snw_vrpn_cookie(s->bytes);
    live_packet_of_trackers(s->trackers, 0, &s->packet);
    size_t size = snw_vrpn_write_names(&s->packet, s->bytes + SNW_VRPN_COOKIE,
                                       SIMULATE_ROOM - SNW_VRPN_COOKIE);
    client->is_ready = true;
    client->size = 0;
    return live_send_all(client->socket, s->bytes, SNW_VRPN_COOKIE + size);
}

static size_t write_vrpn(simulator *s)
{
    return snw_vrpn_write(&s->packet, s->bytes, SIMULATE_ROOM);
}

/* ---- VMC
 * ----------------------------------------------------------------------------------------- */

static size_t write_vmc(simulator *s)
{
    snw_vmc_bone bone[SNW_AVATAR_ROLE_COUNT] = {0};
    int count = 0, next = 0;
    for (int k = 0; k < s->packet.count; k++) {
        const snw_packet_point *point = &s->packet.point[k];
        if (!point->is_seen) continue;
        memcpy(bone[count].name, point->name, SNW_PACKET_NAME);
        bone[count].is_tracker = true;
        bone[count].place = point->place;
        bone[count++].rotation = point->rotation;
    }
    return (size_t)snw_vmc_write(bone, count, &next, s->packet.time, s->bytes);
}

/* ---- WebSocket
 * ----------------------------------------------------------------------------------- */

static bool hear_websocket(simulator *s, simulate_client *client)
{
    char accept[29], head[256];
    (void)s;
    if (client->is_ready) {
        client->size = 0; /* pings and the like */
        return true;
    }
    client->asked[client->size < sizeof client->asked ? client->size : sizeof client->asked - 1] =
        0;
    const char *key = strcasestr(client->asked, "sec-websocket-key:");
    if (!strstr(client->asked, "\r\n\r\n")) return client->size < sizeof client->asked - 1;
    if (!key) return false;
    key += strlen("sec-websocket-key:");
    key += strspn(key, " ");
    snw_websocket_accept(key, strcspn(key, " \r\n"), accept);
    int size = snw_format(head, sizeof head,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                          accept);
    client->is_ready = true;
    client->size = 0;
    return live_send_all(client->socket, head, (size_t)size);
}

/* The head stands before the payload: written behind a gap, moved to its end. */
static size_t write_websocket(simulator *s)
{
    uint8_t head[SNW_WEBSOCKET_PREFIX], *payload = s->bytes + SNW_WEBSOCKET_PREFIX;
    size_t room = SIMULATE_ROOM - SNW_WEBSOCKET_PREFIX;
    /* Bytes carry no names: once a second a text says them. */
    bool is_text = !s->is_binary || s->packet.number % (int64_t)(s->rate + 1) == 0;
    size_t size = is_text ? snw_packet_write_json(&s->packet, (char *)payload, room)
                          : snw_packet_write_bytes(&s->packet, payload, room);
    size_t length =
        snw_websocket_write(is_text ? SNW_WEBSOCKET_TEXT : SNW_WEBSOCKET_BYTES, size, NULL, head);
    memmove(s->bytes + length, payload, size);
    memcpy(s->bytes, head, length);
    return size > 0 ? length + size : 0;
}

static const simulate_protocol protocols[] = {
    {"natnet", "--natnet", SNW_NATNET_PORT_COMMAND, false, false, NULL, write_natnet},
    {"qtm", "--qtm", SNW_QTM_PORT, true, false, hear_qtm, write_qtm},
    {"vrpn", "--vrpn", SNW_VRPN_PORT, true, true, hear_vrpn, write_vrpn},
    {"vmc", "--vmc-in", 39540, false, true, NULL, write_vmc},
    {"ws", "--ws", 8080, true, false, hear_websocket, write_websocket},
};

/* ---- clients
 * ------------------------------------------------------------------------------------- */

static void hang_up(simulate_client *client)
{
    if (client->socket > 0) (void)close(client->socket);
    *client = (simulate_client){.socket = -1};
}

static void accept_clients(simulator *s)
{
    int socket, on = 1;
    while ((socket = accept4(s->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int n = 0;
        while (n < SIMULATE_CLIENTS_MAX && s->client[n].socket >= 0)
            n++;
        if (n == SIMULATE_CLIENTS_MAX) {
            (void)close(socket);
            continue;
        }
        (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        s->client[n] = (simulate_client){.socket = socket};
        if (strcmp(s->protocol->name, "qtm") == 0)
            (void)say_qtm(s, &s->client[n], SNW_QTM_COMMAND, "QTM RT Interface connected");
    }
}

static void hear_clients(simulator *s)
{
    for (int n = 0; n < SIMULATE_CLIENTS_MAX; n++) {
        simulate_client *c = &s->client[n];
        if (c->socket <= 0) continue;
        ssize_t got = recv(c->socket, c->asked + c->size, sizeof c->asked - c->size, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (got > 0) c->size += (size_t)got;
        if (got <= 0 || !s->protocol->hear(s, c)) hang_up(c);
    }
}

static void answer(simulator *s)
{
    if (s->protocol->is_tcp) {
        accept_clients(s);
        hear_clients(s);
    } else if (s->marker) {
        answer_natnet(s);
    }
}

static bool has_client(const simulator *s)
{
    bool is_there = s->to.sin_port != 0;
    for (int n = 0; n < SIMULATE_CLIENTS_MAX; n++)
        is_there |= s->client[n].socket >= 0 && s->client[n].is_ready;
    return is_there;
}

/* To everybody who is ready. A TCP client whose socket is full loses whole frames, as QTM's do. */
static void send_frame(simulator *s, size_t size)
{
    const struct sockaddr_in *to = s->group.sin_port ? &s->group : s->to.sin_port ? &s->to : NULL;
    if (to)
        s->sent += sendto(s->socket, s->bytes, size, 0, (const struct sockaddr *)to, sizeof *to) ==
                   (ssize_t)size;
    for (int n = 0; n < SIMULATE_CLIENTS_MAX && !to; n++) {
        simulate_client *c = &s->client[n];
        if (c->socket < 0 || !c->is_ready) continue;
        if (!s->protocol->is_tcp) {
            s->sent += sendto(s->socket, s->bytes, size, 0, (const struct sockaddr *)&c->address,
                              sizeof c->address) == (ssize_t)size;
            continue;
        }
        struct pollfd watched = {.fd = c->socket, .events = POLLOUT};
        if (poll(&watched, 1, 0) != 1)
            s->dropped++;
        else if (live_send_all(c->socket, s->bytes, size))
            s->sent++;
        else
            hang_up(c);
    }
}

static void next_frame(simulator *s, int64_t number)
{
    int frame = (int)(number % s->frame_count);
    if (s->trackers)
        live_packet_of_trackers(s->trackers, frame, &s->packet);
    else
        live_packet_of(s->trial, frame, s->is_loose, &s->packet);
    s->packet.number = number;
    s->packet.time = (double)number / s->rate;
    size_t size = s->protocol->write(s);
    if (size > 0) send_frame(s, size);
}

static int serve(simulator *s, double speed)
{
    bool is_once = cli_flag(s->arguments, "--once");
    double begun = 0;
    int64_t number = 0;
    while (!live_is_stopped()) {
        answer(s);
        if (!has_client(s)) {
            (void)live_wait(s->socket, s->protocol->is_tcp ? 5 : LIVE_WAIT_MS);
            continue;
        }
        if (number == 0) begun = cli_microseconds();
        double due = begun + 1e6 * (double)number / (s->rate * speed);
        double left = due - cli_microseconds();
        if (left > 1000) {
            live_sleep_until(cli_microseconds() + (left < 5000 ? left - 500 : 4000));
            continue;
        }
        if (left > 0) continue; /* the last millisecond is waited for awake */
        next_frame(s, number++);
        if (is_once && number == s->frame_count) break;
    }
    printf("%lld packets sent%s\n", (long long)s->sent,
           s->dropped ? ", others not taken in time" : "");
    return CLI_DONE;
}

/* ---- the command
 * --------------------------------------------------------------------------------- */

static bool prepare(simulator *s, const char *path)
{
    const cli_arguments *arguments = s->arguments;
    snw_error error;
    s->bytes = malloc(SIMULATE_ROOM);
    s->packet.room = LIVE_POINTS_MAX;
    s->packet.point = calloc(LIVE_POINTS_MAX, sizeof *s->packet.point);
    if (!s->bytes || !s->packet.point)
        return cli_fail(arguments, "no memory for packets") == CLI_DONE;
    s->trial = cli_read_capture(arguments, path, NULL);
    if (!s->trial) return false;
    int count = s->trial->marker_count;
    if (s->trial->frame_count == 0 || count > LIVE_POINTS_MAX ||
        (count == 0 && s->trial->rotation_count == 0))
        return cli_fail(arguments, "%s has %d markers in %d frames: 1 to %d can be sent", path,
                        count, s->trial->frame_count, LIVE_POINTS_MAX) == CLI_DONE;
    /* Motive and Unity have +Y up. */
    bool is_turned = strcmp(s->protocol->name, "natnet") == 0 || s->protocol->has_trackers;
    if (is_turned && s->trial->up != SNW_UP_UNKNOWN &&
        snw_trial_turn_up(s->trial, SNW_UP_Y, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", path, error.message) == CLI_DONE;
    s->frame_count = s->trial->frame_count;
    s->rate = s->packet.rate = s->trial->rate;
    s->packet.up = s->trial->up;
    if (s->protocol->has_trackers && !(s->trackers = live_trackers_of(arguments, s->trial)))
        return false;
    if (s->trackers) s->rate = s->trackers->rate, s->frame_count = s->trackers->frame_count;
    return s->trackers || strcmp(s->protocol->name, "natnet") != 0 || prepare_natnet(s);
}

/* VMC goes to an address; NatNet's frames may go to a multicast group; the others listen. */
static bool open_socket(simulator *s)
{
    const cli_arguments *arguments = s->arguments;
    const char *multicast = cli_value(arguments, "--multicast", NULL);
    struct sockaddr_in address, any = {.sin_family = AF_INET};
    if (!live_address(arguments, cli_value(arguments, "--listen", "127.0.0.1"), s->protocol->port,
                      &address))
        return false;
    if (multicast && !live_address(arguments, multicast, SNW_NATNET_PORT_DATA, &s->group))
        return false;
    if (strcmp(s->protocol->name, "vmc") == 0) {
        s->to = address;
        address = any;
    }
    s->socket =
        s->protocol->is_tcp ? live_listen(arguments, &address) : live_socket(arguments, &address);
    if (s->socket < 0) return false;
    if (multicast) {
        (void)setsockopt(s->socket, IPPROTO_IP, IP_MULTICAST_IF, &address.sin_addr,
                         sizeof address.sin_addr);
    }
    int port = ntohs(s->to.sin_port ? s->to.sin_port : address.sin_port);
    fprintf(stderr, "sinew live: %s on port %d; try: sinew live %s 127.0.0.1:%d\n",
            s->protocol->name, port, s->protocol->try, port);
    return true;
}

int live_simulate(const cli_arguments *arguments, const char *protocol, const char *path)
{
    const simulate_protocol *found = NULL;
    double speed = 1;
    for (size_t k = 0; k < sizeof protocols / sizeof *protocols; k++)
        if (strcmp(protocols[k].name, protocol) == 0) found = &protocols[k];
    if (!found)
        return cli_misuse(arguments, "%s cannot be simulated: natnet, qtm, vrpn, vmc, ws",
                          protocol);
    if (!cli_number(arguments, "--speed", 0.01, 1000, &speed)) return CLI_USAGE;
    simulator *s = calloc(1, sizeof *s);
    if (!s) return cli_fail(arguments, "no memory for a simulator");
    s->arguments = arguments;
    s->protocol = found;
    s->socket = -1;
    s->is_loose = cli_flag(arguments, "--loose");
    s->is_binary = cli_flag(arguments, "--binary");
    for (int n = 0; n < SIMULATE_CLIENTS_MAX; n++)
        s->client[n].socket = -1;
    int status = prepare(s, path) && open_socket(s) ? serve(s, speed) : CLI_FAILED;
    for (int n = 0; n < SIMULATE_CLIENTS_MAX; n++)
        hang_up(&s->client[n]);
    if (s->socket >= 0) (void)close(s->socket);
    snw_avatar_capture_destroy(s->trackers);
    snw_trial_destroy(s->trial);
    free(s->packet.point);
    free(s->marker);
    free(s->name);
    free(s->bytes);
    free(s);
    return status;
}
