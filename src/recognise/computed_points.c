/* Points that a program computed, in captures whose labels do not tell them from markers.
 *
 * Three things no marker on a body does:
 *  - A coordinate never changes though the point moves: an angle about one axis, a power, a place
 *    on the floor. Measured coordinates vary with the noise.
 *  - It stays about the origin of the laboratory while the body goes elsewhere: an angle or a force
 *    that was written as if it were a place. An angle of 180 degrees about each axis is 312
 *    millimetres from the origin. Larger ones, moments, are then where the body is not.
 *  - With three others it is a set of axes: three arms of equal length from one origin, at right
 *    angles. Markers on a plate may stand at right angles, but in a plane.
 *
 * Where too little is left these points are all there is, and they are its markers. */
#include <string.h>

#include "base/memory.h"
#include "math/robust.h"
#include "person/movement.h"
#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

typedef struct computed_work {
    const snw_trial *trial;
    int point_count;
    int *marker; /* (point_count) of the trial */
    int frame_count;
    snw_vec3 *at;                 /* (point_count x frame_count) */
    bool *is_seen;                /* (point_count x frame_count) */
    int *seen_count;              /* (point_count) */
    int *group;                   /* (point_count) of points that keep near; its first point */
    int *size;                    /* (point_count) of the group of that point */
    bool *is_body;                /* (point_count) */
    snw__computed_reason *reason; /* (point_count) */
    snw_vec3 body[SNW__RECOGNISE_FRAMES]; /* mean of the body's points */
    bool has_body[SNW__RECOGNISE_FRAMES]; /* is one of them seen? */
    int arm[COMPUTED_AXES_POINTS];        /* points with the same distance from an origin */
    double length[COMPUTED_AXES_POINTS];
} computed_work;

static const snw_vec3 *path_of(const computed_work *work, int point)
{
    return work->at + (size_t)point * (size_t)work->frame_count;
}

static const bool *seen_of(const computed_work *work, int point)
{
    return work->is_seen + (size_t)point * (size_t)work->frame_count;
}

/* Is it seen too little to be looked at by itself? */
static bool is_brief(const computed_work *work, int point)
{
    return work->seen_count[point] < SNW__SEEN_LEAST * work->frame_count;
}

/* ---- a coordinate that never changes ----------------------------------------------------------
 */

static bool is_flat(const computed_work *work, int point)
{
    const snw_vec3 *at = path_of(work, point);
    const bool *is_seen = seen_of(work, point);
    snw_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int f = 0; f < work->frame_count; f++) {
        if (!is_seen[f]) continue;
        low = snw_vec3_make(fmin(low.x, at[f].x), fmin(low.y, at[f].y), fmin(low.z, at[f].z));
        high = snw_vec3_make(fmax(high.x, at[f].x), fmax(high.y, at[f].y), fmax(high.z, at[f].z));
    }
    snw_vec3 range = snw_vec3_sub(high, low);
    bool is_constant = range.x == 0 || range.y == 0 || range.z == 0;
    /* Metres. A point went so far along other axes, far beyond the steps of 16-bit files, while one
     * coordinate was the same. */
    return is_constant && work->seen_count[point] >= SNW__SAMPLES_MEDIAN &&
           snw_vec3_length(range) > (2 * SNW__SKIN);
}

/* ---- about the origin --------------------------------------------------------------------------
 */

/* Is a point within reach of the origin, but for a few frames? */
static bool is_at_origin(const computed_work *work, int point)
{
    const snw_vec3 *at = path_of(work, point);
    const bool *is_seen = seen_of(work, point);
    int far = 0;
    for (int f = 0; f < work->frame_count; f++)
        far += is_seen[f] && snw_vec3_length(at[f]) > COMPUTED_ORIGIN;
    return far <= COMPUTED_FEW * work->seen_count[point];
}

/* Are two points within reach of each other, but for a few of the frames that show both? */
static bool keep_near(const computed_work *work, int a, int b, double reach)
{
    const snw_vec3 *at_a = path_of(work, a), *at_b = path_of(work, b);
    const bool *seen_a = seen_of(work, a), *seen_b = seen_of(work, b);
    int both = 0, far = 0;
    for (int f = 0; f < work->frame_count; f++) {
        if (!seen_a[f] || !seen_b[f]) continue;
        both++;
        far += snw_vec3_distance(at_a[f], at_b[f]) > reach;
    }
    int less =
        work->seen_count[a] < work->seen_count[b] ? work->seen_count[a] : work->seen_count[b];
    return 2 * both >= less && far <= COMPUTED_FEW * both;
}

static int group_of(const computed_work *work, int point)
{
    while (work->group[point] != point)
        point = work->group[point];
    return point;
}

/* Is a point near to none of the bodies' points? */
static bool is_elsewhere(const computed_work *work, int point, double reach)
{
    for (int q = 0; q < work->point_count; q++)
        if (q != point && work->is_body[q] && keep_near(work, point, q, reach)) return false;
    return true;
}

/* Points that are not brief. */
static int count_of(const computed_work *work, snw__computed_reason reason)
{
    int count = 0;
    for (int p = 0; p < work->point_count; p++)
        count += work->reason[p] == reason && !is_brief(work, p);
    return count;
}

/* Where a body goes about, its own points are nearer than what it passes. */
static double reach_of(const computed_work *work, int point, double reach_of_walker)
{
    /* How far the bodies go while a point is seen. */
    snw_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    const bool *is_seen = seen_of(work, point);
    int count = 0;
    for (int f = 0; f < work->frame_count; f++) {
        if (!is_seen[f] || !work->has_body[f]) continue;
        snw_vec3 x = work->body[f];
        low = snw_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = snw_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        count++;
    }
    return (count ? snw_vec3_distance(low, high) : 0) >= COMPUTED_WAY ? reach_of_walker
                                                                      : SNW__BONE_MAX;
}

static void find_quantities(computed_work *work)
{
    int at_origin = 0;
    for (int p = 0; p < work->point_count; p++)
        at_origin += work->reason[p] == SNW__COMPUTED_NOT && is_at_origin(work, p);
    if (at_origin < COMPUTED_QUANTITIES) return;
    /* Bodies: many points that are seen most of the time, each near to another one of them. */
    int points = work->point_count;
    for (int p = 0; p < points; p++) {
        work->group[p] = p;
        work->is_body[p] = work->reason[p] == SNW__COMPUTED_NOT && !is_at_origin(work, p) &&
                           work->seen_count[p] >= COMPUTED_BODY_SEEN * work->frame_count;
    }
    for (int p = 0; p < points; p++)
        for (int q = 0; q < p && work->is_body[p]; q++)
            if (work->is_body[q] && group_of(work, p) != group_of(work, q) &&
                keep_near(work, p, q, SNW__BONE_MAX))
                work->group[group_of(work, p)] = group_of(work, q);
    for (int p = 0; p < points; p++)
        work->size[group_of(work, p)] += work->is_body[p];
    for (int p = 0; p < points; p++)
        work->is_body[p] = work->is_body[p] && work->size[group_of(work, p)] >= SNW__MARKERS_MIN;
    for (int f = 0; f < work->frame_count; f++) {
        snw_vec3 sum = {0, 0, 0};
        int count = 0;
        for (int p = 0; p < work->point_count; p++) {
            if (!work->is_body[p] || !seen_of(work, p)[f]) continue;
            sum = snw_vec3_add(sum, path_of(work, p)[f]);
            count++;
        }
        work->has_body[f] = count > 0;
        work->body[f] = snw_vec3_scale(sum, 1.0 / (count ? count : 1));
    }
    bool has_body = false;
    for (int p = 0; p < work->point_count; p++)
        has_body |= work->is_body[p];
    if (has_body) {
        /* Angles and forces: about the origin, and on no body. */
        for (int p = 0; p < work->point_count; p++)
            if (work->reason[p] == SNW__COMPUTED_NOT && !is_brief(work, p) &&
                is_at_origin(work, p) && is_elsewhere(work, p, reach_of(work, p, SNW__ELSEWHERE)))
                work->reason[p] = SNW__COMPUTED_QUANTITY;
    }
    if (count_of(work, SNW__COMPUTED_QUANTITY) >= COMPUTED_QUANTITIES) {
        /* In a capture of quantities, what else is on no body; of what is seen briefly, all that is
         * about the origin. */
        for (int p = 0; p < work->point_count; p++) {
            if (work->reason[p] != SNW__COMPUTED_NOT || work->is_body[p]) continue;
            double reach =
                is_brief(work, p) ? COMPUTED_REACH_BRIEF : reach_of(work, p, COMPUTED_REACH_WALKER);
            if ((is_brief(work, p) && is_at_origin(work, p)) || is_elsewhere(work, p, reach))
                work->reason[p] = SNW__COMPUTED_QUANTITY;
        }
        return;
    }
    for (int p = 0; p < work->point_count; p++)
        if (work->reason[p] == SNW__COMPUTED_QUANTITY) work->reason[p] = SNW__COMPUTED_NOT;
}

/* ---- axes --------------------------------------------------------------------------------------
 */

/* Two arms from an origin in all frames that show them: of equal length? And the largest cosine
 * between them; 2: not equal, or too few frames. */
static double arms_cosine(const computed_work *work, int origin, int a, int b)
{
    const snw_vec3 *at_o = path_of(work, origin), *at_a = path_of(work, a),
                   *at_b = path_of(work, b);
    const bool *seen_o = seen_of(work, origin), *seen_a = seen_of(work, a),
               *seen_b = seen_of(work, b);
    double most = 0;
    int count = 0;
    for (int f = 0; f < work->frame_count; f++) {
        if (!seen_o[f] || !seen_a[f] || !seen_b[f]) continue;
        snw_vec3 u = snw_vec3_sub(at_a[f], at_o[f]), v = snw_vec3_sub(at_b[f], at_o[f]);
        double lu = snw_vec3_length(u), lv = snw_vec3_length(v);
        if (!(fabs(lu - lv) <= COMPUTED_EXACT) || !(lu > COMPUTED_ARM_LEAST)) return 2;
        double cosine = fabs(snw_vec3_dot(u, v)) / (lu * lv);
        if (cosine > COMPUTED_SLANT) return 2;
        most = fmax(most, cosine);
        count++;
    }
    return count >= SNW__SAMPLES_MEDIAN ? most : 2;
}

/* The first frame that shows both; -1: none. */
static int first_common(const computed_work *work, int a, int b)
{
    for (int f = 0; f < work->frame_count; f++)
        if (seen_of(work, a)[f] && seen_of(work, b)[f]) return f;
    return -1;
}

static void find_axes(computed_work *work)
{
    int point[COMPUTED_AXES_POINTS], count = 0;
    for (int p = 0; p < work->point_count; p++) {
        if (work->reason[p] != SNW__COMPUTED_NOT || is_brief(work, p)) continue;
        if (count == COMPUTED_AXES_POINTS) return;
        point[count++] = p;
    }
    for (int n = 0; n < count; n++) {
        /* Marks the origin and three arms, at least two of them exactly at right angles, as axes.
         * Lengths are of one frame each, so arms of one length may differ by what that changes. */
        int origin = point[n];
        /* Points that may be ends of arms from an origin. */
        int arms = 0;
        for (int m = 0; m < count; m++) {
            int f = point[m] == origin ? -1 : first_common(work, origin, point[m]);
            if (f < 0) continue;
            double length = snw_vec3_distance(path_of(work, origin)[f], path_of(work, point[m])[f]);
            if (!(length > COMPUTED_ARM_LEAST) || length > SNW__BONE_MAX) continue;
            work->arm[arms] = point[m];
            work->length[arms++] = length;
        }
        for (int i = 0; i < arms; i++)
            for (int j = 0; j < i; j++) {
                if (fabs(work->length[i] - work->length[j]) > COMPUTED_ARM_VARIES) continue;
                double ij = arms_cosine(work, origin, work->arm[i], work->arm[j]);
                if (ij > 1) continue;
                for (int k = 0; k < j; k++) {
                    if (fabs(work->length[j] - work->length[k]) > COMPUTED_ARM_VARIES) continue;
                    double ik = arms_cosine(work, origin, work->arm[i], work->arm[k]);
                    double jk = ik > 1 ? 2 : arms_cosine(work, origin, work->arm[j], work->arm[k]);
                    if (jk > 1 || fmin(ij, fmin(ik, jk)) * work->length[i] > COMPUTED_EXACT)
                        continue;
                    work->reason[origin] = work->reason[work->arm[i]] = work->reason[work->arm[j]] =
                        work->reason[work->arm[k]] = SNW__COMPUTED_AXIS;
                }
            }
    }
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static void lay_out_computed(void *object, snw__block *block)
{
    computed_work *work = object;
    snw__block_take(block, 1, sizeof *work);
    size_t points = (size_t)work->point_count, frames = (size_t)work->frame_count;
    work->marker = snw__block_take(block, points, sizeof(int));
    work->at = snw__block_take(block, snw__size_mul(points, frames), sizeof(snw_vec3));
    work->is_seen = snw__block_take(block, snw__size_mul(points, frames), sizeof(bool));
    work->seen_count = snw__block_take(block, points, sizeof(int));
    work->group = snw__block_take(block, points, sizeof(int));
    work->size = snw__block_take(block, points, sizeof(int));
    work->is_body = snw__block_take(block, points, sizeof(bool));
    work->reason = snw__block_take(block, points, sizeof *work->reason);
}

/* Keeps the markers that are seen. */
static void read_paths(computed_work *work)
{
    const snw_trial *trial = work->trial;
    int kept = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        size_t row = (size_t)kept * (size_t)work->frame_count;
        int seen = 0;
        for (int n = 0; n < work->frame_count; n++) {
            int f = (int)((n + 0.5) * trial->frame_count / work->frame_count);
            bool is_seen = snw_trial_is_present(trial, f, m);
            work->is_seen[row + (size_t)n] = is_seen;
            if (is_seen) work->at[row + (size_t)n] = snw_trial_position(trial, f, m);
            seen += is_seen;
        }
        if (!seen) continue;
        work->marker[kept] = m;
        work->reason[kept] = SNW__COMPUTED_NOT;
        work->seen_count[kept++] = seen;
    }
    work->point_count = kept;
}

snw_status snw__computed_points_find(const snw_trial *trial, const snw_allocator *allocator,
                                     snw__computed_reason *reason, snw_error *error)
{
    computed_work sketch;
    memset(&sketch, 0, sizeof sketch);
    for (int m = 0; m < trial->marker_count; m++)
        reason[m] = SNW__COMPUTED_NOT;
    sketch.trial = trial;
    sketch.point_count = trial->marker_count;
    sketch.frame_count =
        trial->frame_count < SNW__RECOGNISE_FRAMES ? trial->frame_count : SNW__RECOGNISE_FRAMES;
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out_computed, &sketch, allocator,
                                          "the search for computed points", error);
    if (status != SNW_OK) return status;
    computed_work *work = (void *)block.base;
    *work = sketch;
    read_paths(work);
    for (int p = 0; p < work->point_count; p++)
        if (is_flat(work, p)) work->reason[p] = SNW__COMPUTED_FLAT;
    find_axes(work);
    find_quantities(work);
    if (count_of(work, SNW__COMPUTED_NOT) >= SNW__MARKERS_MIN)
        for (int p = 0; p < work->point_count; p++)
            reason[work->marker[p]] = work->reason[p];
    snw__release(allocator, work, block.size);
    return SNW_OK;
}
