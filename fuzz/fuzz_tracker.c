/* A small person in any motion, whole segments and single markers vanishing, tracked and solved
 * with a style learned from any other motion: steps allocate nothing, poses are finite, what is
 * made up is told with a finite uncertainty, and a style or a rate that does not serve is refused
 * with a sentence. */
#include "fuzz_trials.h"

enum {
    TRACKER_JOINTS = 7,
    TRACKER_MARKERS = 3, /* of each segment */
    TRACKER_FRAMES = 8,
    TRACKER_LONG = 36, /* now and then: gaps are tried again where the joint was seen */
    TRACKER_LEARNED = 8
};

static const struct {
    const char *name;
    int parent;
    snw_vec3 rest;
} tracker_rows[TRACKER_JOINTS] = {{"Hips", -1, {0, 0, 0}},       {"LeftUpLeg", 0, {0.1, -0.1, 0}},
                                  {"LeftLeg", 1, {0, -0.4, 0}},  {"RightUpLeg", 0, {-0.1, -0.1, 0}},
                                  {"RightLeg", 3, {0, -0.4, 0}}, {"Chest", 0, {0, 0.3, 0}},
                                  {"Head", 5, {0, 0.3, 0}}};

/* Rests in a T, or, under other bytes, along other axes. */
static snw_skeleton *make_body(fuzz_bytes *bytes, unsigned what)
{
    snw_joint_def defs[TRACKER_JOINTS];
    snw_skeleton *body = NULL;
    snw_error error;
    for (int j = 0; j < TRACKER_JOINTS; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = tracker_rows[j].name;
        defs[j].parent = tracker_rows[j].parent;
        defs[j].joint.type = j == 0 ? SNW_JOINT_FIXED : SNW_JOINT_BALL;
        if ((what & 1) && (j == 2 || j == 4)) {
            defs[j].joint.type = SNW_JOINT_HINGE;
            defs[j].joint.axis = snw_vec3_make(1, 0, 0);
        }
        defs[j].rest.translation = tracker_rows[j].rest;
        if (what & 2) defs[j].rest.rotation = snw_quat_exp(fuzz_vector(bytes));
    }
    fuzz_check_said(snw_skeleton_create(defs, TRACKER_JOINTS, NULL, &body, &error), &error);
    return body;
}

static void move(fuzz_bytes *bytes, snw_motion *motion)
{
    snw_pose *pose = NULL;
    if (snw_pose_create(motion->skeleton, NULL, &pose, NULL) != SNW_OK) abort();
    for (int f = 0; f < motion->frame_count; f++) {
        for (int j = 1; j < TRACKER_JOINTS; j++) {
            double angle = ((int)fuzz_byte(bytes) - 128) / 64.0;
            snw_vec3 axis = snw_vec3_make(1, j % 2 ? 0.2 : 0, 0);
            pose->rotation[j] = snw_joint_limit_apply(&motion->skeleton->joint[j],
                                                      snw_quat_exp(snw_vec3_scale(axis, angle)));
        }
        pose->root.translation.z = 0.01 * f;
        snw_motion_set(motion, f, pose);
    }
    snw_pose_destroy(pose);
}

static snw_style *learn(fuzz_bytes *bytes, const snw_skeleton *body, unsigned what)
{
    snw_motion *motion = NULL, *rigged = NULL;
    snw_style *style = NULL;
    snw_style_options options = snw_style_options_default();
    snw_error error;
    options.iteration_max = 3;
    options.component_count = 2;
    options.dimension_count = 1 + (int)(what >> 5);
    if (snw_motion_create(body, TRACKER_LEARNED, 20, NULL, &motion, NULL) != SNW_OK) abort();
    move(bytes, motion);
    fuzz_check_said(snw_motion_to_rig(motion, NULL, NULL, &rigged, NULL, &error), &error);
    const snw_motion *motions[1] = {rigged ? rigged : motion};
    fuzz_check_said(snw_style_learn(motions, 1, &options, NULL, &style, &error), &error);
    snw_motion_destroy(rigged);
    snw_motion_destroy(motion);
    return style;
}

static snw_trial *shoot(fuzz_bytes *bytes, const snw_actor *actor, int frames)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_motion *motion = NULL;
    snw_pose *pose = NULL;
    options.marker_count = actor->marker_count;
    options.frame_count = frames;
    options.rate = 20;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK ||
        snw_motion_create(actor->skeleton, frames, 20, NULL, &motion, NULL) != SNW_OK ||
        snw_pose_create(actor->skeleton, NULL, &pose, NULL) != SNW_OK)
        abort();
    move(bytes, motion);
    for (int m = 0; m < actor->marker_count; m++)
        snw_trial_set_marker_name(trial, m, actor->marker[m].name, NULL);
    for (int f = 0; f < frames; f++) {
        unsigned hidden = fuzz_byte(bytes), wild = fuzz_byte(bytes);
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < actor->marker_count; m++) {
            const snw_actor_marker *marker = actor->marker + m;
            snw_vec3 place = snw_pose_point(pose, marker->joint, marker->offset);
            if (wild == 200 + (unsigned)m) place = fuzz_vector(bytes);
            if (!(hidden >> marker->joint & 1))
                fuzz_place(trial, f, m, snw_vec3_scale(place, 1000));
        }
    }
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
    return trial;
}

static void check_steps(const snw_actor *actor, const snw_trial *trial,
                        const snw_tracker_options *options)
{
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    snw_error error;
    if (snw_pose_create(actor->skeleton, NULL, &pose, NULL) != SNW_OK) abort();
    fuzz_check_said(
        snw_tracker_create_for_trial(actor, trial, options, &allocator, &tracker, &error), &error);
    long before = counter.calls;
    for (int f = 0; tracker && f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        (void)snw_tracker_step(tracker, &frame, pose);
        fuzz_check_pose(pose);
        for (int j = 0; j < TRACKER_JOINTS; j++) {
            double told = snw_tracker_made_up(tracker, j);
            if (!(told >= 0 && told < 1e6)) abort();
        }
    }
    if (counter.calls != before) abort();
    snw_tracker_destroy(tracker);
    snw_pose_destroy(pose);
    if (counter.live != 0) abort();
}

static void check_solve(const snw_actor *actor, const snw_trial *trial,
                        const snw_tracker_options *options)
{
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_motion *motion = NULL;
    snw_error error;
    fuzz_check_said(snw_actor_solve(actor, trial, options, &allocator, &motion, &error), &error);
    if (motion) fuzz_check_motion(motion);
    snw_motion_destroy(motion);
    if (counter.live != 0) abort();
}

/* A style that is refused tells of no joint, and of the root none does. */
static void check_match(const snw_actor *actor, const snw_style *style)
{
    bool is_known[TRACKER_JOINTS];
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_error error;
    snw_status status = snw_actor_match_style(actor, style, &allocator, is_known, &error);
    fuzz_check_said(status, &error);
    if (counter.live != 0 || is_known[0]) abort();
    for (int j = 0; j < TRACKER_JOINTS && status != SNW_OK; j++)
        if (is_known[j]) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    unsigned what = fuzz_byte(&bytes);
    snw_actor_marker marker[TRACKER_JOINTS * TRACKER_MARKERS];
    char name[TRACKER_JOINTS * TRACKER_MARKERS][8];
    snw_tracker_options options = snw_tracker_options_default();
    snw_error error;
    snw_actor *actor = NULL;
    snw_skeleton *body = make_body(&bytes, what);
    if (!body) return 0;
    snw_skeleton *taught = make_body(&bytes, what & 4 ? what : 0);
    for (int m = 0; m < TRACKER_JOINTS * TRACKER_MARKERS; m++) {
        double turn = 2.1 * m;
        snw_format(name[m], sizeof name[m], "m%d", m);
        marker[m] = (snw_actor_marker){name[m],
                                       m / TRACKER_MARKERS,
                                       {0.06 * cos(turn), 0.05 * (m % 3), 0.06 * sin(turn)},
                                       0.001};
    }
    fuzz_check_said(
        snw_actor_create(body, marker, TRACKER_JOINTS * TRACKER_MARKERS, NULL, &actor, &error),
        &error);
    snw_style *style = taught ? learn(&bytes, taught, what) : NULL;
    if (what & 8) options.rate = fuzz_number(&bytes);
    options.up = (snw_up_axis)(what >> 4 & 3);
    options.style = style;
    if (actor && style) check_match(actor, style);
    if (actor) {
        unsigned how = fuzz_byte(&bytes);
        snw_trial *trial = shoot(&bytes, actor, how >= 0xf8 ? TRACKER_LONG : TRACKER_FRAMES);
        if (how < 0x80 || how >= 0xf8) check_solve(actor, trial, &options);
        if (how >= 0x40) check_steps(actor, trial, &options);
        snw_trial_destroy(trial);
    }
    snw_style_destroy(style);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(taught);
    snw_skeleton_destroy(body);
    return 0;
}
