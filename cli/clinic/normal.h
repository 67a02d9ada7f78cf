/* How healthy people walk, as a lab has measured it, and how far somebody is from it. */
#ifndef SINEW_CLI_CLINIC_NORMAL_H
#define SINEW_CLI_CLINIC_NORMAL_H

#include "clinic/strides.h"

#define CLINIC_BANDS_MAX 128

typedef struct clinic_band {
    char variable[SNW_ANGLE_NAME_SIZE];
    snw_cycle cycle; /* a number that is no curve: at [0] */
} clinic_band;

typedef struct clinic_normal {
    char source[256]; /* the file's name */
    int count;
    clinic_band *band; /* (count) */
} clinic_normal;

/* A CSV with the columns variable, percent, mean, sd (percent empty: a number; between percents
 * linear), or a table of strides, of which the people's means are taken. Complains itself; an exit
 * code. Release in any case. */
int clinic_normal_read(const cli_arguments *arguments, const char *path, clinic_normal *normal);
void clinic_normal_release(clinic_normal *normal);
/* NULL: nothing is known of it. */
const snw_cycle *clinic_normal_find(const clinic_normal *normal, const char *variable);

/* The Movement Analysis Profile (Baker et al. 2009): how far each of nine angles is from normal,
 * rms over the cycle, degrees; NaN where it is not known. */
#define CLINIC_PROFILE 9

extern const char *const clinic_profile_variable[CLINIC_PROFILE];
extern const char *const clinic_profile_title[CLINIC_PROFILE];

typedef struct clinic_profile {
    double score[SNW_SIDES][CLINIC_PROFILE];
    double side[SNW_SIDES]; /* Gait Profile Score: rms of the nine */
    double overall;         /* of the left nine and the right six that are not the pelvis */
} clinic_profile;

void clinic_profile_make(const clinic_strides *strides, const clinic_normal *normal,
                         clinic_profile *out);

#endif
