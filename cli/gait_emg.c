#include "gait_emg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "pattern.h"
#include "text.h"
#include "walk.h"

/* Cut-offs in Hz: 20 of the high pass (De Luca et al. 2010), 6 of the envelope (Winter 2009). */
#define EMG_HIGH 20.0
#define EMG_LOW  6.0

typedef struct emg_job {
    const snw_trial *trial;
    const snw_strides *strides;
    int count;
    int *channel;       /* (count) of the trial */
    snw_angles columns; /* envelopes at the analog rate */
    snw_cycle *cycle;   /* (count x 2) */
} emg_job;

/* Without --channels: whose name or description says EMG. */
static bool is_emg(const cli_arguments *arguments, const snw_analog_channel *channel)
{
    const char *list = cli_value(arguments, "--channels", NULL);
    if (list) return cli_pattern_list_matches(list, channel->name ? channel->name : "");
    static const char *const words = "*EMG*,*emg*,*Emg*";
    return (channel->name && cli_pattern_list_matches(words, channel->name)) ||
           (channel->description && cli_pattern_list_matches(words, channel->description));
}

static bool make_envelopes(emg_job *job)
{
    const snw_trial *trial = job->trial;
    int per = trial->analog_per_frame, samples = trial->frame_count * per;
    double rate = trial->rate * per, *one = malloc(((size_t)samples + 1) * sizeof *one);
    job->columns.value = calloc((size_t)samples * (size_t)job->count + 1, sizeof(double));
    job->columns.column = calloc((size_t)job->count, sizeof *job->columns.column);
    job->cycle = calloc(2 * (size_t)job->count, sizeof *job->cycle);
    bool is_good = one && job->columns.value && job->columns.column && job->cycle;
    job->columns.frame_count = samples;
    job->columns.rate = rate;
    job->columns.column_count = job->count;
    for (int c = 0; c < job->count && is_good; c++) {
        for (int s = 0; s < samples; s++) {
            double value = snw_trial_analog(trial, s / per, s % per, job->channel[c]);
            one[s] = isfinite(value) ? value : 0;
        }
        snw_emg_envelope(one, samples, rate, EMG_HIGH, EMG_LOW);
        for (int s = 0; s < samples; s++)
            job->columns.value[(size_t)s * (size_t)job->count + (size_t)c] = one[s];
        job->columns.column[c].is_length = true;
        for (int side = 0; side < SNW_SIDES; side++)
            snw_cycle_mean(&job->columns, c, job->strides, (snw_side)side,
                           job->cycle + 2 * c + side);
    }
    free(one);
    return is_good;
}

static double greatest(const emg_job *job, int c)
{
    double most = 0;
    for (int side = 0; side < SNW_SIDES; side++)
        for (int p = 0; p < SNW_CYCLE_POINTS && job->cycle[2 * c + side].count; p++)
            most = fmax(most, job->cycle[2 * c + side].mean[p]);
    return most;
}

static bool draw_emg(FILE *out, const void *context)
{
    const emg_job *job = context;
    static const char *const number[2] = {"mean", "sd"};
    fputs("percent", out);
    for (int n = 0; n < 2 * job->count; n++)
        for (int k = 0; k < 2 && job->cycle[n].count; k++) {
            char name[128];
            snw_format(name, sizeof name, "%.80s_%s_%s",
                       job->trial->analog_channel[job->channel[n / 2]].name, cli_side_name[n % 2],
                       number[k]);
            fputc(',', out);
            cli_put_csv_field(name, out);
        }
    for (int p = 0; p < SNW_CYCLE_POINTS; p++) {
        fprintf(out, "\n%d", p);
        for (int n = 0; n < 2 * job->count; n++) {
            double most = greatest(job, n / 2), scale = most > 0 ? 100 / most : 0;
            if (job->cycle[n].count)
                fprintf(out, ",%.3f,%.3f", scale * job->cycle[n].mean[p],
                        scale * job->cycle[n].deviation[p]);
        }
    }
    fputc('\n', out);
    return true;
}

int cli_write_emg(const cli_arguments *arguments, const char *path, const snw_trial *trial,
                  const snw_strides *strides)
{
    emg_job job = {.trial = trial, .strides = strides};
    int code = CLI_DONE;
    double rate = trial->rate * trial->analog_per_frame;
    if (snw_format_from_name(path) != SNW_FORMAT_CSV)
        return cli_misuse(arguments, "%s: envelopes go to .csv", path);
    job.channel = malloc(((size_t)trial->analog_count + 1) * sizeof *job.channel);
    if (!job.channel) return cli_fail(arguments, "no memory for the channels");
    for (int c = 0; c < trial->analog_count; c++)
        if (is_emg(arguments, trial->analog_channel + c)) job.channel[job.count++] = c;
    if (job.count == 0)
        code =
            cli_fail(arguments, "%s: none of %d analog channels is called EMG (--channels NAMES)",
                     arguments->operand[0], trial->analog_count);
    else if (rate < 4 * EMG_HIGH)
        code =
            cli_fail(arguments, "%s: an EMG of %g samples per second cannot be filtered at %g Hz",
                     arguments->operand[0], rate, EMG_HIGH);
    else if (!make_envelopes(&job))
        code = cli_fail(arguments, "no memory for the envelopes");
    if (code == CLI_DONE) {
        cli_note(arguments,
                 "%d EMG channel%s: high pass %g Hz, rectified, low pass %g Hz, percent of the "
                 "greatest mean",
                 job.count, cli_s(job.count), EMG_HIGH, EMG_LOW);
        code = cli_write_whole(arguments, path, draw_emg, &job);
    }
    free(job.cycle);
    free(job.columns.column);
    free(job.columns.value);
    free(job.channel);
    return code;
}
