/* Any bytes as packets of live protocols: nothing but counts within their bounds, texts that end,
 * and numbers that are places. The first byte chooses the version of NatNet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

static void read_osc(const uint8_t *data, size_t size)
{
    snw_osc_message message;
    snw_vmc_bone bone;
    size_t at = 0;
    while (snw_osc_next(data, size, &at, &message, NULL)) {
        if (message.value_count < 0 || message.value_count > SNW_OSC_VALUES_MAX) abort();
        for (int k = 0; k < message.value_count; k++)
            if (message.value[k].type == 's' && strlen(message.value[k].text) > size) abort();
        if (snw_vmc_read(&message, &bone) && !isfinite(bone.place.x)) abort();
    }
    if (at != size && size > 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static snw_natnet_marker marker[SNW_NATNET_MARKERS_MAX];
    static char name[SNW_NATNET_MARKERS_MAX][SNW_PACKET_NAME];
    if (size == 0) return 0;
    snw_natnet state = {.major = 3 + data[0] % 2, .minor = data[0] / 2 % 2};
    state.marker = marker;
    state.name = name;
    read_osc(data + 1, size - 1);
    if (snw_natnet_read(&state, data + 1, size - 1, NULL) != SNW_OK) return 0;
    if (state.marker_count > SNW_NATNET_MARKERS_MAX || state.name_count > SNW_NATNET_MARKERS_MAX)
        abort();
    for (int m = 0; m < state.marker_count; m++)
        if (marker[m].is_seen && !isfinite(marker[m].place.x + marker[m].place.y)) abort();
    return 0;
}
