/* The page of `sinew hand` and `sinew avatar`: what to know, the body over time, and what each of
 * the two has to tell. */
#include <stdlib.h>
#include <string.h>

#include "act/act_part.h"
#include "draw/markup.h"
#include "output.h"
#include "report/report.h"

typedef struct act_page {
    const cli_arguments *arguments;
    const snw_notes *notes;
    const cli_act_part *part;
    int count;
} act_page;

static void put_notes(const snw_notes *notes, FILE *out)
{
    fputs("<h2>What to know first</h2>\n<ul class=\"reasons\">\n", out);
    for (int n = 0; n < notes->count; n++) {
        fputs("<li class=\"amber\">", out);
        cli_put_text(notes->note[n].text, out);
        fputs("</li>\n", out);
    }
    if (notes->dropped > 0) fprintf(out, "<li>and %d more</li>\n", notes->dropped);
    if (notes->count == 0) fputs("<li class=\"green\">Nothing had to be repaired.</li>\n", out);
    fputs("</ul>\n", out);
}

/* The markers as a trial, which is what moments and player look at. */
static snw_trial *trial_of(const cli_act_part *part)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    options.marker_count = part->marker_count;
    options.frame_count = part->motion->frame_count;
    options.rate = part->motion->rate;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) return NULL;
    trial->up = part->up;
    for (int f = 0; f < options.frame_count; f++)
        for (int m = 0; m < part->marker_count; m++) {
            snw_vec3 place;
            if (part->marker(part->context, f, m, &place))
                snw_trial_set(trial, f, m, place, SNW_SAMPLE_MEASURED);
        }
    return trial;
}

/* Moments, and for the first part of a page the player too: a page has one. */
static bool put_body(const cli_act_part *part, bool has_player, FILE *out)
{
    snw_residuals residuals = {.marker_count = part->marker_count};
    cli_solution solution = {.motion = part->motion, .residuals = &residuals};
    snw_trial *trial = trial_of(part);
    residuals.marker = calloc((size_t)part->marker_count + 1, sizeof *residuals.marker);
    solution.trial = trial;
    bool is_good = trial && residuals.marker;
    if (is_good && has_player) is_good = cli_report_body(&solution, out);
    if (is_good && !has_player) {
        fputs("<div class=\"wide\"><div class=\"figures\">\n", out);
        is_good = cli_report_moments(&solution, out);
        fputs("</div></div>\n", out);
    }
    free(residuals.marker);
    snw_trial_destroy(trial);
    return is_good;
}

static bool draw_act_page(FILE *out, const void *context)
{
    const act_page *page = context;
    const cli_arguments *arguments = page->arguments;
    bool is_good = true;
    cli_report_head(arguments, arguments->operand[0], arguments->command->name, out);
    put_notes(page->notes, out);
    for (int n = 0; n < page->count && is_good; n++) {
        const cli_act_part *part = &page->part[n];
        fprintf(out, "<h2>%s</h2>\n", part->title);
        is_good = put_body(part, n == 0, out) && part->details(part->context, out);
    }
    fputs("</main>\n</body>\n</html>\n", out);
    return is_good;
}

int cli_act_report(const cli_arguments *arguments, const char *path, const snw_notes *notes,
                   const cli_act_part *parts, int count)
{
    act_page page = {arguments, notes, parts, count};
    return cli_write_whole(arguments, path, draw_act_page, &page);
}
