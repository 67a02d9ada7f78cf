/* sinew/rig.h - a motion as other programs expect it: rest pose a T that faces +Z with +Y up and
 * the feet on the floor, bones along their usual axes, usual names.
 *
 *     snw_rig_options options = snw_rig_options_default();
 *     options.names = SNW_RIG_MIXAMO;
 *     if (snw_motion_to_rig(motion, &options, NULL, &rigged, NULL, &error) == SNW_OK)
 *         snw_write_motion_file("walk.glb", false, rigged, NULL, &error);
 *
 * Every joint is in the world where it was, in every frame; only what counts as rest changes (but
 * for `is_symmetric`). The
 * new motion owns its skeleton. Any thread; NULL options, allocator, notes and error are allowed.
 */
#ifndef SINEW_RIG_H
#define SINEW_RIG_H

#include <sinew/body.h>
#include <sinew/person.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The part of a person that a joint moves: the shoulder is the collar bone, the arm the upper arm,
 * the chest the whole spine below the neck. What the joint's name says, in the words of Sinew,
 * Mixamo, HumanIK, Unreal, Rigify, Acclaim and Theia. `side` may be NULL. */
SNW_API snw_part snw_rig_part_of(const snw_skeleton *skeleton, int joint, snw_side *side);

/* The same for a name alone: without the other names "shoulder" is the collar bone. */
SNW_API snw_part snw_rig_part_from_name(const char *name, snw_side *side);

/* The one list of naming schemes. X(enumerator, name). Append only. */
#define SNW_RIG_NAMES_MAP(X) \
    X(KEEP, "keep")          \
    X(HUMANIK, "humanik")    \
    X(MIXAMO, "mixamo")      \
    X(UNREAL, "unreal")      \
    X(BLENDER, "blender")    \
    X(VRM, "vrm")

typedef enum snw_rig_names {
#define SNW_RIG_NAMES_ENUM(enumerator, name) SNW_RIG_##enumerator,
    SNW_RIG_NAMES_MAP(SNW_RIG_NAMES_ENUM)
#undef SNW_RIG_NAMES_ENUM
    SNW_RIG_NAMES_COUNT
} snw_rig_names;

SNW_API const char *snw_rig_names_name(snw_rig_names names);
/* -1 when there is no such scheme. */
SNW_API int snw_rig_names_find(const char *name);

typedef struct snw_rig_options {
    snw_rig_names names;
    snw_vec3 up;        /* of the motion's world; becomes +Y; +Y */
    bool has_t_pose;    /* else the rest pose stays; true */
    char bone_axis;     /* 'x', 'y' or 0: the axis of the joint's frame that lies along the bone, 0:
                           all frames are as the world's in the T-pose; 0 */
    bool is_on_floor;   /* the lowest point of the feet comes to height 0; false */
    bool has_foot_lock; /* feet that stand are held where they stand; false */
    bool has_root; /* the hips hang from "root", which stays on the floor, as Unreal has it; false
                    */
    bool is_symmetric; /* bones of both sides as long as their mean, the spine in the middle: joints
                          move by what was estimated apart, which is told in the notes; false */
    snw_vec3 thumb[SNW_SIDES]; /* which way the thumb lies from the little finger at a wrist, in the
                                  frame of the forearm's joint (snw_actor_thumb): palms face
                                  down in the T; zero: where a joint is called thumb, it tells */
    uint64_t reserved[4];      /* 0; later versions grow here */
} snw_rig_options;

SNW_API snw_rig_options snw_rig_options_default(void);

/* SNW_UNSUPPORTED when a T-pose is asked for and the names do not tell hips and both legs. */
SNW_API snw_status snw_motion_to_rig(const snw_motion *motion, const snw_rig_options *options,
                                     const snw_allocator *allocator, snw_motion **out,
                                     snw_notes *notes, snw_error *error);

/* ---- one pose at a time ---------------------------------------------------------------------- */

/* The same for poses as they come, live. Belongs to one thread at a time. */
typedef struct snw_rig snw_rig;

/* Takes all memory; the skeleton must outlive it. SNW_INVALID_ARGUMENT for what needs the whole
 * motion: is_on_floor, has_foot_lock. */
SNW_API snw_status snw_rig_create(const snw_skeleton *skeleton, const snw_rig_options *options,
                                  const snw_allocator *allocator, snw_rig **out, snw_error *error);
SNW_API void snw_rig_destroy(snw_rig *rig);
/* The skeleton of its poses; lives as long as the rig. */
SNW_API const snw_skeleton *snw_rig_skeleton(const snw_rig *rig);
/* What snw_motion_to_rig makes of a frame: `pose` is of the first skeleton, `out` of the rig's, its
 * world filled. Takes no memory. */
SNW_API void snw_rig_step(snw_rig *rig, const snw_pose *pose, snw_pose *out);

#ifdef __cplusplus
}
#endif
#endif
