/* Text inside HTML and SVG: names come from files and may hold anything. */
#ifndef SINEW_CLI_MARKUP_H
#define SINEW_CLI_MARKUP_H

#include <stdio.h>

/* Writes text with <, >, &, " and ' escaped; control characters become blanks, bytes that are no
 * UTF-8 the letters of Latin-1 (see text.h), so that any file gives a page that parses. */
void cli_put_text(const char *text, FILE *out);

#endif
