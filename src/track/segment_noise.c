/* How much of a solved motion the markers' noise explains; see the header.
 *
 * A segment of n markers with the variance s^2 of a coordinate is fitted with the covariance s^2 /
 * n of its centroid and s^2 (tr(S) I - S)^-1 of its turn, S the scatter of the markers about the
 * centroid (Woltring et al. 1985, "Finite centroid and helical axis estimation from noisy landmark
 * measurements"). A point at the arm a from the centroid has both: its mean variance is
 * s^2 / n + (|a|^2 tr(C) - a^T C a) / 3. The whole body knows more than either segment of a joint,
 * so these are bounds. */
#include "track/segment_noise.h"

#include "math/kernel.h"
#include "math/symmetric3.h"
#include "track/track_constants.h"

typedef struct segment_spread {
    int count;
    double noise2; /* of the centroid, mean of a coordinate; INFINITY: not known */
    snw_vec3 centroid;
    double turn[6]; /* covariance of the turn */
} segment_spread;

static segment_spread spread_of(const snw_actor *actor, int joint)
{
    segment_spread segment = {0, 0, {0, 0, 0}, {0}};
    double scatter[6] = {0}, sum2 = 0;
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != joint) continue;
        segment.count++;
        sum2 += actor->marker[m].noise * actor->marker[m].noise;
        segment.centroid = snw_vec3_add(segment.centroid, actor->marker[m].offset);
    }
    segment.noise2 = INFINITY;
    /* Markers that tell a turn. */
    if (segment.count < SNW__FRAME_POINTS) return segment;
    segment.centroid = snw_vec3_scale(segment.centroid, 1.0 / segment.count);
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != joint) continue;
        snw_vec3 d = snw_vec3_sub(actor->marker[m].offset, segment.centroid);
        scatter[0] += d.y * d.y + d.z * d.z;
        scatter[1] -= d.x * d.y;
        scatter[2] -= d.x * d.z;
        scatter[3] += d.x * d.x + d.z * d.z;
        scatter[4] -= d.y * d.z;
        scatter[5] += d.x * d.x + d.y * d.y;
    }
    if (!snw__symmetric3_invert(scatter, segment.turn)) return segment;
    for (int k = 0; k < 6; k++)
        segment.turn[k] *= sum2 / segment.count;
    segment.noise2 = sum2 / segment.count / segment.count;
    return segment;
}

/* Information, the inverse of the variance, of a point in the segment's frame. */
static double information_of(const segment_spread *segment, snw_vec3 point)
{
    if (!(segment->noise2 < INFINITY)) return 0;
    snw_vec3 arm = snw_vec3_sub(point, segment->centroid);
    double trace = segment->turn[0] + segment->turn[3] + segment->turn[5];
    double along = snw_vec3_dot(arm, snw__symmetric3_apply(segment->turn, arm));
    return 1 / (segment->noise2 + (snw_vec3_length2(arm) * trace - along) / 3);
}

void snw__segment_noise(const snw_actor *actor, snw_smoothing *noise)
{
    const snw_skeleton *body = actor->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        segment_spread own = spread_of(actor, j);
        double trace = own.turn[0] + own.turn[3] + own.turn[5];
        double information = information_of(&own, snw_vec3_make(0, 0, 0));
        if (body->parent[j] >= 0) {
            segment_spread up = spread_of(actor, body->parent[j]);
            information += information_of(&up, body->rest[j].translation);
        }
        noise[j].place_noise = information > 0 ? sqrt(SEGMENT_NOISE_BODY / information) : INFINITY;
        noise[j].turn_noise =
            own.noise2 < INFINITY ? sqrt(SEGMENT_NOISE_BODY * trace / 3) : INFINITY;
    }
}
