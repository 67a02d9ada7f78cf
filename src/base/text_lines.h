/* Our own text files (actors, styles): one thing on a line, words with blanks between them, lines
 * that start with # and empty lines do not count. Internal.
 *
 *     snw__lines lines = {.next = text, .last = text + size};
 *     while (snw__lines_next(&lines))
 *         length = snw__lines_word(&lines, &word);
 */
#ifndef SNW_BASE_TEXT_LINES_H
#define SNW_BASE_TEXT_LINES_H

#include <math.h>
#include <string.h>

#include <sinew/base.h>

/* Numbers in these files are metres, radians and the like: more is a mistake. */
#define SNW__LINES_NUMBER_MAX 1e6

typedef struct snw__lines {
    const char *at, *end; /* what is left of the present line */
    const char *next;     /* where the next line starts */
    const char *last;     /* end of the text */
    int64_t line;         /* number of the present one, from 1 */
} snw__lines;

static inline void snw__lines_skip_blanks(snw__lines *lines)
{
    while (lines->at < lines->end && *lines->at == ' ')
        lines->at++;
}

/* The next line that says something; false at the end. */
static inline bool snw__lines_next(snw__lines *lines)
{
    while (lines->next < lines->last) {
        const char *end = memchr(lines->next, '\n', (size_t)(lines->last - lines->next));
        lines->at = lines->next;
        lines->end = end ? end : lines->last;
        lines->next = end ? end + 1 : lines->last;
        lines->line++;
        if (lines->end > lines->at && lines->end[-1] == '\r') lines->end--;
        snw__lines_skip_blanks(lines);
        if (lines->at < lines->end && *lines->at != '#') return true;
    }
    return false;
}

/* Takes the next word of the line and tells its length; 0: there is none. */
static inline size_t snw__lines_word(snw__lines *lines, const char **word)
{
    snw__lines_skip_blanks(lines);
    *word = lines->at;
    while (lines->at < lines->end && *lines->at != ' ')
        lines->at++;
    return (size_t)(lines->at - *word);
}

static inline bool snw__lines_are_done(snw__lines *lines)
{
    snw__lines_skip_blanks(lines);
    return lines->at == lines->end;
}

static inline bool snw__word_is(const char *word, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

static inline bool snw__lines_numbers(snw__lines *lines, double *values, int count)
{
    for (int k = 0; k < count; k++) {
        const char *word;
        size_t length = snw__lines_word(lines, &word);
        if (length == 0 || snw_parse_double(word, word + length, &values[k]) != word + length ||
            !(fabs(values[k]) < SNW__LINES_NUMBER_MAX))
            return false;
    }
    return true;
}

/* The byte of two hexadecimal digits, -1: they are none. */
static inline int snw__hex_byte(const char *digits)
{
    int byte = 0;
    for (int k = 0; k < 2; k++) {
        char c = digits[k];
        int value = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (value < 0) return -1;
        byte = 16 * byte + value;
    }
    return byte;
}

#endif
