/* A style learned from any short motion: refused with a sentence, or it gives finite likelihoods
 * and poses, is printed and read again, and leads a solve. */
#include "fuzz_trials.h"

enum {
    LEARN_JOINTS = 4
};

static snw_motion *make_motion(const snw_skeleton *body, fuzz_bytes *bytes)
{
    snw_motion *motion = NULL;
    if (snw_motion_create(body, 2 + fuzz_below(bytes, 10), 20, NULL, &motion, NULL) != SNW_OK)
        abort();
    for (int n = 0; n < motion->frame_count * body->joint_count; n++) {
        snw_vec3 turn = fuzz_vector(bytes);
        if (snw_vec3_length(turn) < 10) motion->rotation[n] = snw_quat_exp(turn);
    }
    return motion;
}

static void check_text(const snw_style *style)
{
    size_t length = snw_style_print(style, NULL, 0);
    char *text = malloc(length + 1);
    snw_style *again = NULL;
    snw_error error;
    if (!text) return;
    snw_style_print(style, text, length + 1);
    if (snw_style_parse(text, length, NULL, &again, &error) != SNW_OK) abort();
    if (again->feature_count != style->feature_count) abort();
    snw_style_destroy(again);
    free(text);
}

static void check_style(const snw_style *style, const snw_skeleton *body, fuzz_bytes *bytes)
{
    int joint_of[LEARN_JOINTS];
    double features[6 * LEARN_JOINTS];
    bool is_known[6 * LEARN_JOINTS];
    snw_goal goal = snw_goal_position(LEARN_JOINTS - 1, snw_vec3_make(0, 0, 0), fuzz_vector(bytes));
    if (fuzz_byte(bytes) & 1)
        goal = snw_goal_pose(goal.joint, goal.point, goal.position, snw_quat_identity());
    snw_ik_options options = snw_ik_options_default();
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_error error;
    if (snw_pose_create(body, NULL, &pose, &error) != SNW_OK) abort();
    (void)snw_style_match(style, body, joint_of);
    memset(features, 0, sizeof features);
    snw_style_features(style, joint_of, pose, features);
    for (int n = 0; n < style->feature_count; n++)
        is_known[n] = fuzz_byte(bytes) & 1;
    if (isnan(snw_style_log_likelihood(style, features))) abort();
    (void)snw_style_complete(style, is_known, features);
    snw_style_pose(style, joint_of, features, pose);
    snw_pose_forward(pose);
    fuzz_check_pose(pose);
    options.style = style;
    options.iteration_max = 4;
    fuzz_check_said(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
                    &error);
    if (ik) {
        (void)snw_ik_solve(ik, &goal, pose);
        fuzz_check_pose(pose);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[LEARN_JOINTS] = {"Hips", "Spine", "LeftArm", "RightArm"};
    fuzz_bytes bytes = {data, data + size};
    snw_joint_def defs[LEARN_JOINTS];
    snw_skeleton *body = NULL;
    for (int j = 0; j < LEARN_JOINTS; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j < 2 ? j - 1 : 1;
        defs[j].joint.type = fuzz_byte(&bytes) & 1 ? SNW_JOINT_BALL : SNW_JOINT_HINGE;
        defs[j].rest.translation = snw_vec3_make(j == 2   ? 0.2
                                                 : j == 3 ? -0.2
                                                          : 0,
                                                 j ? 0.3 : 0, 0); /* left is +x */
    }
    if (snw_skeleton_create(defs, LEARN_JOINTS, NULL, &body, NULL) != SNW_OK) abort();
    snw_motion *motion = make_motion(body, &bytes);
    const snw_motion *motions[1] = {motion};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_style_options options = snw_style_options_default();
    snw_style *style = NULL;
    snw_style_report report;
    snw_error error;
    options.component_count = 1 + fuzz_below(&bytes, 3);
    options.dimension_count = 1 + fuzz_below(&bytes, 4);
    options.iteration_max = 1 + fuzz_below(&bytes, 8);
    options.shrinkage = 30 * fuzz_number(&bytes);
    options.report = &report;
    fuzz_check_said(snw_style_learn(motions, 1, &options, &allocator, &style, &error), &error);
    if (style) check_style(style, body, &bytes);
    if (style) check_text(style);
    snw_style_destroy(style);
    if (counter.live != 0) abort();
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    return 0;
}
