/* A file's row: what it is before anything is known, and what a capture says by itself. */
#include <string.h>

#include "many/many.h"

cli_row cli_row_none(void)
{
    cli_row row;
    memset(&row, 0, sizeof row);
    row.code = CLI_FAILED;
    row.frame_count = row.marker_count = row.joint_count = -1;
    row.lost_count = row.uncertain_count = -1;
    row.rate = row.missing_share = row.residual = row.outlier_share = NAN;
    row.seconds = row.memory = NAN;
    return row;
}

/* FNV-1a (Fowler, Noll, Vo), summed over the names so that their order does not matter. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

void cli_row_take_trial(cli_row *row, const snw_trial *trial)
{
    row->frame_count = trial->frame_count;
    row->marker_count = snw_trial_count_kind(trial, SNW_POINT_MARKER);
    row->rate = trial->rate;
    row->label_hash = 0;
    for (int m = 0; m < trial->marker_count; m++)
        if (snw_trial_is_marker(trial, m)) row->label_hash += hash_name(trial->marker[m].name);
    row->missing_share = cli_missing_share(trial);
}

double cli_missing_share(const snw_trial *trial)
{
    double missing = 0;
    double all = (double)trial->frame_count * snw_trial_count_kind(trial, SNW_POINT_MARKER);
    for (int m = 0; m < trial->marker_count; m++)
        if (snw_trial_is_marker(trial, m)) missing += snw_trial_gaps(trial, m).missing_count;
    return all > 0 ? missing / all : 0;
}
