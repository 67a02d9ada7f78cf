/* Sizes of people, with their sources. */
#include "person/anthropometry.h"

#include <string.h>

/* A segment of Winter's, whose table has one radius, about the axes across the bone. */
#define SIZE_ADULT(length, mass, center, radius) \
    {                                            \
        length, mass, center,                    \
        {                                        \
            radius, radius, 0                    \
        }                                        \
    }
/* A segment of de Leva's, its length in millimetres of a stature. */
#define SIZE_LEVA(stature, length, mass, center, sagittal, transverse, longitudinal) \
    {                                                                                \
        (length) / (stature), (mass) / 100, (center) / 100,                          \
        {                                                                            \
            (sagittal) / 100, (transverse) / 100, (longitudinal) / 100               \
        }                                                                            \
    }
/* Women of 1.735 m and 61.9 kg, men of 1.741 m and 73.0 kg. */
#define SIZE_WOMEN(...) SIZE_LEVA(1735.0, __VA_ARGS__)
#define SIZE_MEN(...)   SIZE_LEVA(1741.0, __VA_ARGS__)

/* clang-format off */
static const snw_segment_size segment_sizes[SNW_PEOPLE_COUNT][SNW_PART_COUNT] = {
    [SNW_PEOPLE_ADULTS] = {
        [SNW_PART_HIPS]    = SIZE_ADULT(0, SNW__MASS_PELVIS, 0, 0),
        [SNW_PART_CHEST]   = SIZE_ADULT(0, SNW__MASS_ABDOMEN + SNW__MASS_THORAX, 0, 0),
        [SNW_PART_HEAD]    = SIZE_ADULT(SNW__LENGTH_HEAD, SNW__MASS_HEAD, 0, 0),
        [SNW_PART_ARM]     = SIZE_ADULT(SNW__LENGTH_UPPER_ARM, SNW__MASS_UPPER_ARM, 0.436, 0.322),
        [SNW_PART_FOREARM] = SIZE_ADULT(SNW__LENGTH_FOREARM, SNW__MASS_FOREARM, 0.430, 0.303),
        [SNW_PART_HAND]    = SIZE_ADULT(SNW__LENGTH_HAND, SNW__MASS_HAND, 0.506, 0.297),
        [SNW_PART_UPLEG]   = SIZE_ADULT(SNW__LENGTH_THIGH, SNW__MASS_THIGH, 0.433, 0.323),
        [SNW_PART_LEG]     = SIZE_ADULT(SNW__LENGTH_SHANK, SNW__MASS_SHANK, 0.433, 0.302),
        [SNW_PART_FOOT]    = SIZE_ADULT(SNW__LENGTH_FOOT, SNW__MASS_FOOT, 0.500, 0.475),
    },
    [SNW_PEOPLE_WOMEN] = {
        [SNW_PART_HIPS]    = SIZE_WOMEN(181.5, 12.47, 49.20, 43.3, 40.2, 44.4),
        [SNW_PART_CHEST]   = SIZE_WOMEN(347.8, 15.45 + 14.65, 0, 0, 0, 0),
        [SNW_PART_HEAD]    = SIZE_WOMEN(200.2, 6.68, 58.94, 33.0, 35.9, 31.8),
        [SNW_PART_ARM]     = SIZE_WOMEN(275.1, 2.55, 57.54, 27.8, 26.0, 14.8),
        [SNW_PART_FOREARM] = SIZE_WOMEN(264.3, 1.38, 45.59, 26.1, 25.7, 9.4),
        [SNW_PART_HAND]    = SIZE_WOMEN(78.0, 0.56, 74.74, 53.1, 45.4, 33.5),
        [SNW_PART_UPLEG]   = SIZE_WOMEN(368.5, 14.78, 36.12, 36.9, 36.4, 16.2),
        [SNW_PART_LEG]     = SIZE_WOMEN(432.3, 4.81, 44.16, 27.1, 26.7, 9.3),
        [SNW_PART_FOOT]    = SIZE_WOMEN(228.3, 1.29, 40.14, 29.9, 27.9, 13.9),
    },
    [SNW_PEOPLE_MEN] = {
        [SNW_PART_HIPS]    = SIZE_MEN(145.7, 11.17, 61.15, 61.5, 55.1, 58.7),
        [SNW_PART_CHEST]   = SIZE_MEN(386.2, 15.96 + 16.33, 0, 0, 0, 0),
        [SNW_PART_HEAD]    = SIZE_MEN(203.3, 6.94, 59.76, 36.2, 37.6, 31.2),
        [SNW_PART_ARM]     = SIZE_MEN(281.7, 2.71, 57.72, 28.5, 26.9, 15.8),
        [SNW_PART_FOREARM] = SIZE_MEN(268.9, 1.62, 45.74, 27.6, 26.5, 12.1),
        [SNW_PART_HAND]    = SIZE_MEN(86.2, 0.61, 79.00, 62.8, 51.3, 40.1),
        [SNW_PART_UPLEG]   = SIZE_MEN(422.2, 14.16, 40.95, 32.9, 32.9, 14.9),
        [SNW_PART_LEG]     = SIZE_MEN(434.0, 4.33, 44.59, 25.5, 24.9, 10.3),
        [SNW_PART_FOOT]    = SIZE_MEN(258.1, 1.37, 44.15, 25.7, 24.5, 12.4),
    },
};
/* clang-format on */

bool snw_segment_size_of(snw_people people, snw_part part, snw_segment_size *out)
{
    memset(out, 0, sizeof *out);
    if ((unsigned)people >= SNW_PEOPLE_COUNT || (unsigned)part >= SNW_PART_COUNT) return false;
    *out = segment_sizes[people][part];
    return out->mass > 0;
}

/* Dempster 1955, as printed by Winter 2009, table 4.1; HIPS and CHEST have the trunk's. */
double snw_part_density(snw_part part)
{
    static const double densities[SNW_PART_COUNT] = {
        [SNW_PART_HIPS] = 1030,  [SNW_PART_CHEST] = 1030,   [SNW_PART_HEAD] = 1110,
        [SNW_PART_ARM] = 1070,   [SNW_PART_FOREARM] = 1130, [SNW_PART_HAND] = 1160,
        [SNW_PART_UPLEG] = 1050, [SNW_PART_LEG] = 1090,     [SNW_PART_FOOT] = 1100,
    };
    return (unsigned)part < SNW_PART_COUNT ? densities[part] : 0;
}

/* Adults: knees about 100 mm wide, ankles 70, elbows 70, wrists 55 (Plug-in Gait asks for these
 * widths), and the marker's own radius. An acromion lies above the shoulder by up to 90 mm. */
snw__joint_size snw__part_joint_size(snw_part joint)
{
    static const snw__joint_size sizes[SNW_PART_COUNT] = {
        [SNW_PART_LEG] = {0.055, 0.050},     [SNW_PART_FOOT] = {0.042, 0.040},
        [SNW_PART_FOREARM] = {0.040, 0.060}, [SNW_PART_HAND] = {0.035, 0.045},
        [SNW_PART_ARM] = {0, 0.090},         [SNW_PART_THUMB] = {0, 0.010},
        [SNW_PART_INDEX] = {0, 0.010},       [SNW_PART_MIDDLE] = {0, 0.010},
        [SNW_PART_RING] = {0, 0.010},        [SNW_PART_PINKY] = {0, 0.010},
    };
    return sizes[joint];
}
