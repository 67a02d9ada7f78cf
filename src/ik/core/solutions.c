/* All answers of a robot arm of six hinges in closed form.
 *
 * With every hinge at zero, hinge i turns about the line through o_i along the unit z_i, and the
 * target is reached when E1 E2 E3 E4 E5 E6 = G, the motion from the tool at zero to the target.
 * Two families have closed forms by the subproblems of Paden and Kahan (Murray, Li & Sastry, "A
 * Mathematical Introduction to Robotic Manipulation", 1994, section 3.3):
 *
 *   spherical wrist  z4, z5, z6 meet in p, which only E1 E2 E3 move: E1 E2 E3 p = G p.
 *     shoulder       z1 and z2 meet in s: |E3 p - s| = |G p - s| gives q3, then E1 E2 (E3 p) = G p
 *                    gives q1 and q2; or
 *     parallel       z2 and z3 are parallel: z2 . (E1^-1 G p) = z2 . p gives q1, the triangle in
 * the plane across z2 gives q3 and q2. wrist          E4 E5 E6 = E3^-1 E2^-1 E1^-1 G: z4 . E5 z6
 * gives q5, then q4 and q6. three parallel   z2, z3, z4 are parallel, z5 and z6 meet in p (the arms
 * of Universal Robots): z2 . (E1^-1 G p) = z2 . p gives q1, z2 . E5 z6 gives q5, q6 follows, E2 E3
 * E4 is then known, and the triangle gives q3 and q2.
 *
 * Seen from the tool an arm is one too: E6^-1 ... E1^-1 = G^-1. A spherical shoulder behind two
 * axes that meet (Panda, FR3, xArm7 with the last hinge held; He & Liu 2021 have the same by other
 * means) is a spherical wrist then.
 *
 * Every step has up to two answers, eight in all. Descriptions are rounded (rpy="1.5708"), so lines
 * that meet nearly count as meeting, and every answer is bettered by Newton steps on the arm as it
 * is and kept only when it stands at the target. */
#include <sinew/ik.h>

#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "body/joint_types.h"
#include "ik/core/ik_constants.h"

/* [measured] Lines meet, or are parallel, when they miss by less than this (body sizes, radians):
 * four digits of text (rpy="1.5708") are 1e-4, the wrist of the Gen3 as its maker describes it
 * 3e-4. */
#define ARM_NEARLY 1e-3
enum {
    ARM_HINGES = 6
};

typedef struct arm_line {
    snw_vec3 o, z;
} arm_line;

typedef struct arm_form {
    int joint[ARM_HINGES]; /* of the skeleton */
    arm_line line[ARM_HINGES];
    snw_xform zero;   /* the goal's joint with all hinges at zero, in the body's frame */
    snw_xform motion; /* G */
    double size;
    const struct arm_form *turned; /* the arm that this one is, tool first; or NULL */
} arm_form;

/* ---- small geometry ------------------------------------------------------------------------- */

static snw_xform turn_about(arm_line line, double angle)
{
    snw_quat q = snw_quat_from_axis_angle(line.z, angle);
    return snw_xform_make(q, snw_vec3_sub(line.o, snw_quat_rotate(q, line.o)));
}

/* a cos x + b sin x = c: up to two angles. */
static int solve_cosine(double a, double b, double c, double x[2])
{
    double length = snw__hypot(a, b);
    if (!(length > 1e-12)) { /* any angle does, or none */
        x[0] = 0;
        return fabs(c) <= 1e-9;
    }
    double ratio = c / length, middle = snw__atan2(b, a);
    if (fabs(ratio) > 1 + 1e-6) return 0;
    double half = snw__acos(snw_clamp(ratio, -1, 1));
    x[0] = middle + half;
    x[1] = middle - half;
    return half > 0 ? 2 : 1;
}

/* The angle about z that turns the part of `from` across z to that of `to` (subproblem 1); 0 where
 * either has none. */
static double angle_about(snw_vec3 z, snw_vec3 from, snw_vec3 to)
{
    from = snw_vec3_add_scaled(from, -snw_vec3_dot(from, z), z);
    to = snw_vec3_add_scaled(to, -snw_vec3_dot(to, z), z);
    double sine = snw_vec3_dot(z, snw_vec3_cross(from, to)), cosine = snw_vec3_dot(from, to);
    return sine == 0 && cosine == 0 ? 0 : snw__atan2(sine, cosine);
}

/* Angles x about the line with n . (turned point) = c. */
static int solve_height(arm_line line, snw_vec3 point, snw_vec3 n, double c, double x[2])
{
    snw_vec3 v = snw_vec3_sub(point, line.o);
    double along = snw_vec3_dot(v, line.z) * snw_vec3_dot(n, line.z);
    double a = snw_vec3_dot(n, v) - along, b = snw_vec3_dot(n, snw_vec3_cross(line.z, v));
    return solve_cosine(a, b, c - snw_vec3_dot(n, line.o) - along, x);
}

/* Angles x about the line with |turned point - from| = distance (subproblem 3). */
static int solve_distance(arm_line line, snw_vec3 point, snw_vec3 from, double distance,
                          double x[2])
{
    snw_vec3 v = snw_vec3_sub(point, line.o), u = snw_vec3_sub(from, line.o);
    double along = snw_vec3_dot(v, line.z) * snw_vec3_dot(u, line.z);
    double a = snw_vec3_dot(u, v) - along, b = snw_vec3_dot(u, snw_vec3_cross(line.z, v));
    double c = 0.5 * (snw_vec3_length2(u) + snw_vec3_length2(v) - distance * distance) - along;
    return solve_cosine(a, b, c, x);
}

static bool are_parallel(snw_vec3 a, snw_vec3 b)
{
    return snw_vec3_length(snw_vec3_cross(a, b)) < ARM_NEARLY;
}

/* Where two lines meet, halfway between their nearest points. */
static bool lines_meet(const arm_form *arm, int i, int j, snw_vec3 *at)
{
    arm_line a = arm->line[i], b = arm->line[j];
    snw_vec3 n = snw_vec3_cross(a.z, b.z), d = snw_vec3_sub(b.o, a.o);
    double square = snw_vec3_length2(n);
    if (square < ARM_NEARLY * ARM_NEARLY) return false;
    double s = snw_vec3_dot(snw_vec3_cross(d, b.z), n) / square;
    double t = snw_vec3_dot(snw_vec3_cross(d, a.z), n) / square;
    snw_vec3 on_a = snw_vec3_add_scaled(a.o, s, a.z), on_b = snw_vec3_add_scaled(b.o, t, b.z);
    *at = snw_vec3_lerp(on_a, on_b, 0.5);
    return snw_vec3_distance(on_a, on_b) < ARM_NEARLY * arm->size;
}

/* ---- the arm -------------------------------------------------------------------------------- */

/* Lines and tool at zero, in the body's frame; the held joint turned to its value. */
static snw_status find_arm(const snw_skeleton *skeleton, const snw_ik_arm *query, arm_form *out,
                           snw_error *error)
{
    int path[SNW_JOINT_MAX], count = 0, hinges = 0;
    for (int j = query->joint; j >= 0; j = skeleton->parent[j])
        path[count++] = j;
    snw_xform at = snw_xform_identity();
    for (int k = count - 1; k >= 0; k--) {
        int j = path[k];
        const snw_joint *joint = &skeleton->joint[j];
        at = snw_xform_mul(at, skeleton->rest[j]);
        if (snw_joint_type_dof(joint->type) == 0) continue;
        if (!snw__joint_is_hinge(joint))
            return snw__fail_at(error, SNW_UNSUPPORTED, snw__at_name(j, skeleton->name[j]),
                                "closed forms are for hinges; %s is a %s", skeleton->name[j],
                                snw_joint_type_name(joint->type));
        if (j == query->held) {
            at.rotation =
                snw_quat_mul(at.rotation, snw_quat_from_axis_angle(joint->axis, query->held_value));
            continue;
        }
        if (hinges < ARM_HINGES) {
            out->joint[hinges] = j;
            out->line[hinges] =
                (arm_line){at.translation, snw_quat_rotate(at.rotation, joint->axis)};
        }
        hinges++;
    }
    if (hinges != ARM_HINGES)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "closed forms are for six hinges, %s has %d that are not held%s",
                         skeleton->name[query->joint], hinges,
                         hinges == ARM_HINGES + 1 ? ": its answers are a curve; hold one hinge"
                                                  : "");
    out->zero = at;
    out->size = skeleton->size > 0 ? skeleton->size : 1;
    return SNW_OK;
}

static snw_xform product_of(const arm_form *arm, const double *q, int count)
{
    snw_xform product = snw_xform_identity();
    for (int k = 0; k < count; k++)
        product = snw_xform_mul(product, turn_about(arm->line[k], q[k]));
    return product;
}

/* ---- answers -------------------------------------------------------------------------------- */

typedef struct arm_answers {
    const snw_skeleton *skeleton;
    const snw_ik_arm *query;
    int count;
    snw_ik_solution *solution;
} arm_answers;

static double worst_of(const double error[6])
{
    double place = sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2]);
    double turn = sqrt(error[3] * error[3] + error[4] * error[4] + error[5] * error[5]);
    return fmax(place, turn);
}

/* Newton steps by least squares with a trace of damping, so that singular poses stay. */
static bool polish(const arm_form *arm, double q[ARM_HINGES])
{
    double error[6], j[6][6], m[36], h[6];
    for (int round = 0; round <= SNW__IK_ROUNDS; round++) {
        /* What is missing at q: a place in body sizes and a turn. */
        snw_xform now = product_of(arm, q, ARM_HINGES);
        snw_xform tool = snw_xform_mul(now, arm->zero),
                  target = snw_xform_mul(arm->motion, arm->zero);
        snw_vec3 d =
            snw_vec3_scale(snw_vec3_sub(target.translation, tool.translation), 1 / arm->size);
        snw_vec3 w = snw_quat_log(snw_quat_mul(target.rotation, snw_quat_conjugate(tool.rotation)));
        const double e[6] = {d.x, d.y, d.z, w.x, w.y, w.z};
        memcpy(error, e, sizeof e);
        if (worst_of(error) < 1e-14 || round == SNW__IK_ROUNDS) break;
        snw_vec3 tip = snw_xform_point(now, arm->zero.translation);
        for (int k = 0; k < ARM_HINGES; k++) {
            snw_xform before = product_of(arm, q, k);
            snw_vec3 z = snw_quat_rotate(before.rotation, arm->line[k].z);
            snw_vec3 o = snw_xform_point(before, arm->line[k].o);
            snw_vec3 v = snw_vec3_scale(snw_vec3_cross(z, snw_vec3_sub(tip, o)), 1 / arm->size);
            const double column[6] = {v.x, v.y, v.z, z.x, z.y, z.z};
            for (int r = 0; r < 6; r++)
                j[r][k] = column[r];
        }
        for (int a = 0; a < 6; a++) {
            h[a] = 0;
            for (int r = 0; r < 6; r++)
                h[a] += j[r][a] * error[r];
            for (int b = 0; b <= a; b++) {
                m[a * 6 + b] = a == b ? 1e-13 : 0;
                for (int r = 0; r < 6; r++)
                    m[a * 6 + b] += j[r][a] * j[r][b];
            }
        }
        if (snw_cholesky_factor(m, 6) != SNW_OK || snw_cholesky_solve(m, 6, h) != SNW_OK) break;
        for (int k = 0; k < ARM_HINGES; k++)
            q[k] += snw_clamp(h[k], -0.1, 0.1);
    }
    return worst_of(error) < SNW__SAME;
}

static bool is_known(const arm_answers *answers, const double q[ARM_HINGES])
{
    for (int n = 0; n < answers->count; n++) {
        double largest = 0;
        for (int k = 0; k < ARM_HINGES; k++)
            largest = fmax(largest, fabs(snw_wrap_angle(answers->solution[n].value[k] - q[k])));
        if (largest < SNW__SINGLE) return true;
    }
    return false;
}

static void add_answer(const arm_form *arm, const double given[ARM_HINGES], arm_answers *answers)
{
    double q[ARM_HINGES];
    memcpy(q, given, sizeof q);
    for (int k = 0; arm->turned && k < ARM_HINGES; k++)
        q[k] = -given[ARM_HINGES - 1 - k];
    if (arm->turned) arm = arm->turned;
    if (answers->count == SNW_IK_SOLUTIONS_MAX || !polish(arm, q) || is_known(answers, q)) return;
    snw_ik_solution *to = &answers->solution[answers->count++];
    *to = (snw_ik_solution){.is_allowed = true};
    for (int k = 0; k < ARM_HINGES; k++) {
        const snw_joint *joint = &answers->skeleton->joint[arm->joint[k]];
        double values[6];
        snw_quat rotation = snw_quat_from_axis_angle(joint->axis, snw_wrap_angle(q[k]));
        (void)snw_joint_values(joint, rotation, snw_vec3_make(0, 0, 0), values);
        to->joint[k] = arm->joint[k];
        to->value[k] = values[0];
        to->is_allowed &= snw_joint_limit_violation(joint, rotation) <= SNW_LIMIT_TOLERANCE;
    }
}

/* ---- spherical wrist ------------------------------------------------------------------------ */

/* q4, q5, q6 once the first three are known. */
static void solve_wrist(const arm_form *arm, double q[ARM_HINGES], arm_answers *answers)
{
    snw_quat left =
        snw_quat_mul(snw_quat_conjugate(product_of(arm, q, 3).rotation), arm->motion.rotation);
    snw_vec3 z4 = arm->line[3].z, z5 = arm->line[4].z, z6 = arm->line[5].z;
    const arm_line axis = {snw_vec3_make(0, 0, 0), z5};
    snw_vec3 tip = snw_quat_rotate(left, z6);
    double fifth[2];
    int count = solve_height(axis, z6, z4, snw_vec3_dot(z4, tip), fifth);
    for (int k = 0; k < count; k++) {
        snw_quat e5 = snw_quat_from_axis_angle(z5, fifth[k]);
        q[4] = fifth[k];
        /* The wrist stretched: only q4 + q6 counts, and q4 stays at zero. */
        q[3] = angle_about(z4, snw_quat_rotate(e5, z6), tip);
        snw_quat rest = snw_quat_mul(
            snw_quat_conjugate(snw_quat_mul(snw_quat_from_axis_angle(z4, q[3]), e5)), left);
        snw_vec3 across = snw_vec3_perpendicular(z6);
        q[5] = angle_about(z6, across, snw_quat_rotate(rest, across));
        add_answer(arm, q, answers);
    }
}

/* z1 and z2 meet in s. */
static void solve_shoulder(const arm_form *arm, snw_vec3 p, snw_vec3 s, arm_answers *answers)
{
    snw_vec3 target = snw_xform_point(arm->motion, p);
    double q[ARM_HINGES], third[2], second[2];
    int thirds = solve_distance(arm->line[2], p, s, snw_vec3_distance(target, s), third);
    for (int i = 0; i < thirds; i++) {
        snw_vec3 elbow = snw_xform_point(turn_about(arm->line[2], third[i]), p);
        snw_vec3 to = snw_vec3_sub(target, s), z1 = arm->line[0].z;
        const arm_line axis = {s, arm->line[1].z};
        /* The first turn keeps heights along z1. */
        int seconds =
            solve_height(axis, elbow, z1, snw_vec3_dot(z1, to) + snw_vec3_dot(z1, s), second);
        for (int k = 0; k < seconds; k++) {
            snw_vec3 turned = snw_xform_point(turn_about(axis, second[k]), elbow);
            q[0] = angle_about(z1, snw_vec3_sub(turned, s), to);
            q[1] = second[k];
            q[2] = third[i];
            solve_wrist(arm, q, answers);
        }
    }
}

/* q2 and q3 of two parallel lines that carry `point` to `target`, which lie at one height along
 * them. */
static int solve_triangle(arm_line second, arm_line third, snw_vec3 point, snw_vec3 target,
                          double q2[2], double q3[2])
{
    snw_vec3 along = second.z;
    snw_vec3 to = snw_vec3_sub(target, second.o);
    to = snw_vec3_add_scaled(to, -snw_vec3_dot(to, along), along);
    /* From a point of the second line at the height of `point`. */
    snw_vec3 from =
        snw_vec3_add_scaled(second.o, snw_vec3_dot(snw_vec3_sub(point, second.o), along), along);
    int count = solve_distance(third, point, from, snw_vec3_length(to), q3);
    for (int k = 0; k < count; k++) {
        snw_vec3 turned = snw_xform_point(turn_about(third, q3[k]), point);
        q2[k] = angle_about(along, snw_vec3_sub(turned, second.o), to);
    }
    return count;
}

/* z2 and z3 are parallel. */
static void solve_parallel(const arm_form *arm, snw_vec3 p, arm_answers *answers)
{
    snw_vec3 target = snw_xform_point(arm->motion, p), z2 = arm->line[1].z;
    double q[ARM_HINGES], first[2], second[2], third[2];
    const arm_line back = {arm->line[0].o, snw_vec3_neg(arm->line[0].z)};
    int firsts = solve_height(back, target, z2, snw_vec3_dot(z2, p), first);
    for (int i = 0; i < firsts; i++) {
        snw_vec3 before = snw_xform_point(turn_about(back, first[i]), target);
        int count = solve_triangle(arm->line[1], arm->line[2], p, before, second, third);
        for (int k = 0; k < count; k++) {
            q[0] = first[i];
            q[1] = second[k];
            q[2] = third[k];
            solve_wrist(arm, q, answers);
        }
    }
}

/* ---- three parallel ------------------------------------------------------------------------- */

/* q2, q3, q4 whose product is the motion `left`. */
static void finish_three(const arm_form *arm, snw_xform left, double q[ARM_HINGES],
                         arm_answers *answers)
{
    double second[2], third[2];
    snw_vec3 p = arm->line[3].o, z = arm->line[1].z, across = snw_vec3_perpendicular(z);
    /* The fourth turn keeps points of its own line. */
    int count =
        solve_triangle(arm->line[1], arm->line[2], p, snw_xform_point(left, p), second, third);
    double sum = angle_about(z, across, snw_quat_rotate(left.rotation, across));
    for (int k = 0; k < count; k++) {
        double sign = snw_vec3_dot(z, arm->line[3].z) > 0 ? 1 : -1;
        double third_sign = snw_vec3_dot(z, arm->line[2].z) > 0 ? 1 : -1;
        q[1] = second[k];
        q[2] = third[k];
        q[3] = sign * snw_wrap_angle(sum - second[k] - third_sign * third[k]);
        add_answer(arm, q, answers);
    }
}

static void solve_three(const arm_form *arm, snw_vec3 p, arm_answers *answers)
{
    snw_vec3 target = snw_xform_point(arm->motion, p), z2 = arm->line[1].z;
    double q[ARM_HINGES], first[2], fifth[2];
    const arm_line back = {arm->line[0].o, snw_vec3_neg(arm->line[0].z)};
    const arm_line axis5 = {snw_vec3_make(0, 0, 0), arm->line[4].z};
    snw_vec3 z6 = arm->line[5].z;
    int firsts = solve_height(back, target, z2, snw_vec3_dot(z2, p), first);
    for (int i = 0; i < firsts; i++) {
        snw_xform rest = snw_xform_mul(turn_about(back, first[i]), arm->motion);
        int fifths = solve_height(axis5, z6, z2,
                                  snw_vec3_dot(z2, snw_quat_rotate(rest.rotation, z6)), fifth);
        q[0] = first[i];
        for (int k = 0; k < fifths; k++) {
            snw_quat e5 = snw_quat_from_axis_angle(arm->line[4].z, fifth[k]);
            q[4] = fifth[k];
            /* E6^-1 E5^-1 z2 = rest^-1 z2; where z2 lies along z6, q6 stays at zero. */
            q[5] =
                -angle_about(z6, snw_quat_unrotate(e5, z2), snw_quat_unrotate(rest.rotation, z2));
            snw_xform hand =
                snw_xform_mul(turn_about(arm->line[4], q[4]), turn_about(arm->line[5], q[5]));
            finish_three(arm, snw_xform_mul(rest, snw_xform_inverse(hand)), q, answers);
        }
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* False when the arm is of neither family. */
static bool solve_from_base(const arm_form *arm, arm_answers *answers)
{
    const arm_line *line = arm->line;
    snw_vec3 p, s;
    bool is_wrist = lines_meet(arm, 3, 4, &p) &&
                    snw_vec3_length(snw_vec3_cross(line[5].z, snw_vec3_sub(p, line[5].o))) <
                        ARM_NEARLY * arm->size;
    if (is_wrist && are_parallel(line[1].z, line[2].z)) {
        solve_parallel(arm, p, answers);
        return true;
    }
    if (is_wrist && lines_meet(arm, 0, 1, &s)) {
        solve_shoulder(arm, p, s, answers);
        return true;
    }
    if (!are_parallel(line[1].z, line[2].z) || !are_parallel(line[2].z, line[3].z) ||
        !lines_meet(arm, 4, 5, &p))
        return false;
    solve_three(arm, p, answers);
    return true;
}

static snw_status solve_arm(const arm_form *arm, arm_answers *answers, snw_error *error)
{
    if (solve_from_base(arm, answers)) return SNW_OK;
    arm_form turned = {.motion = snw_xform_inverse(arm->motion), .size = arm->size, .turned = arm};
    for (int k = 0; k < ARM_HINGES; k++)
        turned.line[k] = arm->line[ARM_HINGES - 1 - k];
    if (solve_from_base(&turned, answers)) return SNW_OK;
    return snw__fail(error, SNW_UNSUPPORTED,
                     "the hinges have no closed form here: it needs a spherical wrist or shoulder "
                     "behind two axes that meet or are parallel, or three parallel axes before two "
                     "that meet");
}

static snw_status check_query(const snw_skeleton *skeleton, const snw_ik_arm *query,
                              snw_xform target, snw_error *error)
{
    if (!skeleton || !query) return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no arm");
    if (query->joint < 0 || query->joint >= skeleton->joint_count || query->held < -1 ||
        query->held >= skeleton->joint_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "joint or held joint is not in the body");
    double length2 = snw_quat_dot(target.rotation, target.rotation);
    if (!snw_vec3_is_finite(target.translation) || !(fabs(length2 - 1) < 1e-6) ||
        !(fabs(query->held_value) <= 1000))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "target and held value must be finite, the rotation unit");
    return SNW_OK;
}

snw_status snw_ik_all_solutions(const snw_skeleton *skeleton, const snw_ik_arm *query,
                                snw_xform target, snw_ik_solution *solutions, int *count,
                                snw_error *error)
{
    arm_form arm = {.turned = NULL};
    *count = 0;
    snw_status status = check_query(skeleton, query, target, error);
    if (status == SNW_OK) status = find_arm(skeleton, query, &arm, error);
    if (status != SNW_OK) return status;
    target.rotation = snw_quat_normalize(target.rotation);
    arm.motion = snw_xform_mul(target, snw_xform_inverse(arm.zero));
    arm_answers answers = {skeleton, query, 0, solutions};
    status = solve_arm(&arm, &answers, error);
    if (status != SNW_OK) return status;
    *count = answers.count;
    return snw__succeed(error);
}

int snw_ik_redundant_hinge(const snw_skeleton *skeleton, int joint)
{
    /* The third, where an arm of a spherical wrist has its elbow; the last; then any. */
    static const int order[] = {2, 6, 0, 1, 3, 4, 5};
    int path[ARM_HINGES + 1], count = 0;
    if (!skeleton || joint < 0 || joint >= skeleton->joint_count) return -1;
    for (int j = joint; j >= 0; j = skeleton->parent[j]) {
        if (snw_joint_type_dof(skeleton->joint[j].type) == 0) continue;
        if (count > ARM_HINGES) return -1;
        path[count++] = j;
    }
    for (int k = 0; k <= ARM_HINGES && count == ARM_HINGES + 1; k++) {
        snw_ik_arm query = {joint, path[ARM_HINGES - order[k]], 0};
        snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
        if (snw_ik_all_solutions(skeleton, &query, snw_xform_identity(), solutions, &count, NULL) ==
            SNW_OK)
            return query.held;
        count = ARM_HINGES + 1;
    }
    return -1;
}
