/* The conventional gait model: pelvis and legs of one frame.
 *
 *     pelvis   origin between the ASIS; y from the right one to the left one; x forwards in the
 *              plane with the sacrum (or between the PSIS)                    Kadaba et al. 1990
 *     hip      in the pelvis' frame by regression: Davis et al. 1991 (Newington), Harrington et
 *              al. 2007, Bell et al. 1990
 *     knee     chord: half the knee's width from the marker, in the plane of hip, marker and thigh
 *              wand, turned by the thigh rotation offset                      Davis et al. 1991
 *     ankle    the same with knee centre, shank wand and shank rotation offset; then turned about
 *              the marker by the ankle's abduction offset
 *     thigh    z from knee to hip, y along the knee's axis
 *     shank    z from ankle to knee, y along the ankle's axis (distal), turned back by the tibial
 *              torsion (proximal)
 *     foot     z from toe to ankle, y of the shank, then the offsets of the static trial
 *
 * Checked against Plug-in-Gait's own output in real files: centres agree within 0.001 mm where the
 * file has all parameters (tests/test_gait_model.c). */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "math/tolerance.h"
#include "person/regressions.h"
#include "subject/gait.h"
#include "subject/subject_constants.h"

/* ---- small geometry ------------------------------------------------------------------------- */

bool snw__gait_place(const snw_gait_model *model, const snw_frame *frame, snw_gait_marker marker,
                     int side, snw_vec3 *out)
{
    int at = model->markers.at[marker][side];
    snw_vec3 first, fifth;
    if (at < 0 && marker == SNW_GAIT_MARKER_TOE) {
        if (!snw__gait_place(model, frame, SNW_GAIT_MARKER_FMH, side, &first) ||
            !snw__gait_place(model, frame, SNW_GAIT_MARKER_VMH, side, &fifth))
            return false;
        *out = snw_vec3_lerp(first, fifth, 0.5);
        return true;
    }
    if (at < 0 || at >= frame->marker_count || frame->state[at] == SNW_SAMPLE_MISSING) return false;
    *out = snw_frame_position(frame, at);
    return snw_vec3_is_finite(*out);
}

bool snw__gait_axes(snw_vec3 z, snw_vec3 y, snw_quat *out)
{
    const snw_vec3 none = {0, 0, 0};
    z = snw_vec3_unit(z, none);
    snw_vec3 x = snw_vec3_unit(snw_vec3_cross(y, z), none);
    if (snw_vec3_length2(x) < 0.5 || snw_vec3_length2(z) < 0.5) return false;
    *out = snw_quat_from_mat3(snw_mat3_from_columns(x, snw_vec3_cross(z, x), z));
    return true;
}

void snw__gait_angles(snw_quat proximal, snw_quat distal, double angles[3])
{
    snw_quat_to_euler(snw_quat_mul(snw_quat_conjugate(proximal), distal), SNW_EULER_YXZ, angles);
}

static snw_vec3 across(snw_vec3 axis, snw_vec3 v)
{
    return snw_vec3_add_scaled(v, -snw_vec3_dot(axis, v), axis);
}

double snw__angle_about(snw_vec3 axis, snw_vec3 a, snw_vec3 b)
{
    a = across(axis, a);
    b = across(axis, b);
    return snw__atan2(snw_vec3_dot(axis, snw_vec3_cross(a, b)), snw_vec3_dot(a, b));
}

void snw__gait_set_segment(snw_gait_pose *pose, snw_gait_segment segment, int side,
                           snw_quat rotation, snw_vec3 origin)
{
    pose->has_segment[segment][side] = true;
    pose->world_from_segment[segment][side] = snw_xform_make(rotation, origin);
}

void snw__gait_set_center(snw_gait_pose *pose, snw_gait_center joint, int side, snw_vec3 center)
{
    pose->has_center[joint][side] = true;
    pose->center[joint][side] = center;
}

/* ---- hips ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
} hip_regression_row[] = {
#define HIP_REGRESSION_ROW(enumerator, name, text) {name},
    SNW_HIP_REGRESSION_MAP(HIP_REGRESSION_ROW)
#undef HIP_REGRESSION_ROW
};

const char *snw_hip_regression_name(snw_hip_regression regression)
{
    bool is_one = regression >= 0 && regression < SNW_HIP_REGRESSION_COUNT;
    return is_one ? hip_regression_row[regression].name : "";
}

int snw_hip_regression_find(const char *name)
{
    int n = 0;
    while (n < SNW_HIP_REGRESSION_COUNT && strcmp(name, hip_regression_row[n].name) != 0)
        n++;
    return n < SNW_HIP_REGRESSION_COUNT ? n : -1;
}

snw_vec3 snw_hip_center(snw_hip_regression regression, const snw_pelvis_size *size, snw_side side)
{
    double outward = snw__gait_outward((int)side), width = size->width;
    if (regression == SNW_HIP_BY_HARRINGTON) { /* table 3, the equations with PW and PD alone */
        snw_vec3 hip = snw__hip_harrington(size->depth, width);
        return snw_vec3_make(hip.x, outward * hip.y, hip.z);
    }
    if (regression == SNW_HIP_BY_BELL) /* 14 % medial, 19 % behind, 30 % below the ASIS */
        return snw_vec3_make(-0.19 * width, outward * 0.36 * width, -0.30 * width);
    double c = 0.115 * size->leg_length - 0.0153;
    double back = size->asis_trochanter + size->marker_radius;
    return snw_vec3_make(c * snw__cos(SNW__HIP_DAVIS_THETA) * snw__sin(SNW__HIP_DAVIS_BETA) -
                             back * snw__cos(SNW__HIP_DAVIS_BETA),
                         outward * (0.5 * width - c * snw__sin(SNW__HIP_DAVIS_THETA)),
                         -c * snw__cos(SNW__HIP_DAVIS_THETA) * snw__cos(SNW__HIP_DAVIS_BETA) -
                             back * snw__sin(SNW__HIP_DAVIS_BETA));
}

/* ---- the chord ------------------------------------------------------------------------------ */

/* The centre on the circle of all right angles, `turn` about the line proximal - marker away from
 * the plane of the wand, and the angle about centre - proximal from the wand to the marker. */
typedef struct chord_circle {
    const snw_chord *chord;
    snw_vec3 base;   /* middle of the circle */
    snw_vec3 inward; /* in the plane of the wand, away from it */
    snw_vec3 normal; /* of that plane */
    double radius;
} chord_circle;

static double chord_angle(const chord_circle *circle, double turn, snw_vec3 *center)
{
    const snw_chord *chord = circle->chord;
    snw_vec3 c = snw_vec3_add_scaled(circle->base, circle->radius * snw__cos(turn), circle->inward);
    *center = snw_vec3_add_scaled(c, circle->radius * snw__sin(turn), circle->normal);
    snw_vec3 axis = snw_vec3_sub(chord->proximal, *center);
    axis = snw_vec3_unit(axis, axis);
    return snw__angle_about(axis, snw_vec3_sub(chord->wand, *center),
                            snw_vec3_sub(chord->marker, *center));
}

bool snw_chord_center(const snw_chord *chord, snw_vec3 *center)
{
    const snw_vec3 none = {0, 0, 0};
    snw_vec3 line = snw_vec3_sub(chord->marker, chord->proximal);
    double length = snw_vec3_length(line);
    if (!(chord->radius > 0) || !(length > chord->radius)) return false;
    line = snw_vec3_scale(line, 1 / length);
    snw_vec3 normal = snw_vec3_cross(line, snw_vec3_sub(chord->wand, chord->proximal));
    normal = snw_vec3_unit(normal, none);
    if (snw_vec3_length2(normal) < 0.5) return false;
    double sine = chord->radius / length;
    chord_circle circle = {chord, snw_vec3_add_scaled(chord->marker, -chord->radius * sine, line),
                           snw_vec3_neg(snw_vec3_cross(normal, line)), normal,
                           chord->radius * sqrt(1 - sine * sine)};
    double before = 0, turn = chord->rotation;
    double miss_before = chord_angle(&circle, before, center) - chord->rotation;
    for (int n = 0; n < SNW__ROUNDS_MAX && fabs(miss_before) > SNW__EXACT; n++) {
        double miss = chord_angle(&circle, turn, center) - chord->rotation;
        double slope = miss - miss_before;
        double next = fabs(slope) > 0 ? turn - miss * (turn - before) / slope : turn;
        before = turn;
        miss_before = miss;
        turn = next;
    }
    return snw_vec3_is_finite(*center);
}

/* ---- pelvis and legs ------------------------------------------------------------------------ */

/* Between the back markers of the pelvis. */
static bool sacrum_place(const snw_gait_model *model, const snw_frame *frame, snw_vec3 *out)
{
    snw_vec3 psi[2];
    if (snw__gait_place(model, frame, SNW_GAIT_MARKER_PSI, 0, &psi[0]) &&
        snw__gait_place(model, frame, SNW_GAIT_MARKER_PSI, 1, &psi[1])) {
        *out = snw_vec3_lerp(psi[0], psi[1], 0.5);
        return true;
    }
    return snw__gait_place(model, frame, SNW_GAIT_MARKER_SACR, 0, out);
}

/* A joint's centre by the chord with a wand; without a wand, on the way to the marker on its inner
 * side. */
typedef struct leg_joint {
    snw_gait_marker marker, wand, medial;
    snw_subject_parameter width, rotation;
} leg_joint;

static const leg_joint leg_knee = {SNW_GAIT_MARKER_KNE, SNW_GAIT_MARKER_THI, SNW_GAIT_MARKER_KNM,
                                   SNW_SUBJECT_KNEE_WIDTH, SNW_SUBJECT_THIGH_ROTATION};
static const leg_joint leg_ankle = {SNW_GAIT_MARKER_ANK, SNW_GAIT_MARKER_TIB, SNW_GAIT_MARKER_MED,
                                    SNW_SUBJECT_ANKLE_WIDTH, SNW_SUBJECT_SHANK_ROTATION};

typedef struct leg_center {
    snw_vec3 marker, center;
    bool is_by_wand;
} leg_center;

static bool find_center(const snw_gait_model *model, const snw_frame *frame, const leg_joint *joint,
                        int side, snw_vec3 proximal, leg_center *out)
{
    const snw_subject *subject = &model->subject;
    double radius = 0.5 * (snw__subject(subject, joint->width, side) +
                           snw__subject(subject, SNW_SUBJECT_MARKER_DIAMETER, 0));
    snw_vec3 wand, inner;
    if (!snw__gait_place(model, frame, joint->marker, side, &out->marker)) return false;
    bool has_inner = snw__gait_place(model, frame, joint->medial, side, &inner);
    out->is_by_wand = !(has_inner && model->is_medial_used) &&
                      snw__gait_place(model, frame, joint->wand, side, &wand);
    if (out->is_by_wand) {
        double rotation = -snw__gait_outward(side) * snw__subject(subject, joint->rotation, side);
        snw_chord chord = {proximal, out->marker, wand, radius, rotation};
        return snw_chord_center(&chord, &out->center);
    }
    if (!has_inner) return false;
    snw_vec3 inward = snw_vec3_unit(snw_vec3_sub(inner, out->marker), snw_vec3_make(0, 0, 0));
    out->center = snw_vec3_add_scaled(out->marker, radius, inward);
    return snw_vec3_length2(inward) > 0.5;
}

static void pose_thigh(const snw_gait_model *model, const snw_frame *frame, int side,
                       snw_gait_pose *pose)
{
    snw_vec3 hip = pose->center[SNW_GAIT_CENTER_HIP][side];
    leg_center knee;
    snw_quat axes;
    if (!pose->has_center[SNW_GAIT_CENTER_HIP][side] ||
        !find_center(model, frame, &leg_knee, side, hip, &knee))
        return;
    snw__gait_set_center(pose, SNW_GAIT_CENTER_KNEE, side, knee.center);
    snw_vec3 y = snw_vec3_scale(snw_vec3_sub(knee.marker, knee.center), snw__gait_outward(side));
    if (snw__gait_axes(snw_vec3_sub(hip, knee.center), y, &axes))
        snw__gait_set_segment(pose, SNW_SEGMENT_THIGH, side, axes, knee.center);
}

static void pose_shank(const snw_gait_model *model, const snw_frame *frame, int side,
                       snw_gait_pose *pose)
{
    const snw_subject *subject = &model->subject;
    snw_vec3 knee = pose->center[SNW_GAIT_CENTER_KNEE][side];
    double outward = snw__gait_outward(side);
    leg_center found;
    snw_quat distal;
    if (!pose->has_center[SNW_GAIT_CENTER_KNEE][side] ||
        !find_center(model, frame, &leg_ankle, side, knee, &found))
        return;
    snw_vec3 ankle = found.center;
    if (found.is_by_wand) {
        /* The centre goes round the marker, in the plane of knee, centre and marker. */
        snw_vec3 normal =
            snw_vec3_cross(snw_vec3_sub(knee, ankle), snw_vec3_sub(found.marker, ankle));
        snw_quat turn = snw_quat_from_axis_angle(
            normal, outward * snw__subject(subject, SNW_SUBJECT_ANKLE_ABDUCTION, side));
        ankle =
            snw_vec3_add(found.marker, snw_quat_rotate(turn, snw_vec3_sub(ankle, found.marker)));
    }
    snw__gait_set_center(pose, SNW_GAIT_CENTER_ANKLE, side, ankle);
    snw_vec3 y = snw_vec3_scale(snw_vec3_sub(found.marker, ankle), outward);
    if (!snw__gait_axes(snw_vec3_sub(knee, ankle), y, &distal)) return;
    snw__gait_set_segment(pose, SNW_SEGMENT_SHANK_DISTAL, side, distal, ankle);
    double torsion = outward * snw__subject(subject, SNW_SUBJECT_TIBIAL_TORSION, side);
    snw_quat back = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), torsion);
    snw__gait_set_segment(pose, SNW_SEGMENT_SHANK, side, snw_quat_mul(distal, back), ankle);
}

/* The foot's axes before the static offsets: z from the toe to the ankle, y of the shank. */
static bool gait_foot_axes(const snw_gait_model *model, const snw_frame *frame,
                           const snw_gait_pose *pose, int side, snw_quat *out)
{
    snw_vec3 toe;
    if (!pose->has_segment[SNW_SEGMENT_SHANK][side] ||
        !snw__gait_place(model, frame, SNW_GAIT_MARKER_TOE, side, &toe))
        return false;
    snw_vec3 y = snw_quat_rotate(pose->world_from_segment[SNW_SEGMENT_SHANK][side].rotation,
                                 snw_vec3_make(0, 1, 0));
    return snw__gait_axes(snw_vec3_sub(pose->center[SNW_GAIT_CENTER_ANKLE][side], toe), y, out);
}

static void pose_foot(const snw_gait_model *model, const snw_frame *frame, int side,
                      snw_gait_pose *pose)
{
    const snw_subject *subject = &model->subject;
    snw_quat axes;
    snw_vec3 toe;
    if (!snw__gait_place(model, frame, SNW_GAIT_MARKER_TOE, side, &toe) ||
        !gait_foot_axes(model, frame, pose, side, &axes))
        return;
    double offset[3] = {
        -snw__subject(subject, SNW_SUBJECT_STATIC_PLANTAR_FLEXION, side),
        -snw__gait_outward(side) * snw__subject(subject, SNW_SUBJECT_STATIC_ROTATION, side), 0};
    axes = snw_quat_mul(axes, snw_quat_from_euler(SNW_EULER_YXZ, offset));
    snw__gait_set_segment(pose, SNW_SEGMENT_FOOT, side, axes, toe);
}

void snw_gait_model_pose(const snw_gait_model *model, const snw_frame *frame, snw_gait_pose *pose)
{
    memset(pose, 0, sizeof *pose);
    snw_vec3 left, right, sacrum;
    snw_quat axes;
    if (snw__gait_place(model, frame, SNW_GAIT_MARKER_ASI, SNW_SIDE_LEFT, &left) &&
        snw__gait_place(model, frame, SNW_GAIT_MARKER_ASI, SNW_SIDE_RIGHT, &right) &&
        sacrum_place(model, frame, &sacrum)) {
        snw_vec3 origin = snw_vec3_lerp(left, right, 0.5), y = snw_vec3_sub(left, right);
        snw_vec3 z = snw_vec3_cross(snw_vec3_sub(origin, sacrum), y);
        if (snw__gait_axes(z, y, &axes)) {
            snw__gait_set_segment(pose, SNW_SEGMENT_PELVIS, 0, axes, origin);
        }
    }
    for (int side = 0; side < SNW_SIDES; side++) {
        const snw_subject *subject = &model->subject;
        if (pose->has_segment[SNW_SEGMENT_PELVIS][0]) {
            snw_pelvis_size size = {
                snw__subject(subject, SNW_SUBJECT_INTER_ASIS, 0), model->pelvis_depth,
                0.5 * (snw__subject(subject, SNW_SUBJECT_LEG_LENGTH, SNW_SIDE_LEFT) +
                       snw__subject(subject, SNW_SUBJECT_LEG_LENGTH, SNW_SIDE_RIGHT)),
                snw__subject(subject, SNW_SUBJECT_ASIS_TROCHANTER, side),
                0.5 * snw__subject(subject, SNW_SUBJECT_MARKER_DIAMETER, 0)};
            snw_vec3 local = model->functional.has_hip[side]
                                 ? model->functional.hip[side]
                                 : snw_hip_center(model->hip, &size, (snw_side)side);
            snw__gait_set_center(
                pose, SNW_GAIT_CENTER_HIP, side,
                snw_xform_point(pose->world_from_segment[SNW_SEGMENT_PELVIS][0], local));
        }
        pose_thigh(model, frame, side, pose);
        pose_shank(model, frame, side, pose);
        pose_foot(model, frame, side, pose);
    }
    snw__gait_upper_body(model, frame, pose);
}
