/* Reads what `sinew ik` is asked: body, start pose, goals, targets over time, options. */
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "output.h"
#include "reach.h"

/* ---- body and start pose ------------------------------------------------------------------- */

static int read_preset(const cli_arguments *arguments, const char *name, reach_problem *problem)
{
    snw_error error;
    snw_format(problem->name, sizeof problem->name, "%s", name);
    problem->body = cli_make_body(arguments, name);
    if (!problem->body) return CLI_FAILED;
    if (snw_pose_create(problem->body, NULL, &problem->start, &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    if (cli_flag(arguments, "--frame"))
        return cli_misuse(arguments, "--frame needs a FILE with frames, not a ready-made body");
    return CLI_DONE;
}

static int take_start_frame(const cli_arguments *arguments, const snw_motion *motion,
                            reach_problem *problem)
{
    int64_t frame = 1;
    bool is_asked = cli_flag(arguments, "--frame");
    if (!motion || motion->frame_count == 0)
        return is_asked ? cli_fail(arguments, "%s holds no frames", problem->name) : CLI_DONE;
    if (!cli_integer(arguments, "--frame", 1, motion->frame_count, &frame)) return CLI_USAGE;
    snw_motion_get(motion, (int)frame - 1, problem->start);
    problem->rate = motion->rate;
    return CLI_DONE;
}

static int read_body_file(const cli_arguments *arguments, const char *path, reach_problem *problem)
{
    snw_error error;
    static cli_content content; /* its notes: 19 kB */
    snw_format(problem->name, sizeof problem->name, "%s", path);
    if (!cli_read_content(arguments, path, cli_value(arguments, "--asf", NULL), &content))
        return CLI_FAILED;
    cli_print_notes(arguments, &content.notes);
    int status = CLI_DONE;
    problem->body = content.motion ? content.motion->own_skeleton : NULL;
    if (problem->body) content.motion->own_skeleton = NULL; /* it outlives the motion */
    if (!problem->body)
        status = cli_fail(arguments, "%s holds markers, not a body; markers are --targets", path);
    else if (snw_pose_create(problem->body, NULL, &problem->start, &error) != SNW_OK)
        status = cli_fail(arguments, "%s", error.message);
    else
        status = take_start_frame(arguments, content.motion, problem);
    cli_release_content(&content);
    return status;
}

static int read_body(const cli_arguments *arguments, reach_problem *problem)
{
    const char *preset = cli_value(arguments, "--body", NULL);
    const char *file = arguments->operand_count ? arguments->operand[0] : NULL;
    if (!preset == !file)
        return cli_misuse(arguments, "it needs one body: --body NAME or a FILE with a skeleton");
    int status =
        preset ? read_preset(arguments, preset, problem) : read_body_file(arguments, file, problem);
    if (status == CLI_DONE) snw_pose_forward(problem->start);
    return status;
}

/* ---- goals -------------------------------------------------------------------------------- */

static int read_goals(const cli_arguments *arguments, reach_problem *problem)
{
    for (int n = 0; n < arguments->given_count; n++) {
        const char *option = arguments->given[n].option->name;
        if (!reach_is_goal_option(option)) continue;
        if (!reach_parse_goal(arguments, problem->start, option, arguments->given[n].value,
                              problem->goal + problem->goal_count))
            return CLI_USAGE;
        problem->marker[problem->goal_count++] = -1;
    }
    problem->target_first = problem->goal_count;
    return CLI_DONE;
}

/* ---- shapes that do not pass through each other --------------------------------------------- */

/* A capsule along every bone, in the frame of the joint above: a little off the joints at its ends,
 * where neighbours meet. */
static int add_bones(const snw_skeleton *body, double radius, snw_body_shape *shapes)
{
    int count = 0;
    for (int j = 1; j < body->joint_count; j++) {
        snw_vec3 end = body->rest[j].translation;
        if (!(snw_vec3_length(end) > radius)) continue;
        shapes[count++] =
            (snw_body_shape){body->parent[j], snw_shape_capsule(snw_vec3_scale(end, 0.2),
                                                                snw_vec3_scale(end, 0.8), radius)};
    }
    return count;
}

/* "X,Y,Z:R" a ball, "X,Y,Z:X,Y,Z:R" a capsule, "X,Y,Z:A,B,C" a box of those edges,
 * "plane:X,Y,Z:NX,NY,NZ" everything below a plane; millimetres. */
static bool parse_obstacle(const char *text, snw_body_shape *out)
{
    char part[3][200];
    double v[3][3] = {{0}};
    int count = 0;
    bool is_plane = strncmp(text, "plane:", 6) == 0;
    if (is_plane) text += 6;
    for (const char *at = text; at && count < 3; count++) {
        const char *colon = strchr(at, ':');
        size_t length = colon ? (size_t)(colon - at) : strlen(at);
        if (length >= sizeof part[0]) return false;
        snw_format(part[count], sizeof part[0], "%.*s", (int)length, at);
        if (colon && count == 2) return false;
        at = colon ? colon + 1 : NULL;
    }
    bool is_round = count > 1 && !strchr(part[count - 1], ',');
    for (int k = 0; k < count; k++) {
        bool is_radius = is_round && k == count - 1;
        if (!cli_number_list(part[k], is_radius ? 1 : 3, v[k])) return false;
        for (int c = 0; c < 3; c++)
            v[k][c] /= 1000;
    }
    snw_vec3 a = {v[0][0], v[0][1], v[0][2]}, b = {v[1][0], v[1][1], v[1][2]};
    out->joint = -1;
    if (is_plane && count == 2 && !is_round && snw_vec3_length(b) > 0)
        out->shape = snw_shape_plane(a, b);
    else if (!is_plane && is_round && count == 2 && v[1][0] >= 0)
        out->shape = snw_shape_sphere(a, v[1][0]);
    else if (!is_plane && is_round && count == 3 && v[2][0] >= 0)
        out->shape = snw_shape_capsule(a, b, v[2][0]);
    else if (!is_plane && !is_round && count == 2 && b.x > 0 && b.y > 0 && b.z > 0)
        out->shape = snw_shape_box(a, snw_vec3_scale(b, 0.5));
    else
        return false;
    return true;
}

enum {
    REACH_SHAPES = 512, /* of a body */
    REACH_HULL_POINTS = 64 * REACH_SHAPES
};

/* Bones as thick as asked for, as the body's masses, or as its file has them. */
static int add_own_shapes(const cli_arguments *arguments, double thick, reach_problem *problem,
                          int *count)
{
    const char *which = cli_value(arguments, "--shapes", "bones");
    snw_shape_list list = {.shape = problem->shapes,
                           .room = REACH_SHAPES,
                           .point = problem->hull_points,
                           .point_room = REACH_HULL_POINTS};
    snw_error error;
    if (strcmp(which, "bones") == 0) {
        *count = add_bones(problem->body, thick / 2000, problem->shapes);
    } else if (strcmp(which, "mass") == 0) {
        *count = snw_body_capsules(problem->body, 1050, problem->shapes, REACH_SHAPES);
        if (*count == 0)
            return cli_fail(arguments, "%s knows no masses: --shapes bones", problem->name);
    } else if (strcmp(which, "file") == 0 && arguments->operand_count > 0) {
        if (snw_read_shapes_file(arguments->operand[0], problem->body, &list, &error) != SNW_OK)
            return cli_fail(arguments, "%s", error.message);
        *count = list.count;
        if (list.left_out > 0)
            cli_note(arguments,
                     "%d collision %s left out: meshes that are not beside the file or not "
                     "read (STL, OBJ and PLY are), shapes of other links",
                     list.left_out, list.left_out == 1 ? "shape is" : "shapes are");
        if (list.count == 0)
            return cli_fail(arguments, "%s holds no collision shapes that are read", problem->name);
    } else {
        return cli_misuse(arguments,
                          "--shapes is bones, mass or (with URDF, MJCF) file, not \"%s\"", which);
    }
    return *count <= REACH_SHAPES
               ? CLI_DONE
               : cli_fail(arguments, "%d shapes are more than %d", *count, REACH_SHAPES);
}

static int read_shapes(const cli_arguments *arguments, reach_problem *problem)
{
    double thick = 60, margin = 0;
    const char *text;
    int count = 0, room = REACH_GOALS_MAX - problem->goal_count;
    if (!cli_flag(arguments, "--obstacle") && !cli_flag(arguments, "--thick") &&
        !cli_flag(arguments, "--shapes"))
        return CLI_DONE;
    if (!cli_number(arguments, "--thick", 0, 1e6, &thick)) return CLI_USAGE;
    if (!cli_number(arguments, "--margin", 0, 1e6, &margin)) return CLI_USAGE;
    size_t most = REACH_SHAPES + (size_t)problem->body->joint_count + CLI_VALUES_MAX;
    problem->shapes = calloc(most, sizeof *problem->shapes);
    problem->hull_points = calloc(REACH_HULL_POINTS, sizeof *problem->hull_points);
    if (!problem->shapes || !problem->hull_points)
        return cli_fail(arguments, "no memory for the shapes");
    int status = add_own_shapes(arguments, thick, problem, &count);
    if (status != CLI_DONE) return status;
    for (int n = 0; (text = cli_value_at(arguments, "--obstacle", n)) != NULL; n++)
        if (!parse_obstacle(text, &problem->shapes[count++]))
            return cli_misuse(arguments,
                              "--obstacle takes X,Y,Z:R, X,Y,Z:X,Y,Z:R, X,Y,Z:A,B,C or "
                              "plane:X,Y,Z:NX,NY,NZ in mm, not \"%s\"",
                              text);
    int pairs = snw_goals_apart(problem->body, problem->shapes, count, margin / 1000,
                                problem->goal + problem->goal_count, room);
    if (pairs > room)
        return cli_fail(arguments, "%d pairs of bones and obstacles are more than %d", pairs, room);
    for (int g = 0; g < pairs; g++)
        problem->marker[problem->goal_count + g] = -1;
    problem->goal_count += pairs;
    problem->apart_count = pairs;
    problem->target_first = problem->goal_count;
    return CLI_DONE;
}

/* One sentence for all of them: a full marker set has forty names that are no joints. */
static void note_left_out(const cli_arguments *arguments, const char *path, const char *first,
                          int count)
{
    if (count == 1)
        cli_note(arguments, "%s: the body has no joint \"%s\", it is left out", path, first);
    else if (count > 1)
        cli_note(arguments,
                 "%s: %d columns name no joint of the body and are left out: "
                 "\"%s\" and others",
                 path, count, first);
}

/* Where the tip of the limb is asked to be; else where it is. */
static snw_vec3 target_of(const reach_problem *problem, int tip)
{
    for (int g = 0; g < problem->goal_count; g++) {
        const snw_goal *goal = &problem->goal[g];
        bool has_place = goal->kind == SNW_GOAL_POSITION || goal->kind == SNW_GOAL_POSE;
        for (int j = has_place ? goal->joint : -1; j >= tip; j = problem->body->parent[j])
            if (j == tip) return goal->position;
    }
    return problem->start->world[tip].translation;
}

/* "JOINT:DEG" as a pole, for the limb of its parent and its first child. */
static int read_swivels(const cli_arguments *arguments, reach_problem *problem)
{
    const snw_skeleton *body = problem->body;
    const char *text;
    for (int n = 0; (text = cli_value_at(arguments, "--swivel", n)) != NULL; n++) {
        char name[200];
        double deg;
        const char *colon = strrchr(text, ':'), *end = text + strlen(text);
        if (!colon || snw_parse_double(colon + 1, end, &deg) != end || !(fabs(deg) <= 360))
            return cli_misuse(arguments, "--swivel takes JOINT:DEGREES, not \"%s\"", text);
        snw_format(name, sizeof name, "%.*s", (int)(colon - text), text);
        int joint = snw_skeleton_find_joint(body, name), tip = -1;
        if (joint < 0) return reach_complain_joint(arguments, body, "--swivel", name);
        for (int j = joint + 1; j < body->joint_count && tip < 0; j++)
            if (body->parent[j] == joint && body->bone_length[j] > 0) tip = j;
        while (tip >= 0 && tip + 1 < body->joint_count && body->parent[tip + 1] == tip &&
               body->joint[tip].type != SNW_JOINT_BALL)
            tip++; /* through a forearm's pivot */
        if (tip < 0 || body->parent[joint] < 0)
            return cli_misuse(arguments, "--swivel %s: no limb bends there", name);
        if (problem->goal_count >= REACH_GOALS_MAX)
            return cli_fail(arguments, "more than %d goals", REACH_GOALS_MAX);
        snw_goal pole = snw_goal_pole(joint, body->parent[joint], tip, snw_vec3_make(0, 0, 0));
        pole.position =
            snw_pole_place(&pole, problem->start, target_of(problem, tip), snw_radians(deg));
        problem->marker[problem->goal_count] = -1;
        problem->goal[problem->goal_count++] = pole;
    }
    problem->target_first = problem->goal_count;
    return CLI_DONE;
}

static int blend_goals(const cli_arguments *arguments, reach_problem *problem)
{
    double blend = 1;
    if (!cli_number(arguments, "--blend", 0, 1, &blend)) return CLI_USAGE;
    for (int g = 0; g < problem->goal_count && blend < 1; g++)
        problem->goal[g] = snw_goal_blend(&problem->goal[g], problem->start, blend);
    return CLI_DONE;
}

static int add_marker_goals(const cli_arguments *arguments, const char *path,
                            reach_problem *problem)
{
    const snw_skeleton *body = problem->body;
    const char *left_out = NULL;
    int left_out_count = 0;
    for (int m = 0; m < problem->targets->marker_count; m++) {
        bool is_tip;
        const char *label = problem->targets->marker[m].name;
        int joint = reach_find_joint(body, label, &is_tip);
        if (joint < 0) {
            if (left_out_count++ == 0) left_out = label;
            continue;
        }
        if (problem->goal_count >= REACH_GOALS_MAX)
            return cli_fail(arguments, "%s: more than %d goals", path, REACH_GOALS_MAX);
        snw_vec3 point = is_tip ? body->tip[joint] : snw_vec3_make(0, 0, 0);
        snw_vec3 here = snw_pose_point(problem->start, joint, point);
        problem->marker[problem->goal_count] = m;
        problem->goal[problem->goal_count++] = snw_goal_position(joint, point, here);
    }
    if (problem->goal_count == problem->target_first)
        return cli_fail(arguments,
                        "%s: no column names a joint of the body %s; the first is called \"%s\"",
                        path, problem->name, left_out ? left_out : "");
    note_left_out(arguments, path, left_out, left_out_count);
    return CLI_DONE;
}

static int read_targets(const cli_arguments *arguments, reach_problem *problem)
{
    const char *path = cli_value(arguments, "--targets", NULL);
    problem->frame_count = 1;
    if (!path) return CLI_DONE;
    problem->targets = cli_read_trial(arguments, path, NULL);
    if (!problem->targets) return CLI_FAILED;
    problem->frame_count = problem->targets->frame_count;
    problem->rate = problem->targets->rate;
    if (problem->frame_count == 0) return cli_fail(arguments, "%s holds no frames", path);
    return add_marker_goals(arguments, path, problem);
}

/* ---- options ------------------------------------------------------------------------------ */

static double scale_of(const snw_skeleton *body)
{
    return body->size > 0 ? body->size : 1;
}

double reach_tolerance(const reach_problem *problem)
{
    return problem->options.tolerance * scale_of(problem->body);
}

static int read_options(const cli_arguments *arguments, reach_problem *problem)
{
    snw_ik_options *options = &problem->options;
    double tolerance_mm = 1000 * reach_tolerance(problem);
    double turn_deg = snw_degrees(options->turn_tolerance);
    int64_t iterations = options->iteration_max, seed = (int64_t)options->seed;
    const char *root = cli_value(arguments, "--root", "fixed");
    if (!cli_number(arguments, "--tolerance", 1e-12, 1e12, &tolerance_mm) ||
        !cli_number(arguments, "--turn-tolerance", 1e-12, 360, &turn_deg) ||
        !cli_integer(arguments, "--iterations", 0, 1000000, &iterations) ||
        !cli_integer(arguments, "--seed", 0, INT64_MAX, &seed))
        return CLI_USAGE;
    if (strcmp(root, "fixed") != 0 && strcmp(root, "free") != 0)
        return cli_misuse(arguments, "--root is fixed or free, not \"%s\"", root);
    options->root = strcmp(root, "free") == 0 ? SNW_IK_ROOT_FREE : SNW_IK_ROOT_FIXED;
    options->tolerance = tolerance_mm / 1000 / scale_of(problem->body);
    options->turn_tolerance = snw_radians(turn_deg);
    options->iteration_max = (int)iterations;
    options->seed = (uint64_t)seed;
    options->use_limits = !cli_flag(arguments, "--no-limits");
    return CLI_DONE;
}

/* Fills the stiffness of every joint at the first that is named. */
static bool make_stiffness(const cli_arguments *arguments, reach_problem *problem)
{
    size_t count = (size_t)problem->body->joint_count;
    if (problem->stiffness) return true;
    problem->stiffness = malloc(count * sizeof *problem->stiffness);
    if (!problem->stiffness) {
        (void)cli_fail(arguments, "no memory for %zu joints", count);
        return false;
    }
    for (size_t j = 0; j < count; j++)
        problem->stiffness[j] = 1;
    problem->options.stiffness = problem->stiffness;
    return true;
}

/* "JOINT" or "JOINT:NUMBER" of an option that may be repeated. */
static int read_stiffness(const cli_arguments *arguments, const char *option, double value,
                          reach_problem *problem)
{
    const char *text;
    for (int n = 0; (text = cli_value_at(arguments, option, n)) != NULL; n++) {
        char name[200];
        const char *colon = strrchr(text, ':');
        bool has_number = value == 0; /* --stiff */
        size_t length = has_number && colon ? (size_t)(colon - text) : strlen(text);
        double given = value;
        const char *end = text + strlen(text);
        if (has_number && (!colon || snw_parse_double(colon + 1, end, &given) != end ||
                           !(given >= 1e-6 && given <= 1e6)))
            return cli_misuse(arguments, "%s takes JOINT:NUMBER from 1e-6 to 1e6, not \"%s\"",
                              option, text);
        snw_format(name, sizeof name, "%.*s", (int)length, text);
        int joint = snw_skeleton_find_joint(problem->body, name);
        if (joint < 0) return reach_complain_joint(arguments, problem->body, option, name);
        if (!make_stiffness(arguments, problem)) return CLI_FAILED;
        problem->stiffness[joint] = given;
    }
    return CLI_DONE;
}

static int read_posture(const cli_arguments *arguments, reach_problem *problem)
{
    const char *posture = cli_value(arguments, "--posture", "limbs");
    const char *from = cli_value(arguments, "--from", NULL);
    double turn_deg = 0;
    int64_t nearest = 1;
    if (!cli_integer(arguments, "--nearest", 1, 1000000, &nearest)) return CLI_USAGE;
    problem->options.nearest_count = (int)nearest;
    if (!cli_number(arguments, "--turn-max", 1e-6, 360, &turn_deg)) return CLI_USAGE;
    if (strcmp(posture, "limbs") != 0 && strcmp(posture, "all") != 0)
        return cli_misuse(arguments, "--posture is limbs or all, not \"%s\"", posture);
    if (strcmp(posture, "limbs") == 0) problem->options.posture = SNW_IK_POSTURE_LIMBS;
    if (turn_deg > 0) problem->options.turn_max = snw_radians(turn_deg);
    problem->options.chain_root = from ? snw_skeleton_find_joint(problem->body, from) : -1;
    if (from && problem->options.chain_root < 0)
        return reach_complain_joint(arguments, problem->body, "--from", from);
    int status = read_stiffness(arguments, "--lock", INFINITY, problem);
    return status == CLI_DONE ? read_stiffness(arguments, "--stiff", 0, problem) : status;
}

/* The start is where the whole run begins, not each frame: a path that closes ends as it began. */
static int read_preference(const cli_arguments *arguments, reach_problem *problem)
{
    const char *solver = cli_value(arguments, "--solver", "auto");
    bool is_served = (strcmp(solver, "auto") == 0 || strcmp(solver, "lm") == 0) &&
                     !cli_flag(arguments, "--style"); /* which says itself what is preferred */
    const char *prefer = cli_value(arguments, "--prefer", is_served ? "start" : "none");
    problem->options.preferred = problem->start;
    if (strcmp(prefer, "start") == 0)
        problem->options.prefer = SNW_IK_PREFER_GIVEN;
    else if (strcmp(prefer, "rest") == 0)
        problem->options.prefer = SNW_IK_PREFER_REST;
    else if (strcmp(prefer, "none") != 0)
        return cli_misuse(arguments, "--prefer is start, rest or none, not \"%s\"", prefer);
    return CLI_DONE;
}

static int read_style(const cli_arguments *arguments, reach_problem *problem)
{
    const char *path = cli_value(arguments, "--style", NULL);
    if (!cli_number(arguments, "--style-weight", 1e-6, 1e6, &problem->options.style_weight))
        return CLI_USAGE;
    if (!path) return CLI_DONE;
    problem->style = cli_read_style(arguments, path);
    if (!problem->style) return CLI_FAILED;
    int *joint_of = calloc((size_t)problem->style->joint_count, sizeof *joint_of);
    int known = joint_of ? snw_style_match(problem->style, problem->body, joint_of) : 0;
    free(joint_of);
    if (known == 0)
        return cli_fail(arguments,
                        "%s knows no joint of %s: a style serves the rig it was learned "
                        "from",
                        path, problem->name);
    if (known < problem->style->joint_count)
        cli_note(arguments, "the body has %d of the %d joints of %s", known,
                 problem->style->joint_count, path);
    problem->options.style = problem->style;
    return CLI_DONE;
}

int reach_problem_read(const cli_arguments *arguments, reach_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->rate = 1;
    problem->options = snw_ik_options_default();
    int status = read_body(arguments, problem);
    if (status == CLI_DONE) status = read_goals(arguments, problem);
    if (status == CLI_DONE) status = blend_goals(arguments, problem);
    if (status == CLI_DONE) status = read_swivels(arguments, problem);
    if (status == CLI_DONE) status = read_shapes(arguments, problem);
    if (status == CLI_DONE) status = read_targets(arguments, problem);
    if (status == CLI_DONE) status = read_options(arguments, problem);
    if (status == CLI_DONE) status = read_posture(arguments, problem);
    if (status == CLI_DONE) status = read_preference(arguments, problem);
    if (status == CLI_DONE) status = read_style(arguments, problem);
    if (status == CLI_DONE && problem->goal_count == problem->apart_count &&
        !cli_flag(arguments, "--map"))
        return cli_misuse(arguments, "it needs a goal: --goal JOINT:X,Y,Z, or --targets FILE");
    return status;
}

void reach_problem_release(reach_problem *problem)
{
    free(problem->stiffness);
    free(problem->shapes);
    free(problem->hull_points);
    snw_style_destroy(problem->style);
    snw_trial_destroy(problem->targets);
    snw_pose_destroy(problem->start);
    snw_skeleton_destroy(problem->body);
}
