/* Names that programs give to trajectories nobody has named: Vicon "*12" and "Subject:*12",
 * Qualisys "Unidentified 12" and "New 0012", OptiTrack "Unlabeled 1234", Cortex "U_3" and "U12",
 * Sinew and others "M001", a bare number or nothing at all. */
#include <string.h>

#include "label/landmark.h"

typedef struct label_stem {
    const char *stem;   /* lower case, before the number */
    bool needs_number;  /* the stem alone is a name */
    int digits_min;     /* "M1" may be a metatarsal, "M001" is not */
    bool may_be_hidden; /* also after the name of a subject */
} label_stem;

static const label_stem label_stems[] = {
    {"*", false, 0, true},         {"unidentified", false, 0, true},
    {"unlabeled", false, 0, true}, {"unlabelled", false, 0, true},
    {"unnamed", false, 0, true},   {"uname", false, 0, true},
    {"unknown", false, 0, true},   {"ghost", false, 0, true},
    {"new", true, 3, false},       {"u", true, 1, false},
    {"m", true, 3, false},         {"p", true, 3, false},
    {"marker", true, 1, false},    {"point", true, 1, false},
    {"traj", true, 1, false},      {"trajectory", true, 1, false},
    {"", true, 1, false},
};

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

static bool is_numbered(const char *rest, const label_stem *stem)
{
    while (*rest && strchr(" _-.#*:", *rest))
        rest++;
    int digits = (int)strspn(rest, "0123456789");
    bool is_part = digits > 0 && rest[digits] >= 'b' && rest[digits] <= 'z'; /* our own "*12b" */
    if (rest[digits + is_part]) return false;
    return stem->needs_number ? digits >= stem->digits_min : true;
}

bool snw__label_is_automatic(const char *label)
{
    if (!*label) return true;
    const char *bare = snw__bare_label(label);
    for (size_t n = 0; n < sizeof label_stems / sizeof *label_stems; n++) {
        const label_stem *stem = label_stems + n;
        const char *text = stem->may_be_hidden ? bare : label;
        if (has_stem(text, stem->stem) && is_numbered(text + strlen(stem->stem), stem)) return true;
    }
    return false;
}
