/* Trajectories on their way to becoming markers. Internal.
 *
 * A piece is a trajectory while it is seen without a long gap. A chain is a row of pieces that
 * never overlap: what is believed to be one marker. Two chains are joined when the evidence says
 * so, measured as the logarithm of how much more likely the data are if they are one marker than if
 * the second came from anywhere near. */
#ifndef SNW_JOIN_JOIN_H
#define SNW_JOIN_JOIN_H

#include <sinew/join.h>

typedef struct snw__piece {
    int marker; /* trajectory of the trial */
    int first, last;
    int seen_count; /* frames that show it */
    int next;       /* later piece of the same chain; -1: none */
    size_t start;   /* of its first frame in point */
} snw__piece;

typedef struct snw__chain {
    int head; /* first piece; -1: went into another chain */
    int first, last;
    int seen_count; /* frames that show it */
    int label;      /* trajectory whose name a person gave; -1: none */
    int into;       /* the chain it went into, where head is -1 */
} snw__chain;

/* A position in metres; x is NaN in a short hole of a piece. */
typedef struct snw__place3 {
    float x, y, z;
} snw__place3;

/* The distance of two chains while both are seen. */
typedef struct snw__pair_distance {
    int count;      /* samples looked at; 0: never seen together */
    double seconds; /* seen together */
    double mean;    /* metres */
    double deviation;
} snw__pair_distance;

enum {
    SNW__COMPANIONS = 24, /* of a chain, at most */
    SNW__CANDIDATES = 16, /* of a chain, at most */
};

/* A chain that keeps, or seems to keep, its distance. */
typedef struct snw__companion {
    int chain;
    double key; /* how steady, metres; smaller is better */
    snw__pair_distance distance;
} snw__companion;

typedef struct snw__candidate {
    int chain;
    double score;
} snw__candidate;

/* Chains of a group, with the one it is about, which comes first. */
enum {
    SNW__GROUP = 7
};

typedef struct snw__segment_group {
    int count;
    int chain[SNW__GROUP];
    snw__pair_distance distance[SNW__GROUP][SNW__GROUP];
} snw__segment_group;

/* What a search found for a chain. */
typedef struct snw__candidates {
    int count;
    bool is_stale;                        /* what it rests on has changed */
    snw__candidate item[SNW__CANDIDATES]; /* best first */
} snw__candidates;

/* The two searches: by companions and short gaps, by the shape of a group. */
typedef enum snw__join_search {
    SNW__JOIN_BY_COMPANIONS,
    SNW__JOIN_BY_SHAPE,
    SNW__JOIN_SEARCHES
} snw__join_search;

/* What is known of a chain that takes part. */
typedef struct snw__about {
    int companion_count;
    snw__companion companion[SNW__COMPANIONS]; /* steadiest first */
    snw__candidates found[SNW__JOIN_SEARCHES];
    snw__segment_group group;
} snw__about;

typedef struct snw__join_choice {
    int a, b; /* chains */
    double score;
} snw__join_choice;

/* Longest gap over which a motion may be carried on, in steps of doubled length. */
enum {
    SNW__GAP_STEPS = 8
};

typedef struct snw__join_work {
    const snw_trial *trial;
    int piece_count;
    snw__piece *piece;  /* (piece_count) by trajectory, then time */
    snw__chain *chain;  /* (piece_count) */
    snw__place3 *point; /* (point_count) */
    int *live;          /* (live_count) chains that take part, ascending */
    int live_count;
    size_t point_count;
    int live_max;
    int *rank;                /* (piece_count) of a chain: its place in about */
    snw__about *about;        /* (live_max + 2) the last two: a guest, and nobody */
    snw__join_choice *choice; /* (live_max x SNW__CANDIDATES) */
    bool *is_busy;            /* (piece_count) */
    int *marker_of;           /* (piece_count) of a chain: marker of the result; -1: left out */
    int *column;              /* (piece_count + marker_count) of a result's marker: trajectory that
                                 gives the name */
    bool *is_automatic;       /* (marker_count) nobody has named the trajectory */
    double noise;             /* of a distance inside a segment, metres */
    double gap_error[SNW__GAP_STEPS]; /* of a coordinate, metres: where two ends of a gap of 2^n
                                         frames meet */
    int shape_tries_left;
    int undone_count;
} snw__join_work;

static inline snw__about *snw__about_chain(const snw__join_work *work, int chain)
{
    return work->about + work->rank[chain];
}

/* ---- join_piece.c */

/* Lists the pieces of a trial; only counts, points too, when work->piece is NULL. */
void snw__join_cut(snw__join_work *work);
static inline const snw__place3 *snw__piece_point(const snw__join_work *work, int piece, int frame)
{
    const snw__piece *p = work->piece + piece;
    return work->point + p->start + (frame - p->first);
}
/* Never seen at the same time but for a frame or two in which they are at the same place, and not
 * of different names. */
bool snw__chains_may_join(const snw__join_work *work, int a, int b);
/* b goes into a. */
void snw__chains_join(snw__join_work *work, int a, int b);
/* The part of `chain` that begins with `piece` (not its first) becomes a chain of its own; returns
 * it. */
int snw__chain_split(snw__join_work *work, int chain, int piece);
/* How many chains can take part in the search of so many pieces. */
int snw__join_live_max(int piece_count, int marker_count);
/* Fills live and rank. */
void snw__join_list_live(snw__join_work *work);
/* Takes chains that went into others out of live. */
void snw__join_drop_dead(snw__join_work *work);
snw__pair_distance snw__pair_measure(const snw__join_work *work, int a, int b);

/* ---- join_evidence.c */

/* How well motions carry on over gaps, once. */
void snw__join_learn_gaps(snw__join_work *work);
/* The steadiest companions of a chain. */
void snw__chain_find_companions(snw__join_work *work, int chain);
/* Of every chain, and from them the noise. */
void snw__join_find_companions(snw__join_work *work);
/* The same after joins: only of chains that were joined (is_busy) or have such companions. */
void snw__join_renew_companions(snw__join_work *work);
/* What the companions say for a and b being one marker; negative: against. */
double snw__companion_evidence(const snw__join_work *work, int a, int b);
/* The same with what short gaps say. */
double snw__join_evidence(snw__join_work *work, int a, int b);

/* ---- join_match.c */

/* Trajectories that came back under their own name. */
void snw__join_own(snw__join_work *work);
/* Joins what stands out until nothing does. */
void snw__join_match(snw__join_work *work);
/* Takes joins back that the finished chains speak against. */
void snw__join_verify(snw__join_work *work);

/* ---- join.c, what is left out */

/* ---- join_evidence.c, segments that vanished whole */

/* The group about every live chain whose search is stale. */
void snw__join_gather_groups(snw__join_work *work);
/* The evidence that a and b are the same marker of a segment that vanished with its companions. */
double snw__segment_evidence(snw__join_work *work, int a, int b);

#endif
