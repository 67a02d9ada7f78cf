// The centre of mass: a ball, the path it takes, pale where it has not been yet, and a line down to the floor.
import { type Color, Group, Vector3 } from "three";
import { Lines } from "./lines";
import { Balls } from "./points";

/** More pieces of a path than this nobody sees. */
const piecesMax = 2000;

export class MassPath {
  readonly group = new Group();
  private readonly lines = new Lines();
  private readonly ball = new Balls();
  private readonly place = new Vector3();

  constructor() {
    this.ball.resize(1);
    this.group.add(this.lines.object, this.ball.object);
  }

  /** row: (frame x 10), the place first; how: what a metre is in pixels, the ball's size, its colour and the paler one. */
  update(row: Float32Array, frame: number, how: { pixelsPerMetre: number; size: number; color: Color; pale: Color }): void {
    const count = row.length / 10;
    const step = Math.max(1, Math.ceil(count / piecesMax));
    this.lines.begin(count / step + 2);
    for (let f = step; f < count; f += step) this.lines.add(row, 10 * (f - step), 10 * f, how.color, how.pale, f > frame ? 0.6 : 0);
    const at = this.place.fromArray(row, 10 * frame).toArray();
    const lab = this.group.parent;
    const below = lab ? lab.worldToLocal(lab.localToWorld(this.place).setY(0)).toArray() : at;
    this.lines.add([...at, ...below], 0, 3, how.color);
    this.lines.end();
    this.ball.position.set(at);
    this.ball.set(0, how.color, how.size);
    this.ball.commit(how.pixelsPerMetre);
  }
}
