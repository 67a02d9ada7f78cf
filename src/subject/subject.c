/* What was measured on a subject: names, where a value comes from, and what a file's parameters
 * say about it.
 *
 * Vicon's programs write the subject's measurements into the C3D group PROCESSING, one parameter
 * each, lengths in millimetres, angles in radians, masses in kilograms, 0 where nobody measured;
 * older files and other programs use SUBJECTS or SUBJECT, some of them metres. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "subject/gait.h"

typedef enum subject_kind {
    SUBJECT_MASS,
    SUBJECT_LENGTH,
    SUBJECT_ANGLE
} subject_kind;

static const struct {
    const char *name;
    subject_kind kind;
    bool is_paired;
} subject_row[] = {
#define SUBJECT_ROW(enumerator, name, kind, is_paired) {name, SUBJECT_##kind, is_paired},
    SNW_SUBJECT_MAP(SUBJECT_ROW)
#undef SUBJECT_ROW
};

static const char *const subject_groups[] = {"PROCESSING", "SUBJECTS", "SUBJECT"};

/* No body measure is longer in metres, none is shorter in millimetres. */
#define SUBJECT_METRES_MAX 3.0

const char *snw_subject_parameter_name(snw_subject_parameter parameter)
{
    bool is_one = parameter >= 0 && parameter < SNW_SUBJECT_PARAMETER_COUNT;
    return is_one ? subject_row[parameter].name : "";
}

bool snw_subject_is_paired(snw_subject_parameter parameter)
{
    bool is_one = parameter >= 0 && parameter < SNW_SUBJECT_PARAMETER_COUNT;
    return is_one && subject_row[parameter].is_paired;
}

const char *snw_subject_source_name(snw_subject_source source)
{
    static const char *const name[] = {"unknown",         "assumed",       "estimated",
                                       "from the static", "from the file", "given"};
    bool is_one = source >= 0 && source <= SNW_SUBJECT_GIVEN;
    return is_one ? name[source] : "";
}

/* The first number of a parameter; false: it has none. */
static bool first_number(const snw_parameter *parameter, double *out)
{
    if (!parameter || !parameter->data) return false;
    if (parameter->type == SNW_PARAMETER_FLOAT && parameter->byte_count >= sizeof(float)) {
        float value;
        memcpy(&value, parameter->data, sizeof value);
        *out = value;
        return isfinite(value);
    }
    if (parameter->type == SNW_PARAMETER_INT16 && parameter->byte_count >= sizeof(int16_t)) {
        int16_t value;
        memcpy(&value, parameter->data, sizeof value);
        *out = value;
        return true;
    }
    return false;
}

static bool find_number(const snw_trial *trial, const char *name, double *out)
{
    for (size_t g = 0; g < sizeof subject_groups / sizeof *subject_groups; g++)
        if (first_number(snw_trial_find_parameter(trial, subject_groups[g], name), out) &&
            *out != 0)
            return true;
    return false;
}

static void name_of(int parameter, int side, char name[64])
{
    snw_format(name, 64, "%s%s",
               subject_row[parameter].is_paired ? (side == SNW_GAIT_LEFT ? "L" : "R") : "",
               subject_row[parameter].name);
}

static double in_metres(double value)
{
    return fabs(value) < SUBJECT_METRES_MAX ? value : 0.001 * value;
}

int snw_subject_read(snw_subject *subject, const snw_trial *trial, snw_subject_source source)
{
    int count = 0;
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
        for (int side = 0; side <= (int)subject_row[p].is_paired; side++) {
            char name[64];
            double value;
            name_of(p, side, name);
            bool is_found = find_number(trial, name, &value) ||
                            (p == SNW_SUBJECT_BODY_MASS && find_number(trial, "WEIGHT", &value));
            if (!is_found || subject->source[p][side] >= source) continue;
            if (subject_row[p].kind == SUBJECT_LENGTH) value = in_metres(value);
            if (subject_row[p].kind != SUBJECT_ANGLE && value <= 0) continue;
            subject->value[p][side] = value;
            subject->source[p][side] = (uint8_t)source;
            count++;
        }
    return count;
}

/* ASCII, any case. */
static bool same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        char x = *a, y = *b;
        if (x >= 'A' && x <= 'Z') x = (char)(x - 'A' + 'a');
        if (y >= 'A' && y <= 'Z') y = (char)(y - 'A' + 'a');
        if (x != y) return false;
    }
    return *a == *b;
}

snw_status snw_subject_set(snw_subject *subject, const char *name, double value, snw_error *error)
{
    static const double factor[] = {1, 0.001, SNW_PI / 180}; /* of the kinds */
    bool is_found = false;
    if (!isfinite(value))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s: the value is not a number", name);
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
        for (int side = 0; side <= (int)subject_row[p].is_paired; side++) {
            char full[64];
            name_of(p, side, full);
            if (!same_name(name, full) && !same_name(name, subject_row[p].name)) continue;
            if (subject_row[p].kind != SUBJECT_ANGLE && value <= 0)
                return snw__fail(error, SNW_INVALID_ARGUMENT, "%s must be above 0", name);
            subject->value[p][side] = factor[subject_row[p].kind] * value;
            subject->source[p][side] = SNW_SUBJECT_GIVEN;
            is_found = true;
        }
    if (!is_found)
        return snw__fail(error, SNW_NOT_FOUND, "there is no subject parameter called %s", name);
    return snw__succeed(error);
}
