/* Two ways to fill a closed surface that is turned right with tetrahedra. Internal to solid. */
#ifndef SNW_SOLID_MESH_SOLID_H
#define SNW_SOLID_MESH_SOLID_H

#include <sinew/solid.h>

/* By a lattice of this size. */
snw_status snw__mesh_stuff(const snw_mesh *surface, double cell, const snw_allocator *from,
                           snw_mesh **out, snw_error *error);
/* By points inside, Knight's way. */
snw_status snw__mesh_insert_central(const snw_mesh *surface, const snw_allocator *from,
                                    snw_mesh **out, snw_error *error);

#endif
