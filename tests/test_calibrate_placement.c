/* Joints of people who hardly move: markers surround bones, whatever the bones are called. */
#include "check.h"

#include "calibrate/anatomy.h"
#include "calibrate/placement.h"
#include "calibrate/proportions.h"

/* ---- one bone ------------------------------------------------------------------------------- */

enum {
    LEG_JOINTS = 4,
    LEG_MARKERS = 4,
    LEG_SHANK = 2
};

/* Pelvis, thigh, shank and foot; bones of 400 mm along -y. */
static snw_skeleton *make_leg(const char *const name[LEG_JOINTS])
{
    snw_joint_def def[LEG_JOINTS];
    snw_skeleton *leg = NULL;
    for (int j = 0; j < LEG_JOINTS; j++) {
        def[j] = snw_joint_def_default();
        def[j].name = name[j];
        def[j].parent = j - 1;
        if (j == 0) continue;
        def[j].joint.type = SNW_JOINT_BALL;
        def[j].rest.translation = snw_vec3_make(0, -0.4, 0);
    }
    assert_int_equal(snw_skeleton_create(def, LEG_JOINTS, NULL, &leg, NULL), SNW_OK);
    return leg;
}

/* Deviations along and across the shank that is expected to have its middle at its markers' mean,
 * which is `off` away. */
static void expect_of(const snw_vec3 place[LEG_MARKERS], double *along, double *across, double *off)
{
    static const char *const names[LEG_JOINTS] = {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"};
    snw_skeleton *leg = make_leg(names);
    snw_actor_marker marker[LEG_MARKERS];
    snw_actor actor;
    snw__joint_turns turns[LEG_JOINTS];
    snw__placement_prior prior[3];
    memset(&actor, 0, sizeof actor);
    memset(turns, 0, sizeof turns);
    memset(marker, 0, sizeof marker);
    for (int m = 0; m < LEG_MARKERS; m++) {
        marker[m].joint = LEG_SHANK;
        marker[m].offset = place[m];
    }
    actor.skeleton = leg;
    actor.marker = marker;
    actor.marker_count = LEG_MARKERS;
    assert_int_equal(snw__placement_priors(&actor, turns, LEG_SHANK, prior), 3);
    *along = 1 / sqrt(prior[0].information);
    *across = 1 / sqrt(prior[1].information);
    *off = 0;
    for (int k = 0; k < 3; k++)
        *off += prior[k].off * prior[k].off;
    *off = sqrt(*off);
    snw_skeleton_destroy(leg);
}

static void markers_all_around_tell_the_axis_and_those_of_a_plate_do_not(void **state)
{
    (void)state;
    static const snw_vec3 around[LEG_MARKERS] = {
        {0.06, -0.2, 0}, {-0.06, -0.2, 0}, {0, -0.15, 0.06}, {0, -0.25, -0.06}};
    static const snw_vec3 plate[LEG_MARKERS] = {
        {0.06, -0.17, 0.02}, {0.06, -0.17, -0.02}, {0.06, -0.23, 0.02}, {0.06, -0.23, -0.02}};
    double along, across, off;
    expect_of(around, &along, &across, &off);
    assert_true(off < 1e-12);
    assert_true(across < 0.025 && across < along);
    expect_of(plate, &along, &across, &off);
    assert_true(fabs(off - 0.06) < 1e-12);
    /* the mean is 60 mm from the axis, less the 20 of their spread: 40 in either direction */
    assert_true(fabs(across - 0.0417) < 1e-3);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void bones_are_found_by_the_names_of_many_conventions(void **state)
{
    (void)state;
    static const char *const names[][LEG_JOINTS] = {
        {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"},
        {"pelvis", "left_hip", "left_knee", "left_ankle"},
        {"Hips", "UpperLeg_L", "LowerLeg_L", "Foot_L"},
        {"Joe:Pelvis", "Joe:L_Thigh", "Joe:L_Shank", "Joe:L_Foot"},
        {"hip", "lThigh", "lShin", "lFoot"}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        snw_skeleton *leg = make_leg(names[n]);
        snw_actor actor;
        snw__anatomy anatomy;
        memset(&actor, 0, sizeof actor);
        actor.skeleton = leg;
        snw__anatomy_begin(&anatomy, &actor, NULL);
        print_message("%s\n", names[n][1]);
        assert_int_equal(anatomy.joint[SNW_PART_UPLEG][SNW_SIDE_LEFT], 1);
        assert_int_equal(anatomy.joint[SNW_PART_LEG][SNW_SIDE_LEFT], 2);
        assert_int_equal(anatomy.joint[SNW_PART_FOOT][SNW_SIDE_LEFT], 3);
        assert_int_equal(anatomy.joint[SNW_PART_UPLEG][SNW_SIDE_RIGHT], -1);
        assert_true(snw__placement_is_known(leg));
        snw_skeleton_destroy(leg);
    }
}

/* ---- a person who waves --------------------------------------------------------------------- */

enum {
    CALM_FRAMES = 200,
    CALM_MARKERS = 4,
    CALM_JOINTS = 32
};

typedef struct calm_person {
    snw_skeleton *body;
    snw_trial *trial;
    snw_vec3 truth[CALM_FRAMES][CALM_JOINTS];
} calm_person;

/* The end of the longest bone that begins at the joint. */
static snw_vec3 far_end(const snw_skeleton *body, int joint)
{
    snw_vec3 far = body->has_tip[joint] ? body->tip[joint] : snw_vec3_make(0, 0, 0);
    for (int c = joint + 1; c < body->joint_count; c++)
        if (body->parent[c] == joint &&
            snw_vec3_length(body->rest[c].translation) > snw_vec3_length(far))
            far = body->rest[c].translation;
    return far;
}

/* The right arm swings by half a radian, everything else sways by a degree, root mean square. */
static void pose_at(snw_pose *pose, int frame)
{
    const snw_skeleton *body = pose->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        bool waves = strcmp(body->name[j], "right_shoulder") == 0 ||
                     strcmp(body->name[j], "right_elbow") == 0;
        snw_random random = snw_random_seed(3, (uint64_t)j);
        snw_vec3 turn = {0, 0, 0};
        double *x[3] = {&turn.x, &turn.y, &turn.z};
        for (int k = 0; k < 3; k++)
            *x[k] =
                (waves ? 0.5 : 0.035) * snw_random_normal(&random) *
                sin(0.05 * frame * (1 + snw_random_unit(&random)) + 6 * snw_random_unit(&random));
        pose->rotation[j] = snw_quat_exp(turn);
    }
    snw_pose_forward(pose);
}

static void meet_calm(calm_person *person, uint64_t seed)
{
    snw_trial_options options = snw_trial_options_default();
    snw_pose *pose = NULL;
    snw_random random = snw_random_seed(seed, 1);
    assert_int_equal(snw_preset_create("humanoid", NULL, &person->body, NULL), SNW_OK);
    const snw_skeleton *body = person->body;
    assert_true(body->joint_count <= CALM_JOINTS);
    options.marker_count = CALM_MARKERS * body->joint_count;
    options.frame_count = CALM_FRAMES;
    options.rate = 60;
    assert_int_equal(snw_trial_create(&options, NULL, &person->trial, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int m = 0; m < options.marker_count; m++) {
        char name[SNW_LABEL_SIZE];
        int segment = m / CALM_MARKERS;
        snw_vec3 far = far_end(body, segment), u = snw_vec3_unit(far, snw_vec3_make(0, 1, 0));
        double angle = 6.283 * snw_random_unit(&random);
        snw_vec3 side = snw_vec3_perpendicular(u);
        side = snw_quat_rotate(snw_quat_from_axis_angle(u, angle), side);
        snw_vec3 place = snw_vec3_scale(far, 0.2 + 0.6 * snw_random_unit(&random));
        place = snw_vec3_add_scaled(place, 0.045 + 0.03 * snw_random_unit(&random), side);
        snw_format(name, sizeof name, "%s:%d", body->name[segment], 1 + m % CALM_MARKERS);
        assert_int_equal(snw_trial_set_marker_name(person->trial, m, name, NULL), SNW_OK);
        for (int f = 0; f < CALM_FRAMES; f++) {
            pose_at(pose, f);
            snw_vec3 at = snw_xform_point(pose->world[segment], place);
            at.x += 0.0005 * snw_random_normal(&random);
            at.y += 0.0005 * snw_random_normal(&random);
            at.z += 0.0005 * snw_random_normal(&random);
            snw_trial_set(person->trial, f, m, at, SNW_SAMPLE_MEASURED);
            person->truth[f][segment] = pose->world[segment].translation;
        }
    }
    snw_pose_destroy(pose);
}

/* Counts joints, those within 25 mm, and those within two stated deviations, all directions. */
static void count_calm(const calm_person *person, int count[3])
{
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    snw_pose *pose = NULL;
    assert_int_equal(snw_segments_find(person->trial, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(person->trial, segments, NULL, NULL, &actor, NULL),
                     SNW_OK);
    assert_int_equal(snw_actor_solve(actor, person->trial, NULL, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int j = 1; j < person->body->joint_count; j++) {
        int joint = snw_skeleton_find_joint(actor->skeleton, person->body->name[j]);
        double sum = 0;
        assert_true(joint > 0);
        for (int f = 0; f < CALM_FRAMES; f++) {
            snw_motion_get(motion, f, pose);
            snw_pose_forward(pose);
            sum +=
                snw_vec3_length2(snw_vec3_sub(pose->world[joint].translation, person->truth[f][j]));
        }
        double error = sqrt(sum / CALM_FRAMES), said = actor->estimate[joint].uncertainty;
        if (!(error < 0.025) || !(error <= 2 * said))
            print_message("%s: %.1f mm, stated %.1f\n", person->body->name[j], 1000 * error,
                          1000 * said);
        count[0]++;
        count[1] += error < 0.025;
        count[2] += error <= 2 * said || actor->estimate[joint].is_place_free;
    }
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
}

static void joints_that_sway_by_a_degree_are_placed_and_their_errors_told(void **state)
{
    (void)state;
    int count[3] = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        static calm_person person;
        meet_calm(&person, seed);
        count_calm(&person, count);
        snw_trial_destroy(person.trial);
        snw_skeleton_destroy(person.body);
    }
    print_message("%d joints, %d within 25 mm, %d within two deviations\n", count[0], count[1],
                  count[2]);
    assert_true(100 * count[1] >= 85 * count[0]);
    assert_true(100 * count[2] >= 90 * count[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_all_around_tell_the_axis_and_those_of_a_plate_do_not),
        cmocka_unit_test(bones_are_found_by_the_names_of_many_conventions),
        cmocka_unit_test(joints_that_sway_by_a_degree_are_placed_and_their_errors_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
