/* Segments that are hidden for a while: how far their markers are from the truth, by the forward
 * pass alone, turned evenly from the last seen rotation to the next (slerp), and as snw_actor_solve
 * joins the two passes.
 *
 *     bench_hidden [MOTION.bvh ...]      without files: the built-in walk, dance, boxing, reach
 *
 * Four markers on every segment, 0.3 mm of noise, 2 mm of moving skin. The actor is calibrated on
 * the whole capture; then one segment after another is hidden in turn: all markers of a joint's
 * segment and of those below it, or all but one of the segment itself (its twist is open). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

/* Frames at each end that stay seen, and seconds between two gaps. */
#define HIDDEN_MARGIN 20
#define HIDDEN_PAUSE  0.5

typedef struct hidden_scene {
    snw_skeleton *body;
    snw_motion *source; /* NULL: built in */
    snw_synth *synth;
    snw_actor *actor;
    snw_trial *gapped;
    int *marker_at; /* (marker_count) of the actor's markers, in the trial */
} hidden_scene;

typedef enum hidden_way {
    HIDDEN_WHOLE, /* the segment and all below it */
    HIDDEN_TWIST, /* the same, but one marker of the segment stays: its swing is known */
    HIDDEN_WAY_COUNT
} hidden_way;

/* Squared distances. */
typedef struct hidden_sums {
    double forward, slerp, solved;
    int count;
} hidden_sums;

static void die(const char *message)
{
    fprintf(stderr, "bench_hidden: %s\n", message);
    exit(1);
}

static void release(hidden_scene *scene)
{
    free(scene->marker_at);
    snw_trial_destroy(scene->gapped);
    snw_actor_destroy(scene->actor);
    snw_synth_destroy(scene->synth);
    snw_motion_destroy(scene->source);
    snw_skeleton_destroy(scene->body);
}

static hidden_scene make_scene(const char *path, snw_synth_motion_kind kind)
{
    hidden_scene scene;
    snw_solution *solution = NULL;
    snw_solve_options solve = {.stops_after = SNW_SOLVE_ACTORS, .part = 1};
    snw_error error;
    memset(&scene, 0, sizeof scene);
    snw_synth_options options = snw_synth_options_default();
    options.motion = kind;
    options.seconds = 20;
    options.placement = SNW_SYNTH_RANDOM;
    if (path) {
        if (snw_read_motion_file(path, NULL, NULL, &scene.source, NULL, &error) != SNW_OK)
            die(error.message);
    } else if (snw_preset_create("humanoid", NULL, &scene.body, &error) != SNW_OK) {
        die(error.message);
    }
    if (snw_synth_create(scene.source ? scene.source->skeleton : scene.body, scene.source, &options,
                         NULL, &scene.synth, &error) != SNW_OK ||
        snw_solve(scene.synth->capture, &solve, NULL, &solution, &error) != SNW_OK ||
        snw_actor_copy(solution->body->kept, NULL, &scene.actor, &error) != SNW_OK)
        die(error.message);
    snw_solution_destroy(solution);
    scene.marker_at = malloc((size_t)scene.actor->marker_count * sizeof *scene.marker_at);
    if (!scene.marker_at) die("no memory");
    for (int m = 0; m < scene.actor->marker_count; m++)
        scene.marker_at[m] =
            snw_trial_find_marker(scene.synth->capture, scene.actor->marker[m].name);
    return scene;
}

/* ---- gaps ----------------------------------------------------------------------------------- */

static bool is_below(const snw_skeleton *body, int joint, int above)
{
    while (joint > above)
        joint = body->parent[joint];
    return joint == above;
}

/* Which markers the nth gap hides. The root is never hidden. */
static bool is_hidden(const hidden_scene *scene, hidden_way way, int gap, int marker)
{
    const snw_skeleton *body = scene->actor->skeleton;
    int joint = 1 + gap * 7 % (body->joint_count - 1);
    int own = scene->actor->marker[marker].joint;
    if (!is_below(body, own, joint)) return false;
    bool is_first = marker == 0 || scene->actor->marker[marker - 1].joint != own;
    return way == HIDDEN_WHOLE || own != joint || !is_first;
}

/* The gap that frame is in, or -1. */
static int gap_of(const snw_trial *trial, int frame, int length)
{
    int period = length + (int)(HIDDEN_PAUSE * trial->rate), at = frame - HIDDEN_MARGIN;
    if (at < 0 || frame >= trial->frame_count - HIDDEN_MARGIN) return -1;
    if (HIDDEN_MARGIN + at / period * period + length > trial->frame_count - HIDDEN_MARGIN)
        return -1;
    return at % period < length ? at / period : -1;
}

static void hide(hidden_scene *scene, hidden_way way, int length)
{
    snw_error error;
    snw_trial_destroy(scene->gapped);
    if (snw_trial_copy(scene->synth->capture, NULL, &scene->gapped, &error) != SNW_OK)
        die(error.message);
    for (int frame = 0; frame < scene->gapped->frame_count; frame++)
        for (int m = 0; m < scene->actor->marker_count; m++) {
            int gap = gap_of(scene->gapped, frame, length);
            if (gap < 0 || !is_hidden(scene, way, gap, m)) continue;
            snw_trial_set(scene->gapped, frame, scene->marker_at[m], snw_vec3_make(0, 0, 0),
                          SNW_SAMPLE_MISSING);
        }
}

/* ---- the three ways ------------------------------------------------------------------------- */

static snw_motion *run_forward(const hidden_scene *scene, uint8_t *observed)
{
    snw_motion *motion = NULL;
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    snw_error error;
    const snw_trial *trial = scene->gapped;
    size_t joints = (size_t)scene->actor->skeleton->joint_count;
    if (snw_motion_create(scene->actor->skeleton, trial->frame_count, trial->rate, NULL, &motion,
                          &error) != SNW_OK ||
        snw_tracker_create_for_trial(scene->actor, trial, NULL, NULL, &tracker, &error) != SNW_OK ||
        snw_pose_create(scene->actor->skeleton, NULL, &pose, &error) != SNW_OK)
        die(error.message);
    for (int frame = 0; frame < trial->frame_count; frame++) {
        snw_frame view = snw_trial_frame(trial, frame);
        snw_tracker_step(tracker, &view, pose);
        snw_motion_set(motion, frame, pose);
        for (size_t j = 0; j < joints; j++)
            observed[(size_t)frame * joints + j] =
                snw_tracker_observability(tracker, (int)j).is_observed;
    }
    snw_pose_destroy(pose);
    snw_tracker_destroy(tracker);
    return motion;
}

/* Turns joints that nothing holds evenly, in place. */
static void turn_evenly(snw_motion *motion, const uint8_t *observed)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    for (size_t j = 1; j < joints; j++)
        for (int from = 0; from < motion->frame_count; from++) {
            int to = from;
            while (to < motion->frame_count && !observed[(size_t)to * joints + j])
                to++;
            bool is_inside = from > 0 && to < motion->frame_count;
            snw_quat *rotation = motion->rotation + j;
            for (int k = from; is_inside && k < to; k++)
                rotation[(size_t)k * joints] = snw_quat_slerp(rotation[(size_t)(from - 1) * joints],
                                                              rotation[(size_t)to * joints],
                                                              (k - from + 1.0) / (to - from + 1.0));
            from = to;
        }
}

/* Sum of squared distances of the hidden markers from the truth. */
static double measure(const hidden_scene *scene, const snw_motion *motion, int *count)
{
    snw_pose *pose = NULL;
    double sum = 0;
    *count = 0;
    if (snw_pose_create(motion->skeleton, NULL, &pose, NULL) != SNW_OK) die("no memory");
    for (int frame = 0; frame < motion->frame_count; frame++) {
        snw_motion_get(motion, frame, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < scene->actor->marker_count; m++) {
            const snw_actor_marker *marker = scene->actor->marker + m;
            int at = scene->marker_at[m];
            if (snw_trial_is_present(scene->gapped, frame, at)) continue;
            snw_vec3 truth = snw_trial_position(scene->synth->marker_truth, frame, at);
            sum += snw_vec3_length2(
                snw_vec3_sub(snw_pose_point(pose, marker->joint, marker->offset), truth));
            ++*count;
        }
    }
    snw_pose_destroy(pose);
    return sum;
}

static hidden_sums compare(const hidden_scene *scene)
{
    hidden_sums sums;
    snw_motion *solved = NULL;
    snw_error error;
    size_t samples =
        (size_t)scene->gapped->frame_count * (size_t)scene->actor->skeleton->joint_count;
    uint8_t *observed = malloc(samples);
    if (!observed) die("no memory");
    snw_motion *motion = run_forward(scene, observed);
    sums.forward = measure(scene, motion, &sums.count);
    turn_evenly(motion, observed);
    sums.slerp = measure(scene, motion, &sums.count);
    if (snw_actor_solve(scene->actor, scene->gapped, NULL, NULL, &solved, &error) != SNW_OK)
        die(error.message);
    sums.solved = measure(scene, solved, &sums.count);
    snw_motion_destroy(solved);
    snw_motion_destroy(motion);
    free(observed);
    return sums;
}

static void print_row(const char *name, double seconds, const hidden_sums *sums)
{
    double scale = sums->count ? 1e6 / sums->count : 0;
    printf("%-28s %5.1f s %8.1f %8.1f %8.1f\n", name, seconds, sqrt(sums->forward * scale),
           sqrt(sums->slerp * scale), sqrt(sums->solved * scale));
}

int main(int argument_count, char **arguments)
{
    static const double lengths[] = {0.2, 0.5, 1.0};
    static const snw_synth_motion_kind kinds[] = {SNW_SYNTH_WALK, SNW_SYNTH_DANCE, SNW_SYNTH_BOXING,
                                                  SNW_SYNTH_REACH};
    static const char *const ways[] = {"segment and all below", "the same, one marker stays"};
    hidden_sums total[HIDDEN_WAY_COUNT][3];
    memset(total, 0, sizeof total);
    printf("%-28s %7s %8s %8s %8s  rms mm of hidden markers\n", "motion", "hidden", "forward",
           "slerp", "solve");
    int count = argument_count > 1 ? argument_count - 1 : 4;
    for (int n = 0; n < count; n++) {
        const char *path = argument_count > 1 ? arguments[n + 1] : NULL;
        hidden_scene scene = make_scene(path, kinds[n % 4]);
        const char *name = path ? path : snw_synth_motion_name(kinds[n % 4]);
        if (path && strrchr(path, '/')) name = strrchr(path, '/') + 1;
        for (int way = 0; way < HIDDEN_WAY_COUNT; way++)
            for (int l = 0; l < 3; l++) {
                hide(&scene, (hidden_way)way, (int)(lengths[l] * scene.synth->capture->rate));
                hidden_sums sums = compare(&scene);
                char label[64];
                snw_format(label, sizeof label, "%s, %s", name, way ? "twist" : "whole");
                print_row(label, lengths[l], &sums);
                total[way][l].forward += sums.forward;
                total[way][l].slerp += sums.slerp;
                total[way][l].solved += sums.solved;
                total[way][l].count += sums.count;
            }
        release(&scene);
    }
    for (int way = 0; way < HIDDEN_WAY_COUNT; way++)
        for (int l = 0; l < 3; l++)
            print_row(ways[way], lengths[l], &total[way][l]);
    return 0;
}
