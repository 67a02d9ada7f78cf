/* Cameras without their lenses. */
#include "view/eye.h"

#include <math.h>

#include "math/robust.h"
#include "math/tolerance.h"

snw__eye snw__eye_of(const snw_camera *camera)
{
    return (snw__eye){snw_mat3_from_quat(camera->camera_from_world.rotation),
                      camera->camera_from_world.translation, snw_camera_place(camera), true};
}

double snw__eye_look(const snw__eye *eye, snw_vec3 p, double at[2])
{
    const double *r = eye->turn.m[0];
    double z = r[6] * p.x + r[7] * p.y + r[8] * p.z + eye->shift.z;
    if (!(z > SNW__SINGLE)) return 0;
    at[0] = (r[0] * p.x + r[1] * p.y + r[2] * p.z + eye->shift.x) / z;
    at[1] = (r[3] * p.x + r[4] * p.y + r[5] * p.z + eye->shift.y) / z;
    return z;
}

double snw__eye_add(snw__normal *normal, const snw__eye *eye, const snw__flat *seen, snw_vec3 p,
                    double scale2)
{
    double at[2], z = snw__eye_look(eye, p, at), weight = seen->precision;
    if (!(z > 0)) return INFINITY;
    const double off[2] = {at[0] - seen->x, at[1] - seen->y}, *ahead = eye->turn.m[2];
    double off2 = weight * (off[0] * off[0] + off[1] * off[1]);
    if (scale2 > 0) weight *= snw__geman_mcclure_weight(off2 / scale2);
    for (int i = 0; i < 2; i++) {
        const double *row = eye->turn.m[i];
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = (row[k] - at[i] * ahead[k]) / z;
        for (int k = 0, n = 0; k < 3; k++)
            for (int l = k; l < 3; l++)
                normal->information[n++] += weight * d[k] * d[l];
        normal->pull =
            snw_vec3_add_scaled(normal->pull, -weight * off[i], snw_vec3_make(d[0], d[1], d[2]));
    }
    return off2;
}
