/* sinew/hand.h - a hand of 25 joints and 25 degrees of freedom from 8 markers: wrist, two on the
 * back of the hand, five fingertips; or from more, up to every finger joint.
 *
 *     snw_hand_profile profile;
 *     snw_hand_calibrate(capture, &profile, &notes, &error);       // a few seconds, the hand open
 * once snw_hand_create(&profile, NULL, NULL, &hand, &error);        // takes all memory
 *     snw_hand_step(hand, &frame, pose, &report);                  // one frame in, one pose out
 *
 * Joints are called as in the preset "hand25" (wrist, index1 .. index5, ..., thumb1 .. thumb4),
 * with "left_" or "right_" before. The wrist's frame is the palm's: z towards the fingers, y out of
 * the back of the hand, x towards the thumb of a right hand (away from it for a left one).
 *
 * A profile is plain data and may be shared; a hand belongs to one thread.
 */
#ifndef SINEW_HAND_H
#define SINEW_HAND_H

#include <sinew/actor.h>
#include <sinew/body.h>
#include <sinew/person.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SNW_HAND_THUMB,
    SNW_HAND_INDEX,
    SNW_HAND_MIDDLE,
    SNW_HAND_RING,
    SNW_HAND_LITTLE,
    SNW_HAND_FINGERS
};

/* Wrist, back of the hand over the index and the little finger, then for each finger its base
 * (knuckle; the thumb's saddle joint), middle and outer joint and tip. */
enum {
    SNW_HAND_WRIST,
    SNW_HAND_BACK_INDEX,
    SNW_HAND_BACK_LITTLE,
    SNW_HAND_JOINTS, /* 3 + 4 * finger + 0 .. 3 */
    SNW_HAND_MARKERS = SNW_HAND_JOINTS + 4 * SNW_HAND_FINGERS
};

SNW_INLINE int snw_hand_tip_marker(int finger)
{
    return SNW_HAND_JOINTS + 4 * finger + 3;
}

/* ---- what goes in ------------------------------------------------------------------------- */

typedef struct snw_hand_frame {
    double time; /* seconds */
    bool is_seen[SNW_HAND_MARKERS];
    snw_vec3 place[SNW_HAND_MARKERS]; /* metres */
} snw_hand_frame;

typedef struct snw_hand_capture {
    snw_side side;
    int frame_count;
    double rate;
    snw_hand_frame *frame; /* (frame_count) */
    snw_allocator allocator;
    size_t block_size;
} snw_hand_capture;

/* Marker number and side that a label means ("right_index_tip", "LTHUMB_TIP", "left_back_little",
 * "R wrist"); -1 if none. *has_side: the label says which hand. */
SNW_API int snw_hand_marker_from_label(const char *label, snw_side *side, bool *has_side);

/* The markers of one hand. SNW_NOT_FOUND when the trial does not have the wrist, one marker on the
 * back and two fingertips of that side. What had to be repaired is noted: units, labels of fingers
 * that are exchanged, a hand of the other side. */
SNW_API snw_status snw_hand_capture_from_trial(const snw_trial *trial, snw_side side,
                                               const snw_allocator *allocator,
                                               snw_hand_capture **out, snw_notes *notes,
                                               snw_error *error);
/* The same for eight trajectories without names: which is what is found from the first second in
 * which all are seen, the side too. */
SNW_API snw_status snw_hand_capture_unlabelled(const snw_trial *trial,
                                               const snw_allocator *allocator,
                                               snw_hand_capture **out, snw_notes *notes,
                                               snw_error *error);
SNW_API void snw_hand_capture_destroy(snw_hand_capture *capture);

/* ---- whose hand --------------------------------------------------------------------------- */

/* Lengths in metres. `base` is in the palm's frame of a right hand; a left one is mirrored. */
typedef struct snw_hand_profile {
    snw_side side;
    double back_share; /* 0.8: of the way from the wrist to a knuckle at which a back marker sits */
    double back_height; /* how far the markers are from the palm's plane, above 0 on its back */
    double cup;         /* radians by which a fist rolls the little finger's knuckle about the index
                           finger's metacarpal, towards the palm */
    snw_vec3 base[SNW_HAND_FINGERS];  /* knuckles; the thumb's saddle joint */
    snw_quat rest[SNW_HAND_FINGERS];  /* palm_from_finger: a straight finger points along z, bends
                                         about x and spreads about y */
    double bone[SNW_HAND_FINGERS][3]; /* base to middle, middle to outer, outer to tip */
} snw_hand_profile;

/* An average hand whose wrist is `length` metres from the tip of its middle finger. */
SNW_API snw_hand_profile snw_hand_profile_default(snw_side side, double length);
/* Published proportions, refined by what the markers show: palm, finger lengths from stretched
 * fingers, the thumb's place. */
SNW_API snw_status snw_hand_calibrate(const snw_hand_capture *capture, snw_hand_profile *profile,
                                      snw_notes *notes, snw_error *error);
/* A hand as an actor and back, to keep it (snw_actor_print): its skeleton with the eight markers on
 * it. SNW_FORMAT when the actor is no hand. */
SNW_API snw_status snw_hand_profile_to_actor(const snw_hand_profile *profile,
                                             const snw_allocator *allocator, snw_actor **out,
                                             snw_error *error);
SNW_API snw_status snw_hand_profile_from_actor(const snw_actor *actor, snw_hand_profile *profile,
                                               snw_error *error);

/* ---- frames in, poses out ----------------------------------------------------------------- */

typedef enum snw_hand_method {
    SNW_HAND_AUTO,  /* fit */
    SNW_HAND_FIT,   /* weighted least squares over all fingers with the physiology as rows */
    SNW_HAND_CHAIN, /* the thesis: palm and finger planes by conformal geometry, FABRIK per finger
                     */
    SNW_HAND_METHOD_COUNT
} snw_hand_method;

SNW_API const char *snw_hand_method_name(snw_hand_method method);

/* Start from snw_hand_options_default(): everything on. Each constraint can be switched off alone.
 */
typedef struct snw_hand_options {
    snw_hand_method method;
    double marker_noise;   /* 0.0007 m */
    bool has_limits;       /* flexion and abduction ranges of Table 5.1 */
    bool has_intradigital; /* outer flexion = 2/3 of middle flexion */
    bool has_transdigital; /* a hidden finger bends with the others, as it was seen to do */
    bool has_inertia;      /* a hidden finger moves with the hand and keeps its shape */
    bool has_collision;    /* fingers do not enter each other or the palm */
    bool has_friction;     /* a hidden finger is carried along by one that it touches */
    uint64_t reserved[4];  /* 0; later versions grow here */
} snw_hand_options;

SNW_API snw_hand_options snw_hand_options_default(void);

typedef struct snw_hand_report {
    bool is_palm_determined; /* wrist and both back markers are seen */
    bool is_tip_seen[SNW_HAND_FINGERS];
    double residual[SNW_HAND_FINGERS]; /* metres from the fingertip to its marker; 0 if hidden */
    double largest_flexion_jump;       /* radians, of any joint since the last frame */
} snw_hand_report;

typedef struct snw_hand snw_hand;

SNW_API snw_status snw_hand_create(const snw_hand_profile *profile, const snw_hand_options *options,
                                   const snw_allocator *allocator, snw_hand **out,
                                   snw_error *error);
SNW_API void snw_hand_destroy(snw_hand *hand);
/* The body its poses are of; lives as long as the hand. */
SNW_API const snw_skeleton *snw_hand_skeleton(const snw_hand *hand);
/* Never allocates, never writes what is not finite. world is filled on return; report may be NULL.
 */
SNW_API void snw_hand_step(snw_hand *hand, const snw_hand_frame *frame, snw_pose *pose,
                           snw_hand_report *report);
SNW_API void snw_hand_reset(snw_hand *hand);
/* The same step over a capture, forwards and, where a fingertip is hidden, backwards too: there the
 * two are blended by how far each end of the gap is. */
SNW_API snw_status snw_hand_solve(snw_hand *hand, const snw_hand_capture *capture,
                                  const snw_allocator *allocator, snw_motion **out,
                                  snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
