/* Where on a person markers sit, and which of them the known sets have. Internal. */
#ifndef SNW_PERSON_SITE_H
#define SNW_PERSON_SITE_H

#include <sinew/math.h>

#include "person/landmark.h"

/* A place where marker sets put markers; its spellings and its part are the landmark's. */
typedef struct snw__site_row {
    snw__landmark landmark;
    bool is_paired;
    snw_vec3 place;          /* in its segment, on the left side, statures */
    snw_vec3 spread;         /* one standard deviation between people and laboratories */
    double share;            /* of the captures of that part that have it */
    snw__landmark companion; /* site of its side without which it is rare; NONE: none */
    bool is_one_sided;       /* has no mirror image as a rule */
} snw__site_row;

const snw__site_row *snw__site_table(int *count);

typedef struct snw__worn_set {
    const char *name;
    const char *landmarks; /* names of landmarks, both sides of each */
} snw__worn_set;

const snw__worn_set *snw__worn_sets(int *count);

#endif
