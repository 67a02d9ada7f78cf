/* `sinew centers`: the joints of a trial, or the one between two segments that the user names, by
 * every method side by side. */
#include <string.h>

#include "command.h"
#include "input.h"
#include "pattern.h"
#include "text.h"
#include "verdict.h"

#define CENTERS_MARKERS_MAX 64
/* Metres. Skin moves a marker by a few millimetres; more is a marker of another segment. */
#define CENTERS_NOT_RIGID 0.010

/* One segment as named on the command line. */
typedef struct segment_choice {
    int marker[CENTERS_MARKERS_MAX];
    int count;
} segment_choice;

typedef struct centers_answer {
    bool has_answer;
    snw_center center;
    char verdict[SNW_VERDICT_SIZE]; /* or why there is none */
} centers_answer;

typedef struct centers_report {
    const snw_trial *trial;
    snw_joint_view *view;
    const segment_choice *segments; /* parent, child */
    centers_answer answer[SNW_CENTER_METHOD_COUNT];
    bool is_wanted[SNW_CENTER_METHOD_COUNT];
    bool has_no_memory; /* for one of the joints: the answer is not whole */
} centers_report;

/* ---- which markers -------------------------------------------------------------------------- */

static bool is_chosen(const segment_choice *segment, int marker)
{
    for (int i = 0; i < segment->count; i++)
        if (segment->marker[i] == marker) return true;
    return false;
}

static int choose_marker(const cli_arguments *arguments, int marker, segment_choice *segment)
{
    if (is_chosen(segment, marker)) return CLI_DONE;
    if (segment->count == CENTERS_MARKERS_MAX)
        return cli_fail(arguments, "a segment takes at most %d markers", CENTERS_MARKERS_MAX);
    segment->marker[segment->count++] = marker;
    return CLI_DONE;
}

/* The markers of every segment of that name, where the labels tell the segments. */
static int choose_by_segment(const cli_arguments *arguments, const snw_trial *trial,
                             const char *pattern, int length, segment_choice *segment)
{
    snw_segment_options options = snw_segment_options_default();
    snw_segments *segments = NULL;
    options.method = SNW_SEGMENTS_BY_NAMES;
    int status = CLI_DONE, before = segment->count;
    if (snw_segments_find(trial, &options, NULL, &segments, NULL, NULL) == SNW_OK)
        for (int n = 0; n < segments->segment_count; n++) {
            if (!cli_pattern_matches(pattern, (size_t)length, segments->segment[n].name)) continue;
            for (int i = 0; status == CLI_DONE && i < segments->segment[n].marker_count; i++)
                status = choose_marker(arguments, segments->segment[n].marker[i], segment);
        }
    snw_segments_destroy(segments);
    if (status == CLI_DONE && segment->count == before)
        return cli_fail(arguments, "%s: no marker or segment is called %.*s", arguments->operand[0],
                        length, pattern);
    return status;
}

static int choose_one(const cli_arguments *arguments, const snw_trial *trial, const char *pattern,
                      int length, segment_choice *segment)
{
    bool is_found = false;
    for (int m = 0; m < trial->marker_count; m++) {
        if (!cli_pattern_names_marker(pattern, (size_t)length, trial->marker[m].name)) continue;
        is_found = true;
        int status = choose_marker(arguments, m, segment);
        if (status != CLI_DONE) return status;
    }
    return is_found ? CLI_DONE : choose_by_segment(arguments, trial, pattern, length, segment);
}

static int choose_segment(const cli_arguments *arguments, const snw_trial *trial,
                          const char *option, segment_choice *segment)
{
    const char *list = cli_value(arguments, option, "");
    segment->count = 0;
    while (*list) {
        int length = (int)strcspn(list, ",");
        int status = length ? choose_one(arguments, trial, list, length, segment) : CLI_DONE;
        if (status != CLI_DONE) return status;
        list += length + (list[length] == ',');
    }
    return CLI_DONE;
}

/* ---- the report ----------------------------------------------------------------------------- */

/* Where the centre is in the lab, in the first frame that shows the parent. */
static int first_frame_of(const centers_report *report)
{
    for (int k = 0; k < report->view->data.frame_count; k++)
        if (report->view->data.parent_is_valid[k]) return k;
    return 0;
}

static snw_vec3 in_lab(const centers_report *report, const snw_center *center)
{
    int frame = first_frame_of(report);
    return snw_xform_point(report->view->data.world_from_parent[frame], center->in_parent);
}

static void print_segment(const centers_report *report, const char *name, int side, double noise)
{
    const segment_choice *segment = report->segments + side;
    printf("%-7s", name);
    for (int i = 0; i < segment->count; i++) {
        fputc(' ', stdout);
        cli_print_text(stdout, report->trial->marker[segment->marker[i]].name, 0);
    }
    if (side == 1 && !report->view->data.world_from_child)
        printf("   (no pose: fewer than 3 markers seen together)\n");
    else
        printf("   (%s %.2f mm)\n",
               noise > CENTERS_NOT_RIGID ? "not rigid: moves by" : "rigid within", 1000 * noise);
}

static void print_table(const centers_report *report)
{
    print_segment(report, "parent", 0, report->view->parent_noise);
    print_segment(report, "child", 1, report->view->child_noise);
    printf("\n%-15s %24s %9s %8s %8s  %s\n", "method", "centre in the lab (mm)", "residual", "slip",
           "+- mm", "");
    for (int m = 0; m < SNW_CENTER_METHOD_COUNT; m++) {
        const centers_answer *answer = report->answer + m;
        if (!report->is_wanted[m]) continue;
        printf("%-15s ", snw_center_method_name((snw_center_method)m));
        if (answer->has_answer) {
            snw_vec3 place = in_lab(report, &answer->center);
            printf("%8.1f%8.1f%8.1f %9.2f ", 1000 * place.x, 1000 * place.y, 1000 * place.z,
                   1000 * answer->center.residual);
            if (answer->center.has_child)
                printf("%8.2f ", 1000 * answer->center.slip);
            else
                printf("%8s ", "-");
            printf("%8.2f  ", 1000 * answer->center.sigma);
        }
        printf("%s\n", answer->verdict);
    }
    printf("\nlab positions are those of frame %d",
           report->trial->first_frame + first_frame_of(report));
}

static void print_legend(void)
{
    printf("; residual: of the method's own fit; slip: rms distance between\nthe centre as the two "
           "segments carry it (mm); +-: one standard deviation\n");
}

static void json_vector(cli_json *json, const char *key, snw_vec3 v)
{
    double numbers[3] = {v.x, v.y, v.z};
    cli_json_numbers(json, key, numbers, 3);
}

static void json_center(cli_json *json, const centers_report *report, const snw_center *center)
{
    double range_deg[3];
    for (int i = 0; i < 3; i++)
        range_deg[i] = snw_degrees(center->range[i]);
    json_vector(json, "centre_in_lab_m", in_lab(report, center));
    json_vector(json, "centre_in_parent_m", center->in_parent);
    json_vector(json, "axis_in_parent", center->axis_in_parent);
    if (center->has_child) {
        json_vector(json, "centre_in_child_m", center->in_child);
        json_vector(json, "axis_in_child", center->axis_in_child);
        cli_json_number(json, "slip_m", center->slip);
    }
    cli_json_string(json, "motion", snw_joint_type_name(center->motion));
    cli_json_integer(json, "undetermined_directions", center->undetermined);
    cli_json_numbers(json, "range_deg", range_deg, 3);
    cli_json_number(json, "axis_sigma_deg", snw_degrees(center->axis_sigma));
    cli_json_number(json, "residual_m", center->residual);
    cli_json_number(json, "sigma_m", center->sigma);
    cli_json_numbers(json, "covariance_m2", &center->covariance.m[0][0], 9);
    cli_json_number(json, "condition", center->condition);
    cli_json_number(json, "residual_correlation", center->correlation);
    cli_json_integer(json, "frames", center->frame_count);
    cli_json_integer(json, "outliers", center->rejected_count);
}

static void json_segment(cli_json *json, const centers_report *report, const char *key, int side)
{
    const segment_choice *segment = report->segments + side;
    const snw_vec3 *shape = side ? report->view->child_shape : report->view->parent_shape;
    cli_json_object(json, key);
    cli_json_number(json, "noise_m", side ? report->view->child_noise : report->view->parent_noise);
    cli_json_array(json, "markers");
    for (int i = 0; i < segment->count; i++) {
        cli_json_object(json, NULL);
        cli_json_string(json, "name", report->trial->marker[segment->marker[i]].name);
        json_vector(json, "position_m", shape[i]);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
    cli_json_end_object(json);
}

static void json_joint(cli_json *json, const centers_report *report)
{
    json_segment(json, report, "parent", 0);
    json_segment(json, report, "child", 1);
    cli_json_integer(json, "lab_frame", report->trial->first_frame + first_frame_of(report));
    cli_json_array(json, "methods");
    for (int m = 0; m < SNW_CENTER_METHOD_COUNT; m++) {
        if (!report->is_wanted[m]) continue;
        cli_json_object(json, NULL);
        cli_json_string(json, "method", snw_center_method_name((snw_center_method)m));
        cli_json_boolean(json, "has_answer", report->answer[m].has_answer);
        cli_json_string(json, "verdict", report->answer[m].verdict);
        if (report->answer[m].has_answer) json_center(json, report, &report->answer[m].center);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

/* ---- running -------------------------------------------------------------------------------- */

static int choose_methods(const cli_arguments *arguments, centers_report *report)
{
    const char *name = cli_value(arguments, "--method", "all");
    bool is_all = strcmp(name, "all") == 0;
    int method = is_all ? SNW_CENTER_TWO_SIDED : snw_center_method_find(name);
    if (method < 0) {
        char known[160] = "";
        int length = 0;
        for (int m = 0; m < SNW_CENTER_METHOD_COUNT; m++)
            length += snw_format(known + length, sizeof known - (size_t)length, "%s, ",
                                 snw_center_method_name((snw_center_method)m));
        return cli_misuse(arguments, "there is no method %s; there are %sall", name, known);
    }
    for (int m = 0; m < SNW_CENTER_METHOD_COUNT; m++)
        report->is_wanted[m] = is_all || m == (int)method;
    return CLI_DONE;
}

/* Answers of all wanted methods; false when none has one: the last verdict says why. */
static bool answer_all(const cli_arguments *arguments, centers_report *report, const char **reason)
{
    snw_center_options options = snw_center_options_default();
    if (cli_flag(arguments, "--debias")) {
        options.parent_rotation_noise = report->view->parent_rotation_noise;
        options.child_rotation_noise = report->view->child_rotation_noise;
    }
    options.is_robust = !cli_flag(arguments, "--trust");
    bool is_any = false;
    for (int m = 0; m < SNW_CENTER_METHOD_COUNT; m++) {
        centers_answer *answer = report->answer + m;
        snw_error error;
        if (!report->is_wanted[m]) continue;
        answer->has_answer = snw_center_solve(&report->view->data, (snw_center_method)m, &options,
                                              &answer->center, &error) == SNW_OK;
        if (answer->has_answer)
            snw_center_verdict(&answer->center, answer->verdict);
        else
            snw_format(answer->verdict, sizeof answer->verdict, "%s", error.message);
        is_any |= answer->has_answer;
        *reason = answer->verdict;
    }
    return is_any;
}

/* One joint, not yet told. False, and a reason, when it has no centre. The view is the caller's to
 * destroy. */
static bool find_joint(const cli_arguments *arguments, const segment_choice segments[2],
                       centers_report *report, char *reason, size_t size)
{
    snw_marker_list lists[2] = {{segments[0].marker, segments[0].count},
                                {segments[1].marker, segments[1].count}};
    snw_error error;
    report->segments = segments;
    report->view = NULL;
    if (snw_joint_view_create(report->trial, lists, NULL, &report->view, &error) != SNW_OK) {
        snw_format(reason, size, "%s", error.message);
        report->has_no_memory |= error.status == SNW_OUT_OF_MEMORY;
        return false;
    }
    const char *why = "";
    bool is_any = answer_all(arguments, report, &why);
    if (!is_any) snw_format(reason, size, "%s", why);
    return is_any;
}

static void forget_joint(centers_report *report)
{
    snw_joint_view_destroy(report->view);
    report->view = NULL;
}

/* ---- the two segments that the user names ------------------------------------------------------
 */

static int choose_both(const cli_arguments *arguments, const snw_trial *trial,
                       segment_choice segments[2])
{
    int status = choose_segment(arguments, trial, "--parent", &segments[0]);
    if (status == CLI_DONE) status = choose_segment(arguments, trial, "--child", &segments[1]);
    for (int i = 0; status == CLI_DONE && i < segments[1].count; i++)
        if (is_chosen(&segments[0], segments[1].marker[i]))
            status = cli_fail(arguments, "marker %s is named for both segments",
                              trial->marker[segments[1].marker[i]].name);
    return status;
}

static int report_named(const cli_arguments *arguments, centers_report *report)
{
    segment_choice segments[2];
    char reason[SNW_VERDICT_SIZE];
    int status = choose_both(arguments, report->trial, segments);
    if (status != CLI_DONE) return status;
    if (!find_joint(arguments, segments, report, reason, sizeof reason)) {
        status = cli_fail(arguments, "%s: %s", arguments->operand[0], reason);
    } else if (cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        json_joint(&json, report);
        cli_json_end_object(&json);
    } else {
        print_table(report);
        print_legend();
    }
    forget_joint(report);
    return status;
}

/* ---- all joints of the body that is found --------------------------------------------------- */

/* The markers of the body's joint; the most that a segment takes. */
static void choose_joint(const snw_trial *trial, const snw_actor *actor, int joint,
                         segment_choice *segment)
{
    segment->count = 0;
    for (int m = 0; m < actor->marker_count && segment->count < CENTERS_MARKERS_MAX; m++) {
        if (actor->marker[m].joint != joint) continue;
        int marker = snw_trial_find_marker(trial, actor->marker[m].name);
        if (marker >= 0) segment->marker[segment->count++] = marker;
    }
}

/* reason: why the joint has no centre; NULL: it has one. */
static void json_body_joint(cli_json *json, const snw_skeleton *body, int joint,
                            const centers_report *report, const char *reason)
{
    cli_json_object(json, NULL);
    cli_json_string(json, "joint", body->name[joint]);
    cli_json_string(json, "on", body->name[body->parent[joint]]);
    if (reason)
        cli_json_string(json, "no_answer", reason);
    else
        json_joint(json, report);
    cli_json_end_object(json);
}

static void print_body_joint(const snw_skeleton *body, int joint, const centers_report *report,
                             const char *reason)
{
    fputs(joint > 1 ? "\n\n" : "", stdout);
    cli_print_text(stdout, body->name[joint], 0);
    fputs(" on ", stdout);
    cli_print_text(stdout, body->name[body->parent[joint]], 0);
    fputc('\n', stdout);
    if (reason)
        printf("no centre: %s", reason);
    else
        print_table(report);
}

static void report_body(const cli_arguments *arguments, const snw_actor *actor,
                        centers_report *report, cli_json *json)
{
    const snw_skeleton *body = actor->skeleton;
    for (int j = 1; j < body->joint_count; j++) {
        segment_choice segments[2];
        char text[SNW_VERDICT_SIZE];
        choose_joint(report->trial, actor, body->parent[j], &segments[0]);
        choose_joint(report->trial, actor, j, &segments[1]);
        bool is_found = find_joint(arguments, segments, report, text, sizeof text);
        const char *reason = is_found ? NULL : text;
        if (json)
            json_body_joint(json, body, j, report, reason);
        else
            print_body_joint(body, j, report, reason);
        forget_joint(report);
    }
}

static int report_all(const cli_arguments *arguments, centers_report *report)
{
    snw_error error;
    snw_solution *solution = NULL;
    snw_solve_options options = snw_solve_options_default();
    options.keeps_zeros = options.skips_join = options.skips_recognition = true; /* as it is read */
    options.keeps_swaps = options.keeps_slips = true;
    options.part = 1;
    options.stops_after = SNW_SOLVE_ACTORS;
    snw_status status = snw_solve(report->trial, &options, NULL, &solution, &error);
    const snw_actor *actor = status == SNW_OK ? solution->body->kept : NULL;
    if (status == SNW_OK && cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_array(&json, "joints");
        report_body(arguments, actor, report, &json);
        cli_json_end_array(&json);
        cli_json_end_object(&json);
    } else if (status == SNW_OK) {
        report_body(arguments, actor, report, NULL);
        print_legend();
    }
    snw_solution_destroy(solution);
    if (report->has_no_memory)
        return cli_fail(arguments, "%s: not enough memory for all joints", arguments->operand[0]);
    return status == SNW_OK ? CLI_DONE
                            : cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
}

static int run_centers(const cli_arguments *arguments)
{
    static centers_report report;
    bool has_parent = *cli_value(arguments, "--parent", "");
    bool has_child = *cli_value(arguments, "--child", "");
    if (has_parent != has_child)
        return cli_misuse(arguments, "say which markers: %s LABEL,LABEL,... (* is a wildcard)",
                          has_parent ? "--child" : "--parent");
    int status = choose_methods(arguments, &report);
    if (status != CLI_DONE) return status;
    snw_trial *trial = cli_read_capture(arguments, arguments->operand[0], NULL);
    if (!trial) return CLI_FAILED;
    report.trial = trial;
    status = cli_warn_of_red(arguments, trial);
    if (status == CLI_DONE)
        status = has_parent ? report_named(arguments, &report) : report_all(arguments, &report);
    snw_trial_destroy(trial);
    return status;
}

static const cli_option centers_options[] = {
    {"--parent", NULL, "LABELS", "markers (or the name) of the parent segment; commas, * and ?"},
    {"--child", NULL, "LABELS", "markers (or the name) of the child segment"},
    {"--method", "-m", "NAME", "one method instead of all"},
    {"--trust", NULL, NULL, "use every frame, also outliers"},
    CLI_LENIENT_OPTION,
    {"--debias", NULL, NULL, "two-sided: markers have white noise, take its pull out"},
    CLI_KEEP_ZEROS_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_centers_command = {
    "centers",
    "find joints between segments: centre, axis, certainty, by every method",
    "IN",
    "methods: two-sided (both segments' poses), mvm, gamage-lasenby, halvorsen, geometric (the\n"
    "child's markers seen from the parent), kalman (as a warning).\n\n"
    "The centre is in millimetres in the lab, at the first frame that shows the parent; --json "
    "also\n"
    "gives it in metres in the frames of both segments, whose origin is the mean of their "
    "markers.\n\n"
    "Without --parent and --child the segments and their joints are found first, and all are "
    "told.\n\n"
    "examples:\n"
    "  sinew centers walk.c3d\n"
    "  sinew centers hip.c3d --parent '?ASIS,?PSIS' --child 'RTHI*'",
    centers_options,
    1,
    1,
    run_centers,
};
