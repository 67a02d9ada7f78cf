/* Least squares for what is constant in many frames, with what changes in each frame eliminated.
 * Internal.
 *
 * Unknown are the constants c (bones, marker offsets) and, in every frame, the pose p: a small turn
 * of each joint and a shift of the root. A marker's residual r is linear in both,
 *
 *     r = P p + C c + noise with weight w,
 *
 * and the normal equations of one frame, with p eliminated (Schur's complement), add
 *
 *     C^T w C - C^T w P (P^T w P)^-1 P^T w C
 *
 * to those of c: what is left is what no pose can explain. Holding the poses instead and taking
 * turns would see the constants as far better determined than they are, and hardly move them.
 *
 * Joints are eliminated from the tips to the root, so that a row touches the joints above it and
 * the constants of the segments below it only; threes of zeros are skipped, no structure is stored.
 */
#ifndef SNW_CALIBRATE_REFINE_SYSTEM_H
#define SNW_CALIBRATE_REFINE_SYSTEM_H

#include <sinew/math.h>

#include "base/memory.h"

typedef struct snw__refine_system {
    int pose_count;     /* unknowns of a frame, a multiple of 3; they come first */
    int constant_count; /* unknowns of all frames, a multiple of 3 */
    double *matrix; /* ((pose_count + constant_count) x (that + 1)) upper triangle and right side */
    int *list;      /* (pose_count + constant_count + 1) threes that are not zero */
    /* The marker at hand, and how a unit of each unknown that moves it moves it. */
    int term_count;
    int *term;       /* (pose_count + constant_count) unknowns, ascending */
    snw_vec3 *moves; /* (pose_count + constant_count) */
} snw__refine_system;

/* Lays the arrays out in a block; counts are set by the caller. */
void snw__refine_system_lay_out(snw__refine_system *system, snw__block *block);

/* Forgets all frames. */
void snw__refine_system_clear(snw__refine_system *system);
/* Forgets the pose of the last frame. */
void snw__refine_system_begin_frame(snw__refine_system *system);
/* Three unknowns from `first`, a multiple of 3, move the marker by the columns of `by`. Calls for
 * one marker have ascending `first`. */
void snw__refine_system_term(snw__refine_system *system, int first, const snw_mat3 *by);
/* Adds the marker that the terms described, and forgets them. */
void snw__refine_system_add(snw__refine_system *system, double weight, snw_vec3 residual);
/* Eliminates the pose. damping (> 0) is added to its diagonal. */
void snw__refine_system_end_frame(snw__refine_system *system, double damping);

/* Entries of the constants' equations, row <= column, and their right side. */
static inline double *snw__refine_system_at(snw__refine_system *system, int row, int column)
{
    int all = system->pose_count + system->constant_count;
    size_t at = (size_t)(system->pose_count + row) * (size_t)(all + 1);
    return system->matrix + at + (size_t)(system->pose_count + column);
}
static inline double *snw__refine_system_right(snw__refine_system *system, int row)
{
    return snw__refine_system_at(system, row, system->constant_count);
}

#endif
