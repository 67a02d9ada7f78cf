/* Segments with too few markers for a rotation of their own. Internal. */
#ifndef SNW_CALIBRATE_UNDERDETERMINED_H
#define SNW_CALIBRATE_UNDERDETERMINED_H

#include "center/segment_pair.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Room for the candidates of one tree. */
typedef struct snw__underdetermined_work {
    int sample_max;   /* frames that a candidate is judged from */
    snw_vec3 *marker; /* (sample_max x SNW__UNDERDETERMINED_MARKERS) in the parent's frame; NaN =
                         not seen */
} snw__underdetermined_work;

/* Markers of an underdetermined segment that count; a segment in a line may have more. */
enum {
    SNW__UNDERDETERMINED_MARKERS = 4
};

/* The joint of an underdetermined segment to `parent`, from the spheres its markers describe about
 * it. The cost is in metres: how far the radii vary, plus a little for their length. HUGE_VAL: no
 * joint. */
double snw__underdetermined_candidate(const snw__samples *samples, const snw__rigid *under,
                                      const snw__rigid *parent,
                                      const snw__underdetermined_work *work,
                                      snw__segment_pair *pair);

/* Gives the underdetermined segment poses from its markers and the joint's centre, which the parent
 * carries, and completes the pair. One marker leaves the twist open: it follows the parent. */
void snw__underdetermined_join(const snw__samples *samples, snw__rigid *under,
                               const snw__rigid *parent, snw__segment_pair *pair);

#endif
