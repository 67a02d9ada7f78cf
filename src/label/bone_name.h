/* Names that animators and laboratories give to bones, as places in a body. Internal. */
#ifndef SNW_LABEL_BONE_NAME_H
#define SNW_LABEL_BONE_NAME_H

#include <sinew/label.h>

typedef enum snw__bone_chain {
    SNW__BONE_TRUNK, /* pelvis to head; the only one without a side */
    SNW__BONE_ARM,   /* collar to hand */
    SNW__BONE_LEG,   /* hip to toes */
    SNW__BONE_FINGER /* at the end of an arm, several on a side */
} snw__bone_chain;

/* Where a bone stands in a body. */
typedef struct snw__bone {
    snw__bone_chain chain;
    int side;   /* a snw_side */
    int finger; /* which finger, where chain says so */
    int rank;   /* grows outwards along the chain */
} snw__bone;

/* "LeftUpLeg", "l_thigh", "Joe:RightForeArm", "Spine2"; false when the name says nothing. */
bool snw__bone_read(const char *name, snw__bone *bone);

#endif
