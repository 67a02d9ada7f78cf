/* Pictures and films as files: PNG, one picture or many in one file, GIF, WebM. Nothing but plain
 * bytes comes in. */
#ifndef SINEW_CLI_IMAGE_H
#define SINEW_CLI_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Draws picture n into pixel (height x width); false: it could not, and the film is given up. */
typedef bool film_source(void *context, int n, uint8_t (*pixel)[3]);

typedef struct film_strip {
    int width, height;
    int count;
    double rate; /* pictures a second, above 0 */
    film_source *draw;
    void *context;
} film_strip;

/* A picture where count is 1, else an animated PNG, which every browser plays and every other
 * program shows the first picture of. False: no memory, or the source gave up. */
bool film_write_png(const film_strip *strip, FILE *out);
/* At most 256 colours, chosen from all of the film; it is played again and again. */
bool film_write_gif(const film_strip *strip, FILE *out);
/* VP8, as every browser and player opens it. */
bool film_write_webm(const film_strip *strip, FILE *out);

/* zlib's form of `size` bytes into `out`, which holds film_packed_most(size); returns how many. */
size_t film_packed_most(size_t size);
size_t film_pack(const uint8_t *from, size_t size, uint8_t *out, uint32_t *table);
/* How many numbers the table of film_pack has. */
size_t film_pack_table(void);

#endif
