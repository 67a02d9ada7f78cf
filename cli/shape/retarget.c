/* `sinew retarget`: a motion carried to another character. */
#include <string.h>

#include "command.h"
#include "input.h"
#include "many/many.h"
#include "output.h"
#include "shape/figure.h"
#include "shape/shape_body.h"
#include "text.h"

static void print_report(const char *out, const snw_motion *motion,
                         const snw_retarget_report *report)
{
    cli_print_path(out);
    printf("%d frame%s on %d joints, of which %d stay at rest; legs %.3f times as long\n",
           motion->frame_count, cli_s(motion->frame_count), motion->skeleton->joint_count,
           report->still_count, report->scale);
    printf("  feet stand %d time%s, %d frames; they slide %.1f mm there (%.1f mm before)\n",
           report->stance_count, cli_s(report->stance_count), report->planted_frame_count,
           1000 * report->foot_slide, 1000 * report->foot_slide_before);
    printf("  ankles are off by up to %.1f mm, wrists by %.1f mm\n", 1000 * report->foot_error,
           1000 * report->hand_error);
    printf("  largest turn of a joint in one frame %.1f degrees (%.1f before)\n",
           snw_degrees(report->jump), snw_degrees(report->jump_before));
    if (report->limited_count)
        printf("  limits and types of joints cut in %d times\n", report->limited_count);
}

static void print_json(const char *out, const snw_motion *motion, const snw_retarget_report *report)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "output", out);
    cli_json_integer(&json, "frames", motion->frame_count);
    cli_json_integer(&json, "joints", motion->skeleton->joint_count);
    cli_json_integer(&json, "joints_mapped", report->mapped_count);
    cli_json_integer(&json, "joints_still", report->still_count);
    cli_json_number(&json, "scale", report->scale);
    cli_json_integer(&json, "stances", report->stance_count);
    cli_json_integer(&json, "planted_frames", report->planted_frame_count);
    cli_json_number(&json, "foot_slide_mm", 1000 * report->foot_slide);
    cli_json_number(&json, "foot_slide_before_mm", 1000 * report->foot_slide_before);
    cli_json_number(&json, "foot_error_mm", 1000 * report->foot_error);
    cli_json_number(&json, "hand_error_mm", 1000 * report->hand_error);
    cli_json_number(&json, "jump_deg", snw_degrees(report->jump));
    cli_json_number(&json, "jump_before_deg", snw_degrees(report->jump_before));
    cli_json_integer(&json, "limited", report->limited_count);
    cli_json_end_object(&json);
}

/* The character's own surface, where its file and the output can hold one; none is no fault. */
static int read_own_skin(const cli_arguments *arguments, const char *to, const char *out,
                         snw_skin **skin)
{
    snw_character character = {NULL, NULL};
    snw_format_kind kind = snw_detect_file(to);
    snw_status status = SNW_OK;
    snw_error error;
    if ((kind == SNW_FORMAT_GLB || kind == SNW_FORMAT_VRM) && cli_holds_skin(out))
        status = snw_read_character_file(to, NULL, NULL, &character, NULL, &error);
    snw_motion_destroy(character.motion);
    *skin = character.skin;
    return status == SNW_OUT_OF_MEMORY ? cli_fail(arguments, "%s", error.message) : CLI_DONE;
}

static int write_motion(const cli_arguments *arguments, const char *to, const char *out,
                        const snw_motion *motion)
{
    snw_write_options options = snw_write_options_default();
    snw_skin *skin = NULL;
    snw_error error;
    int status = CLI_DONE;
    if (cli_flag(arguments, "--skin")) {
        if (!cli_holds_skin(out))
            return cli_misuse(arguments, "--skin is for GLB and VRM, not for %s", out);
        status = cli_make_skin(arguments, NULL, motion->skeleton, &skin);
    } else {
        status = read_own_skin(arguments, to, out, &skin);
    }
    options.skin = skin;
    if (cli_is_robot(to)) options.up = SNW_UP_Z;
    if (status == CLI_DONE && snw_write_motion_file(out, cli_flag(arguments, "--force"), motion,
                                                    &options, &error) != SNW_OK)
        status = cli_fail_writing(arguments, &error);
    snw_skin_destroy(skin);
    return status;
}

static int carry(const cli_arguments *arguments, const char *to, const char *out)
{
    snw_retarget_options options = snw_retarget_options_default();
    snw_retarget_report report;
    static cli_body_motion source; /* notes of both: 19 kB each */
    static cli_content character;
    snw_motion *carried = NULL;
    snw_error error;
    memset(&character, 0, sizeof character);
    int status = cli_read_body_motion(arguments, arguments->operand[0], &source);
    snw_motion *body = status == CLI_DONE ? cli_read_body(arguments, to, &character) : NULL;
    if (status == CLI_DONE && !body) status = CLI_FAILED;
    options.report = &report;
    options.up = source.up;
    if (cli_is_robot(to)) options.character_up = snw_vec3_make(0, 0, 1);
    options.has_feet = !cli_flag(arguments, "--no-feet");
    options.has_hands = !cli_flag(arguments, "--no-hands");
    if (status == CLI_DONE && snw_motion_retarget(source.motion, body->skeleton, &options, NULL,
                                                  &carried, &error) != SNW_OK)
        status = cli_fail(arguments, "%s to %s: %s", arguments->operand[0], to, error.message);
    if (status == CLI_DONE) {
        carried->metres_per_unit = body->metres_per_unit;
        status = write_motion(arguments, to, out, carried);
    }
    if (status == CLI_DONE && arguments->row) {
        arguments->row->frame_count = carried->frame_count;
        arguments->row->joint_count = carried->skeleton->joint_count;
        arguments->row->rate = carried->rate;
        snw_format(arguments->row->message, sizeof arguments->row->message,
                   "feet slide by up to %.1f mm", 1000 * report.foot_slide);
    }
    if (status == CLI_DONE && cli_flag(arguments, "--json"))
        print_json(out, carried, &report);
    else if (status == CLI_DONE)
        print_report(out, carried, &report);
    snw_motion_destroy(carried);
    cli_release_content(&character);
    cli_release_body_motion(&source);
    return status;
}

/* Motions, and captures, which are solved. */
static bool is_source(snw_format_kind kind)
{
    return snw_format_reads_motion(kind) || snw_format_reads_trial(kind);
}

static int run_retarget(const cli_arguments *arguments)
{
    static const cli_many_kind many = {"bvh", false, is_source, false};
    if (cli_flag(arguments, "--to") && cli_is_many(arguments, &many))
        return cli_run_many(arguments, &many);
    static const char *const outputs[] = {"--output", NULL};
    const char *out = cli_value(arguments, "--output", NULL);
    const char *to = cli_value(arguments, "--to", NULL);
    if (!to) return cli_misuse(arguments, "it needs a character: --to FILE or a ready-made body");
    if (!out) return cli_misuse(arguments, "it needs a file to write: -o OUT");
    int status = cli_check_output_options(arguments, outputs);
    if (status == CLI_DONE) status = cli_check_not_input(arguments, out, false, outputs);
    return status == CLI_DONE ? carry(arguments, to, out) : status;
}

static const cli_option retarget_options[] = {
    {"--to", NULL, "CHARACTER",
     "BVH, GLB, VRM, ASF, URDF, MJCF, or a ready-made body (sinew body lists them)"},
    {"--output", "-o", "OUT", ".bvh, .glb, .vrm or .mot: the motion on the character"},
    {"--no-feet", NULL, NULL, "do not plant feet, nor put them where the other's are"},
    {"--no-hands", NULL, NULL, "do not put wrists where the other's are"},
    {"--skin", NULL, NULL, "GLB, VRM: a person's surface on a character that rests in a T"},
    CLI_FIGURE_OPTIONS,
    CLI_SKIN_OPTIONS,
    {"--asf", NULL, "FILE", "the body of an AMC motion"},
    CLI_INPUT_UNIT_OPTION,
    CLI_LENIENT_OPTION,
    CLI_AS_OPTION,
    CLI_JOBS_OPTION,
    CLI_SHARD_OPTION,
    CLI_FILES_OPTION,
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_retarget_command = {
    "retarget",
    "carry a motion to another character",
    "MOTION...",
    "MOTION is BVH, GLB, AMC with --asf, or a capture, which is solved first. Bones are known by "
    "their "
    "names\n"
    "in the words of Sinew, Mixamo, HumanIK, Unreal, Rigify, VRM, Acclaim. Both bodies are put in "
    "a T;\n"
    "bones turn alike, hips and feet go the same way scaled by the legs, feet that stand are "
    "planted,\n"
    "wrists are at the same place from the shoulder, scaled by the arm. A character in GLB or VRM "
    "keeps\n"
    "its surface where OUT is one. Robots with two legs need no names: they step where the other "
    "does,\n"
    "inside their limits.\n"
    "Several files, or a folder, go into the folder of -o, one process each; what is done is not "
    "done "
    "again.\n\n"
    "examples:\n"
    "  sinew retarget walk.bvh --to dancer.bvh -o dancer-walks.bvh\n"
    "  sinew retarget walk.c3d --to hero.vrm -o hero.glb\n"
    "  sinew retarget motions/ --to dancer.bvh -o carried/ --as glb\n"
    "  sinew retarget walk.bvh --to humanoid -o body.glb --skin --people women\n"
    "  sinew retarget walk.bvh --to biped.urdf -o robot.mot     joint values by their names",
    retarget_options,
    1,
    CLI_OPERANDS_MAX,
    run_retarget,
};
