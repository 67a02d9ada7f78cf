/* What does not become a marker. */
#include <string.h>

#include "join/join.h"

/* Of the frames between its gaps a point that flickers is seen in fewer than this share. */
#define GHOST_SHARE 0.35
/* A piece that bears a marker's name but stands elsewhere is left out if it is this much shorter:
 * somebody has named the wrong point. Else it is not for us to say which one is right. */
#define GHOST_SHORTER 10

bool snw__track_is_ghost(const snw__join_work *work, int track, double seconds)
{
    const snw__track *at = work->track + track;
    if (at->label >= 0 || seconds <= 0) return false;
    double rate = work->trial->rate > 0 ? work->trial->rate : 100;
    int frames = 0;
    for (int p = at->head; p >= 0; p = work->piece[p].next)
        frames += work->piece[p].last - work->piece[p].first + 1;
    return at->seen_count < seconds * rate || at->seen_count < GHOST_SHARE * frames;
}

bool snw__track_is_misnamed(const snw__join_work *work, int track)
{
    const snw__track *at = work->track + track;
    if (at->label < 0) return false;
    for (int t = 0; t < work->piece_count; t++) {
        const snw__track *other = work->track + t;
        if (t == track || other->head < 0 || other->label < 0) continue;
        if (other->seen_count < GHOST_SHORTER * (double)at->seen_count) continue;
        if (strcmp(work->trial->marker[other->label].name, work->trial->marker[at->label].name) ==
            0)
            return snw__tracks_may_join(work, track, t);
    }
    return false;
}
