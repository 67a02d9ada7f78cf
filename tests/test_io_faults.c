/* Every way to a file, and files on a system that fails: calls that are cut short, refused or
 * interrupted end in a whole file or in none, and the old one stays. The calls are this program's
 * own, which hands them on unless told to fail. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* it declares read inline, and would make this one so */
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- calls that fail when told to ------------------------------------------------------------ */

static struct {
    int fsync_error, link_error, linkat_error, rename_error; /* errno; 0: none */
    int linkat_times;                                        /* so often; 0: always */
    bool has_no_proc;                                        /* /proc/self/fd is not there */
    int write_most;    /* bytes of one write; 0: as asked; -1: it says 0 */
    int interruptions; /* reads and writes that are interrupted first */
} faults;

static bool is_interrupted(void)
{
    if (faults.interruptions <= 0) return false;
    faults.interruptions--;
    errno = EINTR;
    return true;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    if (file > 2 && is_interrupted()) return -1;
    if (file > 2 && faults.write_most < 0) return 0;
    if (file > 2 && faults.write_most > 0 && size > (size_t)faults.write_most)
        size = (size_t)faults.write_most;
    return syscall(SYS_write, file, bytes, size);
}

ssize_t read(int file, void *bytes, size_t size)
{
    if (is_interrupted()) return -1;
    return syscall(SYS_read, file, bytes, size);
}

int fsync(int file)
{
    return faults.fsync_error ? fail_with(faults.fsync_error) : (int)syscall(SYS_fsync, file);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    if (faults.linkat_error && faults.linkat_times >= 0) {
        if (faults.linkat_times > 0 && --faults.linkat_times == 0) faults.linkat_times = -1;
        return fail_with(faults.linkat_error);
    }
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to)
{
    if (faults.link_error) return fail_with(faults.link_error);
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to)
{
    if (faults.rename_error) return fail_with(faults.rename_error);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int access(const char *path, int mode)
{
    if (faults.has_no_proc && strncmp(path, "/proc", 5) == 0) return fail_with(ENOENT);
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

/* ---- a folder -------------------------------------------------------------------------------- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sinew-faults-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Removes what is in it; how much that was. */
static int clear_folder(void)
{
    int count = 0;
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open_folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
        count++;
    }
    closedir(open_folder);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    clear_folder();
    return rmdir(folder);
}

static const char *path_of(const char *name)
{
    static char path[2][128];
    static int which;
    which = !which;
    snprintf(path[which], sizeof path[which], "%s/%s", folder, name);
    return path[which];
}

static void check_content(const char *path, const char *text)
{
    char bytes[64] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes - 1, file), strlen(text));
    fclose(file);
    assert_string_equal(bytes, text);
}

/* ---- what fails ------------------------------------------------------------------------------ */

static void a_call_that_fails_leaves_a_whole_file_or_none(void **state)
{
    (void)state;
    const struct {
        const char *what;
        int fsync_error, link_error, linkat_error, linkat_times, rename_error;
        bool has_no_proc;
        int write_most, interruptions;
        snw_status made, replaced; /* without a file before, and over one */
    } rows[] = {
        {"nothing", 0, 0, 0, 0, 0, false, 0, 0, SNW_OK, SNW_OK},
        {"fsync", EIO, 0, 0, 0, 0, false, 0, 0, SNW_IO, SNW_IO},
        {"linkat", 0, 0, EPERM, 0, 0, false, 0, 0, SNW_IO, SNW_IO},
        {"somebody is quicker", 0, 0, EEXIST, 1, 0, false, 0, 0, SNW_EXISTS, SNW_OK},
        {"temporary names are taken", 0, 0, EEXIST, 0, 0, false, 0, 0, SNW_EXISTS, SNW_EXISTS},
        {"rename", 0, 0, 0, 0, EIO, false, 0, 0, SNW_OK, SNW_IO},
        {"no /proc", 0, 0, 0, 0, 0, true, 0, 0, SNW_OK, SNW_OK},
        {"no /proc, no hard links", 0, EPERM, 0, 0, 0, true, 0, 0, SNW_OK, SNW_OK},
        {"no /proc, no links or renames", 0, EPERM, 0, 0, EIO, true, 0, 0, SNW_IO, SNW_IO},
        {"no /proc, somebody is quicker", 0, EEXIST, 0, 0, 0, true, 0, 0, SNW_EXISTS, SNW_OK},
        {"short writes", 0, 0, 0, 0, 0, false, 3, 0, SNW_OK, SNW_OK},
        {"interrupted writes", 0, 0, 0, 0, 0, false, 1, 4, SNW_OK, SNW_OK},
        {"writes of nothing", 0, 0, 0, 0, 0, false, -1, 0, SNW_IO, SNW_IO},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        for (int is_over = 0; is_over < 2; is_over++) {
            snw_error error;
            const char *path = path_of("out.bin");
            snw_status expected = is_over ? rows[n].replaced : rows[n].made;
            if (is_over) assert_int_equal(snw_write_file(path, false, "old", 3, &error), SNW_OK);
            faults.fsync_error = rows[n].fsync_error;
            faults.link_error = rows[n].link_error;
            faults.linkat_error = rows[n].linkat_error;
            faults.linkat_times = rows[n].linkat_times;
            faults.rename_error = rows[n].rename_error;
            faults.has_no_proc = rows[n].has_no_proc;
            faults.write_most = rows[n].write_most;
            faults.interruptions = rows[n].interruptions;
            snw_status status = snw_write_file(path, is_over, "new content", 11, &error);
            memset(&faults, 0, sizeof faults);
            if (status != expected) print_error("%s, %d\n", rows[n].what, is_over);
            assert_int_equal(status, expected);
            if (status != SNW_OK) assert_non_null(strstr(error.message, "out.bin"));
            if (status == SNW_OK)
                check_content(path, "new content");
            else if (is_over)
                check_content(path, "old");
            assert_int_equal(clear_folder(), status == SNW_OK || is_over); /* nothing else */
        }
}

static void interrupted_reads_go_on(void **state)
{
    (void)state;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL, *again = NULL;
    snw_error error;
    options.marker_count = 3;
    options.frame_count = 5;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    assert_int_equal(snw_write_trial_file(path_of("a.c3d"), false, trial, NULL, &error), SNW_OK);
    faults.interruptions = 3;
    assert_int_equal(snw_read_trial_file(path_of("a.c3d"), NULL, NULL, &again, NULL, &error),
                     SNW_OK);
    assert_int_equal(faults.interruptions, 0);
    assert_int_equal(again->marker_count, 3);
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
    clear_folder();
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* Each reader and writer of files says which one is not there, and NULL is no path. */
static void every_way_names_its_file(void **state)
{
    (void)state;
    snw_trial *trial = (snw_trial *)&faults; /* anything: it must become NULL */
    snw_motion *motion = NULL;
    snw_table *table = NULL;
    for (int n = 0; n < 2; n++) {
        const char *path = n ? "/nowhere/at/all.bvh" : NULL;
        snw_status expected = n ? SNW_NOT_FOUND : SNW_INVALID_ARGUMENT;
        snw_error error[9];
        assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error[0]), expected);
        assert_null(trial);
        assert_int_equal(snw_read_motion_file(path, NULL, NULL, &motion, NULL, &error[1]),
                         expected);
        assert_int_equal(snw_read_acclaim_file(&(snw_acclaim_paths){path, path}, NULL, NULL,
                                               &motion, NULL, &error[2]),
                         expected);
        assert_int_equal(snw_read_table_file(path, NULL, NULL, &table, NULL, &error[3]), expected);
        assert_int_equal(snw_write_file(path, false, "x", 1, &error[4]), expected);
        assert_int_equal(snw_write_table_file(path, false, NULL, NULL, &error[5]), expected);
        assert_int_equal(snw_write_motion_file(path, false, NULL, NULL, &error[6]), expected);
        for (int k = 0; n && k < 7; k++)
            assert_non_null(strstr(error[k].message, path));
        assert_int_equal(snw_detect_file(path), SNW_FORMAT_UNKNOWN);
    }
    snw_error error;
    assert_int_equal(snw_write_motion_file("a.unknown", false, NULL, NULL, &error),
                     SNW_UNSUPPORTED);
    assert_null(motion);
    assert_null(table);
}

/* The motion of a preset through files of its own: what was written is what is detected and read.
 */
static void motions_and_tables_go_through_files(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL, *again = NULL, *acclaim = NULL;
    snw_table *table = NULL, *read_table = NULL;
    snw_error error;
    options.seconds = 0.1;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_motion_create(body, &options, NULL, &motion, NULL), SNW_OK);
    static const char *const names[] = {"a.bvh", "a.asf", "a.amc"};
    static const snw_format_kind kinds[] = {SNW_FORMAT_BVH, SNW_FORMAT_ASF, SNW_FORMAT_AMC};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(snw_write_motion_file(path_of(names[n]), false, motion, NULL, &error),
                         SNW_OK);
        assert_int_equal(snw_detect_file(path_of(names[n])), kinds[n]);
    }
    assert_int_equal(snw_read_motion_file(path_of("a.bvh"), NULL, NULL, &again, NULL, &error),
                     SNW_OK);
    assert_int_equal(again->frame_count, motion->frame_count);
    snw_motion_destroy(again);
    assert_int_equal(snw_read_acclaim_file(&(snw_acclaim_paths){path_of("a.asf"), path_of("a.amc")},
                                           NULL, NULL, &acclaim, NULL, &error),
                     SNW_OK);
    assert_int_equal(acclaim->frame_count, motion->frame_count);
    snw_motion_destroy(acclaim);
    assert_int_equal(snw_read_acclaim_file(&(snw_acclaim_paths){path_of("a.asf"), "/nowhere.amc"},
                                           NULL, NULL, &again, NULL, &error),
                     SNW_NOT_FOUND);
    assert_int_equal(snw_table_from_motion(motion, SNW_UP_Y, NULL, &table, &error), SNW_OK);
    assert_int_equal(snw_write_table_file(path_of("a.mot"), false, table, NULL, &error), SNW_OK);
    assert_int_equal(snw_read_table_file(path_of("a.mot"), NULL, NULL, &read_table, NULL, &error),
                     SNW_OK);
    assert_int_equal(read_table->row_count, table->row_count);
    assert_int_equal(clear_folder(), 4);
    snw_table_destroy(read_table);
    snw_table_destroy(table);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* A name without a folder is of this one; too long a path, or a link to one, is refused. */
static void paths_of_every_length_are_taken_or_named(void **state)
{
    (void)state;
    static char longest[5000], link_to[4090];
    char here[1024];
    snw_error error;
    memset(longest, 'a', sizeof longest - 1);
    assert_int_equal(snw_write_file(longest, false, "x", 1, &error), SNW_IO);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(snw_write_file("bare", false, "x", 1, &error), SNW_OK);
    assert_int_equal(snw_write_file("bare", false, "x", 1, &error), SNW_EXISTS);
    check_content("bare", "x");
    assert_int_equal(symlink("bare", "beside"), 0); /* a link without a folder */
    assert_int_equal(snw_write_file("beside", true, "yz", 2, &error), SNW_OK);
    check_content("bare", "yz");
    for (size_t n = 0; n + 1 < sizeof link_to; n++)
        link_to[n] = n % 2 ? '/' : '.';
    assert_int_equal(symlink(link_to, "far"), 0);
    assert_int_not_equal(snw_write_file(path_of("far"), true, "x", 1, &error), SNW_OK);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(clear_folder(), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_fails_leaves_a_whole_file_or_none),
        cmocka_unit_test(interrupted_reads_go_on),
        cmocka_unit_test(every_way_names_its_file),
        cmocka_unit_test(motions_and_tables_go_through_files),
        cmocka_unit_test(paths_of_every_length_are_taken_or_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
