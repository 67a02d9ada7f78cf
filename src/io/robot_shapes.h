/* What the readers of robots' collision shapes share. Internal to io. */
#ifndef SNW_IO_ROBOT_SHAPES_H
#define SNW_IO_ROBOT_SHAPES_H

#include "io/mjcf_include.h"
#include "io/xml_reader.h"

typedef struct snw__shapes {
    const snw_skeleton *skeleton;
    snw_shape_list *list;
    const snw__include *files; /* NULL: other files cannot be opened, meshes are left out */
    const snw_allocator *allocator;
    snw_error *error;
} snw__shapes;

/* A surface in a file of its own. */
typedef struct snw__shape_mesh {
    snw__span folder, file; /* as written; folder may be empty */
    snw_xform own;          /* of the file's numbers, before they are scaled */
    double scale[3];
    snw_xform place; /* joint_from_mesh */
    int joint;
} snw__shape_mesh;

/* One more shape, moved by `place`, that `joint` carries. */
void snw__shapes_put(snw_shape_list *list, int joint, snw_xform place, snw_shape shape);
/* The hull round a mesh. A file that is not there or of a format without meshes is left out; one
 * that is broken is an error. */
snw_status snw__shapes_put_mesh(const snw__shapes *shapes, const snw__shape_mesh *mesh);
/* snw_read_shapes with the files that the robot's names. */
snw_status snw__read_shapes(const snw_source *source, const snw__shapes *shapes);

#endif
