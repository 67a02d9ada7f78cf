/* sinew/dynamics.h - inverse dynamics: the forces and moments in the joints of the legs, from the
 * gait model's segments, the person's mass and force plates.
 *
 *     snw_kinetics *kinetics = NULL;
 *     snw_gait_model_make(trial, still, NULL, &model, &notes, &error);
 *     snw_kinetics_measure(trial, &model, NULL, NULL, &kinetics, &error);
 *     int knee = snw_kinetics_find(kinetics, "left_knee_moment_extension"); // N m/kg, internal
 *
 * Newton and Euler from the foot upwards (Winter 2009, chapter 5). Where a foot stands and no plate
 * carries it alone and whole, nothing is told. Metres, newtons, kilograms, watts; lab axes. Results
 * are constant once made; any thread may read them.
 */
#ifndef SINEW_DYNAMICS_H
#define SINEW_DYNAMICS_H

#include <sinew/force.h>
#include <sinew/gait.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one segment ---------------------------------------------------------------------------- */

/* A rigid segment at an instant. */
typedef struct snw_moving_segment {
    double mass;
    double inertia[3]; /* kg m^2 about the centre, about the axes of `rotation` */
    snw_quat rotation; /* world_from_segment */
    snw_vec3 center;   /* of mass */
    snw_vec3 acceleration;
    snw_vec3 spin, spin_rate; /* angular velocity and acceleration, lab axes */
} snw_moving_segment;

/* A force and a moment on a segment at a point. */
typedef struct snw_load {
    snw_vec3 point, force, moment;
} snw_load;

/* The load at `joint` that, with the others and gravity, moves the segment so. */
SNW_API snw_load snw_segment_balance(const snw_moving_segment *segment, const snw_load *loads,
                                     int count, snw_vec3 gravity, snw_vec3 joint);

/* ---- both legs of a walk -------------------------------------------------------------------- */

typedef struct snw_kinetics_options {
    double mass;          /* kg; 0: the model's subject's */
    double cutoff;        /* Hz of the low pass over markers and forces alike; 10 */
    snw_people people;    /* whose shares of mass; ADULTS */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_kinetics_options;

SNW_API snw_kinetics_options snw_kinetics_options_default(void);

/* One load of a plate. */
typedef struct snw_plate_contact {
    int plate;       /* from 0 */
    snw_side side;   /* of the foot; NONE: none is near, or both */
    int first, last; /* frames */
    bool is_whole;   /* one foot alone, all of it: used */
    const char *why; /* not, else ""; lives as long as the program */
} snw_plate_contact;

#define SNW_CONTACTS_MAX 64

typedef struct snw_kinetics {
    int frame_count;
    double rate, mass, cutoff;
    int contact_count;
    snw_plate_contact contact[SNW_CONTACTS_MAX];
    double residual;    /* newtons, rms: what the plates and the moving masses differ by in frames
                           where both feet are known; NaN: none, or no shoulders are seen */
    snw_angles columns; /* moments N m/kg, powers W/kg, forces in joints and from the floor N/kg,
                           place of the centre of mass in metres: all is_length, so that cycles are
                           means as they are */
    snw_allocator allocator;
    size_t block_size;
} snw_kinetics;

/* SNW_NOT_FOUND without plates, SNW_INVALID_ARGUMENT where nobody says the mass, SNW_DEGENERATE
 * where no foot is ever alone and whole on a plate. */
SNW_API snw_status snw_kinetics_measure(const snw_trial *trial, const snw_gait_model *model,
                                        const snw_kinetics_options *options,
                                        const snw_allocator *allocator, snw_kinetics **out,
                                        snw_error *error);
SNW_API void snw_kinetics_destroy(snw_kinetics *kinetics);
/* Index of a column, or -1. */
SNW_API int snw_kinetics_find(const snw_kinetics *kinetics, const char *name);

#ifdef __cplusplus
}
#endif
#endif
