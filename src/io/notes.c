/* Plain sentences about what a reader repaired, and the words for units. */
#include "io/formats.h"

#include <string.h>

snw_notes snw_notes_none(void)
{
    snw_notes notes;
    memset(&notes, 0, sizeof notes);
    return notes;
}

void snw__note(snw_notes *notes, int64_t byte, int64_t line, const char *format, ...)
{
    if (!notes) return;
    if (notes->count >= SNW_NOTES_MAX) {
        notes->dropped++;
        return;
    }
    snw_note *note = notes->note + notes->count++;
    note->byte = byte;
    note->line = line;
    va_list arguments;
    va_start(arguments, format);
    snw_format_list(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
}

double snw__unit_metres(const char *unit)
{
    static const struct {
        const char *word;
        double metres;
    } table[] = {
        {"mm", 0.001},         {"millimeter", 0.001},
        {"millimetre", 0.001}, {"cm", 0.01},
        {"centimeter", 0.01},  {"centimetre", 0.01},
        {"dm", 0.1},           {"decimeter", 0.1},
        {"decimetre", 0.1},    {"m", 1},
        {"meter", 1},          {"metre", 1},
        {"km", 1000},          {"um", 1e-6},
        {"micrometer", 1e-6},  {"micrometre", 1e-6},
        {"in", 0.0254},        {"inch", 0.0254},
        {"inche", 0.0254},     {"\"", 0.0254},
        {"ft", 0.3048},        {"foot", 0.3048},
        {"feet", 0.3048},      {"yd", 0.9144},
    };
    char word[16];
    size_t length = 0;
    for (const char *c = unit; *c && length + 1 < sizeof word; c++)
        if (*c > ' ') word[length++] = (char)(*c >= 'A' && *c <= 'Z' ? *c + ('a' - 'A') : *c);
    word[length] = 0;
    /* A plural s, but not the whole word. */
    size_t singular = length > 2 && word[length - 1] == 's' ? length - 1 : length;
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        if (strlen(table[n].word) == singular && strncmp(word, table[n].word, singular) == 0)
            return table[n].metres;
    return 0;
}
