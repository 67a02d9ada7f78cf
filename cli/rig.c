#include "rig.h"

#include <string.h>

#include "input.h"

/* `avatar --rest FILE` is something else. */
static bool has_rest_option(const cli_arguments *arguments)
{
    for (const cli_option *o = arguments->command->options; o->name; o++)
        if (strcmp(o->name, "--rest") == 0) return strcmp(o->value, "POSE") == 0;
    return false;
}

static int read_options(const cli_arguments *arguments, snw_format_kind kind,
                        snw_rig_options *options)
{
    const char *names = cli_value(arguments, "--names", kind == SNW_FORMAT_VRM ? "vrm" : "keep");
    const char *rest =
        has_rest_option(arguments) ? cli_value(arguments, "--rest", "t-pose") : "t-pose";
    *options = snw_rig_options_default();
    int scheme = snw_rig_names_find(names);
    if (scheme < 0)
        return cli_misuse(arguments,
                          "--names takes keep, humanik, mixamo, unreal, blender or vrm, not \"%s\"",
                          names);
    options->names = (snw_rig_names)scheme;
    options->has_t_pose = strcmp(rest, "t-pose") == 0;
    if (!options->has_t_pose && strcmp(rest, "captured") != 0)
        return cli_misuse(arguments, "--rest takes t-pose or captured, not \"%s\"", rest);
    /* BVH has no frames of its own at rest. Unreal's bones lie along x, the others' along y. */
    if (kind == SNW_FORMAT_VRM && (options->names != SNW_RIG_VRM || !options->has_t_pose))
        return cli_misuse(arguments, "VRM has its own names and rests in a T: leave %s away",
                          options->has_t_pose ? "--names" : "--rest");
    if (kind == SNW_FORMAT_GLB && options->has_t_pose)
        options->bone_axis = options->names == SNW_RIG_UNREAL ? 'x' : 'y';
    options->has_root = options->names == SNW_RIG_UNREAL;
    options->is_on_floor = cli_flag(arguments, "--floor");
    options->has_foot_lock = cli_flag(arguments, "--foot-lock");
    options->is_symmetric = cli_flag(arguments, "--symmetric");
    return CLI_DONE;
}

int cli_rig(const cli_arguments *arguments, const char *path, const snw_motion *motion,
            snw_up_axis up, bool is_wanted, cli_rigged *out)
{
    static const char *const options_of_rigs[] = {"--names", "--rest", "--floor", "--foot-lock",
                                                  "--symmetric"};
    snw_format_kind kind = snw_format_from_name(path);
    const char *asked = NULL;
    for (int n = 4; n >= 0; n--)
        if (cli_flag(arguments, options_of_rigs[n]) && (n != 1 || has_rest_option(arguments)))
            asked = options_of_rigs[n];
    *out = (cli_rigged){motion, up, NULL, out->actor};
    snw_rig_options options;
    int code = read_options(arguments, kind, &options);
    if (code != CLI_DONE) return code;
    if (kind != SNW_FORMAT_BVH && kind != SNW_FORMAT_GLB && kind != SNW_FORMAT_VRM)
        return asked ? cli_misuse(arguments, "%s is for BVH, GLB and VRM, not for %s", asked, path)
                     : CLI_DONE;
    if (!asked && !is_wanted && kind != SNW_FORMAT_VRM) return CLI_DONE;
    if (up != SNW_UP_UNKNOWN) options.up = snw_up_direction(up);
    for (int side = 0; out->actor && side < SNW_SIDES; side++)
        options.thumb[side] = snw_actor_thumb(out->actor, (snw_side)side);
    snw_error error;
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_status status = snw_motion_to_rig(motion, &options, NULL, &out->own_motion, &notes, &error);
    if (status == SNW_UNSUPPORTED && !asked && kind != SNW_FORMAT_VRM) {
        cli_note(arguments, "%s; the rest pose is one of the capture", error.message);
        return CLI_DONE;
    }
    if (status != SNW_OK) return cli_fail(arguments, "%s", error.message);
    cli_print_notes(arguments, &notes);
    out->own_motion->metres_per_unit = motion->metres_per_unit;
    out->motion = out->own_motion;
    out->up = SNW_UP_Y;
    return CLI_DONE;
}

void cli_rig_release(cli_rigged *rigged)
{
    snw_motion_destroy(rigged->own_motion);
    memset(rigged, 0, sizeof *rigged);
}
