/* Joints as markers, and segments' rotations as a moving body. */
#include <math.h>
#include <string.h>

#include <sinew/io.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"

/* ---- joints as markers ----------------------------------------------------------------------- */

snw_status snw_trial_from_motion(const snw_motion *motion, snw_up_axis up,
                                 const snw_allocator *allocator, snw_trial **out, snw_error *error)
{
    *out = NULL;
    if (!motion) return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no motion");
    snw_trial_options sizes = snw_trial_options_default();
    sizes.marker_count = motion->skeleton->joint_count;
    for (int j = 0; j < motion->skeleton->joint_count; j++)
        sizes.marker_count += motion->skeleton->has_tip[j];
    sizes.frame_count = motion->frame_count;
    sizes.rate = motion->rate;
    sizes.metres_per_unit = 0.001;
    sizes.unit = "mm";
    snw_pose *pose = NULL;
    snw_status status = snw_trial_create(&sizes, allocator, out, error);
    if (status == SNW_OK) {
        snw_trial *trial = *out;
        const snw_skeleton *body = motion->skeleton;
        int marker = 0;
        for (int j = 0; j < body->joint_count && status == SNW_OK; j++)
            status = snw_trial_set_marker_name(trial, marker++, body->name[j], error);
        for (int j = 0; j < body->joint_count && status == SNW_OK; j++) {
            char name[256];
            if (!body->has_tip[j]) continue;
            snw_format(name, sizeof name, "%s_tip", body->name[j]);
            status = snw_trial_set_marker_name(trial, marker++, name, error);
        }
    }
    if (status == SNW_OK) status = snw_pose_create(motion->skeleton, allocator, &pose, error);
    if (status == SNW_OK) {
        (*out)->up = up;
        snw_trial *trial = *out;
        const snw_skeleton *body = motion->skeleton;
        for (int f = 0; f < motion->frame_count; f++) {
            int marker = body->joint_count;
            snw_motion_get(motion, f, pose);
            snw_pose_forward(pose);
            for (int j = 0; j < body->joint_count; j++) {
                snw_trial_set(trial, f, j, pose->world[j].translation, SNW_SAMPLE_MEASURED);
                if (body->has_tip[j])
                    snw_trial_set(trial, f, marker++, snw_pose_tip(pose, j), SNW_SAMPLE_MEASURED);
            }
        }
    } else {
        snw_trial_destroy(*out);
        *out = NULL;
    }
    snw_pose_destroy(pose);
    return status;
}

/* ---- the tree of segments -------------------------------------------------------------------- */

typedef struct segment {
    int source; /* of the trial's rotations */
    snw_part part;
    snw_side side;
    int parent; /* segment, or -1 */
    int joint;  /* in the new skeleton */
    bool is_placed;
    snw_vec3 offset; /* mean place on the parent, metres */
} segment;

typedef struct segment_job {
    const snw_trial *trial;
    int count;
    segment *item;      /* (rotation_count) */
    snw_joint_def *def; /* (rotation_count) */
    int *order;         /* (rotation_count) segment of each joint */
    snw_xform *world;   /* (rotation_count) of the last frame that showed it */
    double drift2;      /* sum of squared distances from the mean places */
    int64_t drift_count, hidden_count;
} segment_job;

/* Where each part hangs, the first that is there. */
static const snw_part segment_parents[SNW_PART_COUNT][3] = {
    [SNW_PART_CHEST] = {SNW_PART_HIPS, SNW_PART_NONE, SNW_PART_NONE},
    [SNW_PART_NECK] = {SNW_PART_CHEST, SNW_PART_HIPS, SNW_PART_NONE},
    [SNW_PART_HEAD] = {SNW_PART_NECK, SNW_PART_CHEST, SNW_PART_HIPS},
    [SNW_PART_SHOULDER] = {SNW_PART_CHEST, SNW_PART_HIPS, SNW_PART_NONE},
    [SNW_PART_ARM] = {SNW_PART_SHOULDER, SNW_PART_CHEST, SNW_PART_HIPS},
    [SNW_PART_FOREARM] = {SNW_PART_ARM, SNW_PART_NONE, SNW_PART_NONE},
    [SNW_PART_HAND] = {SNW_PART_FOREARM, SNW_PART_ARM, SNW_PART_NONE},
    [SNW_PART_UPLEG] = {SNW_PART_HIPS, SNW_PART_NONE, SNW_PART_NONE},
    [SNW_PART_LEG] = {SNW_PART_UPLEG, SNW_PART_NONE, SNW_PART_NONE},
    [SNW_PART_FOOT] = {SNW_PART_LEG, SNW_PART_NONE, SNW_PART_NONE},
    [SNW_PART_TOE] = {SNW_PART_FOOT, SNW_PART_NONE, SNW_PART_NONE},
};

/* The last segment of that part: of several of the spine the upper one carries the arms. */
static int find_part(const segment_job *job, snw_part part, snw_side side)
{
    for (int n = job->count - 1; n >= 0; n--)
        if (job->item[n].part == part &&
            (job->item[n].side == side || job->item[n].side == SNW_SIDE_NONE))
            return n;
    return -1;
}

/* Parents first, the hips at the front; what hangs on nothing is left out. */
static int order_segments(segment_job *job, snw_notes *notes)
{
    int count = 0, root = find_part(job, SNW_PART_HIPS, SNW_SIDE_NONE);
    if (root < 0) return 0;
    job->item[root].joint = 0;
    job->item[root].is_placed = true;
    job->order[count++] = root;
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        for (int n = 0; n < job->count; n++) {
            segment *own = job->item + n;
            if (own->is_placed || own->parent < 0 || !job->item[own->parent].is_placed) continue;
            own->joint = count;
            own->is_placed = is_moving = true;
            job->order[count++] = n;
        }
    }
    for (int n = 0; n < job->count; n++)
        if (!job->item[n].is_placed)
            snw__note(notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                      "segment \"%.60s\" hangs on nothing and is left out",
                      job->trial->rotation_label[job->item[n].source].name);
    return count;
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* world_from_segment of a frame; false when the file does not know it. */
static bool read_segment(const snw_trial *trial, int frame, int source, snw_xform *world)
{
    size_t at =
        ((size_t)frame * (size_t)trial->rotations_per_frame) * (size_t)trial->rotation_count +
        (size_t)source;
    const float *m = trial->rotation + 17 * at;
    if (m[16] < 0) return false;
    snw_mat3 turn;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            turn.m[row][column] = m[4 * column + row];
            if (!isfinite(turn.m[row][column])) return false;
        }
    double determinant =
        turn.m[0][0] * (turn.m[1][1] * turn.m[2][2] - turn.m[1][2] * turn.m[2][1]) -
        turn.m[0][1] * (turn.m[1][0] * turn.m[2][2] - turn.m[1][2] * turn.m[2][0]) +
        turn.m[0][2] * (turn.m[1][0] * turn.m[2][1] - turn.m[1][1] * turn.m[2][0]);
    if (!(fabs(determinant - 1) < 0.1)) return false; /* not a rotation: floats leave 1e-6 */
    for (int k = 12; k < 15; k++)
        if (!isfinite(m[k])) return false;
    world->rotation = snw_quat_normalize(snw_quat_from_mat3(turn));
    world->translation = snw_vec3_scale(snw_vec3_make(m[12], m[13], m[14]), trial->metres_per_unit);
    return true;
}

/* Pass 0 sums the places on the parents, pass 1 their distances from the mean. */
static void look_at_places(segment_job *job, int count, int pass)
{
    for (int j = 1; j < count; j++) {
        segment *own = job->item + job->order[j];
        int seen = 0;
        snw_vec3 sum = {0, 0, 0};
        for (int f = 0; f < job->trial->frame_count; f++) {
            snw_xform above, here;
            if (!read_segment(job->trial, f, job->item[own->parent].source, &above) ||
                !read_segment(job->trial, f, own->source, &here))
                continue;
            snw_vec3 place = snw_xform_unpoint(above, here.translation);
            snw_vec3 off = snw_vec3_sub(place, own->offset);
            sum = snw_vec3_add(sum, place);
            if (pass == 1) job->drift2 += snw_vec3_dot(off, off);
            seen++;
        }
        if (pass == 1) job->drift_count += seen;
        if (pass == 0 && seen) own->offset = snw_vec3_scale(sum, 1.0 / seen);
    }
}

static void set_frames(segment_job *job, int count, snw_motion *motion)
{
    /* Before a segment shows for the first time it is as it shows then. */
    for (int j = 0; j < count; j++) {
        int f = 0;
        job->world[j] = snw_xform_identity();
        while (f < motion->frame_count &&
               !read_segment(job->trial, f, job->item[job->order[j]].source, job->world + j))
            f++;
    }
    for (int f = 0; f < motion->frame_count; f++) {
        for (int j = 0; j < count; j++)
            job->hidden_count +=
                !read_segment(job->trial, f, job->item[job->order[j]].source, job->world + j);
        motion->root[f] = job->world[0];
        for (int j = 1; j < count; j++) {
            int parent = job->item[job->item[job->order[j]].parent].joint;
            motion->rotation[(size_t)f * (size_t)count + (size_t)j] =
                snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(job->world[parent].rotation),
                                                job->world[j].rotation));
        }
    }
}

static snw_status build(segment_job *job, const snw_allocator *allocator, snw_skeleton **skeleton,
                        snw_motion **out, snw_notes *notes, snw_error *error)
{
    for (int r = 0; r < job->trial->rotation_count; r++) {
        segment *next = job->item + job->count;
        memset(next, 0, sizeof *next);
        const char *name = job->trial->rotation_label[r].name;
        next->source = r;
        next->part = snw_rig_part_from_name(name, &next->side);
        bool is_known = next->part != SNW_PART_NONE && next->part != SNW_PART_FINGER;
        if (!is_known)
            snw__note(notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                      "segment \"%.60s\" is of no known part and is left out", name);
        job->count += is_known;
    }
    for (int n = 0; n < job->count; n++) {
        segment *own = job->item + n;
        own->parent = -1;
        /* Segments of the spine follow each other in the order of the file. */
        for (int m = n - 1; own->part == SNW_PART_CHEST && m >= 0 && own->parent < 0; m--)
            if (job->item[m].part == SNW_PART_CHEST) own->parent = m;
        for (int k = 0; k < 3 && own->parent < 0; k++)
            if (segment_parents[own->part][k] != SNW_PART_NONE)
                own->parent = find_part(job, segment_parents[own->part][k], own->side);
    }
    int count = order_segments(job, notes);
    if (count == 0) return snw__fail(error, SNW_DEGENERATE, "no segment is called pelvis or hips");
    look_at_places(job, count, 0);
    look_at_places(job, count, 1);
    for (int j = 0; j < count; j++) {
        const segment *own = job->item + job->order[j];
        job->def[j] = snw_joint_def_default();
        job->def[j].name = job->trial->rotation_label[own->source].name;
        job->def[j].parent = j ? job->item[own->parent].joint : -1;
        job->def[j].joint.type = SNW_JOINT_BALL;
        job->def[j].rest.translation = own->offset;
    }
    snw_status status = snw_skeleton_create(job->def, count, allocator, skeleton, error);
    if (status == SNW_OK)
        status = snw_motion_create(*skeleton, job->trial->frame_count, job->trial->rate, allocator,
                                   out, error);
    if (status != SNW_OK) return status;
    set_frames(job, count, *out);
    if (job->drift_count)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "segments slide by %.1f mm (rms) at their joints, which is left out",
                  1000 * sqrt(job->drift2 / (double)job->drift_count));
    if (job->hidden_count)
        snw__note(notes, SNW_NOTE_VALUE_REPAIRED, SNW__NOWHERE,
                  "%lld poses of segments are missing and keep the last",
                  (long long)job->hidden_count);
    return status;
}

static void lay_out_segments(void *object, snw__block *block)
{
    segment_job *job = object;
    size_t count = (size_t)job->trial->rotation_count;
    job->item = snw__block_take(block, count, sizeof *job->item);
    job->def = snw__block_take(block, count, sizeof *job->def);
    job->order = snw__block_take(block, count, sizeof *job->order);
    job->world = snw__block_take(block, count, sizeof *job->world);
}

snw_status snw_motion_from_rotations(const snw_trial *trial, const snw_allocator *allocator,
                                     snw_motion **out, snw_notes *notes, snw_error *error)
{
    snw_skeleton *skeleton = NULL;
    *out = NULL;
    if (!trial || trial->rotation_count == 0 || trial->rotations_per_frame < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the capture holds no rotations");
    snw_allocator used = snw__allocator_or_default(allocator);
    segment_job job = {.trial = trial};
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_segments, &job, &used, "the segments", error);
    if (status != SNW_OK) return status;
    status = build(&job, allocator, &skeleton, out, notes, error);
    if (status == SNW_OK) {
        (*out)->own_skeleton = skeleton;
    } else {
        snw_motion_destroy(*out);
        snw_skeleton_destroy(skeleton);
        *out = NULL;
    }
    snw__block_release(&used, &block);
    return status;
}
