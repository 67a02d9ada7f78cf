/* Joints of known marker sets stay near the markers that sit on them.
 *
 * Few markers on a thigh or a shank, covered by skin, leave the centre of a knee or an ankle open;
 * but where a label says "this marker is on the knee" the centre cannot be farther from it than
 * half a knee's width. The offset d of the centre found by motion from that marker (reach r,
 * standard deviation s of the centre) becomes
 *
 *     d / (1 + (s/r)^2),  then no longer than r:
 *
 * a centre that the motion determines to much better than r is not moved. */
#include "mocap/known_joint.h"

/* Share of the reach that is left to the motion where one of the limbs has fewer than three
 * markers. */
#define KNOWN_JOINT_POOR 0.3

/* Where the joint's markers say the centre is in one frame; false when one of them is not seen.
 * Inwards is towards the other knee or ankle: wrong in a frame where legs cross, right on average.
 */
static bool middle_of(const snw__capture *capture, const snw__rigid *limb, int frame,
                      snw_vec3 *middle)
{
    const uint8_t *seen = snw__capture_seen(capture, frame);
    const snw_vec3 *point = snw__capture_points(capture, frame);
    *middle = snw_vec3_make(0, 0, 0);
    for (int k = 0; k < limb->joint_count; k++) {
        if (!seen[limb->joint_marker[k]]) return false;
        *middle =
            snw_vec3_add_scaled(*middle, 1.0 / limb->joint_count, point[limb->joint_marker[k]]);
    }
    if (limb->joint_opposite >= 0) {
        if (!seen[limb->joint_opposite]) return false;
        snw_vec3 way = snw_vec3_sub(point[limb->joint_opposite], *middle);
        *middle = snw_vec3_add_scaled(*middle, limb->joint_inwards,
                                      snw_vec3_unit(way, snw_vec3_make(0, 0, 0)));
    }
    return limb->joint_count > 0;
}

/* Its mean place in the frame of `seen_from`; false when no frame shows both. */
static bool place_in(const snw__capture *capture, const snw__rigid *limb,
                     const snw__rigid *seen_from, snw_vec3 *place)
{
    int count = 0;
    *place = snw_vec3_make(0, 0, 0);
    for (int frame = 0; frame < capture->frame_count; frame++) {
        const snw__limb_pose *pose = seen_from->pose + frame;
        snw_vec3 middle;
        if (pose->seen_count == 0 || !middle_of(capture, limb, frame, &middle)) continue;
        snw_vec3 local = snw_xform_unpoint(pose->world_from_limb, middle);
        *place = snw_vec3_lerp(*place, local, 1.0 / ++count);
    }
    return count > 0;
}

static snw_vec3 hold(snw_vec3 center, snw_vec3 place, double reach, double deviation)
{
    double doubt = deviation / reach;
    snw_vec3 offset = snw_vec3_scale(snw_vec3_sub(center, place), 1 / (1 + doubt * doubt));
    double length = snw_vec3_length(offset);
    if (!(length < 1e9)) return place;
    return snw_vec3_add_scaled(place, length > reach ? reach / length : 1, offset);
}

void snw__known_joint_hold(const snw__capture *capture, const snw__rigid *parent,
                           const snw__rigid *limb, snw__pair *pair)
{
    snw_vec3 place;
    double reach = limb->joint_reach, deviation = pair->deviation[0];
    if (limb->joint_count == 0) return;
    /* A limb of two markers turns about the line between them as the skin likes: believe the label
     * more. */
    if (limb->joint_opposite >= 0 && (parent->own_count < 3 || limb->own_count < 3))
        reach *= KNOWN_JOINT_POOR;
    if (place_in(capture, limb, parent, &place))
        pair->in_first = hold(pair->in_first, place, reach, deviation);
    if (place_in(capture, limb, limb, &place))
        pair->in_second = hold(pair->in_second, place, reach, deviation);
    for (int k = 0; k < 3; k++)
        if (!(pair->deviation[k] < reach)) pair->deviation[k] = reach;
}
