/* What the files of the C3D format share. Internal.
 *
 *   c3d_number.c     words and floats in the three byte orders
 *   c3d_header.c     the 512 bytes at the start
 *   c3d_parameter.c  the parameter section, record by record
 *   c3d_lookup.c     typed access to parameters, whatever type a producer chose
 *   c3d_layout.c     header against parameters, settled by the file's size
 *   c3d_data.c       samples, analog values, rotations
 *   c3d_integers.c   two scales, and coordinates beyond 16 bits
 *   c3d_axes.c       the unit of length and the axis that points up
 *   c3d_event.c      events of the header and of the EVENT group
 *   c3d.c            reading a file with all of these
 *   c3d_write.c      and back: the sections of a new file
 *   c3d_fields.c     which parameters a written file needs, made from the trial
 *   c3d_lists.c      lists of numbers and names as parameters, in parts of 255
 *   c3d_section.c    parameters as bytes
 *
 * Reference: The C3D File Format User Guide (Motion Lab Systems, c3d.org), and what real producers
 * do instead. */
#ifndef SNW_IO_C3D_H
#define SNW_IO_C3D_H

#include "io/formats.h"

enum {
    SNW__C3D_BLOCK = 512
};
#define SNW__C3D_KEY 0x50
enum {
    SNW__C3D_EVENTS_MAX = 18
};

/* ---- numbers ------------------------------------------------------------------------------ */

int snw__c3d_u16(const uint8_t *bytes, snw_byte_order order);
/* A byte as a signed number. */
static inline int snw__c3d_i8(uint8_t byte)
{
    return byte < 128 ? byte : byte - 256;
}
float snw__c3d_float(const uint8_t *bytes, snw_byte_order order);
void snw__c3d_put_u16(uint8_t *bytes, int value, snw_byte_order order);
void snw__c3d_put_float(uint8_t *bytes, float value, snw_byte_order order);
bool snw__c3d_host_is_intel(void);
/* `count` floats; `to` may be `from`. */
void snw__c3d_floats(const uint8_t *from, float *to, size_t count, snw_byte_order order);
/* `count` words become the host's, in place. */
void snw__c3d_words(uint8_t *bytes, size_t count, snw_byte_order order);
/* Whether the float comes back bit for bit from a file of that order (DEC has no infinity, no -0,
 * one NaN and another range). */
bool snw__c3d_keeps_float(float value, snw_byte_order order);

/* ---- header ------------------------------------------------------------------------------- */

typedef struct snw__c3d_header {
    uint8_t raw[SNW__C3D_BLOCK];
    snw_byte_order order;
    int parameter_block;       /* from 1 */
    int parameter_block_count; /* as the parameter section says */
    int point_count;
    int analog_total; /* analog values in a frame */
    int first_frame;
    int last_frame;
    float scale; /* negative: floats */
    int data_block;
    int analog_per_frame;
    float rate;
} snw__c3d_header;

/* Far outside anything real; what is beyond is damage or another byte order. */
bool snw__c3d_is_rate(double rate);
bool snw__c3d_is_scale(double scale); /* of either sign */

/* Reads the header and finds the parameter section and the byte order. */
snw_status snw__c3d_header_read(snw__reading *reading, snw__c3d_header *header);

/* ---- parameters --------------------------------------------------------------------------- */

/* Reads the parameter section into `shell`, a trial without samples. What is broken is repaired
 * with a note or left out with a note. */
snw_status snw__c3d_parameters_read(snw__reading *reading, const snw__c3d_header *header,
                                    snw_trial *shell);

/* Number `index` of a parameter of any type; `fallback` where there is none. Integers are taken as
 * unsigned where `is_unsigned`. */
double snw__c3d_number(const snw_parameter *parameter, int index, bool is_unsigned,
                       double fallback);
/* How many numbers, or how many strings for CHAR. 0 for NULL. */
int snw__c3d_count(const snw_parameter *parameter);
/* String `index` without trailing blanks and zeros: its start in the data, and its length. */
const char *snw__c3d_string(const snw_parameter *parameter, int index, size_t *length);

/* A list that continues in NAME2, NAME3... when it is longer than 255. */
typedef struct snw__c3d_list {
    const snw_trial *trial;
    const char *group;
    const char *name;
    int part;                       /* 1 = NAME itself */
    int first;                      /* number of elements before this part */
    const snw_parameter *parameter; /* NULL past the end */
} snw__c3d_list;

snw__c3d_list snw__c3d_list_start(const snw_trial *trial, const char *group, const char *name);
/* The parameter that holds element `index` (ascending calls only) and the index inside it. */
const snw_parameter *snw__c3d_list_at(snw__c3d_list *list, int index, int *inside);
/* Elements of all parts. */
int snw__c3d_list_count(const snw_trial *trial, const char *group, const char *name);

/* ---- layout ------------------------------------------------------------------------------- */

/* Words of 16 bits. An eighth of the range is the longest step of a marker from sample to sample,
 * half a metre in a volume of four: a step over the end of the range begins or ends outside of its
 * middle. */
enum {
    SNW__C3D_STEP_MAX = 65536 / 8,
    SNW__C3D_RANGE_MIDDLE = (65536 - SNW__C3D_STEP_MAX) / 2
};

typedef struct snw__c3d_layout {
    snw_storage storage;
    double scale; /* magnitude of POINT:SCALE */
    int point_count;
    int analog_count;
    int analog_per_frame;
    int64_t data_offset;
    int64_t frame_bytes;
    int frame_count;
    int cut_frame_count; /* claimed, but not there */
    int first_frame;
    double rate;
    int rotation_count;
    int rotations_per_frame;
    int64_t rotation_offset;
    int rotation_frames;    /* whole frames of rotations in the file */
    bool is_near_range_end; /* found with the data: words beyond SNW__C3D_RANGE_MIDDLE */
} snw__c3d_layout;

snw_status snw__c3d_layout_settle(snw__reading *reading, const snw__c3d_header *header,
                                  const snw_trial *shell, snw__c3d_layout *layout);

/* ---- data and events ---------------------------------------------------------------------- */

snw_status snw__c3d_data_read(snw__reading *reading, snw__c3d_layout *layout, snw_trial *trial);
/* Whether a stored sample says that nothing is known: quality negative as a 16-bit word (QTM writes
 * -1 as 65535), not finite, or sixteen zero bytes, which some producers write for "not seen". */
bool snw__c3d_is_missing(const snw_sample *sample);

/* Where the header has another scale than the trial was read with: which of the two is right. */
void snw__c3d_scale_settle(snw__reading *reading, const snw__c3d_header *header, snw_trial *trial);
/* Coordinates that left the range of 16 bits are put back where they were. Names must be there. */
void snw__c3d_overflow_mend(snw__reading *reading, const snw__c3d_layout *layout, snw_trial *trial);

/* Sets the trial's unit as the file writes it; metres, or 0 where that says nothing. */
double snw__c3d_unit(snw_trial *trial);
/* Sets the trial's unit and up axis from its parameters, or guesses from its samples. */
void snw__c3d_axes_read(snw__reading *reading, snw_trial *trial);
/* The up axis a reader will find in the trial as it is. */
snw_up_axis snw__c3d_axes_up(const snw_trial *trial);

/* Writes the trial's header events into a header of 512 bytes. */
void snw__c3d_events_put_header(const snw_trial *trial, snw_byte_order order, uint8_t *raw);
snw_status snw__c3d_events_read(snw__reading *reading, const snw__c3d_header *header,
                                snw_trial *trial);

/* ---- writing ------------------------------------------------------------------------------ */

/* What is written: the trial, and how. */
typedef struct snw__c3d_job {
    const snw_trial *trial;
    snw_storage storage;
    double factor; /* from the trial's unit to the file's */
    double scale;  /* magnitude of POINT:SCALE, in the file's unit */
    int coarse;    /* so many steps of the trial's residuals are one of the file's; mostly 1 */
    const char *unit;
} snw__c3d_job;

/* Brings the parameters of `shell` (copies of the trial's) in step with the trial: adds what other
 * programs need, replaces what says something else than the trial, leaves everything else as it was
 * read. */
snw_status snw__c3d_fields_update(const snw__c3d_job *job, snw_trial *shell, snw_error *error);
/* The same for the EVENT group. */
snw_status snw__c3d_events_update(const snw_trial *trial, snw_trial *shell, snw_error *error);
/* Where the sections lie; known only when the size of the parameters is. rotation_block 0 = none.
 */
snw_status snw__c3d_fields_place(snw_trial *shell, int data_block, int64_t rotation_block,
                                 snw_error *error);

/* One number; kept as it is where it says the same. */
snw_status snw__c3d_set_number(snw_trial *shell, const char *group, const char *name,
                               snw_parameter_type type, double value, snw_error *error);
/* A list of `width` numbers for each of `count` things, in parts of at most 255. */
typedef double snw__c3d_number_at(const snw_trial *trial, int index);
typedef const char *snw__c3d_text_at(const snw_trial *trial, int index);

typedef struct snw__c3d_list_spec {
    const char *group;
    const char *name;
    int count;
    int width;          /* numbers for each thing: 1, or 2 for (minutes, seconds) */
    bool may_be_absent; /* empty texts need not be written */
    snw_parameter_type type;
    const snw_trial *trial;
    snw__c3d_number_at *number; /* index counts single numbers */
    snw__c3d_text_at *text;
} snw__c3d_list_spec;

snw_status snw__c3d_set_numbers(snw_trial *shell, const snw__c3d_list_spec *spec, snw_error *error);
snw_status snw__c3d_set_texts(snw_trial *shell, const snw__c3d_list_spec *spec, snw_error *error);

/* The parameter section of `shell`, whole blocks with its four bytes in front. The caller releases
 * it with the allocator and *size. */
snw_status snw__c3d_section_make(const snw_trial *shell, snw_byte_order order, uint8_t **bytes,
                                 size_t *size, snw_error *error);

snw_status snw__c3d_write_trial(snw__output *output, const snw_trial *trial);

#endif
