// Captures that are made on the spot: a body moves, markers ride along, some are not seen for a while.
import type { Sinew, Synth, Trial } from "sinew";
import { SampleState, Side } from "sinew";

const rate = 120;

function synth(sinew: Sinew, motion: string, seconds: number, hasGaps = true): Synth {
  using body = sinew.presetCreate(motion === "gestures" ? "hand25" : "humanoid");
  const gap = (target: string, markerCount: number, firstFrame: number, frameCount: number) => ({ target, markerCount, firstFrame, frameCount });
  const hidden = [gap("LWRA", 0, 150, 70), gap("right_knee", 1, 320, 90), gap("LFHD", 0, 60, 45), gap("right_elbow", 1, 480, 60)];
  const gaps = hasGaps ? hidden.filter(({ firstFrame, frameCount }) => firstFrame + frameCount < seconds * rate) : []; // short ones have fewer
  return sinew.synthCreate(body, null, { motion: sinew.synthMotionFind(motion), seconds, rate, gap: gaps as never, wobble: 0.001, noise: 0.0003 });
}

/** Metres between two who box. */
const apart = 2.2;

/** Two people who face each other, each with a name before the labels. */
function pair(sinew: Sinew, seconds: number): Trial {
  using one = synth(sinew, "boxing", seconds);
  using other = synth(sinew, "dance", seconds, false);
  const { markerCount, frameCount } = one.capture;
  const both = sinew.trialPick(one.capture, [...Array(markerCount).keys(), ...Array(other.capture.markerCount).fill(-1)]);
  const { sample, state, marker, metresPerUnit } = other.capture;
  for (let m = 0; m < markerCount; m++) sinew.trialSetMarkerName(both, m, `Ann:${one.capture.marker[m].name}`);
  marker.forEach(({ name }, m) => {
    sinew.trialSetMarkerName(both, markerCount + m, `Joe:${name}`);
    for (let f = 0; f < frameCount; f++) {
      const at = f * marker.length + m;
      const [x, y, z] = sample.subarray(4 * at, 4 * at + 3).map((v) => v * metresPerUnit);
      if (state[at] !== SampleState.MISSING) sinew.trialSet(both, f, markerCount + m, { x: -x, y, z: apart - z }, SampleState.MEASURED);
    }
  });
  return both;
}

function hand(sinew: Sinew, seconds: number): Trial {
  using made = synth(sinew, "gestures", seconds, false);
  const { markers, joints } = sinew.synthHand(made.motion, { side: Side.RIGHT });
  joints?.dispose();
  return markers;
}

function trackers(sinew: Sinew, seconds: number): Trial {
  using made = synth(sinew, "boxing", seconds, false);
  return sinew.synthTrackers(made.motion, { trackerCount: 4 });
}

/** The capture that an example's name asks for: a motion of `synth`, or one of these. The caller disposes of it. */
export function example(sinew: Sinew, name: string, seconds: number): Trial {
  if (name === "pair") return pair(sinew, seconds);
  if (name === "hand" || name === "gestures") return hand(sinew, seconds);
  if (name === "avatar") return trackers(sinew, seconds);
  using made = synth(sinew, name, seconds);
  return sinew.trialCopy(made.capture);
}
