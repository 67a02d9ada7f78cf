/* What it costs to call two limbs neighbours: the entropy of their relative motion.
 *
 * A body is a tree in which each limb moves only against its neighbours: given its neighbour, a
 * limb does not depend on the rest. The tree under which the capture is most likely is then the
 * minimum spanning tree over the entropies of the relative motions (Chow & Liu 1968). With the
 * joint's centre taken out, a relative motion is the slip e of the centre and the turn r, so that
 * with Gaussian densities, up to constants,
 *
 *     looseness = 1/2 log det cov(e) + 1/2 log det cov(r).
 *
 * The first part asks for a joint, the second for few and small turns: hand and upper arm also meet
 * in a point when the forearm only twists, but they turn against each other in more ways than
 * either does against the forearm. Both hold where skin moves and no joint is as tight as the
 * noise. Where the noise is white, a slip beyond it (strain) is proof against a joint, and counts
 * the more: skin moves smoothly, so the correlation of the limbs' own residuals from frame to frame
 * tells the one from the other.
 *
 * Entropies over different frames cannot be compared: two limbs that are seen together only while
 * both rest would look like neighbours. Frames that do not show both count as if the two were any
 * two limbs of the body.
 *
 * Two things are not in the motion. Limbs that stand still in the lab stand still against each
 * other, left foot against right foot: where both are explained by the lab no better than by each
 * other, their agreement means nothing. And a joint is near its limbs: distances count in units of
 * the usual distance between neighbours, which makes a hand a small body. */
#include "calibrate/edge.h"
#include "base/elementary.h"

#include <string.h>

#include "math/order.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Frames that a pair is judged from, and Newton steps. */
#define EDGE_FRAMES 150
#define EDGE_ROUNDS 6
/* Slips and turns below these do not tell limbs apart: metres and radians. */
#define EDGE_SLIP 1e-4
#define EDGE_TURN 0.01
/* Nats for a joint whose centre is one more usual distance away from the markers of its limbs, and
 * for limbs that are one more apart. */
#define EDGE_REACH 1.0
#define EDGE_APART 0.5
/* Nats for neighbours that the lab explains as well, and over how many nats this sets in. */
#define EDGE_STILL      5.0
#define EDGE_STILL_SOFT 0.5
/* Metres. No body is smaller: keeps noise-free copies of one limb from dividing by nothing. */
#define EDGE_SCALE_MIN 1e-3
/* Strain that noise can cause in EDGE_FRAMES frames. */
#define EDGE_STRAIN 1.2
/* Nats for e times as much of it: where residuals are smooth, and where they are white. In theory
 * the latter is the number of frames; but limbs are not that rigid. Of 480 joints of 30 captures
 * with 10 % gaps, 4 are beyond 20 mm with 12 nats, 2 with 60. */
#define EDGE_STRAIN_SOFT  1.0
#define EDGE_STRAIN_WHITE 60.0
/* Residuals are called smooth when they are correlated by the inverse of this. */
#define EDGE_SMOOTH 2.0

void snw__edges_lay_out(snw__edges *edges, snw__block *block)
{
    size_t n = (size_t)edges->rigids->limb_count, all = snw__size_mul(n, n);
    edges->seen_count = snw__block_take(block, all, sizeof(int));
    edges->looseness = snw__block_take(block, all, sizeof(double));
    edges->objection = snw__block_take(block, all, sizeof(double));
    edges->reach = snw__block_take(block, all, sizeof(double));
    edges->apart = snw__block_take(block, all, sizeof(double));
    edges->residual = snw__block_take(block, all, sizeof(double));
    edges->in_lab = snw__block_take(block, n, sizeof(double));
    edges->correlation = snw__block_take(block, n, sizeof(double));
    edges->work = snw__block_take(block, all, sizeof(double));
    edges->lab =
        snw__block_take(block, (size_t)edges->samples->frame_count, sizeof(snw__limb_pose));
}

static double nearest_marker(const snw__rigid *rigid, snw_vec3 center)
{
    double nearest = HUGE_VAL;
    for (int m = 0; m < rigid->marker_count; m++)
        nearest = fmin(nearest, snw_vec3_distance(rigid->shape[m], center));
    return nearest;
}

/* ---- entropy ------------------------------------------------------------------------------ */

/* det(a + s I). */
static double determinant_above(const double a[6], double s)
{
    double xx = a[0] + s, yy = a[3] + s, zz = a[5] + s;
    return xx * (yy * zz - a[4] * a[4]) - a[1] * (a[1] * zz - a[2] * a[4]) +
           a[2] * (a[1] * a[4] - yy * a[2]);
}

static double looseness_of(const snw__pair *pair)
{
    double floor2 = EDGE_SLIP * EDGE_SLIP;
    double volume2 = fmax(determinant_above(pair->slip, floor2), floor2 * floor2 * floor2);
    /* Noise of the rotations makes the turns of small limbs look larger, not more certain. */
    double turn_floor2 = EDGE_TURN * EDGE_TURN + pair->turn_noise2;
    for (int k = 0; k < 3; k++)
        volume2 *= pair->spread[k] * pair->spread[k] + turn_floor2;
    return 0.5 * snw__log(volume2);
}

/* Nats against a joint. correlation: of the smoother one of the two limbs. */
static double objection_to(const snw__pair *pair, double correlation)
{
    double white = fmax(1 - EDGE_SMOOTH * correlation, 0);
    double weight = EDGE_STRAIN_SOFT + (EDGE_STRAIN_WHITE - EDGE_STRAIN_SOFT) * white;
    return weight * snw__log(fmax(pair->strain, EDGE_STRAIN));
}

/* ---- smoothness of the noise --------------------------------------------------------------- */

/* Distance of a marker from its place on the limb. */
static snw_vec3 marker_off(const snw__samples *samples, const snw__rigid *rigid, int frame, int m)
{
    snw_vec3 seen = snw__samples_points(samples, frame)[rigid->marker[m]];
    return snw_vec3_sub(snw_xform_unpoint(rigid->pose[frame].world_from_limb, seen),
                        rigid->shape[m]);
}

/* Correlation of the limb's residuals from one frame to the next. */
static double residual_correlation(const snw__samples *samples, const snw__rigid *rigid)
{
    double both = 0, square = 0;
    int stride = 1 + samples->frame_count / EDGE_FRAMES;
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

static bool find_pair(const snw__edges *edges, const snw__rigid *a, const snw__rigid *b,
                      snw__pair *pair)
{
    snw__pair_effort effort = {1 + edges->samples->frame_count / EDGE_FRAMES, EDGE_ROUNDS};
    return snw__pair_find(a, b, edges->samples->frame_count, &effort, pair);
}

/* The lab as a limb: still, with its origin where the other one is on average. */
static void lay_lab(snw__edges *edges, const snw__rigid *limb)
{
    snw_vec3 mean = {0, 0, 0};
    int count = 0;
    for (int frame = 0; frame < edges->samples->frame_count; frame++)
        if (limb->pose[frame].seen_count > 0)
            mean =
                snw_vec3_lerp(mean, limb->pose[frame].world_from_limb.translation, 1.0 / ++count);
    for (int frame = 0; frame < edges->samples->frame_count; frame++) {
        edges->lab[frame].seen_count = 1;
        edges->lab[frame].world_from_limb = snw_xform_make(snw_quat_identity(), mean);
    }
}

/* What is to be known of a limb before it is judged, once. */
static void get_to_know(snw__edges *edges, int i)
{
    const snw__rigid *limb = edges->rigids->limb + i;
    if (edges->in_lab[i] < HUGE_VAL) return;
    edges->correlation[i] = residual_correlation(edges->samples, limb);
    snw__rigid lab;
    memset(&lab, 0, sizeof lab);
    lab.pose = edges->lab;
    lay_lab(edges, limb);
    snw__pair pair;
    edges->in_lab[i] = find_pair(edges, &lab, limb, &pair) ? looseness_of(&pair) : HUGE_VAL;
}

void snw__edges_judge(snw__edges *edges, int i, int j)
{
    int n = edges->rigids->limb_count;
    const snw__rigid *a = edges->rigids->limb + i, *b = edges->rigids->limb + j;
    double looseness = HUGE_VAL, objection = HUGE_VAL;
    double reach = HUGE_VAL, apart = HUGE_VAL, residual = HUGE_VAL;
    int seen_count = 0;
    snw__pair pair;
    get_to_know(edges, i);
    get_to_know(edges, j);
    if (find_pair(edges, a, b, &pair)) {
        seen_count = pair.frame_count;
        looseness = looseness_of(&pair);
        objection = objection_to(&pair, fmax(edges->correlation[i], edges->correlation[j]));
        reach = nearest_marker(a, pair.in_first) + nearest_marker(b, pair.in_second);
        apart = pair.apart;
        residual = pair.residual;
    }
    edges->seen_count[i * n + j] = edges->seen_count[j * n + i] = seen_count;
    edges->looseness[i * n + j] = edges->looseness[j * n + i] = looseness;
    edges->objection[i * n + j] = edges->objection[j * n + i] = objection;
    edges->reach[i * n + j] = edges->reach[j * n + i] = reach;
    edges->apart[i * n + j] = edges->apart[j * n + i] = apart;
    edges->residual[i * n + j] = edges->residual[j * n + i] = residual;
}

/* The median over limbs of the distance to the nearest other one. */
static double usual_distance(snw__edges *edges)
{
    int n = edges->rigids->limb_count, count = 0;
    for (int i = 0; i < n; i++) {
        double nearest = HUGE_VAL;
        for (int j = 0; j < n; j++)
            if (i != j) nearest = fmin(nearest, edges->apart[i * n + j]);
        if (nearest < HUGE_VAL) edges->work[count++] = nearest;
    }
    return count ? fmax(snw__median(edges->work, count), EDGE_SCALE_MIN) : 1;
}

/* How loose any two limbs are, and in how many frames two limbs are seen at best. */
static void summarize(snw__edges *edges)
{
    int n = edges->rigids->limb_count, count = 0;
    edges->seen_max = 1;
    for (int at = 0; at < n * n; at++) {
        if (!(edges->looseness[at] < HUGE_VAL)) continue;
        edges->work[count++] = edges->looseness[at];
        if (edges->seen_count[at] > edges->seen_max) edges->seen_max = edges->seen_count[at];
    }
    edges->usual_looseness = snw__median(edges->work, count);
    edges->scale = usual_distance(edges);
}

void snw__edges_judge_all(snw__edges *edges)
{
    int n = edges->rigids->limb_count;
    for (int at = 0; at < n * n; at++)
        edges->looseness[at] = edges->apart[at] = edges->residual[at] = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        edges->in_lab[i] = HUGE_VAL;
        if (!snw__rigid_has_rotation(edges->rigids->limb + i)) continue;
        for (int j = 0; j < i; j++)
            if (snw__rigid_has_rotation(edges->rigids->limb + j)) snw__edges_judge(edges, i, j);
    }
    summarize(edges);
}

double snw__edge_cost(const snw__edges *edges, int i, int j)
{
    int at = i * edges->rigids->limb_count + j;
    double looseness = edges->looseness[at];
    if (!(looseness < HUGE_VAL)) return HUGE_VAL;
    double far = (EDGE_REACH * edges->reach[at] + EDGE_APART * edges->apart[at]) / edges->scale;
    /* Above 0: at least one of them moves more in the lab than against the other. */
    double above = fmax(edges->in_lab[i], edges->in_lab[j]) - looseness;
    double unseen = fmax(1 - edges->seen_count[at] / (double)edges->seen_max, 0);
    double guess = unseen * fmax(edges->usual_looseness - looseness, 0);
    return looseness + edges->objection[at] + guess + far +
           EDGE_STILL / (1 + snw__exp(fmin(above / EDGE_STILL_SOFT, 50)));
}
