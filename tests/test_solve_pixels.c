/* Bodies onto pictures, against the body that walked before the cameras. */
#include "studio.h"

#define assert_ok(call) assert_int_equal(call, SNW_OK)

enum {
    RATE = 60,
    HIDDEN_FROM = 60,
    HIDDEN_TO = 75
};

typedef struct scene {
    studio set;
    snw_synth_views *seen;
    snw_trial *trial;
    snw_view_sights *sights;
} scene;

/* Somebody walks in a circle before four cameras. */
static scene film(double noise, double lost)
{
    scene made = {.seen = NULL};
    snw_synth_options walk = quick_options();
    snw_synth_view_options options = snw_synth_view_options_default();
    snw_view_options views = snw_view_options_default();
    walk.seconds = 4;
    walk.rate = RATE;
    walk.path_radius = 1.5;
    walk.camera_count = 4;
    made.set = shoot("humanoid", &walk);
    options.of_joints = true;
    options.noise = noise;
    options.lost_share = lost;
    assert_ok(snw_synth_views_create(made.set.synth, &options, NULL, &made.seen, NULL));
    views.sights = &made.sights;
    assert_ok(snw_views_triangulate(made.seen->views, made.seen->calibration, &views, NULL,
                                    &made.trial, NULL));
    made.trial->up = SNW_UP_Z;
    return made;
}

static void strike(scene *made)
{
    snw_view_sights_destroy(made->sights);
    snw_trial_destroy(made->trial);
    snw_synth_views_destroy(made->seen);
    leave(&made->set);
}

static snw_solution *solve(const scene *made, const snw_view_sights *sights)
{
    snw_solve_options options = snw_solve_options_default();
    snw_solution *solution = NULL;
    snw_error error;
    options.sights = sights;
    if (snw_solve(made->trial, &options, NULL, &solution, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return solution;
}

/* Rms distance of the body's markers from the true joints of these names, over frames. */
static double off_by(const scene *made, const snw_solved_body *body, const char *only, int from,
                     int to)
{
    const snw_trial *truth = made->set.synth->joint_truth;
    snw_pose *pose = NULL;
    double sum = 0;
    int count = 0;
    assert_ok(snw_pose_create(body->motion->skeleton, NULL, &pose, NULL));
    for (int f = from; f < to; f++) {
        snw_motion_get(body->motion, f, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < body->kept->marker_count; m++) {
            const snw_actor_marker *marker = body->kept->marker + m;
            int t = snw_trial_find_marker(truth, marker->name);
            if (t < 0 || (only && strcmp(only, marker->name) != 0)) continue;
            snw_vec3 at = snw_pose_point(pose, marker->joint, marker->offset);
            double off = snw_vec3_distance(at, snw_trial_position(truth, f, t));
            sum += off * off;
            count++;
        }
    }
    snw_pose_destroy(pose);
    assert_true(count > 0);
    return sqrt(sum / count);
}

static void pictures_fit_to_their_noise_and_joints_come_nearer(void **state)
{
    (void)state;
    const double noise[] = {2, 4};
    for (int n = 0; n < 2; n++) {
        scene made = film(noise[n], 0.1);
        snw_solution *before = solve(&made, NULL), *after = solve(&made, made.sights);
        int frames = made.trial->frame_count;
        double was = off_by(&made, before->body, NULL, 0, frames),
               is = off_by(&made, after->body, NULL, 0, frames);
        print_message("%g px: %.1f -> %.1f mm, half of %d within %.2f px\n", noise[n], 1000 * was,
                      1000 * is, after->body->sight_count, after->body->pixels);
        assert_int_equal(before->body->sight_count, 0);
        assert_true(is <= was);
        /* Half of distances with two normal coordinates are within sqrt(2 ln 2) sigmas; what the
         * body's freedom takes away is less than what joints that are no joints add. */
        double share = after->body->pixels / noise[n] / sqrt(2 * log(2));
        assert_true(share > 0.9 && share < 1.2);
        snw_solution_destroy(before);
        snw_solution_destroy(after);
        strike(&made);
    }
}

/* One camera alone sees the wrist for a quarter of a second: no place in the trial, but a ray. */
static void a_ray_of_one_camera_places_a_wrist(void **state)
{
    (void)state;
    scene made = film(1, 0);
    int marker = snw_trial_find_marker(made.trial, "left_wrist");
    assert_true(marker >= 0);
    for (int f = HIDDEN_FROM; f < HIDDEN_TO; f++) {
        snw_trial_set(made.trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        for (int c = 1; c < 4; c++)
            made.sights->sight[((int64_t)f * made.trial->marker_count + marker) * 4 + c].sigma = 0;
    }
    snw_solution *before = solve(&made, NULL), *after = solve(&made, made.sights);
    double was = off_by(&made, before->body, "left_wrist", HIDDEN_FROM, HIDDEN_TO),
           is = off_by(&made, after->body, "left_wrist", HIDDEN_FROM, HIDDEN_TO);
    print_message("hidden but from one camera: %.1f -> %.1f mm\n", 1000 * was, 1000 * is);
    assert_true(is < was);
    snw_solution_destroy(before);
    snw_solution_destroy(after);
    strike(&made);
}

/* Sights that are no pixels: what is left of the body is finite, and the bones are a person's. */
static void wild_sights_leave_numbers(void **state)
{
    (void)state;
    static const float wild[] = {NAN, INFINITY, -3e38f, 1e-38f, 0, 1e20f};
    scene made = film(2, 0);
    snw_random random = snw_random_seed(9, 0);
    int64_t count = (int64_t)made.sights->frame_count * made.sights->marker_count * 4;
    for (int round = 0; round < 2; round++) {
        for (int64_t n = 0; n < count; n++) {
            if (round == 0 && snw_random_range(&random, 0, 1) > 0.3) continue;
            snw_view_sight *sight = made.sights->sight + n;
            float *const number[] = {&sight->x, &sight->y, &sight->sigma};
            *number[(int)snw_random_range(&random, 0, 2.999)] =
                wild[(int)snw_random_range(&random, 0, 5.999)];
        }
        snw_solution *solution = solve(&made, made.sights);
        const snw_motion *motion = solution->body->motion;
        const snw_skeleton *body = motion->skeleton;
        for (int n = 0; n < motion->frame_count * body->joint_count; n++)
            assert_true(snw_quat_is_finite(motion->rotation[n]));
        for (int f = 0; f < motion->frame_count; f++)
            assert_true(snw_vec3_is_finite(motion->root[f].translation));
        for (int j = 1; j < body->joint_count; j++)
            assert_true(body->bone_length[j] < 1);
        assert_true(isfinite(solution->body->pixels));
        snw_solution_destroy(solution);
    }
    strike(&made);
}

/* Detections of a person whose joints are known, beside those of the scene's own person. */
static snw_views *add_person(const scene *made, const snw_trial *joints, double noise)
{
    const snw_views *from = made->seen->views;
    snw_views_counts counts = {from->camera_count, from->frame_count, from->point_count,
                               2 * from->camera_count * from->frame_count, from->point};
    snw_views *views = NULL;
    snw_random random = snw_random_seed(3, 0);
    assert_ok(snw_views_create(&counts, NULL, &views, NULL));
    views->rate = from->rate;
    for (int n = 0; n < from->camera_count * from->frame_count; n++) {
        int camera = n / from->frame_count, frame = n % from->frame_count;
        views->first[n + 1] = views->first[n] + 2;
        assert_int_equal(from->first[n + 1], from->first[n] + 1);
        for (int p = 0; p < from->point_count; p++) {
            double pixel[2];
            snw_keypoint *seen = views->keypoint + (int64_t)views->first[n] * from->point_count;
            int other = camera % 2; /* no order holds */
            seen[other * from->point_count + p] =
                from->keypoint[(int64_t)from->first[n] * from->point_count + p];
            assert_true(snw_camera_project(made->seen->cameras->camera + camera,
                                           snw_trial_position(joints, frame, p), pixel));
            seen[(1 - other) * from->point_count + p] =
                (snw_keypoint){(float)(pixel[0] + noise * snw_random_normal(&random)),
                               (float)(pixel[1] + noise * snw_random_normal(&random)), 0.9f};
        }
    }
    return views;
}

static void two_people_have_a_body_each(void **state)
{
    (void)state;
    scene made = film(2, 0);
    snw_synth_options box = quick_options();
    box.motion = SNW_SYNTH_BOXING;
    box.seconds = 4;
    box.rate = RATE;
    studio other = shoot("humanoid", &box);
    snw_views *views = add_person(&made, other.synth->joint_truth, 2);
    snw_view_options options = snw_view_options_default();
    snw_view_report report = {.camera = NULL};
    snw_view_sights_destroy(made.sights);
    snw_trial_destroy(made.trial);
    options.sights = &made.sights;
    options.report = &report;
    assert_ok(
        snw_views_triangulate(views, made.seen->calibration, &options, NULL, &made.trial, NULL));
    assert_int_equal(report.person_count, 2);
    made.trial->up = SNW_UP_Z;
    snw_solution *solution = solve(&made, made.sights);
    assert_int_equal(solution->body_count, 2);
    for (int b = 0; b < 2; b++) {
        const snw_solved_body *body = solution->body + b;
        double share = body->pixels / 2 / sqrt(2 * log(2));
        print_message("person %d: half of %d within %.2f px\n", b + 1, body->sight_count,
                      body->pixels);
        assert_true(share > 0.9 && share < 1.2);
        assert_int_equal(body->sight_count, 4 * made.trial->frame_count * body->kept->marker_count);
    }
    snw_solution_destroy(solution);
    snw_views_destroy(views);
    leave(&other);
    strike(&made);
}

/* A given actor keeps its bones; sights of another length are refused. */
static void a_given_body_keeps_its_bones(void **state)
{
    (void)state;
    scene made = film(2, 0);
    snw_solution *first = solve(&made, NULL), *again = NULL;
    snw_solve_options options = snw_solve_options_default();
    snw_error error;
    options.actor = first->body->kept;
    options.sights = made.sights;
    assert_ok(snw_solve(made.trial, &options, NULL, &again, &error));
    const snw_skeleton *a = first->body->kept->skeleton, *b = again->body->kept->skeleton;
    for (int j = 0; j < a->joint_count; j++)
        assert_true(a->bone_length[j] == b->bone_length[j]);
    assert_true(again->body->pixels > 0);
    snw_solution_destroy(again);
    made.sights->frame_count--;
    assert_int_equal(snw_solve(made.trial, &options, NULL, &again, &error), SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "frames"));
    made.sights->frame_count++;
    snw_solution_destroy(first);
    strike(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_fit_to_their_noise_and_joints_come_nearer),
        cmocka_unit_test(a_ray_of_one_camera_places_a_wrist),
        cmocka_unit_test(wild_sights_leave_numbers),
        cmocka_unit_test(two_people_have_a_body_each),
        cmocka_unit_test(a_given_body_keeps_its_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
