/* ASF (Acclaim skeleton): a body as bones.
 *
 *   :units        mass 1.0 / length 0.45 / angle deg      lengths are inches times this number
 *   :root         order TX TY TZ RX RY RZ / axis XYZ / position 0 0 0 / orientation 0 0 0
 *   :bonedata     begin / id 2 / name lfemur / direction 0.34 -0.94 0 / length 7.59
 *                 / axis 0 0 20 XYZ / dof rx ry rz / limits (-160 20) (-70 70) (-60 70) / end
 *   :hierarchy    begin / root lhipjoint rhipjoint / lhipjoint lfemur / ... / end
 *
 * direction is in the world at rest; axis gives the bone's frame C, its angles applied in the order
 * of the letters about the fixed axes. Comments start with #. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"
#include "io/acclaim.h"
#include "io/motion_text.h"

typedef struct asf_bone {
    snw__span name;
    int parent; /* bone, -1 while not known; bone 0 is the root */
    int children;
    int64_t line;
    double direction[3];
    double length;
    double angles[3];
    int order[3]; /* axes of `angles`, first applied first */
    snw__acclaim_channels channels;
    int limit_count;
    double limit[SNW__DOF_MAX][2];
    snw_quat frame; /* C */
} asf_bone;

typedef struct asf_file {
    snw__text_input text;
    snw__reading *reading;
    int bone_count, bone_capacity;
    asf_bone *bone;
    int *parent, *next, *child, *order; /* (bone_capacity) */
    int *joint_of;                      /* (bone_capacity) joint of a bone */
    snw__block block;
    snw__name_set names; /* of the bones */
    double length_scale; /* of :units; 0 = not said */
    double radians_per_unit;
    double root_position[3];
    bool has_ball_limits;
} asf_file;

/* ---- lines -------------------------------------------------------------------------------- */

static snw_status read_numbers(asf_file *file, snw__span rest, double *numbers, int count)
{
    for (int n = 0; n < count; n++)
        if (!snw__acclaim_number(&rest, numbers + n) || !isfinite(numbers[n]))
            return snw__text_fail(&file->text, SNW_FORMAT, "%d numbers are needed here", count);
    return SNW_OK;
}

/* "XYZ" as {0, 1, 2}; stays as it is when the word is no order. */
static void read_axis_order(snw__span rest, int order[3])
{
    snw__span word = {NULL, NULL};
    double ignored;
    while (snw__acclaim_number(&rest, &ignored)) {
    }
    if (!snw__span_word(&rest, &word) || snw__span_length(word) != 3) return;
    int parsed[3];
    for (int k = 0; k < 3; k++) {
        parsed[k] = (word.at[k] | 32) - 'x';
        if (parsed[k] < 0 || parsed[k] > 2) return;
    }
    memcpy(order, parsed, sizeof parsed);
}

static snw_status read_channels(asf_file *file, snw__span rest, snw__acclaim_channels *channels)
{
    snw__span word;
    channels->count = 0;
    while (snw__span_word(&rest, &word)) {
        snw__acclaim_dof dof;
        if (!snw__acclaim_dof_from(word, &dof))
            return snw__text_fail(&file->text, SNW_FORMAT, "\"%.*s\" is no degree of freedom",
                                  snw__span_shown(word), word.at);
        if (channels->count >= SNW__DOF_MAX)
            return snw__text_fail(&file->text, SNW_FORMAT, "more than %d degrees of freedom",
                                  SNW__DOF_MAX);
        channels->dof[channels->count++] = dof;
    }
    return SNW_OK;
}

static void read_limits(asf_bone *bone, snw__span rest)
{
    double low, high;
    while (bone->limit_count < SNW__DOF_MAX && snw__acclaim_number(&rest, &low) &&
           snw__acclaim_number(&rest, &high)) {
        bone->limit[bone->limit_count][0] = low;
        bone->limit[bone->limit_count++][1] = high;
    }
}

/* ---- sections ----------------------------------------------------------------------------- */

static snw_status read_unit(asf_file *file, snw__span key, snw__span rest)
{
    snw__span word;
    if (snw__span_is(key, "length")) {
        snw_status status = read_numbers(file, rest, &file->length_scale, 1);
        if (status == SNW_OK && !(file->length_scale > 0))
            status = snw__text_fail(&file->text, SNW_FORMAT, "the unit of length must be positive");
        return status;
    }
    if (snw__span_is(key, "angle") && snw__span_word(&rest, &word))
        file->radians_per_unit = snw__span_starts(word, "rad") ? 1 : snw_radians(1);
    return SNW_OK;
}

static snw_status read_root(asf_file *file, snw__span key, snw__span rest)
{
    asf_bone *root = file->bone;
    if (snw__span_is(key, "order")) return read_channels(file, rest, &root->channels);
    if (snw__span_is(key, "axis")) read_axis_order(rest, root->order);
    if (snw__span_is(key, "position")) return read_numbers(file, rest, file->root_position, 3);
    if (snw__span_is(key, "orientation")) return read_numbers(file, rest, root->angles, 3);
    return SNW_OK;
}

static int find_bone(const asf_file *file, snw__span name)
{
    return snw__name_set_find(&file->names, name.at, snw__span_length(name));
}

static snw_status begin_bone(asf_file *file)
{
    if (file->bone_count >= file->bone_capacity)
        return snw__text_fail(&file->text, SNW_TOO_LARGE, "more than %d bones", SNW_JOINT_MAX - 1);
    asf_bone *bone = file->bone + file->bone_count++;
    memset(bone, 0, sizeof *bone);
    bone->name = snw__span_of("");
    bone->parent = -1;
    bone->line = file->text.line;
    for (int k = 0; k < 3; k++)
        bone->order[k] = k;
    return SNW_OK;
}

static snw_status read_bone(asf_file *file, snw__span key, snw__span rest)
{
    if (snw__span_is(key, "begin")) return begin_bone(file);
    if (file->bone_count < 2 || snw__span_is(key, "end")) return SNW_OK;
    asf_bone *bone = file->bone + file->bone_count - 1;
    if (snw__span_is(key, "name")) {
        snw__span name = {NULL, NULL};
        snw__span_word(&rest, &name);
        if (!snw__span_is_empty(bone->name))
            return snw__text_fail(&file->text, SNW_FORMAT, "a second name in one bone");
        if (snw__span_is_empty(name) ||
            snw__name_set_add(&file->names, name.at, snw__span_length(name),
                              file->bone_count - 1) >= 0)
            return snw__text_fail(&file->text, SNW_FORMAT,
                                  "a bone needs a name of its own, not "
                                  "\"%.*s\"",
                                  snw__span_shown(name), name.at ? name.at : "");
        bone->name = name;
        return SNW_OK;
    }
    if (snw__span_is(key, "direction")) return read_numbers(file, rest, bone->direction, 3);
    if (snw__span_is(key, "length")) return read_numbers(file, rest, &bone->length, 1);
    if (snw__span_is(key, "dof")) return read_channels(file, rest, &bone->channels);
    if (snw__span_is(key, "limits")) read_limits(bone, rest);
    if (*key.at == '(') {
        rest.at = key.at;
        read_limits(bone, rest);
    }
    if (!snw__span_is(key, "axis")) return SNW_OK;
    read_axis_order(rest, bone->order);
    return read_numbers(file, rest, bone->angles, 3);
}

static snw_status read_children(asf_file *file, snw__span key, snw__span rest)
{
    snw__span word;
    if (snw__span_is(key, "begin") || snw__span_is(key, "end")) return SNW_OK;
    int parent = snw__span_is(key, "root") ? 0 : find_bone(file, key);
    if (parent < 0)
        return snw__text_fail(&file->text, SNW_FORMAT, "there is no bone \"%.*s\"",
                              snw__span_shown(key), key.at);
    while (snw__span_word(&rest, &word)) {
        int child = find_bone(file, word);
        if (child <= 0)
            return snw__text_fail(&file->text, SNW_FORMAT, "there is no bone \"%.*s\"",
                                  snw__span_shown(word), word.at);
        if (file->bone[child].parent >= 0)
            return snw__text_fail(&file->text, SNW_FORMAT, "bone \"%.*s\" has two parents",
                                  snw__span_shown(word), word.at);
        file->bone[child].parent = parent;
    }
    return SNW_OK;
}

/* ---- room and order ----------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    asf_file *file = (asf_file *)object;
    size_t count = (size_t)file->bone_capacity;
    file->bone = (asf_bone *)snw__block_take(block, count, sizeof *file->bone);
    int **arrays[] = {&file->parent, &file->next, &file->child, &file->order, &file->joint_of};
    for (int n = 0; n < 5; n++)
        *arrays[n] = (int *)snw__block_take(block, count, sizeof(int));
}

static snw_status make_room(asf_file *file)
{
    snw__span line;
    file->bone_capacity = 1;
    while (snw__acclaim_line(&file->text, &line))
        if (snw__span_is(line, "begin")) file->bone_capacity++;
    snw__text_rewind(&file->text);
    if (file->bone_capacity > SNW_JOINT_MAX) file->bone_capacity = SNW_JOINT_MAX;
    snw_status status = snw__text_check_size(
        &file->text, file->bone_capacity * (SNW__BODY_JOINT_BYTES + sizeof *file->bone),
        "the body");
    if (status != SNW_OK) return status;
    status = snw__block_create(&file->block, lay_out, file, &file->reading->allocator, "the bones",
                               file->reading->error);
    if (status == SNW_OK)
        status = snw__name_set_create(&file->names, file->bone_capacity, &file->reading->allocator,
                                      file->reading->error);
    if (status != SNW_OK) return status;
    status = begin_bone(file);
    asf_bone *root = file->bone;
    root->name = snw__span_of("root");
    snw__name_set_add(&file->names, root->name.at, snw__span_length(root->name), 0);
    root->channels.count = 6;
    static const snw__acclaim_dof usual[6] = {SNW__DOF_TX, SNW__DOF_TY, SNW__DOF_TZ,
                                              SNW__DOF_RX, SNW__DOF_RY, SNW__DOF_RZ};
    memcpy(root->channels.dof, usual, sizeof usual);
    return status;
}

/* Depth first; bones that hang on nothing are refused or, in lenient reading, left out. */
static snw_status sort_bones(asf_file *file, int *joint_count)
{
    for (int n = 0; n < file->bone_count; n++) {
        file->parent[n] = n ? file->bone[n].parent : -1;
        file->joint_of[n] = -1;
    }
    *joint_count =
        snw__depth_first(file->parent, file->bone_count, file->next, file->child, file->order);
    for (int j = 0; j < *joint_count; j++)
        file->joint_of[file->order[j]] = j;
    for (int n = 0; n < file->bone_count; n++) {
        const asf_bone *bone = file->bone + n;
        if (file->joint_of[n] >= 0) {
            if (n) file->bone[bone->parent].children++;
            continue;
        }
        file->text.line = bone->line;
        if (!file->reading->options.is_lenient)
            return snw__text_fail(&file->text, SNW_FORMAT,
                                  "bone \"%.*s\" does not hang on the root",
                                  snw__span_shown(bone->name), bone->name.at);
        snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, snw__at_line(bone->line),
                  "bone \"%.*s\" does not hang on the root and is left out",
                  snw__span_shown(bone->name), bone->name.at);
    }
    return SNW_OK;
}

/* ---- the body ----------------------------------------------------------------------------- */

static void set_range(const asf_file *file, const asf_bone *bone, int which, snw_joint *joint,
                      int range)
{
    if (which >= bone->limit_count) return;
    bool is_turn = bone->channels.dof[which] <= SNW__DOF_RZ;
    double scale = is_turn ? file->radians_per_unit : 0;
    double low = bone->limit[which][0] * scale, high = bone->limit[which][1] * scale;
    if (!is_turn || !isfinite(low) || !isfinite(high) || low > high) return;
    joint->limit.has_range[range] = true;
    joint->limit.range[range][0] = low;
    joint->limit.range[range][1] = high;
}

/* From the bone's start to its end, in the world at rest, metres. */
static snw_vec3 bone_vector(const asf_bone *bone, double metres_per_unit)
{
    double scale = bone->length * metres_per_unit;
    return snw_vec3_make(bone->direction[0] * scale, bone->direction[1] * scale,
                         bone->direction[2] * scale);
}

static void define_joint(asf_file *file, int bone_index, double metres_per_unit, snw_joint_def *def)
{
    const asf_bone *bone = file->bone + bone_index;
    if (bone_index == 0) return;
    const asf_bone *parent = file->bone + bone->parent;
    /* The root's frame belongs to its motion; its joint has the axes of the world. */
    snw_quat parent_frame = bone->parent ? parent->frame : snw_quat_identity();
    snw_vec3 start = bone->parent ? bone_vector(parent, metres_per_unit) : snw_vec3_make(0, 0, 0);
    def->parent = file->joint_of[bone->parent];
    def->rest.rotation =
        snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(parent_frame), bone->frame));
    def->rest.translation = snw_quat_unrotate(parent_frame, start);
    snw_joint *joint = &def->joint;
    static const snw_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int turn[SNW__DOF_MAX], turns = 0, slides = 0;
    for (int n = 0; n < bone->channels.count; n++) {
        snw__acclaim_dof dof = bone->channels.dof[n];
        if (dof <= SNW__DOF_RZ) turn[turns++] = n;
        slides += dof >= SNW__DOF_TX && dof <= SNW__DOF_TZ;
    }
    if (slides) {
        joint->type = SNW_JOINT_FREE;
    } else if (turns == 1) {
        int axis = (int)bone->channels.dof[turn[0]];
        joint->type = SNW_JOINT_HINGE;
        joint->axis = axes[axis];
        joint->axis2 = axes[(axis + 1) % 3];
        set_range(file, bone, turn[0], joint, 0);
    } else if (turns == 2 && bone->channels.dof[turn[0]] != bone->channels.dof[turn[1]]) {
        /* The later turn is the outer one. */
        joint->type = SNW_JOINT_UNIVERSAL;
        joint->axis = axes[bone->channels.dof[turn[1]]];
        joint->axis2 = axes[bone->channels.dof[turn[0]]];
        set_range(file, bone, turn[1], joint, 0);
        set_range(file, bone, turn[0], joint, 1);
    } else if (turns) {
        joint->type = SNW_JOINT_BALL;
        if (bone->limit_count) file->has_ball_limits = true;
    }
    if (bone->children == 0) {
        def->tip = snw_quat_unrotate(bone->frame, bone_vector(bone, metres_per_unit));
        def->has_tip = snw_vec3_length(def->tip) > 0;
    }
}

static snw_status make_skeleton(asf_file *file, const snw__acclaim *acclaim, snw_skeleton **out)
{
    const snw_allocator *allocator = &file->reading->allocator;
    size_t count = (size_t)acclaim->joint_count;
    size_t size = count * (sizeof(snw_joint_def) + SNW__NAME_SIZE);
    snw_joint_def *defs = (snw_joint_def *)snw__allocate(allocator, size);
    if (!defs) return snw__fail_memory(file->reading->error, size, "the joints");
    char(*names)[SNW__NAME_SIZE] = (char(*)[SNW__NAME_SIZE])(void *)(defs + count);
    for (int j = 0; j < acclaim->joint_count; j++) {
        defs[j] = snw_joint_def_default();
        snw__span_copy(file->bone[file->order[j]].name, names[j]);
        defs[j].name = names[j];
        define_joint(file, file->order[j], acclaim->metres_per_unit, defs + j);
        acclaim->channels[j] = file->bone[file->order[j]].channels;
    }
    snw_status status = snw__joint_names_settle(names, acclaim->joint_count, allocator,
                                                file->reading->notes, file->reading->error);
    if (status == SNW_OK)
        status =
            snw_skeleton_create(defs, acclaim->joint_count, allocator, out, file->reading->error);
    snw__release(allocator, defs, size);
    return status;
}

static snw_status build(asf_file *file, snw__acclaim *acclaim, snw_skeleton **out)
{
    int joint_count = 0;
    snw_status status = make_room(file);
    if (status == SNW_OK) {
        typedef snw_status (*section_reader)(asf_file *, snw__span, snw__span);
        section_reader reader = NULL;
        snw__span line, key;
        while (status == SNW_OK && snw__acclaim_line(&file->text, &line)) {
            snw__span rest = line;
            snw__span_word(&rest, &key);
            if (*key.at == ':')
                reader = snw__span_is(key, ":units")       ? read_unit
                         : snw__span_is(key, ":root")      ? read_root
                         : snw__span_is(key, ":bonedata")  ? read_bone
                         : snw__span_is(key, ":hierarchy") ? read_children
                                                           : NULL;
            else if (reader)
                status = reader(file, key, rest);
        }
    }
    if (status == SNW_OK && file->bone_count < 2)
        status = snw__text_fail(&file->text, SNW_TRUNCATED, "there are no bones");
    if (status == SNW_OK) status = sort_bones(file, &joint_count);
    if (status == SNW_OK)
        status = snw__acclaim_create(acclaim, joint_count, &file->reading->allocator,
                                     file->reading->error);
    if (status != SNW_OK) return status;
    for (int n = 0; n < file->bone_count; n++) {
        asf_bone *bone = file->bone + n;
        snw__acclaim_channels turns = {3, {SNW__DOF_RX, SNW__DOF_RX, SNW__DOF_RX}};
        double angles[3];
        snw_vec3 ignored;
        for (int k = 0; k < 3; k++) {
            turns.dof[k] = (snw__acclaim_dof)bone->order[k];
            angles[k] = bone->angles[k] * file->radians_per_unit;
        }
        bone->frame = snw__acclaim_turn(&turns, angles, &ignored);
    }
    double scale = file->length_scale > 0 ? file->length_scale : 1;
    acclaim->metres_per_unit = file->reading->options.metres_per_unit;
    if (!(acclaim->metres_per_unit > 0)) {
        acclaim->metres_per_unit = 0.0254 / scale;
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "lengths are taken as inches divided by %g: 1 unit is %.6f m", scale,
                  acclaim->metres_per_unit);
    }
    acclaim->radians_per_unit = file->radians_per_unit;
    acclaim->root_frame = file->bone->frame;
    acclaim->root_position = snw_vec3_scale(
        snw_vec3_make(file->root_position[0], file->root_position[1], file->root_position[2]),
        acclaim->metres_per_unit);
    status = make_skeleton(file, acclaim, out);
    if (status == SNW_OK && file->has_ball_limits)
        snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "limits of joints with three turns are ranges of Euler angles and are left out");
    return status;
}

snw_status snw__asf_read_body(snw__reading *reading, snw__acclaim *acclaim, snw_skeleton **out)
{
    asf_file file;
    memset(&file, 0, sizeof file);
    memset(acclaim, 0, sizeof *acclaim);
    file.reading = reading;
    file.radians_per_unit = snw_radians(1);
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    status = build(&file, acclaim, out);
    snw__name_set_release(&file.names);
    snw__block_release(&reading->allocator, &file.block);
    snw__text_release(&file.text);
    if (status != SNW_OK) snw__acclaim_release(acclaim);
    return status;
}
