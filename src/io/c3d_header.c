/* The header of a C3D file: its first 512 bytes, in 16-bit words counted from 1.
 *
 *   word     byte  what
 *   1        0     number of the first parameter block (from 1); byte 1: the key 0x50
 *   2        2     points in a frame
 *   3        4     analog values in a frame (channels times samples)
 *   4, 5     6, 8  first and last frame
 *   6        10    largest gap that was interpolated
 *   7-8      12    scale (float); negative: the data are floats
 *   9        16    number of the first data block
 *   10       18    analog samples in a frame
 *   11-12    20    frame rate (float)
 *   148-149  294   label and range data; long out of use
 *   150      298   12345: event labels have four letters
 *   151      300   number of events, at most 18
 *   153-188  304   event times in seconds (18 floats)
 *   189-197  376   event flags (18 bytes): 0 = on, 1 = off
 *   199-234  396   event labels (18 x 4 letters)
 *
 * The byte order stands in the parameter section: its fourth byte is 83 + snw_byte_order. */
#include "io/c3d.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

enum {
    C3D_PROCESSOR_BASE = 83
};

static void decode(snw__c3d_header *header, snw_byte_order order)
{
    const uint8_t *raw = header->raw;
    header->order = order;
    header->parameter_block = raw[0];
    header->point_count = snw__c3d_u16(raw + 2, order);
    header->analog_total = snw__c3d_u16(raw + 4, order);
    header->first_frame = snw__c3d_u16(raw + 6, order);
    header->last_frame = snw__c3d_u16(raw + 8, order);
    header->scale = snw__c3d_float(raw + 12, order);
    header->data_block = snw__c3d_u16(raw + 16, order);
    header->analog_per_frame = snw__c3d_u16(raw + 18, order);
    header->rate = snw__c3d_float(raw + 20, order);
}

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high;
}

bool snw__c3d_is_rate(double rate)
{
    return is_between(rate, 1e-2, 1e6);
}

bool snw__c3d_is_scale(double scale)
{
    return is_between(fabs(scale), 1e-8, 1e5);
}

/* How much of a header makes sense: 0 to 5. */
static int plausibility(const snw__c3d_header *header, int64_t file_size)
{
    int score = 0;
    score += snw__c3d_is_scale(header->scale);
    score += snw__c3d_is_rate(header->rate);
    score += header->first_frame <= header->last_frame;
    score +=
        header->data_block > 1 && (int64_t)(header->data_block - 1) * SNW__C3D_BLOCK <= file_size;
    score += header->point_count <= 4096 && header->analog_per_frame <= 4096;
    return score;
}

/* Whether a parameter section may start there: a known processor and a first record with a name. */
static bool is_section_start(const uint8_t start[6])
{
    int processor = start[3] - C3D_PROCESSOR_BASE;
    int name_length = snw__c3d_i8(start[4]);
    return processor >= 1 && processor <= 3 && name_length != 0 && name_length >= -64 &&
           name_length <= 64 && start[5] != 0;
}

static bool peek(snw__reading *reading, int64_t offset, uint8_t start[6])
{
    if (offset + 6 > reading->source.size) return false;
    return snw__reading_at(reading, offset, start, 6) == SNW_OK;
}

/* Sets parameter_block to where the section is, and returns its processor byte, 0 if unknown. */
static int find_section(snw__reading *reading, snw__c3d_header *header)
{
    uint8_t start[6] = {0};
    int declared = header->raw[0];
    int64_t offset = (int64_t)(declared - 1) * SNW__C3D_BLOCK;
    bool is_there = declared >= 2 && peek(reading, offset, start);
    int processor = is_there ? start[3] - C3D_PROCESSOR_BASE : 0;
    header->parameter_block = declared;
    header->parameter_block_count = start[2];
    /* A known processor byte is enough at the declared place: the section may be empty. */
    if (processor >= 1 && processor <= 3) return processor;
    /* Where the header does not lead to it. Blocks 2 to 64: no producer puts more before it. */
    int found = 0;
    for (int block = 2; block <= 64 && !found; block++)
        if (peek(reading, (int64_t)(block - 1) * SNW__C3D_BLOCK, start) && is_section_start(start))
            found = block;
    if (found) {
        snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(0),
                  "the header says the parameters start at block %d, they were found at block %d",
                  declared, found);
        header->parameter_block = found;
        header->parameter_block_count = start[2];
        return start[3] - C3D_PROCESSOR_BASE;
    }
    if (declared < 2) header->parameter_block = 2;
    return 0;
}

static snw_status settle_order(snw__reading *reading, snw__c3d_header *header, int processor)
{
    int best;
    /* The order whose numbers make most sense; Intel wins a tie. */
    int64_t file_size = reading->source.size;
    snw_byte_order guess = SNW_ORDER_INTEL;
    best = -1;
    for (int order = SNW_ORDER_INTEL; order <= SNW_ORDER_MIPS; order++) {
        snw__c3d_header trying = *header;
        decode(&trying, (snw_byte_order)order);
        int score = plausibility(&trying, file_size);
        if (score > best) {
            best = score;
            guess = (snw_byte_order)order;
        }
    }
    int block = header->parameter_block;
    int64_t place = (int64_t)(block - 1) * SNW__C3D_BLOCK + 3;
    if (processor == 0 && best < 4 && !reading->options.is_lenient)
        return snw__fail_at(reading->error, SNW_FORMAT, (snw__place){0, -1, -1, -1, reading->name},
                            "%s: neither the parameter section nor the header makes sense in any "
                            "byte order",
                            reading->name);
    if (processor == 0)
        snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, snw__at_byte(place),
                  "the byte order is not given; the header makes sense as %s",
                  guess == SNW_ORDER_MIPS  ? "MIPS"
                  : guess == SNW_ORDER_DEC ? "DEC"
                                           : "Intel");
    snw_byte_order order = processor ? (snw_byte_order)processor : guess;
    snw__c3d_header declared = *header;
    decode(&declared, order);
    /* 5 against at most 3: scale and rate together are wrong in the declared order only. */
    if (best == 5 && plausibility(&declared, reading->source.size) <= 3) {
        snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(place),
                  "the byte order given (%d) makes no sense of the header, %d does; that was used",
                  (int)order, (int)guess);
        order = guess;
    }
    decode(header, order);
    header->parameter_block = block;
    return SNW_OK;
}

snw_status snw__c3d_header_read(snw__reading *reading, snw__c3d_header *header)
{
    memset(header, 0, sizeof *header);
    if (reading->source.size < SNW__C3D_BLOCK)
        return snw__fail_at(reading->error, SNW_TRUNCATED,
                            (snw__place){reading->source.size, -1, -1, -1, reading->name},
                            "%s has %lld bytes, a C3D header alone has 512", reading->name,
                            (long long)reading->source.size);
    snw_status status = snw__reading_at(reading, 0, header->raw, SNW__C3D_BLOCK);
    if (status != SNW_OK) return status;
    if (header->raw[1] != SNW__C3D_KEY)
        snw__note(reading->notes, SNW_NOTE_CONTENT_DAMAGED, snw__at_byte(1),
                  "the C3D key byte is %d instead of 80", header->raw[1]);
    int processor = find_section(reading, header);
    return settle_order(reading, header, processor);
}
