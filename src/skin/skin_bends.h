/* Corrections of elbows and knees. Internal to skin. */
#ifndef SNW_SKIN_SKIN_BENDS_H
#define SNW_SKIN_SKIN_BENDS_H

#include <sinew/skin.h>

typedef struct bends_work {
    const snw_skeleton *skeleton;
    snw_pose *pose;
    snw_skin_bend *bend;   /* of the skin */
    snw_skin_shift *shift; /* of the skin */
    int shift_count;
    snw_vec3 *normal; /* (vertices) sums of areas */
    float *place;     /* (3 x vertices) */
    double rest_volume, area, reach;
} bends_work;

int snw__skin_bend_count(const snw_skeleton *skeleton);
/* Bends and shifts of a skin whose weights are there; there is room for a shift of each vertex. */
void snw__skin_bends_fill(bends_work *work, snw_skin *skin);

#endif
