/* Lists of names with wildcards on the command line: "R*,LASI,*:head". */
#ifndef SINEW_CLI_PATTERN_H
#define SINEW_CLI_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* '*' stands for any run of characters, '?' for one; case counts. */
bool cli_pattern_matches(const char *pattern, size_t length, const char *name);
/* A marker's label: "Actor:LABEL" matches whole and without the actor. */
bool cli_pattern_names_marker(const char *pattern, size_t length, const char *label);
/* Does any of the comma-separated patterns match? */
bool cli_pattern_list_matches(const char *list, const char *name);

#endif
