/* Files and the registry: whole or not at all, never over another file unasked, content before
 * name. */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/formats.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sinew-file-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* How many entries the folder has; removes them when asked. */
static int count_entries(bool is_removing)
{
    int count = 0;
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open_folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_removing) unlink(path);
        count++;
    }
    closedir(open_folder);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    count_entries(true);
    return rmdir(folder);
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static snw_trial *some_trial(int frames)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 10;
    options.frame_count = frames;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    return trial;
}

static void a_written_file_is_read_back_and_alone(void **state)
{
    (void)state;
    snw_trial *trial = some_trial(20), *again = NULL;
    snw_error error;
    assert_int_equal(snw_write_trial_file(path_of("a.c3d"), false, trial, NULL, &error), SNW_OK);
    assert_int_equal(count_entries(false), 1);
    assert_int_equal(snw_read_trial_file(path_of("a.c3d"), NULL, NULL, &again, NULL, &error),
                     SNW_OK);
    assert_int_equal(again->frame_count, 20);
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
    count_entries(true);
}

static void an_existing_file_is_kept_unless_asked(void **state)
{
    (void)state;
    FILE *file = fopen(path_of("b.c3d"), "w");
    fputs("precious", file);
    fclose(file);
    chmod(path_of("b.c3d"), 0640);
    snw_trial *trial = some_trial(2);
    snw_error error;
    assert_int_equal(snw_write_trial_file(path_of("b.c3d"), false, trial, NULL, &error),
                     SNW_EXISTS);
    assert_non_null(strstr(error.message, "b.c3d"));
    struct stat about;
    stat(path_of("b.c3d"), &about);
    assert_int_equal(about.st_size, 8);
    assert_int_equal(snw_write_trial_file(path_of("b.c3d"), true, trial, NULL, &error), SNW_OK);
    stat(path_of("b.c3d"), &about);
    assert_true(about.st_size > 512);
    assert_int_equal(about.st_mode & 0777, 0640); /* permissions stay */
    assert_int_equal(count_entries(true), 1);
    snw_trial_destroy(trial);
}

static void a_full_disk_leaves_nothing_and_keeps_the_old_file(void **state)
{
    (void)state;
    FILE *file = fopen(path_of("c.c3d"), "w");
    fputs("precious", file);
    fclose(file);
    snw_trial *trial = some_trial(5000); /* 800 KB */
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN); /* the write then fails as on a full disk, with EFBIG */
    setrlimit(RLIMIT_FSIZE, &small);
    snw_error error;
    snw_status kept = snw_write_trial_file(path_of("c.c3d"), true, trial, NULL, &error);
    snw_status fresh = snw_write_trial_file(path_of("d.c3d"), false, trial, NULL, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(kept, SNW_IO);
    assert_int_equal(fresh, SNW_IO);
    assert_non_null(strstr(error.message, "d.c3d"));
    struct stat about;
    stat(path_of("c.c3d"), &about);
    assert_int_equal(about.st_size, 8);
    assert_int_equal(count_entries(true), 1);
    snw_trial_destroy(trial);
}

static void paths_that_cannot_be_written_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        snw_status status;
    } table[] = {
        {"/nowhere/at/all.c3d", SNW_NOT_FOUND},
        {"/tmp", SNW_UNSUPPORTED},
        {"name-without-ending", SNW_UNSUPPORTED},
        {"a.unknown", SNW_UNSUPPORTED},
    };
    snw_trial *trial = some_trial(2);
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        snw_error error;
        assert_int_equal(snw_write_trial_file(table[n].path, true, trial, NULL, &error),
                         table[n].status);
        assert_non_null(strstr(error.message, table[n].path));
    }
    mkdir(path_of("dir.c3d"), 0777);
    snw_error error;
    assert_int_equal(snw_write_trial_file(path_of("dir.c3d"), true, trial, NULL, &error), SNW_IO);
    rmdir(path_of("dir.c3d"));
    snw_trial_destroy(trial);
}

static void a_device_is_written_to_not_replaced(void **state)
{
    (void)state;
    assert_int_equal(symlink("/dev/null", path_of("null.c3d")), 0);
    snw_trial *trial = some_trial(2);
    snw_error error;
    assert_int_equal(snw_write_trial_file(path_of("null.c3d"), false, trial, NULL, &error), SNW_OK);
    struct stat about;
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    unlink(path_of("null.c3d"));
    assert_int_equal(symlink("/dev/full", path_of("full.c3d")), 0);
    assert_int_equal(snw_write_trial_file(path_of("full.c3d"), false, trial, NULL, &error), SNW_IO);
    assert_int_equal(count_entries(true), 1);
    snw_trial_destroy(trial);
}

/* Relative and absolute, one after the other, and one whose file does not exist yet. */
static void a_link_stays_and_its_file_is_written(void **state)
{
    (void)state;
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/middle.c3d", folder);
    assert_int_equal(symlink("real.c3d", path_of("middle.c3d")), 0);
    assert_int_equal(symlink(absolute, path_of("link.c3d")), 0);
    snw_trial *trial = some_trial(2);
    snw_error error;
    struct stat about;
    for (int round = 0; round < 2; round++) { /* first the file is made, then replaced */
        bool overwrite = round == 1;
        assert_int_equal(snw_write_trial_file(path_of("link.c3d"), overwrite, trial, NULL, &error),
                         SNW_OK);
        assert_int_equal(lstat(path_of("link.c3d"), &about), 0);
        assert_true(S_ISLNK(about.st_mode));
        assert_int_equal(lstat(path_of("real.c3d"), &about), 0);
        assert_true(S_ISREG(about.st_mode) && about.st_size > 512);
        assert_int_equal(truncate(path_of("real.c3d"), 8), 0);
    }
    assert_int_equal(snw_write_trial_file(path_of("link.c3d"), false, trial, NULL, &error),
                     SNW_EXISTS);
    assert_non_null(strstr(error.message, "link.c3d"));
    assert_int_equal(count_entries(true), 3);
    assert_int_equal(symlink("round.c3d", path_of("round.c3d")), 0);
    assert_int_equal(snw_write_trial_file(path_of("round.c3d"), true, trial, NULL, &error), SNW_IO);
    assert_int_equal(count_entries(true), 1);
    snw_trial_destroy(trial);
}

static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    snw_trial *trial = NULL;
    snw_error error;
    assert_int_equal(snw_read_trial_file("/nowhere.c3d", NULL, NULL, &trial, NULL, &error),
                     SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "/nowhere.c3d"));
    assert_int_equal(snw_read_trial_file(folder, NULL, NULL, &trial, NULL, &error), SNW_IO);
    assert_non_null(strstr(error.message, folder));
    assert_int_equal(snw_read_trial_file(NULL, NULL, NULL, &trial, NULL, &error),
                     SNW_INVALID_ARGUMENT);
}

static void a_pipe_is_read_like_a_file(void **state)
{
    (void)state;
    snw_trial *trial = some_trial(3), *again = NULL;
    assert_int_equal(mkfifo(path_of("pipe.c3d"), 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        snw_status status = snw_write_trial_file(path_of("pipe.c3d"), false, trial, NULL, NULL);
        _exit(status == SNW_OK ? 0 : 1);
    }
    snw_error error;
    assert_int_equal(snw_read_trial_file(path_of("pipe.c3d"), NULL, NULL, &again, NULL, &error),
                     SNW_OK);
    assert_int_equal(again->marker_count, 10);
    int outcome = -1;
    waitpid(child, &outcome, 0);
    assert_int_equal(outcome, 0);
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
    count_entries(true);
}

static void content_decides_not_the_name(void **state)
{
    (void)state;
    static const char c3d_start[512] = {2, 0x50, [6] = 1, [8] = 9, [16] = 3}; /* frames 1 to 9 */
    static const struct {
        const char *bytes;
        size_t size;
        snw_format_kind kind;
    } table[] = {
        {c3d_start, 512, SNW_FORMAT_C3D},
        {"", 0, SNW_FORMAT_UNKNOWN},
        {"LPSI was here", 13, SNW_FORMAT_UNKNOWN}, /* P as second letter, but text */
        {"\x02P", 2, SNW_FORMAT_UNKNOWN},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        snw_memory_source memory;
        snw_source source = snw_source_from_memory(&memory, table[n].bytes, table[n].size);
        assert_int_equal(snw_detect_format(&source), table[n].kind);
        snw_trial *trial = NULL;
        snw_error error;
        if (table[n].kind != SNW_FORMAT_UNKNOWN) continue;
        assert_int_equal(snw_read_trial(&source, NULL, NULL, &trial, NULL, &error), SNW_FORMAT);
        assert_int_equal(error.byte, 0);
    }
    assert_int_equal(snw_format_from_name("a/b.c/walk.C3D"), SNW_FORMAT_C3D);
    assert_int_equal(snw_format_from_name("a.c3d/walk"), SNW_FORMAT_UNKNOWN);
    assert_int_equal(snw_format_from_name("walk"), SNW_FORMAT_UNKNOWN);
    assert_string_equal(snw_format_name(SNW_FORMAT_C3D), "C3D");
    assert_string_equal(snw_format_name((snw_format_kind)99), "unknown");
    assert_true(snw_format_reads_trial(SNW_FORMAT_C3D) && snw_format_writes_trial(SNW_FORMAT_C3D));
    assert_false(snw_format_reads_motion(SNW_FORMAT_C3D));
}

static void notes_beyond_the_room_are_counted(void **state)
{
    (void)state;
    snw_notes notes = snw_notes_none();
    for (int n = 0; n < SNW_NOTES_MAX + 5; n++)
        snw__note(&notes, SNW_NOTE_LABEL_CUT, snw__at_name(n, "LKNE"), "repair %d", n);
    assert_int_equal(notes.count, SNW_NOTES_MAX);
    assert_int_equal(notes.dropped, 5);
    assert_string_equal(notes.note[3].text, "repair 3");
    assert_int_equal(notes.note[3].index, 3);
    assert_int_equal(notes.note[3].line, -1);
    assert_string_equal(notes.note[3].name, "LKNE");
    assert_int_equal(snw_notes_find(&notes, SNW_NOTE_LABEL_CUT, 2), 2);
    assert_int_equal(snw_notes_find(&notes, SNW_NOTE_FRAMES_JUMP, 0), -1);
    assert_int_equal(snw_notes_find(NULL, SNW_NOTE_FRAMES_JUMP, 0), -1);
    assert_string_equal(snw_note_code_name(SNW_NOTE_LABEL_CUT), "LABEL_CUT");
    assert_string_equal(snw_note_code_name((snw_note_code)-1), "UNKNOWN");
    snw__note(NULL, SNW_NOTE_OTHER, SNW__NOWHERE, "nobody listens");
}

static void units_are_known_by_many_words(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        double metres;
    } table[] = {{"mm", 0.001}, {"MM  ", 0.001}, {"m", 1},           {"meters", 1},
                 {"cm", 0.01},  {"Metres", 1},   {"inches", 0.0254}, {"ft", 0.3048},
                 {"", 0},       {"furlongs", 0}, {"s", 0},           {"millimeters", 0.001}};
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        check_near(snw_unit_length(table[n].word), table[n].metres, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_file_is_read_back_and_alone),
        cmocka_unit_test(an_existing_file_is_kept_unless_asked),
        cmocka_unit_test(a_full_disk_leaves_nothing_and_keeps_the_old_file),
        cmocka_unit_test(paths_that_cannot_be_written_are_named),
        cmocka_unit_test(a_device_is_written_to_not_replaced),
        cmocka_unit_test(a_link_stays_and_its_file_is_written),
        cmocka_unit_test(what_cannot_be_read_is_named),
        cmocka_unit_test(a_pipe_is_read_like_a_file),
        cmocka_unit_test(content_decides_not_the_name),
        cmocka_unit_test(notes_beyond_the_room_are_counted),
        cmocka_unit_test(units_are_known_by_many_words),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
