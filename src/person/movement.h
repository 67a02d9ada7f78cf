/* What people, their skin and the cameras that see them do, as all modules that judge captures take
 * it: one number for one idea. Metres and seconds. Internal.
 *
 * [published] has its source beside it, [derived] follows from another number, [measured] was set
 * on the data that are named, [chosen] is a round number by judgement. */
#ifndef SNW_PERSON_MOVEMENT_H
#define SNW_PERSON_MOVEMENT_H

#include "person/anthropometry.h"
#include "person/regressions.h"

/* [chosen] After half a second skin is somewhere else, and whoever was hidden may be anywhere. */
#define SNW__SKIN_SECONDS 0.5
/* [chosen] Nobody begins something new in a tenth of a second; no stance is shorter. */
#define SNW__BRIEF 0.1
/* [derived] Metres a second: sprinters take 4.5 to 5 steps in one, of 2.45 m at most (Weyand et al.
 * 2000), which is 11 to 12; hardly anybody is captured at that. */
#define SNW__SPRINT 10.0
/* [chosen] Metres a second squared: hands and feet, one standard deviation. */
#define SNW__ACCELERATION 30.0
/* [derived] No bone of a person is longer, and no two points of one: the thigh of somebody 2.4 m
 * tall has 0.59 (anthropometry.h). */
#define SNW__BONE_MAX 0.65
/* [derived] Times or parts of what the stature makes expect: a body of which a bone is farther off
 * is no person, or not this one (shares spread by 4 to 6 %, Pheasant & Haslegrave 2006; joint
 * centres add as much again). */
#define SNW__PROPORTION_MAX 1.6
/* Standard gravity, metres a second squared (CGPM 1901). */
static const double SNW__GRAVITY = 9.80665;
/* [chosen] Radians, rms. What turns less shows neither an axis nor a centre, and a rotation that is
 * known better is good enough: the linear model of errors holds. */
#define SNW__TURN_LEAST 0.03
/* [chosen] Rms. What moves less stands still: more than the noise of any camera, less than the sway
 * of a person who stands. */
#define SNW__STILL 0.002
/* [measured] One coordinate of a marker on somebody who stands still, seen by good cameras: 0.3 mm
 * and above in six static trials; by poor ones, or of a tracker; and what nobody is surer of. */
#define SNW__NOISE      3e-4
#define SNW__NOISE_POOR 1e-3
#define SNW__NOISE_MIN  (SNW__NOISE_POOR / 10)
/* [derived] Ten micrometres, below what any marker is known to: an iteration ends there. */
#define SNW__FINEST (SNW__NOISE_MIN / 10)
/* [measured] Metres of deviation for a metre of distance: of two segments or markers that move
 * alike, the nearer one (CMU 85_12 and 02_05; 0.01 to 0.05 gave the same within 3 %). */
#define SNW__DISTANCE_COST 0.02
/* [chosen] What is farther off from where it should be is something else: half a trunk or a thigh.
 */
#define SNW__ELSEWHERE 0.3
/* [chosen] A centre of pressure is this near to the foot that made it: a foot's length. */
#define SNW__FOOT_NEAR 0.25
/* [chosen] Who goes less between the ends of a trial stands, turns or is on a treadmill. */
#define SNW__TRAVEL_MIN 0.5
/* [derived] Nothing of a person is higher: arms of the tallest, raised, reach a quarter above the
 * head. [chosen] And no volume of a capture is larger: beyond is what a lost marker left in the
 * file. */
#define SNW__REACH_MAX  (1.25 * SNW__STATURE_TALLEST)
#define SNW__VOLUME_MAX 1e4
/* [chosen] Markers of a person, at least: fewer show a limb or an object. */
#define SNW__MARKERS_MIN 8

#endif
