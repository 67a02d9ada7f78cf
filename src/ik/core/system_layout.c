/* Plans the shared linear system: which coordinates move, which of them carry which goal, and where
 * all of it lies in memory. */
#include <string.h>

#include "ik/core/bounds.h"
#include "ik/core/levels.h"
#include "ik/core/newton.h"
#include "ik/core/prefer.h"
#include "ik/core/system_matrix.h"
#include "ik/core/system_tree.h"

/* Columns on the way from the root to `joint`. */
static int path_length(const snw_ik *ik, int joint)
{
    int count = ik->options.root == SNW_IK_ROOT_FREE ? 6 : 0;
    for (int i = joint; i >= 0; i = ik->skeleton->parent[i])
        count += snw_joint_type_dof(ik->joint[i].type);
    return count;
}

void snw__goal_joints(const snw_goal *goal, int joint[3])
{
    bool is_pole = snw__goal_row_of(goal)->has_limb;
    joint[0] = snw__goal_is_secondary(goal) ? -1 : goal->joint;
    joint[1] = is_pole || snw__goal_row_of(goal)->has_other ? goal->chain_root : -1;
    joint[2] = is_pole ? goal->chain_tip : -1;
}

static int path_count(const snw_ik *ik)
{
    return 3 * ik->goal_count + 2 * ik->skeleton->pin_count;
}

/* The joint at the end of path `index`, or -1. */
static int path_joint(const snw_ik *ik, int index)
{
    int joint[3];
    if (index < 3 * ik->goal_count) {
        snw__goal_joints(&ik->goal[index / 3], joint);
        return joint[index % 3];
    }
    index -= 3 * ik->goal_count;
    const snw_pin *pin = &ik->skeleton->pin[index / 2];
    return index % 2 ? pin->joint_b : pin->joint_a;
}

/* ---- columns ------------------------------------------------------------------------------ */

static void add_mover(snw__ik_system *system, int joint, snw_joint_type type)
{
    int count = snw_joint_type_dof(type);
    if (count == 0) return;
    snw__ik_mover *mover = &system->mover[system->mover_count++];
    mover->joint = joint;
    mover->column_first = system->column_count;
    mover->column_count = count;
    mover->bound = SNW__IK_BOUND_NONE;
    if (joint >= 0 && !snw__ik_joint_is_unlimited(&system->ik->joint[joint]))
        mover->bound = snw__joint_row_of(&system->ik->joint[joint])->is_vector ? SNW__IK_BOUND_BALL
                                                                               : SNW__IK_BOUND_BOX;
    double mobility = joint < 0 ? 1 : system->ik->mobility[joint];
    mover->is_locked = mobility == 0;
    for (int k = 0; k < count; k++) {
        if (system->mobility) system->mobility[system->column_count] = mobility;
        snw__ik_column *column = &system->column[system->column_count++];
        column->joint = joint;
        column->is_slide = snw__joint_is_slide(type, k);
    }
}

static void fill_columns(snw__ik_system *system, bool *is_moving)
{
    const snw_ik *ik = system->ik;
    /* Marks (joint_count) every joint above an end of a path. */
    for (int p = 0; p < path_count(ik); p++)
        for (int i = path_joint(ik, p); i >= 0 && !is_moving[i]; i = ik->skeleton->parent[i])
            is_moving[i] = true;
    for (int k = 0; k < ik->skeleton->follower_count; k++) {
        int follower = ik->skeleton->follower[k];
        if (is_moving[follower]) is_moving[ik->skeleton->follow[follower].leader] = true;
    }
    if (ik->options.root == SNW_IK_ROOT_FREE) add_mover(system, -1, SNW_JOINT_FREE);
    for (int i = 0; i < ik->skeleton->joint_count; i++)
        if (is_moving[i]) add_mover(system, i, ik->joint[i].type);
}

static double unit_of(const snw__ik_system *system, const snw__ik_mover *mover)
{
    return system->column[mover->column_first].is_slide ? system->ik->size : 1;
}

/* Writes the columns of the mover so that they end at `end`; returns where they begin. */
static int put_back(const snw__ik_mover *mover, int *path_column, int end)
{
    for (int k = mover->column_count - 1; k >= 0; k--)
        path_column[--end] = mover->column_first + k;
    return end;
}

/* From each path's joint up to the root, filling its columns from behind. */
static void fill_paths(snw__ik_system *system, int *mover_of)
{
    const snw_ik *ik = system->ik;
    int used = 0;
    for (int m = 0; m < system->mover_count; m++)
        if (system->mover[m].joint >= 0) mover_of[system->mover[m].joint] = m;
    for (int p = 0; p < path_count(ik); p++) {
        int joint = path_joint(ik, p);
        int count = joint < 0 ? 0 : path_length(ik, joint), end = used + count;
        system->path[p] = (snw__ik_path){used, count};
        used = end;
        for (int i = joint; i >= 0; i = ik->skeleton->parent[i])
            if (snw_joint_type_dof(ik->joint[i].type) > 0)
                end = put_back(&system->mover[mover_of[i]], system->path_column, end);
        if (joint >= 0 && ik->options.root == SNW_IK_ROOT_FREE)
            (void)put_back(&system->mover[0], system->path_column, end);
    }
}

/* ---- memory ------------------------------------------------------------------------------- */

static void take_matrices(snw__ik_system *s, snw__block *block, size_t rows, size_t columns)
{
    size_t small = rows < columns ? rows : columns, large = rows < columns ? columns : rows;
    bool is_dense = !snw__ik_tree_fits(s->ik, s->row_count, (int)columns);
    if (is_dense) {
        s->jacobian = snw__block_take(block, snw__size_mul(rows, columns), sizeof(double));
        s->gram = snw__block_take(block, snw__size_mul(small, small), sizeof(double));
        if (snw__ik_newton_fits(s->ik) || snw__ik_has_preference(s->ik))
            s->pattern = snw__ik_pattern_layout(rows, columns, block);
        if (snw__ik_newton_fits(s->ik) && columns <= SNW__IK_MATRIX_COLUMNS)
            s->newton = snw__ik_newton_layout(s->ik, rows, columns, block);
    } else {
        s->tree = snw__ik_tree_layout(s->ik, block);
        if (s->ik->has_holds)
            s->hold = snw__block_take(block, (size_t)s->ik->skeleton->joint_count, sizeof *s->hold);
    }
    if (snw__ik_has_levels(s->ik)) s->levels = snw__ik_levels_layout(s->ik, rows, columns, block);
    if (snw__ik_has_preference(s->ik))
        s->preference = snw__ik_preference_layout(s->ik, rows, columns, block);
    s->live = snw__block_take(block, rows, sizeof *s->live);
    s->was_live = snw__block_take(block, rows, sizeof *s->was_live);
    s->residual = snw__block_take(block, rows, sizeof(double));
    s->gradient = snw__block_take(block, columns, sizeof(double));
    s->step = snw__block_take(block, columns, sizeof(double));
    s->secondary = snw__block_take(block, columns, sizeof(double));
    s->held = snw__block_take(block, columns, sizeof(double));
    if (s->ik->options.stiffness) {
        s->mobility = snw__block_take(block, columns, sizeof(double));
        s->movable = snw__block_take(block, columns, sizeof(double));
    }
    s->is_held = snw__block_take(block, columns, sizeof(bool));
    s->work = snw__block_take(block, large, sizeof(double));
    s->predicted = snw__block_take(block, (size_t)s->row_count, sizeof(double));
}

snw__ik_system *snw__ik_system_layout(const snw_ik *ik, snw__block *block)
{
    size_t joint_count = (size_t)ik->skeleton->joint_count;
    size_t columns = (size_t)ik->skeleton->dof_count + 6;
    size_t path_total = 0;
    snw__ik_system fields = {.ik = ik, .row_count = 3 * ik->skeleton->pin_count};
    for (int i = 0; i < ik->goal_count; i++) {
        snw__ik_rows rows = snw__ik_goal_rows(ik, &ik->goal[i]);
        fields.row_count += rows.offset + rows.turn;
    }
    for (int p = 0; p < path_count(ik); p++)
        if (path_joint(ik, p) >= 0) path_total += (size_t)path_length(ik, path_joint(ik, p));
    snw__ik_system *system = snw__block_take(block, 1, sizeof *system);
    bool *is_moving = snw__block_take(block, joint_count, sizeof *is_moving);
    int *mover_of = snw__block_take(block, joint_count, sizeof *mover_of);
    fields.column = snw__block_take(block, columns, sizeof *fields.column);
    fields.mover = snw__block_take(block, joint_count + 1, sizeof *fields.mover);
    fields.path = snw__block_take(block, (size_t)path_count(ik), sizeof *fields.path);
    fields.path_column = snw__block_take(block, path_total, sizeof *fields.path_column);
    fields.tangent =
        snw__block_take(block, (size_t)ik->skeleton->dof_count, sizeof *fields.tangent);
    fields.link = snw__block_take(block, (size_t)ik->skeleton->follower_count, sizeof *fields.link);
    take_matrices(&fields, block, (size_t)fields.row_count, columns);
    snw__ik_snapshot_layout(&fields.before, joint_count, block);
    snw__ik_snapshot_layout(&fields.best, joint_count, block);
    snw__ik_snapshot_layout(&fields.start, joint_count, block);
    snw__ik_snapshot_layout(&fields.lowest, joint_count, block);
    if (!system) return NULL;
    *system = fields;
    for (int k = 0; k < system->row_count; k++) {
        system->live[k] = k;
        system->was_live[k] = true;
    }
    system->live_count = system->row_count;
    if (system->hold) memset(system->hold, 0, joint_count * sizeof *system->hold);
    fill_columns(system, is_moving);
    if (system->preference) snw__ik_preference_plan(system);
    fill_paths(system, mover_of);
    /* A follower that stays holds its leader. */
    const snw_skeleton *skeleton = system->ik->skeleton;
    for (int m = 0; m < system->mover_count && skeleton->follower_count > 0; m++) {
        snw__ik_mover *mover = &system->mover[m];
        if (mover->joint < 0 || !skeleton->follow[mover->joint].is_following) continue;
        const snw_follow *follow = &skeleton->follow[mover->joint];
        snw__ik_mover *leader = &system->mover[mover_of[follow->leader]];
        system->link[system->link_count++] =
            (snw__ik_link){mover->column_first, leader->column_first,
                           follow->factor * unit_of(system, leader) / unit_of(system, mover)};
        leader->is_locked |= mover->is_locked;
    }
    if (system->pattern) snw__ik_pattern_plan(system);
    if (system->tree) snw__ik_tree_plan(system, mover_of);
    return system;
}
