/* Files, by the calls of base/platform.h. A build without files (SNW_NO_FILES) has none of these.
 *
 * Writing never shows a half-written file. On Linux the bytes go to a file without a name
 * (O_TMPFILE), so that not even a killed process leaves anything behind; elsewhere, or where the
 * file system cannot do that, to a temporary name beside the target. Then: fsync, link or rename,
 * fsync of the folder. Without `overwrite` the last step is link(), which fails when the target has
 * appeared meanwhile. Devices and pipes (/dev/null, /dev/stdout) are written straight. A symbolic
 * link stays one: the file it points to is replaced or made. */
#include "base/platform.h"

#ifndef SNW_NO_FILES

#include <errno.h>
#include <string.h>

#include "io/formats.h"

#include "base/fail.h"
#include "base/memory.h"
#include "io/robot_shapes.h"

/* Longest path with the temporary ending; longer ones are refused. */
enum {
    FILE_PATH_SIZE = 4096
};

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct file_source {
    int descriptor; /* -1: not open */
    snw_source source;
} file_source;

static int64_t file_read(void *context, void *buffer, size_t size)
{
    const file_source *file = (const file_source *)context;
    return snw__file_read(file->descriptor, buffer, size);
}

static int file_seek(void *context, int64_t position)
{
    const file_source *file = (const file_source *)context;
    return snw__file_seek(file->descriptor, position) ? 0 : -1;
}

static snw_status fail_file(snw_error *error, const char *path, const char *what)
{
    const char *why = strerror(errno);
    snw_status status = errno == ENOENT ? SNW_NOT_FOUND : SNW_IO;
    return snw__fail_at(error, status, (snw__place){-1, -1, -1, -1, path}, "%s could not be %s: %s",
                        path, what, why);
}

static snw_status open_file(file_source *file, const char *path, snw_error *error)
{
    file->descriptor = -1;
    if (!path) return snw__fail(error, SNW_INVALID_ARGUMENT, "path is NULL");
    file->descriptor = snw__file_open(path, SNW__FILE_READ);
    /* A folder opens on some systems, on others it does not. */
    if (file->descriptor < 0) return fail_file(error, path, errno == EISDIR ? "read" : "opened");
    snw__file_about about;
    if (!snw__file_look_open(file->descriptor, &about)) return fail_file(error, path, "read");
    if (about.is_folder) {
        errno = EISDIR;
        return fail_file(error, path, "read");
    }
    /* Files under /proc are regular, have content, and say that they have no bytes. */
    bool is_regular = about.is_regular, has_size = is_regular && about.size > 0;
    file->source = (snw_source){.read = file_read,
                                .seek = is_regular ? file_seek : NULL,
                                .size = has_size ? about.size : -1,
                                .name = path,
                                .context = file};
    return SNW_OK;
}

static snw_status close_file(const file_source *file, snw_status status)
{
    if (file->descriptor >= 0) (void)snw__file_close(file->descriptor);
    return status;
}

snw_status snw_read_trial_file(const char *path, const snw_read_options *options,
                               const snw_allocator *allocator, snw_trial **out, snw_notes *notes,
                               snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK)
        status = snw_read_trial(&file.source, options, allocator, out, notes, error);
    return close_file(&file, status);
}

static snw_status open_included(void *context, const char *path, snw_source *source,
                                snw_error *error)
{
    const snw_allocator *memory = context;
    file_source *file = snw__allocate(memory, sizeof *file);
    if (!file) return snw__fail_memory(error, sizeof *file, "an included file");
    snw_status status = open_file(file, path, error);
    if (status == SNW_OK) {
        *source = file->source;
        return SNW_OK;
    }
    (void)close_file(file, status);
    snw__release(memory, file, sizeof *file);
    return status;
}

static void close_included(void *context, snw_source *source)
{
    file_source *file = source->context;
    (void)close_file(file, SNW_OK);
    snw__release(context, file, sizeof *file);
}

static snw__include files_beside(const char *path, snw_allocator *memory, snw_error *error)
{
    return (snw__include){.main_path = path,
                          .open = open_included,
                          .close = close_included,
                          .context = memory,
                          .allocator = memory,
                          .error = error};
}

typedef snw_status file_use(void *context, const snw_source *source, snw_error *error);

/* A robot's description with the files that it includes; any other file as it is. */
static snw_status use_expanded(file_source *file, const snw_read_options *options,
                               const snw_allocator *allocator, file_use *use, void *context,
                               snw_error *error)
{
    const snw_source *source = &file->source;
    if (!source->seek || snw_detect_format(&file->source) != SNW_FORMAT_MJCF)
        return use(context, source, error);
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_memory_sink whole;
    snw_sink sink = snw_sink_to_memory(&whole, &memory);
    snw__include include = files_beside(source->name, &memory, error);
    include.options = options;
    snw_status status = snw__mjcf_expand(&include, source, &sink);
    snw_memory_source state;
    snw_source text = snw_source_from_memory(&state, whole.bytes, whole.size);
    text.name = source->name;
    bool is_seeking = status == SNW_OK && include.count == 0; /* as it is: its lines count */
    if (is_seeking && source->seek(source->context, 0) != 0)
        status = snw__fail(error, SNW_IO, "%s cannot be read twice", source->name);
    if (status == SNW_OK) status = use(context, is_seeking ? source : &text, error);
    snw_memory_sink_release(&whole);
    return status;
}

typedef struct file_motion {
    const snw_read_options *options;
    const snw_allocator *allocator;
    snw_motion **out;
    snw_notes *notes;
} file_motion;

static snw_status use_motion(void *context, const snw_source *source, snw_error *error)
{
    const file_motion *as = context;
    return snw_read_motion(source, as->options, as->allocator, as->out, as->notes, error);
}

snw_status snw_read_motion_file(const char *path, const snw_read_options *options,
                                const snw_allocator *allocator, snw_motion **out, snw_notes *notes,
                                snw_error *error)
{
    file_source file;
    file_motion as = {options, allocator, out, notes};
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK) status = use_expanded(&file, options, allocator, use_motion, &as, error);
    return close_file(&file, status);
}

snw_status snw_read_mesh_file(const char *path, const snw_read_options *options,
                              const snw_allocator *allocator, snw_mesh **out, snw_notes *notes,
                              snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK)
        status = snw_read_mesh(&file.source, options, allocator, out, notes, error);
    return close_file(&file, status);
}

snw_status snw_read_character_file(const char *path, const snw_read_options *options,
                                   const snw_allocator *allocator, snw_character *out,
                                   snw_notes *notes, snw_error *error)
{
    file_source file;
    if (out) *out = (snw_character){NULL, NULL};
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK)
        status = snw_read_character(&file.source, options, allocator, out, notes, error);
    return close_file(&file, status);
}

snw_status snw_read_taylor_file(const char *path, const snw_read_options *options,
                                const snw_allocator *allocator, snw_taylor **out, snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK) status = snw_read_taylor(&file.source, options, allocator, out, error);
    return close_file(&file, status);
}

static snw_status use_shapes(void *context, const snw_source *source, snw_error *error)
{
    (void)error; /* it is theirs too */
    return snw__read_shapes(source, context);
}

snw_status snw_read_shapes_file(const char *path, const snw_skeleton *skeleton,
                                snw_shape_list *list, snw_error *error)
{
    file_source file;
    snw_allocator memory = snw__allocator_or_default(NULL);
    snw__include files = files_beside(path, &memory, error);
    snw__shapes shapes = {skeleton, list, &files, &memory, error};
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK) status = use_expanded(&file, NULL, NULL, use_shapes, &shapes, error);
    return close_file(&file, status);
}

snw_status snw_read_cameras_file(const char *path, const snw_read_options *options,
                                 const snw_allocator *allocator, snw_cameras **out,
                                 snw_notes *notes, snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK)
        status = snw_read_cameras(&file.source, options, allocator, out, notes, error);
    return close_file(&file, status);
}

snw_status snw_read_inertial_file(const char *path, const snw_read_options *options,
                                  const snw_allocator *allocator, snw_inertial **out,
                                  snw_notes *notes, snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK)
        status = snw_read_inertial(&file.source, options, allocator, out, notes, error);
    return close_file(&file, status);
}

snw_status snw_read_keypoints_file(const char *path, const snw_read_options *options,
                                   const snw_allocator *allocator, snw_keypoint_picture **out,
                                   snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK) status = snw_read_keypoints(&file.source, options, allocator, out, error);
    return close_file(&file, status);
}

snw_status snw_read_views_file(const char *path, const snw_cameras *cameras,
                               const snw_read_options *options, const snw_allocator *allocator,
                               snw_views **out, snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK)
        status = snw_read_views(&file.source, cameras, options, allocator, out, error);
    return close_file(&file, status);
}

snw_status snw_read_acclaim_file(const snw_acclaim_paths *paths, const snw_read_options *options,
                                 const snw_allocator *allocator, snw_motion **out, snw_notes *notes,
                                 snw_error *error)
{
    file_source asf, amc = {.descriptor = -1};
    if (out) *out = NULL;
    snw_status status = open_file(&asf, paths->asf, error);
    if (status == SNW_OK) status = open_file(&amc, paths->amc, error);
    if (status == SNW_OK)
        status = snw_read_acclaim(&(snw_acclaim_sources){&asf.source, &amc.source, NULL}, options,
                                  allocator, out, notes, error);
    return close_file(&asf, close_file(&amc, status));
}

snw_status snw_read_table_file(const char *path, const snw_read_options *options,
                               const snw_allocator *allocator, snw_table **out, snw_notes *notes,
                               snw_error *error)
{
    file_source file;
    if (out) *out = NULL;
    snw_status status = open_file(&file, path, error);
    if (status == SNW_OK)
        status = snw_read_table(&file.source, options, allocator, out, notes, error);
    return close_file(&file, status);
}

snw_format_kind snw_detect_file(const char *path)
{
    file_source file;
    snw_format_kind kind = SNW_FORMAT_UNKNOWN;
    snw_status status = open_file(&file, path, NULL);
    /* What cannot seek back would lose its first bytes. */
    if (status == SNW_OK && file.source.seek) kind = snw_detect_format(&file.source);
    (void)close_file(&file, status);
    return kind;
}

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct file_sink {
    snw_sink sink;
    const char *path; /* as the caller says it */
    bool may_overwrite;
    bool is_straight;               /* a device or pipe: no temporary, no rename */
    int descriptor;                 /* -1: not open */
    int failure;                    /* errno of the first write that failed */
    char target[FILE_PATH_SIZE];    /* the path behind all links */
    char folder[FILE_PATH_SIZE];    /* of the target */
    char temporary[FILE_PATH_SIZE]; /* "" while the file has no name */
} file_sink;

static int file_write(void *context, const void *bytes, size_t size)
{
    file_sink *file = (file_sink *)context;
    const char *from = (const char *)bytes;
    while (size > 0) {
        int64_t done = snw__file_write(file->descriptor, from, size);
        if (done <= 0) {
            file->failure = done < 0 ? errno : EIO;
            return -1;
        }
        from += done;
        size -= (size_t)done;
    }
    return 0;
}

/* "folder/.name.12345-0.part": hidden, beside the target (rename does not cross file systems). */
static void name_temporary(file_sink *file, int attempt)
{
    snw_format(file->temporary, sizeof file->temporary, "%s/.%s.%lld-%d.part", file->folder,
               snw__path_name(file->target), (long long)snw__process_id(), attempt);
}

static bool open_named(file_sink *file)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        name_temporary(file, attempt);
        file->descriptor = snw__file_open(file->temporary, SNW__FILE_NEW);
        if (file->descriptor >= 0) return true;
        if (errno != EEXIST) break;
    }
    file->temporary[0] = 0;
    return false;
}

/* How many links may follow each other: Linux's own limit. */
enum {
    FILE_LINKS_MAX = 40
};

/* What the link `path` says, put in its place; false with errno when there is no room. */
static bool replace_link(char path[FILE_PATH_SIZE], const char *link, size_t length)
{
    char *slash = strrchr(path, '/');
    char *at = slash && link[0] != '/' ? slash + 1 : path;
    errno = ENAMETOOLONG;
    if ((size_t)(at - path) + length >= FILE_PATH_SIZE) return false;
    memcpy(at, link, length);
    at[length] = 0;
    return true;
}

/* Walks from link to link; what it ends at need not exist. False with errno. */
static bool follow_links(char path[FILE_PATH_SIZE])
{
    char link[FILE_PATH_SIZE];
    for (int n = 0; n < FILE_LINKS_MAX; n++) {
        int64_t length = snw__file_link(path, link, sizeof link);
        if (length < 0) return true; /* no link; whether it can be written shows later */
        if (!replace_link(path, link, (size_t)length)) return false;
    }
    errno = ELOOP;
    return false;
}

static snw_status fail_exists(snw_error *error, const char *path)
{
    return snw__fail_at(error, SNW_EXISTS, (snw__place){-1, -1, -1, -1, path},
                        "%s exists already and is not overwritten", path);
}

/* An unnamed file cannot replace another: it gets a temporary name first. */
static bool name_unnamed(file_sink *file)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        name_temporary(file, attempt);
        if (snw__file_name(file->descriptor, file->temporary)) return true;
        if (errno != EEXIST) break;
    }
    file->temporary[0] = 0;
    return false;
}

/* The file under its final name, or false with errno. */
static bool put_in_place(file_sink *file)
{
    if (!file->may_overwrite && !file->temporary[0])
        return snw__file_name(file->descriptor, file->target);
    if (!file->temporary[0] && !name_unnamed(file)) return false;
    return snw__file_rename(file->temporary, file->target, file->may_overwrite);
}

static snw_status close_sink(file_sink *file, snw_status status, snw_error *error)
{
    if (file->descriptor >= 0 && !snw__file_close(file->descriptor) && status == SNW_OK)
        status = fail_file(error, file->path, "closed");
    file->descriptor = -1;
    return status;
}

/* `status`: whether it was opened and all of it could be made. */
static snw_status finish_file(file_sink *file, snw_status status, snw_error *error)
{
    if (file->descriptor < 0) return status;
    if (file->failure) {
        errno = file->failure;
        status = fail_file(error, file->path, "written");
    }
    if (file->is_straight) {
        (void)snw__file_close(file->descriptor);
        return status;
    }
    if (status == SNW_OK && !snw__file_sync(file->descriptor))
        status = fail_file(error, file->path, "written");
    if (!SNW__RENAMES_OPEN) status = close_sink(file, status, error);
    if (status == SNW_OK && !put_in_place(file))
        status = errno == EEXIST ? fail_exists(error, file->path)
                                 : fail_file(error, file->path, "written");
    status = close_sink(file, status, error);
    if (file->temporary[0]) snw__file_remove(file->temporary); /* gone already after a rename */
    if (status == SNW_OK) snw__file_sync_folder(file->folder);
    return status;
}

static snw_status start_file(file_sink *file, const char *path, bool overwrite, snw_error *error)
{
    memset(file, 0, sizeof *file);
    file->descriptor = -1;
    if (!path) return snw__fail(error, SNW_INVALID_ARGUMENT, "path is NULL");
    file->sink = (snw_sink){file_write, file};
    file->path = path;
    file->may_overwrite = overwrite;
    snw__file_about about;
    bool exists = snw__file_look(file->path, &about);
    if (exists && about.is_folder) {
        errno = EISDIR;
        return fail_file(error, file->path, "written");
    }
    if (exists && !about.is_regular) {
        file->is_straight = true;
        file->descriptor = snw__file_open(file->path, SNW__FILE_WRITE);
        return file->descriptor < 0 ? fail_file(error, file->path, "opened") : SNW_OK;
    }
    if (exists && !file->may_overwrite) return fail_exists(error, file->path);
    /* 40: what name_temporary adds. */
    size_t most = FILE_PATH_SIZE - 40;
    bool fits = strlen(file->path) < most;
    errno = ENAMETOOLONG;
    if (fits) memcpy(file->target, file->path, strlen(file->path) + 1);
    if (!fits || !follow_links(file->target) || strlen(file->target) >= most)
        return fail_file(error, file->path, "written");
    int length = (int)(snw__path_name(file->target) - file->target);
    if (length == 0)
        memcpy(file->folder, ".", 2);
    else /* "/" and "C:" stay whole, others lose their last slash */
        snw_format(file->folder, sizeof file->folder, "%.*s",
                   length == 1 || file->target[length - 1] == ':' ? length : length - 1,
                   file->target);
    file->descriptor = snw__file_open_unnamed(file->folder);
    if (file->descriptor < 0 && !open_named(file)) return fail_file(error, file->path, "written");
    if (exists) snw__file_set_mode(file->descriptor, about.mode); /* it keeps its permissions */
    return SNW_OK;
}

/* The same for a file whose ending says what is written. */
static snw_status start_format_file(file_sink *file, const char *path, bool overwrite,
                                    snw_format_kind *kind, snw_error *error)
{
    *kind = path ? snw_format_from_name(path) : SNW_FORMAT_UNKNOWN;
    if (!path || *kind != SNW_FORMAT_UNKNOWN) return start_file(file, path, overwrite, error);
    file->descriptor = -1;
    return snw__fail_at(error, SNW_UNSUPPORTED, (snw__place){-1, -1, -1, -1, path},
                        "the ending of %s names no format that can be written", path);
}

snw_status snw_write_table_file(const char *path, bool overwrite, const snw_table *table,
                                const snw_write_options *options, snw_error *error)
{
    file_sink file;
    snw_status status = start_file(&file, path, overwrite, error);
    if (status == SNW_OK) status = snw_write_table(table, options, &file.sink, error);
    return finish_file(&file, status, error);
}

snw_status snw_write_cameras_file(const char *path, bool overwrite, const snw_cameras *cameras,
                                  snw_error *error)
{
    file_sink file;
    int format = snw_camera_format_find(path);
    if (path && format < 0)
        return snw__fail_at(error, SNW_UNSUPPORTED, (snw__place){-1, -1, -1, -1, path},
                            "the ending of %s names no layout of cameras: .toml, .yaml, .yml, "
                            ".qca.txt, .xcp, .mcal",
                            path);
    snw_status status = start_file(&file, path, overwrite, error);
    if (status == SNW_OK)
        status = snw_write_cameras_as(cameras, (snw_camera_format)format, &file.sink, error);
    return finish_file(&file, status, error);
}

snw_status snw_write_inertial_file(const char *path, bool overwrite, const snw_inertial *sensors,
                                   snw_error *error)
{
    file_sink file;
    snw_status status = start_file(&file, path, overwrite, error);
    if (status == SNW_OK) status = snw_write_inertial(sensors, &file.sink, error);
    return finish_file(&file, status, error);
}

snw_status snw_write_views_file(const char *path, bool overwrite, const snw_views *views,
                                const snw_cameras *cameras, snw_error *error)
{
    file_sink file;
    snw_status status = start_file(&file, path, overwrite, error);
    if (status == SNW_OK) status = snw_write_views(views, cameras, &file.sink, error);
    return finish_file(&file, status, error);
}

snw_status snw_write_taylor_file(const char *path, bool overwrite, const snw_taylor *taylor,
                                 snw_error *error)
{
    file_sink file;
    snw_status status = start_file(&file, path, overwrite, error);
    if (status == SNW_OK) status = snw_write_taylor(taylor, &file.sink, error);
    return finish_file(&file, status, error);
}

snw_status snw_write_file(const char *path, bool overwrite, const void *bytes, size_t size,
                          snw_error *error)
{
    file_sink file;
    snw_status status = start_file(&file, path, overwrite, error);
    if (status == SNW_OK && size) (void)file_write(&file, bytes, size); /* it keeps a failure */
    if (status == SNW_OK) status = snw__succeed(error);
    return finish_file(&file, status, error);
}

snw_status snw_write_trial_file(const char *path, bool overwrite, const snw_trial *trial,
                                const snw_write_options *options, snw_error *error)
{
    file_sink file;
    snw_format_kind kind;
    snw_status status = start_format_file(&file, path, overwrite, &kind, error);
    if (status == SNW_OK) status = snw_write_trial(trial, kind, options, &file.sink, error);
    return finish_file(&file, status, error);
}

snw_status snw_write_motion_file(const char *path, bool overwrite, const snw_motion *motion,
                                 const snw_write_options *options, snw_error *error)
{
    file_sink file;
    snw_format_kind kind;
    snw_status status = start_format_file(&file, path, overwrite, &kind, error);
    if (status == SNW_OK) status = snw_write_motion(motion, kind, options, &file.sink, error);
    return finish_file(&file, status, error);
}

snw_status snw_write_mesh_file(const char *path, bool overwrite, const snw_mesh *mesh,
                               const snw_write_options *options, snw_error *error)
{
    file_sink file;
    snw_format_kind kind;
    snw_status status = start_format_file(&file, path, overwrite, &kind, error);
    if (status == SNW_OK) status = snw_write_mesh(mesh, kind, options, &file.sink, error);
    return finish_file(&file, status, error);
}

#endif
