/* sinew/retarget.h - a motion carried to another character.
 *
 *     snw_retarget_report report;
 *     snw_retarget_options options = snw_retarget_options_default();
 *     options.report = &report;
 *     if (snw_motion_retarget(walk, body, &options, NULL, &motion, &error) == SNW_OK)
 *         printf("feet slide %.1f mm\n", 1000 * report.foot_slide);
 *
 * Bones are known by their names (sinew/rig.h). Both bodies are put in a T; every bone then turns
 * in the world as its counterpart does, hips and feet go the way of the other's, scaled by the
 * length of the legs, feet that stand are planted, hands are where the other's are, scaled by the
 * length of the arms. Robots with two legs need no names: legs and arms follow from the tree of
 * their hinges. Any thread.
 */
#ifndef SINEW_RETARGET_H
#define SINEW_RETARGET_H

#include <sinew/body.h>
#include <sinew/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_retarget_report {
    double scale;             /* length of the character's legs over that of the motion's body */
    int mapped_count;         /* joints of the character that follow one of the motion's */
    int still_count;          /* joints that stay at rest on their parent */
    int stance_count;         /* times that a foot stands, both feet */
    int planted_frame_count;  /* frames of feet that stand */
    double foot_slide;        /* largest way of a standing ankle from the middle of its stance, m */
    double foot_slide_before; /* the same of the motion itself */
    double foot_error;        /* largest distance of any ankle from where it should be, m */
    double hand_error;        /* the same of wrists, from the shoulder */
    double jump;              /* largest turn of a joint from frame to frame, radians */
    double jump_before;       /* the same of the motion itself */
    int limited_count;        /* joints times frames where a limit or the type of a joint cut in */
} snw_retarget_report;

typedef struct snw_retarget_options {
    snw_vec3 up;                 /* of the motion's world; +Y */
    snw_vec3 character_up;       /* of the character's; the new motion has it; +Y */
    bool has_feet;               /* plant feet, and put them where the other's are; true */
    bool has_hands;              /* put wrists where the other's are; true */
    snw_retarget_report *report; /* may be NULL */
    uint64_t reserved[4];        /* 0; later versions grow here */
} snw_retarget_options;

SNW_API snw_retarget_options snw_retarget_options_default(void);

/* The motion on the character's skeleton, which must outlive it. Joints keep their type and limits.
 * SNW_UNSUPPORTED where neither names nor, of the character, two mirrored chains of hinges tell
 * hips and both legs. A robot looks along +x at rest. */
SNW_API snw_status snw_motion_retarget(const snw_motion *motion, const snw_skeleton *character,
                                       const snw_retarget_options *options,
                                       const snw_allocator *allocator, snw_motion **out,
                                       snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
