/* Which files a many-file run works on, and what each is called in the output folder. Internal to
 * cli/many. */
#ifndef SINEW_CLI_MANY_LIST_H
#define SINEW_CLI_MANY_LIST_H

#include "many/digest.h"
#include "many/many.h"

/* A file that a run wrote. */
typedef struct many_output_file {
    char *path; /* as the journal keeps it */
    char digest[MANY_DIGEST_SIZE];
} many_output_file;

typedef struct many_file {
    char *path;
    char *whole; /* canonical path */
    char *name;  /* in the output folder, without the new ending: "session1/walk" */
    int member_count;
    char **member; /* (member_count) the files of a person, whose folder `path` is */
    cli_row row;
    bool is_done;                   /* the row is valid */
    bool is_before;                 /* it came from the journal */
    bool is_refused;                /* it was not tried: the row tells why */
    bool is_left_out;               /* of no kind that the command reads */
    bool is_elsewhere;              /* another shard's */
    int group;                      /* files of one group share an actor; -1: none */
    char input[MANY_DIGEST_SIZE];   /* digest of the file */
    char content[MANY_DIGEST_SIZE]; /* of all that its results follow from */
    int output_count;
    many_output_file *output; /* that were written */
} many_file;

typedef struct many_list {
    int count, capacity;
    many_file *file;
} many_list;

/* Complains itself; an exit code. Release in any case. */
int many_list_fill(const cli_arguments *arguments, const cli_many_kind *kind, many_list *list);
void many_list_release(many_list *list);
/* Adds an output to a file; false without memory. */
bool many_file_add_output(many_file *file, const char *path, const char digest[MANY_DIGEST_SIZE]);
void many_file_drop_outputs(many_file *file);

#endif
