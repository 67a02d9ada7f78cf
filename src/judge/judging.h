/* What the findings of this module share, and what a solve asks of it. Internal. */
#ifndef SNW_JUDGE_JUDGING_H
#define SNW_JUDGE_JUDGING_H

#include <sinew/calibrate.h>
#include <sinew/judge.h>
#include <sinew/recognise.h>

/* Adds what is implausible: bones against the whole body, sides against each other, joints far from
 * every marker of their segments. */
void snw__judge_plausibility(const snw_judged *solution, snw_judgements *out);
/* Adds limbs that are missing, frames that are copies, jumps (judge_motion.c). */
void snw__judge_motion(const snw_judged *solution, snw_judgements *out);
/* The least uncertainty that the centre of each joint can have in a body like this (joint_count),
 * metres: where a bone is none, or sides differ by more than its ends are said to be, these are not
 * where they are said to be. 0: nothing against it. */
void snw__plausibility_doubt(const snw_actor *actor, double *least);
/* How far the bones are from a person's, against the whole body, against each other's side and in
 * what hangs from what: mean of squares of deviations; 0: no bone of a person is there. */
double snw__plausibility_misfit(const snw_actor *actor);
/* Adds what was recognised, computed, brought back, and noted of the still trial. notes may be
 * NULL. */
void snw__judge_capture(const snw_trial *trial, const snw_recognition *told, const snw_slips *slips,
                        const snw_notes *notes, snw_judgements *out);
/* Adds markers that slip on a body that was not calibrated on them (judge_slips.c). */
void snw__judge_slips(const snw_judged *solution, snw_judgements *out);
/* Where an unsurely recognised person leaves no joint certain, the actor's joints say so. */
void snw__doubt_joints(const snw_recognition *told, snw_actor *actor);
/* A judgement without place or words. */
snw_judgement snw__judgement_make(snw_judgement_code code, snw_verdict verdict, double number);

#endif
