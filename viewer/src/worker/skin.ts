// A person's surface on the skeleton that is shown: made by the library, handed over as a GLB has it.
import type { Actor, FigureOptions, Mesh, Motion, RigOptions, Sinew, Skeleton, Subject, Trial } from "sinew";
import { FormatKind, Part, Side, SubjectParameter, SubjectSource, UpAxis } from "sinew";
import type { MassData, SkinData } from "../protocol";

/** Of the triangles, in statures: coarse enough to be made in half a second and drawn sixty times a second. */
const cellOfStature = 1 / 125;

/** Which way the thumbs lie, where the markers of the wrists tell. */
export function thumbsOf(sinew: Sinew, actor: Actor | null): Partial<RigOptions> {
  return actor ? { thumb: [sinew.actorThumb(actor, Side.LEFT), sinew.actorThumb(actor, Side.RIGHT)] } : {};
}

/** What the file of somebody's capture says of mass and stature; nothing of a capture of several. */
function personOf(sinew: Sinew, capture: Trial | null): Partial<FigureOptions> {
  if (!capture) return {};
  const subject = {} as Subject;
  sinew.subjectRead(subject, capture, SubjectSource.FROM_FILE);
  return { mass: subject.value[SubjectParameter.BODY_MASS]![0]!, stature: subject.value[SubjectParameter.HEIGHT]![0]! };
}

/** Null where it is neither a person with arms and legs nor a hand: nobody wants half a mannequin. */
export function skinOf(sinew: Sinew, motion: Motion, actor: Actor | null, capture: Trial | null): SkinData | null {
  const { skeleton } = motion;
  const parts = skeleton.name.map((_, j) => sinew.rigPartOf(skeleton, j, null));
  const isHand = sinew.figureIsHand(skeleton);
  if (!isHand && parts.filter((part) => part === Part.ARM).length < 2) return null;
  const { boneLength } = skeleton;
  const stature = parts.reduce((sum, part, j) => sum + (part === Part.LEG || part === Part.FOOT ? boneLength[j] : 0), 0); // two legs are about one
  try {
    using still = sinew.motionCreate(skeleton, 1, 1);
    using rig = isHand ? sinew.motionCreate(skeleton, 1, 1) : sinew.motionToRig(still, { hasTPose: true, ...thumbsOf(sinew, actor) });
    const figure = { ...personOf(sinew, capture), cell: Math.min(0.1, Math.max(0.003, stature * cellOfStature)) };
    using mesh = sinew.figureCreate(rig.skeleton, figure, null);
    using skin = sinew.skinCreate(mesh, rig.skeleton, { hasParts: true });
    return { ...surfaceIn(sinew.writeMotion(rig, FormatKind.GLB, { skin, up: UpAxis.Y })), bind: bindOf(sinew, skeleton, rig), mass: massOf(sinew, motion, mesh, figure) };
  } catch {
    return null; // names or proportions of no person
  }
}

/** The surface cut at the joints, by the densities of its parts. */
function massOf(sinew: Sinew, motion: Motion, mesh: Mesh, figure: Partial<FigureOptions>): MassData {
  using heavy = sinew.motionWeigh(motion, mesh, figure);
  const joint = Float32Array.from(heavy.skeleton.mass);
  if (motion.frameCount < 2) return { joint, row: new Float32Array() };
  using table = sinew.tableFromMomentum(heavy);
  return { joint, row: Float32Array.from(table.value) };
}

/** Per joint x y z, qx qy qz qw: takes a point of the surface at rest, in its T, into the joint's own frame. */
function bindOf(sinew: Sinew, skeleton: Skeleton, rig: Motion): Float32Array {
  using own = sinew.poseCreate(skeleton);
  using stands = sinew.poseCreate(rig.skeleton);
  sinew.poseReset(own);
  sinew.poseReset(stands);
  const places = stands.world.slice();
  // How a joint of the rig, from where the surface was made round it, is turned against the shown one is the same in every pose.
  sinew.motionGet(rig, 0, stands);
  sinew.poseForward(stands);
  const out = new Float32Array(7 * skeleton.jointCount);
  for (let at = 0; at < out.length; at += 7) {
    const [from, to, rest] = [own.world, stands.world, places].map(([...world]) => ({ w: world[at], x: world[at + 1], y: world[at + 2], z: world[at + 3] }));
    const turn = sinew.quatMul(sinew.quatConjugate(from), sinew.quatMul(to, sinew.quatConjugate(rest)));
    const shift = sinew.quatRotate(turn, { x: -places[at + 4], y: -places[at + 5], z: -places[at + 6] });
    out.set([shift.x, shift.y, shift.z, turn.x, turn.y, turn.z, turn.w], at);
  }
  return out;
}

/** The arrays of the one mesh in a GLB of ours: a chunk of JSON, then one of bytes. */
function surfaceIn(glb: Uint8Array): Omit<SkinData, "bind" | "mass"> {
  const words = new DataView(glb.buffer, glb.byteOffset);
  const length = words.getUint32(12, true);
  const { accessors, bufferViews, meshes } = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  const { attributes, indices } = meshes[0].primitives[0];
  const sizes: Record<string, number> = { SCALAR: 1, VEC3: 3, VEC4: 4 };
  const kinds = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array } as const;
  const array = (index: number): Uint8Array | Uint16Array | Uint32Array | Float32Array => {
    const { bufferView, byteOffset = 0, componentType, count, type } = accessors[index];
    const start = 28 + length + (bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    const Kind = kinds[componentType as keyof typeof kinds];
    return new Kind(glb.slice(start, start + count * sizes[type] * Kind.BYTES_PER_ELEMENT).buffer);
  };
  return {
    position: array(attributes.POSITION) as Float32Array,
    normal: array(attributes.NORMAL) as Float32Array,
    joint: Uint16Array.from(array(attributes.JOINTS_0)),
    weight: array(attributes.WEIGHTS_0) as Float32Array,
    triangle: Uint32Array.from(array(indices)),
  };
}
