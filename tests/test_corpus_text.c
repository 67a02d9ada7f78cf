/* The text files of the corpus against its manifest, and the three descriptions of one capture
 * (C3D markers, BVH, ASF/AMC) against each other. Skipped where SINEW_CORPUS is not set. */
#include "motion_checks.h"

static char *slurp(const char *name, size_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", corpus_folder(), name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = (char *)malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

/* Field `index` of a tab-separated line, as a string in a static buffer. */
static const char *field(const char *line, int index)
{
    static char text[512];
    for (; index > 0; index--) {
        line += strcspn(line, "\t\n");
        if (*line == '\t') line++;
    }
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\t\n"), line);
    return text;
}

/* Columns of MANIFEST.tsv. */
enum {
    column_file = 0,
    column_format = 8,
    column_markers = 9,
    column_frames = 10,
    column_rate = 11,
    column_units = 12,
    column_gaps = 13,
    column_longest = 14,
    column_missing = 15,
    column_never = 16
};

static void check_trial_row(const char *line, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", corpus_folder(), name);
    snw_trial *trial = NULL;
    snw_notes notes = snw_notes_none();
    snw_error error;
    if (snw_read_trial_file(path, NULL, NULL, &trial, &notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    int gaps = 0, longest = 0, never = 0;
    double missing = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        snw_gap_summary gap = snw_trial_gaps(trial, m);
        gaps += gap.interior_count;
        longest = gap.longest > longest ? gap.longest : longest;
        never += gap.is_never_seen;
        missing += gap.missing_count;
    }
    double percent = 100 * missing / ((double)trial->marker_count * trial->frame_count);
    print_message("  %-36s %3d markers %5d frames %6.2f Hz %-2s %3d gaps %6.2f %% missing\n", name,
                  trial->marker_count, trial->frame_count, trial->rate, trial->unit, gaps, percent);
    for (int n = 0; n < notes.count; n++)
        print_message("      %s\n", notes.note[n].text);
    assert_int_equal(trial->marker_count, atoi(field(line, column_markers)));
    assert_int_equal(trial->frame_count, atoi(field(line, column_frames)));
    check_near(trial->rate, atof(field(line, column_rate)), 0);
    if (*field(line, column_units)) {
        assert_string_equal(trial->unit, field(line, column_units));
        assert_int_equal(gaps, atoi(field(line, column_gaps)));
        assert_int_equal(longest, atoi(field(line, column_longest)));
        assert_int_equal(never, atoi(field(line, column_never)));
        /* The manifest rounds to two decimals. */
        check_near(percent, atof(field(line, column_missing)), 0.005001);
    }
    snw_trial_destroy(trial);
}

static snw_motion *read_corpus_motion(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", corpus_folder(), name);
    snw_motion *motion = NULL;
    snw_error error;
    if (snw_read_motion_file(path, NULL, NULL, &motion, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return motion;
}

static snw_motion *read_corpus_acclaim(const char *asf, const char *amc)
{
    size_t size[2];
    char *bytes[2] = {slurp(asf, size), slurp(amc, size + 1)};
    snw_memory_source memory[2];
    snw_source body = snw_source_from_memory(memory, bytes[0], size[0]);
    snw_source frames = snw_source_from_memory(memory + 1, bytes[1], size[1]);
    snw_motion *motion = NULL;
    snw_error error;
    if (snw_read_acclaim(&(snw_acclaim_sources){&body, &frames, NULL}, NULL, NULL, &motion, NULL,
                         &error) != SNW_OK)
        fail_msg("%s", error.message);
    free(bytes[0]);
    free(bytes[1]);
    return motion;
}

static void check_motion_row(const char *line, const char *name, bool is_bvh)
{
    snw_motion *motion =
        is_bvh ? read_corpus_motion(name) : read_corpus_acclaim("asf_amc/02.asf", name);
    print_message("  %-36s %3d joints  %5d frames %6.2f Hz, body %.3f m\n", name,
                  motion->skeleton->joint_count, motion->frame_count, motion->rate,
                  motion->skeleton->size);
    assert_int_equal(motion->frame_count, atoi(field(line, column_frames)));
    check_near(motion->rate, atof(field(line, column_rate)), 0);
    if (is_bvh) assert_int_equal(motion->skeleton->joint_count, atoi(field(line, column_markers)));
    release(motion);
}

static void every_text_file_has_the_counts_of_the_manifest(void **state)
{
    (void)state;
    size_t size;
    char *manifest = slurp("MANIFEST.tsv", &size);
    int checked = 0;
    for (char *line = manifest; *line; line += strcspn(line, "\n") + 1) {
        char name[256], format[64];
        snprintf(name, sizeof name, "%.200s", field(line, column_file));
        snprintf(format, sizeof format, "%.60s", field(line, column_format));
        bool is_bvh = strncmp(format, "BVH", 3) == 0, is_amc = strcmp(format, "AMC") == 0;
        bool is_table = strcmp(format, "TRC") == 0 || strcmp(format, "CSV") == 0;
        if (is_table) check_trial_row(line, name);
        if (is_bvh || is_amc) check_motion_row(line, name, is_bvh);
        checked += is_table || is_bvh || is_amc;
        if (!line[strcspn(line, "\n")]) break;
    }
    free(manifest);
    assert_int_equal(checked, 16);
}

static snw_pose *pose_of(const snw_motion *motion)
{
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(motion->skeleton, NULL, &pose, NULL), SNW_OK);
    return pose;
}

static snw_vec3 between(const snw_pose *pose, const char *from, const char *to)
{
    int a = snw_skeleton_find_joint(pose->skeleton, from);
    int b = snw_skeleton_find_joint(pose->skeleton, to);
    assert_true(a >= 0 && b >= 0);
    return snw_vec3_sub(pose->world[b].translation, pose->world[a].translation);
}

/* The BVH was made from the ASF and AMC with a T-pose put in front. It starts neck, shoulders and
 * hands at the parent's start (OFFSET 0 0 0) instead of its end, so segments are compared one by
 * one. Its numbers have four and five decimals: 1e-4 degrees over 1.2 m and 5e-6 units. */
static void amc_and_bvh_of_one_capture_agree(void **state)
{
    (void)state;
    static const struct {
        const char *amc[2], *bvh[2];
    } segments[] = {
        {{"root", "ltoes"}, {"Hips", "LeftToeBase"}},
        {{"root", "rtoes"}, {"Hips", "RightToeBase"}},
        {{"root", "thorax"}, {"Hips", "Spine1"}},
        {{"lowerneck", "head"}, {"Neck", "Head"}},
        {{"lclavicle", "lwrist"}, {"LeftShoulder", "LeftHand"}},
        {{"rclavicle", "rwrist"}, {"RightShoulder", "RightHand"}},
        {{"lhand", "lfingers"}, {"LeftFingerBase", "LeftHandIndex1"}},
    };
    snw_motion *amc = read_corpus_acclaim("asf_amc/02.asf", "asf_amc/02_05.amc");
    snw_motion *bvh = read_corpus_motion("bvh/02_05.bvh");
    snw_pose *a = pose_of(amc), *b = pose_of(bvh);
    for (int frame = 0; frame < amc->frame_count; frame += 10) {
        snw_motion_get(amc, frame, a);
        snw_motion_get(bvh, frame + 1, b);
        snw_pose_forward(a);
        snw_pose_forward(b);
        check_vec3_near(a->root.translation, b->root.translation, 1e-5);
        for (size_t n = 0; n < sizeof segments / sizeof *segments; n++)
            check_vec3_near(between(a, segments[n].amc[0], segments[n].amc[1]),
                            between(b, segments[n].bvh[0], segments[n].bvh[1]), 2e-5);
    }
    snw_pose_destroy(a);
    snw_pose_destroy(b);
    release(amc);
    release(bvh);
}

static double nearest_marker(const snw_trial *trial, int frame, snw_vec3 place)
{
    double nearest = INFINITY;
    for (int m = 0; m < trial->marker_count; m++) {
        snw_vec3 p = snw_trial_position(trial, frame, m);
        /* The lab is z up; Acclaim has (x, y, z) = the lab's (y, z, x). */
        double distance = snw_vec3_distance(place, snw_vec3_make(p.y, p.z, p.x));
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

/* Joints are inside the body and markers on it: a wrong unit or axis would put them metres apart.
 * 0.25 m is the largest distance inside a trunk of one ring of markers. */
static void joints_lie_among_the_markers_of_the_same_capture(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/c3d_body/cmu_02_01_walk.c3d", corpus_folder());
    snw_trial *trial = NULL;
    snw_error error;
    if (snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_motion *amc = read_corpus_acclaim("asf_amc/02.asf", "asf_amc/02_01.amc");
    assert_int_equal(amc->frame_count, trial->frame_count);
    snw_pose *pose = pose_of(amc);
    for (int frame = 0; frame < amc->frame_count; frame += 20) {
        snw_motion_get(amc, frame, pose);
        snw_pose_forward(pose);
        for (int j = 0; j < amc->skeleton->joint_count; j++)
            assert_true(nearest_marker(trial, frame, pose->world[j].translation) < 0.25);
    }
    snw_pose_destroy(pose);
    release(amc);
    snw_trial_destroy(trial);
}

/* The rewritten file as a second reader of it sees it: every joint where it was. */
static void corpus_motions_survive_a_write_and_a_read(void **state)
{
    (void)state;
    snw_motion *motion = read_corpus_motion("bvh/09_01.bvh");
    snw_memory_sink memory;
    write_motion(motion, SNW_FORMAT_BVH, SNW_UP_UNKNOWN, &memory);
    snw_memory_source bytes;
    snw_source source = snw_source_from_memory(&bytes, memory.bytes, memory.size);
    snw_motion *again = NULL;
    snw_notes notes = snw_notes_none();
    assert_int_equal(snw_read_motion(&source, NULL, NULL, &again, &notes, NULL), SNW_OK);
    check_near(again->metres_per_unit, motion->metres_per_unit, 0);
    check_same_world(motion, again, snw_quat_identity());
    release(again);
    release(motion);
    snw_memory_sink_release(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_file_has_the_counts_of_the_manifest),
        cmocka_unit_test(amc_and_bvh_of_one_capture_agree),
        cmocka_unit_test(joints_lie_among_the_markers_of_the_same_capture),
        cmocka_unit_test(corpus_motions_survive_a_write_and_a_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
