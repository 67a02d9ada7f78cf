/* The generic person: lengths after Drillis & Contini (1966) as Winter (2009, figure 4.1) prints
 * them and the landmark heights of ANSUR (Gordon et al. 1989), hip joints after Harrington et al.
 * (2007); usual poses and their spread are chosen wide enough for sports. */
#include "recognise/body_template.h"

#define DEGREES(x) ((x) * (SNW_PI / 180))
#define TURN(x, y, z)                      \
    {                                      \
        DEGREES(x), DEGREES(y), DEGREES(z) \
    }
#define ANY_BEND -10, 10

/* clang-format off */
static const snw__segment_row template_rows[SNW__SEGMENT_COUNT] = {
    {SNW_PART_HIPS, -1, {0, 0, 0}, TURN(0, 0, 0), TURN(1, 1, 1), ANY_BEND,
     {-0.01, 0, 0.04}, {0.05, 0.05, 0.03}},
    {SNW_PART_CHEST, SNW__SEGMENT_HIPS, {-0.015, 0, 0.065}, TURN(0, 5, 0), TURN(15, 20, 15), ANY_BEND,
     {0, 0, 0.15}, {0.05, 0.06, 0.07}},
    {SNW_PART_HEAD, SNW__SEGMENT_CHEST, {-0.02, 0, 0.255}, TURN(0, 5, 0), TURN(15, 25, 25), ANY_BEND,
     {0.03, 0, 0.09}, {0.05, 0.04, 0.04}},
    {SNW_PART_SHOULDER, SNW__SEGMENT_CHEST, {0.025, 0.012, 0.222}, TURN(0, 0, 0), TURN(12, 5, 12), ANY_BEND,
     {-0.03, 0.09, 0}, {0.03, 0.02, 0.02}},
    {SNW_PART_NONE, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}},
    {SNW_PART_ARM, SNW__SEGMENT_SHOULDER, {-0.030, 0.092, -0.010}, TURN(25, -15, 0), TURN(45, 50, 40), ANY_BEND,
     {0, 0.015, -0.09}, {0.025, 0.025, 0.05}},
    {SNW_PART_NONE, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}},
    {SNW_PART_FOREARM, SNW__SEGMENT_ARM, {0, 0, -0.172}, TURN(0, -45, 0), TURN(8, 40, 35), DEGREES(-160), DEGREES(8),
     {0, 0.01, -0.08}, {0.02, 0.02, 0.045}},
    {SNW_PART_NONE, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}},
    {SNW_PART_HAND, SNW__SEGMENT_FOREARM, {0, 0, -0.146}, TURN(0, 0, 0), TURN(30, 20, 10), ANY_BEND,
     {0, 0.005, -0.05}, {0.02, 0.015, 0.03}},
    {SNW_PART_NONE, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}},
    {SNW_PART_UPLEG, SNW__SEGMENT_HIPS, {0, 0.048, 0}, TURN(4, -20, 0), TURN(15, 35, 20), DEGREES(-140), DEGREES(40),
     {0.01, 0.02, -0.13}, {0.03, 0.03, 0.06}},
    {SNW_PART_NONE, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}},
    {SNW_PART_LEG, SNW__SEGMENT_UPLEG, {0, 0, -0.245}, TURN(0, 30, 0), TURN(5, 35, 8), DEGREES(-8), DEGREES(155),
     {0.005, 0.01, -0.12}, {0.025, 0.025, 0.06}},
    {SNW_PART_NONE, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}},
    {SNW_PART_FOOT, SNW__SEGMENT_LEG, {0, 0, -0.245}, TURN(0, 5, 0), TURN(12, 20, 12), DEGREES(-45), DEGREES(60),
     {0.04, 0.005, -0.02}, {0.04, 0.02, 0.012}},
    {SNW_PART_NONE, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, {0, 0, 0}},
};
/* clang-format on */

const snw__segment_row *snw__segment_table(void)
{
    return template_rows;
}

snw_side snw__segment_side(int segment)
{
    if (segment < SNW__SEGMENT_SHOULDER) return SNW_SIDE_NONE;
    return (segment - SNW__SEGMENT_SHOULDER) % 2 ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
}

/* A mirror turns y of a vector, x and z of a rotation. */
static snw_vec3 mirrored(snw_vec3 v)
{
    return snw_vec3_make(v.x, -v.y, v.z);
}

snw__segment_row snw__segment_of(int segment)
{
    if (snw__segment_side(segment) != SNW_SIDE_RIGHT) return template_rows[segment];
    snw__segment_row row = template_rows[segment - 1];
    if (row.parent >= SNW__SEGMENT_SHOULDER) row.parent++;
    row.joint = mirrored(row.joint);
    row.usual = snw_vec3_make(-row.usual.x, row.usual.y, -row.usual.z);
    row.flesh = mirrored(row.flesh);
    return row;
}

int snw__segment_find(snw_part part, snw_side side)
{
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
        if (template_rows[s].part == part) return s + (side == SNW_SIDE_RIGHT && s > 2 ? 1 : 0);
    return -1;
}

int snw__sites_fill(snw__site site[SNW__SITE_MAX])
{
    int rows, count = 0;
    const snw__site_row *row = snw__site_table(&rows);
    for (int n = 0; n < rows; n++)
        for (int side = 0; side < (row[n].is_paired ? 2 : 1); side++) {
            if (count >= SNW__SITE_MAX) return count;
            snw__site *at = site + count++;
            at->row = row + n;
            at->side = !row[n].is_paired ? SNW_SIDE_NONE : side ? SNW_SIDE_RIGHT : SNW_SIDE_LEFT;
            at->segment = snw__segment_find(row[n].part, at->side);
            at->place = side ? mirrored(row[n].place) : row[n].place;
        }
    return count;
}
