/* Does the body look like a person? Internal. */
#ifndef SNW_MEASURE_PLAUSIBILITY_H
#define SNW_MEASURE_PLAUSIBILITY_H

#include <sinew/judge.h>

/* Adds what is implausible: bones against the whole body, sides against each other, joints far from
 * every marker of their segments. */
void snw__judge_plausibility(const snw_judged *solution, snw_judgements *out);
/* Adds limbs that are missing, frames that are copies, jumps (judge_motion.c). */
void snw__judge_motion(const snw_judged *solution, snw_judgements *out);
/* The least uncertainty that the centre of each joint can have in a body like this (joint_count),
 * metres: where a bone is none, or sides differ by more than its ends are said to be, these are not
 * where they are said to be. 0: nothing against it. */
void snw__plausibility_doubt(const snw_actor *actor, double *least);
/* A judgement without place or words. */
snw_judgement snw__judgement_make(snw_judgement_code code, snw_verdict verdict, double number);

#endif
