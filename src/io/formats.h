/* What one file format gives to the registry, and what the registry gives to it. Internal.
 *
 * A format is one file src/io/NAME.c with one `const snw__format snw__format_NAME`, declared below
 * and listed in the table of registry.c. Entries it does not offer are NULL.
 *
 * A reader gets a source whose length is known and that can seek, standing at byte 0. It must not
 * change the notes of an earlier reader, and leaves nothing allocated when it fails. */
#ifndef SNW_IO_FORMATS_H
#define SNW_IO_FORMATS_H

#include <sinew/io.h>

#include "base/notes.h"

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct snw__reading {
    snw_source source;        /* seekable, of known size */
    const char *name;         /* for messages, never NULL: the file's name or "the input" */
    snw_read_options options; /* never missing */
    snw_allocator allocator;
    snw_notes *notes; /* may be NULL: use snw__note */
    snw_error *error; /* may be NULL: use snw__fail */

    snw_memory_source memory; /* holds the bytes when the caller's source could not seek */
    uint8_t *owned;
    size_t owned_size;
} snw__reading;

/* What a caller of a public read function handed in; all but the source may be NULL. */
typedef struct snw__reading_request {
    const snw_source *source;
    const snw_read_options *options;
    const snw_allocator *allocator;
    snw_notes *notes;
    snw_error *error;
} snw__reading_request;

/* Fills defaults, checks the options, reads a source that cannot seek into memory. Close it
 * whatever open said. */
snw_status snw__reading_open(snw__reading *reading, const snw__reading_request *request);
void snw__reading_close(snw__reading *reading);

/* Exactly `size` bytes from `position`, or SNW_IO / SNW_TRUNCATED with that byte. */
snw_status snw__reading_at(snw__reading *reading, int64_t position, void *buffer, size_t size);
/* The next `size` bytes; `position` is where they are, for messages. */
snw_status snw__reading_next(snw__reading *reading, int64_t position, void *buffer, size_t size);
/* The whole content with a zero byte behind it (not counted in *size). Release it with
 * snw__reading_release_all. Refused above options.memory_limit. */
snw_status snw__reading_all(snw__reading *reading, char **bytes, size_t *size);
void snw__reading_release_all(snw__reading *reading, char *bytes, size_t size);
/* SNW_TOO_LARGE when the caller's memory limit is below `size` bytes. */
snw_status snw__reading_check_memory(const snw__reading *reading, uint64_t size);

/* ---- writing ------------------------------------------------------------------------------ */

/* Collects small writes; 8 KB so that it may live on a small stack. */
typedef struct snw__output {
    const snw_sink *sink;
    snw_write_options options;
    snw_error *error; /* may be NULL */
    bool has_failed;  /* once true, everything is dropped */
    int64_t position; /* bytes put so far */
    size_t used;
    uint8_t buffer[8192];
} snw__output;

/* Fills defaults and checks the options and the sink. */
snw_status snw__output_open(snw__output *output, const snw_write_options *options,
                            const snw_sink *sink, snw_error *error);
void snw__put(snw__output *output, const void *bytes, size_t size);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
snw__put_text(snw__output *output, const char *format, ...);
/* Hands the rest to the sink: SNW_OK, or SNW_IO when anything was refused. */
snw_status snw__put_end(snw__output *output);

/* ---- the formats -------------------------------------------------------------------------- */

typedef struct snw__format {
    const char *name;    /* "C3D" */
    const char *endings; /* file name endings with blanks between: "mot sto" */
    /* Whether content that starts with these bytes (the first 4 KB or all) is of this format. */
    bool (*sniff)(const uint8_t *head, size_t size);
    snw_status (*read_trial)(snw__reading *reading, snw_trial **out);
    snw_status (*write_trial)(snw__output *output, const snw_trial *trial);
    snw_status (*read_motion)(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion);
    snw_status (*write_motion)(snw__output *output, const snw_motion *motion);
    snw_status (*read_mesh)(snw__reading *reading, snw_mesh **out);
    snw_status (*write_mesh)(snw__output *output, const snw_mesh *mesh);
} snw__format;

/* Notes when several markers have one name. */
snw_status snw__note_repeated_names(snw__reading *reading, const snw_trial *trial);

/* Notes values that no capture holds: rates, places, bones. */
void snw__note_extremes_of_trial(const snw_trial *trial, snw_notes *notes);
void snw__note_extremes_of_motion(const snw_motion *motion, snw_notes *notes);

extern const snw__format snw__format_c3d;
extern const snw__format snw__format_trc;
extern const snw__format snw__format_csv;
extern const snw__format snw__format_bvh;
extern const snw__format snw__format_asf;
extern const snw__format snw__format_amc;
extern const snw__format snw__format_glb;
extern const snw__format snw__format_mot;
extern const snw__format snw__format_urdf;
extern const snw__format snw__format_mjcf;
extern const snw__format snw__format_medit;
extern const snw__format snw__format_meditb;
extern const snw__format snw__format_ply;
extern const snw__format snw__format_stl;
extern const snw__format snw__format_obj;
extern const snw__format snw__format_atm;
extern const snw__format snw__format_vrm;
extern const snw__format snw__format_taylor;

#endif
