/* How the error of a joint centre falls with the number of frames: an SVG on stdout.
 *
 *     ./example_center_error > docs/center_error.svg
 *
 * Knight (section 2.1.3) reads N^-0.8125 off four captures. White noise on independent poses can
 * only give N^-0.5. The middle curve shows where steeper slopes come from: in a continuous motion
 * the first frames hardly move, so more frames bring more motion, not only more samples. Errors
 * that last longer than a frame (skin) give the third curve. Each point is the rms over 30 captures
 * of a ball joint with three markers 0.25 to 0.4 m away, solved by the mvm. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sinew/sinew.h>

enum {
    CAPTURES = 30,
    STEPS = 10,
    FRAMES_MIN = 16,
    FRAMES_MAX = 16 << (STEPS - 1),
    MARKERS = 3
};

static const double rate = 60;            /* frames per second */
static const double white_sigma = 0.001;  /* metres per coordinate */
static const double smooth_sigma = 0.002; /* metres per coordinate, besides the white noise */
static const double smooth_time = 0.3;    /* seconds until a smooth error is forgotten */

typedef enum scenario {
    POSES_AT_RANDOM,
    CONTINUOUS,
    CONTINUOUS_SKIN,
    SCENARIOS
} scenario;

static const char *const titles[SCENARIOS] = {"independent poses, white noise",
                                              "continuous motion, white noise",
                                              "continuous motion, smooth errors too"};
static const char *const colours[SCENARIOS] = {"#1b6ca8", "#2e8b57", "#b5532a"};

static const snw_vec3 marker_place[MARKERS] = {
    {0.05, -0.25, 0.02}, {-0.04, -0.33, 0.05}, {0.02, -0.40, -0.04}};

static snw_vec3 normal_vector(snw_random *random, double sigma)
{
    double x = sigma * snw_random_normal(random), y = sigma * snw_random_normal(random);
    return snw_vec3_make(x, y, sigma * snw_random_normal(random));
}

/* Two quick swings that wander slowly, each with its own phases; about 60 degrees in all. */
static snw_quat rotation_at(double time, const double phase[6])
{
    double flexion = 0.35 * sin(2 * SNW_PI * 0.7 * time + phase[0]) +
                     0.20 * sin(2 * SNW_PI * 0.06 * time + phase[1]);
    double spreading = 0.20 * sin(2 * SNW_PI * 0.31 * time + phase[2]) +
                       0.15 * sin(2 * SNW_PI * 0.04 * time + phase[3]);
    double twist = 0.25 * sin(2 * SNW_PI * 0.23 * time + phase[4]);
    return snw_quat_exp(snw_vec3_make(flexion, twist, spreading));
}

/* Fills the child's markers as the parent sees them; the true centre is the origin. */
static void capture(scenario kind, snw_random *random, snw_vec3 (*seen)[MARKERS])
{
    double phase[6], keep = exp(-1 / (rate * smooth_time));
    snw_vec3 skin[MARKERS];
    for (int i = 0; i < 6; i++)
        phase[i] = snw_random_range(random, 0, 2 * SNW_PI);
    for (int m = 0; m < MARKERS; m++)
        skin[m] = normal_vector(random, smooth_sigma);
    for (int k = 0; k < FRAMES_MAX; k++) {
        double time = kind == POSES_AT_RANDOM ? snw_random_range(random, 0, 1e4) : k / rate;
        snw_quat rotation = rotation_at(time, phase);
        for (int m = 0; m < MARKERS; m++) {
            snw_vec3 place = snw_quat_rotate(rotation, marker_place[m]);
            seen[k][m] = snw_vec3_add(place, normal_vector(random, white_sigma));
            if (kind != CONTINUOUS_SKIN) continue;
            seen[k][m] = snw_vec3_add(seen[k][m], skin[m]);
            snw_vec3 fresh = normal_vector(random, smooth_sigma * sqrt(1 - keep * keep));
            skin[m] = snw_vec3_add_scaled(fresh, keep, skin[m]);
        }
    }
}

/* rms error and rms stated sigma for 16, 32, ... frames. */
static void measure(scenario kind, double error[STEPS], double stated[STEPS])
{
    static snw_vec3 seen[FRAMES_MAX][MARKERS];
    snw_center_options options = snw_center_options_default();
    options.is_robust = false;
    for (int c = 0; c < CAPTURES; c++) {
        snw_random random = snw_random_seed(2026, (uint64_t)(100 * (int)kind + c));
        capture(kind, &random, seen);
        for (int n = 0; n < STEPS; n++) {
            snw_center_data data;
            snw_center center;
            memset(&data, 0, sizeof data);
            data.frame_count = FRAMES_MIN << n;
            data.marker_count = MARKERS;
            data.marker = &seen[0][0];
            if (snw_center_solve(&data, SNW_CENTER_MVM, &options, &center, NULL) != SNW_OK)
                continue;
            error[n] += snw_vec3_length2(center.in_parent) / CAPTURES;
            stated[n] += center.sigma * center.sigma / CAPTURES;
        }
    }
    for (int n = 0; n < STEPS; n++) {
        error[n] = sqrt(error[n]);
        stated[n] = sqrt(stated[n]);
    }
}

/* Slope of log error over log N between two steps, by least squares. */
static double slope(const double error[STEPS], int first, int last)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, count = last - first + 1;
    for (int n = first; n <= last; n++) {
        double x = log(FRAMES_MIN << n), y = log(error[n]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

/* ---- the picture --------------------------------------------------------------------------- */

static double across(double frame_count)
{
    return 70 + 560 * log2(frame_count / FRAMES_MIN) / (STEPS - 1);
}

/* 0.01 mm at the bottom, 1 m at the top. */
static double down(double metres)
{
    return 400 - 72 * (log10(fmax(metres, 1e-5)) + 5);
}

static void draw_axes(void)
{
    for (int n = 0; n < STEPS; n++)
        printf("<text x='%.1f' y='418' text-anchor='middle'>%d</text>\n", across(FRAMES_MIN << n),
               FRAMES_MIN << n);
    const char *const labels[6] = {"0.01 mm", "0.1 mm", "1 mm", "1 cm", "10 cm", "1 m"};
    for (int decade = 0; decade < 6; decade++) {
        double y = down(pow(10, decade - 5));
        printf("<path d='M70 %.1fH630' stroke='#ddd'/>"
               "<text x='64' y='%.1f' text-anchor='end'>%s</text>\n",
               y, y + 4, labels[decade]);
    }
    printf(
        "<text x='350' y='440' text-anchor='middle'>frames</text>\n"
        "<text x='350' y='22' text-anchor='middle' font-size='14'>Error of a joint centre against "
        "the number of frames</text>\n");
}

static void draw_line(const double error[STEPS], const char *colour, const char *dash)
{
    printf("<path fill='none' stroke='%s' stroke-width='2' stroke-dasharray='%s' d='", colour,
           dash);
    for (int n = 0; n < STEPS; n++)
        printf("%c%.1f %.1f", n ? 'L' : 'M', across(FRAMES_MIN << n), down(error[n]));
    printf("'/>\n");
}

static void draw_law(double power, const char *name)
{
    double start = 0.0007, end = start * pow(1 << (STEPS - 1), power);
    printf("<path stroke='#888' stroke-dasharray='2 4' d='M70 %.1fL630 %.1f'/>"
           "<text x='634' y='%.1f' fill='#666'>%s</text>\n",
           down(start), down(end), down(end) + 4, name);
}

int main(void)
{
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 720 530' font-family='sans-serif' "
           "font-size='12'>\n<rect width='720' height='530' fill='white'/>\n");
    draw_axes();
    draw_law(-0.5, "N^-0.5");
    draw_law(-0.8125, "N^-0.8125");
    for (int kind = 0; kind < SCENARIOS; kind++) {
        double error[STEPS] = {0}, stated[STEPS] = {0};
        measure((scenario)kind, error, stated);
        draw_line(error, colours[kind], "none");
        draw_line(stated, colours[kind], "3 3");
        printf("<text x='70' y='%d' fill='%s'>%s: slope %.2f up to 256 frames, %.2f after</text>\n",
               466 + 17 * kind, colours[kind], titles[kind], slope(error, 0, 4),
               slope(error, 4, STEPS - 1));
    }
    printf("<text x='70' y='517' fill='#666'>solid: rms error; dashed: the uncertainty stated with "
           "it</text>\n</svg>\n");
    return 0;
}
