/* The skeleton of a model of MJCF: its bodies, joints and equalities; mjcf.c says what is read. */
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/motion_text.h"

/* ---- the skeleton --------------------------------------------------------------------------- */

static snw_status mjcf_set_joint(snw__mjcf *file, const snw__mjcf_joint *from, snw_joint *joint)
{
    bool is_limited =
        from->limited == SNW__MJCF_TRUE ||
        (from->limited == SNW__MJCF_AUTO && file->has_autolimits && (from->said & SNW__MJCF_RANGE));
    double unit = from->type == SNW_JOINT_PRISMATIC ? 1 : file->angle;
    joint->type = from->type;
    if (from->type == SNW_JOINT_FREE) return SNW_OK;
    if (from->type != SNW_JOINT_BALL && !snw__robot_set_axis(joint, from->axis))
        return snw__fail(file->reading->error, SNW_FORMAT, "%s: an axis has no direction",
                         file->reading->name);
    if (!is_limited) return SNW_OK;
    if (from->range[0] > from->range[1])
        return snw__fail(file->reading->error, SNW_FORMAT,
                         "%s: joint \"%.*s\" has a range that ends before it starts",
                         file->reading->name, snw__span_shown(from->name),
                         from->name.at ? from->name.at : "");
    if (from->type != SNW_JOINT_BALL) {
        snw__robot_set_range(joint, (from->range[0] - from->ref) * unit,
                             (from->range[1] - from->ref) * unit);
        return SNW_OK;
    }
    double most = snw_clamp(from->range[1] * unit, 0, SNW_PI);
    joint->limit.swing = SNW_SWING_CONE;
    for (int k = 0; k < 4; k++)
        joint->limit.cone[k] = most;
    joint->limit.has_twist = true;
    joint->limit.twist[0] = -most;
    joint->limit.twist[1] = most;
    file->has_ball_range = true;
    return SNW_OK;
}

/* The body's joints one after the other, then, where its origin is elsewhere, the body itself. */
static snw_status add_body(snw__mjcf *file, snw__mjcf_body *body)
{
    int parent = body->parent >= 0 ? file->body[body->parent].index : 0;
    snw_xform rest = body->rest;
    snw_vec3 from = snw_vec3_make(0, 0, 0);
    for (int j = body->joint_first; j >= 0; j = file->joint[j].next) {
        snw__mjcf_joint *joint = &file->joint[j];
        snw_vec3 point = snw_vec3_make(joint->pos[0], joint->pos[1], joint->pos[2]);
        bool is_body = joint->next < 0 && snw_vec3_length(point) == 0;
        snw_joint_def *def =
            snw__robot_add(&file->robot, is_body ? body->name : joint->name, parent);
        rest = snw_xform_mul(rest, snw_xform_make(snw_quat_identity(), snw_vec3_sub(point, from)));
        def->rest = rest;
        snw_status status = mjcf_set_joint(file, joint, &def->joint);
        if (status != SNW_OK) return status;
        snw__robot_name_joint(&file->robot, joint->name, "");
        def->value_at_rest = joint->ref * (joint->type == SNW_JOINT_PRISMATIC ? 1 : file->angle);
        joint->index = file->robot.count - 1;
        rest = snw_xform_identity();
        parent = body->index = file->robot.count - 1;
        from = point;
    }
    if (body->joint_first < 0 || snw_vec3_length(from) > 0) {
        snw_joint_def *def = snw__robot_add(&file->robot, body->name, parent);
        def->rest =
            snw_xform_mul(rest, snw_xform_make(snw_quat_identity(), snw_vec3_scale(from, -1)));
        body->index = file->robot.count - 1;
    }
    snw__robot_set_mass(&file->robot.def[body->index], body->mass, body->inertial, body->inertia);
    return SNW_OK;
}

/* ---- equalities ----------------------------------------------------------------------------- */

static int find_span(const snw__name_set *names, snw__span name)
{
    return name.at ? snw__name_set_find(names, name.at, snw__span_length(name)) : -1;
}

static void leave_out(snw__mjcf *file, const char *why)
{
    snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
              "an equality \"%.*s\" is left out: %s", snw__span_shown(file->xml.name),
              file->xml.name.at, why);
}

/* joint1 - rest = sum of coefficients times powers of (joint2 - rest). */
static snw_status read_joint_equality(snw__mjcf *file)
{
    snw__span name1 = {0}, name2 = {0};
    double c[5] = {0, 1, 0, 0, 0};
    snw__span text;
    if (snw__xml_find(&file->xml, "polycoef", &text)) {
        int said = 0;
        snw_status status = snw__xml_some_numbers(&file->xml, "polycoef", 5, c, &said);
        if (status != SNW_OK) return status;
    }
    (void)snw__xml_find(&file->xml, "joint1", &name1);
    bool has_leader = snw__xml_find(&file->xml, "joint2", &name2);
    int follower = find_span(&file->joint_names, name1);
    int leader = find_span(&file->joint_names, name2);
    if (follower < 0 || (has_leader && leader < 0))
        return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "an equality names a joint that is not there");
    if (c[2] != 0 || c[3] != 0 || c[4] != 0) {
        leave_out(file, "its polynomial is of degree two or more");
        return SNW_OK;
    }
    int own = file->joint[follower].index;
    if (has_leader) {
        snw__robot_follow(&file->robot, own,
                          (snw_follow){true, file->joint[leader].index, c[1], c[0]});
    } else if (file->joint[follower].type == SNW_JOINT_HINGE ||
               file->joint[follower].type == SNW_JOINT_PRISMATIC) {
        snw__robot_set_range(&file->robot.def[own].joint, c[0], c[0]);
    }
    return SNW_OK;
}

static snw_xform mjcf_rest_world(const snw__mjcf *file, int index)
{
    snw_xform world = snw_xform_identity();
    for (; index >= 0; index = file->robot.def[index].parent)
        world = snw_xform_mul(file->robot.def[index].rest, world);
    return world;
}

static snw_status read_connect(snw__mjcf *file)
{
    snw__span name1, name2;
    double at[3] = {0, 0, 0};
    if (!snw__xml_find(&file->xml, "body1", &name1)) {
        leave_out(file, "it joins sites");
        return SNW_OK;
    }
    bool has_second = snw__xml_find(&file->xml, "body2", &name2);
    int first = find_span(&file->body_names, name1);
    int second = has_second ? find_span(&file->body_names, name2) : -1;
    if (first < 0 || (has_second && second < 0 && !snw__xml_says(name2, "world")))
        return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "an equality names a body that is not there");
    snw_status status = snw__xml_numbers(&file->xml, "anchor", 3, at);
    if (status != SNW_OK || first == second) return status;
    snw_pin pin = {.joint_a = file->body[first].index,
                   .joint_b = second < 0 ? -1 : file->body[second].index,
                   .point_a = snw_vec3_make(at[0], at[1], at[2])};
    snw_vec3 world = snw_xform_point(mjcf_rest_world(file, pin.joint_a), pin.point_a);
    pin.point_b =
        pin.joint_b < 0
            ? world
            : snw_xform_point(snw_xform_inverse(mjcf_rest_world(file, pin.joint_b)), world);
    if (file->robot.pin_count < file->robot.pin_capacity)
        file->robot.pin[file->robot.pin_count++] = pin;
    return SNW_OK;
}

static snw_status read_equalities(snw__mjcf *file)
{
    snw__xml *xml = &file->xml;
    snw__span active;
    snw_status status;
    for (int b = 0; b < file->body_used; b++)
        if (file->body[b].name.at)
            (void)snw__name_set_add(&file->body_names, file->body[b].name.at,
                                    snw__span_length(file->body[b].name), b);
    for (int j = 0; j < file->joint_used; j++)
        if (file->joint[j].name.at)
            (void)snw__name_set_add(&file->joint_names, file->joint[j].name.at,
                                    snw__span_length(file->joint[j].name), j);
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        if (xml->depth != 3 || !snw__xml_says(xml->open[1], "equality")) continue;
        if (snw__xml_find(xml, "active", &active) && snw__xml_says(active, "false")) continue;
        if (snw__xml_is(xml, "joint"))
            status = read_joint_equality(file);
        else if (snw__xml_is(xml, "connect"))
            status = read_connect(file);
        else
            leave_out(file, "joints and connected bodies are read");
        if (status != SNW_OK) return status;
    }
    return status;
}

snw_status snw__mjcf_build(snw__mjcf *file, snw_skeleton **skeleton, snw_motion **motion)
{
    int64_t meshes = file->robot.mesh_count;
    snw_notes *notes = file->reading->notes;
    snw_status status = snw__robot_make_room(
        &file->robot, file->reading, 1 + (int64_t)file->body_used + (int64_t)file->joint_used,
        file->connect_count);
    if (status != SNW_OK) return status;
    file->robot.mesh_count = meshes;
    (void)snw__robot_add(&file->robot, snw__span_of("world"), -1);
    for (int b = 0; b < file->body_used && status == SNW_OK; b++)
        status = add_body(file, &file->body[b]);
    if (status == SNW_OK) status = read_equalities(file);
    if (status == SNW_OK && file->has_ball_range)
        snw__note(notes, SNW_NOTE_FORM_UNUSUAL, SNW__NOWHERE,
                  "ranges of ball joints bound swing and twist each, not the whole turn");
    if (status == SNW_OK) status = snw__robot_finish(&file->robot, skeleton, motion);
    snw__robot_release(&file->robot);
    return status;
}
