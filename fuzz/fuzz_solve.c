/* A whole person, spoiled in any way, goes through snw_solve with any steps left out: refused with
 * a sentence, cancelled, or finite.
 *
 * Fifteen segments and more of 41 to 69 markers are fitted together, eight times over all frames:
 * 20 to 60 ms. Hundreds of markers, which are rare here, take 0.2 s. fuzz_calibrate does the same
 * with two segments a thousand times a second. */
#include "fuzz_people.h"
#include "fuzz_solution.h"

/* What laboratories write into their files about the person. */
static void set_measures(snw_trial *trial, double millimetres)
{
    static const char *const names[] = {"LLegLength", "RLegLength",  "LKneeWidth",
                                        "RKneeWidth", "LAnkleWidth", "RAnkleWidth"};
    for (int n = 0; n < 6; n++) {
        char name[16], none[1] = "";
        float value = (float)(n < 2 ? millimetres : n < 4 ? 100 : 70);
        snw_parameter parameter = {0};
        snw_format(name, sizeof name, "%s", names[n]);
        parameter.name = name;
        parameter.description = none;
        parameter.type = SNW_PARAMETER_FLOAT;
        parameter.byte_count = sizeof value;
        parameter.data = &value;
        (void)snw_trial_set_parameter(trial, "PROCESSING", &parameter, NULL);
    }
}

static int give_up(void *context, const char *step, double share)
{
    int *left = context;
    if (!step[0] || !(share >= 0 && share <= 1)) abort();
    return (*left)-- == 0;
}

/* Steps left out and ways chosen, by two bytes. */
static snw_solve_options choose(fuzz_bytes *bytes, snw_center_method *method, int *left)
{
    snw_solve_options options = snw_solve_options_default();
    unsigned kept = fuzz_byte(bytes), more = fuzz_byte(bytes);
    *method = (snw_center_method)fuzz_below(bytes, SNW_CENTER_METHOD_COUNT);
    *left = (int)fuzz_below(bytes, 64);
    options.segment_method = (snw_segment_method)fuzz_below(bytes, SNW_SEGMENT_METHOD_COUNT);
    options.keeps_zeros = kept & 1;
    options.skips_join = kept & 2;
    options.skips_recognition = kept & 4;
    options.keeps_swaps = kept & 8;
    options.keeps_open_swaps = kept & 16;
    options.keeps_slips = kept & 32;
    options.part = kept & 64 ? 1 : 0;
    if ((more & 3) == 3) options.method = method;
    if ((more & 12) == 12) options.root = "Hips";
    options.is_live = more & 16;
    options.is_smooth = more & 32;
    if ((more & 64) && (kept & 128)) {
        options.progress = give_up;
        options.progress_context = left;
    }
    options.calibrate_seconds = more & 128 ? 0.1 * fuzz_byte(bytes) : 0;
    return options;
}

static void check_body(const snw_solved_body *body, const snw_trial *trial, fuzz_bytes *bytes,
                       const snw_allocator *allocator, const fuzz_counter *counter)
{
    unsigned more = fuzz_byte(bytes);
    fuzz_check_motion(body->motion);
    fuzz_check_steps(body->kept, trial, trial->frame_count, allocator, counter);
    fuzz_check_names(body->kept, allocator);
    fuzz_check_actor_text(body->kept);
    if (body->judgements->count > SNW_JUDGEMENTS_MAX || !isfinite(body->residuals->rms)) abort();
    if (more & 1)
        fuzz_check_solution(body->kept, trial, more & 2 ? SNW_SAMPLE_FILLED : SNW_SAMPLE_PREDICTED,
                            allocator);
}

static void try_solve(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator,
                      const fuzz_counter *counter)
{
    snw_center_method method;
    int left;
    snw_solution *solution = NULL;
    snw_error error;
    if (fuzz_byte(bytes) & 1) set_measures(trial, 700 + fuzz_byte(bytes));
    snw_solve_options options = choose(bytes, &method, &left);
    snw_status status = snw_solve(trial, &options, allocator, &solution, &error);
    fuzz_check_said(status, &error);
    if ((status == SNW_OK) != (solution != NULL)) abort();
    for (int b = 0; solution && b < solution->body_count; b++)
        check_body(solution->body + b, solution->trial, bytes, allocator, counter);
    snw_solution_destroy(solution);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_trial *trial = person_make(&bytes, PERSON_FRAMES);
    try_solve(trial, &bytes, &allocator, &counter);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}
