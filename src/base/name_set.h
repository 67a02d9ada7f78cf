/* Names of a file, each with a number: is this one there, and which was it? Internal.
 *
 * A tree of the bits in which names differ (PATRICIA, Morrison 1968), not a table of hashes:
 * finding and adding take at most nine steps for each byte of the name, whatever the other names
 * are, so that no file can choose names that make reading slow.
 *
 *     snw__name_set set;
 *     snw_status status = snw__name_set_create(&set, count, allocator, error);
 *     int earlier = snw__name_set_add(&set, name, strlen(name), number);     -1: it is new
 *     snw__name_set_release(&set);
 */
#ifndef SNW_BASE_NAME_SET_H
#define SNW_BASE_NAME_SET_H

#include "base/memory.h"

typedef struct snw__name_key {
    const char *at; /* the caller's, which must stay */
    size_t length;
    int number;
} snw__name_key;

/* Branches by one bit of the symbol of one byte: 0 beyond the end of a name, else byte + 1. */
typedef struct snw__name_branch {
    size_t byte;
    unsigned bit;
    int child[2]; /* a branch, or -1 - key */
} snw__name_branch;

typedef struct snw__name_set {
    snw__name_key *key;       /* (capacity) in the order they were added */
    snw__name_branch *branch; /* (capacity) number n came with key n and holds it; 0 is not used */
    int count, capacity;
    int root;
    bool ignores_case; /* of ASCII letters; to be set before the first name */
    snw_allocator allocator;
    snw__block block;
} snw__name_set;

/* Room for so many names; release also after a failure. */
snw_status snw__name_set_create(snw__name_set *set, int capacity, const snw_allocator *allocator,
                                snw_error *error);
void snw__name_set_release(snw__name_set *set);
/* The number of that name, or -1. */
int snw__name_set_find(const snw__name_set *set, const char *name, size_t length);
/* The number of that name if it was there, which it keeps; else it is added and the answer is -1.
 * No more than `capacity` may be added. */
int snw__name_set_add(snw__name_set *set, const char *name, size_t length, int number);

#endif
