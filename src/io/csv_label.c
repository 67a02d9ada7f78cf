/* Single fields of a table and what they say: numbers, separators, units, axes, counters. */
#include <ctype.h>
#include <string.h>

#include "io/csv.h"
#include "io/marker_table.h"

/* A number with the table's decimal sign. */
static bool csv_is_number(snw__span field, char decimal)
{
    double value;
    return snw__span_decimal(field, decimal, &value);
}

/* More numbers than words. */
bool snw__csv_is_data_row(snw__span row, const snw__csv_layout *layout, int least)
{
    snw__span field;
    int numbers = 0, words = 0;
    while (snw__span_field(&row, layout->separator, &field)) {
        if (snw__span_is_empty(field)) continue;
        if (csv_is_number(field, layout->decimal))
            numbers++;
        else
            words++;
    }
    return numbers >= least && numbers > words;
}

static bool has_outside_quotes(snw__span row, char c)
{
    bool is_quoted = false;
    for (; row.at < row.end; row.at++) {
        if (*row.at == '"') is_quoted = !is_quoted;
        if (*row.at == c && !is_quoted) return true;
    }
    return false;
}

char snw__csv_separator(snw__span row)
{
    if (has_outside_quotes(row, '\t')) return '\t';
    if (has_outside_quotes(row, ';')) return ';';
    return has_outside_quotes(row, ',') ? ',' : ' ';
}

/* "(mm)" or "[mm]" at the end of a label; what is left is trimmed. False when there is none. */
bool snw__csv_strip_unit(snw__span *label, snw__span *unit)
{
    if (snw__span_is_empty(*label)) return false;
    char close = label->end[-1], open = close == ')' ? '(' : '[';
    if (close != ')' && close != ']') return false;
    for (const char *at = label->end - 2; at >= label->at; at--)
        if (*at == open) {
            snw__span inside = {at + 1, label->end - 1}, left = {label->at, at};
            double number;
            *unit = snw__span_trim(inside);
            /* "name[0]" is an index, not a unit. */
            if (snw__span_double(*unit, &number)) return false;
            *label = snw__span_trim(left);
            return true;
        }
    return false;
}

bool snw__csv_is_one_of(snw__span word, const char *const *words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (snw__span_is(word, words[n])) return true;
    return false;
}

bool snw__csv_is_frame_label(snw__span label)
{
    static const char *const words[] = {"frame", "frame#",  "frame #", "frames", "frame number",
                                        "field", "field #", "#",       "sample", "index"};
    return snw__csv_is_one_of(label, words, sizeof words / sizeof *words);
}

/* 0 for what is no unit of time. */
static double seconds_of(snw__span unit)
{
    static const struct {
        const char *word;
        double seconds;
    } units[] = {{"s", 1},
                 {"sec", 1},
                 {"secs", 1},
                 {"seconds", 1},
                 {"ms", 0.001},
                 {"msec", 0.001},
                 {"milliseconds", 0.001},
                 {"us", 1e-6},
                 {"usec", 1e-6},
                 {"microseconds", 1e-6},
                 {"ns", 1e-9},
                 {"nanoseconds", 1e-9}};
    for (size_t n = 0; n < sizeof units / sizeof *units; n++)
        if (snw__span_is(unit, units[n].word)) return units[n].seconds;
    return 0;
}

static bool is_time_word(snw__span label)
{
    static const char *const words[] = {"time", "times", "timestamp", "t", "elapsed"};
    return snw__csv_is_one_of(label, words, sizeof words / sizeof *words);
}

/* Seconds per unit of a time label, 0 for any other label: "Time", "Time (ms)", "time_ms",
 * "timestamp us", "seconds". */
double snw__csv_time_label(snw__span label)
{
    snw__span unit = {NULL, NULL};
    if (snw__csv_strip_unit(&label, &unit) && is_time_word(label))
        return seconds_of(unit) > 0 ? seconds_of(unit) : 1;
    if (is_time_word(label)) return 1;
    const char *at = label.end;
    while (at > label.at && at[-1] != '_' && at[-1] != ' ')
        at--;
    unit = (snw__span){at, label.end};
    /* A unit alone names the time only when it is a whole word: a column "s" may be anything. */
    if (at == label.at) return snw__span_length(label) > 2 ? seconds_of(unit) : 0;
    label.end = at - 1;
    return is_time_word(label) ? seconds_of(unit) : 0;
}

/* 0, 1, 2, 3 for x, y, z, w in either case; else -1. */
static int axis_of(char letter)
{
    if (letter >= 'a') letter = (char)(letter - 'a' + 'A');
    return letter == 'W' ? 3 : letter >= 'X' && letter <= 'Z' ? letter - 'X' : -1;
}

/* "X", "y (mm)", "Z1": 0, 1, 2; else -1. */
int snw__csv_bare_axis(snw__span label)
{
    snw__span unit;
    int64_t number;
    snw__csv_strip_unit(&label, &unit);
    if (snw__span_is_empty(label) || axis_of(*label.at) > 2) return -1;
    snw__span index = {label.at + 1, label.end};
    if (!snw__span_is_empty(index) && !snw__span_int(index, &number)) return -1;
    return axis_of(*label.at);
}

/* Splits "LASI_X (mm)", "LASI.x", "LASI X", "LASI[0]" into base and axis 0..3; -1 if it is none. */
int snw__csv_split_label(snw__span label, snw__span *base, snw__span *unit)
{
    unit->at = unit->end = NULL;
    snw__csv_strip_unit(&label, unit);
    size_t length = snw__span_length(label);
    if (length >= 3 && label.end[-1] == ']' && label.end[-3] == '[' && label.end[-2] >= '0' &&
        label.end[-2] <= '3') {
        base->at = label.at;
        base->end = label.end - 3;
        return label.end[-2] - '0';
    }
    if (length < 2) return -1;
    if (!label.end[-2] || !strchr("_.- :/", label.end[-2])) return -1;
    base->at = label.at;
    base->end = label.end - 2;
    return axis_of(label.end[-1]);
}

/* ---- telling a table from other text ------------------------------------------------------- */

static bool looks_like_labels(snw__span row, char separator)
{
    snw__span field, base, unit;
    int axes = 0, column = 0;
    for (; snw__span_field(&row, separator, &field); column++) {
        if (column == 0 && (snw__csv_is_frame_label(field) || snw__csv_time_label(field) > 0))
            return true;
        axes += snw__csv_split_label(field, &base, &unit) >= 0;
    }
    return axes >= 3;
}

bool snw__csv_sniff(const uint8_t *head, size_t size)
{
    static const char *const starts[] = {"Trajectories",  "Devices",        "Joints",
                                         "Model Outputs", "Format Version", "NO_OF_FRAMES",
                                         "Segments",      "Events"};
    snw__span rest = snw__span_of_head(head, size);
    for (const char *at = rest.at; at < rest.end; at++)
        if ((unsigned char)*at < ' ' && *at != '\t' && *at != '\r' && *at != '\n') return false;
    for (size_t n = 0; n < sizeof starts / sizeof *starts; n++)
        if (snw__span_starts(rest, starts[n])) return true;
    snw__text_input text = snw__text_of_head(head, size);
    snw__span line;
    for (int n = 0; n < SNW__CSV_HEAD_ROWS && snw__text_line(&text, &line); n++) {
        snw__csv_layout layout;
        memset(&layout, 0, sizeof layout);
        layout.separator = snw__csv_separator(line);
        layout.decimal = layout.separator == ',' ? '.' : ',';
        if (n == 0 && layout.separator != ' ' && looks_like_labels(line, layout.separator))
            return true;
        if (snw__csv_is_data_row(line, &layout, 3)) return true;
    }
    return false;
}

int snw__csv_split_turn(snw__span label, snw__span *base)
{
    static const char parts[] = "wxyz";
    if (snw__span_length(label) < 4) return -1;
    const char *end = label.end;
    char part = (char)tolower((unsigned char)end[-1]);
    const char *found = strchr(parts, part);
    bool is_turn = part && found && tolower((unsigned char)end[-2]) == 'q' &&
                   (end[-3] == '_' || end[-3] == '.' || end[-3] == ' ');
    if (!is_turn) return -1;
    base->at = label.at;
    base->end = end - 3;
    return (int)(found - parts);
}
