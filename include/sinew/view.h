/* sinew/view.h - cameras, and what several of them saw: rays, triangulation, people from keypoints.
 *
 *     snw_cameras *cameras = NULL;
 *     snw_views *views = NULL;
 *     snw_trial *trial = NULL;
 *     const char *const points[] = {"LHip", "RHip"};
 *     const snw_views_counts counts = {4, 100, 2, 400, points};
 *     if (snw_read_cameras_file("Calib.toml", NULL, NULL, &cameras, NULL, &error) == SNW_OK &&
 *         snw_views_create(&counts, NULL, &views, &error) == SNW_OK)  // fill in what was seen
 *         snw_views_triangulate(views, cameras, NULL, NULL, &trial, &error); // joints over time
 *
 * A camera looks along its own +z, x goes right and y down in the picture, pixels count from the
 * upper left corner. Lenses: pinhole with Brown-Conrady distortion (Brown 1971, as OpenCV orders
 * it: k1 k2 p1 p2 k3), or the fisheye of Kannala & Brandt (2006, k1 k2 k3 k4). Metres, pixels.
 * NULL options, allocator and error are allowed. Any thread.
 */
#ifndef SINEW_VIEW_H
#define SINEW_VIEW_H

#include <sinew/label.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cameras ------------------------------------------------------------------------------ */

#define SNW_CAMERA_NAME_SIZE 64
#define SNW_CAMERA_LENS      5
#define SNW_CAMERAS_MAX      256

typedef struct snw_camera {
    char name[SNW_CAMERA_NAME_SIZE];
    double width, height;               /* of the picture, pixels; 0: not known */
    double focal_x, focal_y;            /* pixels */
    double center_x, center_y;          /* where the axis meets the picture */
    bool is_fisheye;                    /* Kannala & Brandt; else Brown & Conrady */
    double distortion[SNW_CAMERA_LENS]; /* k1 k2 p1 p2 k3; fisheye: k1 k2 k3 k4, 0 */
    snw_xform camera_from_world;
} snw_camera;

/* Plain data; the caller may change the cameras. */
typedef struct snw_cameras {
    int count;
    snw_camera *camera; /* (count) */
    snw_allocator allocator;
} snw_cameras;

/* All zero but for focal lengths of 1 and identical poses. At most SNW_CAMERAS_MAX. */
SNW_API snw_status snw_cameras_create(int count, const snw_allocator *allocator, snw_cameras **out,
                                      snw_error *error);
SNW_API void snw_cameras_destroy(snw_cameras *cameras);
/* Index of the camera of that name, or -1. */
SNW_API int snw_cameras_find(const snw_cameras *cameras, const char *name);
/* SNW_INVALID_ARGUMENT names the first camera that can not be: a focal length that is not above 0,
 * a number that is none. */
SNW_API snw_status snw_cameras_check(const snw_cameras *cameras, snw_error *error);

/* Where a point of the world appears; false behind the camera, or where a fisheye does not see. */
SNW_API bool snw_camera_project(const snw_camera *camera, snw_vec3 world, double pixel[2]);
/* The same with the derivatives of both pixel coordinates by the point. */
SNW_API bool snw_camera_project_with(const snw_camera *camera, snw_vec3 world, double pixel[2],
                                     snw_vec3 derivative[2]);
/* The unit direction in the world in which a pixel looks; false where the lens sends no light.
 * Distortion is undone by Newton's method to 1e-12 of the focal length. */
SNW_API bool snw_camera_ray(const snw_camera *camera, const double pixel[2], snw_vec3 *direction);
/* Where the camera stands. */
SNW_API snw_vec3 snw_camera_place(const snw_camera *camera);

/* ---- one point ---------------------------------------------------------------------------- */

/* What one camera saw. */
typedef struct snw_sighting {
    int camera;
    double pixel[2];
    double sigma; /* pixels, one standard deviation of a coordinate */
} snw_sighting;

typedef struct snw_triangulated {
    snw_vec3 place;
    double covariance[6]; /* xx xy xz yy yz zz, m2: by the sightings' sigmas and the geometry */
    double residual;      /* rms over what agrees, in sigmas */
    int agreeing_count;   /* sightings within SNW_SIGHTING_FAR sigmas */
    uint32_t agreeing;    /* bit n: sighting n, of the first 32 */
} snw_triangulated;

#define SNW_SIGHTING_FAR 6.0

/* The point from which a robust sum of squared distances in the pictures is least (Geman & McClure
 * of SNW_SIGHTING_FAR / 2 sigmas), from the best of all pairs of sightings on: work grows with the
 * square of their number, 32 at most. `near` (or NULL) is one more place to start from.
 * SNW_DEGENERATE where fewer than two agree, or all look from one place. */
SNW_API snw_status snw_triangulate(const snw_cameras *cameras, const snw_sighting *sightings,
                                   int count, const snw_vec3 *near, snw_triangulated *out,
                                   snw_error *error);

/* ---- keypoints ---------------------------------------------------------------------------- */

/* A point of one detection: pixels, and how sure the detector is, 0 to 1; 0: not seen. */
typedef struct snw_keypoint {
    float x, y, confidence;
} snw_keypoint;

/* What the cameras saw: in every frame of every camera some detections (people) of the same points.
 */
typedef struct snw_views {
    int camera_count;
    int frame_count;
    int point_count;
    int detection_count;
    double rate;            /* frames per second; 0: not known */
    int first_frame;        /* number of frame 0 */
    const char **point;     /* (point_count) names */
    int *first;             /* (camera_count x frame_count + 1) first detection of a camera's frame:
                               frames of camera 0, then of camera 1, ... */
    snw_keypoint *keypoint; /* (detection_count x point_count) */
    snw_allocator allocator;
    size_t block_size;
} snw_views;

typedef struct snw_views_counts {
    int camera_count, frame_count, point_count, detection_count;
    const char *const *point; /* (point_count) names; copied as pointers: they must outlive it */
} snw_views_counts;

/* All zero: fill in `first` and the keypoints. */
SNW_API snw_status snw_views_create(const snw_views_counts *counts, const snw_allocator *allocator,
                                    snw_views **out, snw_error *error);
SNW_API void snw_views_destroy(snw_views *views);

/* What a camera turned out to be like. */
typedef struct snw_view_camera {
    int sighting_count;
    double residual; /* median distance of its sightings from the joints, pixels */
    bool is_moved;   /* it does not stand where the calibration says: it was put right */
    bool is_left_out;
    double moved_by, turned_by; /* metres, radians */
} snw_view_camera;

typedef struct snw_view_report {
    int person_count;
    double residual;         /* median over all sightings that count, pixels */
    int exchanged_count;     /* detections with left and right of a limb exchanged, put right */
    int sighting_count;      /* that were used */
    int far_count;           /* of these, that nobody believes */
    snw_view_camera *camera; /* NULL, or (camera_count) of the caller's */
} snw_view_report;

/* A point as a camera saw it. */
typedef struct snw_view_sight {
    float x, y, sigma; /* pixels, one standard deviation of a coordinate; sigma 0: not seen */
} snw_view_sight;

/* What was seen of each marker of a trial, for who fits bodies to pictures (snw_solve_options). */
typedef struct snw_view_sights {
    int camera_count, frame_count, marker_count;
    snw_cameras *cameras;         /* as they were used: knocked ones put right */
    char (*name)[SNW_LABEL_SIZE]; /* (marker_count) of the trial's markers */
    snw_view_sight
        *sight; /* (frame_count x marker_count x camera_count) left and right put right */
    snw_allocator allocator;
    size_t block_size;
} snw_view_sights;

/* Nothing seen; the caller fills in names, cameras and sights. */
SNW_API snw_status snw_view_sights_create(int camera_count, int frame_count, int marker_count,
                                          const snw_allocator *allocator, snw_view_sights **out,
                                          snw_error *error);
SNW_API void snw_view_sights_destroy(snw_view_sights *sights);

typedef struct snw_view_options {
    int person_max;          /* 0: everybody whom three cameras (two where there are but two) see in
                                half of the frames; else so many at most, those seen most first */
    bool keeps_cameras;      /* false; true: a camera that stands elsewhere is not put right */
    bool is_smooth;          /* false; true: joints move as calmly as walking people do */
    snw_view_report *report; /* NULL; receives how it went */
    snw_notes *notes;        /* NULL; receives what was guessed or left out */
    snw_view_sights *
        *sights;          /* NULL; receives what was seen of the trial's markers, the caller's */
    uint64_t reserved[3]; /* 0; later versions grow here */
} snw_view_options;

SNW_API snw_view_options snw_view_options_default(void);

/* People from keypoints: detections of the views are matched with each other and over time, left
 * and right put right, a camera that was knocked is found; every joint's path is the one that all
 * pictures together make likeliest, given that people accelerate by so much and no more. The trial
 * has the points in metres, with uncertainties; names of several people begin
 * with "P1:", "P2:", ... Samples that fewer than two cameras saw are filled where the path goes on
 * within half a second, else missing. SNW_NOT_FOUND where nobody is seen by two cameras,
 * SNW_INVALID_ARGUMENT where views and cameras do not belong together. Work grows with the number
 * of detections and of cameras. */
SNW_API snw_status snw_views_triangulate(const snw_views *views, const snw_cameras *cameras,
                                         const snw_view_options *options,
                                         const snw_allocator *allocator, snw_trial **out,
                                         snw_error *error);

/* ---- markers ------------------------------------------------------------------------------ */

/* What one camera alone saw of a marker. */
typedef struct snw_view_ray {
    int frame; /* from 0 */
    int marker, camera;
    snw_vec3 origin, direction; /* unit */
} snw_view_ray;

typedef struct snw_reconstruct_options {
    double noise; /* 0: by the pictures; else pixels, one standard deviation of a coordinate */
    bool keeps_cameras; /* false; true: a camera that stands elsewhere is left out, not put right */
    snw_notes *notes;   /* NULL; receives what was guessed or left out */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_reconstruct_options;

SNW_API snw_reconstruct_options snw_reconstruct_options_default(void);

typedef struct snw_reconstruction {
    snw_trial *trial;        /* trajectories *1, *2, ...: places, uncertainties, residuals, masks of
                                cameras 0..6 */
    snw_cameras *cameras;    /* as they were used: knocked ones put right */
    snw_view_camera *camera; /* (cameras->count) */
    double noise;            /* pixels */
    int sighting_count;      /* that became samples */
    int centroid_count;      /* that there were */
    int ray_count;
    snw_view_ray *ray; /* (ray_count) by frame: markers that only one camera saw for a moment */
    snw_allocator allocator;
    size_t block_size;
} snw_reconstruction;

/* Markers from centroids that nobody named, views of one point: those of several cameras whose rays
 * meet are markers, followed over time. A sample is what the pictures of its frame say, no filter;
 * a camera that begins or ends to see a marker counts little at first, so that nothing jumps. A
 * camera that does not stand where its calibration says is found, put right by what the others see,
 * and told. Trajectories end where a marker is lost: snw_trial_join puts them together.
 * SNW_NOT_FOUND where no rays meet. Work grows with cameras and with centroids. */
SNW_API snw_status snw_views_reconstruct(const snw_views *views, const snw_cameras *cameras,
                                         const snw_reconstruct_options *options,
                                         const snw_allocator *allocator, snw_reconstruction **out,
                                         snw_error *error);
SNW_API void snw_reconstruction_destroy(snw_reconstruction *reconstruction);

/* ---- calibration by what is seen ---------------------------------------------------------- */

typedef struct snw_cameras_calibrate_options {
    bool
        starts_anew; /* false: cameras stand about where they say; true: their poses are not used */
    bool finds_lens; /* false; true: focal lengths and k1 too */
    double length;   /* 0: the size of the world is that of the cameras; else metres between two
                        points: of keypoints `length_point`, of centroids the ends of a wand */
    int length_point[2]; /* of the views */
    double height;    /* 0; metres: of the person whose keypoints they are, instead of a length */
    snw_notes *notes; /* NULL; receives which cameras moved */
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_cameras_calibrate_options;

SNW_API snw_cameras_calibrate_options snw_cameras_calibrate_options_default(void);

typedef struct snw_cameras_calibrated {
    snw_cameras *cameras;
    snw_view_camera *camera; /* (cameras->count) its fit, and how far it is from where it was
                                believed to be */
    int point_count, sighting_count; /* that were used, and of these */
    int far_count;                   /* that nobody believes */
    double residual;                 /* median, pixels */
    snw_allocator allocator;
} snw_cameras_calibrated;

/* Where cameras stand, by what they see alike (bundle adjustment): markers of a capture, a wand of
 * one marker or of three in a line, or the keypoints of somebody who walks about. Without
 * starts_anew cameras stay where they are but for those that moved; with it the first one gives the
 * directions: z against the mean of the pictures' down, the origin in the middle of what was seen,
 * and `length` or `height` the size. SNW_NOT_FOUND where cameras see too little alike. */
SNW_API snw_status snw_cameras_calibrate(const snw_cameras *cameras, const snw_views *views,
                                         const snw_cameras_calibrate_options *options,
                                         const snw_allocator *allocator,
                                         snw_cameras_calibrated **out, snw_error *error);
SNW_API void snw_cameras_calibrated_destroy(snw_cameras_calibrated *calibrated);

/* ---- clocks ------------------------------------------------------------------------------- */

/* When a camera's pictures are: picture n (from 0) is of second n / rate (1 + drift) + delay on the
 * first camera's clock. */
typedef struct snw_view_clock {
    double delay; /* seconds */
    double drift;
    double sigma; /* seconds: what pairs of cameras disagree by */
} snw_view_clock;

/* The clocks of cameras that run freely, from the keypoints of somebody who moves: rays meet only
 * where they are of one instant. Delays up to `longest` seconds are looked for; drift shows in
 * recordings of twice 600 frames and more. `clock` (camera_count). SNW_DEGENERATE where a camera
 * sees too little motion, SNW_UNSUPPORTED for views of one point. */
SNW_API snw_status snw_views_synchronise(const snw_views *views, const snw_cameras *cameras,
                                         double longest, const snw_allocator *allocator,
                                         snw_view_clock *clock, snw_error *error);
/* The views as they would be had all cameras the first one's clock: between two pictures points go
 * straight. */
SNW_API snw_status snw_views_shift(const snw_views *views, const snw_view_clock *clock,
                                   const snw_allocator *allocator, snw_views **out,
                                   snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
