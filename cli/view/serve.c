/* The server of `sinew view`: one thread, one poll(), a bounded number of bounded connections, each
 * good for one request. It listens on loopback only.
 *
 * A client can make it wait, not work: a head that is not complete in time, or an answer that is
 * not taken, ends the connection; more connections than there is room for are closed at once. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "output.h"
#include "view/view.h"

#define SERVE_CONNECTIONS   64
#define SERVE_CHUNK         65536
#define SERVE_ASK_SECONDS   5.0  /* to send the whole head */
#define SERVE_TAKE_SECONDS  30.0 /* without taking a byte of the answer */
#define SERVE_QUIT_SECONDS  2.0  /* after the last page closed: a reload comes back sooner */
#define SERVE_PAUSE_SECONDS 0.1  /* without accepting, where the system has no more sockets */

typedef struct serve_connection {
    int socket; /* -1: free */
    double since;
    size_t asked;
    char head[VIEW_HEAD_MAX];
    bool is_alive; /* the answer that never ends */
    /* the answer: a short head, then bytes in memory or of a file */
    char answer[1024];
    size_t answer_size;
    const uint8_t *body;
    int64_t body_size;
    int file; /* -1: the body is in memory */
    int64_t sent;
} serve_connection;

typedef struct server {
    const cli_arguments *arguments;
    view_gate gate;
    view_page page;
    int listener;
    char *list; /* JSON of the names */
    bool quits, was_seen;
    double accepts_from; /* the listener is left alone until then */
    char redirect[256];  /* the file that the browser was told to open; "": none */
    double closed_at;    /* when the last page closed; 0: one is open */
    serve_connection connection[SERVE_CONNECTIONS];
} server;

static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    is_interrupted = 1;
}

static double seconds_now(void)
{
    return 1e-6 * cli_microseconds();
}

/* ---- answers -----------------------------------------------------------------------------------
 */

static void answer(serve_connection *c, const view_request *request, const char *type,
                   const char *more, int64_t size)
{
    int length = snw_format(
        c->answer, sizeof c->answer,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n%sConnection: close\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: "
        "no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n",
        request->code, request->reason, type, more);
    if (size >= 0)
        length += snw_format(c->answer + length, sizeof c->answer - (size_t)length,
                             "Content-Length: %lld\r\n", (long long)size);
    length += snw_format(c->answer + length, sizeof c->answer - (size_t)length, "\r\n");
    c->answer_size = (size_t)length;
    c->body_size = size > 0 ? size : 0;
}

static void answer_file(server *s, serve_connection *c, const view_request *request)
{
    struct stat about;
    c->file = open(s->arguments->operand[request->file], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (c->file >= 0 && fstat(c->file, &about) == 0 && S_ISREG(about.st_mode)) {
        answer(c, request, "application/octet-stream", "", (int64_t)about.st_size);
        return;
    }
    view_request gone = {VIEW_NOTHING, -1, 404, "Not Found"};
    if (c->file >= 0) close(c->file);
    c->file = -1;
    answer(c, &gone, "text/plain", "", 0);
}

static void answer_request(server *s, serve_connection *c, const view_request *request)
{
    switch (request->target) {
    case VIEW_PAGE:
        answer(c, request, "text/html; charset=utf-8", "Content-Encoding: gzip\r\n",
               (int64_t)s->page.size);
        c->body = s->page.bytes;
        break;
    case VIEW_FILES:
        answer(c, request, "application/json", "", (int64_t)strlen(s->list));
        c->body = (const uint8_t *)s->list;
        break;
    case VIEW_FILE:
        answer_file(s, c, request);
        break;
    case VIEW_ALIVE:
        answer(c, request, "text/plain", "", -1);
        c->is_alive = true;
        s->was_seen = true;
        s->closed_at = 0;
        break;
    case VIEW_LIVE:
    case VIEW_WHOLE: /* `sinew live` has its own server */
    case VIEW_NOTHING:
        answer(c, request, "text/plain", "", 0);
        break;
    }
}

/* ---- connections -------------------------------------------------------------------------------
 */

static bool has_page_open(const server *s)
{
    for (int n = 0; n < SERVE_CONNECTIONS; n++)
        if (s->connection[n].socket >= 0 && s->connection[n].is_alive) return true;
    return false;
}

static void end_connection(server *s, serve_connection *c)
{
    close(c->socket);
    if (c->file >= 0) close(c->file);
    c->socket = c->file = -1;
    if (c->is_alive) {
        c->is_alive = false;
        if (!has_page_open(s)) s->closed_at = seconds_now();
    }
}

/* A place for one more. Where all are taken, the one that has waited longest loses its own: first
 * of those that have not asked yet, a browser sends its whole head at once; then of those that do
 * not take their answer. A page that is open keeps its place, unless pages take all of them. */
static serve_connection *make_room(server *s)
{
    serve_connection *oldest[3] = {NULL, NULL, NULL};
    for (int n = 0; n < SERVE_CONNECTIONS; n++) {
        serve_connection *c = &s->connection[n];
        if (c->socket < 0) return c;
        int kind = c->is_alive ? 2 : c->answer_size ? 1 : 0;
        if (!oldest[kind] || c->since < oldest[kind]->since) oldest[kind] = c;
    }
    serve_connection *least = oldest[0] ? oldest[0] : oldest[1] ? oldest[1] : oldest[2];
    end_connection(s, least);
    return least;
}

static void accept_one(server *s)
{
    int socket = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
        /* Without sockets (EMFILE) poll would say at once that somebody waits, again and again. */
        if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
            s->accepts_from = seconds_now() + SERVE_PAUSE_SECONDS;
        return;
    }
    serve_connection *c = make_room(s);
    memset(c, 0, sizeof *c);
    c->socket = socket;
    c->file = -1;
    c->since = seconds_now();
}

static void read_request(server *s, serve_connection *c)
{
    ssize_t got = recv(c->socket, c->head + c->asked, sizeof c->head - c->asked, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        end_connection(s, c);
        return;
    }
    c->asked += (size_t)got;
    size_t length = view_head_length(c->head, c->asked);
    view_request request = {VIEW_NOTHING, -1, 431, "Request Header Fields Too Large"};
    if (!length && c->asked < sizeof c->head) return;
    if (length) request = view_request_read(c->head, length, &s->gate);
    answer_request(s, c, &request);
    c->since = seconds_now();
}

/* The next bytes of the answer, wherever they are. */
static size_t next_bytes(serve_connection *c, uint8_t *buffer, const uint8_t **bytes)
{
    int64_t head = (int64_t)c->answer_size;
    if (c->sent < head) {
        *bytes = (const uint8_t *)c->answer + c->sent;
        return (size_t)(head - c->sent);
    }
    int64_t at = c->sent - head, left = c->body_size - at;
    size_t size = left < SERVE_CHUNK ? (size_t)left : SERVE_CHUNK;
    if (c->file < 0) {
        *bytes = c->body + at;
        return size;
    }
    ssize_t got = pread(c->file, buffer, size, (off_t)at);
    *bytes = buffer;
    return got > 0 ? (size_t)got : 0;
}

static void write_answer(server *s, serve_connection *c)
{
    uint8_t buffer[SERVE_CHUNK];
    const uint8_t *bytes = NULL;
    int64_t whole = (int64_t)c->answer_size + c->body_size;
    size_t size = c->sent < whole ? next_bytes(c, buffer, &bytes) : 0;
    ssize_t sent = size ? send(c->socket, bytes, size, MSG_NOSIGNAL) : 0;
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (sent > 0) {
        c->sent += sent;
        c->since = seconds_now();
    }
    bool is_over = c->sent >= whole && !c->is_alive;
    if (sent < 0 || is_over || (sent == 0 && c->sent < whole)) {
        /* What the client still sends is left unread; without this a close would drop the answer.
         */
        shutdown(c->socket, SHUT_WR);
        end_connection(s, c);
    }
}

/* An answer that never ends is watched for the page's leaving only. */
static void watch_alive(server *s, serve_connection *c)
{
    char byte;
    ssize_t got = recv(c->socket, &byte, 1, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) end_connection(s, c);
}

static bool is_waiting_to_send(const serve_connection *c)
{
    return c->answer_size && c->sent < (int64_t)c->answer_size + c->body_size;
}

static void serve_connection_event(server *s, serve_connection *c, short events)
{
    if (is_waiting_to_send(c)) {
        write_answer(s, c);
    } else if (c->is_alive) {
        if (events) watch_alive(s, c);
    } else if (c->answer_size) {
        write_answer(s, c);
    } else if (events) {
        read_request(s, c);
    }
}

static void end_the_slow(server *s)
{
    double now = seconds_now();
    for (int n = 0; n < SERVE_CONNECTIONS; n++) {
        serve_connection *c = &s->connection[n];
        if (c->socket < 0 || (c->is_alive && !is_waiting_to_send(c))) continue;
        double most = c->answer_size ? SERVE_TAKE_SECONDS : SERVE_ASK_SECONDS;
        if (now - c->since > most) end_connection(s, c);
    }
}

static void serve_round(server *s)
{
    bool is_paused = seconds_now() < s->accepts_from;
    struct pollfd polled[SERVE_CONNECTIONS + 1] = {
        {.fd = is_paused ? -1 : s->listener, .events = POLLIN}};
    for (int n = 0; n < SERVE_CONNECTIONS; n++) {
        const serve_connection *c = &s->connection[n];
        polled[n + 1].fd = c->socket;
        polled[n + 1].events = is_waiting_to_send(c) ? POLLOUT : POLLIN;
    }
    if (poll(polled, SERVE_CONNECTIONS + 1, is_paused ? 100 : 500) > 0) {
        for (int n = 0; n < SERVE_CONNECTIONS; n++)
            if (s->connection[n].socket >= 0 && polled[n + 1].revents)
                serve_connection_event(s, &s->connection[n], polled[n + 1].revents);
        if (polled[0].revents & POLLIN) accept_one(s);
    }
    end_the_slow(s);
}

/* ---- start and end ------------------------------------------------------------------------------
 */

static bool make_token(char token[VIEW_TOKEN_SIZE])
{
    uint8_t random[16];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (int n = 0; n < 16; n++)
        snw_format(token + 2 * n, 3, "%02x", (unsigned)random[n]);
    return true;
}

static bool listen_on_loopback(server *s, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int on = 1;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->listener < 0) return false;
    setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(s->listener, 64) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&address, &size) != 0)
        return false;
    s->gate.port = ntohs(address.sin_port);
    return true;
}

/* {"files": ["walk.c3d"], "quits": false} */
static bool draw_list(FILE *out, const void *context)
{
    const server *s = context;
    cli_json json = cli_json_begin(out);
    cli_json_object(&json, NULL);
    cli_json_array(&json, "files");
    for (int n = 0; n < s->arguments->operand_count; n++) {
        const char *path = s->arguments->operand[n], *slash = strrchr(path, '/');
        cli_json_string(&json, NULL, slash ? slash + 1 : path);
    }
    cli_json_end_array(&json);
    cli_json_boolean(&json, "quits", s->quits);
    cli_json_end_object(&json);
    return true;
}

/* A page that only this user can read and that leads to the address: everybody can read the
 * arguments of the program that opens it, and the token stands in the address. */
static bool write_redirect(server *s, const char *address)
{
    const char *folder = getenv("XDG_RUNTIME_DIR");
    snw_format(s->redirect, sizeof s->redirect, "%s/sinew-view-XXXXXX.html",
               folder && *folder == '/' ? folder : "/tmp");
    int file = mkostemps(s->redirect, 5, O_CLOEXEC);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (!out) {
        if (file >= 0) {
            close(file);
            unlink(s->redirect);
        }
        s->redirect[0] = 0;
        return false;
    }
    fprintf(out,
            "<!doctype html><title>Sinew</title><meta http-equiv=\"refresh\" content=\"0;url=%s\">"
            "<a href=\"%s\">Sinew</a>\n",
            address, address);
    return fclose(out) == 0;
}

static void remove_redirect(server *s)
{
    if (s->redirect[0]) unlink(s->redirect);
    s->redirect[0] = 0;
}

/* The desktop's own way to open a page; nothing happens where there is no desktop. */
static void open_browser(server *s, const char *address)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    if (!write_redirect(s, address)) return;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            int nothing = open("/dev/null", O_RDWR);
            if (nothing >= 0) {
                dup2(nothing, 1);
                dup2(nothing, 2);
            }
            execlp("xdg-open", "xdg-open", s->redirect, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static int serve_until_end(server *s)
{
    char address[128];
    snw_format(address, sizeof address, "http://127.0.0.1:%d/?token=%s", s->gate.port,
               s->gate.token);
    /* Before anybody can know the address: who reads it may end us at once. */
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (cli_flag(s->arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "address", address);
        cli_json_end_object(&json);
    } else {
        printf("%s\n", address);
    }
    fflush(stdout);
    if (!cli_flag(s->arguments, "--no-open")) open_browser(s, address);
    while (!is_interrupted) {
        serve_round(s);
        if (s->was_seen) remove_redirect(s);
        bool is_closed = s->was_seen && s->closed_at > 0;
        if (s->quits && is_closed && seconds_now() - s->closed_at > SERVE_QUIT_SECONDS) break;
    }
    remove_redirect(s);
    return CLI_DONE;
}

int view_serve(const cli_arguments *arguments)
{
    int64_t port = 0;
    if (!cli_integer(arguments, "--port", 0, 65535, &port)) return CLI_USAGE;
    server *s = calloc(1, sizeof *s);
    if (!s) return cli_fail(arguments, "there is no memory for the server");
    s->arguments = arguments;
    s->page = view_page_embedded();
    s->gate.file_count = arguments->operand_count;
    s->quits = cli_flag(arguments, "--quit");
    s->listener = -1;
    for (int n = 0; n < SERVE_CONNECTIONS; n++)
        s->connection[n].socket = s->connection[n].file = -1;
    int code;
    size_t size;
    s->list = cli_draw(draw_list, s, &size);
    if (!s->list)
        code = cli_fail(arguments, "there is no memory for the list of files");
    else if (!make_token(s->gate.token))
        code = cli_fail(arguments, "the server could not be prepared: %s", strerror(errno));
    else if (!listen_on_loopback(s, (int)port))
        code = cli_fail(arguments, "port %d could not be opened: %s", (int)port, strerror(errno));
    else
        code = serve_until_end(s);
    for (int n = 0; n < SERVE_CONNECTIONS; n++)
        if (s->connection[n].socket >= 0) end_connection(s, &s->connection[n]);
    if (s->listener >= 0) close(s->listener);
    free(s->list);
    free(s);
    return code;
}
