/* BVH, written so that every program shows the same: each joint has the channels Zrotation
 * Xrotation Yrotation, the root also three positions, up is +Y, the unit is that of the BVH file it
 * came from or the centimetre unless asked otherwise.
 *
 * BVH knows no turned rest frames. With Q the product of the rest rotations from the root to a
 * joint, the joint's rotation r becomes Q r Q~ and its rest translation t becomes Q_parent t: the
 * world positions stay the same. The world turn U (up to +Y) is applied to both sides, U . U~, so
 * that the rest pose stands upright too.
 *
 * A joint that cannot move, has nothing below it and no tip of its own is a point: it becomes the
 * End Site of the joint that it alone hangs from (fingertips), and its name is lost.
 *
 * A joint that slides gets OFFSET 0 0 0 and positions with the whole translation: programs that add
 * the position to the OFFSET and programs that replace it then agree. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/bvh.h"
#include "io/motion_text.h"
#include "io/text_writer.h"

/* Deeper joints are not indented further: a chain of 4096 would else be mostly tabs. */
enum {
    BVH_INDENT_MAX = 40
};

typedef struct bvh_output {
    snw__output *output;
    const snw_motion *motion;
    double units_per_metre;
    snw_quat turn;   /* U: file from the motion's world */
    int *order;      /* (joint_count) depth first, as the file lists them */
    int *depth;      /* (joint_count) */
    int *next;       /* (joint_count) next sibling, or -1 */
    int *child;      /* (joint_count) first child, or -1 */
    bool *slides;    /* (joint_count) */
    bool *is_end;    /* (joint_count) written as the End Site of its parent */
    snw_quat *frame; /* (joint_count) U Q: file rest orientation of the joint */
} bvh_output;

static void lay_out(void *object, snw__block *block)
{
    bvh_output *bvh = (bvh_output *)object;
    size_t count = (size_t)bvh->motion->skeleton->joint_count;
    bvh->order = (int *)snw__block_take(block, count, sizeof(int));
    bvh->depth = (int *)snw__block_take(block, count, sizeof(int));
    bvh->next = (int *)snw__block_take(block, count, sizeof(int));
    bvh->child = (int *)snw__block_take(block, count, sizeof(int));
    bvh->slides = (bool *)snw__block_take(block, count, sizeof(bool));
    bvh->is_end = (bool *)snw__block_take(block, count, sizeof(bool));
    bvh->frame = (snw_quat *)snw__block_take(block, count, sizeof(snw_quat));
}

static void measure_joints(bvh_output *bvh)
{
    const snw_motion *motion = bvh->motion;
    const snw_skeleton *skeleton = motion->skeleton;
    int count = skeleton->joint_count;
    for (int j = 0; j < count; j++) {
        snw_quat parent = j ? bvh->frame[skeleton->parent[j]] : bvh->turn;
        bvh->frame[j] = snw_quat_mul(parent, skeleton->rest[j].rotation);
        bvh->slides[j] = false;
        for (int frame = 0; frame < motion->frame_count && j && !bvh->slides[j]; frame++)
            bvh->slides[j] =
                snw_vec3_length2(motion->slide[(size_t)frame * (size_t)count + (size_t)j]) > 0;
        bool is_alone = j && bvh->child[skeleton->parent[j]] == j && bvh->next[j] < 0;
        bvh->is_end[j] = is_alone && bvh->child[j] < 0 && !skeleton->has_tip[j] &&
                         !bvh->slides[j] && skeleton->joint[j].type == SNW_JOINT_FIXED;
    }
}

/* ---- hierarchy ---------------------------------------------------------------------------- */

static void put_indent(bvh_output *bvh, int depth)
{
    for (int n = 0; n < depth && n < BVH_INDENT_MAX; n++)
        snw__put_string(bvh->output, "\t");
}

static void put_vector(bvh_output *bvh, snw_vec3 metres)
{
    /* + 0.0 turns -0 into 0 */
    const double part[3] = {metres.x * bvh->units_per_metre + 0.0,
                            metres.y * bvh->units_per_metre + 0.0,
                            metres.z * bvh->units_per_metre + 0.0};
    for (int k = 0; k < 3; k++) {
        if (k) snw__put_string(bvh->output, " ");
        snw__put_double(bvh->output, part[k]);
    }
}

static void put_offset(bvh_output *bvh, int depth, snw_vec3 metres)
{
    put_indent(bvh, depth);
    snw__put_string(bvh->output, "OFFSET ");
    put_vector(bvh, metres);
    snw__put_string(bvh->output, "\n");
}

static void put_hierarchy(bvh_output *bvh)
{
    int open = 0;
    snw__put_string(bvh->output, "HIERARCHY\n");
    for (int n = 0; n < bvh->motion->skeleton->joint_count; n++) {
        int joint = bvh->order[n];
        if (bvh->is_end[joint]) continue;
        for (; open > bvh->depth[joint]; open--) {
            put_indent(bvh, open - 1);
            snw__put_string(bvh->output, "}\n");
        }
        const snw_skeleton *skeleton = bvh->motion->skeleton;
        int depth = bvh->depth[joint];
        bool has_positions = joint == 0 || bvh->slides[joint];
        put_indent(bvh, depth);
        snw__put_string(bvh->output, joint ? "JOINT " : "ROOT ");
        snw__put_name(bvh->output, skeleton->name[joint], "{}", '_');
        snw__put_string(bvh->output, "\n");
        put_indent(bvh, depth);
        snw__put_string(bvh->output, "{\n");
        snw_vec3 offset = snw_vec3_make(0, 0, 0);
        if (!has_positions)
            offset = snw_quat_rotate(bvh->frame[skeleton->parent[joint]],
                                     skeleton->rest[joint].translation);
        put_offset(bvh, depth + 1, offset);
        put_indent(bvh, depth + 1);
        snw__put_string(bvh->output, has_positions ? "CHANNELS 6 Xposition Yposition Zposition "
                                                   : "CHANNELS 3 ");
        snw__put_string(bvh->output, "Zrotation Xrotation Yrotation\n");
        if (bvh->child[joint] < 0 || bvh->is_end[bvh->child[joint]]) {
            snw_vec3 tip = skeleton->has_tip[joint] ? skeleton->tip[joint] : snw_vec3_make(0, 0, 0);
            if (bvh->child[joint] >= 0) tip = skeleton->rest[bvh->child[joint]].translation;
            put_indent(bvh, depth + 1);
            snw__put_string(bvh->output, "End Site\n");
            put_indent(bvh, depth + 1);
            snw__put_string(bvh->output, "{\n");
            put_offset(bvh, depth + 2, snw_quat_rotate(bvh->frame[joint], tip));
            put_indent(bvh, depth + 1);
            snw__put_string(bvh->output, "}\n");
        }
        open = bvh->depth[joint] + 1;
    }
    for (; open > 0; open--) {
        put_indent(bvh, open - 1);
        snw__put_string(bvh->output, "}\n");
    }
}

/* ---- motion ------------------------------------------------------------------------------- */

static void put_rotation(bvh_output *bvh, snw_quat rotation)
{
    double angles[3];
    snw_quat_to_euler(rotation, SNW_EULER_ZXY, angles);
    for (int k = 0; k < 3; k++) {
        snw__put_string(bvh->output, " ");
        snw__put_double(bvh->output, snw_degrees(angles[k]) + 0.0);
    }
}

static void put_motion(bvh_output *bvh)
{
    const snw_motion *motion = bvh->motion;
    snw__put_text(bvh->output, "MOTION\nFrames: %d\nFrame Time: ", motion->frame_count);
    snw__put_exact(bvh->output, motion->rate > 0 ? 1 / motion->rate : 0);
    snw__put_string(bvh->output, "\n");
    for (int frame = 0; frame < motion->frame_count && !bvh->output->has_failed; frame++) {
        /* world = root * rest * (slide, rotation); the file's rotation is U world (U Q)~. */
        snw_xform world = snw__motion_root_joint(bvh->motion, frame);
        snw_quat turned = snw_quat_mul(bvh->turn, world.rotation);
        put_vector(bvh, snw_quat_rotate(bvh->turn, world.translation));
        put_rotation(bvh, snw_quat_mul(turned, snw_quat_conjugate(bvh->frame[0])));
        for (int n = 1; n < motion->skeleton->joint_count; n++)
            if (!bvh->is_end[bvh->order[n]]) {
                int joint = bvh->order[n];
                const snw_skeleton *skeleton = motion->skeleton;
                size_t at = (size_t)frame * (size_t)skeleton->joint_count + (size_t)joint;
                snw_quat own = bvh->frame[joint];
                snw__put_string(bvh->output, " ");
                if (bvh->slides[joint]) {
                    snw_vec3 rest = snw_quat_rotate(bvh->frame[skeleton->parent[joint]],
                                                    skeleton->rest[joint].translation);
                    put_vector(bvh, snw_vec3_add(rest, snw_quat_rotate(own, motion->slide[at])));
                }
                put_rotation(bvh, snw_quat_mul(snw_quat_mul(own, motion->rotation[at]),
                                               snw_quat_conjugate(own)));
            }
        snw__put_string(bvh->output, "\n");
    }
}

static snw_status bvh_write(snw__output *output, const snw_motion *motion)
{
    snw_status status = snw__motion_check(motion, output->error);
    if (status != SNW_OK) return status;
    double unit = output->options.metres_per_unit;
    if (!(unit > 0)) unit = motion->metres_per_unit > 0 ? motion->metres_per_unit : 0.01;
    bvh_output bvh;
    memset(&bvh, 0, sizeof bvh);
    bvh.output = output;
    bvh.motion = motion;
    bvh.units_per_metre = 1 / unit;
    bvh.turn = snw__turn_up_to_y(output->options.up);
    snw__block block;
    status = snw__block_create(&block, lay_out, &bvh, &motion->allocator, "the order of the joints",
                               output->error);
    if (status != SNW_OK) return status;
    const snw_skeleton *skeleton = bvh.motion->skeleton;
    snw__depth_first(skeleton->parent, skeleton->joint_count, bvh.next, bvh.child, bvh.order);
    for (int j = 0; j < skeleton->joint_count; j++)
        bvh.depth[j] = j ? bvh.depth[skeleton->parent[j]] + 1 : 0;
    measure_joints(&bvh);
    put_hierarchy(&bvh);
    put_motion(&bvh);
    snw__block_release(&motion->allocator, &block);
    return SNW_OK;
}

static bool sniff(const uint8_t *head, size_t size)
{
    return snw__span_starts(snw__span_of_head(head, size), "HIERARCHY");
}

const snw__format snw__format_bvh = {
    "BVH", "bvh", sniff, NULL, NULL, snw__bvh_read, bvh_write, NULL, NULL,
};
