/* How fast a C3D file of 100 MB is read from the page cache, beside a plain read() of the same file
 * in the same run, and how much memory it takes. The file is made in a temporary folder and
 * removed.
 *
 * usage: bench_c3d [MEGABYTES] */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sinew/sinew.h>

#define ROUNDS 5

typedef struct peak_counter {
    size_t live, peak;
} peak_counter;

static void *peak_allocate(void *context, size_t size)
{
    peak_counter *counter = (peak_counter *)context;
    counter->live += size;
    if (counter->live > counter->peak) counter->peak = counter->live;
    snw_allocator memory = snw_allocator_default();
    return memory.allocate(memory.context, size);
}

static void peak_release(void *context, void *memory, size_t size)
{
    ((peak_counter *)context)->live -= size;
    snw_allocator allocator = snw_allocator_default();
    allocator.release(allocator.context, memory, size);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* A plain read() of the whole file into fresh memory: what any reader has to do at least. */
static double time_plain(const char *path, size_t size)
{
    double start = seconds();
    int file = open(path, O_RDONLY);
    char *bytes = (char *)malloc(size);
    size_t done = 0;
    while (file >= 0 && bytes && done < size) {
        ssize_t got = read(file, bytes + done, size - done);
        if (got <= 0) stop("the file could not be read");
        done += (size_t)got;
    }
    double took = seconds() - start;
    close(file);
    free(bytes);
    return took;
}

static double time_reading(const char *path, size_t *peak)
{
    peak_counter counter = {0, 0};
    snw_allocator allocator = {peak_allocate, peak_release, &counter};
    snw_trial *trial = NULL;
    snw_error error;
    double start = seconds();
    if (snw_read_trial_file(path, NULL, &allocator, &trial, NULL, &error) != SNW_OK)
        stop(error.message);
    double took = seconds() - start;
    snw_trial_destroy(trial);
    *peak = counter.peak;
    return took;
}

typedef struct bench_case {
    const char *name;
    int markers, analog, per_frame;
    snw_storage storage;
} bench_case;

static snw_trial *make_trial(const bench_case *bench, size_t bytes)
{
    size_t number = bench->storage.is_integer ? 2 : 4;
    size_t frame = number * (size_t)(4 * bench->markers + bench->analog * bench->per_frame);
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = bench->markers;
    options.frame_count = (int)(bytes / frame);
    options.analog_count = bench->analog;
    options.analog_per_frame = bench->per_frame;
    snw_trial *trial = NULL;
    snw_error error;
    if (snw_trial_create(&options, NULL, &trial, &error) != SNW_OK) stop(error.message);
    trial->storage = bench->storage;
    trial->residual_scale = 0.125;
    snw_random random = snw_random_seed(1, 1);
    for (size_t n = 0; n < (size_t)options.frame_count * (size_t)bench->markers; n++) {
        uint32_t bits = snw_random_u32(&random);
        if (bits % 16 == 0) continue; /* one in sixteen is missing */
        snw_sample sample = {0.125f * (float)(bits & 0x3fff), 0.125f * (float)(bits >> 18), 900,
                             (float)(bits & 63)};
        trial->sample[n] = sample;
        trial->state[n] = SNW_SAMPLE_MEASURED;
    }
    return trial;
}

static void run(const char *path, const bench_case *bench, size_t bytes)
{
    snw_trial *trial = make_trial(bench, bytes);
    snw_error error;
    double start = seconds();
    if (snw_write_trial_file(path, true, trial, NULL, &error) != SNW_OK) stop(error.message);
    double write_took = seconds() - start, plain = 1e9, ours = 1e9;
    snw_trial_destroy(trial);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file), peak = 0;
    fclose(file);
    for (int round = 0; round < ROUNDS; round++) {
        double a = time_plain(path, size), b = time_reading(path, &peak);
        if (a < plain) plain = a;
        if (b < ours) ours = b;
    }
    double mb = (double)size / 1e6;
    printf("%-28s %7.1f MB  read() %6.0f MB/s  sinew %6.0f MB/s  ratio %.2f  memory %.3f x file  "
           "(written and synced at %.0f MB/s)\n",
           bench->name, mb, mb / plain, mb / ours, plain / ours, (double)peak / (double)size,
           mb / write_took);
}

int main(int argument_count, char **arguments)
{
    size_t bytes = (size_t)(argument_count > 1 ? atoi(arguments[1]) : 100) * 1000000;
    static const bench_case cases[] = {
        {"float Intel, 60 markers", 60, 0, 0, {SNW_ORDER_INTEL, false}},
        {"float Intel, 60 + 16x10", 60, 16, 10, {SNW_ORDER_INTEL, false}},
        {"float MIPS, 60 markers", 60, 0, 0, {SNW_ORDER_MIPS, false}},
        {"float DEC, 60 markers", 60, 0, 0, {SNW_ORDER_DEC, false}},
        {"integer Intel, 60 markers", 60, 0, 0, {SNW_ORDER_INTEL, true}},
    };
    char folder[] = "/tmp/sinew-bench-XXXXXX", path[64];
    if (!mkdtemp(folder)) stop("no temporary folder");
    snprintf(path, sizeof path, "%s/bench.c3d", folder);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        run(path, cases + n, bytes);
    remove(path);
    rmdir(folder);
    return 0;
}
