/* Where the joints of a person are, from a skeleton that rests in a T; and to which part a point of
 * the body belongs. */
#include <math.h>
#include <string.h>

#include <sinew/rig.h>

#include "base/fail.h"
#include "person/anthropometry.h"
#include "skin/figure_shape.h"

/* The first joint of a part and side in the order of the tree, or -1. */
static int find_part(const snw_skeleton *skeleton, snw_part part, snw_side side)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_side found;
        if (snw_rig_part_of(skeleton, j, &found) == part &&
            (side == SNW_SIDE_NONE || found == side))
            return j;
    }
    return -1;
}

static snw_xform rest_frame(const snw_skeleton *skeleton, int joint)
{
    snw_xform place = skeleton->rest[joint];
    for (int j = skeleton->parent[joint]; j >= 0; j = skeleton->parent[j])
        place = snw_xform_mul(skeleton->rest[j], place);
    return place;
}

snw_vec3 snw__figure_place(const snw_skeleton *skeleton, int joint)
{
    return rest_frame(skeleton, joint).translation;
}

snw_vec3 snw__figure_tip(const snw_skeleton *skeleton, int joint)
{
    return snw_xform_point(rest_frame(skeleton, joint), skeleton->tip[joint]);
}

/* The joint's place, or `otherwise` where there is no such joint. */
static snw_vec3 place_of(const snw_skeleton *skeleton, snw_part part, snw_side side,
                         snw_vec3 otherwise)
{
    int joint = find_part(skeleton, part, side);
    return joint < 0 ? otherwise : snw__figure_place(skeleton, joint);
}

/* Toes lie before the ankles on the sole, whatever a foot's bone does. */
static void read_feet(const snw_skeleton *skeleton, snw__figure_plan *plan)
{
    double h = plan->stature;
    plan->sole = INFINITY;
    for (int side = 0; side < SNW_SIDES; side++) {
        snw_vec3 ankle = plan->ankle[side];
        double length = 0.75 * SNW__LENGTH_FOOT * h; /* the heel is a quarter of it behind */
        int foot = find_part(skeleton, SNW_PART_FOOT, (snw_side)side);
        int toe = find_part(skeleton, SNW_PART_TOE, (snw_side)side);
        int end = toe >= 0 ? toe : foot;
        if (end >= 0 && skeleton->has_tip[end]) length = snw__figure_tip(skeleton, end).z - ankle.z;
        length = snw_clamp(length, 0.6 * SNW__LENGTH_FOOT * h, SNW__LENGTH_FOOT * h);
        plan->toe[side] = snw_vec3_make(ankle.x, 0, ankle.z + length);
        plan->sole = fmin(plan->sole, ankle.y - SNW__LENGTH_ANKLE * h);
    }
    for (int side = 0; side < SNW_SIDES; side++)
        plan->toe[side].y = plan->sole;
}

/* [chosen] Statures that the neck's base, C7, is above the line of the shoulders at least. Some
 * skeletons' necks begin lower, in the chest. */
static const double neck_rise = 0.025;

static void read_trunk(const snw_skeleton *skeleton, snw__figure_plan *plan)
{
    double h = plan->stature;
    snw_vec3 hips = snw_vec3_lerp(plan->hip[0], plan->hip[1], 0.5);
    plan->hips = hips;
    /* Heights of Drillis & Contini: shoulders 0.818, hips 0.530; C7 a little above the shoulders.
     */
    snw_vec3 high = snw_vec3_add(hips, snw_vec3_make(0, (0.818 - 0.530) * h, 0));
    for (int side = 0; side < SNW_SIDES; side++) {
        double out = side == SNW_SIDE_LEFT ? 1 : -1;
        plan->shoulder[side] =
            place_of(skeleton, SNW_PART_ARM, (snw_side)side,
                     snw_vec3_add(high, snw_vec3_make(out * SNW__LENGTH_SHOULDERS / 2 * h, 0, 0)));
    }
    snw_vec3 between = snw_vec3_lerp(plan->shoulder[0], plan->shoulder[1], 0.5);
    plan->neck = place_of(skeleton, SNW_PART_NECK, SNW_SIDE_NONE,
                          snw_vec3_add(between, snw_vec3_make(0, neck_rise * h, 0)));
    plan->neck.y = fmax(plan->neck.y, between.y + neck_rise * h);
    plan->waist = place_of(skeleton, SNW_PART_CHEST, SNW_SIDE_NONE,
                           snw_vec3_add(hips, snw_vec3_make(0, 0.06 * h, 0)));
    /* Omphalion above the hips of de Leva's men and women, whatever the spine's first joint is. */
    plan->waist.y = snw_clamp(plan->waist.y, hips.y + 0.084 * h, hips.y + 0.105 * h);
    /* The top of the head is where the head's bone ends; without one a stature above the sole. As
     * long as necks and heads are: [measured] 0.15 to 0.16 of stature over the captures' people. */
    int head = find_part(skeleton, SNW_PART_HEAD, SNW_SIDE_NONE);
    double top = plan->sole + h;
    if (head >= 0 && skeleton->has_tip[head]) top = snw__figure_tip(skeleton, head).y;
    plan->crown = snw_vec3_make(
        hips.x, plan->neck.y + snw_clamp(top - plan->neck.y, 0.145 * h, 0.18 * h), plan->neck.z);
    plan->skull = snw_vec3_make(hips.x, plan->crown.y - 0.068 * h, plan->neck.z + 0.012 * h);
}

/* Legs down, arms sideways: what the flesh is made for. */
static bool is_t_pose(const snw__figure_plan *plan)
{
    for (int side = 0; side < SNW_SIDES; side++) {
        snw_vec3 leg = snw_vec3_sub(plan->ankle[side], plan->hip[side]);
        snw_vec3 arm = snw_vec3_sub(plan->wrist[side], plan->shoulder[side]);
        double out = side == SNW_SIDE_LEFT ? 1 : -1;
        /* 20 degrees are what a tilted rest pose may be off. */
        if (-leg.y < 0.94 * snw_vec3_length(leg) || out * arm.x < 0.94 * snw_vec3_length(arm))
            return false;
    }
    return plan->shoulder[0].y > plan->hips.y && plan->hip[0].x > plan->hip[1].x;
}

/* Stature by the legs, and where there is a neck by legs and trunk: [measured] the neck's base is
 * 0.315 of stature above the hips' middle over the captures' people. */
static double find_stature(const snw_skeleton *skeleton, const snw__figure_plan *plan, double leg)
{
    int neck = find_part(skeleton, SNW_PART_NECK, SNW_SIDE_NONE);
    if (neck < 0) return leg / SNW__LENGTH_LEG;
    double top = snw__figure_place(skeleton, neck).y, arms = 0;
    for (int side = 0; side < SNW_SIDES; side++)
        arms += place_of(skeleton, SNW_PART_ARM, (snw_side)side, snw_vec3_make(0, top, 0)).y / 2;
    top = fmax(top, arms + neck_rise * leg / SNW__LENGTH_LEG);
    double trunk = top - (plan->hip[0].y + plan->hip[1].y) / 2;
    return (leg + fmax(trunk, 0)) / (SNW__LENGTH_LEG + 0.315);
}

static int leaf(snw_part part, snw_side side)
{
    return -1 - ((int)part * (SNW_SIDES + 1) + (int)side);
}

/* What is at or beyond `from` in the direction goes to front. */
static snw_mass_cut cut_at(snw_vec3 direction, snw_vec3 from, int front, int back)
{
    snw_vec3 normal = snw_vec3_unit(direction, direction);
    return (snw_mass_cut){normal, snw_vec3_dot(normal, from), front, back};
}

/* The ten planes of one half; `groin`: how much the plane between hips and thigh rises outwards. */
static void cut_half(snw__figure_plan *plan, snw_side s, double groin)
{
    double out = s == SNW_SIDE_LEFT ? 1 : -1, span = SNW__LENGTH_SHOULDERS * plan->stature;
    int first = s == SNW_SIDE_LEFT ? 1 : 11;
    snw_mass_cut *cut = plan->cut + first;
    const snw_vec3 up = {0, 1, 0}, outward = {out, 0, 0};
    /* Arms of a T are no lower than their armpits: flesh beside narrow shoulders is the chest's.
     * Nor do they begin nearer to the middle than those of the table. */
    snw_vec3 armpit = snw_vec3_sub(plan->shoulder[s], snw_vec3_make(0, span / 8, 0));
    double begin = fmax(out * (plan->shoulder[s].x - plan->hips.x), span / 2);
    cut[0] = cut_at(up, armpit, first + 1, first + 4);
    cut[1] = cut_at(outward, snw_vec3_add_scaled(plan->hips, begin, outward), first + 2, first + 4);
    cut[2] = cut_at(outward, plan->wrist[s], leaf(SNW_PART_HAND, s), first + 3);
    cut[3] = cut_at(outward, plan->elbow[s], leaf(SNW_PART_FOREARM, s), leaf(SNW_PART_ARM, s));
    cut[4] = cut_at(snw_vec3_make(-groin * out, 1, 0), plan->hip[s], first + 7, first + 5);
    cut[5] = cut_at(up, plan->ankle[s], first + 6, leaf(SNW_PART_FOOT, s));
    cut[6] = cut_at(up, plan->knee[s], leaf(SNW_PART_UPLEG, s), leaf(SNW_PART_LEG, s));
    cut[7] = cut_at(up, plan->neck, first + 8, first + 9);
    /* A neck that begins low does not make shoulders the head's. */
    cut[8] = cut_at(outward, snw_vec3_add_scaled(plan->hips, span / 4, outward), first + 9,
                    leaf(SNW_PART_HEAD, SNW_SIDE_NONE));
    cut[9] = cut_at(up, plan->waist, leaf(SNW_PART_CHEST, SNW_SIDE_NONE),
                    leaf(SNW_PART_HIPS, SNW_SIDE_NONE));
}

static void cut_plan(snw__figure_plan *plan, double groin)
{
    plan->cut[0] = cut_at(snw_vec3_make(1, 0, 0), plan->hips, 1, 11);
    cut_half(plan, SNW_SIDE_LEFT, groin);
    cut_half(plan, SNW_SIDE_RIGHT, groin);
    plan->cut_count = SNW__FIGURE_CUTS;
}

/* A skeleton of one hand, which is a right one where its names do not tell. All flesh is its. */
static bool read_hand(const snw_skeleton *skeleton, snw__figure_plan *plan)
{
    memset(plan->hand, 0, sizeof plan->hand);
    plan->is_hand = false;
    static const snw_side sides[] = {SNW_SIDE_NONE, SNW_SIDE_RIGHT, SNW_SIDE_LEFT};
    for (int n = 0; n < 3 && !plan->is_hand; n++) {
        plan->side = sides[n] == SNW_SIDE_LEFT ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT;
        plan->is_hand = snw__figure_hand_read(skeleton, sides[n], plan->hand + plan->side);
    }
    const snw__figure_hand *hand = plan->hand + plan->side;
    if (!plan->is_hand) return false;
    snw_vec3 under = snw_vec3_add_scaled(hand->wrist, -10 * hand->length, hand->along);
    int all = leaf(SNW_PART_HAND, plan->side);
    plan->hips = hand->wrist;
    plan->has_fingers = true;
    plan->cut[0] = cut_at(hand->along, under, all, all);
    plan->cut_count = 1;
    return true;
}

static snw_status check_stature(const snw__figure_plan *plan, snw_error *error)
{
    if (plan->stature > 0.2 && plan->stature < 5) return SNW_OK;
    return snw__fail(error, SNW_UNSUPPORTED, "a person of %g m cannot be made", plan->stature);
}

snw_status snw__figure_plan_read(const snw_skeleton *skeleton, const snw_figure_options *how,
                                 snw__figure_plan *plan, snw_error *error)
{
    double stature = how->stature;
    memset(plan, 0, sizeof *plan);
    for (int n = 0; n < SNW_GIRTH_COUNT; n++)
        plan->girth[n] = 1;
    for (int side = 0; side < SNW_SIDES; side++) {
        int hip = find_part(skeleton, SNW_PART_UPLEG, (snw_side)side);
        int knee = find_part(skeleton, SNW_PART_LEG, (snw_side)side);
        if ((hip < 0 || knee < 0) && read_hand(skeleton, plan)) {
            plan->stature =
                stature > 0 ? stature : plan->hand[plan->side].length / SNW__LENGTH_HAND;
            return check_stature(plan, error);
        }
        if (hip < 0 || knee < 0)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "the joints' names do not tell hips, thighs and shanks of both sides");
        plan->hip[side] = snw__figure_place(skeleton, hip);
        plan->knee[side] = snw__figure_place(skeleton, knee);
        snw_vec3 thigh = snw_vec3_sub(plan->knee[side], plan->hip[side]);
        plan->ankle[side] = place_of(
            skeleton, SNW_PART_FOOT, (snw_side)side,
            snw_vec3_add_scaled(plan->knee[side], SNW__LENGTH_SHANK / SNW__LENGTH_THIGH, thigh));
    }
    double leg = 0;
    for (int side = 0; side < SNW_SIDES; side++)
        leg += (snw_vec3_distance(plan->hip[side], plan->knee[side]) +
                snw_vec3_distance(plan->knee[side], plan->ankle[side])) /
               2;
    plan->stature = stature > 0 ? stature : find_stature(skeleton, plan, leg);
    snw_status status = check_stature(plan, error);
    if (status != SNW_OK) return status;
    read_feet(skeleton, plan);
    read_trunk(skeleton, plan);
    double h = plan->stature;
    for (int side = 0; side < SNW_SIDES; side++) {
        double out = side == SNW_SIDE_LEFT ? h : -h;
        plan->elbow[side] = place_of(
            skeleton, SNW_PART_FOREARM, (snw_side)side,
            snw_vec3_add(plan->shoulder[side], snw_vec3_make(out * SNW__LENGTH_UPPER_ARM, 0, 0)));
        plan->wrist[side] = place_of(
            skeleton, SNW_PART_HAND, (snw_side)side,
            snw_vec3_add(plan->elbow[side], snw_vec3_make(out * SNW__LENGTH_FOREARM, 0, 0)));
        plan->fingertip[side] =
            snw_vec3_add(plan->wrist[side], snw_vec3_make(out * SNW__LENGTH_HAND, 0, 0));
        if (!snw__figure_hand_read(skeleton, (snw_side)side, plan->hand + side))
            plan->hand[side].finger_count = 0;
    }
    if (!is_t_pose(plan))
        return snw__fail(error, SNW_UNSUPPORTED,
                         "the skeleton does not rest in a T that faces +Z with +Y up");
    /* tan 37 degrees: how Zatsiorsky & Seluyanov (1983) cut the thigh; Dempster's is cut level. */
    cut_plan(plan, how->people == SNW_PEOPLE_ADULTS ? 0 : 0.7536);
    return SNW_OK;
}

bool snw_figure_is_hand(const snw_skeleton *skeleton)
{
    snw__figure_plan plan;
    return skeleton && find_part(skeleton, SNW_PART_UPLEG, SNW_SIDE_NONE) < 0 &&
           read_hand(skeleton, &plan);
}

snw_part snw__figure_part(const snw__figure_plan *plan, snw_vec3 p, snw_side *side)
{
    int at = 0;
    while (at >= 0)
        at = snw_vec3_dot(plan->cut[at].normal, p) >= plan->cut[at].offset ? plan->cut[at].front
                                                                           : plan->cut[at].back;
    *side = (snw_side)((-1 - at) % (SNW_SIDES + 1));
    return (snw_part)((-1 - at) / (SNW_SIDES + 1));
}
