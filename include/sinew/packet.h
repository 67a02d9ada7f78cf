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
 * trackers over OSC), VRChat's trackers over OSC, NatNet (OptiTrack's stream, versions 3.0 to 4.1),
 * Qualisys RT (1.8 to 1.27), VRPN 7, WebSocket frames (RFC 6455), and frames as JSON or bytes for
 * everybody else. Readers believe nothing: every count is bounded by the bytes that are there. Any
 * thread; no memory is taken.
 */
#ifndef SINEW_PACKET_H
#define SINEW_PACKET_H

#include <sinew/rig.h>
#include <sinew/trial.h>
#include <sinew/view.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SNW_PACKET_SIZE = 1400, /* of what is written for UDP: fits every usual MTU */
    SNW_PACKET_NAME = 64,   /* bytes of a name that are kept, with its zero */
    SNW_OSC_VALUES_MAX = 16
};

/* ---- a frame ----------------------------------------------------------------------------------
 */

/* A marker or a tracker of a stream. */
typedef struct snw_packet_point {
    char name[SNW_PACKET_NAME]; /* "" where nobody named it */
    snw_vec3 place;             /* metres, in the sender's axes */
    snw_quat rotation;          /* of a tracker, else the identity */
    bool is_seen, has_rotation;
} snw_packet_point;

/* What a stream says of an instant. Start from {0} with points and their room. */
typedef struct snw_packet_frame {
    int64_t number;  /* the sender's; -1: it counts none */
    double time;     /* seconds of the sender's clock; NaN: it has none */
    double rate;     /* frames a second; 0: it does not say */
    snw_up_axis up;  /* UNKNOWN: it does not say */
    int count, room; /* points */
    int name_count;  /* the first so many were named by a description (QTM); 0: by the frames */
    snw_packet_point *point; /* (room) of the caller */
} snw_packet_frame;

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

/* VRChat's trackers of the same pose as one OSC bundle, its bytes: 1 hips, 2 chest, 3 and 4 left
 * and right foot, 5 and 6 knees, 7 and 8 elbows, and the head, by which VRChat aligns the others;
 * places in metres, turns in degrees, both in Unity's axes. Joints that the rig has not are left
 * out. */
SNW_API int64_t snw_vrchat_write(const snw_pose *pose, uint8_t bytes[SNW_PACKET_SIZE]);

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

/* ---- Qualisys RT ------------------------------------------------------------------------------
 */

enum {
    SNW_QTM_PORT = 22223,    /* TCP, little-endian */
    SNW_QTM_PACKET = 1 << 22 /* bytes: longer packets are refused */
};

typedef enum snw_qtm_kind {
    SNW_QTM_ERROR = 0,
    SNW_QTM_COMMAND = 1, /* text: "Version 1.21", "StreamFrames AllFrames 3D" */
    SNW_QTM_XML = 2,     /* labels, rate, up */
    SNW_QTM_DATA = 3,
    SNW_QTM_NO_MORE = 4, /* the measurement ended */
    SNW_QTM_EVENT = 6,
    SNW_QTM_OTHER = -1
} snw_qtm_kind;

/* Bytes of the packet that begins here, 0 while that is not known; SIZE_MAX: there is none. */
SNW_API size_t snw_qtm_size(const uint8_t *bytes, size_t size);
SNW_API snw_qtm_kind snw_qtm_kind_of(const uint8_t *bytes, size_t size);
/* The words of an error, a command or an event; "" of others. They end inside the packet. */
SNW_API const char *snw_qtm_text(const uint8_t *bytes, size_t size);
/* Takes a whole packet in. XML: names, rate and up; data: places, those of labelled markers first,
 * in the order of the names. SNW_FORMAT, with no point seen, where it breaks off. */
SNW_API snw_status snw_qtm_read(snw_packet_frame *frame, const uint8_t *bytes, size_t size,
                                snw_error *error);
/* A packet: of `text` (ERROR, COMMAND), else of the frame: its names (XML) or its places (DATA).
 * Bytes written, 0 where they do not fit. */
SNW_API size_t snw_qtm_write(snw_qtm_kind kind, const char *text, const snw_packet_frame *frame,
                             uint8_t *bytes, size_t room);

/* ---- VRPN -------------------------------------------------------------------------------------
 */

enum {
    SNW_VRPN_PORT = 3883,       /* TCP */
    SNW_VRPN_COOKIE = 24,       /* bytes that each end sends first */
    SNW_VRPN_SENDERS_MAX = 128, /* trackers of a connection; more are passed over */
    SNW_VRPN_MESSAGE = 64000    /* bytes: longer messages are refused */
};

typedef struct snw_vrpn_sender {
    int32_t id;
    char name[SNW_PACKET_NAME];
} snw_vrpn_sender;

/* What one end of a connection has told of its numbers. Start from {0}. */
typedef struct snw_vrpn {
    int sender_count;
    snw_vrpn_sender sender[SNW_VRPN_SENDERS_MAX];
    int32_t pose_type; /* of "vrpn_Tracker Pos_Quat" */
    bool has_pose_type;
} snw_vrpn;

/* "vrpn: ver. 07.35  0". Any version 7 is taken. */
SNW_API void snw_vrpn_cookie(uint8_t bytes[SNW_VRPN_COOKIE]);
SNW_API bool snw_vrpn_is_cookie(const uint8_t bytes[SNW_VRPN_COOKIE]);
/* Bytes of the message that begins here with what fills it up, 0 while that is not known; SIZE_MAX:
 * there is none. */
SNW_API size_t snw_vrpn_size(const uint8_t *bytes, size_t size);
/* Takes a whole message in: a name, or a tracker's place and rotation, which becomes the point of
 * the tracker's name ("head"; "suit/2": its sensor 2) and the frame's time. Other messages change
 * nothing. SNW_FORMAT where it breaks off or numbers cannot be. */
SNW_API snw_status snw_vrpn_read(snw_vrpn *state, snw_packet_frame *frame, const uint8_t *bytes,
                                 size_t size, snw_error *error);
/* What a server says first: every point is a sender, its number that of the point. */
SNW_API size_t snw_vrpn_write_names(const snw_packet_frame *frame, uint8_t *bytes, size_t room);
/* The places and rotations of all points that are seen. Bytes written, 0 where they do not fit. */
SNW_API size_t snw_vrpn_write(const snw_packet_frame *frame, uint8_t *bytes, size_t room);

/* ---- frames for everybody else ----------------------------------------------------------------
 */

/* A frame as JSON, in one line, numbers in metres:
 *
 *   {"frame": 7, "time": 0.07, "rate": 100, "up": "y",
 *    "points": {"LKNE": [x, y, z], "head": [x, y, z, qw, qx, qy, qz], "LANK": null},
 *    "loose": [[x, y, z], ...]}
 *
 * All keys but points or loose may be missing; other keys are passed over. null: hidden. Points
 * that it does not name become hidden. SNW_FORMAT, with no point seen, where it is no such text. */
SNW_API snw_status snw_packet_read_json(snw_packet_frame *frame, const char *text, size_t size,
                                        snw_error *error);
/* A point of a frame as a camera saw it. */
typedef struct snw_packet_sight {
    int point; /* of the frame */
    snw_sighting seen;
} snw_packet_sight;

/* What cameras saw in a frame. */
typedef struct snw_packet_views {
    const snw_cameras *cameras;
    int count, room;         /* of the last frame; those beyond the room are left out */
    snw_packet_sight *sight; /* (room) of the caller */
} snw_packet_views;

/* The same, and pixels of several cameras, by the names of the calibration:
 *
 *   "views": {"cam_01": {"LKnee": [x, y, confidence], ...}, "cam_02": {...}}
 *
 * A confidence may be missing; 0 is not seen. Points that two cameras agree on are seen where their
 * rays meet (snw_triangulate), others are hidden. SNW_FORMAT for a camera without calibration. */
SNW_API snw_status snw_packet_read_views(snw_packet_frame *frame, snw_packet_views *views,
                                         const char *text, size_t size, snw_error *error);
/* Length of the text without its zero; 0 where it does not fit. */
SNW_API size_t snw_packet_write_json(const snw_packet_frame *frame, char *text, size_t room);
/* The same as bytes, little-endian, the names being those of the last JSON: "SNWF" | u32 flags, 1:
 * rotations | i64 number | f64 time | u32 count | each f32 x, y, z (NaN: hidden) [f32 w, x, y, z].
 */
SNW_API snw_status snw_packet_read_bytes(snw_packet_frame *frame, const uint8_t *bytes, size_t size,
                                         snw_error *error);
SNW_API size_t snw_packet_write_bytes(const snw_packet_frame *frame, uint8_t *bytes, size_t room);

/* ---- WebSocket --------------------------------------------------------------------------------
 */

enum {
    SNW_WEBSOCKET_PREFIX = 14, /* bytes at most */
    SNW_WEBSOCKET_MORE = 0,    /* what a frame is: a message goes on, ... */
    SNW_WEBSOCKET_TEXT = 1,
    SNW_WEBSOCKET_BYTES = 2,
    SNW_WEBSOCKET_CLOSE = 8,
    SNW_WEBSOCKET_PING = 9,
    SNW_WEBSOCKET_PONG = 10
};

typedef struct snw_websocket_frame {
    int kind;
    bool is_last, is_masked;
    size_t head; /* bytes before the payload */
    uint64_t payload;
    uint8_t mask[4];
} snw_websocket_frame;

/* The head of the frame that begins here; false while it is not all there. SNW_FORMAT in *error:
 * there is none (reserved bits, unknown kinds, a control frame that is long or in parts). */
SNW_API bool snw_websocket_read(const uint8_t *bytes, size_t size, snw_websocket_frame *frame,
                                snw_error *error);
/* The head of a last frame; mask NULL: a server's. Its bytes. */
SNW_API size_t snw_websocket_write(int kind, uint64_t payload, const uint8_t *mask,
                                   uint8_t bytes[SNW_WEBSOCKET_PREFIX]);
/* Puts the mask on or takes it off. */
SNW_API void snw_websocket_mask(const uint8_t mask[4], uint8_t *payload, size_t size);
/* What a server answers to a client's key: base64 of the SHA-1 of key and RFC 6455's constant. */
SNW_API void snw_websocket_accept(const char *key, size_t size, char accept[29]);

#ifdef __cplusplus
}
#endif
#endif
