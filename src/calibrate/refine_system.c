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

/* Columns from `first` on in which the row is not zero. */
static int list_columns(const snw__refine_system *system, const double *row, int first)
{
    int count = 0, end = (int)stride_of(system);
    for (int column = first; column < end; column++)
        if (row[column] != 0) system->list[count++] = column;
    return count;
}

void snw__refine_system_end_frame(snw__refine_system *system, double damping)
{
    size_t stride = stride_of(system);
    int right = (int)stride - 1;
    for (int k = 0; k < system->pose_count; k++) {
        const double *pivot = system->matrix + (size_t)k * stride;
        double inverse = 1 / (pivot[k] + damping);
        int count = list_columns(system, pivot, k + 1);
        const int *list = system->list;
        for (int a = 0; a < count && list[a] < right; a++) {
            double *row = system->matrix + (size_t)list[a] * stride;
            double factor = pivot[list[a]] * inverse;
            for (int b = a; b < count; b++)
                row[list[b]] -= factor * pivot[list[b]];
        }
    }
}
