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

/* Coordinates of a joint (6 at most), radians and metres; hinges on the turn nearest to `before`
 * (or NULL) that their range allows. Returns how many. */
static int joint_values(const snw_pose *pose, int joint, const double *before, double *values)
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
    value += body->value_at_rest[joint];
    return is_slide(&body->joint[joint], k) ? 1000 * value : snw_degrees(value);
}

const char *reach_value_unit(const snw_skeleton *body, int joint, int k)
{
    return is_slide(&body->joint[joint], k) ? "mm" : "deg";
}

bool reach_is_robot(const snw_skeleton *body)
{
    int count = 0;
    bool is_single = true;
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint *joint = &body->joint[j];
        if (snw_joint_type_dof(joint->type) == 0) continue;
        if (body->joint_name[j] != body->name[j]) return true; /* a file's */
        is_single &= is_angle(joint) || joint->type == SNW_JOINT_PRISMATIC;
        count++;
    }
    return count > 0 && is_single;
}

static void print_head(FILE *out, const snw_skeleton *body)
{
    fputs("time_s", out);
    for (int j = 0; j < body->joint_count; j++) {
        int count = snw_joint_type_dof(body->joint[j].type);
        for (int k = 0; k < count; k++) {
            fputc(',', out);
            for (const char *c = body->joint_name[j]; *c;
                 c++) /* what would end the cell does not */
                fputc(*c == ',' || *c == '"' || (unsigned char)*c < 0x20 ? '_' : *c, out);
            if (count > 1) fprintf(out, ".%d", k + 1);
            fprintf(out, "_%s", reach_value_unit(body, j, k));
        }
    }
    fputc('\n', out);
}

static void print_values_row(FILE *out, const snw_skeleton *body, double time, const double *value)
{
    fprintf(out, "%.9g", time);
    for (int j = 0; j < body->joint_count; j++)
        for (int k = 0; k < snw_joint_type_dof(body->joint[j].type); k++)
            fprintf(out, ",%.9g", reach_shown_value(body, j, k, value[6 * (size_t)j + (size_t)k]));
    fputc('\n', out);
}

double *reach_values(const snw_motion *motion, FILE *out)
{
    const snw_skeleton *body = motion->skeleton;
    snw_pose *pose = NULL;
    double *last = calloc((size_t)body->joint_count * 6, sizeof *last);
    if (!last || snw_pose_create(body, NULL, &pose, NULL) != SNW_OK) {
        free(last);
        return NULL;
    }
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        for (int j = 0; j < body->joint_count; j++) {
            double values[6] = {0}, *own = last + (size_t)j * 6;
            (void)joint_values(pose, j, f > 0 ? own : NULL, values);
            memcpy(own, values, sizeof values);
        }
        if (out) print_values_row(out, body, f / motion->rate, last);
    }
    snw_pose_destroy(pose);
    return last;
}

bool reach_write_values(FILE *out, const void *context)
{
    const snw_motion *motion = context;
    print_head(out, motion->skeleton);
    double *last = reach_values(motion, out);
    bool is_written = last && !ferror(out);
    free(last);
    return is_written;
}
