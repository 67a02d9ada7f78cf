/* Gait events while they are found: a list with room for all of them, and what force plates add.
 * Internal. */
#ifndef SNW_MEASURE_GAIT_EVENTS_H
#define SNW_MEASURE_GAIT_EVENTS_H

#include "measure/gait_line.h"

typedef struct snw__gait_list {
    snw_gait_event *event;
    int count, room;
} snw__gait_list;

/* Beyond the room nothing is added. */
void snw__gait_list_add(snw__gait_list *list, snw_gait_event_kind kind, int side,
                        snw_gait_event_source source, double time);
void snw__gait_list_sort(snw__gait_list *list);
/* A copy for the caller. */
snw_status snw__gait_list_keep(const snw__gait_list *list, const snw_allocator *allocator,
                               snw_gait_events **out, snw_error *error);

/* Adds what the plates tell, above so many newtons; how many. */
int snw__gait_plates_find(const snw__gait_line *line, double threshold, snw__gait_list *list,
                          snw_notes *notes);
/* Events of plates take the place of those of markers nearby, and the others of the same kind are
 * moved by what those were off. */
void snw__gait_plates_prefer(snw__gait_list *list);

#endif
