/* Joint angles over time and over the cycle, left and right in one graph, with the events of the
 * gait and the file's own angles: clinical ones where the markers tell them, else those of the
 * solved body. */
#include "report/report_angles.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "draw/markup.h"

/* ---- what is drawn --------------------------------------------------------------------------- */

/* Vicon's points of angles end so; three numbers of degrees each. */
static bool is_angle_point(const char *name)
{
    size_t length = strlen(name);
    return length > 6 && strcmp(name + length - 6, "Angles") == 0;
}

static bool has_own_angles(const snw_trial *trial)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (is_angle_point(trial->marker[m].name)) return true;
    return false;
}

/* False when there is no memory; without angles `angles` stays NULL. */
bool report_angles_find(const cli_solution *solution, report_angles *found)
{
    const snw_trial *trial = solution->trial;
    memset(found, 0, sizeof *found);
    snw_gait_model model;
    snw_angle_convention convention = has_own_angles(trial) ? SNW_ANGLES_PIG : SNW_ANGLES_ISB;
    snw_status status = snw_gait_model_make(trial, NULL, NULL, &model, NULL, NULL);
    if (status == SNW_OK)
        status = snw_angles_measure(trial, &model, convention, NULL, &found->angles, NULL);
    if (status == SNW_OK && has_own_angles(trial))
        status = snw_angles_to_trial(found->angles, trial, NULL, &found->points, NULL);
    if (status != SNW_OK && status != SNW_OUT_OF_MEMORY) {
        snw_angles_destroy(found->angles);
        found->angles = NULL;
        status = snw_angles_from_motion(solution->motion, NULL, &found->angles, NULL);
    }
    if (status == SNW_OUT_OF_MEMORY) return false;
    status = snw_gait_events_read(trial, NULL, &found->events, NULL);
    if (status == SNW_OK && found->events->count == 0) {
        snw_gait_events_destroy(found->events);
        found->events = NULL;
        status = snw_gait_events_find(trial, NULL, NULL, &found->events, NULL, NULL);
    }
    if (status == SNW_OK)
        status = snw_strides_measure(trial, found->events, NULL, &found->strides, NULL);
    int count = found->events ? found->events->count : 0;
    found->line = malloc(((size_t)count + 1) * sizeof *found->line);
    if (!found->line) return false;
    static const char *const classes[2][2] = {{"left strike", "left off"},
                                              {"right strike", "right off"}};
    for (int e = 0; e < count; e++) {
        const snw_gait_event *event = found->events->event + e;
        found->line[e] = (cli_plot_event){
            event->time, classes[event->side == SNW_SIDE_RIGHT][event->kind == SNW_FOOT_OFF]};
    }
    return status != SNW_OUT_OF_MEMORY;
}

void report_angles_release(report_angles *found)
{
    free(found->line);
    snw_strides_destroy(found->strides);
    snw_gait_events_destroy(found->events);
    snw_trial_destroy(found->points);
    snw_angles_destroy(found->angles);
    memset(found, 0, sizeof *found);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* "left_knee_flexion" without its side; *side 0 left, 1 right, -1 none. */
static const char *without_side(const char *name, int *side)
{
    *side = strncmp(name, "left_", 5) == 0 ? 0 : strncmp(name, "right_", 6) == 0 ? 1 : -1;
    return *side == 0 ? name + 5 : *side == 1 ? name + 6 : name;
}

static int find_column(const snw_angles *angles, const char *base, int wanted_side)
{
    for (int c = 0; c < angles->column_count; c++) {
        int side;
        if (strcmp(without_side(angles->column[c].name, &side), base) == 0 && side == wanted_side)
            return c;
    }
    return -1;
}

static void copy_column(const snw_angles *angles, int column, double *degrees)
{
    for (int f = 0; f < angles->frame_count; f++)
        degrees[f] = snw_degrees(snw_angles_at(angles, f, column));
}

static double point_part(const snw_trial *trial, int frame, int marker, int part)
{
    const snw_sample *s = trial->sample + (size_t)frame * (size_t)trial->marker_count + marker;
    if (!snw_trial_is_present(trial, frame, marker)) return NAN;
    return part == 0 ? s->x : part == 1 ? s->y : s->z;
}

/* Does the point's number carry the column, with this sign? Floats of up to 180 degrees. */
static bool is_same_curve(const snw_trial *points, int marker, int part, double sign,
                          const double *degrees)
{
    int seen = 0;
    for (int f = 0; f < points->frame_count; f++) {
        double value = sign * point_part(points, f, marker, part);
        if (!isfinite(value) || !isfinite(degrees[f])) continue;
        if (fabs(value - degrees[f]) > 1e-3) return false;
        seen++;
    }
    return seen > 0;
}

/* The file's own curve of the same meaning: our points carry the file's names and signs, so that
 * where one of their numbers is our column the file's number of that name is its own. */
static bool find_own(const report_angles *found, const snw_trial *trial, const double *degrees,
                     double *own)
{
    const snw_trial *points = found->points;
    for (int m = trial->marker_count; points && m < points->marker_count; m++) {
        char name[128];
        snw_format(name, sizeof name, "%s", points->marker[m].name);
        char *ending = strstr(name, "_sinew");
        if (!ending) continue;
        *ending = 0;
        int source = snw_trial_find_marker(trial, name);
        for (int k = 0; source >= 0 && k < 6; k++) {
            double sign = k < 3 ? 1 : -1;
            if (!is_same_curve(points, m, k % 3, sign, degrees)) continue;
            for (int f = 0; f < trial->frame_count; f++)
                own[f] = sign * point_part(trial, f, source, k % 3);
            return true;
        }
    }
    return false;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* "knee_flexion" as a title: "Knee flexion". */
static void put_title(const char *base, FILE *out)
{
    char title[SNW_ANGLE_NAME_SIZE];
    snw_format(title, sizeof title, "%s", base);
    title[0] = (char)toupper((unsigned char)title[0]);
    for (char *c = title; *c; c++)
        if (*c == '_') *c = ' ';
    cli_put_text(title, out);
}

/* Room for the curves of one graph. */
typedef struct angle_room {
    double *curve[4]; /* (frame_count) left, right or middle, the file's own of both */
    snw_cycle cycle[2];
} angle_room;

static int take_curves(const report_angles *found, const cli_solution *solution, const char *base,
                       angle_room *room, cli_plot *plot)
{
    static const char *const classes[2][2] = {{"left", "left own"}, {"right", "right own"}};
    const snw_angles *angles = found->angles;
    for (int s = -1; s < 2; s++) {
        int column = find_column(angles, base, s);
        if (column < 0) continue;
        int at = s < 0 ? 0 : s;
        copy_column(angles, column, room->curve[at]);
        plot->curve[plot->curve_count++] =
            (cli_plot_curve){s < 0 ? "middle" : classes[at][0], room->curve[at], NULL};
        if (found->points && find_own(found, solution->trial, room->curve[at], room->curve[2 + at]))
            plot->curve[plot->curve_count++] =
                (cli_plot_curve){s < 0 ? "middle own" : classes[at][1], room->curve[2 + at], NULL};
    }
    return plot->curve_count;
}

static void draw_graph(const report_angles *found, const cli_solution *solution, const char *base,
                       angle_room *room, FILE *out)
{
    cli_plot plot = {.name = base,
                     .unit = "deg",
                     .width = 340,
                     .height = 150,
                     .rate = found->angles->rate,
                     .frame_count = found->angles->frame_count,
                     .event_count = found->events ? found->events->count : 0,
                     .event = found->line,
                     .least_span = 20};
    double low, high;
    take_curves(found, solution, base, room, &plot);
    if (!cli_plot_range(&plot, &low, &high)) return;
    fputs("<figure><figcaption>", out);
    put_title(base, out);
    fprintf(out, " <small>%.0f to %.0f deg</small></figcaption>", low, high);
    cli_plot_draw(&plot, out);
    fputs("</figure>\n", out);
}

static void draw_cycle(const report_angles *found, const char *base, angle_room *room, FILE *out)
{
    cli_plot plot = {.name = base,
                     .unit = "deg",
                     .width = 340,
                     .height = 150,
                     .frame_count = SNW_CYCLE_POINTS,
                     .least_span = 20};
    int counts[2] = {0, 0};
    for (int s = 0; s < 2; s++) {
        int column = find_column(found->angles, base, s);
        snw_cycle *cycle = room->cycle + s;
        if (column < 0) continue;
        snw_cycle_mean(found->angles, column, found->strides, s ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT,
                       cycle);
        counts[s] = cycle->count;
        if (cycle->count == 0) continue;
        for (int k = 0; k < SNW_CYCLE_POINTS; k++) {
            cycle->mean[k] = snw_degrees(cycle->mean[k]);
            cycle->deviation[k] = snw_degrees(cycle->deviation[k]);
        }
        plot.curve[plot.curve_count++] = (cli_plot_curve){
            s ? "right" : "left", cycle->mean, cycle->count > 1 ? cycle->deviation : NULL};
    }
    if (plot.curve_count == 0) return;
    fputs("<figure><figcaption>", out);
    put_title(base, out);
    fprintf(out, " <small>%d left, %d right strides</small></figcaption>", counts[0], counts[1]);
    cli_plot_draw(&plot, out);
    fputs("</figure>\n", out);
}

/* Each base name once, in the order of the columns; lengths and rates are no angles. */
static bool is_first_of_base(const snw_angles *angles, int column)
{
    int side;
    const char *base = without_side(angles->column[column].name, &side);
    if (angles->column[column].is_length || angles->column[column].is_rate) return false;
    for (int c = 0; c < column; c++) {
        int other;
        if (strcmp(without_side(angles->column[c].name, &other), base) == 0) return false;
    }
    return true;
}

static void put_legend(const report_angles *found, FILE *out)
{
    bool is_functional = found->angles->convention == SNW_ANGLES_FUNCTIONAL;
    fprintf(out,
            "<p class=\"soft\">%s. <span class=\"key left\"></span>left <span class=\"key "
            "right\"></span>right",
            is_functional ? "Flexion, abduction and rotation about the solved person's own axes, "
                            "zero in a captured pose: read changes, not offsets"
                          : snw_angle_convention_text(found->angles->convention));
    if (found->points) fputs(" <span class=\"key own\"></span>dashed: the file's own angles", out);
    if (found->events && found->events->count)
        fputs(". Upright lines: foot strike, dashed foot off", out);
    fputs(".</p>\n", out);
}

/* What to believe of the angles, before them; false where they are nobody's. */
static bool put_verdict(const snw_angles *angles, FILE *out)
{
    static snw_judgements judged; /* 26 kB: not on a stack */
    memset(&judged, 0, sizeof judged);
    snw_angles_judge(angles, &judged);
    for (int n = 0; n < judged.count; n++) {
        fprintf(out, "<p><b>%s</b>: ", snw_verdict_name(judged.item[n].verdict));
        cli_put_text(judged.item[n].sentence, out);
        fputs("</p>\n", out);
    }
    if (judged.verdict == SNW_VERDICT_RED)
        fputs("<p>These are nobody's angles; they are not drawn.</p>\n", out);
    return judged.verdict != SNW_VERDICT_RED;
}

bool report_angles_draw(const cli_solution *solution, const report_angles *found, FILE *out)
{
    if (!found->angles) return true;
    const snw_angles *angles = found->angles;
    fputs("<h2 id=\"angles\">Joint angles</h2>\n", out);
    if (!put_verdict(angles, out)) return true;
    size_t frames = (size_t)angles->frame_count;
    double *values = malloc((4 * frames + 1) * sizeof *values);
    if (!values) return false;
    angle_room room = {{values, values + frames, values + 2 * frames, values + 3 * frames},
                       {{.count = 0}}};
    put_legend(found, out);
    fputs("<div class=\"many\">\n", out);
    for (int c = 0; c < angles->column_count; c++) {
        int side;
        if (is_first_of_base(angles, c))
            draw_graph(found, solution, without_side(angles->column[c].name, &side), &room, out);
    }
    fputs("</div>\n", out);
    if (found->strides && found->strides->count > 0) {
        fprintf(out,
                "<h2 id=\"cycle\">The gait cycle</h2>\n<p class=\"soft\">From a foot's strike to "
                "its next, mean of %d strides and one standard deviation; <span class=\"key "
                "left\"></span>left <span class=\"key right\"></span>right.</p>\n<div "
                "class=\"many\">\n",
                found->strides->count);
        for (int c = 0; c < angles->column_count; c++) {
            int side;
            if (is_first_of_base(angles, c))
                draw_cycle(found, without_side(angles->column[c].name, &side), &room, out);
        }
        fputs("</div>\n", out);
    }
    free(values);
    return true;
}
