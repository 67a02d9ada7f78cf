/* ATM, Knight's articulated tetrahedral models (Knight 2005, 2.3.2 and 8.5): a body as text. Words
 * are separated by blanks, // starts a comment.
 *
 *   FIGURE name
 *   SEGMENTS n
 *   MESH i file              a segment, from 0; its mesh lies beside the figure
 *   MASS kg   NAME word
 *   SCALE_XYZ a b c, TRANSLATE_X a (_Y, _Z, _XYZ), ROTATE_X a (_Y, _Z): of the mesh
 *   PARENT i
 *   JOINT name               the joint between parent and this segment
 *   3 x y z                  its centre in the figure's coordinates, metres
 *   DEGREES_OF_FREEDOM r t   rotations and translations, each:
 *     VALUE v                degrees or metres
 *     3 x y z                its axis
 *     FROM a TO b
 *   CHILDREN n i ...
 *   ENDMESH ... ENDFIGURE
 *
 * A segment with several freedoms becomes as many joints at one place, the last of which has the
 * segment's name; the values are the one frame. Meshes and how they are placed are not read here.
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/motion_text.h"
#include "io/text_writer.h"

enum {
    ATM_FREEDOMS = 6
};

typedef struct atm_freedom {
    double value, low, high; /* radians or metres */
    snw_vec3 axis;
    bool has_axis, has_range;
} atm_freedom;

typedef struct atm_segment {
    bool is_there;
    char name[SNW__NAME_SIZE];
    double mass;
    int parent; /* -1: none said */
    snw_vec3 center;
    int rotation_count, freedom_count, freedom_read;
    atm_freedom freedom[ATM_FREEDOMS];
    int joint; /* where it comes in the body: the last of its joints */
} atm_segment;

typedef struct atm_figure {
    snw__text_input text;
    int segment_count, mesh_count;
    atm_segment *segment; /* (segment_count) */
    int joint_count;
    snw_joint_def *def;           /* (joint_count) */
    char (*name)[SNW__NAME_SIZE]; /* (joint_count) */
    double *value;                /* (joint_count) */
} atm_figure;

/* ---- words -------------------------------------------------------------------------------------
 */

static bool next_word(snw__text_input *text, snw__span *word)
{
    while (snw__text_word(text, word)) {
        if (!snw__span_starts(*word, "//")) return true;
        snw__span rest;
        if (text->is_inside) (void)snw__text_line(text, &rest);
    }
    return false;
}

static snw_status need_numbers(snw__text_input *text, double *number, int count, const char *what)
{
    snw__span word;
    for (int n = 0; n < count; n++)
        if (!next_word(text, &word) || !snw__span_double(word, &number[n]) || !isfinite(number[n]))
            return snw__text_fail(text, SNW_FORMAT, "%s has no %d numbers", what, count);
    return SNW_OK;
}

static snw_status need_integer(snw__text_input *text, int low, int high, int *value,
                               const char *what)
{
    snw__span word;
    int64_t number;
    if (!next_word(text, &word) || !snw__span_int(word, &number) || number < low || number > high)
        return snw__text_fail(text, SNW_FORMAT, "%s is no whole number from %d to %d", what, low,
                              high);
    *value = (int)number;
    return SNW_OK;
}

/* "3 x y z" */
static snw_status need_vector(snw__text_input *text, snw_vec3 *out, const char *what)
{
    double x[3];
    int dimension;
    snw_status status = need_integer(text, 3, 3, &dimension, what);
    if (status == SNW_OK) status = need_numbers(text, x, 3, what);
    if (status == SNW_OK) *out = snw_vec3_make(x[0], x[1], x[2]);
    return status;
}

/* ---- a segment
 * ----------------------------------------------------------------------------------- */

static snw_status read_freedom(snw__text_input *text, atm_segment *segment)
{
    double value = 0, range[2];
    snw__span word;
    if (segment->freedom_read == segment->freedom_count)
        return snw__text_fail(text, SNW_FORMAT, "%s has more values than freedoms", segment->name);
    bool is_turn = segment->freedom_read < segment->rotation_count;
    atm_freedom *freedom = segment->freedom + segment->freedom_read++;
    snw_status status = need_numbers(text, &value, 1, "VALUE");
    if (status == SNW_OK) status = need_vector(text, &freedom->axis, "an axis");
    if (status != SNW_OK) return status;
    if (!(snw_vec3_length(freedom->axis) > 1e-9))
        return snw__text_fail(text, SNW_FORMAT, "an axis of %s has no direction", segment->name);
    freedom->axis = snw_vec3_unit(freedom->axis, freedom->axis);
    freedom->value = is_turn ? snw_radians(value) : value;
    snw__text_mark mark = snw__text_here(text);
    if (!next_word(text, &word) || !snw__span_is(word, "FROM")) {
        snw__text_return(text, mark); /* no limits */
        return SNW_OK;
    }
    status = need_numbers(text, range, 1, "FROM");
    if (status != SNW_OK) return status;
    if (!next_word(text, &word) || !snw__span_is(word, "TO"))
        return snw__text_fail(text, SNW_FORMAT, "FROM has no TO");
    status = need_numbers(text, range + 1, 1, "TO");
    if (status == SNW_OK && range[0] > range[1])
        return snw__text_fail(text, SNW_FORMAT, "FROM %g is above TO %g", range[0], range[1]);
    freedom->has_range = true;
    freedom->low = is_turn ? snw_radians(range[0]) : range[0];
    freedom->high = is_turn ? snw_radians(range[1]) : range[1];
    return status;
}

static snw_status read_joint(snw__text_input *text, atm_segment *segment)
{
    snw__span word;
    if (!next_word(text, &word))
        return snw__text_fail(text, SNW_TRUNCATED, "the file ends after JOINT");
    return need_vector(text, &segment->center, "a joint's centre");
}

static snw_status read_word(atm_figure *figure, atm_segment *segment, snw__span word)
{
    snw__text_input *text = &figure->text;
    double ignored[3];
    if (snw__span_is(word, "NAME")) {
        if (!next_word(text, &word))
            return snw__text_fail(text, SNW_TRUNCATED, "the file ends after NAME");
        (void)snw__span_copy(word, segment->name);
        return SNW_OK;
    }
    if (snw__span_is(word, "MASS")) {
        snw_status status = need_numbers(text, &segment->mass, 1, "MASS");
        if (status == SNW_OK && segment->mass < 0)
            return snw__text_fail(text, SNW_FORMAT, "the mass is %g kg", segment->mass);
        return status;
    }
    if (snw__span_is(word, "PARENT"))
        return need_integer(text, 0, figure->segment_count - 1, &segment->parent, "PARENT");
    if (snw__span_is(word, "JOINT")) return read_joint(text, segment);
    if (snw__span_is(word, "DEGREES_OF_FREEDOM")) {
        int turns, slides;
        snw_status status = need_integer(text, 0, 3, &turns, "the number of rotations");
        if (status == SNW_OK)
            status = need_integer(text, 0, 3, &slides, "the number of translations");
        if (status != SNW_OK) return status;
        segment->rotation_count = turns;
        segment->freedom_count = turns + slides;
        segment->freedom_read = 0;
        return SNW_OK;
    }
    if (snw__span_is(word, "VALUE")) return read_freedom(text, segment);
    if (snw__span_is(word, "CHILDREN")) {
        int segment_count = figure->segment_count;
        int count, child;
        snw_status status = need_integer(text, 0, segment_count, &count, "the number of children");
        for (int n = 0; n < count && status == SNW_OK; n++)
            status = need_integer(text, 0, segment_count - 1, &child, "a child");
        return status;
    }
    bool is_three = snw__span_ends(word, "_XYZ");
    if (snw__span_starts(word, "SCALE") || snw__span_starts(word, "TRANSLATE_") ||
        snw__span_starts(word, "ROTATE_"))
        return need_numbers(text, ignored, is_three ? 3 : 1, "the place of a mesh");
    return snw__text_fail(text, SNW_FORMAT, "\"%.*s\" is no word of ATM", snw__span_shown(word),
                          word.at);
}

static snw_status read_segment(atm_figure *figure)
{
    snw__text_input *text = &figure->text;
    snw__span word;
    int index;
    snw_status status = need_integer(text, 0, figure->segment_count - 1, &index, "MESH");
    if (status != SNW_OK) return status;
    atm_segment *segment = figure->segment + index;
    if (segment->is_there) return snw__text_fail(text, SNW_FORMAT, "segment %d comes twice", index);
    segment->is_there = true;
    segment->parent = -1;
    snw_format(segment->name, sizeof segment->name, "segment%d", index);
    if (!next_word(text, &word))
        return snw__text_fail(text, SNW_TRUNCATED, "segment %d names no mesh", index);
    figure->mesh_count++;
    while (status == SNW_OK) {
        if (!next_word(text, &word))
            return snw__text_fail(text, SNW_TRUNCATED, "segment %s has no ENDMESH", segment->name);
        if (snw__span_is(word, "ENDMESH")) break;
        status = read_word(figure, segment, word);
    }
    if (status == SNW_OK && segment->freedom_read < segment->freedom_count)
        return snw__text_fail(text, SNW_FORMAT, "%s has %d of its %d freedoms", segment->name,
                              segment->freedom_read, segment->freedom_count);
    return status;
}

/* ---- the figure
 * ------------------------------------------------------------------------------------- */

static snw_status read_head(atm_figure *figure)
{
    snw__text_input *text = &figure->text;
    snw__span word;
    if (!next_word(text, &word) || !next_word(text, &word) || !next_word(text, &word) ||
        !snw__span_is(word, "SEGMENTS"))
        return snw__text_fail(text, SNW_FORMAT, "there is no \"FIGURE name SEGMENTS n\"");
    snw_status status =
        need_integer(text, 1, SNW_JOINT_MAX / ATM_FREEDOMS, &figure->segment_count, "SEGMENTS");
    if (status == SNW_OK)
        status = snw__text_check_size(text, (double)figure->segment_count * sizeof(atm_segment),
                                      "the segments");
    return status;
}

/* Segments in the order of the tree, parents first. */
static snw_status build_body(atm_figure *figure)
{
    int placed = 0, roots = 0;
    for (int n = 0; n < figure->segment_count; n++) {
        roots += figure->segment[n].parent < 0;
        figure->segment[n].joint = -1;
    }
    if (roots != 1)
        return snw__text_fail(&figure->text, SNW_FORMAT, "%d segments have no parent, not one",
                              roots);
    for (int before = -1; placed > before && placed < figure->segment_count;) {
        before = placed;
        for (int n = 0; n < figure->segment_count; n++) {
            atm_segment *segment = figure->segment + n;
            const atm_segment *parent =
                segment->parent < 0 ? NULL : figure->segment + segment->parent;
            if (segment->joint >= 0 || (parent && parent->joint < 0)) continue;
            snw_vec3 offset =
                parent ? snw_vec3_sub(segment->center, parent->center) : segment->center;
            int above = parent ? parent->joint : -1;
            for (int f = 0; f == 0 || f < segment->freedom_count; f++) {
                /* One joint of the body for a freedom, or for none. */
                int at = figure->joint_count++, last = segment->freedom_count - 1;
                snw_joint_def *def = figure->def + at;
                *def = snw_joint_def_default();
                def->parent = above;
                def->rest.translation = f ? snw_vec3_make(0, 0, 0) : offset;
                if (f < last)
                    snw_format(figure->name[at], SNW__NAME_SIZE, "%.200s_%d", segment->name, f + 1);
                else
                    memcpy(figure->name[at], segment->name, SNW__NAME_SIZE);
                if (f >= last) def->mass = segment->mass;
                if (!(last < 0)) {
                    const atm_freedom *k = segment->freedom + f;
                    def->joint.type =
                        f < segment->rotation_count ? SNW_JOINT_HINGE : SNW_JOINT_PRISMATIC;
                    def->joint.axis = k->axis;
                    def->joint.limit.has_range[0] = k->has_range;
                    def->joint.limit.range[0][0] = k->low;
                    def->joint.limit.range[0][1] = k->high;
                    figure->value[at] = k->value;
                }
                above = figure->joint_count - 1;
            }
            segment->joint = above;
            placed++;
        }
    }
    if (placed < figure->segment_count)
        return snw__text_fail(&figure->text, SNW_FORMAT, "segments hang in a ring");
    return SNW_OK;
}

static void lay_out_joints(void *object, snw__block *block)
{
    atm_figure *figure = (atm_figure *)object;
    size_t joints = 0;
    for (int n = 0; n < figure->segment_count; n++) {
        int freedoms = figure->segment[n].freedom_count;
        joints += freedoms > 1 ? (size_t)freedoms : 1;
    }
    figure->def = (snw_joint_def *)snw__block_take(block, joints, sizeof *figure->def);
    figure->name = (char(*)[SNW__NAME_SIZE])snw__block_take(block, joints, SNW__NAME_SIZE);
    figure->value = (double *)snw__block_take(block, joints, sizeof(double));
}

static snw_status make_motion(atm_figure *figure, snw__reading *reading, snw_skeleton **skeleton,
                              snw_motion **motion)
{
    snw_status status = snw__joint_names_settle(
        figure->name, figure->joint_count, &reading->allocator, reading->notes, reading->error);
    for (int j = 0; j < figure->joint_count; j++)
        figure->def[j].name = figure->name[j];
    if (status == SNW_OK)
        status = snw_skeleton_create(figure->def, figure->joint_count, &reading->allocator,
                                     skeleton, reading->error);
    if (status == SNW_OK)
        status = snw_motion_create(*skeleton, 1, 1, &reading->allocator, motion, reading->error);
    for (int j = 0; j < figure->joint_count && status == SNW_OK; j++)
        snw_joint_from_values(&(*skeleton)->joint[j],
                              (const double[6]){figure->value[j], 0, 0, 0, 0, 0},
                              &(*motion)->rotation[j], &(*motion)->slide[j]);
    if (status != SNW_OK) {
        snw_skeleton_destroy(*skeleton);
        *skeleton = NULL;
        return status;
    }
    snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
              "the meshes of %d %s are named, not read (sinew mesh and sinew mass read them)",
              figure->mesh_count, snw__plural(figure->mesh_count, "segment", "segments"));
    return SNW_OK;
}

static snw_status with_segments(atm_figure *figure, snw__reading *reading, snw_skeleton **skeleton,
                                snw_motion **motion)
{
    snw__block block;
    snw__text_input *text = &figure->text;
    snw__span word;
    snw_status status = SNW_OK;
    bool is_ended = false;
    while (status == SNW_OK && !is_ended && next_word(text, &word)) {
        is_ended = snw__span_is(word, "ENDFIGURE");
        if (snw__span_is(word, "MESH"))
            status = read_segment(figure);
        else if (!is_ended)
            status = snw__text_fail(text, SNW_FORMAT, "\"%.*s\" stands between segments",
                                    snw__span_shown(word), word.at);
    }
    if (status == SNW_OK && !is_ended)
        status = snw__text_fail(text, SNW_TRUNCATED, "there is no ENDFIGURE");
    for (int n = 0; n < figure->segment_count && status == SNW_OK; n++)
        if (!figure->segment[n].is_there)
            status = snw__text_fail(text, SNW_FORMAT, "segment %d of %d is not there", n,
                                    figure->segment_count);
    if (status == SNW_OK)
        status = snw__block_create(&block, lay_out_joints, figure, &reading->allocator, "a figure",
                                   reading->error);
    if (status != SNW_OK) return status;
    status = build_body(figure);
    if (status == SNW_OK) status = make_motion(figure, reading, skeleton, motion);
    snw__block_release(&reading->allocator, &block);
    return status;
}

static snw_status read_motion(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion)
{
    atm_figure figure;
    memset(&figure, 0, sizeof figure);
    snw_status status = snw__text_load(&figure.text, reading);
    if (status != SNW_OK) return status;
    status = read_head(&figure);
    size_t size = (size_t)figure.segment_count * sizeof *figure.segment;
    if (status == SNW_OK) {
        figure.segment = (atm_segment *)snw__allocate(&reading->allocator, size);
        status = figure.segment ? with_segments(&figure, reading, skeleton, motion)
                                : snw__fail_memory(reading->error, size, "the segments");
        if (figure.segment) snw__release(&reading->allocator, figure.segment, size);
    }
    snw__text_release(&figure.text);
    return status;
}

/* ---- writing
 * ------------------------------------------------------------------------------------------ */

static void put_vector(snw__output *output, snw_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    snw__put_string(output, "3");
    for (int k = 0; k < 3; k++) {
        snw__put_string(output, " ");
        snw__put_double(output, x[k]);
    }
    snw__put_string(output, "\n");
}

static void put_freedom(snw__output *output, double value, snw_vec3 axis, const double *range,
                        double scale)
{
    snw__put_string(output, "VALUE ");
    snw__put_double(output, scale * value);
    snw__put_string(output, "\n");
    put_vector(output, axis);
    if (!range) return;
    snw__put_string(output, "FROM ");
    snw__put_double(output, scale * range[0]);
    snw__put_string(output, " TO ");
    snw__put_double(output, scale * range[1]);
    snw__put_string(output, "\n");
}

/* Freedoms of a joint: its own axes where it has some, else turns about x, y, z and slides along
 * them. */
static void put_freedoms(snw__output *output, const snw_joint *joint, snw_quat frame,
                         snw_quat rotation, snw_vec3 slide)
{
    double value[6], angle[3], degree = 180 / SNW_PI;
    const double *range[2];
    const double along[3] = {slide.x, slide.y, slide.z};
    (void)snw_joint_values(joint, rotation, slide, value);
    for (int k = 0; k < 2; k++)
        range[k] = joint->limit.has_range[k] ? joint->limit.range[k] : NULL;
    snw_vec3 axis = snw_quat_rotate(frame, joint->axis), x[3];
    for (int k = 0; k < 3; k++)
        x[k] = snw_quat_rotate(frame, snw_vec3_make(k == 0, k == 1, k == 2));
    switch (joint->type) {
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT:
        snw__put_string(output, "DEGREES_OF_FREEDOM 1 0\n");
        put_freedom(output, value[0], axis, range[0], degree);
        return;
    case SNW_JOINT_UNIVERSAL:
        snw__put_string(output, "DEGREES_OF_FREEDOM 2 0\n");
        put_freedom(output, value[0], axis, range[0], degree);
        put_freedom(output, value[1], snw_quat_rotate(frame, joint->axis2), range[1], degree);
        return;
    case SNW_JOINT_PRISMATIC:
        snw__put_string(output, "DEGREES_OF_FREEDOM 0 1\n");
        put_freedom(output, value[0], axis, range[0], 1);
        return;
    case SNW_JOINT_BALL:
    case SNW_JOINT_FREE:
        snw__put_text(output, "DEGREES_OF_FREEDOM 3 %d\n", joint->type == SNW_JOINT_FREE ? 3 : 0);
        (void)snw_quat_to_euler(rotation, SNW_EULER_XYZ, angle);
        for (int k = 0; k < 3; k++)
            put_freedom(output, angle[k], x[k], NULL, degree);
        for (int k = 0; k < 3 && joint->type == SNW_JOINT_FREE; k++)
            put_freedom(output, along[k], x[k], NULL, 1);
        return;
    default:
        return;
    }
}

/* The first frame, or rest; each joint a segment, whose mesh is called like it. A free joint turns
 * before it slides here and slides before it turns there: its slide is written in the turned
 * frame. */
static snw_status write_motion(snw__output *output, const snw_motion *motion)
{
    snw_status status = snw__motion_check(motion, output->error);
    if (status != SNW_OK) return status;
    const snw_skeleton *skeleton = motion->skeleton;
    if (skeleton->joint_count > SNW_JOINT_MAX / ATM_FREEDOMS)
        return snw__fail(output->error, SNW_UNSUPPORTED, "%d joints are too many for ATM",
                         skeleton->joint_count);
    snw__put_text(output, "FIGURE sinew\nSEGMENTS %d\n", skeleton->joint_count);
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_xform world = skeleton->rest[j];
        for (int p = skeleton->parent[j]; p >= 0; p = skeleton->parent[p])
            world = snw_xform_mul(skeleton->rest[p], world);
        snw_quat rotation = motion->frame_count ? motion->rotation[j] : snw_quat_identity();
        snw_vec3 slide = motion->frame_count ? motion->slide[j] : snw_vec3_make(0, 0, 0);
        if (skeleton->joint[j].type == SNW_JOINT_FREE) slide = snw_quat_unrotate(rotation, slide);
        snw__put_text(output, "\nMESH %d ", j);
        snw__put_name(output, skeleton->name[j], " /", '_');
        snw__put_string(output, ".mesh\nMASS ");
        snw__put_double(output, skeleton->mass[j]);
        snw__put_string(output, "\nNAME ");
        snw__put_name(output, skeleton->name[j], " /", '_');
        if (j) snw__put_text(output, "\nPARENT %d", skeleton->parent[j]);
        snw__put_string(output, "\nJOINT ");
        snw__put_name(output, skeleton->joint_name[j], " /", '_');
        snw__put_string(output, "\n");
        put_vector(output, world.translation);
        put_freedoms(output, &skeleton->joint[j], world.rotation, rotation, slide);
        int count = 0;
        for (int c = skeleton->first_child[j]; c >= 0; c = skeleton->next_sibling[c])
            count++;
        if (count) {
            snw__put_text(output, "CHILDREN %d\n", count);
            for (int c = skeleton->first_child[j]; c >= 0; c = skeleton->next_sibling[c])
                snw__put_text(output, "%d\n", c);
        }
        snw__put_string(output, "ENDMESH\n");
    }
    snw__put_string(output, "\nENDFIGURE\n");
    return SNW_OK;
}

/* FIGURE and a name, then SEGMENTS and a number. */
static bool sniff(const uint8_t *head, size_t size)
{
    snw__text_input text = snw__text_of_head(head, size);
    snw__span word;
    int64_t number;
    return next_word(&text, &word) && snw__span_is(word, "FIGURE") && next_word(&text, &word) &&
           next_word(&text, &word) && snw__span_is(word, "SEGMENTS") && next_word(&text, &word) &&
           snw__span_int(word, &number);
}

const snw__format snw__format_atm = {
    "ATM", "atm", sniff, NULL, NULL, read_motion, write_motion, NULL, NULL,
};
