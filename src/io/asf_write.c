/* ASF, written for any body. A bone of ASF has one end where all its children start; our joints may
 * have children anywhere. A joint whose children all start at one place becomes one bone that ends
 * there. Otherwise it becomes a bone of no length, and each child hangs on a bone without degrees
 * of freedom, called "CHILD_link", that leads to it (as CMU's lhipjoint and rhipjoint do).
 *
 * The frame of a bone is the joint's frame at rest, turned where a hinge's axis is no coordinate
 * axis; see acclaim.h. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/acclaim.h"
#include "io/motion_text.h"
#include "io/text_writer.h"

typedef struct asf_writer {
    snw__output *output;
    const snw_skeleton *skeleton;
    char (*names)[SNW__NAME_SIZE];
    snw_quat *frame; /* (joint_count) rest orientation in the file's world, not aligned */
    snw_vec3 *end;   /* (joint_count) end of the bone from its start, file's world, metres */
    bool *has_links; /* (joint_count) children hang on links */
    bool *has_child; /* (joint_count) */
    double units_per_metre;
    int id;
} asf_writer;

static snw_vec3 start_of(const asf_writer *writer, int joint)
{
    int parent = writer->skeleton->parent[joint];
    return snw_quat_rotate(writer->frame[parent], writer->skeleton->rest[joint].translation);
}

static bool needs_link(const asf_writer *writer, int joint)
{
    return joint > 0 && writer->has_links[writer->skeleton->parent[joint]] &&
           snw_vec3_length(start_of(writer, joint)) > 0;
}

/* ---- bones -------------------------------------------------------------------------------- */

static void put_three(asf_writer *writer, const char *key, const double numbers[3])
{
    snw__put_string(writer->output, key);
    for (int k = 0; k < 3; k++) {
        snw__put_string(writer->output, " ");
        snw__put_double(writer->output, numbers[k] + 0.0);
    }
}

static void put_bone_head(asf_writer *writer, const char *name, const char *suffix, snw_vec3 end)
{
    double length = snw_vec3_length(end);
    snw_vec3 direction = snw_vec3_unit(end, snw_vec3_make(0, 1, 0));
    const double numbers[3] = {direction.x, direction.y, direction.z};
    snw__put_text(writer->output, "  begin\n    id %d\n    name %s%s\n", ++writer->id, name,
                  suffix);
    put_three(writer, "    direction", numbers);
    snw__put_string(writer->output, "\n    length ");
    snw__put_double(writer->output, length * writer->units_per_metre);
    snw__put_string(writer->output, "\n");
}

static void put_limits(asf_writer *writer, const snw_joint *joint, int count)
{
    if (count > 2 || !joint->limit.has_range[0] || (count == 2 && !joint->limit.has_range[1]))
        return;
    snw__put_string(writer->output, "    limits");
    for (int n = 0; n < count; n++) {
        const double *range = joint->limit.range[count - 1 - n];
        snw__put_string(writer->output, " (");
        snw__put_double(writer->output, snw_degrees(range[0]));
        snw__put_string(writer->output, " ");
        snw__put_double(writer->output, snw_degrees(range[1]));
        snw__put_string(writer->output, ")");
    }
    snw__put_string(writer->output, "\n");
}

/* ---- file --------------------------------------------------------------------------------- */

static void put_file(asf_writer *writer)
{
    snw__put_string(writer->output, "# written by sinew\n:version 1.10\n:name sinew\n:units\n"
                                    "  mass 1\n  length ");
    snw__put_exact(writer->output, 0.0254 * writer->units_per_metre);
    snw__put_string(writer->output, "\n  angle deg\n:documentation\n  lengths are inches times the "
                                    "number above\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n"
                                    "  position 0 0 0\n  orientation 0 0 0\n");
    snw__put_string(writer->output, ":bonedata\n");
    for (int j = 1; j < writer->skeleton->joint_count; j++) {
        if (needs_link(writer, j)) {
            put_bone_head(writer, writer->names[j], "_link", start_of(writer, j));
            snw__put_string(writer->output, "    axis 0 0 0 XYZ\n  end\n");
        }
        static const char *const words[] = {"rx", "ry", "rz", "tx", "ty", "tz"};
        const snw_joint *joint = writer->skeleton->joint + j;
        snw__acclaim_plan plan = snw__acclaim_plan_joint(joint);
        double zyx[3];
        snw_quat_to_euler(snw_quat_mul(writer->frame[j], plan.align), SNW_EULER_ZYX, zyx);
        const double angles_deg[3] = {snw_degrees(zyx[2]), snw_degrees(zyx[1]),
                                      snw_degrees(zyx[0])};
        put_bone_head(writer, writer->names[j], "", writer->end[j]);
        put_three(writer, "    axis", angles_deg);
        snw__put_string(writer->output, " XYZ\n");
        if (plan.channels.count) {
            snw__put_string(writer->output, "    dof");
            for (int n = 0; n < plan.channels.count; n++)
                snw__put_text(writer->output, " %s", words[plan.channels.dof[n]]);
            snw__put_string(writer->output, "\n");
            put_limits(writer, joint, plan.channels.count);
        }
        snw__put_string(writer->output, "  end\n");
    }
    snw__put_string(writer->output, ":hierarchy\n  begin\n");
    for (int j = 1; j < writer->skeleton->joint_count; j++) {
        const char *parent = writer->names[writer->skeleton->parent[j]];
        const char *own = writer->names[j];
        if (needs_link(writer, j))
            snw__put_text(writer->output, "    %s %s_link\n    %s_link %s\n", parent, own, own,
                          own);
        else
            snw__put_text(writer->output, "    %s %s\n", parent, own);
    }
    snw__put_string(writer->output, "  end\n");
}

static void lay_out(void *object, snw__block *block)
{
    asf_writer *writer = (asf_writer *)object;
    size_t count = (size_t)writer->skeleton->joint_count;
    writer->frame = (snw_quat *)snw__block_take(block, count, sizeof(snw_quat));
    writer->end = (snw_vec3 *)snw__block_take(block, count, sizeof(snw_vec3));
    writer->has_links = (bool *)snw__block_take(block, count, sizeof(bool));
    writer->has_child = (bool *)snw__block_take(block, count, sizeof(bool));
}

static snw_status write_motion(snw__output *output, const snw_motion *motion)
{
    const snw_allocator *allocator = &motion->allocator;
    double unit = output->options.metres_per_unit;
    asf_writer writer;
    memset(&writer, 0, sizeof writer);
    writer.output = output;
    writer.skeleton = motion->skeleton;
    writer.units_per_metre = 1 / (unit > 0 ? unit : 0.0254 / 0.45);
    if (motion->skeleton->joint_count < 2)
        return snw__fail(output->error, SNW_UNSUPPORTED,
                         "ASF holds bones, and a body of one joint has none");
    size_t names_size = (size_t)motion->skeleton->joint_count * SNW__NAME_SIZE;
    writer.names = snw__acclaim_names(motion->skeleton, allocator);
    if (!writer.names) return snw__fail_memory(output->error, names_size, "the names of the bones");
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &writer, allocator,
                                          "the ends of the bones", output->error);
    if (status == SNW_OK) {
        const snw_skeleton *skeleton = writer.skeleton;
        for (int j = 0; j < skeleton->joint_count; j++) {
            snw_quat parent =
                j ? writer.frame[skeleton->parent[j]] : snw__turn_up_to_y(output->options.up);
            writer.frame[j] = snw_quat_mul(parent, skeleton->rest[j].rotation);
            if (j == 0) continue;
            int above = skeleton->parent[j];
            snw_vec3 start = start_of(&writer, j);
            /* All children of the root start at the root. */
            snw_vec3 common = above && !writer.has_child[above] ? start : writer.end[above];
            if (snw_vec3_distance(start, common) > 0) writer.has_links[above] = true;
            writer.end[above] = common;
            writer.has_child[above] = true;
        }
        for (int j = 1; j < skeleton->joint_count; j++) {
            if (writer.has_links[j]) writer.end[j] = snw_vec3_make(0, 0, 0);
            if (!writer.has_child[j] && skeleton->has_tip[j])
                writer.end[j] = snw_quat_rotate(writer.frame[j], skeleton->tip[j]);
        }
        put_file(&writer);
    }
    snw__block_release(allocator, &block);
    snw__release(allocator, writer.names, names_size);
    return status;
}

static snw_status read_motion(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion)
{
    snw__acclaim acclaim;
    snw_status status = snw__asf_read_body(reading, &acclaim, skeleton);
    if (status != SNW_OK) return status;
    snw__acclaim_release(&acclaim);
    status = snw_motion_create(*skeleton, 0, 120, &reading->allocator, motion, reading->error);
    if (status != SNW_OK) {
        snw_skeleton_destroy(*skeleton);
        *skeleton = NULL;
    }
    return status;
}

static bool sniff(const uint8_t *head, size_t size)
{
    static const char *const keys[] = {":version",       ":name", ":units",
                                       ":documentation", ":root", ":bonedata"};
    snw__text_input text = snw__text_of_head(head, size);
    snw__span line;
    if (!snw__acclaim_line(&text, &line)) return false;
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
        if (snw__span_starts(line, keys[n])) return true;
    return false;
}

const snw__format snw__format_asf = {
    "ASF", "asf", sniff, NULL, NULL, read_motion, write_motion, NULL, NULL,
};
