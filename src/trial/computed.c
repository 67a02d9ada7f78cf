/* Points of a trial that were computed, not seen, listed as Vicon's programs do it:
 *
 *     POINT:ANGLES           the names of the points
 *     POINT:ANGLE_UNITS      their unit
 *     POINT:TYPE_GROUPS      pairs of such a list and the word for one of its points: ANGLES, ANGLE
 */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include <sinew/trial.h>

/* Rows of text as C3D keeps them: all of one width, blanks behind. A dimension has at most 255. */
#define COMPUTED_ROWS_MAX 255
#define COMPUTED_WIDTH    64

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
    const snw_parameter *old = snw_trial_find_parameter(trial, "POINT", name);
    list->width = width;
    list->count = 0;
    if (!old || old->type != SNW_PARAMETER_CHAR || old->dimension_count < 1) return;
    size_t old_width = old->dimension[0];
    for (size_t at = 0; old_width > 0 && at + old_width <= old->byte_count; at += old_width)
        add_row(list, (const char *)old->data + at, old_width);
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

static snw_status put_type(snw_trial *trial, const char *name, const char *one, computed_list *list,
                           snw_error *error)
{
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

static snw_status put_all(snw_trial *trial, const snw_computed_points *points, computed_list *list,
                          snw_error *error)
{
    char one[COMPUTED_WIDTH], unit_name[COMPUTED_WIDTH];
    snw_format(one, sizeof one, "%.*s", (int)strlen(points->list) - 1, points->list);
    snw_format(unit_name, sizeof unit_name, "%.40s_UNITS", one);
    begin_list(list, trial, points->list, COMPUTED_WIDTH);
    for (int m = points->first; m < points->first + points->count; m++)
        add_row(list, trial->marker[m].name, strlen(trial->marker[m].name));
    snw_status status = put_list(trial, points->list, list, 1, error);
    list->width = (int)strlen(points->unit);
    list->count = 0;
    add_row(list, points->unit, strlen(points->unit));
    if (status == SNW_OK && list->width > 0) status = put_list(trial, unit_name, list, 1, error);
    return status == SNW_OK ? put_type(trial, points->list, one, list, error) : status;
}

snw_status snw_trial_mark_computed(snw_trial *trial, const snw_computed_points *points,
                                   snw_error *error)
{
    static const char *const lists[] = {"ANGLES", "FORCES",  "MOMENTS",
                                        "POWERS", "SCALARS", "MODELED_MARKERS"};
    size_t kind = 0;
    while (kind < sizeof lists / sizeof *lists && strcmp(lists[kind], points->list) != 0)
        kind++;
    if (kind == sizeof lists / sizeof *lists)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no list of points called %s",
                         points->list);
    if (points->first < 0 || points->count < 0 ||
        points->count > trial->marker_count - points->first)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the trial has no %d markers from %d on",
                         points->count, points->first);
    computed_list *list = snw__allocate(&trial->allocator, sizeof *list);
    if (!list) return snw__fail_memory(error, sizeof *list, "a list of points");
    snw_status status = put_all(trial, points, list, error);
    snw__release(&trial->allocator, list, sizeof *list);
    return status == SNW_OK ? snw__succeed(error) : status;
}
