/* Events of a C3D file: up to 18 in the header (time, four letters, a flag), any number in the
 * EVENT group (USED, LABELS, CONTEXTS, SUBJECTS, DESCRIPTIONS, TIMES as minutes and seconds,
 * ICON_IDS, GENERIC_FLAGS). The same event often stands in both; both are kept. */
#include "io/c3d.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

/* See the table in c3d_header.c. */
enum {
    C3D_EVENT_KEY = 12345,
    C3D_EVENT_KEY_AT = 298,
    C3D_EVENT_COUNT_AT = 300,
    C3D_EVENT_TIMES_AT = 304,
    C3D_EVENT_FLAGS_AT = 376,
    C3D_EVENT_LABELS_AT = 396,
};

/* ---- the header's ------------------------------------------------------------------------- */

static snw_status read_header_events(snw__reading *reading, const snw__c3d_header *header,
                                     snw_trial *trial)
{
    const uint8_t *raw = header->raw;
    int count = snw__c3d_u16(raw + C3D_EVENT_COUNT_AT, header->order);
    if (snw__c3d_u16(raw + C3D_EVENT_KEY_AT, header->order) != C3D_EVENT_KEY) return SNW_OK;
    if (count > SNW__C3D_EVENTS_MAX) {
        snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, snw__at_byte(C3D_EVENT_COUNT_AT),
                  "the header claims %d events where at most 18 fit; its events were left out",
                  count);
        return SNW_OK;
    }
    for (int n = 0; n < count; n++) {
        char label[5] = "";
        memcpy(label, raw + C3D_EVENT_LABELS_AT + 4 * n, 4);
        for (size_t used = strlen(label); used && label[used - 1] == ' '; used--)
            label[used - 1] = 0;
        snw_event event;
        memset(&event, 0, sizeof event);
        event.time = snw__c3d_float(raw + C3D_EVENT_TIMES_AT + 4 * n, header->order);
        event.label = label;
        event.flags = raw[C3D_EVENT_FLAGS_AT + n];
        event.is_in_header = true;
        snw_status status = snw_trial_add_event(trial, &event, reading->error);
        if (status != SNW_OK) return status;
    }
    return SNW_OK;
}

void snw__c3d_events_put_header(const snw_trial *trial, snw_byte_order order, uint8_t *raw)
{
    int count = 0;
    for (int e = 0; e < trial->event_count && count < SNW__C3D_EVENTS_MAX; e++) {
        const snw_event *event = trial->event + e;
        if (!event->is_in_header) continue;
        size_t length = strlen(event->label);
        uint8_t *label = raw + C3D_EVENT_LABELS_AT + 4 * count;
        memset(label, ' ', 4);
        memcpy(label, event->label, length < 4 ? length : 4);
        snw__c3d_put_float(raw + C3D_EVENT_TIMES_AT + 4 * count, (float)event->time, order);
        raw[C3D_EVENT_FLAGS_AT + count] = (uint8_t)event->flags;
        count++;
    }
    snw__c3d_put_u16(raw + C3D_EVENT_KEY_AT, C3D_EVENT_KEY, order);
    snw__c3d_put_u16(raw + C3D_EVENT_COUNT_AT, count, order);
}

/* ---- the group's -------------------------------------------------------------------------- */

/* Text `index` of a list of the EVENT group, cut to `size`. */
static void copy_text(snw__c3d_list *list, int index, char *text, size_t size)
{
    int inside;
    size_t length;
    const snw_parameter *parameter = snw__c3d_list_at(list, index, &inside);
    const char *from = snw__c3d_string(parameter, inside, &length);
    snw_format(text, size, "%.*s", (int)length, from);
}

static int integer_of(snw__c3d_list *list, int index)
{
    int inside;
    const snw_parameter *parameter = snw__c3d_list_at(list, index, &inside);
    double value = snw__c3d_number(parameter, inside, false, 0);
    return value >= -32768 && value <= 65535 ? (int)value : 0;
}

/* (minutes, seconds) for each event; a few producers write seconds alone, others the pairs as one
 * row of twice the length. */
static bool times_are_pairs(const snw_trial *trial)
{
    const snw_parameter *times = snw_trial_find_parameter(trial, "EVENT", "TIMES");
    if (!times) return false;
    if (times->dimension_count > 1) return times->dimension[0] == 2;
    double used = snw__c3d_number(snw_trial_find_parameter(trial, "EVENT", "USED"), 0, true, 0);
    return used > 0 && snw__c3d_list_count(trial, "EVENT", "TIMES") >= 2 * used;
}

/* NaN when it is not there. */
static double time_of(snw__c3d_list *list, bool is_pair, int index)
{
    int inside;
    if (!is_pair) {
        const snw_parameter *single = snw__c3d_list_at(list, index, &inside);
        return snw__c3d_number(single, inside, false, NAN);
    }
    const snw_parameter *pair = snw__c3d_list_at(list, 2 * index, &inside);
    double minutes = snw__c3d_number(pair, inside, false, NAN);
    return minutes * 60 + snw__c3d_number(pair, inside + 1, false, NAN);
}

typedef struct c3d_event_lists {
    snw__c3d_list label, context, subject, description, time, icon, flags;
    bool has_minutes; /* TIMES are pairs */
} c3d_event_lists;

static c3d_event_lists start_lists(const snw_trial *trial)
{
    c3d_event_lists lists;
    lists.label = snw__c3d_list_start(trial, "EVENT", "LABELS");
    lists.context = snw__c3d_list_start(trial, "EVENT", "CONTEXTS");
    lists.subject = snw__c3d_list_start(trial, "EVENT", "SUBJECTS");
    lists.description = snw__c3d_list_start(trial, "EVENT", "DESCRIPTIONS");
    lists.time = snw__c3d_list_start(trial, "EVENT", "TIMES");
    lists.icon = snw__c3d_list_start(trial, "EVENT", "ICON_IDS");
    lists.flags = snw__c3d_list_start(trial, "EVENT", "GENERIC_FLAGS");
    lists.has_minutes = times_are_pairs(trial);
    return lists;
}

/* Event `e` of the lists; its texts point into `text`. A C3D string has at most 255 letters. */
static snw_event event_at(c3d_event_lists *lists, int e, char text[4][256])
{
    copy_text(&lists->label, e, text[0], 256);
    copy_text(&lists->context, e, text[1], 256);
    copy_text(&lists->subject, e, text[2], 256);
    copy_text(&lists->description, e, text[3], 256);
    snw_event event = {time_of(&lists->time, lists->has_minutes, e),
                       text[0],
                       text[1],
                       text[2],
                       text[3],
                       integer_of(&lists->icon, e),
                       integer_of(&lists->flags, e),
                       false};
    return event;
}

static int count_group_events(snw_notes *notes, const snw_trial *trial)
{
    double used = snw__c3d_number(snw_trial_find_parameter(trial, "EVENT", "USED"), 0, true, 0);
    /* No list of the group is longer than this; keeps a wrong USED from making events out of air.
     */
    static const char *const names[] = {"LABELS", "CONTEXTS", "ICON_IDS", "TIMES"};
    int most = 0;
    for (int n = 0; n < 4; n++) {
        int count = snw__c3d_list_count(trial, "EVENT", names[n]);
        if (n == 3 && times_are_pairs(trial)) count /= 2;
        if (count > most) most = count;
    }
    if (used > most)
        snw__note(notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE,
                  "EVENT:USED says %g, the lists hold %d", used, most);
    return used < most ? (int)used : most;
}

static snw_status read_group_events(snw__reading *reading, snw_trial *trial)
{
    int count = count_group_events(reading->notes, trial), untimed = 0;
    c3d_event_lists lists = start_lists(trial);
    snw_status status = SNW_OK;
    for (int e = 0; e < count && status == SNW_OK; e++) {
        char text[4][256];
        snw_event event = event_at(&lists, e, text);
        untimed += isnan(event.time) != 0;
        status = snw_trial_add_event(trial, &event, reading->error);
    }
    if (status == SNW_OK && untimed)
        snw__note(reading->notes, SNW_NOTE_CONTENT_DAMAGED, SNW__NOWHERE,
                  "%d of %d events %s no time", untimed, count,
                  snw__plural(untimed, "has", "have"));
    return status;
}

snw_status snw__c3d_events_read(snw__reading *reading, const snw__c3d_header *header,
                                snw_trial *trial)
{
    snw_status status = read_header_events(reading, header, trial);
    return status == SNW_OK ? read_group_events(reading, trial) : status;
}

/* ---- writing the group's ------------------------------------------------------------------ */

/* Whether the EVENT group of `shell` already says what the shell's own events are. */
static bool group_says_the_same(const snw_trial *shell)
{
    if (count_group_events(NULL, shell) != shell->event_count) return false;
    c3d_event_lists lists = start_lists(shell);
    for (int e = 0; e < shell->event_count; e++) {
        char text[4][256];
        snw_event event = event_at(&lists, e, text);
        const snw_event *b = shell->event + e;
        bool is_same_time = event.time == b->time || (isnan(event.time) && isnan(b->time));
        if (!(is_same_time && event.icon == b->icon && event.flags == b->flags &&
              strcmp(event.label, b->label) == 0 && strcmp(event.context, b->context) == 0 &&
              strcmp(event.subject, b->subject) == 0 &&
              strcmp(event.description, b->description) == 0))
            return false;
    }
    return true;
}

static const char *event_label(const snw_trial *trial, int index)
{
    return trial->event[index].label;
}

static const char *event_context(const snw_trial *trial, int index)
{
    return trial->event[index].context;
}

static const char *event_subject(const snw_trial *trial, int index)
{
    return trial->event[index].subject;
}

static const char *event_description(const snw_trial *trial, int index)
{
    return trial->event[index].description;
}

static double event_icon(const snw_trial *trial, int index)
{
    return trial->event[index].icon;
}

static double event_flags(const snw_trial *trial, int index)
{
    return trial->event[index].flags;
}

/* Minutes at even, seconds at odd places. */
static double event_time(const snw_trial *trial, int index)
{
    double time = trial->event[index / 2].time, minutes = floor(time / 60);
    return index % 2 ? time - 60 * minutes : minutes;
}

snw_status snw__c3d_events_update(const snw_trial *trial, snw_trial *shell, snw_error *error)
{
    /* The shell takes the events of the group alone, so that they count from 0. */
    for (int e = 0; e < trial->event_count; e++) {
        if (trial->event[e].is_in_header) continue;
        snw_status status = snw_trial_add_event(shell, trial->event + e, error);
        if (status != SNW_OK) return status;
    }
    if (group_says_the_same(shell)) return SNW_OK;
    const int n = shell->event_count;
    const snw_parameter_type letters = SNW_PARAMETER_CHAR, words = SNW_PARAMETER_INT16,
                             floats = SNW_PARAMETER_FLOAT;
    const snw__c3d_list_spec lists[] = {
        {"EVENT", "LABELS", n, 1, false, letters, shell, NULL, event_label},
        {"EVENT", "CONTEXTS", n, 1, false, letters, shell, NULL, event_context},
        {"EVENT", "SUBJECTS", n, 1, false, letters, shell, NULL, event_subject},
        {"EVENT", "DESCRIPTIONS", n, 1, false, letters, shell, NULL, event_description},
        {"EVENT", "TIMES", n, 2, false, floats, shell, event_time, NULL},
        {"EVENT", "ICON_IDS", n, 1, false, words, shell, event_icon, NULL},
        {"EVENT", "GENERIC_FLAGS", n, 1, false, words, shell, event_flags, NULL}};
    snw_status status = snw__c3d_set_number(shell, "EVENT", "USED", SNW_PARAMETER_INT16, n, error);
    for (size_t l = 0; l < sizeof lists / sizeof *lists && status == SNW_OK; l++)
        status = lists[l].text ? snw__c3d_set_texts(shell, lists + l, error)
                               : snw__c3d_set_numbers(shell, lists + l, error);
    return status;
}
