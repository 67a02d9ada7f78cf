/* A person with trackers on: proportions, the usual places of trackers, and the profile as text.
 *
 * Text: one line for each field, its name and its numbers; the first line says what it is.
 *
 *     sinew-avatar 1
 *     tracker head  qw qx qy qz  x y z       tracker_from_bone; a line for each tracker that is
 * worn shoulder left  x y z  upper fore        metres
 *     ...
 *     swivel ROW  x y z                       only rows that are not zero
 */
#include <string.h>

#include <sinew/avatar.h>

#include "avatar/body_plan_avatar.h"
#include "base/fail.h"

/* Where a tracker usually sits from its joint, metres, body axes in the T-pose (left hand; the
 * right one is its mirror image): a headset before the eyes, a strap on the breastbone, the back of
 * the hand, the small of the back, the instep. */
static const double profile_places[SNW_AVATAR_ROLE_COUNT][3] = {
    {0, 0.10, 0.08},  {0, 0.05, 0.12}, {0.03, 0.02, 0}, {-0.03, 0.02, 0},
    {0, 0.05, -0.12}, {0, 0.02, 0.08}, {0, 0.02, 0.08},
};

snw_vec3 snw__avatar_usual_place(snw_avatar_role role)
{
    const double *p = profile_places[role];
    return snw_vec3_make(p[0], p[1], p[2]);
}

double snw__avatar_chest_height(const snw_avatar_profile *p, double height)
{
    double span = p->upper_arm[0] + p->forearm[0] + fabs(p->shoulder[0].x);
    double by_span = span * SNW__AVATAR_CHEST_HEIGHT / SNW__AVATAR_HALF_SPAN;
    return height > 0.75 * by_span && height < 1.3 * by_span ? height : by_span;
}

/* Lengths that no tracker shows, from the height of the chest joint above the floor. Fractions are
 * means over the CMU skeletons of scripts/fit_swivel_prior; legs split after Drillis & Contini. */
void snw__avatar_lower_body(snw_avatar_profile *profile, double chest_height)
{
    double pelvis = 0.80 * chest_height, hip = pelvis - 0.075 * chest_height;
    profile->chest_height = chest_height;
    profile->spine[0] = 0.5 * (chest_height - pelvis);
    profile->spine[1] = 0.5 * (chest_height - pelvis);
    profile->hip_width = 0.15 * chest_height;
    profile->ankle = 0.055 * chest_height;
    profile->thigh = 0.505 * (hip - profile->ankle);
    profile->shank = 0.495 * (hip - profile->ankle);
}

snw_avatar_profile snw_avatar_profile_default(double stature)
{
    snw_avatar_profile profile;
    memset(&profile, 0, sizeof profile);
    if (!(stature > 0.3 && stature < 3)) stature = 1.75;
    double half_span = SNW__AVATAR_HALF_SPAN * stature;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        profile.has_tracker[role] = role <= SNW_AVATAR_RIGHT_HAND;
        profile.tracker_from_bone[role] = snw_xform_make(
            snw_quat_identity(), snw_vec3_neg(snw__avatar_usual_place((snw_avatar_role)role)));
    }
    for (int side = 0; side < 2; side++) {
        double width = SNW__AVATAR_SHOULDER_SHARE * half_span, arm = half_span - width;
        profile.shoulder[side] = snw_vec3_make(side ? -width : width, SNW__AVATAR_SHOULDER_RISE, 0);
        profile.forearm[side] = SNW__AVATAR_FOREARM_SHARE * arm;
        profile.upper_arm[side] = arm - profile.forearm[side];
    }
    profile.neck = snw_vec3_make(0, 0.052 * stature, -0.006 * stature);
    profile.neck_length = 0.052 * stature;
    profile.elevation[0] =
        1.364432; /* Casanueva 1999, 6.3.2: the better of the two printed lines */
    profile.elevation[1] = -52.4902;
    profile.elevation_sign = 1;
    snw__avatar_lower_body(&profile, SNW__AVATAR_CHEST_HEIGHT * stature);
    return profile;
}

/* ---- text --------------------------------------------------------------------------------- */

typedef struct profile_text {
    char *at;
    size_t capacity;
    size_t size; /* what all of it takes */
} profile_text;

static void put_line(profile_text *text, const char *head, const double *numbers, int count)
{
    char line[512];
    int length = snw_format(line, sizeof line, "%s", head);
    for (int n = 0; n < count; n++)
        length += snw_format(line + length, sizeof line - (size_t)length, " %g", numbers[n]);
    length += snw_format(line + length, sizeof line - (size_t)length, "\n");
    if (text->size + (size_t)length < text->capacity)
        memcpy(text->at + text->size, line, (size_t)length + 1);
    text->size += (size_t)length;
}

static void put_xform(profile_text *text, const char *head, snw_xform x)
{
    const double numbers[7] = {x.rotation.w,    x.rotation.x,    x.rotation.y,   x.rotation.z,
                               x.translation.x, x.translation.y, x.translation.z};
    put_line(text, head, numbers, 7);
}

static const char *const profile_sides[2] = {"left", "right"};

static void put_profile(profile_text *text, const snw_avatar_profile *p)
{
    char head[64];
    put_line(text, "sinew-avatar 1", NULL, 0);
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        snw_format(head, sizeof head, "tracker %s", snw_avatar_role_name((snw_avatar_role)role));
        if (p->has_tracker[role]) put_xform(text, head, p->tracker_from_bone[role]);
    }
    for (int side = 0; side < 2; side++) {
        const double arm[5] = {p->shoulder[side].x, p->shoulder[side].y, p->shoulder[side].z,
                               p->upper_arm[side], p->forearm[side]};
        snw_format(head, sizeof head, "shoulder %s", profile_sides[side]);
        put_line(text, head, arm, 5);
    }
    const double neck[4] = {p->neck.x, p->neck.y, p->neck.z, p->neck_length};
    const double trunk[3] = {p->spine[0], p->spine[1], p->chest_height};
    const double legs[4] = {p->hip_width, p->thigh, p->shank, p->ankle};
    const double elevation[3] = {p->elevation[0], p->elevation[1], p->elevation_sign};
    put_line(text, "neck", neck, 4);
    put_line(text, "trunk", trunk, 3);
    put_line(text, "legs", legs, 4);
    put_line(text, "elevation", elevation, 3);
    for (int row = 0; row < SNW_AVATAR_SWIVEL_ROWS; row++) {
        const float *w = p->swivel[row];
        const double numbers[3] = {w[0], w[1], w[2]};
        if (w[0] == 0 && w[1] == 0 && w[2] == 0) continue;
        snw_format(head, sizeof head, "swivel %d", row);
        put_line(text, head, numbers, 3);
    }
}

snw_status snw_avatar_profile_print(const snw_avatar_profile *profile, char *text, size_t capacity,
                                    size_t *size, snw_error *error)
{
    if (!profile || !size || (capacity && !text))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "profile, text or size is NULL");
    profile_text out = {text, capacity, 0};
    put_profile(&out, profile);
    *size = out.size;
    if (out.size >= capacity)
        return snw__fail(error, SNW_TOO_LARGE, "the profile takes %zu bytes", out.size + 1);
    return snw__succeed(error);
}

typedef struct profile_line {
    const char *at, *end;
    int64_t number;
} profile_line;

static bool take_word(profile_line *line, char word[32])
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
    int n = 0;
    while (line->at < line->end && *line->at != ' ' && *line->at != '\t' && n < 31)
        word[n++] = *line->at++;
    word[n] = 0;
    return n > 0;
}

static bool take_numbers(profile_line *line, double *numbers, int count)
{
    for (int n = 0; n < count; n++) {
        while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
            line->at++;
        const char *next = snw_parse_double(line->at, line->end, &numbers[n]);
        if (!next || !isfinite(numbers[n]) || fabs(numbers[n]) > 1e6) return false;
        line->at = next;
    }
    return true;
}

static int side_from_word(const char *word)
{
    return strcmp(word, "left") == 0 ? 0 : strcmp(word, "right") == 0 ? 1 : -1;
}

static bool take_tracker(profile_line *line, snw_avatar_profile *p)
{
    char word[32];
    double n[7];
    if (!take_word(line, word) || !take_numbers(line, n, 7)) return false;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        if (strcmp(word, snw_avatar_role_name((snw_avatar_role)role)) == 0) {
            p->has_tracker[role] = true;
            p->tracker_from_bone[role] =
                snw_xform_make(snw_quat_normalize(snw_quat_make(n[0], n[1], n[2], n[3])),
                               snw_vec3_make(n[4], n[5], n[6]));
            return true;
        }
    return false;
}

static bool take_shoulder(profile_line *line, snw_avatar_profile *p)
{
    char word[32];
    double n[5];
    int side = take_word(line, word) ? side_from_word(word) : -1;
    if (side < 0 || !take_numbers(line, n, 5) || !(n[3] > 0) || !(n[4] > 0)) return false;
    p->shoulder[side] = snw_vec3_make(n[0], n[1], n[2]);
    p->upper_arm[side] = n[3];
    p->forearm[side] = n[4];
    return true;
}

static bool take_swivel(profile_line *line, snw_avatar_profile *p)
{
    double n[4];
    if (!take_numbers(line, n, 4)) return false;
    if (!(n[0] >= 0 && n[0] < SNW_AVATAR_SWIVEL_ROWS) || n[0] != floor(n[0])) return false;
    for (int k = 0; k < 3; k++)
        p->swivel[(int)n[0]][k] = (float)n[1 + k];
    return true;
}

static bool take_lengths(profile_line *line, const char *word, snw_avatar_profile *p)
{
    double n[4];
    if (strcmp(word, "neck") == 0 && take_numbers(line, n, 4)) {
        p->neck = snw_vec3_make(n[0], n[1], n[2]);
        p->neck_length = n[3];
    } else if (strcmp(word, "trunk") == 0 && take_numbers(line, n, 3)) {
        p->spine[0] = n[0];
        p->spine[1] = n[1];
        p->chest_height = n[2];
    } else if (strcmp(word, "legs") == 0 && take_numbers(line, n, 4)) {
        p->hip_width = n[0];
        p->thigh = n[1];
        p->shank = n[2];
        p->ankle = n[3];
    } else if (strcmp(word, "elevation") == 0 && take_numbers(line, n, 3)) {
        p->elevation[0] = n[0];
        p->elevation[1] = n[1];
        p->elevation_sign = n[2] < 0 ? -1 : 1;
    } else {
        return false;
    }
    return true;
}

static bool take_line(profile_line *line, snw_avatar_profile *profile)
{
    char word[32];
    if (!take_word(line, word)) return true;
    if (strcmp(word, "tracker") == 0) return take_tracker(line, profile);
    if (strcmp(word, "shoulder") == 0) return take_shoulder(line, profile);
    if (strcmp(word, "swivel") == 0) return take_swivel(line, profile);
    return take_lengths(line, word, profile);
}

snw_status snw_avatar_profile_parse(const char *text, size_t size, snw_avatar_profile *profile,
                                    snw_error *error)
{
    static const char title[] = "sinew-avatar 1";
    if (!profile || (size && !text))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "text or profile is NULL");
    *profile = snw_avatar_profile_default(1.75);
    memset(profile->has_tracker, 0, sizeof profile->has_tracker);
    if (size < sizeof title - 1 || memcmp(text, title, sizeof title - 1) != 0)
        return snw__fail(error, SNW_FORMAT, "this is no profile: it does not start with \"%s\"",
                         title);
    profile_line line = {text, text, 0};
    const char *end = text + size;
    for (const char *at = text; at < end; at = line.end + 1) {
        const char *stop = (const char *)memchr(at, '\n', (size_t)(end - at));
        line.at = at;
        line.end = stop ? stop : end;
        if (line.end > line.at && line.end[-1] == '\r') line.end--;
        line.number++;
        if (line.number > 1 && !take_line(&line, profile)) {
            snw__place place = SNW__NOWHERE;
            place.line = line.number;
            return snw__fail_at(error, SNW_FORMAT, place,
                                "line %lld of the profile is not understood",
                                (long long)line.number);
        }
        if (!stop) break;
        line.end = stop;
    }
    return snw__succeed(error);
}
