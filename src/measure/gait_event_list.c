/* Lists of gait events: made, given to the caller, read from the events of a trial and stored there
 * under the labels that other programs use. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "measure/gait_events.h"

void snw__gait_list_add(snw__gait_list *list, snw_gait_event_kind kind, int side,
                        snw_gait_event_source source, double time)
{
    if (list->count >= list->room) return;
    snw_gait_event event = {kind, (snw_side)side, source, time};
    list->event[list->count++] = event;
}

void snw__gait_list_sort(snw__gait_list *list)
{
    for (int n = 1; n < list->count; n++)
        for (int k = n; k > 0 && list->event[k].time < list->event[k - 1].time; k--) {
            snw_gait_event swap = list->event[k];
            list->event[k] = list->event[k - 1];
            list->event[k - 1] = swap;
        }
}

snw_status snw__gait_list_keep(const snw__gait_list *list, const snw_allocator *allocator,
                               snw_gait_events **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t head = (sizeof(snw_gait_events) + 15) / 16 * 16;
    size_t size = head + (size_t)list->count * sizeof(snw_gait_event);
    char *block = snw__allocate(&memory, size);
    if (!block) return snw__fail_memory(error, size, "gait events");
    snw_gait_events events = {list->count, (snw_gait_event *)(void *)(block + head), memory, size};
    if (list->count) memcpy(events.event, list->event, (size_t)list->count * sizeof *list->event);
    memcpy(block, &events, sizeof events);
    *out = (snw_gait_events *)(void *)block;
    return snw__succeed(error);
}

void snw_gait_events_destroy(snw_gait_events *events)
{
    if (!events) return;
    snw_allocator allocator = events->allocator;
    snw__release(&allocator, events, events->block_size);
}

/* ---- the events of a trial ------------------------------------------------------------------- */

/* Letters alone, in capitals: "Foot Strike" and "foot_strike" are FOOTSTRIKE. */
static void squeeze(const char *text, char out[32])
{
    size_t length = 0;
    for (; *text && length + 1 < 32; text++) {
        char c = *text;
        if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
        if (c >= 'A' && c <= 'Z') out[length++] = c;
    }
    out[length] = 0;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* The kind and side that a word says: FOOTSTRIKE, LHS, RIGHTTOEOFF. */
static bool read_word(const char *word, int *kind, int *side)
{
    static const char *const strikes[] = {"FOOTSTRIKE",     "HEELSTRIKE", "HS", "FS", "IC",
                                          "INITIALCONTACT", "FOOTON",     "ON", NULL};
    static const char *const offs[] = {"FOOTOFF", "TOEOFF", "TO", "FO", "OFF", "FOOTOUT", NULL};
    static const char *const sides[2][2] = {{"LEFT", "L"}, {"RIGHT", "R"}};
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < 2; n++) {
            size_t length = strlen(sides[s][n]);
            if (strncmp(word, sides[s][n], length) != 0) continue;
            const char *rest = word + length;
            bool is_strike = is_one_of(rest, strikes), is_off = is_one_of(rest, offs);
            if (!*rest || is_strike || is_off) *side = s;
            if (is_strike || is_off) *kind = is_strike ? SNW_FOOT_STRIKE : SNW_FOOT_OFF;
        }
    if (is_one_of(word, strikes)) *kind = SNW_FOOT_STRIKE;
    if (is_one_of(word, offs)) *kind = SNW_FOOT_OFF;
    return *kind >= 0 && *side >= 0;
}

static bool read_event(const snw_event *event, int *kind, int *side)
{
    char label[32], context[32];
    *kind = *side = -1;
    squeeze(event->label, label);
    squeeze(event->context, context);
    read_word(context, kind, side);
    return read_word(label, kind, side);
}

snw_status snw_gait_events_read(const snw_trial *trial, const snw_allocator *allocator,
                                snw_gait_events **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__gait_list list = {NULL, 0, trial->event_count};
    size_t size = snw__size_mul((size_t)trial->event_count, sizeof(snw_gait_event));
    *out = NULL;
    list.event = snw__allocate(&memory, size);
    if (!list.event) return snw__fail_memory(error, size, "gait events");
    double begin = trial->rate > 0 ? (trial->first_frame - 1) / trial->rate : 0;
    for (int n = 0; n < trial->event_count; n++) {
        int kind, side;
        if (!isfinite(trial->event[n].time) || !read_event(trial->event + n, &kind, &side))
            continue;
        snw__gait_list_add(&list, (snw_gait_event_kind)kind, side, SNW_EVENT_FROM_FILE,
                           trial->event[n].time - begin);
    }
    snw__gait_list_sort(&list);
    snw_status status = snw__gait_list_keep(&list, allocator, out, error);
    snw__release(&memory, list.event, size);
    return status;
}

snw_status snw_gait_events_store(const snw_gait_events *events, snw_trial *trial, snw_error *error)
{
    char labels[2][16] = {"Foot Strike", "Foot Off"}, contexts[2][8] = {"Left", "Right"};
    char texts[2][48] = {"The instant the heel strikes the ground",
                         "The instant the toe leaves the ground"};
    for (int n = trial->event_count - 1; n >= 0; n--) {
        int kind, side;
        if (read_event(trial->event + n, &kind, &side)) snw_trial_remove_event(trial, n);
    }
    double begin = trial->rate > 0 ? (trial->first_frame - 1) / trial->rate : 0;
    for (int n = 0; n < events->count; n++) {
        const snw_gait_event *from = events->event + n;
        snw_event event;
        char none[1] = "";
        memset(&event, 0, sizeof event);
        event.time = begin + from->time;
        event.label = labels[from->kind];
        event.context = contexts[from->side];
        event.subject = none;
        event.description = texts[from->kind];
        event.icon = from->kind == SNW_FOOT_STRIKE ? 1 : 2;
        snw_status status = snw_trial_add_event(trial, &event, error);
        if (status != SNW_OK) return status;
    }
    return snw__succeed(error);
}
