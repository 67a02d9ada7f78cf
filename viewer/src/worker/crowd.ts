// Many problems at once: a thousand bodies that follow targets of their own, solved in lanes, and the map of what a joint reaches.
import type { Goal, IkBatch, Sinew, Skeleton } from "sinew";
import type { CrowdAnswer, CrowdRequest, ReachMapAnswer, ReachMapRequest } from "../protocol";
import { goalOf } from "./reach";

export class Crowd {
  private batch: IkBatch | null = null;
  /** Of a goal at every joint and at every tip: where they are. */
  private points: IkBatch | null = null;
  private key = "";
  private value = new Float32Array();

  constructor(private readonly sinew: Sinew) {}

  forget(): void {
    this.batch?.dispose();
    this.points?.dispose();
    this.batch = this.points = null;
    this.key = "";
  }

  /** Body n stands at place n, and its targets are those of the goals, drawn towards its root by `near`, moved as body n is and by offset n. */
  solve(body: Skeleton, { goals, useLimits, tolerance, near, places, offsets }: CrowdRequest): CrowdAnswer {
    const { sinew } = this;
    const count = places.length / 3;
    const made = goals.map((goal) => goalOf(sinew, goal));
    const joints = everyPoint(sinew, body);
    const key = JSON.stringify([goals.map((g) => [g.kind, g.joint]), useLimits, tolerance, count]);
    if (key !== this.key || !this.batch || !this.points) {
      this.forget();
      this.batch = sinew.ikBatchCreate({ skeleton: body, goal: made, goalCount: made.length }, { ik: { ...sinew.ikOptionsDefault(), useLimits, tolerance } });
      this.points = sinew.ikBatchCreate({ skeleton: body, goal: joints, goalCount: joints.length });
      this.value = new Float32Array(count * body.dofCount);
      this.key = key;
    }
    const target = new Float32Array(3 * goals.length * count);
    const root = new Float32Array(7 * count);
    for (let n = 0; n < count; n++) {
      root.set([1, 0, 0, 0, places[3 * n], places[3 * n + 1], places[3 * n + 2]], 7 * n);
      goals.forEach(({ position }, g) => {
        for (let axis = 0; axis < 3; axis++) target[3 * (goals.length * n + g) + axis] = near * position[axis] + places[3 * n + axis] + offsets[3 * n + axis];
      });
    }
    const here = { rotation: { w: 1, x: 0, y: 0, z: 0 }, translation: { x: 0, y: 0, z: 0 } };
    const job = { problemCount: count, target, root, value: this.value };
    const reached = new Int32Array(1);
    const outcome = new Uint8Array(count);
    const start = performance.now();
    sinew.ikBatchSolve(this.batch, here, { ...job, outcome }, reached);
    const milliseconds = performance.now() - start;
    const frame = new Float32Array(7 * joints.length * count);
    sinew.ikBatchForward(this.points, here, { problemCount: count, root, value: this.value }, { frame });
    const position = new Float32Array(3 * joints.length * count);
    for (let n = 0; n < joints.length * count; n++) position.set(frame.subarray(7 * n + 4, 7 * n + 7), 3 * n);
    return { position, pointCount: joints.length, outcome, reached: reached[0], milliseconds, path: sinew.ikBatchPath(this.batch) };
  }

  /** The share of six directions in which a joint's point reaches each cube. */
  map(body: Skeleton, { joint, point, useLimits }: ReachMapRequest): ReachMapAnswer {
    const { sinew } = this;
    using map = sinew.reachMapCreate(body, joint, {
      batch: { ...sinew.ikBatchOptionsDefault(), ik: { ...sinew.ikOptionsDefault(), useLimits } },
      point: { x: point[0], y: point[1], z: point[2] }, directionCount: 6,
    });
    const { first, count, cell, volume, problemCount } = map;
    const share = sinew.view("f32", map.share, count[0] * count[1] * count[2]).slice();
    return { first: [first.x, first.y, first.z], count: [...count], cell, share, volume, problemCount };
  }
}

/** A goal at the origin of every joint, then one at every tip, in the order of the joints. */
function everyPoint(sinew: Sinew, body: Skeleton): Goal[] {
  const zero = { x: 0, y: 0, z: 0 };
  const goals = Array.from({ length: body.jointCount }, (_, j) => sinew.goalPosition(j, zero, zero));
  for (let j = 0; j < body.jointCount; j++)
    if (body.hasTip[j]) goals.push(sinew.goalPosition(j, { x: body.tip[3 * j], y: body.tip[3 * j + 1], z: body.tip[3 * j + 2] }, zero));
  return goals;
}
