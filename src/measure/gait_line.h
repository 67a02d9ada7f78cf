/* The feet of a walking person along the way: what events and strides look at. Internal. */
#ifndef SNW_MEASURE_GAIT_LINE_H
#define SNW_MEASURE_GAIT_LINE_H

#include <sinew/gait.h>

typedef struct snw__gait_line {
    const snw_trial *trial;
    snw_gait_markers markers;
    snw_vec3 up, forward; /* lab; forward is the mean way of the trial */
    bool is_on_spot;      /* on a treadmill, or standing */
    bool is_straight;     /* the person goes one way: forward holds for every frame */
} snw__gait_line;

/* SNW_NOT_FOUND where pelvis or feet have no markers. */
snw_status snw__gait_line_make(const snw_trial *trial, snw__gait_line *out, snw_error *error);
/* Heel (ankle where there is none) or toe (ankle where there is none). */
bool snw__gait_foot(const snw__gait_line *line, int frame, int side, bool is_heel, snw_vec3 *out);
/* How far heel or toe is before the sacrum, the way the person goes; NaN where it is not seen. */
double snw__gait_ahead(const snw__gait_line *line, int frame, int side, bool is_heel);
/* The way at a frame: forward, or where the pelvis points while the person turns. */
snw_vec3 snw__gait_way(const snw__gait_line *line, int frame);

#endif
