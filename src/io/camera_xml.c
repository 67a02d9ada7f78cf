/* Calibrations in XML.
 *
 * Qualisys (.qca.txt); axes in rows, millimetres, sixty-fourths of a pixel, looks along -z, y up:
 *   <calibration> <cameras> <camera serial="..">
 *     <fov_video left right top bottom/>
 *     <transform r11 .. r33 x y z/>
 *     <intrinsic centerPointU centerPointV focalLengthU focalLengthV radialDistortion1 ..
 *                tangentalDistortion1 ../>
 *
 * Vicon (.xcp); millimetres, quaternion x y z w from the world to a camera that looks along +z:
 *   <Cameras> <Camera DEVICEID=".." SENSOR_SIZE="w h"> <KeyFrames>
 *     <KeyFrame FOCAL_LENGTH="f" PIXEL_ASPECT_RATIO="a" PRINCIPAL_POINT="u v" POSITION="x y z"
 *               ORIENTATION="x y z w" VICON_RADIAL2="Vicon3Parameter u v k1 k2 k3"/>
 *   (older: VICON_RADIAL="k1 k2"). From the centre, in pixels of the picture as it is, a point of
 *   radius r belongs to r (1 + k1 r^2 + k2 r^4 + k3 r^6) of a picture without distortion.
 *
 * OptiTrack (.mcal, UTF-16); metres, the camera's axes in columns, looks along -z, y up; the
 * distortion is Brown's:
 *   <Camera Serial=".."> <Attributes ImagerPixelWidth ImagerPixelHeight/>
 *     <IntrinsicStandardCameraModel HorizontalFocalLength VerticalFocalLength LensCenterX
 *                                   LensCenterY k1 k2 k3 TangentialX TangentialY/>
 *     <Extrinsic X Y Z OrientMatrix0 .. OrientMatrix8/> */
#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "io/camera_list.h"
#include "io/xml_reader.h"

/* Half a turn about x: from a camera that looks along -z with y up to ours. */
static snw_quat half_turn(void)
{
    return snw_quat_make(0, 1, 0, 0);
}

/* One number for each name; those that are missing stay. */
static snw_status take_numbers(snw__xml *xml, const char *const *names, int count, double *out)
{
    snw_status status = SNW_OK;
    for (int k = 0; k < count && status == SNW_OK; k++)
        status = snw__xml_numbers(xml, names[k], 1, out + k);
    return status;
}

static void place_by(snw_camera *camera, snw_quat world_from_camera, const double place[3],
                     double metres)
{
    snw_vec3 at = snw_vec3_scale(snw_vec3_make(place[0], place[1], place[2]), metres);
    camera->camera_from_world = snw_xform_inverse(snw_xform_make(world_from_camera, at));
}

/* ---- Qualisys ----------------------------------------------------------------------------- */

static const char *const qualisys_turn[9] = {"r11", "r12", "r13", "r21", "r22",
                                             "r23", "r31", "r32", "r33"};
static const char *const qualisys_place[3] = {"x", "y", "z"};
static const char *const qualisys_lens[4] = {"focalLengthU", "focalLengthV", "centerPointU",
                                             "centerPointV"};
static const char *const qualisys_bend[SNW_CAMERA_LENS] = {
    "radialDistortion1", "radialDistortion2", "tangentalDistortion1", "tangentalDistortion2",
    "radialDistortion3"};

static snw_status take_qualisys(snw__xml *xml, snw__camera_list *list)
{
    snw_camera *camera = list->camera + list->count;
    snw_status status = SNW_OK;
    if (snw__xml_is(xml, "transform")) {
        snw_mat3 turn = snw_mat3_identity();
        double at[3] = {0};
        status = take_numbers(xml, qualisys_turn, 9, turn.m[0]);
        if (status == SNW_OK) status = take_numbers(xml, qualisys_place, 3, at);
        snw_quat world_from_camera = snw_quat_conjugate(snw_quat_from_mat3(turn));
        place_by(camera, snw_quat_mul(world_from_camera, half_turn()), at, 0.001);
        list->has_place = true;
    } else if (snw__xml_is(xml, "intrinsic")) {
        double lens[4] = {0};
        status = take_numbers(xml, qualisys_bend, SNW_CAMERA_LENS, camera->distortion);
        if (status == SNW_OK) status = take_numbers(xml, qualisys_lens, 4, lens);
        camera->focal_x = lens[0] / 64, camera->focal_y = lens[1] / 64;
        camera->center_x = lens[2] / 64, camera->center_y = lens[3] / 64;
        list->has_matrix = true;
    } else if (snw__xml_is(xml, "fov_video")) {
        static const char *const edge[4] = {"left", "right", "top", "bottom"};
        double at[4] = {0, -1, 0, -1};
        status = take_numbers(xml, edge, 4, at);
        camera->width = at[1] - at[0] + 1;
        camera->height = at[3] - at[2] + 1;
    }
    return status;
}

/* ---- Vicon -------------------------------------------------------------------------------- */

/* k of r (1 + k1 r^2 + k2 r^4 + k3 r^6), least squares over a picture of radius `most`, that undoes
 * the same polynomial with `given`. */
static void invert_radial(const double given[3], double most, double out[3])
{
    enum {
        SAMPLES = 64
    };
    double normal[9] = {0}, right[3] = {0};
    for (int n = 1; n <= SAMPLES; n++) {
        double u = (double)n / SAMPLES, r2 = u * u * most * most;
        double factor = 1 + r2 * (given[0] + r2 * (given[1] + r2 * given[2]));
        double from2 = u * u * factor * factor; /* of the argument, in units of `most` */
        double row[3] = {u * factor * from2, u * factor * from2 * from2,
                         u * factor * from2 * from2 * from2};
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++)
                normal[3 * a + b] += row[a] * row[b];
            right[a] += row[a] * (u - u * factor);
        }
    }
    memset(out, 0, 3 * sizeof *out);
    if (!(most > 0) || snw_cholesky_factor(normal, 3) != SNW_OK) return;
    if (snw_cholesky_solve(normal, 3, right) != SNW_OK) return;
    for (int k = 0; k < 3; k++)
        out[k] = right[k] / snw__pow(most, 2 * (k + 1));
}

/* From the centre to the farthest corner, in focal lengths. */
static double picture_radius(const snw_camera *camera)
{
    double x = fmax(camera->center_x, camera->width - camera->center_x) / camera->focal_x;
    double y = fmax(camera->center_y, camera->height - camera->center_y) / camera->focal_y;
    return sqrt(x * x + y * y);
}

/* "Vicon3Parameter u v k1 k2 k3" or "k1 k2": pixels to focal lengths, then the other way round. */
static snw_status take_vicon_radial(snw__xml *xml, snw_camera *camera)
{
    snw__span value, word;
    bool is_second = snw__xml_find(xml, "VICON_RADIAL2", &value);
    if (!is_second && !snw__xml_find(xml, "VICON_RADIAL", &value)) return SNW_OK;
    double number[6] = {0}, inverse[3];
    int count = 0;
    if (is_second && (!snw__span_word(&value, &word) || !snw__span_is(word, "Vicon3Parameter")))
        return SNW__XML_FAIL(xml, SNW_UNSUPPORTED, "camera %s has an unknown radial distortion",
                             camera->name);
    while (count < 6 && snw__span_word(&value, &word))
        if (!snw__span_double(word, number + count++))
            return SNW__XML_FAIL(xml, SNW_FORMAT, "the distortion of camera %s is no numbers",
                                 camera->name);
    double *k = number + (is_second ? 2 : 0), f2 = camera->focal_x * camera->focal_x;
    if (is_second &&
        (count < 5 || snw__hypot(number[0] - camera->center_x, number[1] - camera->center_y) > 1))
        return SNW__XML_FAIL(xml, SNW_UNSUPPORTED,
                             "the distortion of camera %s has another centre than its picture",
                             camera->name);
    for (int n = 0; n < 3; n++)
        k[n] *= snw__pow(f2, n + 1);
    invert_radial(k, picture_radius(camera), inverse);
    camera->distortion[0] = inverse[0];
    camera->distortion[1] = inverse[1];
    camera->distortion[4] = inverse[2];
    return SNW_OK;
}

static snw_status take_keyframe(snw__xml *xml, snw__camera_list *list)
{
    snw_camera *camera = list->camera + list->count;
    double aspect = 1, center[2] = {0}, at[3] = {0}, turn[4] = {0, 0, 0, 0};
    if (list->has_matrix) return SNW_OK; /* of several moments the first */
    snw_status status = snw__xml_numbers(xml, "FOCAL_LENGTH", 1, &camera->focal_x);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "PIXEL_ASPECT_RATIO", 1, &aspect);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "PRINCIPAL_POINT", 2, center);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "POSITION", 3, at);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "ORIENTATION", 4, turn);
    if (status != SNW_OK) return status;
    double length =
        sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    if (!(fabs(length - 1) < 0.01) || !(aspect > 0))
        return SNW__XML_FAIL(xml, SNW_FORMAT, "camera %s has no orientation of length 1",
                             camera->name);
    camera->focal_y = camera->focal_x / aspect;
    camera->center_x = center[0], camera->center_y = center[1];
    place_by(
        camera,
        snw_quat_conjugate(snw_quat_normalize(snw_quat_make(turn[3], turn[0], turn[1], turn[2]))),
        at, 0.001);
    list->has_matrix = list->has_place = true;
    return take_vicon_radial(xml, camera);
}

/* ---- OptiTrack ---------------------------------------------------------------------------- */

static const char *const optitrack_turn[9] = {"OrientMatrix0", "OrientMatrix1", "OrientMatrix2",
                                              "OrientMatrix3", "OrientMatrix4", "OrientMatrix5",
                                              "OrientMatrix6", "OrientMatrix7", "OrientMatrix8"};
static const char *const optitrack_place[3] = {"X", "Y", "Z"};
static const char *const optitrack_lens[9] = {
    "HorizontalFocalLength", "VerticalFocalLength", "LensCenterX", "LensCenterY", "k1", "k2",
    "TangentialX",           "TangentialY",         "k3"};

static snw_status take_optitrack(snw__xml *xml, snw__camera_list *list)
{
    snw_camera *camera = list->camera + list->count;
    snw_status status = SNW_OK;
    if (snw__xml_is(xml, "Attributes")) {
        status = snw__xml_numbers(xml, "ImagerPixelWidth", 1, &camera->width);
        if (status == SNW_OK)
            status = snw__xml_numbers(xml, "ImagerPixelHeight", 1, &camera->height);
    } else if (snw__xml_is(xml, "IntrinsicStandardCameraModel")) {
        double lens[9] = {0};
        status = take_numbers(xml, optitrack_lens, 9, lens);
        camera->focal_x = lens[0], camera->focal_y = lens[1];
        camera->center_x = lens[2], camera->center_y = lens[3];
        memcpy(camera->distortion, lens + 4, sizeof camera->distortion);
        list->has_matrix = true;
    } else if (snw__xml_is(xml, "Extrinsic")) {
        snw_mat3 turn = snw_mat3_identity();
        double at[3] = {0};
        status = take_numbers(xml, optitrack_turn, 9, turn.m[0]);
        if (status == SNW_OK) status = take_numbers(xml, optitrack_place, 3, at);
        place_by(camera, snw_quat_mul(snw_quat_from_mat3(turn), half_turn()), at, 1);
        list->has_place = true;
    }
    return status;
}

/* ---- reading ------------------------------------------------------------------------------ */

bool snw__camera_xml_is(const snw__text_input *text)
{
    const char *at = text->begin;
    while (at < text->end && (snw__is_blank(*at) || *at == '\n' || *at == '\r'))
        at++;
    return at < text->end && *at == '<';
}

static snw_status begin_element(snw__xml *xml, snw__camera_list *list)
{
    static const char *const name[3] = {"serial", "DEVICEID", "Serial"};
    snw__span value = {NULL, NULL};
    double size[2] = {0};
    for (int n = 0; n < 3; n++)
        if (snw__xml_find(xml, name[n], &value)) break;
    snw_status status = snw__camera_begin(list, xml->text, value);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "SENSOR_SIZE", 2, size);
    list->camera[list->count].width = size[0];
    list->camera[list->count].height = size[1];
    return status;
}

snw_status snw__camera_xml_read(snw__text_input *text, snw__camera_list *list)
{
    snw__xml xml;
    snw_status status;
    int inside = 0; /* depth of the camera; 0: none */
    bool is_qualisys = false;
    snw__xml_begin(&xml, text);
    while ((status = snw__xml_next(&xml)) == SNW_OK && xml.event != SNW__XML_END) {
        bool is_camera = snw__xml_is(&xml, "camera") || snw__xml_is(&xml, "Camera");
        if (xml.event == SNW__XML_CLOSE && inside == xml.depth) {
            status = snw__camera_end(list, text);
            inside = 0;
        } else if (xml.event == SNW__XML_OPEN && !inside && is_camera) {
            is_qualisys = snw__xml_is(&xml, "camera");
            status = begin_element(&xml, list);
            inside = xml.depth;
        } else if (xml.event == SNW__XML_OPEN && inside) {
            status = is_qualisys                     ? take_qualisys(&xml, list)
                     : snw__xml_is(&xml, "KeyFrame") ? take_keyframe(&xml, list)
                                                     : take_optitrack(&xml, list);
        }
        if (status != SNW_OK) return status;
    }
    return status;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void put_attribute(snw__output *output, const char *name, const double *numbers, int count)
{
    snw__put_string(output, " ");
    snw__put_string(output, name);
    for (int n = 0; n < count; n++) {
        snw__put_string(output, n ? " " : "=\"");
        snw__put_exact(output, numbers[n]);
    }
    snw__put_string(output, "\"");
}

static void put_attributes(snw__output *output, const char *const *names, const double *numbers,
                           int count)
{
    for (int n = 0; n < count; n++)
        put_attribute(output, names[n], numbers + n, 1);
}

static void put_named(snw__output *output, const char *opening, const char *name)
{
    snw__put_string(output, opening);
    snw__put_name(output, name, "<>&\"'", '_');
    snw__put_string(output, "\"");
}

/* The camera's axes as they look along -z with y up, and its place. */
static snw_mat3 axes_of(const snw_camera *camera, double metres, double place[3])
{
    snw_xform world = snw_xform_inverse(camera->camera_from_world);
    place[0] = world.translation.x / metres;
    place[1] = world.translation.y / metres;
    place[2] = world.translation.z / metres;
    return snw_mat3_from_quat(snw_quat_mul(world.rotation, half_turn()));
}

void snw__camera_qualisys_write(const snw_cameras *cameras, snw__output *output)
{
    snw__put_string(output, "<?xml version=\"1.0\"?>\n<calibration>\n<cameras>\n");
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        double place[3];
        snw_mat3 turn = snw_mat3_transpose(axes_of(camera, 0.001, place));
        const double lens[4] = {64 * camera->focal_x, 64 * camera->focal_y, 64 * camera->center_x,
                                64 * camera->center_y};
        put_named(output, "<camera serial=\"", camera->name);
        static const char *const edge[4] = {"left", "right", "top", "bottom"};
        snw__put_string(output, ">\n<fov_video");
        put_attributes(output, edge, (double[]){0, camera->width - 1, 0, camera->height - 1}, 4);
        snw__put_string(output, "/>\n<transform");
        put_attributes(output, qualisys_place, place, 3);
        put_attributes(output, qualisys_turn, turn.m[0], 9);
        snw__put_string(output, "/>\n<intrinsic");
        put_attributes(output, qualisys_lens, lens, 4);
        put_attributes(output, qualisys_bend, camera->distortion, SNW_CAMERA_LENS);
        snw__put_string(output, "/>\n</camera>\n");
    }
    snw__put_string(output, "</cameras>\n</calibration>\n");
}

void snw__camera_vicon_write(const snw_cameras *cameras, snw__output *output)
{
    snw__put_string(output, "<?xml version=\"1.0\"?>\n<Cameras>\n");
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        snw_vec3 at = snw_vec3_scale(snw_camera_place(camera), 1000);
        snw_quat turn = camera->camera_from_world.rotation;
        double aspect = camera->focal_x / camera->focal_y, k[3];
        const double ours[3] = {camera->distortion[0], camera->distortion[1],
                                camera->distortion[4]};
        invert_radial(ours, picture_radius(camera), k);
        put_named(output, "<Camera DEVICEID=\"", camera->name);
        put_attribute(output, "SENSOR_SIZE", (double[]){camera->width, camera->height}, 2);
        snw__put_string(output, ">\n<KeyFrames>\n<KeyFrame FRAME=\"0\"");
        put_attribute(output, "FOCAL_LENGTH", &camera->focal_x, 1);
        put_attribute(output, "PIXEL_ASPECT_RATIO", &aspect, 1);
        put_attribute(output, "PRINCIPAL_POINT", (double[]){camera->center_x, camera->center_y}, 2);
        put_attribute(output, "POSITION", (double[]){at.x, at.y, at.z}, 3);
        put_attribute(output, "ORIENTATION", (double[]){turn.x, turn.y, turn.z, turn.w}, 4);
        snw__put_string(output, " VICON_RADIAL2=\"Vicon3Parameter");
        double numbers[5] = {camera->center_x, camera->center_y};
        for (int n = 0; n < 3; n++)
            numbers[2 + n] = k[n] / snw__pow(camera->focal_x, 2 * (n + 1));
        for (int n = 0; n < 5; n++) {
            snw__put_string(output, " ");
            snw__put_exact(output, numbers[n]);
        }
        snw__put_string(output, "\"/>\n</KeyFrames>\n</Camera>\n");
    }
    snw__put_string(output, "</Cameras>\n");
}

void snw__camera_optitrack_write(const snw_cameras *cameras, snw__output *output)
{
    snw__put_string(output, "<?xml version=\"1.0\"?>\n<Profile>\n<Calibration>\n<Cameras>\n");
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        double place[3],
            lens[9] = {camera->focal_x, camera->focal_y, camera->center_x, camera->center_y};
        snw_mat3 turn = axes_of(camera, 1, place);
        memcpy(lens + 4, camera->distortion, sizeof camera->distortion);
        put_named(output, "<Camera Serial=\"", camera->name);
        snw__put_string(output, ">\n<Attributes");
        put_attribute(output, "ImagerPixelWidth", &camera->width, 1);
        put_attribute(output, "ImagerPixelHeight", &camera->height, 1);
        snw__put_string(output, "/>\n<IntrinsicStandardCameraModel");
        put_attributes(output, optitrack_lens, lens, 9);
        snw__put_string(output, "/>\n<Extrinsic");
        put_attributes(output, optitrack_place, place, 3);
        put_attributes(output, optitrack_turn, turn.m[0], 9);
        snw__put_string(output, "/>\n</Camera>\n");
    }
    snw__put_string(output, "</Cameras>\n</Calibration>\n</Profile>\n");
}
