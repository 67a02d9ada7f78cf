/* Plain sentences about what was repaired, guessed or left out. */
#include "base/notes.h"

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
