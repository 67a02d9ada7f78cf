#include "track/style_judge.h"

#include <math.h>
#include <string.h>

#include "person/movement.h"
#include "track/style_segment.h"
#include "track/track_constants.h"

enum {
    JUDGE_BACKS = 4
};
static const int judge_back[JUDGE_BACKS] = {10, 4, 8, 6};

void snw__style_moment_lay_out(const snw__style_body *body, snw__style_moment *moment,
                               snw__block *block)
{
    size_t joints = (size_t)body->skeleton->joint_count;
    moment->features =
        snw__block_take(block, (size_t)body->style->feature_count, sizeof *moment->features);
    moment->rotation = snw__block_take(block, joints, sizeof *moment->rotation);
    moment->is_seen = snw__block_take(block, joints, sizeof *moment->is_seen);
}

void snw__style_moment_copy(const snw__style_body *body, snw__style_moment *to,
                            const snw__style_moment *from)
{
    size_t joints = (size_t)body->skeleton->joint_count;
    memcpy(to->features, from->features, (size_t)body->style->feature_count * sizeof *to->features);
    memcpy(to->rotation, from->rotation, joints * sizeof *to->rotation);
    memcpy(to->is_seen, from->is_seen, joints * sizeof *to->is_seen);
    to->frame = from->frame;
}

void snw__style_judge_lay_out(snw__style_judge *judge, snw__block *block)
{
    const snw__style_body *body = judge->body;
    size_t joints = (size_t)body->skeleton->joint_count;
    size_t features = (size_t)body->style->feature_count;
    judge->condition.style = body->style;
    snw__style_condition_lay_out(&judge->condition, block);
    for (int k = 0; k < SNW__STYLE_PAST; k++)
        snw__style_moment_lay_out(body, &judge->past[k], block);
    judge->segment_of = snw__block_take(block, joints, sizeof *judge->segment_of);
    judge->is_seen = snw__block_take(block, joints, sizeof *judge->is_seen);
    judge->is_known = snw__block_take(block, features, sizeof *judge->is_known);
    judge->now = snw__block_take(block, features, sizeof *judge->now);
    judge->then = snw__block_take(block, features, sizeof *judge->then);
    judge->trust = snw__block_take(block, joints, sizeof *judge->trust);
}

/* Is `joint` at or below `top`? */
static bool is_below(const snw_skeleton *skeleton, int joint, int top)
{
    while (joint > top)
        joint = skeleton->parent[joint];
    return joint == top;
}

/* A segment is the largest subtree with few enough joints that the rest of the body tells of them.
 */
void snw__style_judge_plan(snw__style_judge *judge)
{
    const snw__style_body *body = judge->body;
    int joints = body->skeleton->joint_count;
    judge->segment_of[0] = -1;
    for (int top = 1; top < joints; top++) {
        int count = 0, parent = body->skeleton->parent[top];
        for (int j = top; j < joints; j++)
            count += body->style_of[j] >= 0 && is_below(body->skeleton, j, top);
        judge->segment_of[top] = judge->segment_of[parent];
        if (judge->segment_of[top] < 0 && count <= STYLE_JUDGE_SEGMENT * body->match_count)
            judge->segment_of[top] = top;
    }
}

void snw__style_judge_forget(snw__style_judge *judge)
{
    judge->next = judge->segment = judge->turn = 0;
    for (int k = 0; k < SNW__STYLE_PAST; k++)
        judge->past[k].frame = -1;
    memset(judge->trust, 0, (size_t)judge->body->skeleton->joint_count * sizeof *judge->trust);
}

/* ---- a comparison ---------------------------------------------------------------------------- */

/* After a time: how much of a departure is left, and how a square compares with one after a second.
 */
typedef struct judge_scale {
    double keeps, counts;
} judge_scale;

static void compare_joint(snw__style_judge *judge, int joint, const snw__style_moment *then,
                          const snw__style_moment *now, const judge_scale *scale)
{
    const snw__style_body *body = judge->body;
    snw__style_trust *trust = judge->trust + joint;
    snw_quat was = snw__style_body_turn(body, joint, then->rotation[joint]);
    snw_quat is = snw__style_body_turn(body, joint, now->rotation[joint]);
    snw_quat expected = snw__style_body_expect(body, joint, judge->now, NULL).turn;
    snw_vec3 departure =
        snw__turn_between(snw__style_body_expect(body, joint, judge->then, NULL).turn, was);
    snw_quat styled = snw_quat_mul(expected, snw_quat_exp(snw_vec3_scale(departure, scale->keeps)));
    snw_vec3 x = snw__turn_between(was, styled), y = snw__turn_between(was, is);
    trust->xx = STYLE_JUDGE_KEEPS * trust->xx + scale->counts * snw_vec3_dot(x, x);
    trust->xy = STYLE_JUDGE_KEEPS * trust->xy + scale->counts * snw_vec3_dot(x, y);
    trust->yy = STYLE_JUDGE_KEEPS * trust->yy + scale->counts * snw_vec3_dot(y, y);
    trust->count = STYLE_JUDGE_KEEPS * trust->count + 1;
}

/* The next segment, as if it had vanished at `then`. */
static void compare_segment(snw__style_judge *judge, const snw__style_moment *then,
                            const snw__style_moment *now, double seconds)
{
    const snw__style_body *body = judge->body;
    int joints = body->skeleton->joint_count, top = -1;
    for (int k = 1; k <= joints && top < 0; k++) {
        int j = (judge->segment + k) % joints;
        if (j > 0 && judge->segment_of[j] == j) top = j;
    }
    if (top < 0) return;
    judge->segment = top;
    for (int j = 0; j < joints; j++)
        judge->is_seen[j] = now->is_seen[j] && then->is_seen[j] && judge->segment_of[j] != top;
    int known = snw__style_body_known(body, judge->is_seen, judge->is_known);
    if (!snw__style_body_is_told(body, known)) return;
    double k[3];
    snw__departure_correlation(seconds, k);
    judge_scale scale = {k[0], snw__departure_open(1) / snw__departure_open(seconds)};
    (void)snw__style_condition_know(&judge->condition, judge->is_known);
    snw__style_condition_mean(&judge->condition, now->features, judge->now, NULL);
    snw__style_condition_mean(&judge->condition, then->features, judge->then, NULL);
    for (int j = top; j < joints; j++)
        if (judge->segment_of[j] == top && body->style_of[j] >= 0 && now->is_seen[j] &&
            then->is_seen[j])
            compare_joint(judge, j, then, now, &scale);
}

void snw__style_judge_look(snw__style_judge *judge, const snw__style_moment *now, double rate)
{
    int last = (judge->next + SNW__STYLE_PAST - 1) % SNW__STYLE_PAST;
    double apart = (double)(now->frame - judge->past[last].frame);
    if (judge->past[last].frame >= 0 && apart < SNW__BRIEF * rate) return;
    int back = judge_back[judge->turn];
    const snw__style_moment *then =
        judge->past + (judge->next + SNW__STYLE_PAST - back) % SNW__STYLE_PAST;
    double seconds = (double)(now->frame - then->frame) / rate;
    if (then->frame >= 0 && seconds < 2 * SNW__BRIEF * SNW__STYLE_PAST)
        compare_segment(judge, then, now, seconds);
    judge->turn = (judge->turn + 1) % JUDGE_BACKS;
    snw__style_moment_copy(judge->body, judge->past + judge->next, now);
    judge->next = (judge->next + 1) % SNW__STYLE_PAST;
}

/* ---- what it comes to ------------------------------------------------------------------------ */

double snw__style_judge_share(const snw__style_judge *judge, int joint)
{
    const snw__style_trust *trust = judge->trust + joint;
    double usual = STYLE_JUDGE_COUNTS * STYLE_JUDGE_USUAL * STYLE_JUDGE_USUAL;
    double share = (trust->xy + STYLE_JUDGE_BEFORE * usual) / (trust->xx + usual);
    return share > 0 ? fmin(share, 1) : 0;
}

double snw__style_judge_left(const snw__style_judge *judge, int joint, double stated)
{
    const snw__style_trust *trust = judge->trust + joint;
    double w = snw__style_judge_share(judge, joint);
    double left = trust->yy - 2 * w * trust->xy + w * w * trust->xx;
    return (fmax(left, 0) + STYLE_JUDGE_COUNTS * stated) / (trust->count + STYLE_JUDGE_COUNTS);
}
