/* Angles that fit the model to a person: what a static trial tells, and what a walk tells where
 * there is none.
 *
 *     thigh rotation    from the knee's axis: the knee alignment device (KAX, KD1, KD2) or a marker
 *                       on the medial condyle
 *     shank rotation    from the ankle's axis: a marker on the medial malleolus; without one the
 *                       ankle's axis is taken as parallel to the knee's, where that is known
 *     tibial torsion,   between the two axes; zero without a medial malleolus
 *     ankle abduction
 *     foot offsets      between toe - ankle and toe - heel; "flat": the heel counts at the height
 * of the toe
 *
 * The foot's offsets can be had without a static trial: in the middle of stance the sole is on the
 * floor, so the frames in which toe and ankle are low and still serve as one. */
#include <math.h>
#include <string.h>

#include "subject/gait.h"
#include "subject/subject_constants.h"

typedef enum static_angle {
    STATIC_THIGH,
    STATIC_SHANK,
    STATIC_TORSION,
    STATIC_ABDUCTION,
    STATIC_PLANTAR,
    STATIC_ROTATION,
    STATIC_ANGLES
} static_angle;

static const snw_subject_parameter static_parameter[STATIC_ANGLES] = {
    SNW_SUBJECT_THIGH_ROTATION,  SNW_SUBJECT_SHANK_ROTATION,         SNW_SUBJECT_TIBIAL_TORSION,
    SNW_SUBJECT_ANKLE_ABDUCTION, SNW_SUBJECT_STATIC_PLANTAR_FLEXION, SNW_SUBJECT_STATIC_ROTATION};

typedef struct static_sums {
    double sum[STATIC_ANGLES];
    int count[STATIC_ANGLES];
} static_sums;

static void add_angle(static_sums *sums, static_angle angle, double value)
{
    sums->sum[angle] += value;
    sums->count[angle]++;
}

static void take_means(const static_sums *sums, int side, snw_subject_source source,
                       snw_subject *subject)
{
    for (int a = 0; a < STATIC_ANGLES; a++)
        if (sums->count[a])
            snw__subject_take(subject, static_parameter[a], side, sums->sum[a] / sums->count[a],
                              source);
}

/* One leg in one frame of a static trial. */
typedef struct static_leg {
    const snw_gait_model *model;
    const snw_frame *frame;
    const snw_gait_pose *pose;
    int side;
    double outward;
    snw_vec3 knee, knee_outer; /* centre, and the point that its axis goes through */
    bool is_axis_known;        /* of the knee */
    snw_vec3 ankle;
    snw_quat shank; /* proximal: y as the knee's axis */
} static_leg;

static double joint_radius(const snw_gait_model *model, snw_subject_parameter width, int side)
{
    return 0.5 * (snw__subject(&model->subject, width, side) +
                  snw__subject(&model->subject, SNW_SUBJECT_MARKER_DIAMETER, 0));
}

/* The device is the corner of a cube with its markers at the ends of three edges: the corner lies
 * 1/sqrt(6) of the markers' distance below their plane, on the side of the body's middle. */
static bool alignment_corner(const static_leg *leg, snw_vec3 *corner, snw_vec3 *axis_marker)
{
    snw_vec3 a, b, c;
    if (!snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_KAX, leg->side, &a) ||
        !snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_KD1, leg->side, &b) ||
        !snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_KD2, leg->side, &c))
        return false;
    double edge = (snw_vec3_distance(a, b) + snw_vec3_distance(b, c) + snw_vec3_distance(c, a)) / 3;
    snw_vec3 middle = snw_vec3_scale(snw_vec3_add(a, snw_vec3_add(b, c)), 1.0 / 3.0);
    snw_vec3 normal = snw_vec3_cross(snw_vec3_sub(b, a), snw_vec3_sub(c, a));
    normal = snw_vec3_unit(normal, snw_vec3_make(0, 0, 0));
    snw_vec3 left = snw_quat_rotate(leg->pose->world_from_segment[SNW_SEGMENT_PELVIS][0].rotation,
                                    snw_vec3_make(0, 1, 0));
    if (leg->outward * snw_vec3_dot(normal, left) > 0) normal = snw_vec3_neg(normal);
    *corner = snw_vec3_add_scaled(middle, edge / sqrt(6.0), normal);
    *axis_marker = a;
    return snw_vec3_length2(normal) > 0.5;
}

/* A point `radius` from `from` on the way to `to`. */
static snw_vec3 along(snw_vec3 from, snw_vec3 to, double radius)
{
    return snw_vec3_add_scaled(from, radius, snw_vec3_unit(snw_vec3_sub(to, from), from));
}

static bool static_knee(static_leg *leg, static_sums *sums)
{
    snw_vec3 hip = leg->pose->center[SNW_GAIT_CENTER_HIP][leg->side], inner, wand;
    double radius = joint_radius(leg->model, SNW_SUBJECT_KNEE_WIDTH, leg->side);
    bool has_marker =
        snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_KNE, leg->side, &leg->knee_outer);
    snw_chord chord = {hip, hip, hip, radius, 0};
    if (!leg->pose->has_center[SNW_GAIT_CENTER_HIP][leg->side]) return false;
    if (alignment_corner(leg, &chord.marker, &chord.wand) && snw_chord_center(&chord, &leg->knee)) {
        leg->knee_outer = chord.marker;
        leg->is_axis_known = true;
    } else if (has_marker &&
               snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_KNM, leg->side, &inner)) {
        leg->knee = along(leg->knee_outer, inner, radius);
        leg->is_axis_known = true;
    } else {
        leg->knee = leg->pose->center[SNW_GAIT_CENTER_KNEE][leg->side];
        return leg->pose->has_center[SNW_GAIT_CENTER_KNEE][leg->side];
    }
    if (snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_THI, leg->side, &wand)) {
        snw_vec3 axis = snw_vec3_unit(snw_vec3_sub(hip, leg->knee), snw_vec3_make(0, 0, 1));
        double angle = snw__angle_about(axis, snw_vec3_sub(wand, leg->knee),
                                        snw_vec3_sub(leg->knee_outer, leg->knee));
        add_angle(sums, STATIC_THIGH, -leg->outward * angle);
    }
    return true;
}

/* Ankle without one, below a knee whose axis is known: the axes are parallel. */
static bool parallel_ankle(static_leg *leg, snw_vec3 marker, double radius, static_sums *sums)
{
    snw_vec3 wand;
    snw_vec3 outside = snw_vec3_add(marker, snw_vec3_sub(leg->knee_outer, leg->knee));
    snw_chord chord = {leg->knee, marker, outside, radius, 0};
    if (!snw_chord_center(&chord, &leg->ankle)) return false;
    if (snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_TIB, leg->side, &wand)) {
        snw_vec3 axis = snw_vec3_unit(snw_vec3_sub(leg->knee, leg->ankle), marker);
        double angle = snw__angle_about(axis, snw_vec3_sub(wand, leg->ankle),
                                        snw_vec3_sub(marker, leg->ankle));
        add_angle(sums, STATIC_SHANK, -leg->outward * angle);
    }
    return true;
}

static bool static_ankle(static_leg *leg, static_sums *sums)
{
    snw_vec3 marker, inner;
    double radius = joint_radius(leg->model, SNW_SUBJECT_ANKLE_WIDTH, leg->side);
    if (!snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_ANK, leg->side, &marker))
        return false;
    bool has_inner =
        snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_MED, leg->side, &inner);
    if (has_inner) {
        /* Ankle with a medial malleolus: rotation of the wand, abduction, torsion. */
        snw_vec3 square, wand;
        leg->ankle = along(marker, inner, radius);
        snw_vec3 outside = snw_vec3_add(marker, snw_vec3_sub(marker, leg->ankle));
        snw_chord chord = {leg->knee, marker, outside, radius, 0};
        if (snw_chord_center(&chord, &square)) {
            snw_vec3 normal =
                snw_vec3_cross(snw_vec3_sub(leg->knee, square), snw_vec3_sub(marker, square));
            normal = snw_vec3_unit(normal, snw_vec3_make(1, 0, 0));
            double turn = snw__angle_about(normal, snw_vec3_sub(square, marker),
                                           snw_vec3_sub(leg->ankle, marker));
            add_angle(sums, STATIC_ABDUCTION, leg->outward * turn);
            if (snw__gait_place(leg->model, leg->frame, SNW_GAIT_MARKER_TIB, leg->side, &wand)) {
                snw_vec3 axis =
                    snw_vec3_unit(snw_vec3_sub(leg->knee, square), snw_vec3_make(0, 0, 1));
                double angle = snw__angle_about(axis, snw_vec3_sub(wand, square),
                                                snw_vec3_sub(marker, square));
                add_angle(sums, STATIC_SHANK, -leg->outward * angle);
            }
            if (leg->is_axis_known) {
                snw_vec3 up =
                    snw_vec3_unit(snw_vec3_sub(leg->knee, leg->ankle), snw_vec3_make(0, 0, 1));
                double torsion = snw__angle_about(up, snw_vec3_sub(marker, leg->ankle),
                                                  snw_vec3_sub(leg->knee_outer, leg->knee));
                add_angle(sums, STATIC_TORSION, leg->outward * torsion);
            }
        }
    } else if (!leg->is_axis_known || !parallel_ankle(leg, marker, radius, sums)) {
        if (!leg->pose->has_segment[SNW_SEGMENT_SHANK][leg->side]) return false;
        leg->ankle = leg->pose->center[SNW_GAIT_CENTER_ANKLE][leg->side];
        leg->shank = leg->pose->world_from_segment[SNW_SEGMENT_SHANK][leg->side].rotation;
        return true;
    }
    snw_vec3 outer = leg->is_axis_known ? snw_vec3_sub(leg->knee_outer, leg->knee)
                                        : snw_vec3_sub(marker, leg->ankle);
    return snw__gait_axes(snw_vec3_sub(leg->knee, leg->ankle), snw_vec3_scale(outer, leg->outward),
                          &leg->shank);
}

/* Offsets of the foot between toe - ankle and toe - heel. Without a heel the sole's direction is
 * that of the foot on the floor, and the rotation is left out. */
static void static_foot(const static_leg *leg, bool is_flat, static_sums *sums)
{
    const snw_gait_model *model = leg->model;
    snw_vec3 toe, heel;
    snw_quat bare, sole;
    double angles[3];
    if (!snw__gait_place(model, leg->frame, SNW_GAIT_MARKER_TOE, leg->side, &toe)) return;
    bool has_heel = snw__gait_place(model, leg->frame, SNW_GAIT_MARKER_HEE, leg->side, &heel);
    if (!has_heel) heel = leg->ankle;
    if (is_flat || !has_heel) {
        double rise = snw_vec3_dot(model->up, snw_vec3_sub(toe, heel)) +
                      snw__subject(&model->subject, SNW_SUBJECT_SOLE_DELTA, leg->side);
        heel = snw_vec3_add_scaled(heel, rise, model->up);
    }
    snw_vec3 y = snw_quat_rotate(leg->shank, snw_vec3_make(0, 1, 0));
    if (!snw__gait_axes(snw_vec3_sub(leg->ankle, toe), y, &bare) ||
        !snw__gait_axes(snw_vec3_sub(heel, toe), y, &sole))
        return;
    snw__gait_angles(bare, sole, angles);
    add_angle(sums, STATIC_PLANTAR, -angles[0]);
    if (has_heel) add_angle(sums, STATIC_ROTATION, -leg->outward * angles[1]);
}

/* What both legs tell in every frame. */
static void sum_frames(const snw_gait_model *model, const snw_trial *still, bool is_foot_flat,
                       static_sums sums[SNW_SIDES])
{
    memset(sums, 0, SNW_SIDES * sizeof *sums);
    for (int f = 0; f < still->frame_count; f++) {
        snw_frame frame = snw_trial_frame(still, f);
        snw_gait_pose pose;
        snw_gait_model_pose(model, &frame, &pose);
        for (int side = 0; side < SNW_SIDES; side++) {
            static_leg leg = {.model = model, .frame = &frame, .pose = &pose, .side = side};
            leg.outward = snw__gait_outward(side);
            if (static_knee(&leg, sums + side) && static_ankle(&leg, sums + side))
                static_foot(&leg, is_foot_flat, sums + side);
        }
    }
}

void snw__gait_static(const snw_gait_model *model, const snw_trial *still, bool is_foot_flat,
                      snw_subject *subject)
{
    static_sums sums[SNW_SIDES];
    sum_frames(model, still, is_foot_flat, sums);
    for (int side = 0; side < SNW_SIDES; side++)
        take_means(sums + side, side, SNW_SUBJECT_FROM_STATIC, subject);
}

void snw__gait_axes_of(const snw_gait_model *model, const snw_trial *trial, snw_subject *subject)
{
    static_sums sums[SNW_SIDES];
    sum_frames(model, trial, true, sums);
    for (int side = 0; side < SNW_SIDES; side++) {
        /* Torsion and foot need a person who stands: a walk's means would hide its own angles. */
        sums[side].count[STATIC_PLANTAR] = sums[side].count[STATIC_ROTATION] = 0;
        sums[side].count[STATIC_TORSION] = 0;
        if (sums[side].count[STATIC_THIGH])
            take_means(sums + side, side, SNW_SUBJECT_ESTIMATED, subject);
    }
}

/* ---- without a static trial ----------------------------------------------------------------- */

typedef struct flat_range {
    double low, high;
} flat_range;

static bool is_low(const flat_range *range, double height)
{
    return height <= range->low + FLAT_SHARE * (range->high - range->low);
}

/* Height of a marker above the lab's origin; false where it is missing. */
static bool height_at(const snw_gait_model *model, const snw_trial *trial, int f,
                      snw_gait_marker marker, int side, double *out)
{
    snw_vec3 place;
    if (f < 0 || f >= trial->frame_count) return false;
    snw_frame frame = snw_trial_frame(trial, f);
    if (!snw__gait_place(model, &frame, marker, side, &place)) return false;
    *out = snw_vec3_dot(model->up, place);
    return true;
}

static bool is_flat(const snw_gait_model *model, const snw_trial *trial, int f, int side,
                    const flat_range range[2])
{
    static const snw_gait_marker marker[2] = {SNW_GAIT_MARKER_TOE, SNW_GAIT_MARKER_ANK};
    for (int n = 0; n < 2; n++) {
        double before, here, after;
        if (!height_at(model, trial, f - 1, marker[n], side, &before) ||
            !height_at(model, trial, f, marker[n], side, &here) ||
            !height_at(model, trial, f + 1, marker[n], side, &after))
            return false;
        if (!is_low(range + n, here) || fabs(after - before) * 0.5 * trial->rate > FLAT_SPEED)
            return false;
    }
    return true;
}

void snw__gait_flat_foot(const snw_gait_model *model, const snw_trial *trial, snw_subject *subject)
{
    for (int side = 0; side < SNW_SIDES; side++) {
        flat_range range[2];
        static_sums sums;
        memset(&sums, 0, sizeof sums);
        static const snw_gait_marker marker[2] = {SNW_GAIT_MARKER_TOE, SNW_GAIT_MARKER_ANK};
        for (int n = 0; n < 2; n++) {
            range[n].low = INFINITY;
            range[n].high = -INFINITY;
            for (int f = 0; f < trial->frame_count; f++) {
                double height;
                if (!height_at(model, trial, f, marker[n], side, &height)) continue;
                range[n].low = fmin(range[n].low, height);
                range[n].high = fmax(range[n].high, height);
            }
        }
        for (int f = 0; f < trial->frame_count; f++) {
            if (!is_flat(model, trial, f, side, range)) continue;
            snw_frame frame = snw_trial_frame(trial, f);
            snw_gait_pose pose;
            snw_gait_model_pose(model, &frame, &pose);
            if (!pose.has_segment[SNW_SEGMENT_SHANK][side]) continue;
            static_leg leg = {.model = model, .frame = &frame, .pose = &pose, .side = side};
            leg.outward = snw__gait_outward(side);
            leg.ankle = pose.center[SNW_GAIT_CENTER_ANKLE][side];
            leg.shank = pose.world_from_segment[SNW_SEGMENT_SHANK][side].rotation;
            static_foot(&leg, true, &sums);
        }
        take_means(&sums, side, SNW_SUBJECT_ESTIMATED, subject);
    }
}
