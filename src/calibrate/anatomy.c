/* The directions of a body, found from the body itself.
 *
 * A knee's or elbow's axis is across the fan that the lower bone draws in the frame of the upper
 * one; a knee bends backwards, an elbow forwards, which tells the inner side. */
#include "calibrate/anatomy.h"

#include <string.h>

#include "calibrate/calibrate_constants.h"
#include "center/center.h"
#include "label/bone_name.h"
#include "label/label_grammar.h"
#include "math/kernel.h"
#include "math/symmetric3.h"

/* ---- parts -------------------------------------------------------------------------------- */

/* Names of other conventions: tens of bone_name.c's ranks, of the bone and of the joint where it
 * begins, in the order in which they are taken. A body that has both divides its forearm or shank
 * and begins it at the joint; but what is called a shoulder is then a collar, and a hip a part of
 * the pelvis. */
static const struct {
    snw_part part;
    snw__bone_chain chain;
    int rank[2];
} anatomy_bones[] = {
    {SNW_PART_HIPS, SNW__BONE_TRUNK, {0, 0}}, {SNW_PART_SHOULDER, SNW__BONE_ARM, {0, 0}},
    {SNW_PART_ARM, SNW__BONE_ARM, {2, 1}},    {SNW_PART_FOREARM, SNW__BONE_ARM, {3, 4}},
    {SNW_PART_HAND, SNW__BONE_ARM, {5, 6}},   {SNW_PART_UPLEG, SNW__BONE_LEG, {1, 0}},
    {SNW_PART_LEG, SNW__BONE_LEG, {2, 3}},    {SNW_PART_FOOT, SNW__BONE_LEG, {4, 5}}};

static int find_rank(const snw_skeleton *body, snw__bone_chain chain, snw_side side, int tens)
{
    for (int j = 0; j < body->joint_count; j++) {
        snw__bone bone;
        if (snw__bone_read(body->name[j], &bone) && bone.chain == chain && bone.side == (int)side &&
            bone.rank / 10 == tens)
            return j;
    }
    return -1;
}

static int find_joint(const snw_actor *actor, snw_part part, snw_side side)
{
    const snw_skeleton *body = actor->skeleton;
    const char *name = snw_part_name(part, side);
    for (int j = 0; j < body->joint_count; j++)
        if (strcmp(snw__bare_label(body->name[j]), name) == 0) return j;
    for (size_t n = 0; n < sizeof anatomy_bones / sizeof *anatomy_bones; n++) {
        if (anatomy_bones[n].part != part) continue;
        int j = find_rank(body, anatomy_bones[n].chain, side, anatomy_bones[n].rank[0]);
        return j >= 0 ? j : find_rank(body, anatomy_bones[n].chain, side, anatomy_bones[n].rank[1]);
    }
    return -1;
}

static void begin_hinge(const snw__anatomy *anatomy, snw_part upper, snw_side side,
                        snw__anatomy_hinge *hinge)
{
    const int *parent = anatomy->actor->skeleton->parent;
    hinge->upper = anatomy->joint[upper][side];
    hinge->lower = anatomy->joint[upper + 1][side];
    hinge->end = anatomy->joint[upper + 2][side];
    if (hinge->upper < 0 || hinge->end < 0 || hinge->lower < 0 ||
        parent[hinge->end] != hinge->lower || parent[hinge->lower] != hinge->upper)
        hinge->lower = -1;
}

void snw__anatomy_begin(snw__anatomy *anatomy, const snw_actor *actor, const snw_label *landmark)
{
    memset(anatomy, 0, sizeof *anatomy);
    anatomy->actor = actor;
    anatomy->landmark = landmark;
    for (int part = 0; part < SNW_PART_COUNT; part++)
        for (int side = 0; side < 3; side++) {
            bool is_one = snw_part_is_paired((snw_part)part) == (side != SNW_SIDE_NONE);
            anatomy->joint[part][side] =
                is_one ? find_joint(actor, (snw_part)part, (snw_side)side) : -1;
        }
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        begin_hinge(anatomy, SNW_PART_UPLEG, (snw_side)side, anatomy->leg + side);
        begin_hinge(anatomy, SNW_PART_ARM, (snw_side)side, anatomy->arm + side);
    }
}

int snw__anatomy_marker(const snw__anatomy *anatomy, int joint, snw__landmark landmark,
                        snw_side side)
{
    for (int m = 0; m < anatomy->actor->marker_count && landmark >= 0; m++)
        if (anatomy->actor->marker[m].joint == joint &&
            anatomy->landmark[m].landmark == (int)landmark && anatomy->landmark[m].side == side)
            return m;
    return -1;
}

int snw__anatomy_markers_on(const snw_actor *actor, int joint)
{
    int count = 0;
    for (int m = 0; m < actor->marker_count; m++)
        count += actor->marker[m].joint == joint;
    return count;
}

/* ---- chest -------------------------------------------------------------------------------- */

bool snw__anatomy_find_chest(const snw__anatomy *anatomy, snw__anatomy_chest *chest)
{
    const snw_actor_marker *marker = anatomy->actor->marker;
    int segment = anatomy->joint[SNW_PART_CHEST][SNW_SIDE_NONE];
    if (segment < 0) return false;
    /* A marker below that tells which way is up, where those above are in a line. */
    static const snw__landmark lows[] = {SNW__LANDMARK_T10, SNW__LANDMARK_T8, SNW__LANDMARK_T9,
                                         SNW__LANDMARK_STRN};
    int low = -1;
    for (size_t n = 0; n < sizeof lows / sizeof *lows && low < 0; n++)
        low = snw__anatomy_marker(anatomy, segment, lows[n], SNW_SIDE_NONE);
    chest->c7 = snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_C7, SNW_SIDE_NONE);
    int notch = snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_CLAV, SNW_SIDE_NONE);
    chest->front[0] = chest->front[1] = notch;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT && notch < 0; side++)
        chest->front[side] =
            snw__anatomy_marker(anatomy, segment, SNW__LANDMARK_STRN, (snw_side)side);
    if (chest->c7 < 0 || chest->front[0] < 0 || chest->front[1] < 0) return false;
    snw_vec3 left = marker[chest->front[0]].offset, right = marker[chest->front[1]].offset;
    snw_vec3 back = marker[chest->c7].offset;
    chest->notch = snw_vec3_lerp(left, right, 0.5);
    snw_vec3 way = snw_vec3_sub(chest->notch, back);
    chest->depth = snw_vec3_length(way);
    chest->ahead = snw__direction(way);
    snw_vec3 rise = snw_vec3_cross(snw_vec3_sub(right, left), chest->ahead);
    if (notch >= 0) {
        if (low < 0) return false;
        rise = snw_vec3_sub(snw_vec3_lerp(back, chest->notch, 0.5), marker[low].offset);
    }
    chest->up =
        snw__direction(snw_vec3_add_scaled(rise, -snw_vec3_dot(rise, chest->ahead), chest->ahead));
    return snw_vec3_length2(chest->up) > 0;
}

/* ---- hinges ------------------------------------------------------------------------------- */

static void add_to_fan(snw__anatomy_fan *fan, snw_quat frame, snw_vec3 bone, snw_vec3 inwards)
{
    snw_vec3 local = snw_quat_unrotate(frame, bone);
    fan->bone = snw_vec3_add(fan->bone, local);
    snw__add_outer(&fan->spread, 1, local);
    fan->inwards = snw_vec3_add(fan->inwards, snw_quat_unrotate(frame, inwards));
}

/* The bend as a vector, upper x lower bone, points to the left for a knee and to the right for an
 * elbow, on both sides of the body; sign turns it inwards. */
static void look_at_hinge(snw__anatomy_hinge *hinge, const snw_pose *pose, double sign)
{
    const snw_xform *world = pose->world;
    if (hinge->lower < 0) return;
    snw_vec3 middle = world[hinge->lower].translation;
    snw_vec3 upper = snw__direction(snw_vec3_sub(middle, world[hinge->upper].translation));
    snw_vec3 lower = snw__direction(snw_vec3_sub(world[hinge->end].translation, middle));
    snw_vec3 inwards = snw_vec3_scale(snw_vec3_cross(upper, lower), sign);
    add_to_fan(&hinge->of_upper, world[hinge->upper].rotation, lower, inwards);
    add_to_fan(&hinge->of_lower, world[hinge->lower].rotation, upper, inwards);
}

static void look_across(snw__anatomy_hinge *hinge, const snw_pose *pose, int other)
{
    const snw_xform *world = pose->world;
    if (hinge->lower < 0 || other < 0) return;
    snw_vec3 way =
        snw__direction(snw_vec3_sub(world[other].translation, world[hinge->upper].translation));
    hinge->of_upper.across =
        snw_vec3_add(hinge->of_upper.across, snw_quat_unrotate(world[hinge->upper].rotation, way));
    hinge->of_lower.across =
        snw_vec3_add(hinge->of_lower.across, snw_quat_unrotate(world[hinge->lower].rotation, way));
}

void snw__anatomy_look(snw__anatomy *anatomy, const snw_pose *pose)
{
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        int other = SNW_SIDE_LEFT + SNW_SIDE_RIGHT - side;
        double to_right = side == SNW_SIDE_LEFT ? 1 : -1; /* is inwards */
        look_at_hinge(anatomy->leg + side, pose, -to_right);
        look_at_hinge(anatomy->arm + side, pose, to_right);
        look_across(anatomy->leg + side, pose, anatomy->joint[SNW_PART_UPLEG][other]);
        snw__anatomy_chest chest;
        int clavicle = anatomy->joint[SNW_PART_SHOULDER][side];
        if (clavicle < 0 || !snw__anatomy_find_chest(anatomy, &chest)) continue;
        snw_quat turn =
            snw_quat_mul(snw_quat_conjugate(pose->world[clavicle].rotation),
                         pose->world[anatomy->joint[SNW_PART_CHEST][SNW_SIDE_NONE]].rotation);
        anatomy->ahead_of_clavicle[side] =
            snw_vec3_add(anatomy->ahead_of_clavicle[side], snw_quat_rotate(turn, chest.ahead));
        anatomy->up_of_clavicle[side] =
            snw_vec3_add(anatomy->up_of_clavicle[side], snw_quat_rotate(turn, chest.up));
    }
    anatomy->frame_count++;
}

/* The bone's directions lie in a plane across the axis whatever constant error the centres have,
 * which a mean of the bends would not forgive. Where the arc is short, the other side of the body
 * tells. */
snw_vec3 snw__anatomy_inwards(const snw__anatomy_fan *fan, int count)
{
    snw_vec3 mean = snw_vec3_scale(fan->bone, 1.0 / count), along = snw__direction(mean);
    snw_mat3 spread;
    for (int k = 0; k < 9; k++)
        spread.m[k / 3][k % 3] = fan->spread.m[k / 3][k % 3] / count;
    snw__add_outer(&spread, -1, mean);
    snw__spectrum3 arc = snw__spectrum3_of(spread);
    snw_vec3 axis = snw__direction(snw_vec3_cross(arc.vector[0], along));
    double length = sqrt(fmax(arc.value[0], 0));
    /* The other hip tells inwards although labels of left and right are swapped.
     * Cosine. A leg's axis nearer than this to the line between the hips, on average, has its sign
     * from there: no hip turns by more than 60 degrees for long. */
    bool is_across = fabs(snw_vec3_dot(axis, fan->across)) > SNW__COS_60 * count;
    if (snw_vec3_dot(axis, is_across ? fan->across : fan->inwards) < 0) length = -length;
    snw_vec3 across = snw_vec3_scale(fan->across, ANATOMY_ACROSS_SHARE / count);
    across = snw_vec3_add_scaled(across, -snw_vec3_dot(across, along), along);
    return snw_vec3_add_scaled(across, length, axis);
}
