/* From a file's labels to trackers over time: frames of bones that need no T-pose, a chest made of
 * points, and the repair of what can be repaired. The truth is a made person whose bones are known.
 */
#include "read_checks.h"

/* ---- a person whose bones are known ---------------------------------------------------------- */

enum {
    FRAMES = 120,
    RATE = 60,
    HEAD = SNW_AVATAR_HEAD,
    CHEST = SNW_AVATAR_CHEST,
    LEFT = SNW_AVATAR_LEFT_HAND,
    RIGHT = SNW_AVATAR_RIGHT_HAND,
    ROLES = RIGHT + 1
};

static const double upper_arm = 0.29, forearm = 0.25;
static const snw_vec3 up = {0, 1, 0}, neck = {0, 0.26, -0.01};

typedef struct known_frame {
    snw_xform bone[ROLES]; /* at the joint, parallel to the body's axes in the T-pose */
    snw_vec3 shoulder[2], elbow[2];
} known_frame;

/* Arms hang down, forearms are half raised: there is no T-pose. */
static known_frame known_at(int f)
{
    double t = f / (double)RATE;
    known_frame known;
    known.bone[CHEST] =
        snw_xform_make(snw_quat_from_axis_angle(up, 0.4 * sin(t)),
                       snw_vec3_make(0.1 * sin(2 * t), 1.2 + 0.02 * sin(3 * t), 0.1 * t));
    snw_xform head = snw_xform_make(
        snw_quat_from_axis_angle(snw_vec3_make(1, 0.3, 0), 0.2 * sin(1.7 * t)), neck);
    known.bone[HEAD] = snw_xform_mul(known.bone[CHEST], head);
    for (int side = 0; side < 2; side++) {
        double sign = side ? -1 : 1, lift = 0.3 * sin(2 * t + side);
        snw_vec3 shoulder = {0.18 * sign, 0.06, 0};
        snw_vec3 out = snw_vec3_unit(snw_vec3_make(0.2 * sign, -0.9 + lift, 0.3), up);
        snw_vec3 elbow = snw_vec3_add_scaled(shoulder, upper_arm, out);
        snw_vec3 fore = snw_vec3_unit(snw_vec3_make(0.5 * sign, 0.2 + lift, 0.8), up);
        snw_quat turn = snw_quat_between(snw_vec3_make(1, 0, 0), snw_vec3_scale(fore, sign));
        snw_vec3 wrist = snw_vec3_add_scaled(elbow, forearm, fore);
        known.bone[LEFT + side] = snw_xform_mul(known.bone[CHEST], snw_xform_make(turn, wrist));
        known.shoulder[side] = snw_xform_point(known.bone[CHEST], shoulder);
        known.elbow[side] = snw_xform_point(known.bone[CHEST], elbow);
    }
    return known;
}

/* How the file has it. */
typedef struct made_options {
    snw_quat axes, hand_axes; /* bone_from_frame: which axes of the frames are left and up */
    bool has_joints;          /* shoulders and elbows */
    const char *chest[3];     /* NULL: the chest has a frame, else points of these names, at: */
    snw_vec3 chest_at[3];
} made_options;

static const char *const point_axis[] = {"", "Y", "Z"};
static const char *const role_label[ROLES] = {"Ann:HEAD", "Ann:Thorax", "Ann:LHAN", "Ann:RHAN"};
static const char *const joint_label[] = {"Ann:LUAR", "Ann:RUAR", "Ann:LLAR", "Ann:RLAR"};

static void set_point(snw_trial *trial, int f, int *marker, const char *name, snw_vec3 place)
{
    if (f == 0) snw_trial_set_marker_name(trial, *marker, name, NULL);
    snw_trial_set(trial, f, (*marker)++, place, SNW_SAMPLE_MEASURED);
}

/* Three points for each frame, in millimetres, y up. */
static snw_trial *make_points(const made_options *how)
{
    static const snw_vec3 axis[] = {{0, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    snw_trial_options sizes = snw_trial_options_default();
    snw_trial *trial = NULL;
    sizes.marker_count = 3 * ROLES + (how->has_joints ? 4 : 0);
    sizes.frame_count = FRAMES;
    sizes.rate = RATE;
    assert_int_equal(snw_trial_create(&sizes, NULL, &trial, NULL), SNW_OK);
    trial->up = SNW_UP_Y;
    for (int f = 0; f < FRAMES; f++) {
        known_frame known = known_at(f);
        int marker = 0;
        for (int role = 0; role < ROLES; role++)
            for (int k = 0; k < 3; k++) {
                bool is_point = role == CHEST && how->chest[0];
                char name[32];
                snw_format(name, sizeof name, "%s%s", is_point ? how->chest[k] : role_label[role],
                           is_point ? "" : point_axis[k]);
                snw_vec3 local =
                    is_point ? how->chest_at[k]
                             : snw_quat_rotate(role < LEFT ? how->axes : how->hand_axes, axis[k]);
                set_point(trial, f, &marker, name, snw_xform_point(known.bone[role], local));
            }
        for (int n = 0; how->has_joints && n < 4; n++)
            set_point(trial, f, &marker, joint_label[n],
                      n < 2 ? known.shoulder[n] : known.elbow[n - 2]);
    }
    return trial;
}

static snw_avatar_capture *capture_of(const snw_trial *trial, snw_notes *notes)
{
    snw_avatar_capture *capture = NULL;
    snw_error error;
    assert_int_equal(snw_avatar_capture_from_trial(trial, NULL, &capture, notes, &error), SNW_OK);
    return capture;
}

static const made_options plain = {{1, 0, 0, 0}, {1, 0, 0, 0}, true, {NULL}, {{0, 0, 0}}};

/* ---- frames of bones ------------------------------------------------------------------------- */

/* Samples are floats in millimetres: 1e-4 mm at 2 m, of which lengths are differences. */
#define POINTS 2e-6

/* Whichever of their axes is left and which up: lengths and places are those of the person, and the
 * hands are where they are. */
static void frames_of_bones_need_no_t_pose(void **state)
{
    (void)state;
    const snw_vec3 y = {0, 1, 0}, x = {1, 0, 0};
    const snw_quat turned[] = {
        snw_quat_identity(), snw_quat_from_axis_angle(y, SNW_PI / 2),
        snw_quat_from_axis_angle(x, -SNW_PI / 2),
        snw_quat_mul(snw_quat_from_axis_angle(x, SNW_PI), snw_quat_from_axis_angle(y, SNW_PI / 2))};
    for (size_t n = 0; n < sizeof turned / sizeof *turned; n++) {
        made_options how = plain;
        how.axes = how.hand_axes = turned[n];
        snw_trial *trial = make_points(&how);
        snw_avatar_capture *capture = capture_of(trial, NULL);
        snw_avatar_profile profile;
        snw_error error;
        assert_int_equal(snw_avatar_calibrate(capture, NULL, &profile, NULL, &error), SNW_OK);
        for (int side = 0; side < 2; side++) {
            check_near(profile.upper_arm[side], upper_arm, POINTS);
            check_near(profile.forearm[side], forearm, POINTS);
            check_vec3_near(profile.shoulder[side], snw_vec3_make(side ? -0.18 : 0.18, 0.06, 0),
                            1e-5);
        }
        for (int role = 0; role < ROLES; role++) {
            assert_true(profile.has_tracker[role]);
            check_quat_near(profile.tracker_from_bone[role].rotation, snw_quat_conjugate(turned[n]),
                            1e-6);
        }
        assert_false(profile.has_tracker[SNW_AVATAR_WAIST]);
        snw_avatar *avatar = NULL;
        snw_motion *motion = NULL;
        assert_int_equal(snw_avatar_create(&profile, NULL, NULL, &avatar, &error), SNW_OK);
        assert_int_equal(snw_avatar_solve(avatar, capture, NULL, &motion, &error), SNW_OK);
        assert_int_equal(motion->frame_count, FRAMES);
        snw_motion_destroy(motion);
        snw_avatar_destroy(avatar);
        snw_avatar_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
}

/* Without shoulders and elbows, or where hands have other axes than the head, there is no such
 * short cut, and the missing T-pose is told. */
static void frames_without_joints_need_a_t_pose(void **state)
{
    (void)state;
    made_options how[] = {plain, plain};
    how[0].has_joints = false;
    how[1].hand_axes = snw_quat_from_axis_angle(up, SNW_PI / 2);
    for (size_t n = 0; n < 2; n++) {
        snw_trial *trial = make_points(&how[n]);
        snw_avatar_capture *capture = capture_of(trial, NULL);
        snw_avatar_profile profile;
        snw_error error;
        assert_int_equal(snw_avatar_calibrate(capture, NULL, &profile, NULL, &error),
                         SNW_DEGENERATE);
        assert_non_null(strstr(error.message, "T-pose"));
        snw_avatar_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
}

/* The ends of the chest's bone have the body's axes; other points on it need a T-pose. */
static void a_chest_is_made_of_points(void **state)
{
    (void)state;
    const made_options rows[] = {{{1, 0, 0, 0},
                                  {1, 0, 0, 0},
                                  true,
                                  {"UTSP", "LSHO", "RSHO"},
                                  {{0, 0, 0}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}}},
                                 {{1, 0, 0, 0},
                                  {1, 0, 0, 0},
                                  true,
                                  {"STRN", "CLAV", "T10"},
                                  {{0, 0, 0.1}, {0, 0.15, 0.1}, {0, 0, -0.1}}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_trial *trial = make_points(&rows[n]);
        snw_notes notes = snw_notes_none();
        snw_avatar_capture *capture = capture_of(trial, &notes);
        assert_true(has_note(&notes, rows[n].chest[0]));
        assert_int_equal(capture->is_chest_upright, n == 0);
        assert_int_equal(capture->is_at_joint[CHEST], n == 0);
        for (int f = 0; f < FRAMES; f += 17) {
            known_frame known = known_at(f);
            const snw_avatar_frame *frame = capture->frame + f;
            assert_true(frame->is_present[CHEST]);
            snw_xform chest = frame->world_from_tracker[CHEST];
            check_vec3_near(chest.translation,
                            snw_xform_point(known.bone[CHEST], rows[n].chest_at[0]), POINTS);
            /* Of points 10 cm apart. */
            if (n == 0) check_quat_near(chest.rotation, known.bone[CHEST].rotation, 1e-5);
        }
        snw_avatar_capture_destroy(capture);
        /* Points on a line turn with nothing. */
        for (int k = 0; k < 3; k++)
            snw_trial_set(trial, 5, 3 * CHEST + k, snw_vec3_make(0, 1.2 + 0.1 * k, 0),
                          SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, 6, 3 * CHEST, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        capture = capture_of(trial, NULL);
        assert_false(capture->frame[5].is_present[CHEST]);
        assert_false(capture->frame[6].is_present[CHEST]);
        assert_true(capture->frame[7].is_present[CHEST]);
        snw_avatar_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
}

/* ---- repairs --------------------------------------------------------------------------------- */

/* An integer file whose range ends at 1.6 m: points above it come back at its other end. */
static void coordinates_that_ran_over_are_brought_back(void **state)
{
    (void)state;
    const double scale = 0.05, range = 65536 * scale; /* millimetres */
    snw_trial *trial = make_points(&plain);
    trial->storage.is_integer = true;
    trial->residual_scale = scale;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            snw_trial *run_over = NULL;
            assert_int_equal(snw_trial_copy(trial, NULL, &run_over, NULL), SNW_OK);
            snw_sample *sample = &run_over->sample[8 * run_over->marker_count + 3 * LEFT + 1];
            float *at = axis == 0 ? &sample->x : axis == 1 ? &sample->y : &sample->z;
            *at += (float)(sign * range);
            snw_avatar_capture *capture = capture_of(run_over, NULL);
            assert_true(capture->frame[8].is_present[LEFT]);
            check_quat_near(capture->frame[8].world_from_tracker[LEFT].rotation,
                            known_at(8).bone[LEFT].rotation, 1e-4);
            snw_avatar_capture_destroy(capture);
            /* Off by something else it is no axis. */
            *at += 300;
            capture = capture_of(run_over, NULL);
            assert_false(capture->frame[8].is_present[LEFT]);
            snw_avatar_capture_destroy(capture);
            snw_trial_destroy(run_over);
        }
    snw_trial_destroy(trial);
}

/* Hands 20 times as far from the head as a person's fit no unit; ten or a thousand times do. */
static void a_wrong_unit_is_put_right_or_told(void **state)
{
    (void)state;
    static const struct {
        double times;
        const char *note;
        double left; /* of the lengths, 1: as they are */
    } rows[] = {{1, NULL, 1},
                {10, "times 0.1", 1},
                {1000, "times 0.001", 1},
                {0.01, "times 100", 1},
                {1e6, "is the unit right?", 1e6}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_trial *trial = make_points(&plain);
        trial->metres_per_unit *= rows[n].times;
        snw_notes notes = snw_notes_none();
        snw_avatar_capture *capture = capture_of(trial, &notes);
        if (rows[n].note)
            assert_true(has_note(&notes, rows[n].note));
        else
            assert_int_equal(notes.count, 0);
        known_frame known = known_at(3);
        const snw_avatar_frame *frame = capture->frame + 3;
        double share = 1 / rows[n].left;
        check_vec3_near(snw_vec3_scale(frame->world_from_tracker[HEAD].translation, share),
                        known.bone[HEAD].translation, POINTS);
        check_vec3_near(snw_vec3_scale(frame->shoulder[1], share), known.shoulder[1], POINTS);
        check_vec3_near(snw_vec3_scale(capture->elbow[7], share), known.elbow[1], POINTS);
        snw_avatar_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
}

static void swap_hands(snw_trial *trial, int first, int end)
{
    for (int f = first; f < end; f++)
        for (int k = 0; k < 3; k++) {
            snw_sample *a = &trial->sample[f * trial->marker_count + 3 * LEFT + k];
            snw_sample *b = &trial->sample[f * trial->marker_count + 3 * RIGHT + k];
            snw_sample kept = *a;
            *a = *b;
            *b = kept;
        }
}

static void exchanged_hands_are_exchanged_back(void **state)
{
    (void)state;
    snw_trial *trial = make_points(&plain);
    swap_hands(trial, 30, 50);
    swap_hands(trial, 90, FRAMES); /* until the end */
    snw_notes notes = snw_notes_none();
    snw_avatar_capture *capture = capture_of(trial, &notes);
    assert_true(has_note(&notes, "left_hand and right_hand change places 3 times"));
    for (int f = 0; f < FRAMES; f++)
        for (int role = LEFT; role <= RIGHT; role++)
            check_vec3_near(capture->frame[f].world_from_tracker[role].translation,
                            known_at(f).bone[role].translation, POINTS);
    snw_avatar_capture_destroy(capture);
    snw_trial_destroy(trial);
}

/* All points of a role in some frames as in the first of them. */
static void freeze(snw_trial *trial, int role, int first, int end)
{
    for (int f = first + 1; f < end; f++)
        for (int k = 0; k < 3; k++)
            trial->sample[f * trial->marker_count + 3 * role + k] =
                trial->sample[first * trial->marker_count + 3 * role + k];
}

/* Half a second is 30 frames: 31 the same are too many, unless nothing moves at all. */
static void a_tracker_that_stops_is_not_counted(void **state)
{
    (void)state;
    static const struct {
        int first, end;
        bool does_all;
        int dropped;
    } rows[] = {{10, 40, false, 0},
                {10, 41, false, 30},
                {60, FRAMES, false, FRAMES - 61},
                {10, 60, true, 0}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_trial *trial = make_points(&plain);
        for (int role = 0; role < ROLES; role++)
            if (rows[n].does_all || role == RIGHT) freeze(trial, role, rows[n].first, rows[n].end);
        snw_notes notes = snw_notes_none();
        snw_avatar_capture *capture = capture_of(trial, &notes);
        int dropped = 0;
        for (int f = 0; f < FRAMES; f++) {
            dropped += !capture->frame[f].is_present[RIGHT];
            assert_true(capture->frame[f].is_present[LEFT]);
        }
        assert_int_equal(dropped, rows[n].dropped);
        assert_int_equal(has_note(&notes, "right_hand does not move"), rows[n].dropped > 0);
        snw_avatar_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
}

static void move_role(snw_trial *trial, int role, int first, snw_vec3 by)
{
    for (int f = first; f < FRAMES; f++)
        for (int k = 0; k < 3; k++) {
            int marker = 3 * role + k;
            snw_vec3 place = snw_trial_position(trial, f, marker);
            snw_trial_set(trial, f, marker, snw_vec3_add(place, by), SNW_SAMPLE_MEASURED);
        }
}

/* Of head and chest the one that is farther from the hands has drifted; a hand cannot be 2 m away.
 */
static void what_drifts_from_the_body_is_not_counted(void **state)
{
    (void)state;
    static const struct {
        int role;
        snw_vec3 by;
    } rows[] = {{HEAD, {0, 0.8, 0}}, {CHEST, {0, -0.9, 0}}, {LEFT, {2, 0, 0}}, {RIGHT, {0, 2, 0}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_trial *trial = make_points(&plain);
        move_role(trial, rows[n].role, 80, rows[n].by);
        snw_notes notes = snw_notes_none();
        snw_avatar_capture *capture = capture_of(trial, &notes);
        for (int f = 0; f < FRAMES; f++)
            for (int role = 0; role < ROLES; role++)
                assert_int_equal(capture->frame[f].is_present[role],
                                 role != rows[n].role || f < 80);
        assert_true(has_note(&notes, "drifts away from the body in 40 frames from frame 81 on"));
        snw_avatar_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
}

/* A file that does not say which way is up: the head is above the hands. */
static void up_is_where_the_head_is(void **state)
{
    (void)state;
    const struct {
        snw_quat turn;
        snw_vec3 up;
    } rows[] = {{snw_quat_identity(), {0, 1, 0}},
                {snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), SNW_PI / 2), {0, 0, 1}},
                {snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), -SNW_PI / 2), {0, 0, -1}},
                {snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), SNW_PI / 2), {-1, 0, 0}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_trial *trial = make_points(&plain);
        trial->up = SNW_UP_UNKNOWN;
        for (int f = 0; f < FRAMES; f++)
            for (int m = 0; m < trial->marker_count; m++)
                snw_trial_set(trial, f, m,
                              snw_quat_rotate(rows[n].turn, snw_trial_position(trial, f, m)),
                              SNW_SAMPLE_MEASURED);
        snw_avatar_capture *capture = capture_of(trial, NULL);
        check_vec3_near(capture->up, rows[n].up, 0);
        snw_avatar_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
}

/* ---- rotations ------------------------------------------------------------------------------- */

/* The same person as matrices of a C3D file. */
static snw_trial *make_rotations(int role_count)
{
    static const char *const names[ROLES] = {"HMD", "chest", "left_hand", "RightController"};
    snw_trial_options sizes = snw_trial_options_default();
    snw_trial *trial = NULL;
    sizes.frame_count = FRAMES;
    sizes.rate = RATE;
    sizes.rotation_count = role_count;
    sizes.rotations_per_frame = 1;
    assert_int_equal(snw_trial_create(&sizes, NULL, &trial, NULL), SNW_OK);
    for (int r = 0; r < role_count; r++)
        assert_int_equal(snw_trial_set_rotation_name(trial, r, names[r], NULL), SNW_OK);
    for (int f = 0; f < FRAMES; f++)
        for (int r = 0; r < role_count; r++) {
            float *m = trial->rotation + 17 * (f * role_count + r);
            snw_xform bone = known_at(f).bone[r];
            snw_mat3 matrix = snw_mat3_from_quat(bone.rotation);
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 3; column++)
                    m[4 * column + row] = (float)matrix.m[row][column];
            m[12] = (float)(bone.translation.x / trial->metres_per_unit);
            m[13] = (float)(bone.translation.y / trial->metres_per_unit);
            m[14] = (float)(bone.translation.z / trial->metres_per_unit);
            m[15] = 1;
            m[16] = 0;
        }
    return trial;
}

/* A frame that is not reliable, not finite or no rotation does not count; its neighbours do. */
static void matrices_that_turn_nothing_do_not_count(void **state)
{
    (void)state;
    snw_trial *trial = make_rotations(ROLES);
    float *left = trial->rotation + 17 * LEFT;
    const int row = 17 * ROLES;
    left[5 * row + 16] = -1;    /* not seen */
    left[6 * row + 12] = NAN;   /* nowhere */
    for (int k = 0; k < 3; k++) /* mirrored */
        left[7 * row + k] = -left[7 * row + k];
    for (int k = 0; k < 12; k++) /* of no size */
        left[8 * row + k] = 0;
    snw_avatar_capture *capture = capture_of(trial, NULL);
    for (int f = 0; f < 12; f++) {
        bool is_good = f < 5 || f > 8;
        assert_int_equal(capture->frame[f].is_present[LEFT], is_good);
        snw_xform hand = capture->frame[f].world_from_tracker[LEFT];
        if (!is_good) continue;
        check_vec3_near(hand.translation, known_at(f).bone[LEFT].translation, POINTS);
        check_quat_near(hand.rotation, known_at(f).bone[LEFT].rotation, 1e-6);
    }
    assert_null(capture->elbow);
    assert_false(capture->is_at_joint[LEFT]);
    snw_avatar_capture_destroy(capture);
    snw_trial_destroy(trial);
}

/* What is missing is named. */
static void too_few_trackers_are_a_sentence(void **state)
{
    (void)state;
    snw_avatar_capture *capture = NULL;
    snw_error error;
    assert_int_equal(snw_avatar_capture_from_trial(NULL, NULL, &capture, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    for (int count = 0; count <= CHEST + 1; count += 2) { /* none; head and chest without hands */
        snw_trial *trial = make_rotations(count);
        assert_int_equal(snw_avatar_capture_from_trial(trial, NULL, &capture, NULL, &error),
                         SNW_NOT_FOUND);
        assert_non_null(strstr(error.message, count ? "the hands" : "the head"));
        assert_null(capture);
        snw_trial_destroy(trial);
    }
    snw_trial *trial = make_rotations(ROLES), none = snw_trial_window(trial, 0, 0);
    assert_int_equal(snw_avatar_capture_from_trial(&none, NULL, &capture, NULL, &error),
                     SNW_DEGENERATE);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_bones_need_no_t_pose),
        cmocka_unit_test(frames_without_joints_need_a_t_pose),
        cmocka_unit_test(a_chest_is_made_of_points),
        cmocka_unit_test(coordinates_that_ran_over_are_brought_back),
        cmocka_unit_test(a_wrong_unit_is_put_right_or_told),
        cmocka_unit_test(exchanged_hands_are_exchanged_back),
        cmocka_unit_test(a_tracker_that_stops_is_not_counted),
        cmocka_unit_test(what_drifts_from_the_body_is_not_counted),
        cmocka_unit_test(up_is_where_the_head_is),
        cmocka_unit_test(matrices_that_turn_nothing_do_not_count),
        cmocka_unit_test(too_few_trackers_are_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
