/* sinew/sinew.h - the whole library. Include this, or only the modules you use. */
#ifndef SINEW_H
#define SINEW_H

#include <sinew/actor.h>
#include <sinew/angles.h>
#include <sinew/avatar.h>
#include <sinew/base.h>
#include <sinew/body.h>
#include <sinew/calibrate.h>
#include <sinew/center.h>
#include <sinew/cga.h>
#include <sinew/collide.h>
#include <sinew/dense.h>
#include <sinew/dynamics.h>
#include <sinew/filter.h>
#include <sinew/force.h>
#include <sinew/functional.h>
#include <sinew/gait.h>
#include <sinew/gait_model.h>
#include <sinew/geometry.h>
#include <sinew/hand.h>
#include <sinew/hidden.h>
#include <sinew/ik.h>
#include <sinew/ik_servo.h>
#include <sinew/io.h>
#include <sinew/join.h>
#include <sinew/judge.h>
#include <sinew/label.h>
#include <sinew/math.h>
#include <sinew/measure.h>
#include <sinew/osim.h>
#include <sinew/packet.h>
#include <sinew/person.h>
#include <sinew/recognise.h>
#include <sinew/retarget.h>
#include <sinew/rig.h>
#include <sinew/rigid.h>
#include <sinew/segment.h>
#include <sinew/skin.h>
#include <sinew/solid.h>
#include <sinew/solve.h>
#include <sinew/style.h>
#include <sinew/synth.h>
#include <sinew/track.h>
#include <sinew/trial.h>

#endif
