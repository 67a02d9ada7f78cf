/* Makers and checks of shapes. */
#include <sinew/collide.h>

#include "base/fail.h"

snw_shape snw_shape_sphere(snw_vec3 center, double radius)
{
    snw_shape shape = {.kind = SNW_SHAPE_HULL, .point_count = 1, .radius = radius};
    shape.own[0] = center;
    return shape;
}

snw_shape snw_shape_capsule(snw_vec3 from, snw_vec3 to, double radius)
{
    snw_shape shape = {.kind = SNW_SHAPE_HULL, .point_count = 2, .radius = radius};
    shape.own[0] = from;
    shape.own[1] = to;
    return shape;
}

snw_shape snw_shape_box(snw_vec3 center, snw_vec3 half)
{
    snw_shape shape = {.kind = SNW_SHAPE_HULL, .point_count = 8};
    for (int k = 0; k < 8; k++)
        shape.own[k] = snw_vec3_make(center.x + (k & 1 ? half.x : -half.x),
                                     center.y + (k & 2 ? half.y : -half.y),
                                     center.z + (k & 4 ? half.z : -half.z));
    return shape;
}

snw_shape snw_shape_hull(const snw_vec3 *points, int count, double radius)
{
    snw_shape shape = {
        .kind = SNW_SHAPE_HULL, .point_count = count, .point = points, .radius = radius};
    return shape;
}

snw_shape snw_shape_plane(snw_vec3 point, snw_vec3 normal)
{
    snw_shape shape = {.kind = SNW_SHAPE_PLANE, .point_count = 2};
    shape.own[0] = point;
    shape.own[1] = snw_vec3_unit(normal, snw_vec3_make(0, 1, 0));
    return shape;
}

snw_status snw_shape_check(const snw_shape *shape, snw_error *error)
{
    if (!shape || (unsigned)shape->kind > SNW_SHAPE_PLANE)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a shape is a hull or a plane");
    if (shape->point_count < 1 || (!shape->point && shape->point_count > SNW_SHAPE_OWN_MAX))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a shape of %d points", shape->point_count);
    if (!(shape->radius >= 0 && shape->radius < 1e100))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a shape of radius %g", shape->radius);
    const snw_vec3 *point = shape->point ? shape->point : shape->own;
    for (int k = 0; k < shape->point_count; k++)
        if (!(snw_vec3_length(point[k]) < 1e100))
            return snw__fail(error, SNW_INVALID_ARGUMENT, "point %d of a shape is not finite", k);
    if (shape->kind == SNW_SHAPE_PLANE && !(fabs(snw_vec3_length(shape->own[1]) - 1) < 1e-6))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the normal of a plane is not unit");
    return snw__succeed(error);
}
