/* Joints of a live pose accelerate no more than their markers do.
 *
 * The bound is that of continuity.c: with d2 the second difference over the last three frames,
 *
 *     |d2 of a joint|  <=  share * (largest |d2| of the markers on its two segments) + floor.
 *
 * Live there is no future to spread a jump over, but a jump comes from markers that count all at
 * once or no longer: the same frame solved with the weights of the frame before, hidden markers
 * carried along by their segments, goes on where the body was. The offset from the solved pose to
 * that one is taken back over the next frames by a critically damped spring
 * ("inertialization", Bollo 2018, Game Developers Conference): x'' = -2 r x' - r^2 x accelerates an
 * offset of d metres by r^2 d at first, which gives r. Frames without a jump, and without an offset
 * that is left over, stay bit for bit what was solved. */
#include "track/live_continuity.h"

#include <string.h>

#include "base/elementary.h"
#include "person/movement.h"
#include "track/track_constants.h"

void snw__live_continuity_lay_out(snw__live_continuity *live, snw__block *block)
{
    size_t markers = (size_t)live->actor->marker_count;
    size_t joints = (size_t)live->actor->skeleton->joint_count;
    for (int k = 0; k < 2; k++) {
        live->before[k].marker = snw__block_take(block, markers, sizeof(snw_vec3));
        live->before[k].is_seen = snw__block_take(block, markers, sizeof(bool));
        live->before[k].place = snw__block_take(block, joints, sizeof(snw_vec3));
        live->before[k].turn = snw__block_take(block, joints, sizeof(snw_quat));
    }
    live->weight = snw__block_take(block, markers, sizeof(double));
    live->marker_d2 = snw__block_take(block, joints, sizeof(double));
    live->does_jump = snw__block_take(block, joints, sizeof(bool));
    live->is_moved = snw__block_take(block, joints, sizeof(bool));
    live->offset = snw__block_take(block, joints + 2, sizeof(snw_vec3));
    live->speed = snw__block_take(block, joints + 2, sizeof(snw_vec3));
}

void snw__live_continuity_forget(snw__live_continuity *live)
{
    live->known = 0;
    live->rate = 0;
    live->pull = 0;
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static double live_d2(snw_vec3 a, snw_vec3 b, snw_vec3 c)
{
    return snw_vec3_length(snw_vec3_add(snw_vec3_add_scaled(a, -2, b), c));
}

/* The largest of each segment's markers; -1: none was seen three times. */
static void look_at_paths(snw__live_continuity *live)
{
    const snw_actor *actor = live->actor;
    for (int j = 0; j < actor->skeleton->joint_count; j++)
        live->marker_d2[j] = -1;
    for (int m = 0; m < actor->marker_count; m++) {
        if (!(live->sample_weight[m] > 0) || !live->before[0].is_seen[m] ||
            !live->before[1].is_seen[m])
            continue;
        double *most = live->marker_d2 + actor->marker[m].joint;
        *most = fmax(*most,
                     live_d2(live->before[1].marker[m], live->before[0].marker[m], live->seen[m]));
    }
}

double snw__live_continuity_jump(snw__live_continuity *live, const snw_pose *out)
{
    const snw_skeleton *body = live->actor->skeleton;
    /* As in continuity.c. */
    double floor = CONTINUITY_FLOOR * body->size, most = 0;
    bool has_paths = false;
    for (int j = 0; j < body->joint_count && live->known == 2; j++) {
        live->does_jump[j] = false;
        double own =
            live_d2(live->before[1].place[j], live->before[0].place[j], out->world[j].translation);
        if (!(own > floor)) continue;
        if (!has_paths) look_at_paths(live);
        has_paths = true;
        int up = body->parent[j];
        double theirs = fmax(live->marker_d2[j], up >= 0 ? live->marker_d2[up] : -1);
        double beyond = theirs >= 0 ? own - CONTINUITY_SHARE * theirs - floor - live->pull : 0;
        live->does_jump[j] = beyond > 0;
        most = fmax(most, beyond);
    }
    return most;
}

bool snw__live_continuity_carry(const snw__live_continuity *live, int m, snw_vec3 *place)
{
    const snw_actor *actor = live->actor;
    snw_vec3 way = {0, 0, 0};
    int count = 0;
    for (int k = 0; k < actor->marker_count; k++)
        if (actor->marker[k].joint == actor->marker[m].joint && live->sample_weight[k] > 0 &&
            live->before[0].is_seen[k])
            way = snw_vec3_lerp(way, snw_vec3_sub(live->seen[k], live->before[0].marker[k]),
                                1.0 / ++count);
    *place = snw_vec3_add(live->before[0].marker[m], way);
    return count > 0 && live->before[0].is_seen[m];
}

/* ---- the offset ----------------------------------------------------------------------------- */

static snw_quat turn_by(snw_quat rotation, snw_vec3 offset)
{
    return snw_quat_normalize(snw_quat_mul(rotation, snw_quat_exp(offset)));
}

static snw_vec3 turn_between(snw_quat from, snw_quat to)
{
    return snw_quat_log(snw_quat_mul(snw_quat_conjugate(from), to));
}

static snw_quat allowed_turn(const snw_joint *joint, snw_quat turn)
{
    snw_joint typed = *joint;
    typed.limit = snw_joint_limit_none();
    return snw_joint_limit_apply(&typed, turn);
}

static void put_offset(const snw__live_continuity *live, snw_pose *pose)
{
    const snw_skeleton *body = live->actor->skeleton;
    int root = body->joint_count;
    pose->root.translation = snw_vec3_add(pose->root.translation, live->offset[root + 1]);
    pose->root.rotation = turn_by(pose->root.rotation, live->offset[root]);
    for (int j = 0; j < body->joint_count; j++)
        pose->rotation[j] =
            allowed_turn(body->joint + j, turn_by(pose->rotation[j], live->offset[j]));
    snw_pose_forward(pose);
}

void snw__live_continuity_put(snw__live_continuity *live, const snw_pose *solved, bool is_lost,
                              snw_pose *out)
{
    snw_pose_copy(out, solved);
    if (is_lost) live->known = 0;
    if (!is_lost && live->rate > 0) {
        /* One frame of a critically damped spring, which ends where it should without overshoot:
         * x'' = -2 rate x' - rate^2 x. */
        double left = snw__exp(-live->rate), farthest = 0;
        for (int n = 0; n < live->actor->skeleton->joint_count + 2; n++) {
            snw_vec3 pull = snw_vec3_add_scaled(live->speed[n], live->rate, live->offset[n]);
            live->offset[n] = snw_vec3_scale(snw_vec3_add(live->offset[n], pull), left);
            live->speed[n] =
                snw_vec3_scale(snw_vec3_add_scaled(live->speed[n], -live->rate, pull), left);
            farthest =
                fmax(farthest, snw_vec3_length(live->offset[n]) + snw_vec3_length(live->speed[n]));
        }
        /* Radians or metres: nobody sees what is left. */
        if (farthest < SNW__NOISE_MIN) live->rate = live->pull = 0;
    }
    if (live->rate > 0) put_offset(live, out);
}

/* On from b as it came from a, no faster than a segment turns. */
static snw_quat turn_on(snw_quat a, snw_quat b)
{
    snw_quat step = snw_quat_mul(snw_quat_conjugate(a), b);
    double angle = snw_quat_angle_between(a, b);
    if (angle > LIVE_TURN_MAX)
        step = snw_quat_slerp(snw_quat_identity(), step, LIVE_TURN_MAX / angle);
    return snw_quat_normalize(snw_quat_mul(b, step));
}

/* `pose` becomes `from`, with what is moved going on as it went by `share`. */
static void go_on(const snw__live_continuity *live, const snw_pose *from, double share,
                  snw_pose *pose)
{
    const snw_skeleton *body = live->actor->skeleton;
    const snw__live_frame *one = live->before, *two = live->before + 1;
    snw_pose_copy(pose, from);
    for (int j = 0; j < body->joint_count; j++)
        if (live->is_moved[j])
            pose->rotation[j] = allowed_turn(
                body->joint + j,
                snw_quat_slerp(from->rotation[j], turn_on(two->turn[j], one->turn[j]), share));
    pose->root.rotation =
        snw_quat_slerp(from->root.rotation, turn_on(two->root.rotation, one->root.rotation), share);
    pose->root.translation = snw_vec3_lerp(
        from->root.translation,
        snw_vec3_sub(snw_vec3_scale(one->root.translation, 2), two->root.translation), share);
    snw_pose_forward(pose);
}

/* `out` jumps by `jump`: the least share of going on that does not. */
static void limit_jump(snw__live_continuity *live, double jump, snw_pose *work, snw_pose *out)
{
    double low = 0, high = 1;
    /* What a jump moves: its joints, all above and all below. */
    const int *parent = live->actor->skeleton->parent;
    int joints = live->actor->skeleton->joint_count;
    for (int j = 1; j < joints; j++)
        live->does_jump[j] |= live->does_jump[parent[j]];
    for (int j = joints - 1; j > 0; j--)
        live->does_jump[parent[j]] |= live->does_jump[j];
    memcpy(live->is_moved, live->does_jump, (size_t)joints * sizeof *live->is_moved);
    go_on(live, out, 1, work);
    double least = snw__live_continuity_jump(live, work);
    if (!(least < jump)) return;
    for (int n = 0; n < LIVE_HALVINGS; n++) {
        double share = 0.5 * (low + high);
        go_on(live, out, share, work);
        if (snw__live_continuity_jump(live, work) > least)
            low = share;
        else
            high = share;
    }
    go_on(live, out, high, work);
    snw_pose_copy(out, work);
}

void snw__live_continuity_begin(snw__live_continuity *live, const snw_pose *solved, double jump,
                                snw_pose *kept, snw_pose *out)
{
    if (live->rate > 0) put_offset(live, kept);
    double least = snw__live_continuity_jump(live, kept);
    if (least < jump)
        snw_pose_copy(out, kept);
    else
        least = snw__live_continuity_jump(live, out);
    if (least > 0) limit_jump(live, least, kept, out);
    /* From the solved pose to `out`, so slowly that the farthest joint accelerates by no more than
     * the floor. */
    const snw_skeleton *body = live->actor->skeleton;
    int root = body->joint_count;
    double farthest = 0;
    for (int j = 0; j < body->joint_count; j++) {
        live->offset[j] = turn_between(solved->rotation[j], out->rotation[j]);
        farthest = fmax(farthest,
                        snw_vec3_distance(out->world[j].translation, solved->world[j].translation));
    }
    live->offset[root] = turn_between(solved->root.rotation, out->root.rotation);
    live->offset[root + 1] = snw_vec3_sub(out->root.translation, solved->root.translation);
    for (int n = 0; n < root + 2; n++)
        live->speed[n] = snw_vec3_make(0, 0, 0);
    double rate = farthest > 0 ? sqrt(CONTINUITY_FLOOR * body->size / farthest) : LIVE_RATE_MAX;
    live->rate = fmin(fmax(rate, LIVE_RATE_MIN), LIVE_RATE_MAX);
    live->pull = rate < LIVE_RATE_MIN ? LIVE_PULL * live->rate * live->rate * farthest : 0;
}

void snw__live_continuity_remember(snw__live_continuity *live, const snw_pose *out)
{
    snw__live_frame oldest = live->before[1];
    live->before[1] = live->before[0];
    for (int m = 0; m < live->actor->marker_count; m++) {
        oldest.is_seen[m] = live->sample_weight[m] > 0;
        oldest.marker[m] = live->seen[m];
    }
    for (int j = 0; j < live->actor->skeleton->joint_count; j++)
        oldest.place[j] = out->world[j].translation;
    memcpy(oldest.turn, out->rotation,
           (size_t)live->actor->skeleton->joint_count * sizeof *oldest.turn);
    oldest.root = out->root;
    live->before[0] = oldest;
    if (live->known < 2) live->known++;
}
