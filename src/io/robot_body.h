/* A body under construction from a robot's description (URDF, MJCF). Internal to io.
 *
 * Both formats give names, frames and axes per link; both become one list of joint definitions with
 * parents first, and a motion without frames. */
#ifndef SNW_IO_ROBOT_BODY_H
#define SNW_IO_ROBOT_BODY_H

#include "io/xml_reader.h"

typedef struct snw__robot {
    snw__reading *reading;
    int count, capacity;
    snw_joint_def *def;                 /* (capacity) */
    char (*name)[SNW__NAME_SIZE];       /* (capacity) */
    char (*joint_name)[SNW__NAME_SIZE]; /* (capacity) */
    int pin_count, pin_capacity;
    snw_pin *pin; /* (pin_capacity) */
    size_t block_size;
    int64_t mesh_count; /* surfaces that were passed over */
} snw__robot;

/* Room for `capacity` joints and `pins` pins; SNW_TOO_LARGE above SNW_JOINT_MAX. */
snw_status snw__robot_make_room(snw__robot *robot, snw__reading *reading, int64_t capacity,
                                int pins);
void snw__robot_release(snw__robot *robot);
/* A fixed joint at its parent's place, to be filled in; `name` as written in XML. There must be
 * room. */
snw_joint_def *snw__robot_add(snw__robot *robot, snw__span name, int parent);
/* What the file calls the joint that was added last, with `ending` behind it; no name: nothing. */
void snw__robot_name_joint(snw__robot *robot, snw__span name, const char *ending);
/* Joint `follower` goes with another. What cannot be said of a body (joints that follow each other,
 * two leaders, balls) is noted and left out; a range that the leader's excludes goes. */
void snw__robot_follow(snw__robot *robot, int follower, snw_follow follow);
/* <origin xyz="" rpy=""/> of URDF: turns about the fixed axes x, y and z, in radians. */
snw_xform snw__robot_origin(const double xyz[3], const double rpy[3]);
/* What a joint carries: its mass, and the centre and moments of inertia about it (xx yy zz xy xz yz
 * along the axes of `frame`) unless they are NULL or no body can have them; writers leave zeros and
 * worse. */
void snw__robot_set_mass(snw_joint_def *def, double mass, snw_xform frame, const double inertia[6]);
/* A unit axis; false when it has no direction. */
bool snw__robot_set_axis(snw_joint *joint, const double axis[3]);
/* Range of a hinge or slide. Descriptions write huge numbers for "none": an angle beyond 1000 rad,
 * or a slide beyond 1e6 m, is no limit. */
void snw__robot_set_range(snw_joint *joint, double low, double high);
/* The skeleton and a motion without frames; both NULL on failure. */
snw_status snw__robot_finish(snw__robot *robot, snw_skeleton **skeleton, snw_motion **motion);

#endif
