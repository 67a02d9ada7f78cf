/* `sinew bench bodies`: how fast solids are weighed, cut and filled, and figures tied and moved. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_act.h"
#include "clock.h"

enum {
    BODIES_RUNS = 5,      /* the best of them is told */
    BODIES_RING = 707,    /* cells each way: a million triangles */
    BODIES_WINDINGS = 160 /* for what takes longer: 51 200 triangles */
};

typedef struct bodies_job {
    snw_mesh *ring, *small, *figure, *solid;
    snw_skeleton *body;
    snw_skin *skin;
    snw_pose *pose;
    float *place;
    size_t size; /* bytes of it */
    snw_error error;
} bodies_job;

typedef struct bodies_row {
    const char *what, *unit;
    double goal;  /* at least, or at most where it is negative; 0: none */
    double count; /* of what the row counts, in one run; 0: seconds are told */
    snw_status (*run)(bodies_job *job);
} bodies_row;

static snw_status make_ring(int n, snw_mesh **out, snw_error *error)
{
    snw_mesh_counts counts = {n * n, 0, 2 * n * n, 0};
    snw_status status = snw_mesh_create(&counts, NULL, out, error);
    for (int i = 0; i < n && status == SNW_OK; i++)
        for (int j = 0; j < n; j++) {
            double u = 2 * SNW_PI * i / n, v = 2 * SNW_PI * j / n, radius = 1 + 0.4 * cos(v);
            int next = (i + 1) % n * n, a = i * n + j, b = next + j, c = next + (j + 1) % n;
            int d = i * n + (j + 1) % n, (*triangle)[3] = (*out)->triangle + 2 * a;
            (*out)->vertex[a] = snw_vec3_make(radius * cos(u), radius * sin(u), 0.4 * sin(v));
            memcpy(triangle[0], (int[3]){a, b, c}, sizeof triangle[0]);
            memcpy(triangle[1], (int[3]){a, c, d}, sizeof triangle[1]);
        }
    return status;
}

/* A person of about 50 000 vertices, bent everywhere. */
static snw_status set_up(bodies_job *job)
{
    snw_figure_options how = snw_figure_options_default();
    how.cell = 0.0068;
    snw_status status = make_ring(BODIES_RING, &job->ring, &job->error);
    if (status == SNW_OK) status = make_ring(BODIES_WINDINGS, &job->small, &job->error);
    if (status == SNW_OK) status = snw_preset_create("humanoid", NULL, &job->body, &job->error);
    if (status == SNW_OK)
        status = snw_figure_create(job->body, &how, NULL, &job->figure, NULL, &job->error);
    if (status == SNW_OK)
        status = snw_skin_create(job->figure, job->body, NULL, NULL, &job->skin, &job->error);
    if (status == SNW_OK) status = snw_pose_create(job->body, NULL, &job->pose, &job->error);
    if (status != SNW_OK) return status;
    for (int j = 0; j < job->body->joint_count; j++)
        job->pose->rotation[j] = snw_quat_exp(snw_vec3_make(0.3, 0.1 * (j % 5), -0.2));
    snw_pose_forward(job->pose);
    job->size = (size_t)job->figure->count.vertex_count * 3 * sizeof *job->place;
    job->place = malloc(job->size);
    if (job->place) return SNW_OK;
    snw_format(job->error.message, sizeof job->error.message, "no memory for the figure");
    return SNW_OUT_OF_MEMORY;
}

static void tear_down(bodies_job *job)
{
    free(job->place);
    snw_pose_destroy(job->pose);
    snw_skin_destroy(job->skin);
    snw_skeleton_destroy(job->body);
    snw_mesh_destroy(job->figure);
    snw_mesh_destroy(job->small);
    snw_mesh_destroy(job->ring);
}

/* ---- what is measured ------------------------------------------------------------------------ */

static snw_status weigh(bodies_job *job)
{
    snw_mass_properties mass;
    return snw_mesh_mass(job->ring, NULL, &mass, &job->error);
}

static snw_status check(bodies_job *job)
{
    snw_mesh_report report;
    return snw_mesh_check(job->small, NULL, &report, &job->error);
}

static snw_status cut(bodies_job *job)
{
    snw_mass_properties *out = calloc((size_t)job->body->joint_count, sizeof *out);
    snw_status status = SNW_OUT_OF_MEMORY;
    if (out) status = snw_figure_masses(job->figure, job->body, NULL, out, &job->error);
    free(out);
    return status;
}

static snw_status fill(bodies_job *job)
{
    snw_tetrahedra_options how = snw_tetrahedra_options_default();
    how.cell = 0.04;
    snw_mesh_destroy(job->solid);
    return snw_mesh_tetrahedra(job->small, &how, NULL, &job->solid, NULL, &job->error);
}

static snw_status tie(bodies_job *job)
{
    snw_skin *skin = NULL;
    snw_status status = snw_skin_create(job->figure, job->body, NULL, NULL, &skin, &job->error);
    snw_skin_destroy(skin);
    return status;
}

static snw_status bend(bodies_job *job, snw_blend blend)
{
    snw_status status = SNW_OK;
    for (int n = 0; n < 10 && status == SNW_OK; n++)
        status = snw_skin_deform(job->skin, job->pose, blend, job->place, &job->error);
    return status;
}

static snw_status bend_linear(bodies_job *job)
{
    return bend(job, SNW_BLEND_LINEAR);
}

static snw_status bend_dual(bodies_job *job)
{
    return bend(job, SNW_BLEND_DUAL_QUATERNION);
}

/* What the blend's own results take to be copied: no way of moving vertices is faster. */
static snw_status copy(bodies_job *job)
{
    float *to = malloc(job->size);
    for (int n = 0; n < 10 && to; n++) {
        job->place[n] += 1;
        memcpy(to, job->place, job->size);
        job->place[n] = to[n + 1];
    }
    free(to);
    return to ? SNW_OK : SNW_OUT_OF_MEMORY;
}

static snw_status figure(bodies_job *job)
{
    snw_mesh *mesh = NULL;
    snw_status status = snw_figure_create(job->body, NULL, NULL, &mesh, NULL, &job->error);
    snw_mesh_destroy(mesh);
    return status;
}

/* ---- told ------------------------------------------------------------------------------------ */

static snw_status measure(bodies_job *job, const bodies_row *row, double *best)
{
    *best = INFINITY;
    for (int n = 0; n < BODIES_RUNS; n++) {
        double start = cli_microseconds();
        snw_status status = row->run(job);
        if (status != SNW_OK) return status;
        *best = fmin(*best, (cli_microseconds() - start) / 1e6);
    }
    return SNW_OK;
}

static void print_row(const bodies_row *row, double seconds, double count)
{
    double value = count > 0 ? count / seconds / 1e6 : seconds;
    bool is_met = row->goal > 0 ? value >= row->goal : value <= -row->goal;
    printf("%-44s %9.2f %-18s", row->what, value, row->unit);
    if (row->goal != 0)
        printf(" goal %s %g: %s", row->goal > 0 ? "at least" : "at most", fabs(row->goal),
               is_met ? "met" : "missed");
    printf("\n");
}

int bench_bodies(const cli_arguments *arguments)
{
    bodies_job job;
    memset(&job, 0, sizeof job);
    snw_status status = set_up(&job);
    double vertices = status == SNW_OK ? job.figure->count.vertex_count : 0;
    const bodies_row rows[] = {
        {"volume, centre, inertia of 1 M triangles", "M triangles/s", 50,
         2.0 * BODIES_RING * BODIES_RING, weigh},
        {"faults of 51 200 triangles", "M triangles/s", 0, 2.0 * BODIES_WINDINGS * BODIES_WINDINGS,
         check},
        {"a figure cut at its joints", "M triangles/s", 0, 2 * vertices, cut},
        {"tetrahedra in a ring, its distance measured", "M tetrahedra/s", 0.3, -1, fill},
        {"weights by heat", "s", -3, 0, tie},
        {"linear blend", "M vertices/s", 100, 10 * vertices, bend_linear},
        {"dual quaternions", "M vertices/s", 0, 10 * vertices, bend_dual},
        {"a copy of as many places", "M vertices/s", 0, 10 * vertices, copy},
        {"a person's figure", "s", 0, 0, figure},
    };
    if (status == SNW_OK)
        printf("one thread, best of %d; the figure has %.0f vertices and %d joints\n", BODIES_RUNS,
               vertices, job.body->joint_count);
    for (size_t n = 0; n < sizeof rows / sizeof *rows && status == SNW_OK; n++) {
        double seconds;
        status = measure(&job, rows + n, &seconds);
        double count =
            rows[n].count < 0 && job.solid ? job.solid->count.tetrahedron_count : rows[n].count;
        if (status == SNW_OK) print_row(rows + n, seconds, count);
    }
    snw_mesh_destroy(job.solid);
    tear_down(&job);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s", job.error.message);
}
