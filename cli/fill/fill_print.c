/* What `sinew fill` found: a table for people, JSON for programs, a table of uncertainties. */
#include <string.h>

#include "fill/fill.h"
#include "output.h"
#include "text.h"

/* One row for each sample that was not measured. */
bool cli_fill_write_uncertainty(FILE *out, const void *context)
{
    const snw_trial *trial = context;
    fputs("marker,frame,state,uncertainty_mm\n", out);
    for (int m = 0; m < trial->marker_count; m++)
        for (int frame = 0; frame < trial->frame_count; frame++) {
            size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)m;
            if (trial->state[at] != SNW_SAMPLE_FILLED && trial->state[at] != SNW_SAMPLE_PREDICTED)
                continue;
            char number[SNW_NUMBER_SIZE];
            snw_print_fixed(number, 1000.0 * (double)trial->uncertainty[at], 3);
            cli_print_text(out, trial->marker[m].name, 0);
            fprintf(out, ",%d,%s,%s\n", frame + trial->first_frame,
                    trial->state[at] == SNW_SAMPLE_FILLED ? "filled" : "predicted", number);
        }
    return true;
}

/* ---- what was found ---------------------------------------------------------------------------
 */

typedef struct fill_sum {
    int gap_count, filled_count, longest;
    int64_t missing, filled;
    double uncertainty; /* the largest, metres */
} fill_sum;

static fill_sum sum_marker(const snw_filled *filled, int marker)
{
    fill_sum sum;
    memset(&sum, 0, sizeof sum);
    for (int g = 0; g < filled->gap_count; g++) {
        const snw_filled_gap *gap = filled->gap + g;
        if (gap->marker != marker) continue;
        sum.gap_count++;
        sum.missing += gap->length;
        if (gap->length > sum.longest) sum.longest = gap->length;
        if (gap->outcome != SNW_GAP_FILLED) continue;
        sum.filled_count++;
        sum.filled += gap->length;
        if (gap->uncertainty > sum.uncertainty) sum.uncertainty = gap->uncertainty;
    }
    return sum;
}

static int64_t missing_samples(const snw_filled *filled)
{
    int64_t count = 0;
    for (int g = 0; g < filled->gap_count; g++)
        count += filled->gap[g].length;
    return count;
}

void cli_fill_print(const snw_filled *filled)
{
    const snw_trial *trial = filled->trial;
    printf("%d of %d gap%s filled, %lld of %lld samples\n", filled->filled_count, filled->gap_count,
           cli_s(filled->gap_count), (long long)filled->sample_count,
           (long long)missing_samples(filled));
    if (filled->gap_count == 0) return;
    printf("\n%-20s %5s %7s %8s %8s  %s\n", "marker", "gaps", "filled", "samples", "longest",
           "least sure mm");
    for (int m = 0; m < trial->marker_count; m++) {
        fill_sum sum = sum_marker(filled, m);
        if (sum.gap_count == 0) continue;
        cli_print_text(stdout, trial->marker[m].name, 20);
        printf(" %5d %7d %8lld %8d  ", sum.gap_count, sum.filled_count, (long long)sum.missing,
               sum.longest);
        if (sum.filled_count > 0)
            printf("%.1f\n", 1000 * sum.uncertainty);
        else
            printf("-\n");
    }
    printf("\nleast sure: the largest root mean square error expected of a filled sample\n");
}

void cli_fill_json(const snw_filled *filled, const snw_notes *notes)
{
    const snw_trial *trial = filled->trial;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "gap_count", filled->gap_count);
    cli_json_integer(&json, "filled_count", filled->filled_count);
    cli_json_integer(&json, "missing_samples", missing_samples(filled));
    cli_json_integer(&json, "filled_samples", filled->sample_count);
    cli_json_array(&json, "gaps");
    for (int g = 0; g < filled->gap_count; g++) {
        const snw_filled_gap *gap = filled->gap + g;
        bool is_filled = gap->outcome == SNW_GAP_FILLED;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "marker", trial->marker[gap->marker].name);
        cli_json_integer(&json, "first_frame", gap->first + trial->first_frame);
        cli_json_integer(&json, "frame_count", gap->length);
        cli_json_string(&json, "outcome", snw_fill_outcome_text(gap->outcome));
        if (is_filled) cli_json_string(&json, "method", snw_fill_method_name(gap->method));
        if (is_filled) cli_json_number(&json, "method_share", gap->share);
        if (is_filled) cli_json_number(&json, "uncertainty_m", gap->uncertainty);
        if (is_filled) cli_json_integer(&json, "distrusted_samples", gap->distrusted);
        if (is_filled) cli_json_integer(&json, "judged_gaps", gap->judged);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_notes(&json, notes);
    cli_json_end_object(&json);
}
