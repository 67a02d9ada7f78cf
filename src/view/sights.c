/* What was seen of the markers of a trial: pixels with how sure they are. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "view/people.h"

static void lay_out(void *object, snw__block *block)
{
    snw_view_sights *sights = object;
    size_t markers = (size_t)sights->marker_count;
    size_t cells = snw__size_mul((size_t)sights->frame_count, markers);
    sights->sight = snw__block_take(block, snw__size_mul(cells, (size_t)sights->camera_count),
                                    sizeof *sights->sight);
    sights->name = snw__block_take(block, markers, sizeof *sights->name);
}

snw_status snw_view_sights_create(int camera_count, int frame_count, int marker_count,
                                  const snw_allocator *allocator, snw_view_sights **out,
                                  snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    *out = NULL;
    if (camera_count < 0 || frame_count < 0 || marker_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d cameras, %d frames and %d markers",
                         camera_count, frame_count, marker_count);
    snw_view_sights *sights = snw__allocate(&memory, sizeof *sights);
    if (!sights) return snw__fail_memory(error, sizeof *sights, "sights");
    *sights = (snw_view_sights){.camera_count = camera_count,
                                .frame_count = frame_count,
                                .marker_count = marker_count,
                                .allocator = memory};
    snw_status status = snw_cameras_create(camera_count, allocator, &sights->cameras, error);
    if (status == SNW_OK)
        status = snw__block_create(&block, lay_out, sights, &memory, "sights", error);
    if (status != SNW_OK) {
        snw_cameras_destroy(sights->cameras);
        snw__release(&memory, sights, sizeof *sights);
        return status;
    }
    sights->block_size = block.size;
    *out = sights;
    return snw__succeed(error);
}

void snw_view_sights_destroy(snw_view_sights *sights)
{
    if (!sights) return;
    snw_allocator memory = sights->allocator;
    snw_cameras_destroy(sights->cameras);
    snw__release(&memory, sights->sight, sights->block_size);
    snw__release(&memory, sights, sizeof *sights);
}

snw_status snw__view_sights(const snw__viewing *v, const snw_trial *trial,
                            const snw_allocator *allocator, snw_error *error)
{
    const snw_views *views = v->views;
    snw_view_sights *sights = NULL;
    snw_status status = snw_view_sights_create(views->camera_count, views->frame_count,
                                               trial->marker_count, allocator, &sights, error);
    if (status != SNW_OK) return status;
    memcpy(sights->cameras->camera, v->cameras->camera,
           (size_t)views->camera_count * sizeof *sights->cameras->camera);
    snw_view_sight *sight = sights->sight;
    for (int m = 0; m < trial->marker_count; m++)
        snw_format(sights->name[m], sizeof *sights->name, "%s", trial->marker[m].name);
    for (int f = 0; f < views->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++)
            for (int c = 0; c < views->camera_count; c++, sight++) {
                snw_sighting seen;
                const snw__view_person *person = v->person + m / views->point_count;
                if (!snw__view_sighting(v, person, m % views->point_count, c, f, &seen)) continue;
                *sight =
                    (snw_view_sight){(float)seen.pixel[0], (float)seen.pixel[1], (float)seen.sigma};
            }
    *v->options.sights = sights;
    return SNW_OK;
}
