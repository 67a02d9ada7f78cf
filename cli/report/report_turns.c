/* The turn of every joint over time, for bodies whose names tell no anatomy. */
#include <stdlib.h>
#include <string.h>

#include "draw/markup.h"
#include "draw/plot.h"
#include "report/report.h"

/* The rotation vector of the same rotation that is nearest to `last`: whole turns are added where
 * the short one would jump. */
static snw_vec3 continue_turn(snw_vec3 turn, snw_vec3 last)
{
    double angle = snw_vec3_length(turn);
    if (!(angle > 1e-9)) return turn;
    snw_vec3 axis = snw_vec3_scale(turn, 1 / angle);
    double turns = round((snw_vec3_dot(last, axis) - angle) / (2 * SNW_PI));
    return snw_vec3_scale(axis, angle + 2 * SNW_PI * turns);
}

/* Degrees about the joint's axis (a hinge), or about its x, y and z. Returns how many curves. */
static int joint_curves(const cli_solution *solution, int joint, double *curve[3])
{
    const snw_motion *motion = solution->motion;
    const snw_joint_estimate *estimate = solution->actor->estimate + joint;
    /* An actor from a file may say "hinge" without the axis: then all three turns are shown. */
    bool is_hinge = estimate->type == SNW_JOINT_HINGE && snw_vec3_length(estimate->axis) > 0.5;
    snw_vec3 turn = {0, 0, 0};
    for (int k = 0; k < motion->frame_count; k++) {
        size_t at = (size_t)k * (size_t)motion->skeleton->joint_count + (size_t)joint;
        turn = continue_turn(snw_quat_log(motion->rotation[at]), turn);
        curve[0][k] = snw_degrees(is_hinge ? snw_vec3_dot(turn, estimate->axis) : turn.x);
        curve[1][k] = snw_degrees(turn.y);
        curve[2][k] = snw_degrees(turn.z);
    }
    return is_hinge ? 1 : 3;
}

/* Frames in which no marker of the joint's segment is seen: its angles are made up. */
static int find_hidden(const cli_solution *solution, int joint, uint8_t *is_hidden)
{
    const snw_residuals *residuals = solution->residuals;
    int count = 0;
    memset(is_hidden, 0, (size_t)solution->motion->frame_count);
    for (int k = 0; k < residuals->frame_count; k++) {
        const float *row = residuals->distance + (size_t)k * (size_t)residuals->marker_count;
        bool is_seen = false;
        for (int m = 0; m < residuals->marker_count && !is_seen; m++)
            is_seen = residuals->marker[m].joint == joint && row[m] == row[m];
        is_hidden[k] = !is_seen;
        count += !is_seen;
    }
    return count;
}

static void draw_joint(const cli_solution *solution, int joint, double *curve[3],
                       uint8_t *is_hidden, FILE *out)
{
    const char *name = solution->actor->skeleton->name[joint];
    int curve_count = joint_curves(solution, joint, curve);
    int hidden_count = find_hidden(solution, joint, is_hidden);
    cli_plot plot = {.name = name,
                     .unit = "deg",
                     .width = 300,
                     .height = 130,
                     .rate = solution->motion->rate,
                     .frame_count = solution->motion->frame_count,
                     .curve_count = curve_count,
                     .is_hidden = is_hidden,
                     .least_span = 20};
    static const char *const classes[3] = {"left", "right", "middle"};
    for (int c = 0; c < curve_count; c++)
        plot.curve[c] = (cli_plot_curve){classes[c], curve[c], NULL};
    fputs("<figure><figcaption>", out);
    cli_put_text(name, out);
    fprintf(out, " <small>%s", curve_count == 1 ? "about its axis" : "about x, y, z");
    if (hidden_count == solution->motion->frame_count)
        fputs(", no markers of its own", out);
    else if (hidden_count)
        fprintf(out, ", %d frame%s hidden", hidden_count, hidden_count == 1 ? "" : "s");
    fputs("</small></figcaption>", out);
    cli_plot_draw(&plot, out);
    fputs("</figure>\n", out);
}

bool cli_report_turns(const cli_solution *solution, FILE *out)
{
    size_t frames = (size_t)solution->motion->frame_count;
    double *values = malloc((3 * frames + 1) * sizeof(double));
    uint8_t *is_hidden = malloc(frames + 1);
    bool is_good = values && is_hidden;
    fputs("<h2 id=\"angles\">Joint angles</h2>\n<p class=\"soft\">Degrees from the body's rest "
          "pose, as "
          "a rotation vector in the joint's own axes: <span class=\"key left\"></span>x, or about "
          "the axis of a hinge <span class=\"key right\"></span>y <span class=\"key\"></span>z. "
          "Shaded: no marker of the segment is seen.</p>\n<div class=\"many\">\n",
          out);
    if (is_good) {
        double *curve[3] = {values, values + frames, values + 2 * frames};
        for (int j = 1; j < solution->actor->skeleton->joint_count; j++)
            draw_joint(solution, j, curve, is_hidden, out);
    }
    fputs("</div>\n", out);
    free(values);
    free(is_hidden);
    return is_good;
}
