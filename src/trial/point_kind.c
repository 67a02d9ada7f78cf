/* Points of a trial that were computed, not seen, listed as Vicon's programs do it:
 *
 *     POINT:ANGLES           the names of the points
 *     POINT:ANGLE_UNITS      their unit
 *     POINT:TYPE_GROUPS      pairs of such a list and the word for one of its points: ANGLES, ANGLE
 */
#include "trial/trial_memory.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"

/* ---- kinds and their lists ------------------------------------------------------------------ */

static const struct {
    const char *word, *list;
} point_kinds[SNW_POINT_KIND_COUNT] = {
#define POINT_KIND_ROW(kind, word, list) {word, list},
    SNW_POINT_KIND_MAP(POINT_KIND_ROW)
#undef POINT_KIND_ROW
};

const char *snw_point_kind_name(snw_point_kind kind)
{
    return (unsigned)kind < SNW_POINT_KIND_COUNT ? point_kinds[kind].word : "unknown";
}

int snw_trial_count_kind(const snw_trial *trial, snw_point_kind kind)
{
    int count = 0;
    for (int m = 0; m < trial->marker_count; m++)
        count += trial->marker[m].kind == kind;
    return count;
}

/* The blank-padded rows of a parameter of POINT. */
typedef struct point_rows {
    const char *text;
    size_t width, count;
} point_rows;

static point_rows rows_of(const snw_trial *trial, const char *list)
{
    const snw_parameter *found = snw_trial_find_parameter(trial, "POINT", list);
    point_rows rows = {NULL, 0, 0};
    if (!found || found->type != SNW_PARAMETER_CHAR || found->dimension_count < 1) return rows;
    rows.text = (const char *)found->data;
    rows.width = found->dimension[0];
    rows.count = rows.width ? found->byte_count / rows.width : 0;
    return rows;
}

/* Length of a row without the blanks behind. */
static size_t row_length(const point_rows *rows, size_t row)
{
    const char *text = rows->text + row * rows->width;
    size_t used = rows->width;
    while (used > 0 && (text[used - 1] == ' ' || text[used - 1] == 0))
        used--;
    return used;
}

/* Points that a list names get its kind. */
static void take_list(const snw_trial *trial, const char *list, snw_point_kind kind,
                      const snw__name_set *names, snw_point_kind *out)
{
    point_rows rows = rows_of(trial, list);
    for (size_t row = 0; row < rows.count; row++) {
        size_t length = row_length(&rows, row);
        int marker = length ? snw__name_set_find(names, rows.text + row * rows.width, length) : -1;
        if (marker >= 0) out[marker] = kind;
    }
}

snw_status snw__trial_listed_kinds(const snw_trial *trial, snw_point_kind *out, snw_error *error)
{
    snw__name_set names;
    snw_status status = snw__name_set_create(&names, trial->marker_count, &trial->allocator, error);
    for (int m = 0; m < trial->marker_count; m++)
        out[m] = SNW_POINT_MARKER;
    for (int m = 0; m < trial->marker_count && status == SNW_OK; m++)
        snw__name_set_add(&names, trial->marker[m].name, strlen(trial->marker[m].name), m);
    if (status == SNW_OK) {
        /* Lists that POINT:TYPE_GROUPS names and that are none of ours: what they hold is not
         * known. */
        point_rows rows = rows_of(trial, "TYPE_GROUPS");
        for (size_t row = 0; row < rows.count; row += 2) {
            char list[64];
            size_t length = row_length(&rows, row);
            if (length == 0 || length >= sizeof list) continue;
            memcpy(list, rows.text + row * rows.width, length);
            list[length] = 0;
            /* A file may say that all its labels are a list. */
            if (!snw__trial_same_word(list, "LABELS"))
                take_list(trial, list, SNW_POINT_OTHER, &names, out);
        }
    }
    for (int kind = 0; kind < SNW_POINT_KIND_COUNT && status == SNW_OK; kind++)
        if (point_kinds[kind].list)
            take_list(trial, point_kinds[kind].list, (snw_point_kind)kind, &names, out);
    for (int m = 0; m < trial->marker_count && status == SNW_OK; m++) {
        const char *name = trial->marker[m].name;
        int first = snw__name_set_find(&names, name, strlen(name));
        if (first >= 0) out[m] = out[first]; /* all points of one name */
    }
    snw__name_set_release(&names);
    return status;
}

/* ---- writing the lists ---------------------------------------------------------------------- */

/* Rows of text as C3D keeps them: all of one width, blanks behind. A dimension has at most 255. */
enum {
    COMPUTED_ROWS_MAX = 255,
    COMPUTED_WIDTH = 64,
};

typedef struct computed_list {
    char text[COMPUTED_ROWS_MAX * COMPUTED_WIDTH];
    int width;
    int count;
} computed_list;

static void add_row(computed_list *list, const char *text, size_t length)
{
    if (list->count == COMPUTED_ROWS_MAX) return;
    char *row = list->text + list->width * list->count++;
    memset(row, ' ', (size_t)list->width);
    memcpy(row, text, length < (size_t)list->width ? length : (size_t)list->width);
}

/* Begins with what the parameter lists already. */
static void begin_list(computed_list *list, const snw_trial *trial, const char *name, int width)
{
    point_rows old = rows_of(trial, name);
    list->width = width;
    list->count = 0;
    for (size_t row = 0; row < old.count; row++)
        add_row(list, old.text + row * old.width, old.width);
}

static snw_status put_list(snw_trial *trial, const char *name, computed_list *list, int row_length,
                           snw_error *error)
{
    snw_parameter parameter;
    char label[COMPUTED_WIDTH];
    memset(&parameter, 0, sizeof parameter);
    snw_format(label, sizeof label, "%s", name);
    parameter.name = label;
    parameter.type = SNW_PARAMETER_CHAR;
    parameter.dimension[parameter.dimension_count++] = (uint8_t)list->width;
    if (row_length > 1) parameter.dimension[parameter.dimension_count++] = (uint8_t)row_length;
    parameter.dimension[parameter.dimension_count++] = (uint8_t)(list->count / row_length);
    parameter.byte_count = (size_t)list->width * (size_t)list->count;
    parameter.data = list->text;
    return snw_trial_set_parameter(trial, "POINT", &parameter, error);
}

static snw_status put_all(snw_trial *trial, const snw_marker *marker,
                          const snw_computed_points *points, computed_list *list, snw_error *error)
{
    const char *name = point_kinds[points->kind].list;
    char one[COMPUTED_WIDTH], unit_name[COMPUTED_WIDTH];
    snw_format(one, sizeof one, "%.*s", (int)strlen(name) - 1, name);
    snw_format(unit_name, sizeof unit_name, "%.40s_UNITS", one);
    begin_list(list, trial, name, COMPUTED_WIDTH);
    for (int m = points->first; m < points->first + points->count; m++)
        add_row(list, marker[m].name, strlen(marker[m].name));
    snw_status status = put_list(trial, name, list, 1, error);
    list->width = (int)strlen(points->unit);
    list->count = 0;
    add_row(list, points->unit, strlen(points->unit));
    if (status == SNW_OK && list->width > 0) status = put_list(trial, unit_name, list, 1, error);
    if (status != SNW_OK) return status;
    begin_list(list, trial, "TYPE_GROUPS", sizeof "MODELED_MARKERS" - 1);
    list->count -= list->count % 2;
    size_t length = strlen(name);
    for (int n = 0; n < list->count; n += 2) {
        const char *row = list->text + n * list->width;
        bool is_whole = (int)length == list->width || row[length] == ' ' || !row[length];
        if (memcmp(row, name, length) == 0 && is_whole) return SNW_OK;
    }
    if (list->count + 2 > COMPUTED_ROWS_MAX) return SNW_OK;
    add_row(list, name, length);
    add_row(list, one, strlen(one));
    return put_list(trial, "TYPE_GROUPS", list, 2, error);
}

snw_status snw__trial_list_points(snw_trial *trial, const snw_marker *marker,
                                  const snw_computed_points *points, snw_error *error)
{
    computed_list *list = snw__allocate(&trial->allocator, sizeof *list);
    if (!list) return snw__fail_memory(error, sizeof *list, "a list of points");
    snw_status status = put_all(trial, marker, points, list, error);
    snw__release(&trial->allocator, list, sizeof *list);
    return status;
}

bool snw__point_has_list(snw_point_kind kind)
{
    return (unsigned)kind < SNW_POINT_KIND_COUNT && point_kinds[kind].list;
}

snw_status snw_trial_mark_computed(snw_trial *trial, const snw_computed_points *points,
                                   snw_error *error)
{
    if (!snw__point_has_list(points->kind))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no list of points of the kind %s",
                         snw_point_kind_name(points->kind));
    if (points->first < 0 || points->count < 0 ||
        points->count > trial->marker_count - points->first)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the trial has no %d markers from %d on",
                         points->count, points->first);
    snw_status status = snw__trial_list_points(trial, trial->marker, points, error);
    if (status != SNW_OK) return status;
    for (int m = points->first; m < points->first + points->count; m++)
        trial->marker[m].kind = points->kind;
    return snw__succeed(error);
}
