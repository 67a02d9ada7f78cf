/* sinew/label.h - what a marker's name says: on which part of the body it sits, and at which joint.
 *
 *     snw_label at = snw_label_read("L_knee_med");
 *     // at.part == SNW_PART_UPLEG, at.side == SNW_SIDE_LEFT: on the left thigh,
 *     // at.joint == SNW_PART_LEG, at.spot == SNW_SPOT_MEDIAL: inside of the knee, where the
 *     // shank begins
 *
 * The labels of a trial are read once and carried along: segments, joints and anatomy ask the same
 * snw_labels. To know better than the names, read them, change them and hand them on
 * (snw_segment_options, snw_actor_options). Known marker sets and spellings: docs/marker-sets.md.
 *
 * A label means the same whatever the program's locale, may have any length, and is compared to the
 * last byte. Any thread.
 */
#ifndef SINEW_LABEL_H
#define SINEW_LABEL_H

#include <sinew/person.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the name of a segment with the terminating zero; a longer one is cut. */
#define SNW_LABEL_SIZE 64

/* Is it a name that a program gives to what nobody has named: "*12", "U_3", "M001", "Unlabeled 7",
 * "1034", or none at all? */
SNW_API bool snw_label_is_automatic(const char *label);

typedef enum snw_label_kind {
    SNW_LABEL_UNKNOWN,  /* not understood */
    SNW_LABEL_LANDMARK, /* a marker on a part */
    SNW_LABEL_DERIVED,  /* computed from markers: joint centres, angles, forces, axes of bones */
    SNW_LABEL_UNNAMED   /* "*12", "Unlabeled 7", "1034": the capture does not name it */
} snw_label_kind;

/* What one label says. */
typedef struct snw_label {
    snw_label_kind kind;
    snw_part part;  /* that carries it */
    snw_side side;  /* NONE: in the middle, or not said */
    snw_part joint; /* at whose beginning it sits, of the same side; NONE: at no joint */
    snw_spot spot;
    int landmark;  /* number of the place; the same on two sides for mirror images; -1: none */
    int prefix;    /* characters of the label that come before: "Joe:" 4, "Subject01_" 10 */
    bool is_whole; /* the table has this spelling: no number behind it, no words around it */
    snw_point_kind point; /* MARKER where the label does not say otherwise */
    bool is_in_lab_axes;  /* a force or moment along the lab's axes, not those of a segment */
    snw_gait_marker gait; /* of the conventional gait model; NONE: it is none of these */
} snw_label;

/* From the label alone. */
SNW_API snw_label snw_label_read(const char *label);
/* Of a point of that name: "LKneeAngles" is an angle, "LHJC" a joint's centre, "LKNE" and what is
 * not understood a marker. */
SNW_API snw_point_kind snw_point_kind_of_name(const char *name);

/* What the labels of a trial say. */
typedef struct snw_labels {
    int marker_count;
    snw_label *marker; /* (marker_count) yours to change */
    snw_allocator allocator;
    size_t block_size;
} snw_labels;

/* All markers of a trial, each by its label, what the other labels are and, where the label is not
 * enough, its description. */
SNW_API snw_status snw_labels_read(const snw_trial *trial, const snw_allocator *allocator,
                                   snw_labels **out, snw_error *error);
SNW_API void snw_labels_destroy(snw_labels *labels);
/* Decides for each point of a trial whether it is a marker, a joint centre, an angle, ... : by the
 * lists of its C3D file, then by its label. Readers call it; call it again for a trial that you
 * filled and named yourself. */
SNW_API snw_status snw_trial_find_kinds(snw_trial *trial, snw_error *error);
/* The marker at the same place of the other side; -1: there is none. */
SNW_API int snw_labels_find_mirror(const snw_label *labels, int marker_count, int marker);

/* ---- marker sets as text -------------------------------------------------------------------- */

/* Bytes of a text file. */
typedef struct snw_text {
    const char *bytes;
    size_t size;
} snw_text;

/* The file that a correlation names after MARKERSET; false when there is none: the text is a set.
 */
SNW_API bool snw_correlation_set_name(snw_text correlation, char name[SNW_LABEL_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
