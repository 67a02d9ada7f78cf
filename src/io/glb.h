/* What the files of the GLB writer share: little-endian numbers, and the markers that may go with a
 * body. Internal to io. */
#ifndef SNW_IO_GLB_H
#define SNW_IO_GLB_H

#include "io/formats.h"

void snw__glb_put_u32(snw__output *output, uint32_t value);
void snw__glb_put_float(snw__output *output, float value);
/* A JSON string; bytes that are no UTF-8 are taken as Latin-1. */
void snw__glb_put_string(snw__output *json, const char *text);

/* Markers of a capture as small octahedra that move with the body and vanish where they were not
 * seen. Markers that are never seen are left out. */
typedef struct snw__glb_markers {
    const snw_trial *trial; /* NULL: none */
    snw_quat turn;          /* file from the trial's world */
    int frame_count;        /* of the motion: the trial may be longer */
    int count;              /* that are seen at all */
    int channel_count;      /* a place for each, and a size for those with gaps */
} snw__glb_markers;

/* Where the markers' parts stand in the lists of the file. */
typedef struct snw__glb_places {
    int node; /* their common parent; the markers follow */
    int mesh; /* of one marker */
    int material;
    int view;     /* vertices, normals, animation */
    int accessor; /* the same: vertices, normals, one for each channel */
    int times;    /* accessor */
    int sampler;
} snw__glb_places;

snw__glb_markers snw__glb_markers_of(const snw_write_options *options, int frame_count);
/* Bytes of the three views. */
void snw__glb_markers_sizes(const snw__glb_markers *markers, double size[3]);

/* Each with a comma before it. */
void snw__glb_markers_put_nodes(const snw__glb_markers *markers, const snw__glb_places *at,
                                snw__output *json);
void snw__glb_markers_put_mesh(const snw__glb_places *at, snw__output *json);
void snw__glb_markers_put_accessors(const snw__glb_markers *markers, const snw__glb_places *at,
                                    snw__output *json);
void snw__glb_markers_put_channels(const snw__glb_markers *markers, const snw__glb_places *at,
                                   snw__output *json);
void snw__glb_markers_put_samplers(const snw__glb_markers *markers, const snw__glb_places *at,
                                   snw__output *json);
/* The three views. */
void snw__glb_markers_put_binary(const snw__glb_markers *markers, snw__output *output);

#endif
