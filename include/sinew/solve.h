/* sinew/solve.h - the main job: a capture and nothing else in, moving bodies and what to believe of
 * them out.
 *
 *     snw_trial *trial = NULL;
 *     snw_solution *solution = NULL;
 *     snw_error error;
 *     if (snw_read_trial_file("walk.c3d", NULL, NULL, &trial, NULL, &error) == SNW_OK &&
 *         snw_solve(trial, NULL, NULL, &solution, &error) == SNW_OK)
 *         puts(snw_verdict_name(solution->verdict));               // "green"
 *     snw_solution_destroy(solution);
 *     snw_trial_destroy(trial);
 *
 * The steps, in this order: samples at exactly 0 0 0 are missing ones; pieces of trajectories are
 * joined; where a tenth of the samples drop out here and there, gaps of a tenth of a second are
 * bridged (not live); a person is recognised in markers that nobody named, who get names, and
 * pieces of one name are joined; labels that jump or change places are put right; markers that slip
 * on their segment are brought back; segments; joints and bones; every frame's pose; the motion
 * smoothed where that is asked for; the actor as the trial shows it; distances of the markers;
 * judgements. Each step is a public function of its own; this one owns the order. Where three
 * labels or more are not understood and the body is red or lacks great joints, the capture is read
 * a second time as if nobody had named it; the reading that is better in one respect (the gravest
 * judgement, the great joints that have names) and worse in none is kept, and a note says so. Where
 * the file does not say which way is up, the people do: solution->trial->up.
 *
 * Live (snw_live_body, and snw_solve_options.is_live, which runs the same step over a capture)
 * every frame's pose comes from that frame and those before. Offline adds what needs the frames to
 * come: joints that are hidden go from what they did before to what they do after, and joints that
 * jump are mended (snw_actor_solve); pieces are joined, exchanged labels and slips put right
 * (is_live leaves slips where they are); the motion may be smoothed.
 *
 * Options that are NULL or all zero mean the defaults, an allocator that is NULL means malloc,
 * errors may be NULL. Any thread. A solution is the caller's to read; nothing in it changes.
 */
#ifndef SINEW_SOLVE_H
#define SINEW_SOLVE_H

#include <sinew/calibrate.h>
#include <sinew/judge.h>
#include <sinew/recognise.h>
#include <sinew/track.h>
#include <sinew/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- live ---------------------------------------------------------------------------------- */

/* One body, frame by frame. Belongs to one thread at a time. */
typedef struct snw_live_body snw_live_body;

typedef struct snw_live_body_options {
    const snw_tracker_options *tracker; /* style, rate, ...; NULL: as the tracker has them */
    const snw_segments *segments; /* of the frames' markers: hidden ones are predicted by them (see
                                     snw_predictor_create) before the body looks; NULL: not */
    uint64_t reserved[4];         /* 0; later versions grow here */
} snw_live_body_options;

SNW_API snw_live_body_options snw_live_body_options_default(void);

/* Takes all memory. names: of the markers in a frame, in the order of its samples. The actor must
 * outlive it. A prediction needs options->tracker->rate. */
SNW_API snw_status snw_live_body_create(const snw_actor *actor, const snw_name_list *names,
                                        const snw_live_body_options *options,
                                        const snw_allocator *allocator, snw_live_body **out,
                                        snw_error *error);
/* The same for the frames of a trial; its samples are not looked at. */
SNW_API snw_status snw_live_body_create_for_trial(const snw_actor *actor, const snw_trial *trial,
                                                  const snw_live_body_options *options,
                                                  const snw_allocator *allocator,
                                                  snw_live_body **out, snw_error *error);
SNW_API void snw_live_body_destroy(snw_live_body *live);
/* The pose of this frame (snw_tracker_step). No allocation, no NaN. */
SNW_API snw_track snw_live_body_step(snw_live_body *live, const snw_frame *frame, snw_pose *pose);
/* What steps, for what else is known of a frame (snw_tracker_observability). */
SNW_API snw_tracker *snw_live_body_tracker(snw_live_body *live);

/* ---- live, without labels ------------------------------------------------------------------ */

/* Points that nobody named become the markers of an actor: found among all points by the distances
 * within its segments and across its joints, then followed from frame to frame, and found again
 * after a dropout. Belongs to one thread at a time. */
typedef struct snw_live_labels snw_live_labels;

/* Points of one frame. */
typedef struct snw_loose_points {
    const snw_vec3 *place; /* (count) metres */
    bool *is_taken;        /* (count) somebody's already; those that are found become so */
    int count;
} snw_loose_points;

/* Takes all memory, for up to `point_max` points; more are not looked at. rate: frames a second.
 * The actor must outlive it. SNW_DEGENERATE where no segment has three markers: nothing to begin
 * with. */
SNW_API snw_status snw_live_labels_create(const snw_actor *actor, double rate, int point_max,
                                          const snw_allocator *allocator, snw_live_labels **out,
                                          snw_error *error);
SNW_API void snw_live_labels_destroy(snw_live_labels *labels);
/* point_of (marker_count of the actor): the point that is the marker, -1: it is hidden. Returns how
 * many were found; 0: the person is not there. No allocation. */
SNW_API int snw_live_labels_step(snw_live_labels *labels, const snw_loose_points *points,
                                 int *point_of);
/* What a tracker made of the last step: where hidden markers are to be expected, and whether the
 * labels can be right. Where they cannot, the next step looks for the person anew. */
SNW_API void snw_live_labels_learn(snw_live_labels *labels, const snw_track *track,
                                   const snw_pose *pose);

/* ---- live, less shaking -------------------------------------------------------------------- */

/* A low pass of poses with a bounded lag (after Casiez, Roussel & Vogel 2012): at rest it lags by
 * 1 / (2 pi cutoff) seconds; who moves faster is filtered less, so that no joint is ever turned by
 * more than a degree, and the body displaced by more than 5 mm, from where a steady motion has it.
 * Belongs to one thread at a time. */
typedef struct snw_live_filter snw_live_filter;

/* cutoff: Hz; rate: frames a second. */
SNW_API snw_status snw_live_filter_create(const snw_skeleton *skeleton, double cutoff, double rate,
                                          const snw_allocator *allocator, snw_live_filter **out,
                                          snw_error *error);
SNW_API void snw_live_filter_destroy(snw_live_filter *filter);
/* The pose as it is shown; world is filled. No allocation. */
SNW_API void snw_live_filter_step(snw_live_filter *filter, snw_pose *pose);
/* Seconds by which a motion of this speed (radians a second) lags. */
SNW_API double snw_live_filter_lag(const snw_live_filter *filter, double speed);

/* ---- what is found ------------------------------------------------------------------------- */

/* One body of a capture. */
typedef struct snw_solved_body {
    int joint_count;
    int marker_count;           /* that it carries */
    snw_actor *kept;            /* as it was calibrated or given: for the next trial */
    snw_actor *actor;           /* as this trial shows it (snw_actor_describe) */
    snw_motion *motion;         /* of the kept actor's skeleton */
    snw_solve_report report;    /* how the frames went */
    snw_residuals *residuals;   /* how far the markers lie from it */
    snw_notes *notes;           /* of its calibration, the first body's also of all bodies */
    snw_judgements *judgements; /* what to know before using it */
    double pixels;              /* median distance of its markers from where cameras saw them; 0:
                                   no sights */
    int sight_count;            /* of these */
    int refusal;                /* the judgement by which the motion is no success; -1: none */
    snw_smoothing *smoothing;   /* (joint_count) how it was smoothed; NULL: it is raw */
    bool *style_knows;          /* (joint_count) what the style tells where it is hidden; NULL: no
                                   style */
} snw_solved_body;

/* Everything; what a solve that stops early did not come to is NULL and zero. */
typedef struct snw_solution {
    snw_trial *trial; /* the capture as it was solved */
    int join_count;   /* trajectories that follow another one in the same marker */
    snw_recognition recognition;
    snw_slips slips;        /* markers that slipped and were brought back */
    snw_segments *segments; /* NULL: they were given, or an actor */
    double calibrated;      /* seconds of the capture that made the actors; 0: one was given */
    int body_count;
    snw_solved_body *body; /* (body_count) actors in the capture's order */
    int gravest;           /* the body with the gravest verdict, the first of them */
    snw_verdict verdict;   /* of that body */
    snw_notes *notes;      /* what was done to the capture, up to the segments */
    snw_allocator allocator;
} snw_solution;

SNW_API void snw_solution_destroy(snw_solution *solution);

/* ---- solving ------------------------------------------------------------------------------- */

/* Where a solve stops. */
typedef enum snw_solve_stage {
    SNW_SOLVE_ALL,      /* at the end */
    SNW_SOLVE_PREPARED, /* before segments are sought: the capture is ready */
    SNW_SOLVE_SEGMENTS, /* before joints are sought */
    SNW_SOLVE_ACTORS,   /* before frames are solved: bodies have `kept` and notes alone */
    SNW_SOLVE_STAGE_COUNT
} snw_solve_stage;

/* All zero: the defaults. */
typedef struct snw_solve_options {
    /* Steps that are left out. */
    bool keeps_zeros;       /* samples at exactly 0 0 0 are places */
    bool skips_join;        /* unlabelled trajectories are markers, pieces or not */
    bool skips_recognition; /* nobody is looked for in markers that nobody named */
    bool keeps_swaps;       /* labels that change places stay, jumps too */
    bool keeps_open_swaps;  /* labels that change places for good stay */
    bool keeps_slips;       /* markers that slip on their segment stay */
    snw_solve_stage stops_after;
    /* Steps in another way. */
    bool is_live;   /* frame by frame, none seen beforehand; slips stay */
    bool is_smooth; /* the motion smoothed over the whole trial; not live */
    snw_segment_method segment_method;
    const snw_center_method *method; /* places the joints; NULL: see snw_actor_options */
    const char *root;                /* the segment that is the root; NULL: chosen */
    int part;                        /* one body alone, from 1; 0: all actors */
    double calibrate_seconds; /* only the start of the capture makes the skeleton; 0: all of it */
    const snw_style *style;   /* segments that nothing shows, as it expects them; NULL: none */
    /* Steps whose result is brought. It must be of the markers of the prepared capture. */
    const snw_solution *prepared; /* of a solve that stopped there: the capture that is given is its
                                     trial, or that with other labels or samples. Its notes and
                                     what it recognised hold, zeros and joining are done; NULL */
    const snw_labels *labels;     /* what the names say; NULL: read */
    const snw_segments *segments; /* NULL: found */
    snw_text marker_set;          /* segments by snw_segments_from_set; bytes NULL: not */
    snw_text correlation;         /* for the marker set; bytes NULL: none */
    const snw_tree *tree;         /* which segment hangs from which; NULL: found */
    const snw_trial *still; /* the same person standing still: what it tells of hips, knees and
                               ankles (snw_actor_options); NULL */
    const snw_actor *actor; /* the person, from another trial; labels and slips stay as they are,
                               for nothing is calibrated; NULL: found */
    const snw_view_sights *sights; /* what cameras saw of the trial's markers: bodies are fitted to
                                      the pictures, with constant bones, and not to the trial alone;
                                      live: not used; NULL */
    /* Watching. Nonzero cancels: SNW_CANCELLED. Asked before each step, live before each frame. */
    int (*progress)(void *context, const char *step, double share);
    void *progress_context;
    /* Takes each live frame; must call snw_live_body_step. For clocks. NULL: nobody. */
    snw_track (*step)(void *context, snw_live_body *live, const snw_frame *frame, snw_pose *pose);
    void *step_context;
    uint64_t reserved[2]; /* 0; later versions grow here */
} snw_solve_options;

SNW_API snw_solve_options snw_solve_options_default(void);

/* Every actor of the capture, or the one body that is asked for. The trial stays as it is. Fails as
 * the steps do, with nothing left behind. */
SNW_API snw_status snw_solve(const snw_trial *trial, const snw_solve_options *options,
                             const snw_allocator *allocator, snw_solution **out, snw_error *error);

/* Adds what to know of a labelled capture whose numbers come from its markers alone (gait, angles):
 * snw_judge_labels, and what is grave of the body that it makes. One that makes none is amber;
 * fails where memory ends. */
SNW_API snw_status snw_solve_judge(const snw_trial *trial, const snw_allocator *allocator,
                                   snw_judgements *out, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
