/* Where anatomy expects joint centres, as seen from markers on bony landmarks. Internal.
 *
 * Gait laboratories place joints by such rules alone; here a rule is one more observation with a
 * standard deviation, to be weighed against the motion. */
#ifndef SNW_CALIBRATE_ANATOMY_H
#define SNW_CALIBRATE_ANATOMY_H

#include <sinew/actor.h>

#include "label/label_grammar.h"

/* Unit length, or zero where there is no direction. */
static inline snw_vec3 snw__direction(snw_vec3 v)
{
    return snw_vec3_unit(v, snw_vec3_make(0, 0, 0));
}

/* One bone of a hinge as the other one sees it. Sums over frames, in the frame of the other. */
typedef struct snw__anatomy_fan {
    snw_vec3 bone;    /* unit vectors along the bone */
    snw_mat3 spread;  /* their outer products */
    snw_vec3 inwards; /* roughly to the body's middle: tells the sign of the axis */
    snw_vec3 across;  /* unit vectors to the other side of the body */
} snw__anatomy_fan;

/* Two bones with a hinge between them: thigh and shank, upper arm and forearm. Joints; lower < 0:
 * not all three are there. */
typedef struct snw__anatomy_hinge {
    int upper, lower, end;
    snw__anatomy_fan of_upper; /* the lower bone in the upper one's frame */
    snw__anatomy_fan of_lower; /* the upper bone in the lower one's frame */
} snw__anatomy_hinge;

/* [side] is SNW_SIDE_LEFT or SNW_SIDE_RIGHT, or NONE for what is in the middle. */
typedef struct snw__anatomy {
    const snw_actor *actor;
    const snw_label *landmark;    /* (marker_count) of the actor's markers */
    int joint[SNW_PART_COUNT][3]; /* [part][side], or -1 */
    snw__anatomy_hinge leg[3], arm[3];
    snw_vec3 ahead_of_clavicle[3]; /* sums of the chest's directions in the clavicle's frame */
    snw_vec3 up_of_clavicle[3];
    int frame_count;
} snw__anatomy;

/* Finds the parts by the names of the joints. Both must outlive it. */
void snw__anatomy_begin(snw__anatomy *anatomy, const snw_actor *actor, const snw_label *landmark);
/* Adds a frame. */
void snw__anatomy_look(snw__anatomy *anatomy, const snw_pose *pose);

/* The hinge's axis, pointing inwards, as long as the arc that the bone went through (rms, radians);
 * of `count` frames. */
snw_vec3 snw__anatomy_inwards(const snw__anatomy_fan *fan, int count);
/* The chest from C7 to the notch of the breastbone, in its own frame. */
typedef struct snw__anatomy_chest {
    int c7, front[2]; /* markers: at the notch, or at the ends of the collar bones beside it */
    snw_vec3 notch, ahead, up;
    double depth; /* metres from C7 to the notch */
} snw__anatomy_chest;
bool snw__anatomy_find_chest(const snw__anatomy *anatomy, snw__anatomy_chest *chest);
/* The base of the neck, C7/T1, in the chest's frame. */
snw_vec3 snw__anatomy_neck_base(const snw__anatomy *anatomy, const snw__anatomy_chest *chest);
/* The pelvis by its spines, in its own frame. The markers' radius is taken off in front and behind.
 */
typedef struct snw__anatomy_pelvis {
    snw_vec3 front; /* middle of the front spines */
    snw_vec3 right, ahead, up;
    double width, depth;
} snw__anatomy_pelvis;
bool snw__anatomy_find_pelvis(const snw__anatomy *anatomy, snw__anatomy_pelvis *pelvis);
/* The lowest joint of the spine, L5/S1, in the pelvis's frame. */
snw_vec3 snw__anatomy_loin(const snw__anatomy_pelvis *pelvis);
/* Metres that the legs, or else the arms, make the body tall; a grown person's without either. */
double snw__anatomy_height(const snw__anatomy *anatomy);
/* The marker on the segment of `joint` that is this landmark of this side, or -1. */
int snw__anatomy_marker(const snw__anatomy *anatomy, int joint, snw__landmark landmark,
                        snw_side side);
/* How many markers are on the segment of `joint`. */
int snw__anatomy_markers_on(const snw_actor *actor, int joint);

/* One expectation: a normal distribution of a joint's centre in its parent's frame. */
typedef struct snw__joint_prior {
    int joint;
    snw_vec3 off;         /* expected place less the present one, metres */
    snw_mat3 information; /* inverse covariance, per square metre */
    double extent;        /* metres: what the verdict adds to the fit's own deviation, where the
                             joint stands for several or the rule itself errs */
    bool is_point;        /* the capture has the joint itself as a point */
    int marker_count;     /* markers of the parent, with whose mean the expected place moves */
    int marker[2];
    double of_child;   /* per square metre, 0: none; information on the same place from the child's
                          markers: */
    snw_vec3 in_child; /* where it lies in the child's frame, whose origin is the present centre */
} snw__joint_prior;

/* Each part of a body has one joint at most. */
#define SNW__ANATOMY_PRIORS (2 * SNW_PART_COUNT)

/* What is expected of the actor as it is, after the frames that were looked at; returns how many.
 */
int snw__anatomy_priors(const snw__anatomy *anatomy, snw__joint_prior out[SNW__ANATOMY_PRIORS]);
/* Metres. How far skin carries the actor's marker at least, one coordinate; 0: not known. */
double snw__anatomy_skin(const snw__anatomy *anatomy, int marker);

#endif
