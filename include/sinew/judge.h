/* sinew/judge.h - what a person should know before using a solved motion, as data: a code, a place,
 * a number and a sentence each, and one word for the whole.
 *
 *     snw_judgements found;
 *     if (snw_judge_solution(&solution, NULL, &found, &error) == SNW_OK) {
 *         puts(snw_verdict_name(found.verdict));                       // "amber"
 *         for (int n = 0; n < found.count; n++) puts(found.item[n].sentence);
 *     }
 *
 * Any thread; nothing is kept. errors and the allocator may be NULL.
 */
#ifndef SINEW_JUDGE_H
#define SINEW_JUDGE_H

#include <sinew/angles.h>
#include <sinew/avatar.h>
#include <sinew/hand.h>
#include <sinew/measure.h>
#include <sinew/track.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of a single finding: worth knowing, look before use, do not use. Of the whole: the gravest. */
typedef enum snw_verdict {
    SNW_VERDICT_GREEN,
    SNW_VERDICT_AMBER,
    SNW_VERDICT_RED
} snw_verdict;

/* "green", "amber", "red"; never NULL. */
SNW_API const char *snw_verdict_name(snw_verdict verdict);

/* The one list of what can be found. X(code, name). Append only. */
#define SNW_JUDGEMENT_MAP(X)                  \
    X(FAR_BODY, "far-body")                   \
    X(LOST_FRAMES, "lost-frames")             \
    X(EMPTY_FRAMES, "empty-frames")           \
    X(UNCERTAIN_JOINT, "uncertain-joint")     \
    X(FAR_STRETCH, "far-stretch")             \
    X(FAR_MARKER, "far-marker")               \
    X(LEFT_OUT_MARKER, "left-out-marker")     \
    X(IMPLAUSIBLE_SIZE, "implausible-size")   \
    X(IMPLAUSIBLE_BONE, "implausible-bone")   \
    X(UNEQUAL_SIDES, "unequal-sides")         \
    X(FAR_JOINT, "far-joint")                 \
    X(UNSURE_PERSON, "unsure-person")         \
    X(SLIPPED_MARKER, "slipped-marker")       \
    X(IMPLAUSIBLE_ANGLE, "implausible-angle") \
    X(CROSSTALK, "crosstalk")                 \
    X(UNEQUAL_ANGLES, "unequal-angles")       \
    X(BENT_STANDING, "bent-standing")         \
    X(CUT_FILE, "cut-file")                   \
    X(MISSING_LIMB, "missing-limb")           \
    X(FROZEN_FRAMES, "frozen-frames")         \
    X(JUMP, "jump")                           \
    X(OTHER_PERSON, "other-person")           \
    X(UPSIDE_DOWN, "upside-down")

typedef enum snw_judgement_code {
#define SNW_JUDGEMENT_ENUM(code, name) SNW_JUDGEMENT_##code,
    SNW_JUDGEMENT_MAP(SNW_JUDGEMENT_ENUM)
#undef SNW_JUDGEMENT_ENUM
    SNW_JUDGEMENT_COUNT
} snw_judgement_code;

/* "far-body"; never NULL. */
SNW_API const char *snw_judgement_name(snw_judgement_code code);

typedef struct snw_judgement {
    snw_judgement_code code;
    snw_verdict verdict; /* how grave it is by itself */
    int joint;           /* of the skeleton, or -1 */
    int marker;          /* of the trial, or -1 */
    int frame;           /* first frame, from 0, or -1 */
    int frame_count;     /* frames from there, or of the whole trial where frame is -1 */
    double number;       /* metres or a count, as the code says in docs/see.md */
    char sentence[240];
} snw_judgement;

/* Gravest first; within one gravity the body before its parts. */
#define SNW_JUDGEMENTS_MAX 96
typedef struct snw_judgements {
    snw_verdict verdict;
    int count;
    int dropped; /* more than fit */
    snw_judgement item[SNW_JUDGEMENTS_MAX];
} snw_judgements;

/* Everything that is judged. Owns nothing. */
typedef struct snw_judged {
    const snw_trial *trial;
    const snw_actor *actor;
    const snw_motion *motion;
    const snw_solve_report *report;
    const snw_residuals *residuals;
} snw_judged;

SNW_API snw_status snw_judge_solution(const snw_judged *solution, const snw_allocator *allocator,
                                      snw_judgements *out, snw_error *error);

/* Adds what is impossible or odd in joint angles, whatever the convention: beyond the range of the
 * joint, flexion that shows in abduction (the knee's axis is turned), a left and a right that never
 * come near each other, bent knees of somebody who stands still. Red: no angle of a person. */
SNW_API void snw_angles_judge(const snw_angles *angles, snw_judgements *out);

/* Adds what the labels of a capture contradict, by its markers alone: legs and a pelvis of no
 * person, left and right exchanged. */
SNW_API void snw_judge_labels(const snw_trial *trial, snw_judgements *out);

/* Adds what speaks against a hand or an upper body: sizes that nobody has, unequal arms, fingertips
 * or wrists far from what was seen, frames that show too little. The reports are those of the steps
 * (count). */
SNW_API void snw_judge_hand(const snw_hand_profile *profile, const snw_hand_report *report,
                            int count, snw_judgements *out);
SNW_API void snw_judge_avatar(const snw_avatar_profile *profile, const snw_avatar_report *report,
                              int count, snw_judgements *out);

/* The actor as this motion shows it: ranges, limits (the least that hold all of it, no margin) and
 * verdicts are of the whole motion, whatever trial the actor was calibrated on. Bones, markers and
 * uncertainties stay. motion must be of the actor's skeleton. */
SNW_API snw_status snw_actor_describe(const snw_actor *actor, const snw_motion *motion,
                                      const snw_allocator *allocator, snw_actor **out,
                                      snw_error *error);

/* Adds a finding of the caller's own; the verdict becomes no better by it. */
SNW_API void snw_judgements_add(snw_judgements *judgements, const snw_judgement *item);

#ifdef __cplusplus
}
#endif
#endif
