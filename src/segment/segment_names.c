/* Segments from labels alone.
 *
 * Two ways are tried. Numbered labels: "LeftLeg:1", "LeftLeg_2", "Head3", "ArmL:Marker4" sit on
 * what comes before the number. Landmarks: "Actor:LTHI" sits where the table of marker sets says.
 * Names are believed when they explain at least six of ten labels (points that are computed, and
 * trajectories without a name, are not asked) and name two segments or more: "M001".."M092" are
 * numbered too, but name one segment. Of two ways that are believed the one that explains more is
 * taken. */
#include <string.h>

#include "label/label_grammar.h"
#include "segment/segment_constants.h"
#include "segment/segment_methods.h"

/* ---- numbered labels ------------------------------------------------------------------------ */

/* The part of a numbered label that names its segment; 0 characters where it is not numbered. */
static size_t stem_length(const char *label)
{
    size_t length = strlen(label), end = length;
    while (end > 0 && snw__is_digit(label[end - 1]))
        end--;
    if (end == length) return 0;
    if (end >= 7 && memcmp(label + end - 6, "Marker", 6) == 0 && label[end - 7] == ':') end -= 6;
    while (end > 0 && strchr(":_-. ", label[end - 1]))
        end--;
    return end < SNW_LABEL_SIZE ? end : 0;
}

static bool is_same_text(const char *a, const char *b, size_t length)
{
    for (size_t n = 0; n < length; n++) {
        bool is_letter = (a[n] | 0x20) >= 'a' && (a[n] | 0x20) <= 'z';
        if (a[n] != b[n] && !(is_letter && (a[n] | 0x20) == (b[n] | 0x20))) return false;
    }
    return true;
}

/* PV1 and pv2 are on one segment. */
static int find_or_add(snw__label_name *names, int *count, const char *text, size_t length)
{
    for (int n = 0; n < *count; n++)
        if (strlen(names[n]) == length && is_same_text(names[n], text, length)) return n;
    memcpy(names[*count], text, length);
    names[*count][length] = 0;
    return (*count)++;
}

/* The part that a numbered segment's name means; NONE where it is none, or a joint: "knee:1" is on
 * which side of it? But a shoulder beside an arm is a shoulder blade. */
static snw_part numbered_part(snw__label_name *name, int segment_count, int segment, snw_side *side)
{
    snw_label at = snw_label_read(name[segment]);
    *side = at.side;
    if (at.kind != SNW_LABEL_LANDMARK) return SNW_PART_NONE;
    if (at.joint == SNW_PART_NONE) return at.part;
    for (int l = 0; l < segment_count && at.joint == SNW_PART_ARM; l++) {
        snw_label other = snw_label_read(name[l]);
        if (other.part == SNW_PART_ARM && other.side == at.side && other.joint == SNW_PART_NONE)
            return SNW_PART_SHOULDER;
    }
    return SNW_PART_NONE;
}

/* Where all segments are parts of one body, each once, they get the parts' names. `part`
 * (segment_count).
 */
static void name_parts(snw__label_name *name, int segment_count)
{
    snw__label_name full[2 * SNW_PART_COUNT];
    if (segment_count > 2 * SNW_PART_COUNT) return;
    for (int l = 0; l < segment_count; l++) {
        snw_side side;
        snw_part part = numbered_part(name, segment_count, l, &side);
        if (part == SNW_PART_NONE) return;
        snw_format(full[l], sizeof full[l], "%s", snw_part_name(part, side));
        for (int k = 0; k < l; k++)
            if (strcmp(full[k], full[l]) == 0) return;
    }
    memcpy(name, full, (size_t)segment_count * sizeof *name);
}

/* How many numbered segments are parts of a body. */
static int count_parts(snw__label_name *name, int segment_count)
{
    int count = 0;
    for (int l = 0; l < segment_count; l++) {
        snw_side side;
        count += numbered_part(name, segment_count, l, &side) != SNW_PART_NONE;
    }
    return count;
}

/* May a label name a segment? Not what a program gave, and not that of a point it computed. */
static bool names_segment(const snw_label *landmark)
{
    return landmark->kind != SNW_LABEL_UNNAMED && landmark->kind != SNW_LABEL_DERIVED;
}

static bool is_counted_through(const int *segment_of, int marker_count, int numbered)
{
    for (int m = 0; m < marker_count; m++) {
        int size = 0;
        for (int k = 0; k < marker_count; k++)
            size += segment_of[m] >= 0 && segment_of[k] == segment_of[m];
        if (size > NAMES_SEGMENT_MAX && size > 0.75 * numbered) return true;
    }
    return false;
}

/* ---- landmarks ------------------------------------------------------------------------------ */

/* Do two actors wear the set? One landmark then has two prefixes. */
static bool has_several_actors(const snw_trial *trial, const snw_label *landmark)
{
    for (int a = 0; a < trial->marker_count; a++)
        for (int b = 0; b < a; b++) {
            const snw_label *one = landmark + a, *other = landmark + b;
            if (one->kind != SNW_LABEL_LANDMARK || other->kind != one->kind) continue;
            if (one->landmark != other->landmark || one->side != other->side) continue;
            const char *first = trial->marker[a].name, *second = trial->marker[b].name;
            if (strcmp(first + one->prefix, second + other->prefix) == 0 &&
                (one->prefix != other->prefix || memcmp(first, second, (size_t)one->prefix) != 0))
                return true;
        }
    return false;
}

/* ---- segments found in spite of labels ------------------------------------------------------- */

void snw__labels_follow(const snw_segments *segments, snw_label *landmark)
{
    for (int m = 0; m < segments->marker_count; m++) {
        snw_side side;
        int segment = segments->segment_of[m];
        snw_part part =
            segment < 0 ? SNW_PART_NONE
                        : snw_part_read(snw__bare_label(segments->segment[segment].name), &side);
        if (part == SNW_PART_NONE || landmark[m].kind != SNW_LABEL_LANDMARK) continue;
        /* From thigh to shank a marker stays at the knee. */
        if (part != landmark[m].part && part != landmark[m].joint)
            landmark[m].joint = SNW_PART_NONE;
        if (part == landmark[m].part && snw_part_is_paired(part)) landmark[m].side = side;
    }
}

/* ---- the choice ----------------------------------------------------------------------------- */

int snw__segments_by_names(const snw_trial *trial, const snw_label *landmark, int *segment_of,
                           snw__label_name *name)
{
    int known = 0, asked = 0, named = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        known += landmark[m].kind == SNW_LABEL_LANDMARK;
        asked += landmark[m].kind == SNW_LABEL_LANDMARK || landmark[m].kind == SNW_LABEL_UNKNOWN;
        named += names_segment(landmark + m);
    }
    /* Numbered labels; the number of segments, and how many markers they explain. */
    int count = 0, numbered = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name;
        bool is_named = names_segment(landmark + m);
        size_t length = is_named ? stem_length(label) : 0;
        segment_of[m] = length ? find_or_add(name, &count, label, length) : -1;
        numbered += length > 0;
    }
    bool is_numbered = count >= 2 && numbered >= NAMES_SHARE * named && numbered >= known &&
                       !is_counted_through(segment_of, trial->marker_count, numbered);
    /* At least two markers on an average segment, or the numbers mean something else; of parts of a
     * body one is enough (Knight's N + 2 markers of N segments). */
    if (is_numbered && (numbered >= 2 * count || count_parts(name, count) >= NAMES_SHARE * count)) {
        name_parts(name, count);
        return count;
    }
    bool is_crowd = has_several_actors(trial, landmark);
    count = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        snw__label_name full;
        segment_of[m] = -1;
        if (landmark[m].kind != SNW_LABEL_LANDMARK) continue;
        /* "LeftLeg", in a crowd "Joe:LeftLeg". */
        const snw_label *at = landmark + m;
        int prefix = is_crowd && at->prefix > 0 ? at->prefix - 1 : 0;
        snw_format(full, SNW_LABEL_SIZE, "%.*s%s%s", prefix, trial->marker[m].name,
                   prefix ? ":" : "", snw_part_name(at->part, at->side));
        segment_of[m] = find_or_add(name, &count, full, strlen(full));
    }
    return count >= 2 && known >= NAMES_SHARE * asked ? count : 0;
}
