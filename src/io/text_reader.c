/* Text files as lines, words and fields: loading, splitting, places for errors. */
#include "io/text_reader.h"
#include "base/elementary.h"

#include "base/fail.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* ---- loading ------------------------------------------------------------------------------ */

bool snw__text_is_utf16(const uint8_t *bytes, size_t size)
{
    bool has_mark = size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) ||
                                  (bytes[0] == 0xfe && bytes[1] == 0xff));
    bool has_zeros = size >= 4 && ((!bytes[0] && bytes[1] && !bytes[2] && bytes[3]) ||
                                   (bytes[0] && !bytes[1] && bytes[2] && !bytes[3]));
    return has_mark || has_zeros;
}

snw_status snw__text_refuse_utf16(const snw__reading *reading)
{
    return snw__fail(reading->error, SNW_UNSUPPORTED,
                     "%s is UTF-16 text; save it as UTF-8 or plain ASCII and try again",
                     reading->name);
}

static snw_status skip_mark(snw__text_input *text)
{
    size_t size = text->size;
    const unsigned char *bytes = (const unsigned char *)text->bytes;
    if (snw__text_is_utf16(bytes, size)) return snw__text_refuse_utf16(text->reading);
    bool is_utf8 = size >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf;
    text->begin = text->bytes + (is_utf8 ? 3 : 0);
    text->end = text->bytes + size;
    return SNW_OK;
}

/* Every second byte, of either order, after the mark where there is one; the rest of the block is
 * blank. */
static void narrow(snw__text_input *text)
{
    unsigned char *bytes = (unsigned char *)text->bytes;
    if (!snw__text_is_utf16(bytes, text->size)) return;
    bool has_mark =
        (bytes[0] == 0xfe && bytes[1] == 0xff) || (bytes[0] == 0xff && bytes[1] == 0xfe);
    bool is_big = bytes[0] == 0xfe || (!has_mark && bytes[0] == 0);
    size_t to = 0;
    for (size_t at = has_mark ? 2 : 0; at + 1 < text->size; at += 2) {
        unsigned char high = bytes[at + !is_big], low = bytes[at + is_big];
        bytes[to++] = high || low > 126 ? '_' : low ? low : ' ';
    }
    memset(bytes + to, ' ', text->size - to);
}

static snw_status load(snw__text_input *text, snw__reading *reading, bool narrows)
{
    memset(text, 0, sizeof *text);
    text->reading = reading;
    snw_status status = snw__reading_all(reading, &text->bytes, &text->size);
    if (status != SNW_OK) return status;
    if (narrows) narrow(text);
    status = skip_mark(text);
    if (status != SNW_OK)
        snw__text_release(text);
    else
        snw__text_rewind(text);
    return status;
}

snw_status snw__text_load(snw__text_input *text, snw__reading *reading)
{
    return load(text, reading, false);
}

snw_status snw__text_load_narrow(snw__text_input *text, snw__reading *reading)
{
    return load(text, reading, true);
}

void snw__text_release(snw__text_input *text)
{
    if (text->bytes) snw__reading_release_all(text->reading, text->bytes, text->size);
    text->bytes = NULL;
    text->begin = text->at = text->end = NULL;
}

void snw__text_rewind(snw__text_input *text)
{
    text->at = text->begin;
    text->line = 0;
    text->is_inside = false;
}

snw__text_mark snw__text_here(const snw__text_input *text)
{
    snw__text_mark mark = {text->at, text->line, text->is_inside};
    return mark;
}

void snw__text_return(snw__text_input *text, snw__text_mark mark)
{
    text->at = mark.at;
    text->line = mark.line;
    text->is_inside = mark.is_inside;
}

/* ---- lines and words ---------------------------------------------------------------------- */

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Past one line end; CRLF is one. */
static const char *after_line_end(const char *at, const char *end)
{
    if (*at == '\r' && at + 1 < end && at[1] == '\n') return at + 2;
    return at + 1;
}

bool snw__text_line(snw__text_input *text, snw__span *line)
{
    if (text->at >= text->end) return false;
    line->at = text->at;
    while (text->at < text->end && !is_line_end(*text->at))
        text->at++;
    line->end = text->at;
    if (text->at < text->end) text->at = after_line_end(text->at, text->end);
    if (!text->is_inside) text->line++;
    text->is_inside = false;
    return true;
}

bool snw__text_word(snw__text_input *text, snw__span *word)
{
    if (!text->is_inside) text->line++;
    text->is_inside = true;
    while (text->at < text->end) {
        if (is_line_end(*text->at)) {
            text->at = after_line_end(text->at, text->end);
            text->line++;
        } else if (snw__is_blank(*text->at)) {
            text->at++;
        } else {
            break;
        }
    }
    word->at = text->at;
    while (text->at < text->end && !snw__is_blank(*text->at) && !is_line_end(*text->at))
        text->at++;
    word->end = text->at;
    return word->at < word->end;
}

snw__span snw__text_rest_of_line(snw__text_input *text)
{
    snw__span rest = {text->at, text->at};
    while (text->at < text->end && !is_line_end(*text->at) && *text->at != '{')
        text->at++;
    rest.end = text->at;
    return snw__span_trim(rest);
}

bool snw__text_is_cut(const snw__text_input *text)
{
    return text->end > text->begin && !is_line_end(text->end[-1]);
}

/* ---- errors --------------------------------------------------------------------- */

snw_status snw__text_fail(const snw__text_input *text, snw_status status, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    snw_format_list(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    snw__place place = SNW__NOWHERE;
    place.line = text->line;
    return snw__fail_at(text->reading->error, status, place, "%s, line %lld: %s",
                        text->reading->name, (long long)text->line, sentence);
}

snw_status snw__text_check_size(const snw__text_input *text, double bytes, const char *what)
{
    const snw__reading *reading = text->reading;
    /* The text itself is in memory too; columns, names and what else goes with it take the rest. */
    double bound = 56.0 * (double)(text->end - text->begin) + 1048576.0;
    double limit = (double)reading->options.memory_limit;
    if (limit > 0 && limit < bound) bound = limit;
    if (bytes <= bound) return SNW_OK;
    return snw__fail(reading->error, SNW_TOO_LARGE,
                     "%s: %s would need %.0f bytes, out of proportion to a file of %zu bytes",
                     reading->name, what, bytes, text->size);
}

/* ---- spans -------------------------------------------------------------------------------- */

snw__span snw__span_of(const char *text)
{
    snw__span span = {text, text + strlen(text)};
    return span;
}

snw__span snw__span_of_head(const uint8_t *head, size_t size)
{
    snw__span span = {(const char *)head, (const char *)head + size};
    if (size >= 3 && head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf) span.at += 3;
    while (span.at < span.end && (snw__is_blank(*span.at) || is_line_end(*span.at)))
        span.at++;
    return span;
}

snw__text_input snw__text_of_head(const uint8_t *head, size_t size)
{
    snw__span start = snw__span_of_head(head, size);
    snw__text_input text;
    memset(&text, 0, sizeof text);
    text.at = text.begin = start.at;
    text.end = start.end;
    return text;
}

bool snw__is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

size_t snw__span_length(snw__span span)
{
    return (size_t)(span.end - span.at);
}

int snw__span_shown(snw__span span)
{
    size_t length = snw__span_length(span);
    return length < 40 ? (int)length : 40;
}

bool snw__span_is_empty(snw__span span)
{
    return span.at == span.end;
}

snw__span snw__span_trim(snw__span span)
{
    while (span.at < span.end && snw__is_blank(*span.at))
        span.at++;
    while (span.end > span.at && snw__is_blank(span.end[-1]))
        span.end--;
    return span;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool snw__span_same(snw__span a, snw__span b)
{
    if (snw__span_length(a) != snw__span_length(b)) return false;
    for (size_t n = 0; n < snw__span_length(a); n++)
        if (lower(a.at[n]) != lower(b.at[n])) return false;
    return true;
}

bool snw__span_is(snw__span span, const char *literal)
{
    return snw__span_same(span, snw__span_of(literal));
}

bool snw__span_starts(snw__span span, const char *literal)
{
    size_t length = strlen(literal);
    if (snw__span_length(span) < length) return false;
    span.end = span.at + length;
    return snw__span_is(span, literal);
}

bool snw__span_ends(snw__span span, const char *literal)
{
    size_t length = strlen(literal);
    if (snw__span_length(span) < length) return false;
    span.at = span.end - length;
    return snw__span_is(span, literal);
}

const char *snw__span_find(snw__span span, char c)
{
    while (span.at < span.end && *span.at != c)
        span.at++;
    return span.at;
}

bool snw__span_word(snw__span *rest, snw__span *word)
{
    while (rest->at < rest->end && snw__is_blank(*rest->at))
        rest->at++;
    word->at = rest->at;
    while (rest->at < rest->end && !snw__is_blank(*rest->at))
        rest->at++;
    word->end = rest->at;
    return word->at < word->end;
}

int snw__span_count_words(snw__span span)
{
    snw__span word;
    int count = 0;
    while (snw__span_word(&span, &word))
        count++;
    return count;
}

/* The end of a quoted field that starts at `at` (on the quote), after the closing quote. */
static const char *after_quoted(const char *at, const char *end)
{
    at++;
    while (at < end) {
        if (*at == '"') {
            if (at + 1 < end && at[1] == '"')
                at++;
            else
                return at + 1;
        }
        at++;
    }
    return end;
}

bool snw__span_field(snw__span *rest, char separator, snw__span *field)
{
    if (!rest->at) return false;
    if (separator == ' ') {
        bool has_word = snw__span_word(rest, field);
        if (!has_word) rest->at = NULL;
        return has_word;
    }
    const char *at = rest->at;
    while (at < rest->end && snw__is_blank(*at) && *at != separator)
        at++;
    bool is_quoted = at < rest->end && *at == '"';
    const char *stop = is_quoted ? after_quoted(at, rest->end) : at;
    while (stop < rest->end && *stop != separator)
        stop++;
    snw__span raw = {at, stop};
    *field = snw__span_trim(raw);
    if (is_quoted && snw__span_length(*field) >= 2 && field->end[-1] == '"') {
        field->at++;
        field->end--;
    }
    rest->at = stop < rest->end ? stop + 1 : NULL;
    return true;
}

bool snw__span_cell(snw__span *rest, char separator, snw__span *cell)
{
    if (!rest->at) return false;
    if (separator == ' ') return snw__span_field(rest, separator, cell);
    const char *stop = snw__span_find(*rest, separator);
    snw__span raw = {rest->at, stop};
    *cell = snw__span_trim(raw);
    rest->at = stop < rest->end ? stop + 1 : NULL;
    return true;
}

bool snw__span_double(snw__span span, double *value)
{
    double parsed = 0;
    if (snw__span_is_empty(span) || snw_parse_double(span.at, span.end, &parsed) != span.end)
        return false;
    *value = parsed;
    return true;
}

bool snw__span_int(snw__span span, int64_t *value)
{
    int64_t parsed = 0;
    if (snw__span_is_empty(span) || snw_parse_int64(span.at, span.end, &parsed) != span.end)
        return false;
    *value = parsed;
    return true;
}

bool snw__span_copy(snw__span span, char name[SNW__NAME_SIZE])
{
    size_t length = 0;
    const char *at = span.at;
    for (; at < span.end && length < SNW__NAME_SIZE - 1; at++) {
        name[length++] = (unsigned char)*at < ' ' ? ' ' : *at;
    }
    name[length] = 0;
    return at == span.end;
}

/* ---- rates -------------------------------------------------------------------------------- */

double snw__rate_from_duration(double duration, double steps, double uncertainty)
{
    if (!(duration > 0) || !(steps > 0) || !isfinite(steps / duration)) return 0;
    double rate = steps / duration;
    /* First order of steps / (duration -+ uncertainty); 1e-9 covers the round-off of exact times.
     */
    double slack = rate * (uncertainty / duration + 1e-9);
    static const double steps_of_rates[] = {10, 5, 1, 0.5, 0.1, 0.01, 0.001, 0.0001};
    for (size_t n = 0; n < sizeof steps_of_rates / sizeof *steps_of_rates; n++) {
        double step = steps_of_rates[n];
        double per_step = floor(1 / step + 0.5);
        double round_rate =
            step >= 1 ? floor(rate / step + 0.5) * step : floor(rate * per_step + 0.5) / per_step;
        if (round_rate > 0 && fabs(round_rate - rate) <= slack) return round_rate;
    }
    return rate;
}

double snw__span_half_digit(snw__span number)
{
    double value;
    if (!snw__span_decimal(number, ',', &value)) return 0;
    double half = 0.5;
    const char *at = snw__span_find(number, '.');
    if (at == number.end) at = snw__span_find(number, ',');
    for (at += at < number.end; at < number.end && *at >= '0' && *at <= '9'; at++)
        half /= 10;
    if (at < number.end && (*at == 'e' || *at == 'E')) {
        snw__span exponent = {at + 1, number.end};
        double power = 0;
        if (snw__span_double(exponent, &power)) half *= snw__pow(10, power);
    }
    return half;
}

/* ---- decimal commas -----------------------------------------------------------------------
 *
 * Numbers written with a decimal comma, as programs do that print in a German or French locale.
 * Where blanks and tabs separate, "1,5" can only be a number with a decimal comma, unless the file
 * also has numbers with points ("1,500" may then be thousands): such a file is left alone and its
 * commas are refused where they stand. */

/* Longer words are no numbers. */
enum {
    DECIMAL_WORD_SIZE = 64
};

bool snw__span_decimal(snw__span span, char decimal, double *value)
{
    char copy[DECIMAL_WORD_SIZE];
    size_t length = snw__span_length(span);
    if (snw__span_double(span, value)) return true;
    if (decimal == '.' || length >= sizeof copy) return false;
    for (size_t n = 0; n < length; n++)
        copy[n] = span.at[n] == decimal ? '.' : span.at[n];
    snw__span dotted = {copy, copy + length};
    return snw__span_double(dotted, value);
}

static bool has_comma(snw__span word)
{
    double value;
    return snw__span_find(word, ',') < word.end && snw__span_decimal(word, ',', &value);
}

void snw__text_settle_decimal(snw__text_input *text)
{
    snw__text_mark here = snw__text_here(text);
    snw__span word, rest = {text->at, text->end};
    bool has_commas = false, has_points = false;
    if (snw__span_find(rest, ',') == rest.end) return;
    while (!has_points && snw__text_word(text, &word)) {
        has_commas = has_commas || has_comma(word);
        double value;
        has_points = snw__span_find(word, '.') < word.end && snw__span_double(word, &value);
    }
    snw__text_return(text, here);
    if (!has_commas || has_points) return;
    while (snw__text_word(text, &word))
        if (has_comma(word)) text->bytes[snw__span_find(word, ',') - text->bytes] = '.';
    snw__text_return(text, here);
    snw__note(text->reading->notes, SNW_NOTE_FORM_UNUSUAL, SNW__NOWHERE,
              "numbers are written with a decimal comma");
}
