/* A capture and its truth: the body is put through its motion, markers ride along, cameras look.
 *
 * Order of work: motion in the lab's axes; joint centres (they tell where the cameras must stand);
 * for each frame the true markers and which cameras see them; gaps; then every sample by how many
 * saw it: two or more reconstruct it, one gives a ray, none leaves it missing. */
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "synth/capture.h"
#include "synth/synth_constants.h"

/* What a run needs besides its result. One block. */
typedef struct synth_work {
    const snw_synth_options *options;
    snw_synth *synth;
    snw_pose *pose;
    snw_capsule *capsule; /* (segment_count) of the frame at hand */
    bool *is_gone;        /* (frame_count x marker_count) */
    bool *is_chosen;      /* (marker_count) */
} synth_work;

/* ---- options ------------------------------------------------------------------------------ */

snw_synth_options snw_synth_options_default(void)
{
    snw_synth_options options = {0};
    options.motion = SNW_SYNTH_WALK;
    options.seconds = 10;
    options.rate = 120;
    options.path_radius = 4;
    options.placement = SNW_SYNTH_ANATOMICAL;
    options.markers_per_segment = 4;
    options.noise = 0.0003;
    options.wobble = 0.002;
    options.camera_distance = 2.5;
    options.camera_height = 2.2;
    options.field_of_view = 1.2;
    options.up = SNW_UP_Y;
    options.seed = 1;
    return options;
}

static snw_status check_options(const snw_synth_options *options, snw_error *error)
{
    const struct {
        const char *name;
        double value, low, high;
    } amounts[] = {
        {"a noise in metres", options->noise, 0, 1},
        {"a wobble in metres", options->wobble, 0, 1},
        {"a number of cameras", options->camera_count, 0, SNW_SYNTH_CAMERA_MAX},
        {"a camera distance in metres", options->camera_distance, 0.01, 1e4},
        {"a camera height in metres", options->camera_height, -1e4, 1e4},
        {"a field of view in radians", options->field_of_view, 0.01, 3},
        {"a number of markers per segment", options->markers_per_segment, 1, 1000},
        {"a number of gaps", options->gap_count, 0, options->gap ? 1e6 : 0},
    };
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++)
        if (!(amounts[i].value >= amounts[i].low && amounts[i].value <= amounts[i].high)) /* NaN */
            return snw__fail(error, SNW_INVALID_ARGUMENT, "%s of %g is not possible: %g to %g",
                             amounts[i].name, amounts[i].value, amounts[i].low, amounts[i].high);
    if (options->up != SNW_UP_Y && options->up != SNW_UP_Z)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the lab's up must be +Y or +Z");
    return SNW_OK;
}

/* ---- motion ------------------------------------------------------------------------------- */

static snw_status take_motion(const snw_skeleton *skeleton, const snw_motion *source,
                              const snw_synth_options *options, const snw_allocator *memory,
                              snw_motion **out, snw_error *error)
{
    snw_status status;
    if (source) {
        status = snw_motion_create(skeleton, source->frame_count, source->rate, memory, out, error);
        if (status != SNW_OK) return status;
        size_t samples = (size_t)source->frame_count * (size_t)skeleton->joint_count;
        memcpy((*out)->root, source->root, (size_t)source->frame_count * sizeof *source->root);
        memcpy((*out)->rotation, source->rotation, samples * sizeof *source->rotation);
        memcpy((*out)->slide, source->slide, samples * sizeof *source->slide);
    } else {
        status = snw_synth_motion_create(skeleton, options, memory, out, error);
        if (status != SNW_OK) return status;
    }
    if (options->up == SNW_UP_Z) {
        /* From up +Y, ahead +Z, left +X to up +Z, ahead +X, left +Y: the axes change places in a
         * ring. */
        snw_motion *motion = *out;
        const snw_xform turn =
            snw_xform_make(snw_quat_make(0.5, 0.5, 0.5, 0.5), snw_vec3_make(0, 0, 0));
        for (int f = 0; f < motion->frame_count; f++)
            motion->root[f] = snw_xform_mul(turn, motion->root[f]);
    }
    return SNW_OK;
}

/* ---- memory ------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw_synth *fields = object;
    size_t samples =
        snw__size_mul((size_t)fields->motion->frame_count, (size_t)fields->marker_count);
    snw__block_take(block, 1, sizeof *fields);
    fields->marker = snw__block_take(block, (size_t)fields->marker_count, sizeof *fields->marker);
    fields->camera = snw__block_take(block, (size_t)fields->camera_count, sizeof *fields->camera);
    fields->segment =
        snw__block_take(block, (size_t)fields->segment_count, sizeof *fields->segment);
    fields->seen = snw__block_take(block, samples, sizeof *fields->seen);
}

static void lay_out_work(void *object, snw__block *block)
{
    synth_work *work = object;
    const snw_synth *synth = work->synth;
    size_t markers = (size_t)synth->marker_count;
    size_t samples = snw__size_mul((size_t)synth->motion->frame_count, markers);
    work->capsule = snw__block_take(block, (size_t)synth->segment_count, sizeof *work->capsule);
    work->is_gone = snw__block_take(block, samples, sizeof *work->is_gone);
    work->is_chosen = snw__block_take(block, markers, sizeof *work->is_chosen);
}

void snw_synth_destroy(snw_synth *synth)
{
    if (!synth) return;
    snw_allocator memory = synth->allocator; /* the block holds it */
    snw__release(&memory, synth->ray, (size_t)synth->ray_count * sizeof *synth->ray);
    snw_trial_destroy(synth->capture);
    snw_trial_destroy(synth->marker_truth);
    snw_trial_destroy(synth->joint_truth);
    snw_motion_destroy(synth->motion);
    snw__release(&memory, synth, synth->block_size);
}

/* ---- trials ------------------------------------------------------------------------------- */

static snw_status create_trial(const synth_work *work, int marker_count, snw_trial **out,
                               snw_error *error)
{
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = marker_count;
    sizes.frame_count = work->synth->motion->frame_count;
    sizes.rate = work->synth->motion->rate;
    snw_status status = snw_trial_create(&sizes, &work->synth->allocator, out, error);
    if (status == SNW_OK) (*out)->up = work->options->up;
    return status;
}

static snw_status name_markers(const snw_synth *synth, snw_trial *trial, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int m = 0; m < synth->marker_count && status == SNW_OK; m++)
        status = snw_trial_set_marker_name(trial, m, synth->marker[m].name, error);
    return status;
}

/* ---- truth -------------------------------------------------------------------------------- */

static void pose_frame(const synth_work *work, int frame)
{
    snw_motion_get(work->synth->motion, frame, work->pose);
    snw_pose_forward(work->pose);
}

static bool is_hidden(const synth_work *work, snw_vec3 from, snw_vec3 to, int joint)
{
    for (int i = 0; i < work->synth->segment_count; i++) {
        snw_capsule capsule = work->capsule[i];
        /* The capsules as they stand round a marker: one that its bony landmark lies in is, there,
         * only as thick as the bone, and hides the far side of it. */
        if (work->synth->segment[i].joint == joint) {
            double skin = snw_segment_distance(to, to, capsule.a, capsule.b) -
                          snw__marker_radius(work->pose->skeleton);
            capsule.radius = fmin(capsule.radius, fmax(skin, 0));
        }
        if (snw_capsule_hides(&capsule, from, to)) return true;
    }
    return false;
}

static void record_markers(const synth_work *work)
{
    snw_synth *synth = work->synth;
    for (int f = 0; f < synth->motion->frame_count; f++) {
        pose_frame(work, f);
        for (int i = 0; i < synth->segment_count; i++)
            work->capsule[i] = snw__segment_in_world(&synth->segment[i], work->pose);
        for (int m = 0; m < synth->marker_count; m++) {
            const snw_synth_marker *marker = synth->marker + m;
            snw_vec3 wobble = snw__wobble(work->options, marker, m, f / synth->motion->rate);
            snw_vec3 place = snw_vec3_add(marker->place, wobble);
            snw_vec3 where = snw_pose_point(work->pose, marker->joint, place);
            snw_trial_set(synth->marker_truth, f, m, where, SNW_SAMPLE_MEASURED);
            int joint = marker->joint;
            uint64_t seen = 0;
            for (int c = 0; c < synth->camera_count; c++) {
                const snw_synth_camera *camera = synth->camera + c;
                if (snw_synth_camera_covers(camera, where) &&
                    !is_hidden(work, camera->world_from_camera.translation, where, joint))
                    seen |= UINT64_C(1) << c;
            }
            synth->seen[(size_t)f * (size_t)synth->marker_count + (size_t)m] = seen;
        }
    }
}

/* ---- what was measured -------------------------------------------------------------------- */

/* How many cameras see a sample; without any, two that see everything. */
static int camera_count_of(const snw_synth *synth, size_t sample)
{
    if (synth->camera_count == 0) return 2;
    uint64_t bits = synth->seen[sample];
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static snw_vec3 scatter(uint64_t seed, snw__synth_purpose purpose, int frame, int marker)
{
    snw_random random = snw__synth_random(seed, purpose, marker, frame);
    snw_vec3 offset;
    offset.x = snw_random_normal(&random);
    offset.y = snw_random_normal(&random);
    offset.z = snw_random_normal(&random);
    return offset;
}

static void measure(const synth_work *work, int frame, int marker, int cameras)
{
    snw_trial *capture = work->synth->capture;
    size_t sample = (size_t)frame * (size_t)capture->marker_count + (size_t)marker;
    double deviation = work->options->noise * sqrt(2.0 / cameras);
    snw_vec3 truth = snw_trial_position(work->synth->marker_truth, frame, marker);
    snw_vec3 noise = scatter(work->options->seed, SNW__PURPOSE_NOISE, frame, marker);
    snw_trial_set(capture, frame, marker, snw_vec3_add_scaled(truth, deviation, noise),
                  SNW_SAMPLE_MEASURED);
    /* Mean distance of the rays from the point, each off by the noise in two directions. */
    snw_random random =
        snw__synth_random(work->options->seed, SNW__PURPOSE_RESIDUAL, marker, frame);
    double sum = 0;
    for (int c = 0; c < cameras; c++) {
        double x = snw_random_normal(&random);
        sum += snw__hypot(x, snw_random_normal(&random));
    }
    double steps = (work->options->noise * sum / cameras) /
                   (capture->metres_per_unit * capture->residual_scale);
    double mask = (double)(work->synth->seen[sample] & 127);
    capture->sample[sample].quality = (float)(256 * mask + fmin(255, floor(steps + 0.5)));
}

static snw_synth_ray ray_of(const synth_work *work, int frame, int marker)
{
    const snw_synth *synth = work->synth;
    size_t sample = (size_t)frame * (size_t)synth->marker_count + (size_t)marker;
    snw_synth_ray ray = {frame, marker, 0, {0, 0, 0}, {0, 0, 0}};
    while (!(synth->seen[sample] >> ray.camera & 1))
        ray.camera++;
    const snw_synth_camera *camera = synth->camera + ray.camera;
    snw_vec3 noise = scatter(work->options->seed, SNW__PURPOSE_RAY, frame, marker);
    snw_vec3 point = snw_vec3_add_scaled(snw_trial_position(synth->marker_truth, frame, marker),
                                         work->options->noise, noise);
    ray.origin = camera->world_from_camera.translation;
    ray.direction = snw_vec3_unit(snw_vec3_sub(point, ray.origin), snw_vec3_make(0, 0, 1));
    return ray;
}

static bool is_ray(const synth_work *work, size_t sample)
{
    return !work->is_gone[sample] && camera_count_of(work->synth, sample) == 1;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static snw_status perform(synth_work *work, bool is_built_in, snw_error *error)
{
    snw_synth *synth = work->synth;
    const snw_skeleton *skeleton = synth->motion->skeleton;
    snw_status status = create_trial(work, synth->marker_count, &synth->capture, error);
    if (status == SNW_OK) status = name_markers(synth, synth->capture, error);
    if (status == SNW_OK)
        status = create_trial(work, synth->marker_count, &synth->marker_truth, error);
    if (status == SNW_OK) status = name_markers(synth, synth->marker_truth, error);
    if (status == SNW_OK)
        status = create_trial(work, skeleton->joint_count, &synth->joint_truth, error);
    for (int j = 0; j < skeleton->joint_count && status == SNW_OK; j++)
        status = snw_trial_set_marker_name(synth->joint_truth, j, skeleton->name[j], error);
    if (status != SNW_OK) return status;
    /* Six standard deviations fill the byte: more does not happen. */
    double widest = 6 * work->options->noise / synth->capture->metres_per_unit / 255;
    synth->capture->residual_scale = fmax(SYNTH_RESIDUAL_STEP, widest);
    for (int f = 0; f < synth->motion->frame_count; f++) {
        pose_frame(work, f);
        for (int j = 0; j < synth->motion->skeleton->joint_count; j++)
            snw_trial_set(synth->joint_truth, f, j, work->pose->world[j].translation,
                          SNW_SAMPLE_MEASURED);
    }
    snw__cameras_fill(work->options, synth->joint_truth, synth->camera);
    record_markers(work);
    const snw__gap_field field = {synth->motion->skeleton,    synth->marker, synth->marker_count,
                                  synth->motion->frame_count, work->is_gone, work->is_chosen};
    status = SNW_OK;
    for (int g = 0; g < work->options->gap_count && status == SNW_OK; g++)
        status = snw__gap_apply(work->options, g, &field, error);
    if (status == SNW_OK) {
        size_t samples = (size_t)synth->motion->frame_count * (size_t)synth->marker_count,
               count = 0;
        for (size_t i = 0; i < samples; i++)
            count += is_ray(work, i);
        if (count > INT32_MAX) return snw__fail(error, SNW_TOO_LARGE, "more than 2^31 rays");
        size_t size = count * sizeof *synth->ray;
        synth->ray = snw__allocate(&synth->allocator, size);
        if (!synth->ray) return snw__fail_memory(error, size, "the rays of a capture");
        for (size_t i = 0; i < samples; i++)
            if (is_ray(work, i))
                synth->ray[synth->ray_count++] =
                    ray_of(work, (int)(i / (size_t)synth->marker_count),
                           (int)(i % (size_t)synth->marker_count));
    }
    if (status != SNW_OK) return status;
    for (int f = 0; f < synth->motion->frame_count; f++) {
        for (int m = 0; m < synth->marker_count; m++) {
            size_t sample = (size_t)f * (size_t)synth->marker_count + (size_t)m;
            int cameras = camera_count_of(synth, sample);
            if (cameras >= 2 && !work->is_gone[sample]) measure(work, f, m, cameras);
        }
    }
    bool is_gait =
        work->options->motion == SNW_SYNTH_WALK || work->options->motion == SNW_SYNTH_RUN;
    return is_built_in && is_gait ? snw__gait_events(work->options, synth->capture, error) : SNW_OK;
}

/* Memory of the run around perform(). */
static snw_status run(const snw_synth_options *options, snw_synth *synth, bool is_built_in,
                      snw_error *error)
{
    synth_work work = {0};
    work.options = options;
    work.synth = synth;
    snw_status status =
        snw_pose_create(synth->motion->skeleton, &synth->allocator, &work.pose, error);
    if (status != SNW_OK) return status;
    snw__block block;
    status = snw__block_create(&block, lay_out_work, &work, &synth->allocator,
                               "the making of a capture", error);
    if (status == SNW_OK) status = perform(&work, is_built_in, error);
    snw__block_release(&synth->allocator, &block);
    snw_pose_destroy(work.pose);
    return status;
}

snw_status snw_synth_create(const snw_skeleton *skeleton, const snw_motion *source,
                            const snw_synth_options *options, const snw_allocator *allocator,
                            snw_synth **out, snw_error *error)
{
    snw_synth fields = {0}, *synth = NULL;
    snw_synth_options defaults = snw_synth_options_default();
    *out = NULL;
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    if (!skeleton) return snw__fail(error, SNW_INVALID_ARGUMENT, "a capture needs a body");
    fields.allocator = snw__allocator_or_default(allocator);
    snw_status status = check_options(options, error);
    if (status != SNW_OK) return status;
    if (source) {
        if (source->skeleton != skeleton)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "the motion is of another skeleton");
        if (source->frame_count < 1 || source->frame_count > SNW_SYNTH_FRAME_MAX)
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the motion has %d frames: 1 to %d are possible", source->frame_count,
                             SNW_SYNTH_FRAME_MAX);
    }
    /* Everything that can be counted before anything but the motion is made. */
    fields.segment_count = snw__segments_fill(skeleton, NULL);
    fields.marker_count = snw__markers_count(skeleton, options);
    fields.camera_count = options->camera_count;
    if (fields.marker_count <= 0)
        return snw__fail(error, SNW_UNSUPPORTED,
                         options->placement == SNW_SYNTH_ANATOMICAL
                             ? "landmarks are known for the bodies humanoid and hand25 only: place "
                               "markers at random"
                             : "the body has no bone long enough for a marker");
    status = take_motion(skeleton, source, options, &fields.allocator, &fields.motion, error);
    if (status != SNW_OK) return status;
    snw__block block;
    if (snw__block_create(&block, lay_out, &fields, &fields.allocator, "a synthetic capture",
                          error) != SNW_OK) {
        snw_motion_destroy(fields.motion);
        return SNW_OUT_OF_MEMORY;
    }
    fields.block_size = block.size;
    synth = (void *)block.base;
    *synth = fields;
    snw__segments_fill(skeleton, synth->segment);
    const snw__worn_skin skin = {skeleton, synth->segment, synth->segment_count};
    snw__markers_fill(&skin, options, synth->marker);
    status = run(options, synth, source == NULL, error);
    if (status != SNW_OK) {
        snw_synth_destroy(synth);
        return status;
    }
    *out = synth;
    return snw__succeed(error);
}
