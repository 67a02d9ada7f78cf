// A hand reaches, and a capture becomes a skeleton: run with `node bindings/wasm/example.mjs` after scripts/page.
import { load } from "../../build/npm/full/index.js"; // from "sinew" once it is installed

const sinew = await load();

// A body reaches.
const body = sinew.presetCreate("humanoid");
const pose = sinew.poseCreate(body);
const wrist = sinew.skeletonFindJoint(body, "left_wrist");
const goals = [sinew.goalPosition(wrist, { x: 0, y: 0, z: 0 }, { x: 0.3, y: 0.4, z: 0.4 })];
const ik = sinew.ikCreate({ skeleton: body, goal: goals });
const result = sinew.ikSolve(ik, goals, pose);
console.log(`${sinew.ikOutcomeName(result.outcome)} in ${result.iterations} iterations, ${(1e6 * result.worstResidual).toFixed(1)} µm left`);
console.log("the wrist is at", Array.from(pose.world.slice(7 * wrist + 4, 7 * wrist + 7), (v) => +v.toFixed(4)));

// A capture becomes a skeleton. Bytes of a C3D, TRC or CSV file would come from readFileSync or fetch.
const synth = sinew.synthCreate(body, null, { seconds: 5 });
const solution = sinew.solve(synth.capture);
const { actor, motion } = solution.body[0];
console.log(`${sinew.verdictName(solution.verdict)}, ${solution.body[0].judgements.count} findings`);
for (const [n, name] of actor.skeleton.name.entries()) console.log(name.padEnd(14), n ? actor.estimate[n].verdict : "root");
console.log(`as BVH: ${sinew.writeMotion(motion, sinew.formatFromName("x.bvh")).length} bytes`);

for (const thing of [solution, synth, ik, pose, body]) thing.dispose(); // or `using`, or nothing: the collector does it
