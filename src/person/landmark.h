/* The table of landmarks, for modules that read labels. Internal. */
#ifndef SNW_PERSON_LANDMARK_H
#define SNW_PERSON_LANDMARK_H

#include <stddef.h>

#include <sinew/person.h>

#include "person/landmark_map.h"

/* The rows, as snw_label.landmark counts them. */
typedef enum snw__landmark {
    SNW__LANDMARK_NONE = -1,
#define SNW__LANDMARK_ENUM(name, part, joint, spot, side, gait, tracker, kind, rank, spellings) \
    SNW__LANDMARK_##name,
    SNW__LANDMARK_MAP(SNW__LANDMARK_ENUM)
#undef SNW__LANDMARK_ENUM
    SNW__LANDMARK_COUNT
} snw__landmark;

/* How much a word tells in a sentence. Of two words the one that tells more decides:
 * "R.Wrist.Hand" is a wrist. */
typedef enum snw__word_rank {
    SNW__WORD_WHERE,    /* upper, front: nothing by itself */
    SNW__WORD_LAB,      /* of a force or moment: along the axes of the lab */
    SNW__WORD_INSIDE,   /* on the inner side of a joint */
    SNW__WORD_OUTSIDE,  /* on the outer side */
    SNW__WORD_CONDYLE,  /* at the far end of the bone that another word names */
    SNW__WORD_BACK,     /* the back, where no other word says more */
    SNW__WORD_PART,     /* a part */
    SNW__WORD_PLACE,    /* a place on it */
    SNW__WORD_COMPUTED, /* no marker */
    SNW__WORD_NOWHERE   /* a place that belongs to no part */
} snw__word_rank;

typedef struct snw__landmark_row {
    const char *name;
    const char *spellings; /* with their marks: landmark_map.h */
    snw_part part, joint, tracker;
    snw_spot spot;
    snw_gait_marker gait;
    snw_point_kind kind;
    snw__word_rank rank;
    bool needs_side;
} snw__landmark_row;

const snw__landmark_row *snw__landmark_at(int landmark);

/* One spelling of a row: `length` characters at `text`. */
typedef struct snw__spelling {
    const char *text;
    size_t length;
    bool is_alone;       /* a label may be this word alone */
    bool is_in_sentence; /* it may stand among other words */
} snw__spelling;

/* The next spelling at *at, which moves behind it; false at the end. */
bool snw__spelling_next(const char **at, snw__spelling *out);

/* The first row that holds the word, NONE: none does. Without a side only rows that need none
 * count; a word alone is looked for among those that may stand alone. */
snw__landmark snw__landmark_find(const char *word, size_t length, bool has_side, bool is_alone);
/* The row at the same joint of the same part on another spot, itself where there is none. */
snw__landmark snw__landmark_beside(snw__landmark landmark, snw_spot spot);

/* Is the word of `length` characters one of the blank-separated words? */
bool snw__has_word(const char *words, const char *word, size_t length);

#endif
