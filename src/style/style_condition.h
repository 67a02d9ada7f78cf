/* What a style expects of the features that are not known, frame after frame. Internal. */
#ifndef SNW_STYLE_STYLE_CONDITION_H
#define SNW_STYLE_STYLE_CONDITION_H

#include "base/memory.h"
#include "style/style.h"

/* The conditional mean of a style, its factors kept as long as the same features are known. */
typedef struct snw__style_condition {
    const snw_style *style;
    bool *is_known;   /* (feature_count) */
    double *factor;   /* (component_count x dimension_count^2) */
    double *base;     /* (component_count) what of log p does not depend on the features */
    double *z;        /* (component_count x dimension_count) */
    double *share;    /* (component_count) of each component, given the known features */
    double *variance; /* (component_count x feature_count) of the features that are not known */
    bool has_factor;
} snw__style_condition;

/* Takes the arrays; style is set by the caller. */
void snw__style_condition_lay_out(snw__style_condition *condition, snw__block *block);
/* From now on these features (feature_count) are known. True: others than before. */
bool snw__style_condition_know(snw__style_condition *condition, const bool *is_known);
/* The means of the features that are not known, given the others in `features`, by all components
 * as far as they explain these; the known ones are copied. variance (feature_count) or NULL: of the
 * mixture, square radians. */
void snw__style_condition_mean(snw__style_condition *condition, const double *features,
                               double *mean, double *variance);

#endif
