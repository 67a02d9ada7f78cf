/* Any bytes as a style: refused with a sentence, or read, printed and read again the same. */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    text_memory memory = text_memory_for(size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_style *style = NULL, *again = NULL;
    snw_error error;
    snw_status status = snw_style_parse((const char *)data, size, &allocator, &style, &error);
    text_check_outcome(status, &error, style);
    if (status == SNW_OK) {
        size_t length = snw_style_print(style, NULL, 0);
        char *text = malloc(length + 1);
        if (text) {
            snw_style_print(style, text, length + 1);
            if (snw_style_parse(text, length, NULL, &again, &error) != SNW_OK) abort();
            if (again->feature_count != style->feature_count) abort();
        }
        free(text);
    }
    snw_style_destroy(again);
    snw_style_destroy(style);
    if (memory.live != 0) abort();
    return 0;
}
