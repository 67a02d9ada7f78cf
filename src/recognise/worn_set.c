/* Which marker set the recognised points are: the known one whose sites are most alike. */
#include <string.h>

#include "label/landmark.h"
#include "recognise/recognise.h"
#include "recognise/recognise_constants.h"

typedef struct worn_set {
    const char *name;
    const char *sites; /* names of site_table.c, both sides of each */
} worn_set;

/* Markers of the sets' own guides, as far as the site table has them. */
static const worn_set worn_sets[] = {
    {"Plug-in Gait",
     "FHD BHD C7 T10 CLAV STRN SHO ELB UPA FRM WRA WRB FIN ASI PSI THI KNE TIB ANK HEE TOE"},
    {"Plug-in Gait, legs", "ASI PSI THI KNE TIB ANK HEE TOE"},
    {"Helen Hayes, legs", "ASI SACR THI KNE TIB ANK HEE TOE"},
    {"Helen Hayes", "ARIEL FOREHEAD OCC SHO ELB WRI ASI SACR THI KNE TIB ANK HEE TOE"},
    {"CGM2.4, legs", "ASI PSI THI THAP THAD KNE TIB TIAP TIAD ANK HEE TOE FMH MT5"},
    {"landmarks of the ISB",
     "C7 T8 CLAV STRN SHO ELB IEL WRA WRB HM2 HM5 ASI PSI GT KNE KNM TTC FAX ANK MED HEE FMH MT5"},
};

/* Share of the sites that either has which both have. */
static double worn_alike(const snw__recognise_work *work, const bool *is_worn, const char *sites)
{
    int both = 0, either = 0;
    for (int a = 0; a < work->site_count; a++) {
        const char *name = work->site[a].row->name;
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
    int elsewhere = 0;
    for (int p = 0; p < work->point_count; p++) {
        int choice = best->choice[p];
        if (choice >= 0 && choice < work->site_count)
            is_worn[choice] = true;
        else
            elsewhere++;
    }
    for (size_t n = 0; n < sizeof worn_sets / sizeof *worn_sets; n++) {
        double share = worn_alike(work, is_worn, worn_sets[n].sites);
        if (!(share > most)) continue;
        most = share;
        name = worn_sets[n].name;
    }
    if (!*name && elsewhere >= RECOGNISE_PLATES * work->point_count) return "plates or clusters";
    return name;
}
