/* Skin that slides in step with a joint.
 *
 * A centre is found from how markers move when the joint turns. A marker that slides by g for each
 * radian adds g to that, and so the centre goes astray by g, however many frames there are and
 * however small the angle was: what stands still in the residual of the joint is no proof. The part
 * of the slide that all markers of a segment share is a motion of the segment to every method. But
 * markers do not slide alike, and what they slide against each other shows: the regression of
 * their places on the rigid segment on the joint's angles about its main axes. Of two segments'
 * worth of these slopes, less what noise makes of them, the rest is taken for the size of the
 * shared part as well (ESTIMATE_SLIDE, joint_estimate.c). */
#include "calibrate/skin_slide.h"

#include <string.h>

#include "base/elementary.h"
#include "calibrate/calibrate_constants.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/symmetric3.h"

typedef struct slide_pair {
    const snw__samples *samples;
    const snw__rigid *segment[2]; /* parent, child */
    int stride;
    snw_quat mean; /* turn of the child in the parent */
    int axis_count;
    snw_vec3 axis[3]; /* about which it turned, most first, in the child's frame */
    double angle;     /* rms about the first */
} slide_pair;

/* The child in the parent; false: the frame does not show both. */
static bool look(const slide_pair *pair, int frame, snw_quat *turn)
{
    const snw__segment_pose *a = pair->segment[0]->pose + frame,
                            *b = pair->segment[1]->pose + frame;
    if (a->seen_count == 0 || b->seen_count == 0) return false;
    *turn = snw_quat_mul(snw_quat_conjugate(a->world_from_segment.rotation),
                         b->world_from_segment.rotation);
    return true;
}

/* Sums of a marker's places on its segment, and of the joint's angle. */
typedef struct slide_sums {
    int count;
    double angle, angle2;
    double place[3], place2[3], both[3];
} slide_sums;

static slide_sums add_marker(const slide_pair *pair, const snw__rigid *segment, int marker,
                             snw_vec3 axis)
{
    slide_sums sums;
    snw_quat turn;
    memset(&sums, 0, sizeof sums);
    for (int f = 0; f < pair->samples->frame_count; f += pair->stride) {
        if (!snw__samples_seen(pair->samples, f)[segment->marker[marker]] || !look(pair, f, &turn))
            continue;
        snw_vec3 point = snw__samples_points(pair->samples, f)[segment->marker[marker]];
        snw_vec3 place = snw_vec3_sub(snw_xform_unpoint(segment->pose[f].world_from_segment, point),
                                      segment->shape[marker]);
        /* an exchanged or wild marker is no skin
         * In noises of the segment, whole distance. */
        if (snw_vec3_length(place) > 10.0 * segment->noise) continue;
        double angle =
            snw_vec3_dot(axis, snw_quat_log(snw_quat_mul(snw_quat_conjugate(pair->mean), turn)));
        const double x[3] = {place.x, place.y, place.z};
        sums.count++;
        sums.angle += angle;
        sums.angle2 += angle * angle;
        for (int k = 0; k < 3; k++) {
            sums.place[k] += x[k];
            sums.place2[k] += x[k] * x[k];
            sums.both[k] += x[k] * angle;
        }
    }
    return sums;
}

/* Squared slopes of a marker's three coordinates, less what noise makes of them: of slopes without
 * any truth, their mean and a deviation of it. */
static double squared_slopes(const slide_sums *sums)
{
    double n = sums->count, spread = sums->angle2 - sums->angle * sums->angle / n, sum = 0;
    if (sums->count < SNW__SAMPLES_MIN || !(spread > 0)) return 0;
    for (int k = 0; k < 3; k++) {
        double both = sums->both[k] - sums->angle * sums->place[k] / n;
        double left = sums->place2[k] - sums->place[k] * sums->place[k] / n - both * both / spread;
        sum += both * both / (spread * spread) - SLIDE_NOISE * fmax(left, 0) / (n * spread);
    }
    return sum;
}

/* Of one segment, for each coordinate that the segment's own place and turn leave free. */
static double segment_slope2(const slide_pair *pair, const snw__rigid *segment)
{
    double sum = 0;
    int count = segment->marker_count;
    if (count < 3) return 0;
    for (int m = 0; m < count; m++)
        for (int k = 0; k < pair->axis_count; k++) {
            slide_sums sums = add_marker(pair, segment, m, pair->axis[k]);
            sum += squared_slopes(&sums);
        }
    return fmax(sum, 0) / (3 * count - 6);
}

snw__skin_slide snw__skin_slide_find(const snw__samples *samples, const snw__rigid *parent,
                                     const snw__rigid *child)
{
    slide_pair pair = {.samples = samples, .segment = {parent, child}};
    snw__skin_slide slide = {0, 0};
    /* Frames that a regression looks at, and the fewest it can do with. */
    pair.stride = 1 + samples->frame_count / SNW__SAMPLES_SHAPE;
    snw_quat sum = {0, 0, 0, 0}, turn;
    snw_mat3 square;
    int count = 0;
    memset(&square, 0, sizeof square);
    for (int f = 0; f < pair.samples->frame_count; f += pair.stride) {
        if (!look(&pair, f, &turn)) continue;
        double sign = snw_quat_dot(turn, sum) < 0 ? -1 : 1;
        sum = snw_quat_make(sum.w + sign * turn.w, sum.x + sign * turn.x, sum.y + sign * turn.y,
                            sum.z + sign * turn.z);
        count++;
    }
    if (count < SNW__SAMPLES_MIN) return slide;
    pair.mean = snw_quat_normalize(sum);
    for (int f = 0; f < pair.samples->frame_count; f += pair.stride)
        if (look(&pair, f, &turn))
            snw__add_outer(&square, 1.0 / count,
                           snw_quat_log(snw_quat_mul(snw_quat_conjugate(pair.mean), turn)));
    snw__spectrum3 spectrum = snw__spectrum3_of(square);
    pair.angle = sqrt(fmax(spectrum.value[0], 0));
    /* Axes about which the joint turned less, against its first, tell nothing: what else moves skin
     * would stand for an angle there. */
    for (int k = 0; k < 3; k++)
        if (spectrum.value[k] >= SECOND_AXIS * SECOND_AXIS * spectrum.value[0])
            pair.axis[pair.axis_count++] = spectrum.vector[k];
    slide.slope = sqrt(segment_slope2(&pair, parent) + segment_slope2(&pair, child));
    slide.angle = pair.angle;
    return slide;
}

void snw__skin_slide_pool(snw__skin_slide *slide, int count, double *work)
{
    for (int n = 0; n < count; n++)
        work[n] = slide[n].slope;
    double slope = snw__median(work, count);
    for (int n = 0; n < count; n++)
        work[n] = slide[n].slope * slide[n].angle;
    double amplitude = snw__median(work, count);
    for (int n = 0; n < count; n++) {
        double usual = fmin(slope, slide[n].angle > 0 ? amplitude / slide[n].angle : slope);
        slide[n].slope = sqrt(0.5) * snw__hypot(slide[n].slope, usual);
    }
}
