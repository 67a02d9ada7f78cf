#include "views/folders.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct name_list {
    int count, capacity;
    char **name; /* (count) whole paths */
} name_list;

static void release_names(name_list *list)
{
    for (int n = 0; n < list->count; n++)
        free(list->name[n]);
    free(list->name);
    memset(list, 0, sizeof *list);
}

static bool add_name(name_list *list, const char *folder, const char *name)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 64;
        char **more = realloc(list->name, (size_t)capacity * sizeof *more);
        if (!more) return false;
        list->name = more;
        list->capacity = capacity;
    }
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path) return false;
    snw_format(path, size, folder[0] ? "%s/%s" : "%s%s", folder, name);
    list->name[list->count++] = path;
    return true;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The last run of digits before the ending: the frame, or the camera; -1: none. */
static int64_t number_in(const char *path)
{
    const char *name = last_part(path), *dot = strrchr(name, '.');
    const char *end = dot && dot > name ? dot : name + strlen(name);
    while (end > name && (end[-1] < '0' || end[-1] > '9'))
        end--;
    const char *start = end;
    while (start > name && start[-1] >= '0' && start[-1] <= '9')
        start--;
    int64_t number = -1;
    return start < end && snw_parse_int64(start, end, &number) ? number : -1;
}

static int by_number(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    int64_t m = number_in(x), n = number_in(y);
    return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Folders, or files that end in .json, in a folder; names that begin with a dot are nobody's. */
static bool list_folder(const char *folder, bool wants_folders, name_list *out)
{
    DIR *open = opendir(folder);
    bool is_done = open != NULL;
    for (struct dirent *entry; is_done && (entry = readdir(open)) != NULL;) {
        struct stat about;
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.') continue;
        bool is_json = length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
        if (!wants_folders && !is_json) continue;
        is_done = add_name(out, folder, entry->d_name);
        bool is_kept = is_done && stat(out->name[out->count - 1], &about) == 0 &&
                       (wants_folders ? S_ISDIR(about.st_mode) : S_ISREG(about.st_mode));
        if (is_done && !is_kept) free(out->name[--out->count]);
    }
    if (open) closedir(open);
    return is_done;
}

/* ---- which folder is whose --------------------------------------------------------------------
 */

/* Letters and digits alone, in lower case. */
static void plain(const char *text, char out[256])
{
    int n = 0;
    for (; *text && n < 255; text++) {
        char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out[n++] = c;
    }
    out[n] = '\0';
}

/* The folder whose name holds the camera's, where each camera has one; else in their order. */
static void order_folders(name_list *folders, const snw_cameras *cameras)
{
    qsort(folders->name, (size_t)folders->count, sizeof *folders->name, by_name);
    for (int c = 0; c < cameras->count; c++) {
        char camera[256], folder[256];
        int found = -1;
        plain(cameras->camera[c].name, camera);
        for (int n = c; n < folders->count && camera[0]; n++) {
            plain(last_part(folders->name[n]), folder);
            if (found < 0 && strstr(folder, camera)) found = n;
        }
        if (found < 0) continue;
        char *kept = folders->name[found];
        for (int n = found; n > c; n--)
            folders->name[n] = folders->name[n - 1];
        folders->name[c] = kept;
    }
}

static bool find_folders(const cli_arguments *arguments, const cli_folders *from,
                         const snw_cameras *cameras, name_list *folders)
{
    bool is_read = true;
    if (from->count == 1)
        is_read = list_folder(from->path[0], true, folders);
    else
        for (int n = 0; n < from->count && is_read; n++)
            is_read = add_name(folders, "", from->path[n]);
    if (!is_read) {
        cli_fail(arguments, "%s could not be opened: %s", from->path[0], strerror(errno));
    } else if (folders->count != cameras->count) {
        cli_fail(arguments, "%s: %d folder%s of keypoints for the calibration's %d cameras",
                 from->path[0], folders->count, folders->count == 1 ? "" : "s", cameras->count);
    } else {
        order_folders(folders, cameras);
        return true;
    }
    return false;
}

void cli_keypoint_sets(char out[256])
{
    size_t at = 0;
    for (int n = 0; snw_keypoint_set_name(n) && at < 256; n++)
        at += (size_t)snw_format(out + at, 256 - at, n ? ", %s" : "%s", snw_keypoint_set_name(n));
}

/* ---- pictures ---------------------------------------------------------------------------------
 */

typedef struct views_file {
    snw_keypoint_picture *picture;
    int camera;
    int64_t frame; /* by its name; -1: the detections say it */
} views_file;

typedef struct views_reading {
    const cli_arguments *arguments;
    const cli_folders *from;
    const snw_cameras *cameras;
    name_list folders;
    int file_count;
    views_file *file; /* (file_count) */
    int64_t first, last, frame_count;
    int point_count, detection_count;
} views_reading;

static int64_t frame_of(const views_file *file, int detection)
{
    return file->frame >= 0 ? file->frame : file->picture->image[detection];
}

/* MediaPipe's shares become pixels. */
static bool settle_share(const views_reading *r, views_file *file, const char *path)
{
    snw_keypoint_picture *picture = file->picture;
    const snw_camera *camera = r->cameras->camera + file->camera;
    if (!picture->is_share || !picture->detection_count) return true;
    if (!(camera->width > 0 && camera->height > 0))
        return cli_fail(r->arguments,
                        "%s: points are shares of the picture, and the calibration says no size of "
                        "camera %s",
                        path, camera->name) == CLI_DONE;
    for (int n = 0; n < picture->detection_count * picture->point_count; n++) {
        picture->keypoint[n].x *= (float)camera->width;
        picture->keypoint[n].y *= (float)camera->height;
    }
    return true;
}

static bool check_file(views_reading *r, views_file *file, const char *path)
{
    const snw_keypoint_picture *picture = file->picture;
    if (!picture->detection_count) return true;
    if (r->point_count && r->point_count != picture->point_count)
        return cli_fail(r->arguments, "%s: %d points, where other files have %d", path,
                        picture->point_count, r->point_count) == CLI_DONE;
    for (int d = 0; d < picture->detection_count && file->frame < 0; d++)
        if (picture->image[d] < 0)
            return cli_fail(r->arguments,
                            "%s: neither the name has a number of a frame, nor is "
                            "one said inside",
                            path) == CLI_DONE;
    r->point_count = picture->point_count;
    r->detection_count += picture->detection_count;
    return settle_share(r, file, path);
}

/* The files of one camera. One alone that says which picture each detection is of holds all. */
static bool read_folder(views_reading *r, int camera)
{
    name_list files = {0};
    const char *folder = r->folders.name[camera];
    bool is_read = list_folder(folder, false, &files);
    if (!is_read) cli_fail(r->arguments, "%s could not be opened: %s", folder, strerror(errno));
    if (is_read && !files.count)
        is_read = cli_fail(r->arguments, "%s holds no keypoints: no file ends in .json", folder) ==
                  CLI_DONE;
    views_file *more =
        is_read ? realloc(r->file, (size_t)(r->file_count + files.count) * sizeof *more) : NULL;
    if (is_read && !more)
        is_read = cli_fail(r->arguments, "there is no memory for files") == CLI_DONE;
    if (more) r->file = more;
    if (is_read) qsort(files.name, (size_t)files.count, sizeof *files.name, by_number);
    for (int n = 0; n < files.count && is_read; n++) {
        views_file *file = r->file + r->file_count;
        snw_error error;
        *file = (views_file){NULL, camera, number_in(files.name[n])};
        if (n > 0 && file->frame >= 0 && file->frame == file[-1].frame)
            is_read = cli_fail(r->arguments, "%s: the number of the frame comes twice",
                               files.name[n]) == CLI_DONE;
        else if (snw_read_keypoints_file(files.name[n], NULL, NULL, &file->picture, &error) !=
                 SNW_OK)
            is_read = cli_fail(r->arguments, "%s", error.message) == CLI_DONE;
        if (!is_read) break;
        r->file_count++;
        const snw_keypoint_picture *picture = file->picture;
        bool says = files.count == 1 && picture->detection_count && picture->image[0] >= 0;
        if (says) file->frame = -1;
        is_read = check_file(r, file, files.name[n]);
    }
    release_names(&files);
    return is_read;
}

static bool read_files(views_reading *r)
{
    for (int c = 0; c < r->folders.count; c++)
        if (!read_folder(r, c)) return false;
    if (!r->detection_count)
        return cli_fail(r->arguments, "%s: no file shows anybody", r->from->path[0]) == CLI_DONE;
    r->first = INT64_MAX;
    r->last = -1;
    for (int n = 0; n < r->file_count; n++) {
        const views_file *file = r->file + n;
        int count = file->frame >= 0 ? 1 : file->picture->detection_count;
        for (int d = 0; d < count; d++) {
            int64_t frame = frame_of(file, d);
            if (frame < r->first) r->first = frame;
            if (frame > r->last) r->last = frame;
        }
    }
    r->frame_count = r->last - r->first + 1;
    if (r->frame_count > 10000000 || r->frame_count * r->folders.count > INT32_MAX)
        return cli_fail(r->arguments, "%s: frames go from %lld to %lld", r->folders.name[0],
                        (long long)r->first, (long long)r->last) == CLI_DONE;
    return true;
}

/* How many pictures each camera has tells of other rates: files count pictures, not seconds. */
static void tell_rates(const views_reading *r)
{
    int64_t span[SNW_CAMERAS_MAX] = {0}, longest = 0;
    int most = 0;
    for (int n = 0; n < r->file_count; n++) {
        const views_file *file = r->file + n;
        int count = file->frame >= 0 ? 1 : file->picture->detection_count;
        for (int d = 0; d < count; d++) {
            int64_t here = frame_of(file, d) - r->first + 1;
            if (here > span[file->camera]) span[file->camera] = here;
        }
        if (span[file->camera] > longest) longest = span[file->camera], most = file->camera;
    }
    for (int c = 0; c < r->folders.count; c++)
        if (10 * span[c] < 9 * longest)
            cli_note(r->arguments,
                     "camera %s ends at picture %lld, %s at %lld: pictures of one number count as "
                     "of one moment; cameras of other rates are to be brought to one before",
                     r->cameras->camera[c].name, (long long)(r->first + span[c] - 1),
                     r->cameras->camera[most].name, (long long)(r->first + longest - 1));
}

/* Which points they are: as asked for, else by all pictures together. */
static int find_set(const views_reading *r, int set)
{
    const char *const *points;
    if (set >= 0 && snw_keypoint_set_points(set, &points) == r->point_count) return set;
    int votes[2] = {0, 0}, other = -1;
    for (int n = 0; set < 0 && n < r->file_count; n++) {
        const snw_keypoint_picture *picture = r->file[n].picture;
        if (!picture->detection_count) continue;
        other = snw_keypoint_set_guess(picture->keypoint, picture->detection_count, r->point_count);
        if (other == 0 || other == 1) votes[other]++;
    }
    if (votes[0] || votes[1]) other = votes[0] > votes[1] ? 0 : 1;
    if (other >= 0 && set < 0) return other;
    char known[256];
    cli_keypoint_sets(known);
    cli_fail(r->arguments, "detections have %d points, which is %s%s", r->point_count,
             set >= 0 ? "not that set" : "no set that is known: ", set >= 0 ? "" : known);
    return -1;
}

static snw_views *gather(const views_reading *r, int set)
{
    snw_views_counts counts = {r->folders.count, (int)r->frame_count, r->point_count,
                               r->detection_count, NULL};
    snw_views *views = NULL;
    snw_error error;
    snw_keypoint_set_points(set, &counts.point);
    if (snw_views_create(&counts, NULL, &views, &error) != SNW_OK) {
        cli_fail(r->arguments, "%s", error.message);
        return NULL;
    }
    int cells = (int)(r->frame_count * r->folders.count);
    for (int pass = 0; pass < 2; pass++) { /* how many each picture has, then where they go */
        for (int n = 0; n < r->file_count; n++) {
            const views_file *file = r->file + n;
            for (int d = 0; d < file->picture->detection_count; d++) {
                int cell = (int)(file->camera * r->frame_count + frame_of(file, d) - r->first);
                int at = views->first[cell + !pass]++;
                size_t size = (size_t)r->point_count;
                if (pass)
                    memcpy(views->keypoint + (size_t)at * size,
                           file->picture->keypoint + (size_t)d * size,
                           size * sizeof *views->keypoint);
            }
        }
        for (int n = 0; n < cells && !pass; n++)
            views->first[n + 1] += views->first[n];
    }
    for (int n = cells; n > 0; n--) /* the second pass left each at its end */
        views->first[n] = views->first[n - 1];
    views->first[0] = 0;
    views->first_frame = (int)(r->first < INT32_MAX ? r->first : 1);
    return views;
}

snw_views *cli_read_views(const cli_arguments *arguments, const cli_folders *from,
                          const snw_cameras *cameras, int set)
{
    views_reading r;
    snw_views *views = NULL;
    memset(&r, 0, sizeof r);
    r.arguments = arguments;
    r.from = from;
    r.cameras = cameras;
    if (find_folders(arguments, from, cameras, &r.folders) && read_files(&r)) {
        tell_rates(&r);
        int found = find_set(&r, set);
        if (found >= 0) views = gather(&r, found);
    }
    for (int n = 0; n < r.file_count; n++)
        snw_keypoint_picture_destroy(r.file[n].picture);
    free(r.file);
    release_names(&r.folders);
    return views;
}
