/* The whole body onto its markers: all joints and the root at once, and what limits do to that.
 *
 * Levenberg-Marquardt steps (sinew/ik.h) with every marker a goal weighted by its noise and by how
 * far off it is (Geman & McClure 1987: weight 1 / (1 + (r/c)^2)^2), so that a swapped or wild
 * marker pulls nobody. Joint limits are what was observed so far: where they hold markers back the
 * frame is solved without them, and they grow if that was right. */
#include "math/robust.h"
#include "track/joint_range.h"
#include "track/track_constants.h"
#include "track/tracker_state.h"

/* Outlier bounds begin `ease` times as wide as they are; a step that promises less than `gain`
 * variances is the last. Where the guess is poor, bounds start wide and close in, or a segment
 * whose guess is off by more than its markers' noise would be taken for a segment of wild markers.
 */
static int solve_from(snw_tracker *tracker, double ease, double gain)
{
    double size = tracker->actor->skeleton->size > 0 ? tracker->actor->skeleton->size : 1;
    double unit = (tracker->noise * tracker->noise + tracker->excess2) / (size * size);
    int round = 0;
    snw_ik_stepper_restart(tracker->stepper);
    for (int m = 0; m < tracker->actor->marker_count; m++)
        if (tracker->sample_weight[m] > 0) tracker->goal[m].position = tracker->seen[m];
    while (round < tracker->options.iteration_max) {
        /* Markers count a quarter at `ease` times their bound; `worst` is in bounds. */
        const snw_pose *pose = tracker->pose;
        double worst2 = 0;
        for (int m = 0; m < tracker->actor->marker_count; m++) {
            snw_goal *goal = tracker->goal + m;
            goal->weight = 0;
            if (tracker->sample_weight[m] == 0) continue;
            snw_vec3 at = snw_xform_point(pose->world[goal->joint], goal->point);
            double far2 = snw_vec3_length2(snw_vec3_sub(tracker->seen[m], at)) /
                          (tracker->bound[m] * tracker->bound[m]);
            if (far2 > worst2) worst2 = far2;
            far2 /= ease * ease;
            goal->weight = tracker->mass[m] * snw__geman_mcclure_weight(far2);
        }
        double worst = sqrt(worst2);
        snw_ik_step step = snw_ik_stepper_step(tracker->stepper, tracker->goal, tracker->pose);
        round++;
        bool is_done =
            step.largest_move < tracker->options.tolerance || step.expected_gain < gain * unit;
        if (is_done && (ease == 1 || worst < 1)) break;
        ease = fmax(1, fmin(ease, worst) / 3);
    }
    return round;
}

int snw__whole_body_solve(snw_tracker *tracker)
{
    return solve_from(tracker, TRACKER_EASE_MAX, WHOLE_BODY_GAIN);
}

int snw__whole_body_touch_up(snw_tracker *tracker)
{
    return solve_from(tracker, 1, WHOLE_BODY_GAIN_NEAR);
}

int snw__whole_body_keep(snw_tracker *tracker)
{
    int round = 0;
    const snw__live_frame *before = tracker->live.before;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        tracker->prior.was_seen[m] = before->is_seen[m]; /* a fresh look forgets it */
        tracker->prior.before[m] = before->marker[m];
    }
    snw_pose_copy(tracker->pose, tracker->last);
    if (!snw__guess_root(tracker)) return round;
    snw__guess_joints(tracker);
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        snw_goal *goal = tracker->goal + m;
        goal->weight = tracker->live.weight[m];
        if (tracker->sample_weight[m] > 0)
            goal->position = tracker->seen[m];
        else if (!snw__live_continuity_carry(&tracker->live, m, &goal->position))
            goal->weight = 0;
    }
    snw_ik_stepper_restart(tracker->stepper);
    while (round < tracker->options.iteration_max) {
        snw_ik_step step = snw_ik_stepper_step(tracker->stepper, tracker->goal, tracker->pose);
        round++;
        if (step.largest_move < tracker->options.tolerance) break;
    }
    return round;
}

/* ---- limits ------------------------------------------------------------------------------- */

/* What marker m costs: Geman & McClure's x^2 / (1 + x^2), in outliers. */
double snw__whole_body_cost(const snw_tracker *tracker, int m)
{
    if (tracker->sample_weight[m] == 0) return 0;
    const snw_goal *goal = tracker->goal + m;
    snw_vec3 at = snw_xform_point(tracker->pose->world[goal->joint], goal->point);
    return snw__geman_mcclure_cost(snw_vec3_length2(snw_vec3_sub(tracker->seen[m], at)) /
                                   (tracker->bound[m] * tracker->bound[m]));
}

/* The same in variances of its noise. */
static double cost_of(const snw_tracker *tracker, int m)
{
    if (tracker->sample_weight[m] == 0) return 0;
    double mean2 = tracker->noise * tracker->noise + tracker->excess2;
    double outlier = tracker->bound[m] * tracker->bound[m] * tracker->mass[m] / mean2;
    return outlier * snw__whole_body_cost(tracker, m);
}

double snw__whole_body_gain(const snw_tracker *tracker, const double *before,
                            double (*cost)(const snw_tracker *tracker, int m))
{
    double sum = 0, most = 0;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        double gain = before[m] - cost(tracker, m);
        sum += gain;
        most = fmax(most, gain);
    }
    return sum - most;
}

/* True when at least two markers of segments that limits hold would rather be elsewhere. A marker
 * on its place costs about 3: one for each coordinate. */
bool snw__whole_body_is_held_back(snw_tracker *tracker)
{
    double sum = 0, most = 0;
    /* Marks the segments that hang on a joint which its limits hold now or held in the guess;
     * false: there are none. */
    const snw_skeleton *body = tracker->actor->skeleton;
    const bool *is_active = tracker->is_active;
    bool is_any = false;
    (void)snw_ik_stepper_active_limits(tracker->stepper, tracker->pose, tracker->is_active);
    for (int j = 1; j < body->joint_count; j++) {
        tracker->is_held[j] |= is_active[j] || tracker->is_held[body->parent[j]];
        is_any |= tracker->is_held[j];
    }
    if (!is_any) return false;
    for (int m = 0; m < tracker->actor->marker_count; m++) {
        tracker->cost[m] = cost_of(tracker, m);
        if (!tracker->is_held[tracker->goal[m].joint]) continue;
        double excess = fmax(tracker->cost[m] - 3, 0);
        sum += excess;
        most = fmax(most, excess);
    }
    /* Variances of a marker's noise, 3 squared: a marker that is off by more than that, or markers
     * that gain more than that together, mean something. */
    return sum - most > (SNW__UNUSUAL * SNW__UNUSUAL);
}

/* Widens the limits of a joint towards its rotation without them, as far as they may give way in a
 * frame: all at once would make the body jump. True: they allow that rotation now. */
static bool widen_limit(snw_tracker *tracker, int joint)
{
    snw_quat held = tracker->held->rotation[joint], wanted = tracker->pose->rotation[joint];
    double angle = snw_quat_angle_between(held, wanted), give = tracker->give[joint];
    if (angle > give) wanted = snw_quat_slerp(held, wanted, give / angle);
    snw__joint_range_include(&tracker->limited[joint], wanted);
    return !(angle > give);
}

/* Limits are what was observed so far, and hold for what the markers do not show. Where they hold
 * the body back the frame is solved without them (joints keep their types); if at least two markers
 * are better off by that, the limits have been too narrow, and grow. */
int snw__whole_body_look_beyond(snw_tracker *tracker)
{
    const snw_skeleton *body = tracker->actor->skeleton;
    snw_joint_limit none = snw_joint_limit_none();
    snw_pose_copy(tracker->held, tracker->pose);
    for (int j = 0; j < body->joint_count; j++) {
        tracker->limited[j] = *snw_ik_stepper_joint(tracker->stepper, j);
        snw_ik_stepper_set_limit(tracker->stepper, j, &none);
    }
    snw__guess_joints(tracker);
    int rounds = snw__whole_body_solve(tracker);
    bool is_better =
        snw__whole_body_gain(tracker, tracker->cost, cost_of) > (SNW__UNUSUAL * SNW__UNUSUAL);
    bool is_whole = true;
    for (int j = 0; j < body->joint_count; j++) {
        if (is_better) is_whole &= widen_limit(tracker, j);
        snw_ik_stepper_set_limit(tracker->stepper, j, &tracker->limited[j].limit);
    }
    if (is_better && is_whole) return rounds;
    snw_pose_copy(tracker->pose, tracker->held);
    return is_better ? rounds + snw__whole_body_solve(tracker) : rounds;
}
