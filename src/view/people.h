/* People in several views: who is who, and where their joints go. Internal to view. */
#ifndef SNW_VIEW_PEOPLE_H
#define SNW_VIEW_PEOPLE_H

#include <sinew/label.h>
#include <sinew/trial.h>

#include "view/eye.h"

/* What is known of one person. */
typedef struct snw__view_person {
    int *detection;                  /* (camera_count x frame_count) of the views, or -1 */
    snw_vec3 *place;                 /* (point_count x frame_count) metres; paths of points */
    bool *is_placed;                 /* (point_count x frame_count) `place` says something */
    int first, last;                 /* frames in which it is seen */
    int sighting_count, frame_count; /* detections, and frames with two of them */
    double camera_sum;               /* over these frames: cameras that see it */
} snw__view_person;

/* A sighting of one point's path. */
typedef struct snw__path_sight {
    int camera;
    snw__flat flat;
} snw__path_sight;

/* Everything at hand. */
typedef struct snw__viewing {
    const snw_views *views;
    snw_cameras *cameras; /* our own copy: knocked ones are put right */
    snw_view_options options;
    snw_keypoint *keypoint; /* (detection_count x point_count) left and right put right */
    snw_label *label;       /* (point_count) */
    int *mirror;            /* (point_count) the point of the other side, or -1 */
    int *owner;             /* (detection_count) the person, or -1 */
    double *camera_scale;   /* (camera_count) how much worse than usual it sees; INFINITY: not
                               used */
    int person_max, person_count;
    snw__view_person *person; /* (person_max) */
    snw__eye *eye;            /* (camera_count) of a path */
    snw__path_sight *seen;    /* (camera_count x frame_count) of a path, by frame */
    int *seen_first;          /* (frame_count + 1) */
    double (*row)[9];         /* (3 frame_count) of a path's equations */
    double *right;            /* (3 frame_count) */
    double *sorted;           /* (as many as detections times points) */
    snw_view_report report;
} snw__viewing;

/* First detection of a camera's frame, and the one behind the last. */
static inline int snw__view_first(const snw_views *views, int camera, int frame)
{
    return views->first[(int64_t)camera * views->frame_count + frame];
}

static inline int snw__view_end(const snw_views *views, int camera, int frame)
{
    return views->first[(int64_t)camera * views->frame_count + frame + 1];
}

/* The sighting of a point in a camera's frame; false where the person or the point is not seen
 * there. A keypoint is known to about a centimetre at the person's distance. */
bool snw__view_sighting(const snw__viewing *v, const snw__view_person *person, int point,
                        int camera, int frame, snw_sighting *out);

/* Who is who: fills persons with detections and first places. */
void snw__view_match(snw__viewing *v);
/* Mean distance in metres at the person of a detection's points from where it is in that frame;
 * infinite where they have too little in common. */
double snw__view_distance(const snw__viewing *v, const snw__view_person *person, int camera,
                          int frame, int detection);
/* turned.c: a note for each camera that sees other people than the others do: what was done to its
 * pictures. */
void snw__view_tell_strangers(snw__viewing *v);
/* The failure where nobody is found, or where people fit far better had all pictures been turned.
 * `find` looks for people in v->keypoint and says how far they are off; it was `off`. */
snw_status snw__view_check_turned(snw__viewing *v, double (*find)(snw__viewing *v), double off,
                                  snw_error *error);
/* The likeliest paths of all points of a person, from where they are. */
void snw__view_paths(snw__viewing *v, snw__view_person *person);
/* Median distance in pixels of a camera's sightings from where the points are, in every stride-th
 * frame; 0: it has none. */
double snw__view_camera_residual(snw__viewing *v, int camera, int stride);
/* Fits the pose of a camera to where the points are. */
void snw__view_fit_camera(snw__viewing *v, int camera);
/* What was seen of the trial's markers, as the options ask for it. */
snw_status snw__view_sights(const snw__viewing *v, const snw_trial *trial,
                            const snw_allocator *allocator, snw_error *error);

#endif
