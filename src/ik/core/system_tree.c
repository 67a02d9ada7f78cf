/* The linear system as a tree of limbs; see system_tree.h. */
#include "ik/core/system_tree.h"

#include "ik/core/levels.h"

#include <string.h>

bool snw__ik_tree_fits(const snw_ik *ik, int row_count, int column_count)
{
    if (!ik->method->takes_tree || ik->skeleton->pin_count > 0) return false;
    if (ik->has_followers) return false;
    /* These need the jacobian. */
    if (ik->options.prefer != SNW_IK_PREFER_NOTHING || snw__ik_has_levels(ik)) return false;
    if (ik->options.stiffness) return false; /* its damping is the same for all coordinates */
    for (int i = 0; i < ik->goal_count; i++)
        if (!snw__goal_is_rigid(&ik->goal[i])) return false;
    /* From there on the tree is the faster one: 1.0 against 1.7 us a step for 2 joints, 5.2 against
     * 30 for a humanoid of 46 goals. */
    if (row_count > column_count || ik->has_holds) return true;
    /* Else J J^T is the smaller matrix: about 1000 operations a joint and goal along the tree,
     * against those of the product and the factor of J J^T. Growth is linear from there on. */
    double m = row_count, n = column_count;
    double along_tree = 1000.0 * (ik->skeleton->joint_count + ik->goal_count);
    return m * m * (0.5 * n + m / 6) > along_tree;
}

snw__ik_tree *snw__ik_tree_layout(const snw_ik *ik, snw__block *block)
{
    size_t movers = (size_t)ik->skeleton->joint_count + 1;
    size_t columns = (size_t)ik->skeleton->dof_count + 6;
    snw__ik_tree fields = {0};
    snw__ik_tree *tree = snw__block_take(block, 1, sizeof *tree);
    fields.node = snw__block_take(block, movers, sizeof *fields.node);
    fields.column = snw__block_take(block, columns, sizeof *fields.column);
    fields.draw = snw__block_take(block, columns, sizeof *fields.draw);
    fields.basis = snw__block_take(block, movers, sizeof *fields.basis);
    fields.carrier = snw__block_take(block, (size_t)ik->goal_count, sizeof *fields.carrier);
    if (tree) *tree = fields;
    return tree;
}

/* The mover of `joint`, or of the nearest joint above that moves; -1: nothing does. */
static int mover_above(const snw__ik_system *system, const int *mover_of, int joint)
{
    if (system->mover_count == 0) return -1;
    for (; joint >= 0; joint = system->ik->skeleton->parent[joint])
        if (system->mover[mover_of[joint]].joint == joint) return mover_of[joint];
    return system->mover[0].joint < 0 ? 0 : -1;
}

void snw__ik_tree_plan(snw__ik_system *system, const int *mover_of)
{
    const snw_ik *ik = system->ik;
    for (int m = 0; m < system->mover_count; m++) {
        int joint = system->mover[m].joint;
        system->tree->node[m].parent =
            joint < 0 ? -1 : mover_above(system, mover_of, ik->skeleton->parent[joint]);
    }
    for (int i = 0; i < ik->goal_count; i++)
        system->tree->carrier[i] = mover_above(system, mover_of, ik->goal[i].joint);
}

/* ---- loading ------------------------------------------------------------------------------ */

/* The energy of a hold is weight (2 sin(angle / 2))^2 / 2: of the quaternion (w, v) from the
 * joint's rotation to the held one 2 weight v.v, with the gradient -2 weight w v in the joint's
 * frame. It needs no trigonometry, and of two ways round the nearer one counts. */
static snw_quat way_to_hold(const snw__ik_hold *hold, snw_quat rotation)
{
    snw_quat way = snw_quat_mul(snw_quat_conjugate(rotation), hold->rotation);
    return way.w < 0 ? snw_quat_neg(way) : way;
}

static bool is_drawn(const snw__ik_system *system, int joint)
{
    if (joint < 0 || !(system->hold[joint].weight > 0)) return false;
    return !snw__joint_slides(&system->ik->joint[joint]);
}

double snw__ik_tree_hold_energy(const snw__ik_system *system, const snw_pose *pose)
{
    double sum = 0;
    for (int m = 0; system->hold && m < system->mover_count; m++) {
        int joint = system->mover[m].joint;
        if (!is_drawn(system, joint)) continue;
        snw_quat way = way_to_hold(&system->hold[joint], pose->rotation[joint]);
        sum += 2 * system->hold[joint].weight * (way.x * way.x + way.y * way.y + way.z * way.z);
    }
    return sum;
}

/* Downhill: every column against all the force that hangs on it. */
static void fill_gradient(snw__ik_system *system)
{
    snw__tree_node *node = system->tree->node;
    for (int m = 0; m < system->mover_count; m++)
        node[m].pull = node[m].force;
    for (int m = system->mover_count - 1; m >= 0; m--) {
        const snw__ik_mover *mover = &system->mover[m];
        for (int c = mover->column_first; c < mover->column_first + mover->column_count; c++)
            system->gradient[c] =
                snw__spatial_dot(system->tree->column[c], node[m].pull) + system->tree->draw[c];
        if (node[m].parent >= 0)
            node[node[m].parent].pull =
                snw__spatial_add_scaled(node[node[m].parent].pull, 1, node[m].pull);
    }
}

void snw__ik_tree_build(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    system->tree->origin = pose->world[0].translation;
    for (int c = 0; c < system->column_count; c++) {
        const snw__ik_column *column = &system->column[c];
        snw__spatial s = {{0, 0, 0}, {0, 0, 0}};
        if (column->is_slide) {
            s.shift = snw_vec3_scale(column->axis, system->ik->size);
        } else {
            s.turn = column->axis;
            s.shift =
                snw_vec3_cross(snw_vec3_sub(column->origin, system->tree->origin), column->axis);
        }
        system->tree->column[c] = s;
    }
    for (int m = 0; m < system->mover_count; m++)
        snw__tree_node_clear(&system->tree->node[m]);
    for (int i = 0; i < system->ik->goal_count; i++)
        if (system->tree->carrier[i] >= 0 && goals[i].weight > 0) {
            snw__tree_node *node = system->tree->node + system->tree->carrier[i];
            snw__ik_row_scale scale = snw__ik_row_scale2_of(system->ik, &goals[i]);
            const snw__goal_row *kind = snw__goal_row_of(&goals[i]);
            if (kind->place == SNW__PLACE_POINT) {
                snw_vec3 at = snw_xform_point(pose->world[goals[i].joint], goals[i].point);
                snw__tree_node_add_point(node, snw_vec3_sub(at, system->tree->origin), scale.offset,
                                         snw_vec3_sub(goals[i].position, at));
            }
            if (kind->has_frame)
                snw__tree_node_add_turn(node, scale.turn,
                                        snw__ik_goal_error(system->ik, &goals[i], pose).turn);
        }
    memset(system->tree->draw, 0, (size_t)system->column_count * sizeof(double));
    for (int m = 0; system->hold && m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        if (!is_drawn(system, mover->joint)) continue;
        const snw__ik_hold *hold = &system->hold[mover->joint];
        snw_quat way = way_to_hold(hold, pose->rotation[mover->joint]);
        snw_vec3 pull = snw_vec3_scale(snw_vec3_make(way.x, way.y, way.z), 2 * way.w);
        pull = snw_quat_rotate(pose->world[mover->joint].rotation, pull);
        system->tree->node[m].hold = hold->weight;
        for (int c = mover->column_first; c < mover->column_first + mover->column_count; c++)
            system->tree->draw[c] = hold->weight * snw_vec3_dot(system->column[c].axis, pull);
    }
    fill_gradient(system);
}

/* ---- solving ------------------------------------------------------------------------------ */

/* Directions of a ball's three coordinates that its held normals leave free; returns how many. */
static int free_directions(const snw__ik_mover *mover, snw_vec3 basis[3])
{
    if (mover->normal_count >= 3) return 0;
    if (mover->normal_count == 2) {
        basis[0] = snw_vec3_cross(mover->normal[0], mover->normal[1]);
        return 1;
    }
    basis[0] = snw_vec3_perpendicular(mover->normal[0]);
    basis[1] = snw_vec3_cross(mover->normal[0], basis[0]);
    return 2;
}

bool snw__ik_tree_solve_damped(snw__ik_system *system, double lambda)
{
    for (int m = 0; m < system->mover_count; m++) {
        /* Gives the node the columns that are free and the motion that is held. */
        const snw__ik_mover *mover = &system->mover[m];
        const snw__spatial *column = &system->tree->column[mover->column_first];
        const double *draw = &system->tree->draw[mover->column_first];
        snw__tree_node *node = &system->tree->node[m];
        memset(&node->held, 0, sizeof node->held);
        node->column_count = 0;
        for (int k = 0; k < mover->column_count; k++)
            node->held = snw__spatial_add_scaled(node->held, system->held[mover->column_first + k],
                                                 column[k]);
        if (mover->normal_count > 0) {
            node->column_count = free_directions(mover, system->tree->basis[m]);
            for (int k = 0; k < node->column_count; k++) {
                snw_vec3 basis = system->tree->basis[m][k];
                snw__spatial s = {{0, 0, 0}, {0, 0, 0}};
                s = snw__spatial_add_scaled(s, basis.x, column[0]);
                s = snw__spatial_add_scaled(s, basis.y, column[1]);
                node->column[k] = snw__spatial_add_scaled(s, basis.z, column[2]);
                node->draw[k] = snw_vec3_dot(basis, snw_vec3_make(draw[0], draw[1], draw[2]));
            }
            continue;
        }
        for (int k = 0; k < mover->column_count; k++) {
            if (system->is_held[mover->column_first + k]) continue;
            node->draw[node->column_count] = draw[k];
            node->column[node->column_count++] = column[k];
        }
    }
    if (!snw__tree_solve(system->tree->node, system->mover_count, lambda)) return false;
    for (int m = 0; m < system->mover_count; m++) {
        /* The other way: rates of the node as steps of the coordinates. */
        const snw__ik_mover *mover = &system->mover[m];
        const snw__tree_node *node = &system->tree->node[m];
        double *step = &system->step[mover->column_first];
        if (mover->normal_count > 0) {
            snw_vec3 turn = {0, 0, 0};
            for (int k = 0; k < node->column_count; k++)
                turn = snw_vec3_add_scaled(turn, node->rate[k], system->tree->basis[m][k]);
            step[0] = turn.x;
            step[1] = turn.y;
            step[2] = turn.z;
            continue;
        }
        for (int k = 0, at = 0; k < mover->column_count; k++)
            step[k] = system->is_held[mover->column_first + k] ? 0 : node->rate[at++];
    }
    return true;
}

/* ---- what a step does --------------------------------------------------------------------- */

/* With V the motion of each limb, sum m |r - V|^2 / 2 falls by sum V.f - V.load V / 2. */
double snw__ik_tree_gain(snw__ik_system *system)
{
    double gain = 0;
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        snw__tree_node *node = &system->tree->node[m];
        snw__spatial v = {{0, 0, 0}, {0, 0, 0}};
        if (node->parent >= 0) v = system->tree->node[node->parent].motion;
        for (int c = mover->column_first; c < mover->column_first + mover->column_count; c++) {
            double step = system->step[c];
            v = snw__spatial_add_scaled(v, step, system->tree->column[c]);
            gain += (system->tree->draw[c] - 0.5 * node->hold * step) * step;
        }
        node->motion = v;
        snw__spatial lifted = snw__spatial_matrix_apply(&node->load, v);
        gain += snw__spatial_dot(v, node->force) - 0.5 * snw__spatial_dot(v, lifted);
    }
    return gain;
}

double snw__ik_tree_trace(const snw__ik_system *system)
{
    snw__tree_node *node = system->tree->node;
    double sum = 0;
    for (int m = 0; m < system->mover_count; m++)
        node[m].bulk = node[m].load;
    for (int m = system->mover_count - 1; m >= 0; m--) {
        const snw__ik_mover *mover = &system->mover[m];
        for (int c = mover->column_first; c < mover->column_first + mover->column_count; c++) {
            snw__spatial column = system->tree->column[c];
            sum += snw__spatial_dot(column, snw__spatial_matrix_apply(&node[m].bulk, column));
        }
        if (node[m].parent >= 0) snw__spatial_matrix_add(&node[node[m].parent].bulk, &node[m].bulk);
    }
    return sum;
}
