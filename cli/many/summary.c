#include "many/summary.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/markup.h"
#include "text.h"

/* ---- the screen ------------------------------------------------------------------------------ */

static void print_count(int count, const char *word)
{
    if (count >= 0) printf("  %d %s%s", count, word, cli_s(count));
}

void many_print_line(const many_file *file)
{
    const cli_row *row = &file->row;
    if (file->is_left_out)
        printf("%-7s ", "other");
    else
        printf("%-7s ", row->code != CLI_DONE ? "FAILED" : file->is_before ? "before" : "done");
    cli_print_text(stdout, file->path, 40);
    if (row->code == CLI_DONE && !file->is_left_out) {
        if (row->verdict[0]) printf("  %-6s", row->verdict);
        print_count(row->frame_count, "frame");
        print_count(row->marker_count, "marker");
        print_count(row->joint_count, "joint");
        if (row->missing_share > 0) printf("  %.1f %% missing", 100 * row->missing_share);
        if (isfinite(row->residual)) printf("  %.2f mm", 1000 * row->residual);
    }
    if (row->message[0]) {
        printf("  ");
        cli_print_text(stdout, row->message, 0);
    }
    printf("\n");
    fflush(stdout);
}

/* ---- the order: worst first ------------------------------------------------------------------ */

static int gravity(const cli_row *row)
{
    static const char *const words[] = {"green", "", "amber", "red"};
    if (row->code != CLI_DONE) return 4;
    for (int n = 3; n >= 0; n--)
        if (strcmp(row->verdict, words[n]) == 0) return n;
    return 1;
}

static int compare_numbers(double a, double b)
{
    double left = isfinite(a) ? a : -1, right = isfinite(b) ? b : -1;
    return left > right ? -1 : left < right;
}

static int worst_first(const void *a, const void *b)
{
    const many_entry_row *left = a, *right = b;
    int order = left->is_left_out - right->is_left_out;
    if (!order) order = gravity(right->row) - gravity(left->row);
    if (!order) order = compare_numbers(left->row->residual, right->row->residual);
    if (!order) order = compare_numbers(left->row->missing_share, right->row->missing_share);
    return order ? order : strcmp(left->name, right->name);
}

/* ---- which files ------------------------------------------------------------------------------
 */

static int by_input(const void *a, const void *b)
{
    const many_record *left = *(const many_record *const *)a,
                      *right = *(const many_record *const *)b;
    int order = strcmp(left->input, right->input);
    return order ? order : left < right ? -1 : left > right; /* records are by time */
}

static int by_whole(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The last record of every input that still exists, of this recipe, without those of this run. */
static bool add_records(many_summary *summary, const many_journal *journal, const char **own,
                        size_t own_count)
{
    const many_record **sorted = malloc(((size_t)journal->record_count + 1) * sizeof *sorted);
    int count = 0;
    if (!sorted) return false;
    for (int n = 0; n < journal->record_count; n++)
        if (!summary->list || strcmp(journal->record[n].recipe, journal->recipe) == 0)
            sorted[count++] = journal->record + n;
    if (count) qsort(sorted, (size_t)count, sizeof *sorted, by_input);
    for (int n = 0; n < count; n++) {
        const many_record *record = sorted[n];
        bool is_last = n + 1 == count || strcmp(sorted[n + 1]->input, record->input) != 0;
        bool is_own =
            own_count && bsearch(&record->input, own, own_count, sizeof *own, by_whole) != NULL;
        if (is_last && !is_own && access(record->input, F_OK) == 0)
            summary->entry[summary->count++] =
                (many_entry_row){record->input, record->name, &record->row, false};
    }
    free(sorted);
    return true;
}

bool many_summary_fill(many_summary *summary, const many_journal *journal)
{
    size_t listed = summary->list ? (size_t)summary->list->count : 0, own_count = 0;
    const char **own = malloc((listed + 1) * sizeof *own);
    summary->count = 0;
    summary->entry = malloc((listed + (size_t)journal->record_count + 1) * sizeof *summary->entry);
    bool is_good = own && summary->entry;
    for (size_t n = 0; is_good && n < listed; n++) {
        const many_file *file = summary->list->file + n;
        if (file->is_elsewhere) continue;
        if (file->whole) own[own_count++] = file->whole;
        summary->entry[summary->count++] =
            (many_entry_row){file->path, file->name, &file->row, file->is_left_out};
    }
    if (own_count) qsort(own, own_count, sizeof *own, by_whole);
    is_good = is_good && add_records(summary, journal, own, own_count);
    free(own);
    if (is_good && summary->count)
        qsort(summary->entry, (size_t)summary->count, sizeof *summary->entry, worst_first);
    if (!is_good) many_summary_release(summary);
    return is_good;
}

void many_summary_release(many_summary *summary)
{
    free(summary->entry);
    summary->entry = NULL;
    summary->count = 0;
}

/* ---- columns --------------------------------------------------------------------------------- */

typedef struct summary_column {
    const char *key;   /* of the CSV */
    const char *title; /* of the page */
    int digits;        /* -1: text */
} summary_column;

static const summary_column summary_columns[] = {
    {"file", "file", -1},
    {"state", "state", -1},
    {"verdict", "verdict", -1},
    {"message", "message", -1},
    {"frames", "frames", 0},
    {"rate_hz", "rate, Hz", 2},
    {"markers", "markers", 0},
    {"joints", "joints", 0},
    {"missing_percent", "missing, %", 2},
    {"residual_mm", "residual, mm", 2},
    {"outlier_percent", "outliers, %", 2},
    {"lost_frames", "lost frames", 0},
    {"uncertain_joints", "uncertain joints", 0},
    {"seconds", "took, s", 2},
};

#define SUMMARY_COLUMNS (int)(sizeof summary_columns / sizeof *summary_columns)

static double count_or_nan(int count)
{
    return count >= 0 ? (double)count : (double)NAN;
}

static double number_of(const cli_row *row, int column)
{
    const double numbers[] = {NAN,
                              NAN,
                              NAN,
                              NAN,
                              count_or_nan(row->frame_count),
                              row->rate,
                              count_or_nan(row->marker_count),
                              count_or_nan(row->joint_count),
                              100 * row->missing_share,
                              1000 * row->residual,
                              100 * row->outlier_share,
                              count_or_nan(row->lost_count),
                              count_or_nan(row->uncertain_count),
                              row->seconds};
    return numbers[column];
}

static const char *state_of(const many_entry_row *entry)
{
    if (entry->is_left_out) return "left out";
    return entry->row->code == CLI_DONE ? "done" : "failed";
}

static const char *text_of(const many_entry_row *entry, int column)
{
    return column == 0   ? entry->path
           : column == 1 ? state_of(entry)
           : column == 2 ? entry->row->verdict
                         : entry->row->message;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

bool many_draw_csv(FILE *out, const void *context)
{
    const many_summary *summary = context;
    for (int c = 0; c < SUMMARY_COLUMNS; c++)
        fprintf(out, "%s%s", c ? "," : "", summary_columns[c].key);
    fputc('\n', out);
    for (int n = 0; n < summary->count; n++) {
        for (int c = 0; c < SUMMARY_COLUMNS; c++) {
            double number = number_of(summary->entry[n].row, c);
            if (c) fputc(',', out);
            if (summary_columns[c].digits < 0)
                cli_put_csv_field(text_of(summary->entry + n, c), out);
            else if (isfinite(number))
                fprintf(out, "%.*f", summary_columns[c].digits, number);
        }
        fputc('\n', out);
    }
    return true;
}

/* ---- the page -------------------------------------------------------------------------------- */

static const char summary_style[] =
    ":root{color-scheme:light dark;--back:#fff;--ink:#1d2733;--soft:#66717d;--line:#d9dee3;"
    "--red:#fbe3dd;--amber:#fff4e0;--green:#e3f4ec}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#14191f;--ink:#e4e9ee;--soft:#98a4b0;"
    "--line:#333c46;--red:#41211a;--amber:#33280f;--green:#16302a}}\n"
    "body{margin:0;padding:1.2rem;background:var(--back);color:var(--ink);font:14px/1.45 "
    "system-ui,sans-serif}h1{font-size:1.4rem;margin:0}p{color:var(--soft);margin:.4rem 0}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;"
    "padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "th{cursor:pointer;vertical-align:bottom;position:sticky;top:0;background:var(--back)}"
    "th:after{content:\" \\2195\";color:var(--soft);font-weight:normal}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}a{color:inherit}td:"
    "nth-child(4){min-width:14rem}\n"
    "tr.failed td,tr.red td{background:var(--red)}tr.amber td{background:var(--amber)}tr.green "
    "td:nth-child(3){background:var(--green)}\n"
    "@media print{th:after{content:\"\"}*{print-color-adjust:exact}}\n";

/* Sorts by the column that is clicked, numbers as numbers, a second click the other way round. */
static const char summary_script[] =
    "const body=document.querySelector('tbody');\n"
    "document.querySelectorAll('th').forEach((head,at)=>{let way=1;head.onclick=()=>{\n"
    "const key=row=>{const cell=row.cells[at],n=parseFloat(cell.dataset.n);"
    "return isNaN(n)?(cell.dataset.n===undefined?cell.textContent:-Infinity):n};\n"
    "[...body.rows].sort((a,b)=>{const x=key(a),y=key(b);return(x>y?-1:x<y?1:0)*way})"
    ".forEach(row=>body.append(row));way=-way}});\n";

/* The part of an address: what a browser would take for something else is written as %XX. */
static void put_address(const char *path, FILE *out)
{
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                        (c >= 'a' && c <= 'z') || strchr("/._-", c) != NULL;
        fprintf(out, is_plain ? "%c" : "%%%02X", c);
    }
}

static void put_cell(const many_summary *summary, const many_entry_row *entry, int column,
                     FILE *out)
{
    if (summary_columns[column].digits >= 0) {
        double number = number_of(entry->row, column);
        if (isfinite(number))
            fprintf(out, "<td class=\"n\" data-n=\"%.6f\">%.*f</td>", number,
                    summary_columns[column].digits, number);
        else
            fputs("<td class=\"n\" data-n=\"\"></td>", out);
        return;
    }
    bool has_page =
        column == 0 && summary->report && entry->row->code == CLI_DONE && !entry->is_left_out;
    fputs("<td>", out);
    if (has_page) {
        fputs("<a href=\"", out);
        put_address(summary->report, out);
        put_address(entry->name, out);
        fputs(".html\">", out);
    }
    cli_put_text(text_of(entry, column), out);
    fputs(has_page ? "</a></td>" : "</td>", out);
}

static void put_head(const many_summary *summary, FILE *out)
{
    int failed = 0, tried = 0;
    for (int n = 0; n < summary->count; n++) {
        failed += summary->entry[n].row->code != CLI_DONE;
        tried += !summary->entry[n].is_left_out;
    }
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
            "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<link rel=\"icon\" "
            "href=\"data:,\">\n<title>sinew %s: %d files</title>\n<style>\n%s</style>\n</head>\n"
            "<body>\n<h1>sinew %s: %d file%s, %d failed</h1>\n<p>Worst first; a click on a heading "
            "sorts.",
            summary->arguments->command->name, tried, summary_style,
            summary->arguments->command->name, tried, cli_s(tried), failed);
    fputs("</p>\n<div class=\"wide\"><table><thead><tr>", out);
    for (int c = 0; c < SUMMARY_COLUMNS; c++)
        fprintf(out, "<th%s>%s</th>", summary_columns[c].digits >= 0 ? " class=\"n\"" : "",
                summary_columns[c].title);
    fputs("</tr></thead><tbody>\n", out);
}

bool many_draw_page(FILE *out, const void *context)
{
    const many_summary *summary = context;
    put_head(summary, out);
    for (int n = 0; n < summary->count; n++) {
        bool is_done = summary->entry[n].row->code == CLI_DONE;
        fputs("<tr class=\"", out);
        cli_put_text(is_done ? summary->entry[n].row->verdict : "failed", out);
        fputs("\">", out);
        for (int c = 0; c < SUMMARY_COLUMNS; c++)
            put_cell(summary, summary->entry + n, c, out);
        fputs("</tr>\n", out);
    }
    fprintf(out,
            "</tbody></table></div>\n<p>sinew %s</p>\n<script>\n%s</script>\n</body>\n</html>\n",
            snw_version(), summary_script);
    return true;
}
