/* The JSON of --json. */
#include <math.h>

#include "command.h"
#include "text.h"

cli_json cli_json_begin(FILE *out)
{
    cli_json json = {out, 0, {false}, false};
    return json;
}

cli_json cli_json_begin_line(FILE *out)
{
    cli_json json = {out, 0, {false}, true};
    return json;
}

static void put_text(cli_json *json, const char *text)
{
    char character[5];
    fputc('"', json->out);
    while (*text) {
        text = cli_text_next(text, character);
        unsigned char c = (unsigned char)character[0];
        if (c == '"' || c == '\\')
            fprintf(json->out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", json->out);
        else if (c == '\t')
            fputs("\\t", json->out);
        else if (c < 0x20 || c == 0x7f)
            fprintf(json->out, "\\u%04x", c);
        else if (c == 0xc2 && (unsigned char)character[1] < 0xa0) /* C1 moves cursors too */
            fprintf(json->out, "\\u%04x", (unsigned char)character[1]);
        else if (cli_is_control(character)) /* turns the direction of writing */
            fprintf(json->out, "\\u%04x",
                    (unsigned)(0x2000 | ((unsigned char)character[1] & 63) << 6 |
                               ((unsigned char)character[2] & 63)));
        else
            fputs(character, json->out);
    }
    fputc('"', json->out);
}

/* Comma, new line, indentation and key of the next value. */
static void lead(cli_json *json, const char *key)
{
    if (json->depth > 0) {
        bool has_items = json->has_items[json->depth];
        fputs(json->is_line ? has_items ? ", " : "" : has_items ? ",\n" : "\n", json->out);
        for (int n = 0; n < json->depth && !json->is_line; n++)
            fputs("  ", json->out);
        json->has_items[json->depth] = true;
    }
    if (key) {
        put_text(json, key);
        fputs(": ", json->out);
    }
}

static void open_with(cli_json *json, const char *key, char bracket)
{
    lead(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->has_items[json->depth] = false;
}

static void close_with(cli_json *json, char bracket)
{
    bool had_items = json->has_items[json->depth];
    json->depth--;
    if (had_items && !json->is_line) {
        fputc('\n', json->out);
        for (int n = 0; n < json->depth; n++)
            fputs("  ", json->out);
    }
    fputc(bracket, json->out);
    if (json->depth == 0) fputc('\n', json->out);
}

void cli_json_object(cli_json *json, const char *key)
{
    open_with(json, key, '{');
}

void cli_json_array(cli_json *json, const char *key)
{
    open_with(json, key, '[');
}

void cli_json_end_object(cli_json *json)
{
    close_with(json, '}');
}

void cli_json_end_array(cli_json *json)
{
    close_with(json, ']');
}

void cli_json_string(cli_json *json, const char *key, const char *text)
{
    lead(json, key);
    put_text(json, text);
}

static void put_number(cli_json *json, double number)
{
    char text[SNW_NUMBER_SIZE];
    if (isfinite(number)) snw_print_double(text, number);
    fputs(isfinite(number) ? text : "null", json->out);
}

void cli_json_number(cli_json *json, const char *key, double number)
{
    lead(json, key);
    put_number(json, number);
}

void cli_json_integer(cli_json *json, const char *key, int64_t number)
{
    lead(json, key);
    fprintf(json->out, "%lld", (long long)number);
}

void cli_json_boolean(cli_json *json, const char *key, bool truth)
{
    lead(json, key);
    fputs(truth ? "true" : "false", json->out);
}

void cli_json_numbers(cli_json *json, const char *key, const double *numbers, int count)
{
    lead(json, key);
    fputc('[', json->out);
    for (int n = 0; n < count; n++) {
        if (n) fputs(", ", json->out);
        put_number(json, numbers[n]);
    }
    fputc(']', json->out);
}

static void put_place(cli_json *json, const char *key, int64_t place)
{
    if (place >= 0) cli_json_integer(json, key, place);
}

void cli_json_notes(cli_json *json, const snw_notes *notes)
{
    cli_json_array(json, "notes");
    for (int n = 0; n < notes->count; n++) {
        const snw_note *note = &notes->note[n];
        cli_json_object(json, NULL);
        cli_json_string(json, "code", snw_note_code_name(note->code));
        cli_json_string(json, "text", note->text);
        put_place(json, "byte", note->byte);
        put_place(json, "line", note->line);
        put_place(json, "frame", note->frame);
        put_place(json, "index", note->index);
        if (note->name[0]) cli_json_string(json, "name", note->name);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
    cli_json_integer(json, "notes_dropped", notes->dropped);
}
