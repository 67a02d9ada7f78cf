/* Heads of tables that Vicon Nexus, Motive and Qualisys write. */
#include "base/notes.h"
#include "io/csv_head.h"

/* ---- Vicon Nexus --------------------------------------------------------------------------- */

/* Vicon files may start with other sections, thousands of rows long. */
bool snw__csv_find_trajectories(snw__text_input *text)
{
    static const char *const sections[] = {"devices", "joints",       "model outputs", "segments",
                                           "events",  "trajectories", "force plates"};
    snw__span line, first;
    bool is_first = true;
    snw__text_rewind(text);
    for (;;) {
        snw__text_mark before = snw__text_here(text);
        if (!snw__text_line(text, &line)) break;
        line = snw__span_trim(line);
        snw__span rest = line;
        if (!snw__span_field(
                &rest, snw__csv_separator(line) == ' ' ? ',' : snw__csv_separator(line), &first) ||
            snw__span_is_empty(first))
            continue;
        if (is_first && !snw__csv_is_one_of(first, sections, sizeof sections / sizeof *sections))
            break;
        is_first = false;
        if (snw__span_is(first, "trajectories")) {
            snw__text_return(text, before);
            return true;
        }
    }
    snw__text_rewind(text);
    return false;
}

void snw__csv_take_vicon(snw__csv_head *head)
{
    snw__span rate = {NULL, NULL};
    head->layout->ends_at_blank = true;
    if (head->row_count > 1 && snw__csv_field_at(head, 1, 0, &rate))
        snw__csv_take_rate(head->layout, rate);
}

/* ---- Motive -------------------------------------------------------------------------------- */

/* The field after the one that says `key`, in the first row. */
static bool value_after(const snw__csv_head *head, int row, const char *key, snw__span *value)
{
    snw__span rest = head->row[row], field;
    while (snw__span_field(&rest, head->layout->separator, &field))
        if (snw__span_is(field, key)) return snw__span_field(&rest, head->layout->separator, value);
    return false;
}

/* Rank of a Motive column type: what the cameras saw before what was computed from it. */
static int motive_rank(snw__span type)
{
    if (snw__span_is(type, "Marker")) return 3;
    return snw__span_ends(type, "Marker") ? 2 : 1;
}

typedef struct csv_motive {
    int type_row, name_row, kind_row, axis_row;
} csv_motive;

/* Takes the position triples whose type has that rank; 0 takes none and returns the best rank. */
static int take_motive_columns(snw__csv_head *head, csv_motive rows, int rank)
{
    snw__csv_layout *layout = head->layout;
    snw__span none = {NULL, NULL}, axis, kind, type, name;
    snw__span axes = head->row[rows.axis_row];
    snw__span kinds = rows.kind_row >= 0 ? head->row[rows.kind_row] : none;
    snw__span types = rows.type_row >= 0 ? head->row[rows.type_row] : none;
    snw__span names = rows.name_row >= 0 ? head->row[rows.name_row] : none;
    int run = 0, best = 0;
    for (int n = 0; snw__span_field(&axes, layout->separator, &axis); n++) {
        if (!snw__span_field(&kinds, layout->separator, &kind)) kind = none;
        if (!snw__span_field(&types, layout->separator, &type)) type = none;
        if (!snw__span_field(&names, layout->separator, &name)) name = none;
        bool is_position = snw__span_is(kind, "Position") && snw__csv_bare_axis(axis) >= 0;
        run = is_position && snw__csv_bare_axis(axis) == run
                  ? run + 1
                  : is_position && !snw__csv_bare_axis(axis);
        if (run < 3) continue;
        run = 0;
        if (motive_rank(type) > best) best = motive_rank(type);
        if (rank && motive_rank(type) == rank) snw__csv_add_marker(layout, name, n - 2);
    }
    return best;
}

snw_status snw__csv_take_motive(snw__csv_head *head)
{
    snw__span value;
    csv_motive rows = {-1, -1, -1, -1};
    for (int n = 0; n < head->data_row && n < head->row_count; n++) {
        snw__span first, second;
        if (!snw__csv_field_at(head, n, 0, &first)) continue;
        if (snw__span_is(first, "Frame")) {
            rows.axis_row = n;
            rows.kind_row = snw__csv_row_above(head, n);
        }
        if (!snw__csv_field_at(head, n, 1, &second)) continue;
        if (snw__span_is(second, "Type")) rows.type_row = n;
        if (snw__span_is(second, "Name")) rows.name_row = n;
    }
    if (rows.axis_row < 0)
        return snw__text_fail(head->text, SNW_FORMAT,
                              "the row that starts with \"Frame\" is missing");
    if (value_after(head, 0, "Length Units", &value)) snw__csv_take_unit(head->layout, value);
    if (value_after(head, 0, "Capture Frame Rate", &value)) snw__csv_take_rate(head->layout, value);
    if (value_after(head, 0, "Export Frame Rate", &value)) snw__csv_take_rate(head->layout, value);
    int best = take_motive_columns(head, rows, 0);
    if (best) take_motive_columns(head, rows, best);
    snw__csv_mark_counters(head, rows.axis_row);
    snw__note(head->text->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT,
              snw__at_line(head->before[rows.axis_row].line + 1), "%s",
              best == 3   ? "positions of labelled markers are read; rigid bodies, bones and their "
                            "markers are left out"
              : best == 2 ? "there are no labelled markers; the markers of rigid bodies or bones "
                            "are read"
                          : "there are no markers; positions of rigid bodies or bones are read");
    return SNW_OK;
}

/* ---- Qualisys ------------------------------------------------------------------------------ */

void snw__csv_take_qualisys(snw__csv_head *head, int name_row)
{
    snw__csv_layout *layout = head->layout;
    snw__span value, rest = head->row[name_row], name;
    int row = snw__csv_find_row(head, "FREQUENCY");
    if (row >= 0 && snw__csv_field_at(head, row, 1, &value)) snw__csv_take_rate(layout, value);
    layout->metres_per_unit = 0.001;
    layout->zero_is_absent = true;
    int names = snw__csv_count_fields(rest, layout->separator) - 1;
    int columns = head->data_row < head->row_count
                      ? snw__csv_count_fields(head->row[head->data_row], layout->separator)
                      : names * 3;
    if (names * 3 > columns) names = columns / 3;
    int label_row = snw__csv_row_above(head, head->data_row);
    if (label_row > name_row && label_row >= 0) snw__csv_mark_counters(head, label_row);
    int column = 0;
    while (column < 2 && column < columns && layout->target[column] != SNW__CSV_IGNORED)
        column++;
    /* Without labels the counters show in the count: a trailing separator makes one more. */
    if (column == 0 && columns - names * 3 >= 2) {
        layout->target[column++] = SNW__CSV_FRAME;
        layout->target[column++] = SNW__CSV_TIME;
    }
    snw__span_field(&rest, layout->separator, &name);
    for (; names > 0 && snw__span_field(&rest, layout->separator, &name); column += 3, names--)
        if (column + 2 < layout->column_count && !snw__span_is_empty(name))
            snw__csv_add_marker(layout, name, column);
}
