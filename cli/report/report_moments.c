/* The solved body at a few evenly spread times. */
#include <stdlib.h>

#include "draw/picture.h"
#include "report/report.h"
#include "solve/truth.h"

#define MOMENTS_MAX 6

typedef struct moment_memory {
    snw_pose *pose[MOMENTS_MAX];
    snw_vec3 *marker; /* (MOMENTS_MAX x marker_count) */
    snw_vec3 *truth;  /* (MOMENTS_MAX x marker_count of the truth) */
} moment_memory;

static bool take_memory(const cli_solution *solution, int count, moment_memory *memory)
{
    size_t markers = (size_t)solution->trial->marker_count;
    memory->marker = malloc((MOMENTS_MAX * markers + 1) * sizeof(snw_vec3));
    size_t joints = solution->truth ? (size_t)solution->truth->trial->marker_count : 0;
    memory->truth = malloc((MOMENTS_MAX * joints + 1) * sizeof(snw_vec3));
    bool is_done = memory->marker && memory->truth;
    for (int n = 0; n < MOMENTS_MAX; n++) {
        memory->pose[n] = NULL;
        if (is_done && n < count)
            is_done =
                snw_pose_create(solution->motion->skeleton, NULL, &memory->pose[n], NULL) == SNW_OK;
    }
    return is_done;
}

static void release_memory(moment_memory *memory)
{
    for (int n = 0; n < MOMENTS_MAX; n++)
        snw_pose_destroy(memory->pose[n]);
    free(memory->marker);
    free(memory->truth);
}

/* Only markers of the body are drawn: others belong to somebody or something else. */
static int seen_markers(const cli_solution *solution, int frame, snw_vec3 *marker)
{
    int count = 0;
    for (int m = 0; m < solution->trial->marker_count; m++)
        if (solution->residuals->marker[m].joint >= 0 &&
            snw_trial_is_present(solution->trial, frame, m))
            marker[count++] = snw_trial_position(solution->trial, frame, m);
    return count;
}

/* True joints, whether they have a solved one or not. */
static int true_joints(const cli_solution *solution, int frame, snw_vec3 *truth)
{
    if (!solution->truth || frame >= solution->truth->trial->frame_count) return 0;
    int count = 0;
    for (int j = 0; j < solution->truth->trial->marker_count; j++)
        if (snw_trial_is_present(solution->truth->trial, frame, j))
            truth[count++] = snw_trial_position(solution->truth->trial, frame, j);
    return count;
}

bool cli_report_moments(const cli_solution *solution, FILE *out)
{
    const snw_motion *motion = solution->motion;
    int count = motion->frame_count < MOMENTS_MAX ? motion->frame_count : MOMENTS_MAX;
    cli_moment moment[MOMENTS_MAX];
    moment_memory memory;
    bool is_good = take_memory(solution, count, &memory);
    if (is_good && count > 0) {
        for (int n = 0; n < count; n++) {
            /* In the middles of equal stretches: captures often start and end in one pose. */
            int frame = (int)((2LL * n + 1) * motion->frame_count / (2LL * count));
            snw_vec3 *marker = memory.marker + (size_t)n * (size_t)solution->trial->marker_count;
            snw_motion_get(motion, frame, memory.pose[n]);
            snw_pose_forward(memory.pose[n]);
            moment[n].pose = memory.pose[n];
            moment[n].marker = marker;
            moment[n].marker_count = seen_markers(solution, frame, marker);
            moment[n].truth = memory.truth;
            if (solution->truth) moment[n].truth += n * solution->truth->trial->marker_count;
            moment[n].truth_count = true_joints(solution, frame, (snw_vec3 *)moment[n].truth);
            snw_format(moment[n].label, sizeof moment[n].label, "%.2f s", frame / motion->rate);
        }
        cli_picture_draw_strip(moment, count, solution->trial->up, out);
    }
    release_memory(&memory);
    return is_good;
}
