/* Allocation through a snw_allocator, and the layout of objects that live in one block. Internal.
 *
 * An object made of several arrays is laid out twice with the same code: once with base == NULL to
 * measure, once to hand out the pointers. Nothing can then be forgotten in the sum, and that both
 * passes asked for the same is checked every time: snw__block_create is the only way to a block
 * (tests/check_modules sees to it). */
#ifndef SNW_BASE_MEMORY_H
#define SNW_BASE_MEMORY_H

#include <sinew/base.h>

/* *allocator if there is one, else malloc and free. */
snw_allocator snw__allocator_or_default(const snw_allocator *allocator);

/* Zeroed memory, or NULL. Size 0 gives a pointer that may be released. */
void *snw__allocate(const snw_allocator *allocator, size_t size);
/* `size` must be what was asked for. NULL is fine. */
void snw__release(const snw_allocator *allocator, void *memory, size_t size);

/* Are all bytes zero? */
bool snw__is_zero(const void *bytes, size_t size);
/* One rule for every public struct of options: NULL, or every byte zero, means its _default()
 * (docs/conventions.md). */
#define SNW__WANTS_DEFAULTS(options) (!(options) || snw__is_zero((options), sizeof *(options)))

/* a * b, or SIZE_MAX on overflow, which no allocator can serve. */
size_t snw__size_mul(size_t a, size_t b);

typedef struct snw__block {
    char *base;  /* NULL while measuring */
    size_t size; /* bytes handed out so far, a multiple of 16; SIZE_MAX after overflow */
    size_t room; /* bytes that were measured: no more is handed out */
} snw__block;

/* Hands out the arrays of `object` with snw__block_take; is called twice and must ask for the same
 * both times. */
typedef void snw__layout(void *object, snw__block *block);

/* The next `count` elements of `element_size` bytes, 16-byte aligned; NULL while measuring, and
 * where a second pass asks for more than the first one measured. */
void *snw__block_take(snw__block *block, size_t count, size_t element_size);

/* The only way to a block: measures, takes the memory, which is zero, hands it out, and compares.
 * SNW_OUT_OF_MEMORY says what it was for; SNW_INTERNAL: the passes asked for different sizes.
 * Either way nothing is kept and *block is empty. */
snw_status snw__block_create(snw__block *block, snw__layout *lay_out, void *object,
                             const snw_allocator *allocator, const char *what, snw_error *error);
/* An empty block is fine. */
void snw__block_release(const snw_allocator *allocator, snw__block *block);

#endif
