/* Reads rays: frame, marker, camera, origin in millimetres, direction. */
#include "fill/rays.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"

#define RAYS_HEAD "frame,marker,camera,"

static int compare_rays(const void *a, const void *b)
{
    const snw_frame_ray *left = a, *right = b;
    if (left->frame != right->frame) return left->frame < right->frame ? -1 : 1;
    return left->ray.marker < right->ray.marker ? -1 : left->ray.marker > right->ray.marker;
}

/* A name, in quotes where it holds commas; a doubled quote is one. Returns what follows the comma
 * behind it, or NULL. */
static const char *read_name(const char *at, const char *end, char *name, size_t size)
{
    size_t length = 0;
    bool is_quoted = at < end && *at == '"';
    if (is_quoted) at++;
    for (; at < end; at++) {
        if (is_quoted && *at == '"') {
            if (at + 1 < end && at[1] == '"')
                at++;
            else
                break;
        } else if (!is_quoted && *at == ',') {
            break;
        }
        if (length + 1 < size) name[length++] = *at;
    }
    name[length] = 0;
    if (is_quoted && at < end) at++;
    return at < end && *at == ',' ? at + 1 : NULL;
}

/* One line; false where it is none of that form. */
static bool read_ray(const char *at, const char *end, char *name, size_t size, snw_frame_ray *ray)
{
    int64_t frame = 0, camera = 0;
    double number[6];
    at = snw_parse_int64(at, end, &frame);
    if (!at || at == end || *at != ',') return false;
    at = read_name(at + 1, end, name, size);
    if (at) at = snw_parse_int64(at, end, &camera);
    for (int n = 0; n < 6; n++) {
        if (!at || at == end || *at != ',') return false;
        at = snw_parse_double(at + 1, end, number + n);
    }
    if (!at || at != end || frame < INT32_MIN || frame > INT32_MAX) return false;
    ray->frame = (int)frame;
    ray->ray.origin = snw_vec3_scale(snw_vec3_make(number[0], number[1], number[2]), 0.001);
    ray->ray.direction =
        snw_vec3_unit(snw_vec3_make(number[3], number[4], number[5]), snw_vec3_make(0, 0, 0));
    return true;
}

static int read_lines(const cli_arguments *arguments, const char *path, const char *text,
                      const snw_trial *trial, cli_rays *rays)
{
    char name[256], stranger[256] = "";
    int line = 1, unknown = 0;
    const char *at = strchr(text, '\n');
    for (at = at ? at + 1 : text + strlen(text); *at; line++) {
        const char *end = strchr(at, '\n'), *stop = end ? end : at + strlen(at);
        const char *last = stop > at && stop[-1] == '\r' ? stop - 1 : stop;
        snw_frame_ray ray;
        if (last > at && !read_ray(at, last, name, sizeof name, &ray))
            return cli_fail(arguments, "%s, line %d: not a ray", path, line + 1);
        if (last > at) {
            ray.frame -= trial->first_frame;
            ray.ray.marker = snw_trial_find_marker(trial, name);
            if (ray.ray.marker >= 0)
                rays->ray[rays->count++] = ray;
            else if (unknown++ == 0)
                snw_format(stranger, sizeof stranger, "%s", name);
        }
        at = end ? end + 1 : stop;
    }
    if (unknown > 0)
        cli_note(arguments,
                 "%s: %d ray%s of markers that the capture does not have, first %s: left "
                 "out",
                 path, unknown, unknown == 1 ? "" : "s", stranger);
    return CLI_DONE;
}

int cli_rays_read(const cli_arguments *arguments, const char *path, const snw_trial *trial,
                  cli_rays *rays)
{
    size_t size = 0, lines = 1;
    char *text = cli_read_whole(path, &size);
    rays->count = 0;
    rays->ray = NULL;
    if (!text) return cli_fail(arguments, "%s could not be read", path);
    int code = CLI_DONE;
    if (strncmp(text, RAYS_HEAD, strlen(RAYS_HEAD)) != 0 || strlen(text) != size)
        code = cli_fail(arguments, "%s: no table of rays (see sinew synth --rays)", path);
    for (size_t n = 0; n < size; n++)
        lines += text[n] == '\n';
    rays->ray = malloc(lines * sizeof *rays->ray);
    if (code == CLI_DONE && !rays->ray) code = cli_fail(arguments, "%s: no memory", path);
    if (code == CLI_DONE) code = read_lines(arguments, path, text, trial, rays);
    if (code == CLI_DONE) qsort(rays->ray, (size_t)rays->count, sizeof *rays->ray, compare_rays);
    free(text);
    return code;
}
