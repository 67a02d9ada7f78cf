/* The kinds of goals as one table: goal_kinds.c. Internal. */
#ifndef SNW_IK_GOAL_KINDS_H
#define SNW_IK_GOAL_KINDS_H

#include "ik/core/method.h"

struct snw__ik_path;

/* Where in the world the goal's point is asked to be. */
typedef enum snw__goal_place {
    SNW__PLACE_ANY, /* no matter */
    SNW__PLACE_POINT,
    SNW__PLACE_LINE,
    SNW__PLACE_PLANE,
    SNW__PLACE_SIDE /* of a plane */
} snw__goal_place;

/* What one metre and one radian of a goal weigh in its rows. */
typedef struct snw__ik_row_scale {
    double offset;
    double turn;
} snw__ik_row_scale;

/* Rows of a goal in the jacobian under construction. */
typedef struct snw__ik_block {
    snw__ik_system *system;
    const snw_goal *goal;
    const snw_pose *pose;
    snw__ik_row_scale scale;
    double *row; /* the first */
} snw__ik_block;

/* What of a goal is planned with: SNW_OK, or a sentence that names what is wrong. */
typedef snw_status snw__goal_check(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                                   snw_error *error);

typedef struct snw__goal_row {
    const char *name;
    snw__ik_rows rows;
    snw__goal_place place;
    bool has_frame;       /* asks for all axes of the joint's frame */
    bool has_aim;         /* `direction`, in the joint's frame, is asked to point at `position` */
    bool has_limb;        /* chain_root and chain_tip count */
    bool has_other;       /* chain_root counts, and may be -1 */
    bool has_coordinate;  /* `coordinate` counts */
    bool has_shares;      /* axes of the frame count by shares */
    bool needs_direction; /* which must not be 0 */
    bool is_one_sided;    /* nothing is lacking, and its row has no say, on the right side */
    bool is_secondary;    /* drawn to where other goals leave room: no rows, looked after by the
                             solve around the method */
    snw__ik_error (*lacks)(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose);
    /* Its rows of the jacobian, which are 0 before, over the goal's three paths. */
    void (*fill)(const snw__ik_block *block, const struct snw__ik_path *path);
    snw__goal_check *check;
} snw__goal_row;

extern const snw__goal_row snw__goal_rows[SNW_GOAL_KIND_COUNT];

static inline const snw__goal_row *snw__goal_row_of(const snw_goal *goal)
{
    return &snw__goal_rows[goal->kind];
}
/* How far the shapes of a goal that is apart are from each other beyond its margin, or `least` if
 * that is less: pairs that are farther are told by the balls around them. */
double snw__goal_clearance(const snw_goal *goal, const snw_pose *pose, double least);
/* How the shapes of a goal that is apart are to each other, carried by joints that are there; false
 * when the balls around them are farther apart than they must be. */
bool snw__goal_contact(const snw_goal *goal, snw_xform joint, snw_xform other,
                       snw_contact *contact);
/* What goal `index` lacks of its margin, metres; by its solids, which must be placed. */
double snw__goal_apart_lack(const snw_ik *ik, int index, const snw_goal *goal,
                            const snw_pose *pose);
/* The joints whose places a goal depends on; -1 where there is none. */
void snw__goal_joints(const snw_goal *goal, int joint[3]);

static inline bool snw__goal_is_secondary(const snw_goal *goal)
{
    return snw__goal_row_of(goal)->is_secondary;
}
/* Position, orientation or both, and nothing else: what a carrier of the joint's frame can do. */
static inline bool snw__goal_is_rigid(const snw_goal *goal)
{
    const snw__goal_row *kind = snw__goal_row_of(goal);
    return kind->has_frame || kind->place == SNW__PLACE_POINT;
}
/* One point and nothing else: what methods that move points can do. */
static inline bool snw__goal_is_point(const snw_goal *goal)
{
    const snw__goal_row *kind = snw__goal_row_of(goal);
    return kind->place == SNW__PLACE_POINT && !kind->has_frame;
}
/* Is a point or a frame of the joint asked to be somewhere? */
static inline bool snw__goal_is_spatial(const snw_goal *goal)
{
    const snw__goal_row *kind = snw__goal_row_of(goal);
    return kind->has_frame || kind->place != SNW__PLACE_ANY;
}
static inline snw__ik_row_scale snw__ik_row_scale_of(const snw_ik *ik, const snw_goal *goal)
{
    double root = sqrt(goal->weight);
    return (snw__ik_row_scale){root / ik->size, root * goal->turn_weight};
}

/* How fast the two shapes of goal `index` part, per coordinate (column_count; metres, in the units
 * of the columns); returns their distance. Needs columns placed. */
double snw__goal_apart_row(const snw__ik_system *system, int index, const snw_goal *goal,
                           const snw_pose *pose, double *row);
/* The place nearest to `now` that the goal asks its point to be at. */
snw_vec3 snw__goal_place_near(const snw_goal *goal, snw_vec3 now);
/* How much of a pole's row counts in this pose. */
double snw__ik_swivel_part(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose);
bool snw__goal_is_joint(const snw_skeleton *skeleton, int joint);
/* "goal 3: ..." */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
snw_status
snw__goal_refuse(snw_error *error, int index, const char *format, ...);

#endif
