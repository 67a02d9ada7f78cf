/* sinew/trial.h - a capture: named markers over time, with analog channels, events, rotations and
 * all other parameters of the file it came from.
 *
 *     const snw_frame frame = snw_trial_frame(trial, 120);
 *     if (frame.state[3] != SNW_SAMPLE_MISSING) {
 *         snw_vec3 where = snw_frame_position(&frame, 3);      // metres, the lab's own axes
 *     }
 *
 * Samples are kept as the file has them (float, in the file's unit), so what was read can be
 * written back bit for bit; positions are handed out as doubles in metres. Memory is frame-major: a
 * stored frame and a live frame look the same. A trial belongs to one thread while it is changed;
 * any number of threads may read it.
 */
#ifndef SINEW_TRIAL_H
#define SINEW_TRIAL_H

#include <sinew/math.h>
#include <sinew/person.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum snw_sample_state {
    SNW_SAMPLE_MISSING,  /* nothing is known; the position must not be used */
    SNW_SAMPLE_MEASURED, /* seen by the cameras */
    SNW_SAMPLE_FILLED,   /* computed afterwards from both sides of the gap */
    SNW_SAMPLE_PREDICTED /* computed in real time from the past and the neighbours */
} snw_sample_state;

/* One marker in one frame: 16 bytes, the layout of a float C3D point. */
typedef struct snw_sample {
    float x, y, z; /* in the trial's unit */
    float quality; /* C3D's fourth word, verbatim: negative (or 32768 and above: a 16-bit word with
                      its sign set) = missing; else as an integer the low
                      byte times trial->residual_scale is the residual in the trial's unit, the next
                      7 bits are the cameras that saw the marker. Some programs put the residual
                      itself here: a number with a fraction is read as that */
} snw_sample;

/* How the numbers were stored in the file the trial came from, so that it can be written back the
 * same way, bit for bit. Integers are steps of residual_scale. */
typedef enum snw_byte_order {
    SNW_ORDER_INTEL = 1, /* the numbers C3D uses, less 83 */
    SNW_ORDER_DEC = 2,
    SNW_ORDER_MIPS = 3
} snw_byte_order;

typedef struct snw_storage {
    snw_byte_order order;
    bool is_integer;
} snw_storage;

typedef enum snw_up_axis {
    SNW_UP_UNKNOWN,
    SNW_UP_X,
    SNW_UP_Y,
    SNW_UP_Z,
    SNW_UP_NEGATIVE_X,
    SNW_UP_NEGATIVE_Y,
    SNW_UP_NEGATIVE_Z
} snw_up_axis;

/* A look at one frame, stored or live. Points into memory owned by somebody else. */
typedef struct snw_frame {
    int marker_count;
    double time;              /* seconds from the first frame */
    double metres_per_unit;   /* of sample positions */
    double residual_scale;    /* see snw_sample */
    const snw_sample *sample; /* (marker_count) */
    const uint8_t *state;     /* (marker_count) snw_sample_state */
    const float *uncertainty; /* (marker_count) metres, one standard deviation; NULL = not known */
} snw_frame;

SNW_INLINE snw_vec3 snw_frame_position(const snw_frame *frame, int marker)
{
    const snw_sample *s = frame->sample + marker;
    return snw_vec3_make(s->x * frame->metres_per_unit, s->y * frame->metres_per_unit,
                         s->z * frame->metres_per_unit);
}

/* ---- what else a file holds --------------------------------------------------------------- */

/* "joint centre"; lives as long as the program. */
SNW_API const char *snw_point_kind_name(snw_point_kind kind);

typedef struct snw_marker {
    char *name;          /* as in the file, trailing blanks removed; bytes, UTF-8 or not */
    char *description;   /* "" if none */
    snw_point_kind kind; /* decided once, when the trial is read or the point is made */
    bool is_in_lab_axes; /* of a force or moment: along the lab's axes (ground reaction); those of
                            joints are along the axes of a segment. Positions always are */
} snw_marker;

/* value = (raw - offset) * scale * trial->analog_general_scale */
typedef struct snw_analog_channel {
    char *name;
    char *description;
    char *unit;
    double scale;
    double offset;
} snw_analog_channel;

typedef struct snw_event {
    double time;   /* seconds from the instant of frame number 1 (see snw_trial_time); NaN = the
                      file has lost it */
    char *label;   /* "Foot Strike" */
    char *context; /* "Left", "Right", "General" */
    char *subject;
    char *description;
    int icon;          /* C3D EVENT:ICON_IDS */
    int flags;         /* C3D EVENT:GENERIC_FLAGS; header events: 1 = off */
    bool is_in_header; /* C3D: from the 18 events of the header */
} snw_event;

/* One parameter as C3D knows them; other formats store their extra header fields here too. */
typedef enum snw_parameter_type {
    SNW_PARAMETER_CHAR = -1,
    SNW_PARAMETER_BYTE = 1,
    SNW_PARAMETER_INT16 = 2,
    SNW_PARAMETER_FLOAT = 4
} snw_parameter_type;

typedef struct snw_parameter {
    char *name;
    char *description;
    bool is_locked;
    snw_parameter_type type;
    int dimension_count;
    uint8_t dimension[7];
    size_t byte_count;
    void *data; /* host byte order: char, int8_t, int16_t, float */
} snw_parameter;

typedef struct snw_parameter_group {
    char *name;
    char *description;
    bool is_locked;
    int id; /* number in the file, 1.. */
    int parameter_count;
    int parameter_capacity;
    snw_parameter *parameter;
} snw_parameter_group;

/* ---- the trial ---------------------------------------------------------------------------- */

typedef struct snw_trial {
    int marker_count;
    int frame_count;
    int first_frame;        /* the file's number of frame 0, usually 1 */
    int cut_frame_count;    /* frames that the file says it has and does not: it was cut; 0 */
    double rate;            /* frames per second */
    double clock_start;     /* seconds: when frame number 1 is, by the file's own times; 0 in C3D */
    double metres_per_unit; /* 0.001 for millimetres */
    char unit[16];          /* "mm", as in the file */
    double residual_scale;  /* see snw_sample; in the trial's unit */
    snw_storage storage;    /* Intel floats unless read otherwise */
    snw_up_axis up;
    bool is_up_assumed; /* the file does not say it: the markers' extent does */
    snw_marker *marker; /* (marker_count) */
    snw_sample *sample; /* (frame_count x marker_count) */
    uint8_t *state;     /* (frame_count x marker_count) snw_sample_state */
    float *uncertainty; /* (frame_count x marker_count) metres; NULL while nothing is estimated */

    int analog_count;
    int analog_per_frame; /* analog samples in each frame */
    double analog_general_scale;
    bool analog_is_unsigned;
    snw_analog_channel *analog_channel; /* (analog_count) */
    float *analog; /* (frame_count x analog_per_frame x analog_count) raw values of the file */

    int rotation_count;
    int rotations_per_frame;
    snw_marker *rotation_label; /* (rotation_count) */
    float *rotation; /* (frame_count x rotations_per_frame x rotation_count x 17): 4x4 column-major
                        world_from_ segment in the trial's unit, then the reliability; negative =
                        missing */

    int event_count;
    int event_capacity;
    snw_event *event;
    int group_count;
    int group_capacity;
    snw_parameter_group *group;
    snw_allocator allocator;
} snw_trial;

/* Seen, not computed. */
SNW_INLINE bool snw_trial_is_marker(const snw_trial *trial, int marker)
{
    return trial->marker[marker].kind == SNW_POINT_MARKER;
}

/* Sizes of a new trial; start from snw_trial_options_default(). */
typedef struct snw_trial_options {
    int marker_count;
    int frame_count;
    double rate;            /* 100 */
    double metres_per_unit; /* 0.001 */
    const char *unit;       /* "mm" */
    int analog_count;
    int analog_per_frame;
    int rotation_count;
    int rotations_per_frame;
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_trial_options;

SNW_API snw_trial_options snw_trial_options_default(void);
/* Every sample missing, markers named "M001"..., analog channels "A001"..., all of it zero.
 * Without options: no markers and no frames. */
SNW_API snw_status snw_trial_create(const snw_trial_options *options,
                                    const snw_allocator *allocator, snw_trial **out,
                                    snw_error *error);
SNW_API void snw_trial_destroy(snw_trial *trial);
SNW_API snw_status snw_trial_copy(const snw_trial *trial, const snw_allocator *allocator,
                                  snw_trial **out, snw_error *error);

SNW_API snw_frame snw_trial_frame(const snw_trial *trial, int frame);
/* Index of the first marker of exactly that name, or -1. */
SNW_API int snw_trial_find_marker(const snw_trial *trial, const char *name);
SNW_API bool snw_trial_is_present(const snw_trial *trial, int frame, int marker);
/* Metres; not defined where the sample is missing. */
SNW_API snw_vec3 snw_trial_position(const snw_trial *trial, int frame, int marker);
/* Residual in metres (negative when missing) and the 7-bit camera mask of a sample. */
SNW_API double snw_trial_residual(const snw_trial *trial, int frame, int marker);
SNW_API unsigned snw_trial_cameras(const snw_trial *trial, int frame, int marker);
/* Writes a sample. A position that is not finite, or state MISSING, makes it missing. */
SNW_API void snw_trial_set(snw_trial *trial, int frame, int marker, snw_vec3 position,
                           snw_sample_state state);
/* Makes the uncertainty array if there is none; all zero. */
SNW_API snw_status snw_trial_need_uncertainty(snw_trial *trial, snw_error *error);

SNW_API snw_status snw_trial_set_marker_name(snw_trial *trial, int marker, const char *name,
                                             snw_error *error);
SNW_API snw_status snw_trial_set_rotation_name(snw_trial *trial, int rotation, const char *name,
                                               snw_error *error);
/* In the channel's unit. */
SNW_API double snw_trial_analog(const snw_trial *trial, int frame, int sub_frame, int channel);
/* Strings are copied. */
SNW_API snw_status snw_trial_add_event(snw_trial *trial, const snw_event *event, snw_error *error);
/* Those behind it move up; nothing happens where there is no such event. */
SNW_API void snw_trial_remove_event(snw_trial *trial, int event);
/* Upper and lower case are the same, as in C3D. NULL if there is none. */
SNW_API const snw_parameter *snw_trial_find_parameter(const snw_trial *trial, const char *group,
                                                      const char *name);
/* Seconds of a frame on the file's own clock, which is that of every table that is written: frame
 * number 1 is at clock_start (0 in C3D), also where the file starts later; where numbers start at 0
 * or below, the first frame is. */
SNW_API double snw_trial_time(const snw_trial *trial, int frame);
/* How many points of the trial are of the kind. */
SNW_API int snw_trial_count_kind(const snw_trial *trial, snw_point_kind kind);
/* Points of a trial that were computed, not seen. */
typedef struct snw_computed_points {
    snw_point_kind kind; /* one that has a list */
    const char *unit;    /* "deg" */
    int first, count;    /* markers */
} snw_computed_points;
/* Gives them that kind, and adds them to its list, so that other programs know. */
SNW_API snw_status snw_trial_mark_computed(snw_trial *trial, const snw_computed_points *points,
                                           snw_error *error);
/* Adds or replaces; the group is made when missing; data are copied. Fields of the trial itself
 * (names, rate, events) win over parameters of the same meaning when a file is written. */
SNW_API snw_status snw_trial_set_parameter(snw_trial *trial, const char *group,
                                           const snw_parameter *parameter, snw_error *error);

/* ---- parts and changes -------------------------------------------------------------------- */

/* Frames first..first+count-1 of a trial, without copying: a value that may be read wherever a
 * const snw_trial * is taken, as long as the trial lives. Never destroy it; snw_trial_copy makes it
 * a trial of its own. Clipped to what is there. */
SNW_API snw_trial snw_trial_window(const snw_trial *trial, int first, int count);
/* A trial with only these markers, in this order; SNW_NEW_MARKER stands for one more that is
 * missing everywhere and has an empty name. */
#define SNW_NEW_MARKER (-1)
SNW_API snw_status snw_trial_pick(const snw_trial *trial, const int *markers, int marker_count,
                                  const snw_allocator *allocator, snw_trial **out,
                                  snw_error *error);
/* The same capture at another frame rate. Cubic (Catmull-Rom) through four present neighbours,
 * linear between two; what lies next to a gap belongs to the gap. Analog samples linear, rotations
 * nearest. The first frame gets the number of the same instant, so events stay where they were in
 * the motion. There is no low-pass filter. */
SNW_API snw_status snw_trial_resample(const snw_trial *trial, double rate,
                                      const snw_allocator *allocator, snw_trial **out,
                                      snw_error *error);
/* Rewrites all numbers in another unit ("mm", "cm", "m", "in", ...; metres_per_unit says how long
 * it is), force-plate corners and origins too. Nothing happens when unit is NULL or the length is
 * not above 0. */
SNW_API void snw_trial_set_unit(snw_trial *trial, const char *unit, double metres_per_unit);
/* Turns everything so that the axis that was up becomes `up`; SNW_UNSUPPORTED when the trial does
 * not know which way is up (set trial->up first) or `up` is UNKNOWN. */
SNW_API snw_status snw_trial_turn_up(snw_trial *trial, snw_up_axis up, snw_error *error);
/* Length of a unit by its name ("mm" 0.001, any case); 0 when the name is not known. */
SNW_API double snw_unit_length(const char *unit);
/* The world direction of an up axis; zero for UNKNOWN. */
SNW_API snw_vec3 snw_up_direction(snw_up_axis up);
/* The axis nearest to a direction; UNKNOWN for zero and what is not finite. */
SNW_API snw_up_axis snw_up_nearest(snw_vec3 direction);

/* ---- gaps --------------------------------------------------------------------------------- */

typedef struct snw_gap_summary {
    int missing_count;  /* samples */
    int interior_count; /* gaps with measured samples on both sides */
    int longest;        /* frames of the longest interior gap */
    bool is_never_seen;
} snw_gap_summary;

SNW_API snw_gap_summary snw_trial_gaps(const snw_trial *trial, int marker);
/* Samples at exactly (0, 0, 0) become missing, which is what most programs mean by them; of a
 * marker that stands at the origin (10 mm) none do. How many; a note says so. Readers keep such
 * samples where the format has a sign for missing ones: a user decides. */
SNW_API int64_t snw_trial_drop_zeros(snw_trial *trial, snw_notes *notes);

#ifdef __cplusplus
}
#endif
#endif
