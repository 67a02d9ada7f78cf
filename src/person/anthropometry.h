/* The sizes of people, for modules that need one where nobody measured it. Internal. */
#ifndef SNW_PERSON_ANTHROPOMETRY_H
#define SNW_PERSON_ANTHROPOMETRY_H

#include <sinew/person.h>

/* Half of what lies between a joint's two sides, with a marker's own radius, and how far from there
 * a single marker lets the centre be, metres. reach 0: nothing is known of this joint. */
typedef struct snw__joint_size {
    double half_width;
    double reach;
} snw__joint_size;

snw__joint_size snw__part_joint_size(snw_part joint);

#endif
