/* Eight chains at once: the method of directions.c for one goal, in floats.
 *
 * Each lane is a problem of its own; a lane that has converged stands still, so no lane feels its
 * neighbours. Lanes with a shape the kernel does not treat (the target inside the hole, a half
 * turn, no convergence) are left to the scalar solve. The tip is measured by forward kinematics
 * of the rotations that are written, in floats: error about 1e-6 of the chain. */
#include "ik/batch/batch.h"
#include "ik/batch/lanes.h"
#include "math/kernel.h"

/* ---- plan ----------------------------------------------------------------------------------- */

void snw__batch_plan_layout(snw__batch_plan *plan, const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    snw__bones bones = {0};
    snw__batch_plan p = {.joint_count = ik->skeleton->joint_count};
    snw__bones_layout(&bones, ik, block);
    p.path = snw__block_take(block, n, sizeof *p.path);
    if (block->base == NULL) return;
    int last = bones.joint[bones.bone_count - 1], count = 0;
    for (int j = last; j >= 0; j = ik->skeleton->parent[j])
        count++;
    p.path_count = count;
    for (int j = last; j >= 0; j = ik->skeleton->parent[j]) {
        snw__batch_joint *to = &p.path[--count];
        snw_quat r = ik->skeleton->rest[j].rotation;
        snw_vec3 t = ik->skeleton->rest[j].translation;
        *to = (snw__batch_joint){.joint = j,
                                 .is_turned = !ik->skeleton->rest_is_unrotated[j],
                                 .rest_rotation = {(float)r.w, (float)r.x, (float)r.y, (float)r.z},
                                 .rest_place = {(float)t.x, (float)t.y, (float)t.z}};
    }
    double walked = 0, longest = 0;
    int bone = 0;
    for (int k = 0; k < p.path_count; k++) {
        snw__batch_joint *joint = &p.path[k];
        if (bone == bones.bone_count || bones.joint[bone] != joint->joint) continue;
        double length = bones.length[bone];
        snw_vec3 end = snw_vec3_scale(bones.along[bone], length);
        joint->is_bone = true;
        joint->length = (float)length;
        joint->offset[0] = (float)end.x;
        joint->offset[1] = (float)end.y;
        joint->offset[2] = (float)end.z;
        joint->bend = (float)(0.3 * (1 - 2 * (walked + 0.5 * length) / bones.length_sum));
        walked += length;
        longest = fmax(longest, length);
        bone++;
    }
    p.bone_count = bones.bone_count;
    p.length_sum = (float)bones.length_sum;
    p.hole = (float)(2 * longest - bones.length_sum);
    p.tolerance = (float)(0.99 * ik->options.tolerance * ik->size);
    *plan = p;
}

/* ---- kernel --------------------------------------------------------------------------------- */

#if defined(SNW__LANES_INLINE)

/* Newton steps before a lane is given up; three are usual. */
#define BATCH_STEPS 8

typedef struct batch_scratch {
    snw__lanes4 *turn;  /* (path_count) the joint's own rotation */
    snw__lanes3 *start; /* (bone_count) directions */
    snw__lanes3 *now;   /* (bone_count) */
} batch_scratch;

typedef struct batch_sym3 {
    snw__f8 xx, xy, xz, yy, yz, zz;
} batch_sym3;

size_t snw__batch_scratch_size(const snw__batch_plan *plan)
{
    return (size_t)plan->path_count * (sizeof(snw__lanes4) + 2 * sizeof(snw__lanes3));
}

bool snw__batch_has_kernel(void)
{
    return true;
}

SNW__LANES_INLINE snw__lanes3 set3(const float v[3])
{
    return snw__lanes3_set(v[0], v[1], v[2]);
}

SNW__LANES_INLINE snw__lanes4 set4(const float q[4])
{
    return (snw__lanes4){snw__f8_set(q[0]), snw__f8_set(q[1]), snw__f8_set(q[2]),
                         snw__f8_set(q[3])};
}

SNW__LANES_INLINE snw__lanes3 unit_or(snw__lanes3 a, snw__lanes3 otherwise)
{
    snw__f8 length = snw__lanes3_length(a);
    snw__i8 is_long = length > snw__f8_set(1e-20f);
    snw__f8 safe = snw__f8_pick(is_long, length, snw__f8_set(1.0f));
    return snw__lanes3_pick(is_long, snw__lanes3_scale(a, 1.0f / safe), otherwise);
}

/* One float of each problem. */
SNW__LANES_INLINE snw__f8 gather(const float *first, size_t stride)
{
    return (snw__f8){first[0],          first[stride],     first[2 * stride], first[3 * stride],
                     first[4 * stride], first[5 * stride], first[6 * stride], first[7 * stride]};
}

/* Rotation of a joint in all eight problems. */
SNW__LANES_INLINE snw__lanes4 load_turn(const snw__batch_lanes_job *job, int joint)
{
    size_t stride = (size_t)job->plan->joint_count * 4;
    const float *first = job->rotation + (size_t)joint * 4;
    return (snw__lanes4){gather(first, stride), gather(first + 1, stride),
                         gather(first + 2, stride), gather(first + 3, stride)};
}

SNW__LANES_INLINE void store_turn(const snw__batch_lanes_job *job, int joint, snw__lanes4 q)
{
    for (int lane = 0; lane < SNW__LANES; lane++) {
        float *to = job->rotation + snw__entry(lane, job->plan->joint_count, joint) * 4;
        if (!job->solved[lane]) continue;
        to[0] = q.w[lane];
        to[1] = q.x[lane];
        to[2] = q.y[lane];
        to[3] = q.z[lane];
    }
}

/* Directions of all bones, and where the first one starts. */
SNW__LANES_INLINE snw__lanes3 load_directions(const snw__batch_lanes_job *job,
                                              const batch_scratch *s)
{
    const snw__batch_plan *plan = job->plan;
    snw__lanes4 world = set4(job->root_rotation);
    snw__lanes3 place = set3(job->root_place);
    int bone = 0;
    for (int k = 0; k < plan->path_count; k++) {
        const snw__batch_joint *joint = &plan->path[k];
        if (bone == 0)
            place = snw__lanes3_add(place, snw__lanes4_rotate(world, set3(joint->rest_place)));
        if (joint->is_turned) world = snw__lanes4_mul(world, set4(joint->rest_rotation));
        s->turn[k] = load_turn(job, joint->joint);
        world = snw__lanes4_mul(world, s->turn[k]);
        if (!joint->is_bone) continue;
        snw__lanes3 end = snw__lanes4_rotate(world, set3(joint->offset));
        s->start[bone++] = snw__lanes3_scale(end, snw__f8_set(1.0f / joint->length));
    }
    return place;
}

SNW__LANES_INLINE snw__lanes3 reach_of(const snw__batch_plan *plan, const snw__lanes3 *direction)
{
    snw__lanes3 sum = snw__lanes3_set(0, 0, 0);
    for (int k = 0, bone = 0; k < plan->path_count; k++)
        if (plan->path[k].is_bone)
            sum = snw__lanes3_add_scaled(sum, snw__f8_set(plan->path[k].length), direction[bone++]);
    return sum;
}

/* Swings all start directions by the smallest turn from `from` to `to` (unit), by Rodrigues. */
SNW__LANES_INLINE void swing_all(const batch_scratch *s, int count, snw__lanes3 from,
                                 snw__lanes3 to)
{
    snw__f8 cosine = snw__lanes3_dot(from, to);
    snw__lanes3 axis = snw__lanes3_cross(from, to);
    snw__f8 scale = 1.0f / (1.0f + cosine);
    for (int b = 0; b < count; b++) {
        snw__lanes3 d = s->start[b];
        snw__f8 along = snw__lanes3_dot(axis, d) * scale;
        d = snw__lanes3_add(snw__lanes3_scale(d, cosine), snw__lanes3_cross(axis, d));
        s->start[b] = snw__lanes3_add_scaled(d, along, axis);
    }
}

SNW__LANES_INLINE snw__f8 sideways2(const snw__batch_plan *plan, const batch_scratch *s,
                                    snw__lanes3 ray)
{
    snw__f8 sum = snw__f8_set(0);
    for (int k = 0, bone = 0; k < plan->path_count; k++) {
        if (!plan->path[k].is_bone) continue;
        /* |d x ray|^2 instead of 1 - cos^2, which has lost small angles in floats. */
        snw__lanes3 across = snw__lanes3_cross(s->start[bone++], ray);
        sum += snw__f8_set(plan->path[k].length) * snw__lanes3_dot(across, across);
    }
    return sum / snw__f8_set(plan->length_sum);
}

/* Bends the lanes that are straight into an arc. */
SNW__LANES_INLINE void bend_straight(const snw__batch_plan *plan, const batch_scratch *s,
                                     snw__lanes3 ray, snw__i8 is_straight)
{
    snw__i8 along_x = ray.x * ray.x > 0.5f;
    snw__lanes3 other =
        snw__lanes3_pick(along_x, snw__lanes3_set(0, 1, 0), snw__lanes3_set(1, 0, 0));
    snw__lanes3 side = unit_or(snw__lanes3_cross(ray, other), other);
    for (int k = 0, bone = 0; k < plan->path_count; k++) {
        if (!plan->path[k].is_bone) continue;
        snw__lanes3 d = s->start[bone];
        snw__lanes3 bent = snw__lanes3_add_scaled(d, snw__f8_set(plan->path[k].bend), side);
        s->start[bone++] = snw__lanes3_pick(is_straight, unit_or(bent, d), d);
    }
}

/* now = unit(start + m); returns the gap that is left. */
SNW__LANES_INLINE snw__lanes3 evaluate(const snw__batch_plan *plan, const batch_scratch *s,
                                       snw__lanes3 m, snw__lanes3 wanted, batch_sym3 *matrix)
{
    batch_sym3 h = {snw__f8_set(0), snw__f8_set(0), snw__f8_set(0),
                    snw__f8_set(0), snw__f8_set(0), snw__f8_set(0)};
    for (int k = 0, bone = 0; k < plan->path_count; k++) {
        if (!plan->path[k].is_bone) continue;
        snw__lanes3 a = snw__lanes3_add(s->start[bone], m);
        snw__f8 inverse = 1.0f / snw__f8_sqrt(snw__lanes3_dot(a, a) + snw__f8_set(1e-20f));
        snw__lanes3 n = snw__lanes3_scale(a, inverse);
        float length = plan->path[k].length;
        snw__f8 weight = snw__f8_set(length) * inverse;
        s->now[bone++] = n;
        wanted = snw__lanes3_add_scaled(wanted, snw__f8_set(-length), n);
        snw__lanes3 w = snw__lanes3_scale(n, weight);
        h.xx += weight - w.x * n.x;
        h.xy -= w.x * n.y;
        h.xz -= w.x * n.z;
        h.yy += weight - w.y * n.y;
        h.yz -= w.y * n.z;
        h.zz += weight - w.z * n.z;
    }
    *matrix = h;
    return wanted;
}

/* h^-1 v by the adjugate. */
SNW__LANES_INLINE snw__lanes3 solve3(const batch_sym3 *h, snw__lanes3 v)
{
    snw__f8 cxx = h->yy * h->zz - h->yz * h->yz, cxy = h->xz * h->yz - h->xy * h->zz;
    snw__f8 cxz = h->xy * h->yz - h->xz * h->yy, cyy = h->xx * h->zz - h->xz * h->xz;
    snw__f8 cyz = h->xy * h->xz - h->xx * h->yz, czz = h->xx * h->yy - h->xy * h->xy;
    snw__f8 scale = 1.0f / (h->xx * cxx + h->xy * cxy + h->xz * cxz);
    snw__lanes3 r = {cxx * v.x + cxy * v.y + cxz * v.z, cxy * v.x + cyy * v.y + cyz * v.z,
                     cxz * v.x + cyz * v.y + czz * v.z};
    return snw__lanes3_scale(r, scale);
}

SNW__LANES_INLINE snw__f8 cotangent(snw__f8 cosine)
{
    return cosine / snw__f8_sqrt(1.0f - cosine * cosine);
}

/* Finds the multiplier of directions.c in every lane; a lane that is done keeps its own. */
SNW__LANES_INLINE void newton(const snw__batch_plan *plan, const batch_scratch *s,
                              snw__lanes3 wanted, snw__lanes3 m)
{
    for (int step = 0; step <= BATCH_STEPS; step++) {
        batch_sym3 matrix;
        snw__lanes3 gap = evaluate(plan, s, m, wanted, &matrix);
        snw__f8 left = snw__lanes3_length(gap);
        snw__i8 goes_on = left > snw__f8_set(plan->tolerance);
        if (!snw__i8_any(goes_on)) return;
        snw__lanes3 next = snw__lanes3_add(m, solve3(&matrix, gap));
        m = snw__lanes3_pick(goes_on, next, m);
    }
}

/* Directions that reach, or point straight at what is too far. */
SNW__LANES_INLINE void find_directions(const snw__batch_plan *plan, const batch_scratch *s,
                                       snw__lanes3 wanted)
{
    snw__f8 sum = snw__f8_set(plan->length_sum), distance = snw__lanes3_length(wanted);
    snw__lanes3 reach = reach_of(plan, s->start);
    snw__f8 reached = snw__lanes3_length(reach);
    snw__lanes3 from = unit_or(reach, s->start[0]), ray = unit_or(wanted, from);
    snw__f8 least = snw__f8_set(1e-5f) * sum;
    snw__i8 swings = (reached > least) & (distance > least);
    swing_all(s, plan->bone_count, snw__lanes3_pick(swings, from, ray), ray);
    snw__i8 is_straight = sideways2(plan, s, ray) < snw__f8_set(1e-8f);
    if (snw__i8_any(is_straight)) {
        bend_straight(plan, s, ray, is_straight);
        reached = snw__lanes3_length(reach_of(plan, s->start));
    }
    snw__i8 is_far = distance >= sum - snw__f8_set(0.5f) * snw__f8_set(plan->tolerance);
    snw__f8 most = snw__f8_set(1.0f - 1e-6f), after = distance / sum, before = reached / sum;
    after = snw__f8_pick(after < most, after, most);
    before = snw__f8_pick(before < most, before, most);
    snw__f8 tilt = snw__f8_sqrt(sideways2(plan, s, ray));
    /* A far lane gets a target it can reach, and is straightened below. */
    snw__lanes3 near =
        snw__lanes3_pick(is_far, snw__lanes3_scale(ray, snw__f8_set(0.9f) * sum), wanted);
    after = snw__f8_pick(is_far, snw__f8_set(0.9f), after);
    newton(plan, s, near, snw__lanes3_scale(ray, tilt * (cotangent(after) - cotangent(before))));
    for (int b = 0; b < plan->bone_count; b++)
        s->now[b] = snw__lanes3_pick(is_far, ray, s->now[b]);
}

/* Smallest turn between unit vectors. A half turn comes out as nonsense that is_wild marks. */
SNW__LANES_INLINE snw__lanes4 smallest_turn(snw__lanes3 from, snw__lanes3 to, snw__i8 *is_wild)
{
    snw__f8 w = 1.0f + snw__lanes3_dot(from, to);
    snw__lanes3 v = snw__lanes3_cross(from, to);
    snw__f8 scale = 1.0f / snw__f8_sqrt(w * w + snw__lanes3_dot(v, v));
    *is_wild |= w < snw__f8_set(1e-3f);
    return (snw__lanes4){w * scale, v.x * scale, v.y * scale, v.z * scale};
}

SNW__LANES_INLINE snw__lanes4 renormalized(snw__lanes4 q)
{
    snw__f8 s = 1.5f - 0.5f * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (snw__lanes4){q.w * s, q.x * s, q.y * s, q.z * s};
}

/* New rotations from new directions; returns where the tip is by them. */
SNW__LANES_INLINE snw__lanes3 turn_bones(const snw__batch_lanes_job *job, const batch_scratch *s,
                                         snw__lanes3 place, snw__i8 *is_wild)
{
    const snw__batch_plan *plan = job->plan;
    snw__lanes4 world = set4(job->root_rotation);
    for (int k = 0, bone = 0; k < plan->path_count; k++) {
        const snw__batch_joint *joint = &plan->path[k];
        if (joint->is_turned) world = snw__lanes4_mul(world, set4(joint->rest_rotation));
        if (joint->is_bone) {
            snw__f8 inverse = snw__f8_set(1.0f / joint->length);
            snw__lanes3 along = snw__lanes3_scale(set3(joint->offset), inverse);
            snw__lanes3 before = snw__lanes4_rotate(s->turn[k], along);
            snw__lanes3 after = snw__lanes4_unrotate(world, s->now[bone++]);
            snw__lanes4 turn = smallest_turn(before, after, is_wild);
            s->turn[k] = renormalized(snw__lanes4_mul(turn, s->turn[k]));
        }
        world = snw__lanes4_mul(world, s->turn[k]);
        if (joint->is_bone)
            place = snw__lanes3_add(place, snw__lanes4_rotate(world, set3(joint->offset)));
    }
    return place;
}

SNW__LANES_INLINE snw__lanes3 load_targets(const snw__batch_lanes_job *job)
{
    return (snw__lanes3){gather(job->target, 3), gather(job->target + 1, 3),
                         gather(job->target + 2, 3)};
}

SNW__LANES_INLINE void solve_lanes(snw__batch_lanes_job *job)
{
    const snw__batch_plan *plan = job->plan;
    char *memory = job->scratch;
    size_t turns = (size_t)plan->path_count * sizeof(snw__lanes4);
    size_t vectors = (size_t)plan->path_count * sizeof(snw__lanes3);
    batch_scratch s = {(snw__lanes4 *)(void *)memory, (snw__lanes3 *)(void *)(memory + turns),
                       (snw__lanes3 *)(void *)(memory + turns + vectors)};
    snw__i8 is_wild = {0, 0, 0, 0, 0, 0, 0, 0};
    snw__lanes3 target = load_targets(job), base = load_directions(job, &s);
    snw__lanes3 wanted = snw__lanes3_sub(target, base);
    find_directions(plan, &s, wanted);
    snw__lanes3 tip = turn_bones(job, &s, base, &is_wild);
    snw__f8 left = snw__lanes3_length(snw__lanes3_sub(target, tip));
    snw__f8 distance = snw__lanes3_length(wanted);
    snw__f8 excess =
        distance - snw__f8_set(plan->length_sum); /* what even a straight chain leaves */
    snw__f8 allowed =
        snw__f8_pick(excess > 0.0f, excess, snw__f8_set(0)) + snw__f8_set(plan->tolerance);
    /* NaN compares false and is not solved. */
    snw__i8 is_solved = (left <= allowed) & ~is_wild & (distance > plan->hole);
    for (int lane = 0; lane < SNW__LANES; lane++) {
        job->solved[lane] = is_solved[lane] != 0;
        job->residual[lane] = left[lane];
    }
    for (int k = 0; k < plan->path_count; k++)
        if (plan->path[k].is_bone) store_turn(job, plan->path[k].joint, s.turn[k]);
}

SNW__LANES_BUILDS(snw__batch_solve_lanes, snw__batch_lanes_job, solve_lanes)

#else /* a compiler without vector types: the scalar solve does it all */

size_t snw__batch_scratch_size(const snw__batch_plan *plan)
{
    (void)plan;
    return 1;
}

bool snw__batch_has_kernel(void)
{
    return false;
}

void snw__batch_solve_lanes(snw__batch_lanes_job *job, snw__lanes_set set)
{
    (void)set;
    for (int lane = 0; lane < SNW__LANES; lane++)
        job->solved[lane] = 0;
}

#endif
