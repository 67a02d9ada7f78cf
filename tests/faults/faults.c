/* Stands between the command and the file system (LD_PRELOAD): the nth write of a file fails, calls
 * are interrupted or cut short, and the order of what reaches the disk is recorded. Pipes and
 * terminals are left alone. For tests/check_faults. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

static int kind_of(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 ? (int)(status.st_mode & S_IFMT) : 0;
}

static void record(const char *what)
{
    const char *path = getenv("FAULT_RECORD");
    long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (fd < 0) return;
    (void)!syscall(SYS_write, fd, what, strlen(what));
    (void)!syscall(SYS_close, fd);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    static long calls, interrupts;
    if (kind_of(fd) != S_IFREG) return syscall(SYS_write, fd, bytes, size);
    if (number_of("FAULT_INTERRUPT") && interrupts++ % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    if (++calls == number_of("FAULT_WRITE")) {
        errno = ENOSPC;
        return -1;
    }
    size_t most = (size_t)number_of("FAULT_SHORT");
    record("write\n");
    return syscall(SYS_write, fd, bytes, most && size > most ? most : size);
}

static ssize_t read_part(int fd, void *bytes, size_t size)
{
    static long interrupts;
    if (kind_of(fd) == S_IFREG && number_of("FAULT_INTERRUPT") && interrupts++ % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    size_t most = (size_t)number_of("FAULT_SHORT");
    return syscall(SYS_read, fd, bytes, most && size > most ? most : size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return read_part(fd, bytes, size);
}

ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
    return read_part(fd, bytes, size < room ? size : room);
}

int fsync(int fd)
{
    if (number_of("FAULT_SYNC") && kind_of(fd) == S_IFREG) {
        errno = EIO;
        return -1;
    }
    record(kind_of(fd) == S_IFDIR ? "sync folder\n" : "sync file\n");
    return (int)syscall(SYS_fsync, fd);
}

int link(const char *from, const char *to)
{
    record("name\n");
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    record("name\n");
    return (int)syscall(SYS_linkat, from_fd, from, to_fd, to, flags);
}

int rename(const char *from, const char *to)
{
    record("name\n");
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
