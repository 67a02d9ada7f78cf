/* Which marker of a trial is which of the conventional gait model, by its label. */
#include <string.h>

#include "label/label_grammar.h"
#include "subject/gait.h"

/* Has the landmark the name of its role? Else it stands in for it, as T8 for T10. */
static bool is_itself(const snw_label *label)
{
    static const char *const names[] = {
#define GAIT_MARKER_NAME(enumerator, is_paired) #enumerator,
        SNW_GAIT_MARKER_MAP(GAIT_MARKER_NAME)
#undef GAIT_MARKER_NAME
    };
    return strcmp(names[label->gait], snw__landmark_at(label->landmark)->name) == 0;
}

/* The marker takes the place of its role, unless that is taken by one that has the better name. */
static void take_marker(const snw_label *label, int marker, const snw_label *taken,
                        snw_gait_markers *out)
{
    int *at = &out->at[label->gait][label->side == SNW_SIDE_RIGHT ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT];
    if (*at < 0 || (is_itself(label) && !is_itself(taken))) *at = marker;
}

static void forget_markers(snw_gait_markers *out)
{
    for (int n = 0; n < SNW_GAIT_MARKER_COUNT; n++)
        out->at[n][SNW_SIDE_LEFT] = out->at[n][SNW_SIDE_RIGHT] = -1;
}

void snw__gait_markers_of_labels(const snw_trial *trial, const snw_label *labels,
                                 snw_gait_markers *out)
{
    forget_markers(out);
    for (int m = 0; m < trial->marker_count; m++) {
        if (labels[m].landmark < 0 || labels[m].gait < 0 || !snw_trial_is_marker(trial, m))
            continue;
        int side = labels[m].side == SNW_SIDE_RIGHT ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
        int at = out->at[labels[m].gait][side];
        take_marker(labels + m, m, at >= 0 ? labels + at : NULL, out);
    }
}

/* How many characters of a label are the actor's: "Joe:" 4. */
static size_t actor_length(const char *label)
{
    return (size_t)(snw__bare_label(label) - label);
}

static bool is_of_actor(const char *label, const char *actor, size_t length)
{
    return actor_length(label) == length && strncmp(label, actor, length) == 0;
}

/* Every marker of the actor that the label `actor` begins with; returns how many are known. */
static int take_actor(const snw_trial *trial, const char *actor, size_t length,
                      snw_gait_markers *out)
{
    int count = 0;
    forget_markers(out);
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name;
        if (!is_of_actor(label, actor, length)) continue;
        snw_label read = snw_label_read(label);
        if (read.gait < 0 || !snw_trial_is_marker(trial, m)) continue;
        int at = out->at[read.gait][read.side == SNW_SIDE_RIGHT ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT];
        snw_label taken = snw_label_read(at >= 0 ? trial->marker[at].name : label);
        take_marker(&read, m, &taken, out);
        count++;
    }
    return count;
}

/* Two people in one capture must not share a skeleton: the actor with the most known markers, the
 * first of equals. */
void snw_gait_markers_find(const snw_trial *trial, snw_gait_markers *out)
{
    int best = take_actor(trial, "", 0, out);
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name;
        size_t length = actor_length(label);
        bool is_first = length > 0;
        for (int k = 0; k < m && is_first; k++)
            is_first = !is_of_actor(trial->marker[k].name, label, length);
        if (!is_first) continue;
        snw_gait_markers found;
        int count = take_actor(trial, label, length, &found);
        if (count <= best) continue;
        best = count;
        *out = found;
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
    for (int side = 0; side < SNW_SIDES; side++)
        has_leg |=
            has(markers, SNW_GAIT_MARKER_KNE, side) && has(markers, SNW_GAIT_MARKER_ANK, side);
    return has_front && has_back && has_leg;
}
