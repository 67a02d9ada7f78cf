/* What it costs to call two limbs neighbours. Internal. */
#ifndef SNW_CALIBRATE_EDGE_H
#define SNW_CALIBRATE_EDGE_H

#include "base/memory.h"
#include "center/pair.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* All pairs of limbs, judged. */
typedef struct snw__edges {
    const snw__samples *samples;
    const snw__rigids *rigids;
    double scale;           /* usual distance of a limb from the nearest other one, metres */
    double usual_looseness; /* of any two limbs, nats */
    int seen_max;           /* largest of seen_count, 1 at least */
    int *seen_count;        /* (limb_count x limb_count) frames that show both */
    double *looseness;      /* (limb_count x limb_count) nats; infinite: not judged */
    double *objection;      /* (limb_count x limb_count) nats for slips beyond the noise */
    double *reach;          /* (limb_count x limb_count) from the centre to both limbs, metres */
    double *apart;          /* (limb_count x limb_count) between the limbs' origins, metres */
    double *residual;       /* (limb_count x limb_count) metres */
    double *in_lab;         /* (limb_count) looseness against the lab */
    double *correlation;    /* (limb_count) of the limb's residuals from frame to frame, 0..1 */
    double *work;           /* (limb_count x limb_count) */
    snw__limb_pose *lab;    /* (frame_count) a limb that never moves */
} snw__edges;

/* Takes the arrays; twice, as all blocks. */
void snw__edges_lay_out(snw__edges *edges, snw__block *block);
/* Judges all limbs that have poses, in pairs and against the lab. */
void snw__edges_judge_all(snw__edges *edges);
/* Judges one pair, when a limb has received poses. */
void snw__edges_judge(snw__edges *edges, int i, int j);
/* Nats; infinite where nothing is known. */
double snw__edge_cost(const snw__edges *edges, int i, int j);

#endif
