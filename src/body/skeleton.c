/* The skeleton: an immutable tree of joints in one block of memory, checked when it is built.
 *
 * Owns: checking definitions, copying them, looking joints up. Does not own: what a single joint
 * may do (joint.c, limit*.c) and the moving state (pose.c). */
#include <sinew/body.h>

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"
#include "body/body_constants.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"

/* The definitions as given, while they are checked. */
snw_joint_def snw_joint_def_default(void)
{
    snw_joint_def def;
    memset(&def, 0, sizeof def);
    def.name = NULL;
    def.parent = -1;
    def.joint.type = SNW_JOINT_FIXED;
    def.joint.axis = snw_vec3_make(0, 0, 1);
    def.joint.axis2 = snw_vec3_make(1, 0, 0);
    def.joint.limit = snw_joint_limit_none();
    def.rest = snw_xform_identity();
    return def;
}

/* ---- checking ----------------------------------------------------------------------------- */

static snw__place at_joint(int joint, const char *name)
{
    snw__place place = SNW__NOWHERE;
    place.index = joint;
    place.name = name;
    return place;
}

static snw_status check_name(const snw_skeleton_def *source, int joint, snw_error *error)
{
    const char *name = source->joint[joint].name;
    if (!name || !name[0])
        return snw__fail_at(error, SNW_INVALID_SKELETON, at_joint(joint, NULL),
                            "joint %d has no name", joint);
    return SNW_OK;
}

/* Does the way up from `joint` come back to it? Steps are bounded: a cycle further up does not
 * contain `joint` and is reported by its own members. */
static bool is_in_cycle(const snw_skeleton_def *source, int joint)
{
    int above = source->joint[joint].parent;
    for (int step = 0; step < source->joint_count; step++) {
        if (above == joint) return true;
        if (above < 0 || above >= source->joint_count) return false;
        above = source->joint[above].parent;
    }
    return false;
}

static snw_status check_parent(const snw_skeleton_def *source, int joint, snw_error *error)
{
    const snw_joint_def *def = &source->joint[joint];
    snw__place place = at_joint(joint, def->name);
    if (joint == 0 && def->parent == -1) return SNW_OK;
    if (def->parent == -1)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "joint %d \"%s\" has no parent, but \"%s\" is the root already: a body "
                            "has one root",
                            joint, def->name, source->joint[0].name);
    if (def->parent < -1 || def->parent >= source->joint_count)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "the parent of joint %d \"%s\" is joint %d, which does not exist: "
                            "there are %d joints",
                            joint, def->name, def->parent, source->joint_count);
    /* Every cycle has a member whose parent does not come before it. */
    if (def->parent >= joint && is_in_cycle(source, joint))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "joint %d \"%s\" is its own ancestor: the parents form a cycle", joint,
                            def->name);
    if (joint == 0)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "joint 0 \"%s\" has a parent (joint %d), but the first joint is the "
                            "root",
                            def->name, def->parent);
    if (def->parent >= joint)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "the parent of joint %d \"%s\" is joint %d, which comes later: put "
                            "parents before their children",
                            joint, def->name, def->parent);
    return SNW_OK;
}

static snw_status check_inertia(const snw_joint_def *def, snw__place place, snw_error *error)
{
    if (!def->has_inertia) return SNW_OK;
    bool is_good = snw_vec3_is_finite(def->mass_center);
    double trace = snw__mat3_trace(def->inertia);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            double own = def->inertia.m[j][k], other = def->inertia.m[k][j];
            is_good &= isfinite(own) && fabs(own - other) <= SNW__SINGLE * trace;
            is_good &= j != k || own >= 0;
        }
    if (is_good) return SNW_OK;
    return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                        "the inertia of joint \"%s\" is not finite, symmetric and positive, or its "
                        "centre of mass is not finite",
                        def->name);
}

static snw_status check_numbers(const snw_skeleton_def *source, int joint, snw_error *error)
{
    const snw_joint_def *def = &source->joint[joint];
    snw__place place = at_joint(joint, def->name);
    if (!snw_vec3_is_finite(def->rest.translation) || !snw_quat_is_finite(def->rest.rotation))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "the rest transform of joint %d \"%s\" is not finite", joint,
                            def->name);
    double length2 = snw_quat_dot(def->rest.rotation, def->rest.rotation);
    /* A rest rotation may be this far from unit length: text with seven digits gives 1e-7. Anything
     * more is a mistake (often the zero quaternion of a struct that was not filled in). */
    if (!(fabs(length2 - 1.0) <= 2.0 * SNW__SINGLE))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "the rest rotation of joint %d \"%s\" is not a unit quaternion: its "
                            "squared length is %g",
                            joint, def->name, length2);
    if (def->has_tip && !snw_vec3_is_finite(def->tip))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "the tip of joint %d \"%s\" is not finite", joint, def->name);
    if (!isfinite(def->mass) || def->mass < 0)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "the mass of joint %d \"%s\" is %g: it must be finite and not negative",
                            joint, def->name, def->mass);
    return check_inertia(def, place, error);
}

/* An axis that is unit to rounding stays as it is: what was written comes back to the bit. */
static snw_vec3 unit_axis(snw_vec3 axis)
{
    return fabs(snw_vec3_length2(axis) - 1) < 1e-15 ? axis : snw_vec3_unit(axis, axis);
}

/* The joint with its axes made unit, where they have a length. */
static snw_joint with_unit_axes(snw_joint joint)
{
    joint.axis = unit_axis(joint.axis);
    joint.axis2 = unit_axis(joint.axis2);
    return joint;
}

static snw_status check_joint(const snw_skeleton_def *source, int joint, snw_error *error)
{
    const snw_joint_def *def = &source->joint[joint];
    snw_joint unit = with_unit_axes(def->joint);
    snw_error why;
    snw_status status = snw_joint_check(&unit, &why);
    if (status == SNW_OK) return SNW_OK;
    return snw__fail_at(error, SNW_INVALID_SKELETON, at_joint(joint, def->name),
                        "joint %d \"%s\": %s", joint, def->name, why.message);
}

static snw_status check_unique_names(const snw_skeleton_def *source, const snw_allocator *allocator,
                                     snw_error *error)
{
    snw__name_set names;
    snw_status status = snw__name_set_create(&names, source->joint_count, allocator, error);
    for (int i = 0; i < source->joint_count && status == SNW_OK; i++) {
        const char *name = source->joint[i].name;
        int earlier = snw__name_set_add(&names, name, strlen(name), i);
        if (earlier >= 0)
            status = snw__fail_at(error, SNW_INVALID_SKELETON, at_joint(i, name),
                                  "joints %d and %d are both named \"%s\"", earlier, i, name);
    }
    snw__name_set_release(&names);
    return status;
}

static snw_status check_pin(const snw_skeleton_def *source, int index, snw_error *error)
{
    const snw_pin *pin = &source->pin[index];
    snw__place place = at_joint(index, NULL);
    if (pin->joint_a < 0 || pin->joint_a >= source->joint_count || pin->joint_b < -1 ||
        pin->joint_b >= source->joint_count)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "pin %d joins joints %d and %d, but there are %d joints", index,
                            pin->joint_a, pin->joint_b, source->joint_count);
    if (pin->joint_a == pin->joint_b)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "pin %d joins joint %d \"%s\" to itself", index, pin->joint_a,
                            source->joint[pin->joint_a].name);
    if (!snw_vec3_is_finite(pin->point_a) || !snw_vec3_is_finite(pin->point_b))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place, "a point of pin %d is not finite",
                            index);
    return SNW_OK;
}

/* The joint at the end of those that `joint` follows, with the factor and offset that lead there;
 * false when they come back to one of them. */
static bool resolve_follow(const snw_skeleton_def *source, int joint, snw_follow *follow)
{
    *follow = source->joint[joint].follow;
    for (int step = 0; follow->is_following && step < source->joint_count; step++) {
        const snw_follow *next = &source->joint[follow->leader].follow;
        if (!next->is_following) return true;
        follow->offset += follow->factor * next->offset;
        follow->factor *= next->factor;
        follow->leader = next->leader;
    }
    return !follow->is_following;
}

static bool is_single(snw_joint_type type)
{
    return snw_joint_type_dof(type) == 1;
}

static snw_status check_follow(const snw_skeleton_def *source, int joint, snw_error *error)
{
    const snw_joint_def *def = &source->joint[joint];
    snw__place place = at_joint(joint, def->name);
    if (!isfinite(def->value_at_rest))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "the value at rest of joint %d \"%s\" is not finite", joint, def->name);
    if (!def->follow.is_following) return SNW_OK;
    int leader = def->follow.leader;
    if (leader < 0 || leader >= source->joint_count)
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "joint %d \"%s\" follows joint %d, which does not exist", joint,
                            def->name, leader);
    if (!is_single(def->joint.type) || !is_single(source->joint[leader].joint.type))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "joint %d \"%s\" follows \"%s\", but only hinges, pivots and slides "
                            "follow each other",
                            joint, def->name, source->joint[leader].name);
    if (!isfinite(def->follow.factor) || !isfinite(def->follow.offset))
        return snw__fail_at(error, SNW_INVALID_SKELETON, place,
                            "joint %d \"%s\" follows another by numbers that are not finite", joint,
                            def->name);
    return SNW_OK;
}

/* Needs every leader to exist. */
static snw_status check_follow_end(const snw_skeleton_def *source, int joint, snw_error *error)
{
    snw_follow follow;
    const char *name = source->joint[joint].name;
    if (!resolve_follow(source, joint, &follow))
        return snw__fail_at(error, SNW_INVALID_SKELETON, at_joint(joint, name),
                            "joint %d \"%s\" follows joints that follow each other", joint, name);
    if (follow.is_following && !(isfinite(follow.factor) && isfinite(follow.offset)))
        return snw__fail_at(error, SNW_INVALID_SKELETON, at_joint(joint, name),
                            "joint %d \"%s\" follows others by numbers that overflow", joint, name);
    return SNW_OK;
}

static snw_status check_counts(const snw_skeleton_def *source, snw_error *error)
{
    if (!source->joint || source->joint_count < 1)
        return snw__fail(error, SNW_INVALID_SKELETON, "a body needs at least one joint");
    if (source->joint_count > SNW_JOINT_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "a body of %d joints is above the limit of %d",
                         source->joint_count, SNW_JOINT_MAX);
    if (source->pin_count < 0 || (source->pin_count > 0 && !source->pin))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d pins were announced but not given",
                         source->pin_count);
    if (source->pin_count > SNW_JOINT_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "a body with %d pins is above the limit of %d",
                         source->pin_count, SNW_JOINT_MAX);
    return SNW_OK;
}

typedef snw_status (*skeleton_check)(const snw_skeleton_def *, int, snw_error *);

static snw_status check_source(const snw_skeleton_def *source, const snw_allocator *allocator,
                               snw_error *error)
{
    /* Names first, over all joints: the later sentences quote them. */
    static const skeleton_check checks[] = {check_name,  check_parent, check_numbers,
                                            check_joint, check_follow, check_follow_end};
    snw_status status = check_counts(source, error);
    for (size_t c = 0; c < sizeof checks / sizeof checks[0] && status == SNW_OK; c++)
        for (int i = 0; i < source->joint_count && status == SNW_OK; i++)
            status = checks[c](source, i, error);
    if (status == SNW_OK) status = check_unique_names(source, allocator, error);
    for (int i = 0; i < source->pin_count && status == SNW_OK; i++)
        status = check_pin(source, i, error);
    return status;
}

/* ---- building ----------------------------------------------------------------------------- */

/* The arrays of a skeleton while they may still be written. */
typedef struct skeleton_arrays {
    const snw_skeleton_def *source; /* what they are made from */
    int *parent;
    int *first_child;
    int *next_sibling;
    int *dof_first;
    snw_joint *joint;
    snw_xform *rest;
    bool *rest_is_unrotated;
    bool *has_tip;
    snw_vec3 *tip;
    double *bone_length;
    double *mass;
    bool *has_inertia;
    snw_vec3 *mass_center;
    snw_mat3 *inertia;
    char **name;
    char **joint_name;
    char *name_text;
    double *value_at_rest;
    snw_pin *pin;
    snw_follow *follow;
    int follower_count;
    int *follower;
} skeleton_arrays;

static void lay_out(void *object, snw__block *block)
{
    skeleton_arrays *out = object;
    size_t n = (size_t)out->source->joint_count;
    snw__block_take(block, 1, sizeof(snw_skeleton));
    out->parent = snw__block_take(block, n, sizeof *out->parent);
    out->first_child = snw__block_take(block, n, sizeof *out->first_child);
    out->next_sibling = snw__block_take(block, n, sizeof *out->next_sibling);
    out->dof_first = snw__block_take(block, n, sizeof *out->dof_first);
    out->joint = snw__block_take(block, n, sizeof *out->joint);
    out->rest = snw__block_take(block, n, sizeof *out->rest);
    out->rest_is_unrotated = snw__block_take(block, n, sizeof *out->rest_is_unrotated);
    out->has_tip = snw__block_take(block, n, sizeof *out->has_tip);
    out->tip = snw__block_take(block, n, sizeof *out->tip);
    out->bone_length = snw__block_take(block, n, sizeof *out->bone_length);
    out->mass = snw__block_take(block, n, sizeof *out->mass);
    out->has_inertia = snw__block_take(block, n, sizeof *out->has_inertia);
    size_t heavy = 0; /* joints that the bodies of most files have none of */
    for (size_t i = 0; i < n; i++)
        heavy += out->source->joint[i].mass > 0 || out->source->joint[i].has_inertia;
    out->mass_center = heavy ? snw__block_take(block, n, sizeof *out->mass_center) : NULL;
    out->inertia = heavy ? snw__block_take(block, n, sizeof *out->inertia) : NULL;
    out->name = snw__block_take(block, n, sizeof *out->name);
    out->joint_name = snw__block_take(block, n, sizeof *out->joint_name);
    size_t bytes = 0;
    for (int i = 0; i < out->source->joint_count; i++) {
        const snw_joint_def *def = &out->source->joint[i];
        bytes += strlen(def->name) + 1 + (def->joint_name ? strlen(def->joint_name) + 1 : 0);
    }
    out->name_text = snw__block_take(block, bytes, 1);
    out->value_at_rest = snw__block_take(block, n, sizeof *out->value_at_rest);
    out->pin = snw__block_take(block, (size_t)out->source->pin_count, sizeof *out->pin);
    out->follow = snw__block_take(block, n, sizeof *out->follow);
    out->follower = snw__block_take(block, n, sizeof *out->follower);
}

static bool is_identity(snw_quat q)
{
    return q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0;
}

/* Longest way along bones from the root to a joint or a tip; `way` (joint_count) is overwritten. */
static double body_size(const skeleton_arrays *arrays, int joint_count, double *way)
{
    double longest = 0;
    for (int i = 0; i < joint_count; i++) {
        double end = arrays->has_tip[i] ? snw_vec3_length(arrays->tip[i]) : 0.0;
        int k = i;
        for (int n = 0; n < SKELETON_WAY_BONES && k > 0; n++, k = arrays->parent[k])
            end += arrays->bone_length[k];
        way[i] = i == 0 ? 0.0 : way[arrays->parent[i]] + arrays->bone_length[i];
        end += way[k];
        if (!(end <= longest)) longest = end;
    }
    return longest;
}

/* What the range of the follower leaves of the leader's; an end that both share stays as it is. */
static bool narrow_leader(snw_joint *leader, const snw_joint *follower, const snw_follow *follow)
{
    if (!follower->limit.has_range[0] || follow->factor == 0) return true;
    const double *own = follower->limit.range[0];
    double low = (own[follow->factor > 0 ? 0 : 1] - follow->offset) / follow->factor;
    double high = (own[follow->factor > 0 ? 1 : 0] - follow->offset) / follow->factor;
    double *range = leader->limit.range[0];
    if (!isfinite(low) || !isfinite(high)) return true;
    range[0] = leader->limit.has_range[0] ? fmax(range[0], low) : low;
    range[1] = leader->limit.has_range[0] ? fmin(range[1], high) : high;
    leader->limit.has_range[0] = true;
    return range[0] <= range[1];
}

static snw_status fill_follow(skeleton_arrays *arrays, const snw_skeleton_def *source,
                              snw_error *error)
{
    for (int i = 0; i < source->joint_count; i++) {
        (void)resolve_follow(source, i, &arrays->follow[i]);
        if (!arrays->follow[i].is_following) continue;
        arrays->follower[arrays->follower_count++] = i;
        if (!narrow_leader(&arrays->joint[arrays->follow[i].leader], &arrays->joint[i],
                           &arrays->follow[i]))
            return snw__fail_at(error, SNW_INVALID_SKELETON, at_joint(i, source->joint[i].name),
                                "joint %d \"%s\" follows \"%s\", but their ranges have nothing in "
                                "common",
                                i, source->joint[i].name,
                                source->joint[arrays->follow[i].leader].name);
    }
    return SNW_OK;
}

/* Copies the text to *place, which moves on behind it. */
static char *put_text(char **place, const char *text)
{
    char *begin = *place;
    size_t length = strlen(text) + 1;
    memcpy(begin, text, length);
    *place += length;
    return begin;
}

static void fill_masses(skeleton_arrays *arrays, const snw_skeleton_def *source)
{
    for (int i = 0; i < source->joint_count; i++) {
        const snw_joint_def *def = &source->joint[i];
        arrays->mass[i] = def->mass;
        arrays->has_inertia[i] = def->has_inertia;
        if (!arrays->mass_center) continue;
        if (def->has_inertia) {
            arrays->mass_center[i] = def->mass_center;
            arrays->inertia[i] = def->inertia;
            continue;
        }
        snw_vec3 sum = snw_vec3_make(0, 0, 0);
        int count = 0;
        for (int c = arrays->first_child[i]; c >= 0; c = arrays->next_sibling[c], count++)
            sum = snw_vec3_add(sum, arrays->rest[c].translation);
        arrays->mass_center[i] = def->has_tip ? snw_vec3_scale(def->tip, 0.5)
                                 : count      ? snw_vec3_scale(sum, 0.5 / count)
                                              : sum;
        memset(&arrays->inertia[i], 0, sizeof arrays->inertia[i]);
    }
}

static void fill(snw_skeleton *skeleton, skeleton_arrays *arrays, const snw_skeleton_def *source)
{
    char *text = arrays->name_text;
    int dof = 0;
    for (int i = 0; i < source->joint_count; i++) {
        const snw_joint_def *def = &source->joint[i];
        arrays->parent[i] = def->parent;
        arrays->joint[i] = with_unit_axes(def->joint);
        snw_quat rotation = snw_quat_normalize(def->rest.rotation);
        if (is_identity(snw_quat_neg(rotation))) rotation = snw_quat_identity();
        arrays->rest[i] = snw_xform_make(rotation, def->rest.translation);
        arrays->rest_is_unrotated[i] = is_identity(rotation);
        arrays->has_tip[i] = def->has_tip;
        arrays->tip[i] = def->has_tip ? def->tip : snw_vec3_make(0, 0, 0);
        arrays->bone_length[i] = i == 0 ? 0.0 : snw_vec3_length(def->rest.translation);
        arrays->dof_first[i] = dof;
        dof += snw_joint_type_dof(def->joint.type);
        arrays->name[i] = put_text(&text, def->name);
        arrays->joint_name[i] =
            def->joint_name ? put_text(&text, def->joint_name) : arrays->name[i];
        arrays->value_at_rest[i] = def->value_at_rest;
    }
    /* From the last joint to the first, so that each list of children comes out in ascending order.
     */
    for (int i = 0; i < source->joint_count; i++)
        arrays->first_child[i] = arrays->next_sibling[i] = -1;
    for (int i = source->joint_count - 1; i > 0; i--) {
        int above = arrays->parent[i];
        arrays->next_sibling[i] = arrays->first_child[above];
        arrays->first_child[above] = i;
    }
    /* The masses' place is free until they are filled in. */
    skeleton->size = body_size(arrays, source->joint_count, arrays->mass);
    fill_masses(arrays, source);
    if (source->pin_count > 0)
        memcpy(arrays->pin, source->pin, (size_t)source->pin_count * sizeof *arrays->pin);
    skeleton->joint_count = source->joint_count;
    skeleton->pin_count = source->pin_count;
    skeleton->dof_count = dof;
}

snw_status snw_skeleton_create_pinned(const snw_skeleton_def *source,
                                      const snw_allocator *allocator, snw_skeleton **out,
                                      snw_error *error)
{
    skeleton_arrays arrays = {.source = source};
    snw__block block;
    snw_allocator memory = snw__allocator_or_default(allocator);
    *out = NULL;
    snw_status status = check_source(source, &memory, error);
    if (status != SNW_OK) return status;
    status = snw__block_create(&block, lay_out, &arrays, &memory, "a skeleton", error);
    if (status != SNW_OK) return status;
    snw_skeleton *skeleton = (void *)block.base;
    skeleton->parent = arrays.parent;
    skeleton->first_child = arrays.first_child;
    skeleton->next_sibling = arrays.next_sibling;
    skeleton->dof_first = arrays.dof_first;
    skeleton->joint = arrays.joint;
    skeleton->rest = arrays.rest;
    skeleton->rest_is_unrotated = arrays.rest_is_unrotated;
    skeleton->has_tip = arrays.has_tip;
    skeleton->tip = arrays.tip;
    skeleton->bone_length = arrays.bone_length;
    skeleton->mass = arrays.mass;
    skeleton->has_inertia = arrays.has_inertia;
    skeleton->mass_center = arrays.mass_center;
    skeleton->inertia = arrays.inertia;
    skeleton->name = (const char *const *)arrays.name;
    skeleton->joint_name = (const char *const *)arrays.joint_name;
    skeleton->value_at_rest = arrays.value_at_rest;
    skeleton->pin = arrays.pin;
    skeleton->follow = arrays.follow;
    skeleton->follower = arrays.follower;
    skeleton->allocator = memory;
    skeleton->block_size = block.size;
    fill(skeleton, &arrays, source);
    status = isfinite(skeleton->size) ? fill_follow(&arrays, source, error)
                                      : snw__fail(error, SNW_INVALID_SKELETON,
                                                  "the body is so large that its size overflows");
    skeleton->follower_count = arrays.follower_count;
    if (status != SNW_OK) {
        snw_skeleton_destroy(skeleton);
        return status;
    }
    *out = skeleton;
    return snw__succeed(error);
}

snw_status snw_skeleton_create(const snw_joint_def *defs, int joint_count,
                               const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    return snw_skeleton_create_pinned(&(snw_skeleton_def){defs, joint_count, NULL, 0}, allocator,
                                      out, error);
}

void snw_skeleton_destroy(snw_skeleton *skeleton)
{
    if (!skeleton) return;
    snw_allocator memory = skeleton->allocator; /* the block holds it */
    snw__release(&memory, skeleton, skeleton->block_size);
}

/* ---- looking up --------------------------------------------------------------------------- */

int snw_skeleton_find_joint(const snw_skeleton *skeleton, const char *name)
{
    if (!name) return -1;
    for (int i = 0; i < skeleton->joint_count; i++)
        if (strcmp(skeleton->name[i], name) == 0) return i;
    for (int i = 0; i < skeleton->joint_count; i++)
        if (strcmp(skeleton->joint_name[i], name) == 0) return i;
    return -1;
}

snw_joint_def snw_skeleton_joint_def(const snw_skeleton *skeleton, int joint)
{
    snw_joint_def def = snw_joint_def_default();
    if (joint < 0 || joint >= skeleton->joint_count) return def;
    def.name = skeleton->name[joint];
    def.parent = skeleton->parent[joint];
    def.joint = skeleton->joint[joint];
    def.rest = skeleton->rest[joint];
    def.has_tip = skeleton->has_tip[joint];
    def.tip = skeleton->tip[joint];
    def.mass = skeleton->mass[joint];
    def.has_inertia = skeleton->has_inertia[joint];
    if (def.has_inertia) {
        def.mass_center = skeleton->mass_center[joint];
        def.inertia = skeleton->inertia[joint];
    }
    if (skeleton->joint_name[joint] != skeleton->name[joint])
        def.joint_name = skeleton->joint_name[joint];
    def.value_at_rest = skeleton->value_at_rest[joint];
    def.follow = skeleton->follow[joint];
    return def;
}
