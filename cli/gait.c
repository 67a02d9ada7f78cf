/* `sinew gait`: events, strides, mean cycles and ground reaction forces of a walk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gait_emg.h"
#include "gait_force.h"
#include "input.h"
#include "output.h"
#include "verdict.h"
#include "walk.h"

typedef struct gait_job {
    cli_walk walk;
    snw_gait_events *events; /* that are used */
    snw_gait_events *own;    /* of the file */
    double *gap;             /* (own->count) room for the distances of these to ours */
    snw_strides *strides;
    snw_angles *angles; /* NULL: the gait model's markers are not there */
} gait_job;

/* When the first frame is, on the file's clock: the library counts from there. */
static double start_of(const gait_job *job)
{
    return snw_trial_time(job->walk.trial, 0);
}

/* ---- numbers of strides ---------------------------------------------------------------------- */

/* Mean and standard deviation over the strides of a side that tell it; returns how many. */
static int mean_of(const snw_strides *strides, int number, int side, double out[2])
{
    double sum = 0, sum2 = 0;
    int count = 0;
    for (int n = 0; n < strides->count; n++) {
        double value = cli_stride_number_of(strides->stride + n, number);
        if (strides->stride[n].side != (snw_side)side || !isfinite(value)) continue;
        count++;
        sum += value;
        sum2 += value * value;
    }
    out[0] = count ? sum / count : NAN;
    out[1] = count > 1 ? sqrt(fmax(0, (sum2 - sum * sum / count) / (count - 1))) : NAN;
    return count;
}

static int stride_count(const snw_strides *strides, int side)
{
    int count = 0;
    for (int n = 0; n < strides->count; n++)
        count += strides->stride[n].side == (snw_side)side;
    return count;
}

/* ---- reading and finding --------------------------------------------------------------------- */

static int find_events(gait_job *job)
{
    const char *name = cli_value(job->walk.arguments, "--events", "both");
    snw_event_options options = snw_event_options_default();
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    snw_status status = snw_gait_events_read(job->walk.trial, NULL, &job->own, &error);
    if (status == SNW_OK) job->gap = malloc(((size_t)job->own->count + 1) * sizeof *job->gap);
    if (status == SNW_OK && !job->gap)
        return cli_fail(job->walk.arguments, "no memory for the events");
    if (status == SNW_OK && strcmp(name, "file") == 0) {
        if (job->own->count == 0)
            return cli_fail(job->walk.arguments, "%s has no foot strikes and foot offs of its own",
                            job->walk.path);
        status = snw_gait_events_read(job->walk.trial, NULL, &job->events, &error);
    } else if (status == SNW_OK) {
        int method = snw_event_method_find(name);
        if (method < 0)
            return cli_misuse(job->walk.arguments,
                              "there are no events %s; there are file, both, zeni, ghoussayni",
                              name);
        options.method = (snw_event_method)method;
        options.uses_plates = !cli_flag(job->walk.arguments, "--no-plates");
        status =
            snw_gait_events_find(job->walk.trial, &options, NULL, &job->events, &notes, &error);
    }
    if (status == SNW_OK)
        status = snw_strides_measure(job->walk.trial, job->events, NULL, &job->strides, &error);
    cli_print_notes(job->walk.arguments, &notes);
    return status == SNW_OK ? CLI_DONE : cli_walk_fail(&job->walk, &error);
}

/* Angles for the cycles, where the markers allow. */
static int find_angles(gait_job *job)
{
    snw_gait_model model;
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    const char *name = cli_value(job->walk.arguments, "--convention", "pig");
    snw_gait_options options = snw_gait_options_default();
    snw_functional functional;
    int found = snw_angle_convention_find(name);
    if (found < 0 || found >= SNW_ANGLES_FUNCTIONAL)
        return cli_misuse(job->walk.arguments,
                          "there is no convention %s here; there are isb, pig, opensim, gait2392",
                          name);
    snw_angle_convention convention = (snw_angle_convention)found;
    options.is_medial_used = convention != SNW_ANGLES_PIG;
    if (options.is_medial_used) options.hip = SNW_HIP_BY_HARRINGTON;
    int status = cli_walk_functional(&job->walk, &functional);
    if (status == CLI_DONE) status = cli_walk_measures(&job->walk, &options.subject);
    if (status != CLI_DONE) return status;
    options.functional = &functional;
    if (snw_gait_model_make(job->walk.trial, job->walk.still, &options, &model, &notes, &error) !=
            SNW_OK ||
        snw_angles_measure(job->walk.trial, &model, convention, NULL, &job->angles, &error) !=
            SNW_OK)
        return cli_walk_fail(&job->walk, &error);
    cli_print_notes(job->walk.arguments, &notes);
    static snw_judgements judged; /* 26 kB: not on a stack */
    memset(&judged, 0, sizeof judged);
    snw_angles_judge(job->angles, &judged);
    cli_print_verdict(job->walk.arguments, &judged);
    if (judged.verdict == SNW_VERDICT_RED)
        return cli_fail(job->walk.arguments,
                        "%s: these are nobody's angles, so there is no mean cycle: %s (another "
                        "--convention, a --static?)",
                        job->walk.path, judged.item[0].sentence);
    return CLI_DONE;
}

/* ---- telling --------------------------------------------------------------------------------- */

static const char *kind_name(snw_gait_event_kind kind)
{
    return kind == SNW_FOOT_STRIKE ? "foot strike" : "foot off";
}

/* Who does not walk has no events of walking, but for those that the file itself has. */
static int event_count(const gait_job *job)
{
    bool is_file = strcmp(cli_value(job->walk.arguments, "--events", ""), "file") == 0;
    return job->strides->is_walk || is_file ? job->events->count : 0;
}

static const char *source_name(snw_gait_event_source source)
{
    static const char *const name[] = {"file", "markers", "plate"};
    return name[source];
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median distance in frames between the file's own events and the nearest of ours of the same kind
 * and side; -1 where nothing can be compared. */
static double own_distance(const gait_job *job, int *matched)
{
    *matched = 0;
    if (!job->own || job->own->count == 0) return -1;
    double *gap = job->gap, median = -1;
    for (int n = 0; n < job->own->count; n++) {
        const snw_gait_event *own = job->own->event + n;
        double nearest = INFINITY;
        for (int k = 0; k < job->events->count; k++) {
            const snw_gait_event *ours = job->events->event + k;
            if (ours->kind == own->kind && ours->side == own->side)
                nearest = fmin(nearest, fabs(ours->time - own->time));
        }
        if (nearest < 0.25) gap[(*matched)++] = nearest * job->walk.trial->rate;
    }
    if (*matched) {
        qsort(gap, (size_t)*matched, sizeof *gap, compare_numbers);
        median = gap[*matched / 2];
    }
    return median;
}

static void print_events(const gait_job *job)
{
    printf("%8s %7s  %-6s %-12s %s\n", "time s", "frame", "side", "event", "from");
    for (int n = 0; n < job->events->count; n++) {
        const snw_gait_event *event = job->events->event + n;
        printf("%8.3f %7.1f  %-6s %-12s %s\n", start_of(job) + event->time,
               job->walk.trial->first_frame + event->time * job->walk.trial->rate,
               cli_side_name[event->side], kind_name(event->kind), source_name(event->source));
    }
    int matched;
    double median = own_distance(job, &matched);
    if (median >= 0 && job->own != job->events)
        printf("the file's own: %d events, %d of them here too, median difference %.1f frames\n",
               job->own->count, matched, median);
}

/* Mean speed of a treadmill's belt; 0 on the floor. */
static double belt_of(const snw_strides *strides)
{
    double sum = 0;
    int count = 0;
    for (int n = 0; n < strides->count; n++) {
        if (!isfinite(strides->stride[n].belt)) continue;
        sum += strides->stride[n].belt;
        count++;
    }
    return count ? sum / count : 0;
}

static void print_strides(const gait_job *job)
{
    double belt = belt_of(job->strides);
    if (belt != 0)
        printf("\non a treadmill: its belt, %.3f m/s as the standing foot goes back, is in lengths "
               "and speed\n",
               belt);
    if (job->strides->left_out)
        printf("\n%d of %d between two strikes of a foot are no strides: %s\n",
               job->strides->left_out, job->strides->left_out + job->strides->count,
               job->strides->reason);
    printf("\n%-16s %-9s %18s %18s\n", "", "", "left", "right");
    printf("%-16s %-9s %18d %18d\n", "strides", "", stride_count(job->strides, 0),
           stride_count(job->strides, 1));
    for (int n = 0; n < CLI_STRIDE_NUMBERS; n++) {
        printf("%-16s %-9s", cli_stride_numbers[n].name, cli_stride_numbers[n].unit);
        for (int side = 0; side < SNW_SIDES; side++) {
            double mean[2];
            int count = mean_of(job->strides, n, side, mean);
            if (count > 1)
                printf(" %9.3f +- %5.3f", mean[0], mean[1]);
            else if (count)
                printf(" %9.3f         ", mean[0]);
            else
                printf(" %9s         ", "-");
        }
        putchar('\n');
    }
}

static void json_strides(cli_json *json, const gait_job *job)
{
    cli_json_array(json, "strides");
    for (int n = 0; n < job->strides->count; n++) {
        const snw_stride *stride = job->strides->stride + n;
        cli_json_object(json, NULL);
        cli_json_string(json, "side", cli_side_name[stride->side]);
        cli_json_number(json, "start_s", start_of(job) + stride->start);
        cli_json_number(json, "end_s", start_of(job) + stride->end);
        for (int k = 0; k < CLI_STRIDE_NUMBERS; k++)
            cli_json_number(json, cli_stride_numbers[k].name, cli_stride_number_of(stride, k));
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

static void print_json(const gait_job *job)
{
    cli_json json = cli_json_begin(stdout);
    int matched;
    double median = own_distance(job, &matched);
    cli_json_object(&json, NULL);
    cli_json_verdict(&json, &job->walk.judgements);
    cli_json_boolean(&json, "walk", job->strides->is_walk);
    cli_json_string(&json, "reason", job->strides->reason);
    cli_json_integer(&json, "left_out", job->strides->left_out);
    cli_json_number(&json, "belt_m_per_s", belt_of(job->strides));
    cli_json_array(&json, "events");
    for (int n = 0; n < event_count(job); n++) {
        const snw_gait_event *event = job->events->event + n;
        cli_json_object(&json, NULL);
        cli_json_number(&json, "time_s", start_of(job) + event->time);
        cli_json_string(&json, "side", cli_side_name[event->side]);
        cli_json_string(&json, "event", kind_name(event->kind));
        cli_json_string(&json, "from", source_name(event->source));
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_integer(&json, "own_events", job->own ? job->own->count : 0);
    cli_json_integer(&json, "own_events_matched", matched);
    cli_json_number(&json, "own_median_frames", median >= 0 ? median : NAN);
    json_strides(&json, job);
    cli_json_end_object(&json);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool draw_strides(FILE *out, const void *context)
{
    const gait_job *job = context;
    fputs("side,start,end", out);
    for (int n = 0; n < CLI_STRIDE_NUMBERS; n++)
        fprintf(out, ",%s", cli_stride_numbers[n].name);
    for (int s = 0; s < job->strides->count; s++) {
        const snw_stride *stride = job->strides->stride + s;
        fprintf(out, "\n%s,%.4f,%.4f", cli_side_name[stride->side], start_of(job) + stride->start,
                start_of(job) + stride->end);
        for (int n = 0; n < CLI_STRIDE_NUMBERS; n++) {
            double value = cli_stride_number_of(stride, n);
            if (isfinite(value))
                fprintf(out, ",%.5f", value);
            else
                fputc(',', out);
        }
    }
    fputc('\n', out);
    return true;
}

static bool draw_cycles(FILE *out, const void *context)
{
    const gait_job *job = context;
    return cli_put_cycles(job->angles, job->strides, out);
}

static int write_capture(gait_job *job, const char *path)
{
    snw_error error;
    snw_status status = snw_gait_events_store(job->events, job->walk.trial, &error);
    if (status != SNW_OK) return cli_fail(job->walk.arguments, "%s", error.message);
    status = snw_write_trial_file(path, cli_flag(job->walk.arguments, "--force"), job->walk.trial,
                                  NULL, &error);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(job->walk.arguments, &error);
}

static int write_output(gait_job *job, const char *path)
{
    switch (snw_format_from_name(path)) {
    case SNW_FORMAT_C3D:
        return write_capture(job, path);
    case SNW_FORMAT_CSV:
        return cli_write_whole(job->walk.arguments, path, draw_strides, job);
    default:
        return cli_misuse(job->walk.arguments, "%s: events go to .c3d, strides to .csv", path);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* What needs no feet; *is_any: something was written. */
static int write_forces(gait_job *job, bool *is_any)
{
    static const struct {
        const char *option;
        int (*write)(const cli_arguments *arguments, const char *path, const snw_trial *trial);
    } output[] = {{"--forces", cli_write_forces},
                  {"--svg", cli_write_force_picture},
                  {"--plates", cli_write_plates},
                  {"--analog", cli_write_analog}};
    int status = CLI_DONE;
    *is_any = false;
    for (size_t n = 0; n < sizeof output / sizeof *output && status == CLI_DONE; n++) {
        const char *path = cli_value(job->walk.arguments, output[n].option, NULL);
        if (!path) continue;
        *is_any = true;
        status = output[n].write(job->walk.arguments, path, job->walk.trial);
    }
    return status;
}

static int measure_walk(gait_job *job)
{
    const char *out = cli_value(job->walk.arguments, "--output", NULL);
    const char *cycles = cli_value(job->walk.arguments, "--cycles", NULL);
    const char *emg = cli_value(job->walk.arguments, "--emg", NULL);
    bool is_any, is_json = cli_flag(job->walk.arguments, "--json");
    int status = write_forces(job, &is_any);
    if (status != CLI_DONE || (is_any && !out && !cycles && !emg && !is_json)) return status;
    status = cli_filter_trial(job->walk.arguments, &job->walk.trial);
    if (status == CLI_DONE) status = cli_walk_judge(&job->walk);
    if (status == CLI_DONE) status = find_events(job);
    if (status == CLI_DONE && !job->strides->is_walk && (out || cycles || emg))
        return cli_fail(job->walk.arguments, "%s: this is no walk: %s", job->walk.path,
                        job->strides->reason);
    if (status == CLI_DONE && (cycles || emg) && job->strides->count == 0)
        return cli_fail(job->walk.arguments, "%s has no whole stride: there is no mean cycle",
                        job->walk.path);
    if (status == CLI_DONE && emg)
        status = cli_write_emg(job->walk.arguments, emg, job->walk.trial, job->strides);
    if (status == CLI_DONE && cycles) status = find_angles(job);
    if (status == CLI_DONE && cycles)
        status = cli_write_whole(job->walk.arguments, cycles, draw_cycles, job);
    if (status == CLI_DONE && is_json) {
        print_json(job);
    } else if (status == CLI_DONE && !job->strides->is_walk && !out) {
        printf("this is no walk: %s\n", job->strides->reason);
    } else if (status == CLI_DONE && !out) {
        print_events(job);
        print_strides(job);
    }
    if (status == CLI_DONE && out) status = write_output(job, out);
    return status;
}

/* What one file gives to the table of many. */
static void fill_row(const gait_job *job)
{
    cli_row *row = job->walk.arguments->row;
    cli_walk_fill_row(&job->walk);
    if (!row || !job->strides || job->strides->is_walk) return;
    snw_format(row->verdict, sizeof row->verdict, "no walk");
    snw_format(row->message, sizeof row->message, "%s", job->strides->reason);
}

static int run_gait(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"csv", false, snw_format_reads_trial, false};
    static const char *const outputs[] = {"--output", "--cycles", "--forces", "--svg",
                                          "--plates", "--analog", "--emg",    NULL};
    if (cli_is_many(arguments, &many)) return cli_run_many(arguments, &many);
    static gait_job job; /* its judgements: 26 kB */
    memset(&job, 0, sizeof job);
    int status = cli_walk_read(&job.walk, arguments, outputs, cli_read_capture);
    if (status == CLI_DONE) status = measure_walk(&job);
    if (status == CLI_DONE) fill_row(&job);
    snw_angles_destroy(job.angles);
    snw_strides_destroy(job.strides);
    snw_gait_events_destroy(job.events);
    snw_gait_events_destroy(job.own);
    free(job.gap);
    cli_walk_release(&job.walk);
    return status;
}

static const cli_option gait_options[] = {
    {"--output", "-o", "FILE", ".c3d: the capture with the events; .csv: one row per stride"},
    {"--events", NULL, "NAME", "both (default), zeni, ghoussayni, or file: the file's own"},
    {"--no-plates", NULL, NULL, "events from the markers alone"},
    {"--cycles", NULL, "FILE", "mean cycle of every angle, 0 to 100 %, with deviation; .csv"},
    {"--convention", NULL, "NAME", "of these angles: pig (default), isb, opensim, gait2392"},
    CLI_MODEL_OPTIONS,
    {"--forces", NULL, "FILE", "ground reaction at the analog rate; .csv, or .mot for OpenSim"},
    {"--svg", NULL, "FILE", "the force vectors over the floor, seen from the side"},
    {"--plates", NULL, "FILE", "type, corners, origin and channels of the plates; .forceplates"},
    {"--analog", NULL, "FILE", "every analog channel in its unit; .csv"},
    {"--emg", NULL, "FILE", "muscles over the cycle: mean envelopes in percent of the peak; .csv"},
    {"--channels", NULL, "NAMES", "which channels are EMG, as TA*,SOL (default: *EMG*)"},
    {"--force-filter", NULL, "HZ", "low-pass the forces of --forces, without delay"},
    {"--zero-plates", NULL, NULL, "take off the mean of frames FORCE_PLATFORM:ZERO"},
    CLI_FILTER_OPTION,
    CLI_LENIENT_OPTION,
    CLI_UP_OPTION,
    CLI_KEEP_ZEROS_OPTION,
    CLI_MANY_OPTIONS,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_gait_command = {
    "gait",
    "events, strides, mean cycles and ground reaction of a walk",
    "IN | FOLDER | FILES...",
    "Foot strike and foot off come from the markers of pelvis and feet, and from the force plates\n"
    "where a foot meets one. Without -o events and strides are printed, and how far the events "
    "lie\n"
    "from the file's own where it has some. In an output capture ours take the place of those.\n\n"
    "Forces: of the plate on the foot, newtons; centre of pressure in metres; free moment in "
    "newton\n"
    "metres. .csv in the lab's axes, .mot turned so that y is up. Nothing is filtered unless "
    "asked.\n"
    "\n"
    "examples:\n"
    "  sinew gait gait.c3d\n"
    "  sinew gait gait.c3d -o events.c3d --cycles cycles.csv\n"
    "  sinew gait gait.c3d --forces grf.mot --svg grf.svg\n"
    "  sinew gait gait.c3d --filter auto --events zeni --json",
    gait_options,
    1,
    CLI_OPERANDS_MAX,
    run_gait,
};
