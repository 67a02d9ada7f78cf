/* Hips and knee axes from functional trials.
 *
 *     hip    the point that stays where it is in pelvis and thigh: SCoRE (Ehrig et al. 2006); or,
 *            where that is surer or the thigh has less than three markers, the middle of the
 *            spheres that they move on, the minimum variance method with its bias taken out
 *            (sinew/center.h)
 *     knee   the axis that stays in thigh and shank: SARA (Ehrig et al. 2007). It enters the gait
 *            model as the rotation between the thigh's wand and that axis, about the line from the
 *            knee's centre to the hip; since the centre follows from the rotation, it is found in
 *            rounds
 *
 * A hip whose place the motion leaves open in any direction, and a knee that is no hinge, are not
 * taken. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/notes.h"
#include "person/regressions.h"
#include "subject/gait.h"

#include <sinew/center.h>
#include <sinew/functional.h>
#include <sinew/segment.h>

/* Constants.
 *     FUNCTIONAL_ROUNDS  each leaves a tenth of the error in the thigh's rotation: the centre lies
 *                        a knee's radius off the wand's plane, a tenth of the thigh
 *     FUNCTIONAL_HIP     metres; a hip that is less certain is not taken: Harrington's regression
 * is surer STILL_WAY          metres, rms about the mean place. Standing people sway by a
 * centimetre; statics at hand have 0.1 to 5 mm, walks and functional trials above 100 */
#define FUNCTIONAL_ROUNDS  8
#define FUNCTIONAL_HIP     (SNW__HIP_HARRINGTON_ERROR + SNW__HIP_HARRINGTON_DEVIATION)
#define FUNCTIONAL_MARKERS SNW_CENTER_MARKERS_MAX
#define STILL_WAY          0.02

typedef struct functional_job {
    const snw_trial *trial;
    const snw_segments *segments;
    snw_gait_model model;
    snw_functional *out;
    snw_notes *notes;
    snw_error error; /* why the last joint has no answer */
} functional_job;

static const char *const functional_side[2] = {"left", "right"};

/* Markers on a part. Those at the joint itself (trochanter, epicondyles), where skin slides most,
 * are left out where three others remain. */
static int markers_of(const functional_job *job, snw_part part, snw_part joint, int side,
                      int *marker)
{
    const snw_segments *segments = job->segments;
    snw_side wanted = part == SNW_PART_HIPS ? SNW_SIDE_NONE : (snw_side)side;
    int count = 0;
    for (int m = 0; m < segments->marker_count && count < FUNCTIONAL_MARKERS; m++) {
        snw_side found = SNW_SIDE_NONE;
        int at = segments->segment_of[m];
        if (at < 0 || snw_part_read(segments->segment[at].name, &found) != part || found != wanted)
            continue;
        if (joint == SNW_PART_NONE || !segments->label || segments->label[m].joint != joint)
            marker[count++] = m;
    }
    return count >= 3 || joint == SNW_PART_NONE
               ? count
               : markers_of(job, part, SNW_PART_NONE, side, marker);
}

/* The joint between two parts, by the method that is surer of its centre: SCoRE, or the child's
 * markers alone. NULL: no answer; the error says why. */
static snw_joint_view *solve_joint(functional_job *job, snw_part parent, snw_part child, int side,
                                   snw_center *out)
{
    int marker[2][FUNCTIONAL_MARKERS];
    snw_marker_list lists[2] = {{marker[0], markers_of(job, parent, child, side, marker[0])},
                                {marker[1], markers_of(job, child, child, side, marker[1])}};
    snw_joint_view *view = NULL;
    snw_center by_markers;
    if (snw_joint_view_create(job->trial, lists, NULL, &view, &job->error) != SNW_OK) return NULL;
    bool has_both =
        view->data.world_from_child &&
        snw_center_solve(&view->data, SNW_CENTER_TWO_SIDED, NULL, out, &job->error) == SNW_OK;
    bool is_knee = child == SNW_PART_LEG; /* whose axis is asked for, which markers do not tell */
    if (has_both && is_knee) return view;
    bool has_markers =
        snw_center_solve(&view->data, SNW_CENTER_MVM, NULL, &by_markers, &job->error) == SNW_OK;
    bool is_surer = has_markers && by_markers.undetermined == 0 &&
                    (!has_both || out->undetermined > 0 || by_markers.sigma < out->sigma);
    if (is_surer || !has_both) *out = by_markers;
    if (has_both || has_markers) return view;
    snw_joint_view_destroy(view);
    return NULL;
}

static bool has_parent(const snw_joint_view *view, int f)
{
    return !view->data.parent_is_valid || view->data.parent_is_valid[f];
}

/* ---- hips ------------------------------------------------------------------------------------ */

static bool take_hip(functional_job *job, int side)
{
    snw_center center;
    snw_vec3 sum = {0, 0, 0};
    int count = 0;
    snw_joint_view *view = solve_joint(job, SNW_PART_HIPS, SNW_PART_UPLEG, side, &center);
    if (!view) return false;
    bool is_known = center.undetermined == 0 && center.sigma <= FUNCTIONAL_HIP;
    for (int f = 0; f < job->trial->frame_count && is_known; f++) {
        snw_frame frame = snw_trial_frame(job->trial, f);
        snw_gait_pose pose;
        if (!has_parent(view, f)) continue;
        snw_gait_model_pose(&job->model, &frame, &pose);
        if (!pose.has_segment[SNW_SEGMENT_PELVIS][0]) continue;
        snw_vec3 world = snw_xform_point(view->data.world_from_parent[f], center.in_parent);
        sum = snw_vec3_add(
            sum, snw_xform_unpoint(pose.world_from_segment[SNW_SEGMENT_PELVIS][0], world));
        count++;
    }
    snw_joint_view_destroy(view);
    if (count == 0) {
        char verdict[SNW_VERDICT_SIZE];
        snw__fail(&job->error, SNW_DEGENERATE, "%s hip: %s", functional_side[side],
                  snw_center_verdict(&center, verdict));
        return false;
    }
    snw_functional *out = job->out;
    if (out->has_hip[side] && out->hip_sigma[side] <= center.sigma) return true;
    out->has_hip[side] = true;
    out->hip[side] = snw_vec3_scale(sum, 1.0 / count);
    out->hip_sigma[side] = center.sigma;
    snw__note(job->notes, SNW_NOTE_FUNCTIONAL, SNW__NOWHERE,
              "%s hip by its motion (%s): %.0f, %.0f, %.0f mm before, left of and above the middle "
              "of the "
              "ASIS, certain to %.1f mm",
              functional_side[side],
              center.method == SNW_CENTER_TWO_SIDED ? "SCoRE" : "spheres of the thigh's markers",
              1000 * out->hip[side].x, 1000 * out->hip[side].y, 1000 * out->hip[side].z,
              1000 * center.sigma);
    return true;
}

/* ---- knees ----------------------------------------------------------------------------------- */

/* Mean rotation from the wand to the axis, with the centre that the model has now; false: no frame
 * tells. */
static bool mean_rotation(const functional_job *job, const snw_joint_view *view, snw_vec3 axis,
                          int side, double *out)
{
    double sine = 0, cosine = 0, outward = snw__gait_outward(side);
    for (int f = 0; f < job->trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(job->trial, f);
        snw_gait_pose pose;
        snw_vec3 wand;
        if (!has_parent(view, f)) continue;
        snw_gait_model_pose(&job->model, &frame, &pose);
        if (!pose.has_center[SNW_GAIT_CENTER_KNEE][side] ||
            !snw__gait_place(&job->model, &frame, SNW_GAIT_MARKER_THI, side, &wand))
            continue;
        snw_vec3 knee = pose.center[SNW_GAIT_CENTER_KNEE][side];
        snw_vec3 up = snw_vec3_unit(snw_vec3_sub(pose.center[SNW_GAIT_CENTER_HIP][side], knee),
                                    snw_vec3_make(0, 0, 1));
        snw_vec3 world = snw_quat_rotate(view->data.world_from_parent[f].rotation, axis);
        snw_vec3 marker;
        if (!snw__gait_place(&job->model, &frame, SNW_GAIT_MARKER_KNE, side, &marker)) continue;
        if (snw_vec3_dot(world, snw_vec3_sub(marker, knee)) < 0) world = snw_vec3_neg(world);
        double angle = -outward * snw__angle_about(up, snw_vec3_sub(wand, knee), world);
        sine += snw__sin(angle);
        cosine += snw__cos(angle);
    }
    *out = snw__atan2(sine, cosine);
    return sine * sine + cosine * cosine > 0;
}

static bool take_knee(functional_job *job, int side)
{
    snw_center center;
    double rotation = 0;
    snw_joint_view *view = solve_joint(job, SNW_PART_UPLEG, SNW_PART_LEG, side, &center);
    if (!view) return false;
    bool is_known = center.method == SNW_CENTER_TWO_SIDED && center.motion != SNW_JOINT_FIXED &&
                    center.axis_sigma < SNW_PI;
    for (int n = 0; n < FUNCTIONAL_ROUNDS && is_known; n++) {
        is_known = mean_rotation(job, view, center.axis_in_parent, side, &rotation);
        job->model.subject.value[SNW_SUBJECT_THIGH_ROTATION][side] = rotation;
    }
    snw_joint_view_destroy(view);
    if (!is_known) {
        char verdict[SNW_VERDICT_SIZE];
        bool has_wand = job->model.markers.at[SNW_GAIT_MARKER_THI][side] >= 0;
        snw__fail(&job->error, SNW_DEGENERATE, "%s knee: %s", functional_side[side],
                  has_wand ? snw_center_verdict(&center, verdict)
                           : "the thigh has no wand (THI) against which its axis could be told");
        return false;
    }
    snw_functional *out = job->out;
    if (out->has_knee[side] && out->knee_sigma[side] <= center.axis_sigma) return true;
    out->has_knee[side] = true;
    out->thigh_rotation[side] = rotation;
    out->knee_sigma[side] = center.axis_sigma;
    snw__note(job->notes, SNW_NOTE_FUNCTIONAL, SNW__NOWHERE,
              "%s knee's axis by its motion: %.1f degrees from the thigh's wand, certain to %.1f",
              functional_side[side], snw_degrees(rotation), snw_degrees(center.axis_sigma));
    return true;
}

/* ---- a trial --------------------------------------------------------------------------------- */

snw_status snw_functional_add(snw_functional *functional, const snw_trial *trial, snw_notes *notes,
                              snw_error *error)
{
    functional_job job = {.trial = trial, .out = functional, .notes = notes};
    snw_segments *segments = NULL;
    bool is_any = false, has_memory = true;
    snw_status status = snw_gait_model_make(trial, NULL, NULL, &job.model, NULL, error);
    if (status == SNW_OK) status = snw_segments_find(trial, NULL, NULL, &segments, NULL, error);
    if (status != SNW_OK) return status;
    job.segments = segments;
    for (int side = 0; side < SNW_SIDES; side++) {
        bool has_hip = take_hip(&job, side);
        has_memory &= job.error.status != SNW_OUT_OF_MEMORY;
        if (has_hip) job.model.functional = *functional;
        bool has_knee = take_knee(&job, side);
        is_any |= has_hip || has_knee;
        has_memory &= job.error.status != SNW_OUT_OF_MEMORY;
    }
    snw_segments_destroy(segments);
    if (!has_memory) return snw__fail(error, SNW_OUT_OF_MEMORY, "no memory for a joint's motion");
    if (!is_any)
        return snw__fail(error, SNW_DEGENERATE, "no joint moves enough: %s", job.error.message);
    return snw__succeed(error);
}

/* ---- standing -------------------------------------------------------------------------------- */

static bool says_static(const snw_trial *trial)
{
    const snw_parameter *said = snw_trial_find_parameter(trial, "SUBJECTS", "IS_STATIC");
    if (!said || said->byte_count < 1) return false;
    if (said->type == SNW_PARAMETER_BYTE) return *(const int8_t *)said->data > 0;
    return said->type == SNW_PARAMETER_INT16 && said->byte_count >= 2 &&
           *(const int16_t *)said->data > 0;
}

/* rms distance from the mean place; NaN: never seen. */
static double way_of(const snw_trial *trial, int marker)
{
    snw_vec3 sum = {0, 0, 0};
    double square = 0;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        snw_vec3 mean = snw_vec3_scale(sum, count ? 1.0 / count : 0);
        for (int f = 0; f < trial->frame_count; f++) {
            if (!snw_trial_is_present(trial, f, marker)) continue;
            snw_vec3 place = snw_trial_position(trial, f, marker);
            if (pass == 0) sum = snw_vec3_add(sum, place);
            if (pass == 0) count++;
            if (pass == 1) square += snw_vec3_length2(snw_vec3_sub(place, mean));
        }
    }
    return count ? sqrt(square / count) : NAN;
}

bool snw_trial_is_still(const snw_trial *trial)
{
    static const snw_gait_marker looked[] = {SNW_GAIT_MARKER_ASI, SNW_GAIT_MARKER_PSI,
                                             SNW_GAIT_MARKER_ANK, SNW_GAIT_MARKER_HEE,
                                             SNW_GAIT_MARKER_TOE};
    snw_gait_markers markers;
    int seen = 0;
    if (says_static(trial)) return true;
    snw_gait_markers_find(trial, &markers);
    for (size_t n = 0; n < sizeof looked / sizeof *looked; n++)
        for (int side = 0; side < SNW_SIDES; side++) {
            int at = markers.at[looked[n]][side];
            double way = at >= 0 ? way_of(trial, at) : NAN;
            if (way > STILL_WAY) return false;
            seen += way <= STILL_WAY;
        }
    return seen > 0;
}
