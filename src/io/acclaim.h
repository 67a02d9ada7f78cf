/* What ASF (the body) and AMC (its motion) agree on. Internal to io.
 *
 * Every bone has a frame C of its own, given at rest in the world. Its channels make a motion M in
 * that frame, so the bone turns by C M C~ and its children start at its end. Our joint is the
 * bone's start with the frame C: rest = C_parent~ C, rotation = M. */
#ifndef SNW_IO_ACCLAIM_H
#define SNW_IO_ACCLAIM_H

#include "io/text_reader.h"

/* A channel: turn about or slide along x, y, z, or the bone's length, which is read and ignored. */
typedef enum snw__acclaim_dof {
    SNW__DOF_RX,
    SNW__DOF_RY,
    SNW__DOF_RZ,
    SNW__DOF_TX,
    SNW__DOF_TY,
    SNW__DOF_TZ,
    SNW__DOF_LENGTH
} snw__acclaim_dof;

enum {
    SNW__DOF_MAX = 7
};

/* Channels in the order of the values in a line of the AMC. Turns apply in this order about the
 * fixed axes: rx ry rz is Rz Ry Rx. */
typedef struct snw__acclaim_channels {
    int count;
    snw__acclaim_dof dof[SNW__DOF_MAX];
} snw__acclaim_channels;

/* What an AMC must know about its ASF besides the body. */
typedef struct snw__acclaim {
    double metres_per_unit;
    double radians_per_unit;
    snw_quat root_frame;
    snw_vec3 root_position; /* metres */
    int joint_count;
    snw__acclaim_channels *channels; /* (joint_count), joint 0 is the root */
    snw_allocator allocator;
} snw__acclaim;

snw_status snw__acclaim_create(snw__acclaim *acclaim, int joint_count,
                               const snw_allocator *allocator, snw_error *error);
void snw__acclaim_release(snw__acclaim *acclaim);

/* "rx", "TZ", "l"; false for any other word. */
bool snw__acclaim_dof_from(snw__span word, snw__acclaim_dof *dof);
/* R_last ... R_first of the turns among `values` (radians), slides into *slide (as they are). */
snw_quat snw__acclaim_turn(const snw__acclaim_channels *channels, const double *values,
                           snw_vec3 *slide);
/* The next number in a line where brackets and commas count as blanks. */
bool snw__acclaim_number(snw__span *rest, double *value);
/* The next line that is not blank and no comment, trimmed. */
bool snw__acclaim_line(snw__text_input *text, snw__span *line);

/* The body; *acclaim is filled for the AMC and must be released. */
snw_status snw__asf_read_body(snw__reading *reading, snw__acclaim *acclaim, snw_skeleton **out);

/* How a joint of any body is written: which channels, and its frame turned so that a hinge's axis
 * is a coordinate axis. */
typedef struct snw__acclaim_plan {
    snw__acclaim_channels channels;
    snw_quat align; /* joint from written frame */
} snw__acclaim_plan;
snw__acclaim_plan snw__acclaim_plan_joint(const snw_joint *joint);

/* Names as ASF and AMC can hold them: no blanks, unique, the first one "root". The caller releases
 * joint_count * SNW__NAME_SIZE bytes; NULL without memory. */
char (*snw__acclaim_names(const snw_skeleton *skeleton,
                          const snw_allocator *allocator))[SNW__NAME_SIZE];

#endif
