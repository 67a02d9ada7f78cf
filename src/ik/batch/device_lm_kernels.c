/* The device's kernels themselves: begin, reach, finish and frames, in OpenCL C 1.2
 * (device_lm_source.c says what they are and has the functions they call). */
#include "ik/batch/device_lm.h"

#ifdef SNW__HAS_DEVICE

#define OPENCL(...) #__VA_ARGS__ "\n"

/* clang-format off */
const char *const snw__device_reach_source[] = {
OPENCL(
__kernel void reach(__global const float *start, __global const float *goals,
                    __global const float *scatter, __global float *answer, __global float *energies,
                    __global volatile int *winner, __global volatile int *queue,
                    __global int *left, __global int *place_of, int problem_count, int seeds,
                    int start_end, int round)
{
    float value[COORDINATES];
    float now[COORDINATES];
    float4 turn[FREE_BALLS + 1];
    float4 turn_now[FREE_BALLS + 1];
    float goal[GOAL_WIDTH * GOALS];
    float row[ROWS];
    float energy_now = 0;
    float expected = 0;
    float alpha = 0;
    float reference = 0;
    float best = INFINITY;
    int task = -1;
    int problem = 0;
    int attempt = 0;
    int reached = 0;
    int steps = 0;
    int accepted = 0;
    int rejected = 0;
    int is_fresh = 1;
    int is_over = 1;
    /* The second round: the problems that are left share the answers' memory behind the first. */
    int first = round ? FIRST_STARTS : 0;
    int count = round ? queue[2] : problem_count;
    if (round) seeds = clamp(problem_count / max(count, 1), 1, start_end - first);
    int task_count = count * seeds;
    for (;;) {
        if (is_over) {
            task = atomic_inc(queue + round);
            if (task >= task_count) return;
            problem = round ? left[task / seeds] : task / seeds;
            attempt = first + task % seeds;
            if (round) place_of[problem] = task / seeds;
            if (round) task += problem_count;
            if (atomic_or(winner + problem, 0) == UNSOUND) continue;
            reached = 0;
            best = INFINITY;
            UNROLL for (int i = 0; i < GOAL_WIDTH * GOALS; i++)
                goal[i] = goals[(size_t)problem * GOAL_WIDTH * GOALS + i];
        }
        if (is_fresh == 1) {
            begin_start(attempt, start + (size_t)problem * STATE, scatter, value, turn);
            steps = accepted = rejected = 0;
            reference = INFINITY;
            if (is_over) keep(answer + (size_t)task * STATE, value, turn);
            is_over = 0;
        }
        float4 before[JOINTS];
        float4 rotation[JOINTS];
        float3 place[JOINTS];
        float excess;
        forward_f(value, turn, before, rotation, place);
        float energy = residuals_f(goal, rotation, place, row, &excess);
        /* 2: back where the last good step stood, to go on from there with more damping */
        int is_taken = is_fresh;
        if (is_fresh == 0) {
            float rho = expected > 0 ? (energy_now - energy) / expected : -1;
            alpha = damping(alpha, rho);
            is_taken = rho > ACCEPT; /* NaN compares false */
        } else if (is_fresh == 1) {
            alpha = ALPHA_FIRST;
        }
        int is_back = is_fresh == 2;
        is_fresh = 0;
        int is_stuck = 0;
        int is_there = 0;
        if (is_taken && !is_back) {
            energy_now = energy;
            UNROLL for (int c = 0; c < COORDINATES; c++) now[c] = value[c];
            UNROLL for (int b = 0; b < FREE_BALLS; b++) turn_now[b] = turn[b];
            is_there = excess <= REACHED_PART;
            rejected = 0;
            if (++accepted % WINDOW == 0) {
                is_stuck = energy > (1 - PROGRESS) * reference;
                reference = energy;
            }
        } else if (!is_taken) {
            is_stuck = ++rejected >= REJECTED;
        }
        is_stuck |= ++steps > DEVICE_STEPS;
        if (seeds > 1 && steps % 4 == 0 && atomic_or(winner + problem, 0) < attempt) {
            is_over = 1;
            is_fresh = 1;
            continue;
        }
        if (is_there || is_stuck) {
            float score = is_there ? (START_COUNT > 1 ? way_from(start + (size_t)problem * STATE, now, turn_now) : 0)
                                   : energy_now;
            /* the best that reached; without one, the nearest */
            if ((is_there && !reached) || (is_there >= reached && score < best)) {
                keep(answer + (size_t)task * STATE, now, turn_now);
                best = score;
            }
            if (is_there) {
                reached = 1;
                atomic_min(winner + problem, attempt);
            }
            energies[task] = reached ? 0 : best;
            attempt += seeds;
            is_over = attempt >= start_end || (reached && attempt >= START_COUNT);
            if (is_over && !reached && start_end <= STARTS) {
                atomic_xchg(winner + problem, LEFT);
                left[atomic_inc(queue + 2)] = problem;
            }
            is_fresh = 1;
            continue;
        }
        if (!is_taken) {
            UNROLL for (int c = 0; c < COORDINATES; c++) value[c] = now[c];
            UNROLL for (int b = 0; b < FREE_BALLS; b++) turn[b] = turn_now[b];
            is_fresh = 2;
            continue;
        }
        float3 axis[COORDINATES];
        float block[BLOCKS];
        float gradient[COORDINATES];
        float matrix[ROWS * (ROWS + 1) / 2];
        float y[ROWS];
        axes(value, before, rotation, axis);
        jacobian(goal, rotation, place, axis, row, block, gradient);
        hold(value, gradient, block);
        float trace = gram(block, matrix);
        float lambda = fmax(fmax(sqrt(alpha * 2 * energy_now), trace * (RIDGE / ROWS)), 1e-12f);
        float square = factor_and_solve(matrix, lambda, row, y);
        expected = energy_now - 0.5f * lambda * lambda * square;
        move(block, y, now, turn_now, value, turn);
    }
}
), NULL};

const char *const snw__device_pose_source[] = {
OPENCL(
float wrapped(float angle, float middle)
{
    return angle - 6.28318531f * rint((angle - middle) * 0.159154943f);
}

/* Middle of the range on whose turn an angle is told; 0 without a range. */
float middle_of(int c)
{
    return HIGH[c] < FAR && LOW[c] > -FAR ? 0.5f * (LOW[c] + HIGH[c]) : 0;
}

float4 load_turn(__global const float *wxyz)
{
    float4 q = (float4)(wxyz[1], wxyz[2], wxyz[3], wxyz[0]);
    return unit_f(q);
}

float angle_about(float4 q, float3 axis)
{
    return 2 * atan2(dot(q.xyz, axis), q.w);
}

/* Coordinates of a joint from its rotation and slide. */
void state_of(int k, float4 q, float3 slide, float *value, float4 *turn)
{
    int c = FIRST[k];
    float3 axis = get3_f(AXIS + 3 * k);
    float3 axis2 = get3_f(AXIS2 + 3 * k);
    if (KIND[k] == SLIDE) value[c] = dot(slide, axis);
    if (KIND[k] == HINGE) value[c] = wrapped(angle_about(q, axis), middle_of(c));
    if (KIND[k] == UNIVERSAL) {
        /* For axes at right angles q = ca cb + sa cb axis + ca sb axis2 + sa sb side: the two
         * products with the larger half give each angle. */
        float3 side = get3_f(SIDE + 3 * k);
        float p[4] = {q.w, dot(q.xyz, axis), dot(q.xyz, axis2), dot(q.xyz, side)};
        int is_far = p[2] * p[2] + p[3] * p[3] > p[0] * p[0] + p[1] * p[1];
        float a = is_far ? atan2(p[3], p[2]) : atan2(p[1], p[0]);
        int is_steep = p[1] * p[1] + p[3] * p[3] > p[0] * p[0] + p[2] * p[2];
        float b = is_steep ? atan2(p[3], p[1]) : atan2(p[2], p[0]);
        value[c] = wrapped(2 * a, middle_of(c));
        value[c + 1] = wrapped(2 * b, middle_of(c + 1));
    }
    if (KIND[k] == FREE_BALL) {
        turn[FREE[k]] = q;
        value[c] = value[c + 1] = value[c + 2] = 0;
    }
    if (KIND[k] != BALL) return;
    float3 bone = rotate_f(q, axis);
    float x = dot(bone, axis2);
    float y = dot(bone, get3_f(SIDE + 3 * k));
    float sine = sqrt(x * x + y * y);
    float psi = atan2(sine, dot(bone, axis));
    value[c] = sine > 0 ? psi * x / sine : psi;
    value[c + 1] = sine > 0 ? psi * y / sine : 0;
    value[c + 2] = wrapped(angle_about(q, axis), middle_of(c + 2));
}

/* The joint's own rotation. */
float4 turn_of(int k, const float *value, const float4 *turn)
{
    int c = FIRST[k];
    float4 none = (float4)(0, 0, 0, 1);
    float3 axis = get3_f(AXIS + 3 * k);
    if (KIND[k] == HINGE) return turn_f(none, axis, 0, value[c]);
    if (KIND[k] == UNIVERSAL)
        return turn_f(turn_f(none, axis, 0, value[c]), get3_f(AXIS2 + 3 * k), 0, value[c + 1]);
    if (KIND[k] == BALL) {
        float3 swing = value[c] * get3_f(SIDE + 3 * k) - value[c + 1] * get3_f(AXIS2 + 3 * k);
        return unit_f(turn_f(exponential_f(swing), axis, 0, value[c + 2]));
    }
    return KIND[k] == FREE_BALL ? turn[FREE[k]] : none;
}
),
OPENCL(
/* A pose as coordinates. `has`: 1 rotations, 2 slides, 4 values */
void load_pose(size_t p, int has, __global const float *rotation, __global const float *slide,
               __global const float *values, float *value, float4 *turn)
{
    UNROLL for (int k = 0; k < JOINTS; k++) {
        int c = FIRST[k];
        __global const float *given = values + p * VALUE_COUNT + VALUE_FIRST[k];
        float4 q = (float4)(0, 0, 0, 1);
        float3 s = (float3)(0, 0, 0);
        if (has & 1) q = load_turn(rotation + (p * SKELETON_JOINTS + SKELETON_JOINT[k]) * 4);
        if (has & 2) s = vload3(0, slide + (p * SKELETON_JOINTS + SKELETON_JOINT[k]) * 3);
        if ((has & 4) && (KIND[k] == BALL || KIND[k] == FREE_BALL))
            q = exponential_f((float3)(given[0], given[1], given[2]));
        if ((has & 4) && KIND[k] == SLIDE) s = given[0] * get3_f(AXIS + 3 * k);
        if ((has & 4) && (KIND[k] == HINGE || KIND[k] == UNIVERSAL)) {
            value[c] = wrapped(given[0], middle_of(c));
            if (KIND[k] == UNIVERSAL) value[c + 1] = wrapped(given[1], middle_of(c + 1));
        } else {
            state_of(k, q, s, value, turn);
        }
    }
}

/* Where the body stands: 8 of `has` its own root. */
float4 load_root(size_t p, int has, __global const float *root, __global const float *common,
                 float3 *at)
{
    *at = (has & 8) ? vload3(0, root + p * 7 + 4) : vload3(0, common + 4);
    return (has & 8) ? load_turn(root + p * 7) : vload4(0, common);
}
), NULL};

const char *const snw__device_ends_source[] = {
OPENCL(
/* `has`: 1 rotations, 2 slides, 4 values, 8 roots, 16 orientations, 32 weights */
__kernel void begin(__global const float *target, __global const float *orientation,
                    __global const float *weight, __global const float *root,
                    __global const float *common,
                    __global const float *rotation, __global const float *slide,
                    __global const float *values, __global float *start, __global float *goals,
                    __global int *winner, __global int *queue, int problem_count, int has)
{
    int p = get_global_id(0);
    if (p >= problem_count) return;
    if (p == 0) queue[0] = queue[1] = queue[2] = 0;
    float value[COORDINATES];
    float4 turn[FREE_BALLS + 1];
    load_pose(p, has, rotation, slide, values, value, turn);
    int is_sound = 1;
    float none[ROWS];
    UNROLL for (int r = 0; r < ROWS; r++) none[r] = 0;
    float nothing[BLOCKS];
    UNROLL for (int b = 0; b < BLOCKS; b++) nothing[b] = 0;
    float inside[COORDINATES];
    UNROLL for (int c = 0; c < COORDINATES; c++) is_sound &= isfinite(value[c]);
    UNROLL for (int b = 0; b < FREE_BALLS; b++) is_sound &= isfinite(dot(turn[b], turn[b]));
    float4 turned[FREE_BALLS + 1];
    move(nothing, none, value, turn, inside, turned);
    keep(start + (size_t)p * STATE, inside, turned);
    float3 at;
    float4 at_turn = load_root(p, has, root, common, &at);
    float4 back = (float4)(-at_turn.xyz, at_turn.w);
    float heaviest = 0;
    UNROLL for (int g = 0; g < GOALS; g++)
        heaviest = fmax(heaviest, (has & 32) ? weight[(size_t)p * GOALS + g] : WEIGHT[g]);
    UNROLL for (int g = 0; g < GOALS; g++) {
        size_t n = (size_t)p * GOALS + g;
        __global float *to = goals + n * GOAL_WIDTH;
        float3 place = rotate_f(back, vload3(0, target + 3 * n) - at);
        float4 frame = (float4)(FRAME[4 * g + 1], FRAME[4 * g + 2], FRAME[4 * g + 3], FRAME[4 * g]);
        if (has & 16) frame = load_turn(orientation + 4 * n);
        frame = mul_f(back, frame);
        float w = (has & 32) ? weight[n] : WEIGHT[g];
        float share = sqrt(w / heaviest);
        is_sound &= w > 0 && (!(HAS_PLACE[g] || HAS_AIM[g]) || isfinite(dot(place, place)));
        is_sound &= !HAS_FRAME[g] || isfinite(dot(frame, frame));
        vstore3(place, 0, to);
        vstore4(frame, 0, to + 3);
        to[7] = share / SIZE;
        to[8] = share * TURN_WEIGHT[g];
    }
    winner[p] = is_sound ? NOBODY : UNSOUND;
}
),
OPENCL(
/* One differential step from the start (batch.c: snw__batch_step_one). `common` has, behind the
 * root, the part of the errors to be made good, the damping, the time and whether `rate` counts.
 * The answer is written where `finish` looks for that of start 0. */
__kernel void differ(__global const float *start, __global const float *goals,
                   __global const float *common, __global const float *rate,
                   __global float *answer, __global float *energies, __global int *winner,
                   int problem_count)
{
    int p = get_global_id(0);
    if (p >= problem_count || winner[p] == UNSOUND) return;
    float value[COORDINATES];
    float moved[COORDINATES];
    float4 turn[FREE_BALLS + 1];
    float4 turned[FREE_BALLS + 1];
    float goal[GOAL_WIDTH * GOALS];
    float row[ROWS];
    float4 before[JOINTS];
    float4 rotation[JOINTS];
    float3 place[JOINTS];
    float3 axis[COORDINATES];
    float block[BLOCKS];
    float gradient[COORDINATES];
    float matrix[ROWS * (ROWS + 1) / 2];
    float y[ROWS];
    float excess;
    __global const float *from = start + (size_t)p * STATE;
    UNROLL for (int c = 0; c < COORDINATES; c++) value[c] = from[c];
    UNROLL for (int b = 0; b < FREE_BALLS; b++) turn[b] = vload4(0, from + COORDINATES + 4 * b);
    UNROLL for (int i = 0; i < GOAL_WIDTH * GOALS; i++)
        goal[i] = goals[(size_t)p * GOAL_WIDTH * GOALS + i];
    forward_f(value, turn, before, rotation, place);
    float energy = residuals_f(goal, rotation, place, row, &excess);
    axes(value, before, rotation, axis);
    jacobian(goal, rotation, place, axis, row, block, gradient);
    hold(value, gradient, block);
    gram(block, matrix);
    factor_and_solve(matrix, common[9] + fmin(energy, 1.0f), row, y);
    float all[COORDINATES];
    UNROLL for (int c = 0; c < COORDINATES; c++) all[c] = 0;
    UNROLL for (int g = 0; g < GOALS; g++)
        UNROLL for (int n = 0; n < PATH_COUNT[g]; n++)
            UNROLL for (int r = 0; r < GOAL_ROWS[g]; r++)
                all[PATH[PATH_FIRST[g] + n]] += block[BLOCK_FIRST[g] + n * GOAL_ROWS[g] + r] *
                                                y[ROW_FIRST[g] + r];
    float part = common[8];
    for (int c = 0; c < COORDINATES; c++) {
        int k = JOINT_OF[c];
        float way = fabs(all[c] * UNIT[c]) * part;
        float most = common[11] > 0 ? rate[VALUE_FIRST[k] + c - FIRST[k]] * common[10] : INFINITY;
        if (way > most) part *= most / way;
    }
    UNROLL for (int r = 0; r < ROWS; r++) y[r] *= part;
    move(block, y, value, turn, moved, turned);
    keep(answer + (size_t)p * STATE, moved, turned);
    energies[p] = 0;
    winner[p] = 0;
}
),
OPENCL(
/* Numbers that cannot be worked with leave the start as it is. */
__kernel void finish(__global const float *goals, __global const float *answer,
                     __global const float *energies, __global const int *winner,
                     __global const int *queue, __global const int *place_of,
                     __global float *rotation, __global float *slide, __global float *values,
                     __global float *residual, __global uchar *outcome, int problem_count, int seeds,
                     int has)
{
    int p = get_global_id(0);
    if (p >= problem_count) return;
    int won = winner[p];
    outcome[p] = OUTCOME_UNSOUND;
    if (won == UNSOUND) return;
    /* Answers of this problem: where they begin, how many there are, which start is the first. */
    size_t slots = (size_t)p * seeds;
    int slot_count = seeds;
    int first = 0;
    int has_second = won == LEFT || (won != NOBODY && seeds == 1 && won >= FIRST_STARTS && queue[2] > 0);
    if (has_second) {
        slot_count = clamp(problem_count / max(queue[2], 1), 1, STARTS + 1 - FIRST_STARTS);
        slots = problem_count + (size_t)place_of[p] * slot_count;
        first = FIRST_STARTS;
    }
    size_t slot = slots;
    if (won != NOBODY && won != LEFT)
        slot = slots + (won - first) % slot_count;
    else
        for (int s = 1; s < slot_count; s++)
            if (energies[slots + s] < energies[slot]) slot = slots + s;
    if (won == LEFT && energies[p] < energies[slot]) slot = p;
    __global const float *from = answer + slot * STATE;
    float value[COORDINATES];
    float4 turn[FREE_BALLS + 1];
    UNROLL for (int c = 0; c < COORDINATES; c++) value[c] = from[c];
    UNROLL for (int b = 0; b < FREE_BALLS; b++) turn[b] = vload4(0, from + COORDINATES + 4 * b);
    WIDE wide[COORDINATES];
    WIDE4 wide_turn[FREE_BALLS + 1];
    UNROLL for (int c = 0; c < COORDINATES; c++) wide[c] = value[c];
    UNROLL for (int b = 0; b < FREE_BALLS; b++)
        wide_turn[b] = WIDE_NAME(unit)((WIDE4)(turn[b].x, turn[b].y, turn[b].z, turn[b].w));
    WIDE goal[GOAL_WIDTH * GOALS];
    UNROLL for (int i = 0; i < GOAL_WIDTH * GOALS; i++)
        goal[i] = goals[(size_t)p * GOAL_WIDTH * GOALS + i];
    UNROLL for (int g = 0; g < GOALS; g++) {
        WIDE4 f = WIDE_NAME(unit)((WIDE4)(goal[GOAL_WIDTH * g + 3], goal[GOAL_WIDTH * g + 4],
                                          goal[GOAL_WIDTH * g + 5], goal[GOAL_WIDTH * g + 6]));
        vstore4(f, 0, goal + GOAL_WIDTH * g + 3);
    }
    WIDE4 before[JOINTS];
    WIDE4 world[JOINTS];
    WIDE3 place[JOINTS];
    WIDE row[ROWS];
    WIDE excess;
    WIDE_NAME(forward)(wide, wide_turn, before, world, place);
    WIDE_NAME(residuals)(goal, world, place, row, &excess);
    outcome[p] = excess <= CHECKED_PART ? OUTCOME_REACHED : OUTCOME_STALLED;
    if (has & 64) residual[p] = (float)WIDE_NAME(worst)(goal, row);
    UNROLL for (int k = 0; k < JOINTS; k++) {
        float4 q = turn_of(k, value, turn);
        size_t n = (size_t)p * SKELETON_JOINTS + SKELETON_JOINT[k];
        if (KIND[k] == FIXED) continue;
        if ((has & 1) && KIND[k] != SLIDE) vstore4((float4)(q.w, q.xyz), 0, rotation + 4 * n);
        if ((has & 2) && KIND[k] == SLIDE) vstore3(value[FIRST[k]] * get3_f(AXIS + 3 * k), 0, slide + 3 * n);
        if (!(has & 4)) continue;
        __global float *to = values + (size_t)p * VALUE_COUNT + VALUE_FIRST[k];
        if (KIND[k] == BALL || KIND[k] == FREE_BALL)
            vstore3(between_f((float4)(0, 0, 0, 1), q), 0, to);
        else
            for (int i = 0; i < COUNT[k]; i++)
                to[i] = KIND[k] == SLIDE ? value[FIRST[k]]
                                         : wrapped(value[FIRST[k] + i], middle_of(FIRST[k] + i));
    }
}
),
OPENCL(
/* Six rows of the jacobian of a goal in the frame of the root, by the coordinates above it. */
void columns_of(int g, const float4 *before, const float4 *world, const float3 *place, float4 at_turn,
                float *column)
{
    float3 at = place[GOAL_SLOT[g]] + rotate_f(world[GOAL_SLOT[g]], get3_f(POINT + 3 * g));
    UNROLL for (int n = 0; n < PATH_COUNT[g]; n++) {
        int k = JOINT_OF[PATH[PATH_FIRST[g] + n]];
        int i = PATH[PATH_FIRST[g] + n] - FIRST[k];
        int is_ball = KIND[k] == BALL || KIND[k] == FREE_BALL;
        float3 axis = is_ball  ? (float3)(i == 0, i == 1, i == 2)
                      : i == 0 ? get3_f(AXIS + 3 * k)
                               : get3_f(AXIS2 + 3 * k);
        axis = rotate_f(i == 0 && !is_ball ? before[k] : world[k], axis);
        float3 moved = rotate_f(at_turn, KIND[k] == SLIDE ? axis : cross(axis, at - place[k]));
        float3 turned = KIND[k] == SLIDE ? (float3)(0, 0, 0) : rotate_f(at_turn, axis);
        vstore3(moved, 0, column + 6 * n);
        vstore3(turned, 0, column + 6 * n + 3);
    }
}

/* Frames and jacobians of the goals. A ball's columns are turns about the axes of its own frame.
 * Items of a group lay STAGE rows of theirs side by side and write them together, so that
 * neighbours in memory are written at the same time.
 * `has`: 128 frames, 256 jacobians, the rest as in begin */
__kernel void frames(__global const float *root, __global const float *common,
                     __global const float *rotation, __global const float *slide,
                     __global const float *values, __global float *frame,
                     __global float *jacobians, int problem_count, int has)
{
    __local float stage[GROUP * STAGE * VALUE_COUNT];
    int lane = get_local_id(0);
    int size = get_local_size(0);
    int group_first = get_global_id(0) - lane;
    /* Items behind the last pose do it again, since all have to wait for each other. */
    int p = min((int)get_global_id(0), problem_count - 1);
    float value[COORDINATES];
    float4 turn[FREE_BALLS + 1];
    load_pose(p, has, rotation, slide, values, value, turn);
    float3 stand;
    float4 at_turn = load_root(p, has, root, common, &stand);
    float4 before[JOINTS];
    float4 world[JOINTS];
    float3 place[JOINTS];
    forward_f(value, turn, before, world, place);
    UNROLL for (int g = 0; g < GOALS; g++) {
        size_t n = (size_t)p * GOALS + g;
        float4 q = unit_f(mul_f(at_turn, world[GOAL_SLOT[g]]));
        float3 at = place[GOAL_SLOT[g]] + rotate_f(world[GOAL_SLOT[g]], get3_f(POINT + 3 * g));
        if (has & 128) {
            vstore4((float4)(q.w, q.xyz), 0, frame + 7 * n);
            vstore3(stand + rotate_f(at_turn, at), 0, frame + 7 * n + 4);
        }
        if (!(has & 256)) continue;
        float column[6 * COORDINATES];
        columns_of(g, before, world, place, at_turn, column);
        for (int first = 0; first < 6; first += STAGE) {
            __local float *mine = stage + lane * STAGE * VALUE_COUNT;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int v = 0; v < VALUE_COUNT; v++)
                for (int r = 0; r < STAGE && !IS_ABOVE[g * VALUE_COUNT + v]; r++)
                    mine[r * VALUE_COUNT + v] = 0;
            UNROLL for (int m = 0; m < PATH_COUNT[g]; m++) {
                int c = PATH[PATH_FIRST[g] + m];
                int v = VALUE_FIRST[JOINT_OF[c]] + c - FIRST[JOINT_OF[c]];
                UNROLL for (int r = 0; r < STAGE; r++)
                    mine[r * VALUE_COUNT + v] = column[6 * m + first + r];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int i = lane; i < size * STAGE * VALUE_COUNT; i += size) {
                size_t other = group_first + i / (STAGE * VALUE_COUNT);
                if (other >= problem_count) break;
                jacobians[((other * GOALS + g) * 6 + first) * VALUE_COUNT + i % (STAGE * VALUE_COUNT)] =
                    stage[i];
            }
        }
    }
}
), NULL};
/* clang-format on */

#endif
