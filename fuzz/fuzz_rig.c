/* Bodies with names of any parts in any order, moving in any way, become a rig: either a status, or
 * every joint is where it was. The same bytes as segments' rotations become a body, or a status. */
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

#define RIG_JOINTS_MAX 24
#define RIG_FRAMES     4

typedef struct rig_bytes {
    const uint8_t *at;
    size_t left;
} rig_bytes;

static unsigned take(rig_bytes *bytes)
{
    if (bytes->left == 0) return 0;
    bytes->left--;
    return *bytes->at++;
}

/* -1 to 1, now and then exactly 0. */
static double take_part(rig_bytes *bytes)
{
    return ((int)take(bytes) - 128) / 128.0;
}

static snw_vec3 take_vector(rig_bytes *bytes)
{
    double x = take_part(bytes), y = take_part(bytes), z = take_part(bytes);
    return snw_vec3_make(x, y, z);
}

static const char *const words[] = {
    "Hips",      "pelvis",   "Spine",        "chest",       "Neck",      "Head",     "LeftShoulder",
    "left_arm",  "elbow_l",  "RightForeArm", "lhand",       "LeftUpLeg", "lfemur",   "RightUpLeg",
    "right_hip", "LeftLeg",  "rtibia",       "LeftFoot",    "r_toes",    "thumb",    "segment",
    "left_knee", "RightLeg", "RightFoot",    "LeftForeArm", "worldbody", "LHipJoint"};

static snw_skeleton *make_body(rig_bytes *bytes, char name[RIG_JOINTS_MAX][40])
{
    snw_joint_def defs[RIG_JOINTS_MAX];
    snw_skeleton *body = NULL;
    int count = 1 + (int)(take(bytes) % RIG_JOINTS_MAX);
    for (int j = 0; j < count; j++) {
        const char *word = words[take(bytes) % (sizeof words / sizeof *words)];
        bool is_taken = false;
        for (int other = 0; other < j; other++)
            is_taken = is_taken || strcmp(name[other], word) == 0;
        snw_format(name[j], 40, is_taken ? "%s_%d" : "%s", word, j);
        defs[j] = snw_joint_def_default();
        defs[j].name = name[j];
        defs[j].parent = j ? (int)(take(bytes) % (unsigned)j) : -1;
        unsigned type = take(bytes) % 5;
        defs[j].joint.type = type > 1 ? SNW_JOINT_BALL : type ? SNW_JOINT_HINGE : SNW_JOINT_FREE;
        defs[j].rest = snw_xform_make(snw_quat_exp(take_vector(bytes)), take_vector(bytes));
        defs[j].has_tip = take(bytes) % 3 == 0;
        defs[j].tip = take_vector(bytes);
    }
    (void)snw_skeleton_create(defs, count, NULL, &body, NULL);
    return body;
}

static snw_motion *make_motion(rig_bytes *bytes, const snw_skeleton *body)
{
    snw_motion *motion = NULL;
    if (snw_motion_create(body, (int)(take(bytes) % (RIG_FRAMES + 1)), 50, NULL, &motion, NULL) !=
        SNW_OK)
        return NULL;
    for (int f = 0; f < motion->frame_count; f++) {
        motion->root[f] = snw_xform_make(snw_quat_exp(take_vector(bytes)), take_vector(bytes));
        for (int j = 0; j < body->joint_count; j++) {
            size_t at = (size_t)f * (size_t)body->joint_count + (size_t)j;
            motion->rotation[at] = snw_quat_exp(snw_vec3_scale(take_vector(bytes), 3));
            if (body->joint[j].type == SNW_JOINT_FREE) motion->slide[at] = take_vector(bytes);
        }
    }
    return motion;
}

/* Bodies are a few metres large here, and places are sums of some twenty products. */
static void check_places(const snw_motion *before, const snw_motion *after)
{
    snw_pose *a = NULL, *b = NULL;
    if (snw_pose_create(before->skeleton, NULL, &a, NULL) != SNW_OK ||
        snw_pose_create(after->skeleton, NULL, &b, NULL) != SNW_OK)
        abort();
    for (int f = 0; f < before->frame_count; f++) {
        snw_motion_get(before, f, a);
        snw_motion_get(after, f, b);
        snw_pose_forward(a);
        snw_pose_forward(b);
        for (int j = 0; j < before->skeleton->joint_count; j++)
            if (!(snw_vec3_distance(a->world[j].translation, b->world[j].translation) < 1e-9))
                abort();
    }
    snw_pose_destroy(a);
    snw_pose_destroy(b);
}

static void try_rig(rig_bytes *bytes, const snw_motion *motion)
{
    snw_rig_options options = snw_rig_options_default();
    options.names = (snw_rig_names)(take(bytes) % SNW_RIG_NAMES_COUNT);
    options.has_t_pose = take(bytes) % 4 != 0;
    options.bone_axis = "\0xy"[take(bytes) % 3];
    unsigned moves = take(bytes);
    options.is_on_floor = moves & 1;
    options.has_foot_lock = moves & 2;
    snw_motion *rig = NULL;
    if (snw_motion_to_rig(motion, &options, NULL, &rig, NULL, NULL) == SNW_OK) {
        if (!(moves & 3)) check_places(motion, rig);
    } else if (rig) {
        abort();
    }
    snw_motion_destroy(rig);
}

static void try_rotations(rig_bytes *bytes)
{
    snw_trial_options sizes = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_motion *motion = NULL;
    sizes.frame_count = 1 + (int)(take(bytes) % RIG_FRAMES);
    sizes.rotation_count = (int)(take(bytes) % RIG_JOINTS_MAX);
    sizes.rotations_per_frame = 1;
    if (snw_trial_create(&sizes, NULL, &trial, NULL) != SNW_OK) return;
    size_t count = (size_t)trial->frame_count * (size_t)trial->rotation_count * 17;
    for (size_t n = 0; n < count; n++)
        trial->rotation[n] = (float)(n % 17 == 16 ? 0 : n % 5 == 0 ? 1 : take_part(bytes) / 64);
    for (int r = 0; r < trial->rotation_count; r++)
        (void)snw_trial_set_rotation_name(
            trial, r, words[take(bytes) % (sizeof words / sizeof *words)], NULL);
    (void)snw_motion_from_rotations(trial, NULL, &motion, NULL, NULL);
    snw_motion_destroy(motion);
    snw_trial_destroy(trial);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rig_bytes bytes = {data, size};
    char name[RIG_JOINTS_MAX][40];
    snw_skeleton *body = make_body(&bytes, name);
    snw_motion *motion = body ? make_motion(&bytes, body) : NULL;
    if (motion) try_rig(&bytes, motion);
    snw_angles *angles = NULL;
    if (motion) (void)snw_angles_from_motion(motion, NULL, &angles, NULL);
    snw_angles_destroy(angles);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    try_rotations(&bytes);
    return 0;
}
