/* A marker that slipped is brought back to where it was, as far as its segment tells.
 *
 * Between two slips the segment's markers have one shape, the slipped one included. Three other
 * markers that are not in a line lay the shapes of two places over each other: what is then between
 * the marker's places, turned with the segment, is taken back in every frame that shows three
 * markers of the segment. Two other markers leave the turn about their line open; the marker is
 * then left out where it sat for less long. */
#include <math.h>
#include <string.h>

#include <sinew/geometry.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/marker_slip.h"
#include "math/robust.h"
#include "person/movement.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* The segment while the marker has one place. */
typedef struct undo_shape {
    bool is_rigid;                   /* it has a shape */
    snw_vec3 shape[SNW__SLIP_GROUP]; /* (other_count + 1) the marker comes last */
    double weight[SNW__SLIP_GROUP];  /* 0: hardly seen */
    snw_vec3 place;                  /* the marker, in the frame of the place that is kept */
    snw_vec3 shift;                  /* from its place to the kept one, in the frame of `shape` */
} undo_shape;

typedef struct undo_job {
    snw_trial *trial;
    const snw__slip_places *places;
    int marker[SNW__SLIP_GROUP]; /* the others, then the marker */
    int kept;                    /* the place it had for longest */
    undo_shape at[SNW__SLIP_PLACES];
} undo_job;

/* ---- shapes -----------------------------------------------------------------------------------
 */

static int seen_of(const snw__samples *samples, int marker)
{
    int count = 0;
    for (int f = 0; f < samples->frame_count; f++)
        count += snw__samples_seen(samples, f)[marker];
    return count;
}

static snw_status find_shape(undo_job *job, int n, const snw_allocator *allocator, snw_error *error)
{
    const snw__slip_places *places = job->places;
    undo_shape *at = job->at + n;
    snw__samples *samples = NULL;
    snw__rigids *rigids = NULL;
    int count = places->other_count + 1;
    snw__marker_group group = {count, count, job->marker};
    snw_trial part =
        snw_trial_window(job->trial, places->from[n], places->from[n + 1] - places->from[n]);
    snw_status status = snw__samples_create(&part, SNW__SAMPLES_SHAPE, allocator, &samples, error);
    if (status == SNW_OK)
        status = snw__rigids_create(samples, &group, 1, allocator, &rigids, error);
    if (status == SNW_OK) {
        at->is_rigid = snw__rigid_has_rotation(rigids->segment);
        for (int k = 0; k < count; k++) {
            at->shape[k] = rigids->segment->shape[k];
            at->weight[k] = seen_of(samples, job->marker[k]) >= SNW__SAMPLES_PATH;
        }
        at->is_rigid = at->is_rigid && at->weight[count - 1] > 0;
    }
    snw__rigids_destroy(rigids);
    snw__samples_destroy(samples);
    return status;
}

/* Rotation and translation by three points and more that are not in a line. */
static bool fit(const snw_vec3 *from, const snw_vec3 *to, const double *weight, int count,
                snw_xform *to_from)
{
    snw_fit found;
    int used = 0;
    for (int k = 0; k < count; k++)
        used += weight[k] > 0;
    if (used < 3 || snw_fit_rigid(from, to, weight, count, &found) != SNW_OK ||
        found.kind != SNW_FIT_UNIQUE || found.separation < SNW__SEPARATION_MIN)
        return false;
    *to_from = found.to_from;
    return true;
}

/* Lays the shape over that of the kept place by the other markers. */
static bool lay_over(undo_job *job, undo_shape *at)
{
    const undo_shape *kept = job->at + job->kept;
    int others = job->places->other_count;
    double weight[SNW__SLIP_GROUP];
    snw_xform kept_from_this;
    for (int k = 0; k < others; k++)
        weight[k] = at->weight[k] * kept->weight[k];
    if (!fit(at->shape, kept->shape, weight, others, &kept_from_this)) return false;
    at->place = snw_xform_point(kept_from_this, at->shape[others]);
    at->shift =
        snw_vec3_sub(snw_xform_unpoint(kept_from_this, kept->shape[others]), at->shape[others]);
    return true;
}

/* The place from the first two markers alone: along their line and away from it. */
static void lay_on_line(const undo_job *job, undo_shape *at)
{
    snw_vec3 line = snw_vec3_sub(at->shape[1], at->shape[0]);
    snw_vec3 to = snw_vec3_sub(at->shape[job->places->other_count], at->shape[0]);
    snw_vec3 along = snw_vec3_unit(line, snw_vec3_make(1, 0, 0));
    double way = snw_vec3_dot(to, along);
    at->place = snw_vec3_make(way, snw_vec3_length(snw_vec3_add_scaled(to, -way, along)), 0);
}

/* ---- samples ----------------------------------------------------------------------------------
 */

/* Where the segment is in a frame; false where three markers do not show it. */
static bool fit_frame(const undo_job *job, const undo_shape *at, int frame,
                      snw_xform *world_from_segment)
{
    snw_vec3 to[SNW__SLIP_GROUP];
    double weight[SNW__SLIP_GROUP];
    int count = job->places->other_count + 1;
    for (int k = 0; k < count; k++) {
        bool is_seen = snw__trial_is_usable(job->trial, frame, job->marker[k]);
        to[k] = is_seen ? snw_trial_position(job->trial, frame, job->marker[k])
                        : snw_vec3_make(0, 0, 0);
        weight[k] = is_seen ? at->weight[k] : 0;
    }
    return fit(at->shape, to, weight, count, world_from_segment);
}

static void undo(undo_job *job, snw_slip *slip)
{
    const snw__slip_places *places = job->places;
    bool is_rigid = true, is_laid = true, is_slip = false;
    for (int n = 0; n < places->place_count; n++)
        is_rigid = is_rigid && job->at[n].is_rigid;
    for (int n = 0; n < places->place_count && is_rigid; n++)
        is_laid = is_laid && lay_over(job, job->at + n);
    for (int n = 0; n < places->place_count && is_rigid && !is_laid; n++)
        lay_on_line(job, job->at + n);
    for (int n = 0; n + 1 < places->place_count; n++) {
        double distance = is_rigid ? snw_vec3_distance(job->at[n].place, job->at[n + 1].place) : 0;
        bool is_large = distance > (2 * SLIP_LEAST_DISTANCES) && distance < SNW__ELSEWHERE;
        slip[n] =
            (snw_slip){places->marker, places->from[n + 1], is_large ? distance : 0, !is_laid};
        is_slip |= is_large;
    }
    for (int n = 0; n < places->place_count && is_slip; n++)
        if (snw_vec3_distance(job->at[n].place, job->at[job->kept].place) >
            (2 * SLIP_LEAST_DISTANCES)) {
            /* Samples of one place brought to the kept one, or missing. */
            const int *from = job->places->from;
            for (int f = from[n]; f < from[n + 1]; f++) {
                snw_xform world_from_segment;
                if (!snw_trial_is_present(job->trial, f, job->places->marker)) continue;
                snw_vec3 at = snw_trial_position(job->trial, f, job->places->marker);
                bool is_shown = is_laid && fit_frame(job, job->at + n, f, &world_from_segment);
                if (is_shown)
                    at = snw_vec3_add(
                        at, snw_quat_rotate(world_from_segment.rotation, job->at[n].shift));
                snw_trial_set(job->trial, f, job->places->marker, at,
                              is_shown ? SNW_SAMPLE_FILLED : SNW_SAMPLE_MISSING);
            }
        }
}

snw_status snw__slip_undo(snw_trial *trial, const snw__slip_places *places,
                          const snw_allocator *allocator, snw_slip *slip, snw_error *error)
{
    undo_job job;
    memset(&job, 0, sizeof job);
    job.trial = trial;
    job.places = places;
    memcpy(job.marker, places->other, (size_t)places->other_count * sizeof *job.marker);
    job.marker[places->other_count] = places->marker;
    for (int n = 1; n < places->place_count; n++)
        if (places->seen[n] > places->seen[job.kept]) job.kept = n;
    snw_status status = SNW_OK;
    for (int n = 0; n < places->place_count && status == SNW_OK; n++)
        status = find_shape(&job, n, allocator, error);
    if (status == SNW_OK) undo(&job, slip);
    return status;
}
