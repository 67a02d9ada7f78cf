/* Any words and numbers out of files, as the command puts them into JSON, HTML and CSV: a second
 * parser, which shares no code with the writer, reads JSON and markup through and finds one value,
 * no raw control character and nothing that opens a tag. */
#include <stdlib.h>
#include <string.h>

#include "draw/markup.c"
#include "json.c"
#include "text.c"

#include "fuzz_numbers.h"

enum {
    MARKUP_WORDS = 4,
    MARKUP_WORD = 24
};

/* ---- the second parser: RFC 8259, by recursive descent --------------------------------------- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \n");
}

static const char *parse_string(const char *at)
{
    if (*at++ != '"') abort();
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) abort();
        if (*at != '\\') continue;
        at++;
        if (*at == 'u')
            at += strspn(at + 1, "0123456789abcdef") >= 4 ? 4 : (abort(), 0);
        else if (!*at || !strchr("\"\\/bfnrt", *at))
            abort();
    }
    return at + 1;
}

static const char *parse_value(const char *at)
{
    at = skip_blanks(at);
    if (*at == '"') return parse_string(at);
    if (strncmp(at, "null", 4) == 0 || strncmp(at, "true", 4) == 0) return at + 4;
    if (strncmp(at, "false", 5) == 0) return at + 5;
    if (*at != '{' && *at != '[') {
        char *end = NULL;
        if (!strchr("-0123456789", *at) || !isfinite(strtod(at, &end)) || end == at) abort();
        return end;
    }
    char last = *at == '{' ? '}' : ']';
    at = skip_blanks(at + 1);
    while (*at != last) {
        if (last == '}') {
            at = skip_blanks(parse_string(at));
            if (*at++ != ':') abort();
        }
        at = skip_blanks(parse_value(at));
        if (*at == ',')
            at = skip_blanks(at + 1);
        else if (*at != last)
            abort();
    }
    return at + 1;
}

/* Bytes are UTF-8 all through. */
static void check_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int more = *c < 0x80   ? 0
                   : *c < 0xc2 ? -1
                   : *c < 0xe0 ? 1
                   : *c < 0xf0 ? 2
                   : *c < 0xf5 ? 3
                               : -1;
        if (more < 0) abort();
        for (c++; more > 0; more--)
            if ((*c++ & 0xc0) != 0x80) abort();
    }
}

/* Text inside markup: nothing opens or closes, every & begins an entity. */
static void check_markup(const char *text)
{
    if (strpbrk(text, "<>\"'")) abort();
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) abort();
        if (*c == '&' && c[1 + strspn(c + 1, "#0123456789abcdefghijklmnopqrstuvwxyz")] != ';')
            abort();
    }
}

/* One field of RFC 4180. */
static void check_csv(const char *text)
{
    if (*text != '"') {
        if (strpbrk(text, ",\"\n\r")) abort();
        return;
    }
    for (text++; *text; text++)
        if (*text == '"' && *++text != '"') {
            if (*text) abort();
            return;
        }
    abort();
}

/* ---- what is written --------------------------------------------------------------------------
 */

static void write_json(FILE *out, fuzz_bytes *bytes, char word[MARKUP_WORDS][MARKUP_WORD])
{
    cli_json json = cli_json_begin(out);
    double numbers[3];
    snw_notes notes = snw_notes_none();
    cli_json_object(&json, NULL);
    for (int n = 0; n < MARKUP_WORDS; n++) {
        cli_json_string(&json, word[n], word[MARKUP_WORDS - 1 - n]);
        cli_json_number(&json, "number", fuzz_number(bytes));
        cli_json_integer(&json, "integer", (int64_t)fuzz_byte(bytes) - 128);
        cli_json_boolean(&json, "boolean", fuzz_byte(bytes) & 1);
    }
    for (int n = 0; n < 3; n++)
        numbers[n] = fuzz_number(bytes);
    cli_json_array(&json, word[0]);
    cli_json_numbers(&json, NULL, numbers, 3);
    cli_json_object(&json, NULL);
    cli_json_end_object(&json);
    cli_json_end_array(&json);
    cli_json_notes(&json, &notes);
    cli_json_end_object(&json);
}

/* What `put` writes of a word, as a string of its own. */
static char *written(void (*put)(const char *text, FILE *out), const char *word)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    put(word, out);
    fclose(out);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    char word[MARKUP_WORDS][MARKUP_WORD], *text = NULL;
    size_t length = 0;
    for (int n = 0; n < MARKUP_WORDS; n++) {
        int letters = fuzz_below(&bytes, MARKUP_WORD);
        for (int c = 0; c < letters; c++)
            word[n][c] = (char)fuzz_byte(&bytes);
        word[n][letters] = 0;
        char *markup = written(cli_put_text, word[n]), *field = written(cli_put_csv_field, word[n]);
        check_utf8(markup);
        check_markup(markup);
        check_csv(field);
        free(markup);
        free(field);
    }
    FILE *out = open_memstream(&text, &length);
    if (!out) abort();
    write_json(out, &bytes, word);
    fclose(out);
    check_utf8(text);
    if (*skip_blanks(parse_value(text))) abort();
    free(text);
    return 0;
}
