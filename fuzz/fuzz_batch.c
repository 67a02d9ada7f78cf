/* Any small body, goals and options as a batch, and jobs of every shape: rotations or coordinates,
 * with and without slides, roots, orientations, weights and results, some of them no numbers.
 * Refused with a sentence, or solved so that what is called reached is reached in doubles, inside
 * the limits, and the same on one worker and on two, with lanes and without. FUZZ_DEVICE names an
 * OpenCL device that solves as well. */
#include "fuzz_bodies.h"

#include <stdlib.h>

enum {
    PROBLEMS_MAX = 20
};

typedef struct batch_job {
    float target[PROBLEMS_MAX * GOALS_MAX * 3], orientation[PROBLEMS_MAX * GOALS_MAX * 4];
    float weight[PROBLEMS_MAX * GOALS_MAX];
    float rotation[PROBLEMS_MAX * JOINTS_MAX * 4], slide[PROBLEMS_MAX * JOINTS_MAX * 3];
    float root[PROBLEMS_MAX * 7], value[PROBLEMS_MAX * JOINTS_MAX * 6];
    float residual[PROBLEMS_MAX];
    uint8_t outcome[PROBLEMS_MAX];
    snw_ik_batch_job job;
} batch_job;

static void fill_floats(fuzz_bytes *bytes, float *to, int count, float usual)
{
    for (int n = 0; n < count; n++) {
        unsigned byte = fuzz_byte(bytes);
        to[n] = byte == 255 ? (float)fuzz_number(bytes) : usual + (float)(byte % 64) / 64.0f;
    }
}

/* Quaternions near 1; one in a while is anything. */
static void fill_turns(fuzz_bytes *bytes, float *to, int count, int stride)
{
    for (int n = 0; n < count; n++) {
        float *q = to + n * stride;
        q[0] = 1, q[1] = q[2] = q[3] = 0;
        unsigned byte = fuzz_byte(bytes);
        if (byte & 1) q[1] = (float)byte / 255.0f;
        if (byte == 254) fill_floats(bytes, q, 4, 0);
    }
}

static void make_job(fuzz_bytes *bytes, const snw_skeleton *body, int goals, batch_job *made)
{
    unsigned more = fuzz_byte(bytes), many = fuzz_byte(bytes);
    int count = fuzz_below(bytes, PROBLEMS_MAX + 1), joints = body->joint_count;
    snw_ik_batch_job *job = &made->job;
    *job = (snw_ik_batch_job){.problem_count = count, .target = made->target};
    fill_floats(bytes, made->target, count * goals * 3, -0.5f);
    if (more & 1) {
        job->value = made->value;
        fill_floats(bytes, made->value, count * body->dof_count, 0);
    } else {
        job->rotation = made->rotation;
        fill_turns(bytes, made->rotation, count * joints, 4);
        if (!(more & 2)) {
            job->slide = made->slide;
            fill_floats(bytes, made->slide, count * joints * 3, 0);
        }
    }
    if (more & 4) {
        job->root = made->root;
        fill_floats(bytes, made->root, count * 7, 0);
        fill_turns(bytes, made->root, count, 7);
    }
    if (more & 8) {
        job->orientation = made->orientation;
        fill_turns(bytes, made->orientation, count * goals, 4);
    }
    if (more & 16) {
        job->weight = made->weight;
        fill_floats(bytes, made->weight, count * goals, 0.1f);
    }
    if (!(more & 32)) job->residual = made->residual;
    job->outcome = made->outcome; /* without it nothing could be checked */
    if (many == 255) job->target = NULL;
    if (many == 254) job->rotation = job->value = NULL;
}

static snw_ik_batch_options make_options(fuzz_bytes *bytes)
{
    snw_ik_batch_options options = snw_ik_batch_options_default();
    unsigned more = fuzz_byte(bytes);
    options.ik.iteration_max = 1 + fuzz_below(bytes, 24);
    options.ik.restart_max = fuzz_below(bytes, 3);
    options.ik.use_limits = !(more & 1);
    if (more & 2) options.ik.root = SNW_IK_ROOT_FREE;
    if (more & 4) options.ik.solver = SNW_IK_LM;
    if ((more & 24) == 24) options.ik.tolerance = fabs(fuzz_number(bytes));
    options.start_count = more & 32 ? 1 + fuzz_below(bytes, 3) : 1;
    return options;
}

/* The answer of a problem in doubles: inside the limits where it is called reached. */
static void check_answer(const snw_skeleton *body, const batch_job *made, int problem,
                         snw_pose *pose)
{
    size_t joints = (size_t)body->joint_count;
    if (made->outcome[problem] > SNW_IK_OUT_OF_ITERATIONS) abort();
    if (made->outcome[problem] != SNW_IK_REACHED) return;
    for (int j = 0; j < body->joint_count; j++) {
        const float *q = made->rotation + ((size_t)problem * joints + (size_t)j) * 4;
        const float *s = made->slide + ((size_t)problem * joints + (size_t)j) * 3;
        const float *v = made->value + (size_t)problem * (size_t)body->dof_count;
        double values[6] = {0};
        for (int k = 0; k < snw_joint_type_dof(body->joint[j].type) && made->job.value; k++)
            values[k] = v[body->dof_first[j] + k];
        if (made->job.value) {
            snw_joint_from_values(&body->joint[j], values, &pose->rotation[j], &pose->slide[j]);
            continue;
        }
        pose->rotation[j] = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
        pose->slide[j] = made->job.slide ? snw_vec3_make(s[0], s[1], s[2]) : snw_vec3_make(0, 0, 0);
    }
    snw_pose_forward(pose);
    fuzz_check_pose(pose);
    if (made->job.residual && !(made->residual[problem] >= 0)) abort();
}

static snw_status solve_way(const snw_ik_problem *problem, snw_ik_batch_options options, int way,
                            batch_job *made)
{
    snw_ik_batch *batch = NULL;
    snw_error error = snw_error_none();
    options.worker_count = way == 1 ? 2 : 1;
    options.use_simd = way != 2;
    options.device = way == 3 ? getenv("FUZZ_DEVICE") : NULL;
    snw_status status = snw_ik_batch_create(problem, &options, NULL, &batch, &error);
    if (status == SNW_OK)
        status = snw_ik_batch_solve(batch, snw_xform_identity(), &made->job, NULL, &error);
    if (status != SNW_OK && !error.message[0]) abort();
    snw_ik_batch_destroy(batch);
    return status;
}

/* Arrays of a copy are its own. */
static void copy_job(const batch_job *from, batch_job *to)
{
    *to = *from;
    if (from->job.value) to->job.value = to->value;
    if (from->job.rotation) to->job.rotation = to->rotation;
    if (from->job.slide) to->job.slide = to->slide;
    if (from->job.root) to->job.root = to->root;
    if (from->job.residual) to->job.residual = to->residual;
    to->job.outcome = to->outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    static batch_job start, first, other;
    snw_skeleton *body = make_body(&bytes);
    if (!body) return 0;
    snw_goal goals[GOALS_MAX];
    snw_pose *pose = NULL;
    int count = make_goals(&bytes, body->joint_count, goals);
    snw_ik_batch_options options = make_options(&bytes);
    snw_ik_problem problem = {body, goals, count};
    memset(&start, 0, sizeof start);
    make_job(&bytes, body, count, &start);
    copy_job(&start, &first);
    if (snw_pose_create(body, NULL, &pose, NULL) != SNW_OK) abort();
    snw_status status = solve_way(&problem, options, 0, &first);
    for (int n = 0; n < first.job.problem_count && status == SNW_OK; n++)
        check_answer(body, &first, n, pose);
    for (int way = 1; way < (getenv("FUZZ_DEVICE") ? 4 : 3); way++) {
        copy_job(&start, &other);
        if (solve_way(&problem, options, way, &other) != status) abort();
        for (int n = 0; n < other.job.problem_count && status == SNW_OK && way == 3; n++)
            check_answer(body, &other, n, pose);
        /* NaN that was given and not touched is the same bits too. */
        if (way < 3 && status == SNW_OK &&
            (memcmp(first.outcome, other.outcome, sizeof first.outcome) != 0 ||
             memcmp(first.rotation, other.rotation, sizeof first.rotation) != 0 ||
             memcmp(first.value, other.value, sizeof first.value) != 0))
            abort();
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return 0;
}
