#include "text.h"

#include <string.h>

/* Bytes of the UTF-8 sequence at `c`, or 0 when it is none (Unicode 15, table 3-7). */
static int utf8_length(const unsigned char *c)
{
    if (c[0] < 0x80) return 1;
    int length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4) return 0;
    for (int n = 1; n < length; n++)
        if ((c[n] & 0xc0) != 0x80) return 0;
    /* Longer than need be, half of a UTF-16 pair, or beyond the last character. */
    bool is_wrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                    (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
    return is_wrong ? 0 : length;
}

const char *cli_text_next(const char *text, char character[5])
{
    const unsigned char *c = (const unsigned char *)text;
    int length = utf8_length(c);
    if (length > 0) {
        memcpy(character, text, (size_t)length);
        character[length] = 0;
        return text + length;
    }
    character[0] = (char)(0xc0 | (*c >> 6));
    character[1] = (char)(0x80 | (*c & 0x3f));
    character[2] = 0;
    return text + 1;
}

/* C0, delete, and C1 (U+0080 to U+009F: c2 80 to c2 9f). */
static bool is_control(const char *character)
{
    unsigned char first = (unsigned char)character[0], second = (unsigned char)character[1];
    return first < 0x20 || first == 0x7f || (first == 0xc2 && second < 0xa0);
}

void cli_print_text(FILE *out, const char *text, int width)
{
    char character[5];
    while (*text) {
        text = cli_text_next(text, character);
        fputs(is_control(character) ? "?" : character, out);
        width--;
    }
    for (; width > 0; width--)
        fputc(' ', out);
}

void cli_print_path(const char *path)
{
    cli_print_text(stdout, path, 0);
    fputs(": ", stdout);
}

void cli_put_csv_field(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"') putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

const char *cli_s(int64_t count)
{
    return count == 1 ? "" : "s";
}
