/* Segments that nothing shows for a while, as a style expects them between what was seen before and
 * after.
 *
 * The departure from the style (style_segment.c) is known with its slope at the ends of a gap, so
 * that in between its mean is k(t)^T K^-1 d with the values and slopes d of both ends, their
 * covariance K and their covariance k(t) with the departure at t: a curve that leaves both ends as
 * the joint did and goes to what the style expects where both are far. In all frames of a gap the
 * same joints count as seen, so that nothing jumps when another segment vanishes.
 *
 * How much the style knows of this person and this motion the trial itself tells: the joint is
 * hidden again, for as long, where it was seen, and the share w of the way from the bridge of
 * gap_motion.c to the style's curve is the one that leaves the least squares there. */
#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "track/gap_motion.h"
#include "track/joint_range.h"
#include "track/observability.h"
#include "track/style_segment.h"
#include "track/track_constants.h"

typedef struct style_gap {
    snw__style_segments *segments;
    snw_motion *motion;
    const uint8_t *known;
    int joint;
    int from, to; /* frames [from, to) show nothing of the joint */
} style_gap;

/* One end of a gap: the frame beside it, the departure there and its slope, and how fast the joint
 * itself turns. */
typedef struct gap_end {
    bool is_there;
    double seconds; /* after the frame before the gap */
    snw_vec3 value, slope;
    snw_vec3 speed; /* in the joint's own frame */
} gap_end;

/* The joint over a gap, both ways. */
typedef struct gap_ways {
    gap_end end[2];
    int count; /* of ends that are there */
    snw_vec3 coefficient[4];
    snw_quat near;
    snw__gap_curve curve; /* from `near`, where both ends are there */
} gap_ways;

static bool is_unseen(const style_gap *gap, int frame, int joint)
{
    size_t joints = (size_t)gap->motion->skeleton->joint_count;
    return gap->known[(size_t)frame * joints + (size_t)joint] == SNW__UNSEEN;
}

static snw_quat *rotations_at(const style_gap *gap, int frame)
{
    return gap->motion->rotation + (size_t)frame * (size_t)gap->motion->skeleton->joint_count;
}

/* What the style expects of the joint in a frame. */
static snw_quat expected_at(const style_gap *gap, int frame)
{
    snw__style_segments *segments = gap->segments;
    snw__style_body_features(&segments->body, rotations_at(gap, frame),
                             gap->motion->root[frame].rotation, segments->now.features);
    snw__style_condition_mean(&segments->condition, segments->now.features, segments->mean, NULL);
    return snw__style_body_expect(&segments->body, gap->joint, segments->mean, NULL).turn;
}

static snw_vec3 departure_in(const style_gap *gap, int frame)
{
    snw_quat turn = snw__style_body_turn(&gap->segments->body, gap->joint,
                                         rotations_at(gap, frame)[gap->joint]);
    return snw__turn_between(expected_at(gap, frame), turn);
}

/* ---- both ways over a gap -------------------------------------------------------------------- */

/* The end at `frame`, with the frames beyond it in the direction `away` for the slope. */
static gap_end find_end(const style_gap *gap, int frame, int away)
{
    gap_end end;
    memset(&end, 0, sizeof end);
    if (frame < 0 || frame >= gap->motion->frame_count) return end;
    int span = (int)ceil(SNW__DEPARTURE_SECONDS * gap->motion->rate), far = 0;
    while (far < span) {
        int next = frame + (far + 1) * away;
        if (next < 0 || next >= gap->motion->frame_count || is_unseen(gap, next, gap->joint)) break;
        far++;
    }
    end.is_there = true;
    end.seconds = (frame - gap->from + 1) / gap->motion->rate;
    end.value = departure_in(gap, frame);
    if (far == 0) return end;
    int beyond = frame + far * away;
    double scale = away * gap->motion->rate / far;
    end.slope = snw_vec3_scale(snw_vec3_sub(departure_in(gap, beyond), end.value), scale);
    end.speed = snw_vec3_scale(snw__turn_between(rotations_at(gap, frame)[gap->joint],
                                                 rotations_at(gap, beyond)[gap->joint]),
                               scale);
    return end;
}

/* Covariances of value and slope at one time with value and slope `seconds` later. */
static void covariance(double seconds, double out[2][2])
{
    double k[3];
    snw__departure_correlation(fabs(seconds), k);
    out[0][0] = k[0];
    out[0][1] = seconds < 0 ? -k[1] : k[1];
    out[1][0] = -out[0][1];
    out[1][1] = -k[2];
}

/* K^-1 d for the ends that are there: (2 x ends) coefficients of k(t). False: none is. */
static bool solve_ends(const gap_end *end, int count, snw_vec3 *coefficient)
{
    double matrix[16], right[3][4];
    int n = 2 * count;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            double block[2][2];
            covariance(end[b].seconds - end[a].seconds, block);
            for (int i = 0; i < 4; i++)
                matrix[(2 * a + i / 2) * n + 2 * b + i % 2] = block[i / 2][i % 2];
        }
    for (int a = 0; a < count; a++) {
        const double value[3] = {end[a].value.x, end[a].value.y, end[a].value.z};
        const double slope[3] = {end[a].slope.x, end[a].slope.y, end[a].slope.z};
        matrix[(2 * a + 1) * n + 2 * a + 1] += snw__departure_slope_noise();
        for (int k = 0; k < 3; k++) {
            right[k][2 * a] = value[k];
            right[k][2 * a + 1] = slope[k];
        }
    }
    if (count == 0 || snw_cholesky_factor(matrix, n) != SNW_OK) return false;
    for (int k = 0; k < 3; k++)
        if (snw_cholesky_solve(matrix, n, right[k]) != SNW_OK) return false;
    for (int i = 0; i < n; i++)
        coefficient[i] = snw_vec3_make(right[0][i], right[1][i], right[2][i]);
    return true;
}

static gap_ways find_ways(const style_gap *gap)
{
    gap_ways ways;
    memset(&ways, 0, sizeof ways);
    for (int side = 0; side < 2; side++) {
        gap_end *end = ways.end + ways.count;
        *end = side ? find_end(gap, gap->to, 1) : find_end(gap, gap->from - 1, -1);
        ways.count += end->is_there;
    }
    if (ways.count == 2) {
        ways.near = rotations_at(gap, gap->from - 1)[gap->joint];
        ways.curve.seconds = ways.end[1].seconds;
        ways.curve.distance = snw__turn_between(ways.near, rotations_at(gap, gap->to)[gap->joint]);
        ways.curve.near_speed = ways.end[0].speed;
        ways.curve.far_speed = snw__gap_vector_speed(ways.curve.distance, ways.end[1].speed);
    }
    if (!solve_ends(ways.end, ways.count, ways.coefficient)) ways.count = 0;
    return ways;
}

/* The joint's rotation by the style in a frame of the gap. */
static snw_quat styled_at(const style_gap *gap, const gap_ways *ways, int frame)
{
    double seconds = (frame - gap->from + 1) / gap->motion->rate;
    snw_vec3 departure = {0, 0, 0};
    for (int a = 0; a < ways->count; a++) {
        double block[2][2];
        covariance(ways->end[a].seconds - seconds, block);
        departure = snw_vec3_add_scaled(departure, block[0][0], ways->coefficient[2 * a]);
        departure = snw_vec3_add_scaled(departure, block[0][1], ways->coefficient[2 * a + 1]);
    }
    snw_quat turn = snw_quat_mul(expected_at(gap, frame), snw_quat_exp(departure));
    return snw__style_body_rotation(&gap->segments->body, gap->joint, turn);
}

/* ---- the style's share ----------------------------------------------------------------------- */

/* Sums over tries: x from the bridge to the style's rotation, y from the bridge to the true one. */
typedef struct gap_judge {
    double xx, xy, yy;
    int tries;
} gap_judge;

static void try_at(const style_gap *gap, int from, gap_judge *judge)
{
    style_gap tried = *gap;
    tried.from = from;
    tried.to = from + gap->to - gap->from;
    for (int f = tried.from - 1; f <= tried.to; f++)
        if (is_unseen(&tried, f, tried.joint)) return;
    gap_ways ways = find_ways(&tried);
    for (int p = 1; p <= STYLE_GAP_POINTS; p++) {
        int f = tried.from + p * (tried.to - tried.from) / (STYLE_GAP_POINTS + 1);
        double seconds = (f - tried.from + 1) / tried.motion->rate;
        snw_quat bridge =
            snw_quat_mul(ways.near, snw_quat_exp(snw__gap_curve_at(&ways.curve, seconds)));
        snw_vec3 x = snw__turn_between(bridge, styled_at(&tried, &ways, f));
        snw_vec3 y = snw__turn_between(bridge, rotations_at(&tried, f)[tried.joint]);
        judge->xx += snw_vec3_dot(x, x);
        judge->xy += snw_vec3_dot(x, y);
        judge->yy += snw_vec3_dot(y, y);
    }
    judge->tries++;
}

/* The share of least squares, 0 to 1, and what was believed of it before, by their precisions.
 * Samples of one try resemble each other and count as one. */
static double find_share(const style_gap *gap)
{
    gap_judge judge = {0, 0, 0, 0};
    style_gap tried = *gap;
    for (; tried.to > tried.from; tried.to = tried.from + (tried.to - tried.from) / 2) {
        int room = gap->motion->frame_count - 1 - (tried.to - tried.from);
        memset(&judge, 0, sizeof judge);
        for (int k = 0; k < STYLE_GAP_TRIES && room > STYLE_GAP_TRIES; k++)
            try_at(&tried, 1 + (int)((int64_t)k * (room - 1) / STYLE_GAP_TRIES), &judge);
        if (judge.tries >= STYLE_GAP_ENOUGH) break;
    }
    double middle = 0.5 * (gap->to - gap->from) / gap->motion->rate;
    double open = snw__departure_open(middle), precision = 0, share = 0;
    if (judge.tries > 0 && judge.xx > 0) {
        share = judge.xy / judge.xx;
        double left = judge.yy - 2 * share * judge.xy + share * share * judge.xx;
        precision = judge.tries * judge.xx / fmax(left, 1e-6 * judge.xx);
    }
    double prior = 1 / (STYLE_GAP_BEFORE * STYLE_GAP_BEFORE);
    share = (precision * share + prior * STYLE_GAP_BEFORE * open) / (precision + prior);
    share *= fmin(1, open / STYLE_GAP_OPEN);
    return share > 0 ? fmin(share, 1) : 0;
}

/* ---- gaps ----------------------------------------------------------------------------------- */

static void fill_gap(const style_gap *gap)
{
    /* The joints that count as seen all through the gap. */
    snw__style_segments *segments = gap->segments;
    int joints = gap->motion->skeleton->joint_count, frames = gap->to - gap->from;
    for (int j = 0; j < joints; j++) {
        int hidden = 0;
        for (int f = gap->from; f < gap->to; f++)
            hidden += is_unseen(gap, f, j);
        segments->now.is_seen[j] = j != gap->joint && hidden <= STYLE_GAP_HIDDEN * frames;
    }
    if (!segments->now.is_seen[0]) return;
    int known = snw__style_body_known(&segments->body, segments->now.is_seen, segments->is_known);
    if (!snw__style_body_is_told(&segments->body, known)) return;
    (void)snw__style_condition_know(&segments->condition, segments->is_known);
    gap_ways ways = find_ways(gap);
    /* Limits hold both ends, whatever the markers there showed. */
    snw_joint joint = gap->motion->skeleton->joint[gap->joint];
    if (gap->from > 0)
        snw__joint_range_include(&joint, rotations_at(gap, gap->from - 1)[gap->joint]);
    if (gap->to < gap->motion->frame_count)
        snw__joint_range_include(&joint, rotations_at(gap, gap->to)[gap->joint]);
    /* A joint that was never seen is as the style expects it. */
    double share = ways.count ? find_share(gap) : 1;
    for (int f = gap->from; f < gap->to; f++) {
        snw_quat *rotation = rotations_at(gap, f) + gap->joint;
        snw_quat mixed = snw_quat_slerp(*rotation, styled_at(gap, &ways, f), share);
        if (snw_quat_is_finite(mixed)) *rotation = snw_joint_limit_apply(&joint, mixed);
    }
}

void snw__style_gaps_fill(snw__style_segments *segments, snw_motion *motion, const uint8_t *known)
{
    style_gap gap = {.segments = segments, .motion = motion, .known = known};
    if (!segments->body.style) return;
    for (int j = 1; j < motion->skeleton->joint_count; j++) {
        if (segments->body.style_of[j] < 0) continue;
        gap.joint = j;
        for (gap.from = 0; gap.from < motion->frame_count; gap.from = gap.to + 1) {
            gap.to = gap.from;
            while (gap.to < motion->frame_count && is_unseen(&gap, gap.to, j))
                gap.to++;
            if (gap.to > gap.from) fill_gap(&gap);
        }
    }
}
