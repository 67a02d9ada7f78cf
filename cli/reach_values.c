/* What a robot takes: the value of each joint coordinate, by the joint's name, in degrees and
 * millimetres. */
#include <stdlib.h>
#include <string.h>

#include "reach.h"
#include "text.h"

/* Does coordinate k of the joint slide? */
static bool is_slide(const snw_joint *joint, int k)
{
    return joint->type == SNW_JOINT_PRISMATIC || (joint->type == SNW_JOINT_FREE && k < 3);
}

static bool is_angle(const snw_joint *joint)
{
    return joint->type == SNW_JOINT_HINGE || joint->type == SNW_JOINT_PIVOT ||
           joint->type == SNW_JOINT_UNIVERSAL;
}

int reach_joint_values(const snw_pose *pose, int joint, const double *before, double *values)
{
    const snw_joint *own = &pose->skeleton->joint[joint];
    int count = snw_joint_values(own, pose->rotation[joint], pose->slide[joint], values);
    for (int k = 0; k < count; k++) {
        if (before && is_angle(own)) {
            /* A turn on is the same pose: the one nearest to where the hinge was, in its range. */
            const double *range = own->limit.range[k];
            double turn = 2 * SNW_PI * round((before[k] - values[k]) / (2 * SNW_PI));
            bool is_allowed = !own->limit.has_range[k] || (values[k] + turn >= range[0] - 1e-9 &&
                                                           values[k] + turn <= range[1] + 1e-9);
            if (is_allowed) values[k] += turn;
        }
    }
    return count;
}

double reach_shown_value(const snw_skeleton *body, int joint, int k, double value)
{
    return is_slide(&body->joint[joint], k) ? 1000 * value : snw_degrees(value);
}

const char *reach_value_unit(const snw_skeleton *body, int joint, int k)
{
    return is_slide(&body->joint[joint], k) ? "mm" : "deg";
}

bool reach_is_robot(const snw_skeleton *body)
{
    int count = 0;
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint *joint = &body->joint[j];
        if (snw_joint_type_dof(joint->type) == 0) continue;
        if (!is_angle(joint) && joint->type != SNW_JOINT_PRISMATIC) return false;
        count++;
    }
    return count > 0;
}

static void print_head(FILE *out, const snw_skeleton *body)
{
    fputs("time_s", out);
    for (int j = 0; j < body->joint_count; j++) {
        int count = snw_joint_type_dof(body->joint[j].type);
        for (int k = 0; k < count; k++) {
            fputc(',', out);
            for (const char *c = body->name[j]; *c; c++) /* what would end the cell does not */
                fputc(*c == ',' || *c == '"' || (unsigned char)*c < 0x20 ? '_' : *c, out);
            if (count > 1) fprintf(out, ".%d", k + 1);
            fprintf(out, "_%s", reach_value_unit(body, j, k));
        }
    }
    fputc('\n', out);
}

bool reach_write_values(FILE *out, const void *context)
{
    const snw_motion *motion = context;
    const snw_skeleton *body = motion->skeleton;
    snw_pose *pose = NULL;
    double *before = calloc((size_t)body->joint_count * 6, sizeof *before);
    if (!before || snw_pose_create(body, NULL, &pose, NULL) != SNW_OK) {
        free(before);
        return false;
    }
    print_head(out, body);
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        fprintf(out, "%.9g", f / motion->rate);
        for (int j = 0; j < body->joint_count; j++) {
            double values[6], *last = before + (size_t)j * 6;
            int count = reach_joint_values(pose, j, f > 0 ? last : NULL, values);
            memcpy(last, values, sizeof values);
            for (int k = 0; k < count; k++)
                fprintf(out, ",%.9g", reach_shown_value(body, j, k, values[k]));
        }
        fputc('\n', out);
    }
    snw_pose_destroy(pose);
    free(before);
    return !ferror(out);
}
