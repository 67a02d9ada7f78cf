/* What makes the whole result doubtful, as notes: they come on the screen, in the JSON and in the
 * report. */
#include "solve/solve.h"
#include "text.h"

/* Metres (rms). Skin moves a marker by a centimetre and more; twice that is not skin. */
#define DOUBT_RESIDUAL 0.02

/* The text of the next note; NULL when there are too many. */
static char *next_note(snw_notes *notes)
{
    if (notes->count == SNW_NOTES_MAX) {
        notes->dropped++;
        return NULL;
    }
    snw_note *note = notes->note + notes->count++;
    note->byte = note->line = -1;
    return note->text;
}

static int count_empty_frames(const snw_trial *trial)
{
    int count = 0;
    for (int f = 0; f < trial->frame_count; f++) {
        int m = 0;
        while (m < trial->marker_count && !snw_trial_is_present(trial, f, m))
            m++;
        count += m == trial->marker_count;
    }
    return count;
}

void cli_solve_doubt(solve_job *job)
{
    int empty = job->report.lost_count ? count_empty_frames(job->trial) : 0;
    char *text = empty ? next_note(&job->notes) : NULL;
    if (text)
        snw_format(text, sizeof job->notes.note[0].text, "%d frame%s of %d show%s no marker at all",
                   empty, cli_s(empty), job->trial->frame_count, empty == 1 ? "s" : "");
    text = job->report.residual > DOUBT_RESIDUAL ? next_note(&job->notes) : NULL;
    if (text)
        snw_format(text, sizeof job->notes.note[0].text,
                   "WARNING: markers lie %.0f mm (rms) from the body, too far to believe it: limbs "
                   "that are none, markers that changed places, or two bodies in one",
                   1000 * job->report.residual);
}
