/* Manipulability w = sqrt(det(J J^T)) of a goal's joint (Yoshikawa 1985). Internal to ik. */
#ifndef SNW_IK_MANIPULABILITY_H
#define SNW_IK_MANIPULABILITY_H

#include "ik/core/system.h"

/* Adds scale times d(log w)/d(coordinate) to out (column_count). J holds the rows of the goal: of
 * places in body sizes, of turns in radians. work: (12 x columns of the goal's path). Needs columns
 * placed. Nothing is added where w is zero. */
void snw__manipulability_add(const snw__ik_system *system, int goal, const snw_pose *pose,
                             double scale, double *work, double *out);

#endif
