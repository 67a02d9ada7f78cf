/* The page offers no styles of motion, so its module leaves out the tracker's part that needs them
 * (src/track/style_*.c, 34 kB). Its tracker never has options.style: these are what
 * src/track/style_segment.h says of segments without one. */
#include <sinew/track.h>

#include "base/fail.h"
#include "track/style_segment.h"

void snw__style_segments_lay_out(snw__style_segments *segments, snw__block *block)
{
    (void)segments, (void)block;
}

snw_status snw__style_segments_begin(snw__style_segments *segments, const snw_allocator *allocator,
                                     snw_error *error)
{
    (void)allocator;
    if (!segments->body.style) return SNW_OK;
    return snw__fail(error, SNW_UNSUPPORTED, "this module has no styles");
}

void snw__style_segments_forget(snw__style_segments *segments)
{
    (void)segments;
}

bool snw__style_segments_step(snw__style_segments *segments, const uint8_t *rank,
                              const snw_ik_stepper *stepper, snw_pose *pose)
{
    (void)segments, (void)rank, (void)stepper, (void)pose;
    return false;
}

void snw__style_segments_miss(snw__style_segments *segments)
{
    (void)segments;
}

void snw__style_gaps_fill(snw__style_segments *segments, snw_motion *motion, const uint8_t *known)
{
    (void)segments, (void)motion, (void)known;
}

snw_status snw_actor_match_style(const snw_actor *actor, const snw_style *style,
                                 const snw_allocator *allocator, bool *is_known, snw_error *error)
{
    (void)actor, (void)style, (void)allocator, (void)is_known;
    return snw__fail(error, SNW_UNSUPPORTED, "this module has no styles");
}
