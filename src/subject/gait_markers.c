/* Which marker of a trial is which of the conventional gait model, by its label. */
#include <string.h>

#include "label/landmark.h"
#include "subject/gait.h"

static const struct {
    bool is_paired;
    const char *spellings;
} gait_marker_row[] = {
#define GAIT_MARKER_ROW(enumerator, is_paired, spellings) {is_paired, spellings},
    SNW_GAIT_MARKER_MAP(GAIT_MARKER_ROW)
#undef GAIT_MARKER_ROW
};

/* Takes one way to read a label; what stands there already stays. */
static bool take_reading(const snw__label_reading *reading, int marker, snw_gait_markers *out)
{
    for (int n = 0; n < SNW_GAIT_MARKER_COUNT; n++) {
        bool has_side = reading->side != SNW_SIDE_NONE;
        if (has_side != gait_marker_row[n].is_paired) continue;
        if (!snw__has_word(gait_marker_row[n].spellings, reading->stem, strlen(reading->stem)))
            continue;
        int side = reading->side == SNW_SIDE_RIGHT ? SNW_GAIT_RIGHT : SNW_GAIT_LEFT;
        if (out->at[n][side] < 0) out->at[n][side] = marker;
        return true;
    }
    return false;
}

void snw_gait_markers_find(const snw_trial *trial, snw_gait_markers *out)
{
    for (int n = 0; n < SNW_GAIT_MARKER_COUNT; n++)
        out->at[n][SNW_GAIT_LEFT] = out->at[n][SNW_GAIT_RIGHT] = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name;
        snw_label landmark = snw_label_read(label);
        if (landmark.kind == SNW_LABEL_DERIVED || snw_trial_is_computed(trial, m)) continue;
        const char *colon = strrchr(label, ':');
        size_t prefix = landmark.prefix > 0 ? (size_t)landmark.prefix
                        : colon             ? (size_t)(colon + 1 - label)
                                            : 0;
        snw__label_reading reading[SNW__LABEL_READINGS];
        int count = snw__label_readings(label + prefix, reading);
        bool is_taken = false;
        for (int n = 0; n < count && !is_taken; n++)
            is_taken = take_reading(reading + n, m, out);
    }
}

static bool has(const snw_gait_markers *markers, snw_gait_marker marker, int side)
{
    return markers->at[marker][side] >= 0;
}

bool snw_gait_markers_suffice(const snw_gait_markers *markers)
{
    bool has_front = has(markers, SNW_GAIT_MARKER_ASI, 0) && has(markers, SNW_GAIT_MARKER_ASI, 1);
    bool has_back = has(markers, SNW_GAIT_MARKER_SACR, 0) ||
                    (has(markers, SNW_GAIT_MARKER_PSI, 0) && has(markers, SNW_GAIT_MARKER_PSI, 1));
    bool has_leg = false;
    for (int side = 0; side < SNW_GAIT_SIDES; side++)
        has_leg |=
            has(markers, SNW_GAIT_MARKER_KNE, side) && has(markers, SNW_GAIT_MARKER_ANK, side);
    return has_front && has_back && has_leg;
}
