/* The bodies behind snw_preset_create, one builder each. Internal. */
#ifndef SNW_BODY_PRESET_H
#define SNW_BODY_PRESET_H

#include <sinew/body.h>

typedef snw_status snw__preset_builder(const snw_allocator *allocator, snw_skeleton **out,
                                       snw_error *error);

snw__preset_builder snw__preset_hand26;
snw__preset_builder snw__preset_hand25;
snw__preset_builder snw__preset_humanoid13;
snw__preset_builder snw__preset_humanoid;
snw__preset_builder snw__preset_spine24;
snw__preset_builder snw__preset_shoulder;
snw__preset_builder snw__preset_arm7;
snw__preset_builder snw__preset_puma560;
snw__preset_builder snw__preset_panda;
snw__preset_builder snw__preset_ur5;
snw__preset_builder snw__preset_ur10;
snw__preset_builder snw__preset_gen3;

/* Range number `which` of a limit, given in degrees as the tables of the literature are. */
void snw__preset_range(snw_joint_limit *limit, int which, const double degrees[2]);

#endif
