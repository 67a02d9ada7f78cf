/* Shapes on a device: which it has, and the kernel that tells how near they come to each other. */
#include "ik/batch/device_lm.h"

#ifdef SNW__HAS_DEVICE

/* ---- the list ---------------------------------------------------------------------------------
 */

int snw__device_shapes_find(const snw__device_shapes *shapes, int joint, const snw_shape *shape)
{
    for (int s = 0; s < shapes->count; s++)
        if (shapes->joint[s] == joint && shapes->shape[s] == shape) return s;
    return -1;
}

static bool add_shape(snw__device_shapes *shapes, int joint, const snw_shape *shape)
{
    bool is_simple = shape->kind == SNW_SHAPE_PLANE || shape->point_count <= 2;
    if (snw__device_shapes_find(shapes, joint, shape) >= 0) return true;
    if (!is_simple || shapes->count == SNW__DEVICE_SHAPES) return false;
    shapes->joint[shapes->count] = joint;
    shapes->shape[shapes->count++] = shape;
    return true;
}

bool snw__device_shapes_of(const snw_goal *goals, int count, snw__device_shapes *shapes)
{
    *shapes = (snw__device_shapes){.goal = goals, .goal_count = count};
    for (int g = 0; g < count; g++)
        if (goals[g].kind == SNW_GOAL_APART &&
            (!add_shape(shapes, goals[g].joint, goals[g].shape) ||
             !add_shape(shapes, goals[g].chain_root, goals[g].other)))
            return false;
    return shapes->count > 0;
}

/* ---- the kernel -------------------------------------------------------------------------------
 */

#define OPENCL(...) #__VA_ARGS__ "\n"

/* clang-format off */
const char *const snw__device_shapes_source[] = {
OPENCL(
/* Distance of two segments (Ericson 2005, 5.1.9); their ends may be one point. */
float segments_apart(float3 p, float3 p_end, float3 q, float3 q_end)
{
    float3 d = p_end - p;
    float3 e = q_end - q;
    float3 r = p - q;
    float a = dot(d, d);
    float b = dot(d, e);
    float c = dot(e, e);
    float along_d = dot(d, r);
    float along_e = dot(e, r);
    float tiny = 1e-12f * (float)(SIZE * SIZE);
    float crossing = a * c - b * b;
    float s = 0;
    float t = 0;
    if (a > tiny && c > tiny) {
        if (crossing > 1e-7f * a * c) s = clamp((b * along_e - c * along_d) / crossing, 0.0f, 1.0f);
        t = (b * s + along_e) / c;
        if (t < 0 || t > 1) {
            t = clamp(t, 0.0f, 1.0f);
            s = clamp((b * t - along_d) / a, 0.0f, 1.0f);
        }
    } else if (a > tiny) {
        s = clamp(-along_d / a, 0.0f, 1.0f);
    } else if (c > tiny) {
        t = clamp(along_e / c, 0.0f, 1.0f);
    }
    float3 gap = r + s * d - t * e;
    return sqrt(dot(gap, gap));
}

/* One item a pose. `has`: as in begin */
__kernel void clearance(__global const float *root, __global const float *common,
                        __global const float *rotation, __global const float *slide,
                        __global const float *values, __global float *told, int problem_count,
                        int has)
{
    int p = get_global_id(0);
    if (p >= problem_count) return;
    float value[COORDINATES];
    float4 turn[FREE_BALLS + 1];
    load_pose(p, has, rotation, slide, values, value, turn);
    float3 stand;
    float4 at_turn = load_root(p, has, root, common, &stand);
    float4 back = (float4)(-at_turn.xyz, at_turn.w);
    float4 before[JOINTS];
    float4 world[JOINTS];
    float3 place[JOINTS];
    forward_f(value, turn, before, world, place);
    float3 end[2 * SHAPES];
    for (int e = 0; e < 2 * SHAPES; e++) {
        int k = SHAPE_SLOT[e / 2];
        end[e] = get3_f(END + 3 * e);
        if (k >= 0) end[e] = place[k] + rotate_f(world[k], end[e]);
        if (k == -2) end[e] = rotate_f(back, end[e] - stand);
    }
    float least = INFINITY;
    for (int n = 0; n < PAIRS; n++) {
        int a = PAIR[2 * n];
        int b = PAIR[2 * n + 1];
        float distance;
        if (IS_PLANE[a] || IS_PLANE[b]) {
            int plane = IS_PLANE[a] ? a : b;
            int other = IS_PLANE[a] ? b : a;
            float3 normal = end[2 * plane + 1] - end[2 * plane];
            distance = fmin(dot(normal, end[2 * other] - end[2 * plane]),
                            dot(normal, end[2 * other + 1] - end[2 * plane]));
        } else {
            distance = segments_apart(end[2 * a], end[2 * a + 1], end[2 * b], end[2 * b + 1]);
        }
        /* NaN is told, whichever pair has it. */
        least = distance - KEPT[n] < least || isnan(distance) ? distance - KEPT[n] : least;
        if (isnan(least)) break;
    }
    told[p] = least;
}
), NULL};
/* clang-format on */

#endif
