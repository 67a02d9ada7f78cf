/* Meshes for tests whose volumes and faults are known. */
#ifndef SNW_TESTS_SOLID_SHAPES_H
#define SNW_TESTS_SOLID_SHAPES_H

#include "check.h"

static inline snw_mesh *make_mesh(int vertices, int triangles, int tetrahedra)
{
    snw_mesh *mesh = NULL;
    snw_mesh_counts counts = {vertices, 0, triangles, tetrahedra};
    assert_int_equal(snw_mesh_create(&counts, NULL, &mesh, NULL), SNW_OK);
    return mesh;
}

/* Vertex n has the bits of n as x, y, z; the last two triangles are the side of high z. */
static inline snw_mesh *make_box(double x, double y, double z, snw_vec3 center)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5},
                                     {2, 6, 3}, {3, 6, 7}, {4, 5, 6}, {5, 7, 6}};
    snw_mesh *mesh = make_mesh(8, 12, 0);
    for (int v = 0; v < 8; v++)
        mesh->vertex[v] =
            snw_vec3_add(center, snw_vec3_make((v & 1 ? 0.5 : -0.5) * x, (v & 2 ? 0.5 : -0.5) * y,
                                               (v & 4 ? 0.5 : -0.5) * z));
    memcpy(mesh->triangle, faces, sizeof faces);
    return mesh;
}

/* Knight's figure C: a unit cube of four corners and one tetrahedron in the middle. */
static inline snw_mesh *make_knight_cube(void)
{
    static const int corners[5][4] = {
        {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}, {0, 3, 6, 5}};
    snw_mesh *box = make_box(1, 1, 1, snw_vec3_make(0.5, 0.5, 0.5)), *mesh = make_mesh(8, 0, 5);
    memcpy(mesh->vertex, box->vertex, 8 * sizeof *mesh->vertex);
    memcpy(mesh->tetrahedron, corners, sizeof corners);
    for (int t = 0; t < 5; t++) {
        int *c = mesh->tetrahedron[t];
        snw_vec3 o = mesh->vertex[c[0]], a = snw_vec3_sub(mesh->vertex[c[1]], o);
        snw_vec3 b = snw_vec3_sub(mesh->vertex[c[2]], o);
        if (snw_vec3_dot(a, snw_vec3_cross(b, snw_vec3_sub(mesh->vertex[c[3]], o))) > 0) continue;
        int keep = c[2];
        c[2] = c[3];
        c[3] = keep;
    }
    snw_mesh_destroy(box);
    return mesh;
}

/* n x n quads on a torus round z. */
static inline snw_mesh *make_torus(double R, double r, int n)
{
    snw_mesh *mesh = make_mesh(n * n, 2 * n * n, 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double u = 2 * SNW_PI * i / n, v = 2 * SNW_PI * j / n;
            mesh->vertex[i * n + j] =
                snw_vec3_make((R + r * cos(v)) * cos(u), (R + r * cos(v)) * sin(u), r * sin(v));
            int a = i * n + j, b = (i + 1) % n * n + j, c = (i + 1) % n * n + (j + 1) % n;
            int d = i * n + (j + 1) % n;
            const int both[2][3] = {{a, b, c}, {a, c, d}};
            memcpy(mesh->triangle[2 * a], both, sizeof both);
        }
    return mesh;
}

/* n meridians, n/2 rings, one vertex at each pole. */
static inline snw_mesh *make_ellipsoid(double x, double y, double z, int n)
{
    int rings = n / 2 - 1, top = n * rings, t = 0;
    snw_mesh *mesh = make_mesh(top + 2, 2 * top, 0);
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < n; j++) {
            double lat = SNW_PI * (i + 1) / (rings + 1), lon = 2 * SNW_PI * j / n;
            mesh->vertex[i * n + j] =
                snw_vec3_make(x * sin(lat) * cos(lon), y * sin(lat) * sin(lon), z * cos(lat));
        }
    mesh->vertex[top] = snw_vec3_make(0, 0, z);
    mesh->vertex[top + 1] = snw_vec3_make(0, 0, -z);
    for (int j = 0; j < n; j++) {
        int next = (j + 1) % n;
        const int caps[2][3] = {{top, j, next},
                                {top + 1, (rings - 1) * n + next, (rings - 1) * n + j}};
        memcpy(mesh->triangle[t], caps, sizeof caps);
        t += 2;
        for (int i = 0; i + 1 < rings; i++, t += 2) {
            int a = i * n + j, b = (i + 1) * n + j, c = (i + 1) * n + next, d = i * n + next;
            const int both[2][3] = {{a, b, c}, {a, c, d}};
            memcpy(mesh->triangle[t], both, sizeof both);
        }
    }
    assert_int_equal(t, 2 * top);
    return mesh;
}

static inline void turn_inside_out(snw_mesh *mesh)
{
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        int keep = mesh->triangle[t][1];
        mesh->triangle[t][1] = mesh->triangle[t][2];
        mesh->triangle[t][2] = keep;
    }
}

/* Three vertices of its own for each triangle. */
static inline snw_mesh *make_soup(const snw_mesh *mesh)
{
    snw_mesh *soup = make_mesh(3 * mesh->count.triangle_count, mesh->count.triangle_count, 0);
    for (int n = 0; n < soup->count.vertex_count; n++) {
        soup->vertex[n] = mesh->vertex[mesh->triangle[n / 3][n % 3]];
        soup->triangle[n / 3][n % 3] = n;
    }
    return soup;
}

static inline snw_mesh *join_meshes(const snw_mesh *a, const snw_mesh *b)
{
    int vertices = a->count.vertex_count, triangles = a->count.triangle_count;
    snw_mesh *both =
        make_mesh(vertices + b->count.vertex_count, triangles + b->count.triangle_count, 0);
    memcpy(both->vertex, a->vertex, (size_t)vertices * sizeof *both->vertex);
    memcpy(both->triangle, a->triangle, (size_t)triangles * sizeof *both->triangle);
    for (int v = 0; v < b->count.vertex_count; v++)
        both->vertex[vertices + v] = b->vertex[v];
    for (int t = 0; t < b->count.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            both->triangle[triangles + t][k] = vertices + b->triangle[t][k];
    return both;
}

static inline snw_mesh *make_random_triangles(snw_random *random, int count)
{
    snw_mesh *mesh = make_mesh(3 * count, count, 0);
    for (int n = 0; n < 3 * count; n++) {
        mesh->vertex[n] = random_gaussian(random, 1);
        mesh->triangle[n / 3][n % 3] = n;
    }
    return mesh;
}

static inline snw_mesh *take_pair(const snw_mesh *soup, int a, int b)
{
    snw_mesh *pair = make_mesh(6, 2, 0);
    for (int n = 0; n < 6; n++) {
        pair->vertex[n] = soup->vertex[soup->triangle[n < 3 ? a : b][n % 3]];
        pair->triangle[n / 3][n % 3] = n;
    }
    return pair;
}

#endif
