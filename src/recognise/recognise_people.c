/* Several people in points that nobody named: which points are whose.
 *
 * Points of one person stay near others of it; two people are apart at some time. So the tree of
 * the shortest longest distances (Prim 1957), cut at its longest edges, leaves people. Where two
 * touch all the time, one short edge joins them, while many join the points of each: there the
 * normalised cut of the same distances parts them (math/spectral.h). Whether they are people the
 * search for each one decides. */
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "math/robust.h"
#include "person/movement.h"
#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

/* Metres: the largest distance of two points in the frames that show both; infinite: none does. */
static double largest_distance(const snw_trial *trial, int a, int b)
{
    /* Frames that are looked at: people do not come apart in between. */
    int stride = 1 + trial->frame_count / SNW__SAMPLES_LOOK;
    double most = -1;
    for (int f = 0; f < trial->frame_count; f += stride)
        if (snw_trial_is_present(trial, f, a) && snw_trial_is_present(trial, f, b))
            most = fmax(most, snw_vec3_distance(snw_trial_position(trial, f, a),
                                                snw_trial_position(trial, f, b)));
    return most < 0 ? INFINITY : most;
}

/* The tree by its points in the order they joined: each hangs from an earlier one. */
static void make_tree(snw__people_parting *people)
{
    int count = people->count;
    bool is_in[SNW__PEOPLE_POINTS] = {false};
    for (int p = 0; p < count; p++) {
        people->parent[p] = -1;
        people->length[p] = INFINITY;
    }
    for (int n = 0; n < count; n++) {
        int next = -1;
        for (int p = 0; p < count; p++)
            if (!is_in[p] && (next < 0 || people->length[p] < people->length[next])) next = p;
        is_in[next] = true;
        people->order[n] = next;
        for (int p = 0; p < count; p++) {
            double length = people->spectral.affinity[next * count + p];
            if (is_in[p] || !(length < people->length[p])) continue;
            people->length[p] = length;
            people->parent[p] = next;
        }
    }
}

/* The persons that the cuts leave; returns the fewest points of one. */
static int number_people(const snw__people_parting *tree, int count, const bool *is_cut,
                         int *person)
{
    int size[SNW__PEOPLE_MAX + 1] = {0}, people = 0, fewest = count;
    for (int n = 0; n < count; n++) {
        int p = tree->order[n];
        person[p] = n == 0 || is_cut[p] ? people++ : person[tree->parent[p]];
        size[person[p]]++;
    }
    for (int k = 0; k < people; k++)
        if (size[k] < fewest) fewest = size[k];
    return fewest;
}

snw_status snw__people_open(const snw_trial *trial, const int *marker, int count,
                            const snw_allocator *allocator, snw__people_parting *people,
                            snw_error *error)
{
    memset(people, 0, sizeof *people);
    people->count = count;
    people->spectral.n = (size_t)count;
    snw_status status = snw__block_create(&people->block, snw__spectral_lay_out, &people->spectral,
                                          allocator, "distances of points", error);
    if (status != SNW_OK) return status;
    double *a = people->spectral.affinity;
    for (int p = 0; p < count; p++)
        for (int q = 0; q <= p; q++)
            a[p * count + q] = a[q * count + p] =
                q == p ? 0 : largest_distance(trial, marker[p], marker[q]);
    make_tree(people);
    return SNW_OK;
}

/* Cuts the longest edges, as far as they are longer than `least`, until there are so many people of
 * enough points. Returns how many. */
static int cut(const snw__people_parting *tree, int most, double least, bool *is_tried, int *person)
{
    bool is_cut[SNW__PEOPLE_POINTS] = {false};
    int people = 1;
    while (people < most) {
        int longest = -1;
        for (int n = 1; n < tree->count; n++) {
            int p = tree->order[n];
            if (is_tried[p] || !(tree->length[p] > least)) continue;
            if (longest < 0 || tree->length[p] > tree->length[longest]) longest = p;
        }
        if (longest < 0) break;
        is_tried[longest] = is_cut[longest] = true;
        if (number_people(tree, tree->count, is_cut, person) < SNW__MARKERS_MIN)
            is_cut[longest] = false;
        else
            people++;
    }
    number_people(tree, tree->count, is_cut, person);
    return people;
}

bool snw__people_part_by_cuts(const snw__people_parting *tree, int people, int *person)
{
    bool is_tried[SNW__PEOPLE_POINTS] = {false};
    return cut(tree, people, -1, is_tried, person) == people;
}

int snw__people_part_apart(const snw__people_parting *tree, int *person)
{
    bool is_tried[SNW__PEOPLE_POINTS];
    /* What is never seen together may be one person who went out and came back. */
    for (int p = 0; p < tree->count; p++)
        is_tried[p] = !(tree->length[p] < INFINITY);
    return cut(tree, SNW__PEOPLE_MAX, SNW__BONE_MAX, is_tried, person);
}

/* Distances become affinities when they are first asked for. */
static bool find_spectrum(snw__people_parting *people)
{
    /* Metres: one standard deviation, where what is SNW__ELSEWHERE is unusual. */
    const double scale = SNW__ELSEWHERE / SNW__UNUSUAL;
    double *a = people->spectral.affinity;
    if (people->has_spectrum) return true;
    for (int i = 0; i < people->count * people->count; i++)
        a[i] = a[i] < INFINITY ? snw__exp(-a[i] * a[i] / (2 * scale * scale)) : 0;
    people->has_spectrum = snw__spectral_decompose(&people->spectral) == SNW_OK;
    return people->has_spectrum;
}

bool snw__people_part_by_spectrum(snw__people_parting *people, int count, int *person)
{
    int size[SNW__PEOPLE_MAX] = {0};
    if (count > people->count || !find_spectrum(people)) return false;
    snw__spectral_group(&people->spectral, count, person);
    for (int p = 0; p < people->count; p++)
        size[person[p]]++;
    for (int k = 0; k < count; k++)
        if (size[k] < SNW__MARKERS_MIN) return false;
    return true;
}
