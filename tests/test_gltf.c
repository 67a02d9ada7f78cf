/* GLB and VRM are read: what we write comes back, bodies of others (scaled, bound in another pose
 * than their nodes, keyed sparsely, with nodes in any order) stand where glTF's own rules put
 * them, and what is not well is refused with a sentence. */
#include "check.h"

static snw_motion *read_bytes(const void *bytes, size_t size, snw_error *error)
{
    snw_memory_source state;
    snw_source source = snw_source_from_memory(&state, bytes, size);
    snw_motion *motion = NULL;
    (void)snw_read_motion(&source, NULL, NULL, &motion, NULL, error);
    return motion;
}

/* A GLB of this JSON and these floats. */
static uint8_t *make_glb(const char *json, const float *data, size_t count, size_t *size)
{
    size_t text = (strlen(json) + 3) / 4 * 4, binary = 4 * count;
    *size = 12 + 8 + text + 8 + binary;
    uint8_t *bytes = calloc(1, *size);
    const uint32_t head[5] = {0x46546c67, 2, (uint32_t)*size, (uint32_t)text, 0x4e4f534a};
    const uint32_t second[2] = {(uint32_t)binary, 0x004e4942};
    memcpy(bytes, head, 20);
    memset(bytes + 20, ' ', text);
    memcpy(bytes + 20, json, strlen(json));
    memcpy(bytes + 20 + text, second, 8);
    memcpy(bytes + 28 + text, data, binary);
    return bytes;
}

static snw_motion *read_json(const char *json, const float *data, size_t count, snw_error *error)
{
    size_t size;
    uint8_t *bytes = make_glb(json, data, count, &size);
    snw_motion *motion = read_bytes(bytes, size, error);
    free(bytes);
    return motion;
}

static snw_motion *make_walk(void)
{
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_motion *walk = NULL;
    options.seconds = 1;
    options.rate = 60;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_motion_create(body, &options, NULL, &walk, NULL), SNW_OK);
    walk->own_skeleton = body;
    return walk;
}

static void check_same_places(const snw_motion *a, const snw_motion *b, double tolerance)
{
    snw_pose *p = NULL, *q = NULL;
    assert_int_equal(a->frame_count, b->frame_count);
    assert_int_equal(a->skeleton->joint_count, b->skeleton->joint_count);
    check_near(b->rate, a->rate, 1e-9);
    assert_int_equal(snw_pose_create(a->skeleton, NULL, &p, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(b->skeleton, NULL, &q, NULL), SNW_OK);
    for (int frame = 0; frame < a->frame_count; frame++) {
        snw_motion_get(a, frame, p);
        snw_motion_get(b, frame, q);
        snw_pose_forward(p);
        snw_pose_forward(q);
        for (int j = 0; j < a->skeleton->joint_count; j++)
            check_vec3_near(snw_pose_tip(q, j), snw_pose_tip(p, j), tolerance);
    }
    snw_pose_destroy(p);
    snw_pose_destroy(q);
}

static void test_what_is_written_comes_back(void **state)
{
    (void)state;
    snw_motion *walk = make_walk();
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    snw_error error;
    assert_int_equal(snw_write_motion(walk, SNW_FORMAT_GLB, NULL, &sink, &error), SNW_OK);
    snw_motion *again = read_bytes(memory.bytes, memory.size, &error);
    if (!again) fail_msg("%s", error.message);
    for (int j = 0; j < walk->skeleton->joint_count; j++) {
        assert_string_equal(again->skeleton->name[j], walk->skeleton->name[j]);
        assert_int_equal(again->skeleton->parent[j], walk->skeleton->parent[j]);
        assert_int_equal(again->skeleton->has_tip[j], walk->skeleton->has_tip[j]);
    }
    /* Floats of 2 m, a dozen joints deep. */
    check_same_places(walk, again, 3e-6);
    snw_motion_destroy(again);
    snw_memory_sink_release(&memory);
    snw_motion_destroy(walk);
}

static void test_vrm_needs_its_bones_and_comes_back(void **state)
{
    (void)state;
    snw_motion *walk = make_walk(), *rigged = NULL;
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    snw_rig_options options = snw_rig_options_default();
    snw_error error;
    assert_int_equal(snw_write_motion(walk, SNW_FORMAT_VRM, NULL, &sink, &error), SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "hips"));
    options.names = SNW_RIG_VRM;
    assert_int_equal(snw_motion_to_rig(walk, &options, NULL, &rigged, NULL, &error), SNW_OK);
    assert_int_equal(snw_write_motion(rigged, SNW_FORMAT_VRM, NULL, &sink, &error), SNW_OK);
    snw_memory_source bytes;
    snw_source source = snw_source_from_memory(&bytes, memory.bytes, memory.size);
    assert_int_equal(snw_detect_format(&source), SNW_FORMAT_VRM);
    snw_motion *again = read_bytes(memory.bytes, memory.size, &error);
    if (!again) fail_msg("%s", error.message);
    assert_true(snw_skeleton_find_joint(again->skeleton, "leftUpperArm") > 0);
    check_same_places(rigged, again, 3e-6);
    snw_motion_destroy(again);
    snw_motion_destroy(rigged);
    snw_memory_sink_release(&memory);
    snw_motion_destroy(walk);
}

static void check_surface_comes_back(int joints)
{
    snw_motion *walk = make_walk();
    snw_character character;
    snw_figure_options coarse = snw_figure_options_default();
    snw_write_options options = snw_write_options_default();
    snw_mesh *mesh = NULL;
    snw_skin *skin = NULL;
    snw_error error;
    coarse.cell = 0.03;
    assert_int_equal(snw_figure_create(walk->skeleton, &coarse, NULL, &mesh, NULL, &error), SNW_OK);
    snw_skin_options how = snw_skin_options_default();
    how.joints = joints;
    how.has_bends = joints > 4; /* shapes are written, and read over */
    assert_int_equal(snw_skin_create(mesh, walk->skeleton, &how, NULL, &skin, &error), SNW_OK);
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    options.skin = skin;
    assert_int_equal(snw_write_motion(walk, SNW_FORMAT_GLB, &options, &sink, &error), SNW_OK);
    snw_memory_source bytes;
    snw_source source = snw_source_from_memory(&bytes, memory.bytes, memory.size);
    if (snw_read_character(&source, NULL, NULL, &character, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    const snw_skin *copy = character.skin;
    assert_int_equal(copy->most_joints, joints);
    assert_int_equal(copy->mesh->count.vertex_count, mesh->count.vertex_count);
    assert_int_equal(copy->mesh->count.triangle_count, mesh->count.triangle_count);
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        check_vec3_near(copy->mesh->vertex[v], mesh->vertex[v], 3e-7); /* floats of 2 m */
        for (int k = 0; k < SNW_SKIN_JOINTS; k++) {
            check_near((double)copy->vertex[v].weight[k], (double)skin->vertex[v].weight[k], 1e-6);
            if (skin->vertex[v].weight[k] > 0)
                assert_int_equal(copy->vertex[v].joint[k], skin->vertex[v].joint[k]);
        }
    }
    snw_character_release(&character);
    snw_memory_sink_release(&memory);
    snw_skin_destroy(skin);
    snw_mesh_destroy(mesh);
    snw_motion_destroy(walk);
}

static void test_a_surface_comes_back_with_its_weights(void **state)
{
    (void)state;
    check_surface_comes_back(4);
    check_surface_comes_back(8);
}

/* Nodes backwards, an armature scaled by 0.01 and turned by 90 degrees about x, as Mixamo's files
 * have it; the forearm turned by 90 degrees about z in its node and not in the bind pose. The bind
 * matrices are of centimetres: inverse of a move by (0, 100, 0), and by (30, 100, 0). */
static const char *const scaled_json =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
    "{\"name\":\"hand_end\",\"translation\":[20,0,0]},"
    "{\"name\":\"arm\",\"children\":[0],\"translation\":[30,0,0],"
    "\"rotation\":[0,0,0.70710678,0.70710678]},"
    "{\"name\":\"h\\u0069ps\",\"children\":[1],\"translation\":[0,100,0]},"
    "{\"name\":\"Armature\",\"children\":[2],\"scale\":[0.01,0.01,0.01],"
    "\"rotation\":[0.70710678,0,0,0.70710678]}],"
    "\"skins\":[{\"joints\":[2,1],\"inverseBindMatrices\":0}],"
    "\"buffers\":[{\"byteLength\":128}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":128}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"}]}";

static void test_scales_and_bind_poses_of_others(void **state)
{
    (void)state;
    const float bind[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,   -100, 0, 1,
                            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -30, -100, 0, 1};
    snw_error error;
    snw_motion *motion = read_json(scaled_json, bind, 32, &error);
    if (!motion) fail_msg("%s", error.message);
    assert_int_equal(motion->skeleton->joint_count, 2);
    assert_string_equal(motion->skeleton->name[0], "hips");
    assert_string_equal(motion->skeleton->name[1], "arm");
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(motion->skeleton, NULL, &pose, NULL), SNW_OK);
    snw_pose_reset(pose);
    /* +y of the file's bones is +z here, 1 m away; at rest the arm lies along x to its end. */
    check_vec3_near(pose->world[0].translation, snw_vec3_make(0, 0, 1), 1e-6);
    check_vec3_near(pose->world[1].translation, snw_vec3_make(0.3, 0, 1), 1e-6);
    check_vec3_near(snw_pose_tip(pose, 1), snw_vec3_make(0.5, 0, 1), 1e-6);
    /* As the nodes stand, the end is turned up: along +z. */
    snw_motion_get(motion, 0, pose);
    snw_pose_forward(pose);
    check_vec3_near(pose->world[1].translation, snw_vec3_make(0.3, 0, 1), 1e-6);
    check_vec3_near(snw_pose_tip(pose, 1), snw_vec3_make(0.3, 0, 1.2), 1e-6);
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
}

/* Keys at 0, 0.5 and 1 s for the turn, 0 and 0.25 for the place, which is a cubic spline. */
static const char *const keyed_json =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\",\"children\":[1]},"
    "{\"name\":\"b\",\"translation\":[1,0,0]}],\"animations\":[{\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"translation\"}}],\"samplers\":["
    "{\"input\":0,\"output\":1},{\"input\":2,\"output\":3,\"interpolation\":\"CUBICSPLINE\"}]}],"
    "\"buffers\":[{\"byteLength\":140}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":140}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":60,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"byteOffset\":68,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"}]}";

static void test_sparse_keys_are_sampled_by_the_rules_of_gltf(void **state)
{
    (void)state;
    const float half = 0.70710678f;
    const float data[35] = {0, 0.5f, 1, 0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1, 0, 0.25f,
                            /* in-tangent, value, out-tangent, twice */
                            0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    snw_error error;
    snw_motion *motion = read_json(keyed_json, data, 35, &error);
    if (!motion) fail_msg("%s", error.message);
    assert_int_equal(motion->frame_count, 5);
    check_near(motion->rate, 4, 1e-9);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(motion->skeleton, NULL, &pose, NULL), SNW_OK);
    const double angle[5] = {0, 45, 90, 45, 0}; /* degrees about z */
    for (int frame = 0; frame < 5; frame++) {
        snw_motion_get(motion, frame, pose);
        snw_pose_forward(pose);
        check_near(snw_degrees(snw_quat_twist_angle(pose->rotation[1], snw_vec3_make(0, 0, 1))),
                   angle[frame], 1e-4);
        check_near(pose->world[0].translation.x, frame ? 1 : 0, 1e-6);
    }
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
}

static void test_what_is_not_well_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *json, *word;
    } bad[] = {
        {"{", "JSON"},
        {"[1,2", "JSON"},
        {"{\"nodes\":[{\"children\":[0]}]}", "child"},
        {"{\"nodes\":[{\"children\":[1]},{\"children\":[2]},{\"children\":[1]}]}", "child"},
        {"{\"nodes\":[{},{\"children\":[2]},{\"children\":[1]}],\"skins\":[{\"joints\":[1]}]}",
         "ancestors"},
        {"{\"nodes\":[{\"mesh\":3}]}", "mesh"},
        {"{\"nodes\":[{\"scale\":[1,-1,1]}]}", "mirrored"},
        {"{\"nodes\":[{}],\"skins\":[{\"joints\":[7]}]}", "node"},
        {"{\"nodes\":[{\"name\":\"a\"}]}", "no bones"},
        {"{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", "draco"},
        {"{\"buffers\":[{\"uri\":\"x.bin\",\"byteLength\":4}]}", "other files"},
        {"{\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":9,\"type\":\"VEC3\"}],"
         "\"bufferViews\":[{\"buffer\":0,\"byteLength\":4}]}",
         "ends behind"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        const float data[1] = {0};
        snw_error error;
        snw_motion *motion = read_json(bad[n].json, data, 1, &error);
        if (motion || !strstr(error.message, bad[n].word))
            fail_msg("%s: %s", bad[n].json, motion ? "was read" : error.message);
    }
}

static void test_cut_files_are_refused(void **state)
{
    (void)state;
    const float bind[32] = {0};
    size_t size;
    uint8_t *bytes = make_glb(scaled_json, bind, 32, &size);
    for (size_t length = 0; length < size; length += 1 + length / 64) {
        snw_error error;
        uint8_t *own = malloc(length + 1); /* reading past the end is seen */
        memcpy(own, bytes, length);
        snw_motion *motion = read_bytes(own, length, &error);
        assert_null(motion);
        assert_true(error.message[0] != 0);
        free(own);
    }
    free(bytes);
}

static void test_a_mesh_goes_out_and_comes_back(void **state)
{
    (void)state;
    const snw_mesh_counts counts = {4, 0, 4, 0};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    snw_mesh *mesh = NULL, *again = NULL;
    snw_error error;
    assert_int_equal(snw_mesh_create(&counts, NULL, &mesh, NULL), SNW_OK);
    for (int v = 1; v < 4; v++)
        mesh->vertex[v] = snw_vec3_make(v == 1, v == 2, 0.5 * (v == 3));
    memcpy(mesh->triangle, faces, sizeof faces);
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    assert_int_equal(snw_write_mesh(mesh, SNW_FORMAT_GLB, NULL, &sink, &error), SNW_OK);
    snw_memory_source bytes;
    snw_source source = snw_source_from_memory(&bytes, memory.bytes, memory.size);
    if (snw_read_mesh(&source, NULL, NULL, &again, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_mass_properties mass;
    assert_int_equal(snw_mesh_mass(again, NULL, &mass, &error), SNW_OK);
    check_near(mass.volume, 1.0 / 12, 1e-12); /* its corners are floats exactly */
    snw_mesh_destroy(again);
    snw_memory_sink_release(&memory);
    snw_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_comes_back),
        cmocka_unit_test(test_vrm_needs_its_bones_and_comes_back),
        cmocka_unit_test(test_a_surface_comes_back_with_its_weights),
        cmocka_unit_test(test_scales_and_bind_poses_of_others),
        cmocka_unit_test(test_sparse_keys_are_sampled_by_the_rules_of_gltf),
        cmocka_unit_test(test_what_is_not_well_is_refused_with_a_sentence),
        cmocka_unit_test(test_cut_files_are_refused),
        cmocka_unit_test(test_a_mesh_goes_out_and_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
