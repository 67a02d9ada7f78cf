/* sinew/synth.h - captures with known truth: a body moves, markers ride on it, cameras look.
 *
 *     snw_skeleton *body = NULL;
 *     snw_synth *synth = NULL;
 *     snw_synth_options options = snw_synth_options_default();
 *     options.motion = SNW_SYNTH_WALK;
 *     options.camera_count = 8;
 *     snw_preset_create("humanoid", NULL, &body, NULL);
 *     if (snw_synth_create(body, NULL, &options, NULL, &synth, &error) == SNW_OK)
 *         snw_write_trial_file("walk.c3d", false, synth->capture, NULL, &error);
 *
 * The capture is what a laboratory would have recorded; the truth beside it is where every marker,
 * joint and bone really was. The same options give the same bits. Every random number has a place
 * of its own (seed, purpose, marker, frame), so one more camera, marker or gap leaves the noise of
 * all other samples as it was. A synth belongs to one thread while it is changed.
 */
#ifndef SINEW_SYNTH_H
#define SINEW_SYNTH_H

#include <sinew/body.h>
#include <sinew/inertial.h>
#include <sinew/person.h>
#include <sinew/trial.h>
#include <sinew/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- motions ------------------------------------------------------------------------------ */

typedef enum snw_synth_motion_kind {
    SNW_SYNTH_WALK,     /* humanoid: feet planted heel to toe, arms opposite, round a circle */
    SNW_SYNTH_RUN,      /* humanoid: with flight, elbows bent */
    SNW_SYNTH_DANCE,    /* humanoid: side steps, swaying hips, waving arms */
    SNW_SYNTH_BOXING,   /* humanoid: guard, jabs, crosses and hooks, a bouncing stance */
    SNW_SYNTH_REACH,    /* humanoid: feet planted, hands in turn to random targets */
    SNW_SYNTH_RANGE,    /* any body: every joint through its range, root to tips */
    SNW_SYNTH_GESTURES, /* hand25: fist, spread, point, count, pinch, wave */
    SNW_SYNTH_MOTION_COUNT
} snw_synth_motion_kind;

/* "walk", "run", "dance", "boxing", "reach", "range", "gestures"; NULL outside the list. */
SNW_API const char *snw_synth_motion_name(snw_synth_motion_kind kind);
/* One line about it; NULL outside the list. */
SNW_API const char *snw_synth_motion_text(snw_synth_motion_kind kind);
/* -1 when there is none of that name. */
SNW_API int snw_synth_motion_find(const char *name);

/* ---- options ------------------------------------------------------------------------------ */

typedef enum snw_synth_placement {
    SNW_SYNTH_ANATOMICAL, /* named landmarks: 41 on the humanoid, 23 on hand25 */
    SNW_SYNTH_RANDOM      /* markers_per_segment on the skin of every segment: "left_knee_1" is on
                             the left shank, the bone that the left knee moves */
} snw_synth_placement;

#define SNW_SYNTH_GAP_ALL    0    /* marker_count of a gap: all of them */
#define SNW_SYNTH_ANY_FRAME  (-1) /* first_frame of a gap: anywhere the whole gap fits */
#define SNW_SYNTH_CAMERA_MAX 64
#define SNW_SYNTH_FRAME_MAX  10000000

/* A gap made on purpose: the markers are missing, without a ray, in frame_count frames. */
typedef struct snw_synth_gap {
    char target[64];  /* a marker, else a joint (the markers of its segment), else a segment:
                         left_arm,  right_arm, left_leg, right_leg, trunk, head, body */
    int marker_count; /* so many of them, chosen by the seed; or SNW_SYNTH_GAP_ALL */
    int first_frame;  /* from 0, or SNW_SYNTH_ANY_FRAME */
    int frame_count;  /* at least 1 */
} snw_synth_gap;

/* TARGET[/N|/all]@FIRST+COUNT with FIRST from 1, as programs show frames, or "any":
 * "LKNE@100+50", "left_knee/2@any+60", "left_arm/all@300+30". */
SNW_API snw_status snw_synth_gap_parse(const char *text, snw_synth_gap *gap, snw_error *error);

/* What a hand does in the motion "gestures". */
typedef enum snw_synth_gesture {
    SNW_SYNTH_GESTURE_ALL, /* fist, spread, point, two, three, pinch, thumb up, ball, then at random
                            */
    SNW_SYNTH_GESTURE_OPEN_CLOSE,
    SNW_SYNTH_GESTURE_COUNTING,
    SNW_SYNTH_GESTURE_PINCH,
    SNW_SYNTH_GESTURE_WAVE,
    SNW_SYNTH_GESTURE_FIST,
    SNW_SYNTH_GESTURE_LETTERS, /* A, B, C, L, V, W, Y of finger spelling */
    SNW_SYNTH_GESTURE_COUNT
} snw_synth_gesture;

/* "open-close"; never NULL. */
SNW_API const char *snw_synth_gesture_name(snw_synth_gesture gesture);

/* Start from snw_synth_options_default(). */
typedef struct snw_synth_options {
    snw_synth_motion_kind motion; /* WALK */
    double seconds;               /* 10 */
    double rate;                  /* 120 frames per second */
    double path_radius; /* 4 m: of the circle that walk (1.5 m at least) and run (4 m at least)
                           follow; INFINITY = straight on */

    snw_synth_placement placement; /* ANATOMICAL */
    int markers_per_segment;       /* 4, for RANDOM */
    double noise;  /* 0.0003 m: standard deviation of each coordinate of a marker that two cameras
                      see; n cameras divide it by sqrt(n / 2) */
    double wobble; /* 0.002 m: root mean square distance of a marker from its place on the bone */

    int camera_count;       /* 0: all markers are seen, in every frame; at most 64 */
    double camera_distance; /* 2.5 m: of the ring beyond the farthest joint from its middle */
    double camera_height;   /* 2.2 m above the floor */
    double field_of_view;   /* 1.2 rad, across the square image */

    int gap_count;
    const snw_synth_gap *gap; /* (gap_count) */

    snw_up_axis up; /* Y or Z: of the lab. Bodies are built and motions are read with up +Y */
    uint64_t seed;  /* 1 */
    snw_synth_gesture gesture; /* ALL: of the motion GESTURES */
    uint64_t reserved[4];      /* 0; later versions grow here */
} snw_synth_options;

SNW_API snw_synth_options snw_synth_options_default(void);

/* ---- the result --------------------------------------------------------------------------- */

typedef struct snw_synth_marker {
    char name[64];
    int joint;      /* whose segment it rides on */
    snw_vec3 place; /* in the joint's frame */
} snw_synth_marker;

/* Looks along +z of its frame, +x to the right, +y down, as images are. */
typedef struct snw_synth_camera {
    snw_xform world_from_camera;
    double field_of_view; /* radians, across the square image */
} snw_synth_camera;

/* All points nearer than `radius` to the line from a to b. */
typedef struct snw_capsule {
    snw_vec3 a, b;
    double radius;
} snw_capsule;

/* A piece of the body that hides markers, in its joint's frame. */
typedef struct snw_synth_segment {
    int joint;
    snw_capsule capsule;
} snw_synth_segment;

/* What one camera alone knows: the marker is on this half line, give or take the noise. */
typedef struct snw_synth_ray {
    int frame; /* from 0 */
    int marker;
    int camera;
    snw_vec3 origin;
    snw_vec3 direction; /* unit */
} snw_synth_ray;

typedef struct snw_synth {
    snw_trial *capture; /* noise, gaps, residuals, cameras 0..6 in the mask, foot strikes and foot
                           offs as events where the motion has them */
    snw_trial *marker_truth; /* the same markers, complete, with wobble, without noise */
    snw_trial *joint_truth;  /* joint centres, named as the joints */
    snw_motion *motion; /* in the lab's axes; of the caller's skeleton, which must outlive it */
    int marker_count;
    int camera_count;
    int segment_count;
    int ray_count;
    snw_synth_marker *marker;   /* (marker_count) */
    snw_synth_camera *camera;   /* (camera_count) in the lab's axes */
    snw_synth_segment *segment; /* (segment_count) */
    uint64_t *seen;     /* (frame_count x marker_count) bit c: camera c saw the marker; before
                           the gaps of the options */
    snw_synth_ray *ray; /* (ray_count) by frame, then marker */
    snw_allocator allocator;
    size_t block_size; /* of marker, camera, segment and seen, which share this object's block */
} snw_synth;

/* `source` is a motion of `skeleton` to capture instead of a built-in one (motion, seconds, rate
 * and path_radius then do not count), or NULL. */
SNW_API snw_status snw_synth_create(const snw_skeleton *skeleton, const snw_motion *source,
                                    const snw_synth_options *options,
                                    const snw_allocator *allocator, snw_synth **out,
                                    snw_error *error);
SNW_API void snw_synth_destroy(snw_synth *synth);

/* A capture as cameras alone would have left it: every trajectory ends where its marker vanishes
 * and comes back as another one; they are called "*1", "*2", ... in an order that the seed chooses.
 */
SNW_API snw_status snw_synth_unlabel(const snw_trial *trial, uint64_t seed,
                                     const snw_allocator *allocator, snw_trial **out,
                                     snw_error *error);

/* A built-in motion alone, up +Y, floor at y = 0: motion, seconds, rate, path_radius and seed
 * count. */
SNW_API snw_status snw_synth_motion_create(const snw_skeleton *skeleton,
                                           const snw_synth_options *options,
                                           const snw_allocator *allocator, snw_motion **out,
                                           snw_error *error);

/* ---- views -------------------------------------------------------------------------------- */

#define SNW_SYNTH_PIXEL_NOISE 0.3 /* pixels: what good marker cameras do */
#define SNW_SYNTH_NOBODY      (-1)

/* Start from snw_synth_view_options_default(). */
typedef struct snw_synth_view_options {
    bool of_joints; /* false: centroids of markers, views of one point; true: the joints of one
                       person as keypoints */
    double width;   /* 2048 pixels: of the square pictures */
    double noise;   /* 0.3 pixels: standard deviation of a coordinate */
    double bend;    /* 0: k1 of the lenses */
    double marker_radius; /* 0.007 m: centroids that touch are one, in their middle; 0: never */
    double lost_share;    /* 0: of what is seen, at random */
    double false_count;   /* 0: centroids of nothing in a picture, on average */
    double delay;         /* 0 frames: all clocks but the first camera's are off by up to so much */
    double drift;         /* 0: and run too fast or slow by up to this share */
    int knocked;          /* -1: none; a camera that was turned by `knock` about itself after the
                             calibration */
    double knock;         /* 0 radians */
    uint64_t seed;        /* 1 */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_synth_view_options;

SNW_API snw_synth_view_options snw_synth_view_options_default(void);

typedef struct snw_synth_views {
    snw_views *views;
    snw_cameras *calibration; /* what is believed */
    snw_cameras *cameras;     /* how they stand and see */
    int detection_count;
    int *marker;   /* (detection_count) whose centroid it is, or SNW_SYNTH_NOBODY; keypoints: 0 */
    int *merged;   /* (detection_count) the other one that it is too, or SNW_SYNTH_NOBODY */
    double *delay; /* (camera_count) seconds: a picture of frame f is of time f / rate (1 + drift) +
                      delay */
    double *drift; /* (camera_count) */
    snw_allocator allocator;
    size_t block_size;
} snw_synth_views;

/* What the cameras of a synthetic capture report. Its own gaps do not count: they are of the
 * capture, not of the views. SNW_INVALID_ARGUMENT without cameras. The synth must outlive it: names
 * of points are those of its body. */
SNW_API snw_status snw_synth_views_create(const snw_synth *synth,
                                          const snw_synth_view_options *options,
                                          const snw_allocator *allocator, snw_synth_views **out,
                                          snw_error *error);
SNW_API void snw_synth_views_destroy(snw_synth_views *views);

/* ---- trackers ----------------------------------------------------------------------------- */

/* Start from snw_synth_tracker_options_default(). */
typedef struct snw_synth_tracker_options {
    int tracker_count;    /* 4: head, hands, chest; 3 leaves out the chest, 6 adds the feet, 7 the
                             waist */
    bool has_elbows;      /* false: left_elbow and right_elbow as points, to calibrate with */
    double rest_seconds;  /* 1: of rest pose before the motion */
    double noise;         /* 0.0005 m: standard deviation of each coordinate */
    uint64_t seed;        /* 1 */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_synth_tracker_options;

SNW_API snw_synth_tracker_options snw_synth_tracker_options_default(void);
/* What 6-DoF trackers on a moving body would report: rotations and markers of the same names, in
 * metres. The body's joints are known by the names of the presets or of common BVH files. */
SNW_API snw_status snw_synth_trackers(const snw_motion *motion,
                                      const snw_synth_tracker_options *options,
                                      const snw_allocator *allocator, snw_trial **out,
                                      snw_error *error);

/* ---- inertial sensors --------------------------------------------------------------------- */

/* Start from snw_synth_sensor_options_default(). */
typedef struct snw_synth_sensor_options {
    double rest_seconds;       /* 2: in the body's rest pose, before it goes over into the motion in
                                  one more second */
    double gyro_noise;         /* 0.003 rad/s: of a sample */
    double gyro_bias;          /* 0.003 rad/s: standard deviation of an axis, constant */
    double acceleration_noise; /* 0.05 m/s2 */
    double acceleration_bias;  /* 0.05 m/s2 */
    double magnetic_trouble;   /* 0.3 rad: how far north is off, standard deviation over the room */
    uint64_t seed;             /* 1 */
    uint64_t reserved[4];      /* 0; later versions grow here */
} snw_synth_sensor_options;

SNW_API snw_synth_sensor_options snw_synth_sensor_options_default(void);
/* What 17 inertial sensors on a person (15 without collar bones; those whose segments the body has)
 * say, strapped on somehow: turns by their own filter (Mahony, Hamel & Pflimlin 2008), in a world
 * whose z is up and whose north is a different one in every place, and accelerations. The truth is
 * the motion, with the rest before it, in *whole (NULL: not wanted), in the same world. */
SNW_API snw_status snw_synth_sensors(const snw_motion *motion,
                                     const snw_synth_sensor_options *options,
                                     const snw_allocator *allocator, snw_inertial **out,
                                     snw_motion **whole, snw_error *error);

/* ---- hands -------------------------------------------------------------------------------- */

/* Start from snw_synth_hand_options_default(). */
typedef struct snw_synth_hand_options {
    snw_side side;            /* RIGHT; a left hand is the right one in the mirror */
    double noise;             /* 0.0005 m: standard deviation of each coordinate */
    uint64_t seed;            /* 1 */
    const snw_synth_gap *gap; /* (gap_count) of the eight markers, or of joints of the hand25 */
    int gap_count;            /* 0 */
    uint64_t reserved[2];     /* 0; later versions grow here */
} snw_synth_hand_options;

SNW_API snw_synth_hand_options snw_synth_hand_options_default(void);

/* Eight markers on a hand that moves (a motion of the preset "hand25"), as `sinew hand` wants them:
 * SIDE_wrist, SIDE_back_index and SIDE_back_little 8 mm over the back at 0.8 of the way to the
 * knuckles, five SIDE_FINGER_tip; and the truth: all 25 joints, "true_" before their names.
 * `joints` may be NULL. */
SNW_API snw_status snw_synth_hand(const snw_motion *motion, const snw_synth_hand_options *options,
                                  const snw_allocator *allocator, snw_trial **markers,
                                  snw_trial **joints, snw_error *error);

/* ---- what a camera sees ------------------------------------------------------------------- */

/* Inside the image; what is in between does not count. */
SNW_API bool snw_synth_camera_covers(const snw_synth_camera *camera, snw_vec3 point);
/* Does the straight way between two points go through the capsule? Not when `to` itself lies in
 * it: a marker sits on skin, which gives way. */
SNW_API bool snw_capsule_hides(const snw_capsule *capsule, snw_vec3 from, snw_vec3 to);
/* Smallest distance between the segments a0-a1 and b0-b1. */
SNW_API double snw_segment_distance(snw_vec3 a0, snw_vec3 a1, snw_vec3 b0, snw_vec3 b1);

#ifdef __cplusplus
}
#endif
#endif
