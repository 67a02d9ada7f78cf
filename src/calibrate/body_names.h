/* Names for the segments of a body that has none. Internal. */
#ifndef SNW_CALIBRATE_BODY_NAMES_H
#define SNW_CALIBRATE_BODY_NAMES_H

#include "calibrate/joint_tree.h"
#include "label/label_grammar.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"
#include "segment/segment_methods.h"

/* Do the segments have no names but "segment7"? */
bool snw__segments_are_nameless(const snw_segments *segments);

/* How sure the names are. */
typedef enum snw__body_names_kind {
    SNW__NAMES_BY_PLACE,      /* no person: Root, A1, A2, B1 */
    SNW__NAMES_OF_PERSON,     /* Hips, LeftUpLeg */
    SNW__NAMES_WITHOUT_SIDES, /* the same, but left may be right */
} snw__body_names_kind;

/* label (segment_count) receives the names of all segments of the tree. Fails only for want of
 * memory. */
snw_status snw__body_names(const snw__joint_tree *tree, const snw__samples *samples,
                           const snw__rigids *rigids, snw__label_name *label,
                           snw__body_names_kind *kind, snw_error *error);

#endif
