/* What the files of this module share about the gait model. Internal. */
#ifndef SNW_SUBJECT_GAIT_H
#define SNW_SUBJECT_GAIT_H

#include <sinew/gait_model.h>
#include <sinew/label.h>

/* +1 where the body's left is outwards, -1 on the right. */
static inline double snw__gait_outward(int side)
{
    return side == SNW_SIDE_LEFT ? 1.0 : -1.0;
}

/* The markers that the labels (marker_count of the trial) tell, whatever their names say. */
void snw__gait_markers_of_labels(const snw_trial *trial, const snw_label *labels,
                                 snw_gait_markers *out);
/* The marker's place; false where the trial or the frame has none. */
bool snw__gait_place(const snw_gait_model *model, const snw_frame *frame, snw_gait_marker marker,
                     int side, snw_vec3 *out);
/* The frame whose z axis lies along z and whose y axis is as near to y as that allows; false where
 * they are parallel or zero. */
bool snw__gait_axes(snw_vec3 z, snw_vec3 y, snw_quat *out);
/* R = Ry Rx Rz: flexion about the proximal y, then the floating axis, then the distal z, radians.
 */
void snw__gait_angles(snw_quat proximal, snw_quat distal, double angles[3]);
/* Signed angle from a to b about the unit axis, both projected on the plane across it. */
double snw__angle_about(snw_vec3 axis, snw_vec3 a, snw_vec3 b);
void snw__gait_set_segment(snw_gait_pose *pose, snw_gait_segment segment, int side,
                           snw_quat rotation, snw_vec3 origin);
void snw__gait_set_center(snw_gait_pose *pose, snw_gait_center joint, int side, snw_vec3 center);

/* A value of the subject. */
static inline double snw__subject(const snw_subject *subject, snw_subject_parameter p, int side)
{
    return subject->value[p][snw_subject_is_paired(p) ? side : 0];
}

bool snw__subject_is_angle(snw_subject_parameter p);

/* Takes a value unless a surer one is there. */
void snw__subject_take(snw_subject *subject, snw_subject_parameter p, int side, double value,
                       snw_subject_source source);

/* Says which measures no person has, and where the static took the place of the file's. */
void snw__subject_note_odd(const snw_subject *subject, snw_notes *notes);
void snw__subject_note_changes(const snw_subject *file, const snw_subject *used, snw_notes *notes);

/* Angles that a static trial tells (gait_static.c): rotations of the wands, torsion, foot. The
 * model is that of the static trial; what it tells goes into *subject. */
void snw__gait_static(const snw_gait_model *model, const snw_trial *still, bool is_foot_flat,
                      snw_subject *subject);
/* Rotations of the wands and torsion where the trial itself shows the inner side of the knees. */
void snw__gait_axes_of(const snw_gait_model *model, const snw_trial *trial, snw_subject *subject);
/* The foot's offsets where no static trial is there: from frames in which the foot is flat. */
void snw__gait_flat_foot(const snw_gait_model *model, const snw_trial *trial, snw_subject *subject);
/* The arms, head and trunk of the pose. */
void snw__gait_upper_body(const snw_gait_model *model, const snw_frame *frame, snw_gait_pose *pose);

#endif
