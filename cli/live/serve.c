/* Pages that look on: one thread, one poll(), a bounded number of connections. The page and the
 * WebSocket at /live are behind the same gate as `sinew view`: the token, our own Host, our own
 * Origin. A viewer gets the newest pose when it has taken the last one, at most 60 a second; one
 * that stops reading gets nothing and holds nobody up. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "live/live.h"
#include "view/view.h"

#define SERVE_SHOW_US 16000.0 /* between two poses */
#define SERVE_ASK_US  5e6     /* to send the whole head */
#define SERVE_TAKE_US 3e7     /* without taking a byte */

enum {
    SERVE_VIEWERS = 32,
    SERVE_TEXT = 1 << 18,
    SERVE_SENTENCE = 400,
    SERVE_ANSWER = 1024 /* of an answer */
};

typedef struct serve_viewer {
    int socket; /* -1: free */
    bool is_live;
    double since_us;
    int hello; /* the last one it got */
    size_t asked;
    char head[VIEW_HEAD_MAX];
    uint8_t *out; /* (SERVE_TEXT + SNW_WEBSOCKET_PREFIX) what it has not taken yet */
    size_t size, sent;
    bool is_last; /* close when it is sent */
} serve_viewer;

struct live_server {
    const cli_arguments *arguments;
    view_gate gate;
    char host[64];
    int listener;
    pthread_t thread;
    bool is_running;
    atomic_bool is_over;
    pthread_mutex_t lock; /* of the sentence */
    char sentence[SERVE_SENTENCE];
    atomic_int hello; /* counts up with every change of what pages are told first */
    _Atomic(live_state *) state;
    live_box box;
    live_poses newest[3];
    char *text; /* (SERVE_TEXT) the pose as JSON, for all */
    int length;
    double shown_us;
    serve_viewer viewer[SERVE_VIEWERS];
};

/* ---- text
 * ---------------------------------------------------------------------------------------- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(live_server *s, const char *format, ...)
{
    va_list arguments;
    if (s->length > SERVE_TEXT - 512) return; /* a text that is cut is not sent */
    va_start(arguments, format);
    s->length +=
        snw_format_list(s->text + s->length, (size_t)(SERVE_TEXT - s->length), format, arguments);
    va_end(arguments);
}

static void put_name(live_server *s, const char *name)
{
    put(s, "\"");
    for (int k = 0; name[k] && k < SNW_PACKET_NAME; k++) {
        if (name[k] == '"' || name[k] == '\\') put(s, "\\");
        put(s, "%c", (unsigned char)name[k] < ' ' ? ' ' : name[k]);
    }
    put(s, "\"");
}

/* {"hello": n, "say": "...", "up": 2, "rate": 120, "people": [{"name", "joints", "parents",
 * "tips"}], "markers": [names]}; tips in metres from their joint. */
static void write_hello(live_server *s)
{
    live_state *state = atomic_load(&s->state);
    s->length = 0;
    put(s, "{\"hello\":%d,\"say\":", atomic_load(&s->hello));
    (void)pthread_mutex_lock(&s->lock);
    char sentence[SERVE_SENTENCE];
    memcpy(sentence, s->sentence, sizeof sentence);
    (void)pthread_mutex_unlock(&s->lock);
    put(s, "\"");
    for (int k = 0; sentence[k]; k++)
        put(s, "%s%c", sentence[k] == '"' || sentence[k] == '\\' ? "\\" : "", sentence[k]);
    put(s, "\"");
    if (state) {
        put(s, ",\"up\":%d,\"rate\":%.6g,\"people\":[", (int)state->stream->up,
            state->stream->rate);
        for (int n = 0; n < state->people->count; n++) {
            const snw_skeleton *skeleton = live_person_skeleton(state->people->person[n]);
            put(s, "%s{\"name\":", n ? "," : "");
            put_name(s, live_person_name(state->people->person[n]));
            put(s, ",\"joints\":[");
            for (int j = 0; j < skeleton->joint_count; j++) {
                put(s, "%s", j ? "," : "");
                put_name(s, skeleton->name[j]);
            }
            put(s, "],\"parents\":[");
            for (int j = 0; j < skeleton->joint_count; j++)
                put(s, "%s%d", j ? "," : "", skeleton->parent[j]);
            put(s, "],\"tips\":[");
            for (int j = 0; j < skeleton->joint_count; j++) {
                snw_vec3 t = skeleton->tip[j];
                if (skeleton->has_tip[j])
                    put(s, "%s[%.4f,%.4f,%.4f]", j ? "," : "", t.x, t.y, t.z);
                else
                    put(s, "%snull", j ? "," : "");
            }
            put(s, "]}");
        }
        put(s, "],\"markers\":[");
        for (int m = 0; m < state->stream->marker_count; m++) {
            put(s, "%s", m ? "," : "");
            put_name(s, state->stream->names.name[m]);
        }
        put(s, "]");
    }
    put(s, "}");
}

/* {"frame", "time", "latency_us", "sources": [...], "people": [{"followed", "places", "turns"}],
 * "markers": [x, y, z, ...]}; places and markers in millimetres, null: hidden. */
static void write_pose(live_server *s, live_state *state, const live_poses *poses)
{
    s->length = 0;
    put(s, "{\"frame\":%lld,\"time\":%.4f,\"latency_us\":%.0f,\"skipped\":%lld,\"viewers\":%d",
        (long long)poses->number, poses->time, poses->solved_us - poses->received_us,
        (long long)atomic_load(&state->stream->skipped), atomic_load(&state->viewers));
    put(s, ",\"sources\":[");
    for (int k = 0; k < state->stream->source_count; k++) {
        live_clock clock = live_stream_clock(state->stream, k);
        put(s,
            "%s{\"protocol\":\"%s\",\"rate\":%.1f,\"lost\":%lld,\"late\":%lld,\"jitter_us\":%.0f",
            k ? "," : "", state->stream->source[k]->protocol, clock.rate, (long long)clock.lost,
            (long long)clock.late, clock.jitter_us);
        if (clock.drift == clock.drift) put(s, ",\"drift_ppm\":%.1f", clock.drift);
        put(s, "}");
    }
    put(s, "],\"people\":[");
    for (int n = 0; n < state->people->count; n++) {
        const snw_pose *pose = poses->pose[n];
        put(s, "%s{\"followed\":%d,\"places\":[", n ? "," : "", poses->is_followed[n]);
        for (int j = 0; j < pose->skeleton->joint_count; j++) {
            snw_vec3 p = pose->world[j].translation;
            put(s, "%s%.1f,%.1f,%.1f", j ? "," : "", 1000 * p.x, 1000 * p.y, 1000 * p.z);
        }
        put(s, "],\"turns\":[");
        for (int j = 0; j < pose->skeleton->joint_count; j++) {
            snw_quat q = pose->world[j].rotation;
            put(s, "%s%.4f,%.4f,%.4f,%.4f", j ? "," : "", q.x, q.y, q.z, q.w);
        }
        put(s, "]}");
    }
    put(s, "],\"markers\":[");
    for (int m = 0; m < state->stream->point_count; m++) {
        const float *p = poses->marker + 3 * (size_t)m;
        if (p[0] == p[0])
            put(s, "%s%.0f,%.0f,%.0f", m ? "," : "", (double)(1000 * p[0]), (double)(1000 * p[1]),
                (double)(1000 * p[2]));
        else
            put(s, "%snull,null,null", m ? "," : "");
    }
    put(s, "]}");
}

/* ---- viewers
 * ------------------------------------------------------------------------------------- */

static void end_viewer(serve_viewer *v)
{
    (void)close(v->socket);
    free(v->out);
    *v = (serve_viewer){.socket = -1};
}

/* What is written goes out as far as the socket takes it; the rest later. */
static void push(serve_viewer *v)
{
    while (v->sent < v->size) {
        ssize_t sent = send(v->socket, v->out + v->sent, v->size - v->sent, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (sent <= 0) {
            end_viewer(v);
            return;
        }
        v->sent += (size_t)sent;
        v->since_us = cli_microseconds();
    }
    v->size = v->sent = 0;
    if (!v->is_last) return;
    (void)shutdown(v->socket, SHUT_WR);
    end_viewer(v);
}

static void say_to(live_server *s, serve_viewer *v)
{
    if (s->length > SERVE_TEXT - 512) return;
    size_t head = snw_websocket_write(SNW_WEBSOCKET_TEXT, (uint64_t)s->length, NULL, v->out);
    memcpy(v->out + head, s->text, (size_t)s->length);
    v->size = head + (size_t)s->length;
    v->sent = 0;
    push(v);
}

static bool header(const char *head, size_t size, const char *name, const char **value,
                   size_t *length)
{
    size_t wanted = strlen(name);
    for (size_t at = 0; at + wanted < size; at++) {
        if (head[at] != '\n' || strncasecmp(head + at + 1, name, wanted) != 0) continue;
        *value = head + at + 1 + wanted;
        while (**value == ' ')
            ++*value;
        *length = strcspn(*value, "\r ");
        return true;
    }
    return false;
}

/* A page, or why there is none, and then the end. */
static void answer_page(serve_viewer *v, view_request request)
{
    view_page page = {live_page, live_page_size};
    if (request.target == VIEW_WHOLE) page = view_page_embedded();
    if (request.target == VIEW_WHOLE && page.size == 0)
        request = (view_request){VIEW_NOTHING, -1, 404, "Not Found"};
    if (request.code != 200 || request.target == VIEW_LIVE) page.size = 0;
    if (request.target == VIEW_LIVE) request.code = 400, request.reason = "Bad Request";
    uint8_t *out = page.size ? realloc(v->out, SERVE_ANSWER + page.size) : v->out;
    v->is_last = true;
    if (!out) { /* no memory: it is closed without an answer */
        end_viewer(v);
        return;
    }
    v->out = out;
    v->size = (size_t)snw_format(
        (char *)v->out, SERVE_ANSWER,
        "HTTP/1.1 %d %s\r\nContent-Type: %s; charset=utf-8\r\n%sContent-Length: %lld\r\n"
        "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\r\n",
        request.code, request.reason, page.size ? "text/html" : "text/plain",
        request.target == VIEW_WHOLE ? "Content-Encoding: gzip\r\n" : "", (long long)page.size);
    if (page.size) memcpy(v->out + v->size, page.bytes, page.size);
    v->size += page.size;
    push(v);
}

static void answer(serve_viewer *v, const view_request *request, size_t length)
{
    const char *key;
    size_t key_size;
    char accept[29];
    v->head[length - 1] = 0; /* the last line feed */
    bool is_socket = request->target == VIEW_LIVE &&
                     header(v->head, length, "Sec-WebSocket-Key:", &key, &key_size) &&
                     key_size < 64;
    if (!is_socket) {
        answer_page(v, *request);
        return;
    }
    snw_websocket_accept(key, key_size, accept);
    v->size = (size_t)snw_format((char *)v->out, SERVE_TEXT,
                                 "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                 "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                                 accept);
    v->is_live = true;
    v->hello = -1;
    push(v);
}

static void read_head(live_server *s, serve_viewer *v)
{
    ssize_t got = recv(v->socket, v->head + v->asked, sizeof v->head - v->asked, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        end_viewer(v);
        return;
    }
    v->asked += (size_t)got;
    size_t length = view_head_length(v->head, v->asked);
    if (!length && v->asked < sizeof v->head) return;
    view_request request = {VIEW_NOTHING, -1, 431, "Request Header Fields Too Large"};
    if (length) request = view_request_read(v->head, length, &s->gate);
    if (request.target == VIEW_FILES || request.target == VIEW_ALIVE)
        request = (view_request){VIEW_NOTHING, -1, 404, "Not Found"};
    v->since_us = cli_microseconds();
    answer(v, &request, length ? length : sizeof v->head);
}

/* Pages have nothing to say but that they leave. */
static void hear(serve_viewer *v)
{
    char bytes[512];
    ssize_t got = recv(v->socket, bytes, sizeof bytes, 0);
    bool is_close = got > 0 && ((uint8_t)bytes[0] & 15) == SNW_WEBSOCKET_CLOSE;
    if (got == 0 || is_close || (got < 0 && errno != EAGAIN && errno != EINTR)) end_viewer(v);
}

static void accept_one(live_server *s)
{
    int socket = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), n = 0;
    if (socket < 0) return;
    while (n < SERVE_VIEWERS && s->viewer[n].socket >= 0)
        n++;
    uint8_t *out = n < SERVE_VIEWERS ? malloc(SERVE_TEXT + SNW_WEBSOCKET_PREFIX) : NULL;
    if (!out) {
        (void)close(socket);
        return;
    }
    s->viewer[n] = (serve_viewer){.socket = socket, .since_us = cli_microseconds(), .out = out};
}

/* The newest to everybody who has taken the last one. */
static void show(live_server *s)
{
    live_state *state = atomic_load(&s->state);
    int hello = atomic_load(&s->hello);
    double now = cli_microseconds();
    bool has_text = false;
    int count = 0;
    for (int n = 0; n < SERVE_VIEWERS; n++) {
        serve_viewer *v = &s->viewer[n];
        count += v->socket >= 0 && v->is_live;
        if (v->socket < 0 || !v->is_live || v->size > 0 || v->hello == hello) continue;
        v->hello = hello;
        write_hello(s);
        say_to(s, v);
    }
    if (state) atomic_store(&state->viewers, count);
    if (!state || now - s->shown_us < SERVE_SHOW_US || !live_box_take(&s->box)) return;
    s->shown_us = now;
    for (int n = 0; n < SERVE_VIEWERS; n++) {
        serve_viewer *v = &s->viewer[n];
        if (v->socket < 0 || !v->is_live) continue;
        if (v->size > 0) {
            atomic_fetch_add(&state->viewer_skips, 1);
            continue;
        }
        if (!has_text) write_pose(s, state, &s->newest[s->box.front]);
        has_text = true;
        say_to(s, v);
    }
}

static void serve_round(live_server *s)
{
    struct pollfd polled[SERVE_VIEWERS + 1] = {{.fd = s->listener, .events = POLLIN}};
    for (int n = 0; n < SERVE_VIEWERS; n++) {
        polled[n + 1].fd = s->viewer[n].socket;
        polled[n + 1].events = s->viewer[n].size > 0 ? POLLIN | POLLOUT : POLLIN;
    }
    int ready = poll(polled, SERVE_VIEWERS + 1, 5);
    for (int n = 0; n < SERVE_VIEWERS && ready > 0; n++) {
        serve_viewer *v = &s->viewer[n];
        if (v->socket < 0 || !polled[n + 1].revents) continue;
        if (polled[n + 1].revents & POLLOUT) push(v);
        if (v->socket < 0 || !(polled[n + 1].revents & ~POLLOUT)) continue;
        if (v->is_live)
            hear(v);
        else if (!v->is_last)
            read_head(s, v);
        else
            end_viewer(v);
    }
    if (ready > 0 && polled[0].revents & POLLIN) accept_one(s);
    double now = cli_microseconds();
    for (int n = 0; n < SERVE_VIEWERS; n++) {
        serve_viewer *v = &s->viewer[n];
        if (v->socket < 0) continue;
        bool is_slow = v->size > 0 ? now - v->since_us > SERVE_TAKE_US
                                   : !v->is_live && now - v->since_us > SERVE_ASK_US;
        if (is_slow) end_viewer(v);
    }
    show(s);
}

static void *serve(void *context)
{
    live_server *s = context;
    while (!atomic_load(&s->is_over))
        serve_round(s);
    for (int n = 0; n < SERVE_VIEWERS; n++)
        if (s->viewer[n].socket >= 0) end_viewer(&s->viewer[n]);
    return NULL;
}

/* ---- opening and closing
 * ------------------------------------------------------------------------- */

static bool make_token(char token[VIEW_TOKEN_SIZE])
{
    uint8_t random[16];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (int n = 0; n < 16; n++)
        (void)snw_format(token + 2 * n, 3, "%02x", (unsigned)random[n]);
    return true;
}

live_server *live_server_open(const cli_arguments *arguments)
{
    live_server *s = calloc(1, sizeof *s);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const char *listen = cli_value(arguments, "--listen", NULL);
    if (!s || !(s->text = malloc(SERVE_TEXT)) || !make_token(s->gate.token)) {
        free(s);
        (void)cli_fail(arguments, "no memory for pages");
        return NULL;
    }
    s->arguments = arguments;
    s->listener = -1;
    for (int n = 0; n < SERVE_VIEWERS; n++)
        s->viewer[n].socket = -1;
    live_box_open(&s->box);
    (void)pthread_mutex_init(&s->lock, NULL);
    bool is_open = !listen || live_address(arguments, listen, 8130, &address);
    if (is_open) s->listener = live_listen(arguments, &address);
    if (is_open && s->listener >= 0) {
        (void)inet_ntop(AF_INET, &address.sin_addr, s->host, sizeof s->host);
        s->gate.host = s->host;
        s->gate.port = ntohs(address.sin_port);
        s->gate.has_live = true;
        s->gate.origin = cli_value(arguments, "--origin", NULL);
        s->is_running = pthread_create(&s->thread, NULL, serve, s) == 0;
        if (s->is_running) return s;
        (void)cli_fail(arguments, "no thread for pages");
    }
    live_server_close(s);
    return NULL;
}

void live_server_announce(const live_server *s)
{
    if (!s) return;
    fprintf(stderr, "sinew live: http://%s:%d/?token=%s\n", s->host, s->gate.port, s->gate.token);
    if (view_page_embedded().size)
        fprintf(stderr, "sinew live: in the viewer http://%s:%d/view?token=%s\n", s->host,
                s->gate.port, s->gate.token);
}

void live_server_say(live_server *s, const char *sentence)
{
    (void)pthread_mutex_lock(&s->lock);
    (void)snw_format(s->sentence, sizeof s->sentence, "%s", sentence);
    (void)pthread_mutex_unlock(&s->lock);
    atomic_fetch_add(&s->hello, 1);
}

bool live_server_start(live_server *s, live_state *state)
{
    for (int n = 0; n < 3; n++)
        if (!live_poses_make(&s->newest[n], state->people))
            return cli_fail(s->arguments, "no memory for poses") == CLI_DONE;
    atomic_store(&s->state, state);
    live_server_say(s, "");
    return true;
}

void live_server_show(live_server *s, const live_poses *poses)
{
    live_poses_copy(&s->newest[s->box.back], poses, atomic_load(&s->state)->people);
    live_box_put(&s->box);
}

void live_server_close(live_server *s)
{
    if (!s) return;
    atomic_store(&s->is_over, true);
    if (s->is_running) (void)pthread_join(s->thread, NULL);
    if (s->listener >= 0) (void)close(s->listener);
    for (int n = 0; n < 3; n++)
        live_poses_free(&s->newest[n]);
    free(s->text);
    free(s);
}
