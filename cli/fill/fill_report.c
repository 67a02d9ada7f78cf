/* The page: facts, what stayed missing, every marker, and the path of the least sure gaps. */
#include "fill/fill_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/markup.h"
#include "draw/plot.h"
#include "output.h"
#include "report/report.h"

enum {
    FILL_PLOTS = 24 /* of the least sure gaps */
};

/* ---- jumps ------------------------------------------------------------------------------------
 */

static double bend_at(const snw_trial *trial, int frame, int marker)
{
    for (int n = -1; n <= 1; n++)
        if (frame + n < 0 || frame + n >= trial->frame_count ||
            !snw_trial_is_present(trial, frame + n, marker))
            return NAN;
    snw_vec3 sum = snw_vec3_add(snw_trial_position(trial, frame - 1, marker),
                                snw_trial_position(trial, frame + 1, marker));
    return snw_vec3_length(snw_vec3_add_scaled(sum, -2, snw_trial_position(trial, frame, marker)));
}

static bool is_measured(const snw_trial *trial, int frame, int marker)
{
    if (frame < 0 || frame >= trial->frame_count) return false;
    size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
    return trial->state[at] == SNW_SAMPLE_MEASURED;
}

double cli_fill_jump(const snw_filled *filled, const snw_filled_gap *gap)
{
    const snw_trial *trial = filled->trial;
    int last = gap->first + gap->length, reach = (int)(trial->rate / 2) + 2, m = gap->marker;
    double ends = fmax(bend_at(trial, gap->first - 1, m), bend_at(trial, last, m)), beside = 0;
    for (int frame = gap->first - reach; frame < last + reach; frame++)
        if (is_measured(trial, frame - 1, m) && is_measured(trial, frame, m) &&
            is_measured(trial, frame + 1, m))
            beside = fmax(beside, bend_at(trial, frame, m));
    return ends >= 0 && beside > 0 ? ends / beside : 0;
}

/* ---- parts of the page -------------------------------------------------------------------------
 */

static void put_facts(const cli_fill_page *page, FILE *out)
{
    const snw_filled *filled = page->filled;
    int64_t missing = 0;
    int jumps = 0, wrong = 0;
    for (int g = 0; g < filled->gap_count; g++) {
        missing += filled->gap[g].length;
        if (filled->gap[g].outcome != SNW_GAP_FILLED || cli_fill_jump(filled, filled->gap + g) <= 1)
            continue;
        jumps++;
        wrong += filled->gap[g].distrusted > 0;
    }
    fprintf(out,
            "<dl><div><dt>markers</dt><dd>%d</dd></div><div><dt>frames</dt><dd>%d</dd></div>"
            "<div><dt>gaps filled</dt><dd>%d of %d</dd></div><div><dt>samples filled</dt><dd>%lld "
            "of %lld</dd></div><div><dt>gaps with a larger jump at an end than the motion "
            "beside</dt><dd>%d</dd></div><div><dt>of these beside samples that do not fit</dt>"
            "<dd>%d</dd></div></dl>\n",
            page->trial->marker_count, page->trial->frame_count, filled->filled_count,
            filled->gap_count, (long long)filled->sample_count, (long long)missing, jumps, wrong);
}

static void put_notes(const snw_notes *notes, FILE *out)
{
    if (notes->count == 0) return;
    fputs("<h2>Worth knowing</h2><ul class=\"reasons\">\n", out);
    for (int n = 0; n < notes->count; n++) {
        fputs("<li class=\"amber\">", out);
        cli_put_text(notes->note[n].text, out);
        fputs("</li>\n", out);
    }
    if (notes->dropped > 0) fprintf(out, "<li>and %d more</li>\n", notes->dropped);
    fputs("</ul>\n", out);
}

static void put_gap_row(const cli_fill_page *page, const snw_filled_gap *gap, FILE *out)
{
    bool is_filled = gap->outcome == SNW_GAP_FILLED;
    fputs(is_filled ? "<tr><td>" : "<tr class=\"unsure\"><td>", out);
    cli_put_text(page->trial->marker[gap->marker].name, out);
    int first = gap->first + page->trial->first_frame;
    fprintf(out, "</td><td class=\"n\">%d-%d</td><td class=\"n\">%d</td>", first,
            first + gap->length - 1, gap->length);
    if (is_filled)
        fprintf(out,
                "<td class=\"n\">%.1f</td><td>%s, %.0f %%</td><td class=\"n\">%d</td><td "
                "class=\"n\">%.2f</td></tr>\n",
                1000 * gap->uncertainty, snw_fill_method_name(gap->method), 100 * gap->share,
                gap->distrusted, cli_fill_jump(page->filled, gap));
    else
        fprintf(out, "<td></td><td>%s</td><td></td><td></td></tr>\n",
                snw_fill_outcome_text(gap->outcome));
}

static void put_gaps(const cli_fill_page *page, FILE *out)
{
    fputs("<h2>Every gap</h2><p class=\"soft\">Sure to: the largest root mean square error that is "
          "expected in the gap. Jump: the largest second difference at the ends by the largest of "
          "the measured samples within half a second; up to 1 the motion beside the gap explains "
          "it.</p><div class=\"wide\"><table><tr><th>marker</th><th class=\"n\">frames</th><th "
          "class=\"n\">length</th><th class=\"n\">sure to mm</th><th>mostly by</th><th class=\"n\">"
          "ends not trusted</th><th class=\"n\">jump</th></tr>\n",
          out);
    for (int g = 0; g < page->filled->gap_count; g++)
        put_gap_row(page, page->filled->gap + g, out);
    fputs("</table></div>\n", out);
}

/* ---- paths --------------------------------------------------------------------------------------
 */

/* Colours of x, y and z: three that the style sheet has. */
static const char *const path_class[3] = {"left", "right", "middle"};

static bool put_path(const cli_fill_page *page, const snw_filled_gap *gap, FILE *out)
{
    const snw_trial *trial = page->filled->trial;
    int reach = gap->length / 2 + 20, count = gap->length + 2 * reach;
    double *value = malloc(4 * (size_t)count * sizeof *value);
    uint8_t *is_hidden = calloc((size_t)count, 1);
    bool is_good = value && is_hidden;
    if (is_good) {
        snw_vec3 zero = snw_trial_position(trial, gap->first, gap->marker);
        for (int n = 0; n < count; n++) {
            int frame = gap->first - reach + n;
            bool is_there = frame >= 0 && frame < trial->frame_count &&
                            snw_trial_is_present(trial, frame, gap->marker);
            snw_vec3 at = {NAN, NAN, NAN};
            if (is_there) at = snw_vec3_sub(snw_trial_position(trial, frame, gap->marker), zero);
            value[n] = 1000 * at.x;
            value[count + n] = 1000 * at.y;
            value[2 * count + n] = 1000 * at.z;
            size_t sample = (size_t)frame * (size_t)trial->marker_count + (size_t)gap->marker;
            value[3 * count + n] = is_there ? 1000 * (double)trial->uncertainty[sample] : 0;
            is_hidden[n] = is_there && !is_measured(trial, frame, gap->marker);
        }
        cli_plot plot;
        memset(&plot, 0, sizeof plot);
        plot.name = "path of a filled gap";
        plot.unit = "mm";
        plot.width = 300;
        plot.height = 130;
        plot.rate = trial->rate;
        plot.frame_count = count;
        plot.curve_count = 3;
        for (int axis = 0; axis < 3; axis++)
            plot.curve[axis] =
                (cli_plot_curve){path_class[axis], value + axis * count, value + 3 * count};
        plot.is_hidden = is_hidden;
        plot.least_span = 10;
        fputs("<figure><figcaption>", out);
        cli_put_text(trial->marker[gap->marker].name, out);
        int first = gap->first + trial->first_frame;
        fprintf(out, " <small>frames %d-%d, sure to %.1f mm</small></figcaption>\n", first,
                first + gap->length - 1, 1000 * gap->uncertainty);
        cli_plot_draw(&plot, out);
        fputs("</figure>\n", out);
    }
    free(is_hidden);
    free(value);
    return is_good;
}

static bool put_paths(const cli_fill_page *page, FILE *out)
{
    const snw_filled *filled = page->filled;
    bool *is_drawn = calloc((size_t)filled->gap_count + 1, sizeof *is_drawn);
    if (!is_drawn || filled->filled_count == 0) {
        bool is_nothing_missed = is_drawn != NULL;
        free(is_drawn);
        return is_nothing_missed;
    }
    bool is_good = true;
    fputs("<h2>The least sure gaps</h2><p class=\"soft\">x, y and z from the first filled sample; "
          "shaded where the marker was hidden, with a band as wide as it "
          "is sure.</p><div class=\"many\">\n",
          out);
    for (int n = 0; n < FILL_PLOTS && is_good; n++) {
        int worst = -1;
        for (int g = 0; g < filled->gap_count; g++)
            if (filled->gap[g].outcome == SNW_GAP_FILLED && !is_drawn[g] &&
                (worst < 0 || filled->gap[g].uncertainty > filled->gap[worst].uncertainty))
                worst = g;
        if (worst < 0) break;
        is_drawn[worst] = true;
        is_good = put_path(page, filled->gap + worst, out);
    }
    fputs("</div>\n", out);
    free(is_drawn);
    return is_good;
}

static bool draw_fill_page(FILE *out, const void *context)
{
    const cli_fill_page *page = context;
    const char *slash = strrchr(page->path, '/');
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><link rel=\"icon\" href=\"data:,\"><title>",
        out);
    cli_put_text(slash ? slash + 1 : page->path, out);
    fputs("</title><style>\n", out);
    for (int n = 0; cli_report_style[n]; n++)
        fputs(cli_report_style[n], out);
    fputs("</style></head><body><main>\n<h1>", out);
    cli_put_text(slash ? slash + 1 : page->path, out);
    fputs("</h1><p class=\"soft\">gaps filled by sinew fill</p>\n", out);
    put_facts(page, out);
    put_notes(page->notes, out);
    bool is_good = put_paths(page, out);
    put_gaps(page, out);
    fputs("</main></body></html>\n", out);
    return is_good;
}

int cli_fill_report(const cli_arguments *arguments, const char *path, const cli_fill_page *page)
{
    return cli_write_whole(arguments, path, draw_fill_page, page);
}
