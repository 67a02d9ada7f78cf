/* Which of several bodies is number one. A table may have more markers than any segment of the
 * person beside it, and stand first in the file: what has joints comes first. Actors keep the order
 * of the file, whose markers come and go, so that one person has the same number in all trials. */
#include "calibrate/capture_bodies.h"

#include <stdlib.h>

#include "calibrate/calibrate_constants.h"
#include "person/movement.h"

static int compare_by_place(const void *a, const void *b)
{
    const snw__capture_body *one = a, *other = b;
    return (one->first > other->first) - (one->first < other->first);
}

static int compare_by_size(const void *a, const void *b)
{
    const snw__capture_body *one = a, *other = b;
    int by_size =
        (one->segment_count < other->segment_count) - (one->segment_count > other->segment_count);
    return by_size ? by_size : compare_by_place(a, b);
}

int snw__capture_bodies_rank(snw__capture_body *body, int count)
{
    int actors = 0;
    if (count <= 0) return 0;
    qsort(body, (size_t)count, sizeof *body, compare_by_size);
    while (actors < count && body[actors].segment_count >= FOREIGN_BODY &&
           2 * body[actors].segment_count >= body[0].segment_count)
        actors++;
    qsort(body, (size_t)actors, sizeof *body, compare_by_place);
    return actors > 0 ? actors : 1;
}

bool snw__segment_is_still(const snw__samples *samples, const snw__rigid *rigid)
{
    for (int m = 0; m < rigid->own_count; m++) {
        snw_vec3 mean = {0, 0, 0};
        double sum2 = 0;
        int count = 0;
        for (int frame = 0; frame < samples->frame_count; frame++) {
            if (!snw__samples_seen(samples, frame)[rigid->marker[m]]) continue;
            snw_vec3 at = snw__samples_points(samples, frame)[rigid->marker[m]];
            snw_vec3 off = snw_vec3_sub(at, mean);
            mean = snw_vec3_lerp(mean, at, 1.0 / ++count);
            sum2 += snw_vec3_dot(off, snw_vec3_sub(at, mean)); /* Welford 1962 */
        }
        /* Metres, rms. A marker that moves less in the whole trial stands still: more than the
         * noise of any camera, less than the sway of a person who stands. */
        if (sum2 > SNW__STILL * SNW__STILL * count) return false;
    }
    return true;
}
