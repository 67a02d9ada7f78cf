/* The table of a many-file run: a line for each file on the screen, CSV, and a page that sorts.
 * Internal to cli/many. */
#ifndef SINEW_CLI_MANY_SUMMARY_H
#define SINEW_CLI_MANY_SUMMARY_H

#include "many/list.h"

void many_print_line(const many_file *file);
void many_print_json(const many_list *list);

typedef struct many_summary {
    const cli_arguments *arguments;
    const many_list *list;
    const char *report; /* folder of the files' own reports, as seen from the summary; or NULL */
} many_summary;

/* Both as cli_write_whole wants them. */
bool many_draw_csv(FILE *out, const void *summary);
bool many_draw_page(FILE *out, const void *summary);

#endif
