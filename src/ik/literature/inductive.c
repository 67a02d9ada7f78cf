/* Inductive inverse kinematics (Kim et al. 2003): a map of postures, and CCD from the nearest.
 *
 * The uniform posture map holds postures of the body, spread evenly over what its limits allow:
 * random allowed postures draw the nearest entry of the map towards themselves, less and less
 * (competitive learning; Kohonen 1990), and every entry is kept inside the limits, so that none is
 * an impossible one. It is learned when the solve is planned. A solve looks which entry, or the
 * given pose, has its goals nearest, and leads it there by cyclic coordinate descent. */
#include <string.h>

#include "ik/literature/ccd.h"

enum {
    INDUCTIVE_ENTRIES = 32,
    INDUCTIVE_LESSONS = 16 * INDUCTIVE_ENTRIES
};

typedef struct ik_inductive {
    void *ccd;                                 /* state of snw__ik_ccd */
    snw__ik_snapshot entry[INDUCTIVE_ENTRIES]; /* of the map; roots are not part of it */
    snw__ik_snapshot lesson;
} ik_inductive;

static void random_posture(const snw_ik *ik, snw_random *random, snw__ik_snapshot *out)
{
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        const snw_joint *joint = &ik->joint[j];
        out->rotation[j] = snw_quat_identity();
        out->slide[j] = snw_vec3_make(0, 0, 0);
        if (snw_joint_type_dof(joint->type) == 0) continue;
        snw__ik_scatter_joint(joint, ik->size, random, &out->rotation[j], &out->slide[j]);
        out->rotation[j] = snw_joint_limit_apply(joint, out->rotation[j]);
        out->slide[j] = snw_joint_limit_apply_slide(joint, out->slide[j]);
    }
}

static void learn_map(const snw_ik *ik, ik_inductive *map)
{
    snw_random random = snw_random_seed(ik->options.seed, 5);
    for (int i = 0; i < INDUCTIVE_ENTRIES; i++)
        random_posture(ik, &random, &map->entry[i]);
    for (int n = 0; n < INDUCTIVE_LESSONS; n++) {
        int nearest = 0;
        double least = INFINITY;
        random_posture(ik, &random, &map->lesson);
        for (int i = 0; i < INDUCTIVE_ENTRIES; i++) {
            /* Sum of squared chords between rotations, and of slides in sizes. */
            double apart = 0;
            for (int k = 0; k < ik->skeleton->joint_count; k++) {
                snw_quat p = map->entry[i].rotation[k], q = map->lesson.rotation[k];
                double slide =
                    snw_vec3_distance(map->entry[i].slide[k], map->lesson.slide[k]) / ik->size;
                apart +=
                    2 - 2 * fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z) + slide * slide;
            }
            if (apart < least) nearest = i;
            least = fmin(least, apart);
        }
        double part = 0.5 * (1 - (double)n / INDUCTIVE_LESSONS);
        snw__ik_snapshot *entry = &map->entry[nearest];
        for (int j = 0; j < ik->skeleton->joint_count; j++) {
            const snw_joint *joint = &ik->joint[j];
            snw_quat turned = snw_quat_slerp(entry->rotation[j], map->lesson.rotation[j], part);
            snw_vec3 way = snw_vec3_sub(map->lesson.slide[j], entry->slide[j]);
            entry->rotation[j] = snw_joint_limit_apply(joint, turned);
            entry->slide[j] =
                snw_joint_limit_apply_slide(joint, snw_vec3_add_scaled(entry->slide[j], part, way));
        }
    }
}

static void *inductive_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    ik_inductive *map = snw__block_take(block, 1, sizeof *map), fields = {0};
    for (int i = 0; i < INDUCTIVE_ENTRIES; i++)
        snw__ik_snapshot_layout(&fields.entry[i], n, block);
    snw__ik_snapshot_layout(&fields.lesson, n, block);
    fields.ccd = snw__ik_ccd.layout(ik, block);
    if (!map) return NULL;
    learn_map(ik, &fields);
    *map = fields;
    return map;
}

static snw__ik_report inductive_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                      snw_pose *pose)
{
    ik_inductive *map = state;
    snw_xform root = pose->root;
    double least = snw__ik_excess(ik, goals, pose);
    int nearest = -1;
    snw__ik_snapshot_take(&map->lesson, pose); /* the given pose */
    for (int i = 0; i < INDUCTIVE_ENTRIES && least > 1; i++) {
        snw__ik_snapshot_restore(&map->entry[i], pose);
        pose->root = root;
        snw_pose_forward(pose);
        double excess = snw__ik_excess(ik, goals, pose);
        if (excess < least) nearest = i;
        least = fmin(least, excess);
    }
    snw__ik_snapshot_restore(nearest < 0 ? &map->lesson : &map->entry[nearest], pose);
    pose->root = root;
    snw_pose_forward(pose);
    snw__ik_report report = snw__ik_ccd.solve(ik, map->ccd, goals, pose);
    report.solver = SNW_IK_INDUCTIVE;
    return report;
}

static snw_status inductive_check(const snw_ik *ik, snw_error *error)
{
    return snw__ik_ccd.check(ik, error);
}

const snw__ik_method snw__ik_inductive = {.solver = SNW_IK_INDUCTIVE,
                                          .check = inductive_check,
                                          .layout = inductive_layout,
                                          .solve = inductive_solve};
