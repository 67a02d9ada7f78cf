/* The tree of limbs: every pair is tried as a joint, the best ones that connect all are kept (Prim
 * 1957; Kirk, O'Brien & Forsyth 2005 grow a skeleton from markers in the same way). */
#include "mocap/topology.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

/* Frames that a candidate is judged from. */
#define TOPOLOGY_FRAMES 150
/* Metres. A centre this much farther from the nearest markers of its limbs is as bad as one more
 * unit of strain. */
#define TOPOLOGY_REACH 0.8

typedef struct topology_work {
    double *cost;  /* (limb_count x limb_count) */
    double *best;  /* (limb_count) cheapest way from the tree */
    int *from;     /* (limb_count) where that way starts */
    bool *is_in;   /* (limb_count) */
    int *degree;   /* (limb_count) */
    int *distance; /* (limb_count) */
} topology_work;

static double nearest_marker(const snw__rigid *rigid, snw_vec3 center)
{
    double nearest = HUGE_VAL;
    for (int m = 0; m < rigid->marker_count; m++)
        nearest = fmin(nearest, snw_vec3_distance(rigid->shape[m], center));
    return nearest;
}

/* Strain, dearer where the centre lies far from the two limbs. What N frames of noise alone can do
 * (a joint has strain 1 with the standard deviation 1 / sqrt(6 N)) does not count as a difference.
 */
static double candidate_cost(const snw__rigid *a, const snw__rigid *b, int frame_count)
{
    snw__pair pair;
    int stride = 1 + frame_count / TOPOLOGY_FRAMES;
    if (!snw__pair_find(a, b, frame_count, stride, &pair)) return HUGE_VAL;
    double reach = nearest_marker(a, pair.in_first) + nearest_marker(b, pair.in_second);
    double strain = fmax(pair.strain, 1 + 3 / sqrt(6.0 * pair.frame_count));
    return strain + reach / TOPOLOGY_REACH;
}

static void judge_all(const snw__rigids *rigids, int frame_count, topology_work *work)
{
    int n = rigids->limb_count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            work->cost[i * n + j] = work->cost[j * n + i] =
                candidate_cost(rigids->limb + i, rigids->limb + j, frame_count);
}

/* Prim from `start`: parents as they come. */
static int grow(int n, const snw__rigids *rigids, int start, topology_work *work, snw__tree *tree)
{
    for (int l = 0; l < n; l++) {
        work->best[l] = HUGE_VAL;
        work->from[l] = -1;
        work->is_in[l] = false;
        tree->parent[l] = -2;
    }
    int count = 0;
    for (int next = start; next >= 0;) {
        work->is_in[next] = true;
        tree->parent[next] = work->from[next];
        tree->order[count++] = next;
        int cheapest = -1;
        for (int l = 0; l < n; l++) {
            if (work->is_in[l] || !snw__rigid_has_rotation(rigids->limb + l)) continue;
            double cost = work->cost[next * n + l];
            if (cost < work->best[l]) {
                work->best[l] = cost;
                work->from[l] = next;
            }
            if (work->best[l] < HUGE_VAL && (cheapest < 0 || work->best[l] < work->best[cheapest]))
                cheapest = l;
        }
        next = cheapest;
    }
    return count;
}

/* Sum of steps from a limb to all others, from the parents of a tree in order. */
static int total_distance(const snw__tree *tree, int limb, topology_work *work)
{
    for (int l = 0; l < tree->limb_count; l++)
        work->distance[l] = -1;
    int steps = 0;
    for (int at = limb; at >= 0; at = tree->parent[at])
        work->distance[at] = steps++;
    int total = 0;
    for (int n = 0; n < tree->joined_count; n++) {
        int l = tree->order[n];
        if (work->distance[l] < 0) work->distance[l] = work->distance[tree->parent[l]] + 1;
        total += work->distance[l];
    }
    return total;
}

static bool is_root_name(const char *name)
{
    static const char *const names[] = {"hips", "hip", "pelvis", "root", "waist"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const char *a = name, *b = names[n];
        while (*a && *b && (*a | 0x20) == *b)
            a++, b++;
        if (!*a && !*b) return true;
    }
    return false;
}

/* The limb from which all others are near: branches count by degree, then by markers. */
static int choose_root(const snw__tree *tree, const snw_limbs *limbs, const char *name,
                       topology_work *work)
{
    memset(work->degree, 0, (size_t)tree->limb_count * sizeof(int));
    for (int n = 1; n < tree->joined_count; n++) {
        work->degree[tree->order[n]]++;
        work->degree[tree->parent[tree->order[n]]]++;
    }
    int best = tree->order[0];
    double best_cost = HUGE_VAL;
    for (int n = 0; n < tree->joined_count; n++) {
        int l = tree->order[n];
        if (name ? strcmp(name, limbs->limb[l].name) == 0 : is_root_name(limbs->limb[l].name))
            return l;
        double cost = total_distance(tree, l, work) - 0.01 * limbs->limb[l].marker_count +
                      (work->degree[l] < 3 ? tree->joined_count : 0);
        if (cost < best_cost) {
            best = l;
            best_cost = cost;
        }
    }
    return best;
}

/* Turns the tree so that it hangs from `root`, and sorts it again. */
static void hang_from(snw__tree *tree, int root)
{
    int above = -1;
    for (int at = root; at >= 0;) {
        int up = tree->parent[at];
        tree->parent[at] = above;
        above = at;
        at = up;
    }
    int filled = 0;
    tree->order[filled++] = root;
    for (int n = 0; n < filled; n++)
        for (int l = 0; l < tree->limb_count; l++)
            if (tree->parent[l] == tree->order[n]) tree->order[filled++] = l;
}

static size_t lay_out(snw__tree *tree, void *memory)
{
    snw__block block = {(char *)memory, 0};
    size_t n = (size_t)tree->limb_count;
    snw__block_take(&block, 1, sizeof *tree);
    tree->order = snw__block_take(&block, n, sizeof(int));
    tree->parent = snw__block_take(&block, n, sizeof(int));
    tree->pair = snw__block_take(&block, n, sizeof(snw__pair));
    return block.size;
}

static size_t lay_out_work(topology_work *work, size_t n, void *memory)
{
    snw__block block = {(char *)memory, 0};
    work->cost = snw__block_take(&block, snw__size_mul(n, n), sizeof(double));
    work->best = snw__block_take(&block, n, sizeof(double));
    work->from = snw__block_take(&block, n, sizeof(int));
    work->is_in = snw__block_take(&block, n, sizeof(bool));
    work->degree = snw__block_take(&block, n, sizeof(int));
    work->distance = snw__block_take(&block, n, sizeof(int));
    return block.size;
}

/* The limb with most markers that has a rotation; -1 if there is none. */
static int largest_limb(const snw__rigids *rigids)
{
    int best = -1;
    for (int l = 0; l < rigids->limb_count; l++)
        if (snw__rigid_has_rotation(rigids->limb + l) &&
            (best < 0 || rigids->limb[l].marker_count > rigids->limb[best].marker_count))
            best = l;
    return best;
}

static snw_status connect(snw__tree *tree, const snw__capture *capture, const snw__rigids *rigids,
                          const snw_limbs *limbs, const char *root_name, snw_error *error)
{
    int start = largest_limb(rigids);
    if (start < 0)
        return snw__fail(error, SNW_DEGENERATE,
                         "no limb has three markers, not in a line, that are seen together");
    topology_work work;
    size_t n = (size_t)tree->limb_count, size = lay_out_work(&work, n, NULL);
    void *memory = snw__allocate(&tree->allocator, size);
    if (!memory) return snw__fail_memory(error, size, "joining limbs");
    lay_out_work(&work, n, memory);
    judge_all(rigids, capture->frame_count, &work);
    tree->joined_count = grow(tree->limb_count, rigids, start, &work, tree);
    hang_from(tree, choose_root(tree, limbs, root_name, &work));
    snw__release(&tree->allocator, memory, size);
    for (int k = 1; k < tree->joined_count; k++) {
        int l = tree->order[k];
        snw__pair_find(rigids->limb + tree->parent[l], rigids->limb + l, capture->frame_count, 1,
                       tree->pair + l);
    }
    return SNW_OK;
}

snw_status snw__tree_create(const snw__capture *capture, const snw__rigids *rigids,
                            const snw_limbs *limbs, const char *root_name,
                            const snw_allocator *allocator, snw__tree **out, snw_error *error)
{
    *out = NULL;
    snw__tree sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.limb_count = rigids->limb_count;
    sketch.allocator = snw__allocator_or_default(allocator);
    sketch.block_size = lay_out(&sketch, NULL);
    void *memory = snw__allocate(&sketch.allocator, sketch.block_size);
    if (!memory) return snw__fail_memory(error, sketch.block_size, "the tree of limbs");
    lay_out(&sketch, memory);
    snw__tree *tree = memory;
    *tree = sketch;
    snw_status status = connect(tree, capture, rigids, limbs, root_name, error);
    if (status != SNW_OK) {
        snw__tree_destroy(tree);
        return status;
    }
    *out = tree;
    return SNW_OK;
}

void snw__tree_destroy(snw__tree *tree)
{
    if (!tree) return;
    snw_allocator allocator = tree->allocator;
    snw__release(&allocator, tree, tree->block_size);
}
