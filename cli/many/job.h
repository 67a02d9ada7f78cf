/* A command over many files while it runs, and the words of its single runs. Internal to cli/many.
 */
#ifndef SINEW_CLI_MANY_JOB_H
#define SINEW_CLI_MANY_JOB_H

#include <limits.h>

#include "many/journal.h"
#include "many/many.h"
#include "many/place.h"
#include "many/run.h"

/* Options that name a folder here and a file in each single run. */
typedef struct many_output {
    const char *option;
    const char *ending;
} many_output;

enum {
    MANY_OUTPUTS = 10,
    MANY_PLACES = MANY_OUTPUTS + 1 /* the outputs of options, and the actor that others share */
};
extern const many_output many_outputs[MANY_OUTPUTS];

typedef struct many_job {
    const cli_arguments *arguments;
    const cli_many_kind *kind;
    many_list list;
    many_journal journal;
    many_place (*place)[MANY_PLACES]; /* (list.count) */
    char options[MANY_DIGEST_SIZE];   /* of the version and the files that options name */
    char ending[32];                  /* of --output */
    const char *home;                 /* folder of journal and summary; NULL: none */
    bool is_sharing;                  /* actors */
    bool is_leading;                  /* this stage: the files whose actors the others take */
    int done_count, failed_count, before_count, left_out_count;
} many_job;

/* The folders on the way to `path` are made. */
void many_make_folders(const char *path);
/* Of the run as a whole, not of a single one? */
bool many_is_own_option(const many_job *job, const char *name);
void many_add_command(const many_job *job, const many_file *file, bool has_actor,
                      many_words *words);
/* Every option's results of a file go into a stage; false: it could not be made. */
bool many_add_outputs(const many_job *job, const many_file *file, many_words *words);
/* Is all that is asked for there as an earlier run wrote it, from what is there today? */
const many_record *many_find_before(const many_job *job, const many_file *file);
/* Before the work: may all of the file's outputs be written? */
bool many_is_free(const many_job *job, many_file *file);

#endif
