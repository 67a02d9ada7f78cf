/* The table of a many-file run: a line for each file on the screen, CSV, and a page that sorts.
 * Internal to cli/many. */
#ifndef SINEW_CLI_MANY_SUMMARY_H
#define SINEW_CLI_MANY_SUMMARY_H

#include "many/journal.h"

void many_print_line(const many_file *file);

/* A row of the table. Owns nothing. */
typedef struct many_entry_row {
    const char *path, *name;
    const cli_row *row;
    bool is_left_out;
} many_entry_row;

typedef struct many_summary {
    const cli_arguments *arguments;
    const many_list *list; /* of this run; NULL: the journal alone tells */
    const char *report;    /* folder of the files' own reports, as seen from the summary; or NULL */
    int count;
    many_entry_row *entry; /* (count) worst first */
} many_summary;

/* The files of this run, and those that other runs of the same command and options did in the same
 * folder. False without memory. */
bool many_summary_fill(many_summary *summary, const many_journal *journal);
void many_summary_release(many_summary *summary);
/* Complains where a table lies there that no run left. An exit code. */
int many_check_summary(const cli_arguments *arguments, const many_journal *journal);
/* Both tables into the journal's folder. Complains itself; an exit code. */
int many_write_summary(many_journal *journal, many_summary *summary);

/* Both as cli_write_whole wants them. */
bool many_draw_csv(FILE *out, const void *summary);
bool many_draw_page(FILE *out, const void *summary);

#endif
