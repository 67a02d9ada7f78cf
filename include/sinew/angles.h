/* sinew/angles.h - joint angles that mean something: flexion, abduction, rotation by a named
 * convention, as columns over time.
 *
 *     snw_angles *angles = NULL;
 *     snw_gait_model_make(trial, still, NULL, &model, &notes, &error);
 *     snw_angles_measure(trial, &model, SNW_ANGLES_PIG, NULL, &angles, &error);
 *     int knee = snw_angles_find(angles, "left_knee_flexion");
 *     double bend = snw_angles_at(angles, 120, knee); // radians; NaN where markers are missing
 *
 * Flexion, abduction and internal rotation are positive on both sides; dorsiflexion, inversion,
 * anterior tilt too. docs/angles.md has the axes and sequences of each convention. Angles are
 * constant once made; any thread may read them.
 */
#ifndef SINEW_ANGLES_H
#define SINEW_ANGLES_H

#include <sinew/body.h>
#include <sinew/gait_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(enumerator, name, text). */
#define SNW_ANGLE_CONVENTION_MAP(X)                                                            \
    X(ISB, "isb", "Wu et al. 2002, 2005; Grood and Suntay 1983")                               \
    X(PIG, "pig", "Plug-in-Gait: Davis et al. 1991, Kadaba et al. 1990")                       \
    X(OPENSIM, "opensim", "coordinates of OpenSim's Rajagopal model (knee flexion positive)")  \
    X(GAIT2392, "gait2392", "coordinates of OpenSim's gait2392 model (knee flexion negative)") \
    X(FUNCTIONAL, "functional",                                                                \
      "from the solved person's own axes, zero in a captured pose: read changes, not offsets")

typedef enum snw_angle_convention {
#define SNW_ANGLE_CONVENTION_ENUM(enumerator, name, text) SNW_ANGLES_##enumerator,
    SNW_ANGLE_CONVENTION_MAP(SNW_ANGLE_CONVENTION_ENUM)
#undef SNW_ANGLE_CONVENTION_ENUM
    SNW_ANGLE_CONVENTION_COUNT
} snw_angle_convention;

SNW_API const char *snw_angle_convention_name(snw_angle_convention convention);
SNW_API const char *snw_angle_convention_text(snw_angle_convention convention);
/* -1 when there is no such name. */
SNW_API int snw_angle_convention_find(const char *name);

#define SNW_ANGLE_NAME_SIZE 64

typedef struct snw_angle_column {
    char name[SNW_ANGLE_NAME_SIZE]; /* "left_knee_flexion", "knee_angle_l" */
    bool is_length;                 /* metres (OpenSim's pelvis_tx), else radians */
    bool is_rate;                   /* of one second */
} snw_angle_column;

typedef struct snw_angles {
    snw_angle_convention convention;
    int frame_count;
    double rate; /* frames per second */
    int column_count;
    snw_angle_column *column; /* (column_count) */
    double *value;            /* (frame_count x column_count); NaN: not known in this frame */
    snw_allocator allocator;
    size_t block_size;
} snw_angles;

/* All columns that the trial's markers allow. SNW_INVALID_ARGUMENT for FUNCTIONAL, which needs a
 * solved motion; SNW_DEGENERATE when no joint is determined in any frame. */
SNW_API snw_status snw_angles_measure(const snw_trial *trial, const snw_gait_model *model,
                                      snw_angle_convention convention,
                                      const snw_allocator *allocator, snw_angles **out,
                                      snw_error *error);
/* FUNCTIONAL angles of a solved person: each joint's rotation out of the body's rest pose as a
 * Cardan sequence about the person's own axes (left, forward, up) in that pose. */
SNW_API snw_status snw_angles_from_motion(const snw_motion *motion, const snw_allocator *allocator,
                                          snw_angles **out, snw_error *error);
/* The same columns with their rates behind them ("left_knee_flexion_velocity"), by central
 * differences; at the ends of a gap they are not known. Angles are taken the short way round. */
SNW_API snw_status snw_angles_with_velocity(const snw_angles *angles,
                                            const snw_allocator *allocator, snw_angles **out,
                                            snw_error *error);
SNW_API void snw_angles_destroy(snw_angles *angles);
/* Index of a column, or -1. */
SNW_API int snw_angles_find(const snw_angles *angles, const char *name);

SNW_INLINE double snw_angles_at(const snw_angles *angles, int frame, int column)
{
    return angles->value[(size_t)frame * (size_t)angles->column_count + (size_t)column];
}

/* A copy of the trial with the angles as further points in degrees, three to a point, named and
 * signed as Plug-in-Gait does ("LKneeAngles": flexion, adduction, internal rotation) and listed in
 * POINT:ANGLES. Where the file has such a point already, ours ends in "_sinew". Only for PIG and
 * ISB. */
SNW_API snw_status snw_angles_to_trial(const snw_angles *angles, const snw_trial *trial,
                                       const snw_allocator *allocator, snw_trial **out,
                                       snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
