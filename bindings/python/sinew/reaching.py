"""Inverse kinematics on arrays: one problem, one after the other, or many at once."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _library
from ._library import Lock, NULL, SinewError, call, ffi, lib, name_of, quat, vec3, view
from .body import Motion, Pose, Skeleton


class Goal:
    """What a joint should do: Goal.position("hand", (0.3, 0.2, 0.5)), Goal.pose, Goal.orientation, Goal.aim, Goal.pole,
    Goal.line, Goal.plane, Goal.side, Goal.value, Goal.rest. `weight` and `priority` say what counts when not all can be met.
    """

    def __init__(self, kind: str, joints: Sequence[Any], numbers: Sequence[Any], *, weight: float = 1.0, priority: int = 0) -> None:
        self.kind, self.joints, self.numbers, self.weight, self.priority = kind, list(joints), list(numbers), weight, priority

    @staticmethod
    def position(joint: Any, target: Any, *, point: Any = (0, 0, 0), **given: Any) -> Goal:
        """`point` of the joint comes to `target`."""
        return Goal("position", [joint], [vec3(point), vec3(target)], **given)

    @staticmethod
    def orientation(joint: Any, rotation: Any, **given: Any) -> Goal:
        """The joint's frame turns to `rotation` (w x y z)."""
        return Goal("orientation", [joint], [quat(rotation)], **given)

    @staticmethod
    def pose(joint: Any, target: Any, rotation: Any, *, point: Any = (0, 0, 0), **given: Any) -> Goal:
        """Place and turn."""
        return Goal("pose", [joint], [vec3(point), vec3(target), quat(rotation)], **given)

    @staticmethod
    def aim(joint: Any, direction: Any, target: Any, *, point: Any = (0, 0, 0), **given: Any) -> Goal:
        """The joint's own `direction` points at `target`."""
        return Goal("aim", [joint], [vec3(point), vec3(direction), vec3(target)], **given)

    @staticmethod
    def pole(joint: Any, root: Any, tip: Any, target: Any, **given: Any) -> Goal:
        """An elbow or knee lies on the side of `target`, seen from the line between `root` and `tip`."""
        return Goal("pole", [joint, root, tip], [vec3(target)], **given)

    @staticmethod
    def line(joint: Any, place: Any, direction: Any, *, point: Any = (0, 0, 0), **given: Any) -> Goal:
        """`point` lies on a line."""
        return Goal("line", [joint], [vec3(point), vec3(place), vec3(direction)], **given)

    @staticmethod
    def plane(joint: Any, place: Any, normal: Any, *, point: Any = (0, 0, 0), **given: Any) -> Goal:
        """`point` lies in a plane."""
        return Goal("plane", [joint], [vec3(point), vec3(place), vec3(normal)], **given)

    @staticmethod
    def side(joint: Any, place: Any, normal: Any, *, point: Any = (0, 0, 0), **given: Any) -> Goal:
        """`point` stays on one side of a plane: a floor."""
        return Goal("side", [joint], [vec3(point), vec3(place), vec3(normal)], **given)

    @staticmethod
    def value(joint: Any, value: float, *, coordinate: int = 0, **given: Any) -> Goal:
        """A coordinate of the joint has a value."""
        return Goal("value", [joint], [coordinate, float(value)], **given)

    @staticmethod
    def rest(joint: Any = -1, **given: Any) -> Goal:
        """The joint (-1: all) is drawn to rest as far as other goals leave room."""
        return Goal("rest", [joint], [], **given)

    def _made(self, skeleton: Skeleton) -> Any:
        joints = [skeleton.index(j) for j in self.joints]
        made = getattr(lib, f"snw_goal_{self.kind}")(*joints, *self.numbers)
        made.weight, made.priority = self.weight, self.priority
        return made


class Result:
    """How a solve went: `outcome` ("reached", "unreachable", "stalled", "out of iterations"), `residual` of the worst goal."""

    __slots__ = ("outcome", "solver", "iterations", "residual", "pose")

    def __init__(self, outcome: str, solver: str, iterations: int, residual: float, pose: Pose) -> None:
        self.outcome, self.solver, self.iterations, self.residual, self.pose = outcome, solver, iterations, residual, pose

    @property
    def reached(self) -> bool:
        """Every goal is within its tolerance."""
        return self.outcome == "reached"

    def __repr__(self) -> str:
        return f"<Result: {self.outcome} by {self.solver} in {self.iterations}, worst {self.residual:.2g}>"


def _goal_array(skeleton: Skeleton, goals: Sequence[Goal]) -> Any:
    array = ffi.new("snw_goal[]", max(len(goals), 1))
    for n, goal in enumerate(goals):
        array[n] = goal._made(skeleton)
    return array


def _problem(skeleton: Skeleton, goals: Any, count: int) -> Any:
    return ffi.new("snw_ik_problem *", {"skeleton": skeleton._pointer, "goal": goals, "goal_count": count})


def _set_targets(goals: Any, count: int, targets: Any) -> None:
    places = np.asarray(targets, dtype=float).reshape(-1, 3)
    if len(places) != count:
        raise SinewError(f"{len(places)} targets were given for {count} goals")
    for n in range(count):
        goals[n].position = vec3(places[n])


class Reach:
    """Goals on a body, solved again and again: all memory is taken once, a solve takes none.

    >>> import sinew
    >>> arm = sinew.preset("panda")
    >>> reach = sinew.Reach(arm, [sinew.Goal.position("tool", (0.4, 0.2, 0.5))])
    >>> reach.solve().reached
    True
    >>> reach.solve([(0.4, 0.25, 0.5)]).reached         # from where it is
    True
    """

    def __init__(self, skeleton: Skeleton, goals: Sequence[Goal], *, pose: Pose | None = None, **given: Any) -> None:
        self.skeleton = skeleton
        self.pose = pose or skeleton.pose()
        self._keep: list[Any] = []
        self._count = len(goals)
        self._goals = _goal_array(skeleton, goals)
        how = _library.options("snw_ik_options", given, self._keep)
        self._pointer = call("snw_ik_create", _problem(skeleton, self._goals, self._count), how)
        self._lock = Lock()

    def solve(self, targets: Any = None) -> Result:
        """Solves from the pose as it is; targets (goals, 3): where the goals are now."""
        with self._lock:
            if targets is not None:
                _set_targets(self._goals, self._count, targets)
            r = lib.snw_ik_solve(self._pointer, self._goals, self.pose._pointer)
        return Result(name_of("snw_ik_outcome", r.outcome), name_of("snw_ik_solver", r.solver), r.iterations, r.worst_residual, self.pose)

    @property
    def residuals(self) -> np.ndarray:
        """(goals) metres or radians, of the last solve."""
        return np.array(view(self, lib.snw_ik_residual(self._pointer), (self._count,), "f8"))


def reach(skeleton: Skeleton, goals: Sequence[Goal], *, pose: Pose | None = None, **given: Any) -> Result:
    """One problem: the pose (copied, or at rest) is brought to the goals. solver="dls", tolerance=1e-5, ...

    >>> import sinew
    >>> result = sinew.reach(sinew.preset("chain10"), [sinew.Goal.position(9, (0.4, 0.4, 0.2))])
    >>> result.reached, result.pose.places[-1].round(3).tolist()
    (True, [0.4, 0.4, 0.2])
    """
    start = skeleton.pose() if pose is None else pose.copy()
    return Reach(skeleton, goals, pose=start, **given).solve()


class Stepper:
    """One damped Gauss-Newton step at a time, for solves that change their weights in between."""

    def __init__(self, skeleton: Skeleton, goals: Sequence[Goal], *, pose: Pose | None = None, **given: Any) -> None:
        self.skeleton, self.pose = skeleton, pose or skeleton.pose()
        self._keep: list[Any] = []
        self._count = len(goals)
        self._goals = _goal_array(skeleton, goals)
        how = _library.options("snw_ik_stepper_options", given, self._keep)
        self._pointer = call("snw_ik_stepper_create", _problem(skeleton, self._goals, self._count), how)

    def step(self, targets: Any = None, weights: Any = None) -> dict[str, float]:
        """Takes one step; tells energy, expected_gain, largest_move, damping and is_rejected."""
        if targets is not None:
            _set_targets(self._goals, self._count, targets)
        if weights is not None:
            for n, weight in enumerate(weights):
                self._goals[n].weight = float(weight)
        told = lib.snw_ik_stepper_step(self._pointer, self._goals, self.pose._pointer)
        return {f: getattr(told, f) for f, _ in ffi.typeof("snw_ik_step").fields}


def _rate_limit(skeleton: Skeleton, given: dict[str, Any], keep: list[Any]) -> Any:
    """snw_rate_limit of what is given: one number for all coordinates, or one for each."""
    limit = ffi.new("snw_rate_limit *")
    for name in ("velocity", "acceleration", "jerk"):
        if (value := given.pop(name, None)) is not None:
            setattr(limit, name, _library.array_in(np.broadcast_to(np.asarray(value, dtype=float), (skeleton.dof,)), "f8", keep))
    keep.append(limit)
    return limit[0]


class Servo:
    """Reaching in time: one step of differential inverse kinematics per tick, under limits of `velocity`, `acceleration` and
    `jerk` (one number, or one for each degree of freedom). All memory is taken at the start.

    >>> import sinew
    >>> arm = sinew.preset("panda")
    >>> servo = sinew.Servo(arm, [sinew.Goal.position("tool", (0.4, 0.2, 0.5))], velocity=2.0)
    >>> for tick in range(2000):
    ...     told = servo.step(0.001)
    >>> bool(told["is_reached"]), bool((abs(servo.velocity) <= 2.0).all())
    (True, True)
    """

    def __init__(self, skeleton: Skeleton, goals: Sequence[Goal], *, pose: Pose | None = None, **given: Any) -> None:
        self.skeleton, self.pose = skeleton, pose or skeleton.pose()
        self._keep: list[Any] = []
        self._count = len(goals)
        self._goals = _goal_array(skeleton, goals)
        limit = _rate_limit(skeleton, given, self._keep)
        how = _library.options("snw_ik_servo_options", given, self._keep)
        how.limit = limit
        self._pointer = call("snw_ik_servo_create", _problem(skeleton, self._goals, self._count), how)
        self._lock = Lock()

    def step(self, dt: float, targets: Any = None, orientations: Any = None) -> dict[str, Any]:
        """Moves the pose by `dt` seconds; targets (goals, 3) and orientations (goals, 4) say where the goals are now."""
        with self._lock:
            if targets is not None:
                _set_targets(self._goals, self._count, targets)
            if orientations is not None:
                for n, turned in enumerate(np.asarray(orientations, dtype=float).reshape(self._count, 4)):
                    self._goals[n].orientation = quat(turned)
            told = lib.snw_ik_servo_step(self._pointer, self._goals, float(dt), self.pose._pointer)
        return {f: getattr(told, f) for f, _ in ffi.typeof("snw_ik_servo_result").fields}

    def restart(self) -> None:
        """The body stands: velocities and accelerations are zero."""
        lib.snw_ik_servo_restart(self._pointer)

    @property
    def velocity(self) -> np.ndarray:
        """(degrees of freedom) of the last step; a copy."""
        return np.array(view(self, lib.snw_ik_servo_velocity(self._pointer), (self.skeleton.dof,), "f8"))

    def support(self, points: Any, up: Any = (0, 1, 0)) -> None:
        """The centre of mass stays over the hull of these points (n, 3), seen along `up`; none: no more."""
        places = np.asarray(points, dtype=float).reshape(-1, 3)
        call("snw_ik_servo_set_support", self._pointer, ffi.new("snw_vec3[]", [vec3(p) for p in places]), len(places), vec3(up))


def trajectory(start: Pose | Motion, end: Pose | None = None, **given: Any) -> Motion:
    """From one pose to another, or along the frames of a motion, as fast as `velocity`, `acceleration` (and `jerk` between
    poses) allow, at rest at both ends. rate=100 frames per second.

    >>> import sinew
    >>> arm = sinew.preset("panda")
    >>> there = sinew.reach(arm, [sinew.Goal.position("tool", (0.4, 0.2, 0.5))]).pose
    >>> way = sinew.trajectory(arm.pose(), there, velocity=1.0, acceleration=2.0)
    >>> bool(abs(way.pose(-1).values - there.values).max() < 1e-9)
    True
    """
    keep: list[Any] = []
    limit = _rate_limit(start.skeleton, given, keep)
    how = _library.options("snw_trajectory_options", given, keep)
    how.limit = limit
    if end is None:
        if not isinstance(start, Motion):
            raise SinewError("a trajectory goes from one pose to another, or along a motion")
        return Motion(call("snw_trajectory_along", start._pointer, how), start.skeleton)
    return Motion(call("snw_trajectory_between", start._pointer, end._pointer, how), start.skeleton)


class Style:
    """How somebody moves: a prior of poses, for reach(..., style=) and solve(..., style=). `str(style)` is its text.

    >>> import sinew
    >>> style = sinew.learn([sinew.solve(sinew.read("walk.c3d")).motion.rig()])
    >>> str(sinew.Style.from_text(str(style))) == str(style)
    True
    """

    def __init__(self, pointer: Any) -> None:
        self._pointer = pointer

    @classmethod
    def from_text(cls, content: str | bytes) -> Style:
        """The style of a file that `sinew learn` wrote."""
        raw = content.encode() if isinstance(content, str) else content
        return cls(call("snw_style_parse", raw, len(raw)))

    def __str__(self) -> str:
        size = lib.snw_style_print(self._pointer, NULL, 0)
        buffer = ffi.new("char[]", size + 1)
        lib.snw_style_print(self._pointer, buffer, size + 1)
        return _library.text(buffer)

    @property
    def joints(self) -> list[str]:
        """The joints it knows."""
        return [_library.text(j.name) for j in self._pointer.joint[0 : self._pointer.joint_count]]

    def __repr__(self) -> str:
        return f"<Style: {self._pointer.joint_count} joints, {self._pointer.component_count} components>"

    def __reduce__(self) -> Any:
        return (Style.from_text, (str(self),))


def learn(motions: Sequence[Motion], **given: Any) -> Style:
    """A style from motions of one rig; component_count=12, dimension_count=12, rate=20, ..."""
    keep: list[Any] = []
    array = ffi.new("snw_motion *[]", [m._pointer for m in motions])
    return Style(call("snw_style_learn", array, len(motions), _library.options("snw_style_options", given, keep)))


class Batch:
    """The same goals on the same body, many times over, in floats.

    >>> import sinew, numpy as np
    >>> body = sinew.preset("chain10")
    >>> batch = sinew.Batch(body, [sinew.Goal.position(9, (0.5, 0, 0))])
    >>> targets = np.random.default_rng(1).uniform(-0.4, 0.4, (1000, 1, 3))
    >>> answer = batch.solve(targets)
    >>> answer.rotations.shape, int(answer.reached.sum())
    ((1000, 10, 4), 1000)
    """

    def __init__(self, skeleton: Skeleton, goals: Sequence[Goal], *, workers: int = 1, ik: dict[str, Any] | None = None, **given: Any) -> None:
        self.skeleton = skeleton
        self._keep: list[Any] = []
        self._count = len(goals)
        self._goals = _goal_array(skeleton, goals)
        how = _library.options("snw_ik_batch_options", {"worker_count": workers, **given}, self._keep)
        how.ik = _library.options("snw_ik_options", ik or {}, self._keep)[0]
        self._pointer = call("snw_ik_batch_create", _problem(skeleton, self._goals, self._count), how)
        self._lock = Lock()

    @property
    def path(self) -> str:
        """"avx512", "avx2", "neon", "portable", "opencl" or "one by one"."""
        return _library.text(lib.snw_ik_batch_path(self._pointer))

    @property
    def device(self) -> str:
        """The name of the device that solves, for Batch(..., device="auto" or "opencl:0"); "": the processor."""
        return _library.text(lib.snw_ik_batch_device(self._pointer))

    @property
    def trouble(self) -> str:
        """Why the processor solves what a device was asked for; "": nothing is wrong."""
        return _library.text(lib.snw_ik_batch_trouble(self._pointer))

    def solve(self, targets: Any, *, start: Any = None, orientations: Any = None, weights: Any = None) -> BatchResult:
        """targets (problems, goals, 3); start (problems, joints, 4) or a Pose or None: rest; orientations (problems, goals, 4)."""
        keep: list[Any] = []
        goals, joints = self._count, len(self.skeleton)
        places = np.asarray(targets, dtype="f4")
        if places.ndim != 3 or places.shape[1:] != (goals, 3):
            raise SinewError(f"targets of shape {places.shape} are not (problems, {goals}, 3)")
        count = len(places)
        begin = (start or self.skeleton.pose()).rotations if start is None or isinstance(start, Pose) else start
        rotations = np.array(np.broadcast_to(np.asarray(begin, dtype="f4"), (count, joints, 4)), order="C")
        slides = np.zeros((count, joints, 3), "f4")
        residuals, outcomes = np.zeros(count, "f4"), np.zeros(count, "u1")
        job = ffi.new("snw_ik_batch_job *")
        job.problem_count = count
        job.target = _library.array_in(places, "f4", keep)
        job.rotation, job.slide = _library.array_in(rotations, "f4", keep), _library.array_in(slides, "f4", keep)
        job.residual, job.outcome = _library.array_in(residuals, "f4", keep), _library.array_in(outcomes, "u1", keep)
        if orientations is not None:
            job.orientation = _library.array_in(orientations, "f4", keep, (count, goals, 4))
        if weights is not None:
            job.weight = _library.array_in(weights, "f4", keep, (count, goals))
        root = {"rotation": quat((1, 0, 0, 0)), "translation": vec3((0, 0, 0))}  # cffi leaves out of a value what is not said
        with self._lock:
            call("snw_ik_batch_solve", self._pointer, root, job, NULL)
        return BatchResult(rotations, slides, residuals, outcomes)


class BatchResult:
    """Answers of a batch: rotations (problems, joints, 4), slides, residuals (problems), outcomes (problems)."""

    def __init__(self, rotations: np.ndarray, slides: np.ndarray, residuals: np.ndarray, outcomes: np.ndarray) -> None:
        self.rotations, self.slides, self.residuals, self.outcomes = rotations, slides, residuals, outcomes

    @property
    def reached(self) -> np.ndarray:
        """(problems) every goal is within its tolerance."""
        return np.asarray(self.outcomes == lib.SNW_IK_REACHED)


__all__ = ["Batch", "BatchResult", "Goal", "Reach", "Result", "Servo", "Stepper", "Style", "learn", "reach", "trajectory"]

