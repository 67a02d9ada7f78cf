/* Poses with less shaking: a first-order low pass of the root and of every joint's rotation, its
 * cut-off rising with the speed (Casiez, Roussel & Vogel 2012, "1 euro filter").
 *
 *   x' = x' + a (x - x'),  a = 1 / (1 + rate / (2 pi f)),  f = cutoff + beta |speed|
 *
 * A low pass of cut-off f is 1 / (2 pi f) behind, at speed v therefore v / (2 pi f) off, which
 * is below 1 / (2 pi beta) at any speed: beta follows from how far off a joint may be. */
#include <sinew/solve.h>

#include <math.h>

#include "base/fail.h"
#include "base/memory.h"

struct snw_live_filter {
    double cutoff, rate;
    bool has_pose;
    double place_speed;     /* metres a second, low-passed itself */
    double *turn_speed;     /* (joint_count + 1) radians a second; the last: the root */
    snw_pose *came, *shown; /* of the last frame */
    snw_allocator allocator;
    size_t size;
};

/* 1 / (2 pi most): what keeps the distance below `most`. */
static double beta_of(double most)
{
    return 1 / (2 * SNW_PI * most);
}

static double joint_beta(void)
{
    return beta_of(snw_radians(1));
}

/* The share of a new value, and the speed for the next frame; the speed's own cut-off is 1 Hz. */
static double share_of(const snw_live_filter *f, double *speed, double step, double beta)
{
    double slow = 1 / (1 + f->rate / (2 * SNW_PI));
    *speed += slow * (step * f->rate - *speed);
    double cutoff = f->cutoff + beta * *speed;
    return 1 / (1 + f->rate / (2 * SNW_PI * cutoff));
}

snw_status snw_live_filter_create(const snw_skeleton *skeleton, double cutoff, double rate,
                                  const snw_allocator *allocator, snw_live_filter **out,
                                  snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t size = sizeof(snw_live_filter) + ((size_t)skeleton->joint_count + 1) * sizeof(double);
    *out = NULL;
    if (!(cutoff > 0) || !(rate > 0) || !isfinite(cutoff) || !isfinite(rate))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a low pass of %g Hz at %g frames a second",
                         cutoff, rate);
    snw_live_filter *filter = snw__allocate(&memory, size);
    if (!filter) return snw__fail_memory(error, size, "a filter of poses");
    *filter = (snw_live_filter){.cutoff = cutoff, .rate = rate, .allocator = memory, .size = size};
    filter->turn_speed = (double *)(filter + 1);
    snw_status status = snw_pose_create(skeleton, allocator, &filter->shown, error);
    if (status == SNW_OK) status = snw_pose_create(skeleton, allocator, &filter->came, error);
    if (status != SNW_OK) {
        snw_live_filter_destroy(filter);
        return status;
    }
    *out = filter;
    return snw__succeed(error);
}

void snw_live_filter_destroy(snw_live_filter *filter)
{
    if (!filter) return;
    snw_allocator allocator = filter->allocator;
    snw_pose_destroy(filter->came);
    snw_pose_destroy(filter->shown);
    snw__release(&allocator, filter, filter->size);
}

static void follow_turn(snw_live_filter *f, snw_quat *came, snw_quat shown, snw_quat *now,
                        double *speed)
{
    double share = share_of(f, speed, snw_quat_angle_between(*came, *now), joint_beta());
    *came = *now;
    *now = snw_quat_slerp(shown, *now, share);
}

void snw_live_filter_step(snw_live_filter *filter, snw_pose *pose)
{
    snw_pose *shown = filter->shown, *came = filter->came;
    int joints = pose->skeleton->joint_count;
    if (!filter->has_pose) snw_pose_copy(came, pose);
    if (filter->has_pose) {
        snw_vec3 from = shown->root.translation, to = pose->root.translation;
        double step = snw_vec3_distance(came->root.translation, to);
        double share = share_of(filter, &filter->place_speed, step, beta_of(0.005));
        came->root.translation = to;
        pose->root.translation = snw_vec3_lerp(from, to, share);
        follow_turn(filter, &came->root.rotation, shown->root.rotation, &pose->root.rotation,
                    &filter->turn_speed[joints]);
        for (int j = 0; j < joints; j++)
            follow_turn(filter, &came->rotation[j], shown->rotation[j], &pose->rotation[j],
                        &filter->turn_speed[j]);
        snw_pose_forward(pose);
    }
    snw_pose_copy(shown, pose);
    filter->has_pose = true;
}

double snw_live_filter_lag(const snw_live_filter *filter, double speed)
{
    return 1 / (2 * SNW_PI * (filter->cutoff + joint_beta() * fabs(speed)));
}
