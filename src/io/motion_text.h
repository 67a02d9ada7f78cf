/* What the motion formats share: joint names that bodies accept, bodies without turned rest
 * frames, up to +Y, numbers that are finite. Internal to io. */
#ifndef SNW_IO_MOTION_TEXT_H
#define SNW_IO_MOTION_TEXT_H

#include "io/text_reader.h"

/* Bodies want names that are not empty and unique: "" becomes "joint12", a second "Hand" becomes
 * "Hand#2". Every change is noted. */
snw_status snw__joint_names_settle(char (*names)[SNW__NAME_SIZE], int joint_count,
                                   const snw_allocator *allocator, snw_notes *notes,
                                   snw_error *error);

/* What reading takes for each joint: what the file says of it, its definition and name, its place
 * in the body. test_growth measures 1.5 kB. */
#define SNW__BODY_JOINT_BYTES 1600.0

/* Refuses a body that is out of proportion to its file, as snw__text_check_size. */
snw_status snw__body_check_size(const snw__text_input *text, int64_t joint_count);

/* Depth-first order of a tree given by parents (-1 for 0, the root), children in the order of their
 * numbers. `next` and `child` are scratch of `count`; child[n] is left as the first child or -1.
 * Returns how many hang on the root: fewer than `count` when some hang in a ring or nowhere. */
int snw__depth_first(const int *parent, int count, int *next, int *child, int *order);

/* Turns the world so that `up` becomes +Y; the identity for unknown. */
snw_quat snw__turn_up_to_y(snw_up_axis up);

/* SNW_INVALID_ARGUMENT naming frame and joint where a number is not finite. */
snw_status snw__motion_check(const snw_motion *motion, snw_error *error);

/* The root joint's frame in the world: root * rest * (slide, rotation). */
snw_xform snw__motion_root_joint(const snw_motion *motion, int frame);

#endif
