/* Tables of the report: joints, bones, markers. */
#include <string.h>

#include "draw/markup.h"
#include "report/report.h"
#include "solve/limits.h"

/* ---- joints and bones ----------------------------------------------------------------------- */

static void put_cell_text(const char *text, FILE *out)
{
    fputs("<td>", out);
    cli_put_text(text, out);
    fputs("</td>", out);
}

static void put_cell_number(double number, int digits, FILE *out)
{
    if (isfinite(number))
        fprintf(out, "<td class=\"n\">%.*f</td>", digits, number);
    else
        fputs("<td class=\"n\">-</td>", out);
}

void cli_report_joints(const cli_solution *solution, FILE *out)
{
    const snw_skeleton *body = solution->actor->skeleton;
    fputs("<h2 id=\"joints\">Joint centres</h2>\n<div "
          "class=\"wide\"><table><thead><tr><th>joint</th><th>parent"
          "</th><th>type</th><th class=\"n\">range, deg</th><th class=\"limits\">limits</th>"
          "<th class=\"n\">residual, mm</th>"
          "<th class=\"n\">&#177; mm</th><th class=\"verdict\">verdict</th></tr></thead><tbody>\n",
          out);
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint_estimate *estimate = solution->actor->estimate + j;
        fputs(j && estimate->is_uncertain ? "<tr class=\"unsure\">" : "<tr>", out);
        put_cell_text(body->name[j], out);
        put_cell_text(j ? body->name[body->parent[j]] : "-", out);
        put_cell_text(j ? snw_joint_type_name(estimate->type) : "-", out);
        char limits[160];
        put_cell_number(j ? snw_degrees(estimate->range) : NAN, 0, out);
        put_cell_text(j ? cli_limits_words(body->joint + j, limits, sizeof limits) : "-", out);
        put_cell_number(j ? 1000 * estimate->residual : NAN, 2, out);
        put_cell_number(j ? 1000 * estimate->uncertainty : NAN, 1, out);
        put_cell_text(j ? estimate->verdict : "root: the whole body hangs from it", out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n<p class=\"soft\">Range: how far the joint turned. Limits: what "
          "was seen plus 5 degrees, from rest. Residual: rms distance between the two segments' "
          "ideas "
          "of the "
          "centre. &#177;: one standard deviation of the centre in a frame; along the axis of a "
          "hinge its place is free. A neighbour is called uncertain where another would explain "
          "the motion nearly as well.</p>\n",
          out);
}

/* The name with left and right swapped; false when it has no side. */
static bool other_side(const char *name, char *other, size_t size)
{
    static const char *const sides[][2] = {
        {"Left", "Right"}, {"Right", "Left"}, {"left", "right"}, {"right", "left"}};
    for (int i = 0; i < 4; i++) {
        const char *at = strstr(name, sides[i][0]);
        if (!at) continue;
        snw_format(other, size, "%.*s%s%s", (int)(at - name), name, sides[i][1],
                   at + strlen(sides[i][0]));
        return true;
    }
    return false;
}

static int find_other_side(const snw_skeleton *body, int joint)
{
    char other[2 * SNW_LABEL_SIZE];
    if (!other_side(body->name[joint], other, sizeof other)) return -1;
    return snw_skeleton_find_joint(body, other);
}

void cli_report_bones(const cli_solution *solution, FILE *out)
{
    const snw_skeleton *body = solution->actor->skeleton;
    double longest = 0;
    for (int j = 1; j < body->joint_count; j++)
        longest = fmax(longest, body->bone_length[j]);
    fputs("<h2 id=\"bones\">Bone lengths</h2>\n<div "
          "class=\"wide\"><table><thead><tr><th>from</th><th>to</th><th "
          "class=\"n\">length, mm</th><th class=\"n\">less the other side, mm</th><th></th></tr>"
          "</thead><tbody>\n",
          out);
    for (int j = 1; j < body->joint_count; j++) {
        int other = find_other_side(body, j);
        fputs("<tr>", out);
        put_cell_text(body->name[body->parent[j]], out);
        put_cell_text(body->name[j], out);
        put_cell_number(1000 * body->bone_length[j], 1, out);
        if (other > 0)
            fprintf(out, "<td class=\"n\">%+.1f</td>",
                    1000 * (body->bone_length[j] - body->bone_length[other]));
        else
            fputs("<td></td>", out);
        fprintf(out, "<td class=\"bar\"><i style=\"width:%.1f%%\"></i></td></tr>\n",
                longest > 0 ? 100 * body->bone_length[j] / longest : 0);
    }
    fputs("</tbody></table></div>\n<p class=\"soft\">Constant over the whole motion.</p>\n", out);
}

static void put_marker_row(const cli_solution *solution, int index, double largest, FILE *out)
{
    const snw_marker_residual *marker = solution->residuals->marker + index;
    fputs("<tr>", out);
    put_cell_text(solution->trial->marker[index].name, out);
    put_cell_text(solution->actor->skeleton->name[marker->joint], out);
    put_cell_number(100.0 * marker->seen_count / solution->trial->frame_count, 1, out);
    put_cell_number(1000 * marker->rms, 2, out);
    put_cell_number(1000 * marker->worst, 1, out);
    if (marker->worst_frame >= 0)
        fprintf(out, "<td class=\"n\">%d</td>", solution->trial->first_frame + marker->worst_frame);
    else
        fputs("<td class=\"n\">-</td>", out);
    fprintf(out, "<td class=\"bar\"><i style=\"width:%.1f%%\"></i></td></tr>\n",
            largest > 0 ? 100 * marker->rms / largest : 0);
}

void cli_report_markers(const cli_solution *solution, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    double largest = 0;
    for (int m = 0; m < residuals->marker_count; m++)
        largest = fmax(largest, residuals->marker[m].rms);
    fputs("<div class=\"wide\"><table><thead><tr><th>marker</th><th>segment</th><th "
          "class=\"n\">seen, "
          "%</th><th class=\"n\">rms, mm</th><th class=\"n\">worst, mm</th><th class=\"n\">in frame"
          "</th><th></th></tr></thead><tbody>\n",
          out);
    for (int j = 0; j < solution->actor->skeleton->joint_count; j++)
        for (int m = 0; m < residuals->marker_count; m++)
            if (residuals->marker[m].joint == j) put_marker_row(solution, m, largest, out);
    fputs("</tbody></table></div>\n", out);
}
