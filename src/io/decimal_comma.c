/* Numbers written with a decimal comma, as programs do that print in a German or French locale.
 *
 * Where blanks and tabs separate, "1,5" can only be a number with a decimal comma, unless the file
 * also has numbers with points ("1,500" may then be thousands): such a file is left alone and its
 * commas are refused where they stand. */
#include <string.h>

#include "io/text_reader.h"

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

static bool has_point(snw__span word)
{
    double value;
    return snw__span_find(word, '.') < word.end && snw__span_double(word, &value);
}

void snw__text_settle_decimal(snw__text_input *text)
{
    snw__text_mark here = snw__text_here(text);
    snw__span word, rest = {text->at, text->end};
    bool has_commas = false, has_points = false;
    if (snw__span_find(rest, ',') == rest.end) return;
    while (!has_points && snw__text_word(text, &word)) {
        has_commas = has_commas || has_comma(word);
        has_points = has_point(word);
    }
    snw__text_return(text, here);
    if (!has_commas || has_points) return;
    while (snw__text_word(text, &word))
        if (has_comma(word)) text->bytes[snw__span_find(word, ',') - text->bytes] = '.';
    snw__text_return(text, here);
    snw__note(text->reading->notes, SNW_NOTE_FORM_UNUSUAL, SNW__NOWHERE,
              "numbers are written with a decimal comma");
}
