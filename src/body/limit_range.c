/* Ranges of angles on the circle: inside or not, and the nearer end, whatever turn the range is
 * written in ([0, 350 deg], [-20 deg, 20 deg], [350 deg, 370 deg]). */
#include "body/limit.h"

/* `angle`, which is not in the range, after the fewest whole turns that bring it past `low` from
 * below or past `high` from above. */
static double turned_towards(const double range[2], double angle)
{
    double turn = 2 * SNW_PI;
    if (angle < range[0]) return angle + turn * ceil((range[0] - angle) / turn);
    return angle - turn * ceil((angle - range[1]) / turn);
}

/* Distance on the circle, for angles of some turns: quicker than remainder(), and exact enough (one
 * rounding of `apart`). */
static double circle_distance(double a, double b)
{
    double apart = fabs(a - b), turn = 2 * SNW_PI;
    return fabs(apart - turn * floor(apart / turn + 0.5));
}

snw__range_place snw__range_nearest(const double range[2], double angle)
{
    double low = range[0], high = range[1];
    snw__range_place place = {angle, 0};
    if (angle >= low && angle <= high) return place;
    double turned = turned_towards(range, angle);
    if (turned >= low && turned <= high) {
        place.value = turned;
        return place;
    }
    /* A range of a full turn covers every angle but for the round-off of `turned`. */
    double from_low = circle_distance(angle, low);
    double from_high = circle_distance(angle, high);
    place.value = from_low <= from_high ? low : high;
    place.outside = high - low >= 2 * SNW_PI ? 0 : fmin(from_low, from_high);
    return place;
}

bool snw__range_surely_holds(const double range[2], double sine, double cosine, double turns)
{
    if (!(range[0] <= 0 && range[1] >= 0)) return false;
    /* atan x < pi x / (1 + 2 sqrt(1 + x^2)) for x > 0 (Shafer and Fink; at most 4.8 % too large):
     * with x = |sine| / cosine and both sides multiplied by cosine. */
    double size = SNW_PI * fabs(sine);
    double scale = cosine + 2 * sqrt(sine * sine + cosine * cosine);
    double room = sine >= 0 ? range[1] : -range[0];
    return turns * size <= room * scale && scale > 0;
}
