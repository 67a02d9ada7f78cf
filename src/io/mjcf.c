/* MJCF (MuJoCo), the kinematic part:
 *
 *   <mujoco>
 *     <compiler angle="degree" eulerseq="xyz" autolimits="true"/>
 *     <default> <joint axis="0 1 0"/> <default class="arm"> ... </default> </default>
 *     <worldbody>
 *       <body name="upper" pos="0 0 1" quat="1 0 0 0" childclass="arm">
 *         <freejoint/>  or  <joint name="" type="hinge" pos="" axis="0 0 1" range="" ref=""/>
 *         <body> ... </body>
 *       </body>
 *     </worldbody>
 *   </mujoco>
 *
 * Bodies become joints of the skeleton called like them, below one called "world". Frames are given
 * by quat, axisangle, euler, xyaxes or zaxis; <frame> elements move what they hold. A body may have
 * several joints, moved one after the other in the order of the file, each about its own point: all
 * but the last become joints of their own, and where the last turns about another point than the
 * body's origin, the body hangs on it as a fixed frame. Degrees are the default, `ref` is where a
 * joint counts from, `range` holds when `limited` is true, or is not said and autolimits is on.
 * Mass, centre and moments of <inertial> go with the body; what a body weighs that has none (from
 * its geoms) is not known. Classes of defaults are followed for what counts here. Included files
 * are put in their place where a file is read (mjcf_include.c); from other sources they are
 * refused, and so are bodies that <attach>, <composite> and <flexcomp> bring: they must be written
 * out first. The file's names of joints survive as joint_name.
 *
 *   <equality> <joint joint1="" joint2="" polycoef="0 1 0 0 0"/>      joint1 follows joint2
 *              <connect body1="" body2="" anchor=""/> </equality>     a pin
 *
 * Both hold in the model's zero pose, where `anchor` (in the frame of body1) is met by a point of
 * body2. Polynomials of degree two and more, welds, equalities of sites, tendons and flexes are
 * noted and left out, as are tendons and actuators, which are no kinematics of a tree.
 */
#include "io/mjcf.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/motion_text.h"

/* ---- first look: options and sizes ---------------------------------------------------------- */

static snw_status look(snw__mjcf *file)
{
    snw__xml *xml = &file->xml;
    int64_t bodies = 0, joints = 0, classes = 1, made = 0;
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__mjcf_next(file)) == SNW_OK && xml->event != SNW__XML_END) {
        static const char *const elements[] = {"include", "attach", "composite", "flexcomp"};
        for (size_t n = 0; n < sizeof elements / sizeof *elements; n++)
            if (snw__xml_is(&file->xml, elements[n]))
                return SNW__XML_FAIL(
                    &file->xml, SNW_UNSUPPORTED,
                    "\"%s\" brings bodies from elsewhere: save the compiled model as one "
                    "file first",
                    elements[n]);
        if (status == SNW_OK && xml->depth == 2 && snw__xml_is(xml, "compiler")) {
            snw__span value;
            if (snw__xml_find(xml, "angle", &value)) {
                if (!snw__xml_says(value, "radian") && !snw__xml_says(value, "degree"))
                    return SNW__XML_FAIL(&file->xml, SNW_FORMAT,
                                         "angle must be \"degree\" or \"radian\"");
                file->angle = snw__xml_says(value, "radian") ? 1 : snw_radians(1);
            }
            if (snw__xml_find(xml, "eulerseq", &value)) {
                bool is_order = snw__span_length(value) == 3;
                for (int k = 0; is_order && k < 3; k++)
                    is_order = strchr("xyzXYZ", value.at[k]) != NULL && value.at[k];
                if (!is_order)
                    return SNW__XML_FAIL(&file->xml, SNW_FORMAT,
                                         "eulerseq must be three of x, y, z, X, Y, Z");
                memcpy(file->eulerseq, value.at, 3);
            }
            if (snw__xml_find(xml, "autolimits", &value))
                file->has_autolimits = !snw__xml_says(value, "false");
            if (snw__xml_find(xml, "coordinate", &value) && snw__xml_says(value, "global"))
                return SNW__XML_FAIL(&file->xml, SNW_UNSUPPORTED,
                                     "global coordinates are not read");
        }
        if (status != SNW_OK) return status;
        bool is_body = snw__xml_is(xml, "body");
        bool is_joint = snw__xml_is(xml, "joint") || snw__xml_is(xml, "freejoint");
        bodies += is_body;
        joints += is_joint;
        made += (is_body || is_joint) && snw__mjcf_is_repeated(file);
        if (bodies > SNW_JOINT_MAX || joints > SNW_JOINT_MAX) break;
        classes += snw__xml_is(xml, "default");
        file->robot.mesh_count += snw__xml_is(xml, "mesh");
        file->connect_count += xml->depth == 3 && snw__xml_is(xml, "connect") &&
                               snw__xml_says(xml->open[1], "equality");
    }
    if (status != SNW_OK) return status;
    if (bodies > SNW_JOINT_MAX || joints > SNW_JOINT_MAX || classes > SNW_JOINT_MAX)
        return SNW__XML_FAIL(&file->xml, SNW_TOO_LARGE, "more than %d bodies, joints or classes",
                             SNW_JOINT_MAX);
    file->body_count = (int)bodies;
    file->joint_count = (int)joints;
    file->class_count = (int)classes;
    file->made_count = (int)made;
    return SNW_OK;
}

static void mjcf_lay_out(void *object, snw__block *block)
{
    snw__mjcf *file = object;
    file->class = snw__block_take(block, (size_t)file->class_count, sizeof *file->class);
    file->body = snw__block_take(block, (size_t)file->body_count, sizeof *file->body);
    file->joint = snw__block_take(block, (size_t)file->joint_count, sizeof *file->joint);
    file->made = snw__block_take(block, (size_t)file->made_count, sizeof *file->made);
}

static snw_status mjcf_take_room(snw__mjcf *file)
{
    const snw_allocator *allocator = &file->reading->allocator;
    snw_status status =
        snw__body_check_size(&file->text, (int64_t)file->body_count + file->joint_count +
                                              file->made_count / 5); /* names of 256 */
    if (status != SNW_OK) return status;
    status = snw__block_create(&file->block, mjcf_lay_out, file, allocator, "the bodies",
                               file->reading->error);
    if (status != SNW_OK) return status;
    status = snw__name_set_create(&file->class_names, file->class_count, allocator,
                                  file->reading->error);
    if (status == SNW_OK)
        status = snw__name_set_create(&file->body_names, file->body_count, allocator,
                                      file->reading->error);
    if (status == SNW_OK)
        status = snw__name_set_create(&file->joint_names, file->joint_count, allocator,
                                      file->reading->error);
    return status;
}

/* ---- joints and their classes --------------------------------------------------------------- */

static snw_status read_type(snw__mjcf *file, snw__span value, snw_joint_type *type)
{
    static const struct {
        const char *word;
        snw_joint_type type;
    } types[] = {{"hinge", SNW_JOINT_HINGE},
                 {"slide", SNW_JOINT_PRISMATIC},
                 {"ball", SNW_JOINT_BALL},
                 {"free", SNW_JOINT_FREE}};
    for (size_t n = 0; n < sizeof types / sizeof *types; n++)
        if (snw__xml_says(value, types[n].word)) {
            *type = types[n].type;
            return SNW_OK;
        }
    return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "a joint is of the unknown type \"%.*s\"",
                         snw__span_shown(value), value.at);
}

static snw_status read_joint_fields(snw__mjcf *file, snw__mjcf_joint *joint)
{
    snw__xml *xml = &file->xml;
    snw__span value;
    snw_status status = SNW_OK;
    if (snw__xml_find(xml, "type", &value)) {
        joint->said |= SNW__MJCF_TYPE;
        status = read_type(file, value, &joint->type);
    }
    if (snw__xml_find(xml, "limited", &value)) {
        joint->said |= SNW__MJCF_LIMITED;
        joint->limited = snw__xml_says(value, "true")    ? SNW__MJCF_TRUE
                         : snw__xml_says(value, "false") ? SNW__MJCF_FALSE
                                                         : SNW__MJCF_AUTO;
    }
    const struct {
        const char *name;
        snw__mjcf_field field;
        int count;
        double *values;
    } numbers[] = {{"pos", SNW__MJCF_POS, 3, joint->pos},
                   {"axis", SNW__MJCF_AXIS, 3, joint->axis},
                   {"range", SNW__MJCF_RANGE, 2, joint->range},
                   {"ref", SNW__MJCF_REF, 1, &joint->ref}};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers && status == SNW_OK; n++) {
        if (!snw__xml_find(xml, numbers[n].name, &value)) continue;
        joint->said |= (unsigned)numbers[n].field;
        status = snw__xml_numbers(xml, numbers[n].name, numbers[n].count, numbers[n].values);
    }
    return status;
}

/* What `joint` does not say itself is as in `other`. */
static void inherit(snw__mjcf_joint *joint, const snw__mjcf_joint *other)
{
    unsigned missing = other->said & ~joint->said;
    if (missing & SNW__MJCF_TYPE) joint->type = other->type;
    if (missing & SNW__MJCF_LIMITED) joint->limited = other->limited;
    if (missing & SNW__MJCF_POS) memcpy(joint->pos, other->pos, sizeof joint->pos);
    if (missing & SNW__MJCF_AXIS) memcpy(joint->axis, other->axis, sizeof joint->axis);
    if (missing & SNW__MJCF_RANGE) memcpy(joint->range, other->range, sizeof joint->range);
    if (missing & SNW__MJCF_REF) joint->ref = other->ref;
    joint->said |= missing;
}

snw_status snw__mjcf_class_of(snw__mjcf *file, const char *attribute, int otherwise, int *index)
{
    snw__span name;
    *index = otherwise;
    if (!snw__xml_find(&file->xml, attribute, &name)) return SNW_OK;
    *index = snw__name_set_find(&file->class_names, name.at, snw__span_length(name));
    if (*index >= 0) return SNW_OK;
    return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "there is no class \"%.*s\"",
                         snw__span_shown(name), name.at);
}

/* Classes nest: open[depth - 1] is the element, path[depth] its class. */
static snw_status read_classes(snw__mjcf *file)
{
    snw__xml *xml = &file->xml;
    int path[SNW__XML_DEPTH_MAX + 1] = {0};
    snw_status status;
    file->class_used = 1; /* "main", also when it is not written */
    file->class[0] = (snw__mjcf_class){.name = snw__span_of("main"), .parent = -1};
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        if (xml->depth < 2 || !snw__xml_says(xml->open[1], "default")) continue;
        path[xml->depth] = path[xml->depth - 1];
        if (snw__xml_is(xml, "default") && xml->depth == 2) {
            path[2] = 0;
            (void)snw__xml_find(xml, "class", &file->class[0].name);
        } else if (snw__xml_is(xml, "default")) {
            snw__mjcf_class *class = &file->class[file->class_used];
            *class = (snw__mjcf_class){.parent = path[xml->depth - 1]};
            if (!snw__xml_find(xml, "class", &class->name))
                return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "a class of defaults has no name");
            path[xml->depth] = file->class_used++;
        } else if (snw__xml_is(xml, "joint")) {
            status = read_joint_fields(file, &file->class[path[xml->depth]].joint);
        } else if (snw__xml_is(xml, "geom")) {
            status = snw__mjcf_read_geom(file, &file->class[path[xml->depth]].geom);
        } else if (snw__xml_is(xml, "mesh")) {
            status = snw__mjcf_read_mesh_class(file, &file->class[path[xml->depth]]);
        }
        if (status != SNW_OK) return status;
    }
    for (int c = 1; c < file->class_used; c++) { /* parents come first */
        snw__mjcf_class *class = &file->class[c], *parent = &file->class[class->parent];
        inherit(&class->joint, &parent->joint);
        snw__mjcf_inherit_geom(&class->geom, &parent->geom);
        if (!class->has_scale) memcpy(class->scale, parent->scale, sizeof class->scale);
        class->has_scale |= parent->has_scale;
    }
    for (int c = 0; c < file->class_used; c++)
        snw__name_set_add(&file->class_names, file->class[c].name.at,
                          snw__span_length(file->class[c].name), c);
    return status;
}

/* ---- bodies --------------------------------------------------------------------------------- */

snw_quat snw__mjcf_euler(const snw__mjcf *file, const double angles[3])
{
    snw_quat turned = snw_quat_identity();
    for (int k = 0; k < 3; k++) {
        char letter = file->eulerseq[k];
        bool is_fixed = letter < 'a'; /* upper case: about the fixed axes */
        int axis = (letter | 0x20) - 'x';
        snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(axis == 0, axis == 1, axis == 2),
                                                 angles[k] * file->angle);
        turned = is_fixed ? snw_quat_mul(turn, turned) : snw_quat_mul(turned, turn);
    }
    return turned;
}

static snw_quat orientation_from(const snw__mjcf *file, int form, const double v[6])
{
    switch (form) {
    case 0:
        return snw_quat_make(v[0], v[1], v[2], v[3]);
    case 1:
        return snw_quat_from_axis_angle(
            snw_vec3_unit(snw_vec3_make(v[0], v[1], v[2]), snw_vec3_make(0, 0, 1)),
            v[3] * file->angle);
    case 2:
        return snw__mjcf_euler(file, v);
    case 3: {
        snw_vec3 x = snw_vec3_unit(snw_vec3_make(v[0], v[1], v[2]), snw_vec3_make(1, 0, 0));
        snw_vec3 y = snw_vec3_make(v[3], v[4], v[5]);
        y = snw_vec3_unit(snw_vec3_add_scaled(y, -snw_vec3_dot(x, y), x),
                          snw_vec3_perpendicular(x));
        return snw_quat_from_mat3(snw_mat3_from_columns(x, y, snw_vec3_cross(x, y)));
    }
    default:
        return snw_quat_between(snw_vec3_make(0, 0, 1), snw_vec3_make(v[0], v[1], v[2]));
    }
}

snw_status snw__mjcf_turn(snw__mjcf *file, snw_quat *turn, bool *said)
{
    static const struct {
        const char *name;
        int count;
    } forms[] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};
    snw__span value;
    for (int n = 0; n < (int)(sizeof forms / sizeof *forms); n++) {
        double v[6] = {0};
        if (!snw__xml_find(&file->xml, forms[n].name, &value)) continue;
        snw_status status = snw__xml_numbers(&file->xml, forms[n].name, forms[n].count, v);
        if (status != SNW_OK) return status;
        *turn = snw_quat_normalize(orientation_from(file, n, v));
        if (said) *said = true;
    }
    return SNW_OK;
}

static snw_status read_frame(snw__mjcf *file, snw_xform *frame)
{
    double place[3] = {0, 0, 0};
    snw_status status = snw__xml_numbers(&file->xml, "pos", 3, place);
    *frame = snw_xform_make(snw_quat_identity(), snw_vec3_make(place[0], place[1], place[2]));
    return status == SNW_OK ? snw__mjcf_turn(file, &frame->rotation, NULL) : status;
}

snw_status snw__mjcf_enter_frame(snw__mjcf *file, snw__mjcf_scope *scope)
{
    snw_xform frame;
    bool is_frame = snw__xml_is(&file->xml, "frame");
    if (!is_frame && !snw__xml_is(&file->xml, "replicate")) return SNW_OK;
    snw_status status = SNW_OK;
    if (is_frame)
        status = read_frame(file, &frame);
    else
        frame = file->replica[file->replica_depth - 1].frame;
    if (status == SNW_OK)
        status = snw__mjcf_class_of(file, "childclass", scope->class_index, &scope->class_index);
    if (status == SNW_OK) scope->frame = snw_xform_mul(scope->frame, frame);
    return status;
}

static snw_status read_joint(snw__mjcf *file, const snw__mjcf_scope *scope)
{
    static const snw__mjcf_joint customary = {.type = SNW_JOINT_HINGE,
                                              .axis = {0, 0, 1},
                                              .limited = SNW__MJCF_AUTO,
                                              .said = SNW__MJCF_TYPE | SNW__MJCF_AXIS |
                                                      SNW__MJCF_LIMITED};
    snw__xml *xml = &file->xml;
    if (scope->body < 0)
        return SNW__XML_FAIL(xml, SNW_FORMAT, "a joint stands outside of any body");
    int which = file->joint_used++, class_index = 0;
    snw__mjcf_joint *joint = &file->joint[which];
    snw__mjcf_body *body = &file->body[scope->body];
    *joint = (snw__mjcf_joint){.body = scope->body, .next = -1, .type = SNW_JOINT_FREE};
    joint->name = snw__mjcf_name(file);
    if (snw__xml_is(xml, "joint")) {
        snw_status status = read_joint_fields(file, joint);
        if (status == SNW_OK)
            status = snw__mjcf_class_of(file, "class", scope->class_index, &class_index);
        if (status != SNW_OK) return status;
        inherit(joint, &file->class[class_index].joint);
        inherit(joint, &customary);
    }
    *(body->joint_last >= 0 ? &file->joint[body->joint_last].next : &body->joint_first) = which;
    body->joint_last = which;
    return SNW_OK;
}

/* <inertial pos="" quat="" mass="" diaginertia=""/>, or fullinertia along the body's own axes. */
static snw_status read_inertial(snw__mjcf *file, snw__mjcf_body *body)
{
    snw__xml *xml = &file->xml;
    snw_status status = read_frame(file, &body->inertial);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "mass", 1, &body->mass);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "diaginertia", 3, body->inertia);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "fullinertia", 6, body->inertia);
    return status;
}

static snw_status read_world_element(snw__mjcf *file, snw__mjcf_scope *scope, void *context)
{
    snw__xml *xml = &file->xml;
    (void)context;
    if (snw__xml_is(xml, "body")) {
        snw_xform own;
        snw__mjcf_body *body = &file->body[file->body_used];
        *body = (snw__mjcf_body){.parent = scope->body, .joint_first = -1, .joint_last = -1};
        body->name = snw__mjcf_name(file);
        snw_status status = read_frame(file, &own);
        if (status == SNW_OK)
            status =
                snw__mjcf_class_of(file, "childclass", scope->class_index, &scope->class_index);
        body->rest = snw_xform_mul(scope->frame, own);
        scope->body = file->body_used++;
        scope->frame = snw_xform_identity();
        return status;
    }
    if (snw__xml_is(xml, "joint") || snw__xml_is(xml, "freejoint")) return read_joint(file, scope);
    if (snw__xml_is(xml, "inertial") && scope->body >= 0)
        return read_inertial(file, &file->body[scope->body]);
    return snw__mjcf_enter_frame(file, scope);
}

snw_status snw__mjcf_each(snw__mjcf *file, snw__mjcf_visit *visit, void *context)
{
    snw__xml *xml = &file->xml;
    snw__mjcf_scope scope[SNW__XML_DEPTH_MAX + 1];
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__mjcf_next(file)) == SNW_OK && xml->event != SNW__XML_END) {
        if (xml->depth < 2 || !snw__xml_says(xml->open[1], "worldbody")) continue;
        if (xml->depth == 2) {
            scope[2] = (snw__mjcf_scope){-1, 0, snw_xform_identity()};
            continue;
        }
        scope[xml->depth] = scope[xml->depth - 1];
        status = visit(file, &scope[xml->depth], context);
        if (status != SNW_OK) return status;
    }
    return status;
}

/* ---- the file ------------------------------------------------------------------------------- */

static snw_status mjcf_open(snw__mjcf *file, snw__reading *reading)
{
    memset(file, 0, sizeof *file);
    file->reading = reading;
    file->angle = snw_radians(1);
    file->has_autolimits = true;
    memcpy(file->eulerseq, "xyz", 4);
    return snw__text_load(&file->text, reading);
}

static snw_status mjcf_model(snw__mjcf *file, snw_skeleton **skeleton, snw_motion **motion)
{
    snw_status status = look(file);
    if (status == SNW_OK) status = mjcf_take_room(file);
    if (status == SNW_OK) status = read_classes(file);
    if (status == SNW_OK) status = snw__mjcf_each(file, read_world_element, NULL);
    if (status == SNW_OK) status = snw__mjcf_build(file, skeleton, motion);
    return status;
}

static void mjcf_close(snw__mjcf *file)
{
    snw__name_set_release(&file->class_names);
    snw__name_set_release(&file->body_names);
    snw__name_set_release(&file->joint_names);
    snw__block_release(&file->reading->allocator, &file->block);
    snw__text_release(&file->text);
}

static snw_status mjcf_read(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion)
{
    snw__mjcf file;
    snw_status status = mjcf_open(&file, reading);
    if (status != SNW_OK) return status;
    status = mjcf_model(&file, skeleton, motion);
    mjcf_close(&file);
    return status;
}

snw_status snw__mjcf_read_shapes(snw__reading *reading, const snw__shapes *shapes)
{
    snw__mjcf file;
    snw_skeleton *own = NULL;
    snw_motion *motion = NULL;
    snw_status status = mjcf_open(&file, reading);
    if (status != SNW_OK) return status;
    status = mjcf_model(&file, &own, &motion);
    if (status == SNW_OK) status = snw__mjcf_shapes(&file, own, shapes);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(own);
    mjcf_close(&file);
    return status;
}

static bool mjcf_sniff(const uint8_t *head, size_t size)
{
    return snw__xml_head_is(head, size, "mujoco");
}

const snw__format snw__format_mjcf = {
    "MJCF", "mjcf", mjcf_sniff, NULL, NULL, mjcf_read, NULL, NULL, NULL,
};
