/* sinew/dynamics.h - inverse dynamics: the forces and moments in the joints of the legs, from the
 * gait model's segments, the person's mass and force plates.
 *
 *     snw_kinetics *kinetics = NULL;
 *     snw_gait_model_make(trial, still, NULL, &model, &notes, &error);
 *     if (snw_kinetics_measure(trial, &model, NULL, NULL, &kinetics, &error) == SNW_OK)
 *         use(snw_kinetics_find(kinetics, "left_knee_moment_extension")); // N m/kg, internal
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

/* Along which axes a moment is told: the distal segment's, the proximal one's, or the joint's own
 * (about the proximal y, the floating axis, the distal z; Grood and Suntay 1983). X(enumerator,
 * name). */
#define SNW_MOMENT_AXES_MAP(X) \
    X(DISTAL, "distal")        \
    X(PROXIMAL, "proximal")    \
    X(JOINT, "joint")

typedef enum snw_moment_axes {
#define SNW_MOMENT_AXES_ENUM(enumerator, name) SNW_MOMENT_##enumerator,
    SNW_MOMENT_AXES_MAP(SNW_MOMENT_AXES_ENUM)
#undef SNW_MOMENT_AXES_ENUM
    SNW_MOMENT_AXES_COUNT
} snw_moment_axes;

SNW_API const char *snw_moment_axes_name(snw_moment_axes axes);
/* -1 when there is no such name. */
SNW_API int snw_moment_axes_find(const char *name);

typedef struct snw_kinetics_options {
    double mass;          /* kg; 0: the model's subject's */
    double cutoff;        /* Hz of the low pass over markers and forces alike; 15 */
    snw_people people;    /* whose shares of mass; ADULTS */
    snw_moment_axes axes; /* of moments; DISTAL. Forces are always in the distal segment's */
    bool is_inertia_pig;  /* radii of gyration about the proximal end taken for those about the
                             centre, as Plug-in-Gait does: thrice the inertia; false */
    bool zeroes_plates;   /* takes off the mean of frames FORCE_PLATFORM:ZERO; false */
    uint64_t reserved[3]; /* 0; later versions grow here */
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
/* A copy of the trial with moments, powers and forces as further points, named and signed as
 * Plug-in-Gait does ("LHipMoment": extension, abduction, external rotation in N mm/kg; "LHipPower":
 * its third number; "LHipForce") and listed in POINT:MOMENTS, POWERS, FORCES. Where the file has
 * such a point already, ours ends in "_sinew". */
SNW_API snw_status snw_kinetics_to_trial(const snw_kinetics *kinetics, const snw_trial *trial,
                                         const snw_allocator *allocator, snw_trial **out,
                                         snw_error *error);
/* What a column of power did over a stride: work[0] where it is positive, work[1] where negative,
 * joules per kilogram. False where the stride is not known throughout. */
SNW_API bool snw_stride_work(const snw_angles *columns, int column, const snw_stride *stride,
                             double work[2]);
/* Index of a column, or -1. */
SNW_API int snw_kinetics_find(const snw_kinetics *kinetics, const char *name);

#ifdef __cplusplus
}
#endif
#endif
