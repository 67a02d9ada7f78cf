/* A model of MJCF while it is read. Internal to io: mjcf.c reads the text, mjcf_body.c makes
 * the skeleton, mjcf_geom.c the collision shapes, mjcf_replicate.c repeats what is repeated. */
#ifndef SNW_IO_MJCF_H
#define SNW_IO_MJCF_H

#include "base/memory.h"
#include "base/name_set.h"
#include "io/robot_body.h"
#include "io/robot_shapes.h"

/* What a joint element or a class says, and which of it was said. */
typedef enum snw__mjcf_field {
    SNW__MJCF_TYPE = 1,
    SNW__MJCF_POS = 2,
    SNW__MJCF_AXIS = 4,
    SNW__MJCF_RANGE = 8,
    SNW__MJCF_LIMITED = 16,
    SNW__MJCF_REF = 32
} snw__mjcf_field;

typedef enum snw__mjcf_limited {
    SNW__MJCF_FALSE,
    SNW__MJCF_TRUE,
    SNW__MJCF_AUTO
} snw__mjcf_limited;

typedef struct snw__mjcf_joint {
    snw__span name;
    int body;
    int next;  /* joint of the same body, or -1 */
    int index; /* in the skeleton */
    unsigned said;
    snw_joint_type type;
    double pos[3], axis[3], range[2], ref;
    snw__mjcf_limited limited;
} snw__mjcf_joint;

/* What a geom or a class says of geoms. */
typedef struct snw__mjcf_geom {
    unsigned said; /* a bit for each field, in the order here */
    snw__span type;
    double size[3], pos[3], fromto[6], contype, conaffinity;
    snw_quat turn;
    snw__span mesh;
} snw__mjcf_geom;

typedef struct snw__mjcf_class {
    snw__span name;
    int parent;
    snw__mjcf_joint joint; /* what the class says of joints, */
    snw__mjcf_geom geom;   /* of geoms, */
    bool has_scale;        /* and of meshes */
    double scale[3];
} snw__mjcf_class;

typedef struct snw__mjcf_body {
    snw__span name;
    int parent; /* -1: the world */
    snw_xform rest;
    double mass;
    snw_xform inertial;          /* centre and axes of the moments */
    double inertia[6];           /* xx yy zz xy xz yz; 0: not said */
    int joint_first, joint_last; /* or -1 */
    int index;                   /* in the skeleton */
} snw__mjcf_body;

/* <replicate>: what it holds is read `count` times. */
typedef struct snw__mjcf_replica {
    snw__xml open; /* where it begins */
    snw__span sep;
    int count, index;
    double euler[3];
    snw_vec3 offset;
    snw_xform frame; /* of this replica */
} snw__mjcf_replica;

enum {
    SNW__MJCF_REPLICA_DEPTH_MAX = 4 /* within each other; published ones have two */
};

typedef struct snw__mjcf {
    snw__text_input text;
    snw__reading *reading;
    snw__xml xml;
    int replica_depth, replica_passes;
    size_t replica_text; /* characters read again */
    snw__mjcf_replica replica[SNW__MJCF_REPLICA_DEPTH_MAX];
    int made_count, made_used;
    char (*made)[SNW__NAME_SIZE]; /* (made_count) names of what is repeated */
    double angle;                 /* radians in one unit of the file's angles */
    char eulerseq[4];
    bool has_autolimits;
    int class_count, body_count, joint_count;
    int class_used, body_used, joint_used;
    snw__mjcf_class *class; /* (class_count) 0: what holds for all */
    snw__mjcf_body *body;   /* (body_count) */
    snw__mjcf_joint *joint; /* (joint_count) */
    int connect_count;
    bool has_ball_range;
    snw__robot robot;
    snw__block block;
    snw__name_set class_names, body_names, joint_names;
} snw__mjcf;

/* What surrounds an element. */
typedef struct snw__mjcf_scope {
    int body;        /* or -1 */
    int class_index; /* of joints and geoms that name none */
    snw_xform frame; /* of <frame> elements since the body */
} snw__mjcf_scope;

/* An element of the world with what surrounds it, on entry its parent's. */
typedef snw_status snw__mjcf_visit(snw__mjcf *file, snw__mjcf_scope *scope, void *context);
snw_status snw__mjcf_each(snw__mjcf *file, snw__mjcf_visit *visit, void *context);
/* <frame> and <replicate>: how they move what they hold. */
snw_status snw__mjcf_enter_frame(snw__mjcf *file, snw__mjcf_scope *scope);
/* quat, axisangle, euler, xyaxes or zaxis; *said (or NULL): was there one? */
snw_status snw__mjcf_turn(snw__mjcf *file, snw_quat *turn, bool *said);
/* Turns by angles of the file, in its order. */
snw_quat snw__mjcf_euler(const snw__mjcf *file, const double angles[3]);
/* The class that the attribute names, or `otherwise`. */
snw_status snw__mjcf_class_of(snw__mjcf *file, const char *attribute, int otherwise, int *index);

/* The next element that opens, or the end; at the end of a <replicate> that goes on it opens
 * again. */
snw_status snw__mjcf_next(snw__mjcf *file);
/* The element's name, with the endings of the replicas around it; the first look counts them. */
snw__span snw__mjcf_name(snw__mjcf *file);
bool snw__mjcf_is_repeated(const snw__mjcf *file);

/* The skeleton of what was read. */
snw_status snw__mjcf_build(snw__mjcf *file, snw_skeleton **skeleton, snw_motion **motion);

snw_status snw__mjcf_read_geom(snw__mjcf *file, snw__mjcf_geom *geom);
void snw__mjcf_inherit_geom(snw__mjcf_geom *geom, const snw__mjcf_geom *other);
/* The shapes that collide, carried by joints that are called as those of `own`, the file's
 * skeleton; the world's by -1. */
snw_status snw__mjcf_shapes(snw__mjcf *file, const snw_skeleton *own, const snw__shapes *shapes);
/* A whole model's shapes. */
snw_status snw__mjcf_read_shapes(snw__reading *reading, const snw__shapes *shapes);

/* ---- <asset> <mesh/> (mjcf_mesh.c) ---------------------------------------------------------- */

typedef struct snw__mjcf_meshes {
    int count;
    snw__shape_mesh *mesh; /* (count) as their own files have them */
    snw__name_set names;
} snw__mjcf_meshes;

/* What a class says of meshes. */
snw_status snw__mjcf_read_mesh_class(snw__mjcf *file, snw__mjcf_class *class);
snw_status snw__mjcf_meshes_read(snw__mjcf *file, snw__mjcf_meshes *meshes);
void snw__mjcf_meshes_release(snw__mjcf *file, snw__mjcf_meshes *meshes);
/* NULL: there is none of that name with a file. */
const snw__shape_mesh *snw__mjcf_meshes_find(const snw__mjcf_meshes *meshes, snw__span name);

#endif
