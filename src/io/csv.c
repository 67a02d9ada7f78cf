/* CSV: a wide table of markers, one frame in each row. Which column is what is found out in
 * csv_layout.c; this file reads the rows, settles rate and unit, and writes.
 *
 * Written: Frame,Time (s),LASI_X (mm),LASI_Y (mm),LASI_Z (mm),... with RFC 4180 quotes where a name
 * needs them; a missing sample is three empty fields. Rotations of markers follow as NAME_qw ..
 * NAME_qz (plain names only: none that needs quotes). */
#include "io/csv.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/marker_table.h"
#include "io/text_writer.h"
#include "trial/trial_memory.h"

typedef struct csv_file {
    snw__text_input text;
    snw__reading *reading;
    snw__csv_layout layout;
    snw__marker_table table;
    double *value;                     /* (marker_count x 3) of the row being read */
    double *turn;                      /* (rotation_count x 4), behind value */
    int64_t scaled_count, scaled_line; /* quaternions that were not unit */
    int frame_count;
    double first_time, last_time, half_digit;
    int64_t first_frame, last_frame;
    int64_t jump_count, jump_line;
    int64_t long_count, long_line;
} csv_file;

/* ---- rows --------------------------------------------------------------------------------- */

/* The next row of the table; false at its end. */
static bool next_row(csv_file *file, snw__span *row)
{
    while (snw__text_line(&file->text, row)) {
        if (!snw__span_is_empty(snw__span_trim(*row))) return true;
        if (file->layout.ends_at_blank) return false;
    }
    return false;
}

static snw_status read_field(csv_file *file, snw__span field, int frame, int target)
{
    if (target == SNW__CSV_IGNORED) return SNW_OK;
    double number = NAN;
    const char *what = target == SNW__CSV_FRAME  ? "the frame column"
                       : target == SNW__CSV_TIME ? "the time column"
                       : target < 0              ? "a quaternion"
                                                 : file->table.trial->marker[target / 3].name;
    snw_status status = snw__marker_table_cell(&file->table, field, what, &number);
    if (target >= 0)
        file->value[target] = number;
    else if (target <= SNW__CSV_TURN)
        file->turn[SNW__CSV_TURN - target] = number;
    else if (target == SNW__CSV_FRAME) {
        if (fabs(number) < 1e9) {
            int64_t whole = (int64_t)number;
            if (frame == 0) file->first_frame = whole;
            if (frame > 0 && whole != file->last_frame + 1 && file->jump_count++ == 0)
                file->jump_line = file->text.line;
            file->last_frame = whole;
        }
    } else if (isfinite(number)) {
        double time = number * file->layout.seconds_per_unit;
        if (isnan(file->first_time)) file->first_time = time;
        file->last_time = time;
        double half = snw__span_half_digit(field);
        if (half < file->half_digit) file->half_digit = half;
    }
    return status;
}

static snw_status read_row(csv_file *file, snw__span row, int frame)
{
    const snw__csv_layout *layout = &file->layout;
    snw__span field;
    snw_status status = SNW_OK;
    for (int n = 0; n < layout->marker_count * 3; n++)
        file->value[n] = NAN;
    for (int n = 0; n < layout->rotation_count * 4; n++)
        file->turn[n] = NAN;
    int column = 0;
    for (; status == SNW_OK && column < layout->column_count &&
           snw__span_field(&row, layout->separator, &field);
         column++)
        status = read_field(file, field, frame, layout->target[column]);
    if (row.at && column == layout->column_count && !snw__span_is_empty(snw__span_trim(row)) &&
        file->long_count++ == 0)
        file->long_line = file->text.line;
    for (int marker = 0; marker < layout->marker_count; marker++)
        snw__marker_table_store(&file->table, frame, marker, file->value + (size_t)marker * 3);
    for (int rotation = 0; rotation < layout->rotation_count; rotation++) {
        /* The pose of one tracker as the trial keeps it: 4x4 column-major, then the reliability. */
        snw_trial *trial = file->table.trial;
        int marker = file->layout.rotation_marker[rotation];
        const double *v = file->value + (size_t)marker * 3, *q = file->turn + (size_t)rotation * 4;
        float *m = trial->rotation +
                   SNW__ROTATION_NUMBERS *
                       ((size_t)frame * (size_t)trial->rotation_count + (size_t)rotation);
        double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        bool is_good = size > 0.1 && size < 10 && snw_trial_is_present(trial, frame, marker);
        memset(m, 0, SNW__ROTATION_NUMBERS * sizeof *m);
        m[16] = is_good ? 0 : -1;
        if (!is_good) continue;
        /* Six digits are common in such files; what is farther off was scaled by somebody. */
        if (fabs(size - 1) > 1e-3 && file->scaled_count++ == 0) file->scaled_line = file->text.line;
        snw_mat3 r = snw_mat3_from_quat(snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3])));
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                m[4 * c + k] = (float)r.m[k][c];
        for (int k = 0; k < 3; k++)
            m[12 + k] = (float)v[k];
        m[15] = 1;
    }
    return status;
}

static snw_status read_rows(csv_file *file)
{
    size_t places = (size_t)file->layout.marker_count * 3;
    size_t turns = (size_t)file->layout.rotation_count * 4;
    size_t size = snw__size_mul(places + turns, sizeof *file->value);
    file->value = (double *)snw__allocate(&file->reading->allocator, size);
    if (!file->value) return snw__fail_memory(file->reading->error, size, "one row");
    file->turn = file->value + places;
    snw_status status = SNW_OK;
    snw__span row;
    snw__text_return(&file->text, file->layout.data);
    for (int frame = 0; status == SNW_OK && next_row(file, &row); frame++)
        status = read_row(file, row, frame);
    snw__release(&file->reading->allocator, file->value, size);
    if (status == SNW_OK) {
        snw_notes *notes = file->reading->notes;
        snw__marker_table_report(&file->table);
        if (file->jump_count)
            snw__note(notes, SNW_NOTE_FRAMES_JUMP, snw__at_line(file->jump_line),
                      "frame numbers jump %lld %s; rows are kept one after the other",
                      (long long)file->jump_count, snw__plural(file->jump_count, "time", "times"));
        if (file->scaled_count)
            snw__note(notes, SNW_NOTE_VALUE_ASSUMED, snw__at_line(file->scaled_line),
                      "%lld %s not unit; made unit", (long long)file->scaled_count,
                      snw__plural(file->scaled_count, "quaternion is", "quaternions are"));
        if (file->long_count)
            snw__note(notes, SNW_NOTE_FORM_UNUSUAL, snw__at_line(file->long_line),
                      "%lld %s longer than the header", (long long)file->long_count,
                      snw__plural(file->long_count, "row is", "rows are"));
    }
    return status;
}

/* ---- names, rate, unit -------------------------------------------------------------------- */

static snw_status set_names(csv_file *file)
{
    snw_trial *trial = file->table.trial;
    snw_status status = SNW_OK;
    for (int marker = 0; marker < trial->marker_count && status == SNW_OK; marker++) {
        char name[SNW__NAME_SIZE];
        snw_format(name, sizeof name, "M%03d", marker + 1);
        if (file->layout.name[marker].at) {
            snw__span_copy(file->layout.name[marker], name);
            char *to = name;
            for (const char *from = name; *from; from++) {
                if (from[0] == '"' && from[1] == '"') from++;
                *to++ = *from;
            }
            *to = 0;
        }
        status = snw_trial_set_marker_name(trial, marker, name, file->reading->error);
    }
    for (int r = 0; r < trial->rotation_count && status == SNW_OK; r++) {
        const char *name = trial->marker[file->layout.rotation_marker[r]].name;
        status = snw_trial_set_rotation_name(trial, r, name, file->reading->error);
    }
    return status;
}

static void settle_rate(csv_file *file)
{
    snw_trial *trial = file->table.trial;
    double duration = file->last_time - file->first_time, steps = file->frame_count - 1;
    /* How far the two ends of the times may be off together. Whole seconds are exact, and so are
     * whole milliseconds when the frames take a whole number of them each. */
    double unit = file->layout.seconds_per_unit, period = duration / unit / steps;
    bool is_exact = unit >= 1 || fabs(period - floor(period + 0.5)) < 1e-9 * period;
    double from_times = snw__rate_from_duration(
        duration, steps, file->half_digit >= 0.5 && is_exact ? 0 : 2 * file->half_digit * unit);
    double said = file->layout.rate;
    trial->rate = said > 0 ? said : from_times > 0 ? from_times : 100;
    if (said > 0 && from_times > 0 && fabs(from_times / said - 1) > 0.01)
        snw__note(file->reading->notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                  "the header says %g frames per second, the times say %g; the header is taken",
                  said, from_times);
    if (!(said > 0) && !(from_times > 0))
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "nothing says how many frames make a second; 100 is taken");
}

/* Nobody captures a volume of less than 20 mm or a subject of more than 20 m, so small numbers are
 * metres. Whole bodies (15 markers and more) of 60 to 300 units are in centimetres; everything else
 * is in millimetres, the custom of the field. */
static double guess_unit(const snw_trial *trial)
{
    /* Largest extent of the markers of one frame, over the first frames, in the file's unit. */
    double largest = 0;
    for (int frame = 0; frame < trial->frame_count && frame < 200; frame++) {
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (int marker = 0; marker < trial->marker_count; marker++) {
            size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
            const snw_sample *s = trial->sample + at;
            const double p[3] = {s->x, s->y, s->z};
            for (int k = 0; k < 3 && trial->state[at] != SNW_SAMPLE_MISSING; k++) {
                low[k] = p[k] < low[k] ? p[k] : low[k];
                high[k] = p[k] > high[k] ? p[k] : high[k];
            }
        }
        for (int k = 0; k < 3; k++)
            if (high[k] - low[k] > largest) largest = high[k] - low[k];
    }
    double extent = largest;
    if (extent < 20) return 1;
    return trial->marker_count >= 15 && extent >= 60 && extent <= 300 ? 0.01 : 0.001;
}

static void settle_unit(csv_file *file)
{
    snw_trial *trial = file->table.trial;
    double metres = file->layout.metres_per_unit;
    if (!(metres > 0)) metres = file->reading->options.metres_per_unit;
    if (!(metres > 0)) {
        metres = guess_unit(trial);
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the table has no unit; from the size of the numbers it is taken as %s",
                  snw__unit_name(metres));
    }
    const char *name = snw__unit_name(metres);
    trial->metres_per_unit = metres;
    snw_format(trial->unit, sizeof trial->unit, "%s", name ? name : "?");
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Text that is no capture may have a row that looks like labels: then there are numbers below, or a
 * column for frames or times. */
static bool is_capture(const csv_file *file)
{
    const snw__csv_layout *layout = &file->layout;
    bool has_frame = false, has_time = false;
    for (int c = 0; c < layout->column_count; c++) {
        has_frame |= layout->target[c] == SNW__CSV_FRAME;
        has_time |= layout->target[c] == SNW__CSV_TIME;
    }
    if (layout->marker_count == 0) return has_frame && has_time; /* as Sinew writes it */
    return file->frame_count > 0 || has_frame || has_time;
}

static snw_status read_content(csv_file *file, snw_trial **out)
{
    snw_status status = snw__csv_recognise(&file->layout, &file->text);
    if (status == SNW_OK) {
        snw__span row;
        int64_t rows = 0;
        snw__text_return(&file->text, file->layout.data);
        while (next_row(file, &row))
            rows++;
        status = snw__table_check_rows(&file->text, rows, file->layout.marker_count,
                                       file->layout.rotation_count);
        if (status == SNW_OK) file->frame_count = (int)rows;
    }
    if (status == SNW_OK && !is_capture(file))
        status = snw__fail_at(
            file->reading->error, SNW_FORMAT, (snw__place){0, -1, -1, -1, file->reading->name},
            "%s is text in which no three columns of numbers are a marker", file->reading->name);
    if (status != SNW_OK) return status;
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = file->layout.marker_count;
    sizes.frame_count = file->frame_count;
    sizes.rotation_count = file->layout.rotation_count;
    sizes.rotations_per_frame = file->layout.rotation_count > 0;
    snw_trial *trial = NULL;
    status = snw__trial_create_raw(&sizes, &file->reading->allocator, &trial, file->reading->error);
    if (status != SNW_OK) return status;
    file->table.trial = trial;
    file->table.text = &file->text;
    file->table.decimal = file->layout.decimal;
    file->table.zero_is_absent = file->layout.zero_is_absent;
    status = set_names(file);
    if (status == SNW_OK) status = read_rows(file);
    if (status != SNW_OK) {
        snw_trial_destroy(trial);
        return status;
    }
    trial->up = file->reading->options.up;
    trial->first_frame = (int)file->first_frame;
    settle_rate(file);
    settle_unit(file);
    *out = trial;
    return SNW_OK;
}

static snw_status read_trial(snw__reading *reading, snw_trial **out)
{
    csv_file file;
    memset(&file, 0, sizeof file);
    file.reading = reading;
    file.first_time = file.last_time = NAN;
    file.half_digit = 0.5;
    file.first_frame = 1;
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    status = read_content(&file, out);
    snw__csv_release(&file.layout, &file.text);
    snw__text_release(&file.text);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Rotations whose marker is there too, of the first instant of each frame, as quaternions. */
static bool is_turn_written(const snw_trial *trial, int rotation)
{
    const char *name = trial->rotation_label[rotation].name;
    return trial->rotations_per_frame > 0 && !strpbrk(name, ",;\"\t\n ") &&
           snw_trial_find_marker(trial, name) >= 0;
}

static snw_status write_trial(snw__output *output, const snw_trial *trial)
{
    snw__marker_scale scale = snw__marker_scale_for(trial, &output->options);
    snw__put_string(output, "Frame,Time (s)");
    for (int marker = 0; marker < trial->marker_count; marker++)
        for (int k = 0; k < 3; k++) {
            const char *name = trial->marker[marker].name;
            char axis = "XYZ"[k];
            const char *unit =
                snw_point_is_position(trial->marker[marker].kind) ? scale.unit : NULL;
            bool is_quoted = strpbrk(name, ",;\"\t") != NULL || *name == ' ';
            snw__put_string(output, is_quoted ? ",\"" : ",");
            for (; *name; name++) {
                char letter = (unsigned char)*name < ' ' ? ' ' : *name;
                snw__put(output, &letter, 1);
                if (letter == '"') snw__put(output, &letter, 1);
            }
            snw__put_text(output, unit ? "_%c (%s)%s" : "_%c%s%s", axis, unit ? unit : "",
                          is_quoted ? "\"" : "");
        }
    for (int r = 0; r < trial->rotation_count; r++)
        for (int k = 0; k < 4 && is_turn_written(trial, r); k++)
            snw__put_text(output, ",%s_q%c", trial->rotation_label[r].name, "wxyz"[k]);
    snw__put_string(output, "\n");
    for (int frame = 0; frame < trial->frame_count && !output->has_failed; frame++) {
        snw__put_text(output, "%lld,", (long long)trial->first_frame + frame);
        snw__put_exact(output, snw_trial_time(trial, frame));
        for (int marker = 0; marker < trial->marker_count; marker++) {
            float position[3];
            bool is_present = snw__marker_scaled(trial, scale, frame, marker, position);
            for (int k = 0; k < 3; k++) {
                snw__put_string(output, ",");
                if (is_present) snw__put_float(output, position[k]);
            }
        }
        for (int r = 0; r < trial->rotation_count; r++) {
            if (!is_turn_written(trial, r)) continue;
            size_t at =
                (size_t)frame * (size_t)trial->rotations_per_frame * (size_t)trial->rotation_count +
                (size_t)r;
            const float *m = trial->rotation + SNW__ROTATION_NUMBERS * at;
            bool is_known = m[SNW__ROTATION_NUMBERS - 1] >= 0;
            snw_mat3 turn = {{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}};
            snw_quat q = snw_quat_normalize(snw_quat_from_mat3(turn));
            const double part[4] = {q.w, q.x, q.y, q.z};
            for (int k = 0; k < 4; k++) {
                snw__put_string(output, ",");
                if (is_known) snw__put_float(output, (float)part[k]);
            }
        }
        snw__put_string(output, "\n");
    }
    return SNW_OK;
}

const snw__format snw__format_csv = {
    "CSV", "csv tsv txt", snw__csv_sniff, read_trial, write_trial, NULL, NULL, NULL, NULL,
};
