/* TRC (Motion Analysis, OpenSim): a tab-separated table of markers.
 *
 *   line 1   PathFileType  4  (X/Y/Z)  walk.trc
 *   line 2   DataRate  CameraRate  NumFrames  NumMarkers  Units  OrigDataRate  ...
 *   line 3   100       100         487        33          mm     100
 *   line 4   Frame#  Time  R.ASIS  (blank)  (blank)  L.ASIS ...      a name every third column
 *   line 5                 X1      Y1       Z1       X2 ...
 *   line 6   (often blank)
 *   then     1  0.000  617.2  1055.2  170.7 ...      blank or NaN = missing
 *
 * NumFrames and NumMarkers are often wrong: names, axis labels and rows decide, the header is only
 * compared with them. Header fields a trial has no place for are kept as parameters of the group
 * TRC and written back. Axes are never turned: TRC does not say which way is up.
 */
#include "io/formats.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/marker_table.h"
#include "io/text_writer.h"
#include "trial/trial_memory.h"

/* ---- reading: the header ------------------------------------------------------------------ */

typedef struct trc_file {
    snw__text_input text;
    snw__reading *reading;
    snw__span title, keys, values, names, axes;
    char separator;
    bool names_are_packed; /* one after the other instead of every third column */
    int marker_count;
    int frame_count;
    int64_t frames_said, markers_said;
    double rate;
    double metres_per_unit;
    char unit[16];
    snw__text_mark data; /* before the first row of numbers */
} trc_file;

static bool next_filled_line(snw__text_input *text, snw__span *line)
{
    while (snw__text_line(text, line))
        if (!snw__span_is_empty(snw__span_trim(*line))) return true;
    return false;
}

static bool header_value(const trc_file *file, const char *key, snw__span *value)
{
    snw__span keys = file->keys, values = file->values, name;
    while (snw__span_cell(&keys, file->separator, &name) &&
           snw__span_cell(&values, file->separator, value))
        if (snw__span_is(name, key)) return true;
    return false;
}

enum {
    TRC_NOT_SAID = -1
};

static int64_t header_int(const trc_file *file, const char *key)
{
    snw__span text;
    int64_t value = TRC_NOT_SAID;
    if (header_value(file, key, &text)) snw__span_int(text, &value);
    return value;
}

/* The row X1 Y1 Z1...: no numbers in it. Absent in some files. */
static void find_axes(trc_file *file)
{
    file->data = snw__text_here(&file->text);
    snw__span line, rest, word;
    double number;
    if (!next_filled_line(&file->text, &line)) return;
    rest = line;
    if (snw__span_word(&rest, &word) && !snw__span_double(word, &number)) {
        file->axes = line;
        file->data = snw__text_here(&file->text);
    }
    snw__text_return(&file->text, file->data);
}

static void settle_unit(trc_file *file)
{
    snw__span unit;
    char name[SNW__NAME_SIZE] = "";
    if (header_value(file, "Units", &unit)) {
        snw__span_copy(unit, name);
        file->metres_per_unit = snw__unit_metres_span(unit);
    }
    if (file->metres_per_unit > 0) {
        snw_format(file->unit, sizeof file->unit, "%s", name);
        return;
    }
    file->metres_per_unit = file->reading->options.metres_per_unit;
    if (!(file->metres_per_unit > 0)) file->metres_per_unit = 0.001;
    const char *settled = snw__unit_name(file->metres_per_unit);
    snw_format(file->unit, sizeof file->unit, "%s", settled ? settled : "?");
    snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
              "the header's unit \"%.40s\" is no length; %g m is taken", name,
              file->metres_per_unit);
}

static void settle_rate(trc_file *file)
{
    snw__span text;
    /* Rate from the first and last time, for headers without one and to check those that have. */
    snw__span line, cell;
    double first = NAN, last = NAN, half_digit = 0.5;
    snw__text_return(&file->text, file->data);
    while (next_filled_line(&file->text, &line)) {
        double time = NAN;
        bool has_time = snw__span_cell(&line, file->separator, &cell); /* the frame number */
        has_time = has_time && snw__span_cell(&line, file->separator, &cell);
        if (!has_time || !snw__span_double(cell, &time)) continue;
        double half = snw__span_half_digit(cell);
        if (half < half_digit) half_digit = half;
        if (isnan(first)) first = time;
        last = time;
    }
    /* The finest time shows how many digits there are; whole numbers alone are exact. */
    if (half_digit >= 0.5) half_digit = 0;
    double from_times =
        snw__rate_from_duration(last - first, file->frame_count - 1, 2 * half_digit);
    if (header_value(file, "DataRate", &text)) snw__span_decimal(text, ',', &file->rate);
    if (file->rate > 0 && isfinite(file->rate)) {
        if (from_times > 0 && fabs(from_times / file->rate - 1) > 0.01)
            snw__note(file->reading->notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                      "DataRate says %g frames per second, the times say %g; DataRate is taken",
                      file->rate, from_times);
        return;
    }
    file->rate = from_times > 0 ? from_times : 100;
    snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
              "the header has no DataRate; %g frames per second is taken %s", file->rate,
              from_times > 0 ? "from the times" : "for want of times");
}

static void note_count(const trc_file *file, const char *what, int64_t said, int found)
{
    if (said == TRC_NOT_SAID)
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the header has no number of %s; %d %s found", what, found,
                  snw__plural(found, "was", "were"));
    else if (said != found)
        snw__note(file->reading->notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                  "the header says %lld for the %s, %d %s there", (long long)said, what, found,
                  snw__plural(found, "is", "are"));
}

static snw_status read_header(trc_file *file)
{
    snw__text_input *text = &file->text;
    if (!next_filled_line(text, &file->title) || !snw__span_starts(file->title, "PathFileType"))
        return snw__text_fail(text, SNW_FORMAT, "a TRC file starts with \"PathFileType\"");
    if (!next_filled_line(text, &file->keys) || !next_filled_line(text, &file->values))
        return snw__text_fail(text, SNW_TRUNCATED, "the header ends too early");
    file->separator = snw__span_find(file->keys, '\t') < file->keys.end ? '\t' : ' ';
    if (!next_filled_line(text, &file->names))
        return snw__text_fail(text, SNW_TRUNCATED, "the row of marker names is missing");
    if (!snw__span_starts(snw__span_trim(file->names), "Frame"))
        return snw__text_fail(text, SNW_FORMAT,
                              "the row of marker names must start with \"Frame#\"");
    find_axes(file);
    snw__text_settle_decimal(&file->text);
    snw__span rest = file->names, cell;
    int column = 0, filled = 0, last = -1;
    for (; snw__span_cell(&rest, file->separator, &cell); column++) {
        if (column < 2 || snw__span_is_empty(cell)) continue;
        filled++;
        last = column - 2;
        if (last % 3) file->names_are_packed = true;
    }
    if (file->separator == ' ') {
        filled = snw__span_count_words(file->names) - 2;
        file->names_are_packed = true;
    }
    int by_name = file->names_are_packed ? filled : last < 0 ? 0 : last / 3 + 1;
    int by_axis = file->axes.at ? snw__span_count_words(file->axes) / 3 : 0;
    file->marker_count = by_name > by_axis ? by_name : by_axis;
    if (file->marker_count < 0) file->marker_count = 0;
    if (file->axes.at && by_axis != by_name && by_axis > 0 && filled > 0)
        snw__note(file->reading->notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                  "names of markers: %d, axes of markers: %d; %d %s read", by_name, by_axis,
                  file->marker_count, snw__plural(file->marker_count, "is", "are"));
    snw__span line;
    int64_t rows = 0;
    snw__text_return(&file->text, file->data);
    while (next_filled_line(&file->text, &line))
        rows++;
    snw_status status = snw__table_check_rows(&file->text, rows, file->marker_count, 0);
    if (status != SNW_OK) return status;
    file->frame_count = (int)rows;
    file->frames_said = header_int(file, "NumFrames");
    file->markers_said = header_int(file, "NumMarkers");
    note_count(file, "frames", file->frames_said, file->frame_count);
    note_count(file, "markers", file->markers_said, file->marker_count);
    settle_unit(file);
    settle_rate(file);
    return SNW_OK;
}

/* ---- reading: names, rows, parameters ------------------------------------------------------ */

typedef struct trc_rows {
    snw__marker_table table;
    int64_t last_frame_number;
    int64_t jump_count, jump_line;
    int64_t short_count, short_line;
    int64_t long_count, long_line;
} trc_rows;

/* A sentence below the table is no frame. */
static snw_status check_row_number(trc_file *file, snw__span cell)
{
    double number;
    if (snw__span_is_empty(cell) || snw__span_double(cell, &number)) return SNW_OK;
    if (file->reading->options.is_lenient) return SNW_OK;
    return snw__text_fail(&file->text, SNW_FORMAT, "\"%.*s\" is not a frame number",
                          snw__span_shown(cell), cell.at);
}

static snw_status read_row(trc_file *file, trc_rows *rows, snw__span line, int frame)
{
    snw_trial *trial = rows->table.trial;
    snw__span rest = line, cell;
    snw_status status = SNW_OK;
    if (snw__span_cell(&rest, file->separator, &cell)) {
        status = check_row_number(file, cell);
        if (status != SNW_OK) return status;
        int64_t number;
        if (snw__span_int(cell, &number)) {
            if (frame == 0 && number >= INT32_MIN / 2 && number <= INT32_MAX / 2)
                trial->first_frame = (int)number;
            if (frame > 0 && number != rows->last_frame_number + 1 && rows->jump_count++ == 0)
                rows->jump_line = rows->table.text->line;
            rows->last_frame_number = number;
        }
    }
    bool is_short = !snw__span_cell(&rest, file->separator, &cell);
    if (!is_short) {
        /* The first row's time, where the frame number does not tell it: pieces of a trial keep the
         * clock of the whole. Programs round to a millisecond: less than half a frame is no other
         * clock. */
        double time;
        if (frame <= 0 && trial->rate > 0 && snw__span_double(cell, &time) && isfinite(time)) {
            double start = time - snw_trial_time(trial, 0);
            if (fabs(start) * trial->rate >= 0.5) trial->clock_start = start;
        }
    }
    for (int marker = 0; marker < trial->marker_count && status == SNW_OK; marker++) {
        double position[3] = {NAN, NAN, NAN};
        for (int k = 0; k < 3 && status == SNW_OK && !is_short; k++) {
            is_short = !snw__span_cell(&rest, file->separator, &cell);
            if (!is_short)
                status = snw__marker_table_cell(&rows->table, cell, trial->marker[marker].name,
                                                position + k);
        }
        snw__marker_table_store(&rows->table, frame, marker, position);
    }
    if (is_short && rows->short_count++ == 0) rows->short_line = file->text.line;
    bool is_long = rest.at && !snw__span_is_empty(snw__span_trim(rest));
    if (is_long && rows->long_count++ == 0) rows->long_line = file->text.line;
    return status;
}

static snw_status read_rows(trc_file *file, snw_trial *trial)
{
    trc_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.table.trial = trial;
    rows.table.text = &file->text;
    rows.table.decimal = '.';
    snw__text_return(&file->text, file->data);
    snw_status status = SNW_OK;
    snw__span line;
    for (int frame = 0; status == SNW_OK && next_filled_line(&file->text, &line); frame++)
        status = read_row(file, &rows, line, frame);
    if (status == SNW_OK) {
        snw__marker_table_report(&rows.table);
        if (rows.jump_count)
            snw__note(file->reading->notes, SNW_NOTE_FRAMES_JUMP, SNW__NOWHERE,
                      "frame numbers jump %lld %s (first in line %lld); rows are kept one "
                      "after the other",
                      (long long)rows.jump_count, snw__plural(rows.jump_count, "time", "times"),
                      (long long)rows.jump_line);
        if (rows.short_count)
            snw__note(file->reading->notes, SNW_NOTE_CONTENT_CUT, SNW__NOWHERE,
                      "%lld %s early (first in line %lld); the rest is missing%s",
                      (long long)rows.short_count,
                      snw__plural(rows.short_count, "row ends", "rows end"),
                      (long long)rows.short_line,
                      snw__text_is_cut(&file->text) ? ". The file may be cut" : "");
        if (rows.long_count)
            snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                      "%lld %s columns without a name (first in line %lld), which are left out",
                      (long long)rows.long_count,
                      snw__plural(rows.long_count, "row has", "rows have"),
                      (long long)rows.long_line);
    }
    return status;
}

/* Header fields the trial has no other place for. */
static bool is_own_field(snw__span key)
{
    return snw__span_is(key, "DataRate") || snw__span_is(key, "NumFrames") ||
           snw__span_is(key, "NumMarkers") || snw__span_is(key, "Units");
}

static snw_status keep_field(trc_file *file, snw_trial *trial, snw__span key, snw__span value)
{
    char name[SNW__NAME_SIZE], text[SNW__NAME_SIZE];
    snw__span_copy(key, name);
    if (!snw__span_copy(value, text))
        snw__note(file->reading->notes, SNW_NOTE_LABEL_CUT, SNW__NOWHERE,
                  "the header field %.40s is cut to %d bytes", name, SNW__NAME_SIZE - 1);
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.name = name;
    parameter.description = (char[]){""};
    parameter.type = SNW_PARAMETER_CHAR;
    parameter.dimension_count = 1;
    parameter.byte_count = strlen(text);
    parameter.dimension[0] = (uint8_t)parameter.byte_count;
    parameter.data = text;
    return snw_trial_set_parameter(trial, "TRC", &parameter, file->reading->error);
}

/* Known programs write two fields that a trial has no place for. */
enum {
    TRC_FIELDS_MAX = 64
};

static snw_status keep_fields(trc_file *file, snw_trial *trial)
{
    snw__span keys = file->keys, values = file->values, key, value, word;
    snw_status status = SNW_OK;
    int64_t kept = 0;
    while (status == SNW_OK && snw__span_cell(&keys, file->separator, &key) &&
           snw__span_cell(&values, file->separator, &value))
        if (!snw__span_is_empty(key) && !is_own_field(key) && kept++ < TRC_FIELDS_MAX)
            status = keep_field(file, trial, key, value);
    if (kept > TRC_FIELDS_MAX)
        snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "the header has %lld more fields; %d are kept", (long long)kept, TRC_FIELDS_MAX);
    /* "PathFileType 4 (X/Y/Z)" and then the name, which may hold blanks. */
    snw__span title = file->title;
    for (int n = 0; n < 3; n++)
        snw__span_word(&title, &word);
    title = snw__span_trim(title);
    if (status == SNW_OK && !snw__span_is_empty(title))
        status = keep_field(file, trial, snw__span_of("FileName"), title);
    return status;
}

static snw_status read_content(trc_file *file, snw_trial **out)
{
    snw_status status = read_header(file);
    if (status != SNW_OK) return status;
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = file->marker_count;
    sizes.frame_count = file->frame_count;
    sizes.rate = file->rate;
    sizes.metres_per_unit = file->metres_per_unit;
    sizes.unit = file->unit;
    snw_trial *trial = NULL;
    status = snw__trial_create_raw(&sizes, &file->reading->allocator, &trial, file->reading->error);
    if (status != SNW_OK) return status;
    trial->up = file->reading->options.up;
    snw__span rest = file->names, cell;
    status = SNW_OK;
    int marker = 0;
    for (int column = 0; status == SNW_OK && snw__span_cell(&rest, file->separator, &cell);
         column++) {
        if (column < 2 || marker >= trial->marker_count) continue;
        bool is_name = file->names_are_packed ? !snw__span_is_empty(cell) : (column - 2) % 3 == 0;
        if (!is_name) continue;
        char name[SNW__NAME_SIZE];
        if (!snw__span_copy(cell, name))
            snw__note(file->reading->notes, SNW_NOTE_LABEL_CUT, snw__at_name(marker, NULL),
                      "the name of marker %d is cut to %d bytes", marker + 1, SNW__NAME_SIZE - 1);
        status = snw_trial_set_marker_name(trial, marker++, name, file->reading->error);
    }
    if (status == SNW_OK) status = read_rows(file, trial);
    if (status == SNW_OK) status = keep_fields(file, trial);
    if (status == SNW_OK)
        *out = trial;
    else
        snw_trial_destroy(trial);
    return status;
}

static snw_status read_trial(snw__reading *reading, snw_trial **out)
{
    trc_file file;
    memset(&file, 0, sizeof file);
    file.reading = reading;
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    status = read_content(&file, out);
    snw__text_release(&file.text);
    return status;
}

static bool sniff(const uint8_t *head, size_t size)
{
    return snw__span_starts(snw__span_of_head(head, size), "PathFileType");
}

/* ---- writing ------------------------------------------------------------------------------ */

static void put_field(snw__output *output, const snw_trial *trial, const char *name,
                      double fallback)
{
    const snw_parameter *kept = snw_trial_find_parameter(trial, "TRC", name);
    if (!kept || kept->type != SNW_PARAMETER_CHAR) {
        snw__put_exact(output, fallback);
        return;
    }
    char text[SNW__NAME_SIZE];
    const char *data = (const char *)kept->data;
    size_t length = kept->byte_count < sizeof text ? kept->byte_count : sizeof text - 1;
    memcpy(text, data, length);
    text[length] = 0;
    snw__put_name(output, text, "\t", ' ');
}

/* The fields every TRC has; the rest of the group TRC follows them. */
static const char *const trc_fields[] = {"CameraRate", "OrigDataRate", "OrigDataStartFrame",
                                         "OrigNumFrames"};

static bool is_usual_field(const char *name)
{
    for (size_t n = 0; n < sizeof trc_fields / sizeof *trc_fields; n++)
        if (snw__trial_same_word(name, trc_fields[n])) return true;
    return snw__trial_same_word(name, "FileName");
}

static void put_extra_fields(snw__output *output, const snw_trial *trial, bool is_name_row)
{
    const snw_parameter_group *group = snw__trial_find_group(trial, "TRC");
    for (int p = 0; group && p < group->parameter_count; p++) {
        const snw_parameter *parameter = group->parameter + p;
        if (is_usual_field(parameter->name) || parameter->type != SNW_PARAMETER_CHAR) continue;
        snw__put_string(output, "\t");
        if (is_name_row)
            snw__put_name(output, parameter->name, "\t", ' ');
        else
            put_field(output, trial, parameter->name, 0);
    }
}

/* Is the point one of those that the file is to hold? */
static bool is_chosen(const snw__output *output, const snw_trial *trial, int marker)
{
    snw_point_kind kind = trial->marker[marker].kind;
    snw_point_choice choice = output->options.points;
    return kind == SNW_POINT_MARKER || choice == SNW_POINTS_ALL ||
           (choice == SNW_POINTS_POSITIONS && snw_point_is_position(kind));
}

static int count_chosen(const snw__output *output, const snw_trial *trial)
{
    int count = 0;
    for (int marker = 0; marker < trial->marker_count; marker++)
        count += is_chosen(output, trial, marker);
    return count;
}

static void put_row(snw__output *output, const snw_trial *trial, snw__marker_scale scale, int frame)
{
    int64_t number = (int64_t)trial->first_frame + frame;
    snw__put_text(output, "%lld", (long long)number);
    snw__put_string(output, "\t");
    snw__put_exact(output, snw_trial_time(trial, frame));
    for (int marker = 0; marker < trial->marker_count; marker++) {
        float position[3];
        if (!is_chosen(output, trial, marker)) continue;
        bool is_present = snw__marker_scaled(trial, scale, frame, marker, position);
        for (int k = 0; k < 3; k++) {
            snw__put_string(output, "\t");
            if (is_present) snw__put_float(output, position[k]);
        }
    }
    snw__put_string(output, "\n");
}

static snw_status write_trial(snw__output *output, const snw_trial *trial)
{
    snw__marker_scale scale = snw__marker_scale_for(trial, &output->options);
    snw__put_string(output, "PathFileType\t4\t(X/Y/Z)\t");
    if (snw_trial_find_parameter(trial, "TRC", "FileName"))
        put_field(output, trial, "FileName", 0);
    else
        snw__put_string(output, "sinew.trc");
    snw__put_string(output, "\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
                            "OrigDataStartFrame\tOrigNumFrames");
    put_extra_fields(output, trial, true);
    snw__put_string(output, "\n");
    snw__put_exact(output, trial->rate);
    snw__put_string(output, "\t");
    put_field(output, trial, "CameraRate", trial->rate);
    snw__put_string(output, "\t");
    snw__put_text(output, "%lld", (long long)(trial->frame_count));
    snw__put_string(output, "\t");
    snw__put_text(output, "%lld", (long long)count_chosen(output, trial));
    snw__put_string(output, "\t");
    snw__put_string(output, scale.unit);
    const double fallback[] = {trial->rate, trial->first_frame, trial->frame_count};
    for (int n = 0; n < 3; n++) {
        snw__put_string(output, "\t");
        put_field(output, trial, trc_fields[n + 1], fallback[n]);
    }
    put_extra_fields(output, trial, false);
    snw__put_string(output, "\n");
    snw__put_string(output, "Frame#\tTime");
    for (int marker = 0; marker < trial->marker_count; marker++) {
        if (!is_chosen(output, trial, marker)) continue;
        snw__put_string(output, "\t");
        snw__put_name(output, trial->marker[marker].name, "\t", ' ');
        snw__put_string(output, "\t\t");
    }
    snw__put_string(output, "\n\t");
    for (int marker = 0, count = count_chosen(output, trial); marker < count; marker++)
        for (int k = 0; k < 3; k++) {
            snw__put_string(output, k == 0 ? "\tX" : k == 1 ? "\tY" : "\tZ");
            snw__put_text(output, "%d", marker + 1);
        }
    snw__put_string(output, "\n\n");
    for (int frame = 0; frame < trial->frame_count && !output->has_failed; frame++)
        put_row(output, trial, scale, frame);
    return SNW_OK;
}

const snw__format snw__format_trc = {
    "TRC", "trc", sniff, read_trial, write_trial, NULL, NULL, NULL, NULL,
};
