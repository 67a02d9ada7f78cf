/* An actor as text, to keep it for the next trial of the same person.
 *
 *     sinew-actor 1
 *     joint PARENT X Y Z TYPE RANGE RESIDUAL UNCERTAINTY NAME
 *     tip JOINT X Y Z
 *     marker JOINT X Y Z NOISE NAME
 *
 * One thing on a line, numbers separated by blanks, a name runs to the end of its line; lines that
 * start with # and empty lines do not count. PARENT and JOINT are numbers of earlier joints, from
 * 0; the root's parent is -1. X Y Z in metres: of a joint in its parent's frame, of tip and marker
 * in the joint's. TYPE is the motion that was seen (fixed, hinge, universal, ball); RANGE in
 * radians; RESIDUAL, UNCERTAINTY and NOISE in metres. Numbers read back exactly. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "mocap/actor.h"
#include "mocap/finding.h"
#include "mocap/twist.h"

#define ACTOR_TEXT_HEAD "sinew-actor 1"

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct actor_writer {
    char *buffer;
    size_t size;
    size_t length;
} actor_writer;

static void put_line(actor_writer *writer, const char *line)
{
    size_t length = strlen(line);
    for (size_t n = 0; n < length; n++) {
        if (writer->length + 1 < writer->size) writer->buffer[writer->length] = line[n];
        writer->length++;
    }
    if (writer->size > 0)
        writer->buffer[writer->length < writer->size ? writer->length : writer->size - 1] = 0;
}

size_t snw_actor_print(const snw_actor *actor, char *buffer, size_t size)
{
    actor_writer writer = {buffer, size, 0};
    const snw_skeleton *body = actor->skeleton;
    char line[512];
    put_line(&writer, ACTOR_TEXT_HEAD "\n");
    for (int j = 0; j < body->joint_count; j++) {
        snw_vec3 at = body->rest[j].translation;
        const snw_joint_finding *finding = actor->finding + j;
        snw_format(line, sizeof line, "joint %d %g %g %g %s %g %g %g %s\n", body->parent[j], at.x,
                   at.y, at.z, snw_joint_type_name(finding->type), finding->range,
                   finding->residual, finding->uncertainty, body->name[j]);
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
        snw_format(line, sizeof line, "marker %d %g %g %g %g %s\n", marker->joint, marker->offset.x,
                   marker->offset.y, marker->offset.z, marker->noise, marker->name);
        put_line(&writer, line);
    }
    return writer.length;
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct actor_reader {
    const char *at, *end; /* of the present line */
    const char *next;     /* where the next line starts */
    const char *last;     /* end of the text */
    int64_t line;
    snw_error *error;
} actor_reader;

static snw_status complain(const actor_reader *reader, const char *what)
{
    snw__place place = SNW__NOWHERE;
    place.line = reader->line;
    return snw__fail_at(reader->error, SNW_FORMAT, place, "actor, line %lld: %s",
                        (long long)reader->line, what);
}

/* The next line that says something; false at the end. */
static bool next_line(actor_reader *reader)
{
    while (reader->next < reader->last) {
        const char *end = memchr(reader->next, '\n', (size_t)(reader->last - reader->next));
        reader->at = reader->next;
        reader->end = end ? end : reader->last;
        reader->next = end ? end + 1 : reader->last;
        reader->line++;
        if (reader->end > reader->at && reader->end[-1] == '\r') reader->end--;
        while (reader->at < reader->end && *reader->at == ' ')
            reader->at++;
        if (reader->at < reader->end && *reader->at != '#') return true;
    }
    return false;
}

/* Takes the next word of the line. */
static size_t take_word(actor_reader *reader, const char **word)
{
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
    *word = reader->at;
    while (reader->at < reader->end && *reader->at != ' ')
        reader->at++;
    return (size_t)(reader->at - *word);
}

static bool take_number(actor_reader *reader, double *value)
{
    const char *word;
    size_t length = take_word(reader, &word);
    return length > 0 && snw_parse_double(word, word + length, value) == word + length &&
           fabs(*value) < 1e6;
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

/* The rest of the line, cut to a label. */
static bool take_name(actor_reader *reader, char *name, size_t size)
{
    while (reader->at < reader->end && *reader->at == ' ')
        reader->at++;
    size_t length = (size_t)(reader->end - reader->at);
    if (length == 0 || length >= size || memchr(reader->at, 0, length)) return false;
    memcpy(name, reader->at, length);
    name[length] = 0;
    return true;
}

static bool take_type(actor_reader *reader, snw_joint_type *type)
{
    const char *word;
    size_t length = take_word(reader, &word);
    for (int n = 0; n < SNW_JOINT_TYPE_COUNT; n++) {
        const char *name = snw_joint_type_name((snw_joint_type)n);
        if (strlen(name) != length || memcmp(name, word, length) != 0) continue;
        *type = (snw_joint_type)n;
        return true;
    }
    return false;
}

typedef struct actor_parts {
    int joint_count, marker_count; /* read so far */
    snw_joint_def *def;            /* (lines) */
    char (*name)[SNW_LABEL_SIZE + 8];
    snw_joint_finding *finding;
    snw_actor_marker *marker;
} actor_parts;

static snw_status read_joint(actor_reader *reader, actor_parts *parts)
{
    int n = parts->joint_count;
    snw_joint_def *def = parts->def + n;
    snw_joint_finding *finding = parts->finding + n;
    *def = snw_joint_def_default();
    memset(finding, 0, sizeof *finding);
    if (!take_index(reader, n ? 0 : -1, n ? n - 1 : -1, &def->parent))
        return complain(reader, n ? "a joint's parent must be an earlier joint"
                                  : "the first joint must have the parent -1");
    if (!take_vector(reader, &def->rest.translation) || !take_type(reader, &finding->type) ||
        !take_number(reader, &finding->range) || !take_number(reader, &finding->residual) ||
        !take_number(reader, &finding->uncertainty) ||
        !take_name(reader, parts->name[n], sizeof parts->name[n]))
        return complain(reader,
                        "a joint needs a parent, three numbers, a type, three numbers and a "
                        "name");
    def->name = parts->name[n];
    def->joint.type = n ? SNW_JOINT_BALL : SNW_JOINT_FIXED;
    if (n) snw__joint_finding_judge(finding);
    parts->joint_count++;
    return SNW_OK;
}

static snw_status read_part(actor_reader *reader, actor_parts *parts)
{
    const char *word;
    size_t length = take_word(reader, &word);
    int joint;
    if (length == 5 && memcmp(word, "joint", 5) == 0) return read_joint(reader, parts);
    if (length == 3 && memcmp(word, "tip", 3) == 0) {
        if (!take_index(reader, 0, parts->joint_count - 1, &joint) ||
            !take_vector(reader, &parts->def[joint].tip))
            return complain(reader, "a tip needs an earlier joint and three numbers");
        parts->def[joint].has_tip = true;
        return SNW_OK;
    }
    if (length == 6 && memcmp(word, "marker", 6) == 0) {
        snw_actor_marker *marker = parts->marker + parts->marker_count;
        if (!take_index(reader, 0, parts->joint_count - 1, &marker->joint) ||
            !take_vector(reader, &marker->offset) || !take_number(reader, &marker->noise) ||
            !take_name(reader, marker->name, sizeof marker->name))
            return complain(reader, "a marker needs an earlier joint, four numbers and a name");
        if (marker->noise < 0) return complain(reader, "a marker's noise is negative");
        parts->marker_count++;
        return SNW_OK;
    }
    return complain(reader, "a line starts with joint, tip or marker");
}

static size_t lay_out(actor_parts *parts, size_t lines, void *memory)
{
    snw__block block = {(char *)memory, 0};
    parts->def = snw__block_take(&block, lines, sizeof(snw_joint_def));
    parts->name = snw__block_take(&block, lines, sizeof *parts->name);
    parts->finding = snw__block_take(&block, lines, sizeof(snw_joint_finding));
    parts->marker = snw__block_take(&block, lines, sizeof(snw_actor_marker));
    return block.size;
}

/* Markers sorted by joint, otherwise in the order of the text. */
static void sort_markers(const actor_parts *parts, snw_actor *actor)
{
    int at = 0;
    for (int j = 0; j < parts->joint_count; j++)
        for (int m = 0; m < parts->marker_count; m++)
            if (parts->marker[m].joint == j) actor->marker[at++] = parts->marker[m];
}

static snw_status build(const actor_parts *parts, const snw_allocator *allocator, snw_actor **out,
                        snw_error *error)
{
    snw_actor *actor = snw__actor_take(parts->marker_count, parts->joint_count, allocator, error);
    if (!actor) return SNW_OUT_OF_MEMORY;
    sort_markers(parts, actor);
    snw__twists_hold(actor, parts->def, parts->joint_count);
    snw_status status = snw_skeleton_create(parts->def, parts->joint_count, &actor->allocator,
                                            &actor->skeleton, error);
    if (status != SNW_OK) {
        snw_actor_destroy(actor);
        return status;
    }
    memcpy(actor->finding, parts->finding, (size_t)parts->joint_count * sizeof *parts->finding);
    *out = actor;
    return snw__succeed(error);
}

snw_status snw_actor_parse(const char *text, size_t size, const snw_allocator *allocator,
                           snw_actor **out, snw_error *error)
{
    *out = NULL;
    actor_reader reader = {text, text, text, text + size, 0, error};
    size_t lines = 1;
    for (size_t n = 0; n < size; n++)
        lines += text[n] == '\n';
    if (!next_line(&reader) || (size_t)(reader.end - reader.at) != strlen(ACTOR_TEXT_HEAD) ||
        memcmp(reader.at, ACTOR_TEXT_HEAD, strlen(ACTOR_TEXT_HEAD)) != 0)
        return snw__fail(error, SNW_FORMAT,
                         "an actor starts with the line \"" ACTOR_TEXT_HEAD "\"");
    snw_allocator memory = snw__allocator_or_default(allocator);
    actor_parts parts;
    memset(&parts, 0, sizeof parts);
    size_t bytes = lay_out(&parts, lines, NULL);
    void *work = snw__allocate(&memory, bytes);
    if (!work) return snw__fail_memory(error, bytes, "reading an actor");
    lay_out(&parts, lines, work);
    snw_status status = SNW_OK;
    while (status == SNW_OK && next_line(&reader))
        status = read_part(&reader, &parts);
    if (status == SNW_OK && (parts.joint_count == 0 || parts.marker_count == 0))
        status = snw__fail(error, SNW_FORMAT, "the actor has no %s",
                           parts.joint_count ? "markers" : "joints");
    if (status == SNW_OK) status = build(&parts, allocator, out, error);
    snw__release(&memory, work, bytes);
    return status;
}
