/* Two segments that a bone with a ball joint at either end keeps apart.
 *
 * Each end is fixed in its own segment and the bone has one length, so in every frame
 *
 *     | B b + t_b - (A a + t_a) | = l.
 *
 * a, b and l are expected with normal errors; frames that bend the chain add what they tell of all
 * three. Least squares by Gauss-Newton; wild frames are weighed down. */
#include "calibrate/ball_link.h"

#include <string.h>

#include <sinew/dense.h>

#include "calibrate/calibrate_constants.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "person/movement.h"

enum {
    LINK_SIZE = 7
};

static void get_unknowns(const snw__ball_link *link, double x[LINK_SIZE])
{
    for (int k = 0; k < 2; k++) {
        x[3 * k] = link->end[k].x;
        x[3 * k + 1] = link->end[k].y;
        x[3 * k + 2] = link->end[k].z;
    }
    x[6] = link->length;
}

/* How the distance of the ends changes with the unknowns; returns how far it is off. */
static double look_at(const snw__ball_link_frame *frame, const snw__ball_link *link,
                      double row[LINK_SIZE])
{
    snw_vec3 from = snw_xform_point(frame->first, link->end[0]);
    snw_vec3 way = snw_vec3_sub(snw_xform_point(frame->second, link->end[1]), from);
    snw_vec3 along = snw_vec3_unit(way, snw_vec3_make(0, 0, 0));
    snw_vec3 first = snw_quat_unrotate(frame->first.rotation, snw_vec3_neg(along));
    snw_vec3 second = snw_quat_unrotate(frame->second.rotation, along);
    const double all[LINK_SIZE] = {first.x, first.y, first.z, second.x, second.y, second.z, -1};
    memcpy(row, all, sizeof all);
    return snw_vec3_length(way) - link->length;
}

/* The largest standard deviation of three unknowns from `first`, of factored equations. */
static double worst_deviation(const double *factor, int first)
{
    snw_mat3 covariance;
    for (int k = 0; k < 3; k++) {
        double x[LINK_SIZE] = {0};
        x[first + k] = 1;
        if (snw_cholesky_solve(factor, LINK_SIZE, x) != SNW_OK) return 0;
        for (int i = 0; i < 3; i++)
            covariance.m[i][k] = x[first + i];
    }
    return sqrt(fmax(snw__spectrum3_of(covariance).value[0], 0));
}

void snw__ball_link_fit(const snw__ball_link_frame *frame, int count, snw__ball_link *link)
{
    const snw__ball_link expected = *link;
    double normal[LINK_SIZE * LINK_SIZE];
    for (int round = 0; round < LINK_ROUNDS; round++) {
        double step[LINK_SIZE] = {0}, x[LINK_SIZE];
        memset(normal, 0, sizeof normal);
        if (count > 0) {
            /* Normal equations (lower triangle) and their right side. */
            double information =
                fmin(1, (double)LINK_WORTH / count) / ((SNW__SKIN / 2) * (SNW__SKIN / 2));
            for (int f = 0; f < count; f++) {
                double row[LINK_SIZE], off = look_at(frame + f, link, row);
                /* The outlier scale in such noises, as the tracker has it. */
                double far = off / (SNW__OUTLIER * (SNW__SKIN / 2));
                if (!(fabs(far) < HUGE_VAL)) continue;
                double weight = information * snw__geman_mcclure_weight(far * far);
                for (int i = 0; i < LINK_SIZE; i++) {
                    step[i] -= weight * row[i] * off;
                    for (int k = 0; k <= i; k++)
                        normal[i * LINK_SIZE + k] += weight * row[i] * row[k];
                }
            }
        }
        double was[LINK_SIZE], now[LINK_SIZE];
        get_unknowns(&expected, was);
        get_unknowns(link, now);
        for (int i = 0; i < LINK_SIZE; i++) {
            double deviation = i < 6 ? expected.deviation[i / 3] : expected.length_deviation;
            normal[i * (LINK_SIZE + 1)] += 1 / (deviation * deviation);
            step[i] += (was[i] - now[i]) / (deviation * deviation);
        }
        if (snw_cholesky_factor(normal, LINK_SIZE) != SNW_OK ||
            snw_cholesky_solve(normal, LINK_SIZE, step) != SNW_OK)
            break; /* not finite: what was expected stays */
        get_unknowns(link, x);
        for (int i = 0; i < LINK_SIZE; i++)
            x[i] += step[i];
        for (int k = 0; k < 2; k++)
            link->end[k] = snw_vec3_make(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
        link->length = x[6];
    }
    if (!snw_vec3_is_finite(link->end[0]) || !snw_vec3_is_finite(link->end[1]) ||
        !(link->length > 0)) {
        *link = expected;
        return;
    }
    for (int k = 0; k < 2; k++)
        link->deviation[k] = worst_deviation(normal, 3 * k);
}
