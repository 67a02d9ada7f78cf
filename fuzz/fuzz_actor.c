/* Any bytes as an actor: refused with a sentence, or read, printed and read again the same. */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snw_actor *actor = NULL, *again = NULL;
    snw_error error;
    if (snw_actor_parse((const char *)data, size, NULL, &actor, &error) != SNW_OK) {
        if (error.message[0] == 0) abort();
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
    return 0;
}
