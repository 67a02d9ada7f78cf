// Force plates as the library reads them: corners, and for every frame the force on the body and where it acts.
import type { ForcePlate, Sinew, Trial } from "sinew";
import type { PlateData } from "../protocol";

export function forcePlates(sinew: Sinew, trial: Trial): PlateData[] {
  const plates: PlateData[] = [];
  for (let index = 0; index < sinew.forcePlateCount(trial); index++) {
    const plate = {} as ForcePlate;
    try {
      sinew.forcePlateRead(trial, index, plate, null);
    } catch {
      continue; // a plate that its file describes wrongly is not drawn
    }
    sinew.forcePlateZero(plate, trial);
    plates.push({ corners: plate.corner.map(({ x, y, z }) => [x, y, z]), ...forces(sinew, trial, plate) });
  }
  return plates;
}

/** The first analog sample of every frame. */
function forces(sinew: Sinew, trial: Trial, plate: ForcePlate): { force: Float32Array; point: Float32Array } {
  const frames = trial.analogPerFrame ? trial.frameCount : 0;
  const force = new Float32Array(3 * frames);
  const point = new Float32Array(3 * frames).fill(NaN);
  const kept = sinew.keep("snw_force_plate", plate);
  for (let frame = 0; frame < frames; frame++) {
    const wrench = sinew.forcePlateWrench(kept as never, trial, frame, 0);
    force.set([wrench.force.x, wrench.force.y, wrench.force.z], 3 * frame);
    if (wrench.hasCenter) point.set([wrench.center.x, wrench.center.y, wrench.center.z], 3 * frame);
  }
  sinew.forget(kept);
  return { force, point };
}
