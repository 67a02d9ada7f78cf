/* sinew/io.h - files in and out, all by one registry of formats, which asks the content.
 *
 *     snw_trial *trial = NULL;
 *     snw_notes notes = snw_notes_none();
 *     if (snw_read_trial_file("walk.c3d", NULL, NULL, &trial, &notes, &error) == SNW_OK)
 *         for (int n = 0; n < notes.count; n++) puts(notes.note[n].text);    // what was repaired
 *
 * Readers and writers own every unit and axis conversion. They allocate no more than a small
 * multiple of the bytes that are really there. Any thread; a source or sink belongs to one call at
 * a time.
 */
#ifndef SINEW_IO_H
#define SINEW_IO_H

#include <sinew/body.h>
#include <sinew/collide.h>
#include <sinew/inertial.h>
#include <sinew/rig.h>
#include <sinew/skin.h>
#include <sinew/solid.h>
#include <sinew/taylor.h>
#include <sinew/trial.h>
#include <sinew/view.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum snw_format_kind {
    SNW_FORMAT_UNKNOWN,
    SNW_FORMAT_C3D,
    SNW_FORMAT_TRC,
    SNW_FORMAT_CSV,
    SNW_FORMAT_BVH,
    SNW_FORMAT_ASF,
    SNW_FORMAT_AMC,
    SNW_FORMAT_MOT, /* OpenSim .mot and .sto */
    SNW_FORMAT_GLB,
    SNW_FORMAT_URDF,   /* robots: the body alone, no frames */
    SNW_FORMAT_MJCF,   /* MuJoCo's XML: the same */
    SNW_FORMAT_MEDIT,  /* meshes: INRIA's .mesh, text */
    SNW_FORMAT_MEDITB, /* the same in bytes, .meshb */
    SNW_FORMAT_PLY,
    SNW_FORMAT_STL,
    SNW_FORMAT_OBJ,
    SNW_FORMAT_ATM,    /* Knight's figures */
    SNW_FORMAT_VRM,    /* VRM 1.0: a GLB that says which bone is what of a person */
    SNW_FORMAT_TAYLOR, /* expansions: snw_read_taylor */
    SNW_FORMAT_COUNT
} snw_format_kind;

/* ---- virtual input and output ------------------------------------------------------------- */

/* Where bytes come from. `read` fills up to `size` bytes and returns how many it got, 0 at the end,
 * negative on failure. `seek` goes to a byte from the start and returns 0, or is NULL: the source
 * is then read into memory first. `size` is the whole length, or -1 when not known. */
typedef struct snw_source {
    int64_t (*read)(void *context, void *buffer, size_t size);
    int (*seek)(void *context, int64_t position);
    int64_t size;
    const char *name; /* for messages; may be NULL */
    void *context;
} snw_source;

/* Where bytes go. Returns 0, or not 0 on failure. */
typedef struct snw_sink {
    int (*write)(void *context, const void *bytes, size_t size);
    void *context;
} snw_sink;

/* Memory as a source; `state` must outlive it. */
typedef struct snw_memory_source {
    const uint8_t *bytes;
    size_t size;
    size_t position;
} snw_memory_source;

SNW_API snw_source snw_source_from_memory(snw_memory_source *state, const void *bytes, size_t size);

/* A growing buffer as a sink. */
typedef struct snw_memory_sink {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    snw_allocator allocator;
} snw_memory_sink;

SNW_API snw_sink snw_sink_to_memory(snw_memory_sink *state, const snw_allocator *allocator);
SNW_API void snw_memory_sink_release(snw_memory_sink *state);

/* ---- reading and writing ------------------------------------------------------------------ */

typedef struct snw_read_options {
    bool is_lenient;        /* keep what can be recovered instead of refusing */
    double metres_per_unit; /* for files that have no unit (CSV, BVH, ASF); 0 = guess or the
                               format's custom */
    snw_up_axis up;         /* UNKNOWN = as the file says */
    int64_t memory_limit;   /* bytes; refuse files that would need more; 0 = no bound but the file's
                               size */
    uint64_t reserved[4];   /* 0; later versions grow here */
} snw_read_options;

SNW_API snw_read_options snw_read_options_default(void);

/* Which points go into TRC, the table of markers that OpenSim and others read; C3D and CSV hold
 * all.
 */
typedef enum snw_point_choice {
    SNW_POINTS_MARKERS,
    SNW_POINTS_POSITIONS, /* joint centres too */
    SNW_POINTS_ALL        /* angles, forces, ... as if they were places */
} snw_point_choice;

#define SNW_DECIMALS_NONE (-2)

typedef struct snw_write_options {
    double
        metres_per_unit; /* of the numbers in the file; 0 = as the data, or the format's custom */
    int decimals;        /* of text formats, 1 to 17; 0 or -1 = shortest that reads back the same;
                            SNW_DECIMALS_NONE = whole numbers */
    snw_up_axis up; /* of a motion: which way is up in it. All motion formats are turned so that
                       it becomes +Y; UNKNOWN = it is +Y already */
    const snw_trial *markers; /* GLB: markers that go with the body, each turned by the trial's own
                                 up; left out when they have fewer frames than the motion; NULL =
                                 none */
    snw_point_choice points;  /* TRC */
    const snw_skin *skin; /* GLB: the surface that the body shows, of the motion's skeleton, instead
                             of octahedra; NULL = none */
    uint64_t reserved[2]; /* 0; later versions grow here */
} snw_write_options;

SNW_API snw_write_options snw_write_options_default(void);

/* What the content is; reads at most the first 4 KB and seeks back. */
SNW_API snw_format_kind snw_detect_format(const snw_source *source);
/* From a file name's ending, for writing. */
SNW_API snw_format_kind snw_format_from_name(const char *name);
SNW_API const char *snw_format_name(snw_format_kind kind);
/* What a format can carry. */
SNW_API bool snw_format_reads_trial(snw_format_kind kind);
SNW_API bool snw_format_reads_motion(snw_format_kind kind);
SNW_API bool snw_format_writes_trial(snw_format_kind kind);
SNW_API bool snw_format_writes_motion(snw_format_kind kind);
SNW_API bool snw_format_reads_mesh(snw_format_kind kind);
SNW_API bool snw_format_writes_mesh(snw_format_kind kind);

/* Markers. options, allocator, notes and error may be NULL. */
SNW_API snw_status snw_read_trial(const snw_source *source, const snw_read_options *options,
                                  const snw_allocator *allocator, snw_trial **out, snw_notes *notes,
                                  snw_error *error);
SNW_API snw_status snw_write_trial(const snw_trial *trial, snw_format_kind kind,
                                   const snw_write_options *options, const snw_sink *sink,
                                   snw_error *error);

/* A body and its motion: BVH, GLB and VRM; ASF, URDF and MJCF (body alone, no frames). Joints of a
 * robot are called like the links or bodies they move, so that goals can be given for "tool0". The
 * caller destroys the motion, and with it the body. */
SNW_API snw_status snw_read_motion(const snw_source *source, const snw_read_options *options,
                                   const snw_allocator *allocator, snw_motion **out,
                                   snw_notes *notes, snw_error *error);
/* A body of a GLB or VRM with the surface that the file ties to it. */
typedef struct snw_character {
    snw_motion *motion; /* owns the body */
    snw_skin *skin;
} snw_character;

/* SNW_UNSUPPORTED where there is no such surface. Materials and pictures are not kept. */
SNW_API snw_status snw_read_character(const snw_source *source, const snw_read_options *options,
                                      const snw_allocator *allocator, snw_character *out,
                                      snw_notes *notes, snw_error *error);
/* Both, and NULL after it. */
SNW_API void snw_character_release(snw_character *character);
/* A body of Acclaim and its frames. */
typedef struct snw_acclaim_sources {
    const snw_source
        *asf; /* the body, which says in what unit and order the AMC lists its values */
    const snw_source *amc;
    const snw_skeleton *skeleton; /* where asf is NULL: a body read from an ASF before, which is not
                                     the motion's own. It does not keep the ASF's unit of length
                                     (say it in options.metres_per_unit; else inches divided by
                                     0.45, CMU's) nor orders of channels other than x, y, z */
} snw_acclaim_sources;

SNW_API snw_status snw_read_acclaim(const snw_acclaim_sources *files,
                                    const snw_read_options *options, const snw_allocator *allocator,
                                    snw_motion **out, snw_notes *notes, snw_error *error);
SNW_API snw_status snw_write_motion(const snw_motion *motion, snw_format_kind kind,
                                    const snw_write_options *options, const snw_sink *sink,
                                    snw_error *error);

/* ---- cameras and keypoints ------------------------------------------------------------------ */

typedef enum snw_camera_format {
    SNW_CAMERAS_TOML,     /* Pose2Sim, Anipose, Caliscope */
    SNW_CAMERAS_OPENCV,   /* YAML of its FileStorage */
    SNW_CAMERAS_QUALISYS, /* .qca.txt */
    SNW_CAMERAS_VICON,    /* .xcp */
    SNW_CAMERAS_OPTITRACK /* .mcal */
} snw_camera_format;

/* Calibrations of any snw_camera_format, told apart by their content. options->metres_per_unit is
 * that of the cameras' places in TOML and YAML; 0: metres, or millimetres where they would be
 * hundreds of metres away, with a note. */
SNW_API snw_status snw_read_cameras(const snw_source *source, const snw_read_options *options,
                                    const snw_allocator *allocator, snw_cameras **out,
                                    snw_notes *notes, snw_error *error);
/* As TOML. */
SNW_API snw_status snw_write_cameras(const snw_cameras *cameras, const snw_sink *sink,
                                     snw_error *error);
/* SNW_UNSUPPORTED names the camera whose lens the layout cannot hold. Vicon's radial polynomial
 * goes from the picture to the ray, ours the other way: the other is fitted over the picture. */
SNW_API snw_status snw_write_cameras_as(const snw_cameras *cameras, snw_camera_format format,
                                        const snw_sink *sink, snw_error *error);
/* The snw_camera_format by the ending: .toml, .yaml, .yml, .qca.txt, .xcp, .mcal; -1 for others. */
SNW_API int snw_camera_format_find(const char *path);

/* Points that the cameras of a calibration saw and nobody named: views of one point. CSV (frame,
 * camera, x, y) or JSON lines ({"frame": 1, "camera": "cam1", "points": [[x, y], ...]}), told apart
 * by their content; cameras by name or by number from 1. */
SNW_API snw_status snw_read_views(const snw_source *source, const snw_cameras *cameras,
                                  const snw_read_options *options, const snw_allocator *allocator,
                                  snw_views **out, snw_error *error);
/* As CSV, thousandths of a pixel. SNW_INVALID_ARGUMENT for views of several points. */
SNW_API snw_status snw_write_views(const snw_views *views, const snw_cameras *cameras,
                                   const snw_sink *sink, snw_error *error);

/* Inertial sensors: .sto of turns (OpenSim), CSV with NAME_qw .. NAME_qz and NAME_ax .. NAME_az, or
 * Xsens' MVNX, told apart by their content. Up is the axis along which they feel gravity; z where
 * there are no accelerations. */
SNW_API snw_status snw_read_inertial(const snw_source *source, const snw_read_options *options,
                                     const snw_allocator *allocator, snw_inertial **out,
                                     snw_notes *notes, snw_error *error);
/* As CSV. */
SNW_API snw_status snw_write_inertial(const snw_inertial *sensors, const snw_sink *sink,
                                      snw_error *error);

/* What a pose estimator saw in one picture, or in all of a camera. */
typedef struct snw_keypoint_picture {
    int detection_count;
    int point_count;
    snw_keypoint *keypoint; /* (detection_count x point_count) */
    snw_allocator allocator;
    size_t block_size;
    int *image;    /* (detection_count) number of the picture that the file says; or -1 */
    int capacity;  /* of `image` */
    bool is_share; /* x and y are shares of the picture's width and height */
} snw_keypoint_picture;

/* JSON of OpenPose, COCO, AlphaPose, MMPose or MediaPipe. */
SNW_API snw_status snw_read_keypoints(const snw_source *source, const snw_read_options *options,
                                      const snw_allocator *allocator, snw_keypoint_picture **out,
                                      snw_error *error);
SNW_API void snw_keypoint_picture_destroy(snw_keypoint_picture *picture);
/* Sets of points: body_25, body_25b, coco_17, ...; NULL behind the last, -1 where there is none. */
SNW_API const char *snw_keypoint_set_name(int set);
SNW_API int snw_keypoint_set_find(const char *name);
/* How many points it has; their names, which live as long as the program. */
SNW_API int snw_keypoint_set_points(int set, const char *const **points);
/* The set that has so many points; of two with 25 the one in which the hips' middle is between the
 * hips. -1: none. */
SNW_API int snw_keypoint_set_guess(const snw_keypoint *keypoint, int detection_count,
                                   int point_count);

/* ---- meshes -------------------------------------------------------------------------------- */

/* Surfaces and solids: MEDIT (.mesh, .meshb), PLY, STL, OBJ, GLB. GLB has metres; none of the
 * others names a unit: metres, unless options.metres_per_unit says otherwise, which is noted. Faces
 * of more corners become triangles round their first one. */
SNW_API snw_status snw_read_mesh(const snw_source *source, const snw_read_options *options,
                                 const snw_allocator *allocator, snw_mesh **out, snw_notes *notes,
                                 snw_error *error);
/* Only MEDIT holds tetrahedra and edges; a mesh of tetrahedra alone is refused by the others: write
 * its snw_mesh_boundary. STL has floats, the others doubles. */
SNW_API snw_status snw_write_mesh(const snw_mesh *mesh, snw_format_kind kind,
                                  const snw_write_options *options, const snw_sink *sink,
                                  snw_error *error);

/* ---- tables: OpenSim .mot and .sto --------------------------------------------------------- */

/* Named columns over time. A .mot file names coordinates but holds no body, so it is read as a
 * table; snw_motion_from_table puts it on a body whose joints its columns name. */
typedef struct snw_table {
    int row_count;
    int column_count;          /* without the time */
    double rate;               /* rows per second; 0 when there is only one row */
    bool is_in_degrees;        /* of rotational columns */
    const char *const *column; /* (column_count) names */
    double *time;              /* (row_count) seconds */
    double *value;             /* (row_count x column_count); NaN where the file says so */
    snw_allocator allocator;
    size_t block_size;
} snw_table;

/* All zero, the times too. Names are copied. */
SNW_API snw_status snw_table_create(int row_count, const char *const *columns, int column_count,
                                    const snw_allocator *allocator, snw_table **out,
                                    snw_error *error);
SNW_API void snw_table_destroy(snw_table *table);
/* So many rows per second, the first at 0; SNW_INVALID_ARGUMENT unless it is above 0. */
SNW_API snw_status snw_table_set_rate(snw_table *table, double rate, snw_error *error);
/* Index of the column of that name, upper and lower case the same, or -1. */
SNW_API int snw_table_find_column(const snw_table *table, const char *name);

SNW_API snw_status snw_read_table(const snw_source *source, const snw_read_options *options,
                                  const snw_allocator *allocator, snw_table **out, snw_notes *notes,
                                  snw_error *error);
SNW_API snw_status snw_write_table(const snw_table *table, const snw_write_options *options,
                                   const snw_sink *sink, snw_error *error);

/* How a body with masses moves as a whole (snw_pose_momentum): center_of_mass_x y z in metres,
 * momentum_x y z in kg m/s, angular_momentum_x y z about that centre in kg m2/s, kinetic_energy in
 * joules; the motion's own axes. SNW_INVALID_ARGUMENT where no joint has mass, and for less than
 * two frames. */
SNW_API snw_status snw_table_from_momentum(const snw_motion *motion, const snw_allocator *allocator,
                                           snw_table **out, snw_error *error);

/* The columns that snw_write_motion writes to .mot: ROOT_tx ty tz rx ry rz for where the body
 * stands, then for each joint NAME_angle (hinge, pivot), NAME_angle and NAME_angle2 (universal),
 * NAME_slide (prismatic), NAME_rx ry rz (ball) or NAME_tx ty tz rx ry rz (free). Metres and
 * degrees; rx ry rz are Euler angles about the moving axes, R = Rx Ry Rz. `up` as in
 * snw_write_options. */
SNW_API snw_status snw_table_from_motion(const snw_motion *motion, snw_up_axis up,
                                         const snw_allocator *allocator, snw_table **out,
                                         snw_error *error);
/* The inverse. Columns that are missing leave their coordinate at rest, others are left out; both
 * are noted. */
SNW_API snw_status snw_motion_from_table(const snw_table *table, const snw_skeleton *skeleton,
                                         const snw_allocator *allocator, snw_motion **out,
                                         snw_notes *notes, snw_error *error);

/* ---- motions and captures ------------------------------------------------------------------ */

/* Where every joint is, and every tip as NAME_tip, as the markers of a capture in millimetres; `up`
 * is kept. */
SNW_API snw_status snw_trial_from_motion(const snw_motion *motion, snw_up_axis up,
                                         const snw_allocator *allocator, snw_trial **out,
                                         snw_error *error);
/* The segments' rotations that a C3D file of markerless or inertial systems holds (Theia, Xsens),
 * as a body and its motion. The tree comes from the names (sinew/rig.h); a joint is where its
 * segment starts, at its mean place on the parent. Segments of no known part are left out and
 * noted; a frame without a segment keeps its last rotation. The motion owns the body.
 */
SNW_API snw_status snw_motion_from_rotations(const snw_trial *trial, const snw_allocator *allocator,
                                             snw_motion **out, snw_notes *notes, snw_error *error);

/* ---- Taylor expansions ----------------------------------------------------------------------- */

/* Knight's motion files; docs/knight.md has the format. */
SNW_API snw_status snw_read_taylor(const snw_source *source, const snw_read_options *options,
                                   const snw_allocator *allocator, snw_taylor **out,
                                   snw_error *error);
SNW_API snw_status snw_write_taylor(const snw_taylor *taylor, const snw_sink *sink,
                                    snw_error *error);

/* ---- analog channels ------------------------------------------------------------------------ */

/* CSV: the time in seconds from the first frame, then every channel in its unit, at the analog
 * rate. SNW_NOT_FOUND when the trial has none. */
SNW_API snw_status snw_write_analog(const snw_trial *trial, const snw_write_options *options,
                                    const snw_sink *sink, snw_error *error);

/* ---- files --------------------------------------------------------------------------------- */

/* The same on files. Writing goes to a temporary name beside the target, is flushed to disk and
 * then renamed; an existing file is an error unless `overwrite`. */
SNW_API snw_status snw_read_trial_file(const char *path, const snw_read_options *options,
                                       const snw_allocator *allocator, snw_trial **out,
                                       snw_notes *notes, snw_error *error);
SNW_API snw_status snw_write_trial_file(const char *path, bool overwrite, const snw_trial *trial,
                                        const snw_write_options *options, snw_error *error);
SNW_API snw_status snw_read_motion_file(const char *path, const snw_read_options *options,
                                        const snw_allocator *allocator, snw_motion **out,
                                        snw_notes *notes, snw_error *error);
SNW_API snw_status snw_read_character_file(const char *path, const snw_read_options *options,
                                           const snw_allocator *allocator, snw_character *out,
                                           snw_notes *notes, snw_error *error);
/* Where a body of Acclaim and its frames lie. */
typedef struct snw_acclaim_paths {
    const char *asf, *amc;
} snw_acclaim_paths;

SNW_API snw_status snw_read_acclaim_file(const snw_acclaim_paths *paths,
                                         const snw_read_options *options,
                                         const snw_allocator *allocator, snw_motion **out,
                                         snw_notes *notes, snw_error *error);
SNW_API snw_status snw_read_table_file(const char *path, const snw_read_options *options,
                                       const snw_allocator *allocator, snw_table **out,
                                       snw_notes *notes, snw_error *error);
SNW_API snw_status snw_write_table_file(const char *path, bool overwrite, const snw_table *table,
                                        const snw_write_options *options, snw_error *error);
/* Room for shapes, and how many there were: more than `room` are counted, not written. A mesh takes
 * up to 64 corners and is left out where there is no room for any. */
typedef struct snw_shape_list {
    snw_body_shape *shape; /* (room) */
    int room, count;
    int left_out;    /* meshes that are not there or not read, and shapes of links that the skeleton
                        has not */
    snw_vec3 *point; /* (point_room) corners of hulls, which must outlive the shapes; or NULL */
    int point_room, point_count;
} snw_shape_list;

/* The collision shapes of a robot (URDF, MJCF), carried by the skeleton's joints, those of an
 * MJCF's world by -1: boxes, spheres, capsules, planes, cylinders and ellipsoids as the capsules
 * round them; by the second, which can open other files, meshes too (any format that
 * snw_format_reads_mesh says; metres), as snw_shape_hull_around. Packages of URDF are looked for
 * beside the file and up to four folders above. */
SNW_API snw_status snw_read_shapes(const snw_source *source, const snw_skeleton *skeleton,
                                   snw_shape_list *list, snw_error *error);
SNW_API snw_status snw_read_shapes_file(const char *path, const snw_skeleton *skeleton,
                                        snw_shape_list *list, snw_error *error);
SNW_API snw_status snw_read_mesh_file(const char *path, const snw_read_options *options,
                                      const snw_allocator *allocator, snw_mesh **out,
                                      snw_notes *notes, snw_error *error);
SNW_API snw_status snw_read_taylor_file(const char *path, const snw_read_options *options,
                                        const snw_allocator *allocator, snw_taylor **out,
                                        snw_error *error);
SNW_API snw_status snw_write_taylor_file(const char *path, bool overwrite, const snw_taylor *taylor,
                                         snw_error *error);
SNW_API snw_status snw_read_cameras_file(const char *path, const snw_read_options *options,
                                         const snw_allocator *allocator, snw_cameras **out,
                                         snw_notes *notes, snw_error *error);
/* The ending says which layout; SNW_UNSUPPORTED for one that names none. */
SNW_API snw_status snw_write_cameras_file(const char *path, bool overwrite,
                                          const snw_cameras *cameras, snw_error *error);
SNW_API snw_status snw_read_keypoints_file(const char *path, const snw_read_options *options,
                                           const snw_allocator *allocator,
                                           snw_keypoint_picture **out, snw_error *error);
SNW_API snw_status snw_read_inertial_file(const char *path, const snw_read_options *options,
                                          const snw_allocator *allocator, snw_inertial **out,
                                          snw_notes *notes, snw_error *error);
SNW_API snw_status snw_write_inertial_file(const char *path, bool overwrite,
                                           const snw_inertial *sensors, snw_error *error);
SNW_API snw_status snw_read_views_file(const char *path, const snw_cameras *cameras,
                                       const snw_read_options *options,
                                       const snw_allocator *allocator, snw_views **out,
                                       snw_error *error);
SNW_API snw_status snw_write_views_file(const char *path, bool overwrite, const snw_views *views,
                                        const snw_cameras *cameras, snw_error *error);
SNW_API snw_status snw_write_mesh_file(const char *path, bool overwrite, const snw_mesh *mesh,
                                       const snw_write_options *options, snw_error *error);
/* UNKNOWN also when the file cannot be opened or cannot seek (a pipe). */
SNW_API snw_format_kind snw_detect_file(const char *path);
SNW_API snw_status snw_write_motion_file(const char *path, bool overwrite, const snw_motion *motion,
                                         const snw_write_options *options, snw_error *error);
/* Any bytes, written the same way. */
SNW_API snw_status snw_write_file(const char *path, bool overwrite, const void *bytes, size_t size,
                                  snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
