/* `sinew triangulate POINTS`: points of several cameras that nobody named become markers. */
#include <string.h>

#include "input.h"
#include "output.h"
#include "text.h"
#include "views/views.h"

/* Millimetres in the axes of the capture, as `sinew synth --rays` writes them and `sinew fill
 * --rays` reads them. */
static bool print_rays(FILE *out, const void *context)
{
    const snw_reconstruction *made = context;
    fputs(CLI_RAYS_HEAD, out);
    for (int i = 0; i < made->ray_count; i++) {
        const snw_view_ray *ray = made->ray + i;
        cli_put_ray(out, made->trial->marker[ray->marker].name,
                    (int[]){ray->frame + made->trial->first_frame, ray->camera + 1}, ray->origin,
                    ray->direction);
    }
    return true;
}

static int64_t count_samples(const snw_trial *trial)
{
    int64_t count = 0;
    for (int64_t n = 0; n < (int64_t)trial->frame_count * trial->marker_count; n++)
        count += trial->state[n] == SNW_SAMPLE_MEASURED;
    return count;
}

static void print_text(const snw_reconstruction *made)
{
    const snw_trial *trial = made->trial;
    printf(
        "%d trajector%s, %lld samples in %d frames at %g Hz; pictures are known to %.2f pixels\n",
        trial->marker_count, trial->marker_count == 1 ? "y" : "ies",
        (long long)count_samples(trial), trial->frame_count, trial->rate, made->noise);
    printf("  %d of %d points became samples, %d rays of single cameras\n", made->sighting_count,
           made->centroid_count, made->ray_count);
    for (int c = 0; c < made->cameras->count; c++) {
        fputs("  ", stdout);
        cli_print_text(stdout, made->cameras->camera[c].name, 20);
        printf(" %8d sightings%s\n", made->camera[c].sighting_count,
               made->camera[c].is_left_out ? ", left out"
               : made->camera[c].is_moved  ? ", moved"
                                           : "");
    }
}

static void print_json(const snw_reconstruction *made, const snw_notes *notes)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "trajectories", made->trial->marker_count);
    cli_json_integer(&json, "samples", count_samples(made->trial));
    cli_json_integer(&json, "frames", made->trial->frame_count);
    cli_json_number(&json, "noise_px", made->noise);
    cli_json_integer(&json, "points", made->centroid_count);
    cli_json_integer(&json, "points_used", made->sighting_count);
    cli_json_integer(&json, "rays", made->ray_count);
    cli_json_array(&json, "cameras");
    for (int c = 0; c < made->cameras->count; c++)
        cli_json_camera(&json, made->cameras->camera[c].name, made->camera + c);
    cli_json_end_array(&json);
    cli_json_notes(&json, notes);
    cli_json_end_object(&json);
}

snw_reconstruction *cli_reconstruct(const cli_arguments *arguments, const snw_cameras *cameras,
                                    double rate, const snw_reconstruct_options *options)
{
    const char *path = arguments->operand[0];
    snw_reconstruction *made = NULL;
    snw_views *views = NULL;
    snw_error error;
    if (snw_read_views_file(path, cameras, NULL, NULL, &views, &error) != SNW_OK) {
        cli_fail(arguments, "%s", error.message);
        return NULL;
    }
    if (rate > 0) views->rate = rate;
    if (!(views->rate > 0)) {
        views->rate = 100;
        cli_note(arguments, "%s does not say its rate: 100 frames per second are assumed (--rate)",
                 path);
    }
    if (snw_views_reconstruct(views, cameras, options, NULL, &made, &error) != SNW_OK)
        cli_fail(arguments, "%s: %s", path, error.message);
    snw_views_destroy(views);
    return made;
}

int cli_triangulate_points(const cli_arguments *arguments, const snw_cameras *cameras, double rate)
{
    const char *rays = cli_value(arguments, "--rays", NULL);
    static snw_notes notes; /* 19 kB: not on a stack */
    notes = snw_notes_none();
    snw_reconstruct_options options = snw_reconstruct_options_default();
    options.keeps_cameras = cli_flag(arguments, "--keep-cameras");
    options.notes = &notes;
    snw_reconstruction *made = cli_reconstruct(arguments, cameras, rate, &options);
    if (!made) return CLI_FAILED;
    cli_print_notes(arguments, &notes);
    cli_set_up(arguments, made->trial);
    int status = cli_write_triangulated(arguments, made->trial);
    if (status == CLI_DONE && rays) status = cli_write_whole(arguments, rays, print_rays, made);
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(made, &notes);
    else if (status == CLI_DONE)
        print_text(made);
    snw_reconstruction_destroy(made);
    return status;
}
