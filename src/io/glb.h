/* What the files of the GLB writer share: little-endian numbers, the body's mesh, the JSON, and the
 * markers that may go with a body. Internal to io. */
#ifndef SNW_IO_GLB_H
#define SNW_IO_GLB_H

#include "io/formats.h"

void snw__glb_put_u32(snw__output *output, uint32_t value);
void snw__glb_put_float(snw__output *output, float value);
/* A JSON string; bytes that are no UTF-8 are taken as Latin-1. */
void snw__glb_put_string(snw__output *json, const char *text);

/* Markers of a capture as small octahedra that move with the body and vanish where they were not
 * seen. Markers that are never seen are left out. */
typedef struct snw__glb_markers {
    const snw_trial *trial; /* NULL: none */
    snw_quat turn;          /* file from the trial's world */
    int frame_count;        /* of the motion: the trial may be longer */
    int count;              /* that are seen at all */
    int channel_count;      /* a place for each, and a size for those with gaps */
} snw__glb_markers;

/* Where the markers' parts stand in the lists of the file. */
typedef struct snw__glb_places {
    int node; /* their common parent; the markers follow */
    int mesh; /* of one marker */
    int material;
    int view;     /* vertices, normals, animation */
    int accessor; /* the same: vertices, normals, one for each channel */
    int times;    /* accessor */
    int sampler;
} snw__glb_places;

snw__glb_markers snw__glb_markers_of(const snw_write_options *options, int frame_count);
/* Bytes of the three views. */
void snw__glb_markers_sizes(const snw__glb_markers *markers, double size[3]);

/* Each with a comma before it. */
void snw__glb_markers_put_nodes(const snw__glb_markers *markers, const snw__glb_places *at,
                                snw__output *json);
void snw__glb_markers_put_mesh(const snw__glb_places *at, snw__output *json);
void snw__glb_markers_put_accessors(const snw__glb_markers *markers, const snw__glb_places *at,
                                    snw__output *json);
void snw__glb_markers_put_channels(const snw__glb_markers *markers, const snw__glb_places *at,
                                   snw__output *json);
void snw__glb_markers_put_samplers(const snw__glb_markers *markers, const snw__glb_places *at,
                                   snw__output *json);
/* The three views. */
void snw__glb_markers_put_binary(const snw__glb_markers *markers, snw__output *output);

/* Reading, by gltf.h. */
snw_status snw__glb_read_motion(snw__reading *reading, snw_skeleton **skeleton,
                                snw_motion **motion);
snw_status snw__glb_read_mesh(snw__reading *reading, snw_mesh **out);
/* A mesh without a body. */
snw_status snw__glb_write_mesh(snw__output *output, const snw_mesh *mesh);

/* ---- the body -------------------------------------------------------------------------------- */

typedef struct snw__glb_writer {
    snw__output *output;
    const snw_motion *motion;
    const snw_skeleton *skeleton;
    snw_quat turn;       /* file from the motion's world */
    snw_xform *bind;     /* (joint_count) world_from_joint at rest, file's world */
    bool *turns, *moves; /* (joint_count) has a rotation or translation channel */
    bool is_too_large;   /* a number does not fit a float */
    int bone_count;
    int tip_count; /* ends of the body, each a node and a bone: a bone without a child has no length
                      in animation programs */
    uint32_t vertex_count;
    uint32_t animation_size; /* bytes */
    float low[3], high[3];   /* of the vertices */
    bool is_vrm;
    const snw_skin *skin; /* instead of octahedra; NULL: none */
    float *bend;          /* (bends of the skin x frames) their amounts */
    snw_vec3 *normal;     /* (vertices of the skin) not of length 1 */
    snw__glb_markers markers;
    snw__glb_places at; /* of the markers' parts */
} snw__glb_writer;

/* A number of the file; one beyond the floats is 0 and is_too_large remembers it. */
float snw__glb_float_of(snw__glb_writer *writer, double value);
void snw__glb_put_f32(snw__glb_writer *writer, double value);
void snw__glb_put_vec3(snw__glb_writer *writer, snw_vec3 v);

/* The joint's transform from its parent's node, in frame `frame`, or at rest for -1. */
snw_xform snw__glb_local_at(const snw__glb_writer *writer, int frame, int joint);
double snw__glb_time_of(const snw__glb_writer *writer, int frame);

/* Counts bones and vertices and bounds them; bind is there. */
void snw__glb_mesh_measure(snw__glb_writer *writer);
/* Positions, normals, joints, weights, inverse bind matrices. */
void snw__glb_mesh_put_binary(snw__glb_writer *writer);

/* The same for a skin; its triangles are the last section. */
snw_status snw__glb_skin_check(const snw_skin *skin, const snw_motion *motion, snw_error *error);
void snw__glb_skin_put_triangles(snw__glb_writer *writer);
/* The sections behind the triangles. */
void snw__glb_skin_put_more(snw__glb_writer *writer);
/* How far each vertex goes in the shape of a bend, file's world, by the farthest amount; zero where
 * it does not go. Low and high of it are the accessor's. */
void snw__glb_skin_shape_range(const snw__glb_writer *writer, int bend, double low[3],
                               double high[3]);

/* Sections of the binary part. */
typedef struct snw__glb_section {
    uint32_t size;
    bool is_vertices;
    bool is_triangles;
} snw__glb_section;

/* Three are the markers', the others behind them a skin's: its triangles, the joints and weights
 * beyond four, the shapes of its bends and their amounts. */
enum {
    SNW__GLB_TRIANGLES = 9,
    SNW__GLB_MORE_JOINTS,
    SNW__GLB_MORE_WEIGHTS,
    SNW__GLB_SHAPES,
    SNW__GLB_AMOUNTS,
    SNW__GLB_SECTIONS
};

void snw__glb_list_sections(const snw__glb_writer *writer,
                            snw__glb_section section[SNW__GLB_SECTIONS]);
void snw__glb_put_json(snw__glb_writer *writer, snw__output *json);

#endif
