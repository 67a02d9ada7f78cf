/* A style on an actor's skeleton. Internal.
 *
 * An actor rests as its capture had it, a style is of bodies that rest in a T with all frames as
 * the world's: what `sinew solve` writes (sinew/rig.h). With T_j the turn of joint j's frame in the
 * T, p its parent and r_j its rest, a joint that turns by q turns there by T_p r_j q T_j~. */
#ifndef SNW_TRACK_STYLE_BODY_H
#define SNW_TRACK_STYLE_BODY_H

#include "base/memory.h"
#include "style/style_condition.h"

typedef struct snw__style_body {
    const snw_style *style;
    const snw_skeleton *skeleton;
    snw_vec3 up;      /* in the world of the poses; zero: not known */
    int *joint_of;    /* (joint_count of the style) -1: the body has none of that name and rest */
    int *style_of;    /* (joint_count) -1 */
    snw_quat *before; /* (joint_count) T_p r_j */
    snw_quat *after;  /* (joint_count) T_j~ */
    int match_count;
} snw__style_body;

/* Takes the arrays; style, skeleton and up are set by the caller. */
void snw__style_body_lay_out(snw__style_body *body, snw__block *block);
/* Finds the joints. SNW_NOT_FOUND: too few to tell the others. */
snw_status snw__style_body_match(snw__style_body *body, const snw_allocator *allocator,
                                 snw_error *error);

/* The turn of a joint of the body as the style sees it, and the inverse. */
snw_quat snw__style_body_turn(const snw__style_body *body, int joint, snw_quat rotation);
snw_quat snw__style_body_rotation(const snw__style_body *body, int joint, snw_quat turn);
/* Features (feature_count of the style) of all joints that are there, 0 for the others. rotation
 * (joint_count), root: of the pose. */
void snw__style_body_features(const snw__style_body *body, const snw_quat *rotation, snw_quat root,
                              double *features);
/* Which features are known (feature_count) when these joints (joint_count) are seen. Returns how
 * many of the style's joints that are. */
int snw__style_body_known(const snw__style_body *body, const bool *is_seen, bool *is_known);
/* Whether that many tell anything of the others. */
bool snw__style_body_is_told(const snw__style_body *body, int known);

/* The rotation vector from one turn to another, in the frame of the first. */
static inline snw_vec3 snw__turn_between(snw_quat from, snw_quat to)
{
    return snw_quat_log(snw_quat_mul(snw_quat_conjugate(from), to));
}

/* What a style expects of one joint: its turn and the standard deviation of that, radians. */
typedef struct snw__style_expected_turn {
    snw_quat turn;
    double deviation;
} snw__style_expected_turn;
/* From the mean and variance (or NULL: deviation is 0) of a snw__style_condition. */
snw__style_expected_turn snw__style_body_expect(const snw__style_body *body, int joint,
                                                const double *mean, const double *variance);

#endif
