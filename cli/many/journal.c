#include "many/journal.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

typedef struct many_record {
    uint64_t signature, key;
    int64_t is_done;
    cli_row row;
} many_record;

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t n = 0; n < size; n++)
        hash = (hash ^ ((const unsigned char *)bytes)[n]) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

/* How many at once, overwriting and the form of the answer do not change what is written. */
static uint64_t sign(const cli_arguments *arguments)
{
    static const char *const free_options[] = {"--jobs",   "--force", "--json",      "--output",
                                               "--report", "--svg",   "--save-actor"};
    size_t size = sizeof(many_record);
    uint64_t hash = hash_text(0xcbf29ce484222325u, snw_version());
    hash = hash_bytes(hash_text(hash, arguments->command->name), &size, sizeof size);
    for (int n = 0; n < arguments->given_count; n++) {
        const char *name = arguments->given[n].option->name;
        bool is_free = false;
        for (int i = 0; i < 7; i++)
            is_free |= strcmp(name, free_options[i]) == 0;
        if (is_free) continue;
        hash = hash_text(hash, name);
        if (arguments->given[n].value) hash = hash_text(hash, arguments->given[n].value);
    }
    return hash;
}

static uint64_t key_of(const many_file *file)
{
    uint64_t hash = hash_text(0xcbf29ce484222325u, file->name);
    hash = hash_bytes(hash, &file->size, sizeof file->size);
    return hash_bytes(hash, &file->changed, sizeof file->changed);
}

static void take_record(const many_record *record, many_list *list)
{
    for (int n = 0; n < list->count; n++) {
        many_file *file = list->file + n;
        if (key_of(file) != record->key) continue;
        file->is_begun = true;
        if (!record->is_done || record->row.code != CLI_DONE) continue;
        file->row = record->row;
        /* What lies in a folder may have been changed by anybody. */
        file->row.kind[sizeof file->row.kind - 1] = 0;
        file->row.verdict[sizeof file->row.verdict - 1] = 0;
        file->row.message[sizeof file->row.message - 1] = 0;
        file->is_done = file->is_before = true;
    }
}

void many_journal_open(many_journal *journal, const cli_arguments *arguments, const char *folder,
                       many_list *list)
{
    char path[PATH_MAX];
    many_record record;
    journal->descriptor = -1;
    journal->signature = sign(arguments);
    if (!folder) return;
    snw_format(path, sizeof path, "%s/.sinew-journal", folder);
    journal->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (journal->descriptor < 0) return;
    off_t whole = 0;
    while (read(journal->descriptor, &record, sizeof record) == (ssize_t)sizeof record) {
        whole += (off_t)sizeof record;
        if (record.signature == journal->signature) take_record(&record, list);
    }
    /* A record that was cut short would shift all that follow. */
    if (ftruncate(journal->descriptor, whole) != 0 ||
        lseek(journal->descriptor, whole, SEEK_SET) != whole)
        many_journal_close(journal);
}

void many_journal_add(const many_journal *journal, const many_file *file)
{
    if (journal->descriptor < 0) return;
    many_record record;
    memset(&record, 0, sizeof record);
    record.signature = journal->signature;
    record.key = key_of(file);
    record.is_done = file->is_done;
    record.row = file->row;
    /* Without a journal a later run does everything again: nothing is wrong then. */
    ssize_t wrote = write(journal->descriptor, &record, sizeof record);
    (void)wrote;
}

void many_journal_close(many_journal *journal)
{
    if (journal->descriptor >= 0) close(journal->descriptor);
    journal->descriptor = -1;
}
