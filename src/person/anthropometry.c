/* Sizes of people, with their sources. */
#include "person/anthropometry.h"

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
