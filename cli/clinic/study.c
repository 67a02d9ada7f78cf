/* `sinew study`: from a folder of captures to a report for each person and one table for all. */
#include <stdlib.h>
#include <string.h>

#include "clinic/page.h"
#include "input.h"
#include "many/many.h"
#include "output.h"
#include "text.h"

static bool draw_strides(FILE *out, const void *context)
{
    clinic_strides_put(context, out);
    return true;
}

/* anna.csv has anna.html beside it. */
static bool page_path(const char *path, char out[4096])
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int length = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    return snw_format(out, 4096, "%.*s.html", length, path) < 4096;
}

static int write_person(const clinic_person *person, const clinic_page *page)
{
    const char *out = cli_value(person->arguments, "--output", NULL);
    char html[4096];
    page_path(out, html);
    int code = cli_write_whole(person->arguments, out, draw_strides, &person->strides);
    return code == CLI_DONE ? cli_write_whole(person->arguments, html, clinic_page_draw, page)
                            : code;
}

static void fill_row(const clinic_person *person)
{
    cli_row *row = person->arguments->row;
    int walks = 0, strides = 0, forces = 0;
    if (!row) return;
    for (int n = 0; n < person->trial_count; n++) {
        const clinic_trial *trial = person->trial + n;
        if (trial->kind != CLINIC_WALK || !trial->is_used) continue;
        walks++;
        strides += trial->stride_count[0] + trial->stride_count[1];
        forces += trial->has_kinetics;
        if (trial->verdict == person->verdict && trial->verdict != SNW_VERDICT_GREEN &&
            !row->message[0])
            snw_format(row->message, sizeof row->message, "; %s", trial->reason);
    }
    char reason[sizeof row->message];
    snw_format(reason, sizeof reason, "%s", row->message);
    snw_format(row->message, sizeof row->message, "%d walk%s, %d strides, %s%s%s", walks,
               cli_s(walks), strides, person->still >= 0 ? "a static" : "no static",
               forces ? ", moments" : "", reason);
    snw_format(row->verdict, sizeof row->verdict, "%s", snw_verdict_name(person->verdict));
}

static void print_trials(const clinic_person *person)
{
    for (int n = 0; n < person->trial_count; n++) {
        const clinic_trial *trial = person->trial + n;
        printf("%-10s %-8s ", clinic_kind_name(trial->kind), trial->is_used ? "used" : "left out");
        cli_print_text(stdout, trial->name, 28);
        if (trial->kind == CLINIC_WALK && trial->is_used)
            printf("  %-5s  %d left, %d right strides%s", snw_verdict_name(trial->verdict),
                   trial->stride_count[0], trial->stride_count[1],
                   trial->has_kinetics ? ", moments" : "");
        if (trial->reason[0]) {
            printf("  ");
            cli_print_text(stdout, trial->reason, 0);
        }
        printf("\n");
    }
}

static void print_json(const clinic_person *person)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "verdict", snw_verdict_name(person->verdict));
    cli_json_array(&json, "trials");
    for (int n = 0; n < person->trial_count; n++) {
        const clinic_trial *trial = person->trial + n;
        cli_json_object(&json, NULL);
        cli_json_string(&json, "file", trial->name);
        cli_json_string(&json, "kind", clinic_kind_name(trial->kind));
        cli_json_boolean(&json, "used", trial->is_used);
        cli_json_string(&json, "verdict", snw_verdict_name(trial->verdict));
        cli_json_string(&json, "reason", trial->reason);
        cli_json_integer(&json, "left_strides", trial->stride_count[0]);
        cli_json_integer(&json, "right_strides", trial->stride_count[1]);
        cli_json_boolean(&json, "moments", trial->has_kinetics);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

static int study_person(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--output", NULL};
    const char *out = cli_value(arguments, "--output", NULL);
    clinic_person person;
    clinic_page page = {.person = &person};
    if (!out || snw_format_from_name(out) != SNW_FORMAT_CSV)
        return cli_misuse(arguments, "of one person the table goes to -o FILE.csv");
    char html[4096];
    const char *const beside = html;
    if (!page_path(out, html)) return cli_fail(arguments, "%s: the name is too long", out);
    int code = cli_check_output_options(arguments, outputs);
    if (code == CLI_DONE) code = cli_check_outputs(arguments, &beside, 1);
    if (code != CLI_DONE) return code;
    code = clinic_person_measure(&person, arguments);
    if (code == CLI_DONE) code = clinic_page_settle(&page);
    if (code == CLI_DONE) code = write_person(&person, &page);
    if (code == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(&person);
    else if (code == CLI_DONE)
        print_trials(&person);
    if (code == CLI_DONE) fill_row(&person);
    clinic_page_release(&page);
    clinic_person_release(&person);
    return code;
}

static int run_study(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"csv", false, snw_format_reads_trial, true};
    if (cli_flag(arguments, "--person")) return study_person(arguments);
    if (!cli_flag(arguments, "--output"))
        return cli_misuse(arguments, "a study needs a folder for its results: -o OUT");
    /* Once before all people: a mistake in these options is one, not one for each person. */
    clinic_person nobody = {.arguments = arguments};
    clinic_page page = {.person = &nobody};
    int code = clinic_page_settle(&page);
    clinic_page_release(&page);
    return code == CLI_DONE ? cli_run_many(arguments, &many) : code;
}

static const cli_option study_options[] = {
    {"--output", "-o", "FOLDER", "a page and a table for each person, sinew-study.csv for all"},
    {"--by", NULL, "WHAT",
     "a person is all files of a folder (default), or: name, up to _ - or digit"},
    {"--person", NULL, "NAME", "one person: all operands are trials of it; -o FILE.csv"},
    {"--convention", NULL, "NAME", "of the angles: pig (default), isb"},
    {"--mass", NULL, "KG", "of the person (default: the files' BodyMass)"},
    {"--normal", NULL, "FILE",
     "bands: variable,percent,mean,sd; or a table of strides of healthy people"},
    {"--against", NULL, "FILE", "an earlier table of strides of the person, drawn dashed"},
    {"--colours", NULL, "HOW", "clinic (left red, right green; default), safe, or #LEFT,#RIGHT"},
    {"--patient", NULL, "TEXT", "stands at the head of the page"},
    {"--lab", NULL, "TEXT", "the same"},
    CLI_LENIENT_OPTION,
    CLI_UP_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    CLI_JOBS_OPTION,
    CLI_SHARD_OPTION,
    CLI_FILES_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_study_command = {
    "study",
    "a folder of captures: a clinical report for each person, one table",
    "FOLDER | FILES...",
    "Statics are found by what the file says, by standing still or by their name; functional "
    "trials\n"
    "by their name (func, score, sara, hip, knee): hips by SCoRE, knee axes by SARA; the others "
    "are\n"
    "walks where feet strike and leave as in walking. Every walk is solved and judged, then come\n"
    "events, angles, moments and powers. Red ones stand in the page with the reason and enter no\n"
    "mean. OUT/anna.html is the page (prints on three sheets), OUT/anna.csv and\n"
    "OUT/sinew-study.csv have a row for each person, file, side, stride, variable, percent.\n\n"
    "examples:\n"
    "  sinew study captures/ -o reports/\n"
    "  sinew study captures/ -o banded/ --normal healthy.csv --lab \"Gait laboratory\"\n"
    "  sinew study after/ -o later/ --against reports/anna.csv",
    study_options,
    1,
    CLI_OPERANDS_MAX,
    run_study,
};
