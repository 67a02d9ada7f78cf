/* Chains of ball joints and what the tests of the chain methods ask of them. */
#ifndef SNW_TESTS_IK_CHAINS_H
#define SNW_TESTS_IK_CHAINS_H

#include "ik_bodies.h"

#define CHAIN_MAX 40

/* Ball joints along +x with the given bone lengths; the last bone ends in a tip. */
static inline snw_skeleton *chain_of(const double *length, int count)
{
    snw_joint_def defs[CHAIN_MAX];
    char names[CHAIN_MAX][16];
    snw_skeleton *body = NULL;
    for (int i = 0; i < count; i++) {
        defs[i] = snw_joint_def_default();
        (void)snw_format(names[i], sizeof names[i], "bone%d", i);
        defs[i].name = names[i];
        defs[i].parent = i - 1;
        defs[i].joint.type = SNW_JOINT_BALL;
        defs[i].joint.axis = snw_vec3_make(1, 0, 0);
        defs[i].joint.axis2 = snw_vec3_make(0, 1, 0);
        if (i > 0) defs[i].rest.translation = snw_vec3_make(length[i - 1], 0, 0);
    }
    defs[count - 1].has_tip = true;
    defs[count - 1].tip = snw_vec3_make(length[count - 1], 0, 0);
    assert_int_equal(snw_skeleton_create(defs, count, NULL, &body, NULL), SNW_OK);
    return body;
}

static inline snw_skeleton *even_chain(int count, double length)
{
    double lengths[CHAIN_MAX];
    for (int i = 0; i < count; i++)
        lengths[i] = length;
    return chain_of(lengths, count);
}

static inline snw_goal tip_goal(const snw_skeleton *body, snw_vec3 target)
{
    int last = body->joint_count - 1;
    return snw_goal_position(last, body->tip[last], target);
}

static inline snw_ik_options options_of(snw_ik_solver solver, double tolerance)
{
    snw_ik_options options = snw_ik_options_default();
    options.solver = solver;
    options.tolerance = tolerance;
    return options;
}

/* A chain with its solve and pose. */
typedef struct chain_case {
    snw_skeleton *body;
    snw_pose *pose;
    snw_goal goal;
    snw_ik *ik;
} chain_case;

static inline chain_case chain_case_of(snw_skeleton *body, const snw_ik_options *options)
{
    chain_case c = {.body = body, .pose = pose_of(body)};
    c.goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    c.ik = ik_of(body, &c.goal, 1, options);
    return c;
}

static inline snw_ik_result chain_solve(chain_case *c, snw_vec3 target)
{
    c->goal.position = target;
    return snw_ik_solve(c->ik, &c->goal, c->pose);
}

static inline void chain_case_free(chain_case *c)
{
    snw_ik_destroy(c->ik);
    snw_pose_destroy(c->pose);
    snw_skeleton_destroy(c->body);
}

static inline snw_vec3 tip_of(const chain_case *c)
{
    return snw_pose_tip(c->pose, c->body->joint_count - 1);
}

/* Uniform in the ball of radius `most` outside the radius `least`. */
static inline snw_vec3 random_target(snw_random *random, double least, double most)
{
    return random_away(random, least, most);
}

/* Largest turn of any joint between two poses. */
static inline double largest_turn(const snw_pose *a, const snw_pose *b)
{
    double largest = 0;
    for (int i = 0; i < a->skeleton->joint_count; i++)
        largest = fmax(largest, snw_quat_angle_between(a->rotation[i], b->rotation[i]));
    return largest;
}

#endif
