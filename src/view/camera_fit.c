/* The pose of a camera from points whose places are known: Gauss and Newton on the distances in the
 * picture with Geman & McClure's cost. */
#include <math.h>

#include "base/notes.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "view/sighting.h"

void snw__camera_equations_add(snw__camera_equations *e, const snw_camera *camera, snw_vec3 world,
                               const snw_sighting *seen, double scale2)
{
    snw_vec3 local = snw_xform_point(camera->camera_from_world, world), by[2];
    double pixel[2];
    if (!snw__camera_look(camera, local, pixel, by)) return;
    double off[2] = {pixel[0] - seen->pixel[0], pixel[1] - seen->pixel[1]};
    double precision = 1 / (seen->sigma * seen->sigma);
    double weight = precision * snw__geman_mcclure_weight((off[0] * off[0] + off[1] * off[1]) *
                                                          precision / scale2);
    for (int i = 0; i < 2; i++) {
        snw_vec3 turn = snw_vec3_cross(local, by[i]); /* d(w x p) = w . (p x d) */
        const double d[6] = {turn.x, turn.y, turn.z, by[i].x, by[i].y, by[i].z};
        for (int m = 0; m < 6; m++) {
            e->b[m] -= weight * off[i] * d[m];
            for (int l = 0; l < 6; l++)
                e->a[m][l] += weight * d[m] * d[l];
        }
    }
}

bool snw__camera_equations_step(snw__camera_equations *e, snw_camera *camera)
{
    /* Elimination without exchanges: the equations are positive definite. */
    for (int n = 0; n < 6; n++) {
        double pivot = e->a[n][n];
        if (!(pivot > SNW__ROUND_OFF)) return false;
        for (int r = n + 1; r < 6; r++) {
            double factor = e->a[r][n] / pivot;
            for (int c = n; c < 6; c++)
                e->a[r][c] -= factor * e->a[n][c];
            e->b[r] -= factor * e->b[n];
        }
    }
    for (int n = 5; n >= 0; n--) {
        for (int c = n + 1; c < 6; c++)
            e->b[n] -= e->a[n][c] * e->b[c];
        e->b[n] /= e->a[n][n];
    }
    snw_quat turn = snw_quat_exp(snw_vec3_make(e->b[0], e->b[1], e->b[2]));
    snw_xform move = snw_xform_make(turn, snw_vec3_make(e->b[3], e->b[4], e->b[5]));
    if (!snw_quat_is_finite(turn) || !snw_vec3_is_finite(move.translation)) return false;
    camera->camera_from_world = snw_xform_mul(move, camera->camera_from_world);
    camera->camera_from_world.rotation = snw_quat_normalize(camera->camera_from_world.rotation);
    return true;
}

void snw__camera_moved(const snw_camera *camera, snw_xform before, snw_view_camera *told)
{
    snw_xform moved = snw_xform_mul(camera->camera_from_world, snw_xform_inverse(before));
    snw_camera there = *camera;
    there.camera_from_world = before;
    told->turned_by = snw_vec3_length(snw_quat_log(moved.rotation));
    told->moved_by = snw_vec3_distance(snw_camera_place(camera), snw_camera_place(&there));
}

void snw__note_camera_moved(snw_notes *notes, int index, const snw_camera *camera,
                            const snw_view_camera *told, const double off[2])
{
    snw__note(notes, SNW_NOTE_CAMERA_MOVED, snw__at_name(index, camera->name),
              "camera %s stands %.0f mm and %.1f degrees from where the calibration says (%.0f "
              "pixels off, %.1f after it was put right): calibrate again",
              camera->name, 1000 * told->moved_by, snw_degrees(told->turned_by), off[0], off[1]);
}
