/* Goals as words of the command line.
 *
 * A joint's name may hold colons (mixamorig:Hips), so the name is the longest piece before a colon
 * that names a joint of the body. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "nearest.h"
#include "reach.h"

/* How many numbers the groups after the name hold; an optional second group may be left out. */
typedef struct goal_form {
    const char *option;
    snw_goal_kind kind;
    int first, second;
    bool second_is_optional;
    bool is_from_start; /* the position is counted from where the point is at the start */
    const char *example;
} goal_form;

static const goal_form goal_forms[] = {
    {"--goal", SNW_GOAL_POSITION, 3, 0, false, false, "left_wrist:300,400,400"},
    {"--move", SNW_GOAL_POSITION, 3, 0, false, true, "left_wrist:0,100,50"},
    {"--turn", SNW_GOAL_ORIENTATION, 3, 3, true, false, "left_wrist:0,90,0:1,1,0"},
    {"--pose", SNW_GOAL_POSE, 3, 3, false, false, "left_wrist:300,400,400:0,90,0"},
    {"--aim", SNW_GOAL_AIM, 3, 3, true, false, "head:0,500,2000:0,0,1"},
    {"--pole", SNW_GOAL_POLE, 3, 0, false, false, "left_elbow:300,0,-500"},
    {"--line", SNW_GOAL_LINE, 3, 3, false, false, "left_wrist:300,0,400:0,1,0"},
    {"--plane", SNW_GOAL_PLANE, 3, 3, false, false, "left_wrist:0,400,0:0,1,0"},
    {"--floor", SNW_GOAL_SIDE, 3, 3, false, false, "left_toes:0,-900,0:0,1,0"},
    {"--value", SNW_GOAL_VALUE, 1, 1, true, false, "left_elbow:45"},
    {"--rest", SNW_GOAL_REST, 0, 0, false, false, "all"},
};

static const goal_form *find_form(const char *option_name)
{
    for (size_t n = 0; n < sizeof goal_forms / sizeof *goal_forms; n++)
        if (strcmp(goal_forms[n].option, option_name) == 0) return goal_forms + n;
    return NULL;
}

bool reach_is_goal_option(const char *option_name)
{
    return find_form(option_name) != NULL;
}

/* ---- words -------------------------------------------------------------------------------- */

#define GOAL_TEXT_MAX 400

typedef struct goal_words {
    char text[GOAL_TEXT_MAX]; /* cut up while it is read */
    bool is_tip;
    double weight;
    int priority;
} goal_words;

/* "*2" at the end. False when it is there and wrong. */
static bool take_weight(goal_words *words)
{
    words->weight = 1;
    char *star = strrchr(words->text, '*');
    if (!star) return true;
    *star = 0;
    return cli_number_list(star + 1, 1, &words->weight) && words->weight > 0;
}

int reach_find_joint(const snw_skeleton *body, const char *label, bool *is_tip)
{
    char name[GOAL_TEXT_MAX];
    size_t length = strlen(label);
    *is_tip = false;
    int joint = snw_skeleton_find_joint(body, label);
    if (joint >= 0 || length < 4 || length >= sizeof name) return joint;
    if (strcmp(label + length - 4, "/tip") != 0) return -1;
    snw_format(name, sizeof name, "%.*s", (int)length - 4, label);
    joint = snw_skeleton_find_joint(body, name);
    *is_tip = joint >= 0 && body->has_tip[joint];
    return *is_tip ? joint : -1;
}

/* "@1" after that. False when it is there and wrong. */
static bool take_priority(goal_words *words)
{
    double number = 0;
    words->priority = 0;
    char *at = strrchr(words->text, '@');
    if (!at || strchr(at, ':')) return true; /* part of a joint's name */
    *at = 0;
    if (!cli_number_list(at + 1, 1, &number) || number != floor(number) || number < 0 ||
        number > 1000)
        return false;
    words->priority = (int)number;
    return true;
}

/* The joint of the longest name that ends at a colon or at the end; *rest is what follows. */
static int take_joint(const snw_skeleton *body, goal_words *words, char **rest)
{
    for (size_t at = strlen(words->text) + 1; at-- > 0;) {
        char was = words->text[at];
        if (was != ':' && was != 0) continue;
        words->text[at] = 0;
        int joint = reach_find_joint(body, words->text, &words->is_tip);
        if (joint >= 0) {
            *rest = was ? words->text + at + 1 : NULL;
            return joint;
        }
        words->text[at] = was;
    }
    return -1;
}

/* "ELBOW,SHOULDER,WRIST:..." leaves "ELBOW:..." and gives the other two. */
static bool take_limb(const snw_skeleton *body, goal_words *words, int limb[2])
{
    limb[0] = limb[1] = -1;
    char *comma = strchr(words->text, ',');
    char *colon = strrchr(words->text, ':');
    if (!comma || !colon || comma > colon) return true;
    char *second = strchr(comma + 1, ',');
    if (!second || second > colon) return false;
    *comma = *second = *colon = 0;
    limb[0] = snw_skeleton_find_joint(body, comma + 1);
    limb[1] = snw_skeleton_find_joint(body, second + 1);
    memmove(comma + 1, colon + 1, strlen(colon + 1) + 1);
    *comma = ':';
    return limb[0] >= 0 && limb[1] >= 0;
}

/* Beyond a million kilometres, in mm, nothing is meant: squares must not overflow in a solve. */
#define GOAL_NUMBER_MAX 1e12

static bool are_sane(const double *numbers, int count)
{
    for (int n = 0; n < count; n++)
        if (!(fabs(numbers[n]) <= GOAL_NUMBER_MAX)) return false;
    return true;
}

static bool take_numbers(const goal_form *form, char *rest, double numbers[6], bool *has_second)
{
    *has_second = false;
    if (form->first == 0) return rest == NULL;
    if (!rest) return false;
    char *colon = strchr(rest, ':');
    if (colon) *colon = 0;
    if (!cli_number_list(rest, form->first, numbers)) return false;
    if (!colon) return form->second == 0 || form->second_is_optional;
    *has_second = true;
    return form->second > 0 && cli_number_list(colon + 1, form->second, numbers + form->first);
}

/* ---- goals -------------------------------------------------------------------------------- */

static snw_vec3 metres(const double *millimetres)
{
    return snw_vec3_make(millimetres[0] / 1000, millimetres[1] / 1000, millimetres[2] / 1000);
}

static snw_quat turned(const double *degrees)
{
    double angles[3] = {snw_radians(degrees[0]), snw_radians(degrees[1]), snw_radians(degrees[2])};
    return snw_quat_from_euler(SNW_EULER_XYZ, angles);
}

static bool is_slide(const snw_joint *joint, int coordinate)
{
    return joint->type == SNW_JOINT_PRISMATIC || (joint->type == SNW_JOINT_FREE && coordinate < 3);
}

static void fill_value(const snw_skeleton *body, const double *numbers, bool has_second,
                       snw_goal *goal)
{
    goal->coordinate = has_second ? (int)snw_clamp(numbers[1], -1e6, 1e6) - 1 : 0;
    goal->value = is_slide(body->joint + goal->joint, goal->coordinate) ? numbers[0] / 1000
                                                                        : snw_radians(numbers[0]);
    goal->value -= body->value_at_rest[goal->joint]; /* the file's number is meant */
}

/* The limb of a pole: as given, else from the joint's parent to its first child. */
static bool fill_limb(const snw_skeleton *body, const int limb[2], snw_goal *goal)
{
    goal->chain_root = limb[0] >= 0 ? limb[0] : body->parent[goal->joint];
    goal->chain_tip = limb[1] >= 0 ? limb[1] : body->first_child[goal->joint];
    return goal->chain_root >= 0 && goal->chain_tip >= 0;
}

/* 1: the name is one of the left side, -1: of the right, 0: of neither. "left_knee", "LeftKnee",
 * "l_knee", "LKnee". */
static int side_of(const char *name)
{
    static const char *const word[2] = {"left", "right"};
    for (int side = 0; side < 2; side++) {
        for (const char *at = name; *at; at++) {
            size_t k = 0;
            while (word[side][k] && tolower((unsigned char)at[k]) == word[side][k])
                k++;
            if (!word[side][k]) return side ? -1 : 1;
        }
        bool is_letter = tolower((unsigned char)name[0]) == word[side][0];
        if (is_letter && (name[1] == '_' || isupper((unsigned char)name[1]))) return side ? -1 : 1;
    }
    return 0;
}

static bool is_head(const char *name)
{
    for (; *name; name++)
        if (tolower((unsigned char)name[0]) == 'h' && tolower((unsigned char)name[1]) == 'e' &&
            tolower((unsigned char)name[2]) == 'a' && tolower((unsigned char)name[3]) == 'd')
            return true;
    return false;
}

/* Where a head looks at rest, in its own frame: across the line from right to left and upwards from
 * the root. False when the body's names do not tell. */
static bool find_gaze(const snw_skeleton *body, int head, snw_vec3 *gaze)
{
    snw_pose *rest = NULL;
    snw_vec3 left = snw_vec3_make(0, 0, 0);
    if (!is_head(body->name[head]) || snw_pose_create(body, NULL, &rest, NULL) != SNW_OK)
        return false;
    for (int j = 0; j < body->joint_count; j++)
        left = snw_vec3_add_scaled(left, side_of(body->name[j]), rest->world[j].translation);
    snw_vec3 up = snw_vec3_sub(rest->world[head].translation, rest->world[0].translation);
    snw_vec3 ahead = snw_vec3_cross(left, up);
    bool is_found =
        snw_vec3_length(ahead) > 0.1 * snw_vec3_length(left) * snw_vec3_length(up) + 1e-12;
    *gaze =
        snw_quat_unrotate(rest->world[head].rotation, snw_vec3_unit(ahead, snw_vec3_make(0, 0, 1)));
    snw_pose_destroy(rest);
    return is_found;
}

/* What a joint points with when nobody says: a head looks, everything else points along its bone.
 */
static snw_vec3 aim_direction(const snw_skeleton *body, int joint)
{
    snw_vec3 gaze;
    return find_gaze(body, joint, &gaze) ? gaze : body->joint[joint].axis;
}

static bool fill_goal(const snw_skeleton *body, const goal_form *form, const double numbers[6],
                      bool has_second, snw_goal *goal)
{
    const double *second = numbers + form->first;
    switch (form->kind) {
    case SNW_GOAL_ORIENTATION:
        goal->orientation = turned(numbers);
        if (!has_second) return true;
        goal->kind = SNW_GOAL_AXES; /* by shares */
        goal->direction = snw_vec3_make(second[0], second[1], second[2]);
        return snw_vec3_length(goal->direction) > 0;
    case SNW_GOAL_POSE:
        goal->orientation = turned(second);
        break;
    case SNW_GOAL_AIM:
        goal->direction = has_second ? snw_vec3_make(second[0], second[1], second[2])
                                     : aim_direction(body, goal->joint);
        break;
    case SNW_GOAL_LINE:
    case SNW_GOAL_PLANE:
    case SNW_GOAL_SIDE:
        goal->direction = snw_vec3_make(second[0], second[1], second[2]);
        break;
    case SNW_GOAL_VALUE:
        fill_value(body, numbers, has_second, goal);
        return true;
    case SNW_GOAL_REST:
        return true;
    default:
        break;
    }
    goal->position = metres(numbers);
    bool needs_direction = form->kind != SNW_GOAL_POSITION && form->kind != SNW_GOAL_POSE &&
                           form->kind != SNW_GOAL_POLE;
    return !needs_direction || snw_vec3_length(goal->direction) > 0;
}

static bool complain_form(const cli_arguments *arguments, const goal_form *form, const char *text)
{
    cli_misuse(arguments, "%s %s is not understood; write it like %s %s", form->option, text,
               form->option, form->example);
    return false;
}

/* Names that are told when none is near to what was asked for. */
#define GOAL_NAMES_TOLD 8

/* "; it has a, b, c and 5 more". */
static void list_joints(const snw_skeleton *body, char *text, size_t size)
{
    int told = body->joint_count < GOAL_NAMES_TOLD ? body->joint_count : GOAL_NAMES_TOLD;
    size_t length = strlen(text);
    for (int j = 0; j < told && length < size; j++, length = strlen(text))
        snw_format(text + length, size - length, "%s%s", j == 0 ? "; it has " : ", ",
                   body->name[j]);
    if (body->joint_count > told)
        snw_format(text + length, size - length, " and %d more", body->joint_count - told);
}

int reach_complain_joint(const cli_arguments *arguments, const snw_skeleton *body,
                         const char *option, const char *name)
{
    char hint[GOAL_TEXT_MAX];
    cli_nearest nearest = {name, NULL, 0};
    for (int j = 0; j < body->joint_count; j++)
        cli_nearest_offer(&nearest, body->name[j]);
    for (int j = 0; j < body->joint_count; j++)
        cli_nearest_offer(&nearest, body->joint_name[j]);
    (void)cli_nearest_hint(&nearest, hint, sizeof hint);
    if (!nearest.name) list_joints(body, hint, sizeof hint);
    return cli_misuse(arguments, "%s: the body has no joint \"%s\"%s", option, name, hint);
}

static bool complain_joint(const cli_arguments *arguments, const snw_skeleton *body,
                           const goal_form *form, const char *text)
{
    char name[GOAL_TEXT_MAX], what[GOAL_TEXT_MAX];
    snw_format(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    snw_format(what, sizeof what, "%s %s", form->option, text);
    (void)reach_complain_joint(arguments, body, what, name);
    return false;
}

/* Who writes 0.3,0.4,0.2 thinks in metres: a place that a body could reach if the numbers were
 * metres, and that as millimetres lies nearly at the origin. */
static void hint_at_metres(const cli_arguments *arguments, const snw_skeleton *body,
                           const goal_form *form, const char *text, snw_vec3 place)
{
    double far = snw_vec3_length(place);
    if (far > 0 && 1000 * far < 2 * body->size && !form->is_from_start)
        cli_note(arguments, "%s %s is read in millimetres, not in metres", form->option, text);
}

/* Everything but the joint and the weight. */
static bool take_meaning(const snw_skeleton *body, const goal_form *form, char *rest,
                         const int limb[2], snw_goal *goal)
{
    double numbers[6] = {0};
    bool has_second;
    return take_numbers(form, rest, numbers, &has_second) && are_sane(numbers, 6) &&
           fill_goal(body, form, numbers, has_second, goal) &&
           (form->kind != SNW_GOAL_POLE || fill_limb(body, limb, goal));
}

bool reach_parse_goal(const cli_arguments *arguments, const snw_pose *start,
                      const char *option_name, const char *text, snw_goal *goal)
{
    const snw_skeleton *body = start->skeleton;
    const goal_form *form = find_form(option_name);
    goal_words words = {.is_tip = false};
    int limb[2] = {-1, -1};
    char *rest = NULL;
    if (!form) return false;
    if (strlen(text) >= sizeof words.text) return complain_form(arguments, form, text);
    memcpy(words.text, text, strlen(text) + 1);
    *goal = snw_goal_rest(-1);
    goal->kind = form->kind;
    if (!take_priority(&words) || !take_weight(&words)) return complain_form(arguments, form, text);
    goal->weight = words.weight;
    goal->priority = words.priority;
    if (form->kind == SNW_GOAL_REST && strcmp(words.text, "all") == 0) return true;
    if (form->kind == SNW_GOAL_POLE && !take_limb(body, &words, limb))
        return complain_form(arguments, form, text);
    goal->joint = take_joint(body, &words, &rest);
    if (goal->joint < 0) return complain_joint(arguments, body, form, text);
    if (words.is_tip) goal->point = body->tip[goal->joint];
    if (!take_meaning(body, form, rest, limb, goal)) return complain_form(arguments, form, text);
    if (form->kind == SNW_GOAL_POSITION || form->kind == SNW_GOAL_POSE)
        hint_at_metres(arguments, body, form, text, goal->position);
    if (form->is_from_start) {
        snw_vec3 here = snw_pose_point(start, goal->joint, goal->point);
        goal->position = snw_vec3_add(here, goal->position);
    }
    return true;
}

/* ---- residuals ---------------------------------------------------------------------------- */

bool reach_goal_is_turn(const snw_skeleton *body, const snw_goal *goal)
{
    if (goal->kind == SNW_GOAL_VALUE) return !is_slide(body->joint + goal->joint, goal->coordinate);
    return goal->kind == SNW_GOAL_ORIENTATION || goal->kind == SNW_GOAL_AXES ||
           goal->kind == SNW_GOAL_AIM || goal->kind == SNW_GOAL_POLE || goal->kind == SNW_GOAL_REST;
}

void reach_format_residual(const snw_skeleton *body, const snw_goal *goal, double residual,
                           double turn_residual, char *text, size_t size)
{
    if (reach_goal_is_turn(body, goal))
        snw_format(text, size, "%.4f deg", snw_degrees(residual));
    else if (goal->kind == SNW_GOAL_POSE)
        snw_format(text, size, "%.4f mm, %.4f deg", 1000 * residual, snw_degrees(turn_residual));
    else
        snw_format(text, size, "%.4f mm", 1000 * residual);
}
