/* Volume, centre and inertia of solids, exactly.
 *
 * A tetrahedron with corners X_i seen from a point o, of volume V, whose density goes linearly
 * from rho_i to rho_i, with s = sum X_i, R = sum rho_i, a = sum rho_i X_i, B = sum X_i X_i^T,
 * G = sum rho_i X_i X_i^T (Knight 2005, 8.2; the linear form is derived from the moments of
 * barycentric coordinates, integral of l_i l_j l_k over V):
 *
 *   mass    V R / 4
 *   first   V/20 (R s + a)                                       integral of rho x
 *   second  V/120 (R (s s^T + B) + a s^T + s a^T + 2 G)          integral of rho x x^T
 *
 * A closed surface is the sum of the signed tetrahedra between o and its triangles (the divergence
 * theorem for x): the same sums with X_0 = 0. o is the middle of the box, where the terms that
 * cancel are smallest. Sums are taken in blocks, so that their round-off grows with the logarithm
 * of the triangles rather than their number. */
#include <math.h>
#include <string.h>

#include <sinew/solid.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "solid/mass_sums.h"
#include "solid/mesh_edges.h"

enum {
    MASS_BLOCK = 512 /* elements summed before they are added to the total */
};

static void add_sums(snw__mass_sums *to, const snw__mass_sums *block)
{
    to->volume += block->volume;
    to->mass += block->mass;
    for (int k = 0; k < 3; k++) {
        to->first[k] += block->first[k];
        to->area[k] += block->area[k];
    }
    for (int k = 0; k < 6; k++)
        to->second[k] += block->second[k];
    to->surface += block->surface;
    to->lowest = fmin(to->lowest, block->lowest);
}

/* A tetrahedron of linear density, as above. */
void snw__mass_add_tetrahedron(snw__mass_sums *sums, const snw_vec3 x[4], const double density[4])
{
    snw_vec3 u = snw_vec3_sub(x[1], x[0]), v = snw_vec3_sub(x[2], x[0]);
    double volume = snw_vec3_dot(u, snw_vec3_cross(v, snw_vec3_sub(x[3], x[0]))) / 6;
    double total = 0, p[4][3], s[3] = {0, 0, 0}, a[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        p[i][0] = x[i].x;
        p[i][1] = x[i].y;
        p[i][2] = x[i].z;
        total += density[i];
        for (int k = 0; k < 3; k++) {
            s[k] += p[i][k];
            a[k] += density[i] * p[i][k];
        }
    }
    sums->volume += volume;
    sums->mass += volume * total / 4;
    for (int k = 0; k < 3; k++)
        sums->first[k] += volume / 20 * (total * s[k] + a[k]);
    for (int j = 0, n = 0; j < 3; j++)
        for (int k = j; k < 3; k++, n++) {
            double sum = total * s[j] * s[k] + a[j] * s[k] + s[j] * a[k];
            for (int i = 0; i < 4; i++)
                sum += (total + 2 * density[i]) * p[i][j] * p[i][k];
            sums->second[n] += volume / 120 * sum;
        }
}

/* ---- density -----------------------------------------------------------------------------------
 */

double snw__mass_density_of(const snw_mass_options *options, int reference)
{
    for (int n = 0; n < options->region_count; n++)
        if (options->region[n].reference == reference) return options->region[n].density;
    return options->density;
}

double snw__mass_density_at(const snw_mass_options *options, double base, snw_vec3 place)
{
    return base + snw_vec3_dot(options->gradient, snw_vec3_sub(place, options->origin));
}

/* ---- sums over a mesh ---------------------------------------------------------------------------
 */

static void add_triangle(const snw_mesh *mesh, const snw_mass_options *options, snw_vec3 origin,
                         int triangle, snw__mass_sums *sums)
{
    const int *c = mesh->triangle[triangle];
    snw_vec3 x[4] = {{0, 0, 0}};
    double density[4], base = snw__mass_density_of(options, mesh->triangle_reference[triangle]);
    for (int k = 0; k < 3; k++) {
        x[k + 1] = snw_vec3_sub(mesh->vertex[c[k]], origin);
        density[k + 1] = snw__mass_density_at(options, base, mesh->vertex[c[k]]);
        sums->lowest = fmin(sums->lowest, density[k + 1]);
    }
    density[0] = snw__mass_density_at(options, base, origin);
    snw__mass_add_tetrahedron(sums, x, density);
}

static void sum_surface(const snw_mesh *mesh, const snw_mass_options *options, snw_vec3 origin,
                        snw__mass_sums *total)
{
    bool uniform = !options->region_count && !(snw_vec3_length2(options->gradient) > 0);
    if (uniform) total->lowest = options->density;
    for (int from = 0; from < mesh->count.triangle_count; from += MASS_BLOCK) {
        int left = mesh->count.triangle_count - from;
        int to = from + (left < MASS_BLOCK ? left : MASS_BLOCK);
        snw__mass_sums block = {.lowest = total->lowest};
        for (int t = from; t < to; t++) {
            const int *corner = mesh->triangle[t];
            snw_vec3 a = snw_vec3_sub(mesh->vertex[corner[0]], origin);
            snw_vec3 b = snw_vec3_sub(mesh->vertex[corner[1]], origin);
            snw_vec3 c = snw_vec3_sub(mesh->vertex[corner[2]], origin);
            snw_vec3 n = snw_vec3_cross(snw_vec3_sub(b, a), snw_vec3_sub(c, a));
            block.area[0] += n.x;
            block.area[1] += n.y;
            block.area[2] += n.z;
            block.surface += fabs(n.x) + fabs(n.y) + fabs(n.z);
            if (uniform) {
                /* A cone over the triangle a b c from the origin: six times its volume, 24 times
                 * its first and 120 times its second moment. The inner loop of surfaces; the
                 * factors come once for each block. */
                double v = snw_vec3_dot(a, snw_vec3_cross(b, c));
                snw_vec3 s = snw_vec3_add(snw_vec3_add(a, b), c);
                block.volume += v;
                block.first[0] += v * s.x;
                block.first[1] += v * s.y;
                block.first[2] += v * s.z;
                block.second[0] += v * (s.x * s.x + a.x * a.x + b.x * b.x + c.x * c.x);
                block.second[1] += v * (s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y);
                block.second[2] += v * (s.x * s.z + a.x * a.z + b.x * b.z + c.x * c.z);
                block.second[3] += v * (s.y * s.y + a.y * a.y + b.y * b.y + c.y * c.y);
                block.second[4] += v * (s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z);
                block.second[5] += v * (s.z * s.z + a.z * a.z + b.z * b.z + c.z * c.z);
            } else
                add_triangle(mesh, options, origin, t, &block);
        }
        if (uniform) {
            double density = options->density;
            block.volume /= 6;
            block.mass = density * block.volume;
            for (int k = 0; k < 3; k++)
                block.first[k] *= density / 24;
            for (int k = 0; k < 6; k++)
                block.second[k] *= density / 120;
        }
        add_sums(total, &block);
    }
}

/* ---- properties
 * ---------------------------------------------------------------------------------- */

static void find_axes(snw_mass_properties *out)
{
    snw__spectrum3 spectrum = snw__spectrum3_of(out->inertia);
    for (int k = 0; k < 3; k++)
        out->moment[k] = spectrum.value[k];
    out->axes = snw_mat3_from_columns(spectrum.vector[0], spectrum.vector[1], spectrum.vector[2]);
}

snw_status snw__mass_finish(const snw__mass_sums *sums, snw_vec3 origin, snw_mass_properties *out,
                            snw_error *error)
{
    if (!(sums->volume > 0))
        return snw__fail(error, SNW_DEGENERATE,
                         sums->volume < 0 ? "the surface is inside out: its volume is %g m3"
                                          : "the solid has no volume (%g m3)",
                         sums->volume);
    if (sums->lowest < 0)
        return snw__fail(error, SNW_DEGENERATE, "the density falls to %g kg/m3", sums->lowest);
    if (!(sums->mass > 0) || !isfinite(sums->mass))
        return snw__fail(error, SNW_DEGENERATE, "the solid has no mass (%g kg)", sums->mass);
    const double *s = sums->second;
    snw_vec3 c = snw_vec3_scale(snw_vec3_make(sums->first[0], sums->first[1], sums->first[2]),
                                1 / sums->mass);
    snw_mat3 second = {{{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}}};
    snw__add_outer(&second, -sums->mass, c);
    memset(out, 0, sizeof *out);
    out->volume = sums->volume;
    out->mass = sums->mass;
    out->center = snw_vec3_add(origin, c);
    /* tr(M) 1 - M */
    double trace = snw__mat3_trace(second);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            second.m[j][k] = (j == k ? trace : 0) - second.m[j][k];
    out->inertia = second;
    find_axes(out);
    return snw__succeed(error);
}

snw_mass_options snw_mass_options_default(void)
{
    snw_mass_options options;
    memset(&options, 0, sizeof options);
    options.density = 1000; /* water */
    return options;
}

snw_status snw__mass_check_options(const snw_mass_options *options, snw_error *error)
{
    if ((unsigned)options->way > SNW_MASS_TETRAHEDRA)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "way is %d, not 0 to 2", (int)options->way);
    if (!(options->density >= 0 && options->density < 1e30))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the density is %g kg/m3, not 0 or above",
                         options->density);
    for (int n = 0; n < options->region_count; n++)
        if (!(options->region[n].density >= 0 && options->region[n].density < 1e30))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the density of region %d is %g kg/m3, not 0 or above",
                             options->region[n].reference, options->region[n].density);
    if (!snw_vec3_is_finite(options->gradient) || !snw_vec3_is_finite(options->origin))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the gradient of the density is not finite");
    return SNW_OK;
}

snw_status snw_mesh_mass(const snw_mesh *mesh, const snw_mass_options *options,
                         snw_mass_properties *out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    memset(out, 0, sizeof *out);
    snw_mass_options how = SNW__WANTS_DEFAULTS(options) ? snw_mass_options_default() : *options;
    snw_status status = snw__mass_check_options(&how, error);
    if (status == SNW_OK) status = snw__mesh_check_numbers(mesh, error);
    if (status != SNW_OK) return status;
    bool by_tetrahedra = how.way == SNW_MASS_TETRAHEDRA ||
                         (how.way == SNW_MASS_AUTO && mesh->count.tetrahedron_count);
    if (by_tetrahedra ? !mesh->count.tetrahedron_count : !mesh->count.triangle_count)
        return snw__fail(error, SNW_DEGENERATE, "the mesh has no %s",
                         by_tetrahedra ? "tetrahedra" : "triangles");
    snw_vec3 low, high;
    snw_mesh_box(mesh, &low, &high);
    snw_vec3 origin = snw_vec3_lerp(low, high, 0.5);
    snw__mass_sums sums = {.lowest = INFINITY};
    if (by_tetrahedra) {
        for (int from = 0; from < mesh->count.tetrahedron_count; from += MASS_BLOCK) {
            int left = mesh->count.tetrahedron_count - from;
            int to = from + (left < MASS_BLOCK ? left : MASS_BLOCK);
            snw__mass_sums block = {.lowest = sums.lowest};
            for (int t = from; t < to; t++) {
                const int *c = mesh->tetrahedron[t];
                /* Either hand: files differ. */
                int order[4] = {c[0], c[1], c[2], c[3]};
                if (snw__tetrahedron_volume6(mesh, t) < 0) {
                    order[2] = c[3];
                    order[3] = c[2];
                }
                snw_vec3 x[4];
                double density[4],
                    base = snw__mass_density_of(&how, mesh->tetrahedron_reference[t]);
                for (int k = 0; k < 4; k++) {
                    x[k] = snw_vec3_sub(mesh->vertex[order[k]], origin);
                    density[k] = snw__mass_density_at(&how, base, mesh->vertex[order[k]]);
                    block.lowest = fmin(block.lowest, density[k]);
                }
                snw__mass_add_tetrahedron(&block, x, density);
            }
            add_sums(&sums, &block);
        }
    } else
        sum_surface(mesh, &how, origin, &sums);
    double open = snw_vec3_length(snw_vec3_make(sums.area[0], sums.area[1], sums.area[2]));
    if (!by_tetrahedra && open > SNW__SAME * sums.surface)
        return snw__fail(error, SNW_DEGENERATE,
                         "the surface is open: %.3g of its area has no other side",
                         open / sums.surface);
    return snw__mass_finish(&sums, origin, out, error);
}

snw_status snw_tetrahedron_mass(const snw_vec3 corner[4], const double density[4],
                                snw_mass_properties *out, snw_error *error)
{
    if (!corner || !density || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "corner, density or out is NULL");
    snw_vec3 o = snw_vec3_scale(
        snw_vec3_add(snw_vec3_add(corner[0], corner[1]), snw_vec3_add(corner[2], corner[3])), 0.25);
    snw__mass_sums sums = {.lowest = INFINITY};
    snw_vec3 x[4];
    for (int k = 0; k < 4; k++) {
        x[k] = snw_vec3_sub(corner[k], o);
        if (!snw_vec3_is_finite(x[k]) || !isfinite(density[k]))
            return snw__fail(error, SNW_INVALID_ARGUMENT, "corner %d is not finite", k);
        sums.lowest = fmin(sums.lowest, density[k]);
    }
    snw__mass_add_tetrahedron(&sums, x, density);
    return snw__mass_finish(&sums, o, out, error);
}

/* ---- under motion
 * --------------------------------------------------------------------------------- */

snw_mass_properties snw_mass_moved(const snw_mass_properties *mass, snw_xform world_from_body)
{
    snw_mass_properties moved = *mass;
    snw_mat3 turn = snw_mat3_from_quat(world_from_body.rotation);
    moved.center = snw_xform_point(world_from_body, mass->center);
    moved.inertia = snw_mat3_mul(turn, snw_mat3_mul(mass->inertia, snw_mat3_transpose(turn)));
    moved.axes = snw_mat3_mul(turn, mass->axes);
    return moved;
}

snw_mat3 snw_mass_inertia_at(const snw_mass_properties *mass, snw_vec3 point)
{
    snw_vec3 d = snw_vec3_sub(mass->center, point);
    snw_mat3 inertia = mass->inertia;
    snw__add_outer(&inertia, -mass->mass, d);
    for (int k = 0; k < 3; k++)
        inertia.m[k][k] += mass->mass * snw_vec3_length2(d);
    return inertia;
}

snw_mass_properties snw_mass_joined(const snw_mass_properties *a, const snw_mass_properties *b)
{
    snw_mass_properties whole;
    memset(&whole, 0, sizeof whole);
    whole.volume = a->volume + b->volume;
    whole.mass = a->mass + b->mass;
    whole.center = snw_vec3_lerp(a->center, b->center, whole.mass > 0 ? b->mass / whole.mass : 0.5);
    snw_mat3 left = snw_mass_inertia_at(a, whole.center);
    snw_mat3 right = snw_mass_inertia_at(b, whole.center);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            whole.inertia.m[j][k] = left.m[j][k] + right.m[j][k];
    find_axes(&whole);
    return whole;
}

snw_vec3 snw_mass_momentum(const snw_mass_properties *mass, snw_vec3 velocity, snw_vec3 spin,
                           snw_vec3 point)
{
    snw_vec3 d = snw_vec3_sub(mass->center, point);
    return snw_vec3_add(snw_mat3_apply(mass->inertia, spin),
                        snw_vec3_scale(snw_vec3_cross(d, velocity), mass->mass));
}
