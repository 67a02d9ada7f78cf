/* One finger: four angles, three bones, in its own rest frame. Internal.
 *
 * A straight finger lies along z; it spreads by `angle[0]` about y (towards +x) and then bends by
 * angle[1], angle[2], angle[3] about x (towards -y, the palm) at base, middle and outer joint. It
 * stays in one plane: with extension rho = sum l cos, drop delta = sum l sin of the summed angles,
 * a point is (sin(a) rho, -delta, cos(a) rho). */
#ifndef SNW_HAND_FINGER_H
#define SNW_HAND_FINGER_H

#include <sinew/hand.h>

typedef struct snw__finger {
    double bone[3];
    double follow;          /* outer over middle flexion of a finger that nothing holds */
    double lead;            /* base over middle flexion; 0 where they do not go together */
    double low[4], high[4]; /* limits of the angles */
} snw__finger;

/* Points of middle joint, outer joint and tip, and if not NULL d(point)/d(angle):
 * jacobian[point][k] for angle k. */
void snw__finger_points(const snw__finger *finger, const double angle[4], snw_vec3 point[3],
                        snw_vec3 jacobian[3][4]);
/* Middle flexion at which the tip is `distance` from the base, the outer joint following. */
double snw__finger_flexion(const snw__finger *finger, double distance);
/* Angles that put the tip at `tip`, the outer joint following the middle one; where it is out of
 * reach, straight towards it or folded. `spread` is the spread to assume where the tip lies
 * straight below the base and shows none. Limits are not applied. */
void snw__finger_reach(const snw__finger *finger, snw_vec3 tip, double spread, double angle[4]);
void snw__finger_clamp(const snw__finger *finger, double angle[4]);

#endif
