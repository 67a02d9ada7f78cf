/* The tree of segments: every pair is tried as a joint, the best ones that connect all are kept
 * (Prim 1957; Kirk, O'Brien & Forsyth 2005 grow a skeleton from markers in the same way). */
#include "calibrate/joint_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/body_names.h"
#include "calibrate/bone_parents.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/underdetermined.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* ---- capture bodies ----------------------------------------------------------------------------
 */

/* Which of several bodies is number one. A table may have more markers than any segment of the
 * person beside it, and stand first in the file: what has joints comes first. Actors keep the order
 * of the file, whose markers come and go, so that one person has the same number in all trials. */

/* One body, as it was found. */
typedef struct snw__capture_body {
    int number;        /* in the order in which they were found */
    int start;         /* the segment from which it was grown */
    int root;          /* the segment from which it hangs by its names; -1: grown by motion */
    int first;         /* its first segment in the capture's order */
    int segment_count; /* of it */
} snw__capture_body;

static int compare_by_place(const void *a, const void *b)
{
    const snw__capture_body *one = a, *other = b;
    return (one->first > other->first) - (one->first < other->first);
}

static int compare_by_size(const void *a, const void *b)
{
    const snw__capture_body *one = a, *other = b;
    int by_size =
        (one->segment_count < other->segment_count) - (one->segment_count > other->segment_count);
    return by_size ? by_size : compare_by_place(a, b);
}

/* Puts actors first, in the capture's order, then all else, the largest first. Returns how many
 * actors there are: bodies of FOREIGN_BODY segments and more that have at least half as many as the
 * largest; where there is none, the largest alone. */
static int capture_bodies_rank(snw__capture_body *body, int count)
{
    int actors = 0;
    if (count <= 0) return 0;
    qsort(body, (size_t)count, sizeof *body, compare_by_size);
    while (actors < count && body[actors].segment_count >= FOREIGN_BODY &&
           2 * body[actors].segment_count >= body[0].segment_count)
        actors++;
    qsort(body, (size_t)actors, sizeof *body, compare_by_place);
    return actors > 0 ? actors : 1;
}

/* Does the segment stand still in the lab, in all frames that show it? */
static bool segment_is_still(const snw__samples *samples, const snw__rigid *rigid)
{
    for (int m = 0; m < rigid->own_count; m++) {
        snw_vec3 mean = {0, 0, 0};
        double sum2 = 0;
        int count = 0;
        for (int frame = 0; frame < samples->frame_count; frame++) {
            if (!snw__samples_seen(samples, frame)[rigid->marker[m]]) continue;
            snw_vec3 at = snw__samples_points(samples, frame)[rigid->marker[m]];
            snw_vec3 off = snw_vec3_sub(at, mean);
            mean = snw_vec3_lerp(mean, at, 1.0 / ++count);
            sum2 += snw_vec3_dot(off, snw_vec3_sub(at, mean)); /* Welford 1962 */
        }
        /* Metres, rms. A marker that moves less in the whole trial stands still: more than the
         * noise of any camera, less than the sway of a person who stands. */
        if (sum2 > SNW__STILL * SNW__STILL * count) return false;
    }
    return true;
}

typedef struct tree_work {
    snw__joint_candidates candidates;
    double *under_cost;      /* (segment_count x segment_count) [parent, segment] metres */
    int *degree;             /* (segment_count) */
    int *distance;           /* (segment_count) */
    int *known;              /* (segment_count) parent by names; -1: root */
    double *noise;           /* (segment_count) of the segments before any was joined */
    snw__capture_body *body; /* (segment_count) those found so far */
    snw__underdetermined_work under;
} tree_work;

typedef struct tree_job {
    const snw__samples *samples;
    snw__rigids *rigids;
    const snw_segments *segments;
    const snw__joint_markers *joint; /* (segment_count) */
    const int *given;                /* (segment_count) parents, or NULL */
    snw__joint_tree *tree;
    tree_work work;
    int judged_count;   /* segments of the tree from which underdetermined segments were tried */
    bool is_judged;     /* all pairs of segments are */
    bool *has_own_turn; /* (segment_count) three markers and more, not in a line */
} tree_job;

/* ---- growing ------------------------------------------------------------------------------ */

static bool is_in(const snw__joint_tree *tree, int segment)
{
    return tree->parent[segment] != SNW_TREE_FREE;
}

static void put(snw__joint_tree *tree, int segment, int parent)
{
    tree->parent[segment] = parent;
    tree->order[tree->joined_count++] = segment;
}

/* Joins an underdetermined segment to a segment of the tree. */
static void put_underdetermined(tree_job *job, int segment, int parent)
{
    snw__segment_pair *pair = job->tree->pair + segment;
    snw__rigid *under = job->rigids->segment + segment;
    const snw__rigid *up = job->rigids->segment + parent;
    snw__underdetermined_candidate(job->samples, under, up, &job->work.under, pair);
    snw__joint_markers_shrink(job->samples, job->joint + segment, up, under, pair);
    snw__underdetermined_join(job->samples, under, up, pair);
    put(job->tree, segment, parent);
}

/* Prim: takes in segments with a turn of their own, the cheapest first, whose joint holds. */
static void grow_rigid(tree_job *job, double residual_max)
{
    snw__joint_tree *tree = job->tree;
    int n = tree->segment_count;
    for (;;) {
        int from = -1, to = -1;
        double best = HUGE_VAL;
        for (int k = 0; k < tree->joined_count; k++)
            for (int l = 0; l < n; l++) {
                if (is_in(tree, l) || !job->has_own_turn[l]) continue;
                double cost = snw__joint_candidate_cost(&job->work.candidates, tree->order[k], l);
                if (!(cost < best) ||
                    !(job->work.candidates.residual[tree->order[k] * n + l] < residual_max))
                    continue;
                if (snw__joint_candidate_is_foreign(&job->work.candidates, tree->parent,
                                                    tree->order[k], l))
                    continue;
                best = cost;
                from = tree->order[k];
                to = l;
            }
        if (to < 0) return;
        put(tree, to, from);
    }
}

/* A segment has come into the tree: what can be joined to it? */
static void judge_from(tree_job *job, int from)
{
    snw__joint_tree *tree = job->tree;
    const snw__rigid *parent = job->rigids->segment + from;
    for (int l = 0; l < tree->segment_count; l++) {
        double *cost = job->work.under_cost + from * tree->segment_count + l;
        snw__segment_pair pair;
        *cost = HUGE_VAL;
        if (is_in(tree, l) || parent->marker_count < 2) continue;
        if (!job->has_own_turn[l]) {
            *cost = snw__underdetermined_candidate(job->samples, job->rigids->segment + l, parent,
                                                   &job->work.under, &pair);
            if (snw__joint_is_far(&job->work.candidates, parent, pair.in_first)) *cost = HUGE_VAL;
        } else if (!job->has_own_turn[from])
            snw__joint_candidates_judge(
                &job->work.candidates, from,
                l); /* two markers and the joint make a frame: segments beyond may fit */
    }
}

/* Takes in the underdetermined segment that fits best; false when none does. */
static bool grow_underdetermined(tree_job *job)
{
    snw__joint_tree *tree = job->tree;
    int from = -1, to = -1;
    double best = SNW__JOINT_RESIDUAL_MAX;
    while (job->judged_count < tree->joined_count)
        judge_from(job, tree->order[job->judged_count++]);
    for (int l = 0; l < tree->segment_count; l++)
        for (int k = 0; k < tree->joined_count && !is_in(tree, l); k++) {
            double cost = job->work.under_cost[tree->order[k] * tree->segment_count + l];
            if (cost >= best) continue;
            best = cost;
            from = tree->order[k];
            to = l;
        }
    if (to < 0) return false;
    put_underdetermined(job, to, from);
    return true;
}

/* ---- known bodies ------------------------------------------------------------------------- */

/* The first root that is free, where the user or the names of all segments tell the body and the
 * root has a turn of its own. Fills work.known. */
static int known_root(const tree_job *job)
{
    if (!job->given && !snw__bone_parents(job->segments, job->tree->is_still, job->work.known))
        return -1;
    if (job->given)
        memcpy(job->work.known, job->given, (size_t)job->segments->segment_count * sizeof(int));
    for (int l = 0; l < job->segments->segment_count; l++)
        if (job->work.known[l] == SNW_TREE_ROOT && job->tree->parent[l] == SNW_TREE_FREE)
            return job->has_own_turn[l] ? l : -1;
    return -1;
}

/* ---- memory ------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw__joint_tree *tree = object;
    size_t n = (size_t)tree->segment_count;
    snw__block_take(block, 1, sizeof *tree);
    tree->order = snw__block_take(block, n, sizeof(int));
    tree->parent = snw__block_take(block, n, sizeof(int));
    tree->body = snw__block_take(block, n, sizeof(int));
    tree->is_still = snw__block_take(block, n, sizeof(bool));
    tree->pair = snw__block_take(block, n, sizeof(snw__segment_pair));
    tree->alternative = snw__block_take(block, n, sizeof(snw__alternative));
}

static void lay_out_work(void *object, snw__block *block)
{
    tree_job *job = object;
    size_t n = (size_t)job->tree->segment_count;
    tree_work *work = &job->work;
    snw__joint_candidates_lay_out(&work->candidates, block);
    work->under_cost = snw__block_take(block, snw__size_mul(n, n), sizeof(double));
    work->degree = snw__block_take(block, n, sizeof(int));
    work->distance = snw__block_take(block, n, sizeof(int));
    work->known = snw__block_take(block, n, sizeof(int));
    work->noise = snw__block_take(block, n, sizeof(double));
    work->body = snw__block_take(block, n, sizeof(snw__capture_body));
    /* Frames that an underdetermined segment is judged from. */
    work->under.sample_max = JUDGED_FRAMES;
    size_t places = (size_t)JUDGED_FRAMES * SNW__UNDERDETERMINED_MARKERS;
    work->under.marker = snw__block_take(block, places, sizeof(snw_vec3));
    job->has_own_turn = snw__block_take(block, n, sizeof(bool));
}

/* The segment from which the tree hangs: by its name, by the shape of a person, else by degree. */
static snw_status find_root(tree_job *job, int *root, snw_error *error)
{
    snw__joint_tree *tree = job->tree;
    tree->plan.is_person = false;
    *root = snw__tree_choose_root(tree, job->segments, job->work.degree, job->work.distance);
    if (!snw__segments_are_nameless(job->segments)) return SNW_OK;
    snw__plan_tree seen = {job->samples, job->rigids, tree->parent, tree->up};
    snw_status status = snw__body_plan_find(&seen, &tree->allocator, &tree->plan, error);
    if (status == SNW_OK && tree->plan.is_person) *root = tree->plan.pelvis;
    return status;
}

/* Hangs the tree from `root`, if that can be. */
static bool hang_if_clear(tree_job *job, int root)
{
    /* An underdetermined segment has its poses from its parent: it must not become the parent's
     * parent. */
    bool is_clear = true;
    for (int at = root; at >= 0; at = job->tree->parent[at])
        is_clear &= job->has_own_turn[at];
    if (is_clear) snw__tree_hang_from(job->tree, root);
    return is_clear;
}

/* Names for segments of a given tree that have none: those of a person, where its pelvis is the
 * root.
 */
static snw_status find_given_plan(tree_job *job, int root, snw_error *error)
{
    int pelvis;
    snw_status status = find_root(job, &pelvis, error);
    if (pelvis != root) job->tree->plan.is_person = false;
    return status;
}

/* Grows the body; one that was grown before, from where it began then. */
static snw_status grow(tree_job *job, snw__capture_body *body, snw_error *error)
{
    int start = body->start, root = body->root >= 0 ? body->root : known_root(job);
    if (root < 0 && job->given)
        return snw__fail(error, SNW_DEGENERATE,
                         "the given tree has no root with three markers of its own, not in a line");
    body->root = root;
    if (root >= 0) {
        /* Outwards along the known body. */
        put(job->tree, root, SNW_TREE_ROOT);
        for (int k = 0; k < job->tree->joined_count; k++) {
            int up = job->tree->order[k];
            for (int l = 0; l < job->tree->segment_count; l++) {
                if (is_in(job->tree, l) || job->work.known[l] != up) continue;
                if (job->has_own_turn[l])
                    put(job->tree, l, up);
                else
                    put_underdetermined(job, l, up);
            }
        }
        return job->given ? find_given_plan(job, root, error) : SNW_OK;
    }
    if (!job->is_judged) snw__joint_candidates_judge_all(&job->work.candidates);
    job->is_judged = true;
    put(job->tree, start, SNW_TREE_ROOT);
    do
        grow_rigid(job, SNW__JOINT_RESIDUAL_MAX);
    while (grow_underdetermined(job));
    do
        grow_rigid(job, TREE_RESIDUAL_MAX);
    while (grow_underdetermined(job));
    snw_status status = find_root(job, &root, error);
    if (status != SNW_OK) return status;
    hang_if_clear(job, root);
    snw__alternatives_find(&job->work.candidates, job->tree);
    return SNW_OK;
}

/* The user's root, once the requested body stands. */
static snw_status hang_from_requested(tree_job *job, const char *name, snw_error *error)
{
    const snw__joint_tree *tree = job->tree;
    for (int k = 0; k < tree->joined_count; k++) {
        int segment = tree->order[k];
        if (strcmp(job->segments->segment[segment].name, name) != 0) continue;
        if (hang_if_clear(job, segment)) return SNW_OK;
        return snw__fail(
            error, SNW_DEGENERATE,
            "the body cannot hang from %s: a segment needs three markers of its own, not "
            "in a line, to be the root or next to it",
            name);
    }
    return snw__fail(error, SNW_NOT_FOUND, "the body has no segment called %s", name);
}

/* ---- several bodies ------------------------------------------------------------------------ */

/* The body that was grown takes its segments with it. */
static void set_body_apart(tree_job *job)
{
    snw__joint_tree *tree = job->tree;
    for (int k = 0; k < tree->joined_count; k++)
        tree->parent[tree->order[k]] = SNW__TREE_EARLIER;
    tree->joined_count = job->judged_count = 0;
}

/* Grows a body and gives its segments a number. */
static snw_status grow_numbered(tree_job *job, snw__capture_body *body, int number,
                                snw_error *error)
{
    snw__joint_tree *tree = job->tree;
    set_body_apart(job);
    snw_status status = grow(job, body, error);
    body->segment_count = tree->joined_count;
    body->first = tree->segment_count;
    for (int k = 0; k < tree->joined_count; k++) {
        tree->body[tree->order[k]] = number;
        if (tree->order[k] < body->first) body->first = tree->order[k];
    }
    return status;
}

/* Is there another body? A given tree holds those of its roots. */
static int next_start(const tree_job *job)
{
    if (job->given && job->tree->body_count > 0) return known_root(job);
    /* The free segment with most markers that has a turn of its own; -1 if there is none. */
    int best = -1;
    for (int l = 0; l < job->rigids->segment_count; l++)
        if (job->has_own_turn[l] && job->tree->parent[l] == SNW_TREE_FREE &&
            (best < 0 ||
             job->rigids->segment[l].marker_count > job->rigids->segment[best].marker_count))
            best = l;
    return best;
}

/* Grows body after body, until no segment with a turn of its own is free, and ranks them. */
static snw_status survey(tree_job *job, snw_error *error)
{
    snw__joint_tree *tree = job->tree;
    snw_status status = SNW_OK;
    for (int start; status == SNW_OK && (start = next_start(job)) >= 0;) {
        snw__capture_body *body = job->work.body + tree->body_count++;
        *body = (snw__capture_body){tree->body_count - 1, start, -1, 0, 0};
        status = grow_numbered(job, body, body->number, error);
    }
    if (status != SNW_OK) return status;
    if (tree->body_count == 0)
        return snw__fail(error, SNW_DEGENERATE,
                         "no segment has three markers, not in a line, that are seen together");
    tree->actor_count = capture_bodies_rank(job->work.body, tree->body_count);
    for (int l = 0; l < tree->segment_count; l++)
        for (int b = 0; b < tree->body_count; b++)
            if (tree->body[l] == job->work.body[b].number) {
                tree->body[l] = b;
                break;
            }
    return SNW_OK;
}

/* Body after body in their order, until the requested one stands. */
static snw_status grow_in_order(tree_job *job, int part, snw_error *error)
{
    snw_status status = SNW_OK;
    set_body_apart(job);
    /* All segments are free again, and those without a turn of their own have no poses. */
    for (int l = 0; l < job->tree->segment_count; l++) {
        snw__rigid *rigid = job->rigids->segment + l;
        job->tree->parent[l] = SNW_TREE_FREE;
        job->tree->alternative[l].margin = HUGE_VAL;
        rigid->noise = job->work.noise[l];
        if (job->has_own_turn[l]) continue;
        rigid->posed_count = 0;
        for (int frame = 0; frame < job->samples->frame_count; frame++)
            rigid->pose[frame].seen_count = 0;
    }
    job->is_judged = false;
    for (int b = 0; b <= part && status == SNW_OK; b++)
        status = grow_numbered(job, job->work.body + b, b, error);
    return status;
}

/* The requested body, of all that there are. */
static snw_status grow_part(tree_job *job, const snw__tree_request *request, snw_error *error)
{
    snw__joint_tree *tree = job->tree;
    int still = 0, turning = 0;
    for (int l = 0; l < tree->segment_count; l++) {
        const snw__rigid *rigid = job->rigids->segment + l;
        tree->parent[l] = SNW_TREE_FREE;
        tree->body[l] = -1;
        tree->alternative[l].margin = HUGE_VAL;
        job->has_own_turn[l] = snw__rigid_has_rotation(rigid);
        job->work.noise[l] = rigid->noise;
        tree->is_still[l] = segment_is_still(job->samples, rigid);
        turning += job->has_own_turn[l];
        still += job->has_own_turn[l] && tree->is_still[l];
    }
    /* Where most stand still nobody moves, and stillness tells nothing. */
    for (int l = 0; l < tree->segment_count && 2 * still > turning; l++)
        tree->is_still[l] = false;
    snw_status status = survey(job, error);
    if (status != SNW_OK) return status;
    if (request->part >= tree->body_count)
        return snw__fail(error, SNW_NOT_FOUND, "there is no body number %d: %d %s found",
                         request->part + 1, tree->body_count,
                         tree->body_count == 1 ? "was" : "were");
    if (tree->body_count > 1) status = grow_in_order(job, request->part, error);
    if (status == SNW_OK && request->root) status = hang_from_requested(job, request->root, error);
    if (status == SNW_OK) {
        /* The joints in full, once the tree is known. */
        /* Newton steps for a joint that was chosen. */
        snw__segment_pair_effort effort = {1, TREE_ROUNDS};
        for (int k = 1; k < tree->joined_count; k++) {
            int l = tree->order[k];
            const snw__rigid *up = job->rigids->segment + tree->parent[l];
            if (!job->has_own_turn[l]) continue;
            if (!snw__segment_pair_find(up, job->rigids->segment + l, job->samples->frame_count,
                                        &effort, tree->pair + l))
                tree->pair[l].deviation[0] = tree->pair[l].deviation[1] = TREE_RESIDUAL_MAX;
            snw__joint_markers_shrink(job->samples, job->joint + l, up, job->rigids->segment + l,
                                      tree->pair + l);
        }
    }
    return status;
}

static snw_status connect(snw__joint_tree *tree, const snw__segments_seen *seen,
                          const snw__tree_request *request, snw_error *error)
{
    tree_job job;
    memset(&job, 0, sizeof job);
    job.samples = seen->samples;
    job.rigids = seen->rigids;
    job.segments = seen->segments;
    job.joint = seen->joint;
    job.given = request->parent;
    job.tree = tree;
    job.work.candidates.samples = seen->samples;
    job.work.candidates.rigids = seen->rigids;
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_work, &job, &tree->allocator, "joining segments", error);
    if (status != SNW_OK) return status;
    status = grow_part(&job, request, error);
    snw__block_release(&tree->allocator, &block);
    return status;
}

snw_status snw__joint_tree_create(const snw__segments_seen *seen, const snw__tree_request *request,
                                  const snw_allocator *allocator, snw__joint_tree **out,
                                  snw_error *error)
{
    *out = NULL;
    snw__joint_tree sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.segment_count = seen->segments->segment_count;
    sketch.allocator = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &sketch, &sketch.allocator,
                                          "the tree of segments", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    snw__joint_tree *tree = (void *)block.base;
    *tree = sketch;
    tree->up = request->up;
    status = connect(tree, seen, request, error);
    if (status != SNW_OK) {
        snw__joint_tree_destroy(tree);
        return status;
    }
    *out = tree;
    return SNW_OK;
}

void snw__joint_tree_destroy(snw__joint_tree *tree)
{
    if (!tree) return;
    snw_allocator allocator = tree->allocator;
    snw__release(&allocator, tree, tree->block_size);
}
