/* The body model that trackers follow: a skeleton, the markers on it, what is known of its joints.
 * Owns the object and the matching of names; calibration (calibrate/) and text (actor_text.c) make
 * actors through it. */
#include "actor/actor.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "center/center.h"
#include "label/label_grammar.h"
#include <sinew/rig.h>

/* ---- the object --------------------------------------------------------------------------- */

typedef struct actor_sketch {
    snw_actor actor;
    size_t joint_count, name_bytes;
    char *names; /* (name_bytes) of the markers */
} actor_sketch;

static void lay_out(void *object, snw__block *block)
{
    actor_sketch *sketch = object;
    snw_actor *actor = &sketch->actor;
    snw__block_take(block, 1, sizeof *actor);
    actor->marker = snw__block_take(block, (size_t)actor->marker_count, sizeof(snw_actor_marker));
    actor->estimate = snw__block_take(block, sketch->joint_count, sizeof(snw_joint_estimate));
    sketch->names = snw__block_take(block, sketch->name_bytes, 1);
}

snw_actor *snw__actor_take(const snw_actor_marker *markers, int marker_count, int joint_count,
                           const snw_allocator *allocator, snw_error *error)
{
    snw__block block;
    actor_sketch sketch = {.joint_count = (size_t)joint_count};
    snw_allocator memory = snw__allocator_or_default(allocator);
    sketch.actor.marker_count = marker_count;
    sketch.actor.allocator = memory;
    for (int m = 0; m < marker_count; m++)
        sketch.name_bytes += strlen(markers[m].name) + 1;
    if (snw__block_create(&block, lay_out, &sketch, &memory, "an actor", error) != SNW_OK)
        return NULL;
    sketch.actor.block_size = block.size;
    snw_actor *actor = (void *)block.base;
    *actor = sketch.actor;
    /* Copies the markers in the order of their joints, otherwise as they came, with their names. */
    char *names = sketch.names;
    int at = 0;
    for (int j = 0; j < joint_count; j++)
        for (int m = 0; m < actor->marker_count; m++) {
            if (markers[m].joint != j) continue;
            size_t length = strlen(markers[m].name) + 1;
            actor->marker[at] = markers[m];
            actor->marker[at++].name = memcpy(names, markers[m].name, length);
            names += length;
        }
    return actor;
}

void snw_actor_destroy(snw_actor *actor)
{
    if (!actor) return;
    snw_skeleton_destroy(actor->skeleton);
    snw_allocator allocator = actor->allocator;
    if (actor->value) snw__release(&allocator, actor->value, actor->value_size);
    snw__release(&allocator, actor, actor->block_size);
}

/* ---- from a skeleton ---------------------------------------------------------------------- */

static snw_status check_markers(const snw_skeleton *skeleton, const snw_actor_marker *markers,
                                int marker_count, snw_error *error)
{
    if (marker_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "an actor needs markers, there are %d",
                         marker_count);
    for (int m = 0; m < marker_count; m++) {
        const snw_actor_marker *marker = markers + m;
        snw__place place = SNW__NOWHERE;
        place.index = m;
        place.name = marker->name;
        if (!marker->name || !marker->name[0])
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, place, "marker %d has no name", m);
        if (marker->joint < 0 || marker->joint >= skeleton->joint_count)
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                                "marker %s sits on joint %d, the body has %d", marker->name,
                                marker->joint, skeleton->joint_count);
        if (!snw_vec3_is_finite(marker->offset) || !(marker->noise >= 0) ||
            !(marker->noise < HUGE_VAL))
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                                "marker %s: offset and noise must be finite, noise not negative",
                                marker->name);
    }
    return SNW_OK;
}

static snw_status copy_skeleton(const snw_skeleton *from, const snw_allocator *allocator,
                                snw_skeleton **to, snw_error *error)
{
    size_t size = snw__size_mul((size_t)from->joint_count, sizeof(snw_joint_def));
    snw_joint_def *def = snw__allocate(allocator, size);
    if (!def) return snw__fail_memory(error, size, "copying a skeleton");
    for (int j = 0; j < from->joint_count; j++)
        def[j] = snw_skeleton_joint_def(from, j);
    snw_status status = snw_skeleton_create(def, from->joint_count, allocator, to, error);
    snw__release(allocator, def, size);
    return status;
}

snw_status snw_actor_create(const snw_skeleton *skeleton, const snw_actor_marker *markers,
                            int marker_count, const snw_allocator *allocator, snw_actor **out,
                            snw_error *error)
{
    *out = NULL;
    snw_status status = check_markers(skeleton, markers, marker_count, error);
    if (status != SNW_OK) return status;
    snw_actor *actor =
        snw__actor_take(markers, marker_count, skeleton->joint_count, allocator, error);
    if (!actor) return SNW_OUT_OF_MEMORY;
    status = copy_skeleton(skeleton, &actor->allocator, &actor->skeleton, error);
    if (status != SNW_OK) {
        snw_actor_destroy(actor);
        return status;
    }
    for (int j = 1; j < skeleton->joint_count; j++) {
        snw_joint_estimate *estimate = actor->estimate + j;
        estimate->type = skeleton->joint[j].type;
        estimate->axis = skeleton->joint[j].axis;
        estimate->alternative = -1;
        snw_format(estimate->verdict, sizeof estimate->verdict, "%s joint, as it was given",
                   snw_joint_type_name(estimate->type));
    }
    *out = actor;
    return snw__succeed(error);
}

int snw_actor_segment_count(const snw_actor *actor)
{
    int count = 0; /* markers are in the order of their joints */
    for (int m = 0; m < actor->marker_count; m++)
        count += m == 0 || actor->marker[m].joint != actor->marker[m - 1].joint;
    return count;
}

/* ---- values ------------------------------------------------------------------------------- */

typedef struct actor_values {
    const snw_actor_value *from;
    snw_actor_value *to;
    size_t count, number_count, name_bytes;
    double *numbers;
    char *names;
} actor_values;

static void lay_out_values(void *object, snw__block *block)
{
    actor_values *values = object;
    values->to = snw__block_take(block, values->count, sizeof(snw_actor_value));
    values->numbers = snw__block_take(block, values->number_count, sizeof(double));
    values->names = snw__block_take(block, values->name_bytes, 1);
}

snw_status snw_actor_keep(snw_actor *actor, const snw_actor_value *values, int value_count,
                          snw_error *error)
{
    actor_values kept = {.from = values, .count = (size_t)value_count};
    snw__block block;
    for (int v = 0; v < value_count; v++) {
        const snw_actor_value *value = values + v;
        snw__place place = SNW__NOWHERE;
        place.index = v;
        place.name = value->name;
        if (!value->name || !value->name[0])
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, place, "value %d has no name", v);
        for (int n = 0; n < value->count; n++)
            if (!(fabs(value->number[n]) < 1e6))
                return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                                    "value %s: number %d is not finite or too large", value->name,
                                    n);
        kept.number_count += (size_t)values[v].count;
        kept.name_bytes += strlen(values[v].name) + 1;
    }
    snw_status status = snw__block_create(&block, lay_out_values, &kept, &actor->allocator,
                                          "what is kept with an actor", error);
    if (status != SNW_OK) return status;
    for (int v = 0; v < value_count; v++) {
        size_t count = (size_t)values[v].count, length = strlen(values[v].name) + 1;
        kept.to[v].name = memcpy(kept.names, values[v].name, length);
        kept.to[v].number = kept.numbers;
        kept.to[v].count = values[v].count;
        if (count) memcpy(kept.numbers, values[v].number, count * sizeof(double));
        kept.names += length;
        kept.numbers += count;
    }
    if (actor->value) snw__release(&actor->allocator, actor->value, actor->value_size);
    actor->value = kept.to;
    actor->value_count = value_count;
    actor->value_size = block.size;
    return snw__succeed(error);
}

snw_status snw__actor_assemble(const snw_skeleton *skeleton, const snw__actor_parts *parts,
                               const snw_allocator *allocator, snw_actor **out, snw_error *error)
{
    snw_status status =
        snw_actor_create(skeleton, parts->marker, parts->marker_count, allocator, out, error);
    if (status == SNW_OK) status = snw_actor_keep(*out, parts->value, parts->value_count, error);
    if (status != SNW_OK) {
        snw_actor_destroy(*out);
        *out = NULL;
    }
    return status;
}

snw_status snw_actor_copy(const snw_actor *actor, const snw_allocator *allocator, snw_actor **out,
                          snw_error *error)
{
    const snw__actor_parts parts = {actor->marker, actor->marker_count, actor->value,
                                    actor->value_count};
    snw_status status = snw__actor_assemble(actor->skeleton, &parts, allocator, out, error);
    if (status == SNW_OK)
        memcpy((*out)->estimate, actor->estimate,
               (size_t)actor->skeleton->joint_count * sizeof *actor->estimate);
    return status;
}

const snw_actor_value *snw_actor_find_value(const snw_actor *actor, const char *name)
{
    for (int v = 0; v < actor->value_count; v++)
        if (strcmp(actor->value[v].name, name) == 0) return actor->value + v;
    return NULL;
}

/* A marker of the actor at rest, in the frame of a joint. */
static snw_vec3 marker_at_rest(const snw_actor *actor, int marker, int joint)
{
    snw_xform from[2] = {snw_xform_identity(), snw_xform_identity()};
    const int at[2] = {actor->marker[marker].joint, joint};
    for (int n = 0; n < 2; n++)
        for (int j = at[n]; j >= 0; j = actor->skeleton->parent[j])
            from[n] = snw_xform_mul(actor->skeleton->rest[j], from[n]);
    return snw_xform_unpoint(from[1], snw_xform_point(from[0], actor->marker[marker].offset));
}

snw_vec3 snw_actor_thumb(const snw_actor *actor, snw_side side)
{
    int outer = -1, inner = -1, forearm = -1;
    for (int j = 0; j < actor->skeleton->joint_count; j++) {
        snw_side own;
        bool is_forearm = snw_rig_part_of(actor->skeleton, j, &own) == SNW_PART_FOREARM;
        if (is_forearm && own == side) forearm = j;
    }
    for (int m = 0; m < actor->marker_count; m++) {
        snw_label label = snw_label_read(actor->marker[m].name);
        if (label.joint != SNW_PART_HAND || label.side != side) continue;
        if (label.spot == SNW_SPOT_LATERAL) outer = m;
        if (label.spot == SNW_SPOT_MEDIAL) inner = m;
    }
    if (outer < 0 || inner < 0 || forearm < 0) return snw_vec3_make(0, 0, 0);
    return snw_vec3_sub(marker_at_rest(actor, outer, forearm),
                        marker_at_rest(actor, inner, forearm));
}

double snw__joint_points_noise(const snw_actor *actor)
{
    const snw_actor_value *kept = snw_actor_find_value(actor, SNW__JOINT_POINTS_VALUE);
    return kept && kept->count == 1 ? fmax(kept->number[0], 0) : 0;
}

/* ---- whose is what ------------------------------------------------------------------------ */

static const char *name_in_list(const void *names, int index)
{
    return ((const snw_name_list *)names)->name[index];
}

static const char *name_in_trial(const void *trial, int index)
{
    return ((const snw_trial *)trial)->marker[index].name;
}

/* One program writes Joe:LKNE, another LKNE: the only marker of that label where either has no
 * prefix; -1: none, or several. */
static int find_bare(const char *name, const void *where, int count,
                     const char *(*name_of)(const void *where, int index))
{
    const char *bare = snw__bare_label(name);
    int found = -1;
    for (int n = 0; n < count; n++) {
        const char *other = name_of(where, n), *other_bare = snw__bare_label(other);
        if ((bare == name) == (other_bare == other) || strcmp(bare, other_bare) != 0) continue;
        if (found >= 0) return -1;
        found = n;
    }
    return found;
}

/* The nth marker of a name in the actor is the nth of that name elsewhere. */
static int find_same(const snw_actor *actor, int marker, const void *where, int count,
                     const char *(*name_of)(const void *where, int index))
{
    const char *name = actor->marker[marker].name;
    int earlier = 0;
    for (int m = 0; m < marker; m++)
        earlier += strcmp(actor->marker[m].name, name) == 0;
    for (int n = 0; n < count; n++)
        if (strcmp(name_of(where, n), name) == 0 && earlier-- == 0) return n;
    return earlier == 0 ? find_bare(name, where, count, name_of) : -1;
}

int snw_actor_find_marker(const snw_actor *actor, const snw_name_list *names, int marker)
{
    return find_same(actor, marker, names, names->count, name_in_list);
}

int snw__marker_source(const snw_actor *actor, const snw_trial *trial, int marker)
{
    return find_same(actor, marker, trial, trial->marker_count, name_in_trial);
}

snw_status snw__check_motion_of(const snw_actor *actor, const snw_motion *motion, snw_error *error)
{
    if (motion->skeleton->joint_count == actor->skeleton->joint_count) return SNW_OK;
    return snw__fail(error, SNW_INVALID_ARGUMENT,
                     "the motion has %d joints, the actor %d: they are not of one body",
                     motion->skeleton->joint_count, actor->skeleton->joint_count);
}

/* ---- what is said about a joint ----------------------------------------------------------- */

void snw__joint_estimate_judge(snw_joint_estimate *estimate)
{
    snw_center center = snw__center_none(SNW_CENTER_TWO_SIDED);
    center.motion = estimate->type;
    center.range[0] = estimate->range;
    center.sigma = estimate->uncertainty;
    center.axis_sigma = SNW_PI;
    center.undetermined = estimate->is_place_free ? 1 : 0;
    char words[SNW_VERDICT_SIZE];
    snw_format(estimate->verdict, sizeof estimate->verdict, "%s",
               snw_center_verdict(&center, words));
    if (estimate->is_from_proportions) {
        size_t length = strlen(estimate->verdict);
        snw_format(estimate->verdict + length, sizeof estimate->verdict - length,
                   "; placed by published proportions of the spine, not by the motion");
    }
    estimate->is_uncertain = snw__center_is_uncertain(estimate->uncertainty, estimate->range) ||
                             estimate->type == SNW_JOINT_FREE;
    estimate->alternative = -1;
}
