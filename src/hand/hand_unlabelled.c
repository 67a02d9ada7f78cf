/* Eight trajectories without names: three of them keep their distances (wrist and back), the others
 * are fingertips, which lie in their order across the palm with the thumb's at one end and nearest
 * to the wrist. One second in which all are seen decides. */
#include <string.h>

#include "base/fail.h"
#include "base/notes.h"
#include "hand/hand_capture.h"
#include "hand/hand_constants.h"

enum {
    UNLABELLED_COUNT = 8
};

typedef struct unlabelled_job {
    const snw_trial *trial;
    int marker[UNLABELLED_COUNT];
    int first, count; /* frames that decide */
} unlabelled_job;

static bool is_seen_in(const snw_trial *trial, int marker, int first, int count)
{
    for (int f = first; f < first + count; f++)
        if (!snw_trial_is_present(trial, f, marker)) return false;
    return true;
}

/* As long as all of them are seen: fingertips that rest for a second look as rigid as a palm. */
static void extend_window(unlabelled_job *job)
{
    double most = UNLABELLED_SECONDS * fmax(1, job->trial->rate);
    while (job->first + job->count < job->trial->frame_count && job->count < most) {
        for (int n = 0; n < UNLABELLED_COUNT; n++)
            if (!snw_trial_is_present(job->trial, job->first + job->count, job->marker[n])) return;
        job->count++;
    }
}

/* The first second (or the whole of a shorter trial) in which exactly eight trajectories are seen.
 */
static bool find_window(unlabelled_job *job)
{
    const snw_trial *trial = job->trial;
    double second = trial->rate > 0 ? trial->rate : 100;
    job->count = (int)fmin(trial->frame_count, fmax(3, second));
    for (job->first = 0; job->first + job->count <= trial->frame_count;
         job->first += job->count / 4 + 1) {
        int found = 0;
        for (int m = 0; m < trial->marker_count && found <= UNLABELLED_COUNT; m++)
            if (is_seen_in(trial, m, job->first, job->count)) {
                if (found < UNLABELLED_COUNT) job->marker[found] = m;
                found++;
            }
        if (found == UNLABELLED_COUNT) {
            extend_window(job);
            return true;
        }
    }
    return false;
}

static snw_vec3 place_of(const unlabelled_job *job, int frame, int n)
{
    return snw_trial_position(job->trial, job->first + frame, job->marker[n]);
}

static void distance_statistics(const unlabelled_job *job, int a, int b, double *mean,
                                double *spread)
{
    double sum = 0, squares = 0;
    for (int f = 0; f < job->count; f++) {
        double d = snw_vec3_distance(place_of(job, f, a), place_of(job, f, b));
        sum += d;
        squares += d * d;
    }
    *mean = sum / job->count;
    *spread = sqrt(fmax(0, squares / job->count - *mean * *mean)) / *mean;
}

static void name_all(const unlabelled_job *job, const int palm[3], int source[SNW_HAND_MARKERS])
{
    int tip[5], count = 0;
    double across[5], along[5];
    for (int n = 0; n < UNLABELLED_COUNT; n++)
        if (n != palm[0] && n != palm[1] && n != palm[2]) tip[count++] = n;
    /* Fingertips in the axes of the palm: across (from the second back marker to the first) and
     * along.
     */
    for (int k = 0; k < 5; k++) {
        across[k] = along[k] = 0;
        for (int f = 0; f < job->count; f++) {
            snw_vec3 wrist = place_of(job, f, palm[0]);
            snw_vec3 a = snw_vec3_sub(place_of(job, f, palm[1]), wrist);
            snw_vec3 b = snw_vec3_sub(place_of(job, f, palm[2]), wrist);
            snw_vec3 z = snw_vec3_unit(snw_vec3_add(a, b), a), x = snw_vec3_sub(a, b);
            x = snw_vec3_unit(snw_vec3_add_scaled(x, -snw_vec3_dot(x, z), z), a);
            snw_vec3 way = snw_vec3_sub(place_of(job, f, tip[k]), wrist);
            across[k] += snw_vec3_dot(way, x) / job->count;
            along[k] += snw_vec3_dot(way, z) / job->count;
        }
    }
    for (int i = 1; i < 5; i++)
        for (int j = i; j > 0 && across[j] > across[j - 1]; j--) {
            int kept = tip[j];
            double x = across[j], z = along[j];
            tip[j] = tip[j - 1];
            across[j] = across[j - 1];
            along[j] = along[j - 1];
            tip[j - 1] = kept;
            across[j - 1] = x;
            along[j - 1] = z;
        }
    /* The thumb is the end of the row that is set off: farther from its neighbour, nearer to the
     * wrist. */
    double first = across[0] - across[1] + along[1] - along[0];
    double last = across[3] - across[4] + along[3] - along[4];
    bool is_first = first > last;
    source[SNW_HAND_WRIST] = job->marker[palm[0]];
    source[SNW_HAND_BACK_INDEX] = job->marker[palm[is_first ? 1 : 2]];
    source[SNW_HAND_BACK_LITTLE] = job->marker[palm[is_first ? 2 : 1]];
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        source[snw_hand_tip_marker(k)] = job->marker[tip[is_first ? k : 4 - k]];
}

snw_status snw_hand_capture_unlabelled(const snw_trial *trial, const snw_allocator *allocator,
                                       snw_hand_capture **out, snw_notes *notes, snw_error *error)
{
    if (!trial || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "trial or out is NULL");
    *out = NULL;
    unlabelled_job job;
    int palm[3], source[SNW_HAND_MARKERS];
    memset(&job, 0, sizeof job);
    job.trial = trial;
    for (int m = 0; m < SNW_HAND_MARKERS; m++)
        source[m] = -1;
    if (trial->frame_count < 3 || !find_window(&job))
        return snw__fail(error, SNW_NOT_FOUND,
                         "no second of the trial shows exactly eight trajectories of one hand");
    /* wrist, back, back: the most rigid three, the wrist opposite the shortest side. A triangle of
     * fingertips that happen to stay still is larger or narrower than a palm. */
    double mean[UNLABELLED_COUNT][UNLABELLED_COUNT], spread[UNLABELLED_COUNT][UNLABELLED_COUNT];
    double best = INFINITY;
    for (int a = 0; a < UNLABELLED_COUNT; a++)
        for (int b = 0; b < a; b++) {
            distance_statistics(&job, a, b, &mean[a][b], &spread[a][b]);
            mean[b][a] = mean[a][b];
            spread[b][a] = spread[a][b];
        }
    for (int w = 0; w < UNLABELLED_COUNT; w++)
        for (int a = 0; a < UNLABELLED_COUNT; a++)
            for (int b = 0; b < a; b++) {
                if (w == a || w == b) continue;
                double near = fmin(mean[w][a], mean[w][b]), far = fmax(mean[w][a], mean[w][b]);
                bool is_palm = mean[a][b] < near && near > 0.7 * far && mean[a][b] > 0.35 * near;
                double cost = spread[w][a] + spread[w][b] + spread[a][b];
                if (!is_palm || cost >= best) continue;
                best = cost;
                palm[0] = w;
                palm[1] = a;
                palm[2] = b;
            }
    if (!(best < INFINITY))
        return snw__fail(error, SNW_NOT_FOUND,
                         "no three of the eight trajectories keep the distances of a palm");
    name_all(&job, palm, source);
    snw_hand_capture *capture = NULL;
    snw_status status = snw__hand_capture_create(trial->frame_count, allocator, &capture, error);
    if (status != SNW_OK) return status;
    snw__hand_capture_read(capture, trial, source);
    snw__hand_repair_unit(capture, notes);
    capture->side = snw__hand_out_of_back(capture) > 0 ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT;
    snw__note(notes, -1, -1,
              "the trajectories have no names: told apart as a %s hand by the second from frame %d",
              capture->side == SNW_SIDE_LEFT ? "left" : "right", job.first + 1);
    *out = capture;
    return snw__succeed(error);
}
