/* Strides of one or several people as the long table has them: one row for each person, file, side,
 * stride, variable and percent of the cycle. Written by `sinew study`, read back for overlays and
 * normal bands. */
#ifndef SINEW_CLI_CLINIC_STRIDES_H
#define SINEW_CLI_CLINIC_STRIDES_H

#include "command.h"

/* The first line of every such table. */
extern const char clinic_head[];

/* A variable over one stride, or one number of it. */
typedef struct clinic_series {
    int person, file, variable; /* into the names */
    int side;
    int stride; /* of its file and side, from 1 */
    int count;  /* SNW_CYCLE_POINTS, or 1 */
    double value[SNW_CYCLE_POINTS];
} clinic_series;

typedef struct clinic_names {
    int count;
    char **name; /* (count) */
} clinic_names;

typedef struct clinic_strides {
    clinic_names person, file, variable;
    int count, capacity;
    clinic_series *series; /* (count) in the order in which they came */
} clinic_strides;

/* Which stride, of which variable. */
typedef struct clinic_key {
    const char *person, *file, *variable;
    int side, stride;
} clinic_key;

/* values (count): SNW_CYCLE_POINTS or 1. False without memory. */
bool clinic_strides_add(clinic_strides *strides, const clinic_key *key, const double *value,
                        int count);
void clinic_strides_put(const clinic_strides *strides, FILE *out);
/* Complains itself; an exit code. Release in any case. */
int clinic_strides_read(const cli_arguments *arguments, const char *path, clinic_strides *strides);
void clinic_strides_release(clinic_strides *strides);

/* Mean and deviation of a variable over all strides of a side (-1: of both). A number has its mean
 * at [0]. count 0: there is none. */
void clinic_strides_mean(const clinic_strides *strides, const char *variable, int side,
                         snw_cycle *out);
/* The same over the means of people: how people differ. With one person alone, how its strides do.
 */
void clinic_people_mean(const clinic_strides *strides, const char *variable, snw_cycle *out);

#endif
