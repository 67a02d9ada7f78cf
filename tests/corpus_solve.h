/* A capture of the corpus, read and solved as `sinew solve` does it. */
#ifndef SNW_TESTS_CORPUS_SOLVE_H
#define SNW_TESTS_CORPUS_SOLVE_H

#include "check.h"

/* The first body of a solution, and the solution that owns it. */
typedef struct corpus_solved {
    snw_solution *solution;
    const snw_trial *trial;
    const snw_segments *segments;
    const snw_actor *actor;
    const snw_motion *motion;
    snw_solve_report report;
} corpus_solved;

/* Fails the test with the file and the sentence. */
static inline corpus_solved corpus_solve(const char *corpus, const char *path)
{
    corpus_solved s;
    char whole[1024];
    snw_trial *trial = NULL;
    snw_error error;
    memset(&s, 0, sizeof s);
    snw_format(whole, sizeof whole, "%s/%s", corpus, path);
    if (snw_read_trial_file(whole, NULL, NULL, &trial, NULL, &error) != SNW_OK ||
        snw_solve(trial, NULL, NULL, &s.solution, &error) != SNW_OK)
        fail_msg("%s: %s", path, error.message);
    snw_trial_destroy(trial);
    s.trial = s.solution->trial;
    s.segments = s.solution->segments;
    s.actor = s.solution->body->kept;
    s.motion = s.solution->body->motion;
    s.report = s.solution->body->report;
    print_message("%s: %d joints, %.2f mm\n", path, s.actor->skeleton->joint_count,
                  1000 * s.report.residual);
    return s;
}

static inline void corpus_release(corpus_solved *s)
{
    snw_solution_destroy(s->solution);
}

#endif
