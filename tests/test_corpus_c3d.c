/* Every C3D file of the corpus (environment variable SINEW_CORPUS, a folder with MANIFEST.tsv)
 * loads with the counts of the manifest, and comes back bit for bit when written and read again. */
#include "same_trial.h"

#define LINE_SIZE     4096
#define COLUMNS_MAX   20
#define MANIFEST_NAME "/MANIFEST.tsv"

enum column {
    COLUMN_FILE = 0,
    COLUMN_FORMAT = 8,
    COLUMN_MARKERS,
    COLUMN_FRAMES,
    COLUMN_RATE,
    COLUMN_UNITS,
    COLUMN_GAPS,
    COLUMN_LONGEST,
    COLUMN_MISSING,
    COLUMN_NEVER,
    COLUMN_ANALOG,
    COLUMN_PLATES,
    COLUMN_EVENTS
};

/* One line of the manifest, cut at its tabs. */
typedef struct corpus_row {
    char line[LINE_SIZE];
    const char *column[COLUMNS_MAX];
} corpus_row;

static bool next_row(FILE *manifest, corpus_row *row)
{
    do {
        if (!fgets(row->line, sizeof row->line, manifest)) return false;
        row->line[strcspn(row->line, "\r\n")] = 0;
        char *at = row->line;
        for (int n = 0; n < COLUMNS_MAX; n++) {
            row->column[n] = at;
            at += strcspn(at, "\t");
            if (*at) *at++ = 0;
        }
    } while (!strstr(row->column[COLUMN_FILE], ".c3d"));
    return true;
}

typedef struct corpus_gaps {
    int interior, longest, never;
    double missing_pct; /* of the markers that are seen at all */
} corpus_gaps;

static corpus_gaps count_gaps(const snw_trial *trial)
{
    corpus_gaps gaps = {0, 0, 0, 0};
    double missing = 0, seen = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        snw_gap_summary summary = snw_trial_gaps(trial, m);
        gaps.interior += summary.interior_count;
        gaps.never += summary.is_never_seen;
        if (summary.longest > gaps.longest) gaps.longest = summary.longest;
        missing += summary.is_never_seen ? 0 : summary.missing_count;
        seen += summary.is_never_seen ? 0 : trial->frame_count;
    }
    gaps.missing_pct = seen > 0 ? 100 * missing / seen : 0;
    return gaps;
}

static int first_word(const snw_trial *trial, const char *group, const char *name, int index)
{
    const snw_parameter *parameter = snw_trial_find_parameter(trial, group, name);
    if (!parameter || parameter->type != SNW_PARAMETER_INT16 ||
        parameter->byte_count < 2 * (size_t)(index + 1))
        return 0;
    return ((const int16_t *)parameter->data)[index];
}

/* "2/4,4": how many force plates, and the type of each. */
static void print_plates(const snw_trial *trial, char *text, size_t size)
{
    int used = first_word(trial, "FORCE_PLATFORM", "USED", 0);
    int length = snprintf(text, size, used ? "%d/" : "%d", used);
    for (int n = 0; n < used && length < (int)size; n++)
        length += snprintf(text + length, size - (size_t)length, n ? ",%d" : "%d",
                           first_word(trial, "FORCE_PLATFORM", "TYPE", n));
}

static int group_events(const snw_trial *trial)
{
    int count = 0;
    for (int e = 0; e < trial->event_count; e++)
        count += !trial->event[e].is_in_header;
    return count;
}

static int faults; /* of all files, so that the table is printed whole */

/* The manifest leaves blank what nobody counted by other means. */
static bool is_told(const corpus_row *row, enum column column)
{
    return row->column[column][0] != 0;
}

static void expect_text(const corpus_row *row, enum column column, const char *actual)
{
    if (!is_told(row, column) || strcmp(row->column[column], actual) == 0) return;
    print_error("%s column %d: \"%s\", the manifest says \"%s\"\n", row->column[COLUMN_FILE],
                (int)column, actual, row->column[column]);
    faults++;
}

static void expect_number(const corpus_row *row, enum column column, double actual,
                          double tolerance)
{
    if (!is_told(row, column)) return;
    double expected = atof(row->column[column]);
    if (fabs(actual - expected) <= tolerance) return;
    print_error("%s column %d: %g, the manifest says %s\n", row->column[COLUMN_FILE], (int)column,
                actual, row->column[column]);
    faults++;
}

static void check_row(const corpus_row *row, const snw_trial *trial)
{
    static const char *const orders[] = {"", "Intel", "DEC", "MIPS"};
    char text[64];
    corpus_gaps gaps = count_gaps(trial);
    snprintf(text, sizeof text, "C3D %s %s", orders[trial->storage.order],
             trial->storage.is_integer ? "int" : "float");
    if (strcmp(row->column[COLUMN_FORMAT], "C3D") != 0) expect_text(row, COLUMN_FORMAT, text);
    expect_number(row, COLUMN_MARKERS, trial->marker_count, 0);
    /* The manifest counts frames of points; where there are none, the trial counts rotations. */
    expect_number(row, COLUMN_FRAMES, trial->marker_count ? trial->frame_count : 0, 0);
    expect_number(row, COLUMN_RATE, trial->rate, 0.0005); /* printed with 3 decimals */
    expect_text(row, COLUMN_UNITS, trial->unit);
    expect_number(row, COLUMN_GAPS, gaps.interior, 0);
    expect_number(row, COLUMN_LONGEST, gaps.longest, 0);
    expect_number(row, COLUMN_MISSING, gaps.missing_pct, 0.00501); /* printed with 2 decimals */
    expect_number(row, COLUMN_NEVER, gaps.never, 0);
    snprintf(text, sizeof text, "%dx%d", trial->analog_count, trial->analog_per_frame);
    expect_text(row, COLUMN_ANALOG, text);
    print_plates(trial, text, sizeof text);
    expect_text(row, COLUMN_PLATES, text);
    expect_number(row, COLUMN_EVENTS, group_events(trial), 0);
}

static void print_row(const corpus_row *row, const snw_trial *trial, const snw_notes *notes)
{
    corpus_gaps gaps = count_gaps(trial);
    printf("%-46s %4d x %5d %8.3f Hz %-3s up %d gaps %4d longest %4d missing %5.2f%% never %2d "
           "analog %dx%d rotations %d events %d\n",
           row->column[COLUMN_FILE], trial->marker_count, trial->frame_count, trial->rate,
           trial->unit, (int)trial->up, gaps.interior, gaps.longest, gaps.missing_pct, gaps.never,
           trial->analog_count, trial->analog_per_frame, trial->rotation_count, trial->event_count);
    for (int n = 0; n < notes->count; n++)
        printf("      note: %s\n", notes->note[n].text);
}

static FILE *open_manifest(const char *folder)
{
    char path[LINE_SIZE];
    snprintf(path, sizeof path, "%s" MANIFEST_NAME, folder);
    FILE *manifest = fopen(path, "r");
    if (!manifest) fail_msg("%s cannot be opened", path);
    return manifest;
}

static void every_file_has_the_counts_of_the_manifest(void **state)
{
    (void)state;
    const char *folder = corpus_folder();
    FILE *manifest = open_manifest(folder);
    corpus_row row;
    while (next_row(manifest, &row)) {
        char path[2 * LINE_SIZE];
        snprintf(path, sizeof path, "%s/%s", folder, row.column[COLUMN_FILE]);
        snw_trial *trial = NULL;
        snw_notes notes = snw_notes_none();
        snw_error error;
        if (snw_read_trial_file(path, NULL, NULL, &trial, &notes, &error) != SNW_OK) {
            print_error("%s\n", error.message);
            faults++;
            continue;
        }
        print_row(&row, trial, &notes);
        check_row(&row, trial);
        snw_trial_destroy(trial);
    }
    fclose(manifest);
    assert_int_equal(faults, 0);
}

/* Parameters that say where the data lie, how many frames a cut file claims, and a scale that is
 * not the header's. */
static bool may_change(const char *name)
{
    static const char *const names[] = {"DATA_START", "FRAMES", "SCALE"};
    bool is_one = false;
    for (int n = 0; n < 3; n++)
        is_one |= strcmp(name, names[n]) == 0;
    return is_one;
}

static int check_parameters(const char *file, const snw_trial *before, const snw_trial *after)
{
    int changed = 0;
    for (int g = 0; g < before->group_count; g++) {
        const snw_parameter_group *group = before->group + g;
        assert_string_equal(after->group[g].name, group->name);
        assert_string_equal(after->group[g].description, group->description);
        assert_true(after->group[g].parameter_count >= group->parameter_count);
        for (int p = 0; p < group->parameter_count; p++) {
            const snw_parameter *a = group->parameter + p, *b = after->group[g].parameter + p;
            assert_string_equal(a->name, b->name);
            assert_string_equal(a->description, b->description);
            assert_int_equal(a->is_locked, b->is_locked);
            bool is_same = a->type == b->type && a->byte_count == b->byte_count &&
                           memcmp(a->data, b->data, a->byte_count) == 0 &&
                           memcmp(a->dimension, b->dimension, sizeof a->dimension) == 0;
            if (is_same) continue;
            changed++;
            if (strcmp(a->name, "DATA_START") != 0)
                printf("%s: %s:%s was brought in step\n", file, group->name, a->name);
            assert_true(may_change(a->name));
        }
    }
    return changed;
}

static snw_trial *written_and_read(const snw_trial *trial)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    snw_trial *again = NULL;
    snw_notes notes = snw_notes_none();
    if (snw_read_trial(&source, NULL, NULL, &again, &notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_memory_sink_release(&bytes);
    return again;
}

static void every_file_comes_back_bit_for_bit(void **state)
{
    (void)state;
    const char *folder = corpus_folder();
    FILE *manifest = open_manifest(folder);
    corpus_row row;
    while (next_row(manifest, &row)) {
        char path[2 * LINE_SIZE];
        snprintf(path, sizeof path, "%s/%s", folder, row.column[COLUMN_FILE]);
        snw_trial *trial = NULL;
        assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, NULL), SNW_OK);
        snw_trial *again = written_and_read(trial);
        /* its integers did not hold one of its coordinates */
        if (strstr(path, "art_6dof_limbs")) trial->storage.is_integer = false;
        check_same_trial(trial, again);
        assert_int_equal(trial->first_frame, again->first_frame);
        (void)check_parameters(row.column[COLUMN_FILE], trial, again);
        snw_trial_destroy(again);
        snw_trial_destroy(trial);
    }
    fclose(manifest);
}

/* c3d.org's sample 1: one gait trial in six storages. Integers are steps of 1/12 mm, so they may be
 * half a step from the floats, and DEC rounds like the others. */
static void one_trial_in_six_storages_is_one_trial(void **state)
{
    (void)state;
    static const char *const names[] = {"pr", "sr", "vr", "pi", "si", "vi"};
    const char *folder = corpus_folder();
    snw_trial *trial[6] = {NULL};
    for (int n = 0; n < 6; n++) {
        char path[LINE_SIZE];
        snprintf(path, sizeof path, "%s/c3d_variants/Eb015%s.c3d", folder, names[n]);
        assert_int_equal(snw_read_trial_file(path, NULL, NULL, trial + n, NULL, NULL), SNW_OK);
        assert_int_equal(trial[n]->frame_count, 450);
        for (int frame = 0; frame < 450; frame++) {
            for (int m = 0; m < 26; m++) {
                assert_int_equal(snw_trial_is_present(trial[n], frame, m),
                                 snw_trial_is_present(trial[0], frame, m));
                check_vec3_near(snw_trial_position(trial[n], frame, m),
                                snw_trial_position(trial[0], frame, m), 1e-3 * sqrt(3) / 24 + 1e-7);
                assert_int_equal(snw_trial_cameras(trial[n], frame, m),
                                 snw_trial_cameras(trial[0], frame, m));
            }
            for (int c = 0; c < 16; c++) /* scale factors of DEC have 24 bits too */
                check_near(snw_trial_analog(trial[n], frame, 3, c),
                           snw_trial_analog(trial[0], frame, 3, c), 1e-3);
        }
        assert_int_equal(trial[n]->event_count, 3);
        assert_string_equal(trial[n]->event[0].label, trial[0]->event[0].label);
        check_near(trial[n]->event[2].time, trial[0]->event[2].time, 1e-6);
    }
    for (int n = 0; n < 6; n++)
        snw_trial_destroy(trial[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_comes_back_bit_for_bit),
        cmocka_unit_test(one_trial_in_six_storages_is_one_trial),
        cmocka_unit_test(every_file_has_the_counts_of_the_manifest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
