/* sinew/skin.h - bodies to look at: a person's surface made from a skeleton, weights that tie a
 * surface to joints, and surfaces that move.
 *
 *     snw_mesh *surface = NULL;
 *     snw_skin *skin = NULL;
 *     snw_skin_options parts = snw_skin_options_default();
 *     parts.has_parts = true;
 *     if (snw_figure_create(body, NULL, NULL, &surface, NULL, &error) == SNW_OK &&
 *         snw_skin_create(surface, body, &parts, NULL, &skin, &error) == SNW_OK)
 *         snw_skin_deform(skin, pose, SNW_BLEND_DUAL_QUATERNION, vertices, &error);
 *
 * The surface stands where the skeleton does at rest. A skin is constant once made: any number of
 * threads may deform with it. NULL options, allocator and error are allowed.
 */
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include <sinew/body.h>
#include <sinew/person.h>
#include <sinew/solid.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a person's surface ------------------------------------------------------------------- */

/* Where a tape goes round a body, across the trunk or the limb. X(enumerator, name). */
#define SNW_GIRTH_MAP(X)      \
    X(HEAD, "head")           \
    X(NECK, "neck")           \
    X(CHEST, "chest")         \
    X(WAIST, "waist")         \
    X(HIPS, "hips")           \
    X(UPPER_ARM, "upper-arm") \
    X(FOREARM, "forearm")     \
    X(WRIST, "wrist")         \
    X(THIGH, "thigh")         \
    X(KNEE, "knee")           \
    X(CALF, "calf")           \
    X(ANKLE, "ankle")

typedef enum snw_girth {
#define SNW_GIRTH_ENUM(enumerator, name) SNW_GIRTH_##enumerator,
    SNW_GIRTH_MAP(SNW_GIRTH_ENUM)
#undef SNW_GIRTH_ENUM
    SNW_GIRTH_COUNT
} snw_girth;

SNW_API const char *snw_girth_name(snw_girth girth);
/* -1 when there is no such girth. */
SNW_API int snw_girth_find(const char *name);

typedef struct snw_figure_options {
    snw_people people; /* whose masses; ADULTS */
    double stature;    /* metres; 0: by the length of the legs */
    double mass;       /* kilograms; 0: that of people of this stature, as their table has it */
    double cell;       /* metres, 0.003 to 0.1: size of the triangles; 0: stature / 175 */
    double girth[SNW_GIRTH_COUNT]; /* metres, measured on the person, half to twice the figure's
                                      own; its part is then as heavy as it comes; 0: by the mass */
    uint64_t reserved[4];          /* 0; later versions grow here */
} snw_figure_options;

SNW_API snw_figure_options snw_figure_options_default(void);

#define SNW_FIGURE_SEGMENT_MAX 16

/* What a part of the surface weighs, and what the table says it should. Trunk, hips and head are
 * cut by level planes, thighs by a plane that rises 37 degrees outwards through the hip
 * (Zatsiorsky), the others across the limb at the joint. */
typedef struct snw_figure_segment {
    snw_part part;
    snw_side side;
    double volume;     /* m3 */
    double mass;       /* kg, by the density of the part */
    double table_mass; /* kg */
} snw_figure_segment;

typedef struct snw_figure_report {
    double stature, mass;          /* as asked for or found */
    double volume;                 /* of the mesh */
    double girth[SNW_GIRTH_COUNT]; /* of the figure, left and right alike */
    int segment_count;
    snw_figure_segment segment[SNW_FIGURE_SEGMENT_MAX];
} snw_figure_report;

/* Whether a skeleton is that of one hand: five fingers of two bones or more from one wrist, and no
 * legs. */
SNW_API bool snw_figure_is_hand(const snw_skeleton *skeleton);

/* One closed surface with head, hands and feet round a skeleton that rests in a T, facing +Z with
 * +Y up (snw_motion_to_rig makes it so). Each part is as thick as the table's mass and the density
 * of the part ask for. The reference of a triangle is its snw_part. Fingers lie round the fingers'
 * own joints where there are five. A hand alone, as it rests, gets the surface of a hand. A right
 * one where no name says left. SNW_UNSUPPORTED where the names do not tell hips and both legs, or
 * the rest pose is no T. */
SNW_API snw_status snw_figure_create(const snw_skeleton *skeleton,
                                     const snw_figure_options *options,
                                     const snw_allocator *allocator, snw_mesh **out,
                                     snw_figure_report *report, snw_error *error);

/* What moves with each joint of the same skeleton: the surface cut at the joints as above, trunk,
 * neck, forearms and feet also where the skeleton has joints inside of them, by the densities of
 * the parts. Any closed surface in that rest pose will do. `out` (joint_count), in the world at
 * rest; all 0 for joints that move nothing of their own (collar bones, single fingers). */
SNW_API snw_status snw_figure_masses(const snw_mesh *figure, const snw_skeleton *skeleton,
                                     const snw_figure_options *options, snw_mass_properties *out,
                                     snw_error *error);
/* The skeleton again, with these masses, centres and inertias (joint_count, as above). */
SNW_API snw_status snw_skeleton_with_masses(const snw_skeleton *skeleton,
                                            const snw_mass_properties *mass,
                                            const snw_allocator *allocator, snw_skeleton **out,
                                            snw_error *error);
/* The motion of any person whose joints' names tell hips and both legs, on the same skeleton with
 * the masses of a figure, which it owns. `figure`: made for the T of snw_motion_to_rig with default
 * options, or NULL: it is made here by the options. */
SNW_API snw_status snw_motion_weigh(const snw_motion *motion, const snw_mesh *figure,
                                    const snw_figure_options *options,
                                    const snw_allocator *allocator, snw_motion **out,
                                    snw_error *error);

/* ---- weights ------------------------------------------------------------------------------ */

#define SNW_SKIN_JOINTS 8

/* The joints that a vertex moves with, and by how much; weights sum to 1, the largest first. */
typedef struct snw_skin_vertex {
    uint16_t joint[SNW_SKIN_JOINTS];
    float weight[SNW_SKIN_JOINTS];
} snw_skin_vertex;

/* A vertex at rest goes this way, in metres for each metre of the bend's amount. */
typedef struct snw_skin_shift {
    int vertex;
    float way[3];
} snw_skin_shift;

#define SNW_SKIN_BEND_STEPS 6

/* What blending loses at an elbow or knee: its shifts, by an amount that depends on the bend. */
typedef struct snw_skin_bend {
    int joint;
    snw_vec3 bone;                        /* unit, that turns, in the joint's frame */
    int first, count;                     /* of the shifts; none of two bends has the same vertex */
    float amount[2][SNW_SKIN_BEND_STEPS]; /* metres, by snw_blend, at 0, 30, ... 150 degrees */
} snw_skin_bend;

typedef struct snw_skin {
    const snw_mesh *mesh;          /* its own copy, at rest */
    const snw_skin_vertex *vertex; /* (vertex_count) */
    int joint_count;               /* of the skeleton */
    const snw_xform *bind;         /* (joint_count) world_from_joint at rest */
    int most_joints;               /* that a vertex moves with: up to 4 or 8 */
    int bend_count;                /* 0: no corrections */
    const snw_skin_bend *bend;     /* (bend_count) */
    const snw_skin_shift *shift;   /* (vertex_count) as many as the bends have */
    snw_mesh *own_mesh;
    snw_allocator allocator;
    size_t block_size;
} snw_skin;

typedef struct snw_skin_options {
    double heat;    /* how much nearer bones count against smoothness; 1 (Baran & Popovic) */
    bool has_parts; /* references of the vertices are snw_parts, as snw_figure_create makes them:
                       each takes heat from the bones of its own part; false */
    bool has_bends; /* elbows and knees keep their volume; false */
    int joints;     /* of a vertex at most, 4 or 8; 4 */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_skin_options;

SNW_API snw_skin_options snw_skin_options_default(void);

/* Weights by heat (Baran & Popovic 2007): each vertex takes the heat of the nearest bone that it
 * sees, and heat flows along the surface. Open surfaces are fine; parts that no bone is seen from
 * follow the nearest one. SNW_INVALID_ARGUMENT for more than 512 joints or other numbers than 4 and
 * 8, SNW_DEGENERATE for a surface without triangles, and with has_bends for an open one, which
 * holds no volume. */
SNW_API snw_status snw_skin_create(const snw_mesh *mesh, const snw_skeleton *skeleton,
                                   const snw_skin_options *options, const snw_allocator *allocator,
                                   snw_skin **out, snw_error *error);
/* With weights of your own (vertex_count of them): joints of the skeleton, each sum 1. */
SNW_API snw_status snw_skin_create_tied(const snw_mesh *mesh, const snw_skeleton *skeleton,
                                        const snw_skin_vertex *vertex,
                                        const snw_allocator *allocator, snw_skin **out,
                                        snw_error *error);
SNW_API void snw_skin_destroy(snw_skin *skin);

/* ---- moving ------------------------------------------------------------------------------- */

typedef enum snw_blend {
    SNW_BLEND_LINEAR,         /* of matrices: thin where a joint twists */
    SNW_BLEND_DUAL_QUATERNION /* Kavan et al. 2008: keeps the volume better */
} snw_blend;

/* Where the vertices are in a pose of the same skeleton, whose world is filled: (3 x vertex_count)
 * floats. Allocates nothing. SNW_INVALID_ARGUMENT where the pose has another number of joints. */
SNW_API snw_status snw_skin_deform(const snw_skin *skin, const snw_pose *pose, snw_blend blend,
                                   float *out, snw_error *error);

/* How far a bend of the skin is corrected in a pose whose world is filled, metres; 0 where there is
 * no such bend. snw_skin_deform does it; files with shapes of their own (GLB) want to know. */
SNW_API double snw_skin_bend_amount(const snw_skin *skin, const snw_pose *pose, int bend,
                                    snw_blend blend);

#ifdef __cplusplus
}
#endif
#endif
