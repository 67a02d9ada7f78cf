/* What snw_synth_create does unless told otherwise. */
#include <sinew/synth.h>

snw_synth_options snw_synth_options_default(void)
{
    snw_synth_options options = {0};
    options.motion = SNW_SYNTH_WALK;
    options.seconds = 10;
    options.rate = 120;
    options.path_radius = 4;
    options.placement = SNW_SYNTH_ANATOMICAL;
    options.markers_per_segment = 4;
    options.noise = 0.0003;
    options.wobble = 0.002;
    options.camera_distance = 2.5;
    options.camera_height = 2.2;
    options.field_of_view = 1.2;
    options.up = SNW_UP_Y;
    options.seed = 1;
    return options;
}
