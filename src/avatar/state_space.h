/* Looking up the table of states. Internal. */
#ifndef SNW_AVATAR_STATE_SPACE_H
#define SNW_AVATAR_STATE_SPACE_H

#include <sinew/avatar.h>

/* Where a hand is and how it is turned, as cells of the two octrees. */
typedef struct snw__space_key {
    uint8_t place[3]; /* 0..255 */
    uint8_t turn[3];  /* 0..63 */
} snw__space_key;

snw__space_key snw__space_key_make(snw_vec3 wrist_in_chest, snw_quat hand_in_chest, int side);
/* Mean elbow of the cell or of the nearest one that counts, in the chest's frame. False when there
 * is none at all. */
bool snw__space_find(const snw_state_space *space, int side, const snw__space_key *key,
                     snw_vec3 *elbow);

#endif
