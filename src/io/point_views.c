/* Points that cameras saw and nobody named.
 *
 * CSV, columns in any order, others passed over, lines of comments begin with #; "# rate 120" says
 * how many frames there are in a second:
 *
 *   frame,camera,x,y                    the camera's name in the calibration, or its number from 1
 *   1,cam1,812.25,1003.5                pixels, x right, y down, from the upper left corner
 *
 * JSON lines, one picture in a line; its rate may stand in any of them:
 *
 *   {"rate": 120, "frame": 1, "camera": "cam1", "points": [[812.25, 1003.5], ...]}
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/json_tree.h"
#include "io/text_reader.h"
#include "io/text_writer.h"

/* One point as it is read. */
typedef struct view_row {
    int64_t frame;
    int camera;
    float x, y;
} view_row;

typedef struct view_reader {
    const snw_cameras *cameras;
    snw__text_input *text;
    snw_allocator memory;
    double rate;
    int64_t picture_count; /* that say they were taken, with points or without */
    int64_t first, last;
    int row_count, capacity;
    view_row *row;
} view_reader;

/* ---- rows --------------------------------------------------------------------------------- */

static snw_status find_camera(const view_reader *r, snw__span word, int *out)
{
    char name[SNW__NAME_SIZE];
    int64_t number = 0;
    snw__span_copy(word, name);
    *out = snw_cameras_find(r->cameras, name);
    if (*out >= 0) return SNW_OK;
    if (snw__span_int(word, &number) && number >= 1 && number <= r->cameras->count) {
        *out = (int)number - 1;
        return SNW_OK;
    }
    return snw__text_fail(r->text, SNW_FORMAT, "there is no camera \"%.*s\" in the calibration",
                          snw__span_shown(word), word.at);
}

static snw_status take_frame(view_reader *r, int64_t frame)
{
    if (frame < INT32_MIN || frame > INT32_MAX)
        return snw__text_fail(r->text, SNW_FORMAT, "%lld is no number of a frame",
                              (long long)frame);
    if (r->picture_count == 0 || frame < r->first) r->first = frame;
    if (r->picture_count == 0 || frame > r->last) r->last = frame;
    r->picture_count++;
    return SNW_OK;
}

static snw_status add_row(view_reader *r, view_row row, double x, double y)
{
    if (!(fabs(x) < 1e6 && fabs(y) < 1e6))
        return snw__text_fail(r->text, SNW_FORMAT, "%g, %g is no place in a picture", x, y);
    if (r->row_count == r->capacity) {
        if (r->capacity > INT32_MAX / 2)
            return snw__text_fail(r->text, SNW_TOO_LARGE, "there are more than 2^30 points");
        int capacity = r->capacity ? 2 * r->capacity : 256;
        view_row *more = snw__allocate(&r->memory, (size_t)capacity * sizeof *more);
        if (!more)
            return snw__fail_memory(r->text->reading->error, (size_t)capacity * sizeof *more,
                                    "points");
        if (r->row_count) memcpy(more, r->row, (size_t)r->row_count * sizeof *more);
        snw__release(&r->memory, r->row, (size_t)r->capacity * sizeof *more);
        r->row = more;
        r->capacity = capacity;
    }
    row.x = (float)x;
    row.y = (float)y;
    r->row[r->row_count++] = row;
    return SNW_OK;
}

/* ---- CSV ---------------------------------------------------------------------------------- */

enum {
    COLUMN_FRAME,
    COLUMN_CAMERA,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_COUNT
};

static snw_status read_head(const view_reader *r, snw__span line, int column[COLUMN_COUNT])
{
    static const char *const name[COLUMN_COUNT] = {"frame", "camera", "x", "y"};
    snw__span field;
    for (int k = 0; k < COLUMN_COUNT; k++)
        column[k] = -1;
    for (int n = 0; snw__span_field(&line, ',', &field); n++)
        for (int k = 0; k < COLUMN_COUNT; k++)
            if (column[k] < 0 && snw__span_is(field, name[k])) column[k] = n;
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (column[k] < 0)
            return snw__text_fail(r->text, SNW_FORMAT,
                                  "there is no column \"%s\": points of cameras have frame, "
                                  "camera, x and y",
                                  name[k]);
    return SNW_OK;
}

static snw_status read_row(view_reader *r, snw__span line, const int column[COLUMN_COUNT])
{
    snw__span cell[COLUMN_COUNT] = {{NULL, NULL}}, field;
    for (int n = 0; snw__span_field(&line, ',', &field); n++)
        for (int k = 0; k < COLUMN_COUNT; k++)
            if (column[k] == n) cell[k] = field;
    view_row row = {0, 0, 0, 0};
    double at[2];
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (!cell[k].at) return snw__text_fail(r->text, SNW_FORMAT, "a column is missing");
    if (!snw__span_int(cell[COLUMN_FRAME], &row.frame))
        return snw__text_fail(r->text, SNW_FORMAT, "\"%.*s\" is no number of a frame",
                              snw__span_shown(cell[COLUMN_FRAME]), cell[COLUMN_FRAME].at);
    snw_status status = find_camera(r, cell[COLUMN_CAMERA], &row.camera);
    if (status == SNW_OK) status = take_frame(r, row.frame);
    if (status != SNW_OK) return status;
    /* A picture without points: both cells are empty. */
    if (snw__span_is_empty(cell[COLUMN_X]) && snw__span_is_empty(cell[COLUMN_Y])) return SNW_OK;
    for (int k = 0; k < 2; k++)
        if (!snw__span_double(cell[COLUMN_X + k], at + k))
            return snw__text_fail(r->text, SNW_FORMAT, "\"%.*s\" is no number",
                                  snw__span_shown(cell[COLUMN_X + k]), cell[COLUMN_X + k].at);
    return add_row(r, row, at[0], at[1]);
}

static snw_status read_csv(view_reader *r)
{
    int column[COLUMN_COUNT];
    bool has_head = false;
    snw_status status = SNW_OK;
    snw__span line, word;
    while (status == SNW_OK && snw__text_line(r->text, &line)) {
        line = snw__span_trim(line);
        if (snw__span_is_empty(line)) continue;
        if (*line.at == '#') {
            line.at++;
            if (snw__span_word(&line, &word) && snw__span_is(word, "rate") &&
                snw__span_word(&line, &word) && !snw__span_double(word, &r->rate))
                status = snw__text_fail(r->text, SNW_FORMAT, "the rate is no number");
        } else if (!has_head) {
            status = read_head(r, line, column);
            has_head = true;
        } else {
            status = read_row(r, line, column);
        }
    }
    return status;
}

/* ---- JSON lines --------------------------------------------------------------------------- */

static snw_status read_picture(view_reader *r, const snw__json *json)
{
    view_row row = {0, 0, 0, 0};
    int count = 0, camera = snw__json_find(json, 0, "camera"),
        frame = snw__json_find(json, 0, "frame"), rate = snw__json_find(json, 0, "rate");
    int points = snw__json_list(json, 0, "points", &count);
    if (rate >= 0) snw__json_number(json, rate, &r->rate);
    if (rate >= 0 && frame < 0 && points < 0) return SNW_OK; /* about all of them */
    if (camera < 0 || points < 0 || frame < 0 || json->value[frame].kind != '0' ||
        !snw__span_int(json->value[frame].text, &row.frame))
        return snw__text_fail(r->text, SNW_FORMAT,
                              "a picture needs \"frame\", \"camera\" and \"points\"");
    snw_status status = find_camera(r, json->value[camera].text, &row.camera);
    if (status == SNW_OK) status = take_frame(r, row.frame);
    int at = points + 1;
    for (int n = 0; n < count && status == SNW_OK; n++, at = json->value[at].next) {
        double pixel[2];
        if (json->value[at].kind != '[' || json->value[at].count < 2 ||
            !snw__json_number(json, at + 1, pixel) ||
            !snw__json_number(json, json->value[at + 1].next, pixel + 1))
            return snw__text_fail(r->text, SNW_FORMAT, "point %d is not [x, y]", n + 1);
        status = add_row(r, row, pixel[0], pixel[1]);
    }
    return status;
}

static snw_status read_json_lines(view_reader *r)
{
    snw_status status = SNW_OK;
    snw__span line;
    while (status == SNW_OK && snw__text_line(r->text, &line)) {
        snw__json json;
        line = snw__span_trim(line);
        if (snw__span_is_empty(line)) continue;
        status = snw__json_parse(&json, r->text->reading, line, line.at - r->text->begin);
        if (status != SNW_OK) return status;
        status = read_picture(r, &json);
        snw__json_release(&json);
    }
    return status;
}

/* ---- views -------------------------------------------------------------------------------- */

static snw_status make_views(const view_reader *r, const snw_allocator *allocator, snw_views **out)
{
    static const char *const unnamed[] = {"*"};
    snw_error *error = r->text->reading->error;
    int64_t frames = r->last - r->first + 1;
    if (!r->row_count)
        return snw__fail(error, SNW_FORMAT, "%s holds no points of cameras",
                         r->text->reading->name);
    snw_status status =
        snw__text_check_size(r->text, (double)frames * r->cameras->count * sizeof(int),
                             "frames between the first and the last number");
    if (status != SNW_OK) return status;
    snw_views_counts counts = {r->cameras->count, (int)frames, 1, r->row_count, unnamed};
    snw_views *views = NULL;
    status = snw_views_create(&counts, allocator, &views, error);
    if (status != SNW_OK) return status;
    views->rate = r->rate;
    views->first_frame = (int)r->first;
    /* Counted, summed, put in their places; then the places are moved back. */
    for (int n = 0; n < r->row_count; n++)
        views->first[r->row[n].camera * frames + (r->row[n].frame - r->first) + 1]++;
    for (int64_t n = 0; n < frames * r->cameras->count; n++)
        views->first[n + 1] += views->first[n];
    for (int n = 0; n < r->row_count; n++) {
        const view_row *row = r->row + n;
        int *next = views->first + row->camera * frames + (row->frame - r->first);
        views->keypoint[(*next)++] = (snw_keypoint){row->x, row->y, 1};
    }
    for (int64_t n = frames * r->cameras->count; n > 0; n--)
        views->first[n] = views->first[n - 1];
    views->first[0] = 0;
    *out = views;
    return SNW_OK;
}

snw_status snw_read_views(const snw_source *source, const snw_cameras *cameras,
                          const snw_read_options *options, const snw_allocator *allocator,
                          snw_views **out, snw_error *error)
{
    if (!out || !cameras) return snw__fail(error, SNW_INVALID_ARGUMENT, "out or cameras is NULL");
    *out = NULL;
    const snw__reading_request request = {source, options, allocator, NULL, error};
    snw__reading reading;
    snw__text_input text;
    snw_status status = snw__reading_open(&reading, &request);
    bool is_loaded = status == SNW_OK && (status = snw__text_load(&text, &reading)) == SNW_OK;
    view_reader r;
    memset(&r, 0, sizeof r);
    r.cameras = cameras;
    r.memory = reading.allocator;
    if (is_loaded) {
        r.text = &text;
        snw__span head = snw__span_trim((snw__span){text.begin, text.end});
        bool is_json = !snw__span_is_empty(head) && *head.at == '{';
        status = is_json ? read_json_lines(&r) : read_csv(&r);
        if (status == SNW_OK && !(r.rate >= 0 && r.rate < 1e6))
            status = snw__fail(error, SNW_FORMAT, "%s: %g frames per second are no rate",
                               reading.name, r.rate);
        if (status == SNW_OK) status = make_views(&r, allocator, out);
        snw__release(&r.memory, r.row, (size_t)r.capacity * sizeof *r.row);
        snw__text_release(&text);
    }
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}

snw_status snw_write_views(const snw_views *views, const snw_cameras *cameras, const snw_sink *sink,
                           snw_error *error)
{
    snw__output output;
    if (views->point_count != 1 || views->camera_count != cameras->count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "views of %d points by %d cameras are not points of %d cameras",
                         views->point_count, views->camera_count, cameras->count);
    snw_status status = snw__output_open(&output, NULL, sink, error);
    if (status != SNW_OK) return status;
    if (views->rate > 0) {
        snw__put_string(&output, "# rate ");
        snw__put_exact(&output, views->rate);
        snw__put_string(&output, "\n");
    }
    snw__put_string(&output, "frame,camera,x,y\n");
    for (int f = 0; f < views->frame_count; f++)
        for (int c = 0; c < views->camera_count; c++) {
            const int *first = views->first + (size_t)c * (size_t)views->frame_count + f;
            for (int d = first[0]; d < first[1]; d++) {
                snw__put_text(&output, "%d,", f + views->first_frame);
                snw__put_name(&output, cameras->camera[c].name, ",\"#", '_');
                snw__put_text(&output, ",%.3f,%.3f\n", (double)views->keypoint[d].x,
                              (double)views->keypoint[d].y);
            }
        }
    status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}
