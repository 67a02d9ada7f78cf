/* A labelled capture as the cameras alone would have left it: every trajectory ends where its
 * marker vanishes, comes back as another one, and nobody has named them. */
#include <sinew/synth.h>

#include "base/fail.h"
#include "base/memory.h"

/* Frames first..last of one marker. */
typedef struct unlabel_run {
    int marker;
    int first, last;
} unlabel_run;

/* Lists the runs of all markers; only counts when `run` is NULL. */
static int list_runs(const snw_trial *trial, unlabel_run *run)
{
    int count = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        bool was_there = false;
        for (int f = 0; f < trial->frame_count; f++) {
            bool is_there = snw_trial_is_present(trial, f, m);
            if (is_there && !was_there) {
                if (run) run[count] = (unlabel_run){m, f, f};
                count++;
            }
            if (is_there && run) run[count - 1].last = f;
            was_there = is_there;
        }
    }
    return count;
}

snw_status snw_synth_unlabel(const snw_trial *trial, uint64_t seed, const snw_allocator *allocator,
                             snw_trial **out, snw_error *error)
{
    *out = NULL;
    int count = list_runs(trial, NULL);
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t size = (size_t)count * (sizeof(unlabel_run) + sizeof(int));
    unlabel_run *run = snw__allocate(&memory, size);
    if (!run) return snw__fail_memory(error, size, "the pieces of a capture");
    list_runs(trial, run);
    /* Fisher and Yates. */
    snw_random random = snw_random_seed(seed, 0);
    for (int n = count - 1; n > 0; n--) {
        int other = (int)snw_random_below(&random, (uint32_t)n + 1);
        unlabel_run kept = run[n];
        run[n] = run[other];
        run[other] = kept;
    }
    snw_trial *raw = NULL;
    int *marker = (int *)(run + count);
    for (int n = 0; n < count; n++)
        marker[n] = run[n].marker;
    snw_status status = snw_trial_pick(trial, marker, count, &memory, &raw, error);
    for (int n = 0; n < count && status == SNW_OK; n++) {
        /* Trajectory n of `raw` holds the whole marker: leaves its run, takes its name. */
        for (int f = 0; f < raw->frame_count; f++)
            if (f < run[n].first || f > run[n].last)
                snw_trial_set(raw, f, n, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        char name[16];
        snw_format(name, sizeof name, "*%d", n + 1);
        status = snw_trial_set_marker_name(raw, n, name, error);
    }
    snw__release(&memory, run, size);
    if (status != SNW_OK) {
        snw_trial_destroy(raw);
        return status;
    }
    *out = raw;
    return snw__succeed(error);
}
