/* sinew/inertial.h - inertial sensors on a body's segments: which way they are turned, a body's
 * motion from them alone, and together with markers.
 *
 *     snw_inertial *sensors = NULL;
 *     snw_motion *motion = NULL;
 *     if (snw_read_inertial_file("walk.sto", NULL, NULL, &sensors, NULL, &error) == SNW_OK)
 *         snw_inertial_solve(sensors, body, NULL, NULL, &motion, &error);
 *     snw_motion_destroy(motion);
 *     snw_inertial_destroy(sensors);
 *
 * What a sensor's own filter says of its turn is right about what is up and drifts in its heading,
 * with the bias of its gyroscope and wherever iron bends the magnetic field. Headings are put right
 * by what neighbours on the body feel: where two segments meet both must find one acceleration.
 * Radians, metres, m/s2. NULL options, allocator and error are allowed. Any thread.
 */
#ifndef SINEW_INERTIAL_H
#define SINEW_INERTIAL_H

#include <sinew/body.h>
#include <sinew/person.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNW_INERTIAL_MAX 256 /* sensors */

typedef struct snw_inertial {
    int sensor_count, frame_count;
    double rate;            /* frames per second */
    snw_vec3 up;            /* unit, in the sensors' world: (0, 0, 1) */
    bool has_acceleration;  /* false: headings stay as they are */
    char **name;            /* (sensor_count) of the segment: "pelvis_imu", "LeftUpperLeg" */
    snw_quat *turn;         /* (frame_count x sensor_count) world_from_sensor; zero: missing */
    snw_vec3 *acceleration; /* (frame_count x sensor_count) in the sensor's axes, with gravity: at
                               rest 9.81 upwards */
    snw_allocator allocator;
    size_t block_size;
} snw_inertial;

/* All zero but for the names and `up`; at most SNW_INERTIAL_MAX sensors. */
SNW_API snw_status snw_inertial_create(const char *const *names, int sensor_count, int frame_count,
                                       const snw_allocator *allocator, snw_inertial **out,
                                       snw_error *error);
SNW_API void snw_inertial_destroy(snw_inertial *sensors);

/* What a sensor turned out to be like. */
typedef struct snw_inertial_sensor {
    int joint;           /* of the body that it turns; -1: its name says none */
    double heading;      /* radians: that it was put right by, in the middle of the recording */
    double drift;        /* radians: how far its heading went from there */
    double sigma;        /* radians, one standard deviation of what is left, by the accelerations */
    snw_vec3 to_segment; /* rotation vector from the sensor's axes to those of the resting body */
} snw_inertial_sensor;

typedef struct snw_inertial_options {
    double pose_seconds; /* 1: of standing in a pose, to begin with */
    bool has_arms_down;  /* false: it is the body's rest pose (T); true: arms hang, palms inward */
    bool keeps_headings; /* false; true: as the sensors say them */
    const uint8_t *is_seen; /* snw_inertial_fuse: (frame_count x joint_count of the motion) which
                               joints the markers show; NULL: all */
    snw_inertial_sensor *sensor; /* NULL, or (sensor_count) of the caller's */
    snw_notes *notes;            /* NULL; receives what was guessed or left out */
    uint64_t reserved[4];        /* 0; later versions grow here */
} snw_inertial_options;

SNW_API snw_inertial_options snw_inertial_options_default(void);

/* The motion of a body from sensors alone. How each sensor sits on its segment follows from the
 * pose in the beginning; which way the person faced then from the knees, which bend backwards.
 * Joints without a sensor go with their parent, of the spine and neck each takes its share. The
 * body walks on its lower foot. SNW_NOT_FOUND where no name is a segment's, SNW_DEGENERATE where a
 * sensor is missing in the pose. */
SNW_API snw_status snw_inertial_solve(const snw_inertial *sensors, const snw_skeleton *body,
                                      const snw_inertial_options *options,
                                      const snw_allocator *allocator, snw_motion **out,
                                      snw_error *error);

/* A motion by markers or keypoints, with what sensors know of it. options->is_seen says which
 * joints the markers show. Sensors sit as the seen frames show them, so no pose is needed; where
 * markers see, the slow part is theirs and the fast part is weighed; where they do not, the sensor
 * goes on from the last sight to the next one. Frames are those of the motion, from the first; the
 * rates must be the same within a tenth of a percent. */
SNW_API snw_status snw_inertial_fuse(const snw_inertial *sensors, const snw_motion *motion,
                                     const snw_inertial_options *options,
                                     const snw_allocator *allocator, snw_motion **out,
                                     snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
