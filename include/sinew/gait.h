/* sinew/gait.h - walking: when feet touch and leave the floor, strides, and the mean cycle.
 *
 *     snw_gait_events *events = NULL;
 *     snw_gait_events_find(trial, NULL, NULL, &events, &notes, &error);
 *     snw_strides *strides = NULL;
 *     snw_strides_measure(trial, events, NULL, &strides, &error);
 *     for (int n = 0; n < strides->count; n++)
 *         printf("%.2f s, %.3f m\n", strides->stride[n].time, strides->stride[n].length);
 *
 * Times are seconds from the trial's first frame. Metres, metres per second. What a stride does not
 * tell is NaN. Results are constant once made; any thread may read them.
 */
#ifndef SINEW_GAIT_H
#define SINEW_GAIT_H

#include <sinew/angles.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- events --------------------------------------------------------------------------------- */

typedef enum snw_gait_event_kind {
    SNW_FOOT_STRIKE, /* the foot touches the floor */
    SNW_FOOT_OFF     /* it leaves it */
} snw_gait_event_kind;

typedef enum snw_gait_event_source {
    SNW_EVENT_FROM_FILE,
    SNW_EVENT_FROM_MARKERS,
    SNW_EVENT_FROM_PLATE
} snw_gait_event_source;

typedef struct snw_gait_event {
    snw_gait_event_kind kind;
    snw_side side;
    snw_gait_event_source source;
    double time;
} snw_gait_event;

typedef struct snw_gait_events {
    int count;
    snw_gait_event *event; /* (count) by time */
    snw_allocator allocator;
    size_t block_size;
} snw_gait_events;

/* X(enumerator, name, text). */
#define SNW_EVENT_METHOD_MAP(X)                                                                \
    X(BOTH, "both", "strikes by Ghoussayni, offs by Zeni, the surer of each; treadmill: Zeni") \
    X(ZENI, "zeni", "heel farthest before, toe farthest behind the sacrum (Zeni et al. 2008)") \
    X(GHOUSSAYNI, "ghoussayni", "heel and toe slower than a threshold (Ghoussayni et al. 2004)")

typedef enum snw_event_method {
#define SNW_EVENT_METHOD_ENUM(enumerator, name, text) SNW_EVENTS_BY_##enumerator,
    SNW_EVENT_METHOD_MAP(SNW_EVENT_METHOD_ENUM)
#undef SNW_EVENT_METHOD_ENUM
    SNW_EVENT_METHOD_COUNT
} snw_event_method;

SNW_API const char *snw_event_method_name(snw_event_method method);
/* -1 when there is no such name. */
SNW_API int snw_event_method_find(const char *name);

typedef struct snw_event_options {
    snw_event_method method; /* BOTH */
    bool uses_plates;        /* where a foot meets a plate, the force says when, and what the
                                markers are late or early there is taken off elsewhere; true */
    double speed_threshold;  /* GHOUSSAYNI: of heel and toe in the plane of progression; 0.5 m/s */
    double force_threshold;  /* of the vertical force above the plate's rest; 20 N */
    uint64_t reserved[4];    /* 0; later versions grow here */
} snw_event_options;

SNW_API snw_event_options snw_event_options_default(void);

/* From heel (or ankle), toe and pelvis markers, found by their labels. SNW_NOT_FOUND when they are
 * not there; a trial without a step gives no events. */
SNW_API snw_status snw_gait_events_find(const snw_trial *trial, const snw_event_options *options,
                                        const snw_allocator *allocator, snw_gait_events **out,
                                        snw_notes *notes, snw_error *error);
/* Those that the file itself has, whatever words it uses: Foot Strike with context Left, LHS, ...
 */
SNW_API snw_status snw_gait_events_read(const snw_trial *trial, const snw_allocator *allocator,
                                        snw_gait_events **out, snw_error *error);
SNW_API void snw_gait_events_destroy(snw_gait_events *events);
/* Puts them into the trial as Vicon's programs do; foot strikes and foot offs that were there go,
 * other events stay. */
SNW_API snw_status snw_gait_events_store(const snw_gait_events *events, snw_trial *trial,
                                         snw_error *error);

/* ---- strides --------------------------------------------------------------------------------- */

/* From one strike of a foot to its next. Shares are of the stride's time, 0..1. */
typedef struct snw_stride {
    snw_side side;
    double start, end;      /* seconds */
    double time;            /* seconds */
    double foot_off;        /* share: the stance of this foot */
    double opposite_off;    /* share */
    double opposite_strike; /* share */
    double single_support;  /* seconds */
    double double_support;  /* seconds */
    double length;          /* the foot's way between its strikes, along the progression */
    double step_length; /* of this foot's strike that ends the stride ahead of the other's before */
    double step_time;   /* from the other foot's strike to the end */
    double step_width;  /* between the same two strikes, across the progression */
    double speed;
    double cadence; /* steps per minute */
    double belt;    /* metres a second that a treadmill takes the standing foot back, which length,
                       step_length and speed hold; 0 on the floor, NaN (as they) where a treadmill's
                       is not seen */
} snw_stride;

/* What lies between two strikes of a foot but is no stride is left out: there both feet must strike
 * and leave in the order of walking or running, and its time and length must be a person's. */
typedef struct snw_strides {
    int count;
    snw_stride *stride; /* (count) by start */
    int left_out;       /* between two strikes, and no stride */
    bool is_walk;       /* no fewer strides than were left out; or no foot strikes twice, and the
                           person gets somewhere on foot */
    char reason[160];   /* one sentence, why most were left out, or why this is no walk; "" */
    snw_allocator allocator;
    size_t block_size;
} snw_strides;

SNW_API snw_status snw_strides_measure(const snw_trial *trial, const snw_gait_events *events,
                                       const snw_allocator *allocator, snw_strides **out,
                                       snw_error *error);
SNW_API void snw_strides_destroy(snw_strides *strides);

/* ---- the mean cycle ---------------------------------------------------------------------------
 */

#define SNW_CYCLE_POINTS 101 /* 0 to 100 % */

typedef struct snw_cycle {
    int count; /* strides in it; those with a gap are left out */
    double mean[SNW_CYCLE_POINTS];
    double deviation[SNW_CYCLE_POINTS]; /* standard, of a single stride; 0 for one */
} snw_cycle;

/* A column of angles over all strides of one side, linear between frames; within a frame of the
 * stride's ends the frame inside is enough. count 0: there is none. */
SNW_API void snw_cycle_mean(const snw_angles *angles, int column, const snw_strides *strides,
                            snw_side side, snw_cycle *out);

#ifdef __cplusplus
}
#endif
#endif
