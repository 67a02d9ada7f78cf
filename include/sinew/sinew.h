/* sinew/sinew.h - the whole library. Include this, or only the rooms you use. */
#ifndef SINEW_H
#define SINEW_H

#include <sinew/base.h>
#include <sinew/body.h>
#include <sinew/centers.h>
#include <sinew/cga.h>
#include <sinew/dense.h>
#include <sinew/geometry.h>
#include <sinew/ik.h>
#include <sinew/io.h>
#include <sinew/math.h>
#include <sinew/mocap.h>
#include <sinew/synth.h>
#include <sinew/trial.h>

#endif
