/* Writes the program for a device: the tables of a plan as constants, then device_lm_source.c. */
#include "ik/batch/device_lm.h"

#ifdef SNW__HAS_DEVICE

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* Coordinates times rows up to which loops are unrolled, so that a pose lives in registers. A
 * graphics processor gains by it up to what takes ten seconds to build; pocl takes as long for a
 * tenth of it. [measured] on an H200: a person with five goals 4 times, a hand 10 times as fast. */
#define DEVICE_UNROLL_GPU 1000
#define DEVICE_UNROLL_CPU 64
/* The part of its tolerance that an answer must keep when it is checked: its floats are rounded
 * once more on the way to the caller. [derived] 1e-7 of a body against tolerances from 4e-6 up. */
#define DEVICE_CHECKED_PART 0.97f

/* Written twice: the first time only measured. */
typedef struct device_text {
    char *at;
    size_t length, room;
} device_text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(device_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *to = text->at ? text->at + text->length : NULL;
    int length = vsnprintf(to, to ? text->room - text->length : 0, format, arguments);
    va_end(arguments);
    if (length > 0) text->length += (size_t)length;
}

static void put_text(device_text *text, const char *more)
{
    size_t length = strlen(more);
    if (text->at) memcpy(text->at + text->length, more, length);
    text->length += length;
}

static void put_source(device_text *text, const char *const *pieces)
{
    while (*pieces)
        put_text(text, *pieces++);
}

/* Exactly, and the same in every locale: a whole number times a power of two. */
static void put_float(device_text *text, float value)
{
    int exponent = 0;
    float mantissa = frexpf(value, &exponent);
    put(text, "%ld*0x1p%df,", (long)ldexpf(mantissa, 24), exponent - 24);
}

static void put_number(device_text *text, const char *name, float value)
{
    put(text, "#define %s (", name);
    put_float(text, value);
    text->length--; /* the comma */
    put(text, ")\n");
}

/* A table of one field of all joints, coordinates or goals. */
#define PUT_INTS(text, name, count, value)              \
    do {                                                \
        put(text, "__constant const int %s[]={", name); \
        for (int i = 0; i < (count); i++)               \
            put(text, "%d,", (int)(value));             \
        put(text, "0};\n");                             \
    } while (0)
#define PUT_VECTORS(text, name, count, width, value)      \
    do {                                                  \
        put(text, "__constant const float %s[]={", name); \
        for (int i = 0; i < (count); i++)                 \
            for (int n = 0; n < (width); n++)             \
                put_float(text, (value)[n]);              \
        put(text, "0};\n");                               \
    } while (0)

static int joint_of(const snw__batch_lm_plan *plan, int coordinate)
{
    int k = 0;
    while (k + 1 < plan->joint_count && plan->joint[k + 1].first <= coordinate)
        k++;
    /* Joints without coordinates share their number with the next. */
    while (plan->joint[k].count == 0)
        k--;
    return k;
}

static void put_joints(device_text *text, const snw_ik *ik, const snw__batch_lm_plan *plan)
{
    const snw__batch_lm_joint *joint = plan->joint;
    int count = plan->joint_count, free_balls = 0;
    put(text, "__constant const int FREE[]={");
    for (int k = 0; k < count; k++)
        put(text, "%d,", joint[k].kind == SNW__BATCH_LM_FREE_BALL ? free_balls++ : 0);
    put(text, "0};\n#define FREE_BALLS %d\n#define STATE %d\n", free_balls,
        plan->coordinate_count + 4 * free_balls);
    PUT_INTS(text, "SKELETON_JOINT", count, joint[i].joint);
    PUT_INTS(text, "PARENT", count, joint[i].parent);
    PUT_INTS(text, "KIND", count, joint[i].kind);
    PUT_INTS(text, "FIRST", count, joint[i].first);
    PUT_INTS(text, "COUNT", count, joint[i].count);
    PUT_INTS(text, "VALUE_FIRST", count, ik->skeleton->dof_first[joint[i].joint]);
    PUT_INTS(text, "IS_TURNED", count, joint[i].is_turned);
    PUT_INTS(text, "HAS_CONE", count, joint[i].has_cone);
    PUT_INTS(text, "IS_Z", count, joint[i].axis[2] == 1);
    PUT_VECTORS(text, "REST_TURN", count, 4, joint[i].rest_rotation);
    PUT_VECTORS(text, "REST_PLACE", count, 3, joint[i].rest_place);
    PUT_VECTORS(text, "AXIS", count, 3, joint[i].axis);
    PUT_VECTORS(text, "AXIS2", count, 3, joint[i].axis2);
    PUT_VECTORS(text, "SIDE", count, 3, joint[i].side);
    PUT_VECTORS(text, "CONE", count, 4, joint[i].cone);
    const snw__batch_lm_coordinate *c = plan->coordinate;
    count = plan->coordinate_count;
    PUT_INTS(text, "JOINT_OF", count, joint_of(plan, i));
    PUT_INTS(text, "IS_SLIDE", count, c[i].is_slide);
    PUT_INTS(text, "IN_CONE", count, c[i].cone);
    PUT_VECTORS(text, "LOW", count, 1, &c[i].low);
    PUT_VECTORS(text, "HIGH", count, 1, &c[i].high);
    PUT_VECTORS(text, "UNIT", count, 1, &c[i].unit);
}

static bool is_above(const snw_ik *ik, int goal, int dof)
{
    for (int j = ik->goal[goal].joint; j >= 0; j = ik->skeleton->parent[j])
        if (dof >= ik->skeleton->dof_first[j] &&
            dof < ik->skeleton->dof_first[j] + snw_joint_type_dof(ik->joint[j].type))
            return true;
    return false;
}

static void put_goals(device_text *text, const snw_ik *ik, const snw__batch_lm_plan *plan)
{
    const snw__batch_lm_goal *goal = plan->goal;
    int count = plan->goal_count;
    PUT_INTS(text, "GOAL_SLOT", count, goal[i].slot);
    PUT_INTS(text, "HAS_PLACE", count, goal[i].has_place);
    PUT_INTS(text, "HAS_FRAME", count, goal[i].has_frame);
    PUT_INTS(text, "HAS_AIM", count, goal[i].has_aim);
    PUT_INTS(text, "GOAL_ROWS", count, goal[i].row_count);
    PUT_INTS(text, "ROW_FIRST", count, goal[i].row_first);
    PUT_INTS(text, "PATH_FIRST", count, goal[i].path_first);
    PUT_INTS(text, "PATH_COUNT", count, goal[i].path_count);
    PUT_INTS(text, "BLOCK_FIRST", count, goal[i].block_first);
    PUT_INTS(text, "PATH", plan->path_total, plan->path[i]);
    PUT_INTS(text, "SHARED", count * count, plan->shared[i]);
    PUT_VECTORS(text, "POINT", count, 3, goal[i].point);
    PUT_VECTORS(text, "DIRECTION", count, 3, goal[i].direction);
    int dofs = ik->skeleton->dof_count;
    PUT_INTS(text, "IS_ABOVE", count * dofs, is_above(ik, i / dofs, i % dofs));
    put(text, "__constant const float FRAME[]={");
    for (int g = 0; g < count; g++) {
        snw_quat q = ik->goal[g].orientation;
        const double wxyz[4] = {q.w, q.x, q.y, q.z};
        for (int n = 0; n < 4; n++)
            put_float(text, (float)wxyz[n]);
    }
    put(text, "0};\n__constant const float WEIGHT[]={");
    for (int g = 0; g < count; g++)
        put_float(text, (float)ik->goal[g].weight);
    put(text, "0};\n__constant const float TURN_WEIGHT[]={");
    for (int g = 0; g < count; g++)
        put_float(text, (float)ik->goal[g].turn_weight);
    put(text, "0};\n");
}

static snw_vec3 end_of(const snw_shape *shape, int end)
{
    const snw_vec3 *point = shape->point ? shape->point : shape->own;
    if (shape->kind == SNW_SHAPE_PLANE && end == 1) return snw_vec3_add(point[0], point[1]);
    return point[end < shape->point_count ? end : 0];
}

/* Joints without a part in the plan do not move: their shapes stand in the frame of the root. */
static int slot_of(const snw__batch_lm_plan *plan, int joint)
{
    if (joint < 0) return -2;
    for (int k = 0; k < plan->joint_count; k++)
        if (plan->joint[k].joint == joint) return k;
    return -1;
}

/* Two ends of every shape, of a plane a point and the tip of its normal; and the pairs. */
static void put_shapes(device_text *text, const snw_ik *ik, const snw__batch_lm_plan *plan,
                       const snw__device_shapes *shapes)
{
    const snw_goal *goal = shapes->goal;
    int pairs = 0;
    PUT_INTS(text, "SHAPE_SLOT", shapes->count, slot_of(plan, shapes->joint[i]));
    PUT_INTS(text, "IS_PLANE", shapes->count, shapes->shape[i]->kind == SNW_SHAPE_PLANE);
    put(text, "__constant const float END[]={");
    for (int s = 0; s < shapes->count; s++)
        for (int n = 0; n < 2; n++) {
            snw_vec3 at = end_of(shapes->shape[s], n);
            if (slot_of(plan, shapes->joint[s]) == -1)
                for (int j = shapes->joint[s]; j >= 0; j = ik->skeleton->parent[j])
                    at = snw_xform_point(ik->skeleton->rest[j], at);
            put_float(text, (float)at.x);
            put_float(text, (float)at.y);
            put_float(text, (float)at.z);
        }
    put(text, "0};\n__constant const int PAIR[]={");
    for (int g = 0; g < shapes->goal_count; g++) {
        if (goal[g].kind != SNW_GOAL_APART) continue;
        pairs++;
        put(text, "%d,%d,", snw__device_shapes_find(shapes, goal[g].joint, goal[g].shape),
            snw__device_shapes_find(shapes, goal[g].chain_root, goal[g].other));
    }
    put(text, "0};\n__constant const float KEPT[]={");
    for (int g = 0; g < shapes->goal_count; g++)
        if (goal[g].kind == SNW_GOAL_APART)
            put_float(text, (float)(goal[g].shape->radius + goal[g].other->radius + goal[g].value));
    put(text, "0};\n#define SHAPES %d\n#define PAIRS %d\n", shapes->count, pairs);
}

/* Counts and the constants of the method, which batch_lm.h has. */
static void put_numbers(device_text *text, const snw_ik *ik, const snw__batch_lm_plan *plan,
                        int unroll_max)
{
    const struct {
        const char *name;
        int value;
    } counts[] = {{"JOINTS", plan->joint_count},
                  {"COORDINATES", plan->coordinate_count},
                  {"GOALS", plan->goal_count},
                  {"ROWS", plan->row_count},
                  {"BLOCKS", plan->block_total},
                  {"SKELETON_JOINTS", ik->skeleton->joint_count},
                  {"VALUE_COUNT", ik->skeleton->dof_count},
                  {"STARTS", plan->scatter_count},
                  {"START_COUNT", plan->start_count},
                  {"FIRST_STARTS", SNW__DEVICE_FIRST_STARTS},

                  {"WINDOW", SNW__BATCH_LM_WINDOW},
                  {"REJECTED", SNW__BATCH_LM_REJECTED},
                  {"DEVICE_STEPS", SNW__BATCH_LM_PER_START},
                  {"OUTCOME_REACHED", SNW_IK_REACHED},
                  {"OUTCOME_STALLED", SNW_IK_STALLED},
                  {"OUTCOME_UNSOUND", SNW__DEVICE_UNSOUND},
                  {"FIXED", SNW__BATCH_LM_FIXED},
                  {"HINGE", SNW__BATCH_LM_HINGE},
                  {"UNIVERSAL", SNW__BATCH_LM_UNIVERSAL},
                  {"SLIDE", SNW__BATCH_LM_SLIDE},
                  {"BALL", SNW__BATCH_LM_BALL},
                  {"FREE_BALL", SNW__BATCH_LM_FREE_BALL}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        put(text, "#define %s %d\n", counts[k].name, counts[k].value);
    int rows = snw__device_stage_rows(ik->skeleton->dof_count);
    put(text, "#define GROUP %d\n#define STAGE %d\n", rows ? SNW__DEVICE_GROUP : 1,
        rows ? rows : 1);
    put_number(text, "SIZE", plan->size);
    put_number(text, "PER_TOLERANCE", 1 / plan->tolerance);
    put_number(text, "PER_TURN_TOLERANCE", 1 / plan->turn_tolerance);
    put_number(text, "ALPHA_FIRST", SNW__BATCH_LM_ALPHA_FIRST);
    put_number(text, "ACCEPT", SNW__BATCH_LM_ACCEPT);
    put_number(text, "RIDGE", SNW__BATCH_LM_RIDGE);
    put_number(text, "AT_LIMIT", SNW__BATCH_LM_AT_LIMIT);
    put_number(text, "REACHED_PART", SNW__BATCH_LM_REACHED_PART);
    put_number(text, "PROGRESS", SNW__BATCH_LM_PROGRESS);
    put_number(text, "CHECKED_PART", DEVICE_CHECKED_PART);
    put_number(text, "SHAKE", SNW__BATCH_LM_SHAKE);
    put_number(text, "FAR", SNW__BATCH_LM_FAR);
    put_number(text, "AT_EYE", SNW__BATCH_LM_EYE * plan->size);
    put(text, "#define GOAL_WIDTH 9\n#define NOBODY 0x7fffffff\n#define LEFT 0x7ffffffe\n#define "
              "UNSOUND (-1)\n");
    put(text, "#define UNROLL %s\n",
        plan->coordinate_count * plan->row_count <= unroll_max ? "_Pragma(\"unroll\")" : "");
}

/* The polynomials of lanes.h for floats; what the device has for doubles. */
static const char device_angles[] =
    "float sine_f(float angle, float *cosine) {\n"
    "  float n = rint(angle * 0.636619772f);\n"
    "  float x = ((angle - n * 1.5703125f) - n * 4.837512969970703125e-4f) - n * "
    "7.549789954891882e-8f;\n"
    "  float z = x * x;\n"
    "  float s = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * x + x;\n"
    "  float c = ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + "
    "4.166664568298827e-2f) * z * z - 0.5f * z + 1;\n"
    "  int count = (int)n;\n"
    "  float a = (count & 1) ? c : s, b = (count & 1) ? s : c;\n"
    "  *cosine = ((count + 1) & 2) ? -b : b;\n"
    "  return (count & 2) ? -a : a;\n"
    "}\n"
    "float arc_f(float y, float x) { return atan2(y, x); }\n";

static const char device_float[] =
    "#define R float\n#define R3 float3\n#define R4 float4\n#define NAME(x) x##_f\n";
static const char device_double[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#undef R\n#undef R3\n#undef R4\n#undef NAME\n"
    "#define R double\n#define R3 double3\n#define R4 double4\n#define NAME(x) x##_d\n"
    "double sine_d(double angle, double *cosine) { return sincos(angle, cosine); }\n"
    "double arc_d(double y, double x) { return atan2(y, x); }\n";

static void put_program(device_text *text, const snw_ik *ik, const snw__batch_lm_plan *plan,
                        const snw__device_shapes *shapes, const snw__opencl *cl)
{
    bool has_double = cl->has_double && !shapes;
    put_numbers(text, ik, plan, cl->is_gpu ? DEVICE_UNROLL_GPU : DEVICE_UNROLL_CPU);
    put_joints(text, ik, plan);
    put_goals(text, ik, plan);
    put_text(text, device_angles);
    put_text(text, device_float);
    put_source(text, snw__device_forward_source);
    if (shapes) {
        put_source(text, snw__device_pose_source);
        put_shapes(text, ik, plan, shapes);
        put_source(text, snw__device_shapes_source);
        return;
    }
    if (has_double) put_text(text, device_double);
    if (has_double) put_source(text, snw__device_forward_source);
    put(text, has_double ? "#define WIDE double\n#define WIDE3 double3\n#define WIDE4 double4\n"
                           "#define WIDE_NAME(x) x##_d\n"
                         : "#define WIDE float\n#define WIDE3 float3\n#define WIDE4 float4\n"
                           "#define WIDE_NAME(x) x##_f\n");
    put_source(text, snw__device_step_source);
    put_source(text, snw__device_reach_source);
    put_source(text, snw__device_pose_source);
    put_source(text, snw__device_ends_source);
}

char *snw__device_lm_text(const snw_ik *ik, const snw__batch_lm_plan *plan,
                          const snw__device_shapes *shapes, const snw__opencl *cl,
                          const snw_allocator *allocator, size_t *size)
{
    device_text text = {0};
    put_program(&text, ik, plan, shapes, cl);
    *size = text.length + 1;
    text = (device_text){snw__allocate(allocator, *size), 0, *size};
    if (text.at) put_program(&text, ik, plan, shapes, cl);
    return text.at;
}

#endif
