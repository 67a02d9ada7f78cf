/* Tables of marker coordinates as text: what TRC and CSV share. Internal to io. */
#ifndef SNW_IO_MARKER_TABLE_H
#define SNW_IO_MARKER_TABLE_H

#include "io/text_reader.h"

/* snw_unit_length of a span. */
double snw__unit_metres_span(snw__span word);
/* "mm", "cm", "m", "in", "ft" or NULL for a length nobody has a name for. */
const char *snw__unit_name(double metres_per_unit);

/* Rows become frames of a trial: SNW_TOO_LARGE where it cannot hold them. */
snw_status snw__table_check_rows(const snw__text_input *text, int64_t rows, int marker_count,
                                 int rotation_count);

/* Samples of one reading call and what was odd about them, told once at the end. */
typedef struct snw__marker_table {
    snw_trial *trial;
    const snw__text_input *text;
    char decimal;        /* '.' or ',' */
    bool zero_is_absent; /* a marker at exactly 0 0 0 was not seen */
    int64_t partial_count, partial_line;
    int64_t zero_count, zero_line;
    int64_t bad_count, bad_line;
    int64_t infinite_count, infinite_line;
} snw__marker_table;

/* Reads one coordinate cell: SNW_OK with NaN for blank, "nan" and the like. In lenient reading
 * words that are no numbers count as missing, else they are an error. */
snw_status snw__marker_table_cell(snw__marker_table *table, snw__span cell, const char *what,
                                  double *value);
/* Stores a coordinate triple; a NaN makes the sample missing. */
void snw__marker_table_store(snw__marker_table *table, int frame, int marker,
                             const double position[3]);
/* Writes the notes about odd cells. */
void snw__marker_table_report(const snw__marker_table *table);

/* How a trial's samples are written as text. */
typedef struct snw__marker_scale {
    double factor; /* of a sample in the trial's unit */
    double metres_per_unit;
    const char *unit;
} snw__marker_scale;
/* The unit asked for, else the trial's own, else millimetres when it has no name. */
snw__marker_scale snw__marker_scale_for(const snw_trial *trial, const snw_write_options *options);
/* Coordinates of a sample to write; false when it is missing or not finite. */
bool snw__marker_scaled(const snw_trial *trial, snw__marker_scale scale, int frame, int marker,
                        float position[3]);

#endif
