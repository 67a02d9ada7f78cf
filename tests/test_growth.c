/* What reading costs: files of one structure, once, twice and four times as long, plain and
 * hostile. The work is counted in basic blocks of the library (tests/CMakeLists.txt builds a copy
 * with -fsanitize-coverage=trace-pc; elsewhere only memory is looked at) and bytes that libc moves
 * or compares for it, so that the figures are the same on every run: it grows with the file and not
 * faster. Memory stays below 64 times the file and 1 MiB, as SECURITY.md promises. */
#include "growth_bodies.h"

/* ---- counting the work ------------------------------------------------------------------------
 */

static int64_t work;

#ifdef SINEW_COUNTS_WORK
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    work++;
}

/* The readers' calls of libc come here (-Wl,--wrap): sixteen bytes are as one block. */
#define COUNTED(result, name, parameters, arguments, bytes) \
    result __real_##name parameters;                        \
    result __wrap_##name parameters;                        \
    result __wrap_##name parameters                         \
    {                                                       \
        work += 1 + (int64_t)(bytes) / 16;                  \
        return __real_##name arguments;                     \
    }

static size_t same_bytes(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

COUNTED(void *, memcpy, (void *to, const void *from, size_t size), (to, from, size), size)
COUNTED(void *, memmove, (void *to, const void *from, size_t size), (to, from, size), size)
COUNTED(void *, memset, (void *to, int byte, size_t size), (to, byte, size), size)
COUNTED(int, memcmp, (const void *a, const void *b, size_t size), (a, b, size), size)
COUNTED(int, strcmp, (const char *a, const char *b), (a, b), same_bytes(a, b))

size_t __real_strlen(const char *text);
size_t __wrap_strlen(const char *text);
size_t __wrap_strlen(const char *text)
{
    size_t length = __real_strlen(text);
    work += 1 + (int64_t)length / 16;
    return length;
}

void *__real_memchr(const void *bytes, int byte, size_t size);
void *__wrap_memchr(const void *bytes, int byte, size_t size);
void *__wrap_memchr(const void *bytes, int byte, size_t size)
{
    const char *found = (const char *)__real_memchr(bytes, byte, size);
    work += 1 + (int64_t)(found ? (size_t)(found - (const char *)bytes) : size) / 16;
    return (void *)found;
}
#endif

/* ---- counting the memory --------------------------------------------------------------------
 */

typedef struct peak_memory {
    size_t live, peak;
} peak_memory;

static void *peak_allocate(void *context, size_t size)
{
    peak_memory *memory = (peak_memory *)context;
    memory->live += size;
    if (memory->live > memory->peak) memory->peak = memory->live;
    return malloc(size);
}

static void peak_release(void *context, void *block, size_t size)
{
    ((peak_memory *)context)->live -= size;
    free(block);
}

/* ---- one function for each reader -----------------------------------------------------------
 */

typedef struct reading_job {
    snw_source source;
    const growing *file;
    const snw_allocator *allocator;
    snw_read_options options;
    snw_error error;
} reading_job;

static snw_motion *amc_body;

static snw_status read_trial(reading_job *job)
{
    snw_trial *trial = NULL;
    snw_notes notes = snw_notes_none();
    snw_status status =
        snw_read_trial(&job->source, &job->options, job->allocator, &trial, &notes, &job->error);
    snw_trial_destroy(trial);
    return status;
}

static snw_status read_motion(reading_job *job)
{
    snw_motion *motion = NULL;
    snw_notes notes = snw_notes_none();
    snw_status status =
        snw_read_motion(&job->source, &job->options, job->allocator, &motion, &notes, &job->error);
    snw_motion_destroy(motion);
    return status;
}

static snw_status read_amc(reading_job *job)
{
    snw_motion *motion = NULL;
    snw_notes notes = snw_notes_none();
    snw_status status =
        snw_read_acclaim(&(snw_acclaim_sources){NULL, &job->source, amc_body->skeleton},
                         &job->options, job->allocator, &motion, &notes, &job->error);
    snw_motion_destroy(motion);
    return status;
}

static snw_status read_table(reading_job *job)
{
    snw_table *table = NULL;
    snw_notes notes = snw_notes_none();
    snw_status status =
        snw_read_table(&job->source, &job->options, job->allocator, &table, &notes, &job->error);
    snw_table_destroy(table);
    return status;
}

static snw_status read_actor(reading_job *job)
{
    snw_actor *actor = NULL;
    snw_status status =
        snw_actor_parse(job->file->bytes, job->file->size, job->allocator, &actor, &job->error);
    snw_actor_destroy(actor);
    return status;
}

static snw_status read_style(reading_job *job)
{
    snw_style *style = NULL;
    snw_status status =
        snw_style_parse(job->file->bytes, job->file->size, job->allocator, &style, &job->error);
    snw_style_destroy(style);
    return status;
}

static snw_status read_space(reading_job *job)
{
    snw_state_space *space = NULL;
    snw_status status = snw_state_space_parse(job->file->bytes, job->file->size, job->allocator,
                                              &space, &job->error);
    snw_state_space_destroy(space);
    return status;
}

static snw_trial *small_trial;

static snw_status read_segments(reading_job *job)
{
    snw_segments *segments = NULL;
    snw_text set = {job->file->bytes, job->file->size};
    snw_status status =
        snw_segments_from_set(small_trial, set, NULL, job->allocator, &segments, &job->error);
    snw_segments_destroy(segments);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------
 */

static const struct growth {
    const char *name;
    snw_status (*read)(reading_job *job);
    void (*build)(growing *file, int n);
    int n; /* the smallest; joints of a body end at 4096 */
} table[] = {
#define ROW(reader, structure, n)        \
    {                                    \
#structure, reader, structure, n \
    }
    ROW(read_trial, c3d_frames, 1000),
    ROW(read_trial, c3d_markers, 2000),
    ROW(read_trial, c3d_channels, 1000),
    ROW(read_trial, c3d_events, 500),
    ROW(read_trial, c3d_parameters, 4000),
    ROW(read_trial, c3d_same_parameters, 4000),
    ROW(read_trial, c3d_groups, 4000),
    ROW(read_trial, c3d_damage, 10000),
    ROW(read_trial, c3d_long_names, 50000),
    ROW(read_trial, trc_frames, 1000),
    ROW(read_trial, trc_markers, 2000),
    ROW(read_trial, trc_same_names, 2000),
    ROW(read_trial, trc_colliding_names, 500),
    ROW(read_trial, trc_blank_lines, 20000),
    ROW(read_trial, trc_header_keys, 4000),
    ROW(read_trial, csv_frames, 1000),
    ROW(read_trial, csv_markers, 2000),
    ROW(read_trial, csv_scattered, 2000),
    ROW(read_trial, csv_rotations, 2000),
    ROW(read_trial, csv_same_names, 2000),
    ROW(read_trial, csv_two_rows, 2000),
    ROW(read_trial, csv_vicon, 2000),
    ROW(read_trial, csv_motive, 2000),
    ROW(read_trial, csv_quotes, 4000),
    ROW(read_trial, csv_numbers_only, 2000),
    ROW(read_motion, bvh_frames, 1000),
    ROW(read_motion, bvh_chain, 1000),
    ROW(read_motion, bvh_star, 1000),
    ROW(read_motion, bvh_same_names, 1000),
    ROW(read_motion, bvh_taken_names, 1000),
    ROW(read_motion, bvh_short_joints, 1000),
    ROW(read_motion, bvh_channels, 2000),
    ROW(read_motion, bvh_end_sites, 2000),
    ROW(read_motion, asf_chain, 1000),
    ROW(read_motion, asf_star, 1000),
    ROW(read_motion, asf_short_bones, 1000),
    ROW(read_amc, amc_frames, 10),
    ROW(read_amc, amc_shuffled, 10),
    ROW(read_table, mot_rows, 2000),
    ROW(read_table, mot_columns, 2000),
    ROW(read_table, mot_same_columns, 2000),
    ROW(read_table, mot_header_lines, 10000),
    ROW(read_motion, urdf_chain, 1000),
    ROW(read_motion, urdf_reversed, 1000),
    ROW(read_motion, urdf_star, 1000),
    ROW(read_motion, urdf_short_links, 1000),
    ROW(read_motion, urdf_elements, 2000),
    ROW(read_motion, urdf_attributes, 2000),
    ROW(read_motion, mjcf_deep, 500),
    ROW(read_motion, mjcf_short_bodies, 1000),
    ROW(read_motion, mjcf_short_joints, 1000),
    ROW(read_motion, mjcf_classes, 250),
    ROW(read_actor, actor_joints, 1000),
    ROW(read_actor, actor_markers, 4000),
    ROW(read_actor, actor_short_joints, 1000),
    ROW(read_actor, actor_values, 2000),
    ROW(read_actor, actor_same_values, 2000),
    ROW(read_style, style_joints, 1000),
    ROW(read_style, style_directions, 250),
    ROW(read_style, style_long_names, 1000),
    ROW(read_space, space_states, 2000),
    ROW(read_trial, trc_short_rows, 500),
    ROW(read_trial, csv_short_columns, 500),
    ROW(read_trial, csv_empty_columns, 5000),
    ROW(read_table, mot_short_columns, 1000),
    ROW(read_motion, bvh_short_rows, 20),
    ROW(read_amc, amc_short_frames, 1000),
    ROW(read_motion, asf_shortest_bones, 1000),
    ROW(read_motion, urdf_shortest_links, 300),
    ROW(read_actor, actor_shortest_joints, 1000),
    ROW(read_actor, actor_blank_lines, 20000),
    ROW(read_segments, list_of_segments, 2000),
#undef ROW
};

typedef struct cost {
    double size, work, peak;
} cost;

static cost measure(const struct growth *row, const growing *file, bool is_lenient)
{
    peak_memory memory = {0, 0};
    snw_allocator allocator = {peak_allocate, peak_release, &memory};
    snw_memory_source bytes;
    reading_job job = {.source = snw_source_from_memory(&bytes, file->bytes, file->size),
                       .file = file,
                       .allocator = &allocator,
                       .options = snw_read_options_default()};
    job.options.is_lenient = is_lenient;
    work = 0;
    snw_status status = row->read(&job);
    cost paid = {(double)file->size, (double)work, (double)memory.peak};
    if (memory.live) fail_msg("%s: %zu bytes are kept", row->name, memory.live);
    if (status != SNW_OK && !job.error.message[0]) fail_msg("%s: no sentence", row->name);
    return paid;
}

static growing built(const struct growth *row, int doublings)
{
    growing file = {NULL, 0, 0};
    row->build(&file, row->n << doublings);
    return file;
}

/* Work for a byte: where it grows with the length of the file, twice the file costs more than twice
 * as much. A search through all that came before shows once it is an eighth of the rest; 2 blocks
 * are for tables that grow in steps. */
static bool is_linear(const cost paid[3])
{
    double first = paid[0].work / paid[0].size, second = paid[1].work / paid[1].size;
    return paid[2].work / paid[2].size <= 1.2 * fmax(first, second) + 2;
}

/* The most that any byte costs: one of a name that nobody knows, read with every side and stem that
 * it may have, to find out whether its point is a marker. */
#define BLOCKS_PER_BYTE 700.0

static int count_faults(const struct growth *row, const growing file[3], bool is_lenient)
{
    int faults = 0;
    cost paid[3];
    for (int n = 0; n < 3; n++) {
        paid[n] = measure(row, file + n, is_lenient);
        if (paid[n].peak <= 64 * paid[n].size + 1048576) continue;
        faults++;
        print_error("%s, n = %d: %.0f bytes of memory for %.0f of file\n", row->name, row->n << n,
                    paid[n].peak, paid[n].size);
    }
    if (is_linear(paid) && paid[2].work <= BLOCKS_PER_BYTE * paid[2].size) return faults;
    print_error("%s, n = %d: %.1f, %.1f, %.1f blocks for each byte of file\n", row->name, row->n,
                paid[0].work / paid[0].size, paid[1].work / paid[1].size,
                paid[2].work / paid[2].size);
    return faults + 1;
}

static void time_and_memory_grow_with_the_file_and_not_faster(void **state)
{
    (void)state;
    int faults = 0;
    for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
        growing file[3] = {built(table + r, 0), built(table + r, 1), built(table + r, 2)};
        faults += count_faults(table + r, file, false) + count_faults(table + r, file, true);
        for (int n = 0; n < 3; n++)
            free(file[n].bytes);
    }
    assert_int_equal(faults, 0);
}

#ifdef SINEW_COUNTS_WORK
/* The oracle of the rule above: reading a file k times for its kth part is quadratic. */
static snw_status read_again_and_again(reading_job *job)
{
    snw_status status = SNW_OK;
    for (size_t n = 0; n < job->file->size; n += 10000)
        status = read_table(job);
    return status;
}

static void what_grows_faster_is_seen(void **state)
{
    (void)state;
    const struct growth linear = {"", read_table, mot_rows, 2000};
    const struct growth quadratic = {"", read_again_and_again, mot_rows, 2000};
    cost paid[3], more[3];
    for (int n = 0; n < 3; n++) {
        growing file = built(&linear, n);
        paid[n] = measure(&linear, &file, false);
        more[n] = measure(&quadratic, &file, false);
        free(file.bytes);
        assert_true(paid[n].work > paid[n].size); /* it is counted at all */
    }
    assert_true(is_linear(paid));
    assert_false(is_linear(more));
}
#endif

static int set_up(void **state)
{
    (void)state;
    growing file = {NULL, 0, 0};
    snw_memory_source bytes;
    snw_notes notes = snw_notes_none();
    snw_error error;
    put_asf(&file, AMC_BONES, true, "direction 0 1 0\nlength 2\ndof rx\n");
    snw_source source = snw_source_from_memory(&bytes, file.bytes, file.size);
    if (snw_read_motion(&source, NULL, NULL, &amc_body, &notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    free(file.bytes);
    file = (growing){NULL, 0, 0};
    put_trc(&file, 50, 2, "\ta%d\t\t");
    source = snw_source_from_memory(&bytes, file.bytes, file.size);
    if (snw_read_trial(&source, NULL, NULL, &small_trial, &notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    free(file.bytes);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    snw_motion_destroy(amc_body);
    snw_trial_destroy(small_trial);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SINEW_COUNTS_WORK
        cmocka_unit_test(what_grows_faster_is_seen),
#endif
        cmocka_unit_test(time_and_memory_grow_with_the_file_and_not_faster),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
