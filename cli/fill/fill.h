/* What the parts of `sinew fill` share. */
#ifndef SINEW_CLI_FILL_H
#define SINEW_CLI_FILL_H

#include "command.h"

/* The trial through the live predictor, from the past alone with --realtime, else forwards and
 * backwards. Complains itself; an exit code. */
int cli_fill_predict(const cli_arguments *arguments, const snw_trial *trial,
                     snw_predict_method method, snw_notes *notes, snw_trial **out);
/* The same markers where the solved body carries them, in every frame; the body is --actor, or
 * calibrated on the trial. Complains itself; an exit code. */
int cli_fill_body(const cli_arguments *arguments, const snw_trial *trial, snw_notes *notes,
                  snw_trial **out);
void cli_fill_print(const snw_filled *filled);
void cli_fill_json(const snw_filled *filled, const snw_notes *notes);
/* One row for each sample that was not measured; context: the trial. */
bool cli_fill_write_uncertainty(FILE *out, const void *context);

#endif
