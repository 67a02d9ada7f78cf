/* Poses to a mixture: what the learner fills and the fit works in. Internal. */
#ifndef SNW_STYLE_STYLE_MIXTURE_H
#define SNW_STYLE_STYLE_MIXTURE_H

#include "base/memory.h"
#include "style/style.h"

/* Poses as rows of features, and what the fit needs on the way to `style`. */
typedef struct snw__mixture {
    int frames, features, components, dimensions;
    double shrinkage;
    double *x;         /* (frames x features) */
    double *count;     /* (frames) as how many poses each counts; their sum is `frames` */
    double *r;         /* (frames x components) responsibilities times count */
    double *all_mean;  /* (features) */
    double *all;       /* (features x features) covariance of all frames */
    double *s;         /* (features x features) of one component */
    double *values;    /* (features) */
    double *vectors;   /* (features x features) */
    double *w, *a;     /* (dimensions x features) rows are columns of W and A */
    double *small;     /* (4 x dimensions x dimensions) */
    int *cluster;      /* (frames) */
    double *distance2; /* (frames) */
    snw_style *style;  /* with room for what is found */
} snw__mixture;

/* Takes the arrays by the counts, as layouts do. */
void snw__mixture_lay_out(void *object, snw__block *block);
/* x, count and style are there; fills the style's components and the report. */
snw_status snw__mixture_fit(snw__mixture *mixture, const snw_style_options *options,
                            snw_style_report *report);

#endif
