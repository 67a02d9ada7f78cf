/* Headings of sensors from what neighbours feel.
 *
 * Two segments that meet in a joint give it one acceleration: with f the specific force that a
 * sensor reports, turned into the world, and r from the sensor to the joint in its axes,
 *
 *   f_a + R_a'' r_a  =  H(h) (f_b + R_b'' r_b)
 *
 * where R'' is the second derivative of its rotation matrix and h the difference of the headings of
 * their worlds (after Kok, Hol & Schoen 2014; Seel, Schauer & Raisch 2012 find r alike). r and h
 * follow from each other: r by linear least squares over all frames, h as the angle between the
 * horizontal parts in each window of a second, with its information. Then all windows of all
 * sensors together: differences as they were found, headings that walk at random, and magnetic
 * norths that are right on average. How fast they walk and how far norths are off is what the
 * differences themselves show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "inertial/sensing.h"
#include "math/order.h"
#include "math/sparse.h"
#include <sinew/dense.h>

enum {
    SWINGS = 10,        /* of body parts in a second: errors within one are alike */
    HEADING_ROUNDS = 24 /* of r and h; the change is below a milliradian after six */
};

/* Two sensors whose segments meet. */
typedef struct heading_pair {
    int a, b; /* b's segment hangs from a's */
    snw_vec3 arm[2];
    double spread; /* variance of what is left, a coordinate, (m/s2)^2 */
} heading_pair;

/* A frame of one sensor. */
typedef struct heading_sample {
    bool is_known;
    snw_vec3 force;
    snw_mat3 turning; /* R'' */
} heading_sample;

typedef struct heading_job {
    const snw_inertial *in;
    int pair_count, window_count;
    int window;             /* frames */
    snw_vec3 east, north;   /* across `up` */
    heading_pair *pair;     /* (sensor_count) */
    double *difference;     /* (pair_count x window_count) to be added to b's heading */
    double *information;    /* the same; 1 / rad^2 */
    double *scratch;        /* (sensor_count x window_count) */
    double *solution;       /* (sensor_count x window_count) */
    heading_sample *sample; /* (frame_count x 2) of the pair at hand */
} heading_job;

static void lay_out(void *object, snw__block *block)
{
    heading_job *job = object;
    size_t sensors = (size_t)job->in->sensor_count;
    size_t cells = snw__size_mul(sensors, (size_t)job->window_count);
    job->pair = snw__block_take(block, sensors, sizeof *job->pair);
    job->difference = snw__block_take(block, cells, sizeof(double));
    job->information = snw__block_take(block, cells, sizeof(double));
    job->scratch = snw__block_take(block, cells, sizeof(double));
    job->solution = snw__block_take(block, cells, sizeof(double));
    job->sample = snw__block_take(block, 2 * (size_t)job->in->frame_count, sizeof *job->sample);
}

/* ---- one frame of one sensor ----------------------------------------------------------------- */

/* R'' as the difference of turns `reach` frames apart, which is the mean of the true one under a
 * triangle; the force under the same triangle, so that both are blurred alike. */
static void take_sample(const snw_inertial *in, int reach, int frame, int sensor,
                        heading_sample *out)
{
    out->is_known = frame >= reach && frame + reach < in->frame_count;
    out->force = snw_vec3_make(0, 0, 0);
    for (int k = -reach; k <= reach && out->is_known; k++) {
        size_t at = (size_t)(frame + k) * (size_t)in->sensor_count + (size_t)sensor;
        out->is_known = snw__inertial_has(in, frame + k, sensor);
        out->force = snw_vec3_add_scaled(out->force, (double)(reach - abs(k)) / (reach * reach),
                                         snw_quat_rotate(in->turn[at], in->acceleration[at]));
    }
    if (!out->is_known) return;
    snw_mat3 r[3];
    for (int k = 0; k < 3; k++)
        r[k] = snw_mat3_from_quat(*snw__inertial_turn(in, frame + (k - 1) * reach, sensor));
    double step = reach / in->rate;
    for (int k = 0; k < 9; k++)
        out->turning.m[k / 3][k % 3] =
            (r[0].m[k / 3][k % 3] - 2 * r[1].m[k / 3][k % 3] + r[2].m[k / 3][k % 3]) /
            (step * step);
}

static void take_samples(heading_job *job, const heading_pair *pair)
{
    int reach = (int)fmax(1, round(job->in->rate / (2 * SWINGS)));
    for (int f = 0; f < job->in->frame_count; f++) {
        take_sample(job->in, reach, f, pair->a, job->sample + 2 * (size_t)f);
        take_sample(job->in, reach, f, pair->b, job->sample + 2 * (size_t)f + 1);
    }
}

static double heading_at(const heading_job *job, const double *windows, int frame)
{
    double at = (frame + 0.5) / job->window - 0.5;
    int first = at < 0 ? 0 : (int)at;
    if (first > job->window_count - 2) first = job->window_count - 2;
    if (first < 0) return windows[0];
    double share = fmin(fmax(at - first, 0), 1);
    return (1 - share) * windows[first] + share * windows[first + 1];
}

/* ---- a pair ---------------------------------------------------------------------------------- */

/* Rows of one coordinate in one window, with their mean taken off: a sensor whose up is off by a
 * degree feels a sixth of a m/s2 of gravity sideways, which is as good as constant in a window. */
typedef struct arm_sums {
    double normal[36], right[6], mean[6], off, square;
    int count;
} arm_sums;

static void add_row(arm_sums *sums, const double row[6], double off)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            sums->normal[6 * i + j] += row[i] * row[j];
        sums->right[i] += row[i] * off;
        sums->mean[i] += row[i];
    }
    sums->off += off;
    sums->square += off * off;
    sums->count++;
}

static void close_window(arm_sums *window, arm_sums *all)
{
    for (int i = 0; i < 6 && window->count; i++) {
        for (int j = 0; j < 6; j++)
            all->normal[6 * i + j] +=
                window->normal[6 * i + j] - window->mean[i] * window->mean[j] / window->count;
        all->right[i] += window->right[i] - window->mean[i] * window->off / window->count;
    }
    if (window->count) all->square += window->square - window->off * window->off / window->count;
    all->count += window->count;
    memset(window, 0, sizeof *window);
}

/* The arms, given the headings. */
static void find_arms(heading_job *job, int p)
{
    heading_pair *pair = job->pair + p;
    const double *windows = job->difference + (size_t)p * (size_t)job->window_count;
    arm_sums all, axis[3];
    double moved = 0;
    memset(&all, 0, sizeof all);
    memset(axis, 0, sizeof axis);
    for (int f = 0; f < job->in->frame_count; f++) {
        heading_sample a = job->sample[2 * (size_t)f], b = job->sample[2 * (size_t)f + 1];
        for (int k = 0; k < 3 && f % job->window == 0; k++)
            close_window(axis + k, &all);
        if (!a.is_known || !b.is_known) continue;
        snw_mat3 turn =
            snw_mat3_from_quat(snw_quat_from_axis_angle(job->in->up, heading_at(job, windows, f)));
        snw_mat3 moving = snw_mat3_mul(turn, b.turning);
        snw_vec3 off = snw_vec3_sub(a.force, snw_mat3_apply(turn, b.force));
        const double e[3] = {off.x, off.y, off.z};
        for (int k = 0; k < 3; k++) {
            double row[6];
            for (int n = 0; n < 3; n++) {
                row[n] = -a.turning.m[k][n];
                row[3 + n] = moving.m[k][n];
            }
            add_row(axis + k, row, e[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        close_window(axis + k, &all);
    for (int i = 0; i < 6; i++)
        moved += all.normal[7 * i] / 6;
    /* Arms are short, 0 to within half a foot; a stride that repeats says the same again, so that
     * all frames together weigh as much as its swings do. */
    double ridge = pair->spread * all.count / (SWINGS * 0.15 * 0.15);
    for (int i = 0; i < 6; i++)
        all.normal[7 * i] += ridge + moved * 1e-9;
    if (all.count == 0 || snw_cholesky_factor(all.normal, 6) != SNW_OK ||
        snw_cholesky_solve(all.normal, 6, all.right) != SNW_OK)
        return;
    pair->arm[0] = snw_vec3_make(all.right[0], all.right[1], all.right[2]);
    pair->arm[1] = snw_vec3_make(all.right[3], all.right[4], all.right[5]);
}

/* What both feel at the joint. */
static bool both_feel(const heading_job *job, const heading_pair *pair, int frame, snw_vec3 out[2])
{
    const heading_sample *both = job->sample + 2 * (size_t)frame;
    for (int k = 0; k < 2; k++)
        out[k] = snw_vec3_add(both[k].force, snw_mat3_apply(both[k].turning, pair->arm[k]));
    return both[0].is_known && both[1].is_known;
}

/* What both feel across `up` in a window, by sums. */
typedef struct felt_sums {
    double product[2], square[2], mean[2][2]; /* of a, b: east, north */
    double next;                              /* products of what is left with the frame before */
    int count;
} felt_sums;

static void add_felt(const heading_job *job, felt_sums *sums, const snw_vec3 felt[2])
{
    double x[2], y[2];
    for (int k = 0; k < 2; k++) {
        x[k] = snw_vec3_dot(felt[k], job->east);
        y[k] = snw_vec3_dot(felt[k], job->north);
        sums->mean[k][0] += x[k];
        sums->mean[k][1] += y[k];
        sums->square[k] += x[k] * x[k] + y[k] * y[k];
    }
    sums->product[0] += x[0] * x[1] + y[0] * y[1];
    sums->product[1] += y[0] * x[1] - x[0] * y[1];
    sums->count++;
}

static void take_means(felt_sums *sums)
{
    const double *a = sums->mean[0], *b = sums->mean[1];
    double n = fmax(sums->count, 1);
    sums->product[0] -= (a[0] * b[0] + a[1] * b[1]) / n;
    sums->product[1] -= (a[1] * b[0] - a[0] * b[1]) / n;
    sums->square[0] -= (a[0] * a[0] + a[1] * a[1]) / n;
    sums->square[1] -= (b[0] * b[0] + b[1] * b[1]) / n;
}

/* The angle of each window, about the angle of all of them. Its information is that of the swings
 * over what is left of them; a swing of a few tenths of a second is one observation, not thirty. */
static void find_differences(heading_job *job, int p)
{
    heading_pair *pair = job->pair + p;
    double *angle = job->difference + (size_t)p * (size_t)job->window_count;
    double *information = job->information + (size_t)p * (size_t)job->window_count;
    double all[2] = {0, 0}, left = 0;
    int count = 0;
    for (int w = 0; w < job->window_count; w++) {
        int end = w + 1 == job->window_count ? job->in->frame_count : (w + 1) * job->window;
        felt_sums sums;
        memset(&sums, 0, sizeof sums);
        for (int f = w * job->window; f < end; f++) {
            snw_vec3 felt[2];
            if (both_feel(job, pair, f, felt)) add_felt(job, &sums, felt);
        }
        take_means(&sums);
        double length = snw__hypot(sums.product[0], sums.product[1]);
        angle[w] = snw__atan2(sums.product[1], sums.product[0]);
        information[w] = length;
        left += fmax(sums.square[0] + sums.square[1] - 2 * length, 0);
        all[0] += sums.product[0], all[1] += sums.product[1];
        count += 2 * sums.count;
    }
    double middle = snw__atan2(all[1], all[0]);
    for (int w = 0; w < job->window_count; w++)
        angle[w] = middle + remainder(angle[w] - middle, 2 * SNW_PI);
    pair->spread = count ? left / count : 0;
    double independent = SWINGS / job->in->rate / fmax(pair->spread, 1e-12);
    for (int w = 0; w < job->window_count; w++)
        information[w] *= fmin(independent, 1 / fmax(pair->spread, 1e-12));
}

/* ---- all together ---------------------------------------------------------------------------- */

/* The middle of squares as a variance: of normal numbers it is 0.4549 of it. */
static double robust_variance(double *square, int count)
{
    return count ? snw__median(square, count) / 0.4549 : 0;
}

/* How fast headings walk (variance in a window), and how far norths are off (variance), of one
 * sensor: differences show those of two. */
static void find_priors(heading_job *job, double *walk, double *north)
{
    double *squares = job->scratch, noise = 0;
    int count = 0, cells = job->pair_count * job->window_count;
    for (int c = 0; c < cells; c++) {
        if ((c + 1) % job->window_count == 0 || !(job->information[c] > 0) ||
            !(job->information[c + 1] > 0))
            continue;
        double step = remainder(job->difference[c + 1] - job->difference[c], 2 * SNW_PI);
        noise += 1 / job->information[c] + 1 / job->information[c + 1];
        squares[count++] = step * step;
    }
    double steps = robust_variance(squares, count), least = 1e-8; /* a tenth of a milliradian */
    *walk = fmax(steps - (count ? noise / count : 0), fmax(steps / 16, least)) / 2;
    count = 0;
    for (int c = 0; c < cells; c++)
        if (job->information[c] > 0) squares[count++] = job->difference[c] * job->difference[c];
    *north = fmax(robust_variance(squares, count) / 2, least);
}

/* Least squares over sensors and windows, window by window, so that the matrix is a band. */
static snw_status solve_all(heading_job *job, double *sigma, snw_error *error)
{
    int sensors = job->in->sensor_count, n = sensors * job->window_count, entries = 0;
    int most = n * 3 + job->pair_count * job->window_count;
    const snw_allocator memory = snw__allocator_or_default(&job->in->allocator);
    size_t size = (size_t)(n + 1) * sizeof(int) + (size_t)most * (sizeof(int) + sizeof(double));
    char *room = snw__allocate(&memory, size + sizeof(double));
    if (!room) return snw__fail_memory(error, size, "headings");
    double *value = (double *)(void *)room;
    int *row = (int *)(void *)(value + most), *start = row + most;
    double walk, north;
    find_priors(job, &walk, &north);
    for (int c = 0; c < n; c++) {
        int w = c / sensors, s = c % sensors;
        start[c] = entries;
        int diagonal = entries;
        row[entries] = c;
        value[entries++] =
            1 / (north * job->window_count) + (w > 0) / walk + (w + 1 < job->window_count) / walk;
        job->solution[c] = 0;
        for (int p = 0; p < job->pair_count; p++) {
            const heading_pair *pair = job->pair + p;
            if (pair->a != s && pair->b != s) continue;
            size_t cell = (size_t)p * (size_t)job->window_count + (size_t)w;
            double weight = job->information[cell];
            value[diagonal] += weight;
            job->solution[c] += (pair->b == s ? weight : -weight) * job->difference[cell];
            int other = w * sensors + (pair->b == s ? pair->a : pair->b);
            if (other > c) {
                row[entries] = other;
                value[entries++] = -weight;
            }
        }
        if (w + 1 < job->window_count) {
            row[entries] = c + sensors;
            value[entries++] = -1 / walk;
        }
    }
    start[n] = entries;
    const snw__sparse a = {n, start, row, value};
    snw__sparse_factor factor;
    snw_status status = snw__sparse_factor_create(&a, &memory, &factor, error);
    if (status == SNW_OK) {
        snw__sparse_solve(&factor, job->solution);
        for (int s = 0; s < sensors && sigma; s++) {
            int middle = job->window_count / 2 * sensors + s;
            memset(job->scratch, 0, (size_t)n * sizeof(double));
            job->scratch[middle] = 1;
            snw__sparse_solve(&factor, job->scratch);
            sigma[s] = sqrt(fmax(job->scratch[middle], 0));
        }
        snw__sparse_factor_release(&factor);
    }
    snw__release(&memory, room, size + sizeof(double));
    return status;
}

/* ---- who meets whom -------------------------------------------------------------------------- */

/* The nearest joint above with a sensor. */
static int sensor_above(const snw_skeleton *body, const int *joint, int sensors, int of)
{
    for (int j = body->parent[joint[of]]; j >= 0; j = body->parent[j])
        for (int s = 0; s < sensors; s++)
            if (joint[s] == j) return s;
    return -1;
}

snw_status snw__inertial_headings(const snw_inertial *in, const snw_skeleton *body,
                                  const int *joint, double *heading, double *sigma,
                                  snw_error *error)
{
    heading_job job = {.in = in};
    size_t cells = (size_t)in->frame_count * (size_t)in->sensor_count;
    memset(heading, 0, cells * sizeof *heading);
    if (sigma) memset(sigma, 0, (size_t)in->sensor_count * sizeof *sigma);
    job.window = (int)fmax(ceil(in->rate), 3);
    if (!in->has_acceleration || in->frame_count < 3) return SNW_OK;
    job.window_count = in->frame_count / job.window > 1 ? in->frame_count / job.window : 1;
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &job, &in->allocator, "headings", error);
    if (status != SNW_OK) return status;
    snw_vec3 side = fabs(in->up.x) < 0.7 ? snw_vec3_make(1, 0, 0) : snw_vec3_make(0, 1, 0);
    job.north = snw_vec3_unit(snw_vec3_cross(in->up, side), side);
    job.east = snw_vec3_cross(job.north, in->up);
    for (int s = 0; s < in->sensor_count; s++) {
        int above = joint[s] < 0 ? -1 : sensor_above(body, joint, in->sensor_count, s);
        if (above >= 0) job.pair[job.pair_count++] = (heading_pair){.a = above, .b = s};
    }
    for (int p = 0; p < job.pair_count; p++) {
        take_samples(&job, job.pair + p);
        for (int round = 0; round < HEADING_ROUNDS; round++) {
            find_differences(&job, p);
            if (round + 1 < HEADING_ROUNDS) find_arms(&job, p);
        }
    }
    if (job.pair_count) status = solve_all(&job, sigma, error);
    for (int s = 0; s < in->sensor_count && status == SNW_OK && job.pair_count; s++) {
        for (int w = 0; w < job.window_count; w++)
            job.scratch[w] = isfinite(job.solution[w * in->sensor_count + s])
                                 ? job.solution[w * in->sensor_count + s]
                                 : 0; /* accelerations that overflow say nothing */
        for (int f = 0; f < in->frame_count; f++)
            heading[(size_t)f * (size_t)in->sensor_count + (size_t)s] =
                heading_at(&job, job.scratch, f);
    }
    snw__block_release(&in->allocator, &block);
    return status;
}
