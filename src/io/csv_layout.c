/* Which column of a table is what. Styles, by their first rows:
 *
 *   Vicon Nexus     Trajectories / 100 / ,,Bob:LASI,,,Bob:RASI,, / Frame,Sub Frame,X,Y,Z,X,Y,Z /
 *                   ,,mm,mm,mm... / 1,0,12.5,...            other sections stand before and after
 *   Motive          Format Version,1.23,...,Export Frame Rate,120,...,Length Units,Meters /
 *                   ,Type,Marker,... / ,Name,LASI,... / ,ID,... / ,,Position,... /
 *                   Frame,Time (Seconds),X,Y,Z,...
 *   Qualisys TSV    NO_OF_FRAMES 340 / FREQUENCY 200 / MARKER_NAMES LASI RASI ... / numbers
 *   one label row   Time,LASI[0],LASI[1],LASI[2]   or LASI_X, LASI.x, "LASI X", with or without
 *                   "(mm)"; a row of units may follow
 *   two label rows  names over every third column, then X,Y,Z
 *                   NAME_qw, NAME_qx, NAME_qy, NAME_qz beside a marker: how it is turned (trackers)
 *   none            numbers only: frame and time columns if the count asks for them, then three
 *                   each
 */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/csv.h"
#include "io/marker_table.h"

typedef struct csv_head {
    snw__text_input *text;
    snw__csv_layout *layout;
    int row_count;
    snw__span row[SNW__CSV_HEAD_ROWS];
    snw__text_mark before[SNW__CSV_HEAD_ROWS];
    bool is_filled[SNW__CSV_HEAD_ROWS];
    bool is_data[SNW__CSV_HEAD_ROWS];
    int data_row; /* index of the first row of numbers; row_count if there is none */
} csv_head;

/* ---- fields ------------------------------------------------------------------------------- */

static bool field_at(const csv_head *head, int row, int column, snw__span *field)
{
    snw__span rest = head->row[row];
    for (int n = 0; snw__span_field(&rest, head->layout->separator, field); n++)
        if (n == column) return true;
    field->at = field->end = NULL;
    return false;
}

static int count_fields(snw__span row, char separator)
{
    snw__span field;
    int count = 0;
    while (snw__span_field(&row, separator, &field))
        count++;
    return count;
}

/* ---- head and room ------------------------------------------------------------------------ */

/* Vicon files may start with other sections, thousands of rows long. */
static bool find_trajectories(snw__text_input *text)
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

static void collect_rows(csv_head *head)
{
    snw__csv_layout *layout = head->layout;
    snw__span probe = {NULL, NULL};
    while (head->row_count < SNW__CSV_HEAD_ROWS) {
        head->before[head->row_count] = snw__text_here(head->text);
        snw__span *row = head->row + head->row_count;
        if (!snw__text_line(head->text, row)) break;
        head->is_filled[head->row_count++] = !snw__span_is_empty(snw__span_trim(*row));
        /* The last row with a separator: most likely one of numbers. */
        if (!probe.at || snw__csv_separator(*row) != ' ') probe = *row;
    }
    layout->separator = probe.at ? snw__csv_separator(probe) : ',';
    layout->decimal = '.';
    if (layout->separator != ',' && probe.at && snw__span_find(probe, ',') < probe.end &&
        snw__span_find(probe, '.') == probe.end)
        layout->decimal = ',';
}

/* The first row of numbers that another one or the end follows. A rate alone in its row and marker
 * names that are numbers are followed by words. */
static void find_data(csv_head *head, int from)
{
    for (int n = 0; n < head->row_count; n++)
        head->is_data[n] =
            n >= from && head->is_filled[n] && snw__csv_is_data_row(head->row[n], head->layout, 1);
    for (head->data_row = from; head->data_row < head->row_count; head->data_row++) {
        if (!head->is_data[head->data_row]) continue;
        int next = head->data_row + 1;
        while (next < head->row_count && !head->is_filled[next])
            next++;
        if (next >= head->row_count || head->is_data[next] || next > head->data_row + 1) break;
    }
    head->layout->data = head->data_row < head->row_count ? head->before[head->data_row]
                                                          : snw__text_here(head->text);
}

/* The filled row above `row`, or -1. */
static int row_above(const csv_head *head, int row)
{
    for (row--; row >= 0; row--)
        if (head->is_filled[row]) return row;
    return -1;
}

static void lay_out(void *object, snw__block *block)
{
    snw__csv_layout *layout = (snw__csv_layout *)object;
    size_t columns = (size_t)layout->column_count;
    layout->target = (int *)snw__block_take(block, columns, sizeof *layout->target);
    layout->name = (snw__span *)snw__block_take(block, columns, sizeof *layout->name);
    layout->rotation_marker =
        (int *)snw__block_take(block, columns, sizeof *layout->rotation_marker);
}

static snw_status make_room(csv_head *head)
{
    snw__csv_layout *layout = head->layout;
    for (int n = 0; n <= head->data_row && n < head->row_count; n++) {
        int count = count_fields(head->row[n], layout->separator);
        if (count > layout->column_count) layout->column_count = count;
    }
    snw__reading *reading = head->text->reading;
    snw_status status = snw__block_create(&layout->block, lay_out, layout, &reading->allocator,
                                          "the columns", reading->error);
    if (status != SNW_OK) return status;
    for (int n = 0; n < layout->column_count; n++)
        layout->target[n] = SNW__CSV_IGNORED;
    return SNW_OK;
}

static void add_marker(snw__csv_layout *layout, snw__span name, int column)
{
    int marker = layout->marker_count++;
    layout->name[marker] = name;
    for (int k = 0; k < 3; k++)
        layout->target[column + k] = marker * 3 + k;
}

/* Frame and time columns by their labels in `row`. */
static void mark_counters(csv_head *head, int row)
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

/* ---- units and rates ---------------------------------------------------------------------- */

static void take_unit(snw__csv_layout *layout, snw__span unit)
{
    double metres = unit.at ? snw__unit_metres_span(unit) : 0;
    if (metres > 0 && !(layout->metres_per_unit > 0)) layout->metres_per_unit = metres;
}

/* Leaves what stands before a slash; false when there is none. */
static bool cut_at_slash(snw__span *field)
{
    const char *slash = memchr(field->at, '/', snw__span_length(*field));
    if (!slash) return false;
    field->end = slash;
    return true;
}

/* A row of which every filled field is a unit or bracketed unit, and at least one a length. */
static bool is_unit_row(const csv_head *head, int row, snw__span *length_unit)
{
    static const char *const others[] = {"s", "sec", "ms", "hz", "deg", "rad", "n", "v", "-", "fr"};
    snw__span rest = head->row[row], field, inside;
    bool has_length = false;
    while (snw__span_field(&rest, head->layout->separator, &field)) {
        snw__span bracketed = field;
        if (snw__csv_strip_unit(&bracketed, &inside) && snw__span_is_empty(bracketed))
            field = inside;
        if (snw__span_is_empty(field)) continue;
        bool is_derived = cut_at_slash(&field); /* "mm/s", "mm/s^2", "deg/s" */
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

/* The field after the one that says `key`, in the first row. */
static bool value_after(const csv_head *head, int row, const char *key, snw__span *value)
{
    snw__span rest = head->row[row], field;
    while (snw__span_field(&rest, head->layout->separator, &field))
        if (snw__span_is(field, key)) return snw__span_field(&rest, head->layout->separator, value);
    return false;
}

static void take_rate(snw__csv_layout *layout, snw__span value)
{
    double rate = 0;
    if (snw__span_double(value, &rate) && rate > 0) layout->rate = rate;
}

/* ---- label rows --------------------------------------------------------------------------- */

/* How many columns of a row are bare axes. */
static int count_bare_axes(const csv_head *head, int row)
{
    snw__span rest = head->row[row], label;
    int count = 0;
    while (snw__span_field(&rest, head->layout->separator, &label))
        count += snw__csv_bare_axis(label) >= 0;
    return count;
}

/* Names over axes: a name holds until the next one. */
static void take_two_rows(csv_head *head, int name_row, int axis_row)
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
            add_marker(layout, name, n - 2);
            name.at = name.end = NULL;
            run = 0;
        }
    }
    mark_counters(head, axis_row);
}

typedef struct csv_label {
    snw__span base, unit;
    int axis;
} csv_label;

/* Marker of that name, or -1. */
static int find_marker(const snw__csv_layout *layout, snw__span name)
{
    for (int m = 0; m < layout->marker_count; m++)
        if (layout->name[m].at && snw__span_same(layout->name[m], name)) return m;
    return -1;
}

/* NAME_qw, NAME_qx, NAME_qy, NAME_qz one after the other: how the marker NAME is turned. Whether
 * there is such a marker is known in the second pass; the first keeps x, y, z from being taken for
 * those of a marker NAME_q. */
static void take_turns(csv_head *head, int row, bool is_second)
{
    snw__csv_layout *layout = head->layout;
    snw__span rest = head->row[row], field, base, last = {NULL, NULL};
    int run = 0;
    for (int n = 0; snw__span_field(&rest, layout->separator, &field); n++) {
        int part = snw__csv_split_turn(field, &base);
        if (part != run || (run > 0 && !snw__span_same(base, last))) run = 0;
        if (part != run) continue;
        last = base;
        if (++run < 4) continue;
        run = 0;
        int marker = is_second ? find_marker(layout, base) : -1;
        if (is_second && marker >= 0) layout->rotation_marker[layout->rotation_count] = marker;
        for (int k = 0; k < 4; k++)
            layout->target[n - 3 + k] = is_second && marker < 0
                                            ? SNW__CSV_IGNORED
                                            : SNW__CSV_TURN - (layout->rotation_count * 4 + k);
        if (is_second && marker >= 0) layout->rotation_count++;
    }
}

static void take_one_row(csv_head *head, int row)
{
    take_turns(head, row, false);
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
        add_marker(layout, last[0].base, n - 2);
        take_unit(layout, last[0].unit);
        run = 0;
    }
    take_turns(head, row, true);
    mark_counters(head, row);
}

/* A name over every third column and blanks between, no axes. */
static bool take_spread_names(csv_head *head, int row)
{
    snw__csv_layout *layout = head->layout;
    snw__span rest = head->row[row], field;
    int first = -1, filled = 0;
    mark_counters(head, row);
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
            add_marker(layout, field, n);
    return layout->marker_count > 0;
}

static snw_status take_labels(csv_head *head)
{
    snw__csv_layout *layout = head->layout;
    int row = row_above(head, head->data_row);
    snw__span unit = {NULL, NULL};
    if (row >= 0 && is_unit_row(head, row, &unit) && row_above(head, row) >= 0) {
        take_unit(layout, unit);
        row = row_above(head, row);
    }
    if (count_bare_axes(head, row) >= 3)
        take_two_rows(head, row_above(head, row), row);
    else
        take_one_row(head, row);
    if (layout->marker_count == 0 && !take_spread_names(head, row) &&
        count_fields(head->row[row], layout->separator) > 2) {
        head->text->line = head->before[row].line + 1;
        return snw__text_fail(head->text, SNW_FORMAT,
                              "no three columns belong to one marker (name_X, name_Y, name_Z or "
                              "X, Y, Z under a name)");
    }
    return SNW_OK;
}

/* ---- styles ------------------------------------------------------------------------------- */

static void take_vicon(csv_head *head)
{
    snw__span rate = {NULL, NULL};
    head->layout->ends_at_blank = true;
    if (head->row_count > 1 && field_at(head, 1, 0, &rate)) take_rate(head->layout, rate);
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

static csv_motive find_motive_rows(const csv_head *head)
{
    csv_motive rows = {-1, -1, -1, -1};
    for (int n = 0; n < head->data_row && n < head->row_count; n++) {
        snw__span first, second;
        if (!field_at(head, n, 0, &first)) continue;
        if (snw__span_is(first, "Frame")) {
            rows.axis_row = n;
            rows.kind_row = row_above(head, n);
        }
        if (!field_at(head, n, 1, &second)) continue;
        if (snw__span_is(second, "Type")) rows.type_row = n;
        if (snw__span_is(second, "Name")) rows.name_row = n;
    }
    return rows;
}

/* Takes the position triples whose type has that rank; 0 takes none and returns the best rank. */
static int take_motive_columns(csv_head *head, csv_motive rows, int rank)
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
        if (rank && motive_rank(type) == rank) add_marker(layout, name, n - 2);
    }
    return best;
}

static snw_status take_motive(csv_head *head)
{
    snw__span value;
    csv_motive rows = find_motive_rows(head);
    if (rows.axis_row < 0)
        return snw__text_fail(head->text, SNW_FORMAT,
                              "the row that starts with \"Frame\" is missing");
    if (value_after(head, 0, "Length Units", &value)) take_unit(head->layout, value);
    if (value_after(head, 0, "Capture Frame Rate", &value)) take_rate(head->layout, value);
    if (value_after(head, 0, "Export Frame Rate", &value)) take_rate(head->layout, value);
    int best = take_motive_columns(head, rows, 0);
    if (best) take_motive_columns(head, rows, best);
    mark_counters(head, rows.axis_row);
    snw__note(head->text->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT,
              snw__at_line(head->before[rows.axis_row].line + 1), "%s",
              best == 3   ? "positions of labelled markers are read; rigid bodies, bones and their "
                            "markers are left out"
              : best == 2 ? "there are no labelled markers; the markers of rigid bodies or bones "
                            "are read"
                          : "there are no markers; positions of rigid bodies or bones are read");
    return SNW_OK;
}

static int find_row(const csv_head *head, const char *first_field)
{
    snw__span field;
    for (int n = 0; n < head->row_count && n < head->data_row; n++)
        if (field_at(head, n, 0, &field) && snw__span_is(field, first_field)) return n;
    return -1;
}

static void take_qualisys(csv_head *head, int name_row)
{
    snw__csv_layout *layout = head->layout;
    snw__span value, rest = head->row[name_row], name;
    int row = find_row(head, "FREQUENCY");
    if (row >= 0 && field_at(head, row, 1, &value)) take_rate(layout, value);
    layout->metres_per_unit = 0.001;
    layout->zero_is_absent = true;
    int names = count_fields(rest, layout->separator) - 1;
    int columns = head->data_row < head->row_count
                      ? count_fields(head->row[head->data_row], layout->separator)
                      : names * 3;
    if (names * 3 > columns) names = columns / 3;
    int label_row = row_above(head, head->data_row);
    if (label_row > name_row && label_row >= 0) mark_counters(head, label_row);
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
            add_marker(layout, name, column);
}

/* ---- numbers only ------------------------------------------------------------------------- */

/* Whether column 0 counts whole frames in the first two rows. */
static bool first_column_counts(const csv_head *head)
{
    snw__span a, b;
    int64_t first, second;
    int next = head->data_row + 1;
    if (next >= head->row_count || !field_at(head, head->data_row, 0, &a) ||
        !field_at(head, next, 0, &b))
        return false;
    return snw__span_int(a, &first) && snw__span_int(b, &second) && second - first == 1;
}

static void take_numbers(csv_head *head)
{
    snw__csv_layout *layout = head->layout;
    snw__span none = {NULL, NULL};
    int spare = layout->column_count % 3, column = 0;
    if (spare == 2) layout->target[column++] = SNW__CSV_FRAME;
    if (spare >= 1)
        layout->target[column++] =
            spare == 1 && first_column_counts(head) ? SNW__CSV_FRAME : SNW__CSV_TIME;
    const char *before = spare == 2                            ? "frame and time, then "
                         : spare == 0                          ? ""
                         : layout->target[0] == SNW__CSV_FRAME ? "the frame, then "
                                                               : "the time, then ";
    for (; column + 2 < layout->column_count; column += 3)
        add_marker(layout, none, column);
    snw__note(head->text->reading->notes, SNW_NOTE_FORM_UNUSUAL,
              snw__at_line(head->before[head->data_row].line + 1),
              "there is no header; the %d columns are taken as %sX Y Z of %d %s",
              layout->column_count, before, layout->marker_count,
              snw__plural(layout->marker_count, "marker", "markers"));
}

/* ---- all together ------------------------------------------------------------------------- */

static void note_ignored(csv_head *head)
{
    int ignored = 0, first = -1;
    /* Vicon: Frame and Sub Frame come first. */
    for (int n = head->layout->ends_at_blank ? 2 : 0; n < head->layout->column_count; n++)
        if (head->layout->target[n] == SNW__CSV_IGNORED) {
            if (first < 0) first = n;
            ignored++;
        }
    if (!ignored) return;
    snw__span label = {"", ""};
    int row = row_above(head, head->data_row);
    if (row >= 0) field_at(head, row, first, &label);
    /* The fourth coordinate of "name[3]" is always 1 and a trailing separator holds nothing. */
    snw__span base, unit;
    if (label.at && snw__csv_split_label(label, &base, &unit) == 3) return;
    if (ignored == 1 && snw__span_is_empty(label)) return;
    const char *text = label.at ? label.at : "";
    if (ignored == 1)
        snw__note(head->text->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "column %d \"%.*s\" is no marker coordinate and is left out", first + 1,
                  snw__span_shown(label), text);
    else
        snw__note(head->text->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "%d columns are no marker coordinates and are left out (first: column %d "
                  "\"%.*s\")",
                  ignored, first + 1, snw__span_shown(label), text);
}

static snw_status recognise_style(csv_head *head)
{
    snw__span first;
    int names = find_row(head, "MARKER_NAMES");
    if (head->row_count > 0 && field_at(head, 0, 0, &first) &&
        snw__span_is(first, "Format Version"))
        return take_motive(head);
    if (names >= 0) {
        take_qualisys(head, names);
        return SNW_OK;
    }
    if (row_above(head, head->data_row) < 0) {
        if (head->data_row < head->row_count) take_numbers(head);
        return SNW_OK;
    }
    return take_labels(head);
}

snw_status snw__csv_recognise(snw__csv_layout *layout, snw__text_input *text)
{
    csv_head head;
    memset(&head, 0, sizeof head);
    memset(layout, 0, sizeof *layout);
    head.text = text;
    head.layout = layout;
    layout->seconds_per_unit = 1;
    bool is_vicon = find_trajectories(text);
    collect_rows(&head);
    find_data(&head, is_vicon ? 2 : 0);
    snw_status status = make_room(&head);
    if (status != SNW_OK) return status;
    if (is_vicon) take_vicon(&head);
    status = recognise_style(&head);
    if (status == SNW_OK) note_ignored(&head);
    return status;
}

void snw__csv_release(snw__csv_layout *layout, const snw__text_input *text)
{
    snw__block_release(&text->reading->allocator, &layout->block);
}
