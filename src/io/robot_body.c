/* The list of joint definitions described in robot_body.h. */
#include "io/robot_body.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/motion_text.h"

#define ROBOT_ANGLE_MAX 1000.0
#define ROBOT_SLIDE_MAX 1e6
/* A body that stands has no rate; this one goes with the frames a user may add. */
#define ROBOT_RATE 60.0

snw_status snw__robot_make_room(snw__robot *robot, snw__reading *reading, int64_t capacity,
                                int pins)
{
    *robot = (snw__robot){.reading = reading};
    if (capacity < 1 || capacity > SNW_JOINT_MAX)
        return snw__fail(reading->error, SNW_TOO_LARGE,
                         "%s describes %lld joints; a body has 1 to %d", reading->name,
                         (long long)capacity, SNW_JOINT_MAX);
    size_t count = (size_t)capacity, pin_count = (size_t)pins;
    robot->block_size =
        count * (sizeof *robot->def + 2 * SNW__NAME_SIZE) + pin_count * sizeof *robot->pin;
    robot->def = (snw_joint_def *)snw__allocate(&reading->allocator, robot->block_size);
    if (!robot->def) return snw__fail_memory(reading->error, robot->block_size, "the joints");
    robot->pin = (snw_pin *)(void *)(robot->def + count);
    robot->name = (char(*)[SNW__NAME_SIZE])(void *)(robot->pin + pin_count);
    robot->joint_name = robot->name + count;
    robot->pin_capacity = pins;
    robot->capacity = (int)capacity;
    return SNW_OK;
}

void snw__robot_release(snw__robot *robot)
{
    if (robot->def) snw__release(&robot->reading->allocator, robot->def, robot->block_size);
    robot->def = NULL;
}

snw_joint_def *snw__robot_add(snw__robot *robot, snw__span name, int parent)
{
    snw_joint_def *def = &robot->def[robot->count];
    *def = snw_joint_def_default();
    snw__xml_copy(name, robot->name[robot->count]);
    def->name = robot->name[robot->count++];
    def->parent = parent;
    return def;
}

void snw__robot_name_joint(snw__robot *robot, snw__span name, const char *ending)
{
    char *text = robot->joint_name[robot->count - 1];
    if (!name.at) return;
    snw__xml_copy(name, text);
    size_t length = strlen(text), more = strlen(ending);
    if (length > SNW__NAME_SIZE - 1 - more) length = SNW__NAME_SIZE - 1 - more;
    memcpy(text + length, ending, more + 1);
    if (text[0]) robot->def[robot->count - 1].joint_name = text;
}

static bool is_single(const snw_joint *joint)
{
    return joint->type == SNW_JOINT_HINGE || joint->type == SNW_JOINT_PRISMATIC;
}

/* Does the leader go with the follower already, through others? */
static bool closes_ring(const snw__robot *robot, int follower, int leader)
{
    int at = leader;
    for (int step = 0; step <= robot->count; step++) {
        if (at == follower) return true;
        if (!robot->def[at].follow.is_following) return false;
        at = robot->def[at].follow.leader;
    }
    return true;
}

void snw__robot_follow(snw__robot *robot, int follower, snw_follow follow)
{
    snw_joint_def *own = &robot->def[follower], *leader = &robot->def[follow.leader];
    const char *name = own->joint_name ? own->joint_name : own->name, *why = NULL;
    if (own->joint.type == SNW_JOINT_FIXED) return;
    if (leader->joint.type == SNW_JOINT_FIXED && is_single(&own->joint)) {
        snw__robot_set_range(&own->joint, follow.offset, follow.offset);
        return;
    }
    if (!is_single(&own->joint) || !is_single(&leader->joint))
        why = "only hinges and slides follow each other";
    else if (own->follow.is_following)
        why = "it follows another already";
    else if (closes_ring(robot, follower, follow.leader))
        why = "that one follows it";
    if (why) {
        snw__note(robot->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "joint \"%s\" does not follow \"%s\": %s", name,
                  leader->joint_name ? leader->joint_name : leader->name, why);
        return;
    }
    own->follow = follow;
}

snw_xform snw__robot_origin(const double xyz[3], const double rpy[3])
{
    const double turns[3] = {rpy[2], rpy[1], rpy[0]};
    return snw_xform_make(snw_quat_from_euler(SNW_EULER_ZYX, turns),
                          snw_vec3_make(xyz[0], xyz[1], xyz[2]));
}

void snw__robot_set_mass(snw_joint_def *def, double mass, snw_xform frame, const double n[6])
{
    /* Some writers give the mass of a virtual link as 0, some a sign by mistake. */
    def->mass = fmax(mass, 0);
    if (!n || !(mass > 0)) return;
    double trace = n[0] + n[1] + n[2];
    bool is_good = n[0] > 0 && n[1] > 0 && n[2] > 0 && isfinite(trace);
    for (int k = 0; k < 6; k++)
        is_good &= fabs(n[k]) <= trace;
    if (!is_good) return;
    snw_mat3 turn = snw_mat3_from_quat(frame.rotation);
    snw_mat3 own = {{{n[0], n[3], n[4]}, {n[3], n[1], n[5]}, {n[4], n[5], n[2]}}};
    def->has_inertia = true;
    def->mass_center = frame.translation;
    def->inertia = snw_mat3_mul(turn, snw_mat3_mul(own, snw_mat3_transpose(turn)));
}

bool snw__robot_set_axis(snw_joint *joint, const double axis[3])
{
    snw_vec3 a = snw_vec3_make(axis[0], axis[1], axis[2]);
    /* Scaled first, so that neither tiny nor huge numbers lose their direction. */
    double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    if (!(largest > 0) || !isfinite(largest)) return false;
    a = snw_vec3_make(axis[0] / largest, axis[1] / largest, axis[2] / largest);
    joint->axis = snw_vec3_unit(a, snw_vec3_make(0, 0, 1));
    joint->axis2 = snw_vec3_perpendicular(joint->axis);
    return true;
}

void snw__robot_set_range(snw_joint *joint, double low, double high)
{
    double most = joint->type == SNW_JOINT_PRISMATIC ? ROBOT_SLIDE_MAX : ROBOT_ANGLE_MAX;
    joint->limit.has_range[0] = low > -most || high < most;
    joint->limit.range[0][0] = fmax(low, -most);
    joint->limit.range[0][1] = fmin(high, most);
}

snw_status snw__robot_finish(snw__robot *robot, snw_skeleton **skeleton, snw_motion **motion)
{
    snw__reading *reading = robot->reading;
    snw_status status = snw__joint_names_settle(robot->name, robot->count, &reading->allocator,
                                                reading->notes, reading->error);
    if (status != SNW_OK) return status;
    if (robot->mesh_count)
        snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "%lld %s left out of the body, which is its kinematics",
                  (long long)robot->mesh_count,
                  snw__plural(robot->mesh_count, "mesh is", "meshes are"));
    /* A range that would leave its leader nothing goes; others narrow the leader's. */
    for (int j = 0; j < robot->count; j++) {
        snw_joint_def *own = &robot->def[j];
        double factor = 1, offset = 0;
        int at = j;
        for (; robot->def[at].follow.is_following; at = robot->def[at].follow.leader) {
            offset += factor * robot->def[at].follow.offset;
            factor *= robot->def[at].follow.factor;
        }
        const snw_joint_limit *lead = &robot->def[at].joint.limit;
        if (at == j || !own->joint.limit.has_range[0] || !lead->has_range[0]) continue;
        double ends[2] = {factor * lead->range[0][0] + offset, factor * lead->range[0][1] + offset};
        double low = fmin(ends[0], ends[1]), high = fmax(ends[0], ends[1]);
        const double *range = own->joint.limit.range[0];
        if (high >= range[0] && low <= range[1]) continue;
        snw__note(robot->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "joint \"%s\" follows one that is always outside its range: the range of that "
                  "one holds",
                  own->joint_name ? own->joint_name : own->name);
        own->joint.limit.has_range[0] = false;
    }
    status = snw_skeleton_create_pinned(
        &(snw_skeleton_def){robot->def, robot->count, robot->pin, robot->pin_count},
        &reading->allocator, skeleton, reading->error);
    if (status != SNW_OK) return status;
    status =
        snw_motion_create(*skeleton, 0, ROBOT_RATE, &reading->allocator, motion, reading->error);
    if (status == SNW_OK) return SNW_OK;
    snw_skeleton_destroy(*skeleton);
    *skeleton = NULL;
    return status;
}
