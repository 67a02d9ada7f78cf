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
 * Classes of defaults are followed for what counts here. Included files are put in their place
 * where a file is read (mjcf_include.c); from other sources they are refused, and so are replicated
 * bodies: they must be written out first. The file's names of joints survive as joint_name.
 *
 *   <equality> <joint joint1="" joint2="" polycoef="0 1 0 0 0"/>      joint1 follows joint2
 *              <connect body1="" body2="" anchor=""/> </equality>     a pin
 *
 * Both hold in the model's zero pose, where `anchor` (in the frame of body1) is met by a point of
 * body2. Polynomials of degree two and more, welds, equalities of sites, tendons and flexes are
 * noted and left out, as are tendons and actuators, which are no kinematics of a tree.
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"
#include "io/motion_text.h"
#include "io/robot_body.h"

/* What a joint element or a class says, and which of it was said. */
typedef enum mjcf_field {
    MJCF_TYPE = 1,
    MJCF_POS = 2,
    MJCF_AXIS = 4,
    MJCF_RANGE = 8,
    MJCF_LIMITED = 16,
    MJCF_REF = 32
} mjcf_field;

typedef enum mjcf_limited {
    MJCF_FALSE,
    MJCF_TRUE,
    MJCF_AUTO
} mjcf_limited;

typedef struct mjcf_joint {
    snw__span name;
    int body;
    int next;  /* joint of the same body, or -1 */
    int index; /* in the skeleton */
    unsigned said;
    snw_joint_type type;
    double pos[3], axis[3], range[2], ref;
    mjcf_limited limited;
} mjcf_joint;

typedef struct mjcf_class {
    snw__span name;
    int parent;
    mjcf_joint joint; /* what the class says of joints */
} mjcf_class;

typedef struct mjcf_body {
    snw__span name;
    int parent; /* -1: the world */
    snw_xform rest;
    double mass;
    int joint_first, joint_last; /* or -1 */
    int index;                   /* in the skeleton */
} mjcf_body;

typedef struct mjcf_file {
    snw__text_input text;
    snw__reading *reading;
    snw__xml xml;
    double angle; /* radians in one unit of the file's angles */
    char eulerseq[4];
    bool has_autolimits;
    int class_count, body_count, joint_count;
    int class_used, body_used, joint_used;
    mjcf_class *class; /* (class_count) 0: what holds for all */
    mjcf_body *body;   /* (body_count) */
    mjcf_joint *joint; /* (joint_count) */
    int connect_count;
    bool has_ball_range;
    snw__robot robot;
    snw__block block;
    snw__name_set class_names, body_names, joint_names;
} mjcf_file;

/* What surrounds an element. */
typedef struct mjcf_scope {
    int body;        /* or -1 */
    int class_index; /* of joints that name none */
    snw_xform frame; /* of <frame> elements since the body */
} mjcf_scope;

/* ---- first look: options and sizes ---------------------------------------------------------- */

static snw_status look(mjcf_file *file)
{
    snw__xml *xml = &file->xml;
    int64_t bodies = 0, joints = 0, classes = 1;
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        static const char *const elements[] = {"include", "replicate", "attach", "composite",
                                               "flexcomp"};
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
        bodies += snw__xml_is(xml, "body");
        joints += snw__xml_is(xml, "joint") || snw__xml_is(xml, "freejoint");
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
    return SNW_OK;
}

static void mjcf_lay_out(void *object, snw__block *block)
{
    mjcf_file *file = object;
    file->class = snw__block_take(block, (size_t)file->class_count, sizeof *file->class);
    file->body = snw__block_take(block, (size_t)file->body_count, sizeof *file->body);
    file->joint = snw__block_take(block, (size_t)file->joint_count, sizeof *file->joint);
}

static snw_status mjcf_take_room(mjcf_file *file)
{
    const snw_allocator *allocator = &file->reading->allocator;
    snw_status status =
        snw__body_check_size(&file->text, (int64_t)file->body_count + file->joint_count);
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

static snw_status read_type(mjcf_file *file, snw__span value, snw_joint_type *type)
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

static snw_status read_joint_fields(mjcf_file *file, mjcf_joint *joint)
{
    snw__xml *xml = &file->xml;
    snw__span value;
    snw_status status = SNW_OK;
    if (snw__xml_find(xml, "type", &value)) {
        joint->said |= MJCF_TYPE;
        status = read_type(file, value, &joint->type);
    }
    if (snw__xml_find(xml, "limited", &value)) {
        joint->said |= MJCF_LIMITED;
        joint->limited = snw__xml_says(value, "true")    ? MJCF_TRUE
                         : snw__xml_says(value, "false") ? MJCF_FALSE
                                                         : MJCF_AUTO;
    }
    const struct {
        const char *name;
        mjcf_field field;
        int count;
        double *values;
    } numbers[] = {{"pos", MJCF_POS, 3, joint->pos},
                   {"axis", MJCF_AXIS, 3, joint->axis},
                   {"range", MJCF_RANGE, 2, joint->range},
                   {"ref", MJCF_REF, 1, &joint->ref}};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers && status == SNW_OK; n++) {
        if (!snw__xml_find(xml, numbers[n].name, &value)) continue;
        joint->said |= (unsigned)numbers[n].field;
        status = snw__xml_numbers(xml, numbers[n].name, numbers[n].count, numbers[n].values);
    }
    return status;
}

/* What `joint` does not say itself is as in `other`. */
static void inherit(mjcf_joint *joint, const mjcf_joint *other)
{
    unsigned missing = other->said & ~joint->said;
    if (missing & MJCF_TYPE) joint->type = other->type;
    if (missing & MJCF_LIMITED) joint->limited = other->limited;
    if (missing & MJCF_POS) memcpy(joint->pos, other->pos, sizeof joint->pos);
    if (missing & MJCF_AXIS) memcpy(joint->axis, other->axis, sizeof joint->axis);
    if (missing & MJCF_RANGE) memcpy(joint->range, other->range, sizeof joint->range);
    if (missing & MJCF_REF) joint->ref = other->ref;
    joint->said |= missing;
}

/* The class that the attribute names, or `otherwise`. */
static snw_status class_of(mjcf_file *file, const char *attribute, int otherwise, int *index)
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
static snw_status read_classes(mjcf_file *file)
{
    snw__xml *xml = &file->xml;
    int path[SNW__XML_DEPTH_MAX + 1] = {0};
    snw_status status;
    file->class_used = 1; /* "main", also when it is not written */
    file->class[0] = (mjcf_class){.name = snw__span_of("main"), .parent = -1};
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        if (xml->depth < 2 || !snw__xml_says(xml->open[1], "default")) continue;
        path[xml->depth] = path[xml->depth - 1];
        if (snw__xml_is(xml, "default") && xml->depth == 2) {
            path[2] = 0;
            (void)snw__xml_find(xml, "class", &file->class[0].name);
        } else if (snw__xml_is(xml, "default")) {
            mjcf_class *class = &file->class[file->class_used];
            *class = (mjcf_class){.parent = path[xml->depth - 1]};
            if (!snw__xml_find(xml, "class", &class->name))
                return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "a class of defaults has no name");
            path[xml->depth] = file->class_used++;
        } else if (snw__xml_is(xml, "joint")) {
            status = read_joint_fields(file, &file->class[path[xml->depth]].joint);
            if (status != SNW_OK) return status;
        }
    }
    for (int c = 1; c < file->class_used; c++) /* parents come first */
        inherit(&file->class[c].joint, &file->class[file->class[c].parent].joint);
    for (int c = 0; c < file->class_used; c++)
        snw__name_set_add(&file->class_names, file->class[c].name.at,
                          snw__span_length(file->class[c].name), c);
    return status;
}

/* ---- bodies --------------------------------------------------------------------------------- */

static snw_quat orientation_from(const mjcf_file *file, int form, const double v[6])
{
    switch (form) {
    case 0:
        return snw_quat_make(v[0], v[1], v[2], v[3]);
    case 1:
        return snw_quat_from_axis_angle(
            snw_vec3_unit(snw_vec3_make(v[0], v[1], v[2]), snw_vec3_make(0, 0, 1)),
            v[3] * file->angle);
    case 2: {
        snw_quat turned = snw_quat_identity();
        for (int k = 0; k < 3; k++) {
            char letter = file->eulerseq[k];
            bool is_fixed = letter < 'a'; /* upper case: about the fixed axes */
            int axis = (letter | 0x20) - 'x';
            snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(axis == 0, axis == 1, axis == 2),
                                                     v[k] * file->angle);
            turned = is_fixed ? snw_quat_mul(turn, turned) : snw_quat_mul(turned, turn);
        }
        return turned;
    }
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

static snw_status read_frame(mjcf_file *file, snw_xform *frame)
{
    static const struct {
        const char *name;
        int count;
    } forms[] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};
    snw__span value;
    double place[3] = {0, 0, 0};
    *frame = snw_xform_identity();
    snw_status status = snw__xml_numbers(&file->xml, "pos", 3, place);
    frame->translation = snw_vec3_make(place[0], place[1], place[2]);
    for (int n = 0; n < (int)(sizeof forms / sizeof *forms) && status == SNW_OK; n++) {
        double v[6] = {0};
        if (!snw__xml_find(&file->xml, forms[n].name, &value)) continue;
        status = snw__xml_numbers(&file->xml, forms[n].name, forms[n].count, v);
        if (status == SNW_OK) frame->rotation = snw_quat_normalize(orientation_from(file, n, v));
    }
    return status;
}

static snw_status read_world_element(mjcf_file *file, mjcf_scope *scope)
{
    snw__xml *xml = &file->xml;
    snw_xform frame;
    if (snw__xml_is(xml, "body")) {
        snw_xform own;
        mjcf_body *body = &file->body[file->body_used];
        *body = (mjcf_body){.parent = scope->body, .joint_first = -1, .joint_last = -1};
        (void)snw__xml_find(&file->xml, "name", &body->name);
        snw_status status = read_frame(file, &own);
        if (status == SNW_OK)
            status = class_of(file, "childclass", scope->class_index, &scope->class_index);
        body->rest = snw_xform_mul(scope->frame, own);
        scope->body = file->body_used++;
        scope->frame = snw_xform_identity();
        return status;
    }
    if (snw__xml_is(xml, "joint") || snw__xml_is(xml, "freejoint")) {
        if (scope->body < 0)
            return SNW__XML_FAIL(&file->xml, SNW_FORMAT, "a joint stands outside of any body");
        int which = file->joint_used++, class_index = 0;
        mjcf_joint *joint = &file->joint[which];
        mjcf_body *body = &file->body[scope->body];
        *joint = (mjcf_joint){.body = scope->body, .next = -1, .type = SNW_JOINT_FREE};
        (void)snw__xml_find(&file->xml, "name", &joint->name);
        snw_status status = SNW_OK;
        if (snw__xml_is(&file->xml, "joint")) {
            static const mjcf_joint customary = {.type = SNW_JOINT_HINGE,
                                                 .axis = {0, 0, 1},
                                                 .limited = MJCF_AUTO,
                                                 .said = MJCF_TYPE | MJCF_AXIS | MJCF_LIMITED};
            status = read_joint_fields(file, joint);
            if (status == SNW_OK)
                status = class_of(file, "class", scope->class_index, &class_index);
            if (status != SNW_OK) return status;
            inherit(joint, &file->class[class_index].joint);
            inherit(joint, &customary);
        }
        *(body->joint_last >= 0 ? &file->joint[body->joint_last].next : &body->joint_first) = which;
        body->joint_last = which;
        return status;
    }
    if (snw__xml_is(xml, "inertial") && scope->body >= 0)
        return snw__xml_numbers(xml, "mass", 1, &file->body[scope->body].mass);
    if (!snw__xml_is(xml, "frame")) return SNW_OK;
    snw_status status = read_frame(file, &frame);
    if (status == SNW_OK)
        status = class_of(file, "childclass", scope->class_index, &scope->class_index);
    scope->frame = snw_xform_mul(scope->frame, frame);
    return status;
}

static snw_status read_world(mjcf_file *file)
{
    snw__xml *xml = &file->xml;
    mjcf_scope scope[SNW__XML_DEPTH_MAX + 1];
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        if (xml->depth < 2 || !snw__xml_says(xml->open[1], "worldbody")) continue;
        if (xml->depth == 2) {
            scope[2] = (mjcf_scope){-1, 0, snw_xform_identity()};
            continue;
        }
        scope[xml->depth] = scope[xml->depth - 1];
        status = read_world_element(file, &scope[xml->depth]);
        if (status != SNW_OK) return status;
    }
    return status;
}

/* ---- the skeleton --------------------------------------------------------------------------- */

static snw_status mjcf_set_joint(mjcf_file *file, const mjcf_joint *from, snw_joint *joint)
{
    bool is_limited =
        from->limited == MJCF_TRUE ||
        (from->limited == MJCF_AUTO && file->has_autolimits && (from->said & MJCF_RANGE));
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
static snw_status add_body(mjcf_file *file, mjcf_body *body)
{
    int parent = body->parent >= 0 ? file->body[body->parent].index : 0;
    snw_xform rest = body->rest;
    snw_vec3 from = snw_vec3_make(0, 0, 0);
    for (int j = body->joint_first; j >= 0; j = file->joint[j].next) {
        mjcf_joint *joint = &file->joint[j];
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
    file->robot.def[body->index].mass = fmax(body->mass, 0);
    return SNW_OK;
}

/* ---- equalities ----------------------------------------------------------------------------- */

static int find_span(const snw__name_set *names, snw__span name)
{
    return name.at ? snw__name_set_find(names, name.at, snw__span_length(name)) : -1;
}

static void leave_out(mjcf_file *file, const char *why)
{
    snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
              "an equality \"%.*s\" is left out: %s", snw__span_shown(file->xml.name),
              file->xml.name.at, why);
}

/* joint1 - rest = sum of coefficients times powers of (joint2 - rest). */
static snw_status read_joint_equality(mjcf_file *file)
{
    snw__span name1 = {0}, name2 = {0};
    double c[5] = {0, 1, 0, 0, 0};
    snw__span text;
    if (snw__xml_find(&file->xml, "polycoef", &text)) {
        snw_status status = snw__xml_numbers(&file->xml, "polycoef", 5, c);
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

static snw_xform mjcf_rest_world(const mjcf_file *file, int index)
{
    snw_xform world = snw_xform_identity();
    for (; index >= 0; index = file->robot.def[index].parent)
        world = snw_xform_mul(file->robot.def[index].rest, world);
    return world;
}

static snw_status read_connect(mjcf_file *file)
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

static snw_status read_equalities(mjcf_file *file)
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

static snw_status mjcf_build(mjcf_file *file, snw_skeleton **skeleton, snw_motion **motion)
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

static snw_status mjcf_read(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion)
{
    mjcf_file file;
    memset(&file, 0, sizeof file);
    file.reading = reading;
    file.angle = snw_radians(1);
    file.has_autolimits = true;
    memcpy(file.eulerseq, "xyz", 4);
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    status = look(&file);
    if (status == SNW_OK) status = mjcf_take_room(&file);
    if (status == SNW_OK) status = read_classes(&file);
    if (status == SNW_OK) status = read_world(&file);
    if (status == SNW_OK) status = mjcf_build(&file, skeleton, motion);
    snw__name_set_release(&file.class_names);
    snw__name_set_release(&file.body_names);
    snw__name_set_release(&file.joint_names);
    snw__block_release(&reading->allocator, &file.block);
    snw__text_release(&file.text);
    return status;
}

static bool mjcf_sniff(const uint8_t *head, size_t size)
{
    return snw__xml_head_is(head, size, "mujoco");
}

const snw__format snw__format_mjcf = {
    "MJCF", "mjcf", mjcf_sniff, NULL, NULL, mjcf_read, NULL, NULL, NULL,
};
