/* <replicate> of MJCF:
 *
 *   <replicate count="3" offset="0.1 0 0" euler="0 0 90" sep="-"> ... </replicate>
 *
 * What it holds stands there `count` times, each replica moved by `offset` in the frame of the one
 * before; replica i is turned by i times the angles. Names end with the separator and the replica's
 * number, written with as many digits as `count` has; of replicates within each other the inner
 * ending comes first.
 */
#include "io/mjcf.h"

#include <string.h>

#include "base/fail.h"

/* Replicas in all, and characters that are read again for them: more bodies than one skeleton takes
 * come of no fewer. */
enum {
    REPLICA_PASSES_MAX = SNW_JOINT_MAX,
    REPLICA_TEXT_MAX = 1 << 26
};

bool snw__mjcf_is_repeated(const snw__mjcf *file)
{
    return file->replica_depth > 0;
}

static snw_status open_replica(snw__mjcf *file)
{
    snw__xml *xml = &file->xml;
    double count = 0, offset[3] = {0};
    if (file->replica_depth == SNW__MJCF_REPLICA_DEPTH_MAX)
        return SNW__XML_FAIL(xml, SNW_TOO_LARGE, "more than %d replicates stand within each other",
                             SNW__MJCF_REPLICA_DEPTH_MAX);
    snw__mjcf_replica *replica = &file->replica[file->replica_depth];
    *replica = (snw__mjcf_replica){.open = *xml, .frame = snw_xform_identity()};
    snw_status status = snw__xml_numbers(xml, "count", 1, &count);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "offset", 3, offset);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "euler", 3, replica->euler);
    if (status != SNW_OK) return status;
    if (!(count >= 1 && count <= REPLICA_PASSES_MAX) || count != (int)count)
        return SNW__XML_FAIL(xml, SNW_FORMAT, "a replicate needs a count of 1 to %d",
                             REPLICA_PASSES_MAX);
    (void)snw__xml_find(xml, "sep", &replica->sep);
    replica->count = (int)count;
    replica->offset = snw_vec3_make(offset[0], offset[1], offset[2]);
    file->replica_depth++;
    return SNW_OK;
}

/* At the end of one: the next replica, or on behind it. */
static snw_status close_replica(snw__mjcf *file)
{
    snw__mjcf_replica *replica = &file->replica[file->replica_depth - 1];
    snw_xform *frame = &replica->frame;
    double angles[3];
    if (++replica->index == replica->count) {
        file->replica_depth--;
        return SNW_OK;
    }
    file->replica_text += (size_t)(file->xml.at - replica->open.at);
    if (++file->replica_passes > REPLICA_PASSES_MAX || file->replica_text > REPLICA_TEXT_MAX)
        return SNW__XML_FAIL(&file->xml, SNW_TOO_LARGE, "more than %d replicas, or too long ones",
                             REPLICA_PASSES_MAX);
    frame->translation =
        snw_vec3_add(frame->translation, snw_quat_rotate(frame->rotation, replica->offset));
    for (int k = 0; k < 3; k++)
        angles[k] = replica->index * replica->euler[k];
    frame->rotation = snw__mjcf_euler(file, angles);
    file->xml = replica->open;
    return SNW_OK;
}

snw_status snw__mjcf_next(snw__mjcf *file)
{
    snw__xml *xml = &file->xml;
    snw_status status;
    if (xml->at == file->text.begin) /* a new reading */
        file->replica_depth = file->replica_passes = 0, file->replica_text = 0;
    while ((status = snw__xml_next(xml)) == SNW_OK) {
        if (xml->event == SNW__XML_END) return SNW_OK;
        bool is_replica = snw__xml_is(xml, "replicate") && snw__xml_says(xml->open[1], "worldbody");
        if (xml->event == SNW__XML_OPEN) return is_replica ? open_replica(file) : SNW_OK;
        if (!is_replica || file->replica_depth == 0) continue;
        status = close_replica(file);
        if (status != SNW_OK || xml->event == SNW__XML_OPEN) return status;
    }
    return status;
}

snw__span snw__mjcf_name(snw__mjcf *file)
{
    snw__span name = {0};
    if (!snw__xml_find(&file->xml, "name", &name) || file->replica_depth == 0) return name;
    char *text = file->made[file->made_used++], number[16];
    size_t used = snw__span_length(name);
    if (used >= SNW__NAME_SIZE) used = SNW__NAME_SIZE - 1;
    memcpy(text, name.at, used);
    for (int k = file->replica_depth - 1; k >= 0; k--) {
        const snw__mjcf_replica *replica = &file->replica[k];
        (void)snw_format(number, sizeof number, "%d", replica->count);
        int length = snw_format(
            text + used, SNW__NAME_SIZE - used, "%.*s%0*d", snw__span_shown(replica->sep),
            replica->sep.at ? replica->sep.at : "", (int)strlen(number), replica->index);
        used += length > 0 ? (size_t)length : 0;
        if (used >= SNW__NAME_SIZE) used = SNW__NAME_SIZE - 1;
    }
    return (snw__span){text, text + used};
}
