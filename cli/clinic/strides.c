#include "clinic/strides.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"
#include "walk.h"

const char clinic_head[] = "person,file,side,stride,variable,percent,value\n";

/* ---- names ----------------------------------------------------------------------------------- */

/* Index of a name, which is added where it is new; -1 without memory. The last ones first: rows of
 * one stride follow each other. */
static int name_index(clinic_names *names, const char *name)
{
    for (int n = names->count - 1; n >= 0; n--)
        if (strcmp(names->name[n], name) == 0) return n;
    char **more = realloc(names->name, ((size_t)names->count + 1) * sizeof *more);
    if (!more) return -1;
    names->name = more;
    names->name[names->count] = strdup(name);
    return names->name[names->count] ? names->count++ : -1;
}

static int find_name(const clinic_names *names, const char *name)
{
    for (int n = 0; n < names->count; n++)
        if (strcmp(names->name[n], name) == 0) return n;
    return -1;
}

static void release_names(clinic_names *names)
{
    for (int n = 0; n < names->count; n++)
        free(names->name[n]);
    free(names->name);
}

/* ---- series ---------------------------------------------------------------------------------- */

/* A new one behind the others; NULL without memory. */
static clinic_series *new_series(clinic_strides *strides, const clinic_key *key)
{
    if (strides->count == strides->capacity) {
        int capacity = strides->capacity ? 2 * strides->capacity : 64;
        clinic_series *more = realloc(strides->series, (size_t)capacity * sizeof *more);
        if (!more) return NULL;
        strides->series = more;
        strides->capacity = capacity;
    }
    clinic_series *series = strides->series + strides->count;
    memset(series, 0, sizeof *series);
    series->person = name_index(&strides->person, key->person);
    series->file = name_index(&strides->file, key->file);
    series->variable = name_index(&strides->variable, key->variable);
    series->side = key->side;
    series->stride = key->stride;
    if (series->person < 0 || series->file < 0 || series->variable < 0) return NULL;
    strides->count++;
    return series;
}

bool clinic_strides_add(clinic_strides *strides, const clinic_key *key, const double *value,
                        int count)
{
    clinic_series *series = new_series(strides, key);
    if (!series) return false;
    series->count = count;
    memcpy(series->value, value, (size_t)count * sizeof *value);
    return true;
}

void clinic_strides_release(clinic_strides *strides)
{
    release_names(&strides->person);
    release_names(&strides->file);
    release_names(&strides->variable);
    free(strides->series);
    memset(strides, 0, sizeof *strides);
}

/* ---- writing --------------------------------------------------------------------------------- */

void clinic_strides_put(const clinic_strides *strides, FILE *out)
{
    fputs(clinic_head, out);
    for (int n = 0; n < strides->count; n++) {
        const clinic_series *series = strides->series + n;
        for (int p = 0; p < series->count; p++) {
            if (!isfinite(series->value[p])) continue;
            cli_put_csv_field(strides->person.name[series->person], out);
            fputc(',', out);
            cli_put_csv_field(strides->file.name[series->file], out);
            fprintf(out, ",%s,%d,", cli_side_name[series->side], series->stride);
            cli_put_csv_field(strides->variable.name[series->variable], out);
            if (series->count > 1)
                fprintf(out, ",%d,%.6g\n", p, series->value[p]);
            else
                fprintf(out, ",,%.6g\n", series->value[p]);
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

enum {
    ROW_PERSON,
    ROW_FILE,
    ROW_SIDE,
    ROW_STRIDE,
    ROW_VARIABLE,
    ROW_PERCENT,
    ROW_VALUE,
    ROW_CELLS
};

/* Cuts a line at its commas, in place; quotes as in RFC 4180. Returns how many cells. */
static int cut_row(char *line, char *cell[ROW_CELLS])
{
    int count = 0;
    char *at = line;
    while (count < ROW_CELLS) {
        char *to = at;
        cell[count++] = at;
        bool is_quoted = *at == '"';
        if (is_quoted) at++;
        while (*at && (is_quoted || *at != ',')) {
            if (is_quoted && *at == '"' && *++at != '"') {
                is_quoted = false;
                continue;
            }
            *to++ = *at++;
        }
        bool is_last = !*at;
        *to = 0;
        if (is_last) break;
        at++;
    }
    return count;
}

static bool read_number(const char *text, double *out)
{
    const char *end = text + strlen(text);
    return snw_parse_double(text, end, out) == end && end > text;
}

/* One row; false where it is none. *has_memory: else. */
static bool take_row(clinic_strides *strides, char *line, bool *has_memory)
{
    char *cell[ROW_CELLS];
    double stride, percent = 0, value;
    if (cut_row(line, cell) != ROW_CELLS || !read_number(cell[ROW_STRIDE], &stride) ||
        !read_number(cell[ROW_VALUE], &value))
        return false;
    bool is_curve = cell[ROW_PERCENT][0] != 0, is_right = strcmp(cell[ROW_SIDE], "right") == 0;
    if (!is_right && strcmp(cell[ROW_SIDE], "left") != 0) return false;
    if (is_curve && (!read_number(cell[ROW_PERCENT], &percent) || !(percent >= 0) ||
                     !(percent < SNW_CYCLE_POINTS) || percent != floor(percent)))
        return false;
    if (!(stride >= 1) || !(stride < 1e6)) return false;
    clinic_series *last = strides->count ? strides->series + strides->count - 1 : NULL;
    bool is_same = last && is_curve && last->count > 1 && last->side == (int)is_right &&
                   last->stride == (int)stride &&
                   strcmp(strides->variable.name[last->variable], cell[ROW_VARIABLE]) == 0 &&
                   strcmp(strides->file.name[last->file], cell[ROW_FILE]) == 0 &&
                   strcmp(strides->person.name[last->person], cell[ROW_PERSON]) == 0;
    if (!is_same) {
        clinic_key key = {cell[ROW_PERSON], cell[ROW_FILE], cell[ROW_VARIABLE], is_right,
                          (int)stride};
        last = new_series(strides, &key);
        *has_memory = last != NULL;
        if (!last) return false;
        last->count = is_curve ? SNW_CYCLE_POINTS : 1;
        for (int p = 0; p < last->count; p++)
            last->value[p] = NAN;
    }
    last->value[is_curve ? (int)percent : 0] = value;
    return true;
}

int clinic_strides_read(const cli_arguments *arguments, const char *path, clinic_strides *strides)
{
    size_t size;
    char *text = cli_read_whole(path, &size), *line = text;
    bool has_memory = true;
    memset(strides, 0, sizeof *strides);
    if (!text) return cli_fail(arguments, "%s could not be opened: %s", path, strerror(errno));
    if (strncmp(text, clinic_head, strlen(clinic_head)) != 0) {
        free(text);
        return cli_fail(arguments, "%s is no table of strides: its first line is not %.*s", path,
                        (int)strlen(clinic_head) - 1, clinic_head);
    }
    int code = CLI_DONE;
    for (int number = 1; code == CLI_DONE && *line; number++) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        *end = 0;
        line[strcspn(line, "\r")] = 0;
        if (number > 1 && *line && !take_row(strides, line, &has_memory))
            code = has_memory
                       ? cli_fail(arguments, "%s, line %d is no row of strides", path, number)
                       : cli_fail(arguments, "no memory for %s", path);
        line = next;
    }
    free(text);
    return code;
}

/* ---- means ----------------------------------------------------------------------------------- */

static bool is_whole(const clinic_series *series)
{
    for (int p = 0; p < series->count; p++)
        if (!isfinite(series->value[p])) return false;
    return true;
}

static void finish_mean(double square[SNW_CYCLE_POINTS], snw_cycle *out)
{
    for (int p = 0; p < SNW_CYCLE_POINTS && out->count; p++) {
        out->mean[p] /= out->count;
        double spread = square[p] / out->count - out->mean[p] * out->mean[p];
        if (out->count > 1)
            out->deviation[p] = sqrt(fmax(0, spread * out->count / (out->count - 1)));
    }
}

static void person_mean(const clinic_strides *strides, int person, int variable, int side,
                        snw_cycle *out)
{
    double square[SNW_CYCLE_POINTS] = {0};
    memset(out, 0, sizeof *out);
    for (int n = 0; n < strides->count && variable >= 0; n++) {
        const clinic_series *series = strides->series + n;
        if (series->variable != variable || (side >= 0 && series->side != side) ||
            (person >= 0 && series->person != person) || !is_whole(series))
            continue;
        for (int p = 0; p < series->count; p++) {
            out->mean[p] += series->value[p];
            square[p] += series->value[p] * series->value[p];
        }
        out->count++;
    }
    finish_mean(square, out);
}

void clinic_strides_mean(const clinic_strides *strides, const char *variable, int side,
                         snw_cycle *out)
{
    person_mean(strides, -1, find_name(&strides->variable, variable), side, out);
}

void clinic_people_mean(const clinic_strides *strides, const char *variable, snw_cycle *out)
{
    int at = find_name(&strides->variable, variable);
    double square[SNW_CYCLE_POINTS] = {0};
    snw_cycle one;
    person_mean(strides, -1, at, -1, out);
    if (strides->person.count < 2) return;
    memset(out, 0, sizeof *out);
    for (int person = 0; person < strides->person.count; person++) {
        person_mean(strides, person, at, -1, &one);
        if (!one.count) continue;
        for (int p = 0; p < SNW_CYCLE_POINTS; p++) {
            out->mean[p] += one.mean[p];
            square[p] += one.mean[p] * one.mean[p];
        }
        out->count++;
    }
    finish_mean(square, out);
}
