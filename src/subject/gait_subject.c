/* Fits the gait model to a subject: what the caller gives, what a static trial and the files tell,
 * what the markers of the trial allow to estimate, then proportions. In this order; every
 * value keeps its source. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "person/movement.h"
#include "person/regressions.h"
#include "subject/gait.h"
#include "subject/subject_constants.h"

snw_gait_options snw_gait_options_default(void)
{
    snw_gait_options options;
    memset(&options, 0, sizeof options);
    options.hip = SNW_HIP_BY_DAVIS;
    return options;
}

void snw__subject_take(snw_subject *subject, snw_subject_parameter p, int side, double value,
                       snw_subject_source source)
{
    int at = snw_subject_is_paired(p) ? side : 0;
    if (subject->source[p][at] >= source || !isfinite(value)) return;
    subject->value[p][at] = value;
    subject->source[p][at] = (uint8_t)source;
}

/* ---- distances ------------------------------------------------------------------------------ */

typedef struct subject_pair {
    snw_gait_marker a, b;
    int side_a, side_b;
} subject_pair;

/* Mean distance of two markers over the frames that show both; 0: none does. */
static double mean_distance(const snw_gait_model *model, const snw_trial *trial, subject_pair pair)
{
    double sum = 0;
    int count = 0;
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_vec3 a, b;
        if (!snw__gait_place(model, &frame, pair.a, pair.side_a, &a) ||
            !snw__gait_place(model, &frame, pair.b, pair.side_b, &b))
            continue;
        sum += snw_vec3_distance(a, b);
        count++;
    }
    return count ? sum / count : 0;
}

static double leg_line(const snw_gait_model *model, const snw_trial *trial, int side)
{
    subject_pair thigh = {SNW_GAIT_MARKER_ASI, SNW_GAIT_MARKER_KNE, side, side};
    subject_pair shank = {SNW_GAIT_MARKER_KNE, SNW_GAIT_MARKER_ANK, side, side};
    double upper = mean_distance(model, trial, thigh), lower = mean_distance(model, trial, shank);
    return upper > 0 && lower > 0 ? upper + lower : 0;
}

/* ---- lengths -------------------------------------------------------------------------------- */

/* A distance of markers is never surer than what somebody measured and a file keeps. */
static void take_length(snw_subject *subject, snw_subject_parameter p, int side, double value,
                        snw_subject_source source)
{
    int at = snw_subject_is_paired(p) ? side : 0;
    if (value > 0 && subject->source[p][at] < SNW_SUBJECT_FROM_FILE)
        snw__subject_take(subject, p, side, value, source);
}

/* What the distances of a trial's markers tell. */
static void lengths_of(const snw_gait_model *model, const snw_trial *trial,
                       snw_subject_source source, snw_subject *subject)
{
    subject_pair asis = {SNW_GAIT_MARKER_ASI, SNW_GAIT_MARKER_ASI, 0, 1};
    double diameter = snw__subject(subject, SNW_SUBJECT_MARKER_DIAMETER, 0);
    take_length(subject, SNW_SUBJECT_INTER_ASIS, 0, mean_distance(model, trial, asis), source);
    double line[2] = {leg_line(model, trial, 0), leg_line(model, trial, 1)};
    double legs = (line[0] > 0) + (line[1] > 0);
    for (int side = 0; side < SNW_SIDES; side++) {
        subject_pair knee = {SNW_GAIT_MARKER_KNE, SNW_GAIT_MARKER_KNM, side, side};
        subject_pair ankle = {SNW_GAIT_MARKER_ANK, SNW_GAIT_MARKER_MED, side, side};
        take_length(subject, SNW_SUBJECT_KNEE_WIDTH, side,
                    mean_distance(model, trial, knee) - diameter, source);
        take_length(subject, SNW_SUBJECT_ANKLE_WIDTH, side,
                    mean_distance(model, trial, ankle) - diameter, source);
        /* Legs differ by less than the estimate is off: one length for both. */
        if (legs > 0)
            take_length(subject, SNW_SUBJECT_LEG_LENGTH, side,
                        SNW__LEG_OF_MARKERS * (line[0] + line[1]) / legs, SNW_SUBJECT_ESTIMATED);
    }
}

static void assume_lengths(snw_subject *subject)
{
    for (int side = 0; side < SNW_SIDES; side++) {
        double leg = snw__subject(subject, SNW_SUBJECT_LEG_LENGTH, side);
        take_length(subject, SNW_SUBJECT_ASIS_TROCHANTER, side,
                    SNW__TROCHANTER_SLOPE * leg + SNW__TROCHANTER_BASE, SNW_SUBJECT_ESTIMATED);
        take_length(subject, SNW_SUBJECT_KNEE_WIDTH, side, SNW__LEG_KNEE_WIDTH * leg,
                    SNW_SUBJECT_ASSUMED);
        take_length(subject, SNW_SUBJECT_ANKLE_WIDTH, side, SNW__LEG_ANKLE_WIDTH * leg,
                    SNW_SUBJECT_ASSUMED);
        take_length(subject, SNW_SUBJECT_SHOULDER_OFFSET, side, SNW__SHOULDER_OFFSET,
                    SNW_SUBJECT_ASSUMED);
        take_length(subject, SNW_SUBJECT_ELBOW_WIDTH, side, SNW__ELBOW_WIDTH, SNW_SUBJECT_ASSUMED);
        take_length(subject, SNW_SUBJECT_WRIST_WIDTH, side, SNW__WRIST_WIDTH, SNW_SUBJECT_ASSUMED);
        take_length(subject, SNW_SUBJECT_HAND_THICKNESS, side, SNW__HAND_THICKNESS,
                    SNW_SUBJECT_ASSUMED);
    }
}

static void assume_angles(snw_subject *subject)
{
    static const snw_subject_parameter angle[] = {
        SNW_SUBJECT_THIGH_ROTATION,         SNW_SUBJECT_SHANK_ROTATION,
        SNW_SUBJECT_TIBIAL_TORSION,         SNW_SUBJECT_ANKLE_ABDUCTION,
        SNW_SUBJECT_STATIC_PLANTAR_FLEXION, SNW_SUBJECT_STATIC_ROTATION};
    for (size_t n = 0; n < sizeof angle / sizeof *angle; n++)
        for (int side = 0; side < SNW_SIDES; side++)
            snw__subject_take(subject, angle[n], side, 0, SNW_SUBJECT_ASSUMED);
}

/* ---- the lab's up --------------------------------------------------------------------------- */

/* As the file says; else the axis that is nearest to ankles - pelvis. */
static snw_vec3 find_up(const snw_gait_model *model, const snw_trial *trial)
{
    snw_vec3 sum = {0, 0, 0};
    if (trial->up != SNW_UP_UNKNOWN) return snw_up_direction(trial->up);
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_vec3 high, low;
        for (int side = 0; side < SNW_SIDES; side++)
            if (snw__gait_place(model, &frame, SNW_GAIT_MARKER_ASI, side, &high) &&
                snw__gait_place(model, &frame, SNW_GAIT_MARKER_ANK, side, &low))
                sum = snw_vec3_add(sum, snw_vec3_sub(high, low));
    }
    snw_up_axis up = snw_up_nearest(sum);
    return snw_up_direction(up == SNW_UP_UNKNOWN ? SNW_UP_Z : up);
}

/* ---- all together --------------------------------------------------------------------------- */

static void note_sources(const snw_gait_model *model, snw_notes *notes)
{
    const snw_subject *subject = &model->subject;
    static const snw_subject_parameter told[] = {
        SNW_SUBJECT_LEG_LENGTH, SNW_SUBJECT_KNEE_WIDTH, SNW_SUBJECT_ANKLE_WIDTH,
        SNW_SUBJECT_STATIC_PLANTAR_FLEXION, SNW_SUBJECT_THIGH_ROTATION};
    char lengths[160] = "", *end = lengths + sizeof lengths, *at = lengths;
    for (int n = 0; n < 3; n++)
        if (subject->source[told[n]][0] <= SNW_SUBJECT_ESTIMATED)
            at +=
                snw_format(at, (size_t)(end - at), "%s%s %.0f mm", at > lengths ? ", " : "",
                           snw_subject_parameter_name(told[n]), 1000 * subject->value[told[n]][0]);
    if (at > lengths)
        snw__note(notes, SNW_NOTE_SUBJECT_ASSUMED, SNW__NOWHERE,
                  "not measured, taken from the markers and proportions: %s", lengths);
    if (subject->source[told[3]][0] == SNW_SUBJECT_ESTIMATED)
        snw__note(notes, SNW_NOTE_SUBJECT_ASSUMED, SNW__NOWHERE,
                  "no static trial: the foot's zero is where the sole lies on the floor in stance "
                  "(plantar flexion offset %.1f and %.1f degrees)",
                  snw_degrees(subject->value[told[3]][0]), snw_degrees(subject->value[told[3]][1]));
    else if (subject->source[told[3]][0] <= SNW_SUBJECT_ASSUMED)
        snw__note(notes, SNW_NOTE_SUBJECT_ASSUMED, SNW__NOWHERE,
                  "no static trial: the foot's offset is not known, the ankle's "
                  "flexion has no anatomical zero");
    bool has_axis = model->is_medial_used && model->markers.at[SNW_GAIT_MARKER_KNM][0] >= 0;
    if (subject->source[told[4]][0] <= SNW_SUBJECT_ASSUMED && !has_axis)
        snw__note(notes, SNW_NOTE_SUBJECT_ASSUMED, SNW__NOWHERE,
                  "no knee axis in file or static trial: the thigh's wand says where it is");
}

/* Says it where the static is another person's: the mean of the bones' differences is more than
 * skin explains. */
static void compare_people(const snw_gait_model *model, const snw_trial *trial,
                           const snw_gait_model *standing, const snw_trial *still, snw_notes *notes)
{
    static const struct {
        const char *name;
        subject_pair pair;
    } bone[] = {
        {"left shank", {SNW_GAIT_MARKER_KNE, SNW_GAIT_MARKER_ANK, 0, 0}},
        {"right shank", {SNW_GAIT_MARKER_KNE, SNW_GAIT_MARKER_ANK, 1, 1}},
        {"pelvis", {SNW_GAIT_MARKER_ASI, SNW_GAIT_MARKER_ASI, 0, 1}},
        {"left foot", {SNW_GAIT_MARKER_HEE, SNW_GAIT_MARKER_TOE, 0, 0}},
        {"right foot", {SNW_GAIT_MARKER_HEE, SNW_GAIT_MARKER_TOE, 1, 1}},
    };
    double sum = 0, most = 0, here = 0, there = 0;
    int count = 0, worst = 0;
    for (int n = 0; n < 5; n++) {
        double a = mean_distance(model, trial, bone[n].pair);
        double b = mean_distance(standing, still, bone[n].pair);
        if (!(a > 0) || !(b > 0)) continue;
        double off = fabs(a - b) / fmax(a, b);
        sum += off;
        count++;
        if (off <= most) continue;
        most = off;
        worst = n;
        here = a;
        there = b;
    }
    if (count && sum > PERSON_SAME * count)
        snw__note(
            notes, SNW_NOTE_STATIC_OF_ANOTHER, SNW__NOWHERE,
            "the static looks like another person's: its bones differ by %.0f %% (%s %.0f mm, "
            "in the static %.0f)",
            100 * sum / count, bone[worst].name, 1000 * here, 1000 * there);
}

/* Markers and lengths of a trial, with the parameters that are known so far. */
static void begin_model(const snw_trial *trial, const snw_gait_markers *markers,
                        const snw_gait_options *options, const snw_subject *subject,
                        snw_gait_model *out)
{
    memset(out, 0, sizeof *out);
    if (markers)
        out->markers = *markers;
    else
        snw_gait_markers_find(trial, &out->markers);
    out->subject = *subject;
    out->hip = options->hip;
    out->is_medial_used = options->is_medial_used;
    if (options->functional) out->functional = *options->functional;
    out->up = find_up(out, trial);
    double sum = 0;
    int count = 0;
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_vec3 asi[2], back[2];
        bool has_back = (snw__gait_place(out, &frame, SNW_GAIT_MARKER_PSI, 0, &back[0]) &&
                         snw__gait_place(out, &frame, SNW_GAIT_MARKER_PSI, 1, &back[1]));
        if (!has_back && snw__gait_place(out, &frame, SNW_GAIT_MARKER_SACR, 0, &back[0])) {
            back[1] = back[0];
            has_back = true;
        }
        if (!has_back || !snw__gait_place(out, &frame, SNW_GAIT_MARKER_ASI, 0, &asi[0]) ||
            !snw__gait_place(out, &frame, SNW_GAIT_MARKER_ASI, 1, &asi[1]))
            continue;
        sum += snw_vec3_distance(snw_vec3_lerp(asi[0], asi[1], 0.5),
                                 snw_vec3_lerp(back[0], back[1], 0.5));
        count++;
    }
    out->pelvis_depth = count ? sum / count : 0;
}

snw_status snw_gait_model_make(const snw_trial *trial, const snw_trial *still,
                               const snw_gait_options *options, snw_gait_model *out,
                               snw_notes *notes, snw_error *error)
{
    snw_gait_options normal = snw_gait_options_default();
    if (SNW__WANTS_DEFAULTS(options)) options = &normal;
    snw_subject subject = options->subject;
    for (int side = 0; side < SNW_SIDES; side++)
        if (options->functional && options->functional->has_knee[side])
            snw__subject_take(&subject, SNW_SUBJECT_THIGH_ROTATION, side,
                              options->functional->thigh_rotation[side], SNW_SUBJECT_GIVEN);
    snw_subject_read(&subject, trial, SNW_SUBJECT_FROM_FILE, notes);
    const snw_subject kept = subject;
    if (still) snw_subject_read(&subject, still, SNW_SUBJECT_FROM_STATIC, notes);
    take_length(&subject, SNW_SUBJECT_MARKER_DIAMETER, 0, SNW__MARKER_DIAMETER,
                SNW_SUBJECT_ASSUMED);
    begin_model(trial, options->markers, options, &subject, out);
    if (!snw_gait_markers_suffice(&out->markers))
        return snw__fail(error, SNW_NOT_FOUND,
                         "the markers of pelvis (ASI, PSI or SACR) and legs (KNE, ANK) of the "
                         "conventional gait model are not all there");
    if (!(out->pelvis_depth > 0))
        return snw__fail(error, SNW_DEGENERATE, "no frame shows all markers of the pelvis");
    snw_gait_model standing;
    if (still) {
        begin_model(still, NULL, options, &subject, &standing);
        lengths_of(&standing, still, SNW_SUBJECT_FROM_STATIC, &subject);
        if (!snw_gait_markers_suffice(&standing.markers))
            snw__note(notes, SNW_NOTE_STATIC_DIFFERS, SNW__NOWHERE,
                      "the static does not show pelvis and legs: it gives no anatomical zero");
        compare_people(out, trial, &standing, still, notes);
    }
    lengths_of(out, trial, SNW_SUBJECT_ESTIMATED, &subject);
    assume_lengths(&subject);
    out->subject = subject;
    if (still) {
        standing.subject = subject;
        snw__gait_static(&standing, still, !options->is_foot_tilted, &subject);
        out->subject = subject;
    }
    if (!options->is_medial_used) {
        snw__gait_axes_of(out, trial, &subject);
        out->subject = subject;
    }
    snw__gait_flat_foot(out, trial, &subject);
    assume_angles(&subject);
    out->subject = subject;
    note_sources(out, notes);
    snw__subject_note_changes(&kept, &subject, notes);
    snw__subject_note_odd(&subject, notes);
    return snw__succeed(error);
}
