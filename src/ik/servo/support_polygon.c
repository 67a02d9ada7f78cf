/* The centre of mass over a support polygon; see support_polygon.h. How a coordinate moves the
 * centre follows from mass and first moment of what hangs on it: linear in joints. */
#include "ik/servo/support_polygon.h"

#include <string.h>

void snw__balance_layout(snw__balance *balance, const snw_skeleton *skeleton, snw__block *block)
{
    size_t joints = (size_t)skeleton->joint_count;
    balance->center = snw__block_take(block, joints, sizeof *balance->center);
    balance->moment = snw__block_take(block, joints, sizeof *balance->moment);
    balance->below = snw__block_take(block, joints, sizeof *balance->below);
}

void snw__balance_plan(snw__balance *balance, const snw_skeleton *skeleton, const snw_vec3 *given)
{
    balance->mass = 0;
    balance->edge_count = 0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        balance->center[j] = given                   ? given[j]
                             : skeleton->mass_center ? skeleton->mass_center[j]
                                                     : snw_vec3_make(0, 0, 0);
        balance->mass += skeleton->mass[j];
    }
}

snw_vec3 snw__balance_center(const snw__balance *balance, const snw_pose *pose)
{
    snw_vec3 sum = snw_vec3_make(0, 0, 0);
    for (int j = 0; j < pose->skeleton->joint_count && balance->mass > 0; j++)
        sum = snw_vec3_add_scaled(sum, pose->skeleton->mass[j] / balance->mass,
                                  snw_pose_point(pose, j, balance->center[j]));
    return sum;
}

/* ---- the polygon ---------------------------------------------------------------------------- */

typedef struct balance_point {
    double x, y;
    int index;
} balance_point;

/* Twice the area on the left of a, b, c. */
static double left_of(balance_point a, balance_point b, balance_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Convex hull, counter-clockwise (Andrew 1979); returns how many corners. */
static int find_hull(balance_point *point, int count, balance_point *hull)
{
    int used = 0;
    for (int i = 1; i < count; i++) {
        balance_point moving = point[i];
        int k = i;
        for (; k > 0 && (point[k - 1].x > moving.x ||
                         (point[k - 1].x == moving.x && point[k - 1].y > moving.y));
             k--)
            point[k] = point[k - 1];
        point[k] = moving;
    }
    for (int pass = 0; pass < 2; pass++) {
        int first = used;
        for (int i = 0; i < count; i++) {
            balance_point next = point[pass ? count - 1 - i : i];
            while (used - first >= 2 && left_of(hull[used - 2], hull[used - 1], next) <= 0)
                used--;
            hull[used++] = next;
        }
        used--; /* the last is the first of the other half */
    }
    return used;
}

bool snw__balance_set(snw__balance *balance, const snw_vec3 *points, int count, snw_vec3 up)
{
    balance_point flat[SNW_IK_SUPPORT_MAX], hull[2 * SNW_IK_SUPPORT_MAX + 2];
    snw_vec3 normal = snw_vec3_unit(up, snw_vec3_make(0, 1, 0));
    snw_vec3 x = snw_vec3_perpendicular(normal), y = snw_vec3_cross(normal, x);
    double area = 0, extent = 0;
    for (int i = 0; i < count; i++) {
        flat[i] = (balance_point){snw_vec3_dot(points[i], x), snw_vec3_dot(points[i], y), i};
        extent = fmax(extent, snw_vec3_distance(points[i], points[0]));
    }
    int corners = count >= 3 ? find_hull(flat, count, hull) : 0;
    for (int k = 2; k < corners; k++)
        area += 0.5 * left_of(hull[0], hull[k - 1], hull[k]);
    if (!(area > 1e-12 * extent * extent)) return false;
    balance->edge_count = corners;
    for (int k = 0; k < corners; k++) {
        balance_point a = hull[k], b = hull[(k + 1) % corners];
        snw_vec3 across = snw_vec3_add(snw_vec3_scale(x, a.y - b.y), snw_vec3_scale(y, b.x - a.x));
        balance->edge[k] = points[a.index];
        balance->inward[k] = snw_vec3_unit(across, x);
    }
    return true;
}

/* ---- rows ----------------------------------------------------------------------------------- */

double snw__balance_rows(snw__balance *balance, const snw__ik_system *system, const snw_pose *pose,
                         double *row, double *inside)
{
    double least = INFINITY;
    int n = system->column_count;
    if (balance->edge_count == 0) return least;
    const snw_skeleton *skeleton = pose->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        balance->below[j] = skeleton->mass[j];
        balance->moment[j] =
            snw_vec3_scale(snw_pose_point(pose, j, balance->center[j]), skeleton->mass[j]);
    }
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        int parent = skeleton->parent[j];
        balance->below[parent] += balance->below[j];
        balance->moment[parent] = snw_vec3_add(balance->moment[parent], balance->moment[j]);
    }
    snw_vec3 center = snw_vec3_scale(balance->moment[0], 1 / balance->mass);
    for (int c = 0; c < n; c++) {
        const snw__ik_column *column = &system->column[c];
        int joint = column->joint < 0 ? 0 : column->joint;
        double part = balance->below[joint] / balance->mass;
        snw_vec3 at = balance->below[joint] > 0
                          ? snw_vec3_scale(balance->moment[joint], 1 / balance->below[joint])
                          : column->origin;
        snw_vec3 velocity = snw__ik_column_velocity(system, column, at);
        for (int k = 0; k < balance->edge_count; k++)
            row[(size_t)k * (size_t)n + (size_t)c] =
                part * snw_vec3_dot(velocity, balance->inward[k]);
    }
    for (int k = 0; k < balance->edge_count; k++) {
        double *own = &row[(size_t)k * (size_t)n];
        snw__ik_merge_row(system, own);
        inside[k] = snw_vec3_dot(snw_vec3_sub(center, balance->edge[k]), balance->inward[k]);
        least = fmin(least, inside[k]);
    }
    return least;
}
