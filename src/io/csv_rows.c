/* Rows of labels above the numbers of a table: one with name_X, name_Y, name_Z, two with names over
 * axes, or names over every third column; and a row of units below them. */
#include <string.h>

#include "base/name_set.h"
#include "io/csv_head.h"
#include "io/marker_table.h"

/* ---- rows and columns ---------------------------------------------------------------------- */

bool snw__csv_field_at(const snw__csv_head *head, int row, int column, snw__span *field)
{
    snw__span rest = head->row[row];
    for (int n = 0; snw__span_field(&rest, head->layout->separator, field); n++)
        if (n == column) return true;
    field->at = field->end = NULL;
    return false;
}

int snw__csv_count_fields(snw__span row, char separator)
{
    snw__span field;
    int count = 0;
    while (snw__span_field(&row, separator, &field))
        count++;
    return count;
}

int snw__csv_row_above(const snw__csv_head *head, int row)
{
    for (row--; row >= 0; row--)
        if (head->is_filled[row]) return row;
    return -1;
}

int snw__csv_find_row(const snw__csv_head *head, const char *first_field)
{
    snw__span field;
    for (int n = 0; n < head->row_count && n < head->data_row; n++)
        if (snw__csv_field_at(head, n, 0, &field) && snw__span_is(field, first_field)) return n;
    return -1;
}

void snw__csv_add_marker(snw__csv_layout *layout, snw__span name, int column)
{
    int marker = layout->marker_count++;
    layout->name[marker] = name;
    for (int k = 0; k < 3; k++)
        layout->target[column + k] = marker * 3 + k;
}

void snw__csv_mark_counters(snw__csv_head *head, int row)
{
    snw__span rest = head->row[row], label;
    snw__csv_layout *layout = head->layout;
    bool has_frame = false, has_time = false;
    for (int n = 0; snw__span_field(&rest, layout->separator, &label); n++) {
        if (layout->target[n] != SNW__CSV_IGNORED) continue;
        if (snw__csv_is_frame_label(label) && !has_frame) {
            layout->target[n] = SNW__CSV_FRAME;
            has_frame = true;
        } else if (snw__csv_time_label(label) > 0 && !has_time) {
            layout->seconds_per_unit = snw__csv_time_label(label);
            layout->target[n] = SNW__CSV_TIME;
            has_time = true;
        }
    }
}

/* ---- units --------------------------------------------------------------------------------- */

void snw__csv_take_unit(snw__csv_layout *layout, snw__span unit)
{
    double metres = unit.at ? snw__unit_metres_span(unit) : 0;
    if (metres > 0 && !(layout->metres_per_unit > 0)) layout->metres_per_unit = metres;
}

void snw__csv_take_rate(snw__csv_layout *layout, snw__span value)
{
    double rate = 0;
    if (snw__span_double(value, &rate) && rate > 0) layout->rate = rate;
}

/* A row of which every filled field is a unit or bracketed unit, and at least one a length. */
static bool is_unit_row(const snw__csv_head *head, int row, snw__span *length_unit)
{
    static const char *const others[] = {"s", "sec", "ms", "hz", "deg", "rad", "n", "v", "-", "fr"};
    snw__span rest = head->row[row], field, inside;
    bool has_length = false;
    while (snw__span_field(&rest, head->layout->separator, &field)) {
        snw__span bracketed = field;
        if (snw__csv_strip_unit(&bracketed, &inside) && snw__span_is_empty(bracketed))
            field = inside;
        if (snw__span_is_empty(field)) continue;
        const char *slash = snw__span_find(field, '/');
        bool is_derived = slash < field.end; /* "mm/s", "mm/s^2", "deg/s" */
        field.end = slash;
        if (is_derived && snw__unit_metres_span(field) > 0) continue;
        if (snw__unit_metres_span(field) > 0) {
            if (!has_length) *length_unit = field;
            has_length = true;
        } else if (!snw__csv_is_one_of(field, others, sizeof others / sizeof *others)) {
            return false;
        }
    }
    return has_length;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Names over axes: a name holds until the next one. */
static void take_two_rows(snw__csv_head *head, int name_row, int axis_row)
{
    snw__csv_layout *layout = head->layout;
    snw__span names = {NULL, NULL}, axes = head->row[axis_row], label, field, name = {NULL, NULL};
    if (name_row >= 0) names = head->row[name_row];
    int run = 0;
    for (int n = 0; snw__span_field(&axes, layout->separator, &label); n++) {
        bool has_field = snw__span_field(&names, layout->separator, &field);
        if (has_field && !snw__span_is_empty(field) &&
            (run % 3 == 0 || snw__csv_bare_axis(label) == 0))
            name = field;
        if (snw__csv_bare_axis(label) == run)
            run++;
        else
            run = snw__csv_bare_axis(label) == 0;
        if (run == 3) {
            snw__csv_add_marker(layout, name, n - 2);
            name.at = name.end = NULL;
            run = 0;
        }
    }
    snw__csv_mark_counters(head, axis_row);
}

typedef struct csv_label {
    snw__span base, unit;
    int axis;
} csv_label;

/* NAME_qw, NAME_qx, NAME_qy, NAME_qz one after the other: how the marker NAME is turned. Whether
 * there is such a marker is known in the second pass; the first (`markers` NULL) keeps x, y, z from
 * being taken for those of a marker NAME_q. */
static void take_turns(snw__csv_head *head, int row, const snw__name_set *markers)
{
    snw__csv_layout *layout = head->layout;
    snw__span rest = head->row[row], field, base, last = {NULL, NULL};
    bool is_second = markers != NULL;
    int run = 0;
    for (int n = 0; snw__span_field(&rest, layout->separator, &field); n++) {
        int part = snw__csv_split_turn(field, &base);
        if (part != run || (run > 0 && !snw__span_same(base, last))) run = 0;
        if (part != run) continue;
        last = base;
        if (++run < 4) continue;
        run = 0;
        int marker = is_second ? snw__name_set_find(markers, base.at, snw__span_length(base)) : -1;
        if (is_second && marker >= 0) layout->rotation_marker[layout->rotation_count] = marker;
        for (int k = 0; k < 4; k++)
            layout->target[n - 3 + k] = is_second && marker < 0
                                            ? SNW__CSV_IGNORED
                                            : SNW__CSV_TURN - (layout->rotation_count * 4 + k);
        if (is_second && marker >= 0) layout->rotation_count++;
    }
}

static snw_status take_one_row(snw__csv_head *head, int row)
{
    take_turns(head, row, NULL);
    snw__csv_layout *layout = head->layout;
    snw__span rest = head->row[row], field;
    csv_label last[3];
    memset(last, 0, sizeof last);
    int run = 0;
    for (int n = 0; snw__span_field(&rest, layout->separator, &field); n++) {
        csv_label label = {{NULL, NULL}, {NULL, NULL}, -1};
        if (layout->target[n] == SNW__CSV_IGNORED)
            label.axis = snw__csv_split_label(field, &label.base, &label.unit);
        bool follows = label.axis == run && run > 0 && run < 3 &&
                       snw__span_same(label.base, last[run - 1].base);
        if (!follows) run = 0;
        if (label.axis != run) continue;
        last[run++] = label;
        if (run < 3) continue;
        snw__csv_add_marker(layout, last[0].base, n - 2);
        snw__csv_take_unit(layout, last[0].unit);
        run = 0;
    }
    /* The second pass over the turns: the markers are known by their names, letter case ignored. */
    const snw__reading *reading = head->text->reading;
    snw__name_set markers;
    snw_status status =
        snw__name_set_create(&markers, layout->marker_count, &reading->allocator, reading->error);
    markers.ignores_case = true;
    for (int m = 0; m < layout->marker_count && status == SNW_OK; m++)
        if (layout->name[m].at)
            snw__name_set_add(&markers, layout->name[m].at, snw__span_length(layout->name[m]), m);
    if (status == SNW_OK) take_turns(head, row, &markers);
    snw__name_set_release(&markers);
    snw__csv_mark_counters(head, row);
    return status;
}

/* A name over every third column and blanks between, no axes. */
static bool take_spread_names(snw__csv_head *head, int row)
{
    snw__csv_layout *layout = head->layout;
    snw__span rest = head->row[row], field;
    int first = -1, filled = 0;
    snw__csv_mark_counters(head, row);
    for (int n = 0; snw__span_field(&rest, layout->separator, &field); n++) {
        if (snw__span_is_empty(field) || layout->target[n] != SNW__CSV_IGNORED) continue;
        if (first < 0) first = n;
        if ((n - first) % 3) return false;
        filled++;
    }
    if (first < 0 || layout->column_count - first < 3 * filled) return false;
    rest = head->row[row];
    for (int n = 0; snw__span_field(&rest, layout->separator, &field); n++)
        if (n >= first && (n - first) % 3 == 0 && n + 2 < layout->column_count &&
            !snw__span_is_empty(field))
            snw__csv_add_marker(layout, field, n);
    return layout->marker_count > 0;
}

snw_status snw__csv_take_labels(snw__csv_head *head)
{
    snw__csv_layout *layout = head->layout;
    int row = snw__csv_row_above(head, head->data_row);
    snw__span unit = {NULL, NULL};
    if (row >= 0 && is_unit_row(head, row, &unit) && snw__csv_row_above(head, row) >= 0) {
        snw__csv_take_unit(layout, unit);
        row = snw__csv_row_above(head, row);
    }
    snw_status status = SNW_OK;
    /* How many columns of a row are bare axes. */
    snw__span rest = head->row[row], label;
    int count = 0;
    while (snw__span_field(&rest, head->layout->separator, &label))
        count += snw__csv_bare_axis(label) >= 0;
    if (count >= 3)
        take_two_rows(head, snw__csv_row_above(head, row), row);
    else
        status = take_one_row(head, row);
    if (status != SNW_OK) return status;
    if (layout->marker_count == 0 && !take_spread_names(head, row) &&
        snw__csv_count_fields(head->row[row], layout->separator) > 2) {
        head->text->line = head->before[row].line + 1;
        return snw__text_fail(head->text, SNW_FORMAT,
                              "no three columns belong to one marker (name_X, name_Y, name_Z or "
                              "X, Y, Z under a name)");
    }
    return SNW_OK;
}
