/* What calibration and the solver of a trial may see of a tracker. Internal. */
#ifndef SNW_TRACK_TRACKER_H
#define SNW_TRACK_TRACKER_H

#include <sinew/track.h>

#include "track/style_segment.h"

/* One marker of the actor in the last frame, as the tracker weighed it. */
typedef struct snw__observation {
    snw_vec3 position; /* where it was seen, metres */
    double weight;     /* from its noise and uncertainty, mean about 1; 0: not seen */
    double bound;      /* distance from the body at which it counts a quarter, metres */
} snw__observation;

snw__observation snw__tracker_observation(const snw_tracker *tracker, int marker);
/* One frame by itself: snw_tracker_step without the continuity of what is put out. */
snw_track snw__tracker_solve(snw_tracker *tracker, const snw_frame *frame, snw_pose *pose);
/* How a pose (world filled) that was found otherwise lies to the frame's markers. */
snw_track snw__tracker_measure(snw_tracker *tracker, const snw_frame *frame, const snw_pose *pose);
/* snw_tracker_start, with the frame that the pose is of. */
void snw__tracker_start_beside(snw_tracker *tracker, const snw_pose *pose, const snw_frame *frame);
/* Brings `pose`, which is near its answer, onto the frame's markers: no first guess, no other
 * start, limits as they are. Joints that are `known` in full (joint_count, snw__determinacy) keep
 * their rotations; the others are drawn to those of snw__tracker_start_beside. */
snw_track snw__tracker_bring_onto(snw_tracker *tracker, const snw_frame *frame,
                                  const uint8_t *known, snw_pose *pose);
/* Hidden segments stay as they are from now on; where the style puts them, snw__style_gaps_fill
 * says (style_segment.h), which this is for. */
snw__style_segments *snw__tracker_rest_style(snw_tracker *tracker);
/* Of the last frame, lost or not: see snw__observability_rank. */
const uint8_t *snw__tracker_rank(const snw_tracker *tracker);

#endif
