/* The gait model of a trial as an OpenSim model: bodies of the person's size, joints with the
 * coordinates of the .mot beside it, the trial's markers where they sit on average. */
#include <string.h>

#include <sinew/osim.h>

#include "base/fail.h"
#include "base/memory.h"
#include "person/anthropometry.h"

/* ---- bodies ---------------------------------------------------------------------------------- */

typedef enum osim_part {
    OSIM_PELVIS,
    OSIM_TORSO,
    OSIM_FEMUR,
    OSIM_TIBIA,
    OSIM_FOOT,
    OSIM_HUMERUS,
    OSIM_FOREARM,
    OSIM_HAND,
    OSIM_PARTS
} osim_part;

/* What the bodies of the model are; their masses are those of sinew/person.h. */
static const struct {
    const char *name, *joint;
    bool is_paired;
    osim_part parent;
    snw_part part; /* whose mass it has; the torso also carries the head */
    double length; /* for the inertia of a rod, metres */
    struct {
        const char *coordinate;
        double left, right;
    } axis[3]; /* turns about z, x, y */
} osim_row[OSIM_PARTS] = {
    {"pelvis",
     "ground_pelvis",
     false,
     OSIM_PELVIS,
     SNW_PART_HIPS,
     0.2,
     {{"pelvis_tilt", 1, 1}, {"pelvis_list", 1, 1}, {"pelvis_rotation", 1, 1}}},
    {"torso",
     "back",
     false,
     OSIM_PELVIS,
     SNW_PART_CHEST,
     0.6,
     {{"lumbar_extension", 1, 1}, {"lumbar_bending", 1, 1}, {"lumbar_rotation", 1, 1}}},
    {"femur",
     "hip",
     true,
     OSIM_PELVIS,
     SNW_PART_UPLEG,
     0.4,
     {{"hip_flexion", 1, 1}, {"hip_adduction", -1, 1}, {"hip_rotation", -1, 1}}},
    {"tibia",
     "knee",
     true,
     OSIM_FEMUR,
     SNW_PART_LEG,
     0.4,
     {{"knee_angle", -1, -1}, {"knee_adduction", -1, 1}, {"knee_rotation", -1, 1}}},
    {"calcn",
     "ankle",
     true,
     OSIM_TIBIA,
     SNW_PART_FOOT,
     0.2,
     {{"ankle_angle", 1, 1}, {"subtalar_angle", -1, 1}, {"ankle_rotation", -1, 1}}},
    {"humerus",
     "acromial",
     true,
     OSIM_TORSO,
     SNW_PART_ARM,
     0.3,
     {{"arm_flex", 1, 1}, {"arm_add", -1, 1}, {"arm_rot", -1, 1}}},
    {"radius",
     "elbow",
     true,
     OSIM_HUMERUS,
     SNW_PART_FOREARM,
     0.25,
     {{"elbow_flex", 1, 1}, {NULL, 1, 1}, {"pro_sup", -1, 1}}},
    {"hand",
     "wrist",
     true,
     OSIM_FOREARM,
     SNW_PART_HAND,
     0.1,
     {{"wrist_flex", 1, 1}, {"wrist_dev", -1, 1}, {NULL, 1, 1}}},
};

/* Ours (x forward, y left, z up) to OpenSim's (x forward, y up, z right). */
static snw_vec3 to_osim(snw_vec3 v)
{
    return snw_vec3_make(v.x, v.z, -v.y);
}

/* The part's frame, origin at the joint towards the trunk. The torso turns about a point above the
 * middle of the hips by half their distance. */
static bool part_frame(const snw_gait_pose *pose, osim_part part, int side, snw_xform *out)
{
    static const snw_gait_segment segment[OSIM_PARTS] = {
        SNW_SEGMENT_PELVIS, SNW_SEGMENT_THORAX,    SNW_SEGMENT_THIGH,   SNW_SEGMENT_SHANK,
        SNW_SEGMENT_FOOT,   SNW_SEGMENT_UPPER_ARM, SNW_SEGMENT_FOREARM, SNW_SEGMENT_HAND};
    static const snw_gait_center center[OSIM_PARTS] = {
        SNW_GAIT_CENTER_HIP,   SNW_GAIT_CENTER_HIP,   SNW_GAIT_CENTER_HIP,
        SNW_GAIT_CENTER_KNEE,  SNW_GAIT_CENTER_ANKLE, SNW_GAIT_CENTER_SHOULDER,
        SNW_GAIT_CENTER_ELBOW, SNW_GAIT_CENTER_WRIST};
    int at = part <= OSIM_TORSO ? 0 : side;
    if (!pose->has_segment[segment[part]][at]) return false;
    *out = pose->world_from_segment[segment[part]][at];
    if (part == OSIM_PELVIS) return true;
    if (part == OSIM_TORSO) {
        if (!pose->has_segment[SNW_SEGMENT_PELVIS][0] ||
            !pose->has_center[SNW_GAIT_CENTER_HIP][0] || !pose->has_center[SNW_GAIT_CENTER_HIP][1])
            return false;
        snw_vec3 left = pose->center[SNW_GAIT_CENTER_HIP][0];
        snw_vec3 right = pose->center[SNW_GAIT_CENTER_HIP][1];
        snw_vec3 up = snw_quat_rotate(pose->world_from_segment[SNW_SEGMENT_PELVIS][0].rotation,
                                      snw_vec3_make(0, 0, 1));
        out->translation = snw_vec3_add_scaled(snw_vec3_lerp(left, right, 0.5),
                                               0.5 * snw_vec3_distance(left, right), up);
        return true;
    }
    if (!pose->has_center[center[part]][side]) return false;
    out->translation = pose->center[center[part]][side];
    if (part == OSIM_FOOT) /* x forwards, z up */
        out->rotation = snw_quat_mul(out->rotation,
                                     snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), SNW_PI / 2));
    return true;
}

/* ---- building -------------------------------------------------------------------------------- */

#define OSIM_BODIES  (2 * OSIM_PARTS)
#define OSIM_MARKERS (2 * SNW_GAIT_MARKER_COUNT)

typedef struct osim_builder {
    const snw_trial *trial;
    const snw_gait_model *model;
    bool is_knee_negative;
    int body_of[OSIM_PARTS][2]; /* -1: never seen */
    int body_count, marker_count;
    snw_osim_body body[OSIM_BODIES];
    char text[OSIM_BODIES][8][40]; /* name, joint, coordinates */
    snw_osim_marker marker[OSIM_MARKERS];
} osim_builder;

/* Mean of a point in the part's frame over the frames that show both; false: none does. */
static bool mean_place(const osim_builder *builder, osim_part part, int side,
                       bool (*find)(const osim_builder *, const snw_frame *, const snw_gait_pose *,
                                    const int *, snw_vec3 *),
                       const int *what, snw_vec3 *out)
{
    snw_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int f = 0; f < builder->trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(builder->trial, f);
        snw_gait_pose pose;
        snw_xform world_from_part;
        snw_vec3 at;
        snw_gait_model_pose(builder->model, &frame, &pose);
        if (!part_frame(&pose, part, side, &world_from_part) ||
            !find(builder, &frame, &pose, what, &at))
            continue;
        sum = snw_vec3_add(sum, snw_xform_unpoint(world_from_part, at));
        count++;
    }
    if (count) *out = snw_vec3_scale(sum, 1.0 / count);
    return count > 0;
}

/* what: a part and a side; its origin. */
static bool find_origin(const osim_builder *builder, const snw_frame *frame,
                        const snw_gait_pose *pose, const int *what, snw_vec3 *out)
{
    snw_xform at;
    (void)builder;
    (void)frame;
    if (!part_frame(pose, (osim_part)what[0], what[1], &at)) return false;
    *out = at.translation;
    return true;
}

/* what: a marker and a side. */
static bool find_marker(const osim_builder *builder, const snw_frame *frame,
                        const snw_gait_pose *pose, const int *what, snw_vec3 *out)
{
    int at = builder->model->markers.at[what[0]][what[1]];
    (void)pose;
    if (at < 0 || frame->state[at] == SNW_SAMPLE_MISSING) return false;
    *out = snw_frame_position(frame, at);
    return true;
}

/* A name with its side behind it, kept in the builder. */
static const char *side_name(osim_builder *builder, int body, int slot, const char *name, int side)
{
    char *text = builder->text[body][slot];
    bool is_paired = side >= 0;
    snw_format(text, sizeof builder->text[body][slot], "%s%s", name,
               !is_paired              ? ""
               : side == SNW_SIDE_LEFT ? "_l"
                                       : "_r");
    return text;
}

static void add_body(osim_builder *builder, osim_part part, int side)
{
    static const char *const slide[3] = {"pelvis_tx", "pelvis_ty", "pelvis_tz"};
    const snw_subject *subject = &builder->model->subject;
    bool is_paired = osim_row[part].is_paired, is_root = part == OSIM_PELVIS;
    osim_part above = osim_row[part].parent;
    int parent = is_root ? -1 : builder->body_of[above][osim_row[above].is_paired ? side : 0];
    int what[2] = {(int)part, side}, number = builder->body_count, word = is_paired ? side : -1;
    snw_osim_body *body = builder->body + number;
    snw_vec3 place = {0, 0, 0};
    if (!is_root && (parent < 0 || !mean_place(builder, above, side, find_origin, what, &place)))
        return;
    memset(body, 0, sizeof *body);
    body->name = side_name(builder, number, 0, osim_row[part].name, word);
    body->joint = side_name(builder, number, 1, osim_row[part].joint, word);
    body->parent = parent;
    body->place = is_root ? place : to_osim(place);
    if (part == OSIM_FOOT)
        body->twist =
            (side == SNW_SIDE_LEFT ? -1 : 1) * subject->value[SNW_SUBJECT_TIBIAL_TORSION][side];
    for (int a = 0; a < 3; a++) {
        if (!osim_row[part].axis[a].coordinate) continue;
        body->axis[a].coordinate =
            side_name(builder, number, 2 + a, osim_row[part].axis[a].coordinate, word);
        body->axis[a].sign =
            side == SNW_SIDE_LEFT ? osim_row[part].axis[a].left : osim_row[part].axis[a].right;
    }
    if (part == OSIM_TIBIA && builder->is_knee_negative) body->axis[0].sign = 1;
    for (int a = 0; a < 3 && is_root; a++) {
        body->axis[3 + a].coordinate = slide[a];
        body->axis[3 + a].sign = 1;
    }
    double mass = subject->value[SNW_SUBJECT_BODY_MASS][0];
    double length = osim_row[part].length;
    snw_segment_size size, head = {0};
    snw_segment_size_of(SNW_PEOPLE_ADULTS, osim_row[part].part, &size);
    if (part == OSIM_TORSO) snw_segment_size_of(SNW_PEOPLE_ADULTS, SNW_PART_HEAD, &head);
    body->mass = (size.mass + head.mass) * (mass > 0 ? mass : SNW__MASS_MAN);
    body->mass_center = snw_vec3_make(0, part == OSIM_TORSO ? length / 2 : -0.43 * length, 0);
    double across = body->mass * length * length / 12; /* a rod along y; a tenth of it about y */
    body->inertia = snw_vec3_make(across, 0.1 * across, across);
    builder->body_of[part][side] = builder->body_count++;
}

static osim_part part_of(snw_gait_marker marker)
{
    switch (marker) {
    case SNW_GAIT_MARKER_ASI:
    case SNW_GAIT_MARKER_PSI:
    case SNW_GAIT_MARKER_SACR:
        return OSIM_PELVIS;
    case SNW_GAIT_MARKER_THI:
    case SNW_GAIT_MARKER_KNE:
    case SNW_GAIT_MARKER_KNM:
        return OSIM_FEMUR;
    case SNW_GAIT_MARKER_TIB:
    case SNW_GAIT_MARKER_ANK:
    case SNW_GAIT_MARKER_MED:
        return OSIM_TIBIA;
    case SNW_GAIT_MARKER_HEE:
    case SNW_GAIT_MARKER_TOE:
    case SNW_GAIT_MARKER_FMH:
    case SNW_GAIT_MARKER_VMH:
        return OSIM_FOOT;
    case SNW_GAIT_MARKER_ELB:
    case SNW_GAIT_MARKER_ELM:
        return OSIM_HUMERUS;
    case SNW_GAIT_MARKER_WRA:
    case SNW_GAIT_MARKER_WRB:
        return OSIM_FOREARM;
    case SNW_GAIT_MARKER_FIN:
        return OSIM_HAND;
    case SNW_GAIT_MARKER_KAX:
    case SNW_GAIT_MARKER_KD1:
    case SNW_GAIT_MARKER_KD2:
        return OSIM_PARTS;
    default:
        return OSIM_TORSO;
    }
}

snw_status snw_write_osim_of_gait(const snw_trial *trial, const snw_gait_model *model,
                                  bool is_knee_negative, const snw_sink *sink, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(&trial->allocator);
    osim_builder *builder = snw__allocate(&memory, sizeof *builder);
    if (!builder) return snw__fail_memory(error, sizeof *builder, "the OpenSim model");
    builder->trial = trial;
    builder->model = model;
    builder->is_knee_negative = is_knee_negative;
    for (int part = 0; part < OSIM_PARTS; part++)
        for (int side = 0; side < SNW_SIDES; side++) {
            builder->body_of[part][side] = -1;
            if (osim_row[part].is_paired || side == 0) add_body(builder, (osim_part)part, side);
        }
    for (int m = 0; m < SNW_GAIT_MARKER_COUNT; m++)
        for (int side = 0; side < SNW_SIDES; side++) {
            snw_gait_marker marker = (snw_gait_marker)m;
            osim_part part = part_of(marker);
            int at = builder->model->markers.at[marker][side], what[2] = {(int)marker, side};
            snw_vec3 place;
            if (at < 0 || part == OSIM_PARTS) continue;
            int body = builder->body_of[part][osim_row[part].is_paired ? side : 0];
            if (body < 0 || !mean_place(builder, part, side, find_marker, what, &place)) continue;
            snw_osim_marker *out = builder->marker + builder->marker_count++;
            out->name = builder->trial->marker[at].name;
            out->body = body;
            out->place = to_osim(place);
        }
    snw_osim_model out = {
        "sinew",
        "Bodies and markers measured on the capture by sinew; masses by Dempster's "
        "shares (Winter 2009, table 4.1)",
        builder->body_count,
        builder->body,
        builder->marker_count,
        builder->marker};
    snw_status status = snw_write_osim(&out, sink, error);
    snw__release(&memory, builder, sizeof *builder);
    return status;
}
