/* Hand gestures of hand25: from one held shape of the fingers to the next, while the hand itself
 * drifts and turns. The shapes are within the limits of the preset (Aristidou 2010, table 5.1). */
#include "base/elementary.h"
#include "synth/stage.h"
#include "synth/synth_constants.h"

/* Curl of index, middle, ring, little, thumb: 0 straight, 1 a fist; spread 1 opens the fan; across
 * brings the thumb over the palm. */
typedef struct gesture_shape {
    double curl[5];
    double spread;
    double across;
} gesture_shape;

static const gesture_shape gestures[] = {
    {{0.05, 0.05, 0.05, 0.05, 0.0}, 0.0, 0.0},  /* flat */
    {{0.95, 0.95, 0.95, 0.95, 0.8}, -0.3, 0.8}, /* fist */
    {{0.0, 0.0, 0.0, 0.0, -0.05}, 1.0, -0.8},   /* spread */
    {{0.0, 0.9, 0.95, 0.95, 0.7}, 0.0, 0.7},    /* point: one */
    {{0.0, 0.0, 0.9, 0.95, 0.75}, 0.7, 0.9},    /* two */
    {{0.0, 0.0, 0.0, 0.9, 0.7}, 0.6, 0.9},      /* three */
    {{0.45, 0.15, 0.1, 0.1, 0.45}, 0.2, 0.6},   /* pinch */
    {{0.9, 0.9, 0.9, 0.9, 0.0}, -0.2, -0.9},    /* thumb up */
    {{0.55, 0.55, 0.55, 0.55, 0.35}, 0.4, 0.2}, /* round a ball: C */
    {{0.0, 0.0, 0.0, 0.0, 0.7}, 0.3, 0.9},      /* four: B */
    {{0.95, 0.95, 0.95, 0.95, 0.1}, -0.3, 0.1}, /* A */
    {{0.0, 0.95, 0.95, 0.95, 0.0}, 0.0, -0.9},  /* L */
    {{0.95, 0.95, 0.95, 0.0, 0.0}, 0.3, -0.9},  /* Y */
};

/* Of the random mixture; the shapes behind them belong to the scripts. */
enum {
    GESTURE_COUNT = 9
};

typedef struct gesture_script {
    const char *name;
    int count;
    int shape[8];
} gesture_script;

/* Repeated for as long as it takes. */
static const gesture_script gesture_scripts[SNW_SYNTH_GESTURE_COUNT] = {
    {"all", 0, {0}},
    {"open-close", 2, {2, 1}},
    {"count", 6, {1, 3, 4, 5, 9, 2}},
    {"pinch", 2, {0, 6}},
    {"wave", 4, {0, 2, 0, 8}},
    {"fist", 2, {0, 1}},
    {"letters", 8, {10, 9, 8, 11, 4, 5, 12, 2}},
};

const char *snw_synth_gesture_name(snw_synth_gesture gesture)
{
    return (unsigned)gesture < SNW_SYNTH_GESTURE_COUNT ? gesture_scripts[gesture].name : "?";
}

/* Of "all": every shape once in their order, then at random. */
static const gesture_shape *shape_number(const snw_synth_options *options, int number)
{
    const gesture_script *script = &gesture_scripts[options->gesture];
    if (script->count) return &gestures[script->shape[number % script->count]];
    snw_random random = snw__synth_random(options->seed, SNW__PURPOSE_MOVE, number, 2);
    int pick = number < GESTURE_COUNT ? number : (int)snw_random_below(&random, GESTURE_COUNT);
    return &gestures[pick];
}

static int finger_joint(const snw_skeleton *skeleton, const char *finger, int number)
{
    char name[16];
    snw_format(name, sizeof name, "%s%d", finger, number);
    return snw_skeleton_find_joint(skeleton, name);
}

void snw__gestures_at(const snw__stage *stage, double time, snw_pose *pose)
{
    double periods = time / GESTURE_PERIOD;
    int number = (int)floor(periods);
    const snw_synth_options *options = stage->options;
    const gesture_shape *a = shape_number(options, number);
    const gesture_shape *b = shape_number(options, number + 1);
    double t = snw__ease(2 * (periods - number) - 0.6);
    gesture_shape shape;
    for (int i = 0; i < 5; i++)
        shape.curl[i] = a->curl[i] + t * (b->curl[i] - a->curl[i]);
    shape.spread = a->spread + t * (b->spread - a->spread);
    shape.across = a->across + t * (b->across - a->across);
    for (int ray = 0; ray < 4; ray++) {
        const snw_skeleton *skeleton = stage->skeleton;
        static const char *const names[] = {"index", "middle", "ring", "little"};
        static const double fan_deg[] = {9, 1, -6, -12}; /* towards the thumb's side */
        static const double cup_deg[] = {0, 0, 4, 8};    /* of the palm in a fist */
        double curl = shape.curl[ray];
        snw__set_angles(pose, finger_joint(skeleton, names[ray], 1),
                        snw_radians(cup_deg[ray]) * curl, 0);
        snw__set_angles(pose, finger_joint(skeleton, names[ray], 2), snw_radians(80) * curl,
                        snw_radians(fan_deg[ray]) * shape.spread * (1 - fmax(curl, 0)));
        snw__set_angles(pose, finger_joint(skeleton, names[ray], 3), snw_radians(92) * curl, 0);
        snw__set_angles(pose, finger_joint(skeleton, names[ray], 4), snw_radians(62) * curl, 0);
    }
    const snw_skeleton *skeleton = stage->skeleton;
    double curl = shape.curl[4];
    snw__set_angles(pose, finger_joint(skeleton, "thumb", 1), snw_radians(16) * curl,
                    snw_radians(-26) * shape.across);
    snw__set_angles(pose, finger_joint(skeleton, "thumb", 2), snw_radians(27) * curl,
                    snw_radians(8) * shape.across);
    snw__set_angles(pose, finger_joint(skeleton, "thumb", 3), snw_radians(62) * curl, 0);
    double drift = 2 * SNW_PI * 0.21 * time;
    snw_vec3 turn = {0.5 * snw__sin(drift) - 1.0, 0.6 * snw__sin(0.7 * drift),
                     0.8 * snw__sin(1.3 * drift)};
    pose->root.rotation = snw_quat_exp(turn); /* fingers up, turning to and fro */
    pose->root.translation = snw_vec3_make(
        0.08 * snw__sin(drift), 1.1 + 0.05 * snw__sin(1.7 * drift), 0.06 * snw__sin(0.9 * drift));
    snw_pose_forward(pose);
}
