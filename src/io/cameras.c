/* Calibrations of cameras.
 *
 * TOML, as Pose2Sim, Anipose and Caliscope write it; a table with a matrix is a camera, others are
 * passed over:
 *
 *   [cam_01]
 *   name = "cam_01"
 *   size = [ 1088.0, 1920.0]
 *   matrix = [ [ fx, 0.0, cx], [ 0.0, fy, cy], [ 0.0, 0.0, 1.0]]
 *   distortions = [ k1, k2, p1, p2]                   (and k3; with fisheye k1 k2 k3 k4)
 *   rotation = [ x, y, z]                             world to camera, Rodrigues' vector
 *   translation = [ x, y, z]                          metres
 *   fisheye = false
 *
 * camera_xml.c and camera_yaml.c have the others.
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "io/camera_list.h"

snw_status snw__camera_begin(snw__camera_list *list, const snw__text_input *text, snw__span name)
{
    if (list->count == SNW_CAMERAS_MAX)
        return snw__text_fail(text, SNW_TOO_LARGE, "there are more than %d cameras",
                              SNW_CAMERAS_MAX);
    char whole[SNW__NAME_SIZE];
    snw_camera *camera = list->camera + list->count;
    memset(camera, 0, sizeof *camera);
    snw__span_copy(name, whole);
    snw_format(camera->name, sizeof camera->name, "%s", whole);
    camera->camera_from_world = snw_xform_identity();
    list->has_matrix = list->has_place = false;
    return SNW_OK;
}

snw_status snw__camera_end(snw__camera_list *list, const snw__text_input *text)
{
    if (!list->has_matrix) return SNW_OK;
    snw_camera *camera = list->camera + list->count;
    if (!list->has_place)
        return snw__text_fail(text, SNW_FORMAT,
                              "camera %s has a matrix, but no rotation and translation",
                              camera->name);
    list->has_matrix = false;
    list->count++;
    return SNW_OK;
}

/* ---- TOML --------------------------------------------------------------------------------- */

/* The value of a key: to the end of the line, or to where its brackets close. */
static snw__span value_of(snw__text_input *text, snw__span line)
{
    const char *at = snw__span_find(line, '=') + 1;
    snw__span value = {at, line.end};
    int depth = 0;
    bool is_quoted = false;
    for (const char *p = at; p < text->end; p++) {
        if (*p == '"' || *p == '\n') is_quoted = *p == '"' && !is_quoted; /* a name ends its line */
        depth += is_quoted ? 0 : (*p == '[') - (*p == ']');
        if (p >= line.end && depth <= 0) break;
        if (p >= line.end && *p == '\n' && !snw__text_line(text, &line)) break;
        value.end = p + 1;
        if (depth == 0 && p >= line.end) break;
    }
    return snw__span_trim(value);
}

int snw__camera_numbers(snw__span value, double *out, int most)
{
    int count = 0;
    const char *at = value.at;
    while (at < value.end) {
        if (snw__is_blank(*at) || *at == '[' || *at == ']' || *at == ',' || *at == '\n' ||
            *at == '\r') {
            at++;
            continue;
        }
        const char *end = at;
        while (end < value.end && !snw__is_blank(*end) && *end != ',' && *end != ']' &&
               *end != '\n' && *end != '\r')
            end++;
        double number;
        if (!snw__span_double((snw__span){at, end}, &number) || !isfinite(number)) return -1;
        if (count < most) out[count] = number;
        count++;
        at = end;
    }
    return count;
}

static snw_status take_key(snw__text_input *text, snw__camera_list *list, snw__span key,
                           snw__span value)
{
    snw_camera *camera = list->camera + list->count;
    double n[16] = {0};
    if (snw__span_is(key, "name")) {
        char name[SNW__NAME_SIZE];
        if (snw__span_length(value) >= 2 && *value.at == '"') value.at++, value.end--;
        snw__span_copy(value, name);
        if (name[0]) snw_format(camera->name, sizeof camera->name, "%s", name);
        return SNW_OK;
    }
    if (snw__span_is(key, "fisheye")) {
        camera->is_fisheye = snw__span_is(value, "true");
        return SNW_OK;
    }
    static const struct {
        const char *key;
        int least, most;
    } known[] = {{"size", 2, 2},
                 {"matrix", 9, 9},
                 {"distortions", 4, 5},
                 {"rotation", 3, 9},
                 {"translation", 3, 3}};
    for (int k = 0; k < 5; k++) {
        if (!snw__span_is(key, known[k].key)) continue;
        int count = snw__camera_numbers(value, n, 16);
        if (count < known[k].least || count > known[k].most || (k == 3 && count != 3 && count != 9))
            return snw__text_fail(text, SNW_FORMAT, "%s of camera %s has not %d numbers",
                                  known[k].key, camera->name, known[k].least);
        if (k == 0) camera->width = n[0], camera->height = n[1];
        if (k == 1) {
            camera->focal_x = n[0], camera->center_x = n[2];
            camera->focal_y = n[4], camera->center_y = n[5];
            list->has_matrix = true;
        }
        if (k == 2) memcpy(camera->distortion, n, sizeof camera->distortion);
        if (k == 3) {
            snw_mat3 turn;
            memcpy(turn.m, n, sizeof turn.m);
            camera->camera_from_world.rotation =
                count == 9 ? snw_quat_from_mat3(turn)
                           : snw_quat_exp(snw_vec3_make(n[0], n[1], n[2]));
        }
        if (k == 4) {
            camera->camera_from_world.translation = snw_vec3_make(n[0], n[1], n[2]);
            list->has_place = true;
        }
    }
    return SNW_OK;
}

static snw_status read_toml(snw__text_input *text, snw__camera_list *list)
{
    snw_status status = SNW_OK;
    bool is_inside = false;
    snw__span line;
    while (status == SNW_OK && snw__text_line(text, &line)) {
        line = snw__span_trim(line);
        if (snw__span_is_empty(line) || *line.at == '#') continue;
        if (*line.at == '[') {
            snw__span name = {line.at + 1, snw__span_find(line, ']')};
            status = snw__camera_end(list, text);
            if (status == SNW_OK) status = snw__camera_begin(list, text, snw__span_trim(name));
            is_inside = true;
            continue;
        }
        const char *equal = snw__span_find(line, '=');
        if (equal == line.end || !is_inside) continue;
        snw__span key = snw__span_trim((snw__span){line.at, equal});
        status = take_key(text, list, key, value_of(text, line));
    }
    return status == SNW_OK ? snw__camera_end(list, text) : status;
}

/* ---- reading and writing ------------------------------------------------------------------ */

static snw_status make_cameras(const snw__camera_list *list, const snw__reading *reading,
                               snw_cameras **out)
{
    if (!list->count)
        return snw__fail(
            reading->error, SNW_FORMAT,
            "%s holds no camera: a calibration in TOML (Pose2Sim, Anipose, Caliscope), "
            "of Qualisys, Vicon (.xcp), OptiTrack (.mcal) or OpenCV (YAML) is needed",
            reading->name);
    snw_status status = snw_cameras_create(list->count, &reading->allocator, out, reading->error);
    if (status != SNW_OK) return status;
    memcpy((*out)->camera, list->camera, (size_t)list->count * sizeof *list->camera);
    snw_error why;
    if (snw_cameras_check(*out, &why) == SNW_OK) return SNW_OK;
    snw_cameras_destroy(*out);
    *out = NULL;
    return snw__fail(reading->error, SNW_FORMAT, "%s: %s", reading->name, why.message);
}

/* Places kilometres from each other are millimetres that are called metres. */
static void settle_unit(snw__camera_list *list, const snw__reading *reading)
{
    double most = 0;
    for (int c = 0; c < list->count; c++)
        most = fmax(most, snw_vec3_length(list->camera[c].camera_from_world.translation));
    double scale = reading->options.metres_per_unit;
    if (!(scale > 0)) {
        if (!(most > 200)) return;
        scale = 0.001;
        snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "cameras would be up to %.0f m away: their places are taken as millimetres",
                  most);
    }
    for (int c = 0; c < list->count; c++)
        list->camera[c].camera_from_world.translation =
            snw_vec3_scale(list->camera[c].camera_from_world.translation, scale);
}

snw_status snw_read_cameras(const snw_source *source, const snw_read_options *options,
                            const snw_allocator *allocator, snw_cameras **out, snw_notes *notes,
                            snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    const snw__reading_request request = {source, options, allocator, notes, error};
    snw__reading reading;
    snw__text_input text;
    snw__camera_list *list = NULL;
    snw_status status = snw__reading_open(&reading, &request);
    bool is_loaded =
        status == SNW_OK && (status = snw__text_load_narrow(&text, &reading)) == SNW_OK;
    if (is_loaded) {
        list = snw__allocate(&reading.allocator, sizeof *list);
        status = list ? SNW_OK : snw__fail_memory(error, sizeof *list, "cameras");
    }
    if (status == SNW_OK) {
        bool is_xml = snw__camera_xml_is(&text);
        status = is_xml                       ? snw__camera_xml_read(&text, list)
                 : snw__camera_yaml_is(&text) ? snw__camera_yaml_read(&text, list)
                                              : read_toml(&text, list);
        if (status == SNW_OK && !is_xml) settle_unit(list, &reading);
        if (status == SNW_OK) status = make_cameras(list, &reading, out);
    }
    if (list) snw__release(&reading.allocator, list, sizeof *list);
    if (is_loaded) snw__text_release(&text);
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}

static void put_numbers(snw__output *output, const char *key, const double *number, int count)
{
    snw__put_string(output, key);
    snw__put_string(output, " = [");
    for (int n = 0; n < count; n++) {
        snw__put_string(output, n ? ", " : " ");
        snw__put_exact(output, number[n]);
    }
    snw__put_string(output, "]\n");
}

static void write_toml(const snw_cameras *cameras, snw__output *output)
{
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        snw_vec3 turn = snw_quat_log(camera->camera_from_world.rotation);
        snw_vec3 at = camera->camera_from_world.translation;
        snw__put_string(output, c ? "\n[" : "[");
        snw__put_name(output, camera->name[0] ? camera->name : "camera", "[]\"=\\", '_');
        snw__put_string(output, "]\nname = \"");
        snw__put_name(output, camera->name, "\"\\", '_');
        snw__put_string(output, "\"\n");
        put_numbers(output, "size", (double[]){camera->width, camera->height}, 2);
        snw__put_string(output, "matrix = [");
        const double row[3][3] = {{camera->focal_x, 0, camera->center_x},
                                  {0, camera->focal_y, camera->center_y},
                                  {0, 0, 1}};
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) {
                snw__put_string(output, k ? ", " : r ? ", [ " : " [ ");
                snw__put_exact(output, row[r][k]);
                if (k == 2) snw__put_string(output, "]");
            }
        snw__put_string(output, "]\n");
        put_numbers(output, "distortions", camera->distortion,
                    camera->is_fisheye || camera->distortion[4] == 0 ? 4 : 5);
        put_numbers(output, "rotation", (double[]){turn.x, turn.y, turn.z}, 3);
        put_numbers(output, "translation", (double[]){at.x, at.y, at.z}, 3);
        snw__put_string(output, camera->is_fisheye ? "fisheye = true\n" : "fisheye = false\n");
    }
}

/* YAML finds cameras by their names. */
static snw_status check_names(const snw_cameras *cameras, snw_error *error)
{
    char name[2][SNW_CAMERA_NAME_SIZE];
    for (int c = 0; c < cameras->count; c++) {
        snw__camera_yaml_name(cameras->camera[c].name, name[0]);
        for (int d = 0; d < c; d++) {
            snw__camera_yaml_name(cameras->camera[d].name, name[1]);
            if (strcmp(name[0], name[1]) == 0)
                return snw__fail(error, SNW_UNSUPPORTED,
                                 "two cameras would be called %s, by which OpenCV's YAML tells "
                                 "them apart",
                                 name[0]);
        }
    }
    return SNW_OK;
}

/* The layouts of camera makers know no fisheye, and Vicon's no tangential distortion. */
static snw_status check_lenses(const snw_cameras *cameras, snw_camera_format format,
                               snw_error *error)
{
    bool is_maker = format != SNW_CAMERAS_TOML && format != SNW_CAMERAS_OPENCV;
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        if (is_maker && camera->is_fisheye)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "camera %s has a fisheye, which this layout cannot hold: TOML and "
                             "OpenCV's YAML can",
                             camera->name);
        if (format == SNW_CAMERAS_VICON &&
            (camera->distortion[2] != 0 || camera->distortion[3] != 0))
            return snw__fail(error, SNW_UNSUPPORTED,
                             "camera %s has a tangential distortion, which .xcp cannot hold",
                             camera->name);
    }
    return SNW_OK;
}

snw_status snw_write_cameras_as(const snw_cameras *cameras, snw_camera_format format,
                                const snw_sink *sink, snw_error *error)
{
    static void (*const write[])(const snw_cameras *, snw__output *) = {
        [SNW_CAMERAS_TOML] = write_toml,
        [SNW_CAMERAS_OPENCV] = snw__camera_yaml_write,
        [SNW_CAMERAS_QUALISYS] = snw__camera_qualisys_write,
        [SNW_CAMERAS_VICON] = snw__camera_vicon_write,
        [SNW_CAMERAS_OPTITRACK] = snw__camera_optitrack_write,
    };
    if ((unsigned)format >= sizeof write / sizeof *write)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no such layout of cameras");
    snw__output output;
    snw_status status = snw_cameras_check(cameras, error);
    if (status == SNW_OK) status = check_lenses(cameras, format, error);
    if (status == SNW_OK && format == SNW_CAMERAS_OPENCV) status = check_names(cameras, error);
    if (status == SNW_OK) status = snw__output_open(&output, NULL, sink, error);
    if (status != SNW_OK) return status;
    write[format](cameras, &output);
    status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}

snw_status snw_write_cameras(const snw_cameras *cameras, const snw_sink *sink, snw_error *error)
{
    return snw_write_cameras_as(cameras, SNW_CAMERAS_TOML, sink, error);
}

int snw_camera_format_find(const char *path)
{
    static const struct {
        const char *ending;
        snw_camera_format format;
    } known[] = {{".toml", SNW_CAMERAS_TOML},  {".yaml", SNW_CAMERAS_OPENCV},
                 {".yml", SNW_CAMERAS_OPENCV}, {".qca.txt", SNW_CAMERAS_QUALISYS},
                 {".xcp", SNW_CAMERAS_VICON},  {".mcal", SNW_CAMERAS_OPTITRACK}};
    for (size_t n = 0; path && n < sizeof known / sizeof *known; n++)
        if (snw__span_ends(snw__span_of(path), known[n].ending)) return (int)known[n].format;
    return -1;
}
