/* sinew/shared_pose.h - poses of `sinew live --shared NAME` in shared memory, for engines on the
 * same machine. Needs nothing else of the library.
 *
 *     static snw_shared_pose now;                   // 160 kB: not on a stack
 *     static const snw_shared_pose *shared = &now;  // shm_open("/NAME", O_RDONLY, 0), then mmap
 *     if (snw_shared_pose_read(shared, &now))       // once a frame; never waits
 *         printf("%s at %g\n", now.person[0].joint[0].name, now.person[0].joint[0].place[1]);
 *
 * The writer counts `sequence` up before and after every frame: odd while it writes. A reader that
 * saw the same even number before and after its copy has a whole frame. Any number of readers, any
 * process.
 */
#ifndef SINEW_SHARED_POSE_H
#define SINEW_SHARED_POSE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SNW_SHARED_MAGIC = 0x50574e53, /* "SNWP" */
    SNW_SHARED_VERSION = 1,
    SNW_SHARED_PEOPLE = 16,
    SNW_SHARED_JOINTS = 128,
    SNW_SHARED_NAME = 48
};

typedef struct snw_shared_joint {
    char name[SNW_SHARED_NAME];
    int32_t parent;    /* -1: the root */
    float place[3];    /* metres, in the world of the stream */
    float rotation[4]; /* world_from_joint: x, y, z, w */
} snw_shared_joint;

typedef struct snw_shared_person {
    char name[SNW_SHARED_NAME];
    int32_t joint_count;
    int32_t is_followed; /* 0: too little is seen, the pose is the last one */
    snw_shared_joint joint[SNW_SHARED_JOINTS];
} snw_shared_person;

typedef struct snw_shared_pose {
    uint32_t magic, version;
    uint32_t sequence; /* odd: it is being written */
    int32_t up;        /* snw_up_axis: 1 to 3 are +x, +y, +z, 4 to 6 -x, -y, -z, 0 unknown */
    int64_t frame;     /* from 0 */
    double time;       /* seconds of the stream */
    double latency;    /* seconds from the frame's coming to here */
    int32_t person_count, reserved;
    snw_shared_person person[SNW_SHARED_PEOPLE];
} snw_shared_pose;

/* Copies the newest frame; false: it is being written, or this is no such memory. */
static inline bool snw_shared_pose_read(const snw_shared_pose *shared, snw_shared_pose *copy)
{
    uint32_t before = __atomic_load_n(&shared->sequence, __ATOMIC_ACQUIRE);
    if (before % 2 || shared->magic != SNW_SHARED_MAGIC || shared->version != SNW_SHARED_VERSION)
        return false;
    memmove(copy, shared, sizeof *copy);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&shared->sequence, __ATOMIC_RELAXED) == before;
}

#ifdef __cplusplus
}
#endif
#endif
