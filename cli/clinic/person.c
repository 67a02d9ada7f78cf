#include "clinic/person.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "verdict.h"
#include "walk.h"

const char *clinic_kind_name(clinic_kind kind)
{
    static const char *const name[] = {"other", "static", "functional", "walk"};
    return name[kind];
}

/* ---- what a trial is ------------------------------------------------------------------------- */

/* Does the file's name hold one of the words, whatever their case? */
static bool is_named(const char *name, const char *const *words)
{
    for (; *words; words++) {
        size_t length = strlen(*words);
        for (const char *at = name; *at; at++) {
            size_t n = 0;
            while (n < length && tolower((unsigned char)at[n]) == (*words)[n])
                n++;
            if (n == length) return true;
        }
    }
    return false;
}

static clinic_kind kind_of(const clinic_trial *trial, const snw_trial *content)
{
    static const char *const functional[] = {"func", "score", "sara", "hip", "knee", NULL};
    static const char *const standing[] = {"static", "stand", "neutral", "kad", NULL};
    bool is_still = snw_trial_is_still(content);
    if (!is_still && is_named(trial->name, functional)) return CLINIC_FUNCTIONAL;
    if (is_still || is_named(trial->name, standing)) return CLINIC_STATIC;
    return CLINIC_WALK; /* unless its events say otherwise */
}

static void leave_out(clinic_trial *trial, const char *reason)
{
    trial->is_used = false;
    snw_format(trial->reason, sizeof trial->reason, "%s", reason);
}

/* ---- a walk ---------------------------------------------------------------------------------- */

typedef struct person_walk {
    clinic_person *person;
    clinic_trial *trial;
    snw_trial *content;
    snw_gait_events *events;
    snw_strides *strides;
    snw_angles *angles;
    snw_kinetics *kinetics;
} person_walk;

static void add_verdict(clinic_trial *trial, const snw_judgements *judged)
{
    if (judged->verdict <= trial->verdict && trial->reason[0]) return;
    if (judged->verdict == SNW_VERDICT_GREEN) return;
    trial->verdict = judged->verdict;
    for (int n = 0; n < judged->count; n++)
        if (judged->item[n].verdict == judged->verdict) {
            snw_format(trial->reason, sizeof trial->reason, "%s", judged->item[n].sentence);
            return;
        }
}

/* The body first: a capture that is nobody's has no angles. */
static int judge_walk(person_walk *walk)
{
    static snw_judgements judged; /* 26 kB: not on a stack */
    memset(&judged, 0, sizeof judged);
    snw_error error;
    if (snw_solve_judge(walk->content, NULL, &judged, &error) != SNW_OK)
        return cli_fail(walk->person->arguments, "%s", error.message);
    add_verdict(walk->trial, &judged);
    return CLI_DONE;
}

static snw_status find_strides(person_walk *walk, snw_error *error)
{
    snw_status status = snw_gait_events_find(walk->content, NULL, NULL, &walk->events, NULL, error);
    if (status == SNW_OK)
        status = snw_strides_measure(walk->content, walk->events, NULL, &walk->strides, error);
    if (status != SNW_OK) return status;
    if (!walk->strides->is_walk) walk->trial->kind = CLINIC_OTHER;
    if (!walk->strides->is_walk || walk->strides->count == 0) {
        char text[240];
        snw_format(text, sizeof text, "%s%s",
                   walk->strides->is_walk ? "no whole stride" : "this is no walk: ",
                   walk->strides->is_walk ? "" : walk->strides->reason);
        leave_out(walk->trial, text);
    }
    return SNW_OK;
}

/* Another person's static is not noticed by angles that look like a person's. */
static void add_doubts(clinic_trial *trial, const snw_notes *notes)
{
    for (int n = 0; n < notes->count && trial->verdict < SNW_VERDICT_AMBER; n++)
        if (notes->note[n].code == SNW_NOTE_STATIC_OF_ANOTHER) {
            trial->verdict = SNW_VERDICT_AMBER;
            snw_format(trial->reason, sizeof trial->reason, "%s", notes->note[n].text);
        }
}

static snw_status find_angles(person_walk *walk, snw_error *error)
{
    clinic_person *person = walk->person;
    snw_gait_options options = snw_gait_options_default();
    static snw_judgements judged; /* 26 kB: not on a stack */
    static snw_notes notes;       /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_gait_model model;
    memset(&judged, 0, sizeof judged);
    options.is_medial_used = person->convention != SNW_ANGLES_PIG;
    if (options.is_medial_used) options.hip = SNW_HIP_BY_HARRINGTON;
    options.functional = &person->functional;
    snw_status status =
        snw_gait_model_make(walk->content, person->standing, &options, &model, &notes, error);
    cli_print_notes(person->arguments, &notes);
    add_doubts(walk->trial, &notes);
    if (status == SNW_OK)
        status = snw_angles_measure(walk->content, &model, person->convention, NULL, &walk->angles,
                                    error);
    if (status != SNW_OK) return status;
    if (!person->has_model) person->model = model;
    person->has_model = true;
    snw_angles_judge(walk->angles, &judged);
    add_verdict(walk->trial, &judged);
    snw_kinetics_options forces = snw_kinetics_options_default();
    double known = model.subject.value[SNW_SUBJECT_BODY_MASS][0];
    if (!isfinite(person->mass) && known > 0) person->mass = known;
    forces.mass = isfinite(person->mass) ? person->mass : 0;
    snw_error why;
    snw_status moments =
        snw_kinetics_measure(walk->content, &model, &forces, NULL, &walk->kinetics, &why);
    walk->trial->has_kinetics = moments == SNW_OK;
    if (moments == SNW_OUT_OF_MEMORY) return moments;
    if (moments != SNW_OK)
        snw_format(walk->trial->no_forces, sizeof walk->trial->no_forces, "%s%s", why.message,
                   strstr(why.message, "mass is not known") ? " (--mass KG)" : "");
    return SNW_OK;
}

/* A name without its side, and the sign by which a column of the middle becomes one of this side:
 * obliquity and bending up on its own side, rotation with its own side forward. */
static const char *variable_of(const char *name, int side, double *sign)
{
    *sign = 1;
    bool is_sided = strncmp(name, cli_side_name[side], strlen(cli_side_name[side])) == 0;
    const char *bare = is_sided ? name + strlen(cli_side_name[side]) + 1 : name;
    if (strcmp(bare, "ground_force_x") == 0) return "ground_force_forward";
    if (strcmp(bare, "ground_force_z") == 0) return "ground_force_up";
    if (strcmp(bare, "ground_force_y") == 0) *sign = side ? 1 : -1;
    if (strcmp(bare, "ground_force_y") == 0) return "ground_force_medial";
    if (is_sided) return bare;
    if (strstr(name, "_obliquity") || strstr(name, "_bending")) *sign = side ? -1 : 1;
    if (strstr(name, "_rotation")) *sign = side ? 1 : -1;
    return name;
}

/* What every joint of the stride's side did: hip_work_done, hip_work_taken. */
static bool add_work(person_walk *walk, const snw_stride *stride, clinic_key key)
{
    const snw_angles *columns = &walk->kinetics->columns;
    bool is_good = true;
    for (int c = 0; c < columns->column_count && is_good; c++) {
        const char *name = columns->column[c].name, *end = strstr(name, "_power");
        char text[SNW_ANGLE_NAME_SIZE];
        double work[2], sign;
        if (!end || !cli_is_in_cycles(name, key.side) || !snw_stride_work(columns, c, stride, work))
            continue;
        const char *bare = variable_of(name, key.side, &sign);
        key.variable = text;
        for (int k = 0; k < 2 && is_good; k++) {
            snw_format(text, sizeof text, "%.*s_work_%s", (int)(end - bare), bare,
                       k ? "taken" : "done");
            is_good = clinic_strides_add(&walk->person->strides, &key, work + k, 1);
        }
    }
    return is_good;
}

/* Every column of the stride's side; false without memory. */
static bool add_columns(person_walk *walk, const snw_angles *columns, const snw_strides *one,
                        clinic_key key)
{
    for (int c = 0; c < columns->column_count; c++) {
        const char *name = columns->column[c].name;
        double sign;
        snw_cycle cycle;
        if (!cli_is_in_cycles(name, key.side)) continue;
        snw_cycle_mean(columns, c, one, (snw_side)key.side, &cycle);
        if (cycle.count == 0) continue;
        key.variable = variable_of(name, key.side, &sign);
        if (!columns->column[c].is_length) sign = snw_degrees(sign);
        for (int p = 0; p < SNW_CYCLE_POINTS; p++)
            cycle.mean[p] *= sign;
        if (!clinic_strides_add(&walk->person->strides, &key, cycle.mean, SNW_CYCLE_POINTS))
            return false;
    }
    return true;
}

static bool add_strides(person_walk *walk)
{
    int count[SNW_SIDES] = {0, 0};
    bool is_good = true;
    for (int n = 0; n < walk->strides->count && is_good; n++) {
        const snw_stride *stride = walk->strides->stride + n;
        snw_strides one = *walk->strides;
        clinic_key key = {walk->person->name, walk->trial->name, "", (int)stride->side,
                          ++count[stride->side]};
        one.count = 1;
        one.stride = walk->strides->stride + n;
        for (int k = 0; k < CLI_STRIDE_NUMBERS && is_good; k++) {
            double value = cli_stride_number_of(stride, k);
            key.variable = cli_stride_numbers[k].name;
            if (isfinite(value))
                is_good = clinic_strides_add(&walk->person->strides, &key, &value, 1);
        }
        is_good = is_good && add_columns(walk, walk->angles, &one, key);
        if (walk->kinetics)
            is_good = is_good && add_columns(walk, &walk->kinetics->columns, &one, key) &&
                      add_work(walk, stride, key);
    }
    memcpy(walk->trial->stride_count, count, sizeof count);
    return is_good;
}

static int measure_walk(clinic_person *person, clinic_trial *trial, snw_trial *content)
{
    person_walk walk = {.person = person, .trial = trial, .content = content};
    snw_error error;
    snw_status status = SNW_OK;
    trial->is_used = true;
    int code = judge_walk(&walk);
    if (code == CLI_DONE) status = find_strides(&walk, &error);
    if (code == CLI_DONE && status == SNW_OK && trial->is_used) status = find_angles(&walk, &error);
    if (status == SNW_OUT_OF_MEMORY) code = cli_fail(person->arguments, "%s", error.message);
    if (code == CLI_DONE && status != SNW_OK) leave_out(trial, error.message);
    if (trial->verdict == SNW_VERDICT_RED) trial->is_used = false;
    if (code == CLI_DONE && trial->is_used && !add_strides(&walk))
        code = cli_fail(person->arguments, "no memory for the strides of %s", trial->path);
    snw_kinetics_destroy(walk.kinetics);
    snw_angles_destroy(walk.angles);
    snw_strides_destroy(walk.strides);
    snw_gait_events_destroy(walk.events);
    return code;
}

/* ---- all trials ------------------------------------------------------------------------------ */

/* Of several statics the first that shows the gait model's markers. */
static void take_static(clinic_person *person, clinic_trial *trial, snw_trial **content)
{
    snw_gait_model model;
    snw_error error;
    if (person->still >= 0) {
        leave_out(trial, "another static comes first");
        return;
    }
    if (snw_gait_model_make(*content, NULL, NULL, &model, NULL, &error) != SNW_OK) {
        leave_out(trial, error.message);
        return;
    }
    trial->is_used = true;
    person->still = (int)(trial - person->trial);
    person->standing = *content;
    *content = NULL;
}

static int take_functional(clinic_person *person, clinic_trial *trial, const snw_trial *content)
{
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    snw_status status = snw_functional_add(&person->functional, content, &notes, &error);
    cli_print_notes(person->arguments, &notes);
    if (status == SNW_OUT_OF_MEMORY) return cli_fail(person->arguments, "%s", error.message);
    trial->is_used = status == SNW_OK;
    if (!trial->is_used) leave_out(trial, error.message);
    return CLI_DONE;
}

/* The first round finds out what each trial is and takes statics and functional ones, the second
 * measures the walks with them: a capture is read twice, and one at a time is in memory. */
static int take_trial(clinic_person *person, clinic_trial *trial, bool is_first)
{
    snw_read_options options;
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    snw_trial *content = NULL;
    int code = CLI_DONE;
    if (!is_first && trial->kind != CLINIC_WALK) return CLI_DONE;
    if (!cli_read_options(person->arguments, &options)) return CLI_USAGE;
    snw_status status = snw_read_trial_file(trial->path, &options, NULL, &content, &notes, &error);
    if (status == SNW_OUT_OF_MEMORY) return cli_fail(person->arguments, "%s", error.message);
    if (status != SNW_OK) {
        trial->kind = CLINIC_OTHER;
        leave_out(trial, error.message);
        return CLI_DONE;
    }
    if (!cli_flag(person->arguments, "--keep-zeros")) snw_trial_drop_zeros(content, &notes);
    if (is_first) cli_print_notes(person->arguments, &notes);
    if (is_first) trial->kind = kind_of(trial, content);
    if (is_first && trial->kind == CLINIC_STATIC) take_static(person, trial, &content);
    if (is_first && trial->kind == CLINIC_FUNCTIONAL)
        code = take_functional(person, trial, content);
    if (!is_first) code = measure_walk(person, trial, content);
    snw_trial_destroy(content);
    return code;
}

static int settle(clinic_person *person, const cli_arguments *arguments)
{
    const char *convention = cli_value(arguments, "--convention", "pig");
    memset(person, 0, sizeof *person);
    person->arguments = arguments;
    person->name = cli_value(arguments, "--person", "");
    person->still = -1;
    person->mass = NAN;
    if (!cli_number(arguments, "--mass", 5, 300, &person->mass)) return CLI_USAGE;
    person->convention = (snw_angle_convention)snw_angle_convention_find(convention);
    if (person->convention != SNW_ANGLES_PIG && person->convention != SNW_ANGLES_ISB)
        return cli_misuse(arguments, "there is no convention %s here; there are pig, isb",
                          convention);
    person->trial = calloc((size_t)arguments->operand_count + 1, sizeof *person->trial);
    if (!person->trial) return cli_fail(arguments, "no memory for a list of trials");
    person->trial_count = arguments->operand_count;
    for (int n = 0; n < person->trial_count; n++) {
        const char *path = arguments->operand[n], *slash = strrchr(path, '/');
        person->trial[n].path = path;
        person->trial[n].name = slash ? slash + 1 : path;
    }
    return CLI_DONE;
}

int clinic_person_measure(clinic_person *person, const cli_arguments *arguments)
{
    int code = settle(person, arguments), used = 0, walks = 0;
    for (int round = 0; round < 2; round++)
        for (int n = 0; n < person->trial_count && code == CLI_DONE; n++)
            code = take_trial(person, person->trial + n, round == 0);
    if (code != CLI_DONE) return code;
    const char *reason = "";
    for (int n = 0; n < person->trial_count; n++) {
        const clinic_trial *trial = person->trial + n;
        bool is_walk = trial->kind == CLINIC_WALK;
        walks += is_walk;
        used += is_walk && trial->is_used;
        if (is_walk && trial->is_used && trial->verdict > person->verdict)
            person->verdict = trial->verdict;
        if ((is_walk || trial->kind == CLINIC_OTHER) && !trial->is_used && !*reason)
            reason = trial->reason;
    }
    if (used) return CLI_DONE;
    return walks ? cli_fail(arguments, "%s: none of %d walk%s can be used: %s", person->name, walks,
                            walks == 1 ? "" : "s", reason)
                 : cli_fail(arguments, "%s: there is no walk among %d trials%s%s", person->name,
                            person->trial_count, *reason ? ": " : "", reason);
}

void clinic_person_release(clinic_person *person)
{
    clinic_strides_release(&person->strides);
    snw_trial_destroy(person->standing);
    free(person->trial);
}
