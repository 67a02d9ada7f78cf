/* Where joints are drawn, how firmly, and how far they have to go; see prefer.h. */
#include <string.h>

#include "ik/core/prefer.h"
#include "ik/core/system_matrix.h"

bool snw__ik_has_preference(const snw_ik *ik)
{
    return ik->has_rest || ik->options.prefer != SNW_IK_PREFER_NOTHING;
}

snw__ik_preference *snw__ik_preference_layout(const snw_ik *ik, size_t rows, size_t columns,
                                              snw__block *block)
{
    size_t joint_count = (size_t)ik->skeleton->joint_count;
    snw__ik_preference fields = {0};
    snw__ik_preference *preference = snw__block_take(block, 1, sizeof *preference);
    fields.has_columns = snw__block_take(block, joint_count, sizeof(bool));
    fields.weight = snw__block_take(block, columns, sizeof(double));
    fields.way = snw__block_take(block, columns, sizeof(double));
    fields.force = snw__block_take(block, columns, sizeof(double));
    if (columns <= SNW__IK_MATRIX_COLUMNS) {
        fields.hessian = snw__ik_matrix_layout(columns, block);
        fields.curved = snw__ik_matrix_layout(columns, block);
        fields.bend = snw__block_take(block, joint_count + 1, sizeof *fields.bend);
    }
    fields.response = snw__block_take(block, snw__size_mul(rows, columns), sizeof(double));
    fields.gram = snw__block_take(block, snw__size_mul(rows, rows), sizeof(double));
    fields.was_held = snw__block_take(block, joint_count + 1, sizeof(bool));
    fields.inverse = snw__block_take(block, columns, sizeof(double));
    fields.multiplier = snw__block_take(block, rows, sizeof(double));
    if (ik->options.prefer == SNW_IK_PREFER_GIVEN)
        snw__ik_snapshot_layout(&fields.given, joint_count, block);
    if (snw__ik_springs_fits(ik)) fields.springs = snw__ik_springs_layout(ik, block);
    if (!preference) return NULL;
    *preference = fields;
    if (ik->options.prefer == SNW_IK_PREFER_START) preference->pose = &ik->given;
    if (ik->options.prefer == SNW_IK_PREFER_GIVEN) {
        snw__ik_snapshot_take(&preference->given, ik->options.preferred);
        preference->pose = &preference->given;
    }
    return preference;
}

void snw__ik_preference_plan(snw__ik_system *system)
{
    for (int m = 0; m < system->mover_count; m++)
        if (system->mover[m].joint >= 0)
            system->preference->has_columns[system->mover[m].joint] = true;
}

/* ---- what is preferred ---------------------------------------------------------------------- */

static double rest_weight(const snw_ik *ik, const snw_goal *goals, int joint)
{
    double weight = 0;
    for (int i = 0; i < ik->goal_count && ik->has_rest; i++)
        if (snw__goal_is_secondary(&goals[i]) && (goals[i].joint < 0 || goals[i].joint == joint))
            weight = fmax(weight, goals[i].weight);
    return weight;
}

static double heaviest_rest(const snw_ik *ik, const snw_goal *goals)
{
    double heaviest = 0;
    for (int i = 0; i < ik->goal_count; i++)
        if (snw__goal_is_secondary(&goals[i])) heaviest = fmax(heaviest, goals[i].weight);
    return heaviest;
}

/* Rotation and slide that the joint is drawn to. */
static void preferred_of(const snw__ik_preference *preference, int joint, bool is_rest,
                         snw_quat *rotation, snw_vec3 *slide)
{
    bool has_pose = !is_rest && preference->pose;
    *rotation = has_pose ? preference->pose->rotation[joint] : snw_quat_identity();
    *slide = has_pose ? preference->pose->slide[joint] : snw_vec3_make(0, 0, 0);
}

bool snw__ik_put_others(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    const snw__ik_preference *preference = ik->system->preference;
    bool has_changed = false;
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        bool is_rest = rest_weight(ik, goals, j) > 0;
        snw_quat rotation;
        snw_vec3 slide;
        if (preference->has_columns[j] || ik->mobility[j] == 0) continue;
        if (ik->skeleton->follow[j].is_following) continue;
        if (!is_rest && ik->options.prefer == SNW_IK_PREFER_NOTHING) continue;
        if (snw_joint_type_dof(ik->joint[j].type) == 0) continue;
        preferred_of(preference, j, is_rest, &rotation, &slide);
        rotation = snw_joint_limit_apply(&ik->joint[j], rotation);
        slide = snw_joint_limit_apply_slide(&ik->joint[j], slide);
        has_changed |= memcmp(&rotation, &pose->rotation[j], sizeof rotation) != 0 ||
                       memcmp(&slide, &pose->slide[j], sizeof slide) != 0;
        pose->rotation[j] = rotation;
        pose->slide[j] = slide;
    }
    return has_changed | snw_pose_follow(pose);
}

static void put_vec3(double *out, snw_vec3 v, double scale)
{
    out[0] = scale * v.x;
    out[1] = scale * v.y;
    out[2] = scale * v.z;
}

/* From `from` to `to` as a rotation vector in the frame after `from`. */
static snw_vec3 turn_between(snw_quat from, snw_quat to)
{
    return snw_quat_log(snw_quat_mul(snw_quat_conjugate(from), to));
}

void snw__ik_joint_way(const snw_joint *joint, const snw__ik_place *from, const snw__ik_place *to,
                       double unit, double *way)
{
    double now[6], wanted[6];
    const snw__joint_row *row = snw__joint_row_of(joint);
    if (row->is_vector) {
        if (row->slide_count > 0) put_vec3(way, snw_vec3_sub(to->slide, from->slide), unit);
        put_vec3(way + row->slide_count, turn_between(from->rotation, to->rotation), 1);
    } else {
        (void)snw_joint_values(joint, from->rotation, from->slide, now);
        int count = snw_joint_values(joint, to->rotation, to->slide, wanted);
        for (int k = 0; k < count; k++) {
            double turn = wanted[k] - now[k];
            bool is_slide = k < row->slide_count;
            if (!is_slide && !joint->limit.has_range[k]) turn = snw_wrap_angle(turn);
            way[k] = is_slide ? turn * unit : turn;
        }
    }
}

double snw__ik_fill_way(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    snw__ik_preference *preference = system->preference;
    bool has_pose = ik->options.prefer != SNW_IK_PREFER_NOTHING;
    double heaviest = heaviest_rest(ik, goals), sum = 0;
    memset(preference->way, 0, (size_t)system->column_count * sizeof(double));
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        double *way = &preference->way[mover->column_first], weight = 0;
        double rest = mover->joint < 0 ? 0 : rest_weight(ik, goals, mover->joint);
        if (rest > 0)
            weight = rest / heaviest;
        else if (has_pose)
            weight = mover->joint < 0 || mover->is_locked ? 1 : 1 / ik->mobility[mover->joint];
        if (mover->joint < 0 && preference->pose) {
            /* A free root is drawn to where the preferred pose has it, not to rest. */
            const snw_xform *wanted = &preference->pose->root;
            snw_vec3 move = snw_vec3_sub(wanted->translation, pose->root.translation);
            put_vec3(way, snw_quat_unrotate(pose->root.rotation, move), 1 / ik->size);
            put_vec3(way + 3, turn_between(pose->root.rotation, wanted->rotation), 1);
        } else if (mover->joint >= 0 && weight > 0 &&
                   !ik->skeleton->follow[mover->joint].is_following) {
            snw__ik_place here = {pose->rotation[mover->joint], pose->slide[mover->joint]}, wanted;
            preferred_of(system->preference, mover->joint, rest > 0, &wanted.rotation,
                         &wanted.slide);
            snw__ik_joint_way(&system->ik->joint[mover->joint], &here, &wanted,
                              1 / system->ik->size, way);
        }
        for (int k = 0; k < mover->column_count; k++) {
            preference->weight[mover->column_first + k] = weight;
            sum += weight * way[k] * way[k];
        }
    }
    return sum;
}

snw__ik_spring snw__ik_spring_to_preferred(const snw_ik *ik, const snw_goal *goals, int joint)
{
    snw__ik_spring spring;
    snw_vec3 slide;
    double rest = rest_weight(ik, goals, joint);
    preferred_of(ik->system->preference, joint, rest > 0, &spring.rotation, &slide);
    spring.weight = rest > 0                                      ? rest / heaviest_rest(ik, goals)
                    : ik->options.prefer != SNW_IK_PREFER_NOTHING ? 1
                                                                  : 0;
    return spring;
}
