/* Marker-set and correlation files (Knight 2.3.3), and plain lists: on which segment a marker sits.
 *
 * A list has a segment on each line, and the labels of its markers; '#' starts a remark:
 *
 *     LeftUpLeg: LTHI LKNE cluster1 cluster2 "Unlabeled 7"
 *
 * A marker set says on which segment each marker ("wand") sits; what follows about its place is not
 * needed, since the place is measured:
 *
 *     51 WANDS
 *     WAND RFHD
 *     SEGMENT Head
 *     LENGTH 0.0
 *     anterior right top
 *
 * A correlation file says which label of the capture is which marker of the set:
 *
 *     42 WANDS
 *     MARKERSET vicon512.txt
 *     JOE::LBWT = LBWT Left back waist
 *
 * The counts at the top are not needed either; files in circulation get them wrong. */
#include <string.h>

#include "label/marker_set.h"

#include "label/label_grammar.h"

typedef struct set_line {
    const char *at, *end;
} set_line;

/* An empty text may have no bytes at all, and nothing may be added to NULL. */
static const char *end_of(const snw_text *text)
{
    return text->size ? text->bytes + text->size : text->bytes;
}

/* The next line without blanks around it; false at the end of the text. */
static bool next_line(const char **text, const char *last, set_line *line)
{
    if (*text >= last) return false;
    const char *end = memchr(*text, '\n', (size_t)(last - *text));
    line->at = *text;
    line->end = end ? end : last;
    *text = end ? end + 1 : last;
    while (line->at < line->end && (unsigned char)*line->at <= ' ')
        line->at++;
    while (line->end > line->at && (unsigned char)line->end[-1] <= ' ')
        line->end--;
    return true;
}

/* Cuts the next word off the line: up to a blank or `stop`. False at the line's end; with a stop, a
 * '#' before a word ends it too. */
static bool next_word(set_line *line, char stop, set_line *word)
{
    while (line->at < line->end && (unsigned char)*line->at <= ' ')
        line->at++;
    word->at = word->end = line->at;
    while (word->end < line->end && (unsigned char)*word->end > ' ' && *word->end != stop)
        word->end++;
    line->at = word->end;
    return word->end > word->at;
}

static bool is_word(const set_line *word, const char *text)
{
    size_t length = (size_t)(word->end - word->at);
    return strlen(text) == length && memcmp(word->at, text, length) == 0;
}

/* Names of segments have SNW_LABEL_SIZE bytes. */
static void copy_word(const set_line *word, snw__label_name out)
{
    size_t length = (size_t)(word->end - word->at);
    if (length > SNW_LABEL_SIZE - 1) length = SNW_LABEL_SIZE - 1;
    memcpy(out, word->at, length);
    out[length] = 0;
}

/* The word that follows `key` on the line; false when the line starts differently. */
static bool word_after(set_line line, const char *key, set_line *word)
{
    return next_word(&line, 0, word) && is_word(word, key) && next_word(&line, 0, word);
}

/* The segment of a wand in a set's text; false when the set does not have it. */
static bool find_segment(const snw_text *set, const set_line *wand, snw__label_name segment)
{
    const char *text = set->bytes;
    set_line line, word;
    bool is_here = false;
    while (next_line(&text, end_of(set), &line)) {
        if (word_after(line, "WAND", &word)) {
            size_t length = (size_t)(word.end - word.at);
            is_here =
                (size_t)(wand->end - wand->at) == length && memcmp(word.at, wand->at, length) == 0;
        }
        if (!is_here || !word_after(line, "SEGMENT", &word)) continue;
        copy_word(&word, segment);
        return true;
    }
    return false;
}

/* The next word of a list, with or without "quotes", between which a quote is doubled. The quotes
 * belong to the word. */
static bool next_listed(set_line *line, char stop, set_line *word)
{
    while (line->at < line->end && (unsigned char)*line->at <= ' ')
        line->at++;
    if (line->at >= line->end || *line->at != '"') return next_word(line, stop, word);
    word->at = line->at++;
    while (line->at < line->end) {
        if (*line->at++ != '"') continue;
        if (line->at >= line->end || *line->at != '"') break;
        line->at++;
    }
    word->end = line->at;
    return true;
}

/* The character of a word at *at, which moves on; -1 at its end. */
static int next_character(const set_line *word, const char **at)
{
    bool is_quoted = *word->at == '"' && word->end > word->at + 1 && word->end[-1] == '"';
    const char *end = is_quoted ? word->end - 1 : word->end;
    if (is_quoted && *at == word->at) ++*at;
    if (*at >= end) return -1;
    int c = (unsigned char)*(*at)++;
    if (is_quoted && c == '"' && *at < end && **at == '"') ++*at;
    return c;
}

static bool is_listed_as(const set_line *word, const set_line *label)
{
    const char *at = word->at, *next = label->at;
    int c;
    while ((c = next_character(word, &at)) >= 0)
        if (next >= label->end || (unsigned char)*next++ != c) return false;
    return next == label->end;
}

/* The segment of a label in a list: "LeftUpLeg: LTHI LKNE". A word that begins with '#' ends a
 * line.
 */
static bool find_listed(const snw_text *list, const set_line *label, snw__label_name segment)
{
    const char *text = list->bytes;
    set_line line, name, word;
    while (next_line(&text, end_of(list), &line)) {
        if (!next_listed(&line, ':', &name) || *name.at == '#') continue;
        if (line.at >= line.end || *line.at++ != ':') continue;
        while (next_listed(&line, 0, &word) && *word.at != '#') {
            if (!is_listed_as(&word, label)) continue;
            const char *at = name.at;
            size_t length = 0;
            for (int c; (c = next_character(&name, &at)) >= 0 && length + 1 < SNW_LABEL_SIZE;)
                segment[length++] = (char)c;
            segment[length] = 0;
            return true;
        }
    }
    return false;
}

static bool is_list(const snw_text *set)
{
    const char *text = set->bytes;
    set_line line, word;
    while (next_line(&text, end_of(set), &line))
        if (word_after(line, "WAND", &word)) return false;
    return true;
}

/* What a label is called in the set, by the correlation file. */
static bool find_wand(const snw_text *correlation, const char *label, set_line *wand)
{
    const char *text = correlation->bytes;
    set_line line;
    size_t length = strlen(label);
    while (next_line(&text, end_of(correlation), &line)) {
        if ((size_t)(line.end - line.at) <= length || memcmp(line.at, label, length) != 0) continue;
        line.at += length;
        while (line.at < line.end && (unsigned char)*line.at <= ' ')
            line.at++;
        if (line.at >= line.end || *line.at != '=') continue;
        line.at++;
        return next_word(&line, 0, wand);
    }
    return false;
}

bool snw_correlation_set_name(snw_text correlation, char name[SNW_LABEL_SIZE])
{
    const char *text = correlation.bytes;
    set_line line, word;
    while (next_line(&text, end_of(&correlation), &line)) {
        if (!word_after(line, "MARKERSET", &word)) continue;
        copy_word(&word, name);
        return true;
    }
    return false;
}

snw__marker_set snw__marker_set_open(const snw_text *text, const snw_text *correlation)
{
    snw__marker_set set = {text, correlation, is_list(text)};
    return set;
}

static set_line word_of(const char *text)
{
    set_line word = {text, text + strlen(text)};
    return word;
}

bool snw__marker_set_find(const snw__marker_set *set, const char *label, snw__label_name segment)
{
    set_line whole = word_of(label), wand = word_of(snw__bare_label(label));
    if (set->correlation && !find_wand(set->correlation, label, &wand)) return false;
    if (set->is_list)
        return find_listed(set->text, &whole, segment) || find_listed(set->text, &wand, segment);
    return find_segment(set->text, &wand, segment);
}
