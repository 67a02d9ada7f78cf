/* Writing C3D: header, parameters, data, rotations, each from a block of its own.
 *
 * The file is stored as the trial was read (byte order, integers or floats), so that samples nobody
 * touched come back bit for bit. Where that cannot hold them (a filled gap between the steps of an
 * integer file, an infinity in a DEC file), Intel floats are written, which hold everything. */
#include "io/c3d.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "label/label_grammar.h"
#include "trial/trial_memory.h"

/* ---- samples as they are written ---------------------------------------------------------- */

/* A computed sample's deviation in metres; 0: the cameras saw it, or nothing is known. */
static double computed_deviation(const snw_trial *trial, size_t index)
{
    bool is_computed =
        trial->state[index] == SNW_SAMPLE_FILLED || trial->state[index] == SNW_SAMPLE_PREDICTED;
    return is_computed && trial->uncertainty ? (double)trial->uncertainty[index] : 0;
}

/* A residual in coarser steps: a computed sample's from what is known of it, a measured one's from
 * its byte. What has a residual keeps one. */
static float coarse_quality(const snw__c3d_job *job, size_t index, float quality)
{
    double step = job->trial->residual_scale * job->trial->metres_per_unit;
    double deviation = computed_deviation(job->trial, index) / step;
    if (!(quality > 0 && quality < 32768) || (!(deviation > 0) && quality != floorf(quality)))
        return quality;
    int word = (int)quality, steps = word & 255;
    if (!(deviation > 0) && steps == 0) return quality;
    double coarse = floor((deviation > 0 ? deviation : steps) / job->coarse + 0.5);
    return (float)(word - steps + (int)snw_clamp(coarse, 1, 255));
}

/* The sample in the file's unit, with its fourth word in step with its state. */
static snw_sample written_sample(const snw__c3d_job *job, size_t index)
{
    static const snw_sample missing = {0, 0, 0, -1};
    snw_sample sample = job->trial->sample[index];
    bool is_missing = job->trial->state[index] == SNW_SAMPLE_MISSING;
    if (job->factor != 1 &&
        snw_point_is_position(job->trial->marker[index % (size_t)job->trial->marker_count].kind)) {
        sample.x = (float)(sample.x * job->factor);
        sample.y = (float)(sample.y * job->factor);
        sample.z = (float)(sample.z * job->factor);
    }
    if (snw__c3d_is_missing(&sample) == is_missing) {
        if (job->coarse > 1 && !is_missing)
            sample.quality = coarse_quality(job, index, sample.quality);
        return sample;
    }
    if (is_missing || !isfinite(sample.x) || !isfinite(sample.y) || !isfinite(sample.z))
        return missing;
    if (sample.quality < 0 || sample.quality >= 32768) sample.quality = 0;
    /* At the very origin: -0, for sixteen zero bytes are read as "not seen". */
    if (snw__c3d_is_missing(&sample)) sample.x = -0.0f;
    return sample;
}

/* ---- storage ------------------------------------------------------------------------------ */

/* Whether value is `steps` times scale exactly as a reader computes it, for a word of steps. */
static bool is_on_grid(float value, double scale, int *steps)
{
    double exact = value / scale;
    if (!(fabs(exact) <= 32768)) return false;
    double whole = floor(exact + 0.5);
    *steps = (int)whole;
    return whole <= 32767 && (float)(whole * scale) == value && !(signbit(value) && whole == 0);
}

static bool fits_integers(const snw__c3d_job *job)
{
    const snw_trial *trial = job->trial;
    size_t samples = (size_t)trial->frame_count * (size_t)trial->marker_count;
    size_t values =
        (size_t)trial->frame_count * (size_t)trial->analog_per_frame * (size_t)trial->analog_count;
    double low = trial->analog_is_unsigned ? 0 : -32768;
    double high = trial->analog_is_unsigned ? 65535 : 32767;
    for (size_t n = 0; n < samples; n++) {
        snw_sample sample = written_sample(job, n);
        double scale = job->scale;
        int steps;
        bool has_word = sample.quality >= -32768 && sample.quality <= 32767 &&
                        sample.quality == floorf(sample.quality);
        if (!(has_word && is_on_grid(sample.x, scale, &steps) &&
              is_on_grid(sample.y, scale, &steps) && is_on_grid(sample.z, scale, &steps)))
            return false;
    }
    for (size_t n = 0; n < values; n++) {
        double value = trial->analog[n];
        if (!(value >= low && value <= high) || value != floor(value)) return false;
    }
    return true;
}

static bool keeps_floats(const float *value, size_t count, snw_byte_order order)
{
    for (size_t n = 0; n < count; n++)
        if (!snw__c3d_keeps_float(value[n], order)) return false;
    return true;
}

static size_t rotation_numbers(const snw_trial *trial)
{
    return (size_t)trial->rotations_per_frame * (size_t)trial->rotation_count *
           SNW__ROTATION_NUMBERS;
}

static bool fits_dec(const snw__c3d_job *job)
{
    const snw_trial *trial = job->trial;
    size_t frames = (size_t)trial->frame_count;
    size_t values = frames * (size_t)trial->analog_per_frame * (size_t)trial->analog_count;
    if (!keeps_floats(trial->rotation, frames * rotation_numbers(trial), SNW_ORDER_DEC))
        return false;
    if (job->storage.is_integer) return true;
    for (size_t n = 0; n < frames * (size_t)trial->marker_count; n++) {
        snw_sample sample = written_sample(job, n);
        if (!keeps_floats(&sample.x, 1, SNW_ORDER_DEC) ||
            !keeps_floats(&sample.y, 1, SNW_ORDER_DEC) ||
            !keeps_floats(&sample.z, 1, SNW_ORDER_DEC) ||
            !keeps_floats(&sample.quality, 1, SNW_ORDER_DEC))
            return false;
    }
    return keeps_floats(trial->analog, values, SNW_ORDER_DEC);
}

static void choose_unit(snw__c3d_job *job, double metres)
{
    static const struct {
        double metres;
        const char *name;
    } units[] = {{1, "m"},    {0.001, "mm"},  {0.01, "cm"},
                 {0.1, "dm"}, {0.0254, "in"}, {0.3048, "ft"}};
    const snw_trial *trial = job->trial;
    job->factor = 1;
    job->unit = trial->unit;
    job->scale = trial->residual_scale;
    if (metres > 0 && metres != trial->metres_per_unit) {
        job->factor = trial->metres_per_unit / metres;
        job->scale *= job->factor;
        job->unit = "";
        for (size_t n = 0; n < sizeof units / sizeof *units; n++)
            if (units[n].metres == metres) job->unit = units[n].name;
    }
    /* As the float it will be: integers are read as multiples of that. */
    job->scale = (double)(float)job->scale;
    if (!snw__c3d_is_scale(job->scale)) job->scale = 1;
}

/* The residual is a byte: where a computed sample is less sure than 255 steps of the trial's scale
 * say, the file's steps are so many times as wide. Floats need no scale for anything else. */
static void choose_residual_step(snw__c3d_job *job)
{
    const snw_trial *trial = job->trial;
    double widest = 0, step = trial->residual_scale * trial->metres_per_unit;
    size_t samples = (size_t)trial->frame_count * (size_t)trial->marker_count;
    job->coarse = 1;
    for (size_t n = 0; n < samples && trial->uncertainty; n++)
        if (isfinite(trial->uncertainty[n])) widest = fmax(widest, computed_deviation(trial, n));
    if (!(step > 0) || !(widest > 255.5 * step)) return;
    double coarse = ceil(widest / (255 * step));
    double scale = (double)(float)(job->scale * coarse);
    if (coarse > INT16_MAX || !snw__c3d_is_scale(scale)) return;
    job->coarse = (int)coarse;
    job->scale = scale;
}

/* ---- sections ----------------------------------------------------------------------------- */

static int at_most(int64_t value, int most)
{
    return value < most ? (int)value : most;
}

static void put_floats(snw__output *output, const float *value, size_t count, snw_byte_order order)
{
    uint8_t bytes[256 * 4];
    while (count > 0) {
        size_t now = count < 256 ? count : 256;
        for (size_t n = 0; n < now; n++)
            snw__c3d_put_float(bytes + 4 * n, value[n], order);
        snw__put(output, bytes, 4 * now);
        value += now;
        count -= now;
    }
}

static void put_steps(uint8_t *word, float value, const snw__c3d_job *job)
{
    int steps = 0;
    (void)is_on_grid(value, job->scale, &steps);
    snw__c3d_put_u16(word, steps, job->storage.order);
}

static void put_data(snw__output *output, const snw__c3d_job *job)
{
    const snw_trial *trial = job->trial;
    size_t markers = (size_t)trial->marker_count;
    size_t values = (size_t)trial->analog_count * (size_t)trial->analog_per_frame;
    for (size_t frame = 0; frame < (size_t)trial->frame_count; frame++) {
        for (size_t m = 0; m < markers; m++) {
            size_t index = frame * markers + m;
            snw_sample sample = written_sample(job, index);
            if (!job->storage.is_integer) {
                uint8_t bytes[16];
                const float number[4] = {sample.x, sample.y, sample.z, sample.quality};
                for (int n = 0; n < 4; n++)
                    snw__c3d_put_float(bytes + 4 * n, number[n], job->storage.order);
                snw__put(output, bytes, sizeof bytes);
                continue;
            }
            uint8_t words[8];
            put_steps(words, sample.x, job);
            put_steps(words + 2, sample.y, job);
            put_steps(words + 4, sample.z, job);
            snw__c3d_put_u16(words + 6, (int)sample.quality, job->storage.order);
            snw__put(output, words, sizeof words);
        }
        const float *analog = trial->analog + frame * values;
        if (!job->storage.is_integer) {
            put_floats(output, analog, values, job->storage.order);
            continue;
        }
        for (size_t n = 0; n < values; n++) {
            uint8_t word[2];
            snw__c3d_put_u16(word, (int)analog[n], job->storage.order);
            snw__put(output, word, 2);
        }
    }
}

static void pad(snw__output *output)
{
    static const uint8_t zeros[SNW__C3D_BLOCK] = {0};
    size_t over = (size_t)(output->position % SNW__C3D_BLOCK);
    if (over) snw__put(output, zeros, SNW__C3D_BLOCK - over);
}

/* ---- the file ----------------------------------------------------------------------------- */

/* The parameters with the right places in them. The second time they have their final size: only
 * two numbers change, and a word may become a float once. */
static snw_status make_section(const snw__c3d_job *job, snw_trial *shell, uint8_t **bytes,
                               size_t *size, snw_error *error)
{
    size_t placed_size = 0;
    *size = SNW__C3D_BLOCK;
    *bytes = NULL;
    while (placed_size != *size) {
        if (*bytes) snw__release(&shell->allocator, *bytes, *size);
        *bytes = NULL;
        placed_size = *size;
        int64_t data_block = 2 + (int64_t)(placed_size / SNW__C3D_BLOCK);
        if (data_block > 65535)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "the parameters have %zu bytes, too many for a C3D file", placed_size);
        bool has_rotations = job->trial->rotation_count > 0 && job->trial->frame_count > 0;
        const snw_trial *trial = job->trial;
        int64_t numbers = 4 * (int64_t)trial->marker_count +
                          (int64_t)trial->analog_count * trial->analog_per_frame;
        int64_t data_bytes = numbers * (job->storage.is_integer ? 2 : 4) * trial->frame_count;
        int64_t data_blocks = (data_bytes + SNW__C3D_BLOCK - 1) / SNW__C3D_BLOCK;
        snw_status status = snw__c3d_fields_place(
            shell, (int)data_block, has_rotations ? data_block + data_blocks : 0, error);
        if (status == SNW_OK)
            status = snw__c3d_section_make(shell, job->storage.order, bytes, size, error);
        if (status != SNW_OK) return status;
    }
    return SNW_OK;
}

/* Points whose kind a reader would not find by their labels and the lists that are there. */
static snw_status list_kinds(const snw_trial *trial, snw_trial *shell, snw_error *error)
{
    size_t size = (size_t)trial->marker_count * sizeof(snw__told_kind);
    snw__told_kind *told = snw__allocate(&shell->allocator, size);
    if (!told) return snw__fail_memory(error, size, "kinds of points");
    snw_status status = snw__told_kinds(trial, told, error);
    for (int m = 0; m < trial->marker_count && status == SNW_OK; m++) {
        const snw_computed_points point = {trial->marker[m].kind, "", m, 1};
        if (told[m].kind != point.kind && snw__point_has_list(point.kind))
            status = snw__trial_list_points(shell, trial->marker, &point, error);
    }
    snw__release(&shell->allocator, told, size);
    return status;
}

static snw_status write_with_shell(snw__output *output, const snw__c3d_job *job, snw_trial *shell)
{
    uint8_t *section = NULL, header[SNW__C3D_BLOCK];
    size_t size;
    snw_status status = snw__trial_copy_groups(shell, job->trial, output->error);
    if (status == SNW_OK) status = list_kinds(job->trial, shell, output->error);
    if (status == SNW_OK) status = snw__c3d_fields_update(job, shell, output->error);
    if (status == SNW_OK) status = make_section(job, shell, &section, &size, output->error);
    if (status != SNW_OK) return status;
    int data_block = 2 + (int)(size / SNW__C3D_BLOCK);
    const snw_trial *trial = job->trial;
    snw_byte_order order = job->storage.order;
    /* 1 to 0: no frames. */
    int64_t first = trial->frame_count ? trial->first_frame : 1;
    int64_t last = first + trial->frame_count - 1;
    memset(header, 0, SNW__C3D_BLOCK);
    header[0] = 2;
    header[1] = SNW__C3D_KEY;
    snw__c3d_put_u16(header + 2, trial->marker_count, order);
    snw__c3d_put_u16(header + 4, trial->analog_count * trial->analog_per_frame, order);
    snw__c3d_put_u16(header + 6, at_most(first, 65535), order);
    snw__c3d_put_u16(header + 8, at_most(last, 65535), order);
    snw__c3d_put_float(header + 12, (float)(job->storage.is_integer ? job->scale : -job->scale),
                       order);
    snw__c3d_put_u16(header + 16, data_block, order);
    snw__c3d_put_u16(header + 18, trial->analog_per_frame, order);
    snw__c3d_put_float(header + 20, (float)trial->rate, order);
    snw__c3d_events_put_header(trial, order, header);
    snw__put(output, header, sizeof header);
    snw__put(output, section, size);
    snw__release(&shell->allocator, section, size);
    put_data(output, job);
    pad(output);
    /* The translation of each matrix is a length. */
    size_t count = (size_t)trial->frame_count * rotation_numbers(trial);
    for (size_t n = 0; n < count; n += SNW__ROTATION_NUMBERS) {
        float number[SNW__ROTATION_NUMBERS];
        memcpy(number, trial->rotation + n, sizeof number);
        for (int row = 12; row < 15 && job->factor != 1; row++)
            number[row] = (float)(number[row] * job->factor);
        put_floats(output, number, SNW__ROTATION_NUMBERS, job->storage.order);
    }
    pad(output);
    return SNW_OK;
}

snw_status snw__c3d_write_trial(snw__output *output, const snw_trial *trial)
{
    snw_error *error = output->error;
    int64_t analog = (int64_t)trial->analog_count * trial->analog_per_frame;
    if (trial->marker_count > 65535)
        return snw__fail(error, SNW_UNSUPPORTED, "%d markers, a C3D file has at most 65535",
                         trial->marker_count);
    if (analog > 65535 || trial->analog_per_frame > 65535)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "%d analog channels with %d samples a frame, a C3D file has at most 65535 "
                         "values a frame",
                         trial->analog_count, trial->analog_per_frame);
    if (trial->rotation_count > 65535 || trial->rotations_per_frame > 65535)
        return snw__fail(error, SNW_UNSUPPORTED, "%d rotations, a C3D file has at most 65535",
                         trial->rotation_count);
    if (trial->first_frame < 0)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "the first frame is %d, a C3D file has none below 0", trial->first_frame);
    snw__c3d_job job;
    memset(&job, 0, sizeof job);
    job.trial = trial;
    choose_unit(&job, output->options.metres_per_unit);
    choose_residual_step(&job);
    snw_storage wanted = job.trial->storage;
    bool is_order = wanted.order >= SNW_ORDER_INTEL && wanted.order <= SNW_ORDER_MIPS;
    job.storage.order = is_order ? wanted.order : SNW_ORDER_INTEL;
    job.storage.is_integer = wanted.is_integer && job.coarse == 1 && fits_integers(&job);
    if (job.storage.order == SNW_ORDER_DEC && !fits_dec(&job)) job.storage.order = SNW_ORDER_INTEL;
    const snw_trial_options nothing = snw_trial_options_default();
    snw_trial *shell = NULL;
    snw_status status = snw__trial_create_raw(&nothing, &trial->allocator, &shell, output->error);
    if (status != SNW_OK) return status;
    status = write_with_shell(output, &job, shell);
    snw_trial_destroy(shell);
    return status;
}
