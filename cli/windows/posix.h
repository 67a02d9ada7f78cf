/* What the command asks of POSIX, on Windows: the build includes this file before every other one
 * of the command. Paths are UTF-8 and go through the wide calls; bytes are as
 * they are, also on standard output. */
#ifndef SINEW_CLI_WINDOWS_POSIX_H
#define SINEW_CLI_WINDOWS_POSIX_H
#ifdef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define O_CLOEXEC            _O_NOINHERIT
#define F_GETFD              0
#define fcntl(file, command) ((void)(file), 0)

/* Windows' own struct stat tells no file from another. */
struct windows_about {
    uint64_t st_dev, st_ino;
    unsigned short st_mode;
    int64_t st_size;
    time_t st_mtime;
};
int windows_about(const char *path, struct windows_about *about);
int windows_about_open(int file, struct windows_about *about);
#undef stat
#undef fstat
#undef st_mtime
#define stat  windows_about
#define fstat windows_about_open

int windows_open(const char *path, int flags, ...);
FILE *windows_fopen(const char *path, const char *mode);
int windows_mkdir(const char *path);
/* In the folder for such files: the system's own takes the root of the disk, which nobody may
 * write to. */
FILE *windows_tmpfile(void);
int windows_access(const char *path, int mode);
/* Only of "/proc/self/exe": where the program lies. */
ssize_t windows_readlink(const char *path, char *text, size_t size);
struct tm *windows_gmtime(const time_t *time, struct tm *out);
#define open              windows_open
#define fopen             windows_fopen
#define mkdir(path, mode) windows_mkdir(path)
#define access            windows_access
#define tmpfile           windows_tmpfile
#define readlink          windows_readlink
#define gmtime_r          windows_gmtime

/* The words of main in UTF-8, with '/' in paths; standard streams without line ends of their own.
 */
void windows_begin(int *word_count, char ***words);

#endif
#endif
