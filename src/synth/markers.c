/* Markers at random places of the skin, and how they wobble on it. */
#include "base/elementary.h"
#include "synth/capture.h"
#include "synth/synth_constants.h"

enum {
    WOBBLE_WAVES = 3
};

double snw__marker_radius(const snw_skeleton *skeleton)
{
    return MARKER_RADIUS * skeleton->size;
}

/* ---- places ------------------------------------------------------------------------------- */

/* The segments of a joint follow each other; its markers take turns among them. */
static void random_fill(const snw__worn_skin *skin, const snw_synth_options *options,
                        snw_synth_marker *marker)
{
    for (int first = 0, next; first < skin->segment_count; first = next) {
        int joint = skin->segment[first].joint;
        for (next = first; next < skin->segment_count && skin->segment[next].joint == joint;)
            next++;
        for (int n = 0; n < options->markers_per_segment; n++, marker++) {
            const snw_synth_segment *segment = &skin->segment[first + n % (next - first)];
            snw_format(marker->name, sizeof marker->name, "%.48s_%d", skin->skeleton->name[joint],
                       n + 1);
            marker->joint = joint;
            /* Markers go round the bone in equal sectors, each at random within its own, so that no
             * three are in line. */
            snw_random random =
                snw__synth_random(options->seed, SNW__PURPOSE_PLACE, segment->joint, n);
            snw_vec3 bone = snw_vec3_sub(segment->capsule.b, segment->capsule.a);
            snw_vec3 across = snw_vec3_perpendicular(bone);
            snw_vec3 other = snw_vec3_cross(snw_vec3_unit(bone, across), across);
            double sector = 2 * SNW_PI / options->markers_per_segment;
            double angle = sector * (n + snw_random_range(&random, 0.15, 0.85));
            double along = snw_random_range(&random, MARKER_END, 1 - MARKER_END);
            double out = segment->capsule.radius + snw__marker_radius(skin->skeleton);
            snw_vec3 place = snw_vec3_add_scaled(segment->capsule.a, along, bone);
            place = snw_vec3_add_scaled(place, out * snw__cos(angle), across);
            marker->place = snw_vec3_add_scaled(place, out * snw__sin(angle), other);
        }
    }
}

int snw__markers_count(const snw_skeleton *skeleton, const snw_synth_options *options)
{
    if (options->placement != SNW_SYNTH_RANDOM) return snw__landmarks_fill(skeleton, 0, NULL);
    int segments = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        segments += snw__segments_of(skeleton, j, NULL) > 0;
    return segments * options->markers_per_segment;
}

void snw__markers_fill(const snw__worn_skin *skin, const snw_synth_options *options,
                       snw_synth_marker *marker)
{
    if (options->placement == SNW_SYNTH_RANDOM)
        random_fill(skin, options, marker);
    else
        snw__landmarks_fill(skin->skeleton, options->seed, marker);
}

/* ---- soft tissue -------------------------------------------------------------------------- */

/* One slow swing in a random direction: footfalls and muscles move skin at 0.5 to 3 Hz. */
static snw_vec3 tissue_wave(snw_random random, double time)
{
    snw_vec3 direction = snw_random_direction(&random);
    double frequency = snw_random_range(&random, 0.5, 3);
    double phase = snw_random_range(&random, 0, 2 * SNW_PI);
    return snw_vec3_scale(direction, snw__sin(2 * SNW_PI * frequency * time + phase));
}

/* Three waves of amplitude a have the mean square 3 a^2 / 2. One of them moves the whole segment's
 * tissue, so that it does not average out over the markers: that is what makes soft tissue worse
 * than noise (Cappozzo et al. 1996). */
snw_vec3 snw__wobble(const snw_synth_options *options, const snw_synth_marker *marker, int index,
                     double time)
{
    if (!(options->wobble > 0)) return snw_vec3_make(0, 0, 0);
    uint64_t seed = options->seed;
    snw_vec3 sum =
        tissue_wave(snw__synth_random(seed, SNW__PURPOSE_TISSUE, marker->joint, 0), time);
    for (int wave = 1; wave < WOBBLE_WAVES; wave++)
        sum = snw_vec3_add(
            sum, tissue_wave(snw__synth_random(seed, SNW__PURPOSE_WOBBLE, index, wave), time));
    return snw_vec3_scale(sum, options->wobble * sqrt(2.0 / WOBBLE_WAVES));
}
