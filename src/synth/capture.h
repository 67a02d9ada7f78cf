/* The parts of a capture: segments that hide, markers that ride, cameras that look, gaps. Internal.
 *
 * Functions that fill a list return how long it is and only count when the list is NULL. */
#ifndef SNW_SYNTH_CAPTURE_H
#define SNW_SYNTH_CAPTURE_H

#include "synth/stage.h"

/* ---- segment.c ------------------------------------------------------------------------------- */

/* One capsule for each bone that is longer than a hundredth of the body. */
int snw__segments_fill(const snw_skeleton *skeleton, snw_synth_segment *segment);
/* The same for the bones of one joint. */
int snw__segments_of(const snw_skeleton *skeleton, int joint, snw_synth_segment *segment);
/* The segment in the world; needs world. */
snw_capsule snw__segment_in_world(const snw_synth_segment *segment, const snw_pose *pose);

/* ---- markers.c, landmarks.c --------------------------------------------------------------- */

/* Radius of a marker's ball, metres: its middle is that far above the skin. */
double snw__marker_radius(const snw_skeleton *skeleton);
/* The named landmarks of this body, placed by the hand of this seed; 0 when none are known for it.
 */
int snw__landmarks_fill(const snw_skeleton *skeleton, uint64_t seed, snw_synth_marker *marker);
/* `segments` are those of snw__segments_fill. */
typedef struct snw__worn_skin {
    const snw_skeleton *skeleton;
    const snw_synth_segment *segment;
    int segment_count;
} snw__worn_skin;
int snw__markers_count(const snw_skeleton *skeleton, const snw_synth_options *options);
void snw__markers_fill(const snw__worn_skin *skin, const snw_synth_options *options,
                       snw_synth_marker *marker);

/* Soft tissue: how far the marker is from its place, in the joint's frame. */
snw_vec3 snw__wobble(const snw_synth_options *options, const snw_synth_marker *marker, int index,
                     double time);

/* ---- camera.c ----------------------------------------------------------------------------- */

/* A ring about the middle of where the joints go, which must be complete in `joints`. */
void snw__cameras_fill(const snw_synth_options *options, const snw_trial *joints,
                       snw_synth_camera *camera);

/* ---- gap.c -------------------------------------------------------------------------------- */

/* Sets is_gone (frame_count x marker_count) where the gap wants it. */
typedef struct snw__gap_field {
    const snw_skeleton *skeleton;
    const snw_synth_marker *marker;
    int marker_count;
    int frame_count;
    bool *is_gone;
    bool *is_chosen; /* (marker_count) scratch */
} snw__gap_field;
snw_status snw__gap_apply(const snw_synth_options *options, int index, const snw__gap_field *field,
                          snw_error *error);

#endif
