/* sinew/recognise.h - a person and a marker set in markers that nobody named.
 *
 *     snw_recognised *found = NULL;
 *     if (snw_trial_recognise(trial, NULL, &found, notes, &error) == SNW_OK && found->is_person)
 *         snw_recognised_name(found, trial, &error);     // "*17" becomes "LKNE"
 *     snw_recognised_destroy(found);
 *
 * A generic person is fitted to the moving points from many sides and in many poses; what each
 * point is follows from where it stays on the body throughout the trial. Either the whole answer is
 * clear, or nothing is named. Constant once made: any number of threads may use it.
 */
#ifndef SINEW_RECOGNISE_H
#define SINEW_RECOGNISE_H

#include <sinew/label.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one marker was recognised as. */
typedef struct snw_recognised_marker {
    char name[16]; /* "LKNE"; "LSK1": on that segment, but at no known place; "": nothing;
                      "Computed1", whether there is a person or not: no marker but an angle, a
                      force, an axis */
    snw_part part; /* that carries it; NONE: nothing */
    snw_side side;
    double cost; /* negative logarithm of the likelihood of that, against a place just right */
} snw_recognised_marker;

typedef struct snw_recognised {
    bool is_person; /* false: no name is given */
    int marker_count;
    snw_recognised_marker *marker; /* (marker_count) of the trial */
    int point_count;               /* markers that moved and were looked at */
    int named_count;               /* of these that have a name */
    int site_count;                /* of these at places that marker sets use */
    double stature;                /* metres, of a person with the usual proportions */
    double cost;                   /* negative logarithm of the likelihood, for each point */
    double margin; /* how much likelier than the next best answer: difference of logarithms */
    snw_allocator allocator;
    size_t block_size;
    const char *plan; /* what of the body is marked: "whole body", "legs"; "": nothing looked at */
    const char *set;  /* marker set: "Plug-in Gait", "plates or clusters"; "": none that is known */
    double confidence; /* that the person is there as told, 0 to 1; is_person: above 0.5 */
} snw_recognised;

/* Nothing is found where people have named the markers. */
SNW_API snw_status snw_trial_recognise(const snw_trial *trial, const snw_allocator *allocator,
                                       snw_recognised **out, snw_notes *notes, snw_error *error);
/* The same as if nobody had named the markers, for one person; what the trial says is no marker is
 * left out. */
SNW_API snw_status snw_trial_recognise_anew(const snw_trial *trial, const snw_allocator *allocator,
                                            snw_recognised **out, snw_notes *notes,
                                            snw_error *error);
SNW_API void snw_recognised_destroy(snw_recognised *recognised);
/* Gives the recognised names to markers that programs have named. Computed points are listed in
 * POINT:MODELED_MARKERS as well, so that nothing takes them for markers. */
SNW_API snw_status snw_recognised_name(const snw_recognised *recognised, snw_trial *trial,
                                       snw_error *error);

/* What was recognised in markers that nobody named; point_count 0: nothing was looked at. */
typedef struct snw_recognition {
    bool is_person;
    int point_count, named_count; /* as in snw_recognised */
    int computed_count;           /* points that are no markers but angles, forces, axes */
    double stature;               /* metres */
    double confidence;
    const char *plan, *set; /* as in snw_recognised; "" where nothing was looked at */
} snw_recognition;

#ifdef __cplusplus
}
#endif
#endif
