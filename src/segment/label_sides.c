/* Are left and right labels of the trunk exchanged?
 *
 * Markers of one segment, LASI and RASI, keep their distances whichever is called left, and a
 * single marker on each shoulder has none to keep: what is left has to be asked of the whole body.
 * Feet point forward, a pelvis and a chest have fronts and backs, and none of these needs a side:
 * up x forward is left. A pair that points the other way, while the others do not, is exchanged. */
#include <math.h>
#include <string.h>

#include "base/notes.h"
#include "math/kernel.h"
#include "segment/label_correction.h"
#include "segment/segment_constants.h"

/* Mean of the markers of a kind that are seen in a frame. */
typedef struct sides_mean {
    snw_vec3 sum;
    int count;
} sides_mean;

enum {
    SIDES_PELVIS,
    SIDES_PELVIS_FRONT,
    SIDES_PELVIS_BACK,
    SIDES_CHEST,
    SIDES_CHEST_FRONT,
    SIDES_CHEST_BACK,
    SIDES_FOOT,
    SIDES_FOOT_FRONT,
    SIDES_FOOT_BACK,
    SIDES_COUNT
};

/* Where a landmark is on its part, whatever its side. */
static int place_of(const snw_label *at)
{
    switch (at->landmark) {
    case SNW__LANDMARK_ASI:
        return SIDES_PELVIS_FRONT;
    case SNW__LANDMARK_PSI:
    case SNW__LANDMARK_SACR:
        return SIDES_PELVIS_BACK;
    case SNW__LANDMARK_CLAV:
    case SNW__LANDMARK_STRN:
        return SIDES_CHEST_FRONT;
    case SNW__LANDMARK_C7:
    case SNW__LANDMARK_T4:
    case SNW__LANDMARK_T8:
    case SNW__LANDMARK_T9:
    case SNW__LANDMARK_T10:
        return SIDES_CHEST_BACK;
    case SNW__LANDMARK_TOE:
    case SNW__LANDMARK_HLX:
    case SNW__LANDMARK_FMH:
    case SNW__LANDMARK_MT5:
        return SIDES_FOOT_FRONT;
    case SNW__LANDMARK_HEE:
        return SIDES_FOOT_BACK;
    default:
        return -1;
    }
}

static int part_of(const snw_label *at)
{
    switch (at->part) {
    case SNW_PART_HIPS:
        return SIDES_PELVIS;
    case SNW_PART_CHEST:
    case SNW_PART_SHOULDER:
    case SNW_PART_HEAD:
        return SIDES_CHEST;
    case SNW_PART_FOOT:
        return SIDES_FOOT;
    default:
        return -1;
    }
}

static void add_to(sides_mean *mean, int which, snw_vec3 point)
{
    if (which < 0) return;
    mean[which].sum = snw_vec3_add(mean[which].sum, point);
    mean[which].count++;
}

/* From one mean to the other as a direction; zero where one is not seen. */
static snw_vec3 way(const sides_mean *mean, int from, int to)
{
    const snw_vec3 none = {0, 0, 0};
    if (!mean[from].count || !mean[to].count) return none;
    snw_vec3 a = snw_vec3_scale(mean[from].sum, 1.0 / mean[from].count);
    snw_vec3 b = snw_vec3_scale(mean[to].sum, 1.0 / mean[to].count);
    return snw_vec3_unit(snw_vec3_sub(b, a), none);
}

/* The body's left in a frame; false where its markers do not tell. */
static bool find_left(const snw__samples *samples, const snw_label *label, int frame, snw_vec3 *out)
{
    const uint8_t *seen = snw__samples_seen(samples, frame);
    const snw_vec3 *point = snw__samples_points(samples, frame);
    sides_mean mean[SIDES_COUNT];
    memset(mean, 0, sizeof mean);
    for (int m = 0; m < samples->marker_count; m++) {
        if (!seen[m] || label[m].kind != SNW_LABEL_LANDMARK) continue;
        add_to(mean, place_of(label + m), point[m]);
        add_to(mean, part_of(label + m), point[m]);
    }
    snw_vec3 up = snw_vec3_add(way(mean, SIDES_PELVIS, SIDES_CHEST),
                               mean[SIDES_CHEST].count ? snw_vec3_make(0, 0, 0)
                                                       : way(mean, SIDES_FOOT, SIDES_PELVIS));
    snw_vec3 forward = snw_vec3_add(way(mean, SIDES_PELVIS_BACK, SIDES_PELVIS_FRONT),
                                    snw_vec3_add(way(mean, SIDES_CHEST_BACK, SIDES_CHEST_FRONT),
                                                 way(mean, SIDES_FOOT_BACK, SIDES_FOOT_FRONT)));
    snw_vec3 left = snw_vec3_cross(up, forward);
    *out = snw_vec3_unit(left, left);
    /* The cosine of 60 degrees: a pair of the trunk points to a side within it, or says nothing;
     * and the sine between up and forward below which there is no left. */
    return snw_vec3_length(left) > SNW__COS_60;
}

/* The mean cosine between the way from marker b to a, and left; 0 where nothing tells. */
static double pointing(const snw__samples *samples, const snw_label *label, int a, int b)
{
    const snw_vec3 none = {0, 0, 0};
    double sum = 0;
    int count = 0, stride = 1 + samples->frame_count / CORRECTION_FRAMES;
    for (int frame = 0; frame < samples->frame_count; frame += stride) {
        snw_vec3 left;
        const uint8_t *seen = snw__samples_seen(samples, frame);
        const snw_vec3 *point = snw__samples_points(samples, frame);
        if (!seen[a] || !seen[b] || !find_left(samples, label, frame, &left)) continue;
        /* Side by side on one plate they say nothing. */
        snw_vec3 apart = snw_vec3_sub(point[a], point[b]);
        if (snw_vec3_length(apart) > CORRECTION_FIT_MAX)
            sum += snw_vec3_dot(snw_vec3_unit(apart, none), left);
        count++;
    }
    return count ? sum / count : 0;
}

static bool is_of_trunk(const snw_label *at)
{
    return at->part == SNW_PART_HIPS || at->part == SNW_PART_CHEST ||
           at->part == SNW_PART_SHOULDER || at->part == SNW_PART_HEAD;
}

/* The left marker of a pair and its mirror image; false: the marker is no left one of a pair. */
static bool find_pair(const snw_label *label, int count, int left, int *right)
{
    if (label[left].kind != SNW_LABEL_LANDMARK || label[left].side != SNW_SIDE_LEFT) return false;
    *right = snw_labels_find_mirror(label, count, left);
    return *right >= 0;
}

/* What the arms and the legs say, as one voice each: all labels of a limb may be exchanged. */
static int count_limbs(const snw__samples *samples, const snw_label *label)
{
    int voices = 0;
    for (int is_leg = 0; is_leg < 2; is_leg++) {
        double sum = 0;
        int pairs = 0, right;
        for (int m = 0; m < samples->marker_count; m++) {
            snw_part part = label[m].part;
            bool is_of_leg = part == SNW_PART_UPLEG || part == SNW_PART_LEG;
            bool is_of_arm = part == SNW_PART_ARM || part == SNW_PART_FOREARM;
            if (!(is_leg ? is_of_leg : is_of_arm)) continue;
            if (!find_pair(label, samples->marker_count, m, &right)) continue;
            sum += pointing(samples, label, m, right);
            pairs++;
        }
        if (pairs && fabs(sum) > SNW__COS_60 * pairs) voices += sum > 0 ? 1 : -1;
    }
    return voices;
}

int snw__labels_check_sides(const snw__samples *samples, const snw_trial *trial,
                            snw__named_segments *names, snw_notes *notes)
{
    snw_label *label = names->landmark;
    int right, wrong = 0, agree = 0, count = samples->marker_count;
    /* Several people: whose left would it be? */
    for (int m = 0; m < trial->marker_count; m++)
        if (snw_labels_find_mirror(label, trial->marker_count, m) !=
            snw__labels_find_own_mirror(trial, label, m))
            return 0;
    for (int m = 0; m < count; m++) {
        if (!is_of_trunk(label + m) || !find_pair(label, count, m, &right)) continue;
        double cosine = pointing(samples, label, m, right);
        names->guess[m] = cosine < -SNW__COS_60;
        wrong += cosine < -SNW__COS_60;
        agree += cosine > SNW__COS_60;
    }
    /* A body that is inside out all over is told, not turned. */
    if (wrong == 0 || agree + count_limbs(samples, label) < wrong) return 0;
    for (int m = 0; m < count; m++) {
        if (!is_of_trunk(label + m) || !find_pair(label, count, m, &right)) continue;
        if (!names->guess[m]) continue;
        int segment = names->segment_of[m];
        snw_side side = names->landmark[m].side;
        names->segment_of[m] = names->segment_of[right];
        names->segment_of[right] = segment;
        names->landmark[m].side = names->landmark[right].side;
        names->landmark[right].side = side;
        names->guess[m] = names->guess[right] = 0;
        snw__note(notes, SNW_NOTE_LABELS_EXCHANGED, snw__at_name(m, trial->marker[m].name),
                  "%s and %s look exchanged: feet, pelvis and chest have left on the other side; "
                  "they were exchanged back",
                  trial->marker[m].name, trial->marker[right].name);
    }
    return 2 * wrong;
}
