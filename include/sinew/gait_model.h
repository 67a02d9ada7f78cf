/* sinew/gait_model.h - the conventional gait model: joint centres and segment axes of a person as
 * functions of the markers of a frame and of what was measured on the subject.
 *
 *     snw_gait_model model;
 *     snw_gait_pose pose;
 *     snw_gait_model_make(trial, NULL, NULL, &model, &notes, &error); // once
 *     snw_frame frame = snw_trial_frame(trial, 120);
 *     snw_gait_model_pose(&model, &frame, &pose);                     // any frame, no allocation
 *     if (pose.has_center[SNW_GAIT_CENTER_HIP][SNW_SIDE_LEFT])
 *         use(pose.center[SNW_GAIT_CENTER_HIP][SNW_SIDE_LEFT]);
 *
 * It is the model of Davis et al. (1991) and Kadaba et al. (1990) as Plug-in-Gait computes it: the
 * hip by regression from the pelvis, knee and ankle by the chord of half the joint's width, in the
 * plane of a wand. docs/angles.md has every formula. Metres, radians, kilograms; a segment's axes
 * are x forward, y to the left, z up. Plain data, any thread.
 */
#ifndef SINEW_GAIT_MODEL_H
#define SINEW_GAIT_MODEL_H

#include <sinew/person.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what was measured on the subject ------------------------------------------------------- */

/* X(enumerator, Vicon's name without the side, kind, comes twice). Files call the left one
 * "LKneeWidth". */
#define SNW_SUBJECT_MAP(X)                                 \
    X(BODY_MASS, "BodyMass", MASS, 0)                      \
    X(HEIGHT, "Height", LENGTH, 0)                         \
    X(MARKER_DIAMETER, "MarkerDiameter", LENGTH, 0)        \
    X(INTER_ASIS, "InterAsisDistance", LENGTH, 0)          \
    X(LEG_LENGTH, "LegLength", LENGTH, 1)                  \
    X(ASIS_TROCHANTER, "AsisTrocanterDistance", LENGTH, 1) \
    X(KNEE_WIDTH, "KneeWidth", LENGTH, 1)                  \
    X(ANKLE_WIDTH, "AnkleWidth", LENGTH, 1)                \
    X(THIGH_ROTATION, "ThighRotation", ANGLE, 1)           \
    X(SHANK_ROTATION, "ShankRotation", ANGLE, 1)           \
    X(TIBIAL_TORSION, "TibialTorsion", ANGLE, 1)           \
    X(ANKLE_ABDUCTION, "AnkleAbAdd", ANGLE, 1)             \
    X(STATIC_PLANTAR_FLEXION, "StaticPlantFlex", ANGLE, 1) \
    X(STATIC_ROTATION, "StaticRotOff", ANGLE, 1)           \
    X(SOLE_DELTA, "SoleDelta", LENGTH, 1)                  \
    X(SHOULDER_OFFSET, "ShoulderOffset", LENGTH, 1)        \
    X(ELBOW_WIDTH, "ElbowWidth", LENGTH, 1)                \
    X(WRIST_WIDTH, "WristWidth", LENGTH, 1)                \
    X(HAND_THICKNESS, "HandThickness", LENGTH, 1)          \
    X(HEAD_OFFSET, "HeadOffset", ANGLE, 0)

typedef enum snw_subject_parameter {
#define SNW_SUBJECT_ENUM(enumerator, name, kind, is_paired) SNW_SUBJECT_##enumerator,
    SNW_SUBJECT_MAP(SNW_SUBJECT_ENUM)
#undef SNW_SUBJECT_ENUM
    SNW_SUBJECT_PARAMETER_COUNT
} snw_subject_parameter;

/* Where a value comes from, the surest last. */
typedef enum snw_subject_source {
    SNW_SUBJECT_UNKNOWN,     /* the value is 0 */
    SNW_SUBJECT_ASSUMED,     /* published proportions, or 0 for an angle */
    SNW_SUBJECT_ESTIMATED,   /* from the markers of the trial itself */
    SNW_SUBJECT_FROM_FILE,   /* a parameter of the trial's file */
    SNW_SUBJECT_FROM_STATIC, /* the caller's choice, so it wins over what the trial's file kept */
    SNW_SUBJECT_GIVEN        /* by the caller */
} snw_subject_source;

typedef struct snw_subject {
    double value[SNW_SUBJECT_PARAMETER_COUNT][SNW_SIDES];   /* metres, radians, kilograms */
    uint8_t source[SNW_SUBJECT_PARAMETER_COUNT][SNW_SIDES]; /* snw_subject_source */
} snw_subject;

/* "KneeWidth", and "from the file". */
SNW_API const char *snw_subject_parameter_name(snw_subject_parameter parameter);
SNW_API const char *snw_subject_source_name(snw_subject_source source);
SNW_API bool snw_subject_is_paired(snw_subject_parameter parameter);
/* The least and the greatest value that people have, from small children on: metres, radians,
 * kilograms. What lies outside is in another unit or a mistake. */
SNW_API void snw_subject_range(snw_subject_parameter parameter, double range[2]);
/* Takes what the file's parameters say (C3D groups PROCESSING, SUBJECTS, SUBJECT), with `source`.
 * A parameter of 0 says nothing: programs write 0 where nobody measured. Lengths that only another
 * unit explains (centimetres) and angles of a file that keeps degrees are converted, lengths that
 * none explains are left out; notes tell. Returns how many. */
SNW_API int snw_subject_read(snw_subject *subject, const snw_trial *trial,
                             snw_subject_source source, snw_notes *notes);
/* Takes the lengths and the mass of Vicon's subject files, as if the caller gave them: .mp
 * ("$LKneeWidth = 105") and .vsk (<Parameter NAME="LKneeWidth" VALUE="105"/>), millimetres and
 * kilograms. Angles are left out, since the files do not say their unit, and told. Returns how
 * many. */
SNW_API int snw_subject_read_text(snw_subject *subject, const char *text, size_t size,
                                  snw_notes *notes);
/* By Vicon's name, with its side ("LKneeWidth") or without (both), in Vicon's units: millimetres,
 * degrees, kilograms. SNW_NOT_FOUND when there is no such parameter. */
SNW_API snw_status snw_subject_set(snw_subject *subject, const char *name, double value,
                                   snw_error *error);

/* ---- markers -------------------------------------------------------------------------------- */

/* Markers of a trial; -1: it has none. */
typedef struct snw_gait_markers {
    int at[SNW_GAIT_MARKER_COUNT][SNW_SIDES];
} snw_gait_markers;

/* By the labels, whatever their actor, side and case look like. A foot without a toe marker has its
 * toe between FMH and VMH. */
SNW_API void snw_gait_markers_find(const snw_trial *trial, snw_gait_markers *out);
/* Pelvis and the lateral markers of at least one leg: enough for hips and knees. */
SNW_API bool snw_gait_markers_suffice(const snw_gait_markers *markers);

/* ---- hips by regression --------------------------------------------------------------------- */

/* X(enumerator, name, text). */
#define SNW_HIP_REGRESSION_MAP(X)                                                              \
    X(DAVIS, "davis", "Davis et al. (1991), Newington, with leg length, as Plug-in-Gait")      \
    X(HARRINGTON, "harrington", "Harrington et al. (2007), with pelvic width and depth alone") \
    X(BELL, "bell", "Bell et al. (1990), with pelvic width alone")

typedef enum snw_hip_regression {
#define SNW_HIP_REGRESSION_ENUM(enumerator, name, text) SNW_HIP_BY_##enumerator,
    SNW_HIP_REGRESSION_MAP(SNW_HIP_REGRESSION_ENUM)
#undef SNW_HIP_REGRESSION_ENUM
    SNW_HIP_REGRESSION_COUNT
} snw_hip_regression;

SNW_API const char *snw_hip_regression_name(snw_hip_regression regression);
/* -1 when there is no such name. */
SNW_API int snw_hip_regression_find(const char *name);

/* What the regressions are functions of, metres. */
typedef struct snw_pelvis_size {
    double width;           /* between the ASIS */
    double depth;           /* from between the PSIS to between the ASIS; Harrington */
    double leg_length;      /* mean of both legs; Davis */
    double asis_trochanter; /* of this side, along the pelvis' forward axis; Davis */
    double marker_radius;   /* Davis */
} snw_pelvis_size;

/* The hip's centre in the pelvis' frame: origin between the ASIS, x forward in their plane with the
 * sacrum, y to the left, z up. */
SNW_API snw_vec3 snw_hip_center(snw_hip_regression regression, const snw_pelvis_size *size,
                                snw_side side);

/* A joint's centre: `radius` from the marker on its side, the angle proximal - centre - marker
 * square, in the plane of the wand turned by `rotation` (radians, about the line from the centre to
 * the proximal one, from the wand to the marker). False where the points do not determine it. */
typedef struct snw_chord {
    snw_vec3 proximal, marker, wand;
    double radius;
    double rotation;
} snw_chord;

SNW_API bool snw_chord_center(const snw_chord *chord, snw_vec3 *center);

/* ---- the model ------------------------------------------------------------------------------ */

typedef enum snw_gait_center {
    SNW_GAIT_CENTER_HIP,
    SNW_GAIT_CENTER_KNEE,
    SNW_GAIT_CENTER_ANKLE,
    SNW_GAIT_CENTER_SHOULDER,
    SNW_GAIT_CENTER_ELBOW,
    SNW_GAIT_CENTER_WRIST,
    SNW_GAIT_CENTER_COUNT
} snw_gait_center;

typedef enum snw_gait_segment {
    SNW_SEGMENT_PELVIS,       /* origin between the ASIS */
    SNW_SEGMENT_THORAX,       /* origin at the clavicle */
    SNW_SEGMENT_HEAD,         /* origin between the front markers */
    SNW_SEGMENT_THIGH,        /* origin at the knee, y along its axis */
    SNW_SEGMENT_SHANK,        /* origin at the ankle, y along the knee's axis */
    SNW_SEGMENT_SHANK_DISTAL, /* the same with y along the ankle's axis (tibial torsion) */
    SNW_SEGMENT_FOOT,         /* origin at the toe marker, z from the toe back to the heel */
    SNW_SEGMENT_UPPER_ARM, /* origin at the elbow, y along its axis: across the plane of the arm */
    SNW_SEGMENT_FOREARM,   /* origin at the wrist, y along the wrist's bar, palm forwards */
    SNW_SEGMENT_HAND,      /* origin below the knuckle, y as of the forearm */
    SNW_GAIT_SEGMENT_COUNT
} snw_gait_segment;

typedef struct snw_gait_pose {
    bool has_center[SNW_GAIT_CENTER_COUNT][SNW_SIDES];
    snw_vec3 center[SNW_GAIT_CENTER_COUNT][SNW_SIDES];
    bool has_segment[SNW_GAIT_SEGMENT_COUNT][SNW_SIDES];
    snw_xform world_from_segment[SNW_GAIT_SEGMENT_COUNT][SNW_SIDES];
} snw_gait_pose;

/* What functional trials tell of a person; sinew/functional.h finds it. All zero: nothing. */
typedef struct snw_functional {
    bool has_hip[SNW_SIDES];
    snw_vec3 hip[SNW_SIDES];     /* the centre in the pelvis' frame, metres */
    double hip_sigma[SNW_SIDES]; /* metres */
    bool has_knee[SNW_SIDES];
    double thigh_rotation[SNW_SIDES]; /* of the knee's axis, as SNW_SUBJECT_THIGH_ROTATION */
    double knee_sigma[SNW_SIDES];     /* radians */
} snw_functional;

typedef struct snw_gait_options {
    snw_hip_regression hip; /* DAVIS */
    bool is_foot_tilted;    /* in the static trial the sole is not parallel to the floor; false */
    bool is_medial_used;    /* a frame that shows the inner side of knee or ankle needs no wand: the
                               centre lies between the two sides (ISB); false */
    snw_subject subject; /* values with source SNW_SUBJECT_GIVEN win over the files; all unknown */
    const snw_gait_markers *markers;  /* of the trial, where labels are known better than its names
                                         say; NULL */
    const snw_functional *functional; /* hips win over the regression, knee axes over the static;
                                         NULL */
    uint64_t reserved[2];             /* 0; later versions grow here */
} snw_gait_options;

SNW_API snw_gait_options snw_gait_options_default(void);

typedef struct snw_gait_model {
    snw_gait_markers markers;
    snw_subject subject;
    snw_hip_regression hip;
    bool is_medial_used;
    double pelvis_depth;       /* metres; mean of the trial */
    snw_vec3 up;               /* of the lab */
    snw_functional functional; /* all zero: none */
} snw_gait_model;

/* Finds the markers and the subject's parameters: those given, those that the static trial `still`
 * (may be NULL) or its file tells, those of the trial's file (its lengths before distances of the
 * static's markers), then what the markers of the trial allow to estimate, then published
 * proportions; model->subject.source says which, and notes tell in words what was not measured,
 * what is odd, where the static contradicts the file, and a static of another person. SNW_NOT_FOUND
 * when pelvis or legs have no markers, SNW_DEGENERATE when no frame shows them. */
SNW_API snw_status snw_gait_model_make(const snw_trial *trial, const snw_trial *still,
                                       const snw_gait_options *options, snw_gait_model *out,
                                       snw_notes *notes, snw_error *error);
/* `frame` must have the trial's markers. What the frame does not show is false in has_... */
SNW_API void snw_gait_model_pose(const snw_gait_model *model, const snw_frame *frame,
                                 snw_gait_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
