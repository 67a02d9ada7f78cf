/* d(log w)/dq_i = sum over columns j of dJ_j/dq_i . P_j with P = (J J^T)^-1 J, from d(log det A) =
 * tr(A^-1 dA). How a column moves when a coordinate above or below it does is rigid: what hangs on
 * i turns about its axis. */
#include "ik/servo/manipulability.h"

#include <string.h>

#include <sinew/dense.h>

#include "math/kernel.h"

/* Six rows: place, then turn. */
typedef struct twist {
    snw_vec3 place, turn;
} twist;

static twist column_twist(const snw__ik_system *system, const snw__ik_column *column, snw_vec3 at)
{
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_vec3 velocity = snw__ik_column_velocity(system, column, at);
    return (twist){snw_vec3_scale(velocity, 1 / system->ik->size),
                   column->is_slide ? zero : column->axis};
}

/* dJ_j/dq_i; is_above: coordinate i carries column j, or is j itself. */
static twist twist_rate(const snw__ik_system *system, const snw__ik_column *j,
                        const snw__ik_column *i, snw_vec3 at, bool is_above)
{
    twist own = column_twist(system, j, at), rate = {{0, 0, 0}, {0, 0, 0}};
    if (is_above && !i->is_slide) {
        rate.place = snw_vec3_cross(i->axis, own.place);
        rate.turn = snw_vec3_cross(i->axis, own.turn);
    } else if (!is_above && !j->is_slide) {
        rate.place = snw_vec3_cross(j->axis, column_twist(system, i, at).place);
    }
    return rate;
}

static void put_twist(double *column, twist value)
{
    const double six[6] = {value.place.x, value.place.y, value.place.z,
                           value.turn.x,  value.turn.y,  value.turn.z};
    memcpy(column, six, sizeof six);
}

void snw__manipulability_add(const snw__ik_system *system, int goal, const snw_pose *pose,
                             double scale, double *work, double *out)
{
    const snw_goal *task = &system->ik->goal[goal];
    const snw__ik_path *path = &system->path[3 * goal];
    const int *index = &system->path_column[path->first];
    snw__ik_rows rows = snw__ik_goal_rows(system->ik, task);
    int first = rows.offset ? 0 : 3, last = rows.turn ? 6 : 3, count = path->count;
    snw_vec3 at = snw_pose_point(pose, task->joint, task->point);
    double *jacobian = work, *inverse = work + 6 * (size_t)count, gram[36] = {0};
    for (int j = 0; j < count; j++)
        put_twist(&jacobian[6 * j], column_twist(system, &system->column[index[j]], at));
    int size = last - first;
    for (int j = 0; j < count; j++)
        for (int a = 0; a < size; a++)
            for (int b = 0; b <= a; b++)
                gram[a * size + b] += jacobian[6 * j + first + a] * jacobian[6 * j + first + b];
    for (int a = 0; a < size; a++)
        for (int b = 0; b < a; b++)
            gram[b * size + a] = gram[a * size + b];
    if (snw_cholesky_factor(gram, size) != SNW_OK) return;
    for (int j = 0; j < count; j++) {
        memcpy(&inverse[6 * j], &jacobian[6 * j], 6 * sizeof(double));
        if (snw_cholesky_solve(gram, size, &inverse[6 * j + first]) != SNW_OK) return;
    }
    for (int i = 0; i < count; i++) {
        double sum = 0, rate[6];
        for (int j = 0; j < count; j++) {
            put_twist(rate, twist_rate(system, &system->column[index[j]], &system->column[index[i]],
                                       at, i <= j));
            sum += snw__dot(&rate[first], &inverse[6 * j + first], size);
        }
        if (isfinite(sum)) out[index[i]] += scale * sum;
    }
}
