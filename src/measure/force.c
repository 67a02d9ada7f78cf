/* Force plates as C3D describes them (c3d.org, "The FORCE_PLATFORM group").
 *
 *     plate's axes      x from corner 2 to corner 1, y from corner 4 to corner 1, made square; z is
 *                       then downwards. Raw numbers are in these axes
 *     type 1            Fx Fy Fz, centre of pressure x y, free moment Mz
 *     type 2            Fx Fy Fz Mx My Mz about the sensors' origin
 *     type 3 (Kistler)  Fx12 Fx34 Fy14 Fy23 Fz1 Fz2 Fz3 Fz4, sensors at (+-a, +-b):
 *                       Mx = b (Fz1 + Fz2 - Fz3 - Fz4), My = a (-Fz1 + Fz2 + Fz3 - Fz4),
 *                       Mz = b (-Fx12 + Fx34) + a (Fy14 - Fy23)
 *     type 4            as type 2, after the matrix CAL_MATRIX
 *
 * About the middle of the surface, r = ORIGIN being the way there from the sensors' origin:
 * M' = M + F x r; centre of pressure x = -My'/Fz, y = Mx'/Fz; free moment Mz' - x Fy + y Fx. r
 * points upwards, which is a negative z; many programs write it positive, then -r is meant (as BTK
 * and ezc3d take it). */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/notes.h"

#include <sinew/force.h>

/* ---- parameters ------------------------------------------------------------------------------ */

/* Number `index` of a parameter; false where there is none. */
static bool plate_number(const snw_trial *trial, const char *name, size_t index, double *out)
{
    const snw_parameter *parameter = snw_trial_find_parameter(trial, "FORCE_PLATFORM", name);
    if (!parameter || !parameter->data || parameter->type == SNW_PARAMETER_CHAR) return false;
    size_t width = (size_t)parameter->type;
    if (index >= parameter->byte_count / width) return false;
    const char *at = (const char *)parameter->data + index * width;
    if (parameter->type == SNW_PARAMETER_FLOAT) {
        float value;
        memcpy(&value, at, sizeof value);
        *out = value;
    } else if (parameter->type == SNW_PARAMETER_INT16) {
        int16_t value;
        memcpy(&value, at, sizeof value);
        *out = value;
    } else {
        *out = *(const int8_t *)at;
    }
    return isfinite(*out);
}

static bool plate_vector(const snw_trial *trial, const char *name, size_t index, snw_vec3 *out)
{
    return plate_number(trial, name, 3 * index, &out->x) &&
           plate_number(trial, name, 3 * index + 1, &out->y) &&
           plate_number(trial, name, 3 * index + 2, &out->z);
}

int snw_force_plate_count(const snw_trial *trial)
{
    double used, type;
    int count = 0;
    if (!plate_number(trial, "USED", 0, &used) || !(used > 0)) return 0;
    while (count < (int)fmin(used, 255) && plate_number(trial, "TYPE", (size_t)count, &type))
        count++;
    return count;
}

/* Channels of all plates stand in one table whose rows are as long as the longest needs. */
static snw_status read_channels(const snw_trial *trial, int index, snw_force_plate *plate,
                                snw_error *error)
{
    const snw_parameter *table = snw_trial_find_parameter(trial, "FORCE_PLATFORM", "CHANNEL");
    plate->channel_count = plate->type == 3 ? 8 : 6;
    size_t row = table && table->dimension_count > 0 ? table->dimension[0] : 0;
    for (int c = 0; c < plate->channel_count; c++) {
        double number;
        if ((size_t)c >= row ||
            !plate_number(trial, "CHANNEL", (size_t)index * row + (size_t)c, &number) ||
            !(number >= 1) || number > trial->analog_count)
            return snw__fail(error, SNW_FORMAT,
                             "force plate %d: its channel %d is not among the %d analog channels",
                             index + 1, c + 1, trial->analog_count);
        plate->channel[c] = (int)number - 1;
    }
    return SNW_OK;
}

/* Columns stand one after the other: entry (row r, column c) of plate p is number 36 p + 6 c + r.
 */
static snw_status read_calibration(const snw_trial *trial, int index, snw_force_plate *plate,
                                   snw_error *error)
{
    for (int c = 0; c < 6; c++)
        for (int r = 0; r < 6; r++)
            if (!plate_number(trial, "CAL_MATRIX", (size_t)(36 * index + 6 * c + r),
                              &plate->calibration[r][c]))
                return snw__fail(error, SNW_FORMAT,
                                 "force plate %d is of type 4 and has no calibration matrix",
                                 index + 1);
    return SNW_OK;
}

static snw_status read_place(const snw_trial *trial, int index, snw_force_plate *plate,
                             snw_error *error)
{
    const snw_vec3 none = {0, 0, 0};
    snw_vec3 middle = none;
    for (int c = 0; c < 4; c++) {
        if (!plate_vector(trial, "CORNERS", (size_t)(4 * index + c), &plate->corner[c]))
            return snw__fail(error, SNW_FORMAT, "force plate %d has no four corners", index + 1);
        plate->corner[c] = snw_vec3_scale(plate->corner[c], trial->metres_per_unit);
        middle = snw_vec3_add_scaled(middle, 0.25, plate->corner[c]);
    }
    snw_vec3 x = snw_vec3_unit(snw_vec3_sub(plate->corner[0], plate->corner[1]), none);
    snw_vec3 z = snw_vec3_cross(x, snw_vec3_sub(plate->corner[0], plate->corner[3]));
    z = snw_vec3_unit(z, none);
    if (snw_vec3_length2(x) < 0.5 || snw_vec3_length2(z) < 0.5)
        return snw__fail(error, SNW_FORMAT, "the corners of force plate %d span no surface",
                         index + 1);
    snw_mat3 axes = snw_mat3_from_columns(x, snw_vec3_cross(z, x), z);
    plate->world_from_plate = snw_xform_make(snw_quat_from_mat3(axes), middle);
    return SNW_OK;
}

/* ---- the unit of moments --------------------------------------------------------------------- */

/* Moments are in newtons times the unit of the points. Where the channel says newton metres, that
 * is believed only if the centres of pressure then lie on the plate: files say Nm and hold Nmm. */
static void find_unit(const snw_trial *trial, int index, snw_force_plate *plate, snw_notes *notes)
{
    plate->metres_per_length = trial->metres_per_unit;
    if (plate->type == 1 || plate->type == 3) return;
    const char *unit = trial->analog_channel[plate->channel[3]].unit;
    char text[8] = "";
    size_t length = 0;
    for (; *unit && length + 1 < sizeof text; unit++)
        if ((*unit >= 'a' && *unit <= 'z') || (*unit >= 'A' && *unit <= 'Z'))
            text[length++] = (char)(*unit >= 'a' ? *unit - 'a' + 'A' : *unit);
    text[length] = 0;
    if (!(strcmp(text, "NM") == 0)) return;
    plate->metres_per_length = 1;
    /* The share of loaded samples whose centre of pressure lies on the plate, with 20 % to spare.
     */
    double reach = 1.2 * snw_vec3_distance(plate->corner[0], plate->world_from_plate.translation);
    int on = 0, all = 0;
    for (int f = 0; f < trial->frame_count; f++) {
        snw_wrench wrench = snw_force_plate_wrench(plate, trial, f, 0);
        if (!wrench.has_center || snw_vec3_length(wrench.force) < 5 * SNW_PLATE_LOAD_MIN) continue;
        all++;
        on += snw_vec3_distance(wrench.center, plate->world_from_plate.translation) <= reach;
    }
    if ((all ? (double)on / all : 0) > 0.8) return;
    plate->metres_per_length = trial->metres_per_unit;
    snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
              "force plate %d: moments called newton metres are in newton %s", index + 1,
              trial->unit);
}

snw_status snw_force_plate_read(const snw_trial *trial, int index, snw_force_plate *out,
                                snw_notes *notes, snw_error *error)
{
    double type = 0;
    memset(out, 0, sizeof *out);
    if (index < 0 || index >= snw_force_plate_count(trial))
        return snw__fail(error, SNW_NOT_FOUND, "the trial has no force plate %d", index + 1);
    plate_number(trial, "TYPE", (size_t)index, &type);
    if (!(type >= 1 && type <= 4))
        return snw__fail(error, SNW_UNSUPPORTED, "force plate %d is of type %g, not 1 to 4",
                         index + 1, type);
    out->type = (int)type;
    snw_status status = read_channels(trial, index, out, error);
    if (status == SNW_OK) status = read_place(trial, index, out, error);
    if (status == SNW_OK && out->type == 4) status = read_calibration(trial, index, out, error);
    if (status != SNW_OK) return status;
    if (!plate_vector(trial, "ORIGIN", (size_t)index, &out->origin))
        out->origin = snw_vec3_make(0, 0, 0);
    out->origin = snw_vec3_scale(out->origin, trial->metres_per_unit);
    if (out->type != 1 && out->origin.z > 0) {
        if (out->type == 3)
            out->origin.z = -out->origin.z;
        else
            out->origin = snw_vec3_neg(out->origin);
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "force plate %d: the origin's height is positive, the opposite is meant",
                  index + 1);
    }
    find_unit(trial, index, out, notes);
    return snw__succeed(error);
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* Force and moment about the middle of the surface in the plate's axes; newtons, newton metres. */
static void raw_wrench(const snw_force_plate *plate, const snw_trial *trial, int frame,
                       int sub_frame, snw_vec3 both[2])
{
    double v[SNW_PLATE_CHANNELS_MAX] = {0};
    double unit = plate->metres_per_length;
    snw_vec3 arm = plate->origin, force, moment;
    for (int c = 0; c < plate->channel_count; c++)
        v[c] = snw_trial_analog(trial, frame, sub_frame, plate->channel[c]);
    if (plate->type == 4) {
        double in[6];
        memcpy(in, v, sizeof in);
        for (int r = 0; r < 6; r++) {
            v[r] = 0;
            for (int c = 0; c < 6; c++)
                v[r] += plate->calibration[r][c] * in[c];
        }
    }
    force = snw_vec3_make(v[0], v[1], v[2]);
    moment = snw_vec3_make(unit * v[3], unit * v[4], unit * v[5]);
    if (plate->type == 1) { /* the centre of pressure stands for two moments */
        moment = snw_vec3_make(unit * v[4] * v[2], -unit * v[3] * v[2],
                               unit * (v[5] + v[3] * v[1] - v[4] * v[0]));
        arm = snw_vec3_make(0, 0, 0);
    } else if (plate->type == 3) {
        double a = plate->origin.x, b = plate->origin.y;
        force = snw_vec3_make(v[0] + v[1], v[2] + v[3], v[4] + v[5] + v[6] + v[7]);
        moment = snw_vec3_make(b * (v[4] + v[5] - v[6] - v[7]), a * (-v[4] + v[5] + v[6] - v[7]),
                               b * (-v[0] + v[1]) + a * (v[2] - v[3]));
        arm = snw_vec3_make(0, 0, plate->origin.z);
    }
    both[0] = force;
    both[1] = snw_vec3_add(moment, snw_vec3_cross(force, arm));
}

snw_wrench snw_force_plate_wrench(const snw_force_plate *plate, const snw_trial *trial, int frame,
                                  int sub_frame)
{
    snw_wrench out;
    snw_vec3 raw[2];
    memset(&out, 0, sizeof out);
    bool is_there = frame >= 0 && frame < trial->frame_count && sub_frame >= 0 &&
                    sub_frame < trial->analog_per_frame;
    if (!is_there) return out;
    raw_wrench(plate, trial, frame, sub_frame, raw);
    snw_vec3 force = snw_vec3_sub(raw[0], plate->zero_force);
    snw_vec3 moment = snw_vec3_sub(raw[1], plate->zero_moment);
    if (!snw_vec3_is_finite(force) || !snw_vec3_is_finite(moment)) return out;
    const snw_quat *axes = &plate->world_from_plate.rotation;
    out.force = snw_quat_rotate(*axes, force);
    out.moment = snw_quat_rotate(*axes, moment);
    out.center = plate->world_from_plate.translation;
    if (fabs(force.z) < SNW_PLATE_LOAD_MIN) return out;
    double x = -moment.y / force.z, y = moment.x / force.z;
    out.has_center = true;
    out.center = snw_xform_point(plate->world_from_plate, snw_vec3_make(x, y, 0));
    out.free_moment =
        snw_quat_rotate(*axes, snw_vec3_make(0, 0, moment.z - x * force.y + y * force.x));
    return out;
}

int snw_force_plate_zero(snw_force_plate *plate, const snw_trial *trial)
{
    double first, last;
    plate->zero_force = plate->zero_moment = snw_vec3_make(0, 0, 0);
    if (!plate_number(trial, "ZERO", 0, &first) || !plate_number(trial, "ZERO", 1, &last) ||
        first < 1 || last < first)
        return 0;
    snw_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    int begin = (int)first - 1, end = (int)fmin(last, trial->frame_count), count = 0;
    for (int f = begin; f < end; f++)
        for (int s = 0; s < trial->analog_per_frame; s++) {
            snw_vec3 raw[2];
            raw_wrench(plate, trial, f, s, raw);
            force = snw_vec3_add(force, raw[0]);
            moment = snw_vec3_add(moment, raw[1]);
            count++;
        }
    if (count == 0 || !snw_vec3_is_finite(force) || !snw_vec3_is_finite(moment)) return 0;
    plate->zero_force = snw_vec3_scale(force, 1.0 / count);
    plate->zero_moment = snw_vec3_scale(moment, 1.0 / count);
    return end - begin;
}
