/* What a person should know before using a result, in sentences. */
#include <stdlib.h>
#include <string.h>

#include "draw/markup.h"
#include "report/report.h"

/* Metres. A marker on skin may slide by this much; below it nothing is suspicious. */
#define WARN_RESIDUAL_MIN 0.010
/* A residual so many times the median marker's (or frame's) stands out. */
#define WARN_RESIDUAL_TIMES 4
#define WARN_NAMES_MAX      12
#define WARN_STRETCHES_MAX  5
/* Seconds. Stretches nearer to each other than this are told as one. */
#define WARN_STRETCH_PAUSE 0.2

typedef struct stretch {
    int from, to; /* frames [from, to) */
    int count;    /* of these, that stand out */
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
    for (int j = 1, named = 0; j < body->joint_count && named < WARN_NAMES_MAX; j++) {
        if (!solution->actor->finding[j].is_uncertain) continue;
        fputs(named++ ? ", <b>" : "<b>", out);
        cli_put_text(body->name[j], out);
        fprintf(out, "</b> (&#177;%.0f mm)", 1000 * solution->actor->finding[j].uncertainty);
    }
    if (count > WARN_NAMES_MAX) fprintf(out, " and %d more", count - WARN_NAMES_MAX);
    fputs(".</li>\n", out);
    return 1;
}

/* Stretches whose rms stands out, the worst WARN_STRETCHES_MAX of them; such with less than `near`
 * frames between them are one. */
static int find_stretches(const snw_residuals *residuals, double limit, int near,
                          stretch found[WARN_STRETCHES_MAX])
{
    int count = 0, frames = residuals->frame_count;
    for (int k = 0; k < frames; k++) {
        if (!(residuals->frame_rms[k] > limit)) continue;
        stretch s = {k, k + 1, 0, 0};
        for (; k < frames && k < s.to + near; k++) {
            if (!(residuals->frame_rms[k] > limit)) continue;
            s.peak = fmax(s.peak, residuals->frame_rms[k]);
            s.to = k + 1;
            s.count++;
        }
        int at = count < WARN_STRETCHES_MAX ? count++ : WARN_STRETCHES_MAX;
        for (; at > 0 && found[at - 1].peak < s.peak; at--)
            if (at < WARN_STRETCHES_MAX) found[at] = found[at - 1];
        if (at < WARN_STRETCHES_MAX) found[at] = s;
    }
    return count;
}

/* The marker that makes more than half of the squared distances of a stretch; -1: none does. */
static int culprit(const snw_residuals *residuals, const stretch *s)
{
    double whole = 0, most = 0;
    int worst = -1;
    for (int m = 0; m < residuals->marker_count; m++) {
        double sum2 = 0;
        for (int k = s->from; k < s->to; k++) {
            double far = residuals->distance[(size_t)k * (size_t)residuals->marker_count + m];
            if (far == far) sum2 += far * far;
        }
        whole += sum2;
        if (sum2 > most) {
            most = sum2;
            worst = m;
        }
    }
    return 2 * most > whole ? worst : -1;
}

static double median_frame(const snw_residuals *residuals)
{
    double *values = malloc(((size_t)residuals->frame_count + 1) * sizeof *values);
    if (!values) return 0;
    int seen = 0;
    for (int k = 0; k < residuals->frame_count; k++)
        if (isfinite(residuals->frame_rms[k])) values[seen++] = residuals->frame_rms[k];
    double median = median_of(values, seen);
    free(values);
    return median;
}

static void put_stretch(const cli_solution *solution, const stretch *s, FILE *out)
{
    int first = solution->trial->first_frame + s->from;
    int last = solution->trial->first_frame + s->to - 1;
    if (s->count < s->to - s->from) fprintf(out, "%d of the ", s->count);
    fprintf(out, "frame%s %d", first == last ? "" : "s", first);
    if (last != first) fprintf(out, " to %d", last);
    fprintf(out, " (%.2f s, up to %.0f mm", s->from / solution->motion->rate, 1000 * s->peak);
    int marker = culprit(solution->residuals, s);
    if (marker >= 0) {
        fputs(", mostly <b>", out);
        cli_put_text(solution->trial->marker[marker].name, out);
        fputs("</b>", out);
    }
    fputs(")", out);
}

static int warn_stretches(const cli_solution *solution, FILE *out)
{
    stretch found[WARN_STRETCHES_MAX];
    double median = median_frame(solution->residuals);
    int near = (int)(WARN_STRETCH_PAUSE * solution->motion->rate) + 1;
    int count = find_stretches(solution->residuals,
                               fmax(WARN_RESIDUAL_TIMES * median, WARN_RESIDUAL_MIN), near, found);
    if (count == 0) return 0;
    fprintf(out,
            "<li>In the median frame the markers lie %.1f mm (rms) from the body, but far more in ",
            1000 * median);
    for (int n = 0; n < count; n++) {
        if (n) fputs(n + 1 < count ? ", " : " and ", out);
        put_stretch(solution, found + n, out);
    }
    fputs(".</li>\n", out);
    return 1;
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

/* The nth marker from the worst, of those farther off than `limit`; -1: there are not so many. */
static int nth_worst(const snw_residuals *residuals, double limit, int n)
{
    int worst = -1;
    double above = HUGE_VAL;
    for (; n >= 0; n--) {
        worst = -1;
        for (int m = 0; m < residuals->marker_count; m++) {
            double rms = residuals->marker[m].rms;
            if (rms > limit && rms < above && (worst < 0 || rms > residuals->marker[worst].rms))
                worst = m;
        }
        if (worst < 0) return -1;
        above = residuals->marker[worst].rms;
    }
    return worst;
}

static int warn_markers(const cli_solution *solution, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    double median = median_marker(residuals);
    double limit = fmax(WARN_RESIDUAL_TIMES * median, WARN_RESIDUAL_MIN);
    int count = 0;
    for (int m = 0; m < residuals->marker_count; m++)
        count += residuals->marker[m].rms > limit;
    if (count == 0) return 0;
    fputs("<li>Far from where the body carries them lie ", out);
    for (int n = 0; n < count && n < WARN_NAMES_MAX; n++) {
        int m = nth_worst(residuals, limit, n);
        if (m < 0) break;
        fputs(n ? ", <b>" : "<b>", out);
        cli_put_text(solution->trial->marker[m].name, out);
        fprintf(out, "</b> (%.0f mm rms)", 1000 * residuals->marker[m].rms);
    }
    if (count > WARN_NAMES_MAX) fprintf(out, " and %d more", count - WARN_NAMES_MAX);
    fprintf(out,
            "; the median marker lies %.1f mm off. Wrong labels, loose skin or the wrong limb?"
            "</li>\n",
            1000 * median);
    return 1;
}

static bool is_in_notes(const snw_notes *notes, const char *name)
{
    for (int n = 0; n < notes->count; n++)
        if (strstr(notes->note[n].text, name)) return true;
    return false;
}

static int warn_left_out(const cli_solution *solution, FILE *out)
{
    const snw_residuals *residuals = solution->residuals;
    int count = 0, told = 0;
    for (int m = 0; m < residuals->marker_count; m++) {
        bool is_out = residuals->marker[m].joint < 0;
        count += is_out;
        told += is_out && is_in_notes(solution->notes, solution->trial->marker[m].name);
    }
    if (count == told) return 0;
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
