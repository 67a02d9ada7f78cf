/* Casanueva's reach analysis (4.3.2, Table 4.1): a chain with a tracker on its first link, and from
 * three links on also on its last, is two chains of one or two links joined at their ends. The far
 * end of one link reaches a point; of two links a circle (one kind of freedom at the joint between)
 * or a sphere (flexion in two ways, or flexion and twist). What the chain leaves open is where the
 * two sets meet. */
#include <string.h>

#include <sinew/avatar.h>

#include "base/fail.h"

/* A joint reduced as the text shows: more than one twist counts as one, more than two flexions as
 * two. */
typedef struct reach_joint {
    int twist;   /* 0 or 1 */
    int flexion; /* 0 to 2 */
} reach_joint;

static bool parse_joint(const char *word, reach_joint *joint)
{
    joint->twist = joint->flexion = 0;
    if (!word || !*word) return false;
    for (; *word; word++) {
        bool is_ball = *word == 'S';
        if (!is_ball && *word != 'T' && *word != 'F' && *word != '-') return false;
        joint->twist |= is_ball || *word == 'T';
        joint->flexion += is_ball ? 2 : *word == 'F';
        if (joint->flexion > 2) joint->flexion = 2;
    }
    return true;
}

/* Of the far end of a link behind this joint. A stiff joint leaves it where it is. */
static snw_reach_shape end_shape(reach_joint joint)
{
    int freedoms = joint.twist + joint.flexion;
    return freedoms == 0 ? SNW_REACH_POINT : freedoms == 1 ? SNW_REACH_CIRCLE : SNW_REACH_SPHERE;
}

/* Where two sets meet, in general and in special position: a circle may lie in a sphere. Circles
 * and spheres about different points never coincide. */
static void meet_shapes(snw_reach_shape a, snw_reach_shape b, snw_reach_set *set)
{
    set->special = set->shape = SNW_REACH_TWO_POINTS;
    if (a == SNW_REACH_POINT || b == SNW_REACH_POINT) {
        set->special = set->shape = SNW_REACH_POINT;
    } else if (a == SNW_REACH_SPHERE && b == SNW_REACH_SPHERE) {
        set->special = set->shape = SNW_REACH_CIRCLE;
    } else if (a == SNW_REACH_SPHERE || b == SNW_REACH_SPHERE) {
        set->special = SNW_REACH_CIRCLE;
    }
}

snw_status snw_reach_analyse(const char *const *joints, int link_count, snw_reach_set *set,
                             snw_error *error)
{
    if (!set || link_count < 1 || (link_count > 1 && !joints))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a chain of %d links", link_count);
    memset(set, 0, sizeof *set);
    set->link_count = link_count;
    reach_joint joint[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int j = 0; j < link_count - 1; j++) {
        reach_joint parsed;
        if (!parse_joint(joints[j], &parsed))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "joint %d: \"%s\" is not made of T, F, S or -", j + 1,
                             joints[j] ? joints[j] : "");
        if (j < 3) joint[j] = parsed;
    }
    snw_reach_shape first = link_count > 1 ? end_shape(joint[0]) : SNW_REACH_POINT;
    set->shape = set->special = link_count > 4 ? SNW_REACH_TOO_LARGE : first;
    if (link_count == 3) meet_shapes(first, SNW_REACH_POINT, set);
    if (link_count == 4) meet_shapes(first, end_shape(joint[2]), set);
    /* Behind the root, a link with twist at both of its joints may roll freely; the last link of
     * two has only one joint, and with three or four links the last one carries a tracker. */
    if (link_count == 2) set->is_roll_free[0] = joint[0].twist;
    if (link_count == 3 || link_count == 4) set->is_roll_free[0] = joint[0].twist && joint[1].twist;
    if (link_count == 4) set->is_roll_free[1] = joint[1].twist && joint[2].twist;
    return snw__succeed(error);
}

const char *snw_reach_shape_name(snw_reach_shape shape)
{
    static const char *const names[] = {"a point", "two points", "a circle", "a sphere",
                                        "too large to be useful"};
    return (unsigned)shape < sizeof names / sizeof names[0] ? names[shape] : "?";
}
