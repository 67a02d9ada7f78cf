/* `sinew ik`: reaches with a body, by one method or by all of them side by side. */
#include <string.h>

#include "draw/picture.h"
#include "output.h"
#include "reach.h"

/* "auto fabrik ...", from the library's one list. */
#define IK_SOLVER_WORD(enumerator, name, text) name " "
#define IK_SOLVER_NAMES                        SNW_IK_SOLVER_MAP(IK_SOLVER_WORD) "all"

/* ---- picture ------------------------------------------------------------------------------ */

typedef struct reach_sketch {
    const reach_problem *problem;
    const reach_answer *answer;
} reach_sketch;

/* So many goals are told below the picture. */
#define REACH_NOTES_MAX 12

static bool has_place(snw_goal_kind kind)
{
    return kind != SNW_GOAL_ORIENTATION && kind != SNW_GOAL_AXES && kind != SNW_GOAL_VALUE &&
           kind != SNW_GOAL_REST && kind != SNW_GOAL_APART;
}

static bool draw_reach(FILE *out, const void *context)
{
    const reach_sketch *sketch = context;
    const reach_problem *problem = sketch->problem;
    snw_goal goals[REACH_GOALS_MAX];
    snw_vec3 targets[REACH_GOALS_MAX];
    int target_count = 0;
    memcpy(goals, problem->goal, sizeof goals);
    for (int frame = 0; problem->targets && frame < problem->frame_count; frame++)
        reach_goals_at(problem, frame, goals);
    for (int g = 0; g < problem->goal_count; g++)
        if (has_place(goals[g].kind)) targets[target_count++] = goals[g].position;
    cli_picture_pose items[2] = {{problem->start, "start", "#b0bec5"},
                                 {sketch->answer->pose, "answer", "#2c3e50"}};
    char text[REACH_NOTES_MAX][160];
    const char *note[REACH_NOTES_MAX];
    int note_count = 0;
    for (int g = 0; g < problem->goal_count && note_count < REACH_NOTES_MAX; g++) {
        if (problem->goal[g].kind == SNW_GOAL_APART) continue;
        char residual[80];
        int joint = problem->goal[g].joint;
        reach_format_residual(
            problem->body, problem->goal + g, snw_ik_residual(sketch->answer->ik)[g],
            snw_ik_turn_residual(sketch->answer->ik)[g], residual, sizeof residual);
        snw_format(text[note_count], sizeof text[note_count], "%s: %s from its goal",
                   joint < 0 ? "all" : problem->body->name[joint], residual);
        note[note_count] = text[note_count];
        note_count++;
    }
    cli_picture picture = {.title = snw_ik_solver_name(sketch->answer->solver),
                           .pose_count = 2,
                           .pose = items,
                           .target_count = target_count,
                           .target = targets,
                           .has_names = true,
                           .note_count = note_count,
                           .note = note};
    cli_picture_draw(&picture, out);
    return true;
}

/* ---- running ------------------------------------------------------------------------------ */

/* Joint values, not markers: a table of them is no format of the library. */
static bool is_table(const char *path)
{
    return snw_format_from_name(path) == SNW_FORMAT_CSV;
}

int reach_write_motion(const cli_arguments *arguments, const snw_motion *motion)
{
    const char *output = cli_value(arguments, "--output", NULL);
    snw_error error;
    if (!output) return CLI_DONE;
    if (is_table(output)) return cli_write_whole(arguments, output, reach_write_values, motion);
    if (snw_write_motion_file(output, cli_flag(arguments, "--force"), motion, NULL, &error) !=
        SNW_OK)
        return cli_fail_writing(arguments, &error);
    return CLI_DONE;
}

static int write_files(const cli_arguments *arguments, const reach_problem *problem,
                       const reach_answer *answer)
{
    const char *svg = cli_value(arguments, "--svg", NULL);
    static const char *const outputs[] = {"--output", "--svg", NULL};
    reach_sketch sketch = {problem, answer};
    int status = cli_check_output_options(arguments, outputs);
    if (svg && status == CLI_DONE) status = cli_write_whole(arguments, svg, draw_reach, &sketch);
    return status == CLI_DONE ? reach_write_motion(arguments, answer->motion) : status;
}

static void print_answers(const cli_arguments *arguments, const reach_problem *problem,
                          const reach_answer *answers, int count)
{
    if (cli_flag(arguments, "--json"))
        reach_print_json(problem, answers, count);
    else
        reach_print_table(problem, answers, count);
}

static int run_one(const cli_arguments *arguments, const reach_problem *problem,
                   snw_ik_solver solver)
{
    reach_answer answer;
    int status = reach_solve(arguments, problem, solver, &answer);
    if (status == CLI_DONE && !answer.is_served) status = cli_fail(arguments, "%s", answer.refusal);
    if (status == CLI_DONE && cli_flag(arguments, "--trajectory")) {
        status = reach_trajectory(arguments, problem, &answer);
        reach_answer_release(&answer);
        return status;
    }
    if (status == CLI_DONE) status = write_files(arguments, problem, &answer);
    if (status == CLI_DONE) print_answers(arguments, problem, &answer, 1);
    reach_answer_release(&answer);
    return status;
}

static int run_all(const cli_arguments *arguments, const reach_problem *problem)
{
    reach_answer answers[SNW_IK_SOLVER_COUNT];
    int status = CLI_DONE, count = 0;
    if (cli_flag(arguments, "--output") || cli_flag(arguments, "--svg"))
        return cli_misuse(arguments, "--output and --svg show one answer: name one --solver");
    while (status == CLI_DONE && count < SNW_IK_SOLVER_COUNT) {
        status = reach_solve(arguments, problem, (snw_ik_solver)count, answers + count);
        count++;
    }
    if (status == CLI_DONE) print_answers(arguments, problem, answers, count);
    for (int n = 0; n < count; n++)
        reach_answer_release(answers + n);
    return status;
}

static int check_output_name(const cli_arguments *arguments)
{
    const char *output = cli_value(arguments, "--output", NULL);
    if (!output || is_table(output) || snw_format_writes_motion(snw_format_from_name(output)))
        return CLI_DONE;
    return cli_misuse(arguments,
                      "--output %s: a motion is written as .bvh, .glb, .asf, .amc, .mot or .csv",
                      output);
}

static int run_ik(const cli_arguments *arguments)
{
    const char *name = cli_value(arguments, "--solver", "auto");
    bool is_all = strcmp(name, "all") == 0;
    int solver = snw_ik_solver_find(name);
    if (!is_all && solver < 0) return cli_misuse(arguments, "there is no solver \"%s\"", name);
    int status = check_output_name(arguments);
    if (status != CLI_DONE) return status;
    if (cli_flag(arguments, "--stairs") || cli_flag(arguments, "--gaze"))
        return reach_over_motion(arguments);
    reach_problem problem;
    status = reach_problem_read(arguments, &problem);
    if (status == CLI_DONE && cli_flag(arguments, "--map"))
        status = reach_map(arguments, &problem);
    else if (status == CLI_DONE && cli_flag(arguments, "--all-solutions"))
        status = reach_all_solutions(arguments, &problem);
    else if (status == CLI_DONE && cli_flag(arguments, "--step"))
        status = reach_step(arguments, &problem);
    else if (status == CLI_DONE)
        status = is_all ? run_all(arguments, &problem)
                        : run_one(arguments, &problem, (snw_ik_solver)solver);
    reach_problem_release(&problem);
    return status;
}

static const cli_option ik_options[] = {
    {"--body", "-b", "NAME", "a ready-made body (see sinew body) instead of FILE"},
    {"--frame", NULL, "N", "start from frame N of FILE, counted from 1 (default: 1)"},
    {"--asf", NULL, "FILE", "the body of FILE, when that is an AMC motion"},
    {"--unit", NULL, "MM", "millimetres in one unit of files that do not say theirs (BVH, ASF)"},
    {"--goal", "-g", "J:X,Y,Z", "joint J comes to X,Y,Z (mm)"},
    {"--move", NULL, "J:DX,DY,DZ", "joint J comes this far from where it is at the start (mm)"},
    {"--turn", NULL, "J:A,B,C[:S,S,S]",
     "J turns to A,B,C (degrees about X, the new Y, the newest Z); S: what a turn about each of "
     "its axes counts, 0 to 1"},
    {"--pose", NULL, "J:X,Y,Z:A,B,C", "both"},
    {"--aim", NULL, "J:X,Y,Z[:DX,DY,DZ]",
     "J's own direction D points at X,Y,Z (default: its bone; of a head: where it looks)"},
    {"--pole", NULL, "J[,ROOT,TIP]:X,Y,Z",
     "J (an elbow, a knee) bends towards X,Y,Z; limb from ROOT to TIP"},
    {"--swivel", NULL, "J:DEG", "J (an elbow, a knee) turns outwards by DEG about its limb's line"},
    {"--blend", NULL, "P", "goals lie only P (0 to 1) of the way from the start (default: 1)"},
    {"--line", NULL, "J:X,Y,Z:DX,DY,DZ", "J lies on the line through X,Y,Z along D"},
    {"--plane", NULL, "J:X,Y,Z:NX,NY,NZ", "J lies in the plane through X,Y,Z with normal N"},
    {"--floor", NULL, "J:X,Y,Z:NX,NY,NZ", "J lies in that plane or on the side of N"},
    {"--value", NULL, "J:V[:K]", "coordinate K (from 1; default 1) of J is V (degrees or mm)"},
    {"--rest", NULL, "J", "J, or all, is drawn to rest as far as the other goals leave room"},
    {"--obstacle", NULL, "X,Y,Z:R",
     "a ball in the world (mm) through which no bone passes; X,Y,Z:X,Y,Z:R a capsule, X,Y,Z:A,B,C "
     "a "
     "box, plane:X,Y,Z:NX,NY,NZ a plane; may be repeated"},
    {"--shapes", NULL, "bones|mass|file",
     "what does not pass: bones of --thick, as thick as their masses, or a URDF's or MJCF's "
     "collision shapes, meshes as their hulls"},
    {"--thick", NULL, "MM",
     "bones are so thick and do not pass through each other (default with --obstacle: 60)"},
    {"--margin", NULL, "MM", "--obstacle, --thick: so far apart (default: 0)"},
    {"--stairs", NULL, "RISE,RUN",
     "the motion of FILE over stairs (mm): pelvis, legs and feet follow the ground"},
    {"--gaze", NULL, "X,Y,Z", "spine, chest, neck and head of FILE's motion look there (mm)"},
    {"--targets", "-t", "FILE", "positions over time: a marker file whose names are joints"},
    {"--solver", "-s", "NAME", "the method, or all for a table of them (default: auto)"},
    {"--all-solutions", NULL, NULL,
     "every answer of an arm to one --pose; of seven hinges the curves they form"},
    {"--hold", NULL, "J:DEG",
     "--all-solutions: of seven hinges J stays at DEG: eight answers at most"},
    {"--map", NULL, "J",
     "how much of the space about the body J reaches, and how it can be turned"},
    {"--cell", NULL, "MM", "--map: in cubes of this size (default: an eighth of the reach)"},
    {"--directions", NULL, "N",
     "--map: of J's z axis, in every cube; 0: places alone (default: 32)"},
    {"--rolls", NULL, "N", "--map: turns about each of them (default: 1)"},
    {"--threads", NULL, "N", "--map: on N threads, the same bits (default: 1)"},
    {"--device", NULL, "NAME", "--map: cpu, opencl, opencl:2 or auto (default: cpu)"},
    {"--step", NULL, "HZ", "follow the goals in time, HZ steps a second, until they are met"},
    {"--seconds", NULL, "S", "--step: so long at most (default: 10, or as long as --targets)"},
    {"--gain", NULL, "G", "--step: the part of an error made good per second (default: 10)"},
    {"--trajectory", NULL, "HZ",
     "from the start to the answer, or along --targets, as fast as the limits allow"},
    {"--speed", NULL, "DEG[,MM]",
     "--step, --trajectory: no joint turns (slides) faster per second (trajectory: 90,500)"},
    {"--acceleration", NULL, "DEG[,MM]", "the same for its acceleration (trajectory: 360,2000)"},
    {"--jerk", NULL, "DEG[,MM]", "the same for the change of that"},
    {"--root", NULL, "fixed|free", "may the whole body move? (default: fixed)"},
    {"--posture", NULL, "limbs|all",
     "limbs reach first and the trunk helps, or all joints alike (default: limbs)"},
    {"--prefer", NULL, "start|rest|none",
     "of all poses that reach, the nearest to this one (default: start, with auto and lm)"},
    {"--nearest", NULL, "N", "of N answers the one that turns joints least (default: the first)"},
    {"--from", NULL, "J", "only J and what hangs on it may move"},
    {"--lock", NULL, "J", "J stays as it is; may be repeated"},
    {"--stiff", NULL, "J:K", "J turns K times less readily than others; may be repeated"},
    {"--turn-max", NULL, "DEG", "no joint turns by more than this from the start"},
    {"--style", NULL, "STYLE", "poses as sinew learn has found them in motions"},
    {"--style-weight", NULL, "W", "how much the style counts against the goals (default: 1)"},
    {"--no-limits", NULL, NULL, "solve as if no joint had limits"},
    {"--tolerance", NULL, "MM", "a position this near is reached (default: 1e-4 body sizes)"},
    {"--turn-tolerance", NULL, "DEG", "the same for turns (default: 0.057)"},
    {"--iterations", NULL, "N", "at most N iterations (default: 500)"},
    {"--seed", NULL, "N", "of every random choice (default: as the library)"},
    {"--svg", NULL, "FILE", "draw start and answer, or slices of the map"},
    {"--output", "-o", "FILE",
     "write the solved motion (.bvh, .glb, .amc, .mot; .csv: joint values, or the map)"},
    {"--force", "-f", NULL, "overwrite FILE"},
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_ik_command = {
    "ik",
    "reach with a body: goals for its joints, by any method or all of them",
    "[FILE]",
    "Lengths are millimetres, angles degrees. FILE holds a skeleton (BVH, ASF, AMC) or a robot\n"
    "(URDF, MJCF; by the names of links, bodies or joints). Goals may be repeated and\n"
    "mixed. J/tip is the end of J's bone; *2 at the end of a goal doubles its weight, @1\n"
    "makes it second to all goals without (a strict priority, lower numbers first). --targets\n"
    "reads any marker file (CSV, TRC, C3D) with one row per frame; markers named like a joint (or\n"
    "joint/tip) are its positions, a missing one stays where it was last seen, and every frame\n"
    "starts from the answer of the one before. Outcomes are part of the answer: exit 0 when there\n"
    "is an answer, 1 when the method does not serve the problem.\n\n"
    "solvers: " IK_SOLVER_NAMES "\n\n"
    "examples:\n"
    "  sinew ik --body humanoid --goal left_wrist:300,400,400\n"
    "  sinew ik --body humanoid --goal left_wrist:300,400,400 --pole left_elbow:400,0,-300\n"
    "  sinew ik --body humanoid --goal left_wrist:350,250,350 --from left_shoulder\n"
    "  sinew ik --body humanoid --goal left_wrist:300,400,400 --goal right_wrist:-900,0,0@1\n"
    "  sinew ik --body humanoid --aim head:500,600,1500\n"
    "  sinew ik --body chain10 --goal joint10:300,500,100 --solver all\n"
    "  sinew ik walk.bvh --frame 20 --move LeftHand:0,200,100 --svg reach.svg\n"
    "  sinew ik walk.bvh --stairs 100,300 -o climb.bvh --svg climb.svg\n"
    "  sinew ik --body humanoid --goal left_wrist:300,400,400 --swivel left_elbow:40 --blend 0.5\n"
    "  sinew ik arm.urdf --pose tool0:400,100,300:180,0,0\n"
    "  sinew ik --body panda --goal tool:400,300,400 --obstacle 250,150,500:100 --margin 10\n"
    "  sinew ik --body ur5 --pose tool:400,100,300:180,0,0 --all-solutions\n"
    "  sinew ik --body panda --map tool --cell 200 --svg map.svg -o map.csv\n"
    "  sinew ik --body panda --move tool:100,0,200 --step 1000 --speed 60 --acceleration 300\n"
    "  sinew ik --body ur5 --goal tool:400,100,300 --trajectory 125 --jerk 3600 -o way.csv\n"
    "  sinew ik --body humanoid --targets hands.csv -o reach.bvh",
    ik_options,
    0,
    1,
    run_ik,
};
