/* A person in points that nobody named: which points and frames are looked at, the best of several
 * hypotheses, whether it is believed, and the names that follow. */
#include "recognise/recognise.h"

#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "recognise/recognise_constants.h"

/* ---- points and frames ---------------------------------------------------------------------- */

/* Share of the trial in which the marker is seen, and how far it went, metres. */
typedef struct point_life {
    double share;
    double way;
} point_life;

static point_life life_of(const snw_trial *trial, int marker)
{
    int count = 0;
    snw_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int f = 0; f < trial->frame_count; f++) {
        if (!snw_trial_is_present(trial, f, marker)) continue;
        snw_vec3 x = snw_trial_position(trial, f, marker);
        low = snw_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = snw_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        count++;
    }
    point_life life = {count / fmax(1, trial->frame_count), 0};
    if (count) life.way = snw_vec3_distance(low, high);
    return life;
}

/* Do most markers stand? Then what stands is the person, too. */
static bool is_still_trial(const snw_trial *trial)
{
    int still = 0, all = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        point_life life = life_of(trial, m);
        all += life.share >= RECOGNISE_SEEN;
        still += life.share >= RECOGNISE_SEEN && life.way < RECOGNISE_WAY;
    }
    return 2 * still > all;
}

static void choose_points(snw__recognise_work *work)
{
    const snw_trial *trial = work->trial;
    bool is_still = is_still_trial(trial);
    for (int m = 0; m < trial->marker_count; m++) {
        point_life life = life_of(trial, m);
        if (life.share < RECOGNISE_SEEN || work->point_count >= SNW__RECOGNISE_POINTS) continue;
        if (life.way < RECOGNISE_WAY && !is_still) continue;
        work->marker[work->point_count++] = m;
    }
}

static void choose_frames(snw__recognise_work *work)
{
    const snw_trial *trial = work->trial;
    double rate = trial->rate > 0 ? trial->rate : 100;
    double wanted =
        snw_clamp(trial->frame_count / rate * RECOGNISE_RATE, 12, SNW__RECOGNISE_FRAMES);
    if (wanted > trial->frame_count) wanted = trial->frame_count;
    work->frame_count = (int)wanted;
    for (int n = 0; n < work->frame_count; n++)
        work->frame[n] = (int)((n + 0.5) * trial->frame_count / work->frame_count);
}

static void read_points(snw__recognise_work *work)
{
    for (int f = 0; f < work->frame_count; f++)
        for (int p = 0; p < work->point_count; p++) {
            int at = f * work->point_count + p;
            work->is_seen[at] = snw_trial_is_present(work->trial, work->frame[f], work->marker[p]);
            if (work->is_seen[at])
                work->position[at] =
                    snw_trial_position(work->trial, work->frame[f], work->marker[p]);
        }
}

/* ---- plans ---------------------------------------------------------------------------------- */

static bool plan_has(snw__plan plan, snw_part part)
{
    bool is_leg = part == SNW_PART_UPLEG || part == SNW_PART_LEG || part == SNW_PART_FOOT;
    bool is_arm = part == SNW_PART_ARM || part == SNW_PART_FOREARM || part == SNW_PART_HAND;
    if (plan == SNW__PLAN_LEGS) return is_leg || part == SNW_PART_HIPS;
    if (plan == SNW__PLAN_ARMLESS) return !is_arm;
    return plan == SNW__PLAN_BODY || !is_leg;
}

void snw__recognise_plan(snw__recognise_work *work, snw__plan plan)
{
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
        work->has_segment[s] = plan_has(plan, snw__segment_of(s).part);
    for (int a = 0; a < work->site_count; a++)
        work->share[a] = work->has_segment[work->site[a].segment] ? work->site[a].row->share : 0;
}

static void *lay_out_work(snw__block *block, snw__recognise_work *sizes)
{
    snw__recognise_work *work = snw__block_take(block, 1, sizeof *work);
    snw__recognise_work *to = work ? work : sizes;
    if (work) *work = *sizes;
    size_t points = (size_t)sizes->point_count, samples = points * (size_t)sizes->frame_count;
    size_t columns = (size_t)sizes->site_count + points;
    to->position = snw__block_take(block, samples, sizeof(snw_vec3));
    to->is_seen = snw__block_take(block, samples, sizeof(bool));
    to->cost = snw__block_take(block, points * columns, sizeof(double));
    to->assignment.row_dual = snw__block_take(block, points, sizeof(double));
    to->assignment.column_dual = snw__block_take(block, columns + 1, sizeof(double));
    to->assignment.distance = snw__block_take(block, columns + 1, sizeof(double));
    to->assignment.owner = snw__block_take(block, columns + 1, sizeof(int));
    to->assignment.from = snw__block_take(block, columns + 1, sizeof(int));
    to->assignment.is_done = snw__block_take(block, columns + 1, sizeof(bool));
    return work;
}
/* ---- the best hypothesis -------------------------------------------------------------------- */

static int segment_of(const snw__recognise_work *work, int choice)
{
    if (choice < 0) return -1;
    return choice < work->site_count ? work->site[choice].segment : choice - work->site_count;
}

/* Points that two hypotheses put on different segments. */
static int difference(const snw__recognise_work *work, const snw__hypothesis *a,
                      const snw__hypothesis *b)
{
    int count = 0;
    for (int p = 0; p < work->point_count; p++)
        count += segment_of(work, a->choice[p]) != segment_of(work, b->choice[p]);
    return count;
}

static const snw__hypothesis *search(snw__recognise_work *work, double *margin)
{
    for (int plan = 0; plan < SNW__PLAN_COUNT; plan++) {
        int max = plan == SNW__PLAN_BODY ? RECOGNISE_BODY_STARTS : RECOGNISE_PART_STARTS;
        work->hypothesis_count += snw__recognise_starts(
            work, (snw__plan)plan, work->hypothesis + work->hypothesis_count, max);
    }
    const snw__hypothesis *best = NULL;
    for (int k = 0; k < work->hypothesis_count; k++) {
        snw__recognise_track(work, work->hypothesis + k);
        if (!best || work->hypothesis[k].cost < best->cost) best = work->hypothesis + k;
    }
    *margin = RECOGNISE_MARGIN_MAX;
    for (int k = 0; k < work->hypothesis_count && best; k++) {
        const snw__hypothesis *other = work->hypothesis + k;
        if (difference(work, best, other) > RECOGNISE_SAME * work->point_count)
            *margin = fmin(*margin, other->cost - best->cost);
    }
    return best;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* What a cluster on a segment is called: "LTH1". */
static const char *const cluster_names[SNW_PART_COUNT] = {
    [SNW_PART_HIPS] = "PV",       [SNW_PART_CHEST] = "CHEST", [SNW_PART_HEAD] = "HEAD",
    [SNW_PART_SHOULDER] = "SCAP", [SNW_PART_ARM] = "UA",      [SNW_PART_FOREARM] = "FA",
    [SNW_PART_HAND] = "HAND",     [SNW_PART_UPLEG] = "TH",    [SNW_PART_LEG] = "SK",
    [SNW_PART_FOOT] = "FT",
};

static void name_markers(const snw__recognise_work *work, const snw__hypothesis *best,
                         snw_recognised *recognised)
{
    static const char *const sides[] = {"", "L", "R"};
    int numbers[SNW__SEGMENT_COUNT] = {0};
    for (int p = 0; p < work->point_count; p++) {
        snw_recognised_marker *marker = recognised->marker + work->marker[p];
        int choice = best->choice[p], segment = segment_of(work, choice);
        marker->cost = best->price[p];
        if (segment < 0) continue;
        marker->part = snw__segment_of(segment).part;
        marker->side = snw__segment_side(segment);
        recognised->named_count++;
        if (choice < work->site_count) {
            recognised->site_count++;
            snw_format(marker->name, sizeof marker->name, "%s%s", sides[work->site[choice].side],
                       work->site[choice].row->name);
        } else {
            snw_format(marker->name, sizeof marker->name, "%s%s%d", sides[marker->side],
                       cluster_names[marker->part], ++numbers[segment]);
        }
    }
}

static void judge(const snw__recognise_work *work, const snw__hypothesis *best, double margin,
                  snw_recognised *recognised)
{
    name_markers(work, best, recognised);
    recognised->stature = snw__exp(best->log_stature);
    recognised->margin = margin;
    recognised->cost = best->cost / work->point_count;
    recognised->is_person = margin >= RECOGNISE_MARGIN && recognised->cost <= RECOGNISE_COST &&
                            recognised->named_count >= RECOGNISE_NAMED * work->point_count;
}

/* ---- the whole ------------------------------------------------------------------------------ */

void snw_recognised_destroy(snw_recognised *recognised)
{
    if (!recognised) return;
    snw_allocator allocator = recognised->allocator;
    snw__release(&allocator, recognised, recognised->block_size);
}

static snw_recognised *lay_out_result(snw__block *block, int marker_count)
{
    snw_recognised *recognised = snw__block_take(block, 1, sizeof *recognised);
    snw_recognised_marker *marker =
        snw__block_take(block, (size_t)marker_count, sizeof(snw_recognised_marker));
    if (recognised) recognised->marker = marker;
    return recognised;
}

static snw_status create_result(const snw_trial *trial, const snw_allocator *allocator,
                                snw_recognised **out, snw_error *error)
{
    snw__block block = {NULL, 0, 0};
    lay_out_result(&block, trial->marker_count);
    size_t size = block.size;
    if (!snw__block_allocate(&block, allocator))
        return snw__fail_memory(error, size, "recognised markers");
    *out = lay_out_result(&block, trial->marker_count);
    (*out)->marker_count = trial->marker_count;
    (*out)->allocator = *allocator;
    (*out)->block_size = size;
    return snw__block_check(&block, error);
}

/* Names that people gave tell more than shapes. */
static bool is_unnamed(const snw_trial *trial)
{
    int automatic = 0;
    for (int m = 0; m < trial->marker_count; m++)
        automatic += snw_label_is_automatic(trial->marker[m].name);
    return automatic >= RECOGNISE_UNNAMED * trial->marker_count;
}

static snw_status recognise(snw__recognise_work *sizes, const snw_allocator *allocator,
                            snw_recognised *recognised, snw_error *error)
{
    snw__block block = {NULL, 0, 0};
    lay_out_work(&block, sizes);
    size_t size = block.size;
    if (!snw__block_allocate(&block, allocator))
        return snw__fail_memory(error, size, "the search for a person");
    void *memory = block.base;
    snw__recognise_work *work = lay_out_work(&block, sizes);
    snw_status status = snw__block_check(&block, error);
    if (status == SNW_OK) {
        double margin;
        read_points(work);
        const snw__hypothesis *best = search(work, &margin);
        if (best) judge(work, best, margin, recognised);
    }
    snw__release(allocator, memory, size);
    return status;
}

static void tell(const snw_recognised *recognised, snw_notes *notes)
{
    if (!recognised->point_count) return;
    if (recognised->is_person)
        snw__note(notes, SNW_NOTE_PERSON_RECOGNISED, SNW__NOWHERE,
                  "a person was recognised in %d of %d unnamed markers, %d of them at places that "
                  "marker sets use (stature about %.2f m): limbs and joints are named by that",
                  recognised->named_count, recognised->point_count, recognised->site_count,
                  recognised->stature);
    else
        snw__note(
            notes, SNW_NOTE_PERSON_NOT_RECOGNISED, SNW__NOWHERE,
            "no person was recognised in %d unnamed markers: limbs come from the motion alone",
            recognised->point_count);
}

snw_status snw_trial_recognise(const snw_trial *trial, const snw_allocator *allocator,
                               snw_recognised **out, snw_notes *notes, snw_error *error)
{
    *out = NULL;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_status status = create_result(trial, &memory, out, error);
    if (status != SNW_OK) return status;
    snw_recognised *recognised = *out;
    snw__recognise_work sizes;
    memset(&sizes, 0, sizeof sizes);
    sizes.trial = trial;
    sizes.site_count = snw__sites_fill(sizes.site);
    if (is_unnamed(trial)) {
        choose_points(&sizes);
        choose_frames(&sizes);
    }
    if (sizes.point_count >= RECOGNISE_POINTS && sizes.frame_count > 0) {
        recognised->point_count = sizes.point_count;
        status = recognise(&sizes, &memory, recognised, error);
    }
    if (status != SNW_OK) {
        snw_recognised_destroy(recognised);
        *out = NULL;
        return status;
    }
    tell(recognised, notes);
    return snw__succeed(error);
}

snw_status snw_recognised_name(const snw_recognised *recognised, snw_trial *trial, snw_error *error)
{
    if (trial->marker_count != recognised->marker_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "%d markers were recognised, but the trial has %d",
                         recognised->marker_count, trial->marker_count);
    for (int m = 0; m < trial->marker_count && recognised->is_person; m++) {
        if (!recognised->marker[m].name[0] || !snw_label_is_automatic(trial->marker[m].name))
            continue;
        snw_status status = snw_trial_set_marker_name(trial, m, recognised->marker[m].name, error);
        if (status != SNW_OK) return status;
    }
    return snw__succeed(error);
}
#ifdef DEV
#include "/tmp/unlabelled/dev.inc"
#endif
