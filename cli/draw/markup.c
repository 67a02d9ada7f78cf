#include "draw/markup.h"

#include "text.h"

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
    char character[5];
    while (*text) {
        text = cli_text_next(text, character);
        const char *instead = entity((unsigned char)character[0]);
        if (!instead && cli_is_control(character)) instead = "?";
        fputs(instead ? instead : character, out);
    }
}
