/* Virtual joints of a person's spine: lumbar and thoracic, neck and head. Internal. */
#ifndef SNW_CALIBRATE_SPINE_H
#define SNW_CALIBRATE_SPINE_H

#include <sinew/calibrate.h>

/* Trunk and neck: joints that a body may get besides those between its segments. */
enum {
    SNW__SPINE_LINKS = 2
};

/* A bone without markers: the joint at its beginning is new, the segment beyond hangs from its end.
 */
typedef struct snw__spine_link {
    int joint;           /* the new one, in the divided skeleton */
    int child;           /* the segment's, which follows it */
    double deviation[2]; /* standard deviations of both centres, metres */
} snw__spine_link;

typedef struct snw__spine {
    int count;
    snw__spine_link link[SNW__SPINE_LINKS];
} snw__spine;

/* Puts the bones into the skeleton of a person whose chest hangs from the pelvis, and head from the
 * chest, where labels tell enough of their markers (label: (marker_count) of the actor's). Joints
 * keep their order, names and places besides; later ones count on. actor->estimate must have room
 * for SNW__SPINE_LINKS more joints. Bodies that are none, or have such bones, stay as they are. */
snw_status snw__spine_divide(snw_actor *actor, const snw_trial *trial, const snw_label *label,
                             snw__spine *spine, snw_error *error);
/* The number that a joint of the undivided skeleton has now. */
int snw__spine_joint(const snw__spine *spine, int joint);

#endif
