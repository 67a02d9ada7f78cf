/* The cheapest way to give every row a column of its own: shortest augmenting paths with dual
 * variables (Kuhn 1955; Jonker & Volgenant 1987), rows x rows x columns operations. */
#include "recognise/linear_assignment.h"

#include <math.h>

/* One row more: a shortest path from it to a free column, along which columns change hands. */
static void assign_row(const double *cost, int columns, int row, snw__assignment_work *work)
{
    for (int j = 0; j <= columns; j++) {
        work->distance[j] = INFINITY;
        work->is_done[j] = false;
    }
    int at = columns; /* a column that only stands for the new row */
    work->owner[at] = row;
    while (work->owner[at] >= 0) {
        int next = -1, i = work->owner[at];
        double least = INFINITY;
        work->is_done[at] = true;
        for (int j = 0; j < columns; j++) {
            if (work->is_done[j]) continue;
            double reduced = cost[(size_t)i * (size_t)columns + (size_t)j] - work->row_dual[i] -
                             work->column_dual[j];
            if (reduced < work->distance[j]) {
                work->distance[j] = reduced;
                work->from[j] = at;
            }
            if (work->distance[j] < least) {
                least = work->distance[j];
                next = j;
            }
        }
        if (next < 0) return; /* costs that are no numbers */
        for (int j = 0; j <= columns; j++) {
            if (!work->is_done[j]) {
                work->distance[j] -= least;
                continue;
            }
            work->row_dual[work->owner[j]] += least;
            work->column_dual[j] -= least;
        }
        at = next;
    }
    for (; at != columns; at = work->from[at])
        work->owner[at] = work->owner[work->from[at]];
}

void snw__assign(const double *cost, int rows, int columns, snw__assignment_work *work,
                 int *column_of_row)
{
    for (int j = 0; j <= columns; j++) {
        work->owner[j] = -1;
        work->column_dual[j] = 0;
    }
    for (int i = 0; i < rows; i++)
        work->row_dual[i] = 0;
    for (int i = 0; i < rows; i++) {
        assign_row(cost, columns, i, work);
        column_of_row[i] = -1;
    }
    for (int j = 0; j < columns; j++)
        if (work->owner[j] >= 0) column_of_row[work->owner[j]] = j;
}
