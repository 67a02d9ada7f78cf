/* Bodies from Denavit-Hartenberg rows, from the twist/flexion notation, and the ready-made ones. */
#include "body_samples.h"

/* ---- DH against products of 4x4 matrices ---------------------------------------------------- */

/* The matrices as textbooks print them: Spong & Vidyasagar (3.10) for the standard form, Craig
 * (3.6) for the modified one. `q` is added to theta or d. */
static mat4 dh_matrix(snw_dh_row row, snw_dh_form form, double q)
{
    double d = row.d + (row.is_prismatic ? q : 0), theta = row.theta + (row.is_prismatic ? 0 : q);
    double ct = cos(theta), st = sin(theta), ca = cos(row.alpha), sa = sin(row.alpha);
    mat4 standard = {{{ct, -st * ca, st * sa, row.a * ct},
                      {st, ct * ca, -ct * sa, row.a * st},
                      {0, sa, ca, d},
                      {0, 0, 0, 1}}};
    mat4 modified = {{{ct, -st, 0, row.a},
                      {st * ca, ct * ca, -sa, -sa * d},
                      {st * sa, ct * sa, ca, ca * d},
                      {0, 0, 0, 1}}};
    return form == SNW_DH_STANDARD ? standard : modified;
}

static void check_frame(snw_xform actual, mat4 expected, double tolerance)
{
    snw_mat3 r = snw_mat3_from_quat(actual.rotation);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            check_near(r.m[i][j], expected.m[i][j], tolerance);
    check_vec3_near(actual.translation,
                    snw_vec3_make(expected.m[0][3], expected.m[1][3], expected.m[2][3]), tolerance);
}

/* Robots are hinges and slides, each with one coordinate, so values go straight in. */
static snw_xform tool_frame(const snw_skeleton *robot, const double *values)
{
    snw_pose *pose = sample_pose(robot);
    snw_pose_set_values(pose, values);
    snw_pose_forward(pose);
    snw_xform tool = pose->world[robot->joint_count - 1];
    snw_pose_destroy(pose);
    return tool;
}

static void dh_bodies_equal_the_product_of_the_printed_matrices(void **state)
{
    (void)state;
    enum {
        ROWS = 6
    };
    snw_random random = snw_random_seed(11, 4);
    for (int sample = 0; sample < 200; sample++) {
        snw_dh_form form = sample % 2 ? SNW_DH_MODIFIED : SNW_DH_STANDARD;
        snw_dh_row rows[ROWS];
        double q[ROWS];
        mat4 product = mat4_from(snw_quat_identity(), snw_vec3_make(0, 0, 0));
        for (int i = 0; i < ROWS; i++) {
            snw_dh_row row = {snw_random_range(&random, -1, 1),
                              snw_random_range(&random, -3, 3),
                              snw_random_range(&random, -1, 1),
                              snw_random_range(&random, -3, 3),
                              snw_random_below(&random, 2) == 1,
                              false,
                              {0, 0}};
            rows[i] = row;
            q[i] = snw_random_range(&random, -2, 2);
            product = mat4_mul(product, dh_matrix(row, form, q[i]));
        }
        snw_skeleton *robot = NULL;
        assert_int_equal(snw_skeleton_from_dh(rows, ROWS, form, NULL, &robot, NULL), SNW_OK);
        assert_int_equal(robot->joint_count, ROWS + 1);
        assert_int_equal(robot->dof_count, ROWS);
        assert_string_equal(robot->name[0], "joint1");
        assert_string_equal(robot->name[ROWS], "tool");
        check_frame(tool_frame(robot, q), product, 1e-13); /* round-off of six products */
        snw_skeleton_destroy(robot);
    }
}

/* Closed form of the PUMA 560's wrist frame: Craig, Introduction to Robotics, equation (3.14). */
static mat4 puma_closed_form(const double q[6], double a2, double a3, double d3, double d4)
{
    double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]);
    double c23 = cos(q[1] + q[2]), s23 = sin(q[1] + q[2]), c4 = cos(q[3]), s4 = sin(q[3]);
    double c5 = cos(q[4]), s5 = sin(q[4]), c6 = cos(q[5]), s6 = sin(q[5]);
    double u = c4 * c5 * c6 - s4 * s6, v = -c4 * c5 * s6 - s4 * c6;
    double reach = a2 * c2 + a3 * c23 - d4 * s23;
    mat4 t = {{{c1 * (c23 * u - s23 * s5 * c6) + s1 * (s4 * c5 * c6 + c4 * s6),
                c1 * (c23 * v + s23 * s5 * s6) + s1 * (c4 * c6 - s4 * c5 * s6),
                -c1 * (c23 * c4 * s5 + s23 * c5) - s1 * s4 * s5, c1 * reach - d3 * s1},
               {s1 * (c23 * u - s23 * s5 * c6) - c1 * (s4 * c5 * c6 + c4 * s6),
                s1 * (c23 * v + s23 * s5 * s6) - c1 * (c4 * c6 - s4 * c5 * s6),
                -s1 * (c23 * c4 * s5 + s23 * c5) + c1 * s4 * s5, s1 * reach + d3 * c1},
               {-s23 * u - c23 * s5 * c6, -s23 * v + c23 * s5 * s6, s23 * c4 * s5 - c23 * c5,
                -a3 * s23 - a2 * s2 - d4 * c23},
               {0, 0, 0, 1}}};
    return t;
}

static void the_puma_560_equals_its_closed_form(void **state)
{
    (void)state;
    const double a2 = 0.4318, a3 = 0.0203, d3 = 0.1244, d4 = 0.4318, h = SNW_PI / 2;
    const snw_dh_row rows[6] = {
        {.alpha = 0}, {.alpha = -h}, {.a = a2, .d = d3}, {.alpha = -h, .a = a3, .d = d4},
        {.alpha = h}, {.alpha = -h},
    };
    snw_skeleton *puma = NULL;
    snw_random random = snw_random_seed(12, 4);
    assert_int_equal(snw_skeleton_from_dh(rows, 6, SNW_DH_MODIFIED, NULL, &puma, NULL), SNW_OK);
    for (int sample = 0; sample < 200; sample++) {
        double q[6];
        for (int i = 0; i < 6; i++)
            q[i] = snw_random_range(&random, -3, 3);
        check_frame(tool_frame(puma, q), puma_closed_form(q, a2, a3, d3, d4),
                    1e-14); /* round-off */
    }
    snw_skeleton_destroy(puma);
}

/* First three joints of the Stanford arm, the third a slide: Paul, Robot Manipulators (1981). */
static void the_stanford_arm_equals_its_closed_form(void **state)
{
    (void)state;
    const double d2 = 0.154, h = SNW_PI / 2;
    snw_dh_row rows[3] = {{.alpha = -h}, {.alpha = h, .d = d2}, {.is_prismatic = true}};
    snw_skeleton *arm = NULL;
    rows[2].has_range = true;
    rows[2].range[0] = 0.1;
    rows[2].range[1] = 0.9;
    assert_int_equal(snw_skeleton_from_dh(rows, 3, SNW_DH_STANDARD, NULL, &arm, NULL), SNW_OK);
    assert_int_equal(arm->joint[2].type, SNW_JOINT_PRISMATIC);
    assert_true(arm->joint[2].limit.has_range[0]);
    check_near(arm->joint[2].limit.range[0][1], 0.9, 0);
    for (int i = 0; i < 50; i++) {
        double q[3] = {0.1 * i - 2, 0.07 * i - 1, 0.2 + 0.01 * i};
        double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]);
        snw_vec3 expected =
            snw_vec3_make(c1 * s2 * q[2] - s1 * d2, s1 * s2 * q[2] + c1 * d2, c2 * q[2]);
        check_vec3_near(tool_frame(arm, q).translation, expected, 1e-14); /* round-off */
    }
    snw_skeleton_destroy(arm);
}

static void wrong_dh_tables_are_refused(void **state)
{
    (void)state;
    snw_dh_row rows[2] = {{.a = 1}, {.a = 1}};
    snw_skeleton *robot = NULL;
    snw_error error;
    assert_int_equal(snw_skeleton_from_dh(rows, 0, SNW_DH_STANDARD, NULL, &robot, &error),
                     SNW_INVALID_SKELETON);
    assert_string_equal(error.message, "a DH table needs at least one row");
    assert_int_equal(snw_skeleton_from_dh(NULL, 2, SNW_DH_STANDARD, NULL, &robot, &error),
                     SNW_INVALID_SKELETON);
    assert_int_equal(
        snw_skeleton_from_dh(rows, SNW_JOINT_MAX, SNW_DH_STANDARD, NULL, &robot, &error),
        SNW_TOO_LARGE);
    assert_string_equal(error.message, "a DH table of 4096 rows is above the limit of 4095");
    assert_int_equal(snw_skeleton_from_dh(rows, 2, (snw_dh_form)7, NULL, &robot, &error),
                     SNW_INVALID_ARGUMENT);
    assert_string_equal(error.message, "there is no DH form 7");
    rows[1].alpha = NAN;
    assert_int_equal(snw_skeleton_from_dh(rows, 2, SNW_DH_STANDARD, NULL, &robot, &error),
                     SNW_INVALID_SKELETON);
    assert_string_equal(error.message, "row 2 of the DH table is not finite");
    assert_int_equal(error.index, 1);
    rows[1].alpha = 0;
    rows[1].has_range = true;
    rows[1].range[0] = 1;
    assert_int_equal(snw_skeleton_from_dh(rows, 2, SNW_DH_STANDARD, NULL, &robot, &error),
                     SNW_INVALID_SKELETON);
    assert_non_null(strstr(error.message, "joint 1 \"joint2\": "));
    assert_null(robot);
}

/* ---- twist, flexion, spherical -------------------------------------------------------------- */

typedef struct word_case {
    const char *word;
    snw_joint_type type;
} word_case;

static void words_give_the_joints_of_section_4_3(void **state)
{
    (void)state;
    static const word_case words[] = {
        {"-", SNW_JOINT_FIXED},      {"T", SNW_JOINT_PIVOT},      {"TTT", SNW_JOINT_PIVOT},
        {"F", SNW_JOINT_HINGE},      {"FF", SNW_JOINT_UNIVERSAL}, {"FFF", SNW_JOINT_UNIVERSAL},
        {"FT", SNW_JOINT_UNIVERSAL}, {"TF", SNW_JOINT_UNIVERSAL}, {"TTF", SNW_JOINT_UNIVERSAL},
        {"FFT", SNW_JOINT_BALL},     {"S", SNW_JOINT_BALL},       {"STF", SNW_JOINT_BALL},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        snw_link_def links[2] = {{"p", "-", 0.5}, {"q", words[i].word, 0.3}};
        snw_skeleton *chain = NULL;
        assert_int_equal(snw_skeleton_from_links(links, 2, NULL, &chain, NULL), SNW_OK);
        assert_int_equal(chain->joint[1].type, words[i].type);
        check_near(chain->bone_length[1], 0.5, 0);
        assert_true(chain->has_tip[1]);
        check_vec3_near(chain->tip[1], snw_vec3_make(0.3, 0, 0), 0);
        snw_skeleton_destroy(chain);
    }
}

/* What the end of link Q reaches from joint B (4.3.2.2): always at its length from B; out of the
 * plane of the flexion only with a second freedom that moves it. */
static void one_flexion_and_one_twist_reach_a_sphere_and_one_flexion_a_circle(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool covers_sphere;
    } cases[] = {{"F", false}, {"FT", true}, {"TF", true}, {"FF", true}, {"S", true}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        snw_link_def links[2] = {{"p", "-", 0.5}, {"q", cases[c].word, 0.3}};
        snw_skeleton *chain = NULL;
        snw_random random = snw_random_seed(13, 4);
        assert_int_equal(snw_skeleton_from_links(links, 2, NULL, &chain, NULL), SNW_OK);
        snw_pose *pose = sample_pose(chain);
        double highest = 0;
        for (int sample = 0; sample < 500; sample++) {
            randomize_pose(pose, &random);
            pose->root = snw_xform_identity();
            snw_pose_forward(pose);
            snw_vec3 tip = snw_pose_tip(pose, 1);
            check_near(snw_vec3_distance(tip, snw_vec3_make(0.5, 0, 0)), 0.3,
                       1e-15); /* round-off */
            highest = fmax(highest, fabs(tip.z));
        }
        if (cases[c].covers_sphere)
            assert_true(highest > 0.1);
        else
            check_near(highest, 0, 1e-15);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(chain);
    }
}

static void wrong_links_are_refused(void **state)
{
    (void)state;
    static const struct {
        snw_link_def link;
        const char *says;
    } cases[] = {
        {{"q", "", 1}, "link 1 \"q\" has no joint word: write \"-\" for none"},
        {{"q", NULL, 1}, "link 1 \"q\" has no joint word: write \"-\" for none"},
        {{"q", "FX", 1}, "link 1 \"q\": \"X\" in \"FX\" is not one of T, F, S, -"},
        {{"q", "F", 0}, "link 1 \"q\" is 0 m long: it must be above zero"},
        {{"q", "F", (double)NAN}, "link 1 \"q\" is nan m long: it must be above zero"},
        {{"q", "F", (double)INFINITY}, "link 1 \"q\" is inf m long: it must be above zero"},
        {{NULL, "F", 1}, "joint 1 has no name"},
        {{"p", "F", 1}, "joints 0 and 1 are both named \"p\""},
    };
    snw_skeleton *chain = NULL;
    snw_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snw_link_def links[2] = {{"p", "S", 1}, cases[i].link};
        assert_int_equal(snw_skeleton_from_links(links, 2, NULL, &chain, &error),
                         SNW_INVALID_SKELETON);
        assert_string_equal(error.message, cases[i].says);
        assert_int_equal(error.index, 1);
        assert_null(chain);
    }
    snw_link_def links[1] = {{"p", "S", 1}};
    assert_int_equal(snw_skeleton_from_links(links, 0, NULL, &chain, &error), SNW_INVALID_SKELETON);
    assert_int_equal(snw_skeleton_from_links(NULL, 1, NULL, &chain, &error), SNW_INVALID_SKELETON);
    assert_string_equal(error.message, "a chain needs at least one link");
    assert_int_equal(snw_skeleton_from_links(links, SNW_JOINT_MAX + 1, NULL, &chain, &error),
                     SNW_TOO_LARGE);
    assert_null(chain);
}

/* ---- ready-made bodies ---------------------------------------------------------------------- */

typedef struct preset_case {
    const char *name;
    int joint_count;
    int dof_count;
    int leaf_count;
} preset_case;

static const preset_case preset_cases[] = {
    {"chain10", 10, 30, 1}, {"y", 10, 30, 2},          {"hand26", 26, 78, 5},
    {"hand25", 25, 25, 5},  {"humanoid13", 13, 39, 4}, {"humanoid", 23, 43, 5},
    {"spine24", 76, 75, 1}, {"shoulder", 11, 10, 1},   {"arm7", 8, 7, 1},
    {"puma560", 7, 6, 1},   {"panda", 8, 7, 1},        {"ur5", 7, 6, 1},
    {"ur10", 7, 6, 1},      {"gen3", 8, 7, 1},
};

static snw_skeleton *preset(const char *name)
{
    snw_skeleton *body = NULL;
    snw_error error;
    if (snw_preset_create(name, NULL, &body, &error) != SNW_OK) print_error("%s\n", error.message);
    assert_non_null(body);
    return body;
}

static int leaf_count(const snw_skeleton *body)
{
    int leaves = body->joint_count;
    for (int i = 0; i < body->joint_count; i++) {
        bool is_parent = false;
        for (int k = 0; k < body->joint_count; k++)
            is_parent = is_parent || body->parent[k] == i;
        leaves -= is_parent;
    }
    return leaves;
}

static void presets_have_the_joints_in_their_names_and_stand_within_their_limits(void **state)
{
    (void)state;
    assert_int_equal(snw_preset_count(), sizeof preset_cases / sizeof preset_cases[0]);
    for (int i = 0; i < snw_preset_count(); i++) {
        const preset_case *expected = &preset_cases[i];
        assert_string_equal(snw_preset_name(i), expected->name);
        assert_true(strlen(snw_preset_text(i)) > 10);
        snw_skeleton *body = preset(expected->name);
        snw_pose *pose = sample_pose(body);
        assert_int_equal(body->joint_count, expected->joint_count);
        assert_int_equal(body->dof_count, expected->dof_count);
        assert_int_equal(leaf_count(body), expected->leaf_count);
        check_near(snw_pose_violation(pose), 0, 0);
        assert_int_equal(snw_pose_apply_limits(pose), 0);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
    assert_null(snw_preset_name(-1));
    assert_null(snw_preset_name(snw_preset_count()));
    assert_null(snw_preset_text(-1));
    assert_null(snw_preset_text(snw_preset_count()));
}

static void wrong_presets_are_refused(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_error error;
    assert_int_equal(snw_preset_create("octopus", NULL, &body, &error), SNW_NOT_FOUND);
    assert_string_equal(error.message, "there is no ready-made body \"octopus\"");
    assert_int_equal(snw_preset_create(NULL, NULL, &body, &error), SNW_NOT_FOUND);
    const int counts[] = {0, -1, SNW_JOINT_MAX + 1};
    for (int i = 0; i < 3; i++)
        assert_int_equal(snw_preset_chain(counts[i], 1, NULL, &body, &error), SNW_INVALID_ARGUMENT);
    assert_string_equal(error.message,
                        "a chain of 4097 joints cannot be made: 1 to 4096 are possible");
    const double lengths[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        assert_int_equal(snw_preset_chain(3, lengths[i], NULL, &body, &error),
                         SNW_INVALID_ARGUMENT);
    assert_null(body);
}

static void check_limit_degrees(const snw_skeleton *body, const char *name, int which, double low,
                                double high)
{
    int joint = snw_skeleton_find_joint(body, name);
    assert_true(joint >= 0);
    const snw_joint_limit *limit = &body->joint[joint].limit;
    assert_true(limit->has_range[which]);
    check_near(snw_degrees(limit->range[which][0]), low, 1e-12); /* one conversion each way */
    check_near(snw_degrees(limit->range[which][1]), high, 1e-12);
}

static void hand25_has_the_limits_of_table_5_1(void **state)
{
    (void)state;
    snw_skeleton *hand = preset("hand25");
    static const char *const fingers[] = {"index", "middle", "ring", "little"};
    for (int i = 0; i < 4; i++) {
        char name[16];
        snw_format(name, sizeof name, "%s1", fingers[i]);
        assert_false(hand->joint[snw_skeleton_find_joint(hand, name)].limit.has_range[0]);
        snw_format(name, sizeof name, "%s2", fingers[i]);
        check_limit_degrees(hand, name, 0, -10, 85);
        check_limit_degrees(hand, name, 1, -15, 15);
        snw_format(name, sizeof name, "%s3", fingers[i]);
        check_limit_degrees(hand, name, 0, -10, 95);
        snw_format(name, sizeof name, "%s4", fingers[i]);
        check_limit_degrees(hand, name, 0, -10, 90);
    }
    check_limit_degrees(hand, "thumb1", 0, -20, 20);
    check_limit_degrees(hand, "thumb1", 1, -30, 40);
    check_limit_degrees(hand, "thumb2", 0, -5, 30);
    check_limit_degrees(hand, "thumb2", 1, -10, 10);
    check_limit_degrees(hand, "thumb3", 0, -10, 95);
    snw_skeleton_destroy(hand);
}

/* Turns one joint to one coordinate and gives the world position of another. */
static snw_vec3 place_after(const snw_skeleton *body, const char *turned, double value,
                            const char *watched)
{
    snw_pose *pose = sample_pose(body);
    int joint = snw_skeleton_find_joint(body, turned);
    double *values = test_calloc((size_t)body->dof_count, sizeof *values);
    values[body->dof_first[joint]] = value;
    snw_pose_set_values(pose, values);
    snw_pose_forward(pose);
    snw_vec3 place = snw_pose_tip(pose, snw_skeleton_find_joint(body, watched));
    test_free(values);
    snw_pose_destroy(pose);
    return place;
}

static void positive_flexion_closes_fingers_elbows_and_knees(void **state)
{
    (void)state;
    snw_skeleton *hand = preset("hand25"), *person = preset("humanoid");
    snw_vec3 tip = place_after(hand, "index2", 1.0, "index5");
    assert_true(tip.y < -0.05); /* the palm looks down */
    tip = place_after(hand, "thumb3", 1.0, "thumb4");
    assert_true(tip.x < place_after(hand, "thumb3", 0.0, "thumb4").x); /* towards the fingers */
    static const char *const sides[] = {"left", "right"};
    for (int i = 0; i < 2; i++) {
        char joint[32], end[32];
        snw_format(joint, sizeof joint, "%s_elbow", sides[i]);
        snw_format(end, sizeof end, "%s_wrist", sides[i]);
        assert_true(place_after(person, joint, 1.0, end).z > 0.1); /* forward */
        snw_format(joint, sizeof joint, "%s_wrist", sides[i]);
        assert_true(place_after(person, joint, 1.0, end).y <
                    place_after(person, joint, 0.0, end).y - 0.05); /* palm down */
        snw_format(joint, sizeof joint, "%s_knee", sides[i]);
        snw_format(end, sizeof end, "%s_ankle", sides[i]);
        assert_true(place_after(person, joint, 1.0, end).z < -0.1); /* backward */
    }
    snw_skeleton_destroy(person);
    snw_skeleton_destroy(hand);
}

static void the_humanoid_has_the_stature_and_mass_of_its_sources(void **state)
{
    (void)state;
    snw_skeleton *person = preset("humanoid");
    snw_pose *pose = sample_pose(person);
    double mass = 0;
    for (int i = 0; i < person->joint_count; i++)
        mass += person->mass[i];
    check_near(mass, 73, 1e-12); /* sum of 23 fractions */
    double top = snw_pose_tip(pose, snw_skeleton_find_joint(person, "head")).y;
    double sole = snw_pose_tip(pose, snw_skeleton_find_joint(person, "left_toes")).y;
    check_near(top - sole, 1.75, 1e-12); /* fractions of height sum to one */
    double reach = snw_pose_tip(pose, snw_skeleton_find_joint(person, "left_wrist")).x;
    check_near(reach, (0.129 + 0.186 + 0.146 + 0.108) * 1.75, 1e-12);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(person);
}

/* A rotation seen in the mirror x -> -x: the axis is an axial vector. */
static snw_quat mirrored(snw_quat q)
{
    return snw_quat_make(q.w, q.x, -q.y, -q.z);
}

static void the_right_side_allows_what_the_left_allows_in_the_mirror(void **state)
{
    (void)state;
    snw_skeleton *person = preset("humanoid");
    snw_random random = snw_random_seed(14, 4);
    int pairs = 0;
    for (int left = 0; left < person->joint_count; left++) {
        char name[32];
        if (strncmp(person->name[left], "left_", 5) != 0) continue;
        snw_format(name, sizeof name, "right_%s", person->name[left] + 5);
        int right = snw_skeleton_find_joint(person, name);
        assert_true(right >= 0);
        pairs++;
        snw_vec3 place = person->rest[left].translation;
        place.x = -place.x;
        check_vec3_near(person->rest[right].translation, place, 0);
        for (int sample = 0; sample < 200; sample++) {
            snw_quat q = snw_random_rotation(&random);
            double violation = snw_joint_limit_violation(&person->joint[left], q);
            check_near(snw_joint_limit_violation(&person->joint[right], mirrored(q)), violation,
                       1e-7); /* the same numbers in other order; acos-like steps cost digits */
        }
    }
    assert_int_equal(pairs, 9);
    snw_skeleton_destroy(person);
}

/* Published flange places: PUMA in Corke's zero pose, UR as its maker's sheet gives them, the Panda
 * with all joints at zero (its fourth is counted from -90 degrees), the Gen3 stretched. */
static void robot_arms_stand_where_their_makers_say(void **state)
{
    static const struct {
        const char *name;
        snw_vec3 flange;
    } rows[] = {{"puma560", {0.4521, -0.15005, 0.4318}},
                {"ur5", {-0.81725, -0.19145, -0.005491}},
                {"ur10", {-1.1843, -0.256141, 0.0116}},
                {"panda", {0.088, 0, 0.926}},
                {"gen3", {0, 0.0246, -1.1873}}};
    (void)state;
    for (int n = 0; n < 5; n++) {
        snw_skeleton *body = preset(rows[n].name);
        snw_pose *pose = sample_pose(body);
        int tool = snw_skeleton_find_joint(body, "tool");
        if (strcmp(rows[n].name, "panda") == 0) {
            pose->rotation[3] = snw_quat_from_axis_angle(body->joint[3].axis, SNW_PI / 2);
            snw_pose_forward(pose);
        }
        /* The tables have five digits or fewer. */
        check_vec3_near(pose->world[tool].translation, rows[n].flange, 1e-6);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

static void arm7_is_upright_at_zero_and_keeps_its_wrist_distance(void **state)
{
    (void)state;
    snw_skeleton *arm = preset("arm7");
    snw_random random = snw_random_seed(15, 4);
    double q[7] = {0};
    check_vec3_near(tool_frame(arm, q).translation, snw_vec3_make(0, 0, 1.266), 1e-15);
    for (int sample = 0; sample < 100; sample++) {
        for (int i = 0; i < 7; i++)
            q[i] = snw_random_range(&random, -2, 2);
        snw_xform tool = tool_frame(arm, q);
        /* cosine rule: shoulder, elbow at angle q4, wrist */
        snw_vec3 wrist = snw_xform_point(tool, snw_vec3_make(0, 0, -0.126));
        double distance = snw_vec3_distance(wrist, snw_vec3_make(0, 0, 0.34));
        check_near(distance, sqrt(0.32 + 0.32 * cos(q[3])), 1e-14); /* round-off */
    }
    check_limit_degrees(arm, "joint4", 0, -120, 120);
    check_limit_degrees(arm, "joint7", 0, -175, 175);
    snw_skeleton_destroy(arm);
}

/* ---- memory --------------------------------------------------------------------------------- */

static snw_status build_nth(int which, const snw_allocator *hook, snw_skeleton **out)
{
    static const snw_dh_row rows[2] = {{.a = 1}, {.a = 1}};
    static const snw_link_def links[2] = {{"p", "S", 1}, {"q", "F", 1}};
    if (which == 0) return snw_skeleton_from_dh(rows, 2, SNW_DH_STANDARD, hook, out, NULL);
    if (which == 1) return snw_skeleton_from_links(links, 2, hook, out, NULL);
    if (which == 2) return snw_preset_chain(5, 1, hook, out, NULL);
    return snw_preset_create(snw_preset_name(which - 3), hook, out, NULL);
}

static void every_builder_survives_every_failing_allocation(void **state)
{
    (void)state;
    for (int which = 0; which < 3 + snw_preset_count(); which++) {
        snw_status status = SNW_OUT_OF_MEMORY;
        for (long fail_at = 0; status != SNW_OK; fail_at++) {
            counting_allocator counter = {0, 0, 0, fail_at};
            snw_allocator hook = counting_hook(&counter);
            snw_skeleton *body = NULL;
            status = build_nth(which, &hook, &body);
            assert_true(fail_at < 10);
            if (status == SNW_OK) {
                assert_true(fail_at > 0);
                assert_int_equal(counter.live, 1); /* scratch is given back, one block is left */
                snw_skeleton_destroy(body);
            } else {
                assert_int_equal(status, SNW_OUT_OF_MEMORY);
                assert_null(body);
            }
            assert_int_equal(counter.live, 0);
            assert_int_equal(counter.live_bytes, 0);
        }
    }
}

/* ---- determinism ---------------------------------------------------------------------------- */

/* Golden hash of forward kinematics (FNV-1a 64 over positions and rotations rounded to 1e-9, so
 * that it pins the algorithm and not the last bit of a C library's sine). To regenerate after an
 * intended change, run this test and take the value it prints. */
#define GOLDEN_HASH UINT64_C(0x8fc5d6af5db35e18)

static uint64_t hash_number(uint64_t hash, double value)
{
    int64_t rounded = (int64_t)llround(value * 1e9);
    for (int i = 0; i < 8; i++)
        hash = (hash ^ ((uint64_t)rounded >> (8 * i) & 0xff)) * UINT64_C(1099511628211);
    return hash;
}

static void forward_kinematics_of_the_humanoid_has_not_changed(void **state)
{
    (void)state;
    snw_skeleton *person = preset("humanoid");
    snw_pose *pose = sample_pose(person);
    snw_random random = snw_random_seed(2026, 7);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int frame = 0; frame < 100; frame++) {
        randomize_pose(pose, &random);
        for (int i = 0; i < person->joint_count; i++) {
            snw_mat3 r = snw_mat3_from_quat(pose->world[i].rotation);
            hash = hash_number(hash, pose->world[i].translation.x);
            hash = hash_number(hash, pose->world[i].translation.y);
            hash = hash_number(hash, pose->world[i].translation.z);
            hash = hash_number(hash, r.m[0][1]);
            hash = hash_number(hash, r.m[2][0]);
        }
    }
    if (hash != GOLDEN_HASH) print_error("hash 0x%016llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN_HASH);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(person);
}

/* Bent, leant and turned as far as they go, the parts end where the ranges of their vertebrae add
 * up to: the sums of the published table, taken by hand. Turns about one axis add up. */
static void a_spine_goes_as_far_as_its_vertebrae_together(void **state)
{
    (void)state;
    static const struct {
        const char *leader[3], *top[3];
        double most_deg[3];
    } ways[] = {
        {{"L5_bend", "T12_bend", "skull_bend"},
         {"L1", "T1", "skull"},
         {74 * 80.0 / 105, 76 * 80.0 / 105, 136 * 0.5}},
        {{"L3_lean", "T11_lean", "C4_lean"}, {"L1", "T1", "skull"}, {29, 76, 61}},
        {{"L4", "T1", "C1"}, {"L1", "T1", "skull"}, {9, 71, 77}},
    };
    snw_skeleton *body = preset("spine24");
    snw_pose *pose = sample_pose(body);
    assert_int_equal(body->follower_count, 75 - 9);
    for (int way = 0; way < 3; way++) {
        double sum = 0;
        snw_pose_reset(pose);
        for (int part = 0; part < 3; part++) {
            int leader = snw_skeleton_find_joint(body, ways[way].leader[part]);
            const double values[6] = {body->joint[leader].limit.range[0][1]};
            assert_false(body->follow[leader].is_following);
            snw_joint_from_values(&body->joint[leader], values, &pose->rotation[leader],
                                  &pose->slide[leader]);
        }
        (void)snw_pose_follow(pose);
        snw_pose_forward(pose);
        for (int part = 0; part < 3; part++) {
            int top = snw_skeleton_find_joint(body, ways[way].top[part]);
            double turned = snw_degrees(snw_vec3_length(snw_quat_log(pose->world[top].rotation)));
            sum += ways[way].most_deg[part];
            check_near(turned, sum > 180 ? 360 - sum : sum, 1e-9);
        }
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* Inman's proportion: of what the arm is raised two thirds are between arm and blade. */
static void a_shoulder_blade_follows_the_arm(void **state)
{
    (void)state;
    snw_skeleton *body = preset("shoulder");
    snw_pose *pose = sample_pose(body);
    int elevation = snw_skeleton_find_joint(body, "elevation");
    int blade = snw_skeleton_find_joint(body, "scapula");
    double least = INFINITY, most = -INFINITY;
    for (int side = 0; side < 2; side++) {
        double values[6] = {body->joint[elevation].limit.range[0][side]};
        snw_pose_reset(pose);
        snw_joint_from_values(&body->joint[elevation], values, &pose->rotation[elevation],
                              &pose->slide[elevation]);
        (void)snw_pose_follow(pose);
        snw_pose_forward(pose);
        double girdle = snw_vec3_length(snw_quat_log(pose->world[blade].rotation));
        check_near(girdle, fabs(values[0]) / 2, 1e-12);
        double total = snw_degrees(values[0] * 1.5) + 40;
        least = fmin(least, total);
        most = fmax(most, total);
    }
    check_near(least, 0, 1e-9);
    check_near(most, 180, 1e-9);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dh_bodies_equal_the_product_of_the_printed_matrices),
        cmocka_unit_test(the_puma_560_equals_its_closed_form),
        cmocka_unit_test(the_stanford_arm_equals_its_closed_form),
        cmocka_unit_test(wrong_dh_tables_are_refused),
        cmocka_unit_test(words_give_the_joints_of_section_4_3),
        cmocka_unit_test(one_flexion_and_one_twist_reach_a_sphere_and_one_flexion_a_circle),
        cmocka_unit_test(wrong_links_are_refused),
        cmocka_unit_test(a_spine_goes_as_far_as_its_vertebrae_together),
        cmocka_unit_test(a_shoulder_blade_follows_the_arm),
        cmocka_unit_test(presets_have_the_joints_in_their_names_and_stand_within_their_limits),
        cmocka_unit_test(wrong_presets_are_refused),
        cmocka_unit_test(hand25_has_the_limits_of_table_5_1),
        cmocka_unit_test(positive_flexion_closes_fingers_elbows_and_knees),
        cmocka_unit_test(the_humanoid_has_the_stature_and_mass_of_its_sources),
        cmocka_unit_test(the_right_side_allows_what_the_left_allows_in_the_mirror),
        cmocka_unit_test(robot_arms_stand_where_their_makers_say),
        cmocka_unit_test(arm7_is_upright_at_zero_and_keeps_its_wrist_distance),
        cmocka_unit_test(every_builder_survives_every_failing_allocation),
        cmocka_unit_test(forward_kinematics_of_the_humanoid_has_not_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
