/* Any bytes as a calibration, as keypoints and as sensors: what is read can be written and read
 * again, and what cameras see of it is triangulated without a fault. */
#include <stdio.h>

#include "fuzz_text.h"
#include "mutate_json.h"

/* Every layout that can hold them keeps all of them. */
static void write_and_read(const snw_cameras *cameras, snw_camera_format format)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_status status = snw_write_cameras_as(cameras, format, &sink, NULL);
    if (status != SNW_OK && (status != SNW_UNSUPPORTED || format == SNW_CAMERAS_TOML)) abort();
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    snw_cameras *again = NULL;
    snw_error error;
    if (status == SNW_OK &&
        (snw_read_cameras(&source, NULL, NULL, &again, NULL, &error) != SNW_OK ||
         again->count != cameras->count)) {
        fprintf(stderr, "layout %d: %s\n", (int)format, again ? "fewer cameras" : error.message);
        abort();
    }
    snw_cameras_destroy(again);
    snw_memory_sink_release(&bytes);
}

static void use_cameras(snw_cameras *cameras)
{
    for (int c = 0; c < cameras->count; c++) {
        const double pixel[2] = {cameras->camera[c].width / 3, cameras->camera[c].height / 2};
        double back[2];
        snw_vec3 ray;
        if (!snw_camera_ray(cameras->camera + c, pixel, &ray)) continue;
        if (!snw_vec3_is_finite(ray)) abort();
        snw_camera_project(cameras->camera + c,
                           snw_vec3_add(snw_camera_place(cameras->camera + c), ray), back);
    }
    for (int format = SNW_CAMERAS_TOML; format <= SNW_CAMERAS_OPTITRACK; format++)
        write_and_read(cameras, (snw_camera_format)format);
}

/* What sensors said, on a body: turns stay turns. */
static void use_sensors(const snw_inertial *sensors)
{
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    if (snw_write_inertial(sensors, &sink, NULL) != SNW_OK) abort();
    snw_memory_sink_release(&bytes);
    if (snw_preset_create("humanoid", NULL, &body, NULL) != SNW_OK) abort();
    if (snw_inertial_solve(sensors, body, NULL, NULL, &motion, NULL) == SNW_OK)
        for (int n = 0; n < motion->frame_count * body->joint_count; n++) {
            const snw_quat *q = motion->rotation + n;
            if (!(fabs(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z - 1) < 1e-6)) abort();
        }
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* The picture, as two frames of three cameras. */
static void use_picture(const snw_keypoint_picture *picture)
{
    const char *const *points = NULL;
    int set =
        snw_keypoint_set_guess(picture->keypoint, picture->detection_count, picture->point_count);
    if (set < 0 || picture->detection_count > 8) return;
    snw_views_counts counts = {3, 2, snw_keypoint_set_points(set, &points),
                               6 * picture->detection_count, NULL};
    snw_views *views = NULL;
    snw_cameras *cameras = NULL;
    snw_trial *trial = NULL;
    counts.point = points;
    if (snw_views_create(&counts, NULL, &views, NULL) != SNW_OK ||
        snw_cameras_create(3, NULL, &cameras, NULL) != SNW_OK)
        abort();
    for (int n = 0; n <= 6; n++)
        views->first[n] = n * picture->detection_count;
    size_t size = (size_t)picture->detection_count * (size_t)picture->point_count;
    for (size_t n = 0; n < 6 * size; n++)
        views->keypoint[n] = picture->keypoint[n % size];
    for (int c = 0; c < 3; c++) {
        cameras->camera[c].focal_x = cameras->camera[c].focal_y = 800;
        cameras->camera[c].camera_from_world = snw_xform_make(
            snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 2.1 * c), snw_vec3_make(0, 0, 4));
    }
    if (snw_views_triangulate(views, cameras, NULL, NULL, &trial, NULL) == SNW_OK)
        for (int m = 0; m < trial->marker_count; m++)
            if (snw_trial_is_present(trial, 0, m) &&
                !snw_vec3_is_finite(snw_trial_position(trial, 0, m)))
                abort();
    snw_trial_destroy(trial);
    snw_cameras_destroy(cameras);
    snw_views_destroy(views);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t state = seed;
    if (mutate_draw(&state, 3) == 0) return LLVMFuzzerMutate(data, size, max_size);
    return mutate_json(data, size, max_size, &state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, data, size);
    snw_notes notes = snw_notes_none();
    snw_cameras *cameras = NULL;
    snw_keypoint_picture *picture = NULL;
    snw_error error;
    double start = text_seconds();
    snw_status status = snw_read_cameras(&source, NULL, NULL, &cameras, &notes, &error);
    text_check_time(start, size);
    text_check_outcome(status, &error, cameras);
    if (cameras) use_cameras(cameras);
    snw_cameras_destroy(cameras);
    source = snw_source_from_memory(&memory, data, size);
    status = snw_read_keypoints(&source, NULL, NULL, &picture, &error);
    text_check_outcome(status, &error, picture);
    if (picture && picture->detection_count) use_picture(picture);
    snw_keypoint_picture_destroy(picture);
    snw_inertial *sensors = NULL;
    source = snw_source_from_memory(&memory, data, size);
    status = snw_read_inertial(&source, NULL, NULL, &sensors, &notes, &error);
    text_check_outcome(status, &error, sensors);
    if (sensors && sensors->frame_count < 1000) use_sensors(sensors);
    snw_inertial_destroy(sensors);
    return 0;
}
