/* Files, threads and their systems; see platform.h. Nothing else in the library asks which system
 * it is on. Windows: the wide calls, so that paths are UTF-8 whatever the code page. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include "base/platform.h"

#include <errno.h>
#include <string.h>

/* At most so much at once: Linux moves 2^31 - 4096 bytes, other systems refuse more. */
enum {
    PLATFORM_MOVE_MAX = 1 << 30
};

/* ---- memory --------------------------------------------------------------------------------- */

#if defined(__linux__)
#include <sys/mman.h>
#endif

void snw__memory_will_be_used(void *memory, size_t size)
{
#if defined(MADV_HUGEPAGE)
    /* Large pages on x86 and most of ARM; only whole ones inside the block. */
    const uintptr_t page = 2 * 1024 * 1024;
    uintptr_t first = ((uintptr_t)memory + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)memory + size) & ~(page - 1);
    int before = errno; /* a system without them is no failure */
    if (end > first) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
    errno = before;
#else
    (void)memory, (void)size;
#endif
}

#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>
#include <wchar.h>

#define PLATFORM_CALL __declspec(dllimport)
PLATFORM_CALL int __stdcall MultiByteToWideChar(unsigned page, unsigned long flags,
                                                const char *text, int size, wchar_t *wide,
                                                int wide_size);
PLATFORM_CALL int __stdcall MoveFileExW(const wchar_t *from, const wchar_t *to,
                                        unsigned long flags);
PLATFORM_CALL unsigned long __stdcall GetLastError(void);

bool snw__wide_path(const char *path, wchar_t wide[SNW__WIDE_MAX])
{
    enum {
        UTF8 = 65001,
        REFUSE_INVALID = 8
    };
    if (MultiByteToWideChar(UTF8, REFUSE_INVALID, path, -1, wide, SNW__WIDE_MAX) > 0) return true;
    errno = strlen(path) >= SNW__WIDE_MAX ? ENAMETOOLONG : EILSEQ;
    return false;
}

#ifndef SNW_NO_FILES

static void platform_about(const struct _stat64 *from, snw__file_about *about)
{
    *about = (snw__file_about){.is_folder = (from->st_mode & _S_IFMT) == _S_IFDIR,
                               .is_regular = (from->st_mode & _S_IFMT) == _S_IFREG,
                               .size = from->st_size};
}

bool snw__file_look(const char *path, snw__file_about *about)
{
    wchar_t wide[SNW__WIDE_MAX];
    struct _stat64 found;
    if (!snw__wide_path(path, wide) || _wstat64(wide, &found) != 0) return false;
    platform_about(&found, about);
    return true;
}

bool snw__file_look_open(int file, snw__file_about *about)
{
    struct _stat64 found;
    if (_fstat64(file, &found) != 0) return false;
    platform_about(&found, about);
    return true;
}

int snw__file_open(const char *path, snw__file_mode mode)
{
    static const int flags[] = {_O_RDONLY, _O_WRONLY, _O_WRONLY | _O_CREAT | _O_EXCL};
    wchar_t wide[SNW__WIDE_MAX];
    if (!snw__wide_path(path, wide)) return -1;
    int file = _wopen(wide, flags[mode] | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    snw__file_about about;
    int why = errno;
    bool is_folder = file < 0 && why == EACCES && snw__file_look(path, &about) && about.is_folder;
    errno = is_folder ? EISDIR : why;
    return file;
}

int64_t snw__file_read(int file, void *buffer, size_t size)
{
    return _read(file, buffer, size < PLATFORM_MOVE_MAX ? (unsigned)size : PLATFORM_MOVE_MAX);
}

int64_t snw__file_write(int file, const void *bytes, size_t size)
{
    return _write(file, bytes, size < PLATFORM_MOVE_MAX ? (unsigned)size : PLATFORM_MOVE_MAX);
}

bool snw__file_seek(int file, int64_t position)
{
    return _lseeki64(file, position, 0) == position;
}

bool snw__file_close(int file)
{
    return _close(file) == 0;
}

bool snw__file_sync(int file)
{
    return _commit(file) == 0;
}

bool snw__file_rename(const char *from, const char *to, bool may_replace)
{
    enum {
        REPLACE = 1,
        TO_DISK = 8,
        NOT_FOUND = 2,
        NO_FOLDER = 3,
        EXISTS = 80,
        IS_THERE = 183
    };
    wchar_t wide_from[SNW__WIDE_MAX], wide_to[SNW__WIDE_MAX];
    if (!snw__wide_path(from, wide_from) || !snw__wide_path(to, wide_to)) return false;
    if (MoveFileExW(wide_from, wide_to, TO_DISK | (may_replace ? REPLACE : 0))) return true;
    unsigned long why = GetLastError();
    errno = why == EXISTS || why == IS_THERE       ? EEXIST
            : why == NOT_FOUND || why == NO_FOLDER ? ENOENT
                                                   : EACCES;
    return false;
}

void snw__file_remove(const char *path)
{
    wchar_t wide[SNW__WIDE_MAX];
    if (snw__wide_path(path, wide)) (void)_wunlink(wide);
}

const char *snw__path_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1)) name = at + 1;
    return name;
}

int64_t snw__process_id(void)
{
    return _getpid();
}

/* Nothing of the kind here. */
int snw__file_open_unnamed(const char *folder)
{
    (void)folder;
    return -1;
}

bool snw__file_name(int file, const char *path)
{
    (void)file;
    (void)path;
    return false;
}

void snw__file_set_mode(int file, unsigned mode)
{
    (void)file;
    (void)mode;
}

void snw__file_sync_folder(const char *folder)
{
    (void)folder;
}

int64_t snw__file_link(const char *path, char *text, size_t size)
{
    (void)path;
    (void)text;
    (void)size;
    return -1;
}

#endif

#ifndef SNW_NO_THREADS

PLATFORM_CALL void __stdcall AcquireSRWLockExclusive(void **lock);
PLATFORM_CALL void __stdcall ReleaseSRWLockExclusive(void **lock);
PLATFORM_CALL int __stdcall SleepConditionVariableSRW(void **variable, void **lock,
                                                      unsigned long milliseconds,
                                                      unsigned long flags);
PLATFORM_CALL void __stdcall WakeConditionVariable(void **variable);
PLATFORM_CALL void __stdcall WakeAllConditionVariable(void **variable);
PLATFORM_CALL unsigned long __stdcall WaitForSingleObject(void *handle, unsigned long milliseconds);
PLATFORM_CALL int __stdcall CloseHandle(void *handle);

enum {
    PLATFORM_FOREVER = -1
};

bool snw__mutex_create(snw__mutex *mutex)
{
    mutex->lock = NULL;
    return true;
}

void snw__mutex_destroy(snw__mutex *mutex)
{
    (void)mutex;
}

void snw__mutex_lock(snw__mutex *mutex)
{
    AcquireSRWLockExclusive(&mutex->lock);
}

void snw__mutex_unlock(snw__mutex *mutex)
{
    ReleaseSRWLockExclusive(&mutex->lock);
}

bool snw__signal_create(snw__signal *condition)
{
    condition->variable = NULL;
    return true;
}

void snw__signal_destroy(snw__signal *condition)
{
    (void)condition;
}

void snw__signal_wait(snw__signal *condition, snw__mutex *mutex)
{
    (void)SleepConditionVariableSRW(&condition->variable, &mutex->lock,
                                    (unsigned long)PLATFORM_FOREVER, 0);
}

void snw__signal_wake_one(snw__signal *condition)
{
    WakeConditionVariable(&condition->variable);
}

void snw__signal_wake_all(snw__signal *condition)
{
    WakeAllConditionVariable(&condition->variable);
}

static unsigned __stdcall platform_main(void *argument)
{
    snw__thread *thread = argument;
    thread->main(thread->argument);
    return 0;
}

bool snw__thread_start(snw__thread *thread, void (*main)(void *argument), void *argument)
{
    thread->main = main;
    thread->argument = argument;
    thread->handle = (void *)_beginthreadex(NULL, 0, platform_main, thread, 0, NULL);
    return thread->handle != NULL;
}

void snw__thread_join(snw__thread *thread)
{
    (void)WaitForSingleObject(thread->handle, (unsigned long)PLATFORM_FOREVER);
    (void)CloseHandle(thread->handle);
}

#endif

#else /* POSIX */

#ifndef SNW_NO_FILES

#include <fcntl.h>
#include <stdio.h> /* rename */
#include <sys/stat.h>
#include <unistd.h>

static void platform_about(const struct stat *from, snw__file_about *about)
{
    *about = (snw__file_about){.is_folder = S_ISDIR(from->st_mode),
                               .is_regular = S_ISREG(from->st_mode),
                               .size = (int64_t)from->st_size,
                               .mode = (unsigned)from->st_mode & 07777u};
}

bool snw__file_look(const char *path, snw__file_about *about)
{
    struct stat found;
    if (stat(path, &found) != 0) return false;
    platform_about(&found, about);
    return true;
}

bool snw__file_look_open(int file, snw__file_about *about)
{
    struct stat found;
    if (fstat(file, &found) != 0) return false;
    platform_about(&found, about);
    return true;
}

int snw__file_open(const char *path, snw__file_mode mode)
{
    static const int flags[] = {O_RDONLY, O_WRONLY, O_WRONLY | O_CREAT | O_EXCL};
    return open(path, flags[mode] | O_CLOEXEC, (mode_t)0666);
}

int snw__file_open_unnamed(const char *folder)
{
#ifdef O_TMPFILE
    if (access("/proc/self/fd", X_OK) != 0) return -1; /* snw__file_name needs it */
    return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, (mode_t)0666);
#else
    (void)folder;
    return -1;
#endif
}

bool snw__file_name(int file, const char *path)
{
    char from[64];
    (void)snprintf(from, sizeof from, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

int64_t snw__file_read(int file, void *buffer, size_t size)
{
    ssize_t got;
    do {
        got = read(file, buffer, size < PLATFORM_MOVE_MAX ? size : PLATFORM_MOVE_MAX);
    } while (got < 0 && errno == EINTR);
    return got;
}

int64_t snw__file_write(int file, const void *bytes, size_t size)
{
    ssize_t done;
    do {
        done = write(file, bytes, size < PLATFORM_MOVE_MAX ? size : PLATFORM_MOVE_MAX);
    } while (done < 0 && errno == EINTR);
    return done;
}

bool snw__file_seek(int file, int64_t position)
{
    return lseek(file, (off_t)position, SEEK_SET) == (off_t)position;
}

bool snw__file_close(int file)
{
    return close(file) == 0;
}

bool snw__file_sync(int file)
{
    return fsync(file) == 0;
}

void snw__file_sync_folder(const char *folder)
{
    int file = open(folder, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)fsync(file);
    (void)close(file);
}

void snw__file_set_mode(int file, unsigned mode)
{
    if (fchmod(file, (mode_t)mode) != 0) errno = 0; /* no reason to fail */
}

bool snw__file_rename(const char *from, const char *to, bool may_replace)
{
    if (may_replace) return rename(from, to) == 0;
    if (link(from, to) == 0) return true; /* EEXIST, also when it appeared just now */
    /* File systems without hard links (FAT): rename, after a last look. */
    return errno != EEXIST && access(to, F_OK) != 0 && rename(from, to) == 0;
}

void snw__file_remove(const char *path)
{
    (void)unlink(path);
}

int64_t snw__file_link(const char *path, char *text, size_t size)
{
    return readlink(path, text, size);
}

const char *snw__path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int64_t snw__process_id(void)
{
    return (int64_t)getpid();
}

#endif

#ifndef SNW_NO_THREADS

bool snw__mutex_create(snw__mutex *mutex)
{
    return pthread_mutex_init(&mutex->lock, NULL) == 0;
}

void snw__mutex_destroy(snw__mutex *mutex)
{
    pthread_mutex_destroy(&mutex->lock);
}

void snw__mutex_lock(snw__mutex *mutex)
{
    pthread_mutex_lock(&mutex->lock);
}

void snw__mutex_unlock(snw__mutex *mutex)
{
    pthread_mutex_unlock(&mutex->lock);
}

bool snw__signal_create(snw__signal *condition)
{
    return pthread_cond_init(&condition->variable, NULL) == 0;
}

void snw__signal_destroy(snw__signal *condition)
{
    pthread_cond_destroy(&condition->variable);
}

void snw__signal_wait(snw__signal *condition, snw__mutex *mutex)
{
    pthread_cond_wait(&condition->variable, &mutex->lock);
}

void snw__signal_wake_one(snw__signal *condition)
{
    pthread_cond_signal(&condition->variable);
}

void snw__signal_wake_all(snw__signal *condition)
{
    pthread_cond_broadcast(&condition->variable);
}

static void *platform_main(void *argument)
{
    const snw__thread *thread = argument;
    thread->main(thread->argument);
    return NULL;
}

bool snw__thread_start(snw__thread *thread, void (*main)(void *argument), void *argument)
{
    thread->main = main;
    thread->argument = argument;
    return pthread_create(&thread->handle, NULL, platform_main, thread) == 0;
}

void snw__thread_join(snw__thread *thread)
{
    (void)pthread_join(thread->handle, NULL);
}

#endif

#endif
