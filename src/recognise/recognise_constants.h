/* The constants of this room in one table; marks as in calibrate_constants.h. Lengths are in
 * statures unless they say metres. Internal. */
#ifndef SNW_RECOGNISE_RECOGNISE_CONSTANTS_H
#define SNW_RECOGNISE_RECOGNISE_CONSTANTS_H

/* [published] Metres; adults of both sexes (ANSUR: women 1.63 +- 0.064, men 1.756 +- 0.067), and
 * its logarithm's spread, wide enough for children. */
#define TEMPLATE_STATURE        1.70
#define TEMPLATE_STATURE_SPREAD 0.12
#define TEMPLATE_TALL_SPREAD    0.08
#define TEMPLATE_SMALL_SPREAD   0.16

/* ---- recognise_start.c --------------------------------------------------------------------- */

#define START_FRAMES   3
#define START_YAWS     8
#define START_TRIED    14
#define START_WIDTH    0.07
#define START_RESEED   0.05
#define START_RESEEDED 4
#define START_SAME     2.0
#define START_NARROW   0.018
#define START_SHRINK   0.88
/* Standard deviations from the nearest site at which a point is as well nothing. */
#define START_OUTLIER 3.5
#define START_ROBUST  10.0
#define START_SHARE   0.04
#define START_REACH   5.0
#define START_PARTS   35.0
/* Weight of a segment's flesh against one site. */
#define START_FLESH 0.3

/* ---- recognise_track.c --------------------------------------------------------------------- */

#define TRACK_ROUNDS 6
/* [chosen] Frames of a trial that count as independent. */
#define TRACK_FREE_FRAMES 5
/* Cost of a point that is nothing. */
#define TRACK_OUTLIER   16.0
#define TRACK_FORBIDDEN 1e6
#define TRACK_FLESH     2.0
/* Statures: by how much distances within a segment vary, and the most that costs. */
#define TRACK_RIGID       0.006
#define TRACK_LOOSE       8.0
#define TRACK_ALONE       0.15
#define TRACK_PASSES      3
#define TRACK_STRAY_FIRST 0.04
#define TRACK_STRAY_LAST  0.012
#define TRACK_POSE_FIRST  0.03
#define TRACK_POSE_LAST   0.012

#define RECOGNISE_SEEN             0.2
#define RECOGNISE_WAY              0.004
#define RECOGNISE_POINTS           8
#define RECOGNISE_UNNAMED          0.8
#define RECOGNISE_BODY_STARTS      10
#define RECOGNISE_PART_STARTS      4
#define RECOGNISE_MARGIN           10.0
#define RECOGNISE_MARGIN_MAX       1e3
#define RECOGNISE_GOOD             1.5
#define RECOGNISE_ELSEWHERE        10.0
#define RECOGNISE_DOUBT_BODY       7.6
#define RECOGNISE_DOUBT_PART       5.0
#define RECOGNISE_DOUBT_UPPER_BODY 3.0
#define RECOGNISE_NAMED            0.8
#define RECOGNISE_GIVE_UP          60.0
#define RECOGNISE_OVERTURNED       20.0
#define RECOGNISE_LEGS             0.0
#define RECOGNISE_ARMLESS          5.0
#define RECOGNISE_UPPER_BODY       15.0
#define RECOGNISE_SAME             0.2
#define RECOGNISE_RATE             8.0

#endif
