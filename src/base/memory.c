/* malloc behind a hook, and one-block layouts. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/platform.h"

enum {
    BLOCK_ALIGNMENT = 16,
    MEMORY_LARGE = 8 << 20 /* bytes: some large pages fit in whole */
};

static void *default_allocate(void *context, size_t size)
{
    (void)context;
    void *memory = malloc(size);
    if (memory && size >= MEMORY_LARGE) snw__memory_will_be_used(memory, size);
    return memory;
}

static void default_release(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

snw_allocator snw_allocator_default(void)
{
    snw_allocator allocator = {default_allocate, default_release, NULL};
    return allocator;
}

snw_allocator snw__allocator_or_default(const snw_allocator *allocator)
{
    return allocator ? *allocator : snw_allocator_default();
}

void *snw__allocate(const snw_allocator *allocator, size_t size)
{
    /* PTRDIFF_MAX: larger objects cannot be indexed, and malloc's analyzers rightly complain. */
    if (size > PTRDIFF_MAX) return NULL;
    void *memory = allocator->allocate(allocator->context, size ? size : 1);
    if (memory) memset(memory, 0, size);
    return memory;
}

void snw__release(const snw_allocator *allocator, void *memory, size_t size)
{
    if (memory) allocator->release(allocator->context, memory, size ? size : 1);
}

bool snw__is_zero(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    size_t n = 0;
    while (n < size && !at[n])
        n++;
    return n == size;
}

size_t snw__size_mul(size_t a, size_t b)
{
    if (b != 0 && a > SIZE_MAX / b) return SIZE_MAX;
    return a * b;
}

void *snw__block_take(snw__block *block, size_t count, size_t element_size)
{
    size_t bytes = snw__size_mul(count, element_size);
    if (bytes > SIZE_MAX - BLOCK_ALIGNMENT)
        bytes = SIZE_MAX;
    else
        bytes = (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    size_t first = block->size;
    block->size = bytes > SIZE_MAX - first ? SIZE_MAX : first + bytes;
    if (!block->base || block->size > block->room) return NULL;
    return block->base + first;
}

snw_status snw__block_create(snw__block *block, snw__layout *lay_out, void *object,
                             const snw_allocator *allocator, const char *what, snw_error *error)
{
    snw__block passing = {NULL, 0, 0};
    memset(block, 0, sizeof *block);
    lay_out(object, &passing);
    passing.room = passing.size;
    passing.base = snw__allocate(allocator, passing.room);
    if (!passing.base) return snw__fail_memory(error, passing.room, what);
    passing.size = 0;
    lay_out(object, &passing);
    if (passing.size == passing.room) {
        *block = passing;
        return SNW_OK;
    }
    snw__release(allocator, passing.base, passing.room);
    return snw__fail(error, SNW_INTERNAL, "the layout of %s measured %zu bytes and took %zu", what,
                     passing.room, passing.size);
}

void snw__block_release(const snw_allocator *allocator, snw__block *block)
{
    snw__release(allocator, block->base, block->room);
    memset(block, 0, sizeof *block);
}
