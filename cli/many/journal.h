/* What runs over many files have done, beside their results: files that end in .jsonl in
 * FOLDER/sinew-journal, one for each run that did something, one line of JSON for each input as it
 * ends. It tells which results are up to date, and which files are ours to replace: those that
 * still hold what we wrote. Several runs may write into one folder at once: each has a journal of
 * its own, all are read. Nothing is locked; a line that was cut short counts as not written.
 * Internal to cli/many. */
#ifndef SINEW_CLI_MANY_JOURNAL_H
#define SINEW_CLI_MANY_JOURNAL_H

#include "many/list.h"

/* One line, read back. */
typedef struct many_record {
    double time;        /* when it was written, seconds since 1970: the last one counts */
    char *input, *name; /* the input's whole path; as in many_file */
    char recipe[MANY_DIGEST_SIZE];  /* of the command and its options */
    char content[MANY_DIGEST_SIZE]; /* of version, input and the files that options name */
    cli_row row;
    int output_count;
    many_output_file *output;
} many_record;

/* An output of a record. */
typedef struct many_entry {
    const char *path;
    int record;
} many_entry;

typedef struct many_journal {
    const char *home;              /* NULL: none is kept */
    char recipe[MANY_DIGEST_SIZE]; /* of this run */
    char *words;                   /* its options, for people */
    char own[4096];                /* path of this run's file */
    int descriptor;                /* of it; -1: nothing was done yet */
    int record_count, record_capacity;
    many_record *record; /* of all runs, by time */
    size_t entry_count;
    many_entry *entry; /* (entry_count) outputs of all records, by path, then time */
    int64_t size;      /* bytes of all files when they were read */
    char (*summary)[MANY_DIGEST_SIZE]; /* of tables that we wrote */
    int summary_count;
} many_journal;

/* Reads what there is. Complains itself (a journal that is no folder, no memory); an exit code. */
int many_journal_open(many_journal *journal, const cli_arguments *arguments, const char *home);
/* Reads again where another run has written since; true when it had. */
bool many_journal_refresh(many_journal *journal, const cli_arguments *arguments);
/* A file is done or failed: one line, on the disk before this returns. False: it could not be
 * written. */
bool many_journal_add(many_journal *journal, const cli_arguments *arguments, const many_file *file);
bool many_journal_add_summary(many_journal *journal, const cli_arguments *arguments,
                              const char digest[MANY_DIGEST_SIZE]);
void many_journal_close(many_journal *journal);

/* The last record that has an output of this path, as the journal knows it; NULL: none. */
const many_record *many_journal_find(const many_journal *journal, const char *output);
/* A path as the journal keeps it: from its folder where it lies inside, else whole. */
void many_journal_path(const many_journal *journal, const char *path, char kept[4096]);
/* The other way round. */
void many_journal_place(const many_journal *journal, const char *kept, char path[4096]);

/* One line of JSON about a file, for the journal and for --json. */
void many_print_json_line(FILE *out, const many_journal *journal, const cli_arguments *arguments,
                          const many_file *file);

#endif
