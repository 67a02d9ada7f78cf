/* A fuzz target without libFuzzer: runs every file of the folders that are given, then, to be more
 * than a compiler's check, each of them with single bytes changed, so many times as REPLAY_CHANGES
 * says (default 64; the same every time), for as long as REPLAY_SECONDS of the processor (default a
 * quarter): whole people take longer than segments. A target that knows its format's structure
 * makes as many changes of its own. For the tests and for coverage. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    REPLAY_SIZE = 1 << 16
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                                                     unsigned seed);

/* Each run gets a block of its own size: reading past its end is seen. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *own = malloc(size ? size : 1);
    if (!own) exit(1);
    memcpy(own, data, size);
    (void)LLVMFuzzerTestOneInput(own, size);
    free(own);
}

/* xorshift64, Marsaglia 2003. */
static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* What a mutator of ours asks libFuzzer for: here a single byte that changes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    static uint64_t state = 362436069;
    (void)max_size;
    uint64_t drawn = next(&state);
    if (size > 0) data[(size_t)(drawn >> 8) % size] = (uint8_t)drawn;
    return size;
}

static void run_structured(const uint8_t *from, size_t size, int changes, double seconds)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    static uint8_t bytes[REPLAY_SIZE];
    memcpy(bytes, from, size);
    for (int n = 0; n < changes && LLVMFuzzerCustomMutator && clock() < end; n++) {
        size = LLVMFuzzerCustomMutator(bytes, size, sizeof bytes, (unsigned)n);
        run(bytes, size);
    }
}

static void run_file(const char *path, int changes, double seconds)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    static uint8_t bytes[REPLAY_SIZE];
    uint64_t state = 88172645463325252u;
    FILE *file = fopen(path, "rb");
    if (!file) return;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    run(bytes, size);
    for (int n = 0; n < changes && size > 0 && clock() < end; n++) {
        size_t at = (size_t)(next(&state) >> 8) % size;
        uint8_t kept = bytes[at];
        bytes[at] = (uint8_t)state;
        run(bytes, n % 4 == 3 ? at + 1 : size);
        bytes[at] = kept;
    }
    run_structured(bytes, size, changes, seconds);
}

int main(int argc, char **argv)
{
    const char *asked = getenv("REPLAY_CHANGES"), *limit = getenv("REPLAY_SECONDS");
    double seconds = limit ? atof(limit) : 0.25;
    int changes = asked ? atoi(asked) : 64, files = 0;
    for (int n = 1; n < argc; n++) {
        DIR *folder = opendir(argv[n]);
        struct dirent *entry;
        while (folder && (entry = readdir(folder)) != NULL) {
            char path[4096];
            if (entry->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", argv[n], entry->d_name);
            run_file(path, changes, seconds);
            files++;
        }
        if (folder) closedir(folder);
    }
    printf("%d files\n", files);
    return files == 0; /* a target without a corpus checks nothing */
}
