/* Bodies from Denavit-Hartenberg tables (Denavit & Hartenberg 1955; modified form: Craig,
 * Introduction to Robotics, 1986).
 *
 * One row is a fixed motion H, the joint's own motion M along or about z, and a fixed motion T:
 *
 *     standard:  H = Rz(theta),                 T = Tz(d) Tx(a) Rx(alpha)
 *     modified:  H = Rx(alpha) Tx(a) Rz(theta), T = Tz(d)
 *
 * (turns and slides about the same z commute, so both H M T are the row). Joint k rests at
 * T(k-1) H(k), and the tool at T(n). The frame of joint k is thus the one that its motion turns;
 * its origin lies on the joint's axis. */
#include <sinew/body.h>

#include "base/fail.h"
#include "base/memory.h"

static snw_xform turn_about(snw_vec3 axis, double angle)
{
    return snw_xform_make(snw_quat_from_axis_angle(axis, angle), snw_vec3_make(0, 0, 0));
}

static snw_xform slide_by(double x, double y, double z)
{
    return snw_xform_make(snw_quat_identity(), snw_vec3_make(x, y, z));
}

static snw_xform row_head(const snw_dh_row *row, snw_dh_form form)
{
    snw_xform turn_z = turn_about(snw_vec3_make(0, 0, 1), row->theta);
    if (form == SNW_DH_STANDARD) return turn_z;
    snw_xform turn_x = turn_about(snw_vec3_make(1, 0, 0), row->alpha);
    return snw_xform_mul(snw_xform_mul(turn_x, slide_by(row->a, 0, 0)), turn_z);
}

static snw_xform row_tail(const snw_dh_row *row, snw_dh_form form)
{
    if (form == SNW_DH_MODIFIED) return slide_by(0, 0, row->d);
    return snw_xform_mul(slide_by(row->a, 0, row->d),
                         turn_about(snw_vec3_make(1, 0, 0), row->alpha));
}

static snw_status check_rows(const snw_dh_row *rows, int row_count, snw_dh_form form,
                             snw_error *error)
{
    if (!rows || row_count < 1)
        return snw__fail(error, SNW_INVALID_SKELETON, "a DH table needs at least one row");
    if (row_count > SNW_JOINT_MAX - 1)
        return snw__fail(error, SNW_TOO_LARGE, "a DH table of %d rows is above the limit of %d",
                         row_count, SNW_JOINT_MAX - 1);
    if (form != SNW_DH_STANDARD && form != SNW_DH_MODIFIED)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no DH form %d", (int)form);
    for (int i = 0; i < row_count; i++) {
        snw__place place = SNW__NOWHERE;
        place.index = i;
        if (!isfinite(rows[i].a) || !isfinite(rows[i].alpha) || !isfinite(rows[i].d) ||
            !isfinite(rows[i].theta))
            return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                                "row %d of the DH table is not finite", i + 1);
    }
    return SNW_OK;
}

typedef struct dh_scratch {
    size_t count; /* one for each row, and the tool */
    snw_joint_def *defs;
    char (*names)[16]; /* "joint4096" fits */
} dh_scratch;

static void lay_out_rows(void *object, snw__block *block)
{
    dh_scratch *scratch = object;
    scratch->defs = snw__block_take(block, scratch->count, sizeof *scratch->defs);
    scratch->names = snw__block_take(block, scratch->count, sizeof *scratch->names);
}

snw_status snw_skeleton_from_dh(const snw_dh_row *rows, int row_count, snw_dh_form form,
                                const snw_allocator *allocator, snw_skeleton **out,
                                snw_error *error)
{
    *out = NULL;
    snw_status status = check_rows(rows, row_count, form, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    dh_scratch scratch = {.count = (size_t)row_count + 1};
    status =
        snw__block_create(&block, lay_out_rows, &scratch, &memory, "the rows of a DH table", error);
    if (status != SNW_OK) return status;
    snw_xform tail = snw_xform_identity();
    for (int i = 0; i <= row_count; i++) {
        snw_joint_def *def = &scratch.defs[i];
        bool is_tool = i == row_count;
        *def = snw_joint_def_default();
        def->parent = i - 1;
        def->name = scratch.names[i];
        snw_format(scratch.names[i], sizeof scratch.names[i], is_tool ? "tool" : "joint%d", i + 1);
        def->rest = is_tool ? tail : snw_xform_mul(tail, row_head(&rows[i], form));
        if (is_tool) break;
        def->joint.type = rows[i].is_prismatic ? SNW_JOINT_PRISMATIC : SNW_JOINT_HINGE;
        def->joint.limit.has_range[0] = rows[i].has_range;
        def->joint.limit.range[0][0] = rows[i].range[0];
        def->joint.limit.range[0][1] = rows[i].range[1];
        tail = row_tail(&rows[i], form);
    }
    status = snw_skeleton_create(scratch.defs, row_count + 1, &memory, out, error);
    snw__block_release(&memory, &block);
    return status;
}
