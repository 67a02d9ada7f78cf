/* sinew/avatar.h - an upper body from a few 6-DoF trackers: head, chest and two hands, fewer or
 * more.
 *
 *     snw_avatar_profile profile;
 *     snw_avatar_calibrate(capture, NULL, &profile, &notes, &error);   // T-pose, then any motion
 *     snw_avatar_create(&profile, NULL, NULL, &avatar, &error);        // takes all memory
 *     snw_avatar_step(avatar, &frame, pose, &report);                  // one frame in, one pose
 * out
 *
 * The hands are where their trackers are; what they leave open is the swivel of each elbow about
 * the line from shoulder to wrist. Six methods decide it (Casanueva 1999 has three of them); none
 * ever leaves the elbow circle. Body axes are those of the T-pose: x left, y up, z forward, as in
 * the preset "humanoid", and so are the names of the joints.
 *
 * A profile is plain data and may be shared; an avatar belongs to one thread.
 */
#ifndef SINEW_AVATAR_H
#define SINEW_AVATAR_H

#include <sinew/actor.h>
#include <sinew/body.h>
#include <sinew/geometry.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what goes in ------------------------------------------------------------------------- */

typedef enum snw_avatar_role {
    SNW_AVATAR_HEAD,
    SNW_AVATAR_CHEST,
    SNW_AVATAR_LEFT_HAND,
    SNW_AVATAR_RIGHT_HAND,
    SNW_AVATAR_WAIST,
    SNW_AVATAR_LEFT_FOOT,
    SNW_AVATAR_RIGHT_FOOT,
    SNW_AVATAR_ROLE_COUNT
} snw_avatar_role;

/* "left_hand"; never NULL. */
SNW_API const char *snw_avatar_role_name(snw_avatar_role role);
/* The role that a tracker's label means ("left_hand", "Human3:LHAN", "HMD", "RightWrist", ...), or
 * SNW_AVATAR_ROLE_COUNT. */
SNW_API snw_avatar_role snw_avatar_role_from_label(const char *label);

/* All trackers at one instant; those that are not present do not count. */
typedef struct snw_avatar_frame {
    double time; /* seconds */
    bool is_present[SNW_AVATAR_ROLE_COUNT];
    snw_xform world_from_tracker[SNW_AVATAR_ROLE_COUNT]; /* metres */
    bool has_shoulder[2]; /* left, right: the capture shows where the shoulder joint is */
    snw_vec3 shoulder[2]; /* metres; without it a shoulder rides on the chest */
} snw_avatar_frame;

/* Trackers over time, and the elbows where a calibration capture has them. */
typedef struct snw_avatar_capture {
    int frame_count;
    double rate;
    snw_vec3 up;             /* unit: against gravity */
    snw_avatar_frame *frame; /* (frame_count) */
    snw_vec3 *elbow;         /* (frame_count x 2) left, right; not finite where unknown; or NULL */
    bool is_at_joint[SNW_AVATAR_ROLE_COUNT]; /* the tracker's origin is the joint: three points, as
                                                programs write frames of bones */
    bool is_chest_upright; /* the chest's axes are the body's: it is made of its bone's ends */
    snw_allocator allocator;
    size_t block_size;
} snw_avatar_capture;

/* From rotations with a known label (C3D ROTATION, CSV with quaternions), else from three points
 * each: NAME, NAMEY and NAMEZ, where the frame's origin (taken to be the joint) and points on its y
 * and z axes are; coordinates that ran over the 16 bits of an integer file are brought back. Up as
 * the trial says, else the lab axis along which the head is highest above the hands. What had to be
 * repaired or looks wrong is noted: quaternions that are not unit, hands exchanged, trackers that
 * freeze, jump or drift from the chest, a unit that cannot be right. */
SNW_API snw_status snw_avatar_capture_from_trial(const snw_trial *trial,
                                                 const snw_allocator *allocator,
                                                 snw_avatar_capture **out, snw_notes *notes,
                                                 snw_error *error);
SNW_API void snw_avatar_capture_destroy(snw_avatar_capture *capture);

/* ---- who moves ---------------------------------------------------------------------------- */

#define SNW_AVATAR_SWIVEL_INPUTS   9
#define SNW_AVATAR_SWIVEL_FEATURES 96
#define SNW_AVATAR_SWIVEL_ROWS     (SNW_AVATAR_SWIVEL_FEATURES + SNW_AVATAR_SWIVEL_INPUTS + 1)

/* A person with trackers on. Lengths in metres, body axes. Start from a calibration or from
 * snw_avatar_profile_default(). */
typedef struct snw_avatar_profile {
    bool has_tracker[SNW_AVATAR_ROLE_COUNT];
    snw_xform tracker_from_bone[SNW_AVATAR_ROLE_COUNT];
    snw_vec3 shoulder[2];       /* left, right, from the chest joint, in its frame */
    double upper_arm[2];        /* shoulder to elbow */
    double forearm[2];          /* elbow to wrist */
    snw_vec3 neck;              /* base of the neck from the chest joint */
    double neck_length;         /* base of the neck to the head joint */
    double spine[2];            /* pelvis to spine joint, spine to chest joint */
    double hip_width;           /* between the hip joints */
    double thigh, shank, ankle; /* ankle: height of the ankle joint above the sole */
    double chest_height;        /* of the chest joint above the floor, standing */
    double elevation[2];        /* elbow = slope * hand + intercept (degrees): hand-elevation */
    double elevation_sign;      /* +1, or -1 for a tracker whose hand points the other way */
    /* What calibration with elbows adds to the built-in regression of `auto`; zero = nothing. */
    float swivel[SNW_AVATAR_SWIVEL_ROWS][3]; /* of a left arm; the right one is mirrored */
} snw_avatar_profile;

/* A person of that stature (metres) by the proportions behind snw_avatar_calibrate, trackers in
 * their usual places. */
SNW_API snw_avatar_profile snw_avatar_profile_default(double stature);

typedef struct snw_avatar_calibration {
    double rest_seconds;     /* 1: of T-pose at the start */
    bool is_from_rest_alone; /* false: the rest of the capture refines the arm's length */
} snw_avatar_calibration;

SNW_API snw_avatar_calibration snw_avatar_calibration_default(void);

/* Offsets and lengths from the T-pose at the start (arms straight to the sides, palms down), the
 * arms' reach from the motion after it. SNW_DEGENERATE where that start is no T-pose. A capture of
 * bones' frames (is_at_joint) that also has shoulders and elbows needs no T-pose: such frames are
 * parallel to the body's axes in it whatever the person does, and the rest is measured in the first
 * second; the elbows are not looked at after that. */
SNW_API snw_status snw_avatar_calibrate(const snw_avatar_capture *capture,
                                        const snw_avatar_calibration *options,
                                        snw_avatar_profile *profile, snw_notes *notes,
                                        snw_error *error);
/* Improves a profile by a capture of the same person and trackers whose elbows are known: shoulder
 * and wrist as centres of spheres, bone lengths, hand-elevation, and what this person does
 * otherwise than the built-in prior. */
SNW_API snw_status snw_avatar_learn(snw_avatar_profile *profile, const snw_avatar_capture *capture,
                                    snw_notes *notes, snw_error *error);

/* A person with trackers on as an actor and back, to keep it (snw_actor_print): the skeleton, each
 * tracker a marker on its bone. SNW_FORMAT when the actor is no such person. */
SNW_API snw_status snw_avatar_profile_to_actor(const snw_avatar_profile *profile,
                                               const snw_allocator *allocator, snw_actor **out,
                                               snw_error *error);
SNW_API snw_status snw_avatar_profile_from_actor(const snw_actor *actor,
                                                 snw_avatar_profile *profile, snw_error *error);

/* ---- where the elbow is ------------------------------------------------------------------- */

#define SNW_AVATAR_METHOD_MAP(X)                                                            \
    X(AUTO, "auto", "smooth regression on the hand's pose in the chest's frame")            \
    X(ELIMINATE_DOF, "eliminate-dof", "the hand's plane cuts the elbow circle (Casanueva)") \
    X(HAND_ELEVATION, "hand-elevation", "linear in the hand's elevation (Casanueva)")       \
    X(STATE_SPACE, "state-space", "table over hand place and direction (Casanueva)")        \
    X(PALM_TO_HEAD, "palm-to-head", "the palm can reach the head (Kim & Rosen 2012)")       \
    X(POLE, "pole", "the elbow points down and back")

typedef enum snw_avatar_method {
#define SNW_AVATAR_METHOD_ENUM(name, word, text) SNW_AVATAR_##name,
    SNW_AVATAR_METHOD_MAP(SNW_AVATAR_METHOD_ENUM)
#undef SNW_AVATAR_METHOD_ENUM
    SNW_AVATAR_METHOD_COUNT
} snw_avatar_method;

/* "auto" and one line about it; never NULL. */
SNW_API const char *snw_avatar_method_name(snw_avatar_method method);
SNW_API const char *snw_avatar_method_text(snw_avatar_method method);
/* -1 when there is no such method. */
SNW_API int snw_avatar_method_find(const char *name);

/* Where the elbow can be, and the zero of its elevation (Casanueva 4.3.3): `level` points outward
 * and `rise` up across the line from shoulder to wrist; elbow(E) = centre + radius (cos E level +
 * sin E rise). E = 0 is level outward, -90 degrees lowest. */
typedef struct snw_elbow_circle {
    snw_vec3 center;
    double radius;
    snw_vec3 axis;  /* unit, from shoulder to wrist */
    snw_vec3 level; /* unit */
    snw_vec3 rise;  /* unit */
    snw_meet meet;  /* APART: straight, the wrist is out of reach; NESTED: folded */
} snw_elbow_circle;

/* `up` and `outward` (away from the body's middle) settle level and rise; where up runs along the
 * arm, `outward` alone does. */
SNW_API snw_elbow_circle snw_elbow_circle_make(snw_sphere upper, snw_sphere lower, snw_vec3 up,
                                               snw_vec3 outward);
SNW_API snw_vec3 snw_elbow_at(const snw_elbow_circle *circle, double elevation);
/* The inverse: elevation in (-pi, pi] of the circle's point nearest to `point`. */
SNW_API double snw_elbow_elevation(const snw_elbow_circle *circle, snw_vec3 point);
/* The angle nearest to `elevation` inside middle +- half. */
SNW_API double snw_elbow_arc_clamp(double elevation, double middle, double half);

/* Octrees over the hand's place and direction in the chest's frame with the mean elbow in each cell
 * (Casanueva 5.3.3): 2^8 cells a side, then 2^6; a cell with fewer than 12 hits does not count and
 * the nearest one that does answers instead. */
typedef struct snw_state_space snw_state_space;
SNW_API snw_status snw_state_space_create(const snw_avatar_profile *profile,
                                          const snw_avatar_capture *capture,
                                          const snw_allocator *allocator, snw_state_space **out,
                                          snw_error *error);
SNW_API void snw_state_space_destroy(snw_state_space *space);
/* Cells that have enough hits, both arms. */
SNW_API int snw_state_space_cell_count(const snw_state_space *space);
/* As text and back. *size is what was written or would be, without the end of the text;
 * SNW_TOO_LARGE when `capacity` is too small. */
SNW_API snw_status snw_state_space_print(const snw_state_space *space, char *text, size_t capacity,
                                         size_t *size, snw_error *error);
SNW_API snw_status snw_state_space_parse(const char *text, size_t size,
                                         const snw_allocator *allocator, snw_state_space **out,
                                         snw_error *error);

/* ---- shake -------------------------------------------------------------------------------- */

typedef enum snw_shake_filter {
    SNW_SHAKE_NONE,
    SNW_SHAKE_ONE_EURO, /* Casiez, Roussel & Vogel 2012: lag 1 / (2 pi cutoff), cutoff rises with
                           speed */
    SNW_SHAKE_KALMAN    /* constant velocity, steady gain: no lag at constant speed */
} snw_shake_filter;

/* ---- frames in, poses out ----------------------------------------------------------------- */

typedef struct snw_avatar_options {
    snw_avatar_method method;           /* AUTO */
    const snw_state_space *state_space; /* needed by STATE_SPACE; must outlive the avatar */
    double arc_middle, arc_half; /* -60 and 120 degrees, in radians: the elbow arc of AUTO and
                                    the methods of the literature */
    double swivel_speed;         /* 2.2: the elbow may move so many times as far as its hand
                                    in a frame, besides 0.2 m/s of its own; 0 = no bound */
    snw_shake_filter shake;      /* NONE */
    double shake_cutoff;         /* 3 Hz, of one-euro at rest */
    bool has_legs;               /* true */
    snw_vec3 up;                 /* +y: the lab's */
    double floor;                /* 0: height of the floor along up */
    uint64_t reserved[4];        /* 0; later versions grow here */
} snw_avatar_options;

SNW_API snw_avatar_options snw_avatar_options_default(void);

typedef struct snw_avatar_report {
    bool is_chest_inferred;
    bool is_hand_lost[2];    /* no tracker, frozen or not finite: the arm keeps its pose */
    bool is_out_of_reach[2]; /* the arm is straight and the wrist stays short of its tracker */
    double elevation[2];     /* of the elbows, radians */
    double elbow_jump[2];    /* metres the elbow moved in this frame */
} snw_avatar_report;

typedef struct snw_avatar snw_avatar;

/* `options` NULL = defaults, `allocator` NULL = malloc. */
SNW_API snw_status snw_avatar_create(const snw_avatar_profile *profile,
                                     const snw_avatar_options *options,
                                     const snw_allocator *allocator, snw_avatar **out,
                                     snw_error *error);
SNW_API void snw_avatar_destroy(snw_avatar *avatar);
/* The body its poses are of; lives as long as the avatar. */
SNW_API const snw_skeleton *snw_avatar_skeleton(const snw_avatar *avatar);
/* Never allocates; never writes what is not finite. `pose` is one of snw_avatar_skeleton(), with
 * world filled on return; `report` may be NULL. Trackers that are missing or not finite keep their
 * last pose, which the report says. */
SNW_API void snw_avatar_step(snw_avatar *avatar, const snw_avatar_frame *frame, snw_pose *pose,
                             snw_avatar_report *report);
/* Forgets what came before. */
SNW_API void snw_avatar_reset(snw_avatar *avatar);
/* The same step over a whole capture. */
SNW_API snw_status snw_avatar_solve(snw_avatar *avatar, const snw_avatar_capture *capture,
                                    const snw_allocator *allocator, snw_motion **out,
                                    snw_error *error);

/* ---- what trackers leave open ------------------------------------------------------------- */

/* What is left for the joint that no tracker sits on, in a chain of 1 to 4 links whose first (and
 * from three links on also last) link carries a tracker: Casanueva's Table 4.1. */
typedef enum snw_reach_shape {
    SNW_REACH_POINT,
    SNW_REACH_TWO_POINTS,
    SNW_REACH_CIRCLE,
    SNW_REACH_SPHERE,
    SNW_REACH_TOO_LARGE /* five links and more: no useful set */
} snw_reach_shape;

typedef struct snw_reach_set {
    snw_reach_shape shape;
    snw_reach_shape special; /* in special positions; the same as shape if there are none */
    bool is_roll_free[3]; /* of the links after the first, as far as there are: both ends twist */
    int link_count;
} snw_reach_set;

/* Joints between the links as words of letters (T twist, F flexion, S spherical, as for
 * snw_link_def): link_count - 1 of them. */
SNW_API snw_status snw_reach_analyse(const char *const *joints, int link_count, snw_reach_set *set,
                                     snw_error *error);
/* "two points" */
SNW_API const char *snw_reach_shape_name(snw_reach_shape shape);

#ifdef __cplusplus
}
#endif
#endif
