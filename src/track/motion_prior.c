/* A motion prior from the markers themselves.
 *
 * Few markers leave a joint two answers of nearly the same residual: the twist of a thigh with a
 * marker near its axis, a collar bone that folds up or down. Which of the two is the better one
 * changes with every millimetre of moving skin, and the body jumps though no marker did. But a
 * segment turns no farther than its markers travel. With the parent's own motion taken off, a
 * marker at the lever l from the joint travels d when the segment turns by d / l, so
 *
 *     variance of the turn = (mean of d^2 + noise^2) / l^2
 *
 * is a prior for the turn since the frame before, which needs neither a frame rate nor a model of
 * the motion: it is loose where markers move fast and firm where they rest. */
#include <string.h>

#include "math/kernel.h"
#include "track/motion_prior.h"
#include "track/track_constants.h"

void snw__motion_prior_lay_out(snw__motion_prior *prior, snw__block *block)
{
    size_t markers = (size_t)prior->actor->marker_count;
    prior->before = snw__block_take(block, markers, sizeof *prior->before);
    prior->was_seen = snw__block_take(block, markers, sizeof *prior->was_seen);
}

void snw__motion_prior_remember(snw__motion_prior *prior)
{
    for (int m = 0; m < prior->actor->marker_count; m++) {
        prior->was_seen[m] = prior->sample_weight[m] > 0;
        prior->before[m] = prior->seen[m];
    }
}

void snw__motion_prior_forget(snw__motion_prior *prior)
{
    memset(prior->was_seen, 0, (size_t)prior->actor->marker_count * sizeof *prior->was_seen);
}

/* Markers of one segment, and how they travelled beyond `carry`. */
typedef struct prior_travel {
    int seen; /* now */
    int both; /* now and before */
    double sum2;
} prior_travel;

static void add_segment(const snw__motion_prior *prior, int joint, snw_xform carry,
                        prior_travel *travel)
{
    for (int m = prior->first[joint]; m < prior->first[joint + 1]; m++) {
        if (!(prior->sample_weight[m] > 0)) continue;
        travel->seen++;
        if (!prior->was_seen[m]) continue;
        snw_vec3 carried = snw_xform_point(carry, prior->before[m]);
        travel->sum2 += snw_vec3_length2(snw_vec3_sub(prior->seen[m], carried));
        travel->both++;
    }
}

double snw__motion_prior_noise2(const snw__motion_prior *prior, double noise2)
{
    double lever = PRIOR_LEVER * prior->actor->skeleton->size;
    return lever > 0 ? noise2 / (lever * lever) : INFINITY;
}

double snw__motion_prior_turn2(const snw__motion_prior *prior, int joint, snw_xform carry)
{
    const snw_skeleton *body = prior->actor->skeleton;
    prior_travel travel = {0, 0, 0};
    add_segment(prior, joint, carry, &travel);
    /* A segment without markers of its own shows in the segments that hang on it. */
    for (int c = joint + 1; c < body->joint_count && travel.seen == 0; c++)
        if (body->parent[c] == joint) add_segment(prior, c, carry, &travel);
    /* Markers that tell a segment's rotation. */
    int enough = travel.seen < SNW__FRAME_POINTS ? travel.seen : SNW__FRAME_POINTS;
    /* Markers that were hidden may show that the segment was elsewhere. */
    if (travel.both == 0 || travel.both < enough) return INFINITY;
    return snw__motion_prior_noise2(prior, travel.sum2 / travel.both);
}
