/* A person's bones are alike on both sides and share the stature in known parts. Where markers and
 * motion determine a bone, these expectations change nothing; where a segment stood still, or noise
 * hides the joint, they keep the body that of a person. */
#include "calibrate/proportions.h"

#include <math.h>
#include <string.h>

#include "calibrate/calibrate_constants.h"
#include "math/order.h"
#include "person/anthropometry.h"
#include "person/movement.h"

typedef struct proportion_row {
    snw_part upper, lower;
    double share;
} proportion_row;

static const proportion_row proportion_bones[] = {
    {SNW_PART_UPLEG, SNW_PART_LEG, SNW__LENGTH_THIGH},
    {SNW_PART_LEG, SNW_PART_FOOT, SNW__LENGTH_SHANK},
    {SNW_PART_ARM, SNW_PART_FOREARM, SNW__LENGTH_UPPER_ARM},
    {SNW_PART_FOREARM, SNW_PART_HAND, SNW__LENGTH_FOREARM}};
static const proportion_row proportion_spans[] = {
    {SNW_PART_HIPS, SNW_PART_UPLEG, SNW__LENGTH_HIPS}};
enum {
    PROPORTION_BONES = sizeof proportion_bones / sizeof *proportion_bones,
    PROPORTION_SPANS = sizeof proportion_spans / sizeof *proportion_spans
};

/* The joint at the lower end of a bone, whose rest translation is the bone; -1: not there. */
static int bone_of(const snw__anatomy *anatomy, const proportion_row *row, int side)
{
    int upper = anatomy->joint[row->upper][side], lower = anatomy->joint[row->lower][side];
    if (upper < 0 || lower < 0 || anatomy->actor->skeleton->parent[lower] != upper) return -1;
    return lower;
}

static snw_vec3 bone_vector(const snw__anatomy *anatomy, int joint)
{
    return anatomy->actor->skeleton->rest[joint].translation;
}

/* Metres that the bones of this body make a person tall, the median of all; 0: no person, or fewer
 * than three bones, or one that no person has. */
static double person_stature(const snw__anatomy *anatomy)
{
    double stature[2 * PROPORTION_BONES];
    int count = 0;
    for (int b = 0; b < PROPORTION_BONES; b++)
        for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
            int joint = bone_of(anatomy, proportion_bones + b, side);
            if (joint < 0) continue;
            stature[count++] =
                snw_vec3_length(bone_vector(anatomy, joint)) / proportion_bones[b].share;
        }
    double usual = snw__median(stature, count);
    for (int n = 0; n < count; n++)
        if (!(stature[n] < SNW__PROPORTION_MAX * usual && stature[n] > usual / SNW__PROPORTION_MAX))
            return 0;
    return count >= 3 ? usual : 0;
}

static snw__bone_prior expect_length(snw_vec3 bone, int joint, double length, double deviation)
{
    snw__bone_prior prior;
    memset(&prior, 0, sizeof prior);
    prior.joint = joint;
    prior.other = -1;
    prior.direction = snw__direction(bone);
    prior.off = length - snw_vec3_length(bone);
    prior.information = 1 / (deviation * deviation);
    return prior;
}

/* The bone of each side has its share; both are alike. */
static int expect_bone(const snw__anatomy *anatomy, const proportion_row *row, double stature,
                       snw__bone_prior *out)
{
    int joint[SNW_SIDES] = {bone_of(anatomy, row, SNW_SIDE_LEFT),
                            bone_of(anatomy, row, SNW_SIDE_RIGHT)};
    int count = 0;
    double expected = row->share * stature;
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++)
        if (joint[side] >= 0)
            out[count++] = expect_length(bone_vector(anatomy, joint[side]), joint[side], expected,
                                         SNW__LENGTH_DEVIATION * expected);
    if (count < 2) return count;
    snw_vec3 left = bone_vector(anatomy, joint[SNW_SIDE_LEFT]);
    snw_vec3 right = bone_vector(anatomy, joint[SNW_SIDE_RIGHT]);
    out[count] = expect_length(left, joint[SNW_SIDE_LEFT], snw_vec3_length(right),
                               SNW__LENGTH_SIDES * expected);
    out[count].other = joint[SNW_SIDE_RIGHT];
    out[count].of_other = snw__direction(right);
    return count + 1;
}

/* Two joints of one segment are apart by their share. */
static int expect_span(const snw__anatomy *anatomy, const proportion_row *row, double stature,
                       snw__bone_prior *out)
{
    int left = anatomy->joint[row->lower][SNW_SIDE_LEFT];
    int right = anatomy->joint[row->lower][SNW_SIDE_RIGHT];
    int segment = anatomy->joint[row->upper][SNW_SIDE_NONE];
    const int *parent = anatomy->actor->skeleton->parent;
    if (left < 0 || right < 0 || segment < 0 || parent[left] != segment || parent[right] != segment)
        return 0;
    snw_vec3 span = snw_vec3_sub(bone_vector(anatomy, left), bone_vector(anatomy, right));
    *out = expect_length(span, left, row->share * stature,
                         SNW__LENGTH_DEVIATION * row->share * stature);
    out->other = right;
    out->of_other = out->direction;
    return 1;
}

/* A bone has no part along the axis of the hinge at its end. */
static snw__bone_prior expect_across(snw_vec3 bone, int joint, snw_vec3 axis, double angle)
{
    double deviation = angle * snw_vec3_length(bone);
    snw__bone_prior prior;
    memset(&prior, 0, sizeof prior);
    prior.joint = joint;
    prior.other = -1;
    prior.direction = snw__direction(axis);
    prior.off = -snw_vec3_dot(bone, prior.direction);
    prior.information = 1 / (deviation * deviation);
    return prior;
}

/* limit: of the angle, standard deviation, and of the arc. Both bones of a knee or an elbow stand
 * across its axis, which the motion shows although it leaves the place along it open. */
static int expect_hinge(const snw__anatomy *anatomy, const snw__anatomy_hinge *hinge,
                        const snw__joint_turns *turns, const double limit[2], snw__bone_prior *out)
{
    double angle = limit[0], arc = limit[1];
    if (hinge->lower < 0 || snw__anatomy_markers_on(anatomy->actor, hinge->upper) < 3 ||
        snw__anatomy_markers_on(anatomy->actor, hinge->lower) < 3)
        return 0; /* turns about a line of two markers are noise */
    snw_vec3 axis = snw__joint_turns_axis(turns + hinge->lower);
    if (snw_vec3_length(axis) < arc) return 0;
    snw_vec3 of_upper = snw_quat_rotate(turns[hinge->lower].reference, axis);
    out[0] = expect_across(bone_vector(anatomy, hinge->lower), hinge->lower, of_upper, angle);
    out[1] = expect_across(bone_vector(anatomy, hinge->end), hinge->end, axis, angle);
    return 2;
}

int snw__bone_priors(const snw__anatomy *anatomy, const snw__joint_turns *turns, double arc,
                     snw__bone_prior out[SNW__BONE_PRIORS])
{
    int count = 0;
    double stature = person_stature(anatomy), least = fmin(arc, PROPORTION_ARC);
    const double knee[2] = {SNW__KNEE_ACROSS, least}, elbow[2] = {SNW__ELBOW_ACROSS, least};
    if (!(stature > 0)) return 0;
    for (int b = 0; b < PROPORTION_BONES; b++)
        count += expect_bone(anatomy, proportion_bones + b, stature, out + count);
    for (int s = 0; s < PROPORTION_SPANS; s++)
        count += expect_span(anatomy, proportion_spans + s, stature, out + count);
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        count += expect_hinge(anatomy, anatomy->leg + side, turns, knee, out + count);
        count += expect_hinge(anatomy, anatomy->arm + side, turns, elbow, out + count);
    }
    return count;
}
