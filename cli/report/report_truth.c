/* The truth beside the result, where it is known. */
#include "draw/markup.h"
#include "report/report.h"
#include "solve/truth.h"

static void put_row(const cli_truth_match *match, const snw_skeleton *body, double largest,
                    FILE *out)
{
    fputs("<tr><td>", out);
    cli_put_text(match->name, out);
    fputs("</td><td>", out);
    cli_put_text(body->name[match->joint], out);
    fprintf(out,
            "</td><td class=\"n\">%.1f</td><td class=\"n\">%.1f</td><td class=\"bar\"><i "
            "style=\"width:%.1f%%\"></i></td></tr>\n",
            1000 * match->rms, 1000 * match->across, largest > 0 ? 100 * match->rms / largest : 0);
}

void cli_report_truth(const cli_solution *solution, FILE *out)
{
    const cli_truth *truth = solution->truth;
    if (!truth || truth->mutual_count == 0) return;
    int mutual = truth->mutual_count;
    double largest = truth->match[mutual - 1].rms;
    fprintf(out,
            "<h2 id=\"truth\">Against the truth</h2>\n<p>The solved joints lie <b>%.1f mm</b> "
            "(median) from the "
            "true ones, the worst <b>%.1f mm</b>.</p>\n<div class=\"wide\"><table><thead><tr><th>"
            "true joint</th><th>nearest solved joint</th><th class=\"n\">rms, mm</th><th "
            "class=\"n\">across, mm</th><th></th></tr></thead><tbody>\n",
            1000 * truth->match[mutual / 2].rms, 1000 * largest);
    for (int n = 0; n < mutual; n++)
        put_row(truth->match + n, solution->actor->skeleton, largest, out);
    fputs("</tbody></table></div>\n<p class=\"soft\">Over all frames. Across: without the part "
          "along the axis of a hinge, where the motion cannot tell the place.",
          out);
    for (int n = mutual; n < truth->match_count; n++) {
        fputs(n == mutual ? " Without a solved joint of their own: " : ", ", out);
        cli_put_text(truth->match[n].name, out);
    }
    fputs(mutual < truth->match_count ? ".</p>\n" : "</p>\n", out);
}
