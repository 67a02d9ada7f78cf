/* From the words of the command line to a run for each file, and to the table of all. */
#include "many/many.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "many/journal.h"
#include "many/run.h"
#include "many/summary.h"
#include "output.h"
#include "text.h"

/* Options that name a folder here and a file in each single run. */
typedef struct many_output {
    const char *option;
    const char *ending;
} many_output;

static const many_output many_outputs[] = {{"--output", NULL}, /* --to or the command's own */
                                           {"--report", ".html"},
                                           {"--svg", ".svg"},
                                           {"--save-actor", ".actor"},
                                           {"--uncertainty", ".csv"}};

#define MANY_OUTPUTS (int)(sizeof many_outputs / sizeof *many_outputs)

/* Options of the run as a whole. */
static const char *const many_own[] = {"--jobs", "--to", "--share-actor", "--json", "--force"};

#define MANY_OWN (int)(sizeof many_own / sizeof *many_own)

typedef struct many_job {
    const cli_arguments *arguments;
    const cli_many_kind *kind;
    many_list list;
    many_journal journal;
    char ending[32];  /* of --output */
    const char *home; /* folder of journal and summary; NULL: none */
    bool is_sharing;  /* actors */
    bool is_leading;  /* this stage: the files whose actors the others take */
    int failed_count, before_count;
} many_job;

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool cli_is_many(const cli_arguments *arguments, const cli_many_kind *kind)
{
    const char *output = cli_value(arguments, "--output", NULL);
    bool is_named = output && snw_format_from_name(output) != SNW_FORMAT_UNKNOWN;
    if (output && *output && !is_named && (is_folder(output) || output[strlen(output) - 1] == '/'))
        return true;
    if (arguments->operand_count > 1 + kind->output_is_operand) return true;
    if (kind->output_is_operand && output && !(is_named && arguments->operand_count == 1))
        return true;
    for (int n = 0; n < arguments->operand_count; n++)
        if (is_folder(arguments->operand[n])) return true;
    return false;
}

/* ---- words of one run ------------------------------------------------------------------------ */

/* The folders on the way to `path` are made. */
static void make_folders(const char *path)
{
    char part[PATH_MAX];
    snw_format(part, sizeof part, "%s", path);
    for (char *at = part + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return;
        *at = '/';
    }
}

static void output_path(const many_job *job, int output, const many_file *file, char path[PATH_MAX])
{
    const char *folder = cli_value(job->arguments, many_outputs[output].option, "");
    const char *ending = many_outputs[output].ending;
    size_t length = strlen(folder);
    snw_format(path, PATH_MAX, "%s%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/",
               file->name, ending ? ending : job->ending);
}

static bool is_own_option(const char *name)
{
    for (int n = 0; n < MANY_OWN; n++)
        if (strcmp(name, many_own[n]) == 0) return true;
    for (int n = 0; n < MANY_OUTPUTS; n++)
        if (strcmp(name, many_outputs[n].option) == 0) return true;
    return false;
}

/* Options that make a skeleton, which a file that is given one does not take. */
static bool makes_skeleton(const char *name)
{
    static const char *const making[] = {"--calibrate", "--markerset", "--segments", "--method",
                                         "--root"};
    for (size_t n = 0; n < sizeof making / sizeof *making; n++)
        if (strcmp(name, making[n]) == 0) return true;
    return false;
}

static void add_options(const many_job *job, bool has_actor, many_words *words)
{
    for (int n = 0; n < job->arguments->given_count; n++) {
        const char *name = job->arguments->given[n].option->name;
        const char *value = job->arguments->given[n].value;
        if (is_own_option(name) || (has_actor && makes_skeleton(name))) continue;
        if (value)
            many_words_add(words, "%s=%s", name, value);
        else
            many_words_add(words, "%s", name);
    }
}

static void add_outputs(const many_job *job, const many_file *file, many_words *words)
{
    char path[PATH_MAX];
    for (int n = 0; n < MANY_OUTPUTS; n++) {
        if (!cli_flag(job->arguments, many_outputs[n].option)) continue;
        output_path(job, n, file, path);
        make_folders(path);
        if (n == 0 && job->kind->output_is_operand)
            many_words_add(words, "%s", path);
        else
            many_words_add(words, "%s=%s", many_outputs[n].option, path);
    }
}

static bool has_outputs(const many_job *job, const many_file *file)
{
    char path[PATH_MAX];
    for (int n = 0; n < MANY_OUTPUTS; n++) {
        if (!cli_flag(job->arguments, many_outputs[n].option)) continue;
        output_path(job, n, file, path);
        if (access(path, F_OK) != 0) return false;
    }
    return true;
}

/* info writes nothing of its own and has no --force. */
static bool has_option(const cli_command *command, const char *name)
{
    const cli_option *option = command->options;
    while (option->name && strcmp(option->name, name) != 0)
        option++;
    return option->name != NULL;
}

static void add_command(const many_job *job, const many_file *file, bool has_actor,
                        many_words *words)
{
    many_words_add(words, "%s", job->arguments->command->name);
    add_options(job, has_actor, words);
    /* A run that was stopped may have left this file's outputs: they are our own. */
    bool may_overwrite = file->is_begun && has_option(job->arguments->command, "--force");
    if (cli_flag(job->arguments, "--force") || may_overwrite) many_words_add(words, "--force");
    if (file->path[0] == '-') many_words_add(words, "--");
    many_words_add(words, "%s%s", file->path[0] == '-' ? "./" : "", file->path);
}

/* ---- trials of one person -------------------------------------------------------------------- */

static bool plan_look(void *context, many_file *file, many_words *words)
{
    (void)context;
    many_words_add(words, "info");
    many_words_add(words, "%s", file->path);
    return true;
}

static void tell_nothing(void *context, const many_file *file)
{
    (void)context;
    (void)file;
}

static bool is_one_person(const many_file *a, const many_file *b)
{
    const char *left = strrchr(a->path, '/'), *right = strrchr(b->path, '/');
    size_t length = left ? (size_t)(left - a->path) : 0;
    bool is_same_folder =
        length == (right ? (size_t)(right - b->path) : 0) && strncmp(a->path, b->path, length) == 0;
    return is_same_folder && a->row.label_hash == b->row.label_hash && a->row.marker_count > 0 &&
           !a->is_refused && !b->is_refused;
}

/* Files of one folder with the same marker names are of one person. The trial that shows most gives
 * the actor: the group's number is its index. */
static void find_groups(many_list *list)
{
    for (int n = 0; n < list->count; n++)
        list->file[n].is_refused = list->file[n].row.code != CLI_DONE;
    for (int n = 0; n < list->count; n++) {
        many_file *file = list->file + n;
        int best = -1, count = 0;
        for (int m = 0; m < list->count; m++) {
            const many_file *other = list->file + m, *leader = best < 0 ? other : list->file + best;
            if (!is_one_person(file, other)) continue;
            if (count++ == 0) best = m;
            if (other->row.frame_count * (1 - other->row.missing_share) >
                leader->row.frame_count * (1 - leader->row.missing_share))
                best = m;
        }
        file->group = count > 1 ? best : -1;
    }
}

static void actor_path(const many_job *job, int group, char path[PATH_MAX])
{
    snw_format(path, PATH_MAX, "%s/actors/%s.actor", job->home, job->list.file[group].name);
}

static bool is_leader(const many_job *job, const many_file *file)
{
    return file->group >= 0 && file == job->list.file + file->group;
}

/* Is there an actor that the leader of its group has kept? */
static bool has_actor(const many_job *job, const many_file *file)
{
    char path[PATH_MAX];
    if (!job->is_sharing || file->group < 0 || is_leader(job, file)) return false;
    actor_path(job, file->group, path);
    return access(path, F_OK) == 0;
}

/* The leader keeps its actor, the others take it. */
static void add_actor(const many_job *job, const many_file *file, many_words *words)
{
    char path[PATH_MAX];
    if (file->group < 0) return;
    actor_path(job, file->group, path);
    if (is_leader(job, file)) {
        make_folders(path);
        many_words_add(words, "--save-actor=%s", path);
        if (access(path, F_OK) == 0) unlink(path); /* of a run before: it is made again */
    } else if (has_actor(job, file)) {
        many_words_add(words, "--actor=%s", path);
    }
}

/* ---- the stages ------------------------------------------------------------------------------ */

static bool plan_file(void *context, many_file *file, many_words *words)
{
    many_job *job = context;
    if (job->is_sharing && is_leader(job, file) != job->is_leading) return false;
    if (file->is_before || file->is_refused) return false;
    add_command(job, file, has_actor(job, file), words);
    add_outputs(job, file, words);
    if (job->is_sharing) add_actor(job, file, words);
    file->is_done = false;
    many_journal_add(&job->journal, file);
    return true;
}

static void tell_file(void *context, const many_file *file)
{
    many_job *job = context;
    many_journal_add(&job->journal, file);
    if (!cli_flag(job->arguments, "--json")) many_print_line(file);
}

static int run_stages(many_job *job)
{
    int64_t jobs = sysconf(_SC_NPROCESSORS_ONLN);
    if (!cli_integer(job->arguments, "--jobs", 1, CLI_JOBS_MAX, &jobs)) return CLI_USAGE;
    many_stage stage = {.arguments = job->arguments,
                        .list = &job->list,
                        .jobs = jobs > 0 ? (int)jobs : 1,
                        .context = job,
                        .plan = plan_look,
                        .tell = tell_nothing};
    bool is_good = true;
    if (job->is_sharing) {
        is_good = many_run_stage(&stage);
        find_groups(&job->list);
    }
    many_journal_open(&job->journal, job->arguments, job->home, &job->list);
    bool again = cli_flag(job->arguments, "--force");
    for (int n = 0; n < job->list.count; n++) {
        many_file *file = job->list.file + n;
        if (file->is_before && (again || !has_outputs(job, file))) file->is_before = false;
        file->is_refused &= !file->is_before;
        if (file->is_refused)
            tell_file(job, file);
        else if (!file->is_before)
            file->row = cli_row_none();
        if (file->is_before && !cli_flag(job->arguments, "--json")) many_print_line(file);
    }
    stage.plan = plan_file;
    stage.tell = tell_file;
    job->is_leading = job->is_sharing;
    if (is_good && job->is_sharing) is_good = many_run_stage(&stage);
    job->is_leading = false;
    if (is_good) is_good = many_run_stage(&stage);
    many_journal_close(&job->journal);
    return is_good
               ? CLI_DONE
               : cli_fail(job->arguments, "no more processes can be started: %s", strerror(errno));
}

/* ---- the end --------------------------------------------------------------------------------- */

/* From the summary's folder to that of the reports, when it lies inside. */
static const char *report_from_home(const many_job *job, char text[PATH_MAX])
{
    const char *report = cli_value(job->arguments, "--report", NULL);
    size_t length = job->home ? strlen(job->home) : 0;
    if (!report || !job->home) return NULL;
    struct stat a, b;
    text[0] = 0;
    if (stat(report, &a) == 0 && stat(job->home, &b) == 0 && a.st_dev == b.st_dev &&
        a.st_ino == b.st_ino)
        return text;
    if (strncmp(report, job->home, length) != 0 || report[length] != '/') return NULL;
    snw_format(text, PATH_MAX, "%s/", report + length + 1);
    return text;
}

static int write_summary(const many_job *job)
{
    char csv[PATH_MAX], page[PATH_MAX], reports[PATH_MAX];
    if (!job->home) return CLI_DONE;
    many_summary summary = {job->arguments, &job->list, report_from_home(job, reports)};
    snw_format(csv, sizeof csv, "%s/sinew-summary.csv", job->home);
    snw_format(page, sizeof page, "%s/sinew-summary.html", job->home);
    int code = cli_replace_whole(job->arguments, csv, many_draw_csv, &summary);
    if (code == CLI_DONE) code = cli_replace_whole(job->arguments, page, many_draw_page, &summary);
    return code;
}

static void tell_end(const many_job *job)
{
    const many_list *list = &job->list;
    if (cli_flag(job->arguments, "--json")) {
        many_print_json(list);
        return;
    }
    printf("%d file%s: %d done", list->count, cli_s(list->count),
           list->count - job->failed_count - job->before_count);
    if (job->before_count) printf(", %d done before", job->before_count);
    if (job->failed_count) printf(", %d FAILED", job->failed_count);
    if (list->skipped_count)
        printf("; %d other file%s left out", list->skipped_count, cli_s(list->skipped_count));
    printf("\n");
    if (!job->home) return;
    cli_print_text(stdout, job->home, 0);
    printf("%ssinew-summary.html and .csv: all files, worst first\n",
           job->home[strlen(job->home) - 1] == '/' ? "" : "/");
}

/* A folder that will hold outputs; made when it is not there. */
static int check_folder(const cli_arguments *arguments, const char *option)
{
    const char *path = cli_value(arguments, option, NULL);
    char with_slash[PATH_MAX];
    if (!path) return CLI_DONE;
    snw_format(with_slash, sizeof with_slash, "%s/", path);
    make_folders(with_slash);
    if (is_folder(path)) return CLI_DONE;
    return cli_misuse(arguments, "%s: for many files %s names a folder", path, option);
}

static int settle_job(many_job *job)
{
    const cli_arguments *arguments = job->arguments;
    if (cli_flag(arguments, "--truth"))
        return cli_misuse(arguments, "--truth is of one file, not of many");
    const char *to = cli_value(arguments, "--to", job->kind->ending);
    bool has_output = cli_flag(arguments, "--output");
    if (job->kind->output_is_operand && !has_output)
        return cli_misuse(arguments, "many files need -o FOLDER and --to ENDING");
    if (has_output && !to) return cli_misuse(arguments, "many files need --to ENDING, as --to trc");
    snw_format(job->ending, sizeof job->ending, "%s%s", to && *to == '.' ? "" : ".", to ? to : "");
    if (has_output && snw_format_from_name(job->ending) == SNW_FORMAT_UNKNOWN)
        return cli_misuse(arguments, "--to %s is no format that can be written", to);
    job->home = cli_value(arguments, "--output", cli_value(arguments, "--report", NULL));
    job->is_sharing = cli_flag(arguments, "--share-actor");
    if (job->is_sharing && !job->home)
        return cli_misuse(arguments, "--share-actor keeps the actors in the folder of -o");
    for (int n = 0; n < MANY_OUTPUTS; n++) { /* last: a mistake in the words leaves no folders */
        int code = check_folder(arguments, many_outputs[n].option);
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

int cli_run_many(const cli_arguments *arguments, const cli_many_kind *kind)
{
    many_job job = {.arguments = arguments, .kind = kind};
    job.journal.descriptor = -1;
    int code = settle_job(&job);
    if (code == CLI_DONE) code = many_list_fill(arguments, kind, &job.list);
    if (code == CLI_DONE) code = run_stages(&job);
    for (int n = 0; code == CLI_DONE && n < job.list.count; n++) {
        job.failed_count += job.list.file[n].row.code != CLI_DONE;
        job.before_count += job.list.file[n].is_before;
    }
    if (code == CLI_DONE) code = write_summary(&job);
    if (code == CLI_DONE) tell_end(&job);
    if (code == CLI_DONE && job.failed_count) code = CLI_FAILED;
    many_list_release(&job.list);
    return code;
}
