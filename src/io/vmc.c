/* The Virtual Motion Capture protocol over OSC (protocol.vmc.info, 2.8):
 *
 *   /VMC/Ext/OK        i                 1: available
 *   /VMC/Ext/T         f                 seconds
 *   /VMC/Ext/Root/Pos  s fff ffff        "root", place, rotation x y z w, in the world
 *   /VMC/Ext/Bone/Pos  s fff ffff        name of Unity's HumanBodyBones, seen from the parent bone
 *   /VMC/Ext/Tra/Pos   s fff ffff        serial of a tracker, in the world
 *   /VMC/Ext/Hmd/Pos, /VMC/Ext/Con/Pos   the same of a headset and a controller; read alone
 *
 * Unity's axes are left-handed, +X right, +Y up, +Z forward. With the mirror x -> -x a place is
 * (-x, y, z) and a rotation (x, -y, -z, w). */
#include <sinew/packet.h>

#include <string.h>

/* Unity's names of bones are VRM's with a capital, but for the thumb, whose first joint VRM 1.0
 * calls metacarpal. */
static const char *const vmc_bones[] = {
    "Hips",          "Spine",         "Chest",         "UpperChest",    "Neck",
    "Head",          "LeftEye",       "RightEye",      "Jaw",           "LeftShoulder",
    "LeftUpperArm",  "LeftLowerArm",  "LeftHand",      "RightShoulder", "RightUpperArm",
    "RightLowerArm", "RightHand",     "LeftUpperLeg",  "LeftLowerLeg",  "LeftFoot",
    "LeftToes",      "RightUpperLeg", "RightLowerLeg", "RightFoot",     "RightToes"};
static const char *const vmc_fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
static const char *const vmc_phalanges[] = {"Proximal", "Intermediate", "Distal"};
static const char *const vmc_thumb[] = {"Metacarpal", "Proximal", "Distal"};

/* VRM's word as Unity's; false where Unity has no such bone. */
static bool unity_name(const char *vrm, char name[SNW_PACKET_NAME])
{
    if (strlen(vrm) >= SNW_PACKET_NAME || vrm[0] < 'a' || vrm[0] > 'z') return false;
    (void)snw_format(name, SNW_PACKET_NAME, "%c%s", vrm[0] - 'a' + 'A', vrm + 1);
    for (size_t k = 0; k < sizeof vmc_bones / sizeof *vmc_bones; k++)
        if (strcmp(vmc_bones[k], name) == 0) return true;
    for (int side = 0; side < 2; side++)
        for (int finger = 0; finger < 5; finger++)
            for (int k = 0; k < 3; k++) {
                char known[SNW_PACKET_NAME];
                const char *bone = finger == 0 ? vmc_thumb[k] : vmc_phalanges[k];
                (void)snw_format(known, sizeof known, "%s%s%s", side ? "right" : "left",
                                 vmc_fingers[finger], bone);
                if (strcmp(known, vrm) != 0) continue;
                (void)snw_format(name, SNW_PACKET_NAME, "%s%s%s", side ? "Right" : "Left",
                                 vmc_fingers[finger], vmc_phalanges[k]);
                return true;
            }
    return false;
}

int snw_vmc_bones(const snw_pose *pose, snw_vmc_bone *bones)
{
    const snw_skeleton *skeleton = pose->skeleton;
    int count = 1;
    bones[0] = (snw_vmc_bone){.name = "root", .is_root = true, .rotation = snw_quat_identity()};
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_vmc_bone *bone = &bones[count];
        char other[SNW_PACKET_NAME];
        *bone = (snw_vmc_bone){.is_root = false};
        if (!unity_name(skeleton->name[j], bone->name)) continue;
        int above = skeleton->parent[j];
        while (above >= 0 && !unity_name(skeleton->name[above], other))
            above = skeleton->parent[above];
        /* Frames of the rig are the world's in the T-pose, so these are turns against it. */
        snw_xform parent = above >= 0 ? pose->world[above] : snw_xform_identity();
        bone->rotation = snw_quat_mul(snw_quat_conjugate(parent.rotation), pose->world[j].rotation);
        bone->place = snw_xform_unpoint(parent, pose->world[j].translation);
        count++;
    }
    return count;
}

/* ---- packets -------------------------------------------------------------------------------- */

/* A bundle's head with the time tag that means: now. */
static const uint8_t vmc_bundle[16] = {'#', 'b', 'u', 'n', 'd', 'l', 'e', 0,
                                       0,   0,   0,   0,   0,   0,   0,   1};

/* An element of a bundle: its size, then itself. */
static bool add(const snw_osc_message *message, uint8_t *bytes, size_t *at)
{
    if (SNW_PACKET_SIZE - *at < 4) return false;
    size_t size = snw_osc_write(message, bytes + *at + 4, SNW_PACKET_SIZE - *at - 4);
    if (size == 0) return false;
    const uint8_t length[4] = {0, 0, (uint8_t)(size >> 8), (uint8_t)size};
    memcpy(bytes + *at, length, sizeof length);
    *at += 4 + size;
    return true;
}

int64_t snw_vmc_write(const snw_vmc_bone *bones, int count, int *next, double time,
                      uint8_t bytes[SNW_PACKET_SIZE])
{
    const snw_osc_message ok = {"/VMC/Ext/OK", 1, {{.type = 'i', .integer = 1}}};
    const snw_osc_message clock = {"/VMC/Ext/T", 1, {{.type = 'f', .number = (float)time}}};
    size_t at = sizeof vmc_bundle;
    if (*next >= count) return 0;
    memcpy(bytes, vmc_bundle, sizeof vmc_bundle);
    if (*next == 0) (void)(add(&ok, bytes, &at) && add(&clock, bytes, &at));
    for (; *next < count; ++*next) {
        const snw_vmc_bone *bone = &bones[*next];
        snw_osc_message message = {.address = bone->is_root      ? "/VMC/Ext/Root/Pos"
                                              : bone->is_tracker ? "/VMC/Ext/Tra/Pos"
                                                                 : "/VMC/Ext/Bone/Pos",
                                   .value_count = 8};
        const double numbers[7] = {-bone->place.x,   bone->place.y,     bone->place.z,
                                   bone->rotation.x, -bone->rotation.y, -bone->rotation.z,
                                   bone->rotation.w};
        message.value[0] = (snw_osc_value){.type = 's', .text = bone->name};
        for (int k = 0; k < 7; k++)
            message.value[k + 1] = (snw_osc_value){.type = 'f', .number = (float)numbers[k]};
        if (!add(&message, bytes, &at)) break;
    }
    return (int64_t)at;
}

bool snw_vmc_read(const snw_osc_message *message, snw_vmc_bone *bone)
{
    double n[7];
    bool is_tracker = strcmp(message->address, "/VMC/Ext/Tra/Pos") == 0 ||
                      strcmp(message->address, "/VMC/Ext/Hmd/Pos") == 0 ||
                      strcmp(message->address, "/VMC/Ext/Con/Pos") == 0;
    *bone = (snw_vmc_bone){.is_tracker = is_tracker,
                           .is_root = strcmp(message->address, "/VMC/Ext/Root/Pos") == 0};
    if (!bone->is_tracker && !bone->is_root && strcmp(message->address, "/VMC/Ext/Bone/Pos") != 0)
        return false;
    /* The root may carry a scale behind its rotation. */
    if (message->value_count < 8 || message->value[0].type != 's') return false;
    for (int k = 0; k < 7; k++) {
        if (message->value[k + 1].type != 'f') return false;
        n[k] = message->value[k + 1].number;
    }
    (void)snw_format(bone->name, sizeof bone->name, "%s", message->value[0].text);
    bone->place = snw_vec3_make(-n[0], n[1], n[2]);
    snw_quat q = snw_quat_make(n[6], n[3], -n[4], -n[5]);
    if (!snw_vec3_is_finite(bone->place) || !(snw_quat_dot(q, q) > 0) ||
        !(snw_quat_dot(q, q) < INFINITY))
        return false;
    bone->rotation = snw_quat_normalize(q);
    return true;
}

/* ---- VRChat --------------------------------------------------------------------------------- */

/* docs.vrchat.com/docs/osc-trackers: /tracking/trackers/1 to 8 and head, each /position fff and
 * /rotation fff: metres, degrees; a rotation is about z, then x, then y, as Unity's. */
static const struct {
    const char *tracker;
    const char *joint[3]; /* VRM's words; the first that is there */
} vrchat_trackers[] = {
    {"1", {"hips", "hips", "hips"}},
    {"2", {"chest", "upperChest", "spine"}},
    {"3", {"leftFoot", "leftFoot", "leftFoot"}},
    {"4", {"rightFoot", "rightFoot", "rightFoot"}},
    {"5", {"leftLowerLeg", "leftLowerLeg", "leftLowerLeg"}},
    {"6", {"rightLowerLeg", "rightLowerLeg", "rightLowerLeg"}},
    {"7", {"leftLowerArm", "leftLowerArm", "leftLowerArm"}},
    {"8", {"rightLowerArm", "rightLowerArm", "rightLowerArm"}},
    {"head", {"head", "head", "head"}},
};

static bool add_numbers(const char *tracker, const char *what, const double number[3],
                        uint8_t *bytes, size_t *at)
{
    char address[SNW_PACKET_NAME];
    snw_osc_message message = {.address = address, .value_count = 3};
    (void)snw_format(address, sizeof address, "/tracking/trackers/%s/%s", tracker, what);
    for (int k = 0; k < 3; k++)
        message.value[k] = (snw_osc_value){.type = 'f', .number = (float)number[k]};
    return add(&message, bytes, at);
}

int64_t snw_vrchat_write(const snw_pose *pose, uint8_t bytes[SNW_PACKET_SIZE])
{
    size_t at = sizeof vmc_bundle;
    memcpy(bytes, vmc_bundle, sizeof vmc_bundle);
    for (size_t k = 0; k < sizeof vrchat_trackers / sizeof *vrchat_trackers; k++) {
        int joint = -1;
        for (int n = 0; n < 3 && joint < 0; n++)
            joint = snw_skeleton_find_joint(pose->skeleton, vrchat_trackers[k].joint[n]);
        if (joint < 0) continue;
        snw_quat q = pose->world[joint].rotation;
        snw_vec3 place = pose->world[joint].translation;
        double angles[3];
        (void)snw_quat_to_euler(snw_quat_make(q.w, q.x, -q.y, -q.z), SNW_EULER_YXZ, angles);
        const double position[3] = {-place.x, place.y, place.z};
        const double rotation[3] = {snw_degrees(angles[1]), snw_degrees(angles[0]),
                                    snw_degrees(angles[2])};
        (void)(add_numbers(vrchat_trackers[k].tracker, "position", position, bytes, &at) &&
               add_numbers(vrchat_trackers[k].tracker, "rotation", rotation, bytes, &at));
    }
    return (int64_t)at;
}
