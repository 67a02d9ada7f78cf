/* One person of a study: which trial is what, and what the walks tell. */
#ifndef SINEW_CLI_CLINIC_PERSON_H
#define SINEW_CLI_CLINIC_PERSON_H

#include "clinic/strides.h"

typedef enum clinic_kind {
    CLINIC_OTHER,
    CLINIC_STATIC,
    CLINIC_FUNCTIONAL,
    CLINIC_WALK
} clinic_kind;

typedef struct clinic_trial {
    const char *path, *name; /* name: without its folders */
    clinic_kind kind;
    bool is_used;
    snw_verdict verdict; /* of the capture and of its angles */
    char reason[300];    /* why it is left out, or the gravest of the verdict; "" */
    char no_forces[300]; /* why it has no moments; "" */
    int stride_count[SNW_SIDES];
    bool has_kinetics;
} clinic_trial;

typedef struct clinic_person {
    const cli_arguments *arguments;
    const char *name;
    int trial_count;
    clinic_trial *trial; /* (trial_count) */
    int still;           /* the static that is used; -1: none */
    snw_trial *standing; /* it; NULL */
    snw_functional functional;
    snw_angle_convention convention;
    snw_gait_model model; /* of the first walk */
    bool has_model;
    double mass; /* kg; NaN: not known */
    snw_verdict verdict;
    clinic_strides strides;
} clinic_person;

/* "static", "functional", "walk", "other". */
const char *clinic_kind_name(clinic_kind kind);

/* Measures all operands of the arguments as trials of one person. Complains itself; an exit code:
 * CLI_FAILED where no walk could be used. Release in any case. */
int clinic_person_measure(clinic_person *person, const cli_arguments *arguments);
void clinic_person_release(clinic_person *person);

#endif
