/* The person as a body: the surface by the tables at five times of the motion, and what it weighs.
 */
#include <stdlib.h>
#include <string.h>

#include "film/image.h"
#include "film/scene.h"
#include "output.h"
#include "report/report.h"
#include "shape/figure.h"

enum {
    FIGURE_PHASES = 5, /* side by side */
    FIGURE_WIDTH = 200,
    FIGURE_HEIGHT = 360
};

typedef struct report_figure {
    snw_motion *rigged, *heavy;
    snw_mesh *mesh;
    snw_skin *skin;
    film_scene scene;
    film_canvas canvas;
    bool has_mass; /* of the person, as the file says it */
} report_figure;

/* In the middle of each fifth. */
static int frame_of(const report_figure *figure, int phase)
{
    return (2 * phase + 1) * figure->rigged->frame_count / (2 * FIGURE_PHASES);
}

static bool draw(void *context, int n, uint8_t (*pixel)[3])
{
    report_figure *figure = context;
    (void)n;
    for (int phase = 0; phase < FIGURE_PHASES; phase++) {
        if (!film_draw_frame(&figure->scene, &figure->canvas, frame_of(figure, phase)))
            return false;
        for (int row = 0; row < FIGURE_HEIGHT; row++)
            memcpy(pixel + (row * FIGURE_PHASES + phase) * FIGURE_WIDTH,
                   figure->canvas.pixel + row * FIGURE_WIDTH, FIGURE_WIDTH * sizeof *pixel);
    }
    return true;
}

static bool draw_png(FILE *out, const void *context)
{
    /* The strip's source draws into the figure's canvas. */
    union {
        const void *given;
        void *used;
    } figure = {context};
    film_strip strip = {.width = FIGURE_PHASES * FIGURE_WIDTH,
                        .height = FIGURE_HEIGHT,
                        .count = 1,
                        .rate = 1,
                        .draw = draw,
                        .context = figure.used};
    return film_write_png(&strip, out);
}

/* OUT_OF_MEMORY, or whatever says that it is no person with legs. */
static snw_status make(const cli_solution *solution, report_figure *figure)
{
    snw_rig_options rig = snw_rig_options_default();
    snw_figure_options how = snw_figure_options_default();
    snw_skin_options parts = snw_skin_options_default();
    snw_up_axis up = solution->trial->up;
    rig.up = snw_up_direction(up == SNW_UP_UNKNOWN ? SNW_UP_Z : up);
    for (int side = 0; solution->actor && side < SNW_SIDES; side++)
        rig.thumb[side] = snw_actor_thumb(solution->actor, (snw_side)side);
    if (solution->is_alone) cli_figure_know(solution->trial, &how);
    how.cell = 0.014; /* a picture of this size shows no smaller triangles */
    parts.has_parts = true;
    figure->has_mass = how.mass > 0;
    snw_status status =
        snw_motion_to_rig(solution->motion, &rig, NULL, &figure->rigged, NULL, NULL);
    if (status == SNW_OK)
        status = snw_figure_create(figure->rigged->skeleton, &how, NULL, &figure->mesh, NULL, NULL);
    if (status == SNW_OK)
        status = snw_skin_create(figure->mesh, figure->rigged->skeleton, &parts, NULL,
                                 &figure->skin, NULL);
    if (status == SNW_OK)
        status = snw_motion_weigh(solution->motion, figure->mesh, &how, NULL, &figure->heavy, NULL);
    return status;
}

static snw_status stage(report_figure *figure)
{
    film_scene *scene = &figure->scene;
    film_body *body = scene->body;
    size_t count = (size_t)figure->mesh->count.vertex_count;
    scene->body_count = 1;
    scene->turn = snw_quat_identity();
    scene->view = film_views[0];
    scene->rate = figure->rigged->rate;
    scene->first = frame_of(figure, 0);
    scene->last = frame_of(figure, FIGURE_PHASES - 1);
    body->motion = figure->rigged;
    body->skin = figure->skin;
    body->surface = malloc((count + 1) * 3 * sizeof *body->surface);
    body->normal = malloc((count + 1) * sizeof *body->normal);
    if (!body->surface || !body->normal ||
        !film_canvas_create(&figure->canvas, FIGURE_WIDTH, FIGURE_HEIGHT))
        return SNW_OUT_OF_MEMORY;
    snw_status status = snw_pose_create(figure->rigged->skeleton, NULL, &body->pose, NULL);
    if (status == SNW_OK) film_stage(scene, &figure->canvas);
    return status;
}

static bool put(const report_figure *figure, FILE *out)
{
    size_t size;
    char *png = cli_draw(draw_png, figure, &size);
    double mass = 0;
    if (!png) return false;
    for (int j = 0; j < figure->heavy->skeleton->joint_count; j++)
        mass += figure->heavy->skeleton->mass[j];
    fprintf(out,
            "<h2 id=\"figure\">The person as a body</h2>\n<p><img alt=\"A person's surface on the "
            "solved skeleton\" width=\"%d\" height=\"%d\" style=\"max-width:100%%;height:auto\" "
            "src=\"data:image/png;base64,",
            FIGURE_PHASES * FIGURE_WIDTH, FIGURE_HEIGHT);
    cli_put_base64(out, (const uint8_t *)png, size);
    fprintf(out, "\"></p>\n<p class=\"soft\">At");
    for (int phase = 0; phase < FIGURE_PHASES; phase++)
        fprintf(out, "%s %.2f", phase ? "," : "", frame_of(figure, phase) / figure->scene.rate);
    fprintf(out,
            " s. The surface is made from the lengths that were found and the tables of masses "
            "(sinew solve --skin, sinew mass): %.1f kg%s.</p>\n",
            mass, figure->has_mass ? ", as the file says" : ", where nobody says another mass");
    free(png);
    return true;
}

bool cli_report_figure(const cli_solution *solution, FILE *out)
{
    report_figure figure;
    memset(&figure, 0, sizeof figure);
    bool is_there = solution->motion->frame_count > 0;
    snw_status status = is_there ? make(solution, &figure) : SNW_NOT_FOUND;
    bool is_good = status != SNW_OUT_OF_MEMORY;
    if (status == SNW_OK) is_good = stage(&figure) == SNW_OK && put(&figure, out);
    snw_pose_destroy(figure.scene.body[0].pose);
    free(figure.scene.body[0].surface);
    free(figure.scene.body[0].normal);
    film_canvas_release(&figure.canvas);
    snw_skin_destroy(figure.skin);
    snw_mesh_destroy(figure.mesh);
    snw_motion_destroy(figure.heavy);
    snw_motion_destroy(figure.rigged);
    return is_good;
}
