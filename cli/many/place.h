/* Results on their way into a folder that is not ours alone: a file's run writes into a folder of
 * its own, its results are entered in the journal with what they hold, and only then take their
 * place, where nothing of anybody else's lies. Killed at any moment, every result in place is in
 * the journal. Internal to cli/many. */
#ifndef SINEW_CLI_MANY_PLACE_H
#define SINEW_CLI_MANY_PLACE_H

#include "many/journal.h"

/* Where one option's results of one file go. */
typedef struct many_place {
    char stage[4096];  /* "out/.sinew-host-123-7" */
    char folder[4096]; /* "out/session1" */
} many_place;

/* Makes the folder of a run's results below `output`; "" in stage: it could not be made. */
void many_place_begin(many_place *place, const char *output, const char *name, int number);
/* Would `path` be replaced against somebody's will? A sentence in `message` then, and false. A
 * file is free to be written when it is not there, when --force was given, or when it is a result
 * of the same recipe from the same input and still holds what was written. */
bool many_place_is_free(const many_journal *journal, const many_file *file, const char *path,
                        bool is_forced, char *message, size_t size);
/* Adds what lies in the stage to the file's outputs. False, with a sentence: a place is taken. */
bool many_place_collect(const many_place *place, const many_journal *journal, many_file *file,
                        bool is_forced);
/* Moves it to its place. False, with a sentence in the file's row. */
bool many_place_settle(const many_place *place, many_file *file, bool is_forced,
                       const many_journal *journal);
/* Removes the stage and what is in it. */
void many_place_end(const many_place *place);
/* Stages of runs on this machine that are no more. */
void many_place_sweep(const char *output);

#endif
