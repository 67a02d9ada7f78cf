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

#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the name of a segment with the terminating zero; a longer one is cut. */
#define SNW_LABEL_SIZE 64

/* Is it a name that a program gives to what nobody has named: "*12", "U_3", "M001", "Unlabeled 7",
 * "1034", or none at all? */
SNW_API bool snw_label_is_automatic(const char *label);

/* The parts of a body, parents first. X(part, parent, is_paired, name): a paired part has Left or
 * Right in front of its name. */
#define SNW_PART_MAP(X)               \
    X(HIPS, NONE, 0, "Hips")          \
    X(CHEST, HIPS, 0, "Chest")        \
    X(HEAD, CHEST, 0, "Head")         \
    X(SHOULDER, CHEST, 1, "Shoulder") \
    X(ARM, SHOULDER, 1, "Arm")        \
    X(FOREARM, ARM, 1, "ForeArm")     \
    X(HAND, FOREARM, 1, "Hand")       \
    X(THUMB, HAND, 1, "HandThumb")    \
    X(INDEX, HAND, 1, "HandIndex")    \
    X(MIDDLE, HAND, 1, "HandMiddle")  \
    X(RING, HAND, 1, "HandRing")      \
    X(PINKY, HAND, 1, "HandPinky")    \
    X(UPLEG, HIPS, 1, "UpLeg")        \
    X(LEG, UPLEG, 1, "Leg")           \
    X(FOOT, LEG, 1, "Foot")

typedef enum snw_part {
    SNW_PART_NONE,
#define SNW_PART_ENUM(part, parent, is_paired, name) SNW_PART_##part,
    SNW_PART_MAP(SNW_PART_ENUM)
#undef SNW_PART_ENUM
    SNW_PART_COUNT
} snw_part;

typedef enum snw_side {
    SNW_SIDE_NONE,
    SNW_SIDE_LEFT,
    SNW_SIDE_RIGHT
} snw_side;

/* Where about its joint a marker sits. */
typedef enum snw_spot {
    SNW_SPOT_BODY,    /* at no joint */
    SNW_SPOT_LATERAL, /* on the outer side: thumb side of a wrist */
    SNW_SPOT_MEDIAL,  /* on the inner side; with the outer one: the centre is between them */
    SNW_SPOT_NEAR,    /* beside, above or behind it, the label does not say */
    SNW_SPOT_CENTER   /* it is the joint's centre, as models give them */
} snw_spot;

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
    int landmark; /* number of the place; the same on two sides for mirror images; -1: none */
    int prefix;   /* characters of the label that come before: "Joe:" 4, "Subject01_" 10 */
} snw_label;

/* From the label alone. */
SNW_API snw_label snw_label_read(const char *label);

/* "LeftUpLeg"; lives as long as the program. */
SNW_API const char *snw_part_name(snw_part part, snw_side side);
/* The part and side of such a name; SNW_PART_NONE where it is not one. */
SNW_API snw_part snw_part_find(const char *name, snw_side *side);
SNW_API snw_part snw_part_parent(snw_part part);
SNW_API bool snw_part_is_paired(snw_part part);

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
