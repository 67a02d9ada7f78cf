/* What the mesh formats share. Internal to io.
 *
 * A reader goes through its file twice with the same code: first it counts (mesh NULL), then it
 * fills a mesh of that size. */
#ifndef SNW_IO_MESH_FILE_H
#define SNW_IO_MESH_FILE_H

#include "io/formats.h"
#include "io/text_reader.h"

typedef struct snw__mesh_filling {
    snw_mesh *mesh; /* NULL while counting */
    snw_mesh_counts count;
    int64_t split_count; /* faces of more than three corners */
} snw__mesh_filling;

/* Each fails where the mesh would have more than an int can count. */
bool snw__fill_vertex(snw__mesh_filling *filling, snw_vec3 place, int reference);
/* A face of three corners or more, from 0, round its first one. */
bool snw__fill_face(snw__mesh_filling *filling, const int *corner, int count, int reference);
bool snw__fill_edge(snw__mesh_filling *filling, const int corner[2], int reference);
bool snw__fill_tetrahedron(snw__mesh_filling *filling, const int corner[4], int reference);

/* After counting: makes the mesh and starts again. */
snw_status snw__fill_begin(snw__mesh_filling *filling, const snw__reading *reading);
/* After filling: indices and numbers are right, or SNW_FORMAT and the mesh is gone; notes faces
 * that were split. */
snw_status snw__fill_end(snw__mesh_filling *filling, const snw__reading *reading, snw_mesh **out);
/* Both passes by one function; whatever fails leaves no mesh. */
snw_status snw__fill_twice(snw__mesh_filling *filling, const snw__reading *reading,
                           snw_status (*pass)(void *work), void *work, snw_mesh **out);
/* The same over a text, which is loaded before and let go after. */
snw_status snw__fill_from_text(snw__mesh_filling *filling, snw__text_input *text,
                               snw__reading *reading, snw_status (*pass)(void *work), void *work,
                               snw_mesh **out);

/* A mesh that only has tetrahedra, or numbers that cannot be, is refused; *scale: the file's units
 * per metre. */
snw_status snw__mesh_begin_writing(const snw__output *output, const snw_mesh *mesh,
                                   bool has_tetrahedra, double *scale);
/* "x y z" */
void snw__put_place(snw__output *output, snw_vec3 place);

/* Numbers in either order of bytes. */
uint64_t snw__bytes_to_integer(const uint8_t *bytes, int size, bool is_big);
double snw__bytes_to_real(const uint8_t *bytes, int size, bool is_big);
void snw__put_integer(snw__output *output, uint64_t value, int size);
void snw__put_place_bytes(snw__output *output, snw_vec3 place, int size);

#endif
