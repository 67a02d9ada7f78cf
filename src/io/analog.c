/* Analog channels as CSV, write only: one row per analog sample, the time in seconds from the first
 * frame, then every channel in its unit. The unit stands behind the name: "Fz1 (N)". */
#include "base/fail.h"
#include "io/text_writer.h"

snw_status snw_write_analog(const snw_trial *trial, const snw_write_options *options,
                            const snw_sink *sink, snw_error *error)
{
    if (!trial) return snw__fail(error, SNW_INVALID_ARGUMENT, "trial is NULL");
    if (trial->analog_count < 1 || trial->analog_per_frame < 1)
        return snw__fail(error, SNW_NOT_FOUND, "the trial has no analog channels");
    snw__output output;
    snw_status status = snw__output_open(&output, options, sink, error);
    if (status != SNW_OK) return status;
    double rate = trial->rate * trial->analog_per_frame;
    snw__put_string(&output, "time (s)");
    for (int c = 0; c < trial->analog_count; c++) {
        const snw_analog_channel *channel = trial->analog_channel + c;
        snw__put(&output, ",", 1);
        snw__put_name(&output, channel->name, ",\"", '_');
        if (!channel->unit[0]) continue;
        snw__put_string(&output, " (");
        snw__put_name(&output, channel->unit, ",\"", '_');
        snw__put(&output, ")", 1);
    }
    snw__put(&output, "\n", 1);
    for (int f = 0; f < trial->frame_count; f++)
        for (int s = 0; s < trial->analog_per_frame; s++) {
            int64_t n = (int64_t)f * trial->analog_per_frame + s;
            snw__put_exact(&output, rate > 0 ? (double)n / rate : 0);
            for (int c = 0; c < trial->analog_count; c++) {
                snw__put(&output, ",", 1);
                snw__put_double(&output, snw_trial_analog(trial, f, s, c));
            }
            snw__put(&output, "\n", 1);
        }
    status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}
