/* The upper body of the conventional gait model in one frame.
 *
 *     thorax    z from between STRN and T10 to between CLAV and C7, x forwards; origin half a
 *               marker behind CLAV
 *     head      x from between the back markers to between the front ones, turned by the head
 *               offset of the static trial
 *     shoulder  chord from the shoulder marker, across thorax x and the line to the marker
 *     elbow     chord from the elbow marker, across the plane of shoulder, elbow and wrist
 *     wrist     half its width off the middle of its bar, across bar and forearm
 *     hand      chord from the knuckle's marker, in the plane of the wrist's middle
 *
 * Against Plug-in-Gait's own points in a real file: centres within 0.001 mm. */
#include "subject/gait.h"

static const snw_vec3 arms_x = {1, 0, 0};

static bool middle_of(const snw_gait_model *model, const snw_frame *frame, snw_gait_marker marker,
                      snw_vec3 both[2], snw_vec3 *out)
{
    if (!snw__gait_place(model, frame, marker, SNW_SIDE_LEFT, &both[0]) ||
        !snw__gait_place(model, frame, marker, SNW_SIDE_RIGHT, &both[1]))
        return false;
    *out = snw_vec3_lerp(both[0], both[1], 0.5);
    return true;
}

static double marker_radius(const snw_gait_model *model)
{
    return 0.5 * snw__subject(&model->subject, SNW_SUBJECT_MARKER_DIAMETER, 0);
}

static void pose_thorax(const snw_gait_model *model, const snw_frame *frame, snw_gait_pose *pose)
{
    snw_vec3 c7, t10, clav, strn;
    snw_quat axes;
    if (!snw__gait_place(model, frame, SNW_GAIT_MARKER_C7, 0, &c7) ||
        !snw__gait_place(model, frame, SNW_GAIT_MARKER_T10, 0, &t10) ||
        !snw__gait_place(model, frame, SNW_GAIT_MARKER_CLAV, 0, &clav) ||
        !snw__gait_place(model, frame, SNW_GAIT_MARKER_STRN, 0, &strn))
        return;
    snw_vec3 up = snw_vec3_sub(snw_vec3_add(clav, c7), snw_vec3_add(strn, t10));
    snw_vec3 forward = snw_vec3_sub(snw_vec3_add(clav, strn), snw_vec3_add(c7, t10));
    if (!snw__gait_axes(up, snw_vec3_cross(up, forward), &axes)) return;
    snw_vec3 origin =
        snw_vec3_add_scaled(clav, -marker_radius(model), snw_quat_rotate(axes, arms_x));
    snw__gait_set_segment(pose, SNW_SEGMENT_THORAX, 0, axes, origin);
}

static void pose_head(const snw_gait_model *model, const snw_frame *frame, snw_gait_pose *pose)
{
    snw_vec3 front[2], back[2], fore, rear;
    snw_quat axes;
    if (!middle_of(model, frame, SNW_GAIT_MARKER_FHD, front, &fore) ||
        !middle_of(model, frame, SNW_GAIT_MARKER_BHD, back, &rear))
        return;
    snw_vec3 x = snw_vec3_sub(fore, rear);
    snw_vec3 left = snw_vec3_sub(snw_vec3_add(front[0], back[0]), snw_vec3_add(front[1], back[1]));
    snw_vec3 up = snw_vec3_cross(x, left);
    if (!snw__gait_axes(up, snw_vec3_cross(up, x), &axes)) return;
    snw_quat offset = snw_quat_from_axis_angle(
        snw_vec3_make(0, 1, 0), snw__subject(&model->subject, SNW_SUBJECT_HEAD_OFFSET, 0));
    snw__gait_set_segment(pose, SNW_SEGMENT_HEAD, 0, snw_quat_mul(axes, offset), fore);
}

static bool find_shoulder(const snw_gait_model *model, const snw_frame *frame, int side,
                          const snw_gait_pose *pose, snw_vec3 *shoulder)
{
    snw_vec3 marker;
    if (!pose->has_segment[SNW_SEGMENT_THORAX][0] ||
        !snw__gait_place(model, frame, SNW_GAIT_MARKER_SHO, side, &marker))
        return false;
    const snw_xform *thorax = &pose->world_from_segment[SNW_SEGMENT_THORAX][0];
    snw_vec3 line = snw_vec3_sub(marker, thorax->translation);
    snw_vec3 up = snw_vec3_scale(snw_vec3_cross(snw_quat_rotate(thorax->rotation, arms_x), line),
                                 snw__gait_outward(side));
    double radius =
        snw__subject(&model->subject, SNW_SUBJECT_SHOULDER_OFFSET, side) + marker_radius(model);
    snw_chord chord = {thorax->translation, marker, snw_vec3_add(thorax->translation, up), radius,
                       0};
    return snw_chord_center(&chord, shoulder);
}

/* The wrist's bar from the ulnar to the radial side. */
typedef struct arms_wrist {
    snw_vec3 middle, bar;
} arms_wrist;

static bool find_wrist(const snw_gait_model *model, const snw_frame *frame, int side,
                       arms_wrist *wrist)
{
    snw_vec3 radial, ulnar;
    if (!snw__gait_place(model, frame, SNW_GAIT_MARKER_WRA, side, &radial) ||
        !snw__gait_place(model, frame, SNW_GAIT_MARKER_WRB, side, &ulnar))
        return false;
    wrist->middle = snw_vec3_lerp(radial, ulnar, 0.5);
    wrist->bar = snw_vec3_sub(radial, ulnar);
    return true;
}

static bool find_elbow(const snw_gait_model *model, const snw_frame *frame, int side,
                       snw_vec3 shoulder, snw_vec3 wrist, snw_vec3 *elbow)
{
    snw_vec3 marker;
    if (!snw__gait_place(model, frame, SNW_GAIT_MARKER_ELB, side, &marker)) return false;
    snw_vec3 normal = snw_vec3_cross(snw_vec3_sub(shoulder, marker), snw_vec3_sub(wrist, marker));
    normal = snw_vec3_scale(snw_vec3_unit(normal, snw_vec3_make(0, 0, 0)), snw__gait_outward(side));
    double radius =
        0.5 * snw__subject(&model->subject, SNW_SUBJECT_ELBOW_WIDTH, side) + marker_radius(model);
    snw_chord chord = {shoulder, marker, snw_vec3_add(marker, normal), radius, 0};
    return snw_chord_center(&chord, elbow);
}

static void pose_hand(const snw_gait_model *model, const snw_frame *frame, int side,
                      const arms_wrist *wrist, snw_gait_pose *pose)
{
    snw_vec3 knuckle, palm, center = pose->center[SNW_GAIT_CENTER_WRIST][side];
    snw_quat axes;
    if (!snw__gait_place(model, frame, SNW_GAIT_MARKER_FIN, side, &knuckle)) return;
    double radius = 0.5 * snw__subject(&model->subject, SNW_SUBJECT_HAND_THICKNESS, side) +
                    marker_radius(model);
    snw_chord chord = {center, knuckle, wrist->middle, radius, 0};
    if (!snw_chord_center(&chord, &palm)) return;
    snw_vec3 y = snw_vec3_scale(wrist->bar, snw__gait_outward(side));
    if (snw__gait_axes(snw_vec3_sub(center, palm), y, &axes))
        snw__gait_set_segment(pose, SNW_SEGMENT_HAND, side, axes, palm);
}

void snw__gait_upper_body(const snw_gait_model *model, const snw_frame *frame, snw_gait_pose *pose)
{
    pose_thorax(model, frame, pose);
    pose_head(model, frame, pose);
    for (int side = 0; side < SNW_SIDES; side++) {
        arms_wrist wrist;
        snw_vec3 shoulder, elbow;
        snw_quat axes;
        double outward = snw__gait_outward(side);
        if (!find_shoulder(model, frame, side, pose, &shoulder)) continue;
        snw__gait_set_center(pose, SNW_GAIT_CENTER_SHOULDER, side, shoulder);
        if (!find_wrist(model, frame, side, &wrist) ||
            !find_elbow(model, frame, side, shoulder, wrist.middle, &elbow))
            continue;
        snw__gait_set_center(pose, SNW_GAIT_CENTER_ELBOW, side, elbow);
        double radius = 0.5 * snw__subject(&model->subject, SNW_SUBJECT_WRIST_WIDTH, side) +
                        marker_radius(model);
        snw_vec3 off = snw_vec3_cross(wrist.bar, snw_vec3_sub(elbow, wrist.middle));
        off = snw_vec3_unit(off, snw_vec3_make(0, 0, 0));
        snw_vec3 center = snw_vec3_add_scaled(wrist.middle, outward * radius, off);
        snw__gait_set_center(pose, SNW_GAIT_CENTER_WRIST, side, center);
        snw_vec3 up = snw_vec3_sub(shoulder, elbow), along = snw_vec3_sub(elbow, center);
        if (snw__gait_axes(up, snw_vec3_cross(along, up), &axes))
            snw__gait_set_segment(pose, SNW_SEGMENT_UPPER_ARM, side, axes, elbow);
        if (snw__gait_axes(along, snw_vec3_scale(wrist.bar, outward), &axes))
            snw__gait_set_segment(pose, SNW_SEGMENT_FOREARM, side, axes, center);
        pose_hand(model, frame, side, &wrist, pose);
    }
}
