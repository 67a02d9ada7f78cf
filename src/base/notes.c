/* Notes: what had to be repaired, guessed or left out. */
#include "base/notes.h"

#include <string.h>

#define SNW__NAME(name, text) #name,
static const char *const note_names[] = {SNW_NOTE_MAP(SNW__NAME)};
#undef SNW__NAME

#define SNW__TEXT(name, text) text,
static const char *const note_texts[] = {SNW_NOTE_MAP(SNW__TEXT)};
#undef SNW__TEXT

const char *snw_note_code_name(snw_note_code code)
{
    unsigned index = (unsigned)code;
    return index < SNW_NOTE_CODE_COUNT ? note_names[index] : "UNKNOWN";
}

const char *snw_note_code_text(snw_note_code code)
{
    unsigned index = (unsigned)code;
    return index < SNW_NOTE_CODE_COUNT ? note_texts[index] : "a note that does not exist";
}

snw_notes snw_notes_none(void)
{
    snw_notes notes;
    memset(&notes, 0, sizeof notes);
    return notes;
}

int snw_notes_find(const snw_notes *notes, snw_note_code code, int from)
{
    for (int n = from < 0 ? 0 : from; notes && n < notes->count; n++)
        if (notes->note[n].code == code) return n;
    return -1;
}

static void add_note(snw_notes *notes, snw_note_code code, snw__place place, const char *format,
                     va_list arguments)
{
    if (notes->count >= SNW_NOTES_MAX) {
        notes->dropped++;
        return;
    }
    snw_note *note = notes->note + notes->count++;
    memset(note, 0, sizeof *note);
    note->code = code;
    note->byte = place.byte;
    note->line = place.line;
    note->frame = place.frame;
    note->index = place.index;
    if (place.name) snw_format(note->name, sizeof note->name, "%s", place.name);
    snw_format_list(note->text, sizeof note->text, format, arguments);
}

void snw__note_at(snw_notes *notes, snw_note_code code, snw__place place, const char *format, ...)
{
    if (!notes) return;
    va_list arguments;
    va_start(arguments, format);
    add_note(notes, code, place, format, arguments);
    va_end(arguments);
}

void snw__note_said(snw_notes *notes, int64_t byte, int64_t line, const char *format, ...)
{
    if (!notes) return;
    snw__place place = {byte, line, -1, -1, NULL};
    va_list arguments;
    va_start(arguments, format);
    add_note(notes, SNW_NOTE_OTHER, place, format, arguments);
    va_end(arguments);
}
