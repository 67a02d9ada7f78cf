#include "output.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "text.h"

int cli_fail_writing(const cli_arguments *arguments, const snw_error *error)
{
    const char *hint = error->status == SNW_EXISTS ? " (--force overwrites)" : "";
    return cli_fail(arguments, "%s%s", error->message, hint);
}

/* ---- before the work --------------------------------------------------------------------------
 */

/* Did the user write this path? Who names a pipe or a link means what is behind it; where the name
 * is ours, somebody else put it there. */
static bool is_named_by_user(const cli_arguments *arguments, const char *path)
{
    for (int n = 0; n < arguments->operand_count; n++)
        if (strcmp(arguments->operand[n], path) == 0) return true;
    for (int n = 0; n < arguments->given_count; n++) {
        const char *value = arguments->given[n].value;
        if (value && strcmp(value, path) == 0) return true;
    }
    return false;
}

/* The same sentences as snw_write_file, before the work instead of after it. */
static int check_output(const cli_arguments *arguments, const char *path)
{
    struct stat about;
    bool is_ours = !is_named_by_user(arguments, path);
    if (is_ours && lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
        return cli_fail(arguments, "%s could not be written: it is a link to somewhere else", path);
    if (stat(path, &about) != 0) return CLI_DONE;
    if (S_ISDIR(about.st_mode))
        return cli_fail(arguments, "%s could not be written: it is a folder", path);
    if (!S_ISREG(about.st_mode) && is_ours)
        return cli_fail(arguments, "%s could not be written: it is no file", path);
    if (S_ISREG(about.st_mode) && !cli_flag(arguments, "--force"))
        return cli_fail(arguments, "%s exists already and is not overwritten (--force overwrites)",
                        path);
    return CLI_DONE;
}

/* Folder and name of a file that need not exist; false when its folder does not. */
static bool find_place(const char *path, struct stat *folder, const char **name)
{
    const char *slash = strrchr(path, '/');
    char text[PATH_MAX];
    int length = slash ? (int)(slash - path) + 1 : 0;
    *name = path + length;
    snw_format(text, sizeof text, "%.*s", length ? length : 1, length ? path : ".");
    return (size_t)length < sizeof text && stat(text, folder) == 0;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat left, right;
    bool has_left = stat(a, &left) == 0, has_right = stat(b, &right) == 0;
    /* What is no file takes any number of outputs: /dev/null, a pipe. */
    if (has_left && has_right)
        return S_ISREG(left.st_mode) && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
    const char *left_name, *right_name;
    return !has_left && !has_right && find_place(a, &left, &left_name) &&
           find_place(b, &right, &right_name) && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino && strcmp(left_name, right_name) == 0;
}

int cli_check_outputs(const cli_arguments *arguments, const char *const *path, int count)
{
    for (int n = 0; n < count; n++) {
        if (!path[n]) continue;
        int code = check_output(arguments, path[n]);
        if (code != CLI_DONE) return code;
        for (int m = 0; m < n; m++)
            if (path[m] && is_same_file(path[m], path[n]))
                return cli_misuse(arguments, "two outputs would be one file: %s and %s", path[m],
                                  path[n]);
    }
    return CLI_DONE;
}

/* Is `path` what the command was given to read: an operand, or the file of an option that is no
 * output? */
static const char *find_input(const cli_arguments *arguments, const char *path,
                              const char *const *outputs)
{
    for (int n = 0; n < arguments->operand_count; n++)
        if (is_same_file(arguments->operand[n], path)) return arguments->operand[n];
    for (int n = 0; n < arguments->given_count; n++) {
        const char *value = arguments->given[n].value;
        bool is_output = false;
        for (int o = 0; outputs[o]; o++)
            is_output |= strcmp(arguments->given[n].option->name, outputs[o]) == 0;
        if (value && !is_output && is_same_file(value, path)) return value;
    }
    return NULL;
}

/* Does --output hold what the input held, and more? Elsewhere it is a table or a style, whatever it
 * is called; angles and gait add theirs to a C3D. */
static bool keeps_content(const cli_arguments *arguments, snw_format_kind kind)
{
    static const char *const keeping[] = {"avatar", "convert", "fill", "hand", "solve"};
    static const char *const adding[] = {"angles", "gait"};
    const char *name = arguments->command->name;
    for (size_t n = 0; n < sizeof keeping / sizeof *keeping; n++)
        if (strcmp(name, keeping[n]) == 0) return true;
    for (size_t n = 0; n < sizeof adding / sizeof *adding; n++)
        if (strcmp(name, adding[n]) == 0) return kind == SNW_FORMAT_C3D;
    return false;
}

int cli_check_not_input(const cli_arguments *arguments, const char *path, bool is_output,
                        const char *const *outputs)
{
    const char *input = path ? find_input(arguments, path, outputs) : NULL;
    if (!input) return CLI_DONE;
    /* A capture may be replaced by itself, filled or converted, where --force says so. */
    snw_format_kind kind = snw_detect_file(input);
    if (is_output && kind != SNW_FORMAT_UNKNOWN && kind == snw_format_from_name(path) &&
        keeps_content(arguments, kind))
        return CLI_DONE;
    return cli_misuse(arguments,
                      "%s is read by this command, which would write another kind of "
                      "file over it",
                      path);
}

static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

/* Pictures, pages and tables are of one kind: another ending is a mistake that no program would
 * open. */
static int check_ending(const cli_arguments *arguments, const char *option, const char *path)
{
    static const struct {
        const char *option, *ending, *other, *what;
    } kinds[] = {
        {"--report", ".html", ".htm", "the report is a page for a browser and ends in .html"},
        {"--export", ".html", ".htm", "the export is a page for a browser and ends in .html"},
        {"--svg", ".svg", ".svg", "the picture is an SVG file and ends in .svg"},
        {"--gaps", ".svg", ".svg", "the picture is an SVG file and ends in .svg"},
        {"--uncertainty", ".csv", ".csv", "the uncertainties are a table and end in .csv"},
        {"--cycles", ".csv", ".csv", "the cycles are a table and end in .csv"},
        {"--analog", ".csv", ".csv", "the channels are a table and end in .csv"},
    };
    const char *ending = ending_of(path);
    for (size_t n = 0; *ending && n < sizeof kinds / sizeof *kinds; n++)
        if (strcmp(option, kinds[n].option) == 0 && strcasecmp(ending, kinds[n].ending) != 0 &&
            strcasecmp(ending, kinds[n].other) != 0)
            return cli_misuse(arguments, "%s: %s", path, kinds[n].what);
    return CLI_DONE;
}

int cli_check_output_options(const cli_arguments *arguments, const char *const *options)
{
    const char *path[16];
    int count = 0;
    for (; options[count] && count < 16; count++) {
        path[count] = cli_value(arguments, options[count], NULL);
        int code = path[count] ? check_ending(arguments, options[count], path[count]) : CLI_DONE;
        if (code == CLI_DONE)
            code = cli_check_not_input(arguments, path[count],
                                       strcmp(options[count], "--output") == 0, options);
        if (code != CLI_DONE) return code;
    }
    return cli_check_outputs(arguments, path, count);
}

/* ---- what a format cannot say -----------------------------------------------------------------
 */

/* Tables of text keep no control characters in a label and no blanks before it. */
static bool is_label_lost(const char *label)
{
    if (*label == ' ') return true;
    for (; *label; label++)
        if ((unsigned char)*label < ' ') return true;
    return false;
}

static void note_labels(const cli_arguments *arguments, const snw_trial *trial, const char *format)
{
    int count = 0, first = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        if (!is_label_lost(trial->marker[m].name)) continue;
        if (first < 0) first = m;
        count++;
    }
    if (count)
        cli_note(arguments,
                 "%s cannot keep tabs, line ends and leading blanks: %d label%s changed, the first "
                 "is \"%s\"",
                 format, count, count == 1 ? " is" : "s are", trial->marker[first].name);
}

/* "12 angles, 1 force": the points of these kinds that there are. False: there are none. */
static bool list_points(const snw_trial *trial, int first_kind, char *list, size_t size)
{
    size_t used = 0;
    list[0] = 0;
    for (int kind = first_kind; kind < SNW_POINT_KIND_COUNT; kind++) {
        int count = snw_trial_count_kind(trial, (snw_point_kind)kind);
        if (count == 0 || used >= size) continue;
        used += (size_t)snw_format(list + used, size - used, "%s%d %s%s%s", used ? ", " : "", count,
                                   snw_point_kind_name((snw_point_kind)kind),
                                   kind == SNW_POINT_OTHER ? " point" : "", cli_s(count));
    }
    return used > 0;
}

void cli_print_point_counts(const snw_trial *trial)
{
    char list[256];
    bool has_others = list_points(trial, SNW_POINT_MARKER + 1, list, sizeof list);
    int count = snw_trial_count_kind(trial, SNW_POINT_MARKER);
    printf("%d marker%s%s%s", count, cli_s(count), has_others ? ", " : "", list);
}

/* A file of markers holds no points that were computed, unless asked. */
static void note_points(const cli_arguments *arguments, const snw_trial *trial,
                        snw_point_choice points)
{
    static const int first_left[] = {SNW_POINT_JOINT, SNW_POINT_JOINT + 1, SNW_POINT_KIND_COUNT};
    char list[256];
    if (list_points(trial, first_left[points], list, sizeof list))
        cli_note(arguments, "TRC holds markers; %s left out", list);
}

void cli_note_losses(const cli_arguments *arguments, const snw_trial *trial,
                     snw_point_choice points, const char *path)
{
    snw_format_kind kind = snw_format_from_name(path);
    if (kind == SNW_FORMAT_C3D) return;
    if (kind == SNW_FORMAT_TRC) note_points(arguments, trial, points);
    const int counts[] = {trial->analog_count, trial->event_count, trial->rotation_count};
    static const char *const words[] = {"analog channel", "event", "rotation"};
    for (int n = 0; n < 3; n++)
        if (counts[n] > 0)
            cli_note(arguments, "%s has no place for %d %s%s, which %s left out",
                     snw_format_name(kind), counts[n], words[n], cli_s(counts[n]),
                     counts[n] == 1 ? "is" : "are");
    note_labels(arguments, trial, snw_format_name(kind));
}

/* ---- whole files ------------------------------------------------------------------------------
 */

/* What is drawn, on its way to a file. open_memstream would do, but where its memory could not grow
 * it forgets: what is written later is kept, what did not fit is missing, and nothing tells. */
typedef struct output_bytes {
    char *bytes;
    size_t size, room;
    bool is_full; /* there was no memory for more */
} output_bytes;

static ssize_t keep_bytes(void *cookie, const char *bytes, size_t count)
{
    output_bytes *kept = cookie;
    if (kept->room - kept->size < count) {
        size_t room = 2 * kept->room > kept->size + count ? 2 * kept->room : kept->size + count;
        char *larger = realloc(kept->bytes, room);
        kept->is_full |= !larger;
        if (!larger) return 0;
        kept->bytes = larger;
        kept->room = room;
    }
    memcpy(kept->bytes + kept->size, bytes, count);
    kept->size += count;
    return (ssize_t)count;
}

char *cli_draw(bool (*draw)(FILE *out, const void *context), const void *context, size_t *size)
{
    output_bytes kept = {NULL, 0, 0, false};
#ifdef _WIN32
    FILE *memory = tmpfile(); /* there are no streams into memory */
#else
    FILE *memory = fopencookie(&kept, "w", (cookie_io_functions_t){.write = keep_bytes});
#endif
    if (!memory) return NULL;
    bool is_good = draw(memory, context) && fputc(0, memory) == 0 && fflush(memory) == 0;
    is_good &= !ferror(memory);
#ifdef _WIN32
    char chunk[8192];
    rewind(memory);
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, memory)) > 0;)
        keep_bytes(&kept, chunk, got);
#endif
    is_good = fclose(memory) == 0 && is_good && !kept.is_full;
    if (!is_good) free(kept.bytes);
    *size = is_good ? kept.size - 1 : 0;
    return is_good ? kept.bytes : NULL;
}

static int write_drawn(const cli_arguments *arguments, const char *path, bool may_overwrite,
                       bool (*draw)(FILE *out, const void *context), const void *context)
{
    size_t size;
    snw_error error;
    char *bytes = cli_draw(draw, context, &size);
    if (!bytes) return cli_fail(arguments, "no memory for %s", path);
    int status = CLI_DONE;
    if (snw_write_file(path, may_overwrite, bytes, size, &error) != SNW_OK)
        status = cli_fail_writing(arguments, &error);
    free(bytes);
    return status;
}

int cli_write_whole(const cli_arguments *arguments, const char *path,
                    bool (*draw)(FILE *out, const void *context), const void *context)
{
    return write_drawn(arguments, path, cli_flag(arguments, "--force"), draw, context);
}

static bool draw_actor(FILE *out, const void *context)
{
    size_t size = snw_actor_print(context, NULL, 0);
    char *text = malloc(size + 1);
    if (!text) return false;
    snw_actor_print(context, text, size + 1);
    fwrite(text, 1, size, out);
    free(text);
    return true;
}

int cli_write_actor(const cli_arguments *arguments, const char *path, const snw_actor *actor)
{
    return cli_write_whole(arguments, path, draw_actor, actor);
}

int cli_replace_whole(const cli_arguments *arguments, const char *path,
                      bool (*draw)(FILE *out, const void *context), const void *context)
{
    return write_drawn(arguments, path, true, draw, context);
}

/* Of what is no file, such as a device or a pipe, which need not end. [chosen] The largest style,
 * 64 components of 32 directions of 100 joints, has 15 MiB. */
#define OUTPUT_STREAM_MAX ((size_t)64 << 20)

char *cli_read_whole(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    output_bytes kept = {NULL, 0, 0, false};
    char chunk[8192];
    size_t got;
    struct stat about;
    if (!in) return NULL;
    bool is_file = fstat(fileno(in), &about) == 0 && S_ISREG(about.st_mode);
    while (!kept.is_full && (got = fread(chunk, 1, sizeof chunk, in)) > 0) {
        keep_bytes(&kept, chunk, got);
        kept.is_full |= !is_file && kept.size > OUTPUT_STREAM_MAX;
    }
    bool is_good = !ferror(in) && keep_bytes(&kept, "", 1) == 1 && !kept.is_full;
    fclose(in);
    *size = is_good ? kept.size - 1 : 0;
    if (is_good) return kept.bytes;
    free(kept.bytes);
    return NULL;
}

void cli_put_base64(FILE *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t n = 0; n < size; n += 3) {
        uint32_t b = n + 1 < size ? bytes[n + 1] : 0, c = n + 2 < size ? bytes[n + 2] : 0;
        uint32_t three = (uint32_t)bytes[n] << 16 | b << 8 | c;
        putc(digits[three >> 18 & 63], out);
        putc(digits[three >> 12 & 63], out);
        putc(n + 1 < size ? digits[three >> 6 & 63] : '=', out);
        putc(n + 2 < size ? digits[three & 63] : '=', out);
    }
}
