/* The page: the verdict and its reasons, facts, the moving body, angles, joints, bones, gaps,
 * residuals. One file that needs nothing else; without scripts only the player is missing. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "draw/markup.h"
#include "output.h"
#include "report/gap_chart.h"
#include "report/report_angles.h"

/* ---- the head -------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void cli_report_fact(const char *name, const char *value, FILE *out)
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
    cli_report_fact("frames", text, out);
    snw_format(text, sizeof text, "%.2f s", trial->frame_count / solution->motion->rate);
    cli_report_fact("time", text, out);
    snw_format(text, sizeof text, "%.4g Hz", solution->motion->rate);
    cli_report_fact("rate", text, out);
    snw_format(text, sizeof text, "%d of %d", markers_on_body(solution), trial->marker_count);
    cli_report_fact("markers on the body", text, out);
    snw_format(text, sizeof text, "%d", snw_actor_segment_count(solution->actor));
    cli_report_fact("segments", text, out);
    snw_format(text, sizeof text, "%.2f mm", 1000 * solution->residuals->rms);
    cli_report_fact("markers to body, rms", text, out);
    snw_format(text, sizeof text, "%.2f mm", 1000 * solution->report->residual);
    cli_report_fact("the same less outliers", text, out);
    snw_format(text, sizeof text, "%.1f %%", 100 * (1 - solution->report->marker_share));
    cli_report_fact("samples missing", text, out);
    snw_format(text, sizeof text, "%.2f %%", 100 * solution->report->outlier_share);
    cli_report_fact("outlier samples", text, out);
    cli_report_fact("motion", cli_flag(solution->arguments, "--smooth") ? "smoothed" : "raw", out);
    fputs("</dl>\n", out);
}

/* What was asked, without the words that only say where answers go. */
static void put_command(const cli_arguments *arguments, FILE *out)
{
    static const char *const silent[] = {"--output",     "--report",       "--svg",
                                         "--save-actor", "--save-profile", "--save-states",
                                         "--force",      "--json",         "--jobs"};
    fprintf(out, "<code>sinew %s ", arguments->command->name);
    cli_put_text(base_name(arguments->operand[0]), out);
    for (int n = 0; n < arguments->given_count; n++) {
        const char *name = arguments->given[n].option->name;
        bool is_silent = false;
        for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
            is_silent |= strcmp(name, silent[i]) == 0;
        if (is_silent) continue;
        fprintf(out, " %s", name);
        if (!arguments->given[n].value) continue;
        fputc(' ', out);
        cli_put_text(base_name(arguments->given[n].value), out);
    }
    fputs("</code>", out);
}

/* The capture's own date, so that the same capture gives the same page. */
static void put_source(const cli_arguments *arguments, const char *path, FILE *out)
{
    struct stat about;
    struct tm when;
    char date[40] = "";
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && gmtime_r(&about.st_mtime, &when))
        strftime(date, sizeof date, ", file of %Y-%m-%d %H:%M UTC", &when);
    fputs("<p class=\"soft\">", out);
    put_command(arguments, out);
    fprintf(out, " with sinew %s%s</p>\n", snw_version(), date);
}

static void put_verdict(const cli_solution *solution, FILE *out)
{
    const char *word = snw_verdict_name(solution->judgements->verdict);
    fprintf(out,
            "<p class=\"word %s\">%s</p>\n<h2>What to know first</h2>\n<ul class=\"reasons\">\n",
            word, word);
    if (cli_report_judgements(solution, out) == 0)
        fputs("<li class=\"green\">Nothing stands out: every joint is determined, every frame was "
              "solved.</li>\n",
              out);
    fputs("</ul>\n", out);
}

static void put_contents(const cli_solution *solution, const report_angles *angles, FILE *out)
{
    fputs("<nav><a href=\"#body\">The body</a>", out);
    fputs("<a href=\"#angles\">Joint angles</a>", out);
    if (angles->angles && angles->strides && angles->strides->count)
        fputs("<a href=\"#cycle\">Gait cycle</a>", out);
    if (solution->truth) fputs("<a href=\"#truth\">Against the truth</a>", out);
    fputs("<a href=\"#joints\">Joint centres</a><a href=\"#bones\">Bone lengths</a><a "
          "href=\"#gaps\">Gaps</a><a href=\"#markers\">Markers</a></nav>\n",
          out);
}

void cli_report_head(const cli_arguments *arguments, const char *path, const char *title, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<link rel=\"icon\" "
          "href=\"data:,\">\n<title>",
          out);
    cli_put_text(base_name(path), out);
    fprintf(out, " - %s</title>\n<style>\n", title);
    for (int n = 0; cli_report_style[n]; n++)
        fputs(cli_report_style[n], out);
    fputs("</style>\n</head>\n<body>\n<main>\n<h1>", out);
    cli_put_text(base_name(path), out);
    fputs("</h1>\n", out);
    put_source(arguments, path, out);
}

/* ---- gaps and residuals ---------------------------------------------------------------------- */

static bool put_gaps(const cli_solution *solution, FILE *out)
{
    fputs("<h2 id=\"gaps\">Gaps</h2>\n<p class=\"soft\"><span class=\"key\" "
          "style=\"background:var(--seen);margin-left:0\"></span>seen <span class=\"key\" "
          "style=\"background:var(--edge)\"></span>partly seen <span class=\"key\" "
          "style=\"background:var(--gap)\"></span>missing</p>\n<div class=\"wide\">\n",
          out);
    bool is_good = cli_gap_chart_draw(solution->trial, out);
    fputs("</div>\n", out);
    return is_good;
}

static double worst_of_frame(const snw_residuals *residuals, int frame)
{
    const float *row = residuals->distance + (size_t)frame * (size_t)residuals->marker_count;
    double worst = NAN;
    for (int m = 0; m < residuals->marker_count; m++)
        if (!(row[m] <= worst) && row[m] == row[m]) worst = row[m];
    return worst;
}

static bool put_residuals(const cli_solution *solution, const report_angles *angles, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    size_t frames = (size_t)residuals->frame_count;
    double *values = malloc((2 * frames + 1) * sizeof(double));
    if (!values) return false;
    for (int k = 0; k < residuals->frame_count; k++) {
        values[k] = 1000 * residuals->frame_rms[k];
        values[frames + (size_t)k] = 1000 * worst_of_frame(residuals, k);
    }
    cli_plot plot = {.name = "Distance of the markers from the body over time",
                     .unit = "mm",
                     .width = 900,
                     .height = 190,
                     .rate = solution->motion->rate,
                     .frame_count = residuals->frame_count,
                     .curve_count = 2,
                     .curve = {{"mean", values, NULL}, {"worst", values + frames, NULL}},
                     .event_count = angles->events ? angles->events->count : 0,
                     .event = angles->line,
                     .least_span = 1,
                     .starts_at_zero = true};
    fputs(
        "<h2 id=\"markers\">Markers against the body</h2>\n<p class=\"soft\">Distance of the "
        "markers from the body over time: <span class=\"key mean\"></span>rms over the markers of "
        "a frame <span class=\"key worst\"></span>worst marker of the frame</p>\n<div "
        "class=\"wide\">\n",
        out);
    cli_plot_draw(&plot, out);
    fputs("</div>\n", out);
    free(values);
    cli_report_markers(solution, out);
    return true;
}

/* ---- the page -------------------------------------------------------------------------------- */

bool cli_report_body(const cli_solution *solution, FILE *out)
{
    fputs("<h2 id=\"body\">The body over time</h2>\n", out);
    bool is_good = cli_report_player(solution, out);
    fputs("<div class=\"wide\"><div class=\"figures\">\n", out);
    is_good = cli_report_moments(solution, out) && is_good;
    fputs(
        "</div></div>\n<p class=\"soft\">Each picture is centred on the body; dots are the markers "
        "that were seen",
        out);
    fputs(solution->truth ? ", green rings are the true joints.</p>\n" : ".</p>\n", out);
    is_good = is_good && cli_report_figure(solution, out);
    return is_good;
}

static bool draw_page(FILE *out, const void *context)
{
    const cli_solution *solution = context;
    report_angles angles;
    bool is_good = report_angles_find(solution, &angles);
    cli_report_head(solution->arguments, solution->path, "skeleton and motion", out);
    put_verdict(solution, out);
    put_facts(solution, out);
    put_contents(solution, &angles, out);
    is_good = cli_report_body(solution, out) && is_good;
    if (is_good)
        is_good = angles.angles ? report_angles_draw(solution, &angles, out)
                                : cli_report_turns(solution, out);
    cli_report_truth(solution, out);
    cli_report_joints(solution, out);
    cli_report_bones(solution, out);
    is_good = is_good && put_gaps(solution, out) && put_residuals(solution, &angles, out);
    fputs("</main>\n</body>\n</html>\n", out);
    report_angles_release(&angles);
    return is_good;
}

int cli_report_write(const cli_arguments *arguments, const char *path, const cli_solution *solution)
{
    return cli_write_whole(arguments, path, draw_page, solution);
}
