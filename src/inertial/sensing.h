/* What solving with inertial sensors shares. Internal. */
#ifndef SNW_INERTIAL_SENSING_H
#define SNW_INERTIAL_SENSING_H

#include <sinew/inertial.h>

#include "base/notes.h"

/* A sensor's turn in a frame. */
static inline const snw_quat *snw__inertial_turn(const snw_inertial *in, int frame, int sensor)
{
    return in->turn + (size_t)frame * (size_t)in->sensor_count + (size_t)sensor;
}

static inline bool snw__inertial_has(const snw_inertial *in, int frame, int sensor)
{
    const snw_quat *q = snw__inertial_turn(in, frame, sensor);
    return q->w != 0 || q->x != 0 || q->y != 0 || q->z != 0;
}

/* Which joint of the body each sensor turns, -1: none. Two sensors of one joint: the first. */
void snw__inertial_joints(const snw_inertial *in, const snw_skeleton *body, int *joint,
                          snw_notes *notes);

/* Headings by which turns are to be put right: heading (frame_count x sensor_count), radians about
 * `up`. joint (sensor_count): of the body, whose tree says who is whose neighbour. */
snw_status snw__inertial_headings(const snw_inertial *in, const snw_skeleton *body,
                                  const int *joint, double *heading, double *sigma,
                                  snw_error *error);

/* The pose in which the joints with `is_turned` have the turns `world`; others go along. The root
 * keeps its place. Fills pose->world. */
void snw__inertial_pose(const snw_skeleton *body, const uint8_t *is_turned, const snw_quat *world,
                        snw_pose *pose);

/* The mean of rotations: the largest eigenvector of their sum of products (Markley et al. 2007). */
typedef struct snw__turn_mean {
    double sum[16];
    double weight;
} snw__turn_mean;
void snw__turn_add(snw__turn_mean *mean, snw_quat q, double weight);
snw_quat snw__turn_of(const snw__turn_mean *mean);

#endif
