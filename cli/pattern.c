#include "pattern.h"

#include <string.h>

bool cli_pattern_matches(const char *pattern, size_t length, const char *name)
{
    size_t at = 0, star = length, back = 0, n = 0;
    /* On a mismatch go back to the last star and let it swallow one character more. */
    while (name[n]) {
        if (at < length && pattern[at] == '*') {
            star = at++;
            back = n;
        } else if (at < length && (pattern[at] == '?' || pattern[at] == name[n])) {
            at++;
            n++;
        } else if (star < length) {
            at = star + 1;
            n = ++back;
        } else {
            return false;
        }
    }
    while (at < length && pattern[at] == '*')
        at++;
    return at == length;
}

bool cli_pattern_names_marker(const char *pattern, size_t length, const char *label)
{
    const char *colon = strrchr(label, ':');
    return cli_pattern_matches(pattern, length, label) ||
           (colon && cli_pattern_matches(pattern, length, colon + 1));
}

bool cli_pattern_list_matches(const char *list, const char *name)
{
    for (;;) {
        const char *comma = strchr(list, ',');
        size_t length = comma ? (size_t)(comma - list) : strlen(list);
        if (cli_pattern_names_marker(list, length, name)) return true;
        if (!comma) return false;
        list = comma + 1;
    }
}
