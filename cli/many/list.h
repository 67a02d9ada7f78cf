/* Which files a many-file run works on, and what each is called in the output folder. Internal to
 * cli/many. */
#ifndef SINEW_CLI_MANY_LIST_H
#define SINEW_CLI_MANY_LIST_H

#include "many/many.h"

typedef struct many_file {
    char *path;
    char *name; /* in the output folder, without the new ending: "session1/walk" */
    cli_row row;
    bool is_done;         /* the row is valid */
    bool is_before;       /* it came from the journal */
    bool is_refused;      /* it could not be looked at: the row tells why */
    bool is_begun;        /* a run that was stopped had begun it: its outputs may be there */
    int group;            /* files of one group share an actor; -1: none */
    double size, changed; /* bytes, seconds: of the file, for the journal */
} many_file;

typedef struct many_list {
    int count, capacity;
    many_file *file;
    int skipped_count; /* files of folders that are of no kind asked for */
} many_list;

/* Complains itself; an exit code. Release in any case. */
int many_list_fill(const cli_arguments *arguments, const cli_many_kind *kind, many_list *list);
void many_list_release(many_list *list);

#endif
