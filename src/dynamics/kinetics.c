/* Moments, powers and forces in hips, knees and ankles.
 *
 * The foot carries what the plate tells; from there each segment's balance gives the load at its
 * proximal joint, whose opposite acts on the next. Moments are internal (what muscles and
 * ligaments do on the distal segment), in the distal segment's axes; power is the moment times the
 * joint's angular velocity. Markers and forces go through one low pass: with different ones the
 * impact of the heel appears as a moment that is none (Kristianslund et al. 2012). */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "dynamics/contact.h"
#include "person/anthropometry.h"
#include "person/movement.h"

#include <sinew/filter.h>

enum {
    LEG_FOOT,
    LEG_SHANK,
    LEG_THIGH,
    LEG_SEGMENTS,
    LEG_GROUND =
        7 * LEG_SEGMENTS, /* moment, power, force of each joint; then what the floor does */
    LEG_COLUMNS = LEG_GROUND + 3,
    ALL_COLUMNS = 2 * LEG_COLUMNS + 3
};

/* Plug-in-Gait's documentation, "Kinetic modeling": what Winter (2009, table 4.1) has about the
 * proximal end it takes about the centre of mass. */
static const double pig_radius[LEG_SEGMENTS] = {0.690, 0.528, 0.540};

static const snw_part leg_part[LEG_SEGMENTS] = {SNW_PART_FOOT, SNW_PART_LEG, SNW_PART_UPLEG};

/* One frame of the body. */
typedef struct dynamics_frame {
    bool has_leg[2];
    snw_quat rotation[2][LEG_SEGMENTS];
    snw_vec3 center[2][LEG_SEGMENTS]; /* of mass */
    double length[2][LEG_SEGMENTS];
    snw_vec3 joint[2][LEG_SEGMENTS]; /* ankle, knee, hip */
    snw_quat pelvis;
    bool has_upper;
    snw_vec3 upper; /* centre of mass of head, arms and trunk */
} dynamics_frame;

typedef struct dynamics_job {
    const snw_trial *trial;
    double mass;
    snw_moment_axes axes;
    snw_segment_size size[LEG_SEGMENTS];
    dynamics_frame *frame;
    snw__ground ground;
    snw_kinetics *out;
    double residual_sum;
    int residual_count;
} dynamics_job;

snw_kinetics_options snw_kinetics_options_default(void)
{
    snw_kinetics_options options;
    memset(&options, 0, sizeof options);
    options.cutoff = 15;
    return options;
}

/* ---- the body in a frame --------------------------------------------------------------------- */

static void take_frame(const dynamics_job *job, const snw_gait_model *model,
                       const snw_trial *filtered, int f)
{
    dynamics_frame *out = job->frame + f;
    snw_frame frame = snw_trial_frame(filtered, f);
    snw_gait_pose pose;
    snw_gait_model_pose(model, &frame, &pose);
    memset(out, 0, sizeof *out);
    for (int side = 0; side < SNW_SIDES; side++) {
        static const snw_gait_segment segment[LEG_SEGMENTS] = {SNW_SEGMENT_FOOT, SNW_SEGMENT_SHANK,
                                                               SNW_SEGMENT_THIGH};
        static const snw_gait_center joint[LEG_SEGMENTS] = {
            SNW_GAIT_CENTER_ANKLE, SNW_GAIT_CENTER_KNEE, SNW_GAIT_CENTER_HIP};
        out->has_leg[side] = pose.has_segment[SNW_SEGMENT_PELVIS][0];
        for (int n = 0; n < LEG_SEGMENTS && out->has_leg[side]; n++)
            out->has_leg[side] =
                pose.has_segment[segment[n]][side] && pose.has_center[joint[n]][side];
        for (int n = 0; n < LEG_SEGMENTS && out->has_leg[side]; n++) {
            snw_xform at = pose.world_from_segment[segment[n]][side];
            snw_vec3 near = pose.center[joint[n]][side], far = at.translation; /* the distal end */
            out->rotation[side][n] = at.rotation;
            out->joint[side][n] = near;
            out->length[side][n] = snw_vec3_distance(near, far);
            out->center[side][n] = snw_vec3_lerp(near, far, job->size[n].center);
        }
    }
    out->pelvis = pose.world_from_segment[SNW_SEGMENT_PELVIS][0].rotation;
    out->has_upper = out->has_leg[0] && out->has_leg[1] &&
                     pose.has_center[SNW_GAIT_CENTER_SHOULDER][0] &&
                     pose.has_center[SNW_GAIT_CENTER_SHOULDER][1];
    snw_vec3 hips = snw_vec3_lerp(out->joint[0][LEG_THIGH], out->joint[1][LEG_THIGH], 0.5);
    snw_vec3 shoulders = snw_vec3_lerp(pose.center[SNW_GAIT_CENTER_SHOULDER][0],
                                       pose.center[SNW_GAIT_CENTER_SHOULDER][1], 0.5);
    out->upper = snw_vec3_lerp(hips, shoulders, SNW__UPPER_CENTER);
}

/* ---- motion ----------------------------------------------------------------------------------
 */

/* The turn from a to b as a vector along its axis, lab axes. */
static snw_vec3 turn_between(snw_quat a, snw_quat b)
{
    snw_quat turn = snw_quat_mul(b, snw_quat_conjugate(a));
    if (turn.w < 0) turn = snw_quat_make(-turn.w, -turn.x, -turn.y, -turn.z);
    snw_vec3 axis = {turn.x, turn.y, turn.z};
    double sine = snw_vec3_length(axis);
    return sine > 0 ? snw_vec3_scale(axis, 2 * snw__atan2(sine, turn.w) / sine) : axis;
}

static snw_vec3 bend(snw_vec3 before, snw_vec3 here, snw_vec3 after, double rate)
{
    snw_vec3 sum = snw_vec3_add_scaled(snw_vec3_add(before, after), -2, here);
    return snw_vec3_scale(sum, rate * rate);
}

static snw_vec3 spin_of(snw_quat before, snw_quat after, double rate)
{
    return snw_vec3_scale(turn_between(before, after), 0.5 * rate);
}

static snw_moving_segment moving_segment(const dynamics_job *job, int f, int side, int n)
{
    const dynamics_frame *here = job->frame + f, *before = here - 1, *after = here + 1;
    double rate = job->trial->rate;
    snw_moving_segment out;
    memset(&out, 0, sizeof out);
    out.mass = job->mass * job->size[n].mass;
    out.rotation = here->rotation[side][n];
    out.center = here->center[side][n];
    out.acceleration = bend(before->center[side][n], out.center, after->center[side][n], rate);
    out.spin = spin_of(before->rotation[side][n], after->rotation[side][n], rate);
    snw_vec3 first = turn_between(before->rotation[side][n], out.rotation);
    snw_vec3 second = turn_between(out.rotation, after->rotation[side][n]);
    out.spin_rate = snw_vec3_scale(snw_vec3_sub(second, first), rate * rate);
    /* x forward, y left, z along the bone: sagittal, transverse, longitudinal */
    for (int k = 0; k < 3; k++) {
        double radius = job->size[n].radius[k] * here->length[side][n];
        out.inertia[k] = out.mass * radius * radius;
    }
    return out;
}

/* ---- joints ---------------------------------------------------------------------------------- */

static double *cell(const dynamics_job *job, int f, int column)
{
    return job->out->columns.value + (size_t)f * ALL_COLUMNS + column;
}

/* x forward, y left, z up while standing. The gait model's foot has its z along the sole, from toe
 * to heel, and x up. */
static snw_quat anatomical_axes(const dynamics_frame *here, int side, int n)
{
    snw_quat level = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), SNW_PI / 2);
    snw_quat own = here->rotation[side][n];
    return n == LEG_FOOT ? snw_quat_mul(own, level) : own;
}

/* A moment's parts about the chosen x, y and z. */
static snw_vec3 moment_parts(const dynamics_job *job, int f, int side, int n, snw_vec3 moment)
{
    const dynamics_frame *here = job->frame + f;
    snw_quat distal = anatomical_axes(here, side, n);
    snw_quat proximal = n == LEG_THIGH ? here->pelvis : here->rotation[side][n + 1];
    if (job->axes == SNW_MOMENT_DISTAL) return snw_quat_rotate(snw_quat_conjugate(distal), moment);
    if (job->axes == SNW_MOMENT_PROXIMAL)
        return snw_quat_rotate(snw_quat_conjugate(proximal), moment);
    snw_vec3 y = snw_quat_rotate(proximal, snw_vec3_make(0, 1, 0));
    snw_vec3 z = snw_quat_rotate(distal, snw_vec3_make(0, 0, 1)), none = {0, 0, 0};
    snw_vec3 x = snw_vec3_unit(snw_vec3_cross(y, z), none);
    return snw_vec3_make(snw_vec3_dot(moment, x), snw_vec3_dot(moment, y), snw_vec3_dot(moment, z));
}

/* The floor's force on the foot: forward, left and up, the way the person goes. */
static void store_ground(const dynamics_job *job, int f, int side, snw_vec3 force)
{
    double *out = cell(job, f, side * LEG_COLUMNS + LEG_GROUND);
    snw_vec3 up = job->ground.line.up, forward = snw__gait_way(&job->ground.line, f);
    out[0] = snw_vec3_dot(force, forward) / job->mass;
    out[1] = snw_vec3_dot(force, snw_vec3_cross(up, forward)) / job->mass;
    out[2] = snw_vec3_dot(force, up) / job->mass;
}

static void measure_leg(const dynamics_job *job, int f, int side, snw_vec3 gravity)
{
    const dynamics_frame *here = job->frame + f;
    snw_load load = job->ground.load[side][f]; /* about the lab's origin */
    store_ground(job, f, side, load.force);
    double rate = job->trial->rate;
    for (int n = 0; n < LEG_SEGMENTS; n++) {
        snw_moving_segment segment = moving_segment(job, f, side, n);
        snw_load proximal = snw_segment_balance(&segment, &load, 1, gravity, here->joint[side][n]);
        snw_vec3 above = n == LEG_THIGH ? spin_of(here[-1].pelvis, here[1].pelvis, rate)
                                        : spin_of(here[-1].rotation[side][n + 1],
                                                  here[1].rotation[side][n + 1], rate);
        double power = snw_vec3_dot(proximal.moment, snw_vec3_sub(segment.spin, above));
        /* Moment as extension or plantar flexion, abduction, internal rotation: internal, positive
         * as the columns are named. y is to the left: about +y the lower end of a leg goes back,
         * and a toe down.
         */
        double *out = cell(job, f, side * LEG_COLUMNS + 7 * n), outward = side ? -1 : 1;
        snw_quat back = snw_quat_conjugate(anatomical_axes(job->frame + f, side, n));
        snw_vec3 m = snw_vec3_scale(moment_parts(job, f, side, n, proximal.moment), 1 / job->mass);
        snw_vec3 force = snw_vec3_scale(snw_quat_rotate(back, proximal.force), 1 / job->mass);
        out[0] = n == LEG_SHANK ? -m.y : m.y;
        out[1] = outward * m.x;
        out[2] = -outward * m.z;
        out[3] = power / job->mass;
        out[4] = force.x;
        out[5] = force.y;
        out[6] = force.z;
        load.point = proximal.point;
        load.force = snw_vec3_neg(proximal.force);
        load.moment = snw_vec3_neg(proximal.moment);
    }
}

/* The centre of mass of all that is modelled; false: shoulders are not seen. */
static bool center_of_mass(const dynamics_job *job, int f, snw_vec3 *out)
{
    const dynamics_frame *here = job->frame + f;
    snw_vec3 sum = {0, 0, 0};
    double upper = 1;
    if (!here->has_upper) return false;
    for (int side = 0; side < SNW_SIDES; side++)
        for (int n = 0; n < LEG_SEGMENTS; n++) {
            sum = snw_vec3_add_scaled(sum, job->size[n].mass, here->center[side][n]);
            upper -= job->size[n].mass;
        }
    *out = snw_vec3_add_scaled(sum, upper, here->upper);
    return true;
}

/* ---- all together ---------------------------------------------------------------------------- */

static snw_status make_result(const dynamics_job *job, double cutoff, snw_allocator memory,
                              snw_kinetics **out, snw_error *error)
{
    size_t frames = (size_t)job->trial->frame_count;
    size_t head = (sizeof(snw_kinetics) + 15) / 16 * 16;
    size_t values = snw__size_mul(frames * ALL_COLUMNS, sizeof(double));
    size_t size = head + values + ALL_COLUMNS * sizeof(snw_angle_column);
    char *block = snw__allocate(&memory, size);
    if (!block) return snw__fail_memory(error, size, "kinetics");
    memset(block, 0, size);
    snw_kinetics *made = (snw_kinetics *)(void *)block;
    made->frame_count = job->trial->frame_count;
    made->rate = job->trial->rate;
    made->mass = job->mass;
    made->cutoff = cutoff;
    made->allocator = memory;
    made->block_size = size;
    made->columns.frame_count = made->frame_count;
    made->columns.rate = made->rate;
    made->columns.column_count = ALL_COLUMNS;
    made->columns.value = (double *)(void *)(block + head);
    made->columns.column = (snw_angle_column *)(void *)(block + head + values);
    for (size_t n = 0; n < frames * ALL_COLUMNS; n++)
        made->columns.value[n] = NAN;
    snw_angle_column *column = made->columns.column;
    static const char *const joint[LEG_SEGMENTS] = {"ankle", "knee", "hip"};
    static const char *const what[7] = {
        "moment_extension", "moment_abduction", "moment_rotation", "power",
        "force_x",          "force_y",          "force_z"};
    for (int c = 0; c < ALL_COLUMNS; c++) {
        column[c].is_length = true;
        if (c >= 2 * LEG_COLUMNS) {
            snw_format(column[c].name, sizeof column[c].name, "center_of_mass_%c",
                       "xyz"[c - 2 * LEG_COLUMNS]);
            continue;
        }
        int at = c % LEG_COLUMNS, n = at / 7;
        const char *side = c < LEG_COLUMNS ? "left" : "right";
        const char *word = at % 7 == 0 && n == LEG_FOOT ? "moment_plantarflexion" : what[at % 7];
        if (at >= LEG_GROUND)
            snw_format(column[c].name, sizeof column[c].name, "%s_ground_force_%c", side,
                       "xyz"[at - LEG_GROUND]);
        else
            snw_format(column[c].name, sizeof column[c].name, "%s_%s_%s", side, joint[n], word);
    }
    *out = made;
    return SNW_OK;
}

/* Room for frames, loads and the samples of one plate. */
static void lay_out(void *object, snw__block *block)
{
    dynamics_job *job = object;
    size_t frames = (size_t)job->trial->frame_count;
    size_t samples = snw__size_mul(frames, (size_t)job->trial->analog_per_frame);
    job->frame = snw__block_take(block, frames, sizeof *job->frame);
    job->ground.work = snw__block_take(block, snw__size_mul(6, samples), sizeof(double));
    for (int side = 0; side < 2; side++) {
        job->ground.load[side] = snw__block_take(block, frames, sizeof(snw_load));
        job->ground.is_known[side] = snw__block_take(block, frames, sizeof(bool));
    }
}

static snw_status measure_all(dynamics_job *job, const snw_gait_model *model, double cutoff,
                              snw_error *error)
{
    snw_trial *filtered = NULL;
    snw_gait_events *events = NULL;
    snw_status status = snw_trial_filter(job->trial, cutoff, NULL, &filtered, NULL, error);
    if (status == SNW_OK)
        status = snw_gait_events_find(job->trial, NULL, NULL, &events, NULL, error);
    if (status == SNW_OK) {
        job->ground.events = events;
        job->ground.cutoff = cutoff;
        snw__ground_find(&job->ground, job->out);
        for (int f = 0; f < job->trial->frame_count; f++)
            take_frame(job, model, filtered, f);
        bool has_whole = false;
        for (int n = 0; n < job->out->contact_count; n++)
            has_whole |= job->out->contact[n].is_whole;
        /* standard, m/s^2 */
        snw_vec3 gravity = snw_vec3_scale(job->ground.line.up, -SNW__GRAVITY);
        int known = 0, frames = job->trial->frame_count;
        for (int f = 0; f < frames; f++) {
            for (int side = 0; side < SNW_SIDES; side++) {
                if (f < 1 || f + 1 >= frames || !job->ground.is_known[side][f]) continue;
                if (!job->frame[f - 1].has_leg[side] || !job->frame[f].has_leg[side] ||
                    !job->frame[f + 1].has_leg[side])
                    continue;
                measure_leg(job, f, side, gravity);
                known++;
            }
            snw_vec3 at[3];
            if (!center_of_mass(job, f, &at[1])) continue;
            double *out = cell(job, f, 2 * LEG_COLUMNS);
            out[0] = at[1].x;
            out[1] = at[1].y;
            out[2] = at[1].z;
            bool is_known = job->ground.is_known[0][f] && job->ground.is_known[1][f];
            if (f < 1 || f + 1 >= job->trial->frame_count || !is_known ||
                !center_of_mass(job, f - 1, &at[0]) || !center_of_mass(job, f + 1, &at[2]))
                continue;
            snw_vec3 need = snw_vec3_sub(bend(at[0], at[1], at[2], job->trial->rate), gravity);
            snw_vec3 have =
                snw_vec3_add(job->ground.load[0][f].force, job->ground.load[1][f].force);
            job->residual_sum +=
                snw_vec3_length2(snw_vec3_sub(snw_vec3_scale(need, job->mass), have));
            job->residual_count++;
        }
        job->out->residual =
            job->residual_count ? sqrt(job->residual_sum / job->residual_count) : NAN;
        if (known == 0 || !has_whole)
            status = snw__fail(error, SNW_DEGENERATE,
                               "no foot stands alone and whole on a force plate: %s",
                               job->out->contact_count ? job->out->contact[0].why
                                                       : "none is loaded; are they on?");
    }
    snw_gait_events_destroy(events);
    snw_trial_destroy(filtered);
    return status;
}

snw_status snw_kinetics_measure(const snw_trial *trial, const snw_gait_model *model,
                                const snw_kinetics_options *options, const snw_allocator *allocator,
                                snw_kinetics **out, snw_error *error)
{
    snw_kinetics_options normal = snw_kinetics_options_default();
    dynamics_job job;
    *out = NULL;
    memset(&job, 0, sizeof job);
    if (SNW__WANTS_DEFAULTS(options)) options = &normal;
    job.trial = trial;
    job.mass = options->mass > 0 ? options->mass : model->subject.value[SNW_SUBJECT_BODY_MASS][0];
    if (snw_force_plate_count(trial) == 0 || trial->analog_per_frame < 1)
        return snw__fail(error, SNW_NOT_FOUND, "there are no force plates");
    if (!(job.mass > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the person's mass is not known: the file has no BodyMass");
    job.axes = options->axes;
    job.ground.zeroes_plates = options->zeroes_plates;
    for (int n = 0; n < LEG_SEGMENTS; n++) {
        if (!snw_segment_size_of(options->people, leg_part[n], job.size + n))
            return snw__fail(error, SNW_INVALID_ARGUMENT, "there are no such people");
        if (options->is_inertia_pig) job.size[n].radius[0] = job.size[n].radius[1] = pig_radius[n];
    }
    snw_status status = snw__gait_line_make(trial, &job.ground.line, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out, &job, &memory, "kinetics", error);
    if (status != SNW_OK) return status;
    status = make_result(&job, options->cutoff, memory, &job.out, error);
    if (status == SNW_OK) status = measure_all(&job, model, options->cutoff, error);
    snw__block_release(&memory, &block);
    if (status != SNW_OK) {
        snw_kinetics_destroy(job.out);
        return status;
    }
    *out = job.out;
    return snw__succeed(error);
}

void snw_kinetics_destroy(snw_kinetics *kinetics)
{
    if (!kinetics) return;
    snw_allocator allocator = kinetics->allocator;
    snw__release(&allocator, kinetics, kinetics->block_size);
}

static const char *const axes_name[] = {
#define AXES_NAME(enumerator, name) name,
    SNW_MOMENT_AXES_MAP(AXES_NAME)
#undef AXES_NAME
};

const char *snw_moment_axes_name(snw_moment_axes axes)
{
    return (unsigned)axes < SNW_MOMENT_AXES_COUNT ? axes_name[axes] : "";
}

int snw_moment_axes_find(const char *name)
{
    int n = 0;
    while (n < SNW_MOMENT_AXES_COUNT && strcmp(name, axes_name[n]) != 0)
        n++;
    return n < SNW_MOMENT_AXES_COUNT ? n : -1;
}

bool snw_stride_work(const snw_angles *columns, int column, const snw_stride *stride,
                     double work[2])
{
    snw_strides one = {.count = 1, .stride = (snw_stride[]){*stride}};
    snw_cycle cycle;
    snw_cycle_mean(columns, column, &one, (snw_side)stride->side, &cycle);
    work[0] = work[1] = 0;
    /* Trapezoids, cut where the power changes its sign. */
    for (int p = 0; p + 1 < SNW_CYCLE_POINTS && cycle.count; p++) {
        double a = cycle.mean[p], b = cycle.mean[p + 1], step = stride->time / 100;
        double cut = a * b < 0 ? a / (a - b) : 1;
        work[a < 0 || (a <= 0 && b < 0)] += 0.5 * step * (cut < 1 ? cut * a : a + b);
        if (cut < 1) work[b < 0] += 0.5 * step * (1 - cut) * b;
    }
    return cycle.count > 0;
}

int snw_kinetics_find(const snw_kinetics *kinetics, const char *name)
{
    return snw_angles_find(&kinetics->columns, name);
}
