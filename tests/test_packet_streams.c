/* Qualisys RT, VRPN, WebSocket, JSON and bytes: what is on the wire is written here by hand from
 * the descriptions, everything that is written comes back, and every packet cut anywhere is refused
 * or read without harm. */
#include <string.h>

#include "check.h"

enum {
    ROOM = 64
};

typedef struct streamed {
    snw_packet_frame frame;
    snw_packet_point point[ROOM];
} streamed;

static streamed *start(streamed *s)
{
    memset(s, 0, sizeof *s);
    s->frame.point = s->point;
    s->frame.room = ROOM;
    return s;
}

/* Some points, named or not, one of them hidden. */
static void fill(streamed *s, bool has_rotations)
{
    snw_random random = snw_random_seed(5, 5);
    start(s);
    s->frame.count = 6;
    s->frame.number = 77;
    s->frame.time = 12.5;
    s->frame.rate = 120;
    s->frame.up = SNW_UP_Z;
    for (int k = 0; k < 6; k++) {
        snw_packet_point *p = &s->point[k];
        if (k < 5) (void)snw_format(p->name, sizeof p->name, k == 2 ? "a<&b" : "M%d", k);
        p->place = random_gaussian(&random, 1);
        p->rotation = has_rotations ? snw_random_rotation(&random) : snw_quat_identity();
        p->has_rotation = has_rotations;
        p->is_seen = k != 3;
    }
}

static void assert_same(const streamed *a, const streamed *b, int count, double tolerance)
{
    for (int k = 0; k < count; k++) {
        const snw_packet_point *p = &a->point[k], *q = &b->point[k];
        assert_string_equal(p->name, q->name);
        assert_true(p->is_seen == q->is_seen);
        if (!p->is_seen) continue;
        check_near(snw_vec3_length(snw_vec3_sub(p->place, q->place)), 0, tolerance);
        check_near(fabs(snw_quat_dot(p->rotation, q->rotation)), 1, tolerance);
    }
}

/* ---- QTM ------------------------------------------------------------------------------------- */

/* Two labelled markers, the second hidden, and one without a label; little-endian. */
static const uint8_t qtm_data[] = {
    88,   0,    0,    0,    3, 0, 0,    0,                                     /* data */
    0x40, 0x42, 0x0f, 0,    0, 0, 0,    0,    9, 0,    0,    0,    2, 0, 0, 0, /* 1 s, 9, 2 */
    40,   0,    0,    0,    1, 0, 0,    0,    2, 0,    0,    0,    0, 0, 0, 0, /* 3D: 2 */
    0,    0,    0x7a, 0x44, 0, 0, 0xfa, 0x44, 0, 0x80, 0x3b, 0x45,             /* 1000 2000 3000 */
    0,    0,    0xc0, 0x7f, 0, 0, 0xc0, 0x7f, 0, 0,    0xc0, 0x7f,             /* NaN */
    24,   0,    0,    0,    2, 0, 0,    0};

static void qtm_reads_labels_and_places(void **state)
{
    static const char xml[] = "<QTM_Parameters_Ver_1.21><General><Frequency>240</Frequency>"
                              "</General><The_3D><AxisUpwards>-Y</AxisUpwards><Labels>2</Labels>"
                              "<Label><Name>L &amp; R</Name><RGBColor>1</RGBColor></Label>"
                              "<Label><Name>LKNE</Name></Label></The_3D>";
    uint8_t packet[512] = {0}, data[128] = {0};
    streamed s;
    (void)state;
    start(&s);
    memcpy(packet + 8, xml, sizeof xml);
    packet[0] = (uint8_t)((8 + sizeof xml) & 255), packet[1] = (uint8_t)((8 + sizeof xml) >> 8);
    packet[4] = SNW_QTM_XML;
    assert_int_equal(snw_qtm_size(packet, 4), 8 + sizeof xml);
    assert_int_equal(snw_qtm_read(&s.frame, packet, 8 + sizeof xml, NULL), SNW_OK);
    assert_int_equal(s.frame.name_count, 2);
    assert_string_equal(s.point[0].name, "L & R");
    assert_string_equal(s.point[1].name, "LKNE");
    assert_true(s.frame.rate == 240 && s.frame.up == SNW_UP_NEGATIVE_Y);
    /* The last component has 32 bytes: its count and one point follow the table. */
    memcpy(data, qtm_data, sizeof qtm_data);
    data[0] = (uint8_t)(sizeof qtm_data + 24);
    data[sizeof qtm_data - 8] = 32;
    data[sizeof qtm_data] = 1;
    data[sizeof qtm_data + 8 + 2] = 0x7a, data[sizeof qtm_data + 8 + 3] = 0x44;
    assert_int_equal(snw_qtm_read(&s.frame, data, sizeof qtm_data + 24, NULL), SNW_OK);
    assert_int_equal(s.frame.count, 3);
    assert_true(s.frame.number == 9 && s.frame.time == 1);
    assert_true(s.point[0].is_seen && !s.point[1].is_seen && s.point[2].is_seen);
    check_near(snw_vec3_length(snw_vec3_sub(s.point[0].place, snw_vec3_make(1, 2, 3))), 0, 1e-9);
    check_near(s.point[2].place.x, 1, 1e-9);
    assert_string_equal(s.point[2].name, "");
}

static void qtm_comes_back_as_it_was_written(void **state)
{
    uint8_t bytes[2048];
    streamed sent, back;
    (void)state;
    fill(&sent, false);
    start(&back);
    size_t size = snw_qtm_write(SNW_QTM_XML, NULL, &sent.frame, bytes, sizeof bytes);
    assert_int_equal(snw_qtm_size(bytes, size), size);
    assert_int_equal(snw_qtm_read(&back.frame, bytes, size, NULL), SNW_OK);
    assert_true(back.frame.rate == 120 && back.frame.up == SNW_UP_Z && back.frame.count == 5);
    size = snw_qtm_write(SNW_QTM_DATA, NULL, &sent.frame, bytes, sizeof bytes);
    assert_int_equal(snw_qtm_read(&back.frame, bytes, size, NULL), SNW_OK);
    assert_int_equal(back.frame.count, 6);
    assert_same(&sent, &back, 6, 1e-6);
    for (size_t cut = 0; cut < size; cut++) { /* with the size that is there, too */
        uint8_t part[2048];
        memcpy(part, bytes, cut);
        if (cut >= 4) part[0] = (uint8_t)cut, part[1] = (uint8_t)(cut >> 8);
        (void)snw_qtm_read(&back.frame, part, cut, NULL);
        assert_int_equal(snw_qtm_write(SNW_QTM_DATA, NULL, &sent.frame, part, cut), 0);
    }
    size = snw_qtm_write(SNW_QTM_COMMAND, "Version 1.21", NULL, bytes, sizeof bytes);
    assert_int_equal(size, 21);
    assert_string_equal(snw_qtm_text(bytes, size), "Version 1.21");
}

/* ---- VRPN ------------------------------------------------------------------------------------ */

static void vrpn_reads_a_message_written_by_hand(void **state)
{
    /* sender 3 is called "hmd" */
    static const uint8_t name[32] = {0, 0, 0, 32, 0, 0,    0,    0,    0,    0, 0,
                                     0, 0, 0, 0,  3, 0xff, 0xff, 0xff, 0xff, 0, 0,
                                     0, 0, 0, 0,  0, 4,    'h',  'm',  'd',  0};
    static const char kind[] = "vrpn_Tracker Pos_Quat";
    uint8_t type[56] = {0, 0, 0, 50, [15] = 7, [16] = 0xff, 0xff, 0xff, 0xfe, [27] = 22};
    uint8_t pose[88] = {0, 0, 0, 88, 0, 0, 0, 2, 0, 7, 0xa1, 0x20, 0, 0, 0, 3, 0, 0, 0, 7};
    snw_vrpn vrpn = {0};
    streamed s;
    (void)state;
    start(&s);
    memcpy(type + 28, kind, sizeof kind);
    pose[32] = 0x3f, pose[33] = 0xf0; /* x = 1 */
    pose[40] = 0xc0;                  /* y = -2 */
    pose[80] = 0x3f, pose[81] = 0xf0; /* w = 1 */
    assert_int_equal(snw_vrpn_size(name, 32), 32);
    assert_int_equal(snw_vrpn_size(type, 56), 56);
    assert_int_equal(snw_vrpn_read(&vrpn, &s.frame, name, 32, NULL), SNW_OK);
    assert_int_equal(snw_vrpn_read(&vrpn, &s.frame, type, 56, NULL), SNW_OK);
    assert_true(vrpn.has_pose_type && vrpn.pose_type == 7);
    assert_int_equal(snw_vrpn_read(&vrpn, &s.frame, pose, 88, NULL), SNW_OK);
    assert_int_equal(s.frame.count, 1);
    assert_string_equal(s.point[0].name, "hmd");
    check_near(snw_vec3_length(snw_vec3_sub(s.point[0].place, snw_vec3_make(1, -2, 0))), 0, 0);
    check_near(s.point[0].rotation.w, 1, 0);
    check_near(s.frame.time, 2.5, 1e-12);
}

static void vrpn_comes_back_as_it_was_written(void **state)
{
    uint8_t bytes[4096], cookie[SNW_VRPN_COOKIE];
    snw_vrpn vrpn = {0};
    streamed sent, back;
    (void)state;
    fill(&sent, true);
    sent.frame.count = 5;
    start(&back);
    snw_vrpn_cookie(cookie);
    assert_memory_equal(cookie, "vrpn: ver. 07.35  0\0\0\0\0\0", SNW_VRPN_COOKIE);
    assert_true(snw_vrpn_is_cookie(cookie));
    for (int round = 0; round < 2; round++) {
        size_t size = round == 0 ? snw_vrpn_write_names(&sent.frame, bytes, sizeof bytes)
                                 : snw_vrpn_write(&sent.frame, bytes, sizeof bytes);
        for (size_t at = 0, whole; at < size; at += whole) {
            whole = snw_vrpn_size(bytes + at, size - at);
            assert_true(whole <= size - at);
            snw_vrpn copy = vrpn;
            for (size_t cut = 0; cut < whole; cut++)
                (void)snw_vrpn_read(&copy, &back.frame, bytes + at, cut, NULL);
            assert_int_equal(snw_vrpn_read(&vrpn, &back.frame, bytes + at, whole, NULL), SNW_OK);
        }
    }
    assert_int_equal(back.frame.count, 4); /* the hidden one was not sent */
    check_near(back.frame.time, 12.5, 1e-6);
    memmove(&sent.point[3], &sent.point[4], sizeof sent.point[4]);
    assert_same(&sent, &back, 4, 1e-12);
}

/* ---- JSON and bytes -------------------------------------------------------------------------- */

static void json_reads_what_people_write(void **state)
{
    static const char text[] =
        " {\"note\": {\"a\": [1, {\"b\": \"x\\\"}\"}], \"c\": null}, \"points\" : "
        "{\"LKNE\": [1, 2.5, -3e-1], \"LANK\": null, "
        "\"head\": [0,0,0, 2,0,0,0]}, \"loose\": [[4,5,6], null], \"up\": \"-z\"}\n";
    streamed s;
    (void)state;
    start(&s);
    assert_int_equal(snw_packet_read_json(&s.frame, text, strlen(text), NULL), SNW_OK);
    assert_int_equal(s.frame.count, 5);
    assert_true(s.frame.number == -1 && isnan(s.frame.time) && s.frame.up == SNW_UP_NEGATIVE_Z);
    check_near(snw_vec3_length(snw_vec3_sub(s.point[0].place, snw_vec3_make(1, 2.5, -0.3))), 0,
               1e-15);
    assert_true(s.point[0].is_seen && !s.point[1].is_seen && s.point[2].has_rotation);
    check_near(s.point[2].rotation.w, 1, 0);
    check_near(s.point[3].place.z, 6, 0);
    for (size_t cut = 0; cut + 2 < sizeof text; cut++) {
        assert_int_equal(snw_packet_read_json(&s.frame, text, cut, NULL), SNW_FORMAT);
        for (int k = 0; k < s.frame.count; k++)
            assert_false(s.point[k].is_seen);
    }
    static const char *const bad[] = {"",
                                      "{}}",
                                      "[]",
                                      "{\"points\": {\"a\": [1, 2]}}",
                                      "{\"points\": {\"a\": [1, 2, nan]}}",
                                      "{\"time\": 1e999}",
                                      "{\"points\": {\"a\": [0,0,0,0,0,0,0]}}",
                                      "{\"x\": }",
                                      "{\"x\" 1}"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(snw_packet_read_json(&s.frame, bad[k], strlen(bad[k]), NULL), SNW_FORMAT);
}

/* Two cameras at right angles, four metres from the middle, and points whose pixels follow by hand:
 * 1000 x / depth. */
static void what_cameras_see_becomes_points(void **state)
{
    snw_cameras *cameras = NULL;
    snw_packet_sight sight[3];
    streamed s;
    snw_error error;
    (void)state;
    start(&s);
    assert_int_equal(snw_cameras_create(2, NULL, &cameras, NULL), SNW_OK);
    for (int c = 0; c < 2; c++) {
        snw_camera *camera = cameras->camera + c;
        snprintf(camera->name, sizeof camera->name, "cam%d", c);
        camera->focal_x = camera->focal_y = 1000;
        camera->camera_from_world =
            snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), c * SNW_PI / 2),
                           snw_vec3_make(0, 0, 4));
    }
    snw_packet_views views = {.cameras = cameras, .room = 3, .sight = sight};
    /* (0.4, 0.2, 1): camera 0 at depth 5; camera 1 turned about y by 90 degrees sees (1, 0.2, -0.4)
     * at depth 3.6. "b" is seen by one, and the fourth sight has no room. */
    static const char text[] =
        "{\"views\": {\"cam0\": {\"a\": [80, 40, 0.9], \"b\": [0, 0], \"c\": null},"
        " \"cam1\": {\"a\": [277.7777778, 55.5555556], \"d\": [1, 2, 0.5]}}, \"frame\": 3}";
    assert_int_equal(snw_packet_read_views(&s.frame, &views, text, strlen(text), &error), SNW_OK);
    assert_true(s.frame.number == 3 && views.count == 3 && s.frame.count == 3);
    assert_string_equal(s.point[0].name, "a");
    assert_true(s.point[0].is_seen && !s.point[1].is_seen && !s.point[2].is_seen);
    check_vec3_near(s.point[0].place, snw_vec3_make(0.4, 0.2, 1), 1e-6); /* digits of the text */
    for (size_t cut = 0; cut + 1 < sizeof text; cut++)
        assert_int_equal(snw_packet_read_views(&s.frame, &views, text, cut, NULL), SNW_FORMAT);
    assert_false(s.point[0].is_seen);
    /* Who asks for no views passes over them. */
    assert_int_equal(snw_packet_read_json(&s.frame, text, strlen(text), NULL), SNW_OK);
    assert_false(s.point[0].is_seen);
    static const char *const bad[] = {
        "{\"views\": {\"cam7\": {\"a\": [1, 2]}}}", "{\"views\": {\"cam0\": {\"a\": [1]}}}",
        "{\"views\": {\"cam0\": {\"a\": [1, 2, 3, 4]}}}",
        "{\"views\": {\"cam0\": {\"a\": [1, \"x\"]}}}", "{\"views\": [1]}"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(snw_packet_read_views(&s.frame, &views, bad[k], strlen(bad[k]), &error),
                         SNW_FORMAT);
        assert_int_equal(strstr(error.message, "cam7") != NULL, k == 0);
    }
    snw_cameras_destroy(cameras);
}

static void json_and_bytes_come_back_as_they_were_written(void **state)
{
    char text[4096];
    uint8_t bytes[4096];
    streamed sent, back;
    (void)state;
    for (int rotations = 0; rotations < 2; rotations++) {
        fill(&sent, rotations);
        start(&back);
        size_t size = snw_packet_write_json(&sent.frame, text, sizeof text);
        assert_int_equal(size, strlen(text));
        assert_int_equal(snw_packet_read_json(&back.frame, text, size, NULL), SNW_OK);
        assert_true(back.frame.number == 77 && back.frame.time == 12.5 && back.frame.rate == 120);
        assert_same(&sent, &back, 6, 1e-6);
        for (size_t room = 0; room <= size; room++)
            assert_int_equal(snw_packet_write_json(&sent.frame, text, room), 0);
        size = snw_packet_write_bytes(&sent.frame, bytes, sizeof bytes);
        assert_int_equal(size, 28 + 6 * (rotations ? 28 : 12));
        for (int k = 0; k < 6; k++)
            back.point[k].is_seen = false;
        assert_int_equal(snw_packet_read_bytes(&back.frame, bytes, size, NULL), SNW_OK);
        assert_same(&sent, &back, 6, 1e-6);
        for (size_t cut = 0; cut < size; cut++)
            assert_int_equal(snw_packet_read_bytes(&back.frame, bytes, cut, NULL), SNW_FORMAT);
    }
}

/* ---- WebSocket ------------------------------------------------------------------------------- */

/* RFC 6455, sections 1.3 and 5.7. */
static void websocket_has_the_bytes_of_the_specification(void **state)
{
    static const uint8_t hello[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d,
                                    0x7f, 0x9f, 0x4d, 0x51, 0x58};
    static const uint8_t ping[] = {0x89, 0x05};
    uint8_t bytes[SNW_WEBSOCKET_PREFIX], payload[5];
    snw_websocket_frame frame;
    snw_error error;
    char accept[29];
    (void)state;
    snw_websocket_accept("dGhlIHNhbXBsZSBub25jZQ==", 24, accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_true(snw_websocket_read(hello, sizeof hello, &frame, NULL));
    assert_true(frame.kind == SNW_WEBSOCKET_TEXT && frame.is_last && frame.is_masked);
    assert_true(frame.head == 6 && frame.payload == 5);
    memcpy(payload, hello + 6, 5);
    snw_websocket_mask(frame.mask, payload, 5);
    assert_memory_equal(payload, "Hello", 5);
    assert_int_equal(snw_websocket_write(SNW_WEBSOCKET_TEXT, 5, hello + 2, bytes), 6);
    assert_memory_equal(bytes, hello, 6);
    assert_int_equal(snw_websocket_write(SNW_WEBSOCKET_PING, 5, NULL, bytes), 2);
    assert_memory_equal(bytes, ping, 2);
    assert_int_equal(snw_websocket_write(SNW_WEBSOCKET_BYTES, 256, NULL, bytes), 4);
    assert_memory_equal(bytes, "\x82\x7e\x01\x00", 4);
    assert_int_equal(snw_websocket_write(SNW_WEBSOCKET_BYTES, 65536, NULL, bytes), 10);
    assert_memory_equal(bytes, "\x82\x7f\0\0\0\0\0\x01\0\0", 10);
    assert_true(snw_websocket_read(bytes, 10, &frame, NULL) && frame.payload == 65536);
    for (size_t cut = 0; cut < 6; cut++) {
        assert_false(snw_websocket_read(hello, cut, &frame, &error));
        assert_int_equal(error.status, SNW_OK);
    }
    static const uint8_t bad[][4] = {{0xc1, 0}, {0x83, 0}, {0x09, 1}, {0x88, 126, 0, 1}, {0x8f, 0}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_false(snw_websocket_read(bad[k], 4, &frame, &error));
        assert_int_equal(error.status, SNW_FORMAT);
    }
}

/* ---- VRChat ---------------------------------------------------------------------------------- */

static void vrchat_has_unitys_axes_and_angles(void **state)
{
    snw_skeleton *body = NULL;
    snw_rig *rig = NULL;
    snw_pose *pose = NULL, *rigged = NULL;
    snw_rig_options options = snw_rig_options_default();
    uint8_t bytes[SNW_PACKET_SIZE];
    snw_osc_message m;
    size_t at = 0;
    int hips = 0, messages = 0;
    (void)state;
    options.names = SNW_RIG_VRM;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_rig_create(body, &options, NULL, &rig, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(snw_rig_skeleton(rig), NULL, &rigged, NULL), SNW_OK);
    /* To the person's left (+X of ours, -X of Unity's), turned to the left by 90 degrees, which is
     * -90 about Unity's +Y. */
    pose->root.translation = snw_vec3_make(2, 0, 0);
    pose->root.rotation = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), SNW_PI / 2);
    snw_pose_forward(pose);
    snw_rig_step(rig, pose, rigged);
    int64_t size = snw_vrchat_write(rigged, bytes);
    while (snw_osc_next(bytes, (size_t)size, &at, &m, NULL)) {
        messages++;
        assert_int_equal(m.value_count, 3);
        if (strcmp(m.address, "/tracking/trackers/1/position") == 0) {
            check_near(m.value[0].number, -2, 1e-5);
            hips++;
        }
        if (strcmp(m.address, "/tracking/trackers/1/rotation") == 0) {
            check_near(m.value[0].number, 0, 1e-4);
            check_near(m.value[1].number, -90, 1e-4);
            check_near(m.value[2].number, 0, 1e-4);
            hips++;
        }
    }
    assert_int_equal(hips, 2);
    assert_int_equal(messages, 18);
    snw_pose_destroy(rigged);
    snw_pose_destroy(pose);
    snw_rig_destroy(rig);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qtm_reads_labels_and_places),
        cmocka_unit_test(qtm_comes_back_as_it_was_written),
        cmocka_unit_test(vrpn_reads_a_message_written_by_hand),
        cmocka_unit_test(vrpn_comes_back_as_it_was_written),
        cmocka_unit_test(json_reads_what_people_write),
        cmocka_unit_test(what_cameras_see_becomes_points),
        cmocka_unit_test(json_and_bytes_come_back_as_they_were_written),
        cmocka_unit_test(websocket_has_the_bytes_of_the_specification),
        cmocka_unit_test(vrchat_has_unitys_axes_and_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
