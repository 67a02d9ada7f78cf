/* Numbers and names as text into an output. */
#include "io/text_writer.h"

#include <string.h>

void snw__put_string(snw__output *output, const char *text)
{
    snw__put(output, text, strlen(text));
}

void snw__put_exact(snw__output *output, double value)
{
    char text[SNW_NUMBER_SIZE];
    snw__put(output, text, (size_t)snw_print_double(text, value));
}

/* Digits after the point; -1: as many as it takes. */
static int digits_of(const snw__output *output)
{
    int decimals = output->options.decimals;
    return decimals == SNW_DECIMALS_NONE ? 0 : decimals > 0 ? decimals : -1;
}

void snw__put_double(snw__output *output, double value)
{
    char text[SNW_NUMBER_SIZE];
    int decimals = digits_of(output);
    int length =
        decimals < 0 ? snw_print_double(text, value) : snw_print_fixed(text, value, decimals);
    snw__put(output, text, (size_t)length);
}

void snw__put_float(snw__output *output, float value)
{
    char text[SNW_NUMBER_SIZE];
    int decimals = digits_of(output);
    int length = decimals < 0 ? snw_print_float(text, value)
                              : snw_print_fixed(text, (double)value, decimals);
    snw__put(output, text, (size_t)length);
}

void snw__put_name(snw__output *output, const char *name, const char *reserved, char stand_in)
{
    for (; *name; name++) {
        bool is_bad = (unsigned char)*name < ' ' || strchr(reserved, *name) != NULL;
        snw__put(output, is_bad ? &stand_in : name, 1);
    }
}
