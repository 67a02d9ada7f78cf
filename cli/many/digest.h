/* What a file holds, as SHA-256 (FIPS 180-4): results are stale when what they were made from has
 * another digest, and a file is ours to replace only while it has the digest that we wrote.
 * Internal to cli/many. */
#ifndef SINEW_CLI_MANY_DIGEST_H
#define SINEW_CLI_MANY_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MANY_DIGEST_SIZE 65 /* hexadecimal digits and a zero */

typedef struct many_digest {
    uint32_t state[8];
    uint64_t size;
    unsigned char block[64];
} many_digest;

void many_digest_begin(many_digest *digest);
void many_digest_add(many_digest *digest, const void *bytes, size_t size);
/* With its zero, so that "ab", "c" and "a", "bc" differ. */
void many_digest_add_text(many_digest *digest, const char *text);
void many_digest_end(many_digest *digest, char hex[MANY_DIGEST_SIZE]);

/* Of a regular file; false, and "" in hex, when it is none or cannot be read whole. `follows`: a
 * symbolic link is looked through. */
bool many_digest_file(const char *path, bool follows, char hex[MANY_DIGEST_SIZE]);

#endif
