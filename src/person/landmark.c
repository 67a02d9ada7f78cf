/* The rows of landmark_map.h, the words in them, and the parts of a body. */
#include "person/landmark.h"

#include <string.h>

static const snw__landmark_row landmark_rows[SNW__LANDMARK_COUNT] = {
#define SIDED true
#define ANY   false
#define LANDMARK_ROW(name, part, joint, spot, side, gait, tracker, kind, rank, spellings) \
    {#name,                                                                               \
     spellings,                                                                           \
     SNW_PART_##part,                                                                     \
     SNW_PART_##joint,                                                                    \
     SNW_PART_##tracker,                                                                  \
     SNW_SPOT_##spot,                                                                     \
     SNW_GAIT_MARKER_##gait,                                                              \
     SNW_POINT_##kind,                                                                    \
     SNW__WORD_##rank,                                                                    \
     side},
    SNW__LANDMARK_MAP(LANDMARK_ROW)
#undef LANDMARK_ROW
#undef ANY
#undef SIDED
};

const snw__landmark_row *snw__landmark_at(int landmark)
{
    return landmark_rows + landmark;
}

bool snw__spelling_next(const char **at, snw__spelling *out)
{
    while (**at == ' ')
        ++*at;
    if (!**at) return false;
    char mark = **at;
    if (mark == '+' || mark == '=') ++*at;
    out->text = *at;
    out->is_alone = mark != '=';
    out->is_in_sentence = mark == '+' || mark == '=';
    while (**at && **at != ' ')
        ++*at;
    out->length = (size_t)(*at - out->text);
    return true;
}

bool snw__has_word(const char *words, const char *word, size_t length)
{
    for (const char *at = words; *at;) {
        size_t n = 0;
        while (n < length && at[n] == word[n])
            n++;
        if (n == length && (at[n] == ' ' || !at[n])) return true;
        while (*at && *at++ != ' ')
            continue;
    }
    return false;
}

snw__landmark snw__landmark_find(const char *word, size_t length, bool has_side, bool is_alone)
{
    for (int n = 0; n < SNW__LANDMARK_COUNT && length > 0; n++) {
        if (landmark_rows[n].needs_side && !has_side) continue;
        const char *at = landmark_rows[n].spellings;
        for (snw__spelling one; snw__spelling_next(&at, &one);)
            if (one.length == length && (one.is_alone || !is_alone) &&
                memcmp(one.text, word, length) == 0)
                return (snw__landmark)n;
    }
    return SNW__LANDMARK_NONE;
}

snw__landmark snw__landmark_beside(snw__landmark landmark, snw_spot spot)
{
    const snw__landmark_row *row = landmark_rows + landmark;
    for (int n = 0; n < SNW__LANDMARK_COUNT && row->spot != spot; n++)
        if (landmark_rows[n].part == row->part && landmark_rows[n].joint == row->joint &&
            landmark_rows[n].spot == spot)
            return (snw__landmark)n;
    return landmark;
}

/* ---- the parts of a body -------------------------------------------------------------------- */

static const struct {
    const char *name[3]; /* [side] */
    snw_part parent;
    bool is_paired;
} landmark_parts[SNW_PART_COUNT] = {
    {{"", "", ""}, SNW_PART_NONE, false},
#define LANDMARK_NAMES_0(name) \
    {                          \
        name, name, name       \
    }
#define LANDMARK_NAMES_1(name)          \
    {                                   \
        "Left" name, "Right" name, name \
    }
#define LANDMARK_PART(part, parent, is_paired, name) \
    {LANDMARK_NAMES_##is_paired(name), SNW_PART_##parent, is_paired},
    SNW_PART_MAP(LANDMARK_PART)[SNW_PART_NECK] = {{"", "", ""}, SNW_PART_CHEST, false},
    [SNW_PART_FINGER] = {{"", "", ""}, SNW_PART_HAND, true},
    [SNW_PART_TOE] = {{"", "", ""}, SNW_PART_FOOT, true},
#undef LANDMARK_PART
#undef LANDMARK_NAMES_0
#undef LANDMARK_NAMES_1
};

const char *snw_part_name(snw_part part, snw_side side)
{
    bool is_known = (unsigned)part < SNW_PART_COUNT && (unsigned)side <= SNW_SIDE_NONE;
    return is_known ? landmark_parts[part].name[side] : "";
}

snw_part snw_part_read(const char *name, snw_side *side)
{
    for (int part = 1; part < SNW_PART_COUNT && *name; part++)
        for (int s = 0; s < 3; s++) {
            bool is_paired = landmark_parts[part].is_paired;
            if (is_paired != (s != SNW_SIDE_NONE) ||
                strcmp(landmark_parts[part].name[s], name) != 0)
                continue;
            *side = (snw_side)s;
            return (snw_part)part;
        }
    *side = SNW_SIDE_NONE;
    return SNW_PART_NONE;
}

snw_part snw_part_parent(snw_part part)
{
    return (unsigned)part < SNW_PART_COUNT ? landmark_parts[part].parent : SNW_PART_NONE;
}

bool snw_part_is_paired(snw_part part)
{
    return (unsigned)part < SNW_PART_COUNT && landmark_parts[part].is_paired;
}
