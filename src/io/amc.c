/* AMC (Acclaim motion): the values of the channels of an ASF, frame by frame.
 *
 *   #!OML:ASF ...                      comments
 *   :FULLY-SPECIFIED
 *   :DEGREES                           or :RADIANS; :SAMPLES-PER-SECOND 120 in some files
 *   1                                  number of the frame
 *   root 10.4 16.7 -30.1 -2.5 -9.8 -3.0
 *   lowerback 7.9 1.6 6.4              as many values as the bone has degrees of freedom
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"
#include "io/acclaim.h"
#include "io/motion_text.h"
#include "io/text_writer.h"

/* What CMU and most others recorded with; AMC itself does not say. */
#define AMC_USUAL_RATE 120.0

typedef struct amc_file {
    snw__text_input text;
    snw__reading *reading;
    const snw__acclaim *acclaim;
    const snw_skeleton *skeleton;
    snw_motion *motion;
    double radians_per_unit;
    double rate;
    int frame_count;
    int64_t number; /* of the frame being read */
    int64_t jump_count, jump_line;
    int64_t hold_count, hold_line;
    int moving_count; /* joints with channels */
    int *guess;       /* (joint_count) joint named by the nth line of the frame before */
    bool *is_seen;    /* (joint_count) in this frame */
    int seen_count;
    snw__name_set names; /* of the joints as AMC calls them */
    snw__text_mark data; /* before the first frame number */
} amc_file;

/* ---- head --------------------------------------------------------------------------------- */

static bool is_frame_number(snw__span line, int64_t *number)
{
    return snw__span_int(line, number);
}

static snw_status read_head(amc_file *file)
{
    snw__span line;
    int64_t number, frames = 0;
    file->data = snw__text_here(&file->text);
    bool is_head = true;
    while (snw__acclaim_line(&file->text, &line)) {
        if (*line.at == ':' && is_head) {
            snw__span rest = line;
            snw__span key;
            double rate;
            snw__span_word(&rest, &key);
            if (snw__span_is(key, ":DEGREES")) file->radians_per_unit = snw_radians(1);
            if (snw__span_is(key, ":RADIANS")) file->radians_per_unit = 1;
            if (snw__span_is(key, ":SAMPLES-PER-SECOND") && snw__acclaim_number(&rest, &rate) &&
                rate > 0 && isfinite(rate))
                file->rate = rate;
            file->data = snw__text_here(&file->text);
        } else if (is_frame_number(line, &number)) {
            is_head = false;
            frames++;
        } else if (is_head) {
            return snw__text_fail(&file->text, SNW_FORMAT, "values stand before a frame number");
        }
    }
    if (!(file->rate > 0)) {
        file->rate = AMC_USUAL_RATE;
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "AMC does not say how fast it was recorded; %g frames per second is taken",
                  file->rate);
    }
    if (frames > INT32_MAX)
        return snw__fail(file->reading->error, SNW_TOO_LARGE, "too many frames");
    file->frame_count = (int)frames;
    double bytes = (double)frames *
                   (file->skeleton->joint_count * (double)(sizeof(snw_quat) + sizeof(snw_vec3)) +
                    (double)sizeof(snw_xform));
    return snw__text_check_size(&file->text, bytes, "the motion");
}

/* ---- frames ------------------------------------------------------------------------------- */

static const char *name_of(const amc_file *file, int joint)
{
    return joint ? file->skeleton->name[joint] : "root";
}

/* Lines come in the same order in every frame, so the frame before is asked first. */
static int find_joint(amc_file *file, snw__span name, int line_in_frame)
{
    int count = file->skeleton->joint_count;
    if (line_in_frame < count) {
        const char *own = name_of(file, file->guess[line_in_frame]);
        if (strlen(own) == snw__span_length(name) && memcmp(own, name.at, strlen(own)) == 0)
            return file->guess[line_in_frame];
    }
    int joint = snw__name_set_find(&file->names, name.at, snw__span_length(name));
    if (joint >= 0 && line_in_frame < count) file->guess[line_in_frame] = joint;
    return joint;
}

static snw_status read_values(amc_file *file, int joint, snw__span rest, double *values)
{
    const snw__acclaim_channels *channels = file->acclaim->channels + joint;
    for (int n = 0; n < channels->count; n++) {
        if (!snw__acclaim_number(&rest, values + n) || !isfinite(values[n]))
            return snw__text_fail(&file->text, SNW_FORMAT, "%s needs %d finite values",
                                  file->skeleton->name[joint], channels->count);
        values[n] *= channels->dof[n] <= SNW__DOF_RZ ? file->radians_per_unit
                                                     : file->acclaim->metres_per_unit;
    }
    if (!snw__span_is_empty(snw__span_trim(rest)))
        return snw__text_fail(&file->text, SNW_FORMAT, "%s has %d degrees of freedom, not more",
                              file->skeleton->name[joint], channels->count);
    return SNW_OK;
}

static void store(amc_file *file, int frame, int joint, const double *values)
{
    snw_vec3 slide;
    snw_quat turned = snw__acclaim_turn(file->acclaim->channels + joint, values, &slide);
    size_t at = (size_t)frame * (size_t)file->skeleton->joint_count + (size_t)joint;
    if (joint == 0) {
        snw_quat own = file->acclaim->root_frame;
        file->motion->root[frame] = snw_xform_make(
            snw_quat_normalize(snw_quat_mul(snw_quat_mul(own, turned), snw_quat_conjugate(own))),
            snw_vec3_add(file->acclaim->root_position, slide));
        return;
    }
    file->motion->rotation[at] = turned;
    if (file->skeleton->joint[joint].type == SNW_JOINT_FREE ||
        file->skeleton->joint[joint].type == SNW_JOINT_PRISMATIC)
        file->motion->slide[at] = slide;
}

static snw_status read_line(amc_file *file, snw__span line, int frame, int line_in_frame)
{
    snw__span name;
    double values[SNW__DOF_MAX] = {0};
    snw__span_word(&line, &name);
    int joint = find_joint(file, name, line_in_frame);
    snw_status status =
        joint < 0 ? snw__text_fail(&file->text, SNW_FORMAT, "the body has no bone \"%.*s\"",
                                   snw__span_shown(name), name.at)
                  : read_values(file, joint, line, values);
    if (status != SNW_OK && file->reading->options.is_lenient && status == SNW_FORMAT) {
        snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, snw__at_line(file->text.line),
                  "the line of \"%.*s\" is left out", snw__span_shown(name), name.at);
        return SNW_OK;
    }
    if (status != SNW_OK) return status;
    if (!file->is_seen[joint] && file->acclaim->channels[joint].count) file->seen_count++;
    file->is_seen[joint] = true;
    store(file, frame, joint, values);
    return SNW_OK;
}

/* A frame starts as a copy of the one before, so that bones without values stand still. */
static void start_frame(amc_file *file, int frame)
{
    size_t count = (size_t)file->skeleton->joint_count;
    snw_motion *motion = file->motion;
    file->seen_count = 0;
    memset(file->is_seen, 0, count * sizeof *file->is_seen);
    if (frame == 0) return;
    size_t at = (size_t)frame * count;
    motion->root[frame] = motion->root[frame - 1];
    memcpy(motion->rotation + at, motion->rotation + at - count, count * sizeof *motion->rotation);
    memcpy(motion->slide + at, motion->slide + at - count, count * sizeof *motion->slide);
}

/* Frames that lack bones: at the end of the file it is cut, elsewhere the bones stand still. */
static snw_status end_frame(amc_file *file, int frame)
{
    if (file->seen_count == file->moving_count) return SNW_OK;
    bool is_last = frame == file->frame_count - 1;
    if (is_last && file->hold_count == 0) {
        if (!file->reading->options.is_lenient && frame > 0)
            return snw__text_fail(&file->text, SNW_TRUNCATED,
                                  "frame %lld has values for %d of %d bones; the file is cut",
                                  (long long)file->number, file->seen_count, file->moving_count);
    }
    if (file->hold_count++ == 0) file->hold_line = file->text.line;
    return SNW_OK;
}

static snw_status read_frames(amc_file *file)
{
    snw__span line;
    int64_t number;
    int frame = -1, line_in_frame = 0;
    snw_status status = SNW_OK;
    snw__text_return(&file->text, file->data);
    while (status == SNW_OK && snw__acclaim_line(&file->text, &line)) {
        if (*line.at == ':') continue;
        if (!is_frame_number(line, &number)) {
            status = read_line(file, line, frame, line_in_frame++);
            continue;
        }
        if (frame >= 0) status = end_frame(file, frame);
        start_frame(file, ++frame);
        if (frame > 0 && number != file->number + 1 && file->jump_count++ == 0)
            file->jump_line = file->text.line;
        file->number = number;
        line_in_frame = 0;
    }
    if (status == SNW_OK && frame >= 0) status = end_frame(file, frame);
    return status;
}

static snw_status read_content(amc_file *file, snw_motion **out)
{
    const snw_allocator *allocator = &file->reading->allocator;
    snw_error *error = file->reading->error;
    snw_status status = read_head(file);
    if (status != SNW_OK) return status;
    size_t count = (size_t)file->skeleton->joint_count;
    size_t size = count * (sizeof *file->guess + sizeof *file->is_seen);
    file->guess = (int *)snw__allocate(allocator, size);
    if (!file->guess) return snw__fail_memory(error, size, "the order of the bones");
    file->is_seen = (bool *)(file->guess + count);
    status = snw__name_set_create(&file->names, (int)count, allocator, error);
    for (int j = 0; j < (int)count && status == SNW_OK; j++)
        snw__name_set_add(&file->names, name_of(file, j), strlen(name_of(file, j)), j);
    if (status == SNW_OK)
        status = snw_motion_create(file->skeleton, file->frame_count, file->rate, allocator,
                                   &file->motion, error);
    if (status == SNW_OK) status = read_frames(file);
    snw__name_set_release(&file->names);
    snw__release(allocator, file->guess, size);
    if (status == SNW_OK) {
        snw_notes *notes = file->reading->notes;
        if (file->jump_count)
            snw__note(notes, SNW_NOTE_FRAMES_JUMP, snw__at_line(file->jump_line),
                      "frame numbers jump %lld %s; frames are kept one after the other",
                      (long long)file->jump_count, snw__plural(file->jump_count, "time", "times"));
        if (file->hold_count)
            snw__note(notes, SNW_NOTE_VALUE_REPAIRED, snw__at_line(file->hold_line),
                      "%lld %s values for some bones, which keep their pose",
                      (long long)file->hold_count,
                      snw__plural(file->hold_count, "frame lacks", "frames lack"));
        *out = file->motion;
    } else {
        snw_motion_destroy(file->motion);
    }
    return status;
}

static snw_status read_motion(snw__reading *reading, const snw__acclaim *acclaim,
                              const snw_skeleton *skeleton, snw_motion **out)
{
    amc_file file;
    memset(&file, 0, sizeof file);
    file.reading = reading;
    file.acclaim = acclaim;
    file.skeleton = skeleton;
    file.radians_per_unit = acclaim->radians_per_unit;
    for (int j = 0; j < skeleton->joint_count; j++)
        file.moving_count += acclaim->channels[j].count > 0;
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    snw__text_settle_decimal(&file.text);
    status = read_content(&file, out);
    snw__text_release(&file.text);
    return status;
}

/* ---- the two ways in ---------------------------------------------------------------------- */

/* Channels as snw_write_motion gives them to a body that was not read from an ASF just now. */
static snw_status guess_acclaim(snw__reading *reading, const snw_skeleton *skeleton,
                                snw__acclaim *acclaim)
{
    snw_status status =
        snw__acclaim_create(acclaim, skeleton->joint_count, &reading->allocator, reading->error);
    if (status != SNW_OK) return status;
    acclaim->metres_per_unit = reading->options.metres_per_unit;
    if (!(acclaim->metres_per_unit > 0)) {
        acclaim->metres_per_unit = 0.0254 / 0.45;
        snw__note(reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "lengths are taken as inches divided by 0.45: 1 unit is %.6f m",
                  acclaim->metres_per_unit);
    }
    for (int j = 1; j < skeleton->joint_count; j++)
        acclaim->channels[j] = snw__acclaim_plan_joint(skeleton->joint + j).channels;
    snw_joint root = snw_joint_def_default().joint;
    root.type = SNW_JOINT_FREE;
    acclaim->channels[0] = snw__acclaim_plan_joint(&root).channels;
    return SNW_OK;
}

snw_status snw_read_acclaim(const snw_acclaim_sources *files, const snw_read_options *options,
                            const snw_allocator *allocator, snw_motion **out, snw_notes *notes,
                            snw_error *error)
{
    if (!out || !files->amc || !files->asf == !files->skeleton)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "frames of Acclaim need an AMC, and an ASF or its body");
    *out = NULL;
    snw__reading_request request = {files->asf, options, allocator, notes, error};
    snw__reading reading;
    snw__acclaim acclaim;
    snw_skeleton *own = NULL;
    snw_status status = SNW_OK;
    memset(&acclaim, 0, sizeof acclaim);
    if (files->asf) {
        status = snw__reading_open(&reading, &request);
        if (status == SNW_OK) status = snw__asf_read_body(&reading, &acclaim, &own);
        snw__reading_close(&reading);
        if (status != SNW_OK) return status;
    }
    const snw_skeleton *skeleton = own ? own : files->skeleton;
    request.source = files->amc;
    status = snw__reading_open(&reading, &request);
    if (status == SNW_OK && !own) status = guess_acclaim(&reading, skeleton, &acclaim);
    if (status == SNW_OK) status = read_motion(&reading, &acclaim, skeleton, out);
    snw__reading_close(&reading);
    snw__acclaim_release(&acclaim);
    if (status != SNW_OK) {
        snw_skeleton_destroy(own);
        return status;
    }
    (*out)->own_skeleton = own;
    if (own) snw__note_extremes_of_motion(*out, notes);
    return snw__succeed(error);
}

/* ---- writing ------------------------------------------------------------------------------ */

static void put_turns(snw__output *output, const snw__acclaim_plan *plan, const snw_joint *joint,
                      snw_quat rotation)
{
    double angles[3], values[6];
    snw_quat aligned =
        snw_quat_mul(snw_quat_mul(snw_quat_conjugate(plan->align), rotation), plan->align);
    snw_quat_to_euler(aligned, SNW_EULER_ZYX, angles);
    snw_joint_values(joint, rotation, snw_vec3_make(0, 0, 0), values);
    for (int n = 0; n < plan->channels.count; n++) {
        snw__acclaim_dof dof = plan->channels.dof[n];
        if (dof > SNW__DOF_RZ) continue;
        double angle = angles[2 - dof];
        /* One or two turns are the joint's own coordinates, the outer one first. */
        if (plan->channels.count == 1) angle = values[0];
        if (plan->channels.count == 2) angle = values[1 - n];
        snw__put_string(output, " ");
        snw__put_double(output, snw_degrees(angle) + 0.0);
    }
}

static void put_vector(snw__output *output, snw_vec3 metres, double units_per_metre)
{
    const double part[3] = {metres.x, metres.y, metres.z};
    for (int k = 0; k < 3; k++) {
        snw__put_string(output, " ");
        snw__put_double(output, part[k] * units_per_metre + 0.0);
    }
}

typedef struct amc_writer {
    snw__output *output;
    const snw_motion *motion;
    char (*names)[SNW__NAME_SIZE];
    double units_per_metre;
    snw_quat turn;
} amc_writer;

static void put_frame(const amc_writer *writer, int frame)
{
    const snw_motion *motion = writer->motion;
    const snw_skeleton *skeleton = motion->skeleton;
    snw__put_text(writer->output, "%d\n", frame + 1);
    snw_joint free_joint = snw_joint_def_default().joint;
    free_joint.type = SNW_JOINT_FREE;
    snw__acclaim_plan root_plan = snw__acclaim_plan_joint(&free_joint);
    snw_xform world = snw__motion_root_joint(writer->motion, frame);
    snw_quat rest = snw_quat_mul(writer->turn, writer->motion->skeleton->rest[0].rotation);
    snw_quat turned =
        snw_quat_mul(snw_quat_mul(writer->turn, world.rotation), snw_quat_conjugate(rest));
    snw__put_string(writer->output, "root");
    put_vector(writer->output, snw_quat_rotate(writer->turn, world.translation),
               writer->units_per_metre);
    put_turns(writer->output, &root_plan, &free_joint, turned);
    snw__put_string(writer->output, "\n");
    for (int j = 1; j < skeleton->joint_count; j++) {
        snw__acclaim_plan plan = snw__acclaim_plan_joint(skeleton->joint + j);
        size_t at = (size_t)frame * (size_t)skeleton->joint_count + (size_t)j;
        if (plan.channels.count == 0) continue;
        snw__put_string(writer->output, writer->names[j]);
        if (plan.channels.dof[0] >= SNW__DOF_TX)
            put_vector(writer->output, motion->slide[at], writer->units_per_metre);
        put_turns(writer->output, &plan, skeleton->joint + j, motion->rotation[at]);
        snw__put_string(writer->output, "\n");
    }
}

static snw_status write_motion(snw__output *output, const snw_motion *motion)
{
    snw_status status = snw__motion_check(motion, output->error);
    if (status != SNW_OK) return status;
    double unit = output->options.metres_per_unit;
    amc_writer writer = {output, motion, NULL, 1 / (unit > 0 ? unit : 0.0254 / 0.45),
                         snw__turn_up_to_y(output->options.up)};
    size_t size = (size_t)motion->skeleton->joint_count * SNW__NAME_SIZE;
    writer.names = snw__acclaim_names(motion->skeleton, &motion->allocator);
    if (!writer.names) return snw__fail_memory(output->error, size, "the names of the bones");
    snw__put_string(output, "# written by sinew\n:FULLY-SPECIFIED\n:SAMPLES-PER-SECOND ");
    snw__put_exact(output, motion->rate);
    snw__put_string(output, "\n:DEGREES\n");
    for (int frame = 0; frame < motion->frame_count && !output->has_failed; frame++)
        put_frame(&writer, frame);
    snw__release(&motion->allocator, writer.names, size);
    return SNW_OK;
}

/* ---- telling AMC from ASF ------------------------------------------------------------------ */

static bool sniff(const uint8_t *head, size_t size)
{
    static const char *const keys[] = {":FULLY-SPECIFIED", ":DEGREES", ":RADIANS",
                                       ":SAMPLES-PER-SECOND"};
    snw__text_input text = snw__text_of_head(head, size);
    snw__span line;
    int64_t number;
    if (!snw__acclaim_line(&text, &line)) return false;
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
        if (snw__span_starts(line, keys[n])) return true;
    return snw__span_int(line, &number) && snw__acclaim_line(&text, &line) &&
           snw__span_starts(line, "root ");
}

const snw__format snw__format_amc = {
    "AMC", "amc", sniff, NULL, NULL, NULL, write_motion, NULL, NULL,
};
