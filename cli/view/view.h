/* What the parts of `sinew view` share: the page in the binary, one request, the server. */
#ifndef SINEW_CLI_VIEW_H
#define SINEW_CLI_VIEW_H

#include "command.h"

/* ---- the page ---------------------------------------------------------------------------------
 */

/* The page as it was built, gzipped; size 0 when this command was built without it. */
typedef struct view_page {
    const uint8_t *bytes;
    size_t size;
} view_page;

view_page view_page_embedded(void);

/* The content of a gzip file in memory (RFC 1952 and 1951), with a zero behind it; free() it. NULL
 * when the bytes are no gzip file, are damaged, or there is no memory. */
char *view_gunzip(const uint8_t *bytes, size_t size, size_t *out_size);

/* Writes the page with the files inside: one file to keep or to send. */
int view_export(const cli_arguments *arguments, const char *path);

/* ---- a request --------------------------------------------------------------------------------
 */

#define VIEW_HEAD_MAX   8192 /* bytes of a request up to the empty line; longer ones are refused */
#define VIEW_TOKEN_SIZE 33   /* 32 hexadecimal digits and the zero */

typedef enum view_target {
    VIEW_PAGE,   /* / */
    VIEW_FILES,  /* /files: their names */
    VIEW_FILE,   /* /file/N: the bytes of one of them */
    VIEW_ALIVE,  /* /alive: never ends, so that the server sees the page close */
    VIEW_LIVE,   /* /live: poses as they come, over a WebSocket */
    VIEW_WHOLE,  /* /view: the page of `sinew view`, showing them */
    VIEW_NOTHING /* refused */
} view_target;

typedef struct view_request {
    view_target target;
    int file;           /* of VIEW_FILE */
    int code;           /* 200, or why it is refused: 400, 403, 404, 405 */
    const char *reason; /* "Forbidden" */
} view_request;

/* Who may ask, and for what. */
typedef struct view_gate {
    int port;
    char token[VIEW_TOKEN_SIZE];
    int file_count;
    bool has_live;
    const char *host;   /* another name that is ours: the address that --listen gave; NULL: none */
    const char *origin; /* another page that may ask: "http://127.0.0.1:8000"; NULL: none */
} view_gate;

/* Where the head of a request ends (behind the empty line), or 0 while it is not all there. */
size_t view_head_length(const char *bytes, size_t size);
/* Reads a whole head and judges it: only GET, only our own Host and Origin, only with the token,
 * only what there is. Never looks outside [head, head + size). */
view_request view_request_read(const char *head, size_t size, const view_gate *gate);

/* ---- the server -------------------------------------------------------------------------------
 */

/* Serves the page and the operands on loopback until the page closes (--quit) or a signal comes. */
int view_serve(const cli_arguments *arguments);

#endif
