/* Labels of bony landmarks bring joint centres nearer to the truth, on bodies of many shapes. */
#include "check.h"

#include "calibrate/anatomy.h"

/* ---- people ------------------------------------------------------------------------------- */

/* Joints that a person and the set of 41 markers both have. */
typedef struct joint_pair {
    const char *solved, *truth;
} joint_pair;
static const joint_pair pairs[] = {
    {"LeftUpLeg", "left_hip"},     {"RightUpLeg", "right_hip"},     {"LeftLeg", "left_knee"},
    {"RightLeg", "right_knee"},    {"LeftFoot", "left_ankle"},      {"RightFoot", "right_ankle"},
    {"LeftForeArm", "left_elbow"}, {"RightForeArm", "right_elbow"}, {"LeftHand", "left_wrist"},
    {"RightHand", "right_wrist"},  {"LeftArm", "left_shoulder"},    {"RightArm", "right_shoulder"},
};

enum {
    PAIRS = (int)(sizeof pairs / sizeof *pairs),
    PAIRS_OF_LEGS = 6,
    PERSON_JOINTS_MAX = 32
};

typedef struct person {
    snw_skeleton *body;
    snw_synth *synth;
    snw_segments *segments;
} person;

/* Bones are `size` times the usual, each give or take 6 % of its own, the same on both sides. */
static snw_skeleton *make_body(double size, uint64_t seed)
{
    snw_skeleton *usual = NULL, *body = NULL;
    snw_joint_def def[PERSON_JOINTS_MAX];
    assert_int_equal(snw_preset_create("humanoid", NULL, &usual, NULL), SNW_OK);
    assert_true(usual->joint_count <= PERSON_JOINTS_MAX);
    for (int j = 0; j < usual->joint_count; j++) {
        def[j] = snw_skeleton_joint_def(usual, j);
        const char *name = usual->name[j], *bare = strchr(name, '_');
        snw_random random = snw_random_seed(seed, (unsigned char)(bare ? bare[1] : name[0]));
        double scale = size * (1 + 0.06 * snw_random_normal(&random));
        def[j].rest.translation = snw_vec3_scale(def[j].rest.translation, scale);
        def[j].tip = snw_vec3_scale(def[j].tip, scale);
    }
    assert_int_equal(snw_skeleton_create(def, usual->joint_count, NULL, &body, NULL), SNW_OK);
    snw_skeleton_destroy(usual);
    return body;
}

static person meet_in(snw_synth_motion_kind motion, double seconds, double size, double wobble,
                      uint64_t seed)
{
    person someone = {make_body(size, seed), NULL, NULL};
    snw_synth_options options = snw_synth_options_default();
    options.motion = motion;
    options.seconds = seconds;
    options.wobble = wobble;
    options.noise = wobble > 0 ? options.noise : 0;
    options.seed = seed;
    assert_int_equal(snw_synth_create(someone.body, NULL, &options, NULL, &someone.synth, NULL),
                     SNW_OK);
    assert_int_equal(
        snw_segments_find(someone.synth->capture, NULL, NULL, &someone.segments, NULL, NULL),
        SNW_OK);
    return someone;
}

static person meet_for(double seconds, double size, double wobble, uint64_t seed)
{
    return meet_in(SNW_SYNTH_DANCE, seconds, size, wobble, seed);
}

static person meet(double size, double wobble, uint64_t seed)
{
    return meet_for(5, size, wobble, seed);
}

static void part_from(person *someone)
{
    snw_segments_destroy(someone->segments);
    snw_synth_destroy(someone->synth);
    snw_skeleton_destroy(someone->body);
}

/* Labels that say nothing; the segments stay known. */
static void forget_labels(person *someone)
{
    for (int m = 0; m < someone->synth->marker_count; m++) {
        char name[16];
        snw_format(name, sizeof name, "q%03dz", m);
        assert_int_equal(snw_trial_set_marker_name(someone->synth->capture, m, name, NULL), SNW_OK);
        someone->segments->label[m] = snw_label_read(name);
    }
}

/* Root mean square distance of each of `count` pairs over all frames, and what the actor says about
 * it, metres. */
static void measure_pairs(const person *someone, const joint_pair *pair, int count, double *error,
                          double *said)
{
    const snw_trial *truth = someone->synth->joint_truth;
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    snw_pose *pose = NULL;
    assert_int_equal(
        snw_actor_calibrate(someone->synth->capture, someone->segments, NULL, NULL, &actor, NULL),
        SNW_OK);
    assert_int_equal(snw_actor_solve(actor, someone->synth->capture, NULL, NULL, &motion, NULL),
                     SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    memset(error, 0, (size_t)count * sizeof *error);
    for (int frame = 0; frame < motion->frame_count; frame++) {
        snw_motion_get(motion, frame, pose);
        snw_pose_forward(pose);
        for (int n = 0; n < count; n++) {
            int joint = snw_skeleton_find_joint(actor->skeleton, pair[n].solved);
            int marker = snw_trial_find_marker(truth, pair[n].truth);
            assert_true(joint >= 0 && marker >= 0);
            snw_vec3 at = snw_trial_position(truth, frame, marker);
            double off = snw_vec3_distance(pose->world[joint].translation, at);
            error[n] += off * off / motion->frame_count;
            said[n] = actor->estimate[joint].uncertainty;
        }
    }
    for (int n = 0; n < count; n++)
        error[n] = sqrt(error[n]);
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
}

static void measure(const person *someone, double error[PAIRS], double said[PAIRS])
{
    measure_pairs(someone, pairs, PAIRS, error, said);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double error[PAIRS])
{
    double sorted[PAIRS];
    memcpy(sorted, error, sizeof sorted);
    qsort(sorted, PAIRS, sizeof *sorted, compare);
    return sorted[PAIRS / 2];
}

/* ---- claims ------------------------------------------------------------------------------- */

static const struct {
    double size; /* 1: 1.75 m */
    uint64_t seed;
} bodies[] = {{1, 1}, {0.7, 2}, {1.12, 3}};
#define BODIES (sizeof bodies / sizeof *bodies) /* the bounds below are of means over all */

/* 2 mm of moving skin, landmarks missed by 5 mm in each direction. */
static void labels_bring_joints_near_on_bodies_of_all_sizes(void **state)
{
    (void)state;
    for (size_t n = 0; n < BODIES; n++) {
        double with[PAIRS], without[PAIRS], said[PAIRS], other[PAIRS];
        person someone = meet(bodies[n].size, 0.002, bodies[n].seed);
        measure(&someone, with, said);
        forget_labels(&someone);
        measure(&someone, without, other);
        part_from(&someone);
        /* Labels of the gait model have its centres: on files that carry them the median is 4 mm
         * (arms) and 7 mm (legs). These bodies are not the model's: their wrists lie between the
         * markers, not below them by half a width, and wands are 5 mm off their plane. */
        assert_true(median(with) < 0.016);
        assert_true(median(with) < 0.7 * median(without));
        for (int k = 0; k < PAIRS; k++) {
            assert_true(with[k] < 0.035); /* the goal of docs/see-figures.md */
            /* An expectation is off by 10 mm in each of three directions, where it is not the
             * motion that decides. */
            assert_true(with[k] < without[k] + 0.017);
            /* Of 36 distances in three directions none is beyond 3.5 deviations of the worst one,
             * and no verdict is idle: a segment's joint is known to a centimetre or so. The forearm
             * twists inside itself and leaves 34 mm over at the elbow: half of that is said. */
            assert_true(with[k] < 3.5 * said[k]);
            assert_true(said[k] < 0.025); /* half of what two rules are apart is said */
        }
    }
}

/* Half a second before a reach: legs sway by some degrees under 2 mm of skin, which says nothing of
 * their joints. The labels do: the gait model's regressions, 15 mm off on bodies whose bones are 6
 * % off the usual each by itself, and its wands, which a hand has placed 5 mm off like all
 * landmarks, 15 mm by themselves. */
static void legs_that_stand_have_their_joints_by_anatomy(void **state)
{
    double square = 0, worst = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= CHECK_CASES(4); seed++) {
        double error[PAIRS], said[PAIRS];
        person someone = meet_in(SNW_SYNTH_REACH, 5, 1, 0.002, seed);
        snw_trial *capture = someone.synth->capture, *truth = someone.synth->joint_truth;
        snw_trial first = snw_trial_window(capture, 0, (int)(0.5 * capture->rate));
        snw_trial joints = snw_trial_window(truth, 0, first.frame_count);
        someone.synth->capture = &first;
        someone.synth->joint_truth = &joints;
        measure_pairs(&someone, pairs, PAIRS_OF_LEGS, error, said);
        someone.synth->capture = capture;
        someone.synth->joint_truth = truth;
        for (int n = 0; n < PAIRS_OF_LEGS; n++) {
            square += error[n] * error[n] / (CHECK_CASES(4) * PAIRS_OF_LEGS);
            worst = fmax(worst, error[n]);
            assert_true(error[n] < 3.5 * said[n]);
        }
        part_from(&someone);
    }
    print_message("legs that stand: %.1f mm rms, worst %.1f\n", 1000 * sqrt(square), 1000 * worst);
    assert_true(sqrt(square) < 0.022);
}

/* One joint in the trunk and one in the neck were 70 and 45 mm from the nearer of two. */
static void trunk_and_neck_have_both_their_joints(void **state)
{
    (void)state;
    static const joint_pair spine[] = {
        {"Spine", "spine"}, {"Chest", "chest"}, {"Neck", "neck"}, {"Head", "head"}};
    double sum = 0;
    for (size_t n = 0; n < BODIES; n++) {
        double error[4], said[4];
        person someone = meet(bodies[n].size, 0.002, bodies[n].seed);
        measure_pairs(&someone, spine, 4, error, said);
        part_from(&someone);
        for (int k = 0; k < 4; k++) {
            sum += error[k];
            /* The bones of these bodies, and so their joints, move by 6 % against the markers: at
             * the neck by 17 mm, as much again as the rule's own deviation. */
            assert_true(error[k] < 0.040);
            assert_true(error[k] < 3.5 * said[k]);
            assert_true(said[k] > 0.010 && said[k] < 0.030);
        }
    }
    assert_true(sum < 4 * BODIES * 0.020);
}

static void virtual_joints_say_where_they_come_from(void **state)
{
    (void)state;
    person someone = meet(1, 0.002, 1);
    snw_actor *actor = NULL, *again = NULL;
    assert_int_equal(
        snw_actor_calibrate(someone.synth->capture, someone.segments, NULL, NULL, &actor, NULL),
        SNW_OK);
    const snw_skeleton *body = actor->skeleton;
    assert_int_equal(snw_actor_segment_count(actor), someone.segments->segment_count);
    assert_int_equal(body->joint_count, someone.segments->segment_count + 2);
    size_t size = snw_actor_print(actor, NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    (void)snw_actor_print(actor, text, size);
    assert_int_equal(snw_actor_parse(text, size - 1, NULL, &again, NULL), SNW_OK);
    for (int j = 1; j < body->joint_count; j++) {
        bool is_virtual = strcmp(body->name[j], "Spine") == 0 || strcmp(body->name[j], "Neck") == 0;
        bool is_placed =
            is_virtual || strcmp(body->name[j], "Chest") == 0 || strcmp(body->name[j], "Head") == 0;
        if (is_virtual) assert_int_equal(body->joint[j].type, SNW_JOINT_UNIVERSAL);
        assert_int_equal(actor->estimate[j].is_from_proportions, is_placed);
        assert_int_equal(again->estimate[j].is_from_proportions, is_placed);
        assert_int_equal(strstr(again->estimate[j].verdict, "proportions") != NULL, is_placed);
    }
    free(text);
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
    forget_labels(&someone);
    assert_int_equal(
        snw_actor_calibrate(someone.synth->capture, someone.segments, NULL, NULL, &actor, NULL),
        SNW_OK);
    assert_int_equal(actor->skeleton->joint_count, someone.segments->segment_count);
    snw_actor_destroy(actor);
    part_from(&someone);
}

/* Markers without noise on rigid segments: the data win over the expectations, which are wrong by
 * the body's own proportions and the hand that placed the markers. */
static void data_without_error_are_not_held_back(void **state)
{
    (void)state;
    for (size_t n = 0; n < BODIES; n++) {
        double with[PAIRS], without[PAIRS], said[PAIRS], other[PAIRS];
        person someone = meet(bodies[n].size, 0, bodies[n].seed);
        measure(&someone, with, said);
        forget_labels(&someone);
        measure(&someone, without, other);
        part_from(&someone);
        /* The forearm twists inside itself: no data without error there. */
        for (int k = 0; k < PAIRS_OF_LEGS; k++)
            assert_true(with[k] < fmax(without[k], 0.001));
    }
}

/* An actor that stands in the lab's axes, x to the left, y up, z ahead, with the markers of a
 * pelvis. */
static void hips_are_expected_where_harrington_puts_them(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        snw_vec3 place;
    } rows[] = {{"LASI", {0.12, 0.08, 0.06}},
                {"RASI", {-0.12, 0.08, 0.06}},
                {"LPSI", {0.05, 0.08, -0.114}},
                {"RPSI", {-0.05, 0.08, -0.114}}};
    snw_joint_def def[3];
    snw_actor_marker marker[4];
    snw_label landmark[4];
    snw_actor actor;
    memset(&actor, 0, sizeof actor);
    memset(marker, 0, sizeof marker);
    for (int j = 0; j < 3; j++) {
        def[j] = snw_joint_def_default();
        def[j].name = j == 0 ? "Hips" : j == 1 ? "LeftUpLeg" : "RightUpLeg";
        def[j].parent = j ? 0 : -1;
        if (j) def[j].joint.type = SNW_JOINT_BALL;
        def[j].rest.translation = snw_vec3_make(j == 1 ? 0.1 : j == 2 ? -0.1 : 0, 0, 0);
    }
    assert_int_equal(snw_skeleton_create(def, 3, NULL, &actor.skeleton, NULL), SNW_OK);
    actor.marker = marker;
    actor.marker_count = 4;
    for (int m = 0; m < 4; m++) {
        marker[m].name = rows[m].name;
        marker[m].offset = rows[m].place;
        landmark[m] = snw_label_read(rows[m].name);
    }
    snw__anatomy anatomy;
    snw__joint_prior prior[SNW__ANATOMY_PRIORS];
    snw__anatomy_begin(&anatomy, &actor, landmark);
    assert_int_equal(snw__anatomy_priors(&anatomy, prior), 0); /* no frame yet */
    anatomy.frame_count = 1;
    assert_int_equal(snw__anatomy_priors(&anatomy, prior), 2);
    /* Width 240 mm, depth 174 less two radii of 7: behind by 0.24 * 160 + 9.9 = 48.3 and the
     * radius, below by 82.9, aside by 86.5. */
    for (int k = 0; k < 2; k++) {
        snw_vec3 place = snw_vec3_add(prior[k].off, def[prior[k].joint].rest.translation);
        double side = prior[k].joint == 1 ? 1 : -1;
        check_vec3_near(place, snw_vec3_make(side * 0.0865, 0.08 - 0.0829, 0.06 - 0.0553), 1e-12);
    }
    for (int m = 0; m < 4; m++)
        landmark[m] = snw_label_read("q1z");
    assert_int_equal(snw__anatomy_priors(&anatomy, prior), 0);
    snw_skeleton_destroy(actor.skeleton);
}

/* A chest of x left, y up, z ahead: by the notch and T10, and by the two ends of the collar bones
 * beside the notch, as OpenCap's set has them; C7 alone with one of them tells nothing. */
static void collar_bones_begin_beside_the_notch_whatever_marks_it(void **state)
{
    (void)state;
    static const struct {
        const char *name[4];
        snw_vec3 place[4];
        bool is_known;
    } sets[] = {{{"C7", "CLAV", "T10", "LSHO"},
                 {{0, 0, -0.07}, {0, 0, 0.07}, {0, -0.2, -0.08}, {0, 0, 0}},
                 true},
                {{"C7", "L_Sternum", "R_Sternum", "LSHO"},
                 {{0, 0, -0.07}, {0.023, 0, 0.07}, {-0.023, 0, 0.07}, {0, 0, 0}},
                 true},
                {{"C7", "L_Sternum", "LSHO", "RSHO"},
                 {{0, 0, -0.07}, {0.023, 0, 0.07}, {0, 0, 0}, {0, 0, 0}},
                 false}};
    for (int n = 0; n < 3; n++) {
        static const char *const names[] = {"Hips", "Chest", "LeftShoulder", "RightShoulder"};
        snw_joint_def def[4];
        snw_actor_marker marker[4];
        snw_label landmark[4];
        snw_actor actor;
        memset(&actor, 0, sizeof actor);
        memset(marker, 0, sizeof marker);
        for (int j = 0; j < 4; j++) {
            def[j] = snw_joint_def_default();
            def[j].name = names[j];
            def[j].parent = j > 1 ? 1 : j - 1;
            if (j) def[j].joint.type = SNW_JOINT_BALL;
            def[j].rest.translation = snw_vec3_make(0, j == 1 ? 0.2 : 0, 0);
        }
        assert_int_equal(snw_skeleton_create(def, 4, NULL, &actor.skeleton, NULL), SNW_OK);
        actor.marker = marker;
        actor.marker_count = 4;
        for (int m = 0; m < 4; m++) {
            marker[m].name = sets[n].name[m];
            marker[m].offset = sets[n].place[m];
            landmark[m] = snw_label_read(sets[n].name[m]);
            marker[m].joint = landmark[m].part == SNW_PART_CHEST  ? 1
                              : landmark[m].side == SNW_SIDE_LEFT ? 2
                                                                  : 3;
        }
        snw__anatomy anatomy;
        snw__joint_prior prior[SNW__ANATOMY_PRIORS];
        snw__anatomy_begin(&anatomy, &actor, landmark);
        anatomy.frame_count = 1;
        int count = snw__anatomy_priors(&anatomy, prior);
        assert_int_equal(count, sets[n].is_known ? 2 : 0);
        /* Half of 50 mm beside the notch and 20 mm behind its marker, mirrored. */
        for (int k = 0; k < count; k++)
            check_vec3_near(prior[k].off,
                            snw_vec3_make(prior[k].joint == 2 ? 0.025 : -0.025, 0, 0.07 - 0.020),
                            1e-12);
        snw_skeleton_destroy(actor.skeleton);
    }
}

/* A fan of directions 40 degrees wide across z, with the centre wrong: the axis is still z, and the
 * sign is that of the bends. */
static void a_hinge_shows_its_axis_although_its_center_is_off(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        snw__anatomy_fan fan;
        memset(&fan, 0, sizeof fan);
        const int count = 41;
        for (int k = 0; k < count; k++) {
            double angle = snw_radians(k - 20.0);
            snw_vec3 bone =
                snw_vec3_unit(snw_vec3_make(cos(angle), sin(angle), 0.2), snw_vec3_make(1, 0, 0));
            fan.bone = snw_vec3_add(fan.bone, bone);
            const double b[3] = {bone.x, bone.y, bone.z};
            for (int i = 0; i < 9; i++)
                fan.spread.m[i / 3][i % 3] += b[i / 3] * b[i % 3];
            fan.inwards = snw_vec3_add(fan.inwards, snw_vec3_make(0.3, 0.1, 0.2 * sign));
        }
        snw_vec3 inwards = snw__anatomy_inwards(&fan, count);
        /* The cone that the fan lies on tilts its mean by the centre's error; the arc's own rms is
         * 41 steps of a degree. */
        assert_true(sign * inwards.z > 0.97 * snw_vec3_length(inwards));
        /* The other side of the body knows better than labels which may be swapped. */
        fan.across = snw_vec3_make(0, 0, -0.9 * sign * count);
        assert_true(sign * snw__anatomy_inwards(&fan, count).z < 0);
        fan.across = snw_vec3_make(0, 0, 0);
        check_near(snw_vec3_length(inwards), snw_radians(sqrt((41 * 41 - 1) / 12.0)), 0.01);
    }
}

/* A segment with one marker between others: its joint is universal, and stays so in text. */
static void a_collar_bone_keeps_its_twist_when_it_is_read_back(void **state)
{
    (void)state;
    person someone = meet(1, 0.002, 1);
    snw_actor *actor = NULL, *again = NULL;
    assert_int_equal(
        snw_actor_calibrate(someone.synth->capture, someone.segments, NULL, NULL, &actor, NULL),
        SNW_OK);
    size_t size = snw_actor_print(actor, NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    (void)snw_actor_print(actor, text, size);
    assert_int_equal(snw_actor_parse(text, size - 1, NULL, &again, NULL), SNW_OK);
    int universal = 0;
    for (int j = 1; j < actor->skeleton->joint_count; j++) {
        const snw_joint *was = actor->skeleton->joint + j, *is = again->skeleton->joint + j;
        assert_int_equal(is->type, was->type);
        if (was->type != SNW_JOINT_UNIVERSAL) continue;
        universal++;
        check_vec3_near(is->axis, was->axis, 0); /* numbers read back exactly */
        check_vec3_near(is->axis2, was->axis2, 0);
        assert_true(strstr(actor->skeleton->name[j], "Shoulder") ||
                    actor->estimate[j].is_from_proportions);
    }
    assert_int_equal(universal, 4);
    free(text);
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
    part_from(&someone);
}

/* A third of a second: the steps of a calibration are the same, and there are many to fail. */
/* Thighs and arms have two markers in a line with the joint: nothing but the choice of a pose says
 * where their rest is about the bone. */
static void the_rest_pose_is_one_of_the_trial_and_allowed(void **state)
{
    (void)state;
    person someone = meet(1, 0.002, 1);
    snw_actor *actor = NULL;
    assert_int_equal(
        snw_actor_calibrate(someone.synth->capture, someone.segments, NULL, NULL, &actor, NULL),
        SNW_OK);
    const snw_skeleton *body = actor->skeleton;
    for (int j = 1; j < body->joint_count; j++)
        /* Numbers of limits are rounded, no more. */
        check_near(snw_joint_limit_violation(body->joint + j, snw_quat_identity()), 0, 1e-9);
    snw_actor_destroy(actor);
    part_from(&someone);
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    person someone = meet_for(0.3, 1, 0.002, 1);
    snw_status status = SNW_OUT_OF_MEMORY;
    for (long nth = 0; status != SNW_OK; nth += CHECK_STRIDE) {
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator hook = counting_hook(&counter);
        snw_actor *actor = NULL;
        assert_true(nth < 400);
        status = snw_actor_calibrate(someone.synth->capture, someone.segments, NULL, &hook, &actor,
                                     NULL);
        snw_actor_destroy(actor);
        assert_int_equal(counter.live, 0);
        if (status != SNW_OK) assert_int_equal(status, SNW_OUT_OF_MEMORY);
    }
    part_from(&someone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_bring_joints_near_on_bodies_of_all_sizes),
        cmocka_unit_test(legs_that_stand_have_their_joints_by_anatomy),
        cmocka_unit_test(trunk_and_neck_have_both_their_joints),
        cmocka_unit_test(virtual_joints_say_where_they_come_from),
        cmocka_unit_test(data_without_error_are_not_held_back),
        cmocka_unit_test(hips_are_expected_where_harrington_puts_them),
        cmocka_unit_test(collar_bones_begin_beside_the_notch_whatever_marks_it),
        cmocka_unit_test(a_hinge_shows_its_axis_although_its_center_is_off),
        cmocka_unit_test(a_collar_bone_keeps_its_twist_when_it_is_read_back),
        cmocka_unit_test(the_rest_pose_is_one_of_the_trial_and_allowed),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
