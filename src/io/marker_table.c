/* Tables of marker coordinates as text: units, missing cells, odd cells. */
#include "io/marker_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "trial/trial_memory.h"

/* ---- units -------------------------------------------------------------------------------- */

double snw__unit_metres_span(snw__span word)
{
    char unit[SNW__NAME_SIZE];
    snw__span_copy(word, unit);
    return snw_unit_length(unit);
}

const char *snw__unit_name(double metres_per_unit)
{
    static const char *const names[] = {"mm", "cm", "m", "in", "ft", "dm", "km"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (fabs(snw_unit_length(names[n]) - metres_per_unit) <= 1e-12 * metres_per_unit)
            return names[n];
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------ */

snw_status snw__table_check_rows(const snw__text_input *text, int64_t rows, int marker_count,
                                 int rotation_count)
{
    if (rows > INT32_MAX)
        return snw__fail(text->reading->error, SNW_TOO_LARGE,
                         "%lld rows are more than a trial can hold", (long long)rows);
    double bytes = (double)rows * marker_count * (sizeof(snw_sample) + 1) +
                   (double)rows * rotation_count * SNW__ROTATION_NUMBERS * sizeof(float) +
                   (double)marker_count * 64; /* names */
    return snw__text_check_size(text, bytes, "the marker table");
}

static void count(int64_t *count, int64_t *line, const snw__text_input *text)
{
    if ((*count)++ == 0) *line = text->line;
}

/* Words that programs write where a marker was not seen. */
static bool means_missing(snw__span cell)
{
    static const char *const words[] = {"nan", "-nan", "+nan", "na", "n/a", "null", "none", "-"};
    if (snw__span_is_empty(cell)) return true;
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        if (snw__span_is(cell, words[n])) return true;
    return snw__span_starts(cell, "-1.#") || snw__span_starts(cell, "1.#");
}

snw_status snw__marker_table_cell(snw__marker_table *table, snw__span cell, const char *what,
                                  double *value)
{
    *value = NAN;
    if (means_missing(cell) || snw__span_decimal(cell, table->decimal, value)) return SNW_OK;
    if (!table->text->reading->options.is_lenient)
        return snw__text_fail(table->text, SNW_FORMAT, "\"%.*s\" of %s is not a number",
                              snw__span_shown(cell), cell.at, what);
    count(&table->bad_count, &table->bad_line, table->text);
    return SNW_OK;
}

static bool fits_float(double value)
{
    return fabs(value) <= (double)FLT_MAX;
}

void snw__marker_table_store(snw__marker_table *table, int frame, int marker,
                             const double position[3])
{
    snw_trial *trial = table->trial;
    size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
    snw_sample *sample = trial->sample + at;
    int absent = 0;
    for (int axis = 0; axis < 3; axis++)
        absent += isnan(position[axis]) ? 1 : 0; /* isnan says any number */
    bool is_zero = position[0] == 0 && position[1] == 0 && position[2] == 0;
    bool fits = fits_float(position[0]) && fits_float(position[1]) && fits_float(position[2]);
    if (absent == 1 || absent == 2) count(&table->partial_count, &table->partial_line, table->text);
    if (is_zero) count(&table->zero_count, &table->zero_line, table->text);
    if (!absent && !fits) count(&table->infinite_count, &table->infinite_line, table->text);
    if (absent || !fits || (is_zero && table->zero_is_absent)) {
        sample->x = sample->y = sample->z = 0;
        sample->quality = -1;
        trial->state[at] = SNW_SAMPLE_MISSING;
        return;
    }
    sample->x = (float)position[0];
    sample->y = (float)position[1];
    sample->z = (float)position[2];
    sample->quality = 0;
    trial->state[at] = SNW_SAMPLE_MEASURED;
}

static void report(const snw__marker_table *table, int64_t count, int64_t line, const char *one,
                   const char *many)
{
    if (count)
        snw__note(table->text->reading->notes, SNW_NOTE_VALUE_REPAIRED, snw__at_line(line),
                  "%lld %s", (long long)count, snw__plural(count, one, many));
}

void snw__marker_table_report(const snw__marker_table *table)
{
    report(table, table->partial_count, table->partial_line,
           "sample has only one or two of three coordinates and is taken as missing",
           "samples have only one or two of three coordinates and are taken as missing");
    if (table->zero_is_absent)
        report(table, table->zero_count, table->zero_line,
               "sample at exactly 0 0 0 is taken as missing",
               "samples at exactly 0 0 0 are taken as missing");
    else
        report(table, table->zero_count, table->zero_line,
               "sample lies at exactly 0 0 0: a place, or not seen; the file does not say",
               "samples lie at exactly 0 0 0: places, or not seen; the file does not say");
    report(table, table->bad_count, table->bad_line,
           "coordinate is not a number and is taken as missing",
           "coordinates are not numbers and are taken as missing");
    report(table, table->infinite_count, table->infinite_line,
           "sample is infinite or too large for a marker and is taken as missing",
           "samples are infinite or too large for a marker and are taken as missing");
}

/* ---- writing ------------------------------------------------------------------------------ */

snw__marker_scale snw__marker_scale_for(const snw_trial *trial, const snw_write_options *options)
{
    snw__marker_scale scale = {1, options->metres_per_unit, NULL};
    if (!(scale.metres_per_unit > 0)) scale.metres_per_unit = trial->metres_per_unit;
    scale.unit = snw__unit_name(scale.metres_per_unit);
    if (!scale.unit) {
        scale.metres_per_unit = 0.001;
        scale.unit = "mm";
    }
    if (scale.metres_per_unit != trial->metres_per_unit)
        scale.factor = trial->metres_per_unit / scale.metres_per_unit;
    return scale;
}

bool snw__marker_scaled(const snw_trial *trial, snw__marker_scale scale, int frame, int marker,
                        float position[3])
{
    size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
    const snw_sample *sample = trial->sample + at;
    if (trial->state[at] == SNW_SAMPLE_MISSING) return false;
    double factor = snw_point_is_position(trial->marker[marker].kind) ? scale.factor : 1;
    double scaled[3] = {sample->x * factor, sample->y * factor, sample->z * factor};
    for (int k = 0; k < 3; k++) {
        if (!fits_float(scaled[k])) return false;
        position[k] = (float)scaled[k];
    }
    return true;
}
