/* The elbow circle and its arc (Casanueva 1999, 4.3.3 and 5.3.1), and the methods of the literature
 * that pick a point of it. The printed centre of the circle is right for equal radii only; the
 * general one is used here, and the plane-circle quadratic without its stray term. */
#include "avatar/elbow.h"

#include "base/elementary.h"
#include "math/tolerance.h"

snw_elbow_circle snw_elbow_circle_make(snw_sphere upper, snw_sphere lower, snw_vec3 up,
                                       snw_vec3 outward)
{
    snw_elbow_circle result;
    snw_circle circle;
    result.meet = snw_sphere_sphere(upper, lower, &circle);
    result.center = circle.center;
    result.radius = circle.radius;
    result.axis = circle.normal;
    /* Straight: the elbow stays an upper arm away from its shoulder, and the wrist falls short. */
    if (result.meet == SNW_MEET_APART)
        result.center = snw_vec3_add_scaled(upper.center, upper.radius, circle.normal);
    if (result.meet == SNW_MEET_NESTED)
        result.center = snw_vec3_add_scaled(
            upper.center, upper.radius > lower.radius ? upper.radius : -upper.radius,
            circle.normal);
    snw_vec3 across = snw_vec3_add_scaled(up, -snw_vec3_dot(up, result.axis), result.axis);
    /* Up along the arm settles no level. */
    if (snw_vec3_length2(across) > SNW__SINGLE) {
        result.rise = snw_vec3_unit(across, up);
        result.level = snw_vec3_cross(result.axis, result.rise);
        if (snw_vec3_dot(result.level, outward) < 0) result.level = snw_vec3_neg(result.level);
    } else {
        snw_vec3 side =
            snw_vec3_add_scaled(outward, -snw_vec3_dot(outward, result.axis), result.axis);
        result.level = snw_vec3_unit(side, snw_vec3_perpendicular(result.axis));
        result.rise = snw_vec3_cross(result.level, result.axis);
    }
    return result;
}

snw_vec3 snw__elbow_way(const snw_elbow_circle *circle, double elevation)
{
    double sine, cosine;
    snw__sin_cos(elevation, &sine, &cosine);
    return snw_vec3_add_scaled(snw_vec3_scale(circle->level, cosine), sine, circle->rise);
}

snw_vec3 snw_elbow_at(const snw_elbow_circle *circle, double elevation)
{
    return snw_vec3_add_scaled(circle->center, circle->radius, snw__elbow_way(circle, elevation));
}

double snw_elbow_elevation(const snw_elbow_circle *circle, snw_vec3 point)
{
    snw_vec3 way = snw_vec3_sub(point, circle->center);
    return snw__atan2(snw_vec3_dot(way, circle->rise), snw_vec3_dot(way, circle->level));
}

double snw_elbow_arc_clamp(double elevation, double middle, double half)
{
    double off = snw_wrap_angle(elevation - middle);
    return snw_wrap_angle(middle + snw_clamp(off, -half, half));
}

/* Casanueva 5.3.1: with the wrist's sideways bend left out, the elbow lies in the plane of the hand
 * whose normal is the open thumb. Of its two points the one nearer to the last elbow is taken,
 * unless it has left the arc and the other has not (Algorithm 5.1). */
double snw__elbow_from_plane(const snw_elbow_circle *circle, snw_plane hand, double last,
                             double middle, double half)
{
    snw_point_pair points;
    snw_circle plain = {circle->center, circle->axis, circle->radius};
    if (snw_plane_circle(hand, plain, &points) == SNW_MEET_SAME) return last;
    double first = snw_elbow_elevation(circle, points.first);
    double second = snw_elbow_elevation(circle, points.second);
    if (fabs(snw_wrap_angle(second - last)) < fabs(snw_wrap_angle(first - last))) {
        double kept = first;
        first = second;
        second = kept;
    }
    bool is_first_out = fabs(snw_wrap_angle(first - middle)) > half;
    bool is_second_out = fabs(snw_wrap_angle(second - middle)) > half;
    return snw_elbow_arc_clamp(is_first_out && !is_second_out ? second : first, middle, half);
}

/* Kim & Rosen 2012 (and Kim et al., IEEE T. Biomed. Eng. 59): the swivel that lets the palm reach
 * the head. The elbow lies in the plane of shoulder, wrist and head, on the side away from the
 * head. */
double snw__elbow_palm_to_head(const snw_elbow_circle *circle, snw_vec3 shoulder, snw_vec3 head,
                               double last)
{
    snw_vec3 way = snw_vec3_sub(shoulder, head);
    double along = snw_vec3_dot(way, circle->axis);
    snw_vec3 across = snw_vec3_add_scaled(way, -along, circle->axis);
    if (snw_vec3_length2(across) < 1e-12) return last;
    return snw_elbow_elevation(circle, snw_vec3_add(circle->center, across));
}

const char *snw_avatar_method_name(snw_avatar_method method)
{
    static const char *const names[] = {
#define ELBOW_METHOD_NAME(name, word, text) word,
        SNW_AVATAR_METHOD_MAP(ELBOW_METHOD_NAME)
#undef ELBOW_METHOD_NAME
    };
    return (unsigned)method < SNW_AVATAR_METHOD_COUNT ? names[method] : "?";
}

const char *snw_avatar_method_text(snw_avatar_method method)
{
    static const char *const texts[] = {
#define ELBOW_METHOD_TEXT(name, word, text) text,
        SNW_AVATAR_METHOD_MAP(ELBOW_METHOD_TEXT)
#undef ELBOW_METHOD_TEXT
    };
    return (unsigned)method < SNW_AVATAR_METHOD_COUNT ? texts[method] : "?";
}

int snw_avatar_method_find(const char *name)
{
    for (int m = 0; m < SNW_AVATAR_METHOD_COUNT; m++) {
        const char *a = snw_avatar_method_name((snw_avatar_method)m), *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b) return m;
    }
    return -1;
}
