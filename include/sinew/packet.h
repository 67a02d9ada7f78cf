/* sinew/packet.h - packets of live protocols, as bytes in memory: the library opens no sockets.
 *
 *     snw_vmc_bone bones[100];                                       // joint_count + 1 or more
 *     uint8_t bytes[SNW_PACKET_SIZE];
 *     int64_t size;
 *     int bone_count = snw_vmc_bones(pose, bones), bone = 0;
 *     while ((size = snw_vmc_write(bones, bone_count, &bone, 1.25, bytes)) > 0)
 *         fwrite(bytes, 1, (size_t)size, stdout);                    // or sendto a socket
 *
 * OSC 1.0 (Open Sound Control: messages and bundles), VMC (Virtual Motion Capture: bones and
 * trackers over OSC), NatNet (OptiTrack's stream, versions 3.0 to 4.1). Readers believe nothing:
 * every count is bounded by the bytes that are there. Any thread; no memory is taken.
 */
#ifndef SINEW_PACKET_H
#define SINEW_PACKET_H

#include <sinew/rig.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SNW_PACKET_SIZE = 1400, /* of what is written for UDP: fits every usual MTU */
    SNW_PACKET_NAME = 64,   /* bytes of a name that are kept, with its zero */
    SNW_OSC_VALUES_MAX = 16
};

/* ---- OSC ------------------------------------------------------------------------------------ */

typedef struct snw_osc_value {
    char type;        /* 'i', 'f', 's' */
    int32_t integer;  /* i */
    float number;     /* f */
    const char *text; /* s; read: inside the packet, ends with a zero */
} snw_osc_value;

typedef struct snw_osc_message {
    const char *address; /* "/VMC/Ext/Bone/Pos" */
    int value_count;
    snw_osc_value value[SNW_OSC_VALUES_MAX];
} snw_osc_message;

/* One message after another, in bundles and bundles of bundles (eight deep) or alone; *at starts at
 * 0. False: there are no more. SNW_FORMAT in *error (when not NULL) where the bytes break the
 * rules; messages of more values, or of other types, are left out. */
SNW_API bool snw_osc_next(const uint8_t *bytes, size_t size, size_t *at, snw_osc_message *message,
                          snw_error *error);
/* Bytes that the message takes, 0 where they do not fit into `room`. */
SNW_API size_t snw_osc_write(const snw_osc_message *message, uint8_t *bytes, size_t room);

/* ---- VMC ------------------------------------------------------------------------------------ */

/* A bone of Unity's humanoid or a tracker, in the library's axes: right-handed, metres, +Y up, +Z
 * forward, +X to the left of the person. Unity's are left-handed: x of places, y and z of
 * rotations change their sign in the packet. */
typedef struct snw_vmc_bone {
    char name[SNW_PACKET_NAME]; /* "LeftUpperArm" */
    bool is_tracker;            /* /VMC/Ext/Tra/Pos, else /VMC/Ext/Bone/Pos */
    bool is_root;               /* /VMC/Ext/Root/Pos */
    snw_vec3 place;             /* seen from the parent; of trackers and the root: in the world */
    snw_quat rotation;          /* against the T-pose, seen from the parent */
} snw_vmc_bone;

/* Bones from number *next on as one OSC bundle, as many as fit, with "available" and the time in
 * front of the first; *next becomes the first that is not in it. Returns the bytes, 0: all are
 * written. */
SNW_API int64_t snw_vmc_write(const snw_vmc_bone *bones, int count, int *next, double time,
                              uint8_t bytes[SNW_PACKET_SIZE]);
/* The bone that a message is about, if it is. */
SNW_API bool snw_vmc_read(const snw_osc_message *message, snw_vmc_bone *bone);

/* The bones of a pose: of a rig with its names in VRM's words and a T-pose (SNW_RIG_VRM), with
 * pose->world filled. Joints that Unity does not know are left out, their turns kept. Returns how
 * many were written, at most joint_count + 1: the root is the first. */
SNW_API int snw_vmc_bones(const snw_pose *pose, snw_vmc_bone *bones);

/* ---- NatNet ---------------------------------------------------------------------------------- */

enum {
    SNW_NATNET_MARKERS_MAX = 4096,
    SNW_NATNET_PORT_COMMAND = 1510,
    SNW_NATNET_PORT_DATA = 1511
};

typedef enum snw_natnet_kind {
    SNW_NATNET_CONNECT = 0, /* a client asks who is there */
    SNW_NATNET_SERVER = 1,  /* the answer: version */
    SNW_NATNET_ASK_MODEL = 4,
    SNW_NATNET_MODEL = 5, /* names */
    SNW_NATNET_FRAME = 7,
    SNW_NATNET_OTHER = -1
} snw_natnet_kind;

typedef struct snw_natnet_marker {
    char name[SNW_PACKET_NAME]; /* "set:marker"; "" where nobody named it */
    int32_t id;                 /* of labelled markers: model in the upper half */
    snw_vec3 place;             /* metres, in the server's axes */
    bool is_seen;
    float residual; /* metres */
} snw_natnet_marker;

/* What a client knows of its server and of the last frame. Start from {0} with a version. */
typedef struct snw_natnet {
    int major, minor; /* of the stream: 3.0 to 4.1 */
    int32_t frame_number;
    double time;                   /* seconds, of the server's clock */
    bool is_changed;               /* names are out of date: ask for the model */
    int marker_count;              /* of the frame */
    int name_count;                /* of the model */
    snw_natnet_marker *marker;     /* (SNW_NATNET_MARKERS_MAX) of the caller */
    char (*name)[SNW_PACKET_NAME]; /* (SNW_NATNET_MARKERS_MAX) of the caller: names of the sets'
                                      markers, one set after the other */
} snw_natnet;

/* What the packet is, OTHER where it is none of these. */
SNW_API snw_natnet_kind snw_natnet_kind_of(const uint8_t *bytes, size_t size);
/* Takes a frame, a model or a server's answer in. SNW_FORMAT, with nothing changed but counts,
 * where the bytes break off or counts cannot be. Markers of sets come first, with names; where
 * there are no sets, labelled markers; then those that nobody labelled. */
SNW_API snw_status snw_natnet_read(snw_natnet *state, const uint8_t *bytes, size_t size,
                                   snw_error *error);
/* Requests (CONNECT, ASK_MODEL), answers and frames, for clients and simulators: bytes written, 0
 * where they do not fit. One set called `set` holds all markers. */
SNW_API size_t snw_natnet_write(const snw_natnet *state, snw_natnet_kind kind, const char *set,
                                uint8_t *bytes, size_t room);

#ifdef __cplusplus
}
#endif
#endif
