/* Which marker set the recognised points are: the known one whose sites are most alike. */
#include <string.h>

#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

/* Share of the sites that either has which both have. */
static double worn_alike(const snw__recognise_work *work, const bool *is_worn, const char *sites)
{
    int both = 0, either = 0;
    for (int a = 0; a < work->site_count; a++) {
        const char *name = snw__landmark_at(work->site[a].row->landmark)->name;
        bool is_known = snw__has_word(sites, name, strlen(name));
        both += is_known && is_worn[a];
        either += is_known || is_worn[a];
    }
    return either ? both / (double)either : 0;
}

const char *snw__recognise_set(const snw__recognise_work *work, const snw__hypothesis *best)
{
    bool is_worn[SNW__SITE_MAX] = {false};
    const char *name = "";
    double most = RECOGNISE_SET;
    int elsewhere = 0, sets;
    const snw__worn_set *set = snw__worn_sets(&sets);
    for (int p = 0; p < work->point_count; p++) {
        int choice = best->choice[p];
        if (choice >= 0 && choice < work->site_count)
            is_worn[choice] = true;
        else
            elsewhere++;
    }
    for (int n = 0; n < sets; n++) {
        double share = worn_alike(work, is_worn, set[n].landmarks);
        if (!(share > most)) continue;
        most = share;
        name = set[n].name;
    }
    if (!*name && elsewhere >= (1 - RECOGNISE_SET) * work->point_count) return "plates or clusters";
    return name;
}
