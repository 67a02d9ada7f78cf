/* A seven-joint robot arm with box limits: the KUKA LBR iiwa 7 R800. Standard DH rows as in Faria,
 * Ferreira, Erlhagen, Monteiro & Bicho, "Position-based kinematics for 7-DoF serial manipulators
 * with global configuration control, joint limit and singularity avoidance", Mechanism and Machine
 * Theory 121 (2018); lengths (base to shoulder 0.34 m, shoulder to elbow 0.4 m, elbow to wrist
 * 0.4 m, wrist to flange 0.126 m) and ranges as in the maker's data sheet. */
#include "body/preset.h"

enum {
    ARM7_COUNT = 7
};

snw_status snw__preset_arm7(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const double d[ARM7_COUNT] = {0.34, 0, 0.4, 0, 0.4, 0, 0.126};
    static const double alpha_deg[ARM7_COUNT] = {-90, 90, 90, -90, -90, 90, 0};
    static const double range_deg[ARM7_COUNT] = {170, 120, 170, 120, 170, 120, 175};
    snw_dh_row rows[ARM7_COUNT];
    for (int i = 0; i < ARM7_COUNT; i++) {
        snw_dh_row row = {0};
        double range = snw_radians(range_deg[i]);
        row.d = d[i];
        row.alpha = snw_radians(alpha_deg[i]);
        row.has_range = true;
        row.range[0] = -range;
        row.range[1] = range;
        rows[i] = row;
    }
    return snw_skeleton_from_dh(rows, ARM7_COUNT, SNW_DH_STANDARD, allocator, out, error);
}
