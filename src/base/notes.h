/* How library code adds a note. Internal. */
#ifndef SNW_BASE_NOTES_H
#define SNW_BASE_NOTES_H

#include <sinew/base.h>

/* One sentence; byte or line -1 where not known. notes may be NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void
snw__note(snw_notes *notes, int64_t byte, int64_t line, const char *format, ...);

/* Words that go with a count: snw__plural(n, "row is", "rows are"). */
static inline const char *snw__plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

#endif
