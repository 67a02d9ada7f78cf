/* Feet that stand are held where they stand. A foot touches the floor with its heel, with the ball
 * and with the tip of its toes, one after the other: each is in contact while it is slow, and is
 * then pinned to the middle of its places. The foot is laid between the pins, toes lead to theirs,
 * hip and knee make up for it (two bones by the law of cosines), and pins fade in and out so that
 * nothing jumps. */
#include <math.h>

#include "body/rig.h"

#include "base/elementary.h"
#include "body/body_constants.h"
#include "person/movement.h"

enum {
    LOCK_HEEL,
    LOCK_BALL, /* or the tip, where a foot has no toes of its own */
    LOCK_TIP,
    LOCK_POINTS
};

typedef struct lock_foot {
    int hip, knee, ankle, toe;    /* toe -1: none */
    int joint[LOCK_POINTS];       /* that carries the point; -1: there is none */
    snw_vec3 point[LOCK_POINTS];  /* in its frame */
    snw_vec3 *place[LOCK_POINTS]; /* (frame_count) in the world */
    snw_vec3 *moved[LOCK_POINTS]; /* (frame_count) how far it must go */
    snw_vec3 *weight;             /* (frame_count) of the three pins */
} lock_foot;

/* Share of its length that a leg may be stretched to: straighter, a millimetre at the foot would
 * turn the knee by degrees. */
static const double lock_reach = 0.999;

static double *weight_of(const lock_foot *foot, int frame, int point)
{
    snw_vec3 *w = foot->weight + frame;
    return point == LOCK_HEEL ? &w->x : point == LOCK_BALL ? &w->y : &w->z;
}

/* ---- which points ------------------------------------------------------------------------------
 */

/* How far behind the ankle the heel is: a quarter of the foot, of which the ankle has three before
 * it to the tip and, about half of the foot away, the ball. */
static const double lock_heel_by_tip = 1.0 / 3, lock_heel_by_ball = 0.5;

static bool find_foot(const snw_skeleton *skeleton, const snw__rig_joint *rig, snw_side side,
                      lock_foot *foot)
{
    foot->ankle = -1;
    for (int j = 0; j < skeleton->joint_count && foot->ankle < 0; j++)
        if (rig[j].part == SNW_PART_FOOT && rig[j].side == side) foot->ankle = j;
    foot->knee = foot->ankle < 0 ? -1 : skeleton->parent[foot->ankle];
    foot->hip = foot->knee < 0 ? -1 : skeleton->parent[foot->knee];
    if (foot->hip < 0 || rig[foot->knee].part != SNW_PART_LEG ||
        rig[foot->hip].part != SNW_PART_UPLEG)
        return false;
    /* The sole is where toes or ball are as the foot stands in the T-pose. */
    int ankle = foot->ankle, toe = rig[ankle].main_child;
    foot->toe = toe >= 0 && rig[toe].part == SNW_PART_TOE ? toe : -1;
    bool has_tip = skeleton->has_tip[ankle];
    snw_vec3 ball = foot->toe >= 0 ? skeleton->rest[foot->toe].translation
                                   : snw_vec3_scale(skeleton->tip[ankle], has_tip);
    snw_vec3 standing = snw_quat_rotate(rig[ankle].t_from_new, ball);
    double share = foot->toe >= 0 ? lock_heel_by_ball : lock_heel_by_tip;
    snw_vec3 heel = {0, standing.y, -share * standing.z};
    foot->joint[LOCK_HEEL] = foot->joint[LOCK_BALL] = ankle;
    foot->point[LOCK_HEEL] = snw_quat_unrotate(rig[ankle].t_from_new, heel);
    foot->point[LOCK_BALL] = ball;
    foot->joint[LOCK_TIP] = foot->toe >= 0 && skeleton->has_tip[foot->toe] ? foot->toe : -1;
    if (foot->joint[LOCK_TIP] >= 0) foot->point[LOCK_TIP] = skeleton->tip[foot->toe];
    return true;
}

static snw_vec3 point_at(const snw_pose *pose, const lock_foot *foot, int point)
{
    return snw_xform_point(pose->world[foot->joint[point]], foot->point[point]);
}

/* ---- when they stand ---------------------------------------------------------------------------
 */

static double speed_at(const snw_motion *motion, const snw_vec3 *place, int frame)
{
    int from = frame > 0 ? frame - 1 : 0, to = frame + 1 < motion->frame_count ? frame + 1 : frame;
    double time = (to - from) / motion->rate;
    return time > 0 ? snw_vec3_length(snw_vec3_sub(place[to], place[from])) / time : 0;
}

/* Between contacts the pins fade: the one before, and the one behind. */
static void fade_pins(const snw_motion *motion, lock_foot *foot, int point)
{
    snw_vec3 *moved = foot->moved[point];
    int reach = (int)(motion->rate * SNW__BRIEF) + 1;
    for (int f = 0; f < motion->frame_count; f++) {
        if (*weight_of(foot, f, point) >= 1) continue;
        double share[2] = {0, 0};
        snw_vec3 sum = {0, 0, 0};
        for (int way = 0; way < 2; way++)
            for (int n = 1; n <= reach; n++) {
                int near = way ? f + n : f - n;
                if (near < 0 || near >= motion->frame_count) break;
                if (*weight_of(foot, near, point) < 1) continue;
                /* 1 in the contact, falling to 0 over SNW__BRIEF. */
                double part = 1 - n / (motion->rate * SNW__BRIEF + 1);
                share[way] = part <= 0 ? 0 : part * part * (3 - 2 * part);
                sum = snw_vec3_add_scaled(sum, share[way], moved[near]);
                break;
            }
        double all = share[0] + share[1];
        if (!(all > 0)) continue;
        moved[f] = snw_vec3_scale(sum, 1 / fmax(1, all));
        *weight_of(foot, f, point) = fmin(all, 1) * (1 - 1e-9); /* less than in contact */
    }
}

static void find_contacts(const snw_motion *motion, lock_foot *foot, int point)
{
    int least = (int)(SNW__BRIEF * motion->rate) + 1;
    const snw_vec3 *place = foot->place[point];
    for (int start = 0, end; start < motion->frame_count; start = end + 1) {
        /* End of the contact that starts here: slow, and nowhere farther from its mean than
         * skin shifts: what is farther is another stance. */
        snw_vec3 sum = {0, 0, 0};
        int last = start;
        for (; last < motion->frame_count && speed_at(motion, place, last) < LOCK_SPEED; last++) {
            sum = snw_vec3_add(sum, place[last]);
            snw_vec3 mean = snw_vec3_scale(sum, 1.0 / (last - start + 1));
            if (snw_vec3_distance(place[last], mean) > SNW__SKIN_MAX) break;
        }
        int from = start, to = end = last;
        if (to - from < least) continue;
        /* Where it stands: the mean of its places, the slower the more (Tukey's biweight of the
         * speed). */
        sum = snw_vec3_make(0, 0, 0);
        double all = 0;
        for (int f = from; f < to; f++) {
            double share = speed_at(motion, place, f) / LOCK_SPEED;
            double weight = (1 - share * share) * (1 - share * share);
            sum = snw_vec3_add_scaled(sum, weight, place[f]);
            all += weight;
        }
        snw_vec3 pin = all > 0 ? snw_vec3_scale(sum, 1 / all) : place[from];
        /* A heel that begins to rise is slow, too: the ends of a contact count as long as they are
         * not above the pin by a third of what skin shifts. The rig's world has y up. */
        double most = pin.y + SNW__SKIN_MAX / 3;
        while (to - from > 1 && place[from].y > most)
            ++from;
        while (to - from > 1 && place[to - 1].y > most)
            --to;
        if (to - from < least) continue;
        for (int f = from; f < to; f++) {
            foot->moved[point][f] = snw_vec3_sub(pin, place[f]);
            *weight_of(foot, f, point) = 1;
        }
    }
    fade_pins(motion, foot, point);
}

/* ---- holding them ------------------------------------------------------------------------------
 */

/* Turns `joint` of the pose by a rotation of the world. */
static void turn_joint(snw_pose *pose, int joint, snw_quat turn)
{
    snw_quat world = pose->world[joint].rotation;
    snw_quat local = snw_quat_mul(snw_quat_conjugate(world), snw_quat_mul(turn, world));
    pose->rotation[joint] = snw_quat_normalize(snw_quat_mul(pose->rotation[joint], local));
    snw_pose_forward_from(pose, joint);
}

/* Ankle to `target` by the knee's bend and the hip's swing; the foot stands as `stand`. */
static void reach(snw_pose *pose, const lock_foot *foot, snw_vec3 target, snw_quat stand)
{
    snw_vec3 hip = pose->world[foot->hip].translation, knee = pose->world[foot->knee].translation;
    snw_vec3 ankle = pose->world[foot->ankle].translation;
    snw_vec3 thigh = snw_vec3_sub(knee, hip), shank = snw_vec3_sub(ankle, knee);
    double a = snw_vec3_length(thigh), b = snw_vec3_length(shank);
    double far = snw_vec3_length(snw_vec3_sub(target, hip));
    far = fmin(far, lock_reach * (a + b));
    double wanted = (a * a + b * b - far * far) / (2 * a * b);
    double now = -snw_vec3_dot(thigh, shank) / (a * b);
    snw_vec3 axis = snw_vec3_cross(thigh, shank);
    if (!(snw_vec3_length(axis) > 1e-6 * a * b) || !(a > 0) || !(b > 0)) return;
    double bend = snw__acos(snw_clamp(now, -1, 1)) - snw__acos(snw_clamp(wanted, -1, 1));
    turn_joint(pose, foot->knee, snw_quat_from_axis_angle(snw_vec3_unit(axis, axis), bend));
    ankle = pose->world[foot->ankle].translation;
    turn_joint(pose, foot->hip,
               snw_quat_between(snw_vec3_sub(ankle, hip), snw_vec3_sub(target, hip)));
    turn_joint(pose, foot->ankle,
               snw_quat_mul(stand, snw_quat_conjugate(pose->world[foot->ankle].rotation)));
}

/* How a foot turns about a point that is held so that its ankle comes within the leg's reach: in
 * the plane of hip, point and ankle, by the law of cosines. As a heel rises. */
static snw_quat turn_into_reach(const snw_pose *pose, const lock_foot *foot, snw_vec3 held,
                                snw_vec3 ankle)
{
    const snw_xform *world = pose->world;
    snw_vec3 hip = world[foot->hip].translation, knee = world[foot->knee].translation;
    double leg =
        snw_vec3_distance(hip, knee) + snw_vec3_distance(knee, world[foot->ankle].translation);
    snw_vec3 to_hip = snw_vec3_sub(hip, held), to_ankle = snw_vec3_sub(ankle, held);
    double far = snw_vec3_length(to_hip), length = snw_vec3_length(to_ankle);
    leg *= lock_reach;
    if (snw_vec3_distance(hip, ankle) <= leg || !(length > 0) || !(far > 0))
        return snw_quat_identity();
    double now = snw_vec3_dot(to_hip, to_ankle) / (far * length);
    double wanted = (far * far + length * length - leg * leg) / (2 * far * length);
    double angle = snw__acos(snw_clamp(now, -1, 1)) - snw__acos(snw_clamp(wanted, -1, 1));
    snw_vec3 axis = snw_vec3_cross(to_ankle, to_hip);
    if (!(snw_vec3_length(axis) > 1e-9) || !(angle > 0)) return snw_quat_identity();
    return snw_quat_from_axis_angle(snw_vec3_unit(axis, axis), angle);
}

/* Where a point is to be in this frame. The ball is drawn along by the tip once it is free itself.
 */
static snw_vec3 wanted_place(const lock_foot *foot, int frame, int point)
{
    snw_vec3 place = snw_vec3_add(foot->place[point][frame], foot->moved[point][frame]);
    if (point != LOCK_BALL || foot->joint[LOCK_TIP] < 0) return place;
    double free = 1 - *weight_of(foot, frame, LOCK_BALL);
    return snw_vec3_add_scaled(place, free, foot->moved[LOCK_TIP][frame]);
}

static void hold_frame(snw_pose *pose, const lock_foot *foot, int frame)
{
    snw_vec3 now[2] = {foot->place[LOCK_HEEL][frame], foot->place[LOCK_BALL][frame]};
    snw_vec3 to[2] = {wanted_place(foot, frame, LOCK_HEEL), wanted_place(foot, frame, LOCK_BALL)};
    double heel = *weight_of(foot, frame, LOCK_HEEL), ball = *weight_of(foot, frame, LOCK_BALL);
    snw_vec3 before = snw_vec3_sub(now[1], now[0]), after = snw_vec3_sub(to[1], to[0]);
    snw_quat turn = snw_quat_identity();
    if (snw_vec3_length(before) > 1e-3 && snw_vec3_length(after) > 1e-3)
        turn = snw_quat_between(before, after);
    /* The firmer pin is met, between two the ball's: feet push off with it. */
    int firm = heel > ball ? 0 : 1;
    snw_vec3 ankle = pose->world[foot->ankle].translation;
    snw_vec3 target = snw_vec3_add(to[firm], snw_quat_rotate(turn, snw_vec3_sub(ankle, now[firm])));
    snw_quat more = turn_into_reach(pose, foot, to[firm], target);
    turn = snw_quat_mul(more, turn);
    target = snw_vec3_add(to[firm], snw_quat_rotate(turn, snw_vec3_sub(ankle, now[firm])));
    reach(pose, foot, target, snw_quat_mul(turn, pose->world[foot->ankle].rotation));
    if (foot->joint[LOCK_TIP] < 0) return;
    snw_vec3 from = pose->world[foot->toe].translation;
    snw_vec3 tip = wanted_place(foot, frame, LOCK_TIP);
    turn_joint(pose, foot->toe,
               snw_quat_between(snw_vec3_sub(point_at(pose, foot, LOCK_TIP), from),
                                snw_vec3_sub(tip, from)));
}

static void lock_one(snw_motion *motion, snw_pose *pose, lock_foot *foot)
{
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        foot->weight[f] = snw_vec3_make(0, 0, 0);
        for (int p = 0; p < LOCK_POINTS; p++) {
            if (foot->joint[p] < 0) continue;
            foot->place[p][f] = point_at(pose, foot, p);
            foot->moved[p][f] = snw_vec3_make(0, 0, 0);
        }
    }
    for (int p = 0; p < LOCK_POINTS; p++)
        if (foot->joint[p] >= 0) find_contacts(motion, foot, p);
    for (int f = 0; f < motion->frame_count; f++) {
        if (!(snw_vec3_length(foot->weight[f]) > 0)) continue;
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        hold_frame(pose, foot, f);
        snw_motion_set(motion, f, pose);
    }
}

void snw__rig_lock_feet(snw_motion *motion, const snw__rig_joint *rig, snw_pose *pose,
                        snw_vec3 *places)
{
    for (int side = SNW_SIDE_LEFT; side <= SNW_SIDE_RIGHT; side++) {
        lock_foot foot;
        if (!find_foot(motion->skeleton, rig, (snw_side)side, &foot)) continue;
        for (int p = 0; p < LOCK_POINTS; p++) {
            foot.place[p] = places + (size_t)(2 * p) * (size_t)motion->frame_count;
            foot.moved[p] = foot.place[p] + motion->frame_count;
        }
        foot.weight = places + (size_t)(2 * LOCK_POINTS) * (size_t)motion->frame_count;
        lock_one(motion, pose, &foot);
    }
}
