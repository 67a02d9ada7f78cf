/* How a finger bends with the others: learned while it is seen, used while it is hidden. Internal.
 */
#ifndef SNW_HAND_TRANSDIGITAL_H
#define SNW_HAND_TRANSDIGITAL_H

#include <sinew/hand.h>

enum {
    SNW__TRANS_INPUTS = 5 /* one, and how far each of the other fingers is bent */
};

/* Recursive least squares of one finger's spread, base and middle flexion on the bend of the
 * others. */
typedef struct snw__trans {
    double weight[3][SNW__TRANS_INPUTS];
    double p[SNW__TRANS_INPUTS][SNW__TRANS_INPUTS];
    double offset[3]; /* what the last frame that showed the finger was off by */
    double hidden;    /* seconds since then */
} snw__trans;

void snw__trans_start(snw__trans *trans, int finger);
/* The finger is seen: learns, unless dt is not above 0 (offsets are taken in any case). */
void snw__trans_learn(snw__trans *trans, int finger, const double bend[SNW_HAND_FINGERS],
                      const double angle[4], double dt);
/* The finger is hidden for dt longer: the angles that the others suggest. */
void snw__trans_predict(snw__trans *trans, int finger, const double bend[SNW_HAND_FINGERS],
                        double dt, double angle[3]);

#endif
