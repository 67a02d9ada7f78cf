/* <include file=""/> of MJCF: text that comes from other files. Internal to io. */
#ifndef SNW_IO_MJCF_INCLUDE_H
#define SNW_IO_MJCF_INCLUDE_H

#include "io/formats.h"

/* Who reads, and how files are opened: a build without files has none of this. */
typedef struct snw__include {
    const char *main_path; /* paths in the files are beside this one */
    snw_status (*open)(void *context, const char *path, snw_source *source, snw_error *error);
    void (*close)(void *context, snw_source *source);
    void *context;
    const snw_read_options *options;
    const snw_allocator *allocator;
    snw_error *error;
    int count; /* out: files that were put in */
} snw__include;

/* The model as one text: in place of each include stands what the root element of its file holds.
 * Not told are which lines came from where. */
snw_status snw__mjcf_expand(snw__include *include, const snw_source *source, const snw_sink *out);

#endif
