/* Zero-lag Butterworth filters and Winter's residual analysis. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "measure/measure_constants.h"

#include <sinew/filter.h>

snw_butterworth snw_butterworth_make(double cutoff, double rate, int passes)
{
    snw_butterworth filter = {{1, 0, 0}, {1, 0, 0}};
    if (!(cutoff > 0) || !(rate > 0) || passes < 1) return filter;
    /* n passes have the power response 1/2 where each has 2^(-1/n): w = w_each (2^(1/n) - 1)^(1/4)
     */
    double wider = snw__pow(snw__pow(2.0, 1.0 / passes) - 1.0, 0.25);
    double ratio = cutoff / rate / wider;
    if (!(ratio < 0.5)) return filter;
    double w = snw__tan(SNW_PI * ratio), root = sqrt(2.0) * w, scale = 1 + root + w * w;
    filter.b[0] = filter.b[2] = w * w / scale;
    filter.b[1] = 2 * filter.b[0];
    filter.a[1] = 2 * (w * w - 1) / scale;
    filter.a[2] = (1 - root + w * w) / scale;
    return filter;
}

snw_butterworth snw_butterworth_make_high(double cutoff, double rate, int passes)
{
    snw_butterworth filter = {{1, 0, 0}, {1, 0, 0}};
    if (!(cutoff > 0) || !(rate > 0) || passes < 1) return filter;
    /* The mirror image of the low pass: w becomes 1 / w, and so does its correction. */
    double wider = snw__pow(snw__pow(2.0, 1.0 / passes) - 1.0, 0.25);
    double ratio = cutoff / rate * wider;
    if (!(cutoff / rate < 0.5)) return filter;
    double w = snw__tan(SNW_PI * ratio), root = sqrt(2.0) * w, scale = 1 + root + w * w;
    filter.b[0] = filter.b[2] = 1 / scale;
    filter.b[1] = -2 / scale;
    filter.a[1] = 2 * (w * w - 1) / scale;
    filter.a[2] = (1 - root + w * w) / scale;
    return filter;
}

/* ---- forwards and backwards ------------------------------------------------------------------ */

/* The sample at n of the sequence continued by point reflection at both ends. */
static double reflected(const double *sample, int count, int n)
{
    if (n < 0) return 2 * sample[0] - sample[-n];
    if (n >= count) return 2 * sample[count - 1] - sample[2 * (count - 1) - n];
    return sample[n];
}

typedef struct filter_memory {
    double x[2], y[2];
} filter_memory;

static double filter_step(const snw_butterworth *filter, filter_memory *memory, double x)
{
    double y = filter->b[0] * x + filter->b[1] * memory->x[0] + filter->b[2] * memory->x[1] -
               filter->a[1] * memory->y[0] - filter->a[2] * memory->y[1];
    memory->x[1] = memory->x[0];
    memory->x[0] = x;
    memory->y[1] = memory->y[0];
    memory->y[0] = y;
    return y;
}

/* One pass; step -1 goes backwards. It has run over the continued end before it meets the first
 * sample, and starts that in the steady state of a constant. */
static void filter_pass(const snw_butterworth *filter, double *sample, int count, int step)
{
    double head[FILTER_END_MAX], *begin = step > 0 ? sample : sample + count - 1;
    int end = count - 1 < FILTER_END_MAX ? count - 1 : FILTER_END_MAX;
    for (int n = 0; n < end; n++)
        head[n] = step > 0 ? reflected(sample, count, n - end)
                           : reflected(sample, count, count - 1 + end - n);
    double first = end > 0 ? head[0] : *begin;
    double rest = filter->b[1] < 0 ? 0 : first; /* a high pass lets no constant through */
    filter_memory memory = {{first, first}, {rest, rest}};
    for (int n = 0; n < end; n++)
        filter_step(filter, &memory, head[n]);
    for (int n = 0; n < count; n++)
        begin[n * step] = filter_step(filter, &memory, begin[n * step]);
}

void snw_filter_zero_lag(const snw_butterworth *filter, double *sample, int count)
{
    if (count < 2) return;
    filter_pass(filter, sample, count, 1);
    filter_pass(filter, sample, count, -1);
}

void snw_emg_envelope(double *sample, int count, double rate, double high, double low)
{
    snw_butterworth above = snw_butterworth_make_high(high, rate, 2);
    snw_butterworth below = snw_butterworth_make(low, rate, 2);
    snw_filter_zero_lag(&above, sample, count);
    for (int n = 0; n < count; n++)
        sample[n] = fabs(sample[n]);
    snw_filter_zero_lag(&below, sample, count);
}

/* ---- residual analysis ----------------------------------------------------------------------- */

double snw_residual_cutoff(const double *sample, int count, double rate, double *work)
{
    double frequency[RESIDUAL_STEPS], residual[RESIDUAL_STEPS];
    double highest = 0.25 * rate;
    if (count < SNW__SAMPLES_MIN || !(highest > 2)) return 0;
    for (int i = 0; i < RESIDUAL_STEPS; i++) {
        frequency[i] = 1 + (highest - 1) * i / (RESIDUAL_STEPS - 1);
        snw_butterworth filter = snw_butterworth_make(frequency[i], rate, 2);
        double sum = 0;
        memcpy(work, sample, (size_t)count * sizeof *work);
        snw_filter_zero_lag(&filter, work, count);
        for (int n = 0; n < count; n++)
            sum += (work[n] - sample[n]) * (work[n] - sample[n]);
        residual[i] = sqrt(sum / count);
    }
    /* The line through the upper half of the points, at 0 Hz. */
    double n = 0, sum_f = 0, sum_r = 0, sum_ff = 0, sum_fr = 0;
    for (int i = RESIDUAL_STEPS / 2; i < RESIDUAL_STEPS; i++) {
        n += 1;
        sum_f += frequency[i];
        sum_r += residual[i];
        sum_ff += frequency[i] * frequency[i];
        sum_fr += frequency[i] * residual[i];
    }
    double slope = (n * sum_fr - sum_f * sum_r) / (n * sum_ff - sum_f * sum_f);
    double noise = (sum_r - slope * sum_f) / n;
    for (int i = 0; i < RESIDUAL_STEPS; i++) {
        if (residual[i] > noise) continue;
        if (i == 0) return frequency[0];
        double share = (residual[i - 1] - noise) / (residual[i - 1] - residual[i]);
        return frequency[i - 1] + share * (frequency[i] - frequency[i - 1]);
    }
    return highest;
}

/* ---- a trial --------------------------------------------------------------------------------- */

typedef struct filter_job {
    snw_trial *trial;
    double cutoff; /* 0: by residual analysis */
    double *line;  /* (3 x frame_count) */
    double *work;  /* (2 x frame_count) */
    snw_filter_report report;
    double sum;
    int count; /* of cut-offs */
} filter_job;

static void filter_line(filter_job *job, double *line, int count)
{
    double cutoff = job->cutoff;
    if (!(cutoff > 0)) cutoff = snw_residual_cutoff(line, count, job->trial->rate, job->work);
    if (!(cutoff > 0)) return;
    snw_butterworth filter = snw_butterworth_make(cutoff, job->trial->rate, 2);
    snw_filter_zero_lag(&filter, line, count);
    job->report.lowest = job->count ? fmin(job->report.lowest, cutoff) : cutoff;
    job->report.highest = job->count ? fmax(job->report.highest, cutoff) : cutoff;
    job->sum += cutoff;
    job->count++;
}

static void filter_marker(filter_job *job, int marker)
{
    int frames = job->trial->frame_count, before = job->count;
    for (int from = 0; from < frames;) {
        int to = from;
        while (to < frames && snw_trial_is_present(job->trial, to, marker))
            to++;
        if (to - from >= SNW__SAMPLES_PATH) {
            int count = to - from;
            snw_trial *trial = job->trial;
            double *line = job->line;
            for (int n = 0; n < count; n++) {
                snw_vec3 at = snw_trial_position(trial, from + n, marker);
                line[n] = at.x;
                line[count + n] = at.y;
                line[2 * count + n] = at.z;
            }
            for (int axis = 0; axis < 3; axis++)
                filter_line(job, line + axis * count, count);
            for (int n = 0; n < count; n++) {
                size_t at = (size_t)(from + n) * (size_t)trial->marker_count + (size_t)marker;
                snw_sample sample = trial->sample[at];
                snw_vec3 place = {line[n], line[count + n], line[2 * count + n]};
                snw_trial_set(trial, from + n, marker, place, (snw_sample_state)trial->state[at]);
                trial->sample[at].quality = sample.quality;
            }
        }
        from = to + 1;
    }
    job->report.marker_count += job->count > before;
}

snw_status snw_trial_filter(const snw_trial *trial, double cutoff, const snw_allocator *allocator,
                            snw_trial **out, snw_filter_report *report, snw_error *error)
{
    *out = NULL;
    if (!(cutoff >= 0) || (cutoff > 0 && !(cutoff < 0.4 * trial->rate)))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a cut-off of %g Hz needs more than %g samples per second", cutoff,
                         cutoff / 0.4);
    filter_job job;
    memset(&job, 0, sizeof job);
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t frames = (size_t)trial->frame_count, size = snw__size_mul(5 * frames, sizeof(double));
    double *work = snw__allocate(&memory, size);
    if (!work) return snw__fail_memory(error, size, "filtering");
    job.line = work;
    job.work = work + 3 * frames;
    job.cutoff = cutoff;
    snw_status status = snw_trial_copy(trial, allocator, out, error);
    if (status == SNW_OK) {
        job.trial = *out;
        for (int m = 0; m < trial->marker_count; m++)
            if (snw_trial_is_marker(trial, m)) filter_marker(&job, m);
        job.report.mean = job.count ? job.sum / job.count : 0;
        if (report) *report = job.report;
        snw__succeed(error);
    }
    snw__release(&memory, work, size);
    return status;
}
