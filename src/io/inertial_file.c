/* Recordings of inertial sensors.
 *
 * OpenSim's storage of turns (OpenSense writes it):
 *   DataRate=100
 *   DataType=Quaternion
 *   endheader
 *   time  pelvis_imu  femur_r_imu ...           tabs
 *   0.00  w,x,y,z     w,x,y,z
 *
 * CSV: a column time (seconds), then for each sensor NAME_qw NAME_qx NAME_qy NAME_qz and, with
 * accelerations (m/s2, in the sensor's axes, with gravity), NAME_ax NAME_ay NAME_az.
 *
 * Xsens' MVNX: <segment label="Pelvis">, <frame time=".." type="normal"> with <orientation> (w x y
 * z of every segment) and <acceleration> (of every segment, in the world, without gravity). */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/text_reader.h"
#include "io/text_writer.h"

enum {
    INERTIAL_COLUMNS = 7 * SNW_INERTIAL_MAX + 1
};

typedef struct inertial_file {
    snw__text_input text;
    snw_allocator memory;
    int sensor_count, row_count, column_count;
    char name[SNW_INERTIAL_MAX][SNW__NAME_SIZE];
    const char *names[SNW_INERTIAL_MAX];
    int column[INERTIAL_COLUMNS]; /* what it holds: 8 x sensor + part, part 0..3 turn, 4..6
                                     acceleration; -1 the time, -2 nothing */
    bool has_acceleration;
    double rate, first, last; /* of the header, of the rows */
    snw_inertial *out;
} inertial_file;

/* The sensor of that name, a new one where there is none. */
static snw_status find_sensor(inertial_file *file, snw__span name, int *found)
{
    char whole[SNW__NAME_SIZE];
    snw__span_copy(name, whole);
    for (*found = 0; *found < file->sensor_count; ++*found)
        if (strcmp(file->name[*found], whole) == 0) return SNW_OK;
    if (file->sensor_count == SNW_INERTIAL_MAX)
        return snw__text_fail(&file->text, SNW_TOO_LARGE, "there are more than %d sensors",
                              SNW_INERTIAL_MAX);
    memcpy(file->name[file->sensor_count++], whole, sizeof whole);
    return SNW_OK;
}

static snw_status make_sensors(inertial_file *file, int rows)
{
    for (int s = 0; s < file->sensor_count; s++)
        file->names[s] = file->name[s];
    snw_status status = snw__text_check_size(
        &file->text, (double)rows * file->sensor_count * (sizeof(snw_quat) + sizeof(snw_vec3)),
        "sensors");
    if (status != SNW_OK) return status;
    return snw_inertial_create(file->names, file->sensor_count, rows, &file->memory, &file->out,
                               file->text.reading->error);
}

static snw_status take_turn(inertial_file *file, int row, int sensor, const double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!isfinite(length) || length == 0) return SNW_OK; /* missing */
    if (fabs(length - 1) > 0.05)
        return snw__text_fail(&file->text, SNW_FORMAT,
                              "the quaternion of %s has the length %g, not 1", file->name[sensor],
                              length);
    file->out->turn[(size_t)row * (size_t)file->sensor_count + (size_t)sensor] =
        snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
    return SNW_OK;
}

static void take_time(inertial_file *file, int row, double time)
{
    if (row == 0) file->first = time;
    file->last = time;
}

/* ---- .sto ------------------------------------------------------------------------------------ */

static snw_status read_storage_head(inertial_file *file)
{
    snw__span line, cell;
    bool is_turn = false;
    while (snw__text_line(&file->text, &line) && !snw__span_is(snw__span_trim(line), "endheader")) {
        const char *equals = snw__span_find(line, '=');
        snw__span key = snw__span_trim((snw__span){line.at, equals}), value = {equals, line.end};
        if (equals < line.end) value.at++;
        value = snw__span_trim(value);
        is_turn |= snw__span_is(key, "DataType") && snw__span_is(value, "Quaternion");
        if (snw__span_is(key, "DataRate") || snw__span_is(key, "OpenSimDataRate"))
            snw__span_double(value, &file->rate);
    }
    if (!is_turn)
        return snw__text_fail(&file->text, SNW_UNSUPPORTED,
                              "the storage holds no turns: DataType=Quaternion is needed");
    if (!snw__text_line(&file->text, &line) || !snw__span_cell(&line, '\t', &cell) ||
        !snw__span_is(cell, "time"))
        return snw__text_fail(&file->text, SNW_FORMAT,
                              "the row of column names must start with \"time\"");
    snw_status status = SNW_OK;
    while (status == SNW_OK && snw__span_cell(&line, '\t', &cell)) {
        int found, before = file->sensor_count;
        if (snw__span_is_empty(cell)) continue;
        status = find_sensor(file, cell, &found);
        if (status == SNW_OK && file->sensor_count == before)
            status = snw__text_fail(&file->text, SNW_FORMAT, "two columns are called %s",
                                    file->name[found]);
    }
    return status;
}

static snw_status read_storage_row(inertial_file *file, snw__span line, int row)
{
    snw__span cell;
    double time;
    snw_status status = SNW_OK;
    if (!snw__span_cell(&line, '\t', &cell) || !snw__span_double(cell, &time))
        return snw__text_fail(&file->text, SNW_FORMAT, "a row does not start with its time");
    take_time(file, row, time);
    for (int s = 0; s < file->sensor_count && status == SNW_OK; s++) {
        double q[4] = {0};
        int count = 0;
        snw__span part;
        if (!snw__span_cell(&line, '\t', &cell))
            return snw__text_fail(&file->text, SNW_TRUNCATED, "the row ends before %s",
                                  file->name[s]);
        while (count < 4 && snw__span_cell(&cell, ',', &part))
            if (!snw__span_double(part, q + count++))
                return snw__text_fail(&file->text, SNW_FORMAT, "the turn of %s is no numbers",
                                      file->name[s]);
        if (count != 4)
            return snw__text_fail(&file->text, SNW_FORMAT, "the turn of %s has not four numbers",
                                  file->name[s]);
        status = take_turn(file, row, s, q);
    }
    return status;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static snw_status read_csv_head(inertial_file *file)
{
    static const char *const parts[] = {"_qw", "_qx", "_qy", "_qz", "_ax", "_ay", "_az"};
    snw__span line, cell;
    if (!snw__text_line(&file->text, &line)) return SNW_OK;
    while (snw__span_cell(&line, ',', &cell)) {
        if (file->column_count == INERTIAL_COLUMNS)
            return snw__text_fail(&file->text, SNW_TOO_LARGE, "there are more than %d columns",
                                  INERTIAL_COLUMNS);
        int *column = file->column + file->column_count++;
        *column = snw__span_is(cell, "time") ? -1 : -2;
        for (int p = 0; p < 7; p++) {
            if (snw__span_length(cell) <= 3 || !snw__span_ends(cell, parts[p])) continue;
            int sensor;
            snw_status status = find_sensor(file, (snw__span){cell.at, cell.end - 3}, &sensor);
            if (status != SNW_OK) return status;
            *column = 8 * sensor + p;
            file->has_acceleration |= p >= 4;
        }
    }
    return SNW_OK;
}

static snw_status read_csv_row(inertial_file *file, snw__span line, int row)
{
    double number[SNW_INERTIAL_MAX][8];
    snw__span cell;
    memset(number, 0, (size_t)file->sensor_count * sizeof *number);
    for (int c = 0; c < file->column_count; c++) {
        double value = 0;
        if (!snw__span_cell(&line, ',', &cell))
            return snw__text_fail(&file->text, SNW_TRUNCATED, "the row has %d of %d columns", c,
                                  file->column_count);
        bool is_empty = snw__span_is_empty(cell) || snw__span_is(cell, "nan");
        if (file->column[c] == -2) continue;
        if (!is_empty && !snw__span_double(cell, &value))
            return snw__text_fail(&file->text, SNW_FORMAT, "\"%.*s\" is no number",
                                  snw__span_shown(cell), cell.at);
        if (file->column[c] == -1)
            take_time(file, row, value);
        else
            number[file->column[c] / 8][file->column[c] % 8] = value;
    }
    snw_status status = SNW_OK;
    for (int s = 0; s < file->sensor_count && status == SNW_OK; s++) {
        status = take_turn(file, row, s, number[s]);
        file->out->acceleration[(size_t)row * (size_t)file->sensor_count + (size_t)s] =
            snw_vec3_make(number[s][4], number[s][5], number[s][6]);
    }
    return status;
}

/* ---- rows of either -------------------------------------------------------------------------- */

static snw_status read_rows(inertial_file *file, bool is_storage)
{
    snw__text_mark start = snw__text_here(&file->text);
    snw__span line;
    int rows = 0;
    while (snw__text_line(&file->text, &line))
        rows += !snw__span_is_empty(snw__span_trim(line));
    if (!file->sensor_count)
        return snw__text_fail(&file->text, SNW_FORMAT,
                              "there are no sensors: no column ends in _qw, _qx, _qy, _qz");
    snw_status status = make_sensors(file, rows);
    snw__text_return(&file->text, start);
    for (int row = 0; row < rows && status == SNW_OK;) {
        if (!snw__text_line(&file->text, &line)) break;
        if (snw__span_is_empty(snw__span_trim(line))) continue;
        status = is_storage ? read_storage_row(file, line, row) : read_csv_row(file, line, row);
        row++;
    }
    return status;
}

/* ---- MVNX ------------------------------------------------------------------------------------ */

/* Where the text says `word` next, before `end`; NULL: nowhere. */
static const char *find_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (; at + length <= end; at++) {
        at = memchr(at, word[0], (size_t)(end - at));
        if (!at || at + length > end) return NULL;
        if (memcmp(at, word, length) == 0) return at;
    }
    return NULL;
}

/* What stands between the quotes behind `name` in the tag at `at`. */
static bool find_attribute(const char *at, const char *end, const char *name, snw__span *value)
{
    const char *close = memchr(at, '>', (size_t)(end - at));
    const char *found = close ? find_word(at, close, name) : NULL;
    if (!found) return false;
    value->at = found + strlen(name);
    value->end = memchr(value->at, '"', (size_t)(close - value->at));
    return value->end != NULL;
}

/* Numbers of <word>..</word> from `at` on, before `end`. */
static bool read_element(const char *at, const char *end, const char *word, double *out, int count)
{
    const char *open = find_word(at, end, word);
    if (!open) return false;
    snw__span rest = {open + strlen(word), memchr(open + 1, '<', (size_t)(end - open - 1))}, one;
    for (int n = 0; n < count; n++)
        if (!rest.end || !snw__span_word(&rest, &one) || !snw__span_double(one, out + n))
            return false;
    return true;
}

static snw_status read_mvnx_frame(inertial_file *file, const char *at, const char *end, int row)
{
    double turn[4 * SNW_INERTIAL_MAX], pull[3 * SNW_INERTIAL_MAX];
    if (!read_element(at, end, "<orientation>", turn, 4 * file->sensor_count))
        return snw__text_fail(&file->text, SNW_FORMAT,
                              "frame %d has not the turns of all %d segments", row,
                              file->sensor_count);
    bool has_pull = read_element(at, end, "<acceleration>", pull, 3 * file->sensor_count);
    file->has_acceleration |= has_pull;
    snw_status status = SNW_OK;
    for (int s = 0; s < file->sensor_count && status == SNW_OK; s++) {
        size_t cell = (size_t)row * (size_t)file->sensor_count + (size_t)s;
        status = take_turn(file, row, s, turn + 4 * s);
        if (!has_pull) continue;
        snw_vec3 felt = snw_vec3_make(pull[3 * s], pull[3 * s + 1], pull[3 * s + 2] + 9.81);
        file->out->acceleration[cell] = snw_quat_unrotate(file->out->turn[cell], felt);
    }
    return status;
}

static snw_status read_mvnx(inertial_file *file)
{
    const char *at = file->text.begin, *end = file->text.end;
    snw__span value;
    const char *subject = find_word(at, end, "<subject");
    if (subject && find_attribute(subject, end, "frameRate=\"", &value))
        snw__span_double(value, &file->rate);
    for (const char *tag = at; (tag = find_word(tag, end, "<segment ")) != NULL; tag++) {
        int found;
        snw_status status = find_attribute(tag, end, "label=\"", &value)
                                ? find_sensor(file, value, &found)
                                : SNW_OK;
        if (status != SNW_OK) return status;
    }
    int frames = 0;
    for (const char *tag = at; (tag = find_word(tag, end, "type=\"normal\"")) != NULL; tag++)
        frames++;
    if (!file->sensor_count || !frames)
        return snw__text_fail(&file->text, SNW_FORMAT,
                              "there are no segments or no frames of the type \"normal\"");
    snw_status status = make_sensors(file, frames);
    const char *tag = find_word(at, end, "type=\"normal\"");
    for (int row = 0; row < frames && status == SNW_OK; row++) {
        const char *after = find_word(tag + 1, end, "type=\"normal\"");
        status = read_mvnx_frame(file, tag, after ? after : end, row);
        tag = after;
    }
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The rate of the rows' times, or of the header; up by what the sensors feel. */
static snw_status settle(inertial_file *file)
{
    snw_inertial *out = file->out;
    double span = file->last - file->first;
    if (span > 0 && out->frame_count > 1)
        out->rate = snw__rate_from_duration(span, out->frame_count - 1, span * 1e-4);
    if (!(out->rate > 0)) out->rate = file->rate;
    if (!(out->rate > 0) || !(out->rate < 1e5))
        return snw__text_fail(&file->text, SNW_FORMAT,
                              "there is no rate: neither times nor a rate in the header");
    out->has_acceleration = file->has_acceleration;
    snw_vec3 mean = snw_vec3_make(0, 0, 0);
    size_t cells = (size_t)out->frame_count * (size_t)out->sensor_count;
    for (size_t n = 0; n < cells && out->has_acceleration; n++)
        mean = snw_vec3_add(mean, snw_quat_rotate(out->turn[n], out->acceleration[n]));
    double size = snw_vec3_length(mean) / fmax((double)cells, 1);
    if (!out->has_acceleration) return SNW_OK;
    if (!(size > 5 && size < 15))
        return snw__text_fail(&file->text, SNW_FORMAT,
                              "accelerations are %.3g m/s2 on average, where gravity is 9.81: they "
                              "must be in m/s2, in the sensors' axes, with gravity",
                              size);
    out->up = snw_vec3_make(0, 0, 0);
    double *const axis[3] = {&out->up.x, &out->up.y, &out->up.z};
    const double by[3] = {mean.x, mean.y, mean.z};
    int most = fabs(by[1]) > fabs(by[0]) ? 1 : 0;
    if (fabs(by[2]) > fabs(by[most])) most = 2;
    *axis[most] = by[most] < 0 ? -1 : 1;
    return SNW_OK;
}

snw_status snw_read_inertial(const snw_source *source, const snw_read_options *options,
                             const snw_allocator *allocator, snw_inertial **out, snw_notes *notes,
                             snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    const snw__reading_request request = {source, options, allocator, notes, error};
    snw__reading reading;
    inertial_file *file = NULL; /* 80 kB: not on a stack */
    snw_status status = snw__reading_open(&reading, &request);
    snw_allocator memory = reading.allocator;
    if (status == SNW_OK && !(file = snw__allocate(&memory, sizeof *file)))
        status = snw__fail_memory(error, sizeof *file, "sensors");
    bool is_loaded = status == SNW_OK && (status = snw__text_load(&file->text, &reading)) == SNW_OK;
    if (is_loaded) {
        file->memory = memory;
        snw__span head = {file->text.begin, file->text.end};
        size_t first = snw__span_length(head) < 4096 ? snw__span_length(head) : 4096;
        const char *near = file->text.begin + first;
        if (find_word(file->text.begin, near, "<mvnx")) {
            status = read_mvnx(file);
        } else {
            bool is_storage = find_word(file->text.begin, near, "endheader") != NULL;
            status = is_storage ? read_storage_head(file) : read_csv_head(file);
            if (status == SNW_OK) status = read_rows(file, is_storage);
        }
        if (status == SNW_OK) status = settle(file);
        snw__text_release(&file->text);
    }
    if (file && status == SNW_OK)
        *out = file->out;
    else if (file)
        snw_inertial_destroy(file->out);
    snw__release(&memory, file, sizeof *file);
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* ---- writing --------------------------------------------------------------------------------- */

snw_status snw_write_inertial(const snw_inertial *sensors, const snw_sink *sink, snw_error *error)
{
    if (!sensors) return snw__fail(error, SNW_INVALID_ARGUMENT, "sensors is NULL");
    snw__output output;
    snw_status status = snw__output_open(&output, NULL, sink, error);
    if (status != SNW_OK) return status;
    snw__put_string(&output, "time");
    for (int s = 0; s < sensors->sensor_count; s++)
        for (int p = 0; p < (sensors->has_acceleration ? 7 : 4); p++) {
            snw__put_string(&output, ",");
            snw__put_name(&output, sensors->name[s], ",;\"\t ", '_');
            snw__put_text(&output, "_%c%c", p < 4 ? 'q' : 'a', "wxyzxyz"[p]);
        }
    for (int f = 0; f < sensors->frame_count; f++) {
        snw__put_string(&output, "\n");
        snw__put_exact(&output, f / sensors->rate);
        for (int s = 0; s < sensors->sensor_count; s++) {
            size_t at = (size_t)f * (size_t)sensors->sensor_count + (size_t)s;
            const snw_quat *q = sensors->turn + at;
            const snw_vec3 *a = sensors->acceleration + at;
            snw__put_text(&output, ",%.7f,%.7f,%.7f,%.7f", q->w, q->x, q->y, q->z);
            if (sensors->has_acceleration)
                snw__put_text(&output, ",%.4f,%.4f,%.4f", a->x, a->y, a->z);
        }
    }
    snw__put_string(&output, "\n");
    status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}
