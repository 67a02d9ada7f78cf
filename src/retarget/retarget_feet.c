/* Feet that stand, and limbs of two bones that reach. */
#include <math.h>

#include "base/elementary.h"
#include "person/movement.h"
#include "retarget/retarget_body.h"

enum {
    STANCE_SPEED_CM = 20, /* [chosen] cm/s. Ankles of standing feet roll slower, swinging ones are
                             faster by far (body_constants.h has the same in LOCK_SPEED) */
    STANCE_FADE_MS = 150  /* [chosen] ms over which a planted foot comes free */
};

static double speed_at(const snw_vec3 *place, int frame_count, double rate, int frame)
{
    int from = frame > 0 ? frame - 1 : 0, to = frame + 1 < frame_count ? frame + 1 : frame;
    return to > from ? snw_vec3_distance(place[to], place[from]) * rate / (to - from) : 0;
}

int snw__find_stances(const snw_vec3 *place, int frame_count, double rate, int *stance)
{
    int count = 0, least = (int)(SNW__BRIEF * rate) + 1;
    for (int f = 0; f < frame_count; f++)
        stance[f] = 0;
    for (int from = 0, to; from < frame_count; from = to + 1) {
        for (to = from;
             to < frame_count && speed_at(place, frame_count, rate, to) < STANCE_SPEED_CM / 100.0;)
            to++;
        if (to - from < least) continue;
        count++;
        for (int f = from; f < to; f++)
            stance[f] = count;
    }
    return count;
}

/* End of the stance that starts at `from`, and the middle of its places. */
static int stance_end(const int *stance, int frame_count, int from)
{
    int to = from;
    while (to < frame_count && stance[to] == stance[from])
        to++;
    return to;
}

static snw_vec3 middle_of(const snw_vec3 *place, int from, int to)
{
    snw_vec3 middle = {0, 0, 0};
    for (int f = from; f < to; f++)
        middle = snw_vec3_add_scaled(middle, 1.0 / (to - from), place[f]);
    return middle;
}

double snw__slide_of(const snw_vec3 *place, const int *stance, int frame_count)
{
    double slide = 0;
    for (int from = 0, to; from < frame_count; from = to) {
        to = stance_end(stance, frame_count, from);
        snw_vec3 middle = middle_of(place, from, to);
        for (int f = from; f < to && stance[from]; f++)
            slide = fmax(slide, snw_vec3_distance(place[f], middle));
    }
    return slide;
}

double snw__plant(snw_vec3 *place, const int *stance, int frame_count, double rate, snw_vec3 *shift)
{
    double slide = snw__slide_of(place, stance, frame_count);
    int fade = (int)(rate * STANCE_FADE_MS / 1000.0) + 1;
    for (int f = 0; f < frame_count; f++)
        shift[f] = snw_vec3_make(0, 0, 0);
    for (int from = 0, to; from < frame_count; from = to) {
        to = stance_end(stance, frame_count, from);
        if (!stance[from]) continue;
        snw_vec3 middle = middle_of(place, from, to);
        for (int f = from; f < to; f++)
            shift[f] = snw_vec3_sub(middle, place[f]);
        /* Outside, what the nearest end was moved by, falling to nothing. Never into another
         * stance. */
        for (int n = 1; n <= fade; n++) {
            double share = 1 - (double)n / (fade + 1), weight = share * share * (3 - 2 * share);
            if (from - n >= 0 && !stance[from - n])
                shift[from - n] = snw_vec3_add_scaled(shift[from - n], weight, shift[from]);
            if (to - 1 + n < frame_count && !stance[to - 1 + n])
                shift[to - 1 + n] = snw_vec3_add_scaled(shift[to - 1 + n], weight, shift[to - 1]);
        }
    }
    for (int f = 0; f < frame_count; f++)
        place[f] = snw_vec3_add(place[f], shift[f]);
    return slide;
}

/* ---- reaching
 * ------------------------------------------------------------------------------------- */

/* Turns `joint` by a rotation of the world. */
static void turn_joint(snw_pose *pose, int joint, snw_quat turn)
{
    snw_quat world = pose->world[joint].rotation;
    snw_quat local = snw_quat_mul(snw_quat_conjugate(world), snw_quat_mul(turn, world));
    pose->rotation[joint] = snw_quat_normalize(snw_quat_mul(pose->rotation[joint], local));
    snw_pose_forward_from(pose, joint);
}

/* By the law of cosines: the angle at the middle for the target's distance, then the swing. */
double snw__limb_reach(snw_pose *pose, const snw__limb *limb, snw_vec3 target, snw_vec3 axis)
{
    snw_quat end = pose->world[limb->end].rotation;
    snw_vec3 top = pose->world[limb->top].translation;
    snw_vec3 a = snw_vec3_sub(pose->world[limb->middle].translation, top);
    snw_vec3 b =
        snw_vec3_sub(pose->world[limb->end].translation, pose->world[limb->middle].translation);
    double first = snw_vec3_length(a), second = snw_vec3_length(b);
    double far = snw_vec3_distance(target, top);
    if (!(first > 0 && second > 0 && far > 0)) return far;
    far = snw_clamp(far, fabs(first - second) * 1.001, (first + second) * 0.99999);
    snw_vec3 across = snw_vec3_cross(a, b);
    /* Where it is straight, it bends as it usually does. */
    if (snw_vec3_length(across) > 1e-3 * first * second) axis = across;
    double wanted = (first * first + second * second - far * far) / (2 * first * second);
    double now = -snw_vec3_dot(a, b) / (first * second);
    double bend = snw__acos(snw_clamp(now, -1, 1)) - snw__acos(snw_clamp(wanted, -1, 1));
    turn_joint(pose, limb->middle, snw_quat_from_axis_angle(axis, bend));
    turn_joint(pose, limb->top,
               snw_quat_between(snw_vec3_sub(pose->world[limb->end].translation, top),
                                snw_vec3_sub(target, top)));
    turn_joint(pose, limb->end,
               snw_quat_mul(end, snw_quat_conjugate(pose->world[limb->end].rotation)));
    return snw_vec3_distance(pose->world[limb->end].translation, target);
}
