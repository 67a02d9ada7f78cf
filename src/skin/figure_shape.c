/* The flesh of a person: stretches of elliptic cross sections round the lines between joints, which
 * flow into each other (the polynomial smooth minimum of distances). Half axes are those of a man
 * of 1.75 m, [chosen] after the girths of ANSUR (Gordon et al. 1989) and by eye; the table of
 * masses then makes each part thicker or thinner. */
#include "skin/figure_shape.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

#include "person/anthropometry.h"

/* Half axes in metres of the man of this stature. */
const double snw__figure_stature = 1.75;

typedef snw__figure_profile figure_profile;

/* at, half axes u and v, shifts along them. Legs: u outwards, v forwards. Arms: u up, v forwards.
 * Trunk and head: u left, v forwards. Feet: along +Z, u outwards, v up. */
static const figure_profile figure_trunk = {8,
                                            {{-0.14, 0.050, 0.060, 0, -0.005},
                                             {0.00, 0.155, 0.105, 0, -0.012},
                                             {0.18, 0.157, 0.106, 0, -0.006},
                                             {0.42, 0.132, 0.092, 0, 0.006},
                                             {0.62, 0.145, 0.103, 0, 0.006},
                                             {0.80, 0.153, 0.106, 0, 0.002},
                                             {0.93, 0.138, 0.088, 0, -0.006},
                                             {1.00, 0.082, 0.066, 0, -0.006}}};
static const figure_profile figure_neck = {2,
                                           {{0, 0.053, 0.056, 0, 0}, {1, 0.049, 0.054, 0, 0.010}}};
static const figure_profile figure_skull = {
    3, {{0.30, 0.062, 0.082, 0, 0.010}, {0.62, 0.076, 0.096, 0, 0}, {0.66, 0.076, 0.096, 0, 0}}};
static const figure_profile figure_jaw = {
    2, {{0.02, 0.036, 0.036, 0, 0.048}, {0.30, 0.052, 0.052, 0, 0.040}}};
static const figure_profile figure_nose = {
    2, {{0.30, 0.013, 0.020, 0, 0.098}, {0.46, 0.009, 0.012, 0, 0.092}}};
static const figure_profile figure_collar = {
    2, {{0, 0.050, 0.052, 0, -0.008}, {1, 0.052, 0.056, 0, -0.002}}};
static const figure_profile figure_arm = {4,
                                          {{0, 0.053, 0.056, -0.004, 0},
                                           {0.25, 0.050, 0.054, -0.004, 0},
                                           {0.60, 0.042, 0.045, 0, 0},
                                           {1, 0.037, 0.041, 0, 0}}};
static const figure_profile figure_forearm = {4,
                                              {{0, 0.038, 0.042, 0, 0},
                                               {0.25, 0.040, 0.044, 0, 0},
                                               {0.70, 0.028, 0.034, 0, 0},
                                               {1, 0.020, 0.028, 0, 0}}};
static const figure_profile figure_palm = {
    3, {{0, 0.018, 0.027, 0, 0}, {0.22, 0.017, 0.038, 0, 0}, {0.46, 0.013, 0.040, 0, 0}}};
/* Palm and fingers in one, for grids that would not see fingers. */
static const figure_profile figure_mitten = {5,
                                             {{0, 0.018, 0.027, 0, 0},
                                              {0.22, 0.017, 0.038, 0, 0},
                                              {0.46, 0.013, 0.042, 0, 0},
                                              {0.75, 0.010, 0.040, 0, 0},
                                              {0.95, 0.009, 0.030, 0, 0}}};
static const figure_profile figure_finger = {
    2, {{0, 0.0092, 0.0092, 0, 0}, {1, 0.0075, 0.0078, 0, 0}}};
static const figure_profile figure_thumb = {2,
                                            {{0, 0.013, 0.013, 0, 0}, {1, 0.0095, 0.0095, 0, 0}}};
static const figure_profile figure_thigh = {5,
                                            {{0, 0.082, 0.092, 0, -0.006},
                                             {0.25, 0.080, 0.090, 0, 0.002},
                                             {0.60, 0.066, 0.074, 0, 0.004},
                                             {0.88, 0.053, 0.058, 0, 0.002},
                                             {1, 0.051, 0.056, 0, 0.002}}};
static const figure_profile figure_shank = {6,
                                            {{0, 0.050, 0.055, 0, 0.002},
                                             {0.12, 0.050, 0.055, 0, -0.004},
                                             {0.30, 0.054, 0.058, 0, -0.014},
                                             {0.60, 0.041, 0.044, 0, -0.010},
                                             {0.85, 0.031, 0.035, 0, -0.006},
                                             {1, 0.033, 0.038, 0, -0.004}}};
static const figure_profile figure_foot = {5,
                                           {{0.03, 0.028, 0.032, 0, 0},
                                            {0.22, 0.034, 0.046, 0, 0},
                                            {0.45, 0.037, 0.036, 0, 0},
                                            {0.72, 0.046, 0.024, 0, 0},
                                            {0.93, 0.036, 0.015, 0, 0}}};

/* ---- building
 * ------------------------------------------------------------------------------------- */

/* Where girths are measured and given: where none is, flesh is as its mass has it. */
typedef struct figure_site {
    snw_girth girth;
    const figure_profile *profile;
    double at;
    snw_part part; /* that the girth decides the thickness of */
} figure_site;

/* By profile and place along it; the first row of a girth is where it is measured. */
static const figure_site figure_sites[] = {
    {SNW_GIRTH_HIPS, &figure_trunk, 0, SNW_PART_HIPS},
    {SNW_GIRTH_WAIST, &figure_trunk, 0.42, SNW_PART_CHEST},
    {SNW_GIRTH_CHEST, &figure_trunk, 0.75, SNW_PART_CHEST},
    {SNW_GIRTH_NECK, &figure_neck, 0.5, SNW_PART_HEAD},
    {SNW_GIRTH_HEAD, &figure_skull, 0.62, SNW_PART_HEAD},
    {SNW_GIRTH_UPPER_ARM, &figure_arm, 0.5, SNW_PART_ARM},
    {SNW_GIRTH_FOREARM, &figure_forearm, 0.25, SNW_PART_FOREARM},
    {SNW_GIRTH_WRIST, &figure_forearm, 1, SNW_PART_FOREARM},
    {SNW_GIRTH_HIPS, &figure_thigh, 0, SNW_PART_UPLEG},
    {SNW_GIRTH_THIGH, &figure_thigh, 0.4, SNW_PART_UPLEG},
    {SNW_GIRTH_KNEE, &figure_thigh, 1, SNW_PART_UPLEG},
    {SNW_GIRTH_KNEE, &figure_shank, 0, SNW_PART_LEG},
    {SNW_GIRTH_CALF, &figure_shank, 0.3, SNW_PART_LEG},
    {SNW_GIRTH_ANKLE, &figure_shank, 0.85, SNW_PART_LEG},
};
enum {
    FIGURE_SITES = sizeof figure_sites / sizeof *figure_sites,
    GIRTH_RAYS = 72 /* a circle through them is a thousandth too short */
};

/* Between the sites of a limb, in a line; beyond them as at the last one. */
static double girth_factor(const snw__figure_plan *plan, const figure_profile *profile, double at)
{
    const figure_site *before = NULL, *behind = NULL;
    for (int n = 0; n < FIGURE_SITES; n++) {
        const figure_site *site = figure_sites + n;
        if (site->profile != profile) continue;
        if (site->at <= at) before = site;
        if (site->at > at && !behind) behind = site;
    }
    if (!before && !behind) return 1;
    if (!before) return plan->girth[behind->girth];
    if (!behind) return plan->girth[before->girth];
    double share = (at - before->at) / (behind->at - before->at);
    return plan->girth[before->girth] +
           share * (plan->girth[behind->girth] - plan->girth[before->girth]);
}

typedef snw__figure_maker figure_maker;

static snw__figure_limb *add_limb(figure_maker *maker, const figure_profile *profile, snw_vec3 from,
                                  snw_vec3 to, snw_vec3 u)
{
    snw__figure_limb *limb = maker->shape->limb + maker->shape->limb_count++;
    memset(limb, 0, sizeof *limb);
    limb->from = from;
    limb->length = snw_vec3_distance(from, to);
    limb->axis = snw_vec3_unit(snw_vec3_sub(to, from), snw_vec3_make(0, 1, 0));
    u = snw_vec3_add_scaled(u, -snw_vec3_dot(u, limb->axis), limb->axis);
    limb->u = snw_vec3_unit(u, snw_vec3_perpendicular(limb->axis));
    limb->v = snw_vec3_cross(limb->axis, limb->u);
    limb->profile = profile;
    limb->station_count = profile->count;
    limb->floor = -INFINITY;
    return limb;
}

/* Parts before and behind a limb, whose thickness it takes half of where it meets them: flesh does
 * not step at a joint. */
typedef struct figure_between {
    snw_part before, part, behind;
} figure_between;

static double thick_at(const figure_maker *maker, const figure_between *between, double at)
{
    double own = maker->thick[between->part];
    snw_part next = at < 0.5 ? between->before : between->behind;
    double share = fmax(fabs(snw_clamp(at, 0, 1) - 0.5) - 0.1, 0) / 0.4; /* the middle is its own */
    return own + 0.5 * share * (maker->thick[next] - own);
}

/* Half axes and shifts in metres. The second direction of a limb is forwards or up, so its sign may
 * be turned. */
static void shape_limb(figure_maker *maker, snw__figure_limb *limb, const figure_profile *profile,
                       figure_between between, snw_vec3 forward)
{
    if (snw_vec3_dot(limb->v, forward) < 0) limb->v = snw_vec3_neg(limb->v);
    limb->part = between.part;
    for (int n = 0; n < profile->count; n++) {
        snw__figure_station s = profile->station[n];
        double thick =
            thick_at(maker, &between, s.at) * girth_factor(&maker->shape->plan, profile, s.at);
        s.u *= maker->scale * thick;
        s.v *= maker->scale * thick;
        s.shift_u *= maker->scale;
        s.shift_v *= maker->scale;
        limb->station[n] = s;
    }
}

static const snw_vec3 figure_left = {1, 0, 0}, figure_up = {0, 1, 0}, figure_front = {0, 0, 1};

static snw__figure_limb *add_shaped(figure_maker *maker, const figure_profile *profile,
                                    figure_between between, snw_vec3 from, snw_vec3 to)
{
    snw__figure_limb *limb = add_limb(maker, profile, from, to, figure_left);
    shape_limb(maker, limb, profile, between, figure_front);
    limb->blend = 0.03 * maker->scale;
    return limb;
}

snw__figure_limb *snw__figure_add_flesh(figure_maker *maker, const figure_profile *profile,
                                        snw_part part, snw_vec3 from, snw_vec3 to, snw_vec3 u,
                                        snw_vec3 v)
{
    snw__figure_limb *limb = add_limb(maker, profile, from, to, u);
    shape_limb(maker, limb, profile, (figure_between){part, part, part}, v);
    return limb;
}

static const figure_between figure_all_head = {SNW_PART_HEAD, SNW_PART_HEAD, SNW_PART_HEAD};

/* As wide as the shoulders are, pelvis below the waist, and there as thick as the thighs. */
static void shape_trunk(const figure_maker *maker, const snw__figure_plan *plan,
                        snw__figure_limb *trunk)
{
    double waist = (plan->waist.y - plan->hips.y) / fmax(trunk->length, 1e-6);
    double wide = snw_clamp((plan->shoulder[0].x - plan->shoulder[1].x) /
                                (SNW__LENGTH_SHOULDERS * plan->stature),
                            0.85, 1.15);
    double most = 0.45 * (plan->shoulder[0].x - plan->shoulder[1].x);
    for (int n = 0; n < trunk->station_count; n++) {
        snw__figure_station *s = trunk->station + n;
        double share = snw_clamp((s->at - waist) / 0.5 + 0.5, 0, 1);
        double low = thick_at(
            maker, &(figure_between){SNW_PART_UPLEG, SNW_PART_HIPS, SNW_PART_HIPS}, s->at + 0.1);
        double high = thick_at(
            maker, &(figure_between){SNW_PART_CHEST, SNW_PART_CHEST, SNW_PART_HEAD}, s->at);
        double thick = low + share * (high - low);
        s->u *= thick * (1 + share * (wide - 1));
        s->v *= thick;
        /* Flesh that would stand out beyond the shoulders lies as much before and behind. */
        double out = share > 0.5 ? sqrt(fmax(s->u / most, 1)) : 1;
        s->u /= out;
        s->v *= out;
    }
}

static void add_core(figure_maker *maker, const snw__figure_plan *plan)
{
    double h = plan->stature;
    snw__figure_limb *trunk = add_limb(maker, &figure_trunk, plan->hips, plan->neck, figure_left);
    figure_maker plain = *maker;
    static const double one[SNW_PART_COUNT] = {[SNW_PART_CHEST] = 1};
    plain.thick = one;
    shape_limb(&plain, trunk, &figure_trunk,
               (figure_between){SNW_PART_CHEST, SNW_PART_CHEST, SNW_PART_CHEST}, figure_front);
    shape_trunk(maker, plan, trunk);
    trunk->blend = 0.03 * maker->scale;
    snw_vec3 chin = snw_vec3_sub(plan->crown, snw_vec3_make(0, 0.13 * h, 0));
    (void)add_shaped(maker, &figure_neck,
                     (figure_between){SNW_PART_CHEST, SNW_PART_HEAD, SNW_PART_HEAD},
                     snw_vec3_sub(plan->neck, snw_vec3_make(0, 0.02 * h, 0)), plan->skull);
    (void)add_shaped(maker, &figure_skull, figure_all_head, chin, plan->crown);
    add_shaped(maker, &figure_jaw, figure_all_head, chin, plan->crown)->blend = 0.02 * maker->scale;
    add_shaped(maker, &figure_nose, figure_all_head, chin, plan->crown)->blend =
        0.008 * maker->scale;
    for (int side = 0; side < SNW_SIDES; side++) {
        snw_vec3 middle =
            snw_vec3_make(plan->hips.x, plan->shoulder[side].y, plan->shoulder[side].z);
        snw_vec3 from = snw_vec3_lerp(middle, plan->shoulder[side], 0.45);
        snw__figure_limb *collar =
            add_limb(maker, &figure_collar, from, plan->shoulder[side], figure_up);
        shape_limb(maker, collar, &figure_collar,
                   (figure_between){SNW_PART_CHEST, SNW_PART_CHEST, SNW_PART_ARM}, figure_front);
        collar->blend = 0.04 * maker->scale;
    }
}

static void add_arm(figure_maker *maker, const snw__figure_plan *plan, int side)
{
    struct {
        const figure_profile *profile;
        figure_between between;
        snw_vec3 from, to;
    } piece[3] = {
        {&figure_arm,
         {SNW_PART_CHEST, SNW_PART_ARM, SNW_PART_FOREARM},
         plan->shoulder[side],
         plan->elbow[side]},
        {&figure_forearm,
         {SNW_PART_ARM, SNW_PART_FOREARM, SNW_PART_HAND},
         plan->elbow[side],
         plan->wrist[side]},
        {plan->has_fingers ? &figure_palm : &figure_mitten,
         {SNW_PART_FOREARM, SNW_PART_HAND, SNW_PART_HAND},
         plan->wrist[side],
         plan->fingertip[side]},
    };
    bool has_joints = plan->has_fingers && plan->hand[side].finger_count > 0;
    for (int n = 0; n < (has_joints ? 2 : 3); n++) {
        snw__figure_limb *limb =
            add_limb(maker, piece[n].profile, piece[n].from, piece[n].to, figure_up);
        shape_limb(maker, limb, piece[n].profile, piece[n].between, figure_front);
        limb->blend = (n == 2 ? 0.012 : 0.02) * maker->scale;
    }
    if (has_joints) {
        snw__figure_hand_make(maker, plan->hand + side);
    } else if (plan->has_fingers) {
        /* Four fingers side by side and a thumb in front; palms down. */
        snw_vec3 wrist = plan->wrist[side];
        static const double start[4] = {0.034, 0.012, -0.011, -0.032};
        static const double end[4] = {0.052, 0.018, -0.018, -0.052};
        static const double length[4] = {0.95, 1, 0.95, 0.80};
        snw_vec3 along = snw_vec3_sub(plan->fingertip[side], wrist);
        double s = maker->scale;
        for (int n = 0; n < 4; n++) {
            snw_vec3 from = snw_vec3_add(snw_vec3_add_scaled(wrist, 0.46, along),
                                         snw_vec3_make(0, 0, start[n] * s));
            snw_vec3 to = snw_vec3_add(snw_vec3_add_scaled(wrist, length[n] - 0.04, along),
                                       snw_vec3_make(0, 0, end[n] * s));
            snw__figure_limb *finger = snw__figure_add_flesh(maker, &figure_finger, SNW_PART_HAND,
                                                             from, to, figure_up, figure_front);
            finger->finger = 1 + n;
            finger->blend = 0.006 * s;
        }
        snw_vec3 from = snw_vec3_add(snw_vec3_add_scaled(wrist, 0.16, along),
                                     snw_vec3_make(0, -0.004 * s, 0.024 * s));
        snw_vec3 to = snw_vec3_add(snw_vec3_add_scaled(wrist, 0.50, along),
                                   snw_vec3_make(0, -0.008 * s, 0.078 * s));
        snw__figure_limb *thumb = snw__figure_add_flesh(maker, &figure_thumb, SNW_PART_HAND, from,
                                                        to, figure_up, figure_front);
        thumb->finger = 5;
        thumb->blend = 0.008 * s;
    }
}

/* Inner sides of the legs keep so far from the middle plane that a grid sees the gap. */
static void keep_apart(snw__figure_limb *limb, const snw__figure_plan *plan, double gap)
{
    for (int n = 0; n < limb->station_count; n++) {
        snw__figure_station *s = limb->station + n;
        snw_vec3 place = snw_vec3_add_scaled(limb->from, s->at * limb->length, limb->axis);
        double inside = fabs(place.x - plan->hips.x) - s->u;
        if (inside < gap) s->shift_u += gap - inside;
    }
}

/* The slope between two stretches that Fritsch & Butland (1984) take, so that nothing overshoots.
 */
static double slope_between(double before, double behind)
{
    return before * behind > 0 ? 2 * before * behind / (before + behind) : 0;
}

static void find_slopes(snw__figure_limb *limb)
{
    for (int n = 1; n + 1 < limb->station_count; n++) {
        const snw__figure_station *s = limb->station + n;
        double low = s[0].at - s[-1].at, high = s[1].at - s[0].at;
        limb->slope[n][0] = slope_between((s[0].u - s[-1].u) / low, (s[1].u - s[0].u) / high);
        limb->slope[n][1] = slope_between((s[0].v - s[-1].v) / low, (s[1].v - s[0].v) / high);
    }
}

static void add_leg(figure_maker *maker, const snw__figure_plan *plan, int side)
{
    snw_vec3 outward = snw_vec3_make(side == SNW_SIDE_LEFT ? 1 : -1, 0, 0);
    snw__figure_limb *thigh =
        add_limb(maker, &figure_thigh, plan->hip[side], plan->knee[side], outward);
    shape_limb(maker, thigh, &figure_thigh,
               (figure_between){SNW_PART_HIPS, SNW_PART_UPLEG, SNW_PART_LEG}, figure_front);
    snw__figure_limb *shank =
        add_limb(maker, &figure_shank, plan->knee[side], plan->ankle[side], outward);
    shape_limb(maker, shank, &figure_shank,
               (figure_between){SNW_PART_UPLEG, SNW_PART_LEG, SNW_PART_FOOT}, figure_front);
    thigh->blend = shank->blend = 0.025 * maker->scale;
    /* The heel lies behind the ankle by a third of the way to the toes. */
    snw_vec3 toe = plan->toe[side], heel = plan->ankle[side];
    heel.y = plan->sole;
    heel.z -= (toe.z - heel.z) / 3;
    snw__figure_limb *foot = add_limb(maker, &figure_foot, heel, toe, outward);
    shape_limb(maker, foot, &figure_foot,
               (figure_between){SNW_PART_FOOT, SNW_PART_FOOT, SNW_PART_FOOT}, figure_up);
    for (int n = 0; n < foot->station_count; n++)
        foot->station[n].shift_v = 0.8 * foot->station[n].v;
    foot->floor = plan->sole;
    foot->blend = 0.03 * maker->scale;
    keep_apart(thigh, plan, 0.010 * maker->scale);
    keep_apart(shank, plan, 0.012 * maker->scale);
    keep_apart(foot, plan, 0.012 * maker->scale);
}

static void find_boxes(snw__figure_shape *shape)
{
    for (int g = 0; g < SNW__FIGURE_GROUPS - 1; g++) {
        snw_vec3 low = {INFINITY, INFINITY, INFINITY}, high = snw_vec3_neg(low);
        for (int n = shape->group_first[g]; n < shape->group_first[g + 1]; n++) {
            const snw__figure_limb *limb = shape->limb + n;
            for (int k = 0; k < limb->station_count; k++) {
                const snw__figure_station *s = limb->station + k;
                double reach = fmax(s->u, s->v) + fabs(s->shift_u) + fabs(s->shift_v);
                snw_vec3 p = snw_vec3_add_scaled(limb->from, s->at * limb->length, limb->axis);
                low = snw_vec3_make(fmin(low.x, p.x - reach), fmin(low.y, p.y - reach),
                                    fmin(low.z, p.z - reach));
                high = snw_vec3_make(fmax(high.x, p.x + reach), fmax(high.y, p.y + reach),
                                     fmax(high.z, p.z + reach));
            }
        }
        shape->low[g] = low;
        shape->high[g] = high;
    }
}

void snw__figure_shape_make(snw__figure_shape *shape, const snw__figure_plan *plan,
                            double thick[SNW_SIDES][SNW_PART_COUNT])
{
    figure_maker maker = {shape, thick[plan->is_hand ? plan->side : SNW_SIDE_LEFT],
                          plan->stature / snw__figure_stature};
    memset(shape, 0, sizeof *shape);
    shape->plan = *plan;
    if (plan->is_hand)
        snw__figure_hand_make(&maker, plan->hand + plan->side);
    else
        add_core(&maker, plan);
    for (int group = 1; group < SNW__FIGURE_GROUPS; group++) {
        shape->group_first[group] = shape->limb_count;
        if (plan->is_hand || group == SNW__FIGURE_GROUPS - 1) continue;
        int side = (group - 1) % SNW_SIDES;
        maker.thick = thick[side];
        (group < 3 ? add_arm : add_leg)(&maker, plan, side);
    }
    for (int n = 0; n < shape->limb_count; n++)
        find_slopes(shape->limb + n);
    find_boxes(shape);
}

/* ---- distances
 * -------------------------------------------------------------------------------------- */

/* About the distance to an ellipsoid: k0 (k0 - 1) / k1 with k0 = |q/r|, k1 = |q/r^2| (the first
 * step of Newton's method along the gradient). */
static double limb_distance(const snw__figure_limb *limb, snw_vec3 point)
{
    snw_vec3 q = snw_vec3_sub(point, limb->from);
    const snw__figure_station *s = limb->station;
    int last = limb->station_count - 1;
    double along = snw_vec3_dot(q, limb->axis) / limb->length;
    double at = snw_clamp(along, s[0].at, s[last].at);
    int n = 0;
    while (n + 1 < last && at > s[n + 1].at)
        n++;
    double share = snw_clamp((at - s[n].at) / (s[n + 1].at - s[n].at), 0, 1);
    double smooth = share * share * (3 - 2 * share);
    double rise = share * (1 - share) * (1 - share) * (s[n + 1].at - s[n].at);
    double fall = share * share * (1 - share) * (s[n + 1].at - s[n].at);
    double ru = s[n].u + smooth * (s[n + 1].u - s[n].u) + rise * limb->slope[n][0] -
                fall * limb->slope[n + 1][0];
    double rv = s[n].v + smooth * (s[n + 1].v - s[n].v) + rise * limb->slope[n][1] -
                fall * limb->slope[n + 1][1];
    double u =
        snw_vec3_dot(q, limb->u) - (s[n].shift_u + smooth * (s[n + 1].shift_u - s[n].shift_u));
    double v =
        snw_vec3_dot(q, limb->v) - (s[n].shift_v + smooth * (s[n + 1].shift_v - s[n].shift_v));
    double w = (along - at) * limb->length, rw = fmin(ru, rv);
    double a = u / ru, b = v / rv, c = w / rw;
    double k0 = sqrt(a * a + b * b + c * c);
    double k1 = sqrt(a * a / (ru * ru) + b * b / (rv * rv) + c * c / (rw * rw));
    double distance = k1 > 1e-12 ? k0 * (k0 - 1) / k1 : -rw;
    if (point.y < limb->floor) distance = fmax(distance, limb->floor - point.y);
    return fmax(distance, limb->floor - point.y);
}

/* Quilez' polynomial smooth minimum: equal to min where they differ by more than k. */
static double smooth_min(double a, double b, double k)
{
    double h = fmax(k - fabs(a - b), 0);
    return fmin(a, b) - (k > 0 ? h * h / (4 * k) : 0);
}

double snw__figure_distance(const snw__figure_shape *shape, snw_vec3 point)
{
    double blend = 0.04 * shape->plan.stature / snw__figure_stature;
    double group[5];
    for (int g = 0; g < 5; g++) {
        snw_vec3 low = shape->low[g];
        snw_vec3 high = shape->high[g];
        double x = fmax(fmax(low.x - point.x, point.x - high.x), 0);
        double y = fmax(fmax(low.y - point.y, point.y - high.y), 0);
        double z = fmax(fmax(low.z - point.z, point.z - high.z), 0);
        double box = sqrt(x * x + y * y + z * z);
        /* Farther than anything that flows into another: the box will do. */
        if (box > 2 * blend)
            group[g] = box;
        else {
            /* Of one group: its limbs flow into each other, fingers only into the palm. */
            double all = INFINITY, fingers = INFINITY, finger = INFINITY, finger_blend = 0;
            for (int n = shape->group_first[g]; n < shape->group_first[g + 1]; n++) {
                const snw__figure_limb *limb = shape->limb + n;
                double distance = limb_distance(limb, point);
                if (!limb->finger) {
                    all = smooth_min(all, distance, limb->blend);
                    continue;
                }
                if (limb->finger != limb[-1].finger) finger = INFINITY;
                finger = smooth_min(finger, distance, limb->blend);
                fingers = fmin(fingers, finger);
                finger_blend = limb->blend;
            }
            group[g] = smooth_min(all, fingers, finger_blend);
        }
    }
    double arms = fmin(group[1], group[2]), legs = fmin(group[3], group[4]);
    return smooth_min(smooth_min(group[0], arms, blend), legs, blend);
}

/* ---- girths
 * -------------------------------------------------------------------------------------- */

#define GIRTH_NAME(enumerator, name) name,
static const char *const girth_names[SNW_GIRTH_COUNT] = {SNW_GIRTH_MAP(GIRTH_NAME)};
#undef GIRTH_NAME

const char *snw_girth_name(snw_girth girth)
{
    return (unsigned)girth < SNW_GIRTH_COUNT ? girth_names[girth] : NULL;
}

int snw_girth_find(const char *name)
{
    for (int n = 0; name && n < SNW_GIRTH_COUNT; n++)
        if (strcmp(name, girth_names[n]) == 0) return n;
    return -1;
}

bool snw__figure_is_measured(const snw_figure_options *how, snw_part part)
{
    for (int n = 0; n < FIGURE_SITES; n++)
        if (figure_sites[n].part == part && how->girth[figure_sites[n].girth] > 0) return true;
    return false;
}

/* From a point inside to the surface, by halves. */
static double way_out(const snw__figure_shape *shape, snw_vec3 from, snw_vec3 direction,
                      double most)
{
    double in = 0, out = most, step = most / 32;
    for (double at = step; at < most; at += step)
        if (snw__figure_distance(shape, snw_vec3_add_scaled(from, at, direction)) > 0) {
            out = at;
            break;
        }
    in = fmax(out - step, 0);
    for (int n = 0; n < 20; n++) {
        double middle = (in + out) / 2;
        if (snw__figure_distance(shape, snw_vec3_add_scaled(from, middle, direction)) > 0)
            out = middle;
        else
            in = middle;
    }
    return in;
}

double snw__figure_girth(const snw__figure_shape *shape, snw_girth girth)
{
    const figure_site *site = figure_sites;
    while (site->girth != girth)
        site++;
    const snw__figure_limb *limb = shape->limb;
    while (limb->profile != site->profile)
        limb++;
    double most = 0.16 * shape->plan.stature; /* more than half a hip is wide */
    snw_vec3 center = snw_vec3_add_scaled(limb->from, site->at * limb->length, limb->axis);
    double point[GIRTH_RAYS][2], sum = 0;
    for (int n = 0; n < GIRTH_RAYS; n++) {
        double angle = 2 * SNW_PI * n / GIRTH_RAYS;
        snw_vec3 way =
            snw_vec3_add_scaled(snw_vec3_scale(limb->u, snw__cos(angle)), snw__sin(angle), limb->v);
        double out = way_out(shape, center, way, most);
        point[n][0] = out * snw__cos(angle);
        point[n][1] = out * snw__sin(angle);
    }
    /* A tape lies on the convex hull, whose length is the integral of its support (Cauchy). */
    for (int n = 0; n < GIRTH_RAYS; n++) {
        double angle = 2 * SNW_PI * n / GIRTH_RAYS, reach = 0;
        for (int k = 0; k < GIRTH_RAYS; k++)
            reach = fmax(reach, point[k][0] * snw__cos(angle) + point[k][1] * snw__sin(angle));
        sum += 2 * SNW_PI / GIRTH_RAYS * reach;
    }
    return sum;
}
