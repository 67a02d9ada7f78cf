/* Allocation through a snw_allocator, and the layout of objects that live in one block. Internal.
 *
 * An object made of several arrays is laid out twice with the same code: once with base == NULL to
 * measure, once to hand out the pointers. Nothing can then be forgotten in the sum. */
#ifndef SNW_BASE_MEMORY_H
#define SNW_BASE_MEMORY_H

#include <sinew/base.h>

/* *allocator if there is one, else malloc and free. */
snw_allocator snw__allocator_or_default(const snw_allocator *allocator);

/* Zeroed memory, or NULL. Size 0 gives a pointer that may be released. */
void *snw__allocate(const snw_allocator *allocator, size_t size);
/* `size` must be what was asked for. NULL is fine. */
void snw__release(const snw_allocator *allocator, void *memory, size_t size);

/* a * b, or SIZE_MAX on overflow, which no allocator can serve. */
size_t snw__size_mul(size_t a, size_t b);

typedef struct snw__block {
    char *base;  /* NULL while measuring */
    size_t size; /* bytes handed out so far, a multiple of 16; SIZE_MAX after overflow */
    size_t room; /* bytes that were measured: no more is handed out; 0: the caller vouches for it */
} snw__block;

/* The next `count` elements of `element_size` bytes, 16-byte aligned; NULL while measuring, and
 * where a second pass asks for more than the first one measured. */
void *snw__block_take(snw__block *block, size_t count, size_t element_size);
/* Between the passes: takes the memory that was measured. False when there is none. */
bool snw__block_allocate(snw__block *block, const snw_allocator *allocator);
/* After the second pass: SNW_OK, or SNW_INTERNAL when it took another size than was measured. */
snw_status snw__block_check(const snw__block *block, snw_error *error);

#endif
