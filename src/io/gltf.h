/* What the files of the GLB reader share: the scene as the JSON describes it. Internal to io. */
#ifndef SNW_IO_GLTF_H
#define SNW_IO_GLTF_H

#include "base/memory.h"
#include "io/json_tree.h"

/* Where a node stands in another: p -> turn(scale p) + place. glTF's scales along single axes
 * become their geometric mean. */
typedef struct snw__gltf_place {
    double scale;
    snw_xform at;
} snw__gltf_place;

typedef struct snw__gltf_accessor {
    const uint8_t *data; /* first element; NULL: there is none */
    int64_t count;
    int width;          /* components of an element */
    int64_t stride;     /* bytes from element to element */
    int component_type; /* 5120 int8 .. 5126 float */
    bool is_normalized;
} snw__gltf_accessor;

typedef struct snw__gltf_node {
    int value;  /* of the JSON */
    int parent; /* -1: none */
    int mesh, skin;
    snw__gltf_place rest;  /* from its parent */
    snw__gltf_place world; /* the same from the scene */
    bool is_bone;          /* a skin names it */
    bool is_moving;        /* an animation moves it */
    bool is_kept;          /* a joint of the body, or one's tip */
    int joint;             /* of the skeleton; of the joint whose tip it is; -1 */
    bool is_tip;
    int root;       /* of its tree */
    int bone_count; /* in it and below it */
    bool is_under;  /* the body's first joint, or it */
    bool has_child; /* that is kept */
    bool has_bind;
    snw__gltf_place bind; /* inverse bind matrix */
    const char *part;     /* what VRM calls it; NULL: nothing */
} snw__gltf_node;

/* A path of the animation that is read. */
typedef struct snw__gltf_channel {
    int node;
    char path; /* 't', 'r' */
    char way;  /* 'L' linear, 'S' step, 'C' cubic */
    const snw__gltf_accessor *time, *value;
} snw__gltf_channel;

typedef struct snw__gltf {
    snw__reading *reading;
    char *bytes; /* the whole file */
    size_t size;
    const uint8_t *binary; /* its second chunk */
    int64_t binary_size;
    snw__json json;
    int node_count, accessor_count, channel_count;
    int view_count, mesh_count, skin_count, sampler_count;
    int *view, *mesh, *skin, *sampler; /* values of the JSON */
    snw__gltf_node *node;              /* (node_count) */
    snw__gltf_accessor *accessor;      /* (accessor_count) */
    snw__gltf_channel *channel;        /* (channel_count) of the first animation */
    int *order;                        /* (node_count) parents before children */
    snw__block block;
} snw__gltf;

snw__gltf_place snw__gltf_mul(snw__gltf_place a, snw__gltf_place b);
snw__gltf_place snw__gltf_inverse(snw__gltf_place a);
snw_vec3 snw__gltf_point(snw__gltf_place a, snw_vec3 p);

/* Reads container and JSON; close it whatever open said. */
snw_status snw__gltf_open(snw__gltf *file, snw__reading *reading);
void snw__gltf_close(snw__gltf *file);
/* A sentence about the file. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
snw_status
snw__gltf_fail(const snw__gltf *file, snw_status status, const char *format, ...);

/* Component k of element n, which must be there; normalized integers as fractions. */
double snw__gltf_value(const snw__gltf_accessor *accessor, int64_t n, int k);
/* Accessor `name` of a JSON object with that many components (0: any), NULL where there is none;
 * a wrong one fails. */
snw_status snw__gltf_accessor_of(const snw__gltf *file, int object, const char *name, int width,
                                 const snw__gltf_accessor **out);

/* Bone `n` of VRM's humanoid, NULL behind the last. */
const char *snw__vrm_part(int n, bool *is_required);

/* Which nodes are joints, and the skeleton that they make; *motion has the frames of the first
 * animation, or one. */
snw_status snw__gltf_read_body(snw__gltf *file, snw_skeleton **skeleton, snw_motion **motion);
/* From the vertices of a skin to the world at rest. */
snw__gltf_place snw__gltf_skin_place(const snw__gltf *file, int skin);

#endif
