/* What the parts of BVH share. Internal to io. */
#ifndef SNW_IO_BVH_H
#define SNW_IO_BVH_H

#include "base/memory.h"
#include "io/formats.h"
#include "io/text_reader.h"

typedef struct snw__bvh_channel {
    bool is_position;
    int axis; /* 0, 1, 2 */
} snw__bvh_channel;

typedef struct snw__bvh_joint {
    snw__span name;
    int parent;
    int channel_first;
    int channel_count;
    double offset[3];
    int tip_count;
    double tip[3];
    double drift; /* largest |position - where it would rest| of an inner joint, file's unit */
} snw__bvh_joint;

typedef struct snw__bvh_file {
    snw__text_input text;
    snw__reading *reading;
    int joint_count, joint_capacity;
    int channel_count, channel_capacity;
    snw__bvh_joint *joint;
    snw__bvh_channel *channel;
    double *position; /* (joint_count x 3) of the frame being read, file's unit */
    snw__block block;
    bool has_inner_positions;
    bool position_stands_for_offset; /* of inner joints */
    int frame_count;
    int64_t frames_said;
    double rate;
    double metres_per_unit;
    snw__text_mark data; /* before the first row */
} snw__bvh_file;

/* One block for everything a hierarchy can hold; release file->block. Rewinds the text. */
snw_status snw__bvh_make_room(snw__bvh_file *file);
/* From HIERARCHY to the word MOTION or the end. */
snw_status snw__bvh_read_hierarchy(snw__bvh_file *file);

snw_status snw__bvh_read(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion);

#endif
