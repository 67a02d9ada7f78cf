/* sinew/solid.h - surfaces and solids: triangles and tetrahedra, what is wrong with them, what they
 * weigh.
 *
 *     snw_mesh *mesh = NULL;
 *     snw_mass_properties mass;
 *     if (snw_read_mesh_file("shank.mesh", NULL, NULL, &mesh, NULL, &error) == SNW_OK &&
 *         snw_mesh_mass(mesh, NULL, &mass, &error) == SNW_OK)
 *         printf("%g kg\n", mass.mass);
 *
 * Metres and kilograms. A surface is closed when every edge belongs to two triangles, and turned
 * right when their corners go round counterclockwise seen from outside. A mesh belongs to one
 * thread while it is changed; any number may read it. NULL options, allocator and error are
 * allowed.
 */
#ifndef SINEW_SOLID_H
#define SINEW_SOLID_H

#include <sinew/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- meshes ------------------------------------------------------------------------------- */

typedef struct snw_mesh_counts {
    int vertex_count;
    int edge_count;
    int triangle_count;
    int tetrahedron_count;
} snw_mesh_counts;

/* Corners are indices of vertices, from 0. A reference is the number that a file gives to an
 * element: its region or material. */
typedef struct snw_mesh {
    snw_mesh_counts count;
    snw_vec3 *vertex;           /* (vertex_count) */
    int *vertex_reference;      /* (vertex_count) */
    int (*edge)[2];             /* (edge_count) that a file marks; surfaces need none */
    int *edge_reference;        /* (edge_count) */
    int (*triangle)[3];         /* (triangle_count) */
    int *triangle_reference;    /* (triangle_count) */
    int (*tetrahedron)[4];      /* (tetrahedron_count) */
    int *tetrahedron_reference; /* (tetrahedron_count) */
    snw_allocator allocator;
    size_t block_size;
} snw_mesh;

/* Everything zero: fill in places and corners. */
SNW_API snw_status snw_mesh_create(const snw_mesh_counts *counts, const snw_allocator *allocator,
                                   snw_mesh **out, snw_error *error);
SNW_API snw_status snw_mesh_copy(const snw_mesh *mesh, const snw_allocator *allocator,
                                 snw_mesh **out, snw_error *error);
SNW_API void snw_mesh_destroy(snw_mesh *mesh);
/* Lowest and highest coordinates; zero where there is no vertex. */
SNW_API void snw_mesh_box(const snw_mesh *mesh, snw_vec3 *low, snw_vec3 *high);
/* The triangles between tetrahedra and nothing, turned outwards, on the same vertices, each with
 * the reference of its tetrahedron. SNW_DEGENERATE where there are no tetrahedra. */
SNW_API snw_status snw_mesh_boundary(const snw_mesh *mesh, const snw_allocator *allocator,
                                     snw_mesh **out, snw_error *error);

/* ---- what is wrong with it ---------------------------------------------------------------- */

#define SNW_MESH_ANGLE_BINS 18

typedef struct snw_mesh_report {
    bool is_closed;            /* there are triangles, and every edge has two of them */
    bool is_turned_right;      /* closed, neighbours agree, and no shell is inside out */
    int shell_count;           /* parts of the surface that hang together by edges */
    int inside_out_count;      /* closed shells of negative volume that lie in no other shell */
    int boundary_edge_count;   /* of one triangle */
    int hole_count;            /* rings of such edges */
    int crowded_edge_count;    /* of three triangles or more */
    int turned_edge_count;     /* whose two triangles go the same way along it */
    int unused_vertex_count;   /* in no triangle, tetrahedron or edge */
    int repeated_vertex_count; /* at exactly the place of another one */
    int flat_triangle_count;   /* without area */
    int repeated_triangle_count;
    int sliver_count;      /* triangles with an angle below one degree, not counting flat ones */
    int crossing_count;    /* pairs of triangles without a common vertex that cut each other */
    int first_crossing[2]; /* one such pair, -1 where there is none */
    int euler;             /* vertices - edges + triangles, of the vertices that triangles use */
    double area, volume;   /* of the surface; the volume counts where it is closed */
    int flat_tetrahedron_count;         /* without volume */
    int turned_tetrahedron_count;       /* of negative volume */
    double dihedral_low, dihedral_high; /* angles between faces of tetrahedra, radians */
    int dihedral[SNW_MESH_ANGLE_BINS];  /* how many in each 10 degrees */
    double tetrahedron_volume;
} snw_mesh_report;

/* Checks indices and numbers too: SNW_INVALID_ARGUMENT names the first corner or place that cannot
 * be. Work grows with the number of triangles, and of those that are near each other. */
SNW_API snw_status snw_mesh_check(const snw_mesh *mesh, const snw_allocator *allocator,
                                  snw_mesh_report *out, snw_error *error);

typedef struct snw_mesh_repair_options {
    double merge_distance; /* vertices nearer than this become one; 0: only those at one place */
    bool has_hole_filling; /* true */
    int hole_edge_max;     /* rings of more edges stay open; 64 */
    uint64_t reserved[4];  /* 0; later versions grow here */
} snw_mesh_repair_options;

SNW_API snw_mesh_repair_options snw_mesh_repair_options_default(void);

typedef struct snw_mesh_repaired {
    int merged_vertex_count;
    int dropped_triangle_count; /* flat, or there twice */
    int turned_triangle_count;
    int turned_shell_count;
    int filled_hole_count; /* by triangles round the middle of the ring */
    int open_hole_count;   /* left: too many edges, or no simple ring */
    int turned_tetrahedron_count;
} snw_mesh_repaired;

/* A new mesh in which everything is put right that can be put right safely: vertices merged, flat
 * and repeated triangles dropped, neighbours turned alike, shells outside out (cavities stay
 * cavities), simple holes filled, tetrahedra turned. Crossings and crowded edges stay: look at the
 * report of the new mesh. `done` may be NULL. */
SNW_API snw_status snw_mesh_repair(const snw_mesh *mesh, const snw_mesh_repair_options *options,
                                   const snw_allocator *allocator, snw_mesh **out,
                                   snw_mesh_repaired *done, snw_error *error);

/* ---- tetrahedra ---------------------------------------------------------------------------- */

typedef enum snw_tetrahedra_way {
    SNW_TETRAHEDRA_LATTICE, /* isosurface stuffing (Labelle & Shewchuk 2007): good angles */
    SNW_TETRAHEDRA_CENTRAL  /* central convexity point insertion (Knight 3.5.1.2): the surface's
                               own triangles, up to 1000 of them; it may give up */
} snw_tetrahedra_way;

typedef struct snw_tetrahedra_options {
    snw_tetrahedra_way way;
    double cell;          /* metres: size of the lattice's cubes; 0: by `cells` */
    double cells;         /* so many along the diagonal of the box; 40 */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_tetrahedra_options;

SNW_API snw_tetrahedra_options snw_tetrahedra_options_default(void);

typedef struct snw_tetrahedra_report {
    double cell;           /* of the lattice; 0: Knight's way */
    double distance;       /* largest from one surface to the other, at vertices and middles */
    double surface_volume; /* of the surface; that of the tetrahedra is in their snw_mesh_check */
    int inserted_count;    /* points, Knight's way */
} snw_tetrahedra_report;

/* The inside of a closed surface that is turned right, and for Knight's way does not cut itself;
 * SNW_DEGENERATE with a sentence else, and where the way gives up. Parts thinner than a cell may be
 * lost: `distance` of the report, which may be NULL, says it. The lattice's memory grows with the
 * box in cells. */
SNW_API snw_status snw_mesh_tetrahedra(const snw_mesh *surface,
                                       const snw_tetrahedra_options *options,
                                       const snw_allocator *allocator, snw_mesh **out,
                                       snw_tetrahedra_report *report, snw_error *error);

/* ---- mass --------------------------------------------------------------------------------- */

typedef enum snw_mass_way {
    SNW_MASS_AUTO,    /* by tetrahedra where there are any */
    SNW_MASS_SURFACE, /* by the triangles */
    SNW_MASS_TETRAHEDRA
} snw_mass_way;

typedef struct snw_region_density {
    int reference;
    double density;
} snw_region_density;

/* Density at p: that of the region's reference, or `density`, plus gradient . (p - origin). */
typedef struct snw_mass_options {
    snw_mass_way way;
    double density;                   /* kg/m3; 1000 */
    snw_vec3 gradient;                /* kg/m4: linear along an axis; 0 */
    snw_vec3 origin;                  /* where the gradient counts nothing; 0 */
    const snw_region_density *region; /* (region_count) or NULL; of closed shells or tetrahedra */
    int region_count;
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_mass_options;

SNW_API snw_mass_options snw_mass_options_default(void);

/* Of a rigid body; constant in its own frame. */
typedef struct snw_mass_properties {
    double volume, mass;
    snw_vec3 center;  /* of mass */
    snw_mat3 inertia; /* kg m2, about the centre of mass, along the mesh's axes */
    double moment[3]; /* principal ones, descending */
    snw_mat3 axes;    /* their directions as columns, right-handed */
} snw_mass_properties;

/* Exact integrals over the solid. SNW_DEGENERATE with a sentence for a surface that is open or
 * inside out, for no volume and no mass, and for a density that is negative somewhere. */
SNW_API snw_status snw_mesh_mass(const snw_mesh *mesh, const snw_mass_options *options,
                                 snw_mass_properties *out, snw_error *error);
/* Of one tetrahedron whose density changes linearly between its corners (Knight 3.1). */
SNW_API snw_status snw_tetrahedron_mass(const snw_vec3 corner[4], const double density[4],
                                        snw_mass_properties *out, snw_error *error);

#define SNW_MASS_PART_MAX 128

/* A plane: what lies at normal . p >= offset goes on to `front`, the rest to `back`. These are a
 * later cut, or -1 - n for part n. */
typedef struct snw_mass_cut {
    snw_vec3 normal; /* unit */
    double offset;
    int front, back;
} snw_mass_cut;

typedef struct snw_mass_cuts {
    const snw_mass_cut *cut; /* (cut_count); the first one sees everything */
    int cut_count;
    int part_count;        /* at most SNW_MASS_PART_MAX */
    const double *density; /* (part_count) of the parts, in place of the options'; or NULL */
} snw_mass_cuts;

/* What each part weighs that planes cut the solid into, as exactly as the whole: `out`
 * (part_count), all 0 for a part in which nothing lies. */
SNW_API snw_status snw_mesh_mass_cut(const snw_mesh *mesh, const snw_mass_options *options,
                                     const snw_mass_cuts *cuts, snw_mass_properties *out,
                                     snw_error *error);

/* After a rigid motion: a fixed number of operations, however many tetrahedra there are. */
SNW_API snw_mass_properties snw_mass_moved(const snw_mass_properties *mass,
                                           snw_xform world_from_body);
/* Two bodies taken as one; principal axes are found anew. */
SNW_API snw_mass_properties snw_mass_joined(const snw_mass_properties *a,
                                            const snw_mass_properties *b);
/* Moment of inertia about any point: I + m ((d.d) 1 - d d^T), d from the point to the centre. */
SNW_API snw_mat3 snw_mass_inertia_at(const snw_mass_properties *mass, snw_vec3 point);
/* Angular momentum about a point: I w + m d x v, with the velocity v of the centre of mass. */
SNW_API snw_vec3 snw_mass_momentum(const snw_mass_properties *mass, snw_vec3 velocity,
                                   snw_vec3 spin, snw_vec3 point);

/* ---- sections ----------------------------------------------------------------------------- */

/* Where a plane cuts the surface: lines one after the other. */
typedef struct snw_section {
    int line_count;
    int point_count;
    const int *line_first; /* (line_count + 1) */
    const bool *is_closed; /* (line_count) the last point leads back to the first */
    const snw_vec3 *point; /* (point_count) */
    double area;           /* inside the closed lines; holes count negative */
    double girth;          /* length of all lines */
    snw_vec3 center;       /* of the area; of the points where it is 0 */
    snw_allocator allocator;
    size_t block_size;
} snw_section;

/* The plane of the points p with normal . p = offset; SNW_INVALID_ARGUMENT for a zero normal. No
 * line where the plane misses the surface. Crowded edges are refused. */
SNW_API snw_status snw_mesh_section(const snw_mesh *mesh, snw_vec3 normal, double offset,
                                    const snw_allocator *allocator, snw_section **out,
                                    snw_error *error);
SNW_API void snw_section_destroy(snw_section *section);

/* What lies where a plane's normal points, and the rest; destroy both. */
typedef struct snw_mesh_halves {
    snw_mesh *front, *back;
} snw_mesh_halves;

/* The solid inside a closed surface cut in two by that plane, each half a closed surface again (no
 * triangles where nothing lies there). The cut's triangles have reference 0. SNW_DEGENERATE and
 * such as snw_mesh_mass, where edges have other than two triangles, and where the surface cuts
 * itself in the plane; SNW_TOO_LARGE for more than 20000 cut edges or 200 lines. */
SNW_API snw_status snw_mesh_split(const snw_mesh *mesh, snw_vec3 normal, double offset,
                                  const snw_allocator *allocator, snw_mesh_halves *out,
                                  snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
