/* Limbs from labels alone.
 *
 * Two ways are tried. Numbered labels: "LeftLeg:1", "LeftLeg_2", "Head3", "ArmL:Marker4" sit on
 * what comes before the number. Landmarks: "Actor:LTHI" sits where the table of marker sets says.
 * Names are believed when they explain at least six of ten labels (points that are computed, and
 * trajectories without a name, are not asked) and name two limbs or more: "M001".."M092" are
 * numbered too, but name one limb. Of two ways that are believed the one that explains more is
 * taken. */
#include <string.h>

#include "mocap/limbs.h"

/* Share of the markers that names must explain. */
#define NAMES_SHARE 0.6
/* A shoulder is a limb of its own with a marker on the acromion or as many as these, where the
 * chest keeps as many without it and an arm hangs from it; else it counts to the chest. */
#define NAMES_SHOULDER_MIN 3
#define NAMES_CHEST_MIN    3
/* Markers that a finger and its hand need each, for the finger to be a limb of its own. */
#define NAMES_FINGER_MIN 2
/* Pelvis markers without which "hip" means the pelvis, not the upper thigh. */
#define NAMES_PELVIS_MIN 3

/* ---- what all labels say together ----------------------------------------------------------- */

static int understood(const snw__landmark *landmark, int count)
{
    int sum = 0;
    for (int m = 0; m < count; m++)
        sum += landmark[m].kind == SNW__LABEL_LANDMARK;
    return sum;
}

/* Characters with which all bare labels begin. */
static size_t common_prefix(const snw_trial *trial)
{
    const char *first = snw__bare_label(trial->marker[0].name);
    size_t length = strlen(first);
    for (int m = 1; m < trial->marker_count; m++) {
        const char *label = snw__bare_label(trial->marker[m].name);
        size_t n = 0;
        while (n < length && label[n] == first[n])
            n++;
        length = n;
    }
    return length;
}

/* All labels begin alike, "LRFHD" and "LLFHD": is more understood without it? */
static void drop_common_prefix(const snw_trial *trial, snw__landmark *out)
{
    int count = trial->marker_count, sum = 0;
    size_t length = count > 1 ? common_prefix(trial) : 0;
    if (length == 0) return;
    for (int m = 0; m < count; m++) {
        const char *bare = snw__bare_label(trial->marker[m].name);
        sum += snw__label_landmark(bare + length).kind == SNW__LABEL_LANDMARK;
    }
    if (sum <= understood(out, count)) return;
    for (int m = 0; m < count; m++) {
        const char *label = trial->marker[m].name, *bare = snw__bare_label(label);
        out[m] = snw__label_landmark(bare + length);
        out[m].prefix += (int)((size_t)(bare - label) + length);
    }
}

static bool is_shared(const snw_trial *trial, int marker)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (m != marker && strcmp(trial->marker[m].name, trial->marker[marker].name) == 0)
            return true;
    return false;
}

/* Old files keep four characters of a label: RKNE and RKNE are "R.Knee" and "R.Knee.Medial" in
 * their descriptions. */
static void ask_descriptions(const snw_trial *trial, snw__landmark *out)
{
    for (int m = 0; m < trial->marker_count; m++) {
        const char *text = trial->marker[m].description;
        bool is_known = out[m].kind == SNW__LABEL_LANDMARK || out[m].kind == SNW__LABEL_DERIVED;
        if (!text || !*text || (is_known && !is_shared(trial, m))) continue;
        snw__landmark told = snw__label_landmark(text);
        if (told.kind != SNW__LABEL_LANDMARK && told.kind != SNW__LABEL_DERIVED) continue;
        told.prefix = out[m].prefix;
        out[m] = told;
    }
}

/* Models write the axes of each bone as four points: origin, anterior, lateral, proximal ("LFEO",
 * "LFEA", "LFEL", "LFEP"). */
static bool is_bone_axis(const snw_trial *trial, int marker)
{
    static const char ends[] = "OALP";
    const char *label = trial->marker[marker].name;
    size_t last = strlen(label);
    snw__label other;
    if (last < 4 || last >= sizeof other || !strchr(ends, label[--last])) return false;
    for (const char *end = ends; *end; end++) {
        memcpy(other, label, last);
        other[last] = *end;
        other[last + 1] = 0;
        if (snw_trial_find_marker(trial, other) < 0) return false;
    }
    return true;
}

static int count_on(const snw__landmark *landmark, int count, snw__part part, snw__side side)
{
    int sum = 0;
    for (int m = 0; m < count; m++)
        sum += landmark[m].kind == SNW__LABEL_LANDMARK && landmark[m].part == part &&
               (side == SNW__SIDE_NONE || landmark[m].side == side);
    return sum;
}

static bool is_poor_shoulder(const snw__landmark *landmark, int count, snw__side side)
{
    bool has_acromion = false;
    for (int m = 0; m < count; m++)
        has_acromion |= landmark[m].kind == SNW__LABEL_LANDMARK && landmark[m].side == side &&
                        landmark[m].part == SNW__PART_SHOULDER &&
                        landmark[m].joint == SNW__PART_ARM;
    if (count_on(landmark, count, SNW__PART_SHOULDER, side) >= NAMES_SHOULDER_MIN) return false;
    return !has_acromion || count_on(landmark, count, SNW__PART_ARM, side) == 0 ||
           count_on(landmark, count, SNW__PART_CHEST, SNW__SIDE_NONE) < NAMES_CHEST_MIN;
}

/* A finger with too few markers, or on a hand with too few. */
static bool is_poor_finger(const snw__landmark *landmark, int count, const snw__landmark *at)
{
    return count_on(landmark, count, at->part, at->side) < NAMES_FINGER_MIN ||
           count_on(landmark, count, SNW__PART_HAND, at->side) < NAMES_FINGER_MIN;
}

/* Few markers change what a word means. */
static void settle_parts(snw__landmark *out, int count)
{
    int hip = snw__landmark_find("HIP", 3, true);
    bool has_pelvis = count_on(out, count, SNW__PART_HIPS, SNW__SIDE_NONE) >= NAMES_PELVIS_MIN;
    bool is_poor[3] = {true, true, true};
    for (int side = SNW__SIDE_LEFT; side <= SNW__SIDE_RIGHT; side++)
        is_poor[side] = is_poor_shoulder(out, count, (snw__side)side);
    for (int m = 0; m < count; m++) {
        if (out[m].part == SNW__PART_SHOULDER && is_poor[out[m].side])
            out[m].part = SNW__PART_CHEST;
        if (out[m].row == hip && out[m].part == SNW__PART_UPLEG && !has_pelvis)
            out[m].part = SNW__PART_HIPS;
        if (snw__part_parent(out[m].part) == SNW__PART_HAND && is_poor_finger(out, count, out + m))
            out[m].part = SNW__PART_HAND;
    }
}

void snw__trial_landmarks(const snw_trial *trial, snw__landmark *out)
{
    for (int m = 0; m < trial->marker_count; m++)
        out[m] = snw__label_landmark(trial->marker[m].name);
    drop_common_prefix(trial, out);
    ask_descriptions(trial, out);
    for (int m = 0; m < trial->marker_count; m++) {
        if (!is_bone_axis(trial, m)) continue;
        memset(out + m, 0, sizeof *out);
        out[m].kind = SNW__LABEL_DERIVED;
        out[m].row = -1;
    }
    settle_parts(out, trial->marker_count);
}

int snw__mirror_marker(const snw__landmark *landmark, int marker_count, int marker)
{
    const snw__landmark *one = landmark + marker;
    for (int m = 0; m < marker_count && one->side; m++) {
        const snw__landmark *other = landmark + m;
        if (other->kind == one->kind && other->row == one->row && other->spot == one->spot &&
            other->side && other->side != one->side)
            return m;
    }
    return -1;
}

void snw__landmarks_follow(const snw_limbs *limbs, snw__landmark *landmark)
{
    for (int m = 0; m < limbs->marker_count; m++) {
        snw__side side;
        int limb = limbs->limb_of[m];
        snw__part part = limb < 0 ? SNW__PART_NONE
                                  : snw__part_find(snw__bare_label(limbs->limb[limb].name), &side);
        if (part == SNW__PART_NONE || landmark[m].kind != SNW__LABEL_LANDMARK) continue;
        /* From thigh to shank a marker stays at the knee. */
        if (part != landmark[m].part && part != landmark[m].joint)
            landmark[m].joint = SNW__PART_NONE;
        if (part == landmark[m].part && snw__part_is_paired(part)) landmark[m].side = side;
    }
}

/* ---- numbered labels ------------------------------------------------------------------------ */

/* The part of a numbered label that names its limb; 0 characters where it is not numbered. */
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

/* PV1 and pv2 are on one limb. */
static int find_or_add(snw__label *names, int *count, const char *text, size_t length)
{
    for (int n = 0; n < *count; n++)
        if (strlen(names[n]) == length && is_same_text(names[n], text, length)) return n;
    memcpy(names[*count], text, length);
    names[*count][length] = 0;
    return (*count)++;
}

/* The part that a numbered limb's name means; NONE where it is none, or a joint: "knee:1" is on
 * which side of it? But a shoulder beside an arm is a shoulder blade. */
static snw__part numbered_part(snw__label *name, int limb_count, int limb, snw__side *side)
{
    snw__landmark at = snw__label_landmark(name[limb]);
    *side = at.side;
    if (at.kind != SNW__LABEL_LANDMARK) return SNW__PART_NONE;
    if (at.joint == SNW__PART_NONE) return at.part;
    for (int l = 0; l < limb_count && at.joint == SNW__PART_ARM; l++) {
        snw__landmark other = snw__label_landmark(name[l]);
        if (other.part == SNW__PART_ARM && other.side == at.side && other.joint == SNW__PART_NONE)
            return SNW__PART_SHOULDER;
    }
    return SNW__PART_NONE;
}

/* Where all limbs are parts of one body, each once, they get the parts' names. `part` (limb_count).
 */
static void name_parts(snw__label *name, int limb_count)
{
    snw__label full[2 * SNW__PART_COUNT];
    if (limb_count > 2 * SNW__PART_COUNT) return;
    for (int l = 0; l < limb_count; l++) {
        snw__side side;
        snw__part part = numbered_part(name, limb_count, l, &side);
        if (part == SNW__PART_NONE) return;
        snw_format(full[l], sizeof full[l], "%s", snw__part_name(part, side));
        for (int k = 0; k < l; k++)
            if (strcmp(full[k], full[l]) == 0) return;
    }
    memcpy(name, full, (size_t)limb_count * sizeof *name);
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

/* "M001" .. "M092" and a few "*93": where one stem has nearly all markers, and more than a limb
 * carries, the numbers count markers. */
#define NAMES_LIMB_MAX 12

static bool is_counted_through(const int *limb_of, int marker_count, int numbered)
{
    for (int m = 0; m < marker_count; m++) {
        int size = 0;
        for (int k = 0; k < marker_count; k++)
            size += limb_of[m] >= 0 && limb_of[k] == limb_of[m];
        if (size > NAMES_LIMB_MAX && size > 0.75 * numbered) return true;
    }
    return false;
}

/* ---- landmarks ------------------------------------------------------------------------------ */

/* Do two actors wear the set? One landmark then has two prefixes. */
static bool has_several_actors(const snw_trial *trial, const snw__landmark *landmark)
{
    for (int a = 0; a < trial->marker_count; a++)
        for (int b = 0; b < a; b++) {
            const snw__landmark *one = landmark + a, *other = landmark + b;
            if (one->kind != SNW__LABEL_LANDMARK || other->kind != one->kind) continue;
            if (one->row != other->row || one->side != other->side) continue;
            const char *first = trial->marker[a].name, *second = trial->marker[b].name;
            if (strcmp(first + one->prefix, second + other->prefix) == 0 &&
                (one->prefix != other->prefix || memcmp(first, second, (size_t)one->prefix) != 0))
                return true;
        }
    return false;
}

/* "LeftLeg", in a crowd "Joe:LeftLeg". */
static void limb_name(const snw_marker *marker, const snw__landmark *at, bool is_crowd,
                      snw__label out)
{
    int prefix = is_crowd && at->prefix > 0 ? at->prefix - 1 : 0;
    snw_format(out, SNW_LABEL_SIZE, "%.*s%s%s", prefix, marker->name, prefix ? ":" : "",
               snw__part_name(at->part, at->side));
}

static int by_landmark(const snw_trial *trial, const snw__landmark *landmark, int *limb_of,
                       snw__label *name)
{
    int count = 0;
    bool is_crowd = has_several_actors(trial, landmark);
    for (int m = 0; m < trial->marker_count; m++) {
        snw__label full;
        limb_of[m] = -1;
        if (landmark[m].kind != SNW__LABEL_LANDMARK) continue;
        limb_name(trial->marker + m, landmark + m, is_crowd, full);
        limb_of[m] = find_or_add(name, &count, full, strlen(full));
    }
    return count;
}

/* ---- the choice ----------------------------------------------------------------------------- */

static double enough_of(const snw__landmark *landmark, int count)
{
    int asked = 0;
    for (int m = 0; m < count; m++)
        asked += landmark[m].kind == SNW__LABEL_LANDMARK || landmark[m].kind == SNW__LABEL_UNKNOWN;
    return NAMES_SHARE * asked;
}

int snw__limbs_by_names(const snw_trial *trial, const snw__landmark *landmark, int *limb_of,
                        snw__label *name)
{
    int numbered, known = understood(landmark, trial->marker_count);
    double enough = enough_of(landmark, trial->marker_count);
    int count = by_number(trial, limb_of, name, &numbered);
    /* At least two markers on an average limb, or the numbers mean something else. */
    bool is_numbered = count >= 2 && numbered >= NAMES_SHARE * trial->marker_count &&
                       numbered >= 2 * count &&
                       !is_counted_through(limb_of, trial->marker_count, numbered);
    if (is_numbered && numbered >= known) {
        name_parts(name, count);
        return count;
    }
    count = by_landmark(trial, landmark, limb_of, name);
    return count >= 2 && known >= enough ? count : 0;
}
