#include "markup.h"

#include <stdbool.h>
#include <string.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the UTF-8 character at `at`: 1..4, or 0 when there is none. RFC 3629: no overlong
 * forms, no surrogates, nothing beyond U+10FFFF. */
static int character_length(const unsigned char *at)
{
    if (at[0] < 0x80) return 1;
    int length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4) return 0;
    for (int i = 1; i < length; i++)
        if (!is_continuation(at[i])) return 0;
    if (at[0] == 0xe0 && at[1] < 0xa0) return 0;
    if (at[0] == 0xed && at[1] > 0x9f) return 0;
    if (at[0] == 0xf0 && at[1] < 0x90) return 0;
    if (at[0] == 0xf4 && at[1] > 0x8f) return 0;
    return length;
}

static const char *entity(unsigned char byte)
{
    switch (byte) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return byte < 0x20 || byte == 0x7f ? " " : NULL;
    }
}

void cli_put_text(const char *text, FILE *out)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        int length = character_length(at);
        const char *instead = length == 0 ? "&#xfffd;" : entity(*at);
        if (instead)
            fputs(instead, out);
        else
            fwrite(at, 1, (size_t)length, out);
        at += length ? length : 1;
    }
}
