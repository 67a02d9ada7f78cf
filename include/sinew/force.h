/* sinew/force.h - force plates: what stands in a C3D file about them, and the force under a foot.
 *
 *     snw_force_plate plate;
 *     for (int p = 0; p < snw_force_plate_count(trial); p++)
 *         if (snw_force_plate_read(trial, p, &plate, &notes, &error) == SNW_OK) {
 *             snw_wrench w = snw_force_plate_wrench(&plate, trial, 120, 0);
 *             if (w.has_center) use(w.center, w.force); // metres, newtons, lab axes
 *         }
 *
 * Ground reaction: the force of the plate on the foot, so upwards while somebody stands on it.
 * Plain data, any thread, no allocation.
 */
#ifndef SINEW_FORCE_H
#define SINEW_FORCE_H

#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNW_PLATE_CHANNELS_MAX 8

typedef struct snw_force_plate {
    int type; /* of C3D: 1 force and centre of pressure; 2 force and moment; 3 eight Kistler
                 channels; 4 as 2 with a calibration matrix */
    int channel_count;
    int channel[SNW_PLATE_CHANNELS_MAX]; /* analog channels of the trial, from 0 */
    double calibration[6][6];            /* row: output, column: channel; type 4 */
    snw_vec3 corner[4];                  /* metres, lab */
    snw_vec3 origin;            /* metres, plate's axes; types 2, 4: from the sensors' origin to the
                                   middle of the surface; 3: sensor distances a, b and depth */
    snw_xform world_from_plate; /* middle of the surface; z downwards, as C3D's corners have it */
    double metres_per_length;   /* of the moments' and positions' unit of length: 0.001 */
    snw_vec3 zero_force, zero_moment; /* taken from the raw ones; 0 unless snw_force_plate_zero */
} snw_force_plate;

typedef struct snw_wrench {
    snw_vec3 force;       /* newtons */
    snw_vec3 moment;      /* newton metres, about the middle of the surface */
    bool has_center;      /* the plate carries more than SNW_PLATE_LOAD_MIN */
    snw_vec3 center;      /* of pressure, metres, on the surface */
    snw_vec3 free_moment; /* newton metres, about the plate's normal through the centre */
} snw_wrench;

/* Below this vertical force a centre of pressure is noise divided by noise, newtons. */
#define SNW_PLATE_LOAD_MIN 10.0

SNW_API int snw_force_plate_count(const snw_trial *trial);
/* SNW_NOT_FOUND without such a plate, SNW_FORMAT where its parameters do not fit together,
 * SNW_UNSUPPORTED for types other than 1 to 4. */
SNW_API snw_status snw_force_plate_read(const snw_trial *trial, int index, snw_force_plate *out,
                                        snw_notes *notes, snw_error *error);
/* Takes the mean of frames FORCE_PLATFORM:ZERO away, as the format provides and most readers do
 * not; nothing where the file names none. Returns how many frames. */
SNW_API int snw_force_plate_zero(snw_force_plate *plate, const snw_trial *trial);
/* One analog sample: sub_frame 0..analog_per_frame-1 of a frame. */
SNW_API snw_wrench snw_force_plate_wrench(const snw_force_plate *plate, const snw_trial *trial,
                                          int frame, int sub_frame);

#ifdef __cplusplus
}
#endif
#endif
