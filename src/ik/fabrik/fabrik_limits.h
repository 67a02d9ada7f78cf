/* FABRIK for bodies whose joints have types and limits, and the geometry that both forms of it ask
 * for. Internal. */
#ifndef SNW_IK_FABRIK_LIMITS_H
#define SNW_IK_FABRIK_LIMITS_H

#include "ik/core/goal_kinds.h"

typedef struct snw__fabrik_geometry {
    /* The point at distance `radius` from `center` in the direction of `toward`; in the direction
     * `fallback` (unit) where `toward` is the centre. */
    snw_vec3 (*on_sphere)(snw_vec3 center, double radius, snw_vec3 toward, snw_vec3 fallback);
    /* The nearest point of a line and of a plane; directions are unit. */
    snw_vec3 (*on_line)(snw_vec3 through, snw_vec3 direction, snw_vec3 point);
    snw_vec3 (*on_plane)(snw_vec3 through, snw_vec3 normal, snw_vec3 point);
} snw__fabrik_geometry;

/* Where a goal wants its point that is now at `now`. */
snw_vec3 snw__fabrik_wish(const snw__fabrik_geometry *geometry, const snw_goal *goal, snw_vec3 now);

typedef struct snw__fabrik_limits snw__fabrik_limits;

/* Can it serve the problem: fixed root, no pins, no slides above a goal? */
bool snw__fabrik_limits_fits(const snw_ik *ik);
/* Twice, as methods' layouts are. */
snw__fabrik_limits *snw__fabrik_limits_layout(const snw_ik *ik, snw__block *block);
snw__ik_report snw__fabrik_limits_solve(const snw_ik *ik, snw__fabrik_limits *state,
                                        const snw__fabrik_geometry *geometry, const snw_goal *goals,
                                        snw_pose *pose);

#endif
