/* How trials are laid out and how their strings are owned. Internal.
 *
 * The big arrays are separate allocations, each with exactly the size its counts say; strings are
 * one allocation each with the size of their text, so that one marker can be renamed alone. */
#ifndef SNW_TRIAL_TRIAL_MEMORY_H
#define SNW_TRIAL_TRIAL_MEMORY_H

#include <sinew/trial.h>

/* Numbers of one rotation: a 4x4 matrix and its reliability. */
enum {
    SNW__ROTATION_NUMBERS = 17
};

/* How many elements the arrays of a trial have; SIZE_MAX where the product overflows. */
typedef struct snw__trial_sizes {
    size_t sample;
    size_t analog;
    size_t rotation; /* numbers */
} snw__trial_sizes;

snw__trial_sizes snw__trial_sizes_of(const snw_trial *trial);

/* snw_trial_create, but samples, states, analog and rotations are not initialised and names are
 * empty: for readers that fill every byte. A capture of 100 MB would else be written twice. */
snw_status snw__trial_create_raw(const snw_trial_options *options, const snw_allocator *allocator,
                                 snw_trial **out, snw_error *error);

void snw__trial_text_release(const snw_allocator *allocator, char *text);
/* Replaces *text by a copy; on failure *text stays as it is. */
snw_status snw__trial_text_set(const snw_allocator *allocator, char **text, const char *value,
                               size_t length, snw_error *error);

/* The group of that name, whatever its case, or NULL. */
snw_parameter_group *snw__trial_find_group(const snw_trial *trial, const char *name);
/* A new group at the end, or NULL. */
snw_parameter_group *snw__trial_add_group(snw_trial *trial, const char *name, size_t length);
/* Appends a zeroed parameter that owns a copy of the name; NULL without memory. */
snw_parameter *snw__trial_add_parameter(snw_trial *trial, snw_parameter_group *group,
                                        const char *name, size_t length);
/* Copies everything that does not depend on which markers and frames there are: fields, names of
 * rotations and channels, events, parameters. The counts of rotations and channels must be equal.
 */
snw_status snw__trial_copy_surroundings(snw_trial *to, const snw_trial *from, snw_error *error);
snw_status snw__trial_copy_marker(snw_trial *to, snw_marker *marker, const snw_marker *from,
                                  snw_error *error);
/* The options that would create a trial of the same shape. */
snw_trial_options snw__trial_options_of(const snw_trial *trial);
/* Adds copies of all groups of `from`. */
snw_status snw__trial_copy_groups(snw_trial *to, const snw_trial *from, snw_error *error);
/* Releases all groups. */
void snw__trial_forget_groups(snw_trial *trial);
void snw__trial_parameter_release(const snw_allocator *allocator, snw_parameter *parameter);
/* a and b are the same word but for ASCII case. */
bool snw__trial_same_word(const char *a, const char *b);

/* The kind of each point as the lists in the POINT group say, MARKER where it is on none. out
 * (marker_count). */
snw_status snw__trial_listed_kinds(const snw_trial *trial, snw_point_kind *out, snw_error *error);
/* Is there a list of C3D for points of this kind? */
bool snw__point_has_list(snw_point_kind kind);
/* Adds points to the list of their kind in the groups of `trial`; `marker` has their names. */
snw_status snw__trial_list_points(snw_trial *trial, const snw_marker *marker,
                                  const snw_computed_points *points, snw_error *error);

/* Makes room for one more element of `element_size` bytes in an array; true when there is. */
bool snw__trial_grow(const snw_allocator *allocator, void **array, int count, int *capacity,
                     size_t element_size);

#endif
