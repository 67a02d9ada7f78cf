/* FABRIK for bodies whose joints have types and limits, and the geometry that both forms of it ask
 * for. Internal: links, what steers a goal's point and what hangs on it, are planned and swept in
 * fabrik_links.c, solved in fabrik_limits.c. */
#ifndef SNW_IK_FABRIK_LINKS_H
#define SNW_IK_FABRIK_LINKS_H

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

/* Can it serve the problem: fixed root, no slides above a goal, pins where joints are limited? */
bool snw__fabrik_limits_fits(const snw_ik *ik);
/* Twice, as methods' layouts are. */
snw__fabrik_limits *snw__fabrik_limits_layout(const snw_ik *ik, snw__block *block);
snw__ik_report snw__fabrik_limits_solve(const snw_ik *ik, snw__fabrik_limits *state,
                                        const snw__fabrik_geometry *geometry, const snw_goal *goals,
                                        snw_pose *pose);

/* ---- links (fabrik_links.c) ------------------------------------------------------------------ */

typedef struct snw__fabrik_link {
    int joint;
    int parent; /* link; -1: nothing that steers moves it */
    int end_first, end_count;
    int orientation; /* goal that asks for the frame of something rigid on it; -1 */
} snw__fabrik_link;

typedef struct snw__fabrik_end {
    int child; /* link that sits here; -1 */
    int goal;  /* that pulls here; -1 */
    int pin;   /* 2 * pin that pulls here, + 1: its side b; -1 */
} snw__fabrik_end;

struct snw__fabrik_limits {
    int link_count, end_count;
    snw__fabrik_link *link; /* (link_count) parents first */
    snw__fabrik_end *end;   /* (end_count) those of one link in a row */
    int *link_of;           /* (joint_count) -1: does not steer */
    int *apart_first;       /* (link_count + 1) where a link's begin in: */
    int *apart;       /* 2 * goal that keeps a shape on the link apart, + 1: its other shape */
    snw_vec3 *offset; /* (end_count) in the link's frame, in this iteration */
    snw_xform *seat;  /* (link_count) where its joint starts, in the parent link's frame */
    snw_vec3 *wish;   /* (end_count) */
    double *weight;   /* (end_count) */
    snw_xform *world; /* (link_count) */
    snw_vec3 *from, *to;
    void *ccd;
    snw__ik_snapshot best, start, kept;
    snw__ik_snapshot last; /* one iteration ago */
    bool *is_chosen;       /* (goal_count) */
    snw_vec3 *change;      /* (joint_count) turn of each joint in the last iteration */
};

/* What one solve works with. */
typedef struct snw__fabrik_links_run {
    const snw_ik *ik;
    snw__fabrik_limits *s;
    const snw__fabrik_geometry *geometry;
    const snw_goal *goals;
    snw_pose *pose;
} snw__fabrik_links_run;

/* world_from_joint of the joint with its own motion taken off. */
snw_xform snw__fabrik_base_of(const snw_pose *pose, int joint);
/* Where a joint is in this sweep: with its link, which was placed, else as in the pose; -1: the
 * world. */
snw_xform snw__fabrik_placed(const snw__fabrik_links_run *run, int joint);
/* Turns link `l`, placed in this sweep, about the pivot until its shapes are apart from others;
 * true when it had to. */
bool snw__fabrik_part(const snw__fabrik_links_run *run, int l, snw_vec3 pivot);
/* Both sweeps over the pose. */
void snw__fabrik_links_sweep(const snw__fabrik_links_run *run);

#endif
