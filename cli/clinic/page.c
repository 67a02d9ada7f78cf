/* The clinical report: what to believe first, then numbers, profile and consistency on the first
 * sheet, angles on the second, moments, powers and the floor's force on the third. */
#include "clinic/page.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/markup.h"
#include "draw/plot.h"
#include "report/report.h"
#include "walk.h"

/* ---- what is drawn --------------------------------------------------------------------------- */

typedef struct page_graph {
    const char *variable, *title, *unit, *above, *below;
    double least_span;
} page_graph;

/* Rows of three: sagittal, coronal and transverse plane. The least span keeps small motions from
 * filling a graph: the largest that the angle has in most walks, rounded. */
static const page_graph page_angles[] = {
    {"thorax_flexion", "Trunk tilt", "deg", "Ant", "Post", 20},
    {"thorax_bending", "Trunk obliquity", "deg", "Up", "Down", 20},
    {"thorax_rotation", "Trunk rotation", "deg", "Forward", "Back", 20},
    {"pelvis_tilt", "Pelvic tilt", "deg", "Ant", "Post", 20},
    {"pelvis_obliquity", "Pelvic obliquity", "deg", "Up", "Down", 20},
    {"pelvis_rotation", "Pelvic rotation", "deg", "Forward", "Back", 20},
    {"hip_flexion", "Hip flexion", "deg", "Flex", "Ext", 60},
    {"hip_abduction", "Hip abduction", "deg", "Abd", "Add", 30},
    {"hip_rotation", "Hip rotation", "deg", "Int", "Ext", 30},
    {"knee_flexion", "Knee flexion", "deg", "Flex", "Ext", 70},
    {"knee_abduction", "Knee abduction", "deg", "Valgus", "Varus", 30},
    {"knee_rotation", "Knee rotation", "deg", "Int", "Ext", 30},
    {"ankle_flexion", "Ankle dorsiflexion", "deg", "Dors", "Plant", 40},
    {"ankle_inversion", "Ankle inversion", "deg", "Inv", "Ev", 30},
    {"foot_progression", "Foot progression", "deg", "Int", "Ext", 30},
};

static const page_graph page_forces[] = {
    {"hip_moment_extension", "Hip moment", "N m/kg", "Ext", "Flex", 2},
    {"knee_moment_extension", "Knee moment", "N m/kg", "Ext", "Flex", 1},
    {"ankle_moment_plantarflexion", "Ankle moment", "N m/kg", "Plant", "Dors", 2},
    {"hip_moment_abduction", "Hip moment", "N m/kg", "Abd", "Add", 1},
    {"knee_moment_abduction", "Knee moment", "N m/kg", "Valgus", "Varus", 1},
    {"hip_moment_rotation", "Hip moment", "N m/kg", "Int", "Ext", 0.5},
    {"hip_power", "Hip power", "W/kg", "Gen", "Abs", 3},
    {"knee_power", "Knee power", "W/kg", "Gen", "Abs", 3},
    {"ankle_power", "Ankle power", "W/kg", "Gen", "Abs", 4},
    {"ground_force_up", "Ground reaction, vertical", "N/kg", "Up", NULL, 12},
    {"ground_force_forward", "Ground reaction, fore-aft", "N/kg", "Forward", "Back", 4},
    {"ground_force_medial", "Ground reaction, sideways", "N/kg", "Medial", "Lateral", 2},
};

#define PAGE_ANGLES (int)(sizeof page_angles / sizeof *page_angles)
#define PAGE_FORCES (int)(sizeof page_forces / sizeof *page_forces)

/* ---- options --------------------------------------------------------------------------------- */

static bool is_colour(const char *text, size_t length)
{
    if ((length != 4 && length != 7) || text[0] != '#') return false;
    for (size_t n = 1; n < length; n++)
        if (!isxdigit((unsigned char)text[n])) return false;
    return true;
}

/* Red and green are what gait laboratories use; Okabe & Ito 2008 for who cannot tell them apart. */
static int take_colours(clinic_page *page)
{
    const char *how = cli_value(page->person->arguments, "--colours", "clinic");
    const char *comma = strchr(how, ',');
    bool is_clinic = strcmp(how, "clinic") == 0, is_safe = strcmp(how, "safe") == 0;
    if (is_clinic || is_safe) {
        snw_format(page->colour[0], sizeof page->colour[0], is_clinic ? "#c62828" : "#0072b2");
        snw_format(page->colour[1], sizeof page->colour[1], is_clinic ? "#1b7e32" : "#d55e00");
        return CLI_DONE;
    }
    if (!comma || !is_colour(how, (size_t)(comma - how)) ||
        !is_colour(comma + 1, strlen(comma + 1)))
        return cli_misuse(page->person->arguments,
                          "--colours takes clinic, safe or two colours as #c00,#080, not %s", how);
    snw_format(page->colour[0], sizeof page->colour[0], "%.*s", (int)(comma - how), how);
    snw_format(page->colour[1], sizeof page->colour[1], "%s", comma + 1);
    return CLI_DONE;
}

int clinic_page_settle(clinic_page *page)
{
    const cli_arguments *arguments = page->person->arguments;
    const char *normal = cli_value(arguments, "--normal", NULL);
    const char *against = cli_value(arguments, "--against", NULL);
    int code = take_colours(page);
    page->has_normal = normal != NULL;
    page->has_against = against != NULL;
    if (code == CLI_DONE && normal) code = clinic_normal_read(arguments, normal, &page->normal);
    if (code == CLI_DONE && against) code = clinic_strides_read(arguments, against, &page->against);
    return code;
}

void clinic_page_release(clinic_page *page)
{
    clinic_normal_release(&page->normal);
    clinic_strides_release(&page->against);
}

/* ---- the head -------------------------------------------------------------------------------- */

static const char page_style[] =
    ":root{color-scheme:light;--back:#fff;--ink:#1d2733;--soft:#55606b;--line:#d9dee3;--card:"
    "#f6f8f9}\nmain{max-width:60rem}h1{font-size:1.35rem}h2{margin:1rem 0 .2rem;font-size:1rem}\n"
    ".lines{display:flex;flex-wrap:wrap;gap:0 1.6rem;margin:.2rem 0}.lines span "
    "b{font-weight:600}\n"
    ".believe{margin:.5rem 0;padding:.35rem .7rem;border-left:5px solid var(--green)}"
    ".believe.amber{border-color:var(--amber)}.believe.red{border-color:var(--red)}\n"
    ".three{display:grid;grid-template-columns:repeat(3,1fr);gap:.15rem .5rem}.three "
    "figcaption{font-size:.8rem;text-align:center}svg text{font-size:13px}svg text.way{font-size:"
    "12px;fill:var(--ink)}\n.curve{stroke-width:2}.curve.against{stroke-dasharray:5 4;"
    "stroke-width:1.5}.band.normal{fill:#8a949e;opacity:.35}.curve.normal{stroke:none}\n"
    ".event{stroke-width:1.2;opacity:.8}.two{display:grid;grid-template-columns:minmax(0,1.2fr) "
    "minmax(0,1fr);gap:0 "
    "1.4rem}td:first-child{white-space:nowrap}.bars{max-width:40rem}table{font-size:.8rem}th,td{"
    "padding:.1rem .4rem .1rem 0}\n"
    ".left{color:var(--c0)}.right{color:var(--c1)}.bars rect.left{fill:var(--c0)}.bars "
    "rect.right{fill:var(--c1)}.key.normal{background:#c3c9cf}.key.against{height:0;border-top:2px "
    "dashed var(--ink);background:none;vertical-align:middle}\n"
    "@page{size:A4;margin:9mm 10mm}@media print{body{font-size:11.5px}main{padding:0}.sheet{"
    "break-before:page}.sheet:first-of-type{break-before:auto}h1{font-size:1.25rem}table{font-size:"
    ".74rem}"
    "th,td{padding:.03rem .4rem .03rem 0}h2{margin:.6rem 0 .1rem}}\n";

static void put_line(const char *name, const char *value, FILE *out)
{
    if (!value[0]) return;
    fprintf(out, "<span>%s: <b>", name);
    cli_put_text(value, out);
    fputs("</b></span>\n", out);
}

static void put_head(const clinic_page *page, FILE *out)
{
    const clinic_person *person = page->person;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<link rel=\"icon\" "
          "href=\"data:,\">\n<title>",
          out);
    cli_put_text(person->name, out);
    fputs(" - gait report</title>\n<style>\n", out);
    for (int n = 0; cli_report_style[n]; n++)
        fputs(cli_report_style[n], out);
    fprintf(out,
            "%s:root{--c0:%s;--c1:%s}@media(prefers-color-scheme:dark){:root{--c0:%s;--c1:%s}}",
            page_style, page->colour[0], page->colour[1], page->colour[0], page->colour[1]);
    fputs("\n</style>\n</head>\n<body>\n<main>\n", out);
}

static int count_strides(const clinic_person *person, int side, int *walks)
{
    int count = 0;
    *walks = 0;
    for (int n = 0; n < person->trial_count; n++) {
        const clinic_trial *trial = person->trial + n;
        if (trial->kind != CLINIC_WALK || !trial->is_used) continue;
        count += trial->stride_count[side];
        ++*walks;
    }
    return count;
}

static bool has_forces(const clinic_person *person)
{
    for (int n = 0; n < person->trial_count; n++)
        if (person->trial[n].has_kinetics && person->trial[n].is_used) return true;
    return false;
}

/* Fewer strides than this do not show how they differ: Baker 2013 recommends five and more. */
#define PAGE_FEW 3

/* One line: what to believe of the page. */
static void put_belief(const clinic_page *page, FILE *out)
{
    const clinic_person *person = page->person;
    const char *word = snw_verdict_name(person->verdict), *reason = "";
    int walks, left = count_strides(person, 0, &walks), right = count_strides(person, 1, &walks);
    for (int n = 0; n < person->trial_count; n++)
        if (person->trial[n].is_used && person->trial[n].kind == CLINIC_WALK &&
            person->trial[n].verdict == person->verdict)
            reason = person->trial[n].reason;
    fprintf(out, "<p class=\"believe %s\"><b>%s.</b> ", word, word);
    if (person->verdict == SNW_VERDICT_GREEN) fputs("Nothing speaks against these curves. ", out);
    cli_put_text(reason, out);
    fprintf(out, "%s %d left and %d right strides of %d walk%s", *reason ? ";" : "", left, right,
            walks, walks == 1 ? "" : "s");
    int left_out = 0;
    for (int n = 0; n < person->trial_count; n++)
        left_out += person->trial[n].kind == CLINIC_WALK && !person->trial[n].is_used;
    if (left_out) fprintf(out, ", %d more left out (see Trials)", left_out);
    if (left < PAGE_FEW || right < PAGE_FEW) fputs(", too few to tell how they vary", out);
    if (person->still < 0)
        fputs("; no static: the zero of ankle and rotations is estimated from the walk", out);
    if (!has_forces(person)) {
        const char *why = "";
        for (int n = 0; n < person->trial_count && !*why; n++)
            why = person->trial[n].no_forces;
        fputs("; no moments: ", out);
        cli_put_text(*why ? why : "no plate was used", out);
    }
    fputs(".</p>\n", out);
}

static void put_lines(const clinic_page *page, FILE *out)
{
    const clinic_person *person = page->person;
    const cli_arguments *arguments = person->arguments;
    char text[200];
    fputs("<h1>", out);
    cli_put_text(person->name, out);
    fputs("</h1>\n<div class=\"lines\">\n", out);
    put_line("Patient", cli_value(arguments, "--patient", ""), out);
    put_line("Laboratory", cli_value(arguments, "--lab", ""), out);
    put_line("Angles", snw_angle_convention_text(person->convention), out);
    put_line("Static", person->still >= 0 ? person->trial[person->still].name : "none", out);
    if (isfinite(person->mass)) {
        snw_format(text, sizeof text, "%.1f kg", person->mass);
        put_line("Mass", text, out);
    }
    snw_format(text, sizeof text, "left %s, right %s",
               person->functional.has_hip[0] ? "by motion" : "by regression",
               person->functional.has_hip[1] ? "by motion" : "by regression");
    put_line("Hips", text, out);
    if (page->has_normal) put_line("Normal", page->normal.source, out);
    snw_format(text, sizeof text, "sinew %s", snw_version());
    put_line("Made by", text, out);
    fputs("</div>\n", out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_mean(const snw_cycle *mean, int digits, FILE *out)
{
    if (mean->count == 0)
        fputs("<td class=\"n\">-</td>", out);
    else if (mean->count == 1)
        fprintf(out, "<td class=\"n\">%.*f</td>", digits, mean->mean[0]);
    else
        fprintf(out, "<td class=\"n\">%.*f &plusmn; %.*f</td>", digits, mean->mean[0], digits,
                mean->deviation[0]);
}

static void put_numbers(const clinic_page *page, FILE *out)
{
    fputs(
        "<h2>Time and distance</h2>\n<table><thead><tr><th></th><th class=\"n left\">Left</th><th "
        "class=\"n right\">Right</th>",
        out);
    if (page->has_against)
        fputs("<th class=\"n left\">before, L</th><th class=\"n right\">before, R</th>", out);
    if (page->has_normal) fputs("<th class=\"n\">Normal</th>", out);
    fputs("</tr></thead><tbody>\n", out);
    for (int k = 0; k < CLI_STRIDE_NUMBERS; k++) {
        const cli_stride_number *number = cli_stride_numbers + k;
        int digits = number->unit[0] == 'm' || strcmp(number->unit, "s") == 0 ? 2 : 1;
        snw_cycle mean;
        fprintf(out, "<tr><td>%s, %s</td>", number->title, number->unit);
        for (int side = 0; side < SNW_SIDES; side++) {
            clinic_strides_mean(&page->person->strides, number->name, side, &mean);
            put_mean(&mean, digits, out);
        }
        for (int side = 0; page->has_against && side < SNW_SIDES; side++) {
            clinic_strides_mean(&page->against, number->name, side, &mean);
            put_mean(&mean, digits, out);
        }
        const snw_cycle *band = clinic_normal_find(&page->normal, number->name);
        if (page->has_normal && band)
            fprintf(out, "<td class=\"n\">%.*f &plusmn; %.*f</td>", digits, band->mean[0], digits,
                    band->deviation[0]);
        else if (page->has_normal)
            fputs("<td></td>", out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_trials(const clinic_person *person, FILE *out)
{
    fputs("<h2>Trials</h2>\n<table><thead><tr><th>File</th><th>Is</th><th>Verdict</th><th "
          "class=\"n\">Strides L, R</th><th>Why</th></tr></thead><tbody>\n",
          out);
    for (int n = 0; n < person->trial_count; n++) {
        const clinic_trial *trial = person->trial + n;
        bool is_walk = trial->kind == CLINIC_WALK;
        fputs("<tr><td>", out);
        cli_put_text(trial->name, out);
        fprintf(out, "</td><td>%s</td><td>%s%s</td><td class=\"n\">", clinic_kind_name(trial->kind),
                is_walk ? snw_verdict_name(trial->verdict) : "",
                trial->is_used ? "" : (is_walk ? ", left out" : "left out"));
        if (is_walk) fprintf(out, "%d, %d", trial->stride_count[0], trial->stride_count[1]);
        fputs("</td><td>", out);
        cli_put_text(trial->reason, out);
        if (trial->no_forces[0]) {
            fputs(trial->reason[0] ? "; no moments: " : "no moments: ", out);
            cli_put_text(trial->no_forces, out);
        }
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

/* Mean over the cycle of the deviation between strides. */
static double spread_of(const snw_cycle *mean)
{
    double sum = 0;
    for (int p = 0; p < SNW_CYCLE_POINTS; p++)
        sum += mean->deviation[p];
    return mean->count > 1 ? sum / SNW_CYCLE_POINTS : NAN;
}

static void put_number(double value, FILE *out)
{
    if (isfinite(value))
        fprintf(out, "<td class=\"n\">%.1f</td>", value);
    else
        fputs("<td class=\"n\">-</td>", out);
}

static void put_consistency(const clinic_page *page, FILE *out)
{
    clinic_profile profile;
    memset(&profile, 0, sizeof profile);
    if (page->has_normal) clinic_profile_make(&page->person->strides, &page->normal, &profile);
    fprintf(out,
            "<h2>%s</h2>\n<table><thead><tr><th>degrees</th><th class=\"n left\">spread "
            "L</th><th class=\"n right\">spread R</th>%s</tr></thead><tbody>\n",
            page->has_normal ? "Consistency, and distance from normal" : "Consistency of strides",
            page->has_normal ? "<th class=\"n left\">GVS L</th><th class=\"n right\">GVS R</th>"
                             : "");
    for (int n = 0; n < CLINIC_PROFILE; n++) {
        fprintf(out, "<tr><td>%s</td>", clinic_profile_title[n]);
        for (int side = 0; side < SNW_SIDES; side++) {
            snw_cycle mean;
            clinic_strides_mean(&page->person->strides, clinic_profile_variable[n], side, &mean);
            put_number(spread_of(&mean), out);
        }
        for (int side = 0; page->has_normal && side < SNW_SIDES; side++)
            put_number(profile.score[side][n], out);
        fputs("</tr>\n", out);
    }
    if (page->has_normal) {
        fputs("<tr><th>Gait Profile Score</th><td></td><td></td>", out);
        for (int side = 0; side < SNW_SIDES; side++)
            put_number(profile.side[side], out);
        fputs("</tr>\n<tr><th>of both sides</th><td></td><td></td>", out);
        put_number(profile.overall, out);
        fputs("<td></td></tr>\n", out);
    }
    fputs(
        "</tbody></table>\n<p class=\"soft\">Spread: standard deviation between strides, mean over "
        "the cycle.",
        out);
    if (page->has_normal)
        fputs(
            " GVS: rms distance of the mean cycle from normal; GPS: their rms (Baker et al. 2009).",
            out);
    fputs("</p>\n", out);
}

/* The profile as bars; 15 degrees fill the picture where nothing is larger. */
static void put_profile(const clinic_page *page, FILE *out)
{
    clinic_profile profile;
    if (!page->has_normal) return;
    clinic_profile_make(&page->person->strides, &page->normal, &profile);
    double most = 15;
    for (int side = 0; side < SNW_SIDES; side++)
        for (int n = 0; n < CLINIC_PROFILE; n++)
            most = fmax(most, profile.score[side][n]);
    fputs("<h2>Movement analysis profile, degrees from normal</h2>\n<svg class=\"bars\" "
          "viewBox=\"0 0 640 130\" role=\"img\" aria-label=\"Movement analysis "
          "profile\">\n",
          out);
    for (int n = 0; n <= CLINIC_PROFILE; n++) {
        double x = 8 + 62.0 * n;
        for (int side = 0; side < SNW_SIDES; side++) {
            double value = n < CLINIC_PROFILE ? profile.score[side][n] : profile.side[side];
            double height = isfinite(value) ? 86 * value / most : 0;
            fprintf(out, "<rect class=\"%s\" x=\"%.0f\" y=\"%.1f\" width=\"20\" height=\"%.1f\"/>",
                    cli_side_name[side], x + 22.0 * side, 104 - height, height);
            if (isfinite(value))
                fprintf(out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>",
                        x + 10 + 22.0 * side, 100 - height, value);
        }
        static const char *const brief[CLINIC_PROFILE + 1] = {
            "Pel tilt", "Pel obl", "Pel rot", "Hip flex", "Hip abd",
            "Hip rot",  "Knee",    "Ankle",   "Foot",     "GPS"};
        fprintf(out, "<text x=\"%.0f\" y=\"120\" text-anchor=\"middle\">%s</text>\n", x + 21,
                brief[n]);
    }
    fputs("<line class=\"zero\" x1=\"0\" y1=\"104\" x2=\"640\" y2=\"104\"/></svg>\n", out);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* A graph's curves: normal, those before, left and right. */
typedef struct page_curves {
    snw_cycle mean[4];
    cli_plot_event off[SNW_SIDES];
    char off_class[SNW_SIDES][16];
} page_curves;

static void add_sides(const clinic_strides *strides, const char *variable, bool is_against,
                      snw_cycle *mean, cli_plot *plot)
{
    static const char *const name[2][2] = {{"left", "right"}, {"left against", "right against"}};
    for (int side = 0; side < SNW_SIDES; side++) {
        clinic_strides_mean(strides, variable, side, mean + side);
        if (mean[side].count == 0) continue;
        bool has_band = mean[side].count > 1 && !is_against;
        plot->curve[plot->curve_count++] = (cli_plot_curve){name[is_against][side], mean[side].mean,
                                                            has_band ? mean[side].deviation : NULL};
    }
}

static void put_graph(const clinic_page *page, const page_graph *graph, FILE *out)
{
    page_curves curves;
    cli_plot plot = {.name = graph->title,
                     .unit = "",
                     .width = 300,
                     .height = 192,
                     .frame_count = SNW_CYCLE_POINTS,
                     .least_span = graph->least_span,
                     .above = graph->above,
                     .below = graph->below,
                     .event = curves.off};
    const snw_cycle *band = clinic_normal_find(&page->normal, graph->variable);
    if (band)
        plot.curve[plot.curve_count++] = (cli_plot_curve){"normal", band->mean, band->deviation};
    if (page->has_against) add_sides(&page->against, graph->variable, true, curves.mean, &plot);
    add_sides(&page->person->strides, graph->variable, false, curves.mean + 2, &plot);
    for (int side = 0; side < SNW_SIDES; side++) {
        snw_cycle off;
        clinic_strides_mean(&page->person->strides, "foot_off", side, &off);
        if (off.count == 0) continue;
        snw_format(curves.off_class[side], sizeof curves.off_class[side], "%s off",
                   cli_side_name[side]);
        curves.off[plot.event_count++] = (cli_plot_event){off.mean[0], curves.off_class[side]};
    }
    fprintf(out, "<figure><figcaption>%s, %s</figcaption>", graph->title, graph->unit);
    if (plot.curve_count > (band != NULL))
        cli_plot_draw(&plot, out);
    else
        fputs("<p class=\"soft\">not measured</p>", out);
    fputs("</figure>\n", out);
}

static void put_graphs(const clinic_page *page, const char *title, const page_graph *graph,
                       int count, FILE *out)
{
    fputs("<section class=\"sheet\">\n<h2>", out);
    cli_put_text(page->person->name, out);
    fprintf(
        out,
        ": %s</h2>\n<p class=\"soft\"><span class=\"key left\" style=\"margin-left:0\"></span>left "
        "<span class=\"key right\"></span>right, mean and one standard deviation over percent of "
        "the cycle; upright: foot off",
        title);
    if (page->has_normal) fputs(" <span class=\"key normal\"></span>normal, one deviation", out);
    if (page->has_against) fputs(" <span class=\"key against\"></span>before", out);
    fputs("</p>\n<div class=\"three\">\n", out);
    for (int n = 0; n < count; n++)
        put_graph(page, graph + n, out);
    fputs("</div>\n</section>\n", out);
}

bool clinic_page_draw(FILE *out, const void *context)
{
    const clinic_page *page = context;
    put_head(page, out);
    fputs("<section class=\"sheet\">\n", out);
    put_lines(page, out);
    put_belief(page, out);
    fprintf(out, "<div class=\"%s\"><div>\n", page->has_against ? "one" : "two");
    put_numbers(page, out);
    fputs("</div><div>\n", out);
    put_consistency(page, out);
    fputs("</div></div>\n", out);
    put_profile(page, out);
    fputs("</section>\n", out);
    put_graphs(page, "angles", page_angles, PAGE_ANGLES, out);
    if (has_forces(page->person))
        put_graphs(page, "moments (internal), powers, ground reaction", page_forces, PAGE_FORCES,
                   out);
    put_trials(page->person, out);
    fputs("</main>\n</body>\n</html>\n", out);
    return true;
}
