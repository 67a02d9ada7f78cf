/* sinew/functional.h - hip centres and knee axes from a person's own movements, for the gait model.
 *
 *     snw_functional functional = {0};
 *     snw_functional_add(&functional, hip_trial, &notes, &error);  // star, arc: any order, any
 * number snw_functional_add(&functional, knee_trial, &notes, &error); // bends and straightens
 *     options.functional = &functional;                           // snw_gait_model_make
 *
 * Hips by SCoRE (Ehrig et al. 2006), knee axes by SARA (Ehrig et al. 2007): sinew/center.h solves
 * both. Where a thigh has fewer than three markers the hip comes from the spheres that they move
 * on. Plain data, any thread.
 */
#ifndef SINEW_FUNCTIONAL_H
#define SINEW_FUNCTIONAL_H

#include <sinew/gait.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes every hip that the trial moves about all axes, and every knee that it bends, where they
 * are surer than what is there; notes tell each with its uncertainty. SNW_NOT_FOUND without the
 * markers of the gait model, SNW_DEGENERATE when it moves no joint enough. */
SNW_API snw_status snw_functional_add(snw_functional *functional, const snw_trial *trial,
                                      snw_notes *notes, snw_error *error);

/* Does the person stand still: the file says so (SUBJECTS:IS_STATIC), or no marker of pelvis and
 * feet goes anywhere? */
SNW_API bool snw_trial_is_still(const snw_trial *trial);

#ifdef __cplusplus
}
#endif
#endif
