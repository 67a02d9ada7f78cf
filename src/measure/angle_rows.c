/* The columns of every convention.
 *
 * With x forward, y left, z up and R = Ry(a0) Rx(a1) Rz(a2) from the proximal to the distal
 * segment: a0 above zero swings the lower end of a leg backwards (the knee's flexion, the hip's
 * extension); a1 above zero moves it to the left; a2 above zero turns it to the left. Abduction and
 * internal rotation therefore change sign with the side. */
#include "measure/angle_rows.h"

#define ANGLE(name, proximal, distal, index, left, right)                                          \
    {                                                                                              \
        name, true, ANGLE_SIDE_BEFORE, SNW_SEGMENT_##proximal, SNW_SEGMENT_##distal, ANGLE_CARDAN, \
            index, {left, right},                                                                  \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }
#define ANGLE_ONCE(name, proximal, distal, index, sign)                                      \
    {                                                                                        \
        name, false, ANGLE_SIDE_BEFORE, proximal, distal, ANGLE_CARDAN, index, {sign, sign}, \
        {                                                                                    \
            0, 0                                                                             \
        }                                                                                    \
    }

#define ANGLE_BY(name, is_paired, proximal, distal, sequence, index, left, right)         \
    {                                                                                     \
        name, is_paired, ANGLE_SIDE_BEFORE, SNW_SEGMENT_##proximal, SNW_SEGMENT_##distal, \
            ANGLE_##sequence, index, {left, right},                                       \
        {                                                                                 \
            0, 0                                                                          \
        }                                                                                 \
    }

/* Hip, knee, pelvis, thorax, elbow, wrist are the same in ISB and Plug-in-Gait. */
#define ANGLE_LEGS                                       \
    ANGLE("hip_flexion", PELVIS, THIGH, 0, -1, -1),      \
        ANGLE("hip_abduction", PELVIS, THIGH, 1, 1, -1), \
        ANGLE("hip_rotation", PELVIS, THIGH, 2, -1, 1),  \
        ANGLE("knee_flexion", THIGH, SHANK, 0, 1, 1),    \
        ANGLE("knee_abduction", THIGH, SHANK, 1, 1, -1), \
        ANGLE("knee_rotation", THIGH, SHANK, 2, -1, 1)

#define ANGLE_IN_LAB                                                         \
    ANGLE_ONCE("pelvis_tilt", ANGLE_LAB, SNW_SEGMENT_PELVIS, 0, 1),          \
        ANGLE_ONCE("pelvis_obliquity", ANGLE_LAB, SNW_SEGMENT_PELVIS, 1, 1), \
        ANGLE_ONCE("pelvis_rotation", ANGLE_LAB, SNW_SEGMENT_PELVIS, 2, 1),  \
        ANGLE_ONCE("thorax_flexion", ANGLE_LAB, SNW_SEGMENT_THORAX, 0, 1),   \
        ANGLE_ONCE("thorax_bending", ANGLE_LAB, SNW_SEGMENT_THORAX, 1, 1),   \
        ANGLE_ONCE("thorax_rotation", ANGLE_LAB, SNW_SEGMENT_THORAX, 2, 1)

#define ANGLE_ARMS                                              \
    ANGLE("elbow_flexion", UPPER_ARM, FOREARM, 0, -1, -1),      \
        ANGLE("elbow_abduction", UPPER_ARM, FOREARM, 1, 1, -1), \
        ANGLE("elbow_pronation", UPPER_ARM, FOREARM, 2, -1, 1), \
        ANGLE("wrist_flexion", FOREARM, HAND, 0, -1, -1),       \
        ANGLE("wrist_abduction", FOREARM, HAND, 1, 1, -1),      \
        ANGLE("wrist_rotation", FOREARM, HAND, 2, -1, 1)

static const angle_row angle_rows_pig[] = {
    ANGLE_LEGS,
    {"ankle_flexion",
     true,
     ANGLE_SIDE_BEFORE,
     SNW_SEGMENT_SHANK_DISTAL,
     SNW_SEGMENT_FOOT,
     ANGLE_CARDAN,
     0,
     {-1, -1},
     {-SNW_PI / 2, -SNW_PI / 2}},
    ANGLE("ankle_inversion", SHANK_DISTAL, FOOT, 2, -1, 1),
    ANGLE("ankle_rotation", SHANK_DISTAL, FOOT, 1, -1, 1),
    {"foot_progression",
     true,
     ANGLE_SIDE_BEFORE,
     ANGLE_LAB,
     SNW_SEGMENT_FOOT,
     ANGLE_CARDAN,
     1,
     {-1, 1},
     {0, 0}},
    ANGLE_IN_LAB,
    ANGLE_BY("trunk_flexion", 0, PELVIS, THORAX, REVERSED, 2, 1, 1),
    ANGLE_BY("trunk_bending", 0, PELVIS, THORAX, REVERSED, 1, 1, 1),
    ANGLE_BY("trunk_rotation", 0, PELVIS, THORAX, REVERSED, 0, 1, 1),
    ANGLE_BY("neck_flexion", 0, THORAX, HEAD, REVERSED, 2, 1, 1),
    ANGLE_BY("neck_bending", 0, THORAX, HEAD, REVERSED, 1, 1, 1),
    ANGLE_BY("neck_rotation", 0, THORAX, HEAD, REVERSED, 0, 1, 1),
    ANGLE_BY("shoulder_flexion", 1, THORAX, UPPER_ARM, SIDEWAYS, 1, -1, -1),
    ANGLE_BY("shoulder_abduction", 1, THORAX, UPPER_ARM, SIDEWAYS, 0, 1, -1),
    ANGLE_BY("shoulder_rotation", 1, THORAX, UPPER_ARM, SIDEWAYS, 2, -1, 1),
    ANGLE_ARMS,
};

#define ANGLE_FOOT(name, index, left, right)                                                     \
    {                                                                                            \
        name, true, ANGLE_SIDE_BEFORE, SNW_SEGMENT_SHANK_DISTAL, ANGLE_LEVEL_FOOT, ANGLE_CARDAN, \
            index, {left, right},                                                                \
        {                                                                                        \
            0, 0                                                                                 \
        }                                                                                        \
    }
#define ANGLE_SHOULDER(name, index, left, right, far)                                              \
    {                                                                                              \
        name, true, ANGLE_SIDE_BEFORE, SNW_SEGMENT_THORAX, SNW_SEGMENT_UPPER_ARM, ANGLE_SPHERICAL, \
            index, {left, right},                                                                  \
        {                                                                                          \
            0, far                                                                                 \
        }                                                                                          \
    }

static const angle_row angle_rows_isb[] = {
    ANGLE_LEGS,
    ANGLE_FOOT("ankle_flexion", 0, -1, -1),
    ANGLE_FOOT("ankle_inversion", 1, -1, 1),
    ANGLE_FOOT("ankle_rotation", 2, -1, 1),
    ANGLE_IN_LAB,
    ANGLE_BY("trunk_flexion", 0, PELVIS, THORAX, CARDAN, 0, 1, 1),
    ANGLE_BY("trunk_bending", 0, PELVIS, THORAX, CARDAN, 1, 1, 1),
    ANGLE_BY("trunk_rotation", 0, PELVIS, THORAX, CARDAN, 2, 1, 1),
    ANGLE_BY("neck_flexion", 0, THORAX, HEAD, CARDAN, 0, 1, 1),
    ANGLE_BY("neck_bending", 0, THORAX, HEAD, CARDAN, 1, 1, 1),
    ANGLE_BY("neck_rotation", 0, THORAX, HEAD, CARDAN, 2, 1, 1),
    ANGLE_SHOULDER("shoulder_plane", 0, -1, 1, SNW_PI),
    ANGLE_SHOULDER("shoulder_elevation", 1, 1, 1, 0),
    ANGLE_SHOULDER("shoulder_rotation", 2, -1, 1, SNW_PI),
    ANGLE_ARMS,
};

/* OpenSim turns about z (right), x (forward), y (up): a0 and OpenSim's first angle have opposite
 * signs. */
#define COORDINATE(name, proximal, distal, index, left, right)                              \
    {                                                                                       \
        name, true, ANGLE_SIDE_BEHIND, SNW_SEGMENT_##proximal, distal, ANGLE_CARDAN, index, \
            {left, right},                                                                  \
        {                                                                                   \
            0, 0                                                                            \
        }                                                                                   \
    }
#define COORDINATE_PLACE(name, index)                                                              \
    {                                                                                              \
        name, false, ANGLE_SIDE_BEHIND, ANGLE_LAB, SNW_SEGMENT_PELVIS, ANGLE_PLACE, index, {1, 1}, \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }
#define COORDINATES_WITH_KNEE(knee)                                                    \
    ANGLE_ONCE("pelvis_tilt", ANGLE_LAB, SNW_SEGMENT_PELVIS, 0, -1),                   \
        ANGLE_ONCE("pelvis_list", ANGLE_LAB, SNW_SEGMENT_PELVIS, 1, 1),                \
        ANGLE_ONCE("pelvis_rotation", ANGLE_LAB, SNW_SEGMENT_PELVIS, 2, 1),            \
        COORDINATE_PLACE("pelvis_tx", 0), COORDINATE_PLACE("pelvis_ty", 1),            \
        COORDINATE_PLACE("pelvis_tz", 2),                                              \
        COORDINATE("hip_flexion", PELVIS, SNW_SEGMENT_THIGH, 0, -1, -1),               \
        COORDINATE("hip_adduction", PELVIS, SNW_SEGMENT_THIGH, 1, -1, 1),              \
        COORDINATE("hip_rotation", PELVIS, SNW_SEGMENT_THIGH, 2, -1, 1),               \
        COORDINATE("knee_angle", THIGH, SNW_SEGMENT_SHANK, 0, knee, knee),             \
        COORDINATE("knee_adduction", THIGH, SNW_SEGMENT_SHANK, 1, -1, 1),              \
        COORDINATE("knee_rotation", THIGH, SNW_SEGMENT_SHANK, 2, -1, 1),               \
        COORDINATE("ankle_angle", SHANK_DISTAL, ANGLE_LEVEL_FOOT, 0, -1, -1),          \
        COORDINATE("subtalar_angle", SHANK_DISTAL, ANGLE_LEVEL_FOOT, 1, -1, 1),        \
        COORDINATE("ankle_rotation", SHANK_DISTAL, ANGLE_LEVEL_FOOT, 2, -1, 1),        \
        ANGLE_ONCE("lumbar_extension", SNW_SEGMENT_PELVIS, SNW_SEGMENT_THORAX, 0, -1), \
        ANGLE_ONCE("lumbar_bending", SNW_SEGMENT_PELVIS, SNW_SEGMENT_THORAX, 1, 1),    \
        ANGLE_ONCE("lumbar_rotation", SNW_SEGMENT_PELVIS, SNW_SEGMENT_THORAX, 2, 1)

static const angle_row angle_rows_opensim[] = {
    COORDINATES_WITH_KNEE(1),
    COORDINATE("arm_flex", THORAX, SNW_SEGMENT_UPPER_ARM, 0, -1, -1),
    COORDINATE("arm_add", THORAX, SNW_SEGMENT_UPPER_ARM, 1, -1, 1),
    COORDINATE("arm_rot", THORAX, SNW_SEGMENT_UPPER_ARM, 2, -1, 1),
    COORDINATE("elbow_flex", UPPER_ARM, SNW_SEGMENT_FOREARM, 0, -1, -1),
    COORDINATE("pro_sup", UPPER_ARM, SNW_SEGMENT_FOREARM, 2, -1, 1),
    COORDINATE("wrist_flex", FOREARM, SNW_SEGMENT_HAND, 0, -1, -1),
    COORDINATE("wrist_dev", FOREARM, SNW_SEGMENT_HAND, 1, -1, 1),
};

static const angle_row angle_rows_gait2392[] = {COORDINATES_WITH_KNEE(-1)};

#define ANGLE_TABLE(rows)                       \
    {                                           \
        rows, (int)(sizeof rows / sizeof *rows) \
    }

const angle_row *snw__angle_rows(snw_angle_convention convention, int *count)
{
    static const struct {
        const angle_row *row;
        int count;
    } table[] = {ANGLE_TABLE(angle_rows_isb), ANGLE_TABLE(angle_rows_pig),
                 ANGLE_TABLE(angle_rows_opensim), ANGLE_TABLE(angle_rows_gait2392)};
    *count = table[convention].count;
    return table[convention].row;
}
