/* The words of the run of one file, and where its results go. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "many/job.h"
#include "text.h"

const many_output many_outputs[MANY_OUTPUTS] = {
    {"--output", NULL}, /* --to or the command's own */
    {"--report", ".html"},        {"--svg", ".svg"},           {"--save-actor", ".actor"},
    {"--uncertainty", ".csv"},    {"--cycles", "-cycles.csv"}, {"--forces", "-forces.mot"},
    {"--plates", ".forceplates"}, {"--analog", "-analog.csv"}, {"--emg", "-emg.csv"}};

/* Options of the run as a whole. */
static const char *const many_own[] = {"--jobs",  "--share-actor", "--json",
                                       "--force", "--shard",       "--files"};

#define MANY_OWN (int)(sizeof many_own / sizeof *many_own)

void many_make_folders(const char *path)
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

const char *cli_ending_option(const cli_arguments *arguments)
{
    const cli_option *option = arguments->command->options;
    while (option->name && strcmp(option->name, "--as") != 0)
        option++;
    return option->name ? "--as" : "--to";
}

bool many_is_own_option(const many_job *job, const char *name)
{
    if (strcmp(name, cli_ending_option(job->arguments)) == 0) return true;
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
        if (many_is_own_option(job, name) || (has_actor && makes_skeleton(name))) continue;
        if (value)
            many_words_add(words, "%s=%s", name, value);
        else
            many_words_add(words, "%s", name);
    }
}

bool many_add_outputs(const many_job *job, const many_file *file, many_words *words)
{
    many_place *place = job->place[file - job->list.file];
    char path[PATH_MAX];
    for (int n = 0; n < MANY_OUTPUTS; n++) {
        const char *folder = cli_value(job->arguments, many_outputs[n].option, NULL);
        if (!folder) continue;
        output_path(job, n, file, path);
        many_make_folders(path);
        many_place_begin(place + n, folder, file->name,
                         (int)(file - job->list.file) * MANY_PLACES + n);
        if (!place[n].stage[0]) return false;
        const char *slash = strrchr(path, '/');
        if (n == 0 && job->kind->output_is_operand)
            many_words_add(words, "%s%s", place[n].stage, slash);
        else
            many_words_add(words, "%s=%s%s", many_outputs[n].option, place[n].stage, slash);
    }
    return true;
}

const many_record *many_find_before(const many_job *job, const many_file *file)
{
    const many_record *found = NULL;
    char path[PATH_MAX], kept[PATH_MAX], digest[MANY_DIGEST_SIZE];
    if (cli_flag(job->arguments, "--force") || !job->home) return NULL;
    for (int n = 0; n < MANY_OUTPUTS; n++) {
        if (!cli_flag(job->arguments, many_outputs[n].option)) continue;
        output_path(job, n, file, path);
        many_journal_path(&job->journal, path, kept);
        const many_record *record = many_journal_find(&job->journal, kept);
        if (!record || (found && record != found)) return NULL;
        found = record;
    }
    if (!found || found->row.code != CLI_DONE || strcmp(found->recipe, job->journal.recipe) != 0 ||
        strcmp(found->content, file->content) != 0)
        return NULL;
    for (int n = 0; n < found->output_count; n++) {
        many_journal_place(&job->journal, found->output[n].path, path);
        if (!many_digest_file(path, false, digest) || strcmp(digest, found->output[n].digest) != 0)
            return NULL;
    }
    return found;
}

bool many_is_free(const many_job *job, many_file *file)
{
    char path[PATH_MAX];
    for (int n = 0; n < MANY_OUTPUTS; n++) {
        if (!cli_flag(job->arguments, many_outputs[n].option)) continue;
        output_path(job, n, file, path);
        if (!many_place_is_free(&job->journal, file, path, cli_flag(job->arguments, "--force"),
                                file->row.message, sizeof file->row.message))
            return false;
    }
    return true;
}

void many_add_command(const many_job *job, const many_file *file, bool has_actor, many_words *words)
{
    many_words_add(words, "%s", job->arguments->command->name);
    add_options(job, has_actor, words);
    if (file->member_count) many_words_add(words, "--person=%s", file->name);
    for (int n = 0; n < file->member_count || n == 0; n++) {
        const char *path = file->member_count ? file->member[n] : file->path;
        many_words_add(words, "%s%s", path[0] == '-' ? "./" : "", path);
    }
}
