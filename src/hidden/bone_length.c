/* Bone lengths restored (Aristidou 2010, section 4.7; FABRIK: Aristidou and Lasenby 2011).
 *
 * Joints that were observed stay; the others move as little as FABRIK moves them. Inward: from the
 * leaves to the root, every joint is drawn to the length of its bone from the child that comes from
 * a fixed joint; where several chains meet, to the mean of what they ask for. Outward: from fixed
 * joints on, every other joint is put at its bone's length from its parent. At the end of a chain
 * one pass is the answer. Limits are cones about the bone before, continued; outward every bone is
 * turned into its cone by the least angle, as FABRIK has it (2011, section 4). */
#include <float.h>
#include <math.h>

#include <sinew/hidden.h>

#include "base/elementary.h"
#include "hidden/hidden_constants.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* The point nearest to `toward` at the bone's length from `from`, give or take what is known of it.
 */
static snw_vec3 at_length(const snw_bone_lengths *bones, int bone, snw_vec3 from, snw_vec3 toward)
{
    double slack = bones->slack ? bones->slack[bone] : 0, now = snw_vec3_distance(from, toward);
    if (!(bones->length[bone] >= 0) || fabs(now - bones->length[bone]) <= slack) return toward;
    double length = bones->length[bone] + (now > bones->length[bone] ? slack : -slack);
    snw_vec3 direction = snw_vec3_unit(snw_vec3_sub(toward, from), snw_vec3_make(0, 1, 0));
    return snw_vec3_add_scaled(from, length, direction);
}

/* The point turned about the parent until the bone lies in its cone. */
static snw_vec3 within_bend(const snw_bone_lengths *bones, int joint, const snw_vec3 *place,
                            snw_vec3 point)
{
    int parent = bones->parent[joint], before = bones->parent[parent];
    if (!bones->bend || before < 0 || !(bones->bend[joint] < SNW_PI)) return point;
    snw_vec3 arm = snw_vec3_sub(point, place[parent]);
    snw_vec3 straight = snw_vec3_sub(place[parent], place[before]);
    double length = snw_vec3_length(arm), along = snw_vec3_length(straight);
    if (!(length > 0) || !(along > 0)) return point;
    straight = snw_vec3_scale(straight, 1 / along);
    snw_vec3 across = snw_vec3_add_scaled(arm, -snw_vec3_dot(arm, straight), straight);
    double bend = fmax(bones->bend[joint], 0);
    if (snw__atan2(snw_vec3_length(across), snw_vec3_dot(arm, straight)) <= bend) return point;
    /* Straight back every way out is as near: one across the bone is taken. */
    snw_vec3 aside = fabs(straight.x) < 0.7 ? snw_vec3_make(1, 0, 0) : snw_vec3_make(0, 1, 0);
    snw_vec3 side = snw_vec3_unit(across, snw_vec3_unit(snw_vec3_cross(straight, aside), aside));
    arm = snw_vec3_add_scaled(snw_vec3_scale(straight, length * snw__cos(bend)),
                              length * snw__sin(bend), side);
    return snw_vec3_add(place[parent], arm);
}

/* Does a fixed joint lie at or below this one? Then it is held from below. */
static bool is_held_below(const snw_bone_lengths *bones, const bool *is_fixed, int joint)
{
    if (is_fixed[joint]) return true;
    for (int j = joint + 1; j < bones->joint_count; j++) {
        int up = j;
        if (!is_fixed[j]) continue;
        while (up > joint)
            up = bones->parent[up];
        if (up == joint) return true;
    }
    return false;
}

static double largest_difference(const snw_bone_lengths *bones, const snw_vec3 *place)
{
    double largest = 0;
    for (int j = 1; j < bones->joint_count; j++) {
        double length = snw_vec3_distance(place[j], place[bones->parent[j]]);
        double slack = bones->slack ? bones->slack[j] : 0;
        if (bones->length[j] >= 0) largest = fmax(largest, fabs(length - bones->length[j]) - slack);
    }
    return largest;
}

double snw_bone_lengths_restore(const snw_bone_lengths *bones, const bool *is_fixed,
                                snw_vec3 *place)
{
    for (int j = 0; j < bones->joint_count; j++) {
        double farthest = fmax(fabs(place[j].x), fmax(fabs(place[j].y), fabs(place[j].z)));
        if (!snw_vec3_is_finite(place[j]) || farthest > BONE_FAR) return INFINITY;
        if (j > 0 && !(bones->length[j] <= BONE_FAR)) return INFINITY;
        if (j > 0 && bones->slack && !(bones->slack[j] >= 0 && bones->slack[j] <= BONE_FAR))
            return INFINITY;
    }
    double left = bones->bend ? INFINITY : largest_difference(bones, place);
    /* Between two fixed joints the error falls by half or better in each pass, except where the
     * chain is nearly stretched; ten micrometres are less than any marker is known to. */
    for (int pass = 0; pass < SNW__ROUNDS_MAX && left > SNW__FINEST; pass++) {
        for (int j = bones->joint_count - 1; j >= 0; j--)
            if (!is_fixed[j]) {
                /* The mean of the places that held children ask for; the joint's own where there is
                 * none. */
                snw_vec3 sum = {0, 0, 0};
                int count = 0;
                for (int k = j + 1; k < bones->joint_count; k++) {
                    if (bones->parent[k] != j || !is_held_below(bones, is_fixed, k)) continue;
                    sum = snw_vec3_add(sum, at_length(bones, k, place[k], place[j]));
                    count++;
                }
                place[j] = count > 0 ? snw_vec3_scale(sum, 1.0 / count) : place[j];
            }
        for (int j = 1; j < bones->joint_count; j++)
            if (!is_fixed[j])
                place[j] = within_bend(bones, j, place,
                                       at_length(bones, j, place[bones->parent[j]], place[j]));
        left = largest_difference(bones, place);
    }
    return left;
}
