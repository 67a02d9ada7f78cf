/* The first rows of a table while its layout is found: what rows hold, and the producers' own
 * heads. Internal to io. */
#ifndef SNW_IO_CSV_HEAD_H
#define SNW_IO_CSV_HEAD_H

#include "io/csv.h"

typedef struct snw__csv_head {
    snw__text_input *text;
    snw__csv_layout *layout;
    int row_count;
    snw__span row[SNW__CSV_HEAD_ROWS];
    snw__text_mark before[SNW__CSV_HEAD_ROWS];
    bool is_filled[SNW__CSV_HEAD_ROWS];
    bool is_data[SNW__CSV_HEAD_ROWS];
    int data_row; /* index of the first row of numbers; row_count if there is none */
} snw__csv_head;

/* ---- rows and columns ------------------------------------------------------------------------ */

/* Field `column` of a row; empty and false where the row is shorter. */
bool snw__csv_field_at(const snw__csv_head *head, int row, int column, snw__span *field);
int snw__csv_count_fields(snw__span row, char separator);
/* The filled row above `row`, or -1. */
int snw__csv_row_above(const snw__csv_head *head, int row);
/* The row above the numbers whose first field says that, or -1. */
int snw__csv_find_row(const snw__csv_head *head, const char *first_field);
/* Three columns from `column` on are a marker. */
void snw__csv_add_marker(snw__csv_layout *layout, snw__span name, int column);
/* Frame and time columns by their labels in `row`. */
void snw__csv_mark_counters(snw__csv_head *head, int row);
/* The first unit that is one of length counts. */
void snw__csv_take_unit(snw__csv_layout *layout, snw__span unit);
void snw__csv_take_rate(snw__csv_layout *layout, snw__span value);

/* ---- heads ----------------------------------------------------------------------------------- */

/* To the section of Vicon's that holds markers; false, at the start, where there is none. */
bool snw__csv_find_trajectories(snw__text_input *text);
void snw__csv_take_vicon(snw__csv_head *head);
snw_status snw__csv_take_motive(snw__csv_head *head);
void snw__csv_take_qualisys(snw__csv_head *head, int name_row);
/* One or two rows of labels above the numbers. */
snw_status snw__csv_take_labels(snw__csv_head *head);

#endif
