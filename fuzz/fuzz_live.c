/* What a program hands over frame by frame: units, states, uncertainties, times, rays, goals and
 * starts with any number in them. Steps of tracker and predictor, least-squares steps and bone
 * lengths give numbers, take no memory, and leave the pose as it was where they say so. */
#include "fuzz_trials.h"

enum {
    LIVE_JOINTS = 3,
    LIVE_MARKERS = 9,
    LIVE_FRAMES = 6,
    LIVE_BONES = 6
};

typedef struct live_frame {
    snw_sample sample[LIVE_MARKERS];
    uint8_t state[LIVE_MARKERS];
    float uncertainty[LIVE_MARKERS];
} live_frame;

static snw_skeleton *make_body(void)
{
    static const char *const names[LIVE_JOINTS] = {"Hips", "LeftUpLeg", "LeftLeg"};
    snw_joint_def defs[LIVE_JOINTS];
    snw_skeleton *body = NULL;
    for (int j = 0; j < LIVE_JOINTS; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j - 1;
        defs[j].joint.type = j == 0 ? SNW_JOINT_FIXED : SNW_JOINT_BALL;
        defs[j].rest.translation = snw_vec3_make(0, j == 0 ? 0 : 0.3, 0);
    }
    if (snw_skeleton_create(defs, LIVE_JOINTS, NULL, &body, NULL) != SNW_OK) abort();
    return body;
}

static snw_actor *make_actor(const snw_skeleton *body)
{
    static const char *const names[LIVE_MARKERS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    snw_actor_marker marker[LIVE_MARKERS];
    snw_actor *actor = NULL;
    for (int m = 0; m < LIVE_MARKERS; m++)
        marker[m] = (snw_actor_marker){
            names[m], m / 3, {0.06 * cos(2.1 * m), 0.05 * (m % 3), 0.06 * sin(2.1 * m)}, 0.001};
    if (snw_actor_create(body, marker, LIVE_MARKERS, NULL, &actor, NULL) != SNW_OK) abort();
    return actor;
}

/* Markers where the body has them, some numbers of the frame replaced. */
static snw_frame make_frame(fuzz_bytes *bytes, const snw_actor *actor, const snw_pose *truth,
                            live_frame *own)
{
    snw_frame frame = {LIVE_MARKERS, 0.01, 0.001, 1, own->sample, own->state, own->uncertainty};
    unsigned what = fuzz_byte(bytes);
    for (int m = 0; m < LIVE_MARKERS; m++) {
        const snw_actor_marker *marker = actor->marker + m;
        snw_vec3 place = snw_pose_point(truth, marker->joint, marker->offset);
        if (what & 1 && fuzz_byte(bytes) > 200) place = fuzz_vector(bytes);
        own->sample[m] = (snw_sample){(float)(1000 * place.x), (float)(1000 * place.y),
                                      (float)(1000 * place.z), (float)fuzz_byte(bytes)};
        own->state[m] = what & 2 ? (uint8_t)fuzz_byte(bytes) : SNW_SAMPLE_MEASURED;
        own->uncertainty[m] = what & 4 ? (float)fuzz_number(bytes) : 0.001f;
    }
    if (what & 8) frame.metres_per_unit = fuzz_number(bytes);
    if (what & 16) frame.time = fuzz_number(bytes);
    if (what & 32) frame.residual_scale = fuzz_number(bytes);
    if (what & 64) frame.uncertainty = NULL;
    if (what & 128) frame.marker_count = fuzz_below(bytes, LIVE_MARKERS + 1);
    return frame;
}

static void start_anywhere(fuzz_bytes *bytes, snw_tracker *tracker, const snw_pose *truth)
{
    snw_pose *start = NULL;
    if (snw_pose_create(truth->skeleton, NULL, &start, NULL) != SNW_OK) abort();
    start->root.translation = fuzz_vector(bytes);
    start->rotation[1].x = fuzz_number(bytes);
    start->slide[2].y = fuzz_byte(bytes) & 1 ? fuzz_number(bytes) : 0;
    snw_tracker_start(tracker, start);
    snw_pose_destroy(start);
}

static void try_tracker(fuzz_bytes *bytes, const snw_actor *actor, snw_pose *truth)
{
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    const char *names[LIVE_MARKERS];
    snw_name_list list = {names, LIVE_MARKERS};
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    live_frame own;
    for (int m = 0; m < LIVE_MARKERS; m++)
        names[m] = actor->marker[m].name;
    if (snw_tracker_create(actor, &list, NULL, &allocator, &tracker, NULL) != SNW_OK ||
        snw_pose_create(actor->skeleton, NULL, &pose, NULL) != SNW_OK)
        abort();
    long before = counter.calls;
    for (int f = 0; f < LIVE_FRAMES; f++) {
        snw_frame frame = make_frame(bytes, actor, truth, &own);
        if (fuzz_byte(bytes) >= 200) start_anywhere(bytes, tracker, truth);
        snw_track track = snw_tracker_step(tracker, &frame, pose);
        if (!(track.residual >= 0) || isinf(track.residual)) abort();
        fuzz_check_pose(pose);
    }
    if (counter.calls != before) abort();
    snw_pose_destroy(pose);
    snw_tracker_destroy(tracker);
}

static void try_predictor(fuzz_bytes *bytes, const snw_actor *actor, const snw_pose *truth)
{
    static const int segment_of[LIVE_MARKERS] = {0, 0, 0, 1, 1, 1, 2, 2, 2},
                     neighbour[] = {-1, 0, 1};
    snw_predict_options options = snw_predict_options_default();
    snw_segments *segments = NULL;
    snw_predictor *predictor = NULL;
    live_frame own;
    snw_error error;
    options.method = (snw_predict_method)fuzz_below(bytes, SNW_PREDICT_METHOD_COUNT);
    options.neighbour = neighbour;
    if (snw_segments_create(segment_of, LIVE_MARKERS, NULL, NULL, &segments, NULL) != SNW_OK)
        abort();
    fuzz_check_said(snw_predictor_create(segments, 100, &options, NULL, &predictor, &error),
                    &error);
    for (int f = 0; predictor && f < LIVE_FRAMES; f++) {
        snw_ray ray[2];
        for (int r = 0; r < 2; r++)
            ray[r] = (snw_ray){fuzz_below(bytes, LIVE_MARKERS + 2) - 1, fuzz_vector(bytes),
                               snw_vec3_unit(fuzz_vector(bytes), snw_vec3_make(0, 0, 1))};
        if (fuzz_byte(bytes) >= 240) ray[0].direction = fuzz_vector(bytes);
        snw_frame frame = make_frame(bytes, actor, truth, &own);
        snw_frame told = snw_predictor_step(predictor, &frame, ray, fuzz_below(bytes, 3));
        for (int m = 0; m < told.marker_count; m++)
            if (told.state[m] == SNW_SAMPLE_PREDICTED &&
                !(snw_vec3_is_finite(snw_frame_position(&told, m)) && told.uncertainty[m] >= 0))
                abort();
    }
    snw_predictor_destroy(predictor);
    snw_segments_destroy(segments);
}

static void try_stepper(fuzz_bytes *bytes, const snw_skeleton *body)
{
    snw_goal usual[2] = {
        snw_goal_pose(2, snw_vec3_make(0, 0.1, 0), snw_vec3_make(0.2, 0.3, 0.1),
                      snw_quat_identity()),
        snw_goal_aim(1, snw_vec3_make(0, 0, 0), snw_vec3_make(1, 0, 0), snw_vec3_make(0.1, 0, 1))};
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    snw_ik_stepper *stepper = NULL;
    snw_pose *pose = NULL;
    options.use_holds = fuzz_byte(bytes) & 1;
    int count = options.use_holds ? 1 : 2;
    if (snw_ik_stepper_create(&(snw_ik_problem){body, usual, count}, &options, NULL, &stepper,
                              NULL) != SNW_OK ||
        snw_pose_create(body, NULL, &pose, NULL) != SNW_OK)
        abort();
    for (int k = 0; k < LIVE_FRAMES; k++) {
        snw_goal goal[2] = {usual[0], usual[1]}, *one = goal + fuzz_below(bytes, count);
        double *number[] = {&one->position.x,    &one->point.y, &one->orientation.w,
                            &one->orientation.z, &one->weight,  &one->turn_weight,
                            &one->direction.x};
        *number[fuzz_below(bytes, 7)] = fuzz_number(bytes);
        if (options.use_holds)
            snw_ik_stepper_set_hold(stepper, 1, snw_quat_identity(), fabs(fuzz_number(bytes)));
        snw_ik_step step = snw_ik_stepper_step(stepper, goal, pose);
        if (isnan(step.energy) || isnan(step.largest_move) || isnan(step.expected_gain)) abort();
        fuzz_check_pose(pose);
    }
    snw_pose_destroy(pose);
    snw_ik_stepper_destroy(stepper);
}

static void try_bones(fuzz_bytes *bytes)
{
    int parent[LIVE_BONES], count = 1 + fuzz_below(bytes, LIVE_BONES);
    double length[LIVE_BONES], slack[LIVE_BONES], bend[LIVE_BONES];
    bool is_fixed[LIVE_BONES], is_finite = true;
    snw_vec3 place[LIVE_BONES], before[LIVE_BONES];
    unsigned what = fuzz_byte(bytes);
    for (int j = 0; j < count; j++) {
        parent[j] = j == 0 ? -1 : fuzz_below(bytes, j);
        length[j] = fuzz_number(bytes);
        slack[j] = fuzz_number(bytes);
        bend[j] = 4 * fuzz_number(bytes);
        is_fixed[j] = fuzz_byte(bytes) < 80;
        before[j] = place[j] = fuzz_vector(bytes);
        is_finite &= snw_vec3_is_finite(place[j]);
    }
    const snw_bone_lengths bones = {count, parent, length, what & 1 ? slack : NULL,
                                    what & 2 ? bend : NULL};
    double left = snw_bone_lengths_restore(&bones, is_fixed, place);
    if (!(left >= 0) || (!is_finite && left < INFINITY)) abort();
    for (int j = 0; j < count; j++) {
        if (is_finite && !snw_vec3_is_finite(place[j])) abort();
        if ((is_fixed[j] || isinf(left)) && memcmp(place + j, before + j, sizeof *place) != 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int what = fuzz_below(&bytes, 4);
    snw_skeleton *body = make_body();
    snw_actor *actor = make_actor(body);
    snw_pose *truth = NULL;
    if (snw_pose_create(body, NULL, &truth, NULL) != SNW_OK) abort();
    truth->rotation[1] = snw_quat_exp(snw_vec3_make(0.4, 0, 0.2));
    snw_pose_forward(truth);
    if (what == 0) try_tracker(&bytes, actor, truth);
    if (what == 1) try_predictor(&bytes, actor, truth);
    if (what == 2) try_stepper(&bytes, body);
    if (what == 3) try_bones(&bytes);
    snw_pose_destroy(truth);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(body);
    return 0;
}
