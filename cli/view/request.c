/* One HTTP request (RFC 9112) and whether it may be answered.
 *
 *     GET /file/0?token=9f... HTTP/1.1 CRLF
 *     Host: 127.0.0.1:40123 CRLF ... CRLF CRLF
 *
 * Any page that the user has open can make the browser ask us: that is why the address carries a
 * token that no other page knows, why Host must be ours (a name that somebody lets point to
 * 127.0.0.1 is not), and why an Origin that is not ours is refused. */
#include <string.h>

#include "view/view.h"

/* A piece of the head. */
typedef struct view_span {
    const char *text;
    size_t size;
} view_span;

size_t view_head_length(const char *bytes, size_t size)
{
    for (size_t n = 0; n + 3 < size; n++)
        if (memcmp(bytes + n, "\r\n\r\n", 4) == 0) return n + 4;
    return 0;
}

static bool is_span(view_span span, const char *text)
{
    return span.size == strlen(text) && memcmp(span.text, text, span.size) == 0;
}

/* Takes what stands before `end` off the front; the rest is left behind it. */
static view_span take_until(view_span *rest, const char *end)
{
    size_t length = strlen(end);
    for (size_t n = 0; n + length <= rest->size; n++) {
        if (memcmp(rest->text + n, end, length) != 0) continue;
        view_span taken = {rest->text, n};
        rest->text += n + length;
        rest->size -= n + length;
        return taken;
    }
    view_span all = *rest;
    rest->text += rest->size;
    rest->size = 0;
    return all;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_named(view_span line, const char *name, view_span *value)
{
    size_t length = strlen(name);
    if (line.size <= length || line.text[length] != ':') return false;
    for (size_t n = 0; n < length; n++)
        if (lower(line.text[n]) != name[n]) return false;
    *value = (view_span){line.text + length + 1, line.size - length - 1};
    while (value->size && (*value->text == ' ' || *value->text == '\t')) {
        value->text++;
        value->size--;
    }
    while (value->size && (value->text[value->size - 1] == ' '))
        value->size--;
    return true;
}

/* Is it 127.0.0.1:PORT, localhost:PORT or the gate's own, with `before` in front? */
static bool is_ours(view_span value, const char *before, const view_gate *gate)
{
    char ours[64];
    const char *const names[] = {"127.0.0.1", "localhost", gate->host};
    for (int n = 0; n < 3; n++) {
        if (!names[n]) continue;
        snw_format(ours, sizeof ours, "%s%s:%d", before, names[n], gate->port);
        if (is_span(value, ours)) return true;
    }
    return false;
}

/* In the same time whatever the difference is. */
static bool is_token(view_span given, const char *token)
{
    size_t length = strlen(token);
    unsigned difference = given.size != length || length == 0;
    for (size_t n = 0; n < length; n++)
        difference |= (unsigned char)(token[n] ^ (given.size ? given.text[n % given.size] : 0));
    return difference == 0;
}

static view_request refuse(int code, const char *reason)
{
    return (view_request){VIEW_NOTHING, -1, code, reason};
}

/* A header's name is letters, digits and a few signs, the colon right behind it (RFC 9112, 5.1):
 * what some programs read as "Host" and others do not is nobody's. */
static bool has_name(view_span line)
{
    const char *colon = memchr(line.text, ':', line.size);
    if (!colon || colon == line.text) return false;
    for (const char *c = line.text; c < colon; c++)
        if (*c <= ' ' || *c >= 127) return false;
    return true;
}

/* Host once and ours; no Origin or ours; `is_from_elsewhere`: another site led here. */
static view_request check_headers(view_span rest, const view_gate *gate, bool *is_from_elsewhere)
{
    int host_count = 0;
    while (rest.size) {
        view_span line = take_until(&rest, "\r\n"), value;
        if (line.size == 0) break;
        if (!has_name(line)) return refuse(400, "Bad Request");
        if (is_named(line, "host", &value)) {
            host_count++;
            if (!is_ours(value, "", gate)) return refuse(403, "Forbidden");
        } else if (is_named(line, "origin", &value)) {
            bool is_friend = gate->origin && is_span(value, gate->origin);
            if (!is_friend && !is_ours(value, "http://", gate)) return refuse(403, "Forbidden");
        } else if (is_named(line, "sec-fetch-site", &value)) {
            if (!gate->origin && !is_span(value, "same-origin") && !is_span(value, "none"))
                *is_from_elsewhere = true;
        }
    }
    if (host_count != 1) return refuse(400, "Bad Request");
    return (view_request){VIEW_PAGE, -1, 200, "OK"};
}

/* Only these paths exist; nothing in a path ever reaches the file system. */
static view_request find_target(view_span path, const view_gate *gate)
{
    view_request request = {VIEW_PAGE, -1, 200, "OK"};
    if (is_span(path, "/")) return request;
    if (is_span(path, "/files")) {
        request.target = VIEW_FILES;
        return request;
    }
    if (is_span(path, "/alive")) {
        request.target = VIEW_ALIVE;
        return request;
    }
    if (gate->has_live && is_span(path, "/live")) {
        request.target = VIEW_LIVE;
        return request;
    }
    if (gate->has_live && is_span(path, "/view")) {
        request.target = VIEW_WHOLE;
        return request;
    }
    if (path.size > 6 && path.size < 12 && memcmp(path.text, "/file/", 6) == 0) {
        int64_t number;
        const char *end = snw_parse_int64(path.text + 6, path.text + path.size, &number);
        if (end == path.text + path.size && path.text[6] >= '0' && path.text[6] <= '9' &&
            number < gate->file_count) {
            request.target = VIEW_FILE;
            request.file = (int)number;
            return request;
        }
    }
    return refuse(404, "Not Found");
}

view_request view_request_read(const char *head, size_t size, const view_gate *gate)
{
    view_span rest = {head, size};
    view_span line = take_until(&rest, "\r\n");
    view_span method = take_until(&line, " "), address = take_until(&line, " ");
    if (!is_span(line, "HTTP/1.1") && !is_span(line, "HTTP/1.0")) return refuse(400, "Bad Request");
    if (memchr(head, 0, size)) return refuse(400, "Bad Request");
    if (!is_span(method, "GET")) return refuse(405, "Method Not Allowed");
    bool is_from_elsewhere = false;
    view_request request = check_headers(rest, gate, &is_from_elsewhere);
    if (request.code != 200) return request;
    view_span path = take_until(&address, "?"), given = {NULL, 0};
    while (address.size) {
        view_span field = take_until(&address, "&");
        view_span name = take_until(&field, "=");
        if (is_span(name, "token")) given = field;
    }
    if (!is_token(given, gate->token)) return refuse(403, "Forbidden");
    request = find_target(path, gate);
    /* The file that the browser was told to open leads to the page, and to nothing else. */
    if (is_from_elsewhere && request.target != VIEW_PAGE) return refuse(403, "Forbidden");
    return request;
}
