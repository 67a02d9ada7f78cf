/* Where an effector can come to, and with how many orientations: a map of the space about a body.
 *
 *     snw_reach_map *map = NULL;
 *     snw_reach_map_options options = snw_reach_map_options_default();
 *     options.cell = 0.4;
 *     snw_reach_map_create(body, hand, &options, NULL, &map, NULL);
 *     printf("%.3f cubic metres\n", map->volume);
 *     snw_reach_map_destroy(map);
 *
 * The space within reach is cut into cubes. In the centre of each, orientations are tried that are
 * spread evenly over all there are, and the share that is reached, inside all joint limits, is kept
 * (Zacharias, Borst & Hirzinger 2007, "Capturing robot workspace structure"). All problems run
 * through one batch (sinew/ik.h): in lanes, on threads, on a graphics processor. A share is what
 * the solver found from its starts, so it is never too high. */
#ifndef SINEW_IK_MAP_H
#define SINEW_IK_MAP_H

#include <sinew/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_reach_map_options {
    snw_ik_batch_options batch; /* tolerances, limits, workers, device */
    double cell;                /* metres, edge of a cube; 0: an eighth of the longest reach */
    int direction_count;  /* 32; directions of the effector's own z axis, evenly over the sphere (a
                             Fibonacci lattice); 0: places alone. At most 4096 */
    int roll_count;       /* 1; turns about each of these directions, evenly. At most 360 */
    snw_vec3 point;       /* 0 0 0; of the effector, in its joint's frame */
    uint64_t reserved[2]; /* 0; later versions grow here */
} snw_reach_map_options;

SNW_API snw_reach_map_options snw_reach_map_options_default(void);

/* Plain data; in the frame of the body's root. */
typedef struct snw_reach_map {
    snw_vec3 first; /* centre of cell 0 0 0, metres */
    double cell;    /* metres */
    int count[3];   /* of cells along x, y, z */
    float *share;   /* (count[2] x count[1] x count[0]) share of the orientations that are reached,
                       0 to 1; of places alone 0 or 1. x runs fastest */
    int orientation_count; /* tried in a cell; 0: places alone */
    double volume;         /* cubic metres of cells in which some orientation is reached */
    double mean_share;     /* over those cells */
    int64_t problem_count; /* solved */
    int64_t reached_count;
    char trouble[160];       /* why the processor solved what a device was asked for, or "" */
    snw_allocator allocator; /* of the map's own memory */
    size_t block_size;
} snw_reach_map;

/* The map of a joint of the body, whose root is fixed. SNW_INVALID_ARGUMENT for a joint that
 * nothing moves, options out of range, or more than 16 million cells. */
SNW_API snw_status snw_reach_map_create(const snw_skeleton *skeleton, int joint,
                                        const snw_reach_map_options *options,
                                        const snw_allocator *allocator, snw_reach_map **out,
                                        snw_error *error);
SNW_API void snw_reach_map_destroy(snw_reach_map *map);

#ifdef __cplusplus
}
#endif
#endif
