/* The unit of length and the axis that points up: C3D leaves the first to a free text and the
 * second to a hint for a drawing program. Where the file is silent, the samples are asked and a
 * note says what was assumed. */
#include "io/c3d.h"
#include "person/movement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    C3D_LOOK_MAX = 600 /* samples looked at: spread over the trial, enough for a percentile */
};

/* Heights in metres between which a person on a floor at 0 is captured. */
#define C3D_FLOOR_LOW  (-0.1)
#define C3D_FLOOR_HIGH 0.4
#define C3D_HEAD_LOW   0.3

typedef struct c3d_extent {
    int count;
    double low[3], high[3]; /* 2nd and 98th percentile of each axis, in the file's unit */
} c3d_extent;

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static c3d_extent find_extent(const snw_trial *trial)
{
    float value[3][C3D_LOOK_MAX];
    size_t total = (size_t)trial->frame_count * (size_t)trial->marker_count;
    /* Not a multiple of the marker count, so that every marker is met. */
    size_t step = total / C3D_LOOK_MAX + 1;
    if (trial->marker_count > 1 && step % (size_t)trial->marker_count == 0) step++;
    c3d_extent extent;
    memset(&extent, 0, sizeof extent);
    int count = 0;
    for (size_t n = 0; n < total && count < C3D_LOOK_MAX; n += step) {
        if (trial->state[n] == SNW_SAMPLE_MISSING) continue;
        value[0][count] = trial->sample[n].x;
        value[1][count] = trial->sample[n].y;
        value[2][count++] = trial->sample[n].z;
    }
    extent.count = count;
    for (int axis = 0; axis < 3 && count; axis++) {
        qsort(value[axis], (size_t)count, sizeof(float), compare);
        extent.low[axis] = value[axis][count / 50];
        extent.high[axis] = value[axis][count - 1 - count / 50];
    }
    return extent;
}

/* ---- unit --------------------------------------------------------------------------------- */

double snw__c3d_unit(snw_trial *trial)
{
    size_t length;
    const snw_parameter *units = snw_trial_find_parameter(trial, "POINT", "UNITS");
    const char *text = snw__c3d_string(units, 0, &length);
    while (length && *text == ' ') {
        text++;
        length--;
    }
    snw_format(trial->unit, sizeof trial->unit, "%.*s", (int)length, text);
    return snw_unit_length(trial->unit);
}

/* ---- up ----------------------------------------------------------------------------------- */

/* "+Z" to the axis, or -1; the sign apart. */
static int axis_of(const char *text, size_t length, bool *is_negative)
{
    *is_negative = length && *text == '-';
    if (length && (*text == '-' || *text == '+')) {
        text++;
        length--;
    }
    if (!length) return -1;
    const char *found = strchr("XxYyZz", *text);
    return found && *found ? (int)(found - "XxYyZz") / 2 : -1;
}

static snw_up_axis up_axis(int axis, bool is_negative)
{
    return (snw_up_axis)((is_negative ? (int)SNW_UP_NEGATIVE_X : (int)SNW_UP_X) + axis);
}

static snw_up_axis read_up(snw_notes *notes, const snw_trial *trial, const c3d_extent *extent,
                           bool *is_assumed)
{
    static const char *const names[] = {"X", "Y", "Z"};
    size_t length;
    bool is_negative;
    *is_assumed = false;
    /* The axis that the maker of the file is known to use, whatever Y_SCREEN says. */
    static const char wrong_hint[] = "Advanced Realtime Tracking"; /* Y_SCREEN +Y, data z up */
    size_t maker_length;
    const snw_parameter *company = snw_trial_find_parameter(trial, "MANUFACTURER", "COMPANY");
    const char *maker = snw__c3d_string(company, 0, &maker_length);
    if (maker_length >= sizeof wrong_hint - 1 &&
        memcmp(maker, wrong_hint, sizeof wrong_hint - 1) == 0)
        return SNW_UP_Z;
    const snw_parameter *screen = snw_trial_find_parameter(trial, "POINT", "X_SCREEN");
    const char *text = snw__c3d_string(screen, 0, &length);
    bool is_turned = length && *text == '-';
    screen = snw_trial_find_parameter(trial, "POINT", "Y_SCREEN");
    text = snw__c3d_string(screen, 0, &length);
    int axis = axis_of(text, length, &is_negative);
    /* QTM turns its drawing by 180 degrees and writes -X -Z over data that stand on +Z. */
    if (axis >= 0 && is_negative && is_turned &&
        extent->low[axis] * trial->metres_per_unit >= C3D_FLOOR_LOW)
        is_negative = false;
    if (axis >= 0) return up_axis(axis, is_negative);
    /* The axis along which everything stands on a floor; of several the one with the lowest floor.
     */
    double metres = trial->metres_per_unit;
    for (int k = 0; k < 3; k++) {
        /* What is seen stands on a floor at 0 and is as high as a person. */
        double low = extent->low[k] * metres, high = extent->high[k] * metres;
        if (extent->count && low >= C3D_FLOOR_LOW && low <= C3D_FLOOR_HIGH &&
            high >= C3D_HEAD_LOW && high <= SNW__REACH_MAX &&
            (axis < 0 || fabs(extent->low[k]) < fabs(extent->low[axis])))
            axis = k;
    }
    if (axis < 0) return SNW_UP_UNKNOWN;
    *is_assumed = true;
    snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
              "which axis points up is not given; the markers stand on a floor along +%s",
              names[axis]);
    return up_axis(axis, false);
}

void snw__c3d_axes_read(snw__reading *reading, snw_trial *trial)
{
    const c3d_extent extent = find_extent(trial);
    double metres = snw__c3d_unit(trial);
    if (metres == 0) metres = reading->options.metres_per_unit;
    if (!(metres > 0)) {
        double largest = 0;
        for (int axis = 0; axis < 3; axis++)
            largest = fmax(largest, fmax(fabs(extent.low[axis]), fabs(extent.high[axis])));
        /* No capture volume ends 30 mm from its origin, and hardly one reaches 30 m. */
        metres = largest > 0 && largest < 30 ? 1 : 0.001;
        if (extent.count)
            snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                      "the unit of length is \"%s\"; %s are assumed", trial->unit,
                      metres == 1 ? "metres" : "millimetres");
    }
    trial->metres_per_unit = metres;
    trial->up = reading->options.up;
    if (trial->up == SNW_UP_UNKNOWN)
        trial->up = read_up(reading->notes, trial, &extent, &trial->is_up_assumed);
}

snw_up_axis snw__c3d_axes_up(const snw_trial *trial)
{
    const c3d_extent extent = find_extent(trial);
    bool is_assumed;
    return read_up(NULL, trial, &extent, &is_assumed);
}
