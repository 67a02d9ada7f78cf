/* Ground reaction of a walk: tables and pictures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot.h"
#include "gait_force.h"
#include "input.h"
#include "output.h"

/* ---- forces ---------------------------------------------------------------------------------- */

/* Nine numbers of a plate: force, centre of pressure, free moment; the lab's axes, or OpenSim's
 * with y up. */
static void plate_numbers(const snw_wrench *wrench, snw_vec3 up, bool is_opensim, double out[9])
{
    const snw_vec3 vectors[3] = {wrench->force, wrench->center, wrench->free_moment};
    snw_quat turn = is_opensim ? snw_quat_between(up, snw_vec3_make(0, 1, 0)) : snw_quat_identity();
    for (int v = 0; v < 3; v++) {
        snw_vec3 at = snw_quat_rotate(turn, vectors[v]);
        out[3 * v] = at.x;
        out[3 * v + 1] = at.y;
        out[3 * v + 2] = at.z;
    }
}

/* The plate's force and moment at all samples through one low pass, then centre and free moment
 * anew. `work` (6 x rows). False: a sample is no number. */
static bool filter_plate(const snw_force_plate *plate, const snw_trial *trial, double cutoff,
                         double *work)
{
    int per = trial->analog_per_frame, rows = trial->frame_count * per;
    snw_butterworth filter = snw_butterworth_make(cutoff, trial->rate * per, 2);
    bool is_good = true;
    for (int r = 0; r < rows; r++) {
        snw_wrench w = snw_force_plate_wrench(plate, trial, r / per, r % per);
        const double value[6] = {w.force.x,  w.force.y,  w.force.z,
                                 w.moment.x, w.moment.y, w.moment.z};
        for (int k = 0; k < 6; k++) {
            work[(size_t)k * (size_t)rows + (size_t)r] = isfinite(value[k]) ? value[k] : 0;
            is_good &= isfinite(value[k]) != 0;
        }
    }
    for (int k = 0; k < 6; k++)
        snw_filter_zero_lag(&filter, work + (size_t)k * (size_t)rows, rows);
    return is_good;
}

static snw_wrench filtered_wrench(const snw_force_plate *plate, const double *work, int rows, int r)
{
    double v[6];
    snw_wrench out = {.center = plate->world_from_plate.translation};
    snw_vec3 up = snw_quat_rotate(plate->world_from_plate.rotation, snw_vec3_make(0, 0, -1));
    for (int k = 0; k < 6; k++)
        v[k] = work[(size_t)k * (size_t)rows + (size_t)r];
    out.force = snw_vec3_make(v[0], v[1], v[2]);
    out.moment = snw_vec3_make(v[3], v[4], v[5]);
    double load = snw_vec3_dot(out.force, up);
    out.has_center = load > SNW_PLATE_LOAD_MIN;
    if (!out.has_center) return out;
    snw_vec3 arm = snw_vec3_scale(snw_vec3_cross(up, out.moment), 1 / load);
    out.center = snw_vec3_add(out.center, arm);
    double turn = snw_vec3_dot(snw_vec3_sub(out.moment, snw_vec3_cross(arm, out.force)), up);
    out.free_moment = snw_vec3_scale(up, turn);
    return out;
}

/* cutoff 0: as they are. */
typedef struct force_choice {
    bool is_opensim;
    double cutoff;
} force_choice;

static snw_status fill_forces(const snw_trial *trial, const snw_force_plate *plates, int count,
                              const force_choice *choice, snw_table **out, snw_error *error)
{
    bool is_opensim = choice->is_opensim;
    static const char *const csv[9] = {"fx", "fy", "fz", "px", "py", "pz", "mx", "my", "mz"};
    static const char *const mot[9] = {
        "ground_force_%d_vx",  "ground_force_%d_vy",  "ground_force_%d_vz",
        "ground_force_%d_px",  "ground_force_%d_py",  "ground_force_%d_pz",
        "ground_moment_%d_mx", "ground_moment_%d_my", "ground_moment_%d_mz"};
    int per = trial->analog_per_frame, rows = trial->frame_count * per, columns = 9 * count;
    char(*text)[32] = calloc((size_t)columns, sizeof *text);
    const char **names = calloc((size_t)columns, sizeof *names);
    snw_status status = SNW_OUT_OF_MEMORY;
    if (error) memset(error, 0, sizeof *error);
    for (int c = 0; text && names && c < columns; c++) {
        if (is_opensim)
            snw_format(text[c], sizeof text[c], mot[c % 9], c / 9 + 1);
        else
            snw_format(text[c], sizeof text[c], "plate%d_%s", c / 9 + 1, csv[c % 9]);
        names[c] = text[c];
    }
    if (text && names) status = snw_table_create(rows, names, columns, NULL, out, error);
    if (status == SNW_OK) status = snw_table_set_rate(*out, trial->rate * per, error);
    free(names);
    free(text);
    double *work = choice->cutoff > 0 ? malloc((6 * (size_t)rows + 1) * sizeof *work) : NULL;
    if (choice->cutoff > 0 && !work) status = SNW_OUT_OF_MEMORY;
    for (int p = 0; p < count && status == SNW_OK; p++) {
        bool is_filtered = work && filter_plate(plates + p, trial, choice->cutoff, work);
        for (int r = 0; r < rows; r++) {
            (*out)->time[r] = snw_trial_time(trial, 0) + r / (trial->rate * per);
            snw_wrench wrench = is_filtered
                                    ? filtered_wrench(plates + p, work, rows, r)
                                    : snw_force_plate_wrench(plates + p, trial, r / per, r % per);
            plate_numbers(&wrench, snw_up_direction(trial->up), is_opensim,
                          (*out)->value + (size_t)r * (size_t)columns + 9 * p);
        }
    }
    free(work);
    return status;
}

static bool draw_table(FILE *out, const void *context)
{
    const snw_table *table = context;
    fputs("time", out);
    for (int c = 0; c < table->column_count; c++)
        fprintf(out, ",%s", table->column[c]);
    for (int r = 0; r < table->row_count; r++) {
        fprintf(out, "\n%.12g", table->time[r]);
        for (int c = 0; c < table->column_count; c++)
            fprintf(out, ",%.9g",
                    table->value[(size_t)r * (size_t)table->column_count + (size_t)c]);
    }
    fputc('\n', out);
    return true;
}

#define GAIT_PLATES_MAX 32

static int read_plates(const cli_arguments *arguments, const snw_trial *trial,
                       snw_force_plate plates[GAIT_PLATES_MAX], int *count)
{
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    *count = 0;
    int all = snw_force_plate_count(trial);
    for (int p = 0; p < all && p < GAIT_PLATES_MAX; p++) {
        if (snw_force_plate_read(trial, p, plates + *count, &notes, &error) != SNW_OK)
            return cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
        if (cli_flag(arguments, "--zero-plates"))
            cli_note(arguments, "force plate %d: the mean of %d frames is taken off", p + 1,
                     snw_force_plate_zero(plates + *count, trial));
        (*count)++;
    }
    cli_print_notes(arguments, &notes);
    if (*count == 0 || trial->analog_per_frame < 1)
        return cli_fail(arguments, "%s has no force plates", arguments->operand[0]);
    return CLI_DONE;
}

int cli_write_forces(const cli_arguments *arguments, const char *path, const snw_trial *trial)
{
    static snw_force_plate plates[GAIT_PLATES_MAX];
    snw_format_kind kind = snw_format_from_name(path);
    snw_table *table = NULL;
    snw_error error;
    int count;
    if (kind != SNW_FORMAT_CSV && kind != SNW_FORMAT_MOT)
        return cli_misuse(arguments, "%s: forces go to .csv, .mot or .sto", path);
    int code = read_plates(arguments, trial, plates, &count);
    if (code != CLI_DONE) return code;
    force_choice choice = {kind == SNW_FORMAT_MOT, 0};
    if (!cli_number(arguments, "--force-filter", 1, 1000, &choice.cutoff)) return CLI_USAGE;
    if (choice.cutoff > 0)
        cli_note(arguments, "forces low-passed at %g Hz, without delay", choice.cutoff);
    if (fill_forces(trial, plates, count, &choice, &table, &error) != SNW_OK) {
        snw_table_destroy(table);
        return cli_fail(arguments, "no memory for the forces");
    }
    if (kind == SNW_FORMAT_CSV) {
        code = cli_write_whole(arguments, path, draw_table, table);
    } else {
        bool is_written = snw_write_table_file(path, cli_flag(arguments, "--force"), table, NULL,
                                               &error) == SNW_OK;
        code = is_written ? CLI_DONE : cli_fail_writing(arguments, &error);
    }
    snw_table_destroy(table);
    return code;
}

/* ---- plates and channels --------------------------------------------------------------------- */

typedef struct force_view {
    const snw_trial *trial;
    const snw_force_plate *plate; /* (count) */
    int count;
    snw_vec3 up, way; /* lab */
} force_view;

static bool draw_plates(FILE *out, const void *context)
{
    const force_view *view = context;
    fputs("# force plates: metres, the lab's axes; corners in C3D's order; origin in the plate's "
          "axes\n",
          out);
    for (int p = 0; p < view->count; p++) {
        const snw_force_plate *plate = view->plate + p;
        fprintf(out, "plate %d\ntype %d\n", p + 1, plate->type);
        for (int c = 0; c < 4; c++)
            fprintf(out, "corner %.9g %.9g %.9g\n", plate->corner[c].x, plate->corner[c].y,
                    plate->corner[c].z);
        fprintf(out, "origin %.9g %.9g %.9g\nchannels", plate->origin.x + 0.0, /* no -0 */
                plate->origin.y + 0.0, plate->origin.z + 0.0);
        for (int c = 0; c < plate->channel_count; c++)
            fprintf(out, " %s", view->trial->analog_channel[plate->channel[c]].name);
        fputc('\n', out);
    }
    return true;
}

int cli_write_plates(const cli_arguments *arguments, const char *path, const snw_trial *trial)
{
    static snw_force_plate plates[GAIT_PLATES_MAX];
    force_view view = {trial, plates, 0, {0, 0, 0}, {0, 0, 0}};
    int code = read_plates(arguments, trial, plates, &view.count);
    return code == CLI_DONE ? cli_write_whole(arguments, path, draw_plates, &view) : code;
}

int cli_write_analog(const cli_arguments *arguments, const char *path, const snw_trial *trial)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    snw_status status = snw_write_analog(trial, NULL, &sink, &error);
    int code = CLI_DONE;
    if (status != SNW_OK)
        code = cli_fail(arguments, "%s: %s", arguments->operand[0], error.message);
    else if (snw_write_file(path, cli_flag(arguments, "--force"), bytes.bytes, bytes.size,
                            &error) != SNW_OK)
        code = cli_fail_writing(arguments, &error);
    snw_memory_sink_release(&bytes);
    return code;
}

/* ---- the picture ------------------------------------------------------------------------------
 */

/* Pixels. The vectors of all plates stand over one floor, seen from the side; one in every
 * FORCE_EVERY seconds is drawn. */
#define FORCE_WIDTH  900.0
#define FORCE_HEIGHT 420.0
#define FORCE_MARGIN 46.0
#define FORCE_EVERY  0.01

typedef struct force_scale {
    double low, high;  /* along the way, metres */
    double newtons;    /* the tallest */
    double per_metre;  /* pixels */
    double per_newton; /* pixels */
} force_scale;

static double along(const force_view *view, snw_vec3 at)
{
    return snw_vec3_dot(at, view->way);
}

static force_scale find_scale(const force_view *view)
{
    force_scale scale = {INFINITY, -INFINITY, 1, 1, 1};
    for (int p = 0; p < view->count; p++) {
        for (int c = 0; c < 4; c++) {
            double at = along(view, view->plate[p].corner[c]);
            scale.low = fmin(scale.low, at);
            scale.high = fmax(scale.high, at);
        }
        for (int f = 0; f < view->trial->frame_count; f++) {
            snw_wrench wrench = snw_force_plate_wrench(view->plate + p, view->trial, f, 0);
            scale.newtons = fmax(scale.newtons, snw_vec3_dot(wrench.force, view->up));
        }
    }
    scale.per_metre = (FORCE_WIDTH - 2 * FORCE_MARGIN) / fmax(scale.high - scale.low, 0.1);
    scale.per_newton = (FORCE_HEIGHT - 2 * FORCE_MARGIN) / (1.05 * scale.newtons);
    return scale;
}

static double to_x(const force_scale *scale, double metres)
{
    return FORCE_MARGIN + scale->per_metre * (metres - scale->low);
}

static double to_y(const force_scale *scale, double newtons)
{
    return FORCE_HEIGHT - FORCE_MARGIN - scale->per_newton * newtons;
}

static void draw_axes(FILE *out, const force_view *view, const force_scale *scale)
{
    double step = cli_nice_step(scale->newtons, 6);
    for (double n = 0; n <= scale->newtons; n += step)
        fprintf(out,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' class='grid'/><text x='%.1f' "
                "y='%.1f' text-anchor='end'>%g</text>\n",
                FORCE_MARGIN, to_y(scale, n), FORCE_WIDTH - FORCE_MARGIN, to_y(scale, n),
                FORCE_MARGIN - 6, to_y(scale, n) + 4, n);
    for (int p = 0; p < view->count; p++) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 4; c++) {
            low = fmin(low, along(view, view->plate[p].corner[c]));
            high = fmax(high, along(view, view->plate[p].corner[c]));
        }
        fprintf(out,
                "<rect x='%.1f' y='%.1f' width='%.1f' height='6' class='plate'/><text x='%.1f' "
                "y='%.1f' text-anchor='middle'>plate %d, %.2f to %.2f m</text>\n",
                to_x(scale, low), to_y(scale, 0), scale->per_metre * (high - low),
                to_x(scale, 0.5 * (low + high)), to_y(scale, 0) + 26, p + 1, low, high);
    }
}

static void draw_vectors(FILE *out, const force_view *view, const force_scale *scale, int p)
{
    const snw_trial *trial = view->trial;
    double rate = trial->rate * trial->analog_per_frame;
    int64_t count = (int64_t)trial->frame_count * trial->analog_per_frame;
    int64_t every = (int64_t)fmax(1, FORCE_EVERY * rate);
    for (int64_t n = 0; n < count; n += every) {
        snw_wrench wrench =
            snw_force_plate_wrench(view->plate + p, trial, (int)(n / trial->analog_per_frame),
                                   (int)(n % trial->analog_per_frame));
        double up = snw_vec3_dot(wrench.force, view->up);
        if (!wrench.has_center || up < 20) continue;
        double x = to_x(scale, along(view, wrench.center));
        double tip = x + scale->per_newton * along(view, wrench.force);
        fprintf(out, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' class='p%d'/>\n", x,
                to_y(scale, 0), tip, to_y(scale, up), p % 4);
    }
}

static bool draw_picture(FILE *out, const void *context)
{
    const force_view *view = context;
    force_scale scale = find_scale(view);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %g %g' width='%g' height='%g' "
            "font-family='sans-serif' font-size='12'>\n<title>Ground reaction forces</title>\n"
            "<style>.grid{stroke:#ddd}.plate{fill:#888}.p0{stroke:#1b6ca8}.p1{stroke:#c0392b}"
            ".p2{stroke:#2e8b57}.p3{stroke:#8e44ad}line{stroke-width:1}</style>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n"
            "<text x='%g' y='22' font-size='14'>Ground reaction forces from the side, one every "
            "%.0f ms; newtons</text>\n",
            FORCE_WIDTH, FORCE_HEIGHT, FORCE_WIDTH, FORCE_HEIGHT, FORCE_MARGIN, 1000 * FORCE_EVERY);
    draw_axes(out, view, &scale);
    for (int p = 0; p < view->count; p++)
        draw_vectors(out, view, &scale, p);
    fputs("</svg>\n", out);
    return true;
}

/* The way of the walk: the edge of the first plate that is nearest to the way from the first to the
 * last centre of pressure. */
static snw_vec3 find_way(const force_view *view)
{
    snw_vec3 first = {0, 0, 0}, last = first, way;
    bool has_any = false;
    for (int f = 0; f < view->trial->frame_count; f++)
        for (int p = 0; p < view->count; p++) {
            snw_wrench wrench = snw_force_plate_wrench(view->plate + p, view->trial, f, 0);
            if (!wrench.has_center || snw_vec3_length(wrench.force) < 50) continue;
            if (!has_any) first = wrench.center;
            has_any = true;
            last = wrench.center;
        }
    way = snw_vec3_sub(last, first);
    const snw_quat *plate = &view->plate[0].world_from_plate.rotation;
    snw_vec3 x = snw_quat_rotate(*plate, snw_vec3_make(1, 0, 0));
    snw_vec3 y = snw_quat_rotate(*plate, snw_vec3_make(0, 1, 0));
    double on_x = snw_vec3_dot(way, x), on_y = snw_vec3_dot(way, y);
    return fabs(on_x) >= fabs(on_y) ? snw_vec3_scale(x, on_x < 0 ? -1 : 1)
                                    : snw_vec3_scale(y, on_y < 0 ? -1 : 1);
}

int cli_write_force_picture(const cli_arguments *arguments, const char *path,
                            const snw_trial *trial)
{
    static snw_force_plate plates[GAIT_PLATES_MAX];
    force_view view = {trial, plates, 0, {0, 0, 0}, {0, 0, 0}};
    int code = read_plates(arguments, trial, plates, &view.count);
    if (code != CLI_DONE) return code;
    view.up = snw_quat_rotate(plates[0].world_from_plate.rotation, snw_vec3_make(0, 0, -1));
    view.way = find_way(&view);
    return cli_write_whole(arguments, path, draw_picture, &view);
}
