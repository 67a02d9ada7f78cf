/* Pictures that do not belong to their calibration: turned by quarters, or mirrored. They are told,
 * not turned back: whoever made them knows which of the two is right. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/notes.h"
#include "math/robust.h"
#include "person/movement.h"
#include "view/people.h"

enum {
    TURNED_WAYS = 8 /* quarters, then the same mirrored */
};

static const char *const turned_how[TURNED_WAYS] = {"",
                                                    "turned by 90 degrees clockwise",
                                                    "upside down",
                                                    "turned by 90 degrees counter-clockwise",
                                                    "mirrored",
                                                    "mirrored and turned by 90 degrees",
                                                    "mirrored and upside down",
                                                    "mirrored and turned by 90 degrees"};

/* Where a keypoint would be had the picture not been turned so. */
static snw_keypoint turn_back(const snw_camera *camera, snw_keypoint seen, int how)
{
    float width = (float)(camera->width > 0 ? camera->width : 2 * camera->center_x);
    float height = (float)(camera->height > 0 ? camera->height : 2 * camera->center_y);
    bool is_lying = how % 2 == 1;
    snw_keypoint out = seen;
    if (how >= 4) out.x = (is_lying ? height : width) - out.x;
    const float x = out.x, y = out.y;
    switch (how % 4) {
    case 1:
        out.x = y, out.y = height - x;
        break;
    case 2:
        out.x = width - x, out.y = height - y;
        break;
    case 3:
        out.x = width - y, out.y = x;
        break;
    default:
        break;
    }
    return out;
}

/* Turns all keypoints of a camera back; mirrored people have their left on the right. */
static void turn_camera(snw__viewing *v, int camera, int how)
{
    const snw_views *views = v->views;
    int points = views->point_count, last = snw__view_end(views, camera, views->frame_count - 1);
    for (int d = snw__view_first(views, camera, 0); d < last; d++)
        for (int p = 0; p < points; p++) {
            int from = how >= 4 && v->mirror[p] >= 0 ? v->mirror[p] : p;
            v->keypoint[(int64_t)d * points + p] = turn_back(
                v->cameras->camera + camera, views->keypoint[(int64_t)d * points + from], how);
        }
}

/* Mean distance at the people of what a camera sees from whom the others see, in metres: of the
 * detection that fits best in each of some frames. */
static double camera_off(const snw__viewing *v, int camera)
{
    const snw_views *views = v->views;
    int stride = 1 + views->frame_count / SNW__SAMPLES_LOOK, count = 0;
    double sum = 0;
    for (int f = 0; f < views->frame_count; f += stride) {
        double best = INFINITY;
        for (int d = snw__view_first(views, camera, f); d < snw__view_end(views, camera, f); d++)
            for (int n = 0; n < v->person_count; n++)
                best = fmin(best, snw__view_distance(v, v->person + n, camera, f, d));
        if (!isfinite(best)) continue;
        sum += best;
        count++;
    }
    return count ? sum / count : INFINITY;
}

void snw__view_tell_strangers(snw__viewing *v)
{
    const snw_views *views = v->views;
    for (int c = 0; c < views->camera_count; c++) {
        int seen = 0, known = 0;
        for (int f = 0; f < views->frame_count; f++) {
            seen += snw__view_end(views, c, f) > snw__view_first(views, c, f);
            for (int n = 0; n < v->person_count; n++)
                known += v->person[n].detection[(int64_t)c * views->frame_count + f] >= 0;
        }
        if (!seen || known > SNW__HALF * seen) continue;
        int best = 0;
        double least = INFINITY;
        for (int how = 0; how < TURNED_WAYS; how++) {
            turn_camera(v, c, how);
            double off = camera_off(v, c);
            if (off < least) least = off, best = how;
        }
        turn_camera(v, c, 0);
        const char *name = v->cameras->camera[c].name;
        if (best > 0 && least < SNW__HALF * SNW__ELSEWHERE)
            snw__note(v->options.notes, SNW_NOTE_CAMERA_MOVED, snw__at_name(c, name),
                      "camera %s: its pictures are %s, against the calibration: they are left out",
                      name, turned_how[best]);
        else
            snw__note(v->options.notes, SNW_NOTE_CAMERA_MOVED, snw__at_name(c, name),
                      "camera %s sees somebody in %d frames, and in %d of them the people that the "
                      "other cameras see: is it of this calibration, and of the same time?",
                      name, seen, known);
    }
}

snw_status snw__view_check_turned(snw__viewing *v, double (*find)(snw__viewing *v), double off,
                                  snw_error *error)
{
    int best = 0;
    double least = off / SNW__UNUSUAL;
    for (int how = 1; how < TURNED_WAYS; how++) {
        for (int c = 0; c < v->views->camera_count; c++)
            turn_camera(v, c, how);
        double now = find(v);
        if (now < least && now < SNW__UNUSUAL) least = now, best = how;
    }
    if (best > 0)
        return snw__fail(error, SNW_NOT_FOUND,
                         "cameras see the same people only if all pictures are %s, against the "
                         "calibration: turn them back",
                         turned_how[best]);
    for (int c = 0; c < v->views->camera_count; c++)
        turn_camera(v, c, 0);
    if (isfinite(find(v))) return SNW_OK;
    return snw__fail(error, SNW_NOT_FOUND,
                     "nobody is seen by two cameras at once: do the views belong to this "
                     "calibration, in this order?");
}
