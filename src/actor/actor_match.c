/* Matches the markers of actors and trials by name, and motions to bodies. */
#include "actor/actor_match.h"

#include <string.h>

#include "base/fail.h"

int snw__marker_source(const snw_actor *actor, const snw_trial *trial, int marker)
{
    int earlier = 0;
    for (int m = 0; m < marker; m++)
        earlier += strcmp(actor->marker[m].name, actor->marker[marker].name) == 0;
    for (int s = 0; s < trial->marker_count; s++) {
        if (strncmp(trial->marker[s].name, actor->marker[marker].name, SNW_LABEL_SIZE - 1) != 0)
            continue;
        if (earlier-- == 0) return s;
    }
    return -1;
}

snw_status snw__check_motion_of(const snw_actor *actor, const snw_motion *motion, snw_error *error)
{
    if (motion->skeleton->joint_count == actor->skeleton->joint_count) return SNW_OK;
    return snw__fail(error, SNW_INVALID_ARGUMENT,
                     "the motion has %d joints, the actor %d: they are not of one body",
                     motion->skeleton->joint_count, actor->skeleton->joint_count);
}
