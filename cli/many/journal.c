#include "many/journal.h"
#include "many/many.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output.h"

/* The first line of every journal: what does not begin like this is not ours, and is not read. */
static const char journal_head[] = "{\"sinew-journal\": 1}\n";

/* ---- options ----------------------------------------------------------------------------------
 */

/* How many at once, overwriting, the form of the answer and where it goes do not change what is
 * written, nor does which share of the files this run does. */
static bool changes_results(const cli_arguments *arguments, const char *option)
{
    if (strcmp(option, cli_ending_option(arguments)) == 0) return false;
    static const char *const free_options[] = {
        "--jobs",   "--force",  "--json",   "--output",     "--shard",
        "--report", "--svg",    "--files",  "--save-actor", "--uncertainty",
        "--cycles", "--forces", "--plates", "--analog",     "--emg"};
    for (size_t n = 0; n < sizeof free_options / sizeof *free_options; n++)
        if (strcmp(option, free_options[n]) == 0) return false;
    return true;
}

/* The recipe, and the options as words. */
static bool sign(many_journal *journal, const cli_arguments *arguments)
{
    many_digest digest;
    size_t size = 1;
    many_digest_begin(&digest);
    many_digest_add_text(&digest, arguments->command->name);
    for (int n = 0; n < arguments->given_count; n++) {
        const char *name = arguments->given[n].option->name, *value = arguments->given[n].value;
        if (!changes_results(arguments, name)) continue;
        many_digest_add_text(&digest, name);
        many_digest_add_text(&digest, value ? value : "");
        size += strlen(name) + (value ? strlen(value) : 0) + 2;
    }
    many_digest_end(&digest, journal->recipe);
    journal->words = calloc(1, size);
    for (int n = 0; journal->words && n < arguments->given_count; n++) {
        const char *name = arguments->given[n].option->name, *value = arguments->given[n].value;
        size_t at = strlen(journal->words);
        if (changes_results(arguments, name))
            snw_format(journal->words + at, size - at, "%s%s%s%s", at ? " " : "", name,
                       value ? "=" : "", value ? value : "");
    }
    return journal->words != NULL;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void number(cli_json *json, const char *key, double value)
{
    if (isfinite(value)) cli_json_number(json, key, value);
}

static void count(cli_json *json, const char *key, int value)
{
    if (value >= 0) cli_json_integer(json, key, value);
}

static void row_figures(cli_json *json, const cli_row *row)
{
    if (row->kind[0]) cli_json_string(json, "format", row->kind);
    if (row->verdict[0]) cli_json_string(json, "verdict", row->verdict);
    count(json, "frames", row->frame_count);
    number(json, "rate", row->rate);
    count(json, "markers", row->marker_count);
    count(json, "joints", row->joint_count);
    number(json, "missing_share", row->missing_share);
    number(json, "residual_m", row->residual);
    number(json, "outlier_share", row->outlier_share);
    count(json, "lost_frames", row->lost_count);
    count(json, "uncertain_joints", row->uncertain_count);
    number(json, "seconds", row->seconds);
    number(json, "memory_bytes", row->memory);
    cli_json_string(json, "message", row->message);
}

static const char *state_of(const many_file *file)
{
    if (file->is_left_out) return "left out";
    if (file->row.code != CLI_DONE) return "failed";
    return file->is_before ? "before" : "done";
}

void many_print_json_line(FILE *out, const many_journal *journal, const cli_arguments *arguments,
                          const many_file *file)
{
    cli_json json = cli_json_begin_line(out);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", file->path);
    cli_json_string(&json, "state", state_of(file));
    cli_json_boolean(&json, "done", file->row.code == CLI_DONE && !file->is_left_out);
    cli_json_boolean(&json, "before", file->is_before);
    row_figures(&json, &file->row);
    cli_json_string(&json, "command", arguments->command->name);
    cli_json_string(&json, "options", journal->words ? journal->words : "");
    cli_json_string(&json, "version", snw_version());
    cli_json_string(&json, "name", file->name);
    cli_json_string(&json, "input", file->whole ? file->whole : file->path);
    cli_json_string(&json, "input_sha256", file->input);
    cli_json_string(&json, "recipe_sha256", journal->recipe);
    cli_json_string(&json, "content_sha256", file->content);
    cli_json_number(&json, "time", now());
    cli_json_array(&json, "outputs");
    for (int n = 0; n < file->output_count; n++) {
        cli_json_object(&json, NULL);
        cli_json_string(&json, "path", file->output[n].path);
        cli_json_string(&json, "sha256", file->output[n].digest);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

static void journal_folder(const many_journal *journal, char folder[PATH_MAX])
{
    size_t length = strlen(journal->home);
    snw_format(folder, PATH_MAX, "%s%ssinew-journal", journal->home,
               length && journal->home[length - 1] == '/' ? "" : "/");
}

static bool write_all(int file, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(file, bytes + done, size - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        done += (size_t)wrote;
    }
    return true;
}

/* This run's own file, made when there is something to say: never one that was there. */
static bool begin_own(many_journal *journal)
{
    char folder[PATH_MAX], host[64] = "";
    struct stat about;
    if (journal->descriptor >= 0) return true;
    journal_folder(journal, folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return false;
    if (lstat(folder, &about) != 0 || !S_ISDIR(about.st_mode)) return false;
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++)
        if (*c == '/' || (unsigned char)*c < ' ') *c = '-';
    for (int n = 0; n < 100 && journal->descriptor < 0; n++) {
        snw_format(journal->own, sizeof journal->own, "%s/%s-%ld-%.0f-%d.jsonl", folder,
                   host[0] ? host : "host", (long)getpid(), now(), n);
        journal->descriptor = open(
            journal->own, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (journal->descriptor < 0 && errno != EEXIST) return false;
    }
    return journal->descriptor >= 0 &&
           write_all(journal->descriptor, journal_head, sizeof journal_head - 1) &&
           (journal->size += (int64_t)sizeof journal_head - 1) > 0;
}

typedef struct journal_line {
    const many_journal *journal;
    const cli_arguments *arguments;
    const many_file *file;      /* or */
    const char *summary_digest; /* this */
} journal_line;

static bool draw_line(FILE *out, const void *context)
{
    const journal_line *line = context;
    if (line->file) {
        many_print_json_line(out, line->journal, line->arguments, line->file);
        return true;
    }
    cli_json json = cli_json_begin_line(out);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "summary_sha256", line->summary_digest);
    cli_json_end_object(&json);
    return true;
}

static bool add_line(many_journal *journal, const journal_line *line)
{
    size_t size;
    if (!journal->home) return true;
    if (!begin_own(journal)) return false;
    char *bytes = cli_draw(draw_line, line, &size);
    bool is_good = bytes && write_all(journal->descriptor, bytes, size) &&
                   (fdatasync(journal->descriptor) == 0 || errno == EINVAL);
    if (is_good) journal->size += (int64_t)size;
    free(bytes);
    return is_good;
}

bool many_journal_add(many_journal *journal, const cli_arguments *arguments, const many_file *file)
{
    return add_line(journal, &(journal_line){journal, arguments, file, NULL});
}

bool many_journal_add_summary(many_journal *journal, const cli_arguments *arguments,
                              const char digest[MANY_DIGEST_SIZE])
{
    return add_line(journal, &(journal_line){journal, arguments, NULL, digest});
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Behind the value that starts at `at` (RFC 8259); NULL where it is cut short. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1]) at++;
            if (!*at) return NULL;
            at++;
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0) return at;
            depth--;
            at++;
        } else if (!*at) {
            return NULL;
        } else {
            if (depth == 0 && *at == ',') return at;
            at++;
        }
    } while (depth > 0 || (*at != ',' && *at != '}' && *at != ']'));
    return at;
}

/* The value of a key of the object at `at`; NULL: it has none. */
static const char *find_value(const char *at, const char *key)
{
    size_t length = strlen(key);
    if (*at++ != '{') return NULL;
    while (at && *at == '"') {
        bool is_it = strncmp(at + 1, key, length) == 0 && at[1 + length] == '"';
        const char *colon = strchr(at + 1, ':');
        if (!colon) return NULL;
        const char *value = colon + 1 + strspn(colon + 1, " ");
        if (is_it) return value;
        at = skip_value(value);
        if (at && *at == ',') at += 1 + strspn(at + 1, " ");
    }
    return NULL;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string's characters; escapes of what cli_json writes. Cut to `size`. */
static void read_string(const char *at, char *out, size_t size)
{
    size_t n = 0;
    if (at && *at == '"')
        for (at++; *at && *at != '"' && n + 4 < size; at++) {
            if (*at != '\\') {
                out[n++] = *at;
                continue;
            }
            at++;
            if (*at == 'u' && hex_digit(at[1]) >= 0) {
                int code = 0;
                for (int k = 1; k <= 4 && hex_digit(at[k]) >= 0; k++)
                    code = 16 * code + hex_digit(at[k]);
                if (code >= 0x800) {
                    out[n++] = (char)(0xe0 | code >> 12);
                    out[n++] = (char)(0x80 | (code >> 6 & 63));
                } else if (code >= 0x80) {
                    out[n++] = (char)(0xc0 | code >> 6);
                }
                out[n++] = (char)(code >= 0x80 ? 0x80 | (code & 63) : code);
                at += strnlen(at, 4);
            } else if (*at) {
                out[n++] = (char)(*at == 'n' ? '\n' : *at == 't' ? '\t' : *at);
            }
        }
    out[n] = 0;
}

static char *copy_string(const char *at)
{
    char text[PATH_MAX];
    read_string(at, text, sizeof text);
    return strdup(text);
}

static double read_number(const char *line, const char *key, double otherwise)
{
    const char *at = find_value(line, key);
    double value = otherwise;
    return at && snw_parse_double(at, at + strcspn(at, ",}] \n"), &value) ? value : otherwise;
}

static void read_text(const char *line, const char *key, char *out, size_t size)
{
    read_string(find_value(line, key), out, size);
}

static int read_count(const char *line, const char *key)
{
    double value = read_number(line, key, -1);
    return value >= 0 && value <= INT_MAX ? (int)value : -1;
}

static void read_row(const char *line, cli_row *row)
{
    char state[16];
    *row = cli_row_none();
    read_text(line, "state", state, sizeof state);
    row->code = strcmp(state, "done") == 0 ? CLI_DONE : CLI_FAILED;
    read_text(line, "format", row->kind, sizeof row->kind);
    read_text(line, "verdict", row->verdict, sizeof row->verdict);
    read_text(line, "message", row->message, sizeof row->message);
    row->frame_count = read_count(line, "frames");
    row->marker_count = read_count(line, "markers");
    row->joint_count = read_count(line, "joints");
    row->lost_count = read_count(line, "lost_frames");
    row->uncertain_count = read_count(line, "uncertain_joints");
    row->rate = read_number(line, "rate", NAN);
    row->missing_share = read_number(line, "missing_share", NAN);
    row->residual = read_number(line, "residual_m", NAN);
    row->outlier_share = read_number(line, "outlier_share", NAN);
    row->seconds = read_number(line, "seconds", NAN);
    row->memory = read_number(line, "memory_bytes", NAN);
}

static bool read_outputs(const char *line, many_record *record)
{
    const char *at = find_value(line, "outputs");
    many_file holder = {0};
    bool is_good = true;
    if (!at || *at++ != '[') return true;
    while (is_good && at && *at == '{') {
        char path[PATH_MAX], digest[MANY_DIGEST_SIZE + 4];
        read_text(at, "path", path, sizeof path);
        read_text(at, "sha256", digest, sizeof digest);
        digest[MANY_DIGEST_SIZE - 1] = 0;
        is_good = many_file_add_output(&holder, path, digest);
        at = skip_value(at);
        if (at && *at == ',') at += 1 + strspn(at + 1, " ");
    }
    record->output = holder.output;
    record->output_count = holder.output_count;
    return is_good;
}

static bool take_line(many_journal *journal, const char *line)
{
    char digest[MANY_DIGEST_SIZE + 4];
    const char *summary = find_value(line, "summary_sha256");
    if (summary) {
        void *more = realloc(journal->summary,
                             ((size_t)journal->summary_count + 1) * sizeof *journal->summary);
        if (!more) return false;
        journal->summary = more;
        read_string(summary, digest, sizeof digest);
        snw_format(journal->summary[journal->summary_count++], MANY_DIGEST_SIZE, "%s", digest);
        return true;
    }
    if (!find_value(line, "input") || !find_value(line, "outputs")) return true;
    if (journal->record_count == journal->record_capacity) {
        int capacity = journal->record_capacity ? 2 * journal->record_capacity : 64;
        many_record *more = realloc(journal->record, (size_t)capacity * sizeof *more);
        if (!more) return false;
        journal->record = more;
        journal->record_capacity = capacity;
    }
    many_record *record = journal->record + journal->record_count++;
    memset(record, 0, sizeof *record);
    record->time = read_number(line, "time", 0);
    record->input = copy_string(find_value(line, "input"));
    record->name = copy_string(find_value(line, "name"));
    read_text(line, "recipe_sha256", digest, sizeof digest);
    snw_format(record->recipe, sizeof record->recipe, "%s", digest);
    read_text(line, "content_sha256", digest, sizeof digest);
    snw_format(record->content, sizeof record->content, "%s", digest);
    read_row(line, &record->row);
    return read_outputs(line, record) && record->input && record->name;
}

/* One journal. What is no file of ours (a link, a pipe, another head) is passed over. */
static bool read_file(many_journal *journal, int folder, const char *name)
{
    struct stat about;
    bool is_good = true;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return true;
    FILE *in = fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? fdopen(file, "r") : NULL;
    if (!in) {
        close(file);
        return true;
    }
    journal->size += about.st_size;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = getline(&line, &capacity, in);
    if (length > 0 && strcmp(line, journal_head) == 0)
        while (is_good && (length = getline(&line, &capacity, in)) > 0)
            if (line[length - 1] == '\n') is_good = take_line(journal, line);
    free(line);
    fclose(in);
    return is_good;
}

static int by_time(const void *a, const void *b)
{
    double left = ((const many_record *)a)->time, right = ((const many_record *)b)->time;
    return left < right ? -1 : left > right;
}

static void forget(many_journal *journal)
{
    for (int n = 0; n < journal->record_count; n++) {
        many_record *record = journal->record + n;
        for (int o = 0; o < record->output_count; o++)
            free(record->output[o].path);
        free(record->output);
        free(record->input);
        free(record->name);
    }
    free(journal->record);
    free(journal->entry);
    free(journal->summary);
    journal->record = NULL;
    journal->entry = NULL;
    journal->entry_count = 0;
    journal->summary = NULL;
    journal->record_count = journal->record_capacity = journal->summary_count = 0;
    journal->size = 0;
}

/* ---- which record an output is of -------------------------------------------------------------
 */

static int by_path(const void *a, const void *b)
{
    const many_entry *left = a, *right = b;
    int order = strcmp(left->path, right->path);
    return order ? order : left->record - right->record;
}

static bool make_index(many_journal *journal)
{
    size_t size = 0;
    if (journal->record_count)
        qsort(journal->record, (size_t)journal->record_count, sizeof *journal->record, by_time);
    for (int n = 0; n < journal->record_count; n++)
        size += (size_t)journal->record[n].output_count;
    journal->entry = malloc((size + 1) * sizeof *journal->entry);
    if (!journal->entry) return false;
    journal->entry_count = size;
    for (int n = 0, at = 0; n < journal->record_count; n++)
        for (int o = 0; o < journal->record[n].output_count; o++)
            journal->entry[at++] = (many_entry){journal->record[n].output[o].path, n};
    if (size) qsort(journal->entry, size, sizeof *journal->entry, by_path);
    return true;
}

const many_record *many_journal_find(const many_journal *journal, const char *output)
{
    size_t low = 0, high = journal->entry_count;
    while (low < high) { /* the last entry that is not behind `output` */
        size_t middle = low + (high - low) / 2;
        if (strcmp(journal->entry[middle].path, output) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || strcmp(journal->entry[low - 1].path, output) != 0) return NULL;
    return journal->record + journal->entry[low - 1].record;
}

/* ---- paths ------------------------------------------------------------------------------------
 */

/* The canonical path of a file that need not exist, whose folder may not either. */
static void canonical(const char *path, char whole[PATH_MAX])
{
    char folder[PATH_MAX], resolved[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (slash)
        snw_format(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        snw_format(folder, sizeof folder, ".");
    if (realpath(folder, resolved))
        snw_format(whole, PATH_MAX, "%s/%s", resolved, slash ? slash + 1 : path);
    else
        snw_format(whole, PATH_MAX, "%s", path);
}

void many_journal_path(const many_journal *journal, const char *path, char kept[4096])
{
    char home[PATH_MAX], whole[PATH_MAX];
    canonical(path, whole);
    size_t length = journal->home && realpath(journal->home, home) ? strlen(home) : 0;
    bool is_inside = length && strncmp(whole, home, length) == 0 && whole[length] == '/';
    snw_format(kept, 4096, "%s", is_inside ? whole + length + 1 : whole);
}

void many_journal_place(const many_journal *journal, const char *kept, char path[4096])
{
    if (kept[0] == '/' || !journal->home)
        snw_format(path, 4096, "%s", kept);
    else
        snw_format(path, 4096, "%s/%s", journal->home, kept);
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* Opens the folder of journals; -1: there is none. -2: what is there is no folder of ours. */
static int open_folder(const many_journal *journal)
{
    char path[PATH_MAX];
    journal_folder(journal, path);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return folder >= 0 ? folder : errno == ENOENT ? -1 : -2;
}

static bool is_journal(const char *name)
{
    size_t length = strlen(name);
    return length > 6 && name[0] != '.' && strcmp(name + length - 6, ".jsonl") == 0;
}

static int read_all(many_journal *journal, const cli_arguments *arguments)
{
    int descriptor = open_folder(journal);
    if (descriptor == -2)
        return cli_fail(arguments, "%s/sinew-journal is no folder that a run over many files keeps",
                        journal->home);
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    const struct dirent *entry;
    bool is_good = true;
    while (folder && is_good && (entry = readdir(folder)) != NULL)
        if (is_journal(entry->d_name)) is_good = read_file(journal, descriptor, entry->d_name);
    if (folder) closedir(folder);
    is_good = is_good && make_index(journal);
    return is_good ? CLI_DONE
                   : cli_fail(arguments, "no memory for the journal of %s", journal->home);
}

int many_journal_open(many_journal *journal, const cli_arguments *arguments, const char *home)
{
    memset(journal, 0, sizeof *journal);
    journal->descriptor = -1;
    journal->home = home;
    if (!sign(journal, arguments)) return cli_fail(arguments, "no memory for the options");
    return home ? read_all(journal, arguments) : CLI_DONE;
}

/* Bytes of all journals. */
static int64_t measure(const many_journal *journal)
{
    int64_t size = 0;
    struct stat about;
    const struct dirent *entry;
    int descriptor = open_folder(journal);
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    while (folder && (entry = readdir(folder)) != NULL)
        if (is_journal(entry->d_name) &&
            fstatat(descriptor, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode))
            size += about.st_size;
    if (folder) closedir(folder);
    return size;
}

bool many_journal_refresh(many_journal *journal, const cli_arguments *arguments)
{
    if (!journal->home || measure(journal) == journal->size) return false;
    forget(journal);
    return read_all(journal, arguments) == CLI_DONE;
}

void many_journal_close(many_journal *journal)
{
    forget(journal);
    free(journal->words);
    if (journal->descriptor >= 0) close(journal->descriptor);
    memset(journal, 0, sizeof *journal);
    journal->descriptor = -1;
}
