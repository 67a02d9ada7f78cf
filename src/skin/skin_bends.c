/* What blending loses at a bent elbow or knee, put back where it bends: pose-space deformation
 * (Lewis, Cordner & Fong 2000) with one number for each joint, its bend, and one shape, outwards
 * along the normals, as far as vertices move with both sides: 4 w (1 - w), with w what moves with
 * the joint or below. How far follows from the volume: at 30, 60, ... 150 degrees so far that the
 * surface holds what it holds at rest; between them along the square of the angle. */
#include "skin/skin_bends.h"

#include <math.h>
#include <string.h>

#include <sinew/rig.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "solid/mesh_edges.h"

static const double bend_step = SNW_PI / 6;

double snw_skin_bend_amount(const snw_skin *skin, const snw_pose *pose, int bend, snw_blend blend)
{
    bool is_good = skin && pose && bend >= 0 && bend < skin->bend_count &&
                   (unsigned)blend <= SNW_BLEND_DUAL_QUATERNION &&
                   pose->skeleton->joint_count == skin->joint_count;
    if (!is_good) return 0;
    const snw_skin_bend *own = skin->bend + bend;
    int parent = pose->skeleton->parent[own->joint];
    snw_quat before = snw_quat_mul(snw_quat_conjugate(skin->bind[parent].rotation),
                                   skin->bind[own->joint].rotation);
    snw_quat now = snw_quat_mul(snw_quat_conjugate(pose->world[parent].rotation),
                                pose->world[own->joint].rotation);
    snw_vec3 at_rest = snw_quat_rotate(before, own->bone);
    snw_vec3 bent = snw_quat_rotate(now, own->bone);
    double angle =
        snw__atan2(snw_vec3_length(snw_vec3_cross(at_rest, bent)), snw_vec3_dot(at_rest, bent));
    double at = snw_clamp(angle / bend_step, 0, SNW_SKIN_BEND_STEPS - 1);
    int low = at < SNW_SKIN_BEND_STEPS - 2 ? (int)at : SNW_SKIN_BEND_STEPS - 2;
    const float *amount = own->amount[blend];
    /* Losses grow with the square of small angles. */
    double share = (at * at - low * low) / (2 * low + 1);
    return (double)amount[low] + share * ((double)amount[low + 1] - (double)amount[low]);
}

/* ---- where it bends -------------------------------------------------------------------------- */

/* Below which joint a knee or elbow moves everything; the bone that it turns, in its own frame. */
static bool is_bend(const snw_skeleton *skeleton, int joint, snw_vec3 *bone)
{
    snw_part part = snw_rig_part_of(skeleton, joint, NULL);
    int parent = skeleton->parent[joint], child = skeleton->first_child[joint];
    if ((part != SNW_PART_FOREARM && part != SNW_PART_LEG) || parent < 0) return false;
    if (snw_rig_part_of(skeleton, parent, NULL) == part) return false; /* a joint of the twist */
    if (child < 0 && !skeleton->has_tip[joint]) return false;
    *bone = child >= 0 ? skeleton->rest[child].translation : skeleton->tip[joint];
    *bone = snw_vec3_unit(*bone, snw_vec3_make(0, 0, 0));
    return snw_vec3_length(*bone) > 0;
}

int snw__skin_bend_count(const snw_skeleton *skeleton)
{
    int count = 0;
    snw_vec3 bone;
    for (int j = 0; j < skeleton->joint_count; j++)
        count += is_bend(skeleton, j, &bone);
    return count;
}

static bool is_below(const snw_skeleton *skeleton, int joint, int top)
{
    while (joint > top)
        joint = skeleton->parent[joint];
    return joint == top;
}

/* How much a vertex moves with both sides of the joint: 1 where half and half. */
static double both_sides(const snw_skeleton *skeleton, const snw_skin_vertex *vertex, int joint)
{
    double below = 0;
    for (int k = 0; k < SNW_SKIN_JOINTS && vertex->weight[k] > 0; k++)
        if (is_below(skeleton, vertex->joint[k], joint)) below += (double)vertex->weight[k];
    /* What moves with neither the joint nor the bone above is the trunk's: 0 or 1 there. */
    return 4 * below * (1 - below);
}

/* Shifts of unit amount, sorted by bend; a vertex belongs to the one that bends it most. */
static void find_shifts(bends_work *work, snw_skin *skin)
{
    const snw_skeleton *skeleton = work->skeleton;
    const snw_mesh *mesh = skin->mesh;
    memset(work->normal, 0, (size_t)mesh->count.vertex_count * sizeof *work->normal);
    for (int t = 0; t < mesh->count.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            snw_vec3 *n = work->normal + mesh->triangle[t][k];
            *n = snw_vec3_add(*n, snw__triangle_area(mesh, t));
        }
    work->shift_count = 0;
    for (int b = 0; b < skin->bend_count; b++) {
        work->bend[b].first = work->shift_count;
        for (int v = 0; v < mesh->count.vertex_count; v++) {
            double own = both_sides(skeleton, skin->vertex + v, work->bend[b].joint);
            bool is_best = own > 0.02;
            for (int other = 0; other < skin->bend_count && is_best; other++)
                is_best = other == b ||
                          own > both_sides(skeleton, skin->vertex + v, work->bend[other].joint);
            if (!is_best) continue;
            snw_vec3 way = snw_vec3_unit(work->normal[v], snw_vec3_make(0, 0, 0));
            work->shift[work->shift_count++] = (snw_skin_shift){
                v, {(float)(own * way.x), (float)(own * way.y), (float)(own * way.z)}};
        }
        work->bend[b].count = work->shift_count - work->bend[b].first;
    }
}

/* ---- how far --------------------------------------------------------------------------------- */

static double volume_of(const snw_mesh *mesh, const float *place)
{
    double sum = 0;
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        snw_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            const float *at = place + 3 * (size_t)mesh->triangle[t][k];
            p[k] = snw_vec3_make((double)at[0], (double)at[1], (double)at[2]);
        }
        sum += snw_vec3_dot(p[0], snw_vec3_cross(p[1], p[2])) / 6;
    }
    return sum;
}

/* The axis of the joint's own frame about which it folds: shanks to the back, forearms forwards. */
static snw_vec3 fold_axis(const snw_skin *skin, const snw_skeleton *skeleton, int joint,
                          snw_vec3 bone)
{
    const snw_joint *hinge = skeleton->joint + joint;
    if (hinge->type == SNW_JOINT_HINGE) {
        bool is_turned =
            hinge->limit.has_range[0] && hinge->limit.range[0][0] + hinge->limit.range[0][1] < 0;
        return is_turned ? snw_vec3_neg(hinge->axis) : hinge->axis;
    }
    bool is_leg = snw_rig_part_of(skeleton, joint, NULL) == SNW_PART_LEG;
    snw_quat own = skin->bind[joint].rotation;
    snw_vec3 to = snw_vec3_make(0, 0, is_leg ? -1 : 1);
    snw_vec3 axis = snw_vec3_cross(snw_quat_rotate(own, bone), to);
    return snw_quat_unrotate(own, snw_vec3_unit(axis, snw_vec3_make(1, 0, 0)));
}

/* By the secant from one amount to the next; what no amount of up to the reach restores is left. */
static float find_amount(bends_work *work, const snw_skin *skin, snw_skin_bend *bend,
                         snw_blend blend, int step)
{
    double x[2] = {0, 0}, lack[2];
    double most = 0.2 * work->reach;
    for (int round = 0; round < 6; round++) {
        bend->amount[blend][step] = (float)x[1];
        (void)snw_skin_deform(skin, work->pose, blend, work->place, NULL);
        double now = work->rest_volume - volume_of(skin->mesh, work->place);
        if (round == 0) {
            lack[0] = now;
            x[1] = snw_clamp(now / work->area, -most, most);
            continue;
        }
        lack[1] = now;
        if (!(fabs(lack[0] - lack[1]) > 1e-12)) break;
        double next = x[1] - lack[1] * (x[1] - x[0]) / (lack[1] - lack[0]);
        x[0] = x[1];
        lack[0] = lack[1];
        x[1] = snw_clamp(next, -most, most);
    }
    return (float)x[1];
}

static void measure_bend(bends_work *work, const snw_skin *skin, snw_skin_bend *bend)
{
    snw_vec3 axis = fold_axis(skin, work->skeleton, bend->joint, bend->bone);
    work->area = work->reach = 0;
    for (int n = 0; n < bend->count; n++) {
        const snw_skin_shift *shift = work->shift + bend->first + n;
        double length =
            sqrt((double)(shift->way[0] * shift->way[0] + shift->way[1] * shift->way[1] +
                          shift->way[2] * shift->way[2]));
        work->area += length * snw_vec3_length(work->normal[shift->vertex]) / 3;
        snw_vec3 from = skin->bind[bend->joint].translation;
        work->reach = fmax(work->reach, snw_vec3_distance(from, skin->mesh->vertex[shift->vertex]));
    }
    for (int step = 1; step < SNW_SKIN_BEND_STEPS && work->area > 0; step++) {
        snw_pose_reset(work->pose);
        work->pose->rotation[bend->joint] = snw_quat_from_axis_angle(axis, step * bend_step);
        snw_pose_forward(work->pose);
        for (int blend = 0; blend < 2; blend++)
            bend->amount[blend][step] = find_amount(work, skin, bend, (snw_blend)blend, step);
    }
}

void snw__skin_bends_fill(bends_work *work, snw_skin *skin)
{
    int count = 0;
    for (int j = 0; j < work->skeleton->joint_count; j++) {
        snw_vec3 bone;
        if (is_bend(work->skeleton, j, &bone))
            work->bend[count++] = (snw_skin_bend){.joint = j, .bone = bone};
    }
    find_shifts(work, skin);
    snw_pose_reset(work->pose);
    snw_pose_forward(work->pose);
    (void)snw_skin_deform(skin, work->pose, SNW_BLEND_LINEAR, work->place, NULL);
    work->rest_volume = volume_of(skin->mesh, work->place);
    for (int b = 0; b < skin->bend_count; b++)
        measure_bend(work, skin, work->bend + b);
}
