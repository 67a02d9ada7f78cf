/* Collision shapes of MJCF:
 *
 *   <body ...> <geom type="capsule" size="0.05 0.1" pos="" quat=""/>
 *              <geom type="capsule" size="0.05" fromto="0 0 0 0 0 0.2"/>
 *              <geom type="mesh" mesh="" contype="0" conaffinity="0"/> </body>
 *
 * Boxes, spheres, capsules and planes are as they are; a cylinder is the capsule round it (its ends
 * reach a radius farther), an ellipsoid the capsule along its longest axis that holds it, a mesh
 * (and a shape that is fitted to one) the hull round it (robot_mesh.c). Height fields are counted
 * and left out. A geom collides when contype or conaffinity is not 0 (both are 1 unless said).
 * Classes of defaults are followed. Geoms of the world are the world's.
 */
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

enum {
    GEOM_TYPE = 1,
    GEOM_SIZE = 2,
    GEOM_POS = 4,
    GEOM_FROMTO = 8,
    GEOM_CONTYPE = 16,
    GEOM_CONAFFINITY = 32,
    GEOM_TURN = 64,
    GEOM_MESH = 128
};

snw_status snw__mjcf_read_geom(snw__mjcf *file, snw__mjcf_geom *geom)
{
    snw__xml *xml = &file->xml;
    snw__span value;
    bool has_turn = false;
    int count = 0;
    if (snw__xml_find(xml, "type", &geom->type)) geom->said |= GEOM_TYPE;
    if (snw__xml_find(xml, "mesh", &geom->mesh)) geom->said |= GEOM_MESH;
    snw_status status = snw__xml_some_numbers(xml, "size", 3, geom->size, &count);
    if (count > 0) geom->said |= GEOM_SIZE;
    const struct {
        const char *name;
        unsigned field;
        int count;
        double *values;
    } numbers[] = {{"pos", GEOM_POS, 3, geom->pos},
                   {"fromto", GEOM_FROMTO, 6, geom->fromto},
                   {"contype", GEOM_CONTYPE, 1, &geom->contype},
                   {"conaffinity", GEOM_CONAFFINITY, 1, &geom->conaffinity}};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers && status == SNW_OK; n++) {
        if (!snw__xml_find(xml, numbers[n].name, &value)) continue;
        geom->said |= numbers[n].field;
        status = snw__xml_numbers(xml, numbers[n].name, numbers[n].count, numbers[n].values);
    }
    if (status == SNW_OK) status = snw__mjcf_turn(file, &geom->turn, &has_turn);
    if (has_turn) geom->said |= GEOM_TURN;
    return status;
}

void snw__mjcf_inherit_geom(snw__mjcf_geom *geom, const snw__mjcf_geom *other)
{
    unsigned missing = other->said & ~geom->said;
    if (missing & GEOM_TYPE) geom->type = other->type;
    if (missing & GEOM_SIZE) memcpy(geom->size, other->size, sizeof geom->size);
    if (missing & GEOM_POS) memcpy(geom->pos, other->pos, sizeof geom->pos);
    if (missing & GEOM_FROMTO) memcpy(geom->fromto, other->fromto, sizeof geom->fromto);
    if (missing & GEOM_CONTYPE) geom->contype = other->contype;
    if (missing & GEOM_CONAFFINITY) geom->conaffinity = other->conaffinity;
    if (missing & GEOM_TURN) geom->turn = other->turn;
    if (missing & GEOM_MESH) geom->mesh = other->mesh;
    geom->said |= missing;
}

static snw_shape capsule_along_z(double half, double radius)
{
    return snw_shape_capsule(snw_vec3_make(0, 0, -half), snw_vec3_make(0, 0, half), radius);
}

/* With semi-axes a >= b >= c: ends at a - b, radius b. Its support along a direction at the cosine
 * t to the longest axis is (a - b) t + b, and ((a - b) t + b)^2 - (b^2 + (a^2 - b^2) t^2) = 2 b (a
 * - b) t (1 - t) is not below 0. */
static snw_shape capsule_round_ellipsoid(const double axes[3])
{
    int longest = axes[1] > axes[0] ? 1 : 0;
    if (axes[2] > axes[longest]) longest = 2;
    double radius = fmax(axes[(longest + 1) % 3], axes[(longest + 2) % 3]);
    double half = axes[longest] - radius;
    snw_vec3 end =
        snw_vec3_make(longest == 0 ? half : 0, longest == 1 ? half : 0, longest == 2 ? half : 0);
    return snw_shape_capsule(snw_vec3_scale(end, -1), end, radius);
}

/* In the geom's frame; false where it is of none of these kinds. */
static bool shape_of(const snw__mjcf_geom *geom, const double size[3], snw_shape *shape)
{
    snw_vec3 zero = {0, 0, 0};
    if (!geom->type.at || snw__xml_says(geom->type, "sphere"))
        *shape = snw_shape_sphere(zero, size[0]);
    else if (snw__xml_says(geom->type, "capsule") || snw__xml_says(geom->type, "cylinder"))
        *shape = capsule_along_z(size[1], size[0]);
    else if (snw__xml_says(geom->type, "box"))
        *shape = snw_shape_box(zero, snw_vec3_make(size[0], size[1], size[2]));
    else if (snw__xml_says(geom->type, "ellipsoid"))
        *shape = capsule_round_ellipsoid(size);
    else if (snw__xml_says(geom->type, "plane"))
        *shape = snw_shape_plane(zero, snw_vec3_make(0, 0, 1));
    else
        return false;
    return true;
}

/* fromto: the z axis leads from one point to the other, and tells how long the geom is. */
static snw_xform place_of(const snw__mjcf_geom *geom, double size[3])
{
    const double *p = geom->fromto;
    snw_quat turn = geom->said & GEOM_TURN ? geom->turn : snw_quat_identity();
    memcpy(size, geom->size, 3 * sizeof *size);
    if (!(geom->said & GEOM_FROMTO))
        return snw_xform_make(turn, snw_vec3_make(geom->pos[0], geom->pos[1], geom->pos[2]));
    snw_vec3 from = snw_vec3_make(p[0], p[1], p[2]), to = snw_vec3_make(p[3], p[4], p[5]);
    snw_vec3 way = snw_vec3_sub(to, from);
    bool is_round = snw__xml_says(geom->type, "capsule") || snw__xml_says(geom->type, "cylinder");
    size[is_round ? 1 : 2] = snw_vec3_length(way) / 2;
    return snw_xform_make(snw_quat_between(snw_vec3_make(0, 0, 1), way),
                          snw_vec3_add_scaled(from, 0.5, way));
}

typedef struct geom_shapes {
    int body; /* the last that opened */
    const snw_skeleton *own;
    const snw__shapes *shapes;
    snw__mjcf_meshes meshes;
} geom_shapes;

/* `place` is the geom's. */
static snw_status put_geom_mesh(const geom_shapes *out, snw__span name, int joint, snw_xform place)
{
    const snw__shape_mesh *found = snw__mjcf_meshes_find(&out->meshes, name);
    if (!found) {
        out->shapes->list->left_out++;
        return SNW_OK;
    }
    snw__shape_mesh mesh = *found;
    mesh.joint = joint;
    mesh.place = place;
    return snw__shapes_put_mesh(out->shapes, &mesh);
}

static snw_status read_geom(snw__mjcf *file, const snw__mjcf_scope *scope, geom_shapes *out)
{
    snw__mjcf_geom geom = {0};
    int class_index = 0, joint = -1;
    double size[3];
    snw_shape shape;
    snw_status status = snw__mjcf_read_geom(file, &geom);
    if (status == SNW_OK)
        status = snw__mjcf_class_of(file, "class", scope->class_index, &class_index);
    if (status != SNW_OK) return status;
    snw__mjcf_inherit_geom(&geom, &file->class[class_index].geom);
    bool is_seen_only = (geom.said & GEOM_CONTYPE) && geom.contype == 0 &&
                        (geom.said & GEOM_CONAFFINITY) && geom.conaffinity == 0;
    if (is_seen_only) return SNW_OK;
    snw_xform place = place_of(&geom, size);
    if (size[0] < 0 || size[1] < 0 || size[2] < 0)
        return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "a collision shape has a size below 0");
    if (scope->body >= 0)
        joint = snw_skeleton_find_joint(out->shapes->skeleton,
                                        out->own->name[file->body[scope->body].index]);
    bool is_carried = scope->body < 0 || joint >= 0;
    if (is_carried && (geom.said & GEOM_MESH))
        return put_geom_mesh(out, geom.mesh, joint, snw_xform_mul(scope->frame, place));
    if (is_carried && shape_of(&geom, size, &shape))
        snw__shapes_put(out->shapes->list, joint, snw_xform_mul(scope->frame, place), shape);
    else
        out->shapes->list->left_out++;
    return SNW_OK;
}

static snw_status visit_geom(snw__mjcf *file, snw__mjcf_scope *scope, void *context)
{
    geom_shapes *out = context;
    if (snw__xml_is(&file->xml, "geom")) return read_geom(file, scope, out);
    if (!snw__xml_is(&file->xml, "body")) return snw__mjcf_enter_frame(file, scope);
    scope->body = out->body++;
    scope->frame = snw_xform_identity();
    return snw__mjcf_class_of(file, "childclass", scope->class_index, &scope->class_index);
}

snw_status snw__mjcf_shapes(snw__mjcf *file, const snw_skeleton *own, const snw__shapes *shapes)
{
    geom_shapes out = {.own = own, .shapes = shapes};
    snw_status status = snw__mjcf_meshes_read(file, &out.meshes);
    if (status == SNW_OK) status = snw__mjcf_each(file, visit_geom, &out);
    snw__mjcf_meshes_release(file, &out.meshes);
    return status;
}
