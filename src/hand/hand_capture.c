/* From a trial to the markers of one hand: labels, units, labels of fingers that are exchanged, a
 * hand of the other side. */
#include <ctype.h>
#include <string.h>

#include <sinew/hand.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "hand/hand_capture.h"

/* ---- labels ------------------------------------------------------------------------------- */

enum {
    LABEL_SIZE = 48
};

static const char *const hand_fingers[SNW_HAND_FINGERS] = {"thumb", "index", "middle", "ring",
                                                           "little"};

/* Removes the first occurrence of `part`; true if there was one. */
static bool take_part(char *word, const char *part)
{
    char *at = strstr(word, part);
    if (!at) return false;
    size_t size = strlen(part);
    memmove(at, at + size, strlen(at + size) + 1);
    return true;
}

static bool take_side(char *word, snw_side *side)
{
    if (take_part(word, "right")) {
        *side = SNW_SIDE_RIGHT;
        return true;
    }
    if (take_part(word, "left")) {
        *side = SNW_SIDE_LEFT;
        return true;
    }
    size_t length = strlen(word);
    bool is_led = length > 3 && (word[0] == 'l' || word[0] == 'r') && strcmp(word, "ring") != 0 &&
                  strncmp(word, "ring", 4) != 0 && strncmp(word, "little", 6) != 0;
    if (!is_led) return false;
    *side = word[0] == 'r' ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
    memmove(word, word + 1, length);
    return true;
}

/* Which joint of a finger the rest of the word names: 0 base .. 3 tip, -1 none. */
static int finger_point(const char *rest)
{
    static const struct {
        const char *word;
        int which;
    } words[] = {{"tip", 3},   {"end", 3}, {"5", 3},       {"", 3},       {"base", 0}, {"mcp", 0},
                 {"2", 0},     {"cmc", 0}, {"knuckle", 0}, {"middle", 1}, {"pip", 1},  {"3", 1},
                 {"outer", 2}, {"dip", 2}, {"ip", 2},      {"4", 2}};
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++)
        if (strcmp(rest, words[n].word) == 0) return words[n].which;
    return -1;
}

/* ART-Human's words without the side: the hand, and the inner, middle and outer joint and the tip
 * of each finger. */
static int art_marker(const char *word)
{
    static const char *const joints[SNW_HAND_FINGERS][4] = {{"tin", "tmi", "tou", "tti"},
                                                            {"ifi", "ifm", "ifo", "ift"},
                                                            {"mfi", "mfm", "mfo", "mft"},
                                                            {"rfi", "rfm", "rfo", "rft"},
                                                            {"pin", "pmi", "pou", "pti"}};
    if (strcmp(word, "han") == 0) return SNW_HAND_WRIST;
    for (int f = 0; f < SNW_HAND_FINGERS; f++)
        for (int k = 0; k < 4; k++)
            if (strcmp(word, joints[f][k]) == 0) return SNW_HAND_JOINTS + 4 * f + k;
    return -1;
}

int snw_hand_marker_from_label(const char *label, snw_side *side, bool *has_side)
{
    char word[LABEL_SIZE + 1]; /* "pinky" becomes "little", which is one longer */
    const char *colon = label ? strrchr(label, ':') : NULL;
    int length = 0;
    *has_side = false;
    for (const char *at = colon ? colon + 1 : label; at && *at && length < LABEL_SIZE - 1; at++)
        if (isalnum((unsigned char)*at)) word[length++] = (char)tolower((unsigned char)*at);
    word[length] = 0;
    *has_side = take_side(word, side);
    (void)take_part(word, "finger");
    if (take_part(word, "pinky") || take_part(word, "pinkie"))
        memmove(word + 6, word, strlen(word) + 1), memcpy(word, "little", 6);
    if (strcmp(word, "wrist") == 0 || strcmp(word, "handroot") == 0) return SNW_HAND_WRIST;
    if (strcmp(word, "backindex") == 0) return SNW_HAND_BACK_INDEX;
    if (strcmp(word, "backlittle") == 0) return SNW_HAND_BACK_LITTLE;
    for (int f = 0; f < SNW_HAND_FINGERS; f++) {
        size_t size = strlen(hand_fingers[f]);
        if (strncmp(word, hand_fingers[f], size) != 0) continue;
        int which = finger_point(word + size);
        if (which >= 0) return SNW_HAND_JOINTS + 4 * f + which;
    }
    return *has_side ? art_marker(word) : -1;
}

/* ---- the capture -------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw_hand_capture *capture = object;
    snw__block_take(block, 1, sizeof *capture);
    capture->frame = snw__block_take(block, (size_t)capture->frame_count, sizeof *capture->frame);
}

snw_status snw__hand_capture_create(int frame_count, const snw_allocator *allocator,
                                    snw_hand_capture **out, snw_error *error)
{
    snw_hand_capture sketch = {.frame_count = frame_count,
                               .allocator = snw__allocator_or_default(allocator)};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &sketch, &sketch.allocator,
                                          "a capture of a hand", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    *out = (void *)block.base;
    **out = sketch;
    return SNW_OK;
}

void snw_hand_capture_destroy(snw_hand_capture *capture)
{
    if (!capture) return;
    snw_allocator memory = capture->allocator;
    snw__release(&memory, capture, capture->block_size);
}

void snw__hand_capture_read(snw_hand_capture *capture, const snw_trial *trial, const int *source)
{
    capture->rate = trial->rate > 0 ? trial->rate : 100;
    for (int f = 0; f < capture->frame_count; f++) {
        snw_hand_frame *frame = capture->frame + f;
        frame->time = f / capture->rate;
        for (int m = 0; m < SNW_HAND_MARKERS; m++) {
            frame->is_seen[m] = source[m] >= 0 && snw_trial_is_present(trial, f, source[m]);
            frame->place[m] = frame->is_seen[m] ? snw_trial_position(trial, f, source[m])
                                                : snw_vec3_make(0, 0, 0);
            if (!snw_vec3_is_finite(frame->place[m])) frame->is_seen[m] = false;
        }
    }
}

/* ---- repairs ------------------------------------------------------------------------------ */

static double mean_distance(const snw_hand_capture *capture, int a, int b)
{
    double sum = 0;
    int count = 0;
    for (int f = 0; f < capture->frame_count; f++) {
        const snw_hand_frame *frame = capture->frame + f;
        if (!frame->is_seen[a] || !frame->is_seen[b]) continue;
        sum += snw_vec3_distance(frame->place[a], frame->place[b]);
        count++;
    }
    return count ? sum / count : 0;
}

/* From the wrist to a marker on the back it is 40 to 120 mm, whoever it is. */
void snw__hand_repair_unit(snw_hand_capture *capture, snw_notes *notes)
{
    static const double factors[] = {0.001, 0.01, 0.1, 10, 100, 1000};
    double size = mean_distance(capture, SNW_HAND_WRIST, SNW_HAND_BACK_INDEX);
    if (!(size > 0)) size = mean_distance(capture, SNW_HAND_WRIST, SNW_HAND_BACK_LITTLE);
    if (!(size > 0) || (size > 0.02 && size < 0.2)) return;
    for (size_t n = 0; n < sizeof factors / sizeof factors[0]; n++) {
        double factor = factors[n];
        if (!(size * factor > 0.035 && size * factor < 0.13)) continue;
        snw__note(notes, -1, -1,
                  "the back of the hand is %.3f m from the wrist: all lengths are taken times %g",
                  size, factor);
        for (int f = 0; f < capture->frame_count; f++)
            for (int m = 0; m < SNW_HAND_MARKERS; m++)
                capture->frame[f].place[m] = snw_vec3_scale(capture->frame[f].place[m], factor);
        return;
    }
    snw__note(notes, -1, -1, "the back of the hand is %.3f m from the wrist; is the unit right?",
              size);
}

/* Mean place of each fingertip across the palm, from the little finger's side to the index
 * finger's, and out of its plane; the palm's plane through the three markers. */
typedef struct hand_fan {
    double across[SNW_HAND_FINGERS];
    double out[SNW_HAND_FINGERS]; /* towards cross(little, index): the back of a right hand */
    int count;
} hand_fan;

static hand_fan measure_fan(const snw_hand_capture *capture)
{
    hand_fan fan;
    memset(&fan, 0, sizeof fan);
    for (int f = 0; f < capture->frame_count; f++) {
        const snw_hand_frame *frame = capture->frame + f;
        bool is_whole = true;
        for (int m = 0; m < SNW_HAND_JOINTS; m++)
            is_whole = is_whole && frame->is_seen[m];
        for (int k = 0; k < SNW_HAND_FINGERS; k++)
            is_whole = is_whole && frame->is_seen[snw_hand_tip_marker(k)];
        if (!is_whole) continue;
        snw_vec3 wrist = frame->place[SNW_HAND_WRIST];
        snw_vec3 u = snw_vec3_sub(frame->place[SNW_HAND_BACK_INDEX], wrist);
        snw_vec3 v = snw_vec3_sub(frame->place[SNW_HAND_BACK_LITTLE], wrist);
        snw_vec3 y = snw_vec3_unit(snw_vec3_cross(v, u), snw_vec3_make(0, 1, 0));
        snw_vec3 z = snw_vec3_unit(snw_vec3_add(u, v), u), x = snw_vec3_cross(y, z);
        double sign = snw_vec3_dot(x, snw_vec3_sub(u, v)) < 0 ? -1 : 1;
        for (int k = 0; k < SNW_HAND_FINGERS; k++) {
            snw_vec3 tip = snw_vec3_sub(frame->place[snw_hand_tip_marker(k)], wrist);
            fan.across[k] += sign * snw_vec3_dot(tip, x);
            fan.out[k] += snw_vec3_dot(tip, y);
        }
        fan.count++;
    }
    for (int k = 0; k < SNW_HAND_FINGERS && fan.count; k++) {
        fan.across[k] /= fan.count;
        fan.out[k] /= fan.count;
    }
    return fan;
}

/* Fingers bend to the palm, and the thumb lies before it: fingertips are on that side of its plane
 * on average. Above 0: out of the back of a right hand, so that a right one is below. */
double snw__hand_out_of_back(const snw_hand_capture *capture)
{
    hand_fan fan = measure_fan(capture);
    double out = 0;
    for (int k = 0; k < SNW_HAND_FINGERS && fan.count >= 10; k++)
        out += fan.out[k] / SNW_HAND_FINGERS;
    return out;
}

void snw__hand_repair(snw_hand_capture *capture, snw_notes *notes)
{
    snw__hand_repair_unit(capture, notes);
    /* Index to little lie in this order across the palm on average, by a centimetre or more each.
     */
    hand_fan fan = measure_fan(capture);
    if (fan.count >= 10) {
        for (int round = 0; round < 6; round++)
            for (int k = SNW_HAND_INDEX; k < SNW_HAND_LITTLE; k++) {
                if (fan.across[k] > fan.across[k + 1] - 0.005) continue;
                int ma = snw_hand_tip_marker(k), mb = snw_hand_tip_marker(k + 1);
                for (int f = 0; f < capture->frame_count; f++) {
                    snw_hand_frame *frame = capture->frame + f;
                    snw_vec3 place = frame->place[ma];
                    bool is_seen = frame->is_seen[ma];
                    frame->place[ma] = frame->place[mb];
                    frame->is_seen[ma] = frame->is_seen[mb];
                    frame->place[mb] = place;
                    frame->is_seen[mb] = is_seen;
                }
                snw__note(notes, -1, -1, "%s_tip and %s_tip are exchanged: put right",
                          hand_fingers[k], hand_fingers[k + 1]);
                double kept = fan.across[k];
                fan.across[k] = fan.across[k + 1];
                fan.across[k + 1] = kept;
            }
    }
    double out = snw__hand_out_of_back(capture);
    bool is_right = out < 0;
    if (fabs(out) < 0.015 || is_right == (capture->side == SNW_SIDE_RIGHT)) return;
    capture->side = is_right ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
    snw__note(notes, -1, -1, "the fingers bend as those of a %s hand do: it is taken as one",
              is_right ? "right" : "left");
}

/* The knuckles of index and little finger span the palm as the markers on its back do: these are
 * put where they would sit. */
static void place_back(snw_hand_capture *capture)
{
    static const int back[] = {SNW_HAND_BACK_INDEX, SNW_HAND_BACK_LITTLE};
    static const int knuckle[] = {SNW_HAND_JOINTS + 4 * SNW_HAND_INDEX,
                                  SNW_HAND_JOINTS + 4 * SNW_HAND_LITTLE};
    snw_hand_profile usual = snw_hand_profile_default(capture->side, 0);
    double height = capture->side == SNW_SIDE_LEFT ? -usual.back_height : usual.back_height;
    for (int f = 0; f < capture->frame_count; f++) {
        snw_hand_frame *frame = capture->frame + f;
        snw_vec3 wrist = frame->place[SNW_HAND_WRIST], none = {0, 0, 0};
        snw_vec3 index = snw_vec3_sub(frame->place[knuckle[0]], wrist);
        snw_vec3 little = snw_vec3_sub(frame->place[knuckle[1]], wrist);
        snw_vec3 out = snw_vec3_unit(snw_vec3_cross(little, index), none);
        for (int k = 0; k < 2; k++) {
            if (frame->is_seen[back[k]]) continue;
            snw_vec3 place = snw_vec3_lerp(wrist, frame->place[knuckle[k]], usual.back_share);
            frame->place[back[k]] = snw_vec3_add_scaled(place, height, out);
            frame->is_seen[back[k]] = frame->is_seen[SNW_HAND_WRIST] &&
                                      frame->is_seen[knuckle[0]] && frame->is_seen[knuckle[1]];
        }
    }
}

snw_status snw_hand_capture_from_trial(const snw_trial *trial, snw_side side,
                                       const snw_allocator *allocator, snw_hand_capture **out,
                                       snw_notes *notes, snw_error *error)
{
    if (!trial || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "trial or out is NULL");
    *out = NULL;
    int source[SNW_HAND_MARKERS], tips = 0;
    for (int m = 0; m < SNW_HAND_MARKERS; m++)
        source[m] = -1;
    for (int t = 0; t < trial->marker_count; t++) {
        snw_side found = side;
        bool has_side;
        int marker = snw_hand_marker_from_label(trial->marker[t].name, &found, &has_side);
        if (marker >= 0 && found == side && source[marker] < 0) source[marker] = t;
    }
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        tips += source[snw_hand_tip_marker(k)] >= 0;
    const char *word = side == SNW_SIDE_LEFT ? "left" : "right";
    bool has_back = source[SNW_HAND_BACK_INDEX] >= 0 && source[SNW_HAND_BACK_LITTLE] >= 0;
    bool has_knuckles = source[SNW_HAND_JOINTS + 4 * SNW_HAND_INDEX] >= 0 &&
                        source[SNW_HAND_JOINTS + 4 * SNW_HAND_LITTLE] >= 0;
    bool has_palm = source[SNW_HAND_WRIST] >= 0 && (has_back || has_knuckles);
    if (!has_palm || tips < 2)
        return snw__fail(error, SNW_NOT_FOUND,
                         "no %s hand: needed are %s_wrist, %s_back_index, %s_back_little and "
                         "fingertips such as %s_index_tip",
                         word, word, word, word, word);
    snw_hand_capture *capture = NULL;
    snw_status status = snw__hand_capture_create(trial->frame_count, allocator, &capture, error);
    if (status != SNW_OK) return status;
    capture->side = side;
    snw__hand_capture_read(capture, trial, source);
    if (!has_back) place_back(capture);
    snw__hand_repair(capture, notes);
    *out = capture;
    return snw__succeed(error);
}
