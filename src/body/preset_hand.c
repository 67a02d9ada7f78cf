/* Hands: a right hand with its wrist at the origin, fingers along +z, thumb side +x, back of the
 * hand +y, so that a positive turn about x flexes towards the palm.
 *
 * hand26 is the unconstrained model of Aristidou (thesis 2010, chapter 3): 26 joints, 5 effectors,
 * 3 degrees of freedom each. hand25 is that of chapter 5: 25 joints and 25 degrees of freedom with
 * the limits of Table 5.1. Bones are those of person/anthropometry.h; the fan of the palm and the
 * stance of the thumb are drawn from an average hand held flat. */
#include "body/body_constants.h"
#include "body/preset.h"
#include "person/anthropometry.h"

enum {
    HAND_RAY_COUNT = 5, /* index, middle, ring, little, thumb: F_1 .. F_5 of the thesis */
    HAND_THUMB = 4,
    HAND_JOINT_MAX = 26,
    HAND_FINGER_COUNT = 4, /* bones of a finger: metacarpal and three phalanges */
};

typedef struct hand_ray {
    const char *name[5]; /* base, knuckle .. tip; the thumb of hand25 leaves out the first */
    double base[3];      /* of the first joint, in the wrist's frame, metres */
    double fan_deg;      /* turn about y of the whole ray, towards the thumb's side */
    double roll_deg;     /* then about the ray itself: the thumb flexes across the palm */
    double bone[HAND_FINGER_COUNT]; /* fractions of the hand's length */
} hand_ray;

static const hand_ray hand_rays[HAND_RAY_COUNT] = {
    {{"index1", "index2", "index3", "index4", "index5"}, {0.012, 0, 0.005}, 8, 0, SNW__HAND_INDEX},
    {{"middle1", "middle2", "middle3", "middle4", "middle5"},
     {0.004, 0, 0.006},
     2,
     0,
     SNW__HAND_MIDDLE},
    {{"ring1", "ring2", "ring3", "ring4", "ring5"}, {-0.004, 0, 0.005}, -6, 0, SNW__HAND_RING},
    {{"little1", "little2", "little3", "little4", "little5"},
     {-0.012, 0, 0.003},
     -14,
     0,
     SNW__HAND_LITTLE},
    {{"thumb0", "thumb1", "thumb2", "thumb3", "thumb4"},
     {0.010, -0.003, 0.003},
     50,
     -60,
     SNW__HAND_THUMB},
};

/* Table 5.1 in degrees: {low, high} about x (flexion) and about y (abduction). Rows:
 * finger joints F_i1 .. F_i4, then thumb joints F_51 .. F_53. The printed angles theta1, theta3 are
 * the ends about x, theta2, theta4 the ends about y. */
typedef struct hand_limit {
    snw_joint_type type;
    bool has_limit;
    double flexion_deg[2];
    double abduction_deg[2];
} hand_limit;

static const hand_limit finger_limits[HAND_FINGER_COUNT] = {
    {SNW_JOINT_HINGE, false, {0, 0}, {0, 0}},
    {SNW_JOINT_UNIVERSAL, true, {-10, 85}, {-15, 15}},
    {SNW_JOINT_HINGE, true, {-10, 95}, {0, 0}},
    {SNW_JOINT_HINGE, true, {-10, 90}, {0, 0}},
};
static const hand_limit thumb_limits[HAND_FINGER_COUNT - 1] = {
    {SNW_JOINT_UNIVERSAL, true, {-20, 20}, {-30, 40}},
    {SNW_JOINT_UNIVERSAL, true, {-5, 30}, {-10, 10}},
    {SNW_JOINT_HINGE, true, {-10, 95}, {0, 0}},
};

/* Appends the joints of a ray, all fixed as yet, from bone `first_bone` on; returns the new count.
 */
static int add_ray(const hand_ray *ray, int first_bone, snw_joint_def *defs, int count)
{
    snw_quat turn =
        snw_quat_mul(snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), snw_radians(ray->fan_deg)),
                     snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), snw_radians(ray->roll_deg)));
    double start = 0; /* what is left out at the base still has its length */
    for (int i = 0; i < first_bone; i++)
        start += ray->bone[i] * SNW__HAND_LENGTH;
    for (int i = first_bone; i <= HAND_FINGER_COUNT; i++) {
        snw_joint_def *def = &defs[count];
        *def = snw_joint_def_default();
        def->name = ray->name[i];
        def->parent = i == first_bone ? 0 : count - 1;
        if (i == first_bone) {
            snw_vec3 base = snw_vec3_make(ray->base[0], ray->base[1], ray->base[2]);
            snw_vec3 way = snw_quat_rotate(turn, snw_vec3_make(0, 0, start));
            def->rest = snw_xform_make(turn, snw_vec3_add(base, way));
        } else {
            def->rest.translation = snw_vec3_make(0, 0, ray->bone[i - 1] * SNW__HAND_LENGTH);
        }
        count++;
    }
    return count;
}

static int start_hand(snw_joint_def *defs)
{
    defs[0] = snw_joint_def_default();
    defs[0].name = "wrist";
    return 1;
}

snw_status snw__preset_hand26(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    snw_joint_def defs[HAND_JOINT_MAX];
    int count = start_hand(defs);
    for (int i = 0; i < HAND_RAY_COUNT; i++)
        count = add_ray(&hand_rays[i], 0, defs, count);
    for (int i = 0; i < count; i++)
        defs[i].joint.type = SNW_JOINT_BALL; /* bones lie along z, the default axis */
    return snw_skeleton_create(defs, count, allocator, out, error);
}

snw_status snw__preset_hand25(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    snw_joint_def defs[HAND_JOINT_MAX];
    int count = start_hand(defs);
    for (int ray = 0; ray < HAND_RAY_COUNT; ray++) {
        bool is_thumb = ray == HAND_THUMB;
        const hand_limit *rows = is_thumb ? thumb_limits : finger_limits;
        int first = count;
        count = add_ray(&hand_rays[ray], is_thumb ? 1 : 0, defs, count);
        for (int i = first; i < count - 1; i++) { /* the last is the tip: fixed */
            snw_joint *joint = &defs[i].joint;
            const hand_limit *row = &rows[i - first];
            joint->type = row->type;
            joint->axis = snw_vec3_make(1, 0, 0);
            joint->axis2 = snw_vec3_make(0, 1, 0);
            if (!row->has_limit) continue;
            snw__preset_range(&joint->limit, 0, row->flexion_deg);
            if (row->type == SNW_JOINT_UNIVERSAL)
                snw__preset_range(&joint->limit, 1, row->abduction_deg);
        }
    }
    return snw_skeleton_create(defs, count, allocator, out, error);
}
