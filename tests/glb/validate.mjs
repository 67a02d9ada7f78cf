// Every .glb of a folder: no complaint by the Khronos validator, one skin with all joints, and joints
// where the .json beside it says, by a forward kinematics written here from the glTF specification.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , folder, modules] = process.argv;
const validator = createRequire(join(modules, "package.json"))("gltf-validator");
let faults = 0;
const fault = (text) => { faults++; console.error(text); };

const rotate = ([x, y, z, w], [a, b, c]) => {
  const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
};
const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];

function read(bytes) {
  const jsonSize = bytes.readUInt32LE(12);
  const gltf = JSON.parse(bytes.subarray(20, 20 + jsonSize).toString("utf8"));
  const binary = bytes.subarray(28 + jsonSize);
  const width = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };
  const floats = (index) => {
    const accessor = gltf.accessors[index], view = gltf.bufferViews[accessor.bufferView], w = width[accessor.type];
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    return Array.from({ length: accessor.count }, (_, n) =>
      Array.from({ length: w }, (_, k) => binary.readFloatLE(start + 4 * (n * w + k))));
  };
  return { gltf, floats };
}

function checkMotion(name, { gltf, floats }, truth) {
  const animation = gltf.animations?.[0];
  const skin = gltf.skins[0], joints = skin.joints;
  if (gltf.nodes.filter((node) => node.skin === 0 && node.mesh === 0).length !== 1) fault(`${name}: no skinned mesh`);
  const marks = gltf.nodes.find((node) => node.name === "markers")?.children ?? [];
  if (joints.length !== gltf.nodes.length - 1 - (marks.length && marks.length + 1)) fault(`${name}: the skin lacks joints`);
  if (!animation) return truth.frames.length && fault(`${name}: no animation`);
  const tracks = animation.channels.map(({ sampler, target }) => ({ ...target, values: floats(animation.samplers[sampler].output) }));
  const times = floats(animation.samplers[0].input);
  const place = (node, parent, frame, out) => {
    const track = (path, rest) => tracks.find((t) => t.node === node && t.path === path)?.values[frame] ?? rest;
    const { rotation = [0, 0, 0, 1], translation, children = [] } = gltf.nodes[node];
    const moved = rotate(parent.r, track("translation", translation));
    const own = { r: multiply(parent.r, track("rotation", rotation)), t: parent.t.map((v, k) => v + moved[k]) };
    out[node] = own.t;
    for (const child of children) place(child, own, frame, out);
    return out;
  };
  // A marker that is called like a joint is where the joint is, as long as it is shown.
  let shown = 0, hidden = 0;
  for (const mark of marks) {
    const joint = joints.findIndex((node) => gltf.nodes[node].name === gltf.nodes[mark].name);
    const track = (path) => tracks.find((t) => t.node === mark && t.path === path)?.values;
    truth.frames.forEach((expected, frame) => {
      if (track("scale")?.[frame][0] === 0) return hidden++;
      shown++;
      const off = joint < 0 ? 0 : Math.hypot(...expected[joint].map((v, k) => v - track("translation")[frame][k]));
      if (!(off <= 1e-5)) fault(`${name}: marker ${gltf.nodes[mark].name} is off by ${off} m in frame ${frame}`);
    });
  }
  if (name.startsWith("markers") && (hidden !== 3 || shown < 200)) fault(`${name}: ${shown} places shown, ${hidden} hidden`);
  let worst = 0;
  truth.frames.forEach((expected, frame) => {
    if (Math.abs(times[frame][0] - frame / truth.rate) > 1e-6 * (1 + frame)) fault(`${name}: time of frame ${frame}`);
    const got = place(joints[0], { r: [0, 0, 0, 1], t: [0, 0, 0] }, frame, []);
    expected.forEach((p, joint) => { worst = Math.max(worst, Math.hypot(...p.map((v, k) => v - got[joint][k]))); });
  });
  // Floats: 6e-8 for each of up to 300 turns in a chain of 15 m, added up at random.
  if (!(worst <= 2e-5)) fault(`${name}: joints are off by ${worst} m`);
  return worst;
}

const files = readdirSync(folder).filter((name) => name.endsWith(".glb")).sort();
for (const name of files) {
  const bytes = readFileSync(join(folder, name));
  const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 20 });
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  for (const message of messages) fault(`${name}: ${message.code} ${message.message} ${message.pointer ?? ""}`);
  const worst = checkMotion(name, read(bytes), JSON.parse(readFileSync(join(folder, name.replace(".glb", ".json")))));
  console.log(`${name}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, joints off by at most ${worst ?? 0} m`);
}
if (files.length < 7) fault("samples are missing");
process.exit(faults ? 1 : 0);
