/* The tree is built from the top: triangles of a node are split at the median of their middles
 * along the longest side of the box of those middles. */
#include "solid/mesh_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"

enum {
    TREE_LEAF = 4,
    TREE_DEPTH = 64 /* twice what halving of 2^31 triangles needs */
};

static void lay_out(void *object, snw__block *block)
{
    snw__mesh_tree *tree = (snw__mesh_tree *)object;
    size_t triangles = (size_t)tree->mesh->count.triangle_count;
    tree->order = (int *)snw__block_take(block, triangles, sizeof(int));
    tree->node = (snw__mesh_node *)snw__block_take(block, 2 * triangles + 1, sizeof *tree->node);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void triangle_box(const snw_mesh *mesh, int t, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        snw_vec3 p = mesh->vertex[mesh->triangle[t][k]];
        const double x[3] = {p.x, p.y, p.z};
        for (int d = 0; d < 3; d++) {
            low[d] = k ? fmin(low[d], x[d]) : x[d];
            high[d] = k ? fmax(high[d], x[d]) : x[d];
        }
    }
}

/* Rounded outwards: 1.2e-7 is twice what rounding to a float changes, 1e-44 the same of the
 * smallest ones. */
static float below(double x)
{
    return (float)(x - 1.2e-7 * fabs(x) - 1e-44);
}

static float above(double x)
{
    return (float)(x + 1.2e-7 * fabs(x) + 1e-44);
}

/* ---- building -------------------------------------------------------------------------------- */

static double middle_of(const snw_mesh *mesh, int t, int axis)
{
    double low[3], high[3];
    triangle_box(mesh, t, low, high);
    return low[axis] / 2 + high[axis] / 2;
}

/* Hoare's selection: order[middle] gets what sorting would put there. Ties fall to both sides, so
 * equal middles do not make it slow. */
static void select_median(const snw__mesh_tree *tree, int from, int to, int middle, int axis)
{
    int *order = tree->order;
    int low = from, high = to - 1;
    while (low < high) {
        double pivot = middle_of(tree->mesh, order[low + (high - low) / 2], axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle_of(tree->mesh, order[i], axis) < pivot)
                i++;
            while (middle_of(tree->mesh, order[j], axis) > pivot)
                j--;
            if (i > j) break;
            int keep = order[i];
            order[i++] = order[j];
            order[j--] = keep;
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static void build(snw__mesh_tree *tree)
{
    struct {
        int node, from, to;
    } stack[TREE_DEPTH];
    int depth = 0;
    tree->node_count = 1;
    stack[depth].node = 0;
    stack[depth].from = 0;
    stack[depth++].to = tree->mesh->count.triangle_count;
    while (depth) {
        int at = stack[--depth].node, from = stack[depth].from, to = stack[depth].to;
        snw__mesh_node *node = tree->node + at;
        double span[3];
        double middle_low[3] = {0, 0, 0}, middle_high[3] = {0, 0, 0};
        for (int n = from; n < to; n++) {
            double low[3], high[3];
            triangle_box(tree->mesh, tree->order[n], low, high);
            for (int d = 0; d < 3; d++) {
                double middle = low[d] / 2 + high[d] / 2;
                node->low[d] = n > from ? fminf(node->low[d], below(low[d])) : below(low[d]);
                node->high[d] = n > from ? fmaxf(node->high[d], above(high[d])) : above(high[d]);
                middle_low[d] = n > from ? fmin(middle_low[d], middle) : middle;
                middle_high[d] = n > from ? fmax(middle_high[d], middle) : middle;
            }
        }
        for (int d = 0; d < 3; d++)
            span[d] = middle_high[d] - middle_low[d];
        if (to - from <= TREE_LEAF) {
            node->first = from;
            node->count = to - from;
            continue;
        }
        int axis = span[1] > span[0] ? 1 : 0, middle = from + (to - from) / 2;
        if (span[2] > span[axis]) axis = 2;
        select_median(tree, from, to, middle, axis);
        node->first = tree->node_count;
        node->count = 0;
        stack[depth].node = tree->node_count++;
        stack[depth].from = from;
        stack[depth++].to = middle;
        stack[depth].node = tree->node_count++;
        stack[depth].from = middle;
        stack[depth++].to = to;
    }
}

snw_status snw__mesh_tree_create(const snw_mesh *mesh, const snw_allocator *allocator,
                                 snw__mesh_tree *tree, snw_error *error)
{
    memset(tree, 0, sizeof *tree);
    tree->mesh = mesh;
    tree->allocator = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, tree, &tree->allocator, "a tree of triangles", error);
    if (status != SNW_OK) return status;
    tree->size = block.size;
    for (int t = 0; t < mesh->count.triangle_count; t++)
        tree->order[t] = t;
    if (mesh->count.triangle_count) build(tree);
    return SNW_OK;
}

void snw__mesh_tree_release(snw__mesh_tree *tree)
{
    snw__release(&tree->allocator, tree->order, tree->size);
    tree->order = NULL;
}

/* ---- crossings ------------------------------------------------------------------------------- */

/* Six times the volume of a b c d; its sign says on which side of a b c the point d is. */
static double side(snw_vec3 a, snw_vec3 b, snw_vec3 c, snw_vec3 d)
{
    snw_vec3 u = snw_vec3_sub(b, a), v = snw_vec3_sub(c, a);
    return snw_vec3_dot(snw_vec3_cross(u, v), snw_vec3_sub(d, a));
}

/* Whether the open segment p q passes through the inside of the triangle. */
static bool pierces(snw_vec3 p, snw_vec3 q, const snw_vec3 t[3])
{
    double from = side(t[0], t[1], t[2], p), to = side(t[0], t[1], t[2], q);
    if (!(from * to < 0)) return false;
    double a = side(p, q, t[0], t[1]), b = side(p, q, t[1], t[2]), c = side(p, q, t[2], t[0]);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

static bool triangles_cross(const snw_mesh *mesh, int a, int b)
{
    snw_vec3 s[3], t[3];
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangle[a][j] == mesh->triangle[b][k]) return false;
    for (int k = 0; k < 3; k++) {
        s[k] = mesh->vertex[mesh->triangle[a][k]];
        t[k] = mesh->vertex[mesh->triangle[b][k]];
    }
    for (int k = 0; k < 3; k++)
        if (pierces(s[k], s[(k + 1) % 3], t) || pierces(t[k], t[(k + 1) % 3], s)) return true;
    return false;
}

static bool boxes_meet(const float low[3], const float high[3], const snw__mesh_node *node)
{
    for (int d = 0; d < 3; d++)
        if (low[d] > node->high[d] || high[d] < node->low[d]) return false;
    return true;
}

int snw__mesh_tree_crossings(const snw__mesh_tree *tree, int first[2])
{
    const snw_mesh *mesh = tree->mesh;
    int count = 0, stack[TREE_DEPTH];
    first[0] = first[1] = -1;
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        double box[2][3];
        float low[3], high[3];
        triangle_box(mesh, t, box[0], box[1]);
        for (int d = 0; d < 3; d++) {
            low[d] = below(box[0][d]);
            high[d] = above(box[1][d]);
        }
        int depth = 0;
        stack[depth++] = 0;
        while (depth) {
            const snw__mesh_node *node = tree->node + stack[--depth];
            if (!boxes_meet(low, high, node)) continue;
            if (!node->count) {
                stack[depth++] = node->first;
                stack[depth++] = node->first + 1;
            }
            for (int n = 0; n < node->count; n++) {
                int other = tree->order[node->first + n];
                if (other <= t || !triangles_cross(mesh, t, other)) continue;
                if (first[0] < 0 || (first[0] == t && other < first[1])) {
                    first[0] = t;
                    first[1] = other;
                }
                count++;
            }
        }
    }
    return count;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Moeller and Trumbore (1997); 2 where there is none. */
static double line_triangle(const snw_mesh *mesh, int t, snw_vec3 a, snw_vec3 d)
{
    const int *c = mesh->triangle[t];
    snw_vec3 o = mesh->vertex[c[0]];
    snw_vec3 u = snw_vec3_sub(mesh->vertex[c[1]], o), v = snw_vec3_sub(mesh->vertex[c[2]], o);
    snw_vec3 p = snw_vec3_cross(d, v), to = snw_vec3_sub(a, o);
    double determinant = snw_vec3_dot(u, p);
    if (!(fabs(determinant) > 0)) return 2;
    double s = snw_vec3_dot(to, p) / determinant;
    snw_vec3 q = snw_vec3_cross(to, u);
    double r = snw_vec3_dot(d, q) / determinant;
    if (!(s >= 0 && r >= 0 && s + r <= 1)) return 2;
    double way = snw_vec3_dot(v, q) / determinant;
    return way >= 0 ? way : 2;
}

double snw__mesh_tree_ray(const snw__mesh_tree *tree, snw_vec3 a, snw_vec3 b, int skip)
{
    snw_vec3 d = snw_vec3_sub(b, a);
    const double start[3] = {a.x, a.y, a.z}, inverse[3] = {1 / d.x, 1 / d.y, 1 / d.z};
    double nearest = 2;
    int stack[TREE_DEPTH], depth = 0;
    if (tree->node_count) stack[depth++] = 0;
    while (depth) {
        const snw__mesh_node *node = tree->node + stack[--depth];
        /* Does the line a + s d, 0 <= s <= nearest, meet the box? The slabs of Kay and Kajiya
         * (1986). */
        double from = 0, to = fmin(nearest, 1);
        for (int k = 0; k < 3; k++) {
            double one = ((double)node->low[k] - start[k]) * inverse[k];
            double two = ((double)node->high[k] - start[k]) * inverse[k];
            /* NaN: the line lies in the face of the slab, which cuts nothing. */
            if (isnan(one) || isnan(two)) continue;
            from = fmax(from, fmin(one, two));
            to = fmin(to, fmax(one, two));
        }
        if (!(from <= to)) continue;
        if (!node->count) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
        for (int n = 0; n < node->count; n++) {
            int t = tree->order[node->first + n];
            const int *c = tree->mesh->triangle[t];
            if (skip >= 0 && (c[0] == skip || c[1] == skip || c[2] == skip)) continue;
            nearest = fmin(nearest, line_triangle(tree->mesh, t, a, d));
        }
    }
    return nearest;
}

/* ---- distances ------------------------------------------------------------------------------- */

static double box_distance2(const snw__mesh_node *node, const double p[3])
{
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        double off = fmax(fmax((double)node->low[d] - p[d], p[d] - (double)node->high[d]), 0);
        sum += off * off;
    }
    return sum;
}

double snw__mesh_tree_distance(const snw__mesh_tree *tree, snw_vec3 point)
{
    const double p[3] = {point.x, point.y, point.z};
    double nearest = INFINITY;
    int stack[TREE_DEPTH], depth = 0;
    if (tree->node_count) stack[depth++] = 0;
    while (depth) {
        const snw__mesh_node *node = tree->node + stack[--depth];
        if (!(box_distance2(node, p) < nearest)) continue;
        for (int n = 0; n < node->count; n++) {
            /* Squared: to the plane where the point's foot is inside, else to the edges. */
            const snw_mesh *mesh = tree->mesh;
            int t = tree->order[node->first + n];
            const int *c = mesh->triangle[t];
            const snw_vec3 v[3] = {mesh->vertex[c[0]], mesh->vertex[c[1]], mesh->vertex[c[2]]};
            snw_vec3 normal = snw_vec3_cross(snw_vec3_sub(v[1], v[0]), snw_vec3_sub(v[2], v[0]));
            double length2 = snw_vec3_dot(normal, normal), best = INFINITY;
            bool is_inside = length2 > 0;
            for (int k = 0; k < 3; k++) {
                snw_vec3 a = v[k], b = v[(k + 1) % 3];
                snw_vec3 wall = snw_vec3_cross(normal, snw_vec3_sub(b, a));
                is_inside &= snw_vec3_dot(wall, snw_vec3_sub(point, a)) >= 0;
                /* Squared, to the nearest point of a line from a to b. */
                snw_vec3 along = snw_vec3_sub(b, a), to = snw_vec3_sub(point, a);
                double square = snw_vec3_dot(along, along);
                double share = square > 0 ? fmin(fmax(snw_vec3_dot(to, along) / square, 0), 1) : 0;
                snw_vec3 off = snw_vec3_add_scaled(to, -share, along);
                best = fmin(best, snw_vec3_dot(off, off));
            }
            double off = snw_vec3_dot(normal, snw_vec3_sub(point, v[0]));
            nearest = fmin(nearest, is_inside ? off * off / length2 : best);
        }
        if (node->count) continue;
        /* The nearer child is looked at first. */
        int near = box_distance2(tree->node + node->first, p) <
                           box_distance2(tree->node + node->first + 1, p)
                       ? 0
                       : 1;
        stack[depth++] = node->first + 1 - near;
        stack[depth++] = node->first + near;
    }
    return sqrt(nearest);
}

/* Solid angles of triangles (van Oosterom and Strackee 1983). */
double snw__mesh_winding(const snw_mesh *mesh, snw_vec3 point, const int *chosen, int which)
{
    double sum = 0;
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        if (chosen && chosen[t] != which) continue;
        snw_vec3 r[3];
        double l[3];
        for (int k = 0; k < 3; k++) {
            r[k] = snw_vec3_sub(mesh->vertex[mesh->triangle[t][k]], point);
            l[k] = snw_vec3_length(r[k]);
        }
        double volume = snw_vec3_dot(r[0], snw_vec3_cross(r[1], r[2]));
        double base = l[0] * l[1] * l[2] + snw_vec3_dot(r[0], r[1]) * l[2] +
                      snw_vec3_dot(r[1], r[2]) * l[0] + snw_vec3_dot(r[2], r[0]) * l[1];
        sum += 2 * snw__atan2(volume, base);
    }
    return sum / (4 * SNW_PI);
}
