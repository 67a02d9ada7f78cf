/* An actor of another trial: which of its markers are in this one.
 *
 * Names that a person gave are the same marker in every trial of an actor. A number that a program
 * gave, "*118", means the trajectory that came 118th: in the next trial that may be a marker of the
 * other leg. Such a marker is the actor's where it keeps the distances that it has there to the
 * others of its segment. */
#include <math.h>

#include <sinew/label.h>

#include "actor/actor.h"
#include "base/notes.h"
#include "math/order.h"
#include "math/robust.h"
#include "person/movement.h"
#include "solve/solving.h"

/* The median distance of two of the trial's markers over frames spread over it; negative: they are
 * never seen together. */
static double usual_distance(const snw_trial *trial, int a, int b)
{
    double seen[SNW__SAMPLES_LOOK];
    int count = 0, step = 1 + (trial->frame_count - 1) / SNW__SAMPLES_LOOK;
    for (int f = 0; f < trial->frame_count; f += step) {
        if (!snw_trial_is_present(trial, f, a) || !snw_trial_is_present(trial, f, b)) continue;
        snw_frame frame = snw_trial_frame(trial, f);
        seen[count++] =
            snw_vec3_distance(snw_frame_position(&frame, a), snw_frame_position(&frame, b));
    }
    return count ? snw__median(seen, count) : -1;
}

/* Does the marker keep its distances to most of the others on its segment? */
static bool keeps_distances(const snw_actor *actor, const snw_trial *trial, int marker)
{
    const snw_actor_marker *own = actor->marker + marker;
    int source = snw__marker_source(actor, trial, marker), kept = 0, others = 0;
    for (int m = 0; m < actor->marker_count && source >= 0; m++) {
        const snw_actor_marker *other = actor->marker + m;
        int at =
            m == marker || other->joint != own->joint ? -1 : snw__marker_source(actor, trial, m);
        double distance = at >= 0 ? usual_distance(trial, source, at) : -1;
        if (distance < 0) continue;
        others++;
        kept += fabs(distance - snw_vec3_distance(own->offset, other->offset)) < SNW__SKIN_MAX;
    }
    return 2 * kept >= others;
}

void snw__solve_forget_strangers(const snw__solving *s, snw_actor *actor, snw_notes *notes)
{
    const snw_trial *trial = s->out->trial;
    int kept = 0, first = -1, lost = 0;
    /* All are judged before one goes: the nth of a name is the nth in the trial. */
    for (int m = 0; m < actor->marker_count; m++) {
        const char *name = actor->marker[m].name;
        if (!snw_label_is_automatic(name) || keeps_distances(actor, trial, m)) continue;
        if (first < 0) first = snw__marker_source(actor, trial, m);
        actor->marker[m].noise = -1;
        lost++;
    }
    for (int m = 0; m < actor->marker_count; m++)
        if (actor->marker[m].noise >= 0) actor->marker[kept++] = actor->marker[m];
    actor->marker_count = kept;
    if (lost)
        snw__note(notes, SNW_NOTE_MARKER_LEFT_OUT, SNW__NOWHERE,
                  "%d marker%s that a program numbered, such as %s, %s elsewhere than in the "
                  "actor's own trial: numbers are no names, left out",
                  lost, snw__plural(lost, "", "s"), trial->marker[first].name,
                  snw__plural(lost, "sits", "sit"));
}
