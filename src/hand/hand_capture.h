/* Captures of hands, for the files that make them. Internal. */
#ifndef SNW_HAND_HAND_CAPTURE_H
#define SNW_HAND_HAND_CAPTURE_H

#include <sinew/hand.h>

snw_status snw__hand_capture_create(int frame_count, const snw_allocator *allocator,
                                    snw_hand_capture **out, snw_error *error);
/* source[m] is the trial's marker for marker m of the hand, or -1. */
void snw__hand_capture_read(snw_hand_capture *capture, const snw_trial *trial, const int *source);
/* Unit, exchanged fingertips, side. */
void snw__hand_repair(snw_hand_capture *capture, snw_notes *notes);
double snw__hand_out_of_back(const snw_hand_capture *capture);
void snw__hand_repair_unit(snw_hand_capture *capture, snw_notes *notes);

#endif
