/* JSON (RFC 8259) as a list of values, in two passes: count, then fill. */
#include "io/json_tree.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

enum {
    JSON_DEEPEST = 64 /* glTF of exporters nests below 12 */
};

static snw_status fail(const snw__json *json, const char *what)
{
    int64_t byte = json->first_byte + (json->at - json->begin);
    return snw__fail_at(json->reading->error, json->at >= json->end ? SNW_TRUNCATED : SNW_FORMAT,
                        snw__at_byte(byte), "%s, byte %lld: %s", json->reading->name,
                        (long long)byte, what);
}

static char next_sign(snw__json *json)
{
    while (json->at < json->end &&
           (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' || *json->at == '\r'))
        json->at++;
    return json->at < json->end ? *json->at : '\0';
}

static snw_status read_string(snw__json *json, snw__span *out)
{
    out->at = ++json->at;
    while (json->at < json->end && *json->at != '"')
        json->at += *json->at == '\\' && json->at + 1 < json->end ? 2 : 1;
    if (json->at >= json->end) return fail(json, "a string of the JSON does not end");
    out->end = json->at++;
    return SNW_OK;
}

/* A number or one of the three words. */
static snw_status read_plain(snw__json *json, snw__json_value *value)
{
    static const char *const word[] = {"true", "false", "null"};
    double number;
    for (int n = 0; n < 3; n++) {
        size_t length = strlen(word[n]);
        if ((size_t)(json->end - json->at) < length || memcmp(json->at, word[n], length) != 0)
            continue;
        value->kind = word[n][0];
        json->at += length;
        return SNW_OK;
    }
    value->kind = '0';
    value->text.at = json->at;
    while (json->at < json->end && *json->at && strchr("0123456789-+.eE", *json->at))
        json->at++;
    value->text.end = json->at;
    if (snw__span_double(value->text, &number)) return SNW_OK;
    json->at = value->text.at;
    return fail(json, "there is no JSON value");
}

static snw_status read_value(snw__json *json, snw__span name, int depth);

/* What a list or object holds, up to its end. */
static snw_status read_children(snw__json *json, char end, int depth, int *count)
{
    json->at++;
    for (*count = 0; next_sign(json) != end; (*count)++) {
        snw__span name = {json->at, json->at};
        snw_status status = SNW_OK;
        if (end == '}') {
            if (next_sign(json) != '"') return fail(json, "a name of the JSON is missing");
            status = read_string(json, &name);
            if (status == SNW_OK && next_sign(json) != ':')
                status = fail(json, "a colon of the JSON is missing");
            json->at += status == SNW_OK;
        }
        if (status == SNW_OK) status = read_value(json, name, depth + 1);
        if (status != SNW_OK) return status;
        char after = next_sign(json);
        if (after != ',' && after != end)
            return fail(json, "a list or object of the JSON does not go on");
        json->at += after == ',';
    }
    json->at++;
    return SNW_OK;
}

static snw_status read_value(snw__json *json, snw__span name, int depth)
{
    if (depth > JSON_DEEPEST) return fail(json, "values of the JSON are nested too deep");
    if (json->count == INT32_MAX) return fail(json, "the JSON has too many values");
    int own = json->count++;
    snw__json_value value = {.name = name, .text = {json->at, json->at}};
    value.kind = next_sign(json);
    snw_status status;
    if (value.kind == '{' || value.kind == '[')
        status = read_children(json, value.kind == '{' ? '}' : ']', depth, &value.count);
    else if (value.kind == '"')
        status = read_string(json, &value.text);
    else
        status = read_plain(json, &value);
    value.next = json->count;
    if (json->value) json->value[own] = value;
    return status;
}

static snw_status read_all(snw__json *json)
{
    json->at = json->begin;
    json->count = 0;
    snw_status status = read_value(json, (snw__span){json->at, json->at}, 0);
    if (status == SNW_OK && next_sign(json)) status = fail(json, "something follows the JSON");
    return status;
}

snw_status snw__json_parse(snw__json *json, const snw__reading *reading, snw__span text,
                           int64_t first_byte)
{
    memset(json, 0, sizeof *json);
    json->reading = reading;
    json->begin = text.at;
    json->end = text.end;
    json->first_byte = first_byte;
    snw_status status = read_all(json);
    if (status != SNW_OK) return status;
    size_t size = (size_t)json->count * sizeof *json->value;
    status = snw__reading_check_memory(reading, size);
    if (status != SNW_OK) return status;
    json->value = (snw__json_value *)snw__allocate(&reading->allocator, size);
    return json->value ? read_all(json) : snw__fail_memory(reading->error, size, "the JSON");
}

void snw__json_release(snw__json *json)
{
    if (json->value)
        snw__release(&json->reading->allocator, json->value,
                     (size_t)json->count * sizeof *json->value);
    json->value = NULL;
}

/* ---- asking -------------------------------------------------------------------------------- */

static bool is_word(snw__span text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(text.end - text.at) == length && memcmp(text.at, word, length) == 0;
}

int snw__json_find(const snw__json *json, int object, const char *name)
{
    if (object < 0 || json->value[object].kind != '{') return -1;
    int at = object + 1;
    for (int n = 0; n < json->value[object].count; n++, at = json->value[at].next)
        if (is_word(json->value[at].name, name)) return at;
    return -1;
}

int snw__json_list(const snw__json *json, int object, const char *name, int *count)
{
    int at = snw__json_find(json, object, name);
    bool is_list = at >= 0 && (json->value[at].kind == '[' || json->value[at].kind == '{');
    *count = is_list ? json->value[at].count : 0;
    return is_list ? at : -1;
}

bool snw__json_says(const snw__json *json, int object, const char *name, const char *word)
{
    int at = snw__json_find(json, object, name);
    return at >= 0 && json->value[at].kind == '"' && is_word(json->value[at].text, word);
}

bool snw__json_number(const snw__json *json, int at, double *out)
{
    double number;
    if (at < 0 || json->value[at].kind != '0' || !snw__span_double(json->value[at].text, &number) ||
        !isfinite(number))
        return false;
    *out = number;
    return true;
}

int64_t snw__json_index(const snw__json *json, int object, const char *name, int64_t limit,
                        int64_t missing)
{
    int at = snw__json_find(json, object, name);
    double number;
    if (at < 0) return missing;
    if (!snw__json_number(json, at, &number) || !(number >= 0 && number < (double)limit) ||
        number != floor(number))
        return -2;
    return (int64_t)number;
}

bool snw__json_numbers(const snw__json *json, int object, const char *name, int count, double *out)
{
    int found = 0, list = snw__json_list(json, object, name, &found);
    double number[16];
    if (list < 0 || found != count || count > 16) return false;
    for (int n = 0; n < count; n++)
        if (!snw__json_number(json, list + 1 + n, number + n)) return false;
    memcpy(out, number, (size_t)count * sizeof *out);
    return true;
}

/* The four digits behind \u; -1 where there are none. */
static int read_code(const char *at, const char *end)
{
    int code = 0;
    if (end - at < 4) return -1;
    for (int n = 0; n < 4; n++) {
        char c = at[n];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* In UTF-8; a lone half of a pair becomes three bytes as any other code. */
static size_t put_code(char *out, int code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    out[0] = (char)(0xe0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3f));
    out[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

void snw__json_copy(snw__span text, char name[SNW__NAME_SIZE])
{
    char plain[SNW__NAME_SIZE];
    size_t used = 0;
    for (const char *at = text.at; at < text.end && used + 4 < sizeof plain;) {
        if (*at != '\\' || at + 1 >= text.end) {
            plain[used++] = *at++;
            continue;
        }
        int code = at[1] == 'u' ? read_code(at + 2, text.end) : -1;
        if (code >= 0) {
            used += put_code(plain + used, code);
            at += 6;
        } else { /* \n and the like are blanks in a name */
            plain[used++] = strchr("nrtbf", at[1]) ? ' ' : at[1];
            at += 2;
        }
    }
    (void)snw__span_copy((snw__span){plain, plain + used}, name);
}
