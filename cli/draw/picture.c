/* Draws stick figures: three views side by side with one scale for all poses. */
#include <math.h>

#include "draw/markup.h"
#include "draw/picture.h"

/* Sizes in SVG pixels. */
#define VIEW_SIZE    400.0
#define VIEW_MARGIN  30.0
#define TITLE_HEIGHT 34.0

#define PICTURE_NAMES_MAX 128

typedef struct view {
    const char *name;
    snw_vec3 right, up; /* world directions on the page */
    double left, top;   /* corner on the page */
    double width, height;
    double scale; /* pixels per metre */
    snw_vec3 middle;
} view;

typedef struct page_point {
    double x, y;
} page_point;

static page_point to_page(const view *v, snw_vec3 world)
{
    snw_vec3 d = snw_vec3_sub(world, v->middle);
    page_point p = {v->left + v->width / 2 + v->scale * snw_vec3_dot(d, v->right),
                    v->top + v->height / 2 - v->scale * snw_vec3_dot(d, v->up)};
    return p;
}

static void widen(snw_vec3 p, snw_vec3 *low, snw_vec3 *high)
{
    *low = snw_vec3_make(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
    *high = snw_vec3_make(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
}

static void find_box(const cli_picture *picture, snw_vec3 *low, snw_vec3 *high)
{
    *low = snw_vec3_make(INFINITY, INFINITY, INFINITY);
    *high = snw_vec3_neg(*low);
    for (int n = 0; n < picture->pose_count; n++) {
        const snw_pose *pose = picture->pose[n].pose;
        for (int j = 0; j < pose->skeleton->joint_count; j++) {
            widen(pose->world[j].translation, low, high);
            widen(snw_pose_tip(pose, j), low, high);
        }
    }
    for (int n = 0; n < picture->target_count; n++)
        widen(picture->target[n], low, high);
}

static void draw_bone(const view *v, snw_vec3 from, snw_vec3 to, const char *colour, FILE *out)
{
    page_point a = to_page(v, from), b = to_page(v, to);
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"3\" stroke-linecap=\"round\"/>\n",
            a.x, a.y, b.x, b.y, colour);
}

static void draw_pose(const view *v, const cli_picture_pose *item, FILE *out)
{
    const snw_skeleton *body = item->pose->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        snw_vec3 here = item->pose->world[j].translation;
        if (body->parent[j] >= 0)
            draw_bone(v, item->pose->world[body->parent[j]].translation, here, item->colour, out);
        if (body->has_tip[j]) draw_bone(v, here, snw_pose_tip(item->pose, j), item->colour, out);
    }
    for (int j = 0; j < body->joint_count; j++) {
        page_point p = to_page(v, item->pose->world[j].translation);
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"white\" stroke=\"%s\" "
                "stroke-width=\"1.5\"/>\n",
                p.x, p.y, item->colour);
    }
}

static void draw_target(const view *v, snw_vec3 target, FILE *out)
{
    page_point p = to_page(v, target);
    fprintf(out,
            "<path d=\"M%.1f %.1fl12 12m0 -12l-12 12\" stroke=\"#c0392b\" stroke-width=\"2\" "
            "fill=\"none\"/>\n",
            p.x - 6, p.y - 6);
}

static void draw_view(const cli_picture *picture, const view *v, FILE *out)
{
    fprintf(out,
            "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"#fafafa\" "
            "stroke=\"#ccc\"/>\n<text x=\"%.0f\" y=\"%.0f\" fill=\"#666\">%s</text>\n",
            v->left, v->top, VIEW_SIZE, VIEW_SIZE, v->left + 8, v->top + 18, v->name);
    for (int n = 0; n < picture->pose_count; n++)
        draw_pose(v, picture->pose + n, out);
    for (int n = 0; n < picture->target_count; n++)
        draw_target(v, picture->target[n], out);
}

/* Names of the last pose's joints; one that would lie on another is left out. */
static void draw_names(const cli_picture *picture, const view *v, FILE *out)
{
    const snw_pose *pose = picture->pose[picture->pose_count - 1].pose;
    page_point taken[PICTURE_NAMES_MAX];
    int count = 0;
    for (int j = 0; j < pose->skeleton->joint_count && count < PICTURE_NAMES_MAX; j++) {
        page_point p = to_page(v, pose->world[j].translation);
        bool is_free = true;
        for (int n = 0; n < count; n++)
            is_free &= fabs(taken[n].y - p.y) > 9 || fabs(taken[n].x - p.x) > 70;
        if (!is_free) continue;
        taken[count++] = p;
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\" fill=\"#0072b2\">", p.x + 6,
                p.y - 4);
        cli_put_text(pose->skeleton->name[j], out);
        fputs("</text>\n", out);
    }
}

/* Lines below the views: what is left of each goal. */
static void draw_notes(const cli_picture *picture, FILE *out)
{
    for (int n = 0; n < picture->note_count; n++) {
        fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" fill=\"#444\">", VIEW_MARGIN,
                TITLE_HEIGHT + VIEW_SIZE + 48 + 18.0 * n);
        cli_put_text(picture->note[n], out);
        fputs("</text>\n", out);
    }
}

static void draw_legend(const cli_picture *picture, FILE *out)
{
    double x = VIEW_MARGIN, y = TITLE_HEIGHT + VIEW_SIZE + 26;
    for (int n = 0; n < picture->pose_count; n++, x += 150)
        fprintf(out,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"12\" fill=\"%s\"/>"
                "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
                x, y - 11, picture->pose[n].colour, x + 18, y, picture->pose[n].label);
    if (picture->target_count)
        fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" fill=\"#c0392b\">x target</text>\n", x, y);
}

void cli_picture_draw(const cli_picture *picture, FILE *out)
{
    snw_vec3 low, high;
    find_box(picture, &low, &high);
    snw_vec3 extent = snw_vec3_sub(high, low);
    double largest = fmax(extent.x, fmax(extent.y, extent.z));
    double scale = (VIEW_SIZE - 2 * VIEW_MARGIN) / (largest > 0 ? largest : 1);
    snw_vec3 middle = snw_vec3_lerp(low, high, 0.5);
    snw_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, back = {0, 0, -1};
    const char *const names[3] = {"from the front (x right, y up)", "from the side (z right, y up)",
                                  "from above (x right, -z up)"};
    const snw_vec3 right[3] = {x, z, x}, up[3] = {y, y, back};
    double width = 4 * VIEW_MARGIN + 3 * VIEW_SIZE;
    double height = TITLE_HEIGHT + VIEW_SIZE + 44 + 18.0 * picture->note_count;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"13\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%.0f\" y=\"22\" font-size=\"16\">%s</text>\n",
            width, height, width, height, VIEW_MARGIN, picture->title);
    for (int n = 0; n < 3; n++) {
        view v = {names[n],     right[n],  up[n],     VIEW_MARGIN + n * (VIEW_MARGIN + VIEW_SIZE),
                  TITLE_HEIGHT, VIEW_SIZE, VIEW_SIZE, scale,
                  middle};
        draw_view(picture, &v, out);
        if (picture->has_names) draw_names(picture, &v, out);
    }
    draw_legend(picture, out);
    draw_notes(picture, out);
    fputs("</svg>\n", out);
}

/* ---- moments beside each other -------------------------------------------------------------- */

/* Sizes in SVG pixels. */
#define MOMENT_WIDTH  176.0
#define MOMENT_HEIGHT 250.0
#define MOMENT_LABEL  26.0

static snw_vec3 up_direction(snw_up_axis up)
{
    static const snw_vec3 directions[] = {{0, 1, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                                          {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    return directions[up];
}

/* The level direction in which the pose is widest: the larger axis of the scatter of its joints. */
static snw_vec3 widest_direction(const snw_pose *pose, snw_vec3 up)
{
    snw_vec3 a = snw_vec3_make(up.y != 0 || up.z != 0, up.x != 0, 0);
    snw_vec3 b = snw_vec3_cross(up, a), mean = {0, 0, 0};
    int count = pose->skeleton->joint_count;
    for (int j = 0; j < count; j++)
        mean = snw_vec3_add(mean, snw_vec3_scale(pose->world[j].translation, 1.0 / count));
    double aa = 0, ab = 0, bb = 0;
    for (int j = 0; j < count; j++) {
        snw_vec3 d = snw_vec3_sub(pose->world[j].translation, mean);
        double x = snw_vec3_dot(d, a), y = snw_vec3_dot(d, b);
        aa += x * x;
        ab += x * y;
        bb += y * y;
    }
    double angle = 0.5 * atan2(2 * ab, aa - bb);
    return snw_vec3_add(snw_vec3_scale(a, cos(angle)), snw_vec3_scale(b, sin(angle)));
}

/* How far the moment reaches from the middle of its box, metres. */
static void moment_reach(const cli_moment *moment, const view *v, double *sideways, double *upwards)
{
    for (int j = 0; j < moment->pose->skeleton->joint_count; j++)
        for (int end = 0; end < 2; end++) {
            snw_vec3 p = end ? snw_pose_tip(moment->pose, j) : moment->pose->world[j].translation;
            snw_vec3 d = snw_vec3_sub(p, v->middle);
            *sideways = fmax(*sideways, fabs(snw_vec3_dot(d, v->right)));
            *upwards = fmax(*upwards, fabs(snw_vec3_dot(d, v->up)));
        }
}

static view moment_view(const cli_moment *moment, int index, snw_vec3 right, snw_vec3 up)
{
    cli_picture_pose item = {moment->pose, "", ""};
    cli_picture picture = {.title = "", .pose_count = 1, .pose = &item};
    snw_vec3 low, high;
    find_box(&picture, &low, &high);
    view v = {"",           right,         up, index * MOMENT_WIDTH,         0,
              MOMENT_WIDTH, MOMENT_HEIGHT, 1,  snw_vec3_lerp(low, high, 0.5)};
    return v;
}

/* A stray marker must not be drawn into the neighbour's cell. */
static bool is_inside(const view *v, page_point p)
{
    return p.x >= v->left && p.x <= v->left + v->width && p.y >= v->top &&
           p.y <= v->top + v->height;
}

static void draw_moment(const cli_moment *moment, const view *v, FILE *out)
{
    cli_picture_pose item = {moment->pose, "", "#2c3e50"};
    draw_pose(v, &item, out);
    for (int m = 0; moment->marker && m < moment->marker_count; m++) {
        page_point p = to_page(v, moment->marker[m]);
        if (!is_inside(v, p)) continue;
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"#d55e00\"/>\n", p.x, p.y);
    }
    for (int n = 0; n < moment->truth_count; n++) {
        page_point p = to_page(v, moment->truth[n]);
        if (!is_inside(v, p)) continue;
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5.5\" fill=\"none\" stroke=\"#009e73\" "
                "stroke-width=\"1.6\"/>\n",
                p.x, p.y);
    }
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#555\">",
            v->left + v->width / 2, v->height + MOMENT_LABEL - 10);
    cli_put_text(moment->label, out);
    fputs("</text>\n", out);
}

void cli_picture_draw_strip(const cli_moment *moment, int count, snw_up_axis up, FILE *out)
{
    snw_vec3 up_way = up_direction(up), right = widest_direction(moment[0].pose, up_way);
    double sideways = 1e-9, upwards = 1e-9;
    for (int n = 0; n < count; n++) {
        view v = moment_view(moment + n, n, right, up_way);
        moment_reach(moment + n, &v, &sideways, &upwards);
    }
    /* 6 % of the cell stay free on each side; people who lie need no high cells. */
    double scale = 0.44 * fmin(MOMENT_WIDTH / sideways, MOMENT_HEIGHT / upwards);
    double cell = fmax(fmin(upwards * scale / 0.44 + 12, MOMENT_HEIGHT), 60);
    double width = count * MOMENT_WIDTH, height = cell + MOMENT_LABEL;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n",
            width, height, width, height);
    for (int n = 0; n < count; n++) {
        view v = moment_view(moment + n, n, right, up_way);
        v.scale = scale;
        v.height = cell;
        draw_moment(moment + n, &v, out);
    }
    fputs("</svg>\n", out);
}
