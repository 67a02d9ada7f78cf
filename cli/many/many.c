/* From the words of the command line to a run for each file, and to the table of all. */
#include "many/many.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "many/job.h"
#include "many/people.h"
#include "many/summary.h"
#include "output.h"
#include "text.h"

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool cli_is_many(const cli_arguments *arguments, const cli_many_kind *kind)
{
    const char *output = cli_value(arguments, "--output", NULL);
    bool is_named = output && snw_format_from_name(output) != SNW_FORMAT_UNKNOWN;
    if (cli_flag(arguments, "--files") || cli_flag(arguments, "--shard")) return true;
    if (output && *output && !is_named && (is_folder(output) || output[strlen(output) - 1] == '/'))
        return true;
    if (arguments->operand_count > 1 + kind->output_is_operand) return true;
    if (kind->output_is_operand && output && !(is_named && arguments->operand_count == 1))
        return true;
    for (int n = 0; n < arguments->operand_count; n++)
        if (is_folder(arguments->operand[n])) return true;
    return false;
}

/* ---- trials of one person -------------------------------------------------------------------- */

static bool plan_look(void *context, many_file *file, many_words *words)
{
    (void)context;
    if (file->is_left_out) return false;
    many_words_add(words, "info");
    many_words_add(words, "%s", file->path);
    return true;
}

static void tell_nothing(void *context, const many_file *file)
{
    (void)context;
    (void)file;
}

static void finish_nothing(void *context, many_file *file)
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
           !a->is_refused && !b->is_refused && !a->is_left_out && !b->is_left_out;
}

/* Files of one folder with the same marker names are of one person. The trial that shows most gives
 * the actor: the group's number is its index. */
static void find_groups(many_list *list)
{
    for (int n = 0; n < list->count; n++)
        list->file[n].is_refused = list->file[n].row.code != CLI_DONE && !list->file[n].is_left_out;
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
    struct stat about;
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* The leader keeps its actor, the others take it. */
static bool add_actor(const many_job *job, const many_file *file, many_words *words)
{
    char path[PATH_MAX], folder[PATH_MAX];
    many_place *place = job->place[file - job->list.file] + MANY_OUTPUTS;
    if (file->group < 0) return true;
    actor_path(job, file->group, path);
    if (!is_leader(job, file)) {
        if (has_actor(job, file)) many_words_add(words, "--actor=%s", path);
        return true;
    }
    many_make_folders(path);
    snw_format(folder, sizeof folder, "%s/actors", job->home);
    many_place_begin(place, folder, file->name,
                     (int)(file - job->list.file) * MANY_PLACES + MANY_OUTPUTS);
    many_words_add(words, "--save-actor=%s%s", place->stage, strrchr(path, '/'));
    return place->stage[0] != 0;
}

/* ---- what results follow from ---------------------------------------------------------------- */

/* The version and the content of files that options name, a correlation's set among them. */
static void digest_options(many_job *job)
{
    many_digest digest;
    char hex[MANY_DIGEST_SIZE];
    many_digest_begin(&digest);
    many_digest_add_text(&digest, snw_version());
    for (int n = 0; n < job->arguments->given_count; n++) {
        const char *value = job->arguments->given[n].value;
        if (!value || many_is_own_option(job, job->arguments->given[n].option->name)) continue;
        if (many_digest_file(value, true, hex)) many_digest_add_text(&digest, hex);
        if (strcmp(job->arguments->given[n].option->name, "--markerset") != 0) continue;
        char name[SNW_LABEL_SIZE], beside[PATH_MAX];
        snw_text text = {NULL, 0};
        char *bytes = cli_read_whole(value, &text.size);
        const char *slash = strrchr(value, '/');
        text.bytes = bytes;
        if (bytes && snw_correlation_set_name(text, name)) {
            snw_format(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - value) + 1 : 0, value,
                       name);
            if (many_digest_file(beside, true, hex)) many_digest_add_text(&digest, hex);
        }
        free(bytes);
    }
    many_digest_end(&digest, job->options);
}

static void digest_file(const many_job *job, many_file *file)
{
    many_digest digest;
    char path[PATH_MAX], hex[MANY_DIGEST_SIZE];
    many_digest_begin(&digest);
    for (int n = 0; n < file->member_count; n++) {
        many_digest_file(file->member[n], true, hex);
        many_digest_add_text(&digest, file->member[n]);
        many_digest_add_text(&digest, hex);
    }
    many_digest_end(&digest, file->input);
    if (file->member_count == 0) many_digest_file(file->path, true, file->input);
    many_digest_begin(&digest);
    many_digest_add_text(&digest, job->options);
    many_digest_add_text(&digest, file->input);
    if (has_actor(job, file)) {
        actor_path(job, file->group, path);
        many_digest_file(path, false, hex);
        many_digest_add_text(&digest, hex);
    }
    many_digest_end(&digest, file->content);
}

/* ---- the stages ------------------------------------------------------------------------------ */

static void tell_file(void *context, const many_file *file)
{
    const many_job *job = context;
    if (!cli_flag(job->arguments, "--json")) many_print_line(file);
}

/* What the run of one file left takes its place, and the journal has a line. */
static void finish_file(void *context, many_file *file)
{
    many_job *job = context;
    many_place *place = job->place[file - job->list.file];
    bool is_forced = cli_flag(job->arguments, "--force"), is_good = file->row.code == CLI_DONE;
    for (int n = 0; n < MANY_PLACES; n++)
        if (is_good && place[n].stage[0])
            is_good = many_place_collect(place + n, &job->journal, file, is_forced);
    if (!is_good) many_file_drop_outputs(file);
    bool is_kept = many_journal_add(&job->journal, job->arguments, file);
    if (is_good && !is_kept) {
        is_good = false;
        file->row.code = CLI_FAILED;
        snw_format(file->row.message, sizeof file->row.message,
                   "the journal in %s could not be written: %s", job->home, strerror(errno));
    }
    bool was_good = is_good;
    for (int n = 0; n < MANY_PLACES; n++) {
        if (is_good && place[n].stage[0])
            is_good = many_place_settle(place + n, file, is_forced, &job->journal);
        many_place_end(place + n);
    }
    if (was_good && !is_good) many_file_drop_outputs(file);
    if (was_good && !is_good) many_journal_add(&job->journal, job->arguments, file);
    if (cli_flag(job->arguments, "--json")) {
        many_print_json_line(stdout, &job->journal, job->arguments, file);
        fflush(stdout);
    }
}

/* A file that needs no run, or may not have one. */
static bool skip_file(many_job *job, many_file *file)
{
    const many_record *before = many_find_before(job, file);
    file->is_before = before != NULL;
    if (before) {
        file->row = before->row;
    } else if (!many_is_free(job, file)) {
        file->is_refused = true;
        file->row.code = CLI_FAILED;
    } else {
        return false;
    }
    file->is_done = true;
    tell_file(job, file);
    if (cli_flag(job->arguments, "--json"))
        many_print_json_line(stdout, &job->journal, job->arguments, file);
    return true;
}

static bool plan_file(void *context, many_file *file, many_words *words)
{
    many_job *job = context;
    if (job->is_sharing && is_leader(job, file) != job->is_leading) return false;
    if (file->is_left_out || file->is_elsewhere || file->is_refused) return false;
    file->row = cli_row_none();
    digest_file(job, file);
    if (skip_file(job, file)) return false;
    many_add_command(job, file, has_actor(job, file), words);
    if (!many_add_outputs(job, file, words) || (job->is_sharing && !add_actor(job, file, words))) {
        words->is_full = true; /* no folder can be made there: nothing can be run */
        return true;
    }
    return true;
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
                        .finish = finish_nothing,
                        .tell = tell_nothing};
    bool is_good = true;
    job->place = calloc((size_t)job->list.count + 1, sizeof *job->place);
    if (!job->place) return cli_fail(job->arguments, "no memory for a list of files");
    if (job->is_sharing) {
        is_good = many_run_stage(&stage);
        find_groups(&job->list);
    }
    for (int n = 0; n < job->list.count; n++) {
        many_file *file = job->list.file + n;
        if (file->is_elsewhere || !(file->is_refused || file->is_left_out)) continue;
        tell_file(job, file);
        if (cli_flag(job->arguments, "--json"))
            many_print_json_line(stdout, &job->journal, job->arguments, file);
    }
    stage.plan = plan_file;
    stage.finish = finish_file;
    stage.tell = tell_file;
    job->is_leading = job->is_sharing;
    if (is_good && job->is_sharing) is_good = many_run_stage(&stage);
    job->is_leading = false;
    if (is_good) is_good = many_run_stage(&stage);
    return is_good ? CLI_DONE
                   : cli_fail(job->arguments, "no more processes or folders can be made: %s",
                              strerror(errno));
}

/* ---- the end --------------------------------------------------------------------------------- */

/* From the summary's folder to that of the reports, when it lies inside. */
static const char *report_from_home(const many_job *job, char text[PATH_MAX])
{
    const char *report = cli_value(job->arguments, "--report", NULL);
    size_t length = job->home ? strlen(job->home) : 0;
    text[0] = 0;
    if (job->kind->is_by_person) return text; /* pages lie beside the tables */
    if (!report || !job->home) return NULL;
    struct stat a, b;
    if (stat(report, &a) == 0 && stat(job->home, &b) == 0 && a.st_dev == b.st_dev &&
        a.st_ino == b.st_ino)
        return text;
    if (strncmp(report, job->home, length) != 0 || report[length] != '/') return NULL;
    snw_format(text, PATH_MAX, "%s/", report + length + 1);
    return text;
}

static void table_path(const char *home, const char *name, char path[PATH_MAX])
{
    size_t length = strlen(home);
    snw_format(path, PATH_MAX, "%s%s%s", home, length && home[length - 1] == '/' ? "" : "/", name);
}

static void summary_paths(const char *home, char csv[PATH_MAX], char page[PATH_MAX])
{
    table_path(home, "sinew-summary.csv", csv);
    table_path(home, "sinew-summary.html", page);
}

/* Is there no table, or one that a run wrote and nobody has changed since? Complains. */
int many_check_summary(const cli_arguments *arguments, const many_journal *journal)
{
    char path[3][PATH_MAX], digest[MANY_DIGEST_SIZE];
    struct stat about;
    bool is_study = many_has_strides(arguments, journal->home) ||
                    strcmp(arguments->command->name, "study") == 0;
    summary_paths(journal->home, path[0], path[1]);
    table_path(journal->home, "sinew-study.csv", path[2]);
    for (int n = 0; n < 2 + is_study && !cli_flag(arguments, "--force"); n++) {
        bool is_ours = lstat(path[n], &about) != 0;
        if (!is_ours && many_digest_file(path[n], false, digest))
            for (int k = 0; k < journal->summary_count; k++)
                is_ours |= strcmp(journal->summary[k], digest) == 0;
        if (!is_ours)
            return cli_fail(arguments,
                            "%s exists already, is none that a run left there, and is not "
                            "overwritten (--force overwrites)",
                            path[n]);
    }
    return CLI_DONE;
}

static int write_table(const cli_arguments *arguments, many_journal *journal, const char *path,
                       bool (*draw)(FILE *out, const void *context), const void *summary)
{
    many_digest digest;
    char hex[MANY_DIGEST_SIZE];
    size_t size;
    snw_error error;
    char *bytes = cli_draw(draw, summary, &size);
    if (!bytes) return cli_fail(arguments, "no memory for %s", path);
    many_digest_begin(&digest);
    many_digest_add(&digest, bytes, size);
    many_digest_end(&digest, hex);
    int code = CLI_DONE;
    if (!many_journal_add_summary(journal, arguments, hex))
        code = cli_fail(arguments, "the journal in %s could not be written: %s", journal->home,
                        strerror(errno));
    else if (snw_write_file(path, true, bytes, size, &error) != SNW_OK)
        code = cli_fail_writing(arguments, &error);
    free(bytes);
    return code;
}

int many_write_summary(many_journal *journal, many_summary *summary)
{
    char csv[PATH_MAX], page[PATH_MAX], strides[PATH_MAX];
    int code = CLI_DONE;
    many_study study = {summary->arguments, journal->home};
    summary_paths(journal->home, csv, page);
    table_path(journal->home, "sinew-study.csv", strides);
    /* Another run may have ended meanwhile, and its table may have been replaced by ours, which
     * does not know its last files: then once more. It ends when a round saw no other's line. */
    do {
        if (!many_summary_fill(summary, journal))
            return cli_fail(summary->arguments, "no memory for a table of files");
        code = write_table(summary->arguments, journal, csv, many_draw_csv, summary);
        if (code == CLI_DONE)
            code = write_table(summary->arguments, journal, page, many_draw_page, summary);
        if (code == CLI_DONE && many_has_strides(summary->arguments, journal->home))
            code = write_table(summary->arguments, journal, strides, many_draw_study, &study);
        many_summary_release(summary);
    } while (code == CLI_DONE && many_journal_refresh(journal, summary->arguments));
    return code;
}

static int write_summary(many_job *job)
{
    char csv[PATH_MAX], page[PATH_MAX], reports[PATH_MAX];
    if (!job->home) return CLI_DONE;
    summary_paths(job->home, csv, page);
    /* A run that did nothing has nothing to say about what is there. */
    if (job->done_count == 0 && access(csv, F_OK) == 0 && access(page, F_OK) == 0) return CLI_DONE;
    many_journal_refresh(&job->journal, job->arguments);
    many_summary summary = {
        .arguments = job->arguments, .list = &job->list, .report = report_from_home(job, reports)};
    return many_write_summary(&job->journal, &summary);
}

static void tell_end(const many_job *job)
{
    int tried = job->done_count + job->failed_count + job->before_count;
    if (cli_flag(job->arguments, "--json")) {
        cli_json json = cli_json_begin_line(stdout);
        cli_json_object(&json, NULL);
        cli_json_integer(&json, "files", tried);
        cli_json_integer(&json, "files_done", job->done_count);
        cli_json_integer(&json, "files_before", job->before_count);
        cli_json_integer(&json, "files_failed", job->failed_count);
        cli_json_integer(&json, "files_left_out", job->left_out_count);
        cli_json_end_object(&json);
        return;
    }
    printf("%d file%s: %d done", tried, cli_s(tried), job->done_count);
    if (job->before_count) printf(", %d done before", job->before_count);
    if (job->failed_count) printf(", %d FAILED", job->failed_count);
    if (job->left_out_count)
        printf("; %d other file%s left out", job->left_out_count, cli_s(job->left_out_count));
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
    many_make_folders(with_slash);
    if (!is_folder(path))
        return cli_misuse(arguments, "%s: for many files %s names a folder", path, option);
    return CLI_DONE;
}

/* What runs that were killed have left. */
static void sweep(const many_job *job)
{
    char actors[PATH_MAX];
    for (int n = 0; n < MANY_OUTPUTS; n++)
        if (cli_flag(job->arguments, many_outputs[n].option))
            many_place_sweep(cli_value(job->arguments, many_outputs[n].option, ""));
    if (!job->is_sharing) return;
    snw_format(actors, sizeof actors, "%s/actors", job->home);
    many_place_sweep(actors);
}

static int settle_job(many_job *job)
{
    const cli_arguments *arguments = job->arguments;
    if (cli_flag(arguments, "--truth"))
        return cli_misuse(arguments, "--truth is of one file, not of many");
    const char *option = cli_ending_option(arguments);
    const char *to = cli_value(arguments, option, job->kind->ending);
    bool has_output = cli_flag(arguments, "--output");
    if (job->kind->output_is_operand && !has_output)
        return cli_misuse(arguments, "many files need -o FOLDER and --to ENDING");
    if (has_output && !to) return cli_misuse(arguments, "many files need --to ENDING, as --to trc");
    snw_format(job->ending, sizeof job->ending, "%s%s", to && *to == '.' ? "" : ".", to ? to : "");
    if (has_output && snw_format_from_name(job->ending) == SNW_FORMAT_UNKNOWN)
        return cli_misuse(arguments, "%s %s is no format that can be written", option, to);
    job->home = cli_value(arguments, "--cycles", NULL);
    job->home = cli_value(arguments, "--report", job->home);
    job->home = cli_value(arguments, "--output", job->home);
    job->is_sharing = cli_flag(arguments, "--share-actor");
    if (job->is_sharing && !job->home)
        return cli_misuse(arguments, "--share-actor keeps the actors in the folder of -o");
    if (job->is_sharing && (cli_flag(arguments, "--save-actor") || cli_flag(arguments, "--shard")))
        return cli_misuse(arguments, "--share-actor keeps one actor for all in the folder of -o: "
                                     "neither --save-actor nor --shard go with it");
    return CLI_DONE;
}

static void count_files(many_job *job)
{
    for (int n = 0; n < job->list.count; n++) {
        const many_file *file = job->list.file + n;
        if (file->is_elsewhere) continue;
        if (file->is_left_out)
            job->left_out_count++;
        else if (file->row.code != CLI_DONE)
            job->failed_count++;
        else if (file->is_before)
            job->before_count++;
        else
            job->done_count++;
    }
}

int cli_run_many(const cli_arguments *arguments, const cli_many_kind *kind)
{
    many_job job = {.arguments = arguments, .kind = kind};
    job.journal.descriptor = -1;
    int code = settle_job(&job);
    if (code == CLI_DONE) code = many_list_fill(arguments, kind, &job.list);
    /* Folders late: a mistake in the words leaves none. */
    for (int n = 0; n < MANY_OUTPUTS && code == CLI_DONE; n++)
        code = check_folder(arguments, many_outputs[n].option);
    if (code == CLI_DONE) code = many_journal_open(&job.journal, arguments, job.home);
    if (code == CLI_DONE && job.home) code = many_check_summary(arguments, &job.journal);
    if (code == CLI_DONE) {
        sweep(&job);
        digest_options(&job);
        code = run_stages(&job);
    }
    /* Once more: a child of a run that was killed just before may have ended meanwhile. */
    sweep(&job);
    if (code == CLI_DONE) {
        count_files(&job);
        code = write_summary(&job);
    }
    if (code == CLI_DONE) tell_end(&job);
    if (code == CLI_DONE && job.failed_count) code = CLI_FAILED;
    many_journal_close(&job.journal);
    for (int n = 0; job.place && n < job.list.count; n++) /* of files that could not be begun */
        for (int k = 0; k < MANY_PLACES; k++)
            many_place_end(job.place[n] + k);
    free(job.place);
    many_list_release(&job.list);
    return code;
}
