/* What moves with each joint weighs: the planes between parts (figure_plan.c), and inside a part
 * planes across it at every further joint of the skeleton. */
#include <math.h>
#include <string.h>

#include <sinew/rig.h>

#include "base/fail.h"
#include "base/memory.h"
#include "skin/figure_shape.h"

typedef struct masses_job {
    const snw_skeleton *skeleton;
    snw_mass_cut cut[SNW__FIGURE_CUTS + SNW_MASS_PART_MAX];
    int cut_count, part_count;
    double density[SNW_MASS_PART_MAX];
    int joint[SNW_MASS_PART_MAX];
} masses_job;

/* The way flesh goes on from joint to joint of a part; zero where it is not cut. */
static snw_vec3 way_of(snw_part part, snw_side side)
{
    double out = side == SNW_SIDE_LEFT ? 1 : -1;
    switch (part) {
    case SNW_PART_CHEST:
    case SNW_PART_HEAD:
        return snw_vec3_make(0, 1, 0);
    case SNW_PART_ARM:
    case SNW_PART_FOREARM:
        return snw_vec3_make(out, 0, 0);
    case SNW_PART_UPLEG:
    case SNW_PART_LEG:
        return snw_vec3_make(0, -1, 0);
    case SNW_PART_FOOT:
        return snw_vec3_make(0, 0, 1);
    default:
        return snw_vec3_make(0, 0, 0);
    }
}

/* Whether the joint moves flesh of this part of the table: heads have necks, feet have toes. */
static bool is_of(const snw_skeleton *skeleton, int joint, snw_part part, snw_side side)
{
    snw_side own;
    snw_part found = snw_rig_part_of(skeleton, joint, &own);
    if (found == SNW_PART_NECK) found = SNW_PART_HEAD;
    if (found == SNW_PART_TOE) found = SNW_PART_FOOT;
    return found == part && (side == SNW_SIDE_NONE || own == side);
}

/* The first joint of the part, or of the nearest part above it that has one. */
static int first_joint(const snw_skeleton *skeleton, snw_part part, snw_side side)
{
    for (; part != SNW_PART_NONE; part = snw_part_parent(part))
        for (int j = 0; j < skeleton->joint_count; j++)
            if (is_of(skeleton, j, part, snw_part_is_paired(part) ? side : SNW_SIDE_NONE)) return j;
    return 0;
}

static int add_part(masses_job *job, int joint, snw_part part)
{
    if (job->part_count == SNW_MASS_PART_MAX) return -SNW_MASS_PART_MAX;
    job->joint[job->part_count] = joint;
    job->density[job->part_count] = snw_part_density(part);
    return -1 - job->part_count++;
}

/* In place of a leaf: the part, cut at each further joint along it. Returns where it begins. */
static int divide(masses_job *job, const snw_pose *rest, int code)
{
    snw_part part = (snw_part)(code / (SNW_SIDES + 1));
    snw_side side = (snw_side)(code % (SNW_SIDES + 1));
    snw_vec3 way = way_of(part, side);
    int joint = first_joint(job->skeleton, part, side), begin = job->cut_count;
    bool is_own = is_of(job->skeleton, joint, part, side), is_cut = false;
    double reached = snw_vec3_dot(way, rest->world[joint].translation);
    for (int j = joint + 1; is_own && j < job->skeleton->joint_count; j++) {
        double offset = snw_vec3_dot(way, rest->world[j].translation);
        if (!is_of(job->skeleton, j, part, side) || !(offset > reached)) continue;
        if (job->part_count + 1 >= SNW_MASS_PART_MAX) break;
        reached = offset;
        is_cut = true;
        /* What lies before this joint is the one's before it; the rest goes on. */
        job->cut[job->cut_count] =
            (snw_mass_cut){way, offset, job->cut_count + 1, add_part(job, joint, part)};
        job->cut_count++;
        joint = j;
    }
    int last = add_part(job, joint, part);
    if (!is_cut) return last;
    job->cut[job->cut_count - 1].front = last;
    return begin;
}

static void plan_masses(masses_job *job, const snw__figure_plan *plan, const snw_pose *rest)
{
    memcpy(job->cut, plan->cut, sizeof plan->cut);
    job->cut_count = plan->cut_count;
    for (int n = 0; n < plan->cut_count; n++) {
        int *next[2] = {&job->cut[n].front, &job->cut[n].back};
        for (int k = 0; k < 2; k++)
            if (*next[k] < 0) *next[k] = divide(job, rest, -1 - *next[k]);
    }
}

snw_status snw_figure_masses(const snw_mesh *figure, const snw_skeleton *skeleton,
                             const snw_figure_options *options, snw_mass_properties *out,
                             snw_error *error)
{
    if (!figure || !skeleton || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "figure, skeleton or out is NULL");
    snw_figure_options how = SNW__WANTS_DEFAULTS(options) ? snw_figure_options_default() : *options;
    snw__figure_plan plan;
    snw_pose *rest = NULL;
    masses_job job;
    snw_mass_properties part[SNW_MASS_PART_MAX];
    memset(&job, 0, sizeof job);
    job.skeleton = skeleton;
    snw_status status = snw__figure_check_options(&how, error);
    if (status == SNW_OK) status = snw__figure_plan_read(skeleton, &how, &plan, error);
    if (status == SNW_OK) status = snw_pose_create(skeleton, NULL, &rest, error);
    if (status != SNW_OK) return status;
    plan_masses(&job, &plan, rest);
    snw_pose_destroy(rest);
    snw_mass_cuts cuts = {job.cut, job.cut_count, job.part_count, job.density};
    status = snw_mesh_mass_cut(figure, NULL, &cuts, part, error);
    if (status != SNW_OK) return status;
    memset(out, 0, (size_t)skeleton->joint_count * sizeof *out);
    for (int n = 0; n < job.part_count; n++)
        if (part[n].mass > 0)
            out[job.joint[n]] = out[job.joint[n]].mass > 0
                                    ? snw_mass_joined(out + job.joint[n], part + n)
                                    : part[n];
    return snw__succeed(error);
}

snw_status snw_skeleton_with_masses(const snw_skeleton *skeleton, const snw_mass_properties *mass,
                                    const snw_allocator *allocator, snw_skeleton **out,
                                    snw_error *error)
{
    if (!out || !skeleton || !mass)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "out, skeleton or mass is NULL");
    *out = NULL;
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t size = (size_t)skeleton->joint_count * sizeof(snw_joint_def);
    snw_joint_def *def = snw__allocate(&memory, size);
    snw_pose *rest = NULL;
    if (!def) return snw__fail_memory(error, size, "a body's joints");
    snw_status status = snw_pose_create(skeleton, &memory, &rest, error);
    for (int j = 0; j < skeleton->joint_count && status == SNW_OK; j++) {
        snw_mass_properties own = snw_mass_moved(mass + j, snw_xform_inverse(rest->world[j]));
        def[j] = snw_skeleton_joint_def(skeleton, j);
        def[j].mass = own.mass;
        def[j].has_inertia = own.mass > 0;
        def[j].mass_center = own.center;
        def[j].inertia = own.inertia;
    }
    snw_skeleton_def body = {def, skeleton->joint_count, skeleton->pin, skeleton->pin_count};
    if (status == SNW_OK) status = snw_skeleton_create_pinned(&body, &memory, out, error);
    snw_pose_destroy(rest);
    snw__release(&memory, def, size);
    return status;
}

/* ---- a motion's body ------------------------------------------------------------------------- */

typedef struct weigh_job {
    snw_allocator from;
    snw_motion *still, *rig; /* the skeleton at rest, and that in its T */
    snw_pose *t_pose;        /* of the rig */
    snw_mesh *made;
    snw_mass_properties *mass;
    size_t size;
} weigh_job;

/* From the T to where the skeleton's own joints rest. */
static void carry_masses(weigh_job *job)
{
    const snw_skeleton *skeleton = job->still->skeleton;
    snw_pose_reset(job->t_pose);
    for (int j = 0; j < skeleton->joint_count; j++)
        job->mass[j] = snw_mass_moved(job->mass + j, snw_xform_inverse(job->t_pose->world[j]));
    snw_motion_get(job->rig, 0, job->t_pose);
    snw_pose_forward(job->t_pose);
    for (int j = 0; j < skeleton->joint_count; j++)
        job->mass[j] = snw_mass_moved(job->mass + j, job->t_pose->world[j]);
}

static snw_status weigh(weigh_job *job, const snw_mesh *figure, const snw_figure_options *options,
                        snw_error *error)
{
    const snw_skeleton *skeleton = job->still->skeleton;
    bool is_hand = snw_figure_is_hand(skeleton);
    snw_status status =
        is_hand ? snw_motion_part(job->still, 0, 1, &job->from, &job->rig, error)
                : snw_motion_to_rig(job->still, NULL, &job->from, &job->rig, NULL, error);
    if (status == SNW_OK && !figure) {
        status =
            snw_figure_create(job->rig->skeleton, options, &job->from, &job->made, NULL, error);
        figure = job->made;
    }
    job->size = (size_t)skeleton->joint_count * sizeof *job->mass;
    if (status == SNW_OK && !(job->mass = snw__allocate(&job->from, job->size)))
        status = snw__fail_memory(error, job->size, "a body's masses");
    if (status == SNW_OK)
        status = snw_figure_masses(figure, job->rig->skeleton, options, job->mass, error);
    if (status == SNW_OK)
        status = snw_pose_create(job->rig->skeleton, &job->from, &job->t_pose, error);
    if (status == SNW_OK) carry_masses(job);
    return status;
}

static snw_status copy_motion(const snw_motion *motion, snw_skeleton *skeleton,
                              const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    snw_status status = snw_motion_part(motion, 0, motion->frame_count, allocator, out, error);
    if (status != SNW_OK) return status;
    (*out)->skeleton = (*out)->own_skeleton = skeleton;
    return SNW_OK;
}

snw_status snw_motion_weigh(const snw_motion *motion, const snw_mesh *figure,
                            const snw_figure_options *options, const snw_allocator *allocator,
                            snw_motion **out, snw_error *error)
{
    if (!out || !motion) return snw__fail(error, SNW_INVALID_ARGUMENT, "out or motion is NULL");
    *out = NULL;
    weigh_job job = {.from = snw__allocator_or_default(allocator)};
    snw_skeleton *heavy = NULL;
    snw_status status = snw_motion_create(motion->skeleton, 1, 1, &job.from, &job.still, error);
    if (status == SNW_OK) status = weigh(&job, figure, options, error);
    if (status == SNW_OK)
        status = snw_skeleton_with_masses(motion->skeleton, job.mass, &job.from, &heavy, error);
    if (status == SNW_OK) status = copy_motion(motion, heavy, &job.from, out, error);
    if (status != SNW_OK) snw_skeleton_destroy(heavy);
    snw__release(&job.from, job.mass, job.mass ? job.size : 0);
    snw_mesh_destroy(job.made);
    snw_pose_destroy(job.t_pose);
    snw_motion_destroy(job.rig);
    snw_motion_destroy(job.still);
    return status;
}
