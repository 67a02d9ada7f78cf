"""Inverse kinematics on arrays: one problem, one after the other, or many at once."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _library
from ._library import Lock, NULL, SinewError, call, ffi, lib, name_of, quat, vec3, view
from .body import Pose, Skeleton




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
        """"avx2", "portable" or "one by one"."""
        return _library.text(lib.snw_ik_batch_path(self._pointer))

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


__all__ = ["Batch", "BatchResult", "Goal", "Reach", "Result", "Stepper", "reach"]

