/* The main job: every step and every judgement in one order (sinew/solve.h). */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "judge/judging.h"
#include "solve/pixels.h"
#include "solve/solving.h"

snw_solve_options snw_solve_options_default(void)
{
    return (snw_solve_options){0};
}

snw_status snw__solve_watch(const snw__solving *s, const char *step, double share)
{
    if (!s->options->progress ||
        s->options->progress(s->options->progress_context, step, share) == 0)
        return SNW_OK;
    return snw__fail(s->error, SNW_CANCELLED, "the solve was cancelled before %s", step);
}

/* ---- the object ---------------------------------------------------------------------------- */

void snw_solution_destroy(snw_solution *solution)
{
    if (!solution) return;
    snw_allocator memory = solution->allocator;
    for (int b = 0; b < solution->body_count; b++) {
        snw_solved_body *body = solution->body + b;
        size_t joints = (size_t)body->joint_count;
        snw__release(&memory, body->style_knows, joints * sizeof *body->style_knows);
        snw__release(&memory, body->smoothing, joints * sizeof *body->smoothing);
        snw__release(&memory, body->judgements, sizeof *body->judgements);
        snw__release(&memory, body->notes, sizeof *body->notes);
        snw_residuals_destroy(body->residuals);
        snw_motion_destroy(body->motion);
        snw_actor_destroy(body->actor);
        snw_actor_destroy(body->kept);
    }
    snw__release(&memory, solution->body, (size_t)solution->body_count * sizeof *solution->body);
    snw__release(&memory, solution->notes, sizeof *solution->notes);
    snw_segments_destroy(solution->segments);
    snw_trial_destroy(solution->trial);
    snw__release(&memory, solution, sizeof *solution);
}

/* Zeroed memory of the solution's, or NULL with a sentence. */
static void *take(const snw__solving *s, size_t size, const char *what)
{
    void *memory = snw__allocate(&s->out->allocator, size);
    if (!memory) (void)snw__fail_memory(s->error, size, what);
    return memory;
}

/* Makes the list of bodies this long. */
static snw_status grow_bodies(snw__solving *s, int count)
{
    snw_solution *out = s->out;
    size_t size = (size_t)count * sizeof *out->body;
    size_t before = (size_t)out->body_count * sizeof *out->body;
    snw_solved_body *body = take(s, size, "the bodies");
    if (!body) return SNW_OUT_OF_MEMORY;
    if (before) memcpy(body, out->body, before);
    snw__release(&out->allocator, out->body, before);
    for (int b = out->body_count; b < count; b++)
        body[b].refusal = -1;
    out->body = body;
    out->body_count = count;
    return SNW_OK;
}

/* ---- the skeleton -------------------------------------------------------------------------- */

/* The start of the capture that makes the skeletons, or all of it. */
static snw_trial calibration_part(const snw__solving *s)
{
    const snw_trial *trial = s->out->trial;
    double seconds = s->options->calibrate_seconds;
    if (!(seconds > 0)) return *trial;
    return snw_trial_window(trial, 0, (int)fmin(ceil(seconds * trial->rate), trial->frame_count));
}

static const snw_segments *segments_of(const snw__solving *s)
{
    return s->options->segments ? s->options->segments : s->out->segments;
}

static snw_actor_options actor_options(const snw__solving *s, int part)
{
    snw_actor_options options = snw_actor_options_default();
    options.root = s->options->root;
    options.part = part;
    options.method = s->options->method;
    options.labels = s->options->labels;
    options.tree = s->options->tree;
    options.still = s->options->still;
    return options;
}

static snw_status find_segments(snw__solving *s, const snw_trial *part)
{
    const snw_solve_options *options = s->options;
    snw_solution *out = s->out;
    if (options->segments) return SNW_OK;
    if (options->marker_set.bytes)
        return snw_segments_from_set(part, options->marker_set,
                                     options->correlation.bytes ? &options->correlation : NULL,
                                     s->memory, &out->segments, s->error);
    snw_segment_options how = snw_segment_options_default();
    how.method = options->segment_method;
    how.labels = options->labels;
    return snw_segments_find(part, &how, s->memory, &out->segments, out->notes, s->error);
}

/* ---- one body ------------------------------------------------------------------------------ */

static snw_status make_actor(snw__solving *s, snw_solved_body *body, int part)
{
    snw_trial start = calibration_part(s);
    snw_actor_options options = actor_options(s, part);
    body->notes = take(s, sizeof *body->notes, "the notes of a body");
    if (!body->notes) return SNW_OUT_OF_MEMORY;
    options.notes = body->notes;
    snw_status status = s->options->actor
                            ? snw_actor_copy(s->options->actor, s->memory, &body->kept, s->error)
                            : snw_actor_calibrate(&start, segments_of(s), &options, s->memory,
                                                  &body->kept, s->error);
    if (status != SNW_OK) return status;
    if (s->options->actor) snw__solve_forget_strangers(s, body->kept, body->notes);
    body->joint_count = body->kept->skeleton->joint_count;
    body->marker_count = body->kept->marker_count;
    return SNW_OK;
}

static snw_status smooth(snw__solving *s, snw_solved_body *body)
{
    snw_motion *motion = NULL;
    size_t size = (size_t)body->joint_count * sizeof *body->smoothing;
    body->smoothing = take(s, size, "what the smoothing did");
    if (!body->smoothing) return SNW_OUT_OF_MEMORY;
    snw_status status =
        snw_motion_smooth(body->motion, body->kept, s->memory, &motion, body->smoothing, s->error);
    if (status != SNW_OK) return status;
    snw_motion_destroy(body->motion);
    body->motion = motion;
    return SNW_OK;
}

static snw_status match_style(snw__solving *s, snw_solved_body *body)
{
    size_t size = (size_t)body->joint_count * sizeof *body->style_knows;
    body->style_knows = take(s, size, "the joints of the style");
    if (!body->style_knows) return SNW_OUT_OF_MEMORY;
    return snw_actor_match_style(body->kept, s->options->style, s->memory, body->style_knows,
                                 s->error);
}

static snw_status move(snw__solving *s, snw_solved_body *body)
{
    snw_tracker_options tracker = snw_tracker_options_default();
    tracker.style = s->options->style;
    tracker.report = &body->report;
    snw_status status = s->options->is_live ? snw__solve_live(s, body, &tracker)
                                            : snw_actor_solve(body->kept, s->out->trial, &tracker,
                                                              s->memory, &body->motion, s->error);
    if (status == SNW_OK && s->options->sights && !s->options->is_live)
        status = snw__solve_pixels(s, body);
    if (status == SNW_OK && s->options->is_smooth) status = smooth(s, body);
    if (status == SNW_OK && s->options->style) status = match_style(s, body);
    return status;
}

/* A motion most of which is not this body's is no success. */
static int find_refusal(const snw_judgements *judgements)
{
    for (int n = 0; n < judgements->count; n++)
        if (judgements->item[n].code == SNW_JUDGEMENT_LOST_FRAMES &&
            judgements->item[n].verdict == SNW_VERDICT_RED)
            return n;
    return -1;
}

static snw_status judge(snw__solving *s, snw_solved_body *body)
{
    snw_solution *out = s->out;
    bool is_first = body == out->body;
    snw_status status =
        snw_actor_describe(body->kept, body->motion, s->memory, &body->actor, s->error);
    if (status != SNW_OK) return status;
    if (is_first) snw__doubt_joints(&out->recognition, body->actor);
    status = snw_actor_residuals(body->actor, out->trial, body->motion, s->memory, &body->residuals,
                                 s->error);
    if (status != SNW_OK) return status;
    body->judgements = take(s, sizeof *body->judgements, "the judgements");
    if (!body->judgements) return SNW_OUT_OF_MEMORY;
    snw_judged judged = {out->trial, body->actor, body->motion, &body->report, body->residuals};
    status = snw_judge_solution(&judged, s->memory, body->judgements, s->error);
    if (status != SNW_OK) return status;
    if (is_first)
        snw__judge_capture(out->trial, &out->recognition, &out->slips, body->notes,
                           body->judgements);
    if (s->options->actor || s->options->is_live) snw__judge_slips(&judged, body->judgements);
    body->refusal = find_refusal(body->judgements);
    return SNW_OK;
}

static snw_status solve_body(snw__solving *s, int number, int part)
{
    snw_solved_body *body = s->out->body + number;
    double from = 0.4 + 0.6 * number / s->out->body_count, whole = 0.6 / s->out->body_count;
    snw_status status = snw__solve_watch(s, "placing joints", from);
    if (status == SNW_OK) status = make_actor(s, body, part);
    if (status != SNW_OK || s->options->stops_after == SNW_SOLVE_ACTORS) return status;
    status = snw__solve_watch(s, "solving every frame", from + 0.5 * whole);
    if (status == SNW_OK) status = move(s, body);
    if (status == SNW_OK) status = snw__solve_watch(s, "judging", from + 0.9 * whole);
    return status == SNW_OK ? judge(s, body) : status;
}

/* ---- all bodies ---------------------------------------------------------------------------- */

/* How many actors the capture holds; 1 where one was asked for. */
static snw_status count_actors(const snw__solving *s, int *count)
{
    snw_tree *tree = NULL;
    snw_trial start = calibration_part(s);
    snw_actor_options options = actor_options(s, 0);
    *count = 1;
    if (s->options->part || s->options->root || s->options->actor ||
        snw_notes_find(s->out->body->notes, SNW_NOTE_ACTORS, 0) < 0)
        return SNW_OK;
    snw_status status = snw_tree_find(&start, segments_of(s), &options, s->memory, &tree, s->error);
    if (status == SNW_OK) *count = tree->actor_count;
    snw_tree_destroy(tree);
    return status == SNW_OUT_OF_MEMORY ? status : SNW_OK;
}

static snw_status solve_bodies(snw__solving *s)
{
    int part = s->options->part ? s->options->part - 1 : 0, count = 1;
    snw_status status = grow_bodies(s, 1);
    if (status == SNW_OK) status = solve_body(s, 0, part);
    if (status == SNW_OK) status = count_actors(s, &count);
    if (status == SNW_OK && count > 1) status = grow_bodies(s, count);
    for (int b = 1; b < count && status == SNW_OK; b++) {
        status = solve_body(s, b, b);
        if (status == SNW_OK) {
            /* What was said of the capture is not said again with every body. */
            snw_notes *notes = s->out->body[b].notes;
            int kept = 0;
            for (int n = 0; n < notes->count; n++) {
                snw_note_code code = notes->note[n].code;
                if (code != SNW_NOTE_ACTORS && code != SNW_NOTE_OBJECT &&
                    code != SNW_NOTE_SEGMENTS_APART)
                    notes->note[kept++] = notes->note[n];
            }
            notes->count = kept;
        }
    }
    return status;
}

static snw_status run(snw__solving *s, const snw_trial *trial)
{
    snw_solve_stage last = s->options->stops_after;
    snw_status status = snw__solve_prepare(s, trial);
    s->prepared_note_count = s->out->notes->count;
    if (status != SNW_OK || last == SNW_SOLVE_PREPARED) return status;
    if (!s->options->actor) {
        snw_trial start = calibration_part(s);
        s->out->calibrated = start.rate > 0 ? start.frame_count / start.rate : 0;
        status = snw__solve_watch(s, "finding segments", 0.3);
        if (status == SNW_OK) status = find_segments(s, &start);
    }
    if (status != SNW_OK || last == SNW_SOLVE_SEGMENTS) return status;
    status = solve_bodies(s);
    if (status == SNW_OK) {
        for (int b = 0; b < s->out->body_count; b++) {
            const snw_judgements *found = s->out->body[b].judgements;
            if (!found || found->verdict <= s->out->verdict) continue;
            s->out->verdict = found->verdict;
            s->out->gravest = b;
        }
    }
    return status;
}

/* ---- the call ------------------------------------------------------------------------------ */

snw_status snw_solve(const snw_trial *trial, const snw_solve_options *options,
                     const snw_allocator *allocator, snw_solution **out, snw_error *error)
{
    const snw_solve_options none = snw_solve_options_default();
    snw_error own = snw_error_none();
    snw__solving s = {.options = SNW__WANTS_DEFAULTS(options) ? &none : options,
                      .memory = allocator,
                      .given = trial,
                      .error = error ? error : &own};
    snw_allocator memory = snw__allocator_or_default(allocator);
    *out = NULL;
    const snw__bounds bounds[] = {
        {"stops_after of the solve", (double)s.options->stops_after, 0, SNW_SOLVE_STAGE_COUNT - 1},
        {"part of the solve", s.options->part, 0, 1e6},
        {"calibrate_seconds of the solve", s.options->calibrate_seconds, 0, 1e9}};
    if (!trial) return snw__fail(s.error, SNW_INVALID_ARGUMENT, "a solve needs a trial");
    if (s.options->is_live && s.options->is_smooth)
        return snw__fail(s.error, SNW_INVALID_ARGUMENT,
                         "a motion cannot be smoothed live: that looks into the future");
    snw_status status = snw__check_bounds(bounds, sizeof bounds / sizeof *bounds, s.error);
    if (status != SNW_OK) return status;
    s.out = snw__allocate(&memory, sizeof *s.out);
    if (!s.out) return snw__fail_memory(error, sizeof *s.out, "a solution");
    s.out->allocator = memory;
    s.out->recognition.plan = s.out->recognition.set = "";
    s.out->notes = take(&s, sizeof *s.out->notes, "the notes");
    status = s.out->notes ? SNW_OK : SNW_OUT_OF_MEMORY;
    if (status == SNW_OK && s.options->prepared) {
        /* What was known before is known still. */
        *s.out->notes = *s.options->prepared->notes;
        s.out->recognition = s.options->prepared->recognition;
        s.out->join_count = s.options->prepared->join_count;
        s.out->slips = s.options->prepared->slips;
    }
    if (status == SNW_OK) status = run(&s, trial);
    if (status == SNW_OK) status = snw__solve_reread(&s);
    if (status == SNW_OK && s.options->stops_after == SNW_SOLVE_ALL)
        status = snw__solve_find_up(&s);
    if (status != SNW_OK) {
        snw_solution_destroy(s.out);
        return status;
    }
    *out = s.out;
    return snw__succeed(error);
}

snw_status snw_solve_judge(const snw_trial *trial, const snw_allocator *allocator,
                           snw_judgements *out, snw_error *error)
{
    snw_solve_options options = snw_solve_options_default();
    snw_solution *solution = NULL;
    snw_error why;
    options.keeps_zeros = options.skips_join = options.skips_recognition = true;
    options.part = 1;
    snw_judge_labels(trial, out);
    snw_status status = snw_solve(trial, &options, allocator, &solution, &why);
    if (status == SNW_OUT_OF_MEMORY) return snw__fail(error, status, "%s", why.message);
    const snw_judgements *found = status == SNW_OK ? solution->body->judgements : NULL;
    for (int n = 0; found && n < found->count; n++)
        if (found->item[n].verdict != SNW_VERDICT_GREEN) snw_judgements_add(out, found->item + n);
    if (!found) {
        snw_judgement item = snw__judgement_make(SNW_JUDGEMENT_FAR_BODY, SNW_VERDICT_AMBER, 0);
        snw_format(item.sentence, sizeof item.sentence, "no body could be solved: %s", why.message);
        snw_judgements_add(out, &item);
    }
    snw_solution_destroy(solution);
    return snw__succeed(error);
}
