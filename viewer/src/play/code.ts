// What the playground shows, as something to run: C, Python and JavaScript programs, and a command.
import type { JointInfo, ReachGoal } from "../protocol";

export interface Shown {
  preset: string | null;
  joints: JointInfo[];
  goals: ReachGoal[];
  solver: string;
  rootFree: boolean;
  useLimits: boolean;
}

export const languages: [string, (shown: Shown) => string][] = [["Command", command], ["C", c], ["Python", python], ["JavaScript", javascript]];

const mm = (position: number[]): string => position.map((v) => String(+(1000 * v).toFixed(1))).join(",");
const list = (numbers: number[]): string => numbers.map((v) => String(+v.toFixed(4))).join(", ");
const isTip = (goal: ReachGoal): boolean => goal.point.some((v) => v !== 0);

function words(shown: Shown): string[] {
  const name = (goal: ReachGoal): string => shown.joints[goal.joint].name + (isTip(goal) ? "/tip" : "");
  const out = ["ik", ...(shown.preset ? ["--body", shown.preset] : ["body.bvh"])];
  for (const goal of shown.goals) {
    if (goal.kind === "pole") out.push("--pole", `${shown.joints[goal.joint].name},${shown.joints[goal.chainRoot!].name},${shown.joints[goal.chainTip!].name}:${mm(goal.position)}`);
    else if (goal.kind === "side") out.push("--floor", `${name(goal)}:${mm(goal.position)}:${list(goal.direction!).replace(/ /g, "")}`);
    else out.push("--goal", `${name(goal)}:${mm(goal.position)}`);
  }
  out.push("--solver", shown.solver);
  if (shown.rootFree) out.push("--root", "free");
  if (!shown.useLimits) out.push("--no-limits");
  return out;
}

function command(shown: Shown): string {
  return `sinew ${words(shown).join(" ").replace(/ (--goal|--pole|--floor|--solver)/g, " \\\n  $1")}`;
}

function goalC(goal: ReachGoal, shown: Shown): string {
  const vec = (v: number[]): string => `snw_vec3_make(${list(v)})`;
  const joint = `joint(body, "${shown.joints[goal.joint].name}")`;
  if (goal.kind === "pole") return `snw_goal_pole(${joint}, joint(body, "${shown.joints[goal.chainRoot!].name}"), joint(body, "${shown.joints[goal.chainTip!].name}"), ${vec(goal.position)})`;
  if (goal.kind === "side") return `snw_goal_side(${joint}, ${vec(goal.point)}, ${vec(goal.position)}, ${vec(goal.direction!)})`;
  return `snw_goal_position(${joint}, ${vec(goal.point)}, ${vec(goal.position)})`;
}

function c(shown: Shown): string {
  return `#include <stdio.h>
#include <sinew/sinew.h>

#define joint(body, name) snw_skeleton_find_joint(body, name)

int main(void)
{
    snw_error error;
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    if (snw_preset_create("${shown.preset ?? "humanoid"}", NULL, &body, &error) != SNW_OK) return 1;
    snw_pose_create(body, NULL, &pose, &error);
    snw_goal goals[] = {
${shown.goals.map((goal) => `        ${goalC(goal, shown)},`).join("\n")}
    };
    snw_ik_options options = snw_ik_options_default();
    options.solver = snw_ik_solver_find("${shown.solver}");
${shown.rootFree ? "    options.root = SNW_IK_ROOT_FREE;\n" : ""}${shown.useLimits ? "" : "    options.use_limits = false;\n"}    snw_ik_problem problem = {body, goals, sizeof goals / sizeof *goals};
    if (snw_ik_create(&problem, &options, NULL, &ik, &error) != SNW_OK) {
        fprintf(stderr, "%s\\n", error.message);
        return 1;
    }
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    printf("%s, %g m\\n", snw_ik_outcome_name(result.outcome), result.worst_residual);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return 0;
}
`;
}

/** Through the command, which every installation has. */
function python(shown: Shown): string {
  return `import json, subprocess

words = ${JSON.stringify(["sinew", ...words(shown), "--json"]).replace(/","/g, '", "')}
answer = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
print(json.dumps(answer, indent=2))
`;
}

function javascript(shown: Shown): string {
  const vec = ([x, y, z]: number[]): string => `{ x: ${+x.toFixed(4)}, y: ${+y.toFixed(4)}, z: ${+z.toFixed(4)} }`;
  const joint = (n: number): string => `joint("${shown.joints[n].name}")`;
  const goals = shown.goals.map((goal) =>
    goal.kind === "pole" ? `sinew.goalPole(${joint(goal.joint)}, ${joint(goal.chainRoot!)}, ${joint(goal.chainTip!)}, ${vec(goal.position)})`
    : goal.kind === "side" ? `sinew.goalSide(${joint(goal.joint)}, ${vec(goal.point)}, ${vec(goal.position)}, ${vec(goal.direction!)})`
    : `sinew.goalPosition(${joint(goal.joint)}, ${vec(goal.point)}, ${vec(goal.position)})`);
  const options = [`solver: sinew.ikSolverFind("${shown.solver}")`, shown.rootFree ? "root: 1" : "", shown.useLimits ? "" : "useLimits: false"].filter(Boolean).join(", ");
  return `import { load } from "sinew/ik";

const sinew = await load();
const body = sinew.presetCreate("${shown.preset ?? "humanoid"}");
const joint = (name) => sinew.skeletonFindJoint(body, name);
const pose = sinew.poseCreate(body);
const goals = [
${goals.map((text) => `  ${text},`).join("\n")}
];
const ik = sinew.ikCreate({ skeleton: body, goal: goals }, { ${options} });
console.log(sinew.ikSolve(ik, goals, pose));
`;
}
