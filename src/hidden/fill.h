/* What the files that fill gaps share. Internal.
 *
 * A gap is one marker missing for `length` frames. Its neighbours are the markers that are usable
 * all through the gap and at its ends, the most rigid first. Everything is computed in the frame of
 * three of them: there the marker hardly moves, so there is little to guess. */
#ifndef SNW_HIDDEN_FILL_H
#define SNW_HIDDEN_FILL_H

#include <math.h>

#include <sinew/hidden.h>

/* Sizes. Neighbours beyond the twelfth made the regression worse on 60 of 84 series of gaps
 * (docs/hidden-markers.md), so they are not looked at. */
enum {
    SNW__FILL_FEATURES = 12,
    SNW__FILL_FEW = 8,                         /* the regressions on few neighbours */
    SNW__FILL_INPUTS = 3 * SNW__FILL_FEATURES, /* coordinates */
    SNW__FILL_ROW = SNW__FILL_INPUTS + 3,      /* and the marker's own three, behind them */
    SNW__FILL_EDGE = 8,                        /* samples looked at on each side of a gap */
    SNW__FILL_EDGES = 2 * SNW__FILL_EDGE,
    SNW__FILL_POINTS = 6, /* frames of a judged gap where the error is taken */
    SNW__FILL_JUDGED = 24 /* gaps of known truth at most */
};

/* `span` of a sample: measured, or filled in a gap of so many frames, or missing. */
#define SNW__SPAN_MISSING UINT16_MAX

typedef struct snw__judge snw__judge;
typedef struct snw__low_rank snw__low_rank;

typedef struct snw__fill {
    const snw_trial *trial;
    const snw_trial *body;         /* NULL: none */
    const snw__low_rank *low_rank; /* the whole capture by its components; NULL: nobody asked */
    int marker_count;
    int frame_count;
    double rate;
    int margin;         /* frames on each side of a gap in which its neighbours must be seen too */
    snw_vec3 *position; /* (frame_count x marker_count) metres */
    uint16_t *span;     /* (frame_count x marker_count) 0 = measured */
    double *cost;       /* (marker_count x marker_count) metres: how badly one marker tells where
                           another is; infinite where they are never seen together; NULL: neighbours are
                           not looked at */
    int *stamp;         /* (frame_count) row[frame] belongs to the gap of this number */
    double *row;        /* (frame_count x SNW__FILL_STRIDE) see fill_local.c */
    int *order;         /* (marker_count) work */
    int *train;         /* (frame_count) work */
    int *step;          /* (frame_count) 0, 1, 2, ... */
    double *share;      /* (frame_count x SNW__FILL_EDGES) work */
    snw_vec3 *answer;   /* (frame_count) the gap being filled, from its first frame */
    float *doubt;       /* (frame_count) its uncertainty, metres */
    snw__judge *judge;  /* work */
} snw__fill;

/* world_from_local (12: axes as rows of local_from_world, then the origin), then the row. */
#define SNW__FILL_STRIDE (12 + SNW__FILL_ROW)

static inline size_t snw__fill_at(const snw__fill *fill, int frame, int marker)
{
    return (size_t)frame * (size_t)fill->marker_count + (size_t)marker;
}

/* May this sample help to fill a gap of `length` frames? Measured ones may, and what was filled in
 * gaps at most half as long. */
static inline bool snw__fill_usable(const snw__fill *fill, int frame, int marker, int length)
{
    return 2 * (int)fill->span[snw__fill_at(fill, frame, marker)] <= length;
}

static inline bool snw__fill_measured(const snw__fill *fill, int frame, int marker)
{
    return fill->span[snw__fill_at(fill, frame, marker)] == 0;
}

/* C3D's fourth word of a computed sample: no camera saw it, and its residual is the uncertainty, in
 * whole steps from 1, because 0 is what programs write that know nothing. */
static inline float snw__computed_quality(const snw_trial *trial, double uncertainty)
{
    double step = trial->residual_scale * trial->metres_per_unit;
    if (!(step > 0)) return 0;
    return (float)snw_clamp(floor(uncertainty / step + 0.5), 1, 255);
}

/* ---- one gap -------------------------------------------------------------------------------- */

typedef struct snw__gap_model {
    const snw__fill *fill;
    int number; /* of the gap, for the stamps; from 1 */
    int marker;
    int from, to; /* frames [from, to) */
    int feature_count;
    int feature[SNW__FILL_FEATURES];
    bool has_frame;     /* three neighbours give a frame */
    int corner[3];      /* markers of the frame */
    double shape[3][2]; /* their mean places in their plane, about their centroid, metres */
    int train_count;
    int *train; /* (train_count) frames, ascending, where the marker and all features are known */
} snw__gap_model;

/* Chooses neighbours, frame and training frames. */
void snw__gap_model_make(snw__gap_model *model, const snw__fill *fill, int number,
                         const snw_filled_gap *gap);
/* The row of a frame: features in the local frame, then the marker itself (not a number where it is
 * missing). NULL where a feature or the frame is missing. Kept until the next gap. */
const double *snw__gap_row(const snw__gap_model *model, int frame);
/* Is the marker usable all through the gap and beside it? */
bool snw__gap_shows(const snw__gap_model *model, int marker);
/* From and to the local frame of a row. */
snw_vec3 snw__row_world(const double *row, snw_vec3 local);
snw_vec3 snw__row_local(const double *row, snw_vec3 world);
/* How badly each marker tells where another is. */
void snw__fill_costs(snw__fill *fill);
/* The same for one marker and all others. */
void snw__fill_cost_row(snw__fill *fill, int marker);

/* ---- regressions ----------------------------------------------------------------------------- */

/* Sums of rows and of their products: enough for the regression, and rows can be taken out again.
 */
typedef struct snw__moments {
    int size; /* of a row in use: inputs, then 3 */
    double count;
    double sum[SNW__FILL_ROW];
    double product[SNW__FILL_ROW * SNW__FILL_ROW]; /* lower triangle */
} snw__moments;

/* base = mean_y + (x - mean_x) W for the first `inputs` coordinates of a row. */
typedef struct snw__regression {
    int inputs;
    double mean[SNW__FILL_ROW];
    double weight[SNW__FILL_INPUTS][3];
} snw__regression;

/* Rows as they are; rows less the mean of those `half` frames before and after. False: too few. */
bool snw__moments_of_places(const snw__gap_model *model, snw__moments *moments);
bool snw__moments_of_changes(const snw__gap_model *model, int half, snw__moments *moments);
/* Takes out what frames [from, to) told. */
void snw__moments_forget_places(const snw__gap_model *model, int from, int to, snw__moments *m);
void snw__moments_forget_changes(const snw__gap_model *model, int half, int from, int to,
                                 snw__moments *moments);
/* Ridge regressions on all inputs and on the first `few`. `places` gives the means; moments of
 * changes have none of their own. False: singular. */
bool snw__regress(const snw__moments *moments, const snw__moments *places, int few,
                  snw__regression *all_inputs, snw__regression *few_inputs);
snw_vec3 snw__regression_base(const snw__regression *regression, const double *row, int size);

/* ---- bridges: a residual known beside a gap, carried across it ------------------------------- */

typedef enum snw__bridge_kind {
    SNW__BRIDGE_LINEAR,
    SNW__BRIDGE_SPLINE, /* cubic smoothing spline */
    SNW__BRIDGE_MATERN  /* Gaussian process, Matern 5/2: forgets, so that a long gap has the
                           prediction alone in its middle */
} snw__bridge_kind;

typedef struct snw__bridge {
    snw__bridge_kind kind;
    double seconds; /* MATERN: correlation time */
    double noise;   /* of a sample: variance against that of the process (MATERN), or the smoothing
                       parameter in cubic frames (SPLINE) */
} snw__bridge;

/* Frames beside a gap whose samples are built upon, relative to the gap's first frame. */
typedef struct snw__gap_edges {
    int count;
    int frame[SNW__FILL_EDGES]; /* < 0 before the gap, >= its length behind it */
} snw__gap_edges;

/* weight (edges->count): the share of each edge at frame `at` for each of at_count frames. False
 * when there is no edge. */
bool snw__bridge_weights(const snw__bridge *bridge, const snw__gap_edges *edges, double rate,
                         const int *at, int at_count, double *weight);

/* ---- the judgement ----------------------------------------------------------------------------
 */

size_t snw__judge_size(void);
/* Does the body, or the capture's components, tell of this marker? */
bool snw__gap_has(const snw__gap_model *model, snw_fill_method method);
/* Fills one gap: fill->answer gets world positions, fill->doubt metres; the outcome goes to *gap.
 */
void snw__gap_fill(const snw__gap_model *model, snw_fill_method method, snw_filled_gap *gap);

#endif
