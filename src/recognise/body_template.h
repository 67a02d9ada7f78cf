/* A generic person: 17 segments joined as a tree, where markers sit on them, and how joints bend.
 * The whole is scaled by one stature. Internal.
 *
 * Every segment has the body's axes while the person stands with the arms hanging, palms inwards:
 * x forwards, y to the left, z up. Lengths are in statures. */
#ifndef SNW_RECOGNISE_BODY_TEMPLATE_H
#define SNW_RECOGNISE_BODY_TEMPLATE_H

#include <sinew/label.h>
#include <sinew/math.h>

#include "person/site.h"

/* Parents first; of a pair the left one first. */
typedef enum snw__cluster {
    SNW__SEGMENT_HIPS,
    SNW__SEGMENT_CHEST,
    SNW__SEGMENT_HEAD,
    SNW__SEGMENT_SHOULDER, /* + 1: the right one */
    SNW__SEGMENT_ARM = 5,
    SNW__SEGMENT_FOREARM = 7,
    SNW__SEGMENT_HAND = 9,
    SNW__SEGMENT_UPLEG = 11,
    SNW__SEGMENT_LEG = 13,
    SNW__SEGMENT_FOOT = 15,
    SNW__SEGMENT_COUNT = 17
} snw__cluster;

enum {
    SNW__SEGMENT_DEPTH = 6 /* from the pelvis to a hand, both counted */
};

typedef struct snw__segment_row {
    snw_part part;
    int parent;       /* segment; -1: none */
    snw_vec3 joint;   /* where it begins, in its parent */
    snw_vec3 usual;   /* rotation vector of its usual pose, radians */
    snw_vec3 spread;  /* standard deviation about it */
    double low, high; /* of the rotation about y, beyond which no joint bends */
    snw_vec3 flesh;   /* middle of the points on it that are no known site */
    snw_vec3 extent;  /* their standard deviation */
} snw__segment_row;

const snw__segment_row *snw__segment_of(int segment);
snw_side snw__segment_side(int segment);
/* Of the other side; a segment in the middle is its own mirror image. */
int snw__segment_mirror(int segment);

/* A row on one side. */
typedef struct snw__site {
    const snw__site_row *row;
    snw_side side;
    int segment;
    snw_vec3 place;
    int mirror;    /* site of the other side; -1: none */
    int companion; /* -1: none */
} snw__site;

enum {
    SNW__SITE_MAX = 192
};
/* Both sides of all rows. Returns how many. */
int snw__sites_fill(snw__site site[SNW__SITE_MAX]);

#endif
