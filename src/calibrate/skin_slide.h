/* How far skin slides with the angle of a joint. Internal. */
#ifndef SNW_CALIBRATE_SKIN_SLIDE_H
#define SNW_CALIBRATE_SKIN_SLIDE_H

#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

typedef struct snw__skin_slide {
    double slope; /* metres per radian: how far a coordinate of a marker of either segment moves on
                     its segment in step with the angle of the joint between them; 0: no more than
                     noise explains, or the segments do not tell */
    double angle; /* of the joint, rms from its mean, radians */
} snw__skin_slide;

snw__skin_slide snw__skin_slide_find(const snw__samples *samples, const snw__rigid *parent,
                                     const snw__rigid *child);
/* Brings slopes (count) to what is usual in this body, half of the way in squares: four markers may
 * slide alike by chance and show nothing. work: (count). */
void snw__skin_slide_pool(snw__skin_slide *slide, int count, double *work);

#endif
