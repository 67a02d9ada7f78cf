/* Fills the shared linear system: where the coordinates' axes are now, what every goal lacks, and
 * how each coordinate changes that.
 *
 * Every row is exact to first order where its goal is met; away from there the gradient J^T r is
 * still that of r.r / 2 (for the logarithm of a rotation because its Jacobian leaves the axis as it
 * is), so line searches along it are honest. Poles near their line are the exception: see
 * snw__ik_swivel_part. */
#include "ik/core/goal_kinds.h"
#include "ik/core/system_tree.h"
#include "math/kernel.h"

#include <string.h>

/* ---- columns ------------------------------------------------------------------------------ */

static void set_axes(snw__ik_column *column, snw_quat world_from_frame)
{
    column[0].axis = snw_quat_rotate(world_from_frame, snw_vec3_make(1, 0, 0));
    column[1].axis = snw_quat_rotate(world_from_frame, snw_vec3_make(0, 1, 0));
    column[2].axis = snw_quat_rotate(world_from_frame, snw_vec3_make(0, 0, 1));
}

/* ---- residual ----------------------------------------------------------------------------- */

static double *put_error(double *row, snw_vec3 error, double scale, int count)
{
    row[0] = error.x * scale;
    if (count == 3) {
        row[1] = error.y * scale;
        row[2] = error.z * scale;
    }
    return row + count;
}

/* As fmax, which is a call; what is not a number does not count. */
static double larger_of(double a, double b)
{
    return b > a ? b : a;
}

void snw__ik_system_measure(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    double *row = system->residual;
    double offset2 = 0, turn2 = 0; /* the largest squares of what goals lack */
    if (ik->solid_count) snw__ik_place_solids(ik, pose);
    for (int i = 0; i < ik->goal_count; i++) {
        const snw_goal *goal = &goals[i];
        if (goal->kind == SNW_GOAL_POSITION) { /* without a call: there may be hundreds */
            snw_vec3 at = snw_xform_point(pose->world[goal->joint], goal->point);
            snw_vec3 left = snw_vec3_sub(goal->position, at);
            offset2 = larger_of(offset2, snw_vec3_length2(left));
            row = put_error(row, left, sqrt(goal->weight) / ik->size, 3);
            continue;
        }
        if (goal->kind == SNW_GOAL_APART) {
            double lack = snw__goal_apart_lack(ik, i, goal, pose);
            offset2 = larger_of(offset2, lack * lack);
            *row++ = lack > 0 ? lack * sqrt(goal->weight) / ik->size : 0;
            continue;
        }
        snw__ik_rows rows = snw__ik_goal_rows(ik, goal);
        snw__ik_error error = snw__ik_goal_error(ik, goal, pose);
        snw__ik_row_scale scale = snw__ik_row_scale_of(ik, goal);
        if (snw__goal_row_of(goal)->has_limb) scale.turn *= snw__ik_swivel_part(ik, goal, pose);
        if (rows.offset) row = put_error(row, error.offset, scale.offset, rows.offset);
        if (rows.turn) row = put_error(row, error.turn, scale.turn, rows.turn);
        offset2 = larger_of(offset2, snw_vec3_length2(error.offset));
        turn2 = larger_of(turn2, snw_vec3_length2(error.turn));
    }
    for (int i = 0; i < ik->skeleton->pin_count; i++) {
        snw_vec3 gap = snw__ik_pin_gap(&ik->skeleton->pin[i], pose);
        row = put_error(row, gap, 1.0 / ik->size, 3);
        offset2 = larger_of(offset2, snw_vec3_length2(gap));
    }
    /* Once for the worst of each kind: the root and quotient of every goal would cost more than the
     * rest of this function. */
    system->excess = larger_of(sqrt(offset2) / (ik->options.tolerance * ik->size),
                               sqrt(turn2) / ik->options.turn_tolerance);
    system->energy = 0.5 * snw__ik_dot(system->residual, system->residual, system->row_count);
    if (system->hold) system->energy += snw__ik_tree_hold_energy(system, pose);
}

/* Scales `count` rows down to length `longest`. */
static void shorten(double *row, int count, double longest)
{
    double length2 = 0;
    for (int k = 0; k < count; k++)
        length2 += row[k] * row[k];
    if (!(length2 > longest * longest)) return;
    double factor = longest / sqrt(length2);
    for (int k = 0; k < count; k++)
        row[k] *= factor;
}

void snw__ik_system_clamp_residual(snw__ik_system *system, const snw_goal *goals)
{
    const snw_ik *ik = system->ik;
    double *row = system->residual;
    for (int i = 0; i < ik->goal_count; i++) {
        snw__ik_rows rows = snw__ik_goal_rows(ik, &goals[i]);
        double longest = ik->options.step_max * sqrt(goals[i].weight);
        shorten(row, rows.offset, longest);
        shorten(row + rows.offset, rows.turn, longest);
        row += rows.offset + rows.turn;
    }
    for (int i = 0; i < ik->skeleton->pin_count; i++, row += 3)
        shorten(row, 3, ik->options.step_max);
}

/* ---- jacobian ----------------------------------------------------------------------------- */

/* rows += sign * velocity of a point, over its path. */
static void add_pin_rows(snw__ik_system *system, double *row, const snw__ik_path *path,
                         snw_vec3 point, double sign)
{
    int stride = system->column_count;
    double scale = sign / system->ik->size;
    for (int k = 0; k < path->count; k++) {
        int c = system->path_column[path->first + k];
        snw_vec3 v = snw__ik_column_velocity(system, &system->column[c], point);
        row[c] += scale * v.x;
        row[c + stride] += scale * v.y;
        row[c + 2 * stride] += scale * v.z;
    }
}

/* The next `count` rows, cleared; those that have no say stay 0 from then on. Of hundreds of shapes
 * few are near each other. */
static double *take_rows(snw__ik_system *system, int first, int count, bool is_live)
{
    double *row = &system->jacobian[snw__entries(first, system->column_count)];
    for (int k = first; k < first + count; k++) {
        if (is_live || system->was_live[k])
            memset(&system->jacobian[snw__entries(k, system->column_count)], 0,
                   (size_t)system->column_count * sizeof *row);
        system->was_live[k] = is_live;
        if (is_live) system->live[system->live_count++] = k;
    }
    return row;
}

/* Of residuals that were measured. */
static void fill_jacobian(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    int at = 0;
    system->live_count = 0;
    for (int i = 0; i < ik->goal_count; i++) {
        const snw__goal_row *kind = snw__goal_row_of(&goals[i]);
        snw__ik_rows rows = snw__ik_goal_rows(ik, &goals[i]);
        int count = rows.offset + rows.turn;
        bool is_live = !kind->is_one_sided || system->residual[at] != 0;
        double *row = take_rows(system, at, count, is_live);
        snw__ik_block block = {system, &goals[i], pose, snw__ik_row_scale_of(ik, &goals[i]), row};
        if (kind->fill && is_live) kind->fill(&block, &system->path[3 * i]);
        at += count;
    }
    const snw__ik_path *path = &system->path[3 * ik->goal_count];
    for (int i = 0; i < ik->skeleton->pin_count; i++, path += 2, at += 3) {
        double *row = take_rows(system, at, 3, true);
        const snw_pin *pin = &ik->skeleton->pin[i];
        add_pin_rows(system, row, &path[0], snw_pose_point(pose, pin->joint_a, pin->point_a), 1);
        if (pin->joint_b >= 0)
            add_pin_rows(system, row, &path[1], snw_pose_point(pose, pin->joint_b, pin->point_b),
                         -1);
    }
}

void snw__ik_merge_row(const snw__ik_system *system, double *row)
{
    for (int l = 0; l < system->link_count; l++) {
        const snw__ik_link *link = &system->link[l];
        row[link->leader] += link->rate * row[link->follower];
        row[link->follower] = 0;
    }
}

void snw__ik_system_build(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    size_t n = (size_t)system->column_count;
    snw__ik_system_measure(system, goals, pose);
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        snw__ik_column *column = &system->column[mover->column_first];
        snw_vec3 origin;
        if (mover->joint < 0) {
            set_axes(column, pose->root.rotation);
            set_axes(column + 3, pose->root.rotation);
            origin = pose->root.translation;
        } else {
            /* The motions of snw_pose_step, in the world. */
            const snw_joint *joint = &system->ik->joint[mover->joint];
            const snw__joint_row *row = snw__joint_row_of(joint);
            snw_vec3 axis[6];
            row->axes(joint, pose->world[mover->joint].rotation, pose->rotation[mover->joint],
                      axis);
            for (int k = 0; k < row->dof; k++)
                column[k].axis = axis[k];
            origin = pose->world[mover->joint].translation;
        }
        for (int k = 0; k < mover->column_count; k++)
            column[k].origin = origin;
    }
    if (system->tree) {
        snw__ik_tree_build(system, goals, pose);
    } else {
        fill_jacobian(system, goals, pose);
        for (int k = 0; k < system->live_count && system->link_count > 0; k++)
            snw__ik_merge_row(system, &system->jacobian[(size_t)system->live[k] * n]);
        snw__ik_system_pull_back(system, system->residual, system->gradient);
    }
    memset(system->held, 0, n * sizeof *system->held);
    memset(system->is_held, 0, n * sizeof *system->is_held);
    for (int m = 0; m < system->mover_count; m++) {
        system->mover[m].normal_count = 0;
        system->mover[m].holds_swing = system->mover[m].holds_twist = false;
        if (system->mover[m].is_locked) {
            /* Takes the coordinates of a mover out of the system. */
            for (int c = system->mover[m].column_first;
                 c < system->mover[m].column_first + system->mover[m].column_count; c++) {
                system->is_held[c] = true;
                system->gradient[c] = 0;
                for (int k = 0; k < system->row_count && !system->tree; k++)
                    system->jacobian[(size_t)k * n + (size_t)c] = 0;
            }
        }
    }
}
