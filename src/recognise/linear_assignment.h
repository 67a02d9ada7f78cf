/* The linear assignment problem. Internal. */
#ifndef SNW_RECOGNISE_LINEAR_ASSIGNMENT_H
#define SNW_RECOGNISE_LINEAR_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Memory of the caller. */
typedef struct snw__assignment_work {
    double *row_dual;    /* (rows) */
    double *column_dual; /* (columns + 1) */
    double *distance;    /* (columns + 1) */
    int *owner;          /* (columns + 1) row that has the column */
    int *from;           /* (columns + 1) */
    bool *is_done;       /* (columns + 1) */
} snw__assignment_work;

/* cost (rows x columns), finite, rows <= columns. Of all ways to give every row another column the
 * one with the least sum: column_of_row (rows). */
void snw__assign(const double *cost, int rows, int columns, snw__assignment_work *work,
                 int *column_of_row);

#endif
