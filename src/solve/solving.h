/* What the steps of a solve share. Internal. */
#ifndef SNW_SOLVE_SOLVING_H
#define SNW_SOLVE_SOLVING_H

#include <sinew/solve.h>

typedef struct snw__solving {
    const snw_solve_options *options;
    const snw_allocator *memory;
    const snw_trial *given; /* the capture as it came */
    snw_solution *out;
    snw_error *error;
    int prepared_note_count; /* of out->notes: what was said before segments were sought */
} snw__solving;

/* SNW_CANCELLED where whoever watches says so. */
snw_status snw__solve_watch(const snw__solving *solving, const char *step, double share);

/* From the capture as it came to the one whose segments are sought: out->trial and what was done to
 * it. */
snw_status snw__solve_prepare(snw__solving *solving, const snw_trial *given);

/* Where the file does not say which way is up, the people do: out->trial->up. */
snw_status snw__solve_find_up(snw__solving *solving);

/* Reads the capture again, by where its markers sit, where its labels may be wrong or told too
 * little; keeps in `out` the best of the readings. */
snw_status snw__solve_reread(snw__solving *solving);

/* Takes markers from an actor of another trial that only share a program's number with one of this
 * trial. */
void snw__solve_forget_strangers(const snw__solving *solving, snw_actor *actor, snw_notes *notes);

/* Every frame through a snw_live_body. */
snw_status snw__solve_live(const snw__solving *solving, snw_solved_body *body,
                           const snw_tracker_options *tracker);

#endif
