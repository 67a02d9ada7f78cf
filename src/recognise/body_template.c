/* The generic person: lengths of person/anthropometry.h and the landmark heights of ANSUR (Gordon
 * et al. 1989), hip joints after Harrington et al. (2007); usual poses and their spread are chosen
 * wide enough for sports. */
#include "recognise/body_template.h"

#include "person/anthropometry.h"

#define DEGREES(x) ((x) * (SNW_PI / 180))

/* A segment in the middle: its joint in the parent, its usual turn and the spread of that in
 * degrees, the range of the turn about y, the flesh and its extent. */
#define MIDDLE(part, parent, jx, jy, jz, usual_x, usual_y, usual_z, x, y, z, low, high, fx, fy, \
               fz, ex, ey, ez)                                                                  \
    {                                                                                           \
        SNW_PART_##part, parent, {jx, jy, jz},                                                  \
            {DEGREES(usual_x), DEGREES(usual_y), DEGREES(usual_z)},                             \
            {DEGREES(x), DEGREES(y), DEGREES(z)}, DEGREES(low), DEGREES(high), {fx, fy, fz},    \
        {                                                                                       \
            ex, ey, ez                                                                          \
        }                                                                                       \
    }
/* A left segment and its mirror image, which turns y of a vector and x and z of a rotation; `own`
 * is 1 where the parent is one of a pair, too. */
#define PAIR(part, parent, own, jx, jy, jz, usual_x, usual_y, usual_z, x, y, z, low, high, fx, fy, \
             fz, ex, ey, ez)                                                                       \
    MIDDLE(part, parent, jx, jy, jz, usual_x, usual_y, usual_z, x, y, z, low, high, fx, fy, fz,    \
           ex, ey, ez),                                                                            \
        MIDDLE(part, (parent) + (own), jx, -(jy), jz, -(usual_x), usual_y, -(usual_z), x, y, z,    \
               low, high, fx, -(fy), fz, ex, ey, ez)

/* clang-format off */
static const snw__segment_row template_rows[SNW__SEGMENT_COUNT] = {
    MIDDLE(HIPS, -1,                        0, 0, 0,             0, 0, 0,     1, 1, 1,    -600, 600,
           -0.01, 0, 0.04,      0.05, 0.05, 0.03),
    MIDDLE(CHEST, SNW__SEGMENT_HIPS,        -0.015, 0, 0.065,    0, 5, 0,     15, 20, 15, -600, 600,
           0, 0, 0.15,          0.05, 0.06, 0.07),
    MIDDLE(HEAD, SNW__SEGMENT_CHEST,        -0.02, 0, 0.255,     0, 5, 0,     15, 25, 25, -600, 600,
           0.03, 0, 0.09,       0.05, 0.04, 0.04),
    PAIR(SHOULDER, SNW__SEGMENT_CHEST, 0,   0.025, 0.012, 0.222, 0, 0, 0,     12, 5, 12,  -600, 600,
         -0.03, 0.09, 0,        0.03, 0.02, 0.02),
    PAIR(ARM, SNW__SEGMENT_SHOULDER, 1,     -0.030, 0.092, -0.010, 25, -15, 0, 45, 50, 40, -600, 600,
         0, 0.015, -0.09,       0.025, 0.025, 0.05),
    PAIR(FOREARM, SNW__SEGMENT_ARM, 1,      0, 0, -SNW__TEMPLATE_UPPER_ARM,        0, -45, 0,   8, 40, 35,  -160, 8,
         0, 0.01, -0.08,        0.02, 0.02, 0.045),
    PAIR(HAND, SNW__SEGMENT_FOREARM, 1,     0, 0, -SNW__LENGTH_FOREARM,        0, 0, 0,     30, 20, 10, -600, 600,
         0, 0.005, -0.05,       0.02, 0.015, 0.03),
    PAIR(UPLEG, SNW__SEGMENT_HIPS, 0,       0, 0.048, 0,         4, -20, 0,   15, 35, 20, -140, 40,
         0.01, 0.02, -0.13,     0.03, 0.03, 0.06),
    PAIR(LEG, SNW__SEGMENT_UPLEG, 1,        0, 0, -SNW__LENGTH_THIGH,        0, 30, 0,    5, 35, 8,   -8, 155,
         0.005, 0.01, -0.12,    0.025, 0.025, 0.06),
    PAIR(FOOT, SNW__SEGMENT_LEG, 1,         0, 0, -SNW__TEMPLATE_SHANK,        0, 5, 0,     12, 20, 12, -45, 60,
         0.04, 0.005, -0.02,    0.04, 0.02, 0.012),
};
/* clang-format on */

const snw__segment_row *snw__segment_of(int segment)
{
    return template_rows + segment;
}

snw_side snw__segment_side(int segment)
{
    if (segment < SNW__SEGMENT_SHOULDER) return SNW_SIDE_NONE;
    return (segment - SNW__SEGMENT_SHOULDER) % 2 ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
}

int snw__segment_mirror(int segment)
{
    snw_side side = snw__segment_side(segment);
    return side == SNW_SIDE_NONE ? segment : side == SNW_SIDE_LEFT ? segment + 1 : segment - 1;
}

/* A part in the middle has no side; -1: there is none. */
static int segment_find(snw_part part, snw_side side)
{
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
        if (template_rows[s].part == part && snw__segment_side(s) == side) return s;
    for (int s = 0; s < SNW__SEGMENT_SHOULDER; s++)
        if (template_rows[s].part == part) return s;
    return -1;
}

static int find_site(const snw__site *site, int count, snw__landmark landmark, snw_side side)
{
    for (int a = 0; a < count; a++)
        if (site[a].side == side && site[a].row->landmark == landmark) return a;
    return -1;
}

int snw__sites_fill(snw__site site[SNW__SITE_MAX])
{
    int rows, count = 0;
    const snw__site_row *row = snw__site_table(&rows);
    for (int n = 0; n < rows; n++)
        for (int side = 0; side < (row[n].is_paired ? 2 : 1); side++) {
            if (count >= SNW__SITE_MAX) break;
            snw__site *at = site + count++;
            at->row = row + n;
            at->side = !row[n].is_paired ? SNW_SIDE_NONE : side ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
            at->segment = segment_find(snw__landmark_at(row[n].landmark)->part, at->side);
            at->place = row[n].place;
            if (side) at->place.y = -at->place.y;
        }
    for (int a = 0; a < count; a++) {
        const snw__site_row *at = site[a].row;
        snw_side other = site[a].side == SNW_SIDE_LEFT ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
        site[a].mirror =
            at->is_paired && !at->is_one_sided ? find_site(site, count, at->landmark, other) : -1;
        site[a].companion = find_site(site, count, at->companion, site[a].side);
    }
    return count;
}
