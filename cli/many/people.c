#include "many/people.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clinic/strides.h"

/* Trials of one person: what fits on a command line of MANY_WORDS_MAX words. */
#define PEOPLE_TRIALS 500

/* ---- people ---------------------------------------------------------------------------------- */

/* "group/anna" of "group/anna/walk1.c3d", or of "group/anna_walk1.c3d" by names. A file that lies
 * in no folder of its own belongs to `folder`. */
static void person_of(const many_file *file, bool is_by_name, const char *folder,
                      char person[PATH_MAX])
{
    const char *slash = strrchr(file->name, '/'), *stem = slash ? slash + 1 : file->name;
    int before = slash ? (int)(slash - file->name) : 0;
    int length = 0;
    while (stem[length] && !strchr("_-. ", stem[length]) && !isdigit((unsigned char)stem[length]))
        length++;
    if (is_by_name && length)
        snw_format(person, PATH_MAX, "%.*s%s%.*s", before, file->name, before ? "/" : "", length,
                   stem);
    else
        snw_format(person, PATH_MAX, "%.*s", before ? before : (int)strlen(folder),
                   before ? file->name : folder);
}

/* The last folder of a path: "study/anna/" is "anna". */
static void folder_name(const char *path, char name[PATH_MAX])
{
    char whole[PATH_MAX];
    const char *slash = realpath(path, whole) ? strrchr(whole, '/') : NULL;
    snw_format(name, PATH_MAX, "%s", slash && slash[1] ? slash + 1 : "person");
}

static bool add_member(many_file *person, const char *path)
{
    char **more = realloc(person->member, ((size_t)person->member_count + 1) * sizeof *more);
    if (!more) return false;
    person->member = more;
    more[person->member_count] = strdup(path);
    return more[person->member_count] && ++person->member_count;
}

/* `file` becomes the person, with itself as the first trial. By folders the journal knows it by its
 * folder; by names there is no such place, and the first trial stands for it. */
static bool begin_person(many_file *file, const char *person, bool is_by_name)
{
    char path[PATH_MAX];
    const char *slash = strrchr(file->path, '/'), *last = strrchr(person, '/');
    snw_format(path, sizeof path, "%.*s%s%s", slash ? (int)(slash - file->path) : 0, file->path,
               is_by_name && slash ? "/" : "", is_by_name ? (last ? last + 1 : person) : "");
    if (!path[0]) snw_format(path, sizeof path, ".");
    if (!add_member(file, file->path)) return false;
    free(file->path);
    free(file->name);
    if (!is_by_name) {
        free(file->whole);
        file->whole = realpath(path, NULL);
    }
    file->path = strdup(path);
    file->name = strdup(person);
    return file->path && file->name;
}

int many_list_group(const cli_arguments *arguments, many_list *list)
{
    const char *by = cli_value(arguments, "--by", "folder");
    bool is_by_name = strcmp(by, "name") == 0, is_good = true;
    char folder[PATH_MAX], person[PATH_MAX];
    int kept = 0;
    if (!is_by_name && strcmp(by, "folder") != 0)
        return cli_misuse(arguments, "people are told --by folder or --by name, not by %s", by);
    folder_name(arguments->operand_count ? arguments->operand[0] : ".", folder);
    for (int n = 0; n < list->count && is_good; n++) {
        many_file *file = list->file + n;
        int at = kept;
        if (!file->is_left_out) {
            person_of(file, is_by_name, folder, person);
            for (at = 0; at < kept; at++)
                if (list->file[at].member_count && strcmp(list->file[at].name, person) == 0) break;
        }
        if (at < kept) {
            if (list->file[at].member_count >= PEOPLE_TRIALS)
                return cli_fail(arguments, "%s has more than %d trials", person, PEOPLE_TRIALS);
            is_good = add_member(list->file + at, file->path);
            free(file->path);
            free(file->whole);
            free(file->name);
            continue;
        }
        many_file one = *file;
        if (!one.is_left_out) is_good = begin_person(&one, person, is_by_name);
        list->file[kept++] = one;
    }
    list->count = kept;
    return is_good ? CLI_DONE : cli_fail(arguments, "no memory for a list of people");
}

/* ---- their table ------------------------------------------------------------------------------
 */

/* Opens the nth result where it is a table of strides, the last of its path, of people who are
 * still there; NULL otherwise. The head is read. */
static FILE *open_table(const many_journal *journal, size_t n)
{
    const many_entry *entry = journal->entry + n;
    const many_record *record = journal->record + entry->record;
    char path[PATH_MAX], line[64];
    bool is_last =
        n + 1 == journal->entry_count || strcmp(journal->entry[n + 1].path, entry->path) != 0;
    if (!is_last || record->row.code != CLI_DONE ||
        snw_format_from_name(entry->path) != SNW_FORMAT_CSV || access(record->input, F_OK) != 0)
        return NULL;
    many_journal_place(journal, entry->path, path);
    FILE *in = fopen(path, "r");
    if (in && fgets(line, sizeof line, in) && strcmp(line, clinic_head) == 0) return in;
    if (in) fclose(in);
    return NULL;
}

bool many_has_strides(const cli_arguments *arguments, const char *home)
{
    many_journal journal;
    bool is_found = false;
    int code = many_journal_open(&journal, arguments, home);
    for (size_t n = 0; code == CLI_DONE && n < journal.entry_count && !is_found; n++) {
        FILE *in = open_table(&journal, n);
        is_found = in != NULL;
        if (in) fclose(in);
    }
    many_journal_close(&journal);
    return is_found;
}

bool many_draw_study(FILE *out, const void *context)
{
    const many_study *study = context;
    many_journal journal;
    bool is_good = many_journal_open(&journal, study->arguments, study->home) == CLI_DONE;
    fputs(clinic_head, out);
    for (size_t n = 0; is_good && n < journal.entry_count; n++) {
        char block[1 << 14];
        size_t size;
        FILE *in = open_table(&journal, n);
        while (in && (size = fread(block, 1, sizeof block, in)) > 0)
            fwrite(block, 1, size, out);
        if (in) fclose(in);
    }
    many_journal_close(&journal);
    return is_good;
}
