/* `sinew bench` as help, manual and completion know it, in `sinew` and in `sinew-bench` alike. */
#include "command.h"

static const cli_option bench_options[] = {
    {"--case", "-c", "NAME", "only this case; may be repeated (default: all)"},
    {"--solver", "-s", "NAME", "only this method; may be repeated (default: all)"},
    {"--count", "-n", "N", "targets per case (default: 1000)"},
    {"--budget", NULL, "SECONDS", "per case and method other than auto (default: 0.5)"},
    {"--rounds", NULL, "N", "repeat auto, batch and the peers, tell medians (default: 1)"},
    {"--targets", "-t", "FOLDER", "with targets.txt, humanoid.txt, cone.txt (or SINEW_IK_TARGETS)"},
    {"--peer", NULL, "NAME=PROGRAM", "also run PROGRAM in that folder; its rows are called NAME"},
    {"--goals", NULL, NULL, "say which goals are met"},
    {"--tables", NULL, NULL, "the tables of the FABRIK thesis beside ours"},
    {"--limits", NULL, NULL, "how often methods reach, by kind of limit (--count N targets)"},
    {"--robots", NULL, NULL, "published robot arms at 1e-5 m and rad (--count N poses)"},
    {"--servo", NULL, NULL, "steps in time: cost, lag, limits crossed (--count N steps)"},
    {"--steady", NULL, NULL, "out of reach, solved again, rest, starts near an answer (--count N)"},
    {"--batch", NULL, NULL, "bodies with limits, many problems at once against one by one"},
    {"--apart", NULL, NULL,
     "among obstacles: answers that pass through, cost (--count N problems)"},
    {"--figures", NULL, "FOLDER", "draw figures 3.17, 3.18, 3.20, 3.22 of the thesis anew (SVG)"},
    {"--growth", NULL, "FILE", "draw how cost grows with joints, effectors and reach (SVG)"},
    {"--soak", NULL, "N", "N random solves per method and kind of limit; all limits must hold"},
    {"--runs", NULL, "N", "occlusion: captures (default: 20)"},
    {"--gaps", NULL, "FILE", "occlusion: draw the error against the length of gaps (SVG)"},
    {"--figure", NULL, "FILE", "occlusion: draw figure 4.15 of the thesis anew (SVG)"},
    {"--capture", NULL, "IN", "occlusion: of this capture, not of synthetic ones"},
    {"--force", "-f", NULL, "overwrite FILE"},
    {NULL, NULL, NULL, NULL},
};

extern const cli_command cli_bench_command;
const cli_command cli_bench_command = {
    "bench",
    "measure solvers and predictions on fixed workloads",
    "ik | see | occlusion | hand | bodies | views | avatar [MOTION ...] | style MOTION ... | "
    "segments "
    "[CAPTURE ...] "
    "|\n"
    "       reach-table [JOINT ...]",
    "ik: one row per case and method: microseconds per solve (best of 5 per target; median and p99 "
    "over\n"
    "targets), mean iterations, share of targets answered rightly, worst error in metres or "
    "radians,\n"
    "answers outside joint limits, allocations during solves. Errors are measured anew from the\n"
    "pose. Targets are made from fixed seeds unless a folder is given. Times mean something only\n"
    "beside each other in one run on a quiet machine.\n\n"
    "see: captures in trouble, each figure beside its goal: noise, gaps, exchanged labels, few\n"
    "markers, sliding skin, several bodies, many markers, actors of another trial, the smoother;\n"
    "with SINEW_CORPUS real motions and captures too. --case WORD takes the rows that hold the\n"
    "word.\n\n"
    "occlusion: markers of segments vanish from synthetic captures; errors of every way to "
    "predict\n"
    "them live and to fill them offline, in centimetres, beside tables 4.1 to 4.3 of the thesis\n"
    "of FABRIK; segment pairs a second. Then the same on captures of people in the folder that\n"
    "SINEW_CORPUS names, with cameras around them and segments vanishing as seen from there. "
    "--figure\n"
    "draws a hidden marker's path, error and distribution of errors as figure 4.15 does, and "
    "says\n"
    "where the thesis' ranking is not reproduced.\n\n"
    "hand: Table 5.2 of that thesis (100, 10, 3 Hz) beside ours, and how far joints are from the\n"
    "truth. avatar: the elbow methods on motions with trackers put on them, each taught by the\n"
    "other motions: centimetres, degrees of swivel, largest elbow step over hand step.\n\n"
    "bodies: solids weighed, cut and filled with tetrahedra, figures tied to joints and moved: how "
    "many a\n"
    "second, beside the goals.\n\n"
    "views: keypoints and centroids a second with 4 to 64 cameras, beside the goals.\n\n"
    "style: 3 to 6 joints of captured poses are given, the others found: by no prior, the rest "
    "pose,\n"
    "one Gaussian, the nearest learned pose and a style, learned from the motions of the other "
    "people\n"
    "(02_01.bvh is of person 02); centimetres, microseconds, log-likelihood.\n\n"
    "segments: arms and legs hidden for 0.2 to 5 s, solved and tracked live without a style, with "
    "one "
    "of\n"
    "other people and with one of the capture's other half; millimetres at the hidden markers and\n"
    "joints, and goals (SINEW_CORPUS or CAPTUREs).\n\n"
    "reach-table: what trackers leave open in a chain of 1 to 4 links that carries one on its "
    "first\n"
    "link and, from three links on, one on its last. Between the links are joints of T (twist), F\n"
    "(flexion) and S (spherical = FFT): the table of Casanueva (1999, 4.1), or the row of a chain "
    "of\n"
    "up to three JOINTs.\n\n"
    "examples:\n"
    "  sinew bench ik --case chain --case cone\n"
    "  sinew bench ik --solver auto --goals\n"
    "  sinew bench ik --tables\n"
    "  sinew bench ik --soak 1000 --solver fabrik\n"
    "  sinew bench see --case noise\n"
    "  sinew bench occlusion --runs 20\n"
    "  sinew bench occlusion --gaps gaps.svg --capture walk.c3d\n"
    "  sinew bench occlusion --figure occlusion.svg --runs 10\n"
    "  sinew bench hand\n"
    "  sinew bench bodies\n"
    "  sinew bench views\n"
    "  sinew bench avatar dance.bvh punch.bvh\n"
    "  sinew bench reach-table S F S",
    bench_options,
    1,
    65,
    NULL, /* sinew-bench */
};
