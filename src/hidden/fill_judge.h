/* Candidates that fill a gap, and the judgement on them. Internal to the filling.
 *
 * A candidate is a base (what is predicted) with a bridge (how the residual beside the gap is
 * carried across it). */
#ifndef SNW_HIDDEN_FILL_JUDGE_H
#define SNW_HIDDEN_FILL_JUDGE_H

#include "hidden/fill.h"
#include "hidden/hidden_constants.h"
#include "hidden/low_rank.h"

typedef enum snw__base {
    SNW__BASE_WORLD,       /* nothing: the path itself is bridged, in the room's axes */
    SNW__BASE_FRAME,       /* the mean place among the neighbours */
    SNW__BASE_PLACES,      /* regression on places, all neighbours */
    SNW__BASE_PLACES_FEW,  /* and the nearest */
    SNW__BASE_CHANGES,     /* regression on changes */
    SNW__BASE_CHANGES_FEW, /* and the nearest */
    SNW__BASE_BODY,        /* the solved body */
    SNW__BASE_PCA,         /* principal components of the markers around it */
    SNW__BASE_LOW_RANK,    /* smoothed components of the whole capture */
    SNW__BASES
} snw__base;

/* Correlation times in steps of about three cover skin (a tenth of a second) to posture (seconds);
 * a sample's noise is a thousandth of the variance of what it shows. The splines: one that trusts
 * the samples, one for noise of the size that 120 frames a second of arm motion have. */
enum {
    SNW__BRIDGE_OF_LINE,
    SNW__BRIDGE_TRUSTING,
    SNW__BRIDGE_SMOOTHING,
    SNW__BRIDGE_SHORT,
    SNW__BRIDGE_BRIEF,
    SNW__BRIDGE_MIDDLE,
    SNW__BRIDGE_LONG,
    SNW__BRIDGES
};

typedef struct snw__fill_candidate {
    snw__base base;
    int bridge;
    snw_fill_method method; /* what it is called */
} snw__fill_candidate;

enum {
    SNW__FILL_CANDIDATES = 35,
    SNW__ENDS = 3 /* samples on each side that are themselves judged before they are built upon */
};

extern const snw__bridge snw__bridge_list[SNW__BRIDGES];
extern const snw__fill_candidate snw__fill_candidates[SNW__FILL_CANDIDATES];
/* Frames from a gap whose samples are built upon: dense at the gap, where speed is told, then
 * thinner, to average noise. */
extern const int snw__edge_offset[SNW__FILL_EDGE];

struct snw__judge {
    snw__moments places, changes, less_places, less_changes;
    snw__regression regression[SNW__BASES]; /* of SNW__BASE_PLACES to SNW__BASE_CHANGES_FEW */
    bool has_places, has_changes, has_pca;
    snw__pca_map pca;
    bool is_open[SNW__FILL_CANDIDATES];
    double growth[SNW__BASES];   /* of the errors, from judged gaps to this one */
    double growth_doubt;         /* by which that may be too little, as a factor */
    int half;                    /* frames between the rows of a change */
    int length;                  /* of the judged gaps */
    int whole;                   /* frames of the gap that they stand for */
    snw__gap_edges edges;        /* of a judged gap */
    int point[SNW__FILL_POINTS]; /* frames of it that are judged */
    int point_count;
    double share[SNW__BRIDGES][SNW__FILL_POINTS * SNW__FILL_EDGES];
    double end_share[2][SNW__ENDS * SNW__FILL_EDGES]; /* weights that tell end samples */
    int count;                                        /* judged gaps */
    int from[SNW__FILL_JUDGED];                       /* their first frames */
    double error[SNW__FILL_JUDGED][SNW__FILL_POINTS][SNW__FILL_CANDIDATES][3];
    double misfit[SNW__ENDS][2 * SNW__FILL_JUDGED]; /* of end samples */
    int misfit_count;
    double product[SNW__FILL_CANDIDATES * SNW__FILL_CANDIDATES];
    double weight[SNW__FILL_CANDIDATES];
    double profile[SNW__FILL_POINTS];      /* rms error of the mixture at each point, metres */
    double share_of_gap[SNW__FILL_JUDGED]; /* weight of a judged gap */
    double trust[SNW__FILL_CANDIDATES];    /* inverse variances of the candidates' own errors */
    double ambiguity; /* rms over judged gaps of how far candidates differ, metres */
};

/* ---- bases (fill_candidate.c) -----------------------------------------------------------------
 */

/* Which candidates there are for this gap. */
void snw__candidates_open(const snw__gap_model *model, snw_fill_method method);
void snw__bases_in_use(const snw__judge *judge, bool is_used[SNW__BASES]);
/* Regressions without the frames [from, to); from == to: with all. */
void snw__bases_learn(const snw__gap_model *model, int from, int to);
/* The residuals of all open bases at the edges of a gap that starts at `from`. */
void snw__bases_see(const snw__gap_model *model, int from, const snw__gap_edges *edges,
                    const bool *is_used, snw_vec3 residual[SNW__BASES][SNW__FILL_EDGES]);
snw_vec3 snw__bridge_carry(const snw_vec3 *residual, const double *share, int count);
/* What a candidate says about a frame, local metres: its base, and the base's residuals beside the
 * gap carried there by their shares. */
snw_vec3 snw__candidate_at(const snw__gap_model *model, int candidate, int frame,
                           const snw_vec3 *residual, const double *share, int count);
/* The marker itself in a row where it is seen. */
snw_vec3 snw__row_marker(const snw__gap_model *model, const double *row);
/* Is the marker measured in this frame, and are its neighbours there? */
bool snw__gap_knows(const snw__gap_model *model, int frame);

/* ---- judged gaps and weights (fill_judge.c) ----------------------------------------------------
 */

/* Points, edges and bridges of judged gaps of this length. */
void snw__judge_prepare(const snw__gap_model *model, int length, int edge_count, bool has_before,
                        bool has_after);
void snw__judge_gaps(const snw__gap_model *model, const bool *is_used);
void snw__judge_weigh(snw__judge *judge);
/* How far candidates differ from their mixture at one place: squared metres, weighed by trust.
 * guess (SNW__FILL_CANDIDATES): what each says, or is off by. */
double snw__judge_ambiguity(const snw__judge *judge, const snw_vec3 *guess);

/* ---- samples beside a gap (fill_ends.c) --------------------------------------------------------
 */

/* The base by which end samples are told: the surest that is there. */
snw__base snw__end_base(const snw__judge *judge, const snw__gap_model *model);
/* Weights that tell each end sample of a side from all samples but the ends of that side. */
void snw__ends_prepare(snw__judge *judge, const snw__gap_edges *edges, int length, double rate);
/* How far the end samples lie from where the others put them; -1 where there are none. */
void snw__end_misfits(const snw__judge *judge, const snw_vec3 *residual,
                      const snw__gap_edges *edges, int length, int side, double misfit[SNW__ENDS]);
/* Leaves out end samples that do not fit; how many. */
int snw__ends_distrust(const snw__gap_model *model, snw__gap_edges *edges);
/* Takes a kink out of the answer's ends. */
void snw__ends_ease(const snw__gap_model *model, const snw__gap_edges *edges);

#endif
