/* A capture of the corpus, read and solved as `sinew solve` does without joining. */
#ifndef SNW_TESTS_CORPUS_SOLVE_H
#define SNW_TESTS_CORPUS_SOLVE_H

#include "check.h"

typedef struct corpus_solved {
    snw_trial *trial;
    snw_segments *segments;
    snw_actor *actor;
    snw_motion *motion;
    snw_solve_report report;
} corpus_solved;

/* Fails the test with the file and the sentence. */
static inline corpus_solved corpus_solve(const char *corpus, const char *path)
{
    corpus_solved s;
    char whole[1024];
    snw_error error;
    memset(&s, 0, sizeof s);
    snw_format(whole, sizeof whole, "%s/%s", corpus, path);
    if (snw_read_trial_file(whole, NULL, NULL, &s.trial, NULL, &error) != SNW_OK ||
        snw_segments_find(s.trial, NULL, NULL, &s.segments, NULL, &error) != SNW_OK ||
        snw_actor_calibrate(s.trial, s.segments, NULL, NULL, &s.actor, NULL, &error) != SNW_OK ||
        snw_actor_solve(s.actor, s.trial, NULL, NULL, &s.motion, &s.report, &error) != SNW_OK)
        fail_msg("%s: %s", path, error.message);
    print_message("%s: %d joints, %.2f mm\n", path, s.actor->skeleton->joint_count,
                  1000 * s.report.residual);
    return s;
}

static inline void corpus_release(corpus_solved *s)
{
    snw_motion_destroy(s->motion);
    snw_actor_destroy(s->actor);
    snw_segments_destroy(s->segments);
    snw_trial_destroy(s->trial);
}

#endif
