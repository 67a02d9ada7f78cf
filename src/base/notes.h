/* How library code adds a note. Internal. */
#ifndef SNW_BASE_NOTES_H
#define SNW_BASE_NOTES_H

#include "base/fail.h"

/* One sentence about one thing at one place (SNW__NOWHERE, snw__at_byte and the others of fail.h).
 * notes may be NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void
snw__note_at(snw_notes *notes, snw_note_code code, snw__place place, const char *format, ...);

/* The same with no code and a byte or line alone. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void
snw__note_said(snw_notes *notes, int64_t byte, int64_t line, const char *format, ...);

/* By what stands third: a place, or a line. */
#define snw__note(notes, code, place, ...) \
    _Generic((place), snw__place           \
             : snw__note_at, default       \
             : snw__note_said)(notes, code, place, __VA_ARGS__)

/* Words that go with a count: snw__plural(n, "row is", "rows are"). */
static inline const char *snw__plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

#endif
