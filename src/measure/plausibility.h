/* Does the body look like a person? Internal. */
#ifndef SNW_MEASURE_PLAUSIBILITY_H
#define SNW_MEASURE_PLAUSIBILITY_H

#include <sinew/judge.h>

/* Adds what is implausible: bones against the whole body, sides against each other, joints far from
 * every marker of their limbs. */
void snw__judge_plausibility(const snw_solution *solution, snw_judgements *out);
/* A judgement without place or words. */
snw_judgement snw__judgement_make(snw_judgement_code code, snw_verdict verdict, double number);

#endif
