/* Published robot arms as tables of Denavit-Hartenberg rows, in metres and degrees, with the ranges
 * their makers give. Base frames are those of the tables, the tool is the flange.
 *
 * PUMA 560: Corke & Armstrong-Helouvry, "A search for consensus among model parameters reported for
 * the PUMA 560 robot", ICRA 1994; ranges as in Corke's toolbox.
 *
 * Panda: Franka Emika, robot and interface specifications (Craig's form).
 *
 * UR5, UR10: Universal Robots, "DH parameters for calculations of kinematics and dynamics".
 *
 * Gen3: Kinova, Gen3 user guide, classical parameters of the 7-joint arm without its base row.
 *
 * Arm7 is the KUKA LBR iiwa 7 R800: rows as in Faria, Ferreira, Erlhagen, Monteiro & Bicho,
 * "Position-based kinematics for 7-DoF serial manipulators with global configuration control, joint
 * limit and singularity avoidance", Mechanism and Machine Theory 121 (2018); lengths and ranges as
 * in the maker's data sheet. */
#include "body/preset.h"

enum {
    ROBOT_JOINTS_MAX = 8
};

typedef struct robot_row {
    double a, alpha_deg, d, theta_deg;
    double low_deg, high_deg; /* both 0: it turns without end */
} robot_row;

static snw_status build_robot(const robot_row *table, int count, snw_dh_form form,
                              const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    snw_dh_row rows[ROBOT_JOINTS_MAX];
    for (int i = 0; i < count; i++) {
        snw_dh_row row = {.a = table[i].a,
                          .alpha = snw_radians(table[i].alpha_deg),
                          .d = table[i].d,
                          .theta = snw_radians(table[i].theta_deg),
                          .has_range = table[i].low_deg != table[i].high_deg};
        row.range[0] = snw_radians(table[i].low_deg);
        row.range[1] = snw_radians(table[i].high_deg);
        rows[i] = row;
    }
    return snw_skeleton_from_dh(rows, count, form, allocator, out, error);
}

snw_status snw__preset_puma560(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const robot_row table[6] = {{0, 90, 0, 0, -160, 160},
                                       {0.4318, 0, 0, 0, -45, 225},
                                       {0.0203, -90, 0.15005, 0, -225, 45},
                                       {0, 90, 0.4318, 0, -110, 170},
                                       {0, -90, 0, 0, -100, 100},
                                       {0, 0, 0, 0, -266, 266}};
    return build_robot(table, 6, SNW_DH_STANDARD, allocator, out, error);
}

snw_status snw__preset_panda(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    /* The last row's d is the way to the flange, 0.107, along the seventh axis. The fourth joint is
     * counted from -90 degrees, in the middle of its range, so that the arm can stand at zero. */
    static const robot_row table[7] = {
        {0, 0, 0.333, 0, -166.0031, 166.0031},         {0, -90, 0, 0, -101.0010, 101.0010},
        {0, 90, 0.316, 0, -166.0031, 166.0031},        {0.0825, 90, 0, -90, -86.0012, 86.0008},
        {-0.0825, -90, 0.384, 0, -166.0031, 166.0031}, {0, 90, 0, 0, -1.0027, 215.0024},
        {0.088, 90, 0.107, 0, -166.0031, 166.0031}};
    return build_robot(table, 7, SNW_DH_MODIFIED, allocator, out, error);
}

snw_status snw__preset_ur5(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const robot_row table[6] = {
        {0, 90, 0.089159, 0, -360, 360}, {-0.425, 0, 0, 0, -360, 360},
        {-0.39225, 0, 0, 0, -360, 360},  {0, 90, 0.10915, 0, -360, 360},
        {0, -90, 0.09465, 0, -360, 360}, {0, 0, 0.0823, 0, -360, 360}};
    return build_robot(table, 6, SNW_DH_STANDARD, allocator, out, error);
}

snw_status snw__preset_ur10(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const robot_row table[6] = {
        {0, 90, 0.1273, 0, -360, 360},  {-0.612, 0, 0, 0, -360, 360},
        {-0.5723, 0, 0, 0, -360, 360},  {0, 90, 0.163941, 0, -360, 360},
        {0, -90, 0.1157, 0, -360, 360}, {0, 0, 0.0922, 0, -360, 360}};
    return build_robot(table, 6, SNW_DH_STANDARD, allocator, out, error);
}

snw_status snw__preset_gen3(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const robot_row table[7] = {
        {0, 90, -0.2848, 0, 0, 0},   {0, 90, -0.0118, 180, -128.9, 128.9},
        {0, 90, -0.4208, 180, 0, 0}, {0, 90, -0.0128, 180, -147.8, 147.8},
        {0, 90, -0.3143, 180, 0, 0}, {0, 90, 0, 180, -120.3, 120.3},
        {0, 180, -0.1674, 180, 0, 0}};
    return build_robot(table, 7, SNW_DH_STANDARD, allocator, out, error);
}

snw_status snw__preset_arm7(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const robot_row table[] = {{0, -90, 0.34, 0, -170, 170}, {0, 90, 0, 0, -120, 120},
                                      {0, 90, 0.4, 0, -170, 170},   {0, -90, 0, 0, -120, 120},
                                      {0, -90, 0.4, 0, -170, 170},  {0, 90, 0, 0, -120, 120},
                                      {0, 0, 0.126, 0, -175, 175}};
    return build_robot(table, 7, SNW_DH_STANDARD, allocator, out, error);
}
