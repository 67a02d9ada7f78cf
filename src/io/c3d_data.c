/* The data section of a C3D file: for every frame all points, then all analog values.
 *
 *   float files                       integer files
 *   x y z quality   4 floats          4 words; x y z are steps of POINT:SCALE
 *   analog          floats            words, signed unless ANALOG:FORMAT says UNSIGNED
 *
 * and of the rotation section (C3D.org draft, used by Theia): for every frame and sub-frame and
 * segment 17 floats, a 4x4 matrix by columns and a reliability.
 *
 * A float file of points in the host's byte order is read straight into the trial, so that reading
 * costs little more than the copy out of the page cache. */
#include "io/c3d.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "trial/trial_memory.h"

/* Bytes read at once: more than any frame of an ordinary file, less than a second-level cache. */
#define C3D_CHUNK_SIZE (256 * 1024)

static unsigned is_not_finite(uint32_t bits)
{
    return (bits & 0x7f800000u) == 0x7f800000u;
}

/* Bit 0: the sample is missing; bit 1: because it is all zero. Without branches: captures have
 * gaps everywhere. */
static unsigned look_at(const snw_sample *sample)
{
    uint32_t word[4];
    memcpy(word, sample, sizeof word);
    /* The sign bit of the 16-bit word that the fourth float stands for: below zero, or 32768 to
     * 65535; as bits, where floats of one sign stand in order. */
    unsigned is_negative = (unsigned)(word[3] - 0x80000001u <= 0xff800000u - 0x80000001u) |
                           (unsigned)(word[3] - 0x47000000u <= 0x477fff00u - 0x47000000u);
    unsigned is_zero = (word[0] | word[1] | word[2] | word[3]) == 0;
    return is_negative | is_not_finite(word[0]) | is_not_finite(word[1]) | is_not_finite(word[2]) |
           is_zero | is_zero << 1;
}

bool snw__c3d_is_missing(const snw_sample *sample)
{
    return look_at(sample) & 1u;
}

/* Fills the states of `count` samples; returns how many were all zero. */
static size_t set_states(const snw_sample *sample, uint8_t *state, size_t count)
{
    size_t zeros = 0;
    for (size_t n = 0; n < count; n++) {
        unsigned look = look_at(sample + n);
        zeros += look >> 1;
        state[n] = look & 1u ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED;
    }
    return zeros;
}

/* ---- frame by frame ----------------------------------------------------------------------- */

/* Points and analog values in the host's words. Whether a coordinate lies in the outer part of the
 * range, where a step over its end begins, is seen on the way: most captures never come there.
 * Returns how many samples were all zero. */
static size_t decode_integers(snw__c3d_layout *layout, const uint8_t *bytes, snw_trial *trial,
                              size_t frame)
{
    /* The file holds the scale as a float, and the product of two floats is rounded once. */
    const float scale = (float)layout->scale, step[4] = {scale, scale, scale, 1};
    const unsigned middle = SNW__C3D_RANGE_MIDDLE;
    size_t markers = (size_t)trial->marker_count;
    float *to = (float *)(trial->sample + frame * markers);
    uint8_t *state = trial->state + frame * markers;
    unsigned is_outer[4] = {0};
    size_t zeros = 0;
    for (size_t m = 0; m < markers; m++) {
        int16_t word[4];
        uint64_t all;
        memcpy(word, bytes + m * sizeof word, sizeof word);
        memcpy(&all, word, sizeof all);
        zeros += all == 0;
        state[m] = ((word[3] < 0) | (all == 0)) ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED;
        for (int k = 0; k < 4; k++) {
            to[4 * m + (size_t)k] = (float)word[k] * step[k];
            is_outer[k] |= (unsigned)word[k] + middle > 2 * middle;
        }
    }
    layout->is_near_range_end |= (is_outer[0] | is_outer[1] | is_outer[2]) != 0;
    bytes += 8 * markers;
    size_t values = (size_t)trial->analog_count * (size_t)trial->analog_per_frame;
    float *analog = trial->analog + frame * values;
    for (size_t n = 0; n < values; n++) {
        uint16_t raw;
        memcpy(&raw, bytes + 2 * n, sizeof raw);
        analog[n] = trial->analog_is_unsigned ? (float)raw : (float)(int16_t)raw;
    }
    return zeros;
}

static snw_status read_chunked(snw__reading *reading, snw__c3d_layout *layout, snw_trial *trial,
                               size_t *zeros)
{
    size_t size = (size_t)layout->frame_bytes * (size_t)layout->frame_count;
    if (size > C3D_CHUNK_SIZE) size = C3D_CHUNK_SIZE;
    if (size < (size_t)layout->frame_bytes) size = (size_t)layout->frame_bytes;
    uint8_t *buffer = (uint8_t *)snw__allocate(&reading->allocator, size);
    if (!buffer) return snw__fail_memory(reading->error, size, "reading frames");
    size_t frame_bytes = (size_t)layout->frame_bytes, markers = (size_t)trial->marker_count;
    size_t at_once = C3D_CHUNK_SIZE > frame_bytes ? C3D_CHUNK_SIZE / frame_bytes : 1;
    size_t total = (size_t)trial->frame_count;
    size_t values = (size_t)trial->analog_count * (size_t)trial->analog_per_frame;
    snw_status status = snw__reading_at(reading, layout->data_offset, NULL, 0);
    for (size_t done = 0; done < total && status == SNW_OK;) {
        size_t count = total - done < at_once ? total - done : at_once;
        status = snw__reading_next(reading, layout->data_offset + (int64_t)(done * frame_bytes),
                                   buffer, count * frame_bytes);
        if (status != SNW_OK) break;
        if (layout->storage.is_integer)
            snw__c3d_words(buffer, count * frame_bytes / 2, layout->storage.order);
        for (size_t n = 0; n < count; n++)
            if (layout->storage.is_integer)
                *zeros += decode_integers(layout, buffer + n * frame_bytes, trial, done + n);
            else {
                const uint8_t *bytes = buffer + n * frame_bytes;
                snw_sample *sample = trial->sample + (done + n) * markers;
                snw__c3d_floats(bytes, (float *)sample, markers * 4, layout->storage.order);
                snw__c3d_floats(bytes + markers * sizeof *sample,
                                trial->analog + (done + n) * values, values, layout->storage.order);
                *zeros += set_states(sample, trial->state + (done + n) * markers, markers);
            }
        done += count;
    }
    snw__release(&reading->allocator, buffer, size);
    return status;
}

/* ---- rotations ---------------------------------------------------------------------------- */

static snw_status read_rotations(snw__reading *reading, const snw__c3d_layout *layout,
                                 snw_trial *trial)
{
    size_t per_frame =
        (size_t)trial->rotation_count * (size_t)trial->rotations_per_frame * SNW__ROTATION_NUMBERS;
    size_t there = per_frame * (size_t)layout->rotation_frames;
    size_t total = per_frame * (size_t)trial->frame_count;
    snw_status status =
        snw__reading_at(reading, layout->rotation_offset, trial->rotation, there * sizeof(float));
    if (status != SNW_OK) return status;
    snw__c3d_floats((const uint8_t *)trial->rotation, trial->rotation, there,
                    layout->storage.order);
    for (size_t n = there; n < total; n++)
        trial->rotation[n] = n % SNW__ROTATION_NUMBERS == SNW__ROTATION_NUMBERS - 1 ? -1.0f : 0.0f;
    return SNW_OK;
}

snw_status snw__c3d_data_read(snw__reading *reading, snw__c3d_layout *layout, snw_trial *trial)
{
    size_t zeros = 0;
    snw_status status = SNW_OK;
    bool is_straight = !layout->storage.is_integer && layout->storage.order == SNW_ORDER_INTEL &&
                       trial->analog_count == 0 && snw__c3d_host_is_intel();
    if (trial->frame_count > 0 && layout->frame_bytes > 0) {
        if (is_straight) {
            size_t total = (size_t)trial->frame_count * (size_t)trial->marker_count;
            const size_t at_once = C3D_CHUNK_SIZE / sizeof(snw_sample);
            status = snw__reading_at(reading, layout->data_offset, NULL, 0);
            for (size_t done = 0; done < total && status == SNW_OK;) {
                size_t count = total - done < at_once ? total - done : at_once;
                int64_t position = layout->data_offset + (int64_t)(done * sizeof(snw_sample));
                status = snw__reading_next(reading, position, trial->sample + done,
                                           count * sizeof(snw_sample));
                if (status == SNW_OK)
                    zeros += set_states(trial->sample + done, trial->state + done, count);
                done += count;
            }
        } else
            status = read_chunked(reading, layout, trial, &zeros);
    }
    if (status == SNW_OK && trial->rotation_count) status = read_rotations(reading, layout, trial);
    if (status == SNW_OK && zeros)
        snw__note(reading->notes, SNW_NOTE_VALUE_REPAIRED, snw__at_byte(layout->data_offset),
                  "%zu %s at exactly (0, 0, 0) with no residual, taken as missing", zeros,
                  snw__plural((int64_t)zeros, "sample stands", "samples stand"));
    return status;
}
