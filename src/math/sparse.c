/* Order: nested dissection (George 1973). The graph is cut by the vertices of one level of a
 * breadth-first search from a far end, those come last, and both sides are cut again; for surfaces
 * L then has O(n log n) numbers. Elimination tree and row structure: Liu (1990). Numbers: row by
 * row, each row a sparse triangular solve along the tree. */
#include "math/sparse.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"

enum {
    SPARSE_SMALL = 16, /* parts of so few rows are left as they are */
    SPARSE_DEPTH = 256 /* of parts that wait; each cut leaves one, and cuts halve */
};

typedef struct sparse_work {
    int n, entries;
    int *near_first;  /* (n + 1) neighbours of each row, both triangles */
    int *near;        /* (entries) */
    double *value;    /* (entries) of A there */
    double *diagonal; /* (n) of A */
    int *place;       /* (n) where a row of A stands in the order */
    int *part;        /* (n) number of the part that a row is in */
    int *level;       /* (n) of the search */
    int *queue;       /* (n) */
    int *parent;      /* (n) elimination tree, in the new order */
    int *mark;        /* (n) */
    double *x;        /* (n) one row of L */
} sparse_work;

/* ---- the graph --------------------------------------------------------------------------------
 */

static void lay_out_work(void *object, snw__block *block)
{
    sparse_work *work = (sparse_work *)object;
    size_t n = (size_t)work->n, entries = (size_t)work->entries;
    work->near_first = (int *)snw__block_take(block, n + 1, sizeof(int));
    work->near = (int *)snw__block_take(block, entries, sizeof(int));
    work->value = (double *)snw__block_take(block, entries, sizeof(double));
    work->diagonal = (double *)snw__block_take(block, n, sizeof(double));
    work->place = (int *)snw__block_take(block, n, sizeof(int));
    work->part = (int *)snw__block_take(block, n, sizeof(int));
    work->level = (int *)snw__block_take(block, n, sizeof(int));
    work->queue = (int *)snw__block_take(block, n, sizeof(int));
    work->parent = (int *)snw__block_take(block, n, sizeof(int));
    work->mark = (int *)snw__block_take(block, n, sizeof(int));
    work->x = (double *)snw__block_take(block, n, sizeof(double));
}

/* ---- nested dissection -------------------------------------------------------------------------
 */

/* Levels of the part from `start`; returns how many rows were reached, the last one in the queue is
 * farthest. */
static int search(sparse_work *work, int start, int part)
{
    int head = 0, tail = 0;
    work->level[start] = 0;
    work->queue[tail++] = start;
    while (head < tail) {
        int v = work->queue[head++];
        for (int p = work->near_first[v]; p < work->near_first[v + 1]; p++) {
            int w = work->near[p];
            if (work->part[w] != part || work->level[w] >= 0) continue;
            work->level[w] = work->level[v] + 1;
            work->queue[tail++] = w;
        }
    }
    return tail;
}

static void forget_levels(sparse_work *work, const int *list, int count)
{
    for (int n = 0; n < count; n++)
        work->level[list[n]] = -1;
}

/* Which side a row falls to: 0 below the middle level, 1 above it or not reached, 2 the cut. */
static int side_of(const sparse_work *work, int v, int middle, int part)
{
    int level = work->level[v];
    if (level < 0 || level > middle) return 1;
    if (level < middle) return 0;
    for (int p = work->near_first[v]; p < work->near_first[v + 1]; p++) {
        int w = work->near[p];
        if (work->part[w] == part && work->level[w] > middle) return 2;
    }
    return 0;
}

/* list[0..count) becomes low side, high side, cut. Returns the sizes of the first two. */
static void cut_part(sparse_work *work, int *list, int count, int part, int size[2])
{
    forget_levels(work, list, count);
    int reached = search(work, list[0], part), far = work->queue[reached - 1];
    forget_levels(work, list, count);
    reached = search(work, far, part);
    /* The level of the row in the middle of the queue halves the part. */
    int middle = work->level[work->queue[reached / 2]];
    int at = 0;
    for (int side = 0; side < 3; side++) {
        int from = at;
        for (int n = 0; n < count; n++)
            if (side_of(work, list[n], middle, part) == side) work->queue[at++] = list[n];
        if (side < 2) size[side] = at - from;
    }
    memcpy(list, work->queue, (size_t)count * sizeof *list);
}

static void dissect(sparse_work *work, int *order)
{
    struct {
        int from, count;
    } waiting[SPARSE_DEPTH];
    int depth = 0, parts = 0;
    for (int v = 0; v < work->n; v++)
        order[v] = v;
    waiting[depth].from = 0;
    waiting[depth++].count = work->n;
    while (depth) {
        int from = waiting[--depth].from, count = waiting[depth].count, size[2];
        if (count <= SPARSE_SMALL || depth + 2 > SPARSE_DEPTH) continue;
        cut_part(work, order + from, count, work->part[order[from]], size);
        /* All rows near all others: nothing to cut. */
        if (size[0] == count || size[1] == count) continue;
        for (int side = 0, at = from; side < 2; at += size[side++]) {
            parts++;
            for (int n = 0; n < size[side]; n++)
                work->part[order[at + n]] = parts;
            if (!size[side]) continue;
            waiting[depth].from = at;
            waiting[depth++].count = size[side];
        }
        parts++;
        for (int n = size[0] + size[1]; n < count; n++)
            work->part[order[from + n]] = parts;
    }
}

/* ---- structure
 * ----------------------------------------------------------------------------------- */

/* Columns of row k of L: the paths in the elimination tree from the entries of the row up to k,
 * into queue[top..n). Marks are k. */
static int reach(const sparse_work *work, const int *order, int k, int *queue)
{
    int top = work->n, v = order[k];
    work->mark[k] = k;
    for (int p = work->near_first[v]; p < work->near_first[v + 1]; p++) {
        int length = 0;
        for (int i = work->place[work->near[p]]; i < k && work->mark[i] != k; i = work->parent[i]) {
            queue[length++] = i;
            work->mark[i] = k;
        }
        while (length)
            queue[--top] = queue[--length];
    }
    return top;
}

/* ---- numbers
 * --------------------------------------------------------------------------------------- */

/* Row k of L from D and the rows above it: L(1..k-1) D l = the row of A. */
static bool factor_rows(sparse_work *work, snw__sparse_factor *factor, int *fill)
{
    int n = work->n;
    double *x = work->x;
    for (int k = 0; k < n; k++) {
        fill[k] = factor->start[k];
        work->mark[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        int v = factor->order[k], top = reach(work, factor->order, k, work->queue);
        double pivot = work->diagonal[v];
        for (int p = work->near_first[v]; p < work->near_first[v + 1]; p++)
            if (work->place[work->near[p]] < k) x[work->place[work->near[p]]] += work->value[p];
        for (int t = top; t < n; t++) {
            int i = work->queue[t];
            double y = x[i], l = y / factor->diagonal[i];
            x[i] = 0;
            for (int p = factor->start[i]; p < fill[i]; p++)
                x[factor->row[p]] -= factor->value[p] * y;
            pivot -= l * y;
            factor->row[fill[i]] = k;
            factor->value[fill[i]++] = l;
        }
        if (!(pivot > SNW__ROUND_OFF * fabs(work->diagonal[v]))) return false;
        factor->diagonal[k] = pivot;
    }
    return true;
}

/* ---- all of it
 * ------------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw__sparse_factor *factor = (snw__sparse_factor *)object;
    size_t n = (size_t)factor->n;
    factor->order = (int *)snw__block_take(block, n, sizeof(int));
    factor->start = (int *)snw__block_take(block, n + 1, sizeof(int));
    factor->diagonal = (double *)snw__block_take(block, n, sizeof(double));
    factor->work = (double *)snw__block_take(block, n, sizeof(double));
}

static void lay_out_entries(void *object, snw__block *block)
{
    snw__sparse_factor *factor = (snw__sparse_factor *)object;
    size_t entries = (size_t)factor->start[factor->n];
    factor->value = (double *)snw__block_take(block, entries, sizeof(double));
    factor->row = (int *)snw__block_take(block, entries, sizeof(int));
}

static snw_status factor_all(sparse_work *work, snw__sparse_factor *factor, snw_error *error)
{
    dissect(work, factor->order);
    for (int k = 0; k < factor->n; k++)
        work->place[factor->order[k]] = k;
    /* Elimination tree by path compression in `ancestor`. */
    int *ancestor = work->level;
    for (int k = 0; k < work->n; k++) {
        work->parent[k] = ancestor[k] = -1;
        for (int p = work->near_first[factor->order[k]]; p < work->near_first[factor->order[k] + 1];
             p++)
            for (int i = work->place[work->near[p]], next; i >= 0 && i < k; i = next) {
                next = ancestor[i];
                ancestor[i] = k;
                if (next < 0) work->parent[i] = k;
            }
    }
    int64_t entries = 0;
    for (int k = 0; k < work->n; k++)
        work->mark[k] = -1;
    for (int k = 0; k < work->n; k++)
        for (int t = reach(work, factor->order, k, work->queue); t < work->n; t++) {
            factor->start[work->queue[t] + 1]++;
            entries++;
        }
    if (entries > INT32_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "a sparse factor has %lld numbers",
                         (long long)entries);
    for (int k = 0; k < factor->n; k++)
        factor->start[k + 1] += factor->start[k];
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_entries, factor, &factor->allocator,
                                          "a sparse factor", error);
    if (status != SNW_OK) return status;
    factor->entry_size = block.size;
    if (factor_rows(work, factor, work->level)) return SNW_OK;
    return snw__fail(error, SNW_SINGULAR, "a sparse matrix is not positive definite");
}

snw_status snw__sparse_factor_create(const snw__sparse *a, const snw_allocator *allocator,
                                     snw__sparse_factor *factor, snw_error *error)
{
    memset(factor, 0, sizeof *factor);
    factor->n = a->n;
    factor->allocator = snw__allocator_or_default(allocator);
    sparse_work work = {.n = a->n};
    int64_t entries = 2 * ((int64_t)a->start[a->n] - a->n);
    if (entries > INT32_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "a sparse matrix has %lld numbers",
                         (long long)entries);
    work.entries = (int)(entries > 0 ? entries : 0);
    snw__block block, room;
    snw_status status =
        snw__block_create(&block, lay_out, factor, &factor->allocator, "a sparse factor", error);
    if (status != SNW_OK) return status;
    factor->size = block.size;
    status =
        snw__block_create(&room, lay_out_work, &work, &factor->allocator, "a sparse matrix", error);
    if (status == SNW_OK) {
        int *first = work.near_first, *fill = work.mark;
        for (int j = 0; j < a->n; j++)
            for (int p = a->start[j]; p < a->start[j + 1]; p++)
                if (a->row[p] != j) {
                    first[j + 1]++;
                    first[a->row[p] + 1]++;
                }
        for (int j = 0; j < a->n; j++) {
            first[j + 1] += first[j];
            fill[j] = first[j];
        }
        for (int j = 0; j < a->n; j++)
            for (int p = a->start[j]; p < a->start[j + 1]; p++) {
                int i = a->row[p];
                if (i == j) {
                    work.diagonal[j] += a->value[p];
                    continue;
                }
                work.near[fill[j]] = i;
                work.value[fill[j]++] = a->value[p];
                work.near[fill[i]] = j;
                work.value[fill[i]++] = a->value[p];
            }
        status = factor_all(&work, factor, error);
        snw__block_release(&factor->allocator, &room);
    }
    if (status != SNW_OK) snw__sparse_factor_release(factor);
    return status;
}

void snw__sparse_factor_release(snw__sparse_factor *factor)
{
    snw__release(&factor->allocator, factor->order, factor->size);
    if (factor->value) snw__release(&factor->allocator, factor->value, factor->entry_size);
    factor->order = NULL;
    factor->value = NULL;
}

void snw__sparse_solve(snw__sparse_factor *factor, double *x)
{
    double *y = factor->work;
    int n = factor->n;
    for (int k = 0; k < n; k++)
        y[k] = x[factor->order[k]];
    for (int k = 0; k < n; k++)
        for (int p = factor->start[k]; p < factor->start[k + 1]; p++)
            y[factor->row[p]] -= factor->value[p] * y[k];
    for (int k = n - 1; k >= 0; k--) {
        double sum = y[k] / factor->diagonal[k];
        for (int p = factor->start[k]; p < factor->start[k + 1]; p++)
            sum -= factor->value[p] * y[factor->row[p]];
        y[k] = sum;
    }
    for (int k = 0; k < n; k++)
        x[factor->order[k]] = y[k];
}
