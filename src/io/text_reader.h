/* Text files as lines, words and fields. Internal to io.
 *
 * The whole file is taken into memory once (its real size bounds everything that follows) and then
 * read in place: spans point into it, nothing is copied. Lines end in LF, CRLF or CR, also mixed.
 *
 *     snw__text_input text;
 *     snw_status status = snw__text_load(&text, reading);
 *     snw__span line, word;
 *     while (snw__text_line(&text, &line))
 *         while (snw__span_word(&line, &word)) ...
 *     snw__text_release(&text);
 */
#ifndef SNW_IO_TEXT_READER_H
#define SNW_IO_TEXT_READER_H

#include "io/formats.h"

typedef struct snw__span {
    const char *at;
    const char *end;
} snw__span;

typedef struct snw__text_input {
    const char *at;    /* where the next line or word starts */
    const char *begin; /* after a byte order mark */
    const char *end;
    int64_t line;          /* number of the line last handed out, from 1; 0 before the first */
    bool is_inside;        /* `at` is inside that line, not behind it */
    snw__reading *reading; /* where errors and notes go */
    char *bytes;
    size_t size;
} snw__text_input;

/* Longest name kept from a text file, with the terminating zero. */
enum {
    SNW__NAME_SIZE = 256
};

/* Whether text starts like UTF-16: a byte order mark, or a zero in every other byte; and the
 * sentence that says so. */
bool snw__text_is_utf16(const uint8_t *bytes, size_t size);
snw_status snw__text_refuse_utf16(const snw__reading *reading);
/* Reads everything. Refuses UTF-16, more than options.memory_limit bytes, and failing sources. */
snw_status snw__text_load(snw__text_input *text, snw__reading *reading);
/* The same where UTF-16 is usual: it becomes ASCII, other characters an underscore. */
snw_status snw__text_load_narrow(snw__text_input *text, snw__reading *reading);
void snw__text_release(snw__text_input *text);
void snw__text_rewind(snw__text_input *text);

/* A place to come back to. */
typedef struct snw__text_mark {
    const char *at;
    int64_t line;
    bool is_inside;
} snw__text_mark;
snw__text_mark snw__text_here(const snw__text_input *text);
void snw__text_return(snw__text_input *text, snw__text_mark mark);

/* The next line without its end, or what words left of one; false after the last. */
bool snw__text_line(snw__text_input *text, snw__span *line);
/* The next word, across line ends; text->line is the line it stands on. */
bool snw__text_word(snw__text_input *text, snw__span *word);
/* What is left of the line that the last word stood on, trimmed, up to a '{'. */
snw__span snw__text_rest_of_line(snw__text_input *text);
/* For files that blanks and tabs separate: from here on, decimal commas become points, with a note,
 * where no number has a point. Before anything there is read. */
void snw__text_settle_decimal(snw__text_input *text);
/* The last line ends without a line end: it may be cut. */
bool snw__text_is_cut(const snw__text_input *text);

/* The error "walk.trc, line 12: ..." with error->line set; returns the status. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
snw_status
snw__text_fail(const snw__text_input *text, snw_status status, const char *format, ...);

/* Refuses results that are out of proportion to the file, as in a header of 10000 names over a
 * million rows of one digit: `bytes` may be at most 56 times the file plus 1 MiB, so that with the
 * file itself, columns and names 64 times is never exceeded (a dense table of the shortest numbers
 * needs about ten times its text). */
snw_status snw__text_check_size(const snw__text_input *text, double bytes, const char *what);

/* ---- spans -------------------------------------------------------------------------------- */

snw__span snw__span_of(const char *text);
/* The head of a file for telling what it is: without byte order mark and blank start. */
snw__span snw__span_of_head(const uint8_t *head, size_t size);
/* The same to be read line by line; it owns nothing and has no reading. */
snw__text_input snw__text_of_head(const uint8_t *head, size_t size);
bool snw__is_blank(char c);
size_t snw__span_length(snw__span span);
/* Its length, at most 40: how much of a word a message shows with %.*s. */
int snw__span_shown(snw__span span);
bool snw__span_is_empty(snw__span span);
snw__span snw__span_trim(snw__span span);
/* Equal to the literal, letter case ignored. */
bool snw__span_is(snw__span span, const char *literal);
bool snw__span_starts(snw__span span, const char *literal);
bool snw__span_ends(snw__span span, const char *literal);
bool snw__span_same(snw__span a, snw__span b);
/* First place of `c`, or span.end. */
const char *snw__span_find(snw__span span, char c);

/* Takes the next blank-separated word off the front of *rest. */
bool snw__span_word(snw__span *rest, snw__span *word);
int snw__span_count_words(snw__span span);
/* Takes the next field off the front, trimmed and without its quotes; separator ' ' means runs of
 * blanks. An empty line has no field; "a," has two. rest->at is NULL after the last. */
bool snw__span_field(snw__span *rest, char separator, snw__span *field);

/* The same without quotes and without runs: every separator counts. For TRC. */
bool snw__span_cell(snw__span *rest, char separator, snw__span *cell);

/* The whole span is one number. */
bool snw__span_double(snw__span span, double *value);
bool snw__span_int(snw__span span, int64_t *value);
/* The same where the decimal sign may also be `decimal`. */
bool snw__span_decimal(snw__span span, char decimal, double *value);

/* Copies as a string, cut at SNW__NAME_SIZE - 1 bytes; control characters become blanks. Returns
 * false when it had to cut. */
bool snw__span_copy(snw__span span, char name[SNW__NAME_SIZE]);

/* ---- rates -------------------------------------------------------------------------------- */

/* Frames per second from a printed period or from `steps` periods lasting `duration` seconds whose
 * end points are known to `uncertainty`: the roundest rate that explains the text, so that a frame
 * time of .0083333 is 120 Hz and not 120.00048. 0 where there is none. */
double snw__rate_from_duration(double duration, double steps, double uncertainty);
/* Half a unit in the last printed place: 0.0005 for "0.017". 0 when the text is no number. */
double snw__span_half_digit(snw__span number);

#endif
