/* Marker-set and correlation files (Knight 2.3.3), and plain lists: on which limb a marker sits.
 *
 * A list has a limb on each line, and the labels of its markers; '#' starts a remark:
 *
 *     LeftUpLeg: LTHI LKNE cluster1 cluster2
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

#include "label/landmark.h"

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

/* The word that follows `key` on the line, as a label; false when the line starts differently. */
static bool word_after(const set_line *line, const char *key, snw__label out)
{
    size_t length = strlen(key);
    if ((size_t)(line->end - line->at) <= length || memcmp(line->at, key, length) != 0)
        return false;
    const char *at = line->at + length;
    if (length > 0 && (unsigned char)*at > ' ') return false;
    while (at < line->end && (unsigned char)*at <= ' ')
        at++;
    size_t used = 0;
    while (at < line->end && (unsigned char)*at > ' ' && used + 1 < SNW_LABEL_SIZE)
        out[used++] = *at++;
    out[used] = 0;
    return used > 0;
}

/* The segment of a wand in a set's text; false when the set does not have it. */
static bool find_segment(const snw_text *set, const char *wand, snw__label segment)
{
    const char *text = set->bytes;
    set_line line;
    snw__label word;
    bool is_here = false;
    while (next_line(&text, end_of(set), &line)) {
        if (word_after(&line, "WAND", word)) is_here = strcmp(word, wand) == 0;
        if (is_here && word_after(&line, "SEGMENT", segment)) return true;
    }
    return false;
}

/* The next word of a line, as a label; false at its end. A '#' before a word and `stop` end it. */
static bool next_word(set_line *line, char stop, snw__label out)
{
    size_t used = 0;
    while (line->at < line->end && (unsigned char)*line->at <= ' ')
        line->at++;
    while (line->at < line->end && (unsigned char)*line->at > ' ' && *line->at != stop &&
           (used > 0 || *line->at != '#')) {
        if (used + 1 < SNW_LABEL_SIZE) out[used++] = *line->at;
        line->at++;
    }
    out[used] = 0;
    return used > 0;
}

/* The limb of a label in a list: "LeftUpLeg: LTHI LKNE". */
static bool find_listed(const snw_text *list, const char *label, snw__label limb)
{
    const char *text = list->bytes;
    set_line line;
    snw__label word;
    while (next_line(&text, end_of(list), &line)) {
        if (!next_word(&line, ':', limb) || line.at >= line.end || *line.at++ != ':') continue;
        while (next_word(&line, 0, word))
            if (strcmp(word, label) == 0) return true;
    }
    return false;
}

static bool is_list(const snw_text *set)
{
    const char *text = set->bytes;
    set_line line;
    snw__label word;
    while (next_line(&text, end_of(set), &line))
        if (word_after(&line, "WAND", word)) return false;
    return true;
}

/* What a label is called in the set, by the correlation file. */
static bool find_wand(const snw_text *correlation, const char *label, snw__label wand)
{
    const char *text = correlation->bytes;
    set_line line;
    size_t length = strlen(label);
    while (next_line(&text, end_of(correlation), &line)) {
        if ((size_t)(line.end - line.at) <= length || memcmp(line.at, label, length) != 0) continue;
        set_line rest = {line.at + length, line.end};
        while (rest.at < rest.end && (unsigned char)*rest.at <= ' ')
            rest.at++;
        if (rest.at < rest.end && *rest.at == '=') {
            rest.at++;
            return word_after(&rest, "", wand);
        }
    }
    return false;
}

bool snw_correlation_set_name(snw_text correlation, char name[SNW_LABEL_SIZE])
{
    const char *text = correlation.bytes;
    set_line line;
    while (next_line(&text, end_of(&correlation), &line))
        if (word_after(&line, "MARKERSET", name)) return true;
    return false;
}

snw__marker_set snw__marker_set_open(const snw_text *text, const snw_text *correlation)
{
    snw__marker_set set = {text, correlation, is_list(text)};
    return set;
}

bool snw__marker_set_find(const snw__marker_set *set, const char *label, snw__label limb)
{
    snw__label wand;
    snw_format(wand, sizeof wand, "%s", snw__bare_label(label));
    if (set->correlation && !find_wand(set->correlation, label, wand)) return false;
    if (set->is_list)
        return find_listed(set->text, label, limb) || find_listed(set->text, wand, limb);
    return find_segment(set->text, wand, limb);
}
