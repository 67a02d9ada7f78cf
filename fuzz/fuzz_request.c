/* What a stranger may send to `sinew view`: a head, read and judged; and bytes that may be gzip. A
 * request is let through only with the token and our own Host. */
#include <stdlib.h>
#include <string.h>

#include "view/gunzip.c"
#include "view/request.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const view_gate gate = {.port = 8080,
                                   .token = "0123456789abcdef0123456789abcdef",
                                   .file_count = 3,
                                   .has_live = true};
    char *head = malloc(size + 1); /* its own block: reading past its end is seen */
    if (!head) return 0;
    memcpy(head, data, size);
    size_t length = view_head_length(head, size);
    if (length > size) abort();
    view_request request = view_request_read(head, size, &gate);
    bool is_let_through = request.code == 200;
    if (is_let_through != (request.target != VIEW_NOTHING)) abort();
    if (request.target == VIEW_FILE && (request.file < 0 || request.file >= 3)) abort();
    head[size] = 0;
    if (is_let_through && (!strstr(head, gate.token) || !strstr(head, ":8080"))) abort();
    free(head);
    size_t unpacked;
    free(view_gunzip(data, size, &unpacked));
    return 0;
}
