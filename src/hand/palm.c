/* Markers sit at `share` of the way from the wrist to a knuckle and `height` out of the back: with
 * u1, u2 the ways to the two markers and b the unit normal,
 *     u1 = share k1 + height b,   u2 = share k2 + height b,   b . k1 = b . k2 = 0,
 * so that b . u1 = b . u2 = height and |b| = 1: two linear equations in the plane of u1 and u2, and
 * the rest of b's length across it. */
#include "hand/palm.h"

bool snw__palm_from_markers(snw_vec3 wrist, snw_vec3 back_index, snw_vec3 back_little, double share,
                            double height, snw__palm *palm)
{
    snw_vec3 u = snw_vec3_sub(back_index, wrist), v = snw_vec3_sub(back_little, wrist);
    double uu = snw_vec3_dot(u, u), uv = snw_vec3_dot(u, v), vv = snw_vec3_dot(v, v);
    double sine2 = uu * vv - uv * uv;
    if (!(sine2 > 1e-4 * uu * vv)) return false;
    /* Of a right hand seen from its back the index is left of the little finger. */
    snw_vec3 out = snw_vec3_unit(snw_vec3_cross(v, u), snw_vec3_make(0, 1, 0));
    double a = height * (vv - uv) / sine2, b = height * (uu - uv) / sine2;
    snw_vec3 inside = snw_vec3_add_scaled(snw_vec3_scale(u, a), b, v);
    double rest = 1 - snw_vec3_dot(inside, inside);
    palm->back = snw_vec3_add_scaled(inside, sqrt(rest > 0.5 ? rest : 0.5), out);
    palm->back = snw_vec3_unit(palm->back, out);
    palm->index = snw_vec3_scale(snw_vec3_add_scaled(u, -height, palm->back), 1 / share);
    palm->little = snw_vec3_scale(snw_vec3_add_scaled(v, -height, palm->back), 1 / share);
    return true;
}

void snw__palm_template(const snw_hand_profile *profile, snw_vec3 place[3])
{
    snw_vec3 lift = snw_vec3_make(0, profile->back_height, 0);
    place[0] = snw_vec3_make(0, 0, 0);
    place[1] = snw_vec3_add_scaled(lift, profile->back_share, profile->base[SNW_HAND_INDEX]);
    place[2] = snw_vec3_add_scaled(lift, profile->back_share, profile->base[SNW_HAND_LITTLE]);
}

snw_quat snw__palm_turn(const snw__palm *palm)
{
    snw_vec3 y = palm->back;
    snw_vec3 z = snw_vec3_add(snw_vec3_unit(palm->index, y), snw_vec3_unit(palm->little, y));
    z = snw_vec3_add_scaled(z, -snw_vec3_dot(z, y), y);
    z = snw_vec3_unit(z, snw_vec3_perpendicular(y));
    return snw_quat_from_mat3(snw_mat3_from_columns(snw_vec3_cross(y, z), y, z));
}

/* Shares of index and little knuckle in the others: means of the hand of Buchholz et al. (preset
 * "hand25") and two captured hands (ART), which agree within 0.04. */
static const double palm_shares[SNW_HAND_FINGERS][2] = {
    {0, 0}, {1, 0}, {0.688, 0.348}, {0.322, 0.697}, {0, 1}};

snw_vec3 snw__palm_knuckle(const snw__palm *palm, int finger)
{
    return snw_vec3_add_scaled(snw_vec3_scale(palm->index, palm_shares[finger][0]),
                               palm_shares[finger][1], palm->little);
}

/* Shares of the little finger's roll: ring and little metacarpals move on the wrist, index and
 * middle hardly (Kapandji 1982; in the preset "hand25" 8, 4, 0, 0 degrees of flexion). */
static const double palm_cup_shares[SNW_HAND_FINGERS] = {0, 0, 0.1, 0.7, 1};

static snw_quat roll_about_index(const snw_hand_profile *profile, double angle)
{
    return snw_quat_from_axis_angle(profile->base[SNW_HAND_INDEX], angle);
}

snw_vec3 snw__palm_rolled(const snw_hand_profile *profile, snw_vec3 point, double roll)
{
    return roll == 0 ? point : snw_quat_rotate(roll_about_index(profile, roll), point);
}

snw_vec3 snw__palm_cupped(const snw_hand_profile *profile, int finger, double roll)
{
    return snw__palm_rolled(profile, profile->base[finger], palm_cup_shares[finger] * roll);
}

snw_quat snw__palm_flattened(const snw_hand_profile *profile, snw_quat turn, double roll)
{
    return roll == 0 ? turn : snw_quat_mul(turn, roll_about_index(profile, -roll));
}

double snw__palm_roll(const snw_hand_profile *profile, double flexion)
{
    return profile->cup * snw_clamp(flexion / 1.6, 0, 1); /* 92 degrees: a fist */
}
