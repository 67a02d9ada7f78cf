/* What is done with a calibrated actor, for the targets that calibrate: the tracker's steps
 * allocate nothing and give finite poses; the whole trial is solved, measured, judged, described,
 * smoothed. */
#ifndef SNW_FUZZ_SOLUTION_H
#define SNW_FUZZ_SOLUTION_H

#include "fuzz_trials.h"

static inline void fuzz_check_steps(const snw_actor *actor, const snw_trial *trial, int steps,
                                    const snw_allocator *allocator, const fuzz_counter *counter)
{
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    snw_error error;
    if (snw_pose_create(actor->skeleton, NULL, &pose, &error) != SNW_OK) abort();
    snw_status status =
        snw_tracker_create_for_trial(actor, trial, NULL, allocator, &tracker, &error);
    fuzz_check_said(status, &error);
    for (int f = 0; status == SNW_OK && f < steps; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        long before = counter->calls;
        snw_track track = snw_tracker_step(tracker, &frame, pose);
        if (counter->calls != before || !isfinite(track.residual)) abort();
        fuzz_check_pose(pose);
        for (int j = 0; j < actor->skeleton->joint_count; j++) {
            snw_joint_observability seen = snw_tracker_observability(tracker, j);
            if (seen.rank > seen.freedom) abort();
        }
    }
    if (status == SNW_OK) snw_tracker_reset(tracker);
    snw_tracker_destroy(tracker);
    snw_pose_destroy(pose);
}

/* A tracker by names alone takes the actor's own markers. */
static inline void fuzz_check_names(const snw_actor *actor, const snw_allocator *allocator)
{
    const char *name[64];
    snw_name_list names = {name, actor->marker_count < 64 ? actor->marker_count : 64};
    snw_tracker *tracker = NULL;
    snw_error error;
    for (int m = 0; m < names.count; m++)
        name[m] = actor->marker[m].name;
    for (int m = 0; m < names.count; m++)
        if (snw_actor_find_marker(actor, &names, m) != m) abort();
    if (snw_actor_segment_count(actor) > actor->skeleton->joint_count) abort();
    fuzz_check_said(snw_tracker_create(actor, &names, NULL, allocator, &tracker, &error), &error);
    snw_tracker_destroy(tracker);
}

/* Printed and read, an actor has the same joints and markers. */
static inline void fuzz_check_actor_text(const snw_actor *actor)
{
    size_t length = snw_actor_print(actor, NULL, 0);
    char *text = malloc(length + 1);
    snw_actor *again = NULL;
    snw_error error;
    if (!text) return;
    snw_actor_print(actor, text, length + 1);
    if (snw_actor_parse(text, length, NULL, &again, &error) != SNW_OK) abort();
    if (again->marker_count != actor->marker_count ||
        again->skeleton->joint_count != actor->skeleton->joint_count)
        abort();
    snw_actor_destroy(again);
    free(text);
}

static inline void fuzz_check_motion_uses(const snw_actor *actor, const snw_motion *motion,
                                          const snw_allocator *allocator)
{
    snw_motion *smooth = NULL;
    snw_actor *described = NULL;
    snw_angles *angles = NULL;
    snw_error error;
    fuzz_check_said(snw_actor_describe(actor, motion, allocator, &described, &error), &error);
    fuzz_check_said(snw_angles_from_motion(motion, allocator, &angles, &error), &error);
    fuzz_check_said(snw_motion_smooth(motion, actor, allocator, &smooth, NULL, &error), &error);
    if (smooth) fuzz_check_motion(smooth);
    snw_motion_destroy(smooth);
    snw_angles_destroy(angles);
    snw_actor_destroy(described);
}

static inline void fuzz_check_solution(const snw_actor *actor, const snw_trial *trial,
                                       snw_sample_state made, const snw_allocator *allocator)
{
    snw_motion *motion = NULL;
    snw_residuals *residuals = NULL;
    snw_trial *with = NULL;
    snw_solve_report report;
    snw_tracker_options options = snw_tracker_options_default();
    options.report = &report;
    snw_error error;
    fuzz_check_said(snw_actor_solve(actor, trial, &options, allocator, &motion, &error), &error);
    if (!motion) return;
    fuzz_check_motion(motion);
    fuzz_check_said(snw_actor_residuals(actor, trial, motion, allocator, &residuals, &error),
                    &error);
    fuzz_check_said(
        snw_actor_trial(&(snw_actor_motion){actor, motion, made}, trial, allocator, &with, &error),
        &error);
    if (with) fuzz_check_trial(with);
    if (residuals) {
        snw_judged solution = {trial, actor, motion, &report, residuals};
        snw_judgements judgements;
        fuzz_check_said(snw_judge_solution(&solution, allocator, &judgements, &error), &error);
    }
    fuzz_check_motion_uses(actor, motion, allocator);
    snw_trial_destroy(with);
    snw_residuals_destroy(residuals);
    snw_motion_destroy(motion);
}

#endif
