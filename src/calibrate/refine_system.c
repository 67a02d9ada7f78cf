/* Normal equations with the poses eliminated; see the header. */
#include "calibrate/refine_system.h"

#include <string.h>

static size_t unknown_count(const snw__refine_system *system)
{
    return (size_t)system->pose_count + (size_t)system->constant_count;
}

/* A row of the matrix ends with the right side. */
static size_t stride_of(const snw__refine_system *system)
{
    return unknown_count(system) + 1;
}

void snw__refine_system_lay_out(snw__refine_system *system, snw__block *block)
{
    size_t all = unknown_count(system);
    system->matrix = snw__block_take(block, snw__size_mul(all, all + 1), sizeof(double));
    system->list = snw__block_take(block, all + 1, sizeof(int));
    system->term = snw__block_take(block, all, sizeof(int));
    system->moves = snw__block_take(block, all, sizeof(snw_vec3));
}

void snw__refine_system_clear(snw__refine_system *system)
{
    memset(system->matrix, 0, unknown_count(system) * stride_of(system) * sizeof(double));
    system->term_count = 0;
}

void snw__refine_system_begin_frame(snw__refine_system *system)
{
    memset(system->matrix, 0, (size_t)system->pose_count * stride_of(system) * sizeof(double));
    system->term_count = 0;
}

void snw__refine_system_term(snw__refine_system *system, int first, const snw_mat3 *by)
{
    for (int k = 0; k < 3; k++) {
        system->term[system->term_count] = first + k;
        system->moves[system->term_count++] = snw_vec3_make(by->m[0][k], by->m[1][k], by->m[2][k]);
    }
}

void snw__refine_system_add(snw__refine_system *system, double weight, snw_vec3 residual)
{
    size_t stride = stride_of(system);
    for (int a = 0; a < system->term_count; a++) {
        double *row = system->matrix + (size_t)system->term[a] * stride;
        snw_vec3 pull = snw_vec3_scale(system->moves[a], weight);
        for (int b = a; b < system->term_count; b++)
            row[system->term[b]] += snw_vec3_dot(pull, system->moves[b]);
        row[stride - 1] += snw_vec3_dot(pull, residual);
    }
    system->term_count = 0;
}

void snw__refine_system_end_frame(snw__refine_system *system, double damping)
{
    size_t stride = stride_of(system);
    for (int k = 0; k < system->pose_count; k++) {
        const double *pivot = system->matrix + (size_t)k * stride;
        double inverse = 1 / (pivot[k] + damping);
        /* First columns of the threes, from that of column `first` on, in which the row is not
         * zero. */
        int first = k + 1;
        int count = 0, end = (int)unknown_count(system);
        for (int column = first - first % 3; column < end; column += 3)
            if (pivot[column] != 0 || pivot[column + 1] != 0 || pivot[column + 2] != 0)
                system->list[count++] = column;
        for (int a = 0; a < count; a++)
            for (int column = system->list[a]; column < system->list[a] + 3; column++)
                if (column > k && pivot[column] != 0) {
                    /* Takes `factor` times the pivot's row from that of `column`, which is in the
                     * ath of the threes. */
                    double factor = pivot[column] * inverse;
                    double *row = system->matrix + (size_t)column * stride_of(system);
                    const int *list = system->list;
                    for (int own = column; own < list[a] + 3; own++)
                        row[own] -= factor * pivot[own];
                    for (int b = a + 1; b < count; b++) {
                        const double *from = pivot + list[b];
                        double *to = row + list[b];
                        double x = to[0] - factor * from[0], y = to[1] - factor * from[1];
                        to[2] -= factor * from[2];
                        to[0] = x;
                        to[1] = y;
                    }
                    size_t right = unknown_count(system);
                    row[right] -= factor * pivot[right];
                }
    }
}
