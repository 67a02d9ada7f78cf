/* Ways to find limbs. Internal. Each fills limb_of (marker_count) with numbers 0.. or -1 and
 * returns how many limbs there are. */
#ifndef SNW_LIMB_LIMB_METHODS_H
#define SNW_LIMB_LIMB_METHODS_H

#include <sinew/limb.h>

#include "label/landmark.h"
#include "rigid/sampling.h"

/* As snw_limbs_create, with what the labels say (marker_count), or NULL. */
snw_status snw__limbs_make(const int *limb_of, int marker_count, const char *const *names,
                           const snw_label *label, const snw_allocator *allocator, snw_limbs **out,
                           snw_error *error);

/* SNW_INVALID_ARGUMENT: the limbs are of another trial. */
snw_status snw__limbs_check(const snw_limbs *limbs, const snw_trial *trial, snw_error *error);

/* By labels; 0 when they do not tell. name (marker_count) receives the limbs' names. */
int snw__limbs_by_names(const snw_trial *trial, const snw_label *landmark, int *limb_of,
                        snw__label_name *name);

/* By rigidity. tolerance in metres, negative: chosen from the data. */
snw_status snw__limbs_by_rigidity(const snw__samples *samples, double tolerance, int *limb_of,
                                  int *limb_count, snw_error *error);

/* By the spectrum of affinities; wanted limbs, negative: by the eigengap. */
snw_status snw__limbs_by_spectrum(const snw__samples *samples, int wanted, int *limb_of,
                                  int *limb_count, snw_error *error);

/* The median over markers of the deviation to the steadiest other one. smallest (n) is room. */
double snw__usual_deviation(const double *deviation, int n, double *smallest);
/* Numbers groups 0.. in the order of their first markers; limb_of (n) holds any numbers below n.
 * number (n) is room. Returns how many there are. */
int snw__number_groups(int *limb_of, int n, int *number);

/* Where limbs have been found in spite of labels (exchanged sides, a marker elsewhere), the limbs
 * are right. */
void snw__labels_follow(const snw_limbs *limbs, snw_label *landmark);

#endif
