// The playground's half in the worker: a body, goals, and one or two methods that answer them side by side.
import type { Circle, Goal, Ik, JointDef, Sinew, Skeleton, Xform } from "sinew";
import { CgaShape, IkSolver, SwingLimit, UpAxis } from "sinew";
import type { ClimbAnswer, ClimbRequest, CrowdAnswer, CrowdRequest, ReachAnswer, ReachBody, ReachGoal, ReachMapAnswer, ReachMapRequest, ReachRequest, ReachSetup, ReachTrace, SphereData } from "../protocol";
import { copyWorld, jointsOf, worldOf } from "./body_data";
import type { Context } from "./context";
import { Crowd } from "./crowd";
import type { Session } from "./session";

/** Ready-made bodies whose makers have z up. */
const robots = new Set(["arm7", "puma560", "panda", "ur5", "ur10", "gen3"]);

export class Reach {
  private body: Skeleton | null = null;
  /** Plans by method and kind of problem; a plan takes all memory, a solve none. */
  private plans = new Map<string, Ik | string>();
  private readonly many: Crowd;

  constructor(private readonly context: Context, private readonly session: Session) {
    this.many = new Crowd(context.sinew);
  }

  setup({ preset, cones, pin }: ReachSetup): ReachBody {
    const { sinew } = this.context;
    const plain = preset ? sinew.presetCreate(preset) : this.session.body;
    if (!plain) throw new Error("there is no body yet: solve a capture or open a motion first");
    this.forget();
    this.body = this.rebuild(plain, cones, pin);
    if (preset) plain.dispose();
    const body = this.body;
    using pose = sinew.poseCreate(body);
    const world = new Float32Array(7 * body.jointCount);
    copyWorld(pose.world, world, 0);
    return {
      joints: jointsOf(sinew, body, null),
      size: body.size,
      up: preset ? (robots.has(preset) ? UpAxis.Z : UpAxis.Y) : this.session.upOfMotion,
      world,
      rotation: pose.rotation.slice(),
      root: [1, 0, 0, 0, 0, 0, 0],
      solvers: Array.from({ length: IkSolver.COUNT }, (_, n) => ({ name: sinew.ikSolverName(n), text: sinew.ikSolverText(n) })),
      presets: Array.from({ length: sinew.presetCount() }, (_, n) => ({ name: sinew.presetName(n), text: sinew.presetText(n) })),
    };
  }

  private forget(): void {
    for (const plan of this.plans.values()) if (typeof plan !== "string") plan.dispose();
    this.plans.clear();
    this.many.forget();
    this.body?.dispose();
    this.body = null;
  }

  /** The same body with other cones and a loop. */
  private rebuild(plain: Skeleton, cones: Record<number, number[]>, pin: [number, number] | null): Skeleton {
    const { sinew } = this.context;
    const defs: JointDef[] = Array.from({ length: plain.jointCount }, (_, j) => sinew.skeletonJointDef(plain, j));
    for (const [joint, cone] of Object.entries(cones)) {
      const def = defs[Number(joint)];
      if (def && sinew.jointTypeName(def.joint.type) === "ball") {
        def.joint.limit.swing = SwingLimit.CONE;
        def.joint.limit.cone = cone;
      }
    }
    const zero = { x: 0, y: 0, z: 0 };
    const pins = pin ? [{ jointA: pin[0], jointB: pin[1], pointA: zero, pointB: zero }] : [];
    return sinew.skeletonCreatePinned({ joint: defs, pin: pins });
  }

  private get present(): Skeleton {
    if (!this.body) throw new Error("there is no body to reach with");
    return this.body;
  }

  crowd(request: CrowdRequest): CrowdAnswer {
    return this.many.solve(this.present, request);
  }
  map(request: ReachMapRequest): ReachMapAnswer {
    return this.many.map(this.present, request);
  }

  /** A walk of the body, led over stairs: feet on the steps, the pelvis after them. */
  climb({ rise, run }: ClimbRequest): ClimbAnswer {
    const { sinew } = this.context;
    const body = this.present;
    using walk = sinew.synthMotionCreate(body, { motion: sinew.synthMotionFind("walk"), seconds: 5, rate: 60, pathRadius: 1000 });
    using pose = sinew.poseCreate(body);
    const { floor, from, along } = sinew.stairsBefore(walk, rise, run, pose);
    using climb = sinew.motionClimb(walk, rise, run);
    const world = worldOf(sinew, climb, body);
    return { world, frameCount: climb.frameCount, rate: climb.rate, floor, from: [from.x, from.y, from.z], along: [along.x, along.y, along.z] };
  }

  solve(request: ReachRequest): ReachAnswer[] {
    const { sinew } = this.context;
    const body = this.present;
    const goals = request.goals.map((goal) => goalOf(sinew, goal));
    return request.lanes.map((lane) => this.answer(body, goals, request, lane));
  }

  /** Every cap is solved anew from the same start, so the curve is what a user with that cap would get. */
  trace(request: ReachRequest): ReachTrace[] {
    const caps = [1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64];
    return request.lanes.map((lane) => {
      const trace: ReachTrace = { solver: lane.solver, iterations: [], residual: [] };
      for (const iterations of caps) {
        const [answer] = this.solve({ ...request, iterations, lanes: [lane] });
        if (answer.refusal) break;
        trace.iterations.push(Math.min(iterations, Math.max(1, answer.iterations)));
        trace.residual.push(answer.residual);
        if (answer.outcome === "reached" || answer.iterations < iterations || answer.microseconds > 20000) break;
      }
      return trace;
    });
  }

  /** Where two spheres meet, by conformal algebra: the meet of the two blades is the circle. */
  circle(spheres: [SphereData, SphereData]): { center: number[]; normal: number[]; radius: number } | null {
    const { sinew } = this.context;
    const [a, b] = spheres.map(({ center, radius }) => sinew.cgaSphere({ center: vec(center), radius }));
    const circle: Partial<Circle> = {};
    const shape = sinew.cgaToCircle(sinew.cgaMeet(a, 4, b, 4), circle);
    if (shape !== CgaShape.REAL || !circle.center || !circle.normal) return null;
    const { center, normal, radius } = circle as Circle;
    return { center: [center.x, center.y, center.z], normal: [normal.x, normal.y, normal.z], radius };
  }

  private answer(body: Skeleton, goals: Goal[], request: ReachRequest, lane: ReachRequest["lanes"][number]): ReachAnswer {
    const { sinew } = this.context;
    using pose = sinew.poseCreate(body);
    pose.rotation.set(lane.rotation);
    pose.root = xform(lane.root);
    sinew.poseForward(pose);
    const plan = this.plan(body, goals, request, lane.solver);
    const answer: ReachAnswer = {
      solver: lane.solver, used: lane.solver, outcome: "refused", iterations: 0, residual: NaN, residuals: [], microseconds: 0,
      rotation: lane.rotation, root: lane.root, world: new Float32Array(7 * body.jointCount), limited: [], refusal: null,
    };
    if (typeof plan === "string") answer.refusal = plan;
    else {
      const start = performance.now();
      const result = sinew.ikSolve(plan, goals, pose);
      answer.microseconds = 1000 * (performance.now() - start);
      answer.used = sinew.ikSolverName(result.solver);
      answer.outcome = sinew.ikOutcomeName(result.outcome);
      answer.iterations = result.iterations;
      answer.residual = result.worstResidual;
      answer.residuals = Array.from(sinew.view("f64", sinew.ikResidual(plan), goals.length));
      const active = sinew.view("u8", sinew.ikActiveLimit(plan), body.jointCount);
      active.forEach((isActive, joint) => isActive && answer.limited.push(joint));
      answer.rotation = pose.rotation.slice();
      answer.root = rootNumbers(pose.root);
    }
    copyWorld(pose.world, answer.world, 0);
    return answer;
  }

  private plan(body: Skeleton, goals: Goal[], request: ReachRequest, solver: string): Ik | string {
    const { sinew } = this.context;
    const options = {
      solver: sinew.ikSolverFind(solver), root: request.rootFree ? 1 : 0, useLimits: request.useLimits,
      iterationMax: request.iterations, tolerance: request.tolerance,
    };
    const key = JSON.stringify([options, goals.map((g) => [g.kind, g.joint, g.chainRoot, g.chainTip])]);
    let plan = this.plans.get(key);
    if (plan === undefined) {
      try {
        plan = sinew.ikCreate({ skeleton: body, goal: goals, goalCount: goals.length }, options);
      } catch (error) {
        plan = (error as Error).message;
      }
      this.plans.set(key, plan);
    }
    return plan;
  }
}

function xform([w, x, y, z, tx, ty, tz]: number[]): Xform {
  return { rotation: { w, x, y, z }, translation: { x: tx, y: ty, z: tz } };
}

function rootNumbers({ rotation: r, translation: t }: Xform): number[] {
  return [r.w, r.x, r.y, r.z, t.x, t.y, t.z];
}

function vec([x, y, z]: number[]): { x: number; y: number; z: number } {
  return { x, y, z };
}

export function goalOf(sinew: Sinew, goal: ReachGoal): Goal {
  const made =
    goal.kind === "pole" ? sinew.goalPole(goal.joint, goal.chainRoot ?? 0, goal.chainTip ?? 0, vec(goal.position))
    : goal.kind === "side" ? sinew.goalSide(goal.joint, vec(goal.point), vec(goal.position), vec(goal.direction ?? [0, 1, 0]))
    : goal.kind === "pose" ? sinew.goalPose(goal.joint, vec(goal.point), vec(goal.position), { w: goal.orientation![0], x: goal.orientation![1], y: goal.orientation![2], z: goal.orientation![3] })
    : sinew.goalPosition(goal.joint, vec(goal.point), vec(goal.position));
  return { ...made, weight: goal.weight ?? 1 };
}
