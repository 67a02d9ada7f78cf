/* URDF (Unified Robot Description Format), the kinematic part:
 *
 *   <robot name="arm">
 *     <link name="base"/>                                  visual, collision, inertial inside
 *     <joint name="pan" type="revolute">
 *       <parent link="base"/> <child link="upper"/>
 *       <origin xyz="0 0 0.1" rpy="0 0 0"/>                parent link from joint, metres, radians
 *       <axis xyz="0 0 1"/>                                in the joint's frame; default 1 0 0
 *       <limit lower="-3.1" upper="3.1" effort="" velocity=""/>
 *       <mimic joint="other" multiplier="1" offset="0"/>
 *     </joint>
 *   </robot>
 *
 * A link's frame is the frame of the joint it hangs on, so every link becomes one joint of the
 * body, called like the link: goals are given for links ("tool0"). rpy are turns about the fixed x,
 * y, z: R = Rz(yaw) Ry(pitch) Rx(roll). Types: revolute, continuous, prismatic, fixed as they are,
 * floating as a free joint, planar as two slides and a hinge ("LINK_x", "LINK_y"). The file's names
 * of joints survive as joint_name; a joint that mimics another follows it. What is no kinematics is
 * noted.
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"
#include "io/motion_text.h"
#include "io/robot_body.h"

typedef enum urdf_type {
    URDF_REVOLUTE,
    URDF_CONTINUOUS,
    URDF_PRISMATIC,
    URDF_FIXED,
    URDF_FLOATING,
    URDF_PLANAR,
    URDF_TYPE_COUNT
} urdf_type;

static const char *const urdf_types[URDF_TYPE_COUNT] = {"revolute", "continuous", "prismatic",
                                                        "fixed",    "floating",   "planar"};

typedef struct urdf_link {
    snw__span name;
    double mass;
    double xyz[3], rpy[3], inertia[6]; /* of <inertial>: xx yy zz xy xz yz */
    bool has_inertia;
    int joint; /* the joint it hangs on, or -1 */
} urdf_link;

typedef struct urdf_joint {
    snw__span name, parent, child; /* as written; at NULL: not said */
    snw__span leader;              /* of <mimic> */
    double mimic[2];               /* multiplier, offset */
    int index;                     /* in the body */
    urdf_type type;
    int parent_link;
    double xyz[3], rpy[3], axis[3];
    bool has_limit;
    double limit[2];
} urdf_joint;

typedef struct urdf_file {
    snw__text_input text;
    snw__reading *reading;
    snw__xml xml;
    int link_count, joint_count;
    urdf_link *link;   /* (link_count) the root first once sorted */
    urdf_joint *joint; /* (joint_count) */
    int *scratch;      /* (5 x link_count) */
    snw__robot robot;
    snw__block block;
} urdf_file;

/* ---- what the file holds -------------------------------------------------------------------- */

static bool urdf_is_template(const snw__xml *xml)
{
    static const char prefix[] = "xacro:";
    size_t length = sizeof prefix - 1;
    if (snw__span_length(xml->name) > length && memcmp(xml->name.at, prefix, length) == 0)
        return true;
    for (int n = 0; n < xml->attribute_count; n++)
        for (const char *c = xml->attribute[n].value.at; c + 1 < xml->attribute[n].value.end; c++)
            if (c[0] == '$' && (c[1] == '{' || c[1] == '(')) return true;
    return false;
}

/* Every element once: is it well, is it no template, how many links and joints are there? */
static snw_status count_elements(urdf_file *file)
{
    snw__xml *xml = &file->xml;
    int64_t links = 0, joints = 0;
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        if (urdf_is_template(xml))
            return SNW__XML_FAIL(&file->xml, SNW_UNSUPPORTED,
                                 "this is a xacro template; expand it first: xacro %s > robot.urdf",
                                 file->reading->name);
        links += xml->depth == 2 && snw__xml_is(xml, "link");
        joints += xml->depth == 2 && snw__xml_is(xml, "joint");
        file->robot.mesh_count += snw__xml_is(xml, "mesh");
    }
    if (status != SNW_OK) return status;
    if (links == 0) return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "the robot has no link");
    if (links > SNW_JOINT_MAX || joints > SNW_JOINT_MAX)
        return SNW__XML_FAIL(&file->xml, SNW_TOO_LARGE,
                             "%lld links and %lld joints; %d of each are read", (long long)links,
                             (long long)joints, SNW_JOINT_MAX);
    file->link_count = (int)links;
    file->joint_count = (int)joints;
    return SNW_OK;
}

static void urdf_lay_out(void *object, snw__block *block)
{
    urdf_file *file = object;
    size_t links = (size_t)file->link_count;
    file->link = snw__block_take(block, links, sizeof *file->link);
    file->joint = snw__block_take(block, (size_t)file->joint_count, sizeof *file->joint);
    file->scratch = snw__block_take(block, 5 * links, sizeof *file->scratch);
}

/* ---- links and joints ----------------------------------------------------------------------- */

/* One element inside robot > link > inertial. */
static snw_status read_inertial(snw__xml *xml, urdf_link *link)
{
    static const char *const name[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    if (snw__xml_is(xml, "mass")) return snw__xml_numbers(xml, "value", 1, &link->mass);
    snw_status status = SNW_OK;
    if (snw__xml_is(xml, "origin")) {
        status = snw__xml_numbers(xml, "xyz", 3, link->xyz);
        if (status == SNW_OK) status = snw__xml_numbers(xml, "rpy", 3, link->rpy);
    }
    if (snw__xml_is(xml, "inertia")) {
        link->has_inertia = true;
        for (int n = 0; n < 6 && status == SNW_OK; n++)
            status = snw__xml_numbers(xml, name[n], 1, &link->inertia[n]);
    }
    return status;
}

static snw_status read_link(urdf_file *file, urdf_link *link)
{
    snw__xml *xml = &file->xml;
    int depth = xml->depth;
    snw_status status;
    link->joint = -1;
    if (!snw__xml_find(xml, "name", &link->name))
        return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "a link has no name");
    while ((status = snw__xml_next(xml)) == SNW_OK && xml->depth > depth) {
        if (xml->event == SNW__XML_OPEN && xml->depth == depth + 2 &&
            snw__xml_says(xml->open[depth], "inertial"))
            status = read_inertial(xml, link);
        if (status != SNW_OK) return status;
    }
    return status;
}

static snw_status read_joint_head(urdf_file *file, urdf_joint *joint)
{
    snw__span type;
    if (!snw__xml_find(&file->xml, "name", &joint->name))
        return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "a joint has no name");
    if (!snw__xml_find(&file->xml, "type", &type))
        return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "joint \"%.*s\" has no type",
                             snw__span_shown(joint->name), joint->name.at);
    joint->axis[0] = joint->mimic[0] = 1;
    for (int t = 0; t < URDF_TYPE_COUNT; t++)
        if (snw__xml_says(type, urdf_types[t])) {
            joint->type = (urdf_type)t;
            return SNW_OK;
        }
    return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "joint \"%.*s\" is of the unknown type \"%.*s\"",
                         snw__span_shown(joint->name), joint->name.at, snw__span_shown(type),
                         type.at);
}

static snw_status read_joint(urdf_file *file, urdf_joint *joint)
{
    snw__xml *xml = &file->xml;
    int depth = xml->depth;
    snw_status status = read_joint_head(file, joint);
    if (status != SNW_OK) return status;
    while ((status = snw__xml_next(xml)) == SNW_OK && xml->depth > depth) {
        if (xml->event == SNW__XML_OPEN && xml->depth == depth + 1) {
            if (snw__xml_is(xml, "parent") || snw__xml_is(xml, "child")) {
                snw__span *link = snw__xml_is(xml, "parent") ? &joint->parent : &joint->child;
                if (!snw__xml_find(xml, "link", link))
                    return SNW__XML_FAIL(&file->xml, SNW_FORMAT,
                                         "a joint's parent or child names no link");
            } else if (snw__xml_is(xml, "origin")) {
                status = snw__xml_numbers(xml, "xyz", 3, joint->xyz);
                if (status == SNW_OK) status = snw__xml_numbers(xml, "rpy", 3, joint->rpy);
            } else if (snw__xml_is(xml, "axis")) {
                status = snw__xml_numbers(xml, "xyz", 3, joint->axis);
            } else if (snw__xml_is(xml, "limit")) {
                joint->has_limit = true;
                status = snw__xml_numbers(xml, "lower", 1, &joint->limit[0]);
                if (status == SNW_OK) status = snw__xml_numbers(xml, "upper", 1, &joint->limit[1]);
            } else if (snw__xml_is(xml, "mimic")) {
                if (!snw__xml_find(xml, "joint", &joint->leader))
                    return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "joint \"%.*s\" mimics no joint",
                                         snw__span_shown(joint->name), joint->name.at);
                status = snw__xml_numbers(xml, "multiplier", 1, &joint->mimic[0]);
                if (status == SNW_OK) status = snw__xml_numbers(xml, "offset", 1, &joint->mimic[1]);
            }
        }
        if (status != SNW_OK) return status;
    }
    if (status == SNW_OK && (!joint->parent.at || !joint->child.at))
        return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "joint \"%.*s\" lacks its parent or child",
                             snw__span_shown(joint->name), joint->name.at);
    return status;
}

static snw_status read_elements(urdf_file *file)
{
    snw__xml *xml = &file->xml;
    int link = 0, joint = 0;
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        if (xml->depth != 2) continue;
        if (snw__xml_is(xml, "link"))
            status = read_link(file, &file->link[link++]);
        else if (snw__xml_is(xml, "joint"))
            status = read_joint(file, &file->joint[joint++]);
        else
            status = snw__xml_skip(xml);
        if (status != SNW_OK) return status;
    }
    return status;
}

/* ---- the tree ------------------------------------------------------------------------------- */

static int find_link(const snw__name_set *links, snw__span name)
{
    return snw__name_set_find(links, name.at, snw__span_length(name));
}

static snw_status fail_joint(const urdf_file *file, const urdf_joint *joint, const char *what,
                             snw__span link)
{
    return snw__fail(file->reading->error, SNW_FORMAT, "%s: joint \"%.*s\" %s \"%.*s\"",
                     file->reading->name, snw__span_shown(joint->name), joint->name.at, what,
                     snw__span_shown(link), link.at);
}

static snw_status hang_links(urdf_file *file, snw__name_set *links)
{
    for (int l = 0; l < file->link_count; l++)
        if (snw__name_set_add(links, file->link[l].name.at, snw__span_length(file->link[l].name),
                              l) >= 0)
            return snw__fail(file->reading->error, SNW_FORMAT, "%s: two links are called \"%.*s\"",
                             file->reading->name, snw__span_shown(file->link[l].name),
                             file->link[l].name.at);
    for (int j = 0; j < file->joint_count; j++) {
        urdf_joint *joint = &file->joint[j];
        int child = find_link(links, joint->child);
        joint->parent_link = find_link(links, joint->parent);
        if (child < 0) return fail_joint(file, joint, "has as child no link", joint->child);
        if (joint->parent_link < 0)
            return fail_joint(file, joint, "has as parent no link", joint->parent);
        if (file->link[child].joint >= 0)
            return fail_joint(file, joint, "closes a loop: a second joint holds", joint->child);
        file->link[child].joint = j;
    }
    return SNW_OK;
}

static snw_status find_root(urdf_file *file)
{
    int root = -1;
    for (int l = 0; l < file->link_count; l++) {
        if (file->link[l].joint >= 0) continue;
        if (root >= 0)
            return snw__fail(file->reading->error, SNW_FORMAT,
                             "%s: links \"%.*s\" and \"%.*s\" both hang on nothing: a body has one "
                             "root",
                             file->reading->name, snw__span_shown(file->link[root].name),
                             file->link[root].name.at, snw__span_shown(file->link[l].name),
                             file->link[l].name.at);
        root = l;
    }
    if (root < 0)
        return snw__fail(file->reading->error, SNW_FORMAT,
                         "%s: every link hangs on another, there is no root", file->reading->name);
    urdf_link first = file->link[0];
    file->link[0] = file->link[root];
    file->link[root] = first;
    for (int j = 0; j < file->joint_count; j++) {
        int *parent = &file->joint[j].parent_link;
        *parent = *parent == root ? 0 : *parent == 0 ? root : *parent;
    }
    return SNW_OK;
}

/* ---- the body ------------------------------------------------------------------------------- */

static snw_status add_link(urdf_file *file, const urdf_link *link, const int *body_of, int *body)
{
    urdf_joint *joint = link->joint >= 0 ? &file->joint[link->joint] : NULL;
    int parent = joint ? body_of[joint->parent_link] : -1;
    snw_xform rest = joint ? snw__robot_origin(joint->xyz, joint->rpy) : snw_xform_identity();
    for (int k = 0; joint && joint->type == URDF_PLANAR && k < 2; k++) {
        /* A slide in the plane of a planar joint before the hinge. */
        snw_joint axes = {0};
        (void)snw__robot_set_axis(&axes, joint->axis);
        snw_joint_def *def = snw__robot_add(&file->robot, joint->child, parent);
        size_t length = strlen(def->name);
        if (length > SNW__NAME_SIZE - 3) length = SNW__NAME_SIZE - 3;
        memcpy(file->robot.name[file->robot.count - 1] + length, k ? "_y" : "_x", 3);
        snw__robot_name_joint(&file->robot, joint->name, k ? "_y" : "_x");
        def->joint.type = SNW_JOINT_PRISMATIC;
        def->joint.axis = k ? snw_vec3_cross(axes.axis, axes.axis2) : axes.axis2;
        def->joint.axis2 = axes.axis;
        parent = file->robot.count - 1;
        file->robot.def[parent].rest = rest;
        rest = snw_xform_identity();
    }
    snw_joint_def *def = snw__robot_add(&file->robot, link->name, parent);
    *body = file->robot.count - 1;
    def->rest = rest;
    snw__robot_set_mass(def, link->mass, snw__robot_origin(link->xyz, link->rpy),
                        link->has_inertia ? link->inertia : NULL);
    if (!joint) return SNW_OK;
    joint->index = *body;
    snw__robot_name_joint(&file->robot, joint->name, "");
    static const snw_joint_type types[] = {
        [URDF_REVOLUTE] = SNW_JOINT_HINGE,      [URDF_CONTINUOUS] = SNW_JOINT_HINGE,
        [URDF_PRISMATIC] = SNW_JOINT_PRISMATIC, [URDF_FIXED] = SNW_JOINT_FIXED,
        [URDF_FLOATING] = SNW_JOINT_FREE,       [URDF_PLANAR] = SNW_JOINT_HINGE,
    };
    bool is_ranged = joint->type == URDF_REVOLUTE || joint->type == URDF_PRISMATIC;
    def->joint.type = types[joint->type];
    if (joint->type == URDF_FIXED || joint->type == URDF_FLOATING) return SNW_OK;
    if (!snw__robot_set_axis(&def->joint, joint->axis))
        return fail_joint(file, joint, "has an axis without direction, to link", joint->child);
    if (is_ranged && !joint->has_limit)
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "joint \"%.*s\" has no limit; it moves freely", snw__span_shown(joint->name),
                  joint->name.at);
    else if (is_ranged && joint->limit[0] > joint->limit[1])
        return fail_joint(file, joint, "has its lower limit above the upper, at link",
                          joint->child);
    else if (is_ranged)
        snw__robot_set_range(&def->joint, joint->limit[0], joint->limit[1]);
    return SNW_OK;
}

static snw_status follow_leaders(urdf_file *file)
{
    snw__name_set names;
    snw_status status = snw__name_set_create(&names, file->joint_count, &file->reading->allocator,
                                             file->reading->error);
    for (int j = 0; j < file->joint_count && status == SNW_OK; j++)
        (void)snw__name_set_add(&names, file->joint[j].name.at,
                                snw__span_length(file->joint[j].name), j);
    for (int j = 0; j < file->joint_count && status == SNW_OK; j++) {
        const urdf_joint *joint = &file->joint[j];
        if (!joint->leader.at) continue;
        int leader = find_link(&names, joint->leader);
        if (leader < 0)
            snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                      "joint \"%.*s\" mimics \"%.*s\", which is not there; it moves on its own",
                      snw__span_shown(joint->name), joint->name.at, snw__span_shown(joint->leader),
                      joint->leader.at);
        else
            snw__robot_follow(
                &file->robot, joint->index,
                (snw_follow){true, file->joint[leader].index, joint->mimic[0], joint->mimic[1]});
    }
    snw__name_set_release(&names);
    return status;
}

static snw_status build_body(urdf_file *file, snw_skeleton **skeleton, snw_motion **motion)
{
    int *order = file->scratch, *body_of = file->scratch + 4 * (size_t)file->link_count;
    int64_t capacity = file->link_count, meshes = file->robot.mesh_count;
    for (int j = 0; j < file->joint_count; j++)
        capacity += file->joint[j].type == URDF_PLANAR ? 2 : 0;
    snw_status status = snw__robot_make_room(&file->robot, file->reading, capacity, 0);
    file->robot.mesh_count = meshes;
    for (int n = 0; n < file->link_count && status == SNW_OK; n++)
        status = add_link(file, &file->link[order[n]], body_of, &body_of[order[n]]);
    if (status == SNW_OK) status = follow_leaders(file);
    if (status == SNW_OK) status = snw__robot_finish(&file->robot, skeleton, motion);
    snw__robot_release(&file->robot);
    return status;
}

static snw_status urdf_read(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion)
{
    urdf_file file;
    memset(&file, 0, sizeof file);
    file.reading = reading;
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    status = count_elements(&file);
    if (status == SNW_OK)
        status = snw__body_check_size(&file.text, (int64_t)file.link_count + file.joint_count);
    if (status == SNW_OK)
        status = snw__block_create(&file.block, urdf_lay_out, &file, &reading->allocator,
                                   "the links", reading->error);
    if (status == SNW_OK) status = read_elements(&file);
    if (status == SNW_OK) {
        snw__name_set links;
        status = snw__name_set_create(&links, file.link_count, &file.reading->allocator,
                                      file.reading->error);
        if (status == SNW_OK) status = hang_links(&file, &links);
        snw__name_set_release(&links);
    }
    if (status == SNW_OK) status = find_root(&file);
    if (status == SNW_OK) {
        /* Order of the links with parents first into scratch[0 ..]. */
        int count = file.link_count, *parent = file.scratch + count;
        for (int l = 0; l < count; l++)
            parent[l] = l ? file.joint[file.link[l].joint].parent_link : -1;
        if (snw__depth_first(parent, count, parent + count, parent + 2 * count, file.scratch) !=
            count)
            status = snw__fail(reading->error, SNW_FORMAT,
                               "%s: some links hang on each other in a ring", reading->name);
    }
    if (status == SNW_OK) status = build_body(&file, skeleton, motion);
    snw__block_release(&reading->allocator, &file.block);
    snw__text_release(&file.text);
    return status;
}

static bool urdf_sniff(const uint8_t *head, size_t size)
{
    return snw__xml_head_is(head, size, "robot");
}

const snw__format snw__format_urdf = {
    "URDF", "urdf", urdf_sniff, NULL, NULL, urdf_read, NULL, NULL, NULL,
};
