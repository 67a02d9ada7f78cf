/* Preferred poses, solved for exactly:
 *
 *     min 1/2 (q - q*)^T W (q - q*)   where   f(q) = target
 *
 * for the coordinates q, by sequential quadratic programming. With g = W (q* - q) and multipliers m
 * the step is
 *
 *     h = H^-1 (g + J^T m),   J H^-1 J^T m = r - J H^-1 g,   H = W - sum m . d2f,
 *
 * limits by active set. The curvature sum m . d2f of what the goals pull on makes the steps
 * quadratic, so that one solve settles what first-order projection into the null space (Liegeois
 * 1977) creeps to over dozens. Joints that move no goal are put where they are preferred at once.
 *
 * The steps are checked at their end only: are the goals met and the pose nearer to the preferred
 * one than at first? If not, the solve goes back and takes first-order steps, each of which is
 * checked: a step that costs a goal is shortened. */
#include "ik/prefer.h"

#include <sinew/dense.h>

#include <string.h>

#include "base/elementary.h"
#include "ik/newton.h"
#include "ik/system_matrix.h"
#include "math/kernel.h"

/* Second-order steps: four to eight are taken. */
#define IK_PREFER_STEPS 40
/* Energy of the goals (r.r / 2 in body sizes) beyond which a step has gone too far, and from which
 * down curvature is known: with 1e-3 of 1800 answers of nine bodies from rest 51 move when solved
 * again, with 3e-4 34, and 1e-4 costs more. */
#define IK_PREFER_OFF    1e-4
#define IK_PREFER_CURVED 3e-4
/* Of which so many may be longer than the one before. */
#define IK_PREFER_GROWING 8
/* Checked steps, each of which takes most of the room there is. */
#define IK_PREFER_SAFE_STEPS 40
/* Times that both are tried in turn. */
#define IK_PREFER_ROUNDS 4
/* Radians, or body sizes: a step where the model still points the right way. */
#define IK_PREFER_MOVE 0.5
/* What is left of the way is round-off to anyone; a start that is nearer stays bit for bit. */
#define IK_PREFER_STAY 1e-5
/* Radians along the force by which limits are asked whether they hold it. */
#define IK_PREFER_PROBE 1e-2
/* Damping of J H^-1 J^T against its mean diagonal: with curvature, and in checked steps, where it
 * must do for a straight limb too. */
#define IK_PREFER_DAMPING      1e-10
#define IK_PREFER_DAMPING_SAFE 1e-6
/* Far from the goals, damping in parts of their error as in lm. */
#define IK_PREFER_FAR 0.03
/* Weight of J^T J beside the hessian, against the rows' scale of a body size and the unit weight.
 */
#define IK_PREFER_RHO 3000.0
/* Smallest pivot of the hessian against its largest diagonal. */
#define IK_PREFER_FLAT 1e-12
/* Of the heaviest: what holds a joint that is drawn nowhere. */
#define IK_PREFER_LIGHT 1e-3

bool snw__ik_has_preference(const snw_ik *ik)
{
    return ik->has_rest || ik->options.prefer != SNW_IK_PREFER_NOTHING;
}

snw__ik_preference *snw__ik_preference_layout(const snw_ik *ik, size_t rows, size_t columns,
                                              snw__block *block)
{
    size_t joint_count = (size_t)ik->skeleton->joint_count;
    snw__ik_preference fields = {0};
    snw__ik_preference *preference = snw__block_take(block, 1, sizeof *preference);
    fields.has_columns = snw__block_take(block, joint_count, sizeof(bool));
    fields.weight = snw__block_take(block, columns, sizeof(double));
    fields.way = snw__block_take(block, columns, sizeof(double));
    fields.force = snw__block_take(block, columns, sizeof(double));
    if (columns <= SNW__IK_MATRIX_COLUMNS) {
        fields.hessian = snw__ik_matrix_layout(columns, block);
        fields.curved = snw__ik_matrix_layout(columns, block);
        fields.bend = snw__block_take(block, joint_count + 1, sizeof *fields.bend);
    }
    fields.response = snw__block_take(block, snw__size_mul(rows, columns), sizeof(double));
    fields.gram = snw__block_take(block, snw__size_mul(rows, rows), sizeof(double));
    fields.was_held = snw__block_take(block, joint_count + 1, sizeof(bool));
    fields.inverse = snw__block_take(block, columns, sizeof(double));
    fields.multiplier = snw__block_take(block, rows, sizeof(double));
    if (ik->options.prefer == SNW_IK_PREFER_GIVEN)
        snw__ik_snapshot_layout(&fields.given, joint_count, block);
    if (snw__ik_springs_fits(ik)) fields.springs = snw__ik_springs_layout(ik, block);
    if (!preference) return NULL;
    *preference = fields;
    if (ik->options.prefer == SNW_IK_PREFER_START) preference->pose = &ik->given;
    if (ik->options.prefer == SNW_IK_PREFER_GIVEN) {
        snw__ik_snapshot_take(&preference->given, ik->options.preferred);
        preference->pose = &preference->given;
    }
    return preference;
}

void snw__ik_preference_plan(snw__ik_system *system)
{
    for (int m = 0; m < system->mover_count; m++)
        if (system->mover[m].joint >= 0)
            system->preference->has_columns[system->mover[m].joint] = true;
}

/* ---- where joints are drawn ----------------------------------------------------------------- */

static double rest_weight(const snw_ik *ik, const snw_goal *goals, int joint)
{
    double weight = 0;
    for (int i = 0; i < ik->goal_count && ik->has_rest; i++)
        if (goals[i].kind == SNW_GOAL_REST && (goals[i].joint < 0 || goals[i].joint == joint))
            weight = fmax(weight, goals[i].weight);
    return weight;
}

static double heaviest_rest(const snw_ik *ik, const snw_goal *goals)
{
    double heaviest = 0;
    for (int i = 0; i < ik->goal_count; i++)
        if (goals[i].kind == SNW_GOAL_REST) heaviest = fmax(heaviest, goals[i].weight);
    return heaviest;
}

/* Rotation and slide that the joint is drawn to. */
static void preferred_of(const snw__ik_preference *preference, int joint, bool is_rest,
                         snw_quat *rotation, snw_vec3 *slide)
{
    bool has_pose = !is_rest && preference->pose;
    *rotation = has_pose ? preference->pose->rotation[joint] : snw_quat_identity();
    *slide = has_pose ? preference->pose->slide[joint] : snw_vec3_make(0, 0, 0);
}

/* Joints that move no goal: nothing speaks against the pose they are drawn to. */
static bool put_others(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    const snw__ik_preference *preference = ik->system->preference;
    bool has_changed = false;
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        bool is_rest = rest_weight(ik, goals, j) > 0;
        snw_quat rotation;
        snw_vec3 slide;
        if (preference->has_columns[j] || ik->mobility[j] == 0) continue;
        if (!is_rest && ik->options.prefer == SNW_IK_PREFER_NOTHING) continue;
        if (snw_joint_type_dof(ik->joint[j].type) == 0) continue;
        preferred_of(preference, j, is_rest, &rotation, &slide);
        rotation = snw_joint_limit_apply(&ik->joint[j], rotation);
        slide = snw_joint_limit_apply_slide(&ik->joint[j], slide);
        has_changed |= memcmp(&rotation, &pose->rotation[j], sizeof rotation) != 0 ||
                       memcmp(&slide, &pose->slide[j], sizeof slide) != 0;
        pose->rotation[j] = rotation;
        pose->slide[j] = slide;
    }
    return has_changed;
}

static void put_vec3(double *out, snw_vec3 v, double scale)
{
    out[0] = scale * v.x;
    out[1] = scale * v.y;
    out[2] = scale * v.z;
}

/* From `from` to `to` as a rotation vector in the frame after `from`. */
static snw_vec3 turn_between(snw_quat from, snw_quat to)
{
    return snw_quat_log(snw_quat_mul(snw_quat_conjugate(from), to));
}

/* The whole way of one joint, per coordinate. */
static void find_way(const snw__ik_system *system, const snw__ik_mover *mover, bool is_rest,
                     const snw_pose *pose, double *way)
{
    const snw_joint *joint = &system->ik->joint[mover->joint];
    double unit = 1 / system->ik->size, now[6], wanted[6];
    snw_quat rotation, here = pose->rotation[mover->joint];
    snw_vec3 slide;
    preferred_of(system->preference, mover->joint, is_rest, &rotation, &slide);
    if (joint->type == SNW_JOINT_BALL) {
        put_vec3(way, turn_between(here, rotation), 1);
    } else if (joint->type == SNW_JOINT_FREE) {
        put_vec3(way, snw_vec3_sub(slide, pose->slide[mover->joint]), unit);
        put_vec3(way + 3, turn_between(here, rotation), 1);
    } else {
        (void)snw_joint_values(joint, here, pose->slide[mover->joint], now);
        (void)snw_joint_values(joint, rotation, slide, wanted);
        for (int k = 0; k < mover->column_count; k++) {
            double turn = wanted[k] - now[k];
            bool is_slide = joint->type == SNW_JOINT_PRISMATIC;
            if (!is_slide && !joint->limit.has_range[k]) turn = snw_wrap_angle(turn);
            way[k] = is_slide ? turn * unit : turn;
        }
    }
}

/* A free root is drawn to where the preferred pose has it, not to rest. */
static void find_root_way(const snw__ik_system *system, const snw_pose *pose, double *way)
{
    const snw__ik_preference *preference = system->preference;
    if (!preference->pose) return;
    snw_vec3 move = snw_vec3_sub(preference->pose->root.translation, pose->root.translation);
    put_vec3(way, snw_quat_unrotate(pose->root.rotation, move), 1 / system->ik->size);
    put_vec3(way + 3, turn_between(pose->root.rotation, preference->pose->root.rotation), 1);
}

/* Fills ways and weights of all coordinates; returns the weighted square of the way. */
static double fill_way(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    snw__ik_preference *preference = system->preference;
    bool has_pose = ik->options.prefer != SNW_IK_PREFER_NOTHING;
    double heaviest = heaviest_rest(ik, goals), sum = 0;
    memset(preference->way, 0, (size_t)system->column_count * sizeof(double));
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        double *way = &preference->way[mover->column_first], weight = 0;
        double rest = mover->joint < 0 ? 0 : rest_weight(ik, goals, mover->joint);
        if (rest > 0)
            weight = rest / heaviest;
        else if (has_pose)
            weight = mover->joint < 0 || mover->is_locked ? 1 : 1 / ik->mobility[mover->joint];
        if (mover->joint < 0)
            find_root_way(system, pose, way);
        else if (weight > 0)
            find_way(system, mover, rest > 0, pose, way);
        for (int k = 0; k < mover->column_count; k++) {
            preference->weight[mover->column_first + k] = weight;
            sum += weight * way[k] * way[k];
        }
    }
    return sum;
}

/* ---- the step ------------------------------------------------------------------------------- */

/* The square of a rotation vector w is curved: its hessian is c I + (1 - c) u u^T with u along w
 * and c = (|w| / 2) / tan(|w| / 2). */
static void add_turn_weight(snw__ik_system *system, int first, double weight)
{
    snw__ik_preference *preference = system->preference;
    const double *w = &preference->way[first];
    double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), c = 1;
    if (angle > 1e-3) c = fmax(0.5 * angle * snw__cos(0.5 * angle) / snw__sin(0.5 * angle), 0.05);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k <= r; k++) {
            double along = angle > 1e-3 ? w[r] * w[k] / (angle * angle) : 0;
            *snw__ik_matrix_entry(system->pattern, preference->curved, first + r, first + k) +=
                weight * ((r == k ? c : 0) + (1 - c) * along);
        }
}

static bool is_turn_vector(const snw__ik_system *system, const snw__ik_mover *mover)
{
    return mover->joint < 0 || system->ik->joint[mover->joint].type == SNW_JOINT_BALL ||
           system->ik->joint[mover->joint].type == SNW_JOINT_FREE;
}

/* curved += W. */
static void add_weight(snw__ik_system *system)
{
    snw__ik_preference *preference = system->preference;
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        int first = mover->column_first, last = first + mover->column_count;
        bool is_turn = is_turn_vector(system, mover);
        double weight = fmax(preference->weight[first], IK_PREFER_LIGHT);
        for (int c = first; c < (is_turn ? last - 3 : last); c++)
            *snw__ik_matrix_entry(system->pattern, preference->curved, c, c) += weight;
        if (is_turn) add_turn_weight(system, last - 3, weight);
    }
}

/* curved = W - sum m . d2f of this iteration; the multipliers are those of the last step. */
static void fill_curved(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    snw__ik_preference *preference = system->preference;
    memset(preference->curved, 0, (size_t)system->pattern->entry_count * sizeof(double));
    snw__ik_add_row_curvature(system, goals, pose, preference->multiplier, preference->curved);
    for (int k = 0; k < system->pattern->entry_count; k++)
        preference->curved[k] = -preference->curved[k];
    add_weight(system);
    for (int m = 0; m < system->mover_count; m++)
        preference->bend[m].normal_count = 0;
}

typedef struct ik_prefer_step {
    const snw_pose *pose;
    double damping; /* of J H^-1 J^T, against its mean diagonal */
    double far;     /* the same, absolute */
} ik_prefer_step;

/* The hessian where limits hold, with what they add. rho J^T J changes nothing of a step with J h =
 * r but makes definite what is so where that leaves room. */
static void fill_hessian(snw__ik_system *system, const snw_pose *pose, double heavier)
{
    snw__ik_preference *p = system->preference;
    memcpy(p->hessian, p->curved, (size_t)system->pattern->entry_count * sizeof(double));
    for (int c = 0; c < system->column_count && heavier > 0; c++)
        *snw__ik_matrix_entry(system->pattern, p->hessian, c, c) +=
            heavier * fmax(p->weight[c], IK_PREFER_LIGHT);
    snw__ik_matrix_project(system, p->hessian);
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        if (mover->normal_count == 0) continue;
        if (p->bend[m].normal_count != mover->normal_count)
            p->bend[m] = snw__ik_limit_bend(system, mover, pose, p->force);
        snw__ik_add_bend(system, mover, &p->bend[m], p->hessian);
    }
    snw__ik_matrix_add_rows(system, IK_PREFER_RHO, p->hessian);
}

/* The factor of the hessian in its place. Where it is not definite on what the goals leave free
 * (the pose is nearer to a ridge than to the valley) more and more weight is put on it: shorter
 * steps. */
static void factor_hessian(snw__ik_system *system, const snw_pose *pose)
{
    double heavier = 0;
    for (int attempt = 0; attempt < 12; attempt++, heavier = 2 * heavier + 1) {
        fill_hessian(system, pose, heavier);
        if (snw__ik_matrix_factor(system, system->preference->hessian, IK_PREFER_FLAT)) return;
    }
}

/* The coordinates that can move row k, root first; *column is NULL where those are all, in order.
 */
static int path_of(const snw__ik_system *system, int k, const int **column)
{
    const snw__ik_pattern *pattern = system->pattern;
    *column = NULL;
    if (!pattern) return system->column_count;
    int tip = pattern->row_tip[k];
    if (tip < 0) return 0;
    *column = &pattern->column[pattern->first[tip]];
    return pattern->depth[tip] + 1;
}

/* How many of them two rows share: those before the limbs part. */
static int shared_count(const snw__ik_system *system, int k, int i)
{
    const int *a, *b;
    int count_a = path_of(system, k, &a), count_b = path_of(system, i, &b), count = 0;
    if (a == b) return count_a < count_b ? count_a : count_b;
    while (count < count_a && count < count_b && a[count] == b[count])
        count++;
    return count;
}

/* Row k of Y and of D^-1 Y, where J H^-1 J^T = Y^T D^-1 Y. */
static void fill_response(snw__ik_system *system, int k, double *y, double *scaled)
{
    const snw__ik_preference *p = system->preference;
    const double *row = &system->jacobian[snw__entries(k, system->column_count)];
    const int *column;
    int count = path_of(system, k, &column);
    for (int i = 0; i < count; i++)
        y[i] = row[column ? column[i] : i];
    if (p->is_curved && count > 0)
        snw__ik_matrix_solve_path_in(system, p->hessian, column[count - 1], y);
    for (int i = 0; i < count; i++)
        scaled[i] = y[i] * p->inverse[column ? column[i] : i];
}

/* D^-1 of the hessian's factor, or of the weights alone. */
static void fill_inverse(snw__ik_system *system)
{
    snw__ik_preference *p = system->preference;
    const snw__ik_pattern *pattern = system->pattern;
    for (int c = 0; c < system->column_count; c++)
        p->inverse[c] = p->is_curved ? p->hessian[pattern->first[c] + pattern->depth[c]]
                                     : 1 / fmax(p->weight[c], IK_PREFER_LIGHT);
}

/* m from J H^-1 J^T m = r - J H^-1 g, with L^-T g in system->step; false when not even damping
 * makes that definite. */
static bool find_multipliers(snw__ik_system *system, const ik_prefer_step *step)
{
    snw__ik_preference *p = system->preference;
    int m = system->row_count, n = system->column_count;
    double trace = 0, *scaled = system->work;
    for (int k = 0; k < m; k++) {
        double *y = &p->response[snw__entries(k, n)], *gram = &p->gram[snw__entries(k, m)];
        const int *column;
        int count = path_of(system, k, &column);
        fill_response(system, k, y, scaled);
        for (int i = 0; i <= k; i++)
            gram[i] =
                snw__ik_dot(scaled, &p->response[snw__entries(i, n)], shared_count(system, k, i));
        trace += gram[k];
        p->multiplier[k] = p->keeps_goals ? system->residual[k] : 0;
        for (int i = 0; i < count; i++)
            p->multiplier[k] -= scaled[i] * system->step[column ? column[i] : i];
    }
    for (int k = 0; k < m; k++)
        p->gram[snw__entry(k, m, k)] += step->damping * (trace / m) + step->far + 1e-300;
    return snw_cholesky_factor(p->gram, m) == SNW_OK &&
           snw_cholesky_solve(p->gram, m, p->multiplier) == SNW_OK;
}

/* v += scale * row k of `rows`, which is by place on the row's path. */
static void add_along_path(const snw__ik_system *system, const double *rows, int k, double scale,
                           double *v)
{
    const double *row = &rows[snw__entries(k, system->column_count)];
    const int *column;
    int count = path_of(system, k, &column);
    for (int i = 0; i < count; i++)
        v[column ? column[i] : i] += scale * row[i];
}

/* g = W way, what limits hold of it taken out, and what rho J^T J wants where the hessian has it.
 */
static void fill_wish(snw__ik_system *system, double *g)
{
    const snw__ik_preference *p = system->preference;
    int n = system->column_count;
    for (int c = 0; c < n; c++)
        g[c] = p->weight[c] * p->way[c];
    snw__ik_system_project(system, g);
    if (!p->is_curved) return;
    for (int k = 0; k < system->row_count; k++) {
        const double *row = &system->jacobian[snw__entries(k, n)];
        const int *column;
        int count = path_of(system, k, &column);
        for (int i = 0; i < count; i++)
            g[column[i]] += IK_PREFER_RHO * system->residual[k] * row[column[i]];
    }
}

/* h = H^-1 (g + J^T m) = L^-1 D^-1 (L^-T g + Y m). */
static void preferred_direction(snw__ik_system *system, void *context)
{
    const ik_prefer_step *step = context;
    snw__ik_preference *p = system->preference;
    int n = system->column_count;
    if (p->is_curved) factor_hessian(system, step->pose);
    fill_inverse(system);
    fill_wish(system, system->step);
    if (p->is_curved) snw__ik_matrix_solve_in(system, p->hessian, system->step);
    if (system->row_count > 0 && !find_multipliers(system, step)) {
        memset(system->step, 0, (size_t)n * sizeof(double));
        return;
    }
    for (int k = 0; k < system->row_count; k++)
        add_along_path(system, p->response, k, p->multiplier[k], system->step);
    if (p->is_curved)
        snw__ik_matrix_solve_out(system, p->hessian, system->step);
    else
        for (int c = 0; c < n; c++)
            system->step[c] *= p->inverse[c];
    snw__ik_system_project(system, system->step);
}

static double largest_of(const snw__ik_system *system)
{
    double largest = 0;
    for (int c = 0; c < system->column_count; c++)
        largest = fmax(largest, fabs(system->step[c]));
    return largest;
}

/* ---- second order --------------------------------------------------------------------------- */

/* What remains after a step of this size that followed one of `last`: as quickly as it fell. */
static double remaining_after(double size, double last)
{
    double factor = last < INFINITY ? size / last : 1;
    return factor < 0.9 ? size * fmin(factor / (1 - factor), 10) : size;
}

/* force = W way + J^T m from a system that was just built, whose limits are not held yet. */
static void fill_force(snw__ik_system *system)
{
    snw__ik_preference *preference = system->preference;
    snw__ik_system_pull_back(system, preference->multiplier, preference->force);
    for (int c = 0; c < system->column_count; c++)
        preference->force[c] += preference->weight[c] * preference->way[c];
}

/* Which movers the last step held. */
static void note_held(snw__ik_system *system)
{
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        bool is_held = mover->normal_count > 0;
        for (int k = 0; k < mover->column_count; k++)
            is_held |= system->is_held[mover->column_first + k];
        system->preference->was_held[m] = is_held;
    }
}

/* A small step along the force of what the last step held, to hold what it still pushes against. */
static void force_direction(snw__ik_system *system, void *context)
{
    (void)context;
    memcpy(system->step, system->preference->force, (size_t)system->column_count * sizeof(double));
    snw__ik_system_project(system, system->step);
    double length = sqrt(snw__ik_dot(system->step, system->step, system->column_count));
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        double scale = system->preference->was_held[m] && length > 0 ? IK_PREFER_PROBE / length : 0;
        for (int k = 0; k < mover->column_count; k++)
            system->step[mover->column_first + k] *= scale;
    }
}

/* system->step, from a built system: with curvature near the goals, where multipliers of the last
 * step are known and say what limits hold; without before. */
static void find_step(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    snw__ik_preference *preference = system->preference;
    ik_prefer_step step = {pose, IK_PREFER_DAMPING, 0};
    preference->is_curved =
        preference->hessian && preference->has_multiplier && system->energy < IK_PREFER_CURVED;
    if (preference->is_curved) {
        fill_curved(system, goals, pose);
        if (system->ik->limited_count > 0) {
            fill_force(system);
            snw__ik_system_find_step(system, force_direction, NULL, pose);
        }
    } else {
        if (system->energy > IK_PREFER_CURVED) step.far = IK_PREFER_FAR * sqrt(2 * system->energy);
        snw__ik_system_clamp_residual(system, goals);
    }
    snw__ik_system_find_step(system, preferred_direction, &step, pose);
    note_held(system);
    preference->has_multiplier = true;
}

/* The best pose so far is kept in system->best. */
static void note_best(snw__ik_system *system, const snw_pose *pose, double way, double *best)
{
    if (!(system->excess <= 1 && way < *best)) return;
    *best = way;
    snw__ik_snapshot_take(&system->best, pose);
}

/* How far a step may go: less after one that pulled the goals off, so that model and body agree. */
typedef struct ik_prefer_trust {
    double radius;
    double energy; /* before the last step */
} ik_prefer_trust;

static void adapt_trust(ik_prefer_trust *trust, double energy)
{
    bool is_worse = energy > IK_PREFER_OFF && energy > 2 * trust->energy;
    trust->radius = is_worse ? 0.4 * trust->radius : fmin(1.5 * trust->radius, IK_PREFER_MOVE);
    trust->energy = energy;
}

/* Steps until nothing is left, from any pose; the best on the way that meets the goals and is
 * nearer than `distance` is taken. False when there is none, with the pose where the steps led; a
 * pose that has no way to go stays bit for bit. */
static bool settle(snw__ik_system *system, const snw_goal *goals, snw_pose *pose, double distance,
                   int *iterations)
{
    snw__ik_preference *preference = system->preference;
    double last = INFINITY, best = distance, size = 0;
    ik_prefer_trust trust = {IK_PREFER_MOVE, INFINITY};
    int growing = 0;
    preference->has_multiplier = false;
    for (int k = 0; k < IK_PREFER_STEPS && growing <= IK_PREFER_GROWING; k++, ++*iterations) {
        snw__ik_system_build(system, goals, pose);
        note_best(system, pose, fill_way(system, goals, pose), &best);
        adapt_trust(&trust, system->energy);
        find_step(system, goals, pose);
        size = largest_of(system);
        if (k == 0 && size <= IK_PREFER_STAY) return system->excess <= 1;
        growing += size > last && system->preference->is_curved;
        (void)snw__ik_system_move(system, size > trust.radius ? trust.radius / size : 1, pose);
        if (remaining_after(size, last) <= 0.2 * IK_PREFER_STAY) break;
        last = size;
    }
    snw__ik_system_measure(system, goals, pose);
    /* The last pose is the one that meets the goals best: it goes before one that gains by what it
     * leaves of them. */
    note_best(system, pose, (1 - 1e-4) * fill_way(system, goals, pose), &best);
    if (!(best < distance)) return false;
    snw__ik_snapshot_restore(&system->best, pose);
    if (snw__ik_moved_since(system->ik, &system->start, pose) <= 2 * IK_PREFER_STAY)
        snw__ik_snapshot_restore(&system->start, pose);
    snw_pose_forward(pose);
    return true;
}

/* ---- first order, checked ------------------------------------------------------------------- */

static void goals_direction(snw__ik_system *system, void *context)
{
    (void)context;
    snw__ik_system_solve_damped(system, IK_PREFER_DAMPING_SAFE * snw__ik_system_scale(system));
}

/* One step of at most `largest`, and what it takes to meet the goals again. */
static void step_safely(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                        double largest, double allowed)
{
    ik_prefer_step step = {pose, IK_PREFER_DAMPING_SAFE, 0};
    system->preference->is_curved = false;
    snw__ik_system_build(system, goals, pose);
    (void)fill_way(system, goals, pose);
    snw__ik_system_find_step(system, preferred_direction, &step, pose);
    double size = largest_of(system);
    (void)snw__ik_system_move(system, size > largest ? largest / size : 1, pose);
    /* Curvature pulls the goals off by the square of the step; three Newton steps mend that. */
    for (int k = 0; k < 3; k++) {
        snw__ik_system_measure(system, goals, pose);
        if (system->excess <= 0.5 * allowed) return;
        snw__ik_system_build(system, goals, pose);
        (void)snw__ik_system_step(system, goals_direction, NULL, pose);
    }
    snw__ik_system_measure(system, goals, pose);
}

static void creep(snw__ik_system *system, const snw_goal *goals, snw_pose *pose, double distance)
{
    double largest = IK_PREFER_MOVE;
    snw__ik_system_measure(system, goals, pose);
    double allowed = fmax(1, system->excess);
    for (int k = 0; k < IK_PREFER_SAFE_STEPS && largest > 1e-3; k++) {
        snw__ik_snapshot_take(&system->before, pose);
        step_safely(system, goals, pose, largest, allowed);
        double after = fill_way(system, goals, pose);
        if (system->excess <= allowed && after < distance) {
            if (after > (1 - 1e-4) * distance) return;
            distance = after;
            continue;
        }
        snw__ik_snapshot_restore(&system->before, pose);
        snw_pose_forward(pose);
        largest *= 0.25;
    }
}

static snw__ik_spring spring_of(const snw_ik *ik, const snw_goal *goals, int joint)
{
    snw__ik_spring spring;
    snw_vec3 slide;
    double rest = rest_weight(ik, goals, joint);
    preferred_of(ik->system->preference, joint, rest > 0, &spring.rotation, &slide);
    spring.weight = rest > 0                                      ? rest / heaviest_rest(ik, goals)
                    : ik->options.prefer != SNW_IK_PREFER_NOTHING ? 1
                                                                  : 0;
    return spring;
}

bool snw__ik_solve_preferred(const snw_ik *ik, const snw_goal *goals, snw_pose *pose,
                             int *iterations)
{
    snw__ik_system *system = ik->system;
    if (system->column_count == 0 || snw__ik_is_out_of_reach(ik, goals, pose)) return false;
    snw__ik_system_measure(system, goals, pose);
    /* Nothing is nearer to the start than the start. */
    if (system->excess <= 1 && !ik->has_rest && ik->options.prefer == SNW_IK_PREFER_START)
        return false;
    if (put_others(ik, goals, pose)) snw_pose_forward(pose);
    if (system->preference->springs &&
        snw__ik_springs_solve(ik, system->preference->springs, goals, spring_of, pose, iterations))
        return true;
    system->preference->keeps_goals = true;
    snw__ik_snapshot_take(&system->start, pose);
    if (settle(system, goals, pose, INFINITY, iterations)) return true;
    snw__ik_snapshot_restore(&ik->given, pose);
    snw_pose_forward(pose);
    return false;
}

/* settle, with the pose as it was where that leads to none that is nearer. */
static bool settle_from(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                        double distance)
{
    int iterations = 0;
    snw__ik_snapshot_take(&system->start, pose);
    if (settle(system, goals, pose, distance, &iterations)) return true;
    snw__ik_snapshot_restore(&system->start, pose);
    snw_pose_forward(pose);
    return false;
}

void snw__ik_draw_to_preferred(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system *system = ik->system;
    if (put_others(ik, goals, pose)) snw_pose_forward(pose);
    if (system->column_count == 0) return;
    double distance = fill_way(system, goals, pose);
    if (!(distance > 0)) return;
    snw__ik_system_measure(system, goals, pose);
    system->preference->keeps_goals = system->excess <= 1;
    if (!system->preference->keeps_goals) {
        creep(system, goals, pose, distance);
        return;
    }
    /* What was too far for the model need not be any more once the pose is nearer. */
    for (int round = 0; round < IK_PREFER_ROUNDS; round++) {
        if (settle_from(system, goals, pose, distance)) return;
        creep(system, goals, pose, distance);
        double nearer = fill_way(system, goals, pose);
        if (nearer > (1 - 1e-4) * distance) return;
        distance = nearer;
    }
}
