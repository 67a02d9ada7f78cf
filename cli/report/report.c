/* The page: facts, warnings, skeleton, joints, bones, gaps, residuals, angles. One file, no
 * scripts, colours that follow the reader's light or dark screen, and that print. */
#include "report/report.h"
#include "solve/limits.h"

#include <string.h>

#include "draw/markup.h"
#include "output.h"
#include "report/gap_chart.h"

/* Colours of the curves: Okabe & Ito 2008, distinguishable also without colour vision. */
static const char report_style[] =
    ":root{color-scheme:light dark;--back:#fff;--ink:#1d2733;--soft:#66717d;--line:#d9dee3;"
    "--card:#f6f8f9;--warn:#fff4e0;--edge:#e69f00;--seen:#7fb3d5;--gap:#d55e00;--c0:#0072b2;"
    "--c1:#d55e00;--c2:#009e73}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#14191f;--ink:#e4e9ee;--soft:#98a4b0;"
    "--line:#333c46;--card:#1c232b;--warn:#33280f;--seen:#3d6a88;--c0:#56b4e9;--c1:#f0803c;"
    "--c2:#2fc79a}}\n"
    "body{margin:0;background:var(--back);color:var(--ink);font:15px/1.5 system-ui,sans-serif}\n"
    "main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}\n"
    "h1{font-size:1.6rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2.2rem 0 "
    ".4rem}"
    "\np{margin:.4rem 0}.soft,small,figcaption small{color:var(--soft);font-weight:normal}\n"
    "dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.6rem;margin:"
    "1rem "
    "0}dl div{background:var(--card);border-radius:.4rem;padding:.5rem .7rem}dt{color:var(--soft);"
    "font-size:.8rem}dd{margin:0;font-size:1.15rem;font-weight:600}\n"
    ".warnings{background:var(--warn);border-left:4px solid var(--edge);padding:.5rem 1rem .5rem "
    "2rem;margin:.5rem 0}.warnings li{margin:.2rem 0;overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}\n"
    "th,td{text-align:left;padding:.22rem .5rem .22rem 0;border-bottom:1px solid "
    "var(--line);vertical-align:top}th{color:var(--soft);font-weight:600}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".verdict{width:36%;min-width:15rem}.limits{min-width:10.5rem}tr.unsure "
    "td{background:var(--warn)}\n"
    ".bar{width:30%;min-width:7rem}.bar i{display:block;height:.7rem;margin-top:.3rem;"
    "background:var(--c0);border-radius:2px}\n"
    "svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,sans-serif;"
    "fill:var(--soft)}.figures text{fill:#555}\n"
    ".grid{stroke:var(--line)}.hidden{fill:var(--edge);opacity:.22}"
    ".curve0,.curve1,.curve2{fill:none;stroke-width:1.3;stroke-linejoin:round}"
    ".curve0{stroke:var(--c0)}.curve1{stroke:var(--c1)}.curve2{stroke:var(--c2)}\n"
    ".seen{fill:var(--seen)}.gap{fill:var(--gap)}.partial{fill:var(--edge)}\n"
    ".figures{background:#fff;border:1px solid var(--line);border-radius:.4rem;overflow:hidden}\n"
    ".many{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.6rem 1rem}\n"
    "figure{margin:0;break-inside:avoid}figcaption{font-weight:600;font-size:.88rem}\n"
    ".key{display:inline-block;width:.8rem;height:.7rem;border-radius:2px;margin:0 .3rem 0 .8rem}\n"
    "@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none}"
    "h2{break-after:avoid}tr{break-inside:avoid}}\n";

/* ---- facts ---------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_fact(const char *name, const char *value, FILE *out)
{
    fprintf(out, "<div><dt>%s</dt><dd>", name);
    cli_put_text(value, out);
    fputs("</dd></div>\n", out);
}

static int markers_on_body(const cli_solution *solution)
{
    int count = 0;
    for (int m = 0; m < solution->residuals->marker_count; m++)
        count += solution->residuals->marker[m].joint >= 0;
    return count;
}

static void put_facts(const cli_solution *solution, FILE *out)
{
    const snw_trial *trial = solution->trial;
    char text[80];
    fputs("<dl>\n", out);
    snw_format(text, sizeof text, "%d", trial->frame_count);
    put_fact("frames", text, out);
    snw_format(text, sizeof text, "%.2f s", trial->frame_count / solution->motion->rate);
    put_fact("time", text, out);
    snw_format(text, sizeof text, "%.4g Hz", solution->motion->rate);
    put_fact("rate", text, out);
    snw_format(text, sizeof text, "%d of %d", markers_on_body(solution), trial->marker_count);
    put_fact("markers on the body", text, out);
    snw_format(text, sizeof text, "%d", solution->actor->skeleton->joint_count);
    put_fact("limbs", text, out);
    snw_format(text, sizeof text, "%.2f mm", 1000 * solution->residuals->rms);
    put_fact("markers to body, rms", text, out);
    snw_format(text, sizeof text, "%.2f mm", 1000 * solution->report->residual);
    put_fact("the same less outliers", text, out);
    snw_format(text, sizeof text, "%.1f %%", 100 * (1 - solution->report->marker_share));
    put_fact("samples missing", text, out);
    snw_format(text, sizeof text, "%.2f %%", 100 * solution->report->outlier_share);
    put_fact("outlier samples", text, out);
    fputs("</dl>\n", out);
}

static void put_warnings(const cli_solution *solution, FILE *out)
{
    fputs("<h2>What to know first</h2>\n<ul class=\"warnings\">\n", out);
    if (cli_report_judgements(solution, out) == 0)
        fputs("<li>Nothing stands out: every joint is determined, every frame was solved.</li>\n",
              out);
    fputs("</ul>\n", out);
}

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

static void put_joints(const cli_solution *solution, FILE *out)
{
    const snw_skeleton *body = solution->actor->skeleton;
    fputs("<h2>Joint centres</h2>\n<div class=\"wide\"><table><thead><tr><th>joint</th><th>parent"
          "</th><th>type</th><th class=\"n\">range, deg</th><th class=\"limits\">limits, deg</th>"
          "<th class=\"n\">residual, mm</th>"
          "<th class=\"n\">&#177; mm</th><th class=\"verdict\">verdict</th></tr></thead><tbody>\n",
          out);
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint_estimate *estimate = solution->actor->estimate + j;
        fputs(j && estimate->is_uncertain ? "<tr class=\"unsure\">" : "<tr>", out);
        put_cell_text(body->name[j], out);
        put_cell_text(j ? body->name[body->parent[j]] : "-", out);
        put_cell_text(j ? snw_joint_type_name(estimate->type) : "-", out);
        char limits[96];
        put_cell_number(j ? snw_degrees(estimate->range) : NAN, 0, out);
        put_cell_text(j ? cli_limits_text(body->joint + j, limits, sizeof limits) : "-", out);
        put_cell_number(j ? 1000 * estimate->residual : NAN, 2, out);
        put_cell_number(j ? 1000 * estimate->uncertainty : NAN, 1, out);
        put_cell_text(j ? estimate->verdict : "root: the whole body hangs from it", out);
        fputs("</tr>\n", out);
    }
    fputs(
        "</tbody></table></div>\n<p class=\"soft\">Range: how far the joint turned. Limits: what "
        "was seen plus 5 degrees, from rest: angles of hinges and universal joints, swing to four "
        "sides and twist of balls. Residual: rms distance between the two limbs' ideas of the "
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

static void put_bones(const cli_solution *solution, FILE *out)
{
    const snw_skeleton *body = solution->actor->skeleton;
    double longest = 0;
    for (int j = 1; j < body->joint_count; j++)
        longest = fmax(longest, body->bone_length[j]);
    fputs(
        "<h2>Bone lengths</h2>\n<div class=\"wide\"><table><thead><tr><th>from</th><th>to</th><th "
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

/* ---- gaps and residuals --------------------------------------------------------------------- */

static bool put_gaps(const cli_solution *solution, FILE *out)
{
    fputs("<h2>Gaps</h2>\n<p class=\"soft\"><span class=\"key\" style=\"background:var(--seen);"
          "margin-left:0\"></span>seen <span class=\"key\" style=\"background:var(--edge)\"></span>"
          "partly seen <span class=\"key\" style=\"background:var(--gap)\"></span>missing</p>\n",
          out);
    int left_out = cli_gap_chart_draw(solution->trial, out);
    if (left_out > 0)
        fprintf(out, "<p class=\"soft\">%d more markers with fewer gaps are not drawn.</p>\n",
                left_out);
    return left_out >= 0;
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

static bool put_residuals(const cli_solution *solution, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    double largest = 0;
    for (int m = 0; m < residuals->marker_count; m++)
        largest = fmax(largest, residuals->marker[m].rms);
    fputs("<h2>Markers against the body</h2>\n<p class=\"soft\"><span class=\"key\" "
          "style=\"background:var(--c0);margin-left:0\"></span>rms over the markers of a frame "
          "<span class=\"key\" style=\"background:var(--c1)\"></span>worst marker of the "
          "frame</p>\n",
          out);
    bool is_good = cli_report_frame_residuals(solution, out);
    fputs("<div class=\"wide\"><table><thead><tr><th>marker</th><th>limb</th><th class=\"n\">seen, "
          "%</th><th class=\"n\">rms, mm</th><th class=\"n\">worst, mm</th><th class=\"n\">in frame"
          "</th><th></th></tr></thead><tbody>\n",
          out);
    for (int j = 0; j < solution->actor->skeleton->joint_count; j++)
        for (int m = 0; m < residuals->marker_count; m++)
            if (residuals->marker[m].joint == j) put_marker_row(solution, m, largest, out);
    fputs("</tbody></table></div>\n", out);
    return is_good;
}

static bool put_angles(const cli_solution *solution, FILE *out)
{
    fputs(
        "<h2>Joint angles</h2>\n<p class=\"soft\">Degrees from the body's rest pose, as a rotation "
        "vector in the joint's own axes: <span class=\"key\" style=\"background:var(--c0)\"></span>"
        "x, or about the axis of a hinge <span class=\"key\" style=\"background:var(--c1)\"></span>"
        "y <span class=\"key\" style=\"background:var(--c2)\"></span>z. Shaded: no marker of the "
        "limb is seen.</p>\n<div class=\"many\">\n",
        out);
    bool is_good = cli_report_angles(solution, out);
    fputs("</div>\n", out);
    return is_good;
}

/* ---- the page ------------------------------------------------------------------------------- */

static void put_head(const cli_solution *solution, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          out);
    cli_put_text(base_name(solution->path), out);
    fputs(" - skeleton and motion</title>\n<style>\n", out);
    fputs(report_style, out);
    fputs("</style>\n</head>\n<body>\n<main>\n<h1>", out);
    cli_put_text(base_name(solution->path), out);
    fputs("</h1>\n<p class=\"soft\">Skeleton and motion found from the markers</p>\n", out);
}

static bool draw_page(FILE *out, const void *context)
{
    const cli_solution *solution = context;
    put_head(solution, out);
    put_facts(solution, out);
    put_warnings(solution, out);
    fputs("<h2>The body over time</h2>\n<div class=\"figures\">\n", out);
    bool is_good = cli_report_moments(solution, out);
    fputs(
        "</div>\n<p class=\"soft\">Each picture is centred on the body; dots are the markers that "
        "were seen",
        out);
    fputs(solution->truth ? ", green rings are the true joints.</p>\n" : ".</p>\n", out);
    cli_report_truth(solution, out);
    put_joints(solution, out);
    put_bones(solution, out);
    is_good &= put_gaps(solution, out);
    is_good &= put_residuals(solution, out);
    is_good &= put_angles(solution, out);
    fprintf(out, "<p class=\"soft\">sinew %s</p>\n</main>\n</body>\n</html>\n", snw_version());
    return is_good;
}

int cli_report_write(const cli_arguments *arguments, const char *path, const cli_solution *solution)
{
    return cli_write_whole(arguments, path, draw_page, solution);
}
