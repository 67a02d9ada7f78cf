/* Weights by heat (Baran & Popovic, "Automatic rigging and animation of 3D characters", 2007): with
 * the Laplacian L of the surface, the area M of each vertex, and H = heat / d^2 where a vertex sees
 * its nearest bone at distance d, the weights of bone i solve
 *
 *   (L + M H) w_i = M H p_i        p_i = 1 at vertices whose nearest bone is i
 *
 * L is the cotangent one (Pinkall & Polthier 1993) with negative cotangents as 0, which keeps the
 * matrix an M-matrix and so every weight between 0 and 1. One factor serves all bones. */
#include <math.h>
#include <string.h>

#include <sinew/rig.h>
#include <sinew/skin.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/sparse.h"
#include "math/tolerance.h"
#include "skin/skin_bends.h"
#include "solid/mesh_edges.h"
#include "solid/mesh_tree.h"

snw_skin_options snw_skin_options_default(void)
{
    snw_skin_options options;
    memset(&options, 0, sizeof options);
    options.heat = 1;
    options.joints = 4;
    return options;
}

/* A straight bone of a joint, at rest. */
typedef struct skin_bone {
    int joint;
    snw_part part; /* whose flesh lies round it */
    snw_vec3 from, to;
} skin_bone;

typedef struct skin_work {
    const snw_mesh *mesh;
    const snw_skeleton *skeleton;
    double heat;
    int most; /* joints of a vertex */
    bool has_parts;
    bool has_bones_of[SNW_PART_COUNT];
    snw__mesh_edges edges;
    snw__mesh_tree tree;
    int bone_count;
    skin_bone *bone;  /* (2 x joints) */
    snw_xform *bind;  /* (joints) */
    int *nearest;     /* (vertices) joint */
    double *hot;      /* (vertices) M H */
    double *x;        /* (vertices) weights of one joint */
    double *next;     /* (vertices) the largest weight that has no place */
    bool *is_wanted;  /* (joints) nearest of some vertex */
    int *free_place;  /* (vertices) of each column, while it fills */
    int *start, *row; /* of the lower triangle */
    double *value;
    int entry_count;
} skin_work;

static void lay_out_work(void *object, snw__block *block)
{
    skin_work *work = (skin_work *)object;
    size_t joints = (size_t)work->skeleton->joint_count;
    size_t vertices = (size_t)work->mesh->count.vertex_count;
    size_t entries = vertices + 3 * (size_t)work->mesh->count.triangle_count;
    work->bone = (skin_bone *)snw__block_take(block, 2 * joints, sizeof *work->bone);
    work->bind = (snw_xform *)snw__block_take(block, joints, sizeof *work->bind);
    work->is_wanted = (bool *)snw__block_take(block, joints, sizeof(bool));
    work->nearest = (int *)snw__block_take(block, vertices, sizeof(int));
    work->free_place = (int *)snw__block_take(block, vertices, sizeof(int));
    work->hot = (double *)snw__block_take(block, vertices, sizeof(double));
    work->next = (double *)snw__block_take(block, vertices, sizeof(double));
    work->x = (double *)snw__block_take(block, vertices, sizeof(double));
    work->start = (int *)snw__block_take(block, vertices + 1, sizeof(int));
    work->row = (int *)snw__block_take(block, entries, sizeof(int));
    work->value = (double *)snw__block_take(block, entries, sizeof(double));
}

/* ---- bones ------------------------------------------------------------------------------------
 */

/* The part of a figure's surface that lies round the bone of a joint. */
static snw_part flesh_of(const snw_skeleton *skeleton, int joint)
{
    snw_part part = snw_rig_part_of(skeleton, joint, NULL);
    switch (part) {
    case SNW_PART_SHOULDER:
        return SNW_PART_CHEST;
    case SNW_PART_NECK:
        return SNW_PART_HEAD;
    case SNW_PART_FINGER:
        return SNW_PART_HAND;
    case SNW_PART_TOE:
        return SNW_PART_FOOT;
    default:
        return part;
    }
}

static void add_bone(skin_work *work, int joint, snw_vec3 from, snw_vec3 to)
{
    snw_part part = flesh_of(work->skeleton, joint);
    work->bone[work->bone_count++] = (skin_bone){joint, part, from, to};
    work->has_bones_of[part] = true;
}

/* The part whose bones a vertex of this part may follow: its own, or what it hangs from. */
static snw_part bones_for(const skin_work *work, int reference)
{
    bool is_part = reference > 0 && reference < SNW_PART_COUNT;
    snw_part part = work->has_parts && is_part ? (snw_part)reference : SNW_PART_NONE;
    while (part != SNW_PART_NONE && !work->has_bones_of[part])
        part = snw_part_parent(part);
    return part;
}

/* The nearest bone that the vertex sees; if it sees none, the nearest of all, without heat. */
static void find_nearest(skin_work *work, int v, double area)
{
    snw_vec3 p = work->mesh->vertex[v];
    double seen = INFINITY, any = INFINITY;
    int bone_seen = -1, bone_any = 0;
    snw_part part = bones_for(work, work->mesh->vertex_reference[v]);
    for (int b = 0; b < work->bone_count; b++) {
        const skin_bone *bone = work->bone + b;
        if (part != SNW_PART_NONE && bone->part != part) continue;
        snw_vec3 d = snw_vec3_sub(bone->to, bone->from);
        double length2 = snw_vec3_length2(d);
        double share = length2 > 0 ? snw_vec3_dot(snw_vec3_sub(p, bone->from), d) / length2 : 0;
        snw_vec3 q = snw_vec3_add_scaled(bone->from, snw_clamp(share, 0, 1), d);
        double distance = snw_vec3_distance(p, q);
        if (distance < any) {
            any = distance;
            bone_any = b;
        }
        if (distance < seen && snw__mesh_tree_ray(&work->tree, p, q, v) > 1) {
            seen = distance;
            bone_seen = b;
        }
    }
    int bone = bone_seen >= 0 ? bone_seen : bone_any;
    double near = fmax(seen, 1e-6);
    work->nearest[v] = work->bone[bone].joint;
    work->is_wanted[work->nearest[v]] = true;
    work->hot[v] = bone_seen >= 0 ? work->heat * area / (near * near) : 0;
}

/* ---- the system
 * ---------------------------------------------------------------------------------- */

/* Half the cotangent of the angle at corner k of a triangle, at least 0. */
static double half_cotangent(const snw_mesh *mesh, int t, int k)
{
    const int *c = mesh->triangle[t];
    snw_vec3 o = mesh->vertex[c[k]];
    snw_vec3 a = snw_vec3_sub(mesh->vertex[c[(k + 1) % 3]], o);
    snw_vec3 b = snw_vec3_sub(mesh->vertex[c[(k + 2) % 3]], o);
    double sine = snw_vec3_length(snw_vec3_cross(a, b)), cosine = snw_vec3_dot(a, b);
    if (!(sine > SNW__SAME * (fabs(cosine) + sine))) return 0;
    return fmax(0, cosine / sine / 2);
}

/* Whether the half-edge speaks for its edge; crowded edges speak for each of their triangles. */
static bool speaks(const skin_work *work, int half)
{
    int from = snw__half_from(work->mesh, half), to = snw__half_to(work->mesh, half);
    return from != to && (work->edges.twin[half] < 0 || half < work->edges.twin[half]);
}

/* Columns of the lower triangle; entries of crowded edges may come twice, which adds up. */
static void build_system(skin_work *work)
{
    const snw_mesh *mesh = work->mesh;
    int vertices = mesh->count.vertex_count, halves = work->edges.half_count;
    int *start = work->start;
    for (int v = 0; v <= vertices; v++)
        start[v] = 0;
    for (int v = 0; v < vertices; v++)
        start[v + 1]++;
    for (int h = 0; h < halves; h++) {
        if (!speaks(work, h)) continue;
        int a = snw__half_from(mesh, h), b = snw__half_to(mesh, h);
        start[(a < b ? a : b) + 1]++;
    }
    for (int v = 0; v < vertices; v++)
        start[v + 1] += start[v];
    for (int v = 0; v < vertices; v++) {
        work->row[start[v]] = v;
        work->value[start[v]] = work->hot[v];
        work->free_place[v] = start[v] + 1;
    }
    for (int h = 0; h < halves; h++) {
        if (!speaks(work, h)) continue;
        int a = snw__half_from(mesh, h), b = snw__half_to(mesh, h);
        int low = a < b ? a : b, high = a < b ? b : a, at = work->free_place[low];
        /* Weight of the edge of half-edge h: what both triangles (or one) say. Least of it: a
         * thread that keeps vertices together whose triangles are all obtuse. */
        double sum = half_cotangent(work->mesh, h / 3, (h + 2) % 3);
        int twin = work->edges.twin[h];
        if (twin >= 0) sum += half_cotangent(work->mesh, twin / 3, (twin + 2) % 3);
        double weight = fmax(sum, SNW__SINGLE);
        work->row[at] = high;
        work->value[at] = -weight;
        work->value[start[low]] += weight;
        work->value[start[high]] += weight;
        work->free_place[low] = at + 1;
    }
    work->entry_count = start[vertices];
}

/* ---- taking the largest
 * ----------------------------------------------------------------------------- */

/* Puts a weight into the `most` largest of a vertex, which descend; *next is the largest that has
 * no place. */
static void offer(snw_skin_vertex *vertex, int most, double *next, int joint, double weight)
{
    int k = 0;
    while (k < most && !(weight > (double)vertex->weight[k]))
        k++;
    if (k == most) {
        *next = fmax(*next, weight);
        return;
    }
    *next = fmax(*next, (double)vertex->weight[most - 1]);
    for (int n = most - 1; n > k; n--) {
        vertex->weight[n] = vertex->weight[n - 1];
        vertex->joint[n] = vertex->joint[n - 1];
    }
    vertex->weight[k] = (float)weight;
    vertex->joint[k] = (uint16_t)joint;
}

static snw_status solve_weights(skin_work *work, const snw_allocator *from, snw_skin_vertex *vertex,
                                snw_error *error)
{
    int vertices = work->mesh->count.vertex_count;
    snw__sparse matrix = {vertices, work->start, work->row, work->value};
    snw__sparse_factor factor;
    /* Parts of the surface that no bone is seen from: a breath of heat makes them definite. */
    for (int v = 0; v < vertices; v++) {
        double diagonal = work->value[work->start[v]];
        double least = SNW__SAME * fmax(diagonal, SNW__SAME);
        if (work->hot[v] < least) {
            work->value[work->start[v]] += least - work->hot[v];
            work->hot[v] = least;
        }
    }
    snw_status status = snw__sparse_factor_create(&matrix, from, &factor, error);
    if (status != SNW_OK) return status;
    for (int j = 0; j < work->skeleton->joint_count; j++) {
        if (!work->is_wanted[j]) continue;
        for (int v = 0; v < vertices; v++)
            work->x[v] = work->nearest[v] == j ? work->hot[v] : 0;
        snw__sparse_solve(&factor, work->x);
        for (int v = 0; v < vertices; v++)
            offer(vertex + v, work->most, work->next + v, j, work->x[v]);
    }
    snw__sparse_factor_release(&factor);
    for (int v = 0; v < vertices; v++) {
        /* Sum 1. What had no place is taken off all others first, and at least one in 500, so that
         * weights change without a step from vertex to vertex: a step of 0.005 is a crack of
         * millimetres. A vertex that got no heat follows its nearest bone. */
        snw_skin_vertex *own = vertex + v;
        double sum = 0, least = fmax(work->next[v], 0.002), weight[SNW_SKIN_JOINTS];
        for (int k = 0; k < SNW_SKIN_JOINTS; k++) {
            weight[k] = fmax((double)own->weight[k] - least, 0);
            sum += weight[k];
        }
        float left = 1;
        for (int k = SNW_SKIN_JOINTS - 1; k >= 0; k--) {
            bool is_kept = sum > 0 && weight[k] > 0;
            own->weight[k] = is_kept && k ? (float)(weight[k] / sum) : 0;
            if (!is_kept) own->joint[k] = 0;
            left -= own->weight[k];
        }
        own->weight[0] = left;
        if (!(sum > 0)) own->joint[0] = (uint16_t)work->nearest[v];
    }
    return SNW_OK;
}

/* ---- the skin
 * ------------------------------------------------------------------------------------------ */

static void lay_out(void *object, snw__block *block)
{
    snw_skin *skin = (snw_skin *)object;
    skin->bind =
        (const snw_xform *)snw__block_take(block, (size_t)skin->joint_count, sizeof(snw_xform));
    size_t vertices = (size_t)skin->own_mesh->count.vertex_count;
    size_t bends = (size_t)skin->bend_count;
    skin->vertex =
        (const snw_skin_vertex *)snw__block_take(block, vertices, sizeof(snw_skin_vertex));
    skin->bend = (const snw_skin_bend *)snw__block_take(block, bends, sizeof(snw_skin_bend));
    skin->shift = (const snw_skin_shift *)snw__block_take(block, bends ? vertices : 0,
                                                          sizeof(snw_skin_shift));
}

/* The skin with its copy of the mesh and no weights yet; of `like` are the numbers that it needs.
 */
static snw_status make_skin(const snw_mesh *mesh, const snw_skin *like, const snw_allocator *from,
                            snw_skin **out, snw_error *error)
{
    snw_skin *skin = (snw_skin *)snw__allocate(from, sizeof *skin);
    if (!skin) return snw__fail_memory(error, sizeof *skin, "a skin");
    skin->allocator = *from;
    skin->joint_count = like->joint_count;
    skin->most_joints = like->most_joints;
    skin->bend_count = like->bend_count;
    snw_status status = snw_mesh_copy(mesh, from, &skin->own_mesh, error);
    if (status == SNW_OK) {
        snw__block block;
        skin->mesh = skin->own_mesh;
        status = snw__block_create(&block, lay_out, skin, from, "a skin", error);
        skin->block_size = block.size;
    }
    if (status != SNW_OK) {
        snw_mesh_destroy(skin->own_mesh);
        snw__release(from, skin, sizeof *skin);
        return status;
    }
    *out = skin;
    return SNW_OK;
}

void snw_skin_destroy(snw_skin *skin)
{
    if (!skin) return;
    snw_allocator allocator = skin->allocator;
    snw_mesh_destroy(skin->own_mesh);
    snw__release(&allocator, (void *)skin->bind, skin->block_size);
    snw__release(&allocator, skin, sizeof *skin);
}

static snw_status fill_skin(skin_work *work, const snw_allocator *from, snw_skin *skin,
                            snw_error *error)
{
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_work, work, from, "the weights of a skin", error);
    if (status != SNW_OK) return status;
    status = snw__mesh_edges_create(work->mesh, from, &work->edges, error);
    if (status == SNW_OK) {
        status = snw__mesh_tree_create(work->mesh, from, &work->tree, error);
        if (status == SNW_OK) {
            const snw_mesh *mesh = work->mesh;
            /* From a joint to each joint below it, and to its tip; one that has neither is a point.
             */
            const snw_skeleton *skeleton = work->skeleton;
            for (int j = 0; j < skeleton->joint_count; j++) {
                int parent = skeleton->parent[j];
                work->bind[j] = parent < 0 ? skeleton->rest[j]
                                           : snw_xform_mul(work->bind[parent], skeleton->rest[j]);
                snw_vec3 place = work->bind[j].translation;
                if (parent >= 0) add_bone(work, parent, work->bind[parent].translation, place);
                if (skeleton->has_tip[j])
                    add_bone(work, j, place, snw_xform_point(work->bind[j], skeleton->tip[j]));
                else if (skeleton->first_child[j] < 0)
                    add_bone(work, j, place, place);
            }
            for (int t = 0; t < mesh->count.triangle_count; t++)
                for (int k = 0; k < 3; k++)
                    work->x[mesh->triangle[t][k]] +=
                        snw_vec3_length(snw__triangle_area(mesh, t)) / 3;
            for (int v = 0; v < mesh->count.vertex_count; v++)
                find_nearest(work, v, work->x[v]);
            build_system(work);
            status = solve_weights(work, from, (snw_skin_vertex *)skin->vertex, error);
            memcpy((snw_xform *)skin->bind, work->bind,
                   (size_t)skin->joint_count * sizeof *work->bind);
            snw__mesh_tree_release(&work->tree);
        }
        snw__mesh_edges_release(&work->edges);
    }
    snw__block_release(from, &block);
    return status;
}

static void lay_out_bends(void *object, snw__block *block)
{
    bends_work *work = (bends_work *)object;
    size_t vertices = (size_t)work->shift_count;
    work->normal = (snw_vec3 *)snw__block_take(block, vertices, sizeof *work->normal);
    work->place = (float *)snw__block_take(block, 3 * vertices, sizeof(float));
}

static snw_status fill_bends(const snw_skeleton *skeleton, const snw_allocator *from,
                             snw_skin *skin, snw_error *error)
{
    snw__block block;
    bends_work work = {.skeleton = skeleton,
                       .bend = (snw_skin_bend *)skin->bend,
                       .shift = (snw_skin_shift *)skin->shift,
                       .shift_count = skin->mesh->count.vertex_count};
    snw_mass_properties mass;
    snw_status status = snw_mesh_mass(skin->mesh, NULL, &mass, error);
    if (status != SNW_OK) return status;
    status = snw__block_create(&block, lay_out_bends, &work, from, "a skin's bends", error);
    if (status != SNW_OK) return status;
    status = snw_pose_create(skeleton, from, &work.pose, error);
    if (status == SNW_OK) snw__skin_bends_fill(&work, skin);
    snw_pose_destroy(work.pose);
    snw__block_release(from, &block);
    return status;
}

snw_status snw_skin_create(const snw_mesh *mesh, const snw_skeleton *skeleton,
                           const snw_skin_options *options, const snw_allocator *allocator,
                           snw_skin **out, snw_error *error)
{
    if (!out || !skeleton) return snw__fail(error, SNW_INVALID_ARGUMENT, "out or skeleton is NULL");
    *out = NULL;
    snw_skin_options how = SNW__WANTS_DEFAULTS(options) ? snw_skin_options_default() : *options;
    const snw__bounds bounds[] = {
        {"heat of the skin", how.heat, 1e-6, 1e6},
        {"joints of the skeleton", skeleton->joint_count, 1, 512},
    };
    snw_status status = snw__check_bounds(bounds, 2, error);
    if (status == SNW_OK && how.joints != 4 && how.joints != 8)
        status = snw__fail(error, SNW_INVALID_ARGUMENT, "a vertex has up to 4 or 8 joints, not %d",
                           how.joints);
    if (status == SNW_OK) status = snw__mesh_check_numbers(mesh, error);
    if (status != SNW_OK) return status;
    if (!mesh->count.triangle_count)
        return snw__fail(error, SNW_DEGENERATE, "a surface without triangles has no weights");
    snw_allocator from = snw__allocator_or_default(allocator);
    snw_skin *skin = NULL;
    const snw_skin like = {.joint_count = skeleton->joint_count,
                           .most_joints = how.joints,
                           .bend_count = how.has_bends ? snw__skin_bend_count(skeleton) : 0};
    status = make_skin(mesh, &like, &from, &skin, error);
    if (status != SNW_OK) return status;
    skin_work work = {.mesh = skin->mesh,
                      .skeleton = skeleton,
                      .heat = how.heat,
                      .most = how.joints,
                      .has_parts = how.has_parts};
    status = fill_skin(&work, &from, skin, error);
    if (status == SNW_OK && skin->bend_count) status = fill_bends(skeleton, &from, skin, error);
    if (status != SNW_OK) {
        snw_skin_destroy(skin);
        return status;
    }
    *out = skin;
    return snw__succeed(error);
}

snw_status snw_skin_create_tied(const snw_mesh *mesh, const snw_skeleton *skeleton,
                                const snw_skin_vertex *vertex, const snw_allocator *allocator,
                                snw_skin **out, snw_error *error)
{
    if (!out || !skeleton || !vertex)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "out, skeleton or vertex is NULL");
    *out = NULL;
    snw_status status = snw__mesh_check_numbers(mesh, error);
    if (status != SNW_OK) return status;
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        double sum = 0;
        for (int k = 0; k < SNW_SKIN_JOINTS; k++) {
            sum += (double)vertex[v].weight[k];
            if (vertex[v].joint[k] >= skeleton->joint_count || !(vertex[v].weight[k] >= 0))
                sum = NAN;
        }
        if (!(fabs(sum - 1) < 1e-4))
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, snw__at_name(v, NULL),
                                "vertex %d: its weights do not sum to 1, or its joints are not of "
                                "the skeleton",
                                v);
    }
    snw_allocator from = snw__allocator_or_default(allocator);
    snw_skin *skin = NULL;
    snw_skin like = {.joint_count = skeleton->joint_count, .most_joints = 4};
    for (int v = 0; v < mesh->count.vertex_count; v++)
        if (vertex[v].weight[4] > 0) like.most_joints = SNW_SKIN_JOINTS;
    status = make_skin(mesh, &like, &from, &skin, error);
    if (status != SNW_OK) return status;
    memcpy((snw_skin_vertex *)skin->vertex, vertex,
           (size_t)mesh->count.vertex_count * sizeof *vertex);
    snw_xform *bind = (snw_xform *)skin->bind;
    for (int j = 0; j < skeleton->joint_count; j++)
        bind[j] =
            j ? snw_xform_mul(bind[skeleton->parent[j]], skeleton->rest[j]) : skeleton->rest[j];
    *out = skin;
    return snw__succeed(error);
}
