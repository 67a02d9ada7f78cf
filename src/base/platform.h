/* The one place that knows on which system the library runs: files by UTF-8 paths, threads, the
 * clock. POSIX (Linux, macOS, ...), Windows, and systems that have neither files nor threads
 * (WebAssembly; or built with SNW_NO_FILES, SNW_NO_THREADS).
 *
 * What fails returns -1 or false and leaves errno, whose text is the sentence's end. Paths may use
 * '/' on every system. */
#ifndef SINEW_BASE_PLATFORM_H
#define SINEW_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(_WIN32) && !defined(__unix__) && !defined(__APPLE__) && !defined(SNW_NO_FILES)
#define SNW_NO_FILES
#endif
#if !defined(_WIN32) && !defined(__unix__) && !defined(__APPLE__) && !defined(SNW_NO_THREADS)
#define SNW_NO_THREADS
#endif

/* ---- memory --------------------------------------------------------------------------------- */

/* Tells the system that large memory will be used whole, so that it may hand it out in large pages:
 * a trial of 100 MB then costs 50 faults instead of 25 000. A hint; nothing else changes. */
void snw__memory_will_be_used(void *memory, size_t size);

/* ---- files ---------------------------------------------------------------------------------- */

#ifndef SNW_NO_FILES

typedef enum snw__file_mode {
    SNW__FILE_READ,
    SNW__FILE_WRITE, /* what is there: a device, a pipe */
    SNW__FILE_NEW    /* EEXIST when there is one */
} snw__file_mode;

typedef struct snw__file_about {
    bool is_folder, is_regular;
    int64_t size;
    unsigned mode; /* permissions; 0 where the system has none */
} snw__file_about;

/* A descriptor that child processes do not get, bytes as they are. */
int snw__file_open(const char *path, snw__file_mode mode);
/* A file without a name in a folder, which snw__file_name gives one; -1: not on this system. */
int snw__file_open_unnamed(const char *folder);
bool snw__file_name(int file, const char *path);
/* How many bytes were moved: at most 1 GB at once; interrupted calls go on. */
int64_t snw__file_read(int file, void *buffer, size_t size);
int64_t snw__file_write(int file, const void *bytes, size_t size);
bool snw__file_seek(int file, int64_t position);
bool snw__file_close(int file);
bool snw__file_look(const char *path, snw__file_about *about);
bool snw__file_look_open(int file, snw__file_about *about);
void snw__file_set_mode(int file, unsigned mode);
/* On the disk, not only on its way; of a folder: its names, where the system can. */
bool snw__file_sync(int file);
void snw__file_sync_folder(const char *folder);
/* In one step. Without may_replace: EEXIST when `to` is there, also when it appeared just now. */
bool snw__file_rename(const char *from, const char *to, bool may_replace);
void snw__file_remove(const char *path);
/* What a symbolic link says, its length; -1: it is none. No terminating zero. */
int64_t snw__file_link(const char *path, char *text, size_t size);
/* The last part of a path: behind the last '/', on Windows also '\' and "C:". */
const char *snw__path_name(const char *path);
int64_t snw__process_id(void);

/* Windows renames no file that is open. */
#ifdef _WIN32
#define SNW__RENAMES_OPEN false
#else
#define SNW__RENAMES_OPEN true
#endif

#endif

#ifdef _WIN32
enum {
    SNW__WIDE_MAX = 4096
};
/* A path of UTF-8 as the system's wide calls take it; false with errno: it is none, or too long. */
bool snw__wide_path(const char *path, wchar_t wide[SNW__WIDE_MAX]);
#endif

/* ---- threads -------------------------------------------------------------------------------- */

#ifndef SNW_NO_THREADS

#ifdef _WIN32
/* SRWLOCK and CONDITION_VARIABLE are one pointer each, zero at first. <windows.h> would define
 * near, far, min and max for all of the single-file form. */
typedef struct snw__mutex {
    void *lock;
} snw__mutex;
typedef struct snw__signal {
    void *variable;
} snw__signal;
typedef struct snw__thread {
    void *handle;
#else
#include <pthread.h>
typedef struct snw__mutex {
    pthread_mutex_t lock;
} snw__mutex;
typedef struct snw__signal {
    pthread_cond_t variable;
} snw__signal;
typedef struct snw__thread {
    pthread_t handle;
#endif
    void (*main)(void *argument);
    void *argument;
} snw__thread;

bool snw__mutex_create(snw__mutex *mutex);
void snw__mutex_destroy(snw__mutex *mutex);
void snw__mutex_lock(snw__mutex *mutex);
void snw__mutex_unlock(snw__mutex *mutex);
bool snw__signal_create(snw__signal *condition);
void snw__signal_destroy(snw__signal *condition);
void snw__signal_wait(snw__signal *condition, snw__mutex *mutex);
void snw__signal_wake_one(snw__signal *condition);
void snw__signal_wake_all(snw__signal *condition);
/* `thread` must stay where it is until it is joined. */
bool snw__thread_start(snw__thread *thread, void (*main)(void *argument), void *argument);
void snw__thread_join(snw__thread *thread);

#endif

#endif
