/* WebM: VP8 in the boxes of Matroska (EBML, RFC 8794, RFC 9559). A box is its number, its size and
 * its bytes.
 *
 *     1A45DFA3  what the file is: "webm"
 *     18538067  the film
 *       1549A966  how long it is, in thousandths of a second
 *       1654AE6B  one track: V_VP8, width, height
 *       1C53BB6B  where the key pictures are: programs jump to them
 *       1F43B675  one cluster from each key picture to the next: its time, then A3: a picture each,
 *                 the track, its time after the cluster's (2 bytes, high first), 80: is key */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "film/image.h"
#include "film/vp8.h"

/* [chosen] A key picture every 50: two seconds to the next place to jump to. Times in a cluster are
 * below 32.768 s. */
enum {
    WEBM_KEY_EVERY = 50,
    WEBM_CLUSTER_MS = 30000
};

typedef struct webm_bytes {
    uint8_t *byte;
    size_t count, room;
    bool is_full;
} webm_bytes;

static void put_bytes(webm_bytes *to, const void *from, size_t count)
{
    if (to->count + count > to->room) {
        size_t room = 2 * (to->count + count);
        uint8_t *grown = to->is_full ? NULL : realloc(to->byte, room);
        if (!grown) {
            to->is_full = true;
            return;
        }
        to->byte = grown;
        to->room = room;
    }
    if (count) memcpy(to->byte + to->count, from, count);
    to->count += count;
}

/* The number's lowest `size` bytes, high first. */
static void put_whole(webm_bytes *to, uint64_t number, int size)
{
    uint8_t byte[8];
    for (int n = 0; n < size; n++)
        byte[n] = (uint8_t)(number >> 8 * (size - 1 - n));
    put_bytes(to, byte, (size_t)size);
}

/* Number and size of a box; sizes always in eight bytes, so that places are known beforehand. */
static void begin_box(webm_bytes *to, uint32_t number, size_t size)
{
    put_whole(to, number, number > 0xFFFFFF ? 4 : number > 0xFFFF ? 3 : number > 0xFF ? 2 : 1);
    put_whole(to, UINT64_C(1) << 56 | size, 8);
}

static void put_box(webm_bytes *to, uint32_t number, const void *from, size_t count)
{
    begin_box(to, number, count);
    put_bytes(to, from, count);
}

static void put_number_box(webm_bytes *to, uint32_t number, uint64_t value)
{
    begin_box(to, number, 8);
    put_whole(to, value, 8);
}

typedef struct webm_writer {
    const film_strip *strip;
    film_vp8 *vp8;
    uint8_t (*pixel)[3];
    webm_bytes pictures, cluster, cues, head; /* clusters so far; the one that grows */
    size_t *place;                            /* (count) of each cluster in `pictures` */
    uint64_t *time;                           /* (count) its milliseconds */
    int cluster_count;
} webm_writer;

static void end_cluster(webm_writer *w)
{
    put_box(&w->pictures, 0x1F43B675, w->cluster.byte, w->cluster.count);
    w->cluster.count = 0;
}

static bool put_picture(webm_writer *w, int n)
{
    const film_strip *strip = w->strip;
    uint64_t time = (uint64_t)(1000.0 * n / strip->rate + 0.5);
    uint64_t since = w->cluster_count ? time - w->time[w->cluster_count - 1] : 0;
    bool is_key = n % WEBM_KEY_EVERY == 0 || since > WEBM_CLUSTER_MS;
    const uint8_t *bytes;
    size_t size;
    if (!strip->draw(strip->context, n, w->pixel) ||
        !film_vp8_encode(w->vp8, w->pixel, is_key, &bytes, &size))
        return false;
    if (is_key) {
        if (w->cluster_count) end_cluster(w);
        w->place[w->cluster_count] = w->pictures.count;
        w->time[w->cluster_count++] = time;
        put_number_box(&w->cluster, 0xE7, time);
        since = 0;
    }
    begin_box(&w->cluster, 0xA3, size + 4);
    put_whole(&w->cluster, 0x81, 1);
    put_whole(&w->cluster, since, 2);
    put_whole(&w->cluster, is_key ? 0x80 : 0, 1);
    put_bytes(&w->cluster, bytes, size);
    return !w->cluster.is_full && !w->pictures.is_full;
}

/* A row for each cluster; `before`: bytes of the film that stand before the clusters. */
static void list_clusters(webm_writer *w, size_t before)
{
    enum {
        ROW = 4 * 9 + 3 * 8 /* heads of four boxes, and what three of them hold */
    };
    w->cues.count = 0;
    begin_box(&w->cues, 0x1C53BB6B, (size_t)w->cluster_count * ROW + (size_t)w->cluster_count * 9);
    for (int n = 0; n < w->cluster_count; n++) {
        begin_box(&w->cues, 0xBB, ROW);
        put_number_box(&w->cues, 0xB3, w->time[n]);
        begin_box(&w->cues, 0xB7, 2 * 17);
        put_number_box(&w->cues, 0xF7, 1);
        put_number_box(&w->cues, 0xF1, before + w->place[n]);
    }
}

static void describe_film(webm_writer *w)
{
    const film_strip *strip = w->strip;
    webm_bytes inner = {NULL, 0, 0, false}, track = {NULL, 0, 0, false};
    double length = 1000.0 * strip->count / strip->rate;
    uint64_t bits;
    memcpy(&bits, &length, sizeof bits);
    put_number_box(&inner, 0x2AD7B1, 1000000); /* nanoseconds in what times count */
    put_number_box(&inner, 0x4489, bits);
    put_box(&inner, 0x4D80, "sinew", 5);
    put_box(&inner, 0x5741, "sinew", 5);
    put_box(&w->head, 0x1549A966, inner.byte, inner.count);
    inner.count = 0;
    put_number_box(&inner, 0xB0, (uint64_t)strip->width);
    put_number_box(&inner, 0xBA, (uint64_t)strip->height);
    put_number_box(&track, 0xD7, 1);
    put_number_box(&track, 0x73C5, 1);
    put_number_box(&track, 0x83, 1); /* pictures */
    put_number_box(&track, 0x9C, 0); /* one picture to a box */
    put_box(&track, 0x86, "V_VP8", 5);
    put_number_box(&track, 0x23E383, (uint64_t)(1e9 / strip->rate + 0.5));
    put_box(&track, 0xE0, inner.byte, inner.count);
    inner.count = 0;
    put_box(&inner, 0xAE, track.byte, track.count);
    put_box(&w->head, 0x1654AE6B, inner.byte, inner.count);
    w->head.is_full |= inner.is_full | track.is_full;
    free(inner.byte);
    free(track.byte);
}

static bool put_film(webm_writer *w, FILE *out)
{
    webm_bytes file = {NULL, 0, 0, false}, kind = {NULL, 0, 0, false};
    for (int n = 0; n < w->strip->count; n++)
        if (!put_picture(w, n)) return false;
    end_cluster(w);
    describe_film(w);
    list_clusters(w, 0);
    list_clusters(w, w->head.count + w->cues.count); /* its size does not depend on the places */
    put_number_box(&kind, 0x4286, 1);
    put_number_box(&kind, 0x42F7, 1);
    put_number_box(&kind, 0x42F2, 4); /* bytes of numbers and sizes of boxes at the most */
    put_number_box(&kind, 0x42F3, 8);
    put_box(&kind, 0x4282, "webm", 4);
    put_number_box(&kind, 0x4287, 2);
    put_number_box(&kind, 0x4285, 2);
    put_box(&file, 0x1A45DFA3, kind.byte, kind.count);
    begin_box(&file, 0x18538067, w->head.count + w->cues.count + w->pictures.count);
    bool is_fine = !(file.is_full || kind.is_full || w->head.is_full || w->cues.is_full ||
                     w->pictures.is_full || w->cluster.is_full);
    const webm_bytes *parts[] = {&file, &w->head, &w->cues, &w->pictures};
    for (int n = 0; is_fine && n < 4; n++)
        fwrite(parts[n]->byte, 1, parts[n]->count, out);
    free(file.byte);
    free(kind.byte);
    return is_fine;
}

bool film_write_webm(const film_strip *strip, FILE *out)
{
    webm_writer w = {.strip = strip};
    w.vp8 = film_vp8_create(strip->width, strip->height);
    w.pixel = malloc((size_t)strip->width * (size_t)strip->height * sizeof *w.pixel);
    w.place = calloc((size_t)strip->count, sizeof *w.place);
    w.time = calloc((size_t)strip->count, sizeof *w.time);
    bool is_fine = w.vp8 && w.pixel && w.place && w.time && put_film(&w, out);
    film_vp8_destroy(w.vp8);
    free(w.pixel);
    free(w.place);
    free(w.time);
    free(w.pictures.byte);
    free(w.cluster.byte);
    free(w.cues.byte);
    free(w.head.byte);
    return is_fine;
}
