/* The workloads of `sinew bench ik`.
 *
 * chain   ten unit links, slightly bent out of plane, targets anywhere within 0.9 of reach
 * human   upper body of 14 links: spine, two arms, neck; three effectors
 * cone    the chain with cones of about 30 degrees and a twist range on every joint but the first
 *         bone's direction, which is free; targets from allowed poses
 * edge-*  the straight chain along +x with targets on it, behind it, at its root, out of reach, and
 *         at 0.999 of reach
 * loop-*  a planar four-bar, driven through the whole turn of its crank; a humanoid that holds its
 *         own hands, moved about by them
 * arm7    poses (six degrees of freedom) of a seven-joint arm with box limits, to 1e-5
 *
 * Bodies and rest poses of chain, human and edge are those of the yardstick (a plain FABRIK) that
 * scripts/bench ik runs beside, so that its target files fit. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

/* The yardstick's "reached": a thousandth of a link. */
#define CASE_LIMIT 1e-3
#define CASE_SEED  20110501

/* ---- making and releasing ------------------------------------------------------------------ */

void bench_case_release(bench_case *c)
{
    free(c->goals);
    free(c->unavoidable);
    snw_pose_destroy(c->start);
    snw_skeleton_destroy(c->body);
    memset(c, 0, sizeof *c);
}

snw_status bench_case_prepare(bench_case *c, const char *name, snw_skeleton *body, int goal_count,
                              int target_count, snw_error *error)
{
    memset(c, 0, sizeof *c);
    snw_format(c->name, sizeof c->name, "%s", name);
    c->body = body;
    c->goal_count = goal_count;
    c->target_count = target_count;
    c->options = snw_ik_options_default();
    c->limit = c->options.tolerance * body->size;
    c->goals = calloc((size_t)target_count * (size_t)goal_count, sizeof *c->goals);
    c->unavoidable = calloc((size_t)target_count, sizeof *c->unavoidable);
    snw_status status = snw_pose_create(body, NULL, &c->start, error);
    if (status == SNW_OK && (!c->goals || !c->unavoidable)) {
        snw_format(error->message, sizeof error->message, "no memory for the case %s", name);
        status = SNW_OUT_OF_MEMORY;
    }
    if (status != SNW_OK) bench_case_release(c);
    return status;
}

static void set_limit(bench_case *c, double limit)
{
    c->limit = limit;
    c->options.tolerance = limit / c->body->size;
}

/* ---- targets from files --------------------------------------------------------------------- */

static bool read_number(FILE *file, double *number)
{
    char word[64];
    if (fscanf(file, "%63s", word) != 1) return false;
    const char *stop = snw_parse_double(word, word + strlen(word), number);
    return stop && !*stop;
}

/* Puts the numbers of FOLDER/name into the positions of all goals, as many as there are rows.
 * Without a folder nothing happens. */
static snw_status read_positions(bench_case *c, const char *folder, const char *name,
                                 snw_error *error)
{
    char path[1024];
    if (!folder) return SNW_OK;
    snw_format(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    int want = c->target_count * c->goal_count, got = 0;
    if (file)
        for (snw_vec3 p; got < want && read_number(file, &p.x) && read_number(file, &p.y) &&
                         read_number(file, &p.z);
             got++)
            c->goals[got].position = p;
    if (file) fclose(file);
    c->target_count = got / c->goal_count;
    if (c->target_count > 0) return SNW_OK;
    snw_format(error->message, sizeof error->message, "%s holds no targets", path);
    return SNW_IO;
}

/* ---- chain, human, cone -------------------------------------------------------------------- */

#define CHAIN_LINKS 10

/* Of unit length, bent by 0.05 rad more at each joint and 0.02 out of plane, to and fro. */
static void chain_offsets(snw_vec3 offsets[CHAIN_LINKS])
{
    for (int k = 0; k < CHAIN_LINKS; k++) {
        double angle = 0.05 * (k + 1);
        snw_vec3 d = {cos(angle), sin(angle), k % 2 ? -0.02 : 0.02};
        offsets[k] = snw_vec3_scale(d, 1 / snw_vec3_length(d));
    }
}

static snw_status make_chain_case(const char *name, snw_skeleton *body, int target_count,
                                  bench_case *c, snw_error *error)
{
    snw_status status = bench_case_prepare(c, name, body, 1, target_count, error);
    if (status != SNW_OK) return status;
    set_limit(c, CASE_LIMIT);
    for (int n = 0; n < target_count; n++)
        c->goals[n] = bench_tip_goal(body, snw_vec3_make(0, 0, 0));
    return SNW_OK;
}

static snw_status make_chain(const char *folder, int target_count, bench_case *c, snw_error *error)
{
    snw_vec3 offsets[CHAIN_LINKS];
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(CASE_SEED, 1);
    chain_offsets(offsets);
    snw_status status = bench_make_chain(offsets, CHAIN_LINKS, NULL, &body, error);
    if (status == SNW_OK) status = make_chain_case("chain", body, target_count, c, error);
    if (status != SNW_OK) return status;
    for (int n = 0; n < target_count; n++) {
        /* Uniform in the ball. */
        double distance = 0.9 * CHAIN_LINKS * cbrt(snw_random_unit(&random));
        c->goals[n].position = snw_vec3_scale(snw_random_direction(&random), distance);
    }
    return read_positions(c, folder, "targets.txt", error);
}

/* The chain with limits: the first bone may point anywhere, and keeps its twist range. */
static snw_status make_cone_body(snw_skeleton **out, snw_error *error)
{
    snw_vec3 offsets[CHAIN_LINKS];
    snw_joint_def defs[CHAIN_LINKS];
    snw_joint_limit limit = bench_cone_limit();
    snw_skeleton *all = NULL;
    chain_offsets(offsets);
    snw_status status = bench_make_chain(offsets, CHAIN_LINKS, &limit, &all, error);
    if (status != SNW_OK) return status;
    for (int j = 0; j < CHAIN_LINKS; j++)
        defs[j] = snw_skeleton_joint_def(all, j);
    defs[0].joint.limit.swing = SNW_SWING_FREE;
    status = snw_skeleton_create(defs, CHAIN_LINKS, NULL, out, error);
    snw_skeleton_destroy(all);
    return status;
}

static snw_status make_cone(const char *folder, int target_count, bench_case *c, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(CASE_SEED, 2);
    snw_status status = make_cone_body(&body, error);
    if (status == SNW_OK) status = make_chain_case("cone", body, target_count, c, error);
    if (status != SNW_OK) return status;
    for (int n = 0; n < target_count; n++) {
        bench_scatter(c->start, &random, SNW_PI);
        c->goals[n].position = snw_pose_tip(c->start, body->joint_count - 1);
    }
    snw_pose_reset(c->start);
    return read_positions(c, folder, "cone.txt", error);
}

/* Node n hangs on its parent by a link that turns about the parent: joint n sits at the parent's
 * place. */
#define HUMAN_NODES     15
#define HUMAN_EFFECTORS 3
static const int human_parent[HUMAN_NODES] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 4, 9, 10, 11, 4, 13};
static const int human_effector[HUMAN_EFFECTORS] = {8, 12, 14};
static const snw_vec3 human_offset[HUMAN_NODES] = {
    {0, 0, 0},         {0.02, 1, 0.03}, {-0.02, 1, 0.02}, {0.02, 1, 0.02},   {0, 1, 0.02},
    {-0.8, 0.2, 0.05}, {-1, -0.2, 0.1}, {-1, -0.1, 0.2},  {-0.5, 0, 0.1},    {0.8, 0.2, 0.05},
    {1, -0.2, 0.1},    {1, -0.1, 0.2},  {0.5, 0, 0.1},    {0.02, 0.5, 0.05}, {0, 0.5, 0.1}};

static snw_status make_human_body(snw_skeleton **out, snw_error *error)
{
    snw_joint_def defs[HUMAN_NODES];
    char names[HUMAN_NODES][16];
    for (int n = 0; n < HUMAN_NODES; n++) {
        defs[n] = snw_joint_def_default();
        snw_format(names[n], sizeof names[n], "link%d", n);
        defs[n].name = names[n];
        defs[n].parent = human_parent[n];
        if (n == 0) continue;
        defs[n].joint.type = SNW_JOINT_BALL;
        defs[n].joint.axis = snw_vec3_unit(human_offset[n], snw_vec3_make(1, 0, 0));
        defs[n].joint.axis2 = snw_vec3_perpendicular(defs[n].joint.axis);
        defs[n].rest.translation = human_offset[human_parent[n]];
    }
    for (int e = 0; e < HUMAN_EFFECTORS; e++) {
        defs[human_effector[e]].has_tip = true;
        defs[human_effector[e]].tip = human_offset[human_effector[e]];
    }
    return snw_skeleton_create(defs, HUMAN_NODES, NULL, out, error);
}

static snw_status make_human(const char *folder, int target_count, bench_case *c, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(CASE_SEED, 3);
    snw_status status = make_human_body(&body, error);
    if (status == SNW_OK)
        status = bench_case_prepare(c, "human", body, HUMAN_EFFECTORS, target_count, error);
    if (status != SNW_OK) return status;
    set_limit(c, CASE_LIMIT);
    for (int n = 0; n < target_count; n++) {
        bench_scatter(c->start, &random, 0.5);
        for (int e = 0; e < HUMAN_EFFECTORS; e++) {
            int joint = human_effector[e];
            c->goals[n * HUMAN_EFFECTORS + e] =
                snw_goal_position(joint, body->tip[joint], snw_pose_tip(c->start, joint));
        }
    }
    snw_pose_reset(c->start);
    return read_positions(c, folder, "humanoid.txt", error);
}

/* ---- edge cases ---------------------------------------------------------------------------- */

typedef struct edge_target {
    const char *name;
    snw_vec3 target; /* for a straight chain of ten unit links along +x from the origin */
} edge_target;

static const edge_target edge_targets[] = {
    {"edge-collinear", {5.3, 0, 0}}, {"edge-behind", {-5.3, 0, 0}},
    {"edge-at-root", {0, 0, 0}},     {"edge-unreachable", {0, 12, 0}},
    {"edge-beyond-tip", {12, 0, 0}}, {"edge-near-reach", {0, 9.99, 0}},
};

static snw_status make_edge(const char *name, bench_case *c, snw_error *error)
{
    snw_skeleton *body = NULL;
    int which = 0;
    while (strcmp(edge_targets[which].name, name) != 0)
        which++;
    snw_status status = bench_make_straight_chain(CHAIN_LINKS, 1, NULL, &body, error);
    if (status == SNW_OK) status = make_chain_case(name, body, 1, c, error);
    if (status != SNW_OK) return status;
    c->goals[0].position = edge_targets[which].target;
    double distance = snw_vec3_length(edge_targets[which].target);
    c->unavoidable[0] = fmax(0, distance - CHAIN_LINKS);
    return SNW_OK;
}

/* ---- closed loops --------------------------------------------------------------------------- */

/* A share of the body's size. */
#define LOOP_LIMIT 1e-6

/* A crank that can turn all the way round: shortest + longest < the other two (Grashof). */
static const double bar_length[3] = {1, 3, 2.5}; /* crank, coupler, rocker */
static const double bar_ground = 3.2;

/* Angles of coupler and rocker that close the loop for a crank angle, by the cosine rule. */
static void close_four_bar(double crank, double values[3])
{
    double x = bar_ground - bar_length[0] * cos(crank), y = -bar_length[0] * sin(crank);
    double gap = hypot(x, y), b = bar_length[1], c = bar_length[2];
    double at_coupler = acos(snw_clamp((b * b + gap * gap - c * c) / (2 * b * gap), -1, 1));
    double at_rocker = acos(snw_clamp((b * b + c * c - gap * gap) / (2 * b * c), -1, 1));
    values[0] = crank;
    values[1] = atan2(y, x) + at_coupler - crank;
    values[2] = at_rocker - SNW_PI;
}

static snw_status make_four_bar_body(snw_skeleton **out, snw_error *error)
{
    static const char *const names[3] = {"crank", "coupler", "rocker"};
    snw_joint_def defs[3];
    for (int j = 0; j < 3; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j - 1;
        defs[j].joint.type = SNW_JOINT_HINGE;
        if (j > 0) defs[j].rest.translation = snw_vec3_make(bar_length[j - 1], 0, 0);
    }
    defs[2].has_tip = true;
    defs[2].tip = snw_vec3_make(bar_length[2], 0, 0);
    snw_pin pin = {2, -1, defs[2].tip, {bar_ground, 0, 0}};
    return snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 3, &pin, 1}, NULL, out, error);
}

static snw_status make_four_bar(int target_count, bench_case *c, snw_error *error)
{
    double values[6] = {0};
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(CASE_SEED, 4);
    snw_status status = make_four_bar_body(&body, error);
    if (status == SNW_OK)
        status = bench_case_prepare(c, "loop-four-bar", body, 1, target_count, error);
    if (status != SNW_OK) return status;
    set_limit(c, LOOP_LIMIT * body->size);
    c->options.turn_tolerance = LOOP_LIMIT;
    close_four_bar(0.3, values);
    snw_pose_set_values(c->start, values);
    snw_pose_forward(c->start);
    for (int n = 0; n < target_count; n++)
        c->goals[n] = snw_goal_value(0, 0, snw_random_range(&random, -SNW_PI, SNW_PI));
    return SNW_OK;
}

/* The preset with both hands pinned together at their ends. */
static snw_status make_hands_body(snw_skeleton **out, snw_error *error)
{
    snw_skeleton *plain = NULL;
    static snw_joint_def defs[BENCH_CHAIN_MAX];
    snw_status status = snw_preset_create("humanoid", NULL, &plain, error);
    if (status != SNW_OK) return status;
    for (int j = 0; j < plain->joint_count; j++)
        defs[j] = snw_skeleton_joint_def(plain, j);
    int left = snw_skeleton_find_joint(plain, "left_wrist");
    int right = snw_skeleton_find_joint(plain, "right_wrist");
    snw_pin pin = {left, right, plain->tip[left], plain->tip[right]};
    status = snw_skeleton_create_pinned(&(snw_skeleton_def){defs, plain->joint_count, &pin, 1},
                                        NULL, out, error);
    snw_skeleton_destroy(plain);
    return status;
}

/* Where the held hands can be: places at which a random pose closes when it is asked for nothing
 * but to hold hands. Returns how many targets were found. */
static int find_held_places(bench_case *c, snw_random *random, snw_ik *closer)
{
    int found = 0, hand = c->goals[0].joint;
    for (int n = 0; n < 4 * c->target_count && found < c->target_count; n++) {
        bench_scatter(c->start, random, 0.5);
        if (snw_ik_solve(closer, NULL, c->start).outcome != SNW_IK_REACHED) continue;
        c->goals[found] = c->goals[0];
        c->goals[found++].position = snw_pose_tip(c->start, hand);
    }
    return found;
}

static snw_status make_hands(int target_count, bench_case *c, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_ik *closer = NULL;
    snw_random random = snw_random_seed(CASE_SEED, 5);
    snw_status status = make_hands_body(&body, error);
    if (status == SNW_OK)
        status = bench_case_prepare(c, "loop-hands", body, 1, target_count, error);
    if (status != SNW_OK) return status;
    set_limit(c, LOOP_LIMIT * body->size);
    int hand = snw_skeleton_find_joint(body, "left_wrist");
    c->goals[0] = snw_goal_position(hand, body->tip[hand], snw_vec3_make(0, 0, 0));
    status = snw_ik_create(&(snw_ik_problem){body, NULL, 0}, &c->options, NULL, &closer, error);
    if (status == SNW_OK) c->target_count = find_held_places(c, &random, closer);
    snw_ik_destroy(closer);
    snw_pose_reset(c->start);
    return status;
}

/* ---- arm ------------------------------------------------------------------------------------ */

static snw_status make_arm(int target_count, bench_case *c, snw_error *error)
{
    snw_skeleton *body = NULL;
    snw_random random = snw_random_seed(CASE_SEED, 6);
    snw_status status = snw_preset_create("arm7", NULL, &body, error);
    if (status == SNW_OK) status = bench_case_prepare(c, "arm7", body, 1, target_count, error);
    if (status != SNW_OK) return status;
    set_limit(c, 1e-5);
    c->options.turn_tolerance = 1e-5;
    int tool = body->joint_count - 1;
    for (int n = 0; n < target_count; n++) {
        bench_scatter(c->start, &random, 1);
        snw_xform there = c->start->world[tool];
        c->goals[n] =
            snw_goal_pose(tool, snw_vec3_make(0, 0, 0), there.translation, there.rotation);
    }
    snw_pose_reset(c->start);
    return SNW_OK;
}

/* ---- the list ------------------------------------------------------------------------------- */

static const char *const case_names[] = {
    "chain",
    "human",
    "cone",
    "edge-collinear",
    "edge-behind",
    "edge-at-root",
    "edge-unreachable",
    "edge-beyond-tip",
    "edge-near-reach",
    "loop-four-bar",
    "loop-hands",
    "arm7",
};

const char *bench_case_name(int index)
{
    int count = (int)(sizeof case_names / sizeof *case_names);
    return index >= 0 && index < count ? case_names[index] : NULL;
}

snw_status bench_case_create(int index, const char *folder, int target_count, bench_case *out,
                             snw_error *error)
{
    const char *name = case_names[index];
    snw_status status;
    memset(out, 0, sizeof *out);
    if (strcmp(name, "chain") == 0)
        status = make_chain(folder, target_count, out, error);
    else if (strcmp(name, "human") == 0)
        status = make_human(folder, target_count, out, error);
    else if (strcmp(name, "cone") == 0)
        status = make_cone(folder, target_count, out, error);
    else if (strcmp(name, "loop-four-bar") == 0)
        status = make_four_bar(target_count, out, error);
    else if (strcmp(name, "loop-hands") == 0)
        status = make_hands(target_count, out, error);
    else if (strcmp(name, "arm7") == 0)
        status = make_arm(target_count, out, error);
    else
        status = make_edge(name, out, error);
    if (status != SNW_OK) bench_case_release(out);
    return status;
}
