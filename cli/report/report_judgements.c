/* The library's judgement as list items: findings of one kind are told in one sentence. */
#include <string.h>

#include "draw/markup.h"
#include "report/report.h"

#define JUDGED_NAMES_MAX 12

static void put_name(const char *name, FILE *out)
{
    fputs("<b>", out);
    cli_put_text(name, out);
    fputs("</b>", out);
}

/* "LKNE (32 mm rms)": the place of a finding and its number. */
static void put_place(const cli_solution *solution, const snw_judgement *item, FILE *out)
{
    switch (item->code) {
    case SNW_JUDGEMENT_UNCERTAIN_JOINT:
        put_name(solution->actor->skeleton->name[item->joint], out);
        fprintf(out, " (&#177;%.0f mm)", 1000 * item->number);
        break;
    case SNW_JUDGEMENT_FAR_MARKER:
        put_name(solution->trial->marker[item->marker].name, out);
        fprintf(out, " (%.0f mm rms)", 1000 * item->number);
        break;
    default:
        put_name(solution->trial->marker[item->marker].name, out);
        break;
    }
}

/* What is said of several findings of one kind; NULL: each has its own sentence. */
static const char *common_words(snw_judgement_code code)
{
    switch (code) {
    case SNW_JUDGEMENT_UNCERTAIN_JOINT:
        return "The motion does not determine these joint centres: ";
    case SNW_JUDGEMENT_FAR_MARKER:
        return "Far from where the body carries them lie these markers (wrong labels, loose skin "
               "or the wrong segment?): ";
    case SNW_JUDGEMENT_LEFT_OUT_MARKER:
        return "Not part of the body: ";
    default:
        return NULL;
    }
}

static void put_sentence(const char *text, FILE *out)
{
    char first[2] = {text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : text[0], 0};
    cli_put_text(first, out);
    if (*text) cli_put_text(text + 1, out);
    fputs(".", out);
}

/* A note tells already why this marker was left out. */
static bool is_told(const cli_solution *solution, const snw_judgement *item)
{
    static const snw_note_code codes[] = {SNW_NOTE_MARKER_LEFT_OUT, SNW_NOTE_POINTS_COMPUTED};
    const snw_notes *notes = solution->notes;
    if (item->code != SNW_JUDGEMENT_LEFT_OUT_MARKER) return false;
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
        for (int n = 0; (n = snw_notes_find(notes, codes[c], n)) >= 0; n++)
            if (notes->note[n].index == item->marker) return true;
    return false;
}

/* Findings [from, to) of one code and gravity. */
static int put_group(const cli_solution *solution, int from, int to, FILE *out)
{
    const snw_judgement *item = solution->judgements->item;
    const char *words = common_words(item[from].code);
    int count = 0, named = 0;
    for (int n = from; n < to; n++)
        count += !is_told(solution, item + n);
    if (count == 0) return 0;
    for (int n = from; n < to && !words; n++) {
        fprintf(out, "<li class=\"%s\">", snw_verdict_name(item[n].verdict));
        put_sentence(item[n].sentence, out);
        fputs("</li>\n", out);
    }
    if (!words) return count;
    fprintf(out, "<li class=\"%s\">%s", snw_verdict_name(item[from].verdict), words);
    for (int n = from; n < to && named < JUDGED_NAMES_MAX; n++) {
        if (is_told(solution, item + n)) continue;
        if (named++) fputs(", ", out);
        put_place(solution, item + n, out);
    }
    if (count > named) fprintf(out, " and %d more", count - named);
    fputs(".</li>\n", out);
    return count;
}

int cli_report_judgements(const cli_solution *solution, FILE *out)
{
    const snw_judgements *found = solution->judgements;
    int count = 0;
    for (int from = 0, to; from < found->count; from = to) {
        for (to = from + 1; to < found->count && found->item[to].code == found->item[from].code &&
                            found->item[to].verdict == found->item[from].verdict;)
            to++;
        count += put_group(solution, from, to, out);
    }
    for (int n = 0; n < solution->notes->count; n++, count++) {
        fputs("<li class=\"note\">Note: ", out);
        cli_put_text(solution->notes->note[n].text, out);
        fputs(".</li>\n", out);
    }
    if (solution->notes->dropped)
        fprintf(out, "<li class=\"note\">And %d more notes.</li>\n", solution->notes->dropped);
    return count;
}
