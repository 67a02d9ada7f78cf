/* Joint centres of a finished tree by a method of the literature. Internal. */
#ifndef SNW_CALIBRATE_TREE_METHOD_H
#define SNW_CALIBRATE_TREE_METHOD_H

#include <sinew/center.h>

#include "calibrate/joint_tree.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Replaces the centres of all joints between segments with three own markers and more; a joint for
 * which the method has no answer keeps the one it had. *kept_count receives how many these are. */
snw_status snw__joint_tree_use_method(snw__joint_tree *tree, const snw__samples *samples,
                                      const snw__rigids *rigids, snw_center_method method,
                                      int *kept_count, snw_error *error);

#endif
