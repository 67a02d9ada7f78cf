/* Sensors as data, their names, mean turns. */
#include <math.h>
#include <string.h>

#include <sinew/dense.h>
#include <sinew/rig.h>

#include "base/fail.h"
#include "base/memory.h"
#include "inertial/sensing.h"

typedef struct inertial_sizes {
    const char *const *names;
    int sensor_count;
    size_t samples;
    snw_inertial *out;
} inertial_sizes;

static void lay_out(void *object, snw__block *block)
{
    inertial_sizes *sizes = object;
    snw_inertial made = {0}, *out = snw__block_take(block, 1, sizeof made);
    made.name = snw__block_take(block, (size_t)sizes->sensor_count, sizeof *made.name);
    made.turn = snw__block_take(block, sizes->samples, sizeof *made.turn);
    made.acceleration = snw__block_take(block, sizes->samples, sizeof *made.acceleration);
    for (int s = 0; s < sizes->sensor_count; s++) {
        size_t size = strlen(sizes->names[s]) + 1;
        char *name = snw__block_take(block, size, 1);
        if (!out) continue;
        memcpy(name, sizes->names[s], size);
        made.name[s] = name;
    }
    if (out) *out = made;
    sizes->out = out;
}

snw_status snw_inertial_create(const char *const *names, int sensor_count, int frame_count,
                               const snw_allocator *allocator, snw_inertial **out, snw_error *error)
{
    if (!out || (!names && sensor_count > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "out or names is NULL");
    *out = NULL;
    if (sensor_count < 1 || sensor_count > SNW_INERTIAL_MAX || frame_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "%d sensors in %d frames: there may be 1 to %d sensors", sensor_count,
                         frame_count, SNW_INERTIAL_MAX);
    snw_allocator memory = snw__allocator_or_default(allocator);
    inertial_sizes sizes = {names, sensor_count,
                            snw__size_mul((size_t)sensor_count, (size_t)frame_count), NULL};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &sizes, &memory, "sensors", error);
    if (status != SNW_OK) return status;
    snw_inertial *made = sizes.out;
    made->sensor_count = sensor_count;
    made->frame_count = frame_count;
    made->up = snw_vec3_make(0, 0, 1);
    made->allocator = memory;
    made->block_size = block.size;
    *out = made;
    return snw__succeed(error);
}

void snw_inertial_destroy(snw_inertial *sensors)
{
    if (!sensors) return;
    snw_allocator memory = sensors->allocator;
    snw__release(&memory, sensors, sensors->block_size);
}

/* ---- whose they are ------------------------------------------------------------------------ */

enum {
    SENSOR_NAME_SIZE = 80
};

/* "femur_r_imu" is "femur_r"; Xsens counts vertebrae. */
static snw_part part_of(const char *name, snw_side *side)
{
    static const char *const endings[] = {"_imu", "imu", "_sensor", "sensor"};
    char plain[SENSOR_NAME_SIZE];
    snw_format(plain, sizeof plain, "%s", name);
    size_t length = strlen(plain);
    for (size_t n = 0; n < sizeof endings / sizeof *endings; n++) {
        size_t size = strlen(endings[n]);
        if (length <= size || strcmp(plain + length - size, endings[n]) != 0) continue;
        plain[length - size] = '\0';
        break;
    }
    *side = SNW_SIDE_NONE;
    return strcmp(plain, "T8") == 0 ? SNW_PART_CHEST : snw_rig_part_from_name(plain, side);
}

void snw__inertial_joints(const snw_inertial *in, const snw_skeleton *body, int *joint,
                          snw_notes *notes)
{
    for (int s = 0; s < in->sensor_count; s++) {
        snw_side side, other;
        snw_part part = part_of(in->name[s], &side);
        joint[s] = -1;
        /* The last joint of a part: of the trunk the chest, of the forearm what turns the hand. */
        for (int j = 0; j < body->joint_count && part != SNW_PART_NONE; j++)
            if (snw_rig_part_of(body, j, &other) == part && other == side) joint[s] = j;
        for (int n = 0; n < s && joint[s] >= 0; n++)
            if (joint[n] == joint[s]) joint[s] = -1;
        if (joint[s] < 0)
            snw__note(
                notes, SNW_NOTE_VALUE_ASSUMED, snw__at_name(s, in->name[s]),
                "sensor \"%.60s\" names no segment of this body, or one that has a sensor: it "
                "is left out",
                in->name[s]);
    }
}

/* ---- mean turns ---------------------------------------------------------------------------- */

void snw__turn_add(snw__turn_mean *mean, snw_quat q, double weight)
{
    const double v[4] = {q.w, q.x, q.y, q.z};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            mean->sum[4 * a + b] += weight * v[a] * v[b];
    mean->weight += weight;
}

snw_quat snw__turn_of(const snw__turn_mean *mean)
{
    double a[16], values[4], vectors[16];
    memcpy(a, mean->sum, sizeof a);
    if (!(mean->weight > 0) || snw_eigen_symmetric(a, 4, values, vectors) != SNW_OK)
        return snw_quat_identity();
    return snw_quat_normalize(snw_quat_make(vectors[0], vectors[1], vectors[2], vectors[3]));
}
