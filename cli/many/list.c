#include "many/list.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void many_list_release(many_list *list)
{
    for (int n = 0; n < list->count; n++) {
        free(list->file[n].path);
        free(list->file[n].name);
    }
    free(list->file);
    memset(list, 0, sizeof *list);
}

/* ---- collecting ------------------------------------------------------------------------------ */

/* `name`: where the part of the path starts that is kept in the output folder. */
static bool add_file(many_list *list, const char *path, const char *name, const struct stat *about)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 64;
        many_file *larger = realloc(list->file, (size_t)capacity * sizeof *larger);
        if (!larger) return false;
        list->file = larger;
        list->capacity = capacity;
    }
    many_file *file = list->file + list->count;
    memset(file, 0, sizeof *file);
    file->path = strdup(path);
    file->name = strdup(name);
    file->row = cli_row_none();
    file->group = -1;
    file->size = (double)about->st_size;
    file->changed = (double)about->st_mtim.tv_sec + 1e-9 * (double)about->st_mtim.tv_nsec;
    list->count++;
    return file->path && file->name;
}

/* What a walk through folders needs on its way. */
typedef struct many_walk {
    many_list *list;
    const cli_many_kind *kind;
    struct stat output; /* this folder is not entered */
    bool has_output;
    size_t root; /* length of the folder's path that is not kept in names */
} many_walk;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t count)
{
    for (size_t n = 0; n < count; n++)
        free(names[n]);
    free(names);
}

/* The names in a folder without hidden ones, in the order of the letters; false without memory. */
static bool read_names(const char *path, char ***names, size_t *count)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    size_t capacity = 0;
    bool is_good = true;
    *names = NULL;
    *count = 0;
    while (folder && is_good && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            char **larger = realloc(*names, capacity * sizeof *larger);
            is_good = larger != NULL;
            if (is_good) *names = larger;
        }
        if (is_good) is_good = ((*names)[*count] = strdup(entry->d_name)) != NULL;
        if (is_good) ++*count;
    }
    if (folder) closedir(folder);
    if (*count) qsort(*names, *count, sizeof **names, compare_names);
    return is_good;
}

static bool walk_folder(many_walk *walk, const char *path);

static bool walk_entry(many_walk *walk, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return true;
    if (S_ISDIR(about.st_mode)) {
        bool is_output = walk->has_output && about.st_dev == walk->output.st_dev &&
                         about.st_ino == walk->output.st_ino;
        return is_output || walk_folder(walk, path);
    }
    if (!S_ISREG(about.st_mode)) return true;
    if (!walk->kind->takes(snw_detect_file(path))) {
        walk->list->skipped_count++;
        return true;
    }
    return add_file(walk->list, path, path + walk->root, &about);
}

static bool walk_folder(many_walk *walk, const char *path)
{
    char **names;
    size_t count;
    bool is_good = read_names(path, &names, &count);
    for (size_t n = 0; is_good && n < count; n++) {
        char inner[PATH_MAX];
        const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
        if (snw_format(inner, sizeof inner, "%s%s%s", path, slash, names[n]) < (int)sizeof inner)
            is_good = walk_entry(walk, inner);
    }
    free_names(names, count);
    return is_good;
}

/* ---- names ----------------------------------------------------------------------------------- */

static size_t stem_length(const char *name)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    return dot && dot != name && dot[-1] != '/' ? (size_t)(dot - name) : strlen(name);
}

static int compare_stems(const void *a, const void *b)
{
    return strcmp((*(many_file *const *)a)->name, (*(many_file *const *)b)->name);
}

/* Files that were named one by one keep of their folders what tells them apart. */
static void cut_common_folder(many_file *file, int count)
{
    size_t common = 0;
    if (count == 0) return;
    for (size_t at = 0; file[0].name[at]; at++) {
        for (int n = 0; n < count; n++)
            if (file[n].name[at] != file[0].name[at]) goto found;
        if (file[0].name[at] == '/') common = at + 1;
    }
found:
    for (int n = 0; n < count; n++)
        memmove(file[n].name, file[n].name + common, strlen(file[n].name + common) + 1);
}

/* Paths from above the working folder must not leave the output folder. */
static void stay_inside(char *name)
{
    char *to = name;
    for (const char *from = name; *from;) {
        size_t length = strcspn(from, "/");
        bool is_dots = length <= 2 && strncmp(from, "..", length) == 0;
        if (length && !is_dots) {
            memmove(to, from, length);
            to += length;
            if (from[length]) *to++ = '/';
        }
        from += length + (from[length] == '/');
    }
    *to = 0;
}

/* walk.c3d becomes "walk"; beside walk.trc both keep their endings. */
static bool cut_endings(many_list *list)
{
    size_t count = (size_t)list->count;
    many_file **sorted = malloc((count + 1) * sizeof *sorted);
    size_t *length = malloc((count + 1) * sizeof *length);
    bool is_good = sorted && length;
    for (size_t n = 0; is_good && n < count; n++)
        sorted[n] = list->file + n;
    if (is_good && count) qsort(sorted, count, sizeof *sorted, compare_stems);
    for (size_t n = 0; is_good && n < count; n++)
        length[n] = stem_length(sorted[n]->name);
    for (size_t n = 0, to; is_good && n < count; n = to) {
        for (to = n + 1; to < count && length[to] == length[n] &&
                         strncmp(sorted[to]->name, sorted[n]->name, length[n]) == 0;)
            to++;
        if (to == n + 1) sorted[n]->name[length[n]] = 0;
    }
    free(sorted);
    free(length);
    return is_good;
}

/* ---- the list -------------------------------------------------------------------------------- */

static int take_operand(const cli_arguments *arguments, const char *path, many_walk *walk)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        /* `solve IN OUT`: the second is no input. */
        bool is_output = snw_format_from_name(path) != SNW_FORMAT_UNKNOWN &&
                         arguments->operand_count == 2 && path == arguments->operand[1];
        if (is_output)
            return cli_misuse(arguments, "%s is not there: did you mean -o %s?", path, path);
        return cli_fail(arguments, "%s could not be opened: No such file or directory", path);
    }
    bool is_good;
    if (S_ISDIR(about.st_mode)) {
        walk->root = strlen(path) + (path[strlen(path) - 1] != '/');
        is_good = walk_folder(walk, path);
    } else {
        is_good = add_file(walk->list, path, path, &about);
    }
    return is_good ? CLI_DONE : cli_fail(arguments, "no memory for a list of files");
}

int many_list_fill(const cli_arguments *arguments, const cli_many_kind *kind, many_list *list)
{
    const char *output = cli_value(arguments, "--output", NULL);
    many_walk walk = {.list = list, .kind = kind};
    walk.has_output = output && stat(output, &walk.output) == 0;
    int code = CLI_DONE, named_count = 0;
    /* Files first: their common folder is looked for among them alone. */
    for (int pass = 0; pass < 2 && code == CLI_DONE; pass++) {
        for (int n = 0; n < arguments->operand_count && code == CLI_DONE; n++) {
            struct stat about;
            bool is_folder = stat(arguments->operand[n], &about) == 0 && S_ISDIR(about.st_mode);
            if (is_folder == (pass == 1))
                code = take_operand(arguments, arguments->operand[n], &walk);
        }
        if (pass == 0) named_count = list->count;
    }
    if (code != CLI_DONE) return code; /* the last file may have no name */
    cut_common_folder(list->file, named_count);
    for (int n = 0; n < list->count; n++)
        stay_inside(list->file[n].name);
    if (!cut_endings(list)) return cli_fail(arguments, "no memory for a list of files");
    if (list->count == 0)
        code = cli_fail(arguments, "%s: there is no file of a kind that %s reads",
                        arguments->operand[0], arguments->command->name);
    return code;
}
