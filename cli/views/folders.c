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

/* ---- pictures ---------------------------------------------------------------------------------
 */

typedef struct views_reading {
    const cli_arguments *arguments;
    const cli_folders *from;
    name_list folders;
    name_list *files; /* (folder count) */
    int64_t first, last;
    snw_keypoint_picture **picture; /* (folder count x frames) NULL: none */
    int64_t frame_count;
    int point_count, detection_count;
} views_reading;

static bool list_files(views_reading *r)
{
    r->files = calloc((size_t)r->folders.count, sizeof *r->files);
    for (int c = 0; r->files && c < r->folders.count; c++) {
        name_list *files = r->files + c;
        if (!list_folder(r->folders.name[c], false, files))
            return cli_fail(r->arguments, "%s could not be opened: %s", r->folders.name[c],
                            strerror(errno)) == CLI_DONE;
        if (!files->count)
            return cli_fail(r->arguments, "%s holds no keypoints: no file ends in .json",
                            r->folders.name[c]) == CLI_DONE;
        qsort(files->name, (size_t)files->count, sizeof *files->name, by_number);
        int64_t first = number_in(files->name[0]), last = number_in(files->name[files->count - 1]);
        if (first < 0)
            return cli_fail(r->arguments, "%s: the name has no number of a frame",
                            files->name[0]) == CLI_DONE;
        if (c == 0 || first < r->first) r->first = first;
        if (c == 0 || last > r->last) r->last = last;
    }
    r->frame_count = r->last - r->first + 1;
    if (r->frame_count > 10000000)
        return cli_fail(r->arguments, "%s: frames go from %lld to %lld", r->folders.name[0],
                        (long long)r->first, (long long)r->last) == CLI_DONE;
    r->picture =
        r->files ? calloc((size_t)(r->folders.count * r->frame_count), sizeof(void *)) : NULL;
    if (!r->picture) cli_fail(r->arguments, "there is no memory for the list of files");
    return r->picture != NULL;
}

static bool read_pictures(views_reading *r)
{
    for (int c = 0; c < r->folders.count; c++)
        for (int n = 0; n < r->files[c].count; n++) {
            const char *path = r->files[c].name[n];
            snw_keypoint_picture **at =
                r->picture + (int64_t)c * r->frame_count + (number_in(path) - r->first);
            snw_error error;
            if (*at)
                return cli_fail(r->arguments, "%s: the number of the frame comes twice", path) ==
                       CLI_DONE;
            if (snw_read_keypoints_file(path, NULL, NULL, at, &error) != SNW_OK)
                return cli_fail(r->arguments, "%s", error.message) == CLI_DONE;
            if (!(*at)->detection_count) continue;
            if (r->point_count && r->point_count != (*at)->point_count)
                return cli_fail(r->arguments, "%s: %d points, where other files have %d", path,
                                (*at)->point_count, r->point_count) == CLI_DONE;
            r->point_count = (*at)->point_count;
            r->detection_count += (*at)->detection_count;
        }
    if (!r->detection_count)
        return cli_fail(r->arguments, "%s: no file shows anybody", r->from->path[0]) == CLI_DONE;
    return true;
}

/* Which points they are: as asked for, else by all pictures of the first camera together. */
static int find_set(const views_reading *r, int set)
{
    const char *const *points;
    if (set >= 0 && snw_keypoint_set_points(set, &points) == r->point_count) return set;
    int votes[2] = {0, 0}, other = -1;
    for (int64_t n = 0; set < 0 && n < r->frame_count * r->folders.count; n++) {
        if (!r->picture[n] || !r->picture[n]->detection_count) continue;
        other = snw_keypoint_set_guess(r->picture[n]->keypoint, r->picture[n]->detection_count,
                                       r->point_count);
        if (other == 0 || other == 1) votes[other]++;
    }
    if (votes[0] || votes[1]) other = votes[0] > votes[1] ? 0 : 1;
    if (other >= 0 && set < 0) return other;
    cli_fail(r->arguments, "detections have %d points, which is %s", r->point_count,
             set >= 0 ? "not that set"
                      : "no set that is known: body_25, body_25b, coco_17, coco_18, "
                        "halpe_26, blazepose_33");
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
    int detection = 0;
    for (int64_t n = 0; n < r->frame_count * r->folders.count; n++) {
        const snw_keypoint_picture *picture = r->picture[n];
        int count = picture ? picture->detection_count : 0;
        views->first[n] = detection;
        if (count)
            memcpy(views->keypoint + (size_t)detection * (size_t)r->point_count, picture->keypoint,
                   (size_t)count * (size_t)r->point_count * sizeof *views->keypoint);
        detection += count;
    }
    views->first[r->frame_count * r->folders.count] = detection;
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
    if (find_folders(arguments, from, cameras, &r.folders) && list_files(&r) && read_pictures(&r)) {
        int found = find_set(&r, set);
        if (found >= 0) views = gather(&r, found);
    }
    for (int64_t n = 0; r.picture && n < r.frame_count * r.folders.count; n++)
        snw_keypoint_picture_destroy(r.picture[n]);
    for (int c = 0; r.files && c < r.folders.count; c++)
        release_names(r.files + c);
    free(r.picture);
    free(r.files);
    release_names(&r.folders);
    return views;
}
