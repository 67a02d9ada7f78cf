/* Where the numbers of a C3D file are and how many: header and parameters both say so, they often
 * disagree, and the file's size decides.
 *
 * Every combination of what the two claim (points, analog values, kind of number, place, frames) is
 * laid over the file; the one that fills it best wins, earlier ones (the parameters) on a tie. */
#include "io/c3d.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

enum {
    C3D_CLAIMS_MAX = 5
};
/* The largest number of the header's 16-bit fields. */
enum {
    C3D_COUNT_MAX = 65535
};

/* Different values claimed for one thing, most trusted first. */
typedef struct c3d_claims {
    int count;
    int said; /* the first so many stand in the file, the others are our guesses */
    int64_t value[C3D_CLAIMS_MAX];
} c3d_claims;

/* One reading of the file. */
typedef struct c3d_guess {
    int64_t points;
    int64_t analog_total;
    bool is_integer;
    int64_t offset;
    int64_t frames; /* claimed */
    int64_t frame_bytes;
    int64_t available; /* whole frames that are there */
    int score;
} c3d_guess;

static void claim(c3d_claims *claims, double value)
{
    if (!(value >= 0 && value <= 4294967295.0)) return;
    int64_t whole = (int64_t)value;
    for (int n = 0; n < claims->count; n++)
        if (claims->value[n] == whole) return;
    if (claims->count < C3D_CLAIMS_MAX) claims->value[claims->count++] = whole;
    claims->said = claims->count;
}

static const snw_parameter *find(const snw_trial *shell, const char *group, const char *name)
{
    return snw_trial_find_parameter(shell, group, name);
}

static double number(const snw_trial *shell, const char *group, const char *name, double fallback)
{
    return snw__c3d_number(find(shell, group, name), 0, true, fallback);
}

/* ---- claims ------------------------------------------------------------------------------- */

/* TRIAL:ACTUAL_START_FIELD and the like: low and high 16 bits, or one float. -1 = not there. */
static double wide_number(const snw_trial *shell, const char *name)
{
    const snw_parameter *parameter = find(shell, "TRIAL", name);
    double low = snw__c3d_number(parameter, 0, true, -1);
    double high = snw__c3d_number(parameter, 1, true, 0);
    return low < 0 || parameter->type == SNW_PARAMETER_FLOAT ? low : low + 65536 * high;
}

/* A 16-bit count of 65535 says "that many or more": it contradicts no larger number. */
static void claim_clipped(c3d_claims *claims, double value, bool is_clipped)
{
    int said = claims->said;
    bool is_covered = is_clipped && claims->count > 0 && (double)claims->value[0] >= value;
    claim(claims, value);
    if (is_covered) claims->said = said;
}

static c3d_claims claim_frames(const snw__c3d_header *header, const snw_trial *shell)
{
    c3d_claims claims = {0, 0, {0}};
    double first = wide_number(shell, "ACTUAL_START_FIELD");
    double last = wide_number(shell, "ACTUAL_END_FIELD");
    if (first >= 0 && last >= first) claim(&claims, last - first + 1);
    claim(&claims, number(shell, "POINT", "LONG_FRAMES", -1));
    double frames = number(shell, "POINT", "FRAMES", -1);
    claim_clipped(&claims, frames, frames == C3D_COUNT_MAX);
    /* 0 to 0 is how an empty trial is written, and 1 to 0. */
    bool is_empty = header->last_frame == 0 && claims.count && claims.value[0] == 0;
    if (!is_empty)
        claim_clipped(&claims, (double)header->last_frame - header->first_frame + 1,
                      header->last_frame == C3D_COUNT_MAX);
    if (claims.count == 0) claim(&claims, 0);
    return claims;
}

/* ---- how well it fits --------------------------------------------------------------------- */

/* The claims of everything but the frames, as one list of combinations. */
typedef struct c3d_question {
    c3d_claims points, analog, integer, offset, frames;
    int64_t end;
} c3d_question;

static c3d_guess combination(const c3d_question *q, int index)
{
    c3d_guess guess;
    memset(&guess, 0, sizeof guess);
    guess.points = q->points.value[index % q->points.count];
    index /= q->points.count;
    guess.analog_total = q->analog.value[index % q->analog.count];
    index /= q->analog.count;
    guess.is_integer = q->integer.value[index % q->integer.count] != 0;
    index /= q->integer.count;
    guess.offset = q->offset.value[index % q->offset.count];
    guess.frame_bytes =
        (4 * guess.points + guess.analog_total) * (guess.is_integer ? 2 : (int64_t)sizeof(float));
    return guess;
}

static c3d_guess best_guess(const c3d_question *q)
{
    c3d_guess best;
    memset(&best, 0, sizeof best);
    best.score = -1;
    int count = q->points.count * q->analog.count * q->integer.count * q->offset.count;
    for (int index = 0; index < count; index++)
        for (int f = 0; f < q->frames.count; f++) {
            c3d_guess guess = combination(q, index);
            guess.frames = q->frames.value[f];
            /* 5 the frames end within the file's last block, 4 within a few blocks of it, 3 all but
             * the last frame is there, 2 the file has more, 1 it has fewer frames, 0 not one. */
            int64_t end = q->end;
            int64_t room = end - guess.offset;
            guess.score = 0;
            guess.available = 0;
            if (!(guess.frame_bytes <= 0 || room < 0 || guess.offset < SNW__C3D_BLOCK)) {
                guess.available = room / guess.frame_bytes;
                if (guess.frames == 0 && room < SNW__C3D_BLOCK) guess.score = 5;
                if (guess.available != 0) {
                    int64_t rest = room - guess.frames * guess.frame_bytes;
                    if (rest >= 0 && rest < SNW__C3D_BLOCK)
                        guess.score = 5;
                    else if (rest >= 0 && rest < 4 * SNW__C3D_BLOCK)
                        guess.score = 4;
                    else if (rest < 0 && -rest < guess.frame_bytes)
                        guess.score = 3;
                    else
                        guess.score = rest > 0 ? 2 : 1;
                }
            }
            if (guess.score > best.score) best = guess;
        }
    return best;
}

/* ---- the pieces of the layout ------------------------------------------------------------- */

static snw_status settle_frames(snw__reading *reading, const c3d_guess *guess,
                                snw__c3d_layout *layout)
{
    int64_t frames = guess->frames;
    if (frames > guess->available) {
        if (guess->available == 0 && !reading->options.is_lenient)
            return snw__fail_at(
                reading->error, SNW_TRUNCATED,
                (snw__place){reading->source.size, -1, 0, -1, reading->name},
                "%s ends at byte %lld before its first frame is whole (%lld bytes from byte %lld)",
                reading->name, (long long)reading->source.size, (long long)guess->frame_bytes,
                (long long)guess->offset);
        snw__note(reading->notes, SNW_NOTE_CONTENT_CUT, snw__at_byte(reading->source.size),
                  "the file claims %lld %s but ends after %lld; what is whole was read",
                  (long long)frames, snw__plural(frames, "frame", "frames"),
                  (long long)guess->available);
        int64_t cut = frames - guess->available;
        layout->cut_frame_count = cut < INT32_MAX ? (int)cut : INT32_MAX;
        frames = guess->available;
    } else if (reading->options.is_lenient && frames == 0 && guess->available > 0) {
        snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(guess->offset),
                  "the file claims no frames but has room for %lld, read here",
                  (long long)guess->available);
        frames = guess->available;
    } else if (guess->score == 2 && frames == C3D_COUNT_MAX) {
        snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(guess->offset),
                  "the file counts up to 65535 frames but has room for %lld, read here",
                  (long long)guess->available);
        frames = guess->available;
    } else if (guess->score == 2) {
        int64_t behind = reading->source.size - guess->offset - frames * guess->frame_bytes;
        snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT,
                  snw__at_byte(guess->offset + frames * guess->frame_bytes),
                  "%lld %s behind the last frame not read", (long long)behind,
                  snw__plural(behind, "byte was", "bytes were"));
    }
    if (frames > INT_MAX)
        return snw__fail_at(
            reading->error, SNW_TOO_LARGE, (snw__place){guess->offset, -1, -1, -1, reading->name},
            "%s has %lld frames, more than can be counted here", reading->name, (long long)frames);
    layout->frame_count = (int)frames;
    return SNW_OK;
}

static void settle_analog(snw__reading *reading, const snw__c3d_header *header,
                          const snw_trial *shell, int64_t total, snw__c3d_layout *layout)
{
    int64_t used = (int64_t)number(shell, "ANALOG", "USED", 0);
    layout->analog_count = 0;
    layout->analog_per_frame = header->analog_per_frame;
    if (total == 0) return;
    if (used > 0 && total % used == 0)
        layout->analog_count = (int)used;
    else if (header->analog_per_frame > 0 && total % header->analog_per_frame == 0)
        layout->analog_count = (int)(total / header->analog_per_frame);
    else
        layout->analog_count = (int)total;
    layout->analog_per_frame = (int)(total / layout->analog_count);
    if (layout->analog_per_frame != header->analog_per_frame)
        snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(18),
                  "the header says %d for the analog samples of a frame, the data hold %d",
                  header->analog_per_frame, layout->analog_per_frame);
}

/* ---- rotations ---------------------------------------------------------------------------- */

/* The ROTATION group; leaves rotation_count 0 where there is none. */
static void find_rotations(snw__reading *reading, const snw_trial *shell, snw__c3d_layout *layout)
{
    double used = number(shell, "ROTATION", "USED", 0);
    double ratio = number(shell, "ROTATION", "RATIO", 1);
    double block = number(shell, "ROTATION", "DATA_START", 0);
    if (!(used >= 1 && used <= 65535)) return;
    if (!(ratio >= 1 && ratio <= 65535)) ratio = 1;
    int64_t offset = ((int64_t)block - 1) * SNW__C3D_BLOCK;
    if (!(block >= 2 && block <= 16777216) || offset >= reading->source.size) {
        snw__note(reading->notes, SNW_NOTE_CONTENT_DAMAGED, SNW__NOWHERE,
                  "the file has a ROTATION group but no rotations where it points to");
        return;
    }
    layout->rotation_count = (int)used;
    layout->rotations_per_frame = (int)ratio;
    layout->rotation_offset = offset;
}

/* How many frames of them are there. Without points they alone decide how long the trial is. */
static void settle_rotations(snw__reading *reading, const c3d_claims *frames, bool is_alone,
                             snw__c3d_layout *layout)
{
    int64_t bytes = (int64_t)layout->rotation_count * layout->rotations_per_frame * 17 * 4;
    int64_t available = (reading->source.size - layout->rotation_offset) / bytes;
    if (available > INT_MAX) available = INT_MAX;
    int64_t wanted = is_alone ? frames->value[0] : layout->frame_count;
    layout->rotation_frames = (int)(available < wanted ? available : wanted);
    if (available < wanted)
        snw__note(reading->notes, SNW_NOTE_CONTENT_CUT, snw__at_byte(layout->rotation_offset),
                  "the file holds %lld of %lld frames of rotations", (long long)available,
                  (long long)wanted);
    if (is_alone) layout->frame_count = layout->rotation_frames;
    /* Half of them: memory stays below a small multiple of the file. */
    if (layout->rotation_frames == 0 || layout->rotation_frames < layout->frame_count / 2) {
        layout->rotation_count = 0;
        snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, snw__at_byte(layout->rotation_offset),
                  "the rotations were left out");
    }
}

/* ---- everything --------------------------------------------------------------------------- */

static void note_choice(snw__reading *reading, const c3d_question *q, const c3d_guess *guess)
{
    static const char *const what[] = {"points", "analog values a frame", "bytes before the data",
                                       "frames"};
    const c3d_claims *claims[] = {&q->points, &q->analog, &q->offset, &q->frames};
    const int64_t chosen[] = {guess->points, guess->analog_total, guess->offset, guess->frames};
    for (int n = 0; n < 4; n++) {
        bool is_guess = true;
        for (int v = 0; v < claims[n]->said; v++)
            is_guess = is_guess && claims[n]->value[v] != chosen[n];
        if (is_guess)
            snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                      "the file says nothing useful about its %s; %lld %s", what[n],
                      (long long)chosen[n], snw__plural(chosen[n], "fits", "fit"));
        else if (claims[n]->said > 1)
            snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                      "header and parameters disagree: %lld or %lld %s; %lld %s the file's size",
                      (long long)claims[n]->value[0], (long long)claims[n]->value[1], what[n],
                      (long long)chosen[n], snw__plural(chosen[n], "fits", "fit"));
    }
    if (q->integer.count > 1)
        snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, snw__at_byte(12),
                  "%s whether the data are integers; %s fit",
                  q->integer.said ? "header and parameters disagree" : "nothing says",
                  guess->is_integer ? "integers" : "floats");
}

static c3d_question ask(snw__reading *reading, const snw__c3d_header *header,
                        const snw_trial *shell, const snw__c3d_layout *layout)
{
    c3d_question q;
    memset(&q, 0, sizeof q);
    claim(&q.points, number(shell, "POINT", "USED", -1));
    claim(&q.points, header->point_count);
    double used = number(shell, "ANALOG", "USED", -1);
    double ratio = number(shell, "ANALOG", "RATE", 0) / number(shell, "POINT", "RATE", 0);
    claim(&q.analog, header->analog_total);
    if (used >= 0) claim(&q.analog, used * header->analog_per_frame);
    if (used >= 0 && ratio >= 1 && ratio <= 65535) claim(&q.analog, used * floor(ratio + 0.5));
    /* 1 = integers; the sign of the scale says it. Without a scale the file's size has to. */
    double scale = snw__c3d_number(find(shell, "POINT", "SCALE"), 0, false, 0);
    if (scale != 0 && !isnan(scale)) claim(&q.integer, scale > 0);
    if (header->scale != 0 && !isnan(header->scale)) claim(&q.integer, header->scale > 0);
    if (q.integer.count == 0) {
        claim(&q.integer, 0);
        claim(&q.integer, 1);
        q.integer.said = 0;
    }
    double block = number(shell, "POINT", "DATA_START", 0);
    if (block > 1) claim(&q.offset, (floor(block) - 1) * SNW__C3D_BLOCK);
    if (header->data_block > 1) claim(&q.offset, (double)(header->data_block - 1) * SNW__C3D_BLOCK);
    int after = header->parameter_block + header->parameter_block_count;
    int said = q.offset.count;
    claim(&q.offset, (double)(after - 1) * SNW__C3D_BLOCK);
    q.offset.said = said;
    q.frames = claim_frames(header, shell);
    q.end = reading->source.size;
    bool rotations_follow =
        layout->rotation_count > 0 && layout->rotation_offset > q.offset.value[0];
    if (rotations_follow) q.end = layout->rotation_offset;
    return q;
}

snw_status snw__c3d_layout_settle(snw__reading *reading, const snw__c3d_header *header,
                                  const snw_trial *shell, snw__c3d_layout *layout)
{
    memset(layout, 0, sizeof *layout);
    find_rotations(reading, shell, layout);
    const c3d_question q = ask(reading, header, shell, layout);
    const c3d_guess guess = best_guess(&q);
    bool is_empty = guess.frame_bytes == 0;
    note_choice(reading, &q, &guess);
    layout->storage.order = header->order;
    layout->storage.is_integer = guess.is_integer;
    layout->data_offset = guess.offset;
    layout->frame_bytes = guess.frame_bytes;
    layout->point_count = (int)guess.points;
    settle_analog(reading, header, shell, guess.analog_total, layout);
    double rate = snw__c3d_number(find(shell, "POINT", "RATE"), 0, true, 0);
    bool is_good = snw__c3d_is_rate(rate), header_is_good = snw__c3d_is_rate(header->rate);
    layout->rate = is_good ? rate : header_is_good ? (double)header->rate : 100;
    if (!is_good && !header_is_good)
        snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, snw__at_byte(20),
                  "the file has no usable frame rate; 100 a second is assumed");
    else if (is_good && header_is_good && fabs(rate - header->rate) > 1e-3 * rate)
        snw__note(reading->notes, SNW_NOTE_HEADER_DISAGREES, snw__at_byte(20),
                  "the header says %g frames a second, the parameters %g; the latter was taken",
                  (double)header->rate, rate);
    double scale = fabs(snw__c3d_number(find(shell, "POINT", "SCALE"), 0, false, 0));
    if (!snw__c3d_is_scale(scale)) scale = fabs((double)header->scale);
    if (!snw__c3d_is_scale(scale)) {
        snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, snw__at_byte(12),
                  "the file has no usable scale; 1 is assumed");
        scale = 1;
    }
    layout->scale = scale;
    snw_status status = is_empty ? SNW_OK : settle_frames(reading, &guess, layout);
    if (status != SNW_OK) return status;
    if (is_empty && layout->rotation_count == 0 && q.frames.value[0] > 0)
        snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "the file claims %lld %s with nothing inside, so it has none here",
                  (long long)q.frames.value[0], snw__plural(q.frames.value[0], "frame", "frames"));
    if (layout->rotation_count) settle_rotations(reading, &q.frames, is_empty, layout);
    double first = wide_number(shell, "ACTUAL_START_FIELD");
    double last = wide_number(shell, "ACTUAL_END_FIELD");
    int frames = layout->frame_count;
    /* A trial that was cut keeps the fields of the whole one; the header then counts right. */
    bool header_fits = header->last_frame - header->first_frame + 1 == frames;
    bool is_stale = header_fits && last - first + 1 != frames;
    bool is_usable = first >= 0 && first < INT_MAX - 1.0 - frames && !is_stale;
    layout->first_frame = is_usable ? (int)first : header->first_frame;
    return SNW_OK;
}
