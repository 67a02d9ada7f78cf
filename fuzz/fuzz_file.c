/* Any bytes as a file of any ending, in a folder in memory: detected, read as every kind, and
 * written beside it under a name that may be taken, be a link or not be possible. What is
 * refused has a sentence, with the file's name where it cannot be opened; nothing but what was
 * asked for is left in the folder. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "fuzz_trials.h"

typedef struct file_room {
    char folder[64], given[96], made[96], beside[96];
} file_room;

static void enter(file_room *room, const char *ending)
{
    snprintf(room->folder, sizeof room->folder, "%s/sinew-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(room->folder)) exit(1);
    snprintf(room->given, sizeof room->given, "%s/given%s", room->folder, ending);
    snprintf(room->made, sizeof room->made, "%s/made%s", room->folder, ending);
    snprintf(room->beside, sizeof room->beside, "%s/beside", room->folder);
}

/* Removes all; returns how many there were. */
static int leave(const file_room *room)
{
    int count = 0;
    DIR *folder = opendir(room->folder);
    struct dirent *entry;
    if (!folder) abort();
    while ((entry = readdir(folder)) != NULL) {
        char path[512];
        if (entry->d_name[0] == '.' && strlen(entry->d_name) < 3) continue;
        snprintf(path, sizeof path, "%s/%s", room->folder, entry->d_name);
        unlink(path);
        count++;
    }
    closedir(folder);
    rmdir(room->folder);
    return count;
}

static void check_names_file(snw_status status, const snw_error *error, const char *name)
{
    fuzz_check_said(status, error);
    if (status != SNW_OK && !strstr(error->message, name)) abort();
}

static void read_as_all(const file_room *room)
{
    snw_trial *trial = NULL;
    snw_motion *motion = NULL;
    snw_table *table = NULL;
    snw_error error;
    (void)snw_detect_file(room->given);
    check_names_file(snw_read_trial_file(room->given, NULL, NULL, &trial, NULL, &error), &error,
                     "given");
    if (trial) fuzz_check_trial(trial);
    snw_trial_destroy(trial);
    check_names_file(snw_read_motion_file(room->given, NULL, NULL, &motion, NULL, &error), &error,
                     "given");
    if (motion) fuzz_check_motion(motion);
    snw_motion_destroy(motion);
    motion = NULL;
    check_names_file(snw_read_acclaim_file(&(snw_acclaim_paths){room->given, room->given}, NULL,
                                           NULL, &motion, NULL, &error),
                     &error, "given");
    snw_motion_destroy(motion);
    check_names_file(snw_read_table_file(room->given, NULL, NULL, &table, NULL, &error), &error,
                     "given");
    snw_table_destroy(table);
}

/* Three kinds of content, each under its own ending or another's. */
static snw_status write_one(const char *path, bool overwrite, int kind, snw_error *error)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_table *table = NULL;
    snw_status status = SNW_OK;
    options.marker_count = 1;
    options.frame_count = 1;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK ||
        snw_preset_create("chain10", NULL, &body, NULL) != SNW_OK ||
        snw_motion_create(body, 1, 100, NULL, &motion, NULL) != SNW_OK ||
        snw_table_from_motion(motion, SNW_UP_Y, NULL, &table, NULL) != SNW_OK)
        abort();
    if (kind == 0) status = snw_write_trial_file(path, overwrite, trial, NULL, error);
    if (kind == 1) status = snw_write_motion_file(path, overwrite, motion, NULL, error);
    if (kind == 2) status = snw_write_table_file(path, overwrite, table, NULL, error);
    if (kind == 3) status = snw_write_file(path, overwrite, "bytes", 5, error);
    snw_table_destroy(table);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    snw_trial_destroy(trial);
    return status;
}

static void write_beside(file_room *room, unsigned how, int kind)
{
    snw_error error;
    bool overwrite = how & 1, is_taken = how & 2, is_link = how & 4;
    int files = 1;
    if (is_taken) {
        if (snw_write_file(is_link ? room->beside : room->made, false, "old", 3, &error) != SNW_OK)
            abort();
        files++;
    }
    if (is_link) {
        if (symlink("beside", room->made) != 0) abort();
        files++;
    }
    if (how & 8) { /* a folder that is not there */
        size_t length = strlen(room->folder);
        snprintf(room->made + length, sizeof room->made - length, "/none/made.c3d");
    }
    snw_status status = write_one(room->made, overwrite, kind, &error);
    fuzz_check_said(status, &error);
    if ((how & 8) && !strstr(error.message, "made")) abort();
    if (status == SNW_OK && is_taken && !overwrite && !(how & 8)) abort();
    bool is_new = status == SNW_OK && !is_taken;
    if (leave(room) != files + is_new) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const endings[] = {".c3d", ".trc", ".csv", ".bvh",  ".asf", ".amc",
                                          ".mot", ".glb", ".sto", ".urdf", ".xml", ""};
    fuzz_bytes bytes = {data, data + size};
    file_room room;
    snw_error error;
    enter(&room, endings[fuzz_below(&bytes, 12)]);
    unsigned how = fuzz_byte(&bytes);
    int kind = fuzz_below(&bytes, 4);
    if (snw_write_file(room.given, false, bytes.at, (size_t)(bytes.end - bytes.at), &error) !=
        SNW_OK)
        abort();
    read_as_all(&room);
    write_beside(&room, how, kind);
    return 0;
}
