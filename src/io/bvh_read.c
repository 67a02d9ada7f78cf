/* BVH (Biovision): a tree of joints and the numbers of their channels.
 *
 *   HIERARCHY
 *   ROOT Hips
 *   {
 *     OFFSET 0 0 0                              from the parent, in the file's unit
 *     CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 *     JOINT Knee { ... }                        any depth
 *     End Site { OFFSET 0 -10 0 }               the end of the last bone: has_tip
 *   }
 *   MOTION
 *   Frames: 120
 *   Frame Time: 0.00833333
 *   one row of numbers for each frame, channels in the order of the hierarchy
 *
 * Rotations are in degrees and apply in the moving frame in the order listed, so Zrotation
 * Xrotation Yrotation is R = Rz Rx Ry. The root's channels become the motion's root; its joint is
 * FIXED. Position channels of the root stand for the OFFSET. Those of other joints stand for it in
 * some programs and are added to it in others: the numbers decide, see settle_slides.
 */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "io/bvh.h"
#include "io/motion_text.h"

/* ---- the head of the motion and its rows -------------------------------------------------- */

static snw__span after_colon(snw__span line)
{
    line.at = snw__span_find(line, ':');
    if (line.at < line.end) line.at++;
    return snw__span_trim(line);
}

/* No line said how many frames there are. */
enum {
    BVH_NOT_SAID = -1
};

typedef struct bvh_rows {
    int64_t total;      /* numbers in all rows */
    int64_t exact;      /* rows with as many numbers as there are channels */
    int64_t before_odd; /* exact rows before the first other one */
    int64_t odd;        /* rows with another count */
    int64_t odd_line;   /* of the first */
    int64_t odd_count;  /* numbers in it */
    bool odd_is_at_end; /* nothing follows it */
} bvh_rows;

/* How many frames there really are. Rows of a wrong length would shift everything after them, so
 * they are refused, or end the motion in lenient reading. */
static snw_status settle_frames(snw__bvh_file *file)
{
    bvh_rows rows = {0, 0, 0, 0, -1, 0, false};
    snw__span line;
    snw__text_return(&file->text, file->data);
    while (snw__text_line(&file->text, &line)) {
        int64_t count = snw__span_count_words(line);
        if (count == 0) continue;
        rows.total += count;
        rows.odd_is_at_end = false;
        if (count == file->channel_count) {
            rows.exact++;
            if (!rows.odd) rows.before_odd++;
        } else if (rows.odd++ == 0) {
            rows.odd_line = file->text.line;
            rows.odd_count = count;
            rows.odd_is_at_end = true;
        }
    }
    int64_t frames = rows.exact;
    snw_notes *notes = file->reading->notes;
    int channels = file->channel_count;
    if (rows.odd && rows.exact == 0 && channels > 0 && rows.total % channels == 0) {
        frames = rows.total / channels;
        snw__note(notes, SNW_NOTE_FORM_UNUSUAL, snw__at_line(rows.odd_line),
                  "frames are wrapped over several lines");
    } else if (rows.odd && !file->reading->options.is_lenient) {
        file->text.line = rows.odd_line;
        bool is_cut = rows.odd_is_at_end && rows.odd_count < channels;
        return snw__text_fail(
            &file->text, is_cut ? SNW_TRUNCATED : SNW_FORMAT, "%lld %s, the hierarchy has %d %s%s",
            (long long)rows.odd_count, snw__plural(rows.odd_count, "number", "numbers"), channels,
            snw__plural(channels, "channel", "channels"), is_cut ? "; the file is cut" : "");
    } else if (rows.odd) {
        frames = rows.before_odd;
        snw__note(notes, SNW_NOTE_CONTENT_CUT, snw__at_line(rows.odd_line),
                  "%lld %s for %d %s; the motion ends here", (long long)rows.odd_count,
                  snw__plural(rows.odd_count, "number", "numbers"), channels,
                  snw__plural(channels, "channel", "channels"));
    }
    if (frames > INT32_MAX)
        return snw__fail(file->reading->error, SNW_TOO_LARGE, "too many frames");
    file->frame_count = (int)frames;
    if (file->frames_said == BVH_NOT_SAID && frames > 0)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "nothing says how many frames there are; %lld %s found", (long long)frames,
                  snw__plural(frames, "was", "were"));
    else if (file->frames_said != BVH_NOT_SAID && file->frames_said != frames)
        snw__note(notes, SNW_NOTE_HEADER_DISAGREES, SNW__NOWHERE, "Frames says %lld, %lld %s there",
                  (long long)file->frames_said, (long long)frames,
                  snw__plural(frames, "is", "are"));
    double bytes = (double)frames * file->joint_count * (sizeof(snw_quat) + sizeof(snw_vec3)) +
                   (double)frames * sizeof(snw_xform) + file->joint_count * SNW__BODY_JOINT_BYTES;
    return snw__text_check_size(&file->text, bytes, "the motion");
}

/* ---- values ------------------------------------------------------------------------------- */

/* The next number of the motion; one that is not finite is refused, or `previous` if lenient. */
static snw_status next_value(snw__bvh_file *file, double previous, double *value)
{
    snw__span word = {NULL, NULL};
    double parsed = NAN;
    snw__text_word(&file->text, &word);
    bool is_number = snw__span_double(word, &parsed);
    if (is_number && isfinite(parsed)) {
        *value = parsed;
        return SNW_OK;
    }
    if (!file->reading->options.is_lenient)
        return snw__text_fail(&file->text, SNW_FORMAT, "\"%.*s\" is not a finite number",
                              snw__span_shown(word), word.at);
    snw__note(file->reading->notes, SNW_NOTE_VALUE_REPAIRED, snw__at_line(file->text.line),
              "\"%.*s\" is not a finite number; %g is taken", snw__span_shown(word), word.at,
              previous);
    *value = previous;
    return SNW_OK;
}

/* Reads the channels of one joint: positions into file->position, rotations as a product. */
static snw_status read_joint_values(snw__bvh_file *file, int index, snw_quat *rotation)
{
    const snw__bvh_joint *joint = file->joint + index;
    double *position = file->position + (size_t)index * 3;
    snw_quat turned = snw_quat_identity();
    for (int n = 0; n < joint->channel_count; n++) {
        snw__bvh_channel channel = file->channel[joint->channel_first + n];
        double value = 0;
        snw_status status =
            next_value(file, channel.is_position ? position[channel.axis] : 0, &value);
        if (status != SNW_OK) return status;
        if (channel.is_position)
            position[channel.axis] = value;
        else {
            int axis = channel.axis;
            double half = snw_radians(value) / 2;
            double part[3] = {0, 0, 0};
            part[axis] = snw__sin(half);
            turned = snw_quat_mul(turned, snw_quat_make(snw__cos(half), part[0], part[1], part[2]));
        }
    }
    *rotation = snw_quat_normalize(turned);
    return SNW_OK;
}

static bool moves_along(const snw__bvh_file *file, int index, int axis)
{
    const snw__bvh_joint *joint = file->joint + index;
    for (int n = 0; n < joint->channel_count; n++) {
        snw__bvh_channel channel = file->channel[joint->channel_first + n];
        if (channel.is_position && channel.axis == axis) return true;
    }
    return false;
}

/* Positions of channels that do not exist: the offset for the root, and for inner joints whatever
 * gives no slide. */
static void reset_positions(snw__bvh_file *file)
{
    for (int j = 0; j < file->joint_count; j++)
        for (int k = 0; k < 3; k++) {
            bool stands = j == 0 || file->position_stands_for_offset;
            file->position[(size_t)j * 3 + (size_t)k] = stands ? file->joint[j].offset[k] : 0;
        }
}

static snw_status scan_positions(snw__bvh_file *file, double *from_offset, double *from_zero)
{
    snw__text_return(&file->text, file->data);
    reset_positions(file);
    for (int frame = 0; frame < file->frame_count; frame++) {
        for (int j = 0; j < file->joint_count; j++) {
            snw_quat ignored;
            snw_status status = read_joint_values(file, j, &ignored);
            if (status != SNW_OK) return status;
        }
        if (from_offset) {
            /* |position - rest| of every joint in the frame just read, for both readings of the
             * channels. */
            for (int j = 1; j < file->joint_count; j++)
                for (int k = 0; k < 3; k++) {
                    if (!moves_along(file, j, k)) continue;
                    double value = file->position[(size_t)j * 3 + (size_t)k];
                    *from_offset += fabs(value - file->joint[j].offset[k]);
                    *from_zero += fabs(value);
                }
        } else {
            for (int j = 1; j < file->joint_count; j++)
                for (int k = 0; k < 3; k++) {
                    double rest = file->position_stands_for_offset ? file->joint[j].offset[k] : 0;
                    double drift = fabs(file->position[(size_t)j * 3 + (size_t)k] - rest);
                    if (drift > file->joint[j].drift) file->joint[j].drift = drift;
                }
        }
    }
    return SNW_OK;
}

/* Some programs repeat the OFFSET in the position channels of inner joints (Blender,
 * MotionBuilder), others write what is added to it. Whichever moves the joints less is right: bones
 * hardly change their length. */
static snw_status settle_slides(snw__bvh_file *file)
{
    if (!file->has_inner_positions || file->frame_count == 0) return SNW_OK;
    double from_offset = 0, from_zero = 0;
    snw_status status = scan_positions(file, &from_offset, &from_zero);
    if (status != SNW_OK) return status;
    file->position_stands_for_offset = from_offset < from_zero;
    if (from_offset != from_zero)
        snw__note(file->reading->notes, SNW_NOTE_FORM_UNUSUAL, SNW__NOWHERE,
                  "position channels of inner joints are taken %s, because the bones then change "
                  "least",
                  file->position_stands_for_offset ? "to stand for the OFFSET"
                                                   : "to be added to the OFFSET");
    return scan_positions(file, NULL, NULL);
}

/* ---- unit --------------------------------------------------------------------------------- */

/* The longest way along the bones from the root, in the file's unit. */
static double body_size(snw__bvh_file *file)
{
    double size = 0;
    double *way = file->position; /* free until values are read */
    for (int j = 0; j < file->joint_count; j++) {
        const snw__bvh_joint *joint = file->joint + j;
        const double *o = joint->offset, *t = joint->tip;
        double bone = j ? sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]) : 0;
        way[j] = (j ? way[joint->parent] : 0) + bone;
        double end = way[j] + sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        if (end > size) size = end;
    }
    return size;
}

/* Units in use, the commonest first, with the sizes that are plausible in them. */
typedef struct bvh_unit {
    double metres;
    double least, most; /* of a body, metres */
} bvh_unit;

/* From hip to toe or from hip to fingers an adult measures 1.1 to 1.4 m, a child of six 0.7 m.
 * Acclaim data often come in inches divided by 0.45. */
static const bvh_unit bvh_person_units[] = {{0.01, 0.6, 1.9},          {1.0, 0.6, 1.9},
                                            {0.001, 0.6, 1.9},         {0.0254, 0.9, 1.9},
                                            {0.0254 / 0.45, 0.9, 1.9}, {0, 0, 0}};
/* From the wrist to the tip of the middle finger: 0.1 m of a child to 0.23 m; with a forearm
 * 0.5 m. */
static const bvh_unit bvh_hand_units[] = {
    {0.01, 0.08, 0.6}, {1.0, 0.08, 0.6}, {0.001, 0.08, 0.6}, {0, 0, 0}};

/* Has any joint one of these words in its name, upper and lower case the same? */
static bool is_named(const snw__bvh_file *file, const char *const *words)
{
    for (int j = 0; j < file->joint_count; j++)
        for (int w = 0; words[w]; w++)
            for (snw__span rest = file->joint[j].name; rest.at < rest.end; rest.at++)
                if (snw__span_starts(rest, words[w])) return true;
    return false;
}

/* ---- body and motion ---------------------------------------------------------------------- */

/* Type and axes of an inner joint from its rotation channels. */
static void settle_type(const snw__bvh_file *file, int index, snw_joint *joint)
{
    static const snw_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int axis[2] = {-1, -1}, turns = 0;
    for (int n = 0; n < file->joint[index].channel_count; n++) {
        snw__bvh_channel channel = file->channel[file->joint[index].channel_first + n];
        if (channel.is_position) continue;
        if (turns < 2) axis[turns] = channel.axis;
        turns++;
    }
    bool slides = (moves_along(file, index, 0) || moves_along(file, index, 1) ||
                   moves_along(file, index, 2)) &&
                  (file->frame_count == 0 || file->joint[index].drift > 0);
    if (slides) {
        joint->type = SNW_JOINT_FREE;
    } else if (turns == 1) {
        joint->type = SNW_JOINT_HINGE;
        joint->axis = axes[axis[0]];
        joint->axis2 = axes[(axis[0] + 1) % 3];
    } else if (turns == 2 && axis[0] != axis[1]) {
        joint->type = SNW_JOINT_UNIVERSAL;
        joint->axis = axes[axis[0]];
        joint->axis2 = axes[axis[1]];
    } else if (turns > 0) {
        joint->type = SNW_JOINT_BALL;
    }
}

static snw_vec3 scaled(const double vector[3], double scale)
{
    return snw_vec3_make(vector[0] * scale, vector[1] * scale, vector[2] * scale);
}

static snw_status make_skeleton(snw__bvh_file *file, snw_skeleton **out)
{
    const snw_allocator *allocator = &file->reading->allocator;
    size_t count = (size_t)file->joint_count;
    size_t size = count * (sizeof(snw_joint_def) + SNW__NAME_SIZE);
    snw_joint_def *defs = (snw_joint_def *)snw__allocate(allocator, size);
    if (!defs) return snw__fail_memory(file->reading->error, size, "the joints");
    char(*names)[SNW__NAME_SIZE] = (char(*)[SNW__NAME_SIZE])(void *)(defs + count);
    for (int j = 0; j < file->joint_count; j++) {
        defs[j] = snw_joint_def_default();
        snw__span_copy(file->joint[j].name, names[j]);
        defs[j].name = names[j];
        snw_joint_def *def = defs + j;
        const snw__bvh_joint *joint = file->joint + j;
        def->parent = joint->parent;
        def->rest = snw_xform_identity();
        if (j == 0) {
            def->joint.type = SNW_JOINT_FIXED;
        } else {
            def->rest.translation = scaled(joint->offset, file->metres_per_unit);
            settle_type(file, j, &def->joint);
        }
        def->tip = scaled(joint->tip, file->metres_per_unit);
        def->has_tip = snw_vec3_length(def->tip) > 0;
    }
    snw_status status = snw__joint_names_settle(names, file->joint_count, allocator,
                                                file->reading->notes, file->reading->error);
    if (status == SNW_OK)
        status = snw_skeleton_create(defs, file->joint_count, allocator, out, file->reading->error);
    snw__release(allocator, defs, size);
    return status;
}

static snw_status read_frame(snw__bvh_file *file, snw_motion *motion, int frame)
{
    size_t base = (size_t)frame * (size_t)file->joint_count;
    for (int j = 0; j < file->joint_count; j++) {
        snw_quat rotation;
        snw_status status = read_joint_values(file, j, &rotation);
        if (status != SNW_OK) return status;
        snw_vec3 place = scaled(file->position + (size_t)j * 3, file->metres_per_unit);
        if (!snw_vec3_is_finite(place))
            return snw__text_fail(&file->text, SNW_FORMAT, "a position is too large");
        if (j == 0) {
            motion->root[frame] = snw_xform_make(rotation, place);
            continue;
        }
        motion->rotation[base + (size_t)j] = rotation;
        if (motion->skeleton->joint[j].type != SNW_JOINT_FREE) continue;
        snw_vec3 rest = scaled(file->joint[j].offset, file->metres_per_unit);
        motion->slide[base + (size_t)j] =
            file->position_stands_for_offset ? snw_vec3_sub(place, rest) : place;
    }
    return SNW_OK;
}

static snw_status read_frames(snw__bvh_file *file, const snw_skeleton *skeleton, snw_motion **out)
{
    snw_motion *motion = NULL;
    snw_status status = snw_motion_create(skeleton, file->frame_count, file->rate,
                                          &file->reading->allocator, &motion, file->reading->error);
    if (status != SNW_OK) return status;
    motion->metres_per_unit = file->metres_per_unit;
    snw__text_return(&file->text, file->data);
    reset_positions(file);
    for (int frame = 0; frame < file->frame_count && status == SNW_OK; frame++)
        status = read_frame(file, motion, frame);
    if (status == SNW_OK)
        *out = motion;
    else
        snw_motion_destroy(motion);
    return status;
}

static snw_status read_content(snw__bvh_file *file, snw_skeleton **skeleton, snw_motion **motion)
{
    snw_status status = snw__bvh_make_room(file);
    if (status == SNW_OK) status = snw__bvh_read_hierarchy(file);
    if (status != SNW_OK) return status;
    snw__span line;
    file->frames_said = BVH_NOT_SAID;
    file->data = snw__text_here(&file->text);
    while (snw__text_line(&file->text, &line)) {
        line = snw__span_trim(line);
        if (snw__span_starts(line, "Frame Time")) {
            snw__span text = after_colon(line);
            double period = 0;
            if (snw__span_double(text, &period))
                file->rate = snw__rate_from_duration(period, 1, snw__span_half_digit(text));
        } else if (snw__span_starts(line, "Frames"))
            snw__span_int(after_colon(line), &file->frames_said);
        else if (!snw__span_is_empty(line))
            break;
        file->data = snw__text_here(&file->text);
    }
    if (!(file->rate > 0)) {
        file->rate = 30;
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "there is no usable Frame Time; 30 frames per second is taken");
    }
    status = settle_frames(file);
    if (status != SNW_OK) return status;
    file->metres_per_unit = file->reading->options.metres_per_unit;
    if (!(file->metres_per_unit > 0)) {
        /* Fingers and nothing of the rest of a person. */
        static const char *const fingers[] = {"thumb", "index", "finger", "pinky", "little", NULL};
        static const char *const others[] = {"hip",  "leg",   "knee",  "thigh",    "foot", "spine",
                                             "pelv", "chest", "femur", "shoulder", NULL};
        bool is_hand = is_named(file, fingers) && !is_named(file, others);
        const bvh_unit *unit = is_hand ? bvh_hand_units : bvh_person_units;
        double size = body_size(file);
        while (unit->metres > 0 &&
               !(size * unit->metres >= unit->least && size * unit->metres <= unit->most))
            unit++;
        /* No body of a human: an animal, a crane. Centimetres are the custom. */
        file->metres_per_unit = unit->metres > 0 ? unit->metres : 0.01;
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "BVH has no unit; from the body's size 1 unit is taken as %.4f m",
                  file->metres_per_unit);
    }
    status = settle_slides(file);
    if (status == SNW_OK) status = make_skeleton(file, skeleton);
    if (status == SNW_OK) status = read_frames(file, *skeleton, motion);
    if (status != SNW_OK) {
        snw_skeleton_destroy(*skeleton);
        *skeleton = NULL;
    }
    return status;
}

snw_status snw__bvh_read(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion)
{
    snw__bvh_file file;
    memset(&file, 0, sizeof file);
    file.reading = reading;
    snw_status status = snw__text_load(&file.text, reading);
    if (status != SNW_OK) return status;
    snw__text_settle_decimal(&file.text);
    status = read_content(&file, skeleton, motion);
    snw__block_release(&reading->allocator, &file.block);
    snw__text_release(&file.text);
    return status;
}
