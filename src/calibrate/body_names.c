/* Names from position in the tree.
 *
 * Of a person (body_plan.c) the chains from pelvis and chest outwards are named
 * in order; bone lengths tell a hip's stub from a thigh and a collar from an
 * upper arm. Left is found from what points forward: feet from the ankle on,
 * and knees from the line between hip and ankle. Anything else is named by
 * branches: Root, A1, A2, B1; a branch of A2 is A2A1. */
#include "calibrate/body_names.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/calibrate_constants.h"
#include "label/label_grammar.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

typedef struct names_chain {
    int count;
    int segment[NAMES_CHAIN]; /* outwards, without the segment at which it begins */
    int main;                 /* which of them is the thigh or the upper arm */
} names_chain;

/* A segment that is named by its branch: the part of its name before the number,
 * and the number. */
typedef struct names_branch {
    int prefix_length; /* 0: not named by a branch */
    int number;
} names_branch;

typedef struct names_job {
    const snw__joint_tree *tree;
    const snw__samples *samples;
    const snw__rigids *rigids;
    snw__label_name *label;
    names_chain leg[2], arm[2];
    names_branch *branch; /* (segment_count) */
    int *size;            /* (segment_count) segments of its subtree */
    int *letter;          /* (segment_count) branches begun so far */
} names_job;

bool snw__segments_are_nameless(const snw_segments *segments)
{
    for (int l = 0; l < segments->segment_count; l++) {
        const char *name = segments->segment[l].name;
        if (strncmp(name, "segment", 7) != 0 || strspn(name + 7, "0123456789") != strlen(name + 7))
            return false;
    }
    return true;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* From `end` up to `from`; empty when that is not above. */
static names_chain chain_to(const snw__joint_tree *tree, int from, int end)
{
    names_chain chain;
    memset(&chain, 0, sizeof chain);
    int count = 0, at = end;
    for (; at >= 0 && at != from; at = tree->parent[at])
        count++;
    if (at < 0 || end < 0) return chain;
    int skip = count - NAMES_CHAIN;
    chain.count = skip > 0 ? NAMES_CHAIN : count;
    for (at = end; at != from; at = tree->parent[at])
        if (--count < NAMES_CHAIN) chain.segment[count] = at;
    return chain;
}

/* From the joint to the parent to the joint of the next segment, metres. */
static double bone_length(const names_job *job, const names_chain *chain, int k)
{
    if (k + 1 >= chain->count) return 0;
    return snw_vec3_distance(job->tree->pair[chain->segment[k]].in_second,
                             job->tree->pair[chain->segment[k + 1]].in_first);
}

static void put_label(names_job *job, int segment, const char *side, const char *name)
{
    if (job->label[segment][0] == 0)
        snw_format(job->label[segment], sizeof job->label[segment], "%s%s", side, name);
}

static void name_trunk(names_job *job, const snw__body_plan *plan)
{
    put_label(job, plan->pelvis, "", "Hips");
    if (plan->chest < 0) return;
    if (plan->chest != plan->pelvis) put_label(job, plan->chest, "", "Chest");
    names_chain spine = chain_to(job->tree, plan->pelvis, plan->chest);
    for (int k = 0; k + 1 < spine.count; k++)
        put_label(job, spine.segment[k], "", "Spine");
    if (plan->head < 0) return;
    put_label(job, plan->head, "", "Head");
    /* The neck begins where a segment without a name does. */
    int first = plan->head;
    for (int at = job->tree->parent[first]; at >= 0 && job->label[at][0] == 0;
         at = job->tree->parent[at])
        first = at;
    names_chain neck = chain_to(job->tree, job->tree->parent[first], plan->head);
    for (int k = 0; k + 1 < neck.count; k++)
        put_label(job, neck.segment[k], "", "Neck");
}

/* ---- left and right -------------------------------------------------------------------------- */

/* The joint at which a segment begins, in the lab. */
static bool joint_place(const names_job *job, int segment, int frame, snw_vec3 *place)
{
    const snw__segment_pose *pose = job->rigids->segment[segment].pose + frame;
    if (pose->seen_count == 0) return false;
    *place = snw_xform_point(pose->world_from_segment, job->tree->pair[segment].in_second);
    return true;
}

/* What points forward on a leg: knee before the line from hip to ankle, toes
 * before the ankle. */
static bool forward_of(const names_job *job, const names_chain *leg, int frame, snw_vec3 *forward)
{
    snw_vec3 hip, knee, ankle, foot;
    int k = leg->main;
    if (leg->count < k + 3 || !joint_place(job, leg->segment[k], frame, &hip) ||
        !joint_place(job, leg->segment[k + 1], frame, &knee) ||
        !joint_place(job, leg->segment[k + 2], frame, &ankle) ||
        !snw__segment_place(job->samples, job->rigids->segment + leg->segment[leg->count - 1],
                            frame, &foot))
        return false;
    snw_vec3 line = snw_vec3_unit(snw_vec3_sub(ankle, hip), snw_vec3_make(0, 0, 0));
    snw_vec3 out = snw_vec3_sub(knee, hip);
    out = snw_vec3_add_scaled(out, -snw_vec3_dot(out, line), line);
    *forward = snw_vec3_add(out, snw_vec3_sub(foot, ankle));
    return true;
}

/* From the second leg to the first, and upwards along the trunk. */
static bool body_axes(const names_job *job, int frame, snw_vec3 *across, snw_vec3 *up)
{
    const snw__body_plan *plan = &job->tree->plan;
    snw_vec3 first, second, low, high;
    if (!joint_place(job, job->leg[0].segment[job->leg[0].main], frame, &first) ||
        !joint_place(job, job->leg[1].segment[job->leg[1].main], frame, &second))
        return false;
    *across = snw_vec3_unit(snw_vec3_sub(first, second), snw_vec3_make(0, 0, 0));
    *up = job->tree->up;
    if (plan->chest < 0 || plan->chest == plan->pelvis) return true;
    if (!snw__segment_place(job->samples, job->rigids->segment + plan->pelvis, frame, &low) ||
        !snw__segment_place(job->samples, job->rigids->segment + plan->chest, frame, &high))
        return false;
    *up = snw_vec3_unit(snw_vec3_sub(high, low), *up);
    return true;
}

/* Above 0: the first leg is the left one. -1..1. */
static double left_leg(const names_job *job)
{
    double sum = 0, all = 1e-9;
    int frames = job->samples->frame_count;
    /* Frames in which sides are looked for. */
    for (int frame = 0; frame < frames; frame += 1 + frames / JUDGED_FRAMES)
        for (int side = 0; side < 2; side++) {
            snw_vec3 across, up, forward;
            if (!body_axes(job, frame, &across, &up) ||
                !forward_of(job, job->leg + side, frame, &forward))
                continue;
            double cue = snw_vec3_dot(across, snw_vec3_cross(up, forward));
            sum += cue;
            all += fabs(cue);
        }
    return sum / all;
}

/* Above 0: the first arm is on the side of the first leg. */
static double same_side(const names_job *job)
{
    double sum = 0, all = 1e-9;
    int frames = job->samples->frame_count;
    for (int frame = 0; frame < frames; frame += 1 + frames / JUDGED_FRAMES) {
        snw_vec3 across, up, first, second;
        if (!body_axes(job, frame, &across, &up) ||
            !joint_place(job, job->arm[0].segment[job->arm[0].main], frame, &first) ||
            !joint_place(job, job->arm[1].segment[job->arm[1].main], frame, &second))
            continue;
        double cue = snw_vec3_dot(across, snw_vec3_sub(first, second));
        sum += cue;
        all += fabs(cue);
    }
    return sum / all;
}

static bool name_person(names_job *job, snw__body_names_kind *kind)
{
    const snw__body_plan *plan = &job->tree->plan;
    static const char *const sides[] = {"Left", "Right"};
    if (!plan->is_person || job->tree->order[0] != plan->pelvis) return false;
    for (int n = 0; n < 2; n++) {
        job->leg[n] = chain_to(job->tree, plan->pelvis, plan->foot[n]);
        /* The thigh is the first segment of a leg, or the second after a hip's stub. */
        names_chain *leg = job->leg + n;
        /* A first segment of a leg that is shorter than this part of the second is no thigh. */
        leg->main =
            leg->count >= 3 && bone_length(job, leg, 0) < NAMES_SHORT * bone_length(job, leg, 1);
        if (plan->chest >= 0) job->arm[n] = chain_to(job->tree, plan->chest, plan->hand[n]);
        /* The upper arm is the longest bone of an arm, which begins with it or after a
         * collar. */
        names_chain *arm = job->arm + n;
        arm->main = 0;
        for (int k = 1; k + 2 < arm->count; k++)
            if (bone_length(job, arm, k) > bone_length(job, arm, arm->main)) arm->main = k;
        if (job->leg[n].count == 0) return false;
    }
    double left = left_leg(job);
    *kind = fabs(left) < NAMES_AGREEMENT ? SNW__NAMES_WITHOUT_SIDES : SNW__NAMES_OF_PERSON;
    bool is_swapped = left < 0;
    for (int n = 0; n < 2; n++) {
        const names_chain *leg = job->leg + n;
        static const char *const names[] = {"HipJoint", "UpLeg", "Leg", "Foot", "ToeBase"};
        for (int k = 0; k < leg->count; k++) {
            int at = k - leg->main + 1;
            put_label(job, leg->segment[k], sides[n ^ is_swapped], names[at < 4 ? at : 4]);
        }
    }
    if (job->arm[0].count && job->arm[1].count) {
        is_swapped ^= same_side(job) < 0;
        for (int n = 0; n < 2; n++) {
            const names_chain *arm = job->arm + n;
            static const char *const plain[] = {"Shoulder", "Arm", "ForeArm", "Hand", "HandEnd"};
            static const char *const divided[] = {"Shoulder", "Arm", "ForeArm", "ForeArmRoll",
                                                  "Hand"};
            int main = arm->main;
            /* A forearm that is shorter than this part of the upper arm is divided, for its twist.
             */
            bool is_divided =
                arm->count - main >= 4 &&
                bone_length(job, arm, main + 1) < NAMES_SHORT * bone_length(job, arm, main) &&
                bone_length(job, arm, main + 2) > 0.2 * bone_length(job, arm, main);
            for (int k = 0; k < arm->count; k++) {
                int at = k < main ? 0 : k - main + 1 < 4 ? k - main + 1 : 4;
                put_label(job, arm->segment[k], sides[n ^ is_swapped],
                          is_divided ? divided[at] : plain[at]);
            }
        }
    }
    name_trunk(job, plan);
    return true;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* The largest branch without a name that hangs from a segment; -1: none. */
static int next_of(const names_job *job, int parent)
{
    int best = -1;
    for (int n = 1; n < job->tree->joined_count; n++) {
        int l = job->tree->order[n];
        if (job->tree->parent[l] == parent && job->label[l][0] == 0 &&
            (best < 0 || job->size[l] > job->size[best]))
            best = l;
    }
    return best;
}

static void name_branches(names_job *job)
{
    const snw__joint_tree *tree = job->tree;
    for (int n = 0; n < tree->joined_count; n++)
        job->size[tree->order[n]] = 1;
    for (int n = tree->joined_count - 1; n > 0; n--)
        job->size[tree->parent[tree->order[n]]] += job->size[tree->order[n]];
    put_label(job, tree->order[0], "", "Root");
    for (int n = 0; n < tree->joined_count; n++) {
        int parent = tree->order[n];
        for (int l = next_of(job, parent); l >= 0; l = next_of(job, parent))
            if (job->branch[parent].prefix_length > 0 && job->letter[parent] == 0) {
                const names_branch *before = job->branch + parent;
                job->branch[l].prefix_length = before->prefix_length;
                job->branch[l].number = before->number + 1;
                snw_format(job->label[l], sizeof job->label[l], "%.*s%d", before->prefix_length,
                           job->label[parent], before->number + 1);
                job->letter[parent] = 1;
            } else {
                int letter = job->letter[parent]++;
                bool is_first = parent == job->tree->order[0] && !job->tree->plan.is_person;
                const char *before = is_first ? "" : job->label[parent];
                job->branch[l].number = 1;
                job->branch[l].prefix_length =
                    snw_format(job->label[l], sizeof job->label[l], "%s%c", before,
                               letter < 26 ? 'A' + letter : 'Z');
                snw_format(job->label[l] + strlen(job->label[l]),
                           sizeof job->label[l] - strlen(job->label[l]), "1");
            }
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    names_job *job = object;
    size_t n = (size_t)job->tree->segment_count;
    job->branch = snw__block_take(block, n, sizeof(names_branch));
    job->size = snw__block_take(block, n, sizeof(int));
    job->letter = snw__block_take(block, n, sizeof(int));
}

snw_status snw__body_names(const snw__joint_tree *tree, const snw__samples *samples,
                           const snw__rigids *rigids, snw__label_name *label,
                           snw__body_names_kind *kind, snw_error *error)
{
    names_job job;
    memset(&job, 0, sizeof job);
    job.tree = tree;
    job.samples = samples;
    job.rigids = rigids;
    job.label = label;
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &job, &tree->allocator, "naming segments", error);
    if (status != SNW_OK) return status;
    for (int l = 0; l < tree->segment_count; l++)
        label[l][0] = 0;
    *kind = SNW__NAMES_BY_PLACE;
    name_person(&job, kind);
    name_branches(&job);
    snw__block_release(&tree->allocator, &block);
    return SNW_OK;
}
