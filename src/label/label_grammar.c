/* What one label says.
 *
 * In front of the last ':' stands the actor. The rest is read as a side and a stem, in this order,
 * the first reading that the table of landmarks holds being taken:
 *
 *     C7, STRN             no side
 *     L_ASIS WaistLFront   a word that is a side: L, LT, LEFT, in Italy LX and SX, in any place
 *     LASI LeftKnee        a side in front
 *     ASISl KneeRight      a side behind
 *
 * A stem is looked up as it is, then without the number behind it (THI1, THI2: a cluster), then
 * word by word (THIGH UPPER): words for parts and joints, and words that only say where about them.
 * Last, what stands before the first separator is taken for an actor's name: "Subject01_LASI". */
#include <string.h>

#include "label/label_grammar.h"

const char *snw__bare_label(const char *label)
{
    const char *colon = strrchr(label, ':');
    return colon && colon[1] ? colon + 1 : label;
}

/* ASCII, whatever the program's locale: a label means the same everywhere. */
static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_small(c) || is_capital(c);
}

static bool is_word(char c)
{
    return is_letter(c) || snw__is_digit(c);
}

/* ---- names that programs give ---------------------------------------------------------- */

/* Names that programs give to trajectories nobody has named: Vicon "*12" and "Subject:*12",
 * Qualisys "Unidentified 12" and "New 0012", OptiTrack "Unlabeled 1234", Cortex "U_3" and "U12",
 * Sinew and others "M001", a bare number or nothing at all. The one place that knows them. */

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

/* ---- words ---------------------------------------------------------------------------------- */

typedef struct label_word {
    snw__word_rank rank;
    snw_point_kind point;
    const char *words;
} label_word;

/* Words that are no landmarks; those of landmarks stand in person/landmark_map.h. */
static const label_word label_words[] = {
    {SNW__WORD_WHERE, SNW_POINT_MARKER,
     "UPPER LOWER FRONT REAR TOP TIP SUP INF SUPERIOR INFERIOR ANT POST ANTERIOR"},
    {SNW__WORD_WHERE, SNW_POINT_MARKER,
     "POSTERIOR PROX DIST PROXIMAL DISTAL HIGH LOW MID MIDDLE SIDE OF STUDY WAND"},
    {SNW__WORD_WHERE, SNW_POINT_MARKER,
     "MARKER MKR CLUSTER PLATE TUB TUBEROSITY PROCESS SPINE BASE ANTSUP REG"},
    {SNW__WORD_WHERE, SNW_POINT_MARKER, "CGM ABS NORMALISED NORMALIZED NECK FLOOR FORE"},
    {SNW__WORD_LAB, SNW_POINT_MARKER, "GROUND REACTION"},
    {SNW__WORD_WHERE, SNW_POINT_MARKER, "GREATER FIRST SECOND FIFTH BIG SMALL NOTCH"},
    {SNW__WORD_INSIDE, SNW_POINT_MARKER, "MED MEDIAL IN INNER INSIDE"},
    {SNW__WORD_OUTSIDE, SNW_POINT_MARKER, "LAT LATERAL OUT OUTER OUTSIDE"},
    {SNW__WORD_CONDYLE, SNW_POINT_MARKER, "EPICONDYLE CONDYLE EPI EPICON COND CON"},
    {SNW__WORD_COMPUTED, SNW_POINT_ANGLE, "ANGLE ANGLES ANGLESV ANGLEV PROGRESS FOOTPROGRESS"},
    {SNW__WORD_COMPUTED, SNW_POINT_FORCE, "FORCE FORCES"},
    {SNW__WORD_LAB, SNW_POINT_FORCE, "GRF"},
    {SNW__WORD_COMPUTED, SNW_POINT_MOMENT, "MOMENT MOMENTS"},
    {SNW__WORD_COMPUTED, SNW_POINT_POWER, "POWER POWERS"},
    {SNW__WORD_COMPUTED, SNW_POINT_JOINT,
     "JOINTCENTER JOINTCENTRE JC HJC KJC AJC FJC SJC EJC WJC CENTEROFMASS"},
    {SNW__WORD_COMPUTED, SNW_POINT_JOINT,
     "CENTREOFMASS COM COP CENTEROFPRESSURE VIRTUAL COMPUTED MIDASI MIDASIS MIDPSI MIDPSIS"},
    {SNW__WORD_NOWHERE, SNW_POINT_MARKER, "LOWERBACK LUMBAR KNEECAP PATELLA"},
};

#define LABEL_WORDS (sizeof label_words / sizeof *label_words)

/* A word of a sentence. */
typedef struct label_found {
    const char *text;
    size_t length; /* 0: there is none */
    snw__word_rank rank;
    snw_point_kind point;
    bool is_landmark;
} label_found;

static void take_longer(label_found *longest, const snw__spelling *word, const char *text,
                        snw__word_rank rank, snw_point_kind point, bool is_landmark)
{
    if (word->length <= longest->length || strncmp(text, word->text, word->length) != 0) return;
    label_found found = {word->text, word->length, rank, point, is_landmark};
    *longest = found;
}

/* The longest word with which the text begins. */
static label_found first_word(const char *text)
{
    label_found longest = {NULL, 0, SNW__WORD_WHERE, SNW_POINT_MARKER, false};
    snw__spelling word;
    for (size_t n = 0; n < LABEL_WORDS; n++)
        for (const char *at = label_words[n].words; snw__spelling_next(&at, &word);)
            take_longer(&longest, &word, text, label_words[n].rank, label_words[n].point, false);
    for (int n = 0; n < SNW__LANDMARK_COUNT; n++) {
        const snw__landmark_row *row = snw__landmark_at(n);
        for (const char *at = row->spellings; snw__spelling_next(&at, &word);)
            if (word.is_in_sentence) take_longer(&longest, &word, text, row->rank, row->kind, true);
    }
    return longest;
}

/* What the words of a stem say together. */
typedef struct label_sentence {
    label_found main;     /* length 0: nothing */
    snw_point_kind point; /* not MARKER: computed */
    bool is_inside, is_outside, is_condyle, is_epicondyle, is_lab;
} label_sentence;

/* ---- from stem to landmark ------------------------------------------------------------------ */

/* A marker of the gait model where it comes with a side or without, as the label does. */
static snw_gait_marker gait_marker(snw_gait_marker marker, snw_side side)
{
    static const bool is_paired[] = {
#define IS_PAIRED(enumerator, is_paired) is_paired,
        SNW_GAIT_MARKER_MAP(IS_PAIRED)
#undef IS_PAIRED
    };
    bool fits = marker >= 0 && is_paired[marker] == (side != SNW_SIDE_NONE);
    return fits ? marker : SNW_GAIT_MARKER_NONE;
}

static bool take_row(snw__landmark landmark, snw_label *out)
{
    if (landmark < 0) return false;
    const snw__landmark_row *row = snw__landmark_at(landmark);
    out->kind = SNW_LABEL_LANDMARK;
    out->part = row->part;
    out->joint = row->joint;
    out->spot = row->spot;
    out->landmark = landmark;
    out->point = row->kind;
    return true;
}

static bool take_stem(const char *stem, size_t length, snw_label *out)
{
    return take_row(snw__landmark_find(stem, length, out->side != SNW_SIDE_NONE, true), out);
}

/* What the main words of a sentence say, without its insides and outsides. */
static bool take_main(const label_sentence *says, snw_label *out)
{
    bool has_side = out->side != SNW_SIDE_NONE;
    if (says->main.length && !says->main.is_landmark) return false;
    bool is_taken =
        says->main.length &&
        take_row(snw__landmark_find(says->main.text, says->main.length, has_side, false), out);
    if (!says->is_condyle) return is_taken;
    /* A femur's condyle is at the knee, a kneecap has none. Of bones that nobody names, condyles
     * are the femur's, epicondyles the humerus'. */
    bool is_knee = says->main.length ? out->part == SNW_PART_UPLEG : !says->is_epicondyle;
    return has_side && take_row(is_knee ? SNW__LANDMARK_KNE : SNW__LANDMARK_ELB, out);
}

typedef enum label_depth {
    LABEL_EXACT,
    LABEL_NUMBERED,
    LABEL_SENTENCE,
    LABEL_DEPTHS
} label_depth;

void snw__label_clear(snw_label *out)
{
    memset(out, 0, sizeof *out);
    out->side = SNW_SIDE_NONE;
    out->landmark = SNW__LANDMARK_NONE;
    out->gait = SNW_GAIT_MARKER_NONE;
}

static bool take(const char *stem, snw_side side, label_depth depth, snw_label *out)
{
    size_t length = strlen(stem);
    snw__label_clear(out);
    out->side = side;
    if (length == 0) return false;
    if (depth == LABEL_SENTENCE) {
        label_sentence says;
        /* Word after word; what is neither a word nor a number makes it no sentence. */
        memset(&says, 0, sizeof says);
        for (const char *at = stem; *at;) {
            label_found word = first_word(at);
            if (word.length == 0 && !snw__is_digit(*at)) return false;
            at += word.length ? word.length : 1;
            if (!word.length) continue;
            says.is_inside |= word.rank == SNW__WORD_INSIDE;
            says.is_outside |= word.rank == SNW__WORD_OUTSIDE;
            says.is_condyle |= word.rank == SNW__WORD_CONDYLE;
            says.is_epicondyle |= word.rank == SNW__WORD_CONDYLE && word.text[0] == 'E';
            says.is_lab |= word.rank == SNW__WORD_LAB;
            /* What is farthest from a place decides: a hip's force is no hip. */
            if (!word.is_landmark && word.point > says.point) says.point = word.point;
            if (word.rank < SNW__WORD_BACK) continue;
            if (!says.main.length || word.rank > says.main.rank) says.main = word;
        }
        if (says.point != SNW_POINT_MARKER) {
            out->kind = SNW_LABEL_DERIVED;
            out->point = says.point;
            out->is_in_lab_axes = says.is_lab;
            return true;
        }
        if (!take_main(&says, out)) return false;
        if (says.is_inside && snw_part_parent(out->part) == SNW_PART_HAND) { /* a finger's root */
            out->joint = out->part;
            out->part = SNW_PART_HAND;
            out->spot = SNW_SPOT_CENTER;
            return true;
        }
        /* An acromion has no inner and outer side. */
        if (out->spot == SNW_SPOT_BODY || out->joint == SNW_PART_ARM) return true;
        if (!says.is_inside && !says.is_outside) return true;
        snw_spot spot = says.is_outside ? SNW_SPOT_LATERAL : SNW_SPOT_MEDIAL;
        out->landmark = snw__landmark_beside((snw__landmark)out->landmark, spot);
        out->spot = spot;
        const snw__landmark_row *row = snw__landmark_at(out->landmark);
        if (row->spot == spot) out->gait = gait_marker(row->gait, out->side);
        return true;
    }
    if (depth == LABEL_EXACT) {
        if (!take_stem(stem, length, out)) return false;
        out->gait = gait_marker(snw__landmark_at(out->landmark)->gait, side);
        out->is_whole = true;
        return true;
    }
    while (length > 0 && snw__is_digit(stem[length - 1]))
        length--;
    if (!stem[length] || length < 2) return false;
    return take_stem(stem, length, out);
}

/* ---- from label to side and stem ------------------------------------------------------------ */

/* A label in upper case without separators, and where its words begin: at separators, before a
 * capital that follows a small letter or precedes one, and at digits. */
typedef struct label_text {
    char text[SNW_LABEL_SIZE];
    bool is_start[SNW_LABEL_SIZE + 1];
    size_t length;
} label_text;

static bool begins_word(const char *label, size_t n)
{
    char before = n ? label[n - 1] : ' ', here = label[n], after = label[n + 1];
    if (!is_word(before)) return true;
    if (!snw__is_digit(before) != !snw__is_digit(here)) return true;
    return is_capital(here) && (is_small(before) || is_small(after));
}

static void spell(const char *label, label_text *out)
{
    memset(out, 0, sizeof *out);
    for (size_t n = 0; label[n] && out->length + 1 < SNW_LABEL_SIZE; n++) {
        char c = label[n];
        if (!is_word(c)) continue;
        out->is_start[out->length] = begins_word(label, n);
        out->text[out->length++] = (char)(is_small(c) ? c - 'a' + 'A' : c);
    }
    out->is_start[out->length] = true;
}

static snw_side side_of(const char *text, size_t length)
{
    static const char *const words[2][5] = {{"L", "LT", "LEFT", "LX", "SX"},
                                            {"R", "RT", "RIGHT", "RX", "DX"}};
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++)
        for (int n = 0; n < 5; n++)
            if (strlen(words[side][n]) == length && memcmp(text, words[side][n], length) == 0)
                return (snw_side)side;
    return SNW_SIDE_NONE;
}

/* The text without `length` characters at `at`. */
static void cut(const label_text *from, size_t at, size_t length, char out[SNW_LABEL_SIZE])
{
    memcpy(out, from->text, at);
    memcpy(out + at, from->text + at + length, from->length - at - length + 1);
}

/* The one word that is a side; NONE where there is none or more than one. */
static snw_side side_word(const label_text *label, char stem[SNW_LABEL_SIZE])
{
    snw_side found = SNW_SIDE_NONE;
    for (size_t at = 0, end; at < label->length; at = end) {
        for (end = at + 1; !label->is_start[end];)
            end++;
        snw_side side = side_of(label->text + at, end - at);
        if (side == SNW_SIDE_NONE) continue;
        if (found != SNW_SIDE_NONE) return SNW_SIDE_NONE;
        found = side;
        cut(label, at, end - at, stem);
    }
    return found;
}

/* A side in front or behind, of the given length; the number behind stays with the stem. */
static snw_side side_at(const label_text *label, bool is_behind, size_t length,
                        char stem[SNW_LABEL_SIZE])
{
    size_t end = label->length;
    while (is_behind && end > 0 && snw__is_digit(label->text[end - 1]))
        end--;
    /* A single letter behind needs a word before it: HEEL is no left HEE, but KNEEL is a knee. */
    size_t stem_min = !is_behind ? 0 : length == 1 ? 4 : 2;
    if (end < length + stem_min) return SNW_SIDE_NONE;
    size_t at = is_behind ? end - length : 0;
    cut(label, at, length, stem);
    return side_of(label->text + at, length);
}

static int add_reading(snw__label_reading *out, int count, snw_side side, const char *stem)
{
    if (side == SNW_SIDE_NONE || !*stem) return count;
    out[count].side = side;
    memcpy(out[count].stem, stem, strlen(stem) + 1);
    return count + 1;
}

static int readings_of(const label_text *label, snw__label_reading *out)
{
    static const size_t lengths[] = {5, 4, 1};
    char stem[SNW_LABEL_SIZE];
    int count = 1;
    out[0].side = SNW_SIDE_NONE;
    memcpy(out[0].stem, label->text, sizeof label->text);
    snw_side side = side_word(label, stem);
    count = add_reading(out, count, side, stem);
    for (int is_behind = 0; is_behind < 2; is_behind++)
        for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
            side = side_at(label, is_behind, lengths[n], stem);
            count = add_reading(out, count, side, stem);
        }
    return count;
}

int snw__label_readings(const char *label, snw__label_reading out[SNW__LABEL_READINGS])
{
    label_text text;
    spell(label, &text);
    return readings_of(&text, out);
}

/* One depth, all readings. */
static bool read_at(const snw__label_reading *reading, int count, label_depth depth, snw_label *out)
{
    for (int n = 0; n < count; n++)
        if (take(reading[n].stem, reading[n].side, depth, out)) return true;
    return false;
}

/* Without a prefix. Xsens writes pRightKnee: a small p before a capital is its own word. */
static bool read_bare(const char *label, snw_label *out)
{
    label_text text;
    spell(label, &text);
    snw__label_clear(out);
    /* "V_R.Knee_JC", "V.Mid.ASIS": virtual, but for the sacrum, whose marker is called so. */
    if (text.text[0] == 'V' && text.is_start[1] && text.length > 2 && is_letter(text.text[1]) &&
        strncmp(text.text + 1, "SAC", 3) != 0) {
        out->kind = SNW_LABEL_DERIVED;
        out->point = SNW_POINT_JOINT;
        return true;
    }
    snw__label_reading reading[SNW__LABEL_READINGS];
    int count = readings_of(&text, reading);
    for (int depth = 0; depth < LABEL_DEPTHS; depth++)
        if (read_at(reading, count, (label_depth)depth, out)) return true;
    return label[0] == 'p' && is_capital(label[1]) && read_bare(label + 1, out);
}

snw_label snw_label_read(const char *label)
{
    const char *bare = snw__bare_label(label);
    snw_label out;
    snw__label_clear(&out);
    out.kind = SNW_LABEL_UNNAMED;
    if (snw_label_is_automatic(label)) return out;
    bool is_read = read_bare(bare, &out);
    for (const char *at = bare; !is_read && *at;) {
        at += strcspn(at, "_-. ");
        at += *at != 0;
        if (!*at) break;
        is_read = read_bare(at, &out);
        if (is_read) bare = at;
    }
    if (!is_read) snw__label_clear(&out);
    out.prefix = is_read ? (int)(bare - label) : 0;
    return out;
}

snw_point_kind snw_point_kind_of_name(const char *name)
{
    return snw_label_read(name).point;
}
