/* Poses to be expected, given the goals.
 *
 * Features x have the prior N(mean, C) of each component of the style, goals are rows r (weighted
 * and free of units as in ik/core/system.h) measured with the variance v. With J the rows' Jacobian
 * at the mean,
 *
 *     x = mean + C J^T (J C J^T + v I)^-1 r
 *
 * is what the component expects, and the component's share of the answer is its weight times
 * N(r; 0, J C J^T + v I). All but r is known when the solve is created, so the first estimate is a
 * regression of the pose on the targets. Joints that move no goal take it from all components, by
 * their shares. For the others it is that of the likeliest component, and what bends of the rows is
 * put right by a few steps x = mean + C J^T (J C J^T + v I)^-1 (r + J (x - mean)) from there (an
 * iterated Kalman filter, Bell & Cathey 1993). It needs covariances, not their inverses, and
 * matrices of as many rows as the goals have. How the body leans is three more rows. */

#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "ik/core/prior.h"
#include "style/style.h"

/* ---- prior rows --------------------------------------------------------------------------------
 */

/* Rows of the prior: what the goals lack in a pose, in the body's frame, weighted and free of
 * units, and how the features of the style change that. How the body leans is three more rows. */

/* A goal that has rows here. */
typedef struct snw__prior_goal {
    int goal; /* of the problem */
    bool has_place, has_frame;
    int row;
} snw__prior_goal;

/* A component with everything that does not depend on where the targets are. */
typedef struct snw__prior_component {
    double *gain;   /* (features x rows) C J^T at the mean */
    double *factor; /* (rows x rows) Cholesky of J C J^T + v I */
    double log_scale;
    double *row;    /* (rows) places of the goals' points at the mean, as rows */
    snw_quat *turn; /* (goals) frames of the goals' joints there; all in the body's frame */
} snw__prior_component;

struct snw__ik_prior {
    const snw_style *style;
    double variance;
    int row_count, goal_count;
    int lean_row;          /* first of three rows that say how the body leans, or -1 */
    snw__prior_goal *goal; /* (goal_count) */
    int active_count;
    int *active;   /* (features) those that move a goal */
    int *joint_at; /* (features) and the style's joint of each */
    int idle_count;
    int *idle;                       /* (features) the others */
    double *blend;                   /* (features) what all components together expect of these */
    int *joint_of;                   /* (joints of the style) */
    int *active_of, *idle_of;        /* (joints of the style) joint_of of those, else -1 */
    int *style_of;                   /* (joints of the skeleton) or -1 */
    snw__prior_component *component; /* (component_count) */
    double *x, *best;                /* (features) */
    double *jacobian;                /* (features x rows) J^T */
    double *pulled;                  /* (features) J^T dual */
    double *along;                   /* (dimensions x rows) directions times J^T */
    double *matrix;                  /* (rows x rows) */
    double *target, *row, *dual;     /* (rows) */
    double *score, *share;           /* (component_count) */
    double *duals;                   /* (component_count x rows) of the first estimates */
    snw_vec3 (*axis)[3];             /* (joints of the style) */
};

static inline int snw__prior_lean_feature(const snw__ik_prior *p)
{
    return p->style->feature_count - 3;
}

/* [chosen] Radians: how far people lean apart in the same pose. */
#define PRIOR_LEAN 0.1

static double scale_of(const snw_ik *ik, const snw_goal *goal, bool is_turn)
{
    double root = sqrt(goal->weight);
    return is_turn ? root * goal->turn_weight : root / ik->size;
}

/* Rows all have the variance v. */
static double lean_scale(const snw__ik_prior *p)
{
    return sqrt(p->variance) / PRIOR_LEAN;
}

static void put_row3(double *row, snw_vec3 v, double scale)
{
    row[0] = v.x * scale;
    row[1] = v.y * scale;
    row[2] = v.z * scale;
}

/* Places of the targets in the body's frame, as rows; rows of frames are left. */
static void prior_put_targets(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                              snw_xform inverse)
{
    for (int n = 0; n < p->goal_count; n++) {
        const snw_goal *goal = &goals[p->goal[n].goal];
        if (p->goal[n].has_place)
            put_row3(p->target + p->goal[n].row, snw_xform_point(inverse, goal->position),
                     scale_of(ik, goal, false));
    }
    if (p->lean_row < 0) return;
    snw_vec3 up = snw_vec3_unit(ik->options.style_up, snw_vec3_make(0, 0, 0));
    put_row3(p->target + p->lean_row, snw_quat_rotate(inverse.rotation, up), lean_scale(p));
}

static void put_turn(const snw_ik *ik, const snw__prior_goal *own, const snw_goal *goal,
                     snw_quat root_inverse, snw_quat here, double *row)
{
    snw_quat target = snw_quat_mul(root_inverse, goal->orientation);
    put_row3(row + own->row + 3 * own->has_place,
             snw_quat_log(snw_quat_mul(target, snw_quat_conjugate(here))),
             scale_of(ik, goal, true));
}

/* What the goals lack in the pose, in the body's frame. Needs the targets. */
static void prior_put_rows(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                           const snw_pose *pose)
{
    snw_xform inverse = snw_xform_inverse(pose->root);
    for (int n = 0; n < p->goal_count; n++) {
        const snw__prior_goal *own = &p->goal[n];
        const snw_goal *goal = &goals[own->goal];
        snw_xform here = snw_xform_mul(inverse, pose->world[goal->joint]);
        double *row = p->row + own->row;
        if (own->has_place) {
            put_row3(row, snw_xform_point(here, goal->point), scale_of(ik, goal, false));
            for (int k = 0; k < 3; k++)
                row[k] = p->target[own->row + k] - row[k];
        }
        if (own->has_frame) put_turn(ik, own, goal, inverse.rotation, here.rotation, p->row);
    }
    for (int k = 0; k < 3 && p->lean_row >= 0; k++)
        p->row[p->lean_row + k] =
            p->target[p->lean_row + k] - lean_scale(p) * p->x[snw__prior_lean_feature(p) + k];
}

static void put_column(const snw_ik *ik, const snw__ik_prior *p, const snw__prior_goal *own,
                       const snw_goal *goal, const snw_pose *pose, int which, int k)
{
    const snw_style_joint *joint = &p->style->joint[which];
    double *entry =
        p->jacobian + (size_t)(joint->first + k) * (size_t)p->row_count + (size_t)own->row;
    snw_vec3 axis = p->axis[which][k], moved = axis, turned = axis;
    double place = scale_of(ik, goal, false), turn = scale_of(ik, goal, true);
    /* Rows are in the body's frame. */
    snw_quat root = pose->root.rotation;
    if (snw__joint_is_slide(joint->type, k)) {
        moved = snw_vec3_scale(axis, ik->size);
        turned = snw_vec3_make(0, 0, 0);
    } else if (own->has_place) {
        snw_vec3 at = snw_xform_point(pose->world[goal->joint], goal->point);
        moved = snw_vec3_cross(axis, snw_vec3_sub(at, pose->world[p->joint_of[which]].translation));
    }
    moved = snw_quat_unrotate(root, moved);
    turned = snw_quat_unrotate(root, turned);
    if (own->has_place) {
        put_row3(entry, moved, place);
        entry += 3;
    }
    if (own->has_frame) put_row3(entry, turned, turn);
}

/* Of the rows, transposed, at the features. */
static void prior_put_jacobian(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                               const snw_pose *pose, const double *features)
{
    const snw_style *style = p->style;
    memset(p->jacobian, 0,
           (size_t)p->row_count * (size_t)style->feature_count * sizeof *p->jacobian);
    int last = -1;
    for (int n = 0; n < p->active_count; n++) {
        int s = p->joint_at[n];
        if (s >= 0 && s != last)
            snw__style_axes(style, s, p->joint_of[s], features, pose, p->axis[s]);
        last = s;
    }
    for (int n = 0; n < p->goal_count; n++) {
        const snw_goal *goal = &goals[p->goal[n].goal];
        for (int j = goal->joint; j >= 0; j = ik->skeleton->parent[j]) {
            int which = p->style_of[j];
            if (which < 0) continue;
            for (int k = 0; k < snw_joint_type_dof(style->joint[which].type); k++)
                put_column(ik, p, &p->goal[n], goal, pose, which, k);
        }
    }
    for (int k = 0; k < 3 && p->lean_row >= 0; k++)
        p->jacobian[(size_t)(snw__prior_lean_feature(p) + k) * (size_t)p->row_count +
                    (size_t)(p->lean_row + k)] = lean_scale(p);
}

/* [chosen] Body sizes: how far from its goal an expected pose may be before the method meets it
 * exactly; of the order of a finger. */
#define PRIOR_SIGMA 0.01

/* ---- memory --------------------------------------------------------------------------------- */

static void find_goals(snw__ik_prior *p, const snw_ik *ik)
{
    for (int g = 0; g < ik->goal_count; g++) {
        const snw__goal_row *kind = snw__goal_row_of(&ik->goal[g]);
        if (!snw__goal_is_rigid(&ik->goal[g])) continue;
        snw__prior_goal *goal = &p->goal[p->goal_count++];
        *goal = (snw__prior_goal){.goal = g,
                                  .has_place = kind->rows.offset > 0,
                                  .has_frame = kind->has_frame,
                                  .row = p->row_count};
        p->row_count += 3 * goal->has_place + 3 * goal->has_frame;
    }
    bool has_lean = p->style->has_lean && snw_vec3_length(ik->options.style_up) > 0;
    p->lean_row = has_lean ? p->row_count : -1;
    p->row_count += has_lean ? 3 : 0;
}

/* Features of joints that are above a goal, and the lean. */
static void find_active(snw__ik_prior *p, const snw_ik *ik)
{
    for (int s = 0; s < p->style->joint_count; s++) {
        bool is_active = false;
        for (int n = 0; n < p->goal_count && p->joint_of[s] >= 0; n++)
            for (int j = ik->goal[p->goal[n].goal].joint; j >= 0; j = ik->skeleton->parent[j])
                is_active |= j == p->joint_of[s];
        p->active_of[s] = is_active ? p->joint_of[s] : -1;
        p->idle_of[s] = is_active ? -1 : p->joint_of[s];
        for (int k = 0; k < snw_joint_type_dof(p->style->joint[s].type); k++) {
            if (!is_active) {
                p->idle[p->idle_count++] = p->style->joint[s].first + k;
                continue;
            }
            p->joint_at[p->active_count] = s;
            p->active[p->active_count++] = p->style->joint[s].first + k;
        }
    }
    for (int k = 0; k < 3 && p->lean_row >= 0; k++) {
        p->joint_at[p->active_count] = -1;
        p->active[p->active_count++] = snw__prior_lean_feature(p) + k;
    }
}

snw__ik_prior *snw__ik_prior_layout(const snw_ik *ik, snw__block *block)
{
    const snw_style *style = ik->options.style;
    size_t features = (size_t)style->feature_count, components = (size_t)style->component_count;
    size_t goals = (size_t)ik->goal_count, rows = 6 * goals + 3;
    snw__ik_prior *prior = snw__block_take(block, 1, sizeof *prior), p = {.style = style};
    p.goal = snw__block_take(block, goals, sizeof *p.goal);
    p.active = snw__block_take(block, features, sizeof *p.active);
    p.joint_at = snw__block_take(block, features, sizeof *p.joint_at);
    p.idle = snw__block_take(block, features, sizeof *p.idle);
    p.blend = snw__block_take(block, features, sizeof *p.blend);
    p.joint_of = snw__block_take(block, (size_t)style->joint_count, sizeof *p.joint_of);
    p.active_of = snw__block_take(block, (size_t)style->joint_count, sizeof *p.active_of);
    p.idle_of = snw__block_take(block, (size_t)style->joint_count, sizeof *p.idle_of);
    p.style_of = snw__block_take(block, (size_t)ik->skeleton->joint_count, sizeof *p.style_of);
    p.component = snw__block_take(block, components, sizeof *p.component);
    for (int c = 0; c < style->component_count; c++) {
        snw__prior_component part = {0};
        part.gain = snw__block_take(block, rows * features, sizeof *part.gain);
        part.factor = snw__block_take(block, rows * rows, sizeof *part.factor);
        part.row = snw__block_take(block, rows, sizeof *part.row);
        part.turn = snw__block_take(block, goals, sizeof *part.turn);
        if (prior) p.component[c] = part;
    }
    p.x = snw__block_take(block, features, sizeof *p.x);
    p.best = snw__block_take(block, features, sizeof *p.best);
    p.jacobian = snw__block_take(block, rows * features, sizeof *p.jacobian);
    p.pulled = snw__block_take(block, features, sizeof *p.pulled);
    p.along = snw__block_take(block, rows * (size_t)style->dimension_count, sizeof *p.along);
    p.matrix = snw__block_take(block, rows * rows, sizeof *p.matrix);
    p.target = snw__block_take(block, rows, sizeof *p.target);
    p.row = snw__block_take(block, rows, sizeof *p.row);
    p.dual = snw__block_take(block, rows, sizeof *p.dual);
    p.score = snw__block_take(block, components, sizeof *p.score);
    p.share = snw__block_take(block, components, sizeof *p.share);
    p.duals = snw__block_take(block, components * rows, sizeof *p.duals);
    p.axis = snw__block_take(block, (size_t)style->joint_count, sizeof *p.axis);
    if (!prior) return NULL;
    p.variance = PRIOR_SIGMA * PRIOR_SIGMA * ik->options.style_weight;
    find_goals(&p, ik);
    (void)snw_style_match(style, ik->skeleton, p.joint_of);
    for (int j = 0; j < ik->skeleton->joint_count; j++)
        p.style_of[j] = -1;
    for (int s = 0; s < style->joint_count; s++)
        if (p.joint_of[s] >= 0) p.style_of[p.joint_of[s]] = s;
    find_active(&p, ik);
    *prior = p;
    return prior;
}

/* ---- one component -------------------------------------------------------------------------- */

static double inner(const double *a, const double *b, int count)
{
    double sum[2] = {0, 0};
    int k = 0;
    for (; k + 1 < count; k += 2) {
        sum[0] += a[k] * b[k];
        sum[1] += a[k + 1] * b[k + 1];
    }
    if (k < count) sum[0] += a[k] * b[k];
    return sum[0] + sum[1];
}

/* matrix = J C J^T + v I, factorised; false where it cannot be. With a_i = J u_i it is
 * n^2 J J^T + sum (s_i^2 - n^2) a_i a_i^T. Rows run innermost so that compilers do several at once.
 */
static bool factorise_rows(const snw__ik_prior *p, int component)
{
    int rows = p->row_count, width = p->style->feature_count, q = p->style->dimension_count;
    double noise2 = p->style->noise[component] * p->style->noise[component];
    const double *directions = p->style->direction + (size_t)component * (size_t)q * (size_t)width;
    memset(p->matrix, 0, (size_t)rows * (size_t)rows * sizeof *p->matrix);
    memset(p->along, 0, (size_t)rows * (size_t)q * sizeof *p->along);
    for (int n = 0; n < p->active_count; n++) {
        int k = p->active[n];
        const double *column = p->jacobian + (size_t)k * (size_t)rows;
        for (int i = 0; i < q; i++) {
            double u = directions[(size_t)i * (size_t)width + (size_t)k];
            double *along = p->along + (size_t)i * (size_t)rows;
            for (int r = 0; r < rows; r++)
                along[r] += u * column[r];
        }
        for (int r = 0; r < rows; r++)
            for (int s = 0; column[r] != 0 && s <= r; s++)
                p->matrix[r * rows + s] += noise2 * column[r] * column[s];
    }
    for (int i = 0; i < q; i++) {
        double s = p->style->deviation[component * q + i], scale = s * s - noise2;
        const double *along = p->along + (size_t)i * (size_t)rows;
        for (int r = 0; r < rows; r++)
            for (int t = 0; t <= r; t++)
                p->matrix[r * rows + t] += scale * along[r] * along[t];
    }
    for (int r = 0; r < rows; r++)
        p->matrix[r * rows + r] += p->variance;
    return snw_cholesky_factor(p->matrix, rows) == SNW_OK;
}

static const double *prior_mean(const snw__ik_prior *p, int component)
{
    return p->style->mean + (size_t)component * (size_t)p->style->feature_count;
}

/* The joints that move goals by these features; where limits do not allow them, they become those
 * of the nearest. */
static void stand(const snw_ik *ik, const snw__ik_prior *p, double *features, snw_pose *pose)
{
    snw_style_pose(p->style, p->active_of, features, pose);
    if (ik->limited_count > 0 && snw__ik_apply_limits(ik, pose)) {
        double lean[3] = {0, 0, 0};
        if (p->lean_row >= 0) memcpy(lean, features + snw__prior_lean_feature(p), sizeof lean);
        snw_style_features(p->style, p->active_of, pose, features);
        if (p->lean_row >= 0) memcpy(features + snw__prior_lean_feature(p), lean, sizeof lean);
    }
    snw_pose_forward(pose);
}

void snw__ik_prior_prepare(const snw_ik *ik, snw_pose *pose)
{
    for (int c = 0; c < ik->prior->style->component_count; c++) {
        /* What a component's mean pose knows before any target is there. The pose is used for work.
         */
        snw__ik_prior *p = ik->prior;
        snw__prior_component *part = &p->component[c];
        int rows = p->row_count, width = p->style->feature_count;
        snw_style_pose(p->style, p->joint_of, prior_mean(p, c), pose);
        snw_pose_forward(pose);
        prior_put_jacobian(ik, p, ik->goal, pose, prior_mean(p, c));
        part->log_scale = -INFINITY;
        if (!factorise_rows(p, c)) continue;
        memcpy(part->factor, p->matrix, (size_t)rows * (size_t)rows * sizeof *part->factor);
        part->log_scale = snw__log(p->style->weight[c]);
        for (int r = 0; r < rows; r++)
            part->log_scale -= snw__log(p->matrix[r * rows + r]);
        for (int r = 0; r < rows; r++) { /* the column C J^T of row r */
            for (int k = 0; k < width; k++)
                p->pulled[k] = p->jacobian[(size_t)k * (size_t)rows + (size_t)r];
            snw__style_covariance(p->style, c, p->pulled, p->x);
            for (int k = 0; k < width; k++)
                part->gain[(size_t)k * (size_t)rows + (size_t)r] = p->x[k];
        }
        /* Rows and frames at the mean; the root of the pose is the identity. */
        for (int n = 0; n < p->goal_count; n++) {
            const snw_goal *goal = &ik->goal[p->goal[n].goal];
            snw_xform world = pose->world[goal->joint];
            part->turn[n] = world.rotation;
            if (p->goal[n].has_place)
                put_row3(part->row + p->goal[n].row, snw_xform_point(world, goal->point),
                         scale_of(ik, goal, false));
        }
        for (int k = 0; k < 3 && p->lean_row >= 0; k++)
            part->row[p->lean_row + k] =
                lean_scale(p) * prior_mean(p, c)[snw__prior_lean_feature(p) + k];
    }
}

/* ---- the approach --------------------------------------------------------------------------- */

/* How likely the goals are under a component, as a logarithm, and dual for its first estimate. */
static double weigh(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                    const snw_pose *pose, int component)
{
    const snw__prior_component *part = &p->component[component];
    snw_quat inverse = snw_quat_conjugate(pose->root.rotation);
    for (int r = 0; r < p->row_count; r++)
        p->row[r] = p->target[r] - part->row[r];
    for (int n = 0; n < p->goal_count; n++)
        if (p->goal[n].has_frame)
            put_turn(ik, &p->goal[n], &goals[p->goal[n].goal], inverse, part->turn[n], p->row);
    memcpy(p->dual, p->row, (size_t)p->row_count * sizeof *p->dual);
    if (!(part->log_scale > -INFINITY) ||
        snw_cholesky_solve(part->factor, p->row_count, p->dual) != SNW_OK)
        return -INFINITY;
    return part->log_scale - 0.5 * inner(p->row, p->dual, p->row_count);
}

/* x = mean + C J^T (J C J^T + v I)^-1 (r + J (x - mean)); false where it cannot be found. */
static bool step_again(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                       const snw_pose *pose, int component)
{
    int rows = p->row_count, width = p->style->feature_count;
    const double *mean = prior_mean(p, component);
    prior_put_jacobian(ik, p, goals, pose, p->x);
    if (!factorise_rows(p, component)) return false;
    memcpy(p->dual, p->row, (size_t)rows * sizeof *p->dual);
    for (int n = 0; n < p->active_count; n++) {
        int k = p->active[n];
        const double *column = p->jacobian + (size_t)k * (size_t)rows;
        for (int r = 0; r < rows; r++)
            p->dual[r] += column[r] * (p->x[k] - mean[k]);
    }
    if (snw_cholesky_solve(p->matrix, rows, p->dual) != SNW_OK) return false;
    memset(p->pulled, 0, (size_t)width * sizeof *p->pulled);
    for (int n = 0; n < p->active_count; n++)
        p->pulled[p->active[n]] =
            inner(p->jacobian + (size_t)p->active[n] * (size_t)rows, p->dual, rows);
    snw__style_covariance(p->style, component, p->pulled, p->x);
    for (int k = 0; k < width; k++)
        p->x[k] += mean[k];
    return true;
}

/* Stands the pose at x and returns twice the negative log of its posterior, but for constants. */
static double stand_and_weigh(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                              snw_pose *pose, int component)
{
    stand(ik, p, p->x, pose);
    prior_put_rows(ik, p, goals, pose);
    return inner(p->row, p->row, p->row_count) / p->variance -
           2 * snw__style_log_component(p->style, component, p->x) -
           2 * snw__log(p->style->weight[component]);
}

/* Feature k as a component expects it by its first estimate. */
static double expected(const snw__ik_prior *p, int component, int k)
{
    size_t rows = (size_t)p->row_count;
    return prior_mean(p, component)[k] + inner(p->component[component].gain + (size_t)k * rows,
                                               p->duals + (size_t)component * rows, p->row_count);
}

/* Joints that move no goal: their expectation over all components by their shares. That is never as
 * far off as one component can be which the goals do not tell from another. */
static void blend(const snw__ik_prior *p)
{
    int width = p->style->feature_count;
    double most = -INFINITY, total = 0;
    for (int c = 0; c < p->style->component_count; c++)
        most = fmax(most, p->score[c]);
    memset(p->blend, 0, (size_t)width * sizeof *p->blend);
    if (!(most > -INFINITY)) return;
    for (int c = 0; c < p->style->component_count; c++) {
        double share = snw__exp(p->score[c] - most);
        p->share[c] = share;
        total += share;
        for (int n = 0; n < p->idle_count; n++)
            p->blend[p->idle[n]] += share * expected(p, c, p->idle[n]);
    }
    for (int n = 0; n < p->idle_count; n++)
        p->blend[p->idle[n]] /= total;
    for (int c = 0; c < p->style->component_count; c++)
        p->share[c] /= total;
}

/* The first estimates of the components under which the goals are likeliest; the pose stands at the
 * better, which x and best hold. Returns its component, or -1. */
static int choose(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals, snw_pose *pose,
                  double *least)
{
    int count = p->style->component_count, rows = p->row_count, best = -1, last = -1;
    for (int c = 0; c < count; c++) {
        p->score[c] = weigh(ik, p, goals, pose, c);
        memcpy(p->duals + (size_t)c * (size_t)rows, p->dual, (size_t)rows * sizeof *p->dual);
    }
    blend(p);
    for (int tried = 0; tried < SNW__IK_TRIES; tried++) {
        int chosen = 0;
        for (int c = 1; c < count; c++)
            if (p->score[c] > p->score[chosen]) chosen = c;
        if (!(p->score[chosen] > -INFINITY)) break;
        p->score[chosen] = -INFINITY;
        for (int k = 0; k < p->style->feature_count; k++)
            p->x[k] = expected(p, chosen, k);
        double energy = stand_and_weigh(ik, p, goals, pose, chosen);
        last = chosen;
        if (!(energy < *least)) continue;
        *least = energy;
        best = chosen;
        memcpy(p->best, p->x, (size_t)p->style->feature_count * sizeof *p->best);
    }
    if (best >= 0 && best != last) {
        memcpy(p->x, p->best, (size_t)p->style->feature_count * sizeof *p->x);
        stand(ik, p, p->x, pose);
        prior_put_rows(ik, p, goals, pose);
    }
    return best;
}

/* Steps from the first estimate while they better the pose; x ends at the best. */
static void follow(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals, snw_pose *pose,
                   int component, double least)
{
    size_t size = (size_t)p->style->feature_count * sizeof *p->x;
    for (int step = 0; step < SNW__IK_TRIES; step++) {
        if (!step_again(ik, p, goals, pose, component)) break;
        double energy = stand_and_weigh(ik, p, goals, pose, component);
        if (!(energy < least)) break;
        memcpy(p->best, p->x, size);
        least = energy;
    }
    memcpy(p->x, p->best, size);
}

void snw__ik_prior_approach(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    const snw__ik_prior *p = ik->prior;
    double least = INFINITY;
    if (p->goal_count == 0) return;
    prior_put_targets(ik, p, goals, snw_xform_inverse(pose->root));
    int component = choose(ik, p, goals, pose, &least);
    if (component < 0) {
        snw__ik_snapshot_restore(&ik->given, pose);
        snw_pose_forward(pose);
        return;
    }
    follow(ik, p, goals, pose, component, least);
    /* What the steps changed counts by the component's share. */
    for (int n = 0; n < p->idle_count; n++) {
        int k = p->idle[n];
        p->blend[k] += p->share[component] * (p->x[k] - expected(p, component, k));
    }
    snw_style_pose(p->style, p->idle_of, p->blend, pose);
    stand(ik, p, p->x, pose);
}
