/* All twelve Euler orders both ways, through one matrix routine.
 *
 * With axes (i, j, k) and R = R_i(a) R_j(b) R_l(c), l = k for three different axes, l = i for a
 * repeated one, the matrix written in the permuted basis (i, j, k) has the textbook form of XYZ or
 * XYX; an odd permutation flips the sign of all angles. So two formulas serve all orders (after
 * Shoemake, "Euler angle conversion", Graphics Gems IV, 1994). */
#include <sinew/math.h>

#include "base/elementary.h"
#include "math/tolerance.h"

static const unsigned char euler_axes[SNW_EULER_ORDER_COUNT][3] = {
    {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0},
    {0, 1, 0}, {0, 2, 0}, {1, 0, 1}, {1, 2, 1}, {2, 0, 2}, {2, 1, 2},
};

void snw_euler_axes(snw_euler_order order, int axes[3])
{
    unsigned row = (unsigned)order < SNW_EULER_ORDER_COUNT ? (unsigned)order : 0;
    for (int n = 0; n < 3; n++)
        axes[n] = euler_axes[row][n];
}

static snw_quat turn_about(int axis, double angle)
{
    double s = snw__sin(0.5 * angle);
    return snw_quat_make(snw__cos(0.5 * angle), axis == 0 ? s : 0, axis == 1 ? s : 0,
                         axis == 2 ? s : 0);
}

snw_quat snw_quat_from_euler(snw_euler_order order, const double angles[3])
{
    int axes[3];
    snw_euler_axes(order, axes);
    return snw_quat_mul(
        snw_quat_mul(turn_about(axes[0], angles[0]), turn_about(axes[1], angles[1])),
        turn_about(axes[2], angles[2]));
}

/* Near lock the first angle is noisy, its error divided by the cosine (or sine) of the second. The
 * third is therefore taken from Rx(-a) R, not from R: whatever a became, the three angles together
 * give R back to round-off. */

/* R = Rx(a) Ry(b) Rz(c): r02 = sin b, r12 = -sin a cos b, r22 = cos a cos b; row 1 of Rx(-a) R is
 * (sin c, cos c, 0). */
static bool three_axes(double r[3][3], double angles[3])
{
    double cos_b = snw__hypot(r[1][2], r[2][2]);
    /* sin or cos of the middle angle below which the outer two axes coincide. Leaving the third
     * angle out costs at most this much of the rotation; twenty times above what a lock written as
     * exactly 90 degrees and passed through a chain of products comes back with. */
    bool is_locked = cos_b <= SNW__ROUND_OFF;
    angles[0] = is_locked ? snw__atan2(r[2][1], r[1][1]) : snw__atan2(-r[1][2], r[2][2]);
    angles[1] = snw__atan2(r[0][2], cos_b);
    double s = snw__sin(angles[0]), c = snw__cos(angles[0]);
    angles[2] = is_locked ? 0 : snw__atan2(c * r[1][0] + s * r[2][0], c * r[1][1] + s * r[2][1]);
    return is_locked;
}

/* R = Rx(a) Ry(b) Rx(c): r00 = cos b, r10 = sin a sin b, r20 = -cos a sin b; row 1 of Rx(-a) R is
 * (0, cos c, -sin c). */
static bool repeated_axis(double r[3][3], double angles[3])
{
    double sin_b = snw__hypot(r[1][0], r[2][0]);
    bool is_locked = sin_b <= SNW__ROUND_OFF;
    angles[0] = is_locked ? snw__atan2(r[2][1], r[1][1]) : snw__atan2(r[1][0], -r[2][0]);
    angles[1] = snw__atan2(sin_b, r[0][0]);
    double s = snw__sin(angles[0]), c = snw__cos(angles[0]);
    angles[2] = is_locked ? 0 : snw__atan2(-c * r[1][2] - s * r[2][2], c * r[1][1] + s * r[2][1]);
    return is_locked;
}

bool snw_quat_to_euler(snw_quat q, snw_euler_order order, double angles[3])
{
    int axes[3];
    snw_euler_axes(order, axes);
    bool is_repeated = axes[0] == axes[2];
    int i = axes[0], j = axes[1], k = 3 - i - j;
    bool is_odd = (i + 1) % 3 != j;
    int basis[3] = {i, j, k};
    snw_mat3 m = snw_mat3_from_quat(snw_quat_normalize(q));
    double r[3][3];
    /* In an odd permutation the basis (i, j, k) is left-handed: rotations appear transposed in
     * sign, R(-angle), which is what negating the angles below undoes. */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            r[a][b] = m.m[basis[a]][basis[b]];
    bool is_locked;
    if (is_repeated) {
        is_locked = repeated_axis(r, angles);
        if (is_odd) {
            /* -b must come back into [0, pi]: (a, b, c) and (a + pi, -b, c + pi) are one rotation.
             */
            angles[0] = is_locked ? -angles[0] : SNW_PI - angles[0];
            angles[2] = is_locked ? 0 : SNW_PI - angles[2];
        }
    } else {
        is_locked = three_axes(r, angles);
        if (is_odd)
            for (int n = 0; n < 3; n++)
                angles[n] = -angles[n];
    }
    angles[0] = snw_wrap_angle(angles[0]);
    angles[2] = snw_wrap_angle(angles[2]);
    return is_locked;
}
