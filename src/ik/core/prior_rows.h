/* The goals of a solve as rows of its prior of poses. Internal to prior.c and prior_rows.c. */
#ifndef SNW_IK_PRIOR_ROWS_H
#define SNW_IK_PRIOR_ROWS_H

#include "ik/core/prior.h"
#include "style/style.h"

/* A goal that has rows here. */
typedef struct snw__prior_goal {
    int goal; /* of the problem */
    bool has_place, has_frame;
    int row;
} snw__prior_goal;

/* A component with everything that does not depend on where the targets are. */
typedef struct snw__prior_component {
    double *gain;   /* (features x rows) C J^T at the mean */
    double *factor; /* (rows x rows) Cholesky of J C J^T + v I */
    double log_scale;
    double *row;    /* (rows) places of the goals' points at the mean, as rows */
    snw_quat *turn; /* (goals) frames of the goals' joints there; all in the body's frame */
} snw__prior_component;

struct snw__ik_prior {
    const snw_style *style;
    double variance;
    int row_count, goal_count;
    int lean_row;          /* first of three rows that say how the body leans, or -1 */
    snw__prior_goal *goal; /* (goal_count) */
    int active_count;
    int *active;   /* (features) those that move a goal */
    int *joint_at; /* (features) and the style's joint of each */
    int idle_count;
    int *idle;                       /* (features) the others */
    double *blend;                   /* (features) what all components together expect of these */
    int *joint_of;                   /* (joints of the style) */
    int *active_of, *idle_of;        /* (joints of the style) joint_of of those, else -1 */
    int *style_of;                   /* (joints of the skeleton) or -1 */
    snw__prior_component *component; /* (component_count) */
    double *x, *best;                /* (features) */
    double *jacobian;                /* (features x rows) J^T */
    double *pulled;                  /* (features) J^T dual */
    double *along;                   /* (dimensions x rows) directions times J^T */
    double *matrix;                  /* (rows x rows) */
    double *target, *row, *dual;     /* (rows) */
    double *score, *share;           /* (component_count) */
    double *duals;                   /* (component_count x rows) of the first estimates */
    snw_vec3 (*axis)[3];             /* (joints of the style) */
};

static inline int snw__prior_lean_feature(const snw__ik_prior *p)
{
    return p->style->feature_count - 3;
}

/* Rows and frames of a component at its mean; the root of the pose is the identity. */
void snw__prior_put_mean(const snw_ik *ik, const snw__ik_prior *p, snw__prior_component *part,
                         const double *mean, const snw_pose *pose);
/* Places of the targets in the body's frame, as rows; rows of frames are left. */
void snw__prior_put_targets(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                            snw_xform inverse);
/* What the goals lack in the pose, in the body's frame. Needs the targets. */
void snw__prior_put_rows(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                         const snw_pose *pose);
/* The same at the mean of a component. */
void snw__prior_put_mean_rows(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                              const snw_pose *pose, const snw__prior_component *part);
/* Of the rows, transposed, at the features. */
void snw__prior_put_jacobian(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                             const snw_pose *pose, const double *features);

#endif
