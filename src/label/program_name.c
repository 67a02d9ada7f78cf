/* Names that programs give to trajectories nobody has named: Vicon "*12" and "Subject:*12",
 * Qualisys "Unidentified 12" and "New 0012", OptiTrack "Unlabeled 1234", Cortex "U_3" and "U12",
 * Sinew and others "M001", a bare number or nothing at all. The one place that knows them. */
#include <string.h>

#include "label/landmark.h"

typedef struct program_stem {
    const char *stem;        /* lower case, before the number */
    int digits_min;          /* "M1" may be a metatarsal, "M001" is not; 0: needs no number */
    bool may_follow_subject; /* also after the name of a subject */
} program_stem;

static const program_stem program_stems[] = {
    {"*", 0, true},         {"unidentified", 0, true}, {"unident", 0, true},
    {"unlabeled", 0, true}, {"unlabelled", 0, true},   {"unlab", 0, true},
    {"unnamed", 0, true},   {"uname", 0, true},        {"unknown", 0, true},
    {"ghost", 0, true},     {"new", 3, false},         {"u", 1, false},
    {"m", 3, false},        {"p", 3, false},           {"marker", 1, false},
    {"point", 1, false},    {"traj", 1, false},        {"trajectory", 1, false},
    {"", 1, false},
};

#define PROGRAM_SEPARATORS " _-.#*:"

/* Does the label begin with the stem, in capitals or not? */
static bool has_stem(const char *label, const char *stem)
{
    for (; *stem; stem++, label++) {
        char c = *label;
        if (c >= 'A' && c <= 'Z') c = (char)(c + ('a' - 'A'));
        if (c != *stem) return false;
    }
    return true;
}

/* Is the rest a number, or several ("12_3"), or none where the stem needs none? */
static bool is_numbered(const char *rest, const program_stem *stem)
{
    int digits = 0;
    rest += strspn(rest, PROGRAM_SEPARATORS);
    while (snw__is_digit(*rest)) {
        int length = (int)strspn(rest, "0123456789");
        digits = length > digits ? length : digits;
        rest += length;
        if (*rest >= 'b' && *rest <= 'z' && !rest[1]) rest++; /* our own "*12b" */
        rest += strspn(rest, PROGRAM_SEPARATORS);
    }
    return !*rest && digits >= stem->digits_min;
}

bool snw_label_is_automatic(const char *label)
{
    const char *bare = snw__bare_label(label);
    if (!bare[strspn(bare, PROGRAM_SEPARATORS)]) return true;
    for (size_t n = 0; n < sizeof program_stems / sizeof *program_stems; n++) {
        const program_stem *stem = program_stems + n;
        const char *text = stem->may_follow_subject ? bare : label;
        if (has_stem(text, stem->stem) && is_numbered(text + strlen(stem->stem), stem)) return true;
    }
    return false;
}
