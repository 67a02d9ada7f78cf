/* Symmetric 3x3 matrices. */
#include "math/symmetric3.h"

#include <string.h>

#include <sinew/dense.h>

snw__spectrum3 snw__spectrum3_of(snw_mat3 symmetric)
{
    snw__spectrum3 spectrum = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double vectors[9];
    /* Fails only for entries that are not finite, which sums of finite points may be after
     * overflow: the zero spectrum then says "no motion". */
    if (snw_eigen_symmetric(&symmetric.m[0][0], 3, spectrum.value, vectors) != SNW_OK) {
        memset(spectrum.value, 0, sizeof spectrum.value);
        return spectrum;
    }
    for (int i = 0; i < 2; i++)
        spectrum.vector[i] = snw_vec3_make(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
    spectrum.vector[2] = snw_vec3_cross(spectrum.vector[0], spectrum.vector[1]);
    return spectrum;
}

void snw__add_outer(snw_mat3 *a, double s, snw_vec3 v)
{
    double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a->m[i][j] += s * x[i] * x[j];
}

double snw__mat3_trace(snw_mat3 a)
{
    return a.m[0][0] + a.m[1][1] + a.m[2][2];
}

double snw__condition(double largest, double smallest)
{
    return smallest > largest / SNW__CONDITION_MAX ? largest / smallest : SNW__CONDITION_MAX;
}
