// Which way is up where no file says it: people stand or sit with their heads above their hips most of the time.
import type { BodyData } from "../protocol";

const isHead = /head|neck/i;
const isHips = /hips|pelvis/i;
const looks = 40;

/** SNW_UP_*: 1 x, 2 y, 3 z, 4 to 6 their opposites; 0: the joints do not tell. */
export function uprightAxis(bodies: BodyData[]): number {
  const sum = [0, 0, 0];
  for (const { joints, world, frameCount } of bodies) {
    const head = joints.findIndex(({ name }) => isHead.test(name));
    const hips = joints.findIndex(({ name }) => isHips.test(name));
    if (head < 0 || hips < 0) continue;
    for (let n = 0; n < looks; n++) {
      const at = Math.floor((n * (frameCount - 1)) / (looks - 1)) * joints.length;
      for (let k = 0; k < 3; k++) sum[k] += world[7 * (at + head) + k] - world[7 * (at + hips) + k];
    }
  }
  const largest = Math.max(...sum.map(Math.abs));
  const axis = sum.findIndex((value) => Math.abs(value) === largest);
  return largest > 0 ? 1 + axis + (sum[axis] < 0 ? 3 : 0) : 0;
}
