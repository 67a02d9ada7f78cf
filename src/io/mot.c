/* OpenSim .mot and .sto (storage): a table of named columns over time.
 *
 *   Coordinates                     any name
 *   version=1
 *   nRows=120                       older files: datarows 120, datacolumns 24
 *   nColumns=24                     the time counts
 *   inDegrees=yes
 *   endheader
 *   time  pelvis_tx  pelvis_ty ...  tabs, in old files blanks
 *   0.00  0.1  0.9 ...
 *
 * Counts of the header are settled by the rows. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/text_reader.h"
#include "io/text_writer.h"

typedef struct mot_file {
    snw__text_input text;
    snw__reading *reading;
    int64_t rows_said, columns_said;
    bool is_in_degrees, has_degrees;
    snw__span names; /* the row of column names, after "time" */
    char separator;
    int column_count;
    int row_count;
    snw__text_mark data;
} mot_file;

/* ---- header -------------------------------------------------------------------------------- */

static snw_status read_header(mot_file *file)
{
    snw__span line;
    file->rows_said = file->columns_said = -1;
    while (snw__text_line(&file->text, &line)) {
        line = snw__span_trim(line);
        if (snw__span_is(line, "endheader")) {
            snw__span row = {NULL, NULL}, field;
            while (snw__text_line(&file->text, &row) && snw__span_is_empty(snw__span_trim(row))) {
            }
            row = snw__span_trim(row);
            file->separator = row.at && snw__span_find(row, '\t') < row.end ? '\t' : ' ';
            if (!row.at || !snw__span_cell(&row, file->separator, &field) ||
                !snw__span_is(field, "time"))
                return snw__text_fail(&file->text, row.at ? SNW_FORMAT : SNW_TRUNCATED,
                                      "the row of column names must start with \"time\"");
            file->names = row;
            while (snw__span_cell(&row, file->separator, &field))
                file->column_count++;
            file->data = snw__text_here(&file->text);
            snw__text_settle_decimal(&file->text);
            return SNW_OK;
        }
        /* "nRows=12" or "datarows 12": key and value. */
        snw__span key, value = line;
        const char *equals = snw__span_find(line, '=');
        if (equals < line.end) {
            key = snw__span_trim((snw__span){line.at, equals});
            value = snw__span_trim((snw__span){equals + 1, line.end});
        } else {
            snw__span_word(&value, &key);
            value = snw__span_trim(value);
        }
        if (snw__span_is(key, "nRows") || snw__span_is(key, "datarows"))
            snw__span_int(value, &file->rows_said);
        if (snw__span_is(key, "nColumns") || snw__span_is(key, "datacolumns"))
            snw__span_int(value, &file->columns_said);
        if (snw__span_is(key, "inDegrees")) {
            file->has_degrees = true;
            file->is_in_degrees = snw__span_is(value, "yes") || snw__span_is(value, "true");
        }
        if (snw__span_is(key, "DataType") && !snw__span_is(value, "double"))
            return snw__text_fail(&file->text, SNW_UNSUPPORTED,
                                  "columns of type %.*s are not read, only numbers",
                                  snw__span_shown(value), value.at);
    }
    return snw__text_fail(&file->text, SNW_TRUNCATED, "the header has no \"endheader\"");
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Rows of another length are refused; in lenient reading the table ends before the first. */
static snw_status count_rows(mot_file *file)
{
    snw__span line;
    int64_t rows = 0;
    int wanted = file->column_count + 1;
    snw__text_return(&file->text, file->data);
    while (snw__text_line(&file->text, &line)) {
        int count = snw__span_count_words(line);
        if (count == 0) continue;
        if (count != wanted && file->reading->options.is_lenient) {
            snw__note(file->reading->notes, SNW_NOTE_CONTENT_CUT, snw__at_line(file->text.line),
                      "%d %s for %d columns; the table ends here", count,
                      snw__plural(count, "number", "numbers"), wanted);
            break;
        }
        if (count != wanted) {
            bool is_cut = file->text.at == file->text.end && count < wanted;
            return snw__text_fail(&file->text, is_cut ? SNW_TRUNCATED : SNW_FORMAT,
                                  "%d %s, there are %d columns%s", count,
                                  snw__plural(count, "number", "numbers"), wanted,
                                  is_cut ? "; the file is cut" : "");
        }
        rows++;
    }
    if (rows > INT32_MAX) return snw__fail(file->reading->error, SNW_TOO_LARGE, "too many rows");
    file->row_count = (int)rows;
    if (file->rows_said != rows)
        snw__note(file->reading->notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                  "the header says %lld %s, %lld %s there", (long long)file->rows_said,
                  snw__plural(file->rows_said, "row", "rows"), (long long)rows,
                  snw__plural(rows, "is", "are"));
    if (file->columns_said != wanted)
        snw__note(file->reading->notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                  "the header says %lld %s, %d are there", (long long)file->columns_said,
                  snw__plural(file->columns_said, "column", "columns"), wanted);
    return snw__text_check_size(&file->text, (double)rows * wanted * sizeof(double), "the table");
}

static snw_status read_number(mot_file *file, snw__span *line, double *value)
{
    snw__span word = {NULL, NULL};
    snw__span_word(line, &word);
    *value = NAN;
    if (snw__span_double(word, value)) return SNW_OK;
    if (!file->reading->options.is_lenient)
        return snw__text_fail(&file->text, SNW_FORMAT, "\"%.*s\" is not a number",
                              snw__span_shown(word), word.at);
    snw__note(file->reading->notes, SNW_NOTE_VALUE_REPAIRED, snw__at_line(file->text.line),
              "\"%.*s\" is not a number and is missing", snw__span_shown(word), word.at);
    return SNW_OK;
}

static void settle_rate(mot_file *file, snw_table *table, double half_digit)
{
    int last = table->row_count - 1;
    if (last < 1) return;
    double uncertainty = half_digit < 0.5 ? 2 * half_digit : 0;
    double start = table->time[0];
    table->rate = snw__rate_from_duration(table->time[last] - start, last, uncertainty);
    for (int row = 0; row < table->row_count && table->rate > 0; row++)
        if (!(fabs(table->time[row] - start - row / table->rate) <= 0.5 / table->rate)) {
            snw__note(file->reading->notes, SNW_NOTE_FRAMES_JUMP, SNW__NOWHERE,
                      "times are not evenly spaced (row %d); %g rows per second is their mean",
                      row + 1, table->rate);
            return;
        }
}

/* ---- reading ------------------------------------------------------------------------------- */

static snw_status make_table(mot_file *file, snw_table **out)
{
    const snw_allocator *allocator = &file->reading->allocator;
    size_t count = (size_t)file->column_count;
    /* Names are at most as long as their row. */
    size_t text_size = snw__span_length(file->names) + count + 1;
    size_t size = count * sizeof(char *) + text_size;
    char **names = (char **)snw__allocate(allocator, size);
    if (!names) return snw__fail_memory(file->reading->error, size, "the names of the columns");
    char *text = (char *)(names + count);
    snw__span rest = file->names, field;
    for (size_t n = 0; n < count && snw__span_cell(&rest, file->separator, &field); n++) {
        char name[SNW__NAME_SIZE];
        snw__span_copy(field, name);
        names[n] = (char *)memcpy(text, name, strlen(name) + 1);
        text += strlen(name) + 1;
    }
    snw_status status = snw_table_create(file->row_count, (const char *const *)names,
                                         file->column_count, allocator, out, file->reading->error);
    snw__release(allocator, names, size);
    return status;
}

static snw_status read_content(mot_file *file, snw_table **out)
{
    snw_status status = read_header(file);
    if (status == SNW_OK) status = count_rows(file);
    snw_table *table = NULL;
    if (status == SNW_OK) status = make_table(file, &table);
    if (!table) return status;
    double half_digit;
    table->is_in_degrees = file->is_in_degrees;
    status = SNW_OK;
    snw__span line, time;
    snw__text_return(&file->text, file->data);
    half_digit = 0.5;
    for (int row = 0; row < file->row_count && status == SNW_OK;) {
        if (!snw__text_line(&file->text, &line)) break;
        snw__span rest = line;
        if (!snw__span_word(&rest, &time)) continue;
        double half = snw__span_half_digit(time);
        if (half < half_digit) half_digit = half;
        double *values = table->value + (size_t)row * (size_t)file->column_count;
        status = read_number(file, &line, table->time + row++);
        for (int n = 0; n < file->column_count && status == SNW_OK; n++)
            status = read_number(file, &line, values + n);
    }
    if (status != SNW_OK) {
        snw_table_destroy(table);
        return status;
    }
    settle_rate(file, table, half_digit);
    if (!file->has_degrees)
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the header does not say inDegrees; turns are taken as radians");
    *out = table;
    return SNW_OK;
}

snw_status snw_read_table(const snw_source *source, const snw_read_options *options,
                          const snw_allocator *allocator, snw_table **out, snw_notes *notes,
                          snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    const snw__reading_request request = {source, options, allocator, notes, error};
    snw__reading reading;
    mot_file file;
    memset(&file, 0, sizeof file);
    file.reading = &reading;
    snw_status status = snw__reading_open(&reading, &request);
    if (status == SNW_OK) status = snw__text_load(&file.text, &reading);
    if (status == SNW_OK) {
        status = read_content(&file, out);
        snw__text_release(&file.text);
    }
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}

static bool sniff(const uint8_t *head, size_t size)
{
    static const char *const starts[] = {
        "endheader", "nRows=", "nColumns=", "datacolumns ", "datarows ", "inDegrees="};
    snw__text_input text = snw__text_of_head(head, size);
    snw__span line;
    for (int n = 0; n < 100 && snw__text_line(&text, &line); n++)
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            if (snw__span_starts(snw__span_trim(line), starts[k])) return true;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put_table(snw__output *output, const snw_table *table)
{
    snw__put_text(output, "sinew\nversion=1\nnRows=%d\nnColumns=%d\ninDegrees=%s\nendheader\ntime",
                  table->row_count, table->column_count + 1, table->is_in_degrees ? "yes" : "no");
    for (int n = 0; n < table->column_count; n++) {
        snw__put_string(output, "\t");
        /* A blank name would be lost between the tabs, and its column with it. */
        const char *at = table->column[n];
        while (*at && (unsigned char)*at <= ' ')
            at++;
        if (*at)
            snw__put_name(output, table->column[n], "\t", ' ');
        else
            snw__put_text(output, "column%d", n + 1);
    }
    snw__put_string(output, "\n");
    for (int row = 0; row < table->row_count && !output->has_failed; row++) {
        const double *values = table->value + (size_t)row * (size_t)table->column_count;
        snw__put_exact(output, table->time[row]);
        for (int n = 0; n < table->column_count; n++) {
            snw__put_string(output, "\t");
            snw__put_double(output, values[n] + 0.0);
        }
        snw__put_string(output, "\n");
    }
}

snw_status snw_write_table(const snw_table *table, const snw_write_options *options,
                           const snw_sink *sink, snw_error *error)
{
    if (!table) return snw__fail(error, SNW_INVALID_ARGUMENT, "table is NULL");
    snw__output output;
    snw_status status = snw__output_open(&output, options, sink, error);
    if (status != SNW_OK) return status;
    put_table(&output, table);
    status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}

static snw_status write_motion(snw__output *output, const snw_motion *motion)
{
    snw_table *table = NULL;
    snw_status status = snw_table_from_motion(motion, output->options.up, &motion->allocator,
                                              &table, output->error);
    if (status != SNW_OK) return status;
    put_table(output, table);
    snw_table_destroy(table);
    return SNW_OK;
}

const snw__format snw__format_mot = {
    "MOT", "mot sto", sniff, NULL, NULL, NULL, write_motion, NULL, NULL,
};
