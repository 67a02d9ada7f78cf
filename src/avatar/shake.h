/* Filters that take the shake out of a tracker's pose. Internal. */
#ifndef SNW_AVATAR_SHAKE_H
#define SNW_AVATAR_SHAKE_H

#include <sinew/avatar.h>

typedef struct snw__shake {
    bool is_running;
    snw_xform pose;
    snw_vec3 velocity; /* metres per second, filtered */
    snw_vec3 spin;     /* rotation vector per second, world axes */
} snw__shake;

/* The filtered pose; dt in seconds. The first call returns its input. */
snw_xform snw__shake_step(snw__shake *shake, snw_shake_filter filter, double cutoff, snw_xform pose,
                          double dt);

#endif
