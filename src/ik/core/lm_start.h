/* Where the attempts of Levenberg-Marquardt begin: at the given pose first, then shaken, then in
 * turn from where the last one met a limit, on the other side of it, and anywhere. Internal. */
#ifndef SNW_IK_LM_START_H
#define SNW_IK_LM_START_H

#include "ik/core/system.h"

enum {
    SNW__IK_LM_SHAKES = 2 /* the first fresh starts: another answer near the given pose */
};

/* Puts the pose where attempt number `attempt` begins. Needs the pose of the last one, and the
 * lowest minimum in system->lowest. */
void snw__ik_lm_begin(snw__ik_system *system, const snw_goal *goals, snw_random *random,
                      int attempt, snw_pose *pose);
/* Does that attempt begin beside the lowest minimum? */
bool snw__ik_lm_mends(const snw__ik_system *system, int attempt);
/* Joints with ranges half way to the middle of them, where few limbs are stretched. */
void snw__ik_lm_bend(const snw__ik_system *system, snw_pose *pose);

#endif
