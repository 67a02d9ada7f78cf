/* What was measured on a subject: names, where a value comes from, and what a file's parameters
 * say about it.
 *
 * Vicon's programs write the subject's measurements into the C3D group PROCESSING, one parameter
 * each, lengths in millimetres, angles in radians, masses in kilograms, 0 where nobody measured;
 * older files and other programs use SUBJECTS or SUBJECT, some of them metres, centimetres or
 * degrees. No number says its unit: what people can have does. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/notes.h"
#include "person/movement.h"
#include "subject/gait.h"
#include "subject/subject_constants.h"

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

/* What people have, metres, radians, kilograms. Derived: breadths, widths and lengths in statures
 * (person/anthropometry.h: knee 0.056, ankle 0.039, elbow 0.038, leg 0.53 with the foot) of a child
 * of 0.8 m less a third to a person of 2.3 m and half as much again, for soft tissue lies on the
 * bones; offsets of wands and feet are below a right angle. Each range is narrower than the factor
 * 10 between millimetres and centimetres, or has its lower end far above a tenth of what adults
 * have, so that a value is in one unit alone. */
static const double subject_range[SNW_SUBJECT_PARAMETER_COUNT][2] = {
    [SNW_SUBJECT_BODY_MASS] = {5, 300},
    [SNW_SUBJECT_HEIGHT] = {0.6, 2.6},
    [SNW_SUBJECT_MARKER_DIAMETER] = {0.002, 0.05},
    [SNW_SUBJECT_INTER_ASIS] = {0.08, 0.45},
    [SNW_SUBJECT_LEG_LENGTH] = {0.28, 1.4},
    [SNW_SUBJECT_ASIS_TROCHANTER] = {0, 0.2},
    [SNW_SUBJECT_KNEE_WIDTH] = {0.03, 0.2},
    [SNW_SUBJECT_ANKLE_WIDTH] = {0.02, 0.14},
    [SNW_SUBJECT_THIGH_ROTATION] = {-SNW_PI / 2, SNW_PI / 2},
    [SNW_SUBJECT_SHANK_ROTATION] = {-SNW_PI / 2, SNW_PI / 2},
    [SNW_SUBJECT_TIBIAL_TORSION] = {-SNW_PI / 2, SNW_PI / 2},
    [SNW_SUBJECT_ANKLE_ABDUCTION] = {-SNW_PI / 2, SNW_PI / 2},
    [SNW_SUBJECT_STATIC_PLANTAR_FLEXION] = {-SNW_PI / 2, SNW_PI / 2},
    [SNW_SUBJECT_STATIC_ROTATION] = {-SNW_PI / 2, SNW_PI / 2},
    [SNW_SUBJECT_SOLE_DELTA] = {-0.1, 0.1},
    [SNW_SUBJECT_SHOULDER_OFFSET] = {0.01, 0.15},
    [SNW_SUBJECT_ELBOW_WIDTH] = {0.02, 0.14},
    [SNW_SUBJECT_WRIST_WIDTH] = {0.015, 0.11},
    [SNW_SUBJECT_HAND_THICKNESS] = {0.005, 0.08},
    [SNW_SUBJECT_HEAD_OFFSET] = {-SNW_PI / 2, SNW_PI / 2},
};

void snw_subject_range(snw_subject_parameter parameter, double range[2])
{
    bool is_one = parameter >= 0 && parameter < SNW_SUBJECT_PARAMETER_COUNT;
    for (int n = 0; n < 2; n++)
        range[n] = is_one ? subject_range[parameter][n] : 0;
}

static bool is_usual(int parameter, double value)
{
    return value >= subject_range[parameter][0] && value <= subject_range[parameter][1];
}

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
    static const char *const name[] = {"unknown",       "assumed",         "estimated",
                                       "from the file", "from the static", "given"};
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
               subject_row[parameter].is_paired ? (side == SNW_SIDE_LEFT ? "L" : "R") : "",
               subject_row[parameter].name);
}

/* A file's length in metres: metres or millimetres by its size, unless only another unit makes it
 * one of a person's; *unit names that one. False: none does. */
static bool in_metres(int parameter, double value, double *out, const char **unit)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"millimetres", 0.001}, {"centimetres", 0.01}, {"metres", 1}};
    *unit = NULL;
    *out = fabs(value) < SNW__REACH_MAX ? value : 0.001 * value;
    for (int n = 0; n < 3 && !is_usual(parameter, *out); n++)
        if (is_usual(parameter, units[n].metres * value)) {
            *out = units[n].metres * value;
            *unit = units[n].name;
        }
    return is_usual(parameter, *out);
}

typedef struct subject_file {
    const snw_trial *trial;
    bool has_degrees; /* its angles are in degrees */
    snw_notes *notes;
} subject_file;

static bool find_parameter(const subject_file *file, int parameter, int side, double *out)
{
    char name[64];
    name_of(parameter, side, name);
    return find_number(file->trial, name, out) ||
           (parameter == SNW_SUBJECT_BODY_MASS && find_number(file->trial, "WEIGHT", out));
}

/* One angle beyond a right one says it for all of a file: programs write them in one unit. */
static bool keeps_degrees(const subject_file *file)
{
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
        for (int side = 0; side <= (int)subject_row[p].is_paired; side++) {
            double value;
            if (subject_row[p].kind == SUBJECT_ANGLE && find_parameter(file, p, side, &value) &&
                !is_usual(p, value))
                return true;
        }
    return false;
}

/* The value in our units; false where it cannot be used. */
static bool convert_value(const subject_file *file, int p, int side, double *value)
{
    char name[64];
    const char *unit = NULL;
    double raw = *value;
    bool is_good = true;
    name_of(p, side, name);
    if (subject_row[p].kind == SUBJECT_ANGLE) {
        if (file->has_degrees) *value = snw_radians(raw);
        return true;
    }
    if (subject_row[p].kind == SUBJECT_LENGTH) is_good = in_metres(p, raw, value, &unit);
    is_good = is_good && is_usual(p, *value);
    if (!is_good)
        snw__note(file->notes, SNW_NOTE_SUBJECT_ODD, SNW__NOWHERE,
                  "the file's %s %g fits no person in any unit and is not used", name, raw);
    else if (unit)
        snw__note(file->notes, SNW_NOTE_SUBJECT_ODD, SNW__NOWHERE,
                  "the file's %s %g is taken as %s: in millimetres or metres it fits no person",
                  name, raw, unit);
    return is_good;
}

int snw_subject_read(snw_subject *subject, const snw_trial *trial, snw_subject_source source,
                     snw_notes *notes)
{
    subject_file file = {trial, false, notes};
    int count = 0;
    file.has_degrees = keeps_degrees(&file);
    if (file.has_degrees)
        snw__note(notes, SNW_NOTE_SUBJECT_ODD, SNW__NOWHERE,
                  "the file keeps its angles (StaticPlantFlex, TibialTorsion, ...) in degrees, "
                  "not in radians as Vicon's programs do: converted");
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
        for (int side = 0; side <= (int)subject_row[p].is_paired; side++) {
            double value;
            if (!find_parameter(&file, p, side, &value) || subject->source[p][side] >= source ||
                !convert_value(&file, p, side, &value))
                continue;
            subject->value[p][side] = value;
            subject->source[p][side] = (uint8_t)source;
            count++;
        }
    return count;
}

/* In the unit in which people say it. */
static double spoken(int parameter, double value)
{
    static const double factor[] = {1, 1000, 180 / SNW_PI}; /* of the kinds */
    return factor[subject_row[parameter].kind] * value;
}

static const char *const subject_unit[] = {"kg", "mm", "degrees"};

void snw__subject_note_odd(const snw_subject *subject, snw_notes *notes)
{
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
        for (int side = 0; side <= (int)subject_row[p].is_paired; side++) {
            char name[64];
            double value = subject->value[p][side];
            if (subject->source[p][side] == SNW_SUBJECT_UNKNOWN || is_usual(p, value)) continue;
            name_of(p, side, name);
            snw__note(notes, SNW_NOTE_SUBJECT_ODD, SNW__NOWHERE,
                      "%s %.1f %s (%s) is no person's, who have %.1f to %.1f: another unit?", name,
                      spoken(p, value), subject_unit[subject_row[p].kind],
                      snw_subject_source_name((snw_subject_source)subject->source[p][side]),
                      spoken(p, subject_range[p][0]), spoken(p, subject_range[p][1]));
        }
}

/* Below these a static and a file say the same: a millimetre, half a degree, half a kilogram. */
static bool is_same(int parameter, double a, double b)
{
    static const double near[] = {0.5, 1, 0.5};
    return fabs(spoken(parameter, a) - spoken(parameter, b)) <= near[subject_row[parameter].kind];
}

void snw__subject_note_changes(const snw_subject *file, const snw_subject *used, snw_notes *notes)
{
    char text[130] = "", *end = text + sizeof text, *at = text;
    int more = 0;
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
        for (int side = 0; side <= (int)subject_row[p].is_paired; side++) {
            char name[64];
            double old = file->value[p][side], now = used->value[p][side];
            if (file->source[p][side] != SNW_SUBJECT_FROM_FILE ||
                used->source[p][side] != SNW_SUBJECT_FROM_STATIC || is_same(p, old, now))
                continue;
            name_of(p, side, name);
            if (end - at < 60) {
                more++;
                continue;
            }
            at += snw_format(at, (size_t)(end - at), "%s%s %.1f, not %.1f", at > text ? "; " : "",
                             name, spoken(p, now), spoken(p, old));
        }
    if (at > text)
        snw__note(notes, SNW_NOTE_STATIC_DIFFERS, SNW__NOWHERE,
                  "the static decides over what the trial's file keeps: %s%s", text,
                  more ? "; and more" : "");
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

bool snw__subject_is_angle(snw_subject_parameter p)
{
    return subject_row[p].kind == SUBJECT_ANGLE;
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
