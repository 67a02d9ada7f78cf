/* The list of joint definitions described in robot_body.h. */
#include "io/robot_body.h"

#include <math.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/motion_text.h"

#define ROBOT_ANGLE_MAX 1000.0
#define ROBOT_SLIDE_MAX 1e6
/* A body that stands has no rate; this one goes with the frames a user may add. */
#define ROBOT_RATE 60.0

snw_status snw__robot_make_room(snw__robot *robot, snw__reading *reading, int64_t capacity)
{
    *robot = (snw__robot){.reading = reading};
    if (capacity < 1 || capacity > SNW_JOINT_MAX)
        return snw__fail(reading->error, SNW_TOO_LARGE,
                         "%s describes %lld joints; a body has 1 to %d", reading->name,
                         (long long)capacity, SNW_JOINT_MAX);
    size_t count = (size_t)capacity;
    robot->block_size = count * (sizeof *robot->def + SNW__NAME_SIZE);
    robot->def = (snw_joint_def *)snw__allocate(&reading->allocator, robot->block_size);
    if (!robot->def) return snw__fail_memory(reading->error, robot->block_size, "the joints");
    robot->name = (char(*)[SNW__NAME_SIZE])(void *)(robot->def + count);
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
                  "%lld %s left out: a body here is its kinematics", (long long)robot->mesh_count,
                  snw__plural(robot->mesh_count, "mesh is", "meshes are"));
    status = snw_skeleton_create(robot->def, robot->count, &reading->allocator, skeleton,
                                 reading->error);
    if (status != SNW_OK) return status;
    status =
        snw_motion_create(*skeleton, 0, ROBOT_RATE, &reading->allocator, motion, reading->error);
    if (status == SNW_OK) return SNW_OK;
    snw_skeleton_destroy(*skeleton);
    *skeleton = NULL;
    return status;
}
