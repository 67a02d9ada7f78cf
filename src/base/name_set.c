/* The tree described in name_set.h. On the way down, the places of the branches only grow, first by
 * byte and then from the highest bit to the lowest; all names under a branch are the same before
 * its place. */
#include "base/name_set.h"

#include <string.h>

#include "base/fail.h"

static void lay_out_names(void *object, snw__block *block)
{
    snw__name_set *set = (snw__name_set *)object;
    size_t count = (size_t)set->capacity;
    set->key = (snw__name_key *)snw__block_take(block, count, sizeof *set->key);
    set->branch = (snw__name_branch *)snw__block_take(block, count, sizeof *set->branch);
}

snw_status snw__name_set_create(snw__name_set *set, int capacity, const snw_allocator *allocator,
                                snw_error *error)
{
    memset(set, 0, sizeof *set);
    set->capacity = capacity;
    set->allocator = snw__allocator_or_default(allocator);
    return snw__block_create(&set->block, lay_out_names, set, &set->allocator, "the names", error);
}

void snw__name_set_release(snw__name_set *set)
{
    snw__block_release(&set->allocator, &set->block);
}

static unsigned symbol_at(const snw__name_set *set, const char *name, size_t length, size_t byte)
{
    if (byte >= length) return 0;
    unsigned char c = (unsigned char)name[byte];
    return 1u + (set->ignores_case && c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A' + 'a') : c);
}

/* The key that shares most with the name. Below a branch behind the name's end all keys are as
 * good; its own is one of them. */
static int nearest_key(const snw__name_set *set, const char *name, size_t length)
{
    int at = set->root;
    while (at >= 0) {
        const snw__name_branch *branch = set->branch + at;
        if (branch->byte > length) return at;
        at = branch->child[(symbol_at(set, name, length, branch->byte) & branch->bit) != 0];
    }
    return -1 - at;
}

/* The first byte in which they differ; one behind the end of both when they are the same. */
static size_t first_difference(const snw__name_set *set, const snw__name_key *key, const char *name,
                               size_t length)
{
    size_t byte = 0;
    while (byte <= length &&
           symbol_at(set, key->at, key->length, byte) == symbol_at(set, name, length, byte))
        byte++;
    return byte;
}

int snw__name_set_find(const snw__name_set *set, const char *name, size_t length)
{
    if (set->count == 0) return -1;
    const snw__name_key *key = set->key + nearest_key(set, name, length);
    return first_difference(set, key, name, length) > length ? key->number : -1;
}

int snw__name_set_add(snw__name_set *set, const char *name, size_t length, int number)
{
    int added = set->count;
    snw__name_key key = {name, length, number};
    if (added == 0) {
        set->root = -1;
    } else {
        const snw__name_key *nearest = set->key + nearest_key(set, name, length);
        size_t byte = first_difference(set, nearest, name, length);
        if (byte > length) return nearest->number;
        unsigned differ =
            symbol_at(set, nearest->at, nearest->length, byte) ^ symbol_at(set, name, length, byte);
        set->branch[added].byte = byte;
        set->branch[added].bit = 256;
        while (!(differ & set->branch[added].bit))
            set->branch[added].bit >>= 1;
        /* The branch goes where its place belongs on the way to the name. */
        snw__name_branch *branch = set->branch + added;
        int *link = &set->root;
        while (*link >= 0) {
            snw__name_branch *next = set->branch + *link;
            if (next->byte > branch->byte ||
                (next->byte == branch->byte && next->bit < branch->bit))
                break;
            link = &next->child[(symbol_at(set, name, length, next->byte) & next->bit) != 0];
        }
        int side = (symbol_at(set, name, length, branch->byte) & branch->bit) != 0;
        branch->child[side] = -1 - added;
        branch->child[!side] = *link;
        *link = added;
    }
    set->key[added] = key;
    set->count++;
    return -1;
}
