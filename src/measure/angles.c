/* Joint angles by a convention: which two segments, which of the three angles, which sign.
 *
 * All conventions use the same Cardan sequence: flexion about the proximal segment's axis across
 * the body, then the floating axis, then the distal segment's long axis (Grood and Suntay 1983;
 * Wu et al. 2002: Z-X-Y in ISB's axes; Plug-in-Gait: Y-X-Z in its own). With x forward, y left, z
 * up that is R = Ry(a0) Rx(a1) Rz(a2). Plug-in-Gait turns trunk and neck the other way round, R =
 * Rz Rx Ry, and the shoulder as R = Rx Ry Rz. The shoulder of ISB is spherical (Wu et al. 2005:
 * Y-X-Y), here R = Rz(a0) Rx(a1) Rz(a2). Conventions differ in segments, names and signs: the
 * tables below.
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "measure/angle_rows.h"
#include "measure/measure_constants.h"
#include "person/movement.h"
#include "subject/gait.h"

static const struct {
    const char *name, *text;
} angle_convention_row[] = {
#define ANGLE_CONVENTION_ROW(enumerator, name, text) {name, text},
    SNW_ANGLE_CONVENTION_MAP(ANGLE_CONVENTION_ROW)
#undef ANGLE_CONVENTION_ROW
};

const char *snw_angle_convention_name(snw_angle_convention convention)
{
    bool is_one = convention >= 0 && convention < SNW_ANGLE_CONVENTION_COUNT;
    return is_one ? angle_convention_row[convention].name : "";
}

const char *snw_angle_convention_text(snw_angle_convention convention)
{
    bool is_one = convention >= 0 && convention < SNW_ANGLE_CONVENTION_COUNT;
    return is_one ? angle_convention_row[convention].text : "";
}

int snw_angle_convention_find(const char *name)
{
    int n = 0;
    while (n < SNW_ANGLE_CONVENTION_COUNT && strcmp(name, angle_convention_row[n].name) != 0)
        n++;
    return n < SNW_ANGLE_CONVENTION_COUNT ? n : -1;
}

/* ---- memory --------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw_angles *angles = object;
    size_t columns = (size_t)angles->column_count, frames = (size_t)angles->frame_count;
    snw__block_take(block, 1, sizeof(snw_angles));
    angles->column = snw__block_take(block, columns, sizeof(snw_angle_column));
    angles->value = snw__block_take(block, snw__size_mul(columns, frames), sizeof(double));
}

snw_status snw__angles_create(const snw_angles *sketch, const snw_allocator *allocator,
                              snw_angles **out, snw_error *error)
{
    snw_angles angles = *sketch;
    angles.allocator = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &angles, &angles.allocator, "joint angles", error);
    if (status != SNW_OK) return status;
    angles.block_size = block.size;
    *out = (void *)block.base;
    **out = angles;
    size_t count = (size_t)angles.column_count * (size_t)angles.frame_count;
    for (size_t n = 0; n < count; n++)
        angles.value[n] = NAN;
    return SNW_OK;
}

void snw_angles_destroy(snw_angles *angles)
{
    if (!angles) return;
    snw_allocator allocator = angles->allocator;
    snw__release(&allocator, angles, angles->block_size);
}

int snw_angles_find(const snw_angles *angles, const char *name)
{
    for (int c = 0; c < angles->column_count; c++)
        if (strcmp(angles->column[c].name, name) == 0) return c;
    return -1;
}

/* ---- the direction in which the person goes ---------------------------------------------------
 */

typedef struct angle_travel {
    bool has_first;
    snw_vec3 first, last, facing;
} angle_travel;

/* Lab axes, x the way the person goes, z up. As Plug-in-Gait does, x is an axis of the lab when
 * asked. */
static snw_quat travel_axes(const angle_travel *travel, snw_vec3 up, bool is_snapped)
{
    snw_vec3 way = snw_vec3_sub(travel->last, travel->first);
    way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, up), up);
    /* Who goes less than this between the first and the last frame stands, turns or is on a
     * treadmill: forwards is then where the pelvis points on average, metres. */
    if (snw_vec3_length(way) < SNW__TRAVEL_MIN) way = travel->facing;
    way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, up), up);
    if (is_snapped) {
        double x = fabs(way.x), y = fabs(way.y), z = fabs(way.z);
        way = x >= y && x >= z ? snw_vec3_make(way.x < 0 ? -1 : 1, 0, 0)
              : y >= z         ? snw_vec3_make(0, way.y < 0 ? -1 : 1, 0)
                               : snw_vec3_make(0, 0, way.z < 0 ? -1 : 1);
    }
    snw_quat axes = snw_quat_identity();
    snw__gait_axes(up, snw_vec3_cross(up, way), &axes);
    return axes;
}

/* ---- one frame ------------------------------------------------------------------------------ */

static bool segment_axes(const snw_gait_pose *pose, snw_quat lab, int segment, int side,
                         snw_quat *out)
{
    if (segment == ANGLE_LAB) {
        *out = lab;
        return true;
    }
    int of = segment == ANGLE_LEVEL_FOOT ? SNW_SEGMENT_FOOT : segment;
    int at = of <= SNW_SEGMENT_HEAD ? 0 : side;
    if (!pose->has_segment[of][at]) return false;
    *out = pose->world_from_segment[of][at].rotation;
    /* The foot with x forwards and z up, where the model has z backwards along it and x up. */
    if (segment == ANGLE_LEVEL_FOOT)
        *out = snw_quat_mul(*out, snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), SNW_PI / 2));
    return true;
}

/* The value of a row, NaN where a segment is not known. */
static double row_value(const angle_row *row, const snw_gait_pose *pose, snw_quat lab, int side)
{
    static const snw_euler_order order[] = {SNW_EULER_YXZ, SNW_EULER_ZXY, SNW_EULER_XYZ,
                                            SNW_EULER_ZXZ};
    snw_quat proximal, distal;
    double angles[3];
    if (row->sequence == ANGLE_PLACE) {
        if (!pose->has_segment[row->distal][0]) return NAN;
        snw_vec3 at = snw_quat_unrotate(lab, pose->world_from_segment[row->distal][0].translation);
        const double place[3] = {at.x, at.z, -at.y}; /* OpenSim: x forward, y up, z right */
        return place[row->index];
    }
    if (!segment_axes(pose, lab, row->proximal, side, &proximal) ||
        !segment_axes(pose, lab, row->distal, side, &distal))
        return NAN;
    snw_quat turn = snw_quat_mul(snw_quat_conjugate(proximal), distal);
    snw_quat_to_euler(turn, order[row->sequence], angles);
    double value = row->sign[side] * angles[row->index] + row->offset[side];
    return value > SNW_PI ? value - 2 * SNW_PI : value <= -SNW_PI ? value + 2 * SNW_PI : value;
}

/* ---- the trial ------------------------------------------------------------------------------ */

/* One column of the answer: a row and a side. */
typedef struct angle_plan {
    int count;
    struct {
        const angle_row *row;
        int side;
        bool is_seen;
    } item[ANGLE_COLUMNS_MAX];
} angle_plan;

/* First pass: where the person goes, and which columns are known in any frame. */
static angle_travel survey(const snw_trial *trial, const snw_gait_model *model, angle_plan *plan)
{
    angle_travel travel;
    snw_quat lab = snw_quat_identity();
    memset(&travel, 0, sizeof travel);
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_gait_pose pose;
        snw_gait_model_pose(model, &frame, &pose);
        if (pose.has_segment[SNW_SEGMENT_PELVIS][0]) {
            const snw_xform *pelvis = &pose.world_from_segment[SNW_SEGMENT_PELVIS][0];
            if (!travel.has_first) travel.first = pelvis->translation;
            travel.has_first = true;
            travel.last = pelvis->translation;
            travel.facing = snw_vec3_add(travel.facing,
                                         snw_quat_rotate(pelvis->rotation, snw_vec3_make(1, 0, 0)));
        }
        for (int c = 0; c < plan->count; c++)
            if (!plan->item[c].is_seen)
                plan->item[c].is_seen =
                    isfinite(row_value(plan->item[c].row, &pose, lab, plan->item[c].side));
    }
    return travel;
}

snw_status snw_angles_measure(const snw_trial *trial, const snw_gait_model *model,
                              snw_angle_convention convention, const snw_allocator *allocator,
                              snw_angles **out, snw_error *error)
{
    *out = NULL;
    if (convention < 0 || convention >= SNW_ANGLES_FUNCTIONAL)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "angles of markers need the convention isb, pig, opensim or gait2392");
    angle_plan plan = {0};
    int count;
    const angle_row *rows = snw__angle_rows(convention, &count);
    for (int side = 0; side < SNW_SIDES; side++)
        for (int n = 0; n < count; n++) {
            bool is_here = rows[n].is_paired || side == 0;
            if (!is_here || plan.count >= ANGLE_COLUMNS_MAX) continue;
            plan.item[plan.count].row = rows + n;
            plan.item[plan.count].side = side;
            plan.item[plan.count++].is_seen = false;
        }
    angle_travel travel = survey(trial, model, &plan);
    int kept = 0;
    for (int c = 0; c < plan.count; c++)
        if (plan.item[c].is_seen) plan.item[kept++] = plan.item[c];
    plan.count = kept;
    if (plan.count == 0)
        return snw__fail(error, SNW_DEGENERATE, "no frame shows enough markers for a joint angle");
    snw_quat lab = travel_axes(&travel, model->up, convention == SNW_ANGLES_PIG);
    snw_angles sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.convention = convention;
    sketch.frame_count = trial->frame_count;
    sketch.rate = trial->rate;
    sketch.column_count = plan.count;
    snw_status status = snw__angles_create(&sketch, allocator, out, error);
    if (status != SNW_OK) return status;
    for (int c = 0; c < plan.count; c++) {
        const angle_row *row = plan.item[c].row;
        snw_angle_column *column = (*out)->column + c;
        static const char *const before[2] = {"left_", "right_"}, *const behind[2] = {"_l", "_r"};
        bool is_behind = row->style == ANGLE_SIDE_BEHIND;
        snw_format(column->name, sizeof column->name, "%s%s%s",
                   row->is_paired && !is_behind ? before[plan.item[c].side] : "", row->name,
                   row->is_paired && is_behind ? behind[plan.item[c].side] : "");
        column->is_length = row->sequence == ANGLE_PLACE;
    }
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_gait_pose pose;
        snw_gait_model_pose(model, &frame, &pose);
        double *row = (*out)->value + (size_t)f * (size_t)plan.count;
        for (int c = 0; c < plan.count; c++)
            row[c] = row_value(plan.item[c].row, &pose, lab, plan.item[c].side);
    }
    return snw__succeed(error);
}

/* ---- velocity ------------------------------------------------------------------------------- */

static double rate_at(const snw_angles *angles, int frame, int column)
{
    if (frame < 1 || frame + 1 >= angles->frame_count) return NAN;
    double change =
        snw_angles_at(angles, frame + 1, column) - snw_angles_at(angles, frame - 1, column);
    if (!isfinite(change)) return NAN;
    if (!angles->column[column].is_length) change = snw_wrap_angle(change);
    return 0.5 * change * angles->rate;
}

snw_status snw_angles_with_velocity(const snw_angles *angles, const snw_allocator *allocator,
                                    snw_angles **out, snw_error *error)
{
    *out = NULL;
    snw_angles sketch = *angles;
    int count = angles->column_count;
    sketch.column_count = 2 * count;
    snw_status status = snw__angles_create(&sketch, allocator, out, error);
    if (status != SNW_OK) return status;
    for (int c = 0; c < count; c++) {
        snw_angle_column *rate = (*out)->column + count + c;
        (*out)->column[c] = *rate = angles->column[c];
        snw_format(rate->name, sizeof rate->name, "%.50s_velocity", angles->column[c].name);
        rate->is_rate = true;
    }
    for (int f = 0; f < angles->frame_count; f++)
        for (int c = 0; c < count; c++) {
            double *row = (*out)->value + (size_t)f * (size_t)(2 * count);
            row[c] = snw_angles_at(angles, f, c);
            row[count + c] = rate_at(angles, f, c);
        }
    return snw__succeed(error);
}
