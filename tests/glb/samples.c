/* Writes GLB files of odd and ordinary moving bodies into a folder, and beside each the places of
 * its joints in every frame as JSON, for validate.mjs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

static snw_xform random_place(snw_random *random, double distance)
{
    snw_vec3 translation = snw_vec3_scale(snw_random_direction(random), distance);
    return snw_xform_make(snw_random_rotation(random), translation);
}

static int fail_with(const char *what, const snw_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    return 1;
}

/* The truth by forward kinematics, turned to +y up. */
static int write_truth(const char *path, const snw_motion *motion, snw_quat turn)
{
    snw_pose *pose = NULL;
    snw_error error;
    if (snw_pose_create(motion->skeleton, NULL, &pose, &error) != SNW_OK)
        return fail_with(path, &error);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    fprintf(file, "{\"rate\":%.17g,\"frames\":[", motion->rate);
    for (int frame = 0; frame < motion->frame_count; frame++) {
        snw_motion_get(motion, frame, pose);
        snw_pose_forward(pose);
        fprintf(file, "%s[", frame ? "," : "");
        for (int j = 0; j < motion->skeleton->joint_count; j++) {
            snw_vec3 p = snw_quat_rotate(turn, pose->world[j].translation);
            fprintf(file, "%s[%.9g,%.9g,%.9g]", j ? "," : "", p.x, p.y, p.z);
        }
        fputs("]", file);
    }
    fputs("]}\n", file);
    snw_pose_destroy(pose);
    return fclose(file);
}

static void move(snw_motion *motion, snw_random *random)
{
    const snw_skeleton *body = motion->skeleton;
    for (int n = 0; n < motion->frame_count * body->joint_count; n++) {
        double values[6];
        for (int k = 0; k < 6; k++)
            values[k] = snw_random_range(random, -1, 1);
        snw_joint_from_values(body->joint + n % body->joint_count, values, motion->rotation + n,
                              motion->slide + n);
    }
    for (int frame = 0; frame < motion->frame_count; frame++)
        motion->root[frame] = random_place(random, 2);
}

static int write_sample(const char *folder, const char *name, const snw_skeleton *body,
                        int frame_count, snw_up_axis up)
{
    char path[600];
    snw_random random = snw_random_seed(7, (uint64_t)frame_count);
    snw_motion *motion = NULL;
    snw_error error;
    if (snw_motion_create(body, frame_count, 60, NULL, &motion, &error) != SNW_OK)
        return fail_with(name, &error);
    move(motion, &random);
    snw_write_options options = snw_write_options_default();
    options.up = up;
    snprintf(path, sizeof path, "%s/%s.glb", folder, name);
    if (snw_write_motion_file(path, true, motion, &options, &error) != SNW_OK)
        return fail_with(name, &error);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    /* Rotation of z up to y up is minus a quarter turn about x. */
    snw_quat turn = up == SNW_UP_Z ? snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), -SNW_PI / 2)
                                   : snw_quat_identity();
    int failed = write_truth(path, motion, turn);
    snw_motion_destroy(motion);
    return failed;
}

/* A rig that rests in a T with bones along an axis: the same places, other frames. */
static int write_rigged(const char *folder, const char *name, const snw_skeleton *body, char axis)
{
    char path[600];
    snw_random random = snw_random_seed(9, (uint64_t)axis);
    snw_motion *motion = NULL, *rigged = NULL;
    snw_error error;
    snw_rig_options options = snw_rig_options_default();
    options.bone_axis = axis;
    options.names = axis == 'x' ? SNW_RIG_UNREAL : SNW_RIG_MIXAMO;
    if (snw_motion_create(body, 20, 60, NULL, &motion, &error) != SNW_OK)
        return fail_with(name, &error);
    move(motion, &random);
    if (snw_motion_to_rig(motion, &options, NULL, &rigged, NULL, &error) != SNW_OK)
        return fail_with(name, &error);
    snprintf(path, sizeof path, "%s/%s.glb", folder, name);
    if (snw_write_motion_file(path, true, rigged, NULL, &error) != SNW_OK)
        return fail_with(name, &error);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    int failed = write_truth(path, motion, snw_quat_identity()); /* of the motion before */
    snw_motion_destroy(rigged);
    snw_motion_destroy(motion);
    return failed;
}

/* The joints once more as markers, one of them with a gap, one never seen. */
static int write_marked(const char *folder, const char *name, const snw_skeleton *body)
{
    char path[600];
    snw_random random = snw_random_seed(11, 11);
    snw_motion *motion = NULL;
    snw_trial *trial = NULL;
    snw_error error;
    if (snw_motion_create(body, 12, 60, NULL, &motion, &error) != SNW_OK)
        return fail_with(name, &error);
    move(motion, &random);
    if (snw_trial_from_motion(motion, SNW_UP_Y, NULL, &trial, &error) != SNW_OK)
        return fail_with(name, &error);
    for (int f = 0; f < 12; f++) {
        if (f > 3 && f < 7) trial->state[f * trial->marker_count + 2] = SNW_SAMPLE_MISSING;
        trial->state[f * trial->marker_count + 4] = SNW_SAMPLE_MISSING;
    }
    snw_write_options options = snw_write_options_default();
    options.markers = trial;
    snprintf(path, sizeof path, "%s/%s.glb", folder, name);
    if (snw_write_motion_file(path, true, motion, &options, &error) != SNW_OK)
        return fail_with(name, &error);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    int failed = write_truth(path, motion, snw_quat_identity());
    snw_trial_destroy(trial);
    snw_motion_destroy(motion);
    return failed;
}

/* Names that JSON must escape, a joint on top of its parent, every joint type, no tip anywhere. */
static snw_skeleton *odd_body(void)
{
    static const char *const names[] = {
        "root \"quoted\"", "back\\slash", "tab\there", "\xc3\xa9paule",
        "Sch\xfclter",     "slider",      "free"};
    snw_joint_def defs[7];
    snw_random random = snw_random_seed(3, 3);
    for (int j = 0; j < 7; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j ? (j - 1) / 2 : -1;
        defs[j].joint.type = (snw_joint_type)j;
        defs[j].rest = random_place(&random, j % 3 * 0.2);
    }
    snw_skeleton *body = NULL;
    snw_error error;
    if (snw_skeleton_create(defs, 7, NULL, &body, &error) != SNW_OK) fail_with("odd body", &error);
    return body;
}

/* A person's surface instead of octahedra. */
static int write_skinned(const char *folder, const char *name, const snw_skeleton *body, int joints)
{
    char path[600];
    snw_random random = snw_random_seed(7, 27);
    snw_figure_options options = snw_figure_options_default();
    snw_write_options how = snw_write_options_default();
    snw_motion *motion = NULL;
    snw_mesh *mesh = NULL;
    snw_skin *skin = NULL;
    snw_skin_options parts = snw_skin_options_default();
    parts.joints = joints;
    parts.has_bends = joints > 4;
    snw_error error;
    options.cell = 0.04;
    if (snw_figure_create(body, &options, NULL, &mesh, NULL, &error) != SNW_OK ||
        snw_skin_create(mesh, body, &parts, NULL, &skin, &error) != SNW_OK ||
        snw_motion_create(body, 4, 60, NULL, &motion, &error) != SNW_OK)
        return fail_with(name, &error);
    move(motion, &random);
    how.skin = skin;
    snprintf(path, sizeof path, "%s/%s.glb", folder, name);
    if (snw_write_motion_file(path, true, motion, &how, &error) != SNW_OK)
        return fail_with(name, &error);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    int failed = write_truth(path, motion, snw_quat_identity());
    snw_motion_destroy(motion);
    snw_skin_destroy(skin);
    snw_mesh_destroy(mesh);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    snw_skeleton *human = NULL, *point = NULL, *chain = NULL, *odd = odd_body();
    snw_error error;
    snw_joint_def alone = snw_joint_def_default();
    alone.name = "alone";
    if (!odd || snw_preset_create("humanoid", NULL, &human, &error) != SNW_OK ||
        snw_preset_chain(300, 0.05, NULL, &chain, &error) != SNW_OK ||
        snw_skeleton_create(&alone, 1, NULL, &point, &error) != SNW_OK)
        return fail_with("bodies", &error);
    int failed =
        write_sample(argv[1], "human", human, 50, SNW_UP_UNKNOWN) ||
        write_sample(argv[1], "human_z_up", human, 5, SNW_UP_Z) ||
        write_rigged(argv[1], "rig_y", human, 'y') || write_rigged(argv[1], "rig_x", human, 'x') ||
        write_marked(argv[1], "markers", human) || write_skinned(argv[1], "skin", human, 4) ||
        write_skinned(argv[1], "skin-eight", human, 8) ||
        write_sample(argv[1], "no_frames", human, 0, SNW_UP_UNKNOWN) ||
        write_sample(argv[1], "one_frame", human, 1, SNW_UP_UNKNOWN) ||
        write_sample(argv[1], "chain_300", chain, 3, SNW_UP_UNKNOWN) ||
        write_sample(argv[1], "odd", odd, 4, SNW_UP_UNKNOWN) ||
        write_sample(argv[1], "point", point, 2, SNW_UP_UNKNOWN);
    snw_skeleton_destroy(human);
    snw_skeleton_destroy(point);
    snw_skeleton_destroy(chain);
    snw_skeleton_destroy(odd);
    return failed;
}
