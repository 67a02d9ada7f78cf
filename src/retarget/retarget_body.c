/* Bodies by their bones' names, and which bone of one is which of the other. */
#include "retarget/retarget_body.h"

#include <math.h>

static int find_joint(const snw__retarget_body *body, snw_part part, int side)
{
    for (int j = 0; j < body->skeleton->joint_count; j++)
        if (body->part[j] == part && (int)body->side[j] == side) return j;
    return -1;
}

static snw_vec3 rest_place(const snw_skeleton *skeleton, int joint)
{
    snw_vec3 place = {0, 0, 0};
    for (int j = joint; j >= 0; j = skeleton->parent[j]) /* frames are the world's */
        place = snw_vec3_add(place, skeleton->rest[j].translation);
    return place;
}

/* Bones between the three joints may be divided (twist bones): lengths are straight ways. */
static snw__limb read_limb(const snw__retarget_body *body, snw_part top, snw_part middle,
                           snw_part end, int side)
{
    snw__limb limb = {find_joint(body, top, side), find_joint(body, middle, side),
                      find_joint(body, end, side), -1, 0};
    limb.last = limb.end;
    if (limb.top < 0 || limb.middle < 0 || limb.end < 0) return limb;
    snw_vec3 a = rest_place(body->skeleton, limb.top), b = rest_place(body->skeleton, limb.middle);
    snw_vec3 c = rest_place(body->skeleton, limb.end);
    limb.length = snw_vec3_distance(a, b) + snw_vec3_distance(b, c);
    return limb;
}

bool snw__retarget_body_read(snw__retarget_body *body)
{
    const snw_skeleton *skeleton = body->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++)
        body->part[j] = snw_rig_part_of(skeleton, j, &body->side[j]);
    double sole = INFINITY, ankle = 0;
    for (int side = 0; side < SNW_SIDES; side++) {
        body->leg[side] = read_limb(body, SNW_PART_UPLEG, SNW_PART_LEG, SNW_PART_FOOT, side);
        body->arm[side] = read_limb(body, SNW_PART_ARM, SNW_PART_FOREARM, SNW_PART_HAND, side);
        if (!(body->leg[side].length > 0)) return false;
        ankle += rest_place(skeleton, body->leg[side].end).y / SNW_SIDES;
    }
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (body->part[j] != SNW_PART_FOOT && body->part[j] != SNW_PART_TOE) continue;
        snw_vec3 place = rest_place(skeleton, j);
        sole = fmin(sole, place.y);
        if (skeleton->has_tip[j]) sole = fmin(sole, place.y + skeleton->tip[j].y);
    }
    body->ankle_height = fmax(ankle - sole, 0);
    return true;
}

/* ---- counterparts -------------------------------------------------------------------------------
 */

/* Joints of one part and side in the order of the tree; at most `most`. */
static int list_part(const snw__retarget_body *body, snw_part part, snw_side side, int *list,
                     int most)
{
    int count = 0;
    for (int j = 0; j < body->skeleton->joint_count && count < most; j++)
        if (body->part[j] == part && body->side[j] == side) list[count++] = j;
    return count;
}

enum {
    RETARGET_CHAIN = 64 /* joints of one part */
};

void snw__retarget_map(const snw__retarget_body *from, const snw__retarget_body *to,
                       snw__counterpart *map)
{
    for (int j = 0; j < to->skeleton->joint_count; j++) {
        map[j] = (snw__counterpart){-1, -1, 0};
        if (to->part[j] != SNW_PART_NONE) {
            /* A chain of N joints follows one of M: joint n of N turns as the place (n + 1) M / N
             * of the other, so that both ends turn alike. */
            snw__counterpart *row = map + j;
            int mine[RETARGET_CHAIN], other[RETARGET_CHAIN], at = 0;
            snw_part part = to->part[j];
            snw_side side = to->side[j];
            int n = list_part(to, part, side, mine, RETARGET_CHAIN);
            int m = list_part(from, part, side, other, RETARGET_CHAIN);
            if (!n || !m) continue;
            while (at + 1 < n && mine[at] != j)
                at++;
            double place = (at + 1.0) * m / n - 1;
            int low = (int)floor(place);
            int before = low >= 0 ? other[low] : from->skeleton->parent[other[0]];
            row->high = low + 1 < m ? other[low + 1] : other[m - 1];
            row->low = before >= 0 ? before : row->high;
            row->share = place - low;
        }
    }
}
