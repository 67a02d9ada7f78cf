/* One frame of markers in, one pose out.
 *
 * A step has two parts: a first guess (first_guess.c), then all joints and the root together onto
 * the markers (whole_body.c). Joints are drawn to their last rotations as firmly as their markers
 * rested, so that of two answers the body takes the one where it was. Where markers are off in the
 * answer, the guess from the markers alone is tried too; where all of them vary more than the
 * calibration saw, more noise is believed (excess_noise.c). What no marker holds keeps its last
 * rotation. Live, what jumps though its markers do not is led there (live_continuity.c). */
#include <string.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "person/movement.h"
#include "rigid/sampling.h"
#include "track/excess_noise.h"
#include "track/track_constants.h"
#include "track/tracker.h"
#include "track/tracker_state.h"

snw_tracker_options snw_tracker_options_default(void)
{
    snw_tracker_options options = {.iteration_max = 8,
                                   .tolerance = 1e-5,
                                   .outlier_scale = 6,
                                   .is_adaptive = true,
                                   .is_continuous = true};
    return options;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Standard deviation of a sample beyond the marker's own noise, metres. */
static double stated_uncertainty(const snw_frame *frame, int source)
{
    double stated = frame->uncertainty ? (double)frame->uncertainty[source] : 0;
    if (stated > 0 && stated < HUGE_VAL) return stated;
    return frame->state[source] == SNW_SAMPLE_MEASURED ? 0 : TRACKER_UNSTATED;
}

/* The observation model: a sample varies by its marker's noise in the calibration, by how much more
 * markers vary in this trial (excess_noise.h), and by what its state and stated uncertainty say,
 * all independent. Weight and outlier bound follow from the sum of variances. */
static void observe(snw_tracker *tracker, const snw_frame *frame, int m)
{
    int source = tracker->source[m];
    double stated = stated_uncertainty(frame, source);
    tracker->seen[m] = snw_frame_position(frame, source);
    tracker->is_measured[m] = frame->state[source] == SNW_SAMPLE_MEASURED;
    tracker->stated2[m] = stated * stated;
}

/* Weights and bounds of the samples under the excess of this trial as it is known now. */
static void weigh_samples(snw_tracker *tracker)
{
    double mean2 = tracker->noise * tracker->noise + tracker->excess2;
    double least = tracker->options.is_continuous ? TRACKER_BOUND_LEAST * tracker->noise : 0;
    double least2 = least * least + tracker->excess2;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        if (tracker->sample_weight[m] == 0) continue;
        double noise = tracker->noise_of[m], own2 = noise * noise + tracker->excess2;
        double share = tracker->stated2[m] > 0 ? own2 / (own2 + tracker->stated2[m]) : 1;
        double sigma = sqrt(fmax(own2, least2));
        tracker->sample_weight[m] = share;
        tracker->mass[m] = mean2 / own2 * share;
        tracker->bound[m] = tracker->options.outlier_scale * sigma / sqrt(share);
    }
}

static void gather(snw_tracker *tracker, const snw_frame *frame, snw_track *track)
{
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        int source = tracker->source[m];
        tracker->sample_weight[m] = 0;
        tracker->is_measured[m] = false;
        if (source < 0 || source >= frame->marker_count || !snw__sample_is_usable(frame, source))
            continue;
        observe(tracker, frame, m);
        tracker->sample_weight[m] = 1;
        track->marker_count++;
        track->measured_count += tracker->is_measured[m];
    }
    weigh_samples(tracker);
}

/* ---- what the frame says -------------------------------------------------------------------- */

static void measure(const snw_tracker *tracker, const snw_pose *pose, snw_track *track)
{
    double sum = 0;
    int used = 0;
    track->outlier_count = 0;
    /* Predictions tell how well a filter works, not how well the body fits. */
    bool has_measured = track->measured_count > 0;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        if (tracker->sample_weight[m] == 0) continue;
        const snw_actor_marker *marker = tracker->actor->marker + m;
        snw_vec3 at = snw_xform_point(pose->world[marker->joint], marker->offset);
        double far = snw_vec3_distance(at, tracker->seen[m]);
        if (far > tracker->bound[m]) {
            track->outlier_count++;
        } else if (tracker->is_measured[m] || !has_measured) {
            sum += far * far;
            used++;
        }
    }
    track->used_count = used;
    track->residual = used > 0 ? sqrt(sum / used) : 0;
}

static bool is_unit(snw_quat rotation)
{
    return fabs(snw_quat_dot(rotation, rotation) - 1) < 1e-6; /* NaN is not */
}

/* Unit rotations, and places whose sums and squares are numbers. */
static bool is_sound(const snw_pose *pose)
{
    const double far = 1e100;
    bool is_good = is_unit(pose->root.rotation) && snw_vec3_length(pose->root.translation) < far;
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        is_good &= is_unit(pose->rotation[j]) && snw_vec3_length(pose->slide[j]) < far;
    return is_good;
}

/* ---- more noise than the calibration saw ----------------------------------------------------- */

static snw__excess_frame excess_frame(const snw_tracker *tracker)
{
    return (snw__excess_frame){.actor = tracker->actor,
                               .first = tracker->first,
                               .noise = tracker->noise,
                               .noise_of = tracker->noise_of,
                               .seen = tracker->seen,
                               .sample_weight = tracker->sample_weight,
                               .is_measured = tracker->is_measured,
                               .work = tracker->work,
                               .from = tracker->from};
}

/* ---- the step ----------------------------------------------------------------------------- */

/* The answer from a guess at the frame. False where there is none. */
static bool solve_from_last(snw_tracker *tracker, snw_track *track)
{
    snw_pose_copy(tracker->pose, tracker->last);
    if (!snw__guess_root(tracker)) return false;
    snw__guess_joints(tracker);
    track->iterations += snw__whole_body_solve(tracker);
    if (snw__whole_body_is_held_back(tracker))
        track->iterations += snw__whole_body_look_beyond(tracker);
    return is_sound(tracker->pose);
}

/* With most markers off, the frame shows something else than this body. */
static bool is_mostly_off(const snw_track *track)
{
    return 2 * track->outlier_count > track->marker_count;
}

static void solve_frame(snw_tracker *tracker, snw_track *track)
{
    track->is_lost = true;
    if (!solve_from_last(tracker, track)) {
        /* A segment is there, and is none of this body's: nothing of the frame counts. */
        if (snw__guess_shows_segment(tracker)) track->outlier_count = track->marker_count;
        return;
    }
    measure(tracker, tracker->pose, track);
    if (tracker->is_warm && track->outlier_count > 0) {
        /* Solves again as if there had been no frame before; that answer stays if it is clearly
         * better. */
        for (int m = 0; m < tracker->actor->marker_count; m++)
            tracker->warm_cost[m] = snw__whole_body_cost(tracker, m);
        snw_pose_copy(tracker->warm, tracker->pose);
        snw__motion_prior_forget(&tracker->prior);
        /* Outliers. By so much all markers but one must be better off before the body leaves the
         * answer where it was for another. */
        bool is_better =
            solve_from_last(tracker, track) &&
            snw__whole_body_gain(tracker, tracker->warm_cost, snw__whole_body_cost) > SNW__NAT;
        if (!is_better) snw_pose_copy(tracker->pose, tracker->warm);
        measure(tracker, tracker->pose, track);
    }
    track->is_lost = is_mostly_off(track);
}

/* Solves again where markers are off because all of them vary more than was known: with what the
 * segments and the residuals show, and while that is not enough with twice as much, up to the most.
 */
static void solve_with_excess(snw_tracker *tracker, snw_track *track)
{
    double known = tracker->excess2, noise2 = tracker->noise * tracker->noise;
    snw__excess_frame frame = excess_frame(tracker);
    double most = snw__excess_most(tracker->actor), shown = snw__excess_of_segments(&frame);
    if (track->used_count > 0) shown = fmax(shown, snw__excess_of_residuals(&frame, tracker->pose));
    if (!track->is_lost && !(shown > SNW__UNUSUAL * known)) return;
    do {
        tracker->excess2 = fmin(fmax(shown, 4 * (tracker->excess2 + noise2)), most);
        weigh_samples(tracker);
        solve_frame(tracker, track);
    } while (track->is_lost && tracker->excess2 < most);
    if (track->is_lost) tracker->excess2 = known;
}

/* tracker->pose of this frame; what it remembers of the frame before stays. */
static snw_track solve_sample(snw_tracker *tracker, const snw_frame *frame)
{
    snw_track track;
    memset(&track, 0, sizeof track);
    track.is_lost = true;
    snw_pose_copy(tracker->last, tracker->pose);
    gather(tracker, frame, &track);
    snw__observability_judge(&tracker->observability, tracker->sample_weight);
    if (track.marker_count >= 3) {
        solve_frame(tracker, &track);
        if (tracker->options.is_adaptive &&
            (track.is_lost || 4 * track.outlier_count > track.marker_count))
            solve_with_excess(tracker, &track);
        if (tracker->options.is_adaptive && !track.is_lost) {
            snw__excess_frame seen = excess_frame(tracker);
            double now = snw__excess_of_residuals(&seen, tracker->pose);
            tracker->excess2 += TRACKER_EXCESS_RATE * (now - tracker->excess2);
        }
    }
    if (track.is_lost) snw_pose_copy(tracker->pose, tracker->last);
    /* Segments of which the frame shows nothing, where there is a style. No marker depends on them.
     */
    const uint8_t *rank = snw__observability_rank(&tracker->observability);
    if (track.is_lost)
        snw__style_segments_miss(&tracker->style);
    else if (snw__style_segments_step(&tracker->style, rank, tracker->stepper, tracker->pose))
        snw_pose_forward(tracker->pose);
    return track;
}

static void remember(snw_tracker *tracker, bool is_lost)
{
    if (tracker->options.is_continuous && !is_lost)
        snw__motion_prior_remember(&tracker->prior);
    else
        snw__motion_prior_forget(&tracker->prior);
    /* A joint is observed by a measured marker on its segment, or on a segment below. */
    const snw_skeleton *body = tracker->actor->skeleton;
    snw_joint_observability *joint = tracker->observability.joint;
    for (int j = 0; j < body->joint_count; j++) {
        joint[j].is_observed = false;
        for (int m = tracker->first[j]; m < tracker->first[j + 1]; m++)
            joint[j].is_observed |= tracker->is_measured[m] && !is_lost;
    }
    for (int j = body->joint_count - 1; j > 0; j--)
        if (joint[j].is_observed) joint[body->parent[j]].is_observed = true;
    tracker->is_lost = is_lost;
    tracker->has_pose |= !is_lost;
}

snw_track snw__tracker_solve(snw_tracker *tracker, const snw_frame *frame, snw_pose *pose)
{
    snw_track track = solve_sample(tracker, frame);
    remember(tracker, track.is_lost);
    snw_pose_copy(pose, tracker->pose);
    return track;
}

/* The pose to put out for tracker->pose: where a joint jumps though its markers do not, with the
 * weights of the frame before. */
static void put_out(snw_tracker *tracker, snw_track *track, snw_pose *out)
{
    snw__live_continuity *live = &tracker->live;
    snw__live_continuity_put(live, tracker->pose, track->is_lost, out);
    if (track->is_lost) return;
    for (int m = 0; m < tracker->actor->marker_count; m++)
        tracker->cost[m] = tracker->goal[m].weight; /* as solved; cost is not needed any more */
    double jump = snw__live_continuity_jump(live, out);
    if (jump > 0) {
        snw_pose_copy(tracker->warm, tracker->pose);
        track->iterations += snw__whole_body_keep(tracker);
        snw_pose_copy(tracker->held, tracker->pose);
        snw_pose_copy(tracker->pose, tracker->warm);
        if (is_sound(tracker->held))
            snw__live_continuity_begin(live, tracker->pose, jump, tracker->held, out);
    }
    if (live->rate > 0) measure(tracker, out, track);
    memcpy(live->weight, tracker->cost, (size_t)tracker->actor->marker_count * sizeof(double));
    snw__live_continuity_remember(live, out);
}

snw_track snw_tracker_step(snw_tracker *tracker, const snw_frame *frame, snw_pose *pose)
{
    if (!tracker->options.is_continuous) return snw__tracker_solve(tracker, frame, pose);
    snw_track track = solve_sample(tracker, frame);
    put_out(tracker, &track, pose);
    remember(tracker, track.is_lost);
    return track;
}

snw_track snw__tracker_measure(snw_tracker *tracker, const snw_frame *frame, const snw_pose *pose)
{
    snw_track track = {0};
    gather(tracker, frame, &track);
    measure(tracker, pose, &track);
    return track;
}

snw_track snw__tracker_bring_onto(snw_tracker *tracker, const snw_frame *frame,
                                  const uint8_t *known, snw_pose *pose)
{
    snw_track track = {0};
    snw_pose_copy(tracker->last, tracker->pose);
    gather(tracker, frame, &track);
    snw_pose_copy(tracker->pose, pose);
    snw_pose_forward(tracker->pose);
    snw__guess_holds(tracker, known);
    track.iterations = snw__whole_body_touch_up(tracker);
    measure(tracker, tracker->pose, &track);
    track.is_lost = !is_sound(tracker->pose) || track.marker_count < 3 || is_mostly_off(&track);
    snw_pose_copy(pose, tracker->pose);
    return track;
}

snw_joint_observability snw_tracker_observability(const snw_tracker *tracker, int joint)
{
    snw_joint_observability told = {false, false, 0, 0};
    if (joint < 0 || joint >= tracker->actor->skeleton->joint_count) return told;
    told = tracker->observability.joint[joint];
    if (tracker->is_lost) {
        told.rank = 0;
        told.is_determined = false;
    }
    return told;
}

double snw_tracker_made_up(const snw_tracker *tracker, int joint)
{
    if (!tracker->options.style || joint < 0 || joint >= tracker->actor->skeleton->joint_count)
        return 0;
    return tracker->style.state[joint].deviation;
}

snw__style_segments *snw__tracker_rest_style(snw_tracker *tracker)
{
    tracker->style.is_asleep = true;
    return &tracker->style;
}

const uint8_t *snw__tracker_rank(const snw_tracker *tracker)
{
    return snw__observability_rank(&tracker->observability);
}

snw__observation snw__tracker_observation(const snw_tracker *tracker, int marker)
{
    snw__observation seen = {tracker->seen[marker], tracker->mass[marker], tracker->bound[marker]};
    if (tracker->sample_weight[marker] == 0) seen.weight = 0;
    return seen;
}

void snw_tracker_reset(snw_tracker *tracker)
{
    snw_pose_reset(tracker->pose);
    snw__motion_prior_forget(&tracker->prior);
    snw__live_continuity_forget(&tracker->live);
    snw__style_segments_forget(&tracker->style);
    tracker->has_pose = false;
    tracker->excess2 = 0;
    for (int j = 0; j < tracker->actor->skeleton->joint_count; j++)
        snw_ik_stepper_set_limit(tracker->stepper, j, &tracker->actor->skeleton->joint[j].limit);
}

void snw_tracker_start(snw_tracker *tracker, const snw_pose *pose)
{
    if (!is_sound(pose)) return;
    snw_pose_copy(tracker->pose, pose);
    snw_pose_forward(tracker->pose);
    snw__motion_prior_forget(&tracker->prior);
    snw__live_continuity_forget(&tracker->live);
    snw__style_segments_forget(&tracker->style);
    tracker->has_pose = true;
}

void snw__tracker_start_beside(snw_tracker *tracker, const snw_pose *pose, const snw_frame *frame)
{
    snw_track track = {0};
    snw_tracker_start(tracker, pose);
    gather(tracker, frame, &track);
    if (tracker->options.is_continuous) snw__motion_prior_remember(&tracker->prior);
}

/* ---- making ------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw_tracker *tracker = object;
    size_t markers = (size_t)tracker->actor->marker_count;
    size_t joints = (size_t)tracker->actor->skeleton->joint_count;
    snw__block_take(block, 1, sizeof *tracker);
    tracker->source = snw__block_take(block, markers, sizeof(int));
    tracker->first = snw__block_take(block, joints + 1, sizeof(int));
    tracker->noise_of = snw__block_take(block, markers, sizeof(double));
    tracker->mass = snw__block_take(block, markers, sizeof(double));
    tracker->bound = snw__block_take(block, markers, sizeof(double));
    tracker->seen = snw__block_take(block, markers, sizeof(snw_vec3));
    tracker->sample_weight = snw__block_take(block, markers, sizeof(double));
    tracker->is_measured = snw__block_take(block, markers, sizeof(bool));
    tracker->stated2 = snw__block_take(block, markers, sizeof(double));
    tracker->work = snw__block_take(block, markers > joints ? markers : joints, sizeof(double));
    tracker->from = snw__block_take(block, markers, sizeof(snw_vec3));
    tracker->to = snw__block_take(block, markers, sizeof(snw_vec3));
    snw__observability_lay_out(&tracker->observability, block);
    snw__motion_prior_lay_out(&tracker->prior, block);
    tracker->prior.first = tracker->first;
    tracker->prior.seen = tracker->seen;
    tracker->prior.sample_weight = tracker->sample_weight;
    snw__live_continuity_lay_out(&tracker->live, block);
    tracker->live.seen = tracker->seen;
    tracker->live.sample_weight = tracker->sample_weight;
    tracker->give = snw__block_take(block, joints, sizeof(double));
    tracker->warm_cost = snw__block_take(block, markers, sizeof(double));
    tracker->goal = snw__block_take(block, markers, sizeof(snw_goal));
    tracker->cost = snw__block_take(block, markers, sizeof(double));
    tracker->is_held = snw__block_take(block, joints, sizeof(bool));
    tracker->is_active = snw__block_take(block, joints, sizeof(bool));
    tracker->limited = snw__block_take(block, joints, sizeof(snw_joint));
    snw__style_segments_lay_out(&tracker->style, block);
}

static void prepare(snw_tracker *tracker)
{
    const snw_actor *actor = tracker->actor;
    for (int m = 0; m < actor->marker_count; m++)
        tracker->noise += fmax(actor->marker[m].noise, SNW__NOISE_MIN) / actor->marker_count;
    for (int m = 0; m < actor->marker_count; m++) {
        tracker->noise_of[m] = fmax(actor->marker[m].noise, SNW__NOISE_MIN);
        tracker->first[actor->marker[m].joint + 1]++;
    }
    for (int j = 0; j < actor->skeleton->joint_count; j++)
        tracker->first[j + 1] += tracker->first[j];
}

/* Every marker a goal, the root free. */
static snw_status make_solver(snw_tracker *tracker, const snw_allocator *allocator,
                              snw_error *error)
{
    const snw_actor *actor = tracker->actor;
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    /* Square metres per marker: the pull that keeps an undetermined turn (twist of a segment with
     * one marker) where it is. One millimetre of lever; too small to hold back what markers tell.
     */
    options.damping = (SNW__NOISE_POOR * SNW__NOISE_POOR);
    options.damping_retry = TRACKER_ALPHA_RETRY;
    options.move_max = TRACKER_TURN_MAX;
    options.use_holds = true;
    for (int m = 0; m < actor->marker_count; m++)
        tracker->goal[m] = snw_goal_position(actor->marker[m].joint, actor->marker[m].offset,
                                             snw_vec3_make(0, 0, 0));
    return snw_ik_stepper_create(
        &(snw_ik_problem){actor->skeleton, tracker->goal, actor->marker_count}, &options, allocator,
        &tracker->stepper, error);
}

/* A tracker that does not know yet which marker is where in a frame. */
static snw_status make_tracker(const snw_actor *actor, const snw_tracker_options *options,
                               const snw_allocator *allocator, snw_tracker **out, snw_error *error)
{
    *out = NULL;
    snw_tracker sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.actor = actor;
    sketch.options = SNW__WANTS_DEFAULTS(options) ? snw_tracker_options_default() : *options;
    const snw__bounds bounds[] = {
        {"iteration_max of the tracker", sketch.options.iteration_max, 1, 1e6},
        {"tolerance of the tracker", sketch.options.tolerance, 0, 10},
        {"outlier_scale of the tracker", sketch.options.outlier_scale, 1e-6, 1e12}};
    snw_status allowed = snw__check_bounds(bounds, 3, error);
    if (allowed == SNW_OK && sketch.options.style)
        allowed = snw__check_bounds(
            &(snw__bounds){"rate of a tracker with a style", sketch.options.rate, 1e-3, 1e6}, 1,
            error);
    if (allowed != SNW_OK) return allowed;
    sketch.observability.actor = actor;
    sketch.prior.actor = actor;
    sketch.live.actor = actor;
    sketch.style.body.style = sketch.options.style;
    sketch.style.body.skeleton = actor->skeleton;
    sketch.style.body.up = snw_up_direction(sketch.options.up);
    sketch.style.rate = sketch.options.rate;
    sketch.allocator = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &sketch, &sketch.allocator, "a tracker", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    snw_tracker *tracker = (void *)block.base;
    *tracker = sketch;
    status = snw_pose_create(actor->skeleton, allocator, &tracker->pose, error);
    if (status == SNW_OK)
        status = snw_pose_create(actor->skeleton, allocator, &tracker->last, error);
    if (status == SNW_OK)
        status = snw_pose_create(actor->skeleton, allocator, &tracker->held, error);
    if (status == SNW_OK)
        status = snw_pose_create(actor->skeleton, allocator, &tracker->warm, error);
    if (status == SNW_OK) status = make_solver(tracker, allocator, error);
    if (status == SNW_OK)
        status = snw__style_segments_begin(&tracker->style, &tracker->allocator, error);
    if (status != SNW_OK) {
        snw_tracker_destroy(tracker);
        return status;
    }
    prepare(tracker);
    *out = tracker;
    return snw__succeed(error);
}

snw_status snw_tracker_create(const snw_actor *actor, const snw_name_list *names,
                              const snw_tracker_options *options, const snw_allocator *allocator,
                              snw_tracker **out, snw_error *error)
{
    snw_status status = make_tracker(actor, options, allocator, out, error);
    for (int m = 0; status == SNW_OK && m < actor->marker_count; m++)
        (*out)->source[m] = snw_actor_find_marker(actor, names, m);
    return status;
}

snw_status snw_tracker_create_for_trial(const snw_actor *actor, const snw_trial *trial,
                                        const snw_tracker_options *options,
                                        const snw_allocator *allocator, snw_tracker **out,
                                        snw_error *error)
{
    snw_tracker_options own =
        SNW__WANTS_DEFAULTS(options) ? snw_tracker_options_default() : *options;
    if (own.rate == 0) own.rate = trial->rate;
    if (own.up == SNW_UP_UNKNOWN) own.up = trial->up;
    snw_status status = make_tracker(actor, &own, allocator, out, error);
    for (int m = 0; status == SNW_OK && m < actor->marker_count; m++)
        (*out)->source[m] = snw__marker_source(actor, trial, m);
    return status;
}

void snw_tracker_destroy(snw_tracker *tracker)
{
    if (!tracker) return;
    snw_ik_stepper_destroy(tracker->stepper);
    snw_pose_destroy(tracker->warm);
    snw_pose_destroy(tracker->held);
    snw_pose_destroy(tracker->last);
    snw_pose_destroy(tracker->pose);
    snw_allocator allocator = tracker->allocator;
    snw__release(&allocator, tracker, tracker->block_size);
}
