/* The conventional gait model in the whole-body fit.
 *
 * Laboratories place hips, knees and ankles by regression and chords (subject/gait_model.c). Here
 * that is one more observation: in every frame the model's centre is expressed in the frames of
 * both bones that meet there, and the means over the frames are expected with a standard deviation.
 * The child's side counts too: what the shank's markers say of the knee must not pull the thigh
 * round.
 *
 * Two regressions place the hip. Davis' knows the leg's length, Harrington's the depth of the
 * pelvis; against each other they err by 17 to 38 mm on captures of four laboratories. The expected
 * place lies between them. */
#include "calibrate/gait_prior.h"

#include <string.h>

#include "label/label_grammar.h"

/* Share of Davis' regression in the hip: leg length decides the hip's height, where the two differ
 * most. */
#define GAIT_PRIOR_DAVIS 0.8
/* Metres, standard deviations in the fit. The motion of skin pulls functional centres of walking
 * people by 20 mm and more, always the same way, so that many frames do not help: anatomy must be
 * the firmer of the two (measured on four walks whose files carry centres, docs/see-figures.md). */
#define GAIT_PRIOR_HIP   0.005
#define GAIT_PRIOR_KNEE  0.003
#define GAIT_PRIOR_ANKLE 0.003
/* Metres. What such centres are known to be off by, for the verdict: regressions against imaging 10
 * to 15 mm in all, 8 in a direction (Harrington 2007; Sangeux 2011); a wand is placed to 10
 * degrees of 60 mm. */
#define GAIT_ERROR_HIP   0.008
#define GAIT_ERROR_KNEE  0.008
#define GAIT_ERROR_ANKLE 0.006
/* Frames that must show a centre. */
#define GAIT_PRIOR_FRAMES 1

/* With the marker that the centre lies beside: it moves with it. */
static const struct {
    snw_part part;
    double deviation; /* in the fit */
    double error;     /* for the verdict */
    snw__landmark marker;
} gait_prior_rows[SNW_GAIT_CENTER_COUNT] = {
    [SNW_GAIT_CENTER_HIP] = {SNW_PART_UPLEG, GAIT_PRIOR_HIP, GAIT_ERROR_HIP, SNW__LANDMARK_NONE},
    [SNW_GAIT_CENTER_KNEE] = {SNW_PART_LEG, GAIT_PRIOR_KNEE, GAIT_ERROR_KNEE, SNW__LANDMARK_KNE},
    [SNW_GAIT_CENTER_ANKLE] = {SNW_PART_FOOT, GAIT_PRIOR_ANKLE, GAIT_ERROR_ANKLE,
                               SNW__LANDMARK_ANK},
};

/* ---- markers ------------------------------------------------------------------------------ */

/* The marker that the labels put where `name` sits. */
static int find_like(const snw_label *labels, int marker_count, const char *name)
{
    snw_label like = snw_label_read(name);
    for (int m = 0; like.landmark >= 0 && m < marker_count; m++)
        if (labels[m].landmark == like.landmark && labels[m].side == like.side) return m;
    return -1;
}

/* Where labels were corrected, the model follows them. */
static void follow_labels(snw_gait_markers *markers, const snw_trial *trial,
                          const snw_label *labels)
{
    for (int k = 0; k < SNW_GAIT_MARKER_COUNT; k++)
        for (int side = 0; side < SNW_GAIT_SIDES; side++) {
            int at = markers->at[k][side];
            if (at >= 0 && labels[at].landmark >= 0)
                markers->at[k][side] =
                    find_like(labels, trial->marker_count, trial->marker[at].name);
        }
}

/* Was the subject measured and marked for this model? The same labels are used by studios that put
 * a thigh's marker anywhere: there the wand says nothing. A laboratory leaves its calipers' widths
 * in the file, or the model's results. */
static bool is_of_laboratory(const snw_gait_model *model, const snw_trial *trial)
{
    static const char *const results[] = {"LFEO", "RFEO", "LKneeAngles", "RKneeAngles"};
    for (int side = 0; side < SNW_GAIT_SIDES; side++)
        if (model->subject.source[SNW_SUBJECT_KNEE_WIDTH][side] >= SNW_SUBJECT_FROM_STATIC)
            return true;
    for (int m = 0; m < trial->marker_count; m++)
        for (size_t k = 0; k < sizeof results / sizeof *results; k++)
            if (strcmp(snw__bare_label(trial->marker[m].name), results[k]) == 0) return true;
    return false;
}

void snw__gait_prior_begin(snw__gait_prior *prior, const snw_trial *trial, const snw_label *labels)
{
    memset(prior, 0, sizeof *prior);
    snw_gait_options options = snw_gait_options_default();
    options.hip = SNW_HIP_BY_DAVIS;
    prior->has_model =
        snw_gait_model_make(trial, NULL, &options, &prior->davis, NULL, NULL) == SNW_OK;
    options.hip = SNW_HIP_BY_HARRINGTON;
    prior->has_model =
        prior->has_model &&
        snw_gait_model_make(trial, NULL, &options, &prior->harrington, NULL, NULL) == SNW_OK;
    prior->has_model = prior->has_model && is_of_laboratory(&prior->davis, trial);
    if (!prior->has_model) return;
    follow_labels(&prior->davis.markers, trial, labels);
    prior->harrington.markers = prior->davis.markers;
}

/* ---- frames ------------------------------------------------------------------------------- */

void snw__gait_prior_clear(snw__gait_prior *prior, const snw_actor *actor)
{
    const snw_skeleton *body = actor->skeleton;
    for (int k = 0; k < SNW_GAIT_CENTER_COUNT; k++)
        for (int side = 0; side < SNW_GAIT_SIDES; side++) {
            snw__gait_prior_place *place = &prior->place[k][side];
            memset(place, 0, sizeof *place);
            place->joint = -1;
            const char *name = snw_part_name(
                gait_prior_rows[k].part, side == SNW_GAIT_LEFT ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT);
            for (int j = 1; j < body->joint_count; j++)
                if (strcmp(snw__bare_label(body->name[j]), name) == 0) place->joint = j;
        }
}

void snw__gait_prior_look(snw__gait_prior *prior, const snw_frame *frame, const snw_pose *pose)
{
    snw_gait_pose davis, harrington;
    if (!prior->has_model) return;
    snw_gait_model_pose(&prior->davis, frame, &davis);
    snw_gait_model_pose(&prior->harrington, frame, &harrington);
    for (int k = 0; k < SNW_GAIT_CENTER_COUNT; k++)
        for (int side = 0; side < SNW_GAIT_SIDES; side++) {
            snw__gait_prior_place *place = &prior->place[k][side];
            if (place->joint < 0 || !davis.has_center[k][side]) continue;
            snw_vec3 center = davis.center[k][side];
            if (k == SNW_GAIT_CENTER_HIP && harrington.has_center[k][side])
                center = snw_vec3_lerp(harrington.center[k][side], center, GAIT_PRIOR_DAVIS);
            int parent = pose->skeleton->parent[place->joint];
            snw_vec3 at = snw_xform_unpoint(pose->world[parent], center);
            if (!snw_vec3_is_finite(at)) continue;
            place->count++;
            place->in_parent = snw_vec3_add(place->in_parent, at);
            place->square += snw_vec3_length2(at);
            at = snw_xform_unpoint(pose->world[place->joint], center);
            place->in_child = snw_vec3_add(place->in_child, at);
        }
}

/* ---- expectations ------------------------------------------------------------------------- */

/* What the frames disagree by counts too: a centre that wanders in its bone is known less. */
static snw__joint_prior prior_of(const snw__gait_prior_place *place, const snw_actor *actor,
                                 double deviation)
{
    snw__joint_prior prior;
    memset(&prior, 0, sizeof prior);
    snw_vec3 mean = snw_vec3_scale(place->in_parent, 1.0 / place->count);
    double wander2 = fmax(0, place->square / place->count - snw_vec3_length2(mean)) / 3;
    prior.has_child = true;
    prior.in_child = snw_vec3_scale(place->in_child, 1.0 / place->count);
    prior.joint = place->joint;
    prior.off = snw_vec3_sub(mean, actor->skeleton->rest[place->joint].translation);
    for (int i = 0; i < 3; i++)
        prior.information.m[i][i] = 1 / (deviation * deviation + wander2);
    return prior;
}

int snw__gait_prior_add(const snw__gait_prior *prior, const snw__anatomy *anatomy,
                        snw__joint_prior *out, int count)
{
    const snw_actor *actor = anatomy->actor;
    for (int k = 0; prior->has_model && k < SNW_GAIT_CENTER_COUNT; k++)
        for (int side = 0; side < SNW_GAIT_SIDES; side++) {
            const snw__gait_prior_place *place = &prior->place[k][side];
            if (place->joint < 0 || place->count < GAIT_PRIOR_FRAMES) continue;
            int at = 0;
            while (at < count && out[at].joint != place->joint)
                at++;
            if (at < count && out[at].marker_count >= 2) continue;
            out[at] = prior_of(place, actor, gait_prior_rows[k].deviation);
            out[at].extent = gait_prior_rows[k].error;
            int marker = snw__anatomy_marker(
                anatomy, actor->skeleton->parent[place->joint], gait_prior_rows[k].marker,
                side == SNW_GAIT_LEFT ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT);
            if (marker >= 0) out[at].marker[out[at].marker_count++] = marker;
            count += at == count;
        }
    return count;
}
