/* The kinds of goals, one after another: what each lacks in a pose, how the coordinates change
 * that, and what it may be asked. All else asks the table at the end, so that a new kind is a part
 * of this file, its name in sinew/ik.h and its maker in problem.c. Methods that move points or
 * frames serve it by its `place` and `has_frame`, those that do not know it refuse it. */
#include "ik/core/goal_kinds.h"
#include "base/elementary.h"
#include "base/fail.h"
#include "ik/core/system.h"

/* ---- points: position, pose, line, plane, side ---------------------------------------------- */

/* The part of v perpendicular to the unit vector u. */
static snw_vec3 across(snw_vec3 v, snw_vec3 u)
{
    return snw_vec3_add_scaled(v, -snw_vec3_dot(v, u), u);
}

/* From the goal's point to its position. */
static snw_vec3 way_left(const snw_goal *goal, const snw_pose *pose)
{
    return snw_vec3_sub(goal->position, snw_pose_point(pose, goal->joint, goal->point));
}

static snw_vec3 unit_direction(const snw_goal *goal)
{
    return snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1));
}

/* log of the rotation that takes the joint's frame to the asked one. */
static snw_vec3 orientation_error(const snw_goal *goal, const snw_pose *pose)
{
    snw_quat now = pose->world[goal->joint].rotation;
    snw_quat target = snw_quat_normalize(goal->orientation);
    return snw_quat_log(snw_quat_mul(target, snw_quat_conjugate(now)));
}

snw_vec3 snw__goal_place_near(const snw_goal *goal, snw_vec3 now)
{
    snw_vec3 direction = unit_direction(goal);
    snw_vec3 way = snw_vec3_sub(goal->position, now);
    double along = snw_vec3_dot(way, direction);
    switch (snw__goal_row_of(goal)->place) {
    case SNW__PLACE_LINE:
        return snw_vec3_add(now, snw_vec3_add_scaled(way, -along, direction));
    case SNW__PLACE_SIDE:
        along = fmax(0, along);
        return snw_vec3_add_scaled(now, along, direction);
    case SNW__PLACE_PLANE:
        return snw_vec3_add_scaled(now, along, direction);
    case SNW__PLACE_POINT:
    case SNW__PLACE_ANY:
        break;
    }
    return goal->position;
}

static snw__ik_error lacks_position(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    (void)ik;
    return (snw__ik_error){way_left(goal, pose), {0, 0, 0}};
}

static snw__ik_error lacks_orientation(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    (void)ik;
    return (snw__ik_error){{0, 0, 0}, orientation_error(goal, pose)};
}

static snw__ik_error lacks_pose(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    (void)ik;
    return (snw__ik_error){way_left(goal, pose), orientation_error(goal, pose)};
}

static snw__ik_error lacks_line(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    (void)ik;
    return (snw__ik_error){across(way_left(goal, pose), unit_direction(goal)), {0, 0, 0}};
}

static snw__ik_error lacks_plane(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    (void)ik;
    return (snw__ik_error){{snw_vec3_dot(way_left(goal, pose), unit_direction(goal)), 0, 0},
                           {0, 0, 0}};
}

/* One-sided: nothing is lacking on the right side. */
static snw__ik_error lacks_side(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    snw__ik_error error = lacks_plane(ik, goal, pose);
    error.offset.x = fmax(0, error.offset.x);
    return error;
}

static void put_column(double *row, int stride, double scale, snw_vec3 value)
{
    row[0] = scale * value.x;
    row[stride] = scale * value.y;
    row[2 * stride] = scale * value.z;
}

/* position, pose, line: offset rows; pose and orientation: turn rows. */
static void fill_place_rows(const snw__ik_block *block, const snw__ik_path *path)
{
    snw__ik_system *system = block->system;
    const snw_goal *goal = block->goal;
    int stride = system->column_count;
    snw_vec3 point = snw_pose_point(block->pose, goal->joint, goal->point);
    snw_vec3 line = snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1));
    bool has_turn = snw__goal_row_of(goal)->has_frame;
    bool has_offset = goal->kind != SNW_GOAL_ORIENTATION;
    double *turn_row = block->row + (has_offset ? 3 * stride : 0);
    for (int k = 0; k < path->count; k++) {
        int c = system->path_column[path->first + k];
        const snw__ik_column *column = &system->column[c];
        snw_vec3 v = snw__ik_column_velocity(system, column, point);
        if (goal->kind == SNW_GOAL_LINE) v = snw_vec3_add_scaled(v, -snw_vec3_dot(v, line), line);
        if (has_offset) put_column(block->row + c, stride, block->scale.offset, v);
        if (has_turn && !column->is_slide)
            put_column(turn_row + c, stride, block->scale.turn, column->axis);
    }
}

static void fill_plane_row(const snw__ik_block *block, const snw__ik_path *path)
{
    snw__ik_system *system = block->system;
    const snw_goal *goal = block->goal;
    snw_vec3 point = snw_pose_point(block->pose, goal->joint, goal->point);
    snw_vec3 normal = snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1));
    /* On its right side a side goal has no say. */
    if (goal->kind == SNW_GOAL_SIDE &&
        !(snw_vec3_dot(snw_vec3_sub(goal->position, point), normal) > 0))
        return;
    for (int k = 0; k < path->count; k++) {
        int c = system->path_column[path->first + k];
        snw_vec3 v = snw__ik_column_velocity(system, &system->column[c], point);
        block->row[c] = block->scale.offset * snw_vec3_dot(v, normal);
    }
}

/* ---- aim ------------------------------------------------------------------------------------ */

/* Smallest rotation that takes the aiming direction to the target; none when the target is at the
 * eye, where no direction is wrong. */
static snw__ik_error lacks_aim(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    snw_vec3 sight = snw_quat_rotate(pose->world[goal->joint].rotation, goal->direction);
    snw_vec3 wanted = snw_vec3_sub(goal->position, snw_pose_point(pose, goal->joint, goal->point));
    snw__ik_error error = {0};
    if (snw_vec3_length(wanted) > 1e-12 * ik->size)
        error.turn = snw_quat_log(snw_quat_between(sight, wanted));
    return error;
}

/* The sight turns with w across itself; the wanted direction u turns with -u x v / distance. */
static void fill_aim_rows(const snw__ik_block *block, const snw__ik_path *path)
{
    snw__ik_system *system = block->system;
    const snw_goal *goal = block->goal;
    snw_vec3 point = snw_pose_point(block->pose, goal->joint, goal->point);
    snw_vec3 wanted = snw_vec3_sub(goal->position, point);
    double distance = snw_vec3_length(wanted);
    snw_vec3 sight =
        snw_vec3_unit(snw_quat_rotate(block->pose->world[goal->joint].rotation, goal->direction),
                      snw_vec3_make(0, 0, 1));
    if (!(distance > 1e-12 * system->ik->size)) return;
    for (int k = 0; k < path->count; k++) {
        int c = system->path_column[path->first + k];
        const snw__ik_column *column = &system->column[c];
        snw_vec3 v = snw__ik_column_velocity(system, column, point);
        snw_vec3 turn = snw_vec3_scale(snw_vec3_cross(wanted, v), 1.0 / (distance * distance));
        if (!column->is_slide) {
            double along = snw_vec3_dot(column->axis, sight);
            turn = snw_vec3_add(turn, snw_vec3_add_scaled(column->axis, -along, sight));
        }
        put_column(block->row + c, system->column_count, block->scale.turn, turn);
    }
}

/* ---- pole ----------------------------------------------------------------------------------- */

snw__ik_swivel snw__ik_measure_swivel(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    snw__ik_swivel swivel = {0};
    /* Nearer to the line than this a limb is straight: the swivel is round-off. */
    double smallest = 1e-9 * ik->size;
    swivel.origin = pose->world[goal->chain_root].translation;
    snw_vec3 line = snw_vec3_sub(pose->world[goal->chain_tip].translation, swivel.origin);
    swivel.length = snw_vec3_length(line);
    if (!(swivel.length > smallest)) return swivel;
    swivel.axis = snw_vec3_scale(line, 1.0 / swivel.length);
    swivel.elbow =
        across(snw_vec3_sub(pose->world[goal->joint].translation, swivel.origin), swivel.axis);
    swivel.pole = across(snw_vec3_sub(goal->position, swivel.origin), swivel.axis);
    swivel.is_defined =
        snw_vec3_length(swivel.elbow) > smallest && snw_vec3_length(swivel.pole) > smallest;
    if (swivel.is_defined)
        swivel.angle =
            snw__atan2(snw_vec3_dot(swivel.axis, snw_vec3_cross(swivel.elbow, swivel.pole)),
                       snw_vec3_dot(swivel.elbow, swivel.pole));
    return swivel;
}

static double swivel_part(const snw__ik_swivel *s)
{
    if (!s->is_defined) return 1;
    double least = fmin(snw_vec3_length(s->pole), snw_vec3_length(s->elbow));
    return fmin(1, least / (SNW__IK_MODEL_RANGE * s->length));
}

double snw__ik_swivel_part(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    snw__ik_swivel swivel = snw__ik_measure_swivel(ik, goal, pose);
    return swivel_part(&swivel);
}

static snw__ik_error lacks_swivel(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    return (snw__ik_error){{0, 0, 0}, {snw__ik_measure_swivel(ik, goal, pose).angle, 0, 0}};
}

/* row += factor . velocity of the origin of `joint`, over its path. */
static void add_origin_row(const snw__ik_block *block, const snw__ik_path *path, int joint,
                           snw_vec3 factor)
{
    snw__ik_system *system = block->system;
    snw_vec3 origin = block->pose->world[joint].translation;
    for (int k = 0; k < path->count; k++) {
        int c = system->path_column[path->first + k];
        snw_vec3 v = snw__ik_column_velocity(system, &system->column[c], origin);
        block->row[c] += block->scale.turn * snw_vec3_dot(factor, v);
    }
}

/* The swivel is phi_pole - phi_elbow about the axis u. With e and p the vectors from the limb's
 * root to elbow and pole, A = (u x e) / |e across u|^2 and B likewise, phi_elbow changes by
 * A.(dE - dS) and a turn of u by w counts as -w on both e and p; w = u x (dW - dS) / length. */
static void fill_pole_row(const snw__ik_block *block, const snw__ik_path *path)
{
    const snw_goal *goal = block->goal;
    snw__ik_swivel s = snw__ik_measure_swivel(block->system->ik, goal, block->pose);
    if (!s.is_defined) return;
    double part = swivel_part(&s);
    snw_vec3 a = snw_vec3_scale(snw_vec3_cross(s.axis, s.elbow), 1 / snw_vec3_length2(s.elbow));
    snw_vec3 b = snw_vec3_scale(snw_vec3_cross(s.axis, s.pole), 1 / snw_vec3_length2(s.pole));
    snw_vec3 e = snw_vec3_sub(block->pose->world[goal->joint].translation, s.origin);
    snw_vec3 p = snw_vec3_sub(goal->position, s.origin);
    snw_vec3 k = snw_vec3_sub(snw_vec3_cross(p, b), snw_vec3_cross(e, a));
    snw_vec3 tip = snw_vec3_scale(snw_vec3_cross(k, s.axis), 1.0 / s.length);
    snw_vec3 root = snw_vec3_sub(snw_vec3_sub(b, a), tip);
    add_origin_row(block, &path[0], goal->joint, snw_vec3_scale(a, part));
    add_origin_row(block, &path[1], goal->chain_root, snw_vec3_scale(root, part));
    add_origin_row(block, &path[2], goal->chain_tip, snw_vec3_scale(tip, part));
}

bool snw__goal_is_joint(const snw_skeleton *skeleton, int joint)
{
    return joint >= 0 && joint < skeleton->joint_count;
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
snw_status
snw__goal_refuse(snw_error *error, int index, const char *format, ...)
{
    char text[160];
    va_list arguments;
    snw__place place = SNW__NOWHERE;
    place.index = index;
    va_start(arguments, format);
    (void)snw_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return snw__fail_at(error, SNW_INVALID_ARGUMENT, place, "goal %d: %s", index, text);
}

static snw_status check_pole(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                             snw_error *error)
{
    if (!snw__goal_is_joint(skeleton, goal->chain_root) ||
        !snw__goal_is_joint(skeleton, goal->chain_tip))
        return snw__goal_refuse(error, index,
                                "the limb from joint %d to joint %d is not in the body",
                                goal->chain_root, goal->chain_tip);
    if (goal->chain_root == goal->chain_tip || goal->joint == goal->chain_root ||
        goal->joint == goal->chain_tip)
        return snw__goal_refuse(error, index, "a pole needs three different joints");
    return SNW_OK;
}

/* ---- value ---------------------------------------------------------------------------------- */

static bool value_is_slide(const snw_ik *ik, const snw_goal *goal)
{
    return snw__joint_is_slide(ik->joint[goal->joint].type, goal->coordinate);
}

static snw__ik_error lacks_value(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    /* Coordinate asked for minus the present one; the short way round where no range forbids it. */
    const snw_joint *joint = &ik->joint[goal->joint];
    double values[6] = {0};
    (void)snw_joint_values(joint, pose->rotation[goal->joint], pose->slide[goal->joint], values);
    double error = goal->value - values[goal->coordinate];
    bool is_angle = !snw__joint_row_of(joint)->is_vector && !snw__joint_slides(joint);
    if (is_angle && !joint->limit.has_range[goal->coordinate]) error = snw_wrap_angle(error);

    return value_is_slide(ik, goal) ? (snw__ik_error){{error, 0, 0}, {0, 0, 0}}
                                    : (snw__ik_error){{0, 0, 0}, {error, 0, 0}};
}

/* Row `index` of the inverse right Jacobian of SO(3) at phi: d log(R exp(w)) / dw. */
static snw_vec3 log_derivative(snw_vec3 phi, int index)
{
    double angle = snw_vec3_length(phi);
    /* 1/12 is the limit; the closed form loses digits below 1e-3 where the next term, angle^2/720,
     * is 1e-9. */
    double factor = 1.0 / 12;
    if (angle > 1e-3)
        factor =
            1 / (angle * angle) - (1 + snw__cos(angle)) / (2 * angle * fmax(snw__sin(angle), 1e-9));
    snw_vec3 unit = snw_vec3_make(index == 0, index == 1, index == 2);
    /* Rows of I + [phi]/2 + factor [phi]^2, transposed: the cross changes sign once. */
    snw_vec3 once = snw_vec3_cross(unit, phi);
    snw_vec3 twice = snw_vec3_cross(once, phi);
    return snw_vec3_add_scaled(snw_vec3_add_scaled(unit, 0.5, once), factor, twice);
}

static void fill_value_row(const snw__ik_block *block, const snw__ik_path *path)
{
    snw__ik_system *system = block->system;
    const snw_goal *goal = block->goal;
    const snw_joint *joint = &system->ik->joint[goal->joint];
    int dof = snw_joint_type_dof(joint->type);
    /* The joint's own columns are the last of its path. */
    const int *own = &system->path_column[path->first + path->count - dof];
    const snw__joint_row *row = snw__joint_row_of(joint);
    bool is_log = row->is_vector && goal->coordinate >= row->slide_count;
    if (is_log) {
        snw_vec3 phi = snw_quat_log(block->pose->rotation[goal->joint]);
        snw_vec3 rate = log_derivative(phi, goal->coordinate % 3);
        own += dof - 3;
        block->row[own[0]] = block->scale.turn * rate.x;
        block->row[own[1]] = block->scale.turn * rate.y;
        block->row[own[2]] = block->scale.turn * rate.z;
    } else {
        int c = own[goal->coordinate];
        block->row[c] =
            system->column[c].is_slide ? block->scale.offset * system->ik->size : block->scale.turn;
    }
}

static snw_status check_value(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                              snw_error *error)
{
    int dof = snw_joint_type_dof(skeleton->joint[goal->joint].type);
    if (goal->coordinate >= 0 && goal->coordinate < dof) return SNW_OK;
    return snw__goal_refuse(error, index, "joint %s has %d coordinates, counted from 0; none is %d",
                            skeleton->name[goal->joint], dof, goal->coordinate);
}

/* ---- axes ----------------------------------------------------------------------------------- */

/* Share k times coordinate k of the rotation vector from the frame to the asked one, in that frame.
 * About one free axis it is the least turn that brings the axis where it is asked to be. */
typedef struct axes_state {
    double share[3];
    int free_axis; /* the one with share 0, or -1 when none or two have */
    snw_vec3 turn; /* left, in the asked frame */
    snw_quat now, asked;
} axes_state;

static axes_state measure_axes(const snw_goal *goal, const snw_pose *pose)
{
    const double given[3] = {goal->direction.x, goal->direction.y, goal->direction.z};
    axes_state s = {.free_axis = -1};
    int free_count = 0;
    for (int k = 0; k < 3; k++) {
        s.share[k] = snw_clamp(fabs(given[k]), 0, 1);
        if (s.share[k] > 0) continue;
        free_count++;
        s.free_axis = k;
    }
    if (free_count != 1) s.free_axis = -1;
    s.now = pose->world[goal->joint].rotation;
    s.asked = snw_quat_normalize(goal->orientation);
    if (s.free_axis < 0) {
        s.turn = snw_quat_log(snw_quat_mul(snw_quat_conjugate(s.now), s.asked));
    } else {
        int k = s.free_axis;
        snw_vec3 own = snw_vec3_make(k == 0, k == 1, k == 2);
        snw_quat way = snw_quat_between(snw_quat_rotate(s.now, own), snw_quat_rotate(s.asked, own));
        s.turn = snw_quat_unrotate(s.asked, snw_quat_log(way));
    }
    return s;
}

static snw__ik_error lacks_axes(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    (void)ik;
    axes_state s = measure_axes(goal, pose);
    return (snw__ik_error){{0, 0, 0},
                           {s.share[0] * s.turn.x, s.share[1] * s.turn.y, s.share[2] * s.turn.z}};
}

/* The rotation vector phi of now^-1 asked changes by -J_l^-1(phi) w, w in the present frame, and
 * J_l^-1(phi) is J_r^-1(-phi). With a free axis: by what of w is across it, to first order. */
static void fill_axes_rows(const snw__ik_block *block, const snw__ik_path *path)
{
    snw__ik_system *system = block->system;
    axes_state s = measure_axes(block->goal, block->pose);
    snw_vec3 row[3];
    for (int k = 0; k < 3; k++)
        row[k] = s.free_axis < 0 ? snw_quat_rotate(s.now, log_derivative(snw_vec3_neg(s.turn), k))
                                 : snw_quat_rotate(s.asked, snw_vec3_make(k == 0, k == 1, k == 2));
    for (int n = 0; n < path->count; n++) {
        int c = system->path_column[path->first + n];
        if (system->column[c].is_slide) continue;
        for (int k = 0; k < 3; k++)
            block->row[c + k * system->column_count] =
                block->scale.turn * s.share[k] * snw_vec3_dot(row[k], system->column[c].axis);
    }
}

static snw_status check_axes(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                             snw_error *error)
{
    (void)skeleton;
    const double share[3] = {goal->direction.x, goal->direction.y, goal->direction.z};
    for (int k = 0; k < 3; k++)
        if (!(share[k] >= 0 && share[k] <= 1))
            return snw__goal_refuse(error, index, "an axis counts %g times: shares are 0 to 1",
                                    share[k]);
    return SNW_OK;
}

/* ---- apart ---------------------------------------------------------------------------------- */

/* A ball around the shape, in its frame; a plane has none. */
static double ball_around(const snw_shape *shape, snw_vec3 *center)
{
    const snw_vec3 *point = shape->point ? shape->point : shape->own;
    double farthest2 = 0;
    *center = snw_vec3_make(0, 0, 0);
    if (shape->kind == SNW_SHAPE_PLANE) return INFINITY;
    if (shape->point_count <= 2) {
        const snw_vec3 *last = &point[shape->point_count - 1];
        *center = snw_vec3_lerp(point[0], *last, 0.5);
        return 0.5 * snw_vec3_distance(point[0], *last) + shape->radius;
    }
    for (int k = 0; k < shape->point_count; k++)
        *center = snw_vec3_add_scaled(*center, 1.0 / shape->point_count, point[k]);
    for (int k = 0; k < shape->point_count; k++)
        farthest2 = fmax(farthest2, snw_vec3_length2(snw_vec3_sub(point[k], *center)));
    return sqrt(farthest2) + shape->radius;
}

/* Most pairs are far from each other: told by the balls around them. */
bool snw__goal_contact(const snw_goal *goal, snw_xform joint, snw_xform other, snw_contact *contact)
{
    snw_vec3 a, b;
    double reach = ball_around(goal->shape, &a) + ball_around(goal->other, &b) + goal->value;
    snw_vec3 way = snw_vec3_sub(snw_xform_point(joint, a), snw_xform_point(other, b));
    if (snw_vec3_length2(way) > reach * reach && reach > 0) return false;
    snw_placed_shape shape = {goal->shape, joint}, second = {goal->other, other};
    snw_shape_contact(&shape, &second, contact);
    return true;
}

static snw_xform other_of(const snw_goal *goal, const snw_pose *pose)
{
    return goal->chain_root >= 0 ? pose->world[goal->chain_root] : snw_xform_identity();
}

static snw_contact contact_of(const snw_goal *goal, const snw_pose *pose)
{
    snw_placed_shape a = {goal->shape, pose->world[goal->joint]};
    snw_placed_shape b = {goal->other, other_of(goal, pose)};
    snw_contact contact;
    snw_shape_contact(&a, &b, &contact);
    return contact;
}

double snw__goal_clearance(const snw_goal *goal, const snw_pose *pose, double least)
{
    snw_vec3 a, b;
    double around = ball_around(goal->shape, &a) + ball_around(goal->other, &b);
    a = snw_pose_point(pose, goal->joint, a);
    b = snw_xform_point(other_of(goal, pose), b);
    if (snw_vec3_length(snw_vec3_sub(a, b)) - around - goal->value >= least) return least;
    return fmin(least, contact_of(goal, pose).distance - goal->value);
}

/* One-sided: nothing is lacking beyond the margin. */
static snw__ik_error lacks_apart(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    (void)ik;
    snw_contact contact;
    if (!snw__goal_contact(goal, pose->world[goal->joint], other_of(goal, pose), &contact))
        return (snw__ik_error){0};
    return (snw__ik_error){{fmax(0, goal->value - contact.distance), 0, 0}, {0, 0, 0}};
}

static int solid_of(snw_ik *ik, const snw_shape *shape, int joint)
{
    for (int k = 0; k < ik->solid_count; k++)
        if (ik->solid[k].shape == shape && ik->solid[k].joint == joint) return k;
    ik->solid[ik->solid_count] = (snw__ik_solid){.shape = shape, .joint = joint};
    return ik->solid_count++;
}

void snw__ik_plan_solids(snw_ik *ik)
{
    for (int i = 0; i < ik->goal_count && ik->solid; i++) {
        if (!snw__goal_row_of(&ik->goal[i])->has_other) continue;
        ik->solid_of[i][0] = solid_of(ik, ik->goal[i].shape, ik->goal[i].joint);
        ik->solid_of[i][1] = solid_of(ik, ik->goal[i].other, ik->goal[i].chain_root);
    }
    snw__ik_note_shapes(ik);
}

void snw__ik_note_shapes(const snw_ik *ik)
{
    for (int k = 0; k < ik->solid_count; k++) {
        snw__ik_solid *solid = &ik->solid[k];
        const snw_shape *shape = solid->shape;
        const snw_vec3 *point = shape->point ? shape->point : shape->own;
        solid->around = ball_around(shape, &solid->center);
        solid->is_round = shape->kind == SNW_SHAPE_HULL && shape->point_count <= 2;
        solid->half = solid->is_round ? snw_vec3_sub(point[0], solid->center) : solid->center;
    }
}

void snw__ik_place_solids(const snw_ik *ik, const snw_pose *pose)
{
    for (int k = 0; k < ik->solid_count; k++) {
        snw__ik_solid *solid = &ik->solid[k];
        snw_xform frame = solid->joint < 0 ? snw_xform_identity() : pose->world[solid->joint];
        solid->at = snw_xform_point(frame, solid->center);
        if (solid->is_round) solid->along = snw_quat_rotate(frame.rotation, solid->half);
    }
}

/* Are the two farther apart than the margin, by the balls around them or, round ones, along the way
 * between their middles? Most pairs are. */
static bool are_plainly_apart(const snw__ik_solid *a, const snw__ik_solid *b, double margin)
{
    snw_vec3 way = snw_vec3_sub(b->at, a->at);
    double length2 = snw_vec3_length2(way), reach = a->around + b->around + margin;
    if (length2 > reach * reach && reach > 0) return true;
    if (!a->is_round || !b->is_round) return false;
    double span = fabs(snw_vec3_dot(a->along, way)) + fabs(snw_vec3_dot(b->along, way));
    double radii = a->shape->radius + b->shape->radius + margin;
    return length2 - span > radii * sqrt(length2);
}

double snw__goal_apart_lack(const snw_ik *ik, int index, const snw_goal *goal, const snw_pose *pose)
{
    const int *of = ik->solid_of[index];
    if (are_plainly_apart(&ik->solid[of[0]], &ik->solid[of[1]], goal->value)) return 0;
    return fmax(0, goal->value - contact_of(goal, pose).distance);
}

/* row += scale * velocity of a point along the normal, over its path. */
static void add_parting(const snw__ik_system *system, const snw__ik_path *path, snw_vec3 point,
                        snw_vec3 normal, double scale, double *row)
{
    for (int k = 0; k < path->count; k++) {
        int c = system->path_column[path->first + k];
        snw_vec3 v = snw__ik_column_velocity(system, &system->column[c], point);
        row[c] += scale * snw_vec3_dot(v, normal);
    }
}

double snw__goal_apart_row(const snw__ik_system *system, int index, const snw_goal *goal,
                           const snw_pose *pose, double *row)
{
    snw_contact contact = contact_of(goal, pose);
    const snw__ik_path *path = &system->path[3 * index];
    add_parting(system, &path[0], contact.a, contact.normal, 1, row);
    add_parting(system, &path[1], contact.b, contact.normal, -1, row);
    snw__ik_merge_row(system, row);
    return contact.distance;
}

static void fill_apart_row(const snw__ik_block *block, const snw__ik_path *path)
{
    const snw_goal *goal = block->goal;
    snw_contact contact;
    if (!snw__goal_contact(goal, block->pose->world[goal->joint], other_of(goal, block->pose),
                           &contact))
        return;
    double scale = block->scale.offset;
    if (!(contact.distance < block->goal->value)) return; /* it has no say */
    add_parting(block->system, &path[0], contact.a, contact.normal, scale, block->row);
    add_parting(block->system, &path[1], contact.b, contact.normal, -scale, block->row);
}

static snw_status check_apart(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                              snw_error *error)
{
    snw_error why = snw_error_none();
    if (goal->chain_root != -1 && !snw__goal_is_joint(skeleton, goal->chain_root))
        return snw__goal_refuse(error, index, "joint %d of the other shape is not in the body",
                                goal->chain_root);
    if (snw_shape_check(goal->shape, &why) != SNW_OK ||
        snw_shape_check(goal->other, &why) != SNW_OK)
        return snw__goal_refuse(error, index, "%s", why.message);
    if (goal->shape->kind == SNW_SHAPE_PLANE && goal->other->kind == SNW_SHAPE_PLANE)
        return snw__goal_refuse(error, index, "two planes always meet");
    return SNW_OK;
}

/* ---- the table ------------------------------------------------------------------------------ */

const snw__goal_row snw__goal_rows[SNW_GOAL_KIND_COUNT] = {
    [SNW_GOAL_POSITION] = {.name = "position",
                           .rows = {3, 0},
                           .place = SNW__PLACE_POINT,
                           .lacks = lacks_position,
                           .fill = fill_place_rows},
    [SNW_GOAL_ORIENTATION] = {.name = "orientation",
                              .rows = {0, 3},
                              .has_frame = true,
                              .lacks = lacks_orientation,
                              .fill = fill_place_rows},
    [SNW_GOAL_POSE] = {.name = "pose",
                       .rows = {3, 3},
                       .place = SNW__PLACE_POINT,
                       .has_frame = true,
                       .lacks = lacks_pose,
                       .fill = fill_place_rows},
    [SNW_GOAL_AIM] = {.name = "aim",
                      .rows = {0, 3},
                      .has_aim = true,
                      .needs_direction = true,
                      .lacks = lacks_aim,
                      .fill = fill_aim_rows},
    [SNW_GOAL_POLE] = {.name = "pole",
                       .rows = {0, 1},
                       .has_limb = true,
                       .lacks = lacks_swivel,
                       .fill = fill_pole_row,
                       .check = check_pole},
    [SNW_GOAL_LINE] = {.name = "line",
                       .rows = {3, 0},
                       .place = SNW__PLACE_LINE,
                       .needs_direction = true,
                       .lacks = lacks_line,
                       .fill = fill_place_rows},
    [SNW_GOAL_PLANE] = {.name = "plane",
                        .rows = {1, 0},
                        .place = SNW__PLACE_PLANE,
                        .needs_direction = true,
                        .lacks = lacks_plane,
                        .fill = fill_plane_row},
    [SNW_GOAL_SIDE] = {.name = "side",
                       .rows = {1, 0},
                       .place = SNW__PLACE_SIDE,
                       .is_one_sided = true,
                       .needs_direction = true,
                       .lacks = lacks_side,
                       .fill = fill_plane_row},
    [SNW_GOAL_VALUE] = {.name = "value",
                        .rows = {0, 1}, /* {1, 0} where the coordinate slides */
                        .has_coordinate = true,
                        .lacks = lacks_value,
                        .fill = fill_value_row,
                        .check = check_value},
    [SNW_GOAL_REST] = {.name = "rest", .is_secondary = true},
    [SNW_GOAL_AXES] = {.name = "axes",
                       .rows = {0, 3},
                       .needs_direction = true,
                       .has_shares = true,
                       .lacks = lacks_axes,
                       .fill = fill_axes_rows,
                       .check = check_axes},
    [SNW_GOAL_APART] = {.name = "apart",
                        .rows = {1, 0},
                        .has_other = true,
                        .is_one_sided = true,
                        .lacks = lacks_apart,
                        .fill = fill_apart_row,
                        .check = check_apart},
};

snw__ik_rows snw__ik_goal_rows(const snw_ik *ik, const snw_goal *goal)
{
    const snw__goal_row *kind = snw__goal_row_of(goal);
    if (kind->has_coordinate && value_is_slide(ik, goal)) return (snw__ik_rows){1, 0};
    return kind->rows;
}

snw__ik_error snw__ik_goal_error(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    const snw__goal_row *kind = snw__goal_row_of(goal);
    return kind->lacks ? kind->lacks(ik, goal, pose) : (snw__ik_error){0};
}

const char *snw_goal_kind_name(snw_goal_kind kind)
{
    return (unsigned)kind < SNW_GOAL_KIND_COUNT ? snw__goal_rows[kind].name : "unknown";
}
