/* What of a many-file run is done, on disk: a run that was stopped goes on where it was. Records of
 * one size are appended; one that was cut short counts as not written. Internal to cli/many. */
#ifndef SINEW_CLI_MANY_JOURNAL_H
#define SINEW_CLI_MANY_JOURNAL_H

#include "many/list.h"

typedef struct many_journal {
    int descriptor;     /* -1: none is kept */
    uint64_t signature; /* of the version, the command and its options */
} many_journal;

/* Opens or makes the journal of `folder`, and takes over the rows of files that did not change and
 * were done by the same command. NULL: none is kept. */
void many_journal_open(many_journal *journal, const cli_arguments *arguments, const char *folder,
                       many_list *list);
/* A file is begun, or done when its row is. */
void many_journal_add(const many_journal *journal, const many_file *file);
void many_journal_close(many_journal *journal);

#endif
