/* One column of angles: between which segments, which angle, with which sign. Internal. */
#ifndef SNW_MEASURE_ANGLE_ROWS_H
#define SNW_MEASURE_ANGLE_ROWS_H

#include <sinew/angles.h>

/* Further "segments" of a row. */
enum {
    ANGLE_LAB = SNW_GAIT_SEGMENT_COUNT, /* x the way the person goes, z up */
    ANGLE_LEVEL_FOOT                    /* the foot with x forwards, z up */
};

typedef enum angle_sequence {
    ANGLE_CARDAN,    /* Ry Rx Rz */
    ANGLE_REVERSED,  /* Rz Rx Ry */
    ANGLE_SIDEWAYS,  /* Rx Ry Rz */
    ANGLE_SPHERICAL, /* Rz Rx Rz */
    ANGLE_PLACE      /* of the distal segment's origin, OpenSim's axes, metres */
} angle_sequence;

typedef enum angle_style {
    ANGLE_SIDE_BEFORE, /* left_knee_flexion */
    ANGLE_SIDE_BEHIND  /* knee_angle_l */
} angle_style;

typedef struct angle_row {
    const char *name;
    bool is_paired;
    angle_style style;
    int proximal, distal;
    angle_sequence sequence;
    int index;        /* of the three angles */
    double sign[2];   /* left, right */
    double offset[2]; /* radians */
} angle_row;

enum {
    ANGLE_COLUMNS_MAX = 96
};

const angle_row *snw__angle_rows(snw_angle_convention convention, int *count);
/* With the columns still without names and every value NaN. */
snw_status snw__angles_create(const snw_angles *sketch, const snw_allocator *allocator,
                              snw_angles **out, snw_error *error);

#endif
