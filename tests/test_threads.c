/* What may be shared between threads is shared by many at once: a body, a trial, segments and an
 * actor under trackers, solvers and calibrations of their own. Every thread must find the same
 * bits; ThreadSanitizer (scripts/test) must find no race. */
#include <pthread.h>

#include "check.h"
#include "studio.h"

enum {
    THREADS = 6
};

typedef struct shared_things {
    const snw_skeleton *body;
    const snw_trial *trial;
    const snw_segments *segments;
    const snw_actor *actor;
} shared_things;

typedef struct thread_result {
    pthread_t thread;
    const shared_things *shared;
    bool is_good;
    double sum; /* of many numbers of the answer, always in the same order */
} thread_result;

static double pose_sum(const snw_pose *pose)
{
    double sum = 0;
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        sum += pose->world[j].translation.x + 3 * pose->world[j].rotation.w;
    return sum;
}

/* A failed check in a thread must not jump: it is told by is_good. */
static void *track_all(void *context)
{
    thread_result *result = context;
    const shared_things *shared = result->shared;
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    result->is_good = snw_pose_create(shared->actor->skeleton, NULL, &pose, NULL) == SNW_OK &&
                      snw_tracker_create_for_trial(shared->actor, shared->trial, NULL, NULL,
                                                   &tracker, NULL) == SNW_OK;
    for (int f = 0; result->is_good && f < shared->trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(shared->trial, f);
        snw_tracker_step(tracker, &frame, pose);
        result->sum += pose_sum(pose);
    }
    snw_tracker_destroy(tracker);
    snw_pose_destroy(pose);
    return NULL;
}

static void *calibrate_all(void *context)
{
    thread_result *result = context;
    const shared_things *shared = result->shared;
    snw_actor *actor = NULL;
    snw_segments *segments = NULL;
    snw_segment_options by_motion = snw_segment_options_default();
    by_motion.method = SNW_SEGMENTS_BY_RIGIDITY;
    result->is_good =
        snw_segments_find(shared->trial, &by_motion, NULL, &segments, NULL, NULL) == SNW_OK &&
        snw_actor_calibrate(shared->trial, shared->segments, NULL, NULL, &actor, NULL) == SNW_OK;
    for (int m = 0; result->is_good && m < actor->marker_count; m++)
        result->sum += actor->marker[m].offset.x;
    for (int m = 0; result->is_good && m < segments->marker_count; m++)
        result->sum += segments->segment_of[m];
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
    return NULL;
}

static void *reach_all(void *context)
{
    thread_result *result = context;
    const snw_skeleton *body = result->shared->body;
    int hand = snw_skeleton_find_joint(body, "left_wrist");
    snw_goal goal = snw_goal_position(hand, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    result->is_good =
        hand >= 0 && snw_pose_create(body, NULL, &pose, NULL) == SNW_OK &&
        snw_ik_create(&(snw_ik_problem){body, &goal, 1}, NULL, NULL, &ik, NULL) == SNW_OK;
    for (int n = 0; result->is_good && n < 40; n++) {
        goal.position = snw_vec3_make(0.4 * snw_radians(7 * n), 1.2, 0.3);
        snw_ik_solve(ik, &goal, pose);
        result->sum += pose_sum(pose);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    return NULL;
}

static void check_in_threads(const shared_things *shared, void *(*work)(void *))
{
    thread_result result[THREADS] = {0};
    for (int t = 0; t < THREADS; t++) {
        result[t].shared = shared;
        assert_int_equal(pthread_create(&result[t].thread, NULL, work, &result[t]), 0);
    }
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(result[t].thread, NULL), 0);
    for (int t = 0; t < THREADS; t++) {
        assert_true(result[t].is_good && result[t].sum != 0);
        assert_memory_equal(&result[t].sum, &result[0].sum, sizeof result[0].sum);
    }
}

static void constant_things_serve_many_threads_at_once(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    studio walk = shoot("humanoid", &options);
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    const snw_trial *trial = walk.synth->capture;
    assert_int_equal(snw_segments_find(trial, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(trial, segments, NULL, NULL, &actor, NULL), SNW_OK);
    shared_things shared = {walk.body, trial, segments, actor};
    check_in_threads(&shared, track_all);
    check_in_threads(&shared, calibrate_all);
    check_in_threads(&shared, reach_all);
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
    leave(&walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_things_serve_many_threads_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
