/* Gaps made on purpose: reading their text, choosing the markers, hiding them. */
#include <limits.h>
#include <string.h>

#include "base/fail.h"
#include "synth/capture.h"

/* Segments by the joint whose whole subtree they are; NULL: everything. The trunk is what is left
 * when the subtrees of the four segments and of the neck are taken away. */
typedef struct gap_segment {
    const char *name;
    const char *joint;
} gap_segment;

static const gap_segment gap_segments[] = {
    {"left_arm", "left_shoulder"},
    {"right_arm", "right_shoulder"},
    {"left_leg", "left_hip"},
    {"right_leg", "right_hip"},
    {"head", "neck"},
};

#define GAP_SEGMENT_COUNT ((int)(sizeof gap_segments / sizeof gap_segments[0]))

/* ---- text --------------------------------------------------------------------------------- */

static snw_status bad_text(const char *text, snw_error *error)
{
    return snw__fail(error, SNW_INVALID_ARGUMENT,
                     "\"%.80s\" is not a gap: TARGET[/N]@FIRST+COUNT, as LKNE@100+50 or "
                     "left_arm/all@any+30",
                     text);
}

/* A whole number of at least 1, or the word, which means `meaning`. NULL if neither. */
static const char *take_number(const char *text, const char *word, int meaning, int *number)
{
    int64_t value;
    size_t length = strlen(word);
    if (strncmp(text, word, length) == 0) {
        *number = meaning;
        return text + length;
    }
    const char *end = snw_parse_int64(text, text + strlen(text), &value);
    if (!end || value < 1 || value > INT_MAX) return NULL;
    *number = (int)value;
    return end;
}

snw_status snw_synth_gap_parse(const char *text, snw_synth_gap *gap, snw_error *error)
{
    snw_synth_gap read = {"", SNW_SYNTH_GAP_ALL, 0, 0};
    const char *at = strrchr(text, '@'); /* names may hold anything; the last one counts */
    if (!at || at == text) return bad_text(text, error);
    const char *slash = at;
    while (slash > text && *slash != '/')
        slash--;
    const char *name_end = *slash == '/' ? slash : at;
    size_t length = (size_t)(name_end - text);
    if (length == 0 || length >= sizeof read.target) return bad_text(text, error);
    memcpy(read.target, text, length);
    if (*slash == '/') {
        const char *end = take_number(slash + 1, "all", SNW_SYNTH_GAP_ALL, &read.marker_count);
        if (end != at) return bad_text(text, error);
    }
    const char *plus = take_number(at + 1, "any", SNW_SYNTH_ANY_FRAME + 1, &read.first_frame);
    if (!plus || *plus != '+') return bad_text(text, error);
    const char *end = take_number(plus + 1, "@", 0, &read.frame_count);
    if (!end || *end) return bad_text(text, error);
    read.first_frame -= 1; /* from 1 to from 0 */
    *gap = read;
    return snw__succeed(error);
}

/* ---- choosing ----------------------------------------------------------------------------- */

static bool is_in_segment(const snw_skeleton *skeleton, int joint, const char *segment)
{
    bool is_trunk = strcmp(segment, "trunk") == 0;
    if (strcmp(segment, "body") == 0) return true;
    for (int i = 0; i < GAP_SEGMENT_COUNT; i++) {
        int top = snw_skeleton_find_joint(skeleton, gap_segments[i].joint);
        int above = joint;
        while (above >= 0 && above != top)
            above = skeleton->parent[above];
        bool is_here = top >= 0 && above == top;
        if (is_trunk && is_here) return false;
        if (strcmp(segment, gap_segments[i].name) == 0) return is_here;
    }
    return is_trunk;
}

/* All markers that the target names; returns how many. */
static int choose_all(const snw_synth_gap *gap, const snw__gap_field *field)
{
    int named = 0, count = 0;
    int joint = snw_skeleton_find_joint(field->skeleton, gap->target);
    for (int m = 0; m < field->marker_count; m++)
        named += field->is_chosen[m] = strcmp(field->marker[m].name, gap->target) == 0;
    if (named > 0) return named;
    for (int m = 0; m < field->marker_count; m++) {
        int rides_on = field->marker[m].joint;
        field->is_chosen[m] =
            joint >= 0 ? rides_on == joint : is_in_segment(field->skeleton, rides_on, gap->target);
        count += field->is_chosen[m];
    }
    return count;
}

/* ---- applying ----------------------------------------------------------------------------- */

snw_status snw__gap_apply(const snw_synth_options *options, int index, const snw__gap_field *field,
                          snw_error *error)
{
    const snw_synth_gap *gap = options->gap + index;
    const snw__place place = {-1, -1, -1, index, gap->target};
    snw_random random = snw__synth_random(options->seed, SNW__PURPOSE_GAP, index, 0);
    int earliest = gap->first_frame == SNW_SYNTH_ANY_FRAME ? 0 : gap->first_frame;
    if (gap->frame_count < 1 || gap->marker_count < 0 || earliest < 0 ||
        earliest >= field->frame_count || gap->frame_count > field->frame_count - earliest)
        return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                            "the gap of %s does not fit: %d frames from frame %lld, of %d",
                            gap->target, gap->frame_count, (long long)earliest + 1,
                            field->frame_count);
    int count = choose_all(gap, field);
    if (count == 0)
        return snw__fail_at(error, SNW_NOT_FOUND, place,
                            "no marker, joint with markers or segment is called \"%s\"",
                            gap->target);
    if (gap->marker_count > count)
        return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                            "%s has %d markers, so %d of them cannot be hidden", gap->target, count,
                            gap->marker_count);
    if (gap->marker_count != SNW_SYNTH_GAP_ALL) {
        /* Chosen markers are dropped at random until so many are left. */
        for (; count > gap->marker_count; count--) {
            int drop = (int)snw_random_below(&random, (uint32_t)count);
            for (int m = 0; m < field->marker_count; m++)
                if (field->is_chosen[m] && drop-- == 0) field->is_chosen[m] = false;
        }
    }
    uint32_t starts = (uint32_t)(field->frame_count - gap->frame_count) + 1;
    int first = gap->first_frame == SNW_SYNTH_ANY_FRAME ? (int)snw_random_below(&random, starts)
                                                        : gap->first_frame;
    for (int f = first; f < first + gap->frame_count; f++)
        for (int m = 0; m < field->marker_count; m++)
            if (field->is_chosen[m])
                field->is_gone[(size_t)f * (size_t)field->marker_count + (size_t)m] = true;
    return SNW_OK;
}
