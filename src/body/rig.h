/* What the files of the rig share. Internal to body. */
#ifndef SNW_BODY_RIG_H
#define SNW_BODY_RIG_H

#include <sinew/rig.h>

enum {
    SNW__RIG_NAME_SIZE = 96
};

/* One joint on its way into the rig. "T" is the T-pose, whose axes are the world's: +X left, +Y up,
 * +Z forward. */
typedef struct snw__rig_joint {
    snw_part part;
    snw_side side;
    int number;       /* of the same part and side above it */
    int main_child;   /* the bone leads to it; -1: to the tip, or there is no bone */
    snw_vec3 bone;    /* in the joint's frame; zero: none */
    snw_vec3 flexion; /* axis about which the next joint bends, in the joint's frame; zero: none */
    snw_vec3 flexion_of_child; /* the same in that child's frame */
    snw_vec3 thumb;            /* of a forearm: where the thumb's side is; zero: not known */
    snw_quat t_from_joint;     /* the answer: how the joint's frame stands in the T-pose */
    snw_quat t_from_new;       /* how the new joint's frame stands there */
    snw_vec3 place;            /* of the joint in the T-pose */
    snw_vec3 offset, tip;      /* from the parent, and the tip from the joint, in the T-pose */
} snw__rig_joint;

/* What a scheme calls a joint; `is_last`: no more of its part follow. False when the scheme has no
 * name for it. */
bool snw__rig_name(snw_rig_names names, const snw__rig_joint *joint, bool is_last,
                   char text[SNW__RIG_NAME_SIZE]);

/* Fills part to thumb; `thumb` (2) as in snw_rig_options. */
void snw__rig_look(const snw_skeleton *skeleton, const snw_vec3 *thumb, snw__rig_joint *rig);
/* Fills t_from_joint and place; false when hips and both legs are not there. */
bool snw__rig_stand(const snw_skeleton *skeleton, snw__rig_joint *rig);

/* Fills place, offset and tip from t_from_joint. */
void snw__rig_measure(const snw_skeleton *skeleton, snw__rig_joint *rig);
/* How far what is measured is from the same on both sides: the spine, neck and head beside the
 * middle, the arms at two heights or depths; metres. */
double snw__rig_crookedness(const snw_skeleton *skeleton, const snw__rig_joint *rig);
/* Makes both sides equal: places, offsets and tips of a pair are the means of the two, those of the
 * spine come to the middle. Returns how far the farthest joint moved. */
double snw__rig_make_equal(const snw_skeleton *skeleton, snw__rig_joint *rig);
bool snw__rig_is_thumb(const char *name);
/* The same name but for the side that it tells. */
bool snw__rig_is_twin_name(const char *a, const char *b);

enum {
    SNW__RIG_LOCK_PLACES = 7 /* for each frame */
};
/* Holds standing feet where they stand, in a motion whose joints are all balls. `places`:
 * (SNW__RIG_LOCK_PLACES x frame_count) to work in. */
void snw__rig_lock_feet(snw_motion *motion, const snw__rig_joint *rig, snw_pose *pose,
                        snw_vec3 *places);

#endif
