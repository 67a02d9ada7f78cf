/* From one pose to another in the least time that limits of velocity, acceleration and jerk allow:
 * a double S along the straight way (Biagiotti & Melchiorri 2008, Trajectory Planning for Automatic
 * Machines and Robots, 3.4), for all joints together. */
#include "ik/servo/trajectory.h"

#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "math/tolerance.h"

snw_trajectory_options snw_trajectory_options_default(void)
{
    snw_trajectory_options options = {.root_speed = 1, .root_acceleration = 2, .rate = 100};
    return options;
}

/* ---- coordinates of a path ------------------------------------------------------------------ */

static void put_three(double *out, snw_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static snw_vec3 three_of(const double *v)
{
    return snw_vec3_make(v[0], v[1], v[2]);
}

void snw__path_way(const snw_pose *from, const snw_pose *to, double *way)
{
    const snw_skeleton *skeleton = from->skeleton;
    double *root = way + skeleton->dof_count;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw__ik_place here = {from->rotation[j], from->slide[j]};
        snw__ik_place there = {to->rotation[j], to->slide[j]};
        snw__ik_joint_way(&skeleton->joint[j], &here, &there, 1, way + skeleton->dof_first[j]);
    }
    put_three(root, snw_vec3_sub(to->root.translation, from->root.translation));
    put_three(root + 3, snw_quat_log(snw_quat_mul(snw_quat_conjugate(from->root.rotation),
                                                  to->root.rotation)));
}

void snw__path_pose(const snw_pose *from, const double *offset, snw_pose *pose)
{
    const snw_skeleton *skeleton = from->skeleton;
    const double *root = offset + skeleton->dof_count;
    snw_pose_copy(pose, from);
    snw_pose_step(pose, offset);
    pose->root.translation = snw_vec3_add(from->root.translation, three_of(root));
    pose->root.rotation =
        snw_quat_normalize(snw_quat_mul(from->root.rotation, snw_quat_exp(three_of(root + 3))));
    (void)snw_pose_apply_limits(pose);
}

void snw__path_fill_limit(const snw_skeleton *skeleton, const snw_trajectory_options *options,
                          snw__path_limit *limit)
{
    const snw_rate_limit *own = &options->limit;
    for (int k = 0; k < snw__path_width(skeleton); k++) {
        bool is_root = k >= skeleton->dof_count;
        limit->velocity[k] = is_root         ? options->root_speed
                             : own->velocity ? own->velocity[k]
                                             : INFINITY;
        limit->acceleration[k] = is_root             ? options->root_acceleration
                                 : own->acceleration ? own->acceleration[k]
                                                     : INFINITY;
        limit->jerk[k] = is_root || !own->jerk ? INFINITY : own->jerk[k];
    }
    /* A joint that follows another moves as that one lets it. */
    for (int f = 0; f < skeleton->follower_count; f++) {
        int k = skeleton->dof_first[skeleton->follower[f]];
        int leader = skeleton->dof_first[skeleton->follow[skeleton->follower[f]].leader];
        double factor = fabs(skeleton->follow[skeleton->follower[f]].factor);
        limit->velocity[k] = limit->velocity[leader] * factor;
        limit->acceleration[k] = limit->acceleration[leader] * factor;
        limit->jerk[k] = limit->jerk[leader] * factor;
    }
}

snw_status snw__path_check(const snw_skeleton *skeleton, const snw__path_limit *limit,
                           const double *way, snw_error *error)
{
    for (int j = 0; j < skeleton->joint_count; j++)
        for (int k = 0; k < snw_joint_type_dof(skeleton->joint[j].type); k++) {
            int at = skeleton->dof_first[j] + k;
            if (!(fabs(way[at]) > SNW__EXACT)) continue;
            if (limit->velocity[at] < INFINITY && limit->acceleration[at] < INFINITY) continue;
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "joint \"%s\" moves, but has no limit of velocity or acceleration: "
                             "there is no fastest way",
                             skeleton->name[j]);
        }
    return SNW_OK;
}

snw_status snw__trajectory_check(const snw_trajectory_options *options,
                                 const snw_skeleton *skeleton, snw_error *error)
{
    const double *all[] = {options->limit.velocity, options->limit.acceleration,
                           options->limit.jerk};
    bool is_good = options->root_speed > 0 && options->root_acceleration > 0;
    for (int n = 0; n < 3; n++)
        for (int k = 0; all[n] && k < skeleton->dof_count; k++)
            is_good &= all[n][k] > 0;
    if (!is_good)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "limits of a trajectory are above 0");
    if (!(options->rate > 0 && options->rate <= 1e9))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a trajectory of %g frames per second",
                         options->rate);
    return SNW_OK;
}

/* ---- the double S --------------------------------------------------------------------------- */

/* From 0 to 1, at rest at both ends. */
typedef struct double_s {
    double jerk_time; /* for which the jerk rises the acceleration; 0: no limit of the jerk */
    double rise_time; /* until the speed is there */
    double total;     /* seconds */
    double speed;     /* between */
    double acceleration;
} double_s;

static double_s plan_double_s(double v, double a, double j)
{
    double_s s = {0};
    bool has_jerk = j < INFINITY;
    /* With the speed reached. */
    s.jerk_time = has_jerk ? (v * j < a * a ? sqrt(v / j) : a / j) : 0;
    s.rise_time = has_jerk && v * j < a * a ? 2 * s.jerk_time : s.jerk_time + v / a;
    double even = 1 / v - s.rise_time;
    if (even < 0) {
        even = 0;
        if (!has_jerk) {
            s.rise_time = sqrt(1 / a);
        } else if (j * j >= 2 * a * a * a) {
            s.jerk_time = a / j;
            s.rise_time = 0.5 * s.jerk_time + sqrt(0.25 * s.jerk_time * s.jerk_time + 1 / a);
        } else {
            s.jerk_time = snw__cbrt(0.5 / j);
            s.rise_time = 2 * s.jerk_time;
        }
    }
    s.acceleration = has_jerk ? j * s.jerk_time : a;
    s.speed = (s.rise_time - s.jerk_time) * s.acceleration;
    s.total = 2 * s.rise_time + even;
    return s;
}

static double double_s_at(const double_s *s, double t)
{
    if (t >= s->total) return 1;
    if (t > 0.5 * s->total) return 1 - double_s_at(s, s->total - t);
    double rise = s->rise_time, jerk = s->jerk_time, a = s->acceleration;
    if (t < jerk) return a / jerk * t * t * t / 6;
    if (t < rise - jerk) return a / 6 * (3 * t * t - 3 * jerk * t + jerk * jerk);
    double left = rise - t, v = s->speed;
    if (t < rise) return 0.5 * v * rise - v * left + a / jerk * left * left * left / 6;
    return 0.5 * v * rise - v * left;
}

/* The tightest of limit / way. */
static double tightest(const double *limit, const double *way, int count)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++)
        if (fabs(way[k]) > SNW__EXACT) least = fmin(least, limit[k] / fabs(way[k]));
    return least;
}

typedef struct between_layout {
    size_t width;
    double *way, *offset;
    snw__path_limit limit;
    snw_pose *pose;
} between_layout;

static void lay_out_between(void *object, snw__block *block)
{
    between_layout *layout = object;
    layout->way = snw__block_take(block, layout->width, sizeof(double));
    layout->offset = snw__block_take(block, layout->width, sizeof(double));
    layout->limit.velocity = snw__block_take(block, layout->width, sizeof(double));
    layout->limit.acceleration = snw__block_take(block, layout->width, sizeof(double));
    layout->limit.jerk = snw__block_take(block, layout->width, sizeof(double));
}

static snw_status fill_between(const snw_pose *from, const snw_pose *to, between_layout *room,
                               double rate, snw_motion **out, snw_error *error)
{
    int width = (int)room->width;
    double v = tightest(room->limit.velocity, room->way, width);
    double_s s = {0};
    if (v < INFINITY)
        s = plan_double_s(v, tightest(room->limit.acceleration, room->way, width),
                          tightest(room->limit.jerk, room->way, width));
    double frames = ceil(s.total * rate * (1 - 1e-12));
    if (!(frames < 1e8))
        return snw__fail(error, SNW_TOO_LARGE, "a trajectory of %g frames", frames);
    int count = (int)frames + 1;
    snw_status status =
        snw_motion_create(from->skeleton, count, rate, &room->pose->allocator, out, error);
    if (status != SNW_OK) return status;
    for (int f = 0; f < count; f++) {
        /* A little slower, so that it ends with a frame. */
        double part = count > 1 ? double_s_at(&s, s.total * f / (count - 1)) : 1;
        for (int k = 0; k < width; k++)
            room->offset[k] = part * room->way[k];
        snw__path_pose(from, room->offset, room->pose);
        snw_motion_set(*out, f, f == 0 && count > 1 ? from : f == count - 1 ? to : room->pose);
    }
    return SNW_OK;
}

snw_status snw_trajectory_between(const snw_pose *from, const snw_pose *to,
                                  const snw_trajectory_options *options,
                                  const snw_allocator *allocator, snw_motion **out,
                                  snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a trajectory needs a place to be put");
    *out = NULL;
    if (!from || !to || !snw__ik_is_pose_of(from, from->skeleton) ||
        from->skeleton != to->skeleton || !snw__ik_is_pose_of(to, to->skeleton))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a trajectory leads between two poses of one body");
    snw_trajectory_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_trajectory_options_default() : *options;
    snw_allocator memory = snw__allocator_or_default(allocator);
    between_layout room = {.width = (size_t)snw__path_width(from->skeleton)};
    snw__block block;
    snw_status status = snw__trajectory_check(&chosen, from->skeleton, error);
    if (status != SNW_OK) return status;
    status = snw__block_create(&block, lay_out_between, &room, &memory, "a trajectory", error);
    if (status != SNW_OK) return status;
    status = snw_pose_create(from->skeleton, &memory, &room.pose, error);
    if (status == SNW_OK) {
        snw__path_fill_limit(from->skeleton, &chosen, &room.limit);
        snw__path_way(from, to, room.way);
        status = snw__path_check(from->skeleton, &room.limit, room.way, error);
    }
    if (status == SNW_OK) status = fill_between(from, to, &room, chosen.rate, out, error);
    snw_pose_destroy(room.pose);
    snw__block_release(&memory, &block);
    return status;
}
