#include "mocap/source.h"

#include <string.h>

int snw__marker_source(const snw_actor *actor, const snw_trial *trial, int marker)
{
    int earlier = 0;
    for (int m = 0; m < marker; m++)
        earlier += strcmp(actor->marker[m].name, actor->marker[marker].name) == 0;
    for (int s = 0; s < trial->marker_count; s++) {
        if (strncmp(trial->marker[s].name, actor->marker[marker].name, SNW_LABEL_SIZE - 1) != 0)
            continue;
        if (earlier-- == 0) return s;
    }
    return -1;
}
