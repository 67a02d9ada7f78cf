/* Symmetric matrices over the coordinates; see system_matrix.h. */
#include "ik/core/system_matrix.h"

#include <string.h>

#include "math/kernel.h"

double *snw__ik_matrix_layout(size_t columns, snw__block *block)
{
    return snw__block_take(block, columns * (columns + 1) / 2, sizeof(double));
}

snw__ik_pattern *snw__ik_pattern_layout(size_t rows, size_t columns, snw__block *block)
{
    snw__ik_pattern fields = {0};
    if (columns > SNW__IK_MATRIX_COLUMNS) return NULL;
    snw__ik_pattern *pattern = snw__block_take(block, 1, sizeof *pattern);
    fields.depth = snw__block_take(block, columns, sizeof(int));
    fields.first = snw__block_take(block, columns, sizeof(int));
    fields.column = snw__block_take(block, columns * (columns + 1) / 2, sizeof(int));
    fields.row_tip = snw__block_take(block, rows, sizeof(int));
    if (pattern) *pattern = fields;
    return pattern;
}

/* ---- which entries there are ------------------------------------------------------------------
 */

/* Of the three paths of a goal the one that holds the others; -1 when none does. */
static int longest_path(const snw__ik_system *system, const snw__ik_path *path)
{
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (path[k].count > path[longest].count) longest = k;
    const int *column = &system->path_column[path[longest].first];
    for (int k = 0; k < 3; k++)
        if (memcmp(&system->path_column[path[k].first], column,
                   (size_t)path[k].count * sizeof(int)) != 0)
            return -1;
    return longest;
}

static bool couples_limbs(const snw__ik_system *system)
{
    if (system->ik->skeleton->pin_count > 0 || system->link_count > 0) return true;
    for (int i = 0; i < system->ik->goal_count; i++)
        if (longest_path(system, &system->path[3 * i]) < 0) return true;
    return false;
}

static int start_row(snw__ik_pattern *pattern, int column, int depth)
{
    pattern->depth[column] = depth;
    pattern->first[column] = pattern->entry_count;
    pattern->entry_count += depth + 1;
    return pattern->first[column];
}

void snw__ik_pattern_plan(snw__ik_system *system)
{
    snw__ik_pattern *pattern = system->pattern;
    const snw_ik *ik = system->ik;
    int *row_tip = pattern->row_tip;
    pattern->entry_count = 0;
    if (couples_limbs(system)) {
        for (int c = 0; c < system->column_count; c++) {
            int first = start_row(pattern, c, c);
            for (int k = 0; k <= c; k++)
                pattern->column[first + k] = k;
        }
        for (int k = 0; k < system->row_count; k++)
            pattern->row_tip[k] = system->column_count - 1;
        return;
    }
    for (int c = 0; c < system->column_count; c++)
        pattern->depth[c] = -1;
    for (int i = 0; i < ik->goal_count; i++) {
        const snw__ik_path *path =
            &system->path[3 * i + longest_path(system, &system->path[3 * i])];
        const int *column = &system->path_column[path->first];
        for (int l = 0; l < path->count; l++) {
            if (pattern->depth[column[l]] >= 0) continue;
            memcpy(&pattern->column[start_row(pattern, column[l], l)], column,
                   ((size_t)l + 1) * sizeof(int));
        }
        snw__ik_rows rows = snw__ik_goal_rows(ik, &ik->goal[i]);
        for (int k = 0; k < rows.offset + rows.turn; k++)
            *row_tip++ = path->count > 0 ? column[path->count - 1] : -1;
    }
}

/* ---- sums and products ------------------------------------------------------------------------
 */

void snw__ik_matrix_add_rows(const snw__ik_system *system, double scale, double *m)
{
    const snw__ik_pattern *pattern = system->pattern;
    double moved[SNW__IK_MATRIX_COLUMNS];
    for (int i = 0; i < system->live_count; i++) {
        int k = system->live[i], tip = pattern->row_tip[k];
        if (tip < 0) continue;
        const double *row = &system->jacobian[snw__entries(k, system->column_count)];
        const int *column = &pattern->column[pattern->first[tip]];
        for (int p = 0; p <= pattern->depth[tip]; p++) {
            double *to = &m[pattern->first[column[p]]], factor = scale * row[column[p]];
            moved[p] = row[column[p]];
            for (int q = 0; q <= p && factor != 0; q++)
                to[q] += factor * moved[q];
        }
    }
}

void snw__ik_matrix_multiply(const snw__ik_system *system, const double *m, const double *v,
                             double *out)
{
    const snw__ik_pattern *pattern = system->pattern;
    for (int c = 0; c < system->column_count; c++) {
        const double *row = &m[pattern->first[c]];
        const int *column = &pattern->column[pattern->first[c]];
        int depth = pattern->depth[c];
        double sum = row[depth] * v[c];
        for (int p = 0; p < depth; p++) {
            sum += row[p] * v[column[p]];
            out[column[p]] += row[p] * v[c];
        }
        out[c] = sum;
    }
}

/* ---- limits -----------------------------------------------------------------------------------
 */

/* Takes the unit vector u (3) out of v[0], v[stride], v[2 * stride]. */
static void take_out3(double *v0, double *v1, double *v2, const double *u)
{
    double along = *v0 * u[0] + *v1 * u[1] + *v2 * u[2];
    *v0 -= along * u[0];
    *v1 -= along * u[1];
    *v2 -= along * u[2];
}

/* Is the column on the way from the root to `below`? */
static bool is_above(const snw__ik_pattern *pattern, int column, int below)
{
    int depth = pattern->depth[column];
    return depth < pattern->depth[below] &&
           pattern->column[pattern->first[below] + depth] == column;
}

/* B = (I - u u^T) B (I - u u^T) + u u^T for the block of a ball on the diagonal. */
static void hold_in_block(double *const row[3], int depth, const double u[3])
{
    double b[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            b[r][c] = r >= c ? row[r][depth + c] : row[c][depth + r];
    for (int r = 0; r < 3; r++)
        take_out3(&b[r][0], &b[r][1], &b[r][2], u);
    for (int c = 0; c < 3; c++)
        take_out3(&b[0][c], &b[1][c], &b[2][c], u);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c <= r; c++)
            row[r][depth + c] = b[r][c] + u[r] * u[c];
}

static void hold_normal(const snw__ik_system *system, int first, snw_vec3 normal, double *m)
{
    const snw__ik_pattern *pattern = system->pattern;
    const double u[3] = {normal.x, normal.y, normal.z};
    int depth = pattern->depth[first];
    double *const row[3] = {&m[pattern->first[first]], &m[pattern->first[first + 1]],
                            &m[pattern->first[first + 2]]};
    for (int p = 0; p < depth; p++)
        take_out3(&row[0][p], &row[1][p], &row[2][p], u);
    hold_in_block(row, depth, u);
    for (int r = first + 3; r < system->column_count; r++) {
        double *entry = &m[pattern->first[r] + depth];
        if (is_above(pattern, first, r)) take_out3(entry, entry + 1, entry + 2, u);
    }
}

void snw__ik_matrix_project(const snw__ik_system *system, double *m)
{
    for (int i = 0; i < system->mover_count; i++) {
        const snw__ik_mover *mover = &system->mover[i];
        for (int c = mover->column_first; c < mover->column_first + mover->column_count; c++)
            if (system->is_held[c]) {
                const snw__ik_pattern *pattern = system->pattern;
                int depth = pattern->depth[c];
                double *own = &m[pattern->first[c]];
                memset(own, 0, (size_t)depth * sizeof *own);
                own[depth] = 1;
                for (int r = c + 1; r < system->column_count; r++)
                    if (is_above(pattern, c, r)) m[pattern->first[r] + depth] = 0;
            }
        for (int k = 0; k < mover->normal_count; k++)
            hold_normal(system, mover->column_first, mover->normal[k], m);
    }
}

/* ---- factor -----------------------------------------------------------------------------------
 */

/* m = L^T D L with L unit and lower, from the last column to the first; rows hold L, and 1 / D. */
bool snw__ik_matrix_factor(const snw__ik_system *system, double *m, double least)
{
    const snw__ik_pattern *pattern = system->pattern;
    double on, beside;
    bool is_definite = true;
    /* Largest entries on and beside the diagonal, by size. */
    on = beside = 0;
    for (int c = 0; c < system->column_count; c++) {
        const double *row = &m[pattern->first[c]];
        for (int p = 0; p < pattern->depth[c]; p++)
            if (fabs(row[p]) > beside) beside = fabs(row[p]);
        if (fabs(row[pattern->depth[c]]) > on) on = fabs(row[pattern->depth[c]]);
    }
    /* 1e-300: a matrix of nothing. */
    double bound = fmax(fmax(on, beside / (system->column_count + 1)), 1e-300);
    for (int c = system->column_count - 1; c >= 0; c--) {
        double *row = &m[pattern->first[c]], largest = 0;
        const int *column = &pattern->column[pattern->first[c]];
        int depth = pattern->depth[c];
        for (int p = 0; p < depth; p++)
            if (fabs(row[p]) > largest) largest = fabs(row[p]);
        double pivot = row[depth], needed = fmax(largest * largest / bound, least * bound);
        /* 1e-9: a definite matrix has no smaller pivot than that but for round-off. */
        if (!(pivot >= (1 - 1e-9) * needed)) {
            is_definite = false;
            pivot = fmax(fabs(pivot), needed);
        }
        double inverse = 1 / pivot;
        for (int p = 0; p < depth; p++) {
            double *to = &m[pattern->first[column[p]]], factor = row[p] * inverse;
            for (int q = 0; q <= p && factor != 0; q++)
                to[q] -= factor * row[q];
        }
        for (int p = 0; p < depth; p++)
            row[p] *= inverse;
        row[depth] = inverse;
    }
    return is_definite;
}

void snw__ik_matrix_solve_in(const snw__ik_system *system, const double *factor, double *v)
{
    const snw__ik_pattern *pattern = system->pattern;
    for (int c = system->column_count - 1; c >= 0; c--) {
        const double *row = &factor[pattern->first[c]];
        const int *column = &pattern->column[pattern->first[c]];
        for (int p = 0; p < pattern->depth[c]; p++)
            v[column[p]] -= row[p] * v[c];
    }
}

void snw__ik_matrix_solve_path_in(const snw__ik_system *system, const double *factor, int tip,
                                  double *y)
{
    const snw__ik_pattern *pattern = system->pattern;
    const int *column = &pattern->column[pattern->first[tip]];
    for (int p = pattern->depth[tip]; p > 0; p--) {
        const double *row = &factor[pattern->first[column[p]]];
        for (int q = 0; q < p; q++)
            y[q] -= row[q] * y[p];
    }
}

void snw__ik_matrix_solve_out(const snw__ik_system *system, const double *factor, double *v)
{
    const snw__ik_pattern *pattern = system->pattern;
    for (int c = 0; c < system->column_count; c++) {
        const double *row = &factor[pattern->first[c]];
        const int *column = &pattern->column[pattern->first[c]];
        double sum = row[pattern->depth[c]] * v[c];
        for (int p = 0; p < pattern->depth[c]; p++)
            sum -= row[p] * v[column[p]];
        v[c] = sum;
    }
}

void snw__ik_matrix_solve(const snw__ik_system *system, const double *factor, double *v)
{
    snw__ik_matrix_solve_in(system, factor, v);
    snw__ik_matrix_solve_out(system, factor, v);
}
