/* A finger is three capsules of radius r about its bones, r = 0.15 of its first bone (7 mm at 47
 * mm). Two fingers are apart where their bones are; a finger is out of the palm where its points
 * are below -r in the palm's frame as long as they lie over it. What is too near is opened by the
 * angle that the missing distance is at the finger's half length: neighbours by spread, the palm by
 * flexion. */
#include "hand/collision.h"
#include "hand/hand_constants.h"

static void palm_points(const snw_hand_profile *profile, const snw__finger *fingers,
                        const double (*angle)[4], int finger, snw_vec3 point[4])
{
    snw__finger_points(&fingers[finger], angle[finger], point + 1, NULL);
    point[0] = snw_vec3_make(0, 0, 0);
    for (int n = 0; n < 4; n++)
        point[n] =
            snw_vec3_add(profile->base[finger], snw_quat_rotate(profile->rest[finger], point[n]));
}

/* Between the segments a-b and c-d (Ericson 2005, 5.1.9). */
static double bone_distance(snw_vec3 a, snw_vec3 b, snw_vec3 c, snw_vec3 d)
{
    snw_vec3 u = snw_vec3_sub(b, a), v = snw_vec3_sub(d, c), w = snw_vec3_sub(a, c);
    double uu = snw_vec3_dot(u, u), vv = snw_vec3_dot(v, v), uv = snw_vec3_dot(u, v);
    double uw = snw_vec3_dot(u, w), vw = snw_vec3_dot(v, w), det = uu * vv - uv * uv;
    double s = det > 1e-12 * uu * vv ? snw_clamp((uv * vw - uw * vv) / det, 0, 1) : 0;
    double t = vv > 0 ? (uv * s + vw) / vv : 0;
    if (t < 0 || t > 1) {
        t = snw_clamp(t, 0, 1);
        s = uu > 0 ? snw_clamp((uv * t - uw) / uu, 0, 1) : 0;
    }
    return snw_vec3_distance(snw_vec3_add_scaled(a, s, u), snw_vec3_add_scaled(c, t, v));
}

double snw__hand_finger_distance(const snw_hand_profile *profile, const snw__finger *fingers,
                                 const double (*angle)[4], int a, int b)
{
    snw_vec3 p[4], q[4];
    double least = INFINITY;
    palm_points(profile, fingers, angle, a, p);
    palm_points(profile, fingers, angle, b, q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            least = fmin(least, bone_distance(p[i], p[i + 1], q[j], q[j + 1]));
    return least;
}

static double wanted_distance(const snw__finger *fingers, int a, int b)
{
    return COLLISION_RADIUS * (fingers[a].bone[0] + fingers[b].bone[0]);
}

bool snw__hand_fingers_touch(const snw_hand_profile *profile, const snw__finger *fingers,
                             const double (*angle)[4], int a, int b)
{
    return snw__hand_finger_distance(profile, fingers, angle, a, b) <
           wanted_distance(fingers, a, b) + COLLISION_SLACK;
}

static double half_length(const snw__finger *finger)
{
    return 0.5 * (finger->bone[0] + finger->bone[1] + finger->bone[2]);
}

double snw__hand_spread_apart(const snw_hand_profile *profile, const snw__finger *fingers,
                              const double (*angle)[4], int finger, int other)
{
    double wanted = wanted_distance(fingers, finger, other);
    double distance = snw__hand_finger_distance(profile, fingers, angle, finger, other);
    if (distance >= wanted - COLLISION_SLACK) return 0;
    double away = finger < other ? 1 : -1; /* index is nearest to the thumb, which spreads to +x */
    return away * (wanted - distance) / half_length(&fingers[finger]);
}

static void leave_neighbour(const snw_hand_profile *profile, const snw__finger *fingers, int finger,
                            int other, double (*angle)[4])
{
    angle[finger][0] +=
        snw__hand_spread_apart(profile, fingers, (const double(*)[4])angle, finger, other);
    snw__finger_clamp(&fingers[finger], angle[finger]);
}

static void leave_palm(const snw_hand_profile *profile, const snw__finger *fingers, int finger,
                       double (*angle)[4])
{
    snw_vec3 point[4];
    double radius = COLLISION_RADIUS * fingers[finger].bone[0], deepest = 0;
    palm_points(profile, fingers, (const double(*)[4])angle, finger, point);
    for (int n = 1; n < 4; n++) {
        bool is_over = point[n].z < profile->base[finger].z && point[n].z > 0;
        if (is_over) deepest = fmax(deepest, point[n].y + radius);
    }
    if (deepest <= COLLISION_SLACK) return;
    angle[finger][1] -= deepest / half_length(&fingers[finger]);
    snw__finger_clamp(&fingers[finger], angle[finger]);
}

void snw__hand_separate(const snw_hand_profile *profile, const snw__finger *fingers,
                        const bool *is_seen, double (*angle)[4])
{
    for (int k = SNW_HAND_INDEX; k < SNW_HAND_FINGERS; k++) {
        if (is_seen[snw_hand_tip_marker(k)]) continue;
        for (int round = 0; round < 2; round++) {
            if (k > SNW_HAND_INDEX) leave_neighbour(profile, fingers, k, k - 1, angle);
            if (k < SNW_HAND_LITTLE) leave_neighbour(profile, fingers, k, k + 1, angle);
            leave_palm(profile, fingers, k, angle);
        }
    }
}
