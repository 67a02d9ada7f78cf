/* Collision shapes of URDF files; those of MJCF are in mjcf_geom.c:
 *
 *   <link name="upper">
 *     <collision>
 *       <origin xyz="0 0 0.1" rpy="0 0 0"/>                link from shape, metres, radians
 *       <geometry> <box size="x y z"/> | <sphere radius=""/> | <cylinder radius="" length=""/>
 *                  | <capsule radius="" length=""/> | <mesh filename=""/> </geometry>
 *     </collision>
 *   </link>
 *
 * A box is as it is, a cylinder the capsule round it (its ends reach a radius farther), a mesh the
 * hull round it (robot_mesh.c). Links are found in the skeleton by their names.
 */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/mjcf.h"
#include "io/motion_text.h"
#include "io/robot_shapes.h"

typedef struct shapes_file {
    snw__text_input text;
    snw__xml xml;
    const snw__shapes *shapes;
    int joint;        /* of the present link, -1: none */
    snw_xform origin; /* of the present collision */
} shapes_file;

void snw__shapes_put(snw_shape_list *list, int joint, snw_xform place, snw_shape shape)
{
    bool is_plane = shape.kind == SNW_SHAPE_PLANE; /* a point and a normal */
    for (int k = 0; k < (is_plane ? 1 : shape.point_count) && !shape.point; k++)
        shape.own[k] = snw_xform_point(place, shape.own[k]);
    if (is_plane) shape.own[1] = snw_quat_rotate(place.rotation, shape.own[1]);
    if (list->count < list->room) list->shape[list->count] = (snw_body_shape){joint, shape};
    list->count++;
}

static void put_shape(shapes_file *file, snw_shape shape)
{
    if (file->joint >= 0)
        snw__shapes_put(file->shapes->list, file->joint, file->origin, shape);
    else
        file->shapes->list->left_out++;
}

static snw_status read_mesh(shapes_file *file)
{
    snw__shape_mesh mesh = {.own = snw_xform_identity(),
                            .scale = {1, 1, 1},
                            .place = file->origin,
                            .joint = file->joint};
    mesh.folder = snw__span_of("");
    snw_status status = snw__xml_numbers(&file->xml, "scale", 3, mesh.scale);
    if (status == SNW_OK && file->joint >= 0 && snw__xml_find(&file->xml, "filename", &mesh.file))
        return snw__shapes_put_mesh(file->shapes, &mesh);
    file->shapes->list->left_out++;
    return status;
}

/* robot > link > collision > origin | geometry > shape */
static snw_status read_element(shapes_file *file)
{
    snw__xml *xml = &file->xml;
    snw__span value;
    char name[SNW__NAME_SIZE];
    bool is_inside = xml->depth >= 3 && snw__xml_says(xml->open[2], "collision");
    if (xml->depth == 2) {
        file->joint = -1;
        if (!snw__xml_is(xml, "link") || !snw__xml_find(xml, "name", &value)) return SNW_OK;
        snw__xml_copy(value, name);
        file->joint = snw_skeleton_find_joint(file->shapes->skeleton, name);
    } else if (xml->depth == 3) {
        file->origin = snw_xform_identity();
    } else if (is_inside && xml->depth == 4 && snw__xml_is(xml, "origin")) {
        double xyz[3] = {0}, rpy[3] = {0};
        snw_status status = snw__xml_numbers(xml, "xyz", 3, xyz);
        if (status == SNW_OK) status = snw__xml_numbers(xml, "rpy", 3, rpy);
        file->origin = snw__robot_origin(xyz, rpy);
        return status;
    } else if (is_inside && xml->depth == 5 && snw__xml_says(xml->open[3], "geometry")) {
        snw_vec3 zero = {0, 0, 0};
        double size[3] = {0}, radius = 0, length = 0;
        snw_status status = snw__xml_numbers(xml, "size", 3, size);
        if (status == SNW_OK) status = snw__xml_numbers(xml, "radius", 1, &radius);
        if (status == SNW_OK) status = snw__xml_numbers(xml, "length", 1, &length);
        if (status != SNW_OK) return status;
        if (radius < 0 || length < 0 || size[0] < 0 || size[1] < 0 || size[2] < 0)
            return SNW__XML_FAIL(xml, SNW_FORMAT, "a collision shape has a size below 0");
        if (snw__xml_is(xml, "box"))
            put_shape(file,
                      snw_shape_box(zero, snw_vec3_make(size[0] / 2, size[1] / 2, size[2] / 2)));
        else if (snw__xml_is(xml, "sphere"))
            put_shape(file, snw_shape_sphere(zero, radius));
        else if (snw__xml_is(xml, "cylinder") || snw__xml_is(xml, "capsule"))
            put_shape(file, snw_shape_capsule(snw_vec3_make(0, 0, -length / 2),
                                              snw_vec3_make(0, 0, length / 2), radius));
        else if (snw__xml_is(xml, "mesh"))
            return read_mesh(file);
        else
            file->shapes->list->left_out++;
    }
    return SNW_OK;
}

static snw_status read_shapes(shapes_file *file)
{
    snw__xml *xml = &file->xml;
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        status = read_element(file);
        if (status != SNW_OK) return status;
    }
    return status;
}

static snw_status read_opened(snw__reading *reading, const snw__shapes *shapes)
{
    shapes_file file;
    snw_format_kind format = snw_detect_format(&reading->source);
    if (format == SNW_FORMAT_MJCF) return snw__mjcf_read_shapes(reading, shapes);
    if (format != SNW_FORMAT_URDF)
        return snw__fail(reading->error, SNW_UNSUPPORTED,
                         "%s: collision shapes are read from URDF and MJCF files", reading->name);
    memset(&file, 0, sizeof file);
    file.shapes = shapes;
    file.joint = -1;
    file.origin = snw_xform_identity();
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    status = read_shapes(&file);
    snw__text_release(&file.text);
    return status;
}

snw_status snw__read_shapes(const snw_source *source, const snw__shapes *shapes)
{
    snw__reading reading;
    snw_shape_list *list = shapes->list;
    const snw__reading_request request = {source, NULL, shapes->allocator, NULL, shapes->error};
    if (!shapes->skeleton || !list || list->room < 0 || (list->room > 0 && !list->shape) ||
        list->point_room < 0 || (list->point_room > 0 && !list->point))
        return snw__fail(shapes->error, SNW_INVALID_ARGUMENT, "shapes need a skeleton and a list");
    list->count = list->left_out = list->point_count = 0;
    snw_status status = snw__reading_open(&reading, &request);
    if (status == SNW_OK) status = read_opened(&reading, shapes);
    snw__reading_close(&reading);
    return status;
}

snw_status snw_read_shapes(const snw_source *source, const snw_skeleton *skeleton,
                           snw_shape_list *list, snw_error *error)
{
    snw__shapes shapes = {.skeleton = skeleton, .list = list, .error = error};
    return snw__read_shapes(source, &shapes);
}
