/* Captures with known truth: consistent with the motion, noisy as asked, hidden as geometry says,
 * with the gaps that were ordered, the same for the same seed. */
#include "check.h"

typedef struct studio {
    snw_skeleton *body;
    snw_synth *synth;
} studio;

static studio shoot(const char *preset, const snw_synth_options *options)
{
    studio result = {NULL, NULL};
    snw_error error;
    assert_int_equal(snw_preset_create(preset, NULL, &result.body, &error), SNW_OK);
    if (snw_synth_create(result.body, NULL, options, NULL, &result.synth, &error) != SNW_OK)
        print_error("%s\n", error.message);
    assert_non_null(result.synth);
    return result;
}

static void leave(studio *result)
{
    snw_synth_destroy(result->synth);
    snw_skeleton_destroy(result->body);
}

static snw_synth_options quick_options(void)
{
    snw_synth_options options = snw_synth_options_default();
    options.seconds = 2;
    options.rate = 60;
    return options;
}

/* A float of at most 6000 mm is exact to half a unit in the last place: 0.25 um. */
#define FLOAT_MM 5e-7

/* ---- truth -------------------------------------------------------------------------------- */

static void joint_truth_is_forward_kinematics_of_the_motion(void **state)
{
    (void)state;
    static const snw_up_axis ups[] = {SNW_UP_Y, SNW_UP_Z};
    for (int u = 0; u < 2; u++) {
        snw_synth_options options = quick_options();
        options.up = ups[u];
        studio set = shoot("humanoid", &options);
        snw_pose *pose = NULL;
        assert_int_equal(snw_pose_create(set.body, NULL, &pose, NULL), SNW_OK);
        assert_int_equal(set.synth->joint_truth->up, ups[u]);
        for (int f = 0; f < set.synth->motion->frame_count; f++) {
            snw_motion_get(set.synth->motion, f, pose);
            snw_pose_forward(pose);
            for (int j = 0; j < set.body->joint_count; j++)
                check_vec3_near(snw_trial_position(set.synth->joint_truth, f, j),
                                pose->world[j].translation, 2 * FLOAT_MM);
        }
        assert_string_equal(set.synth->joint_truth->marker[3].name, set.body->name[3]);
        snw_pose_destroy(pose);
        leave(&set);
    }
}

static void markers_without_wobble_are_rigid_on_their_bones(void **state)
{
    (void)state;
    for (int placement = 0; placement < 2; placement++) {
        snw_synth_options options = quick_options();
        options.motion = SNW_SYNTH_DANCE;
        options.placement = (snw_synth_placement)placement;
        options.wobble = 0;
        studio set = shoot("humanoid", &options);
        const snw_synth *synth = set.synth;
        const snw_trial *truth = synth->marker_truth;
        for (int a = 0; a < synth->marker_count; a++) {
            for (int b = 0; b < a; b++) {
                if (synth->marker[a].joint != synth->marker[b].joint) continue;
                double built = snw_vec3_distance(synth->marker[a].place, synth->marker[b].place);
                for (int f = 0; f < truth->frame_count; f += 7)
                    check_near(snw_vec3_distance(snw_trial_position(truth, f, a),
                                                 snw_trial_position(truth, f, b)),
                               built, 4 * FLOAT_MM);
            }
        }
        leave(&set);
    }
}

/* Turning the lab must not change the capture but for its axes: x to y, y to z, z to x. */
static void the_lab_may_have_its_up_along_z(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.camera_count = 5;
    options.noise = 0; /* noise is drawn in the lab's axes */
    studio y_up = shoot("humanoid", &options);
    options.up = SNW_UP_Z;
    studio z_up = shoot("humanoid", &options);
    double highest = 0;
    for (int f = 0; f < y_up.synth->capture->frame_count; f += 5) {
        for (int m = 0; m < y_up.synth->marker_count; m++) {
            assert_int_equal(snw_trial_is_present(y_up.synth->capture, f, m),
                             snw_trial_is_present(z_up.synth->capture, f, m));
            if (!snw_trial_is_present(y_up.synth->capture, f, m)) continue;
            snw_vec3 p = snw_trial_position(y_up.synth->capture, f, m);
            snw_vec3 q = snw_trial_position(z_up.synth->capture, f, m);
            check_vec3_near(q, snw_vec3_make(p.z, p.x, p.y), 4 * FLOAT_MM);
            highest = fmax(highest, q.z);
        }
    }
    check_near(highest, 1.7, 0.15); /* a head of 1.75 m with markers around it */
    leave(&y_up);
    leave(&z_up);
}

static void landmarks_have_names_sides_and_skin(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    studio set = shoot("humanoid", &options);
    const snw_synth *synth = set.synth;
    assert_int_equal(synth->marker_count, 41);
    static const char *const names[] = {"LFHD", "RFHD", "C7",   "T10",  "CLAV", "STRN", "RBAK",
                                        "LSHO", "RELB", "LWRA", "LASI", "RPSI", "LTHI", "RKNE",
                                        "LTIB", "RANK", "LHEE", "RTOE", "LMT5"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_true(snw_trial_find_marker(synth->capture, names[i]) >= 0);
    for (int m = 0; m < synth->marker_count; m++)
        assert_int_equal(snw_trial_find_marker(synth->capture, synth->marker[m].name), m);
    static const char *const fleshy[] = {"LFHD", "RUPA", "LFRM", "RFIN", "LTHI", "RTIB", "LMT5"};
    for (size_t n = 0; n < sizeof fleshy / sizeof *fleshy; n++) { /* outside of its own segment */
        const snw_synth_marker *marker =
            synth->marker + snw_trial_find_marker(synth->capture, fleshy[n]);
        for (int i = 0; i < synth->limb_count; i++)
            if (synth->limb[i].joint == marker->joint)
                assert_true(
                    snw_segment_distance(marker->place, marker->place, synth->limb[i].capsule.a,
                                         synth->limb[i].capsule.b) > synth->limb[i].capsule.radius);
    }
    leave(&set);
    options.motion = SNW_SYNTH_GESTURES;
    set = shoot("hand25", &options);
    assert_int_equal(set.synth->marker_count, 23);
    assert_true(snw_trial_find_marker(set.synth->capture, "THUMB_TIP") >= 0);
    leave(&set);
}

/* Breadths over the bones of a person of 1.75 m, after Ross & Wilson (1974): 98, 67 and 69 mm; half
 * of them and a marker's radius of 7 mm, give or take four deviations of the hand that places it.
 */
static void bony_landmarks_lie_half_a_joint_from_its_center(void **state)
{
    (void)state;
    static const struct {
        const char *marker, *center;
        double away;
    } rows[] = {{"LKNE", "left_knee", 0.056},   {"RKNE", "right_knee", 0.056},
                {"LELB", "left_elbow", 0.040},  {"RELB", "right_elbow", 0.040},
                {"LANK", "left_ankle", 0.0415}, {"RANK", "right_ankle", 0.0415}};
    snw_synth_options options = quick_options();
    snw_vec3 first = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        options.seed = seed;
        studio set = shoot("humanoid", &options);
        for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
            int joint = snw_skeleton_find_joint(set.body, rows[n].center);
            const snw_synth_marker *marker =
                set.synth->marker + snw_trial_find_marker(set.synth->capture, rows[n].marker);
            assert_int_equal(marker->joint, set.body->parent[joint]);
            check_near(snw_vec3_distance(marker->place, set.body->rest[joint].translation),
                       rows[n].away, 4 * 0.00525);
        }
        /* Another seed, another hand. */
        snw_vec3 knee = set.synth->marker[snw_trial_find_marker(set.synth->capture, "LKNE")].place;
        assert_true(snw_vec3_distance(knee, first) > 1e-4);
        first = knee;
        leave(&set);
    }
}

/* ---- wobble and noise --------------------------------------------------------------------- */

static void wobble_has_the_size_that_was_asked_for(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.motion = SNW_SYNTH_RANGE;
    options.placement = SNW_SYNTH_RANDOM;
    options.seconds = 60;
    options.rate = 10;
    options.wobble = 0;
    studio still = shoot("humanoid", &options);
    options.wobble = 0.004;
    studio soft = shoot("humanoid", &options);
    double sum = 0, count = 0;
    for (int f = 0; f < 600; f++) {
        for (int m = 0; m < soft.synth->marker_count; m++, count++) {
            double way = snw_vec3_distance(snw_trial_position(soft.synth->marker_truth, f, m),
                                           snw_trial_position(still.synth->marker_truth, f, m));
            sum += way * way;
        }
    }
    /* 92 markers with three random waves each over many periods: a few per cent. */
    check_near(sqrt(sum / count), 0.004, 0.0003);
    leave(&still);
    leave(&soft);
}

static void noise_is_gaussian_with_the_deviation_that_was_asked_for(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.seconds = 20;
    options.noise = 0.001;
    studio set = shoot("humanoid", &options);
    double sum = 0, square = 0, fourth = 0, count = 0;
    for (int f = 0; f < set.synth->capture->frame_count; f++) {
        for (int m = 0; m < set.synth->marker_count; m++) {
            snw_vec3 off = snw_vec3_sub(snw_trial_position(set.synth->capture, f, m),
                                        snw_trial_position(set.synth->marker_truth, f, m));
            const double axis[3] = {off.x / 0.001, off.y / 0.001, off.z / 0.001};
            for (int i = 0; i < 3; i++, count++) {
                sum += axis[i];
                square += axis[i] * axis[i];
                fourth += pow(axis[i], 4);
            }
        }
    }
    /* n = 147600 draws: standard errors are 1/sqrt(n) = 0.0026, sqrt(2/n) = 0.0037 and
     * sqrt(96/n) = 0.026; four of each. */
    check_near(sum / count, 0, 0.0104);
    check_near(square / count, 1, 0.0148);
    check_near(fourth / count, 3, 0.104);
    leave(&set);
}

static void more_cameras_see_more_exactly(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.camera_count = 10;
    options.seconds = 6;
    studio set = shoot("humanoid", &options);
    double square[11] = {0}, count[11] = {0};
    for (int f = 0; f < set.synth->capture->frame_count; f++) {
        for (int m = 0; m < set.synth->marker_count; m++) {
            size_t at = (size_t)f * (size_t)set.synth->marker_count + (size_t)m;
            int cameras = 0;
            for (uint64_t bits = set.synth->seen[at]; bits; bits &= bits - 1)
                cameras++;
            if (cameras < 2) continue;
            double way = snw_vec3_distance(snw_trial_position(set.synth->capture, f, m),
                                           snw_trial_position(set.synth->marker_truth, f, m));
            square[cameras] += way * way;
            count[cameras]++;
            assert_int_equal(snw_trial_cameras(set.synth->capture, f, m),
                             set.synth->seen[at] & 127);
            double residual = snw_trial_residual(set.synth->capture, f, m);
            assert_true(residual >= 0 && residual < 6 * options.noise);
        }
    }
    int tested = 0;
    for (int n = 2; n <= 10; n++) {
        if (count[n] < 300) continue;
        tested++;
        double expected = options.noise * options.noise * 2 / n * 3;
        /* The mean of k squares of three coordinates has the relative error sqrt(2 / (3k)). */
        check_near(square[n] / count[n] / expected, 1, 5 * sqrt(2 / (3 * count[n])));
    }
    assert_true(tested >= 4);
    leave(&set);
}

/* ---- what cameras see --------------------------------------------------------------------- */

static void distances_between_segments_are_those_of_closed_form(void **state)
{
    (void)state;
    static const struct {
        double p[4][3];
        double distance;
    } cases[] = {
        {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}}, 2},   /* crossing above */
        {{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 3, 0}}, 1},    /* end over middle */
        {{{0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {4, 5, 0}}, 5},     /* end to end, 3-4-5 */
        {{{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {3, 1, 0}}, 1},     /* parallel, overlapping */
        {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, 1},     /* in line */
        {{{0, 0, 0}, {0, 0, 0}, {0, 3, 4}, {0, 3, 4}}, 5},     /* points */
        {{{0, 0, 0}, {0, 0, 0}, {-1, 2, 0}, {1, 2, 0}}, 2},    /* point and segment */
        {{{-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}}, 0}, /* meeting */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snw_vec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = snw_vec3_make(cases[i].p[k][0], cases[i].p[k][1], cases[i].p[k][2]);
        check_near(snw_segment_distance(p[0], p[1], p[2], p[3]), cases[i].distance, 1e-15);
        check_near(snw_segment_distance(p[3], p[2], p[1], p[0]), cases[i].distance, 1e-15);
    }
}

/* Sampling both segments can only find a larger distance, by half a step of each at most. */
static void distances_between_random_segments_agree_with_sampling(void **state)
{
    (void)state;
    enum {
        STEPS = 60
    };
    snw_random random = snw_random_seed(11, 1);
    for (int n = 0; n < CHECK_SAMPLES(400); n++) {
        snw_vec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = snw_vec3_scale(snw_random_direction(&random), snw_random_range(&random, 0, 2));
        double sampled = 1e9;
        for (int s = 0; s <= STEPS; s++)
            for (int t = 0; t <= STEPS; t++)
                sampled =
                    fmin(sampled, snw_vec3_distance(snw_vec3_lerp(p[0], p[1], (double)s / STEPS),
                                                    snw_vec3_lerp(p[2], p[3], (double)t / STEPS)));
        double found = snw_segment_distance(p[0], p[1], p[2], p[3]);
        assert_true(found <= sampled + 1e-12);
        assert_true(found >= sampled - 4.0 / STEPS);
    }
}

static void a_capsule_hides_what_is_behind_it_and_only_that(void **state)
{
    (void)state;
    const snw_capsule limb = {{0, -1, 0}, {0, 1, 0}, 0.1};
    const snw_vec3 camera = {-3, 0, 0};
    static const struct {
        snw_vec3 marker;
        bool is_hidden;
    } cases[] = {
        {{1, 0, 0}, true},      /* behind */
        {{-0.11, 0, 0}, false}, /* on the near skin */
        {{0.11, 0, 0}, true},   /* on the far skin */
        {{-1, 0, 0}, false},    /* in front */
        {{0, 0, 0.2}, false},   /* beside */
        {{1, 0, 0.2}, false},   /* passes at 0.15 */
        {{1, 0, 0.12}, true},   /* passes at 0.09 */
        {{1, 1.49, 0}, false},  /* over the round end: passes at more than 0.1 */
        {{1, 1.40, 0}, true},   /* through the round end */
        {{0.05, 0, 0}, false},  /* inside: skin gives way */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(snw_capsule_hides(&limb, camera, cases[i].marker), cases[i].is_hidden);
}

static void a_camera_covers_its_square_image(void **state)
{
    (void)state;
    snw_synth_camera camera = {snw_xform_identity(), SNW_PI / 2}; /* edges at 45 degrees */
    assert_true(snw_synth_camera_covers(&camera, snw_vec3_make(0, 0, 2)));
    assert_true(snw_synth_camera_covers(&camera, snw_vec3_make(1.99, -1.99, 2)));
    assert_false(snw_synth_camera_covers(&camera, snw_vec3_make(2.01, 0, 2)));
    assert_false(snw_synth_camera_covers(&camera, snw_vec3_make(0, -2.01, 2)));
    assert_false(snw_synth_camera_covers(&camera, snw_vec3_make(0, 0, -2)));
}

/* The definition again, straight from limbs, cameras and truth. A limb is no thicker at its own
 * markers than they allow, 0.005 of the body's size below them. */
static uint64_t seen_by_definition(const snw_synth *synth, const snw_pose *pose, snw_vec3 point,
                                   int joint)
{
    uint64_t seen = 0;
    for (int c = 0; c < synth->camera_count; c++) {
        snw_vec3 from = synth->camera[c].world_from_camera.translation;
        bool is_seen = snw_synth_camera_covers(&synth->camera[c], point);
        for (int i = 0; i < synth->limb_count; i++) {
            snw_capsule limb = synth->limb[i].capsule;
            limb.a = snw_pose_point(pose, synth->limb[i].joint, limb.a);
            limb.b = snw_pose_point(pose, synth->limb[i].joint, limb.b);
            if (synth->limb[i].joint == joint)
                limb.radius = fmin(limb.radius, snw_segment_distance(point, point, limb.a, limb.b) -
                                                    0.005 * pose->skeleton->size);
            if (snw_capsule_hides(&limb, from, point)) is_seen = false;
        }
        if (is_seen) seen |= UINT64_C(1) << c;
    }
    return seen;
}

static int bits_of(uint64_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void two_cameras_measure_one_gives_a_ray_none_leaves_nothing(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.motion = SNW_SYNTH_BOXING;
    options.camera_count = 2;
    studio set = shoot("humanoid", &options);
    const snw_synth *synth = set.synth;
    snw_pose *pose = NULL;
    int ray = 0, kinds[3] = {0, 0, 0}, differing = 0;
    assert_int_equal(snw_pose_create(set.body, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < synth->capture->frame_count; f++) {
        snw_motion_get(synth->motion, f, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < synth->marker_count; m++) {
            uint64_t seen = synth->seen[(size_t)f * (size_t)synth->marker_count + (size_t)m];
            snw_vec3 truth = snw_trial_position(synth->marker_truth, f, m);
            differing += seen != seen_by_definition(synth, pose, truth, synth->marker[m].joint);
            int cameras = bits_of(seen);
            kinds[cameras > 2 ? 2 : cameras]++;
            assert_int_equal(snw_trial_is_present(synth->capture, f, m), cameras >= 2);
            if (cameras != 1) continue;
            const snw_synth_ray *found = &synth->ray[ray++];
            assert_int_equal(found->frame, f);
            assert_int_equal(found->marker, m);
            assert_true(seen >> found->camera & 1);
            check_vec3_near(found->origin,
                            synth->camera[found->camera].world_from_camera.translation, 0);
            check_near(snw_vec3_length(found->direction), 1, 1e-15);
            snw_vec3 way = snw_vec3_sub(truth, found->origin);
            double off = snw_vec3_length(snw_vec3_cross(way, found->direction));
            assert_true(off < 6 * options.noise); /* two deviations that are Gaussian */
        }
    }
    assert_int_equal(ray, synth->ray_count);
    assert_true(differing <= 2); /* truth was rounded to float: only grazing rays may change */
    for (int k = 0; k < 3; k++)
        assert_true(kinds[k] > 20); /* or the test has seen nothing */
    snw_pose_destroy(pose);
    leave(&set);
}

/* ---- gaps --------------------------------------------------------------------------------- */

static void gap_texts_are_read_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_good;
        snw_synth_gap gap;
    } cases[] = {
        {"LKNE@100+50", true, {"LKNE", SNW_SYNTH_GAP_ALL, 99, 50}},
        {"left_knee/2@any+60", true, {"left_knee", 2, SNW_SYNTH_ANY_FRAME, 60}},
        {"left_arm/all@1+1", true, {"left_arm", SNW_SYNTH_GAP_ALL, 0, 1}},
        {"a@b@7+8", true, {"a@b", SNW_SYNTH_GAP_ALL, 6, 8}},
        {"", false, {"", 0, 0, 0}},
        {"LKNE", false, {"", 0, 0, 0}},
        {"@1+2", false, {"", 0, 0, 0}},
        {"LKNE@0+5", false, {"", 0, 0, 0}},
        {"LKNE@5+0", false, {"", 0, 0, 0}},
        {"LKNE@5", false, {"", 0, 0, 0}},
        {"LKNE@5+", false, {"", 0, 0, 0}},
        {"LKNE@5+3x", false, {"", 0, 0, 0}},
        {"LKNE/0@5+3", false, {"", 0, 0, 0}},
        {"LKNE/x@5+3", false, {"", 0, 0, 0}},
        {"LKNE@5+@", false, {"", 0, 0, 0}},
        {"LKNE@-5+3", false, {"", 0, 0, 0}},
        {"LKNE@99999999999+3", false, {"", 0, 0, 0}},
        {"0123456789012345678901234567890123456789012345678901234567890123@1+1",
         false,
         {"", 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snw_synth_gap gap = {"", 0, 0, 0};
        snw_error error;
        snw_status status = snw_synth_gap_parse(cases[i].text, &gap, &error);
        if ((status == SNW_OK) != cases[i].is_good) fail_msg("\"%s\"", cases[i].text);
        if (!cases[i].is_good) continue;
        assert_string_equal(gap.target, cases[i].gap.target);
        assert_int_equal(gap.marker_count, cases[i].gap.marker_count);
        assert_int_equal(gap.first_frame, cases[i].gap.first_frame);
        assert_int_equal(gap.frame_count, cases[i].gap.frame_count);
    }
}

static int missing_in(const snw_synth *synth, int first, int count)
{
    int missing = 0;
    for (int f = first; f < first + count; f++)
        for (int m = 0; m < synth->marker_count; m++)
            missing += !snw_trial_is_present(synth->capture, f, m);
    return missing;
}

static void gaps_are_exactly_what_was_ordered(void **state)
{
    (void)state;
    const snw_synth_gap gaps[] = {
        {"LKNE", SNW_SYNTH_GAP_ALL, 0, 5},
        {"head", 2, 10, 7},
        {"left_leg", SNW_SYNTH_GAP_ALL, 20, 3},
        {"left_knee", 1, 30, 4},
        {"body", SNW_SYNTH_GAP_ALL, 40, 1},
        {"trunk", SNW_SYNTH_GAP_ALL, 50, 2},
        {"right_arm", 3, 60, 6},
        {"STRN", 1, 119, 1},
    };
    static const int markers[] = {1, 2, 7, 1, 41, 11, 3, 1}; /* the trunk has 5, 4 and 2 SHO */
    snw_synth_options options = quick_options();
    options.gap_count = 8;
    options.gap = gaps;
    studio set = shoot("humanoid", &options);
    int total = 0;
    for (int g = 0; g < 8; g++) {
        int expected = markers[g] * gaps[g].frame_count;
        int found = missing_in(set.synth, gaps[g].first_frame, gaps[g].frame_count);
        if (found != expected) fail_msg("%s: %d instead of %d", gaps[g].target, found, expected);
        total += expected;
    }
    assert_int_equal(missing_in(set.synth, 0, set.synth->capture->frame_count), total);
    assert_false(snw_trial_is_present(set.synth->capture, 4,
                                      snw_trial_find_marker(set.synth->capture, "LKNE")));
    leave(&set);
}

static void a_gap_anywhere_has_its_length_and_moves_with_the_seed(void **state)
{
    (void)state;
    const snw_synth_gap gap = {"RTOE", SNW_SYNTH_GAP_ALL, SNW_SYNTH_ANY_FRAME, 13};
    snw_synth_options options = quick_options();
    options.seconds = 1;
    options.gap_count = 1;
    options.gap = &gap;
    int starts[60] = {0}, different = 0;
    for (int seed = 0; seed < 30; seed++) {
        options.seed = (uint64_t)seed;
        studio set = shoot("humanoid", &options);
        int toe = snw_trial_find_marker(set.synth->capture, "RTOE"), first = 0;
        assert_int_equal(missing_in(set.synth, 0, 60), 13);
        while (snw_trial_is_present(set.synth->capture, first, toe))
            first++;
        assert_int_equal(missing_in(set.synth, first, 13), 13);
        different += starts[first]++ == 0;
        leave(&set);
    }
    assert_true(different > 10);
}

static void gaps_that_cannot_be_are_refused_with_their_name(void **state)
{
    (void)state;
    static const snw_synth_gap wrong[] = {
        {"NOSE", 0, 0, 5},      {"LKNE", 2, 0, 5},
        {"LKNE", 0, 119, 2},    {"LKNE", 0, 120, 1},
        {"LKNE", 0, 0, 121},    {"LKNE", 0, 0, 0},
        {"LKNE", 0, -2, 5},     {"LKNE", -1, 0, 5},
        {"left_toes", 0, 0, 1}, {"LKNE", 0, 2147483647, 2147483647},
    };
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snw_synth_options options = quick_options();
        snw_synth *synth = NULL;
        snw_error error;
        options.gap_count = 1;
        options.gap = &wrong[i];
        assert_int_not_equal(snw_synth_create(body, NULL, &options, NULL, &synth, &error), SNW_OK);
        assert_null(synth);
        assert_non_null(strstr(error.message, wrong[i].target));
    }
    snw_skeleton_destroy(body);
}

/* ---- seeds -------------------------------------------------------------------------------- */

static size_t sample_bytes(const snw_trial *trial)
{
    return (size_t)trial->frame_count * (size_t)trial->marker_count * sizeof *trial->sample;
}

static void the_same_options_give_the_same_bits(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.camera_count = 4;
    options.placement = SNW_SYNTH_RANDOM;
    studio a = shoot("humanoid", &options), b = shoot("humanoid", &options);
    options.seed++;
    studio c = shoot("humanoid", &options);
    size_t size = sample_bytes(a.synth->capture);
    assert_memory_equal(a.synth->capture->sample, b.synth->capture->sample, size);
    assert_int_equal(a.synth->ray_count, b.synth->ray_count);
    for (int i = 0; i < a.synth->ray_count; i++)
        check_vec3_near(a.synth->ray[i].direction, b.synth->ray[i].direction, 0);
    assert_int_not_equal(memcmp(a.synth->capture->sample, c.synth->capture->sample, size), 0);
    leave(&a);
    leave(&b);
    leave(&c);
}

/* Gaps, or more markers on each segment, must not draw other numbers for what was there. */
static void one_change_does_not_reshuffle_the_rest(void **state)
{
    (void)state;
    const snw_synth_gap gap = {"left_leg", SNW_SYNTH_GAP_ALL, 10, 20};
    snw_synth_options options = quick_options();
    options.camera_count = 6;
    studio plain = shoot("humanoid", &options);
    options.gap_count = 1;
    options.gap = &gap;
    studio gapped = shoot("humanoid", &options);
    size_t samples = sample_bytes(plain.synth->capture) / sizeof(snw_sample), kept = 0;
    for (size_t i = 0; i < samples; i++) {
        if (gapped.synth->capture->state[i] == SNW_SAMPLE_MISSING) continue;
        kept++;
        assert_memory_equal(&plain.synth->capture->sample[i], &gapped.synth->capture->sample[i],
                            sizeof(snw_sample));
    }
    assert_true(kept > samples / 2);
    leave(&plain);
    leave(&gapped);
}

/* ---- events, sources, memory -------------------------------------------------------------- */

/* At its strike a walker's heel comes down: before it the foot moves, after it it stands. */
static void foot_strikes_are_when_feet_strike(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    options.rate = 200;
    options.wobble = 0;
    studio set = shoot("humanoid", &options);
    const snw_trial *truth = set.synth->marker_truth;
    int strikes = 0;
    double last = -1;
    for (int e = 0; e < set.synth->capture->event_count; e++) {
        const snw_event *event = set.synth->capture->event + e;
        assert_true(event->time > last);
        last = event->time;
        int frame = (int)(event->time * 200);
        if (strcmp(event->label, "Foot Strike") != 0 || frame < 20 || frame > 1970) continue;
        int heel = snw_trial_find_marker(truth, event->context[0] == 'L' ? "LHEE" : "RHEE");
        double before = snw_vec3_distance(snw_trial_position(truth, frame - 20, heel),
                                          snw_trial_position(truth, frame - 1, heel));
        double after = snw_vec3_distance(snw_trial_position(truth, frame + 1, heel),
                                         snw_trial_position(truth, frame + 20, heel));
        assert_true(before > 0.10);
        assert_true(after < 0.03);
        strikes++;
    }
    assert_true(strikes >= 15); /* 10 s at 0.55 s a step */
    leave(&set);
}

static void any_motion_of_any_body_can_be_captured(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_synth *synth = NULL;
    snw_error error;
    assert_int_equal(snw_preset_create("arm7", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, 17, 50, NULL, &motion, NULL), SNW_OK);
    for (int f = 0; f < 17; f++)
        motion->root[f].translation.x = 0.01 * f;
    snw_synth_options options = snw_synth_options_default();
    assert_int_equal(snw_synth_create(body, motion, &options, NULL, &synth, &error),
                     SNW_UNSUPPORTED); /* no landmarks on a robot */
    assert_null(synth);
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = 3;
    options.wobble = 0;
    assert_int_equal(snw_synth_create(body, motion, &options, NULL, &synth, &error), SNW_OK);
    assert_int_equal(synth->capture->frame_count, 17);
    assert_true(synth->capture->rate == 50);
    for (int m = 0; m < synth->marker_count; m++)
        check_near(snw_vec3_distance(snw_trial_position(synth->marker_truth, 0, m),
                                     snw_trial_position(synth->marker_truth, 16, m)),
                   0.16, 4 * FLOAT_MM);
    snw_synth_destroy(synth);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

static void impossible_options_are_refused(void **state)
{
    (void)state;
    snw_skeleton *body = NULL, *other = NULL;
    snw_motion *motion = NULL;
    snw_synth *synth = NULL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_preset_create("humanoid", NULL, &other, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(other, 3, 50, NULL, &motion, NULL), SNW_OK);
    snw_synth_options wrong[9];
    for (int i = 0; i < 9; i++)
        wrong[i] = quick_options();
    wrong[0].noise = -1;
    wrong[1].wobble = NAN;
    wrong[2].camera_count = 65;
    wrong[3].camera_distance = 0;
    wrong[4].field_of_view = 4;
    wrong[5].markers_per_segment = 0;
    wrong[6].up = SNW_UP_X;
    wrong[7].camera_height = INFINITY;
    wrong[8].gap_count = -1;
    for (int i = 0; i < 9; i++)
        assert_int_equal(snw_synth_create(body, NULL, &wrong[i], NULL, &synth, NULL),
                         SNW_INVALID_ARGUMENT);
    snw_synth_options options = quick_options();
    assert_int_equal(snw_synth_create(body, motion, &options, NULL, &synth, NULL),
                     SNW_INVALID_ARGUMENT); /* of another skeleton */
    assert_int_equal(snw_synth_create(NULL, NULL, &options, NULL, &synth, NULL),
                     SNW_INVALID_ARGUMENT);
    assert_null(synth);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(other);
    snw_skeleton_destroy(body);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    const snw_synth_gap gap = {"head", 1, 1, 1};
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    snw_synth_options options = quick_options();
    options.seconds = 0.7; /* long enough for a foot off */
    options.rate = 10;
    options.camera_count = 2;
    options.gap_count = 1;
    options.gap = &gap;
    long nth = 0;
    for (;; nth++) {
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator hook = counting_hook(&counter);
        snw_synth *synth = NULL;
        snw_error error;
        snw_status status = snw_synth_create(body, NULL, &options, &hook, &synth, &error);
        if (status == SNW_OK) {
            assert_true(counter.calls <= nth);
            snw_synth_destroy(synth);
        } else {
            assert_int_equal(status, SNW_OUT_OF_MEMORY);
            assert_null(synth);
        }
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.live_bytes, 0);
        if (status == SNW_OK) break;
    }
    assert_true(nth > 10);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_truth_is_forward_kinematics_of_the_motion),
        cmocka_unit_test(markers_without_wobble_are_rigid_on_their_bones),
        cmocka_unit_test(the_lab_may_have_its_up_along_z),
        cmocka_unit_test(landmarks_have_names_sides_and_skin),
        cmocka_unit_test(bony_landmarks_lie_half_a_joint_from_its_center),
        cmocka_unit_test(wobble_has_the_size_that_was_asked_for),
        cmocka_unit_test(noise_is_gaussian_with_the_deviation_that_was_asked_for),
        cmocka_unit_test(more_cameras_see_more_exactly),
        cmocka_unit_test(distances_between_segments_are_those_of_closed_form),
        cmocka_unit_test(distances_between_random_segments_agree_with_sampling),
        cmocka_unit_test(a_capsule_hides_what_is_behind_it_and_only_that),
        cmocka_unit_test(a_camera_covers_its_square_image),
        cmocka_unit_test(two_cameras_measure_one_gives_a_ray_none_leaves_nothing),
        cmocka_unit_test(gap_texts_are_read_or_refused),
        cmocka_unit_test(gaps_are_exactly_what_was_ordered),
        cmocka_unit_test(a_gap_anywhere_has_its_length_and_moves_with_the_seed),
        cmocka_unit_test(gaps_that_cannot_be_are_refused_with_their_name),
        cmocka_unit_test(the_same_options_give_the_same_bits),
        cmocka_unit_test(one_change_does_not_reshuffle_the_rest),
        cmocka_unit_test(foot_strikes_are_when_feet_strike),
        cmocka_unit_test(any_motion_of_any_body_can_be_captured),
        cmocka_unit_test(impossible_options_are_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
