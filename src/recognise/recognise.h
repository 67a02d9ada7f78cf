/* How a person is found in points: data of one search. Internal. */
#ifndef SNW_RECOGNISE_RECOGNISE_H
#define SNW_RECOGNISE_RECOGNISE_H

#include <string.h>

#include <sinew/recognise.h>

#include "math/spectral.h"
#include "recognise/linear_assignment.h"
#include "recognise/template_fit.h"

enum {
    SNW__RECOGNISE_POINTS = 160, /* looked at, at most */
    SNW__RECOGNISE_FRAMES = 160,
    SNW__RECOGNISE_HYPOTHESES = 24,
};
/* Of several people. */
enum {
    SNW__PEOPLE_MAX = 4,                           /* looked for, at most */
    SNW__PEOPLE_POINTS = 2 * SNW__RECOGNISE_POINTS /* of all of them */
};
#define SNW__RECOGNISE_PAIRS (4 * SNW__RECOGNISE_POINTS)

/* What a point is taken for: a site (0 .. site_count - 1), no site of segment s (site_count + s),
 * or nothing (-1). */
/* Which segments the points show. */
typedef enum snw__plan {
    SNW__PLAN_BODY,
    SNW__PLAN_LEGS,    /* with the pelvis */
    SNW__PLAN_ARMLESS, /* legs, trunk and head */
    SNW__PLAN_UPPER_BODY /* pelvis and what is above */,
    SNW__PLAN_COUNT
} snw__plan;

typedef struct snw__hypothesis {
    snw__plan plan;
    int start_frame;   /* number among the sampled ones */
    double likelihood; /* of the start: negative logarithm, the less the better */
    snw__template_pose start;
    double cost;        /* of the whole: negative logarithm */
    double points_cost; /* of the points alone, without poses and stature */
    double log_stature;
    int choice[SNW__RECOGNISE_POINTS];
    double price[SNW__RECOGNISE_POINTS]; /* of the choice */
    snw_vec3 at[SNW__RECOGNISE_POINTS];  /* on the segment of the choice, in statures */
} snw__hypothesis;

/* Where a point is on average in the axes of a segment, in statures, and how much it strays from
 * there. */
typedef struct snw__local_place {
    snw_vec3 mean;
    double variance;
} snw__local_place;

/* A pose of the person in one frame. */
typedef struct snw__start_place {
    double likelihood;
    int frame;
    snw__template_pose pose;
} snw__start_place;

/* One Gaussian of a mixture: a site, or the flesh of a segment. */
typedef struct snw__start_part {
    int segment;
    snw_vec3 place;
    double inverse[3]; /* of the variances */
    double weight;     /* share and height */
    double pull;       /* inverse of the mean variance */
} snw__start_part;

typedef struct snw__start_mixture {
    int count;
    snw__start_part part[SNW__SITE_MAX + SNW__SEGMENT_COUNT];
    double outlier;
} snw__start_mixture;

/* What recognise_start.c works on. */
typedef struct snw__start_work {
    snw__start_mixture mixture;
    snw__start_place coarse[SNW__RECOGNISE_HYPOTHESES];
    snw__start_place improved[SNW__RECOGNISE_HYPOTHESES];
    snw__start_place best[SNW__RECOGNISE_HYPOTHESES];
} snw__start_work;

/* A segment in every frame, and one point seen from it. */
typedef struct snw__look_work {
    snw_xform segment[SNW__RECOGNISE_FRAMES];
    double stature[SNW__RECOGNISE_FRAMES];
    snw_vec3 at[SNW__RECOGNISE_FRAMES];
} snw__look_work;

typedef struct snw__recognise_work {
    const snw_trial *trial;
    int point_count;
    int marker[SNW__RECOGNISE_POINTS]; /* of the trial */
    int frame_count;
    int frame[SNW__RECOGNISE_FRAMES]; /* of the trial */
    snw_vec3 *position;               /* (frame_count x point_count) */
    bool *is_seen;                    /* (frame_count x point_count) */
    int site_count;
    snw__site *site;             /* (SNW__SITE_MAX) */
    double share[SNW__SITE_MAX]; /* how often the site has a marker; 0 where the plan lacks it */
    bool has_segment[SNW__SEGMENT_COUNT];
    snw__template_problem *problem;
    snw__start_work *start;
    snw__look_work *look;
    snw__template_pair *pair;                      /* (SNW__RECOGNISE_PAIRS) */
    snw__template_pose *pose;                      /* (frame_count) */
    snw__local_place (*local)[SNW__SEGMENT_COUNT]; /* (point_count) */
    double (*loose)[SNW__SEGMENT_COUNT]; /* (point_count) cost of not being rigid with it */
    double *varies; /* (point_count x point_count) standard deviation of distances, metres */
    bool *is_apart; /* (point_count x point_count) never seen together: may be one marker */
    double *cost;   /* (point_count x (site_count + point_count)) */
    int hypothesis_count;
    snw__hypothesis *hypothesis; /* (SNW__RECOGNISE_HYPOTHESES) */
    snw__assignment_work assignment;
    snw_allocator allocator;
    size_t block_size;
} snw__recognise_work;

static inline snw_vec3 snw__point_at(const snw__recognise_work *work, int frame, int point)
{
    return work->position[frame * work->point_count + point];
}

static inline bool snw__point_is_seen(const snw__recognise_work *work, int frame, int point)
{
    return work->is_seen[frame * work->point_count + point];
}

/* computed_points.c: why a point of the trial is no marker. */
typedef enum snw__computed_reason {
    SNW__COMPUTED_NOT,
    SNW__COMPUTED_FLAT,     /* a coordinate never changes */
    SNW__COMPUTED_QUANTITY, /* it is about the origin, or where the body is not */
    SNW__COMPUTED_AXIS,     /* with others it is a set of axes */
    SNW__COMPUTED_COUNT
} snw__computed_reason;
static inline bool snw__is_computed(const snw_recognised *recognised, int marker)
{
    return strncmp(recognised->marker[marker].name, "Computed", 8) == 0;
}
/* reason: of each marker of the trial. */
snw_status snw__computed_points_find(const snw_trial *trial, const snw_allocator *allocator,
                                     snw__computed_reason *reason, snw_error *error);

/* recognise_work.c: markers that are seen long enough, were not computed and are no standing
 * objects. Returns how many; whole: the same, each counted by the share of the trial in which it is
 * seen, which may be more than fit: no marker set has so many. */
int snw__recognise_points(const snw_trial *trial, const snw_recognised *recognised,
                          int marker[SNW__PEOPLE_POINTS], double *whole);
snw_status snw__recognise_open(const snw_trial *trial, const int *marker, int point_count,
                               const snw_allocator *allocator, snw__recognise_work **out,
                               snw_error *error);
void snw__recognise_close(snw__recognise_work *work);
/* Looks for the sites of one plan from now on. */
void snw__recognise_plan(snw__recognise_work *work, snw__plan plan);
/* What a stature costs, and a body of which only a part is marked. */
double snw__recognise_unusual(snw__plan plan, double log_stature);
/* What it costs that the body points down: people stand on their feet, and laboratories count
 * heights upwards. */
double snw__recognise_overturned(const snw__recognise_work *work, snw_quat pelvis);
/* recognise_start.c: poses of the person in single frames, the likeliest first. Returns how many.
 */
int snw__recognise_starts(snw__recognise_work *work, snw__plan plan, snw__hypothesis *out, int max);
/* The pose of a start, drawn to the points of its frame anew from mixtures that begin so wide. */
void snw__recognise_restart(snw__recognise_work *work, snw__hypothesis *hypothesis, double width);
/* recognise_track.c: follows the points through all frames from the start and decides what each is,
 * in a few rounds. Gives up where the cost stays above `enough`. */
void snw__recognise_track(snw__recognise_work *work, snw__hypothesis *hypothesis, double enough);
/* The same, until it settles. */
void snw__recognise_settle(snw__recognise_work *work, snw__hypothesis *hypothesis);

/* recognise_search.c: the best answer, and by how much it is likelier than any that puts many
 * points elsewhere; NULL: none. */
const snw__hypothesis *snw__recognise_search(snw__recognise_work *work, double *margin);
/* The segment of a choice; -1: nothing. */
int snw__choice_segment(const snw__recognise_work *work, int choice);

/* worn_set.c: the known marker set that the points are most like; "": none. */
const char *snw__recognise_set(const snw__recognise_work *work, const snw__hypothesis *best);

/* ---- several people ------------------------------------------------------------------------- */

/* Which points stay near each other. */
typedef struct snw__people_parting {
    int count;
    int order[SNW__PEOPLE_POINTS];     /* parents first */
    int parent[SNW__PEOPLE_POINTS];    /* -1: the first */
    double length[SNW__PEOPLE_POINTS]; /* metres: of the edge to the parent */
    snw__spectral spectral;
    bool has_spectrum;
    snw__block block; /* released by who opened it */
} snw__people_parting;

snw_status snw__people_open(const snw_trial *trial, const int *marker, int count,
                            const snw_allocator *allocator, snw__people_parting *people,
                            snw_error *error);
/* person (count): from 0, of each point, for so many people, by the longest edges of the tree or by
 * the spectrum. False: there are not so many. */
bool snw__people_part_by_cuts(const snw__people_parting *tree, int people, int *person);
/* The same where they are farther apart than any two neighbours of one person; how many. */
int snw__people_part_apart(const snw__people_parting *tree, int *person);
bool snw__people_part_by_spectrum(snw__people_parting *people, int count, int *person);

#endif
