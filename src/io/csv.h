/* What the two halves of CSV agree on: which column is what. Internal to io. */
#ifndef SNW_IO_CSV_H
#define SNW_IO_CSV_H

#include "base/memory.h"
#include "io/text_reader.h"

/* Rows looked at to find the header: Qualisys writes a line for each event. */
enum {
    SNW__CSV_HEAD_ROWS = 64
};

/* Meaning of a column; 0 and above: marker * 3 + axis. */
enum {
    SNW__CSV_IGNORED = -1,
    SNW__CSV_FRAME = -2,
    SNW__CSV_TIME = -3,
};
/* This and below: SNW__CSV_TURN - (rotation * 4 + part), parts w, x, y, z of a quaternion. */
enum {
    SNW__CSV_TURN = -4
};

typedef struct snw__csv_layout {
    char separator;      /* ',' ';' tab, or ' ' for runs of blanks */
    char decimal;        /* '.' or ',' */
    bool ends_at_blank;  /* a blank line ends the table (Vicon) */
    bool zero_is_absent; /* 0 0 0 means not seen (Qualisys) */
    int column_count;
    int marker_count;
    int rotation_count;      /* markers that have a quaternion: NAME_qw .. NAME_qz */
    int *rotation_marker;    /* (rotation_count) */
    int *target;             /* (column_count) */
    snw__span *name;         /* (marker_count), doubled quotes still doubled; at NULL = none */
    double rate;             /* 0 = from the times */
    double metres_per_unit;  /* 0 = not said */
    double seconds_per_unit; /* of the time column */
    snw__text_mark data;     /* before the first row of numbers */
    snw__block block;
} snw__csv_layout;

/* Finds out; notes what is ambiguous. Release it whatever came back. */
snw_status snw__csv_recognise(snw__csv_layout *layout, snw__text_input *text);
void snw__csv_release(snw__csv_layout *layout, const snw__text_input *text);

/* Whether the head of a file looks like a table that snw__csv_recognise may understand. */
bool snw__csv_sniff(const uint8_t *head, size_t size);

/* ---- single fields ------------------------------------------------------------------------ */

/* At least `least` numbers, and more numbers than words. */
bool snw__csv_is_data_row(snw__span row, const snw__csv_layout *layout, int least);
/* The separator of a row: tab, ';' or ',' outside quotes, in this order; else ' '. */
char snw__csv_separator(snw__span row);
/* Takes "(mm)" or "[mm]" off the end of a label; what is left is trimmed. False: there is none. */
bool snw__csv_strip_unit(snw__span *label, snw__span *unit);
bool snw__csv_is_one_of(snw__span word, const char *const *words, size_t count);
bool snw__csv_is_frame_label(snw__span label);
/* Seconds per unit of a time label, 0 for any other label. */
double snw__csv_time_label(snw__span label);
/* "X", "y (mm)", "Z1": 0, 1, 2; else -1. */
int snw__csv_bare_axis(snw__span label);
/* Splits "head_qw", "head.qx", "head QY" into base and part 0..3; -1 if it is none. */
int snw__csv_split_turn(snw__span label, snw__span *base);
/* Splits "LASI_X (mm)", "LASI.x", "LASI X", "LASI[0]" into base and axis 0..3; -1 if it is none. */
int snw__csv_split_label(snw__span label, snw__span *base, snw__span *unit);

#endif
