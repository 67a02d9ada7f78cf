#include "many/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ".sinew-host-": stages of this machine begin like this, then the process and a number. */
static void stage_prefix(char *prefix, size_t size)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++)
        if (*c == '/' || (unsigned char)*c < ' ') *c = '_';
    snw_format(prefix, size, ".sinew-%s-", host);
}

static const char *slash_for(const char *folder)
{
    size_t length = strlen(folder);
    return length && folder[length - 1] == '/' ? "" : "/";
}

void many_place_begin(many_place *place, const char *output, const char *name, int number)
{
    char prefix[96];
    const char *slash = strrchr(name, '/');
    stage_prefix(prefix, sizeof prefix);
    snw_format(place->stage, sizeof place->stage, "%s%s%s%ld-%d", output, slash_for(output), prefix,
               (long)getpid(), number);
    snw_format(place->folder, sizeof place->folder, "%s%s%.*s", output, slash_for(output),
               slash ? (int)(slash - name) : 0, name);
    if (mkdir(place->stage, 0777) != 0) place->stage[0] = 0;
}

bool many_place_is_free(const many_journal *journal, const many_file *file, const char *path,
                        bool is_forced, char *message, size_t size)
{
    struct stat about;
    char kept[PATH_MAX], digest[MANY_DIGEST_SIZE];
    if (lstat(path, &about) != 0) return true;
    if (S_ISDIR(about.st_mode)) {
        snw_format(message, size, "%s could not be written: it is a folder", path);
        return false;
    }
    if (is_forced) return true;
    many_journal_path(journal, path, kept);
    const many_record *record = many_journal_find(journal, kept);
    bool is_ours = false;
    if (record && many_digest_file(path, false, digest))
        for (int n = 0; n < record->output_count; n++)
            is_ours |= strcmp(record->output[n].path, kept) == 0 &&
                       strcmp(record->output[n].digest, digest) == 0;
    if (!is_ours) {
        snw_format(message, size, "%s exists already and is not overwritten (--force overwrites)",
                   path);
        return false;
    }
    bool is_same_input = strcmp(record->input, file->whole ? file->whole : file->path) == 0;
    if (is_same_input && strcmp(record->recipe, journal->recipe) == 0) return true;
    snw_format(message, size,
               "%s exists already, from %s%s, and is not overwritten (--force "
               "overwrites)",
               path, is_same_input ? "a run with other options" : "another input: ",
               is_same_input ? "" : record->input);
    return false;
}

/* Calls `use` with the path in the stage and the path of its place for every result. */
static bool each_result(const many_place *place,
                        bool (*use)(void *context, const char *staged, const char *path),
                        void *context)
{
    DIR *folder = opendir(place->stage);
    const struct dirent *entry;
    bool is_good = folder != NULL;
    while (folder && is_good && (entry = readdir(folder)) != NULL) {
        char staged[PATH_MAX], path[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snw_format(staged, sizeof staged, "%s/%s", place->stage, entry->d_name);
        snw_format(path, sizeof path, "%s%s%s", place->folder, slash_for(place->folder),
                   entry->d_name);
        is_good = use(context, staged, path);
    }
    if (folder) closedir(folder);
    return is_good;
}

typedef struct place_job {
    const many_journal *journal;
    many_file *file;
    bool is_forced;
} place_job;

static bool refuse(many_file *file, const char *path, const char *why)
{
    file->row.code = CLI_FAILED;
    snw_format(file->row.message, sizeof file->row.message, "%s could not be written: %s", path,
               why);
    return false;
}

static bool collect_one(void *context, const char *staged, const char *path)
{
    const place_job *job = context;
    many_file *file = job->file;
    char digest[MANY_DIGEST_SIZE], kept[PATH_MAX];
    if (!many_place_is_free(job->journal, file, path, job->is_forced, file->row.message,
                            sizeof file->row.message)) {
        file->row.code = CLI_FAILED;
        return false;
    }
    many_journal_path(job->journal, path, kept);
    if (many_digest_file(staged, false, digest) && many_file_add_output(file, kept, digest))
        return true;
    return refuse(file, path, "what was written cannot be read again");
}

bool many_place_collect(const many_place *place, const many_journal *journal, many_file *file,
                        bool is_forced)
{
    place_job job = {journal, file, is_forced};
    return each_result(place, collect_one, &job);
}

static bool settle_one(void *context, const char *staged, const char *path)
{
    const place_job *job = context;
    many_file *file = job->file;
    /* A link is made only where nothing is, on file systems of other machines too. */
    if (link(staged, path) == 0) return true;
    bool is_there = errno == EEXIST;
    if (!is_there && errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
        return refuse(file, path, strerror(errno));
    if (!many_place_is_free(job->journal, file, path, job->is_forced, file->row.message,
                            sizeof file->row.message)) {
        file->row.code = CLI_FAILED;
        return false;
    }
    return rename(staged, path) == 0 ? true : refuse(file, path, strerror(errno));
}

bool many_place_settle(const many_place *place, many_file *file, bool is_forced,
                       const many_journal *journal)
{
    place_job job = {journal, file, is_forced};
    return each_result(place, settle_one, &job);
}

static bool remove_one(void *context, const char *staged, const char *path)
{
    (void)context;
    (void)path;
    unlink(staged);
    return true;
}

void many_place_end(const many_place *place)
{
    if (!place->stage[0]) return;
    each_result(place, remove_one, NULL);
    rmdir(place->stage);
}

void many_place_sweep(const char *output)
{
    char prefix[96];
    stage_prefix(prefix, sizeof prefix);
    size_t length = strlen(prefix);
    DIR *folder = opendir(output);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        struct stat about;
        many_place place = {"", ""};
        char *end = NULL;
        if (strncmp(entry->d_name, prefix, length) != 0) continue;
        long process = strtol(entry->d_name + length, &end, 10);
        if (process <= 0 || !end || *end != '-' || kill((pid_t)process, 0) == 0 || errno != ESRCH)
            continue;
        snw_format(place.stage, sizeof place.stage, "%s%s%s", output, slash_for(output),
                   entry->d_name);
        if (lstat(place.stage, &about) == 0 && S_ISDIR(about.st_mode)) many_place_end(&place);
    }
    if (folder) closedir(folder);
}
