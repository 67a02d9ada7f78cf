/* Joint angles against bodies posed by hand and against the angles that Plug-in-Gait wrote into
 * real files. */
#include "check.h"

/* ---- a body posed by hand ---------------------------------------------------------------------
 */

/* A person in the lab with x forward, y left, z up, whose left (or right) leg turns by given
 * angles; the markers stand where the definitions of docs/angles.md want them. */
typedef struct leg_pose {
    double hip[3], knee[3], ankle[3]; /* flexion, abduction, internal rotation, degrees */
} leg_pose;

enum {
    LASI,
    RASI,
    LPSI,
    RPSI,
    THI,
    KNE,
    TIB,
    ANK,
    HEE,
    TOE,
    KNM, /* static trials only, from here on */
    MED,
    KAX,
    KD1,
    KD2,
    MARKERS
};

/* How the person's leg differs from the model's zero, degrees, and what a static trial shows. */
typedef struct leg_kind {
    double thigh_wand, shank_wand, torsion;
    bool has_medial, has_device;
} leg_kind;

static const leg_kind leg_plain = {0, 0, 0, false, false};

static const char *const leg_name[2][MARKERS] = {
    {"LASI", "RASI", "LPSI", "RPSI", "LTHI", "LKNE", "LTIB", "LANK", "LHEE", "LTOE", "LKNM", "LMED",
     "LKAX", "LKD1", "LKD2"},
    {"LASI", "RASI", "LPSI", "RPSI", "RTHI", "RKNE", "RTIB", "RANK", "RHEE", "RTOE", "RKNM", "RMED",
     "RKAX", "RKD1", "RKD2"},
};

/* Elementary rotations written out: independent of the library's Euler code. */
static snw_mat3 turn(int axis, double degrees)
{
    double c = cos(degrees * SNW_PI / 180), s = sin(degrees * SNW_PI / 180);
    snw_mat3 m = snw_mat3_identity();
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    m.m[a][a] = m.m[b][b] = c;
    m.m[a][b] = -s;
    m.m[b][a] = s;
    return m;
}

/* Flexion about y (bends: +1 for the knee, -1 for the hip), then x, then z. */
static snw_mat3 joint_turn(const double angle[3], double bends, double outward)
{
    snw_mat3 m = snw_mat3_mul(turn(1, bends * angle[0]), turn(0, outward * angle[1]));
    return snw_mat3_mul(m, turn(2, -outward * angle[2]));
}

#define WIDTH    0.24
#define KNEE     0.10
#define ANKLE    0.07
#define DIAMETER 0.014

static void place(snw_trial *trial, int marker, snw_vec3 at)
{
    for (int f = 0; f < trial->frame_count; f++)
        snw_trial_set(trial, f, marker, at, SNW_SAMPLE_MEASURED);
}

static snw_vec3 on(snw_vec3 origin, snw_mat3 axes, double x, double y, double z)
{
    return snw_vec3_add(origin, snw_mat3_apply(axes, snw_vec3_make(x, y, z)));
}

static snw_trial *pose_kind(const leg_pose *angles, int side, const leg_kind *kind)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    double outward = side == 0 ? 1 : -1;
    options.marker_count = MARKERS;
    options.frame_count = 3;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    trial->up = SNW_UP_Z;
    for (int m = 0; m < MARKERS; m++)
        snw_trial_set_marker_name(trial, m, leg_name[side][m], &error);
    snw_vec3 origin = {0.3, 0.1, 1.0};
    snw_mat3 pelvis = snw_mat3_identity();
    place(trial, LASI, on(origin, pelvis, 0, WIDTH / 2, 0));
    place(trial, RASI, on(origin, pelvis, 0, -WIDTH / 2, 0));
    place(trial, LPSI, on(origin, pelvis, -0.15, 0.04, 0));
    place(trial, RPSI, on(origin, pelvis, -0.15, -0.04, 0));
    snw_pelvis_size size = {WIDTH, 0.15, 0.9, 0.06, DIAMETER / 2};
    snw_vec3 hip = snw_vec3_add(origin, snw_hip_center(SNW_HIP_BY_DAVIS, &size, (snw_side)side));
    snw_mat3 thigh = joint_turn(angles->hip, -1, outward);
    snw_vec3 knee = on(hip, thigh, 0, 0, -0.42);
    if (!kind->has_device)
        place(trial, KNE, on(knee, thigh, 0, outward * (KNEE + DIAMETER) / 2, 0));
    snw_mat3 thigh_wand = snw_mat3_mul(thigh, turn(2, outward * kind->thigh_wand));
    place(trial, THI, on(knee, thigh_wand, 0, outward * 0.12, 0.2));
    snw_mat3 shank = snw_mat3_mul(thigh, joint_turn(angles->knee, 1, outward));
    snw_vec3 ankle = on(knee, shank, 0, 0, -0.40);
    snw_mat3 distal = snw_mat3_mul(shank, turn(2, outward * kind->torsion));
    place(trial, ANK, on(ankle, distal, 0, outward * (ANKLE + DIAMETER) / 2, 0));
    snw_mat3 shank_wand = snw_mat3_mul(distal, turn(2, outward * kind->shank_wand));
    place(trial, TIB, on(ankle, shank_wand, 0, outward * 0.10, 0.2));
    if (kind->has_medial) {
        place(trial, KNM, on(knee, thigh, 0, -outward * (KNEE + DIAMETER) / 2, 0));
        place(trial, MED, on(ankle, distal, 0, -outward * (ANKLE + DIAMETER) / 2, 0));
    }
    if (kind->has_device) { /* a corner where KNE would be, three edges of 0.12 m, KAX along y */
        snw_vec3 corner = on(knee, thigh, 0, outward * (KNEE + DIAMETER) / 2, 0);
        place(trial, KAX, on(corner, thigh, 0, outward * 0.12, 0));
        place(trial, KD1, on(corner, thigh, 0.12 * sqrt(0.5), 0, 0.12 * sqrt(0.5)));
        place(trial, KD2, on(corner, thigh, 0.12 * sqrt(0.5), 0, -0.12 * sqrt(0.5)));
    }
    /* The level foot: x forwards, z up; toe and heel below the ankle, no offset between them. */
    snw_mat3 foot = snw_mat3_mul(shank, turn(1, -angles->ankle[0]));
    place(trial, TOE, on(ankle, foot, 0.15, 0, 0));
    place(trial, HEE, on(ankle, foot, -0.05, 0, 0));
    return trial;
}

static snw_trial *pose_leg(const leg_pose *angles, int side)
{
    return pose_kind(angles, side, &leg_plain);
}

static snw_gait_model fit_with(const snw_trial *trial, const snw_trial *still)
{
    static const struct {
        const char *name;
        double value;
    } known[] = {{"InterAsisDistance", 1000 * WIDTH},
                 {"LegLength", 900},
                 {"AsisTrocanterDistance", 60},
                 {"KneeWidth", 1000 * KNEE},
                 {"AnkleWidth", 1000 * ANKLE},
                 {"MarkerDiameter", 1000 * DIAMETER},
                 {"StaticPlantFlex", 0},
                 {"StaticRotOff", 0}};
    snw_gait_options options = snw_gait_options_default();
    snw_gait_model model;
    snw_error error;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        assert_int_equal(snw_subject_set(&options.subject, known[n].name, known[n].value, &error),
                         SNW_OK);
    if (!still) {
        snw_subject_set(&options.subject, "StaticPlantFlex", 0, &error);
        snw_subject_set(&options.subject, "StaticRotOff", 0, &error);
    }
    options.is_foot_tilted = true;
    assert_int_equal(snw_gait_model_make(trial, still, &options, &model, NULL, &error), SNW_OK);
    return model;
}

static snw_gait_model fit(const snw_trial *trial)
{
    return fit_with(trial, NULL);
}

static double degrees_of(const snw_angles *angles, const char *name)
{
    int column = snw_angles_find(angles, name);
    if (column < 0) print_error("no column %s\n", name);
    assert_true(column >= 0);
    return snw_degrees(snw_angles_at(angles, 1, column));
}

/* Samples are floats in millimetres: 1e-4 mm of 100 mm is 1e-4 degrees. */
#define TOLERANCE 2e-4

static void angles_are_those_that_the_leg_was_turned_by(void **state)
{
    (void)state;
    static const leg_pose poses[] = {
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        {{30, 10, -5}, {60, -3, 8}, {12, 0, 0}},
        {{-15, -8, 20}, {5, 4, -12}, {-25, 0, 0}},
    };
    static const char *const plane[3] = {"flexion", "abduction", "rotation"};
    for (size_t n = 0; n < sizeof poses / sizeof *poses; n++)
        for (int side = 0; side < 2; side++)
            for (int convention = SNW_ANGLES_ISB; convention <= SNW_ANGLES_PIG; convention++) {
                snw_trial *trial = pose_leg(poses + n, side);
                snw_gait_model model = fit(trial);
                snw_angles *angles = NULL;
                snw_error error;
                char name[64];
                assert_int_equal(snw_angles_measure(trial, &model, (snw_angle_convention)convention,
                                                    NULL, &angles, &error),
                                 SNW_OK);
                for (int p = 0; p < 3; p++) {
                    snprintf(name, sizeof name, "%s_hip_%s", side ? "right" : "left", plane[p]);
                    check_near(degrees_of(angles, name), poses[n].hip[p], TOLERANCE);
                    snprintf(name, sizeof name, "%s_knee_%s", side ? "right" : "left", plane[p]);
                    check_near(degrees_of(angles, name), poses[n].knee[p], TOLERANCE);
                }
                snprintf(name, sizeof name, "%s_ankle_flexion", side ? "right" : "left");
                check_near(degrees_of(angles, name), poses[n].ankle[0], TOLERANCE);
                check_near(degrees_of(angles, "pelvis_tilt"), 0, TOLERANCE);
                snw_angles_destroy(angles);
                snw_trial_destroy(trial);
            }
}

/* Wands that stand off their planes and a twisted tibia: the static trial finds them, by medial
 * markers or the alignment device, and the walk's angles are right again. The device knows no
 * torsion. The person may stand with bent joints, but a knee's rotation would count as torsion, as
 * Plug-in-Gait has it. */
static void a_static_trial_finds_wands_and_torsion(void **state)
{
    (void)state;
    static const leg_pose standing = {{5, 2, -3}, {8, 0, 0}, {0, 0, 0}};
    static const leg_pose walking = {{30, 10, -5}, {60, -3, 8}, {12, 0, 0}};
    static const leg_kind kinds[2] = {{12, -7, -15, true, false}, {12, -7, 0, false, true}};
    static const char *const name[2][6] = {
        {"left_hip_flexion", "left_hip_abduction", "left_hip_rotation", "left_knee_flexion",
         "left_knee_abduction", "left_knee_rotation"},
        {"right_hip_flexion", "right_hip_abduction", "right_hip_rotation", "right_knee_flexion",
         "right_knee_abduction", "right_knee_rotation"}};
    for (int k = 0; k < 2; k++)
        for (int side = 0; side < 2; side++) {
            leg_kind seen = kinds[k];
            snw_trial *still = pose_kind(&standing, side, &seen);
            seen.has_medial = seen.has_device = false;
            snw_trial *walk = pose_kind(&walking, side, &seen);
            snw_gait_model model = fit_with(walk, still), blind = fit(walk);
            snw_angles *angles = NULL, *without = NULL;
            snw_error error;
            assert_int_equal(
                snw_angles_measure(walk, &model, SNW_ANGLES_PIG, NULL, &angles, &error), SNW_OK);
            assert_int_equal(
                snw_angles_measure(walk, &blind, SNW_ANGLES_PIG, NULL, &without, &error), SNW_OK);
            for (int n = 0; n < 6; n++) {
                double truth = n < 3 ? walking.hip[n] : walking.knee[n - 3];
                check_near(degrees_of(angles, name[side][n]), truth, 5e-4);
            }
            /* and it was needed */
            assert_true(fabs(degrees_of(without, name[side][2]) - walking.hip[2]) > 5);
            snw_angles_destroy(without);
            snw_angles_destroy(angles);
            snw_trial_destroy(walk);
            snw_trial_destroy(still);
        }
}

static void opensim_has_its_own_names_and_signs(void **state)
{
    (void)state;
    static const leg_pose pose = {{30, 10, -5}, {60, 0, 0}, {12, 0, 0}};
    snw_trial *trial = pose_leg(&pose, SNW_SIDE_RIGHT);
    snw_gait_model model = fit(trial);
    snw_angles *rajagopal = NULL, *gait2392 = NULL;
    snw_error error;
    assert_int_equal(
        snw_angles_measure(trial, &model, SNW_ANGLES_OPENSIM, NULL, &rajagopal, &error), SNW_OK);
    assert_int_equal(
        snw_angles_measure(trial, &model, SNW_ANGLES_GAIT2392, NULL, &gait2392, &error), SNW_OK);
    check_near(degrees_of(rajagopal, "hip_flexion_r"), 30, TOLERANCE);
    check_near(degrees_of(rajagopal, "hip_adduction_r"), -10, TOLERANCE);
    check_near(degrees_of(rajagopal, "hip_rotation_r"), -5, TOLERANCE);
    check_near(degrees_of(rajagopal, "knee_angle_r"), 60, TOLERANCE);
    check_near(degrees_of(gait2392, "knee_angle_r"), -60, TOLERANCE);
    check_near(degrees_of(rajagopal, "ankle_angle_r"), 12, TOLERANCE);
    /* The pelvis stands 1 m above the floor: OpenSim's y is up, metres. */
    int height = snw_angles_find(rajagopal, "pelvis_ty");
    assert_true(height >= 0 && rajagopal->column[height].is_length);
    check_near(snw_angles_at(rajagopal, 0, height), 1.0, 1e-6);
    snw_angles_destroy(gait2392);
    snw_angles_destroy(rajagopal);
    snw_trial_destroy(trial);
}

/* ---- against the angles of real files ----------------------------------------------------------
 */

static snw_trial *read_corpus(const char *name)
{
    char path[1024];
    snw_trial *trial = NULL;
    snw_error error;
    snprintf(path, sizeof path, "%s/%s", corpus_folder(), name);
    if (snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return trial;
}

/* Largest difference between our points and the file's own of the same name, degrees. */
static double worst_point(const snw_trial *trial, const char *name)
{
    char ours[64];
    double worst = 0;
    int count = 0;
    snprintf(ours, sizeof ours, "%s_sinew", name);
    int a = snw_trial_find_marker(trial, name), b = snw_trial_find_marker(trial, ours);
    assert_true(a >= 0 && b >= 0);
    for (int f = 0; f < trial->frame_count; f++) {
        if (!snw_trial_is_present(trial, f, a) || !snw_trial_is_present(trial, f, b)) continue;
        snw_vec3 gap =
            snw_vec3_sub(snw_trial_position(trial, f, a), snw_trial_position(trial, f, b));
        worst = fmax(worst, snw_vec3_length(gap) / trial->metres_per_unit);
        count++;
    }
    assert_true(count > 100);
    return worst;
}

/* Signs, sequences and axes of the whole body at once: the file's angles are written by another
 * program. The wrist is left out: Plug-in-Gait has no pronation and puts it there. 0.002 degrees
 * are floats of 1e-4 mm on a marker bar of 60 mm. */
static void points_are_plug_in_gaits(void **state)
{
    (void)state;
    static const char *const names[] = {
        "LHipAngles",    "RHipAngles",    "LKneeAngles",     "RKneeAngles",
        "LAnkleAngles",  "RAnkleAngles",  "LShoulderAngles", "RShoulderAngles",
        "LPelvisAngles", "RPelvisAngles", "LThoraxAngles",   "RThoraxAngles",
        "LSpineAngles",  "RSpineAngles",  "LNeckAngles",     "RNeckAngles"};
    snw_trial *trial = read_corpus("c3d_gait/pig_full_walk.c3d"), *with = NULL;
    snw_gait_options options = snw_gait_options_default();
    snw_gait_model model;
    snw_angles *angles = NULL;
    snw_error error;
    snw_subject_set(&options.subject, "MarkerDiameter", 16, &error);
    assert_int_equal(snw_gait_model_make(trial, NULL, &options, &model, NULL, &error), SNW_OK);
    assert_int_equal(snw_angles_measure(trial, &model, SNW_ANGLES_PIG, NULL, &angles, &error),
                     SNW_OK);
    assert_int_equal(snw_angles_to_trial(angles, trial, NULL, &with, &error), SNW_OK);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        check_near(worst_point(with, names[n]), 0, 0.002);
    int ours = snw_trial_find_marker(with, "LKneeAngles_sinew");
    assert_true(!snw_trial_is_marker(with, ours));
    snw_trial_destroy(with);
    snw_angles_destroy(angles);
    snw_trial_destroy(trial);
}

/* The goal of docs/angles.md on a file without any measure of the subject: 3 degrees of flexion. */
static void flexions_without_measures_stay_within_the_goal(void **state)
{
    (void)state;
    static const char *const names[] = {"HipAngles", "KneeAngles", "AnkleAngles"};
    snw_trial *trial = read_corpus("c3d_gait/pig_sample03_walk.c3d"), *with = NULL;
    snw_gait_model model;
    snw_angles *angles = NULL;
    snw_error error;
    assert_int_equal(snw_gait_model_make(trial, NULL, NULL, &model, NULL, &error), SNW_OK);
    assert_int_equal(snw_angles_measure(trial, &model, SNW_ANGLES_PIG, NULL, &angles, &error),
                     SNW_OK);
    assert_int_equal(snw_angles_to_trial(angles, trial, NULL, &with, &error), SNW_OK);
    for (int n = 0; n < 6; n++) {
        char file[64], ours[64];
        snprintf(file, sizeof file, "A22:%c%s", n % 2 ? 'R' : 'L', names[n / 2]);
        snprintf(ours, sizeof ours, "%c%s", n % 2 ? 'R' : 'L', names[n / 2]);
        int a = snw_trial_find_marker(with, file), b = snw_trial_find_marker(with, ours);
        assert_true(a >= 0 && b >= 0);
        double sum = 0;
        int count = 0;
        for (int f = 0; f < with->frame_count; f++) {
            if (!snw_trial_is_present(with, f, a) || !snw_trial_is_present(with, f, b)) continue;
            double gap = (snw_trial_position(with, f, a).x - snw_trial_position(with, f, b).x) /
                         with->metres_per_unit;
            sum += gap * gap;
            count++;
        }
        assert_true(count > 20);
        check_near(sqrt(sum / count), 0, 3);
    }
    snw_trial_destroy(with);
    snw_angles_destroy(angles);
    snw_trial_destroy(trial);
}

/* ---- rates, motions, memory ------------------------------------------------------------------ */

static void rates_are_central_differences(void **state)
{
    (void)state;
    static const leg_pose pose = {{10, 0, 0}, {20, 0, 0}, {0, 0, 0}};
    snw_trial *trial = pose_leg(&pose, SNW_SIDE_LEFT);
    snw_gait_model model = fit(trial);
    snw_angles *angles = NULL, *both = NULL;
    snw_error error;
    assert_int_equal(snw_angles_measure(trial, &model, SNW_ANGLES_PIG, NULL, &angles, &error),
                     SNW_OK);
    int knee = snw_angles_find(angles, "left_knee_flexion");
    for (int f = 0; f < 3; f++) /* 3.0, 3.1, then over the seam to -3.08 */
        angles->value[f * angles->column_count + knee] = f < 2 ? 3.0 + 0.1 * f : 3.2 - 2 * SNW_PI;
    assert_int_equal(snw_angles_with_velocity(angles, NULL, &both, &error), SNW_OK);
    int rate = snw_angles_find(both, "left_knee_flexion_velocity");
    assert_true(rate >= 0 && both->column[rate].is_rate);
    check_near(snw_angles_at(both, 1, rate), 0.1 * trial->rate, 1e-9);
    assert_true(isnan(snw_angles_at(both, 0, rate)));
    check_near(snw_angles_at(both, 2, snw_angles_find(both, "left_knee_flexion")), 3.2 - 2 * SNW_PI,
               1e-12);
    snw_angles_destroy(both);
    snw_angles_destroy(angles);
    snw_trial_destroy(trial);
}

static void functional_angles_are_the_joints_own(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_motion *motion = NULL;
    snw_angles *angles = NULL;
    snw_error error;
    snw_joint_def defs[4];
    memset(defs, 0, sizeof defs);
    static const struct {
        const char *name;
        int parent;
        snw_vec3 at;
    } joint[4] = {{"Hips", -1, {0, 0, 0}},
                  {"Chest", 0, {0, 0, 0.3}},
                  {"LeftUpLeg", 0, {0, 0.1, 0}},
                  {"RightUpLeg", 0, {0, -0.1, 0}}};
    for (int j = 0; j < 4; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = joint[j].name;
        defs[j].parent = joint[j].parent;
        defs[j].rest = snw_xform_make(snw_quat_identity(), joint[j].at);
        defs[j].joint.type = SNW_JOINT_BALL;
        defs[j].joint.axis = snw_vec3_make(0, 0, 1);
    }
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, &error), SNW_OK);
    assert_int_equal(snw_pose_create(body, NULL, &pose, &error), SNW_OK);
    snw_pose_reset(pose);
    /* The left thigh forwards by 30, then outwards by 10 degrees; the right one the same. */
    for (int j = 2; j < 4; j++) {
        double outward = j == 2 ? 1 : -1;
        snw_mat3 m = snw_mat3_mul(turn(1, -30), turn(0, outward * 10));
        pose->rotation[j] = snw_quat_from_mat3(m);
    }
    assert_int_equal(snw_motion_create(body, 3, 100, NULL, &motion, &error), SNW_OK);
    for (int f = 0; f < 3; f++)
        snw_motion_set(motion, f, pose);
    assert_int_equal(snw_angles_from_motion(motion, NULL, &angles, &error), SNW_OK);
    for (int side = 0; side < 2; side++) {
        const char *left_right[2] = {"left", "right"};
        char name[64];
        snprintf(name, sizeof name, "%s_hip_flexion", left_right[side]);
        check_near(degrees_of(angles, name), 30, 1e-9);
        snprintf(name, sizeof name, "%s_hip_abduction", left_right[side]);
        check_near(degrees_of(angles, name), 10, 1e-9);
    }
    check_near(degrees_of(angles, "trunk_flexion"), 0, 1e-9);
    snw_angles_destroy(angles);
    snw_motion_destroy(motion);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void no_memory_is_told_and_nothing_stays(void **state)
{
    (void)state;
    static const leg_pose pose = {{10, 0, 0}, {20, 0, 0}, {0, 0, 0}};
    snw_trial *trial = pose_leg(&pose, SNW_SIDE_LEFT);
    snw_gait_model model = fit(trial);
    for (int n = 0; n < 40; n++) {
        counting_allocator counter = {0, 0, 0, n};
        snw_allocator allocator = counting_hook(&counter);
        snw_angles *angles = NULL, *both = NULL;
        snw_trial *with = NULL;
        snw_error error;
        snw_status status =
            snw_angles_measure(trial, &model, SNW_ANGLES_PIG, &allocator, &angles, &error);
        if (status == SNW_OK) status = snw_angles_with_velocity(angles, &allocator, &both, &error);
        if (status == SNW_OK)
            status = snw_angles_to_trial(angles, trial, &allocator, &with, &error);
        assert_true(status == SNW_OK || status == SNW_OUT_OF_MEMORY);
        snw_trial_destroy(with);
        snw_angles_destroy(both);
        snw_angles_destroy(angles);
        assert_int_equal(counter.live, 0);
    }
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_are_those_that_the_leg_was_turned_by),
        cmocka_unit_test(a_static_trial_finds_wands_and_torsion),
        cmocka_unit_test(opensim_has_its_own_names_and_signs),
        cmocka_unit_test(points_are_plug_in_gaits),
        cmocka_unit_test(flexions_without_measures_stay_within_the_goal),
        cmocka_unit_test(rates_are_central_differences),
        cmocka_unit_test(functional_angles_are_the_joints_own),
        cmocka_unit_test(no_memory_is_told_and_nothing_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
