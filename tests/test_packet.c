/* Packets of live protocols: bytes as the specifications print them, everything that is written
 * comes back, and every packet cut anywhere is refused or read without harm. */
#include "check.h"

/* ---- OSC ------------------------------------------------------------------------------------- */

/* The specification's own example: /oscillator/4/frequency with the float 440. */
static void osc_has_the_bytes_of_the_specification(void **state)
{
    static const uint8_t printed[32] = {0x2f, 0x6f, 0x73, 0x63, 0x69, 0x6c, 0x6c, 0x61,
                                        0x74, 0x6f, 0x72, 0x2f, 0x34, 0x2f, 0x66, 0x72,
                                        0x65, 0x71, 0x75, 0x65, 0x6e, 0x63, 0x79, 0,
                                        0x2c, 0x66, 0,    0,    0x43, 0xdc, 0,    0};
    const snw_osc_message message = {"/oscillator/4/frequency", 1, {{.type = 'f', .number = 440}}};
    uint8_t bytes[64];
    snw_osc_message back;
    size_t at = 0;
    (void)state;
    assert_int_equal(snw_osc_write(&message, bytes, sizeof bytes), 32);
    assert_memory_equal(bytes, printed, sizeof printed);
    assert_true(snw_osc_next(bytes, 32, &at, &back, NULL));
    assert_string_equal(back.address, message.address);
    assert_int_equal(back.value_count, 1);
    assert_true(back.value[0].number == 440);
    assert_false(snw_osc_next(bytes, 32, &at, &back, NULL));
    for (size_t room = 0; room < 32; room++)
        assert_int_equal(snw_osc_write(&message, bytes, room), 0);
}

/* The specification's second example: /foo ,iisff 1000 -1 "hello" 1.234 5.678. */
static void osc_reads_every_type_of_the_specification(void **state)
{
    static const uint8_t printed[40] = {0x2f, 0x66, 0x6f, 0x6f, 0,    0,    0,    0,    0x2c, 0x69,
                                        0x69, 0x73, 0x66, 0x66, 0,    0,    0,    0,    0x03, 0xe8,
                                        0xff, 0xff, 0xff, 0xff, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0,
                                        0,    0,    0x3f, 0x9d, 0xf3, 0xb6, 0x40, 0xb5, 0xb2, 0x2d};
    snw_osc_message m;
    size_t at = 0;
    (void)state;
    assert_true(snw_osc_next(printed, sizeof printed, &at, &m, NULL));
    assert_int_equal(m.value_count, 5);
    assert_int_equal(m.value[0].integer, 1000);
    assert_int_equal(m.value[1].integer, -1);
    assert_string_equal(m.value[2].text, "hello");
    assert_true(m.value[3].number == 1.234f && m.value[4].number == 5.678f);
}

/* ---- VMC ------------------------------------------------------------------------------------- */

static void read_all(const uint8_t *bytes, size_t size, snw_vmc_bone *bones, int *count)
{
    snw_osc_message message;
    size_t at = 0;
    while (snw_osc_next(bytes, size, &at, &message, NULL))
        if (*count < 60 && snw_vmc_read(&message, &bones[*count])) ++*count;
}

static void bones_come_back_from_packets_below_the_mtu(void **state)
{
    snw_vmc_bone bones[55], back[60];
    uint8_t bytes[SNW_PACKET_SIZE];
    int64_t size;
    int packets = 0, count = 0;
    snw_random random = snw_random_seed(2, 2);
    (void)state;
    for (int n = 0; n < 55; n++) {
        bones[n] = (snw_vmc_bone){.is_root = n == 0, .is_tracker = n > 50};
        (void)snw_format(bones[n].name, sizeof bones[n].name, "LeftIndexIntermediate%d", n);
        bones[n].place = random_gaussian(&random, 1);
        bones[n].rotation = snw_random_rotation(&random);
    }
    for (int next = 0; (size = snw_vmc_write(bones, 55, &next, 1.5, bytes)) > 0; packets++) {
        assert_true(size <= SNW_PACKET_SIZE);
        read_all(bytes, (size_t)size, back, &count);
    }
    assert_true(packets >= 3 && packets <= 5);
    assert_int_equal(count, 55);
    for (int n = 0; n < 55; n++) {
        assert_string_equal(back[n].name, bones[n].name);
        assert_true(back[n].is_root == bones[n].is_root);
        assert_true(back[n].is_tracker == bones[n].is_tracker);
        check_vec3_near(back[n].place, bones[n].place, 1e-6); /* floats of some metres */
        check_quat_near(back[n].rotation, bones[n].rotation, 1e-6);
    }
}

/* A quarter turn of the left upper arm that lifts it: about +Z in the library, whose +X is the
 * person's left; in Unity, whose +X is the right, about -Z; the bytes of the floats say so. */
static void unity_is_left_handed(void **state)
{
    const snw_vmc_bone bone = {.name = "LeftUpperArm",
                               .place = {0.25, 0, 0},
                               .rotation = {0.7071067811865476, 0, 0, 0.7071067811865476}};
    uint8_t bytes[SNW_PACKET_SIZE];
    snw_osc_message m;
    size_t at = 0;
    int next = 0;
    (void)state;
    size_t size = (size_t)snw_vmc_write(&bone, 1, &next, 0, bytes);
    while (snw_osc_next(bytes, size, &at, &m, NULL) && m.value_count != 8)
        ;
    assert_string_equal(m.address, "/VMC/Ext/Bone/Pos");
    check_near(m.value[1].number, -0.25, 0);
    check_near(m.value[6].number, -0.70710678, 1e-7);
    check_near(m.value[7].number, 0.70710678, 1e-7);
}

/* The rig of one pose is the rig of a motion with that frame, and its bones put together again
 * stand where the joints do. */
static void a_rig_steps_as_whole_motions_do(void **state)
{
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL, *whole = NULL;
    snw_rig *rig = NULL;
    snw_rig_options options = snw_rig_options_default();
    snw_random random = snw_random_seed(4, 4);
    (void)state;
    options.names = SNW_RIG_VRM;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, 20, 100, NULL, &motion, NULL), SNW_OK);
    snw_pose *pose = NULL, *out = NULL, *expected = NULL;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < 20; f++) {
        for (int j = 0; j < body->joint_count; j++)
            pose->rotation[j] = snw_quat_exp(random_gaussian(&random, 0.3));
        snw_quat turn = snw_random_rotation(&random);
        pose->root = snw_xform_make(turn, random_gaussian(&random, 1));
        (void)snw_pose_apply_limits(pose);
        snw_motion_set(motion, f, pose);
    }
    assert_int_equal(snw_motion_to_rig(motion, &options, NULL, &whole, NULL, NULL), SNW_OK);
    assert_int_equal(snw_rig_create(body, &options, NULL, &rig, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(snw_rig_skeleton(rig), NULL, &out, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(whole->skeleton, NULL, &expected, NULL), SNW_OK);
    snw_vmc_bone *bones = calloc((size_t)body->joint_count + 1, sizeof *bones);
    assert_non_null(bones);
    for (int f = 0; f < 20; f++) {
        snw_motion_get(motion, f, pose);
        snw_rig_step(rig, pose, out);
        snw_motion_get(whole, f, expected);
        snw_pose_forward(expected);
        assert_int_equal(out->skeleton->joint_count, expected->skeleton->joint_count);
        for (int j = 0; j < body->joint_count; j++)
            assert_memory_equal(&out->world[j], &expected->world[j], sizeof out->world[j]);
        int count = snw_vmc_bones(out, bones);
        assert_true(count > 18 && bones[0].is_root);
        assert_string_equal(bones[1].name, "Hips");
        check_vec3_near(bones[1].place, out->world[0].translation, 1e-12);
    }
    options.has_foot_lock = true;
    snw_rig *none = NULL;
    assert_int_equal(snw_rig_create(body, &options, NULL, &none, NULL), SNW_INVALID_ARGUMENT);
    free(bones);
    snw_rig_destroy(rig);
    snw_pose_destroy(pose);
    snw_pose_destroy(out);
    snw_pose_destroy(expected);
    snw_motion_destroy(whole);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* ---- NatNet ---------------------------------------------------------------------------------- */

typedef struct natnet_memory {
    snw_natnet state;
    snw_natnet_marker marker[SNW_NATNET_MARKERS_MAX];
    char name[SNW_NATNET_MARKERS_MAX][SNW_PACKET_NAME];
} natnet_memory;

static natnet_memory *natnet_of(int major, int minor)
{
    natnet_memory *memory = calloc(1, sizeof *memory);
    assert_non_null(memory);
    memory->state = (snw_natnet){.major = major, .minor = minor};
    memory->state.marker = memory->marker;
    memory->state.name = memory->name;
    return memory;
}

static void fill_natnet(natnet_memory *memory, int count, int named)
{
    memory->state.frame_number = 77;
    memory->state.time = 12.25;
    memory->state.marker_count = count;
    memory->state.name_count = named;
    for (int m = 0; m < count; m++) {
        memory->marker[m].place = snw_vec3_make(m + 0.5, -m - 0.25, 2);
        memory->marker[m].is_seen = m != 3;
        if (m >= named) continue;
        (void)snw_format(memory->name[m], SNW_PACKET_NAME, "M%d", m);
        (void)snw_format(memory->marker[m].name, SNW_PACKET_NAME, "M%d", m);
    }
}

static const int versions[][2] = {{3, 0}, {3, 1}, {4, 0}, {4, 1}};

static void natnet_frames_come_back(void **state)
{
    static uint8_t bytes[65536];
    (void)state;
    for (int v = 0; v < 4; v++) {
        natnet_memory *from = natnet_of(versions[v][0], versions[v][1]), *to = natnet_of(3, 0);
        fill_natnet(from, 41, 39);
        size_t size = snw_natnet_write(&from->state, SNW_NATNET_SERVER, "", bytes, sizeof bytes);
        assert_int_equal(snw_natnet_read(&to->state, bytes, size, NULL), SNW_OK);
        assert_int_equal(to->state.major * 10 + to->state.minor,
                         versions[v][0] * 10 + versions[v][1]);
        size = snw_natnet_write(&from->state, SNW_NATNET_MODEL, "Joe", bytes, sizeof bytes);
        assert_int_equal(snw_natnet_read(&to->state, bytes, size, NULL), SNW_OK);
        assert_int_equal(to->state.name_count, 39);
        size = snw_natnet_write(&from->state, SNW_NATNET_FRAME, "Joe", bytes, sizeof bytes);
        assert_int_equal(snw_natnet_kind_of(bytes, size), SNW_NATNET_FRAME);
        assert_int_equal(snw_natnet_read(&to->state, bytes, size, NULL), SNW_OK);
        assert_int_equal(to->state.marker_count, 41);
        assert_int_equal(to->state.frame_number, 77);
        check_near(to->state.time, 12.25, 0);
        assert_string_equal(to->marker[5].name, "Joe:M5");
        assert_string_equal(to->marker[40].name, "");
        for (int m = 0; m < 41; m++) {
            assert_true(to->marker[m].is_seen == (m != 3));
            if (m != 3) check_vec3_near(to->marker[m].place, from->marker[m].place, 0);
        }
        free(from);
        free(to);
    }
}

static void every_packet_may_break_off_anywhere(void **state)
{
    static uint8_t bytes[4096];
    (void)state;
    for (int v = 0; v < 4; v++)
        for (int kind = 0; kind < 3; kind++) {
            static const snw_natnet_kind kinds[] = {SNW_NATNET_SERVER, SNW_NATNET_MODEL,
                                                    SNW_NATNET_FRAME};
            natnet_memory *from = natnet_of(versions[v][0], versions[v][1]);
            natnet_memory *to = natnet_of(versions[v][0], versions[v][1]);
            fill_natnet(from, 10, 8);
            size_t size = snw_natnet_write(&from->state, kinds[kind], "S", bytes, sizeof bytes);
            assert_true(size > 0);
            for (size_t cut = 0; cut < size; cut++) {
                uint8_t *part = malloc(cut + 1); /* its own memory: a step beyond is found */
                assert_non_null(part);
                memcpy(part, bytes, cut);
                /* The last four bytes of a frame say nothing, a server's neither. */
                if (snw_natnet_read(&to->state, part, cut, NULL) == SNW_OK)
                    assert_true(size - cut <= 4);
                free(part);
            }
            assert_int_equal(snw_natnet_write(&from->state, kinds[kind], "S", bytes, size - 1), 0);
            free(from);
            free(to);
        }
}

static void counts_that_cannot_be_are_refused(void **state)
{
    static uint8_t bytes[4096];
    snw_error error;
    (void)state;
    natnet_memory *from = natnet_of(3, 0), *to = natnet_of(3, 0);
    fill_natnet(from, 10, 8);
    size_t size = snw_natnet_write(&from->state, SNW_NATNET_FRAME, "S", bytes, sizeof bytes);
    for (size_t at = 4; at + 4 <= size; at += 2) {
        uint8_t kept[4];
        memcpy(kept, bytes + at, 4);
        memset(bytes + at, 0xff, 4);
        (void)snw_natnet_read(&to->state, bytes, size, &error); /* no crash, no endless loop */
        assert_true(to->state.marker_count <= SNW_NATNET_MARKERS_MAX);
        memcpy(bytes + at, kept, 4);
    }
    memset(bytes + 8, 0xff, 4); /* the count of sets */
    assert_int_equal(snw_natnet_read(&to->state, bytes, size, &error), SNW_FORMAT);
    assert_non_null(strstr(error.message, "breaks off"));
    to->state.major = 2;
    assert_int_equal(snw_natnet_read(&to->state, bytes, size, &error), SNW_UNSUPPORTED);
    free(from);
    free(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(osc_has_the_bytes_of_the_specification),
        cmocka_unit_test(osc_reads_every_type_of_the_specification),
        cmocka_unit_test(bones_come_back_from_packets_below_the_mtu),
        cmocka_unit_test(unity_is_left_handed),
        cmocka_unit_test(a_rig_steps_as_whole_motions_do),
        cmocka_unit_test(natnet_frames_come_back),
        cmocka_unit_test(every_packet_may_break_off_anywhere),
        cmocka_unit_test(counts_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
