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

#include "base/memory.h"
#include "base/notes.h"
#include "io/csv_head.h"

/* ---- head and room ------------------------------------------------------------------------ */

static void collect_rows(snw__csv_head *head)
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

static void lay_out(void *object, snw__block *block)
{
    snw__csv_layout *layout = (snw__csv_layout *)object;
    size_t columns = (size_t)layout->column_count;
    layout->target = (int *)snw__block_take(block, columns, sizeof *layout->target);
    layout->name = (snw__span *)snw__block_take(block, columns, sizeof *layout->name);
    layout->rotation_marker =
        (int *)snw__block_take(block, columns, sizeof *layout->rotation_marker);
}

static snw_status make_room(snw__csv_head *head)
{
    snw__csv_layout *layout = head->layout;
    for (int n = 0; n <= head->data_row && n < head->row_count; n++) {
        int count = snw__csv_count_fields(head->row[n], layout->separator);
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

/* ---- numbers only ------------------------------------------------------------------------- */

/* Whether column 0 counts whole frames in the first two rows. */
static bool first_column_counts(const snw__csv_head *head)
{
    snw__span a, b;
    int64_t first, second;
    int next = head->data_row + 1;
    if (next >= head->row_count || !snw__csv_field_at(head, head->data_row, 0, &a) ||
        !snw__csv_field_at(head, next, 0, &b))
        return false;
    return snw__span_int(a, &first) && snw__span_int(b, &second) && second - first == 1;
}

/* ---- all together ------------------------------------------------------------------------- */

static void note_ignored(snw__csv_head *head)
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
    int row = snw__csv_row_above(head, head->data_row);
    if (row >= 0) snw__csv_field_at(head, row, first, &label);
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

static snw_status recognise_style(snw__csv_head *head)
{
    snw__span first;
    int names = snw__csv_find_row(head, "MARKER_NAMES");
    if (head->row_count > 0 && snw__csv_field_at(head, 0, 0, &first) &&
        snw__span_is(first, "Format Version"))
        return snw__csv_take_motive(head);
    if (names >= 0) {
        snw__csv_take_qualisys(head, names);
        return SNW_OK;
    }
    if (snw__csv_row_above(head, head->data_row) < 0) {
        if (head->data_row < head->row_count) {
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
                snw__csv_add_marker(layout, none, column);
            snw__note(head->text->reading->notes, SNW_NOTE_FORM_UNUSUAL,
                      snw__at_line(head->before[head->data_row].line + 1),
                      "there is no header; the %d columns are taken as %sX Y Z of %d %s",
                      layout->column_count, before, layout->marker_count,
                      snw__plural(layout->marker_count, "marker", "markers"));
        }
        return SNW_OK;
    }
    return snw__csv_take_labels(head);
}

snw_status snw__csv_recognise(snw__csv_layout *layout, snw__text_input *text)
{
    snw__csv_head head;
    memset(&head, 0, sizeof head);
    memset(layout, 0, sizeof *layout);
    head.text = text;
    head.layout = layout;
    layout->seconds_per_unit = 1;
    bool is_vicon = snw__csv_find_trajectories(text);
    collect_rows(&head);
    /* The first row of numbers that another one or the end follows. A rate alone in its row and
     * marker names that are numbers are followed by words. */
    int from = is_vicon ? 2 : 0;
    for (int n = 0; n < head.row_count; n++)
        head.is_data[n] =
            n >= from && head.is_filled[n] && snw__csv_is_data_row(head.row[n], head.layout, 1);
    for (head.data_row = from; head.data_row < head.row_count; head.data_row++) {
        if (!head.is_data[head.data_row]) continue;
        int next = head.data_row + 1;
        while (next < head.row_count && !head.is_filled[next])
            next++;
        if (next >= head.row_count || head.is_data[next] || next > head.data_row + 1) break;
    }
    head.layout->data =
        head.data_row < head.row_count ? head.before[head.data_row] : snw__text_here(head.text);
    snw_status status = make_room(&head);
    if (status != SNW_OK) return status;
    if (is_vicon) snw__csv_take_vicon(&head);
    status = recognise_style(&head);
    if (status == SNW_OK) note_ignored(&head);
    return status;
}

void snw__csv_release(snw__csv_layout *layout, const snw__text_input *text)
{
    snw__block_release(&text->reading->allocator, &layout->block);
}
