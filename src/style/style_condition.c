/* The conditional mean and variance of a mixture, made to be asked for in every frame.
 *
 * Component c has poses m + B^T z with z ~ N(0, I) and noise n. Of features k that are not known
 *
 *     E = m_k + b_k . E[z],    var = n^2 + v b_k^T A^-1 b_k,    A = v I + B B^T over the known ones
 *
 * with v = n^2 and what another body differs by. A depends on which features are known, not on what
 * they are, so a frame costs two products with B and two triangular solves for each component.
 *
 * Components count by the power 1 / STYLE_LIKE of how well they explain the known features: dozens
 * of features of one pose depend on each other more than a few directions tell, and a posterior
 * that is too sure jumps from one component to the next between two frames. */
#include "style/style_condition.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "style/style_constants.h"

void snw__style_condition_lay_out(snw__style_condition *condition, snw__block *block)
{
    const snw_style *style = condition->style;
    size_t components = (size_t)style->component_count, n = (size_t)style->feature_count;
    size_t q = (size_t)style->dimension_count;
    condition->is_known = snw__block_take(block, n, sizeof *condition->is_known);
    condition->factor =
        snw__block_take(block, snw__size_mul(components, q * q), sizeof *condition->factor);
    condition->base = snw__block_take(block, components, sizeof *condition->base);
    condition->z = snw__block_take(block, components * q, sizeof *condition->z);
    condition->share = snw__block_take(block, components, sizeof *condition->share);
    condition->variance =
        snw__block_take(block, snw__size_mul(components, n), sizeof *condition->variance);
}

bool snw__style_condition_know(snw__style_condition *condition, const bool *is_known)
{
    const snw_style *style = condition->style;
    size_t n = (size_t)style->feature_count, q = (size_t)style->dimension_count;
    if (condition->has_factor && memcmp(condition->is_known, is_known, n * sizeof *is_known) == 0)
        return false;
    memcpy(condition->is_known, is_known, n * sizeof *is_known);
    snw__style_known known = {condition->is_known, NULL, STYLE_OTHER * STYLE_OTHER};
    for (int c = 0; c < style->component_count; c++) {
        condition->base[c] =
            snw__style_factor(style, c, &known, condition->factor + (size_t)c * q * q);
        if (condition->base[c] > -INFINITY) {
            /* n^2 + v b^T A^-1 b for every feature that is not known. */
            int width = style->feature_count, rank = style->dimension_count;
            const double *factor = condition->factor + (size_t)c * (size_t)(rank * rank);
            const double *deviation = style->deviation + (size_t)c * (size_t)rank;
            const double *rows = style->direction + (size_t)c * (size_t)rank * (size_t)width;
            double noise2 = style->noise[c] * style->noise[c];
            double b[SNW_STYLE_DIMENSION_MAX], solved[SNW_STYLE_DIMENSION_MAX];
            for (int k = 0; k < width; k++) {
                double *variance = condition->variance + (size_t)c * (size_t)width + (size_t)k,
                       sum = 0;
                *variance = 0;
                if (condition->is_known[k]) continue;
                for (int i = 0; i < rank; i++)
                    b[i] = sqrt(fmax(0, deviation[i] * deviation[i] - noise2)) *
                           rows[(size_t)i * (size_t)width + (size_t)k];
                memcpy(solved, b, (size_t)rank * sizeof *b);
                if (snw_cholesky_solve(factor, rank, solved) != SNW_OK)
                    memset(solved, 0, sizeof solved);
                for (int i = 0; i < rank; i++)
                    sum += b[i] * solved[i];
                *variance = noise2 + (noise2 + STYLE_OTHER * STYLE_OTHER) * sum;
            }
        }
    }
    condition->has_factor = true;
    return true;
}

void snw__style_condition_mean(snw__style_condition *condition, const double *features,
                               double *mean, double *variance)
{
    const snw_style *style = condition->style;
    int n = style->feature_count, q = style->dimension_count;
    /* z and share of every component. */
    size_t rank = (size_t)style->dimension_count;
    snw__style_known known = {condition->is_known, features, STYLE_OTHER * STYLE_OTHER};
    double most = -INFINITY, total = 0;
    for (int c = 0; c < style->component_count; c++) {
        condition->share[c] = -INFINITY;
        if (condition->base[c] == -INFINITY) continue;
        double told =
            snw__style_latent(style, c, &known, condition->factor + (size_t)c * rank * rank,
                              condition->z + (size_t)c * rank);
        condition->share[c] = snw__log(style->weight[c]) + (told + condition->base[c]) / STYLE_LIKE;
        most = fmax(most, condition->share[c]);
    }
    for (int c = 0; c < style->component_count; c++) {
        condition->share[c] =
            condition->share[c] > -INFINITY ? snw__exp(condition->share[c] - most) : 0;
        total += condition->share[c];
    }
    /* Where no component has a say, each has the one it has of all poses. */
    for (int c = 0; c < style->component_count; c++)
        condition->share[c] = total > 0 ? condition->share[c] / total : style->weight[c];
    if (!(total > 0))
        memset(condition->z, 0, (size_t)style->component_count * rank * sizeof *condition->z);
    for (int k = 0; k < n; k++) {
        double sum = 0, square = 0;
        if (variance) variance[k] = 0;
        mean[k] = features[k];
        if (condition->is_known[k]) continue;
        for (int c = 0; c < style->component_count; c++) {
            double share = condition->share[c];
            if (!(share > 0)) continue;
            double value = snw__style_expected(style, c, condition->z + (size_t)c * (size_t)q, k);
            sum += share * value;
            square +=
                share * (value * value + condition->variance[(size_t)c * (size_t)n + (size_t)k]);
        }
        mean[k] = sum;
        if (variance) variance[k] = fmax(0, square - sum * sum);
    }
}
