/* sinew/body.h - bodies: joints with limits, the skeleton (never changes), the pose (changes),
 * forward kinematics, ready-made bodies, and motions (a pose over time).
 *
 *     snw_skeleton *arm = NULL;
 *     snw_pose *pose = NULL;
 *     snw_preset_chain(10, 0.1, NULL, &arm, NULL);
 *     snw_pose_create(arm, NULL, &pose, NULL);
 *     pose->rotation[2] = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.3);
 *     snw_pose_forward(pose);                       // fills pose->world
 *     snw_vec3 where = pose->world[9].translation;
 *
 * A skeleton is immutable: any number of threads may use it. A pose belongs to one thread at a
 * time. A skeleton must outlive the poses and motions made for it.
 */
#ifndef SINEW_BODY_H
#define SINEW_BODY_H

#include <sinew/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- joints ------------------------------------------------------------------------------- */

typedef enum snw_joint_type {
    SNW_JOINT_FIXED,     /* 0 degrees of freedom: a suture, a sensor mount, a bone's end */
    SNW_JOINT_HINGE,     /* 1: turns about `axis` */
    SNW_JOINT_UNIVERSAL, /* 2: turns about `axis`, then about the turned `axis2` (saddle, gliding)
                          */
    SNW_JOINT_PIVOT,     /* 1: turns about `axis`, which lies along the bone (forearm, atlas) */
    SNW_JOINT_BALL,      /* 3: any rotation; `axis` is the bone's direction, the axis of twist */
    SNW_JOINT_PRISMATIC, /* 1: slides along `axis` */
    SNW_JOINT_FREE,      /* 6: any rotation and any slide */
    SNW_JOINT_TYPE_COUNT
} snw_joint_type;

typedef enum snw_swing_limit {
    SNW_SWING_FREE,   /* the bone may point anywhere */
    SNW_SWING_CONE,   /* inside an irregular cone of four angles */
    SNW_SWING_POLYGON /* inside a window of up to SNW_WINDOW_MAX corners */
} snw_swing_limit;

#define SNW_WINDOW_MAX 16

/* What a joint may do. Angles in radians, slides in metres. Which fields count depends on the type:
 * hinge, pivot, prismatic: range[0]; universal: range[0] about axis, range[1] about axis2; ball:
 * swing and twist; fixed and free: nothing. A range of a full turn or more allows every angle.
 *
 * Swing is measured in the joint's rest frame with z = axis, x = axis2, y = axis x axis2: the bone
 * points along d = rotation * axis. psi = angle(axis, d), phi = its azimuth; the swing plane holds
 * the point (psi cos phi, psi sin phi), so distances from the middle are true angles up to pi.
 * The cone is four quarters of ellipses in that plane with the four angles as semi-axes; an angle
 * of 0 makes it flat, like a hinge; four times pi allows every direction. */
typedef struct snw_joint_limit {
    bool has_range[2];
    double range[2][2]; /* [which][low, high], any turn: [0, 350 deg]; angles within 1000 rad */
    snw_swing_limit swing;
    double cone[4];                   /* largest swing towards +x, +y, -x, -y, each in [0, pi] */
    int window_count;                 /* corners used, 3..SNW_WINDOW_MAX */
    double window[SNW_WINDOW_MAX][2]; /* corners in the swing plane, a simple polygon, either way
                                         round, with the middle or not; it may be concave; each
                                         nearer than pi - 2e-6 to the middle */
    bool has_twist;
    double twist[2]; /* range of the twist about axis (swing-twist with the twist applied first) */
} snw_joint_limit;

typedef struct snw_joint {
    snw_joint_type type;
    snw_vec3 axis;  /* unit (to 1e-10) */
    snw_vec3 axis2; /* unit; universal: not parallel to axis; ball with a swing limit:
                       perpendicular to axis (to 1e-10); otherwise it does not count */
    snw_joint_limit limit;
} snw_joint;

/* No limit at all. */
SNW_API snw_joint_limit snw_joint_limit_none(void);
/* How far outside its limits a rotation may be and still count as allowed: round-off of one
 * composition and renormalisation, far below anything visible. In radians. */
#define SNW_LIMIT_TOLERANCE 1e-9

/* Degrees of freedom of a type: 0, 1, 2, 1, 3, 1, 6. */
SNW_API int snw_joint_type_dof(snw_joint_type type);
/* "hinge"; never NULL. */
SNW_API const char *snw_joint_type_name(snw_joint_type type);
/* SNW_OK, or what is wrong with the joint (zero axis, low > high, crossing window, NaN...). */
SNW_API snw_status snw_joint_check(const snw_joint *joint, snw_error *error);

/* The rotation nearest to `rotation` that type and limits allow: bit for bit the input where it is
 * unit and allowed (within SNW_LIMIT_TOLERANCE), else an allowed one, unit, with the sign of the
 * input. Idempotent to the bit; q and -q give the same rotation; continuous where the nearest one
 * is unique; never NaN (what is not finite or has no length is read as the identity). The joint
 * must be one that snw_joint_check accepts.
 *
 * Nearest means: hinge, pivot, universal: the smallest angle between the two rotations; ball:
 * swing and twist each by itself, the swing by distance in the swing plane, the twist by distance
 * on the circle. A bone straight behind (psi = pi) has no azimuth of its own: there twist counts as
 * 0, and no result is put nearer than 1e-6 to it. */
SNW_API snw_quat snw_joint_limit_apply(const snw_joint *joint, snw_quat rotation);
/* The same for the slide of a prismatic or free joint; zero for all others. The tolerance is
 * SNW_LIMIT_TOLERANCE of the slide's length. */
SNW_API snw_vec3 snw_joint_limit_apply_slide(const snw_joint *joint, snw_vec3 slide);
/* By how much a rotation breaks type and limits: the angle to what snw_joint_limit_apply makes of
 * it, in radians; exactly 0 when allowed. */
SNW_API double snw_joint_limit_violation(const snw_joint *joint, snw_quat rotation);
/* By how much a slide breaks them, in metres. */
SNW_API double snw_joint_limit_violation_slide(const snw_joint *joint, snw_vec3 slide);

/* Joint coordinates: hinge, pivot: the angle; universal: two angles; prismatic: the slide; ball:
 * the rotation vector; free: slide then rotation vector. Angles are chosen inside the range when
 * there is one that covers them, the turn nearest to (-pi, pi] if several do, else in (-pi, pi].
 * Returns how many were written (= snw_joint_type_dof). */
SNW_API int snw_joint_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide,
                             double values[6]);
/* The inverse; limits are not applied. */
SNW_API void snw_joint_from_values(const snw_joint *joint, const double values[6],
                                   snw_quat *rotation, snw_vec3 *slide);

/* ---- skeleton ----------------------------------------------------------------------------- */

#define SNW_JOINT_MAX 4096

/* Two points of the body that must stay together (a closed loop): hands that hold one bar. */
typedef struct snw_pin {
    int joint_a;
    int joint_b;      /* -1: point_b is fixed in the world */
    snw_vec3 point_a; /* in the frame of joint a */
    snw_vec3 point_b;
} snw_pin;

/* A hinge, pivot or slide whose value goes with that of another one (a gripper's second finger, a
 * telescope): value = factor * value of `leader` + offset, radians or metres. */
typedef struct snw_follow {
    bool is_following;
    int leader; /* a hinge, pivot or slide, before or after this one; it may follow another */
    double factor;
    double offset;
} snw_follow;

/* One joint as a user writes it. Start from snw_joint_def_default(). */
typedef struct snw_joint_def {
    const char *name;       /* not empty, unique in the body; copied */
    const char *joint_name; /* what its file calls the joint, where `name` is that of the link or
                               body it moves; copied; NULL: the same */
    int parent;             /* index of an earlier definition; -1 for the root, which comes first */
    snw_joint joint;
    snw_xform rest;       /* parent_from_joint when the joint is at rest */
    bool has_tip;         /* the bone has an end of its own: true for the last bone of a segment */
    snw_vec3 tip;         /* that end, in the joint's frame */
    double mass;          /* kilograms; 0 = not known */
    double value_at_rest; /* what its file's coordinate counts at rest (MJCF ref), radians or
                             metres; values here are 0 at rest all the same */
    snw_follow follow;
    bool has_inertia;     /* mass_center and inertia are known */
    snw_vec3 mass_center; /* in the joint's frame */
    snw_mat3 inertia;     /* kg m2, about mass_center, along the joint's axes */
} snw_joint_def;

/* Fixed joint at its parent's place, axis +z, axis2 +x, no limits, no tip, no mass, following
 * none. */
SNW_API snw_joint_def snw_joint_def_default(void);

/* Read-only once built. Joint 0 is the root; parents come before children. */
typedef struct snw_skeleton {
    int joint_count;
    int dof_count; /* sum over joints */
    int pin_count;
    const int *parent;             /* (joint_count), -1 for joint 0 */
    const int *first_child;        /* (joint_count) lowest joint whose parent this is, or -1 */
    const int *next_sibling;       /* (joint_count) next joint with the same parent, or -1 */
    const int *dof_first;          /* (joint_count) where the joint's coordinates start */
    const snw_joint *joint;        /* (joint_count) */
    const snw_xform *rest;         /* (joint_count) parent_from_joint at rest */
    const bool *rest_is_unrotated; /* (joint_count) rest rotation is exactly the identity */
    const bool *has_tip;           /* (joint_count) */
    const snw_vec3 *tip;           /* (joint_count) in the joint's frame */
    const double *bone_length;     /* (joint_count) distance from the parent at rest; root: 0 */
    const double *mass;            /* (joint_count) */
    const char *const *name;       /* (joint_count) */
    const char *const *joint_name; /* (joint_count) of the file; `name` where it has none */
    const double *value_at_rest;   /* (joint_count) */
    const snw_pin *pin;            /* (pin_count) */
    const snw_follow *follow;      /* (joint_count) leaders follow none themselves */
    int follower_count;
    const int *follower;     /* (follower_count) joints that follow */
    double size;             /* longest way from the root to any joint or tip: the body's scale */
    const bool *has_inertia; /* (joint_count) */
    const snw_vec3 *mass_center; /* (joint_count) in the joint's frame; half way along the bone
                                    where it is not known; NULL where no joint has mass */
    const snw_mat3 *inertia;     /* (joint_count) about mass_center; 0 where it is not known; NULL
                                    where no joint has mass */
    snw_allocator allocator;
    size_t block_size;
} snw_skeleton;

/* A body to be made. */
typedef struct snw_skeleton_def {
    const snw_joint_def *joint; /* (joint_count) */
    int joint_count;
    const snw_pin *pin; /* (pin_count) that close loops, or NULL */
    int pin_count;
} snw_skeleton_def;

/* Checks everything (one root, parents first, names, axes, limits, finite numbers, no joint that
 * follows itself) and copies it. The range of a leader becomes what the ranges of those that follow
 * it allow. `allocator` NULL = malloc. On failure *out is
 * NULL. */
SNW_API snw_status snw_skeleton_create(const snw_joint_def *defs, int joint_count,
                                       const snw_allocator *allocator, snw_skeleton **out,
                                       snw_error *error);
SNW_API snw_status snw_skeleton_create_pinned(const snw_skeleton_def *def,
                                              const snw_allocator *allocator, snw_skeleton **out,
                                              snw_error *error);
SNW_API void snw_skeleton_destroy(snw_skeleton *skeleton);
/* Index of the joint with that name, else with that joint_name, or -1. */
SNW_API int snw_skeleton_find_joint(const snw_skeleton *skeleton, const char *name);
/* Joint `joint` as a definition again, so that a body can be edited and rebuilt. The name points
 * into the skeleton. */
SNW_API snw_joint_def snw_skeleton_joint_def(const snw_skeleton *skeleton, int joint);

/* ---- builders ----------------------------------------------------------------------------- */

/* One row of a Denavit-Hartenberg table. Standard: Rz(theta) Tz(d) Tx(a) Rx(alpha); modified
 * (Craig): Rx(alpha) Tx(a) Rz(theta) Tz(d). The joint variable is added to theta (revolute) or d
 * (prismatic). */
typedef struct snw_dh_row {
    double a, alpha, d, theta;
    bool is_prismatic;
    bool has_range;
    double range[2];
} snw_dh_row;

typedef enum snw_dh_form {
    SNW_DH_STANDARD,
    SNW_DH_MODIFIED
} snw_dh_form;

/* row_count joints "joint1".. and a fixed "tool" at the end frame, so that the pose of "tool" is
 * the product of the rows. */
SNW_API snw_status snw_skeleton_from_dh(const snw_dh_row *rows, int row_count, snw_dh_form form,
                                        const snw_allocator *allocator, snw_skeleton **out,
                                        snw_error *error);

/* Casanueva's notation (section 4.3.1, after Korein 1985): straight links of constant length, each
 * joint a word of letters: T twist (about the link), F flexion (across it), S spherical (= FFT),
 * "-" none. More than one twist counts as one, more than two flexions as two, as the text shows. */
typedef struct snw_link_def {
    const char *name;
    const char *joint; /* "T", "F", "FF", "FT", "S", ... */
    double length;     /* metres */
} snw_link_def;

/* A chain along +x whose flexions are about +z, then +y. */
SNW_API snw_status snw_skeleton_from_links(const snw_link_def *links, int link_count,
                                           const snw_allocator *allocator, snw_skeleton **out,
                                           snw_error *error);

/* Ready-made bodies. */
/* joint_count ball joints without limits along +x, `length` apart, the last one the end. */
SNW_API snw_status snw_preset_chain(int joint_count, double length, const snw_allocator *allocator,
                                    snw_skeleton **out, snw_error *error);

/* "chain10", "y", "hand26", "hand25", "humanoid13", "humanoid", "arm7", and the robot
 * arms "puma560", "panda", "ur5", "ur10", "gen3" (the KUKA iiwa 7 is "arm7"). */
SNW_API snw_status snw_preset_create(const char *name, const snw_allocator *allocator,
                                     snw_skeleton **out, snw_error *error);
SNW_API int snw_preset_count(void);
/* Name and one line about preset `index`; NULL outside 0..snw_preset_count()-1. */
SNW_API const char *snw_preset_name(int index);
SNW_API const char *snw_preset_text(int index);

/* ---- pose --------------------------------------------------------------------------------- */

/* world_from_joint[i] = world_from_joint[parent] * rest[i] * (slide[i], rotation[i]); for the root
 * the parent is `root`: where the whole body stands. */
typedef struct snw_pose {
    const snw_skeleton *skeleton;
    snw_xform root;     /* world_from_body */
    snw_quat *rotation; /* (joint_count) motion of the joint, identity at rest */
    snw_vec3 *slide;    /* (joint_count) zero unless prismatic or free */
    snw_xform *world;   /* (joint_count) world_from_joint; valid after snw_pose_forward */
    snw_allocator allocator;
    size_t block_size;
} snw_pose;

SNW_API snw_status snw_pose_create(const snw_skeleton *skeleton, const snw_allocator *allocator,
                                   snw_pose **out, snw_error *error);
SNW_API void snw_pose_destroy(snw_pose *pose);
/* Rest pose with root at the identity; world is filled. */
SNW_API void snw_pose_reset(snw_pose *pose);
/* Both poses must be of the same skeleton. Copies world too. */
SNW_API void snw_pose_copy(snw_pose *to, const snw_pose *from);

/* Forward kinematics: fills pose->world. Cost: linear in joints. */
SNW_API void snw_pose_forward(snw_pose *pose);
/* The same for `joint` and everything after it in the order of the tree. */
SNW_API void snw_pose_forward_from(snw_pose *pose, int joint);
/* A point of a joint in the world. Needs world. */
SNW_API snw_vec3 snw_pose_point(const snw_pose *pose, int joint, snw_vec3 local_point);
/* The joint's tip if it has one, else its origin, in the world. Needs world. */
SNW_API snw_vec3 snw_pose_tip(const snw_pose *pose, int joint);

/* d(point)/d(coordinates), 3 rows of dof_count, row-major, and the same for the angular velocity of
 * the joint's frame. Coordinates are tangent steps: hinge, pivot, universal, prismatic as their
 * values; ball and free turn as rotation = rotation * exp(w). Rows are zero for joints that are not
 * above `joint`; joints that follow others have coordinates of their own here. Needs world. */
SNW_API void snw_pose_jacobian_point(const snw_pose *pose, int joint, snw_vec3 local_point,
                                     double *jacobian);
SNW_API void snw_pose_jacobian_turn(const snw_pose *pose, int joint, double *jacobian);
/* Takes the tangent step (dof_count numbers) from where the pose is. Limits are not applied;
 * rotations stay unit; world is not updated. */
SNW_API void snw_pose_step(snw_pose *pose, const double *step);

/* All joint coordinates (dof_count), see snw_joint_values. */
SNW_API void snw_pose_values(const snw_pose *pose, double *values);
SNW_API void snw_pose_set_values(snw_pose *pose, const double *values);

/* Puts every joint that follows another where its leader says; true when one moved by more than
 * round-off. World is not updated. */
SNW_API bool snw_pose_follow(snw_pose *pose);
/* Applies every joint's limits, then snw_pose_follow; returns how many joints limits changed. World
 * is not updated. */
SNW_API int snw_pose_apply_limits(snw_pose *pose);
/* Largest violation of any joint, also of where it follows: radians for turns, slides in metres
 * divided by the body's size. */
SNW_API double snw_pose_violation(const snw_pose *pose);

/* How a body moves as a whole, by the masses of its joints. */
typedef struct snw_momentum {
    double mass;      /* kilograms */
    snw_vec3 center;  /* of mass, in the world */
    snw_vec3 linear;  /* kg m/s */
    snw_vec3 angular; /* kg m2/s, about the centre of mass */
    double energy;    /* of the motion, joules */
} snw_momentum;

/* Of the pose `at` while the body goes from `before` to `after` in so many seconds (the frames on
 * both sides, or the frame itself at an end). Worlds must be filled. Joints whose inertia is not
 * known count as points. False, and all 0, where no joint has mass or the time is not above 0. */
SNW_API bool snw_pose_momentum(const snw_pose *before, const snw_pose *at, const snw_pose *after,
                               double seconds, snw_momentum *out);

typedef enum snw_twist_mode {
    SNW_TWIST_KEEP,
    SNW_TWIST_MINIMAL
} snw_twist_mode;

/* Rotations whose forward kinematics puts the joints at the given world positions (joint_count), as
 * far as bone lengths and joint types allow. KEEP starts from the rotations in the pose and turns
 * each bone by the smallest rotation, so twist stays; MINIMAL starts from rest. A joint with
 * several children is fitted by least squares; above a hinge the twist follows the plane in which
 * that bends, so segments are met. A joint whose position is not finite keeps its
 * rotation and slide. The root of the pose moves joint 0 to its position, unless that joint is free
 * to slide there, and turns the body where joint 0 is fixed. Limits are not applied. Fills world.
 */
SNW_API void snw_pose_from_positions(snw_pose *pose, const snw_vec3 *positions,
                                     snw_twist_mode mode);

/* slerp of rotations, lerp of slides and root place; out may be a or b. World is not updated. */
SNW_API void snw_pose_interpolate(const snw_pose *a, const snw_pose *b, double t, snw_pose *out);

/* ---- motion ------------------------------------------------------------------------------- */

/* A pose over time; frame-major. Owns its arrays, and the skeleton only where it came with one:
 * read from a file, or made for a rig. */
typedef struct snw_motion {
    const snw_skeleton *skeleton;
    double rate; /* frames per second */
    int frame_count;
    double metres_per_unit; /* of the file it came from, which writers of the same format keep; 0 =
                               none */
    snw_xform *root;        /* (frame_count) */
    snw_quat *rotation;     /* (frame_count x joint_count) */
    snw_vec3 *slide;        /* (frame_count x joint_count) */
    snw_skeleton *own_skeleton; /* destroyed with the motion; NULL: the skeleton is the caller's */
    snw_allocator allocator;
    size_t block_size;
} snw_motion;

/* All frames at rest. */
SNW_API snw_status snw_motion_create(const snw_skeleton *skeleton, int frame_count, double rate,
                                     const snw_allocator *allocator, snw_motion **out,
                                     snw_error *error);
SNW_API void snw_motion_destroy(snw_motion *motion);
/* Copies a frame into a pose (world not updated) and back. */
SNW_API void snw_motion_get(const snw_motion *motion, int frame, snw_pose *pose);
SNW_API void snw_motion_set(snw_motion *motion, int frame, const snw_pose *pose);
/* Frames first..first+count-1, clipped to what is there. */
SNW_API snw_status snw_motion_part(const snw_motion *motion, int first, int count,
                                   const snw_allocator *allocator, snw_motion **out,
                                   snw_error *error);
/* The motion at another rate: slerp between neighbours. */
SNW_API snw_status snw_motion_resample(const snw_motion *motion, double rate,
                                       const snw_allocator *allocator, snw_motion **out,
                                       snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
