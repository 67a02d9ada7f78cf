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
#include "calibrate/joint_marker.h"

#include <string.h>

#include "calibrate/calibrate_constants.h"
#include "label/label_grammar.h"
#include "person/anthropometry.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* ---- which markers ------------------------------------------------------------------------ */

/* The segment of a marker's joint: "LeftLeg" of LKNE, "Joe:LeftLeg" of Joe:LKNE. */
static bool is_joint_of(const snw_label *at, const char *label, const char *segment)
{
    const char *bare = snw__bare_label(segment);
    size_t prefix = (size_t)(bare - segment);
    if (at->joint == SNW_PART_NONE || (prefix && strncmp(label, segment, prefix - 1) != 0))
        return false;
    return strcmp(snw_part_name(at->joint, at->side), bare) == 0;
}

snw__joint_markers snw__joint_markers_find(const snw_segment *segment, const snw_trial *trial,
                                           const snw_label *landmark)
{
    snw__joint_markers joint;
    memset(&joint, 0, sizeof joint);
    joint.opposite = -1;
    for (int m = 0; m < trial->marker_count && joint.count < 2; m++)
        if (is_joint_of(landmark + m, trial->marker[m].name, segment->name) &&
            !snw_trial_gaps(trial, m).is_never_seen) {
            /* A marker that sits on the segment's joint. On the outer side of a knee or an ankle
             * the other leg tells where inwards is; two markers have the centre between them. */
            const snw_label *at = landmark + m;
            snw__joint_size size = snw__part_joint_size(at->joint);
            bool is_leg = at->joint == SNW_PART_LEG || at->joint == SNW_PART_FOOT;
            bool is_first = joint.count == 0;
            if (!(size.reach <= 0)) {
                joint.marker[joint.count++] = m;
                joint.reach = size.reach;
                joint.opposite = -1;
                joint.inwards = 0;
                /* Metres. A joint's centre that a model computed is where it says. */
                if (at->spot == SNW_SPOT_CENTER) joint.reach = PLACE_FIRM;
                if (is_first && is_leg && at->spot != SNW_SPOT_CENTER) {
                    joint.opposite = snw__labels_find_own_mirror(trial, landmark, m);
                    joint.inwards =
                        at->spot == SNW_SPOT_MEDIAL ? -size.half_width : size.half_width;
                }
            }
        }
    return joint;
}

bool snw__joint_markers_is_model(const snw__joint_markers *joint)
{
    return joint->count > 0 && joint->reach == PLACE_FIRM;
}

void snw__joint_markers_group(const snw_segment *segment, const snw__joint_markers *joint,
                              snw__marker_group *group)
{
    group->own_count = group->marker_count = segment->marker_count;
    memcpy(group->marker, segment->marker, (size_t)segment->marker_count * sizeof *group->marker);
    if (segment->marker_count < 3 && joint->reach < JOINT_MARKER_SHARED_REACH)
        for (int k = 0; k < joint->count; k++)
            group->marker[group->marker_count++] = joint->marker[k];
}

/* ---- the centre near them ----------------------------------------------------------------- */

/* Where the joint's markers say the centre is in one frame; false when one of them is not seen.
 * Inwards is towards the other knee or ankle: wrong in a frame where legs cross, right on average.
 */
static bool middle_of(const snw__samples *samples, const snw__joint_markers *joint, int frame,
                      snw_vec3 *middle)
{
    const uint8_t *seen = snw__samples_seen(samples, frame);
    const snw_vec3 *point = snw__samples_points(samples, frame);
    *middle = snw_vec3_make(0, 0, 0);
    for (int k = 0; k < joint->count; k++) {
        if (!seen[joint->marker[k]]) return false;
        *middle = snw_vec3_add_scaled(*middle, 1.0 / joint->count, point[joint->marker[k]]);
    }
    if (joint->opposite >= 0) {
        if (!seen[joint->opposite]) return false;
        snw_vec3 way = snw_vec3_sub(point[joint->opposite], *middle);
        *middle = snw_vec3_add_scaled(*middle, joint->inwards,
                                      snw_vec3_unit(way, snw_vec3_make(0, 0, 0)));
    }
    return joint->count > 0;
}

/* Its mean place in the frame of `seen_from`; false when no frame shows both. */
static bool place_in(const snw__samples *samples, const snw__joint_markers *joint,
                     const snw__rigid *seen_from, snw_vec3 *place)
{
    int count = 0;
    *place = snw_vec3_make(0, 0, 0);
    for (int frame = 0; frame < samples->frame_count; frame++) {
        const snw__segment_pose *pose = seen_from->pose + frame;
        snw_vec3 middle;
        if (pose->seen_count == 0 || !middle_of(samples, joint, frame, &middle)) continue;
        snw_vec3 local = snw_xform_unpoint(pose->world_from_segment, middle);
        *place = snw_vec3_lerp(*place, local, 1.0 / ++count);
    }
    return count > 0;
}

static snw_vec3 shrink(snw_vec3 center, snw_vec3 place, double reach, double deviation)
{
    double ratio = deviation / reach;
    snw_vec3 offset = snw_vec3_scale(snw_vec3_sub(center, place), 1 / (1 + ratio * ratio));
    double length = snw_vec3_length(offset);
    if (!(length < 1e9)) return place;
    return snw_vec3_add_scaled(place, length > reach ? reach / length : 1, offset);
}

void snw__joint_markers_shrink(const snw__samples *samples, const snw__joint_markers *joint,
                               const snw__rigid *parent, const snw__rigid *segment,
                               snw__segment_pair *pair)
{
    snw_vec3 place;
    double reach = joint->reach, deviation = pair->deviation[0];
    if (joint->count == 0) return;
    /* A segment of two markers turns about the line between them as the skin likes: believe the
     * label more. */
    if (joint->opposite >= 0 && (parent->own_count < 3 || segment->own_count < 3))
        reach *= JOINT_MARKER_POOR;
    if (place_in(samples, joint, parent, &place))
        pair->in_first = shrink(pair->in_first, place, reach, deviation);
    if (place_in(samples, joint, segment, &place))
        pair->in_second = shrink(pair->in_second, place, reach, deviation);
    for (int k = 0; k < 3; k++)
        if (!(pair->deviation[k] < reach)) pair->deviation[k] = reach;
}
