/* A hand's profile as text: "sinew-hand 1", then side, back markers, and a line for each finger
 * with its base, rest turn and bones. */
#include <string.h>

#include <sinew/hand.h>

#include "base/fail.h"

static const char *const text_fingers[SNW_HAND_FINGERS] = {"thumb", "index", "middle", "ring",
                                                           "little"};

snw_status snw_hand_profile_print(const snw_hand_profile *profile, char *text, size_t capacity,
                                  size_t *size, snw_error *error)
{
    if (!profile || !size || (capacity && !text))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "profile, text or size is NULL");
    char nothing[1];
    if (!capacity) text = nothing;
    size_t used = 0;
#define TEXT_ROOM (text + (used < capacity ? used : 0)), (used < capacity ? capacity - used : 0)
    used += (size_t)snw_format(TEXT_ROOM, "sinew-hand 1\nside %s\nback %g %g %g\n",
                               profile->side == SNW_HAND_LEFT ? "left" : "right",
                               profile->back_share, profile->back_height, profile->cup);
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        snw_vec3 b = profile->base[k];
        snw_quat q = profile->rest[k];
        used += (size_t)snw_format(TEXT_ROOM, "finger %s %g %g %g  %g %g %g %g  %g %g %g\n",
                                   text_fingers[k], b.x, b.y, b.z, q.w, q.x, q.y, q.z,
                                   profile->bone[k][0], profile->bone[k][1], profile->bone[k][2]);
    }
#undef TEXT_ROOM
    *size = used;
    if (used >= capacity)
        return snw__fail(error, SNW_TOO_LARGE, "the profile takes %zu bytes", used + 1);
    return snw__succeed(error);
}

typedef struct hand_text_line {
    const char *at, *end;
} hand_text_line;

static bool take_word(hand_text_line *line, char word[16])
{
    int n = 0;
    while (line->at < line->end && *line->at == ' ')
        line->at++;
    while (line->at < line->end && *line->at != ' ' && n < 15)
        word[n++] = *line->at++;
    word[n] = 0;
    return n > 0;
}

static bool take_numbers(hand_text_line *line, double *number, int count)
{
    for (int n = 0; n < count; n++) {
        while (line->at < line->end && *line->at == ' ')
            line->at++;
        const char *next = snw_parse_double(line->at, line->end, &number[n]);
        if (!next || !isfinite(number[n])) return false;
        line->at = next;
    }
    return true;
}

static bool take_finger(hand_text_line *line, snw_hand_profile *profile)
{
    char word[16];
    double n[10];
    if (!take_word(line, word) || !take_numbers(line, n, 10)) return false;
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        if (strcmp(word, text_fingers[k]) != 0) continue;
        profile->base[k] = snw_vec3_make(n[0], n[1], n[2]);
        profile->rest[k] = snw_quat_normalize(snw_quat_make(n[3], n[4], n[5], n[6]));
        for (int b = 0; b < 3; b++)
            profile->bone[k][b] = n[7 + b];
        return n[7] > 0 && n[8] > 0 && n[9] > 0;
    }
    return false;
}

static bool take_line(hand_text_line *line, snw_hand_profile *profile)
{
    char word[16];
    double n[3];
    if (!take_word(line, word)) return true;
    if (strcmp(word, "finger") == 0) return take_finger(line, profile);
    if (strcmp(word, "side") == 0 && take_word(line, word)) {
        profile->side = strcmp(word, "left") == 0 ? SNW_HAND_LEFT : SNW_HAND_RIGHT;
        return strcmp(word, "left") == 0 || strcmp(word, "right") == 0;
    }
    if (strcmp(word, "back") != 0 || !take_numbers(line, n, 3)) return false;
    profile->back_share = n[0];
    profile->back_height = n[1];
    profile->cup = snw_clamp(n[2], 0, 1);
    return n[0] > 0;
}

snw_status snw_hand_profile_parse(const char *text, size_t size, snw_hand_profile *profile,
                                  snw_error *error)
{
    static const char title[] = "sinew-hand 1\n";
    if (!profile || (size && !text))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "text or profile is NULL");
    *profile = snw_hand_profile_default(SNW_HAND_RIGHT, 0.19);
    size_t head = sizeof title - 1;
    if (size < head || memcmp(text, title, head) != 0)
        return snw__fail(error, SNW_FORMAT, "this is no hand: its first line is another");
    const char *end = text + size, *at = text + head;
    for (int64_t number = 2; at < end; number++) {
        const char *stop = (const char *)memchr(at, '\n', (size_t)(end - at));
        hand_text_line line = {at, stop ? stop : end};
        if (!take_line(&line, profile)) {
            snw__place place = SNW__NOWHERE;
            place.line = number;
            return snw__fail_at(error, SNW_FORMAT, place, "line %lld of the hand is not understood",
                                (long long)number);
        }
        at = stop ? stop + 1 : end;
    }
    return snw__succeed(error);
}
