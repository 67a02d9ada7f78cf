/* See posix.h. And what the command does not do on Windows, each with its sentence: many files at
 * once (a process for each, in cli/many) the server of `view`, and `live`. */
#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <shellapi.h>
#include <stdarg.h>
#include <wchar.h>

#include "many/many.h"
#include "view/view.h"

#undef open
#undef fopen
#undef mkdir
#undef access

enum {
    WIDE_MAX = 4096
};

/* UTF-8 as the wide calls take it; false with errno. */
static bool wide_path(const char *path, wchar_t wide[WIDE_MAX])
{
    bool is_good = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, WIDE_MAX) > 0;
    if (!is_good) errno = EILSEQ;
    return is_good;
}

static const char *device(const char *path)
{
    return strcmp(path, "/dev/null") == 0 ? "NUL" : path;
}

int windows_open(const char *path, int flags, ...)
{
    wchar_t wide[WIDE_MAX];
    if (!wide_path(device(path), wide)) return -1;
    return _wopen(wide, flags | _O_BINARY, _S_IREAD | _S_IWRITE);
}

FILE *windows_fopen(const char *path, const char *mode)
{
    wchar_t wide[WIDE_MAX], wide_mode[16] = L"";
    if (!wide_path(device(path), wide)) return NULL;
    for (int n = 0; mode[n] && n < 14; n++)
        wide_mode[n] = (wchar_t)mode[n];
    if (!strchr(mode, 'b')) wcscat(wide_mode, L"b");
    return _wfopen(wide, wide_mode);
}

FILE *windows_tmpfile(void)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    if (!GetTempPathW(MAX_PATH, folder) || !GetTempFileNameW(folder, L"snw", 0, path)) return NULL;
    int file = _wopen(path, _O_RDWR | _O_CREAT | _O_BINARY | _O_TEMPORARY, _S_IREAD | _S_IWRITE);
    FILE *stream = file >= 0 ? _fdopen(file, "w+b") : NULL;
    if (file >= 0 && !stream) _close(file);
    return stream;
}

int windows_mkdir(const char *path)
{
    wchar_t wide[WIDE_MAX];
    return wide_path(path, wide) ? _wmkdir(wide) : -1;
}

int windows_access(const char *path, int mode)
{
    wchar_t wide[WIDE_MAX];
    return wide_path(path, wide) ? _waccess(wide, mode & 6) : -1;
}

/* Which file it is: the volume and its number there. */
static void identify(HANDLE handle, struct windows_about *about)
{
    BY_HANDLE_FILE_INFORMATION found;
    about->st_dev = about->st_ino = 0;
    if (handle == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(handle, &found)) return;
    about->st_dev = found.dwVolumeSerialNumber;
    about->st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
}

int windows_about(const char *path, struct windows_about *about)
{
    wchar_t wide[WIDE_MAX];
    struct _stat64 found;
    if (!wide_path(device(path), wide) || _wstat64(wide, &found) != 0) return -1;
    HANDLE handle = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    *about = (struct windows_about){
        .st_mode = found.st_mode, .st_size = found.st_size, .st_mtime = (time_t)found.st_mtime};
    identify(handle, about);
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
    return 0;
}

int windows_about_open(int file, struct windows_about *about)
{
    struct _stat64 found;
    if (_fstat64(file, &found) != 0) return -1;
    *about = (struct windows_about){
        .st_mode = found.st_mode, .st_size = found.st_size, .st_mtime = (time_t)found.st_mtime};
    identify((HANDLE)_get_osfhandle(file), about);
    return 0;
}

struct tm *windows_gmtime(const time_t *time, struct tm *out)
{
    return gmtime_s(out, time) == 0 ? out : NULL;
}

/* UTF-8 of a wide text, with '/' in paths; the caller's. */
static char *narrow(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = malloc((size_t)size + 1);
    if (!text) return NULL;
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    for (char *at = text; *at; at++)
        if (*at == '\\') *at = '/';
    return text;
}

ssize_t windows_readlink(const char *path, char *text, size_t size)
{
    wchar_t wide[WIDE_MAX];
    if (strcmp(path, "/proc/self/exe") != 0 || !GetModuleFileNameW(NULL, wide, WIDE_MAX)) return -1;
    char *found = narrow(wide);
    size_t length = found ? strlen(found) : 0;
    if (length < size) memcpy(text, found, length);
    free(found);
    return length && length < size ? (ssize_t)length : -1;
}

void windows_begin(int *word_count, char ***words)
{
    for (int file = 0; file < 3; file++)
        _setmode(file, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    int count;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **texts = wide ? calloc((size_t)count + 1, sizeof *texts) : NULL;
    for (int n = 0; texts && n < count; n++)
        if (!(texts[n] = narrow(wide[n]))) return; /* as the system gave them */
    if (!texts) return;
    *word_count = count;
    *words = texts;
}

/* ---- not on Windows ------------------------------------------------------------------------- */

bool cli_is_many(const cli_arguments *arguments, const cli_many_kind *kind)
{
    struct windows_about about;
    int most = kind->output_is_operand ? 2 : 1;
    if (kind->is_by_person || arguments->operand_count > most) return true;
    if (cli_value(arguments, "--files", NULL)) return true;
    return arguments->operand_count > 0 && windows_about(arguments->operand[0], &about) == 0 &&
           S_ISDIR(about.st_mode);
}

int cli_run_many(const cli_arguments *arguments, const cli_many_kind *kind)
{
    (void)kind;
    return cli_fail(arguments, "many files at once are not there on Windows yet: one file at a "
                               "time, from a loop of the shell");
}

static int run_merge(const cli_arguments *arguments)
{
    return cli_run_many(arguments, NULL);
}

static const cli_option no_options[] = {{NULL, NULL, NULL, NULL}};

const cli_command cli_merge_command = {
    "merge",          "join the tables of shards and of runs that were stopped",
    "FOLDER...",      "Not on Windows yet.",
    no_options,       1,
    CLI_OPERANDS_MAX, run_merge,
};

static int run_live(const cli_arguments *arguments)
{
    return cli_fail(arguments, "streams are not followed on Windows yet");
}

const cli_command cli_live_command = {
    "live",      "follow a stream of markers, send the moving body on",
    "[CAPTURE]", "Not on Windows yet.",
    no_options,  0,
    1,           run_live,
};

int view_serve(const cli_arguments *arguments)
{
    return cli_fail(arguments, "the page's server is not there on Windows yet");
}

#endif
