/* A capture solved in six lines of a program, and what came out as lines of text: for
 * tests/check_solve_ways, which compares it with the command and the binding.
 * usage: solve IN OUT.c3d */
#include <stdio.h>
#include <stdlib.h>

#include <sinew/sinew.h>

static void tell_notes(const char *what, const snw_notes *notes)
{
    for (int n = 0; n < notes->count; n++)
        printf("%s %s\n", what, notes->note[n].text);
}

/* The capture as all bodies see it, as the command writes it. */
static snw_status write_view(const snw_solution *solution, const char *path, snw_error *error)
{
    snw_trial *view = NULL;
    snw_status status = SNW_OK;
    for (int b = 0; b < solution->body_count && status == SNW_OK; b++) {
        snw_trial *before = view;
        const snw_solved_body *body = solution->body + b;
        status = snw_actor_trial(&(snw_actor_motion){body->actor, body->motion, SNW_SAMPLE_FILLED},
                                 before ? before : solution->trial, NULL, &view, error);
        snw_trial_destroy(before);
    }
    if (status == SNW_OK) status = snw_write_trial_file(path, true, view, NULL, error);
    snw_trial_destroy(view);
    return status;
}

int main(int count, char **argument)
{
    snw_trial *trial = NULL;
    snw_solution *solution = NULL;
    snw_error error;
    snw_notes *notes = calloc(1, sizeof *notes);
    if (count != 3 || !notes ||
        snw_read_trial_file(argument[1], NULL, NULL, &trial, notes, &error) != SNW_OK ||
        snw_solve(trial, NULL, NULL, &solution, &error) != SNW_OK ||
        write_view(solution, argument[2], &error) != SNW_OK)
        return 1;
    printf("verdict %s\n", snw_verdict_name(solution->verdict));
    tell_notes("note", notes);
    tell_notes("note", solution->notes);
    for (int b = 0; b < solution->body_count; b++) {
        const snw_judgements *found = solution->body[b].judgements;
        tell_notes("note", solution->body[b].notes);
        for (int n = 0; n < found->count; n++)
            printf("judgement %s %s\n", snw_verdict_name(found->item[n].verdict),
                   found->item[n].sentence);
    }
    snw_solution_destroy(solution);
    snw_trial_destroy(trial);
    free(notes);
    return 0;
}
