/* Surfaces as SVG: the painter's way, light from the upper left before the body. */
#include "shape/draw_mesh.h"

#include <math.h>
#include <stdlib.h>

typedef struct draw_face {
    double depth;
    float corner[3][2];
    int shade;
} draw_face;

static int compare_faces(const void *a, const void *b)
{
    const draw_face *p = (const draw_face *)a, *q = (const draw_face *)b;
    return p->depth < q->depth ? -1 : p->depth > q->depth;
}

/* One view: right and up of the picture as axes of the world. Returns how many faces look at us. */
static int see_faces(const snw_mesh *mesh, snw_vec3 right, snw_vec3 up, draw_face *face)
{
    snw_vec3 toward = snw_vec3_cross(right, up);
    snw_vec3 light = snw_vec3_unit(
        snw_vec3_add(snw_vec3_add_scaled(snw_vec3_scale(up, 0.7), -0.5, right), toward), up);
    int count = 0;
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        const int *c = mesh->triangle[t];
        snw_vec3 a = mesh->vertex[c[0]], b = mesh->vertex[c[1]], d = mesh->vertex[c[2]];
        snw_vec3 normal = snw_vec3_unit(snw_vec3_cross(snw_vec3_sub(b, a), snw_vec3_sub(d, a)),
                                        snw_vec3_make(0, 0, 0));
        if (snw_vec3_dot(normal, toward) <= 0) continue;
        double shade = 70 + 170 * fmax(0, snw_vec3_dot(normal, light));
        draw_face *f = face + count++;
        f->shade = (int)shade / 8 * 8;
        f->depth = 0;
        for (int k = 0; k < 3; k++) {
            f->corner[k][0] = (float)snw_vec3_dot(mesh->vertex[c[k]], right);
            f->corner[k][1] = (float)-snw_vec3_dot(mesh->vertex[c[k]], up);
            f->depth += snw_vec3_dot(mesh->vertex[c[k]], toward);
        }
    }
    qsort(face, (size_t)count, sizeof *face, compare_faces);
    return count;
}

static void put_faces(FILE *out, const draw_face *face, int count, double scale,
                      const double shift[2])
{
    int shade = -1;
    for (int n = 0; n < count; n++) {
        if (face[n].shade != shade) {
            shade = face[n].shade;
            int green = shade * 8 / 10, blue = shade * 7 / 10;
            fprintf(out, "%s<path fill=\"#%02x%02x%02x\" stroke=\"#%02x%02x%02x\" d=\"",
                    n ? "\"/>\n" : "", shade, green, blue, shade, green, blue);
        }
        for (int k = 0; k < 3; k++)
            fprintf(out, "%c%.1f %.1f", k ? 'L' : 'M',
                    scale * (double)face[n].corner[k][0] + shift[0],
                    scale * (double)face[n].corner[k][1] + shift[1]);
        fputc('Z', out);
    }
    if (count) fputs("\"/>\n", out);
}

bool cli_draw_mesh(FILE *out, const void *context)
{
    const snw_mesh *mesh = (const snw_mesh *)context;
    draw_face *face = calloc((size_t)mesh->count.triangle_count + 1, sizeof *face);
    if (!face) return false;
    snw_vec3 low, high;
    snw_mesh_box(mesh, &low, &high);
    double wide = high.x - low.x, deep = high.z - low.z, tall = high.y - low.y;
    double scale = 440 / fmax(fmax(tall, wide), fmax(deep, 1e-9));
    double width = scale * (wide + deep) + 60, height = scale * tall + 40;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" stroke-width=\"0.4\" stroke-linejoin=\"round\">\n<rect "
            "width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height);
    const double front[2] = {20 - scale * low.x, 20 + scale * high.y};
    const double left[2] = {40 + scale * wide + scale * high.z, 20 + scale * high.y};
    int count = see_faces(mesh, snw_vec3_make(1, 0, 0), snw_vec3_make(0, 1, 0), face);
    put_faces(out, face, count, scale, front);
    count = see_faces(mesh, snw_vec3_make(0, 0, -1), snw_vec3_make(0, 1, 0), face);
    put_faces(out, face, count, scale, left);
    fputs("</svg>\n", out);
    free(face);
    return true;
}
