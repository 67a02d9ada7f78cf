/* What a type of joint is: one row of functions each (joint_types.c). Whoever asks what a joint can
 * do asks its row, so that a new type is one file and one row. Internal.
 *
 * Coordinates come in one order: slides first, then turns. */
#ifndef SNW_BODY_JOINT_TYPES_H
#define SNW_BODY_JOINT_TYPES_H

#include <sinew/body.h>

typedef struct snw__joint_row {
    const char *name;
    int dof;
    int slide_count; /* of the coordinates, the first ones */
    bool is_vector;  /* the last three coordinates are one rotation vector; else angles */
    bool
        turns_by_parts; /* turns follow each other: the first is about the axis before the others */
    int range_count;    /* coordinates with a range of their own; 0: none, or swing and twist */
    snw_status (*check)(const snw_joint *joint, snw_error *error);
    /* Coordinates of a unit rotation with w >= 0 and a finite slide, and back; the rotation and the
     * slide are those of rest before. */
    void (*values)(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double *values);
    void (*from_values)(const snw_joint *joint, const double *values, snw_quat *rotation,
                        snw_vec3 *slide);
    /* Of a unit rotation with w >= 0: true where it is allowed, else the nearest one. */
    bool (*limit)(const snw_joint *joint, snw_quat rotation, snw_quat *nearest);
    /* The allowed slide nearest to a finite one; NULL where nothing slides. */
    snw_vec3 (*limit_slide)(const snw_joint *joint, snw_vec3 slide);
    /* axis (dof) of each coordinate in the world, from its frame after the joint's own rotation. */
    void (*axes)(const snw_joint *joint, snw_quat after, snw_quat rotation, snw_vec3 *axis);
    /* Moves by a tangent step along those axes. */
    void (*step)(const snw_joint *joint, const double *step, snw_quat *rotation, snw_vec3 *slide);
} snw__joint_row;

extern const snw__joint_row snw__joint_rows[SNW_JOINT_TYPE_COUNT];

static inline const snw__joint_row *snw__joint_row_of(const snw_joint *joint)
{
    return &snw__joint_rows[joint->type];
}

static inline bool snw__joint_slides(const snw_joint *joint)
{
    return snw__joint_rows[joint->type].slide_count > 0;
}

/* Is coordinate k of such a joint a slide, in metres? */
static inline bool snw__joint_is_slide(snw_joint_type type, int k)
{
    return k < snw__joint_rows[type].slide_count;
}

/* Has the joint one coordinate that is an angle: a hinge, a pivot? */
static inline bool snw__joint_is_hinge(const snw_joint *joint)
{
    const snw__joint_row *row = snw__joint_row_of(joint);
    return row->dof == 1 && row->slide_count == 0;
}

/* Where one joint is, from its parent's frame (pose.c). */
void snw__pose_forward_joint(snw_pose *pose, int joint);

#endif
