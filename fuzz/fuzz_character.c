/* Any small body, legs and ground: refused with a sentence, or placed so that poses stay finite,
 * unit and inside their limits, and nothing is allocated; a gaze with any target. */
#include "fuzz_bodies.h"

#include <sinew/ik_character.h>

typedef struct rough {
    double height[4];
    snw_vec3 normal;
} rough;

static bool rough_at(void *context, snw_vec3 place, double *height, snw_vec3 *normal)
{
    const rough *r = context;
    *height = r->height[(place.x > 0) + 2 * (place.z > 0)];
    *normal = r->normal;
    return place.y < 1e6;
}

static int any_joint(fuzz_bytes *bytes, const snw_skeleton *body)
{
    return fuzz_below(bytes, body->joint_count + 1) - 1;
}

static snw_feet_options make_feet(fuzz_bytes *bytes, const snw_skeleton *body)
{
    snw_feet_options options = snw_feet_options_default();
    options.foot_count = fuzz_below(bytes, 4);
    for (int k = 0; k < options.foot_count; k++)
        options.foot[k] = (snw_foot){any_joint(bytes, body), any_joint(bytes, body),
                                     any_joint(bytes, body), any_joint(bytes, body)};
    unsigned more = fuzz_byte(bytes);
    if (more & 1) options.floor = fuzz_number(bytes);
    if (more & 2) options.drop_max = fuzz_number(bytes);
    if (more & 4) options.settle = fuzz_number(bytes);
    if (more & 8) options.up = fuzz_vector(bytes);
    return options;
}

static void try_gaze(fuzz_bytes *bytes, snw_pose *pose)
{
    const snw_skeleton *body = pose->skeleton;
    snw_look look = {.joint_count = 1 + fuzz_below(bytes, 3), .ahead = {0, 0, 1}};
    for (int k = 0; k < look.joint_count; k++) {
        look.joint[k] = fuzz_below(bytes, body->joint_count);
        look.share[k] = 0.01 * fuzz_byte(bytes);
    }
    (void)snw_look_at(&look, snw_vec3_make(0.01 * fuzz_byte(bytes), 1, 0.02 * fuzz_byte(bytes)),
                      0.01 * fuzz_byte(bytes), pose);
    fuzz_check_pose(pose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    snw_skeleton *body = make_body(&bytes);
    if (!body) return 0;
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_pose *pose = NULL;
    snw_feet *feet = NULL;
    snw_error error;
    if (snw_pose_create(body, NULL, &pose, &error) != SNW_OK) abort();
    snw_feet_options options = make_feet(&bytes, body);
    rough ground = {{0}, {0, 1, 0}};
    for (int k = 0; k < 4; k++)
        ground.height[k] = fuzz_number(&bytes);
    ground.normal = fuzz_vector(&bytes);
    snw_status status = snw_feet_create(body, &options, &allocator, &feet, &error);
    if (status != SNW_OK && !error.message[0]) abort();
    if (status == SNW_OK) {
        long before = counter.calls;
        for (int n = 0; n < 4; n++) {
            snw_pose_reset(pose);
            snw_pose_forward(pose);
            (void)snw_feet_place(feet, &(snw_terrain){rough_at, &ground}, 0.01 * n, 1, pose);
        }
        for (int j = 0; j < body->joint_count; j++)
            if (!isfinite(pose->rotation[j].w)) abort();
        if (counter.calls != before) abort();
    }
    snw_feet_destroy(feet);
    if (counter.live != 0) abort();
    snw_pose_reset(pose);
    snw_pose_forward(pose);
    snw_goal goals[GOALS_MAX];
    int count = make_goals(&bytes, body->joint_count, goals);
    for (int k = 0; k < count; k++) {
        bool is_there = goals[k].joint >= 0 && goals[k].joint < body->joint_count;
        if (is_there) goals[k] = snw_goal_blend(&goals[k], pose, 0.01 * fuzz_byte(&bytes));
    }
    try_gaze(&bytes, pose);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return 0;
}
