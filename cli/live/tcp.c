/* Sources that connect to a server: Qualisys RT, VRPN, WebSocket. A connection that ends is made
 * again, twice a second. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "live/live.h"

#define TCP_RETRY_US 5e5

typedef struct tcp_source {
    live_source source;
    int socket;
    struct sockaddr_in server;
    double tried_us;
    bool was_open, is_greeted, is_updated;
    snw_vrpn vrpn;
    char path[128], key[25];
    size_t message; /* WebSocket: bytes of a message in parts that are in front of the buffer */
    int kind;
    bool (*greet)(struct tcp_source *t);     /* what a client says first */
    live_news (*read)(struct tcp_source *t); /* NOTHING: more bytes are needed */
} tcp_source;

static void hang_up(tcp_source *t)
{
    if (t->socket >= 0) (void)close(t->socket);
    if (t->socket >= 0 && t->was_open)
        cli_note(t->source.arguments, "%s %s: the connection ended; it is tried again",
                 t->source.protocol, t->source.address);
    t->socket = -1;
    t->was_open = t->is_greeted = t->is_updated = false;
    t->source.size = t->message = 0;
}

static bool call(tcp_source *t)
{
    double now = cli_microseconds();
    if (now - t->tried_us < TCP_RETRY_US) {
        live_sleep_until(now + 2e4);
        return false;
    }
    t->tried_us = now;
    t->socket = live_connect(&t->server, LIVE_WAIT_MS);
    if (t->socket < 0) return false;
    t->vrpn = (snw_vrpn){0};
    if (t->greet(t)) return true;
    hang_up(t);
    return false;
}

static live_news tcp_next(live_source *source)
{
    tcp_source *t = (tcp_source *)source;
    for (;;) {
        if (live_is_stopped()) return LIVE_END;
        if (t->socket < 0 && !call(t)) return LIVE_NOTHING;
        live_news news = source->size > 0 ? t->read(t) : LIVE_NOTHING;
        if (news == LIVE_FRAME) return news;
        if (news == LIVE_FAILED) {
            source->refused++;
            hang_up(t);
            return LIVE_NOTHING;
        }
        int got = live_source_fill(source, t->socket);
        if (got < 0) hang_up(t);
        if (got <= 0) return LIVE_NOTHING;
    }
}

static void tcp_close(live_source *source)
{
    tcp_source *t = (tcp_source *)source;
    if (t->socket >= 0) (void)close(t->socket);
    live_source_free(source);
}

static tcp_source *make(const cli_arguments *arguments, const char *protocol, const char *server,
                        int port)
{
    tcp_source *t = live_source_make(arguments, protocol, server, sizeof *t);
    char host[128];
    if (!t) return NULL;
    size_t length = strcspn(server, "/");
    (void)snw_format(host, sizeof host, "%.*s", (int)(length < 120 ? length : 120), server);
    (void)snw_format(t->path, sizeof t->path, "%s", server[length] ? server + length : "/");
    t->socket = -1;
    t->tried_us = -TCP_RETRY_US;
    t->source.next = tcp_next;
    t->source.close = tcp_close;
    if (live_address(arguments, host, port, &t->server)) return t;
    tcp_close(&t->source);
    return NULL;
}

/* ---- Qualisys RT
 * ---------------------------------------------------------------------------------
 */

static bool command(tcp_source *t, const char *words)
{
    uint8_t bytes[128];
    size_t size = snw_qtm_write(SNW_QTM_COMMAND, words, NULL, bytes, sizeof bytes);
    return live_send_all(t->socket, bytes, size);
}

static bool qtm_greet(tcp_source *t)
{
    return command(t, "Version 1.21") && command(t, "GetParameters General 3D");
}

static live_news qtm_read(tcp_source *t)
{
    live_source *source = &t->source;
    for (;;) {
        size_t whole = snw_qtm_size(source->bytes, source->size);
        if (whole == SIZE_MAX) return LIVE_FAILED;
        if (whole == 0 || whole > source->size) return LIVE_NOTHING;
        snw_qtm_kind kind = snw_qtm_kind_of(source->bytes, whole);
        bool is_read = snw_qtm_read(&source->packet, source->bytes, whole, NULL) == SNW_OK;
        if (kind == SNW_QTM_ERROR)
            cli_note(source->arguments, "qtm %s says: %s", source->address,
                     snw_qtm_text(source->bytes, whole));
        live_source_drop(source, whole);
        source->refused += !is_read;
        t->was_open = true;
        if (kind == SNW_QTM_XML && is_read && !t->is_greeted)
            t->is_greeted = command(t, "StreamFrames AllFrames 3D 3DNoLabels");
        /* Something began, ended or was set: labels may be others. */
        if (kind == SNW_QTM_EVENT) (void)command(t, "GetParameters General 3D");
        if (kind == SNW_QTM_DATA && is_read) return LIVE_FRAME;
    }
}

live_source *live_open_qtm(const cli_arguments *arguments, const char *server)
{
    tcp_source *t = make(arguments, "qtm", server, SNW_QTM_PORT);
    if (!t) return NULL;
    t->greet = qtm_greet;
    t->read = qtm_read;
    return &t->source;
}

/* ---- VRPN
 * ----------------------------------------------------------------------------------------
 */

static bool vrpn_greet(tcp_source *t)
{
    uint8_t cookie[SNW_VRPN_COOKIE];
    snw_vrpn_cookie(cookie);
    return live_send_all(t->socket, cookie, sizeof cookie);
}

/* All messages that came together are one frame. */
static live_news vrpn_read(tcp_source *t)
{
    live_source *source = &t->source;
    if (!t->is_greeted) {
        if (source->size < SNW_VRPN_COOKIE) return LIVE_NOTHING;
        if (!snw_vrpn_is_cookie(source->bytes)) return LIVE_FAILED;
        live_source_drop(source, SNW_VRPN_COOKIE);
        t->is_greeted = t->was_open = true;
    }
    size_t at = 0, whole = 0;
    double before = source->packet.time;
    for (; at < source->size; at += whole) {
        whole = snw_vrpn_size(source->bytes + at, source->size - at);
        if (whole == SIZE_MAX) return LIVE_FAILED;
        if (whole == 0 || whole > source->size - at) break;
        if (snw_vrpn_read(&t->vrpn, &source->packet, source->bytes + at, whole, NULL) != SNW_OK)
            source->refused++;
    }
    live_source_drop(source, at);
    return source->packet.count > 0 && source->packet.time != before ? LIVE_FRAME : LIVE_NOTHING;
}

live_source *live_open_vrpn(const cli_arguments *arguments, const char *server)
{
    tcp_source *t = make(arguments, "vrpn", server, SNW_VRPN_PORT);
    if (!t) return NULL;
    t->greet = vrpn_greet;
    t->read = vrpn_read;
    t->source.has_trackers = true;
    return &t->source;
}

/* ---- WebSocket
 * -----------------------------------------------------------------------------------
 */

static bool websocket_greet(tcp_source *t)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef";
    uint8_t random[21];
    char head[512];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (int k = 0; k < 21; k++)
        t->key[k] = letters[random[k] & 31];
    memcpy(t->key + 21, "A==", 4); /* 16 bytes in base64 */
    int size = snw_format(head, sizeof head,
                          "GET %s HTTP/1.1\r\nHost: %.64s\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: %s\r\n\r\n",
                          t->path, t->source.address, t->key);
    return live_send_all(t->socket, head, (size_t)size);
}

static live_news take_answer(tcp_source *t)
{
    live_source *source = &t->source;
    const char *text = (const char *)source->bytes;
    char accept[29];
    size_t end = 0;
    while (end + 4 <= source->size && memcmp(text + end, "\r\n\r\n", 4) != 0)
        end++;
    if (end + 4 > source->size) return source->size > 8192 ? LIVE_FAILED : LIVE_NOTHING;
    snw_websocket_accept(t->key, 24, accept);
    bool is_accepted = memcmp(text, "HTTP/1.1 101", 12) == 0 && memmem(text, end, accept, 28);
    live_source_drop(source, end + 4);
    if (!is_accepted) return LIVE_FAILED;
    t->is_greeted = t->was_open = true;
    return LIVE_NOTHING;
}

static bool answer_ping(const tcp_source *t, const uint8_t *payload, size_t size)
{
    uint8_t bytes[SNW_WEBSOCKET_PREFIX + 125];
    const uint8_t mask[4] = {0};
    size_t head = snw_websocket_write(SNW_WEBSOCKET_PONG, size, mask, bytes);
    memcpy(bytes + head, payload, size);
    return live_send_all(t->socket, bytes, head + size);
}

/* A whole message stands in front of the buffer. */
static live_news read_message(tcp_source *t)
{
    live_source *source = &t->source;
    snw_status status =
        t->kind == SNW_WEBSOCKET_TEXT
            ? live_source_read_json(source, t->message, NULL)
            : snw_packet_read_bytes(&source->packet, source->bytes, t->message, NULL);
    live_source_drop(source, t->message);
    t->message = 0;
    source->refused += status != SNW_OK;
    return status == SNW_OK ? LIVE_FRAME : LIVE_NOTHING;
}

static live_news websocket_read(tcp_source *t)
{
    live_source *source = &t->source;
    if (!t->is_greeted && (take_answer(t) == LIVE_FAILED)) return LIVE_FAILED;
    while (t->is_greeted) {
        snw_websocket_frame frame;
        snw_error error;
        uint8_t *at = source->bytes + t->message;
        size_t left = source->size - t->message;
        if (!snw_websocket_read(at, left, &frame, &error))
            return error.status == SNW_OK ? LIVE_NOTHING : LIVE_FAILED;
        if (frame.payload > SNW_QTM_PACKET) return LIVE_FAILED;
        size_t payload = (size_t)frame.payload, whole = frame.head + payload;
        if (whole > left) return LIVE_NOTHING;
        if (frame.is_masked) snw_websocket_mask(frame.mask, at + frame.head, payload);
        if (frame.kind == SNW_WEBSOCKET_CLOSE) return LIVE_FAILED;
        if (frame.kind == SNW_WEBSOCKET_PING && !answer_ping(t, at + frame.head, payload))
            return LIVE_FAILED;
        bool is_part = frame.kind <= SNW_WEBSOCKET_BYTES;
        size_t gone = is_part ? frame.head : whole;
        memmove(at, at + gone, left - gone);
        source->size -= gone;
        if (!is_part) continue;
        if (frame.kind != SNW_WEBSOCKET_MORE) t->kind = frame.kind;
        t->message += payload;
        if (t->message > SNW_QTM_PACKET) return LIVE_FAILED;
        if (frame.is_last && read_message(t) == LIVE_FRAME) return LIVE_FRAME;
    }
    return LIVE_NOTHING;
}

live_source *live_open_websocket(const cli_arguments *arguments, const char *server)
{
    if (strncmp(server, "ws://", 5) == 0) server += 5;
    tcp_source *t = make(arguments, "ws", server, 8080);
    if (!t) return NULL;
    t->greet = websocket_greet;
    t->read = websocket_read;
    return &t->source;
}
