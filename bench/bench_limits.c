/* Nanoseconds per snw_joint_limit_apply for each kind of limit: rotations that are allowed, and
 * rotations drawn uniformly, most of which are not. Prints the median of several rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sinew/sinew.h>

enum {
    rotation_count = 4096,
    round_count = 41
};

static double now_ns(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_ns(const snw_joint *joint, const snw_quat *rotations, double *sink)
{
    double rounds[round_count];
    for (int round = 0; round < round_count; round++) {
        double start = now_ns();
        for (int i = 0; i < rotation_count; i++)
            *sink += snw_joint_limit_apply(joint, rotations[i]).x;
        rounds[round] = (now_ns() - start) / rotation_count;
    }
    qsort(rounds, round_count, sizeof rounds[0], compare_doubles);
    return rounds[round_count / 2];
}

static void bench_joint(const char *name, const snw_joint *joint, double *sink)
{
    static snw_quat uniform[rotation_count], allowed[rotation_count];
    snw_random random = snw_random_seed(1, 1);
    for (int i = 0; i < rotation_count; i++) {
        uniform[i] = snw_random_rotation(&random);
        /* Deep inside and at the edge in equal parts. */
        snw_quat inside = snw_joint_limit_apply(joint, uniform[i]);
        snw_quat inner = snw_quat_slerp(snw_quat_identity(), inside, snw_random_unit(&random));
        allowed[i] = i % 2 ? inside : snw_joint_limit_apply(joint, inner);
    }
    printf("%-28s %10.1f %10.1f\n", name, median_ns(joint, allowed, sink),
           median_ns(joint, uniform, sink));
}

static snw_joint joint_of(snw_joint_type type)
{
    snw_joint joint = {type, {0, 0, 1}, {1, 0, 0}, snw_joint_limit_none()};
    return joint;
}

static snw_joint cone_of(double a, double b, double c, double d)
{
    snw_joint joint = joint_of(SNW_JOINT_BALL);
    const double cone[4] = {a, b, c, d};
    joint.limit.swing = SNW_SWING_CONE;
    for (int i = 0; i < 4; i++)
        joint.limit.cone[i] = cone[i];
    return joint;
}

static snw_joint window_of(int count)
{
    snw_joint joint = joint_of(SNW_JOINT_BALL);
    joint.limit.swing = SNW_SWING_POLYGON;
    joint.limit.window_count = count;
    for (int i = 0; i < count; i++) {
        double radius = i % 2 ? 0.6 : 1.0, azimuth = 2 * SNW_PI * i / count;
        joint.limit.window[i][0] = radius * cos(azimuth);
        joint.limit.window[i][1] = radius * sin(azimuth);
    }
    return joint;
}

static void set_ranges(snw_joint *joint)
{
    for (int i = 0; i < 2; i++) {
        joint->limit.has_range[i] = true;
        joint->limit.range[i][0] = -0.4;
        joint->limit.range[i][1] = 1.2;
    }
}

int main(void)
{
    double sink = 0;
    printf("%-28s %10s %10s   ns per snw_joint_limit_apply\n", "limit", "allowed", "uniform");
    snw_joint hinge = joint_of(SNW_JOINT_HINGE), universal = joint_of(SNW_JOINT_UNIVERSAL);
    set_ranges(&hinge);
    set_ranges(&universal);
    snw_joint free_ball = joint_of(SNW_JOINT_BALL), twist = free_ball;
    twist.limit.has_twist = true;
    twist.limit.twist[0] = -0.7;
    twist.limit.twist[1] = 0.9;
    snw_joint circle = cone_of(0.7, 0.7, 0.7, 0.7), ellipse = cone_of(1.2, 0.4, 1.2, 0.4);
    snw_joint irregular = cone_of(0.2, 1.5, 0.3, 0.9), both = irregular;
    both.limit.has_twist = true;
    both.limit.twist[0] = -0.7;
    both.limit.twist[1] = 0.9;
    snw_joint window4 = window_of(4), window16 = window_of(16);
    bench_joint("ball, free", &free_ball, &sink);
    bench_joint("hinge", &hinge, &sink);
    bench_joint("universal", &universal, &sink);
    bench_joint("twist", &twist, &sink);
    bench_joint("cone, circle", &circle, &sink);
    bench_joint("cone, ellipse", &ellipse, &sink);
    bench_joint("cone, irregular", &irregular, &sink);
    bench_joint("cone, irregular, and twist", &both, &sink);
    bench_joint("window, 4 corners", &window4, &sink);
    bench_joint("window, 16 corners", &window16, &sink);
    printf("(checksum %g)\n", sink);
    return 0;
}
