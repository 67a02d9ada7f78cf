/* A person is known by its shape: two long chains of equal length below, two shorter ones above, a
 * short one between these, and a trunk that joins them.
 *
 * All ways to call five ends of the tree feet, hands and head are weighed, with or without arms and
 * head. The pelvis is where the ways between the feet and upwards meet, the chest where those
 * between the hands and downwards meet. Proportions are those of adults (Winter 2009, table 4.1:
 * leg 0.53, arm 0.44, trunk 0.29, head and neck 0.18 of the stature), with wide spreads: lengths
 * here run from the middle of one segment to the middle of the next. */
#include "calibrate/body_plan.h"
#include "base/elementary.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/calibrate_constants.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

typedef struct plan_job {
    const snw__plan_tree *tree;
    int segment_count;
    double *apart;   /* (segment_count x segment_count) mean distance, metres */
    double *above;   /* (segment_count x segment_count) mean height of the first above the second */
    snw_vec3 *place; /* (segment_count) in one frame */
    bool *is_seen;   /* (segment_count) */
    int *count;      /* (segment_count x segment_count) frames that show both */
    int *degree;     /* (segment_count) */
    int *end;        /* (segment_count) */
    int end_count;
} plan_job;

bool snw__segment_place(const snw__samples *samples, const snw__rigid *rigid, int frame,
                        snw_vec3 *place)
{
    *place = snw_vec3_make(0, 0, 0);
    if (rigid->pose[frame].seen_count > 0 && rigid->own_count >= 3) {
        *place = rigid->pose[frame].world_from_segment.translation;
        return true;
    }
    int count = 0;
    for (int m = 0; m < rigid->own_count; m++)
        if (snw__samples_seen(samples, frame)[rigid->marker[m]])
            *place = snw_vec3_lerp(*place, snw__samples_points(samples, frame)[rigid->marker[m]],
                                   1.0 / ++count);
    return count > 0;
}

/* ---- what was seen ------------------------------------------------------------------------ */

static void look(plan_job *job)
{
    int frames = job->tree->samples->frame_count;
    /* Frames that are looked at, and ends of the tree that are tried: above, the shortest twigs,
     * which are fingers, are left out. */
    for (int frame = 0; frame < frames; frame += 1 + frames / JUDGED_FRAMES) {
        int n = job->segment_count;
        for (int l = 0; l < n; l++)
            job->is_seen[l] = job->tree->parent[l] >= -1 &&
                              snw__segment_place(job->tree->samples, job->tree->rigids->segment + l,
                                                 frame, job->place + l);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (!job->is_seen[i] || !job->is_seen[j]) continue;
                int at = i * n + j;
                double share = 1.0 / ++job->count[at];
                snw_vec3 way = snw_vec3_sub(job->place[i], job->place[j]);
                job->apart[at] += share * (snw_vec3_length(way) - job->apart[at]);
                job->above[at] += share * (snw_vec3_dot(way, job->tree->up) - job->above[at]);
            }
    }
    for (int l = 0; l < job->segment_count; l++) {
        int up = job->tree->parent[l];
        if (up < 0) continue;
        job->degree[l]++;
        job->degree[up]++;
    }
    for (int l = 0; l < job->segment_count; l++)
        if (job->tree->parent[l] >= -1 && job->degree[l] == 1) job->end[job->end_count++] = l;
}

/* ---- ways through the tree ----------------------------------------------------------------- */

static int depth_of(const plan_job *job, int segment)
{
    int depth = 0;
    for (int at = segment; job->tree->parent[at] >= 0; at = job->tree->parent[at])
        depth++;
    return depth;
}

/* Where the ways from two segments to the root meet. */
static int meeting(const plan_job *job, int a, int b)
{
    int depth_a = depth_of(job, a), depth_b = depth_of(job, b);
    for (; depth_a > depth_b; depth_a--)
        a = job->tree->parent[a];
    for (; depth_b > depth_a; depth_b--)
        b = job->tree->parent[b];
    while (a != b) {
        a = job->tree->parent[a];
        b = job->tree->parent[b];
    }
    return a;
}

/* Where the three ways between three segments meet: the deepest of the three meetings. */
static int middle_of(const plan_job *job, int a, int b, int c)
{
    int ab = meeting(job, a, b), bc = meeting(job, b, c), ac = meeting(job, a, c);
    if (ab == bc) return ac;
    return ab == ac ? bc : ab;
}

/* Segments on the way from a to b without a, and its length. */
static int way_between(const plan_job *job, int a, int b, double *length)
{
    int top = meeting(job, a, b), steps = 0, n = job->segment_count;
    const int start[2] = {a, b};
    *length = 0;
    for (int side = 0; side < 2; side++)
        for (int at = start[side]; at != top; at = job->tree->parent[at], steps++)
            *length += job->apart[at * n + job->tree->parent[at]];
    return steps;
}

/* ---- costs -------------------------------------------------------------------------------- */

static double square(double x)
{
    return x * x;
}

/* How far a ratio is from the usual one. */
static double ratio_cost(double a, double b, double usual, double spread)
{
    if (!(a > 0) || !(b > 0)) return HUGE_VAL;
    return square(snw__log(a / b / usual) / spread);
}

/* How far a segment is from standing above another: 0 upright, 1 level, 4 upside down. */
static double above_cost(const plan_job *job, int upper, int lower)
{
    int at = upper * job->segment_count + lower;
    if (snw_vec3_length2(job->tree->up) == 0 || !(job->apart[at] > 0)) return 0;
    return square(1 - job->above[at] / job->apart[at]);
}

/* Two chains of the same kind; their mean length. */
static double chains_cost(const plan_job *job, int from, const int end[2], double *mean)
{
    double length[2];
    int steps[2];
    for (int side = 0; side < 2; side++)
        steps[side] = way_between(job, from, end[side], length + side);
    if (steps[0] < 2 || steps[1] < 2) return HUGE_VAL;
    *mean = 0.5 * (length[0] + length[1]);
    return ratio_cost(length[0], length[1], 1, 0.12) + square(steps[0] - steps[1]);
}

static double legs_cost(const plan_job *job, const snw__body_plan *plan, double *leg)
{
    double cost = chains_cost(job, plan->pelvis, plan->foot, leg);
    for (int side = 0; side < 2 && cost < HUGE_VAL; side++)
        cost += 4 * above_cost(job, plan->pelvis, plan->foot[side]);
    return cost;
}

static double arms_cost(const plan_job *job, const snw__body_plan *plan, double leg)
{
    double arm = 0, trunk;
    double cost = chains_cost(job, plan->chest, plan->hand, &arm);
    if (!(cost < HUGE_VAL)) return cost;
    way_between(job, plan->pelvis, plan->chest, &trunk);
    cost += ratio_cost(arm, leg, 0.85, 0.25);
    /* A trunk of one segment. */
    if (plan->pelvis == plan->chest) return cost + PLAN_MISSING;
    return cost + ratio_cost(trunk, leg, 0.4, 0.4) + above_cost(job, plan->chest, plan->pelvis);
}

/* ---- all ways to be a person ---------------------------------------------------------------- */

typedef struct plan_best {
    double cost;
    snw__body_plan plan;
} plan_best;

static void keep(plan_best *best, const snw__body_plan *plan, double cost)
{
    if (!(cost < best->cost)) return;
    best->cost = cost;
    best->plan = *plan;
    best->plan.is_person = true;
}

static bool is_taken(const snw__body_plan *plan, int segment)
{
    return segment == plan->foot[0] || segment == plan->foot[1] || segment == plan->hand[0] ||
           segment == plan->hand[1];
}

static void try_heads(const plan_job *job, snw__body_plan plan, double cost, double leg,
                      plan_best *best)
{
    keep(best, &plan, cost + PLAN_MISSING);
    for (int e = 0; e < job->end_count; e++) {
        plan.head = job->end[e];
        if (!is_taken(&plan, plan.head)) {
            double neck;
            int root = middle_of(job, plan.head, plan.hand[0], plan.foot[0]);
            way_between(job, root, plan.head, &neck);
            keep(best, &plan,
                 cost + (ratio_cost(neck, leg, 0.35, 0.35) +
                         4 * above_cost(job, plan.head, plan.chest) +
                         square(way_between(job, root, plan.chest, &neck))));
        }
    }
}

static void try_arms(const plan_job *job, snw__body_plan plan, plan_best *best)
{
    for (int a = 0; a < job->end_count; a++)
        for (int b = 0; b < a; b++) {
            plan.hand[0] = plan.hand[1] = -1;
            if (is_taken(&plan, job->end[a]) || is_taken(&plan, job->end[b])) continue;
            plan.hand[0] = job->end[a];
            plan.hand[1] = job->end[b];
            plan.pelvis = middle_of(job, plan.foot[0], plan.foot[1], plan.hand[0]);
            plan.chest = middle_of(job, plan.hand[0], plan.hand[1], plan.foot[0]);
            double leg = 0, cost = legs_cost(job, &plan, &leg);
            if (cost < best->cost) cost += arms_cost(job, &plan, leg);
            if (cost < best->cost) try_heads(job, plan, cost, leg, best);
        }
}

static void try_all(const plan_job *job, plan_best *best)
{
    static const snw__body_plan none = {false, -1, -1, -1, {-1, -1}, {-1, -1}};
    best->cost = PLAN_COST_MAX;
    best->plan = none;
    for (int a = 0; a < job->end_count; a++)
        for (int b = 0; b < a; b++) {
            snw__body_plan plan = none;
            plan.foot[0] = job->end[a];
            plan.foot[1] = job->end[b];
            /* The middle of the way between two ends. */
            double length;
            int steps = way_between(job, plan.foot[0], plan.foot[1], &length),
                deeper = depth_of(job, plan.foot[0]) >= depth_of(job, plan.foot[1]);
            int at = deeper ? plan.foot[0] : plan.foot[1];
            for (int k = 0; k < steps / 2 && job->tree->parent[at] >= 0; k++)
                at = job->tree->parent[at];
            plan.pelvis = at;
            double leg;
            if (snw_vec3_length2(job->tree->up) > 0)
                keep(best, &plan, legs_cost(job, &plan, &leg) + PLAN_NO_ARMS);
            try_arms(job, plan, best);
        }
}

/* ---- memory ------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    plan_job *job = object;
    size_t n = (size_t)job->segment_count, all = snw__size_mul(n, n);
    job->apart = snw__block_take(block, all, sizeof(double));
    job->above = snw__block_take(block, all, sizeof(double));
    job->place = snw__block_take(block, n, sizeof(snw_vec3));
    job->count = snw__block_take(block, all, sizeof(int));
    job->degree = snw__block_take(block, n, sizeof(int));
    job->end = snw__block_take(block, n, sizeof(int));
    job->is_seen = snw__block_take(block, n, sizeof(bool));
}

snw_status snw__body_plan_find(const snw__plan_tree *tree, const snw_allocator *allocator,
                               snw__body_plan *plan, snw_error *error)
{
    plan_job job;
    memset(&job, 0, sizeof job);
    job.tree = tree;
    job.segment_count = tree->rigids->segment_count;
    snw_allocator memory_of = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &job, &memory_of, "recognising a body", error);
    if (status != SNW_OK) return status;
    look(&job);
    /* Leaves out the shortest twigs. */
    while (job.end_count > PLAN_ENDS) {
        int least = 0;
        double shortest = HUGE_VAL;
        for (int e = 0; e < job.end_count; e++) {
            int l = job.end[e], up = job.tree->parent[l];
            double twig = up >= 0 ? job.apart[l * job.segment_count + up] : HUGE_VAL;
            if (twig >= shortest) continue;
            shortest = twig;
            least = e;
        }
        job.end[least] = job.end[--job.end_count];
    }
    plan_best best;
    try_all(&job, &best);
    *plan = best.plan;
    snw__block_release(&memory_of, &block);
    return SNW_OK;
}
