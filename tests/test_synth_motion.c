/* The built-in motions: within limits, smooth, large enough, feet that stay where they stand. */
#include "check.h"

static const char *body_of(snw_synth_motion_kind kind)
{
    return kind == SNW_SYNTH_GESTURES ? "hand25" : "humanoid";
}

typedef struct performance {
    snw_skeleton *body;
    snw_motion *motion;
    snw_pose *pose;
} performance;

static performance perform(const char *preset, snw_synth_options options)
{
    performance show = {NULL, NULL, NULL};
    snw_error error;
    assert_int_equal(snw_preset_create(preset, NULL, &show.body, &error), SNW_OK);
    if (snw_synth_motion_create(show.body, &options, NULL, &show.motion, &error) != SNW_OK)
        print_error("%s\n", error.message);
    assert_non_null(show.motion);
    assert_int_equal(snw_pose_create(show.body, NULL, &show.pose, &error), SNW_OK);
    return show;
}

static void finish(performance *show)
{
    snw_pose_destroy(show->pose);
    snw_motion_destroy(show->motion);
    snw_skeleton_destroy(show->body);
}

static void go_to(const performance *show, int frame)
{
    snw_motion_get(show->motion, frame, show->pose);
    snw_pose_forward(show->pose);
}

static void every_built_in_motion_is_within_limits_for_any_seed(void **state)
{
    (void)state;
    static const double radii[] = {4, 8, INFINITY};
    for (int n = 0; n < SNW_SYNTH_MOTION_COUNT; n++) {
        snw_synth_motion_kind kind = (snw_synth_motion_kind)n;
        for (int seed = 1; seed <= CHECK_SAMPLES(20); seed++) {
            snw_synth_options options = snw_synth_options_default();
            options.motion = kind;
            options.seed = (uint64_t)seed;
            options.rate = 60;
            options.path_radius = radii[seed % 3];
            performance show = perform(body_of(options.motion), options);
            for (int f = 0; f < show.motion->frame_count; f++) {
                snw_motion_get(show.motion, f, show.pose);
                double violation = snw_pose_violation(show.pose);
                if (!(violation <=
                      1e-9)) /* round-off of the exact leg solution, as the limits allow */
                    fail_msg("%s, seed %d, frame %d: %g rad outside", snw_synth_motion_name(kind),
                             seed, f, violation);
            }
            finish(&show);
        }
    }
}

/* Largest angular acceleration of any joint by second differences, radians per second squared. */
static double roughest(const performance *show)
{
    const snw_motion *motion = show->motion;
    size_t joints = (size_t)show->body->joint_count;
    double worst = 0;
    for (size_t f = 2; f < (size_t)motion->frame_count; f++) {
        for (size_t j = 0; j < joints; j++) {
            const snw_quat *now = motion->rotation + f * joints + j;
            snw_vec3 before = snw_quat_log(snw_quat_mul(
                snw_quat_conjugate(now[-2 * (ptrdiff_t)joints]), now[-(ptrdiff_t)joints]));
            snw_vec3 after =
                snw_quat_log(snw_quat_mul(snw_quat_conjugate(now[-(ptrdiff_t)joints]), *now));
            worst = fmax(worst, snw_vec3_distance(before, after) * motion->rate * motion->rate);
        }
    }
    return worst;
}

/* A jump of one degree between frames at 240 per second would be 1000 rad/s^2, and a kink in speed
 * would grow with the rate. Bounds are 1.5 times what the motions have; knees of runners reach 500
 * in life too. */
static void every_built_in_motion_is_smooth(void **state)
{
    (void)state;
    static const double bound[SNW_SYNTH_MOTION_COUNT] = {800, 900, 450, 450, 300, 120, 60};
    for (int n = 0; n < SNW_SYNTH_MOTION_COUNT; n++) {
        snw_synth_motion_kind kind = (snw_synth_motion_kind)n;
        for (int seed = 1; seed <= 3; seed++) {
            snw_synth_options options = snw_synth_options_default();
            options.motion = kind;
            options.seed = (uint64_t)seed;
            options.rate = 240;
            options.seconds = kind == SNW_SYNTH_RANGE ? 20 : 8;
            performance show = perform(body_of(options.motion), options);
            double worst = roughest(&show);
            if (!(worst <= bound[kind]))
                fail_msg("%s, seed %d: %g rad/s^2", snw_synth_motion_name(kind), seed, worst);
            finish(&show);
        }
    }
}

/* How far the ball of the foot moves from where it came down until it goes up, at most. */
static double worst_slide(const performance *show, const char *toes_name)
{
    int toes = snw_skeleton_find_joint(show->body, toes_name);
    double worst = 0;
    snw_vec3 came_down = {0, 0, 0};
    bool was_down = false;
    for (int f = 0; f < show->motion->frame_count; f++) {
        go_to(show, f);
        snw_vec3 ball = show->pose->world[toes].translation;
        bool is_down = ball.y < 0.0161; /* rest height 0.01575 m and a third of a millimetre */
        if (is_down && !was_down) came_down = ball;
        if (is_down) worst = fmax(worst, snw_vec3_distance(ball, came_down));
        was_down = is_down;
    }
    return worst;
}

/* While a foot stands the body passes by 0.7 m. What is left is the way within the third of a
 * millimetre above, when the foot is already in its swing. */
static void feet_of_walker_and_runner_do_not_slide(void **state)
{
    (void)state;
    for (int kind = SNW_SYNTH_WALK; kind <= SNW_SYNTH_RUN; kind++) {
        snw_synth_options options = snw_synth_options_default();
        options.motion = (snw_synth_motion_kind)kind;
        performance show = perform("humanoid", options);
        check_near(worst_slide(&show, "left_toes"), 0, 0.006);
        check_near(worst_slide(&show, "right_toes"), 0, 0.006);
        finish(&show);
    }
}

static void no_foot_goes_through_the_floor(void **state)
{
    (void)state;
    static const snw_synth_motion_kind kinds[] = {SNW_SYNTH_WALK, SNW_SYNTH_RUN, SNW_SYNTH_DANCE,
                                                  SNW_SYNTH_BOXING, SNW_SYNTH_REACH};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        snw_synth_options options = snw_synth_options_default();
        options.motion = kinds[k];
        performance show = perform("humanoid", options);
        int toes[2] = {snw_skeleton_find_joint(show.body, "left_toes"),
                       snw_skeleton_find_joint(show.body, "right_toes")};
        for (int f = 0; f < show.motion->frame_count; f++) {
            go_to(&show, f);
            for (int side = 0; side < 2; side++) {
                double lowest = snw_pose_tip(show.pose, toes[side]).y;
                if (!(lowest > -0.004)) /* legs stretch to 98 % exactly, softly beyond */
                    fail_msg("%s, frame %d: %g m", snw_synth_motion_name(kinds[k]), f, lowest);
            }
        }
        finish(&show);
    }
}

/* Knees of adults at a comfortable speed bend to about 60 degrees in the swing and stay below 45 in
 * stance; hips go from about 30 degrees of flexion to 10 to 20 of extension. */
static void walking_has_the_angles_of_walking(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    options.path_radius = INFINITY;
    performance show = perform("humanoid", options);
    double low[2] = {9, 9}, high[2] = {-9, -9}, values[6];
    const char *names[2] = {"left_knee", "left_hip"};
    for (int f = 0; f < show.motion->frame_count; f++) {
        snw_motion_get(show.motion, f, show.pose);
        for (int i = 0; i < 2; i++) {
            int joint = snw_skeleton_find_joint(show.body, names[i]);
            snw_joint_values(show.body->joint + joint, show.pose->rotation[joint],
                             show.pose->slide[joint], values);
            low[i] = fmin(low[i], snw_degrees(values[0]));
            high[i] = fmax(high[i], snw_degrees(values[0]));
        }
    }
    check_near(high[0], 60, 8);
    check_near(low[0], 10, 10);
    check_near(low[1], -30, 7); /* flexion is negative about +x */
    check_near(high[1], 18, 8);
    double way = snw_vec3_distance(show.motion->root[0].translation,
                                   show.motion->root[show.motion->frame_count - 1].translation);
    check_near(way / 10, 1.12, 0.1); /* metres per second */
    finish(&show);
}

static void arms_swing_against_the_legs(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    options.path_radius = INFINITY;
    performance show = perform("humanoid", options);
    int wrist = snw_skeleton_find_joint(show.body, "left_wrist");
    int same = snw_skeleton_find_joint(show.body, "left_ankle");
    double together = 0;
    for (int f = 0; f < show.motion->frame_count; f++) {
        go_to(&show, f);
        double pelvis = show.pose->world[0].translation.z;
        together += (show.pose->world[wrist].translation.z - pelvis - 0.1) *
                    (show.pose->world[same].translation.z - pelvis + 0.05);
    }
    assert_true(together < 0);
    finish(&show);
}

/* Every joint that can turn does so by 20 degrees at least, or by half of its range. */
static void the_range_exercise_moves_every_joint_of_every_body(void **state)
{
    (void)state;
    for (int p = 0; p < snw_preset_count(); p++) {
        snw_synth_options options = snw_synth_options_default();
        options.motion = SNW_SYNTH_RANGE;
        options.rate = 30;
        performance show = perform(snw_preset_name(p), options);
        for (int j = 1; j < show.body->joint_count; j++) {
            if (snw_joint_type_dof(show.body->joint[j].type) == 0) continue;
            double farthest = 0;
            for (int f = 0; f < show.motion->frame_count; f++) {
                size_t at = (size_t)f * (size_t)show.body->joint_count + (size_t)j;
                farthest = fmax(farthest, snw_quat_angle_between(snw_quat_identity(),
                                                                 show.motion->rotation[at]));
                assert_true(snw_joint_limit_violation(show.body->joint + j,
                                                      show.motion->rotation[at]) <= 1e-9);
            }
            /* A vertebra has a few degrees, of which half of one side counts; those that follow
             * others have a part of theirs. */
            const snw_follow *follow = &show.body->follow[j];
            const snw_joint *lead = &show.body->joint[follow->is_following ? follow->leader : j];
            double part = follow->is_following ? fabs(follow->factor) : 1, least = 17;
            if (snw_joint_type_dof(lead->type) == 1 && lead->limit.has_range[0])
                least =
                    fmin(least, 0.25 * part *
                                    snw_degrees(lead->limit.range[0][1] - lead->limit.range[0][0]));
            if (!(snw_degrees(farthest) >= least))
                fail_msg("%s of %s turns by %g degrees only", show.body->name[j],
                         snw_preset_name(p), snw_degrees(farthest));
        }
        finish(&show);
    }
}

static void the_same_seed_gives_the_same_bits_and_another_one_does_not(void **state)
{
    (void)state;
    for (int kind = 0; kind < SNW_SYNTH_MOTION_COUNT; kind++) {
        snw_synth_options options = snw_synth_options_default();
        options.motion = (snw_synth_motion_kind)kind;
        options.seconds = 15; /* beyond what starts in a fixed order */
        options.rate = 30;
        performance a = perform(body_of(options.motion), options);
        performance b = perform(body_of(options.motion), options);
        options.seed = 2;
        performance c = perform(body_of(options.motion), options);
        size_t size =
            (size_t)a.motion->frame_count * (size_t)a.body->joint_count * sizeof(snw_quat);
        assert_memory_equal(a.motion->rotation, b.motion->rotation, size);
        bool is_same = memcmp(a.motion->rotation, c.motion->rotation, size) == 0;
        assert_int_equal(is_same, kind == SNW_SYNTH_RANGE); /* an exercise is the same for all */
        finish(&a);
        finish(&b);
        finish(&c);
    }
}

static void a_motion_for_another_body_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        snw_synth_motion_kind kind;
        const char *word;
    } wrong[] = {
        {"hand25", SNW_SYNTH_WALK, "humanoid"},
        {"humanoid13", SNW_SYNTH_RUN, "humanoid"},
        {"humanoid", SNW_SYNTH_GESTURES, "hand25"},
        {"hand26", SNW_SYNTH_GESTURES, "hand25"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snw_skeleton *body = NULL;
        snw_motion *motion = NULL;
        snw_error error;
        snw_synth_options options = snw_synth_options_default();
        options.motion = wrong[i].kind;
        assert_int_equal(snw_preset_create(wrong[i].body, NULL, &body, &error), SNW_OK);
        assert_int_equal(snw_synth_motion_create(body, &options, NULL, &motion, &error),
                         SNW_UNSUPPORTED);
        assert_null(motion);
        assert_non_null(strstr(error.message, wrong[i].word));
        snw_skeleton_destroy(body);
    }
}

static void impossible_times_are_refused(void **state)
{
    (void)state;
    static const double wrong[][3] = {/* seconds, rate, path */
                                      {0, 120, 3},   {-1, 120, 3},   {NAN, 120, 3},
                                      {10, 0, 3},    {10, NAN, 3},   {10, INFINITY, 3},
                                      {1e9, 120, 3}, {10, 120, 0.5}, {10, 120, NAN}};
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snw_synth_options options = snw_synth_options_default();
        snw_motion *motion = NULL;
        snw_error error;
        options.seconds = wrong[i][0];
        options.rate = wrong[i][1];
        options.path_radius = wrong[i][2];
        assert_int_equal(snw_synth_motion_create(body, &options, NULL, &motion, &error),
                         SNW_INVALID_ARGUMENT);
        assert_null(motion);
    }
    snw_skeleton_destroy(body);
}

static void names_lead_to_motions_and_back(void **state)
{
    (void)state;
    for (int n = 0; n < SNW_SYNTH_MOTION_COUNT; n++) {
        snw_synth_motion_kind kind = (snw_synth_motion_kind)n;
        assert_int_equal(snw_synth_motion_find(snw_synth_motion_name(kind)), kind);
        assert_non_null(snw_synth_motion_text(kind));
    }
    assert_int_equal(snw_synth_motion_find("fly"), -1);
    assert_int_equal(snw_synth_motion_find(NULL), -1);
    assert_null(snw_synth_motion_name(SNW_SYNTH_MOTION_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_built_in_motion_is_within_limits_for_any_seed),
        cmocka_unit_test(every_built_in_motion_is_smooth),
        cmocka_unit_test(feet_of_walker_and_runner_do_not_slide),
        cmocka_unit_test(no_foot_goes_through_the_floor),
        cmocka_unit_test(walking_has_the_angles_of_walking),
        cmocka_unit_test(arms_swing_against_the_legs),
        cmocka_unit_test(the_range_exercise_moves_every_joint_of_every_body),
        cmocka_unit_test(the_same_seed_gives_the_same_bits_and_another_one_does_not),
        cmocka_unit_test(a_motion_for_another_body_is_refused_by_name),
        cmocka_unit_test(impossible_times_are_refused),
        cmocka_unit_test(names_lead_to_motions_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
