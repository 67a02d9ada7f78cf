/* Singular values of the shared system's Jacobian, for the methods that filter them. Internal. */
#ifndef SNW_IK_SPECTRUM_H
#define SNW_IK_SPECTRUM_H

#include <sinew/dense.h>

#include "ik/core/system.h"

typedef struct snw__ik_spectrum {
    snw_svd svd;  /* of the last jacobian given */
    double *part; /* (row_count) scratch: residual along each left vector, or any k numbers */
    double option;
} snw__ik_spectrum;

/* layout() of the methods that use it; the state is a snw__ik_spectrum. */
void *snw__ik_spectrum_layout(const snw_ik *ik, snw__block *block);
/* Decomposes system->jacobian. False (and a zero step) when that fails. */
bool snw__ik_spectrum_find(snw__ik_spectrum *spectrum, snw__ik_system *system);
/* How many singular values there are. */
int snw__ik_spectrum_count(const snw__ik_spectrum *spectrum);
/* r . left_i */
double snw__ik_spectrum_pull(const snw__ik_spectrum *spectrum, const snw__ik_system *system, int i);
/* step += amount * right_i */
void snw__ik_spectrum_add(const snw__ik_spectrum *spectrum, snw__ik_system *system, int i,
                          double amount);

#endif
