// FABRIK's two sweeps over one chain of points, for the picture: the answer itself comes from the library.
// Inwards the end takes the target and every joint follows at bone length; outwards the base goes back and every joint follows
// again (Aristidou & Lasenby 2011).

export type Point = [number, number, number];

const toward = (from: Point, to: Point, length: number): Point => {
  const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const size = Math.hypot(...d) || 1;
  return [from[0] + (d[0] / size) * length, from[1] + (d[1] / size) * length, from[2] + (d[2] / size) * length];
};

export function sweeps(points: Point[], target: Point): { inwards: Point[]; outwards: Point[] } {
  const length = points.slice(1).map((p, n) => Math.hypot(p[0] - points[n][0], p[1] - points[n][1], p[2] - points[n][2]));
  const inwards = points.map((p): Point => [...p]);
  inwards[inwards.length - 1] = [...target];
  for (let n = inwards.length - 2; n >= 0; n--) inwards[n] = toward(inwards[n + 1], inwards[n], length[n]);
  const outwards = inwards.map((p): Point => [...p]);
  outwards[0] = [...points[0]];
  for (let n = 1; n < outwards.length; n++) outwards[n] = toward(outwards[n - 1], outwards[n], length[n - 1]);
  return { inwards, outwards };
}
