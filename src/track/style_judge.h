/* How much a style knows of the body that is being tracked. Internal.
 *
 * One segment after another is thought away while it is seen: where would the style have put it,
 * had it vanished a second ago? Between that and the rotation it had then, the share of the style
 * that leaves the least squares is what it gets when the segment really vanishes; what is left is
 * told as uncertainty. */
#ifndef SNW_TRACK_STYLE_JUDGE_H
#define SNW_TRACK_STYLE_JUDGE_H

#include "person/movement.h"
#include "track/style_body.h"

/* All joints at one moment. */
typedef struct snw__style_moment {
    double *features;   /* (feature_count) */
    snw_quat *rotation; /* (joint_count) */
    bool *is_seen;      /* (joint_count) */
    int64_t frame;      /* -1: there is none */
} snw__style_moment;

void snw__style_moment_lay_out(const snw__style_body *body, snw__style_moment *moment,
                               snw__block *block);
void snw__style_moment_copy(const snw__style_body *body, snw__style_moment *to,
                            const snw__style_moment *from);

/* Sums of one joint: x from the rotation it had to the style's, y to the true one. */
typedef struct snw__style_trust {
    double xx, xy, yy, count;
} snw__style_trust;

enum {
    SNW__STYLE_PAST = 10
};

typedef struct snw__style_judge {
    const snw__style_body *body;
    snw__style_condition condition;
    snw__style_moment
        past[SNW__STYLE_PAST]; /* evenly over the second, SNW__BRIEF apart; the oldest at `next` */
    int next, turn;
    int *segment_of;         /* (joint_count) the joint with which its segment begins, or -1 */
    int segment;             /* that is next */
    bool *is_seen;           /* (joint_count) */
    bool *is_known;          /* (feature_count) */
    double *now, *then;      /* (feature_count) means */
    snw__style_trust *trust; /* (joint_count) */
} snw__style_judge;

/* Takes the arrays; body is set by the caller. */
void snw__style_judge_lay_out(snw__style_judge *judge, snw__block *block);
/* After snw__style_body_match: which joints make a segment. */
void snw__style_judge_plan(snw__style_judge *judge);
void snw__style_judge_forget(snw__style_judge *judge);
/* Looks at a frame; what is due is done. */
void snw__style_judge_look(snw__style_judge *judge, const snw__style_moment *now, double rate);

/* Of the way from where the joint was to where the style has it, 0 to 1. */
double snw__style_judge_share(const snw__style_judge *judge, int joint);
/* The variance that is left after a second, square radians; `stated` is what the style says. */
double snw__style_judge_left(const snw__style_judge *judge, int joint, double stated);

#endif
