/* Frames by least squares: where limits keep a body from turning as the other one does, and robots,
 * whose joints have no counterparts. Both go through steps of weighted least squares that keep
 * every limit (sinew/ik.h, snw_ik_stepper); ankles count most, so that feet that stand do. */
#include <math.h>
#include <string.h>

#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "retarget/retarget_body.h"

enum {
    REACH_STEPS_FIRST = 300, /* from rest; later frames begin where the last one ended */
    REACH_STEPS = 30
};

/* [derived] Weights against an ankle's 1: what cannot be reached by half a metre moves an ankle by
 * half a millimetre. A radian of a joint counts as much as an ankle off by what skin may shift a
 * marker. */
#define REACH_SOME SNW__NOISE_POOR
#define REACH_HOLD (SNW__SKIN_MAX * SNW__SKIN_MAX)

static int add(snw__reach *reach, snw_goal goal, double weight)
{
    goal.weight = weight;
    reach->goal[reach->goal_count] = goal;
    return reach->goal_count++;
}

static void step(snw__reach *reach, snw_pose *pose, int steps)
{
    snw_ik_stepper_restart(reach->stepper);
    while (steps-- > 0) {
        snw_ik_step did = snw_ik_stepper_step(reach->stepper, reach->goal, pose);
        if (!did.is_rejected && !(did.largest_move > SNW__SINGLE)) return;
    }
}

static snw_status create(snw__reach *reach, const snw_skeleton *skeleton,
                         const snw_ik_stepper_options *options, const snw_allocator *from,
                         snw_error *error)
{
    snw_ik_problem problem = {skeleton, reach->goal, reach->goal_count};
    return snw_ik_stepper_create(&problem, options, from, &reach->stepper, error);
}

/* ---- characters with limits ------------------------------------------------------------------ */

snw_status snw__reach_limited(snw__reach *reach, const snw_skeleton *character,
                              const snw__retarget_body *body, const snw_allocator *from,
                              snw_error *error)
{
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    memset(reach, 0, sizeof *reach);
    for (int side = 0; side < SNW_SIDES; side++)
        reach->ankle[side] = add(reach, snw_goal_position(body->leg[side].end, zero, zero), 1);
    reach->pelvis = add(reach, snw_goal_pose(0, zero, zero, snw_quat_identity()), REACH_SOME);
    options.use_holds = character->pin_count == 0;
    return create(reach, character, &options, from, error);
}

void snw__reach_feet(snw__reach *reach, const snw_vec3 ankle[SNW_SIDES], snw_pose *pose)
{
    const snw_skeleton *skeleton = pose->skeleton;
    for (int side = 0; side < SNW_SIDES; side++)
        reach->goal[reach->ankle[side]].position = ankle[side];
    reach->goal[reach->pelvis].position = pose->world[0].translation;
    reach->goal[reach->pelvis].orientation = pose->world[0].rotation;
    for (int j = 1; j < skeleton->joint_count && skeleton->pin_count == 0; j++)
        snw_ik_stepper_set_hold(reach->stepper, j, pose->rotation[j], REACH_HOLD);
    step(reach, pose, REACH_STEPS);
}

/* ---- robots ---------------------------------------------------------------------------------- */

snw_status snw__reach_robot(snw__reach *reach, const snw_pose *rest, const snw__biped *robot,
                            const snw_allocator *from, snw_error *error)
{
    const snw_skeleton *skeleton = rest->skeleton;
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    memset(reach, 0, sizeof *reach);
    reach->robot = *robot;
    for (int side = 0; side < SNW_SIDES; side++) {
        const snw__limb *leg = robot->leg + side, *arm = robot->arm + side;
        /* The ankle as the last hinge carries it, so that the foot's own turn does not move it. */
        snw_vec3 ankle =
            snw_xform_unpoint(rest->world[leg->last], rest->world[leg->end].translation);
        reach->ankle[side] = add(reach, snw_goal_position(leg->last, ankle, zero), 1);
        reach->foot[side] =
            add(reach, snw_goal_orientation(leg->last, snw_quat_identity()), REACH_SOME);
        reach->knee[side] = add(reach, snw_goal_position(leg->middle, zero, zero), REACH_SOME);
        if (!(arm->length > 0)) continue;
        reach->elbow[side] = add(reach, snw_goal_position(arm->middle, zero, zero), REACH_SOME);
        reach->wrist[side] = add(reach, snw_goal_position(arm->end, zero, zero), REACH_SOME);
    }
    reach->pelvis =
        add(reach, snw_goal_pose(robot->pelvis, zero, zero, snw_quat_identity()), REACH_SOME);
    if (robot->chest >= 0 && robot->chest != robot->pelvis)
        reach->chest =
            add(reach, snw_goal_orientation(robot->chest, snw_quat_identity()), REACH_SOME);
    if (robot->head >= 0)
        reach->head =
            add(reach, snw_goal_orientation(robot->head, snw_quat_identity()), REACH_SOME);
    for (int j = 0; j <= robot->pelvis; j++)
        if (skeleton->joint[j].type == SNW_JOINT_FREE) options.root = SNW_IK_ROOT_FIXED;
    /* What no goal determines stays where it is. */
    options.damping = REACH_HOLD * REACH_SOME;
    return create(reach, skeleton, &options, from, error);
}

void snw__reach_robot_frame(snw__reach *reach, const snw__biped_wish *wish, const snw_pose *rest,
                            bool is_first, snw_pose *pose)
{
    const snw__biped *robot = &reach->robot;
    snw_goal *goal = reach->goal;
    const struct {
        int goal, joint;
        snw_quat turn;
    } turns[] = {{reach->pelvis, robot->pelvis, wish->pelvis_turn},
                 {reach->chest, robot->chest, wish->chest_turn},
                 {reach->head, robot->head, wish->head_turn},
                 {reach->foot[0], robot->leg[0].last, wish->foot_turn[0]},
                 {reach->foot[1], robot->leg[1].last, wish->foot_turn[1]}};
    for (size_t n = 0; n < sizeof turns / sizeof *turns; n++)
        if (turns[n].joint >= 0)
            goal[turns[n].goal].orientation =
                snw_quat_mul(turns[n].turn, rest->world[turns[n].joint].rotation);
    snw_ik_stepper_restart(reach->stepper);
    for (int round = 0; round < (is_first ? REACH_STEPS_FIRST : REACH_STEPS); round++) {
        /* Limbs go the other's ways from where their own beginning is by now. */
        snw_vec3 hips = snw_vec3_lerp(pose->world[robot->leg[0].top].translation,
                                      pose->world[robot->leg[1].top].translation, 0.5);
        goal[reach->pelvis].position =
            snw_vec3_add(pose->world[robot->pelvis].translation, snw_vec3_sub(wish->hips, hips));
        for (int side = 0; side < SNW_SIDES; side++) {
            const snw__limb *leg = robot->leg + side, *arm = robot->arm + side;
            goal[reach->ankle[side]].position = wish->ankle[side];
            goal[reach->knee[side]].position =
                snw_vec3_add(pose->world[leg->top].translation, wish->thigh[side]);
            if (!(arm->length > 0)) continue;
            snw_vec3 shoulder = pose->world[arm->top].translation;
            goal[reach->elbow[side]].position = snw_vec3_add(shoulder, wish->elbow[side]);
            goal[reach->wrist[side]].position = snw_vec3_add(shoulder, wish->wrist[side]);
        }
        snw_ik_step did = snw_ik_stepper_step(reach->stepper, goal, pose);
        if (!did.is_rejected && !(did.largest_move > SNW__SINGLE)) break;
    }
}

void snw__reach_release(snw__reach *reach)
{
    snw_ik_stepper_destroy(reach->stepper);
    reach->stepper = NULL;
}
