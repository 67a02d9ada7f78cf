/* The first guess at a pose: where the body stands before all joints are solved together.
 *
 * The root is placed by its own markers, or stands on the segment that brings most markers near.
 * From it outwards a joint whose markers were seen in the frame before keeps its last rotation and
 * is drawn to it as firmly as they rested (motion_prior.c); other segments are turned about their
 * joint onto their own markers, one marker left out where they contradict each other. A segment
 * that its joint leaves free is placed by its own markers, as the root is. */
#include <sinew/geometry.h>

#include "track/track_constants.h"
#include "track/tracker_state.h"

static int count_seen(const snw_tracker *tracker, int joint)
{
    int count = 0;
    for (int m = tracker->first[joint]; m < tracker->first[joint + 1]; m++)
        count += tracker->sample_weight[m] > 0;
    return count;
}

/* The outlier bound of a segment's measured markers. */
static double bound_of(const snw_tracker *tracker, int joint)
{
    double noise = tracker->noise_of[tracker->first[joint]];
    if (tracker->excess2 > 0) noise = sqrt(noise * noise + tracker->excess2);
    return tracker->options.outlier_scale * noise;
}

/* The rigid pose of a segment from its own markers; false when they do not tell. */
static bool fit_segment(const snw_tracker *tracker, int joint, snw_xform *world_from_joint)
{
    int first = tracker->first[joint], count = tracker->first[joint + 1] - first;
    if (count_seen(tracker, joint) < 3) return false;
    for (int m = 0; m < count; m++)
        tracker->from[m] = tracker->actor->marker[first + m].offset;
    snw_fit fit;
    if (snw_fit_rigid(tracker->from, tracker->seen + first, tracker->sample_weight + first, count,
                      &fit) != SNW_OK ||
        fit.kind != SNW_FIT_UNIQUE || !(fit.rms < bound_of(tracker, joint)))
        return false;
    *world_from_joint = fit.to_from;
    return true;
}

/* Stands the body so that `joint` is at world_from_joint, with the rotations it has. */
static void stand_on(snw_pose *pose, int joint, snw_xform world_from_joint)
{
    const snw_skeleton *body = pose->skeleton;
    snw_xform joint_from_root = snw_xform_identity();
    for (int j = joint; j >= 0; j = body->parent[j]) {
        snw_xform local =
            snw_xform_mul(body->rest[j], snw_xform_make(pose->rotation[j], pose->slide[j]));
        joint_from_root = snw_xform_mul(joint_from_root, snw_xform_inverse(local));
    }
    pose->root = snw_xform_mul(world_from_joint, joint_from_root);
    pose->root.rotation = snw_quat_normalize(pose->root.rotation);
}

/* How far the markers are from the body as it stands, each by no more than 1. */
static double misplaced(snw_tracker *tracker)
{
    double sum = 0;
    snw_pose_forward(tracker->pose);
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        if (tracker->sample_weight[m] == 0) continue;
        const snw_goal *goal = tracker->goal + m;
        snw_vec3 at = snw_xform_point(tracker->pose->world[goal->joint], goal->point);
        double bound = TRACKER_EASE_MAX * tracker->bound[m];
        double far2 = snw_vec3_length2(snw_vec3_sub(tracker->seen[m], at)) / (bound * bound);
        sum += far2 / (1 + far2);
    }
    return sum;
}

bool snw__guess_shows_segment(const snw_tracker *tracker)
{
    for (int j = 0; j < tracker->actor->skeleton->joint_count; j++)
        if (count_seen(tracker, j) >= 3) return true;
    return false;
}

/* Can no segment have a pose of its own? */
static bool has_thin_segments(const snw_tracker *tracker)
{
    for (int j = 0; j < tracker->actor->skeleton->joint_count; j++)
        if (tracker->first[j + 1] - tracker->first[j] >= 3) return false;
    return true;
}

/* The root where the whole body, stiff as it stands, is nearest to all markers; false when they do
 * not tell. */
static bool fit_body(snw_tracker *tracker, snw_xform *root)
{
    int count = tracker->actor->marker_count;
    snw_pose_forward(tracker->pose);
    for (int m = 0; m < count; m++)
        tracker->from[m] = snw_xform_point(tracker->pose->world[tracker->goal[m].joint],
                                           tracker->actor->marker[m].offset);
    snw_fit fit;
    if (snw_fit_rigid(tracker->from, tracker->seen, tracker->sample_weight, count, &fit) !=
            SNW_OK ||
        fit.kind != SNW_FIT_UNIQUE)
        return false;
    *root = snw_xform_mul(fit.to_from, tracker->pose->root);
    root->rotation = snw_quat_normalize(root->rotation);
    return true;
}

/* Places the root by its own markers; where they do not tell, it stays or stands on the segment
 * that has a pose of its own and brings most markers near. */
bool snw__guess_root(snw_tracker *tracker)
{
    snw_xform world_from_joint, best = tracker->pose->root;
    if (fit_segment(tracker, 0, &world_from_joint)) {
        stand_on(tracker->pose, 0, world_from_joint);
        return true;
    }
    double least = tracker->has_pose ? misplaced(tracker) : INFINITY;
    for (int j = 1; j < tracker->actor->skeleton->joint_count; j++) {
        if (!fit_segment(tracker, j, &world_from_joint)) continue;
        stand_on(tracker->pose, j, world_from_joint);
        double now = misplaced(tracker);
        if (!(now < least)) continue;
        least = now;
        best = tracker->pose->root;
    }
    if (has_thin_segments(tracker) && fit_body(tracker, &tracker->pose->root)) {
        double now = misplaced(tracker);
        if (now < least) best = tracker->pose->root;
        least = fmin(least, now);
    }
    tracker->pose->root = best;
    return least < INFINITY;
}

/* Fits again with each marker left out in turn; the best of these fits. */
static snw_fit fit_without_one(const snw_tracker *tracker, int joint, snw_fit best)
{
    int first = tracker->first[joint], count = tracker->first[joint + 1] - first;
    for (int m = 0; m < count; m++) {
        snw_fit fit;
        double weight = tracker->sample_weight[first + m];
        if (weight == 0) continue;
        tracker->sample_weight[first + m] = 0;
        if (snw_fit_rotation(tracker->from, tracker->to, tracker->sample_weight + first, count,
                             &fit) == SNW_OK &&
            fit.rms < best.rms)
            best = fit;
        tracker->sample_weight[first + m] = weight;
    }
    return best;
}

/* Turns segment `joint` about its joint onto its markers. `guess` is world_from_joint with the last
 * rotation. Returns the turn in the world: the identity where the markers contradict each other. */
static snw_quat turn_onto_markers(const snw_tracker *tracker, int joint, snw_xform guess)
{
    int first = tracker->first[joint], count = tracker->first[joint + 1] - first;
    for (int m = 0; m < count; m++) {
        tracker->from[m] =
            snw_quat_rotate(guess.rotation, tracker->actor->marker[first + m].offset);
        tracker->to[m] = snw_vec3_sub(tracker->seen[first + m], guess.translation);
    }
    snw_fit fit;
    int seen = count_seen(tracker, joint);
    if (seen == 0 || snw_fit_rotation(tracker->from, tracker->to, tracker->sample_weight + first,
                                      count, &fit) != SNW_OK)
        return snw_quat_identity();
    double bound = bound_of(tracker, joint);
    if (fit.rms > bound && seen >= 3) fit = fit_without_one(tracker, joint, fit);
    return fit.rms < bound || seen < 3 ? fit.to_from.rotation : snw_quat_identity();
}

/* The rotation as type and limits of the joint allow it; is_held where that is not what the type
 * alone would have. */
static snw_quat allowed(const snw_tracker *tracker, int joint, snw_quat rotation)
{
    snw_joint limited = *snw_ik_stepper_joint(tracker->stepper, joint);
    snw_quat inside = snw_joint_limit_apply(&limited, rotation), typed = rotation;
    limited.limit = snw_joint_limit_none();
    if (limited.type != SNW_JOINT_BALL) typed = snw_joint_limit_apply(&limited, rotation);
    /* 1e-6 rad: nobody sees it. */
    tracker->is_held[joint] = snw_quat_angle_between(inside, typed) > 1e-6;
    return inside;
}

/* Draws the joint to its last rotation as firmly as its markers rested since then; false where they
 * do not tell. Needs the parent's world. */
static bool hold_joint(snw_tracker *tracker, int joint)
{
    int parent = tracker->actor->skeleton->parent[joint];
    double noise2 = tracker->noise * tracker->noise + tracker->excess2, weight = 0;
    snw_xform carry = snw_xform_mul(tracker->pose->world[parent],
                                    snw_xform_inverse(tracker->last->world[parent]));
    double turn2 = snw__motion_prior_turn2(&tracker->prior, joint, carry);
    tracker->give[joint] = INFINITY;
    if (turn2 < INFINITY) {
        tracker->give[joint] = GUESS_GIVE + sqrt(turn2);
        weight = GUESS_FIRM * noise2 / (turn2 + snw__motion_prior_noise2(&tracker->prior, noise2));
    }
    snw_ik_stepper_set_hold(tracker->stepper, joint, tracker->last->rotation[joint], weight);
    return weight > 0;
}

void snw__guess_holds(snw_tracker *tracker, const uint8_t *known)
{
    double size = tracker->actor->skeleton->size;
    for (int j = 1; j < tracker->actor->skeleton->joint_count; j++) {
        snw_quat here = tracker->pose->rotation[j];
        if (known[j] == SNW__FULL)
            snw_ik_stepper_set_hold(tracker->stepper, j, here, GUESS_KEEP * size * size);
        else
            (void)hold_joint(tracker, j);
    }
}

void snw__guess_joints(snw_tracker *tracker)
{
    snw_pose *pose = tracker->pose;
    const snw_skeleton *body = pose->skeleton;
    tracker->is_warm = false;
    pose->world[0] = snw_xform_mul(pose->root, body->rest[0]);
    for (int j = 1; j < body->joint_count; j++) {
        snw_xform base = snw_xform_mul(pose->world[body->parent[j]], body->rest[j]);
        snw_xform guess = base, own;
        bool is_free = body->joint[j].type == SNW_JOINT_FREE;
        guess.rotation = snw_quat_mul(base.rotation, pose->rotation[j]);
        guess.translation = snw_xform_point(base, pose->slide[j]);
        bool is_held = hold_joint(tracker, j) && !is_free;
        tracker->is_warm |= is_held;
        if (is_free && fit_segment(tracker, j, &own)) {
            guess = own;
            pose->slide[j] = snw_xform_unpoint(base, own.translation);
        }
        bool is_turned = !is_held && !is_free;
        snw_quat turn = is_turned ? turn_onto_markers(tracker, j, guess) : snw_quat_identity();
        turn = snw_quat_mul(snw_quat_conjugate(base.rotation), snw_quat_mul(turn, guess.rotation));
        pose->rotation[j] = allowed(tracker, j, snw_quat_normalize(turn));
        guess.rotation = snw_quat_mul(base.rotation, pose->rotation[j]);
        pose->world[j] = guess;
    }
}
