/* y = W cos(Omega x + phase) + A x + b: random Fourier features (Rahimi & Recht 2007) with a linear
 * part. Everything is float: the answer is a direction that people vary by degrees. */
#include "avatar/swivel.h"

/* cos(2 pi t) = 1 - 2 sin^2(pi t) for t in [-1/2, 1/2], sin by its series; the first term left out
 * is 4e-6 at the ends. No call, so that compilers make vectors of the loop. */
static inline float swivel_cosine_turns(float t)
{
    float whole = (float)(int)(t + (t >= 0 ? 0.5f : -0.5f));
    float u = t - whole, v = u * u;
    float sine = u * (3.14159265f + v * (-5.16771278f +
                                         v * (2.55016404f + v * (-0.59926453f + v * 0.08214589f))));
    return 1 - 2 * sine * sine;
}

void snw__swivel_rows(const snw__swivel_input *input, float rows[SNW__SWIVEL_ROWS])
{
    snw_vec3 x = snw_quat_rotate(input->hand, snw_vec3_make(1, 0, 0));
    snw_vec3 y = snw_quat_rotate(input->hand, snw_vec3_make(0, 1, 0));
    const float in[SNW__SWIVEL_INPUTS] = {(float)input->reach.x,
                                          (float)input->reach.y,
                                          (float)input->reach.z,
                                          (float)x.x,
                                          (float)x.y,
                                          (float)x.z,
                                          (float)y.x,
                                          (float)y.y,
                                          (float)y.z};
    for (int f = 0; f < SNW__SWIVEL_FEATURES; f++)
        rows[f] = snw__swivel_phase[f];
    for (int i = 0; i < SNW__SWIVEL_INPUTS; i++)
        for (int f = 0; f < SNW__SWIVEL_FEATURES; f++)
            rows[f] += in[i] * snw__swivel_omega[i][f];
    for (int f = 0; f < SNW__SWIVEL_FEATURES; f++)
        rows[f] = swivel_cosine_turns(rows[f] * 0.15915494f);
    for (int i = 0; i < SNW__SWIVEL_INPUTS; i++)
        rows[SNW__SWIVEL_FEATURES + i] = in[i];
    rows[SNW__SWIVEL_ROWS - 1] = 1;
}

static snw_vec3 weigh_rows(const float rows[SNW__SWIVEL_ROWS], const float (*weight)[3])
{
    float sum[3] = {0, 0, 0};
    for (int r = 0; r < SNW__SWIVEL_ROWS; r++)
        for (int k = 0; k < 3; k++)
            sum[k] += rows[r] * weight[r][k];
    return snw_vec3_make(sum[0], sum[1], sum[2]);
}

snw_vec3 snw__swivel_predict(const snw__swivel_input *input, const float (*extra)[3])
{
    float rows[SNW__SWIVEL_ROWS];
    snw__swivel_rows(input, rows);
    snw_vec3 way = weigh_rows(rows, snw__swivel_weights);
    return extra ? snw_vec3_add(way, weigh_rows(rows, extra)) : way;
}

snw_vec3 snw__forearm_predict(const snw__swivel_input *input)
{
    float rows[SNW__SWIVEL_ROWS];
    snw__swivel_rows(input, rows);
    snw_vec3 in_hand = weigh_rows(rows, snw__forearm_weights);
    return snw_vec3_unit(snw_quat_rotate(input->hand, in_hand), snw_vec3_make(1, 0, 0));
}
