/* The device's kernels, in OpenCL C 1.2: Levenberg-Marquardt as batch_lm.c and batch_lm_step.c have
 * it (formulas and constants there), one problem in one work item instead of eight in lanes.
 *
 * The text is compiled at run time behind tables of the body (device_lm.c): counts and tables are
 * constants of the program, so for small bodies loops unroll and private arrays become registers.
 * It stands here as C in a macro that makes a string of it: no directive and no line counts in it.
 *
 *   begin    one item a problem: start as coordinates inside their limits, goals in the frame of
 *            the root
 *   reach    items take tasks from a queue: a task is one problem and every `seeds`-th of its
 *            starts; the lowest start that reaches wins, whoever ran it, so answers do not depend
 *            on timing. Many problems are solved in two rounds: the first tries a few starts of
 *            each one after the other, the second all others of the few that are left side by
 *            side, so that no item works on alone at the end
 *   finish   one item a problem: checks the winner in doubles where the device has them, and writes
 *            it as rotations or coordinates
 *   frames   one item a pose: where the goals' frames are, and their jacobians
 *
 * A task ends after STARTS starts of DEVICE_STEPS steps at most: no kernel can hang. */
#include "ik/batch/device_lm.h"

#ifdef SNW__HAS_DEVICE

#define OPENCL(...) #__VA_ARGS__ "\n"

/* Twice in the program: with R float, and with R double where the device has it. clang-format would
 * not know statements inside a macro. */
/* clang-format off */
const char *const snw__device_forward_source[] = {
OPENCL(
R4 NAME(mul)(R4 a, R4 b)
{
    return (R4)(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

R3 NAME(rotate)(R4 q, R3 v)
{
    R3 t = 2 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

R4 NAME(unit)(R4 q)
{
    return q * rsqrt(dot(q, q));
}

/* About a constant axis; those of most robots are the third. */
R4 NAME(turn)(R4 q, R3 axis, int is_z, R angle)
{
    R c;
    R s = NAME(sine)(angle * (R)0.5, &c);
    if (is_z) return (R4)(q.x * c + q.y * s, q.y * c - q.x * s, q.z * c + q.w * s, q.w * c - q.z * s);
    return NAME(mul)(q, (R4)(axis * s, c));
}

R4 NAME(exponential)(R3 v)
{
    R angle = sqrt(dot(v, v));
    R c;
    R s = NAME(sine)(angle * (R)0.5, &c);
    R scale = angle < (R)1e-6 ? (R)0.5 : s / angle;
    return (R4)(v * scale, c);
}

R3 NAME(get3)(__constant const float *v)
{
    return (R3)(v[0], v[1], v[2]);
}

/* World frames of all joints in the frame of the root; `before`: without the joint's own turn. */
void NAME(forward)(const R *value, const R4 *free_turn, R4 *before, R4 *rotation, R3 *place)
{
    UNROLL for (int k = 0; k < JOINTS; k++) {
        R4 q = (R4)(0, 0, 0, 1);
        R3 p = NAME(get3)(REST_PLACE + 3 * k);
        R3 axis = NAME(get3)(AXIS + 3 * k);
        const R *v = value + FIRST[k];
        if (PARENT[k] >= 0) {
            q = rotation[PARENT[k]];
            p = place[PARENT[k]] + NAME(rotate)(q, p);
        }
        if (IS_TURNED[k])
            q = NAME(mul)(q, (R4)(REST_TURN[4 * k + 1], REST_TURN[4 * k + 2], REST_TURN[4 * k + 3],
                                  REST_TURN[4 * k]));
        before[k] = q;
        if (KIND[k] == SLIDE) p += v[0] * NAME(rotate)(q, axis);
        if (KIND[k] == HINGE) q = NAME(turn)(q, axis, IS_Z[k], v[0]);
        if (KIND[k] == UNIVERSAL)
            q = NAME(turn)(NAME(turn)(q, axis, IS_Z[k], v[0]), NAME(get3)(AXIS2 + 3 * k), 0, v[1]);
        if (KIND[k] == BALL) {
            R3 swing = v[0] * NAME(get3)(SIDE + 3 * k) - v[1] * NAME(get3)(AXIS2 + 3 * k);
            q = NAME(turn)(NAME(mul)(q, NAME(exponential)(swing)), axis, IS_Z[k], v[2]);
        }
        if (KIND[k] == FREE_BALL) q = NAME(mul)(q, free_turn[FREE[k]]);
        if (KIND[k] != FIXED && KIND[k] != SLIDE) q = NAME(unit)(q);
        rotation[k] = q;
        place[k] = p;
    }
}

/* The rotation vector that takes `from` to `to`. */
R3 NAME(between)(R4 from, R4 to)
{
    R4 q = NAME(mul)(to, (R4)(-from.xyz, from.w));
    if (q.w < 0) q = -q;
    R length = sqrt(dot(q.xyz, q.xyz));
    return q.xyz * (length < (R)1e-6 ? (R)2 : 2 * NAME(arc)(length, q.w) / length);
}
),
OPENCL(
/* The same that turns a sight, of length 1, towards what it is to look at (batch_lm.c). */
R3 NAME(aim)(R3 sight, R3 wanted)
{
    R distance = sqrt(dot(wanted, wanted));
    if (distance <= (R)AT_EYE) return (R3)(0, 0, 0);
    R3 to = wanted / distance;
    R3 axis = cross(sight, to);
    R sine = sqrt(dot(axis, axis));
    R cosine = dot(sight, to);
    if (sine >= (R)1e-6) return axis * (NAME(arc)(sine, cosine) / sine);
    if (cosine > 0) return axis;
    axis = sight.x * sight.x > (R)0.5 ? (R3)(-sight.y, sight.x, 0) : (R3)(0, -sight.z, sight.y);
    return axis * ((R)3.14159265358979 / sqrt(dot(axis, axis)));
}

/* What is left of every goal: rows, energy |r|^2 / 2, and the largest part of its tolerance. */
R NAME(residuals)(const R *goal, const R4 *rotation, const R3 *place, R *row, R *excess)
{
    R energy = 0;
    *excess = 0;
    UNROLL for (int g = 0; g < GOALS; g++) {
        int slot = GOAL_SLOT[g];
        const R *wanted = goal + GOAL_WIDTH * g;
        int r = ROW_FIRST[g];
        R3 at = place[slot] + NAME(rotate)(rotation[slot], NAME(get3)(POINT + 3 * g));
        R3 left = (R3)(wanted[0], wanted[1], wanted[2]) - at;
        if (HAS_AIM[g]) left = NAME(aim)(NAME(rotate)(rotation[slot], NAME(get3)(DIRECTION + 3 * g)), left);
        if (HAS_PLACE[g]) {
            *excess = fmax(*excess, sqrt(dot(left, left)) * (R)PER_TOLERANCE);
            left *= wanted[7];
            row[r] = left.x;
            row[r + 1] = left.y;
            row[r + 2] = left.z;
            energy += (R)0.5 * dot(left, left);
            r += 3;
        }
        if (HAS_FRAME[g])
            left = NAME(between)(rotation[slot], (R4)(wanted[3], wanted[4], wanted[5], wanted[6]));
        if (HAS_FRAME[g] || HAS_AIM[g]) {
            *excess = fmax(*excess, sqrt(dot(left, left)) * (R)PER_TURN_TOLERANCE);
            left *= wanted[8];
            row[r] = left.x;
            row[r + 1] = left.y;
            row[r + 2] = left.z;
            energy += (R)0.5 * dot(left, left);
        }
    }
    return energy;
}

/* Of the goal that is farthest from its tolerance: metres, or radians where its turn is worse. */
R NAME(worst)(const R *goal, const R *row)
{
    R excess = -1;
    R worst = 0;
    UNROLL for (int g = 0; g < GOALS; g++) {
        const R *r = row + ROW_FIRST[g];
        if (HAS_PLACE[g]) {
            R left = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / goal[GOAL_WIDTH * g + 7];
            if (left * (R)PER_TOLERANCE > excess) worst = left;
            excess = fmax(excess, left * (R)PER_TOLERANCE);
            r += 3;
        }
        if (HAS_FRAME[g] || HAS_AIM[g]) {
            R left = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / goal[GOAL_WIDTH * g + 8];
            if (left * (R)PER_TURN_TOLERANCE > excess) worst = left;
            excess = fmax(excess, left * (R)PER_TURN_TOLERANCE);
        }
    }
    return worst;
}
), NULL};

const char *const snw__device_step_source[] = {
OPENCL(
/* Axis in the world and origin of every coordinate (batch_lm_step.c: lm_axes, lm_ball_axes). */
void axes(const float *value, const float4 *before, const float4 *rotation, float3 *axis)
{
    UNROLL for (int k = 0; k < JOINTS; k++) {
        int c = FIRST[k];
        if (KIND[k] == HINGE || KIND[k] == SLIDE || KIND[k] == UNIVERSAL) {
            float4 q = before[k];
            axis[c] = IS_Z[k] ? (float3)(2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                                         1 - 2 * (q.x * q.x + q.y * q.y))
                              : rotate_f(q, get3_f(AXIS + 3 * k));
        }
        if (KIND[k] == UNIVERSAL) axis[c + 1] = rotate_f(rotation[k], get3_f(AXIS2 + 3 * k));
        if (KIND[k] == FREE_BALL) {
            axis[c] = rotate_f(rotation[k], (float3)(1, 0, 0));
            axis[c + 1] = rotate_f(rotation[k], (float3)(0, 1, 0));
            axis[c + 2] = rotate_f(rotation[k], (float3)(0, 0, 1));
        }
        if (KIND[k] != BALL) continue;
        float3 side = get3_f(SIDE + 3 * k);
        float3 across = get3_f(AXIS2 + 3 * k);
        float3 v = value[c] * side - value[c + 1] * across;
        float square = dot(v, v);
        float angle = sqrt(square);
        float cosine;
        float sine = sine_f(angle * 0.5f, &cosine);
        int is_small = angle < 0.05f;
        float safe = is_small ? 1 : angle;
        float a = is_small ? 1 - square / 6 : 2 * sine * cosine / safe;
        float b = is_small ? 1.0f / 6 : (1 - a) / (safe * safe);
        float d = is_small ? 0.5f - square / 24 : 2 * sine * sine / (safe * safe);
        axis[c] = rotate_f(before[k], a * side + b * dot(v, side) * v + d * cross(v, side));
        axis[c + 1] = rotate_f(before[k], -a * across - b * dot(v, across) * v - d * cross(v, across));
        axis[c + 2] = rotate_f(rotation[k], get3_f(AXIS + 3 * k));
    }
}

/* Rows of all goals, and the gradient J^T r. */
void jacobian(const float *goal, const float4 *rotation, const float3 *place, const float3 *axis,
              const float *row, float *block, float *gradient)
{
    UNROLL for (int c = 0; c < COORDINATES; c++) gradient[c] = 0;
    UNROLL for (int g = 0; g < GOALS; g++) {
        int slot = GOAL_SLOT[g];
        float3 at = place[slot] + rotate_f(rotation[slot], get3_f(POINT + 3 * g));
        float3 sight = rotate_f(rotation[slot], get3_f(DIRECTION + 3 * g));
        float3 wanted = vload3(0, goal + GOAL_WIDTH * g) - at;
        float per_square = dot(wanted, wanted) > AT_EYE * AT_EYE ? 1 / dot(wanted, wanted) : 0;
        UNROLL for (int p = 0; p < PATH_COUNT[g]; p++) {
            int c = PATH[PATH_FIRST[g] + p];
            float *column = block + BLOCK_FIRST[g] + p * GOAL_ROWS[g];
            const float *r = row + ROW_FIRST[g];
            float3 moved = IS_SLIDE[c] ? axis[c] * UNIT[c] : cross(axis[c], at - place[JOINT_OF[c]]);
            float3 turned = axis[c] * (IS_SLIDE[c] ? 0.0f : 1.0f);
            if (HAS_AIM[g])
                turned = per_square > 0 ? turned - dot(turned, sight) * sight + cross(wanted, moved) * per_square
                                        : (float3)(0, 0, 0);
            if (HAS_PLACE[g]) {
                moved *= goal[GOAL_WIDTH * g + 7];
                column[0] = moved.x;
                column[1] = moved.y;
                column[2] = moved.z;
                gradient[c] += moved.x * r[0] + moved.y * r[1] + moved.z * r[2];
            }
            if (HAS_FRAME[g] || HAS_AIM[g]) {
                int n = 3 * HAS_PLACE[g];
                turned *= goal[GOAL_WIDTH * g + 8];
                column[n] = turned.x;
                column[n + 1] = turned.y;
                column[n + 2] = turned.z;
                gradient[c] += turned.x * r[n] + turned.y * r[n + 1] + turned.z * r[n + 2];
            }
        }
    }
}
),
OPENCL(
/* Takes what stands at its limit and is drawn outwards out of the columns. */
void hold(const float *value, const float *gradient, float *block)
{
    float keep[COORDINATES];
    UNROLL for (int c = 0; c < COORDINATES; c++)
        keep[c] = (value[c] <= LOW[c] + AT_LIMIT && gradient[c] < 0) ||
                          (value[c] >= HIGH[c] - AT_LIMIT && gradient[c] > 0)
                      ? 0
                      : 1;
    UNROLL for (int k = 0; k < JOINTS; k++) {
        if (!HAS_CONE[k]) continue;
        int c = FIRST[k];
        float a = value[c] >= 0 ? CONE[4 * k] : CONE[4 * k + 2];
        float b = value[c + 1] >= 0 ? CONE[4 * k + 1] : CONE[4 * k + 3];
        float x = value[c] / a;
        float y = value[c + 1] / b;
        float nx = x / a;
        float ny = y / b;
        float length = sqrt(nx * nx + ny * ny);
        int is_held = x * x + y * y >= 1 - 4 * AT_LIMIT && length > 1e-6f &&
                      nx * gradient[c] + ny * gradient[c + 1] > 0;
        keep[c] = is_held ? nx / length : 0;
        keep[c + 1] = is_held ? ny / length : 0;
    }
    UNROLL for (int g = 0; g < GOALS; g++)
        UNROLL for (int p = 0; p < PATH_COUNT[g]; p++) {
            int c = PATH[PATH_FIRST[g] + p];
            float *column = block + BLOCK_FIRST[g] + p * GOAL_ROWS[g];
            UNROLL for (int r = 0; r < GOAL_ROWS[g]; r++) {
                if (IN_CONE[c] == 0) column[r] *= keep[c];
                if (IN_CONE[c] != 1) continue;
                float along = keep[c] * column[r] + keep[c + 1] * column[GOAL_ROWS[g] + r];
                column[r] -= along * keep[c];
                column[GOAL_ROWS[g] + r] -= along * keep[c + 1];
            }
        }
}

/* Lower half of J J^T, row by row; returns its trace. */
float gram(const float *block, float *matrix)
{
    float trace = 0;
    UNROLL for (int g = 0; g < GOALS; g++)
        UNROLL for (int h = 0; h <= g; h++)
            UNROLL for (int r = 0; r < GOAL_ROWS[g]; r++)
                UNROLL for (int s = 0; s < GOAL_ROWS[h]; s++) {
                    int i = ROW_FIRST[g] + r;
                    int j = ROW_FIRST[h] + s;
                    if (j > i) continue;
                    float sum = 0;
                    UNROLL for (int p = 0; p < SHARED[g * GOALS + h]; p++)
                        sum += block[BLOCK_FIRST[g] + p * GOAL_ROWS[g] + r] *
                               block[BLOCK_FIRST[h] + p * GOAL_ROWS[h] + s];
                    matrix[i * (i + 1) / 2 + j] = sum;
                    if (i == j) trace += sum;
                }
    return trace;
}

/* (matrix + lambda) y = row by Cholesky; returns |y|^2. */
float factor_and_solve(float *matrix, float lambda, const float *row, float *y)
{
    UNROLL for (int i = 0; i < ROWS; i++) {
        float right = row[i];
        UNROLL for (int j = 0; j <= i; j++) {
            float sum = matrix[i * (i + 1) / 2 + j] + (i == j ? lambda : 0);
            UNROLL for (int k = 0; k < j; k++)
                sum -= matrix[i * (i + 1) / 2 + k] * matrix[j * (j + 1) / 2 + k];
            matrix[i * (i + 1) / 2 + j] =
                i == j ? rsqrt(fmax(sum, 1e-20f)) : sum * matrix[j * (j + 1) / 2 + j];
        }
        UNROLL for (int k = 0; k < i; k++) right -= matrix[i * (i + 1) / 2 + k] * y[k];
        y[i] = right * matrix[i * (i + 1) / 2 + i];
    }
    float square = 0;
    UNROLL for (int n = 0; n < ROWS; n++) {
        int i = ROWS - 1 - n;
        float sum = y[i];
        UNROLL for (int m = 0; m < n; m++) {
            int k = ROWS - 1 - m;
            sum -= matrix[k * (k + 1) / 2 + i] * y[k];
        }
        y[i] = sum * matrix[i * (i + 1) / 2 + i];
        square += y[i] * y[i];
    }
    return square;
}
),
OPENCL(
/* By the step h = J^T y from `now`, limits kept. */
void move(const float *block, const float *y, const float *now, const float4 *turn_now, float *value,
          float4 *turn)
{
    float step[COORDINATES];
    UNROLL for (int c = 0; c < COORDINATES; c++) step[c] = 0;
    UNROLL for (int g = 0; g < GOALS; g++)
        UNROLL for (int p = 0; p < PATH_COUNT[g]; p++)
            UNROLL for (int r = 0; r < GOAL_ROWS[g]; r++)
                step[PATH[PATH_FIRST[g] + p]] += block[BLOCK_FIRST[g] + p * GOAL_ROWS[g] + r] *
                                                 y[ROW_FIRST[g] + r];
    UNROLL for (int c = 0; c < COORDINATES; c++)
        value[c] = fmin(fmax(now[c] + step[c] * UNIT[c], LOW[c]), HIGH[c]);
    UNROLL for (int k = 0; k < JOINTS; k++) {
        int c = FIRST[k];
        if (HAS_CONE[k]) {
            float x = value[c] / (value[c] >= 0 ? CONE[4 * k] : CONE[4 * k + 2]);
            float y2 = value[c + 1] / (value[c + 1] >= 0 ? CONE[4 * k + 1] : CONE[4 * k + 3]);
            float scale = rsqrt(fmax(x * x + y2 * y2, 1.0f));
            value[c] *= scale;
            value[c + 1] *= scale;
        }
        if (KIND[k] == FREE_BALL)
            turn[FREE[k]] = unit_f(mul_f(turn_now[FREE[k]],
                                         exponential_f((float3)(step[c], step[c + 1], step[c + 2]))));
    }
}

/* Start number `which` of a problem: 0 the given one, 1 the given one shaken, then anywhere. */
void begin_start(int which, __global const float *start, __global const float *scatter, float *value,
                 float4 *turn)
{
    __global const float *other = scatter + (which > 0 ? which - 1 : 0) * STATE;
    UNROLL for (int c = 0; c < COORDINATES; c++) {
        float way = which > 0 ? other[c] - start[c] : 0;
        if (which == 1) way = fmin(fmax(way, -SHAKE * UNIT[c]), SHAKE * UNIT[c]);
        value[c] = start[c] + way;
    }
    UNROLL for (int b = 0; b < FREE_BALLS; b++) {
        float4 q = vload4(0, start + COORDINATES + 4 * b);
        float4 s = vload4(0, other + COORDINATES + 4 * b);
        turn[b] = which == 0 ? q : unit_f(which == 1 ? q + 0.25f * s : s);
    }
}

/* alpha after a step whose energy fell by rho of what was expected (batch_lm.c). */
float damping(float alpha, float rho)
{
    float bend = 2 * rho - 1;
    float factor = rho == rho ? fmin(fmax(0.25f, 1 - 2 * bend * bend * bend), 17.0f) : 17.0f;
    return fmin(fmax(alpha * factor, 1e-8f), 1e8f);
}

/* How far the answer turns from the given pose. */
float way_from(__global const float *start, const float *value, const float4 *turn)
{
    float score = 0;
    UNROLL for (int c = 0; c < COORDINATES; c++) {
        float way = (value[c] - start[c]) / UNIT[c];
        score += way * way;
    }
    UNROLL for (int b = 0; b < FREE_BALLS; b++) {
        float d = dot(turn[b], vload4(0, start + COORDINATES + 4 * b));
        score += 4 * (1 - d * d);
    }
    return score;
}

void keep(__global float *answer, const float *value, const float4 *turn)
{
    UNROLL for (int c = 0; c < COORDINATES; c++) answer[c] = value[c];
    UNROLL for (int b = 0; b < FREE_BALLS; b++) vstore4(turn[b], 0, answer + COORDINATES + 4 * b);
}
), NULL};
/* clang-format on */

#endif
