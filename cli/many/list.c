#include "many/list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "many/people.h"

void many_file_drop_outputs(many_file *file)
{
    for (int o = 0; o < file->output_count; o++)
        free(file->output[o].path);
    free(file->output);
    file->output = NULL;
    file->output_count = 0;
}

void many_list_release(many_list *list)
{
    for (int n = 0; n < list->count; n++) {
        many_file *file = list->file + n;
        many_file_drop_outputs(file);
        free(file->path);
        free(file->whole);
        free(file->name);
        for (int m = 0; m < file->member_count; m++)
            free(file->member[m]);
        free(file->member);
    }
    free(list->file);
    memset(list, 0, sizeof *list);
}

bool many_file_add_output(many_file *file, const char *path, const char digest[MANY_DIGEST_SIZE])
{
    many_output_file *more = realloc(file->output, ((size_t)file->output_count + 1) * sizeof *more);
    if (!more) return false;
    file->output = more;
    many_output_file *output = more + file->output_count;
    output->path = strdup(path);
    snw_format(output->digest, sizeof output->digest, "%s", digest);
    if (!output->path) return false;
    file->output_count++;
    return true;
}

/* ---- collecting ------------------------------------------------------------------------------ */

/* `name`: where the part of the path starts that is kept in the output folder. */
static bool add_file(many_list *list, const char *path, const char *name)
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
    file->whole = realpath(path, NULL);
    file->name = strdup(name);
    file->row = cli_row_none();
    file->group = -1;
    list->count++;
    return file->path && file->name;
}

/* What a walk through folders needs on its way. */
typedef struct many_walk {
    many_list *list;
    const cli_many_kind *kind;
    struct stat output; /* this folder is not entered */
    bool has_output;
    const char *command;
    bool keeps_roots;
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
    if (!add_file(walk->list, path, path + walk->root)) return false;
    many_file *file = walk->list->file + walk->list->count - 1;
    /* A damaged or empty capture is recognised by nothing but its name, and fails; what has neither
     * the content nor a name that captures alone have is another matter, and is told. */
    snw_format_kind named = snw_format_from_name(path);
    file->is_left_out = !walk->kind->takes(snw_detect_file(path)) &&
                        (named == SNW_FORMAT_CSV || !walk->kind->takes(named));
    if (!file->is_left_out) return true;
    file->row.code = CLI_DONE;
    snw_format(file->row.message, sizeof file->row.message, "of no kind that %s reads",
               walk->command);
    return true;
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

/* walk.c3d becomes "walk"; beside walk.trc both keep their endings. Two files of one name, which
 * would be one output, are refused. */
static int cut_endings(const cli_arguments *arguments, many_list *list)
{
    int code = CLI_DONE;
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
        for (size_t m = n + 1; m < to; m++)
            if (strcmp(sorted[m]->name, sorted[m - 1]->name) == 0)
                code = cli_fail(arguments, "two inputs would be one output: %s and %s",
                                sorted[m - 1]->path, sorted[m]->path);
        if (to == n + 1) sorted[n]->name[length[n]] = 0;
    }
    free(sorted);
    free(length);
    return is_good ? code : cli_fail(arguments, "no memory for a list of files");
}

/* ---- shards and lists ------------------------------------------------------------------------ */

/* --shard 2/5: every fifth file of the whole list, so that names do not depend on the share. */
static int take_shard(const cli_arguments *arguments, many_list *list)
{
    const char *text = cli_value(arguments, "--shard", NULL);
    int64_t part = 0, parts = 0;
    if (!text) return CLI_DONE;
    const char *end = text + strlen(text), *slash = snw_parse_int64(text, end, &part);
    if (!slash || *slash != '/' || snw_parse_int64(slash + 1, end, &parts) != end || part < 1 ||
        part > parts)
        return cli_misuse(arguments, "--shard takes I/N, as 2/5, not \"%s\"", text);
    for (int64_t n = 0, k = 0; n < list->count; n++) {
        bool is_counted = !list->file[n].is_left_out;
        list->file[n].is_elsewhere = is_counted ? k % parts != part - 1 : part != 1;
        k += is_counted;
    }
    return CLI_DONE;
}

static int take_operand(const cli_arguments *arguments, const char *path, many_walk *walk);

/* --files LIST: a path in each line; "-": standard input. */
static int take_list(const cli_arguments *arguments, const char *path, many_walk *walk)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int code = CLI_DONE;
    if (!in) return cli_fail(arguments, "%s could not be read: %s", path, strerror(errno));
    struct stat about;
    for (int number = 1; code == CLI_DONE && (length = getline(&line, &capacity, in)) > 0;
         number++) {
        line[strcspn(line, "\r\n")] = 0;
        if (*line && stat(line, &about) != 0)
            code = cli_fail(arguments, "%s, line %d: %.200s could not be opened: %s", path, number,
                            line, strerror(errno));
        else if (*line)
            code = take_operand(arguments, line, walk);
    }
    bool is_good = !ferror(in);
    free(line);
    if (in != stdin) fclose(in);
    return is_good ? code : cli_fail(arguments, "%s could not be read", path);
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
        walk->root = walk->keeps_roots ? 0 : strlen(path) + (path[strlen(path) - 1] != '/');
        is_good = walk_folder(walk, path);
    } else {
        is_good = add_file(walk->list, path, path);
    }
    return is_good ? CLI_DONE : cli_fail(arguments, "no memory for a list of files");
}

static int count_tried(const many_list *list)
{
    int count = 0;
    for (int n = 0; n < list->count; n++)
        count += !list->file[n].is_left_out;
    return count;
}

int many_list_fill(const cli_arguments *arguments, const cli_many_kind *kind, many_list *list)
{
    const char *output = cli_value(arguments, "--output", NULL);
    const char *files = cli_value(arguments, "--files", NULL);
    many_walk walk = {.list = list, .kind = kind, .command = arguments->command->name};
    /* Of one folder names begin inside it; several operands keep what tells them apart. */
    walk.keeps_roots = files || arguments->operand_count > 1;
    walk.has_output = output && stat(output, &walk.output) == 0;
    int code = CLI_DONE;
    for (int n = 0; n < arguments->operand_count && code == CLI_DONE; n++)
        code = take_operand(arguments, arguments->operand[n], &walk);
    if (code == CLI_DONE && files) code = take_list(arguments, files, &walk);
    if (code != CLI_DONE) return code; /* the last file may have no name */
    struct stat about;
    bool is_folder =
        !walk.keeps_roots && stat(arguments->operand[0], &about) == 0 && S_ISDIR(about.st_mode);
    if (!is_folder) cut_common_folder(list->file, list->count);
    for (int n = 0; n < list->count; n++)
        stay_inside(list->file[n].name);
    code = kind->is_by_person ? many_list_group(arguments, list) : cut_endings(arguments, list);
    if (code == CLI_DONE) code = take_shard(arguments, list);
    if (code == CLI_DONE && count_tried(list) == 0)
        code = cli_fail(arguments, "%s: there is no file of a kind that %s reads",
                        arguments->operand_count ? arguments->operand[0] : files,
                        arguments->command->name);
    return code;
}
