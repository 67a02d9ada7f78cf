/* A film's pictures as VP8 frames (RFC 6386), for webm.c. */
#ifndef SINEW_CLI_VP8_H
#define SINEW_CLI_VP8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct film_vp8 film_vp8;

/* NULL: no memory. */
film_vp8 *film_vp8_create(int width, int height);
void film_vp8_destroy(film_vp8 *vp8);

/* One picture (height x width): by itself, or as what changed since the one before. The bytes are
 * the coder's own and stay until the next call. False: no memory. */
bool film_vp8_encode(film_vp8 *vp8, uint8_t (*pixel)[3], bool is_key, const uint8_t **bytes,
                     size_t *size);

#endif
