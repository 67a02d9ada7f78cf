/* sinew/calibrate.h - limbs become an actor: a tree, joint centres, anatomy, the whole body fitted.
 *
 *     snw_actor *actor = NULL;
 *     snw_limbs_find(trial, NULL, NULL, &limbs, NULL, &error); // markers that move together
 *     snw_actor_calibrate(trial, limbs, NULL, NULL, &actor, NULL, &error); // bones and joints
 *
 * Options that are NULL mean `_default()`, an allocator that is NULL means malloc. Notes and errors
 * may be NULL too. Any thread.
 */
#ifndef SINEW_CALIBRATE_H
#define SINEW_CALIBRATE_H

#include <sinew/actor.h>
#include <sinew/center.h>
#include <sinew/limb.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_actor_options {
    const char *root; /* name of the limb that is the root; NULL: chosen */
    int frame_max;    /* frames that the calibration looks at, spread over the trial; 3000 */
    int part;         /* which body, where several fall apart; from 0, 0 = the largest or first */
    const snw_center_method *method; /* places the joints, and leaves them there; NULL: the maximum
                                        likelihood of both limbs' poses, then of the whole body */
    const snw_labels *labels; /* what the names say; NULL: as the limbs carry them, or the trial */
} snw_actor_options;

SNW_API snw_actor_options snw_actor_options_default(void);

/* Joins limbs to a tree, places the joint centres and the markers. Limbs without names are called
 * as those of a person ("LeftUpLeg") or by their place in the tree ("A2"). notes receives what was
 * guessed or left out. SNW_NOT_FOUND when there is no body number options->part. */
SNW_API snw_status snw_actor_calibrate(const snw_trial *trial, const snw_limbs *limbs,
                                       const snw_actor_options *options,
                                       const snw_allocator *allocator, snw_actor **out,
                                       snw_notes *notes, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
