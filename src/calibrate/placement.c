/* Where markers sit on the bones of a person: around them and along them.
 *
 * A joint that hardly turned is not told by the motion, and one that turned about one axis is not
 * along it. But markers surround their bone, so its middle is at their mean. How well, they tell
 * themselves: they lie at about one distance r from the bone's axis, and the mean of squares
 *
 *     r^2 = s^2 + d^2, s their spread about their mean, d the mean's own distance from the axis,
 *
 * leaves little for d where markers are all around a segment, and nearly r for those of a plate.
 * The end of a chain (hand, head, toes) continues the bone that carries it. */
#include "calibrate/placement.h"

#include <math.h>
#include <string.h>

#include "calibrate/calibrate_constants.h"
#include "label/bone_name.h"
#include "person/anthropometry.h"

/* Halves of the lengths of bones that end a chain, in metres: hand, head, toes as three tenths of a
 * foot. Ranks as bone_name.c has them. */
static const struct {
    snw__bone_chain chain;
    int rank; /* from there on */
    double half;
} placement_ends[] = {{SNW__BONE_ARM, 50, SNW__LENGTH_HAND *SNW__STATURE / 2},
                      {SNW__BONE_TRUNK, 70, SNW__LENGTH_HEAD *SNW__STATURE / 2},
                      {SNW__BONE_LEG, 60, 0.3 * SNW__LENGTH_FOOT *SNW__STATURE / 2}};

bool snw__placement_is_known(const snw_skeleton *body)
{
    snw__bone bone;
    for (int j = 0; j < body->joint_count; j++)
        if (!snw__bone_read(body->name[j], &bone)) return false;
    return true;
}

/* The joint at the far end of a segment: its only one, that of the trunk's next segment, or the
 * first of several fingers at a forearm; -1: the segment branches, or ends a chain. */
static int next_joint(const snw_skeleton *body, int segment, const snw__bone *bone)
{
    int first = -1, trunk = -1, count = 0;
    for (int j = segment + 1; j < body->joint_count; j++) {
        snw__bone other;
        if (body->parent[j] != segment) continue;
        if (count++ == 0) first = j;
        if (trunk < 0 && snw__bone_read(body->name[j], &other) && other.chain == SNW__BONE_TRUNK)
            trunk = j;
    }
    if (count <= 1) return first;
    if (bone->chain == SNW__BONE_TRUNK) return trunk;
    return bone->chain == SNW__BONE_ARM && bone->rank < 50 ? first : -1;
}

/* Of the segment's markers, in its frame. */
typedef struct placement_cloud {
    int count;
    snw_vec3 mean;
} placement_cloud;

static placement_cloud cloud_of(const snw_actor *actor, int segment)
{
    placement_cloud cloud = {0, {0, 0, 0}};
    for (int m = 0; m < actor->marker_count; m++)
        if (actor->marker[m].joint == segment)
            cloud.mean = snw_vec3_lerp(cloud.mean, actor->marker[m].offset, 1.0 / ++cloud.count);
    return cloud;
}

/* That the mean of the offsets, less half of the next bone, moves by `off`. */
static int expect_mean(int segment, int next, snw_vec3 off, snw_vec3 u, const double deviation[2],
                       snw__placement_prior out[3])
{
    snw_vec3 aside = snw_vec3_perpendicular(u);
    const snw_vec3 axis[3] = {u, aside, snw_vec3_cross(u, aside)};
    for (int k = 0; k < 3; k++) {
        double one = deviation[k > 0];
        out[k] = (snw__placement_prior){segment, next, axis[k], snw_vec3_dot(off, axis[k]),
                                        1 / (one * one)};
    }
    return 3;
}

int snw__placement_priors(const snw_actor *actor, const snw__joint_turns *turns, int segment,
                          snw__placement_prior out[3])
{
    const snw_skeleton *body = actor->skeleton;
    snw__bone bone;
    placement_cloud cloud = cloud_of(actor, segment);
    if (segment == 0 || cloud.count == 0 || !snw__bone_read(body->name[segment], &bone)) return 0;
    int next = next_joint(body, segment, &bone);
    if (next < 0) {
        /* The end of a chain. */
        /* Metres, along and across the bone that the end of a chain continues. */
        static const double deviation[2] = {PLACEMENT_HALF, PLACEMENT_HALF};
        for (size_t n = 0; n < sizeof placement_ends / sizeof *placement_ends; n++) {
            if (bone.chain != placement_ends[n].chain || bone.rank < placement_ends[n].rank ||
                body->parent[segment] <= 0)
                continue;
            snw_vec3 u =
                snw_quat_unrotate(turns[segment].reference, body->rest[segment].translation);
            u = snw_vec3_unit(u, snw_vec3_make(1, 0, 0));
            snw_vec3 mean = cloud_of(actor, segment).mean;
            snw_vec3 off = snw_vec3_sub(snw_vec3_scale(u, placement_ends[n].half), mean);
            return expect_mean(segment, -1, off, u, deviation, out);
        }
        return 0;
    }
    snw_vec3 to = body->rest[next].translation;
    double length = snw_vec3_length(to);
    snw_vec3 u = snw_vec3_unit(to, snw_vec3_make(1, 0, 0));
    double radius2 = PLACEMENT_RADIUS * PLACEMENT_RADIUS;
    /* Mean square distance of the markers from the line along u through their mean. */
    double sum = 0;
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != segment) continue;
        snw_vec3 off = snw_vec3_sub(actor->marker[m].offset, cloud.mean);
        double along = snw_vec3_dot(off, u);
        sum += (snw_vec3_length2(off) - along * along) / cloud.count;
    }
    double left = 0.5 * fmax(radius2 - sum, 0);
    double across = fmax(sqrt(left), PLACEMENT_CENTRED);
    if (bone.chain == SNW__BONE_TRUNK) across = PLACEMENT_OF_TRUNK;
    double along = length * sqrt(PLACEMENT_ALONG * PLACEMENT_ALONG / cloud.count +
                                 PLACEMENT_ALONG_ALL * PLACEMENT_ALONG_ALL);
    double bent = PLACEMENT_BEND * length;
    const double deviation[2] = {fmax(along, across), sqrt(across * across + bent * bent)};
    snw_vec3 off = snw_vec3_sub(snw_vec3_scale(to, 0.5), cloud.mean);
    return expect_mean(segment, next, off, u, deviation, out);
}
