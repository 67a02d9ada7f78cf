/* A body onto the pictures themselves. Internal to solve. */
#ifndef SNW_SOLVE_PIXELS_H
#define SNW_SOLVE_PIXELS_H

#include "solve/solving.h"

/* Fits body->motion to what cameras saw of the body's markers, and body->kept too (bones, and where
 * keypoints lie on their segments) where the actor was not given. Sets body->pixels. */
snw_status snw__solve_pixels(const snw__solving *solving, snw_solved_body *body);

#endif
