/* The limits of a joint in degrees, as text and as JSON. */
#ifndef SNW_CLI_LIMITS_H
#define SNW_CLI_LIMITS_H

#include "command.h"

/* "bends -18 to 57", "swing 6 13 56 11, twist -10 to 12", "free". Returns `text`. */
const char *cli_limits_text(const snw_joint *joint, char *text, size_t size);
/* The same as a phrase: "swings up to 56 deg (to its four sides 6, 13, 56, 11), twists from -10 to
 * 12 deg". Returns `text`. */
const char *cli_limits_words(const snw_joint *joint, char *text, size_t size);
/* axis, and limits_deg with what the joint has of range, range2, cone and twist. */
void cli_limits_json(cli_json *json, const snw_joint *joint);

#endif
