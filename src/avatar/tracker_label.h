/* Where in a trial the trackers are. Internal. */
#ifndef SNW_AVATAR_TRACKER_LABEL_H
#define SNW_AVATAR_TRACKER_LABEL_H

#include <sinew/avatar.h>

/* Where the pose of each tracker comes from; -1 = nowhere. */
typedef struct snw__tracker_source {
    int rotation[SNW_AVATAR_ROLE_COUNT];
    int marker[SNW_AVATAR_ROLE_COUNT][3]; /* origin, on y, on z */
    int elbow[2], shoulder[2];
    double length[SNW_AVATAR_ROLE_COUNT]; /* of the axes of three points; 0: of any length */
    bool is_chest_of_points;              /* markers that ride on it */
    bool is_chest_bone; /* those are lower end, left and right upper end of the chest's bone */
} snw__tracker_source;

snw__tracker_source snw__tracker_source_find(const snw_trial *trial);

#endif
