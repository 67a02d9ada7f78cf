/* Several people in points that nobody named: which points are whose.
 *
 * Points of one person stay near others of it; two people are apart at some time. So the tree of
 * the shortest longest distances (Prim 1957), cut at its longest edges, leaves people. Whether they
 * are people the search for each one decides. */
#include <string.h>

#include "base/memory.h"
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
static void make_tree(const snw_trial *trial, const int *marker, int count, snw__people_tree *tree)
{
    bool is_in[SNW__RECOGNISE_POINTS] = {false};
    for (int p = 0; p < count; p++) {
        tree->parent[p] = -1;
        tree->length[p] = INFINITY;
    }
    for (int n = 0; n < count; n++) {
        int next = -1;
        for (int p = 0; p < count; p++)
            if (!is_in[p] && (next < 0 || tree->length[p] < tree->length[next])) next = p;
        is_in[next] = true;
        tree->order[n] = next;
        for (int p = 0; p < count; p++) {
            if (is_in[p]) continue;
            double length = largest_distance(trial, marker[next], marker[p]);
            if (!(length < tree->length[p])) continue;
            tree->length[p] = length;
            tree->parent[p] = next;
        }
    }
}

/* The persons that the cuts leave; returns the fewest points of one. */
static int number_people(const snw__people_tree *tree, int count, const bool *is_cut, int *person)
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

void snw__people_open(const snw_trial *trial, const int *marker, int count, snw__people_tree *tree)
{
    make_tree(trial, marker, count, tree);
    tree->count = count;
}

bool snw__people_part(const snw__people_tree *tree, int people, int *person)
{
    bool is_cut[SNW__RECOGNISE_POINTS] = {false}, is_tried[SNW__RECOGNISE_POINTS] = {false};
    int cuts = 0;
    while (cuts < people - 1) {
        int longest = -1;
        for (int n = 1; n < tree->count; n++) {
            int p = tree->order[n];
            if (is_tried[p]) continue;
            if (longest < 0 || tree->length[p] > tree->length[longest]) longest = p;
        }
        if (longest < 0) return false;
        is_tried[longest] = is_cut[longest] = true;
        if (number_people(tree, tree->count, is_cut, person) < SNW__MARKERS_MIN)
            is_cut[longest] = false;
        else
            cuts++;
    }
    number_people(tree, tree->count, is_cut, person);
    return true;
}
