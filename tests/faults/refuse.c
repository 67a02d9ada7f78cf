/* Stands between the command and malloc (LD_PRELOAD): refuses allocation number REFUSE_AT alone, or
 * all from number REFUSE_FROM on; writes into the file REFUSE_COUNT how many there were, and how
 * many of those that the command itself asked for (not libc on its behalf) are still held. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size), __libc_free(void *memory);

enum {
    HELD_MAX = 1 << 20
};

static long count, at = -1, from;
static uintptr_t text_begin, text_end;
static void *held[HELD_MAX]; /* open addressing; 1: was here */
static long held_count;

static int see_program(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (int n = 0; n < info->dlpi_phnum; n++)
        if (info->dlpi_phdr[n].p_type == PT_LOAD && (info->dlpi_phdr[n].p_flags & PF_X)) {
            text_begin = info->dlpi_addr + info->dlpi_phdr[n].p_vaddr;
            text_end = text_begin + info->dlpi_phdr[n].p_memsz;
        }
    return 1; /* the first one is the program */
}

static int is_refused(void)
{
    if (at == -1) {
        const char *one = getenv("REFUSE_AT"), *all = getenv("REFUSE_FROM");
        at = one ? atol(one) : 0;
        from = all ? atol(all) : 0;
        dl_iterate_phdr(see_program, NULL);
    }
    count++;
    return count == at || (from > 0 && count >= from);
}

static size_t slot_of(const void *memory)
{
    return (size_t)(((uintptr_t)memory >> 4) * 2654435761u % HELD_MAX);
}

static void *hold(void *memory, const void *caller)
{
    if (!memory || (uintptr_t)caller < text_begin || (uintptr_t)caller >= text_end) return memory;
    size_t slot = slot_of(memory);
    while ((uintptr_t)held[slot] > 1)
        slot = (slot + 1) % HELD_MAX;
    held[slot] = memory;
    held_count++;
    return memory;
}

static void let_go(const void *memory)
{
    for (size_t slot = slot_of(memory); held[slot]; slot = (slot + 1) % HELD_MAX)
        if (held[slot] == memory) {
            held[slot] = (void *)1;
            held_count--;
            return;
        }
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : hold(__libc_malloc(size), __builtin_return_address(0));
}

void *calloc(size_t number, size_t size)
{
    return is_refused() ? NULL : hold(__libc_calloc(number, size), __builtin_return_address(0));
}

void *realloc(void *memory, size_t size)
{
    if (is_refused()) return NULL;
    let_go(memory);
    return hold(__libc_realloc(memory, size), __builtin_return_address(0));
}

void free(void *memory)
{
    let_go(memory);
    __libc_free(memory);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("REFUSE_COUNT");
    long total = count, left = held_count;
    at = from = 0;
    FILE *out = path ? fopen(path, "w") : NULL;
    if (!out) return;
    fprintf(out, "%ld %ld\n", total, left);
    fclose(out);
}
