/* Knight's motion files, in which every freedom of a figure moves by a Taylor expansion (8.4.1 "Get
 * Motion"). He prints no example; the words here follow his figures (atm.c):
 *
 *   MOTION name
 *   VARIABLES m  ORDER w             so N = C(w + m, m) terms
 *   FREEDOMS f  name name ...        single words
 *   WINDOWS n                        then for each of them:
 *   WINDOW from to  CENTER c ...     seconds; m numbers
 *   and for each freedom the largest error of its fit and N coefficients
 *   ENDMOTION
 *
 * Words are separated by blanks, // starts a comment. Terms are in the order of snw_taylor_power.
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/text_reader.h"
#include "io/text_writer.h"

/* ---- reading ------------------------------------------------------------------------------- */

static bool next_word(snw__text_input *text, snw__span *word)
{
    while (snw__text_word(text, word)) {
        if (!snw__span_starts(*word, "//")) return true;
        (void)snw__text_line(text, word); /* the rest of it */
    }
    return false;
}

static snw_status expect(snw__text_input *text, const char *key)
{
    snw__span word;
    if (!next_word(text, &word))
        return snw__text_fail(text, SNW_TRUNCATED, "the file ends where %s should be", key);
    if (snw__span_is(word, key)) return SNW_OK;
    return snw__text_fail(text, SNW_FORMAT, "\"%.*s\" where %s should be", snw__span_shown(word),
                          word.at, key);
}

static snw_status read_number(snw__text_input *text, double *out)
{
    snw__span word;
    if (!next_word(text, &word))
        return snw__text_fail(text, SNW_TRUNCATED, "the file ends where a number should be");
    if (snw__span_double(word, out) && isfinite(*out)) return SNW_OK;
    return snw__text_fail(text, SNW_FORMAT, "\"%.*s\" is not a finite number",
                          snw__span_shown(word), word.at);
}

/* KEY and an integer of [low, high]. */
static snw_status read_count(snw__text_input *text, const char *key, int low, int high, int *out)
{
    double number = 0;
    snw_status status = expect(text, key);
    if (status == SNW_OK) status = read_number(text, &number);
    if (status != SNW_OK) return status;
    if (!(number >= low && number <= high) || number != floor(number))
        return snw__text_fail(text, SNW_FORMAT, "%s is %g, not %d to %d", key, number, low, high);
    *out = (int)number;
    return SNW_OK;
}

typedef struct taylor_names {
    int count;
    size_t text_size;
    const char **name;
    char *text;
} taylor_names;

static void lay_out_names(void *object, snw__block *block)
{
    taylor_names *names = (taylor_names *)object;
    names->name = (const char **)snw__block_take(block, (size_t)names->count, sizeof(char *));
    names->text = (char *)snw__block_take(block, names->text_size, 1);
}

static snw_status read_names(snw__text_input *text, taylor_names *names)
{
    size_t used = 0;
    for (int n = 0; n < names->count; n++) {
        snw__span word;
        if (!next_word(text, &word))
            return snw__text_fail(text, SNW_TRUNCATED, "the file ends before freedom %d", n + 1);
        size_t length = snw__span_length(word);
        if (used + length + 1 > names->text_size)
            return snw__text_fail(text, SNW_FORMAT, "names of freedoms are too long");
        names->name[n] = (const char *)memcpy(names->text + used, word.at, length);
        used += length + 1;
    }
    return SNW_OK;
}

static snw_status read_window(snw__text_input *text, snw_taylor *t, int n)
{
    int variables = t->size.variable_count, freedoms = t->size.freedom_count;
    snw_status status = expect(text, "WINDOW");
    if (status == SNW_OK) status = read_number(text, t->from + n);
    if (status == SNW_OK) status = read_number(text, t->to + n);
    if (status == SNW_OK) status = expect(text, "CENTER");
    for (int k = 0; k < variables && status == SNW_OK; k++)
        status = read_number(text, t->center + (size_t)n * (size_t)variables + (size_t)k);
    if (status == SNW_OK && (!(t->to[n] > t->from[n]) || (n && t->from[n] < t->from[n - 1])))
        return snw__text_fail(text, SNW_FORMAT, "window %d does not follow the one before", n + 1);
    size_t cell = (size_t)n * (size_t)freedoms, terms = (size_t)t->term_count;
    for (int f = 0; f < freedoms && status == SNW_OK; f++, cell++) {
        status = read_number(text, t->error + cell);
        for (size_t k = 0; k < terms && status == SNW_OK; k++)
            status = read_number(text, t->coefficient + cell * terms + k);
    }
    return status;
}

static snw_status read_body(snw__text_input *text, const snw_taylor_sizes *head,
                            taylor_names *names, snw_taylor **out)
{
    snw__reading *reading = text->reading;
    snw_taylor_sizes size = *head;
    snw_status status = read_names(text, names);
    if (status == SNW_OK)
        status = read_count(text, "WINDOWS", 1, INT32_MAX / 2, &size.window_count);
    if (status != SNW_OK) return status;
    double terms = snw_taylor_term_count(size.order, size.variable_count);
    status = snw__text_check_size(
        text, (double)size.window_count * size.freedom_count * (terms + 1) * 8, "the motion");
    if (status == SNW_OK)
        status = snw_taylor_create(&size, names->name, &reading->allocator, out, reading->error);
    for (int n = 0; n < size.window_count && status == SNW_OK; n++)
        status = read_window(text, *out, n);
    if (status == SNW_OK) status = expect(text, "ENDMOTION");
    if (status == SNW_OK) return status;
    snw_taylor_destroy(*out);
    *out = NULL;
    return status;
}

static snw_status read_all(snw__text_input *text, snw_taylor **out)
{
    snw__reading *reading = text->reading;
    snw_taylor_sizes size = {0, 0, 0, 0};
    taylor_names names = {0};
    snw__block block;
    snw__span word;
    snw_status status = expect(text, "MOTION");
    if (status == SNW_OK && !next_word(text, &word)) status = expect(text, "a name");
    if (status == SNW_OK)
        status = read_count(text, "VARIABLES", 1, SNW_TAYLOR_VARIABLES_MAX, &size.variable_count);
    if (status == SNW_OK) status = read_count(text, "ORDER", 0, SNW_TAYLOR_ORDER_MAX, &size.order);
    if (status == SNW_OK)
        status = read_count(text, "FREEDOMS", 1, SNW_JOINT_MAX * 6, &size.freedom_count);
    if (status != SNW_OK) return status;
    names.count = size.freedom_count;
    names.text_size = text->size + (size_t)size.freedom_count;
    status = snw__text_check_size(text, (double)size.freedom_count * 8, "the names");
    if (status == SNW_OK)
        status = snw__block_create(&block, lay_out_names, &names, &reading->allocator, "the names",
                                   reading->error);
    if (status != SNW_OK) return status;
    status = read_body(text, &size, &names, out);
    snw__block_release(&reading->allocator, &block);
    return status;
}

snw_status snw_read_taylor(const snw_source *source, const snw_read_options *options,
                           const snw_allocator *allocator, snw_taylor **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    const snw__reading_request request = {source, options, allocator, NULL, error};
    snw__reading reading;
    snw__text_input text;
    snw_status status = snw__reading_open(&reading, &request);
    if (status == SNW_OK) status = snw__text_load(&text, &reading);
    if (status == SNW_OK) {
        status = read_all(&text, out);
        snw__text_release(&text);
    }
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* ---- writing ------------------------------------------------------------------------------- */

snw_status snw_write_taylor(const snw_taylor *taylor, const snw_sink *sink, snw_error *error)
{
    if (!taylor) return snw__fail(error, SNW_INVALID_ARGUMENT, "taylor is NULL");
    snw__output output;
    snw_status status = snw__output_open(&output, NULL, sink, error);
    if (status != SNW_OK) return status;
    snw__put_text(&output, "MOTION sinew\nVARIABLES %d\nORDER %d // %d terms\nFREEDOMS %d\n",
                  taylor->size.variable_count, taylor->size.order, taylor->term_count,
                  taylor->size.freedom_count);
    for (int f = 0; f < taylor->size.freedom_count; f++) {
        snw__put_name(&output, taylor->freedom[f], " /", '_');
        snw__put_string(&output, "\n");
    }
    snw__put_text(&output, "WINDOWS %d\n", taylor->size.window_count);
    for (int n = 0; n < taylor->size.window_count; n++) {
        int variables = taylor->size.variable_count;
        snw__put_string(&output, "WINDOW ");
        snw__put_exact(&output, taylor->from[n]);
        snw__put_string(&output, " ");
        snw__put_exact(&output, taylor->to[n]);
        snw__put_string(&output, " CENTER");
        for (int k = 0; k < variables; k++) {
            snw__put_string(&output, " ");
            snw__put_exact(&output, taylor->center[(size_t)n * (size_t)variables + (size_t)k]);
        }
        snw__put_string(&output, "\n");
        size_t cell = (size_t)n * (size_t)taylor->size.freedom_count,
               terms = (size_t)taylor->term_count;
        for (int f = 0; f < taylor->size.freedom_count; f++, cell++) {
            snw__put_exact(&output, taylor->error[cell]);
            for (size_t k = 0; k < terms; k++) {
                snw__put_string(&output, " ");
                snw__put_exact(&output, taylor->coefficient[cell * terms + k]);
            }
            snw__put_string(&output, "\n");
        }
    }
    snw__put_string(&output, "ENDMOTION\n");
    status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* MOTION, a name, VARIABLES: BVH has MOTION only behind its hierarchy. */
static bool sniff(const uint8_t *head, size_t size)
{
    snw__text_input text = snw__text_of_head(head, size);
    snw__span word;
    return next_word(&text, &word) && snw__span_is(word, "MOTION") && next_word(&text, &word) &&
           next_word(&text, &word) && snw__span_is(word, "VARIABLES");
}

const snw__format snw__format_taylor = {
    "Taylor", "taylor", sniff, NULL, NULL, NULL, NULL, NULL, NULL,
};
