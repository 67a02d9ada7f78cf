/* Motions on the spot: dance, boxing, reach. Feet are planted or step; hands go to places. */
#include "base/elementary.h"
#include "synth/stage.h"
#include "synth/synth_constants.h"

/* Where an arm ends in the chest's frame, mirrored for the right: x is outward, y up, z forward,
 * from the shoulder. */
typedef struct hand_goal {
    snw_vec3 place;
    double turn_deg;    /* of the forearm, thumb up is about 60 when the arm is in front */
    double flexion_deg; /* of the wrist */
} hand_goal;

/* On an arc about the shoulder: a straight way could lead through it. */
static hand_goal blend_hands(hand_goal a, hand_goal b, double t)
{
    snw_quat arc = snw_quat_slerp(snw_quat_identity(), snw_quat_between(a.place, b.place), t);
    double from = snw_vec3_length(a.place), to = snw_vec3_length(b.place);
    snw_vec3 way = snw_vec3_scale(a.place, (from + t * (to - from)) / from);
    hand_goal mixed = {snw_quat_rotate(arc, way), a.turn_deg + t * (b.turn_deg - a.turn_deg),
                       a.flexion_deg + t * (b.flexion_deg - a.flexion_deg)};
    return mixed;
}

/* Needs the world of the chest; the clavicle helps by a part of the way. Elbows point back while
 * the arm hangs, down while it is in front, and always a little out. */
static void put_hand(const snw__performer *actor, snw_pose *pose, int side, hand_goal goal)
{
    const snw__arm *arm = &actor->arm[side];
    double sign = snw__side_sign(side);
    snw__set_angles(pose, arm->clavicle, 0.35 * goal.place.z, 0.4 * (goal.place.y + 0.25));
    snw_pose_forward_from(pose, arm->clavicle);
    snw_xform chest = pose->world[actor->chest];
    snw_vec3 shoulder = pose->world[arm->shoulder].translation;
    snw_vec3 way = snw_vec3_make(sign * goal.place.x, goal.place.y, goal.place.z);
    snw_vec3 pole = snw_vec3_make(sign * 0.35, -0.8, -1.0);
    snw__segment_goal segment = {arm->shoulder, arm->elbow, arm->wrist,
                                 snw_vec3_add(shoulder, snw_quat_rotate(chest.rotation, way)),
                                 snw_quat_rotate(chest.rotation, pole)};
    snw__segment_reach(pose, &segment);
    snw__set_angles(pose, arm->forearm, sign * snw_radians(goal.turn_deg), 0);
    snw__set_angles(pose, arm->wrist, snw_radians(goal.flexion_deg), 0);
}

/* Trunk joints share a bend; the head turns by itself. Radians: forward, left, turn. */
static void bend_trunk(const snw__performer *actor, snw_pose *pose, const double bend[3],
                       const double look[2])
{
    double spine[3] = {0.6 * bend[0], 0.5 * bend[1], 0.25 * bend[2]};
    double chest[3] = {0.4 * bend[0], 0.5 * bend[1], 0.75 * bend[2]};
    double neck[3] = {0.5 * look[1], 0, 0.5 * look[0]};
    snw__set_ball(pose, actor->spine, SNW_SIDE_LEFT, spine);
    snw__set_ball(pose, actor->chest, SNW_SIDE_LEFT, chest);
    snw__set_ball(pose, actor->neck, SNW_SIDE_LEFT, neck);
    snw__set_angles(pose, actor->head, 0.5 * look[0], 0.5 * look[1]);
    snw_pose_forward(pose);
}

/* ---- boxing ------------------------------------------------------------------------------- */

typedef struct box_punch {
    int side;
    hand_goal hit;
    double turn_deg; /* of the trunk: left shoulder forward is negative */
    double sweep;    /* how far out the hand goes on its way, metres */
    double shift;    /* of the pelvis, forward, metres */
} box_punch;

static const box_punch box_punches[] = {
    {SNW_SIDE_LEFT, {{-0.06, 0.04, 0.56}, -40, 0}, -18, 0, 0.05},    /* jab */
    {SNW_SIDE_RIGHT, {{-0.10, 0.02, 0.55}, -40, 0}, 34, 0, 0.08},    /* cross */
    {SNW_SIDE_LEFT, {{-0.08, 0.02, 0.40}, -10, 5}, -30, 0.20, 0.03}, /* hook */
    {SNW_SIDE_RIGHT, {{-0.05, -0.16, 0.42}, 50, 0}, 28, 0.02, 0.05}, /* uppercut */
};

#define BOX_PUNCH_COUNT ((int)(sizeof box_punches / sizeof box_punches[0]))

void snw__boxing_at(const snw__stage *stage, double time, snw_pose *pose)
{
    const snw__performer *actor = &stage->actor;
    const hand_goal guard = {{-0.03, -0.02, 0.24}, 40, 0};
    double punches = time / BOX_PUNCH;
    uint64_t seed = stage->options->seed;
    int number = (int)floor(punches);
    snw_random random = snw__synth_random(seed, SNW__PURPOSE_MOVE, number, 0);
    const box_punch *punch =
        &box_punches[number < BOX_PUNCH_COUNT ? number
                                              : (int)snw_random_below(&random, BOX_PUNCH_COUNT)];
    /* Out fast, back slower. */
    const snw__key keys[] = {{0.05, 0}, {0.38, 1}, {0.46, 1}, {0.98, 0}};
    double u = punches - floor(punches), weight = snw__keyed(keys, 4, u);
    double bounce = 2 * SNW_PI * 1.9 * time, drift = 2 * SNW_PI * 0.23 * time;
    double stance_turn = snw_radians(-25); /* the left foot leads */
    pose->root.rotation = snw_quat_mul(snw__turn_y(stance_turn), snw__turn_x(snw_radians(6)));
    pose->root.translation =
        snw_vec3_make(0.03 * snw__sin(drift), 0.880 + 0.010 * snw__sin(bounce) - 0.010 * weight,
                      0.02 * snw__sin(1.7 * drift) - 0.05 + punch->shift * weight);
    double bend[3] = {snw_radians(12 + 2 * snw__sin(bounce)), snw_radians(3 * snw__sin(drift)),
                      snw_radians(punch->turn_deg) * weight};
    double look[2] = {-stance_turn - 0.8 * bend[2], snw_radians(-8)};
    bend_trunk(actor, pose, bend, look);
    for (int side = 0; side < 2; side++) {
        hand_goal hand = guard;
        hand.place.y += 0.010 * snw__sin(bounce + side);
        if (side == punch->side) hand = blend_hands(hand, punch->hit, weight);
        if (side == punch->side) hand.place.x += punch->sweep * snw__bump((u - 0.05) / 0.55);
        put_hand(actor, pose, side, hand);
    }
    snw__footing feet[2] = {snw__flat_foot(0.12, 0.20, snw_radians(-10)),
                            snw__flat_foot(-0.13, -0.20, snw_radians(-40))};
    feet[SNW_SIDE_RIGHT].pitch = snw_radians(24); /* on the ball of the rear foot */
    feet[SNW_SIDE_RIGHT].roll = 0;
    feet[SNW_SIDE_RIGHT].toes = -feet[SNW_SIDE_RIGHT].pitch;
    snw__stand(actor, pose, feet);
}

/* ---- reach -------------------------------------------------------------------------------- */

typedef struct reach_target {
    hand_goal hand;
    double bend[3];
} reach_target;

void snw__reach_at(const snw__stage *stage, double time, snw_pose *pose)
{
    const snw__performer *actor = &stage->actor;
    const snw__key keys[] = {{0, 0}, {0.42, 1}, {0.55, 1}, {1, 0}};
    double periods = time / REACH_PERIOD;
    int number = (int)floor(periods), active = number % 2;
    double weight = snw__keyed(keys, 4, periods - number);
    uint64_t seed = stage->options->seed;
    snw_random random = snw__synth_random(seed, SNW__PURPOSE_MOVE, number, 1);
    double azimuth = snw_radians(snw_random_range(&random, -20, 70)); /* outward from ahead */
    double elevation = snw_radians(snw_random_range(&random, -38, 48));
    double distance = snw_random_range(&random, 0.40, 0.53);
    reach_target target;
    target.hand.place = snw_vec3_make(distance * snw__cos(elevation) * snw__sin(azimuth),
                                      distance * snw__sin(elevation),
                                      distance * snw__cos(elevation) * snw__cos(azimuth));
    target.hand.turn_deg = snw_random_range(&random, -40, 40);
    target.hand.flexion_deg = snw_random_range(&random, -25, 25);
    target.bend[0] = snw_radians(elevation < 0 ? 24 : 4) * fabs(snw__sin(elevation)) * 1.4;
    target.bend[1] = 0.10 * snw__sin(azimuth);
    target.bend[2] = 0.40 * snw__sin(azimuth) - 0.15; /* the reaching shoulder comes forward */
    double sign = snw__side_sign(active), sway = 2 * SNW_PI * 0.31 * time;
    pose->root.rotation = snw__turn_y(0.25 * sign * target.bend[2] * weight);
    pose->root.translation = snw_vec3_make(
        sign * 0.03 * weight + 0.006 * snw__sin(sway), 0.917 - 0.06 * target.bend[0] * weight,
        -0.02 - 0.10 * target.bend[0] * weight + 0.004 * snw__sin(1.3 * sway));
    double bend[3] = {target.bend[0] * weight, sign * target.bend[1] * weight,
                      sign * target.bend[2] * weight};
    double look[2] = {0.7 * sign * snw__atan2(target.hand.place.x, 0.3 + target.hand.place.z) *
                          weight,
                      -0.5 * target.hand.place.y * weight};
    bend_trunk(actor, pose, bend, look);
    for (int side = 0; side < 2; side++) {
        hand_goal goal = {{0.09, -0.53, 0.07}, 20, 8};
        hand_goal hand = goal;
        if (side == active) hand = blend_hands(hand, target.hand, weight);
        if (side == active) hand.place.x += 0.06 * snw__bump(2.4 * (periods - number));
        put_hand(actor, pose, side, hand);
    }
    snw__footing feet[2] = {snw__flat_foot(0.10, 0, snw_radians(8)),
                            snw__flat_foot(-0.10, 0, snw_radians(-8))};
    snw__stand(actor, pose, feet);
}

/* ---- dance -------------------------------------------------------------------------------- */

/* Over four beats: left foot out, right foot after it, right foot out, left foot after it. Each
 * moves in the first 70 % of its beat. */
static snw__footing dance_foot(int side, double beats)
{
    static const double place[2][5] = {{0, 1, 1, 1, 0}, {0, 0, 1, 0, 0}};
    double in_bar = fmod(beats, 4), u = in_bar - floor(in_bar);
    int beat = (int)floor(in_bar);
    double from = place[side][beat], to = place[side][beat + 1];
    double move = u / 0.7;
    double x = snw__side_sign(side) * 0.10 + DANCE_STEP * (from + (to - from) * snw__travel(move));
    snw__footing foot = snw__flat_foot(x, 0, snw__side_sign(side) * snw_radians(10));
    if (from == to) return foot;
    foot.base.y = 0.05 * snw__bump(move);
    foot.pitch = snw_radians(24) * snw__bump(move);
    foot.roll = 0;
    foot.toes = -0.5 * foot.pitch;
    return foot;
}

void snw__dance_at(const snw__stage *stage, double time, snw_pose *pose)
{
    const snw__performer *actor = &stage->actor;
    snw_random random = snw__synth_random(stage->options->seed, SNW__PURPOSE_STYLE, 1, 0);
    double beats = time / DANCE_BEAT, pulse = 2 * SNW_PI * beats, bar = pulse / 4;
    double high = snw_random_range(&random, 0.8, 1.1), wide = snw_random_range(&random, 0.8, 1.1);
    double side_way = 0.5 * DANCE_STEP * (1.1 - snw__cos(bar));
    pose->root.rotation = snw_quat_mul(snw__turn_y(snw_radians(12) * snw__sin(bar)),
                                       snw__turn_z(snw_radians(5) * snw__sin(0.5 * pulse)));
    pose->root.translation =
        snw_vec3_make(side_way + 0.02 * snw__sin(0.5 * pulse), 0.893 - 0.014 * snw__cos(pulse),
                      0.015 * snw__sin(0.5 * pulse) - 0.03);
    double bend[3] = {snw_radians(5 + 4 * snw__sin(pulse)), snw_radians(-9) * snw__sin(0.5 * pulse),
                      snw_radians(18) * snw__sin(bar + 1)};
    double look[2] = {-0.5 * bend[2], snw_radians(6) * snw__cos(pulse)};
    bend_trunk(actor, pose, bend, look);
    for (int side = 0; side < 2; side++) {
        double wave = 0.5 * pulse + (side == SNW_SIDE_LEFT ? 0 : SNW_PI);
        hand_goal hand = {{0.22 + 0.12 * wide * snw__cos(wave), 0.02 + 0.22 * high * snw__sin(wave),
                           0.30 + 0.08 * snw__cos(bar)},
                          10 + 35 * snw__sin(wave + 1),
                          25 * snw__cos(wave)};
        put_hand(actor, pose, side, hand);
    }
    snw__footing feet[2] = {dance_foot(SNW_SIDE_LEFT, beats), dance_foot(SNW_SIDE_RIGHT, beats)};
    snw__stand(actor, pose, feet);
}
