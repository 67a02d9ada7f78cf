/* What a person should know before using a result, in sentences. */
#include <stdlib.h>

#include "markup.h"
#include "report.h"

/* Metres. A marker on skin may slide by this much; below it nothing is suspicious. */
#define WARN_RESIDUAL_MIN 0.010
/* A residual so many times the median marker's (or frame's) stands out. */
#define WARN_RESIDUAL_TIMES 4
#define WARN_NAMES_MAX      12
#define WARN_STRETCHES_MAX  5

typedef struct stretch {
    int from, to; /* frames [from, to) */
    double peak;
} stretch;

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

/* Sorts `values`; 0 where there are none. */
static double median_of(double *values, int count)
{
    if (count == 0) return 0;
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

/* ---- frames and joints ---------------------------------------------------------------------- */

static int warn_lost(const cli_solution *solution, FILE *out)
{
    int lost = solution->report->lost_count;
    if (lost == 0) return 0;
    fprintf(out,
            "<li>%d frame%s of %d show%s too little for a pose: the motion there is made up from "
            "the neighbours.</li>\n",
            lost, lost == 1 ? "" : "s", solution->report->frame_count, lost == 1 ? "s" : "");
    return 1;
}

/* One sentence for all: the table of joints has every verdict. */
static int warn_uncertain(const cli_solution *solution, FILE *out)
{
    const snw_skeleton *body = solution->actor->skeleton;
    int count = 0;
    for (int j = 1; j < body->joint_count; j++)
        count += solution->actor->finding[j].is_uncertain;
    if (count == 0) return 0;
    fprintf(out, "<li>The motion does not determine %d of %d joint centres: ", count,
            body->joint_count - 1);
    for (int j = 1, named = 0; j < body->joint_count; j++) {
        if (!solution->actor->finding[j].is_uncertain) continue;
        fputs(named++ ? ", <b>" : "<b>", out);
        cli_put_text(body->name[j], out);
        fprintf(out, "</b> (+-%.0f mm)", 1000 * solution->actor->finding[j].uncertainty);
    }
    fputs(".</li>\n", out);
    return 1;
}

/* Stretches whose rms stands out, the worst WARN_STRETCHES_MAX of them. */
static int find_stretches(const snw_residuals *residuals, double limit,
                          stretch found[WARN_STRETCHES_MAX])
{
    int count = 0;
    for (int k = 0; k < residuals->frame_count; k++) {
        if (!(residuals->frame_rms[k] > limit)) continue;
        stretch s = {k, k, 0};
        for (; s.to < residuals->frame_count && residuals->frame_rms[s.to] > limit; s.to++)
            s.peak = fmax(s.peak, residuals->frame_rms[s.to]);
        k = s.to;
        int at = count < WARN_STRETCHES_MAX ? count++ : WARN_STRETCHES_MAX;
        for (; at > 0 && found[at - 1].peak < s.peak; at--)
            if (at < WARN_STRETCHES_MAX) found[at] = found[at - 1];
        if (at < WARN_STRETCHES_MAX) found[at] = s;
    }
    return count;
}

static int warn_stretches(const cli_solution *solution, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    double *values = malloc(((size_t)residuals->frame_count + 1) * sizeof *values);
    if (!values) return 0;
    int seen = 0;
    for (int k = 0; k < residuals->frame_count; k++)
        if (isfinite(residuals->frame_rms[k])) values[seen++] = residuals->frame_rms[k];
    double median = median_of(values, seen);
    free(values);
    stretch found[WARN_STRETCHES_MAX];
    int count =
        find_stretches(residuals, fmax(WARN_RESIDUAL_TIMES * median, WARN_RESIDUAL_MIN), found);
    for (int n = 0; n < count; n++) {
        int first = solution->trial->first_frame + found[n].from;
        int last = solution->trial->first_frame + found[n].to - 1;
        fprintf(out, "<li>In frame%s %d", first == last ? "" : "s", first);
        if (last != first) fprintf(out, " to %d", last);
        fprintf(out,
                " (%.2f s) the markers lie up to %.1f mm (rms) from the body; in the median "
                "frame it is %.1f mm.</li>\n",
                found[n].from / solution->motion->rate, 1000 * found[n].peak, 1000 * median);
    }
    return count;
}

/* ---- markers -------------------------------------------------------------------------------- */

static double median_marker(const snw_residuals *residuals)
{
    double *values = malloc(((size_t)residuals->marker_count + 1) * sizeof *values);
    if (!values) return 0;
    int seen = 0;
    for (int m = 0; m < residuals->marker_count; m++)
        if (residuals->marker[m].seen_count) values[seen++] = residuals->marker[m].rms;
    double median = median_of(values, seen);
    free(values);
    return median;
}

static int warn_markers(const cli_solution *solution, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    double median = median_marker(residuals);
    double limit = fmax(WARN_RESIDUAL_TIMES * median, WARN_RESIDUAL_MIN);
    int count = 0;
    for (int m = 0; m < residuals->marker_count; m++) {
        if (!(residuals->marker[m].rms > limit)) continue;
        fputs(count++ ? ", <b>" : "<li>Far from where the body carries them lie <b>", out);
        cli_put_text(solution->trial->marker[m].name, out);
        fprintf(out, "</b> (%.1f mm rms)", 1000 * residuals->marker[m].rms);
    }
    if (count == 0) return 0;
    fprintf(out,
            "; the median marker lies %.1f mm off. Wrong labels, loose skin or the wrong limb?"
            "</li>\n",
            1000 * median);
    return 1;
}

static int warn_left_out(const cli_solution *solution, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    int count = 0;
    for (int m = 0; m < residuals->marker_count; m++)
        count += residuals->marker[m].joint < 0;
    if (count == 0) return 0;
    fprintf(out, "<li>%d marker%s no part of the body: ", count, count == 1 ? " is" : "s are");
    for (int m = 0, named = 0; m < residuals->marker_count && named < WARN_NAMES_MAX; m++) {
        if (residuals->marker[m].joint >= 0) continue;
        if (named++) fputs(", ", out);
        cli_put_text(solution->trial->marker[m].name, out);
    }
    if (count > WARN_NAMES_MAX) fprintf(out, " and %d more", count - WARN_NAMES_MAX);
    fputs(".</li>\n", out);
    return 1;
}

static int warn_notes(const cli_solution *solution, FILE *out)
{
    for (int n = 0; n < solution->notes->count; n++) {
        fputs("<li>Note: ", out);
        cli_put_text(solution->notes->note[n].text, out);
        fputs(".</li>\n", out);
    }
    if (solution->notes->dropped)
        fprintf(out, "<li>And %d more notes.</li>\n", solution->notes->dropped);
    return solution->notes->count;
}

int cli_report_warnings(const cli_solution *solution, FILE *out)
{
    int count = warn_lost(solution, out);
    count += warn_uncertain(solution, out);
    count += warn_stretches(solution, out);
    count += warn_markers(solution, out);
    count += warn_left_out(solution, out);
    return count + warn_notes(solution, out);
}
