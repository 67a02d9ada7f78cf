/* Feet that stand are held where they stand: contacts are found by the speed of the ankle, the
 * ankle is pinned to the middle of its places while it stands, hip and knee make up for it (two
 * bones by the law of cosines), and the pin fades in and out so that nothing jumps. */
#include <math.h>

#include "body/rig.h"

#include "base/elementary.h"
#include "body/body_constants.h"
#include "person/movement.h"

typedef struct lock_leg {
    int hip, knee, ankle;
} lock_leg;

static bool find_leg(const snw_skeleton *skeleton, const snw__rig_joint *rig, snw_side side,
                     lock_leg *leg)
{
    leg->ankle = -1;
    for (int j = 0; j < skeleton->joint_count && leg->ankle < 0; j++)
        if (rig[j].part == SNW_PART_FOOT && rig[j].side == side) leg->ankle = j;
    leg->knee = leg->ankle < 0 ? -1 : skeleton->parent[leg->ankle];
    leg->hip = leg->knee < 0 ? -1 : skeleton->parent[leg->knee];
    return leg->hip >= 0 && rig[leg->knee].part == SNW_PART_LEG &&
           rig[leg->hip].part == SNW_PART_UPLEG;
}

static double speed_at(const snw_motion *motion, const snw_vec3 *place, int frame)
{
    int from = frame > 0 ? frame - 1 : 0, to = frame + 1 < motion->frame_count ? frame + 1 : frame;
    double time = (to - from) / motion->rate;
    return time > 0 ? snw_vec3_length(snw_vec3_sub(place[to], place[from])) / time : 0;
}

/* Turns `joint` of the pose by a rotation of the world. */
static void turn_joint(snw_pose *pose, int joint, snw_quat turn)
{
    snw_quat world = pose->world[joint].rotation;
    snw_quat local = snw_quat_mul(snw_quat_conjugate(world), snw_quat_mul(turn, world));
    pose->rotation[joint] = snw_quat_normalize(snw_quat_mul(pose->rotation[joint], local));
    snw_pose_forward_from(pose, joint);
}

/* Ankle to `target` by the knee's bend and the hip's swing; the foot keeps its direction. */
static void reach(snw_pose *pose, const lock_leg *leg, snw_vec3 target)
{
    snw_quat foot = pose->world[leg->ankle].rotation;
    snw_vec3 hip = pose->world[leg->hip].translation, knee = pose->world[leg->knee].translation;
    snw_vec3 ankle = pose->world[leg->ankle].translation;
    snw_vec3 thigh = snw_vec3_sub(knee, hip), shank = snw_vec3_sub(ankle, knee);
    double a = snw_vec3_length(thigh), b = snw_vec3_length(shank);
    double far = snw_vec3_length(snw_vec3_sub(target, hip));
    far = fmin(far, 0.9999 * (a + b));
    double wanted = (a * a + b * b - far * far) / (2 * a * b);
    double now = -snw_vec3_dot(thigh, shank) / (a * b);
    snw_vec3 axis = snw_vec3_cross(thigh, shank);
    if (!(snw_vec3_length(axis) > 1e-6 * a * b) || !(a > 0) || !(b > 0)) return;
    double bend = snw__acos(snw_clamp(now, -1, 1)) - snw__acos(snw_clamp(wanted, -1, 1));
    turn_joint(pose, leg->knee, snw_quat_from_axis_angle(snw_vec3_unit(axis, axis), bend));
    ankle = pose->world[leg->ankle].translation;
    turn_joint(pose, leg->hip,
               snw_quat_between(snw_vec3_sub(ankle, hip), snw_vec3_sub(target, hip)));
    turn_joint(pose, leg->ankle,
               snw_quat_mul(foot, snw_quat_conjugate(pose->world[leg->ankle].rotation)));
}

/* 1 inside the stance, falling to 0 over SNW__BRIEF on both sides of it. */
static double pin_weight(const snw_motion *motion, int frame, int from, int to)
{
    double outside = frame < from ? from - frame : frame >= to ? frame - to + 1 : 0;
    double share = 1 - outside / (motion->rate * SNW__BRIEF + 1);
    return share <= 0 ? 0 : share * share * (3 - 2 * share);
}

/* Adds to `moved` how far the ankle must go in and around the stance [from, to). */
static void pin_stance(const snw_motion *motion, const snw_vec3 *place, snw_vec3 *moved, int from,
                       int to)
{
    snw_vec3 middle = {0, 0, 0};
    for (int f = from; f < to; f++)
        middle = snw_vec3_add(middle, snw_vec3_scale(place[f], 1.0 / (to - from)));
    int fade = (int)(motion->rate * SNW__BRIEF) + 1;
    int first = from > fade ? from - fade : 0;
    int end = to + fade < motion->frame_count ? to + fade : motion->frame_count;
    for (int f = first; f < end; f++) {
        int nearest = f < from ? from : f >= to ? to - 1 : f;
        snw_vec3 shift = snw_vec3_sub(middle, place[nearest]);
        double length = snw_vec3_length(shift), weight = pin_weight(motion, f, from, to);
        if (length > SNW__SKIN_MAX) shift = snw_vec3_scale(shift, SNW__SKIN_MAX / length);
        moved[f] = snw_vec3_add(moved[f], snw_vec3_scale(shift, weight));
    }
}

static void lock_leg_of(snw_motion *motion, snw_pose *pose, const lock_leg *leg, snw_vec3 *place,
                        snw_vec3 *moved)
{
    int least = (int)(SNW__BRIEF * motion->rate) + 1;
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        place[f] = pose->world[leg->ankle].translation;
        moved[f] = snw_vec3_make(0, 0, 0);
    }
    for (int from = 0, to; from < motion->frame_count; from = to + 1) {
        for (to = from; to < motion->frame_count && speed_at(motion, place, to) < LOCK_SPEED;)
            to++;
        if (to - from >= least) pin_stance(motion, place, moved, from, to);
    }
    for (int f = 0; f < motion->frame_count; f++) {
        if (!(snw_vec3_length(moved[f]) > 0)) continue;
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        reach(pose, leg, snw_vec3_add(place[f], moved[f]));
        snw_motion_set(motion, f, pose);
    }
}

void snw__rig_lock_feet(snw_motion *motion, const snw__rig_joint *rig, snw_pose *pose,
                        snw_vec3 *places)
{
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        lock_leg leg;
        if (find_leg(motion->skeleton, rig, (snw_side)side, &leg))
            lock_leg_of(motion, pose, &leg, places, places + motion->frame_count);
    }
}
