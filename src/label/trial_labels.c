/* What all labels of a trial say together.
 *
 * A label is read by itself first (label_grammar.c). The others then tell what it leaves open: a
 * prefix that all have, points that are the axes of a bone, a description where four characters
 * were not enough, and how few markers a part has: a finger with one marker is part of its hand. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"
#include "label/label_grammar.h"
#include "math/kernel.h"
#include "person/movement.h"
#include "trial/trial_memory.h"

/* Markers that a finger and its hand need each, for the finger to be a segment of its own. */
#define NAMES_FINGER_MIN 2

static int understood(const snw_label *landmark, int count)
{
    int sum = 0;
    for (int m = 0; m < count; m++)
        sum += landmark[m].kind == SNW_LABEL_LANDMARK;
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
static void drop_common_prefix(const snw_trial *trial, snw_label *out)
{
    int count = trial->marker_count, sum = 0;
    size_t length = count > 1 ? common_prefix(trial) : 0;
    if (length == 0) return;
    for (int m = 0; m < count; m++) {
        const char *bare = snw__bare_label(trial->marker[m].name);
        sum += snw_label_read(bare + length).kind == SNW_LABEL_LANDMARK;
    }
    if (sum <= understood(out, count)) return;
    for (int m = 0; m < count; m++) {
        const char *label = trial->marker[m].name, *bare = snw__bare_label(label);
        out[m] = snw_label_read(bare + length);
        out[m].prefix += (int)((size_t)(bare - label) + length);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The markers' names. A file may have tens of thousands: each is looked up once or twice. */
typedef struct label_names {
    int marker_count;
    snw__name_set set;
    bool *is_shared; /* (marker_count) another marker has the same */
    snw__block block;
} label_names;

static void lay_out_names(void *object, snw__block *block)
{
    label_names *names = object;
    names->is_shared = snw__block_take(block, (size_t)names->marker_count, sizeof(bool));
}

/* Models write the axes of each bone as four points: origin, anterior, lateral, proximal ("LFEO",
 * "LFEA", "LFEL", "LFEP"). */
static bool is_bone_axis(const label_names *names, const char *label)
{
    static const char ends[] = "OALP";
    size_t last = strlen(label);
    snw__label_name other;
    if (last < 4 || last >= sizeof other || !strchr(ends, label[--last])) return false;
    for (const char *end = ends; *end; end++) {
        memcpy(other, label, last);
        other[last] = *end;
        if (snw__name_set_find(&names->set, other, last + 1) < 0) return false;
    }
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Markers on each part, by side. */
typedef struct label_counts {
    int on[SNW_PART_COUNT][SNW_SIDES + 1];
} label_counts;

/* On any side where it is NONE. */
static int count_on(const label_counts *counts, snw_part part, snw_side side)
{
    const int *on = counts->on[part];
    return side != SNW_SIDE_NONE ? on[side]
                                 : on[SNW_SIDE_NONE] + on[SNW_SIDE_LEFT] + on[SNW_SIDE_RIGHT];
}

static void put_on(snw_label *at, snw_part part, label_counts *counts)
{
    bool counts_it = at->kind == SNW_LABEL_LANDMARK;
    counts->on[at->part][at->side] -= counts_it;
    counts->on[part][at->side] += counts_it;
    at->part = part;
}

static bool is_poor_shoulder(const snw_label *landmark, int count, const label_counts *counts,
                             snw_side side)
{
    bool has_acromion = false;
    for (int m = 0; m < count; m++)
        has_acromion |= landmark[m].kind == SNW_LABEL_LANDMARK && landmark[m].side == side &&
                        landmark[m].part == SNW_PART_SHOULDER && landmark[m].joint == SNW_PART_ARM;
    if (count_on(counts, SNW_PART_SHOULDER, side) >= SNW__FRAME_POINTS) return false;
    /* A shoulder is a segment of its own with a marker on the acromion or as many as these, where
     * the chest keeps as many without it and an arm hangs from it; else it counts to the chest. */
    return !has_acromion || count_on(counts, SNW_PART_ARM, side) == 0 ||
           count_on(counts, SNW_PART_CHEST, SNW_SIDE_NONE) < SNW__FRAME_POINTS;
}

static snw_label *find_spot(snw_label *landmark, int count, snw_side side, snw_spot spot)
{
    for (int m = 0; m < count; m++)
        if (landmark[m].kind == SNW_LABEL_LANDMARK && landmark[m].joint == SNW_PART_ARM &&
            landmark[m].side == side && landmark[m].spot == spot)
            return landmark + m;
    return NULL;
}

/* Where a model gives the centre of the shoulder ("LUAR" of ART), its point "LSHO" is no acromion:
 * it is the inner end of the collar bone, 23 mm beside the spine, and the centre the outer one. */
static void settle_collar(snw_label *out, int count, snw_side side)
{
    snw_label *outer = find_spot(out, count, side, SNW_SPOT_CENTER);
    snw_label *inner = find_spot(out, count, side, SNW_SPOT_NEAR);
    if (!outer || !inner) return;
    outer->part = SNW_PART_SHOULDER;
    inner->part = SNW_PART_CHEST;
    inner->joint = SNW_PART_SHOULDER;
    inner->spot = SNW_SPOT_CENTER;
}

/* ---- joints that are points ------------------------------------------------------------------ */

/* Programs that see people without markers (OpenPose, COCO, HALPE, MediaPipe, Kinect, Xsens) name
 * their points as marker sets name markers on the skin: RKnee. What such a word is there; and words
 * of segments, whose origins programs write as points (Theia, Xsens): theirs is the joint where the
 * segment begins. */
static const struct {
    snw__landmark joint_word, segment_word[2];
    snw_part part, joint;
} joint_words[] = {
    {SNW__LANDMARK_HIP, {SNW__LANDMARK_THI, SNW__LANDMARK_TH}, SNW_PART_HIPS, SNW_PART_UPLEG},
    {SNW__LANDMARK_KNE, {SNW__LANDMARK_TIB, SNW__LANDMARK_LEG}, SNW_PART_UPLEG, SNW_PART_LEG},
    {SNW__LANDMARK_ANK, {SNW__LANDMARK_FOOT, SNW__LANDMARK_FOOT}, SNW_PART_LEG, SNW_PART_FOOT},
    {SNW__LANDMARK_SHO, {SNW__LANDMARK_UPA, SNW__LANDMARK_ARM}, SNW_PART_CHEST, SNW_PART_ARM},
    {SNW__LANDMARK_ELB, {SNW__LANDMARK_FRM, SNW__LANDMARK_FRM}, SNW_PART_ARM, SNW_PART_FOREARM},
    {SNW__LANDMARK_WRI, {SNW__LANDMARK_FIN, SNW__LANDMARK_FIN}, SNW_PART_FOREARM, SNW_PART_HAND},
    {SNW__LANDMARK_NECK, {SNW__LANDMARK_NECK, SNW__LANDMARK_NECK}, SNW_PART_CHEST, SNW_PART_HEAD}};
#define JOINT_WORDS ((int)(sizeof joint_words / sizeof *joint_words))
/* The first of them come twice; both of both sides of the first three, or of hips and arms, make a
 * capture of joints. */
enum {
    JOINT_WORDS_LEG = 3,
    JOINT_WORDS_LIMB = 6,
};

static int find_joint_word(const snw_label *at, bool by_segment)
{
    for (int n = 0; n < JOINT_WORDS && at->kind == SNW_LABEL_LANDMARK; n++)
        if (by_segment ? at->landmark == (int)joint_words[n].segment_word[0] ||
                             at->landmark == (int)joint_words[n].segment_word[1]
                       : at->landmark == (int)joint_words[n].joint_word)
            return n;
    return -1;
}

/* A place on the skin of trunk or limbs, where no program without markers has a point. */
static bool is_on_skin(const snw_label *at, bool by_segment)
{
    bool is_inside = at->part == SNW_PART_HIPS || at->part == SNW_PART_CHEST ||
                     at->part == SNW_PART_SHOULDER || at->part == SNW_PART_ARM ||
                     at->part == SNW_PART_FOREARM || at->part == SNW_PART_UPLEG ||
                     at->part == SNW_PART_LEG;
    if (at->kind != SNW_LABEL_LANDMARK || !is_inside || find_joint_word(at, by_segment) >= 0)
        return false;
    switch (at->landmark) {
    case SNW__LANDMARK_MIDHIP:
    case SNW__LANDMARK_HIPS:
    case SNW__LANDMARK_PELVIS:
    case SNW__LANDMARK_CHEST:
    case SNW__LANDMARK_CLAV:
    case SNW__LANDMARK_SPINE:
        return false;
    case SNW__LANDMARK_SHO: /* the collar bone's origin, where the upper arm has its own */
    case SNW__LANDMARK_T8:  /* a segment of Xsens */
        return !by_segment;
    default:
        return true;
    }
}

/* One point for every joint of both legs, or of both arms and the hips, and none on the skin. Words
 * of segments mean joints only where all limbs have theirs to the toes: one tracker on each of some
 * segments is no joint. */
static bool are_joint_words(const snw_label *label, int count, bool by_segment)
{
    int found[JOINT_WORDS][SNW_SIDES + 1] = {{0}};
    int toes[SNW_SIDES + 1] = {0};
    for (int m = 0; m < count; m++) {
        int word = find_joint_word(label + m, by_segment);
        if (is_on_skin(label + m, by_segment)) return false;
        if (word >= 0 && found[word][label[m].side]++) return false;
        toes[label[m].side] +=
            label[m].kind == SNW_LABEL_LANDMARK && label[m].landmark == SNW__LANDMARK_TOE;
    }
    int legs = 0, arms = 0;
    for (int word = 0; word < JOINT_WORDS_LIMB; word++) {
        bool is_pair = found[word][SNW_SIDE_LEFT] && found[word][SNW_SIDE_RIGHT];
        legs += is_pair && word < JOINT_WORDS_LEG;
        arms += is_pair && (word == 0 || word >= JOINT_WORDS_LEG);
    }
    bool has_legs = legs == JOINT_WORDS_LEG;
    bool has_arms = arms == JOINT_WORDS_LIMB - JOINT_WORDS_LEG + 1;
    bool has_toes = toes[SNW_SIDE_LEFT] == 1 && toes[SNW_SIDE_RIGHT] == 1;
    return by_segment ? has_legs && has_arms && has_toes : has_legs || has_arms;
}

/* One of several points of a finger, which bends between them. */
static bool is_finger_joint(const snw_label *label, int count, int marker)
{
    const snw_label *at = label + marker;
    if (at->kind != SNW_LABEL_LANDMARK || snw_part_parent(at->part) != SNW_PART_HAND) return false;
    for (int m = 0; m < count; m++)
        if (m != marker && label[m].part == at->part && label[m].side == at->side) return true;
    return false;
}

/* Whole words alone: "RKNE" of a capture is a marker even where nothing else is. */
static bool settle_joints(snw_label *out, int count)
{
    bool by_segment = !are_joint_words(out, count, false);
    if (by_segment && !are_joint_words(out, count, true)) return false;
    for (int m = 0; m < count; m++) {
        int word = find_joint_word(out + m, by_segment);
        /* The same program saw faces and the joints of fingers: they are no markers of the body. */
        if (out[m].kind == SNW_LABEL_UNKNOWN || is_finger_joint(out, count, m))
            out[m].kind = SNW_LABEL_DERIVED;
        if (out[m].kind != SNW_LABEL_LANDMARK) continue;
        out[m].point = SNW_POINT_JOINT;
        out[m].gait = SNW_GAIT_MARKER_NONE;
        if (word < 0 && out[m].landmark != SNW__LANDMARK_SHO) continue;
        out[m].part = word < 0 ? SNW_PART_CHEST : joint_words[word].part;
        out[m].joint = word < 0 ? SNW_PART_NONE : joint_words[word].joint;
        out[m].spot = word < 0 ? SNW_SPOT_BODY : SNW_SPOT_CENTER;
    }
    return true;
}

bool snw__labels_are_joints(const snw_label *label, int count)
{
    int hips = 0;
    for (int m = 0; m < count; m++) {
        if (label[m].kind != SNW_LABEL_LANDMARK) continue;
        if (label[m].point != SNW_POINT_JOINT) return false;
        hips += label[m].part == SNW_PART_HIPS && label[m].joint == SNW_PART_UPLEG;
    }
    return hips == 2;
}

/* Few markers change what a word means. */
static void settle_parts(snw_label *out, int count)
{
    bool is_poor[3] = {true, true, true};
    if (settle_joints(out, count)) return;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++)
        settle_collar(out, count, (snw_side)side);
    label_counts counts;
    memset(&counts, 0, sizeof counts);
    for (int m = 0; m < count; m++)
        if (out[m].kind == SNW_LABEL_LANDMARK) counts.on[out[m].part][out[m].side]++;
    /* Pelvis markers without which "hip" means the pelvis, not the upper thigh. */
    bool has_pelvis = count_on(&counts, SNW_PART_HIPS, SNW_SIDE_NONE) >= SNW__FRAME_POINTS;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++)
        is_poor[side] = is_poor_shoulder(out, count, &counts, (snw_side)side);
    for (int m = 0; m < count; m++) {
        snw_label *at = out + m;
        /* A marker on the neck moves with chest or head, one on the spine with chest or pelvis: the
         * motion tells. */
        if (at->landmark == SNW__LANDMARK_NECK || at->landmark == SNW__LANDMARK_SPINE)
            at->kind = SNW_LABEL_UNKNOWN;
        if (at->part == SNW_PART_SHOULDER && is_poor[at->side]) put_on(at, SNW_PART_CHEST, &counts);
        if (at->landmark == SNW__LANDMARK_HIP && at->part == SNW_PART_UPLEG && !has_pelvis)
            put_on(at, SNW_PART_HIPS, &counts);
        /* A finger with too few markers, or on a hand with too few. */
        if (snw_part_parent(at->part) == SNW_PART_HAND &&
            (count_on(&counts, at->part, at->side) < NAMES_FINGER_MIN ||
             count_on(&counts, SNW_PART_HAND, at->side) < NAMES_FINGER_MIN))
            put_on(at, SNW_PART_HAND, &counts);
    }
}

snw_status snw__labels_of_trial(const snw_trial *trial, const snw_allocator *allocator,
                                snw_label *out, snw_error *error)
{
    label_names names;
    memset(&names, 0, sizeof names);
    names.marker_count = trial->marker_count;
    snw_status status = snw__name_set_create(&names.set, trial->marker_count, allocator, error);
    if (status == SNW_OK)
        status = snw__block_create(&names.block, lay_out_names, &names, allocator, "labels", error);
    for (int m = 0; m < trial->marker_count && status == SNW_OK; m++) {
        const char *name = trial->marker[m].name;
        int earlier = snw__name_set_add(&names.set, name, strlen(name), m);
        if (earlier >= 0) names.is_shared[earlier] = names.is_shared[m] = true;
    }
    if (status == SNW_OK) {
        for (int m = 0; m < trial->marker_count; m++)
            out[m] = snw_label_read(trial->marker[m].name);
        drop_common_prefix(trial, out);
        /* Old files keep four characters of a label: RKNE and RKNE are "R.Knee" and "R.Knee.Medial"
         * in their descriptions. */
        for (int m = 0; m < trial->marker_count; m++) {
            const char *text = trial->marker[m].description;
            bool is_known = out[m].kind == SNW_LABEL_LANDMARK || out[m].kind == SNW_LABEL_DERIVED;
            if (!text || !*text || (is_known && !names.is_shared[m])) continue;
            snw_label told = snw_label_read(text);
            if (told.kind != SNW_LABEL_LANDMARK && told.kind != SNW_LABEL_DERIVED) continue;
            told.prefix = out[m].prefix;
            out[m] = told;
        }
        for (int m = 0; m < trial->marker_count; m++) {
            if (!is_bone_axis(&names, trial->marker[m].name)) continue;
            memset(out + m, 0, sizeof *out);
            out[m].kind = SNW_LABEL_DERIVED;
            out[m].landmark = SNW__LANDMARK_NONE;
            out[m].gait = SNW_GAIT_MARKER_NONE;
            out[m].point = SNW_POINT_JOINT;
        }
        settle_parts(out, trial->marker_count);
    }
    snw__name_set_release(&names.set);
    snw__block_release(allocator, &names.block);
    return status;
}

static void lay_out(void *object, snw__block *block)
{
    snw_labels *labels = object;
    snw__block_take(block, 1, sizeof *labels);
    labels->marker = snw__block_take(block, (size_t)labels->marker_count, sizeof *labels->marker);
}

snw_status snw_labels_read(const snw_trial *trial, const snw_allocator *allocator, snw_labels **out,
                           snw_error *error)
{
    *out = NULL;
    snw_labels sketch = {.marker_count = trial->marker_count,
                         .allocator = snw__allocator_or_default(allocator)};
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &sketch, &sketch.allocator, "labels", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    snw_labels *labels = (void *)block.base;
    *labels = sketch;
    status = snw__labels_of_trial(trial, &labels->allocator, labels->marker, error);
    if (status != SNW_OK) {
        snw_labels_destroy(labels);
        return status;
    }
    *out = labels;
    return snw__succeed(error);
}

/* ---- kinds of points ------------------------------------------------------------------------- */

typedef struct kind_work {
    const snw_trial *trial;
    snw_point_kind *listed; /* (marker_count) by the file's lists */
    snw_label *label;       /* (marker_count) */
} kind_work;

static void lay_out_kinds(void *object, snw__block *block)
{
    kind_work *work = object;
    size_t markers = (size_t)work->trial->marker_count;
    work->listed = snw__block_take(block, markers, sizeof *work->listed);
    work->label = snw__block_take(block, markers, sizeof *work->label);
}

/* The lists know better than the labels. A landmark that is a joint's centre in one set is a marker
 * in another: its capture follows it. */
static snw_point_kind kind_of(const kind_work *work, int marker)
{
    snw_point_kind listed = work->listed[marker];
    const snw_label *label = work->label + marker;
    bool is_told = listed == SNW_POINT_MARKER && label->kind == SNW_LABEL_DERIVED;
    return is_told ? label->point : listed;
}

snw_status snw__told_kinds(const snw_trial *trial, snw__told_kind *out, snw_error *error)
{
    kind_work work = {.trial = trial};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_kinds, &work, &trial->allocator,
                                          "kinds of points", error);
    if (status != SNW_OK) return status;
    status = snw__trial_listed_kinds(trial, work.listed, error);
    if (status == SNW_OK)
        status = snw__labels_of_trial(trial, &trial->allocator, work.label, error);
    if (status == SNW_OK) {
        /* A capture that holds next to nothing but joint centres, as markerless systems write them,
         * has them for its markers, unless its own lists say otherwise. */
        int count = 0;
        for (int m = 0; m < work.trial->marker_count; m++)
            count += kind_of(&work, m) == SNW_POINT_MARKER &&
                     !snw_trial_gaps(work.trial, m).is_never_seen;
        bool centers_count = count >= SNW__MARKERS_MIN;
        for (int m = 0; m < work.trial->marker_count; m++) {
            snw_point_kind kind = kind_of(&work, m);
            bool is_named_center = kind == SNW_POINT_JOINT && work.listed[m] == SNW_POINT_MARKER;
            if (is_named_center && !centers_count) kind = SNW_POINT_MARKER;
            bool is_vector = kind == SNW_POINT_FORCE || kind == SNW_POINT_MOMENT;
            out[m] = (snw__told_kind){kind, is_vector && work.label[m].is_in_lab_axes};
        }
    }
    snw__block_release(&trial->allocator, &block);
    return status;
}

snw_status snw_trial_find_kinds(snw_trial *trial, snw_error *error)
{
    size_t size = snw__size_mul((size_t)trial->marker_count, sizeof(snw__told_kind));
    snw__told_kind *told = snw__allocate(&trial->allocator, size);
    if (!told) return snw__fail_memory(error, size, "kinds of points");
    snw_status status = snw__told_kinds(trial, told, error);
    for (int m = 0; m < trial->marker_count && status == SNW_OK; m++) {
        trial->marker[m].kind = told[m].kind;
        trial->marker[m].is_in_lab_axes = told[m].is_in_lab_axes;
    }
    snw__release(&trial->allocator, told, size);
    return status == SNW_OK ? snw__succeed(error) : status;
}

void snw_labels_destroy(snw_labels *labels)
{
    if (!labels) return;
    snw_allocator allocator = labels->allocator;
    snw__release(&allocator, labels, labels->block_size);
}

static bool is_mirror(const snw_label *one, const snw_label *other)
{
    return other->kind == one->kind && other->landmark == one->landmark &&
           other->spot == one->spot && one->side != SNW_SIDE_NONE && other->side != SNW_SIDE_NONE &&
           other->side != one->side;
}

int snw_labels_find_mirror(const snw_label *landmark, int marker_count, int marker)
{
    for (int m = 0; m < marker_count; m++)
        if (is_mirror(landmark + marker, landmark + m)) return m;
    return -1;
}

int snw__labels_find_own_mirror(const snw_trial *trial, const snw_label *label, int marker)
{
    const char *name = trial->marker[marker].name;
    size_t prefix = (size_t)label[marker].prefix;
    for (int m = 0; m < trial->marker_count; m++)
        if (is_mirror(label + marker, label + m) && (size_t)label[m].prefix == prefix &&
            strncmp(trial->marker[m].name, name, prefix) == 0)
            return m;
    return -1;
}
