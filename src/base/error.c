/* Status texts and the one place that fills snw_error. */
#include "base/fail.h"

#include <string.h>

#define SNW__TEXT(name, text) text,
static const char *const status_texts[] = {SNW_STATUS_MAP(SNW__TEXT)};
#undef SNW__TEXT

#define SNW__NAME(name, text) #name,
static const char *const status_names[] = {SNW_STATUS_MAP(SNW__NAME)};
#undef SNW__NAME

#define VERSION_TEXT_OF(number) #number
#define VERSION_TEXT(number)    VERSION_TEXT_OF(number)

const char *snw_version(void)
{
    return VERSION_TEXT(SNW_VERSION_MAJOR) "." VERSION_TEXT(SNW_VERSION_MINOR) "." VERSION_TEXT(
        SNW_VERSION_PATCH);
}

int snw_version_number(void)
{
    return SNW_VERSION;
}

const char *snw_status_text(snw_status status)
{
    unsigned index = (unsigned)status;
    return index < SNW_STATUS_COUNT ? status_texts[index] : "a status that does not exist";
}

const char *snw_status_name(snw_status status)
{
    unsigned index = (unsigned)status;
    return index < SNW_STATUS_COUNT ? status_names[index] : "UNKNOWN";
}

snw_error snw_error_none(void)
{
    snw_error error;
    memset(&error, 0, sizeof error);
    error.status = SNW_OK;
    error.byte = error.line = error.frame = error.index = -1;
    return error;
}

void snw__error_fill(snw_error *error, snw_status status, snw__place place, const char *format, ...)
{
    if (!error) return;
    *error = snw_error_none();
    error->status = status;
    error->byte = place.byte;
    error->line = place.line;
    error->frame = place.frame;
    error->index = place.index;
    if (place.name) snw_format(error->name, sizeof error->name, "%s", place.name);
    va_list arguments;
    va_start(arguments, format);
    snw_format_list(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

snw_status snw__succeed(snw_error *error)
{
    if (error) *error = snw_error_none();
    return SNW_OK;
}

snw_status snw__check_bounds(const snw__bounds *options, int count, snw_error *error)
{
    for (int n = 0; n < count; n++) {
        const snw__bounds *option = &options[n];
        if (option->value >= option->low && option->value <= option->high) continue;
        snw__place place = SNW__NOWHERE;
        place.name = option->name;
        return snw__fail_at(error, SNW_INVALID_ARGUMENT, place, "%s is %g, not between %g and %g",
                            option->name, option->value, option->low, option->high);
    }
    return SNW_OK;
}
