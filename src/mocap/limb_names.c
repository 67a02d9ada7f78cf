/* Limbs from labels alone.
 *
 * Two ways are tried. Numbered labels: "LeftLeg:1", "LeftLeg_2", "Head3", "ArmL:Marker4" sit on
 * what comes before the number. Known sets: "Actor:LTHI" or "LTHI" sits where the set says. A way
 * counts only if it explains most of the labels: "M001".."M092" are numbered too, but name one
 * limb. */
#include <string.h>

#include "mocap/limbs.h"

/* Share of the markers that names must explain. */
#define NAMES_SHARE 0.6

const char *snw__bare_label(const char *label)
{
    const char *colon = strrchr(label, ':');
    return colon && colon[1] ? colon + 1 : label;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The part of a numbered label that names its limb; 0 characters where it is not numbered. */
static size_t stem_length(const char *label)
{
    size_t length = strlen(label), end = length;
    while (end > 0 && is_digit(label[end - 1]))
        end--;
    if (end == length) return 0;
    if (end >= 7 && memcmp(label + end - 6, "Marker", 6) == 0 && label[end - 7] == ':') end -= 6;
    while (end > 0 && strchr(":_-. ", label[end - 1]))
        end--;
    return end < SNW_LABEL_SIZE ? end : 0;
}

static int find_or_add(snw__label *names, int *count, const char *text, size_t length)
{
    for (int n = 0; n < *count; n++)
        if (strlen(names[n]) == length && memcmp(names[n], text, length) == 0) return n;
    memcpy(names[*count], text, length);
    names[*count][length] = 0;
    return (*count)++;
}

/* Numbered labels; the number of limbs, and how many markers they explain. */
static int by_number(const snw_trial *trial, int *limb_of, snw__label *name, int *explained)
{
    int count = 0;
    *explained = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name;
        size_t length = stem_length(label);
        limb_of[m] = length ? find_or_add(name, &count, label, length) : -1;
        *explained += length > 0;
    }
    return count;
}

/* Does more than one actor wear the set? */
static bool has_several_actors(const snw_trial *trial)
{
    const char *first = NULL;
    size_t length = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name, *bare = snw__bare_label(label);
        if (!snw__marker_set_limb(bare)) continue;
        if (first && ((size_t)(bare - label) != length || memcmp(first, label, length) != 0))
            return true;
        first = label;
        length = (size_t)(bare - label);
    }
    return false;
}

static int by_set(const snw_trial *trial, int *limb_of, snw__label *name, int *explained)
{
    int count = 0;
    bool is_crowd = has_several_actors(trial);
    *explained = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name, *bare = snw__bare_label(label);
        const char *limb = snw__marker_set_limb(bare);
        snw__label full;
        snw_format(full, sizeof full, "%.*s%s", is_crowd ? (int)(bare - label) : 0, label,
                   limb ? limb : "");
        limb_of[m] = limb ? find_or_add(name, &count, full, strlen(full)) : -1;
        *explained += limb != NULL;
    }
    return count;
}

int snw__limbs_by_names(const snw_trial *trial, int *limb_of, snw__label *name)
{
    int explained, count;
    double enough = NAMES_SHARE * trial->marker_count;
    count = by_number(trial, limb_of, name, &explained);
    /* At least two markers on an average limb, or the numbers mean something else. */
    if (count >= 2 && explained >= enough && explained >= 2 * count) return count;
    count = by_set(trial, limb_of, name, &explained);
    if (count >= 2 && explained >= enough) return count;
    return 0;
}
