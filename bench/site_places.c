/* Where the markers of labelled captures sit on the generic person (src/recognise), as rows of
 * text:
 *
 *     site_places CAPTURE ...     ->     capture site side x y z stray stature
 *
 * x y z in statures on the left side (right ones are mirrored), stray: how much the marker moves
 * there. scripts/fit_sites makes src/person/site_table.c of them. */
#include <stdio.h>
#include <string.h>

#include <sinew/io.h>

#include "base/elementary.h"
#include "recognise/recognise_track.c" /* its steps, one by one */

static int find_site(const snw__recognise_work *work, const char *label)
{
    snw_label read = snw_label_read(label);
    for (int a = 0; a < work->site_count; a++)
        if (work->site[a].side == read.side && (int)work->site[a].row->landmark == read.landmark)
            return a;
    return -1;
}

/* Poses and places of points whose choice is known. */
static void follow_known(snw__recognise_work *work, snw__hypothesis *known)
{
    known->log_stature = known->start.log_stature;
    work->pose[known->start_frame] = known->start;
    for (int p = 0; p < work->point_count; p++)
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++)
            work->local[p][s].mean =
                known->choice[p] < 0 ? snw_vec3_make(0, 0, 0) : work->site[known->choice[p]].place;
    fit_frame(work, known, known->start_frame, 60, TRACK_STRAY_FIRST);
    follow(work, known);
    for (int n = 0; n < TRACK_ROUNDS; n++) {
        look_from_segments(work, 0, work->frame_count - 1);
        for (int f = 0; f < work->frame_count; f++)
            fit_frame(work, known, f, 6, 0.02);
        known->log_stature = mean_stature(work);
    }
    look_from_segments(work, 0, work->frame_count - 1);
}

/* The best of many directions, by the cost of the fit in one frame. */
static void find_start(snw__recognise_work *work, snw__hypothesis *known)
{
    double least = INFINITY;
    int most = 0;
    for (int f = 0; f < work->frame_count; f++) {
        int seen = 0;
        for (int p = 0; p < work->point_count; p++)
            seen += snw__point_is_seen(work, f, p) && known->choice[p] >= 0;
        if (seen <= most) continue;
        most = seen;
        known->start_frame = f;
    }
    snw_random random = snw_random_seed(1, 1);
    for (int n = 0; n < 60; n++) {
        snw__template_pose pose;
        memset(&pose, 0, sizeof pose);
        pose.log_stature = snw__log(TEMPLATE_STATURE);
        pose.turn[0] = snw_random_rotation(&random);
        for (int s = 1; s < SNW__SEGMENT_COUNT; s++)
            pose.turn[s] = snw_quat_exp(snw_vec3_scale(snw__segment_of(s)->usual, 0.3));
        work->problem->pair = work->pair;
        work->problem->pair_count = 0;
        work->problem->robust = 1;
        work->problem->log_stature = pose.log_stature;
        work->problem->stature_spread = TEMPLATE_STATURE_SPREAD;
        snw_vec3 sum = {0, 0, 0};
        for (int p = 0; p < work->point_count; p++) {
            if (known->choice[p] < 0 || !snw__point_is_seen(work, known->start_frame, p)) continue;
            const snw__site *site = work->site + known->choice[p];
            snw_vec3 at = snw__point_at(work, known->start_frame, p);
            sum = snw_vec3_add(sum, at);
            work->pair[work->problem->pair_count++] =
                (snw__template_pair){site->segment, site->place, at, 1 / (0.05 * 0.05)};
        }
        pose.place = snw_vec3_scale(sum, 1.0 / fmax(1, work->problem->pair_count));
        double cost = snw__template_fit(work->problem, &pose, 60);
        if (!(cost < least)) continue;
        least = cost;
        known->start = pose;
    }
}

static void print_places(const snw__recognise_work *work, const snw__hypothesis *known,
                         const char *path)
{
    for (int p = 0; p < work->point_count; p++) {
        if (known->choice[p] < 0) continue;
        const snw__site *site = work->site + known->choice[p];
        const snw__local_place *at = &work->local[p][site->segment];
        double y = site->side == SNW_SIDE_RIGHT ? -at->mean.y : at->mean.y;
        printf("%s %s %d %.4f %.4f %.4f %.4f %.3f\n", path,
               snw__landmark_at(site->row->landmark)->name, (int)site->side, at->mean.x, y,
               at->mean.z, sqrt(at->variance), snw__exp(known->log_stature));
    }
}

static void learn(const snw_trial *trial, const char *path, const snw_allocator *allocator)
{
    bool is_dense;
    int marker[SNW__RECOGNISE_POINTS], kept = 0;
    int count = snw__recognise_points(trial, marker, &is_dense);
    snw_labels *labels = NULL;
    snw__recognise_work *work = NULL;
    if (snw_labels_read(trial, NULL, &labels, NULL) != SNW_OK) return;
    for (int p = 0; p < count; p++)
        if (labels->marker[marker[p]].kind == SNW_LABEL_LANDMARK &&
            snw_trial_is_marker(trial, marker[p]))
            marker[kept++] = marker[p];
    if (snw__recognise_open(trial, marker, kept, allocator, &work, NULL) == SNW_OK) {
        snw__hypothesis *known = work->hypothesis;
        for (int p = 0; p < kept; p++) {
            const char *label = trial->marker[marker[p]].name + labels->marker[marker[p]].prefix;
            known->choice[p] = find_site(work, label);
        }
        find_start(work, known);
        follow_known(work, known);
        print_places(work, known, path);
        snw__recognise_close(work);
    }
    snw_labels_destroy(labels);
}

int main(int argc, char **argv)
{
    snw_allocator allocator = snw_allocator_default();
    snw_read_options options = snw_read_options_default();
    for (int n = 1; n < argc; n++) {
        snw_trial *trial = NULL;
        snw_error error;
        if (snw_read_trial_file(argv[n], &options, NULL, &trial, NULL, &error) == SNW_OK)
            learn(trial, argv[n], &allocator);
        else
            fprintf(stderr, "%s: %s\n", argv[n], error.message);
        snw_trial_destroy(trial);
    }
    return 0;
}
