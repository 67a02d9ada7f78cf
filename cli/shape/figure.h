/* A person's surface by the options of the command. */
#ifndef SINEW_CLI_FIGURE_H
#define SINEW_CLI_FIGURE_H

#include "command.h"

/* Rows for a command's option table. */
#define CLI_FIGURE_OPTIONS                                                                       \
    {"--people", NULL, "WHOSE", "whose masses: adults (default), women, men"},                   \
        {"--stature", NULL, "M", "metres (default: the file's Height, or by the legs)"},         \
        {"--mass", NULL, "KG", "kilograms (default: the file's BodyMass, or usual)"},            \
        {"--girth", NULL, "WHERE=MM",                                                            \
         "as measured: head, neck, chest, waist, hips, upper-arm, forearm, wrist, thigh, knee, " \
         "calf, ankle (may be repeated)"},                                                       \
    {                                                                                            \
        "--cell", NULL, "MM", "size of the triangles, 3 to 100 (default: 10 for 1.75 m)"         \
    }

#define CLI_SKIN_OPTIONS                                                                          \
    {"--joints", NULL, "N", "that a vertex of the surface moves with at most: 4 (default) or 8"}, \
    {                                                                                             \
        "--bends", NULL, NULL,                                                                    \
            "elbows and knees of the surface keep their volume (GLB: shapes that go with them)"   \
    }

/* Whether files of that name hold a body with its surface: GLB and VRM. */
bool cli_holds_skin(const char *path);

/* The capture of a person alone; NULL: of several, or of nobody. */
const snw_trial *cli_capture_of_one(const snw_solution *solution);
/* What a capture's file says of its person where `options` do not: mass and stature. */
void cli_figure_know(const snw_trial *trial, snw_figure_options *options);
/* What the options say, and where they do not the capture; NULL: there is none, or nobody's alone.
 * Complains itself; an exit code. */
int cli_figure_options(const cli_arguments *arguments, const snw_trial *capture,
                       snw_figure_options *options);
/* What --joints and --bends say. Complains itself; an exit code. */
int cli_skin_options(const cli_arguments *arguments, snw_skin_options *options);
/* Round a skeleton that rests in a T. Complains itself; an exit code. `report` may be NULL. */
int cli_make_figure(const cli_arguments *arguments, const snw_trial *capture,
                    const snw_skeleton *skeleton, snw_mesh **mesh, snw_figure_report *report);
/* The same with its weights. */
int cli_make_skin(const cli_arguments *arguments, const snw_trial *capture,
                  const snw_skeleton *skeleton, snw_skin **skin);

#endif
