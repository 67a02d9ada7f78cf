/* Any bytes as an actor: refused with a sentence, or read, printed and read again the same. */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    text_memory memory = text_memory_for(size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_actor *actor = NULL, *again = NULL;
    snw_error error;
    snw_status status = snw_actor_parse((const char *)data, size, &allocator, &actor, &error);
    text_check_outcome(status, &error, actor);
    if (status != SNW_OK) {
        if (memory.live != 0) abort();
        return 0;
    }
    size_t length = snw_actor_print(actor, NULL, 0);
    char *text = malloc(length + 1);
    if (text) {
        snw_actor_print(actor, text, length + 1);
        if (snw_actor_parse(text, length, NULL, &again, &error) != SNW_OK) abort();
        if (again->marker_count != actor->marker_count) abort();
    }
    free(text);
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
    if (memory.live != 0) abort();
    return 0;
}
