/* What ASF and AMC share: channels, lines, names. */
#include "io/acclaim.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/motion_text.h"

snw_status snw__acclaim_create(snw__acclaim *acclaim, int joint_count,
                               const snw_allocator *allocator, snw_error *error)
{
    memset(acclaim, 0, sizeof *acclaim);
    acclaim->allocator = *allocator;
    acclaim->joint_count = joint_count;
    acclaim->radians_per_unit = snw_radians(1);
    acclaim->root_frame = snw_quat_identity();
    size_t size = (size_t)joint_count * sizeof *acclaim->channels;
    acclaim->channels = (snw__acclaim_channels *)snw__allocate(allocator, size);
    return acclaim->channels ? SNW_OK : snw__fail_memory(error, size, "the channels of the joints");
}

void snw__acclaim_release(snw__acclaim *acclaim)
{
    if (!acclaim->channels) return;
    snw__release(&acclaim->allocator, acclaim->channels,
                 (size_t)acclaim->joint_count * sizeof *acclaim->channels);
    acclaim->channels = NULL;
}

bool snw__acclaim_dof_from(snw__span word, snw__acclaim_dof *dof)
{
    static const char *const words[] = {"rx", "ry", "rz", "tx", "ty", "tz", "l"};
    for (int n = 0; n < SNW__DOF_MAX; n++)
        if (snw__span_is(word, words[n])) {
            *dof = (snw__acclaim_dof)n;
            return true;
        }
    return false;
}

snw_quat snw__acclaim_turn(const snw__acclaim_channels *channels, const double *values,
                           snw_vec3 *slide)
{
    static const snw_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snw_quat turned = snw_quat_identity();
    *slide = snw_vec3_make(0, 0, 0);
    for (int n = 0; n < channels->count; n++) {
        snw__acclaim_dof dof = channels->dof[n];
        if (dof <= SNW__DOF_RZ)
            turned = snw_quat_mul(snw_quat_from_axis_angle(axes[dof], values[n]), turned);
        else if (dof <= SNW__DOF_TZ)
            *slide = snw_vec3_add_scaled(*slide, values[n], axes[dof - SNW__DOF_TX]);
    }
    return snw_quat_normalize(turned);
}

static bool is_gap(char c)
{
    return snw__is_blank(c) || c == '(' || c == ')' || c == ',';
}

bool snw__acclaim_number(snw__span *rest, double *value)
{
    while (rest->at < rest->end && is_gap(*rest->at))
        rest->at++;
    snw__span word = {rest->at, rest->at};
    while (word.end < rest->end && !is_gap(*word.end))
        word.end++;
    if (!snw__span_double(word, value)) return false;
    rest->at = word.end;
    return true;
}

bool snw__acclaim_line(snw__text_input *text, snw__span *line)
{
    while (snw__text_line(text, line)) {
        *line = snw__span_trim(*line);
        if (!snw__span_is_empty(*line) && *line->at != '#') return true;
    }
    return false;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* 0, 1, 2 when `axis` is exactly +x, +y or +z; else -1. */
static int coordinate_axis(snw_vec3 axis)
{
    if (axis.x == 1 && axis.y == 0 && axis.z == 0) return 0;
    if (axis.x == 0 && axis.y == 1 && axis.z == 0) return 1;
    return axis.x == 0 && axis.y == 0 && axis.z == 1 ? 2 : -1;
}

static void add_dofs(snw__acclaim_channels *channels, snw__acclaim_dof first, int count)
{
    for (int n = 0; n < count; n++)
        channels->dof[channels->count++] = (snw__acclaim_dof)((int)first + n);
}

snw__acclaim_plan snw__acclaim_plan_joint(const snw_joint *joint)
{
    snw__acclaim_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.align = snw_quat_identity();
    int axis = coordinate_axis(joint->axis), axis2 = coordinate_axis(joint->axis2);
    switch (joint->type) {
    case SNW_JOINT_FIXED:
        break;
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT:
        if (axis < 0) plan.align = snw_quat_between(snw_vec3_make(1, 0, 0), joint->axis);
        add_dofs(&plan.channels, (snw__acclaim_dof)(axis < 0 ? 0 : axis), 1);
        break;
    case SNW_JOINT_PRISMATIC:
        add_dofs(&plan.channels, SNW__DOF_TX, 3);
        break;
    case SNW_JOINT_FREE:
        add_dofs(&plan.channels, SNW__DOF_TX, 3);
        add_dofs(&plan.channels, SNW__DOF_RX, 3);
        break;
    default:
        /* R(axis) R(axis2) is in the order x, y, z only when axis2 comes before axis. Other
         * programs know no other order, so everything else gets all three turns. */
        if (joint->type == SNW_JOINT_UNIVERSAL && axis2 >= 0 && axis > axis2) {
            add_dofs(&plan.channels, (snw__acclaim_dof)axis2, 1);
            add_dofs(&plan.channels, (snw__acclaim_dof)axis, 1);
        } else {
            add_dofs(&plan.channels, SNW__DOF_RX, 3);
        }
    }
    return plan;
}

char (*snw__acclaim_names(const snw_skeleton *skeleton,
                          const snw_allocator *allocator))[SNW__NAME_SIZE]
{
    size_t size = (size_t)skeleton->joint_count * SNW__NAME_SIZE;
    char(*names)[SNW__NAME_SIZE] = (char(*)[SNW__NAME_SIZE])snw__allocate(allocator, size);
    if (!names) return NULL;
    memcpy(names[0], "root", 5);
    for (int j = 1; j < skeleton->joint_count; j++) {
        size_t length = 0;
        for (const char *from = skeleton->name[j]; *from && length < SNW__NAME_SIZE - 1; from++) {
            bool is_bad = (unsigned char)*from <= ' ' || strchr("(),", *from) ||
                          (length == 0 && strchr(":#", *from));
            names[j][length++] = is_bad ? '_' : *from;
        }
        names[j][length] = 0;
    }
    snw_error error;
    if (snw__joint_names_settle(names, skeleton->joint_count, allocator, NULL, &error) == SNW_OK)
        return names;
    snw__release(allocator, names, size);
    return NULL;
}
