/* Which way is up, where the file does not say it: people carry their heads above their hips and
 * these above their feet for most of a trial, whatever they do in between; and whatever they do,
 * gravity brings the lowest of them back to one floor, while along other axes they travel. Who lies
 * for half a trial and then runs has the head along the axis of the run for most of it. */
#include "base/notes.h"
#include "judge/judging.h"
#include "label/label_grammar.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/movement.h"
#include "solve/solving.h"

enum {
    UPRIGHT_AXES = 7,   /* by snw_up_axis; 0 is none */
    UPRIGHT_FRAMES = 96 /* looked at for the floor, spread over the trial */
};

/* What the bodies of a trial say about up. */
typedef struct upright {
    snw_vec3 upward; /* sum over the frames of the way from the lowest part to the highest */
    double travel[UPRIGHT_AXES]; /* metres, of the lowest joint along an axis */
} upright;

/* The middle of both sides of a part in the world; false: the body has none. */
static bool middle_of(const snw_pose *pose, snw_part part, snw_vec3 *at)
{
    const snw_skeleton *body = pose->skeleton;
    snw_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int j = 0; j < body->joint_count; j++) {
        snw_side side;
        if (snw_part_read(snw__bare_label(body->name[j]), &side) != part) continue;
        sum = snw_vec3_add(sum, pose->world[j].translation);
        count++;
    }
    if (count) *at = snw_vec3_scale(sum, 1.0 / count);
    return count > 0;
}

/* The first of some parts that the body has. */
static bool first_of(const snw_pose *pose, const snw_part *parts, int count, snw_vec3 *at)
{
    for (int n = 0; n < count; n++)
        if (middle_of(pose, parts[n], at)) return true;
    return false;
}

/* The lowest joint along each axis. */
static void find_lowest(const snw_pose *pose, double lowest[UPRIGHT_AXES])
{
    for (int axis = SNW_UP_X; axis < UPRIGHT_AXES; axis++) {
        lowest[axis] = INFINITY;
        for (int j = 0; j < pose->skeleton->joint_count; j++)
            lowest[axis] = fmin(lowest[axis], snw_vec3_dot(snw_up_direction((snw_up_axis)axis),
                                                           pose->world[j].translation));
    }
}

/* Between the lowest and highest twentieth, which frames that went wrong do not reach. */
static double range_of(double *value, int count)
{
    snw__sort_doubles(value, count);
    return count ? value[count - 1 - count / 20] - value[count / 20] : 0;
}

/* Adds what a body says; nothing where it is no person. */
static snw_status ask_body(const snw__solving *s, const snw_solved_body *body, upright *of)
{
    static const snw_part high[] = {SNW_PART_HEAD, SNW_PART_ARM, SNW_PART_CHEST, SNW_PART_UPLEG},
                          low[] = {SNW_PART_FOOT, SNW_PART_LEG, SNW_PART_UPLEG, SNW_PART_HIPS};
    double lowest[UPRIGHT_AXES], level[UPRIGHT_AXES][UPRIGHT_FRAMES];
    int step = body->motion->frame_count / UPRIGHT_FRAMES + 1, count = 0;
    snw_pose *pose = NULL;
    snw_status status = snw_pose_create(body->motion->skeleton, s->memory, &pose, s->error);
    for (int f = 0; status == SNW_OK && f < body->motion->frame_count; f++) {
        snw_vec3 top, bottom;
        snw_motion_get(body->motion, f, pose);
        snw_pose_forward(pose);
        if (!first_of(pose, high, 4, &top) || !first_of(pose, low, 4, &bottom)) break;
        of->upward = snw_vec3_add(of->upward, snw_vec3_sub(top, bottom));
        if (f % step) continue;
        find_lowest(pose, lowest);
        for (int axis = SNW_UP_X; axis < UPRIGHT_AXES; axis++)
            level[axis][count] = lowest[axis];
        count++;
    }
    for (int axis = SNW_UP_X; axis < UPRIGHT_AXES; axis++)
        of->travel[axis] = fmax(of->travel[axis], range_of(level[axis], count));
    snw_pose_destroy(pose);
    return status;
}

/* The axis of those that have a floor along which people stand; an assumed one stays unless another
 * is far more upright. */
static snw_up_axis choose_up(const upright *of, snw_up_axis assumed)
{
    double stand[UPRIGHT_AXES] = {0}, least = INFINITY;
    snw_up_axis best = SNW_UP_UNKNOWN;
    for (int axis = SNW_UP_X; axis < UPRIGHT_AXES; axis++)
        least = fmin(least, of->travel[axis]);
    for (int axis = SNW_UP_X; axis < UPRIGHT_AXES; axis++) {
        if (of->travel[axis] - least > SNW__TRAVEL_MIN) continue;
        stand[axis] = snw_vec3_dot(of->upward, snw_up_direction((snw_up_axis)axis));
        if (stand[axis] > stand[best]) best = (snw_up_axis)axis;
    }
    return stand[assumed] * SNW__RESERVE > stand[best] ? assumed : best;
}

static const char *const upright_names[] = {"", "+x", "+y", "+z", "-x", "-y", "-z"};

snw_status snw__solve_find_up(snw__solving *s)
{
    snw_trial *trial = s->out->trial;
    upright of = {0};
    snw_status status = SNW_OK;
    for (int b = 0; b < s->out->body_count && status == SNW_OK; b++)
        status = ask_body(s, s->out->body + b, &of);
    bool is_told = !trial->is_up_assumed && trial->up != SNW_UP_UNKNOWN;
    snw_up_axis found = is_told ? snw_up_nearest(of.upward) : choose_up(&of, trial->up);
    if (status != SNW_OK || found == SNW_UP_UNKNOWN) return status;
    /* A person whose head is below its feet for most of the trial, as the file has up, or, where it
     * does not say it, along an axis that no laboratory lets point down. */
    snw_judgements *judgements = s->out->body->judgements;
    bool is_down = is_told ? snw_vec3_dot(snw_up_direction(found), snw_up_direction(trial->up)) < 0
                           : found >= SNW_UP_NEGATIVE_X;
    for (int n = 0; judgements && n < judgements->count; n++)
        is_down = is_down && judgements->item[n].code != SNW_JUDGEMENT_UPSIDE_DOWN;
    if (is_down && judgements) {
        snw_judgement item =
            snw__judgement_make(SNW_JUDGEMENT_UPSIDE_DOWN, SNW_VERDICT_AMBER, found);
        snw_format(
            item.sentence, sizeof item.sentence,
            is_told ? "the person's head is along %s of its feet, and %s is up: upside down, or "
                      "say which axis is up (--up)"
                    : "the person's head is along %s of its feet: upside down, or lying, where "
                      "%s is up as in most laboratories; say which axis is up (--up)",
            upright_names[found], upright_names[is_told ? trial->up : (snw_up_axis)(found - 3)]);
        snw_judgements_add(judgements, &item);
        if (s->out->verdict < SNW_VERDICT_AMBER) {
            s->out->verdict = SNW_VERDICT_AMBER;
            s->out->gravest = 0;
        }
    }
    if (is_told) return SNW_OK;
    if (trial->up != SNW_UP_UNKNOWN && trial->up != found)
        snw__note(s->out->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the person stands along %s, not along %s as the extent of the markers made "
                  "believe: that is taken for up",
                  upright_names[found], upright_names[trial->up]);
    trial->up = found;
    trial->is_up_assumed = true;
    return SNW_OK;
}
