/* Any bytes as a person kept as an actor, a state space, trackers that an avatar is moved by, or
 * what spoils a capture of trackers: refused with a sentence, or read, printed and read again the
 * same; no pose that is not finite. */
#include "fuzz_solution.h"
#include "fuzz_text.h"

static void check_profile(const char *text, size_t size)
{
    snw_avatar_profile profile;
    snw_error error;
    snw_actor *actor = NULL, *again = NULL;
    snw_avatar *avatar = NULL;
    if (snw_actor_parse(text, size, NULL, &actor, &error) == SNW_OK &&
        snw_avatar_profile_from_actor(actor, &profile, &error) == SNW_OK &&
        snw_avatar_create(&profile, NULL, NULL, &avatar, &error) == SNW_OK)
        (void)snw_avatar_profile_to_actor(&profile, NULL, &again, &error);
    if (error.status != SNW_OK && error.message[0] == 0) abort();
    snw_avatar_destroy(avatar);
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
}

/* Printed and read, a state space has the same cells. */
static void check_space(const snw_state_space *space)
{
    snw_state_space *again = NULL;
    size_t size = 0;
    snw_error error;
    (void)snw_state_space_print(space, NULL, 0, &size, &error);
    char *text = malloc(size + 1);
    if (!text) return;
    if (snw_state_space_print(space, text, size + 1, &size, &error) != SNW_OK) abort();
    if (snw_state_space_parse(text, size, NULL, &again, &error) != SNW_OK) abort();
    if (snw_state_space_cell_count(again) != snw_state_space_cell_count(space)) abort();
    snw_state_space_destroy(again);
    free(text);
}

static void check_states(const char *text, size_t size)
{
    snw_state_space *space = NULL;
    snw_error error;
    if (snw_state_space_parse(text, size, NULL, &space, &error) == SNW_OK)
        check_space(space);
    else if (error.message[0] == 0)
        abort();
    snw_state_space_destroy(space);
}

/* More frames find nothing new, and runs a second count. */
#define AVATAR_STEPS 6

/* The bytes are the numbers of frames. */
static void check_steps(const uint8_t *data, size_t size)
{
    snw_avatar_profile profile = snw_avatar_profile_default(1.7);
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        profile.has_tracker[role] = true;
    if (snw_avatar_create(&profile, NULL, NULL, &avatar, NULL) != SNW_OK) return;
    if (snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, NULL) == SNW_OK)
        for (int n = 0; size >= sizeof(double) && n < AVATAR_STEPS; n++) {
            snw_avatar_frame frame;
            double *numbers = (double *)frame.world_from_tracker;
            memset(&frame, 0, sizeof frame);
            frame.time = 0.01 * n;
            for (int i = 0; i < SNW_AVATAR_ROLE_COUNT * 7 && size >= sizeof(double); i++) {
                memcpy(&numbers[i], data, sizeof(double));
                data += sizeof(double);
                size -= sizeof(double);
                frame.is_present[i / 7] = true;
            }
            snw_avatar_step(avatar, &frame, pose, NULL);
            for (int j = 0; j < pose->skeleton->joint_count; j++)
                if (!snw_vec3_is_finite(pose->world[j].translation)) abort();
        }
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
}

/* ---- a capture of trackers --------------------------------------------------------------------
 */

/* Boxing: the same for every run. */
static snw_motion *make_motion(snw_skeleton **body)
{
    snw_synth_options options = snw_synth_options_default();
    snw_motion *motion = NULL;
    options.motion = SNW_SYNTH_BOXING;
    options.rate = 20;
    options.seconds = 1;
    if (snw_preset_create("humanoid", NULL, body, NULL) != SNW_OK ||
        snw_synth_motion_create(*body, &options, NULL, &motion, NULL) != SNW_OK)
        abort();
    return motion;
}

/* With trackers on, in T-pose before. */
static const snw_trial *find_trackers(void)
{
    static snw_trial *made;
    snw_synth_tracker_options worn = snw_synth_tracker_options_default();
    snw_skeleton *body = NULL;
    if (made) return made;
    snw_motion *motion = make_motion(&body);
    worn.tracker_count = 7;
    worn.has_elbows = true;
    worn.rest_seconds = 0.5;
    if (snw_synth_trackers(motion, &worn, NULL, &made, NULL) != SNW_OK) abort();
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    return made;
}

/* Frames of bones as programs write them that solved a whole body: NAME at the joint, NAMEY and
 * NAMEZ on its axes; elbows and shoulders as joints; the ends of the chest's bone. */
static const struct {
    const char *joint, *label;
    snw_vec3 at; /* in the joint's frame */
} bone_point[] = {
    {"head", "head", {0, 0, 0}},           {"left_wrist", "LHAN", {0, 0, 0}},
    {"right_wrist", "RHAN", {0, 0, 0}},    {"pelvis", "waist", {0, 0, 0}},
    {"left_ankle", "LFOO", {0, 0, 0}},     {"right_ankle", "RFOO", {0, 0, 0}},
    {"chest", "chest", {0, 0, 0}},         {"left_elbow", "LLAR", {0, 0, 0}},
    {"right_elbow", "RLAR", {0, 0, 0}},    {"left_shoulder", "LUAR", {0, 0, 0}},
    {"right_shoulder", "RUAR", {0, 0, 0}}, {"chest", "UTSP", {0, 0, 0}},
    {"chest", "LSHO", {0.1, 0.1, 0}},      {"chest", "RSHO", {-0.1, 0.1, 0}},
};

enum {
    BONE_FRAMES_WITH_CHEST = 7, /* of bone_point: these have axes */
    BONE_POINTS = sizeof bone_point / sizeof *bone_point,
    BONE_REST = 6 /* frames in T-pose before the motion */
};

/* A chest of its bone's ends has no axes of its own. */
static snw_trial *make_bones(bool has_chest)
{
    static const snw_vec3 axis[] = {{0, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    snw_trial_options sizes = snw_trial_options_default();
    snw_skeleton *body = NULL;
    snw_trial *trial = NULL;
    snw_pose *pose = NULL;
    snw_motion *motion = make_motion(&body);
    int framed = BONE_FRAMES_WITH_CHEST - !has_chest;
    sizes.frame_count = BONE_REST + motion->frame_count;
    sizes.rate = motion->rate;
    sizes.marker_count = 2 * framed + BONE_POINTS - !has_chest;
    if (snw_trial_create(&sizes, NULL, &trial, NULL) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, NULL) != SNW_OK)
        abort();
    trial->up = SNW_UP_Y;
    for (int f = 0; f < sizes.frame_count; f++) {
        snw_pose_reset(pose);
        if (f >= BONE_REST) snw_motion_get(motion, f - BONE_REST, pose);
        snw_pose_forward(pose);
        for (int p = 0, m = 0; p < BONE_POINTS; p++) {
            if (!has_chest && p == framed) continue;
            int joint = snw_skeleton_find_joint(body, bone_point[p].joint);
            for (int k = 0; k < (p < framed ? 3 : 1); k++, m++) {
                char name[24];
                snw_format(name, sizeof name, "%s%s", bone_point[p].label,
                           k == 0   ? ""
                           : k == 1 ? "Y"
                                    : "Z");
                if (f == 0) snw_trial_set_marker_name(trial, m, name, NULL);
                snw_vec3 local = snw_vec3_add(bone_point[p].at, axis[k]);
                snw_trial_set(trial, f, m, snw_pose_point(pose, joint, local), SNW_SAMPLE_MEASURED);
            }
        }
    }
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    return trial;
}

static const snw_trial *find_bones(bool has_chest)
{
    static snw_trial *made[2];
    if (!made[has_chest]) made[has_chest] = make_bones(has_chest);
    return made[has_chest];
}

/* Hands exchanged in a frame; or all of a frame's first tracker as in another frame: frozen. */
static void exchange_rotations(snw_trial *trial, int frame, int frozen)
{
    float *row = trial->rotation + (size_t)17 * (size_t)frame * (size_t)trial->rotation_count;
    int a = -1, b = -1;
    for (int r = 0; r < trial->rotation_count; r++) {
        if (strcmp(trial->rotation_label[r].name, "left_hand") == 0) a = r;
        if (strcmp(trial->rotation_label[r].name, "right_hand") == 0) b = r;
    }
    for (int k = 0; k < 17 && a >= 0 && b >= 0; k++) {
        float kept = row[17 * a + k];
        if (frozen >= 0)
            row[17 * a + k] =
                trial->rotation[(size_t)17 *
                                    ((size_t)frozen * (size_t)trial->rotation_count + (size_t)a) +
                                (size_t)k];
        else
            row[17 * a + k] = row[17 * b + k];
        if (frozen < 0) row[17 * b + k] = kept;
    }
}

/* Labels, samples and rotations of the capture changed. */
static snw_trial *make_capture(fuzz_bytes *bytes)
{
    static const char *const labels[] = {"HMD", "LHAN",  "RightWrist", "chest",
                                         "",    "LHANY", "LHANZ",      "left_elbow"};
    unsigned form = fuzz_byte(bytes);
    const snw_trial *made = form & 1 ? find_bones(form & 2) : find_trackers();
    snw_trial part = snw_trial_window(made, fuzz_below(bytes, 4),
                                      made->frame_count - fuzz_below(bytes, made->frame_count));
    snw_trial *trial = NULL;
    if (snw_trial_copy(&part, NULL, &trial, NULL) != SNW_OK) abort();
    trial->up = fuzz_byte(bytes) & 1 ? SNW_UP_UNKNOWN : trial->up;
    for (int n = fuzz_below(bytes, 8); n > 0; n--) {
        const char *label = labels[fuzz_below(bytes, 8)];
        int marker = fuzz_below(bytes, trial->marker_count);
        if (fuzz_byte(bytes) & 1) snw_trial_set_marker_name(trial, marker, label, NULL);
        if (fuzz_byte(bytes) & 1)
            for (int f = fuzz_below(bytes, trial->frame_count); f < trial->frame_count; f++)
                fuzz_place(trial, f, marker, fuzz_vector(bytes));
        if (trial->rotation_count == 0) continue;
        int first = fuzz_below(bytes, 16), end = first + fuzz_below(bytes, 24);
        unsigned how = fuzz_byte(bytes);
        for (int f = first; f < end && f < trial->frame_count && how < 2; f++)
            exchange_rotations(trial, f, how ? first : -1);
        int rotation = fuzz_below(bytes, trial->rotation_count);
        if (fuzz_byte(bytes) & 1) snw_trial_set_rotation_name(trial, rotation, label, NULL);
        size_t numbers = (size_t)trial->frame_count * (size_t)trial->rotation_count * 17;
        trial->rotation[(size_t)fuzz_byte(bytes) * 16 % numbers] = (float)fuzz_number(bytes);
    }
    return trial;
}

/* A tracker that is not there for some frames. */
static void disturb(snw_avatar_capture *capture, fuzz_bytes *bytes)
{
    int first = fuzz_below(bytes, 24), end = first + fuzz_below(bytes, 24);
    int role = fuzz_below(bytes, SNW_AVATAR_ROLE_COUNT);
    for (int f = first; f < end && f < capture->frame_count; f++)
        capture->frame[f].is_present[role] = false;
}

static void check_solve(const snw_avatar_profile *profile, const snw_avatar_capture *capture,
                        fuzz_bytes *bytes)
{
    snw_avatar_options options = snw_avatar_options_default();
    snw_state_space *space = NULL;
    snw_avatar *avatar = NULL;
    snw_motion *motion = NULL;
    snw_error error;
    options.method = (snw_avatar_method)fuzz_below(bytes, SNW_AVATAR_METHOD_COUNT);
    options.shake = (snw_shake_filter)fuzz_below(bytes, 3);
    options.has_legs = fuzz_byte(bytes) & 1;
    options.up = capture->up;
    fuzz_check_said(snw_state_space_create(profile, capture, NULL, &space, &error), &error);
    if (space) check_space(space);
    options.state_space = space;
    fuzz_check_said(snw_avatar_create(profile, &options, NULL, &avatar, &error), &error);
    if (avatar) fuzz_check_said(snw_avatar_solve(avatar, capture, NULL, &motion, &error), &error);
    if (motion) fuzz_check_motion(motion);
    snw_motion_destroy(motion);
    snw_avatar_destroy(avatar);
    snw_state_space_destroy(space);
}

static void check_capture(fuzz_bytes *bytes)
{
    snw_avatar_calibration how = snw_avatar_calibration_default();
    snw_avatar_profile profile = snw_avatar_profile_default(1.7);
    snw_trial *trial = make_capture(bytes);
    snw_avatar_capture *capture = NULL;
    snw_notes notes = snw_notes_none();
    snw_error error;
    fuzz_check_said(snw_avatar_capture_from_trial(trial, NULL, &capture, &notes, &error), &error);
    if (capture && (fuzz_byte(bytes) & 1)) disturb(capture, bytes);
    if (capture) {
        how.rest_seconds = fuzz_below(bytes, 3) * 0.25;
        how.is_from_rest_alone = fuzz_byte(bytes) & 1;
        fuzz_check_said(snw_avatar_calibrate(capture, &how, &profile, &notes, &error), &error);
        if (error.status == SNW_OK && (fuzz_byte(bytes) & 1))
            fuzz_check_said(snw_avatar_learn(&profile, capture, &notes, &error), &error);
        if (error.status == SNW_OK) check_solve(&profile, capture, bytes);
    }
    snw_avatar_capture_destroy(capture);
    snw_trial_destroy(trial);
}

/* Spheres that reach each other or not; the elevation of a place on the circle is its own. */
static void check_elbow(fuzz_bytes *bytes)
{
    snw_sphere upper = {fuzz_vector(bytes), fabs(fuzz_number(bytes))};
    snw_sphere lower = {fuzz_vector(bytes), fabs(fuzz_number(bytes))};
    snw_vec3 up = fuzz_vector(bytes), outward = fuzz_vector(bytes);
    double angle = 3 * fuzz_number(bytes), half = fabs(fuzz_number(bytes));
    if (!(snw_vec3_length(upper.center) < 1e6 && snw_vec3_length(lower.center) < 1e6)) return;
    if (!(upper.radius < 1e6 && lower.radius < 1e6 && fabs(angle) < 100)) return;
    if (!(snw_vec3_length(up) < 1e6 && snw_vec3_length(outward) < 1e6 && half < 4)) return;
    snw_elbow_circle circle = snw_elbow_circle_make(upper, lower, up, outward);
    if (!snw_vec3_is_finite(snw_elbow_at(&circle, angle))) abort();
    if (isnan(snw_elbow_elevation(&circle, upper.center))) abort();
    if (!(fabs(snw_elbow_arc_clamp(angle, 0, half)) <= half + 1e-9)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    unsigned what = fuzz_byte(&bytes);
    if (what == 1) check_capture(&bytes);
    if (what == 2) check_elbow(&bytes);
    if (what == 1 || what == 2) return 0;
    check_profile((const char *)data, size);
    check_states((const char *)data, size);
    check_steps(data, size);
    return 0;
}
