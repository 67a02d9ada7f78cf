/* The whole capture by its principal components. Internal to the filling. */
#ifndef SNW_HIDDEN_LOW_RANK_H
#define SNW_HIDDEN_LOW_RANK_H

#include "base/memory.h"
#include "hidden/fill.h"
#include "hidden/principal.h"

struct snw__low_rank {
    const snw__fill *fill;
    int rank;
    bool *is_in;                      /* (marker_count) seen often enough to take part */
    snw_vec3 *mean;                   /* (marker_count) mean posture, metres */
    double *basis;                    /* (rank x 3 marker_count) orthonormal rows */
    double variance[SNW__COMPONENTS]; /* of a score, square metres */
    double keep[SNW__COMPONENTS];     /* of a score from one frame to the next */
    double *noise;   /* (marker_count) variance of a coordinate that the components leave */
    double *scale;   /* (marker_count) errors of a marker that is left out, by what is expected */
    snw_xform *pose; /* (frame_count) world_from_body */
    snw_vec3 *place; /* (frame_count x marker_count) measured, else completed; world */
    snw_vec3 *model; /* (frame_count x marker_count) as the smoothed components have it; world */
    float *doubt;    /* (frame_count x marker_count) of the model, metres */
    double *score;   /* (frame_count x rank) work, as are all below */
    double *cover;   /* (frame_count x rank (rank + 1) / 2) covariance of the scores */
    double *told;    /* (marker_count x rank x rank) information of one marker */
    double *covariance; /* (3 marker_count x 3 marker_count) of the deviations */
    void *sums;         /* (marker_count) */
    double *work;       /* (SNW__COMPONENTS x 3 marker_count) */
    double *weight;     /* (marker_count) */
    double *deviation;  /* (3 marker_count) */
    void *pca;          /* (1) snw__pca_work_size() */
};

void snw__low_rank_lay_out(snw__low_rank *low, const snw__fill *fill, snw__block *block);
/* False when there is too little to learn from. */
bool snw__low_rank_complete(snw__low_rank *low);
/* The deviation of one marker from the mean posture in the body's frame. */
snw_vec3 snw__low_rank_deviation(const snw__low_rank *low, int frame, int marker);

/* ---- scores (low_rank_smooth.c) ----------------------------------------------------------------
 */

/* Scores of one frame and their covariance. */
typedef struct snw__low_rank_state {
    double x[SNW__COMPONENTS];
    double p[SNW__COMPONENTS * SNW__COMPONENTS]; /* (rank x rank) */
} snw__low_rank_state;

/* What each marker tells of the scores, from basis and noise as they are. */
void snw__low_rank_learn_information(snw__low_rank *low);
/* The state after the markers that the frame shows; false when it is singular. */
bool snw__low_rank_see(snw__low_rank *low, int frame, snw__low_rank_state *state);
/* Covariance of marker m's place, square metres. */
void snw__low_rank_spread(const snw__low_rank *low, int m, const snw__low_rank_state *state,
                          double out[9]);
/* Where the components put every marker of a frame, and how sure that is. */
void snw__low_rank_write(snw__low_rank *low, int frame, const snw__low_rank_state *state);
/* Every frame from all frames; false when a covariance is singular. */
bool snw__low_rank_smooth(snw__low_rank *low);

/* ---- one marker by those around it (fill_pca.c) ------------------------------------------------
 */

enum {
    SNW__PCA_MARKERS = 16
};

typedef struct snw__pca_map {
    int count;
    int marker[SNW__PCA_MARKERS];           /* (count) that tell */
    double weight[3 * SNW__PCA_MARKERS][3]; /* of each of their coordinates in the hidden one's */
    double mean[3 * SNW__PCA_MARKERS];      /* of these coordinates, as deviations, metres */
    snw_vec3 place;                         /* of the hidden one where all are at their means */
} snw__pca_map;

size_t snw__pca_work_size(void);
/* False when too few markers around the gap's are seen. */
bool snw__pca_learn(const snw__low_rank *low, const snw__gap_model *model, snw__pca_map *map);
/* Where the markers that tell put the hidden one, world metres. */
snw_vec3 snw__pca_at(const snw__low_rank *low, const snw__pca_map *map, int frame);

#endif
