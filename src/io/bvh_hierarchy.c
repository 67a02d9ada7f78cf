/* The HIERARCHY of a BVH file: joints, offsets, channels, end sites. The file's description is in
 * bvh_read.c. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/bvh.h"
#include "io/motion_text.h"

static bool parse_channel(snw__span word, snw__bvh_channel *channel)
{
    if (snw__span_length(word) != 9) return false;
    char letter = *word.at;
    channel->axis = letter >= 'a' ? letter - 'x' : letter - 'X';
    channel->is_position = snw__span_ends(word, "position");
    return channel->axis >= 0 && channel->axis <= 2 &&
           (channel->is_position || snw__span_ends(word, "rotation"));
}

static void lay_out(void *object, snw__block *block)
{
    snw__bvh_file *file = (snw__bvh_file *)object;
    size_t joints = (size_t)file->joint_capacity, channels = (size_t)file->channel_capacity;
    file->joint = (snw__bvh_joint *)snw__block_take(block, joints, sizeof *file->joint);
    file->channel = (snw__bvh_channel *)snw__block_take(block, channels, sizeof *file->channel);
    file->position = (double *)snw__block_take(block, joints, 3 * sizeof(double));
}

/* Upper bounds from one look at the words, so that one block holds everything. */
snw_status snw__bvh_make_room(snw__bvh_file *file)
{
    snw__span word;
    snw__bvh_channel channel;
    while (snw__text_word(&file->text, &word) && !snw__span_is(word, "MOTION")) {
        if (snw__span_is(word, "JOINT") || snw__span_is(word, "ROOT")) file->joint_capacity++;
        if (parse_channel(word, &channel)) file->channel_capacity++;
    }
    snw__text_rewind(&file->text);
    if (file->joint_capacity > SNW_JOINT_MAX) file->joint_capacity = SNW_JOINT_MAX;
    snw_status status = snw__body_check_size(&file->text, file->joint_capacity);
    if (status != SNW_OK) return status;
    return snw__block_create(&file->block, lay_out, file, &file->reading->allocator,
                             "the hierarchy", file->reading->error);
}

static snw_status read_channels(snw__bvh_file *file, int current)
{
    snw__span word = {NULL, NULL};
    int64_t count = -1;
    if (!snw__text_word(&file->text, &word) || !snw__span_int(word, &count) || count < 0)
        return snw__text_fail(&file->text, SNW_FORMAT, "CHANNELS needs a count, not \"%.*s\"",
                              snw__span_shown(word), word.at);
    snw__bvh_joint *joint = file->joint + current;
    if (joint->channel_count)
        return snw__text_fail(&file->text, SNW_FORMAT, "a second CHANNELS in one joint");
    joint->channel_first = file->channel_count;
    for (int64_t n = 0; n < count; n++) {
        snw__bvh_channel *channel = file->channel + file->channel_count;
        if (!snw__text_word(&file->text, &word))
            return snw__text_fail(&file->text, SNW_TRUNCATED, "the channel names end too early");
        /* The capacity counted every valid channel name, so it is never exceeded. */
        snw__bvh_channel parsed;
        if (!parse_channel(word, &parsed) || file->channel_count >= file->channel_capacity)
            return snw__text_fail(&file->text, SNW_FORMAT,
                                  "CHANNELS says %lld names, \"%.*s\" is not one", (long long)count,
                                  snw__span_shown(word), word.at);
        *channel = parsed;
        file->channel_count++;
        joint->channel_count++;
        if (parsed.is_position && joint->parent >= 0) file->has_inner_positions = true;
    }
    return SNW_OK;
}

static snw_status add_joint(snw__bvh_file *file, bool is_root, int parent)
{
    snw__span name = snw__text_rest_of_line(&file->text);
    if (is_root && file->joint_count > 0)
        return snw__text_fail(&file->text, SNW_UNSUPPORTED,
                              "\"%.*s\" is a second ROOT; put each body into its own file",
                              snw__span_shown(name), name.at);
    if (!is_root && parent < 0)
        return snw__text_fail(&file->text, SNW_FORMAT, "JOINT \"%.*s\" stands outside the ROOT",
                              snw__span_shown(name), name.at);
    if (file->joint_count >= file->joint_capacity)
        return snw__text_fail(&file->text, SNW_TOO_LARGE, "more than %d joints", SNW_JOINT_MAX);
    snw__bvh_joint *joint = file->joint + file->joint_count++;
    memset(joint, 0, sizeof *joint);
    joint->name = name;
    joint->parent = is_root ? -1 : parent;
    joint->channel_first = file->channel_count;
    return SNW_OK;
}

/* Where the parser stands: no recursion, so depth costs nothing. */
typedef struct bvh_place {
    int current;     /* joint whose braces are open, -1 outside */
    int pending;     /* joint whose brace comes next, -1 none */
    bool is_end;     /* inside End Site */
    bool end_is_due; /* End Site was read, its brace comes next */
} bvh_place;

static snw_status read_offset(snw__bvh_file *file, const bvh_place *place)
{
    double vector[3];
    for (int k = 0; k < 3; k++) {
        snw__span word;
        if (!snw__text_word(&file->text, &word))
            return snw__text_fail(&file->text, SNW_TRUNCATED, "OFFSET needs three numbers");
        if (!snw__span_double(word, vector + k) || !isfinite(vector[k]))
            return snw__text_fail(&file->text, SNW_FORMAT, "OFFSET: \"%.*s\" is not a number",
                                  snw__span_shown(word), word.at);
    }
    if (place->current < 0)
        return snw__text_fail(&file->text, SNW_FORMAT, "OFFSET stands outside every joint");
    snw__bvh_joint *joint = file->joint + place->current;
    if (!place->is_end) {
        memcpy(joint->offset, vector, sizeof vector);
    } else if (joint->tip_count++ == 0) {
        memcpy(joint->tip, vector, sizeof vector);
    } else {
        snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, snw__at_line(file->text.line),
                  "a second End Site of one joint is left out");
    }
    return SNW_OK;
}

static snw_status read_keyword(snw__bvh_file *file, snw__span word, bvh_place *place)
{
    bool is_root = snw__span_is(word, "ROOT");
    if (is_root || snw__span_is(word, "JOINT")) {
        snw_status status = place->is_end
                                ? snw__text_fail(&file->text, SNW_FORMAT, "a joint in an End Site")
                                : add_joint(file, is_root, place->current);
        place->pending = file->joint_count - 1;
        return status;
    }
    if (snw__span_is(word, "End")) {
        snw__text_rest_of_line(&file->text);
        place->end_is_due = place->current >= 0;
        return SNW_OK;
    }
    if (snw__span_is(word, "{")) {
        if (place->end_is_due) {
            place->is_end = true;
            place->end_is_due = false;
            return SNW_OK;
        }
        if (place->pending < 0)
            return snw__text_fail(&file->text, SNW_FORMAT, "a { without a joint");
        place->current = place->pending;
        place->pending = -1;
        return SNW_OK;
    }
    if (snw__span_is(word, "}")) {
        if (place->is_end) {
            place->is_end = false;
            return SNW_OK;
        }
        if (place->current < 0) return snw__text_fail(&file->text, SNW_FORMAT, "a } too many");
        place->current = file->joint[place->current].parent;
        return SNW_OK;
    }
    if (snw__span_is(word, "OFFSET")) return read_offset(file, place);
    if (snw__span_is(word, "CHANNELS") && place->current >= 0 && !place->is_end)
        return read_channels(file, place->current);
    return snw__text_fail(&file->text, SNW_FORMAT, "\"%.*s\" does not belong in a hierarchy",
                          snw__span_shown(word), word.at);
}

snw_status snw__bvh_read_hierarchy(snw__bvh_file *file)
{
    bvh_place place = {-1, -1, false, false};
    snw__span word;
    if (!snw__text_word(&file->text, &word) || !snw__span_is(word, "HIERARCHY"))
        return snw__text_fail(&file->text, SNW_FORMAT, "a BVH file starts with \"HIERARCHY\"");
    bool has_motion = false;
    while (!has_motion && snw__text_word(&file->text, &word)) {
        has_motion = snw__span_is(word, "MOTION");
        snw_status status = has_motion ? SNW_OK : read_keyword(file, word, &place);
        if (status != SNW_OK) return status;
    }
    if (place.current >= 0 || place.pending >= 0 || file->joint_count == 0)
        return snw__text_fail(&file->text, has_motion ? SNW_FORMAT : SNW_TRUNCATED,
                              "the hierarchy ends inside a joint");
    if (!has_motion)
        snw__note(file->reading->notes, SNW_NOTE_FORM_UNUSUAL, snw__at_line(file->text.line),
                  "there is no MOTION section; the body is read alone");
    return SNW_OK;
}
