/* Files of one person as one piece of work, and the table of all people. Internal to cli/many. */
#ifndef SINEW_CLI_MANY_PEOPLE_H
#define SINEW_CLI_MANY_PEOPLE_H

#include "many/journal.h"

/* The list's files become people, each with its files: those of one folder, or with --by name those
 * of one folder whose names begin alike, up to the first blank, digit or one of _ - . Complains
 * itself; an exit code. */
int many_list_group(const cli_arguments *arguments, many_list *list);

/* Is there any table of strides among the results of the folder? */
bool many_has_strides(const cli_arguments *arguments, const char *home);

typedef struct many_study {
    const cli_arguments *arguments;
    const char *home;
} many_study;

/* All tables of strides that the folder's results hold, one behind the other, as cli_write_whole
 * wants it. */
bool many_draw_study(FILE *out, const void *study);

#endif
