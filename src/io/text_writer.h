/* Numbers and names as text into an output. Internal to io. */
#ifndef SNW_IO_TEXT_WRITER_H
#define SNW_IO_TEXT_WRITER_H

#include "io/formats.h"

/* In the decimals the caller of the writer asked for. */
void snw__put_double(snw__output *output, double value);
void snw__put_float(snw__output *output, float value);
/* Always the shortest that reads back the same: times, rates, scales. */
void snw__put_exact(snw__output *output, double value);
void snw__put_string(snw__output *output, const char *text);
/* A name with control characters and the characters of `reserved` replaced by `stand_in`. */
void snw__put_name(snw__output *output, const char *name, const char *reserved, char stand_in);

#endif
