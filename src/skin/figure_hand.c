/* Hands whose fingers have joints of their own: read off the skeleton by its tree, and their flesh.
 * Half axes are those of a hand of 189 mm, [chosen] after breadths and depths of ANSUR (Gordon et
 * al. 1989: hand 90 mm broad, index finger 16 to 19) and by eye. */
#include <math.h>
#include <string.h>

#include <sinew/rig.h>

#include "person/anthropometry.h"
#include "skin/figure_shape.h"

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_finger(const snw_skeleton *skeleton, int joint, snw_side side)
{
    snw_side own;
    return joint >= 0 && snw_rig_part_of(skeleton, joint, &own) == SNW_PART_FINGER && own == side;
}

/* From a finger's first joint to its tip. */
static void read_finger(const snw_skeleton *skeleton, int joint, snw_side side,
                        snw__figure_finger *finger)
{
    int last = joint;
    for (; is_finger(skeleton, joint, side) && finger->count < SNW__FIGURE_FINGER_JOINTS;
         joint = skeleton->first_child[joint]) {
        finger->joint[finger->count++] = snw__figure_place(skeleton, joint);
        last = joint;
    }
    if (skeleton->has_tip[last] && finger->count < SNW__FIGURE_FINGER_JOINTS)
        finger->joint[finger->count++] = snw__figure_tip(skeleton, last);
}

static snw_vec3 way_of(const snw__figure_finger *finger)
{
    snw_vec3 way = snw_vec3_sub(finger->joint[finger->count - 1], finger->joint[0]);
    return snw_vec3_unit(way, snw_vec3_make(0, 0, 1));
}

/* The thumb, which points least where all point together, comes last. */
static void find_thumb(snw__figure_hand *hand)
{
    snw_vec3 sum = {0, 0, 0};
    int thumb = 0, last = hand->finger_count - 1;
    for (int n = 0; n <= last; n++)
        sum = snw_vec3_add(sum, way_of(hand->finger + n));
    for (int n = 1; n <= last; n++)
        if (snw_vec3_dot(way_of(hand->finger + n), sum) <
            snw_vec3_dot(way_of(hand->finger + thumb), sum))
            thumb = n;
    snw__figure_finger own = hand->finger[thumb];
    hand->finger[thumb] = hand->finger[last];
    hand->finger[last] = own;
}

/* The others from the thumb's side to the little finger. */
static void sort_fingers(snw__figure_hand *hand)
{
    snw_vec3 thumb = hand->finger[hand->finger_count - 1].joint[1];
    for (int n = 1; n + 1 < hand->finger_count; n++)
        for (int k = n; k > 0; k--) {
            snw__figure_finger *a = hand->finger + k - 1, *b = a + 1, own = *a;
            if (snw_vec3_distance(a->joint[1], thumb) <= snw_vec3_distance(b->joint[1], thumb))
                break;
            *a = *b;
            *b = own;
        }
}

/* The number of the joint from which a long finger stands free: skeletons may have its metacarpal.
 */
static int knuckle_of(const snw__figure_hand *hand, const snw__figure_finger *finger)
{
    return finger->count > 3 &&
           snw_vec3_distance(hand->wrist, finger->joint[0]) < 0.25 * hand->length;
}

/* Wrist to the farthest tip, all bones in a line. */
static void measure_hand(snw__figure_hand *hand, snw_side side)
{
    int thumb = hand->finger_count - 1;
    for (int n = 0; n < thumb; n++) {
        const snw__figure_finger *finger = hand->finger + n;
        double length = snw_vec3_distance(hand->wrist, finger->joint[0]);
        for (int k = 1; k < finger->count; k++)
            length += snw_vec3_distance(finger->joint[k - 1], finger->joint[k]);
        hand->length = fmax(hand->length, length);
    }
    snw_vec3 along = {0, 0, 0}, ends[2];
    for (int n = 0; n < thumb; n++) {
        const snw__figure_finger *finger = hand->finger + n;
        snw_vec3 knuckle = finger->joint[knuckle_of(hand, finger)];
        along = snw_vec3_add(along, snw_vec3_sub(knuckle, hand->wrist));
        ends[n > 0] = knuckle;
    }
    /* From the little finger's knuckle to the index's, turned against the fingers' way. */
    snw_vec3 back = snw_vec3_cross(along, snw_vec3_sub(ends[0], ends[1]));
    hand->along = snw_vec3_unit(along, snw_vec3_make(0, 0, 1));
    hand->back = snw_vec3_unit(side == SNW_SIDE_LEFT ? snw_vec3_neg(back) : back,
                               snw_vec3_perpendicular(hand->along));
}

bool snw__figure_hand_read(const snw_skeleton *skeleton, snw_side side, snw__figure_hand *hand)
{
    memset(hand, 0, sizeof *hand);
    int wrist = -1;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        if (!is_finger(skeleton, j, side) || is_finger(skeleton, parent, side)) continue;
        if (hand->finger_count == SNW__FIGURE_FINGERS || parent < 0) return false;
        snw__figure_finger *finger = hand->finger + hand->finger_count++;
        read_finger(skeleton, j, side, finger);
        if (finger->count < 3 || (wrist >= 0 && parent != wrist)) return false;
        wrist = parent;
    }
    if (hand->finger_count < SNW__FIGURE_FINGERS) return false;
    hand->wrist = snw__figure_place(skeleton, wrist);
    find_thumb(hand);
    sort_fingers(hand);
    measure_hand(hand, side);
    return hand->length > 0 && snw_vec3_length(hand->back) > 0;
}

/* ---- flesh ---------------------------------------------------------------------------------- */

/* at, half axes across the palm and from palm to back, shifts along them. */
static const snw__figure_profile hand_wrist = {
    3, {{0, 0.027, 0.020, 0, 0}, {0.6, 0.0275, 0.018, 0, 0}, {1, 0.029, 0.016, 0, 0}}};
static const snw__figure_profile hand_palm = {4,
                                              {{0, 0.011, 0.0140, 0, -0.001},
                                               {0.5, 0.0125, 0.0130, 0, -0.001},
                                               {0.78, 0.0118, 0.0125, 0, -0.001},
                                               {1, 0.0095, 0.0090, 0, -0.001}}};
static const snw__figure_profile hand_heel = {3,
                                              {{0.1, 0.011, 0.013, 0, -0.006},
                                               {0.45, 0.012, 0.014, 0, -0.007},
                                               {0.8, 0.010, 0.012, 0, -0.004}}};
static const snw__figure_profile hand_thenar = {3,
                                                {{0.05, 0.0150, 0.0160, 0, -0.003},
                                                 {0.45, 0.0160, 0.0165, 0, -0.003},
                                                 {1, 0.0118, 0.0118, 0, 0}}};
static const snw__figure_profile hand_bone = {
    3, {{0, 0.0088, 0.0088, 0, 0}, {0.5, 0.0086, 0.0085, 0, 0}, {1, 0.0082, 0.0081, 0, 0}}};
static const snw__figure_profile hand_end = {
    3, {{0, 0.0082, 0.0081, 0, 0}, {0.6, 0.0080, 0.0074, 0, 0}, {1, 0.0072, 0.0063, 0, 0}}};

typedef struct hand_maker {
    snw__figure_maker *maker;
    const snw__figure_hand *hand;
    double scale; /* of the profiles */
} hand_maker;

static void add_flesh(const hand_maker *own, const snw__figure_profile *profile, snw_vec3 from,
                      snw_vec3 to, double size)
{
    snw_vec3 across = snw_vec3_cross(snw_vec3_sub(to, from), own->hand->back);
    snw__figure_maker maker = *own->maker;
    maker.scale = own->scale * size;
    snw__figure_limb *limb =
        snw__figure_add_flesh(&maker, profile, SNW_PART_HAND, from, to, across, own->hand->back);
    limb->blend = 0.012 * own->scale;
}

/* From a knuckle on; `size`: how thick against an index finger. */
static void add_free(const hand_maker *own, int which, int first, double size)
{
    const snw__figure_finger *finger = own->hand->finger + which;
    for (int k = first; k + 1 < finger->count; k++) {
        snw_vec3 from = finger->joint[k], to = finger->joint[k + 1];
        bool is_end = k + 2 == finger->count;
        /* Round ends reach beyond the bone by their radius. */
        if (is_end) {
            double length = snw_vec3_distance(from, to), cap = 0.006 * size * own->scale;
            to = snw_vec3_lerp(from, to, fmax(length - cap, 0.5 * length) / length);
        }
        add_flesh(own, is_end ? &hand_end : &hand_bone, from, to, size);
        snw__figure_limb *limb = own->maker->shape->limb + own->maker->shape->limb_count - 1;
        limb->finger = which + 1;
        limb->blend = 0.004 * own->scale;
    }
}

static double from_line(snw_vec3 point, snw_vec3 from, snw_vec3 to)
{
    snw_vec3 way = snw_vec3_sub(to, from);
    double share =
        snw_vec3_dot(snw_vec3_sub(point, from), way) / fmax(snw_vec3_length2(way), 1e-12);
    return snw_vec3_distance(point, snw_vec3_add_scaled(from, snw_clamp(share, 0, 1), way));
}

/* How far a long finger, from the middle of its first free bone on, is from its neighbours' lines.
 */
static double way_to_neighbours(const snw__figure_hand *hand, int which)
{
    const snw__figure_finger *own = hand->finger + which;
    int knuckle = knuckle_of(hand, own);
    double least = INFINITY;
    for (int other = which - 1; other <= which + 1; other += 2) {
        if (other < 0 || other + 1 >= hand->finger_count) continue;
        const snw__figure_finger *next = hand->finger + other;
        for (int k = knuckle; k < own->count; k++) {
            snw_vec3 point = own->joint[k];
            if (k == knuckle) point = snw_vec3_lerp(point, own->joint[k + 1], 0.5);
            for (int n = knuckle_of(hand, next); n + 1 < next->count; n++)
                least = fmin(least, from_line(point, next->joint[n], next->joint[n + 1]));
        }
    }
    return least;
}

void snw__figure_hand_make(snw__figure_maker *maker, const snw__figure_hand *hand)
{
    static const double sizes[SNW__FIGURE_FINGERS] = {1, 1.03, 0.98, 0.87, 1.2};
    hand_maker own = {maker, hand, hand->length / (SNW__LENGTH_HAND * snw__figure_stature)};
    int thumb = hand->finger_count - 1;
    add_flesh(&own, &hand_wrist, snw_vec3_add_scaled(hand->wrist, -0.02 * own.scale, hand->along),
              snw_vec3_add_scaled(hand->wrist, 0.03 * own.scale, hand->along), 1);
    for (int n = 0; n < thumb; n++) {
        const snw__figure_finger *finger = hand->finger + n;
        int knuckle = knuckle_of(hand, finger);
        snw_vec3 top = finger->joint[knuckle];
        snw_vec3 base = knuckle ? finger->joint[0] : snw_vec3_lerp(hand->wrist, top, 0.15);
        /* The web between the fingers lies two fifths beyond the knuckles. */
        snw_vec3 web = snw_vec3_add_scaled(
            top, 0.4 * snw_vec3_distance(top, finger->joint[knuckle + 1]), way_of(finger));
        add_flesh(&own, &hand_palm, base, web, 1);
        if (n + 1 == thumb) add_flesh(&own, &hand_heel, base, top, 1);
        /* Fingers of thick hands do not touch, nor do those of a hand that rests closed: between
         * them is a tenth of the way from line to line. */
        double most = 0.45 * way_to_neighbours(hand, n);
        double thick = hand_bone.station[0].u * own.scale * maker->thick[SNW_PART_HAND];
        add_free(&own, n, knuckle, fmin(sizes[n], most / thick));
    }
    add_flesh(&own, &hand_thenar, hand->finger[thumb].joint[0], hand->finger[thumb].joint[1], 1);
    add_free(&own, thumb, 1, sizes[thumb]);
}
