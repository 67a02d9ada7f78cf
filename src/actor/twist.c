/* Twists that no marker shows are held. */
#include "actor/twist.h"

#include "label/label_grammar.h"

static int only_marker(const snw_actor *actor, int joint)
{
    int only = -1;
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != joint) continue;
        if (only >= 0) return -1;
        only = m;
    }
    return only;
}

static bool has_child(const snw_joint_def *def, int joint_count, int joint)
{
    for (int c = joint + 1; c < joint_count; c++)
        if (def[c].parent == joint) return true;
    return false;
}

/* Collar bones and thighs. */
static bool hardly_twists(const char *name)
{
    snw_side side;
    snw_part part = snw_part_read(snw__bare_label(name), &side);
    return part == SNW_PART_SHOULDER || part == SNW_PART_UPLEG;
}

void snw__twists_hold(const snw_actor *actor, snw_joint_def *def, int joint_count)
{
    for (int j = 1; j < joint_count; j++) {
        int m = only_marker(actor, j);
        if (m < 0 || !has_child(def, joint_count, j) || !hardly_twists(def[j].name)) continue;
        snw_vec3 bone = snw_vec3_unit(actor->marker[m].offset, snw_vec3_make(0, 0, 1));
        def[j].joint.type = SNW_JOINT_UNIVERSAL;
        def[j].joint.axis = snw_vec3_perpendicular(bone);
        def[j].joint.axis2 = snw_vec3_cross(bone, def[j].joint.axis);
    }
}
