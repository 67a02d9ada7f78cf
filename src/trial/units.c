/* Words for units and axes, and rewriting a trial in others. */
#include "trial/trial_memory.h"

#include <string.h>

#include "base/fail.h"

double snw_unit_length(const char *unit)
{
    static const struct {
        const char *word;
        double metres;
    } table[] = {
        {"mm", 0.001},         {"millimeter", 0.001},
        {"millimetre", 0.001}, {"cm", 0.01},
        {"centimeter", 0.01},  {"centimetre", 0.01},
        {"dm", 0.1},           {"decimeter", 0.1},
        {"decimetre", 0.1},    {"m", 1},
        {"meter", 1},          {"metre", 1},
        {"km", 1000},          {"um", 1e-6},
        {"micrometer", 1e-6},  {"micrometre", 1e-6},
        {"in", 0.0254},        {"inch", 0.0254},
        {"inche", 0.0254},     {"\"", 0.0254},
        {"ft", 0.3048},        {"foot", 0.3048},
        {"feet", 0.3048},      {"yd", 0.9144},
    };
    char word[16];
    size_t length = 0;
    for (const char *c = unit ? unit : ""; *c && length + 1 < sizeof word; c++) {
        /* Bytes of a micro sign: two in UTF-8 (U+00B5 or U+03BC), one in
         * Latin-1, or none. Left out it would make a metre of a micrometre. */
        int micro =
            strncmp(c, "\xc2\xb5", 2) == 0 || strncmp(c, "\xce\xbc", 2) == 0 ? 2 : *c == '\xb5';
        if (micro) c += micro - 1;
        if (micro)
            word[length++] = 'u';
        else if ((unsigned char)*c > ' ')
            word[length++] = (char)(*c >= 'A' && *c <= 'Z' ? *c + ('a' - 'A') : *c);
    }
    word[length] = 0;
    /* A plural s, but not the whole word. */
    size_t singular = length > 2 && word[length - 1] == 's' ? length - 1 : length;
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        if (strlen(table[n].word) == singular && strncmp(word, table[n].word, singular) == 0)
            return table[n].metres;
    return 0;
}

snw_vec3 snw_up_direction(snw_up_axis up)
{
    static const double axes[][3] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                                     {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const double *axis = axes[(unsigned)up <= SNW_UP_NEGATIVE_Z ? (unsigned)up : 0];
    return snw_vec3_make(axis[0], axis[1], axis[2]);
}

snw_up_axis snw_up_nearest(snw_vec3 direction)
{
    snw_up_axis nearest = SNW_UP_UNKNOWN;
    double most = 0;
    if (!snw_vec3_is_finite(direction)) return nearest;
    for (snw_up_axis up = SNW_UP_X; up <= SNW_UP_NEGATIVE_Z; up++) {
        double along = snw_vec3_dot(direction, snw_up_direction(up));
        if (along <= most) continue;
        most = along;
        nearest = up;
    }
    return nearest;
}

/* ---- other lengths and axes for everything that is a place -------------------------------- */

/* p' = scale * (turn p). Between axes `turn` is a signed permutation, so a turn alone loses no bit.
 */
typedef struct place_change {
    double scale;
    snw_mat3 turn;
} place_change;

static void change_place(const place_change *change, float place[3])
{
    snw_vec3 moved = snw_mat3_apply(change->turn, snw_vec3_make(place[0], place[1], place[2]));
    place[0] = (float)(moved.x * change->scale);
    place[1] = (float)(moved.y * change->scale);
    place[2] = (float)(moved.z * change->scale);
}

static void change_plates(snw_trial *trial, const char *name, const place_change *change)
{
    snw_parameter_group *group = snw__trial_find_group(trial, "FORCE_PLATFORM");
    for (int p = 0; group && p < group->parameter_count; p++) {
        snw_parameter *parameter = group->parameter + p;
        if (parameter->type != SNW_PARAMETER_FLOAT || parameter->dimension_count < 1 ||
            parameter->dimension[0] != 3 || !snw__trial_same_word(parameter->name, name))
            continue;
        float *number = (float *)parameter->data;
        size_t count = parameter->byte_count / sizeof *number;
        for (size_t n = 0; n + 3 <= count; n += 3)
            change_place(change, number + n);
    }
}

static void change_places(snw_trial *trial, const place_change *change)
{
    /* Positions; a force or moment along the lab's axes is turned with them, in its own unit. */
    place_change direction = *change;
    direction.scale = 1;
    for (int m = 0; m < trial->marker_count; m++) {
        const snw_marker *point = trial->marker + m;
        bool is_position = snw_point_is_position(point->kind);
        if (!is_position && !point->is_in_lab_axes) continue;
        for (int f = 0; f < trial->frame_count; f++) {
            snw_sample *sample = trial->sample + (size_t)f * (size_t)trial->marker_count + m;
            float place[3] = {sample->x, sample->y, sample->z};
            if (!isfinite(place[0]) || !isfinite(place[1]) || !isfinite(place[2]))
                continue; /* a missing sample may hold anything */
            change_place(is_position ? change : &direction, place);
            sample->x = place[0];
            sample->y = place[1];
            sample->z = place[2];
        }
    }
    /* 4x4 column-major: three directions, then the place. */
    size_t count = snw__trial_sizes_of(trial).rotation;
    for (size_t n = 0; n + SNW__ROTATION_NUMBERS <= count; n += SNW__ROTATION_NUMBERS)
        for (int column = 0; column < 4; column++)
            change_place(column < 3 ? &direction : change, trial->rotation + n + 4 * column);
    change_plates(trial, "CORNERS", change);
}

void snw_trial_set_unit(snw_trial *trial, const char *unit, double metres_per_unit)
{
    if (!unit || !(metres_per_unit > 0) || !isfinite(metres_per_unit)) return;
    place_change change = {trial->metres_per_unit / metres_per_unit, snw_mat3_identity()};
    if (change.scale != 1) {
        change_places(trial, &change);
        change_plates(trial, "ORIGIN", &change); /* in the plate's own axes: never turned */
        /* Qualities with a fraction are lengths; whole ones are steps of residual_scale and stay.
         * What falls on a whole number must not be taken for one of those. */
        double scale = change.scale;
        size_t count = snw__trial_sizes_of(trial).sample;
        for (size_t n = 0; n < count; n++) {
            float *quality = &trial->sample[n].quality;
            if (!(*quality > 0 && *quality < 32768) || *quality == floorf(*quality)) continue;
            float changed = fminf((float)(*quality * scale), nextafterf(32768, 0));
            *quality = changed == floorf(changed) ? nextafterf(changed, 32768) : changed;
        }
        trial->residual_scale *= change.scale;
    }
    trial->metres_per_unit = metres_per_unit;
    snw_format(trial->unit, sizeof trial->unit, "%s", unit);
}

snw_status snw_trial_turn_up(snw_trial *trial, snw_up_axis up, snw_error *error)
{
    snw_vec3 from = snw_up_direction(trial->up), to = snw_up_direction(up);
    if (snw_vec3_length2(from) == 0 || snw_vec3_length2(to) == 0)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "the capture does not say which way is up, so it cannot be turned");
    snw_mat3 turn = snw_mat3_from_quat(snw_quat_between(from, to));
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            turn.m[row][column] = round(turn.m[row][column]);
    place_change change = {1, turn};
    if (up != trial->up) change_places(trial, &change);
    trial->up = up;
    return snw__succeed(error);
}
