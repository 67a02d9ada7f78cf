/* Markers that came to sit at another place of their segment. Internal. */
#ifndef SNW_CALIBRATE_MARKER_SLIP_H
#define SNW_CALIBRATE_MARKER_SLIP_H

#include <sinew/calibrate.h>

/* Markers of one segment that are looked at together, and places that one marker had, at most. */
enum {
    SNW__SLIP_GROUP = 9,
    SNW__SLIP_PLACES = 9,
};

/* The places of one marker, one after another. */
typedef struct snw__slip_places {
    int marker;
    int other[SNW__SLIP_GROUP - 1]; /* markers of its segment, which show its pose */
    int other_count;
    int place_count;
    int from[SNW__SLIP_PLACES + 1]; /* first frame at each place; then the trial's frame_count */
    int seen[SNW__SLIP_PLACES];     /* frames that show it there */
} snw__slip_places;

/* Brings the marker's samples from all places to the one that it had for longest, or makes them
 * missing where its segment shows no pose; writes the slips (place_count - 1). */
snw_status snw__slip_undo(snw_trial *trial, const snw__slip_places *places,
                          const snw_allocator *allocator, snw_slip *slip, snw_error *error);

#endif
