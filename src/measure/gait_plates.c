/* Gait events from force plates: the vertical force crosses a threshold above that of the unloaded
 * plate, and the foot nearest to the centre of pressure made it. */
#include <math.h>

#include "base/fail.h"
#include "base/notes.h"
#include "measure/gait_events.h"
#include "measure/measure_constants.h"
#include "person/movement.h"

#include <sinew/force.h>

typedef struct plate_job {
    const snw__gait_line *line;
    snw__gait_list *list;
    double threshold; /* newtons above the unloaded plate */
} plate_job;

static double vertical(const plate_job *job, const snw_force_plate *plate, int64_t n)
{
    const snw_trial *trial = job->line->trial;
    snw_wrench wrench = snw_force_plate_wrench(plate, trial, (int)(n / trial->analog_per_frame),
                                               (int)(n % trial->analog_per_frame));
    return snw_vec3_dot(wrench.force, job->line->up);
}

/* The least vertical force, over a tenth of a second: an unloaded plate need not read zero. */
static double plate_rest(const plate_job *job, const snw_force_plate *plate)
{
    const snw_trial *trial = job->line->trial;
    int64_t count = (int64_t)trial->frame_count * trial->analog_per_frame;
    int64_t span = (int64_t)(0.1 * trial->rate * trial->analog_per_frame);
    double least = INFINITY;
    for (int64_t from = 0; span > 0 && from + span <= count; from += span) {
        double sum = 0;
        for (int64_t n = from; n < from + span; n++)
            sum += vertical(job, plate, n);
        least = fmin(least, sum / (double)span);
    }
    return isfinite(least) ? least : 0;
}

/* The foot that stands on the plate: its middle is nearest to the centre of pressure half way
 * through. -1: none is near, or both are. */
static int foot_on(const plate_job *job, const snw_force_plate *plate, int64_t middle)
{
    const snw_trial *trial = job->line->trial;
    int frame = (int)(middle / trial->analog_per_frame), best = -1;
    snw_wrench wrench =
        snw_force_plate_wrench(plate, trial, frame, (int)(middle % trial->analog_per_frame));
    double distance[2] = {INFINITY, INFINITY};
    if (!wrench.has_center) return -1;
    for (int side = 0; side < SNW_SIDES; side++) {
        snw_vec3 heel, toe;
        if (!snw__gait_foot(job->line, frame, side, true, &heel) ||
            !snw__gait_foot(job->line, frame, side, false, &toe))
            continue;
        snw_vec3 way = snw_vec3_sub(wrench.center, snw_vec3_lerp(heel, toe, 0.5));
        way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, job->line->up), job->line->up);
        distance[side] = snw_vec3_length(way);
    }
    best = distance[0] <= distance[1] ? 0 : 1;
    return distance[best] < SNW__FOOT_NEAR ? best : -1;
}

/* One load: from sample `from` to `to`, where the plate is free again. Loads at the trial's ends
 * have only one event. */
static void add_load(plate_job *job, const snw_force_plate *plate, int64_t from, int64_t to)
{
    const snw_trial *trial = job->line->trial;
    double rate = trial->rate * trial->analog_per_frame;
    int64_t count = (int64_t)trial->frame_count * trial->analog_per_frame;
    if ((double)(to - from) < SNW__BRIEF * rate) return;
    int side = foot_on(job, plate, from + (to - from) / 2);
    if (side < 0) return;
    /* Two feet on one plate: the load changes hands, so only a single foot's begin and end are its
     * own. The foot at both ends must be the same one. */
    int64_t margin = (to - from) / 5;
    if (foot_on(job, plate, from + margin) != side || foot_on(job, plate, to - margin) != side)
        return;
    if (from > 0)
        snw__gait_list_add(job->list, SNW_FOOT_STRIKE, side, SNW_EVENT_FROM_PLATE,
                           (double)from / rate);
    if (to < count)
        snw__gait_list_add(job->list, SNW_FOOT_OFF, side, SNW_EVENT_FROM_PLATE, (double)to / rate);
}

int snw__gait_plates_find(const snw__gait_line *line, double threshold, snw__gait_list *list,
                          snw_notes *notes)
{
    plate_job job = {line, list, threshold};
    int before = list->count;
    for (int p = 0; p < snw_force_plate_count(line->trial); p++) {
        snw_force_plate plate;
        snw_error error;
        if (snw_force_plate_read(line->trial, p, &plate, NULL, &error) == SNW_OK) {
            const snw_trial *trial = job.line->trial;
            int64_t count = (int64_t)trial->frame_count * trial->analog_per_frame, from = -1;
            double limit = plate_rest(&job, &plate) + job.threshold;
            for (int64_t n = 0; n <= count; n++) {
                bool is_loaded = n < count && vertical(&job, &plate, n) > limit;
                if (is_loaded && from < 0) from = n;
                if (!is_loaded && from >= 0) {
                    add_load(&job, &plate, from, n);
                    from = -1;
                }
            }
        } else
            snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE, "%s", error.message);
    }
    return list->count - before;
}

/* The event of a plate that this one of the markers means; NULL: none. */
static const snw_gait_event *plate_event(const snw__gait_list *list, const snw_gait_event *event)
{
    if (event->source != SNW_EVENT_FROM_MARKERS) return NULL;
    for (int n = 0; n < list->count; n++) {
        const snw_gait_event *other = list->event + n;
        /* Constants. PLATE_NEAR seconds; an event of a plate replaces one of the markers this near
         * SNW__BRIEF seconds; a load of less is no step SNW__FOOT_NEAR metres from the centre of
         * pressure to the foot that made it */
        if (other->source == SNW_EVENT_FROM_PLATE && other->kind == event->kind &&
            other->side == event->side && fabs(other->time - event->time) < (EVENT_SAME / 2))
            return other;
    }
    return NULL;
}

/* How much the markers are early, on average, where a plate tells as well; 0 unless two do: one
 * step is no mean. */
static double lag_of(const snw__gait_list *list, snw_gait_event_kind kind)
{
    double sum = 0;
    int count = 0;
    for (int n = 0; n < list->count; n++) {
        const snw_gait_event *plate = plate_event(list, list->event + n);
        if (!plate || plate->kind != kind) continue;
        sum += plate->time - list->event[n].time;
        count++;
    }
    return count > 1 ? sum / count : 0;
}

void snw__gait_plates_prefer(snw__gait_list *list)
{
    double lag[2] = {lag_of(list, SNW_FOOT_STRIKE), lag_of(list, SNW_FOOT_OFF)};
    int kept = 0;
    for (int n = 0; n < list->count; n++) {
        snw_gait_event event = list->event[n];
        if (plate_event(list, &event)) event.time = NAN;
        list->event[n] = event;
    }
    for (int n = 0; n < list->count; n++) {
        snw_gait_event event = list->event[n];
        if (isnan(event.time)) continue;
        if (event.source == SNW_EVENT_FROM_MARKERS) event.time += lag[event.kind];
        list->event[kept++] = event;
    }
    list->count = kept;
}
