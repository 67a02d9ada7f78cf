/* Markers inside a GLB: one node each under a common parent, with the mesh of an octahedron, a
 * translation over time and, where the marker has gaps, a scale that is 1 or 0 (STEP). */
#include "io/glb.h"

#include "io/motion_text.h"
#include "io/text_writer.h"

/* Metres: half a marker of 14 mm. */
#define GLB_MARKER_RADIUS 0.007f
enum {
    GLB_MARKER_VERTICES = 24
};

static bool is_shown(const snw__glb_markers *markers, int marker)
{
    for (int f = 0; f < markers->frame_count; f++)
        if (snw_trial_is_present(markers->trial, f, marker)) return true;
    return false;
}

static bool has_gaps(const snw__glb_markers *markers, int marker)
{
    for (int f = 0; f < markers->frame_count; f++)
        if (!snw_trial_is_present(markers->trial, f, marker)) return true;
    return false;
}

snw__glb_markers snw__glb_markers_of(const snw_write_options *options, int frame_count)
{
    snw__glb_markers markers = {options->markers, snw_quat_identity(), frame_count, 0, 0};
    if (!markers.trial) return markers;
    if (markers.frame_count > markers.trial->frame_count)
        markers.frame_count = markers.trial->frame_count;
    markers.turn = snw__turn_up_to_y(markers.trial->up);
    for (int m = 0; m < markers.trial->marker_count; m++) {
        if (!snw_trial_is_marker(markers.trial, m) || !is_shown(&markers, m)) continue;
        markers.count++;
        markers.channel_count += 1 + has_gaps(&markers, m);
    }
    /* A trial of fewer frames than the motion would need times of its own. */
    if (markers.frame_count < frame_count || markers.count == 0) markers.trial = NULL;
    return markers;
}

/* The next marker that goes into the file after `last`, -1 to start; -1 behind the last. */
static int next_marker(const snw__glb_markers *markers, int last)
{
    for (int m = last + 1; m < markers->trial->marker_count; m++)
        if (snw_trial_is_marker(markers->trial, m) && is_shown(markers, m)) return m;
    return -1;
}

void snw__glb_markers_sizes(const snw__glb_markers *markers, double size[3])
{
    size[0] = size[1] = markers->trial ? GLB_MARKER_VERTICES * 12 : 0;
    size[2] = markers->trial ? 12.0 * markers->channel_count * markers->frame_count : 0;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void snw__glb_markers_put_nodes(const snw__glb_markers *markers, const snw__glb_places *at,
                                snw__output *json)
{
    snw__put_string(json, ",{\"name\":\"markers\",\"children\":[");
    for (int n = 0; n < markers->count; n++)
        snw__put_text(json, "%s%d", n ? "," : "", at->node + 1 + n);
    snw__put_string(json, "]}");
    for (int m = next_marker(markers, -1); m >= 0; m = next_marker(markers, m)) {
        snw__put_string(json, ",{\"name\":");
        snw__glb_put_string(json, markers->trial->marker[m].name);
        snw__put_text(json, ",\"mesh\":%d}", at->mesh);
    }
}

void snw__glb_markers_put_mesh(const snw__glb_places *at, snw__output *json)
{
    snw__put_text(json,
                  ",{\"name\":\"marker\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,"
                  "\"NORMAL\":%d},\"material\":%d}]}",
                  at->accessor, at->accessor + 1, at->material);
}

void snw__glb_markers_put_accessors(const snw__glb_markers *markers, const snw__glb_places *at,
                                    snw__output *json)
{
    char radius[SNW_NUMBER_SIZE];
    snw_print_float(radius, GLB_MARKER_RADIUS);
    snw__put_text(json,
                  ",{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\","
                  "\"min\":[-%s,-%s,-%s],\"max\":[%s,%s,%s]}",
                  at->view, GLB_MARKER_VERTICES, radius, radius, radius, radius, radius, radius);
    snw__put_text(json,
                  ",{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"}",
                  at->view + 1, GLB_MARKER_VERTICES);
    for (int n = 0; n < markers->channel_count; n++)
        snw__put_text(json,
                      ",{\"bufferView\":%d,\"byteOffset\":%u,\"componentType\":5126,\"count\":%d,"
                      "\"type\":\"VEC3\"}",
                      at->view + 2, 12u * (unsigned)n * (unsigned)markers->frame_count,
                      markers->frame_count);
}

void snw__glb_markers_put_channels(const snw__glb_markers *markers, const snw__glb_places *at,
                                   snw__output *json)
{
    int sampler = at->sampler, node = at->node + 1;
    for (int m = next_marker(markers, -1); m >= 0; m = next_marker(markers, m), node++)
        for (int k = 0; k < 1 + has_gaps(markers, m); k++)
            snw__put_text(json, ",{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                          sampler++, node, k ? "scale" : "translation");
}

void snw__glb_markers_put_samplers(const snw__glb_markers *markers, const snw__glb_places *at,
                                   snw__output *json)
{
    int accessor = at->accessor + 2;
    for (int m = next_marker(markers, -1); m >= 0; m = next_marker(markers, m))
        for (int k = 0; k < 1 + has_gaps(markers, m); k++)
            snw__put_text(json, ",{\"input\":%d,\"interpolation\":\"%s\",\"output\":%d}", at->times,
                          k ? "STEP" : "LINEAR", accessor++);
}

/* ---- binary ---------------------------------------------------------------------------------- */

/* Corner `n` of the eight faces of an octahedron, and the normal of its face. */
static void put_octahedron(snw__output *output, bool is_normals)
{
    /* 1 / sqrt(3) */
    const float slope = 0.57735026919f;
    for (int face = 0; face < 8; face++) {
        const float side[3] = {face & 1 ? -1.0f : 1.0f, face & 2 ? -1.0f : 1.0f,
                               face & 4 ? -1.0f : 1.0f};
        /* Seen from outside the corners go round against the clock. */
        bool is_odd = side[0] * side[1] * side[2] < 0;
        for (int n = 0; n < 3; n++) {
            int axis = is_odd && n ? 3 - n : n;
            for (int k = 0; k < 3; k++) {
                float corner = k == axis ? side[k] * GLB_MARKER_RADIUS : 0;
                snw__glb_put_float(output, is_normals ? side[k] * slope : corner);
            }
        }
    }
}

void snw__glb_markers_put_binary(const snw__glb_markers *markers, snw__output *output)
{
    put_octahedron(output, false);
    put_octahedron(output, true);
    for (int m = next_marker(markers, -1); m >= 0; m = next_marker(markers, m)) {
        /* In a gap the marker waits where it was seen last, or will be seen first. */
        int seen = 0;
        while (!snw_trial_is_present(markers->trial, seen, m))
            seen++;
        for (int f = 0; f < markers->frame_count; f++) {
            if (snw_trial_is_present(markers->trial, f, m)) seen = f;
            snw_vec3 place =
                snw_quat_rotate(markers->turn, snw_trial_position(markers->trial, seen, m));
            snw__glb_put_float(output, (float)place.x);
            snw__glb_put_float(output, (float)place.y);
            snw__glb_put_float(output, (float)place.z);
        }
        if (has_gaps(markers, m)) {
            for (int f = 0; f < markers->frame_count; f++)
                for (int k = 0; k < 3; k++)
                    snw__glb_put_float(output, snw_trial_is_present(markers->trial, f, m));
        }
    }
}
