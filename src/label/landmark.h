/* How labels are read: the grammar and the table of landmarks. Internal. */
#ifndef SNW_LABEL_LANDMARK_H
#define SNW_LABEL_LANDMARK_H

#include <sinew/label.h>

typedef char snw__label_name[SNW_LABEL_SIZE];

/* The label without its "Actor:" in front. */
const char *snw__bare_label(const char *label);

/* One way to read a name as a side and a stem, the stem in capitals without separators. */
typedef struct snw__label_reading {
    snw_side side;
    char stem[SNW_LABEL_SIZE];
} snw__label_reading;

#define SNW__LABEL_READINGS 8
/* All ways, the likeliest first (label_grammar.c); the first has no side. Returns how many. */
int snw__label_readings(const char *label, snw__label_reading out[SNW__LABEL_READINGS]);

/* All markers of a trial, each by its label, what the other labels are and, where the label is not
 * enough, its description. out (marker_count). */
snw_status snw__labels_of_trial(const snw_trial *trial, const snw_allocator *allocator,
                                snw_label *out, snw_error *error);

/* Half of what lies between a joint's two sides, with a marker's own radius, and how far from there
 * a single marker lets the centre be, metres. reach 0: nothing is known of this joint. */
typedef struct snw__joint_size {
    double half_width;
    double reach;
} snw__joint_size;

snw__joint_size snw__part_joint_size(snw_part joint);

/* Is the stem of `length` characters one of the blank-separated words? */
bool snw__has_word(const char *words, const char *stem, size_t length);

/* ---- the table (landmark_table.c), for label_grammar.c -------------------------------------- */

typedef struct snw__landmark_row {
    const char *stems; /* all spellings without the side, upper case, no separators */
    snw_part part;
    snw_part joint;
    snw_spot spot;
} snw__landmark_row;

/* Does a landmark of this row have a side? */
static inline bool snw__landmark_row_is_paired(const snw__landmark_row *row)
{
    return snw_part_is_paired(row->part) || snw_part_is_paired(row->joint);
}

/* The row of a stem of `length` characters, -1: none. Without a side only rows in the middle
 * count. */
int snw__landmark_find(const char *stem, size_t length, bool has_side);
const snw__landmark_row *snw__landmark_table(int *count);

/* ASCII, whatever the program's locale: a label means the same everywhere. */
static inline bool snw__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
