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

bool cli_is_control(const char *character)
{
    const unsigned char *c = (const unsigned char *)character;
    if (c[0] == 0xe2 && c[1] == 0x80) return c[2] >= 0xaa && c[2] <= 0xae;
    if (c[0] == 0xe2 && c[1] == 0x81) return c[2] >= 0xa6 && c[2] <= 0xa9;
    return c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
}

void cli_print_text(FILE *out, const char *text, int width)
{
    char character[5];
    while (*text) {
        text = cli_text_next(text, character);
        fputs(cli_is_control(character) ? "?" : character, out);
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
    bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;
    char character[5];
    if (is_quoted) putc('"', out);
    if (*text && strchr("=+-@\t\r", *text)) putc('\'', out);
    while (*text) {
        text = cli_text_next(text, character);
        if (character[0] == '"') putc('"', out);
        fputs(cli_is_control(character) ? "?" : character, out);
    }
    if (is_quoted) putc('"', out);
}

const char *cli_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

void cli_put_ray(FILE *out, const char *marker, const int frame_camera[2], snw_vec3 origin,
                 snw_vec3 direction)
{
    char line[320];
    fprintf(out, "%d,", frame_camera[0]);
    cli_put_csv_field(marker, out);
    snw_format(line, sizeof line, ",%d,%.4f,%.4f,%.4f,%.9f,%.9f,%.9f\n", frame_camera[1],
               1000 * origin.x, 1000 * origin.y, 1000 * origin.z, direction.x, direction.y,
               direction.z);
    fputs(line, out);
}
