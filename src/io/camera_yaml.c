/* Calibrations in the YAML of OpenCV's FileStorage. One file for all cameras:
 *
 *   %YAML:1.0
 *   ---
 *   names:
 *      - "cam1"
 *   K_cam1: !!opencv-matrix
 *      rows: 3
 *      cols: 3
 *      dt: d
 *      data: [ fx, 0., cx, 0., fy, cy, 0., 0., 1. ]
 *   dist_cam1: ..                         1 x 5: k1 k2 p1 p2 k3
 *   Rot_cam1: .. (3 x 3), or R_cam1: .. (Rodrigues' vector)
 *   T_cam1: ..
 *   W_cam1: 1920                          (and H_cam1; optional)
 *   fisheye_cam1: 1                       (ours; optional)
 *
 * or one camera a file, under the names that OpenCV's own samples use: camera_matrix (or K),
 * distortion_coefficients (dist_coeffs, dist, D), rvec or R, tvec or T, image_width, image_height.
 */
#include <math.h>
#include <string.h>

#include "io/camera_list.h"

typedef enum yaml_what {
    YAML_MATRIX,
    YAML_LENS,
    YAML_TURN,
    YAML_PLACE,
    YAML_WIDTH,
    YAML_HEIGHT,
    YAML_FISHEYE,
    YAML_OTHER
} yaml_what;

static const struct {
    const char *word; /* with "_" at its end: a camera's name follows */
    yaml_what what;
} yaml_words[] = {
    {"K_", YAML_MATRIX},
    {"dist_", YAML_LENS},
    {"Rot_", YAML_TURN},
    {"R_", YAML_TURN},
    {"T_", YAML_PLACE},
    {"W_", YAML_WIDTH},
    {"H_", YAML_HEIGHT},
    {"fisheye_", YAML_FISHEYE},
    {"camera_matrix", YAML_MATRIX},
    {"K", YAML_MATRIX},
    {"distortion_coefficients", YAML_LENS},
    {"dist_coeffs", YAML_LENS},
    {"dist", YAML_LENS},
    {"D", YAML_LENS},
    {"rvec", YAML_TURN},
    {"R", YAML_TURN},
    {"tvec", YAML_PLACE},
    {"T", YAML_PLACE},
    {"image_width", YAML_WIDTH},
    {"image_height", YAML_HEIGHT},
};

bool snw__camera_yaml_is(const snw__text_input *text)
{
    return snw__span_starts((snw__span){text->begin, text->end}, "%YAML");
}

static bool spells(snw__span span, const char *word)
{
    return snw__span_length(span) == strlen(word) && memcmp(span.at, word, strlen(word)) == 0;
}

static yaml_what what_is(snw__span key, snw__span *name)
{
    *name = (snw__span){key.end, key.end};
    for (size_t n = 0; n < sizeof yaml_words / sizeof *yaml_words; n++) {
        size_t length = strlen(yaml_words[n].word);
        bool has_name = yaml_words[n].word[length - 1] == '_';
        if (!has_name && spells(key, yaml_words[n].word)) return yaml_words[n].what;
        if (!has_name || snw__span_length(key) <= length ||
            memcmp(key.at, yaml_words[n].word, length) != 0)
            continue;
        name->at = key.at + length;
        return yaml_words[n].what;
    }
    return YAML_OTHER;
}

/* The camera of that name, begun where it is new. In `list` cameras are whole when all is read. */
static snw_status find_camera(snw__camera_list *list, const snw__text_input *text, snw__span name,
                              int *found)
{
    char whole[SNW__NAME_SIZE], cut[SNW_CAMERA_NAME_SIZE];
    if (snw__span_is_empty(name)) name = snw__span_of("camera");
    snw__span_copy(name, whole);
    snw_format(cut, sizeof cut, "%s", whole);
    for (*found = 0; *found < list->count; ++*found)
        if (strcmp(list->camera[*found].name, cut) == 0) return SNW_OK;
    snw_status status = snw__camera_begin(list, text, name);
    if (status == SNW_OK) list->count++;
    return status;
}

/* From '[' to ']', on as many lines as it takes; a number alone is its line's. */
static snw__span matrix_of(snw__text_input *text, snw__span value)
{
    snw__span line = value;
    if (!snw__span_is_empty(value) && *value.at != '!') return value;
    while (snw__text_line(text, &line)) {
        const char *open = snw__span_find(line, '[');
        if (open == line.end) {
            if (!snw__is_blank(*line.at)) break; /* the next key: no matrix */
            continue;
        }
        value = (snw__span){open, line.end};
        while (snw__span_find(value, ']') == value.end && snw__text_line(text, &line))
            value.end = line.end;
        return value;
    }
    return (snw__span){value.end, value.end};
}

static snw_status take_value(snw__text_input *text, snw_camera *camera, yaml_what what,
                             snw__span value)
{
    double n[16] = {0};
    int count = snw__camera_numbers(matrix_of(text, value), n, 16);
    static const struct {
        int least, most;
        const char *name;
    } shape[] = {{9, 9, "matrix"}, {4, 14, "distortion"}, {3, 9, "rotation"}, {3, 3, "translation"},
                 {1, 1, "width"},  {1, 1, "height"},      {1, 1, "fisheye"}};
    if (count < shape[what].least || count > shape[what].most ||
        (what == YAML_TURN && count != 3 && count != 9))
        return snw__text_fail(text, SNW_FORMAT, "the %s of camera %s has not %d numbers",
                              shape[what].name, camera->name, shape[what].least);
    switch (what) {
    case YAML_MATRIX:
        camera->focal_x = n[0], camera->center_x = n[2];
        camera->focal_y = n[4], camera->center_y = n[5];
        break;
    case YAML_LENS:
        for (int k = SNW_CAMERA_LENS; k < count; k++)
            if (n[k] != 0)
                return snw__text_fail(text, SNW_UNSUPPORTED,
                                      "camera %s has a rational distortion (%d numbers): five are "
                                      "known",
                                      camera->name, count);
        memcpy(camera->distortion, n, sizeof camera->distortion);
        break;
    case YAML_TURN: {
        snw_mat3 turn;
        memcpy(turn.m, n, sizeof turn.m);
        camera->camera_from_world.rotation =
            count == 9 ? snw_quat_from_mat3(turn) : snw_quat_exp(snw_vec3_make(n[0], n[1], n[2]));
        break;
    }
    case YAML_PLACE:
        camera->camera_from_world.translation = snw_vec3_make(n[0], n[1], n[2]);
        break;
    case YAML_WIDTH:
        camera->width = n[0];
        break;
    case YAML_HEIGHT:
        camera->height = n[0];
        break;
    default:
        camera->is_fisheye = n[0] != 0;
        break;
    }
    return SNW_OK;
}

snw_status snw__camera_yaml_read(snw__text_input *text, snw__camera_list *list)
{
    unsigned char has[SNW_CAMERAS_MAX] = {0}; /* bit: yaml_what */
    snw__span line;
    while (snw__text_line(text, &line)) {
        const char *colon = snw__span_find(line, ':');
        if (snw__span_is_empty(line) || snw__is_blank(*line.at) || colon == line.end) continue;
        snw__span name, key = {line.at, colon};
        yaml_what what = what_is(key, &name);
        if (what == YAML_OTHER) continue;
        int found;
        snw_status status = find_camera(list, text, name, &found);
        if (status == SNW_OK)
            status = take_value(text, list->camera + found, what,
                                snw__span_trim((snw__span){colon + 1, line.end}));
        if (status != SNW_OK) return status;
        has[found] |= (unsigned char)(1 << what);
    }
    for (int c = 0; c < list->count; c++) {
        static const char *const missing[] = {"matrix", "", "rotation", "translation"};
        for (int w = 0; w < 4; w++)
            if (missing[w][0] && !(has[c] & (1 << w)))
                return snw__text_fail(text, SNW_FORMAT, "camera %s has no %s", list->camera[c].name,
                                      missing[w]);
    }
    return SNW_OK;
}

/* ---- writing ------------------------------------------------------------------------------ */

void snw__camera_yaml_name(const char *name, char out[SNW_CAMERA_NAME_SIZE])
{
    int n = 0;
    for (; name[n] && n < SNW_CAMERA_NAME_SIZE - 1; n++) {
        bool is_plain = (unsigned char)name[n] > ' ' && name[n] != 127 && !strchr(":\"[]", name[n]);
        out[n] = is_plain ? name[n] : '_';
    }
    out[n] = '\0';
    if (!n) snw_format(out, SNW_CAMERA_NAME_SIZE, "camera");
}

static void put_matrix(snw__output *output, const char *key, const char *name, int rows, int cols,
                       const double *data)
{
    char head[96];
    snw__put_string(output, key);
    snw__put_string(output, name);
    snw_format(head, sizeof head,
               ": !!opencv-matrix\n   rows: %d\n   cols: %d\n   dt: d\n   data: [", rows, cols);
    snw__put_string(output, head);
    for (int n = 0; n < rows * cols; n++) {
        snw__put_string(output, n ? ", " : " ");
        snw__put_exact(output, data[n]);
    }
    snw__put_string(output, " ]\n");
}

static void put_scalar(snw__output *output, const char *key, const char *name, double value)
{
    snw__put_string(output, key);
    snw__put_string(output, name);
    snw__put_string(output, ": ");
    snw__put_exact(output, value);
    snw__put_string(output, "\n");
}

void snw__camera_yaml_write(const snw_cameras *cameras, snw__output *output)
{
    char name[SNW_CAMERA_NAME_SIZE];
    snw__put_string(output, "%YAML:1.0\n---\nnames:\n");
    for (int c = 0; c < cameras->count; c++) {
        snw__camera_yaml_name(cameras->camera[c].name, name);
        snw__put_string(output, "   - \"");
        snw__put_string(output, name);
        snw__put_string(output, "\"\n");
    }
    for (int c = 0; c < cameras->count; c++) {
        const snw_camera *camera = cameras->camera + c;
        const double matrix[9] = {
            camera->focal_x, 0, camera->center_x, 0, camera->focal_y, camera->center_y, 0, 0, 1};
        snw_vec3 turn = snw_quat_log(camera->camera_from_world.rotation);
        snw_vec3 at = camera->camera_from_world.translation;
        snw__camera_yaml_name(camera->name, name);
        put_matrix(output, "K_", name, 3, 3, matrix);
        put_matrix(output, "dist_", name, 1, SNW_CAMERA_LENS, camera->distortion);
        put_matrix(output, "R_", name, 3, 1, (double[]){turn.x, turn.y, turn.z});
        put_matrix(output, "T_", name, 3, 1, (double[]){at.x, at.y, at.z});
        put_scalar(output, "W_", name, camera->width);
        put_scalar(output, "H_", name, camera->height);
        if (camera->is_fisheye) put_scalar(output, "fisheye_", name, 1);
    }
}
