/* The registry of formats: finds out what the content is and calls that format. Adding a format is
 * one row in `formats` and one file. */
#include "io/formats.h"

#include <string.h>

#include <sinew/label.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/text_reader.h"
#include "trial/trial_memory.h"

/* How much of a file the formats get to see for telling what it is. */
enum {
    REGISTRY_HEAD_SIZE = 4096
};

/* The order is the order of asking, CSV last because any table of numbers may be one; NULL rows
 * are not in this build. */
static const snw__format *const formats[SNW_FORMAT_COUNT] = {
    [SNW_FORMAT_C3D] = &snw__format_c3d,     [SNW_FORMAT_TRC] = &snw__format_trc,
    [SNW_FORMAT_CSV] = &snw__format_csv,     [SNW_FORMAT_BVH] = &snw__format_bvh,
    [SNW_FORMAT_ASF] = &snw__format_asf,     [SNW_FORMAT_AMC] = &snw__format_amc,
    [SNW_FORMAT_MOT] = &snw__format_mot,     [SNW_FORMAT_GLB] = &snw__format_glb,
    [SNW_FORMAT_URDF] = &snw__format_urdf,   [SNW_FORMAT_MJCF] = &snw__format_mjcf,
    [SNW_FORMAT_MEDIT] = &snw__format_medit, [SNW_FORMAT_MEDITB] = &snw__format_meditb,
    [SNW_FORMAT_PLY] = &snw__format_ply,     [SNW_FORMAT_STL] = &snw__format_stl,
    [SNW_FORMAT_OBJ] = &snw__format_obj,     [SNW_FORMAT_ATM] = &snw__format_atm,
    [SNW_FORMAT_VRM] = &snw__format_vrm,     [SNW_FORMAT_TAYLOR] = &snw__format_taylor,
};

static const snw__format *format_of(snw_format_kind kind)
{
    return (unsigned)kind < SNW_FORMAT_COUNT ? formats[kind] : NULL;
}

/* ---- what is what ------------------------------------------------------------------------- */

static bool is_kind(int kind, const uint8_t *head, size_t size)
{
    return formats[kind] && formats[kind]->sniff && formats[kind]->sniff(head, size);
}

static size_t read_head(const snw_source *source, uint8_t head[REGISTRY_HEAD_SIZE])
{
    size_t size = 0;
    while (size < REGISTRY_HEAD_SIZE) {
        int64_t got = source->read(source->context, head + size, REGISTRY_HEAD_SIZE - size);
        if (got <= 0 || (uint64_t)got > REGISTRY_HEAD_SIZE - size) break;
        size += (size_t)got;
    }
    return size;
}

snw_format_kind snw_detect_format(const snw_source *source)
{
    uint8_t head[REGISTRY_HEAD_SIZE];
    if (!source || !source->read || !source->seek) return SNW_FORMAT_UNKNOWN;
    if (source->seek(source->context, 0) != 0) return SNW_FORMAT_UNKNOWN;
    size_t size = read_head(source, head);
    if (source->seek(source->context, 0) != 0) return SNW_FORMAT_UNKNOWN;
    for (int kind = 1; kind < SNW_FORMAT_COUNT; kind++)
        if (kind != SNW_FORMAT_CSV && is_kind(kind, head, size)) return (snw_format_kind)kind;
    return is_kind(SNW_FORMAT_CSV, head, size) ? SNW_FORMAT_CSV : SNW_FORMAT_UNKNOWN;
}

/* Whether `ending` is one of the words in `endings`. */
static bool has_ending(const char *endings, const char *ending)
{
    char word[16];
    while (*endings) {
        size_t length = strcspn(endings, " ");
        if (length < sizeof word) {
            memcpy(word, endings, length);
            word[length] = 0;
            if (snw__trial_same_word(word, ending)) return true;
        }
        endings += length + (endings[length] == ' ');
    }
    return false;
}

snw_format_kind snw_format_from_name(const char *name)
{
    const char *dot = name ? strrchr(name, '.') : NULL;
    if (!dot || strpbrk(dot, "/\\")) return SNW_FORMAT_UNKNOWN;
    for (int kind = 1; kind < SNW_FORMAT_COUNT; kind++)
        if (formats[kind] && has_ending(formats[kind]->endings, dot + 1))
            return (snw_format_kind)kind;
    return SNW_FORMAT_UNKNOWN;
}

const char *snw_format_name(snw_format_kind kind)
{
    const snw__format *format = format_of(kind);
    return format ? format->name : "unknown";
}

bool snw_format_reads_trial(snw_format_kind kind)
{
    return format_of(kind) && format_of(kind)->read_trial;
}

bool snw_format_reads_motion(snw_format_kind kind)
{
    return format_of(kind) && format_of(kind)->read_motion;
}

bool snw_format_writes_trial(snw_format_kind kind)
{
    return format_of(kind) && format_of(kind)->write_trial;
}

bool snw_format_writes_motion(snw_format_kind kind)
{
    return format_of(kind) && format_of(kind)->write_motion;
}

bool snw_format_reads_mesh(snw_format_kind kind)
{
    return format_of(kind) && format_of(kind)->read_mesh;
}

bool snw_format_writes_mesh(snw_format_kind kind)
{
    return format_of(kind) && format_of(kind)->write_mesh;
}

/* ---- reading ------------------------------------------------------------------------------ */

static snw_status fail_unknown(const snw__reading *reading)
{
    if (reading->source.size == 0)
        return snw__fail_at(reading->error, SNW_FORMAT, (snw__place){0, -1, -1, -1, reading->name},
                            "%s is empty", reading->name);
    uint8_t head[REGISTRY_HEAD_SIZE];
    size_t size = read_head(&reading->source, head);
    /* "PathF" and other words in two bytes a letter. Binary rubbish has no letters there. */
    bool has_letters = size >= 4 && head[2] < 0x80 && head[3] < 0x80;
    if (has_letters && snw__text_is_utf16(head, size)) return snw__text_refuse_utf16(reading);
    char names[192] = "";
    size_t used = 0;
    for (int kind = 1; kind < SNW_FORMAT_COUNT; kind++)
        if (formats[kind] && used < sizeof names)
            used += (size_t)snw_format(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                       formats[kind]->name);
    return snw__fail_at(reading->error, SNW_FORMAT, (snw__place){0, -1, -1, -1, reading->name},
                        "%s starts like none of the formats known here (%s)", reading->name, names);
}

/* What one file may hold. */
typedef union read_content {
    snw_trial *trial;
    snw_motion *motion;
    snw_mesh *mesh;
} read_content;

/* Opens the reading, finds its format, or says why not, and lets `take` have it. */
static snw_status read_by(snw_status (*take)(snw__reading *, const snw__format *, read_content *),
                          const snw__reading_request *request, read_content *out)
{
    snw__reading reading;
    snw_status status = snw__reading_open(&reading, request);
    if (status == SNW_OK) {
        const snw__format *format = format_of(snw_detect_format(&reading.source));
        status = format ? take(&reading, format, out) : fail_unknown(&reading);
    }
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(request->error) : status;
}

static snw_status take_trial(snw__reading *reading, const snw__format *format, read_content *out)
{
    if (!format->read_trial)
        return snw__fail(reading->error, SNW_UNSUPPORTED,
                         "%s holds no markers, it is a file of the format %s", reading->name,
                         format->name);
    snw_status status = format->read_trial(reading, &out->trial);
    if (status == SNW_OK) status = snw_trial_find_kinds(out->trial, reading->error);
    if (status == SNW_OK) status = snw__note_repeated_names(reading, out->trial);
    if (status == SNW_OK) {
        snw__note_extremes_of_trial(out->trial, reading->notes);
    } else {
        snw_trial_destroy(out->trial);
        out->trial = NULL;
    }
    return status;
}

snw_status snw_read_trial(const snw_source *source, const snw_read_options *options,
                          const snw_allocator *allocator, snw_trial **out, snw_notes *notes,
                          snw_error *error)
{
    read_content content = {.trial = NULL};
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    const snw__reading_request request = {source, options, allocator, notes, error};
    snw_status status = read_by(take_trial, &request, &content);
    *out = content.trial;
    return status;
}

/* What a format without bodies holds, for the sentence "FILE holds ...". */
static const char *instead_of_motion(const snw__format *format)
{
    if (format == formats[SNW_FORMAT_AMC]) return "frames (AMC) for a body that is in an ASF file";
    if (format == formats[SNW_FORMAT_MOT])
        return "named coordinates (MOT) without a body: read it as a table";
    if (format == formats[SNW_FORMAT_TAYLOR])
        return "Taylor expansions without a body: sinew taylor reads them";
    if (format->read_mesh) return "a mesh, no moving body";
    return "markers, no moving body";
}

static snw_status take_motion(snw__reading *reading, const snw__format *format, read_content *out)
{
    snw_skeleton *skeleton = NULL;
    if (!format->read_motion)
        return snw__fail(reading->error, SNW_UNSUPPORTED, "%s holds %s", reading->name,
                         instead_of_motion(format));
    snw_status status = format->read_motion(reading, &skeleton, &out->motion);
    if (status != SNW_OK) return status;
    out->motion->own_skeleton = skeleton;
    snw__note_extremes_of_motion(out->motion, reading->notes);
    return SNW_OK;
}

snw_status snw_read_motion(const snw_source *source, const snw_read_options *options,
                           const snw_allocator *allocator, snw_motion **out, snw_notes *notes,
                           snw_error *error)
{
    read_content content = {.motion = NULL};
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    const snw__reading_request request = {source, options, allocator, notes, error};
    snw_status status = read_by(take_motion, &request, &content);
    *out = content.motion;
    return status;
}

static snw_status take_mesh(snw__reading *reading, const snw__format *format, read_content *out)
{
    if (!format->read_mesh)
        return snw__fail(reading->error, SNW_UNSUPPORTED,
                         "%s holds no mesh, it is a file of the format %s", reading->name,
                         format->name);
    snw_status status = format->read_mesh(reading, &out->mesh);
    double scale = reading->options.metres_per_unit;
    bool has_unit = format == formats[SNW_FORMAT_GLB] || format == formats[SNW_FORMAT_VRM];
    if (status == SNW_OK && !(scale > 0) && !has_unit)
        snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the file names no unit; its numbers are taken as metres");
    for (int v = 0; status == SNW_OK && scale > 0 && v < out->mesh->count.vertex_count; v++)
        out->mesh->vertex[v] = snw_vec3_scale(out->mesh->vertex[v], scale);
    return status;
}

snw_status snw_read_mesh(const snw_source *source, const snw_read_options *options,
                         const snw_allocator *allocator, snw_mesh **out, snw_notes *notes,
                         snw_error *error)
{
    read_content content = {.mesh = NULL};
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    const snw__reading_request request = {source, options, allocator, notes, error};
    snw_status status = read_by(take_mesh, &request, &content);
    *out = content.mesh;
    return status;
}

/* ---- writing ------------------------------------------------------------------------------ */

snw_status snw__output_open(snw__output *output, const snw_write_options *options,
                            const snw_sink *sink, snw_error *error)
{
    output->sink = sink;
    output->options = SNW__WANTS_DEFAULTS(options) ? snw_write_options_default() : *options;
    output->error = error;
    output->has_failed = false;
    output->position = 0;
    output->used = 0;
    if (!sink || !sink->write)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no sink to write to");
    if (!(output->options.metres_per_unit >= 0 && output->options.metres_per_unit < 1e300))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "metres_per_unit is %g, it must be 0 or above",
                         output->options.metres_per_unit);
    if ((unsigned)output->options.points > SNW_POINTS_ALL)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "points is %d, not 0 to %d",
                         (int)output->options.points, SNW_POINTS_ALL);
    if (output->options.decimals < SNW_DECIMALS_NONE || output->options.decimals > 17)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "decimals is %d, not -2 to 17",
                         output->options.decimals);
    return SNW_OK;
}

snw_status snw_write_trial(const snw_trial *trial, snw_format_kind kind,
                           const snw_write_options *options, const snw_sink *sink, snw_error *error)
{
    if (!trial) return snw__fail(error, SNW_INVALID_ARGUMENT, "trial is NULL");
    if (!snw_format_writes_trial(kind))
        return snw__fail(error, SNW_UNSUPPORTED, "markers cannot be written as %s",
                         snw_format_name(kind));
    snw__output output;
    snw_status status = snw__output_open(&output, options, sink, error);
    if (status == SNW_OK) status = format_of(kind)->write_trial(&output, trial);
    if (status == SNW_OK) status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}

snw_status snw_write_motion(const snw_motion *motion, snw_format_kind kind,
                            const snw_write_options *options, const snw_sink *sink,
                            snw_error *error)
{
    if (!motion) return snw__fail(error, SNW_INVALID_ARGUMENT, "motion is NULL");
    if (!snw_format_writes_motion(kind))
        return snw__fail(error, SNW_UNSUPPORTED, "a moving body cannot be written as %s",
                         snw_format_name(kind));
    snw__output output;
    snw_status status = snw__output_open(&output, options, sink, error);
    if (status == SNW_OK) status = format_of(kind)->write_motion(&output, motion);
    if (status == SNW_OK) status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}

snw_status snw_write_mesh(const snw_mesh *mesh, snw_format_kind kind,
                          const snw_write_options *options, const snw_sink *sink, snw_error *error)
{
    if (!mesh) return snw__fail(error, SNW_INVALID_ARGUMENT, "mesh is NULL");
    if (!snw_format_writes_mesh(kind))
        return snw__fail(error, SNW_UNSUPPORTED, "a mesh cannot be written as %s",
                         snw_format_name(kind));
    snw__output output;
    snw_status status = snw__output_open(&output, options, sink, error);
    if (status == SNW_OK) status = format_of(kind)->write_mesh(&output, mesh);
    if (status == SNW_OK) status = snw__put_end(&output);
    return status == SNW_OK ? snw__succeed(error) : status;
}
