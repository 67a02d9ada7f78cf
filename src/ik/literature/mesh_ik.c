/* MESH-IK (Sumner, Zwicker, Gotsman & Popovic 2005) on postures: the answer is to be like a mixture
 * of examples. The examples are those that a style keeps (sinew/style.h): the means m_k of its
 * components and, of the one that is nearest to the goals, the ends of its principal axes. Their
 * features are joint coordinates, in which mixtures of turns are turns again:
 *
 *     x(w) = m_b + sum w_k (m_k - m_b) + sum w_i deviation_i direction_i,   min_w |r(x(w))|^2
 *
 * by damped Gauss-Newton steps in w, slopes by differences. What the mixture leaves of the goals
 * the body gives way for by as little as it can: Levenberg-Marquardt (lm.c) from there. */
#include <sinew/dense.h>
#include <string.h>

#include "base/fail.h"
#include "ik/core/descend.h"

extern const snw__ik_method snw__ik_lm; /* ik/core/lm.c */

typedef struct ik_mesh {
    int example_count; /* means, then axes */
    int nearest;       /* component */
    int feature_count;
    int *joint_of;    /* (joints of the style) */
    double *w, *next; /* (example_count) */
    double *features; /* (feature_count) */
    double *residual; /* (row_count) of the mixture */
    double *jacobian; /* (example_count x row_count) */
    double *normal;   /* (example_count x example_count) */
    double *right;    /* (example_count) */
    snw__ik_snapshot given;
} ik_mesh;

static snw_status mesh_check(const snw_ik *ik, snw_error *error)
{
    if (ik->options.style) return SNW_OK;
    return snw__fail(error, SNW_UNSUPPORTED, "mesh-ik mixes the examples of a style: give one");
}

static void *mesh_layout(const snw_ik *ik, snw__block *block)
{
    const snw_style *style = ik->options.style;
    size_t k = (size_t)style->component_count + (size_t)style->dimension_count;
    size_t rows = 6 * (size_t)ik->goal_count + 3 * (size_t)ik->skeleton->pin_count;
    ik_mesh *mesh = snw__block_take(block, 1, sizeof *mesh);
    ik_mesh fields = {.example_count = style->component_count + style->dimension_count,
                      .feature_count = style->feature_count};
    fields.joint_of = snw__block_take(block, (size_t)style->joint_count, sizeof *fields.joint_of);
    fields.w = snw__block_take(block, k, sizeof(double));
    fields.next = snw__block_take(block, k, sizeof(double));
    fields.features = snw__block_take(block, (size_t)style->feature_count, sizeof(double));
    fields.residual = snw__block_take(block, rows, sizeof(double));
    fields.jacobian = snw__block_take(block, k * rows, sizeof(double));
    fields.normal = snw__block_take(block, k * k, sizeof(double));
    fields.right = snw__block_take(block, k, sizeof(double));
    snw__ik_snapshot_layout(&fields.given, (size_t)ik->skeleton->joint_count, block);
    if (!mesh) return NULL;
    (void)snw_style_match(style, ik->skeleton, fields.joint_of);
    *mesh = fields;
    return mesh;
}

/* The mixture w as a pose, measured; joints that the style does not know stay as given. */
static double mix(const snw_ik *ik, ik_mesh *mesh, const double *w, const snw_goal *goals,
                  snw_pose *pose)
{
    const snw_style *style = ik->options.style;
    int features = mesh->feature_count, means = style->component_count, b = mesh->nearest;
    int axes = style->dimension_count;
    const double *mean = &style->mean[b * features];
    memcpy(mesh->features, mean, (size_t)features * sizeof(double));
    for (int k = 0; k < means; k++)
        for (int f = 0; f < features; f++)
            mesh->features[f] += w[k] * (style->mean[k * features + f] - mean[f]);
    for (int i = 0; i < axes; i++) {
        double amount = w[means + i] * style->deviation[b * axes + i];
        const double *direction = &style->direction[(b * axes + i) * features];
        for (int f = 0; f < features; f++)
            mesh->features[f] += amount * direction[f];
    }
    snw__ik_snapshot_restore(&mesh->given, pose);
    snw_style_pose(ik->options.style, mesh->joint_of, mesh->features, pose);
    (void)snw__ik_apply_limits(ik, pose);
    snw_pose_forward(pose);
    snw__ik_system_measure(ik->system, goals, pose);
    return ik->system->energy;
}

/* Begins with the mean whose goals are nearest. */
static double take_nearest(const snw_ik *ik, ik_mesh *mesh, const snw_goal *goals, snw_pose *pose)
{
    double least = INFINITY;
    int nearest = 0;
    memset(mesh->w, 0, (size_t)mesh->example_count * sizeof(double));
    for (int k = 0; k < ik->options.style->component_count; k++) {
        mesh->nearest = k;
        double energy = mix(ik, mesh, mesh->w, goals, pose);
        if (energy < least) nearest = k;
        least = fmin(least, energy);
    }
    mesh->nearest = nearest;
    return mix(ik, mesh, mesh->w, goals, pose);
}

static void fill_slopes(const snw_ik *ik, ik_mesh *mesh, const snw_goal *goals, snw_pose *pose)
{
    const double h = SNW__SINGLE; /* far above round-off, far below a model's range */
    int rows = ik->system->row_count;
    memcpy(mesh->residual, ik->system->residual, (size_t)rows * sizeof(double));
    for (int k = 0; k < mesh->example_count; k++) {
        double *slope = &mesh->jacobian[(size_t)k * (size_t)rows];
        memcpy(mesh->next, mesh->w, (size_t)mesh->example_count * sizeof(double));
        mesh->next[k] += h;
        (void)mix(ik, mesh, mesh->next, goals, pose);
        for (int i = 0; i < rows; i++)
            slope[i] = (mesh->residual[i] - ik->system->residual[i]) / h;
    }
}

/* (J^T J + lambda I) step = J^T r in w. False when it cannot be solved. */
static bool find_step(const snw_ik *ik, ik_mesh *mesh, double lambda)
{
    int rows = ik->system->row_count, n = mesh->example_count;
    for (int a = 0; a < n; a++) {
        const double *slope = &mesh->jacobian[(size_t)a * (size_t)rows];
        mesh->right[a] = snw__ik_dot(slope, mesh->residual, rows);
        for (int b = 0; b < n; b++)
            mesh->normal[a * n + b] =
                snw__ik_dot(slope, &mesh->jacobian[(size_t)b * (size_t)rows], rows) +
                (a == b ? lambda : 0);
    }
    return snw_cholesky_factor(mesh->normal, n) == SNW_OK &&
           snw_cholesky_solve(mesh->normal, n, mesh->right) == SNW_OK;
}

static int mix_examples(const snw_ik *ik, ik_mesh *mesh, const snw_goal *goals, snw_pose *pose)
{
    double energy = take_nearest(ik, mesh, goals, pose), lambda = SNW__IK_DAMPING_FIRST;
    int iteration = 0, refused = 0;
    while (iteration < ik->options.iteration_max / 2 && ik->system->excess > 1 &&
           refused < SNW__IK_ROUNDS) {
        fill_slopes(ik, mesh, goals, pose);
        iteration++;
        if (!find_step(ik, mesh, lambda)) break;
        for (int k = 0; k < mesh->example_count; k++)
            mesh->next[k] = mesh->w[k] + mesh->right[k];
        double after = mix(ik, mesh, mesh->next, goals, pose);
        bool is_better = after < (1 - SNW__IK_STALL) * energy;
        lambda *= is_better ? 1.0 / SNW__IK_DAMPING_FACTOR : SNW__IK_DAMPING_FACTOR;
        refused = is_better ? 0 : refused + 1;
        if (is_better) memcpy(mesh->w, mesh->next, (size_t)mesh->example_count * sizeof(double));
        energy = mix(ik, mesh, mesh->w, goals, pose);
    }
    return iteration;
}

static snw__ik_report mesh_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                 snw_pose *pose)
{
    ik_mesh *mesh = state;
    snw__ik_system_measure(ik->system, goals, pose);
    if (ik->system->excess <= 1)
        return (snw__ik_report){.outcome = SNW_IK_REACHED, .solver = SNW_IK_MESH_IK};
    snw__ik_snapshot_take(&mesh->given, pose);
    int taken = mix_examples(ik, mesh, goals, pose);
    snw_ik rest = *ik;
    rest.options.iteration_max -= taken;
    snw__ik_report report = snw__ik_lm.solve(&rest, NULL, goals, pose);
    report.iterations += taken;
    report.solver = SNW_IK_MESH_IK;
    return report;
}

const snw__ik_method snw__ik_mesh_ik = {.solver = SNW_IK_MESH_IK,
                                        .uses_system = true,
                                        .check = mesh_check,
                                        .layout = mesh_layout,
                                        .solve = mesh_solve};
