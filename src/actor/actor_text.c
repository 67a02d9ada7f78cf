/* An actor as text, to keep it for the next trial of the same person.
 *
 *     sinew-actor 3
 *     joint PARENT X Y Z TYPE RANGE RESIDUAL UNCERTAINTY "NAME"
 *     turn JOINT W X Y Z
 *     axis JOINT X Y Z X Y Z
 *     range JOINT WHICH LOW HIGH
 *     cone JOINT ANGLE ANGLE ANGLE ANGLE
 *     twist JOINT LOW HIGH
 *     proportions JOINT
 *     tip JOINT X Y Z
 *     marker JOINT X Y Z NOISE "NAME"
 *     value COUNT NUMBER... "NAME"
 *
 * One thing on a line, numbers separated by blanks; lines that start with # and empty lines do not
 * count. In a name \" and \\ stand for " and \, \xNN for the byte of two hexadecimal digits (all
 * below 32, and 127, are written so): any label survives. PARENT and JOINT are numbers of earlier
 * joints, from 0; the root's parent is -1. X Y Z in metres: of a joint in its parent's frame, of
 * tip and marker in the joint's. turn is how the joint's frame is turned in its parent's at rest,
 * where it is. TYPE is fixed, hinge, pivot, universal or ball; RANGE, how far the joint turned, and
 * all other angles in radians; RESIDUAL, UNCERTAINTY and NOISE in metres. axis is a joint's two
 * axes (unit), range, cone and twist its limits: see snw_joint in sinew/body.h. Numbers read back
 * exactly. proportions: published proportions tell the joint's centre, not the motion.
 *
 * value is what somebody keeps with the actor (snw_actor_keep).
 *
 * In sinew-actor 1 and 2 a name is not quoted and runs to the end of its line. In 1 TYPE is what
 * the motion looked like, and joints are balls without limits, but for twists that no marker shows
 * (twist.h).
 */
#include <string.h>

#include "actor/actor.h"
#include "actor/twist.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/text_lines.h"

#define ACTOR_TEXT_HEAD "sinew-actor 3"
/* What reading takes for each joint (test_growth measures 2.3 kB), to keep within 64 times the
 * text and 1 MiB. */
enum {
    ACTOR_JOINT_BYTES = 2600
};

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct actor_writer {
    char *buffer;
    size_t size;
    size_t length;
} actor_writer;

static void put_byte(actor_writer *writer, char byte)
{
    if (writer->length + 1 < writer->size) writer->buffer[writer->length] = byte;
    writer->length++;
    if (writer->size > 0)
        writer->buffer[writer->length < writer->size ? writer->length : writer->size - 1] = 0;
}

static void put_line(actor_writer *writer, const char *line)
{
    for (; *line; line++)
        put_byte(writer, *line);
}

/* The name in quotes, and the end of the line. */
static void put_name(actor_writer *writer, const char *name)
{
    put_byte(writer, '"');
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte < 32 || byte == 127) {
            char code[8];
            snw_format(code, sizeof code, "\\x%02x", byte);
            put_line(writer, code);
            continue;
        }
        if (byte == '"' || byte == '\\') put_byte(writer, '\\');
        put_byte(writer, *name);
    }
    put_line(writer, "\"\n");
}

static void put_limits(actor_writer *writer, int index, const snw_joint *joint)
{
    char line[512];
    const snw_joint_limit *limit = &joint->limit;
    if (joint->type == SNW_JOINT_FIXED) return;
    snw_format(line, sizeof line, "axis %d %g %g %g %g %g %g\n", index, joint->axis.x,
               joint->axis.y, joint->axis.z, joint->axis2.x, joint->axis2.y, joint->axis2.z);
    put_line(writer, line);
    for (int k = 0; k < 2; k++) {
        if (!limit->has_range[k]) continue;
        snw_format(line, sizeof line, "range %d %d %g %g\n", index, k, limit->range[k][0],
                   limit->range[k][1]);
        put_line(writer, line);
    }
    if (limit->swing == SNW_SWING_CONE) {
        snw_format(line, sizeof line, "cone %d %g %g %g %g\n", index, limit->cone[0],
                   limit->cone[1], limit->cone[2], limit->cone[3]);
        put_line(writer, line);
    }
    if (limit->has_twist) {
        snw_format(line, sizeof line, "twist %d %g %g\n", index, limit->twist[0], limit->twist[1]);
        put_line(writer, line);
    }
}

size_t snw_actor_print(const snw_actor *actor, char *buffer, size_t size)
{
    actor_writer writer = {buffer, size, 0};
    const snw_skeleton *body = actor->skeleton;
    char line[512];
    put_line(&writer, ACTOR_TEXT_HEAD "\n");
    for (int j = 0; j < body->joint_count; j++) {
        snw_vec3 at = body->rest[j].translation;
        const snw_joint_estimate *estimate = actor->estimate + j;
        snw_format(line, sizeof line, "joint %d %g %g %g %s %g %g %g ", body->parent[j], at.x, at.y,
                   at.z, snw_joint_type_name(body->joint[j].type), estimate->range,
                   estimate->residual, estimate->uncertainty);
        put_line(&writer, line);
        put_name(&writer, body->name[j]);
        snw_quat turn = body->rest[j].rotation;
        if (turn.x != 0 || turn.y != 0 || turn.z != 0) {
            snw_format(line, sizeof line, "turn %d %g %g %g %g\n", j, turn.w, turn.x, turn.y,
                       turn.z);
            put_line(&writer, line);
        }
        put_limits(&writer, j, &body->joint[j]);
        if (!estimate->is_from_proportions) continue;
        snw_format(line, sizeof line, "proportions %d\n", j);
        put_line(&writer, line);
    }
    for (int j = 0; j < body->joint_count; j++) {
        if (!body->has_tip[j]) continue;
        snw_format(line, sizeof line, "tip %d %g %g %g\n", j, body->tip[j].x, body->tip[j].y,
                   body->tip[j].z);
        put_line(&writer, line);
    }
    for (int m = 0; m < actor->marker_count; m++) {
        const snw_actor_marker *marker = actor->marker + m;
        snw_format(line, sizeof line, "marker %d %g %g %g %g ", marker->joint, marker->offset.x,
                   marker->offset.y, marker->offset.z, marker->noise);
        put_line(&writer, line);
        put_name(&writer, marker->name);
    }
    for (int v = 0; v < actor->value_count; v++) {
        const snw_actor_value *value = actor->value + v;
        char word[64];
        snw_format(word, sizeof word, "value %d ", value->count);
        put_line(&writer, word);
        for (int n = 0; n < value->count; n++) {
            snw_format(word, sizeof word, "%g ", value->number[n]);
            put_line(&writer, word);
        }
        put_name(&writer, value->name);
    }
    return writer.length;
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct actor_reader {
    snw__lines lines;
    int version;
    char *names; /* where the next name goes; as much room as the text has bytes */
    snw_error *error;
} actor_reader;

static snw_status complain(const actor_reader *reader, const char *what)
{
    snw__place place = SNW__NOWHERE;
    place.line = reader->lines.line;
    return snw__fail_at(reader->error, SNW_FORMAT, place, "actor, line %lld: %s",
                        (long long)reader->lines.line, what);
}

static bool take_number(actor_reader *reader, double *value)
{
    return snw__lines_numbers(&reader->lines, value, 1);
}

static bool take_vector(actor_reader *reader, snw_vec3 *v)
{
    return take_number(reader, &v->x) && take_number(reader, &v->y) && take_number(reader, &v->z);
}

static bool take_index(actor_reader *reader, int low, int high, int *index)
{
    double value;
    if (!take_number(reader, &value) || value < low || value > high || value != floor(value))
        return false;
    *index = (int)value;
    return true;
}

/* One byte of a quoted name; false at a code that is none. */
static bool take_quoted_byte(actor_reader *reader, char *byte)
{
    *byte = *reader->lines.at++;
    if (*byte != '\\') return true;
    if (reader->lines.at >= reader->lines.end) return false;
    *byte = *reader->lines.at++;
    if (*byte != 'x') return *byte == '"' || *byte == '\\';
    if (reader->lines.end - reader->lines.at < 2) return false;
    int coded = snw__hex_byte(reader->lines.at);
    reader->lines.at += 2;
    *byte = (char)coded;
    return coded > 0;
}

static bool take_quoted(actor_reader *reader, char *to)
{
    if (reader->lines.at >= reader->lines.end || *reader->lines.at++ != '"') return false;
    while (reader->lines.at < reader->lines.end && *reader->lines.at != '"')
        if (!take_quoted_byte(reader, to++)) return false;
    *to = 0;
    if (reader->lines.at++ >= reader->lines.end) return false;
    return snw__lines_are_done(&reader->lines);
}

/* The rest of the line: quoted, or as it is in old versions. A quoted one may be empty: captures
 * have markers without a label. */
static bool take_label(actor_reader *reader, const char **name)
{
    char *to = reader->names;
    snw__lines_skip_blanks(&reader->lines);
    size_t length = (size_t)(reader->lines.end - reader->lines.at);
    if (length == 0 || memchr(reader->lines.at, 0, length)) return false;
    if (reader->version < 3) {
        memcpy(to, reader->lines.at, length);
        to[length] = 0;
    } else if (!take_quoted(reader, to)) {
        return false;
    }
    *name = to;
    reader->names += strlen(to) + 1;
    return true;
}

static bool take_name(actor_reader *reader, const char **name)
{
    return take_label(reader, name) && **name;
}

static bool take_type(actor_reader *reader, snw_joint_type *type)
{
    const char *word;
    size_t length = snw__lines_word(&reader->lines, &word);
    static const snw_joint_type types[] = {SNW_JOINT_FIXED,     SNW_JOINT_HINGE, SNW_JOINT_PIVOT,
                                           SNW_JOINT_UNIVERSAL, SNW_JOINT_BALL,  SNW_JOINT_FREE};
    for (size_t n = 0; n < sizeof types / sizeof *types; n++) {
        const char *name = snw_joint_type_name(types[n]);
        if (strlen(name) != length || memcmp(name, word, length) != 0) continue;
        *type = types[n];
        return true;
    }
    return false;
}

typedef struct actor_parts {
    int version;
    size_t joints, markers, values, text_size; /* there is room for */
    int joint_count, marker_count;             /* read so far */
    snw_joint_def *def;                        /* (joints) */
    snw_joint_estimate *estimate;              /* (joints) */
    snw_actor_marker *marker;                  /* (markers) */
    char *names;                               /* (text_size + 1) of joints, markers and values */
    int value_count;
    snw_actor_value *value; /* (values) */
    double *number;         /* (text_size / 2 + 1) of the values; the next one's place */
} actor_parts;

static snw_status read_joint(actor_reader *reader, actor_parts *parts)
{
    int n = parts->joint_count;
    snw_joint_def *def = parts->def + n;
    snw_joint_estimate *estimate = parts->estimate + n;
    *def = snw_joint_def_default();
    memset(estimate, 0, sizeof *estimate);
    if (!take_index(reader, n ? 0 : -1, n ? n - 1 : -1, &def->parent))
        return complain(reader, n ? "a joint's parent must be an earlier joint"
                                  : "the first joint must have the parent -1");
    if (!take_vector(reader, &def->rest.translation) || !take_type(reader, &estimate->type) ||
        !take_number(reader, &estimate->range) || !take_number(reader, &estimate->residual) ||
        !take_number(reader, &estimate->uncertainty) || !take_name(reader, &def->name))
        return complain(reader,
                        "a joint needs a parent, three numbers, a type, three numbers and a "
                        "name");
    def->joint.type = reader->version == 1 ? SNW_JOINT_BALL : estimate->type;
    if (n == 0) def->joint.type = SNW_JOINT_FIXED;
    estimate->is_place_free = estimate->type == SNW_JOINT_HINGE;
    if (n) snw__joint_estimate_judge(estimate);
    parts->joint_count++;
    return SNW_OK;
}

/* The rest of a line about the axes or limits of an earlier joint. */
static bool take_limit(actor_reader *reader, const char *word, size_t length, snw_joint *joint)
{
    snw_joint_limit *limit = &joint->limit;
    int which;
    if (snw__word_is(word, length, "axis"))
        return take_vector(reader, &joint->axis) && take_vector(reader, &joint->axis2);
    if (snw__word_is(word, length, "range")) {
        if (!take_index(reader, 0, 1, &which)) return false;
        limit->has_range[which] = true;
        return snw__lines_numbers(&reader->lines, limit->range[which], 2);
    }
    if (snw__word_is(word, length, "cone")) {
        limit->swing = SNW_SWING_CONE;
        return snw__lines_numbers(&reader->lines, limit->cone, 4);
    }
    limit->has_twist = true;
    return snw__lines_numbers(&reader->lines, limit->twist, 2);
}

static snw_status read_turn(actor_reader *reader, actor_parts *parts)
{
    int joint;
    double q[4];
    if (!take_index(reader, 0, parts->joint_count - 1, &joint) ||
        !snw__lines_numbers(&reader->lines, q, 4))
        return complain(reader, "a turn needs an earlier joint and four numbers");
    snw_quat turn = snw_quat_make(q[0], q[1], q[2], q[3]);
    if (!(fabs(snw_quat_dot(turn, turn) - 1) < 1e-6))
        return complain(reader, "a turn is no unit quaternion");
    parts->def[joint].rest.rotation = turn;
    return SNW_OK;
}

static snw_status read_proportions(actor_reader *reader, actor_parts *parts)
{
    int joint;
    if (!take_index(reader, 1, parts->joint_count - 1, &joint))
        return complain(reader, "proportions needs an earlier joint that is not the root");
    parts->estimate[joint].is_from_proportions = true;
    snw__joint_estimate_judge(parts->estimate + joint);
    return SNW_OK;
}

static snw_status read_part(actor_reader *reader, actor_parts *parts)
{
    const char *word;
    size_t length = snw__lines_word(&reader->lines, &word);
    int joint;
    if (snw__word_is(word, length, "joint")) return read_joint(reader, parts);
    if (snw__word_is(word, length, "axis") || snw__word_is(word, length, "range") ||
        snw__word_is(word, length, "cone") || snw__word_is(word, length, "twist")) {
        int index;
        snw_error wrong;
        if (!take_index(reader, 0, parts->joint_count - 1, &index) ||
            !take_limit(reader, word, length, &parts->def[index].joint))
            return complain(reader, "an axis or limit needs an earlier joint and its numbers");
        if (snw_joint_check(&parts->def[index].joint, &wrong) != SNW_OK)
            return complain(reader, wrong.message);
        parts->estimate[index].axis = parts->def[index].joint.axis;
        return SNW_OK;
    }
    if (snw__word_is(word, length, "turn")) return read_turn(reader, parts);
    if (snw__word_is(word, length, "proportions")) return read_proportions(reader, parts);
    if (snw__word_is(word, length, "value")) {
        snw_actor_value *value = parts->value + parts->value_count;
        int most = (int)fmin((double)(reader->lines.end - reader->lines.at) / 2, 1e6);
        if (!take_index(reader, 0, most, &value->count) ||
            !snw__lines_numbers(&reader->lines, parts->number, value->count) ||
            !take_name(reader, &value->name))
            return complain(reader, "a value needs a count, so many numbers and a name");
        value->number = parts->number;
        parts->number += value->count;
        parts->value_count++;
        return SNW_OK;
    }
    if (snw__word_is(word, length, "tip")) {
        if (!take_index(reader, 0, parts->joint_count - 1, &joint) ||
            !take_vector(reader, &parts->def[joint].tip))
            return complain(reader, "a tip needs an earlier joint and three numbers");
        parts->def[joint].has_tip = true;
        return SNW_OK;
    }
    if (snw__word_is(word, length, "marker")) {
        snw_actor_marker *marker = parts->marker + parts->marker_count;
        if (!take_index(reader, 0, parts->joint_count - 1, &marker->joint) ||
            !take_vector(reader, &marker->offset) || !take_number(reader, &marker->noise) ||
            !take_label(reader, &marker->name))
            return complain(reader, "a marker needs an earlier joint, four numbers and a name");
        if (marker->noise < 0) return complain(reader, "a marker's noise is negative");
        parts->marker_count++;
        return SNW_OK;
    }
    return complain(reader, "a line starts with joint, turn, axis, range, cone, twist, "
                            "proportions, tip, marker or value");
}

static void lay_out(void *object, snw__block *block)
{
    actor_parts *parts = object;
    parts->def = snw__block_take(block, parts->joints, sizeof(snw_joint_def));
    parts->estimate = snw__block_take(block, parts->joints, sizeof(snw_joint_estimate));
    parts->marker = snw__block_take(block, parts->markers, sizeof(snw_actor_marker));
    /* A name in the text is followed by a byte that its terminating zero takes. */
    parts->names = snw__block_take(block, parts->text_size + 1, 1);
    parts->value = snw__block_take(block, parts->values, sizeof(snw_actor_value));
    /* A number takes a digit and a blank at least. */
    parts->number = snw__block_take(block, parts->text_size / 2 + 1, sizeof(double));
}

static snw_status build(const actor_parts *parts, const snw_allocator *allocator, snw_actor **out,
                        snw_error *error)
{
    snw_actor *actor =
        snw__actor_take(parts->marker, parts->marker_count, parts->joint_count, allocator, error);
    if (!actor) return SNW_OUT_OF_MEMORY;
    if (parts->version == 1) snw__twists_hold(actor, parts->def, parts->joint_count);
    snw_status status = snw_skeleton_create(parts->def, parts->joint_count, &actor->allocator,
                                            &actor->skeleton, error);
    if (status != SNW_OK) {
        snw_actor_destroy(actor);
        return status;
    }
    memcpy(actor->estimate, parts->estimate, (size_t)parts->joint_count * sizeof *parts->estimate);
    if (parts->value_count) status = snw_actor_keep(actor, parts->value, parts->value_count, error);
    if (status != SNW_OK) {
        snw_actor_destroy(actor);
        return status;
    }
    *out = actor;
    return snw__succeed(error);
}

snw_status snw_actor_parse(const char *text, size_t size, const snw_allocator *allocator,
                           snw_actor **out, snw_error *error)
{
    *out = NULL;
    actor_reader reader = {.lines = {.next = text, .last = text + size}, .error = error};
    bool has_head = snw__lines_next(&reader.lines);
    size_t head = has_head ? (size_t)(reader.lines.end - reader.lines.at) : 0;
    for (int version = 1; has_head && version <= 3; version++) {
        char line[sizeof ACTOR_TEXT_HEAD];
        snw_format(line, sizeof line, "sinew-actor %d", version);
        if (snw__word_is(reader.lines.at, head, line)) reader.version = version;
    }
    if (reader.version == 0)
        return snw__fail(error, SNW_FORMAT,
                         "an actor starts with the line \"" ACTOR_TEXT_HEAD "\"");
    snw_allocator memory = snw__allocator_or_default(allocator);
    actor_parts parts;
    memset(&parts, 0, sizeof parts);
    parts.text_size = size;
    /* How many there are of what takes memory. */
    snw__lines lines = reader.lines;
    while (snw__lines_next(&lines)) {
        const char *word;
        size_t length = snw__lines_word(&lines, &word);
        parts.joints += snw__word_is(word, length, "joint");
        parts.markers += snw__word_is(word, length, "marker");
        parts.values += snw__word_is(word, length, "value");
    }
    if ((double)parts.joints * ACTOR_JOINT_BYTES > 56.0 * (double)size + 1048576)
        return snw__fail(error, SNW_TOO_LARGE,
                         "%zu joints are out of proportion to a text of %zu bytes", parts.joints,
                         size);
    if (parts.joints > SNW_JOINT_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "the actor has %zu joints; a body has up to %d",
                         parts.joints, SNW_JOINT_MAX);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &parts, &memory, "reading an actor", error);
    if (status != SNW_OK) return status;
    reader.names = parts.names;
    parts.version = reader.version;
    while (status == SNW_OK && snw__lines_next(&reader.lines))
        status = read_part(&reader, &parts);
    if (status == SNW_OK && (parts.joint_count == 0 || parts.marker_count == 0))
        status = snw__fail(error, SNW_FORMAT, "the actor has no %s",
                           parts.joint_count ? "markers" : "joints");
    if (status == SNW_OK) status = build(&parts, allocator, out, error);
    snw__block_release(&memory, &block);
    return status;
}
