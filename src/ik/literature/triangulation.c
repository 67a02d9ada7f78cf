/* triangulation: the cosine rule from the root outwards, one pass (R. Mueller-Cajar & R. Mukundan,
 * "Triangulation: a new algorithm for inverse kinematics", IVCNZ 2007).
 *
 * At each joint the bone (length a), the rest of the chain taken as straight (length b) and the way
 * to the target (length c) are the sides of a triangle. Where it closes, the bone turns in the
 * plane it spans with the target until its angle to the target is acos((a^2 + c^2 - b^2) / (2 a
 * c)); the rest of the chain then points straight at the target. Where the target is too far the
 * bone points at it, where it is too near the bone points away (a < b) or at it (a > b). One
 * effector, a chain of ball joints without limits; the result is exact in one pass, but bends the
 * first joints only. */
#include "base/fail.h"
#include "ik/core/bones.h"

typedef struct triangulation_state {
    snw__bones bones;
    snw_vec3 *direction; /* (bone_count) */
} triangulation_state;

static snw_status triangulation_check(const snw_ik *ik, snw_error *error)
{
    if (snw__bones_goal_count(ik) != 1)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "triangulation serves one effector, this problem has %d",
                         snw__bones_goal_count(ik));
    return snw__bones_check(ik, false, error);
}

static void *triangulation_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    triangulation_state *state = snw__block_take(block, 1, sizeof *state), s = {0};
    snw__bones_layout(&s.bones, ik, block);
    s.direction = snw__block_take(block, n, sizeof *s.direction);
    if (state != NULL) *state = s;
    return state;
}

static snw_vec3 place_bone(snw_vec3 bone, snw_vec3 way, double length, double rest)
{
    double distance = snw_vec3_length(way);
    snw_vec3 ray = snw_vec3_unit(way, bone);
    if (distance >= length + rest) return ray;
    if (distance <= fabs(length - rest)) return length > rest ? ray : snw_vec3_neg(ray);
    double cosine = (length * length + distance * distance - rest * rest) / (2 * length * distance);
    /* At this angle from the way to the target, in the plane the bone spans with it. */
    cosine = snw_clamp(cosine, -1, 1);
    snw_vec3 side = snw_vec3_add_scaled(bone, -snw_vec3_dot(bone, ray), ray);
    side = snw_vec3_length(side) > 1e-9 ? snw_vec3_unit(side, ray) : snw_vec3_perpendicular(ray);
    double sine = sqrt(fmax(0, 1 - cosine * cosine));
    return snw_vec3_add_scaled(snw_vec3_scale(ray, cosine), sine, side);
}

static snw__ik_report triangulation_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                          snw_pose *pose)
{
    triangulation_state *s = state;
    snw__ik_report report = {.outcome = SNW_IK_REACHED, .solver = SNW_IK_TRIANGULATION};
    snw_vec3 place = pose->world[s->bones.joint[0]].translation;
    snw_vec3 target = goals[s->bones.goal[s->bones.bone_count - 1]].position;
    double rest = s->bones.length_sum;
    snw__bones_directions(&s->bones, pose, s->direction);
    for (int b = 0; b < s->bones.bone_count; b++) {
        double length = s->bones.length[b];
        snw_vec3 way = snw_vec3_sub(target, place);
        rest = fmax(0, rest - length);
        s->direction[b] = place_bone(s->direction[b], way, length, rest);
        place = snw_vec3_add_scaled(place, length, s->direction[b]);
    }
    report.iterations = 1;
    snw__bones_turn(ik, &s->bones, s->direction, pose);
    report.world_is_valid = true;
    return report;
}

const snw__ik_method snw__ik_triangulation = {.solver = SNW_IK_TRIANGULATION,
                                              .check = triangulation_check,
                                              .layout = triangulation_layout,
                                              .solve = triangulation_solve};
