/* The page offers no styles of motion, so its module leaves out the tracker's part that needs them
 * (src/track/style_*.c, 34 kB). Its tracker never has options.style: these are what
 * src/track/style_limb.h says of limbs without one. */
#include "base/fail.h"
#include "track/style_limb.h"

void snw__style_limbs_lay_out(snw__style_limbs *limbs, snw__block *block)
{
    (void)limbs, (void)block;
}

snw_status snw__style_limbs_begin(snw__style_limbs *limbs, const snw_allocator *allocator,
                                  snw_error *error)
{
    (void)allocator;
    if (!limbs->body.style) return SNW_OK;
    return snw__fail(error, SNW_UNSUPPORTED, "this module has no styles");
}

void snw__style_limbs_forget(snw__style_limbs *limbs)
{
    (void)limbs;
}

bool snw__style_limbs_step(snw__style_limbs *limbs, const uint8_t *rank,
                           const snw_ik_stepper *stepper, snw_pose *pose)
{
    (void)limbs, (void)rank, (void)stepper, (void)pose;
    return false;
}

void snw__style_limbs_miss(snw__style_limbs *limbs)
{
    (void)limbs;
}

void snw__style_gaps_fill(snw__style_limbs *limbs, snw_motion *motion, const uint8_t *known)
{
    (void)limbs, (void)motion, (void)known;
}
