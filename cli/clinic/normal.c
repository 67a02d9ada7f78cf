#include "clinic/normal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

static const char normal_head[] = "variable,percent,mean,sd\n";

/* ---- reading --------------------------------------------------------------------------------- */

static clinic_band *band_of(clinic_normal *normal, const char *variable)
{
    for (int n = normal->count - 1; n >= 0; n--)
        if (strcmp(normal->band[n].variable, variable) == 0) return normal->band + n;
    if (normal->count == CLINIC_BANDS_MAX) return NULL;
    clinic_band *band = normal->band + normal->count++;
    memset(band, 0, sizeof *band);
    snw_format(band->variable, sizeof band->variable, "%s", variable);
    band->cycle.count = 1;
    for (int p = 0; p < SNW_CYCLE_POINTS; p++)
        band->cycle.mean[p] = band->cycle.deviation[p] = NAN;
    return band;
}

static bool take_row(clinic_normal *normal, const char *line)
{
    char name[SNW_ANGLE_NAME_SIZE];
    const char *end = line + strlen(line), *at = strchr(line, ',');
    double percent = 0, mean, deviation;
    if (!at || at == line || at - line >= (int)sizeof name) return false;
    snw_format(name, sizeof name, "%.*s", (int)(at - line), line);
    if (at[1] != ',')
        at = snw_parse_double(at + 1, end, &percent);
    else
        at++;
    if (!at || *at != ',' || !(percent >= 0) || !(percent <= 100)) return false;
    at = snw_parse_double(at + 1, end, &mean);
    if (!at || *at != ',') return false;
    if (snw_parse_double(at + 1, end, &deviation) != end || !(deviation >= 0)) return false;
    clinic_band *band = band_of(normal, name);
    if (!band) return false;
    band->cycle.mean[(int)(percent + 0.5)] = mean;
    band->cycle.deviation[(int)(percent + 0.5)] = deviation;
    return true;
}

/* Linear between the percents that the file has. */
static void fill_between(double value[SNW_CYCLE_POINTS])
{
    int before = -1;
    for (int p = 0; p < SNW_CYCLE_POINTS; p++) {
        if (!isfinite(value[p])) continue;
        for (int k = before + 1; k < p && before >= 0; k++)
            value[k] =
                value[before] + (value[p] - value[before]) * (k - before) / (double)(p - before);
        before = p;
    }
}

static int read_bands(const cli_arguments *arguments, const char *path, char *text,
                      clinic_normal *normal)
{
    char *line = text;
    for (int number = 1; *line; number++) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;
        *end = 0;
        line[strcspn(line, "\r")] = 0;
        if (number > 1 && *line && !take_row(normal, line))
            return cli_fail(arguments, "%s, line %d is no row of variable, percent, mean, sd", path,
                            number);
        line = next;
    }
    for (int n = 0; n < normal->count; n++) {
        fill_between(normal->band[n].cycle.mean);
        fill_between(normal->band[n].cycle.deviation);
    }
    return CLI_DONE;
}

static int read_people(const cli_arguments *arguments, const char *path, clinic_normal *normal)
{
    clinic_strides strides;
    int code = clinic_strides_read(arguments, path, &strides);
    for (int v = 0; code == CLI_DONE && v < strides.variable.count; v++) {
        clinic_band *band = band_of(normal, strides.variable.name[v]);
        if (!band)
            code = cli_fail(arguments, "%s has more than %d variables", path, CLINIC_BANDS_MAX);
        else
            clinic_people_mean(&strides, strides.variable.name[v], &band->cycle);
    }
    clinic_strides_release(&strides);
    return code;
}

int clinic_normal_read(const cli_arguments *arguments, const char *path, clinic_normal *normal)
{
    size_t size;
    const char *slash = strrchr(path, '/');
    memset(normal, 0, sizeof *normal);
    snw_format(normal->source, sizeof normal->source, "%s", slash ? slash + 1 : path);
    normal->band = calloc(CLINIC_BANDS_MAX, sizeof *normal->band);
    char *text = cli_read_whole(path, &size);
    int code = CLI_DONE;
    if (!normal->band)
        code = cli_fail(arguments, "no memory for %s", path);
    else if (!text)
        code = cli_fail(arguments, "%s could not be opened: %s", path, strerror(errno));
    else if (strncmp(text, normal_head, strlen(normal_head) - 1) == 0)
        code = read_bands(arguments, path, text, normal);
    else if (strncmp(text, clinic_head, strlen(clinic_head) - 1) == 0)
        code = read_people(arguments, path, normal);
    else
        code = cli_fail(arguments, "%s has no bands: its first line is neither %.*s nor %.*s", path,
                        (int)strlen(normal_head) - 1, normal_head, (int)strlen(clinic_head) - 1,
                        clinic_head);
    free(text);
    return code;
}

void clinic_normal_release(clinic_normal *normal)
{
    free(normal->band);
    memset(normal, 0, sizeof *normal);
}

const snw_cycle *clinic_normal_find(const clinic_normal *normal, const char *variable)
{
    for (int n = 0; n < normal->count; n++)
        if (strcmp(normal->band[n].variable, variable) == 0) return &normal->band[n].cycle;
    return NULL;
}

/* ---- the profile ----------------------------------------------------------------------------- */

const char *const clinic_profile_variable[CLINIC_PROFILE] = {
    "pelvis_tilt",  "pelvis_obliquity", "pelvis_rotation", "hip_flexion",     "hip_abduction",
    "hip_rotation", "knee_flexion",     "ankle_flexion",   "foot_progression"};

const char *const clinic_profile_title[CLINIC_PROFILE] = {
    "Pelvic tilt",  "Pelvic obliquity", "Pelvic rotation",    "Hip flexion",     "Hip abduction",
    "Hip rotation", "Knee flexion",     "Ankle dorsiflexion", "Foot progression"};

#define PROFILE_PELVIS 3 /* the first of them */

static double distance(const snw_cycle *a, const snw_cycle *b)
{
    double sum = 0;
    for (int p = 0; p < SNW_CYCLE_POINTS; p++)
        sum += (a->mean[p] - b->mean[p]) * (a->mean[p] - b->mean[p]);
    return sqrt(sum / SNW_CYCLE_POINTS);
}

void clinic_profile_make(const clinic_strides *strides, const clinic_normal *normal,
                         clinic_profile *out)
{
    double all = 0;
    for (int side = 0; side < SNW_SIDES; side++) {
        double sum = 0;
        for (int n = 0; n < CLINIC_PROFILE; n++) {
            const snw_cycle *band = clinic_normal_find(normal, clinic_profile_variable[n]);
            snw_cycle mean;
            clinic_strides_mean(strides, clinic_profile_variable[n], side, &mean);
            double score = band && mean.count ? distance(&mean, band) : NAN;
            out->score[side][n] = score;
            sum += score * score;
            if (side == SNW_SIDE_LEFT || n >= PROFILE_PELVIS) all += score * score;
        }
        out->side[side] = sqrt(sum / CLINIC_PROFILE);
    }
    out->overall = sqrt(all / (2 * CLINIC_PROFILE - PROFILE_PELVIS));
}
