/* Virtual markers on motions with known joints, in trouble: noise, gaps, exchanged labels, few
 * markers, sliding skin. A solved joint is compared with the true one that connects the same two
 * segments; across the axis alone where the true joint turned about one, or where the verdict says
 * that the place along it is not determined. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_see.h"

/* Metres per unit of the BVH files of the CMU database: 1 / 0.45 inches. */
#define SEE_CMU_UNIT 0.056444
/* Radians. Joints that never leave their first rotation by more belong to their parent's segment.
 */
#define SEE_TURNS 0.02
/* Metres: the shortest bone that carries markers. */
#define SEE_BONE 0.02
/* A joint whose turns spread less than this about their axis has one: rms of the rotation's
 * entries.
 */
#define SEE_AXIS 0.12

enum {
    SEE_JOINTS = 96,
    SEE_MARKERS = 4 * SEE_JOINTS
};

struct see_body {
    snw_skeleton *skeleton;
    snw_motion *motion;
    snw_synth *synth; /* owner of a built-in motion */
    int joint_count, first, frame_count;
    snw_xform *world;      /* (frame_count x joint_count) */
    int group[SEE_JOINTS]; /* the joint whose segment it moves with */
    int edge[SEE_JOINTS];  /* of a marked segment: the marked segment above, or -1 */
    bool is_marked[SEE_JOINTS], is_scored[SEE_JOINTS], has_axis[SEE_JOINTS];
    snw_vec3 far[SEE_JOINTS];  /* the end of the segment's longest bone, in its frame */
    snw_vec3 axis[SEE_JOINTS]; /* about which it turned most, in its frame */
};

static const snw_xform *world_at(const see_body *body, int frame, int joint)
{
    return body->world + (size_t)frame * (size_t)body->joint_count + joint;
}

/* ---- the body -----------------------------------------------------------------------------------
 */

static bool lay_world(see_body *body)
{
    snw_pose *pose = NULL;
    size_t count = (size_t)body->frame_count * (size_t)body->joint_count;
    body->world = malloc(count * sizeof *body->world);
    if (!body->world || snw_pose_create(body->skeleton, NULL, &pose, NULL) != SNW_OK) return false;
    for (int f = 0; f < body->frame_count; f++) {
        snw_motion_get(body->motion, body->first + f, pose);
        snw_pose_forward(pose);
        memcpy(body->world + (size_t)f * (size_t)body->joint_count, pose->world,
               (size_t)body->joint_count * sizeof *pose->world);
    }
    snw_pose_destroy(pose);
    return true;
}

static snw_quat turn_at(const see_body *body, int frame, int joint)
{
    int up = body->skeleton->parent[joint];
    snw_quat own = world_at(body, frame, joint)->rotation;
    if (up < 0) return own;
    return snw_quat_mul(snw_quat_conjugate(world_at(body, frame, body->group[up])->rotation), own);
}

static bool turns(const see_body *body, int joint)
{
    snw_quat first = turn_at(body, 0, joint);
    for (int f = 1; f < body->frame_count; f++)
        if (snw_quat_angle_between(first, turn_at(body, f, joint)) > SEE_TURNS) return true;
    return false;
}

/* The axis whose direction in the segment's frame stays the most: the least eigenvector of the mean
 * of D^T D, D the rotation less its mean. */
static void find_axis(see_body *body, int joint)
{
    double mean[9] = {0}, sum[9] = {0}, values[3], vectors[9];
    for (int pass = 0; pass < 2; pass++)
        for (int f = 0; f < body->frame_count; f++) {
            snw_mat3 turn = snw_mat3_from_quat(turn_at(body, f, joint));
            for (int n = 0; n < 9 && pass == 0; n++)
                mean[n] += turn.m[n / 3][n % 3] / body->frame_count;
            for (int i = 0; i < 3 && pass == 1; i++)
                for (int k = 0; k < 3; k++)
                    for (int r = 0; r < 3; r++)
                        sum[3 * i + k] += (turn.m[r][i] - mean[3 * r + i]) *
                                          (turn.m[r][k] - mean[3 * r + k]) / body->frame_count;
        }
    if (snw_eigen_symmetric(sum, 3, values, vectors) != SNW_OK) return;
    body->axis[joint] = snw_vec3_make(vectors[6], vectors[7], vectors[8]);
    body->has_axis[joint] = sqrt(fmax(values[2], 0)) < SEE_AXIS;
}

static void find_segments(see_body *body)
{
    const snw_skeleton *skeleton = body->skeleton;
    int n = body->joint_count;
    for (int j = 0; j < n; j++) {
        body->group[j] = j;
        if (skeleton->parent[j] >= 0 && !turns(body, j))
            body->group[j] = body->group[skeleton->parent[j]];
    }
    for (int j = 0; j < n; j++) {
        int up = skeleton->parent[j], q = up >= 0 ? body->group[up] : -1;
        if (q >= 0) {
            snw_vec3 end =
                snw_xform_unpoint(*world_at(body, 0, q), world_at(body, 0, j)->translation);
            if (snw_vec3_length(end) > snw_vec3_length(body->far[q])) body->far[q] = end;
        }
        if (skeleton->has_tip[j]) {
            snw_vec3 tip = snw_xform_point(*world_at(body, 0, j), skeleton->tip[j]);
            snw_vec3 end = snw_xform_unpoint(*world_at(body, 0, body->group[j]), tip);
            if (snw_vec3_length(end) > snw_vec3_length(body->far[body->group[j]]))
                body->far[body->group[j]] = end;
        }
    }
    for (int j = 0; j < n; j++)
        body->is_marked[j] = body->group[j] == j && snw_vec3_length(body->far[j]) >= SEE_BONE;
    for (int j = 0; j < n; j++) {
        int up = skeleton->parent[j];
        while (up >= 0 && !body->is_marked[body->group[up]])
            up = skeleton->parent[body->group[up]];
        body->edge[j] = up >= 0 ? body->group[up] : -1;
        /* the joint itself must lie between two marked segments */
        int next = skeleton->parent[j];
        body->is_scored[j] = body->is_marked[j] && next >= 0 &&
                             body->is_marked[body->group[next]] &&
                             snw_vec3_length(skeleton->rest[j].translation) > SEE_BONE;
        if (body->is_scored[j]) find_axis(body, j);
    }
}

see_body *see_body_create(const char *path, snw_synth_motion_kind motion)
{
    see_body *body = calloc(1, sizeof *body);
    if (!body) return NULL;
    snw_status status;
    if (path) {
        snw_read_options options = snw_read_options_default();
        options.metres_per_unit = SEE_CMU_UNIT;
        status = snw_read_motion_file(path, &options, NULL, &body->motion, NULL, NULL);
        if (status == SNW_OK) body->skeleton = body->motion->own_skeleton;
        body->first = 1; /* frame 0 is a T-pose that somebody added */
    } else {
        snw_synth_options options = snw_synth_options_default();
        options.motion = motion;
        status = snw_preset_create("humanoid", NULL, &body->skeleton, NULL);
        if (status == SNW_OK)
            status = snw_synth_create(body->skeleton, NULL, &options, NULL, &body->synth, NULL);
        if (status == SNW_OK) body->motion = body->synth->motion;
    }
    if (status == SNW_OK) {
        body->joint_count = body->skeleton->joint_count;
        body->frame_count = body->motion->frame_count - body->first;
        if (body->frame_count > 3000) body->frame_count = 3000;
    }
    if (status != SNW_OK || body->joint_count > SEE_JOINTS || body->frame_count < 10 ||
        !lay_world(body)) {
        see_body_destroy(body);
        return NULL;
    }
    find_segments(body);
    return body;
}

/* Turns a rotation's samples towards their mean. */
static void calm_rotations(snw_quat *rotation, size_t stride, int count, double share)
{
    snw_quat sum = {0, 0, 0, 0};
    for (int f = 0; f < count; f++) {
        snw_quat q = rotation[(size_t)f * stride];
        double sign = snw_quat_dot(q, sum) < 0 ? -1 : 1;
        sum = snw_quat_make(sum.w + sign * q.w, sum.x + sign * q.x, sum.y + sign * q.y,
                            sum.z + sign * q.z);
    }
    snw_quat mean = snw_quat_normalize(sum);
    for (int f = 0; f < count; f++) {
        snw_quat *q = rotation + (size_t)f * stride;
        snw_vec3 turn = snw_quat_log(snw_quat_mul(snw_quat_conjugate(mean), *q));
        *q = snw_quat_mul(mean, snw_quat_exp(snw_vec3_scale(turn, share)));
    }
}

void see_body_calm(see_body *body, double share)
{
    snw_motion *motion = body->motion;
    snw_vec3 mean = {0, 0, 0};
    snw_quat *root = malloc((size_t)body->frame_count * sizeof *root);
    for (int j = 1; j < body->joint_count; j++) {
        const char *name = body->skeleton->name[j];
        bool is_arm = strncmp(name, "Right", 5) == 0 &&
                      (strstr(name, "Shoulder") || strstr(name, "Arm") || strstr(name, "Hand"));
        size_t first = (size_t)body->first * (size_t)body->joint_count + (size_t)j;
        if (!is_arm)
            calm_rotations(motion->rotation + first, (size_t)body->joint_count, body->frame_count,
                           share);
    }
    for (int f = 0; root && f < body->frame_count; f++) {
        root[f] = motion->root[body->first + f].rotation;
        mean = snw_vec3_lerp(mean, motion->root[body->first + f].translation, 1.0 / (f + 1));
    }
    if (root) calm_rotations(root, 1, body->frame_count, share);
    for (int f = 0; root && f < body->frame_count; f++) {
        snw_xform *at = motion->root + body->first + f;
        at->rotation = root[f];
        at->translation = snw_vec3_lerp(mean, at->translation, share);
    }
    free(root);
    free(body->world);
    (void)lay_world(body);
}

void see_body_destroy(see_body *body)
{
    if (!body) return;
    if (body->synth)
        snw_skeleton_destroy(body->skeleton);
    else
        snw_motion_destroy(body->motion); /* and its skeleton */
    snw_synth_destroy(body->synth);
    free(body->world);
    free(body);
}

/* ---- the capture
 * ---------------------------------------------------------------------------------- */

typedef struct see_marker {
    int segment;
    snw_vec3 place, slide;
} see_marker;

static bool holds(const char *name, const char *const *words)
{
    char lower[SNW_LABEL_SIZE];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof lower; n++)
        lower[n] = (char)(name[n] >= 'A' && name[n] <= 'Z' ? name[n] + 32 : name[n]);
    lower[n] = 0;
    for (; *words; words++)
        if (strstr(lower, *words)) return true;
    return false;
}

static int markers_on(const see_body *body, int segment, see_layout layout)
{
    static const char *const segments[] = {"leg",    "foot",     "toe",   "arm",  "hand",
                                           "finger", "thumb",    "elbow", "knee", "ankle",
                                           "wrist",  "shoulder", "hip",   NULL};
    static const char *const ends[] = {"hand", "foot", "toe", "finger", "wrist", "ankle", NULL};
    const char *name = body->skeleton->name[segment];
    bool is_root = body->skeleton->parent[segment] < 0;
    if (layout == SEE_TWO) return 2;
    if (layout == SEE_TWO_SEGMENTS && !is_root && holds(name, segments)) return 2;
    if (layout == SEE_ONE_ENDS && holds(name, ends)) return 1;
    return 4;
}

static snw_vec3 random_unit(snw_random *random)
{
    snw_vec3 v = {snw_random_normal(random), snw_random_normal(random), snw_random_normal(random)};
    return snw_vec3_unit(v, snw_vec3_make(1, 0, 0));
}

static int place_markers(const see_body *body, const see_trouble *trouble, snw_random *random,
                         see_marker *marker)
{
    int count = 0;
    for (int q = 0; q < body->joint_count; q++) {
        if (!body->is_marked[q]) continue;
        snw_vec3 far = body->far[q], along = snw_vec3_unit(far, snw_vec3_make(1, 0, 0));
        snw_vec3 common = random_unit(random);
        for (int k = 0; k < markers_on(body, q, trouble->layout); k++) {
            snw_vec3 side = random_unit(random);
            side = snw_vec3_add_scaled(side, -snw_vec3_dot(side, along), along);
            side = snw_vec3_unit(side, snw_vec3_make(0, 1, 0));
            double out = 0.045 + 0.030 * snw_random_unit(random);
            double share = 0.2 + 0.6 * snw_random_unit(random);
            snw_vec3 own = {snw_random_normal(random), snw_random_normal(random),
                            snw_random_normal(random)};
            see_marker *m = marker + count++;
            m->segment = q;
            m->place = snw_vec3_add_scaled(snw_vec3_scale(far, share), out, side);
            m->slide = snw_vec3_unit(snw_vec3_add_scaled(common, 0.7, own), common);
        }
    }
    return count;
}

/* How far the segment's joint is turned in a frame, -1 to 1: about the axis it turned about most.
 */
static void find_angles(const see_body *body, int segment, double *angle)
{
    snw_quat sum = {0, 0, 0, 0}, first = turn_at(body, 0, segment);
    double scatter[9] = {0}, values[3], vectors[9], mean = 0, most = 0;
    for (int f = 0; f < body->frame_count; f++) {
        snw_quat q = turn_at(body, f, segment);
        double sign = q.w * first.w + q.x * first.x + q.y * first.y + q.z * first.z < 0 ? -1 : 1;
        sum.w += sign * q.w;
        sum.x += sign * q.x;
        sum.y += sign * q.y;
        sum.z += sign * q.z;
    }
    snw_quat back = snw_quat_conjugate(snw_quat_normalize(sum));
    for (int pass = 0; pass < 2; pass++) {
        for (int f = 0; f < body->frame_count; f++) {
            snw_vec3 v = snw_quat_log(snw_quat_mul(back, turn_at(body, f, segment)));
            double x[3] = {v.x, v.y, v.z};
            for (int n = 0; n < 9 && pass == 0; n++)
                scatter[n] += x[n / 3] * x[n % 3];
            if (pass == 1) angle[f] = x[0] * vectors[0] + x[1] * vectors[1] + x[2] * vectors[2];
        }
        if (pass == 0 && snw_eigen_symmetric(scatter, 3, values, vectors) != SNW_OK)
            memset(vectors, 0, sizeof vectors);
    }
    for (int f = 0; f < body->frame_count; f++)
        mean += angle[f] / body->frame_count;
    for (int f = 0; f < body->frame_count; f++)
        most = fmax(most, fabs(angle[f] - mean));
    double scale = most > 0 ? fmin(1, most / 0.35) / most : 0;
    for (int f = 0; f < body->frame_count; f++)
        angle[f] = scale * (angle[f] - mean);
}

static void hide_samples(snw_trial *trial, double share, snw_random *random)
{
    int frames = trial->frame_count, hidden = 0,
        wanted = (int)(share * frames * trial->marker_count);
    for (int guard = 0; hidden < wanted && guard < 1000000; guard++) {
        int m = (int)snw_random_below(random, (uint32_t)trial->marker_count);
        int begin = frames < 120 ? frames / 4 : 30;
        int f = begin + (int)snw_random_below(random, (uint32_t)(frames - 2 - begin));
        int length = 10 + (int)snw_random_below(random, 110);
        for (int k = f; k < f + length && k < frames; k++) {
            hidden += snw_trial_is_present(trial, k, m);
            snw_trial_set(trial, k, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        }
    }
}

/* The segment of the other side, by its name; -1. */
static int other_side(const see_body *body, int segment)
{
    static const char *const words[][2] = {
        {"Left", "Right"}, {"LThumb", "RThumb"}, {"left", "right"}};
    const char *name = body->skeleton->name[segment];
    for (int w = 0; w < 3; w++) {
        const char *at = strstr(name, words[w][0]);
        char other[2 * SNW_LABEL_SIZE];
        if (!at) continue;
        snw_format(other, sizeof other, "%.*s%s%s", (int)(at - name), name, words[w][1],
                   at + strlen(words[w][0]));
        return snw_skeleton_find_joint(body->skeleton, other);
    }
    return -1;
}

static void swap_labels(const see_body *body, const see_marker *marker, snw_trial *trial, int swaps,
                        snw_random *random)
{
    int second = (int)lround(trial->rate), span = trial->frame_count - second - 5;
    for (int done = 0, guard = 0; done < swaps && span > 5 && guard < 10000; guard++) {
        int a = (int)snw_random_below(random, (uint32_t)trial->marker_count), b = -1, rank = 0;
        int other = other_side(body, marker[a].segment);
        for (int m = 0; m < a; m++)
            rank += marker[m].segment == marker[a].segment;
        for (int m = 0; m < trial->marker_count && other >= 0 && b < 0; m++)
            if (marker[m].segment == other && rank-- == 0) b = m;
        if (b < 0) continue;
        int f = 5 + (int)snw_random_below(random, (uint32_t)(span - 5));
        for (int k = f; k < f + second; k++) {
            snw_vec3 first = snw_trial_position(trial, k, a),
                     next = snw_trial_position(trial, k, b);
            snw_trial_set(trial, k, a, next, SNW_SAMPLE_MEASURED);
            snw_trial_set(trial, k, b, first, SNW_SAMPLE_MEASURED);
        }
        done++;
    }
}

/* Which markers slip, when and how far: spread over segments, moments and sizes. */
static snw_slip true_slip(const see_body *body, int marker)
{
    snw_slip slip = {marker, body->frame_count, 0, false};
    if (marker % 11 != 3) return slip;
    slip.frame = body->frame_count * (3 + marker % 5) / 10;
    slip.distance = 0.010 * (1 + marker % 4);
    return slip;
}

static snw_trial *make_capture(const see_body *body, const see_trouble *trouble, see_marker *marker,
                               snw_random *random)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = place_markers(body, trouble, random, marker);
    options.frame_count = body->frame_count;
    options.rate = body->motion->rate;
    snw_trial *trial = NULL;
    double *angle = malloc((size_t)body->frame_count * sizeof *angle);
    if (!angle || snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) {
        free(angle);
        return NULL;
    }
    for (int m = 0, rank = 0; m < options.marker_count; m++) {
        char name[2 * SNW_LABEL_SIZE];
        int segment = marker[m].segment;
        rank = m > 0 && marker[m - 1].segment == segment ? rank + 1 : 1;
        snw_format(name, sizeof name, "%s:%d", body->skeleton->name[segment], rank);
        snw_trial_set_marker_name(trial, m, name, NULL);
        if (trouble->wobble > 0 && rank == 1) find_angles(body, segment, angle);
        snw_slip slip = true_slip(body, m);
        for (int f = 0; f < body->frame_count; f++) {
            snw_vec3 place = marker[m].place;
            if (trouble->has_slips && f >= slip.frame)
                place = snw_vec3_add_scaled(place, slip.distance, marker[m].slide);
            if (trouble->wobble > 0)
                place = snw_vec3_add_scaled(place, trouble->wobble * angle[f], marker[m].slide);
            place = snw_xform_point(*world_at(body, f, segment), place);
            place.x += trouble->noise * snw_random_normal(random);
            place.y += trouble->noise * snw_random_normal(random);
            place.z += trouble->noise * snw_random_normal(random);
            snw_trial_set(trial, f, m, place, SNW_SAMPLE_MEASURED);
        }
    }
    free(angle);
    if (trouble->gaps > 0) hide_samples(trial, trouble->gaps, random);
    if (trouble->swaps > 0) swap_labels(body, marker, trial, trouble->swaps, random);
    return trial;
}

/* ---- slips -------------------------------------------------------------------------------------
 */

/* Frames that show the marker between two moments. */
static int seen_between(const snw_trial *trial, int marker, int a, int b)
{
    int count = 0;
    for (int f = a < b ? a : b; f < (a < b ? b : a); f++)
        count += snw_trial_is_present(trial, f, marker);
    return count;
}

/* Was this slip told: to 3 mm, and to 0.1 s that show the marker? */
static bool is_told(const see_solved *solved, const snw_slip *slip)
{
    for (int n = 0; n < solved->solution->slips.count; n++) {
        const snw_slip *told = solved->solution->slips.item + n;
        if (told->marker == slip->marker && fabs(told->distance - slip->distance) < 0.003 &&
            seen_between(solved->trial, slip->marker, told->frame, slip->frame) <=
                0.1 * solved->trial->rate)
            return true;
    }
    return false;
}

static void score_slips(const see_body *body, const see_trouble *trouble, const see_solved *solved,
                        see_score *score)
{
    int told = 0;
    for (int m = 0; m < solved->trial->marker_count && trouble->has_slips; m++) {
        snw_slip slip = true_slip(body, m);
        if (slip.frame >= body->frame_count) continue;
        score->slips++;
        told += is_told(solved, &slip);
    }
    score->slips_told += told;
    score->slips_wrong += solved->solution->slips.count - told;
}

/* ---- the score
 * ------------------------------------------------------------------------------------ */

/* The solved joint that carries the segment's markers; -1: none. */
static int joint_of_segment(const see_solved *solved, const see_body *body, int segment)
{
    const char *name = body->skeleton->name[segment];
    size_t length = strlen(name);
    for (int m = 0; m < solved->actor->marker_count; m++)
        if (strncmp(solved->actor->marker[m].name, name, length) == 0 &&
            solved->actor->marker[m].name[length] == ':')
            return solved->actor->marker[m].joint;
    return -1;
}

/* Rms distance of a solved joint from the true one, in all and across its axis. */
static void distances(const see_body *body, const see_solved *solved, int truth, int joint,
                      double *whole, double *across)
{
    double sum = 0, along = 0;
    for (int f = 0; f < body->frame_count; f++) {
        const snw_xform *world = world_at(body, f, truth);
        snw_vec3 off = snw_vec3_sub(see_joint(solved, f, joint), world->translation);
        double part = snw_vec3_dot(off, snw_quat_rotate(world->rotation, body->axis[truth]));
        sum += snw_vec3_length2(off);
        along += part * part;
    }
    *whole = sqrt(sum / body->frame_count);
    *across = sqrt(fmax(sum - along, 0) / body->frame_count);
}

/* The joint between two neighbouring solved segments, or between those that one segment lies
 * between: the one nearest to the truth. -1: they are no neighbours. */
static int joint_between(const see_body *body, const see_solved *solved, int truth, int a, int b)
{
    const int *parent = solved->actor->skeleton->parent;
    int candidate[2] = {-1, -1}, best = -1;
    double least = HUGE_VAL, whole, across;
    if (a < 0 || b < 0 || a == b) return -1;
    if (parent[a] == b) candidate[0] = a;
    if (parent[b] == a) candidate[0] = b;
    if (parent[a] == parent[b] && parent[a] >= 0) {
        candidate[0] = a;
        candidate[1] = b;
    }
    for (int k = 0; k < 2; k++) {
        if (candidate[k] < 0) continue;
        distances(body, solved, truth, candidate[k], &whole, &across);
        double error = body->has_axis[truth] ? across : whole;
        if (error >= least) continue;
        least = error;
        best = candidate[k];
    }
    return best;
}

static void score_joint(const see_body *body, const see_solved *solved, int truth, see_score *score)
{
    int a = joint_of_segment(solved, body, truth),
        b = joint_of_segment(solved, body, body->edge[truth]);
    int joint = joint_between(body, solved, truth, a, b);
    score->joints++;
    if (joint < 0) return;
    double whole, across;
    distances(body, solved, truth, joint, &whole, &across);
    const snw_joint_estimate *told = solved->told->estimate + joint;
    double error = body->has_axis[truth] ? across : whole;
    double claimed = told->is_place_free ? across : whole;
    score->error += error;
    score->within_5 += error < 0.005;
    score->within_20 += error < 0.020;
    score->within_25 += error < 0.025;
    score->stated++;
    score->within_2_sigma += claimed <= 2 * told->uncertainty;
    score->certain += !told->is_uncertain;
    score->certain_wrong += !told->is_uncertain && claimed > 0.020;
}

void see_measure_virtual(const see_body *body, const see_trouble *trouble, see_score *score)
{
    snw_random random = snw_random_seed(1, 10);
    see_marker marker[SEE_MARKERS];
    see_solved solved;
    snw_trial *trial = make_capture(body, trouble, marker, &random);
    if (!trial) return;
    score->captures++;
    bool is_solved = see_solve(trial, NULL, 0, &solved);
    if (is_solved && trouble->is_smooth) is_solved = see_smooth(&solved);
    snw_trial_destroy(trial);
    for (int j = 0; j < body->joint_count; j++) {
        if (!body->is_scored[j]) continue;
        if (is_solved)
            score_joint(body, &solved, j, score);
        else
            score->joints++;
    }
    score->refused += !is_solved;
    if (!is_solved) return;
    score->frames += solved.report.frame_count;
    score->lost += solved.report.lost_count;
    score_slips(body, trouble, &solved, score);
    see_release(&solved);
}
