/* Bodies with limits and problems whose answers exist, for the batch on processor and device. */
#ifndef SNW_TESTS_BATCH_CASES_H
#define SNW_TESTS_BATCH_CASES_H

#include "ik_bodies.h"

#define GOALS_MAX 5

/* A body, its goals and problems whose answer exists: targets from random allowed poses. */
typedef struct batch_case {
    snw_skeleton *body;
    int count, goal_count;
    snw_goal goal[GOALS_MAX];
    snw_ik_batch_options options;
    float *target, *frame, *rotation, *slide, *residual;
    uint8_t *outcome;
} batch_case;

static void take_arrays(batch_case *c)
{
    size_t goals = (size_t)c->count * (size_t)c->goal_count;
    size_t joints = (size_t)c->count * (size_t)c->body->joint_count;
    c->target = calloc(goals * 3, sizeof(float));
    c->frame = calloc(goals * 4, sizeof(float));
    c->rotation = calloc(joints * 4, sizeof(float));
    c->slide = calloc(joints * 3, sizeof(float));
    c->residual = calloc((size_t)c->count, sizeof(float));
    c->outcome = calloc((size_t)c->count, 1);
    assert_true(c->target && c->frame && c->rotation && c->slide && c->residual && c->outcome);
}

static void start_at_rest(batch_case *c)
{
    size_t joints = (size_t)c->count * (size_t)c->body->joint_count;
    memset(c->rotation, 0, joints * 4 * sizeof(float));
    memset(c->slide, 0, joints * 3 * sizeof(float));
    for (size_t n = 0; n < joints; n++)
        c->rotation[4 * n] = 1;
}

static void make_targets(batch_case *c, uint64_t seed)
{
    snw_pose *truth = pose_of(c->body);
    snw_random random = snw_random_seed(seed, 0);
    for (int n = 0; n < c->count; n++) {
        pose_scatter(truth, &random, 1.5);
        for (int g = 0; g < c->goal_count; g++) {
            snw_xform at = truth->world[c->goal[g].joint];
            snw_vec3 p = snw_xform_point(at, c->goal[g].point);
            snw_quat q = at.rotation;
            if (c->goal[g].kind == SNW_GOAL_AIM) /* somewhere along the sight */
                p = snw_vec3_add_scaled(p, snw_random_range(&random, 0.3, 2),
                                        snw_quat_rotate(q, c->goal[g].direction));
            size_t k = (size_t)n * (size_t)c->goal_count + (size_t)g;
            const float place[3] = {(float)p.x, (float)p.y, (float)p.z};
            const float frame[4] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z};
            memcpy(c->target + 3 * k, place, sizeof place);
            memcpy(c->frame + 4 * k, frame, sizeof frame);
        }
    }
    snw_pose_destroy(truth);
}

typedef struct body_problem {
    const char *body;
    bool is_pose;
    int goal_count;
    const char *joint[GOALS_MAX];
    int aims; /* so many of the last goals are aims along z */
} body_problem;

static const body_problem body_problems[] = {
    {"humanoid", false, 1, {"left_wrist"}, 0},
    {"humanoid", false, 5, {"left_wrist", "right_wrist", "head", "left_ankle", "right_ankle"}, 0},
    {"humanoid", true, 2, {"right_wrist", "left_ankle"}, 0},
    {"arm7", true, 1, {"tool"}, 0},
    {"panda", true, 1, {"tool"}, 0},
    {"hand25", false, 5, {"index5", "middle5", "ring5", "little5", "thumb4"}, 0},
    {"humanoid13", false, 1, {NULL}, 0},
    {"humanoid", false, 3, {"left_wrist", "right_wrist", "head"}, 1},
    {"arm7", false, 2, {"tool", "tool"}, 1},
    {"panda", false, 1, {"tool"}, 1},
};
#define BODY_PROBLEMS ((int)(sizeof body_problems / sizeof *body_problems))

static batch_case case_of(const body_problem *problem, int count)
{
    batch_case c = {.body = preset(problem->body),
                    .count = count,
                    .goal_count = problem->goal_count,
                    .options = snw_ik_batch_options_default()};
    for (int g = 0; g < c.goal_count; g++) {
        int joint = problem->joint[g] ? snw_skeleton_find_joint(c.body, problem->joint[g])
                                      : c.body->joint_count - 1;
        snw_vec3 zero = snw_vec3_make(0, 0, 0);
        assert_true(joint >= 0);
        c.goal[g] = problem->is_pose ? snw_goal_pose(joint, zero, zero, snw_quat_identity())
                                     : snw_goal_position(joint, zero, zero);
        if (g >= c.goal_count - problem->aims)
            c.goal[g] = snw_goal_aim(joint, zero, snw_vec3_make(0, 0, 1), zero);
    }
    take_arrays(&c);
    make_targets(&c, 21);
    start_at_rest(&c);
    return c;
}

static void case_free(batch_case *c)
{
    free(c->target);
    free(c->frame);
    free(c->rotation);
    free(c->slide);
    free(c->residual);
    free(c->outcome);
    snw_skeleton_destroy(c->body);
}

static snw_ik_batch_job job_of(batch_case *c)
{
    snw_ik_batch_job job = {.problem_count = c->count,
                            .target = c->target,
                            .rotation = c->rotation,
                            .slide = c->slide,
                            .orientation = c->frame,
                            .residual = c->residual,
                            .outcome = c->outcome};
    return job;
}

static int solve_job(batch_case *c, const snw_ik_batch_job *job)
{
    snw_ik_batch *batch = NULL;
    int reached = 0;
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){c->body, c->goal, c->goal_count},
                                         &c->options, NULL, &batch, NULL),
                     SNW_OK);
    assert_string_not_equal(snw_ik_batch_path(batch), "one by one");
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), job, &reached, NULL), SNW_OK);
    snw_ik_batch_destroy(batch);
    return reached;
}

/* The answer of a problem as a pose in doubles. */
static void load_answer(const batch_case *c, int problem, snw_pose *pose)
{
    int joints = c->body->joint_count;
    for (int j = 0; j < joints; j++) {
        const float *q = c->rotation + ((size_t)problem * (size_t)joints + (size_t)j) * 4;
        const float *s = c->slide + ((size_t)problem * (size_t)joints + (size_t)j) * 3;
        pose->rotation[j] = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
        pose->slide[j] = snw_vec3_make(s[0], s[1], s[2]);
    }
    snw_pose_forward(pose);
}

/* Frames and jacobians of the answers against forward kinematics and jacobians one by one. */
static inline void check_frames(batch_case *c, double tolerance)
{
    size_t goals = (size_t)c->goal_count, dofs = (size_t)c->body->dof_count;
    float *frame = calloc((size_t)c->count * goals * 7, sizeof(float));
    float *jacobian = malloc((size_t)c->count * goals * 6 * dofs * sizeof(float));
    double *wanted = calloc(6 * dofs, sizeof(double));
    assert_true(frame && jacobian && wanted);
    snw_xform root = snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0.6, 0, 0.8), 1.1),
                                    snw_vec3_make(0.3, -0.2, 0.5));
    snw_ik_batch *batch = NULL;
    snw_ik_problem problem = {c->body, c->goal, c->goal_count};
    snw_ik_batch_job job = {.problem_count = c->count, .rotation = c->rotation, .slide = c->slide};
    snw_ik_batch_frames frames = {frame, jacobian};
    assert_int_equal(snw_ik_batch_create(&problem, &c->options, NULL, &batch, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_forward(batch, root, &job, &frames, NULL), SNW_OK);
    assert_string_equal(snw_ik_batch_trouble(batch), "");
    snw_pose *pose = pose_of(c->body);
    pose->root = root;
    for (int n = 0; n < c->count; n++) {
        load_answer(c, n, pose);
        for (size_t g = 0; g < goals; g++) {
            size_t at = (size_t)n * goals + g;
            const float *q = frame + 7 * at, *j = jacobian + 6 * dofs * at;
            snw_xform world = pose->world[c->goal[g].joint];
            snw_quat told = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
            check_near(snw_quat_angle_between(told, world.rotation), 0, tolerance);
            check_vec3_near(snw_vec3_make(q[4], q[5], q[6]),
                            snw_xform_point(world, c->goal[g].point), tolerance);
            snw_pose_jacobian_point(pose, c->goal[g].joint, c->goal[g].point, wanted);
            snw_pose_jacobian_turn(pose, c->goal[g].joint, wanted + 3 * dofs);
            for (size_t k = 0; k < 6 * dofs; k++)
                check_near((double)j[k], wanted[k], tolerance);
        }
    }
    snw_pose_destroy(pose);
    snw_ik_batch_destroy(batch);
    free(frame);
    free(jacobian);
    free(wanted);
}

static inline int solve_all(batch_case *c)
{
    snw_ik_batch_job job = job_of(c);
    return solve_job(c, &job);
}

static snw_goal goal_of(const batch_case *c, int problem, int g)
{
    size_t k = (size_t)problem * (size_t)c->goal_count + (size_t)g;
    const float *p = c->target + 3 * k, *q = c->frame + 4 * k;
    snw_goal goal = c->goal[g];
    goal.position = snw_vec3_make(p[0], p[1], p[2]);
    goal.orientation = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
    return goal;
}

/* Every answer that says so stands at its goals, by forward kinematics in doubles, and no joint is
 * outside its limits by more than the round-off of floats. */
static void check_answers(const batch_case *c)
{
    snw_pose *pose = pose_of(c->body);
    for (int n = 0; n < c->count; n++) {
        load_answer(c, n, pose);
        check_near(snw_pose_violation(pose), 0, 1e-6);
        for (int g = 0; g < c->goal_count && c->outcome[n] == SNW_IK_REACHED; g++) {
            snw_goal goal = goal_of(c, n, g);
            snw_xform at = pose->world[goal.joint];
            snw_vec3 point = snw_xform_point(at, goal.point);
            if (goal.kind == SNW_GOAL_AIM) {
                snw_vec3 sight = snw_quat_rotate(at.rotation, goal.direction);
                check_near(snw_quat_angle_between(
                               snw_quat_identity(),
                               snw_quat_between(sight, snw_vec3_sub(goal.position, point))),
                           0, c->options.ik.turn_tolerance + 3e-6);
                continue;
            }
            check_vec3_near(point, goal.position, (c->options.ik.tolerance + 1e-6) * c->body->size);
            if (goal.kind == SNW_GOAL_POSE)
                check_near(snw_quat_angle_between(at.rotation, goal.orientation), 0,
                           c->options.ik.turn_tolerance + 3e-6);
        }
    }
    snw_pose_destroy(pose);
}

#endif
