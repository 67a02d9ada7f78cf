/* A trial through the live predictor.
 *
 * The predictor itself knows the past alone. What it must know beforehand is which markers form a
 * segment and which segments are joined: from an actor (--actor), or from the first seconds of the
 * trial
 * (--calibrate), as a live capture would do it. Both ways (without --realtime) the whole trial
 * tells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fill/fill.h"
#include "fill/rays.h"
#include "input.h"
#include "output.h"

/* Seconds at the start of a trial that tell segments and joints. */
#define FILL_CALIBRATE 10.0

typedef struct fill_structure {
    snw_segments *segments;
    int *neighbour; /* (segment_count) */
} fill_structure;

static void release_structure(fill_structure *structure)
{
    free(structure->neighbour);
    snw_segments_destroy(structure->segments);
}

/* Segments with markers are segments; a segment's neighbour is the next one towards the root. */
static snw_status structure_of_actor(const snw_actor *actor, const snw_trial *trial,
                                     fill_structure *structure, snw_error *error)
{
    const snw_skeleton *skeleton = actor->skeleton;
    const char **name = malloc(((size_t)trial->marker_count + 1) * sizeof *name);
    int *segment_of = malloc(((size_t)trial->marker_count + 1) * sizeof *segment_of);
    int *count = calloc((size_t)skeleton->joint_count + 1, sizeof *count);
    structure->neighbour = malloc(((size_t)skeleton->joint_count + 1) * sizeof(int));
    snw_status status = SNW_OUT_OF_MEMORY;
    if (name && segment_of && count && structure->neighbour) {
        for (int m = 0; m < trial->marker_count; m++) {
            name[m] = trial->marker[m].name;
            segment_of[m] = -1;
        }
        snw_name_list names = {name, trial->marker_count};
        for (int m = 0; m < actor->marker_count; m++) {
            int source = snw_actor_find_marker(actor, &names, m);
            if (source < 0) continue;
            segment_of[source] = actor->marker[m].joint;
            count[actor->marker[m].joint]++;
        }
        for (int j = 0; j < skeleton->joint_count; j++) {
            int up = skeleton->parent[j];
            while (up >= 0 && count[up] == 0)
                up = skeleton->parent[up];
            structure->neighbour[j] = up;
        }
        status = snw_segments_create(segment_of, trial->marker_count,
                                     (const char *const *)skeleton->name, NULL,
                                     &structure->segments, error);
    }
    /* Joints behind the last one with markers are no segments. */
    for (int j = 0; status == SNW_OK && j < structure->segments->segment_count; j++)
        if (structure->neighbour[j] >= structure->segments->segment_count)
            structure->neighbour[j] = -1;
    free(count);
    free(segment_of);
    free(name);
    return status;
}

static snw_status structure_of_trial(const snw_trial *part, fill_structure *structure,
                                     snw_notes *notes, snw_error *error)
{
    snw_status status = snw_segments_find(part, NULL, NULL, &structure->segments, notes, error);
    if (status != SNW_OK) return status;
    structure->neighbour = malloc(((size_t)structure->segments->segment_count + 1) * sizeof(int));
    if (!structure->neighbour) return SNW_OUT_OF_MEMORY;
    return snw_segment_neighbours(part, structure->segments, NULL, structure->neighbour, error);
}

static int find_structure(const cli_arguments *arguments, const snw_trial *trial, snw_notes *notes,
                          fill_structure *structure)
{
    double seconds = FILL_CALIBRATE;
    snw_error error = snw_error_none();
    snw_status status;
    if (!cli_number(arguments, "--calibrate", 0.01, 1e6, &seconds)) return CLI_USAGE;
    const char *path = cli_value(arguments, "--actor", NULL);
    if (path) {
        snw_actor *actor = cli_read_actor(arguments, path);
        if (!actor) return CLI_FAILED;
        status = structure_of_actor(actor, trial, structure, &error);
        snw_actor_destroy(actor);
    } else if (cli_flag(arguments, "--realtime")) {
        double rate = trial->rate > 0 ? trial->rate : 100;
        int frames = (int)fmin(ceil(seconds * rate), trial->frame_count);
        snw_trial part = snw_trial_window(trial, 0, frames);
        status = structure_of_trial(&part, structure, notes, &error);
        if (status == SNW_OK)
            cli_note(
                arguments,
                "segments and neighbours are of the first %.3g s; what is predicted after that "
                "knows the past alone",
                frames / rate);
    } else {
        status = structure_of_trial(trial, structure, notes, &error);
    }
    if (status == SNW_OK) return CLI_DONE;
    return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
}

int cli_fill_predict(const cli_arguments *arguments, const snw_trial *trial,
                     snw_predict_method method, snw_notes *notes, snw_trial **out)
{
    snw_predict_options options = snw_predict_options_default();
    fill_structure structure = {NULL, NULL};
    cli_rays rays = {0, NULL};
    snw_error error = snw_error_none();
    const char *path = cli_value(arguments, "--rays", NULL);
    int code = CLI_DONE;
    options.method = method;
    if (!cli_number(arguments, "--blend", 0, 1000, &options.blend_seconds)) return CLI_USAGE;
    if (path) code = cli_rays_read(arguments, path, trial, &rays);
    if (code == CLI_DONE) code = find_structure(arguments, trial, notes, &structure);
    snw_predict_job job = {structure.segments, structure.neighbour, rays.ray, rays.count,
                           !cli_flag(arguments, "--realtime")};
    if (code == CLI_DONE && snw_trial_predict(trial, &job, &options, NULL, out, &error) != SNW_OK)
        code = cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    free(rays.ray);
    release_structure(&structure);
    return code;
}
