/* A motion on another character.
 *
 * In the T-pose all frames of both bodies are the world's, so a bone that turns as its counterpart
 * has the same rotation W in the world. The middle of the hips goes
 *
 *   p = scale (p_other - ground) + ground + (ankle height - scale ankle height of the other) up
 *
 * with the ratio of leg lengths as the scale, and so do ankles: feet that stand still there stand
 * still here. What the character's own joint frames are follows at the end: C_j = W_j~ O_j is
 * constant for each joint, O_j the rotation of the character's own frame. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/order.h"
#include "retarget/retarget_body.h"

snw_retarget_options snw_retarget_options_default(void)
{
    snw_retarget_options options;
    memset(&options, 0, sizeof options);
    options.up = options.character_up = snw_vec3_make(0, 1, 0);
    options.has_feet = options.has_hands = true;
    return options;
}

typedef struct retarget_job {
    snw_retarget_options how;
    snw_allocator from_memory;
    snw_motion *source; /* the motion in a T-pose rig, +Y up */
    snw_motion *still;  /* the character at rest, one frame */
    snw_motion *rig;    /* the same in a T-pose rig; NULL: a robot, whose names tell nothing */
    snw_pose *source_pose, *pose, *own_pose; /* of source, rig, character */
    snw__retarget_body from, to;
    snw__counterpart *map; /* (character's joints) */
    snw_quat *frame;       /* (character's joints) C_j */
    bool *active;          /* (character's joints) scratch */
    snw__biped_scratch scratch;
    int frame_count;
    snw_vec3 *hips;             /* (frame_count) of the source, then of the character */
    snw_vec3 *ankle[SNW_SIDES]; /* (frame_count) where they should be */
    int *stance[SNW_SIDES];     /* (frame_count) */
    snw_vec3 *shift;            /* (frame_count) scratch */
    double *drop;               /* (2 x frame_count) by how much the hips must come down */
    double scale, arm_scale;
    double ground; /* height of standing ankles in the source */
    snw_retarget_report report;
} retarget_job;

static void lay_out(void *object, snw__block *block)
{
    retarget_job *job = (retarget_job *)object;
    size_t frames = (size_t)job->frame_count;
    size_t mine = (size_t)job->still->skeleton->joint_count;
    size_t others = (size_t)job->source->skeleton->joint_count;
    job->map = (snw__counterpart *)snw__block_take(block, mine, sizeof *job->map);
    job->frame = (snw_quat *)snw__block_take(block, mine, sizeof *job->frame);
    job->active = (bool *)snw__block_take(block, mine, sizeof *job->active);
    job->scratch.far = (double *)snw__block_take(block, mine, sizeof(double));
    job->scratch.above = (int *)snw__block_take(block, mine, sizeof(int));
    job->scratch.moving = (int *)snw__block_take(block, mine, sizeof(int));
    job->scratch.limbs = (int *)snw__block_take(block, mine, sizeof(int));
    job->scratch.next = (int *)snw__block_take(block, mine, sizeof(int));
    job->to.part = (snw_part *)snw__block_take(block, mine, sizeof(snw_part));
    job->to.side = (snw_side *)snw__block_take(block, mine, sizeof(snw_side));
    job->from.part = (snw_part *)snw__block_take(block, others, sizeof(snw_part));
    job->from.side = (snw_side *)snw__block_take(block, others, sizeof(snw_side));
    job->hips = (snw_vec3 *)snw__block_take(block, frames, sizeof(snw_vec3));
    job->shift = (snw_vec3 *)snw__block_take(block, frames, sizeof(snw_vec3));
    job->drop = (double *)snw__block_take(block, 2 * frames, sizeof(double));
    for (int side = 0; side < SNW_SIDES; side++) {
        job->ankle[side] = (snw_vec3 *)snw__block_take(block, frames, sizeof(snw_vec3));
        job->stance[side] = (int *)snw__block_take(block, frames, sizeof(int));
    }
}

/* ---- the way of hips and feet
 * -------------------------------------------------------------------- */

static snw_vec3 middle_of_hips(const snw_pose *pose, const snw__retarget_body *body)
{
    return snw_vec3_lerp(pose->world[body->leg[0].top].translation,
                         pose->world[body->leg[1].top].translation, 0.5);
}

static snw_vec3 carry(const retarget_job *job, snw_vec3 place)
{
    snw_vec3 scaled = snw_vec3_scale(place, job->scale);
    double ground = job->ground - job->from.ankle_height; /* of the source's world */
    scaled.y = job->scale * (place.y - job->ground) + ground + job->to.ankle_height;
    return scaled;
}

static void read_source(retarget_job *job)
{
    double leg[2] = {0, 0}, arm[2] = {0, 0};
    for (int side = 0; side < SNW_SIDES; side++) {
        leg[0] += job->from.leg[side].length;
        leg[1] += job->to.leg[side].length;
        arm[0] += job->from.arm[side].length;
        arm[1] += job->to.arm[side].length;
    }
    job->scale = leg[1] / leg[0];
    job->arm_scale = arm[0] > 0 && arm[1] > 0 ? arm[1] / arm[0] : 0;
    for (int f = 0; f < job->frame_count; f++) {
        snw_motion_get(job->source, f, job->source_pose);
        snw_pose_forward(job->source_pose);
        job->hips[f] = middle_of_hips(job->source_pose, &job->from);
        for (int side = 0; side < SNW_SIDES; side++)
            job->ankle[side][f] = job->source_pose->world[job->from.leg[side].end].translation;
    }
    /* Where standing ankles are: the lowest twentieth of all their heights. */
    double *height = job->drop; /* (2 x frame_count), free yet */
    int count = 0;
    for (int side = 0; side < SNW_SIDES; side++)
        for (int f = 0; f < job->frame_count; f++)
            height[count++] = job->ankle[side][f].y;
    snw__sort_doubles(height, count);
    job->ground = count ? height[count / 20] : 0;
    for (int side = 0; side < SNW_SIDES; side++) {
        job->report.stance_count += snw__find_stances(job->ankle[side], job->frame_count,
                                                      job->source->rate, job->stance[side]);
        for (int f = 0; f < job->frame_count; f++)
            job->report.planted_frame_count += job->stance[side][f] > 0;
    }
    for (int f = 0; f < job->frame_count; f++) {
        job->hips[f] = carry(job, job->hips[f]);
        for (int side = 0; side < SNW_SIDES; side++)
            job->ankle[side][f] = carry(job, job->ankle[side][f]);
    }
    for (int side = 0; side < SNW_SIDES; side++) {
        double slide = snw__plant(job->ankle[side], job->stance[side], job->frame_count,
                                  job->source->rate, job->shift);
        job->report.foot_slide_before = fmax(job->report.foot_slide_before, slide);
    }
}

/* ---- one frame
 * -------------------------------------------------------------------------------------- */

/* All bones as their counterparts, the middle of the hips at its place. */
static void turn_bones(retarget_job *job, int frame)
{
    const snw_skeleton *skeleton = job->rig->skeleton;
    snw_pose *pose = job->pose;
    const snw_xform *other = job->source_pose->world;
    snw_motion_get(job->source, frame, job->source_pose);
    snw_pose_forward(job->source_pose);
    snw_pose_reset(pose);
    for (int j = 0; j < skeleton->joint_count; j++) {
        const snw__counterpart *map = job->map + j;
        snw_quat parent = j ? pose->world[skeleton->parent[j]].rotation : snw_quat_identity();
        snw_quat world = parent;
        if (map->low >= 0)
            world = snw_quat_slerp(other[map->low].rotation, other[map->high].rotation, map->share);
        if (j)
            pose->rotation[j] = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(parent), world));
        else
            pose->root.rotation = world;
        snw_pose_forward_from(pose, j);
    }
    snw_vec3 off = snw_vec3_sub(job->hips[frame], middle_of_hips(pose, &job->to));
    pose->root.translation = snw_vec3_add(pose->root.translation, off);
    snw_pose_forward(pose);
}

static void reach_hands(retarget_job *job)
{
    for (int side = 0; side < SNW_SIDES && job->how.has_hands && job->arm_scale > 0; side++) {
        const snw__limb *arm = job->to.arm + side, *other = job->from.arm + side;
        if (!(arm->length > 0 && other->length > 0)) continue;
        const snw_xform *world = job->source_pose->world;
        snw_vec3 way = snw_vec3_sub(world[other->end].translation, world[other->top].translation);
        snw_vec3 target = snw_vec3_add_scaled(job->pose->world[arm->top].translation,
                                              arm->length / other->length, way);
        /* Elbows bend forwards in the T-pose: about -y on the left, +y on the right. */
        snw_vec3 axis = snw_quat_rotate(job->pose->world[arm->top].rotation,
                                        snw_vec3_make(0, side == SNW_SIDE_LEFT ? -1 : 1, 0));
        double error = snw__limb_reach(job->pose, arm, target, axis);
        job->report.hand_error = fmax(job->report.hand_error, error);
    }
}

/* ---- onto the character's own frames
 * ------------------------------------------------------------------- */

/* The pose of the rig as one of the character; joints keep their type and limits, and what hangs
 * from them makes up for that. */
static void take_pose(retarget_job *job, const snw_skeleton *character, snw_quat world_turn)
{
    snw_pose *own = job->own_pose;
    const snw_xform *rig = job->pose->world;
    snw_pose_reset(own);
    for (int j = 0; j < character->joint_count; j++) {
        snw_quat world = snw_quat_mul(world_turn, snw_quat_mul(rig[j].rotation, job->frame[j]));
        if (j == 0) {
            /* The root carries the body, whatever its joint may do. */
            snw_xform place =
                snw_xform_make(world, snw_quat_rotate(world_turn, rig[0].translation));
            own->root = snw_xform_mul(place, snw_xform_inverse(character->rest[0]));
        } else {
            snw_quat parent = snw_quat_mul(own->world[character->parent[j]].rotation,
                                           character->rest[j].rotation);
            snw_quat turn = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(parent), world));
            own->rotation[j] = snw_joint_limit_apply(&character->joint[j], turn);
            job->report.limited_count += snw_quat_angle_between(own->rotation[j], turn) > 1e-6;
        }
        snw_pose_forward_from(own, j);
    }
}

/* Where limits keep feet from their places, the whole body makes up for that. */
static snw_status follow_feet(retarget_job *job, snw_quat world_turn, snw_motion *out,
                              snw_error *error)
{
    snw__reach reach;
    snw_status status =
        snw__reach_limited(&reach, out->skeleton, &job->to, &job->from_memory, error);
    for (int f = 0; f < job->frame_count && status == SNW_OK; f++) {
        snw_vec3 ankle[SNW_SIDES];
        for (int side = 0; side < SNW_SIDES; side++)
            ankle[side] = snw_quat_rotate(world_turn, job->ankle[side][f]);
        snw_motion_get(out, f, job->own_pose);
        snw_pose_forward(job->own_pose);
        snw__reach_feet(&reach, ankle, job->own_pose);
        snw_motion_set(out, f, job->own_pose);
    }
    snw__reach_release(&reach);
    return status;
}

/* What was really reached, types and limits applied. */
static void measure_feet(retarget_job *job, snw_quat world_turn, const snw_motion *out)
{
    for (int f = 0; f < job->frame_count; f++) {
        snw_motion_get(out, f, job->own_pose);
        snw_pose_forward(job->own_pose);
        for (int side = 0; side < SNW_SIDES; side++) {
            snw_vec3 wanted = snw_quat_rotate(world_turn, job->ankle[side][f]);
            job->ankle[side][f] = job->own_pose->world[job->to.leg[side].end].translation;
            if (job->how.has_feet)
                job->report.foot_error =
                    fmax(job->report.foot_error, snw_vec3_distance(wanted, job->ankle[side][f]));
        }
    }
    for (int side = 0; side < SNW_SIDES; side++)
        job->report.foot_slide =
            fmax(job->report.foot_slide,
                 snw__slide_of(job->ankle[side], job->stance[side], job->frame_count));
}

/* ---- all of it
 * -------------------------------------------------------------------------------------------- */

static snw_status carry_frames(retarget_job *job, const snw_skeleton *character, snw_motion *out,
                               snw_error *error)
{
    snw_status status = SNW_OK;
    snw_quat world_turn = snw_quat_between(snw_vec3_make(0, 1, 0), job->how.character_up);
    read_source(job);
    for (int f = 0; f < job->frame_count; f++) {
        turn_bones(job, f);
        /* By how much the hips must come down so that both ankles are in reach. */
        job->drop[f] = 0;
        if (job->how.has_feet) {
            for (int side = 0; side < SNW_SIDES; side++) {
                snw_vec3 hip = job->pose->world[job->to.leg[side].top].translation;
                snw_vec3 way = snw_vec3_sub(job->ankle[side][f], hip);
                double flat2 = way.x * way.x + way.z * way.z,
                       reach = 0.9995 * job->to.leg[side].length;
                if (snw_vec3_length(way) <= reach || !(reach * reach > flat2)) continue;
                job->drop[f] = fmax(job->drop[f], -way.y - sqrt(reach * reach - flat2));
            }
        }
    }
    /* The largest near by, then the mean of those: never less than needed, and no jumps. */
    double *need = job->drop, *most = job->drop + job->frame_count;
    int half = (int)(0.1 * job->source->rate) + 1; /* [chosen] a tenth of a second */
    for (int f = 0; f < job->frame_count; f++) {
        most[f] = 0;
        for (int n = f - half; n <= f + half; n++)
            if (n >= 0 && n < job->frame_count) most[f] = fmax(most[f], need[n]);
    }
    for (int f = 0; f < job->frame_count; f++) {
        double sum = 0;
        for (int n = f - half; n <= f + half; n++)
            sum += most[n < 0 ? 0 : n < job->frame_count ? n : job->frame_count - 1];
        job->hips[f].y -= sum / (2 * half + 1);
    }
    for (int f = 0; f < job->frame_count; f++) {
        turn_bones(job, f);
        for (int side = 0; side < SNW_SIDES && job->how.has_feet; side++) {
            const snw__limb *leg = job->to.leg + side;
            /* Knees bend about the axis that points left: the shank goes back. */
            snw_vec3 axis =
                snw_quat_rotate(job->pose->world[leg->top].rotation, snw_vec3_make(1, 0, 0));
            snw__limb_reach(job->pose, leg, job->ankle[side][f], axis);
        }
        reach_hands(job);
        take_pose(job, character, world_turn);
        snw_motion_set(out, f, job->own_pose);
    }
    if (job->how.has_feet && job->report.limited_count)
        status = follow_feet(job, world_turn, out, error);
    measure_feet(job, world_turn, out);
    return status;
}

/* ---- robots ---------------------------------------------------------------------------------- */

static snw_vec3 way_of(const snw_xform *world, int from, int to, snw_quat turn, double length)
{
    snw_vec3 way = snw_vec3_sub(world[to].translation, world[from].translation);
    return snw_quat_rotate(turn, snw_vec3_scale(snw_vec3_unit(way, way), length));
}

/* A turn since the T-pose, in the robot's axes. */
static snw_quat turn_of(const snw_xform *world, int joint, snw_quat turn)
{
    if (joint < 0) return snw_quat_identity();
    return snw_quat_mul(snw_quat_mul(turn, world[joint].rotation), snw_quat_conjugate(turn));
}

static int last_of(const snw__retarget_body *body, snw_part part)
{
    int last = -1;
    for (int j = 0; j < body->skeleton->joint_count; j++)
        if (body->part[j] == part) last = j;
    return last;
}

static double way_between(const snw_pose *rest, int a, int b)
{
    return snw_vec3_distance(rest->world[a].translation, rest->world[b].translation);
}

static void wish_of(const retarget_job *job, int frame, const snw_pose *rest, snw_quat turn,
                    snw__biped_wish *wish)
{
    const snw_xform *world = job->source_pose->world;
    int chest = last_of(&job->from, SNW_PART_CHEST), head = last_of(&job->from, SNW_PART_HEAD);
    memset(wish, 0, sizeof *wish);
    wish->hips = snw_quat_rotate(turn, job->hips[frame]);
    wish->pelvis_turn = turn_of(world, 0, turn);
    wish->chest_turn = turn_of(world, chest >= 0 ? chest : 0, turn);
    wish->head_turn = turn_of(world, head >= 0 ? head : chest, turn);
    for (int side = 0; side < SNW_SIDES; side++) {
        const snw__limb *leg = job->from.leg + side, *arm = job->from.arm + side;
        const snw__limb *own = job->to.leg + side, *other = job->to.arm + side;
        wish->ankle[side] = snw_quat_rotate(turn, job->ankle[side][frame]);
        wish->foot_turn[side] = turn_of(world, leg->end, turn);
        wish->thigh[side] =
            way_of(world, leg->top, leg->middle, turn, way_between(rest, own->top, own->middle));
        if (!(arm->length > 0 && other->length > 0)) continue;
        wish->elbow[side] = way_of(world, arm->top, arm->middle, turn,
                                   way_between(rest, other->top, other->middle));
        wish->wrist[side] =
            snw_vec3_add(wish->elbow[side], way_of(world, arm->middle, arm->end, turn,
                                                   way_between(rest, other->middle, other->end)));
    }
}

/* Of the T-pose's world, +y up and looking along +z, in the robot's. */
static snw_quat robot_turn(const snw__biped *robot)
{
    snw_vec3 ahead = snw_vec3_cross(robot->left, robot->up);
    const snw_vec3 column[3] = {robot->left, robot->up, ahead};
    snw_mat3 m;
    for (int c = 0; c < 3; c++) {
        m.m[0][c] = column[c].x;
        m.m[1][c] = column[c].y;
        m.m[2][c] = column[c].z;
    }
    return snw_quat_from_mat3(m);
}

static snw_status carry_robot(retarget_job *job, const snw__biped *robot, snw_pose *rest,
                              snw_motion *out, snw_error *error)
{
    snw_quat turn = robot_turn(robot);
    snw__reach reach;
    for (int side = 0; side < SNW_SIDES; side++) {
        job->to.leg[side] = robot->leg[side];
        job->to.arm[side] = robot->arm[side];
        /* The sole lies where the lowest of what hangs on the ankle does. */
        double ankle = snw_vec3_dot(rest->world[robot->leg[side].end].translation, robot->up);
        for (int j = robot->leg[side].end; j < rest->skeleton->joint_count; j++)
            job->to.ankle_height =
                fmax(job->to.ankle_height, ankle - snw_vec3_dot(snw_pose_tip(rest, j), robot->up));
    }
    read_source(job);
    snw_status status = snw__reach_robot(&reach, rest, robot, &job->from_memory, error);
    for (int f = 0; f < job->frame_count && status == SNW_OK; f++) {
        snw__biped_wish wish;
        snw_motion_get(job->source, f, job->source_pose);
        snw_pose_forward(job->source_pose);
        wish_of(job, f, rest, turn, &wish);
        if (f == 0) {
            snw_vec3 hips = snw_vec3_lerp(rest->world[robot->leg[0].top].translation,
                                          rest->world[robot->leg[1].top].translation, 0.5);
            job->own_pose->root.rotation = wish.pelvis_turn;
            job->own_pose->root.translation =
                snw_vec3_sub(wish.hips, snw_quat_rotate(wish.pelvis_turn, hips));
            snw_pose_forward(job->own_pose);
        }
        snw__reach_robot_frame(&reach, &wish, rest, f == 0, job->own_pose);
        snw_motion_set(out, f, job->own_pose);
        for (int side = 0; side < SNW_SIDES; side++) {
            const snw__limb *arm = robot->arm + side;
            if (!(arm->length > 0)) continue;
            snw_vec3 wrist = snw_vec3_sub(job->own_pose->world[arm->end].translation,
                                          job->own_pose->world[arm->top].translation);
            job->report.hand_error =
                fmax(job->report.hand_error, snw_vec3_distance(wrist, wish.wrist[side]));
        }
        job->report.limited_count +=
            snw_ik_stepper_active_limits(reach.stepper, job->own_pose, job->active);
    }
    snw__reach_release(&reach);
    if (status == SNW_OK) measure_feet(job, turn, out);
    return status;
}

/* The character's own frames in the T-pose, and which of its joints follow which. */
static void match_frames(retarget_job *job, const snw_skeleton *character)
{
    snw__retarget_map(&job->from, &job->to, job->map);
    snw_motion_get(job->rig, 0, job->pose);
    snw_pose_forward(job->pose);
    snw_pose_reset(job->own_pose);
    snw_quat turn = snw_quat_between(job->how.character_up, snw_vec3_make(0, 1, 0));
    for (int j = 0; j < character->joint_count; j++) {
        snw_quat own = snw_quat_mul(turn, job->own_pose->world[j].rotation);
        job->frame[j] = snw_quat_mul(snw_quat_conjugate(job->pose->world[j].rotation), own);
        if (job->map[j].low >= 0)
            job->report.mapped_count++;
        else
            job->report.still_count++;
    }
}

static double largest_jump(const snw_motion *motion)
{
    double jump = 0;
    size_t joints = (size_t)motion->skeleton->joint_count;
    for (size_t n = joints; n < joints * (size_t)motion->frame_count; n++)
        if (n % joints != 0)
            jump = fmax(jump,
                        snw_quat_angle_between(motion->rotation[n], motion->rotation[n - joints]));
    return jump;
}

/* A robot's joints follow no bones: all of them help. */
static snw_status run_robot(retarget_job *job, const snw__biped *robot, snw_motion *out,
                            snw_error *error)
{
    snw_pose *rest = NULL;
    snw_status status = snw_pose_create(out->skeleton, &job->from_memory, &rest, error);
    if (status != SNW_OK) return status;
    snw_pose_reset(rest);
    status = carry_robot(job, robot, rest, out, error);
    for (int j = 0; j < out->skeleton->joint_count; j++)
        job->report.mapped_count += snw_joint_type_dof(out->skeleton->joint[j].type) > 0;
    job->report.still_count = out->skeleton->joint_count - job->report.mapped_count;
    snw_pose_destroy(rest);
    return status;
}

static bool is_robot(retarget_job *job, const snw_skeleton *character, snw__biped *robot)
{
    if (job->rig) return false;
    snw_pose_reset(job->own_pose);
    return character->joint_count > 0 &&
           snw__biped_read(job->own_pose, job->how.character_up, job->scratch, robot);
}

static snw_status run(retarget_job *job, const snw_motion *motion, const snw_skeleton *character,
                      snw_motion **out, snw_error *error)
{
    const snw_allocator *from = &job->from_memory;
    snw__block block;
    snw__biped robot;
    bool has_robot = false;
    snw_status status = snw__block_create(&block, lay_out, job, from, "a retargeting", error);
    if (status != SNW_OK) return status;
    job->from.skeleton = job->source->skeleton;
    job->to.skeleton = job->rig ? job->rig->skeleton : character;
    status = snw_pose_create(job->source->skeleton, from, &job->source_pose, error);
    if (status == SNW_OK) status = snw_pose_create(character, from, &job->own_pose, error);
    if (status == SNW_OK && job->rig)
        status = snw_pose_create(job->rig->skeleton, from, &job->pose, error);
    if (status == SNW_OK) has_robot = is_robot(job, character, &robot);
    if (status == SNW_OK && (!snw__retarget_body_read(&job->from) ||
                             !(has_robot || (job->rig && snw__retarget_body_read(&job->to)))))
        status = snw__fail(error, SNW_UNSUPPORTED,
                           "the joints' names do not tell hips, knees and ankles of both sides");
    if (status == SNW_OK)
        status = snw_motion_create(character, motion->frame_count, motion->rate, from, out, error);
    if (status == SNW_OK && !has_robot) match_frames(job, character);
    if (status == SNW_OK)
        status = has_robot ? run_robot(job, &robot, *out, error)
                           : carry_frames(job, character, *out, error);
    if (status == SNW_OK) {
        job->report.jump_before = largest_jump(job->source);
        job->report.jump = largest_jump(*out);
        job->report.scale = job->scale;
    } else {
        snw_motion_destroy(*out);
        *out = NULL;
    }
    snw_pose_destroy(job->source_pose);
    snw_pose_destroy(job->pose);
    snw_pose_destroy(job->own_pose);
    snw__block_release(from, &block);
    return status;
}

/* Whether the names of the character's rig tell its legs. */
static bool has_legs(const retarget_job *job)
{
    const snw_skeleton *skeleton = job->rig->skeleton;
    int count = 0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_part part = snw_rig_part_of(skeleton, j, NULL);
        count += part == SNW_PART_UPLEG || part == SNW_PART_LEG || part == SNW_PART_FOOT;
    }
    return count >= 3 * SNW_SIDES;
}

snw_status snw_motion_retarget(const snw_motion *motion, const snw_skeleton *character,
                               const snw_retarget_options *options, const snw_allocator *allocator,
                               snw_motion **out, snw_error *error)
{
    if (!out || !motion || !character)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "motion, character or out is NULL");
    *out = NULL;
    retarget_job job;
    memset(&job, 0, sizeof job);
    job.how = SNW__WANTS_DEFAULTS(options) ? snw_retarget_options_default() : *options;
    job.from_memory = snw__allocator_or_default(allocator);
    job.frame_count = motion->frame_count;
    if (!(snw_vec3_length(job.how.up) > 0) || !(snw_vec3_length(job.how.character_up) > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "up has no direction");
    const snw_allocator *from = &job.from_memory;
    snw_rig_options rig_options = snw_rig_options_default();
    rig_options.up = job.how.up;
    snw_status status = snw_motion_to_rig(motion, &rig_options, from, &job.source, NULL, error);
    if (status == SNW_OK) status = snw_motion_create(character, 1, 1, from, &job.still, error);
    rig_options.up = job.how.character_up;
    if (status == SNW_OK) {
        status = snw_motion_to_rig(job.still, &rig_options, from, &job.rig, NULL, error);
        /* Names that tell no hips: perhaps a robot. */
        if (status == SNW_UNSUPPORTED) status = SNW_OK;
    }
    if (status == SNW_OK && job.rig && !has_legs(&job)) {
        snw_motion_destroy(job.rig);
        job.rig = NULL;
    }
    if (status == SNW_OK) status = run(&job, motion, character, out, error);
    snw_motion_destroy(job.source);
    snw_motion_destroy(job.still);
    snw_motion_destroy(job.rig);
    if (status != SNW_OK) return status;
    if (job.how.report) *job.how.report = job.report;
    return snw__succeed(error);
}
