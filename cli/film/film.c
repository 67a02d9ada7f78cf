/* `sinew film`: a motion as a film or a picture, drawn by this program itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "film/image.h"
#include "film/scene.h"
#include "input.h"
#include "output.h"
#include "shape/figure.h"
#include "text.h"
#include "verdict.h"

/* Everything of one call. */
typedef struct film_job {
    cli_content content;
    snw_solution *solution;
    snw_motion *rigged[FILM_BODIES]; /* in a T, or at rest */
    snw_skin *skin[FILM_BODIES];
    film_scene scene;
    film_canvas canvas;
    film_strip strip;
    bool (*write)(const film_strip *strip, FILE *out);
    double step; /* frames of the motion from one picture to the next */
} film_job;

static void release_job(film_job *job)
{
    for (int b = 0; b < FILM_BODIES; b++) {
        snw_pose_destroy(job->scene.body[b].pose);
        free(job->scene.body[b].surface);
        free(job->scene.body[b].normal);
        snw_skin_destroy(job->skin[b]);
        snw_motion_destroy(job->rigged[b]);
    }
    film_canvas_release(&job->canvas);
    snw_solution_destroy(job->solution);
    cli_release_content(&job->content);
}

/* ---- what moves --------------------------------------------------------------------------------
 */

static void add_body(film_job *job, const snw_motion *motion)
{
    if (job->scene.body_count < FILM_BODIES && motion->frame_count > 0)
        job->scene.body[job->scene.body_count++].motion = motion;
}

/* A body without a motion stands as it rests: one frame. */
static int add_still(const cli_arguments *arguments, film_job *job)
{
    snw_error error;
    snw_motion **rest = job->rigged;
    if (snw_motion_create(job->content.motion->skeleton, 1, 1, NULL, rest, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    add_body(job, *rest);
    return CLI_DONE;
}

static int take_rotations(const cli_arguments *arguments, film_job *job)
{
    snw_error error;
    if (snw_motion_from_rotations(job->content.trial, NULL, &job->content.motion, NULL, &error) !=
        SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    add_body(job, job->content.motion);
    return CLI_DONE;
}

static int solve_capture(const cli_arguments *arguments, film_job *job)
{
    snw_solve_options options = cli_prepare_options(arguments);
    snw_error error;
    if (snw_solve(job->content.trial, &options, NULL, &job->solution, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    cli_print_bodies_verdict(arguments, job->solution);
    for (int b = 0; b < job->solution->body_count; b++)
        if (job->solution->body[b].motion) add_body(job, job->solution->body[b].motion);
    if (cli_flag(arguments, "--markers")) job->scene.trial = job->solution->trial;
    return CLI_DONE;
}

/* Which way is up: what was said, what the capture says, the custom of the file. */
static int find_up(const cli_arguments *arguments, film_job *job)
{
    const snw_trial *trial = job->solution ? job->solution->trial : job->content.trial;
    bool is_robot =
        job->content.format == SNW_FORMAT_URDF || job->content.format == SNW_FORMAT_MJCF;
    snw_up_axis up = trial ? trial->up : is_robot ? SNW_UP_Z : SNW_UP_Y;
    if (up == SNW_UP_UNKNOWN) up = SNW_UP_Z;
    if (cli_flag(arguments, "--up") && !cli_parse_up(arguments, "--up", &up)) return CLI_USAGE;
    job->scene.turn = snw_quat_between(snw_up_direction(up), snw_vec3_make(0, 1, 0));
    return CLI_DONE;
}

static int read_motion(const cli_arguments *arguments, film_job *job)
{
    const char *path = arguments->operand[0];
    if (!cli_read_content(arguments, path, cli_value(arguments, "--asf", NULL), &job->content))
        return CLI_FAILED;
    cli_print_notes(arguments, &job->content.notes);
    int code = CLI_DONE;
    const snw_trial *trial = job->content.trial;
    if (job->content.motion && job->content.motion->frame_count < 1)
        code = add_still(arguments, job);
    else if (job->content.motion)
        add_body(job, job->content.motion);
    else if (trial && trial->rotation_count && trial->marker_count < 3)
        code = take_rotations(arguments, job);
    else if (trial)
        code = solve_capture(arguments, job);
    if (code != CLI_DONE) return code;
    if (!job->scene.body_count) return cli_fail(arguments, "%s holds no motion", path);
    if (cli_flag(arguments, "--markers") && !job->scene.trial)
        return cli_misuse(arguments, "--markers is for captures, and %s holds none", path);
    return find_up(arguments, job);
}

/* ---- surfaces ----------------------------------------------------------------------------------
 */

/* A person's surface stands round a body that rests in a T. */
static int lay_in_t(const cli_arguments *arguments, film_job *job, int b)
{
    film_body *body = job->scene.body + b;
    snw_rig_options options = snw_rig_options_default();
    snw_error error;
    options.up = snw_quat_unrotate(job->scene.turn, snw_vec3_make(0, 1, 0));
    snw_motion *rigged = NULL;
    for (int n = 0; job->solution && n < job->solution->body_count; n++)
        for (int side = 0; side < SNW_SIDES; side++)
            if (job->solution->body[n].motion == body->motion)
                options.thumb[side] = snw_actor_thumb(job->solution->body[n].actor, (snw_side)side);
    if (snw_motion_to_rig(body->motion, &options, NULL, &rigged, NULL, &error) != SNW_OK)
        return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    snw_motion_destroy(job->rigged[b]);
    body->motion = job->rigged[b] = rigged;
    return CLI_DONE;
}

static bool is_hand(const film_body *body)
{
    return snw_figure_is_hand(body->motion->skeleton);
}

static int make_skin(const cli_arguments *arguments, film_job *job, int b)
{
    film_body *body = job->scene.body + b;
    int code = is_hand(body) ? CLI_DONE : lay_in_t(arguments, job, b);
    if (code == CLI_DONE)
        code = cli_make_skin(arguments, cli_capture_of_one(job->solution), body->motion->skeleton,
                             &job->skin[b]);
    if (code != CLI_DONE) return code;
    size_t count = (size_t)job->skin[b]->mesh->count.vertex_count;
    body->skin = job->skin[b];
    body->surface = malloc((count + 1) * 3 * sizeof *body->surface);
    body->normal = malloc((count + 1) * sizeof *body->normal);
    return body->surface && body->normal ? CLI_DONE : cli_fail(arguments, "out of memory");
}

static int make_bodies(const cli_arguments *arguments, film_job *job)
{
    snw_error error;
    int code = CLI_DONE;
    bool has_skin = cli_flag(arguments, "--skin");
    for (int b = 0; code == CLI_DONE && has_skin && b < job->scene.body_count; b++)
        code = make_skin(arguments, job, b);
    if (code == CLI_DONE && has_skin && !is_hand(job->scene.body))
        job->scene.turn = snw_quat_identity();
    for (int b = 0; code == CLI_DONE && b < job->scene.body_count; b++) {
        film_body *body = job->scene.body + b;
        if (snw_pose_create(body->motion->skeleton, NULL, &body->pose, &error) != SNW_OK)
            code = cli_fail(arguments, "%s", error.message);
    }
    return code;
}

/* ---- which pictures ----------------------------------------------------------------------------
 */

static int choose_size(const cli_arguments *arguments, film_job *job)
{
    const char *text = cli_value(arguments, "--size", "640x480");
    int width = 0, height = 0, used = 0;
    if (sscanf(text, "%dx%d%n", &width, &height, &used) < 2 || text[used] || width < 16 ||
        height < 16 || width > 4096 || height > 4096)
        return cli_misuse(arguments, "--size takes WIDTHxHEIGHT, each 16 to 4096, not \"%s\"",
                          text);
    if (!film_canvas_create(&job->canvas, width, height))
        return cli_fail(arguments, "out of memory");
    job->strip.width = width;
    job->strip.height = height;
    return CLI_DONE;
}

/* The film from --from to --to seconds, or one picture at --picture. */
static int choose_times(const cli_arguments *arguments, film_job *job)
{
    const snw_motion *motion = job->scene.body[0].motion;
    double rate = motion->rate > 0 ? motion->rate : 1, speed = 1;
    double end = (motion->frame_count - 1) / rate, from = 0, to = end, at = 0;
    bool is_picture = cli_flag(arguments, "--picture");
    job->strip.rate = 25;
    if (!cli_number(arguments, "--from", 0, 1e6, &from) ||
        !cli_number(arguments, "--to", 0, 1e6, &to) ||
        !cli_number(arguments, "--picture", 0, 1e6, &at) ||
        !cli_number(arguments, "--rate", 0.5, 100, &job->strip.rate) ||
        !cli_number(arguments, "--speed", 0.01, 100, &speed))
        return CLI_USAGE;
    if (is_picture) from = to = at;
    if (from > end + 1e-9 || to < from)
        return cli_fail(arguments, "%s lasts %.2f s: there is nothing from %.2f to %.2f",
                        arguments->operand[0], end, from, to);
    to = fmin(to, end);
    job->scene.rate = rate;
    job->scene.first = (int)(from * rate + 0.5);
    job->scene.last = (int)(to * rate + 0.5);
    job->step = rate * speed / job->strip.rate;
    double count = is_picture ? 1 : floor((to - from) * job->strip.rate / speed + 1e-6) + 1;
    if (count > 100000)
        return cli_fail(arguments, "that would be %.0f pictures (--from, --to, --rate, --speed)",
                        count);
    job->strip.count = (int)count;
    return CLI_DONE;
}

static int choose_view(const cli_arguments *arguments, film_job *job)
{
    const char *view = cli_value(arguments, "--view", film_views[0]);
    job->scene.is_dark = cli_flag(arguments, "--dark");
    for (int n = 0; film_views[n]; n++)
        if (strcmp(film_views[n], view) == 0) {
            job->scene.view = film_views[n];
            return CLI_DONE;
        }
    return cli_misuse(arguments, "--view takes corner, front, left, right, back or top, not \"%s\"",
                      view);
}

/* ---- writing -----------------------------------------------------------------------------------
 */

static bool draw_picture(void *context, int n, uint8_t (*pixel)[3])
{
    film_job *job = context;
    int frame = job->scene.first + (int)(n * job->step + 0.5);
    if (frame > job->scene.last) frame = job->scene.last;
    if (!film_draw_frame(&job->scene, &job->canvas, frame)) return false;
    memcpy(pixel, job->canvas.pixel,
           (size_t)job->canvas.width * (size_t)job->canvas.height * sizeof *pixel);
    return true;
}

typedef bool film_writer(const film_strip *strip, FILE *out);

static const struct {
    const char *ending;
    film_writer *write;
} film_endings[] = {{".webm", film_write_webm}, {".gif", film_write_gif}, {".png", film_write_png}};

static film_writer *writer_of(const char *out)
{
    const char *dot = strrchr(out, '.');
    for (size_t n = 0; dot && n < sizeof film_endings / sizeof *film_endings; n++)
        if (strcasecmp(dot, film_endings[n].ending) == 0) return film_endings[n].write;
    return NULL;
}

static bool write_strip(FILE *out, const void *context)
{
    const film_job *job = context;
    return job->write(&job->strip, out);
}

static int print_done(const cli_arguments *arguments, const film_job *job, const char *out)
{
    const film_strip *strip = &job->strip;
    double seconds = strip->count / strip->rate;
    if (cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "output", out);
        cli_json_integer(&json, "pictures", strip->count);
        cli_json_number(&json, "seconds", strip->count > 1 ? seconds : 0);
        cli_json_integer(&json, "width", strip->width);
        cli_json_integer(&json, "height", strip->height);
        cli_json_integer(&json, "bodies", job->scene.body_count);
        cli_json_end_object(&json);
        return CLI_DONE;
    }
    cli_print_path(out);
    if (strip->count == 1)
        printf("a picture of %d x %d\n", strip->width, strip->height);
    else
        printf("%d pictures of %d x %d, %.1f s\n", strip->count, strip->width, strip->height,
               seconds);
    return CLI_DONE;
}

static int write_film(const cli_arguments *arguments, film_job *job, const char *out)
{
    film_stage(&job->scene, &job->canvas);
    job->strip.draw = draw_picture;
    job->strip.context = job;
    int code = cli_write_whole(arguments, out, write_strip, job);
    return code == CLI_DONE ? print_done(arguments, job, out) : code;
}

static int run_film(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", NULL};
    const char *out = cli_value(arguments, "--output", NULL);
    if (!out) return cli_misuse(arguments, "it needs a file to write: -o OUT.webm, .gif or .png");
    film_writer *write = writer_of(out);
    if (!write) return cli_misuse(arguments, "a film ends in .webm, .gif or .png, not as %s", out);
    int code = cli_check_output_options(arguments, outputs);
    if (code == CLI_DONE) code = cli_check_not_input(arguments, out, false, outputs);
    if (code != CLI_DONE) return code;
    film_job *job = calloc(1, sizeof *job);
    if (!job) return cli_fail(arguments, "out of memory");
    job->write = write;
    code = choose_view(arguments, job);
    if (code == CLI_DONE) code = choose_size(arguments, job);
    if (code == CLI_DONE) code = read_motion(arguments, job);
    if (code == CLI_DONE) code = choose_times(arguments, job);
    if (code == CLI_DONE) code = make_bodies(arguments, job);
    if (code == CLI_DONE) code = write_film(arguments, job, out);
    release_job(job);
    free(job);
    return code;
}

static const cli_option film_options[] = {
    {"--output", "-o", "OUT", ".webm, .gif, or .png: an animated PNG"},
    {"--picture", NULL, "S", "one picture, at this second, instead of a film"},
    {"--from", NULL, "S", "start at this second (0)"},
    {"--to", NULL, "S", "end at this second"},
    {"--rate", NULL, "HZ", "pictures a second (25)"},
    {"--speed", NULL, "X", "0.5: half as fast as it was (1)"},
    {"--size", NULL, "WxH", "of the picture (640x480)"},
    {"--view", NULL, "SIDE", "corner, front, left, right, back, top (corner)"},
    {"--dark", NULL, NULL, "on a dark ground"},
    {"--markers", NULL, NULL, "captures: the markers too"},
    {"--skin", NULL, NULL, "a person's surface instead of bones"},
    CLI_FIGURE_OPTIONS,
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    CLI_UP_OPTION,
    CLI_INPUT_UNIT_OPTION,
    CLI_NO_JOIN_OPTION,
    CLI_NO_RECOGNISE_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    CLI_LENIENT_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_film_command = {
    "film",
    "a motion as a film or a picture",
    "IN",
    "IN is a capture, which is solved first, or a motion: BVH, AMC with --asf, C3D with "
    "rotations, or a body at rest (URDF).\n"
    "Every picture is drawn, none is left out; the camera goes along with who walks away. Blue is\n"
    "the left of a body, orange its right.\n\n"
    "examples:\n"
    "  sinew film walk.c3d -o walk.webm\n"
    "  sinew film walk.c3d -o walk.gif --from 1 --to 3\n"
    "  sinew film walk.c3d -o walk.png --skin --size 800x600 --view left --speed 0.5\n"
    "  sinew film walk.c3d --picture 1.2 -o still.png --size 1600x1200 --markers",
    film_options,
    1,
    1,
    run_film,
};
