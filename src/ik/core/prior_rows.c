/* Rows of the prior: what the goals lack in a pose, in the body's frame, weighted and free of
 * units, and how the features of the style change that. How the body leans is three more rows. */
#include "ik/core/prior_rows.h"

#include <string.h>

/* [chosen] Radians: how far people lean apart in the same pose. */
#define PRIOR_LEAN 0.1

static double scale_of(const snw_ik *ik, const snw_goal *goal, bool is_turn)
{
    double root = sqrt(goal->weight);
    return is_turn ? root * goal->turn_weight : root / ik->size;
}

/* Rows all have the variance v. */
static double lean_scale(const snw__ik_prior *p)
{
    return sqrt(p->variance) / PRIOR_LEAN;
}

static void put_row3(double *row, snw_vec3 v, double scale)
{
    row[0] = v.x * scale;
    row[1] = v.y * scale;
    row[2] = v.z * scale;
}

void snw__prior_put_targets(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                            snw_xform inverse)
{
    for (int n = 0; n < p->goal_count; n++) {
        const snw_goal *goal = &goals[p->goal[n].goal];
        if (p->goal[n].has_place)
            put_row3(p->target + p->goal[n].row, snw_xform_point(inverse, goal->position),
                     scale_of(ik, goal, false));
    }
    if (p->lean_row < 0) return;
    snw_vec3 up = snw_vec3_unit(ik->options.style_up, snw_vec3_make(0, 0, 0));
    put_row3(p->target + p->lean_row, snw_quat_rotate(inverse.rotation, up), lean_scale(p));
}

static void put_turn(const snw_ik *ik, const snw__prior_goal *own, const snw_goal *goal,
                     snw_quat root_inverse, snw_quat here, double *row)
{
    snw_quat target = snw_quat_mul(root_inverse, goal->orientation);
    put_row3(row + own->row + 3 * own->has_place,
             snw_quat_log(snw_quat_mul(target, snw_quat_conjugate(here))),
             scale_of(ik, goal, true));
}

void snw__prior_put_mean(const snw_ik *ik, const snw__ik_prior *p, snw__prior_component *part,
                         const double *mean, const snw_pose *pose)
{
    for (int n = 0; n < p->goal_count; n++) {
        const snw_goal *goal = &ik->goal[p->goal[n].goal];
        snw_xform world = pose->world[goal->joint];
        part->turn[n] = world.rotation;
        if (p->goal[n].has_place)
            put_row3(part->row + p->goal[n].row, snw_xform_point(world, goal->point),
                     scale_of(ik, goal, false));
    }
    for (int k = 0; k < 3 && p->lean_row >= 0; k++)
        part->row[p->lean_row + k] = lean_scale(p) * mean[snw__prior_lean_feature(p) + k];
}

void snw__prior_put_rows(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                         const snw_pose *pose)
{
    snw_xform inverse = snw_xform_inverse(pose->root);
    for (int n = 0; n < p->goal_count; n++) {
        const snw__prior_goal *own = &p->goal[n];
        const snw_goal *goal = &goals[own->goal];
        snw_xform here = snw_xform_mul(inverse, pose->world[goal->joint]);
        double *row = p->row + own->row;
        if (own->has_place) {
            put_row3(row, snw_xform_point(here, goal->point), scale_of(ik, goal, false));
            for (int k = 0; k < 3; k++)
                row[k] = p->target[own->row + k] - row[k];
        }
        if (own->has_frame) put_turn(ik, own, goal, inverse.rotation, here.rotation, p->row);
    }
    for (int k = 0; k < 3 && p->lean_row >= 0; k++)
        p->row[p->lean_row + k] =
            p->target[p->lean_row + k] - lean_scale(p) * p->x[snw__prior_lean_feature(p) + k];
}

void snw__prior_put_mean_rows(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                              const snw_pose *pose, const snw__prior_component *part)
{
    snw_quat inverse = snw_quat_conjugate(pose->root.rotation);
    for (int r = 0; r < p->row_count; r++)
        p->row[r] = p->target[r] - part->row[r];
    for (int n = 0; n < p->goal_count; n++)
        if (p->goal[n].has_frame)
            put_turn(ik, &p->goal[n], &goals[p->goal[n].goal], inverse, part->turn[n], p->row);
}

static void put_column(const snw_ik *ik, const snw__ik_prior *p, const snw__prior_goal *own,
                       const snw_goal *goal, const snw_pose *pose, int which, int k)
{
    const snw_style_joint *joint = &p->style->joint[which];
    double *entry =
        p->jacobian + (size_t)(joint->first + k) * (size_t)p->row_count + (size_t)own->row;
    snw_vec3 axis = p->axis[which][k], moved = axis, turned = axis;
    double place = scale_of(ik, goal, false), turn = scale_of(ik, goal, true);
    /* Rows are in the body's frame. */
    snw_quat root = pose->root.rotation;
    if (snw__joint_is_slide(joint->type, k)) {
        moved = snw_vec3_scale(axis, ik->size);
        turned = snw_vec3_make(0, 0, 0);
    } else if (own->has_place) {
        snw_vec3 at = snw_xform_point(pose->world[goal->joint], goal->point);
        moved = snw_vec3_cross(axis, snw_vec3_sub(at, pose->world[p->joint_of[which]].translation));
    }
    moved = snw_quat_unrotate(root, moved);
    turned = snw_quat_unrotate(root, turned);
    if (own->has_place) {
        put_row3(entry, moved, place);
        entry += 3;
    }
    if (own->has_frame) put_row3(entry, turned, turn);
}

void snw__prior_put_jacobian(const snw_ik *ik, const snw__ik_prior *p, const snw_goal *goals,
                             const snw_pose *pose, const double *features)
{
    const snw_style *style = p->style;
    memset(p->jacobian, 0,
           (size_t)p->row_count * (size_t)style->feature_count * sizeof *p->jacobian);
    int last = -1;
    for (int n = 0; n < p->active_count; n++) {
        int s = p->joint_at[n];
        if (s >= 0 && s != last)
            snw__style_axes(style, s, p->joint_of[s], features, pose, p->axis[s]);
        last = s;
    }
    for (int n = 0; n < p->goal_count; n++) {
        const snw_goal *goal = &goals[p->goal[n].goal];
        for (int j = goal->joint; j >= 0; j = ik->skeleton->parent[j]) {
            int which = p->style_of[j];
            if (which < 0) continue;
            for (int k = 0; k < snw_joint_type_dof(style->joint[which].type); k++)
                put_column(ik, p, &p->goal[n], goal, pose, which, k);
        }
    }
    for (int k = 0; k < 3 && p->lean_row >= 0; k++)
        p->jacobian[(size_t)(snw__prior_lean_feature(p) + k) * (size_t)p->row_count +
                    (size_t)(p->lean_row + k)] = lean_scale(p);
}
