/* How one file of a many-file run becomes a command line of its own, and how several of them run at
 * once. Internal to cli/many. */
#ifndef SINEW_CLI_MANY_RUN_H
#define SINEW_CLI_MANY_RUN_H

#include "many/list.h"

#define MANY_WORDS_MAX 600

/* The words of one run, whose memory they own. */
typedef struct many_words {
    int count;
    char *word[MANY_WORDS_MAX];
    bool is_full; /* no memory or too many: the line cannot be run */
} many_words;

void many_words_add(many_words *words, const char *format, ...);
void many_words_release(many_words *words);

/* One stage: files for which `plan` makes words run, at most `jobs` at once. `plan` returns false
 * for files that need no run. `tell` is called for each file that ran, in the order of the list. */
typedef struct many_stage {
    const cli_arguments *arguments;
    many_list *list;
    int jobs;
    void *context;
    bool (*plan)(void *context, many_file *file, many_words *words);
    void (*finish)(void *context, many_file *file); /* as soon as it ends, in any order */
    void (*tell)(void *context, const many_file *file);
} many_stage;

/* False when no process could be started at all. */
bool many_run_stage(const many_stage *stage);

#endif
