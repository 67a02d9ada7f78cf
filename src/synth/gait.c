/* Walking and running: two rows of the same table.
 *
 * The pelvis goes along a circle (or straight on) at constant speed, swaying and bobbing; every
 * footfall has a fixed place on the floor from its strike to its off, where the foot rolls from the
 * heel over the flat sole to the ball; between them it swings to the next place. The legs follow by
 * exact two-bone reaching (performer.c). Cadence, stride and the phases of stance are those of
 * adults at a comfortable speed (Whittle, Gait Analysis, chapter 2; Novacheck, Gait & Posture 7,
 * 1998, for running); the sizes of sway, bob, list and turn of the pelvis are those of Saunders,
 * Inman & Eberhart (1953). */
#include "base/elementary.h"
#include "synth/stage.h"
#include "synth/synth_constants.h"

enum {
    GAIT_KEYS = 6
};

typedef struct gait_style {
    double cycle;  /* seconds from strike to strike of the same foot */
    double speed;  /* metres per second */
    double stance; /* fraction of the cycle with the foot on the floor */
    double lead;   /* a foot strikes this far before the pelvis, metres */
    double width;  /* of each foot from the path, metres */
    double lift;   /* of the swinging foot beyond what its pitch gives, metres */
    double height; /* of the pelvis, metres, and how it goes up and down twice in a cycle */
    double bob;
    double bob_low; /* phase of the left foot when the pelvis is lowest */
    double sway;    /* metres, towards the standing foot */
    double list_deg, turn_deg, lean_deg;
    double arm_swing_deg, arm_out_deg, elbow_deg, elbow_swing_deg;
    double chest_turn_deg;
    snw__key pitch_deg[GAIT_KEYS]; /* of the foot over the phase: heel up is positive */
} gait_style;

static const gait_style gait_walk = {
    1.10,
    1.12,
    0.62,
    0.260,
    0.065,
    0.035,
    0.8955,
    0.008,
    0.06,
    0.018,
    3,
    4,
    3,
    20,
    12,
    22,
    12,
    9,
    {{0, -15}, {0.12, 0}, {0.24, 0}, {0.68, 52}, {0.96, -15}, {1, -15}},
};

/* Strikes with the forefoot. */
static const gait_style gait_run = {
    0.72,
    2.3,
    0.34,
    0.13,
    0.045,
    0.20,
    0.892,
    0.024,
    0.17,
    0.012,
    3,
    6,
    7,
    24,
    16,
    88,
    14,
    14,
    {{0, 7}, {0.13, 15}, {0.42, 66}, {0.58, 66}, {0.97, 7}, {1, 7}},
};

/* The style of this seed: people differ by a few per cent. */
static gait_style person(const gait_style *average, uint64_t seed)
{
    snw_random random = snw__synth_random(seed, SNW__PURPOSE_STYLE, 0, 0);
    gait_style style = *average;
    double tempo = snw_random_range(&random, 0.97, 1.03);
    style.cycle /= tempo;
    style.speed *= tempo * snw_random_range(&random, 0.96, 1.02);
    style.arm_swing_deg *= snw_random_range(&random, 0.85, 1.15);
    style.bob *= snw_random_range(&random, 0.9, 1.1);
    return style;
}

/* ---- the path ----------------------------------------------------------------------------- */

typedef struct gait_place {
    snw_vec3 position; /* on the floor */
    double heading;    /* about +y; 0 is +z */
} gait_place;

/* `across` is to the left of the path. The circle lies about the origin and turns left. */
static gait_place path_at(double radius, double along, double across)
{
    gait_place place = {{across, 0, along}, 0};
    if (isinf(radius)) return place;
    place.heading = along / radius;
    double r = radius - across;
    place.position = snw_vec3_make(-r * snw__cos(place.heading), 0, r * snw__sin(place.heading));
    return place;
}

/* ---- feet --------------------------------------------------------------------------------- */

static gait_place footfall(const gait_style *style, double radius, int side, double number)
{
    double strike = (number - (side == SNW_SIDE_LEFT ? 0 : 0.5)) * style->cycle;
    double out = snw__side_sign(side) * style->width;
    return path_at(radius, style->speed * strike + style->lead, out);
}

static snw__footing foot_at(const gait_style *style, double radius, int side, double time)
{
    /* Cycles of a foot since time 0: its whole part counts footfalls, the rest is the phase. */
    double cycles = time / style->cycle + (side == SNW_SIDE_LEFT ? 0 : 0.5);
    double number = floor(cycles), phase = cycles - number;
    double pitch = snw_radians(snw__keyed(style->pitch_deg, GAIT_KEYS, phase));
    gait_place here = footfall(style, radius, side, number);
    snw__footing foot = {here.position, here.heading, pitch, pitch > 0 ? 0 : 1,
                         pitch > 0 ? -pitch : 0};
    if (phase <= style->stance) return foot;
    gait_place next = footfall(style, radius, side, number + 1);
    double swing = (phase - style->stance) / (1 - style->stance);
    double way = snw__travel(swing);
    foot.base = snw_vec3_lerp(here.position, next.position, way);
    foot.base.y += style->lift * snw__bump(swing / GAIT_LIFTED);
    foot.heading += way * (next.heading - here.heading);
    if (style->pitch_deg[0].value < 0) { /* heel first: over when the toes come up */
        foot.roll = snw__ease((swing - 0.60) / 0.35);
        foot.toes = -pitch * (1 - snw__ease(1.4 * swing));
    } else { /* ball first: the toes come down flat */
        foot.roll = 0;
        foot.toes = -pitch * (1 - 0.6 * snw__bump(swing / GAIT_LIFTED));
    }
    return foot;
}

/* ---- the rest of the body ----------------------------------------------------------------- */

/* `phase` of the left foot. */
static void place_pelvis(const gait_style *style, double radius, double time, snw_pose *pose)
{
    double phase = 2 * SNW_PI * (time / style->cycle);
    double standing = phase - 2 * SNW_PI * 0.06; /* its sine is 1 in the middle of left stance */
    /* Centripetal force comes from leaning into the turn. Less than half of it is the pelvis's:
     * people bend at the ankle and in the trunk too. */
    double full = snw__atan(style->speed * style->speed / (GAIT_GRAVITY * radius));
    double lean = isinf(radius) ? 0 : 0.42 * full;
    double height =
        style->height - style->bob * snw__cos(2 * (phase - 2 * SNW_PI * style->bob_low));
    double across = style->sway * snw__sin(standing) + height * snw__sin(lean);
    gait_place place = path_at(radius, style->speed * time, across);
    snw_quat turn = snw__turn_y(place.heading - snw_radians(style->turn_deg) * snw__cos(phase));
    snw_quat roll = snw__turn_z(snw_radians(style->list_deg) * snw__sin(standing) - lean);
    snw_quat tilt = snw__turn_x(snw_radians(style->lean_deg));
    place.position.y = height * snw__cos(lean);
    pose->root = snw_xform_make(snw_quat_mul(snw_quat_mul(turn, roll), tilt), place.position);
}

static void gait_at(const gait_style *average, const snw__stage *stage, double time, snw_pose *pose)
{
    gait_style style = person(average, stage->options->seed);
    double radius = stage->options->path_radius;
    double phase = 2 * SNW_PI * (time / style.cycle);
    place_pelvis(&style, radius, time, pose);
    const snw__performer *actor = &stage->actor;
    double list = snw_radians(style.list_deg) * snw__sin(phase - 2 * SNW_PI * 0.06);
    double turn = snw_radians(style.chest_turn_deg) * snw__cos(phase);
    double nod = snw_radians(style.lean_deg) * 0.35 * snw__cos(2 * phase);
    /* The trunk stays upright over a listing pelvis and turns against it; the head looks ahead. */
    double spine[3] = {0.25 * nod, 0.5 * list, 0.3 * turn};
    double chest[3] = {0.25 * nod, 0.5 * list, 0.7 * turn};
    double neck[3] = {-0.6 * snw_radians(style.lean_deg), 0, -0.3 * turn};
    snw__set_ball(pose, actor->spine, SNW_SIDE_LEFT, spine);
    snw__set_ball(pose, actor->chest, SNW_SIDE_LEFT, chest);
    snw__set_ball(pose, actor->neck, SNW_SIDE_LEFT, neck);
    snw__set_angles(pose, actor->head, -0.25 * turn,
                    -0.3 * snw_radians(style.lean_deg) - 0.3 * nod);
    for (int side = 0; side < 2; side++) {
        /* An arm hangs, swings about the line through the shoulders and bends more in front. */
        const snw__arm *arm = &stage->actor.arm[side];
        double sign = snw__side_sign(side);
        double forward =
            -sign * snw__cos(phase); /* the left arm is in front when the right foot strikes */
        double swing = snw_radians(style.arm_swing_deg) * forward + snw_radians(6);
        double lower = SNW_PI / 2 - snw_radians(style.arm_out_deg);
        snw_quat hang = snw__turn_z(-sign * lower);
        pose->rotation[arm->shoulder] = snw_quat_mul(snw__turn_x(-swing), hang);
        snw__set_angles(pose, arm->clavicle, snw_radians(4) * forward, snw_radians(-2));
        double bend = style.elbow_deg + style.elbow_swing_deg * forward;
        snw__set_angles(pose, arm->elbow, snw_radians(bend), 0);
        snw__set_angles(pose, arm->forearm, sign * snw_radians(20 + 6 * forward), 0);
        snw__set_angles(pose, arm->wrist, snw_radians(8 + 6 * forward), snw_radians(-3 * forward));
    }
    snw_pose_forward(pose);
    snw__footing feet[2] = {foot_at(&style, radius, SNW_SIDE_LEFT, time),
                            foot_at(&style, radius, SNW_SIDE_RIGHT, time)};
    snw__stand(&stage->actor, pose, feet);
}

void snw__walk_at(const snw__stage *stage, double time, snw_pose *pose)
{
    gait_at(&gait_walk, stage, time, pose);
}

void snw__run_at(const snw__stage *stage, double time, snw_pose *pose)
{
    gait_at(&gait_run, stage, time, pose);
}

/* ---- events ------------------------------------------------------------------------------- */

typedef struct gait_event {
    int side;
    bool is_strike;
    double phase; /* of the left foot's cycle, in [0, 1) */
} gait_event;

/* In the order of time: a walker strikes before the other foot is off, a runner flies between. */
snw_status snw__gait_events(const snw_synth_options *options, snw_trial *trial, snw_error *error)
{
    bool is_run = options->motion == SNW_SYNTH_RUN;
    gait_style style = person(is_run ? &gait_run : &gait_walk, options->seed);
    double off = style.stance, other_off = fmod(style.stance + 0.5, 1);
    const gait_event events[4] = {
        {SNW_SIDE_LEFT, true, 0},
        {is_run ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT, false, is_run ? off : other_off},
        {SNW_SIDE_RIGHT, true, 0.5},
        {is_run ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT, false, is_run ? other_off : off},
    };
    double last = (trial->frame_count - 1) / trial->rate;
    for (int n = 0;; n++) {
        int cycle = n / 4;
        double time = (cycle + events[n % 4].phase) * style.cycle;
        if (time > last) return SNW_OK;
        const gait_event *what = &events[n % 4];
        char label[16], context[8], none[1] = "";
        snw_format(label, sizeof label, "%s", what->is_strike ? "Foot Strike" : "Foot Off");
        snw_format(context, sizeof context, "%s", what->side == SNW_SIDE_LEFT ? "Left" : "Right");
        snw_event event = {0};
        event.time = time;
        event.label = label;
        event.context = context;
        event.subject = none;
        event.description = none;
        event.icon = what->is_strike ? 1 : 2; /* as programs number them in EVENT:ICON_IDS */
        snw_status status = snw_trial_add_event(trial, &event, error);
        if (status != SNW_OK) return status;
    }
}
