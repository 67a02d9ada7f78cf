#include "many/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* FIPS 180-4, 6.2.2: the compression of one block. */
static void compress(uint32_t state[8], const unsigned char *block)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t w[64], v[8];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10) + w[t - 7] +
               (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 16];
    }
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t e = v[4], a = v[0];
        uint32_t one = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                       ((e & v[5]) ^ (~e & v[6])) + k[t] + w[t];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int n = 0; n < 8; n++)
        state[n] += v[n];
}

void many_digest_begin(many_digest *digest)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(digest->state, start, sizeof start);
    digest->size = 0;
}

void many_digest_add(many_digest *digest, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        size_t at = digest->size % 64, part = 64 - at < size ? 64 - at : size;
        memcpy(digest->block + at, from, part);
        digest->size += part;
        if (at + part == 64) compress(digest->state, digest->block);
        from += part;
        size -= part;
    }
}

void many_digest_add_text(many_digest *digest, const char *text)
{
    many_digest_add(digest, text, strlen(text) + 1);
}

void many_digest_end(many_digest *digest, char hex[MANY_DIGEST_SIZE])
{
    uint64_t bits = 8 * digest->size;
    unsigned char length[8];
    for (int n = 0; n < 8; n++)
        length[n] = (unsigned char)(bits >> (56 - 8 * n));
    many_digest_add(digest, "\x80", 1);
    while (digest->size % 64 != 56)
        many_digest_add(digest, "", 1);
    many_digest_add(digest, length, sizeof length);
    for (int n = 0; n < 64; n++)
        hex[n] = "0123456789abcdef"[digest->state[n / 8] >> (28 - 4 * (n % 8)) & 15];
    hex[64] = 0;
}

bool many_digest_file(const char *path, bool follows, char hex[MANY_DIGEST_SIZE])
{
    struct stat about;
    many_digest digest;
    unsigned char part[1 << 15];
    ssize_t got = -1;
    hex[0] = 0;
    /* O_NONBLOCK: a pipe that was put there does not hold us up. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW));
    if (file < 0) return false;
    many_digest_begin(&digest);
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        while ((got = read(file, part, sizeof part)) > 0 || (got < 0 && errno == EINTR))
            if (got > 0) many_digest_add(&digest, part, (size_t)got);
    close(file);
    if (got == 0) many_digest_end(&digest, hex);
    return got == 0;
}
