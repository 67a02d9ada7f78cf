/* What it costs to call two segments neighbours: the entropy of their relative motion.
 *
 * A body is a tree in which each segment moves only against its neighbours: given its neighbour, a
 * segment does not depend on the rest. The tree under which the capture is most likely is then the
 * minimum spanning tree over the entropies of the relative motions (Chow & Liu 1968). With the
 * joint's centre taken out, a relative motion is the slip e of the centre and the turn r, so that
 * with Gaussian densities, up to constants,
 *
 *     entropy = 1/2 log det cov(e) + 1/2 log det cov(r).
 *
 * The first part asks for a joint, the second for few and small turns: hand and upper arm also meet
 * in a point when the forearm only twists, but they turn against each other in more ways than
 * either does against the forearm. Both hold where skin moves and no joint is as tight as the
 * noise. Where the noise is white, a slip beyond it (chi) is proof against a joint, and counts
 * the more: skin moves smoothly, so the correlation of the segments' own residuals from frame to
 * frame tells the one from the other.
 *
 * Entropies over different frames cannot be compared: two segments that are seen together only
 * while both rest would look like neighbours. Frames that do not show both count as if the two were
 * any two segments of the body.
 *
 * Two things are not in the motion. Segments that stand still in the lab stand still against each
 * other, left foot against right foot: where both are explained by the lab no better than by each
 * other, their agreement means nothing. And a joint is near its segments: distances count in units
 * of the usual distance between neighbours, which makes a hand a small body. */
#include "calibrate/joint_candidate.h"
#include "base/elementary.h"

#include <string.h>

#include "calibrate/calibrate_constants.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/movement.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

void snw__joint_candidates_lay_out(snw__joint_candidates *candidates, snw__block *block)
{
    size_t n = (size_t)candidates->rigids->segment_count, all = snw__size_mul(n, n);
    candidates->seen_count = snw__block_take(block, all, sizeof(int));
    candidates->entropy = snw__block_take(block, all, sizeof(double));
    candidates->penalty = snw__block_take(block, all, sizeof(double));
    candidates->reach = snw__block_take(block, all, sizeof(double));
    candidates->apart = snw__block_take(block, all, sizeof(double));
    candidates->residual = snw__block_take(block, all, sizeof(double));
    candidates->entropy_in_lab = snw__block_take(block, n, sizeof(double));
    candidates->correlation = snw__block_take(block, n, sizeof(double));
    candidates->work = snw__block_take(block, all, sizeof(double));
    candidates->lab =
        snw__block_take(block, (size_t)candidates->samples->frame_count, sizeof(snw__segment_pose));
}

static double nearest_marker(const snw__rigid *rigid, snw_vec3 center)
{
    double nearest = HUGE_VAL;
    for (int m = 0; m < rigid->marker_count; m++)
        nearest = fmin(nearest, snw_vec3_distance(rigid->shape[m], center));
    return nearest;
}

/* ---- entropy ------------------------------------------------------------------------------ */

static double entropy_of(const snw__segment_pair *pair)
{
    double floor2 = SNW__NOISE_MIN * SNW__NOISE_MIN;
    /* det(slip + floor2 I). */
    double xx = pair->slip[0] + floor2, yy = pair->slip[3] + floor2, zz = pair->slip[5] + floor2;
    double volume2 = fmax(xx * (yy * zz - pair->slip[4] * pair->slip[4]) -
                              pair->slip[1] * (pair->slip[1] * zz - pair->slip[2] * pair->slip[4]) +
                              pair->slip[2] * (pair->slip[1] * pair->slip[4] - yy * pair->slip[2]),
                          floor2 * floor2 * floor2);
    /* Noise of the rotations makes the turns of underdetermined segments look larger, not more
     * certain.
     * Slips and turns below these do not tell segments apart: metres and radians. */
    double turn_floor2 = (10 * SNW__NOISE_POOR) * (10 * SNW__NOISE_POOR) + pair->turn_noise2;
    for (int k = 0; k < 3; k++)
        volume2 *= pair->spread[k] * pair->spread[k] + turn_floor2;
    return 0.5 * snw__log(volume2);
}

/* ---- smoothness of the noise --------------------------------------------------------------- */

/* Distance of a marker from its place on the segment. */
static snw_vec3 marker_off(const snw__samples *samples, const snw__rigid *rigid, int frame, int m)
{
    snw_vec3 seen = snw__samples_points(samples, frame)[rigid->marker[m]];
    return snw_vec3_sub(snw_xform_unpoint(rigid->pose[frame].world_from_segment, seen),
                        rigid->shape[m]);
}

/* Correlation of the segment's residuals from one frame to the next. */
double snw__segment_correlation(const snw__samples *samples, const snw__rigid *rigid)
{
    double both = 0, square = 0;
    int stride = 1 + samples->frame_count / JUDGED_FRAMES;
    for (int frame = 0; frame + 1 < samples->frame_count; frame += stride) {
        if (rigid->pose[frame].seen_count == 0 || rigid->pose[frame + 1].seen_count == 0) continue;
        const uint8_t *now = snw__samples_seen(samples, frame);
        const uint8_t *then = snw__samples_seen(samples, frame + 1);
        for (int m = 0; m < rigid->marker_count; m++) {
            if (!now[rigid->marker[m]] || !then[rigid->marker[m]]) continue;
            snw_vec3 a = marker_off(samples, rigid, frame, m);
            snw_vec3 b = marker_off(samples, rigid, frame + 1, m);
            both += 2 * snw_vec3_dot(a, b);
            square += snw_vec3_length2(a) + snw_vec3_length2(b);
        }
    }
    return square > 0 ? snw_clamp(both / square, 0, 1) : 0;
}

/* ---- pairs -------------------------------------------------------------------------------- */

static bool find_pair(const snw__joint_candidates *candidates, const snw__rigid *a,
                      const snw__rigid *b, snw__segment_pair *pair)
{
    snw__segment_pair_effort effort = {1 + candidates->samples->frame_count / JUDGED_FRAMES,
                                       CANDIDATE_ROUNDS};
    return snw__segment_pair_find(a, b, candidates->samples->frame_count, &effort, pair);
}

/* What is to be known of a segment before it is judged, once. */
static void measure_segment(snw__joint_candidates *candidates, int i)
{
    const snw__rigid *segment = candidates->rigids->segment + i;
    if (candidates->entropy_in_lab[i] < HUGE_VAL) return;
    candidates->correlation[i] = snw__segment_correlation(candidates->samples, segment);
    snw__rigid lab;
    memset(&lab, 0, sizeof lab);
    lab.pose = candidates->lab;
    /* The lab as a segment: still, with its origin where the other one is on average. */
    snw_vec3 mean = {0, 0, 0};
    int count = 0;
    for (int frame = 0; frame < candidates->samples->frame_count; frame++)
        if (segment->pose[frame].seen_count > 0)
            mean = snw_vec3_lerp(mean, segment->pose[frame].world_from_segment.translation,
                                 1.0 / ++count);
    for (int frame = 0; frame < candidates->samples->frame_count; frame++) {
        candidates->lab[frame].seen_count = 1;
        candidates->lab[frame].world_from_segment = snw_xform_make(snw_quat_identity(), mean);
    }
    snw__segment_pair pair;
    candidates->entropy_in_lab[i] =
        find_pair(candidates, &lab, segment, &pair) ? entropy_of(&pair) : HUGE_VAL;
}

void snw__joint_candidates_judge(snw__joint_candidates *candidates, int i, int j)
{
    int n = candidates->rigids->segment_count;
    const snw__rigid *a = candidates->rigids->segment + i, *b = candidates->rigids->segment + j;
    double entropy = HUGE_VAL, penalty = HUGE_VAL;
    double reach = HUGE_VAL, apart = HUGE_VAL, residual = HUGE_VAL;
    int seen_count = 0;
    snw__segment_pair pair;
    measure_segment(candidates, i);
    measure_segment(candidates, j);
    if (find_pair(candidates, a, b, &pair)) {
        seen_count = pair.frame_count;
        entropy = entropy_of(&pair);
        /* Nats against a joint, by the correlation of the smoother one of the two segments. */
        double white = fmax(
            1 - CANDIDATE_SMOOTH * fmax(candidates->correlation[i], candidates->correlation[j]), 0);
        double weight = SNW__NAT + (CANDIDATE_CHI_WHITE - SNW__NAT) * white;
        penalty = weight * snw__log(fmax(pair.chi, CANDIDATE_CHI));
        reach = nearest_marker(a, pair.in_first) + nearest_marker(b, pair.in_second);
        apart = pair.apart;
        residual = pair.residual;
    }
    candidates->seen_count[i * n + j] = candidates->seen_count[j * n + i] = seen_count;
    candidates->entropy[i * n + j] = candidates->entropy[j * n + i] = entropy;
    candidates->penalty[i * n + j] = candidates->penalty[j * n + i] = penalty;
    candidates->reach[i * n + j] = candidates->reach[j * n + i] = reach;
    candidates->apart[i * n + j] = candidates->apart[j * n + i] = apart;
    candidates->residual[i * n + j] = candidates->residual[j * n + i] = residual;
}

/* How loose any two segments are, and in how many frames two segments are seen at best. */
static void summarize(snw__joint_candidates *candidates)
{
    int n = candidates->rigids->segment_count, count = 0;
    candidates->seen_max = 1;
    for (int at = 0; at < n * n; at++) {
        if (!(candidates->entropy[at] < HUGE_VAL)) continue;
        candidates->work[count++] = candidates->entropy[at];
        if (candidates->seen_count[at] > candidates->seen_max)
            candidates->seen_max = candidates->seen_count[at];
    }
    candidates->usual_entropy = snw__median(candidates->work, count);
    /* The median over segments of the distance to the nearest other one. */
    count = 0;
    for (int i = 0; i < n; i++) {
        double nearest = HUGE_VAL;
        for (int j = 0; j < n; j++)
            if (i != j) nearest = fmin(nearest, candidates->apart[i * n + j]);
        if (nearest < HUGE_VAL) candidates->work[count++] = nearest;
    }
    candidates->scale = count ? fmax(snw__median(candidates->work, count), CANDIDATE_SCALE_MIN) : 1;
}

void snw__joint_candidates_judge_all(snw__joint_candidates *candidates)
{
    int n = candidates->rigids->segment_count;
    for (int at = 0; at < n * n; at++)
        candidates->entropy[at] = candidates->apart[at] = candidates->residual[at] = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        candidates->entropy_in_lab[i] = HUGE_VAL;
        if (!snw__rigid_has_rotation(candidates->rigids->segment + i)) continue;
        for (int j = 0; j < i; j++)
            if (snw__rigid_has_rotation(candidates->rigids->segment + j))
                snw__joint_candidates_judge(candidates, i, j);
    }
    summarize(candidates);
}

double snw__joint_candidate_cost(const snw__joint_candidates *candidates, int i, int j)
{
    int at = i * candidates->rigids->segment_count + j;
    double entropy = candidates->entropy[at];
    if (!(entropy < HUGE_VAL)) return HUGE_VAL;
    /* Nats for a joint whose centre is one more usual distance away from the markers of its
     * segments, and for segments that are one more apart. */
    double far = (SNW__NAT * candidates->reach[at] + (SNW__NAT / 2) * candidates->apart[at]) /
                 candidates->scale;
    /* Above 0: at least one of them moves more in the lab than against the other. */
    double above = fmax(candidates->entropy_in_lab[i], candidates->entropy_in_lab[j]) - entropy;
    double unseen = fmax(1 - candidates->seen_count[at] / (double)candidates->seen_max, 0);
    double guess = unseen * fmax(candidates->usual_entropy - entropy, 0);
    /* Nats for neighbours that the lab explains as well, and over how many nats this sets in. */
    return entropy + candidates->penalty[at] + guess + far +
           SNW__EVIDENCE / (1 + snw__exp(fmin(above / (SNW__NAT / 2), 50)));
}

/* ---- two bodies in one capture --------------------------------------------------------- */

/* Two actors, or an actor and a table: where a capture falls apart into bodies.
 *
 * Any two segments can be given a joint; it tells something only if each segment moves less against
 * the other than against the lab. That is not enough, because a seated trunk is as good as the lab
 * and its arms are still its own; so what tells nothing must also be far from its segments, or tear
 * apart while the other segment has a body of its own. */

/* Does `segment` reach FOREIGN_BODY segments, itself one of them, outside the tree, by joints that
 * hold? */
static bool has_own_body(const snw__joint_candidates *candidates, const int *parent, int segment)
{
    int found[FOREIGN_BODY] = {segment}, count = 1, n = candidates->rigids->segment_count;
    for (int k = 0; k < count && count < FOREIGN_BODY; k++)
        for (int l = 0; l < n && count < FOREIGN_BODY; l++) {
            bool is_known = parent[l] != SNW_TREE_FREE ||
                            !(candidates->residual[found[k] * n + l] < SNW__JOINT_RESIDUAL_MAX);
            for (int m = 0; m < count; m++)
                is_known = is_known || found[m] == l;
            if (!is_known) found[count++] = l;
        }
    return count == FOREIGN_BODY;
}

bool snw__joint_candidate_is_foreign(const snw__joint_candidates *candidates, const int *parent,
                                     int from, int to)
{
    int at = from * candidates->rigids->segment_count + to;
    double explained = candidates->entropy[at] + FOREIGN_GAIN;
    bool is_of_both =
        fmin(candidates->entropy_in_lab[from], candidates->entropy_in_lab[to]) > explained;
    bool is_of_one =
        fmax(candidates->entropy_in_lab[from], candidates->entropy_in_lab[to]) > explained;
    if (candidates->reach[at] > FOREIGN_FAR * candidates->scale) return !is_of_both;
    if (is_of_one) return false;
    if (candidates->reach[at] > FOREIGN_REACH * candidates->scale) return true;
    return candidates->residual[at] > SNW__JOINT_RESIDUAL_MAX &&
           has_own_body(candidates, parent, to);
}

bool snw__joint_is_far(const snw__joint_candidates *candidates, const snw__rigid *segment,
                       snw_vec3 center)
{
    double nearest = HUGE_VAL;
    for (int m = 0; m < segment->marker_count; m++)
        nearest = fmin(nearest, snw_vec3_distance(segment->shape[m], center));
    return nearest > FOREIGN_REACH * candidates->scale;
}
