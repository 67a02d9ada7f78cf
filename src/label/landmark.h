/* What a label says: on which part of the body a marker sits, and at which joint. Internal.
 *
 *     snw__landmark at = snw__label_landmark("L_knee_med");
 *     at.part == SNW__PART_UPLEG, at.side == SNW__SIDE_LEFT: on the left thigh,
 *     at.joint == SNW__PART_LEG, at.spot == SNW__SPOT_MEDIAL: inside of the knee, where the shank
 *     begins.
 */
#ifndef SNW_LABEL_LANDMARK_H
#define SNW_LABEL_LANDMARK_H

#include <sinew/label.h>

typedef char snw__label[SNW_LABEL_SIZE];

/* The label without its "Actor:" in front. */
const char *snw__bare_label(const char *label);
/* Is it a name that a program gives to what nobody has named ("*12", "U_3", "M001")? */
bool snw__label_is_automatic(const char *label);

/* The parts of a body, parents first. X(part, parent, is_paired, name): a paired part has Left or
 * Right in front of its name. */
#define SNW__PART_MAP(X)              \
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

typedef enum snw__part {
    SNW__PART_NONE,
#define SNW__PART_ENUM(part, parent, is_paired, name) SNW__PART_##part,
    SNW__PART_MAP(SNW__PART_ENUM)
#undef SNW__PART_ENUM
    SNW__PART_COUNT
} snw__part;

typedef enum snw__side {
    SNW__SIDE_NONE,
    SNW__SIDE_LEFT,
    SNW__SIDE_RIGHT
} snw__side;

/* Where about its joint a marker sits. */
typedef enum snw__spot {
    SNW__SPOT_BODY,    /* at no joint */
    SNW__SPOT_LATERAL, /* on the outer side: thumb side of a wrist */
    SNW__SPOT_MEDIAL,  /* on the inner side; with the outer one: the centre is between them */
    SNW__SPOT_NEAR,    /* beside, above or behind it, the label does not say */
    SNW__SPOT_CENTER   /* it is the joint's centre, as models give them */
} snw__spot;

typedef enum snw__label_kind {
    SNW__LABEL_UNKNOWN,  /* not understood */
    SNW__LABEL_LANDMARK, /* a marker on a part */
    SNW__LABEL_DERIVED,  /* computed from markers: joint centres, angles, forces, axes of bones */
    SNW__LABEL_UNNAMED   /* "*12", "Unlabeled 7", "1034": the capture does not name it */
} snw__label_kind;

typedef struct snw__landmark {
    snw__label_kind kind;
    snw__part part;  /* that carries it */
    snw__side side;  /* NONE: in the middle, or not said */
    snw__part joint; /* at whose beginning it sits, of the same side; NONE: at no joint */
    snw__spot spot;
    int row;    /* of the table; equal rows on two sides are mirror images; -1: none */
    int prefix; /* characters of the label that come before: "Joe:" 4, "Subject01_" 10 */
} snw__landmark;

/* One way to read a name as a side and a stem, the stem in capitals without separators. */
typedef struct snw__label_reading {
    snw__side side;
    char stem[SNW_LABEL_SIZE];
} snw__label_reading;

#define SNW__LABEL_READINGS 8
/* All ways, the likeliest first (label_grammar.c); the first has no side. Returns how many. */
int snw__label_readings(const char *label, snw__label_reading out[SNW__LABEL_READINGS]);

/* From the label alone. */
snw__landmark snw__label_landmark(const char *label);
/* All markers of a trial, each by its label, what the other labels are and, where the label is not
 * enough, its description. out (marker_count). */
void snw__trial_landmarks(const snw_trial *trial, snw__landmark *out);
/* The marker at the same place of the other side; -1: there is none. */
int snw__mirror_marker(const snw__landmark *landmark, int marker_count, int marker);

/* "LeftUpLeg"; lives as long as the program. */
const char *snw__part_name(snw__part part, snw__side side);
/* The part and side of such a name; SNW__PART_NONE where it is not one. */
snw__part snw__part_find(const char *name, snw__side *side);
snw__part snw__part_parent(snw__part part);
bool snw__part_is_paired(snw__part part);

/* Half of what lies between a joint's two sides, with a marker's own radius, and how far from there
 * a single marker lets the centre be, metres. reach 0: nothing is known of this joint. */
typedef struct snw__joint_size {
    double half_width;
    double reach;
} snw__joint_size;

snw__joint_size snw__part_joint_size(snw__part joint);

/* Is the stem of `length` characters one of the blank-separated words? */
bool snw__has_word(const char *words, const char *stem, size_t length);

/* ---- the table (landmark_table.c), for label_grammar.c
 * ------------------------------------------- */

typedef struct snw__landmark_row {
    const char *stems; /* all spellings without the side, upper case, no separators */
    snw__part part;
    snw__part joint;
    snw__spot spot;
} snw__landmark_row;

/* Does a landmark of this row have a side? */
static inline bool snw__landmark_row_is_paired(const snw__landmark_row *row)
{
    return snw__part_is_paired(row->part) || snw__part_is_paired(row->joint);
}

/* The row of a stem of `length` characters, -1: none. Without a side only rows in the middle
 * count. */
int snw__landmark_find(const char *stem, size_t length, bool has_side);
const snw__landmark_row *snw__landmark_table(int *count);

/* ASCII, whatever the program's locale: a label means the same everywhere. */
static inline bool snw__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
