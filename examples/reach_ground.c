/* A character on uneven ground: the pelvis comes down as far as the lower foot asks for, knees
 * bend, feet take the slope and toes stay over it. cc reach_ground.c $(pkg-config --cflags --libs
 * sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

/* A kerb of 12 cm along x = 0, and a slope of one in ten beyond it. */
static bool kerb(void *context, snw_vec3 place, double *height, snw_vec3 *normal)
{
    (void)context;
    *height = place.x > 0 ? -0.12 - 0.1 * place.x : 0;
    *normal = snw_vec3_unit(snw_vec3_make(place.x > 0 ? 0.1 : 0, 1, 0), snw_vec3_make(0, 1, 0));
    return true;
}

int main(void)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_feet *feet = NULL;
    snw_terrain ground = {kerb, NULL};
    if (snw_preset_create("humanoid", NULL, &body, &error) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    /* The animation walks on a floor at 0: here it stands there, in its rest pose. */
    pose->root.translation.y -= snw_pose_tip(pose, snw_skeleton_find_joint(body, "left_toes")).y;
    snw_pose_forward(pose);
    if (snw_feet_create(body, NULL, NULL, &feet, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snw_feet_result result = snw_feet_place(feet, &ground, 0, 1, pose);
    printf("pelvis down by %.0f mm; %d of 2 feet placed, the worst %.1f mm off\n",
           1000 * result.pelvis_drop, result.reached_count, 1000 * result.worst);
    static const char *const knee[] = {"left_knee", "right_knee"};
    for (int k = 0; k < 2; k++) {
        int joint = snw_skeleton_find_joint(body, knee[k]);
        printf("%s bent by %.0f degrees\n", knee[k],
               snw_degrees(snw_quat_angle_between(pose->rotation[joint], snw_quat_identity())));
    }
    snw_feet_destroy(feet);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return result.worst < 0.02 ? 0 : 1;
}
